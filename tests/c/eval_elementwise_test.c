// Elementwise ops over arrays: every layout against one element at a time, and the values of
// compare, convert, select, clamp and reduce-precision. Oracles: 128-bit and double arithmetic,
// hlo_element_set (another implementation of Convert), XLA's results for reduce-precision.
#include "eval_fixture.h"

#include "base/float_formats.h"

#include <math.h>

enum { ROUNDS = 80 };

static test_layout random_layout(void) { return (test_layout)random_below(TEST_LAYOUTS); }

static bool is_nan(hlo_type type, const void *element) {
  hlo_number number = hlo_element_get(type, element);
  return number.re != number.re;
}

// --- layouts ---

// Operands and result in layouts of their own; each element of the result against the kernel's
// value for the operands' elements.
static void check_layouts(hlo_opcode opcode, hlo_type type, int32_t arity, int32_t rank,
                          const int64_t *dims, bool same_layout) {
  test_program program;
  start_program(&program);
  test_array operands[2], to = make_array(type, rank, dims, random_layout());
  hlo_view views[2];
  for (int32_t i = 0; i < arity; i++) {
    operands[i] = make_array(type, rank, dims, random_layout());
    if (same_layout) {
      size_t first = (size_t)((uint8_t *)to.view.data - to.memory);
      free_array(&operands[i]);
      operands[i].memory = malloc(to.size);
      operands[i].size = to.size;
      operands[i].view = to.view;
      operands[i].view.data = operands[i].memory + first;
    }
    fill_small(&operands[i], 8);
    views[i] = operands[i].view;
  }
  CHECK(evaluate(&program, opcode, arity, views, &to.view, 0, NULL));
  hlo_pointwise_kernel *kernel = hlo_pointwise_get(opcode, type);
  int64_t count = elements_of(rank, dims);
  bool right = true;
  for (int64_t i = 0; i < count; i++) {
    uint64_t wanted[2];
    int64_t index[HLO_MAX_RANK];
    index_of(rank, dims, i, index);
    kernel(wanted,
           (const void *const[]){element(&views[0], index), element(&views[arity - 1], index)}, 1);
    if (!same_element(&to.view, index, wanted)) right = false;
  }
  CHECK_MESSAGE(right, "%s of %s: wrong element", hlo_op_get(opcode)->name, hlo_type_name(type));
  CHECK(gaps_untouched(&to));
  if (to.view.rank > 0) { // and over the first operand's memory
    test_array own = operands[0];
    uint8_t *before = malloc(own.size);
    memcpy(before, own.memory, own.size);
    views[0].data = own.view.data;
    CHECK(evaluate(&program, opcode, arity, views, &own.view, 0, NULL));
    for (int64_t i = 0; i < count; i++) {
      int64_t index[HLO_MAX_RANK];
      index_of(rank, dims, i, index);
      if (!same_element(&own.view, index, element(&to.view, index))) right = false;
    }
    CHECK_MESSAGE(right, "%s of %s: wrong element in place", hlo_op_get(opcode)->name,
                  hlo_type_name(type));
    free(before);
  }
  for (int32_t i = 0; i < arity; i++) free_array(&operands[i]);
  free_array(&to);
  end_program(&program);
}

static void test_layouts(void) {
  static const hlo_type types[] = {HLO_S4, HLO_U8, HLO_F16, HLO_BF16, HLO_F32, HLO_S64, HLO_C128};
  for (int round = 0; round < ROUNDS; round++) {
    int64_t dims[6];
    int32_t rank = (int32_t)random_below(7);
    for (int32_t i = 0; i < rank; i++) dims[i] = random_below(15) == 0 ? 0 : 1 + random_below(5);
    hlo_type type = types[random_below(7)];
    check_layouts(HLO_OP_ADD, type, 2, rank, dims, round % 4 == 0);
    check_layouts(HLO_OP_NEGATE, type, 1, rank, dims, round % 4 == 0);
  }
  static const int64_t large[][3] = {{40, 50, 3}, {1, 3000, 2}, {7, 1, 1500}, {17000, 2, 1}};
  for (int i = 0; i < 4; i++) {
    for (int round = 0; round < 4; round++) {
      check_layouts(HLO_OP_SUBTRACT, HLO_F32, 2, 3, large[i], round == 0);
    }
  }
}

