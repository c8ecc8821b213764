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

// How an operation is evaluated (operations.def): what each element of its result is, or all of its
// results.
typedef hlo_scalar hlo_element_function(const hlo_operation *x, const int64_t *at);
typedef hlo_status hlo_operation_function(const hlo_operation *x, hlo_error *error);
hlo_element_function hlo_reference_pointwise; // any that has a row in ops.def's value columns
#define ELEMENT(opcode, name) hlo_element_function hlo_reference_##name;
#define ARRAY(opcode, name)   hlo_operation_function hlo_reference_##name;
#include "reference/operations.def"

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

// Whether there is a function for the operation on arrays.
bool hlo_reference_has_arrays(hlo_opcode opcode);

// --- elements ---
// The row of ops.def for numbers of a type.
hlo_scalar hlo_reference_value(hlo_opcode opcode, hlo_type type, const hlo_number *operands,
                               hlo_type result_type);
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
// Copies bits; `to` is as large or larger.
void hlo_reference_copy(const hlo_view *to, const hlo_view *from);

#endif
