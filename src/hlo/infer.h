// Shape inference and verification. Must not know about text or evaluation.
#ifndef HLO_HLO_INFER_H
#define HLO_HLO_INFER_H

#include "hlo/hlo.h"

// Works out the shape of an instruction from its operands' shapes and attributes, checking every
// documented constraint (errors: HLO_SHAPE_ERROR, naming the instruction and both shapes).
// `declared` is the shape that the program states, or NULL. Ops whose result the operands do not
// determine (reshape, broadcast, iota, convert, bitcast-convert, parameter, constant, custom-call
// …) need it and return it (with element type and dims checked). Layout: the inferred shape has the
// default layout unless it is `declared`.
hlo_status hlo_infer_shape(const hlo_instruction *instruction, const hlo_shape *declared,
                           hlo_arena *arena, const hlo_shape **out, hlo_error *error);

// One function per structural op with an infer hook; declared for the table in opcode expansion.
typedef hlo_status hlo_infer_function(const hlo_instruction *instruction, const hlo_shape *declared,
                                      hlo_arena *arena, const hlo_shape **out, hlo_error *error);

// Checks a whole module: operands defined before use and in the same computation, operand counts,
// attributes allowed / required, inferred shapes compatible with the declared ones, computations
// called with fitting parameters, acyclic calls (callees before callers; depth at most
// HLO_MAX_CALL_DEPTH), parameters numbered 0…n-1, a root, an entry.
enum { HLO_MAX_CALL_DEPTH = 200 };
hlo_status hlo_verify(const hlo_module *module, hlo_error *error);

#endif