// --- compare ---

static const char *const directions[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};

// order: -1, 0, 1, or 2 for unordered.
static bool holds(int direction, int order) {
  switch (direction) {
  case 0:
    return order == 0;
  case 1:
    return order != 0;
  case 2:
    return order == 0 || order == 1;
  case 3:
    return order == 1;
  case 4:
    return order == 0 || order == -1;
  default:
    return order == -1;
  }
}

typedef int order_function(hlo_type type, const void *a, const void *b);

static int order_of_doubles(double a, double b) { return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2; }

static int value_order(hlo_type type, const void *a, const void *b) {
  hlo_number x = hlo_element_get(type, a), y = hlo_element_get(type, b);
  switch (x.type_class) {
  case HLO_CLASS_SIGNED:
    return (x.i > y.i) - (x.i < y.i);
  case HLO_CLASS_PRED:
  case HLO_CLASS_UNSIGNED:
    return (x.u > y.u) - (x.u < y.u);
  case HLO_CLASS_FLOAT:
    return order_of_doubles(x.re, y.re);
  default: {
    int re = order_of_doubles(x.re, y.re), im = order_of_doubles(x.im, y.im);
    return re != 0 ? re : im;
  }
  }
}

// NaN by sign alone.
static int total_order_of_doubles(double a, double b) {
  int zero_a = a == 0 && signbit(a) ? -1 : 0, zero_b = b == 0 && signbit(b) ? -1 : 0;
  int nan_a = a != a ? (signbit(a) ? -1 : 1) : 0, nan_b = b != b ? (signbit(b) ? -1 : 1) : 0;
  if (nan_a != nan_b) return nan_a < nan_b ? -1 : 1;
  if (nan_a != 0) return 0;
  int order = order_of_doubles(a, b);
  return order != 0 ? order : (zero_a > zero_b) - (zero_a < zero_b);
}
static int total_order(hlo_type type, const void *a, const void *b) {
  hlo_number x = hlo_element_get(type, a), y = hlo_element_get(type, b);
  if (!hlo_type_is_float(type) && !hlo_type_is_complex(type)) return value_order(type, a, b);
  int re = total_order_of_doubles(x.re, y.re);
  return re != 0 || !hlo_type_is_complex(type) ? re : total_order_of_doubles(x.im, y.im);
}

static void fill_specials(hlo_type type, test_array *array) {
  static const double specials[] = {0.0,       -0.0, 1,    -1,  2,    INFINITY,
                                    -INFINITY, NAN,  -NAN, 0.5, -0.5, 1e-45};
  int64_t count = elements_of(array->view.rank, array->view.dims);
  for (int64_t i = 0; i < count; i++) {
    void *to = element_number(&array->view, i);
    hlo_number number = {.type_class = HLO_CLASS_COMPLEX,
                         .re = specials[random_below(12)],
                         .im = specials[random_below(12)]};
    if (hlo_type_is_float(type)) number.type_class = HLO_CLASS_FLOAT;
    bool is_float = hlo_type_is_float(type) || hlo_type_is_complex(type);
    if (is_float) hlo_element_set(type, to, number);
  }
  if (!hlo_type_is_float(type) && !hlo_type_is_complex(type)) fill_random(array);
}

