// What plans say about memory before anything runs: never less than what a run takes, in place
// where possible, and nothing grows however often a program runs.
#include "program_fixture.h"

#include <string.h>

static void make_arguments(const program *p, hlo_array **arguments) {
  hlo_error error = {0};
  int32_t count = hlo_executable_parameter_count(p->executable);
  for (int32_t i = 0; i < count; i++) {
    CHECK(hlo_array_create(hlo_executable_parameter(p->executable, i), NULL, &arguments[i],
                           &error) == HLO_OK);
    memset(arguments[i]->buffer->data, 1, (size_t)arguments[i]->buffer->size);
  }
}

// The most that a run takes beside its arguments, looked at after every step.
static int64_t measure(const program *p, hlo_array *const *arguments) {
  hlo_error error = {0};
  hlo_run *run = NULL;
  bool done = false;
  int32_t count = hlo_executable_parameter_count(p->executable);
  CHECK(hlo_run_start(p->executable, count, arguments, &run, &error) == HLO_OK);
  size_t before = hlo_memory_in_use(), most = before;
  while (!done && hlo_run_continue(run, 1, &done, &error) == HLO_OK) {
    if (hlo_memory_in_use() > most) most = hlo_memory_in_use();
  }
  CHECK_MESSAGE(done, "%s", error.message);
  hlo_run_destroy(run);
  return (int64_t)(most - before);
}

static void check_program(const char *text, bool optimize, int64_t results, int64_t most) {
  enum { BOOKKEEPING = 4096 }; // frames, buffers' counts
  hlo_array *arguments[4];
  program p =
      compile_with(text, &(hlo_compile_options){.optimize = optimize, .passes = {.verify = true}});
  hlo_memory_report report = hlo_executable_memory(p.executable);
  make_arguments(&p, arguments);
  int64_t taken = measure(&p, arguments), said = report.results + report.temporaries;
  CHECK_MESSAGE(report.results == results, "results: %lld bytes", (long long)report.results);
  CHECK_MESSAGE(said == most, "results and temporaries: %lld bytes", (long long)said);
  CHECK_MESSAGE(taken <= said + BOOKKEEPING, "takes %lld bytes, not %lld", (long long)taken,
                (long long)said);
  CHECK(report.peak == report.arguments + report.constants + said);
  for (int32_t i = 0; i < hlo_executable_parameter_count(p.executable); i++) {
    hlo_array_destroy(arguments[i]);
  }
  destroy(&p);
}

enum { BLOCK = 65536 }; // bytes of f32[16384]

static const char *const chain = "HloModule chain\n"
                                 "ENTRY main {\n"
                                 "  x = f32[16384] parameter(0)\n"
                                 "  a = f32[16384] add(x, x)\n"
                                 "  b = f32[16384] multiply(a, x)\n"
                                 "  ROOT c = f32[16384] negate(b)\n"
                                 "}\n";

static const char *const diamond = "HloModule diamond\n"
                                   "ENTRY main {\n"
                                   "  x = f32[16384] parameter(0)\n"
                                   "  a = f32[16384] add(x, x)\n"
                                   "  b = f32[16384] exponential(a)\n"
                                   "  r = f32[128,128] reshape(b)\n"
                                   "  t = f32[128,128] transpose(r), dimensions={1,0}\n"
                                   "  c = f32[128,128] add(t, r)\n"
                                   "  d = f32[16384] reshape(c)\n"
                                   "  ROOT e = f32[16384] multiply(a, d)\n"
                                   "}\n";

static const char *const loop = "HloModule loop\n"
                                "more { s = (s32[], f32[16384]) parameter(0)\n"
                                "  n = s32[] get-tuple-element(s), index=0\n"
                                "  zero = s32[] constant(0)\n"
                                "  ROOT c = pred[] compare(n, zero), direction=GT }\n"
                                "body { s = (s32[], f32[16384]) parameter(0)\n"
                                "  n = s32[] get-tuple-element(s), index=0\n"
                                "  x = f32[16384] get-tuple-element(s), index=1\n"
                                "  one = s32[] constant(1)\n"
                                "  less = s32[] subtract(n, one)\n"
                                "  y = f32[16384] negate(x)\n"
                                "  z = f32[16384] add(y, y)\n"
                                "  ROOT t = (s32[], f32[16384]) tuple(less, z) }\n"
                                "ENTRY main {\n"
                                "  x = f32[16384] parameter(0)\n"
                                "  n = s32[] constant(7)\n"
                                "  s = (s32[], f32[16384]) tuple(n, x)\n"
                                "  w = (s32[], f32[16384]) while(s), condition=more, body=body\n"
                                "  ROOT y = f32[16384] get-tuple-element(w), index=1\n"
                                "}\n";

