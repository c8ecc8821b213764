// sin, cos and tan of any double: reduction to a quarter turn, then polynomials in double-double
// where it matters. W. J. Cody, W. Waite, "Software Manual for the Elementary Functions", 1980, for
// common arguments; M. H. Payne, R. N. Hanek, "Radian reduction for trigonometric functions", 1983,
// for huge ones.
#include "math/elementary.h"
#include "math/elementary/coefficients.h"
#include "math/elementary/cores.h"
#include "math/elementary/single_number.h"
#include "math/vector_math.h"

enum { WINDOW_WORDS = 8 };

// window = (mantissa · the bits of 2/π from position `bit` on) modulo 2^256, as the integer above
// 2^(bit + 256); words run from the highest. What is left out below changes the last 53 bits only.
static void multiply_window(uint64_t mantissa, int bit, uint32_t window[WINDOW_WORDS]) {
  uint32_t pi_words[WINDOW_WORDS];
  for (int i = 0; i < WINDOW_WORDS; i++) {
    // Positions before the point hold zeros.
    int word = (bit + 32 * i + 64) / 32 - 2, shift = (bit + 32 * i + 64) % 32;
    uint64_t high = word >= 0 ? TWO_OVER_PI_BITS[word] : 0,
             low = word + 1 >= 0 ? TWO_OVER_PI_BITS[word + 1] : 0;
    pi_words[i] = (uint32_t)((high << 32 | low) >> (32 - shift));
  }
  uint64_t low_half = (uint32_t)mantissa, high_half = mantissa >> 32, carry = 0;
  for (int i = WINDOW_WORDS - 1; i >= 0; i--) {
    uint64_t low_product = low_half * pi_words[i];
    uint64_t high_product = i + 1 < WINDOW_WORDS ? high_half * pi_words[i + 1] : 0;
    uint64_t sum = (carry & 0xffffffff) + (uint32_t)low_product + (uint32_t)high_product;
    window[i] = (uint32_t)sum;
    carry = (carry >> 32) + (low_product >> 32) + (high_product >> 32) + (sum >> 32);
  }
}

// The fraction 0.words as a double-double in [0, 1), correct to 100 bits or more.
static dd fraction_of_words(const uint32_t *words, int count) {
  int skipped = 0;
  while (skipped < count - 4 && words[skipped] == 0) skipped++;
  const uint32_t *w = words + skipped;
  double unit = power_of_two(-32 * skipped);
  // Four words hold at least 97 bits from the first nonzero one on.
  dd high = quick_two_sum(w[0] * (0x1p-32 * unit), w[1] * (0x1p-64 * unit));
  dd low = quick_two_sum(w[2] * (0x1p-96 * unit), w[3] * (0x1p-128 * unit));
  return dd_add(high, low);
}

// For 2^20 ≤ |x| < ∞. |x| · 2/π modulo 4, by integers: only the bits of 2/π matter that do not add
// a multiple of 4.
static reduced_angle reduce_huge(double x) {
  uint64_t bits = bits_of_double(x);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1075; // |x| = mantissa · 2^exponent
  uint64_t mantissa = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
  uint32_t window[WINDOW_WORDS], fraction[WINDOW_WORDS];
  // Bit p after the point weighs 2^-(p + 1): from p = exponent - 2 on, mantissa · 2^exponent times
  // it is below 4 · 2^53 multiples. The window's two highest bits are then the quadrant.
  multiply_window(mantissa, exponent - 2, window);
  int quadrant = (int)(window[0] >> 30);
  for (int i = 0; i < WINDOW_WORDS; i++)
    fraction[i] = window[i] << 2 | (i + 1 < WINDOW_WORDS ? window[i + 1] >> 30 : 0);
  bool above_half = fraction[0] >> 31 != 0;
  if (above_half) { // 1 - fraction, but for the last bit
    quadrant++;
    for (int i = 0; i < WINDOW_WORDS; i++) fraction[i] = ~fraction[i];
  }
  dd r = dd_multiply(fraction_of_words(fraction, WINDOW_WORDS), (dd){HALF_PI_DD_1, HALF_PI_DD_2});
  if (above_half != (x < 0)) r = dd_negate(r);
  return (reduced_angle){r, (x < 0 ? -quadrant : quadrant) & 3};
}

reduced_angle hlo_reduce_angle(double x) {
  if (__builtin_fabs(x) >= HLO_DOUBLE_ANGLE) return reduce_huge(x);
  double low, quadrant, r = one_reduce_f64(0, x, &low, &quadrant);
  return (reduced_angle){{r, low}, (int)(bits_of_double(quadrant) & 3)};
}

dd hlo_sin_core(dd r) {
  double low, high = one_sin_sum(0, r.hi, r.lo, &low);
  return (dd){high, low};
}

dd hlo_cos_core(dd r) {
  double low, high = one_cos_sum(0, r.hi, r.lo, &low);
  return (dd){high, low};
}

void hlo_sincos_f64(double x, double *sine, double *cosine) {
  if (!is_finite(x)) {
    *sine = *cosine = x - x;
    return;
  }
  reduced_angle angle = hlo_reduce_angle(x);
  double quadrant = double_of_bits((uint64_t)angle.quadrant);
  one_circular_f64(0, angle.remainder.hi, angle.remainder.lo, quadrant, sine, cosine);
  *sine = one_or_tiny(0, x, 0x1p-27, *sine);
}

double hlo_sin_f64(double x) {
  double sine, cosine;
  hlo_sincos_f64(x, &sine, &cosine);
  return sine;
}

double hlo_cos_f64(double x) {
  double sine, cosine;
  hlo_sincos_f64(x, &sine, &cosine);
  return cosine;
}

double hlo_tan_f64(double x) {
  if (!is_finite(x)) return x - x;
  reduced_angle angle = hlo_reduce_angle(x);
  double quadrant = double_of_bits((uint64_t)angle.quadrant);
  return one_or_tiny(0, x, 0x1p-27,
                     one_tan_sum(0, angle.remainder.hi, angle.remainder.lo, quadrant));
}

// --- f32: in double, rounded once ---

// The remainder of x by π/2; NaN for infinities and NaN.
static double reduce(double x, double *quadrant) {
  if (__builtin_fabs(x) < HLO_WIDE_ANGLE) return one_reduce(0, x, quadrant);
  *quadrant = 0;
  if (!is_finite(x)) return DOUBLE_NAN;
  reduced_angle reduced = hlo_reduce_angle(x);
  *quadrant = double_of_bits((uint64_t)reduced.quadrant);
  return reduced.remainder.hi;
}

float hlo_sin_of_large_f32(float x) {
  double quadrant, r = reduce(x, &quadrant);
  return (float)one_sin_of_angle(0, r, quadrant);
}

float hlo_cos_of_large_f32(float x) {
  double quadrant, r = reduce(x, &quadrant);
  return (float)one_cos_of_angle(0, r, quadrant);
}

float hlo_tan_f32(float x) {
  if (x != x) return x; // its own bits: below, several NaNs meet
  double quadrant, r = reduce(x, &quadrant);
  return (float)one_tan_of_angle(0, r, quadrant);
}
