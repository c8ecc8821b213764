// Loops of c64, and the functions for one number, against the definition of products and the
// functions of c128: all kinds of bits, all remainders of lengths, and results that overwrite an
// operand; products of c128 against fused multiply-adds.
#include "check.h"

#include "kernels/eval.h"
#include "math/complex.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Bits of all kinds: random patterns (most of them far apart), small integers, and numbers that
// specials, subnormals and ties are made of.
static float random_part(uint64_t *state) {
  static const float chosen[] = {0,        -0.0f,      INFINITY,      -INFINITY,    NAN,
                                 1,        -1,         0x1p-149f,     -0x1p-149f,   0x1p-126f,
                                 0x1p-75f, 0x1p-74f,   0x1p127f,      FLT_MAX,      -FLT_MAX,
                                 0x1p64f,  0x1p-24f,   0x1p-23f,      0x1p24f,      -0x1p-24f,
                                 0x1.8p0f, 0x1.8p-24f, 0x1.fffffep0f, 0x1.000002p0f};
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  uint32_t kind = (uint32_t)(*state >> 61), random = (uint32_t)(*state >> 24);
  if (kind == 0) return chosen[random % (sizeof chosen / sizeof *chosen)];
  if (kind == 1) return (float)(int32_t)(random % 8191) - 4095;
  if (kind < 4) random = (random & 0x807fffff) | 0x3f800000;  // of one size: sums cancel and tie
  if (kind == 4) random = (random & 0x80ffffff) | 0x1f000000; // products are subnormal
  float x;
  memcpy(&x, &random, sizeof x);
  return x;
}

static void check_part(float got, float wanted, const float *a, const float *b) {
  CHECK_MESSAGE((isnan(got) && isnan(wanted)) || memcmp(&got, &wanted, sizeof got) == 0,
                "(%a, %a) (%a, %a): %a, not %a", a[0], a[1], b[0], b[1], got, wanted);
}

// A double holds the exact product of two floats; the other product is rounded, then their sum, and
// that once more.
static void test_products_of_c64(void) {
  enum { N = 1023 };
  static float a[N][2], b[N][2], r[N][2];
  uint64_t state = 1;
  for (int round = 0; round < 300; round++) {
    int64_t n = round < 16 ? round : N - round % 4;
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < 2; k++) a[i][k] = random_part(&state), b[i][k] = random_part(&state);
    }
    memset(r, 0x55, sizeof r);
    uint32_t after, kept = 0x55555555;
    bool in_place = round % 3 == 0;
    if (in_place) memcpy(r, a, sizeof r);
    float wanted[N][2];
    for (int64_t i = 0; i < n; i++) {
      volatile float bd = a[i][1] * b[i][1], ad = a[i][0] * b[i][1];
      volatile double ac = (double)a[i][0] * b[i][0], bc = (double)a[i][1] * b[i][0];
      wanted[i][0] = (float)(ac - bd), wanted[i][1] = (float)(bc + ad);
    }
    hlo_pointwise_get(HLO_OP_MULTIPLY, HLO_C64)(r, (const void *const[]){in_place ? r : a, b}, n);
    for (int64_t i = 0; i < n; i++) {
      hlo_c64 one = hlo_mul_c64((hlo_c64){a[i][0], a[i][1]}, (hlo_c64){b[i][0], b[i][1]});
      check_part(r[i][0], wanted[i][0], a[i], b[i]), check_part(r[i][1], wanted[i][1], a[i], b[i]);
      check_part(one.re, wanted[i][0], a[i], b[i]), check_part(one.im, wanted[i][1], a[i], b[i]);
    }
    if (in_place || n == N) continue;
    memcpy(&after, r[n], sizeof after);
    CHECK(after == kept);
  }
}

static double random_double(uint64_t *state) {
  static const double chosen[] = {0,        -0.0,     INFINITY,  -INFINITY, NAN,
                                  1,        -1,       0x1p-500,  0x1p500,   DBL_MAX,
                                  -DBL_MAX, 0x1p1000, 0x1p-1074, -0x1p-26};
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  uint64_t high = *state >> 32;
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  uint64_t kind = high >> 29, random = high << 35 ^ *state >> 11;
  if (kind == 0) return chosen[random % (sizeof chosen / sizeof *chosen)];
  if (kind == 1) return (double)(int64_t)(random % 8191) - 4095;
  random = (random & 0x800fffffffffffff) | (uint64_t)(1023 - (kind < 4 ? 0 : high % 64)) << 52;
  double x;
  memcpy(&x, &random, sizeof x);
  return x;
}