static const char *const reversing_loop =
    "HloModule loop\n"
    "more { s = (s32[], f32[16384]) parameter(0)\n"
    "  n = s32[] get-tuple-element(s), index=0\n"
    "  zero = s32[] constant(0)\n"
    "  ROOT c = pred[] compare(n, zero), direction=GT }\n"
    "body { s = (s32[], f32[16384]) parameter(0)\n"
    "  n = s32[] get-tuple-element(s), index=0\n"
    "  x = f32[16384] get-tuple-element(s), index=1\n"
    "  one = s32[] constant(1)\n"
    "  less = s32[] subtract(n, one)\n"
    "  y = f32[16384] reverse(x), dimensions={0}\n"
    "  ROOT t = (s32[], f32[16384]) tuple(less, y) }\n"
    "ENTRY main {\n"
    "  x = f32[16384] parameter(0)\n"
    "  n = s32[] constant(7)\n"
    "  s = (s32[], f32[16384]) tuple(n, x)\n"
    "  w = (s32[], f32[16384]) while(s), condition=more, body=body\n"
    "  ROOT y = f32[16384] get-tuple-element(w), index=1\n"
    "}\n";

static void check_no_growth(const char *text) {
  enum { RUNS = 10000 };
  hlo_array *arguments[4], *results[4];
  hlo_error error = {0};
  program p =
      compile_with(text, &(hlo_compile_options){.optimize = true, .passes = {.verify = true}});
  make_arguments(&p, arguments);
  int32_t count = hlo_executable_parameter_count(p.executable);
  size_t after_ten = 0;
  for (int i = 0; i < RUNS; i++) {
    bool ran = hlo_execute(p.executable, count, arguments, results, &error) == HLO_OK;
    if (!ran) CHECK_MESSAGE(ran, "%s", error.message);
    if (!ran) break;
    for (int32_t r = 0; r < hlo_executable_result_count(p.executable); r++) {
      hlo_array_destroy(results[r]);
    }
    if (i == 9) after_ten = hlo_memory_in_use();
  }
  CHECK_MESSAGE(hlo_memory_in_use() == after_ten, "%zu bytes after ten runs, %zu in the end",
                after_ten, hlo_memory_in_use());
  for (int32_t i = 0; i < count; i++) hlo_array_destroy(arguments[i]);
  destroy(&p);
}

static const char *const small_loop = "HloModule small\n"
                                      "more { s = (s32[], f32[2]) parameter(0)\n"
                                      "  n = s32[] get-tuple-element(s), index=0\n"
                                      "  zero = s32[] constant(0)\n"
                                      "  ROOT c = pred[] compare(n, zero), direction=GT }\n"
                                      "body { s = (s32[], f32[2]) parameter(0)\n"
                                      "  n = s32[] get-tuple-element(s), index=0\n"
                                      "  x = f32[2] get-tuple-element(s), index=1\n"
                                      "  one = s32[] constant(1)\n"
                                      "  less = s32[] subtract(n, one)\n"
                                      "  y = f32[2] reverse(x), dimensions={0}\n"
                                      "  ROOT t = (s32[], f32[2]) tuple(less, y) }\n"
                                      "ENTRY main {\n"
                                      "  x = f32[2] parameter(0)\n"
                                      "  n = s32[] constant(3)\n"
                                      "  s = (s32[], f32[2]) tuple(n, x)\n"
                                      "  w = (s32[], f32[2]) while(s), condition=more, body=body\n"
                                      "  ROOT y = f32[2] get-tuple-element(w), index=1\n"
                                      "}\n";

int main(void) {
  size_t before = hlo_memory_in_use();
  for (int optimize = 0; optimize < 2; optimize++) {
    check_program(chain, optimize, BLOCK, BLOCK);
    // a, b and its transpose; the sums go into the transpose's memory
    check_program(diamond, optimize, BLOCK, 3 * BLOCK);
  }
  // the state, changed in place (the argument stays as it is), and what the condition says of it
  check_program(loop, true, BLOCK, BLOCK + 4 + 1);
  // a body that cannot work in place has the changing array twice
  check_program(reversing_loop, true, BLOCK, 2 * BLOCK + 4);
  check_no_growth(small_loop);
  CHECK(hlo_memory_in_use() == before);
  return CHECK_RESULT();
}
