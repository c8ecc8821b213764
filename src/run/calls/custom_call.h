// The registry of custom call targets.
#ifndef HLO_RUN_CALLS_CUSTOM_CALL_H
#define HLO_RUN_CALLS_CUSTOM_CALL_H

#include "base/string.h"
#include "hlo/attributes/custom_call_config.h"
#include "kernels/eval.h"
#include "run/calls/probe.h"

// One call: views of the operands' leaves and of the results' leaves (memory given). Text written
// to `output` reaches the host after the run.
typedef struct hlo_custom_call {
  const hlo_instruction *instruction;
  int32_t operand_count;
  const hlo_view *operands;
  int32_t result_count;
  const hlo_view *results;
  hlo_string *output;
  hlo_probe_list *probes;         // of the whole run
  const hlo_evaluator *evaluator; // for scratch memory, kernels and computations
  const struct hlo_reference
      *reference;   // where the oracle evaluates in place of kernels; else NULL
  void *context;    // what the target was registered with
  const void *plan; // what its maker found out beforehand
} hlo_custom_call;
typedef hlo_status hlo_custom_call_function(const hlo_custom_call *call, hlo_error *error);

// Evaluates the instruction that a call stands for, on the call's operands and results.
hlo_status hlo_custom_call_evaluate(const hlo_custom_call *call, const hlo_instruction *as,
                                    hlo_error *error);

// NULL when the target is not known.
hlo_custom_call_function *hlo_custom_call_lookup(const char *target);
// For a target that is not known when a plan is made: a program may never reach the call (a branch
// for another platform), and the host may register the target until it does. Fails without it.
hlo_custom_call_function hlo_custom_call_late;
// The same among those that are not the host's. built_in.c
hlo_custom_call_function *hlo_custom_call_lookup_built_in(const char *target);

// Makes the host's function known under the name, for programs compiled from now on, in place of
// what had the name before; a NULL function takes it away again. Programs that were compiled with
// it look it up in each call, so that it must not go while they run. HLO_INVALID_ARGUMENT for a
// name that is empty or longer than HLO_HOST_TARGET_LENGTH, and when HLO_HOST_TARGETS are taken.
// Not for several threads at once.
enum { HLO_HOST_TARGETS = 64, HLO_HOST_TARGET_LENGTH = 127 };
hlo_status hlo_custom_call_register(const char *target, hlo_custom_call_function *function,
                                    void *context, hlo_error *error);

// backend_calls.c. The s32 operands of SliceToDynamic after the first say the sizes of its result.
hlo_custom_call_function hlo_backend_top_k, hlo_slice_to_dynamic, hlo_pad_to_static;

// lapack_devices.c: what other platforms have besides routines.
hlo_custom_call_function hlo_pivots_to_permutation, hlo_symmetric_product;

// threefry_call.c: random words of GPUs.
hlo_custom_call_function hlo_threefry_call;

// scaled_dot_call.c: operands before their scales, which are by blocks.
hlo_custom_call_function hlo_block_scaled_dot;

// sparse_call.c: whether the target is about sparse matrices, and then hlo_sparse_call's.
bool hlo_sparse_has(const char *target);
hlo_custom_call_function hlo_sparse_call;

// check.c: the expectations of test modules.
hlo_custom_call_function hlo_check_expect_eq, hlo_check_expect_almost_eq, hlo_check_expect_close,
    hlo_check_expect_serialized_eq, hlo_check_eq, hlo_check_assertion;

// lapack.c: whether the target is one of its routines, which then is hlo_lapack_call's.
bool hlo_lapack_has(const char *target);
// Checks that shapes and attributes of a call of one are as the routine's. *out: for
// hlo_custom_call.plan, in the arena.
typedef struct hlo_lapack_plan hlo_lapack_plan;
hlo_status hlo_lapack_create_plan(const hlo_instruction *instruction, hlo_arena *arena,
                                  const hlo_lapack_plan **out, hlo_error *error);
hlo_custom_call_function hlo_lapack_call;

#endif
