// Reduce against loops written out, over types, dimensions and layouts; that results do not depend
// on layouts, not even in their last bits; the order of combination; computations of every kind.
#include "eval_fixture.h"

#include "math/float_formats.h"

#include <math.h>

typedef struct reduce_case {
  int32_t rank, reduced_count, result_rank;
  int64_t dims[6], reduced[6], result_dims[6];
  bool is_reduced[6];
} reduce_case;

static reduce_case case_of(int32_t rank, const int64_t *dims, uint32_t reduced) {
  reduce_case c = {.rank = rank};
  for (int32_t i = 0; i < rank; i++) {
    c.dims[i] = dims[i];
    c.is_reduced[i] = reduced >> i & 1;
    if (!c.is_reduced[i]) c.result_dims[c.result_rank++] = dims[i];
  }
  for (int32_t i = rank - 1; i >= 0; i--) { // in any order
    if (c.is_reduced[i]) c.reduced[c.reduced_count++] = i;
  }
  return c;
}

static reduce_case random_case(int32_t most, int64_t largest) {
  int64_t dims[6];
  int32_t rank = (int32_t)random_below(most + 1);
  for (int32_t i = 0; i < rank; i++)
    dims[i] = random_below(20) == 0 ? 0 : 1 + random_below(largest);
  return case_of(rank, dims, (uint32_t)random_bits());
}

static bool evaluate_reduce(test_program *program, const reduce_case *c,
                            hlo_computation *computation, int32_t count, const hlo_view *operands,
                            const hlo_view *results) {
  hlo_attribute attributes[2] = {
      ints_attribute(program, HLO_ATTRIBUTE_DIMENSIONS, c->reduced_count, c->reduced)};
  hlo_attribute_make_computation(&program->module->arena, HLO_ATTRIBUTE_TO_APPLY, computation,
                                 &attributes[1], &program->error);
  return evaluate(program, HLO_OP_REDUCE, 2 * count, operands, results, 2, attributes);
}

// Calls visit for the elements of the operand that the result's element at `index` combines, in
// logical order.
typedef void visitor(void *context, const int64_t *index);
static void visit_reduced(const reduce_case *c, const int64_t *index, visitor *visit,
                          void *context) {
  int64_t at[6], sizes[6], step[6] = {0};
  int32_t kept = 0, count = 0, dimensions[6];
  for (int32_t i = 0; i < c->rank; i++) {
    if (!c->is_reduced[i]) {
      at[i] = index[kept++];
      continue;
    }
    sizes[count] = c->dims[i];
    dimensions[count++] = i;
    if (c->dims[i] == 0) return;
  }
  do {
    for (int32_t i = 0; i < count; i++) at[dimensions[i]] = step[i];
    visit(context, at);
  } while (hlo_next_index(count, sizes, step));
}

// --- single ops ---

typedef struct folding {
  const hlo_view *operand;
  hlo_opcode opcode;
  double value, im;
  int64_t exact;
} folding;

static void fold(void *context, const int64_t *index) {
  folding *f = context;
  hlo_number x = hlo_element_get(f->operand->type, element(f->operand, index));
  if (x.type_class == HLO_CLASS_UNSIGNED || x.type_class == HLO_CLASS_PRED) x.i = (int64_t)x.u;
  uint64_t a = (uint64_t)f->exact, b = (uint64_t)x.i;
  double re = f->value, im = f->im;
  switch (f->opcode) {
  case HLO_OP_ADD:
    f->value += x.re, f->im += x.im;
    f->exact = (int64_t)(a + b);
    break;
  case HLO_OP_MULTIPLY:
    f->value = x.type_class == HLO_CLASS_COMPLEX ? re * x.re - im * x.im : re * x.re;
    f->im = re * x.im + im * x.re;
    f->exact = (int64_t)(a * b);
    break;
  case HLO_OP_MAXIMUM:
    f->value = re != re || x.re != x.re ? NAN : fmax(re, x.re);
    f->exact = f->exact > x.i ? f->exact : x.i;
    break;
  case HLO_OP_MINIMUM:
    f->value = re != re || x.re != x.re ? NAN : fmin(re, x.re);
    f->exact = f->exact < x.i ? f->exact : x.i;
    break;
  case HLO_OP_AND:
    f->exact &= x.i;
    break;
  case HLO_OP_OR:
    f->exact |= x.i;
    break;
  default:
    f->exact ^= x.i;
    break;
  }
}

