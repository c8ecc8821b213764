// Steps on values with dynamic dimensions. See sized.h.
#include "run/exec/sized.h"

#include "hlo/analysis/actual_sizes.h"
#include "kernels/structural.h"
#include "run/calls/custom_call.h"
#include "shape/literal.h"

// The slot's shape at its actual sizes.
static hlo_status shape_of_slot(const hlo_frame *frame, int32_t slot, hlo_arena *arena,
                                const hlo_shape **out, hlo_error *error) {
  const hlo_shape *shape = frame->plan->slot_shapes[slot];
  bool dynamic[HLO_MAX_RANK] = {false};
  *out = shape;
  if (!hlo_shape_is_array(shape)) return HLO_OK;
  hlo_view view;
  hlo_sized_view(shape, frame->slots[slot], &view);
  for (int32_t d = 0; hlo_slot_is_sized(frame, slot) && d < shape->rank; d++) {
    dynamic[d] = frame->slots[slot]->sizes[d] != HLO_STATIC_SIZE;
  }
  return hlo_shape_make_dynamic(arena, shape->type, shape->rank, view.dims, dynamic, out, error);
}

// Memory for result i with the sizes of the shape `at`.
static hlo_status allocate_result(hlo_frame *frame, const hlo_step *step, int32_t i,
                                  const hlo_shape *at, hlo_view *view, hlo_error *error) {
  int32_t slot = step->results[i];
  const hlo_shape *bound = frame->plan->slot_shapes[slot];
  *view = (hlo_view){.type = bound->type};
  if (!hlo_shape_is_array(bound)) return HLO_OK;
  bool fits = at->type == bound->type && at->rank == bound->rank, any = false;
  int64_t sizes[HLO_MAX_RANK];
  for (int32_t d = 0; fits && d < at->rank; d++) {
    bool dynamic = at->dims[d] != bound->dims[d] || (at->dynamic != NULL && at->dynamic[d]);
    sizes[d] = dynamic ? at->dims[d] : HLO_STATIC_SIZE;
    any |= dynamic;
    fits = at->dims[d] <= bound->dims[d];
  }
  if (!fits) {
    char now[HLO_SHAPE_TEXT_SIZE], most[HLO_SHAPE_TEXT_SIZE];
    return hlo_instruction_fail(step->instruction, HLO_RUNTIME_ERROR, error,
                                "the result has shape %s now, which %s does not hold",
                                hlo_shape_to_text(now, at), hlo_shape_to_text(most, bound));
  }
  HLO_TRY(hlo_sized_create(bound, &frame->slots[slot], error));
  if (any) HLO_TRY(hlo_sized_set(frame->slots[slot], at->rank, sizes, error));
  hlo_sized_view(bound, frame->slots[slot], view);
  return HLO_OK;
}

hlo_status hlo_sized_result(hlo_frame *frame, const hlo_step *step, int32_t i, const int64_t *dims,
                            hlo_view *view, hlo_error *error) {
  const hlo_shape *bound = frame->plan->slot_shapes[step->results[i]];
  hlo_shape at = *bound;
  at.dims = dims;
  return allocate_result(frame, step, i, &at, view, error);
}

static int64_t scalar_in(const hlo_frame *frame, const hlo_step *step, int32_t operand) {
  int32_t slot = step->operands[operand];
  hlo_number number =
      hlo_element_get(frame->plan->slot_shapes[slot]->type, frame->slots[slot]->data);
  return number.type_class == HLO_CLASS_UNSIGNED && number.i < 0 ? INT64_MAX : number.i;
}

static hlo_status require_size(const hlo_step *step, int32_t dimension, int64_t size, int64_t bound,
                               hlo_error *error) {
  if (size >= 0 && size <= bound) return HLO_OK;
  return hlo_instruction_fail(step->instruction, HLO_RUNTIME_ERROR, error,
                              "the size %lld of dimension %d is not between 0 and its bound, %lld",
                              (long long)size, (int)dimension, (long long)bound);
}

