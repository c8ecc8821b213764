// Runs every op case of tests/ops natively: by the oracle alone, by the executor in the oracle's
// steps, without kernels, with the SIMD kernels (over SIMDe), optimised, and with all that can be
// fused in fusions. With arguments: only files whose name contains the first, cases whose name
// contains the second, the path of the third's name.
#include "check.h"
#include "kernels/simd/kernels.h"
#include "op_cases.h"
#include "passes/lower/refine_shapes.h"
#include "reference/reference.h"
#include "run/executable.h"

#include <stdlib.h>
#include <string.h>

static const char *only_path; // its name; NULL: all

static const struct {
  const char *name;
  bool reference, steps, kernels, optimize, fuse;
} paths[] = {{"reference", .reference = true},
             {"steps", .reference = true, .steps = true},
             {.name = "plain"},
             {"kernels", .kernels = true},
             {"optimised", .kernels = true, .optimize = true},
             {"fused", .optimize = true, .fuse = true}};
enum { PATHS = sizeof paths / sizeof *paths };

static bool supports_all(hlo_target target, const hlo_instruction *fusion,
                         const hlo_instruction **obstacle) {
  (void)target;
  *obstacle = NULL;
  return fusion->operand_count >= 0;
}

// All at once, or as far as a limit of steps allows.
static hlo_status execute(const hlo_executable *executable, const op_case *test, bool in_steps,
                          hlo_array *const *inputs, hlo_array **results, hlo_error *error) {
  if (!in_steps) return hlo_execute(executable, test->input_count, inputs, results, error);
  hlo_run *run;
  bool done;
  HLO_TRY(hlo_run_start(executable, test->input_count, inputs, &run, error));
  hlo_status status = hlo_run_continue(run, INT64_MAX, &done, error);
  if (status == HLO_OK) status = hlo_run_finish(run, results, error);
  hlo_run_destroy(run);
  return status;
}

static hlo_status run_case(const op_case *test, int path, hlo_array **results, int *count,
                           hlo_error *error) {
  hlo_module *module = NULL;
  hlo_executable *executable = NULL;
  hlo_array *inputs[OP_CASE_MAX_VALUES] = {0};
  hlo_compile_options options = {.reference = paths[path].reference,
                                 .backend = paths[path].kernels ? hlo_kernels_backend() : NULL,
                                 .optimize = paths[path].optimize,
                                 .passes = {.verify = true}};
  if (paths[path].fuse) options.passes.supports_fusion = supports_all;
  hlo_parse_options parse = {.format = HLO_FORMAT_DETECT,
                             .fold = paths[path].reference ? hlo_reference_fold : NULL};
  hlo_status status = hlo_parse_for(test->program, test->program_length, &parse, &module, error);
  if (status == HLO_OK) status = hlo_compile(module, &options, &executable, error);
  for (int i = 0; i < test->input_count && status == HLO_OK; i++) {
    const hlo_literal *input = &test->inputs[i];
    status = hlo_array_create(input->shape, NULL, &inputs[i], error);
    if (status == HLO_OK)
      memcpy(inputs[i]->buffer->data, input->data, (size_t)inputs[i]->buffer->size);
  }
  *count = 0;
  if (status == HLO_OK && hlo_executable_result_count(executable) > OP_CASE_MAX_VALUES) abort();
  if (status == HLO_OK)
    status = execute(executable, test, paths[path].steps, inputs, results, error);
  if (status == HLO_OK) *count = hlo_executable_result_count(executable);
  for (int i = 0; i < test->input_count; i++) hlo_array_destroy(inputs[i]);
  hlo_executable_destroy(executable);
  hlo_module_destroy(module);
  return status;
}

static void check_refusal(const char *file, const op_case *test, hlo_status status,
                          const hlo_error *error) {
  char want[256];
  snprintf(want, sizeof want, "%.*s", (int)test->error_length, test->error);
  CHECK_MESSAGE(status != HLO_OK, "%s:%d: %s: must be refused for \"%s\"", file, test->line,
                test->name, want);
  if (status == HLO_OK) return;
  CHECK_MESSAGE(strstr(error->message, want) != NULL, "%s:%d: %s: refused with \"%s\", not \"%s\"",
                file, test->line, test->name, error->message, want);
  CHECK_MESSAGE(error->line > 0 && (test->error_line == 0 || error->line == test->error_line),
                "%s:%d: %s: refused at line %d: %s", file, test->line, test->name, (int)error->line,
                error->message);
}

static void check_case(const char *file, const op_case *test, int path) {
  hlo_error error = {0};
  hlo_array *results[OP_CASE_MAX_VALUES];
  int count;
  size_t before = hlo_memory_in_use();
  hlo_status status = run_case(test, path, results, &count, &error);
  if (test->error != NULL) {
    check_refusal(file, test, status, &error);
  } else {
    CHECK_MESSAGE(status == HLO_OK, "%s:%d: %s (%s): %d:%d: %s", file, test->line, test->name,
                  paths[path].name, (int)error.line, (int)error.column, error.message);
    CHECK_MESSAGE(status != HLO_OK || count == test->expect_count, "%s:%d: %s: %d results", file,
                  test->line, test->name, count);
  }
  for (int i = 0; i < count; i++) {
    char message[512] = "";
    bool agrees =
        i >= test->expect_count || op_case_agrees(test, paths[path].reference, &test->expects[i],
                                                  results[i], message, sizeof message);
    CHECK_MESSAGE(agrees, "%s:%d: %s (%s): result %d: %s", file, test->line, test->name,
                  paths[path].name, i, message);
    hlo_array_destroy(results[i]);
  }
  CHECK_MESSAGE(hlo_memory_in_use() == before, "%s:%d: %s: leaks", file, test->line, test->name);
}

static void check_paths(const char *file, const op_case *test) {
  for (int path = 0; path < PATHS; path++)
    if (only_path == NULL || strcmp(paths[path].name, only_path) == 0) check_case(file, test, path);
}

int main(int argc, char **argv) {
  const char *file = argc > 1 ? argv[1] : NULL, *name = argc > 2 ? argv[2] : NULL;
  only_path = argc > 3 ? argv[3] : NULL;
  CHECK(for_each_op_case(file, name, check_paths) > 0);
  return CHECK_RESULT();
}
