// Tests printing StableHLO text: it reads back to the same program and prints the same again, and
// simple programs print as JAX writes them. (That MLIR reads it is checked where MLIR is:
// tests/fixtures/stablehlo_forms.py.)
#include "same_program.h"
#include "stablehlo_text_files.h"

// Whether StableHLO can say the module; if so it must be a fixed point. When `same` the program
// that is read back must be the printed one (HLO's tuples and copies may get lost).
static bool check_print(const char *name, const hlo_module *module, bool same) {
  hlo_string once = {0}, twice = {0};
  hlo_error error = {0};
  hlo_status status = hlo_print_stablehlo(&once, module, &error);
  if (status != HLO_OK) {
    CHECK_MESSAGE(status == HLO_UNSUPPORTED && strstr(error.message, "instruction %") != NULL,
                  "%s: %s", name, error.message);
    hlo_string_free(&once);
    return false;
  }
  hlo_module *again = parse_program(once.text, once.length, name);
  if (again == NULL) return hlo_string_free(&once), false;
  CHECK_MESSAGE(hlo_print_stablehlo(&twice, again, &error) == HLO_OK, "%s: %s", name,
                error.message);
  CHECK_MESSAGE(equal_texts(&once, &twice), "%s prints differently the second time", name);
  program_difference difference = {0};
  if (same && module->entry != NULL) {
    CHECK_MESSAGE(same_computation(module->entry, again->entry, &difference),
                  "%s: %s of %%%s changes", name, difference.what, difference.a->name);
  }
  CHECK_MESSAGE((module->entry == NULL) == (again->entry == NULL), "%s: entry", name);
  hlo_module_destroy(again);
  hlo_string_free(&once);
  hlo_string_free(&twice);
  return true;
}

static void check_stablehlo_file(const char *path) {
  hlo_module *module = parse_file(path);
  if (module == NULL) return;
  // Captured constants of a region are printed inside, values that a loop carries along as its
  // arguments: one more reading changes nothing.
  CHECK_MESSAGE(check_print(path, module, true), "%s cannot be printed", path);
  hlo_module_destroy(module);
}

static int printed;

static void check_hlo_file(const char *path) {
  hlo_module *module = parse_file(path);
  if (module == NULL) return;
  printed += check_print(path, module, false);
  hlo_module_destroy(module);
}

static void check_check_file(const char *path) {
  if (strstr(path, "/dynamic_") != NULL) return; // their sizes are computed: dynamic_shapes_test.c
  size_t length;
  char *text = read_file(path, &length);
  if (strstr(text, "// -----") == NULL) check_stablehlo_file(path);
  free(text);
}

// --- exact text ---

