// Checks math/complex.h against tests/c/data/complex.txt (made by complex.py with mpmath), and at
// special values and on branch cuts against the host's <complex.h>, which follows C's Annex G. The
// greatest errors per function, in units in the last place, are printed. Run from the top of the
// repository.
#include "base/bits.h"
#include "math/complex.h"

#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

typedef struct function {
  const char *name;
  hlo_c128 (*wide)(hlo_c128);
  hlo_c64 (*narrow)(hlo_c64);
  hlo_c128 (*wide2)(hlo_c128, hlo_c128);
  hlo_c64 (*narrow2)(hlo_c64, hlo_c64);
  double complex (*host)(double complex); // or NULL
  double wide_limit, narrow_limit;
} function;

#define UNARY(name, host, wide, narrow)                                                            \
  {#name, hlo_##name##_c128, hlo_##name##_c64, NULL, NULL, host, wide, narrow}
#define BINARY(name, wide, narrow)                                                                 \
  {#name, NULL, NULL, hlo_##name##_c128, hlo_##name##_c64, NULL, wide, narrow}

static const function functions[] = {
    UNARY(exp, cexp, 1, 0.51),
    UNARY(expm1, NULL, 2.5, 0.51),
    UNARY(log, clog, 1, 0.51),
    UNARY(log1p, NULL, 2, 0.51),
    UNARY(sqrt, csqrt, 2, 0.51),
    UNARY(rsqrt, NULL, 2.5, 0.51),
    UNARY(cbrt, NULL, 3, 0.51),
    UNARY(sin, csin, 2, 0.51),
    UNARY(cos, ccos, 2, 0.51),
    UNARY(tan, ctan, 3, 0.51),
    UNARY(asin, casin, 2.5, 0.51),
    UNARY(acos, cacos, 2.5, 0.51),
    UNARY(sinh, csinh, 2, 0.51),
    UNARY(cosh, ccosh, 2, 0.51),
    UNARY(tanh, ctanh, 3, 0.51),
    UNARY(asinh, casinh, 2.5, 0.51),
    UNARY(acosh, cacosh, 2.5, 0.51),
    UNARY(atanh, catanh, 2, 0.51),
    UNARY(logistic, NULL, 3, 0.51),
    UNARY(sign, NULL, 2, 0.51),
    BINARY(mul, 2, 2),
    BINARY(div, 4, 0.51),
    BINARY(pow, 2, 0.51),
    BINARY(atan2, 1, 0.51),
};

enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

// ---- the data file; complex.py describes it

static uint64_t random_state;

static double fraction(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (double)(random_state >> 11) * 0x1p-53;
}

static hlo_c128 next_argument(const char *rule) {
  double u[4], a = 0, b = 0;
  for (int i = 0; i < 4; i++) u[i] = fraction();
  char *rest;
  a = strtod(strchr(rule, ':') + 1, &rest);
  if (*rest == ':') b = strtod(rest + 1, NULL);
  if (rule[0] == 'b') return (hlo_c128){a * (2 * u[0] - 1), a * (2 * u[1] - 1)};
  if (rule[0] == 'l')
    return (hlo_c128){(u[2] > 0.5 ? 1 : -1) * ldexp(1 + u[2], (int)(a * (2 * u[0] - 1))),
                      (u[3] > 0.5 ? 1 : -1) * ldexp(1 + u[3], (int)(a * (2 * u[1] - 1)))};
  double scale = ldexp(1, -(int)(40 * u[0]));
  return (hlo_c128){a + scale * (2 * u[2] - 1), b + scale * (2 * u[3] - 1)};
}

static hlo_c64 narrow(hlo_c128 z) { return (hlo_c64){(float)z.re, (float)z.im}; }
static hlo_c128 widen(hlo_c64 z) { return (hlo_c128){z.re, z.im}; }

static hlo_c128 apply(const function *f, bool is_float, const hlo_c128 *z) {
  if (f->wide != NULL) return is_float ? widen(f->narrow(narrow(z[0]))) : f->wide(z[0]);
  return is_float ? widen(f->narrow2(narrow(z[0]), narrow(z[1]))) : f->wide2(z[0], z[1]);
}

static double unit_of(double x, bool is_float) {
  int exponent, least = is_float ? -125 : -1021;
  frexp(x, &exponent);
  return ldexp(1, (exponent < least || x == 0 ? least : exponent) - (is_float ? 24 : 53));
}

// Of functions of one argument and of atan2 each part counts in its own units, of others in those
// of |z|.
static double error_of(const function *f, hlo_c128 got, hlo_c128 exact, bool is_float) {
  double modulus = hypot(exact.re, exact.im);
  bool by_parts = f->wide != NULL || f->wide2 == hlo_atan2_c128;
  double re = fabs(got.re - exact.re) / unit_of(by_parts ? exact.re : modulus, is_float);
  double im = fabs(got.im - exact.im) / unit_of(by_parts ? exact.im : modulus, is_float);
  return isfinite(got.re) && isfinite(got.im) ? fmax(re, im) : HUGE_VAL;
}

static void check_data(const char *path) {
  static double worst[FUNCTION_COUNT][2];
  char line[200];
  FILE *file = fopen(path, "r");
  CHECK_MESSAGE(file != NULL, "cannot open %s (run from the top of the repository)", path);
  if (file == NULL) return;
  int blocks = 0;
  while (fgets(line, sizeof line, file)) {
    const char *name = strtok(line, " "), *type = strtok(NULL, " ");
    int count = atoi(strtok(NULL, " ")), index = 0;
    random_state = strtoull(strtok(NULL, " "), NULL, 16);
    char rule[40];
    snprintf(rule, sizeof rule, "%s", strtok(NULL, " \n"));
    bool is_float = strcmp(type, "c64") == 0;
    while (index < FUNCTION_COUNT && strcmp(functions[index].name, name) != 0) index++;
    CHECK_MESSAGE(index < FUNCTION_COUNT, "no function %s", name);
    if (index == FUNCTION_COUNT) break;
    const function *f = &functions[index];
    for (int i = 0; i < count; i++) {
      hlo_c128 z[2] = {{0, 0}, {0, 0}}, exact;
      for (int k = 0; k < (f->wide != NULL ? 1 : 2); k++) {
        z[k] = next_argument(rule);
        if (is_float) z[k] = widen(narrow(z[k]));
      }
      CHECK(fgets(line, sizeof line, file) != NULL);
      if (line[0] == '-') continue;
      char *rest;
      exact.re = double_of_bits(strtoull(line, &rest, 16)),
      exact.im = double_of_bits(strtoull(rest, NULL, 16));
      hlo_c128 got = apply(f, is_float, z);
      double error = error_of(f, got, exact, is_float),
             limit = is_float ? f->narrow_limit : f->wide_limit;
      CHECK_MESSAGE(error <= limit, "%s_%s((%a, %a), (%a, %a)) = (%a, %a): %.2f ulp from (%a, %a)",
                    f->name, is_float ? "c64" : "c128", z[0].re, z[0].im, z[1].re, z[1].im, got.re,
                    got.im, error, exact.re, exact.im);
      if (error > worst[index][is_float]) worst[index][is_float] = error;
    }
    blocks++;
  }
  fclose(file);
  CHECK_MESSAGE(blocks == 11 * FUNCTION_COUNT, "%d blocks", blocks);
  for (int i = 0; i < FUNCTION_COUNT; i++)
    printf("  %-9s %.2f ulp c128, %.2f ulp c64\n", functions[i].name, worst[i][0], worst[i][1]);
}

// ---- special values and cuts

// As close as two good implementations are. Where the host's other part is NaN, Annex G often
// leaves the sign open.
static bool agrees(double got, double host, bool is_sign_open) {
  if (isnan(got) || isnan(host)) return isnan(got) && isnan(host);
  if (is_sign_open) got = fabs(got), host = fabs(host);
  if (isinf(host) || host == 0) return got == host && !signbit(got) == !signbit(host);
  return fabs(got - host) <= 1e-14 * fabs(host);
}

static const double values[] = {0,     -0.0,  1,      -1,     0.5,      -2,        2,  1000,
                                -1000, 1e300, -1e300, 1e-300, INFINITY, -INFINITY, NAN};
enum { VALUE_COUNT = sizeof values / sizeof values[0] };

static double complex host_complex(double re, double im) {
  double parts[2] = {re, im};
  double complex z;
  memcpy(&z, parts, sizeof z);
  return z;
}

static void check_special_values_of(const function *f) {
  for (int i = 0; i < VALUE_COUNT; i++)
    for (int j = 0; j < VALUE_COUNT; j++) {
      double re = values[i], im = values[j];
      double complex host = f->host(host_complex(re, im));
      hlo_c128 got = f->wide((hlo_c128){re, im});
      // tan(±∞ + i∞) and tanh leave the sign of the zero open.
      bool is_open = isnan(creal(host)) || isnan(cimag(host)) || (isinf(re) && isinf(im));
      CHECK_MESSAGE(agrees(got.re, creal(host), is_open) && agrees(got.im, cimag(host), is_open),
                    "%s(%g, %g) = (%g, %g), not (%g, %g)", f->name, re, im, got.re, got.im,
                    creal(host), cimag(host));
    }
}

// chlo.atan is atan2 beside 1, and infinities and poles are those of atan(y / x) for any positive
// x.
static hlo_c128 atan_c128(hlo_c128 z) { return hlo_atan2_c128(z, (hlo_c128){1, 0}); }
static hlo_c128 atan_of_ratio_c128(hlo_c128 z) {
  bool is_special = isinf(z.re) || isinf(z.im) || (z.re == 0 && fabs(z.im) == 1);
  if (!is_special) return atan_c128(z);
  return hlo_atan2_c128((hlo_c128){2 * z.re, 2 * z.im}, (hlo_c128){2, -0.0});
}

static void check_special_values(void) {
  static const function others[] = {
      {.name = "atan", .wide = atan_c128, .host = catan},
      {.name = "atan of a ratio", .wide = atan_of_ratio_c128, .host = catan}};
  for (int k = 0; k < FUNCTION_COUNT; k++)
    if (functions[k].host != NULL) check_special_values_of(&functions[k]);
  for (int k = 0; k < 2; k++) check_special_values_of(&others[k]);
}

// Parts that are many orders of magnitude apart.
static void check_extremes(void) {
  hlo_c128 e = hlo_exp_c128((hlo_c128){1e300, 0x1p-1022});
  CHECK(e.re == HUGE_VAL && e.im == HUGE_VAL);
  hlo_c128 root = hlo_sqrt_c128((hlo_c128){-0x1p1022, -0x1p-340});
  CHECK(root.re == 0x1p-852 && root.im == -0x1p511);
  root = hlo_sqrt_c128((hlo_c128){0x1p1022, 0x1p-340});
  CHECK(root.re == 0x1p511 && root.im == 0x1p-852);
  hlo_c128 l = hlo_logistic_c128((hlo_c128){50, 1e-3});
  CHECK(l.re == 1 && fabs(l.im - 1.9287495e-25) < 1e-31); // e^-50 sin 0.001
  e = hlo_exp_c128((hlo_c128){3, 0x1p-1074});
  CHECK(e.im == 20 * 0x1p-1074); // e^3 = 20.09
  hlo_c128 p = hlo_pow_c128((hlo_c128){-1.5, 0.1}, (hlo_c128){3600, 0});
  CHECK(p.re == HUGE_VAL && p.im == -HUGE_VAL); // the angle is 1761.86 turns
  p = hlo_pow_c128((hlo_c128){-1.5, 0.1}, (hlo_c128){-3600, 0});
  CHECK(p.re == 0 && p.im == 0);
}

// Quotients: Annex G only fixes which are infinite, zero and NaN.
static void check_division(void) {
  for (int i = 0; i < VALUE_COUNT * VALUE_COUNT; i++)
    for (int j = 0; j < VALUE_COUNT * VALUE_COUNT; j++) {
      hlo_c128 a = {values[i % VALUE_COUNT], values[i / VALUE_COUNT]},
               b = {values[j % VALUE_COUNT], values[j / VALUE_COUNT]};
      hlo_c128 got = hlo_div_c128(a, b);
      bool a_nan = isnan(a.re) || isnan(a.im), b_nan = isnan(b.re) || isnan(b.im);
      bool a_infinite = isinf(a.re) || isinf(a.im), b_infinite = isinf(b.re) || isinf(b.im);
      bool a_zero = a.re == 0 && a.im == 0, b_zero = b.re == 0 && b.im == 0;
      bool is_infinite = isinf(got.re) || isinf(got.im), is_zero = got.re == 0 && got.im == 0;
      if ((a_infinite && !b_infinite && !b_nan) || (b_zero && !a_zero && !a_nan))
        CHECK_MESSAGE(is_infinite, "(%g, %g) / (%g, %g) = (%g, %g)", a.re, a.im, b.re, b.im, got.re,
                      got.im);
      else if (b_infinite && !a_infinite && !a_nan)
        CHECK_MESSAGE(is_zero, "(%g, %g) / (%g, %g) = (%g, %g)", a.re, a.im, b.re, b.im, got.re,
                      got.im);
      else if (a_nan || b_nan || (a_zero && b_zero) || (a_infinite && b_infinite))
        CHECK_MESSAGE(isnan(got.re) || isnan(got.im), "(%g, %g) / (%g, %g) = (%g, %g)", a.re, a.im,
                      b.re, b.im, got.re, got.im);
      else CHECK(!isnan(got.re) && !isnan(got.im));
    }
  // What a quotient of squares would lose.
  hlo_c128 tiny = {0x1p-1074, -0x1p-1074}, huge = {0x1.8p1023, 0x1.8p1023},
           one = hlo_div_c128(tiny, tiny);
  CHECK(one.re == 1 && one.im == 0);
  one = hlo_div_c128(huge, huge);
  CHECK(one.re == 1 && one.im == 0);
  hlo_c128 half = hlo_div_c128((hlo_c128){1, 0}, huge);
  CHECK(half.re == 0x1p-1024 / 1.5 && half.im == -half.re);
}

static bool is_exactly(hlo_c128 z, double re, double im) {
  return (z.re == re || (isnan(z.re) && isnan(re))) && (z.im == im || (isnan(z.im) && isnan(im)));
}

static void check_other_special_values(void) {
  hlo_c128 zero = {0, 0}, one = {1, 0}, i = {0, 1}, nan = {NAN, 0};
  CHECK(is_exactly(hlo_pow_c128(zero, zero), 1, 0) && is_exactly(hlo_pow_c128(nan, zero), 1, 0));
  CHECK(is_exactly(hlo_pow_c128(zero, (hlo_c128){2, 1}), 0, 0) &&
        is_exactly(hlo_pow_c128(zero, (hlo_c128){-1, 0}), NAN, NAN));
  hlo_c128 square = hlo_pow_c128(i, (hlo_c128){2, 0});
  CHECK(square.re == -1 && fabs(square.im) < 1e-15);
  CHECK(fabs(hlo_pow_c128((hlo_c128){2, 0}, (hlo_c128){10, 0}).re - 1024) < 1e-12);
  CHECK(is_exactly(hlo_sign_c128(zero), 0, 0) && is_exactly(hlo_sign_c128(nan), NAN, NAN));
  CHECK(is_exactly(hlo_sign_c128((hlo_c128){-1e-320, 0}), -1, 0) &&
        is_exactly(hlo_sign_c128((hlo_c128){0, 1e308}), 0, 1));
  CHECK(is_exactly(hlo_rsqrt_c128(zero), INFINITY, NAN) &&
        is_exactly(hlo_rsqrt_c128((hlo_c128){INFINITY, 1}), 0, 0));
  CHECK(is_exactly(hlo_rsqrt_c128((hlo_c128){0.25, 0}), 2, 0));
  CHECK(is_exactly(hlo_cbrt_c128(zero), 0, 0) &&
        fabs(hlo_cbrt_c128((hlo_c128){8, 0}).re - 2) < 1e-15);
  hlo_c128 root = hlo_cbrt_c128((hlo_c128){-8, 0}); // the principal root, not -2
  CHECK(fabs(root.re - 1) < 1e-15 && fabs(root.im - sqrt(3)) < 1e-15);
  CHECK(is_exactly(hlo_logistic_c128(zero), 0.5, 0) &&
        is_exactly(hlo_logistic_c128((hlo_c128){-INFINITY, 0}), 0, 0));
  CHECK(is_exactly(hlo_logistic_c128((hlo_c128){INFINITY, 0}), 1, 0) &&
        is_exactly(hlo_expm1_c128(zero), 0, 0));
  CHECK(is_exactly(hlo_expm1_c128((hlo_c128){-INFINITY, 1}), -1, 0) &&
        is_exactly(hlo_log1p_c128((hlo_c128){-1, 0}), -INFINITY, 0));
  CHECK(is_exactly(hlo_atan2_c128(one, (hlo_c128){-1, 0}), atan2(1, -1), 0) &&
        is_exactly(hlo_atan2_c128(zero, zero), 0, 0));
  // On both sides of a cut that the scaled arguments do not show, and at a pole.
  hlo_c128 up = hlo_atan2_c128((hlo_c128){0x1p-800, 0}, (hlo_c128){0x1p-700, 0x1p500});
  hlo_c128 down = hlo_atan2_c128((hlo_c128){0x1p-800, 0}, (hlo_c128){-0x1p-700, 0x1p500});
  CHECK(up.re == 0 && fabs(down.re) == acos(-1));
  hlo_c128 pole = hlo_atan2_c128((hlo_c128){0, 1}, one);
  CHECK(pole.re == 0 && pole.im == INFINITY);
  CHECK(isnan(hlo_atan2_c128((hlo_c128){0, 1}, (hlo_c128){-1, 0}).re));
  CHECK(hlo_abs_c128((hlo_c128){0x3p600, -0x4p600}) == 0x5p600 &&
        hlo_abs_c64((hlo_c64){3e38f, 1e38f}) == (float)hypot(3e38f, 1e38f));
  CHECK(isinf(hlo_abs_c128((hlo_c128){NAN, INFINITY})) && isnan(hlo_abs_c128(nan)));
  hlo_c64 product = hlo_mul_c64((hlo_c64){1, 2}, (hlo_c64){3, -4});
  CHECK(product.re == 11 && product.im == 2);
}

// Floats of all magnitudes, those where functions are used, and special ones: the functions of c64
// that vectors make are those of c128, rounded.
static float any_float(void) {
  static const float special[] = {0, -0.0f, 1, -1, 0.5f, -2, INFINITY, -INFINITY, NAN, 0x1p-149f};
  int kind = (int)(fraction() * 8);
  if (kind == 0) return special[(int)(fraction() * 10)];
  if (kind == 1) return float_of_bits((uint32_t)(fraction() * 0x1p32));
  return (float)((fraction() - 0.5) * (kind < 4 ? 200 : kind < 7 ? 8 : 1e-3));
}

static void check_part(const char *name, hlo_c64 z, float got, float want) {
  bool is_same = got == want ? signbit(got) == signbit(want) : isnan(got) && isnan(want);
  // Where the double lies between two floats, either may be it.
  bool is_next = got == nextafterf(want, got) && isfinite(got) && isfinite(want);
  CHECK_MESSAGE(is_same || is_next, "%s_c64(%a, %a): %a instead of %a", name, z.re, z.im, got,
                want);
}

static void check_narrow_functions(void) {
  static const struct {
    const char *name;
    hlo_c64 (*narrow)(hlo_c64), (*where_nan)(hlo_c64);
  } made[] = {
#define FUNCTION(id, name) {#name, hlo_##name##_c64, hlo_##name##_c64_where_nan},
      HLO_COMPLEX_FUNCTIONS(FUNCTION)};
  random_state = 88172645463325252u;
  for (size_t f = 0; f < sizeof made / sizeof *made; f++) {
    for (int i = 0; i < 40000; i++) {
      hlo_c64 z = {any_float(), any_float()};
      if (i % 8 == 0) z.re = (i % 16 == 0 ? 0.5f : -0.5f) * z.im * z.im; // expm1 and log1p cancel
      hlo_c64 got = made[f].narrow(z), want = made[f].where_nan(z);
      check_part(made[f].name, z, got.re, want.re);
      check_part(made[f].name, z, got.im, want.im);
    }
  }
  for (int i = 0; i < 40000; i++) {
    hlo_c64 z = {any_float(), any_float()}, by = {any_float(), any_float()};
    hlo_c128 want = hlo_div_c128((hlo_c128){z.re, z.im}, (hlo_c128){by.re, by.im});
    hlo_c64 got = hlo_div_c64(z, by);
    check_part("div", z, got.re, (float)want.re);
    check_part("div", z, got.im, (float)want.im);
  }
}

int main(void) {
  check_data("tests/c/data/complex.txt");
  check_special_values();
  check_extremes();
  check_division();
  check_other_special_values();
  check_narrow_functions();
  return CHECK_RESULT();
}
