// Compiling a module and running it from arrays to arrays. See executable.h.
#include "run/executable.h"

#include "hlo/analysis/actual_sizes.h"
#include "run/exec/fused.h"
#include "run/exec/oracle.h"
#include "run/exec/run.h"
#include "run/exec/sized.h"

// The optimised program, or, where none can be made, the one that was given: passes that make
// programs fast never stand in the way of running them. (Tests verify, and want to know.)
static hlo_status optimize(hlo_program *program, const hlo_computation **computation,
                           const hlo_compile_options *options, hlo_error *error) {
  const hlo_module *module = program->module;
  hlo_error reason;
  hlo_error_clear(&reason);
  // Passes reason from static sizes; a size may come to a value whose shape does not say so.
  hlo_pass_options passes = options->passes;
  passes.target = options->target;
  passes.for_oracle = options->reference;
  bool plain =
      options->reference || !options->optimize || hlo_module_has_dynamic_sizes(module) ||
      (options->unless_small && !hlo_gains_by_optimizing(module, options->passes.fewest_elements));
  if (plain && !hlo_needs_lowering(module, &passes)) return HLO_OK;
  hlo_status status =
      plain ? hlo_lower(module, *computation, &passes, &program->optimized, &reason)
            : hlo_optimize(module, *computation, &passes, &program->optimized, &reason);
  if (status == HLO_OUT_OF_MEMORY) return hlo_fail_out_of_memory(error);
  if (status != HLO_OK && !options->passes.verify && !hlo_needs_lowering(module, &passes))
    return HLO_OK;
  if (status != HLO_OK) {
    *error = reason;
    return status;
  }
  program->plans.module = program->optimized;
  *computation = program->optimized->entry;
  return HLO_OK;
}

static void release_program(hlo_program *program) {
  if (program->shares-- > 0) return;
  hlo_plan_set_free(&program->plans);
  hlo_module_destroy(program->optimized);
  hlo_module_destroy(program->module);
  hlo_memory_release(program);
}

// Lists of the leaves' shapes, since a walk through tuples for each of many would take long.
static hlo_status list_shapes(hlo_program *program, const hlo_computation *computation,
                              hlo_error *error) {
  const hlo_plan *entry = program->plans.plans[computation->index];
  int32_t at = 0;
  HLO_ALLOC(program->parameters, &program->plans.arena, entry->parameter_leaves, error);
  HLO_ALLOC(program->results, &program->plans.arena, entry->result_leaves, error);
  for (int32_t p = 0; p < computation->parameter_count; p++)
    at += hlo_shape_leaves(computation->parameters[p]->shape, program->parameters + at);
  hlo_shape_leaves(computation->root->shape, program->results);
  program->entry = entry;
  return HLO_OK;
}

static hlo_status create_program(const hlo_module *module, const hlo_computation *computation,
                                 const hlo_compile_options *options, hlo_program **out,
                                 hlo_error *error) {
  hlo_program *program = hlo_memory_alloc(sizeof *program);
  if (program == NULL) return hlo_fail_out_of_memory(error);
  const hlo_backend *backend = options->reference ? NULL : options->backend;
  *program = (hlo_program){.module = hlo_module_share(module), .backend = backend};
  program->plans.module = module;
  program->plans.emits = backend != NULL;
  program->plans.target = options->target;
  program->plans.backend = backend;
  program->plans.reference = options->reference;
  if (options->reference && hlo_oracle_has(module)) program->by_oracle = computation;
  hlo_status status = optimize(program, &computation, options, error);
  if (status == HLO_OK) status = hlo_plan_create(&program->plans, computation, error);
  if (status == HLO_OK) status = list_shapes(program, computation, error);
  if (status == HLO_OK) *out = program;
  else release_program(program);
  return status;
}

// Takes the program over.
static hlo_status create_executable(hlo_program *program, hlo_executable **out, hlo_error *error) {
  hlo_executable *executable = hlo_memory_alloc(sizeof *executable + sizeof *executable->random);
  if (executable == NULL) {
    release_program(program);
    return hlo_fail_out_of_memory(error);
  }
  *executable = (hlo_executable){program, (hlo_random_state *)(executable + 1)};
  *executable->random = HLO_RANDOM_STATE_START;
  *out = executable;
  return HLO_OK;
}

