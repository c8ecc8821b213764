// Types of elements: numbers, complex numbers, index. See parser.h.
#include "text/mlir/parser.h"

enum { LONGEST_SHOWN = 60 };

hlo_status hlo_mlir_unsupported_element(mlir_parser *p, hlo_error *error) {
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

hlo_type hlo_mlir_named_type(const mlir_parser *p) {
  for (int type = 1; type < HLO_TYPE_COUNT; type++) {
    if (hlo_type_is_array((hlo_type)type) &&
        hlo_mlir_token_is(p, hlo_type_mlir_name((hlo_type)type)))
      return (hlo_type)type;
  }
  return HLO_TYPE_INVALID;
}

hlo_status hlo_mlir_element_type(mlir_parser *p, hlo_type *out, hlo_error *error) {
  if (hlo_mlir_at_word(p, "complex")) return complex_type(p, out, error);
  if (p->token.kind == MLIR_TOKEN_WORD) {
    // Tensors of index stand for dimension numbers.
    *out = hlo_mlir_token_is(p, "index") ? HLO_S64 : hlo_mlir_named_type(p);
    if (*out != HLO_TYPE_INVALID) return hlo_mlir_advance(p, error);
  }
  if (p->token.kind == MLIR_TOKEN_WORD || p->token.kind == MLIR_TOKEN_EXCLAMATION)
    return hlo_mlir_unsupported_element(p, error);
  return hlo_mlir_expected(p, "an element type", error);
}
