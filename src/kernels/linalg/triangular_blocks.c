// See triangular_blocks.h. Row operations run along dense rows, so that compilers vectorise them;
// four rows are updated by four others at a time, which saves most loads and stores.
#include "kernels/linalg/triangular_blocks.h"

#include "kernels/machine.h"
#include "math/complex.h"

enum { GROUP = 4 }; // rows

// Scalar arithmetic of the loops for each kind of number.
#define REAL_SUBTRACT(x, a, y)    (x) -= (a) * (y)
#define REAL_LESS(x, y)           (x) -= (y)
#define REAL_CONJUGATE(a)         (a)
#define REAL_PART(a)              (a)
#define REAL_MAKE(x)              (x)
#define REAL_SCALE(x, s)          (x) *= (s)
#define REAL_DIVIDE(suffix, x, a) (x) /= (a)

#define COMPLEX_SUBTRACT(x, a, y)                                                                  \
  (x).re -= (a).re * (y).re - (a).im * (y).im, (x).im -= (a).re * (y).im + (a).im * (y).re
#define COMPLEX_LESS(x, y)           (x).re -= (y).re, (x).im -= (y).im
#define COMPLEX_CONJUGATE(a)         {(a).re, -(a).im}
#define COMPLEX_PART(a)              ((a).re)
#define COMPLEX_MAKE(x)              {(x), 0}
#define COMPLEX_SCALE(x, s)          (x).re *= (s), (x).im *= (s)
#define COMPLEX_DIVIDE(suffix, x, a) (x) = hlo_div_##suffix((x), (a))

// x -= sum over q < count of a[q] y[q], rows of m numbers ldy apart.
#define DEFINE_REDUCE(suffix, type, KIND)                                                          \
  static void reduce_##suffix(int64_t count, int64_t m, const type *a, type *restrict x,           \
                              const type *restrict y, int64_t ldy) {                               \
    for (int64_t q = 0; q < count; q++, y += ldy) {                                                \
      type factor = a[q];                                                                          \
      for (int64_t j = 0; j < m; j++) KIND##_SUBTRACT(x[j], factor, y[j]);                         \
    }                                                                                              \
  }

// The same for `rows` rows x and rows of factors; count is a multiple of GROUP.
#define DEFINE_REDUCE_GROUP_SINGLY(suffix, type)                                                   \
  static void reduce_group_##suffix(int64_t rows, int64_t count, int64_t m, const type *a,         \
                                    int64_t lda, type *x, int64_t ldx, const type *y,              \
                                    int64_t ldy) {                                                 \
    for (int64_t r = 0; r < rows; r++)                                                             \
      reduce_##suffix(count, m, a + r * lda, x + r * ldx, y, ldy);                                 \
  }

#define TILE_ROW(x, a) x[j] -= ((a)[0] * b0 + (a)[1] * b1) + ((a)[2] * b2 + (a)[3] * b3)
#define DEFINE_REDUCE_GROUP(suffix, type)                                                          \
  static void reduce_tile_##suffix(int64_t m, const type a[GROUP][GROUP], type *restrict x0,       \
                                   type *restrict x1, type *restrict x2, type *restrict x3,        \
                                   const type *restrict y0, const type *restrict y1,               \
                                   const type *restrict y2, const type *restrict y3) {             \
    for (int64_t j = 0; j < m; j++) {                                                              \
      type b0 = y0[j], b1 = y1[j], b2 = y2[j], b3 = y3[j];                                         \
      TILE_ROW(x0, a[0]);                                                                          \
      TILE_ROW(x1, a[1]);                                                                          \
      TILE_ROW(x2, a[2]);                                                                          \
      TILE_ROW(x3, a[3]);                                                                          \
    }                                                                                              \
  }                                                                                                \
  static void reduce_group_##suffix(int64_t rows, int64_t count, int64_t m, const type *a,         \
                                    int64_t lda, type *x, int64_t ldx, const type *y,              \
                                    int64_t ldy) {                                                 \
    for (int64_t r = 0; r < rows && rows < GROUP; r++)                                             \
      reduce_##suffix(count, m, a + r * lda, x + r * ldx, y, ldy);                                 \
    for (int64_t q = 0; q < count && rows == GROUP; q += GROUP, y += GROUP * ldy) {                \
      type factors[GROUP][GROUP];                                                                  \
      for (int r = 0; r < GROUP; r++) {                                                            \
        for (int k = 0; k < GROUP; k++) factors[r][k] = a[r * lda + q + k];                        \
      }                                                                                            \
      reduce_tile_##suffix(m, (const type(*)[GROUP])factors, x, x + ldx, x + 2 * ldx, x + 3 * ldx, \
                           y, y + ldy, y + 2 * ldy, y + 3 * ldy);                                  \
    }                                                                                              \
  }