// Zeros of either sign are equal: signs of zeros in products of complex numbers depend on the
// order.
static bool equal_values(hlo_type type, const hlo_view *view, const int64_t *index,
                         const void *wanted) {
  if (!hlo_type_is_complex(type)) return false;
  hlo_number a = hlo_element_get(type, element(view, index)), b = hlo_element_get(type, wanted);
  return a.re == b.re && a.im == b.im;
}

static void check_op(hlo_opcode opcode, hlo_type type, const reduce_case *c, int64_t limit) {
  test_program program;
  start_program(&program);
  hlo_computation *computation = make_binary(&program, opcode, type);
  if (random_below(2)) { // parameters the other way round
    hlo_instruction *first = computation->root->operands[0];
    computation->root->operands[0] = computation->root->operands[1];
    computation->root->operands[1] = first;
  }
  test_array from = make_array(type, c->rank, c->dims, random_layout());
  test_array initial = make_array(type, 0, NULL, ROW_MAJOR);
  test_array to = make_array(type, c->result_rank, c->result_dims, random_layout());
  fill_small(&from, limit);
  fill_small(&initial, limit);
  hlo_view operands[2] = {from.view, initial.view};
  CHECK(evaluate_reduce(&program, c, computation, 1, operands, &to.view));
  int64_t count = elements_of(c->result_rank, c->result_dims);
  bool right = true;
  for (int64_t i = 0; i < count; i++) {
    int64_t index[6];
    index_of(c->result_rank, c->result_dims, i, index);
    hlo_number start = hlo_element_get(type, initial.view.data);
    bool is_unsigned = hlo_type_get_class(type) & (HLO_CLASS_UNSIGNED | HLO_CLASS_PRED);
    folding f = {&from.view, opcode, start.re, start.im, is_unsigned ? (int64_t)start.u : start.i};
    visit_reduced(c, index, fold, &f);
    hlo_number number = {.type_class = HLO_CLASS_SIGNED, .i = f.exact};
    if (hlo_type_is_float(type) || hlo_type_is_complex(type)) {
      number = (hlo_number){.type_class = HLO_CLASS_COMPLEX, .re = f.value, .im = f.im};
    }
    uint64_t wanted[2] = {0};
    hlo_element_set(type, wanted, number);
    if (!same_element(&to.view, index, wanted) && !equal_values(type, &to.view, index, wanted)) {
      right = false;
    }
  }
  CHECK_MESSAGE(right, "reduce of %s by %s", hlo_type_name(type), hlo_op_get(opcode)->name);
  CHECK(gaps_untouched(&to));
  free_array(&from), free_array(&initial), free_array(&to);
  end_program(&program);
}

static void test_ops(void) {
  static const hlo_type types[] = {HLO_PRED, HLO_S2,  HLO_S4,  HLO_S8,  HLO_U8,  HLO_S16,
                                   HLO_U32,  HLO_S32, HLO_S64, HLO_U64, HLO_F32, HLO_F64,
                                   HLO_BF16, HLO_F16, HLO_C64, HLO_C128};
  static const hlo_opcode ops[] = {HLO_OP_ADD, HLO_OP_MULTIPLY, HLO_OP_MAXIMUM, HLO_OP_MINIMUM,
                                   HLO_OP_AND, HLO_OP_OR,       HLO_OP_XOR};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    for (int o = 0; o < 7; o++) {
      if (hlo_pointwise_get(ops[o], types[t]) == NULL) continue;
      bool is_complex = hlo_type_is_complex(types[t]);
      if (is_complex && o >= 2) continue; // order of complex numbers: see compare
      for (int round = 0; round < 8; round++) {
        reduce_case c = random_case(6, 4);
        bool inexact =
            o == 1 && !hlo_type_is_integer(types[t]); // products of 0, 1 and -1 are exact
        check_op(ops[o], types[t], &c, inexact ? 2 : 4);
      }
    }
  }
}

