// Programs with sizes of '?': what they are refined to, by given shapes, by known values, by calls;
// what is refused and how; and memory running out anywhere.
#include "check.h"
#include "memory_check.h"
#include "passes/lower/refine_shapes.h"
#include "run/executable.h"

#include <string.h>

enum { MOST_SHAPES = 4 };

typedef struct given_shapes {
  hlo_arena arena;
  int32_t count;
  const hlo_shape *shapes[MOST_SHAPES];
} given_shapes;

// "f32[2,3] s32[]"
static given_shapes shapes_of(const char *text) {
  given_shapes given = {0};
  hlo_error error = {0};
  for (const char *end = text + strlen(text); *text != '\0';) {
    hlo_status status =
        hlo_shape_parse(&given.arena, &text, end, &given.shapes[given.count++], &error);
    CHECK_MESSAGE(status == HLO_OK, "%s", error.message);
    if (status != HLO_OK) break;
    while (*text == ' ') text++;
  }
  return given;
}

static hlo_status parse(const char *text, const char *shapes, hlo_module **out, hlo_error *error) {
  given_shapes given = shapes_of(shapes);
  hlo_status status = hlo_parse_refined(text, strlen(text), HLO_FORMAT_STABLEHLO, given.count,
                                        given.shapes, out, error);
  hlo_arena_free(&given.arena);
  return status;
}

// The shape of the entry's result, no shape without bounds anywhere in the module.
static void check_result(const char *text, const char *shapes, const char *want) {
  hlo_error error = {0};
  hlo_module *module = NULL;
  char got[HLO_SHAPE_TEXT_SIZE];
  hlo_status status = parse(text, shapes, &module, &error);
  CHECK_MESSAGE(status == HLO_OK, "%d:%d: %s", (int)error.line, (int)error.column, error.message);
  if (status != HLO_OK) return;
  const char *result = hlo_shape_to_text(got, module->entry->root->shape);
  CHECK_MESSAGE(strcmp(result, want) == 0, "want %s, got %s", want, result);
  for (int32_t c = 0; c < module->computation_count; c++) {
    const hlo_computation *computation = module->computations[c];
    for (int32_t i = 0; i < computation->instruction_count; i++)
      CHECK(!hlo_shape_is_unbounded(computation->instructions[i]->shape));
  }
  hlo_module_destroy(module);
}

static void check_refusal(const char *text, const char *shapes, hlo_status want, int32_t line,
                          const char *message) {
  hlo_error error = {0};
  hlo_module *module = NULL;
  hlo_status status = parse(text, shapes, &module, &error);
  CHECK_MESSAGE(status == want && error.line == line && strstr(error.message, message) != NULL,
                "want status %d at line %d for \"%s\", got %d at %d: %s", (int)want, (int)line,
                message, (int)status, (int)error.line, error.message);
  CHECK(module == NULL);
  hlo_module_destroy(module);
}

static const char softmax[] =
    "func.func public @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {\n"
    "  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>\n"
    "  %r = call @rows(%n, %x) : (tensor<i32>, tensor<?x4xf32>) -> tensor<?xf32>\n"
    "  return %r : tensor<?xf32>\n"
    "}\n"
    "func.func private @rows(%n: tensor<i32>, %x: tensor<?x4xf32>) -> tensor<?xf32> {\n"
    "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
    "  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]\n"
    "    : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>\n"
    "  %one = stablehlo.constant dense<1> : tensor<i32>\n"
    "  %m = stablehlo.add %n, %one : tensor<i32>\n"
    "  %size = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>\n"
    "  %i = stablehlo.dynamic_iota %size, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
    "  %r = stablehlo.concatenate %sum, %i, dim = 0 : (tensor<?xf32>, tensor<?xf32>) -> "
    "tensor<?xf32>\n"
    "  return %r : tensor<?xf32>\n"
    "}\n";

static void test_given_shapes(void) {
  check_result(softmax, "f32[3,4]", "f32[7]");
  check_result(softmax, "f32[0,4]", "f32[1]");
  check_result("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }",
               "f32[2]", "f32[2]");
  check_refusal(softmax, "", HLO_OPEN_PROGRAM, 1,
                "argument 0, %x, has the type f32[?,4]: the shapes of the arguments must be given");
  check_refusal(softmax, "f32[3,5]", HLO_SHAPE_ERROR, 1,
                "argument 0, %x, has the type f32[?,4], but the shape f32[3,5] is given");
  check_refusal(softmax, "s32[3,4]", HLO_SHAPE_ERROR, 1, "s32[3,4]");
  check_refusal(softmax, "f32[3,4] f32[3,4]", HLO_INVALID_ARGUMENT, 1,
                "takes 1 arguments, but 2 shapes are given");
  check_refusal(
      "\nfunc.func @main(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }",
      "f32[3]", HLO_SHAPE_ERROR, 2, "f32[3]");
}

