// Checks hlo/builder*.c: broadcasting with every example of the "Broadcasting" page, by shape and
// by value (a few lines of evaluator stand below), the other builders, and running out of memory.
#include "hlo/builder.h"

#include "hlo/infer/infer.h"

#include <string.h>

#include "check.h"

static hlo_error error;
static hlo_module *module;
static hlo_computation *computation;

static void start(void) {
  hlo_error_clear(&error);
  CHECK(hlo_module_create("m", &module, &error) == HLO_OK);
  CHECK(hlo_computation_create(module, "f", &computation, &error) == HLO_OK);
}

static void stop(void) {
  hlo_module_destroy(module);
  CHECK(hlo_memory_in_use() == 0);
}

static const hlo_shape *shape_of(const char *text) {
  const hlo_shape *shape = NULL;
  const char *cursor = text;
  CHECK(hlo_shape_parse(&module->arena, &cursor, text + strlen(text), &shape, &error) == HLO_OK);
  return shape;
}

static hlo_instruction *parameter(int64_t number, const char *shape) {
  hlo_instruction *result = NULL;
  CHECK(hlo_build_parameter(computation, number, shape_of(shape), "p", &result, &error) == HLO_OK);
  return result;
}

static bool has_shape(const hlo_instruction *instruction, const char *expected) {
  hlo_string text = {0};
  hlo_shape_print(&text, instruction->shape, false);
  bool equal = strcmp(text.text, expected) == 0;
  if (!equal) printf("%s has shape %s\n", instruction->name, text.text);
  hlo_string_free(&text);
  return equal;
}

// --- the value of f32 programs of add, broadcast and reshape over constants ---

enum { MOST_VALUES = 64 };

static void evaluate(const hlo_instruction *x, float *out) {
  int64_t count = hlo_shape_elements(x->shape), index[HLO_MAX_RANK], n;
  float a[MOST_VALUES], b[MOST_VALUES];
  CHECK(count <= MOST_VALUES);
  if (x->operand_count > 0) evaluate(x->operands[0], a);
  if (x->operand_count > 1) evaluate(x->operands[1], b);
  int32_t rank;
  const int64_t *to = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &rank);
  for (int64_t i = 0; i < count; i++) {
    if (x->opcode == HLO_OP_CONSTANT) out[i] = ((const float *)x->literal->data)[i];
    else if (x->opcode == HLO_OP_ADD) out[i] = a[i] + b[i];
    else if (x->opcode == HLO_OP_RESHAPE) out[i] = a[i];
    else if (x->opcode == HLO_OP_BROADCAST) {
      hlo_multi_index(x->shape, i, index);
      n = 0;
      for (int32_t d = 0; d < rank; d++) n = n * x->operands[0]->shape->dims[d] + index[to[d]];
      out[i] = a[n];
    } else CHECK(false);
  }
}

static bool has_values(const hlo_instruction *x, const float *expected) {
  float values[MOST_VALUES];
  evaluate(x, values);
  return memcmp(values, expected, (size_t)hlo_shape_elements(x->shape) * sizeof(float)) == 0;
}

static hlo_instruction *constant(const char *shape, const float *values) {
  hlo_literal literal = {.shape = shape_of(shape), .data = (float *)(uintptr_t)values};
  hlo_instruction *result = NULL;
  CHECK(hlo_build_constant(computation, &literal, &result, &error) == HLO_OK);
  CHECK(result->literal->data != values);
  return result;
}

// lhs + rhs with broadcast_dimensions; NULL after an error.
static hlo_instruction *add(hlo_instruction *lhs, hlo_instruction *rhs, int32_t count,
                            int64_t first, int64_t second) {
  hlo_instruction *operands[] = {lhs, rhs}, *result = NULL;
  const int64_t dimensions[] = {first, second};
  int32_t before = computation->instruction_count;
  hlo_error_clear(&error);
  hlo_status status = hlo_build_elementwise(computation, HLO_OP_ADD, 2, operands, count, dimensions,
                                            0, NULL, &result, &error);
  if (status == HLO_OK) return result;
  CHECK(computation->instruction_count == before);
  return NULL;
}

// --- the page, from top to bottom ---

static const float matrix_2_3[] = {1, 2, 3, 4, 5, 6};