static const struct {
  const char *program, *want;
} exact[] = {
    {"HloModule jit_f\n"
     "max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT m = f32[] maximum(a, b) }\n"
     "ENTRY e { x = f32[2,3] parameter(0) y = f32[3] parameter(1)\n"
     " yy = f32[2,3] broadcast(y), dimensions={1}\n s = f32[2,3] add(x, yy)\n"
     " inf = f32[] constant(-inf)\n r = f32[2] reduce(s, inf), dimensions={1}, to_apply=max\n"
     " c = pred[2,3] compare(x, s), direction=LT\n t = f32[3,2] transpose(s), dimensions={1,0}\n"
     " d = f32[2,2] dot(x, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
     " ROOT o = (f32[2], pred[2,3], f32[2,2]) tuple(r, c, d) }\n",
     "module @jit_f {\n"
     "  func.func public @main(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>) -> (tensor<2xf32>, "
     "tensor<2x3xi1>, tensor<2x2xf32>) {\n"
     "    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>\n"
     "    %1 = stablehlo.add %arg0, %0 : tensor<2x3xf32>\n"
     "    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>\n"
     "    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.maximum across dimensions = [1] : "
     "(tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n"
     "    %3 = stablehlo.compare LT, %arg0, %1, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> "
     "tensor<2x3xi1>\n"
     "    %4 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
     "    %5 = stablehlo.dot_general %arg0, %4, contracting_dims = [1] x [0] : (tensor<2x3xf32>, "
     "tensor<3x2xf32>) -> tensor<2x2xf32>\n"
     "    return %2, %3, %5 : tensor<2xf32>, tensor<2x3xi1>, tensor<2x2xf32>\n"
     "  }\n}\n"},
    // Nested tuples of a loop become its arguments; a tuple that is a result stays one.
    {"HloModule m\n"
     "cond { p = (s32[], (f32[2], f32[])) parameter(0)\n i = s32[] get-tuple-element(p), index=0\n"
     " n = s32[] constant(3)\n ROOT r = pred[] compare(i, n), direction=LT }\n"
     "body { p = (s32[], (f32[2], f32[])) parameter(0)\n i = s32[] get-tuple-element(p), index=0\n"
     " t = (f32[2], f32[]) get-tuple-element(p), index=1\n one = s32[] constant(1)\n"
     " j = s32[] add(i, one)\n ROOT r = (s32[], (f32[2], f32[])) tuple(j, t) }\n"
     "ENTRY e { x = (f32[2], f32[]) parameter(0)\n z = s32[] constant(0)\n"
     " s = (s32[], (f32[2], f32[])) tuple(z, x)\n"
     " w = (s32[], (f32[2], f32[])) while(s), condition=cond, body=body\n"
     " ROOT r = ((f32[2], f32[])) tuple(t)\n"
     " t = (f32[2], f32[]) get-tuple-element(w), index=1 }\n",
     "module @m {\n"
     "  func.func public @main(%arg0: tuple<tensor<2xf32>, tensor<f32>>) -> "
     "tuple<tuple<tensor<2xf32>, tensor<f32>>> {\n"
     "    %c = stablehlo.constant dense<0> : tensor<i32>\n"
     "    %0 = stablehlo.get_tuple_element %arg0[0] : (tuple<tensor<2xf32>, tensor<f32>>) -> "
     "tensor<2xf32>\n"
     "    %1 = stablehlo.get_tuple_element %arg0[1] : (tuple<tensor<2xf32>, tensor<f32>>) -> "
     "tensor<f32>\n"
     "    %2:3 = stablehlo.while(%iterArg = %c, %iterArg_0 = %0, %iterArg_1 = %1) : tensor<i32>, "
     "tensor<2xf32>, tensor<f32>\n"
     "    cond {\n"
     "      %c_2 = stablehlo.constant dense<3> : tensor<i32>\n"
     "      %3 = stablehlo.compare LT, %iterArg, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> "
     "tensor<i1>\n"
     "      stablehlo.return %3 : tensor<i1>\n"
     "    } do {\n"
     "      %c_3 = stablehlo.constant dense<1> : tensor<i32>\n"
     "      %4 = stablehlo.add %iterArg, %c_3 : tensor<i32>\n"
     "      stablehlo.return %4, %iterArg_0, %iterArg_1 : tensor<i32>, tensor<2xf32>, tensor<f32>\n"
     "    }\n"
     "    %5 = stablehlo.tuple %2#1, %2#2 : tuple<tensor<2xf32>, tensor<f32>>\n"
     "    %6 = stablehlo.tuple %5 : tuple<tuple<tensor<2xf32>, tensor<f32>>>\n"
     "    return %6 : tuple<tuple<tensor<2xf32>, tensor<f32>>>\n"
     "  }\n}\n"},
    // What any instruction may say: of an argument, an operation, a region's operation, the
    // results.
    {"HloModule m\n"
     "max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT m = f32[] maximum(a, b), "
     "sharding={replicated} }\n"
     "ENTRY e { x = f32[2,3] parameter(0), sharding={devices=[2,1]<=[2]}, "
     "frontend_attributes={a=5,b-c=\"\\\"d\\\"\"}\n"
     " c = f32[2,3] copy(x), backend_config={\"k\":1}, metadata={op_name=\"here\"}\n"
     " t = f32[3,2] custom-call(c), custom_call_target=\"f\", backend_config=\"\"\n"
     " inf = f32[] constant(-inf), sharding={replicated}\n"
     " r = f32[2] reduce(c, inf), dimensions={1}, to_apply=max, backend_config=\"words\"\n"
     " ROOT o = (f32[2], f32[3,2]) tuple(r, t), sharding={{replicated}, {maximal device=1}} }\n",
     "module @m {\n"
     "  func.func public @main(%arg0: tensor<2x3xf32> {mhlo.frontend_attributes = {a = \"5\", "
     "\"b-c\" = \"\\\"d\\\"\"}, mhlo.sharding = \"{devices=[2,1]<=[2]}\"}) -> (tensor<2xf32> "
     "{mhlo.sharding = \"{replicated}\"}, tensor<3x2xf32> {mhlo.sharding = \"{maximal "
     "device=1}\"}) {\n"
     "    %0 = stablehlo.reshape %arg0 {mhlo.backend_config = \"{\\\"k\\\":1}\"} : "
     "(tensor<2x3xf32>) -> tensor<2x3xf32>\n"
     "    %1 = stablehlo.custom_call @f(%0) : (tensor<2x3xf32>) -> tensor<3x2xf32>\n"
     "    %cst = stablehlo.constant {mhlo.sharding = \"{replicated}\"} dense<0xFF800000> : "
     "tensor<f32>\n"
     "    %2 = stablehlo.reduce(%0 init: %cst) across dimensions = [1] {mhlo.backend_config = "
     "\"words\"} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>\n"
     "     reducer(%arg1: tensor<f32>, %arg2: tensor<f32>) {\n"
     "      %3 = stablehlo.maximum %arg1, %arg2 {mhlo.sharding = \"{replicated}\"} : tensor<f32>\n"
     "      stablehlo.return %3 : tensor<f32>\n"
     "    }\n"
     "    return %2, %1 : tensor<2xf32>, tensor<3x2xf32>\n"
     "  }\n"
     "}\n"},
    {"func.func @b() { call @a() : () -> ()\n return }\nfunc.func @a() { return }\n"
     "func.func @odd$.name() { return }",
     "module @module {\n"
     "  func.func public @b() {\n"
     "    func.call @a() : () -> ()\n"
     "    return\n"
     "  }\n"
     "  func.func public @a() {\n"
     "    return\n"
     "  }\n"
     "  func.func public @odd_.name() {\n"
     "    return\n"
     "  }\n}\n"},
};

