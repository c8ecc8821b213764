// Imports regions as computations, and the operations that run them: loops, branches, calls. See
// import.h.
//
// A region may use values from outside, a computation may not. Constants are made anew inside;
// other values travel through the loop's carry or the branch's operand; where neither exists
// (reducers), they are an error.
#include "text/stablehlo/import/dynamic.h"
#include "text/unread.h"

#include <string.h>

// Argument `number` of the operation's region has the type that its value has.
static hlo_status check_argument(const mlir_operation *op, int32_t index, int32_t number,
                                 const hlo_shape *shape, hlo_error *error) {
  const hlo_shape *stated;
  char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
  HLO_TRY(hlo_import_value_shape(op, &op->regions[index]->arguments[number], &stated, error));
  if (hlo_import_fits(stated, shape)) return HLO_OK;
  return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                         "argument %d of region %d has shape %s, but gets %s", number, index,
                         hlo_shape_to_text(text_a, stated), hlo_shape_to_text(text_b, shape));
}

// A region with one parameter that holds the `carried` values: itself when there is one, else a
// tuple. The first of them become the region's arguments. A loop's body hands the others on: they
// are returned after the region's results.
static hlo_status fill_region(stablehlo_importer *im, const mlir_operation *op, int32_t index,
                              const mlir_list *carried, const hlo_instruction *operand,
                              bool hands_on, const stablehlo_saved_state *saved,
                              hlo_computation **out, hlo_error *error) {
  mlir_region *region = op->regions[index];
  mlir_operation *last = region->last;
  hlo_instruction *parameter;
  HLO_TRY(hlo_import_add_parameter(im, 0, operand->shape, &parameter, error));
  HLO_TRY(hlo_import_bind_region(im, op, operand, carried, error));
  for (int32_t i = 0; i < carried->count; i++) {
    mlir_value *value = i < region->argument_count ? &region->arguments[i] : carried->items[i];
    hlo_instruction *inside = parameter;
    if (carried->count != 1) HLO_TRY(hlo_import_element(im, parameter, i, &inside, error));
    if (i < region->argument_count) HLO_TRY(check_argument(op, index, i, inside->shape, error));
    value->instruction = inside;
  }
  HLO_TRY(hlo_import_copy_constants(im, region, error));
  if (hands_on && last != NULL) {
    mlir_list returned = {0};
    for (int32_t i = 0; i < last->operand_count; i++)
      HLO_TRY(hlo_mlir_list_add(im->parser, &returned, last->operands[i], error));
    for (int32_t i = region->argument_count; i < carried->count; i++)
      HLO_TRY(hlo_mlir_list_add(im->parser, &returned, carried->items[i], error));
    last->operand_count = returned.count;
    last->operands = (mlir_value **)returned.items;
  }
  return hlo_import_finish_region(im, region, saved, out, error);
}

// The region, or, with something unknown in it, *out = NULL and why.
static hlo_status try_region(stablehlo_importer *im, const mlir_operation *op, int32_t index,
                             const mlir_list *carried, const hlo_instruction *operand,
                             bool hands_on, hlo_computation **out, hlo_error **why,
                             hlo_error *error) {
  const mlir_region *region = op->regions[index];
  mlir_operation *last = region->last, stated = {0};
  stablehlo_saved_state saved;
  stablehlo_mark mark = hlo_import_get_mark(im);
  HLO_TRY(hlo_import_enter_region(im, op, region, carried, &saved, error));
  if (last != NULL) stated = *last;
  hlo_status status = hlo_import_check_region(region, error);
  if (status == HLO_OK)
    status = fill_region(im, op, index, carried, operand, hands_on, &saved, out, error);
  if (last != NULL) *last = stated; // a function may be imported several times
  if (status != HLO_UNSUPPORTED || error == NULL) return status;
  hlo_error reason = *error;
  hlo_error_clear(error);
  hlo_import_leave_region(im, &saved);
  hlo_import_rewind(im, mark);
  HLO_ALLOC(*why, &im->parser->tree, 1, error);
  **why = reason;
  *out = NULL;
  return HLO_OK;
}

