// Tests printing HLO text: byte for byte what XLA 0.10.2 prints, and print∘parse a fixed point that
// loses nothing.
#include "check.h"
#include "hlo_text_files.h"
#include "op_cases.h"
#include "text/text.h"

#include <string.h>

// What parsing and printing makes of a text; "" when it is refused.
static hlo_string reprint(const char *text, size_t length, hlo_error *error) {
  hlo_string out = {0};
  hlo_module *module = NULL;
  if (hlo_parse_hlo(text, length, &module, error) == HLO_OK) hlo_print_hlo(&out, module);
  else hlo_string_add(&out, "");
  hlo_module_destroy(module);
  return out;
}

// The first line in which two texts differ, 0 for none.
static int different_line(const char *a, const char *b) {
  int line = 1;
  for (; *a == *b; a++, b++) {
    if (*a == 0) return 0;
    if (*a == '\n') line++;
  }
  return line;
}

// Prints once and twice; returns the first print.
static hlo_string check_fixed_point(const char *path, const char *text, size_t length) {
  hlo_error error = {0};
  hlo_string once = reprint(text, length, &error);
  CHECK_MESSAGE(error.status == HLO_OK, "%s:%d:%d: %s", path, error.line, error.column,
                error.message);
  if (error.status != HLO_OK) return once;
  hlo_string twice = reprint(once.text, once.length, &error);
  CHECK_MESSAGE(error.status == HLO_OK, "%s printed: %d:%d: %s", path, error.line, error.column,
                error.message);
  CHECK_MESSAGE(strcmp(once.text, twice.text) == 0, "%s: prints differ in line %d", path,
                different_line(once.text, twice.text));
  hlo_string_free(&twice);
  return once;
}

// --- single instructions ---

