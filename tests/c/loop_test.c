// Loops as one function each, for every target: which become one, that their bytes are instructions
// of the target, and every allocation of making them fails once.
// What the functions do is tested where they run, in tests/js/loops.test.js.
#include "check.h"
#include "memory_check.h"
#include "run/executable.h"
#include "text/text.h"
#include "wasm_decode.h"

#include <string.h>

static const hlo_backend backend = {.name = "loops"};

// A round of everything that has code of its own, and of steps that are left to the engine.
#define COMPUTATIONS                                                                               \
  "HloModule loops\n"                                                                              \
  "less { s = (s32[], f32[8]) parameter(0)\n"                                                      \
  "  i = s32[] get-tuple-element(s), index=0\n"                                                    \
  "  n = s32[] constant(5)\n"                                                                      \
  "  ROOT r = pred[] compare(i, n), direction=LT }\n"                                              \
  "inner { s = (s32[], f32[8]) parameter(0)\n"                                                     \
  "  i = s32[] get-tuple-element(s), index=0\n"                                                    \
  "  x = f32[8] get-tuple-element(s), index=1\n"                                                   \
  "  one = s32[] constant(1)\n"                                                                    \
  "  j = s32[] add(i, one)\n"                                                                      \
  "  a = f32[2] dynamic-slice(x, i), dynamic_slice_sizes={2}\n"                                    \
  "  b = f32[8] dynamic-update-slice(x, a, j)\n"                                                   \
  "  c = f32[3] slice(b), slice={[1:4]}\n"                                                         \
  "  d = f32[5] slice(x), slice={[3:8]}\n"                                                         \
  "  e = f32[8] concatenate(c, d), dimensions={0}\n"                                               \
  "  ROOT r = (s32[], f32[8]) tuple(j, e) }\n"                                                     \
  "twice { x = f32[8] parameter(0)\n"                                                              \
  "  ROOT r = f32[8] add(x, x) }\n"                                                                \
  "same { x = f32[8] parameter(0)\n"                                                               \
  "  ROOT r = f32[8] copy(x) }\n"                                                                  \
  "more { s = (s32[], f32[8], f32[8]) parameter(0)\n"                                              \
  "  i = s32[] get-tuple-element(s), index=0\n"                                                    \
  "  n = s32[] constant(9)\n"                                                                      \
  "  ROOT r = pred[] compare(i, n), direction=LT }\n"                                              \
  "round { s = (s32[], f32[8], f32[8]) parameter(0)\n"                                             \
  "  i = s32[] get-tuple-element(s), index=0\n"                                                    \
  "  x = f32[8] get-tuple-element(s), index=1\n"                                                   \
  "  y = f32[8] get-tuple-element(s), index=2\n"                                                   \
  "  one = s32[] constant(1)\n"                                                                    \
  "  j = s32[] add(i, one)\n"                                                                      \
  "  zero = s32[] constant(0)\n"                                                                   \
  "  t = (s32[], f32[8]) tuple(zero, x)\n"                                                         \
  "  w = (s32[], f32[8]) while(t), condition=less, body=inner\n"                                   \
  "  z = f32[8] get-tuple-element(w), index=1\n"                                                   \
  "  c = f32[8] conditional(i, z, y, z), branch_computations={twice, same, same}\n"                \
  "  STEP\n"

#define ENTRY                                                                                      \
  "ENTRY main { x = f32[8] parameter(0)\n"                                                         \
  "  zero = s32[] constant(0)\n"                                                                   \
  "  s = (s32[], f32[8], f32[8]) tuple(zero, x, x)\n"                                              \
  "  ROOT w = (s32[], f32[8], f32[8]) while(s), condition=more, body=round }\n"

static const struct {
  const char *name, *step; // in the outer loop
  int32_t functions;
} cases[] = {
    {"swapped", "ROOT r = (s32[], f32[8], f32[8]) tuple(j, y, c) }", 2},
    {"twice the same", "ROOT r = (s32[], f32[8], f32[8]) tuple(j, c, c) }", 2},
    {"left to the engine",
     "q = f32[8] sort(c), dimensions={0}, to_apply=less_than\n"
     "  ROOT r = (s32[], f32[8], f32[8]) tuple(j, q, x) }",
     2},
    {"for the host",
     "k = token[] after-all()\n"
     "  o = token[] outfeed(c, k), outfeed_shape=f32[8]\n"
     "  ROOT r = (s32[], f32[8], f32[8]) tuple(j, y, c) }",
     1},
};

static const char comparator[] = "less_than { a = f32[] parameter(0)\n"
                                 "  b = f32[] parameter(1)\n"
                                 "  ROOT r = pred[] compare(a, b), direction=LT }\n";

static void add_program(hlo_string *text, const char *step) {
  const char *place = strstr(COMPUTATIONS, "STEP");
  const char *start = strchr(COMPUTATIONS, '\n') + 1;
  hlo_string_add_bytes(text, COMPUTATIONS, (size_t)(start - COMPUTATIONS));
  hlo_string_add(text, comparator);
  hlo_string_add_bytes(text, start, (size_t)(place - start));
  hlo_string_add(text, step);
  hlo_string_add(text, "\n" ENTRY);
}

static hlo_module *module; // of the case

static hlo_status make(hlo_arena *arena, hlo_error *error) {
  hlo_compile_options options = {.backend = &backend};
  hlo_executable *executable = NULL;
  hlo_string code = {0};
  (void)arena;
  HLO_TRY(hlo_compile(module, &options, &executable, error));
  hlo_status status = hlo_executable_code(executable, false, &code, error);
  hlo_string_free(&code);
  hlo_executable_destroy(executable);
  return status;
}

static void check_target(const char *name, int32_t functions, hlo_target target) {
  hlo_error error = {0};
  hlo_executable *executable = NULL;
  hlo_compile_options options = {.backend = &backend, .target = target};
  CHECK_MESSAGE(hlo_compile(module, &options, &executable, &error) == HLO_OK, "%s: %s", name,
                error.message);
  if (executable == NULL) return;
  int32_t count = hlo_executable_kernel_count(executable);
  CHECK_MESSAGE(count == functions, "%s: %d functions", name, count);
  hlo_string code = {0};
  wasm_census census = {0};
  CHECK(hlo_executable_code(executable, false, &code, &error) == HLO_OK);
  CHECK_MESSAGE(wasm_decode_module(code.text, code.length, &census), "%s decodes", name);
  CHECK_MESSAGE(functions == 0 || census.instructions > functions, "%s has code", name);
  CHECK_MESSAGE(census.relaxed == 0 || target.relaxed_simd, "%s: relaxed SIMD", name);
  hlo_string_free(&code);
  hlo_executable_destroy(executable);
}

static void check_case(int i) {
  hlo_string text = {0};
  hlo_error error = {0};
  add_program(&text, cases[i].step);
  hlo_parse(text.text, text.length, HLO_FORMAT_DETECT, &module, &error);
  hlo_string_free(&text);
  CHECK_MESSAGE(module != NULL, "%s: %s", cases[i].name, error.message);
  if (module == NULL) return;
  for (int relaxed = 0; relaxed < 2; relaxed++)
    check_target(cases[i].name, cases[i].functions, (hlo_target){.relaxed_simd = relaxed});
  check_out_of_memory(cases[i].name, make);
  hlo_module_destroy(module);
}

int main(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case((int)i);
  return CHECK_RESULT();
}