// All of the operand's memory, so that what a smaller size hid a larger one shows again.
static hlo_status set_dimension_size(hlo_frame *frame, const hlo_step *step, hlo_arena *arena,
                                     hlo_error *error) {
  const hlo_shape *bound = frame->plan->slot_shapes[step->operands[0]], *at;
  int32_t count;
  int64_t d = hlo_get_ints(step->instruction, HLO_ATTRIBUTE_DIMENSIONS, &count)[0];
  int64_t size = scalar_in(frame, step, 1), dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK] = {false};
  HLO_TRY(require_size(step, (int32_t)d, size, bound->dims[d], error));
  HLO_TRY(shape_of_slot(frame, step->operands[0], arena, &at, error));
  for (int32_t i = 0; i < at->rank; i++) {
    dims[i] = i == d ? size : at->dims[i];
    dynamic[i] = i == d || (at->dynamic != NULL && at->dynamic[i]);
  }
  HLO_TRY(hlo_shape_make_dynamic(arena, at->type, at->rank, dims, dynamic, &at, error));
  hlo_view view;
  HLO_TRY(allocate_result(frame, step, 0, at, &view, error));
  int32_t slot = step->results[0];
  hlo_view to = hlo_view_of(frame->plan->slot_shapes[slot], frame->slots[slot]->data);
  hlo_view from = hlo_view_of(bound, frame->slots[step->operands[0]]->data);
  hlo_view_copy(&to, &from);
  return HLO_OK;
}

// The stated shape at the sizes that the operands after the first one say.
static hlo_status shape_of_scalars(const hlo_frame *frame, const hlo_step *step, hlo_arena *arena,
                                   const hlo_shape **out, hlo_error *error) {
  const hlo_shape *stated = frame->plan->slot_shapes[step->results[0]];
  int64_t dims[HLO_MAX_RANK];
  for (int32_t d = 0; d < stated->rank; d++) {
    bool dynamic = stated->dynamic != NULL && stated->dynamic[d];
    dims[d] = scalar_in(frame, step, d + 1);
    HLO_TRY(require_size(step, d, dims[d], stated->dims[d], error));
    if (!dynamic && dims[d] != stated->dims[d]) {
      return hlo_instruction_fail(step->instruction, HLO_RUNTIME_ERROR, error,
                                  "the size of the static dimension %d is %lld, not %lld", (int)d,
                                  (long long)stated->dims[d], (long long)dims[d]);
    }
  }
  return hlo_shape_make_dynamic(arena, stated->type, stated->rank, dims, stated->dynamic, out,
                                error);
}

static hlo_status dynamic_reshape(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                                  hlo_error *error) {
  const hlo_shape *at;
  HLO_TRY(shape_of_scalars(frame, step, &run->scratch, &at, error));
  int32_t slot = step->operands[0];
  hlo_view to, from;
  hlo_sized_view(frame->plan->slot_shapes[slot], frame->slots[slot], &from);
  if (hlo_view_elements(&from) != hlo_shape_elements(at)) {
    char text[HLO_SHAPE_TEXT_SIZE];
    return hlo_instruction_fail(step->instruction, HLO_RUNTIME_ERROR, error,
                                "the operand has %lld elements now: they do not make %s",
                                (long long)hlo_view_elements(&from), hlo_shape_to_text(text, at));
  }
  HLO_TRY(allocate_result(frame, step, 0, at, &to, error));
  hlo_evaluator evaluator = hlo_step_evaluator(run);
  hlo_instruction reshape = *step->instruction;
  reshape.opcode = HLO_OP_RESHAPE;
  return hlo_step_evaluate(run, &evaluator, &reshape, &from, &to, error);
}

// Of other calls of that target its function says what is wrong.
static bool has_size_scalars(const hlo_frame *frame, const hlo_step *step) {
  if (step->custom != hlo_slice_to_dynamic || step->result_leaves != 1) return false;
  for (int32_t i = 1; i < step->operand_leaves; i++) {
    const hlo_shape *shape = frame->plan->slot_shapes[step->operands[i]];
    if (shape->type != HLO_S32 || shape->rank != 0) return false;
  }
  const hlo_shape *result = frame->plan->slot_shapes[step->results[0]];
  return hlo_shape_is_array(result) && step->operand_leaves == result->rank + 1;
}

// A result that belongs to an operand of the same bounds has its sizes; others are static.
static hlo_status run_custom(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                             const hlo_shape *const *shapes, hlo_view *operands, hlo_view *results,
                             hlo_error *error) {
  bool parallel = step->operand_leaves == step->result_leaves;
  const hlo_shape *sliced = NULL;
  if (has_size_scalars(frame, step))
    HLO_TRY(shape_of_scalars(frame, step, &run->scratch, &sliced, error));
  for (int32_t i = 0; i < step->result_leaves; i++) {
    const hlo_shape *bound = frame->plan->slot_shapes[step->results[i]];
    bool like =
        parallel && hlo_shape_compatible(bound, frame->plan->slot_shapes[step->operands[i]]);
    const hlo_shape *at = sliced != NULL ? sliced : like ? shapes[i] : bound;
    HLO_TRY(allocate_result(frame, step, i, at, &results[i], error));
  }
  return hlo_step_call_custom(run, step, operands, results, error);
}