// Sizes around blocks, tiles and partial results; every choice of dimensions.
static void test_sizes(void) {
  static const int64_t sizes[][3] = {{1, 1, 100}, {3, 33, 65},  {600, 2, 3},  {2, 1030, 3},
                                     {5, 40, 31}, {1100, 1, 2}, {2, 2, 1100}, {64, 64, 1}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    for (uint32_t reduced = 0; reduced < 8; reduced++) {
      reduce_case c = case_of(3, sizes[i], reduced);
      check_op(HLO_OP_ADD, HLO_F32, &c, 20);
      check_op(HLO_OP_ADD, HLO_S32, &c, 20);
      check_op(HLO_OP_MAXIMUM, HLO_BF16, &c, 20);
    }
  }
}

// --- bits under all layouts ---

static void check_layouts(hlo_type type, const reduce_case *c) {
  test_program program;
  start_program(&program);
  hlo_computation *computation = make_binary(&program, HLO_OP_ADD, type);
  test_array logical = make_array(type, c->rank, c->dims, ROW_MAJOR);
  test_array initial = make_array(type, 0, NULL, ROW_MAJOR);
  test_array wanted = make_array(type, c->result_rank, c->result_dims, ROW_MAJOR);
  int64_t elements = elements_of(c->rank, c->dims),
          count = elements_of(c->result_rank, c->result_dims);
  for (int64_t i = 0; i < elements; i++) {
    hlo_number number = {
        .type_class = HLO_CLASS_FLOAT,
        .re = ldexp((double)random_below(1 << 20) - (1 << 19), -(int)random_below(20))};
    hlo_element_set(type, element_number(&logical.view, i), number);
  }
  set_small(type, initial.memory, 1);
  hlo_view operands[2] = {logical.view, initial.view};
  CHECK(evaluate_reduce(&program, c, computation, 1, operands, &wanted.view));
  for (int layout = 0; layout < 3 * TEST_LAYOUTS; layout++) {
    test_array from = make_array(type, c->rank, c->dims, (test_layout)(layout % TEST_LAYOUTS));
    test_array to = make_array(type, c->result_rank, c->result_dims, random_layout());
    hlo_view_copy(&from.view, &logical.view);
    operands[0] = from.view;
    CHECK(evaluate_reduce(&program, c, computation, 1, operands, &to.view));
    bool same = true;
    for (int64_t i = 0; i < count; i++) {
      int64_t index[6];
      index_of(c->result_rank, c->result_dims, i, index);
      if (!same_element(&to.view, index, element(&wanted.view, index))) same = false;
    }
    CHECK_MESSAGE(same, "the sum of %s depends on the layout", hlo_type_name(type));
    free_array(&from), free_array(&to);
  }
  free_array(&logical), free_array(&initial), free_array(&wanted);
  end_program(&program);
}

static void test_layouts(void) {
  static const int64_t sizes[][3] = {{40, 50, 3}, {3, 70, 20}, {100, 1, 90}};
  for (int i = 0; i < 3; i++) {
    for (uint32_t reduced = 1; reduced < 8; reduced++) {
      reduce_case c = case_of(3, sizes[i], reduced);
      check_layouts(HLO_F32, &c);
      check_layouts(HLO_F16, &c);
    }
  }
}

// --- values ---

// Sums `count` copies of an element by add.
static void sum_of(hlo_type type, const void *value, int64_t count, const void *initial,
                   void *result) {
  test_program program;
  start_program(&program);
  reduce_case c = case_of(1, &count, 1);
  hlo_view operands[2] = {
      {.type = type, .rank = 1, .dims = {count}, .strides = {0}, .data = (void *)value},
      {.type = type, .data = (void *)initial}};
  hlo_view to = {.type = type, .data = result};
  CHECK(evaluate_reduce(&program, &c, make_binary(&program, HLO_OP_ADD, type), 1, operands, &to));
  end_program(&program);
}

