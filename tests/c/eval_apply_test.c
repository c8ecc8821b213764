// Scalar computations over lanes, and Map: vector programs against one lane at a time, results that
// are arguments, numbers of lanes around blocks, computations that only the host can run.
#include "eval_fixture.h"

#include <math.h>

static const int64_t lane_counts[] = {0, 1, 2, 1023, 1024, 1025, 5000};
enum { COUNTS = sizeof lane_counts / sizeof *lane_counts };

typedef struct computation_maker {
  test_program *program;
  hlo_computation *computation;
  int32_t parameters;
} computation_maker;

static computation_maker start_computation(test_program *program) {
  computation_maker maker = {program, NULL, 0};
  CHECK(hlo_computation_create(program->module, "applied", &maker.computation, &program->error) ==
        HLO_OK);
  return maker;
}

static hlo_instruction *parameter(computation_maker *maker, hlo_type type) {
  hlo_instruction *p = add_instruction(maker->program, maker->computation, HLO_OP_PARAMETER,
                                       hlo_shape_scalar(type), 0, NULL, 0, NULL);
  p->parameter_number = maker->parameters++;
  return p;
}

static hlo_instruction *constant(computation_maker *maker, hlo_type type, int64_t value) {
  hlo_literal *literal = hlo_arena_alloc(&maker->program->module->arena, sizeof *literal);
  CHECK(hlo_literal_make(&maker->program->module->arena, hlo_shape_scalar(type), literal,
                         &maker->program->error) == HLO_OK);
  set_small(type, literal->data, value);
  hlo_instruction *c = add_instruction(maker->program, maker->computation, HLO_OP_CONSTANT,
                                       literal->shape, 0, NULL, 0, NULL);
  c->literal = literal;
  return c;
}

static hlo_instruction *op(computation_maker *maker, hlo_opcode opcode, hlo_type type,
                           int32_t count, hlo_instruction *a, hlo_instruction *b,
                           hlo_instruction *c) {
  hlo_instruction *operands[] = {a, b, c};
  return add_instruction(maker->program, maker->computation, opcode, hlo_shape_scalar(type), count,
                         operands, 0, NULL);
}

static hlo_instruction *compare(computation_maker *maker, const char *direction, hlo_instruction *a,
                                hlo_instruction *b) {
  hlo_attribute attribute = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, direction);
  return add_instruction(maker->program, maker->computation, HLO_OP_COMPARE,
                         hlo_shape_scalar(HLO_PRED), 2, (hlo_instruction *[]){a, b}, 1, &attribute);
}

static hlo_instruction *tuple(computation_maker *maker, int32_t count, hlo_instruction **elements) {
  const hlo_shape *shapes[4], *shape = NULL;
  for (int32_t i = 0; i < count; i++) shapes[i] = elements[i]->shape;
  CHECK(hlo_shape_make_tuple(&maker->program->module->arena, count, shapes, &shape,
                             &maker->program->error) == HLO_OK);
  return add_instruction(maker->program, maker->computation, HLO_OP_TUPLE, shape, count, elements,
                         0, NULL);
}

static hlo_instruction *element_of(computation_maker *maker, hlo_instruction *of, int64_t index) {
  hlo_attribute attribute = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX, index);
  return add_instruction(maker->program, maker->computation, HLO_OP_GET_TUPLE_ELEMENT,
                         of->shape->elements[index], 1, &of, 1, &attribute);
}

static void finish(computation_maker *maker, hlo_instruction *root) {
  maker->computation->root = root;
  CHECK(hlo_computation_collect_parameters(maker->computation, &maker->program->error) == HLO_OK);
}

// --- a program of every kind of instruction ---