// One version for each kind of arguments, however often it is called.
static void test_versions(void) {
  static const char text[] =
      "func.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %0 = stablehlo.negate %x : tensor<?xf32>\n"
      "  return %0 : tensor<?xf32>\n"
      "}\n"
      "func.func private @unused(%x: tensor<?xf32>) { return }\n"
      "func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>) -> tensor<?xf32> {\n"
      "  %a = stablehlo.convert %x : (tensor<2xf32>) -> tensor<?xf32>\n"
      "  %b = stablehlo.convert %y : (tensor<3xf32>) -> tensor<?xf32>\n"
      "  %0 = func.call @f(%a) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "  %1 = func.call @f(%0) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "  %2 = func.call @f(%b) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "  %3 = func.call @f(%2) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "  return %3 : tensor<?xf32>\n"
      "}\n";
  hlo_error error = {0};
  hlo_module *module = NULL;
  CHECK_MESSAGE(parse(text, "", &module, &error) == HLO_OK, "%s", error.message);
  if (module == NULL) return;
  CHECK(module->computation_count == 3);
  CHECK(module->entry == module->computations[2]);
  hlo_module_destroy(module);
}

// Sizes that elements of arguments say: which ones were looked at is told, in calls, too.
static void test_given_values(void) {
  const char *text =
      "func.func @main(%k: tensor<i32>, %n: tensor<1xi32>) -> tensor<?xf32> {\n"
      "  %0 = call @f(%n) : (tensor<1xi32>) -> tensor<?xf32>\n"
      "  return %0 : tensor<?xf32>\n"
      "}\n"
      "func.func private @f(%n: tensor<1xi32>) -> tensor<?xf32> {\n"
      "  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
      "  return %0 : tensor<?xf32>\n"
      "}";
  given_shapes given = shapes_of("s32[] s32[1]");
  int32_t k = 1, n = 3;
  const void *values[2] = {&k, &n};
  bool asked[2] = {false};
  hlo_string types = {0};
  hlo_error error = {0};
  hlo_module *module;
  hlo_parse_options options = {.format = HLO_FORMAT_STABLEHLO,
                               .shape_count = 2,
                               .shapes = given.shapes,
                               .argument_types = &types};
  CHECK(hlo_parse_for(text, strlen(text), &options, &module, &error) == HLO_OPEN_PROGRAM);
  CHECK_MESSAGE(types.text != NULL && strcmp(types.text, "s32[] s32[1]\nk\nn") == 0, "%s",
                types.text == NULL ? "none" : types.text);
  hlo_error_clear(&error);
  options.values = values;
  options.asked = asked;
  CHECK(hlo_parse_for(text, strlen(text), &options, &module, &error) == HLO_OK);
  if (module != NULL) CHECK(module->entry->root->shape->dims[0] == 3);
  CHECK(!asked[0] && asked[1]);
  hlo_module_destroy(module);
  hlo_string_free(&types);
  hlo_arena_free(&given.arena);
}

