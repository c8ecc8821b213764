// Values with sizes known only at run time: what op cases cannot see. Bounds beside results, arrays
// in other layouts, sizes that travel between frames, views of observers, failing allocations.
#include "hlo/analysis/actual_sizes.h"
#include "program_fixture.h"

#include <stdio.h>
#include <string.h>

static const char *const text =
    "HloModule m\n"
    "add { x = f32[] parameter(0) y = f32[] parameter(1) ROOT r = f32[] add(x, y) }\n"
    "half { x = f32[<=4,<=3] parameter(0) k = s32[] constant(2)\n"
    "  ROOT r = f32[<=4,<=3] set-dimension-size(x, k), dimensions={0} }\n"
    "ENTRY e {\n"
    "  a = f32[<=4,<=3]{0,1} parameter(0)\n"
    "  h = f32[<=4,<=3]{1,0} call(a), to_apply=half\n"
    "  f = f32[<=12] reshape(h)\n"
    "  z = f32[] constant(0)\n"
    "  s = f32[<=3] reduce(h, z), dimensions={0}, to_apply=add\n"
    "  b = f32[<=4,<=3]{0,1} copy(h)\n"
    "  n = s32[] get-dimension-size(b), dimensions={0}\n"
    "  ROOT t = (f32[<=12], f32[<=3], f32[<=4,<=3]{0,1}, s32[]) tuple(f, s, b, n)\n"
    "}\n";

// 3 rows of 2, row-major: {1, 2}, {3, 4}, {5, 6}.
static hlo_array *argument(void) {
  static const float data[] = {1, 2, 3, 4, 5, 6};
  hlo_arena arena = {0};
  hlo_error error = {0};
  int64_t dims[] = {3, 2};
  const hlo_shape *shape;
  hlo_array *array = NULL;
  CHECK(hlo_shape_make(&arena, HLO_F32, 2, dims, &shape, &error) == HLO_OK);
  CHECK(hlo_array_create(shape, NULL, &array, &error) == HLO_OK);
  memcpy(array->buffer->data, data, sizeof data);
  hlo_arena_free(&arena);
  return array;
}

static void check_result(const hlo_array *array, const char *shape, const char *bound, int count,
                         const float *want) {
  char got[HLO_SHAPE_TEXT_SIZE];
  CHECK_MESSAGE(strcmp(hlo_shape_to_text(got, array->shape), shape) == 0, "%s, not %s", got, shape);
  CHECK(array->bound != NULL && strcmp(hlo_shape_to_text(got, array->bound), bound) == 0);
  CHECK(array->buffer->sizes == NULL); // for the host an array like any other
  for (int i = 0; i < count; i++) CHECK(((const float *)array->buffer->data)[i] == want[i]);
}

static void check_results(hlo_array *const *results) {
  check_result(results[0], "f32[4]", "f32[<=12]", 4, (float[]){1, 2, 3, 4});
  check_result(results[1], "f32[2]", "f32[<=3]", 2, (float[]){4, 6});
  check_result(results[2], "f32[2,2]{0,1}", "f32[<=4,<=3]{0,1}", 4, (float[]){1, 3, 2, 4});
  CHECK(results[3]->bound == NULL && *(const int32_t *)results[3]->buffer->data == 2);
}

static void observe(void *host, const hlo_instruction *instruction, int32_t count,
                    const hlo_view *views) {
  if (strcmp(instruction->name, "f") != 0) return;
  CHECK(count == 1 && views[0].dims[0] == 4);
  ++*(int *)host;
}

static void test_observer(void) {
  program p = compile(text);
  hlo_array *input = argument();
  hlo_error error = {0};
  hlo_run *run = NULL;
  bool done = false;
  int seen = 0;
  CHECK(hlo_run_start(p.executable, 1, &input, &run, &error) == HLO_OK);
  hlo_run_set_observer(run, observe, &seen);
  while (!done && hlo_run_continue(run, 1, &done, &error) == HLO_OK) {
  }
  CHECK_MESSAGE(done && seen == 1, "%s", error.message);
  hlo_run_destroy(run);
  hlo_array_destroy(input);
  destroy(&p);
}

static void test_memory(void) {
  program p = compile(text);
  hlo_array *input = argument();
  size_t before = hlo_memory_in_use();
  hlo_status status = HLO_OUT_OF_MEMORY;
  int n = 1;
  for (; n < 1000 && status != HLO_OK; n++) {
    hlo_array *results[4];
    hlo_error error = {0};
    hlo_memory_fail_after(n);
    status = hlo_execute(p.executable, 1, &input, results, &error);
    hlo_memory_fail_after(0);
    CHECK(status == error.status && (status == HLO_OK || status == HLO_OUT_OF_MEMORY));
    if (status == HLO_OK) check_results(results);
    for (int i = 0; status == HLO_OK && i < 4; i++) hlo_array_destroy(results[i]);
    CHECK(hlo_memory_in_use() == before);
  }
  CHECK(n > 10 && n < 1000);
  hlo_array_destroy(input);
  destroy(&p);
}

static void test_modules(void) {
  static const struct {
    const char *body;
    bool dynamic;
  } rows[] = {
      {"ROOT a = f32[4] parameter(0)", false},
      {"ROOT a = f32[<=4] parameter(0)", true},
      {"a = f32[4] parameter(0) n = s32[] constant(3)\n"
       "ROOT r = f32[4] set-dimension-size(a, n), dimensions={0}",
       true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char program_text[256];
    hlo_module *module = NULL;
    hlo_error error = {0};
    int length =
        snprintf(program_text, sizeof program_text, "HloModule m\nENTRY e { %s }\n", rows[i].body);
    CHECK(hlo_parse(program_text, (size_t)length, HLO_FORMAT_DETECT, &module, &error) == HLO_OK);
    CHECK(hlo_module_has_dynamic_sizes(module) == rows[i].dynamic);
    hlo_module_destroy(module);
  }
}

int main(void) {
  test_observer();
  test_memory();
  test_modules();
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
