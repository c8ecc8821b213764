// Implements near_zeros.h: reflection to arguments above 1, the recurrence up to `series_begin`,
// and asymptotic series in Bernoulli numbers (Abramowitz and Stegun, 6.1.40, 6.3.18, 23.1.30),
// whose first term that is left out is below 2^-165.
#include "math/wide/near_zeros.h"

#include "math/wide/fixed_point.h"

typedef hlo_fixed fixed;

static const double series_begin = 64;

// B(2k) / (2k), k = 1…16.
static const int64_t bernoulli[][2] = {{1, 12},
                                       {-1, 120},
                                       {1, 252},
                                       {-1, 240},
                                       {1, 132},
                                       {-691, 32760},
                                       {1, 12},
                                       {-3617, 8160},
                                       {43867, 14364},
                                       {-174611, 6600},
                                       {77683, 276},
                                       {-236364091, 65520},
                                       {657931, 12},
                                       {-3392780147, 3480},
                                       {1723168255201, 85932},
                                       {-7709321041217, 16320}};
enum { BERNOULLI_COUNT = sizeof bernoulli / sizeof *bernoulli };

static fixed subtract(fixed a, fixed b) { return hlo_fixed_add(a, hlo_fixed_negate(b)); }
static fixed one_minus(double x) { return subtract(hlo_fixed_of(1), hlo_fixed_of(x)); }
static bool is_below(fixed a, double bound) { return hlo_fixed_to_double(&a) < bound; }
static fixed next(fixed a) { return hlo_fixed_add(a, hlo_fixed_of(1)); }

// The sine of π times the distance from x to the nearest integer, and the cosine; that distance's
// sign is x's side of the integer.
static bool half_turns(double x, fixed *sine, fixed *cosine) {
  double side = x - __builtin_rint(x); // exact
  fixed distance = hlo_fixed_of(__builtin_fabs(side));
  hlo_fixed_sincos(hlo_fixed_multiply(hlo_fixed_pi, distance), sine, cosine);
  return side < 0;
}

// The sum over k of B(2k) / (2k) / y^(2k) divided by 2k - 1 for lgamma, by 1 for digamma.
static fixed bernoulli_sum(fixed inverse, bool is_lgamma) {
  fixed square = hlo_fixed_multiply(inverse, inverse), power = square, sum = {{0}, false};
  for (int k = 0; k < BERNOULLI_COUNT; k++) {
    fixed term = hlo_fixed_scale(power, bernoulli[k][0], bernoulli[k][1]);
    sum = hlo_fixed_add(sum, is_lgamma ? hlo_fixed_scale(term, 1, 2 * k + 1) : term);
    power = hlo_fixed_multiply(power, square);
  }
  return sum;
}

// log Γ(y) for y ≥ 1.
static fixed lgamma_of_positive(fixed y) {
  fixed logs = {{0}, false}, product = hlo_fixed_of(1);
  for (; is_below(y, series_begin); y = next(y)) {
    product = hlo_fixed_multiply(product, y);
    if (is_below(product, 0x1p50)) continue;
    logs = hlo_fixed_add(logs, hlo_fixed_log(product));
    product = hlo_fixed_of(1);
  }
  logs = hlo_fixed_add(logs, hlo_fixed_log(product));
  fixed half_log_two_pi = hlo_fixed_scale(hlo_fixed_log(hlo_fixed_scale(hlo_fixed_pi, 2, 1)), 1, 2);
  fixed product_of_log = hlo_fixed_multiply(subtract(y, hlo_fixed_of(0.5)), hlo_fixed_log(y));
  // The series has odd powers: those of bernoulli_sum times y.
  fixed rest = hlo_fixed_multiply(bernoulli_sum(hlo_fixed_reciprocal(y), true), y);
  fixed sum = hlo_fixed_add(subtract(product_of_log, y), hlo_fixed_add(half_log_two_pi, rest));
  return subtract(sum, logs);
}