hlo_status hlo_compile(const hlo_module *module, const hlo_compile_options *options,
                       hlo_executable **out, hlo_error *error) {
  *out = NULL;
  hlo_program *program;
  const hlo_computation *computation =
      options->computation != NULL ? options->computation : module->entry;
  if (computation == NULL) {
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "module %s has no entry computation (no @main)",
                    module->name);
  }
  HLO_TRY(create_program(module, computation, options, &program, error));
  return create_executable(program, out, error);
}

hlo_status hlo_executable_share(const hlo_executable *executable, hlo_executable **out,
                                hlo_error *error) {
  *out = NULL;
  executable->program->shares++;
  return create_executable(executable->program, out, error);
}

void hlo_executable_destroy(hlo_executable *executable) {
  if (executable == NULL) return;
  release_program(executable->program);
  hlo_memory_release(executable);
}

const hlo_module *hlo_executable_source(const hlo_executable *executable) {
  return executable->program->module;
}

const hlo_module *hlo_executable_module(const hlo_executable *executable) {
  return executable->program->plans.module;
}

int32_t hlo_executable_kernel_count(const hlo_executable *executable) {
  return executable->program->plans.kernel_count;
}

hlo_status hlo_executable_code(const hlo_executable *executable, bool shared_memory,
                               hlo_string *out, hlo_error *error) {
  return hlo_emit_module(out, executable->program->plans.kernel_count,
                         executable->program->plans.kernels, &executable->program->plans.imports,
                         shared_memory, error);
}

bool hlo_executable_has_parts(const hlo_executable *executable) {
  bool has = false;
  for (int32_t i = 0; i < executable->program->plans.kernel_count; i++) {
    has = has || hlo_fused_has_parts(executable->program->plans.kernels[i]);
  }
  return has;
}

void hlo_executable_install(hlo_executable *executable, int32_t kernel,
                            hlo_emitted_function *function) {
  if (kernel >= 0 && kernel < executable->program->plans.kernel_count)
    executable->program->plans.functions[kernel] = function;
}

const hlo_computation *hlo_executable_computation(const hlo_executable *executable) {
  return executable->program->entry->computation;
}

bool hlo_executable_has_dynamic_sizes(const hlo_executable *executable) {
  return executable->program->plans.has_sizes;
}

int32_t hlo_executable_parameter_count(const hlo_executable *executable) {
  return executable->program->entry->parameter_leaves;
}

const hlo_shape *hlo_executable_parameter(const hlo_executable *executable, int32_t index) {
  if (index < 0 || index >= executable->program->entry->parameter_leaves) return NULL;
  return executable->program->parameters[index];
}

int32_t hlo_executable_result_count(const hlo_executable *executable) {
  return executable->program->entry->result_leaves;
}

const hlo_shape *hlo_executable_result(const hlo_executable *executable, int32_t index) {
  if (index < 0 || index >= executable->program->entry->result_leaves) return NULL;
  return executable->program->results[index];
}

static int64_t bytes_of_slots(const hlo_plan *plan, int32_t count, const int32_t *slots) {
  int64_t bytes = 0;
  for (int32_t i = 0; i < count; i++) {
    int64_t own = hlo_shape_bytes(plan->slot_shapes[slots == NULL ? i : slots[i]]);
    if (__builtin_add_overflow(bytes, own, &bytes)) return INT64_MAX;
  }
  return bytes;
}

hlo_memory_report hlo_executable_memory(const hlo_executable *executable) {
  const hlo_plan *entry = executable->program->entry;
  const hlo_plan_set *set = &executable->program->plans;
  hlo_memory_report out = {
      .arguments = bytes_of_slots(entry, entry->parameter_leaves, NULL),
      .results = bytes_of_slots(entry, entry->result_leaves, entry->results),
  };
  for (int32_t i = 0; i < set->module->computation_count; i++) {
    const hlo_plan *plan = set->plans[i];
    for (int32_t c = 0; plan != NULL && c < plan->constant_count; c++) {
      out.constants += plan->constants[c].buffer->size; // they are there already: no overflow
    }
  }
  out.temporaries = entry->most_bytes > out.results ? entry->most_bytes - out.results : 0;
  if (__builtin_add_overflow(out.arguments, out.constants, &out.peak) ||
      __builtin_add_overflow(out.peak, entry->most_bytes, &out.peak)) {
    out.peak = INT64_MAX;
  }
  return out;
}

