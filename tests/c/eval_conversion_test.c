// Ops that change how a number is held: convert against hlo_element_set (another implementation)
// and against values by the standards, reduce-precision against XLA's results, bitcast-convert
// against bytes written out.
#include "eval_fixture.h"

#include "math/float_formats.h"

#include <math.h>

static bool is_nan(hlo_type type, const void *element) {
  hlo_number number = hlo_element_get(type, element);
  return number.re != number.re;
}

// --- convert ---

// Values of the type that conversions find hard: ends of ranges, halves, ties, specials.
static int64_t hard_values(hlo_type type, uint8_t *out) {
  static const double numbers[] = {0.0,
                                   -0.0,
                                   0.4,
                                   0.5,
                                   -0.5,
                                   0.9,
                                   -0.9,
                                   1,
                                   1.5,
                                   -1.5,
                                   2,
                                   2.5,
                                   3,
                                   -3,
                                   4,
                                   7,
                                   7.9,
                                   -8,
                                   -8.9,
                                   8,
                                   15,
                                   15.5,
                                   16,
                                   100,
                                   127,
                                   127.9,
                                   128,
                                   -128,
                                   -129,
                                   255,
                                   255.99,
                                   256,
                                   300,
                                   -300,
                                   32767.5,
                                   32768,
                                   -32769,
                                   65535,
                                   65536,
                                   57344,
                                   61440,
                                   65519.9,
                                   65520,
                                   16777216,
                                   16777217,
                                   16777219,
                                   2147483647,
                                   2147483648.0,
                                   -2147483648.0,
                                   -2147483649.0,
                                   4294967295.0,
                                   4294967296.0,
                                   9007199254740993.0,
                                   9223372036854775808.0,
                                   -9223372036854775808.0,
                                   18446744073709551616.0,
                                   1e30,
                                   -1e30,
                                   3.4028236e38,
                                   1e300,
                                   1e-7,
                                   6e-8,
                                   1e-40,
                                   1e-300,
                                   1.00390625,
                                   1.00390626,
                                   1.001953125,
                                   0x1.01p0,
                                   0x1.0100000000001p0,
                                   0x1.02ffffffffffp0,
                                   448,
                                   464,
                                   465,
                                   240,
                                   248,
                                   6,
                                   7.5,
                                   INFINITY,
                                   -INFINITY,
                                   NAN};
  static const uint64_t integers[] = {0,
                                      1,
                                      2,
                                      3,
                                      7,
                                      8,
                                      15,
                                      16,
                                      127,
                                      128,
                                      255,
                                      256,
                                      0x7fff,
                                      0x8000,
                                      0xffff,
                                      0x10000,
                                      16777217,
                                      16777219,
                                      0x7fffffff,
                                      0x80000000,
                                      0xffffffff,
                                      0x100000000,
                                      0x20000000000001,
                                      0x20000000000003,
                                      0x4040000000000001,
                                      0x4040000000000000,
                                      0x40c0000000000000,
                                      0x40bfffffffffffff,
                                      0x7fffffffffffffff,
                                      0x8000000000000000,
                                      0x8080000000000001,
                                      0xffffffffffffffff,
                                      0xfffffffffffffffe,
                                      0xfffffffffffffff8,
                                      0xffffffffffffff80,
                                      0xffffffff80000000,
                                      0xbfbfffffffffffff,
                                      0xfffffffffeffffff};
  size_t size = (size_t)hlo_type_bytes(type);
  int64_t count = 0;
  hlo_type_class class = hlo_type_get_class(type);
  if (class == HLO_CLASS_FLOAT || class == HLO_CLASS_COMPLEX) {
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      hlo_number number = {
          .type_class = class, .re = numbers[i], .im = i % 3 == 0 ? 0 : numbers[(i * 7) % 50]};
      hlo_element_set(type, out + size * (size_t)count++, number);
    }
    return count;
  }
  for (size_t i = 0; i < sizeof integers / sizeof *integers; i++) {
    hlo_number number = {.type_class = class,
                         .i = (int64_t)integers[i],
                         .u = class == HLO_CLASS_PRED ? integers[i] & 1 : integers[i]};
    hlo_element_set(type, out + size * (size_t)count++, number);
  }
  return count;
}

