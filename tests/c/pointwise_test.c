// Pointwise kernels, value by value. Integers: against 128-bit arithmetic, exhaustively for up to 8
// bits. Floats: exact ops against C's own, special values by the standards, every elementary
// function against C's libm roughly (elementary_test.c measures them). Also: where rows are
// defined, and results that overwrite operands. Narrow floats: pointwise_narrow_test.c.
#include "check.h"

#include "kernels/eval.h"
#include "math/float_formats.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef __int128 wide;

// --- integers ---

typedef struct integer_type {
  hlo_type type;
  int bits;
  bool is_signed;
} integer_type;
static const integer_type integer_types[] = {
    {HLO_S2, 2, true},   {HLO_S4, 4, true},    {HLO_S8, 8, true},    {HLO_S16, 16, true},
    {HLO_S32, 32, true}, {HLO_S64, 64, true},  {HLO_U2, 2, false},   {HLO_U4, 4, false},
    {HLO_U8, 8, false},  {HLO_U16, 16, false}, {HLO_U32, 32, false}, {HLO_U64, 64, false},
};

static wide pattern_of(const integer_type *t, wide x) { return x & (((wide)1 << t->bits) - 1); }

static wide wrapped(const integer_type *t, wide x) {
  wide pattern = pattern_of(t, x);
  return t->is_signed && pattern >> (t->bits - 1) ? pattern - ((wide)1 << t->bits) : pattern;
}

// Modulo 2^128, which is more than enough.
static wide product(wide a, wide b) { return (wide)((unsigned __int128)a * (unsigned __int128)b); }

static wide truncated_quotient(wide a, wide b) { return a / b; }

static wide power_of(const integer_type *t, wide a, wide b) {
  if (b < 0) return a == 1 ? 1 : a == -1 ? (b % 2 ? -1 : 1) : 0;
  wide result = 1;
  for (; b > 0; b >>= 1) {
    if (b & 1) result = pattern_of(t, product(result, a));
    a = pattern_of(t, product(a, a));
  }
  return result;
}

static int ones_in(wide x) {
  int count = 0;
  for (; x != 0; x >>= 1) count += (int)(x & 1);
  return count;
}

static int length_of(wide x) {
  int length = 0;
  for (; x != 0; x >>= 1) length++;
  return length;
}

// The value that the semantics give, before wrapping.
static wide integer_value(const integer_type *t, hlo_opcode opcode, wide a, wide b) {
  wide count = pattern_of(t, b);
  bool fits = count < t->bits;
  wide sign_extended = pattern_of(t, a) >> (t->bits - 1) ? pattern_of(t, a) - ((wide)1 << t->bits)
                                                         : pattern_of(t, a);
  switch (opcode) {
  case HLO_OP_ABS:
    return a < 0 ? -a : a;
  case HLO_OP_NEGATE:
    return -a;
  case HLO_OP_SIGN:
    return a < 0 ? -1 : a > 0;
  case HLO_OP_NOT:
    return ~a;
  case HLO_OP_POPULATION_COUNT:
    return ones_in(pattern_of(t, a));
  case HLO_OP_COUNT_LEADING_ZEROS:
    return t->bits - length_of(pattern_of(t, a));
  case HLO_OP_ADD:
    return a + b;
  case HLO_OP_SUBTRACT:
    return a - b;
  case HLO_OP_MULTIPLY:
    return product(a, b);
  case HLO_OP_MULTIPLY_HIGH: // of u64 the product needs all 128 bits
    return a >= 0 && b >= 0 ? (wide)((unsigned __int128)a * (unsigned __int128)b >> t->bits)
                            : a * b >> t->bits;
  case HLO_OP_DIVIDE:
    return b == 0 ? -1 : truncated_quotient(a, b);
  case HLO_OP_REMAINDER:
    return b == 0 ? a : a - truncated_quotient(a, b) * b;
  case HLO_OP_POWER:
    return power_of(t, a, b);
  case HLO_OP_MAXIMUM:
    return a > b ? a : b;
  case HLO_OP_MINIMUM:
    return a < b ? a : b;
  case HLO_OP_AND:
    return a & b;
  case HLO_OP_OR:
    return a | b;
  case HLO_OP_XOR:
    return a ^ b;
  case HLO_OP_SHIFT_LEFT:
    return fits ? product(a, (wide)1 << count) : 0;
  case HLO_OP_SHIFT_RIGHT_LOGICAL:
    return fits ? pattern_of(t, a) >> count : 0;
  case HLO_OP_SHIFT_RIGHT_ARITHMETIC:
    return sign_extended >> (fits ? (int)count : t->bits - 1);
  default:
    CHECK_MESSAGE(false, "no integer semantics for %s", hlo_op_get(opcode)->name);
    return 0;
  }
}

