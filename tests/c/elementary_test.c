// Checks math/elementary.h against tests/c/data/elementary/*.txt (made by elementary.py with
// mpmath), against C's Annex F for special values, and float functions against the double ones over
// all magnitudes. Prints the greatest error per function in units in the last place: the accuracy
// report. Run from the top of the repository.
#include "base/bits.h"
#include "math/complex.h"
#include "math/elementary.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

// What float has of it.
static float hlo_hypot_f32(float x, float y) { return hlo_abs_c64((hlo_c64){x, y}); }

// The greatest error that a function may have on the data, a little above what was measured.
typedef struct function {
  const char *name;
  double (*wide)(double);
  float (*narrow)(float);
  double (*wide2)(double, double);
  float (*narrow2)(float, float);
  double wide_limit, narrow_limit;
} function;

#define UNARY(name, wide, narrow)                                                                  \
  {#name, hlo_##name##_f64, hlo_##name##_f32, NULL, NULL, wide, narrow}
#define BINARY(name, wide, narrow)                                                                 \
  {#name, NULL, NULL, hlo_##name##_f64, hlo_##name##_f32, wide, narrow}

static const function functions[] = {
    UNARY(exp, 0.75, 1.01),      UNARY(expm1, 0.85, 1.25),       UNARY(log, 0.65, 0.95),
    UNARY(log1p, 0.65, 1.05),    UNARY(sin, 0.70, 0.90),         UNARY(cos, 0.70, 0.95),
    UNARY(tan, 0.80, 0.505),     UNARY(asin, 0.60, 0.505),       UNARY(acos, 0.60, 0.505),
    UNARY(sinh, 0.80, 0.505),    UNARY(cosh, 0.60, 0.505),       UNARY(tanh, 0.60, 1.86),
    UNARY(asinh, 0.75, 0.505),   UNARY(acosh, 0.75, 0.505),      UNARY(atanh, 0.75, 0.505),
    UNARY(cbrt, 0.51, 0.505),    UNARY(rsqrt, 0.51, 0.86),       UNARY(logistic, 0.75, 1.96),
    UNARY(erf, 0.70, 1.15),      UNARY(erfc, 0.80, 1.92),        UNARY(lgamma, 0.60, 0.505),
    UNARY(digamma, 0.60, 0.505), BINARY(pow, 0.75, 0.51),        BINARY(atan2, 0.60, 0.505),
    BINARY(hypot, 0.75, 0.505),  UNARY(erf_inv, 0.75, 1.45),     UNARY(bessel_i1e, 0.70, 0.505),
    BINARY(zeta, 0.60, 0.505),   BINARY(polygamma, 0.60, 0.505),
};

enum { FUNCTION_COUNT = sizeof functions / sizeof functions[0] };

// The same number with the same sign of zero, or both NaN.
static bool same(double a, double b) {
  return bits_of_double(a) == bits_of_double(b) || (a != a && b != b);
}

static double value_of(bool is_float, const char *bits) {
  return is_float ? (double)float_of_bits((uint32_t)strtoul(bits, NULL, 16))
                  : double_of_bits(strtoull(bits, NULL, 16));
}

// ---- the data files; elementary.py describes them

typedef struct range {
  bool is_logarithmic, is_integer;
  double low, high;
} range;

static uint64_t random_state;

static double next_argument(range r) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  double u = (double)(random_state >> 11) * 0x1p-53;
  if (r.is_integer) return floor(r.low + (r.high - r.low) * u);
  if (!r.is_logarithmic) return r.low + (r.high - r.low) * u;
  uint64_t low = bits_of_double(fabs(r.low)), high = bits_of_double(fabs(r.high));
  double magnitude = double_of_bits(low + (uint64_t)((double)(high - low) * u));
  return r.low < 0 ? -magnitude : magnitude;
}

static double unit_in_the_last_place(double x, bool is_float) {
  int exponent;
  frexp(x, &exponent);
  int least = is_float ? -125 : -1021;
  return ldexp(1, (exponent < least || x == 0 ? least : exponent) - (is_float ? 24 : 53));
}

// The distance of the function's value from nearest + offset / 1000 units.
static double error_of(const function *f, bool is_float, const double *x, double nearest,
                       double offset) {
  double got;
  if (f->wide != NULL) got = is_float ? (double)f->narrow((float)x[0]) : f->wide(x[0]);
  else got = is_float ? (double)f->narrow2((float)x[0], (float)x[1]) : f->wide2(x[0], x[1]);
  if (got == nearest) return fabs(offset) / 1000;
  if (!isfinite(got) || !isfinite(nearest)) return HUGE_VAL;
  return fabs((got - nearest) / unit_in_the_last_place(nearest, is_float) - offset / 1000);
}

typedef struct measured {
  double wide, narrow;
  int count;
} measured;

// One block: header is its first line, from the second word on.
static void check_block(const function *f, bool is_float, char *header, FILE *file,
                        measured *worst) {
  char line[200], *word = strtok(header, " \n");
  int count = atoi(word), arity = f->wide != NULL ? 1 : 2;
  bool is_written_out = strcmp(word = strtok(NULL, " \n"), "points") == 0;
  range ranges[2] = {{0}};
  random_state = is_written_out ? 0 : strtoull(word, NULL, 16);
  for (int i = 0; i < arity && !is_written_out; i++) {
    word = strtok(NULL, " \n");
    ranges[i].is_logarithmic = strncmp(word, "log", 3) == 0;
    ranges[i].is_integer = strncmp(word, "int", 3) == 0;
    ranges[i].low = strtod(word + 4, &word);
    ranges[i].high = strtod(word + 1, NULL);
  }
  for (int i = 0; i < count; i++) {
    double x[2] = {0, 0};
    CHECK(fgets(line, sizeof line, file) != NULL);
    word = strtok(line, " \n");
    for (int axis = 0; axis < arity; axis++) {
      if (is_written_out) x[axis] = value_of(is_float, word), word = strtok(NULL, " \n");
      else x[axis] = next_argument(ranges[axis]);
      if (is_float) x[axis] = (float)x[axis];
    }
    double nearest = value_of(is_float, word), offset = atof(strtok(NULL, " \n"));
    double error = error_of(f, is_float, x, nearest, offset),
           limit = is_float ? f->narrow_limit : f->wide_limit;
    CHECK_MESSAGE(error <= limit, "%s_%s(%a, %a): %.3f ulp from %a", f->name,
                  is_float ? "f32" : "f64", x[0], x[1], error, nearest);
    double *greatest = is_float ? &worst->narrow : &worst->wide;
    if (error > *greatest) *greatest = error;
    worst->count++;
  }
}

static void check_data(const function *f) {
  char path[100], line[400];
  snprintf(path, sizeof path, "tests/c/data/elementary/%s.txt", f->name);
  FILE *file = fopen(path, "r");
  CHECK_MESSAGE(file != NULL, "cannot open %s (run from the top of the repository)", path);
  if (file == NULL) return;
  measured worst = {0, 0, 0};
  while (fgets(line, sizeof line, file))
    check_block(f, strncmp(line, "f32", 3) == 0, line + 4, file, &worst);
  fclose(file);
  CHECK_MESSAGE(worst.count > 400, "%s: only %d values", path, worst.count);
  printf("  %-9s %.3f ulp f64, %.3f ulp f32, of %d values\n", f->name, worst.wide, worst.narrow,
         worst.count);
}

// ---- special values: C11, Annex F.10, but digamma, which is NaN at its poles as in XLA

typedef struct special {
  const char *name;
  double x, result;
} special;

static const double infinity = HUGE_VAL;

static void check_special(void) {
  const double nan = NAN, pi = 0x1.921fb54442d18p+1;
  const special table[] = {{"exp", 0, 1},
                           {"exp", -0.0, 1},
                           {"exp", infinity, infinity},
                           {"exp", -infinity, 0},
                           {"exp", 1e300, infinity},
                           {"exp", -1e300, 0},
                           {"expm1", 0, 0},
                           {"expm1", -0.0, -0.0},
                           {"expm1", infinity, infinity},
                           {"expm1", -infinity, -1},
                           {"expm1", -1e10, -1},
                           {"log", 1, 0},
                           {"log", 0, -infinity},
                           {"log", -0.0, -infinity},
                           {"log", -1, nan},
                           {"log", infinity, infinity},
                           {"log", -infinity, nan},
                           {"log1p", 0, 0},
                           {"log1p", -0.0, -0.0},
                           {"log1p", -1, -infinity},
                           {"log1p", -1.5, nan},
                           {"log1p", infinity, infinity},
                           {"log1p", -infinity, nan},
                           {"sin", 0, 0},
                           {"sin", -0.0, -0.0},
                           {"sin", infinity, nan},
                           {"sin", -infinity, nan},
                           {"cos", 0, 1},
                           {"cos", -0.0, 1},
                           {"cos", infinity, nan},
                           {"tan", 0, 0},
                           {"tan", -0.0, -0.0},
                           {"tan", infinity, nan},
                           {"asin", 0, 0},
                           {"asin", -0.0, -0.0},
                           {"asin", 1, pi / 2},
                           {"asin", -1, -pi / 2},
                           {"asin", 1.5, nan},
                           {"asin", -infinity, nan},
                           {"acos", 1, 0},
                           {"acos", -1, pi},
                           {"acos", 0, pi / 2},
                           {"acos", 1.5, nan},
                           {"acos", -2, nan},
                           {"acos", infinity, nan},
                           {"sinh", 0, 0},
                           {"sinh", -0.0, -0.0},
                           {"sinh", infinity, infinity},
                           {"sinh", -infinity, -infinity},
                           {"sinh", -1e5, -infinity},
                           {"cosh", 0, 1},
                           {"cosh", -0.0, 1},
                           {"cosh", infinity, infinity},
                           {"cosh", -infinity, infinity},
                           {"tanh", 0, 0},
                           {"tanh", -0.0, -0.0},
                           {"tanh", infinity, 1},
                           {"tanh", -infinity, -1},
                           {"asinh", 0, 0},
                           {"asinh", -0.0, -0.0},
                           {"asinh", infinity, infinity},
                           {"asinh", -infinity, -infinity},
                           {"acosh", 1, 0},
                           {"acosh", 0.5, nan},
                           {"acosh", -2, nan},
                           {"acosh", -infinity, nan},
                           {"acosh", infinity, infinity},
                           {"atanh", 0, 0},
                           {"atanh", -0.0, -0.0},
                           {"atanh", 1, infinity},
                           {"atanh", -1, -infinity},
                           {"atanh", 1.5, nan},
                           {"atanh", infinity, nan},
                           {"cbrt", 0, 0},
                           {"cbrt", -0.0, -0.0},
                           {"cbrt", infinity, infinity},
                           {"cbrt", -infinity, -infinity},
                           {"cbrt", -27, -3},
                           {"cbrt", 1e30, 1e10},
                           {"rsqrt", 0, infinity},
                           {"rsqrt", -0.0, -infinity},
                           {"rsqrt", infinity, 0},
                           {"rsqrt", -1, nan},
                           {"rsqrt", -infinity, nan},
                           {"rsqrt", 0.25, 2},
                           {"logistic", 0, 0.5},
                           {"logistic", infinity, 1},
                           {"logistic", -infinity, 0},
                           {"logistic", 1e10, 1},
                           {"logistic", -1e10, 0},
                           {"erf", 0, 0},
                           {"erf", -0.0, -0.0},
                           {"erf", infinity, 1},
                           {"erf", -infinity, -1},
                           {"erfc", 0, 1},
                           {"erfc", infinity, 0},
                           {"erfc", -infinity, 2},
                           {"erfc", 1e10, 0},
                           {"erfc", -1e10, 2},
                           {"lgamma", 1, 0},
                           {"lgamma", 2, 0},
                           {"lgamma", 0, infinity},
                           {"lgamma", -0.0, infinity},
                           {"lgamma", -1, infinity},
                           {"lgamma", -3, infinity},
                           {"lgamma", infinity, infinity},
                           {"lgamma", -infinity, infinity},
                           {"lgamma", -1e20, infinity},
                           {"digamma", 0, nan},
                           {"digamma", -0.0, nan},
                           {"digamma", -1, nan},
                           {"digamma", -1e20, nan},
                           {"digamma", infinity, infinity},
                           {"digamma", -infinity, nan},
                           {"erf_inv", 0, 0},
                           {"erf_inv", -0.0, -0.0},
                           {"erf_inv", 1, infinity},
                           {"erf_inv", -1, -infinity},
                           {"erf_inv", 1.5, nan},
                           {"erf_inv", -infinity, nan},
                           {"bessel_i1e", 0, 0},
                           {"bessel_i1e", -0.0, -0.0},
                           {"bessel_i1e", infinity, 0},
                           {"bessel_i1e", -infinity, -0.0}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    for (int j = 0; j < FUNCTION_COUNT; j++) {
      const function *f = &functions[j];
      if (strcmp(f->name, table[i].name) != 0) continue;
      double x = table[i].x, wide = f->wide(x), narrow = f->narrow((float)x);
      CHECK_MESSAGE(same(wide, table[i].result), "%s_f64(%g) = %a", f->name, x, wide);
      CHECK_MESSAGE(same(narrow, (float)table[i].result), "%s_f32(%g) = %a", f->name, x, narrow);
    }
  // NaN of any payload and sign gives NaN.
  const uint64_t nans[] = {0x7ff8000000000000, 0xfff8000000000000, 0x7ff80000ffffffff,
                           0x7ff8000080000000, 0xffffffffffffffff, 0x7ffc000012345678};
  for (int j = 0; j < FUNCTION_COUNT; j++)
    for (size_t i = 0; i < sizeof nans / sizeof nans[0]; i++) {
      if (functions[j].wide == NULL) continue;
      CHECK_MESSAGE(isnan(functions[j].wide(double_of_bits(nans[i]))), "%s_f64(NaN)",
                    functions[j].name);
      CHECK_MESSAGE(isnan(functions[j].narrow((float)double_of_bits(nans[i]))), "%s_f32(NaN)",
                    functions[j].name);
    }
}

// What XLA's CPU backend gives where zeta and polygamma are no finite numbers.
static void check_special_zeta(void) {
  const double nan = NAN;
  const struct {
    double s, q, zeta;
  } table[] = {{1, 2.5, infinity},
               {1, -3, infinity},
               {1, nan, infinity},
               {2, 0, infinity},
               {2, -0.0, infinity},
               {2, -1, infinity},
               {4, -infinity, infinity},
               {3, 0, nan},
               {3, -2, nan},
               {2.5, -2, nan},
               {2.5, -0.5, nan},
               {0.5, 2, nan},
               {-1, 2, nan},
               {0, -1, infinity},
               {0, 1, nan},
               {nan, 1, nan},
               {2, nan, nan},
               {infinity, 1, nan},
               {2, infinity, nan},
               {1e10, 0.5, infinity},
               {1e10, 1, 1},
               {1e10, 2.5, 0},
               {1e300, 1e-300, infinity}};
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    double got = hlo_zeta_f64(table[i].s, table[i].q);
    CHECK_MESSAGE(same(got, table[i].zeta), "zeta(%g, %g) = %g", table[i].s, table[i].q, got);
  }
  const struct {
    double n, x, polygamma;
  } table2[] = {
      {0, infinity, infinity}, {0, -1, nan},         {1, -2, infinity},  {2, 0, nan},
      {3, 0, infinity},        {0.5, 1, nan},        {-1, 1, nan},       {nan, 1, nan},
      {1, nan, nan},           {1, infinity, nan},   {infinity, 1, nan}, {170, 0.5, -infinity},
      {171, 1e10, 0},          {2000, 3, -infinity}, {2000, 1e10, -0.0}, {1e5, 3, nan}};
  for (size_t i = 0; i < sizeof table2 / sizeof table2[0]; i++) {
    double got = hlo_polygamma_f64(table2[i].n, table2[i].x);
    CHECK_MESSAGE(same(got, table2[i].polygamma), "polygamma(%g, %g) = %g", table2[i].n,
                  table2[i].x, got);
  }
}

// glibc's pow, atan2, hypot and fmod follow Annex F to the letter.
static void check_special_pairs(void) {
  const double values[] = {0,
                           -0.0,
                           1,
                           -1,
                           0.5,
                           -0.5,
                           2,
                           -2,
                           3,
                           -3,
                           1.5,
                           -1.5,
                           1e10,
                           -1e10,
                           9007199254740991,
                           9007199254740992,
                           -9007199254740991,
                           1e300,
                           -1e300,
                           1e-300,
                           -1e-300,
                           5e-324,
                           -5e-324,
                           infinity,
                           -infinity,
                           NAN};
  enum { COUNT = sizeof values / sizeof values[0] };
  for (int i = 0; i < COUNT; i++)
    for (int j = 0; j < COUNT; j++) {
      double x = values[i], y = values[j], p = pow(x, y), a = atan2(x, y);
      float xf = (float)x, yf = (float)y;
      bool is_special = p == 0 || isinf(p) || isnan(p) || fabs(p) == 1;
      double got = hlo_pow_f64(x, y);
      CHECK_MESSAGE(is_special ? same(got, p) : fabs(got / p - 1) < 1e-15,
                    "pow(%g, %g) = %a, not %a", x, y, got, p);
      got = hlo_atan2_f64(x, y);
      CHECK_MESSAGE(same(got, a) || (fabs(a) > 0x1p-1022 && fabs(got / a - 1) < 1e-15),
                    "atan2(%g, %g) = %a, not %a", x, y, got, a);
      CHECK_MESSAGE(same(hlo_hypot_f64(x, y), hypot(x, y)), "hypot(%g, %g)", x, y);
      CHECK_MESSAGE(same(hlo_fmod_f64(x, y), fmod(x, y)), "fmod(%g, %g)", x, y);
      CHECK_MESSAGE(same(hlo_pow_f32(xf, yf), (float)pow(xf, yf)), "powf(%g, %g)", xf, yf);
      CHECK_MESSAGE(same(hlo_atan2_f32(xf, yf), (float)atan2(xf, yf)), "atan2f(%g, %g)", xf, yf);
      CHECK_MESSAGE(same(hlo_hypot_f32(xf, yf), (float)hypot(xf, yf)), "hypotf(%g, %g)", xf, yf);
      CHECK_MESSAGE(same(hlo_fmod_f32(xf, yf), fmodf(xf, yf)), "fmodf(%g, %g)", xf, yf);
    }
}

static uint64_t random_bits(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  return random_state ^= random_state << 17;
}

// The host's fmod is exact, as ours must be.
static void check_remainder(void) {
  random_state = 5;
  for (int i = 0; i < 20000; i++) {
    double x = double_of_bits(random_bits()), y = double_of_bits(random_bits());
    if (i % 2 == 0) y = x * ldexp((double)(random_bits() >> 20), -60 - (int)(random_bits() % 60));
    if (i % 5 == 0) x = double_of_bits(bits_of_double(x) & ~(uint64_t)0 << random_bits() % 52);
    if (i % 7 == 0) y = double_of_bits(bits_of_double(y) & ~(uint64_t)0 << random_bits() % 52);
    CHECK_MESSAGE(same(hlo_fmod_f64(x, y), fmod(x, y)), "fmod(%a, %a)", x, y);
    float xf = float_of_bits((uint32_t)random_bits()), yf = float_of_bits((uint32_t)random_bits());
    if (i % 2 == 0)
      yf = xf * (float)ldexp((double)(random_bits() >> 40), -24 - (int)(random_bits() % 40));
    if (i % 3 == 0) xf = yf * (float)(random_bits() % 1000);
    CHECK_MESSAGE(same(hlo_fmod_f32(xf, yf), fmodf(xf, yf)), "fmodf(%a, %a)", xf, yf);
  }
}

static void check_exact_cases(void) {
  for (int k = -1074; k <= 1023; k++) {
    CHECK(hlo_pow_f64(2, k) == ldexp(1, k));
    if (k >= -149 && k <= 127) CHECK(hlo_pow_f32(2, (float)k) == ldexpf(1, k));
  }
  for (int k = 0; k <= 22; k++) {
    double power = strtod((char[]){'1', 'e', (char)('0' + k / 10), (char)('0' + k % 10), 0}, NULL);
    CHECK(hlo_pow_f64(10, k) == power);
    if (k <= 10) CHECK(hlo_pow_f32(10, (float)k) == (float)power);
  }
  for (int base = 2; base <= 15; base++) {
    double product = 1;
    for (int k = 0; product < 0x1p49; k++, product *= base) {
      CHECK(hlo_pow_f64(base, k) == product &&
            hlo_pow_f64(-base, k) == (k % 2 ? -product : product));
      CHECK(hlo_cbrt_f64(product * product * product) == product || product > 0x1p17);
    }
  }
  for (int i = 0; i < 10000; i++) {
    double x = double_of_bits(random_bits()), sine, cosine;
    hlo_sincos_f64(x, &sine, &cosine);
    CHECK(same(sine, hlo_sin_f64(x)) && same(cosine, hlo_cos_f64(x)));
    // Odd and even.
    CHECK(same(hlo_sin_f64(-x), -sine) && same(hlo_cos_f64(-x), cosine) &&
          same(hlo_tan_f64(-x), -hlo_tan_f64(x)));
  }
}

// Through all floats in steps: functions that round once give the double one rounded, or rarely the
// neighbour of that.
static void check_rounded_once(const function *f) {
  int differing = 0;
  for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits += 131101) {
    float x = float_of_bits((uint32_t)bits), got = f->narrow(x), expected = (float)f->wide(x);
    if (same(got, expected)) continue;
    differing++;
    CHECK_MESSAGE(got == nextafterf(expected, got), "%s_f32(%a) = %a, but f64 gives %a", f->name, x,
                  got, expected);
  }
  CHECK_MESSAGE(differing < 33, "%s_f32: %d of 32761 values are not the nearest", f->name,
                differing);
}