static void check_convert(hlo_type from, hlo_type to) {
  test_program program;
  start_program(&program);
  uint8_t values[128 * 16];
  int64_t count = hard_values(from, values);
  size_t size = (size_t)hlo_type_bytes(from), to_size = (size_t)hlo_type_bytes(to);
  int64_t dims[2] = {7, count}; // more than a block
  test_array a = make_array(from, 2, dims, random_layout()),
             result = make_array(to, 2, dims, random_layout());
  for (int64_t i = 0; i < 7 * count; i++)
    memcpy(element_number(&a.view, i), values + size * (size_t)(i % count), size);
  CHECK(evaluate(&program, HLO_OP_CONVERT, 1, &a.view, &result.view, 0, NULL));
  bool reported = false;
  for (int64_t i = 0; i < 7 * count && !reported; i++) {
    hlo_number number = hlo_element_get(from, element_number(&a.view, i));
    uint64_t wanted[2] = {0, 0}, got[2] = {0, 0};
    hlo_element_set(to, wanted, number);
    memcpy(got, element_number(&result.view, i), to_size);
    bool both_nan = is_nan(to, wanted) && is_nan(to, got);
    reported = memcmp(got, wanted, to_size) != 0 && !both_nan;
    CHECK_MESSAGE(!reported, "convert %s to %s: value %lld (%.17g, %lld) gives %llx, not %llx",
                  hlo_type_name(from), hlo_type_name(to), (long long)(i % count), number.re,
                  (long long)number.i, (unsigned long long)got[0], (unsigned long long)wanted[0]);
  }
  CHECK(gaps_untouched(&result));
  free_array(&a), free_array(&result);
  end_program(&program);
}

static void convert_one(hlo_type from, const void *value, hlo_type to, void *result) {
  test_program program;
  start_program(&program);
  hlo_view a = {.type = from, .rank = 0, .data = (void *)value},
           r = {.type = to, .rank = 0, .data = result};
  CHECK(evaluate(&program, HLO_OP_CONVERT, 1, &a, &r, 0, NULL));
  end_program(&program);
}

static void test_convert(void) {
  for (int from = HLO_PRED; from <= HLO_C128; from++) {
    for (int to = HLO_PRED; to <= HLO_C128; to++) check_convert((hlo_type)from, (hlo_type)to);
  }
  // By the standards, not by another implementation.
  static const float floats[] = {NAN, INFINITY, -INFINITY, 300, -300, 7.9f, -8.9f, 2.5f, -0.9f};
  static const int8_t s8[] = {0, 127, -128, 127, -128, 7, -8, 2, 0},
                      s4[] = {0, 7, -8, 7, -8, 7, -8, 2, 0};
  static const uint8_t u8[] = {0, 255, 0, 255, 0, 7, 0, 2, 0}, pred[] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  static const int64_t s64[] = {0, INT64_MAX, INT64_MIN, 300, -300, 7, -8, 2, 0};
  static const uint64_t u64[] = {0, UINT64_MAX, 0, 300, 0, 7, 0, 2, 0};
  for (int i = 0; i < 9; i++) {
    uint64_t r;
    convert_one(HLO_F32, &floats[i], HLO_S8, &r);
    CHECK(memcmp(&r, &s8[i], 1) == 0);
    convert_one(HLO_F32, &floats[i], HLO_S4, &r);
    CHECK(memcmp(&r, &s4[i], 1) == 0);
    convert_one(HLO_F32, &floats[i], HLO_U8, &r);
    CHECK(memcmp(&r, &u8[i], 1) == 0);
    convert_one(HLO_F32, &floats[i], HLO_PRED, &r);
    CHECK(memcmp(&r, &pred[i], 1) == 0);
    convert_one(HLO_F32, &floats[i], HLO_S64, &r);
    CHECK(memcmp(&r, &s64[i], 8) == 0);
    convert_one(HLO_F32, &floats[i], HLO_U64, &r);
    CHECK(memcmp(&r, &u64[i], 8) == 0);
  }
  int64_t tie = ((int64_t)1 << 62) + ((int64_t)1 << 54) + 1; // just above halfway between bf16s
  uint16_t bf16;
  convert_one(HLO_S64, &tie, HLO_BF16, &bf16);
  CHECK(hlo_bf16_to_f32(bf16) == 0x1.02p62f);
  int32_t wraps = 300;
  int8_t low;
  convert_one(HLO_S32, &wraps, HLO_S8, &low);
  CHECK(low == 44);
  convert_one(HLO_S32, &wraps, HLO_S4, &low);
  CHECK(low == -4);
  static const double z[2] = {2.75, 9}, imaginary[2] = {0, 1};
  float real;
  uint8_t truth;
  convert_one(HLO_C128, z, HLO_F32, &real);
  CHECK(real == 2.75f);
  convert_one(HLO_C128, imaginary, HLO_PRED, &truth);
  CHECK(truth == 0);
  float complex_result[2];
  convert_one(HLO_S32, &wraps, HLO_C64, complex_result);
  CHECK(complex_result[0] == 300 && complex_result[1] == 0);
}

