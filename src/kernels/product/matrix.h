// One array of a contraction as matrices, one for each entry of the batch: between elements of any
// layout and type and the dense row-major matrices of the kernels. How a matrix lies is known when
// the contraction is planned; memory for a copy is taken when it runs.
#ifndef HLO_KERNELS_PRODUCT_MATRIX_H
#define HLO_KERNELS_PRODUCT_MATRIX_H

#include "kernels/eval.h"
#include "kernels/product/contraction.h"

typedef struct hlo_matrix {
  int32_t array, groups[2]; // of the contraction: of its loops, rows and columns
  int64_t rows, columns;
  hlo_type type, work_type; // in memory; as kernels see it
  bool is_plain;            // rows are evenly spaced in memory, columns adjacent
  bool is_turned;           // columns are evenly spaced in memory, rows adjacent
  bool is_dense;            // kernels use the array in place
  bool is_packed;           // the array holds GEMM panels
  int64_t stride;           // between rows, or columns if it is turned, in memory
  int64_t row_stride;       // between rows as kernels see them
} hlo_matrix;

// How the array lies; kernels see it in the work type.
void hlo_matrix_describe(const hlo_contraction *contraction, int32_t array, hlo_type work_type,
                         hlo_matrix *out);

// hlo_convert_lanes, of floats of one byte by a table of their values where that takes less.
void hlo_widen_lanes(hlo_type to, void *result, hlo_type from, const void *operand, int64_t n);

// A matrix, and scratch memory for a copy of it unless it is dense.
typedef struct hlo_matrix_copy {
  const hlo_contraction *contraction;
  const hlo_evaluator *evaluator;
  const hlo_matrix *matrix;
  void *same_type; // unless plain: dense, of its own type
  void *converted; // unless dense: of work_type (the same memory if the types agree)
} hlo_matrix_copy;

hlo_status hlo_matrix_copy_init(const hlo_contraction *contraction, const hlo_evaluator *evaluator,
                                const hlo_matrix *matrix, hlo_matrix_copy *out, hlo_error *error);
// The matrix whose elements start at data, as rows of its own type, *stride elements apart.
const void *hlo_matrix_rows(const hlo_matrix_copy *copy, const void *data, int64_t *stride);
// The same as kernels want it, row_stride elements apart.
const void *hlo_matrix_load(const hlo_matrix_copy *copy, const void *data);
// Brings what a kernel wrote, to data if the matrix is dense, else to `converted`, to data.
void hlo_matrix_store(const hlo_matrix_copy *copy, void *data);

#endif
