// Implements float_formats.h: one decoder and one encoder driven by a format's description, and
// faster ones without branches for f16 and bf16, whose loops compilers vectorise.
#include "math/float_formats.h"

#include "base/bits.h"
#include "math/half_floats.h"

const hlo_float_format hlo_float_format_f16 = {5, 10, 15, HLO_FLOAT_IEEE};
const hlo_float_format hlo_float_format_bf16 = {8, 7, 127, HLO_FLOAT_IEEE};
const hlo_float_format hlo_float_format_f8e5m2 = {5, 2, 15, HLO_FLOAT_IEEE};
const hlo_float_format hlo_float_format_f8e4m3 = {4, 3, 7, HLO_FLOAT_IEEE};
const hlo_float_format hlo_float_format_f8e4m3fn = {4, 3, 7, HLO_FLOAT_FN};
const hlo_float_format hlo_float_format_f8e4m3b11fnuz = {4, 3, 11, HLO_FLOAT_FNUZ};
const hlo_float_format hlo_float_format_f8e5m2fnuz = {5, 2, 16, HLO_FLOAT_FNUZ};
const hlo_float_format hlo_float_format_f8e4m3fnuz = {4, 3, 8, HLO_FLOAT_FNUZ};
const hlo_float_format hlo_float_format_f8e3m4 = {3, 4, 3, HLO_FLOAT_IEEE};
const hlo_float_format hlo_float_format_f8e8m0fnu = {8, 0, 127, HLO_FLOAT_EXPONENT_ONLY};
const hlo_float_format hlo_float_format_f4e2m1fn = {2, 1, 1, HLO_FLOAT_FINITE};
const hlo_float_format hlo_float_format_f6e2m3fn = {2, 3, 1, HLO_FLOAT_FINITE};
const hlo_float_format hlo_float_format_f6e3m2fn = {3, 2, 3, HLO_FLOAT_FINITE};

// 2^exponent for an exponent of a normal double.
static double power_of_two(int exponent) {
  return double_of_bits((uint64_t)(exponent + 1023) << 52);
}

static const uint32_t float_infinity = 0x7f800000, float_quiet_nan = 0x7fc00000;

// How a format writes the things that are not finite numbers, and its largest finite one, all
// without the sign.
typedef struct special_codes {
  uint32_t largest, overflow, nan;
} special_codes;

static special_codes special_codes_of(const hlo_float_format *format) {
  uint32_t sign = 1u << (format->exponent_bits + format->mantissa_bits);
  uint32_t infinity = sign - (1u << format->mantissa_bits);
  switch (format->kind) {
  case HLO_FLOAT_IEEE:
    return (special_codes){infinity - 1, infinity, infinity | 1u << (format->mantissa_bits - 1)};
  case HLO_FLOAT_FN:
    return (special_codes){sign - 2, sign - 1, sign - 1};
  case HLO_FLOAT_FNUZ:
    return (special_codes){sign - 1, sign, sign};
  default:
    return (special_codes){sign - 1, sign - 1, 0};
  }
}

// Whether the code without its sign, or the whole code for FNUZ, stands for NaN.
static bool is_nan_code(const hlo_float_format *format, uint32_t magnitude, uint32_t sign) {
  special_codes special = special_codes_of(format);
  switch (format->kind) {
  case HLO_FLOAT_IEEE:
    return magnitude > special.overflow;
  case HLO_FLOAT_FN:
    return magnitude == special.nan;
  case HLO_FLOAT_FNUZ:
    return sign != 0 && magnitude == 0;
  default:
    return false;
  }
}

float hlo_float_format_decode(const hlo_float_format *format, uint16_t bits) {
  if (format->kind == HLO_FLOAT_EXPONENT_ONLY) {
    uint32_t code = bits & 0xff;
    return code == 0xff ? float_of_bits(float_quiet_nan)
                        : (float)power_of_two((int)code - format->bias);
  }
  unsigned mantissa_bits = format->mantissa_bits, width = format->exponent_bits + mantissa_bits;
  uint32_t sign = (uint32_t)bits >> width & 1, magnitude = bits & ((1u << width) - 1);
  if (is_nan_code(format, magnitude, sign)) { // in the order that the codes have
    uint32_t nan = format->kind == HLO_FLOAT_FNUZ
                       ? float_quiet_nan
                       : float_infinity | magnitude << (23 - mantissa_bits);
    return float_of_bits(nan | sign << 31);
  }
  if (format->kind == HLO_FLOAT_IEEE && magnitude == special_codes_of(format).overflow)
    return float_of_bits(float_infinity | sign << 31);
  uint32_t exponent = magnitude >> mantissa_bits,
           mantissa = magnitude & ((1u << mantissa_bits) - 1);
  if (exponent == 0) exponent = 1; // subnormal: the exponent of the smallest normal, no leading bit
  else mantissa |= 1u << mantissa_bits;
  double value = mantissa * power_of_two((int)exponent - format->bias - (int)mantissa_bits);
  return (float)(sign ? -value : value);
}