// --- reduce-precision ---

static void reduce_precision(hlo_type type, int64_t count, const void *values,
                             int64_t exponent_bits, int64_t mantissa_bits, void *result) {
  test_program program;
  start_program(&program);
  hlo_view a = {.type = type, .rank = 1, .dims = {count}, .strides = {1}, .data = (void *)values},
           r = a;
  r.data = result;
  hlo_attribute attributes[] = {hlo_attribute_make_int(HLO_ATTRIBUTE_EXPONENT_BITS, exponent_bits),
                                hlo_attribute_make_int(HLO_ATTRIBUTE_MANTISSA_BITS, mantissa_bits)};
  CHECK(evaluate(&program, HLO_OP_REDUCE_PRECISION, 1, &a, &r, 2, attributes));
  end_program(&program);
}

// What XLA gives for lax.reduce_precision, except that it takes subnormal numbers for zeros.
static void test_reduce_precision(void) {
  enum { N = 13 };
  static const float x[N] = {6e-8f, 1e-7f,    5.97e-8f, 3.1e-5f,  6.1e-5f, 6.1035e-5f, 6.09e-5f,
                             65504, 65519.9f, 65520,    INFINITY, -0.0f,   1};
  static const float half[N] = {0,     0,     0,        0,        0,     0x1p-14f, 0,
                                65504, 65504, INFINITY, INFINITY, -0.0f, 1};
  static const float two_three[N] = {0,        0,        0,        0,        0,     0, 0,
                                     INFINITY, INFINITY, INFINITY, INFINITY, -0.0f, 1};
  float r[N];
  reduce_precision(HLO_F32, N, x, 5, 10, r);
  CHECK(memcmp(r, half, sizeof r) == 0);
  reduce_precision(HLO_F32, N, x, 2, 3, r);
  CHECK(memcmp(r, two_three, sizeof r) == 0);
  reduce_precision(HLO_F32, N, x, 8, 23, r);
  CHECK(memcmp(r, x, sizeof r) == 0);
  reduce_precision(HLO_F32, N, x, 11, 52, r);
  CHECK(memcmp(r, x, sizeof r) == 0);
  reduce_precision(HLO_F32, N, x, INT64_MAX, INT64_MAX, r);
  CHECK(memcmp(r, x, sizeof r) == 0);
  static const float ties[6] = {1.5f, 2.5f, 1.25f, 0.75f, 3, 6},
                     no_mantissa[6] = {2, 2, 1, 0.5f, 2, 8};
  reduce_precision(HLO_F32, 6, ties, 8, 0, r);
  CHECK(memcmp(r, no_mantissa, sizeof no_mantissa) == 0);
  static const uint32_t nans[4] = {0x7fc00001, 0x7f800001, 0xffc00000, 0x7f80ffff};
  reduce_precision(HLO_F32, 4, nans, 5, 10, r);
  CHECK(memcmp(r, nans, sizeof nans) == 0);
  static const float largest = 3.4028235e38f;
  reduce_precision(HLO_F32, 1, &largest, 8, 7, r);
  CHECK(r[0] == INFINITY);
  static const double d[3] = {1e308, 1.1, -1e-300}, e[3] = {INFINITY, 0x1.19999ap0, -0.0};
  double f[3];
  reduce_precision(HLO_F64, 3, d, 8, 23, f);
  CHECK(memcmp(f, e, sizeof f) == 0);
  // f16: 3e-5, 2, 65504, 2049, the least subnormal number
  static const uint16_t h[5] = {0x01f7, 0x4000, 0x7bff, 0x6801, 0x0001},
                        narrow[5] = {0, 0x4000, 0x7c00, 0x7c00, 0},
                        brief[5] = {0x01f8, 0x4000, 0x7c00, 0x6800, 0};
  uint16_t g[5];
  reduce_precision(HLO_F16, 5, h, 4, 5, g);
  CHECK(memcmp(g, narrow, sizeof g) == 0);
  reduce_precision(HLO_F16, 5, h, 8, 7, g);
  CHECK(memcmp(g, brief, sizeof g) == 0);
  // f8e4m3fn has no infinity: 448 to e3m3 overflows to NaN
  static const uint8_t fn[3] = {0x7e, 0x38, 0x39}, fn_wanted[3] = {0x7f, 0x38, 0x38};
  uint8_t b[3];
  reduce_precision(HLO_F8E4M3FN, 3, fn, 3, 2, b);
  CHECK(memcmp(b, fn_wanted, sizeof b) == 0);
}

// --- bitcast-convert ---