// (x, n) → (clamp(-2, x, 3) * 2, n > 1 ? n + s32(x) : -n, x), through nested tuples.
static void make_mixed(computation_maker *maker) {
  hlo_instruction *x = parameter(maker, HLO_F32), *n = parameter(maker, HLO_S32);
  hlo_instruction *low = constant(maker, HLO_F32, -2), *high = constant(maker, HLO_F32, 3),
                  *one = constant(maker, HLO_S32, 1);
  hlo_instruction *clamped = op(maker, HLO_OP_CLAMP, HLO_F32, 3, low, x, high);
  hlo_instruction *twice = op(maker, HLO_OP_ADD, HLO_F32, 2, clamped, clamped, NULL);
  hlo_instruction *copied =
      op(maker, HLO_OP_COPY, HLO_F32, 1, op(maker, HLO_OP_RESHAPE, HLO_F32, 1, twice, NULL, NULL),
         NULL, NULL);
  hlo_instruction *barrier =
      op(maker, HLO_OP_OPTIMIZATION_BARRIER, HLO_F32, 1,
         op(maker, HLO_OP_BROADCAST, HLO_F32, 1, copied, NULL, NULL), NULL, NULL);
  hlo_instruction *whole = op(maker, HLO_OP_CONVERT, HLO_S32, 1, x, NULL, NULL);
  hlo_instruction *sum = op(maker, HLO_OP_ADD, HLO_S32, 2, n, whole, NULL),
                  *minus = op(maker, HLO_OP_NEGATE, HLO_S32, 1, n, NULL, NULL);
  hlo_instruction *chosen =
      op(maker, HLO_OP_SELECT, HLO_S32, 3, compare(maker, "GT", n, one), sum, minus);
  hlo_instruction *inner = tuple(maker, 2, (hlo_instruction *[]){chosen, x});
  hlo_instruction *outer = tuple(maker, 2, (hlo_instruction *[]){barrier, inner});
  hlo_instruction *pair = element_of(maker, outer, 1);
  finish(maker, tuple(maker, 3,
                      (hlo_instruction *[]){element_of(maker, outer, 0), element_of(maker, pair, 0),
                                            element_of(maker, pair, 1)}));
}

static void test_mixed(void) {
  test_program program;
  start_program(&program);
  computation_maker maker = start_computation(&program);
  make_mixed(&maker);
  for (int c = 0; c < COUNTS; c++) {
    int64_t lanes = lane_counts[c];
    size_t size = (size_t)lanes * 4 + 4;
    float *x = malloc(size), *y = malloc(size), *z = malloc(size);
    int32_t *n = malloc(size), *m = malloc(size);
    for (int64_t i = 0; i < lanes; i++)
      x[i] = (float)(random_below(100) - 50) / 8, n[i] = (int32_t)random_below(7) - 3;
    CHECK(hlo_apply(&program.evaluator, maker.computation, lanes, (void *const[]){x, n},
                    (void *const[]){y, m, z}, &program.error) == HLO_OK);
    bool right = true;
    for (int64_t i = 0; i < lanes; i++) {
      float wanted = 2 * fminf(fmaxf(-2, x[i]), 3);
      int32_t chosen = n[i] > 1 ? n[i] + (int32_t)x[i] : -n[i];
      if (y[i] != wanted || m[i] != chosen || z[i] != x[i]) right = false;
    }
    CHECK_MESSAGE(right, "%lld lanes", (long long)lanes);
    free(x), free(y), free(z), free(n), free(m);
  }
  end_program(&program);
}

// --- results in the arguments' memory ---

static void test_results_are_arguments(void) {
  enum { N = 2500 };
  static float a[N], b[N];
  test_program program;
  start_program(&program);
  computation_maker swap = start_computation(&program), sum = start_computation(&program);
  hlo_instruction *p = parameter(&swap, HLO_F32), *q = parameter(&swap, HLO_F32);
  finish(&swap, tuple(&swap, 2, (hlo_instruction *[]){q, p}));
  p = parameter(&sum, HLO_F32), q = parameter(&sum, HLO_F32);
  hlo_instruction *total = op(&sum, HLO_OP_ADD, HLO_F32, 2, p, q, NULL);
  finish(&sum,
         tuple(&sum, 2,
               (hlo_instruction *[]){total, op(&sum, HLO_OP_SUBTRACT, HLO_F32, 2, p, q, NULL)}));
  for (int i = 0; i < N; i++) a[i] = (float)i, b[i] = (float)(3 * i);
  CHECK(hlo_apply(&program.evaluator, swap.computation, N, (void *const[]){a, b},
                  (void *const[]){a, b}, &program.error) == HLO_OK);
  bool right = true;
  for (int i = 0; i < N; i++) right = right && a[i] == (float)(3 * i) && b[i] == (float)i;
  CHECK_MESSAGE(right, "swapped in place");
  CHECK(hlo_apply(&program.evaluator, sum.computation, N, (void *const[]){a, b},
                  (void *const[]){a, b}, &program.error) == HLO_OK);
  for (int i = 0; i < N; i++) right = right && a[i] == (float)(4 * i) && b[i] == (float)(2 * i);
  CHECK_MESSAGE(right, "sum and difference in place");
  computation_maker same = start_computation(&program), fixed = start_computation(&program);
  finish(&same, parameter(&same, HLO_F32));
  CHECK(hlo_apply(&program.evaluator, same.computation, N, (void *const[]){a}, (void *const[]){b},
                  &program.error) == HLO_OK);
  CHECK(memcmp(a, b, sizeof a) == 0);
  parameter(&fixed, HLO_F32);
  finish(&fixed, constant(&fixed, HLO_F32, 5));
  CHECK(hlo_apply(&program.evaluator, fixed.computation, N, (void *const[]){a}, (void *const[]){b},
                  &program.error) == HLO_OK);
  for (int i = 0; i < N; i++) right = right && b[i] == 5;
  CHECK_MESSAGE(right, "a constant");
  end_program(&program);
}

