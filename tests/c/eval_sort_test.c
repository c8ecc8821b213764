// Sort by keys against sort by merging, bit by bit: comparators of every form that comes down to
// keys and some that only look like it, over types, lengths, layouts, and values with many ties,
// zeros of both signs and NaN. Merging itself is tested by the op cases.
#include "eval_fixture.h"

#include "kernels/order/order_keys.h"
#include "kernels/order/sort.h"
#include "kernels/simd/kernels.h"
#include "text/text.h"

#include <math.h>
#include <stdio.h>

enum { MAX_COLUMNS = 3, TEXT = 4096 };

// Parameters are named p0, p1, …; T stands for the type of the first column.
typedef struct comparator {
  const char *name, *body;
  int32_t columns, keys; // keys: how many are found
  bool floats_only;
} comparator;

#define HALF(i)                                                                                    \
  "z" #i " = pred[] compare(p" #i ", zero), direction=EQ\n"                                        \
  "a" #i " = T[] select(z" #i ", zero, p" #i ")\n"                                                 \
  "n" #i " = pred[] compare(p" #i ", p" #i "), direction=NE\n"                                     \
  "b" #i " = T[] select(n" #i ", last, a" #i ")\n"
#define HALVES "zero = T[] constant(0)\nlast = T[] constant(nan)\n" HALF(0) HALF(1)
#define TIE(rest)                                                                                  \
  "lt = pred[] compare(p0, p1), direction=LT\neq = pred[] compare(p0, p1), direction=EQ\n" rest    \
  "both = pred[] and(eq, next)\nROOT r = pred[] or(lt, both)\n"

static const comparator comparators[] = {
    {"less", "ROOT r = pred[] compare(p0, p1), direction=LT\n", 1, 1, false},
    {"greater", "ROOT r = pred[] compare(p0, p1), direction=GT\n", 1, 1, false},
    {"swapped", "ROOT r = pred[] compare(p1, p0), direction=LT\n", 1, 1, false},
    {"swapped twice", "ROOT r = pred[] compare(p1, p0), direction=GT\n", 2, 1, false},
    {"second column", "ROOT r = pred[] compare(p3, p2), direction=GT\n", 2, 1, false},
    {"total order", "ROOT r = pred[] compare(p0, p1), direction=LT, type=TOTALORDER\n", 1, 1, true},
    {"total order down", "ROOT r = pred[] compare(p0, p1), direction=GT, type=TOTALORDER\n", 3, 1,
     true},
    {"jax", HALVES "ROOT r = pred[] compare(b0, b1), direction=LT, type=TOTALORDER\n", 1, 1, true},
    {"jax pairs", HALVES "ROOT r = pred[] compare(b0, b1), direction=LT, type=TOTALORDER\n", 2, 1,
     true},
    {"jax halves that differ",
     "zero = T[] constant(0)\nlast = T[] constant(nan)\n" HALF(
         0) "ROOT r = pred[] compare(b0, p1), direction=LT, type=TOTALORDER\n",
     1, 0, true},
    {"two keys", TIE("next = pred[] compare(p2, p3), direction=GT\n"), 2, 2, false},
    {"three keys",
     TIE("gt = pred[] compare(p2, p3), direction=GT\ne2 = pred[] compare(p3, p2), direction=EQ\n"
         "l3 = pred[] compare(p4, p5), direction=LT\nb2 = pred[] and(l3, e2)\nnext = pred[] or(b2, "
         "gt)\n"),
     3, 3, false},
    {"a tie of others",
     "lt = pred[] compare(p0, p1), direction=LT\neq = pred[] compare(p2, p3), direction=EQ\n"
     "next = pred[] compare(p2, p3), direction=GT\nboth = pred[] and(eq, next)\nROOT r = pred[] "
     "or(lt, both)\n",
     2, 0, false},
    {"negated",
     "n0 = T[] negate(p0)\nn1 = T[] negate(p1)\nROOT r = pred[] compare(n0, n1), direction=LT\n", 1,
     1, true},
    {"sums",
     "s0 = T[] add(p0, p0)\ns1 = T[] add(p1, p1)\nROOT r = pred[] compare(s0, s1), direction=LT\n",
     2, 1, true},
    {"crossed",
     "s0 = T[] add(p0, p1)\ns1 = T[] add(p1, p0)\nROOT r = pred[] compare(s0, s1), direction=LT\n",
     1, 0, true},
    {"unequal constants",
     "c = T[] constant(1)\nd = T[] constant(2)\ns0 = T[] add(p0, c)\ns1 = T[] add(p1, d)\n"
     "ROOT r = pred[] compare(s0, s1), direction=LT\n",
     1, 0, true},
    {"at most", "ROOT r = pred[] compare(p0, p1), direction=LE\n", 1, 0, false},
    {"constant", "ROOT r = pred[] constant(false)\n", 1, 0, false},
};

