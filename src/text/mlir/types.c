// MLIR's types: tensors, tuples, tokens, functions and plain element types. See parser.h.
#include "text/mlir/parser.h"

#include <string.h>

enum { LONGEST_SHOWN = 60 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool token_is(const mlir_parser *p, const char *text) {
  return strlen(text) == p->token.length && memcmp(p->token.text, text, p->token.length) == 0;
}

const char *hlo_mlir_unread_reason(const char *at, size_t length, size_t *reason_length) {
  static const char begin[] = MLIR_UNREAD_END "<\"";
  const char *end = at + length, *name = memchr(at, '<', length), *quote;
  size_t tail = sizeof begin - 1, before = tail - 2;
  if (length == 0 || (*at != '#' && *at != '!') || name == NULL || (size_t)(name - at) < before)
    return NULL;
  const char *reason = name - before + tail;
  if (reason > end || memcmp(name - before, begin, tail) != 0) return NULL;
  quote = memchr(reason, '"', (size_t)(end - reason));
  *reason_length = (size_t)((quote == NULL ? end : quote) - reason);
  return reason;
}

static hlo_status unsupported_element(mlir_parser *p, hlo_error *error) {
  int length = (int)(p->cursor - p->token.at);
  size_t reason_length;
  const char *reason =
      hlo_mlir_unread_reason(p->token.at, (size_t)(p->source.end - p->token.at), &reason_length);
  if (reason != NULL)
    return hlo_mlir_fail_at(p, p->token.at, HLO_UNSUPPORTED, error, "%.*s", (int)reason_length,
                            reason);
  return hlo_mlir_fail_at(p, p->token.at, HLO_UNSUPPORTED, error,
                          "arrays of '%.*s' are not supported",
                          length < LONGEST_SHOWN ? length : LONGEST_SHOWN, p->token.at);
}

// Gives the error of a call that knows no position this one.
static hlo_status locate(mlir_parser *p, const char *at, hlo_status status, hlo_error *error) {
  if (status != HLO_OK) {
    int32_t line, column;
    hlo_source_locate(&p->source, at, &line, &column);
    hlo_error_locate(error, line, column);
  }
  return status;
}

// complex<f32> was begun: "complex" is the token.
static hlo_status complex_type(mlir_parser *p, hlo_type *out, hlo_error *error) {
  const char *at = p->token.at;
  HLO_TRY(hlo_mlir_advance(p, error));
  HLO_TRY(hlo_mlir_expect(p, '<', error));
  if (hlo_mlir_at_word(p, "f32")) *out = HLO_C64;
  else if (hlo_mlir_at_word(p, "f64")) *out = HLO_C128;
  else
    return hlo_mlir_fail_at(p, at, HLO_UNSUPPORTED, error,
                            "complex numbers of parts other than f32 and f64 are not supported");
  HLO_TRY(hlo_mlir_advance(p, error));
  return hlo_mlir_expect(p, '>', error);
}

static hlo_type named_type(const mlir_parser *p) {
  for (int type = 1; type < HLO_TYPE_COUNT; type++) {
    if (hlo_type_is_array((hlo_type)type) && token_is(p, hlo_type_mlir_name((hlo_type)type)))
      return (hlo_type)type;
  }
  return HLO_TYPE_INVALID;
}

hlo_status hlo_mlir_element_type(mlir_parser *p, hlo_type *out, hlo_error *error) {
  if (hlo_mlir_at_word(p, "complex")) return complex_type(p, out, error);
  if (p->token.kind == MLIR_TOKEN_WORD) {
    // Tensors of index stand for dimension numbers.
    *out = token_is(p, "index") ? HLO_S64 : named_type(p);
    if (*out != HLO_TYPE_INVALID) return hlo_mlir_advance(p, error);
  }
  if (p->token.kind == MLIR_TOKEN_WORD || p->token.kind == MLIR_TOKEN_EXCLAMATION)
    return unsupported_element(p, error);
  return hlo_mlir_expected(p, "an element type", error);
}

typedef struct dimension_list {
  int32_t rank;
  int64_t dims[HLO_MAX_RANK]; // HLO_UNBOUNDED for '?' until a bound is read
  bool dynamic[HLO_MAX_RANK];
} dimension_list;

// "2x?x3x" at the token; ends with the element type as the token. Read by characters because
// "2x3xf32" falls into other tokens than it should.
static hlo_status dimensions(mlir_parser *p, dimension_list *list, hlo_error *error) {
  const char *at = p->token.at, *end = p->source.end;
  if (at < end && *at == '*') {
    return hlo_mlir_fail_at(p, at, HLO_UNSUPPORTED, error,
                            "tensors of unknown rank are not supported");
  }
  while (at < end && (is_digit(*at) || *at == '?')) {
    const char *start = at;
    int64_t size = 0;
    if (*at == '?') {
      size = HLO_UNBOUNDED;
      at++;
    }
    for (; size != HLO_UNBOUNDED && at < end && is_digit(*at); at++) {
      if (__builtin_mul_overflow(size, 10, &size) || __builtin_add_overflow(size, *at - '0', &size))
        return hlo_mlir_fail_at(p, start, HLO_PARSE_ERROR, error,
                                "the size does not fit in 63 bits");
    }
    at = hlo_mlir_skip_blanks(p, at);
    if (at == end || *at != 'x') {
      return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "expected 'x' behind a size");
    }
    at = hlo_mlir_skip_blanks(p, at + 1);
    if (list->rank == HLO_MAX_RANK) {
      return hlo_mlir_fail_at(p, start, HLO_PARSE_ERROR, error, "more than %d dimensions",
                              (int)HLO_MAX_RANK);
    }
    list->dynamic[list->rank] = size == HLO_UNBOUNDED;
    list->dims[list->rank++] = size;
  }
  return hlo_mlir_move_to(p, at, error);
}

