// Implements the printing half of decimal.h: exact digits by integers, then three notations for
// them.
#include "base/bits.h"
#include "base/decimal.h"
#include "base/decimal/bignum.h"

#include <stdint.h>
#include <string.h>

// A positive finite number as mantissa · 2^exponent.
typedef struct binary {
  uint64_t mantissa;
  int exponent;
} binary;

// digits · 10^(exponent - (count - 1)): exponent is that of the first digit.
typedef struct decimal {
  uint64_t digits;
  int count, exponent;
} decimal;

static uint64_t power_of_ten(int exponent) {
  uint64_t power = 1;
  for (; exponent > 0; exponent--) power *= 10;
  return power;
}

static binary binary_of(double value) {
  uint64_t bits = bits_of_double(value) & ~((uint64_t)1 << 63),
           mantissa = bits & (((uint64_t)1 << 52) - 1);
  int field = (int)(bits >> 52);
  return field == 0 ? (binary){mantissa, -1074}
                    : (binary){mantissa | (uint64_t)1 << 52, field - 1075};
}

// floor(number · 10^scale), and how the discarded fraction compares to a half: -1, 0 or 1; *exact
// if it is zero.
static uint64_t scaled_floor(binary number, int scale, int *to_half) {
  hlo_bignum numerator, denominator;
  hlo_bignum_set(&numerator, number.mantissa);
  int shift = number.exponent + scale;
  if (scale >= 0) {
    hlo_bignum_multiply_power_of_five(&numerator, (unsigned)scale);
    if (shift >= 0) {
      bool lost;
      hlo_bignum_shift_left(&numerator, (unsigned)shift);
      *to_half = -1;
      return hlo_bignum_shift_right(&numerator, 0, &lost);
    }
    bool below_half;
    uint64_t twice = hlo_bignum_shift_right(&numerator, (unsigned)(-shift - 1), &below_half);
    *to_half = (twice & 1) == 0 ? -1 : below_half;
    return twice >> 1;
  }
  hlo_bignum_set(&denominator, 1);
  hlo_bignum_multiply_power_of_five(&denominator, (unsigned)-scale);
  if (shift >= 0) hlo_bignum_shift_left(&numerator, (unsigned)shift);
  else hlo_bignum_shift_left(&denominator, (unsigned)-shift);
  uint64_t quotient = hlo_bignum_divide(&numerator, &denominator);
  int comparison = hlo_bignum_compare_double(&numerator, &denominator);
  *to_half = comparison < 0 ? -1 : comparison > 0;
  return quotient;
}

// The first count digits of the number, truncated.
static decimal truncated(binary number, int count, int *to_half) {
  int leading = number.exponent + 63 - __builtin_clzll(number.mantissa);
  // log10 2 = 0.30102999…: for |leading| ≤ 1100 the product with 78913 / 2^18 has the right floor,
  // which is the decimal exponent or one less than it.
  int exponent = (int)((leading * (int64_t)78913) >> 18);
  uint64_t digits = scaled_floor(number, count - 1 - exponent, to_half);
  if (digits >= power_of_ten(count)) digits = scaled_floor(number, count - 1 - ++exponent, to_half);
  return (decimal){digits, count, exponent};
}

static decimal next_above(decimal number) {
  if (++number.digits == power_of_ten(number.count)) number.digits /= 10, number.exponent++;
  return number;
}

static decimal rounded(binary number, int count) {
  int to_half;
  decimal result = truncated(number, count, &to_half);
  return to_half > 0 || (to_half == 0 && (result.digits & 1) != 0) ? next_above(result) : result;
}

static decimal without_trailing_zeros(decimal number) {
  while (number.count > 1 && number.digits % 10 == 0) number.digits /= 10, number.count--;
  return number;
}

static char *write_digits(char *out, uint64_t digits, int count) {
  for (int i = count - 1; i >= 0; i--) out[i] = (char)('0' + digits % 10), digits /= 10;
  return out + count;
}

// With at least min_exponent_digits digits in the exponent.
static char *write_scientific(char *out, decimal number, int min_exponent_digits) {
  write_digits(out + 1, number.digits, number.count);
  out[0] = out[1];
  out[1] = '.';
  out += number.count > 1 ? number.count + 1 : 1;
  *out++ = 'e';
  *out++ = number.exponent < 0 ? '-' : '+';
  int magnitude = number.exponent < 0 ? -number.exponent : number.exponent;
  int count = magnitude >= 100 ? 3 : magnitude >= 10 ? 2 : 1;
  return write_digits(out, (uint64_t)magnitude,
                      count < min_exponent_digits ? min_exponent_digits : count);
}

static char *write_fixed(char *out, decimal number) {
  int whole = number.exponent + 1; // digits before the point
  if (whole <= 0) {
    *out++ = '0';
    *out++ = '.';
    for (; whole < 0; whole++) *out++ = '0';
    return write_digits(out, number.digits, number.count);
  }
  write_digits(out, number.digits, number.count);
  for (int i = number.count; i < whole; i++) out[i] = '0';
  if (number.count <= whole) return out + whole;
  memmove(out + whole + 1, out + whole, (size_t)(number.count - whole));
  out[whole] = '.';
  return out + number.count + 1;
}

