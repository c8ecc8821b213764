// One instruction at work, and what the functions of the operations share.
#ifndef HLO_REFERENCE_OPERATION_H
#define HLO_REFERENCE_OPERATION_H

#include "reference/index.h"
#include "reference/reference.h"

typedef struct hlo_operation {
  const hlo_reference *reference;
  const hlo_instruction *instruction;
  const hlo_view *operands, *results;
} hlo_operation;

typedef hlo_status hlo_operation_function(const hlo_operation *x, hlo_error *error);

// A list of integers that is an attribute.
typedef struct hlo_int_list {
  int32_t count;
  const int64_t *ints;
} hlo_int_list;
static inline hlo_int_list hlo_int_list_of(const hlo_instruction *instruction,
                                           hlo_attribute_id id) {
  hlo_int_list list;
  list.ints = hlo_get_ints(instruction, id, &list.count);
  return list;
}

// Of an operation on arrays; NULL: it is none.
hlo_operation_function *hlo_reference_array_function(hlo_opcode opcode);

// --- elements ---
// An operation that makes each element of its result from the operands' elements at the same place.
typedef hlo_scalar hlo_scalar_function(const hlo_instruction *instruction,
                                       const hlo_scalar *operands);
hlo_scalar_function *hlo_reference_scalar_function(hlo_opcode opcode); // NULL: it is none
hlo_number hlo_reference_pointwise(hlo_opcode opcode, hlo_type type, const hlo_number *operands);
// Position of floats in IEEE 754's total order (-NaN, -inf, …, -0, +0, …, inf, NaN), of others in
// theirs: less than 0, 0 or more, as a is below, at or above b.
int hlo_reference_total_order(hlo_scalar a, hlo_scalar b);

// Applies a computation of scalars: arguments for its parameters, results for the leaves of its
// root.
hlo_status hlo_reference_apply(const hlo_reference *reference, const hlo_computation *computation,
                               const hlo_scalar *arguments, hlo_scalar *results, hlo_error *error);

// A dense array in scratch memory with zeros for elements.
hlo_status hlo_reference_scratch(const hlo_reference *reference, hlo_type type, int32_t rank,
                                 const int64_t *dims, hlo_view *out, hlo_error *error);
// Copies bits; both have the same dims and element size.
void hlo_reference_copy(const hlo_view *to, const hlo_view *from);
void hlo_reference_fill(const hlo_view *to, hlo_scalar scalar);

// --- the functions, by file ---
hlo_operation_function hlo_reference_elementwise, hlo_reference_map;
hlo_operation_function hlo_reference_copy_array, hlo_reference_bitcast, hlo_reference_reshape,
    hlo_reference_bitcast_convert, hlo_reference_broadcast, hlo_reference_transpose,
    hlo_reference_slice, hlo_reference_concatenate, hlo_reference_pad, hlo_reference_reverse,
    hlo_reference_iota;
hlo_operation_function hlo_reference_dynamic_slice, hlo_reference_dynamic_update_slice,
    hlo_reference_gather, hlo_reference_scatter;
hlo_operation_function hlo_reference_dot, hlo_reference_scaled_dot, hlo_reference_convolution;
hlo_operation_function hlo_reference_reduce, hlo_reference_reduce_window,
    hlo_reference_select_and_scatter;
hlo_operation_function hlo_reference_sort, hlo_reference_topk;
hlo_operation_function hlo_reference_cholesky, hlo_reference_triangular_solve, hlo_reference_fft;
hlo_operation_function hlo_reference_batch_norm_training, hlo_reference_batch_norm_inference,
    hlo_reference_batch_norm_grad;
hlo_operation_function hlo_reference_rng, hlo_reference_rng_bit_generator,
    hlo_reference_rng_get_and_update_state;
hlo_operation_function hlo_reference_get_dimension_size;

#endif
