// Elementwise ops over arrays: every layout against one element at a time, and the values of
// compare, select and clamp against arithmetic in double and 64-bit integers.
#include "eval_fixture.h"

#include <math.h>

enum { ROUNDS = 80 };

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

int main(void) {
  test_layouts();
  test_compare();
  test_total_order_of_nans();
  test_select_and_clamp();
  return CHECK_RESULT();
}
