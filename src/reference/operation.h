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
typedef struct hlo_value_operation hlo_value_operation; // values.h

// How an operation is evaluated: what each element of its result is; all of its results; and where
// there is a function of values, which goes before these, values as a whole.
typedef hlo_scalar hlo_element_function(const hlo_operation *x, const int64_t *at);
typedef hlo_status hlo_array_function(const hlo_operation *x, hlo_error *error);
typedef hlo_status hlo_value_function(const hlo_value_operation *x, hlo_error *error);
typedef struct hlo_functions {
  hlo_element_function *element;
  hlo_array_function *array;
  hlo_value_function *value;
} hlo_functions;
const hlo_functions *hlo_reference_functions(hlo_opcode opcode);

#define ROW(opcode, kind, name) hlo_##kind##_function hlo_reference_##name;
#include "reference/operations.def"
#undef ROW
hlo_element_function hlo_reference_pointwise;

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
