// Conversions between the narrow floating-point formats and float or double, one rounding each.
// A value here is a bit pattern in an integer.
//
// Every conversion to a narrow format rounds to nearest, ties to even, directly from its argument
// (a double goes to f16 in one step, never by way of float). What happens at the ends of the range
// follows the ml_dtypes package, whose types XLA uses:
// - f16, bf16, f8e5m2, f8e4m3, f8e3m4 (IEEE): overflow gives infinity; NaN is quiet and keeps its
//   sign and the leading bits of its payload, as IEEE 754 recommends (6.2.3);
// - f8e4m3fn (FN): no infinity; overflow and infinity give NaN of that sign;
// - f8e4m3b11fnuz, f8e5m2fnuz, f8e4m3fnuz (FNUZ): neither infinity nor -0; -0 gives +0, overflow
//   and infinity the only NaN, 0x80;
// - f8e8m0fnu (EXPONENT_ONLY): powers of two 2^-127…2^127, no sign, no zero; NaN, zero, negatives
//   and overflow give NaN, 0xff; ties go up; less than 2^-127 gives 2^-127, but all strictly
//   between that and 2^-126 gives the latter;
// - f4e2m1fn, f6e2m3fn, f6e3m2fn (FINITE): neither infinity nor NaN; overflow gives the largest
//   number (±6, ±7.5, ±28), NaN a zero of the opposite sign.
#ifndef HLO_MATH_FLOAT_FORMATS_H
#define HLO_MATH_FLOAT_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Which of the encodings above a format uses for the values that are not finite.
typedef enum hlo_float_kind {
  HLO_FLOAT_IEEE,
  HLO_FLOAT_FN,
  HLO_FLOAT_FNUZ,
  HLO_FLOAT_EXPONENT_ONLY,
  HLO_FLOAT_FINITE,
} hlo_float_kind;

// A format with at most 16 bits: a sign (except EXPONENT_ONLY), then the exponent, then the
// mantissa without its leading bit. The value of a normal number is (1 + mantissa /
// 2^mantissa_bits) · 2^(exponent - bias).
typedef struct hlo_float_format {
  uint8_t exponent_bits;
  uint8_t mantissa_bits;
  uint8_t bias;
  uint8_t kind; // hlo_float_kind
} hlo_float_format;

extern const hlo_float_format hlo_float_format_f16;
extern const hlo_float_format hlo_float_format_bf16;
extern const hlo_float_format hlo_float_format_f8e5m2;
extern const hlo_float_format hlo_float_format_f8e4m3;
extern const hlo_float_format hlo_float_format_f8e4m3fn;
extern const hlo_float_format hlo_float_format_f8e4m3b11fnuz;
extern const hlo_float_format hlo_float_format_f8e5m2fnuz;
extern const hlo_float_format hlo_float_format_f8e4m3fnuz;
extern const hlo_float_format hlo_float_format_f8e3m4;
extern const hlo_float_format hlo_float_format_f8e8m0fnu;
extern const hlo_float_format hlo_float_format_f4e2m1fn;
extern const hlo_float_format hlo_float_format_f6e2m3fn;
extern const hlo_float_format hlo_float_format_f6e3m2fn;

// The value of bits (only the format's low bits are read). Every value of every format is exact in
// float and double.
float hlo_float_format_decode(const hlo_float_format *format, uint16_t bits);

// The nearest value of the format, ties to even.
uint16_t hlo_float_format_encode(const hlo_float_format *format, double value);

// The same by name. Formats under 8 bits are one value per byte, in the low bits (the high ones
// are ignored when read, zero when written).
float hlo_f16_to_f32(uint16_t bits);
float hlo_bf16_to_f32(uint16_t bits);
float hlo_f8e5m2_to_f32(uint8_t bits);
float hlo_f8e4m3_to_f32(uint8_t bits);
float hlo_f8e4m3fn_to_f32(uint8_t bits);
float hlo_f8e4m3b11fnuz_to_f32(uint8_t bits);
float hlo_f8e5m2fnuz_to_f32(uint8_t bits);
float hlo_f8e4m3fnuz_to_f32(uint8_t bits);
float hlo_f8e3m4_to_f32(uint8_t bits);
float hlo_f8e8m0fnu_to_f32(uint8_t bits);
float hlo_f4e2m1fn_to_f32(uint8_t bits);
float hlo_f6e2m3fn_to_f32(uint8_t bits);
float hlo_f6e3m2fn_to_f32(uint8_t bits);

uint16_t hlo_f32_to_f16(float value);
uint16_t hlo_f32_to_bf16(float value);
uint8_t hlo_f32_to_f8e5m2(float value);
uint8_t hlo_f32_to_f8e4m3(float value);
uint8_t hlo_f32_to_f8e4m3fn(float value);
uint8_t hlo_f32_to_f8e4m3b11fnuz(float value);
uint8_t hlo_f32_to_f8e5m2fnuz(float value);
uint8_t hlo_f32_to_f8e4m3fnuz(float value);
uint8_t hlo_f32_to_f8e3m4(float value);
uint8_t hlo_f32_to_f8e8m0fnu(float value);
uint8_t hlo_f32_to_f4e2m1fn(float value);
uint8_t hlo_f32_to_f6e2m3fn(float value);
uint8_t hlo_f32_to_f6e3m2fn(float value);

uint16_t hlo_f64_to_f16(double value);
uint16_t hlo_f64_to_bf16(double value);
uint8_t hlo_f64_to_f8e5m2(double value);
uint8_t hlo_f64_to_f8e4m3(double value);
uint8_t hlo_f64_to_f8e4m3fn(double value);
uint8_t hlo_f64_to_f8e4m3b11fnuz(double value);
uint8_t hlo_f64_to_f8e5m2fnuz(double value);
uint8_t hlo_f64_to_f8e4m3fnuz(double value);
uint8_t hlo_f64_to_f8e3m4(double value);
uint8_t hlo_f64_to_f8e8m0fnu(double value);
uint8_t hlo_f64_to_f4e2m1fn(double value);
uint8_t hlo_f64_to_f6e2m3fn(double value);
uint8_t hlo_f64_to_f6e3m2fn(double value);

// Arrays of count values; out and in must not overlap. The same results as the functions for one
// value.
void hlo_f16_to_f32_n(float *out, const uint16_t *in, size_t count);
void hlo_f32_to_f16_n(uint16_t *out, const float *in, size_t count);
void hlo_bf16_to_f32_n(float *out, const uint16_t *in, size_t count);
void hlo_f32_to_bf16_n(uint16_t *out, const float *in, size_t count);

#endif