static void put_integer(const integer_type *t, void *to, wide value) {
  uint64_t bits = (uint64_t)value; // little-endian
  memcpy(to, &bits, (size_t)hlo_type_bytes(t->type));
}

static wide get_integer(const integer_type *t, const void *from) {
  uint64_t bits = 0;
  int bytes = hlo_type_bytes(t->type);
  memcpy(&bits, from, (size_t)bytes);
  if (!t->is_signed) return bits;
  return (wide)((int64_t)(bits << (64 - 8 * bytes)) >> (64 - 8 * bytes));
}

// All values of up to 8 bits; else the ends, their neighbours, powers of two and odd ones.
static int integer_values(const integer_type *t, wide *out) {
  wide low = t->is_signed ? -((wide)1 << (t->bits - 1)) : 0, high = low + ((wide)1 << t->bits) - 1;
  int count = 0;
  if (t->bits <= 8) {
    for (wide x = low; x <= high; x++) out[count++] = x;
    return count;
  }
  static const int small[] = {0, 1, 2, 3, 5, 7, 10, 31, 32, 33, 63, 64, 65, 100, 127, 255};
  for (int i = 0; i < 16; i++) {
    out[count++] = small[i];
    if (t->is_signed) out[count++] = -small[i];
  }
  for (int i = 0; i < 4; i++) {
    out[count++] = low + i;
    out[count++] = high - i;
    out[count++] = high / 3 + i;
  }
  for (int i = 8; i < t->bits - 1; i += 5) out[count++] = (wide)1 << i;
  return count;
}

static void test_integer_op(const integer_type *t, hlo_opcode opcode, int arity) {
  hlo_pointwise_kernel *kernel = hlo_pointwise_get(opcode, t->type);
  wide values[256];
  int count = integer_values(t, values), bytes = hlo_type_bytes(t->type);
  uint8_t a[256 * 8], b[256 * 8], result[256 * 8];
  for (int i = 0; i < count; i++) put_integer(t, a + i * bytes, values[i]);
  for (int j = 0; j < (arity == 1 ? 1 : count); j++) {
    for (int i = 0; i < count; i++) put_integer(t, b + i * bytes, values[j]);
    kernel(result, (const void *const[]){a, b}, count);
    for (int i = 0; i < count; i++) {
      wide wanted = wrapped(t, integer_value(t, opcode, values[i], values[j]));
      wide got = get_integer(t, result + i * bytes);
      CHECK_MESSAGE(got == wanted, "%s of %s: (%lld, %lld) gives %lld, not %lld",
                    hlo_op_get(opcode)->name, hlo_type_name(t->type), (long long)values[i],
                    (long long)values[j], (long long)got, (long long)wanted);
    }
  }
}

static void test_integers(void) {
  for (size_t i = 0; i < sizeof integer_types / sizeof *integer_types; i++) {
    const integer_type *t = &integer_types[i];
    for (int op = 0; op < HLO_OP_COUNT; op++) {
      if (hlo_pointwise_get((hlo_opcode)op, t->type) == NULL) continue;
      test_integer_op(t, (hlo_opcode)op, hlo_op_get((hlo_opcode)op)->max_operands);
    }
  }
}

// Bits above the width mean nothing in operands and extend the value in results.
static void test_stray_bits(void) {
  uint8_t a[] = {0x2f, 0x78, 0xf1, 0x05}, b[] = {0x31, 0x9f, 0x8f, 0xfb}, result[4];
  const void *const operands[] = {a, b};
  static const uint8_t s4[] = {0x00, 0x07, 0x00, 0x00}, u4[] = {0x00, 0x07, 0x00, 0x00};
  hlo_pointwise_get(HLO_OP_ADD, HLO_S4)(result, operands, 4);
  CHECK(memcmp(result, s4, 4) == 0);
  hlo_pointwise_get(HLO_OP_ADD, HLO_U4)(result, operands, 4);
  CHECK(memcmp(result, u4, 4) == 0);
  static const uint8_t s4_or[] = {0xff, 0xff, 0xff, 0xff}, u4_or[] = {0x0f, 0x0f, 0x0f, 0x0f};
  hlo_pointwise_get(HLO_OP_OR, HLO_S4)(result, operands, 4);
  CHECK(memcmp(result, s4_or, 4) == 0);
  hlo_pointwise_get(HLO_OP_OR, HLO_U4)(result, operands, 4);
  CHECK(memcmp(result, u4_or, 4) == 0);
}

