// See triangular_blocks.h. Row operations run along dense rows, so that compilers vectorise them;
// four rows are taken away at a time, which saves most loads and stores of the row they change.
#include "eval/triangular_blocks.h"

#include "base/complex.h"

// What the loops need of a number: x -= a·y, conjugates, division.
#define REAL_SUBTRACT(x, a, y) (x) -= (a) * (y)
#define REAL_CONJUGATE(a)      (a)
#define REAL_PART(a)           (a)
#define REAL_MAKE(x)           (x)
#define REAL_DIVIDE(suffix, x, a)                                                                  \
  for (int64_t j = 0; j < m; j++) (x)[j] /= (a)
#define REAL_SCALE(x, s) (x) *= (s)
#define REAL_LESS(x, y)  (x) -= (y)

#define COMPLEX_SUBTRACT(x, a, y)                                                                  \
  (x).re -= (a).re * (y).re - (a).im * (y).im, (x).im -= (a).re * (y).im + (a).im * (y).re
#define COMPLEX_CONJUGATE(a) {(a).re, -(a).im}
#define COMPLEX_PART(a)      ((a).re)
#define COMPLEX_MAKE(x)      {(x), 0}
#define COMPLEX_DIVIDE(suffix, x, a)                                                               \
  for (int64_t j = 0; j < m; j++) (x)[j] = hlo_div_##suffix((x)[j], (a))
#define COMPLEX_SCALE(x, s) (x).re *= (s), (x).im *= (s)
#define COMPLEX_LESS(x, y)  (x).re -= (y).re, (x).im -= (y).im

#define DEFINE_BLOCKS(suffix, type, part, KIND)                                                    \
  /* x -= sum over q of a[q] y[q], rows of m numbers ldy apart */                                  \
  static void reduce_##suffix(int64_t count, int64_t m, const type *a, type *restrict x,           \
                              const type *restrict y, int64_t ldy) {                               \
    int64_t q = 0;                                                                                 \
    for (; q + 4 <= count; q += 4, y += 4 * ldy) {                                                 \
      const type *y1 = y + ldy, *y2 = y + 2 * ldy, *y3 = y + 3 * ldy;                              \
      type a0 = a[q], a1 = a[q + 1], a2 = a[q + 2], a3 = a[q + 3];                                 \
      for (int64_t j = 0; j < m; j++) {                                                            \
        type sum = x[j];                                                                           \
        KIND##_SUBTRACT(sum, a0, y[j]);                                                            \
        KIND##_SUBTRACT(sum, a1, y1[j]);                                                           \
        KIND##_SUBTRACT(sum, a2, y2[j]);                                                           \
        KIND##_SUBTRACT(sum, a3, y3[j]);                                                           \
        x[j] = sum;                                                                                \
      }                                                                                            \
    }                                                                                              \
    for (; q < count; q++, y += ldy) {                                                             \
      type a0 = a[q];                                                                              \
      for (int64_t j = 0; j < m; j++) KIND##_SUBTRACT(x[j], a0, y[j]);                             \
    }                                                                                              \
  }                                                                                                \
  static void subtract_##suffix(int64_t m, type *restrict x, const type *restrict y) {             \
    for (int64_t j = 0; j < m; j++) KIND##_LESS(x[j], y[j]);                                       \
  }                                                                                                \
  static void solve_##suffix(int64_t n, int64_t m, const void *l, int64_t ldl, bool unit, void *x, \
                             int64_t ldx, const void *above) {                                     \
    for (int64_t r = 0; r < n; r++) {                                                              \
      const type *factors = (const type *)l + r * ldl;                                             \
      type *row = (type *)x + r * ldx;                                                             \
      if (above != NULL) subtract_##suffix(m, row, (const type *)above + r * m);                   \
      reduce_##suffix(r, m, factors, row, x, ldx);                                                 \
      type diagonal = factors[r];                                                                  \
      if (!unit) KIND##_DIVIDE(suffix, row, diagonal);                                             \
    }                                                                                              \
  }                                                                                                \
  static int64_t factor_##suffix(int64_t n, int64_t m, void *u, int64_t ldu, const void *above) {  \
    for (int64_t r = 0; r < n; r++) {                                                              \
      type factors[HLO_TRIANGULAR_BLOCK], *row = (type *)u + r * ldu + r;                          \
      for (int64_t q = 0; q < r; q++) {                                                            \
        type *other = (type *)u + q * ldu + r;                                                     \
        factors[q] = (type)KIND##_CONJUGATE(*other);                                               \
      }                                                                                            \
      if (above != NULL) subtract_##suffix(m - r, row, (const type *)above + r * m + r);           \
      reduce_##suffix(r, m - r, factors, row, (const type *)u + r, ldu);                           \
      part pivot = KIND##_PART(*row);                                                              \
      if (!(pivot > 0)) return r;                                                                  \
      part root = (part)__builtin_sqrt((double)pivot), inverse = 1 / root;                         \
      row[0] = (type)KIND##_MAKE(root);                                                            \
      for (int64_t j = 1; j < m - r; j++) KIND##_SCALE(row[j], inverse);                           \
    }                                                                                              \
    return n;                                                                                      \
  }                                                                                                \
  static void adjoint_##suffix(int64_t n, int64_t m, void *to, int64_t ldt, const void *from,      \
                               int64_t ldf) {                                                      \
    for (int64_t i = 0; i < n; i++) {                                                              \
      for (int64_t j = 0; j < m; j++) {                                                            \
        const type *element = (const type *)from + j * ldf + i;                                    \
        ((type *)to)[i * ldt + j] = (type)KIND##_CONJUGATE(*element);                              \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static const hlo_triangular_blocks blocks_##suffix = {solve_##suffix, factor_##suffix,           \
                                                        adjoint_##suffix};

DEFINE_BLOCKS(f32, float, float, REAL)
DEFINE_BLOCKS(f64, double, double, REAL)
DEFINE_BLOCKS(c64, hlo_c64, float, COMPLEX)
DEFINE_BLOCKS(c128, hlo_c128, double, COMPLEX)

const hlo_triangular_blocks *hlo_triangular_blocks_get(hlo_type type) {
  switch (type) {
  case HLO_F32:
    return &blocks_f32;
  case HLO_F64:
    return &blocks_f64;
  case HLO_C64:
    return &blocks_c64;
  case HLO_C128:
    return &blocks_c128;
  default:
    return NULL;
  }
}