// Where halves of the exact product would leave the normal range it may be rounded as well; where
// next to nothing decides a tie, the sum may miss that.
static void check_double(double got, double a, double b, double z) {
  double fused = fma(a, b, z), size = fabs(a * b);
  volatile double product = a * b;
  bool is_near = memcmp(&got, &fused, sizeof got) == 0 || (isnan(got) && isnan(fused));
  bool is_extreme = !(size > 0x1p-960 && size < 0x1p1020 && fabs(a) < 0x1p995 && fabs(b) < 0x1p995);
  bool is_tie = fabs(z) < 0x1p-50 * size && fabs(got - fused) <= 0x1p-52 * size;
  CHECK_MESSAGE(is_near || is_tie ||
                    (is_extreme &&
                     (got == product + z || isnan(product + z) || fabs(got - fused) <= 0x1p-1073)),
                "%a %a + %a: %a, not %a", a, b, z, got, fused);
}

static void test_products_of_c128(void) {
  enum { N = 67 };
  uint64_t state = 3;
  for (int round = 0; round < 4000; round++) {
    int64_t n = round % N;
    double a[N][2], b[N][2], r[N + 1][2], left[N][2];
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < 2; k++) a[i][k] = random_double(&state), b[i][k] = random_double(&state);
      if (round % 5 == 0) b[i][0] = a[i][0], b[i][1] = -a[i][1]; // products that cancel
    }
    memset(r, 0x55, sizeof r), memcpy(left, a, sizeof a);
    hlo_pointwise_kernel *loop = hlo_pointwise_get(HLO_OP_MULTIPLY, HLO_C128);
    loop(r, (const void *const[]){a, b}, n);
    loop(left, (const void *const[]){left, b}, n);
    CHECK(memcmp(left, r, (size_t)n * sizeof *r) == 0);
    uint32_t after;
    memcpy(&after, r[n], sizeof after);
    CHECK(after == 0x55555555);
    for (int64_t i = 0; i < n; i++) {
      check_double(r[i][0], a[i][0], b[i][0], -(a[i][1] * b[i][1]));
      check_double(r[i][1], a[i][1], b[i][0], a[i][0] * b[i][1]);
      hlo_c128 one = hlo_mul_c128((hlo_c128){a[i][0], a[i][1]}, (hlo_c128){b[i][0], b[i][1]});
      CHECK(memcmp(&one, r[i], sizeof one) == 0);
    }
  }
}

// Units in the last place between a part and what double gives; 0 for the same special value.
static double distance(float got, double wanted) {
  int exponent;
  float nearest = (float)wanted;
  if (isnan(got) && isnan(wanted)) return 0;
  if (memcmp(&got, &nearest, sizeof got) == 0) return 0;
  if (!isfinite(got) || !isfinite(nearest)) return HUGE_VAL;
  frexp(nearest, &exponent);
  return fabs(got - wanted) / ldexp(1, (nearest == 0 || exponent < -125 ? -125 : exponent) - 24);
}

typedef struct function {
  const char *name;
  hlo_opcode opcode;
  hlo_c64 (*narrow)(hlo_c64, hlo_c64);
  hlo_c128 (*wide)(hlo_c128, hlo_c128);
  double limit;
} function;

#define OF_ONE(name)                                                                               \
  static hlo_c64 name##_narrow(hlo_c64 x, hlo_c64 y) {                                             \
    (void)y;                                                                                       \
    return hlo_##name##_c64(x);                                                                    \
  }                                                                                                \
  static hlo_c128 name##_wide(hlo_c128 x, hlo_c128 y) {                                            \
    (void)y;                                                                                       \
    return hlo_##name##_c128(x);                                                                   \
  }
OF_ONE(exp)
OF_ONE(log)
OF_ONE(sqrt)