// log |Γ(x)| = log π - log |sin πx| - log Γ(1 - x)
double hlo_lgamma_near_zero(double x) {
  fixed sine, cosine;
  half_turns(x, &sine, &cosine);
  fixed logs = subtract(hlo_fixed_log(hlo_fixed_pi), hlo_fixed_log(sine));
  fixed value = subtract(logs, lgamma_of_positive(one_minus(x)));
  return hlo_fixed_to_double(&value);
}

// ψ(x) = ψ(1 - x) - π cot πx
double hlo_digamma_near_zero(double x) {
  fixed sine, cosine, y = one_minus(x), terms = {{0}, false};
  bool is_left = half_turns(x, &sine, &cosine);
  fixed cotangent = hlo_fixed_multiply(cosine, hlo_fixed_reciprocal(sine));
  cotangent = hlo_fixed_multiply(hlo_fixed_pi, cotangent);
  if (is_left) cotangent = hlo_fixed_negate(cotangent);
  for (; is_below(y, series_begin); y = next(y))
    terms = hlo_fixed_add(terms, hlo_fixed_reciprocal(y));
  fixed inverse = hlo_fixed_reciprocal(y);
  fixed series = subtract(hlo_fixed_log(y), hlo_fixed_scale(inverse, 1, 2));
  series = subtract(series, bernoulli_sum(inverse, false));
  fixed value = subtract(subtract(series, terms), cotangent);
  return hlo_fixed_to_double(&value);
}

static fixed power(fixed x, int n) {
  fixed product = hlo_fixed_of(1);
  for (; n > 0; n >>= 1, x = hlo_fixed_multiply(x, x))
    if (n & 1) product = hlo_fixed_multiply(product, x);
  return product;
}

// zeta(s, a) for a > 0 by the Euler–Maclaurin formula.
static fixed zeta_of_positive(int s, fixed a) {
  fixed sum = {{0}, false};
  for (; is_below(a, series_begin + s); a = next(a))
    sum = hlo_fixed_add(sum, power(hlo_fixed_reciprocal(a), s));
  fixed inverse = hlo_fixed_reciprocal(a), square = hlo_fixed_multiply(inverse, inverse);
  fixed last = power(inverse, s);
  sum = hlo_fixed_add(sum, hlo_fixed_scale(hlo_fixed_multiply(last, a), 1, s - 1));
  sum = hlo_fixed_add(sum, hlo_fixed_scale(last, 1, 2));
  fixed term = hlo_fixed_scale(hlo_fixed_multiply(last, inverse), s, 1);
  for (int k = 0; k < BERNOULLI_COUNT; k++) {
    sum = hlo_fixed_add(sum, hlo_fixed_scale(term, bernoulli[k][0], bernoulli[k][1]));
    int64_t n = 2 * k + 2; // the next term has n - 1 + s and n + s more, over n (n + 1)
    term = hlo_fixed_scale(hlo_fixed_multiply(term, square), (s + n - 1) * (s + n), n * (n + 1));
  }
  return sum;
}

// With n the terms below 0 and f = q + n: zeta(s, f) + (-1)^s (zeta(s, 1 - f) - zeta(s, 1 - q)).
dd hlo_zeta_near_zero(int s, double q) {
  fixed f = subtract(hlo_fixed_of(q), hlo_fixed_of(__builtin_floor(q)));
  fixed below = zeta_of_positive(s, subtract(hlo_fixed_of(1), f));
  fixed others = subtract(below, zeta_of_positive(s, one_minus(q)));
  if (s % 2 != 0) others = hlo_fixed_negate(others);
  fixed value = hlo_fixed_add(zeta_of_positive(s, f), others);
  double high = hlo_fixed_to_double(&value);
  fixed rest = subtract(value, hlo_fixed_of(high));
  return (dd){high, hlo_fixed_to_double(&rest)};
}
