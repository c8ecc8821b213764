// Runs the modules of tests/fixtures/check under the sanitizers, as `hlo check` does: those of
// pass/ must run to their end, of those of fail/ one in each file must not. Those of pass/ also
// after they were printed as HLO text and as StableHLO text. All of it as written, and optimised
// and fused. Run from the top of the repository.
#include "passes/lower/refine_shapes.h"
#include "run/executable.h"
#include "stablehlo_text_files.h"

static bool optimizes;

static bool supports_all(hlo_target target, const hlo_instruction *fusion,
                         const hlo_instruction **obstacle) {
  (void)target;
  *obstacle = NULL;
  return fusion->operand_count >= 0;
}

static hlo_status run_computation(const hlo_module *module, const hlo_computation *computation,
                                  hlo_error *error) {
  hlo_executable *executable = NULL;
  hlo_run *run = NULL;
  bool done = false;
  hlo_compile_options options = {.computation = computation,
                                 .optimize = optimizes,
                                 .passes = {.supports_fusion = supports_all, .verify = true}};
  hlo_status status = hlo_compile(module, &options, &executable, error);
  if (status == HLO_OK) status = hlo_run_start(executable, 0, NULL, &run, error);
  if (status == HLO_OK) status = hlo_run_continue(run, 0, &done, error);
  CHECK(status != HLO_OK || done);
  hlo_run_destroy(run);
  hlo_executable_destroy(executable);
  return status;
}

// main if there is one, else every function without parameters; counts them.
static hlo_status run_module(const hlo_module *module, int *ran, hlo_error *error) {
  const hlo_computation *main = hlo_module_find(module, "main");
  if (main != NULL) {
    ++*ran;
    return run_computation(module, main, error);
  }
  for (int32_t i = 0; i < module->computation_count; i++) {
    const hlo_computation *computation = module->computations[i];
    if (!computation->is_function || computation->parameter_count > 0) continue;
    ++*ran;
    HLO_TRY(run_computation(module, computation, error));
  }
  return HLO_OK;
}

// Prints the module, reads that and runs it.
static void run_again(const char *path, const hlo_module *module, hlo_text_format format) {
  hlo_string text = {0};
  hlo_error error = {0};
  hlo_module *again = NULL;
  int ran = 0;
  hlo_status status = HLO_OK;
  if (format == HLO_FORMAT_STABLEHLO) status = hlo_print_stablehlo(&text, module, &error);
  else hlo_print_hlo(&text, module);
  if (status == HLO_OK) status = hlo_parse(text.text, text.length, format, &again, &error);
  if (status == HLO_OK) status = run_module(again, &ran, &error);
  CHECK_MESSAGE(status == HLO_OK && ran == 1, "%s, printed in format %d: %d:%d: %s", path,
                (int)format, (int)error.line, (int)error.column, error.message);
  hlo_module_destroy(again);
  hlo_string_free(&text);
}

static hlo_status run_text(const char *path, const char *text, size_t length, bool again, int *ran,
                           hlo_error *error) {
  hlo_module *module = NULL;
  hlo_status status =
      hlo_parse_refined(text, length, HLO_FORMAT_STABLEHLO, 0, NULL, &module, error);
  if (status == HLO_OK) status = run_module(module, ran, error);
  if (status == HLO_OK && again && hlo_module_find(module, "main") != NULL) {
    run_again(path, module, HLO_FORMAT_HLO);
    run_again(path, module, HLO_FORMAT_STABLEHLO);
  }
  hlo_module_destroy(module);
  return status;
}

// Runs the modules between lines "// -----" until one fails.
static hlo_status run_file(const char *path, bool again, int *ran, hlo_error *error) {
  static const char separator[] = "\n// -----";
  size_t length;
  hlo_status status = HLO_OK;
  char *text = read_file(path, &length);
  for (char *at = text; at != NULL && status == HLO_OK;) {
    char *end = strstr(at, separator);
    status = run_text(path, at, end == NULL ? strlen(at) : (size_t)(end - at), again, ran, error);
    at = end == NULL ? NULL : strchr(end + 1, '\n');
  }
  free(text);
  return status;
}

static void check_pass(const char *path) {
  hlo_error error = {0};
  int ran = 0;
  hlo_status status = run_file(path, true, &ran, &error);
  CHECK_MESSAGE(status == HLO_OK && ran > 0, "%s:%d:%d: %s (%d ran)", path, (int)error.line,
                (int)error.column, error.message, ran);
}

// What the errors of some modules must say.
static const struct {
  const char *file, *message;
} messages[] = {
    {"collectives_deadlock", "replica 0 waits at %all-reduce (all-reduce) for replica 1 (which has "
                             "ended)"},
    {"collectives_disagree", "participants disagree"},
    {"collectives_wrong_value", "0 (in replica 1)"},
    {"collectives_operands_do_not_fit", "operand 0 is f32[3], the program has f32[2]"},
    {"collectives_too_few_results", "result 1 is nothing, the program has f32[2]"},
    {"collectives_uneven_grid", "rows of the same length"},
    {"collectives_unknown_program", "there is no function @nowhere"},
    {"collectives_runs_itself", "calls itself"},
    {"collectives_empty_infeed", "nothing is left in the infeed"},
    {"collectives_send_without_recv", "channel 5 was never received"},
};

static void check_fail(const char *path) {
  hlo_error error = {0};
  int ran = 0;
  CHECK_MESSAGE(run_file(path, false, &ran, &error) != HLO_OK && error.message[0] != '\0',
                "%s does not fail", path);
  for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
    if (strstr(path, messages[i].file) == NULL) continue;
    CHECK_MESSAGE(strstr(error.message, messages[i].message) != NULL, "%s: %s", path,
                  error.message);
  }
}

int main(void) {
  size_t before = hlo_memory_in_use();
  for (int i = 0; i < 2; i++) {
    optimizes = i == 1;
    CHECK(for_each_file("tests/fixtures/check/pass", NULL, ".mlir", check_pass) > 40);
    CHECK(for_each_file("tests/fixtures/check/fail", NULL, ".mlir", check_fail) > 30);
  }
  CHECK(hlo_memory_in_use() == before);
  return CHECK_RESULT();
}