// What the sizes cannot be found from is named.
static void test_refusals(void) {
  check_refusal("func.func @main(%n: tensor<1xi32>) -> tensor<?xf32> {\n"
                "  %one = stablehlo.constant dense<1> : tensor<1xi32>\n"
                "  %m = stablehlo.add %n, %one : tensor<1xi32>\n"
                "  %0 = stablehlo.dynamic_iota %m, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
                "  return %0 : tensor<?xf32>\n"
                "}",
                "", HLO_OPEN_PROGRAM, 4,
                "stablehlo.dynamic_iota: operand 0 must be known before the program runs, but it "
                "depends on %n (parameter)");
  check_refusal("func.func @main() -> tensor<3xf32> {\n"
                "  %n = stablehlo.constant dense<2> : tensor<1xi32>\n"
                "  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<3xf32>\n"
                "  return %0 : tensor<3xf32>\n"
                "}",
                "", HLO_SHAPE_ERROR, 3,
                "the size 2 does not fit dimension 0 of the result's type f32[3]");
  check_refusal("func.func @main() -> tensor<?xf32> {\n"
                "  %n = stablehlo.constant dense<-2> : tensor<1xi32>\n"
                "  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
                "  return %0 : tensor<?xf32>\n"
                "}",
                "", HLO_SHAPE_ERROR, 3, "the size -2 does not fit dimension 0");
  check_refusal("func.func @main() -> tensor<?x?xf32> {\n"
                "  %n = stablehlo.constant dense<2> : tensor<1xi32>\n"
                "  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?x?xf32>\n"
                "  return %0 : tensor<?x?xf32>\n"
                "}",
                "", HLO_SHAPE_ERROR, 3,
                "a size for each dimension of the result: s32[1] for f32[?,?]");
  check_refusal("func.func @main(%x: tensor<6xf32>) -> tensor<?x?xf32> {\n"
                "  %0 = stablehlo.reshape %x : (tensor<6xf32>) -> tensor<?x?xf32>\n"
                "  return %0 : tensor<?x?xf32>\n"
                "}",
                "", HLO_UNSUPPORTED, 2,
                "the sizes that its type f32[?,?] leaves open do not follow from its operands");
  check_refusal("func.func @main(%x: tensor<6xf32>, %y: tensor<5xf32>) -> tensor<?xf32> {\n"
                "  %a = stablehlo.convert %x : (tensor<6xf32>) -> tensor<?xf32>\n"
                "  %b = stablehlo.convert %y : (tensor<5xf32>) -> tensor<?xf32>\n"
                "  %0 = stablehlo.add %a, %b : tensor<?xf32>\n"
                "  return %0 : tensor<?xf32>\n"
                "}",
                "", HLO_SHAPE_ERROR, 4, "f32[6]");
  check_refusal("func.func @main(%x: tensor<6xf32>) -> tensor<?x3xf32> {\n"
                "  %n = stablehlo.constant dense<[2, 4]> : tensor<2xi32>\n"
                "  %0 = stablehlo.dynamic_reshape %x, %n : (tensor<6xf32>, tensor<2xi32>) -> "
                "tensor<?x3xf32>\n"
                "  return %0 : tensor<?x3xf32>\n"
                "}",
                "", HLO_SHAPE_ERROR, 3, "the size 4 does not fit dimension 1");
  check_refusal("func.func @main(%x: tensor<6xf32>) -> tensor<?x?xf32> {\n"
                "  %n = stablehlo.constant dense<[2, 4]> : tensor<2xi32>\n"
                "  %0 = stablehlo.dynamic_reshape %x, %n : (tensor<6xf32>, tensor<2xi32>) -> "
                "tensor<?x?xf32>\n"
                "  return %0 : tensor<?x?xf32>\n"
                "}",
                "", HLO_SHAPE_ERROR, 3, "f32[6]");
  // A tuple's element that does not exist must not be looked for.
  check_refusal("func.func @main(%x: tensor<1xi32>) -> tensor<?xf32> {\n"
                "  %t = stablehlo.tuple %x, %x : tuple<tensor<1xi32>, tensor<1xi32>>\n"
                "  %n = stablehlo.get_tuple_element %t[2] : (tuple<tensor<1xi32>, tensor<1xi32>>) "
                "-> tensor<1xi32>\n"
                "  %0 = stablehlo.dynamic_iota %n, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
                "  return %0 : tensor<?xf32>\n"
                "}",
                "", HLO_SHAPE_ERROR, 3, "index 2 is out of range");
}

// Loops may change the value: an error of a loop that takes a step.
static void test_sizes_in_loops(void) {
  static const char text[] =
      "func.func @main() {\n"
      "  %n = stablehlo.constant dense<2> : tensor<1xi32>\n"
      "  %k = stablehlo.add %n, %n : tensor<1xi32>\n"
      "  %p = stablehlo.constant dense<true> : tensor<i1>\n"
      "  %r = stablehlo.while(%i = %k) : tensor<1xi32> cond {\n"
      "    stablehlo.return %p : tensor<i1>\n"
      "  } do {\n"
      "    %0 = stablehlo.dynamic_iota %i, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>\n"
      "    %m = stablehlo.add %i, %n : tensor<1xi32>\n"
      "    stablehlo.return %m : tensor<1xi32>\n"
      "  }\n"
      "  return\n"
      "}";
  hlo_error error = {0};
  hlo_module *module;
  hlo_string printed = {0};
  hlo_parse_options options = {.format = HLO_FORMAT_STABLEHLO};
  CHECK(hlo_parse_for(text, strlen(text), &options, &module, &error) == HLO_OK);
  if (module == NULL) return;
  hlo_print_hlo(&printed, module);
  CHECK(strstr(printed.text, "custom_call_target=\"unread\"") != NULL);
  CHECK(strstr(printed.text, "depends on %") != NULL);
  hlo_string_free(&printed);
  hlo_module_destroy(module);
}

