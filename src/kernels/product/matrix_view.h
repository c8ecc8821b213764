// An operand or the result of a contraction as a matrix whose rows and columns may each collapse
// several dimensions. Converts between arrays of any layout and type and the dense row-major
// matrices of the kernels.
#ifndef HLO_KERNELS_PRODUCT_MATRIX_VIEW_H
#define HLO_KERNELS_PRODUCT_MATRIX_VIEW_H

#include "kernels/eval.h"

typedef struct hlo_matrix_view {
  const hlo_evaluator *evaluator;
  hlo_view view;    // row dimensions, then column dimensions
  int32_t row_rank; // how many of them are rows
  int64_t rows, columns;
  hlo_type work_type;
  bool plain;          // rows are evenly spaced in memory, columns adjacent
  bool dense;          // plain and of work_type: kernels use the array in place
  bool packed;         // the array holds GEMM panels
  bool in_blocks;      // the product converts it block by block, if only its type differs
  int64_t view_stride; // between rows there
  int64_t row_stride;  // between rows as kernels see them
  void *same_type;     // unless plain, dense memory for it: of its own type
  void *converted;     // unless dense, of work_type (the same memory if the types agree)
} hlo_matrix_view;

// Collapses dimensions of the view into one of the given *size and *stride. False if its elements
// are not evenly spaced.
bool hlo_as_one_dimension(const hlo_view *view, int32_t first, int32_t count, int64_t *size,
                          int64_t *stride);

// Appends `count` dimensions of `from` to those of the matrix.
void hlo_matrix_view_append(hlo_matrix_view *matrix, const hlo_view *from, int32_t count,
                            const int64_t *dimensions);
// Once view, row_rank, work_type, packed and in_blocks are set, works out the rest, and whether
// in_blocks holds. Scratch memory of the evaluator; fails if there is none.
hlo_status hlo_matrix_view_prepare(const hlo_evaluator *evaluator, hlo_matrix_view *matrix,
                                   hlo_error *error);

// The matrix whose elements start at data, as rows of its own type, *stride elements apart.
const void *hlo_matrix_view_rows(hlo_matrix_view *matrix, void *data, int64_t *stride);
// The same as kernels want it, row_stride elements apart; as it is if it is in_blocks.
const void *hlo_matrix_view_load(hlo_matrix_view *matrix, void *data);
// Brings what a kernel wrote, into memory at data if the matrix is dense, else at `converted`, to
// data.
void hlo_matrix_view_store(hlo_matrix_view *matrix, void *data);

#endif
