// Shape inference and verification.
#ifndef HLO_HLO_INFER_INFER_H
#define HLO_HLO_INFER_INFER_H

#include "hlo/hlo.h"

// Works out the shape of an instruction from its operands' shapes and attributes, checking the
// number of operands, which attributes there are, and every documented constraint (errors:
// HLO_SHAPE_ERROR, naming the instruction and both shapes). The instruction need not be part of its
// computation yet (name NULL); called computations must have a root and collected parameters.
// `declared` is the shape that the program states, or NULL. Ops whose result the operands do not
// determine (reshape, broadcast, iota, convert, bitcast-convert, parameter, constant, custom-call
// …) need it. When it is given and compatible with what was inferred (type and dims) *out is
// `declared`, with its layout and dynamic marks; when it is not compatible, that is an error.
// Otherwise *out lives in the arena (or is an operand's) and has the default layout; aliases and
// calls keep the layouts of what they pass on. Bounded dynamic dimensions count as their bounds,
// and stay marked where the result's dimension is an operand's.
hlo_status hlo_infer_shape(const hlo_instruction *instruction, const hlo_shape *declared,
                           hlo_arena *arena, const hlo_shape **out, hlo_error *error);

// The rule alone: the shape that operands and attributes give, of which the stated one may say the
// element type, or all where nothing else does. Counts and attributes must have been checked.
hlo_status hlo_infer_rule(const hlo_instruction *instruction, const hlo_shape *declared,
                          hlo_arena *arena, const hlo_shape **out, hlo_error *error);

// One function per structural op with an infer hook; declared for the table in opcode expansion.
typedef hlo_status hlo_infer_function(const hlo_instruction *instruction, const hlo_shape *declared,
                                      hlo_arena *arena, const hlo_shape **out, hlo_error *error);

// Checks a whole module: operands defined before use and in the same computation, operand counts,
// attributes allowed / required, inferred shapes compatible with the declared ones, computations
// called with fitting parameters, acyclic calls (callees before callers; depth at most
// HLO_MAX_CALL_DEPTH), parameters numbered 0…n-1, a root, constants whose value fits (it may be
// missing: a dump leaves large ones out). The entry may be NULL: functions without @main.
enum { HLO_MAX_CALL_DEPTH = 200 };
hlo_status hlo_verify(const hlo_module *module, hlo_error *error);

#endif