static void test_pred(void) {
  static const uint8_t a[] = {0, 0, 1, 1, 2}, b[] = {0, 1, 0, 1, 1};
  static const struct {
    hlo_opcode opcode;
    uint8_t wanted[5];
  } rows[] = {
      {HLO_OP_NOT, {1, 1, 0, 0, 0}},     {HLO_OP_AND, {0, 0, 0, 1, 1}},
      {HLO_OP_OR, {0, 1, 1, 1, 1}},      {HLO_OP_XOR, {0, 1, 1, 0, 0}},
      {HLO_OP_ADD, {0, 1, 1, 1, 1}},     {HLO_OP_MULTIPLY, {0, 0, 0, 1, 1}},
      {HLO_OP_MAXIMUM, {0, 1, 1, 1, 1}}, {HLO_OP_MINIMUM, {0, 0, 0, 1, 1}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint8_t result[5];
    hlo_pointwise_get(rows[i].opcode, HLO_PRED)(result, (const void *const[]){a, b}, 5);
    CHECK_MESSAGE(memcmp(result, rows[i].wanted, 5) == 0, "%s of pred",
                  hlo_op_get(rows[i].opcode)->name);
  }
}

// --- floats ---

static const double float_values[] = {0.0,
                                      -0.0,
                                      1.0,
                                      -1.0,
                                      0.5,
                                      -0.5,
                                      1.5,
                                      -1.5,
                                      2.5,
                                      -2.5,
                                      0.49999997,
                                      -0.49999997,
                                      3.5,
                                      1e-3,
                                      0.3,
                                      -0.7,
                                      2.0,
                                      3.0,
                                      -3.0,
                                      10.0,
                                      100.25,
                                      -77.75,
                                      8388607.5,
                                      4503599627370495.5,
                                      1e10,
                                      -1e30,
                                      1e-30,
                                      1e-40,
                                      -1e-45,
                                      3.4028234663852886e38,
                                      1.1754943508222875e-38,
                                      INFINITY,
                                      -INFINITY,
                                      NAN};
enum { FLOAT_VALUES = sizeof float_values / sizeof *float_values };

static bool same_double(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static double maximum(double a, double b) {
  if (isnan(a) || isnan(b)) return NAN;
  return a > b || (a == b && !signbit(a)) ? a : b;
}
static double minimum(double a, double b) { return -maximum(-a, -b); }
static double sign_of(double a) { return isnan(a) || a == 0 ? a : copysign(1, a); }

// Ops whose results are exact or rounded once; computed here in double, which rounds f32's results
// once more without harm (53 >= 2 * 24 + 2 bits).
static double exact_value(hlo_opcode opcode, double a, double b) {
  switch (opcode) {
  case HLO_OP_ABS:
    return fabs(a);
  case HLO_OP_NEGATE:
    return -a;
  case HLO_OP_SIGN:
    return sign_of(a);
  case HLO_OP_CEIL:
    return ceil(a);
  case HLO_OP_FLOOR:
    return floor(a);
  case HLO_OP_ROUND_NEAREST_AFZ:
    return round(a);
  case HLO_OP_ROUND_NEAREST_EVEN:
    return rint(a);
  case HLO_OP_SQRT:
    return sqrt(a);
  case HLO_OP_REAL:
    return a;
  case HLO_OP_IMAG:
    return 0;
  case HLO_OP_ADD:
    return a + b;
  case HLO_OP_SUBTRACT:
    return a - b;
  case HLO_OP_MULTIPLY:
    return a * b;
  case HLO_OP_DIVIDE:
    return a / b;
  case HLO_OP_REMAINDER:
    return fmod(a, b);
  case HLO_OP_MAXIMUM:
    return maximum(a, b);
  case HLO_OP_MINIMUM:
    return minimum(a, b);
  default:
    return 0;
  }
}
static const hlo_opcode exact_ops[] = {HLO_OP_ABS,
                                       HLO_OP_NEGATE,
                                       HLO_OP_SIGN,
                                       HLO_OP_CEIL,
                                       HLO_OP_FLOOR,
                                       HLO_OP_ROUND_NEAREST_AFZ,
                                       HLO_OP_ROUND_NEAREST_EVEN,
                                       HLO_OP_SQRT,
                                       HLO_OP_REAL,
                                       HLO_OP_IMAG,
                                       HLO_OP_ADD,
                                       HLO_OP_SUBTRACT,
                                       HLO_OP_MULTIPLY,
                                       HLO_OP_DIVIDE,
                                       HLO_OP_REMAINDER,
                                       HLO_OP_MAXIMUM,
                                       HLO_OP_MINIMUM};

static void check_float(hlo_opcode opcode, hlo_type type, double a, double b, double got,
                        double wanted) {
  CHECK_MESSAGE(same_double(got, wanted), "%s of %s: (%.17g, %.17g) gives %.17g, not %.17g",
                hlo_op_get(opcode)->name, hlo_type_name(type), a, b, got, wanted);
}

static void test_exact_floats(hlo_opcode opcode) {
  for (int j = 0; j < FLOAT_VALUES; j++) {
    double x[FLOAT_VALUES], y[FLOAT_VALUES], z[FLOAT_VALUES];
    float a[FLOAT_VALUES], b[FLOAT_VALUES], c[FLOAT_VALUES];
    for (int i = 0; i < FLOAT_VALUES; i++) {
      x[i] = float_values[i], y[i] = float_values[j];
      a[i] = (float)x[i], b[i] = (float)y[i];
    }
    hlo_pointwise_get(opcode, HLO_F64)(z, (const void *const[]){x, y}, FLOAT_VALUES);
    hlo_pointwise_get(opcode, HLO_F32)(c, (const void *const[]){a, b}, FLOAT_VALUES);
    for (int i = 0; i < FLOAT_VALUES; i++) {
      check_float(opcode, HLO_F64, x[i], y[i], z[i], exact_value(opcode, x[i], y[i]));
      check_float(opcode, HLO_F32, a[i], b[i], c[i], (float)exact_value(opcode, a[i], b[i]));
    }
  }
}

static void test_is_finite(void) {
  double x[FLOAT_VALUES];
  float a[FLOAT_VALUES];
  uint16_t half[FLOAT_VALUES];
  uint8_t from_f64[FLOAT_VALUES], from_f32[FLOAT_VALUES], from_f16[FLOAT_VALUES];
  for (int i = 0; i < FLOAT_VALUES; i++) {
    x[i] = float_values[i];
    a[i] = (float)x[i];
    half[i] = hlo_f64_to_f16(x[i]);
  }
  hlo_pointwise_get(HLO_OP_IS_FINITE, HLO_F64)(from_f64, (const void *const[]){x}, FLOAT_VALUES);
  hlo_pointwise_get(HLO_OP_IS_FINITE, HLO_F32)(from_f32, (const void *const[]){a}, FLOAT_VALUES);
  hlo_pointwise_get(HLO_OP_IS_FINITE, HLO_F16)(from_f16, (const void *const[]){half}, FLOAT_VALUES);
  for (int i = 0; i < FLOAT_VALUES; i++) {
    CHECK(from_f64[i] == (isfinite(x[i]) != 0));
    CHECK(from_f32[i] == (isfinite(a[i]) != 0));
    CHECK(from_f16[i] == (isfinite(hlo_f16_to_f32(half[i])) != 0));
  }
}

// --- elementary functions: the right one, roughly ---

static double logistic(double x) { return 1 / (1 + exp(-x)); }
static double reciprocal_root(double x) { return 1 / sqrt(x); }
static const struct {
  hlo_opcode opcode;
  double (*function)(double);
  double complex (*complex_function)(double complex);
} functions[] = {
    {HLO_OP_EXP, exp, cexp},
    {HLO_OP_EXPM1, expm1, NULL},
    {HLO_OP_LOG, log, clog},
    {HLO_OP_LOG1P, log1p, NULL},
    {HLO_OP_LOGISTIC, logistic, NULL},
    {HLO_OP_SQRT, sqrt, csqrt},
    {HLO_OP_RSQRT, reciprocal_root, NULL},
    {HLO_OP_CBRT, cbrt, NULL},
    {HLO_OP_SIN, sin, csin},
    {HLO_OP_COS, cos, ccos},
    {HLO_OP_TAN, tan, ctan},
    {HLO_OP_TANH, tanh, ctanh},
    {HLO_OP_ERF, erf, NULL},
    {HLO_OP_ERFC, erfc, NULL},
    {HLO_OP_LGAMMA, lgamma, NULL},
    {HLO_OP_ACOS, acos, cacos},
    {HLO_OP_ACOSH, acosh, cacosh},
    {HLO_OP_ASIN, asin, casin},
    {HLO_OP_ASINH, asinh, casinh},
    {HLO_OP_ATANH, atanh, catanh},
    {HLO_OP_COSH, cosh, ccosh},
    {HLO_OP_SINH, sinh, csinh},
};

static bool near(double a, double b, double tolerance) {
  return same_double(a, b) || fabs(a - b) <= tolerance * fmax(fabs(b), 1e-30);
}

static void test_elementary(void) {
  static const double x[] = {0.25, -0.5, 0.75, 1.5, -2.25, 4};
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
    double y[6];
    float a[6], b[6];
    for (int i = 0; i < 6; i++) a[i] = (float)x[i];
    hlo_pointwise_get(functions[f].opcode, HLO_F64)(y, (const void *const[]){x}, 6);
    hlo_pointwise_get(functions[f].opcode, HLO_F32)(b, (const void *const[]){a}, 6);
    for (int i = 0; i < 6; i++) {
      double wanted = functions[f].function(x[i]);
      CHECK_MESSAGE(near(y[i], wanted, 1e-14), "%s of f64 at %g: %.17g, not %.17g",
                    hlo_op_get(functions[f].opcode)->name, x[i], y[i], wanted);
      CHECK_MESSAGE(near(b[i], wanted, 2e-7), "%s of f32 at %g: %.9g, not %.9g",
                    hlo_op_get(functions[f].opcode)->name, x[i], b[i], wanted);
    }
  }
  static const double base[] = {2, 0.5, -3, 1.5, 9, -8}, exponent[] = {3, -1.5, 3, 2, 0.5, 2};
  double power[6], angle[6];
  hlo_pointwise_get(HLO_OP_POWER, HLO_F64)(power, (const void *const[]){base, exponent}, 6);
  hlo_pointwise_get(HLO_OP_ATAN2, HLO_F64)(angle, (const void *const[]){base, exponent}, 6);
  for (int i = 0; i < 6; i++) {
    CHECK(near(power[i], pow(base[i], exponent[i]), 1e-14));
    CHECK(near(angle[i], atan2(base[i], exponent[i]), 1e-14));
  }
}

// --- complex numbers ---

static void check_complex(const char *name, const double got[2], double complex wanted) {
  double size = fmax(cabs(wanted), 1e-30);
  CHECK_MESSAGE(fabs(got[0] - creal(wanted)) <= 1e-13 * size &&
                    fabs(got[1] - cimag(wanted)) <= 1e-13 * size,
                "complex %s: (%.17g, %.17g), not (%.17g, %.17g)", name, got[0], got[1],
                creal(wanted), cimag(wanted));
}

static void test_complex(void) {
  static const double z[4][2] = {{0.5, 0.25}, {-1.5, 2}, {0.25, -0.75}, {3, 4}};
  static const double w[4][2] = {{2, -1}, {0.5, 0.5}, {-1, 3}, {0.25, -2}};
  for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
    if (functions[f].complex_function == NULL) continue;
    double r[4][2];
    hlo_pointwise_get(functions[f].opcode, HLO_C128)(r, (const void *const[]){z}, 4);
    for (int i = 0; i < 4; i++) {
      double complex wanted = functions[f].complex_function((z[i][0] + z[i][1] * I));
      check_complex(hlo_op_get(functions[f].opcode)->name, r[i], wanted);
    }
  }
  static const hlo_opcode binary[] = {HLO_OP_ADD, HLO_OP_SUBTRACT, HLO_OP_MULTIPLY, HLO_OP_DIVIDE,
                                      HLO_OP_POWER};
  for (int f = 0; f < 5; f++) {
    double r[4][2];
    hlo_pointwise_get(binary[f], HLO_C128)(r, (const void *const[]){z, w}, 4);
    for (int i = 0; i < 4; i++) {
      double complex a = (z[i][0] + z[i][1] * I), b = (w[i][0] + w[i][1] * I);
      double complex values[] = {a + b, a - b, a * b, a / b, cpow(a, b)};
      check_complex(hlo_op_get(binary[f])->name, r[i], values[f]);
    }
  }
  double size[4], re[4], im[4], negated[4][2], direction[4][2], joined[4][2];
  const void *const operand[] = {z};
  hlo_pointwise_get(HLO_OP_ABS, HLO_C128)(size, operand, 4);
  hlo_pointwise_get(HLO_OP_REAL, HLO_C128)(re, operand, 4);
  hlo_pointwise_get(HLO_OP_IMAG, HLO_C128)(im, operand, 4);
  hlo_pointwise_get(HLO_OP_NEGATE, HLO_C128)(negated, operand, 4);
  hlo_pointwise_get(HLO_OP_SIGN, HLO_C128)(direction, operand, 4);
  hlo_pointwise_get(HLO_OP_COMPLEX, HLO_F64)(joined, (const void *const[]){re, im}, 4);
  for (int i = 0; i < 4; i++) {
    double complex a = (z[i][0] + z[i][1] * I);
    CHECK(near(size[i], cabs(a), 1e-15) && re[i] == z[i][0] && im[i] == z[i][1]);
    check_complex("negate", negated[i], -a);
    check_complex("sign", direction[i], a / cabs(a));
    check_complex("complex", joined[i], a);
  }
  // Larger real part first, then larger imaginary part.
  static const float a[3][2] = {{1, 2}, {1, 3}, {-1, 9}}, b[3][2] = {{1, 3}, {0, 9}, {-1, 8}};
  float larger[3][2], smaller[3][2];
  hlo_pointwise_get(HLO_OP_MAXIMUM, HLO_C64)(larger, (const void *const[]){a, b}, 3);
  hlo_pointwise_get(HLO_OP_MINIMUM, HLO_C64)(smaller, (const void *const[]){a, b}, 3);
  CHECK(memcmp(larger[0], b[0], 8) == 0 && memcmp(larger[1], a[1], 8) == 0 &&
        memcmp(larger[2], a[2], 8) == 0);
  CHECK(memcmp(smaller[0], a[0], 8) == 0 && memcmp(smaller[1], b[1], 8) == 0 &&
        memcmp(smaller[2], b[2], 8) == 0);
}