static void test_exact(void) {
  for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
    hlo_string out = {0};
    hlo_error error = {0};
    hlo_module *module = parse_program(exact[i].program, strlen(exact[i].program), "exact");
    if (module == NULL) continue;
    CHECK(hlo_print_stablehlo(&out, module, &error) == HLO_OK);
    CHECK_MESSAGE(out.text != NULL && strcmp(out.text, exact[i].want) == 0, "%s\nnot\n%s", out.text,
                  exact[i].want);
    hlo_string_free(&out);
    hlo_module_destroy(module);
  }
}

// --- values ---

static const char *const dense[] = {
    "dense<1.500000e+00> : tensor<f32>",
    "dense<-0.000000e+00> : tensor<f64>",
    "dense<3.33333343e-01> : tensor<f32>",
    "dense<3.3333333333333331e-01> : tensor<f64>",
    "dense<0x7FC00000> : tensor<f32>",
    "dense<0xFFF0000000000000> : tensor<f64>",
    "dense<[1.000000e+00, 0x7F80]> : tensor<2xbf16>",
    "dense<[(1.000000e+00,-2.000000e+00), (0x7FC00000,0.000000e+00)]> : tensor<2xcomplex<f32>>",
    "dense<[[true, false], [false, false]]> : tensor<2x2xi1>",
    "dense<[-128, 127]> : tensor<2xi8>",
    "dense<18446744073709551615> : tensor<ui64>",
    "dense<[-8, 7, -1]> : tensor<3xi4>",
    "dense<> : tensor<0x4xf32>",
    "dense<7> : tensor<1x1xi32>",
    "dense<[[[1], [2]], [[3], [4]]]> : tensor<2x2x1xi32>",
    "dense<[4.480000e+02, 0x7F]> : tensor<2xf8E4M3FN>",
    "dense<[6.000000e+00, -5.000000e-01]> : tensor<2xf4E2M1FN>",
    "dense<5.877472e-39> : tensor<f8E8M0FNU>",
};

static void test_dense(void) {
  for (size_t i = 0; i < sizeof dense / sizeof *dense; i++) {
    char text[400], line[300];
    hlo_string out = {0};
    hlo_error error = {0};
    const char *type = strstr(dense[i], " : ") + 3;
    snprintf(text, sizeof text,
             "func.func @main() -> %s {\n %%x = stablehlo.constant %s\n return %%x : %s\n}", type,
             dense[i], type);
    hlo_module *module = parse_program(text, strlen(text), dense[i]);
    if (module == NULL) continue;
    snprintf(line, sizeof line, " = stablehlo.constant %s\n", dense[i]);
    CHECK(hlo_print_stablehlo(&out, module, &error) == HLO_OK);
    CHECK_MESSAGE(out.text != NULL && strstr(out.text, line) != NULL, "%s\nin\n%s", dense[i],
                  out.text);
    hlo_string_free(&out);
    hlo_module_destroy(module);
  }
}

