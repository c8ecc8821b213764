// Fuzzes runs: programs in either text that are accepted run as two replicas, on zeros, for a
// limited number of steps and with little memory. Whatever they do must end in a result or an
// error with a message, and give everything back.
#include "codegen/codegen.h"
#include "run/devices/group.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { REPLICAS = 2, MOST_STEPS = 2000, MOST_PARAMETERS = 16, MOST_MEMORY = 64 << 10 };

// Ends the program where the fuzzer sees it.
static void require(bool condition) {
  if (!condition) abort();
}

static int32_t make_arguments(const hlo_executable *executable, hlo_array **out, hlo_error *error) {
  int32_t count = hlo_executable_parameter_count(executable);
  for (int32_t i = 0; i < count; i++) {
    const hlo_shape *shape = hlo_executable_parameter(executable, i);
    if (hlo_array_create(shape, NULL, &out[i], error) != HLO_OK) return i;
    memset(out[i]->buffer->data, 0, (size_t)out[i]->buffer->size);
    out[count + i] = out[i];
  }
  return count;
}

static void look_at_results(const hlo_executable *executable, hlo_run_group *group) {
  for (int32_t p = 0; p < REPLICAS; p++) {
    for (int32_t i = 0; i < hlo_executable_result_count(executable); i++) {
      hlo_error error = {0};
      hlo_array *result;
      hlo_status status = hlo_run_result(hlo_run_group_process(group, p), i, &result, &error);
      require(status == HLO_OK || status == HLO_OUT_OF_MEMORY);
      if (status == HLO_OK) hlo_array_destroy(result);
    }
  }
}

static void run(const hlo_executable *executable) {
  hlo_error error = {0};
  hlo_array *arguments[REPLICAS * MOST_PARAMETERS];
  hlo_run_group *group = NULL;
  bool done = false;
  int32_t count = make_arguments(executable, arguments, &error);
  if (error.status == HLO_OK) {
    hlo_run_group_start(executable, REPLICAS, 1, REPLICAS * count, arguments, &group, &error);
  }
  if (group != NULL) {
    hlo_status status = hlo_run_group_continue(group, MOST_STEPS, &done, &error);
    require(status == error.status && (status == HLO_OK || error.message[0] != '\0'));
    if (done) look_at_results(executable, group);
  }
  hlo_run_group_destroy(group);
  for (int32_t i = 0; i < count; i++) hlo_array_destroy(arguments[i]);
}

// All are fused, and code is made for those that it can be made for.
static bool supports_all(hlo_target target, const hlo_instruction *fusion,
                         const hlo_instruction **obstacle) {
  *obstacle = NULL;
  hlo_arena arena = {0};
  hlo_error error = {0};
  const hlo_emit_kernel *kernel;
  hlo_emit_imports imports = {0};
  hlo_status status = hlo_emit_fusion(target, &arena, fusion, &imports, &kernel, &error);
  require(status == HLO_OK || status == HLO_OUT_OF_MEMORY);
  hlo_arena_free(&arena);
  return true;
}

// Every second program is optimised first: what the passes make of a verified program is verified
// after each of them. Every fourth is the oracle's.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hlo_memory_set_limit((size_t)64 << 20);
  hlo_module *module = NULL;
  hlo_executable *executable = NULL;
  hlo_error error = {0};
  hlo_compile_options options = {.reference = size % 4 == 0,
                                 .target = {.relaxed_simd = size / 4 % 2 == 1},
                                 .optimize = size % 2 == 1,
                                 .passes = {.supports_fusion = supports_all, .verify = true}};
  hlo_status status = hlo_parse((const char *)data, size, HLO_FORMAT_DETECT, &module, &error);
  if (status == HLO_OK) status = hlo_compile(module, &options, &executable, &error);
  require(module == NULL || status == HLO_OK || status == HLO_UNSUPPORTED ||
          status == HLO_OUT_OF_MEMORY || status == HLO_INVALID_ARGUMENT ||
          status == HLO_SHAPE_ERROR || // of processes that do not fit their programs
          status == HLO_PARSE_ERROR);  // of shardings, which are read when their parts are needed
  if (status == HLO_OK && hlo_executable_parameter_count(executable) <= MOST_PARAMETERS) {
    hlo_memory_set_limit(hlo_memory_in_use() + MOST_MEMORY);
    run(executable);
  }
  hlo_executable_destroy(executable);
  hlo_module_destroy(module);
  require(hlo_memory_in_use() == 0);
  return 0;
}