static const struct {
  const char *written;
  const char *printed; // by XLA
} instructions[] = {
    {"add(p, p)", "f32[4]{0} add(%p, %p)"},
    {"f32[4] add(f32[4]{0} p, f32[4] %p)", "f32[4]{0} add(%p, %p)"},
    {"f32[4] /*a*/ negate(p /*b*/,)", "f32[4]{0} negate(%p)"},
    {"f32[6] pad(p, s), padding=0_2", "f32[6]{0} pad(%p, %s), padding=0_2"},
    {"f32[9] pad(p, s), padding=0_2_1", "f32[9]{0} pad(%p, %s), padding=0_2_1"},
    {"f32[3] pad(p, s), padding=0_-1_0", "f32[3]{0} pad(%p, %s), padding=0_-1"},
    {"f32[12,4] pad(m, s), padding=1_1_2x0_0", "f32[12,4]{1,0} pad(%m, %s), padding=1_1_2x0_0_0"},
    {"f32[1,6,6,4] convolution(i, w), window={pad=0_0x0_0 size=3x3 stride=1x1}, "
     "dim_labels=b01f_01io->b01f",
     "f32[1,6,6,4]{3,2,1,0} convolution(%i, %w), window={size=3x3}, dim_labels=b01f_01io->b01f"},
    {"f32[1,7,7,4] convolution(i, w), window={size=3x3 rhs_reversal=1x1 pad=0_1x0_1}, "
     "dim_labels=b01f_01io->b01f, operand_precision={highest, default}",
     "f32[1,7,7,4]{3,2,1,0} convolution(%i, %w), window={size=3x3 pad=0_1x0_1 rhs_reversal=1x1}, "
     "dim_labels=b01f_01io->b01f, operand_precision={highest,default}"},
    {"f32[4,8] reduce-window(m, s), window={size=1x1 pad=0_0x0_1 rhs_dilate=2x1 lhs_dilate=1x2}, "
     "to_apply=sum",
     "f32[4,8]{1,0} reduce-window(%m, %s), window={size=1x1 pad=0_0x0_1 lhs_dilate=1x2 "
     "rhs_dilate=2x1}, to_apply=%sum"},
    {"f32[2,2] slice(m), slice={ [0:2],[1:4:2] }",
     "f32[2,2]{1,0} slice(%m), slice={[0:2:1], [1:4:2]}"},
    {"f32[2,2] slice(m), slice={[0:2:1], [1:3:1]}",
     "f32[2,2]{1,0} slice(%m), slice={[0:2], [1:3]}"},
    {"f32[4] all-reduce(p), replica_groups={{0, 1}, {2,3}}, to_apply=sum",
     "f32[4]{0} all-reduce(%p), replica_groups={{0,1},{2,3}}, to_apply=%sum"},
    {"f32[4] all-reduce(p), replica_groups={}, to_apply=sum",
     "f32[4]{0} all-reduce(%p), replica_groups={}, to_apply=%sum"},
    {"f32[4] all-reduce(p), replica_groups=[2,4]<=[4,2]T(1,0), to_apply=sum",
     "f32[4]{0} all-reduce(%p), replica_groups=[2,4]<=[4,2]T(1,0), to_apply=%sum"},
    {"f32[4] all-reduce(p), replica_groups=[1,2]<=[2] /*x*/ , to_apply=sum",
     "f32[4]{0} all-reduce(%p), replica_groups=[1,2]<=[2], to_apply=%sum"},
    {"f32[4] collective-permute(p), source_target_pairs={{0,1},{1,0}}",
     "f32[4]{0} collective-permute(%p), source_target_pairs={{0,1},{1,0}}"},
    {"f32[4]{0} collective-permute(p,p,n,n), source_target_pairs={{0,1}}, slice_sizes={{4}}",
     "f32[4]{0} collective-permute(%p, %p, %n, %n), source_target_pairs={{0,1}}, "
     "slice_sizes={{4}}"},
    {"f32[4] custom-call(p), custom_call_target=\"a\\\"b\\n\\x41\\xc3\\xa9\\'\\t\"",
     "f32[4]{0} custom-call(%p), custom_call_target=\"a\\\"b\\nA\\303\\251\\'\\t\""},
    {"f32[4] custom-call(p), custom_call_target='x\"y'",
     "f32[4]{0} custom-call(%p), custom_call_target=\"x\\\"y\""},
    {"f32[4] custom-call(p,p,p,p,p,p,p), custom_call_target=\"a\", "
     "backend_config={\"a\":[1,{\"b\":\"}\"}]}",
     "f32[4]{0} custom-call(%p, %p, %p, %p, %p, /*index=5*/%p, %p), custom_call_target=\"a\", "
     "backend_config={\"a\":[1,{\"b\":\"}\"}]}"},
    {"f32[4] custom-call(p), custom_call_target=\"a\", called_computations={sum,%id}",
     "f32[4]{0} custom-call(%p), custom_call_target=\"a\", called_computations={%sum, %id}"},
    {"f32[4] custom-call(p), custom_call_target=\"a\", custom_call_has_side_effect=true, "
     "api_version=API_VERSION_TYPED_FFI",
     "f32[4]{0} custom-call(%p), custom_call_target=\"a\", custom_call_has_side_effect=true, "
     "api_version=API_VERSION_TYPED_FFI"},
    {"f32[4] negate(p), sharding={devices=[2]<=[2]}, frontend_attributes={a=\"b\"}, "
     "metadata={op_type=\"a\" op_name=\"b\" source_file=\"c\\\"\" source_line=3}",
     "f32[4]{0} negate(%p), sharding={devices=[2]<=[2]}, frontend_attributes={a=\"b\"}, "
     "metadata={op_type=\"a\" op_name=\"b\" source_file=\"c\\\"\" source_line=3}"},
    {"f32[4] negate(p), control-predecessors={s,m}",
     "f32[4]{0} negate(%p), control-predecessors={%s, %m}"},
    {"f32[4] negate(p), statistics={visualizing_index=1,foo=3.5}",
     "f32[4]{0} negate(%p), statistics={visualizing_index=1,foo=3.5}"},
    {"f32[4] fusion(p), kind=kLoop, calls=id", "f32[4]{0} fusion(%p), kind=kLoop, calls=%id"},
    {"f32[4] sort(p), dimensions={ 0 }, is_stable=true, to_apply=lt",
     "f32[4]{0} sort(%p), dimensions={0}, is_stable=true, to_apply=%lt"},
    {"pred[4] compare(p,p), direction=LT, type=TOTALORDER",
     "pred[4]{0} compare(%p, %p), direction=LT, type=TOTALORDER"},
    {"f32[4] batch-norm-inference(p,p,p,p,p), epsilon=1e-3, feature_index=0",
     "f32[4]{0} batch-norm-inference(%p, %p, %p, %p, %p), epsilon=0.001, feature_index=0"},
    {"f32[4] batch-norm-inference(p,p,p,p,p), epsilon=1e-07, feature_index=0",
     "f32[4]{0} batch-norm-inference(%p, %p, %p, %p, %p), epsilon=1e-07, feature_index=0"},
    {"f32[4] rng(s, s), distribution=rng_uniform",
     "f32[4]{0} rng(%s, %s), distribution=rng_uniform"},
    {"f32[4] reduce-precision(p), exponent_bits=5, mantissa_bits=10",
     "f32[4]{0} reduce-precision(%p), exponent_bits=5, mantissa_bits=10"},
    {"f32[4] copy(f32[4]{0:T(8)} p)", "f32[4]{0} copy(%p)"},
    {"f32[4]{0:T(8,128)S(1)} copy(p)", "f32[4]{0:T(8,128)S(1)} copy(%p)"},
    {"f32[4,4]{0,1} transpose(m), dimensions={1,0}",
     "f32[4,4]{0,1} transpose(%m), dimensions={1,0}"},
    {"f32[1] dynamic-slice(p, n), dynamic_slice_sizes={1}",
     "f32[1]{0} dynamic-slice(%p, %n), dynamic_slice_sizes={1}"},
    {"(f32[4], f32[], f32[4,4], s32[], f32[], f32[4]) tuple(p, s, m, n, s, p)",
     "(f32[4]{0}, f32[], f32[4,4]{1,0}, s32[], f32[], /*index=5*/f32[4]{0}) tuple(%p, %s, %m, %n, "
     "%s, /*index=5*/%p)"},
    {"f32[] conditional(n, s, s), branch_computations={neg,%neg}",
     "f32[] conditional(%n, %s, %s), branch_computations={%neg, %neg}"},
    {"f32[4] get-tuple-element((f32[4], s32[]) t), index=0",
     "f32[4]{0} get-tuple-element(%t), index=0"},
    {"s32[2,2] constant({ {1,2}, /*i0=1*/{3,4}})",
     "s32[2,2]{1,0} constant({ { 1, 2 }, { 3, 4 } })"},
    {"f32[3] constant({1e10, -0.0, 0.1})", "f32[3]{0} constant({1e+10, -0, 0.1})"},
    {"pred[] constant(true)", "pred[] constant(true)"},
    {"c64[2] constant({(1,-2.5),(nan,nan)})", "c64[2]{0} constant({(1, -2.5), (nan, nan)})"},
};