// #stablehlo.bounds<?, 4> or #stablehlo.type_extensions<bounds = [?, 4]>: the sizes that dynamic
// dimensions have at most.
static hlo_status bounds(mlir_parser *p, const mlir_attribute *encoding, dimension_list *list,
                         hlo_error *error) {
  bool known = encoding->kind == MLIR_DIALECT && encoding->body != NULL &&
               (strstr(encoding->text, ".bounds") != NULL ||
                strstr(encoding->text, ".type_extensions") != NULL);
  if (!known) {
    return hlo_mlir_fail_at(p, encoding->at, HLO_UNSUPPORTED, error,
                            "this encoding of a tensor is not supported");
  }
  int32_t i = 0;
  const char *at = encoding->body, *end = at + encoding->body_length;
  while (at < end) {
    if (!is_digit(*at) && *at != '?') {
      at++;
      continue;
    }
    if (i == list->rank) break;
    int64_t size = 0;
    bool bounded = *at != '?';
    if (!bounded) at++;
    for (; bounded && at < end && is_digit(*at); at++) {
      if (__builtin_mul_overflow(size, 10, &size) || __builtin_add_overflow(size, *at - '0', &size))
        return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "the bound does not fit in 63 bits");
    }
    if (bounded && list->dynamic[i]) list->dims[i] = size;
    i++;
  }
  if (at < end || i != list->rank) {
    return hlo_mlir_fail_at(p, encoding->at, HLO_PARSE_ERROR, error,
                            "the bounds are not one for each of %d dimensions", list->rank);
  }
  return HLO_OK;
}

// !quant.uniform<…> or an alias of it as the element type.
static hlo_status quantized_element(mlir_parser *p, const dimension_list *list, mlir_type *type,
                                    hlo_error *error) {
  const mlir_type *element;
  const char *at = p->token.at;
  HLO_TRY(hlo_mlir_type(p, &element, error));
  const mlir_quantization *q = element->quantization;
  if (q == NULL || element->kind != MLIR_TYPE_OTHER) {
    HLO_TRY(hlo_mlir_move_to(p, at, error));
    return unsupported_element(p, error);
  }
  if (q->dimension >= list->rank || (q->dimension >= 0 && list->dims[q->dimension] != q->count))
    return hlo_mlir_fail_at(p, at, HLO_SHAPE_ERROR, error,
                            "%d scales along dimension %d do not fit the array", q->count,
                            q->dimension);
  type->quantization = q;
  return HLO_OK;
}

// "<2x3xf32, #encoding>" behind "tensor". The list of dimensions is large and types nest, so this
// frame must not stand under a nested one.
static hlo_status tensor_shape(mlir_parser *p, const char *at, mlir_type *type, hlo_error *error) {
  dimension_list list = {0};
  hlo_type element = HLO_TYPE_INVALID;
  bool has_encoding;
  HLO_TRY(hlo_mlir_expect(p, '<', error));
  HLO_TRY(dimensions(p, &list, error));
  if (p->token.kind == MLIR_TOKEN_EXCLAMATION) HLO_TRY(quantized_element(p, &list, type, error));
  if (type->quantization != NULL) element = type->quantization->storage;
  else HLO_TRY(hlo_mlir_element_type(p, &element, error));
  HLO_TRY(hlo_mlir_accept(p, ',', &has_encoding, error));
  if (has_encoding) {
    mlir_attribute *encoding;
    HLO_TRY(hlo_mlir_attribute(p, &encoding, error));
    HLO_TRY(bounds(p, encoding, &list, error));
  }
  HLO_TRY(hlo_mlir_expect(p, '>', error));
  return locate(p, at,
                hlo_shape_make_dynamic(p->shapes, element, list.rank, list.dims, list.dynamic,
                                       &type->shape, error),
                error);
}