static void bitcast_convert(hlo_type from, int32_t from_rank, const int64_t *from_dims,
                            const void *bytes, hlo_type to, int32_t to_rank, const int64_t *to_dims,
                            const void *wanted) {
  for (int layout = 0; layout < 4 * TEST_LAYOUTS; layout++) {
    test_program program;
    start_program(&program);
    test_array a = make_array(from, from_rank, from_dims, (test_layout)(layout % TEST_LAYOUTS)),
               r = make_array(to, to_rank, to_dims, random_layout());
    int64_t count = elements_of(from_rank, from_dims), results = elements_of(to_rank, to_dims);
    size_t size = (size_t)hlo_type_bytes(from), to_size = (size_t)hlo_type_bytes(to);
    for (int64_t i = 0; i < count; i++)
      memcpy(element_number(&a.view, i), (const char *)bytes + size * (size_t)i, size);
    CHECK(evaluate(&program, HLO_OP_BITCAST_CONVERT, 1, &a.view, &r.view, 0, NULL));
    bool right = true;
    for (int64_t i = 0; i < results; i++) {
      if (memcmp(element_number(&r.view, i), (const char *)wanted + to_size * (size_t)i, to_size) !=
          0)
        right = false;
    }
    CHECK_MESSAGE(right, "bitcast-convert from %s to %s", hlo_type_name(from), hlo_type_name(to));
    CHECK(gaps_untouched(&r));
    free_array(&a), free_array(&r);
    end_program(&program);
  }
}

static void test_bitcast_convert(void) {
  static const int64_t none[] = {0}, one[] = {1}, two[] = {2}, two_two[] = {2, 2},
                       two_four[] = {2, 4}, two_one_four[] = {2, 1, 4}, two_one[] = {2, 1},
                       four[] = {4}, zero_two[] = {0, 2};
  static const float x[] = {1, -2.5f};
  static const uint32_t x_bits[] = {0x3f800000, 0xc0200000};
  bitcast_convert(HLO_F32, 1, two, x, HLO_U32, 1, two, x_bits);
  bitcast_convert(HLO_F32, 1, two, x, HLO_U8, 2, two_four, x_bits);
  bitcast_convert(HLO_U8, 2, two_four, x_bits, HLO_F32, 1, two, x);
  bitcast_convert(HLO_F32, 2, two_one, x, HLO_S8, 3, two_one_four, x_bits);
  bitcast_convert(HLO_F32, 1, two, x, HLO_BF16, 2, two_two, x_bits);
  bitcast_convert(HLO_BF16, 2, two_two, x_bits, HLO_F32, 1, two, x);
  bitcast_convert(HLO_C64, 0, NULL, x, HLO_F32, 1, two, x);
  bitcast_convert(HLO_F32, 1, two, x, HLO_C64, 0, NULL, x);
  bitcast_convert(HLO_C64, 1, one, x, HLO_S64, 1, one, x);
  bitcast_convert(HLO_F32, 1, none, x, HLO_F16, 2, zero_two, x);
  // below a byte: low bits first
  static const uint8_t bytes[] = {0x8f, 0x21};
  static const int8_t s4[] = {-1, -8, 1, 2};
  static const uint8_t u4[] = {15, 8, 1, 2}, f4[] = {15, 8, 1, 2}, u2[] = {3, 3, 0, 2}, byte = 0x8f;
  bitcast_convert(HLO_U8, 1, two, bytes, HLO_S4, 2, two_two, s4);
  bitcast_convert(HLO_S4, 2, two_two, s4, HLO_U8, 1, two, bytes);
  bitcast_convert(HLO_U8, 1, two, bytes, HLO_U4, 2, two_two, u4);
  bitcast_convert(HLO_U4, 2, two_two, u4, HLO_S8, 1, two, bytes);
  bitcast_convert(HLO_S4, 2, two_two, s4, HLO_U4, 2, two_two, u4);
  bitcast_convert(HLO_U4, 1, four, u4, HLO_S4, 1, four, s4);
  bitcast_convert(HLO_S4, 1, four, s4, HLO_F4E2M1FN, 1, four, f4);
  bitcast_convert(HLO_U8, 0, NULL, &byte, HLO_U2, 1, four, u2);
  bitcast_convert(HLO_U2, 1, four, u2, HLO_U8, 0, NULL, &byte);
  static const uint8_t s4_bits = 0xfb; // -5 = 0b1011
  static const int8_t s2[] = {-1, -2};
  bitcast_convert(HLO_S4, 0, NULL, &s4_bits, HLO_S2, 1, two, s2);
  bitcast_convert(HLO_S2, 1, two, s2, HLO_S4, 0, NULL, &s4_bits);
}

int main(void) {
  test_convert();
  test_reduce_precision();
  test_bitcast_convert();
  return CHECK_RESULT();
}