// In the place of such a region: an error only if the program reaches it.
static hlo_status stand_in(stablehlo_importer *im, const hlo_instruction *operand,
                           const hlo_shape *result, const hlo_error *why, hlo_computation **out,
                           hlo_error *error) {
  if (hlo_shape_is_unbounded(result)) {
    *error = *why; // of what shape it would have been is not known
    return why->status;
  }
  HLO_TRY(hlo_computation_create(im->module, "unread", out, error));
  HLO_TRY(hlo_unread_stand_in(*out, 1, &operand->shape, result, why, error));
  HLO_TRY(hlo_computation_collect_parameters(*out, error));
  return hlo_mlir_list_add(im->parser, &im->finished, *out, error);
}

// Adds the region's captures that are no constants, each once for the operation.
static hlo_status add_captures(stablehlo_importer *im, const mlir_operation *op,
                               const mlir_region *region, mlir_list *carried, hlo_error *error) {
  for (int32_t i = 0; i < region->capture_count; i++) {
    mlir_value *value = region->captures[i];
    const hlo_instruction *instruction = value->instruction;
    if (instruction == NULL || instruction->computation != im->computation) {
      return hlo_import_fail(op, HLO_UNSUPPORTED, error,
                             "a value from outside of the region, %%%.*s, that is no constant is "
                             "not supported here",
                             100, value->name);
    }
    if (hlo_import_is_constant(instruction) || value->carried_by == region) continue;
    value->carried_by = region;
    HLO_TRY(hlo_mlir_list_add(im->parser, carried, value, error));
  }
  return HLO_OK;
}

static void forget_carriers(const mlir_operation *op) {
  for (int32_t i = 0; i < op->region_count; i++)
    for (int32_t k = 0; k < op->regions[i]->capture_count; k++)
      op->regions[i]->captures[k]->carried_by = NULL;
}

// The values as one operand.
static hlo_status carried_operand(stablehlo_importer *im, const mlir_list *carried,
                                  hlo_instruction **out, hlo_error *error) {
  hlo_instruction **elements;
  HLO_ALLOC(elements, &im->parser->tree, carried->count, error);
  for (int32_t i = 0; i < carried->count; i++)
    elements[i] = ((const mlir_value *)carried->items[i])->instruction;
  return hlo_import_tuple(im, carried->count, elements, out, error);
}

static hlo_status check_regions(const mlir_operation *op, int32_t count, int32_t arguments,
                                hlo_error *error) {
  if (count > 0 && op->region_count != count)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has %d regions, not %d", op->region_count,
                           count);
  for (int32_t i = 0; i < op->region_count; i++) {
    if (op->regions[i]->argument_count != arguments && hlo_import_is_read(op->regions[i]))
      return hlo_import_fail(op, HLO_PARSE_ERROR, error, "region %d takes %d arguments, not %d", i,
                             op->regions[i]->argument_count, arguments);
  }
  return HLO_OK;
}

// --- loops ---

hlo_status hlo_import_while(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  mlir_list carried = {0};
  hlo_instruction **operands, *operand, *loop;
  hlo_computation *condition, *body;
  HLO_TRY(check_regions(op, 2, op->operand_count, error));
  if (op->result_count != op->operand_count)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has %d operands but %d results",
                           op->operand_count, op->result_count);
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  forget_carriers(op);
  // The operands may repeat, and their values in the loop are the regions' arguments: stand-ins.
  for (int32_t i = 0; i < op->operand_count; i++)
    HLO_TRY(hlo_mlir_list_add(im->parser, &carried, op->operands[i], error));
  HLO_TRY(add_captures(im, op, op->regions[0], &carried, error));
  for (int32_t i = op->operand_count; i < carried.count; i++)
    ((mlir_value *)carried.items[i])->carried_by = op->regions[1];
  HLO_TRY(add_captures(im, op, op->regions[1], &carried, error));
  HLO_TRY(carried_operand(im, &carried, &operand, error));
  hlo_error *why;
  HLO_TRY(try_region(im, op, 0, &carried, operand, false, &condition, &why, error));
  if (condition == NULL)
    HLO_TRY(stand_in(im, operand, hlo_shape_scalar(HLO_PRED), why, &condition, error));
  HLO_TRY(try_region(im, op, 1, &carried, operand, true, &body, &why, error));
  if (body == NULL) HLO_TRY(stand_in(im, operand, operand->shape, why, &body, error));
  hlo_attribute attributes[2];
  hlo_arena *arena = &im->module->arena;
  HLO_TRY(hlo_attribute_make_computation(arena, HLO_ATTRIBUTE_CONDITION, condition, &attributes[0],
                                         error));
  HLO_TRY(hlo_attribute_make_computation(arena, HLO_ATTRIBUTE_BODY, body, &attributes[1], error));
  HLO_TRY(
      hlo_import_emit(im, HLO_OP_WHILE, operand->shape, 1, &operand, 2, attributes, &loop, error));
  if (carried.count == 1 && op->result_count == 1) return hlo_import_set_result(op, 0, loop, error);
  for (int32_t i = 0; i < op->result_count; i++) {
    hlo_instruction *element;
    HLO_TRY(hlo_import_element(im, loop, i, &element, error));
    HLO_TRY(hlo_import_set_result(op, i, element, error));
  }
  return HLO_OK;
}

