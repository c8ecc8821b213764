// Identities of tuples, control flow and reductions. See simplify.h.
#include "passes/simplify/simplify.h"

#include "passes/lower/expand.h"

#include "hlo/rewrite.h"

#include <string.h>

hlo_status hlo_simplify_get_tuple_element(hlo_instruction *x, hlo_instruction **out,
                                          hlo_error *error) {
  (void)error;
  const hlo_instruction *tuple = x->operands[0];
  if (tuple->opcode != HLO_OP_TUPLE) return HLO_OK;
  hlo_instruction *element = tuple->operands[hlo_get_int(x, HLO_ATTRIBUTE_INDEX, 0)];
  if (hlo_shape_equal(element->shape, x->shape)) *out = element;
  return HLO_OK;
}

// A tuple of all elements of a tuple is that tuple.
hlo_status hlo_simplify_tuple(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  (void)error;
  if (x->operand_count == 0 || x->operands[0]->opcode != HLO_OP_GET_TUPLE_ELEMENT) return HLO_OK;
  hlo_instruction *source = x->operands[0]->operands[0];
  if (!hlo_shape_equal(source->shape, x->shape)) return HLO_OK;
  for (int32_t i = 0; i < x->operand_count; i++) {
    const hlo_instruction *element = x->operands[i];
    if (element->opcode != HLO_OP_GET_TUPLE_ELEMENT || element->operands[0] != source ||
        hlo_get_int(element, HLO_ATTRIBUTE_INDEX, 0) != i) {
      return HLO_OK;
    }
  }
  *out = source;
  return HLO_OK;
}

// A conditional on a constant becomes a call.
hlo_status hlo_simplify_conditional(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_number chosen;
  hlo_attribute function;
  if (!hlo_simplify_splat_value(x->operands[0], &chosen)) return HLO_OK;
  int32_t branches = x->operand_count - 1, branch;
  bool is_pred = x->operands[0]->shape->type == HLO_PRED;
  if (is_pred) branch = chosen.u != 0 ? 0 : 1;
  else branch = chosen.i < 0 || chosen.i >= branches ? branches - 1 : (int32_t)chosen.i;
  const hlo_attribute *list = hlo_find_attribute(x, HLO_ATTRIBUTE_BRANCH_COMPUTATIONS);
  hlo_computation *callee =
      list != NULL ? list->computations[branch]
                   : hlo_get_computation(x, branch == 0 ? HLO_ATTRIBUTE_TRUE_COMPUTATION
                                                        : HLO_ATTRIBUTE_FALSE_COMPUTATION);
  HLO_TRY(hlo_attribute_make_computation(&x->computation->module->arena, HLO_ATTRIBUTE_TO_APPLY,
                                         callee, &function, error));
  return hlo_simplify_build(x, HLO_OP_CALL, x->shape, callee->parameter_count,
                            &x->operands[branch + 1], 1, &function, out, error);
}

// A loop whose condition is false from the start.
hlo_status hlo_simplify_while(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  (void)error;
  const hlo_computation *condition = hlo_get_computation(x, HLO_ATTRIBUTE_CONDITION);
  if (condition->has_side_effect || !hlo_simplify_is_integer(condition->root, 0)) return HLO_OK;
  if (hlo_shape_equal(x->shape, x->operands[0]->shape)) *out = x->operands[0];
  return HLO_OK;
}

// --- reductions ---

// A reduction of one element per result applies the reducer to it and the initial value, on whole
// arrays.
static hlo_status apply_once(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  const hlo_computation *reducer = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  const hlo_instruction *root = reducer->root;
  hlo_arena *arena = &x->computation->module->arena;
  bool is_tuple = !hlo_shape_is_array(x->shape);
  const hlo_shape *dims = is_tuple ? x->shape->elements[0] : x->shape, *shape;
  int32_t count = x->operand_count / 2;
  hlo_instruction **arguments, **made;
  if (!hlo_is_expressible(reducer)) return HLO_OK;
  HLO_ALLOC(arguments, arena, x->operand_count, error);
  HLO_ALLOC(made, arena, reducer->instruction_count, error);
  for (int32_t i = 0; i < x->operand_count; i++) { // first what is running, then elements
    hlo_instruction *operand = x->operands[(i + count) % x->operand_count];
    hlo_type type = operand->shape->type;
    if (type != reducer->parameters[i]->shape->type) return HLO_OK;
    HLO_TRY(hlo_shape_with_type(arena, dims, type, true, &shape, error));
    if (i < count) HLO_TRY(hlo_simplify_broadcast(operand, shape, &arguments[i], error));
    else
      HLO_TRY(
          hlo_simplify_build(x, HLO_OP_RESHAPE, shape, 1, &operand, 0, NULL, &arguments[i], error));
  }
  HLO_TRY(hlo_expand(x, dims, reducer, arguments, made, error));
  if (!is_tuple) return hlo_simplify_use(x, made[root->id], out, error);
  for (int32_t k = 0; k < count; k++) {
    arguments[k] = made[root->operands[k]->id];
    if (!hlo_shape_equal(arguments[k]->shape, x->shape->elements[k])) return HLO_OK;
  }
  return hlo_simplify_build(x, HLO_OP_TUPLE, x->shape, count, arguments, 0, NULL, out, error);
}

