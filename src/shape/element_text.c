// Elements as text: one value of any type in XLA's notation.
#include "base/decimal.h"
#include "shape/literal.h"

#include <string.h>

typedef struct text_span {
  const char *text;
  size_t length;
} text_span;

static bool span_is(text_span span, const char *text) {
  return span.length == strlen(text) && memcmp(span.text, text, span.length) == 0;
}

static hlo_status fail_not_a(hlo_type type, text_span span, hlo_error *error) {
  return hlo_fail(error, HLO_PARSE_ERROR, "'%.*s' is no value of type %s",
                  (int)(span.length < 60 ? span.length : 60), span.text, hlo_type_name(type));
}

static hlo_status fail_range(hlo_type type, text_span span, hlo_error *error) {
  return hlo_fail(error, HLO_PARSE_ERROR, "%.*s is out of the range of %s",
                  (int)(span.length < 60 ? span.length : 60), span.text, hlo_type_name(type));
}

// Consumes a leading sign; true for '-'.
static bool parse_sign(text_span *span) {
  if (span->length == 0 || (*span->text != '-' && *span->text != '+')) return false;
  bool negative = *span->text == '-';
  span->text++;
  span->length--;
  return negative;
}

// --- integers ---

static hlo_status parse_pred(text_span span, void *element, hlo_error *error) {
  bool is_true = span_is(span, "true") || span_is(span, "1");
  if (!is_true && !span_is(span, "false") && !span_is(span, "0")) {
    return fail_not_a(HLO_PRED, span, error);
  }
  memcpy(element, &(uint8_t){is_true}, 1);
  return HLO_OK;
}

static hlo_status parse_integer(hlo_type type, text_span span, void *element, hlo_error *error) {
  text_span digits = span;
  bool negative = parse_sign(&digits);
  if (digits.length == 0) return fail_not_a(type, span, error);
  uint64_t value = 0;
  bool overflow = false;
  for (size_t i = 0; i < digits.length; i++) {
    uint64_t digit = (uint64_t)(unsigned char)digits.text[i] - '0';
    if (digit > 9) return fail_not_a(type, span, error);
    overflow = overflow || __builtin_mul_overflow(value, (uint64_t)10, &value) ||
               __builtin_add_overflow(value, digit, &value);
  }
  hlo_number number = {.type_class = hlo_type_get_class(type)};
  int32_t bits = hlo_type_bits(type);
  if (number.type_class == HLO_CLASS_SIGNED) {
    uint64_t limit = ((uint64_t)1 << (bits - 1)) - (negative ? 0 : 1);
    if (overflow || value > limit) return fail_range(type, span, error);
    number.i = (int64_t)(negative ? 0 - value : value);
  } else {
    uint64_t limit = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    if (overflow || value > (negative ? 0 : limit)) return fail_range(type, span, error);
    number.u = value;
  }
  hlo_element_set(type, element, number);
  return HLO_OK;
}

// --- floats ---

// The bits of f32, f64 and the narrow formats alike: sign, exponent, mantissa.
typedef struct encoding {
  int32_t exponent_bits, mantissa_bits;
  bool has_payload; // IEEE's NaNs: all exponent bits and any mantissa
} encoding;

static encoding encoding_of(hlo_type type) {
  if (type == HLO_F32) return (encoding){8, 23, true};
  if (type == HLO_F64) return (encoding){11, 52, true};
  const hlo_float_format *f = hlo_type_float_format(type);
  return (encoding){f->exponent_bits, f->mantissa_bits, f->kind == HLO_FLOAT_IEEE};
}

static void store_bits(hlo_type type, void *element, uint64_t bits) {
  hlo_number number = {.type_class = HLO_CLASS_UNSIGNED, .u = bits};
  switch (hlo_type_bytes(type)) {
  case 1:
    hlo_element_set(HLO_U8, element, number);
    break;
  case 2:
    hlo_element_set(HLO_U16, element, number);
    break;
  case 4:
    hlo_element_set(HLO_U32, element, number);
    break;
  default:
    hlo_element_set(HLO_U64, element, number);
    break;
  }
}

static uint64_t load_bits(hlo_type type, const void *element) {
  switch (hlo_type_bytes(type)) {
  case 1:
    return hlo_element_get(HLO_U8, element).u;
  case 2:
    return hlo_element_get(HLO_U16, element).u;
  case 4:
    return hlo_element_get(HLO_U32, element).u;
  default:
    return hlo_element_get(HLO_U64, element).u;
  }
}