static void test_vector_and_scalar(void) {
  start();
  hlo_instruction *matrix = constant("f32[2,3]", matrix_2_3);
  hlo_instruction *vector = constant("f32[3]", (const float[]){7, 8, 9});
  hlo_instruction *sum = add(matrix, vector, 1, 1, 0);
  CHECK(has_shape(sum, "f32[2,3]"));
  CHECK(has_values(sum, (const float[]){8, 10, 12, 11, 13, 15}));
  CHECK(has_values(sum->operands[1], (const float[]){7, 8, 9, 7, 8, 9}));
  CHECK(sum->operands[0] == matrix && sum->operands[1]->opcode == HLO_OP_BROADCAST);
  CHECK(has_values(add(vector, matrix, 1, 1, 0), (const float[]){8, 10, 12, 11, 13, 15}));

  hlo_instruction *scalar = constant("f32[]", (const float[]){7});
  CHECK(has_values(add(matrix, scalar, 0, 0, 0), (const float[]){8, 9, 10, 11, 12, 13}));
  CHECK(has_values(add(scalar, matrix, 0, 0, 0), (const float[]){8, 9, 10, 11, 12, 13}));
  CHECK(add(scalar, scalar, 0, 0, 0)->operands[0] == scalar);

  // Without broadcast_dimensions ranks must agree.
  CHECK(add(matrix, vector, 0, 0, 0) == NULL && error.status == HLO_SHAPE_ERROR);
  CHECK(strcmp(error.message, "add: an operand of rank 1 does not broadcast to rank 2 without "
                              "broadcast_dimensions: f32[3]") == 0);
  stop();
}

static void test_both_ways_in_3x3(void) {
  start();
  hlo_instruction *matrix = constant("f32[3,3]", (const float[9]){0});
  hlo_instruction *vector = constant("f32[3]", (const float[]){7, 8, 9});
  CHECK(has_values(add(matrix, vector, 1, 1, 0), (const float[]){7, 8, 9, 7, 8, 9, 7, 8, 9}));
  CHECK(has_values(add(matrix, vector, 1, 0, 0), (const float[]){7, 7, 7, 8, 8, 8, 9, 9, 9}));
  stop();
}

// A 3x4 matrix into a 2x3x4 cuboid; a vector and a matrix into MxNxPxQ, every way.
static void test_tuples_of_dimensions(void) {
  start();
  hlo_instruction *cuboid = parameter(0, "f32[2,3,4]"), *matrix = parameter(1, "f32[3,4]");
  hlo_instruction *sum = add(cuboid, matrix, 2, 1, 2);
  CHECK(has_shape(sum, "f32[2,3,4]"));
  int32_t count;
  const int64_t *to = hlo_get_ints(sum->operands[1], HLO_ATTRIBUTE_DIMENSIONS, &count);
  CHECK(count == 2 && to[0] == 1 && to[1] == 2);

  hlo_instruction *mnpq = parameter(2, "f32[2,3,5,7]");
  static const int64_t sizes[] = {2, 3, 5, 7};
  for (int64_t a = 0; a < 4; a++) {
    char text[32];
    snprintf(text, sizeof text, "f32[%d]", (int)sizes[a]);
    hlo_instruction *t = parameter(10 + a, text);
    for (int64_t to_dimension = 0; to_dimension < 4; to_dimension++)
      CHECK((add(mnpq, t, 1, to_dimension, 0) != NULL) == (to_dimension == a));
    for (int64_t b = 0; b < 4; b++) {
      snprintf(text, sizeof text, "f32[%d,%d]", (int)sizes[a], (int)sizes[b]);
      hlo_instruction *tv = parameter(20 + 4 * a + b, text);
      CHECK((add(mnpq, tv, 2, a, b) != NULL) == (a < b));
      if (a > b) CHECK(strstr(error.message, "must be strictly increasing") != NULL);
      if (a == b) CHECK(strstr(error.message, "must be strictly increasing") != NULL);
    }
  }
  CHECK(add(mnpq, matrix, 1, 1, 0) == NULL);
  CHECK(strstr(error.message, "one entry for each of 2 dimensions, not 1: f32[3,4]") != NULL);
  CHECK(add(mnpq, matrix, 2, 1, 4) == NULL);
  CHECK(strstr(error.message, "broadcast dimension 4 is out of range for a result of rank 4"));
  CHECK(add(mnpq, matrix, 2, -1, 1) == NULL && strstr(error.message, "dimension -1 is out of"));
  CHECK(add(mnpq, matrix, 2, 0, 1) == NULL);
  CHECK(strcmp(error.message, "add: sizes 2 and 3 do not go together in dimension 0: f32[2,3,5,7] "
                              "and f32[3,4]") == 0);
  stop();
}

