// Imports the custom calls that exporters of shape-polymorphic programs write for operations with
// sizes as operands, and determines the sizes of results that operands give. See
// dynamic.h. Source: "Dynamism in StableHLO" and jax.export's documentation.
#include "text/stablehlo/import/dynamic.h"

#include <string.h>

// (values…, initial values…, window_dimensions, window_strides, base_dilations, window_dilations,
// padding)
static hlo_status import_reduce_window(stablehlo_importer *im, const mlir_operation *op,
                                       hlo_error *error) {
  static const int32_t fields[] = {HLO_WINDOW_SIZE, HLO_WINDOW_STRIDE, HLO_WINDOW_LHS_DILATION,
                                   HLO_WINDOW_RHS_DILATION};
  int32_t values = op->operand_count - 5, count;
  int64_t window[HLO_MAX_RANK * HLO_WINDOW_FIELDS] = {0};
  const int64_t *ints;
  hlo_instruction **operands, *result;
  hlo_attribute attributes[2];
  hlo_computation *reducer;
  const hlo_shape *shape;
  const mlir_attribute *called = hlo_mlir_find_attribute(op, "called_computations");
  if (values < 2 || called == NULL || called->kind != MLIR_ARRAY || called->count != 1)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "takes values, initial values, five lists and one computation");
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  int32_t rank = operands[0]->shape->rank;
  for (int32_t f = 0; f < 4; f++) {
    HLO_TRY(hlo_import_known_ints(im, op, values + f, rank, &count, &ints, error));
    for (int32_t i = 0; i < rank; i++) window[i * HLO_WINDOW_FIELDS + fields[f]] = ints[i];
  }
  HLO_TRY(hlo_import_known_ints(im, op, values + 4, 2 * rank, &count, &ints, error));
  for (int32_t i = 0; i < rank; i++) {
    window[i * HLO_WINDOW_FIELDS + HLO_WINDOW_PAD_LOW] = ints[2 * i];
    window[i * HLO_WINDOW_FIELDS + HLO_WINDOW_PAD_HIGH] = ints[2 * i + 1];
  }
  hlo_arena *arena = &im->module->arena;
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_WINDOW, rank * HLO_WINDOW_FIELDS, window,
                                  &attributes[0], error));
  HLO_TRY(hlo_import_callee(im, op, called->elements[0], 0, NULL, &reducer, error));
  HLO_TRY(hlo_attribute_make_computation(arena, HLO_ATTRIBUTE_TO_APPLY, reducer, &attributes[1],
                                         error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, HLO_OP_REDUCE_WINDOW, shape, values, operands, 2, attributes, &result,
                          error));
  return hlo_import_set_results(im, op, result, error);
}