static void test_assertions(void) {
  static const char text[] =
      "func.func @main(%x: tensor<?xf32>) {\n"
      "  %two = stablehlo.constant dense<2> : tensor<i32>\n"
      "  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
      "  %p = stablehlo.compare GE, %n, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "  stablehlo.custom_call @shape_assertion(%p, %n, %two) {error_message = \"{0} is less than "
      "{1} or {2}\", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()\n"
      "  return\n"
      "}\n";
  check_result(text, "f32[2]", "()");
  check_refusal(text, "f32[1]", HLO_SHAPE_ERROR, 5, "1 is less than 2 or {2}");
}

static void test_custom_calls(void) {
  check_result(
      "func.func @main(%x: tensor<?x5xf32>) -> tensor<?x?xf32> {\n"
      "  %k = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x5xf32>) -> tensor<i32>\n"
      "  %0:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : "
      "(tensor<?x5xf32>, tensor<i32>) -> (tensor<?x?xf32>, tensor<?x?xi32>)\n"
      "  return %0#0 : tensor<?x?xf32>\n"
      "}",
      "f32[2,5]", "f32[2,2]");
  check_result(
      "func.func private @add(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = stablehlo.add %a, %b : tensor<f32>\n"
      "  return %0 : tensor<f32>\n"
      "}\n"
      "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %zero = stablehlo.constant dense<0.0> : tensor<f32>\n"
      "  %two = stablehlo.constant dense<2> : tensor<1xi32>\n"
      "  %one = stablehlo.constant dense<1> : tensor<1xi32>\n"
      "  %pad = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>\n"
      "  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %two, %one, %one, "
      "%one, %pad) {called_computations = [@add]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, "
      "tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>\n"
      "  return %0 : tensor<?xf32>\n"
      "}",
      "f32[4]", "f32[6]");
  check_result(
      "func.func @main(%s: tensor<2xui64>, %x: tensor<?xf32>) -> tensor<?x3xui32> {\n"
      "  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>\n"
      "  %l = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>\n"
      "  %three = stablehlo.constant dense<3> : tensor<1xi32>\n"
      "  %d = stablehlo.concatenate %l, %three, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> "
      "tensor<2xi32>\n"
      "  %0:2 = stablehlo.custom_call @stablehlo.dynamic_rng_bit_generator(%s, %d) {rng_algorithm "
      "= #stablehlo<rng_algorithm THREE_FRY>} : (tensor<2xui64>, tensor<2xi32>) -> "
      "(tensor<2xui64>, tensor<?x3xui32>)\n"
      "  return %0#1 : tensor<?x3xui32>\n"
      "}",
      "u64[2] f32[4]", "u32[4,3]");
  check_result("func.func @main(%x: tensor<?xf32>) -> tensor<?x2xf32> {\n"
               "  %d = stablehlo.constant dense<[4, 2]> : tensor<2xi32>\n"
               "  %0 = stablehlo.custom_call @anything(%x, %d) {indices_of_shape_operands = "
               "dense<1> : tensor<1xi64>} : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x2xf32>\n"
               "  return %0 : tensor<?x2xf32>\n"
               "}",
               "f32[3]", "f32[4,2]");
  check_result(
      "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = \"{replicated}\"} : "
      "(tensor<?xf32>) -> tensor<?xf32>\n"
      "  %1 = stablehlo.custom_call @mhlo.erf(%0) : (tensor<?xf32>) -> tensor<?xf32>\n"
      "  %2 = chlo.broadcast_add %1, %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>\n"
      "  return %2 : tensor<?xf32>\n"
      "}",
      "f32[3]", "f32[3]");
}

static hlo_status parse_once(hlo_arena *arena, hlo_error *error) {
  (void)arena;
  hlo_module *module = NULL;
  const int64_t dims[] = {3, 4};
  const hlo_shape shape = {.type = HLO_F32, .rank = 2, .dims = dims}, *shapes[] = {&shape};
  hlo_status status = hlo_parse_refined(softmax, sizeof softmax - 1, HLO_FORMAT_STABLEHLO, 1,
                                        shapes, &module, error);
  hlo_module_destroy(module);
  return status;
}

int main(void) {
  test_given_shapes();
  test_versions();
  test_given_values();
  test_refusals();
  test_sizes_in_loops();
  test_assertions();
  test_custom_calls();
  check_out_of_memory("hlo_parse_refined", parse_once);
  return CHECK_RESULT();
}
