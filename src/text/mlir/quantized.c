// MLIR's quantized types: !quant.uniform<storage<min:max>:expressed:dimension, {scale:zero, …}>.
// See parser.h. Source: "StableHLO Specification", quantized element types.
#include "text/mlir/parser.h"

// i8, si8, u8, ui8: MLIR writes the first for signed numbers.
static hlo_status storage_type(mlir_parser *p, hlo_type *out, hlo_error *error) {
  const char *text = p->token.text;
  size_t length = p->token.length, letters = 0, number = 0;
  bool is_unsigned = length > 0 && *text == 'u';
  if (p->token.kind == MLIR_TOKEN_WORD) {
    if (length > 0 && (*text == 'u' || *text == 's')) letters++;
    if (letters < length && text[letters] == 'i') letters++;
    for (size_t i = letters; letters > 0 && i < length && number < 100; i++)
      number = number * 10 + (size_t)(text[i] - '0');
  }
  *out = HLO_TYPE_INVALID;
  for (int type = 1; type < HLO_TYPE_COUNT; type++) {
    hlo_type_class wanted = is_unsigned ? HLO_CLASS_UNSIGNED : HLO_CLASS_SIGNED;
    if (hlo_type_get_class((hlo_type)type) == wanted &&
        hlo_type_bits((hlo_type)type) == (int)number)
      *out = (hlo_type)type;
  }
  if (*out == HLO_TYPE_INVALID) return hlo_mlir_expected(p, "an integer type", error);
  return hlo_mlir_advance(p, error);
}

static hlo_status range_of(mlir_parser *p, mlir_quantization *q, hlo_error *error) {
  bool is_given, is_unsigned = hlo_type_get_class(q->storage) == HLO_CLASS_UNSIGNED;
  int32_t bits = hlo_type_bits(q->storage) - !is_unsigned;
  int64_t highest = (int64_t)(UINT64_MAX >> (64 - (bits < 63 ? bits : 63)));
  int64_t lowest = is_unsigned ? 0 : -highest - 1;
  const char *at = p->token.at;
  q->minimum = lowest, q->maximum = highest;
  HLO_TRY(hlo_mlir_accept(p, '<', &is_given, error));
  if (!is_given) return HLO_OK;
  HLO_TRY(hlo_mlir_integer(p, &q->minimum, error));
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  HLO_TRY(hlo_mlir_integer(p, &q->maximum, error));
  HLO_TRY(hlo_mlir_expect(p, '>', error));
  if (q->minimum < lowest || q->minimum >= q->maximum || q->maximum > highest)
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "these are no limits of %s",
                            hlo_type_name(q->storage));
  return HLO_OK;
}

// "0.5:3" or "0.5".
static hlo_status scale(mlir_parser *p, const mlir_quantization *q, double *out, int64_t *zero,
                        hlo_error *error) {
  const char *at = p->token.at;
  mlir_attribute *number;
  bool has_zero;
  *zero = 0;
  HLO_TRY(hlo_mlir_untyped_attribute(p, &number, error));
  *out = number->kind == MLIR_FLOAT ? number->real : 0;
  HLO_TRY(hlo_mlir_accept(p, ':', &has_zero, error));
  if (has_zero) HLO_TRY(hlo_mlir_integer(p, zero, error));
  if (!(*out > 0) || *out - *out != 0)
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "a scale is a positive number");
  if (*zero < q->minimum || *zero > q->maximum)
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "the zero point is beyond the limits");
  return HLO_OK;
}

static hlo_status scales(mlir_parser *p, mlir_quantization *q, hlo_error *error) {
  int32_t capacity = 0;
  double *values = NULL;
  int64_t *zeros = NULL;
  bool more = true;
  if (q->dimension >= 0) HLO_TRY(hlo_mlir_expect(p, '{', error));
  while (more) {
    int32_t zeros_capacity = capacity;
    HLO_GROW_LIST(values, &p->tree, q->count, capacity, error);
    HLO_GROW_LIST(zeros, &p->tree, q->count, zeros_capacity, error);
    HLO_TRY(scale(p, q, &values[q->count], &zeros[q->count], error));
    q->count++;
    more = false;
    if (q->dimension >= 0) HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  }
  q->scales = values;
  q->zero_points = zeros;
  return q->dimension >= 0 ? hlo_mlir_expect(p, '}', error) : HLO_OK;
}

hlo_status hlo_mlir_quantization(mlir_parser *p, const mlir_quantization **out, hlo_error *error) {
  mlir_quantization *q;
  bool has_dimension;
  int64_t dimension = -1;
  HLO_ALLOC(q, &p->tree, 1, error);
  HLO_TRY(hlo_mlir_expect(p, '<', error));
  HLO_TRY(storage_type(p, &q->storage, error));
  HLO_TRY(range_of(p, q, error));
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  const char *at = p->token.at;
  HLO_TRY(hlo_mlir_element_type(p, &q->expressed, error));
  if (!hlo_type_is_float(q->expressed))
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "expected a float type");
  HLO_TRY(hlo_mlir_accept(p, ':', &has_dimension, error));
  at = p->token.at;
  if (has_dimension && p->token.kind == '{')
    return hlo_mlir_fail_at(p, at, HLO_UNSUPPORTED, error,
                            "quantization by blocks is not supported");
  if (has_dimension) HLO_TRY(hlo_mlir_integer(p, &dimension, error));
  if (has_dimension && (dimension < 0 || dimension >= HLO_MAX_RANK))
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "this is no dimension");
  q->dimension = (int32_t)dimension;
  HLO_TRY(hlo_mlir_expect(p, ',', error));
  HLO_TRY(scales(p, q, error));
  *out = q;
  return hlo_mlir_expect(p, '>', error);
}
