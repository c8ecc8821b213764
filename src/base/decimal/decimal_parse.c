// Implements the parsing half of decimal.h. Common numbers take W. D. Clinger's fast path ("How to
// read floating point numbers accurately", 1990): one operation on two exact doubles. All others
// are settled by exact integers.
#include "base/bits.h"
#include "base/decimal.h"
#include "base/decimal/bignum.h"

#include <string.h>

typedef enum rounding { TO_NEAREST_EVEN, TO_ODD } rounding;

// Of digits beyond this many only their presence matters: midpoints between doubles have at most
// 767.
enum { MAX_DIGITS = 780 };

// A number as scanned: digits · 10^exponent, where digits are the first 19 significant ones.
typedef struct scanned {
  bool negative;
  uint64_t digits;
  int64_t exponent;
  bool more;               // nonzero digits follow the first 19
  const char *first, *end; // the digits (and perhaps a point), from the first that is not 0
} scanned;

// The double for (mantissa + something below 1 if inexact) · 2^exponent; mantissa is not 0.
static double assemble(uint64_t mantissa, bool inexact, int64_t exponent, rounding mode) {
  int zeros = __builtin_clzll(mantissa);
  mantissa <<= zeros; // its highest bit now weighs 2^(exponent + 63)
  exponent += 63 - zeros;
  if (exponent > 1023)
    return double_of_bits(mode == TO_ODD ? 0x7fefffffffffffff : 0x7ff0000000000000);
  if (exponent < -1080) return double_of_bits(mode == TO_ODD ? 1 : 0);
  int dropped = exponent >= -1022 ? 11 : 11 + (int)(-1022 - exponent);
  uint64_t kept = dropped < 64 ? mantissa >> dropped : 0;
  uint64_t half = dropped <= 64 ? (uint64_t)1 << (dropped - 1) : 0;
  uint64_t rest = dropped < 64 ? mantissa & (((uint64_t)1 << dropped) - 1) : mantissa;
  if (mode == TO_ODD) kept |= rest != 0 || inexact;
  else if (half != 0 && (rest > half || (rest == half && (inexact || (kept & 1) != 0)))) kept++;
  // The leading bit, if there, adds one to the exponent field; so does a carry out of the mantissa.
  uint64_t field = exponent >= -1022 ? (uint64_t)(exponent + 1022) : 0;
  return double_of_bits(kept + (field << 52));
}

static int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Reads [+-]?[0-9]+ up to end; saturates far beyond any exponent that matters even after a text of
// maximum length.
static bool scan_exponent(const char *p, const char *end, int64_t *out) {
  bool negative = p < end && *p == '-';
  if (p < end && (*p == '-' || *p == '+')) p++;
  if (p == end) return false;
  int64_t value = 0;
  for (; p < end; p++) {
    if (*p < '0' || *p > '9') return false;
    if (value < (int64_t)1 << 56) value = 10 * value + (*p - '0');
  }
  *out = negative ? -value : value;
  return true;
}

// Hexadecimal after "0x". False if it is not a number.
static bool parse_hex(const char *p, const char *end, rounding mode, double *out) {
  uint64_t mantissa = 0;
  int64_t exponent = 0, written_exponent = 0;
  bool inexact = false, seen_point = false, seen_digit = false;
  for (; p < end; p++) {
    int digit = hex_digit(*p);
    if (*p == '.' && !seen_point) {
      seen_point = true;
      continue;
    }
    if (digit < 0) break;
    seen_digit = true;
    if (mantissa >> 60 == 0) {
      mantissa = mantissa << 4 | (unsigned)digit;
      exponent -= seen_point ? 4 : 0;
    } else {
      inexact |= digit != 0;
      exponent += seen_point ? 0 : 4;
    }
  }
  if (!seen_digit) return false;
  if (p < end && (*p | 0x20) != 'p') return false;
  if (p < end && !scan_exponent(p + 1, end, &written_exponent)) return false;
  *out = mantissa == 0 ? 0 : assemble(mantissa, inexact, exponent + written_exponent, mode);
  return true;
}

static bool scan_decimal(const char *p, const char *end, scanned *out) {
  const char *point = NULL, *first = NULL;
  int taken = 0;
  bool seen_digit = false;
  uint64_t digits = 0;
  int64_t exponent = 0;
  bool more = false;
  for (; p < end; p++) {
    unsigned digit = (unsigned)(*p - '0');
    if (*p == '.' && point == NULL) {
      point = p;
      continue;
    }
    if (digit > 9) break;
    seen_digit = true;
    if (first == NULL && digit != 0) first = p;
    if (taken < 19) {
      digits = 10 * digits + digit;
      taken += first != NULL;
      exponent -= point != NULL;
    } else {
      more |= digit != 0;
      exponent += point == NULL;
    }
  }
  if (!seen_digit) return false;
  int64_t written_exponent = 0;
  out->end = p;
  if (p < end && (*p | 0x20) != 'e') return false;
  if (p < end && !scan_exponent(p + 1, end, &written_exponent)) return false;
  out->digits = digits, out->exponent = exponent + written_exponent, out->more = more,
  out->first = first;
  return true;
}

// 10^0…10^22, all that are exact as doubles.
static double exact_power_of_ten(int exponent) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                  1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  return powers[exponent];
}

