// MLIR's types: tensors, tuples, tokens, functions and plain element types. See parser.h.
#include "text/mlir/parser.h"

#include <string.h>

// A tuple within another is put together in the tree, of the elements as they are: the outermost
// one is checked and copied whole, so that deep ones take linear time.
static hlo_status inner_tuple(mlir_parser *p, int32_t count, const hlo_shape *const *elements,
                              const hlo_shape **out, hlo_error *error) {
  hlo_shape *shape;
  HLO_ALLOC(shape, &p->tree, 1, error);
  *shape = (hlo_shape){.type = HLO_TUPLE, .element_count = count, .elements = elements};
  *out = shape;
  return hlo_shape_count_leaves(&p->tree, shape, error);
}

static hlo_status tuple_elements(mlir_parser *p, mlir_list *elements, hlo_error *error) {
  bool more;
  HLO_TRY(hlo_mlir_expect(p, '<', error));
  HLO_TRY(hlo_mlir_accept(p, '>', &more, error));
  for (more = !more; more;) {
    const mlir_type *element;
    const char *element_at = p->token.at;
    HLO_TRY(hlo_mlir_type(p, &element, error));
    if (element->kind != MLIR_TYPE_SHAPED) {
      return hlo_mlir_fail_at(p, element_at, HLO_UNSUPPORTED, error,
                              "tuples of anything but tensors, tuples and tokens are not "
                              "supported");
    }
    HLO_TRY(hlo_mlir_list_add(p, elements, (void *)(uintptr_t)element->shape, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, '>', error));
  }
  return HLO_OK;
}

static hlo_status tuple_shape(mlir_parser *p, const char *at, const hlo_shape **out,
                              hlo_error *error) {
  mlir_list elements = {0};
  p->tuple_depth++;
  hlo_status status = tuple_elements(p, &elements, error);
  p->tuple_depth--;
  HLO_TRY(status);
  const hlo_shape *const *shapes = (const hlo_shape *const *)elements.items;
  if (p->tuple_depth > 0) return inner_tuple(p, elements.count, shapes, out, error);
  return hlo_mlir_locate(p, at, hlo_shape_make_tuple(p->shapes, elements.count, shapes, out, error),
                         error);
}

// MLIR's other numbers, which attributes may have: i3, si32, f80.
static bool is_other_number(const mlir_parser *p) {
  static const char *const floats[] = {"f80", "f128", "tf32"};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    if (hlo_mlir_token_is(p, floats[i])) return true;
  const char *text = p->token.text, *end = text + p->token.length;
  if (text < end && (*text == 's' || *text == 'u')) text++;
  if (end - text < 2 || *text++ != 'i') return false;
  while (text < end && *text >= '0' && *text <= '9') text++;
  return text == end;
}

// The shape after "tensor" or "tuple"; an unknown one is an error at its uses.
static hlo_status shaped_type(mlir_parser *p, const char *at, mlir_type *type, hlo_error *error) {
  bool is_tensor = hlo_mlir_token_is(p, "tensor");
  int32_t depth = p->depth;
  HLO_TRY(hlo_mlir_advance(p, error));
  const char *open = p->token.at;
  hlo_status status = is_tensor ? hlo_mlir_tensor_shape(p, at, type, error)
                                : tuple_shape(p, at, &type->shape, error);
  if (status != HLO_UNSUPPORTED || error == NULL) return status;
  *type = (mlir_type){.kind = MLIR_TYPE_OTHER, .at = at};
  type->why = hlo_arena_copy_text(&p->tree, error->message, strlen(error->message));
  type->line = error->line;
  type->column = error->column;
  hlo_error_clear(error);
  if (type->why == NULL) return hlo_fail_out_of_memory(error);
  p->depth = depth;
  HLO_TRY(hlo_mlir_move_to(p, open, error));
  HLO_TRY(hlo_mlir_expect(p, '<', error));
  return hlo_mlir_skip_to_close(p, '<', error);
}

