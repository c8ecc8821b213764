// ReduceWindow against the definition, with and without kernels: poolings, cumulative windows both
// ways, windows with holes, over random shapes and layouts. Values are such that the order of
// combination does not show, but for a computation that is associative and not commutative. And
// SelectAndScatter by rows against the way that takes any computation, bit by bit.
#include "eval_fixture.h"

#include "hlo/attributes/window.h"
#include "kernels/simd/kernels.h"
#include "kernels/structural.h"
#include "kernels/window/select_and_scatter_rows.h"
#include "text/text.h"

#include <math.h>
#include <stdio.h>

enum { TEXT = 2048, MOST = 4 };

typedef struct window {
  int64_t size, stride, low, high, base, dilation;
} window;

typedef struct window_case {
  hlo_type type;
  hlo_opcode opcode;
  int32_t rank;
  int64_t dims[MOST], positions[MOST];
  window windows[MOST];
  double initial;
} window_case;

static int64_t positions_of(const window *w, int64_t n) {
  int64_t padded = w->low + w->high + (n == 0 ? 0 : (n - 1) * w->base + 1);
  int64_t reach = (w->size - 1) * w->dilation + 1;
  return padded < reach ? 0 : (padded - reach) / w->stride + 1;
}

// Appends one number of each window.
static void append_numbers(char *text, const char *name, const window_case *c, size_t member) {
  snprintf(text + strlen(text), 40, " %s=", name);
  for (int32_t d = 0; d < c->rank; d++) {
    int64_t number;
    memcpy(&number, (const char *)&c->windows[d] + member, sizeof number);
    snprintf(text + strlen(text), 40, d == 0 ? "%d" : "x%d", (int)number);
  }
}

static void append_dims(char *text, int32_t rank, const int64_t *dims) {
  for (int32_t d = 0; d < rank; d++)
    snprintf(text + strlen(text), 40, d == 0 ? "%d" : ",%d", (int)dims[d]);
}

static void append_window(char *text, const window_case *c) {
  strcat(text, "window={");
  append_numbers(text, "size", c, offsetof(window, size));
  append_numbers(text, "stride", c, offsetof(window, stride));
  strcat(text, " pad=");
  for (int32_t d = 0; d < c->rank; d++)
    snprintf(text + strlen(text), 60, d == 0 ? "%d_%d" : "x%d_%d", (int)c->windows[d].low,
             (int)c->windows[d].high);
  append_numbers(text, "lhs_dilate", c, offsetof(window, base));
  append_numbers(text, "rhs_dilate", c, offsetof(window, dilation));
  strcat(text, "}");
}