// --- what cannot be said, memory ---

static void test_unsupported(void) {
  static const char *const bodies[] = {
      "ROOT s = u64[] rng-get-and-update-state(), delta=1",
      "x = f32[2] parameter(0) ROOT b = s8[8] bitcast(x)",
      "x = f32[2] parameter(0) t = token[] after-all() ROOT d = f32[2] add-dependency(x, t)",
  };
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    char text[300];
    hlo_string out = {0};
    hlo_error error = {0};
    snprintf(text, sizeof text, "HloModule m\nENTRY e {\n%s }", bodies[i]);
    hlo_module *module = parse_program(text, strlen(text), text);
    if (module == NULL) continue;
    CHECK(hlo_print_stablehlo(&out, module, &error) == HLO_UNSUPPORTED);
    CHECK_MESSAGE(strstr(error.message, "StableHLO cannot say this") != NULL && error.line == 3,
                  "%s", error.message);
    hlo_string_free(&out);
    hlo_module_destroy(module);
  }
}

// The backend_config of a custom call may be any attribute; as HLO text it reads back.
static void test_backend_configs(void) {
  static const char *const configs[] = {"f32",
                                        "tensor<2xf32>",
                                        "(i32) -> i32",
                                        "!foo.bar<x>",
                                        "@f",
                                        "1 : i32",
                                        "1.0 : f32",
                                        "[1, 2]",
                                        "[f32, (i32) -> (i32)]",
                                        "dense<1> : tensor<2xi32>",
                                        "#foo.bar<\"a\">",
                                        "unit",
                                        "true",
                                        "[]",
                                        "array<i64: 1, 2>",
                                        "\"text, with = and }\"",
                                        "{}",
                                        "{k = f32, l = (i32) -> i32}",
                                        "{k = {l = !foo.bar<\"}\">}, m = [1.0 : f32]}"};
  for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
    char text[512];
    hlo_string once = {0}, twice = {0};
    snprintf(text, sizeof text,
             "func.func @main(%%x: tensor<2xf32>) -> tensor<2xf32> {\n%%0 = "
             "\"stablehlo.custom_call\"(%%x) {call_target_name = \"f\", api_version = 4 : i32, "
             "backend_config = %s} : (tensor<2xf32>) -> tensor<2xf32>\n"
             "return %%0 : tensor<2xf32>\n}",
             configs[i]);
    hlo_module *module = parse_program(text, strlen(text), configs[i]);
    if (module == NULL) continue;
    hlo_print_hlo(&once, module);
    hlo_module *again = parse_program(once.text, once.length, configs[i]);
    if (again != NULL) hlo_print_hlo(&twice, again);
    CHECK_MESSAGE(again != NULL && equal_texts(&once, &twice), "%s prints differently", configs[i]);
    check_print(configs[i], module, true);
    hlo_module_destroy(module);
    hlo_module_destroy(again);
    hlo_string_free(&once);
    hlo_string_free(&twice);
  }
}

// Regions that are shared are written for each use, which may double at every level.
static void test_doubling(void) {
  enum { LEVELS = 60 };
  char *text = malloc(400 * LEVELS), *at = text;
  at += sprintf(at, "HloModule m\nc { p = s32[] parameter(0) ROOT r = pred[] constant(true) }\n"
                    "b0 { ROOT p = s32[] parameter(0) }\n");
  for (int i = 1; i < LEVELS; i++)
    at += sprintf(at,
                  "b%d { p = s32[] parameter(0)\n x = s32[] while(p), condition=c, body=b%d\n"
                  " ROOT y = s32[] while(x), condition=c, body=b%d }\n",
                  i, i - 1, i - 1);
  sprintf(at, "ENTRY e { p = s32[] parameter(0) ROOT w = s32[] while(p), condition=c, body=b%d }\n",
          LEVELS - 1);
  hlo_module *module = parse_program(text, strlen(text), "doubling");
  hlo_string out = {0};
  hlo_error error = {0};
  hlo_memory_set_limit((size_t)32 << 20);
  hlo_status status = hlo_print_stablehlo(&out, module, &error);
  CHECK(status == HLO_UNSUPPORTED || status == HLO_OUT_OF_MEMORY);
  hlo_memory_set_limit(SIZE_MAX);
  hlo_string_free(&out);
  hlo_module_destroy(module);
  free(text);
}