// The others keep their limit, and the sign of zero.
static void check_vector_function(const function *f) {
  double worst = 0;
  for (uint64_t bits = 0; bits < (uint64_t)1 << 32; bits += 8209) {
    float x = float_of_bits((uint32_t)bits), got = f->narrow(x);
    double expected = f->wide(x), limit = f->narrow_limit;
    if (same(got, (float)expected)) continue;
    double error = fabs(got - expected) / unit_in_the_last_place(expected, true);
    CHECK_MESSAGE(error <= limit, "%s_f32(%a) = %a, %.3f ulp from %a", f->name, x, got, error,
                  expected);
    if (error > worst) worst = error;
  }
  printf("  %-9s %.3f ulp f32 of 523202 values\n", f->name, worst);
}

static void check_floats_against_doubles(void) {
  for (int j = 0; j < FUNCTION_COUNT; j++) {
    if (functions[j].wide == NULL) continue;
    if (functions[j].narrow_limit < 0.52) check_rounded_once(&functions[j]);
    else check_vector_function(&functions[j]);
  }
}

int main(void) {
  for (int i = 0; i < FUNCTION_COUNT; i++) check_data(&functions[i]);
  check_special();
  check_special_pairs();
  check_special_zeta();
  check_remainder();
  check_exact_cases();
  check_floats_against_doubles();
  return CHECK_RESULT();
}
