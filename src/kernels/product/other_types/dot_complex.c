// See dot_complex.h.
#include "kernels/product/other_types/dot_complex.h"

#include "base/checked.h"
#include "kernels/machine.h"

#define DEFINE(real, suffix)                                                                       \
  static void expand_right_##suffix(int64_t k, int64_t n, const real *b, int64_t ldb, real *to) {  \
    for (int64_t p = 0; p < k; p++, b += 2 * ldb, to += 4 * n) {                                   \
      for (int64_t j = 0; j < n; j++) {                                                            \
        real re = b[2 * j], im = b[2 * j + 1];                                                     \
        to[2 * j] = re;                                                                            \
        to[2 * j + 1] = im;                                                                        \
        to[2 * (n + j)] = -im;                                                                     \
        to[2 * (n + j) + 1] = re;                                                                  \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void expand_columns_##suffix(int64_t k, int64_t n, const real *b, int64_t ldb,            \
                                      real *to) {                                                  \
    for (int64_t j = 0; j < n; j++, to += 4 * k) {                                                 \
      for (int64_t p = 0; p < k; p++) {                                                            \
        real re = b[2 * (p * ldb + j)], im = b[2 * (p * ldb + j) + 1];                             \
        to[2 * p] = re;                                                                            \
        to[2 * p + 1] = -im;                                                                       \
        to[2 * (k + p)] = im;                                                                      \
        to[2 * (k + p) + 1] = re;                                                                  \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void split_left_##suffix(int64_t m, int64_t k, const real *a, int64_t lda, real *to) {    \
    for (int64_t i = 0; i < m; i++, a += 2 * lda, to += k) {                                       \
      for (int64_t p = 0; p < k; p++) {                                                            \
        to[p] = a[2 * p];                                                                          \
        to[m * k + p] = a[2 * p + 1];                                                              \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void add_halves_##suffix(int64_t m, int64_t n, const real *sums, real *c, int64_t ldc) {  \
    for (int64_t i = 0; i < m; i++, c += 2 * ldc, sums += 2 * n) {                                 \
      const real *by_re = sums, *by_im = sums + 2 * m * n;                                         \
      for (int64_t j = 0; j < n; j++) {                                                            \
        c[2 * j] = by_re[2 * j] - by_im[2 * j + 1];                                                \
        c[2 * j + 1] = by_re[2 * j + 1] + by_im[2 * j];                                            \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void store_columns_##suffix(int64_t m, int64_t n, const real *sums, real *c,              \
                                     int64_t ldc) {                                                \
    for (int64_t i = 0; i < m; i++, c += 2 * ldc) {                                                \
      for (int64_t j = 0; j < 2 * n; j++) c[j] = sums[j * m + i];                                  \
    }                                                                                              \
  }
DEFINE(float, c64)
DEFINE(double, c128)

// By what is written and read again beside the product.
static hlo_complex_way way_of(int64_t m, int64_t n, int64_t k) {
  if (2 * n <= HLO_FEW_COLUMNS) return HLO_COMPLEX_COLUMNS;
  double of_right = 4 * (double)k * (double)n;
  return of_right > 2 * (double)m * (double)k + 8 * (double)m * (double)n ? HLO_COMPLEX_LEFT
                                                                          : HLO_COMPLEX_RIGHT;
}

static hlo_status take(const hlo_evaluator *evaluator, bool is_wide, int64_t times, int64_t rows,
                       int64_t columns, void **out, hlo_error *error) {
  int64_t count;
  bool fits = hlo_checked_mul(rows, columns, &count) && hlo_checked_mul(count, times, &count);
  *out = !fits ? NULL
               : hlo_arena_array_raw(evaluator->scratch, (size_t)count,
                                     is_wide ? sizeof(double) : sizeof(float));
  return *out == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

hlo_status hlo_complex_product_init(const hlo_evaluator *evaluator, bool is_wide, int64_t m,
                                    int64_t n, int64_t k, hlo_complex_product *out,
                                    hlo_error *error) {
  *out = (hlo_complex_product){.way = way_of(m, n, k), .is_wide = is_wide, .m = m, .n = n, .k = k};
  bool left = out->way == HLO_COMPLEX_LEFT, columns = out->way == HLO_COMPLEX_COLUMNS;
  if (left) HLO_TRY(take(evaluator, is_wide, 2, m, k, &out->factor, error));
  else HLO_TRY(take(evaluator, is_wide, 4, k, n, &out->factor, error));
  if (left || columns) HLO_TRY(take(evaluator, is_wide, left ? 4 : 2, m, n, &out->sums, error));
  return hlo_matrix_product_init(evaluator, is_wide ? HLO_F64 : HLO_F32, false, columns ? 1 : 2 * n,
                                 left ? k : 2 * k, &out->product, error);
}

void hlo_complex_product_run(const hlo_complex_product *p, const hlo_backend *backend,
                             const void *a, int64_t lda, const void *b, int64_t ldb, void *c,
                             int64_t ldc) {
  int64_t m = p->m, n = p->n, k = p->k;
  switch (p->way) {
  case HLO_COMPLEX_RIGHT:
    if (p->is_wide) expand_right_c128(k, n, b, ldb, p->factor);
    else expand_right_c64(k, n, b, ldb, p->factor);
    hlo_matrix_product_run(&p->product, m, 2 * n, 2 * k, a, 2 * lda, p->factor, 2 * n, c, 2 * ldc);
    return;
  case HLO_COMPLEX_LEFT:
    if (p->is_wide) split_left_c128(m, k, a, lda, p->factor);
    else split_left_c64(m, k, a, lda, p->factor);
    hlo_matrix_product_run(&p->product, 2 * m, 2 * n, k, p->factor, k, b, 2 * ldb, p->sums, 2 * n);
    if (p->is_wide) add_halves_c128(m, n, p->sums, c, ldc);
    else add_halves_c64(m, n, p->sums, c, ldc);
    return;
  case HLO_COMPLEX_COLUMNS:
    if (p->is_wide) expand_columns_c128(k, n, b, ldb, p->factor);
    else expand_columns_c64(k, n, b, ldb, p->factor);
    hlo_matrix_product_run_columns(&p->product, backend, p->is_wide ? HLO_F64 : HLO_F32, m, 2 * n,
                                   2 * k, a, 2 * lda, p->factor, 2 * k, p->sums, m);
    if (p->is_wide) store_columns_c128(m, n, p->sums, c, ldc);
    else store_columns_c64(m, n, p->sums, c, ldc);
    return;
  }
}
