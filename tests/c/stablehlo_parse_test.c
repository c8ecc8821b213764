// Tests reading StableHLO text. Every form of an operation must become the program that XLA's own
// import makes of it (tests/fixtures/stablehlo_forms.py); dumps of JAX must read, with and without
// locations, pretty and generic. Bad text: stablehlo_bad_text_test.c.
#include "parse_text.h"
#include "same_program.h"
#include "stablehlo_text_files.h"

static hlo_module *parse(const char *text) { return parse_text(HLO_FORMAT_STABLEHLO, text); }

static void check_same(const char *name, const hlo_module *a, const hlo_module *b) {
  program_difference difference = {0};
  if (a == NULL || b == NULL || a->entry == NULL || b->entry == NULL) {
    CHECK_MESSAGE(false, "%s has no entry", name);
    return;
  }
  bool same = same_computation(a->entry, b->entry, &difference);
  CHECK_MESSAGE(same, "%s: %s of %%%s (%s) and of %%%s (%s)", name, difference.what,
                difference.a->name, hlo_op_get(difference.a->opcode)->name, difference.b->name,
                hlo_op_get(difference.b->opcode)->name);
}

// StableHLO text that says what HLO text does.
static void check_same_texts(const char *name, const char *stablehlo, const char *hlo) {
  hlo_module *got = parse(stablehlo), *want = NULL;
  hlo_error error = {0};
  CHECK(hlo_parse_hlo(hlo, strlen(hlo), &want, &error) == HLO_OK);
  check_same(name, got, want);
  hlo_module_destroy(got);
  hlo_module_destroy(want);
}

// "a/dots_generic.mlir" with "_generic.mlir" replaced; false when it does not end so.
static bool replace_end(char *path, const char *end, const char *with) {
  if (!ends_with(path, end)) return false;
  strcpy(path + strlen(path) - strlen(end), with);
  return true;
}

// --- forms ---

static void check_form(const char *path) {
  char expected[512];
  strcpy(expected, path);
  if (!replace_end(expected, "_pretty.mlir", ".hlo") &&
      !replace_end(expected, "_generic.mlir", ".hlo"))
    replace_end(expected, ".mlir", ".hlo");
  hlo_module *got = parse_file(path), *want = parse_file(expected);
  check_same(path, got, want);
  hlo_module_destroy(got);
  hlo_module_destroy(want);
}

// TensorFlow writes MHLO, StableHLO's older name: the same operations, and some that only HLO has.
static void check_mhlo(const char *path) {
  static const char from[] = "stablehlo.", to[] = "mhlo.";
  size_t length, at = 0;
  char *text = read_file(path, &length);
  for (size_t i = 0; i < length; at++) {
    bool is_name = strncmp(text + i, from, sizeof from - 1) == 0;
    if (is_name) memcpy(text + at, to, sizeof to - 1);
    else text[at] = text[i];
    i += is_name ? sizeof from - 1 : 1;
    at += is_name ? sizeof to - 2 : 0;
  }
  hlo_module *got = NULL, *want = parse_file(path);
  hlo_error error = {0};
  hlo_status status = hlo_parse_stablehlo(text, at, &got, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s as MHLO:%d:%d: %s", path, error.line, error.column,
                error.message);
  if (status == HLO_OK) check_same(path, got, want);
  free(text);
  hlo_module_destroy(got);
  hlo_module_destroy(want);
}

static void test_mhlo_only(void) {
  check_same_texts(
      "what only MHLO has",
      "func.func @main(%x: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x2xi32>) {\n"
      " %0 = mhlo.erf %x : tensor<2x4xf32>\n"
      " %1 = mhlo.copy %0 {cross_program_prefetch_index = 0 : i32} : tensor<2x4xf32>\n"
      " %2:2 = mhlo.topk(%1, k = 2, largest = false) : tensor<2x4xf32> -> (tensor<2x2xf32>, "
      "tensor<2x2xi32>)\n"
      " %3 = \"mhlo.asinh\"(%1) : (tensor<2x4xf32>) -> tensor<2x4xf32>\n"
      " return %3, %2#1 : tensor<2x4xf32>, tensor<2x2xi32>\n}",
      "ENTRY main {\n x = f32[2,4] parameter(0)\n e = f32[2,4] erf(x)\n c = f32[2,4] copy(e)\n"
      " t = (f32[2,2], s32[2,2]) topk(c), k=2, largest=false\n a = f32[2,4] asinh(c)\n"
      " i = s32[2,2] get-tuple-element(t), index=1\n"
      " ROOT r = (f32[2,4], s32[2,2]) tuple(a, i)\n}\n");
}

// --- JAX's dumps ---

