// Values: memory for them, copies, and other layouts; and the functions of instructions that work
// on values as a whole.
#ifndef HLO_REFERENCE_VALUES_H
#define HLO_REFERENCE_VALUES_H

#include "reference/reference.h"
#include "shape/literal.h"

// Sizes of now, at most those of the shape, and which of them are dynamic.
hlo_status hlo_value_set_sizes(hlo_arena *arena, hlo_value *value, const int64_t *sizes,
                               const bool *dynamic, hlo_error *error);
bool hlo_value_is_sized(const hlo_value *value);
// A copy in memory of its own, laid out as the shape says.
hlo_status hlo_value_copy(hlo_arena *arena, const hlo_value *value, const hlo_shape *shape,
                          hlo_value *out, hlo_error *error);
// The value itself where it is laid out as the shape says, else a copy.
hlo_status hlo_value_as(hlo_arena *arena, const hlo_value *value, const hlo_shape *shape,
                        hlo_value *out, hlo_error *error);
hlo_status hlo_value_of_literal(hlo_arena *arena, const hlo_literal *literal, hlo_value *out,
                                hlo_error *error);
// Arrays and tokens of a value in order, tuples flattened; returns how many. out may be NULL.
int32_t hlo_value_leaves(const hlo_value *value, const hlo_value **out);
// Of a leaf that is no array: the type alone.
void hlo_value_view_leaf(const hlo_value *leaf, hlo_view *out);

// An instruction that works on values: structure, control flow, devices. NULL: it works on arrays.
typedef hlo_status hlo_value_function(const hlo_reference *reference,
                                      const hlo_instruction *instruction, const hlo_value *operands,
                                      hlo_value *result, hlo_error *error);
hlo_value_function *hlo_reference_control_function(hlo_opcode opcode);
hlo_value_function *hlo_reference_device_function(hlo_opcode opcode);

// Any instruction but a parameter.
hlo_value_function hlo_reference_evaluate_value;
// An instruction on arrays, from values to a value; whatever the sizes are.
hlo_status hlo_reference_evaluate_values(const hlo_reference *reference,
                                         const hlo_instruction *instruction,
                                         const hlo_value *operands, hlo_value *result,
                                         hlo_error *error);
// The same where sizes are known only at run time.
hlo_status hlo_reference_evaluate_sized(const hlo_reference *reference,
                                        const hlo_instruction *instruction,
                                        const hlo_value *operands, hlo_value *result,
                                        hlo_error *error);

#endif