static void test_degenerate(void) {
  static const struct {
    const char *lhs, *rhs, *result;
  } cases[] = {
      {"f32[2,1]", "f32[2,3]", "f32[2,3]"},
      {"f32[1,2,5]", "f32[7,2,5]", "f32[7,2,5]"},
      {"f32[7,2,5]", "f32[7,1,5]", "f32[7,2,5]"},
      {"f32[7,2,5]", "f32[7,2,6]", NULL},
      {"f32[2,1]", "f32[1,3]", "f32[2,3]"}, // the outer operation
      {"f32[1]", "f32[0]", "f32[0]"},
      {"f32[1,1]", "f32[1,1]", "f32[1,1]"},
      {"f32[<=4,1]", "f32[4,3]", "f32[<=4,3]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    start();
    hlo_instruction *lhs = parameter(0, cases[i].lhs), *rhs = parameter(1, cases[i].rhs);
    hlo_instruction *result = add(lhs, rhs, 0, 0, 0), *swapped = add(rhs, lhs, 0, 0, 0);
    if (cases[i].result == NULL) {
      CHECK(result == NULL && swapped == NULL && error.status == HLO_SHAPE_ERROR);
      CHECK(strstr(error.message, "do not go together in dimension 2") != NULL);
    } else {
      CHECK(result != NULL && has_shape(result, cases[i].result));
      CHECK(swapped != NULL && has_shape(swapped, cases[i].result));
      CHECK(hlo_build_finish(computation, NULL, &error) == HLO_OK);
      module->entry = computation;
      CHECK_MESSAGE(hlo_verify(module, &error) == HLO_OK, "%s", error.message);
    }
    stop();
  }
  start();
  hlo_instruction *column = constant("f32[2,1]", (const float[]){10, 20});
  hlo_instruction *row = constant("f32[1,3]", (const float[]){1, 2, 3});
  CHECK(has_values(add(column, row, 0, 0, 0), (const float[]){11, 12, 13, 21, 22, 23}));
  // Operands of one rank may state what is understood, and nothing else.
  CHECK(add(column, row, 2, 0, 1) != NULL);
  CHECK(add(column, row, 2, 1, 0) == NULL && add(column, row, 1, 0, 0) == NULL);
  CHECK(strstr(error.message, "broadcast_dimensions for operands of one rank must be") != NULL);
  stop();
}

static void test_composition(void) {
  start();
  hlo_instruction *vector = constant("f32[4]", (const float[]){1, 2, 3, 4});
  hlo_instruction *row = constant("f32[1,2]", (const float[]){5, 6});
  hlo_instruction *sum = add(vector, row, 1, 0, 0);
  CHECK(has_shape(sum, "f32[4,2]"));
  CHECK(has_values(sum, (const float[]){6, 7, 7, 8, 8, 9, 9, 10}));
  CHECK(has_values(sum->operands[0], (const float[]){1, 1, 2, 2, 3, 3, 4, 4}));
  CHECK(has_values(sum->operands[1], (const float[]){5, 6, 5, 6, 5, 6, 5, 6}));

  float cuboid_values[12], expected[24];
  for (int i = 0; i < 12; i++) cuboid_values[i] = (float)(100 * i);
  hlo_instruction *cuboid = constant("f32[4,3,1]", cuboid_values);
  for (int i = 0; i < 24; i++) expected[i] = cuboid_values[i / 2] + (i % 2 == 0 ? 5 : 6);
  hlo_instruction *whole = add(row, cuboid, 2, 1, 2);
  CHECK(has_shape(whole, "f32[4,3,2]"));
  CHECK(has_values(whole, expected));

  // The page has this as "cannot be": 4 meets the size 3.
  CHECK(add(vector, constant("f32[3,2]", (const float[6]){0}), 1, 0, 0) == NULL);
  stop();
}

// --- other operations ---

static void test_ternary_and_errors(void) {
  start();
  hlo_instruction *pred = parameter(0, "pred[]"), *x = parameter(1, "f32[2,3]"),
                  *y = parameter(2, "f32[]"), *result = NULL;
  hlo_instruction *select[] = {pred, x, y};
  CHECK(hlo_build_elementwise(computation, HLO_OP_SELECT, 3, select, 0, NULL, 0, NULL, &result,
                              &error) == HLO_OK);
  CHECK(has_shape(result, "f32[2,3]"));
  hlo_instruction *clamp[] = {y, x, y};
  CHECK(hlo_build_elementwise(computation, HLO_OP_CLAMP, 3, clamp, 0, NULL, 0, NULL, &result,
                              &error) == HLO_OK);
  CHECK(has_shape(result, "f32[2,3]"));
  hlo_instruction *compare[] = {x, y};
  hlo_attribute direction = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, "LT");
  CHECK(hlo_build_elementwise(computation, HLO_OP_COMPARE, 2, compare, 0, NULL, 1, &direction,
                              &result, &error) == HLO_OK);
  CHECK(has_shape(result, "pred[2,3]"));

  int32_t before = computation->instruction_count;
  CHECK(hlo_build_elementwise(computation, HLO_OP_COMPARE, 2, compare, 0, NULL, 0, NULL, &result,
                              &error) == HLO_SHAPE_ERROR);
  CHECK(strcmp(error.message, "compare: the attribute direction is missing") == 0);
  hlo_error_clear(&error);
  hlo_instruction *mixed[] = {x, pred};
  CHECK(hlo_build_elementwise(computation, HLO_OP_ADD, 2, mixed, 0, NULL, 0, NULL, &result,
                              &error) == HLO_SHAPE_ERROR);
  hlo_error_clear(&error);
  CHECK(hlo_build_elementwise(computation, HLO_OP_ADD, 3, select, 0, NULL, 0, NULL, &result,
                              &error) == HLO_SHAPE_ERROR);
  hlo_error_clear(&error);
  CHECK(hlo_build_elementwise(computation, HLO_OP_COUNT, 2, mixed, 0, NULL, 0, NULL, &result,
                              &error) == HLO_INVALID_ARGUMENT);
  hlo_error_clear(&error);
  mixed[1] = NULL;
  CHECK(hlo_build_elementwise(computation, HLO_OP_ADD, 2, mixed, 0, NULL, 0, NULL, &result,
                              &error) == HLO_INVALID_ARGUMENT);
  hlo_error_clear(&error);
  hlo_computation *other;
  CHECK(hlo_computation_create(module, "g", &other, &error) == HLO_OK);
  CHECK(hlo_build(other, HLO_OP_NEGATE, NULL, 1, &x, 0, NULL, &result, &error) ==
        HLO_INVALID_ARGUMENT);
  CHECK(strcmp(error.message, "negate: operand 0 is of another computation") == 0);
  hlo_error_clear(&error);
  CHECK(hlo_build(computation, HLO_OP_RESHAPE, NULL, 1, &x, 0, NULL, &result, &error) ==
        HLO_SHAPE_ERROR);
  CHECK(computation->instruction_count == before && other->instruction_count == 0);
  hlo_error_clear(&error);
  CHECK(hlo_build(computation, HLO_OP_RESHAPE, shape_of("f32[6]"), 1, &x, 0, NULL, &result,
                  &error) == HLO_OK);
  CHECK(has_shape(result, "f32[6]") && strcmp(result->name, "reshape") == 0);
  // a select between tuples passes through
  hlo_instruction *pair[] = {x, y}, *tuple = NULL;
  CHECK(hlo_build(computation, HLO_OP_TUPLE, NULL, 2, pair, 0, NULL, &tuple, &error) == HLO_OK);
  hlo_instruction *tuples[] = {pred, tuple, tuple};
  CHECK(hlo_build_elementwise(computation, HLO_OP_SELECT, 3, tuples, 0, NULL, 0, NULL, &result,
                              &error) == HLO_OK);
  CHECK(has_shape(result, "(f32[2,3], f32[])"));
  stop();
}