static void check_dump(const char *path) {
  static const char *const variants[] = {"_generic_locations.mlir", "_generic.mlir",
                                         "_inline_locations.mlir",  "_name_locations.mlir",
                                         "_locations.mlir",         "_exported.mlir"};
  hlo_module *module = parse_file(path);
  char base[512];
  strcpy(base, path);
  bool is_variant = false;
  for (size_t i = 0; i < sizeof variants / sizeof *variants && !is_variant; i++)
    is_variant = replace_end(base, variants[i], ".mlir");
  bool has_other_content = ends_with(path, "attention_exported.mlir"); // chlo became custom calls
  if (is_variant && !has_other_content) {
    hlo_module *plain = parse_file(base);
    check_same(path, module, plain);
    hlo_module_destroy(plain);
  }
  hlo_module_destroy(module);
}

// --- what modules hold ---

static const hlo_instruction *find(const hlo_module *module, const char *computation,
                                   const char *name) {
  const hlo_computation *c = hlo_module_find(module, computation);
  const hlo_instruction *x = c == NULL ? NULL : hlo_computation_find(c, name, strlen(name));
  CHECK_MESSAGE(x != NULL, "no %s in %s", name, computation);
  if (x == NULL) exit(CHECK_RESULT());
  return x;
}

static void test_names_and_places(void) {
  hlo_module *m = parse("module @jit_f {\n"
                        "  func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                        "    %sum = stablehlo.add %x, %x : tensor<2xf32>\n"
                        "    %0 = stablehlo.negate %sum : tensor<2xf32>\n"
                        "    return %0 : tensor<2xf32>\n"
                        "  }\n"
                        "}\n");
  CHECK(strcmp(m->name, "jit_f") == 0);
  const hlo_instruction *sum = find(m, "main", "sum"), *negate = find(m, "main", "negate");
  CHECK(sum->opcode == HLO_OP_ADD && sum->line == 3 && sum->column == 12);
  CHECK(negate->line == 4 && m->entry->root == negate);
  CHECK(find(m, "main", "x")->opcode == HLO_OP_PARAMETER);
  hlo_module_destroy(m);
}

static void test_functions(void) {
  hlo_module *m = parse("func.func @b(%x: tensor<f32>) -> tensor<f32> {\n"
                        "  %0 = call @c(%x) : (tensor<f32>) -> tensor<f32>\n"
                        "  return %0 : tensor<f32>\n}\n"
                        "func.func private @external(tensor<f32> {a.b}) -> tensor<f32>\n"
                        "func.func @a() { return }\n"
                        "func.func private @c(%x: tensor<f32>) -> tensor<f32> {\n"
                        "  return %x : tensor<f32>\n}\n");
  CHECK(m->entry == NULL && m->computation_count == 3);
  CHECK(hlo_module_find(m, "c")->index < hlo_module_find(m, "b")->index);
  for (int32_t i = 0; i < m->computation_count; i++) {
    CHECK(m->computations[i]->is_function && m->computations[i]->index == i);
  }
  const hlo_instruction *root = hlo_module_find(m, "a")->root;
  CHECK(root->opcode == HLO_OP_TUPLE && root->operand_count == 0);
  hlo_module_destroy(m);
  m = parse("func.func @only(%x: tensor<f32>) -> tensor<f32> { return %x : tensor<f32> }");
  CHECK(m->entry != NULL && strcmp(m->entry->name, "only") == 0);
  hlo_module_destroy(m);
  m = parse("func.func @main() -> tensor<4xi1> {\n"
            " %c = stablehlo.constant dense<[1, -1, 0, true]> : tensor<4xi1>\n"
            " return %c : tensor<4xi1>\n}");
  CHECK(memcmp(m->entry->root->literal->data, "\1\1\0\1", 4) == 0); // as MLIR: -1 is a set bit
  hlo_module_destroy(m);
  m = parse("func.func @f() -> tensor<i1> {\n %c = stablehlo.constant dense<true> : tensor<i1>\n"
            " return %c : tensor<i1>\n}\nfunc.func @main() { return }");
  CHECK(m->entry != NULL && strcmp(m->entry->name, "main") == 0);
  hlo_module_destroy(m);
}

static bool text_is(const hlo_instruction *x, hlo_attribute_id id, const char *want) {
  const char *text = hlo_get_text(x, id);
  return text != NULL && strcmp(text, want) == 0;
}

