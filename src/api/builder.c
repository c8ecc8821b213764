// The exported C API: building programs instruction by instruction. Conventions and contracts in
// include/hlo.h.
#include "api/api.h"

#include "api/json.h"
#include "hlo/builder.h"
#include "hlo/infer/infer.h"
#include "run/array.h"
#include "text/text.h"

hlo_module *hlo_api_module_create(const char *name, uint32_t length) {
  hlo_error *error = hlo_api_begin();
  hlo_arena arena = {0};
  hlo_module *module = NULL;
  const char *copy = hlo_arena_copy_text(&arena, name, length);
  if (copy == NULL) hlo_fail_out_of_memory(error);
  else hlo_module_create(copy, &module, error);
  hlo_arena_free(&arena);
  return module;
}

hlo_computation *hlo_api_computation_create(hlo_module *module, const char *name, uint32_t length) {
  hlo_error *error = hlo_api_begin();
  hlo_computation *computation = NULL;
  const char *copy = hlo_arena_copy_text(&module->arena, name, length);
  if (copy == NULL) hlo_fail_out_of_memory(error);
  else hlo_computation_create(module, copy, &computation, error);
  return computation;
}

int32_t hlo_api_computation_finish(hlo_computation *computation, hlo_instruction *root,
                                   uint32_t entry) {
  hlo_error *error = hlo_api_begin();
  if (hlo_build_finish(computation, root, error) != HLO_OK) return -1;
  hlo_computation_move_last(computation);
  if (!entry) return 0;
  computation->module->entry = computation;
  return hlo_verify(computation->module, error) == HLO_OK ? 0 : -1;
}

static hlo_status parse_whole_shape(hlo_arena *arena, const char *text, uint32_t length,
                                    const hlo_shape **out, hlo_error *error) {
  *out = NULL;
  const char *at = text;
  return length == 0 ? HLO_OK : hlo_shape_parse(arena, &at, text + length, out, error);
}

hlo_instruction *hlo_api_build(hlo_computation *computation, uint32_t opcode,
                               const char *shape_text, uint32_t shape_length, int32_t operand_count,
                               hlo_instruction *const *operands, const char *attributes_text,
                               uint32_t attributes_length, int32_t broadcast_count,
                               const double *broadcast_dimensions) {
  hlo_error *error = hlo_api_begin();
  hlo_module *module = computation->module;
  hlo_instruction *result = NULL;
  const hlo_shape *shape;
  hlo_attribute *attributes = NULL;
  int32_t attribute_count = 0;
  if (opcode >= HLO_OP_COUNT) {
    hlo_fail(error, HLO_INVALID_ARGUMENT, "there is no operation %u", (unsigned)opcode);
    return NULL;
  }
  if (parse_whole_shape(&module->arena, shape_text, shape_length, &shape, error) != HLO_OK ||
      hlo_parse_attributes(module, attributes_text, attributes_length, &attributes,
                           &attribute_count, error) != HLO_OK) {
    return NULL;
  }
  if (broadcast_count < 0) {
    hlo_build(computation, (hlo_opcode)opcode, shape, operand_count, operands, attribute_count,
              attributes, &result, error);
    return result;
  }
  int64_t dimensions[HLO_MAX_RANK];
  if (broadcast_count > HLO_MAX_RANK) {
    hlo_fail(error, HLO_SHAPE_ERROR, "too many broadcast_dimensions");
    return NULL;
  }
  for (int32_t i = 0; i < broadcast_count; i++) dimensions[i] = (int64_t)broadcast_dimensions[i];
  hlo_build_elementwise(computation, (hlo_opcode)opcode, operand_count, operands, broadcast_count,
                        dimensions, attribute_count, attributes, &result, error);
  return result;
}

hlo_instruction *hlo_api_build_parameter(hlo_computation *computation, int32_t number,
                                         const char *shape_text, uint32_t shape_length,
                                         const char *name, uint32_t name_length) {
  hlo_error *error = hlo_api_begin();
  hlo_arena *arena = &computation->module->arena;
  hlo_instruction *result = NULL;
  const hlo_shape *shape;
  if (parse_whole_shape(arena, shape_text, shape_length, &shape, error) != HLO_OK) return NULL;
  const char *copy = name_length == 0 ? NULL : hlo_arena_copy_text(arena, name, name_length);
  if (name_length > 0 && copy == NULL) {
    hlo_fail_out_of_memory(error);
    return NULL;
  }
  hlo_build_parameter(computation, number, shape, copy, &result, error);
  return result;
}

hlo_instruction *hlo_api_build_constant(hlo_computation *computation, const hlo_array *array) {
  hlo_error *error = hlo_api_begin();
  hlo_arena arena = {0};
  hlo_literal literal;
  hlo_instruction *result = NULL;
  const hlo_shape *unpacked;
  hlo_status status = hlo_shape_unpacked(&arena, array->shape, &unpacked, error);
  if (status == HLO_OK) status = hlo_literal_make(&arena, unpacked, &literal, error);
  if (status == HLO_OK) {
    status = hlo_relayout(unpacked, literal.data, array->shape, array->buffer->data, error);
  }
  if (status == HLO_OK) hlo_build_constant(computation, &literal, &result, error);
  hlo_arena_free(&arena);
  return result;
}

void hlo_api_instruction_shape(const hlo_instruction *instruction) {
  hlo_json_shape(hlo_api_begin_text(), instruction->shape);
}