static void test_values(void) {
  float zero = 0, minus_zero = -0.0f, tenth = 0.1f, total;
  sum_of(HLO_F32, &minus_zero, 100, &minus_zero, &total);
  CHECK(total == 0 && signbit(total));
  sum_of(HLO_F32, &minus_zero, 100, &zero, &total);
  CHECK(total == 0 && !signbit(total));
  sum_of(HLO_F32, &tenth, 0, &tenth, &total);
  CHECK(total == tenth);
  sum_of(HLO_F32, &tenth, 1000000, &zero, &total);
  CHECK_MESSAGE(fabs(total - 1e5) < 0.5, "a million tenths are %.9g",
                total); // one running sum in f32 gives 100958
  uint16_t one = hlo_f32_to_f16(1), none = 0, sum;
  sum_of(HLO_F16, &one, 5000, &none, &sum); // one running sum in f16 ends at 2048
  CHECK(hlo_f16_to_f32(sum) == 5000);
  uint8_t f8_one = hlo_f32_to_f8e5m2(1), f8_none = 0, f8_sum;
  sum_of(HLO_F8E5M2, &f8_one, 64, &f8_none, &f8_sum); // two running sums, which end at 8
  CHECK(hlo_f8e5m2_to_f32(f8_sum) == 16);
}

// --- any computation ---

// (value, index) pairs: the larger value, the smaller index among equal ones; NaN wins. As JAX
// writes its argmax.
static hlo_computation *make_argmax(test_program *program) {
  const hlo_shape *f = hlo_shape_scalar(HLO_F32), *s = hlo_shape_scalar(HLO_S32),
                  *p = hlo_shape_scalar(HLO_PRED);
  hlo_computation *c = NULL;
  hlo_instruction *q[4];
  CHECK(hlo_computation_create(program->module, "argmax", &c, &program->error) == HLO_OK);
  for (int i = 0; i < 4; i++) {
    q[i] = add_instruction(program, c, HLO_OP_PARAMETER, i % 2 ? s : f, 0, NULL, 0, NULL);
    q[i]->parameter_number = i;
  }
  hlo_attribute gt = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, "GT"),
                ne = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, "NE");
  hlo_attribute eq = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, "EQ"),
                lt = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, "LT");
#define ADD(opcode, shape, attribute, ...)                                                         \
  add_instruction(program, c, opcode, shape,                                                       \
                  sizeof((hlo_instruction *[]){__VA_ARGS__}) / sizeof(hlo_instruction *),          \
                  (hlo_instruction *[]){__VA_ARGS__}, (attribute) != NULL, attribute)
  hlo_instruction *greater = ADD(HLO_OP_COMPARE, p, &gt, q[0], q[2]),
                  *nan = ADD(HLO_OP_COMPARE, p, &ne, q[0], q[0]);
  hlo_instruction *first = ADD(HLO_OP_OR, p, (hlo_attribute *)NULL, greater, nan);
  hlo_instruction *equal = ADD(HLO_OP_COMPARE, p, &eq, q[0], q[2]),
                  *earlier = ADD(HLO_OP_COMPARE, p, &lt, q[1], q[3]);
  hlo_instruction *tie = ADD(HLO_OP_AND, p, (hlo_attribute *)NULL, equal, earlier),
                  *index_first = ADD(HLO_OP_OR, p, (hlo_attribute *)NULL, first, tie);
  hlo_instruction *value = ADD(HLO_OP_SELECT, f, (hlo_attribute *)NULL, first, q[0], q[2]),
                  *index = ADD(HLO_OP_SELECT, s, (hlo_attribute *)NULL, index_first, q[1], q[3]);
  const hlo_shape *shapes[] = {f, s}, *pair = NULL;
  CHECK(hlo_shape_make_tuple(&program->module->arena, 2, shapes, &pair, &program->error) == HLO_OK);
  c->root = ADD(HLO_OP_TUPLE, pair, (hlo_attribute *)NULL, value, index);
#undef ADD
  CHECK(hlo_computation_collect_parameters(c, &program->error) == HLO_OK);
  return c;
}

typedef struct best {
  const hlo_view *values;
  float value;
  int32_t index, count;
} best;

