// A contraction: c[batch, row, column] = sum over terms of a[batch, row, term] b[batch, term,
// column]. What dot and its relatives compute, as loops over the elements of three arrays, whatever
// their dimensions are called and however they are laid out. strategies.h says how it is carried
// out.
#ifndef HLO_KERNELS_PRODUCT_CONTRACTION_H
#define HLO_KERNELS_PRODUCT_CONTRACTION_H

#include "hlo/hlo.h"
#include "shape/view.h"

// Groups of loops, and arrays.
enum { HLO_BATCHES, HLO_ROWS, HLO_COLUMNS, HLO_TERMS, HLO_LOOP_GROUPS };
enum { HLO_LEFT, HLO_RIGHT, HLO_PRODUCT, HLO_CONTRACTION_ARRAYS };
enum { HLO_CONTRACTION_LOOPS = 2 * HLO_MAX_RANK };

// A loop's trip count, and its strides in the arrays, in elements; 0 where it does not occur.
typedef struct hlo_contraction_loop {
  int64_t size, strides[HLO_CONTRACTION_ARRAYS];
} hlo_contraction_loop;

typedef struct hlo_contraction {
  // Signed integers as wide as the sums, which wrap, count as unsigned.
  hlo_type types[HLO_CONTRACTION_ARRAYS], work_type; // of the elements; of the sums
  union {
    struct {
      int64_t batches, m, n, k;
    };
    int64_t sizes[HLO_LOOP_GROUPS]; // trip counts of all loops of a group
  };
  bool is_swapped;                     // a is operand 1: the transposed product is computed
  const void *constants[2];            // the elements of a and b if they are constants, else NULL
  int32_t starts[HLO_LOOP_GROUPS + 1]; // the loops of group g: from starts[g] to starts[g + 1]
  // Without those of size 1; adjacent ones of a group are one where all strides allow it. Last,
  // since copies leave out what is not used.
  hlo_contraction_loop loops[HLO_CONTRACTION_LOOPS];
} hlo_contraction;

// Of an instruction with the dimension numbers of a dot. The views' memory does not count.
void hlo_contraction_describe(const hlo_instruction *instruction, const hlo_view *lhs,
                              const hlo_view *rhs, const hlo_view *result, hlo_contraction *out);
// The transposed product: a and b, rows and columns change places.
void hlo_contraction_swap(hlo_contraction *contraction);
// Whether the loops of the group are evenly spaced in the array, and how: *stride is 1 if there are
// none.
bool hlo_contraction_is_even(const hlo_contraction *contraction, int32_t group, int32_t array,
                             int64_t *stride);
// Where one entry of the batch begins in the array, in elements.
int64_t hlo_contraction_offset(const hlo_contraction *contraction, int32_t array, int64_t batch);
// The loops of these groups as dimensions of the array at data.
void hlo_contraction_view(const hlo_contraction *contraction, int32_t array, int32_t group_count,
                          const int32_t *groups, const void *data, hlo_view *out);
// Elements of an array.
int64_t hlo_contraction_elements(const hlo_contraction *contraction, int32_t array);

#endif
