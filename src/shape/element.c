// Elements as numbers: reading, writing and converting one value of any type.
#include "shape/literal.h"

#include <string.h>

const hlo_float_format *hlo_type_float_format(hlo_type type) {
  switch (type) {
  case HLO_F4E2M1FN:
    return &hlo_float_format_f4e2m1fn;
  case HLO_F6E2M3FN:
    return &hlo_float_format_f6e2m3fn;
  case HLO_F6E3M2FN:
    return &hlo_float_format_f6e3m2fn;
  case HLO_F8E3M4:
    return &hlo_float_format_f8e3m4;
  case HLO_F8E4M3:
    return &hlo_float_format_f8e4m3;
  case HLO_F8E4M3FN:
    return &hlo_float_format_f8e4m3fn;
  case HLO_F8E4M3FNUZ:
    return &hlo_float_format_f8e4m3fnuz;
  case HLO_F8E4M3B11FNUZ:
    return &hlo_float_format_f8e4m3b11fnuz;
  case HLO_F8E5M2:
    return &hlo_float_format_f8e5m2;
  case HLO_F8E5M2FNUZ:
    return &hlo_float_format_f8e5m2fnuz;
  case HLO_F8E8M0FNU:
    return &hlo_float_format_f8e8m0fnu;
  case HLO_BF16:
    return &hlo_float_format_bf16;
  case HLO_F16:
    return &hlo_float_format_f16;
  default:
    return NULL;
  }
}

// The storage unit of an integer or narrow float, in the low bits.
static uint64_t load_bits(int32_t bytes, const void *element) {
  uint8_t b1;
  uint16_t b2;
  uint32_t b4;
  uint64_t b8;
  switch (bytes) {
  case 1:
    memcpy(&b1, element, sizeof b1);
    return b1;
  case 2:
    memcpy(&b2, element, sizeof b2);
    return b2;
  case 4:
    memcpy(&b4, element, sizeof b4);
    return b4;
  default:
    memcpy(&b8, element, sizeof b8);
    return b8;
  }
}

static void store_bits(int32_t bytes, void *element, uint64_t bits) {
  uint8_t b1 = (uint8_t)bits;
  uint16_t b2 = (uint16_t)bits;
  uint32_t b4 = (uint32_t)bits;
  switch (bytes) {
  case 1:
    memcpy(element, &b1, sizeof b1);
    break;
  case 2:
    memcpy(element, &b2, sizeof b2);
    break;
  case 4:
    memcpy(element, &b4, sizeof b4);
    break;
  default:
    memcpy(element, &bits, sizeof bits);
    break;
  }
}

static double load_float(hlo_type type, const void *element) {
  const hlo_float_format *format = hlo_type_float_format(type);
  if (format != NULL) {
    return hlo_float_format_decode(format, (uint16_t)load_bits(hlo_type_bytes(type), element));
  }
  if (type == HLO_F32) {
    float value;
    memcpy(&value, element, sizeof value);
    return value;
  }
  double value;
  memcpy(&value, element, sizeof value);
  return value;
}

static uint64_t low_bits(uint64_t value, int32_t bits) {
  return bits >= 64 ? value : value & (((uint64_t)1 << bits) - 1);
}

// The two's complement number in the low bits.
static int64_t sign_extend(uint64_t value, int32_t bits) {
  uint64_t sign = (uint64_t)1 << (bits - 1);
  return (int64_t)((low_bits(value, bits) ^ sign) - sign);
}

hlo_number hlo_element_get(hlo_type type, const void *element) {
  if (type == HLO_F32) { // at once, being the most common
    float value;
    memcpy(&value, element, sizeof value);
    return (hlo_number){.type_class = HLO_CLASS_FLOAT, .re = value};
  }
  hlo_number number = {.type_class = hlo_type_get_class(type)};
  int32_t bytes = hlo_type_bytes(type), bits = hlo_type_bits(type);
  hlo_type part = hlo_type_complex_part(type);
  switch (number.type_class) {
  case HLO_CLASS_PRED:
    number.u = load_bits(bytes, element) != 0;
    break;
  case HLO_CLASS_SIGNED:
    number.i = sign_extend(load_bits(bytes, element), bits);
    break;
  case HLO_CLASS_UNSIGNED:
    number.u = low_bits(load_bits(bytes, element), bits);
    break;
  case HLO_CLASS_COMPLEX:
    number.im = load_float(part, (const char *)element + hlo_type_bytes(part));
    number.re = load_float(part, element);
    break;
  case HLO_CLASS_FLOAT:
    number.re = load_float(part, element);
    break;
  case HLO_CLASS_OTHER:
    break;
  }
  return number;
}

