// The constraint on result_accuracy: a tolerance must be one that some implementation meets. Each
// function is within two units in the last place by itself, and within one where it is computed in
// f64 or is not of f32: passes/legality/accuracy.c does that for programs that ask for it. Source:
// "Result Accuracy" of XLA's documentation.
#include "base/decimal.h"
#include "hlo/infer/constraint.h"
#include "shape/literal.h"

#include <string.h>

// The number after key in the attribute's text; 0 when there is none.
static bool number_after(const char *text, const char *key, double *out) {
  const char *at = strstr(text, key);
  *out = 0;
  if (at == NULL) return true;
  at += strlen(key);
  at += strspn(at, " ");
  return hlo_parse_f64(at, strcspn(at, ",} "), out) && *out >= 0;
}

// The distance of 1 to the next number of the type.
static double epsilon_of(hlo_type type) {
  type = hlo_type_complex_part(type);
  if (type == HLO_F64) return 0x1p-52;
  if (type == HLO_F32) return 0x1p-23;
  const hlo_float_format *format = hlo_type_float_format(type);
  return format == NULL ? 0 : 1 / (double)((uint64_t)1 << format->mantissa_bits);
}

hlo_status hlo_require_result_accuracy(const hlo_instruction *x, hlo_error *error) {
  const char *text = hlo_get_text(x, HLO_ATTRIBUTE_RESULT_ACCURACY);
  if (text == NULL) return HLO_OK;
  if (strstr(text, "tolerance") == NULL) {
    bool says_nothing = text[strspn(text, "{} ")] == '\0';
    bool known = says_nothing || strstr(text, "default") != NULL || strstr(text, "highest") != NULL;
    return known ? HLO_OK
                 : hlo_fail_choice(x, HLO_ATTRIBUTE_RESULT_ACCURACY,
                                   "{mode=default}, {mode=highest} or {tolerance={...}}", error);
  }
  double atol, rtol, ulps;
  if (!number_after(text, "atol=", &atol) || !number_after(text, "rtol=", &rtol) ||
      !number_after(text, "ulps=", &ulps))
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "the tolerances of result_accuracy must be numbers and not "
                                "negative: %.*s",
                                100, text);
  double epsilon = epsilon_of(hlo_operand_shape(x, 0)->type);
  if (ulps >= 1 || rtol >= epsilon || atol >= epsilon) return HLO_OK;
  return hlo_instruction_fail(x, HLO_UNSUPPORTED, error,
                              "no implementation meets the result_accuracy %.*s", 100, text);
}

bool hlo_wants_highest_accuracy(const hlo_instruction *x) {
  enum { ULPS = 2 }; // what functions have anyway
  const char *text = hlo_get_text(x, HLO_ATTRIBUTE_RESULT_ACCURACY);
  if (text == NULL) return false;
  if (strstr(text, "tolerance") == NULL) return strstr(text, "highest") != NULL;
  double rtol, ulps;
  if (!number_after(text, "rtol=", &rtol) || !number_after(text, "ulps=", &ulps)) return false;
  return ulps < ULPS && rtol < ULPS * epsilon_of(x->shape->type);
}