static void check_expectation(const hlo_instruction *x, const char *target, const char *config) {
  CHECK(x->opcode == HLO_OP_CUSTOM_CALL && x->operand_count == 2);
  CHECK(hlo_get_int(x, HLO_ATTRIBUTE_CUSTOM_CALL_HAS_SIDE_EFFECT, 0) == 1);
  CHECK(text_is(x, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET, target));
  CHECK_MESSAGE(text_is(x, HLO_ATTRIBUTE_BACKEND_CONFIG, config), "%s",
                hlo_get_text(x, HLO_ATTRIBUTE_BACKEND_CONFIG));
}

static void test_expectations(void) {
  hlo_module *m = parse(
      "func.func @main(%x: tensor<2xf32>) {\n"
      " check.expect_eq %x, %x : tensor<2xf32>\n"
      " check.expect_eq_const %x, dense<[1.0, 2.0]> : tensor<2xf32>\n"
      " check.expect_almost_eq_const %x, dense<3.0> {tolerance = 1.0e-3 : f64} : tensor<2xf32>\n"
      " check.expect_close %x, %x, max_ulp_difference = 2, min_ulp_difference = 1 : tensor<2xf32>, "
      "tensor<2xf32>\n"
      " \"check.expect_eq_const\"(%x) {value = dense<4.0> : tensor<2xf32>} : (tensor<2xf32>) -> "
      "()\n"
      " stablehlo.custom_call @check.expect_close(%x, %x) {has_side_effect = true, "
      "max_ulp_difference = 5 : ui64} : (tensor<2xf32>, tensor<2xf32>) -> ()\n"
      " %p = interpreter.probe %x, probe_id = \"p1\" : tensor<2xf32>\n"
      " interpreter.print %p : tensor<2xf32>\n"
      " return\n}");
  const hlo_instruction *calls[8];
  int count = 0;
  for (int32_t i = 0; i < m->entry->instruction_count; i++) {
    const hlo_instruction *x = m->entry->instructions[i];
    if (x->opcode == HLO_OP_CUSTOM_CALL && count < 8) calls[count++] = x;
  }
  CHECK(count == 8);
  check_expectation(calls[0], "check.expect_eq", "{form = \"op\"}");
  check_expectation(calls[1], "check.expect_eq", "{form = \"op\"}");
  CHECK(calls[1]->operands[1]->opcode == HLO_OP_CONSTANT && calls[1]->line == 3);
  check_expectation(calls[2], "check.expect_almost_eq",
                    "{form = \"op\", tolerance = 1.0e-3 : f64}");
  CHECK(calls[2]->operands[1]->opcode == HLO_OP_BROADCAST);
  check_expectation(calls[3], "check.expect_close",
                    "{form = \"op\", max_ulp_difference = 2, min_ulp_difference = 1}");
  check_expectation(calls[4], "check.expect_eq", "{form = \"op\"}");
  check_expectation(calls[5], "check.expect_close",
                    "{form = \"custom_call\", max_ulp_difference = 5 : ui64}");
  CHECK(text_is(calls[6], HLO_ATTRIBUTE_CUSTOM_CALL_TARGET, "interpreter.probe"));
  CHECK(calls[7]->operands[0] == calls[6] && calls[7]->shape->element_count == 0);
  hlo_module_destroy(m);
}