// --- the table and the contract ---

static void test_where_defined(void) {
  for (int op = 0; op < HLO_OP_COUNT; op++) {
    for (int type = HLO_PRED; type < HLO_TYPE_COUNT; type++) {
      uint32_t classes = hlo_op_get((hlo_opcode)op)->type_classes;
      bool defined =
          (classes & hlo_type_get_class((hlo_type)type)) != 0 && hlo_type_is_array((hlo_type)type);
      if (op == HLO_OP_COMPLEX) defined = type == HLO_F32 || type == HLO_F64;
      CHECK_MESSAGE((hlo_pointwise_get((hlo_opcode)op, (hlo_type)type) != NULL) == defined,
                    "%s of %s", hlo_op_get((hlo_opcode)op)->name, hlo_type_name((hlo_type)type));
    }
  }
  CHECK(hlo_pointwise_get(HLO_OP_ADD, HLO_TYPE_INVALID) == NULL);
}

// A result may take the place of either operand.
static void test_in_place(void) {
  enum { N = 1000 };
  static const hlo_type types[] = {HLO_S4,  HLO_U8,  HLO_S32,  HLO_F32,
                                   HLO_F64, HLO_C64, HLO_BF16, HLO_F8E5M2};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    int64_t size = hlo_type_bytes(types[t]);
    uint8_t *a = malloc((size_t)(N * size)), *b = malloc((size_t)(N * size)),
            *c = malloc((size_t)(N * size));
    for (int64_t i = 0; i < N * size; i++)
      a[i] = (uint8_t)(i * 37 % 61), b[i] = (uint8_t)(i * 11 % 53);
    hlo_pointwise_kernel *kernel = hlo_pointwise_get(HLO_OP_SUBTRACT, types[t]);
    kernel(c, (const void *const[]){a, b}, N);
    uint8_t *copy = malloc((size_t)(N * size));
    memcpy(copy, a, (size_t)(N * size));
    kernel(copy, (const void *const[]){copy, b}, N);
    CHECK_MESSAGE(memcmp(copy, c, (size_t)(N * size)) == 0, "%s in place", hlo_type_name(types[t]));
    memcpy(copy, b, (size_t)(N * size));
    kernel(copy, (const void *const[]){a, copy}, N);
    CHECK_MESSAGE(memcmp(copy, c, (size_t)(N * size)) == 0, "%s in place", hlo_type_name(types[t]));
    kernel(NULL, (const void *const[]){NULL, NULL}, 0);
    free(a), free(b), free(c), free(copy);
  }
}

int main(void) {
  test_integers();
  test_stray_bits();
  test_pred();
  for (size_t i = 0; i < sizeof exact_ops / sizeof *exact_ops; i++) test_exact_floats(exact_ops[i]);
  test_is_finite();
  test_elementary();
  test_complex();
  test_where_defined();
  test_in_place();
  return CHECK_RESULT();
}
