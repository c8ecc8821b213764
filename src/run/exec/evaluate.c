// How instructions are evaluated in a run: what evaluators may use of it, by kernels or by the
// oracle, and custom calls. See run.h.
#include "reference/reference.h"
#include "run/exec/run.h"

#include <string.h>

enum { MAX_NESTING = 16 };

// hlo_evaluator.call: runs a computation that hlo_apply cannot take as vector code, in a run of its
// own.
static hlo_status call_computation(void *host, const hlo_computation *computation,
                                   int32_t argument_count, const hlo_view *arguments,
                                   int32_t result_count, const hlo_view *results,
                                   hlo_error *error) {
  hlo_run *outer = host, *inner = NULL;
  const hlo_plan *plan = outer->executable->program->plans.plans[computation->index];
  if (outer->nesting >= MAX_NESTING) {
    return hlo_fail(error, HLO_UNSUPPORTED, "computation %s: applied more than %d levels deep",
                    computation->name, (int)MAX_NESTING);
  }
  hlo_buffer **buffers;
  HLO_ALLOC(buffers, &outer->scratch, argument_count, error);
  hlo_status status = HLO_OK;
  for (int32_t i = 0; i < argument_count && status == HLO_OK; i++) {
    int64_t size = hlo_type_bytes(arguments[i].type);
    status = hlo_buffer_create(size, &buffers[i], error);
    if (status == HLO_OK) memcpy(buffers[i]->data, arguments[i].data, (size_t)size);
  }
  if (status == HLO_OK) {
    status = hlo_run_create(outer->executable, plan, buffers, outer, &inner, error);
  }
  for (int32_t i = 0; i < argument_count; i++) hlo_buffer_release(buffers[i]);
  bool done;
  if (status == HLO_OK) status = hlo_run_continue(inner, 0, &done, error);
  for (int32_t i = 0; i < result_count && status == HLO_OK; i++) {
    memcpy(results[i].data, inner->results[i]->data, (size_t)hlo_type_bytes(results[i].type));
  }
  hlo_run_destroy(inner);
  return status;
}

hlo_evaluator hlo_step_evaluator(hlo_run *run) {
  return (hlo_evaluator){.scratch = &run->scratch,
                         .backend = run->executable->program->backend,
                         .random = run->executable->random,
                         .call = call_computation,
                         .host = run};
}

// A custom call inside a computation that the oracle applies.
static hlo_status call_for_oracle(void *host, const hlo_instruction *instruction,
                                  int32_t operand_count, const hlo_view *operands,
                                  int32_t result_count, const hlo_view *results, hlo_error *error) {
  hlo_run *run = host;
  const char *target = hlo_get_text(instruction, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  hlo_step step = {.instruction = instruction,
                   .operand_leaves = operand_count,
                   .result_leaves = result_count,
                   .custom = hlo_custom_call_lookup(target)};
  if (step.custom == NULL) step.custom = hlo_custom_call_late;
  if (step.custom == hlo_lapack_call)
    HLO_TRY(hlo_lapack_create_plan(instruction, &run->scratch, &step.lapack, error));
  return hlo_step_call_custom(run, &step, operands, results, error);
}

const hlo_reference *hlo_step_reference(hlo_run *run, hlo_reference *out) {
  if (!run->executable->program->plans.reference) return NULL;
  *out = (hlo_reference){.arena = &run->scratch,
                         .random = run->executable->random,
                         .custom_call = call_for_oracle,
                         .host = run};
  return out;
}

hlo_status hlo_step_evaluate(hlo_run *run, const hlo_evaluator *evaluator,
                             const hlo_instruction *instruction, const hlo_view *operands,
                             const hlo_view *results, hlo_error *error) {
  hlo_reference memory;
  const hlo_reference *reference = hlo_step_reference(run, &memory);
  if (reference != NULL)
    return hlo_reference_evaluate(reference, instruction, operands, results, error);
  return hlo_evaluate(evaluator, instruction, operands, results, error);
}

hlo_status hlo_step_call_custom(hlo_run *run, const hlo_step *step, const hlo_view *operands,
                                const hlo_view *results, hlo_error *error) {
  hlo_evaluator evaluator = hlo_step_evaluator(run);
  hlo_reference reference;
  hlo_custom_call call = {.instruction = step->instruction,
                          .operand_count = step->operand_leaves,
                          .operands = operands,
                          .result_count = step->result_leaves,
                          .results = results,
                          .output = &run->output,
                          .probes = run->probes,
                          .evaluator = &evaluator,
                          .reference = hlo_step_reference(run, &reference),
                          .plan = step->lapack};
  return step->custom(&call, error);
}