static void find_best(void *context, const int64_t *index) {
  best *b = context;
  float value;
  memcpy(&value, element(b->values, index), 4);
  if (!(b->value > value || b->value != b->value)) {
    if (value > b->value || value != value) b->index = b->count, b->value = value;
  }
  b->count++;
}

static void check_argmax(const reduce_case *c) {
  test_program program;
  start_program(&program);
  hlo_computation *argmax = make_argmax(&program);
  test_array values = make_array(HLO_F32, c->rank, c->dims, random_layout()),
             numbers = make_array(HLO_S32, c->rank, c->dims, random_layout());
  test_array low = make_array(HLO_F32, 0, NULL, ROW_MAJOR),
             none = make_array(HLO_S32, 0, NULL, ROW_MAJOR);
  test_array value = make_array(HLO_F32, c->result_rank, c->result_dims, random_layout()),
             number = make_array(HLO_S32, c->result_rank, c->result_dims, random_layout());
  fill_small(&values, random_below(2) ? 6 : 1000);
  float lowest = -INFINITY, nan = NAN;
  memcpy(low.memory, &lowest, 4), memset(none.memory, 0, 4);
  int64_t elements = elements_of(c->rank, c->dims),
          count = elements_of(c->result_rank, c->result_dims);
  if (elements > 3 && random_below(3) == 0)
    memcpy(element_number(&values.view, elements / 2), &nan, 4);
  // Numbers count along the reduced dimensions.
  for (int64_t i = 0; i < elements; i++) {
    int64_t index[6], k = 0;
    index_of(c->rank, c->dims, i, index);
    for (int32_t d = 0; d < c->rank; d++) {
      if (c->is_reduced[d]) k = k * c->dims[d] + index[d];
    }
    set_small(HLO_S32, element(&numbers.view, index), k);
  }
  hlo_view operands[4] = {values.view, numbers.view, low.view, none.view},
           results[2] = {value.view, number.view};
  // The instruction's shape is a tuple in real programs; the evaluator takes views per leaf.
  CHECK(evaluate_reduce(&program, c, argmax, 2, operands, results));
  bool right = true;
  for (int64_t i = 0; i < count; i++) {
    int64_t index[6];
    index_of(c->result_rank, c->result_dims, i, index);
    best b = {&values.view, -INFINITY, 0, 0};
    visit_reduced(c, index, find_best, &b);
    bool same_value = b.value != b.value || same_element(&value.view, index, &b.value);
    if (!same_value || !same_element(&number.view, index, &b.index)) right = false;
  }
  CHECK_MESSAGE(right, "argmax");
  CHECK(gaps_untouched(&value));
  CHECK(gaps_untouched(&number));
  free_array(&values), free_array(&numbers), free_array(&low), free_array(&none),
      free_array(&value), free_array(&number);
  end_program(&program);
}

static void test_argmax(void) {
  for (int round = 0; round < 60; round++) {
    reduce_case c = random_case(5, 5);
    check_argmax(&c);
  }
  static const int64_t sizes[][3] = {{1, 1, 5003}, {1, 5003, 1}, {3, 2003, 2}, {2000, 1, 3},
                                     {2, 3, 1500}, {70, 11, 13}, {1200, 5, 1}};
  for (int i = 0; i < 7; i++) {
    for (uint32_t reduced = 0; reduced < 8; reduced++) {
      reduce_case c = case_of(3, sizes[i], reduced);
      check_argmax(&c);
    }
  }
}

