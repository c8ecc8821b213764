// The one way from the portable engine to fast kernels: a struct of function pointers, filled by
// wasm/ (SIMD kernels) or by tests. A NULL member means "no such kernel here".
#ifndef HLO_EVAL_BACKEND_H
#define HLO_EVAL_BACKEND_H

#include <stdint.h>

typedef struct hlo_backend {
  const char *name; // "simd128", "relaxed-simd", …
  // c[m][n] = sum over k of a[m][k] * b[k][n], all row-major with row strides in elements (lda >=
  // k, ldb >= n, ldc >= n). m, n, k >= 0; k = 0 stores zeros. scratch: dot_f32_scratch(n, k) bytes,
  // 64-aligned.
  int64_t (*dot_f32_scratch)(int64_t n, int64_t k);
  void (*dot_f32)(int64_t m, int64_t n, int64_t k, const float *a, int64_t lda, const float *b,
                  int64_t ldb, float *c, int64_t ldc, void *scratch);
} hlo_backend;

#endif
