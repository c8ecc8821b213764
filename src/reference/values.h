// Values: memory for them, copies, and other layouts; and the functions of instructions that work
// on values as a whole.
#ifndef HLO_REFERENCE_VALUES_H
#define HLO_REFERENCE_VALUES_H

#include "reference/operation.h"
#include "shape/literal.h"

// The value itself where it is laid out as the shape says, else a copy.
hlo_status hlo_value_as(hlo_arena *arena, const hlo_value *value, const hlo_shape *shape,
                        hlo_value *out, hlo_error *error);
hlo_status hlo_value_of_literal(hlo_arena *arena, const hlo_literal *literal, hlo_value *out,
                                hlo_error *error);
// Views of the arrays and tokens of a value in order, tuples flattened; of a token the type alone.
// Returns how many. out may be NULL.
int32_t hlo_value_views(const hlo_value *value, hlo_view *out);

// An instruction at work on values as a whole: structure, control flow, devices.
struct hlo_value_operation {
  const hlo_reference *reference;
  const hlo_instruction *instruction;
  const hlo_value *operands;
  hlo_value *result;
};

// Creates the result, and views of the leaves of the operands and then of the result.
hlo_status hlo_value_operation_begin(const hlo_value_operation *x, int32_t *operands,
                                     int32_t *results, hlo_view **views, hlo_error *error);
// The result is that value, in the instruction's layout.
hlo_status hlo_value_operation_end(const hlo_value_operation *x, const hlo_value *value,
                                   hlo_error *error);
// Of what begins something that another instruction finishes: a tuple of its operands, the
// results, and contexts that nobody looks at.
hlo_status hlo_reference_start(const hlo_value_operation *x, const hlo_value *outcome,
                               hlo_error *error);
// An instruction on arrays whose sizes are known only at run time.
hlo_value_function hlo_reference_evaluate_sized;

#endif