#define DEFINE_BLOCKS(suffix, type, part, KIND)                                                    \
  static void subtract_##suffix(int64_t m, type *restrict x, const type *restrict y) {             \
    for (int64_t j = 0; j < m; j++) KIND##_LESS(x[j], y[j]);                                       \
  }                                                                                                \
  static void solve_##suffix(int64_t n, int64_t m, const void *l, int64_t ldl, bool unit, void *x, \
                             int64_t ldx, const void *above) {                                     \
    for (int64_t g = 0; g < n; g += GROUP) {                                                       \
      int64_t rows = n - g < GROUP ? n - g : GROUP;                                                \
      const type *factors = (const type *)l + g * ldl;                                             \
      type *group = (type *)x + g * ldx;                                                           \
      for (int64_t r = 0; r < rows && above != NULL; r++)                                          \
        subtract_##suffix(m, group + r * ldx, (const type *)above + (g + r) * m);                  \
      reduce_group_##suffix(rows, g, m, factors, ldl, group, ldx, x, ldx);                         \
      for (int64_t r = 0; r < rows; r++) {                                                         \
        type *row = group + r * ldx, diagonal = factors[r * ldl + g + r];                          \
        reduce_##suffix(r, m, factors + r * ldl + g, row, group, ldx);                             \
        for (int64_t j = 0; j < m && !unit; j++) KIND##_DIVIDE(suffix, row[j], diagonal);          \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static int64_t factor_##suffix(int64_t n, int64_t m, void *u, int64_t ldu, const void *above) {  \
    for (int64_t g = 0; g < n; g += GROUP) {                                                       \
      int64_t rows = n - g < GROUP ? n - g : GROUP;                                                \
      type factors[GROUP * HLO_TRIANGULAR_BLOCK], *group = (type *)u + g * ldu + g;                \
      for (int64_t r = 0; r < rows; r++) {                                                         \
        for (int64_t q = 0; q < g; q++) {                                                          \
          const type *other = (const type *)u + q * ldu + g + r;                                   \
          factors[r * HLO_TRIANGULAR_BLOCK + q] = (type)KIND##_CONJUGATE(*other);                  \
        }                                                                                          \
        if (above != NULL)                                                                         \
          subtract_##suffix(m - g, group + r * ldu, (const type *)above + (g + r) * m + g);        \
      }                                                                                            \
      reduce_group_##suffix(rows, g, m - g, factors, HLO_TRIANGULAR_BLOCK, group, ldu,             \
                            (const type *)u + g, ldu);                                             \
      for (int64_t r = 0; r < rows; r++) {                                                         \
        type *row = group + r * ldu + r;                                                           \
        for (int64_t q = 0; q < r; q++) factors[q] = (type)KIND##_CONJUGATE(group[q * ldu + r]);   \
        reduce_##suffix(r, m - g - r, factors, row, group + r, ldu);                               \
        part pivot = KIND##_PART(*row);                                                            \
        if (!(pivot > 0)) return g + r;                                                            \
        part root = (part)__builtin_sqrt((double)pivot), inverse = 1 / root;                       \
        row[0] = (type)KIND##_MAKE(root);                                                          \
        for (int64_t j = 1; j < m - g - r; j++) KIND##_SCALE(row[j], inverse);                     \
      }                                                                                            \
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

#define DEFINE_REAL_BLOCKS(suffix, type)                                                           \
  DEFINE_REDUCE(suffix, type, REAL)                                                                \
  DEFINE_REDUCE_GROUP(suffix, type)                                                                \
  DEFINE_BLOCKS(suffix, type, type, REAL)

DEFINE_REAL_BLOCKS(f32, float)
DEFINE_REAL_BLOCKS(f64, double)
DEFINE_REDUCE(c128, hlo_c128, COMPLEX)
DEFINE_REDUCE_GROUP_SINGLY(c128, hlo_c128)
DEFINE_BLOCKS(c128, hlo_c128, double, COMPLEX)

const hlo_triangular_blocks *hlo_triangular_blocks_get(hlo_type type) {
  return type == HLO_F32    ? &blocks_f32
         : type == HLO_F64  ? &blocks_f64
         : type == HLO_C128 ? &blocks_c128
                            : NULL;
}
