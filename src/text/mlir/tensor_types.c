// Types of tensors and of dialects, which tensors' elements may be. See parser.h.
#include "text/mlir/parser.h"

#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Gives the error of a call that knows no position this one.
hlo_status hlo_mlir_locate(mlir_parser *p, const char *at, hlo_status status, hlo_error *error) {
  if (status != HLO_OK) {
    int32_t line, column;
    hlo_source_locate(&p->source, at, &line, &column);
    hlo_error_locate(error, line, column);
  }
  return status;
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
  mlir_type *own;
  HLO_ALLOC(own, &p->tree, 1, error);
  own->at = at;
  element = own;
  HLO_TRY(hlo_mlir_dialect_type(p, own, &element, error));
  own->length = (size_t)(p->taken - at);
  const mlir_quantization *q = element->quantization;
  if (q == NULL || element->kind != MLIR_TYPE_OTHER) {
    HLO_TRY(hlo_mlir_move_to(p, at, error));
    return hlo_mlir_unsupported_element(p, error);
  }
  if (q->dimension >= list->rank || (q->dimension >= 0 && list->dims[q->dimension] != q->count))
    return hlo_mlir_fail_at(p, at, HLO_SHAPE_ERROR, error,
                            "%d scales along dimension %d do not fit the array", q->count,
                            q->dimension);
  type->quantization = q;
  return HLO_OK;
}

// "<2x3xf32, #encoding>" after "tensor". The list of dimensions is large and types nest, so this
// frame must not stand under a nested one.
hlo_status hlo_mlir_tensor_shape(mlir_parser *p, const char *at, mlir_type *type,
                                 hlo_error *error) {
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
  return hlo_mlir_locate(p, at,
                         hlo_shape_make_dynamic(p->shapes, element, list.rank, list.dims,
                                                list.dynamic, &type->shape, error),
                         error);
}

// !alias, !stablehlo.token, or another dialect's.
hlo_status hlo_mlir_dialect_type(mlir_parser *p, mlir_type *type, const mlir_type **out,
                                 hlo_error *error) {
  const mlir_type *alias = hlo_name_table_find(&p->type_aliases, p->token.text, p->token.length);
  if (alias != NULL) {
    *out = alias;
    return hlo_mlir_advance(p, error);
  }
  bool is_token = hlo_mlir_token_is(p, "stablehlo.token") || hlo_mlir_token_is(p, "mhlo.token");
  type->kind = is_token ? MLIR_TYPE_SHAPED : MLIR_TYPE_OTHER;
  if (is_token) type->shape = hlo_shape_scalar(HLO_TOKEN);
  if (hlo_mlir_token_is(p, "shape.witness")) { // asserts constraints on sizes
    type->kind = MLIR_TYPE_ELEMENT;
    type->shape = hlo_shape_scalar(HLO_PRED);
  }
  bool has_body, is_quantized = hlo_mlir_token_is(p, "quant.uniform");
  HLO_TRY(hlo_mlir_advance(p, error));
  if (is_quantized) return hlo_mlir_quantization(p, &type->quantization, error);
  HLO_TRY(hlo_mlir_accept(p, '<', &has_body, error));
  return has_body ? hlo_mlir_skip_to_close(p, '<', error) : HLO_OK;
}