static const char frame[] = "HloModule m\n"
                            "sum { a = f32[] parameter(0) b = f32[] parameter(1)\n"
                            " ROOT c = f32[] add(a, b) }\n"
                            "lt { a = f32[] parameter(0) b = f32[] parameter(1)\n"
                            " ROOT c = pred[] compare(a, b), direction=LT }\n"
                            "neg { a = f32[] parameter(0) ROOT c = f32[] negate(a) }\n"
                            "id { ROOT a = f32[4]{0} parameter(0) }\n"
                            "ENTRY e {\n"
                            " p = f32[4]{0} parameter(0) s = f32[] parameter(1)\n"
                            " m = f32[4,4]{1,0} parameter(2) i = f32[1,8,8,3] parameter(3)\n"
                            " w = f32[3,3,3,4] parameter(4) n = s32[] parameter(5)\n"
                            " t = (f32[4]{0}, s32[]) tuple(p, n)\n"
                            " ROOT r = ";

static void test_instructions(void) {
  for (size_t i = 0; i < sizeof instructions / sizeof instructions[0]; i++) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s\n}\n", frame, instructions[i].written);
    hlo_string out = check_fixed_point(instructions[i].written, text, strlen(text));
    const char *line = strstr(out.text, "  ROOT %r = ");
    CHECK(line != NULL);
    size_t length = line == NULL ? 0 : strcspn(line += 12, "\n");
    CHECK_MESSAGE(line != NULL && length == strlen(instructions[i].printed) &&
                      memcmp(line, instructions[i].printed, length) == 0,
                  "%s\n prints as %.*s\n and not %s", instructions[i].written, (int)length, line,
                  instructions[i].printed);
    hlo_string_free(&out);
  }
}

// --- whole modules ---

static void test_every_syntax(void) {
  hlo_string out = check_fixed_point("every_syntax", every_syntax, sizeof every_syntax - 1);
  static const char *const kept[] = {
      "HloModule every.syntax-1, is_scheduled=true, "
      "entry_computation_layout={(f32[2,3]{1,0})->f32[]"
      "}, input_output_alias={ {0}: (0, {}, may-alias) }, num_partitions=4, "
      "frontend_attributes={a=\"}\"}\n\nFileNames\n1 \"/app/a \\\"b\\\".py\"\n\nFunctionNames\n",
      "\nStackFrames\n1 {file_location_id=1 parent_frame_id=1}\n\n\n%region_0.3 (Arg_0.4: f32[], "
      "Arg_1.5: f32[]) -> f32[] {\n",
      "metadata={op_name=\"a/b\" source_line=3}\n}, execution_thread=\"host\"\n\n%ge (a: f32[]",
      "ENTRY %main/x.10 (p0: f32[2,3], \"q 1\": f32[1,8,8,3]) -> (f32[2,3], f32[]) {\n",
      "  %p0 = f32[2,3]{1,0:T(8,128)S(1)} parameter(0), sharding={devices=[2,2]<=[4] "
      "last_tile_dim_replicate}\n",
      "  %\"q 1\" = f32[1,8,8,3]{3,2,1,0} parameter(1), "
      "frontend_attributes={x=\"{\\\"\",y={1,2}}\n",
      "  %c4 = f32[1000]{0} constant({...})\n",
      "  %pad0 = f32[] pad(%c0, %c0), padding=\n",
      "replica_groups=mesh['x'=2,'y'=2] {'y'}, dimensions={0}\n",
      "custom_call_target=\"a\\n\\\"b\\\\\", backend_config={\"a\":[1,{\"b\":\"}\"}]}, "
      "called_computations={%ge, %branch}",
      "outfeed_config=\"x\\001\\303\"\n",
  };
  for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
    CHECK_MESSAGE(strstr(out.text, kept[i]) != NULL, "not printed: %s", kept[i]);
  hlo_string_free(&out);
}

