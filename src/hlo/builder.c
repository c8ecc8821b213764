// See builder.h. Source of the broadcasting rules: "Broadcasting" of XLA's documentation.
#include "hlo/builder.h"

#include "base/checked.h"
#include "hlo/infer/infer.h"

#include <string.h>

static hlo_status check_operands(const hlo_computation *computation, hlo_opcode opcode,
                                 int32_t operand_count, hlo_instruction *const *operands,
                                 hlo_error *error) {
  const char *name = hlo_op_get(opcode)->name;
  if (operand_count < 0)
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "%s: negative number of operands", name);
  for (int32_t k = 0; k < operand_count; k++) {
    if (operands[k] == NULL)
      return hlo_fail(error, HLO_INVALID_ARGUMENT, "%s: operand %d is missing", name, k);
    if (operands[k]->computation != computation)
      return hlo_fail(error, HLO_INVALID_ARGUMENT, "%s: operand %d is of another computation", name,
                      k);
  }
  return HLO_OK;
}

hlo_status hlo_build(hlo_computation *computation, hlo_opcode opcode, const hlo_shape *declared,
                     int32_t operand_count, hlo_instruction *const *operands,
                     int32_t attribute_count, const hlo_attribute *attributes,
                     hlo_instruction **out, hlo_error *error) {
  if ((unsigned)opcode >= HLO_OP_COUNT)
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "%d is not an opcode", (int)opcode);
  HLO_TRY(check_operands(computation, opcode, operand_count, operands, error));
  // Inference only reads, whatever the type of the fields says.
  hlo_instruction trial = {.opcode = opcode,
                           .operand_count = operand_count,
                           .operands = (hlo_instruction **)operands,
                           .attribute_count = attribute_count,
                           .attributes = (hlo_attribute *)attributes,
                           .computation = computation};
  const hlo_shape *shape;
  HLO_TRY(hlo_infer_shape(&trial, declared, &computation->module->arena, &shape, error));
  return hlo_instruction_create(computation, opcode, NULL, shape, operand_count, operands,
                                attribute_count, attributes, out, error);
}

hlo_status hlo_build_parameter(hlo_computation *computation, int64_t number, const hlo_shape *shape,
                               const char *name, hlo_instruction **out, hlo_error *error) {
  if (number < 0 || number > INT32_MAX)
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "%lld is not a parameter number",
                    (long long)number);
  const hlo_shape *copy;
  HLO_TRY(hlo_shape_copy(&computation->module->arena, shape, &copy, error));
  HLO_TRY(hlo_instruction_create(computation, HLO_OP_PARAMETER, name, copy, 0, NULL, 0, NULL, out,
                                 error));
  (*out)->parameter_number = number;
  return HLO_OK;
}

// Both literals are of one shape, layout included.
static void copy_values(const hlo_literal *from, hlo_literal *to) {
  const hlo_shape *shape = to->shape;
  for (int32_t i = 0; i < shape->element_count; i++)
    copy_values(&from->elements[i], &to->elements[i]);
  if (!hlo_shape_is_array(shape)) return;
  int64_t elements = hlo_shape_memory_elements(shape);
  if (elements > 0) memcpy(to->data, from->data, (size_t)(elements * hlo_type_bytes(shape->type)));
}

hlo_status hlo_build_constant(hlo_computation *computation, const hlo_literal *literal,
                              hlo_instruction **out, hlo_error *error) {
  hlo_arena *arena = &computation->module->arena;
  const hlo_shape *shape;
  hlo_literal *copy;
  HLO_TRY(hlo_shape_copy(arena, literal->shape, &shape, error));
  HLO_ALLOC(copy, arena, 1, error);
  HLO_TRY(hlo_literal_make(arena, shape, copy, error));
  copy_values(literal, copy);
  HLO_TRY(hlo_instruction_create(computation, HLO_OP_CONSTANT, NULL, shape, 0, NULL, 0, NULL, out,
                                 error));
  (*out)->literal = copy;
  return HLO_OK;
}

// An error about `name`, unless the operand is an array of this computation.
static hlo_status require_array(const char *name, const hlo_computation *computation,
                                const hlo_instruction *operand, hlo_error *error) {
  char text[HLO_SHAPE_TEXT_SIZE];
  if (operand == NULL || operand->computation != computation)
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "%s: the operand is not of this computation",
                    name);
  if (!hlo_shape_is_array(operand->shape))
    return hlo_fail(error, HLO_SHAPE_ERROR, "%s: the operand must be an array: %s", name,
                    hlo_shape_to_text(text, operand->shape));
  return HLO_OK;
}

hlo_status hlo_build_reshape(hlo_computation *computation, hlo_instruction *operand, int32_t rank,
                             const int64_t *dims, hlo_instruction **out, hlo_error *error) {
  HLO_TRY(require_array("reshape", computation, operand, error));
  const hlo_shape *shape;
  HLO_TRY(
      hlo_shape_make(&computation->module->arena, operand->shape->type, rank, dims, &shape, error));
  return hlo_build(computation, HLO_OP_RESHAPE, shape, 1, &operand, 0, NULL, out, error);
}

hlo_status hlo_build_finish(hlo_computation *computation, hlo_instruction *root, hlo_error *error) {
  if (root == NULL && computation->instruction_count > 0)
    root = computation->instructions[computation->instruction_count - 1];
  if (root == NULL)
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "a computation needs at least one instruction");
  if (root->computation != computation)
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "the root is of another computation");
  HLO_TRY(hlo_computation_collect_parameters(computation, error));
  computation->root = root;
  return HLO_OK;
}

hlo_status hlo_build_reducer(hlo_module *module, hlo_opcode opcode, hlo_type type,
                             hlo_computation **out, hlo_error *error) {
  hlo_instruction *both[2], *result;
  HLO_TRY(hlo_computation_create(module, hlo_op_get(opcode)->name, out, error));
  for (int32_t i = 0; i < 2; i++)
    HLO_TRY(
        hlo_build_parameter(*out, i, hlo_shape_scalar(type), i == 0 ? "a" : "b", &both[i], error));
  HLO_TRY(hlo_build(*out, opcode, NULL, 2, both, 0, NULL, &result, error));
  return hlo_build_finish(*out, result, error);
}
