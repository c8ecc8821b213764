// Matrix products, portable. Sums run over ascending k and have the bits of XLA's CPU backend where
// that sums small products: of f32 and f64 each product is added with one rounding (a fused
// multiply-add; dot_kernel_fused.c where the host has it). f64 and 64-bit integers see
// dot_kernel_wide.c, complex numbers dot_kernel_complex.c.
#include "kernels/product/dot_tiles.h"

// The product is exact in f64; the sum is rounded to f64 and then to f32, which differs from one
// rounding only where the first hits the middle of two f32.
#define ADD_PRODUCT_F32(sum, a, b) (sum) = (float)((double)(a) * (double)(b) + (sum))
#define ITSELF(sum)                (sum)

DEFINE_KERNEL(f32_tiles, float, float, ADD_PRODUCT_F32, ITSELF)
DEFINE_KERNEL(u32, uint32_t, uint32_t, ADD_PRODUCT, ITSELF)

// --- few rows of f32: sums stay in registers, as f64 that are f32 ---

typedef float two_f32 __attribute__((vector_size(8)));
typedef double two_f64 __attribute__((vector_size(16)));
enum { PAIRS = 8 }; // of columns

static void row_of_pairs(int64_t k, const float *a, const float *b, int64_t ldb, float *c) {
  two_f64 sums[PAIRS] = {0};
  for (int64_t p = 0; p < k; p++) {
    double x = a[p];
    _Pragma("unroll") for (int j = 0; j < PAIRS; j++) {
      two_f32 y, sum;
      memcpy(&y, b + p * ldb + 2 * j, sizeof y);
      sum = __builtin_convertvector(x * __builtin_convertvector(y, two_f64) + sums[j], two_f32);
      sums[j] = __builtin_convertvector(sum, two_f64);
    }
  }
  _Pragma("unroll") for (int j = 0; j < PAIRS; j++) {
    two_f32 sum = __builtin_convertvector(sums[j], two_f32);
    memcpy(c + 2 * j, &sum, sizeof sum);
  }
}

// The last tile of columns overlaps the one before it.
static void dot_f32(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda, const void *b,
                    int64_t ldb, void *c, int64_t ldc) {
  const float *x = a, *y = b;
  float *to = c;
  if (hlo_dot_f32_fused(m, n, k, x, lda, y, ldb, to, ldc)) return;
  if (m >= ROWS || n < 2 * PAIRS) {
    dot_f32_tiles(m, n, k, a, lda, b, ldb, c, ldc);
    return;
  }
  for (int64_t i = 0; i < m; i++) {
    for (int64_t column = 0; column < n; column += 2 * PAIRS) {
      int64_t j = column + 2 * PAIRS < n ? column : n - 2 * PAIRS;
      row_of_pairs(k, x + i * lda, y + j, ldb, to + i * ldc + j);
    }
  }
}

hlo_type hlo_dot_work_type(hlo_type lhs, hlo_type rhs, hlo_type result) {
  const hlo_type types[3] = {lhs, rhs, result};
  bool is_complex = false, is_float = false, is_wide = false;
  for (int i = 0; i < 3; i++) {
    is_complex = is_complex || hlo_type_is_complex(types[i]);
    is_float = is_float || hlo_type_is_float(types[i]);
    is_wide = is_wide || types[i] == HLO_F64 || types[i] == HLO_C128;
  }
  if (is_complex) return is_wide ? HLO_C128 : HLO_C64;
  if (is_float) return is_wide ? HLO_F64 : HLO_F32;
  return hlo_type_bits(result) == 64 ? HLO_U64 : HLO_U32;
}

hlo_dot_kernel *hlo_dot_kernel_get(hlo_type work_type) {
  switch (work_type) {
  case HLO_F32:
    return dot_f32;
  case HLO_F64:
    return hlo_dot_f64;
  case HLO_U32:
    return dot_u32;
  case HLO_U64:
    return hlo_dot_u64;
  case HLO_C64:
    return hlo_dot_c64;
  case HLO_C128:
    return hlo_dot_c128;
  default:
    return NULL;
  }
}
