// The one way from the portable engine to fast kernels: a struct of function pointers, filled by
// kernels/simd or by tests. A NULL member means "no such kernel here".
#ifndef HLO_KERNELS_BACKEND_H
#define HLO_KERNELS_BACKEND_H

#include "kernels/target.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum hlo_combine_op {
  HLO_COMBINE_ADD,
  HLO_COMBINE_MULTIPLY,
  HLO_COMBINE_MAXIMUM, // NaN wins, and -0 < +0
  HLO_COMBINE_MINIMUM,
} hlo_combine_op;

enum {
  HLO_MOST_EXACT_PRODUCTS = 1024,
  HLO_PACKED_COLUMNS = 8, // that packing puts together: n columns from a multiple of it on are
                          // packed as they are by themselves
  HLO_THIN_ROWS = 6,      // up to which the right matrix is not packed
};

// All sums below are blocked (math/long_sums.h), so that errors do not grow with their length,
// except where XLA's bits are required.

// Products of blocks of rows of A with one packed B: for each block, row i < m and column j < n,
// c[block][i * ldc + j] = sum over segments s and l < length of
// a[block][i * lda + offsets[s] + l] * B[s * length + l][j]. A convolution without its padding.
// With `column` it is c[block][i * ldc + column + j].
typedef struct hlo_segmented_product {
  int64_t blocks;
  const void *const *a;
  void *const *c;
  int64_t m, n, lda, ldc, column;
  int64_t segments, length;
  const int64_t *offsets;
  const void *packed; // by `pack`
  bool exact; // each product is added with one rounding; numbers are in the normal range, products
              // not too many
} hlo_segmented_product;

// The same where each column has a row of A for itself, as in depthwise convolution:
// c[block][i * ldc + j] = sum over segments s of a[block][i * lda + offsets[s] + j] *
// b[s * ldb + j].
typedef struct hlo_depthwise_product {
  int64_t blocks;
  const void *const *a;
  void *const *c;
  int64_t m, n, lda, ldb, ldc;
  int64_t segments;
  const int64_t *offsets;
  const void *b;
  bool exact;
} hlo_depthwise_product;

// Convolutions of one type of elements.
typedef struct hlo_convolution_kernels {
  // Packs B for `segments`: pack_size(n, k) bytes, 64-aligned.
  int64_t (*pack_size)(int64_t n, int64_t k);
  void (*pack)(int64_t n, int64_t k, const void *b, int64_t ldb, void *packed);
  void (*segments)(const hlo_segmented_product *product);
  void (*depthwise)(const hlo_depthwise_product *product); // NULL for pairs
} hlo_convolution_kernels;

// An elementwise epilogue, run on tiles of the result while they are in cache. `run` covers each
// element once, in rows and columns of the result as a matrix; the widths of tiles are multiples of
// 32 columns except at the right edge.
typedef struct hlo_epilogue {
  void (*run)(void *data, int64_t row, int64_t row_end, int64_t column, int64_t column_end);
  void *data;
  int64_t first_row; // that of the product at hand, where there are several below each other
  bool whole_rows;   // all columns of a row are wanted at once
} hlo_epilogue;

// c[m][n] = sum over k of a[m][k] * b[k][n], all row-major with row strides in elements (lda >= k,
// ldb >= n, ldc >= n). m, n, k >= 0; k = 0 stores zeros. scratch is 64-aligned. The epilogue may be
// NULL; with one, ldc is n, and there is one thread. With m more than HLO_THIN_ROWS, n at least
// HLO_PACKED_COLUMNS and k > 0 there are two other forms of b: ldb = 0, by pack_blocks_f32; and
// ldb < 0, floats that lie transposed, element [k][n] at k - n * ldb.
typedef void hlo_backend_dot(int64_t m, int64_t n, int64_t k, const void *a, int64_t lda,
                             const void *b, int64_t ldb, void *c, int64_t ldc, void *scratch,
                             const hlo_epilogue *epilogue);

// A dot kernel, NULL if there is none, and its scratch memory in bytes for that n and k.
typedef struct hlo_backend_gemm {
  int64_t (*scratch)(int64_t n, int64_t k);
  hlo_backend_dot *dot;
} hlo_backend_gemm;

// Runs one part of some work. Parts run in any order and concurrently, on the threads
// 0 … hlo_backend_threads - 1. They allocate nothing and never access memory that another part
// writes. The number of parts must not affect the results.
typedef void hlo_part(void *work, int32_t part, int32_t thread);

typedef struct hlo_backend {
  const char *name;  // "simd", "relaxed-simd", …
  hlo_target target; // of code made at run time for hosts of this build
  // Runs the parts of some work and returns when all are done. Nested calls run on the calling
  // thread.
  void (*parallel)(hlo_part *part, void *work, int32_t parts);
  // The number of parts worth splitting work on `count` items into that takes one thread about
  // `nanoseconds`. 1 with one thread.
  int32_t (*parts)(int64_t count, double nanoseconds);
  int32_t (*threads)(void);
  // Whether parts may call functions that the host has added to the program.
  bool (*threads_know_functions)(void);
  // Dots and convolutions with fewer multiply-adds are left to the portable kernels, which have
  // XLA's bits (dot_kernel.h); not convolutions whose kernels use fused multiply-adds: because the
  // host fuses, or because they are asked to and all values are in the normal range.
  int64_t small_dot, small_convolution;
  // Images with fewer features are padded as a whole copy: splitting off the borders of a 64x64
  // image takes 1.16 times as long with one feature, 1.06 with three, 1.02 with eight.
  int64_t few_features;
  bool (*are_in_range_f32)(int64_t count, const float *numbers);
  // By type of the sums. dot_pairs: an element of a or b is two s16 along k, the first in the low
  // half, their product a[0] b[0] + a[1] b[1], and c is s32. dot_bytes: of s8, c is s32, where the
  // host is fast at it. Integers wrap.
  hlo_backend_gemm dot_f32, dot_f64, dot_u32, dot_u64, dot_pairs, dot_bytes;
  bool (*multiplies_bytes)(void);
  // Packs B for dot_f32: pack_f32_size(n, k) bytes, 64-aligned.
  int64_t (*pack_f32_size)(int64_t n, int64_t k);
  void (*pack_blocks_f32)(int64_t n, int64_t k, const float *b, int64_t ldb, void *packed);
  // Of f32; of f64; of 32-bit integers, which wrap; of pairs as dot_pairs has them. NULL: none.
  const hlo_convolution_kernels *convolution_f32, *convolution_f64, *convolution_u32,
      *convolution_pairs;
  // to[i] = *running combined with from[0 … i], or backwards with from[i … n - 1]; sums and
  // products in any order. *running becomes the combination with all. from and to may be the same.
  void (*scan_f32)(hlo_combine_op op, bool backwards, int64_t n, const float *from, float *to,
                   double *running);
} hlo_backend;

// The same for any backend, NULL included.
static inline void hlo_backend_parallel(const hlo_backend *backend, hlo_part *part, void *work,
                                        int32_t parts) {
  if (parts > 1) backend->parallel(part, work, parts);
  else part(work, 0, 0);
}
static inline int32_t hlo_backend_parts(const hlo_backend *backend, int64_t count,
                                        double nanoseconds) {
  return backend == NULL || backend->parts == NULL ? 1 : backend->parts(count, nanoseconds);
}
static inline int32_t hlo_backend_threads(const hlo_backend *backend) {
  return backend == NULL || backend->threads == NULL ? 1 : backend->threads();
}

#endif