// Several root leaves of one value, and types of every size.
static void test_types(void) {
  for (int type = HLO_PRED; type <= HLO_C128; type++) {
    enum { N = 1500 };
    test_program program;
    start_program(&program);
    computation_maker maker = start_computation(&program);
    hlo_type t = (hlo_type)type;
    hlo_instruction *p = parameter(&maker, t), *q = parameter(&maker, t);
    hlo_instruction *sum = op(&maker, HLO_OP_ADD, t, 2, p, q, NULL);
    finish(&maker, tuple(&maker, 3, (hlo_instruction *[]){sum, p, sum}));
    static const int64_t dims[] = {N};
    test_array a = make_array(t, 1, dims, ROW_MAJOR), b = make_array(t, 1, dims, ROW_MAJOR),
               wanted = make_array(t, 1, dims, ROW_MAJOR);
    test_array r0 = make_array(t, 1, dims, ROW_MAJOR), r1 = make_array(t, 1, dims, ROW_MAJOR),
               r2 = make_array(t, 1, dims, ROW_MAJOR);
    fill_small(&a, 3), fill_small(&b, 3);
    hlo_pointwise_get(HLO_OP_ADD, t)(wanted.memory, (const void *const[]){a.memory, b.memory}, N);
    CHECK(hlo_apply(&program.evaluator, maker.computation, N, (void *const[]){a.memory, b.memory},
                    (void *const[]){r0.memory, r1.memory, r2.memory}, &program.error) == HLO_OK);
    CHECK_MESSAGE(memcmp(r0.memory, wanted.memory, a.size) == 0 &&
                      memcmp(r2.memory, wanted.memory, a.size) == 0 &&
                      memcmp(r1.memory, a.memory, a.size) == 0,
                  "%s", hlo_type_name(t));
    free_array(&a), free_array(&b), free_array(&wanted), free_array(&r0), free_array(&r1),
        free_array(&r2);
    end_program(&program);
  }
}

// --- map ---

static void test_map(void) {
  for (int round = 0; round < 40; round++) {
    test_program program;
    start_program(&program);
    computation_maker maker = start_computation(&program);
    hlo_instruction *p = parameter(&maker, HLO_F32), *q = parameter(&maker, HLO_S8),
                    *r = parameter(&maker, HLO_F32);
    hlo_instruction *wide = op(&maker, HLO_OP_CONVERT, HLO_F32, 1, q, NULL, NULL);
    finish(&maker, op(&maker, HLO_OP_CONVERT, HLO_F64, 1,
                      op(&maker, HLO_OP_ADD, HLO_F32, 2,
                         op(&maker, HLO_OP_MULTIPLY, HLO_F32, 2, p, wide, NULL), r, NULL),
                      NULL, NULL));
    int64_t dims[4];
    int32_t rank = (int32_t)random_below(5);
    for (int32_t i = 0; i < rank; i++) dims[i] = random_below(12) == 0 ? 0 : 1 + random_below(12);
    test_array a = make_array(HLO_F32, rank, dims, random_layout()),
               b = make_array(HLO_S8, rank, dims, random_layout());
    test_array c = make_array(HLO_F32, rank, dims, random_layout()),
               to = make_array(HLO_F64, rank, dims, random_layout());
    fill_small(&a, 50), fill_small(&b, 50), fill_small(&c, 50);
    hlo_view operands[3] = {a.view, b.view, c.view};
    hlo_attribute to_apply;
    hlo_attribute_make_computation(&program.module->arena, HLO_ATTRIBUTE_TO_APPLY,
                                   maker.computation, &to_apply, &program.error);
    CHECK(evaluate(&program, HLO_OP_MAP, 3, operands, &to.view, 1, &to_apply));
    int64_t count = elements_of(rank, dims);
    bool right = true;
    for (int64_t i = 0; i < count; i++) {
      int64_t index[4];
      index_of(rank, dims, i, index);
      double wanted =
          as_double(HLO_F32, element(&a.view, index)) * as_double(HLO_S8, element(&b.view, index)) +
          as_double(HLO_F32, element(&c.view, index));
      if (!same_element(&to.view, index, &wanted)) right = false;
    }
    CHECK_MESSAGE(right, "map");
    CHECK(gaps_untouched(&to));
    free_array(&a), free_array(&b), free_array(&c), free_array(&to);
    end_program(&program);
  }
}