static void check_compare(hlo_type type, int direction, bool total) {
  test_program program;
  start_program(&program);
  static const int64_t dims[] = {20, 20};
  test_array a = make_array(type, 2, dims, random_layout()),
             b = make_array(type, 2, dims, random_layout());
  test_array to = make_array(HLO_PRED, 2, dims, random_layout());
  fill_specials(type, &a);
  fill_specials(type, &b);
  for (int64_t i = 0; i < 40; i++) { // some equal pairs of every type
    memcpy(element_number(&b.view, i), element_number(&a.view, i), (size_t)hlo_type_bytes(type));
  }
  hlo_attribute attributes[] = {
      hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, directions[direction]),
      hlo_attribute_make_text(HLO_ATTRIBUTE_TYPE, total ? "TOTALORDER" : "FLOAT")};
  hlo_view operands[2] = {a.view, b.view};
  CHECK(evaluate(&program, HLO_OP_COMPARE, 2, operands, &to.view, total ? 2 : 1, attributes));
  order_function *order = total ? total_order : value_order;
  bool right = true;
  for (int64_t i = 0; i < 400; i++) {
    const void *x = element_number(&a.view, i), *y = element_number(&b.view, i);
    uint8_t got = *(uint8_t *)element_number(&to.view, i);
    if (got != holds(direction, order(type, x, y))) right = false;
  }
  CHECK_MESSAGE(right, "compare %s of %s%s", directions[direction], hlo_type_name(type),
                total ? ", total order" : "");
  CHECK(gaps_untouched(&to));
  free_array(&a), free_array(&b), free_array(&to);
  end_program(&program);
}

static void test_compare(void) {
  for (int type = HLO_PRED; type <= HLO_C128; type++) {
    for (int direction = 0; direction < 6; direction++) {
      check_compare((hlo_type)type, direction, false);
      check_compare((hlo_type)type, direction, true);
    }
  }
}

// NaNs of different bits are different places of the total order.
static void test_total_order_of_nans(void) {
  static const uint32_t sorted[] = {0xffffffff, 0xffc00000, 0xff800001, 0xff800000, 0xbf800000,
                                    0x80000001, 0x80000000, 0x00000000, 0x00000001, 0x3f800000,
                                    0x7f800000, 0x7f800001, 0x7fc00000, 0x7fffffff};
  enum { N = sizeof sorted / sizeof *sorted };
  static const int64_t dims[] = {N, N};
  static const hlo_type types[] = {HLO_F32, HLO_BF16};
  for (int t = 0; t < 2; t++) {
    test_program program;
    start_program(&program);
    test_array a = make_array(types[t], 2, dims, ROW_MAJOR),
               b = make_array(types[t], 2, dims, ROW_MAJOR);
    test_array to = make_array(HLO_PRED, 2, dims, ROW_MAJOR);
    for (int64_t i = 0; i < N * N; i++) {
      uint32_t x = sorted[i / N], y = sorted[i % N];
      if (types[t] == HLO_BF16) { // the upper half, with the lowest bit kept
        x = x >> 16 | (x & 1), y = y >> 16 | (y & 1);
      }
      memcpy(element_number(&a.view, i), &x, (size_t)hlo_type_bytes(types[t]));
      memcpy(element_number(&b.view, i), &y, (size_t)hlo_type_bytes(types[t]));
    }
    hlo_view operands[2] = {a.view, b.view};
    for (int d = 0; d < 6; d++) {
      hlo_attribute attributes[] = {hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, directions[d]),
                                    hlo_attribute_make_text(HLO_ATTRIBUTE_TYPE, "TOTALORDER")};
      CHECK(evaluate(&program, HLO_OP_COMPARE, 2, operands, &to.view, 2, attributes));
      bool right = true;
      for (int64_t i = 0; i < N * N; i++) {
        int64_t x = i / N, y = i % N;
        if (to.memory[i] != holds(d, (x > y) - (x < y))) right = false;
      }
      CHECK_MESSAGE(right, "total order %s of %s", directions[d], hlo_type_name(types[t]));
    }
    free_array(&a), free_array(&b), free_array(&to);
    end_program(&program);
  }
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
  CHECK(truth == 1);
  float complex_result[2];
  convert_one(HLO_S32, &wraps, HLO_C64, complex_result);
  CHECK(complex_result[0] == 300 && complex_result[1] == 0);
}

// --- select and clamp ---

