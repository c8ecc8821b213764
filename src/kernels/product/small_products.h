// Batches of small matrices in every type: so many at a time that they stay in the first cache are
// brought to the type of the sums, multiplied, and taken to their places, each step only where it
// is needed.
#ifndef HLO_KERNELS_PRODUCT_SMALL_PRODUCTS_H
#define HLO_KERNELS_PRODUCT_SMALL_PRODUCTS_H

#include "kernels/eval.h"
#include "kernels/machine.h"
#include "kernels/product/contraction.h"

enum { HLO_SMALL_VECTOR = 4, HLO_SMALL_PANEL = 8 };

// Matrices of one array: the first one, its strides, and the distance of consecutive ones.
typedef struct hlo_small_matrices {
  void *first;
  int64_t row_stride, column_stride, step;
} hlo_small_matrices;

// One array of a batch of products.
typedef struct hlo_small_array {
  hlo_small_matrices matrices; // as they lie, or in a copy
  bool is_copied;              // to rows, since they lie otherwise
  bool is_converted;           // to the type of the sums
} hlo_small_array;

typedef struct hlo_small_batch {
  hlo_small_array a, b, c;
  bool turns_b; // rows of right matrices are put together: they lie otherwise, or are complex
} hlo_small_batch;

// Whether a batch is to go this way. False if matrices of an array are not evenly spaced.
bool hlo_small_batch_match(const hlo_contraction *contraction, hlo_small_batch *out);
// Bytes of scratch memory of a thread.
int64_t hlo_small_batch_scratch(const hlo_contraction *contraction);
// So many products from that one on. Sums run over ascending terms, of more than four products with
// a vector every fourth one by itself; products are added as the host does best.
void hlo_small_batch_run(const hlo_small_batch *batch, const hlo_contraction *contraction,
                         const void *a, const void *b, void *c, int64_t first, int64_t count,
                         void *scratch);

// --- for each type of real sums: small_kernels.h ---

// c = a b for each; right matrices of more than one column and results lie in rows.
typedef void hlo_multiply_small(int64_t count, int64_t m, int64_t n, int64_t k,
                                const hlo_small_matrices *a, const hlo_small_matrices *b,
                                const hlo_small_matrices *c);
// The matrices as rows, one after the other.
typedef void hlo_copy_small(int64_t count, int64_t rows, int64_t columns,
                            const hlo_small_matrices *from, void *to);
hlo_multiply_small hlo_small_products_f32, hlo_small_products_f64, hlo_small_products_u32,
    hlo_small_products_u64;
hlo_copy_small hlo_small_rows_f32, hlo_small_rows_f64, hlo_small_rows_u32, hlo_small_rows_u64;
// The same of complex matrices, strides in complex numbers, so that real products give complex
// ones: for a row (…, re + i im, …) the rows (…, re, im, …) and (…, -im, re, …).
hlo_copy_small hlo_small_complex_rows_f32, hlo_small_complex_rows_f64, hlo_small_complex_rows_u32,
    hlo_small_complex_rows_u64;

#endif
