// f16 and bf16 from and to f32, for loops that compilers make vectors of.
#ifndef HLO_MATH_HALF_FLOATS_H
#define HLO_MATH_HALF_FLOATS_H

#include "base/bits.h"

static inline float decode_f16(uint16_t bits) {
  // Extended by its sign, a number has all fields at their places after one shift.
  uint32_t code = (uint32_t)(int16_t)bits << 13 & 0x8fffe000;
  // Multiplying by 2^(127 - 15) moves the exponent to float's bias, for subnormal numbers too.
  float scaled = float_of_bits(code) * 0x1p112f;
  // Infinities and NaN have the exponent above the largest number's.
  uint32_t special = __builtin_fabsf(scaled) >= 0x1p16f ? bits_of_float(__builtin_inff()) : 0;
  return float_of_bits(bits_of_float(scaled) | special);
}

static inline uint16_t encode_f16(float value) {
  uint32_t bits = bits_of_float(value), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
  uint32_t normal = (magnitude - (112u << 23) + 0xfff + (magnitude >> 13 & 1)) >> 13;
  // The last bit of 0.5 weighs 2^-24, as that of a subnormal f16 does: the addition rounds.
  uint32_t subnormal = bits_of_float(float_of_bits(magnitude) + 0.5f) - bits_of_float(0.5f);
  uint32_t code = magnitude < 0x38800000 ? subnormal : normal;
  code = magnitude >= 0x47800000 ? 0x7c00 : code;
  code = magnitude > 0x7f800000 ? 0x7e00 | (magnitude >> 13 & 0x3ff) : code;
  return (uint16_t)(code | sign);
}

static inline float decode_bf16(uint16_t bits) { return float_of_bits((uint32_t)bits << 16); }

static inline uint16_t encode_bf16(float value) {
  uint32_t bits = bits_of_float(value);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16, nan = bits >> 16 | 0x7fc0;
  return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? nan : rounded);
}

#endif
