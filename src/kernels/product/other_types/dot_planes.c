// See dot_planes.h.
#include "kernels/product/other_types/dot_planes.h"

#include "base/checked.h"

#define DEFINE(real, suffix)                                                                       \
  static void rows_of_a_##suffix(int64_t m, int64_t k, const real *a, int64_t lda, bool imaginary, \
                                 real *to) {                                                       \
    for (int64_t i = 0; i < m; i++, a += 2 * lda, to += 2 * k) {                                   \
      for (int64_t j = 0; j < k; j++) {                                                            \
        real re = a[2 * j], im = a[2 * j + 1];                                                     \
        to[j] = imaginary ? im : re;                                                               \
        to[k + j] = imaginary ? re : -im;                                                          \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void rows_of_b_##suffix(int64_t k, int64_t n, const real *b, int64_t ldb, real *to) {     \
    for (int64_t i = 0; i < k; i++, b += 2 * ldb, to += n) {                                       \
      for (int64_t j = 0; j < n; j++) {                                                            \
        to[j] = b[2 * j];                                                                          \
        to[k * n + j] = b[2 * j + 1];                                                              \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void store_##suffix(int64_t m, int64_t n, const real *from, bool imaginary, real *c,      \
                             int64_t ldc) {                                                        \
    for (int64_t i = 0; i < m; i++, c += 2 * ldc, from += n) {                                     \
      for (int64_t j = 0; j < n; j++) c[2 * j + imaginary] = from[j];                              \
    }                                                                                              \
  }
DEFINE(float, c64)
DEFINE(double, c128)

hlo_status hlo_planes_init(const hlo_evaluator *evaluator, bool is_wide, int64_t m, int64_t n,
                           int64_t k, hlo_planes *out, hlo_error *error) {
  size_t size = is_wide ? sizeof(double) : sizeof(float);
  int64_t mk, kn, mn;
  out->is_wide = is_wide;
  if (!hlo_checked_mul(m, 2 * k, &mk) || !hlo_checked_mul(2 * k, n, &kn) ||
      !hlo_checked_mul(m, n, &mn)) {
    return hlo_fail_out_of_memory(error);
  }
  out->a = hlo_arena_array_raw(evaluator->scratch, (size_t)mk, size);
  out->b = hlo_arena_array_raw(evaluator->scratch, (size_t)kn, size);
  out->c = hlo_arena_array_raw(evaluator->scratch, (size_t)mn, size);
  if (out->a == NULL || out->b == NULL || out->c == NULL) return hlo_fail_out_of_memory(error);
  return hlo_matrix_product_init(evaluator, is_wide ? HLO_F64 : HLO_F32, false, n, 2 * k,
                                 &out->product, error);
}

void hlo_planes_run(const hlo_planes *p, int64_t m, int64_t n, int64_t k, const void *a,
                    int64_t lda, const void *b, int64_t ldb, void *c, int64_t ldc) {
  if (p->is_wide) rows_of_b_c128(k, n, b, ldb, p->b);
  else rows_of_b_c64(k, n, b, ldb, p->b);
  for (int part = 0; part < 2; part++) {
    bool imaginary = part == 1;
    if (p->is_wide) rows_of_a_c128(m, k, a, lda, imaginary, p->a);
    else rows_of_a_c64(m, k, a, lda, imaginary, p->a);
    hlo_matrix_product_run(&p->product, m, n, 2 * k, p->a, 2 * k, p->b, n, p->c, n);
    if (p->is_wide) store_c128(m, n, p->c, imaginary, c, ldc);
    else store_c64(m, n, p->c, imaginary, c, ldc);
  }
}