static hlo_status word_type(mlir_parser *p, mlir_type *type, hlo_error *error) {
  const char *at = p->token.at;
  type->kind = MLIR_TYPE_SHAPED;
  if (hlo_mlir_token_is(p, "tensor") || hlo_mlir_token_is(p, "tuple"))
    return shaped_type(p, at, type, error);
  if (hlo_mlir_token_is(p, "index") || hlo_mlir_token_is(p, "none")) {
    type->kind = hlo_mlir_token_is(p, "index") ? MLIR_TYPE_INDEX : MLIR_TYPE_OTHER;
    if (type->kind == MLIR_TYPE_INDEX) type->shape = hlo_shape_scalar(HLO_S64);
    return hlo_mlir_advance(p, error);
  }
  if (hlo_mlir_token_is(p, "memref") || hlo_mlir_token_is(p, "vector")) {
    type->kind = MLIR_TYPE_OTHER;
    HLO_TRY(hlo_mlir_advance(p, error));
    HLO_TRY(hlo_mlir_expect(p, '<', error));
    return hlo_mlir_skip_to_close(p, '<', error);
  }
  hlo_type element = hlo_mlir_token_is(p, "complex") ? HLO_C64 : hlo_mlir_named_type(p);
  if (element == HLO_TYPE_INVALID && is_other_number(p)) {
    type->kind = MLIR_TYPE_OTHER;
    return hlo_mlir_advance(p, error);
  }
  if (element == HLO_TYPE_INVALID) return hlo_mlir_expected(p, "a type", error);
  HLO_TRY(hlo_mlir_element_type(p, &element, error));
  type->kind = MLIR_TYPE_ELEMENT;
  type->shape = hlo_shape_scalar(element);
  return HLO_OK;
}

hlo_status hlo_mlir_type(mlir_parser *p, const mlir_type **out, hlo_error *error) {
  if (p->token.kind == '(') return hlo_mlir_function_type(p, out, error);
  mlir_type *type;
  HLO_TRY(hlo_mlir_enter(p, error));
  HLO_ALLOC(type, &p->tree, 1, error);
  type->at = p->token.at;
  *out = type;
  if (p->token.kind == MLIR_TOKEN_EXCLAMATION) HLO_TRY(hlo_mlir_dialect_type(p, type, out, error));
  else if (p->token.kind == MLIR_TOKEN_WORD) HLO_TRY(word_type(p, type, error));
  else return hlo_mlir_expected(p, "a type", error);
  type->length = (size_t)(p->taken - type->at);
  p->depth--;
  return HLO_OK;
}

hlo_status hlo_mlir_bracketed_types(mlir_parser *p, mlir_list *out, hlo_error *error) {
  bool done;
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  HLO_TRY(hlo_mlir_accept(p, ')', &done, error));
  if (done) return HLO_OK;
  HLO_TRY(hlo_mlir_type_list(p, out, error));
  return hlo_mlir_expect(p, ')', error);
}

hlo_status hlo_mlir_type_list(mlir_parser *p, mlir_list *out, hlo_error *error) {
  bool more = true;
  while (more) {
    const mlir_type *type;
    HLO_TRY(hlo_mlir_type(p, &type, error));
    HLO_TRY(hlo_mlir_list_add(p, out, (void *)(uintptr_t)type, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  }
  return HLO_OK;
}

hlo_status hlo_mlir_function_type(mlir_parser *p, const mlir_type **out, hlo_error *error) {
  mlir_type *type;
  mlir_list inputs = {0}, results = {0};
  HLO_TRY(hlo_mlir_enter(p, error));
  HLO_ALLOC(type, &p->tree, 1, error);
  type->kind = MLIR_TYPE_FUNCTION;
  type->at = p->token.at;
  HLO_TRY(hlo_mlir_bracketed_types(p, &inputs, error));
  HLO_TRY(hlo_mlir_expect(p, MLIR_TOKEN_ARROW, error));
  if (p->token.kind == '(') {
    HLO_TRY(hlo_mlir_bracketed_types(p, &results, error));
  } else {
    const mlir_type *result;
    HLO_TRY(hlo_mlir_type(p, &result, error));
    HLO_TRY(hlo_mlir_list_add(p, &results, (void *)(uintptr_t)result, error));
  }
  type->input_count = inputs.count;
  type->inputs = (const mlir_type **)inputs.items;
  type->result_count = results.count;
  type->results = (const mlir_type **)results.items;
  type->length = (size_t)(p->taken - type->at);
  p->depth--;
  *out = type;
  return HLO_OK;
}