// --- branches ---

// One branch, with the values that it captures as its operand.
static hlo_status import_branch(stablehlo_importer *im, const mlir_operation *op, int32_t index,
                                hlo_instruction **operand, hlo_computation **out, hlo_error **why,
                                hlo_error *error) {
  mlir_list carried = {0};
  HLO_TRY(add_captures(im, op, op->regions[index], &carried, error));
  HLO_TRY(carried_operand(im, &carried, operand, error));
  return try_region(im, op, index, &carried, *operand, false, out, why, error);
}

// Of the shape that the operation states or, where that leaves sizes open, another branch has.
static hlo_status replace_unread(stablehlo_importer *im, const mlir_operation *op,
                                 hlo_instruction *const *operands, hlo_error *const *why,
                                 hlo_computation **branches, hlo_error *error) {
  const hlo_computation *read = NULL;
  const hlo_shape *shape;
  for (int32_t i = 0; i < op->region_count; i++) {
    if (branches[i] != NULL) read = branches[i];
  }
  for (int32_t i = 0; i < op->region_count; i++) {
    if (branches[i] != NULL) continue;
    HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
    if (hlo_shape_is_unbounded(shape) && read != NULL) shape = read->root->shape;
    HLO_TRY(stand_in(im, operands[i + 1], shape, why[i], &branches[i], error));
  }
  return HLO_OK;
}

static hlo_status import_branches(stablehlo_importer *im, const mlir_operation *op,
                                  hlo_instruction **operands, hlo_computation **branches,
                                  hlo_error *error) {
  HLO_TRY(hlo_import_operand_count(op, 1, error));
  HLO_TRY(hlo_import_operand(im, op, 0, &operands[0], error));
  forget_carriers(op);
  hlo_error **why;
  HLO_ALLOC(why, &im->parser->tree, op->region_count, error);
  for (int32_t i = 0; i < op->region_count; i++)
    HLO_TRY(import_branch(im, op, i, &operands[i + 1], &branches[i], &why[i], error));
  return replace_unread(im, op, operands, why, branches, error);
}

static hlo_status emit_conditional(stablehlo_importer *im, const mlir_operation *op,
                                   hlo_instruction *const *operands, int32_t attribute_count,
                                   const hlo_attribute *attributes, hlo_error *error) {
  const hlo_shape *shape;
  hlo_instruction *conditional;
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_CONDITIONAL, shape, op->region_count + 1, operands,
                          attribute_count, attributes, &conditional, error));
  return hlo_import_set_results(im, op, conditional, error);
}

hlo_status hlo_import_if(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  hlo_instruction *operands[3];
  hlo_computation *branches[2];
  hlo_attribute attributes[2];
  hlo_arena *arena = &im->module->arena;
  HLO_TRY(check_regions(op, 2, 0, error));
  HLO_TRY(import_branches(im, op, operands, branches, error));
  HLO_TRY(hlo_attribute_make_computation(arena, HLO_ATTRIBUTE_TRUE_COMPUTATION, branches[0],
                                         &attributes[0], error));
  HLO_TRY(hlo_attribute_make_computation(arena, HLO_ATTRIBUTE_FALSE_COMPUTATION, branches[1],
                                         &attributes[1], error));
  return emit_conditional(im, op, operands, 2, attributes, error);
}

hlo_status hlo_import_case(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  hlo_instruction **operands;
  hlo_computation **branches;
  hlo_attribute attribute;
  HLO_TRY(check_regions(op, 0, 0, error));
  if (op->region_count == 0) return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has no branches");
  HLO_ALLOC(operands, &im->parser->tree, (int64_t)op->region_count + 1, error);
  HLO_ALLOC(branches, &im->parser->tree, op->region_count, error);
  HLO_TRY(import_branches(im, op, operands, branches, error));
  HLO_TRY(hlo_attribute_make_computations(&im->module->arena, HLO_ATTRIBUTE_BRANCH_COMPUTATIONS,
                                          op->region_count, branches, &attribute, error));
  return emit_conditional(im, op, operands, 1, &attribute, error);
}

