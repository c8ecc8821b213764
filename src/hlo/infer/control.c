// Inference rules of tuples and of the ops that run computations: call, fusion, while, conditional.
// Source: "Operation Semantics" of XLA's documentation.
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

hlo_status hlo_infer_tuple(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                           const hlo_shape **out, hlo_error *error) {
  (void)declared;
  const hlo_shape **elements;
  HLO_ALLOC(elements, arena, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) elements[k] = hlo_operand_shape(x, k);
  hlo_error reason;
  hlo_error_clear(&reason);
  hlo_status status = hlo_shape_make_tuple(arena, x->operand_count, elements, out, &reason);
  if (status == HLO_OUT_OF_MEMORY) return hlo_fail_out_of_memory(error);
  if (status != HLO_OK) return hlo_instruction_fail(x, status, error, "%s", reason.message);
  return HLO_OK;
}

hlo_status hlo_infer_get_tuple_element(const hlo_instruction *x, const hlo_shape *declared,
                                       hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  (void)arena;
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  char text[HLO_SHAPE_TEXT_SIZE];
  if (!hlo_shape_is_tuple(shape))
    return hlo_fail_about(x, "the operand must be a tuple", shape, NULL, error);
  int64_t index = hlo_get_int(x, HLO_ATTRIBUTE_INDEX, -1);
  if (index < 0 || index >= shape->element_count)
    return hlo_instruction_fail(
        x, HLO_SHAPE_ERROR, error, "index %lld is out of range for a tuple of %d elements: %s",
        (long long)index, shape->element_count, hlo_shape_to_text(text, shape));
  *out = shape->elements[index];
  return HLO_OK;
}

// Fusions name their computation by calls=, calls by to_apply=.
hlo_status hlo_infer_call(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                          const hlo_shape **out, hlo_error *error) {
  (void)declared;
  (void)arena;
  hlo_attribute_id id = hlo_find_attribute(x, HLO_ATTRIBUTE_CALLS) != NULL ? HLO_ATTRIBUTE_CALLS
                                                                           : HLO_ATTRIBUTE_TO_APPLY;
  const hlo_computation *callee = hlo_get_computation(x, id);
  HLO_TRY(hlo_require_callee(x, id, callee, x->operand_count, error));
  for (int32_t k = 0; k < x->operand_count; k++)
    HLO_TRY(hlo_require_parameter(x, id, callee, k, hlo_operand_shape(x, k), error));
  *out = callee->root->shape;
  return HLO_OK;
}

hlo_status hlo_infer_while(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                           const hlo_shape **out, hlo_error *error) {
  (void)declared;
  (void)arena;
  const hlo_computation *condition = hlo_get_computation(x, HLO_ATTRIBUTE_CONDITION);
  const hlo_computation *body = hlo_get_computation(x, HLO_ATTRIBUTE_BODY);
  const hlo_shape *state = hlo_operand_shape(x, 0);
  HLO_TRY(hlo_require_callee(x, HLO_ATTRIBUTE_CONDITION, condition, 1, error));
  HLO_TRY(hlo_require_callee(x, HLO_ATTRIBUTE_BODY, body, 1, error));
  HLO_TRY(hlo_require_parameter(x, HLO_ATTRIBUTE_CONDITION, condition, 0, state, error));
  HLO_TRY(hlo_require_parameter(x, HLO_ATTRIBUTE_BODY, body, 0, state, error));
  HLO_TRY(
      hlo_require_result(x, HLO_ATTRIBUTE_CONDITION, condition, hlo_shape_scalar(HLO_PRED), error));
  HLO_TRY(hlo_require_result(x, HLO_ATTRIBUTE_BODY, body, state, error));
  *out = state;
  return HLO_OK;
}

// Branch `number` takes operand number + 1 and gives the shape of the first branch.
static hlo_status check_branch(const hlo_instruction *x, hlo_attribute_id id,
                               const hlo_computation *branch, int32_t number,
                               const hlo_shape **result, hlo_error *error) {
  HLO_TRY(hlo_require_callee(x, id, branch, 1, error));
  HLO_TRY(hlo_require_parameter(x, id, branch, 0, hlo_operand_shape(x, number + 1), error));
  if (*result == NULL) *result = branch->root->shape;
  return hlo_require_result(x, id, branch, *result, error);
}

static hlo_status check_branch_count(const hlo_instruction *x, int32_t count, hlo_error *error) {
  if (x->operand_count == count + 1) return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                              "takes an operand for each of %d branches behind the selecting one, "
                              "not %d",
                              count, x->operand_count - 1);
}

// A pred selects between true_computation and false_computation, an s32 among
// branch_computations.
hlo_status hlo_infer_conditional(const hlo_instruction *x, const hlo_shape *declared,
                                 hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  (void)arena;
  const hlo_shape *result = NULL;
  const hlo_attribute *branches = hlo_find_attribute(x, HLO_ATTRIBUTE_BRANCH_COMPUTATIONS);
  if (branches == NULL) {
    HLO_TRY(hlo_require_scalar(x, 0, HLO_PRED, error));
    HLO_TRY(check_branch_count(x, 2, error));
    HLO_TRY(check_branch(x, HLO_ATTRIBUTE_TRUE_COMPUTATION,
                         hlo_get_computation(x, HLO_ATTRIBUTE_TRUE_COMPUTATION), 0, &result,
                         error));
    HLO_TRY(check_branch(x, HLO_ATTRIBUTE_FALSE_COMPUTATION,
                         hlo_get_computation(x, HLO_ATTRIBUTE_FALSE_COMPUTATION), 1, &result,
                         error));
    *out = result;
    return HLO_OK;
  }
  if (hlo_find_attribute(x, HLO_ATTRIBUTE_TRUE_COMPUTATION) != NULL ||
      hlo_find_attribute(x, HLO_ATTRIBUTE_FALSE_COMPUTATION) != NULL)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "takes branch_computations, or true_computation and "
                                "false_computation, not both");
  HLO_TRY(hlo_require_scalar(x, 0, HLO_S32, error));
  if (branches->count < 1)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "takes at least one branch");
  HLO_TRY(check_branch_count(x, branches->count, error));
  for (int32_t i = 0; i < branches->count; i++)
    HLO_TRY(check_branch(x, HLO_ATTRIBUTE_BRANCH_COMPUTATIONS, branches->computations[i], i,
                         &result, error));
  *out = result;
  return HLO_OK;
}