// A reduction of a transposed array reduces the array itself where the remaining dimensions keep
// their order.
static hlo_status skip_transpose(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  const hlo_instruction *moved = x->operands[0];
  bool reduced[HLO_MAX_RANK] = {false};
  int64_t dimensions[HLO_MAX_RANK], last = -1;
  int32_t count, rank, n = 0;
  const int64_t *old = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  const int64_t *order = hlo_get_ints(moved, HLO_ATTRIBUTE_DIMENSIONS, &rank);
  for (int32_t i = 0; i < count; i++) reduced[old[i]] = true;
  for (int32_t i = 0; i < rank; i++) {
    if (reduced[i]) continue;
    if (order[i] < last) return HLO_OK;
    last = order[i];
  }
  for (int64_t d = 0; d < rank; d++) {
    for (int32_t i = 0; i < rank; i++) {
      if (reduced[i] && order[i] == d) dimensions[n++] = d;
    }
  }
  hlo_attribute *attributes;
  hlo_arena *arena = &x->computation->module->arena;
  HLO_ALLOC(attributes, arena, x->attribute_count, error);
  for (int32_t i = 0; i < x->attribute_count; i++) {
    attributes[i] = x->attributes[i];
    if (attributes[i].id != HLO_ATTRIBUTE_DIMENSIONS) continue;
    HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_DIMENSIONS, n, dimensions, &attributes[i],
                                    error));
  }
  hlo_instruction *operands[2] = {moved->operands[0], x->operands[1]};
  return hlo_simplify_build(x, HLO_OP_REDUCE, x->shape, 2, operands, x->attribute_count, attributes,
                            out, error);
}

// Windows that are one element each.
hlo_status hlo_simplify_reduce_window(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  int32_t count;
  const int64_t *field = hlo_get_ints(x, HLO_ATTRIBUTE_WINDOW, &count);
  for (int32_t i = 0; i < count; i += HLO_WINDOW_FIELDS, field += HLO_WINDOW_FIELDS) {
    if (field[HLO_WINDOW_SIZE] != 1 || field[HLO_WINDOW_STRIDE] != 1 ||
        field[HLO_WINDOW_PAD_LOW] != 0 || field[HLO_WINDOW_PAD_HIGH] != 0 ||
        field[HLO_WINDOW_LHS_DILATION] != 1)
      return hlo_simplify_padded_window(x, out, error);
  }
  return hlo_shape_elements(x->operands[0]->shape) > 0 ? apply_once(x, out, error) : HLO_OK;
}

// Rows of one element are sorted.
hlo_status hlo_simplify_sort(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  int32_t count;
  const int64_t *dimension = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  if (x->operands[0]->shape->dims[count > 0 ? dimension[0] : 0] != 1) return HLO_OK;
  if (hlo_shape_is_array(x->shape)) return hlo_simplify_use(x, x->operands[0], out, error);
  for (int32_t k = 0; k < x->operand_count; k++)
    if (!hlo_shape_equal(x->operands[k]->shape, x->shape->elements[k])) return HLO_OK;
  return hlo_simplify_build(x, HLO_OP_TUPLE, x->shape, x->operand_count, x->operands, 0, NULL, out,
                            error);
}

hlo_status hlo_simplify_reduce(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  const hlo_shape *result = hlo_shape_is_array(x->shape) ? x->shape : x->shape->elements[0];
  int64_t elements = hlo_shape_elements(result);
  if (elements > 0 && elements == hlo_shape_elements(x->operands[0]->shape)) {
    return apply_once(x, out, error);
  }
  if (x->operand_count == 2 && x->operands[0]->opcode == HLO_OP_TRANSPOSE)
    return skip_transpose(x, out, error);
  return HLO_OK;
}