// --- calls ---

static hlo_status emit_call(stablehlo_importer *im, const mlir_operation *op, const char *symbol,
                            hlo_attribute *attributes, int32_t attribute_count, hlo_error *error) {
  hlo_computation *callee;
  hlo_instruction **operands, *call;
  const hlo_shape *shape;
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_callee(im, op, hlo_mlir_find_attribute(op, symbol), op->operand_count,
                            operands, &callee, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(hlo_attribute_make_computation(&im->module->arena, HLO_ATTRIBUTE_TO_APPLY, callee,
                                         &attributes[attribute_count], error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, HLO_OP_CALL, shape, op->operand_count, operands, attribute_count + 1,
                          attributes, &call, error));
  return hlo_import_set_results(im, op, call, error);
}

hlo_status hlo_import_call(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  hlo_attribute attributes[1];
  return emit_call(im, op, "callee", attributes, 0, error);
}

// {composite.attributes={k = 1 : i64},composite.name="chlo.top_k",composite.version="1"}
static hlo_status composite_text(stablehlo_importer *im, const mlir_operation *op, const char **out,
                                 hlo_error *error) {
  const mlir_attribute *name = hlo_mlir_find_attribute(op, "name");
  const mlir_attribute *version = hlo_mlir_find_attribute(op, "version");
  const mlir_attribute *inner = hlo_mlir_find_attribute(op, "composite_attributes");
  if (name == NULL || name->kind != MLIR_STRING)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has no name");
  hlo_string text = {0};
  hlo_string_add(&text, "{composite.attributes=");
  if (inner == NULL) hlo_string_add(&text, "{}");
  else hlo_string_add_bytes(&text, inner->at, inner->source_length);
  hlo_string_add(&text, ",composite.name=");
  hlo_import_add_quoted(&text, name->text);
  hlo_string_add_format(&text, ",composite.version=\"%lld\"}",
                        version == NULL ? 0LL : (long long)version->integer);
  return hlo_import_keep(im, &text, out, error);
}

hlo_status hlo_import_composite(stablehlo_importer *im, const mlir_operation *op,
                                hlo_error *error) {
  hlo_attribute attributes[3];
  const char *text;
  HLO_TRY(composite_text(im, op, &text, error));
  attributes[0] = hlo_attribute_make_int(HLO_ATTRIBUTE_IS_COMPOSITE, 1);
  attributes[1] = hlo_attribute_make_text(HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES, text);
  return emit_call(im, op, "decomposition", attributes, 2, error);
}

// --- barriers ---

hlo_status hlo_import_barrier(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  hlo_instruction **operands, *operand, *barrier;
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  if (op->result_count != op->operand_count)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has %d operands but %d results",
                           op->operand_count, op->result_count);
  HLO_TRY(hlo_import_tuple(im, op->operand_count, operands, &operand, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_OPTIMIZATION_BARRIER, operand->shape, 1, &operand, 0, NULL,
                          &barrier, error));
  return hlo_import_set_results(im, op, barrier, error);
}

// What starts here is done at once: the future is the region's value, and waiting for it nothing.
hlo_status hlo_import_async_start(stablehlo_importer *im, const mlir_operation *op,
                                  hlo_error *error) {
  hlo_computation *body;
  hlo_instruction **operands, *result;
  hlo_attribute to_apply;
  if (op->region_count != 1 || op->result_count != 1)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "needs a region, and has one result");
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_reducer(im, op, 0, &body, error));
  HLO_TRY(hlo_attribute_make_computation(&im->module->arena, HLO_ATTRIBUTE_TO_APPLY, body,
                                         &to_apply, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_CALL, body->root->shape, op->operand_count, operands, 1,
                          &to_apply, &result, error));
  op->results[0].instruction = result;
  return HLO_OK;
}

hlo_status hlo_import_async_done(stablehlo_importer *im, const mlir_operation *op,
                                 hlo_error *error) {
  hlo_instruction *future;
  HLO_TRY(hlo_import_operand_count(op, 1, error));
  HLO_TRY(hlo_import_operand(im, op, 0, &future, error));
  return hlo_import_set_results(im, op, future, error);
}
