// Plans: what a computation does, step by step, over numbered slots. Tuples do not exist here:
// every leaf of every value is a slot, so that tuple, get-tuple-element and barriers cost nothing.
#ifndef HLO_RUN_PLAN_PLAN_H
#define HLO_RUN_PLAN_PLAN_H

#include "codegen/codegen.h"
#include "hlo/hlo.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/product/strategies.h"
#include "run/array.h"
#include "run/calls/custom_call.h"

typedef enum hlo_step_kind {
  HLO_STEP_EVALUATE,    // operands' slots → result slots through the evaluator
  HLO_STEP_SHARE,       // the result is the operand's buffer under another shape
  HLO_STEP_CALL,        // call, fusion: a frame for plans[0]
  HLO_STEP_WHILE,       // plans[0] condition, plans[1] body; the carry lives in the result slots
  HLO_STEP_CONDITIONAL, // plans: the branches
  HLO_STEP_CUSTOM,      // a function of the custom call registry
  HLO_STEP_COMMUNICATE, // takes part in what other processes or the host do: communicate.h
} hlo_step_kind;

typedef struct hlo_plan hlo_plan;
typedef struct hlo_step hlo_step;
typedef struct hlo_loop hlo_loop; // loop.h
struct hlo_run;
struct hlo_frame;
// Carries out a COMMUNICATE step as far as it can now. *finished says whether it is done; when it
// is not, either run->waiting is set, or the step is to be called again.
typedef hlo_status hlo_communicate_function(struct hlo_run *run, struct hlo_frame *frame,
                                            const hlo_step *step, bool *finished, hlo_error *error);

enum { HLO_STEP_LANE_OPERANDS = 3 };

struct hlo_step {
  hlo_step_kind kind;
  const hlo_instruction *instruction;
  int32_t operand_leaves; // slots of all operands, tuples flattened
  int32_t *operands;
  const int32_t *operand_starts; // of each operand in `operands`; operand_count + 1 entries
  int32_t result_leaves;
  const int32_t *results;
  int32_t dying_count; // slots that nobody reads after this step
  const int32_t *dying;
  // Dying operands in whose memory the result may be made, if nobody else holds it.
  int32_t reusable_count;
  const int32_t *reusable;
  // Of an elementwise EVALUATE step over memory that is laid out alike: the number of elements, and
  // what to do to them. 0: it goes through the evaluator.
  int64_t lanes;
  hlo_lane_op lane_op;
  const hlo_contraction_plan *contraction; // of a dot over plain memory; else NULL
  bool may_be_sized; // an operand may have sizes at run time, whatever its shape says
  int32_t plan_count;
  hlo_plan *const *plans;
  hlo_custom_call_function *custom;
  const hlo_lapack_plan *lapack; // of such a call
  hlo_communicate_function *communicate;
  const hlo_emit_kernel *kernel; // of a fusion that code can be made for, else NULL
  int32_t kernel_number;
  const hlo_loop *loop; // of a WHILE that code can be made for, with the number above; else NULL
  // Of a product: so many SHARE steps and a fusion follow, which may be carried out together with
  // it, part by part of its result, which is the fusion's operand `chained`. 0: none.
  int32_t followers, chained;
  bool packed; // of a convolution: operand 1 is a constant in the form that its kernel wants
};

typedef struct hlo_constant_slot {
  int32_t slot;
  hlo_buffer *buffer; // owned by the plan
} hlo_constant_slot;

struct hlo_plan {
  const hlo_computation *computation;
  int32_t slot_count;
  // The shape of each slot's memory: the producer's layout, always unpacked.
  const hlo_shape **slot_shapes;
  int32_t parameter_leaves; // slots 0 … parameter_leaves-1, parameters in order
  int32_t unused_count;     // parameter and constant slots that no step reads: free at the start
  int32_t *unused;
  int32_t constant_count;
  hlo_constant_slot *constants;
  int32_t step_count;
  hlo_step *steps;
  // Of arrays at a time in a frame and those it calls: parameters aside, and for the body of a
  // loop, whose parameters may be written over, beyond the memory of its state.
  int64_t most_bytes, most_bytes_beyond_state;
  int32_t result_leaves;
  const int32_t *results; // slots of the root's leaves
};

// Plans of a module's computations, made on demand in order of the call graph. plans[i] belongs to
// module->computations[i], NULL where nobody needs it.
typedef struct hlo_plan_set {
  const hlo_module *module;
  hlo_arena arena;
  hlo_plan **plans;
  const hlo_backend *backend; // NULL: no kernels
  bool reference;             // steps are the oracle's, one for each instruction, nothing in place
  bool emits;                 // code is made for fusions
  hlo_target target;          // of that code
  bool has_sizes;             // some values have sizes that are known at run time alone
  hlo_emit_imports imports;   // of the kernels
  int32_t kernel_count, kernel_capacity;
  const hlo_emit_kernel **kernels;
  hlo_emitted_function **functions; // by kernel number: compiled by the host, NULL before that
} hlo_plan_set;

// Plans `computation` and all it calls. HLO_UNSUPPORTED, located, for what cannot run.
hlo_status hlo_plan_create(hlo_plan_set *set, const hlo_computation *computation, hlo_error *error);
void hlo_plan_set_free(hlo_plan_set *set);

#endif