// The notation of %g for a precision.
static char *write_general(char *out, decimal number, int precision) {
  number = without_trailing_zeros(number);
  bool is_fixed = number.exponent >= -4 && number.exponent < precision;
  return is_fixed ? write_fixed(out, number) : write_scientific(out, number, 2);
}

static size_t finish(const char *start, char *end) {
  *end = 0;
  return (size_t)(end - start);
}

// Writes the sign, and all of it if the value is zero, infinite or NaN; then returns true.
static bool write_special(char **out, double value) {
  if (bits_of_double(value) >> 63 != 0) *(*out)++ = '-';
  bool is_nan = value != value;
  if (value == 0) {
    *(*out)++ = '0';
    return true;
  }
  if (!is_nan && value - value == 0) return false;
  memcpy(*out, is_nan ? "nan" : "inf", 3);
  *out += 3;
  return true;
}

// The printing and the parsing function of one type.
typedef struct precision {
  int safe;    // as many digits survive decimal → binary → decimal
  int maximum; // as many survive binary → decimal → binary
  bool is_float;
} precision;

static const precision precision_of_float = {6, 9, true}, precision_of_double = {15, 17, false};

static bool reads_back(decimal number, const precision *type, double value) {
  char text[HLO_FORMAT_SIZE];
  size_t length = (size_t)(write_scientific(text, number, 1) - text);
  double magnitude = value < 0 ? -value : value, result = 0;
  if (!type->is_float) return hlo_parse_f64(text, length, &result) && result == magnitude;
  float narrow = 0;
  return hlo_parse_f32(text, length, &narrow) && narrow == (float)magnitude;
}

static size_t format_general(char *out, double value, const precision *type) {
  char *end = out;
  if (write_special(&end, value)) return finish(out, end);
  binary number = binary_of(value);
  int digits = type->safe;
  decimal result = rounded(number, digits);
  if (!reads_back(result, type, value)) digits = type->maximum, result = rounded(number, digits);
  return finish(out, write_general(end, result, digits));
}

// The shortest decimal that reads back, and of those the nearest.
static decimal shortest(double value, const precision *type) {
  binary number = binary_of(value);
  // Most numbers that people write have few digits, and all of those are found in one go: a decimal
  // of at most `safe` digits is what its binary number rounds to. Below the normal range this does
  // not hold.
  double magnitude = value < 0 ? -value : value;
  bool is_normal = magnitude >= (type->is_float ? 0x1p-126 : 0x1p-1022);
  if (is_normal) {
    decimal result = rounded(number, type->safe);
    if (reads_back(result, type, value)) return without_trailing_zeros(result);
  }
  for (int count = is_normal ? type->safe + 1 : 1; count < type->maximum; count++) {
    int to_half;
    decimal below = truncated(number, count, &to_half), above = next_above(below);
    bool prefer_above = to_half > 0 || (to_half == 0 && (below.digits & 1) != 0);
    decimal first = prefer_above ? above : below, second = prefer_above ? below : above;
    // The farther one matters next to a power of two, where the gap below is half as wide as that
    // above.
    if (first.digits != 0 && reads_back(first, type, value)) return without_trailing_zeros(first);
    if (second.digits != 0 && reads_back(second, type, value))
      return without_trailing_zeros(second);
  }
  return without_trailing_zeros(rounded(number, type->maximum));
}

static size_t format_shortest(char *out, double value, const precision *type) {
  char *end = out;
  if (write_special(&end, value)) return finish(out, end);
  decimal number = shortest(value, type);
  bool is_fixed = number.exponent >= -6 && number.exponent < 21;
  return finish(out, is_fixed ? write_fixed(end, number) : write_scientific(end, number, 1));
}

size_t hlo_format_f32(char *out, float value) {
  return format_general(out, value, &precision_of_float);
}
size_t hlo_format_f64(char *out, double value) {
  return format_general(out, value, &precision_of_double);
}
size_t hlo_format_shortest_f32(char *out, float value) {
  return format_shortest(out, value, &precision_of_float);
}
size_t hlo_format_shortest_f64(char *out, double value) {
  return format_shortest(out, value, &precision_of_double);
}

static int clamp_digits(int digits) { return digits < 1 ? 1 : digits > 17 ? 17 : digits; }

size_t hlo_format_digits(char *out, double value, int digits) {
  char *end = out;
  if (write_special(&end, value)) return finish(out, end);
  int count = clamp_digits(digits);
  return finish(out, write_general(end, rounded(binary_of(value), count), count));
}

size_t hlo_format_scientific(char *out, double value, int digits) {
  char *end = out;
  int count = clamp_digits(digits);
  bool is_special = write_special(&end, value);
  if (!is_special) return finish(out, write_scientific(end, rounded(binary_of(value), count), 2));
  if (value == 0) end = write_scientific(end - 1, (decimal){0, count, 0}, 2);
  return finish(out, end);
}