static hlo_status tuple_shape(mlir_parser *p, const char *at, const hlo_shape **out,
                              hlo_error *error) {
  mlir_list elements = {0};
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
    HLO_TRY(hlo_mlir_list_add(p, &elements, (void *)(uintptr_t)element->shape, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, '>', error));
  }
  const hlo_shape *const *shapes = (const hlo_shape *const *)elements.items;
  return locate(p, at, hlo_shape_make_tuple(p->shapes, elements.count, shapes, out, error), error);
}

// !alias, !stablehlo.token, or another dialect's.
static hlo_status dialect_type(mlir_parser *p, mlir_type *type, const mlir_type **out,
                               hlo_error *error) {
  const mlir_type *alias = hlo_name_table_find(&p->type_aliases, p->token.text, p->token.length);
  if (alias != NULL) {
    *out = alias;
    return hlo_mlir_advance(p, error);
  }
  bool is_token = token_is(p, "stablehlo.token") || token_is(p, "mhlo.token");
  type->kind = is_token ? MLIR_TYPE_SHAPED : MLIR_TYPE_OTHER;
  if (is_token) type->shape = hlo_shape_scalar(HLO_TOKEN);
  if (token_is(p, "shape.witness")) { // says that sizes are what they must be
    type->kind = MLIR_TYPE_ELEMENT;
    type->shape = hlo_shape_scalar(HLO_PRED);
  }
  bool has_body, is_quantized = token_is(p, "quant.uniform");
  HLO_TRY(hlo_mlir_advance(p, error));
  if (is_quantized) return hlo_mlir_quantization(p, &type->quantization, error);
  HLO_TRY(hlo_mlir_accept(p, '<', &has_body, error));
  return has_body ? hlo_mlir_skip_to_close(p, '<', error) : HLO_OK;
}

// MLIR's other numbers, which attributes may have: i3, si32, f80.
static bool is_other_number(const mlir_parser *p) {
  static const char *const floats[] = {"f80", "f128", "tf32"};
  for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
    if (token_is(p, floats[i])) return true;
  const char *text = p->token.text, *end = text + p->token.length;
  if (text < end && (*text == 's' || *text == 'u')) text++;
  if (end - text < 2 || *text++ != 'i') return false;
  while (text < end && *text >= '0' && *text <= '9') text++;
  return text == end;
}

// The shape behind "tensor" or "tuple"; one that is not known is an error of those who use it.
static hlo_status shaped_type(mlir_parser *p, const char *at, mlir_type *type, hlo_error *error) {
  bool is_tensor = token_is(p, "tensor");
  int32_t depth = p->depth;
  HLO_TRY(hlo_mlir_advance(p, error));
  const char *open = p->token.at;
  hlo_status status =
      is_tensor ? tensor_shape(p, at, type, error) : tuple_shape(p, at, &type->shape, error);
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
  if (token_is(p, "tensor") || token_is(p, "tuple")) return shaped_type(p, at, type, error);
  if (token_is(p, "index") || token_is(p, "none")) {
    type->kind = token_is(p, "index") ? MLIR_TYPE_INDEX : MLIR_TYPE_OTHER;
    if (type->kind == MLIR_TYPE_INDEX) type->shape = hlo_shape_scalar(HLO_S64);
    return hlo_mlir_advance(p, error);
  }
  if (token_is(p, "memref") || token_is(p, "vector")) {
    type->kind = MLIR_TYPE_OTHER;
    HLO_TRY(hlo_mlir_advance(p, error));
    HLO_TRY(hlo_mlir_expect(p, '<', error));
    return hlo_mlir_skip_to_close(p, '<', error);
  }
  hlo_type element = token_is(p, "complex") ? HLO_C64 : named_type(p);
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
  if (p->token.kind == MLIR_TOKEN_EXCLAMATION) HLO_TRY(dialect_type(p, type, out, error));
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

bool hlo_mlir_same_type(const mlir_type *a, const mlir_type *b) {
  if (a == b) return true;
  if (a->kind != b->kind) return false;
  // Most have none, and nothing is loaded for those.
  if (a->quantization != b->quantization &&
      !hlo_mlir_same_quantization(a->quantization, b->quantization))
    return false;
  if (a->shape != NULL) return hlo_shape_equal(a->shape, b->shape);
  if (a->kind == MLIR_TYPE_FUNCTION) {
    if (a->input_count != b->input_count || a->result_count != b->result_count) return false;
    for (int32_t i = 0; i < a->input_count; i++)
      if (!hlo_mlir_same_type(a->inputs[i], b->inputs[i])) return false;
    for (int32_t i = 0; i < a->result_count; i++)
      if (!hlo_mlir_same_type(a->results[i], b->results[i])) return false;
    return true;
  }
  return a->length == b->length && memcmp(a->at, b->at, a->length) == 0;
}