static void test_reshape(void) {
  start();
  hlo_instruction *v = parameter(0, "f32[4,2,3]"), *result = NULL;
  const int64_t sizes[] = {8, 3};
  CHECK(hlo_build_reshape(computation, v, 2, sizes, &result, &error) == HLO_OK);
  CHECK(has_shape(result, "f32[8,3]"));
  CHECK(hlo_build_reshape(computation, v, 1, sizes, &result, &error) == HLO_SHAPE_ERROR);
  CHECK(strcmp(error.message, "reshape: operand and result must have the same number of elements: "
                              "f32[4,2,3] and f32[8]") == 0);
  stop();
}

static void test_finish_and_constants(void) {
  start();
  CHECK(hlo_build_finish(computation, NULL, &error) == HLO_INVALID_ARGUMENT);
  hlo_error_clear(&error);
  hlo_instruction *one = parameter(1, "f32[2]"), *zero = parameter(0, "s32[]");
  float values[] = {1, 2, 3, 4, 5, 6};
  hlo_instruction *turned = constant("f32[2,3]{0,1}", values);
  values[0] = 100;
  CHECK(((const float *)turned->literal->data)[0] == 1);
  CHECK(has_shape(turned, "f32[2,3]{0,1}"));
  hlo_literal parts[] = {{.shape = shape_of("f32[2]"), .data = values}, {.shape = shape_of("()")}};
  hlo_literal pair = {.shape = shape_of("(f32[2], ())"), .elements = parts};
  hlo_instruction *nested = NULL;
  CHECK(hlo_build_constant(computation, &pair, &nested, &error) == HLO_OK);
  CHECK(((const float *)nested->literal->elements[0].data)[1] == 2);
  CHECK(hlo_build_finish(computation, zero, &error) == HLO_OK);
  CHECK(computation->root == zero && computation->parameter_count == 2);
  CHECK(computation->parameters[0] == zero && computation->parameters[1] == one);
  CHECK(hlo_build_finish(computation, NULL, &error) == HLO_OK && computation->root == nested);
  hlo_computation *other;
  CHECK(hlo_computation_create(module, "g", &other, &error) == HLO_OK);
  CHECK(hlo_build_finish(other, zero, &error) == HLO_INVALID_ARGUMENT);
  hlo_error_clear(&error);
  hlo_instruction *result;
  CHECK(hlo_build_parameter(computation, -1, shape_of("f32[]"), NULL, &result, &error) ==
        HLO_INVALID_ARGUMENT);
  hlo_error_clear(&error);
  parameter(1, "f32[]");
  CHECK(hlo_build_finish(computation, NULL, &error) == HLO_SHAPE_ERROR);
  stop();
}