// Bounded dimensions: types of operands and results that differ only in them are all written.
static void test_dynamic(void) {
  static const char text[] =
      "HloModule m\n"
      "ENTRY e {\n"
      "  a = f32[6] parameter(0)\n  n = s32[] parameter(1)\n  p = pred[6] parameter(2)\n"
      "  v = f32[<=6] set-dimension-size(a, n), dimensions={0}\n"
      "  w = f32[<=6] add(v, a)\n  x = f32[<=6] select(p, v, w)\n  c = c64[<=6] complex(x, a)\n"
      "  m = f32[<=3,<=2] dynamic-reshape(x, n, n)\n"
      "  ROOT t = (c64[<=6], f32[<=3,<=2]) tuple(c, m)\n"
      "}\n";
  hlo_module *module = parse_program(text, strlen(text), "dynamic"), *again = NULL;
  hlo_string first = {0}, second = {0};
  hlo_error error = {0};
  CHECK(hlo_print_stablehlo(&first, module, &error) == HLO_OK);
  CHECK(strstr(first.text, "(tensor<?xf32, #stablehlo.bounds<6>>, tensor<2xi32>) -> "
                           "tensor<?x?xf32, #stablehlo.bounds<3, 2>>") != NULL);
  again = parse_program(first.text, first.length, "dynamic, printed");
  CHECK(again != NULL && again->entry->root->shape->element_count == 2);
  if (again != NULL) {
    const hlo_shape *result = again->entry->root->shape;
    CHECK(hlo_shape_equal(result, module->entry->root->shape));
    CHECK(hlo_print_stablehlo(&second, again, &error) == HLO_OK);
    CHECK(strstr(second.text, "(tensor<?xf32, #stablehlo.bounds<6>>, tensor<6xf32>) -> "
                              "tensor<?xf32, #stablehlo.bounds<6>>") != NULL);
  }
  hlo_string_free(&first);
  hlo_string_free(&second);
  hlo_module_destroy(again);
  hlo_module_destroy(module);
}

// A list of sizes is scalars in between; it is printed as the list again.
static void test_sizes(void) {
  static const char text[] =
      "func.func @main(%a: tensor<10xf32>, %s: tensor<2xi32>) -> "
      "tensor<?x?xf32, #stablehlo.bounds<5, 10>> {\n"
      " %r = stablehlo.dynamic_reshape %a, %s : (tensor<10xf32>, tensor<2xi32>) -> "
      "tensor<?x?xf32, #stablehlo.bounds<5, 10>>\n"
      " return %r : tensor<?x?xf32, #stablehlo.bounds<5, 10>>\n}";
  hlo_module *module = parse_program(text, strlen(text), "sizes");
  CHECK(check_print("sizes", module, true));
  hlo_module_destroy(module);
}

static void test_memory(void) {
  hlo_module *module = parse_program(much_syntax, strlen(much_syntax), "much syntax");
  size_t before = hlo_memory_in_use();
  hlo_status status = HLO_OUT_OF_MEMORY;
  int n = 1;
  for (; n < 1000 && status != HLO_OK; n++) {
    hlo_string out = {0};
    hlo_error error = {0};
    hlo_memory_fail_after(n);
    status = hlo_print_stablehlo(&out, module, &error);
    hlo_memory_fail_after(0);
    hlo_string_free(&out);
    CHECK(status == HLO_OK || status == HLO_OUT_OF_MEMORY);
    CHECK(status == error.status && hlo_memory_in_use() == before);
  }
  CHECK(n > 2 && n < 1000);
  hlo_module_destroy(module);
}

int main(void) {
  CHECK(for_each_file("tests/fixtures/stablehlo_forms", NULL, ".mlir", check_stablehlo_file) >= 90);
  CHECK(for_each_file("tests/fixtures/stablehlo_text", NULL, ".mlir", check_stablehlo_file) >= 50);
  CHECK(for_each_file("tests/fixtures/check/pass", NULL, ".mlir", check_check_file) >= 5);
  int files = for_each_file("tests/fixtures/hlo_text", NULL, ".hlo", check_hlo_file);
  CHECK_MESSAGE(printed * 10 >= files * 7, "of %d files %d print", files, printed);
  test_exact();
  test_dense();
  test_unsupported();
  test_backend_configs();
  test_doubling();
  test_dynamic();
  test_sizes();
  test_memory();
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