// The part of a·b that the product rounded to double lacks. Exact for a, b far from overflow and
// underflow (T. J. Dekker, "A floating-point technique for extending the available precision",
// 1971).
static double product_error(double a, double b, double product) {
  double a_scaled = a * 134217729.0, b_scaled = b * 134217729.0; // 2^27 + 1
  double a_high = a_scaled - (a_scaled - a), b_high = b_scaled - (b_scaled - b);
  double a_low = a - a_high, b_low = b - b_high;
  return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
}

// Moves the nearest double to an odd neighbour; error has the sign of the true number minus value.
static double nearest_to_odd(double value, double error) {
  uint64_t bits = bits_of_double(value);
  if (error == 0 || (bits & 1) != 0) return value;
  return double_of_bits(error > 0 ? bits + 1 : bits - 1);
}

// digits · 10^exponent by one rounded operation, where both are exact as doubles.
static bool convert_fast(uint64_t digits, int64_t exponent, rounding mode, double *out) {
  if (digits >> 53 != 0 || exponent < -22 || exponent > 22) return false;
  double value = (double)digits,
         power = exact_power_of_ten((int)(exponent < 0 ? -exponent : exponent));
  double result = exponent < 0 ? value / power : value * power;
  if (mode == TO_ODD && exponent < 0) {
    double product = result * power;
    result = nearest_to_odd(result, (value - product) - product_error(result, power, product));
  } else if (mode == TO_ODD) {
    result = nearest_to_odd(result, product_error(value, power, result));
  }
  *out = result;
  return true;
}

// All digits (up to MAX_DIGITS, and a 1 that stands for the rest) as an integer; adjusts the
// exponent to match.
static void collect_digits(const scanned *number, hlo_bignum *digits, int64_t *exponent) {
  hlo_bignum_set(digits, number->digits);
  *exponent = number->exponent;
  if (!number->more) return;
  int index = 0;
  bool rest = false;
  for (const char *p = number->first; p < number->end; p++) {
    if (*p == '.') continue;
    index++;
    if (index > MAX_DIGITS) {
      rest |= *p != '0';
    } else if (index > 19) {
      hlo_bignum_multiply_add(digits, 10, (uint32_t)(*p - '0'));
      --*exponent;
    }
  }
  if (!rest) return;
  hlo_bignum_multiply_add(digits, 10, 1);
  --*exponent;
}

// The same for any number, by exact integers.
static double convert_exact(const scanned *number, rounding mode) {
  // Far outside the range of doubles; this also bounds the integers: up to 781 digits (2595 bits),
  // 5^(400 + 762) (2699 bits), and a numerator 64 bits longer than that.
  if (number->exponent > 400) return assemble(1, true, 2000, mode);
  if (number->exponent < -400) return assemble(1, true, -2000, mode);
  hlo_bignum numerator, denominator;
  int64_t exponent;
  collect_digits(number, &numerator, &exponent);
  bool inexact;
  if (exponent >= 0) {
    hlo_bignum_multiply_power_of_five(&numerator, (unsigned)exponent);
    int surplus = hlo_bignum_bit_length(&numerator) - 64;
    unsigned shift = surplus > 0 ? (unsigned)surplus : 0;
    uint64_t top = hlo_bignum_shift_right(&numerator, shift, &inexact);
    return assemble(top, inexact, exponent + shift, mode);
  }
  hlo_bignum_set(&denominator, 1);
  hlo_bignum_multiply_power_of_five(&denominator, (unsigned)-exponent);
  // A quotient of 63 or 64 bits.
  int shift = hlo_bignum_bit_length(&denominator) + 63 - hlo_bignum_bit_length(&numerator);
  if (shift > 0) hlo_bignum_shift_left(&numerator, (unsigned)shift);
  else hlo_bignum_shift_left(&denominator, (unsigned)-shift);
  uint64_t quotient = hlo_bignum_divide(&numerator, &denominator);
  return assemble(quotient, numerator.count != 0, exponent - shift, mode);
}

static bool parse(const char *text, size_t length, rounding mode, double *out) {
  const char *p = text, *end = text + length;
  bool negative = length > 0 && *p == '-';
  if (length > 0 && (*p == '-' || *p == '+')) p++;
  double value = 0;
  if (end - p > 2 && p[0] == '0' && (p[1] | 0x20) == 'x') {
    if (!parse_hex(p + 2, end, mode, &value)) return false;
  } else {
    scanned number;
    if (!scan_decimal(p, end, &number)) return false;
    bool done = number.digits == 0 ||
                (!number.more && convert_fast(number.digits, number.exponent, mode, &value));
    if (!done) value = convert_exact(&number, mode);
  }
  *out = negative ? -value : value;
  return true;
}

bool hlo_parse_f64(const char *text, size_t length, double *out) {
  return parse(text, length, TO_NEAREST_EVEN, out);
}

bool hlo_parse_f64_odd(const char *text, size_t length, double *out) {
  return parse(text, length, TO_ODD, out);
}

bool hlo_parse_f32(const char *text, size_t length, float *out) {
  double value;
  if (!parse(text, length, TO_ODD, &value)) return false;
  *out = (float)value;
  return true;
}