static void check_select(hlo_type type, bool scalar_condition) {
  static const int64_t dims[] = {5, 30, 11};
  test_program program;
  start_program(&program);
  test_array chosen = make_array(HLO_PRED, scalar_condition ? 0 : 3, dims, random_layout());
  test_array a = make_array(type, 3, dims, random_layout()),
             b = make_array(type, 3, dims, random_layout()),
             to = make_array(type, 3, dims, random_layout());
  fill_random(&a);
  fill_random(&b);
  fill_random(&chosen);
  hlo_view operands[3] = {chosen.view, a.view, b.view};
  CHECK(evaluate(&program, HLO_OP_SELECT, 3, operands, &to.view, 0, NULL));
  bool right = true;
  for (int64_t i = 0; i < 5 * 30 * 11; i++) {
    int64_t index[3];
    index_of(3, dims, i, index);
    bool first =
        *(uint8_t *)(scalar_condition ? chosen.view.data : element(&chosen.view, index)) != 0;
    if (!same_element(&to.view, index, element(first ? &a.view : &b.view, index))) right = false;
  }
  CHECK_MESSAGE(right, "select of %s", hlo_type_name(type));
  CHECK(gaps_untouched(&to));
  free_array(&chosen), free_array(&a), free_array(&b), free_array(&to);
  end_program(&program);
}

static void check_clamp(hlo_type type, bool scalar_low, bool scalar_high) {
  static const int64_t dims[] = {13, 7, 9};
  test_program program;
  start_program(&program);
  test_array low = make_array(type, scalar_low ? 0 : 3, dims, random_layout()),
             high = make_array(type, scalar_high ? 0 : 3, dims, random_layout());
  test_array x = make_array(type, 3, dims, random_layout()),
             to = make_array(type, 3, dims, random_layout());
  fill_small(&low, 5), fill_small(&high, 7), fill_small(&x, 8);
  if (hlo_type_is_float(type)) { // NaN anywhere
    hlo_number nan_number = {.type_class = HLO_CLASS_FLOAT, .re = NAN};
    hlo_element_set(type, element_number(&x.view, 3), nan_number);
    if (!scalar_low) hlo_element_set(type, element_number(&low.view, 100), nan_number);
    if (!scalar_high) hlo_element_set(type, element_number(&high.view, 200), nan_number);
  }
  hlo_view operands[3] = {low.view, x.view, high.view};
  CHECK(evaluate(&program, HLO_OP_CLAMP, 3, operands, &to.view, 0, NULL));
  bool right = true;
  for (int64_t i = 0; i < 13 * 7 * 9; i++) {
    int64_t index[3];
    index_of(3, dims, i, index);
    double l = as_double(type, scalar_low ? low.view.data : element(&low.view, index)),
           v = as_double(type, element(&x.view, index));
    double h = as_double(type, scalar_high ? high.view.data : element(&high.view, index)),
           got = as_double(type, element(&to.view, index));
    double wanted = l != l || v != v || h != h ? NAN : fmin(fmax(l, v), h);
    if (got != wanted && !(got != got && wanted != wanted)) right = false;
  }
  CHECK_MESSAGE(right, "clamp of %s", hlo_type_name(type));
  CHECK(gaps_untouched(&to));
  free_array(&low), free_array(&high), free_array(&x), free_array(&to);
  end_program(&program);
}

static void test_select_and_clamp(void) {
  static const hlo_type types[] = {HLO_S4, HLO_U8, HLO_F16, HLO_F32, HLO_S64, HLO_C128, HLO_PRED};
  for (int t = 0; t < 7; t++) {
    check_select(types[t], false);
    check_select(types[t], true);
  }
  static const hlo_type ordered[] = {HLO_S4,   HLO_S8,  HLO_S32, HLO_U16,   HLO_F16,
                                     HLO_BF16, HLO_F32, HLO_F64, HLO_F8E5M2};
  for (int t = 0; t < 9; t++) {
    for (int scalars = 0; scalars < 4; scalars++) check_clamp(ordered[t], scalars & 1, scalars & 2);
  }
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
  test_layouts();
  test_compare();
  test_total_order_of_nans();
  test_convert();
  test_select_and_clamp();
  test_reduce_precision();
  test_bitcast_convert();
  return CHECK_RESULT();
}