// Values of outer regions inside loops inside branches; each is carried all the way.
static void test_nested_captures(void) {
  hlo_module *got = parse(
      "func.func @main(%p: tensor<i1>, %n: tensor<i32>, %x: tensor<2xf32>) -> tensor<2xf32> {\n"
      " %k = stablehlo.constant dense<3.0> : tensor<2xf32>\n"
      " %0 = \"stablehlo.if\"(%p) ({\n"
      "  %1:2 = stablehlo.while(%i = %n, %y = %x) : tensor<i32>, tensor<2xf32>\n"
      "  cond {\n"
      "   %2 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
      "   stablehlo.return %2 : tensor<i1>\n"
      "  } do {\n"
      "   %2 = stablehlo.add %y, %x : tensor<2xf32>\n"
      "   %3 = stablehlo.multiply %2, %k : tensor<2xf32>\n"
      "   %4 = stablehlo.add %i, %n : tensor<i32>\n"
      "   stablehlo.return %4, %3 : tensor<i32>, tensor<2xf32>\n"
      "  }\n"
      "  stablehlo.return %1#1 : tensor<2xf32>\n"
      " }, {\n"
      "  stablehlo.return %x : tensor<2xf32>\n"
      " }) : (tensor<i1>) -> tensor<2xf32>\n"
      " return %0 : tensor<2xf32>\n}");
  static const char want_text[] =
      "HloModule m\n"
      "cond { t = (s32[], f32[2], s32[], f32[2]) parameter(0)\n"
      "  i = s32[] get-tuple-element(t), index=0\n  n = s32[] get-tuple-element(t), index=2\n"
      "  ROOT r = pred[] compare(i, n), direction=LT }\n"
      "body { t = (s32[], f32[2], s32[], f32[2]) parameter(0)\n"
      "  i = s32[] get-tuple-element(t), index=0\n  y = f32[2] get-tuple-element(t), index=1\n"
      "  n = s32[] get-tuple-element(t), index=2\n  x = f32[2] get-tuple-element(t), index=3\n"
      "  a = f32[2] add(y, x)\n  c = f32[] constant(3)\n  k = f32[2] broadcast(c), dimensions={}\n"
      "  b = f32[2] multiply(a, k)\n  j = s32[] add(i, n)\n"
      "  ROOT r = (s32[], f32[2], s32[], f32[2]) tuple(j, b, n, x) }\n"
      "yes { t = (s32[], f32[2]) parameter(0)\n"
      "  n = s32[] get-tuple-element(t), index=0\n  x = f32[2] get-tuple-element(t), index=1\n"
      "  s = (s32[], f32[2], s32[], f32[2]) tuple(n, x, n, x)\n"
      "  w = (s32[], f32[2], s32[], f32[2]) while(s), condition=cond, body=body\n"
      "  ROOT r = f32[2] get-tuple-element(w), index=1 }\n"
      "no { ROOT x = f32[2] parameter(0) }\n"
      "ENTRY main { p = pred[] parameter(0)\n  n = s32[] parameter(1)\n  x = f32[2] parameter(2)\n"
      "  t = (s32[], f32[2]) tuple(n, x)\n"
      "  ROOT r = f32[2] conditional(p, t, x), true_computation=yes, false_computation=no }\n";
  hlo_module *want = NULL;
  hlo_error error = {0};
  CHECK(hlo_parse_hlo(want_text, strlen(want_text), &want, &error) == HLO_OK);
  check_same("nested captures", got, want);
  hlo_module_destroy(got);
  hlo_module_destroy(want);
}

// MLIR's form for people, which MLIR itself does not read: PyTorch/XLA writes it when debugging.
static void test_bare_locations(void) {
  check_same_texts(
      "locations without loc",
      "#loc1 = /tmp/torch/nn/functional.py:1861:0\n#loc2 = <string>:14:0\n#loc3 = \"data\"\n"
      "#loc7 = \"celu\"(#loc1)\n#loc9 = #loc7\n at #loc2\n#loc10 = \"data\"(/a-b/c.py:1:2)\n"
      "module @m attributes {mhlo.is_dynamic = false} {\n"
      " func.func @main(%x: tensor<4xf32> \"data\"(#loc9), %y: tensor<4xf32> [unknown], "
      "%z: tensor<4xf32> /a/b.py:1:2) -> tensor<4xf32> {\n"
      "  %0 = stablehlo.add %x, %y : tensor<4xf32> \"aten__add.1/aten__add\"\n"
      "  %1 = \"stablehlo.add\"(%0, %z) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> #loc7\n"
      "   at #loc2\n"
      "  %2 = stablehlo.negate %1 : tensor<4xf32> \"a\"(\"b\"(#loc1)) %3 = stablehlo.abs %2 : "
      "tensor<4xf32> \"stablehlo.optimization_barrier\"() : () -> ()\n"
      "  return %3 : tensor<4xf32> [unknown]\n } <string>:3:1\n} [unknown]\n#loc = [unknown]\n",
      "ENTRY main {\n x = f32[4] parameter(0)\n y = f32[4] parameter(1)\n"
      " z = f32[4] parameter(2)\n a = f32[4] add(x, y)\n b = f32[4] add(a, z)\n"
      " n = f32[4] negate(b)\n ROOT c = f32[4] abs(n)\n}\n");
}

static void test_much_syntax(void) {
  hlo_module *m = parse(much_syntax);
  CHECK(strcmp(m->name, "m_x") == 0 && m->entry->parameter_count == 2);
  hlo_module_destroy(m);
}

int main(void) {
  CHECK(for_each_file("tests/fixtures/stablehlo_forms", NULL, ".mlir", check_form) >= 90);
  CHECK(for_each_file("tests/fixtures/stablehlo_forms", NULL, ".mlir", check_mhlo) >= 90);
  test_mhlo_only();
  test_bare_locations();
  CHECK(for_each_file("tests/fixtures/stablehlo_text", NULL, ".mlir", check_dump) >= 50);
  CHECK(for_each_file("demo/examples/classifier", NULL, ".mlir", check_dump) == 2);
  CHECK(for_each_file("demo/examples/training", NULL, ".mlir", check_dump) == 2);
  test_names_and_places();
  test_functions();
  test_expectations();
  test_nested_captures();
  test_much_syntax();
  return CHECK_RESULT();
}