// (state, sizes of the bits)
static hlo_status import_rng_bit_generator(stablehlo_importer *im, const mlir_operation *op,
                                           hlo_error *error) {
  hlo_instruction *state, *result;
  const hlo_shape *shapes[2], *shape;
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t rank, count = 0;
  const int64_t *sizes;
  HLO_TRY(hlo_import_operand_count(op, 2, error));
  if (op->result_count != 2)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "has two results, a state and bits");
  HLO_TRY(hlo_import_operand(im, op, 0, &state, error));
  HLO_TRY(hlo_import_value_shape(op, &op->results[1], &shapes[1], error));
  HLO_TRY(hlo_import_known_ints(im, op, 1, -1, &rank, &sizes, error));
  HLO_TRY(hlo_import_with_sizes(im, op, shapes[1], rank, sizes, &shapes[1], error));
  shapes[0] = state->shape;
  HLO_TRY(hlo_shape_make_tuple(&im->module->arena, 2, shapes, &shape, error));
  HLO_TRY(hlo_import_attributes(im, HLO_OP_RNG_BIT_GENERATOR, op, attributes, &count, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_RNG_BIT_GENERATOR, shape, 1, &state, count, attributes,
                          &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// (values, k)
static hlo_status import_top_k(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  hlo_instruction *x, *result;
  hlo_attribute attributes[2];
  const hlo_shape *shape;
  int32_t count;
  const int64_t *k;
  HLO_TRY(hlo_import_operand_count(op, 2, error));
  HLO_TRY(hlo_import_operand(im, op, 0, &x, error));
  HLO_TRY(hlo_import_known_ints(im, op, 1, 1, &count, &k, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  attributes[0] = hlo_attribute_make_int(HLO_ATTRIBUTE_K, k[0]);
  attributes[1] = hlo_attribute_make_int(HLO_ATTRIBUTE_LARGEST, 1);
  HLO_TRY(hlo_import_emit(im, HLO_OP_TOPK, shape, 1, &x, 2, attributes, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// The message with {0}, {1}, … replaced by the operands after the first.
static hlo_status assertion_text(stablehlo_importer *im, const mlir_operation *op,
                                 const char *message, hlo_string *text, hlo_error *error) {
  for (const char *at = message; *at != '\0'; at++) {
    int32_t count, index = at[0] == '{' && at[1] >= '0' && at[1] <= '9' ? at[1] - '0' + 1 : 0;
    const int64_t *value = NULL;
    if (index > 0 && index < op->operand_count && strchr(at, '}') != NULL)
      HLO_TRY(hlo_import_maybe_known_ints(im, op, index, &count, &value, error));
    if (value == NULL || count != 1) {
      hlo_string_add_char(text, *at);
      continue;
    }
    hlo_string_add_int(text, value[0]);
    at = strchr(at, '}');
  }
  return HLO_OK;
}

// src/run knows the target.
hlo_status hlo_import_assert_when_run(stablehlo_importer *im, const char *message,
                                      hlo_instruction *condition, int32_t count,
                                      hlo_instruction *const *scalars, hlo_error *error) {
  hlo_instruction **operands, *result;
  const hlo_shape *nothing;
  hlo_string quoted = {0};
  const char *config = NULL;
  hlo_arena *arena = &im->module->arena;
  HLO_ALLOC(operands, arena, count + 1, error);
  operands[0] = condition;
  for (int32_t i = 0; i < count; i++) operands[i + 1] = scalars[i];
  HLO_TRY(hlo_shape_make_tuple(arena, 0, NULL, &nothing, error));
  hlo_import_add_quoted(&quoted, message);
  hlo_status status = hlo_string_status(&quoted, error);
  if (status == HLO_OK) {
    config = hlo_arena_copy_text(arena, quoted.text, quoted.length);
    if (config == NULL) status = hlo_fail_out_of_memory(error);
  }
  hlo_string_free(&quoted);
  HLO_TRY(status);
  const hlo_attribute attributes[] = {
      hlo_attribute_make_text(HLO_ATTRIBUTE_CUSTOM_CALL_TARGET, "shape_assertion"),
      hlo_attribute_make_int(HLO_ATTRIBUTE_CUSTOM_CALL_HAS_SIDE_EFFECT, 1),
      hlo_attribute_make_text(HLO_ATTRIBUTE_BACKEND_CONFIG, config)};
  return hlo_import_emit(im, HLO_OP_CUSTOM_CALL, nothing, count + 1, operands, 3, attributes,
                         &result, error);
}

// (pred, integers of the message…): sizes that the exported program was not made for.
static hlo_status import_assertion(stablehlo_importer *im, const mlir_operation *op,
                                   hlo_error *error) {
  hlo_instruction *condition;
  stablehlo_known holds;
  if (op->operand_count < 1 || op->result_count != 0)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "takes a condition and has no result");
  HLO_TRY(hlo_import_operand(im, op, 0, &condition, error));
  if (!hlo_shape_is_scalar(condition->shape) || condition->shape->type != HLO_PRED)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "the condition must be a pred[]");
  HLO_TRY(hlo_import_known(im, condition, &holds, error));
  const mlir_attribute *message = hlo_mlir_find_attribute(op, "error_message");
  if (message == NULL)
    message = hlo_mlir_find_attribute(op, "backend_config"); // as our printer writes it
  const char *template =
      message == NULL || message->text == NULL ? "it does not hold" : message->text;
  if (holds[0] == NULL) { // not known yet: the program asserts it
    hlo_instruction **operands;
    HLO_TRY(hlo_import_operands(im, op, &operands, error));
    return hlo_import_assert_when_run(im, template, condition, op->operand_count - 1, operands + 1,
                                      error);
  }
  if (*(const uint8_t *)holds[0] != 0) return HLO_OK;
  hlo_string text = {0};
  hlo_status status = assertion_text(im, op, template, &text, error);
  if (status == HLO_OK)
    status = hlo_import_fail(op, HLO_SHAPE_ERROR, error, "%.*s", 1000,
                             text.text == NULL ? "" : text.text);
  hlo_string_free(&text);
  return status;
}

// (value, its sizes): the value.
static hlo_status import_wrapper(stablehlo_importer *im, const mlir_operation *op,
                                 hlo_error *error) {
  hlo_instruction *x;
  HLO_TRY(hlo_import_operand_count(op, 2, error));
  HLO_TRY(hlo_import_operand(im, op, 0, &x, error));
  if (op->result_count != 1 || op->results[0].type->kind != MLIR_TYPE_SHAPED ||
      !hlo_import_fits(op->results[0].type->shape, x->shape))
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "has one result, its first operand");
  return hlo_import_set_results(im, op, x, error);
}

static const struct {
  const char *target;
  hlo_import_function *import;
} calls[] = {
    {"stablehlo.dynamic_reduce_window", import_reduce_window},
    {"stablehlo.dynamic_rng_bit_generator", import_rng_bit_generator},
    {"stablehlo.dynamic_top_k", import_top_k},
    {"stablehlo.shape_refinement_operand_wrapper", import_wrapper},
    {"shape_assertion", import_assertion},
};

hlo_import_function *hlo_import_dynamic_call(const char *target) {
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strcmp(calls[i].target, target) == 0) return calls[i].import;
  return NULL;
}
