// The executor: frames that stop and go on, memory taken over in place, arguments in any layout,
// loops and branches, computations applied element by element, and allocation failures anywhere.
#include "program_fixture.h"

#include <string.h>

static hlo_array *array_of(const char *shape_text, const void *data) {
  hlo_arena arena = {0};
  hlo_error error = {0};
  const hlo_shape *shape;
  hlo_array *array = NULL;
  const char *at = shape_text;
  if (hlo_shape_parse(&arena, &at, at + strlen(at), &shape, &error) == HLO_OK &&
      hlo_array_create(shape, NULL, &array, &error) == HLO_OK) {
    memcpy(array->buffer->data, data, (size_t)array->buffer->size);
  }
  CHECK_MESSAGE(array != NULL, "%s", error.message);
  hlo_arena_free(&arena);
  return array;
}

// Runs a program of one argument and one result of `count` f32 in row-major order.
static void check_f32(const program *p, hlo_array *argument, int count, const float *want) {
  hlo_error error = {0};
  hlo_array *result = NULL;
  hlo_status status = hlo_execute(p->executable, 1, &argument, &result, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s", error.message);
  if (status != HLO_OK) return;
  for (int i = 0; i < count; i++) {
    float got = ((const float *)result->buffer->data)[i];
    CHECK_MESSAGE(got == want[i], "element %d: want %g, got %g", i, (double)want[i], (double)got);
  }
  hlo_array_destroy(result);
}

static const char *const chain = "HloModule chain\n"
                                 "ENTRY main {\n"
                                 "  x = f32[4] parameter(0)\n"
                                 "  a = f32[4] add(x, x)\n"
                                 "  b = f32[4] multiply(a, x)\n"
                                 "  ROOT c = f32[4] negate(b)\n"
                                 "}\n";

// A chain of elementwise ops needs one buffer, never the argument's.
static void test_in_place(void) {
  program p = compile(chain);
  float data[] = {1, 2, 3, 4};
  hlo_array *x = array_of("f32[4]", data);
  check_f32(&p, x, 4, (float[]){-2, -8, -18, -32});
  CHECK(memcmp(x->buffer->data, data, sizeof data) == 0);

  hlo_error error = {0};
  hlo_run *run = NULL;
  bool done = false;
  CHECK(hlo_run_start(p.executable, 1, &x, &run, &error) == HLO_OK);
  size_t before = hlo_memory_in_use();
  CHECK(hlo_run_continue(run, 0, &done, &error) == HLO_OK && done);
  // One block for the result's elements, one for the list of results, one for the buffer's count.
  CHECK_MESSAGE(hlo_memory_in_use() <= before + 64, "%zu bytes more", hlo_memory_in_use() - before);
  hlo_run_destroy(run);
  hlo_array_destroy(x);
  destroy(&p);
}

static const char *const count_down =
    "HloModule loop\n"
    "condition {\n"
    "  s = (s32[], f32[2]) parameter(0)\n"
    "  n = s32[] get-tuple-element(s), index=0\n"
    "  zero = s32[] constant(0)\n"
    "  ROOT more = pred[] compare(n, zero), direction=GT\n"
    "}\n"
    "body {\n"
    "  s = (s32[], f32[2]) parameter(0)\n"
    "  n = s32[] get-tuple-element(s), index=0\n"
    "  x = f32[2] get-tuple-element(s), index=1\n"
    "  one = s32[] constant(1)\n"
    "  fewer = s32[] subtract(n, one)\n"
    "  twice = f32[2] add(x, x)\n"
    "  ROOT t = (s32[], f32[2]) tuple(fewer, twice)\n"
    "}\n"
    "ENTRY main {\n"
    "  x = f32[2] parameter(0)\n"
    "  n = s32[] constant(10)\n"
    "  s = (s32[], f32[2]) tuple(n, x)\n"
    "  w = (s32[], f32[2]) while(s), condition=condition, body=body\n"
    "  ROOT y = f32[2] get-tuple-element(w), index=1\n"
    "}\n";

// Stopping after every single step gives the same result, and takes the same memory at every pass
// of the loop.
static void test_resumable(void) {
  program p = compile(count_down);
  hlo_array *x = array_of("f32[2]", (float[]){1, -3});
  check_f32(&p, x, 2, (float[]){1024, -3072});
  hlo_error error = {0};
  hlo_run *run = NULL;
  bool done = false;
  int pauses = 0;
  CHECK(hlo_run_start(p.executable, 1, &x, &run, &error) == HLO_OK);
  size_t highest = 0;
  while (!done && pauses < 10000) {
    CHECK(hlo_run_continue(run, 1, &done, &error) == HLO_OK);
    if (++pauses == 20) highest = hlo_memory_in_use();
    if (pauses > 20 && hlo_memory_in_use() > highest + 1024) CHECK(!"memory grows with the passes");
  }
  CHECK(done && pauses > 40);
  hlo_array *result = NULL;
  CHECK(hlo_run_result(run, 0, &result, &error) == HLO_OK);
  CHECK(((float *)result->buffer->data)[1] == -3072);
  hlo_array_destroy(result);
  CHECK(hlo_run_result(run, 1, &result, &error) == HLO_INVALID_ARGUMENT);
  hlo_run_destroy(run);
  // A run that is given up in the middle leaves nothing behind.
  size_t before = hlo_memory_in_use();
  hlo_error_clear(&error);
  CHECK(hlo_run_start(p.executable, 1, &x, &run, &error) == HLO_OK);
  CHECK(hlo_run_continue(run, 17, &done, &error) == HLO_OK && !done);
  CHECK(hlo_run_result(run, 0, &result, &error) == HLO_INVALID_ARGUMENT);
  hlo_run_destroy(run);
  hlo_array_destroy(x);
  hlo_array_destroy(NULL);
  CHECK(hlo_memory_in_use() < before);
  destroy(&p);
}

static void test_layouts(void) {
  program p = compile("HloModule layouts\n"
                      "ENTRY main {\n"
                      "  x = f32[2,3]{0,1} parameter(0)\n"
                      "  ROOT y = f32[2,3]{1,0} copy(x)\n"
                      "}\n");
  hlo_array *columns = array_of("f32[2,3]{0,1}", (float[]){1, 4, 2, 5, 3, 6});
  hlo_array *rows = array_of("f32[2,3]", (float[]){1, 2, 3, 4, 5, 6});
  check_f32(&p, columns, 6, (float[]){1, 2, 3, 4, 5, 6});
  check_f32(&p, rows, 6, (float[]){1, 2, 3, 4, 5, 6});
  hlo_array_destroy(columns);
  hlo_array_destroy(rows);
  destroy(&p);
}

// A reducer with a loop inside cannot run as vector code: each application is a run of its own.
static void test_applied_loop(void) {
  program p = compile("HloModule applied\n"
                      "condition { s = (f32[], f32[]) parameter(0)\n"
                      "  b = f32[] get-tuple-element(s), index=1\n"
                      "  zero = f32[] constant(0)\n"
                      "  ROOT more = pred[] compare(b, zero), direction=GT }\n"
                      "body { s = (f32[], f32[]) parameter(0)\n"
                      "  a = f32[] get-tuple-element(s), index=0\n"
                      "  b = f32[] get-tuple-element(s), index=1\n"
                      "  one = f32[] constant(1)\n"
                      "  up = f32[] add(a, one)\n"
                      "  down = f32[] subtract(b, one)\n"
                      "  ROOT t = (f32[], f32[]) tuple(up, down) }\n"
                      "slow_add { a = f32[] parameter(0)\n"
                      "  b = f32[] parameter(1)\n"
                      "  s = (f32[], f32[]) tuple(a, b)\n"
                      "  w = (f32[], f32[]) while(s), condition=condition, body=body\n"
                      "  ROOT r = f32[] get-tuple-element(w), index=0 }\n"
                      "ENTRY main { x = f32[2,3] parameter(0)\n"
                      "  zero = f32[] constant(0)\n"
                      "  ROOT y = f32[2] reduce(x, zero), dimensions={1}, to_apply=slow_add }\n");
  hlo_array *x = array_of("f32[2,3]", (float[]){1, 2, 3, 4, 5, 6});
  check_f32(&p, x, 2, (float[]){6, 15});
  hlo_array_destroy(x);
  destroy(&p);
}

static void test_bad_arguments(void) {
  program p = compile(chain);
  hlo_array *wrong = array_of("f32[5]", (float[5]){0}), *result;
  hlo_error error = {0};
  CHECK(hlo_execute(p.executable, 1, &wrong, &result, &error) == HLO_SHAPE_ERROR);
  CHECK(strstr(error.message, "f32[5]") != NULL && strstr(error.message, "f32[4]") != NULL);
  hlo_error_clear(&error);
  CHECK(hlo_execute(p.executable, 0, NULL, &result, &error) == HLO_INVALID_ARGUMENT);
  hlo_error_clear(&error);
  hlo_array *right = array_of("f32[4]", (float[]){1, 1, 1, 1});
  CHECK(hlo_execute(p.executable, 1, &right, &result, &error) == HLO_OK);
  hlo_array_destroy(result);
  hlo_array_destroy(right);
  hlo_array_destroy(wrong);
  destroy(&p);
}

// The n-th allocation fails, for every n until the program runs: always an error, never a leak.
static void test_allocation_failures(const char *text) {
  float data[] = {1, 2, 3, 4};
  hlo_array *x = array_of(strstr(text, "f32[4]") != NULL ? "f32[4]" : "f32[2]", data);
  size_t before = hlo_memory_in_use();
  bool succeeded = false;
  for (int64_t n = 1; n < 5000 && !succeeded; n++) {
    hlo_error error = {0};
    hlo_module *module = NULL;
    hlo_executable *executable = NULL;
    hlo_array *result = NULL;
    hlo_compile_options options = {0};
    hlo_memory_fail_after(n);
    hlo_status status = hlo_parse(text, strlen(text), HLO_FORMAT_DETECT, &module, &error);
    if (status == HLO_OK) status = hlo_compile(module, &options, &executable, &error);
    if (status == HLO_OK) status = hlo_execute(executable, 1, &x, &result, &error);
    hlo_memory_fail_after(0);
    succeeded = status == HLO_OK;
    CHECK_MESSAGE(succeeded || status == HLO_OUT_OF_MEMORY, "allocation %lld: %s", (long long)n,
                  error.message);
    hlo_array_destroy(result);
    hlo_executable_destroy(executable);
    hlo_module_destroy(module);
    CHECK_MESSAGE(hlo_memory_in_use() == before, "allocation %lld leaks", (long long)n);
  }
  CHECK(succeeded);
  hlo_array_destroy(x);
}

int main(void) {
  size_t before = hlo_memory_in_use();
  test_in_place();
  test_resumable();
  test_layouts();
  test_applied_loop();
  test_bad_arguments();
  test_allocation_failures(chain);
  test_allocation_failures(count_down);
  CHECK(hlo_memory_in_use() == before);
  return CHECK_RESULT();
}
