// Constraints on sizes in MLIR's dialect shape: shape.cstr_* produce a witness, a pred that is
// asserted there, and the region of shape.assuming is inlined.
#include "shape/literal.h"
#include "text/stablehlo/forms.h"
#include "text/stablehlo/import/dynamic.h"
#include "text/stablehlo/import/sizes.h"

#include <string.h>

bool hlo_witness_is(const char *name) {
  static const char *const names[] = {"shape.assuming",           "shape.assuming_all",
                                      "shape.assuming_yield",     "shape.const_witness",
                                      "shape.cstr_broadcastable", "shape.cstr_eq",
                                      "shape.cstr_require",       "shape.is_broadcastable"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

// --- reading ---

static const mlir_type *pred_type(mlir_parser *p, const char *text, hlo_error *error) {
  mlir_type *type = hlo_arena_alloc(&p->tree, sizeof *type);
  if (type == NULL) {
    hlo_fail_out_of_memory(error);
    return NULL;
  }
  *type = (mlir_type){.kind = MLIR_TYPE_ELEMENT, .shape = hlo_shape_scalar(HLO_PRED)};
  type->at = text, type->length = strlen(text);
  return type;
}

// "shape.assuming %w -> (T, T) { … }", "shape.assuming %w { … }"
static hlo_status read_assuming(mlir_parser *p, mlir_operation *op, mlir_list *operands,
                                hlo_error *error) {
  mlir_list results = {0}, regions = {0};
  mlir_region *region;
  bool found;
  HLO_TRY(hlo_mlir_accept(p, MLIR_TOKEN_ARROW, &found, error));
  if (found) {
    HLO_TRY(hlo_mlir_expect(p, '(', error));
    HLO_TRY(hlo_mlir_type_list(p, &results, error));
    HLO_TRY(hlo_mlir_expect(p, ')', error));
  }
  HLO_TRY(hlo_mlir_expect(p, '{', error));
  HLO_TRY(hlo_mlir_region_body(p, MLIR_REGION_INNER, NULL, 0, &region, error));
  HLO_TRY(hlo_mlir_list_add(p, &regions, region, error));
  hlo_mlir_finish_regions(op, &regions);
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  HLO_TRY(hlo_mlir_finish_operands(p, op, operands, NULL, error));
  return hlo_mlir_finish_results(p, op, results.count, (const mlir_type *const *)results.items,
                                 error);
}

// "%a, %b : T, T", "%p, "message"", "true"
hlo_status hlo_witness_read(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0}, types = {0};
  mlir_attribute *value;
  bool found, is_require = strcmp(op->name, "shape.cstr_require") == 0;
  HLO_TRY(hlo_mlir_operands(p, &operands, error));
  if (strcmp(op->name, "shape.assuming") == 0) return read_assuming(p, op, &operands, error);
  if (is_require) HLO_TRY(hlo_mlir_expect(p, ',', error));
  if (is_require || strcmp(op->name, "shape.const_witness") == 0) {
    HLO_TRY(hlo_mlir_untyped_attribute(p, &value, error));
    HLO_TRY(hlo_mlir_add_attribute(p, op, value->kind == MLIR_STRING ? "msg" : "passing", value,
                                   error));
  }
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  HLO_TRY(hlo_mlir_accept(p, ':', &found, error));
  if (found) HLO_TRY(hlo_mlir_type_list(p, &types, error));
  HLO_TRY(hlo_mlir_finish_operands(p, op, &operands, found ? &types : NULL, error));
  if (strcmp(op->name, "shape.assuming_yield") == 0) return HLO_OK;
  const mlir_type *result = pred_type(
      p, strcmp(op->name, "shape.is_broadcastable") == 0 ? "i1" : "!shape.witness", error);
  return result == NULL ? HLO_OUT_OF_MEMORY : hlo_mlir_finish_results(p, op, 1, &result, error);
}

// --- importing ---

static hlo_status need_lists(const mlir_operation *op, hlo_instruction *const *x,
                             hlo_error *error) {
  bool fits = op->operand_count > 0;
  for (int32_t i = 0; fits && i < op->operand_count; i++)
    fits = hlo_shape_is_array(x[i]->shape) && x[i]->shape->rank == 1 &&
           x[i]->shape->dims[0] <= HLO_MAX_RANK;
  return fits ? HLO_OK : hlo_import_fail(op, HLO_SHAPE_ERROR, error, "takes lists of sizes");
}

// Whether the sizes are equal, or one of them is 1 if that is as good.
static hlo_status sizes_fit(stablehlo_importer *im, hlo_instruction *a, hlo_instruction *b,
                            bool one_fits, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *one, *is_one;
  HLO_TRY(hlo_import_compare(im, "EQ", a, b, out, error));
  if (!one_fits) return HLO_OK;
  HLO_TRY(hlo_import_integer(im, 1, &one, error));
  HLO_TRY(hlo_import_compare(im, "EQ", a, one, &is_one, error));
  HLO_TRY(hlo_import_binary(im, HLO_OP_OR, *out, is_one, out, error));
  HLO_TRY(hlo_import_compare(im, "EQ", b, one, &is_one, error));
  return hlo_import_binary(im, HLO_OP_OR, *out, is_one, out, error);
}

// All lists with each other, from their ends; where shapes must be equal, from any.
static hlo_status lists_fit(stablehlo_importer *im, const mlir_operation *op,
                            hlo_instruction *const *x, bool one_fits, hlo_instruction **out,
                            hlo_error *error) {
  hlo_instruction *fits, *sizes[2];
  bool holds = true;
  HLO_TRY(need_lists(op, x, error));
  for (int32_t i = 1; i < op->operand_count && !one_fits; i++)
    holds = holds && x[i]->shape->dims[0] == x[0]->shape->dims[0];
  HLO_TRY(hlo_import_number(im, hlo_shape_scalar(HLO_PRED), holds, out, error));
  for (int32_t k = 0; k < op->operand_count && holds; k++)
    for (int32_t i = 0; i < k; i++)
      for (int64_t back = 1; back <= x[k]->shape->dims[0] && back <= x[i]->shape->dims[0]; back++) {
        HLO_TRY(hlo_import_list_integer(im, x[i], x[i]->shape->dims[0] - back, &sizes[0], error));
        HLO_TRY(hlo_import_list_integer(im, x[k], x[k]->shape->dims[0] - back, &sizes[1], error));
        HLO_TRY(sizes_fit(im, sizes[0], sizes[1], one_fits, &fits, error));
        HLO_TRY(hlo_import_binary(im, HLO_OP_AND, *out, fits, out, error));
      }
  return HLO_OK;
}

static hlo_status require(stablehlo_importer *im, const mlir_operation *op,
                          hlo_instruction *condition, hlo_error *error) {
  const mlir_attribute *message = hlo_mlir_find_attribute(op, "msg");
  const char *text = message == NULL ? NULL : message->text;
  stablehlo_known holds;
  if (!hlo_shape_is_scalar(condition->shape) || condition->shape->type != HLO_PRED)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "the condition must be a pred[]");
  HLO_TRY(hlo_import_known(im, condition, &holds, error));
  if (holds[0] == NULL)
    return hlo_import_assert_when_run(im, text == NULL ? op->name : text, condition, 0, NULL,
                                      error);
  if (*(const uint8_t *)holds[0] != 0) return HLO_OK;
  return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "%.*s", 200,
                         text == NULL ? "does not hold" : text);
}