// The number in "(0x7f)", of at most 16 digits.
static bool parse_payload(text_span span, uint64_t *out) {
  if (span.length < 5 || span.length > 20 || memcmp(span.text, "(0x", 3) != 0) return false;
  if (span.text[span.length - 1] != ')') return false;
  *out = 0;
  for (size_t i = 3; i < span.length - 1; i++) {
    char c = span.text[i];
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : -1;
    if (digit < 0) return false;
    *out = *out << 4 | (uint64_t)digit;
  }
  return true;
}

// "nan" or "nan(0x1)" without its sign.
static hlo_status parse_nan(hlo_type type, text_span whole, text_span span, bool negative,
                            void *element, hlo_error *error) {
  encoding e = encoding_of(type);
  if (!e.has_payload) {
    if (span.length != 3) return fail_not_a(type, whole, error);
    double value = negative ? -__builtin_nan("") : __builtin_nan("");
    hlo_element_set(type, element, (hlo_number){.type_class = HLO_CLASS_FLOAT, .re = value});
    return HLO_OK;
  }
  uint64_t mantissa = ((uint64_t)1 << e.mantissa_bits) - 1;
  uint64_t exponent = (((uint64_t)1 << e.exponent_bits) - 1) << e.mantissa_bits;
  uint64_t sign = (exponent + mantissa) + 1;
  uint64_t payload = (uint64_t)1 << (e.mantissa_bits - 1);
  if (span.length > 3) {
    text_span digits = {span.text + 3, span.length - 3};
    if (!parse_payload(digits, &payload)) return fail_not_a(type, whole, error);
    // All bits given: they must be a NaN's, with the sign that the text has, if any.
    if (payload > mantissa && (payload & ~(sign | mantissa)) == exponent) {
      if ((payload & sign) != 0) negative = true;
      payload &= mantissa;
    }
    if (payload == 0 || payload > mantissa) {
      return hlo_fail(error, HLO_PARSE_ERROR, "%.*s: these bits are no NaN of type %s",
                      (int)whole.length, whole.text, hlo_type_name(type));
    }
  }
  store_bits(type, element, (negative ? sign : 0) | exponent | payload);
  return HLO_OK;
}

static bool is_finite(double value) { return value - value == 0; }

static hlo_status parse_finite(hlo_type type, text_span span, void *element, hlo_error *error) {
  if (type == HLO_F64 || type == HLO_F32) {
    double value = 0;
    float narrow = 0;
    bool good = type == HLO_F64 ? hlo_parse_f64(span.text, span.length, &value)
                                : hlo_parse_f32(span.text, span.length, &narrow);
    if (!good) return fail_not_a(type, span, error);
    if (!is_finite(value) || !is_finite((double)narrow)) return fail_range(type, span, error);
    if (type == HLO_F64) memcpy(element, &value, sizeof value);
    else memcpy(element, &narrow, sizeof narrow);
    return HLO_OK;
  }
  double value;
  if (!hlo_parse_f64_odd(span.text, span.length, &value)) return fail_not_a(type, span, error);
  const hlo_float_format *format = hlo_type_float_format(type);
  uint16_t bits = hlo_float_format_encode(format, value);
  bool outside = !is_finite((double)hlo_float_format_decode(format, bits));
  if (format->kind == HLO_FLOAT_EXPONENT_ONLY) {
    if (value <= 0) outside = true; // there is nothing for zero and below
    // Conversion rounds values above 2^-127 upwards, as ml_dtypes does; but its own text, 5.9e-39,
    // must give that value.
    if (value < 0x1.8p-127) bits = 0;
  }
  if (outside) return fail_range(type, span, error);
  store_bits(type, element, bits);
  return HLO_OK;
}

static hlo_status parse_float(hlo_type type, text_span span, void *element, hlo_error *error) {
  text_span digits = span;
  bool negative = parse_sign(&digits);
  if (digits.length >= 3 && memcmp(digits.text, "nan", 3) == 0) {
    return parse_nan(type, span, digits, negative, element, error);
  }
  if (span_is(digits, "inf")) {
    double value = negative ? -__builtin_inf() : __builtin_inf();
    hlo_element_set(type, element, (hlo_number){.type_class = HLO_CLASS_FLOAT, .re = value});
    return HLO_OK;
  }
  return parse_finite(type, span, element, error);
}

// --- complex ---

