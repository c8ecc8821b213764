// The oracle: what each operation means, and nothing else. Plain index loops over any element type,
// layout and rank; arithmetic in more precision than the results have; no kernels, thresholds or
// strategies. Slow by design: the engine is tested against it.
#ifndef HLO_REFERENCE_REFERENCE_H
#define HLO_REFERENCE_REFERENCE_H

#include "hlo/hlo.h"
#include "math/random/philox.h"
#include "shape/view.h"

// A value of a program: an array, a tuple of values, or a token.
typedef struct hlo_value {
  const hlo_shape *shape; // sizes of dynamic dimensions are bounds; memory is laid out by them
  void *data;             // of an array: one element per storage unit under the shape's layout
  const int64_t *sizes;   // of an array: its actual sizes, NULL where they are those of the shape
  const bool *dynamic;    // which of them may differ from run to run; as `sizes`
  struct hlo_value *elements; // of a tuple
} hlo_value;

// What an evaluation needs from its surroundings.
typedef struct hlo_reference {
  hlo_arena *arena;           // of results and scratch memory: the caller rewinds it
  hlo_philox_counter *random; // state of random numbers, which they advance; NULL: there is none
  // Carries out what a program cannot say itself: a custom call. Views of the leaves of operands
  // and results. NULL: custom calls are refused.
  hlo_status (*custom_call)(void *host, const hlo_instruction *instruction, int32_t operand_count,
                            const hlo_view *operands, int32_t result_count, const hlo_view *results,
                            hlo_error *error);
  void *host;
  int32_t nesting; // computations that are being applied to elements, one inside the other; 0
} hlo_reference;

// Runs a computation on one value per parameter: evaluates its instructions in order in an
// environment of one value each. There is one device: collectives are among one process, and what
// talks to others or to the host is refused.
hlo_status hlo_reference_run(const hlo_reference *reference, const hlo_computation *computation,
                             const hlo_value *arguments, hlo_value *result, hlo_error *error);

// Evaluates one instruction whose operands and results are arrays: a view of each, memory of
// results given by the caller. Results do not overlap operands.
hlo_status hlo_reference_evaluate(const hlo_reference *reference,
                                  const hlo_instruction *instruction, const hlo_view *operands,
                                  const hlo_view *results, hlo_error *error);
// Whether there is a function for the operation: of arrays, or of hlo_reference_run alone (control
// flow, tuples, devices, sizes).
bool hlo_reference_has(hlo_opcode opcode);

// Combines arrays of `count` processes, of the result's dims, in their order: each element by the
// computation, as AllReduce does.
hlo_status hlo_reference_combine(const hlo_reference *reference, const hlo_computation *computation,
                                 int32_t count, const hlo_view *parts, const hlo_view *result,
                                 hlo_error *error);

// Evaluates one instruction on packed arrays (hlo_fold_function of the parser, which computes sizes
// by it).
hlo_status hlo_reference_fold(const hlo_instruction *instruction, const void *const *operands,
                              void *const *results, hlo_error *error);

// An array of that shape with zeros for elements.
hlo_status hlo_value_create(hlo_arena *arena, const hlo_shape *shape, hlo_value *out,
                            hlo_error *error);
// A copy in memory of its own, laid out as the shape says.
hlo_status hlo_value_copy(hlo_arena *arena, const hlo_value *value, const hlo_shape *shape,
                          hlo_value *out, hlo_error *error);
// Sizes of now, at most those of the shape, and which of them are dynamic.
hlo_status hlo_value_set_sizes(hlo_arena *arena, hlo_value *value, const int64_t *sizes,
                               const bool *dynamic, hlo_error *error);
// The array's elements that are there.
void hlo_value_view(const hlo_value *value, hlo_view *out);

#endif