// For f8e8m0fnu. Halfway goes up, as if the invisible leading 1 were the last bit of an odd number.
static uint16_t encode_exponent_only(const hlo_float_format *format, uint64_t value_bits) {
  const uint64_t infinity = (uint64_t)0x7ff << 52, half = (uint64_t)1 << 51;
  bool is_positive = value_bits - 1 < infinity - 1; // neither zero, negative, infinite nor NaN
  if (!is_positive) return 0xff;
  int exponent = (int)(value_bits >> 52) - 1023 + format->bias;
  uint64_t fraction = value_bits & ((half << 1) - 1);
  // ml_dtypes, and so XLA, rounds everything above 2^-127 (which is subnormal in float) up to
  // 2^-126.
  exponent += exponent == 0 ? fraction > 0 : fraction >= half;
  return (uint16_t)(exponent < 0 ? 0 : exponent > 0xff ? 0xff : exponent);
}

uint16_t hlo_float_format_encode(const hlo_float_format *format, double value) {
  const uint64_t infinity = (uint64_t)0x7ff << 52, leading = (uint64_t)1 << 52;
  uint64_t bits = bits_of_double(value), magnitude = bits & ~((uint64_t)1 << 63);
  if (format->kind == HLO_FLOAT_EXPONENT_ONLY) return encode_exponent_only(format, bits);
  special_codes special = special_codes_of(format);
  unsigned mantissa_bits = format->mantissa_bits, width = format->exponent_bits + mantissa_bits;
  uint32_t sign = (uint32_t)(bits >> 63) << width;
  if (magnitude > infinity) {
    if (format->kind == HLO_FLOAT_FINITE) return (uint16_t)(sign ^ 1u << width);
    if (format->kind == HLO_FLOAT_FNUZ) return (uint16_t)special.nan;
    uint32_t payload = (uint32_t)((magnitude & (leading - 1)) >> (52 - mantissa_bits));
    return (uint16_t)(special.nan | (format->kind == HLO_FLOAT_IEEE ? payload : 0) | sign);
  }
  // The code's exponent field were the format unbounded; below 1 the number is subnormal and loses
  // bits instead. (A subnormal double is too small for every format, so its missing leading bit
  // does not matter.)
  int exponent = (int)(magnitude >> 52) - 1023 + format->bias;
  unsigned dropped = 52 - mantissa_bits + (exponent < 1 ? (unsigned)(1 - exponent) : 0);
  uint64_t mantissa = (magnitude & (leading - 1)) | leading, kept = 0;
  if (dropped <= 53) {
    uint64_t below_half = ((uint64_t)1 << (dropped - 1)) - 1;
    kept = (mantissa + below_half + (mantissa >> dropped & 1)) >> dropped;
  }
  // Adding rather than joining the fields lets a mantissa that rounded up to the next power carry.
  uint64_t code = kept + ((uint64_t)(exponent < 1 ? 0 : exponent - 1) << mantissa_bits);
  uint32_t rounded = code > special.largest ? special.overflow : (uint32_t)code;
  if (format->kind == HLO_FLOAT_FNUZ && (rounded == 0 || rounded == special.overflow))
    return (uint16_t)rounded;
  return (uint16_t)(rounded | sign);
}

float hlo_f16_to_f32(uint16_t bits) { return decode_f16(bits); }
uint16_t hlo_f32_to_f16(float value) { return encode_f16(value); }
uint16_t hlo_f64_to_f16(double value) {
  return hlo_float_format_encode(&hlo_float_format_f16, value);
}
float hlo_bf16_to_f32(uint16_t bits) { return decode_bf16(bits); }
uint16_t hlo_f32_to_bf16(float value) { return encode_bf16(value); }
uint16_t hlo_f64_to_bf16(double value) {
  return hlo_float_format_encode(&hlo_float_format_bf16, value);
}

void hlo_f16_to_f32_n(float *restrict out, const uint16_t *restrict in, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = decode_f16(in[i]);
}

void hlo_f32_to_f16_n(uint16_t *restrict out, const float *restrict in, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = encode_f16(in[i]);
}

void hlo_bf16_to_f32_n(float *restrict out, const uint16_t *restrict in, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = decode_bf16(in[i]);
}

void hlo_f32_to_bf16_n(uint16_t *restrict out, const float *restrict in, size_t count) {
  for (size_t i = 0; i < count; i++) out[i] = encode_bf16(in[i]);
}

// A float is exact as a double, so one encoder serves both.
#define BYTE_FORMAT(name)                                                                          \
  float hlo_##name##_to_f32(uint8_t bits) {                                                        \
    return hlo_float_format_decode(&hlo_float_format_##name, bits);                                \
  }                                                                                                \
  uint8_t hlo_f32_to_##name(float value) { return hlo_f64_to_##name(value); }                      \
  uint8_t hlo_f64_to_##name(double value) {                                                        \
    return (uint8_t)hlo_float_format_encode(&hlo_float_format_##name, value);                      \
  }

BYTE_FORMAT(f8e5m2)
BYTE_FORMAT(f8e4m3)
BYTE_FORMAT(f8e4m3fn)
BYTE_FORMAT(f8e4m3b11fnuz)
BYTE_FORMAT(f8e5m2fnuz)
BYTE_FORMAT(f8e4m3fnuz)
BYTE_FORMAT(f8e3m4)
BYTE_FORMAT(f8e8m0fnu)
BYTE_FORMAT(f4e2m1fn)
BYTE_FORMAT(f6e2m3fn)
BYTE_FORMAT(f6e3m2fn)