// Associative but not commutative: "the second one" gives the last element, "the first one, unless
// it is the initial value" the first element, in logical order under every layout.
static void test_order(void) {
  static const int64_t sizes[][3] = {
      {2, 3, 4}, {1, 1, 5003}, {5, 701, 2}, {3001, 2, 1}, {40, 50, 60}};
  for (int i = 0; i < 5; i++) {
    for (uint32_t reduced = 1; reduced < 8; reduced++) {
      for (int first = 0; first < 2; first++) {
        reduce_case c = case_of(3, sizes[i], reduced);
        test_program program;
        start_program(&program);
        hlo_computation *computation = NULL;
        hlo_instruction *p[2];
        CHECK(hlo_computation_create(program.module, "pick", &computation, &program.error) ==
              HLO_OK);
        for (int j = 0; j < 2; j++) {
          p[j] = add_instruction(&program, computation, HLO_OP_PARAMETER, hlo_shape_scalar(HLO_S32),
                                 0, NULL, 0, NULL);
          p[j]->parameter_number = j;
        }
        computation->root = p[1];
        if (first) { // p0 == 0 ? p1 : p0, with a zero that is an instruction
          hlo_instruction *zero =
              add_instruction(&program, computation, HLO_OP_SUBTRACT, hlo_shape_scalar(HLO_S32), 2,
                              (hlo_instruction *[]){p[0], p[0]}, 0, NULL);
          hlo_attribute eq = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, "EQ");
          hlo_instruction *is_zero =
              add_instruction(&program, computation, HLO_OP_COMPARE, hlo_shape_scalar(HLO_PRED), 2,
                              (hlo_instruction *[]){p[0], zero}, 1, &eq);
          computation->root =
              add_instruction(&program, computation, HLO_OP_SELECT, hlo_shape_scalar(HLO_S32), 3,
                              (hlo_instruction *[]){is_zero, p[1], p[0]}, 0, NULL);
        }
        CHECK(hlo_computation_collect_parameters(computation, &program.error) == HLO_OK);
        test_array from = make_array(HLO_S32, 3, c.dims, random_layout()),
                   initial = make_array(HLO_S32, 0, NULL, ROW_MAJOR);
        test_array to = make_array(HLO_S32, c.result_rank, c.result_dims, random_layout());
        int64_t elements = elements_of(3, c.dims),
                count = elements_of(c.result_rank, c.result_dims);
        for (int64_t j = 0; j < elements; j++)
          set_small(HLO_S32, element_number(&from.view, j), j + 1);
        memset(initial.memory, 0, 4);
        hlo_view operands[2] = {from.view, initial.view};
        CHECK(evaluate_reduce(&program, &c, computation, 1, operands, &to.view));
        bool right = true;
        for (int64_t j = 0; j < count; j++) {
          int64_t index[3], at[3];
          int32_t kept = 0;
          index_of(c.result_rank, c.result_dims, j, index);
          for (int32_t d = 0; d < 3; d++)
            at[d] = !c.is_reduced[d] ? index[kept++] : first ? 0 : c.dims[d] - 1;
          if (!same_element(&to.view, index, element(&from.view, at))) right = false;
        }
        CHECK_MESSAGE(right, "the %s element of case %d, dimensions %u", first ? "first" : "last",
                      i, reduced);
        free_array(&from), free_array(&initial), free_array(&to);
        end_program(&program);
      }
    }
  }
}

// An initial value that changes the result counts once, however many segments there are.
static void test_initial_value(void) {
  static const int64_t sizes[][3] = {{1, 1, 5003}, {2, 1201, 3}, {3001, 1, 2}};
  for (int i = 0; i < 3; i++) {
    for (uint32_t reduced = 1; reduced < 8; reduced++) {
      reduce_case c = case_of(3, sizes[i], reduced);
      test_program program;
      start_program(&program);
      hlo_computation *computation = make_binary(&program, HLO_OP_SUBTRACT, HLO_S32);
      hlo_instruction *negated = // p0 - -p1
          add_instruction(&program, computation, HLO_OP_NEGATE, hlo_shape_scalar(HLO_S32), 1,
                          &computation->parameters[1], 0, NULL);
      computation->root =
          add_instruction(&program, computation, HLO_OP_SUBTRACT, hlo_shape_scalar(HLO_S32), 2,
                          (hlo_instruction *[]){computation->parameters[0], negated}, 0, NULL);
      test_array from = make_array(HLO_S32, 3, c.dims, random_layout()),
                 initial = make_array(HLO_S32, 0, NULL, ROW_MAJOR);
      test_array to = make_array(HLO_S32, c.result_rank, c.result_dims, random_layout());
      fill_small(&from, 1000), set_small(HLO_S32, initial.memory, 1000000);
      hlo_view operands[2] = {from.view, initial.view};
      CHECK(evaluate_reduce(&program, &c, computation, 1, operands, &to.view));
      int64_t count = elements_of(c.result_rank, c.result_dims);
      bool right = true;
      for (int64_t j = 0; j < count; j++) {
        int64_t index[3];
        index_of(c.result_rank, c.result_dims, j, index);
        folding f = {&from.view, HLO_OP_ADD, 0, 0, 1000000};
        visit_reduced(&c, index, fold, &f);
        int32_t wanted = (int32_t)f.exact;
        if (!same_element(&to.view, index, &wanted)) right = false;
      }
      CHECK_MESSAGE(right, "sum with an initial value, case %d, dimensions %u", i, reduced);
      free_array(&from), free_array(&initial), free_array(&to);
      end_program(&program);
    }
  }
}