// The double with 53 bits rounded to odd (see decimal.h): rounding it again is rounding once.
static double odd_double(uint64_t magnitude) {
  int shift = 0;
  bool inexact = false;
  while (magnitude >> 53 != 0) {
    inexact = inexact || (magnitude & 1) != 0;
    magnitude >>= 1;
    shift++;
  }
  if (inexact) magnitude |= 1;
  return (double)magnitude * (double)((uint64_t)1 << shift);
}

static void store_float(hlo_type type, void *element, hlo_number number) {
  bool is_signed = number.type_class == HLO_CLASS_SIGNED;
  bool is_integer =
      is_signed || number.type_class == HLO_CLASS_UNSIGNED || number.type_class == HLO_CLASS_PRED;
  const hlo_float_format *format = hlo_type_float_format(type);
  if (format != NULL) {
    double value = number.re;
    if (is_signed && number.i < 0) value = -odd_double(0 - (uint64_t)number.i);
    else if (is_integer) value = odd_double(is_signed ? (uint64_t)number.i : number.u);
    store_bits(hlo_type_bytes(type), element, hlo_float_format_encode(format, value));
  } else if (type == HLO_F32) {
    float value = !is_integer ? (float)number.re : is_signed ? (float)number.i : (float)number.u;
    memcpy(element, &value, sizeof value);
  } else {
    double value = !is_integer ? number.re : is_signed ? (double)number.i : (double)number.u;
    memcpy(element, &value, sizeof value);
  }
}

// Truncated and saturated to an integer of that many bits.
static uint64_t saturate(double value, bool is_signed, int32_t bits) {
  if (value != value) return 0;
  double limit = (double)((uint64_t)1 << (bits - 1)); // 2^(bits - 1)
  if (is_signed) {
    if (value >= limit) return ((uint64_t)1 << (bits - 1)) - 1;
    return value <= -limit ? 0 - ((uint64_t)1 << (bits - 1)) : (uint64_t)(int64_t)value;
  }
  if (value >= 2 * limit) return low_bits(UINT64_MAX, bits);
  return value <= 0 ? 0 : (uint64_t)value;
}

// The number as an integer of that many bits, sign- or zero-extended to 64.
static uint64_t to_integer(hlo_number number, bool is_signed, int32_t bits) {
  uint64_t value;
  switch (number.type_class) {
  case HLO_CLASS_SIGNED:
    value = (uint64_t)number.i;
    break;
  case HLO_CLASS_PRED:
  case HLO_CLASS_UNSIGNED:
    value = number.u;
    break;
  default:
    value = saturate(number.re, is_signed, bits);
    break;
  }
  return is_signed ? (uint64_t)sign_extend(value, bits) : low_bits(value, bits);
}

static bool is_nonzero(hlo_number number) {
  switch (number.type_class) {
  case HLO_CLASS_SIGNED:
    return number.i != 0;
  case HLO_CLASS_PRED:
  case HLO_CLASS_UNSIGNED:
    return number.u != 0;
  default: // of complex numbers the real part decides, as in XLA
    return number.re != 0;
  }
}

void hlo_element_set(hlo_type type, void *element, hlo_number number) {
  if (type == HLO_F32 && number.type_class >= HLO_CLASS_FLOAT) {
    float value = (float)number.re;
    memcpy(element, &value, sizeof value);
    return;
  }
  int32_t bytes = hlo_type_bytes(type), bits = hlo_type_bits(type);
  hlo_type part = hlo_type_complex_part(type);
  hlo_number imaginary = {.type_class = HLO_CLASS_FLOAT};
  if (number.type_class == HLO_CLASS_COMPLEX) imaginary.re = number.im;
  switch (hlo_type_get_class(type)) {
  case HLO_CLASS_PRED:
    store_bits(bytes, element, is_nonzero(number));
    break;
  case HLO_CLASS_SIGNED:
    store_bits(bytes, element, to_integer(number, true, bits));
    break;
  case HLO_CLASS_UNSIGNED:
    store_bits(bytes, element, to_integer(number, false, bits));
    break;
  case HLO_CLASS_COMPLEX:
    store_float(part, (char *)element + hlo_type_bytes(part), imaginary);
    store_float(part, element, number);
    break;
  case HLO_CLASS_FLOAT:
    store_float(part, element, number);
    break;
  case HLO_CLASS_OTHER:
    break;
  }
}
