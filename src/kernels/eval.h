// The evaluator: one function per op, and its faster variants, for any type and layout.
// src/reference defines the results.
#ifndef HLO_KERNELS_EVAL_H
#define HLO_KERNELS_EVAL_H

#include "hlo/hlo.h"
#include "kernels/backend.h"
#include "math/random/philox.h"
#include "shape/view.h"

// The state of random numbers: a counter of 128 bits, which starts as XLA's.
typedef hlo_philox_counter hlo_random_state;
#define HLO_RANDOM_STATE_START ((hlo_random_state){0x7012395, 0})

// An epilogue that the caller offers to fuse with a product. A product that can run it on tiles of
// the result calls `begin` with the number of columns of the result as a dense matrix; if that
// accepts, the product must run all of `epilogue`.
typedef struct hlo_epilogue_offer {
  hlo_status (*begin)(struct hlo_epilogue_offer *offer, int64_t columns, hlo_error *error);
  bool accepted;
  hlo_epilogue epilogue;
} hlo_epilogue_offer;

// Requests the packing of a product's constant operand 1 at planning time: a product whose kernel
// packs its operand calls `make` with the size, packs into that memory, and computes nothing.
// Operand 0 and the result have no memory then.
typedef struct hlo_packing {
  hlo_status (*make)(struct hlo_packing *packing, int64_t bytes, void **to, hlo_error *error);
} hlo_packing;

// What an evaluation may use. scratch is rewound by the caller after each instruction.
typedef struct hlo_evaluator {
  hlo_arena *scratch;
  const hlo_backend *backend; // NULL: reference functions only
  hlo_random_state *random;   // moved on by random numbers; NULL: there are none
  // Runs a computation that is not a plain scalar expression (control flow inside a reducer, say):
  // scalar arguments in, scalar results (leaves of the root) out. Set by run/.
  hlo_status (*call)(void *host, const hlo_computation *computation, int32_t argument_count,
                     const hlo_view *arguments, int32_t result_count, const hlo_view *results,
                     hlo_error *error);
  void *host;
  // Of dot and convolution.
  hlo_epilogue_offer *offer; // NULL: nothing
  hlo_packing *packing;      // NULL: it is to be computed
  bool packed;               // operand 1 is what the same instruction made of it for a `packing`
} hlo_evaluator;

// Evaluates one instruction whose eval hook is in this folder. operands: one view per operand (all
// arrays). results: one view per leaf of the instruction's shape, memory given by the caller with
// padding already filled; a result never overlaps an operand, except that pointwise ops may write
// over an operand of the same element size whose view is identical.
hlo_status hlo_evaluate(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                        const hlo_view *operands, const hlo_view *results, hlo_error *error);
typedef hlo_status hlo_eval_function(const hlo_evaluator *evaluator,
                                     const hlo_instruction *instruction, const hlo_view *operands,
                                     const hlo_view *results, hlo_error *error);
// False for ops whose row says `unsupported`.
bool hlo_evaluator_supports(hlo_opcode opcode);
// True for rows that say `executor`.
bool hlo_evaluator_leaves_to_executor(hlo_opcode opcode);

// Applies a scalar computation to `lanes` sets of arguments at once. Arguments and results are
// dense arrays of `lanes` elements of the parameters' and root leaves' types. Computations of
// scalar pointwise ops run as vector code; others run lane by lane through evaluator->call.
hlo_status hlo_apply(const hlo_evaluator *evaluator, const hlo_computation *computation,
                     int64_t lanes, void *const *arguments, void *const *results, hlo_error *error);

// The pointwise kernel of an op for operands of `type`: n dense elements. NULL when not defined for
// the type. Operand and result element types follow the op's result rule.
typedef void hlo_pointwise_kernel(void *result, const void *const *operands, int64_t n);
hlo_pointwise_kernel *hlo_pointwise_get(hlo_opcode opcode, hlo_type type);

// *element = the identity of an op that is associative; of add -0, which preserves the sign of
// zeros. False if it has none.
bool hlo_set_neutral(hlo_opcode opcode, hlo_type type, void *element);

#endif
