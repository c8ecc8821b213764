// XlaBuilder's way of making programs: each call checks, infers the shape and appends an
// instruction. Binary and ternary elementwise ops broadcast as the "Broadcasting" page says:
// scalars always, lower rank through broadcast_dimensions, size-1 (degenerate) dimensions, and
// their composition; all become explicit broadcast and reshape instructions.
#ifndef HLO_HLO_BUILDER_H
#define HLO_HLO_BUILDER_H

#include "hlo/hlo.h"

// Any op: operands explicit, no broadcasting. declared may be NULL when the shape can be inferred.
// It is stored as it is: it must live in the module's arena, or be static. On error nothing is
// appended.
hlo_status hlo_build(hlo_computation *computation, hlo_opcode opcode, const hlo_shape *declared,
                     int32_t operand_count, hlo_instruction *const *operands,
                     int32_t attribute_count, const hlo_attribute *attributes,
                     hlo_instruction **out, hlo_error *error);
// Elementwise with broadcasting. broadcast_dimensions maps the dimensions of the lower-rank
// operands to the result's (strictly increasing; count = their rank); count 0 when ranks agree or
// an operand is scalar. On error nothing is appended, but when memory runs out.
hlo_status hlo_build_elementwise(hlo_computation *computation, hlo_opcode opcode,
                                 int32_t operand_count, hlo_instruction *const *operands,
                                 int32_t broadcast_count, const int64_t *broadcast_dimensions,
                                 int32_t attribute_count, const hlo_attribute *attributes,
                                 hlo_instruction **out, hlo_error *error);
hlo_status hlo_build_parameter(hlo_computation *computation, int64_t number, const hlo_shape *shape,
                               const char *name, hlo_instruction **out, hlo_error *error);
// The literal is copied into the module's arena.
hlo_status hlo_build_constant(hlo_computation *computation, const hlo_literal *literal,
                              hlo_instruction **out, hlo_error *error);
hlo_status hlo_build_reshape(hlo_computation *computation, hlo_instruction *operand, int32_t rank,
                             const int64_t *dims, hlo_instruction **out, hlo_error *error);
// A new computation: a binary operation on two scalars of a type.
hlo_status hlo_build_reducer(hlo_module *module, hlo_opcode opcode, hlo_type type,
                             hlo_computation **out, hlo_error *error);
// Sets the root (the last instruction by default), collects parameters.
hlo_status hlo_build_finish(hlo_computation *computation, hlo_instruction *root, hlo_error *error);

#endif