static const function functions[] = {
    {"exp", HLO_OP_EXP, exp_narrow, exp_wide, 1.51},
    {"log", HLO_OP_LOG, log_narrow, log_wide, 0.51},
    {"sqrt", HLO_OP_SQRT, sqrt_narrow, sqrt_wide, 0.51},
    {"div", HLO_OP_DIVIDE, hlo_div_c64, hlo_div_c128, 0.51},
};

// Loops in all places give what the function for one number gives, and that is the one of c128
// rounded, but for as many units.
static void test_loops_of_c64(const function *f) {
  enum { N = 61 };
  double worst = 0;
  uint64_t state = 7;
  for (int round = 0; round < 3000; round++) {
    int64_t n = round % N;
    hlo_c64 x[N], y[N], r[N + 1], left[N], right[N];
    for (int i = 0; i < N; i++) {
      x[i] = (hlo_c64){random_part(&state), random_part(&state)};
      y[i] = (hlo_c64){random_part(&state), random_part(&state)};
    }
    memcpy(left, x, sizeof x), memcpy(right, y, sizeof y), memset(r, 0x55, sizeof r);
    hlo_pointwise_kernel *loop = hlo_pointwise_get(f->opcode, HLO_C64);
    loop(r, (const void *const[]){x, y}, n);
    loop(left, (const void *const[]){left, y}, n);
    if (f->opcode == HLO_OP_DIVIDE) loop(right, (const void *const[]){x, right}, n);
    uint32_t after;
    memcpy(&after, &r[n], sizeof after);
    CHECK(after == 0x55555555);
    for (int64_t i = 0; i < n; i++) {
      hlo_c64 one = f->narrow(x[i], y[i]);
      const hlo_c64 *other = f->opcode == HLO_OP_DIVIDE ? &right[i] : &r[i];
      check_part(r[i].re, one.re, &x[i].re, &y[i].re),
          check_part(r[i].im, one.im, &x[i].re, &y[i].re);
      check_part(left[i].re, one.re, &x[i].re, &y[i].re),
          check_part(other->re, one.re, &x[i].re, &y[i].re);
      check_part(left[i].im, one.im, &x[i].re, &y[i].re),
          check_part(other->im, one.im, &x[i].re, &y[i].re);
      hlo_c128 wanted = f->wide((hlo_c128){x[i].re, x[i].im}, (hlo_c128){y[i].re, y[i].im});
      double errors[] = {distance(one.re, wanted.re), distance(one.im, wanted.im)};
      for (int k = 0; k < 2; k++) {
        CHECK_MESSAGE(errors[k] <= f->limit, "%s (%a, %a) (%a, %a) = (%a, %a), not (%a, %a)",
                      f->name, x[i].re, x[i].im, y[i].re, y[i].im, one.re, one.im, wanted.re,
                      wanted.im);
        if (errors[k] > worst) worst = errors[k];
      }
    }
  }
  printf("  %-5s %.3f ulp c64\n", f->name, worst);
}

// The modulus likewise.
static void test_moduli_of_c64(void) {
  enum { N = 61 };
  uint64_t state = 9;
  for (int round = 0; round < 1000; round++) {
    hlo_c64 x[N];
    float r[N + 1];
    for (int i = 0; i < N; i++) x[i] = (hlo_c64){random_part(&state), random_part(&state)};
    memset(r, 0x55, sizeof r);
    hlo_pointwise_get(HLO_OP_ABS, HLO_C64)(r, (const void *const[]){x}, round % N);
    uint32_t after;
    memcpy(&after, &r[round % N], sizeof after);
    CHECK(after == 0x55555555);
    for (int i = 0; i < round % N; i++) {
      double error = distance(r[i], hypot(x[i].re, x[i].im));
      CHECK_MESSAGE(error < 0.51, "|(%a, %a)| = %a", x[i].re, x[i].im, r[i]);
      check_part(r[i], hlo_abs_c64(x[i]), &x[i].re, &x[i].re);
    }
  }
}

int main(void) {
  test_products_of_c64();
  test_products_of_c128();
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    test_loops_of_c64(&functions[i]);
  test_moduli_of_c64();
  return CHECK_RESULT();
}