// --- computations that only the host can run ---

static int64_t host_calls;

static hlo_status add_on_host(void *host, const hlo_computation *computation,
                              int32_t argument_count, const hlo_view *arguments,
                              int32_t result_count, const hlo_view *results, hlo_error *error) {
  host_calls++;
  CHECK(computation->parameter_count == 2 && argument_count == 2 && result_count == 1);
  CHECK(arguments[0].type == HLO_S32 && arguments[0].rank == 0 && results[0].rank == 0);
  if (host_calls == *(int64_t *)host)
    return hlo_fail(error, HLO_RUNTIME_ERROR, "the host gives up");
  int32_t a, b, total;
  memcpy(&a, arguments[0].data, 4), memcpy(&b, arguments[1].data, 4);
  total = a + b;
  memcpy(results[0].data, &total, 4);
  return HLO_OK;
}

static void test_host_computation(void) {
  int64_t give_up_at = 0;
  static const int64_t dims[] = {3, 4, 2};
  reduce_case c = case_of(3, dims, 2);
  test_program program;
  start_program(&program);
  program.evaluator.call = add_on_host, program.evaluator.host = &give_up_at;
  hlo_computation *plain = make_binary(&program, HLO_OP_ADD, HLO_S32),
                  *calling = make_binary(&program, HLO_OP_ADD, HLO_S32);
  hlo_attribute to_apply;
  hlo_attribute_make_computation(&program.module->arena, HLO_ATTRIBUTE_TO_APPLY, plain, &to_apply,
                                 &program.error);
  calling->root = add_instruction(&program, calling, HLO_OP_CALL, hlo_shape_scalar(HLO_S32), 2,
                                  calling->parameters, 1, &to_apply);
  test_array from = make_array(HLO_S32, 3, dims, SHUFFLED),
             initial = make_array(HLO_S32, 0, NULL, ROW_MAJOR),
             to = make_array(HLO_S32, 2, c.result_dims, PADDED);
  fill_small(&from, 50), set_small(HLO_S32, initial.memory, 7);
  hlo_view operands[2] = {from.view, initial.view};
  CHECK(evaluate_reduce(&program, &c, calling, 1, operands, &to.view));
  CHECK(host_calls == 24);
  for (int64_t i = 0; i < 3; i++) {
    for (int64_t j = 0; j < 2; j++) {
      int32_t total = 7, x;
      for (int64_t k = 0; k < 4; k++)
        memcpy(&x, element(&from.view, (int64_t[]){i, k, j}), 4), total += x;
      CHECK(same_element(&to.view, (int64_t[]){i, j}, &total));
    }
  }
  host_calls = 0, give_up_at = 5;
  CHECK(!evaluate_reduce(&program, &c, calling, 1, operands, &to.view));
  CHECK(host_calls == 5 && program.error.status == HLO_RUNTIME_ERROR);
  hlo_error_clear(&program.error);
  program.evaluator.call = NULL;
  CHECK(!evaluate_reduce(&program, &c, calling, 1, operands, &to.view));
  CHECK(program.error.status == HLO_UNSUPPORTED);
  hlo_error_clear(&program.error);
  free_array(&from), free_array(&initial), free_array(&to);
  end_program(&program);
}

int main(void) {
  test_ops();
  test_sizes();
  test_layouts();
  test_values();
  test_argmax();
  test_order();
  test_initial_value();
  test_host_computation();
  return CHECK_RESULT();
}