// --- every allocation of a small program fails in turn ---

static hlo_status build_program(void) {
  hlo_module *m;
  HLO_TRY(hlo_module_create("m", &m, &error));
  hlo_computation *c = NULL;
  hlo_instruction *p = NULL, *k = NULL, *sum = NULL;
  const int64_t dims[] = {64, 64};
  float values[64] = {0};
  const hlo_shape *matrix, *vector;
  hlo_status status = hlo_computation_create(m, "f", &c, &error);
  if (status == HLO_OK) status = hlo_shape_make(&m->arena, HLO_F32, 2, dims, &matrix, &error);
  if (status == HLO_OK) status = hlo_shape_make(&m->arena, HLO_F32, 1, dims, &vector, &error);
  if (status == HLO_OK) status = hlo_build_parameter(c, 0, matrix, "p", &p, &error);
  for (int i = 0; i < 500 && status == HLO_OK; i++) {
    hlo_literal literal = {.shape = vector, .data = values};
    const int64_t to = 1;
    status = hlo_build_constant(c, &literal, &k, &error);
    hlo_instruction *operands[] = {p, k};
    if (status == HLO_OK)
      status = hlo_build_elementwise(c, HLO_OP_ADD, 2, operands, 1, &to, 0, NULL, &sum, &error);
    if (status == HLO_OK) p = sum;
  }
  if (status == HLO_OK) status = hlo_build_finish(c, NULL, &error);
  if (status == HLO_OK) status = hlo_verify(m, &error);
  hlo_module_destroy(m);
  return status;
}

static void test_out_of_memory(void) {
  int64_t failures = 0;
  for (;; failures++) {
    hlo_error_clear(&error);
    hlo_memory_fail_after(failures + 1);
    hlo_status status = build_program();
    hlo_memory_fail_after(0);
    CHECK(hlo_memory_in_use() == 0);
    if (status == HLO_OK) break;
    CHECK(status == HLO_OUT_OF_MEMORY && error.status == HLO_OUT_OF_MEMORY);
  }
  CHECK_MESSAGE(failures > 5, "only %d allocations", (int)failures);
}

int main(void) {
  test_vector_and_scalar();
  test_both_ways_in_3x3();
  test_tuples_of_dimensions();
  test_degenerate();
  test_composition();
  test_ternary_and_errors();
  test_reshape();
  test_finish_and_constants();
  test_out_of_memory();
  return CHECK_RESULT();
}