static bool contains(const char *path, const char *part) { return strstr(path, part) != NULL; }

static void visit_fixture(const char *path) {
  size_t length;
  char *text = read_file(path, &length);
  hlo_string out = check_fixed_point(path, text, length);
  // Dumps in XLA's default style come out as they were; the others are in styles of their own.
  bool is_default = contains(path, "_optimized.hlo");
  if (contains(path, "/grammar_"))
    is_default = !contains(path, "_as_written.") && !contains(path, "_short.") &&
                 !contains(path, "_plain.") && !contains(path, "_ids.") &&
                 !contains(path, "_canonical.");
  int line = is_default ? different_line(text, out.text) : 0;
  CHECK_MESSAGE(line == 0, "%s: printed differently from line %d on", path, line);
  hlo_string_free(&out);
  free(text);
}

static void visit_op_case(const char *file, const op_case *test) {
  bool is_hlo = test->program_length > 9 && memcmp(test->program, "HloModule", 9) == 0;
  if (!is_hlo || test->error != NULL) return;
  hlo_string out = check_fixed_point(file, test->program, test->program_length);
  hlo_string_free(&out);
}

// Names that no text could hold without quotes, from programs made elsewhere.
static void test_strange_names(void) {
  static const char *const names[] = {"a b",  "1x",   "\"", "a\\b", "x,y", "\303\244",   "a->b",
                                      "a/*b", "ROOT", "{",  "%p",   "-",   "line\nbreak"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    hlo_module *module;
    hlo_computation *computation;
    hlo_instruction *x;
    hlo_error error = {0};
    CHECK(hlo_module_create(names[i], &module, &error) == HLO_OK);
    CHECK(hlo_computation_create(module, names[i], &computation, &error) == HLO_OK);
    CHECK(hlo_instruction_create(computation, HLO_OP_PARAMETER, names[i], hlo_shape_scalar(HLO_F32),
                                 0, NULL, 0, NULL, &x, &error) == HLO_OK);
    CHECK(hlo_computation_collect_parameters(computation, &error) == HLO_OK);
    computation->root = x;
    module->entry = computation;
    hlo_string out = {0};
    hlo_print_hlo(&out, module);
    hlo_module_destroy(module);
    hlo_status status = hlo_parse_hlo(out.text, out.length, &module, &error);
    CHECK_MESSAGE(status == HLO_OK, "%s: %s", names[i], error.message);
    hlo_string_free(&out);
    if (status != HLO_OK) continue;
    CHECK(strcmp(module->name, names[i]) == 0 && strcmp(module->entry->name, names[i]) == 0);
    CHECK(strcmp(module->entry->root->name, names[i]) == 0);
    hlo_module_destroy(module);
  }
}

// A computation that a computation of the text already has the generated name of.
static void test_generated_names(void) {
  const char *text = "e.r.to_apply { ROOT a = f32[] parameter(0) }\n"
                     "ENTRY e { p = f32[] parameter(0) ROOT r = f32[] call(p), to_apply={\n"
                     " q = f32[] parameter(0) ROOT s = f32[] negate(q) } }";
  hlo_string out = check_fixed_point("generated names", text, strlen(text));
  CHECK(contains(out.text, "to_apply=%e.r.to_apply.1\n"));
  hlo_string_free(&out);
}

static void test_out_of_memory(void) {
  hlo_module *module;
  hlo_error error = {0};
  CHECK(hlo_parse_hlo(every_syntax, sizeof every_syntax - 1, &module, &error) == HLO_OK);
  size_t before = hlo_memory_in_use();
  int n = 1;
  for (; n < 1000; n++) {
    hlo_string out = {0};
    hlo_memory_fail_after(n);
    hlo_print_hlo(&out, module);
    hlo_memory_fail_after(0);
    bool is_done = !out.failed;
    hlo_string_free(&out);
    CHECK(hlo_memory_in_use() == before);
    if (is_done) break;
  }
  CHECK(n > 1 && n < 1000);
  hlo_module_destroy(module);
}

int main(void) {
  test_instructions();
  test_every_syntax();
  test_strange_names();
  test_generated_names();
  test_out_of_memory();
  CHECK(for_each_file("tests/fixtures/hlo_text", NULL, ".hlo", visit_fixture) > 50);
  CHECK(for_each_op_case(NULL, NULL, visit_op_case) > 50);
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