static hlo_module *parse(const char *text) {
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_status status = hlo_parse_hlo(text, strlen(text), &module, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s\n%s", error.message, text);
  return module;
}

static hlo_module *make_module(const window_case *c) {
  char text[TEXT], dims[100] = "", positions[100] = "", fields[600] = "";
  const char *type = hlo_type_name(c->type), *name = hlo_op_get(c->opcode)->name;
  append_dims(dims, c->rank, c->dims);
  append_dims(positions, c->rank, c->positions);
  append_window(fields, c);
  snprintf(
      text, sizeof text,
      "HloModule m\nf {\nx = %s[] parameter(0)\ny = %s[] parameter(1)\nROOT r = %s[] %s(x, y)\n}\n"
      "ENTRY main {\nx = %s[%s] parameter(0)\ni = %s[] parameter(1)\n"
      "ROOT r = %s[%s] reduce-window(x, i), %s, to_apply=f\n}\n",
      type, type, type, name, type, dims, type, type, positions, fields);
  return parse(text);
}

// --- the definition ---

static double combine(hlo_opcode opcode, double a, double b) {
  switch (opcode) {
  case HLO_OP_ADD:
    return a + b;
  case HLO_OP_MULTIPLY:
    return a * b;
  case HLO_OP_MAXIMUM:
    return a != a || (a == b && !signbit(a)) || a > b ? a : b;
  default:
    return a != a || (a == b && signbit(a)) || a < b ? a : b;
  }
}

// The element under a tap, false where there is none.
static bool find_element(const window_case *c, const int64_t *position, const int64_t *tap,
                         int64_t *element_index) {
  for (int32_t d = 0; d < c->rank; d++) {
    const window *w = &c->windows[d];
    int64_t at = position[d] * w->stride + tap[d] * w->dilation - w->low;
    if (at < 0 || at % w->base != 0 || at / w->base >= c->dims[d]) return false;
    element_index[d] = at / w->base;
  }
  return true;
}

static double value_at(const window_case *c, const hlo_view *operand, const int64_t *position) {
  int64_t tap[MOST] = {0}, sizes[MOST], index[MOST];
  double value = c->initial;
  for (int32_t d = 0; d < c->rank; d++) sizes[d] = c->windows[d].size;
  do {
    if (find_element(c, position, tap, index))
      value = combine(c->opcode, value, as_double(c->type, element(operand, index)));
  } while (hlo_next_index(c->rank, sizes, tap));
  return value;
}

// --- cases ---

static void set_value(hlo_type type, void *to, double value) {
  bool is_float = hlo_type_get_class(type) == HLO_CLASS_FLOAT;
  hlo_number number = {.type_class = HLO_CLASS_FLOAT, .re = value};
  if (is_float) hlo_element_set(type, to, number);
  else set_small(type, to, (int64_t)value);
}

static double random_value(hlo_opcode opcode, bool special) {
  static const double factors[] = {1, -1, 2, 0.5}, specials[] = {0.0, -0.0, NAN, INFINITY};
  if (opcode == HLO_OP_MULTIPLY) return factors[random_below(4)];
  if (special && opcode != HLO_OP_ADD && random_below(12) == 0) return specials[random_below(4)];
  return (double)(random_below(33) - 16);
}

static void check(const window_case *c) {
  bool is_float = hlo_type_get_class(c->type) == HLO_CLASS_FLOAT;
  test_array operand = make_array(c->type, c->rank, c->dims, random_layout());
  test_array initial = make_array(c->type, 0, NULL, ROW_MAJOR);
  int64_t count = elements_of(c->rank, c->dims), results = elements_of(c->rank, c->positions);
  for (int64_t i = 0; i < count; i++) {
    double value = random_value(c->opcode, is_float);
    set_value(c->type, element_number(&operand.view, i), is_float ? value : trunc(value));
  }
  set_value(c->type, initial.view.data, c->initial);
  hlo_module *module = make_module(c);
  for (int fast = 0; fast < 2 && module != NULL; fast++) {
    test_array result = make_array(c->type, c->rank, c->positions, random_layout());
    const hlo_view operands[2] = {operand.view, initial.view};
    hlo_arena scratch = {0};
    hlo_error error = {0};
    hlo_evaluator evaluator = {.scratch = &scratch, .backend = fast ? hlo_kernels_backend() : NULL};
    CHECK(hlo_evaluate(&evaluator, module->entry->root, operands, &result.view, &error) == HLO_OK);
    int64_t wrong = 0;
    for (int64_t i = 0; i < results; i++) {
      int64_t position[MOST];
      uint8_t want[16] = {0};
      index_of(c->rank, c->positions, i, position);
      set_value(c->type, want, value_at(c, &operand.view, position));
      double got = as_double(c->type, element(&result.view, position));
      wrong += !same_element(&result.view, position, want) &&
               !(got != got && as_double(c->type, want) != as_double(c->type, want));
    }
    char dims[100] = "", window[600] = "";
    append_dims(dims, c->rank, c->dims);
    append_window(window, c);
    CHECK_MESSAGE(wrong == 0, "%s of %s[%s], %s, %s kernels: %d of %d are wrong",
                  hlo_op_get(c->opcode)->name, hlo_type_name(c->type), dims, window,
                  fast ? "with" : "without", (int)wrong, (int)results);
    CHECK(gaps_untouched(&result));
    hlo_arena_free(&scratch);
    free_array(&result);
  }
  hlo_module_destroy(module);
  free_array(&operand);
  free_array(&initial);
}

static window_case start_case(int i, int32_t rank) {
  static const hlo_opcode ops[] = {HLO_OP_ADD, HLO_OP_MAXIMUM, HLO_OP_MINIMUM, HLO_OP_MULTIPLY};
  static const hlo_type types[] = {HLO_F32, HLO_F32, HLO_F32, HLO_F64, HLO_S32, HLO_BF16};
  window_case c = {.type = types[random_below(6)], .opcode = ops[i % 4], .rank = rank};
  if (c.opcode == HLO_OP_MULTIPLY && c.type != HLO_F64) c.type = HLO_F32;
  if (c.opcode == HLO_OP_MULTIPLY) c.initial = 1;
  if (c.opcode == HLO_OP_ADD) c.initial = (double)random_below(3);
  if (c.opcode == HLO_OP_MAXIMUM) c.initial = -100;
  if (c.opcode == HLO_OP_MINIMUM) c.initial = 100;
  if (c.opcode == HLO_OP_MULTIPLY || c.type != HLO_BF16) return c;
  c.type = c.opcode == HLO_OP_ADD ? HLO_F32 : c.type; // sums of bf16 are rounded
  return c;
}

static void check_poolings(void) {
  for (int i = 0; i < 600; i++) {
    int32_t rank = 1 + (int32_t)random_below(MOST);
    window_case c = start_case(i, rank);
    bool plain = random_below(3) > 0; // a common pooling
    for (int32_t d = 0; d < rank; d++) {
      window *w = &c.windows[d];
      *w = (window){1, 1, 0, 0, 1, 1};
      c.dims[d] = 1 + random_below(rank == 1 ? 80 : rank == 2 ? 24 : 9);
      if (random_below(2))
        *w = (window){
            1 + random_below(4), 1 + random_below(3), random_below(3), random_below(3), 1, 1};
      if (random_below(4) == 0) w->dilation = 1 + random_below(3);
      if (!plain && random_below(3) == 0) w->base = 1 + random_below(3);
      if (!plain && random_below(3) == 0) w->low = -random_below(2), w->high = -random_below(2);
      c.positions[d] = positions_of(w, c.dims[d]);
    }
    check(&c);
  }
}

// Windows of every length beside their step, holes and base, in more types: each strategy, and what
// stands between them.
static void check_long_windows(void) {
  static const hlo_type types[] = {HLO_F32, HLO_F64, HLO_F16,  HLO_S8,  HLO_U8,
                                   HLO_S16, HLO_S64, HLO_BF16, HLO_U32, HLO_F32};
  for (int i = 0; i < 500; i++) {
    int32_t rank = 1 + (int32_t)random_below(3);
    window_case c = start_case(i, rank);
    c.type = c.opcode == HLO_OP_MULTIPLY ? HLO_F64 : types[random_below(10)];
    bool is_rounded = c.type == HLO_BF16 || hlo_type_bits(c.type) == 8;
    if (c.opcode == HLO_OP_ADD && is_rounded) c.type = HLO_F16;
    if (c.type == HLO_U8 || c.type == HLO_U32) c.initial = c.opcode == HLO_OP_MINIMUM ? 100 : 0;
    int32_t along = (int32_t)random_below(rank), other = (int32_t)random_below(rank);
    for (int32_t d = 0; d < rank; d++) {
      window *w = &c.windows[d];
      bool is_long = d == along || (i % 3 == 0 && d == other);
      *w = (window){1, 1, 0, 0, 1, 1};
      c.dims[d] = 1 + random_below(d == along ? 80 : 12);
      if (i % 5 == 0 && random_below(2)) c.dims[d] = 1;
      if (is_long) {
        int64_t size = 1 + random_below(d == along ? 48 : 10), lows[] = {0, size - 1, size / 2, -1};
        int64_t strides[] = {1, 1, size, 1 + random_below(5)};
        int64_t bases[] = {1, 1, size, 1 + random_below(6)};
        *w = (window){size,
                      strides[random_below(4)],
                      lows[random_below(4)],
                      random_below(50),
                      bases[random_below(4)],
                      random_below(5) ? 1 : 1 + random_below(3)};
      }
      c.positions[d] = positions_of(w, c.dims[d]);
    }
    check(&c);
  }
}

static void check_cumulative(void) {
  for (int i = 0; i < 300; i++) {
    int32_t rank = 1 + (int32_t)random_below(3), along = (int32_t)random_below(rank);
    window_case c = start_case(i, rank);
    for (int32_t d = 0; d < rank; d++) {
      c.windows[d] = (window){1, 1, 0, 0, 1, 1};
      c.positions[d] = c.dims[d] = 1 + random_below(rank == 1 ? 400 : 20);
    }
    if (rank > 1 && i % 3 == 0) c.dims[along] = c.positions[along] = 60 + random_below(100);
    int64_t size = c.dims[along] + (i % 5 == 0 ? random_below(4) : 0);
    c.windows[along] = (window){size, 1, i % 2 ? size - 1 : 0, i % 2 ? 0 : size - 1, 1, 1};
    check(&c);
  }
}

// --- x a + b after one another, in integers modulo 2^32: the order shows ---

static const char affine[] =
    "HloModule m\nf {\na = u32[] parameter(0)\nb = u32[] parameter(1)\nc = u32[] parameter(2)\n"
    "d = u32[] parameter(3)\nac = u32[] multiply(a, c)\nbc = u32[] multiply(b, c)\n"
    "s = u32[] add(bc, d)\nROOT r = (u32[], u32[]) tuple(ac, s)\n}\n"
    "ENTRY main {\nx = u32[%s] parameter(0)\ny = u32[%s] parameter(1)\ni = u32[] parameter(2)\n"
    "j = u32[] parameter(3)\n"
    "ROOT r = (u32[%s], u32[%s]) reduce-window(x, y, i, j), %s, to_apply=f\n}\n";

static uint32_t number_at(const hlo_view *view, const int64_t *index) {
  uint32_t value;
  memcpy(&value, element(view, index), sizeof value);
  return value;
}

static void check_order(int32_t rank, const int64_t *dims, int32_t along, bool backwards) {
  window_case c = {.rank = rank};
  char text[TEXT], shape[100] = "", fields[600] = "";
  int64_t size = dims[along];
  for (int32_t d = 0; d < rank; d++) {
    c.dims[d] = dims[d];
    c.windows[d] = (window){1, 1, 0, 0, 1, 1};
  }
  c.windows[along] = (window){size, 1, backwards ? 0 : size - 1, backwards ? size - 1 : 0, 1, 1};
  append_dims(shape, rank, dims);
  append_window(fields, &c);
  snprintf(text, sizeof text, affine, shape, shape, shape, shape, fields);
  hlo_module *module = parse(text);
  test_array arrays[6];
  hlo_view views[6];
  for (int k = 0; k < 6; k++) {
    bool is_scalar = k == 2 || k == 3;
    arrays[k] = make_array(HLO_U32, is_scalar ? 0 : rank, dims, random_layout());
    views[k] = arrays[k].view;
    if (k < 4) fill_random(&arrays[k]);
  }
  hlo_arena scratch = {0};
  hlo_error error = {0};
  hlo_evaluator evaluator = {.scratch = &scratch};
  CHECK(hlo_evaluate(&evaluator, module->entry->root, views, views + 4, &error) == HLO_OK);
  int64_t wrong = 0, index[MOST] = {0}, zero[1] = {0};
  do {
    uint32_t a = number_at(&views[2], zero), b = number_at(&views[3], zero);
    int64_t at[MOST], from = backwards ? index[along] : 0, to = backwards ? size - 1 : index[along];
    memcpy(at, index, sizeof at);
    for (int64_t i = from; i <= to; i++) {
      at[along] = i;
      uint32_t factor = number_at(&views[0], at);
      a *= factor;
      b = b * factor + number_at(&views[1], at);
    }
    wrong += number_at(&views[4], index) != a || number_at(&views[5], index) != b;
  } while (hlo_next_index(rank, dims, index));
  CHECK_MESSAGE(wrong == 0, "%s along %d: %d are wrong", shape, along, (int)wrong);
  for (int k = 0; k < 6; k++) {
    CHECK(gaps_untouched(&arrays[k]));
    free_array(&arrays[k]);
  }
  hlo_arena_free(&scratch);
  hlo_module_destroy(module);
}

// --- select-and-scatter ---

// The comparison alone, or something else that selects the same.
static hlo_module *make_select(const window_case *c, const char *comparison, bool alone) {
  char text[TEXT], dims[100] = "", positions[100] = "", fields[600] = "";
  const char *type = hlo_type_name(c->type), *name = hlo_op_get(c->opcode)->name;
  append_dims(dims, c->rank, c->dims);
  append_dims(positions, c->rank, c->positions);
  append_window(fields, c);
  snprintf(text, sizeof text,
           "HloModule m\ng {\nx = %s[] parameter(0)\ny = %s[] parameter(1)\n"
           "%s k = pred[] compare(%s\n%s}\n"
           "f {\nx = %s[] parameter(0)\ny = %s[] parameter(1)\nROOT r = %s[] %s(x, y)\n}\n"
           "ENTRY main {\nx = %s[%s] parameter(0)\ns = %s[%s] parameter(1)\n"
           "i = %s[] parameter(2)\n"
           "ROOT r = %s[%s] select-and-scatter(x, s, i), %s, select=g, scatter=f\n}\n",
           type, type, alone ? "ROOT" : "", comparison, alone ? "" : "ROOT b = pred[] and(k, k)\n",
           type, type, type, name, type, dims, type, positions, type, type, dims, fields);
  return parse(text);
}

static void fill_with_ties(test_array *array, bool special) {
  hlo_type type = array->view.type;
  bool is_float = hlo_type_get_class(type) == HLO_CLASS_FLOAT;
  bool is_signed = is_float || hlo_type_get_class(type) == HLO_CLASS_SIGNED;
  for (int64_t i = 0; i < elements_of(array->view.rank, array->view.dims); i++) {
    double value = (double)(random_below(7) - (is_signed ? 3 : 0));
    if (special && is_float && value == 0) value = -0.0;
    if (special && is_float && random_below(8) == 0) value = NAN;
    set_value(type, element_number(&array->view, i), is_float && !special ? value / 3 : value);
  }
}

static void check_select(const window_case *c, const char *comparison) {
  test_array operand = make_array(c->type, c->rank, c->dims, random_layout());
  test_array source = make_array(c->type, c->rank, c->positions, random_layout());
  test_array initial = make_array(c->type, 0, NULL, ROW_MAJOR), results[2];
  bool done = false;
  fill_with_ties(&operand, true);
  fill_with_ties(&source, false);
  fill_with_ties(&initial, false);
  const hlo_view operands[3] = {operand.view, source.view, initial.view};
  for (int by_rows = 0; by_rows < 2; by_rows++) {
    hlo_module *module = make_select(c, comparison, by_rows);
    const hlo_instruction *root = module->entry->root;
    const int64_t *fields;
    hlo_arena scratch = {0};
    hlo_error error = {0};
    hlo_evaluator evaluator = {.scratch = &scratch};
    results[by_rows] = make_array(c->type, c->rank, c->dims, (test_layout)random_below(REVERSED));
    const hlo_view *result = &results[by_rows].view;
    CHECK(hlo_window_read(root, c->rank, &fields, &error) == HLO_OK);
    hlo_view_fill(result, initial.view.data);
    CHECK(hlo_select_and_scatter_rows(&evaluator, root, fields, &operand.view, &source.view, result,
                                      &done, &error) == HLO_OK);
    CHECK(done == (by_rows == 1));
    if (!done) CHECK(hlo_evaluate(&evaluator, root, operands, result, &error) == HLO_OK);
    hlo_arena_free(&scratch);
    hlo_module_destroy(module);
  }
  int64_t wrong = 0, index[MOST] = {0};
  do wrong += !same_element(&results[1].view, index, element(&results[0].view, index));
  while (hlo_next_index(c->rank, c->dims, index));
  CHECK_MESSAGE(wrong == 0, "select by compare(%s and %s of %s, rank %d: %d are wrong", comparison,
                hlo_op_get(c->opcode)->name, hlo_type_name(c->type), c->rank, (int)wrong);
  for (int k = 0; k < 2; k++) {
    CHECK(gaps_untouched(&results[k]));
    free_array(&results[k]);
  }
  free_array(&operand);
  free_array(&source);
  free_array(&initial);
}

static void check_selections(void) {
  static const char *const comparisons[] = {
      "x, y), direction=GE", "x, y), direction=GT", "x, y), direction=LE", "x, y), direction=LT",
      "y, x), direction=GE", "y, x), direction=GT", "y, x), direction=LE", "y, x), direction=LT",
      "x, y), direction=EQ", "y, x), direction=NE"};
  static const hlo_type types[] = {HLO_F32, HLO_F64, HLO_BF16, HLO_F16, HLO_S8,
                                   HLO_S32, HLO_U16, HLO_U64,  HLO_S64, HLO_U8};
  static const hlo_opcode ops[] = {HLO_OP_ADD, HLO_OP_MAXIMUM, HLO_OP_MINIMUM, HLO_OP_MULTIPLY};
  for (int i = 0; i < 1200; i++) {
    window_case c = {.type = types[random_below(10)], .rank = 1 + (int32_t)random_below(MOST)};
    c.opcode = random_below(2) ? HLO_OP_ADD : ops[random_below(4)];
    for (int32_t d = 0; d < c.rank; d++) {
      window *w = &c.windows[d];
      do {
        *w = (window){1, 1, 0, 0, 1, 1};
        c.dims[d] = 1 + random_below(c.rank == 1 ? 80 : c.rank == 2 ? 20 : 7);
        if (random_below(3))
          *w = (window){1 + random_below(4),
                        1 + random_below(3),
                        random_below(4) - 1,
                        random_below(4) - 1,
                        1,
                        1};
        if (c.rank == 1 && random_below(4) == 0) w->size = 1 + random_below(40);
        c.positions[d] = positions_of(w, c.dims[d]);
      } while (c.positions[d] <= 0);
    }
    check_select(&c, comparisons[i % 10]);
  }
}

int main(void) {
  check_poolings();
  check_long_windows();
  check_cumulative();
  check_selections();
  for (int i = 0; i < 60; i++) {
    int64_t dims[3];
    int32_t rank = 1 + i % 3;
    for (int32_t d = 0; d < rank; d++)
      dims[d] = 1 + random_below(rank == 1 ? 3000 : rank == 2 ? 150 : 40);
    check_order(rank, dims, (int32_t)random_below(rank), i % 2);
  }
  check_order(2, (const int64_t[]){300, 500}, 0, false); // several parts
  check_order(2, (const int64_t[]){500, 300}, 1, true);
  return CHECK_RESULT();
}