static const hlo_type types[] = {
    HLO_F32, HLO_F64, HLO_BF16, HLO_F16, HLO_F8E4M3FN, HLO_F8E5M2, HLO_S32,
    HLO_U32, HLO_S64, HLO_U64,  HLO_S8,  HLO_U8,       HLO_S16,    HLO_U16,
    HLO_S4,  HLO_U4,  HLO_PRED, HLO_F32, HLO_F32,      HLO_F8E3M4, HLO_F4E2M1FN};
enum {
  TYPES = sizeof types / sizeof *types,
  COMPARATORS = sizeof comparators / sizeof *comparators
};

static void append(char *text, const char *more, const char *type) {
  size_t at = strlen(text);
  for (; *more != 0; more++) {
    const char *piece = *more == 'T' && more[1] == '[' ? type : (const char[]){*more, 0};
    for (; *piece != 0 && at + 1 < TEXT; piece++) text[at++] = *piece;
  }
  text[at] = 0;
}

// The sort of a program with that comparator, over operands of these types and dims.
static hlo_module *make_module(const comparator *c, const hlo_view *operands, int64_t dimension,
                               hlo_instruction **sort) {
  char text[TEXT] = "HloModule m\norder {\n", line[400], dims[100] = "";
  hlo_error error = {0};
  hlo_module *module = NULL;
  const char *type = hlo_type_name(operands[0].type);
  for (int32_t d = 0; d < operands[0].rank; d++)
    snprintf(dims + strlen(dims), 20, d == 0 ? "%d" : ",%d", (int)operands[0].dims[d]);
  for (int32_t i = 0; i < 2 * c->columns; i++) {
    snprintf(line, sizeof line, "p%d = %s[] parameter(%d)\n", i,
             hlo_type_name(operands[i / 2].type), i);
    append(text, line, type);
  }
  append(text, c->body, type);
  append(text, "}\nENTRY main {\n", type);
  char shapes[200] = "", names[100] = "";
  for (int32_t k = 0; k < c->columns; k++) {
    const char *name = hlo_type_name(operands[k].type);
    snprintf(line, sizeof line, "o%d = %s[%s] parameter(%d)\n", k, name, dims, k);
    append(text, line, type);
    snprintf(shapes + strlen(shapes), 60, k == 0 ? "%s[%s]" : ", %s[%s]", name, dims);
    snprintf(names + strlen(names), 20, k == 0 ? "o%d" : ", o%d", k);
  }
  snprintf(line, sizeof line, c->columns > 1 ? "ROOT s = (%s) sort(%s)" : "ROOT s = %s sort(%s)",
           shapes, names);
  append(text, line, type);
  snprintf(line, sizeof line, ", dimensions={%d}, to_apply=order\n}\n", (int)dimension);
  append(text, line, type);
  hlo_status status = hlo_parse_hlo(text, strlen(text), &module, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s: %s\n%s", c->name, error.message, text);
  *sort = status == HLO_OK ? module->entry->root : NULL;
  return module;
}

// Values with ties, extremes and, where the type has them, zeros of both signs and some NaN.
static void fill(test_array *array, bool nan, int64_t limit) {
  static const double special[] = {0.0, -0.0, INFINITY, -INFINITY};
  hlo_type type = array->view.type;
  int64_t count = elements_of(array->view.rank, array->view.dims);
  if (limit == 0) fill_random(array); // all bits: NaN of every kind
  else fill_small(array, limit);
  for (int64_t i = 0; i < count && hlo_type_get_class(type) == HLO_CLASS_FLOAT; i++) {
    void *at = element_number(&array->view, i);
    if (random_below(16) == 0)
      hlo_element_set(type, at, (hlo_number){HLO_CLASS_FLOAT, .re = special[random_below(4)]});
    hlo_number x = hlo_element_get(type, at);
    if (!nan && x.re != x.re)
      hlo_element_set(type, at, (hlo_number){HLO_CLASS_FLOAT, .re = (double)(i % 9)});
  }
}

static void check(const comparator *c, hlo_type type, int32_t rank, const int64_t *dims, bool nan,
                  int64_t limit) {
  test_array operands[MAX_COLUMNS], merged[MAX_COLUMNS], sorted[MAX_COLUMNS];
  hlo_view in[MAX_COLUMNS], by_merging[MAX_COLUMNS], by_keys[MAX_COLUMNS];
  int64_t dimension = random_below(rank);
  for (int32_t k = 0; k < c->columns; k++) {
    hlo_type of = k == 0 ? type : types[random_below(TYPES)];
    operands[k] = make_array(of, rank, dims, random_layout());
    merged[k] = make_array(of, rank, dims, random_layout());
    sorted[k] = make_array(of, rank, dims, random_layout());
    fill(&operands[k], nan, k == 0 && c->keys > 1 ? 3 : limit);
    in[k] = operands[k].view, by_merging[k] = merged[k].view, by_keys[k] = sorted[k].view;
  }
  hlo_instruction *sort;
  hlo_module *module = make_module(c, in, dimension, &sort);
  hlo_arena scratch = {0};
  hlo_error error = {0};
  hlo_evaluator evaluator = {.scratch = &scratch};
  if (sort != NULL) {
    hlo_sort_key keys[HLO_SORT_MAX_KEYS];
    const hlo_computation *order = hlo_get_computation(sort, HLO_ATTRIBUTE_TO_APPLY);
    int32_t found = hlo_sort_keys_match(order, &scratch, keys);
    CHECK_MESSAGE(found == c->keys, "%s: %d keys", c->name, found);
    CHECK(hlo_evaluate(&evaluator, sort, in, by_merging, &error) == HLO_OK);
    evaluator.backend = hlo_kernels_backend();
    CHECK(hlo_evaluate(&evaluator, sort, in, by_keys, &error) == HLO_OK);
    for (int32_t k = 0; k < c->columns; k++) {
      int64_t different = 0;
      for (int64_t i = 0; i < elements_of(rank, dims); i++) {
        different += memcmp(element_number(&by_merging[k], i), element_number(&by_keys[k], i),
                            (size_t)hlo_type_bytes(in[k].type)) != 0;
      }
      CHECK_MESSAGE(different == 0, "%s of %s: %d of column %d differ", c->name,
                    hlo_type_name(type), (int)different, k);
      CHECK(gaps_untouched(&sorted[k]));
    }
  }
  for (int32_t k = 0; k < c->columns; k++)
    free_array(&operands[k]), free_array(&merged[k]), free_array(&sorted[k]);
  hlo_arena_free(&scratch);
  hlo_module_destroy(module);
}

static void check_random(void) {
  for (int i = 0; i < 1500; i++) {
    const comparator *c = &comparators[i % COMPARATORS];
    hlo_type type = types[random_below(TYPES)];
    bool is_float = hlo_type_get_class(type) == HLO_CLASS_FLOAT && type != HLO_F4E2M1FN;
    if (c->floats_only && !is_float) type = i % 2 ? HLO_F32 : HLO_F64;
    int64_t dims[3];
    int32_t rank = 1 + (int32_t)random_below(3);
    for (int32_t d = 0; d < rank; d++) dims[d] = 1 + random_below(rank == 1 ? 300 : 9);
    if (rank == 2 && i % 3 == 0) dims[random_below(2)] = 1 + random_below(200);
    check(c, type, rank, dims, random_below(3) == 0, random_below(2) ? 0 : 1 + random_below(6));
  }
}

static void check_long(void) {
  for (int i = 0; i < 6; i++) {
    check(&comparators[i], i % 2 ? HLO_F64 : HLO_F32, 1, (const int64_t[]){40000 + i}, false, 0);
    check(&comparators[i], HLO_F32, 2, (const int64_t[]){30, 2000}, i % 2, 0);
  }
}

// Keys say what comparing says.
static void check_order_keys(void) {
  for (int i = 0; i < TYPES; i++) {
    hlo_type type = types[i];
    int64_t n = 100;
    test_array a = make_array(type, 1, &n, ROW_MAJOR);
    uint32_t narrow[100] = {0};
    uint64_t wide[100] = {0};
    fill(&a, false, i % 2 ? 5 : 0);
    if (hlo_order_key_bits(type) == 32) hlo_order_keys_32(type, a.view.data, n, narrow);
    else hlo_order_keys_64(type, a.view.data, n, wide);
    for (int64_t k = 0; k < n * n; k++) {
      int64_t x = k / n, y = k % n;
      const void *ex = element(&a.view, &x), *ey = element(&a.view, &y);
      bool keys_less = narrow[x] < narrow[y] || wide[x] < wide[y];
      bool less = as_double(type, ex) < as_double(type, ey);
      if (type == HLO_S64) less = *(const int64_t *)ex < *(const int64_t *)ey;
      if (type == HLO_U64) less = *(const uint64_t *)ex < *(const uint64_t *)ey;
      bool zeros = as_double(type, ex) == 0 && as_double(type, ey) == 0;
      CHECK_MESSAGE(less == keys_less || zeros, "%s", hlo_type_name(type));
    }
    if (hlo_type_bits(type) == 32) {
      uint32_t back[100];
      hlo_order_keys_undo_32(type, narrow, n, back);
      CHECK(memcmp(back, a.view.data, sizeof back) == 0);
    }
    free_array(&a);
  }
}

// The k best of each row against the best one that is left, k times: few and many of short rows,
// which are taken several at a time, and of long ones.
static void check_top_k(hlo_type type, int64_t rows, int64_t length, int64_t k, bool largest) {
  test_program program;
  start_program(&program);
  test_array operand = make_array(type, 2, (const int64_t[]){rows, length}, random_layout());
  test_array values = make_array(type, 2, (const int64_t[]){rows, k}, random_layout());
  test_array indices = make_array(HLO_S32, 2, (const int64_t[]){rows, k}, random_layout());
  fill(&operand, true, 50);
  hlo_view results[] = {values.view, indices.view};
  const hlo_shape *shapes[] = {shape_of(&program, &values.view), shape_of(&program, &indices.view)};
  const hlo_shape *shape = NULL;
  CHECK(hlo_shape_make_tuple(&program.module->arena, 2, shapes, &shape, &program.error) == HLO_OK);
  hlo_attribute attributes[] = {hlo_attribute_make_int(HLO_ATTRIBUTE_K, k),
                                hlo_attribute_make_int(HLO_ATTRIBUTE_LARGEST, largest)};
  hlo_instruction *parameter = add_instruction(&program, program.computation, HLO_OP_PARAMETER,
                                               shape_of(&program, &operand.view), 0, NULL, 0, NULL);
  hlo_instruction *x = add_instruction(&program, program.computation, HLO_OP_TOPK, shape, 1,
                                       &parameter, 2, attributes);
  CHECK(hlo_evaluate(&program.evaluator, x, &operand.view, results, &program.error) == HLO_OK);
  bool is_wide = hlo_order_key_bits(type) == 64, right = true;
  for (int64_t row = 0; row < rows; row++) {
    uint64_t keys[400];
    bool taken[400] = {false};
    for (int64_t i = 0; i < length; i++) {
      uint32_t narrow = 0;
      const void *at = element(&operand.view, (const int64_t[]){row, i});
      if (is_wide) hlo_order_keys_64(type, at, 1, &keys[i]);
      else hlo_order_keys_32(type, at, 1, &narrow), keys[i] = narrow;
    }
    for (int64_t j = 0; j < k; j++) {
      int64_t best = -1;
      for (int64_t i = 0; i < length; i++) {
        if (taken[i]) continue;
        if (best < 0 || (largest ? keys[i] > keys[best] : keys[i] < keys[best])) best = i;
      }
      taken[best] = true;
      int32_t index = (int32_t)best;
      right = right && same_element(&indices.view, (const int64_t[]){row, j}, &index) &&
              same_element(&values.view, (const int64_t[]){row, j},
                           element(&operand.view, (const int64_t[]){row, best}));
    }
  }
  CHECK_MESSAGE(right, "%lld of %lld rows of %lld of %s", (long long)k, (long long)rows,
                (long long)length, hlo_type_name(type));
  CHECK(gaps_untouched(&values) && gaps_untouched(&indices));
  free_array(&operand), free_array(&values), free_array(&indices);
  end_program(&program);
}

static void check_top_k_of_rows(void) {
  static const int64_t lengths[] = {1, 5, 17, 40, 399}, ks[] = {1, 2, 8, 16, 17, 40, 399};
  for (int32_t i = 0; i < 5 * 7 * 2 * 2; i++) {
    int64_t length = lengths[i % 5], k = ks[i / 5 % 7];
    if (k > length) continue;
    check_top_k(types[random_below(TYPES)], i / 70 == 0 ? 3 : 1500, length, k, i / 35 % 2 == 0);
  }
}

int main(void) {
  check_top_k_of_rows();
  check_order_keys();
  check_random();
  check_long();
  return CHECK_RESULT();
}