static text_span trim(const char *from, const char *to) {
  while (from < to && (*from == ' ' || *from == '\t' || *from == '\n' || *from == '\r')) from++;
  while (from < to && (to[-1] == ' ' || to[-1] == '\t' || to[-1] == '\n' || to[-1] == '\r')) to--;
  return (text_span){from, (size_t)(to - from)};
}

static hlo_status parse_complex(hlo_type type, text_span span, void *element, hlo_error *error) {
  hlo_type part = hlo_type_complex_part(type);
  size_t size = (size_t)hlo_type_bytes(part);
  char parts[16] = {0};
  if (span.length == 0 || *span.text != '(') {
    HLO_TRY(parse_float(part, span, parts, error));
  } else {
    const char *end = span.text + span.length;
    const char *comma = memchr(span.text, ',', span.length);
    if (comma == NULL || end[-1] != ')') return fail_not_a(type, span, error);
    HLO_TRY(parse_float(part, trim(span.text + 1, comma), parts, error));
    HLO_TRY(parse_float(part, trim(comma + 1, end - 1), parts + size, error));
  }
  memcpy(element, parts, 2 * size);
  return HLO_OK;
}

hlo_status hlo_element_parse(hlo_type type, const char *text, size_t length, void *element,
                             hlo_error *error) {
  text_span span = {text, length};
  switch (hlo_type_get_class(type)) {
  case HLO_CLASS_PRED:
    return parse_pred(span, element, error);
  case HLO_CLASS_SIGNED:
  case HLO_CLASS_UNSIGNED:
    return parse_integer(type, span, element, error);
  case HLO_CLASS_FLOAT:
    return parse_float(type, span, element, error);
  case HLO_CLASS_COMPLEX:
    return parse_complex(type, span, element, error);
  case HLO_CLASS_OTHER:
    break;
  }
  return fail_not_a(type, span, error);
}

// --- printing ---

// As many as tell any two values of the type apart.
static int digits_of(hlo_type type) {
  int32_t mantissa_bits = hlo_type_float_format(type)->mantissa_bits;
  return mantissa_bits >= 10 ? 5 : mantissa_bits >= 7 ? 4 : mantissa_bits >= 3 ? 3 : 2;
}

static void print_nan(hlo_string *out, hlo_type type, const void *element) {
  encoding e = encoding_of(type);
  uint64_t bits = load_bits(type, element);
  int32_t sign_at = e.exponent_bits + e.mantissa_bits;
  bool has_sign = type != HLO_F8E8M0FNU && (bits >> sign_at & 1) != 0;
  hlo_string_add(out, has_sign ? "-nan" : "nan");
  uint64_t payload = bits & (((uint64_t)1 << e.mantissa_bits) - 1);
  if (e.has_payload && payload != (uint64_t)1 << (e.mantissa_bits - 1)) {
    hlo_string_add_format(out, "(0x%llx)", (unsigned long long)payload);
  }
}

static void print_float(hlo_string *out, hlo_type type, const void *element) {
  double value = hlo_element_get(type, element).re;
  if (value != value) {
    print_nan(out, type, element);
    return;
  }
  char text[HLO_FORMAT_SIZE];
  size_t length = type == HLO_F64   ? hlo_format_f64(text, value)
                  : type == HLO_F32 ? hlo_format_f32(text, (float)value)
                                    : hlo_format_digits(text, value, digits_of(type));
  hlo_string_add_bytes(out, text, length);
}

void hlo_element_print(hlo_string *out, hlo_type type, const void *element) {
  hlo_type part = hlo_type_complex_part(type);
  switch (hlo_type_get_class(type)) {
  case HLO_CLASS_PRED:
    hlo_string_add(out, hlo_element_get(type, element).u != 0 ? "true" : "false");
    break;
  case HLO_CLASS_SIGNED:
    hlo_string_add_int(out, hlo_element_get(type, element).i);
    break;
  case HLO_CLASS_UNSIGNED:
    hlo_string_add_unsigned(out, hlo_element_get(type, element).u);
    break;
  case HLO_CLASS_FLOAT:
    print_float(out, type, element);
    break;
  case HLO_CLASS_COMPLEX:
    hlo_string_add_char(out, '(');
    print_float(out, part, element);
    hlo_string_add(out, ", ");
    print_float(out, part, (const char *)element + hlo_type_bytes(part));
    hlo_string_add_char(out, ')');
    break;
  case HLO_CLASS_OTHER:
    break;
  }
}