static hlo_status check_argument(const hlo_executable *executable, int32_t index,
                                 const hlo_array *argument, hlo_error *error) {
  const hlo_shape *wanted = hlo_executable_parameter(executable, index);
  if (argument != NULL && hlo_shape_admits(wanted, argument->shape)) return HLO_OK;
  char want[HLO_SHAPE_TEXT_SIZE], got[HLO_SHAPE_TEXT_SIZE] = "nothing";
  if (argument != NULL) hlo_shape_to_text(got, argument->shape);
  return hlo_fail(error, HLO_SHAPE_ERROR, "argument %d is %s, but the program takes %s", (int)index,
                  got, hlo_shape_to_text(want, wanted));
}

hlo_status hlo_run_start(const hlo_executable *executable, int32_t argument_count,
                         hlo_array *const *arguments, hlo_run **out, hlo_error *error) {
  *out = NULL;
  const hlo_plan *plan = executable->program->entry;
  if (argument_count != plan->parameter_leaves) {
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "the program takes %d arguments, got %d",
                    (int)plan->parameter_leaves, (int)argument_count);
  }
  hlo_buffer **buffers = hlo_memory_alloc((size_t)argument_count * sizeof *buffers);
  if (buffers == NULL) return hlo_fail_out_of_memory(error);
  hlo_status status = HLO_OK;
  int32_t bound = 0;
  while (bound < argument_count && status == HLO_OK) {
    status = check_argument(executable, bound, arguments[bound], error);
    if (status != HLO_OK) break;
    status =
        hlo_sized_from_array(arguments[bound], plan->slot_shapes[bound], &buffers[bound], error);
    if (status == HLO_OK) bound++;
  }
  if (status == HLO_OK) status = hlo_run_create(executable, plan, buffers, NULL, out, error);
  for (int32_t i = 0; i < bound; i++) hlo_buffer_release(buffers[i]);
  hlo_memory_release(buffers);
  return status;
}

hlo_status hlo_run_result(hlo_run *run, int32_t index, hlo_array **out, hlo_error *error) {
  *out = NULL;
  if (run->results == NULL) return hlo_fail(error, HLO_INVALID_ARGUMENT, "the run has not ended");
  const hlo_shape *shape = hlo_executable_result(run->executable, index);
  if (shape == NULL) {
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "there is no result %d", (int)index);
  }
  hlo_buffer *buffer;
  const hlo_shape *held = run->plan->slot_shapes[run->plan->results[index]];
  if (run->results[index] != NULL && run->results[index]->sizes != NULL) {
    return hlo_sized_to_array(held, run->results[index], shape, out, error);
  }
  HLO_TRY(hlo_buffer_in_layout(run->results[index], held, shape, &buffer, error));
  return hlo_array_create(shape, buffer, out, error);
}

hlo_status hlo_run_finish(hlo_run *run, hlo_array **results, hlo_error *error) {
  int32_t count = hlo_executable_result_count(run->executable), made = 0;
  bool done;
  hlo_status status = hlo_run_continue(run, 0, &done, error);
  while (status == HLO_OK && made < count) {
    status = hlo_run_result(run, made, &results[made], error);
    if (status == HLO_OK) made++;
  }
  for (int32_t i = 0; status != HLO_OK && i < made; i++) {
    hlo_array_destroy(results[i]);
    results[i] = NULL;
  }
  return status;
}

hlo_status hlo_execute(const hlo_executable *executable, int32_t argument_count,
                       hlo_array *const *arguments, hlo_array **results, hlo_error *error) {
  hlo_run *run;
  HLO_TRY(hlo_run_start(executable, argument_count, arguments, &run, error));
  hlo_status status = hlo_run_finish(run, results, error);
  hlo_run_destroy(run);
  return status;
}