// --- the host ---

static hlo_status half_on_host(void *host, const hlo_computation *computation,
                               int32_t argument_count, const hlo_view *arguments,
                               int32_t result_count, const hlo_view *results, hlo_error *error) {
  (void)computation, (void)error;
  CHECK(argument_count == 1 && result_count == 2);
  ++*(int64_t *)host;
  float x, half;
  memcpy(&x, arguments[0].data, 4);
  half = x / 2;
  int16_t whole = (int16_t)x;
  CHECK(results[0].type == HLO_F32 && results[1].type == HLO_S16);
  memcpy(results[0].data, &half, 4), memcpy(results[1].data, &whole, 2);
  return HLO_OK;
}

static void test_host(void) {
  int64_t calls = 0;
  test_program program;
  start_program(&program);
  program.evaluator.call = half_on_host, program.evaluator.host = &calls;
  computation_maker called = start_computation(&program), maker = start_computation(&program);
  finish(&called, parameter(&called, HLO_F32));
  hlo_instruction *p = parameter(&maker, HLO_F32);
  hlo_attribute to_apply;
  hlo_attribute_make_computation(&program.module->arena, HLO_ATTRIBUTE_TO_APPLY, called.computation,
                                 &to_apply, &program.error);
  hlo_instruction *call = add_instruction(&program, maker.computation, HLO_OP_CALL,
                                          hlo_shape_scalar(HLO_F32), 1, &p, 1, &to_apply);
  finish(&maker,
         tuple(&maker, 2,
               (hlo_instruction *[]){call, op(&maker, HLO_OP_CONVERT, HLO_S16, 1, p, NULL, NULL)}));
  float x[] = {1, 2.5f, -3, 8}, y[4];
  int16_t z[4];
  CHECK(hlo_apply(&program.evaluator, maker.computation, 4, (void *const[]){x},
                  (void *const[]){y, z}, &program.error) == HLO_OK);
  CHECK(calls == 4);
  for (int i = 0; i < 4; i++) CHECK(y[i] == x[i] / 2 && z[i] == (int16_t)x[i]);
  program.evaluator.call = NULL;
  CHECK(hlo_apply(&program.evaluator, maker.computation, 4, (void *const[]){x},
                  (void *const[]){y, z}, &program.error) == HLO_UNSUPPORTED);
  hlo_error_clear(&program.error);
  end_program(&program);
}

// Out of memory at any point is an error, and the next try finds everything in order.
static void test_out_of_memory(void) {
  test_program program;
  start_program(&program);
  computation_maker maker = start_computation(&program);
  make_mixed(&maker);
  float x[2] = {1, 2}, y[2], z[2];
  int32_t n[2] = {3, 4}, m[2];
  hlo_status status = HLO_OUT_OF_MEMORY;
  for (int64_t i = 1; status == HLO_OUT_OF_MEMORY && i < 1000; i++) {
    hlo_arena_free(&program.scratch);
    hlo_memory_fail_after(i);
    status = hlo_apply(&program.evaluator, maker.computation, 2, (void *const[]){x, n},
                       (void *const[]){y, m, z}, &program.error);
    hlo_memory_fail_after(0);
    CHECK(i > 1 || status == HLO_OUT_OF_MEMORY);
    hlo_error_clear(&program.error);
  }
  CHECK(status == HLO_OK && y[0] == 2 && m[1] == 6 && z[1] == 2);
  end_program(&program);
}

int main(void) {
  test_mixed();
  test_results_are_arguments();
  test_types();
  test_map();
  test_host();
  test_out_of_memory();
  return CHECK_RESULT();
}