static hlo_status import_assuming(stablehlo_importer *im, const mlir_operation *op,
                                  hlo_error *error) {
  const mlir_region *region = op->region_count == 1 ? op->regions[0] : NULL;
  const mlir_operation *last = region == NULL ? NULL : region->last;
  if (last == NULL || strcmp(last->name, "shape.assuming_yield") != 0 ||
      last->operand_count != op->result_count)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error,
                           "needs a region whose shape.assuming_yield has its %d results",
                           op->result_count);
  HLO_TRY(hlo_import_operations(im, region, error));
  for (int32_t i = 0; i < op->result_count; i++) {
    hlo_instruction *x;
    HLO_TRY(hlo_import_operand(im, last, i, &x, error));
    HLO_TRY(hlo_import_set_result(op, i, x, error));
  }
  im->operation = op;
  return HLO_OK;
}

hlo_status hlo_import_witness(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  const char *name = op->name + strlen("shape.");
  hlo_instruction **x, *result = NULL;
  if (strcmp(name, "assuming") == 0) return import_assuming(im, op, error);
  HLO_TRY(hlo_import_operands(im, op, &x, error));
  bool is_question = strcmp(name, "is_broadcastable") == 0, is_eq = strcmp(name, "cstr_eq") == 0;
  if (is_question || is_eq || strcmp(name, "cstr_broadcastable") == 0) {
    HLO_TRY(lists_fit(im, op, x, !is_eq, &result, error));
  } else if (strcmp(name, "const_witness") == 0) {
    const mlir_attribute *passing = hlo_mlir_find_attribute(op, "passing");
    bool holds = passing != NULL && passing->kind == MLIR_BOOL && passing->integer != 0;
    HLO_TRY(hlo_import_number(im, hlo_shape_scalar(HLO_PRED), holds, &result, error));
  } else { // cstr_require; assuming_all of witnesses that hold
    if (op->operand_count < 1)
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "takes at least one operand");
    result = x[0];
  }
  if (!is_question && strcmp(name, "assuming_all") != 0) HLO_TRY(require(im, op, result, error));
  if (op->result_count != 1) return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "has one result");
  return hlo_import_set_result(op, 0, result, error);
}