// Operations whose elements do not depend on where a dimension ends: they run on all of the memory,
// so that what lies beyond the sizes, which a larger size may show again, is XLA's too. (A map may
// run anything, and must not on what nobody put there.)
static bool runs_at_bounds(hlo_opcode opcode) {
  static const hlo_opcode others[] = {HLO_OP_TRANSPOSE, HLO_OP_BROADCAST, HLO_OP_DYNAMIC_SLICE,
                                      HLO_OP_GATHER, HLO_OP_BITCAST_CONVERT};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (others[i] == opcode) return true;
  }
  return hlo_op_is_elementwise(opcode) && opcode != HLO_OP_MAP;
}

// Cuts the operands' views to the sizes of `now`; an operand that the result only changes parts of
// stays whole, and so does the result.
static const hlo_instruction *cut_views(const hlo_frame *frame, const hlo_step *step,
                                        const hlo_instruction *now, hlo_view *operands,
                                        hlo_view *results) {
  const hlo_instruction *x = step->instruction;
  bool at_bounds = runs_at_bounds(x->opcode);
  bool updates = (hlo_op_get(x->opcode)->properties & HLO_PROPERTY_UPDATES) != 0;
  int32_t whole = at_bounds ? step->operand_leaves : updates ? step->result_leaves : 0;
  for (int32_t i = 0; i < step->operand_leaves; i++) {
    const int64_t *dims = i < whole ? frame->plan->slot_shapes[step->operands[i]]->dims
                                    : now->operands[i]->shape->dims;
    for (int32_t d = 0; d < operands[i].rank; d++) operands[i].dims[d] = dims[d];
  }
  for (int32_t i = 0; whole > 0 && i < step->result_leaves; i++) {
    const int64_t *dims = frame->plan->slot_shapes[step->results[i]]->dims;
    for (int32_t d = 0; d < results[i].rank; d++) results[i].dims[d] = dims[d];
  }
  return at_bounds ? x : now;
}

hlo_status hlo_step_execute_sized(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                                  hlo_error *error) {
  const hlo_instruction *x = step->instruction;
  if (x->opcode == HLO_OP_SET_DIMENSION_SIZE) {
    return set_dimension_size(frame, step, &run->scratch, error);
  }
  if (x->opcode == HLO_OP_DYNAMIC_RESHAPE) return dynamic_reshape(run, frame, step, error);
  const hlo_shape **shapes;
  hlo_view *operands, *results;
  HLO_ALLOC(shapes, &run->scratch, step->operand_leaves, error);
  HLO_ALLOC(operands, &run->scratch, step->operand_leaves, error);
  HLO_ALLOC(results, &run->scratch, step->result_leaves, error);
  for (int32_t i = 0; i < step->operand_leaves; i++) {
    HLO_TRY(shape_of_slot(frame, step->operands[i], &run->scratch, &shapes[i], error));
  }
  hlo_step_view_slots(frame, step->operand_leaves, step->operands, operands);
  if (step->kind == HLO_STEP_CUSTOM) {
    // How large these results would be is nowhere said.
    if (step->custom == hlo_lapack_call || step->custom == hlo_sparse_call)
      return hlo_step_require_static(frame, step, error);
    return run_custom(run, frame, step, shapes, operands, results, error);
  }
  if (step->operand_leaves != x->operand_count) return hlo_step_require_static(frame, step, error);
  const hlo_instruction *now;
  HLO_TRY(hlo_instruction_at_sizes(x, shapes, &run->scratch, &now, error));
  for (int32_t i = 0; i < step->result_leaves; i++) {
    HLO_TRY(allocate_result(frame, step, i, hlo_shape_leaf(now->shape, i), &results[i], error));
  }
  hlo_evaluator evaluator = hlo_step_evaluator(run);
  now = cut_views(frame, step, now, operands, results);
  return hlo_step_evaluate(run, &evaluator, now, operands, results, error);
}
