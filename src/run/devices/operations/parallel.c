// interpreter.run_parallel of StableHLO's test modules: starts a group of processes inside one,
// each running a function, and ends when all have. The importer makes a custom call of it whose
// called_computations are the functions of the processes, replica by replica, and then those whose
// results feed infeed in turn; operands and results are the processes' arguments and results in
// the same order. Source: the description of the operation in the project's issue 3.
#include "run/devices/communicate.h"
#include "run/exec/run.h"

typedef struct grid {
  int32_t replicas, partitions;
  int32_t processes, feeds; // of step->plans, in this order
} grid;

static hlo_status grid_of(const hlo_step *step, grid *out, hlo_error *error) {
  const hlo_instruction *instruction = step->instruction;
  double replicas = hlo_custom_call_number(instruction, "replicas", 1);
  double partitions = hlo_custom_call_number(instruction, "partitions", 1);
  bool fits = replicas >= 1 && partitions >= 1 && replicas * partitions <= step->plan_count;
  if (!fits) {
    return hlo_instruction_fail(instruction, HLO_SHAPE_ERROR, error,
                                "needs a program for each process: a grid of replicas x "
                                "partitions, each row of the same length");
  }
  *out = (grid){.replicas = (int32_t)replicas, .partitions = (int32_t)partitions};
  out->processes = out->replicas * out->partitions;
  out->feeds = step->plan_count - out->processes;
  return HLO_OK;
}

// --- checking ---

// Leaf `index` of all parameters of a computation.
static const hlo_shape *parameter_leaf(const hlo_computation *computation, int32_t index) {
  for (int32_t p = 0; p < computation->parameter_count; p++) {
    const hlo_shape *shape = computation->parameters[p]->shape;
    int32_t leaves = hlo_shape_leaf_count(shape);
    if (index < leaves) return hlo_shape_leaf(shape, index);
    index -= leaves;
  }
  return NULL;
}

static const hlo_shape *operand_leaf(const hlo_instruction *instruction, int32_t index) {
  for (int32_t k = 0; k < instruction->operand_count; k++) {
    const hlo_shape *shape = instruction->operands[k]->shape;
    int32_t leaves = hlo_shape_leaf_count(shape);
    if (index < leaves) return hlo_shape_leaf(shape, index);
    index -= leaves;
  }
  return NULL;
}

static hlo_status require_same(const hlo_instruction *instruction, const char *what, int32_t number,
                               const hlo_shape *given, const hlo_shape *wanted, hlo_error *error) {
  if (given != NULL && wanted != NULL && hlo_shape_compatible(given, wanted)) return HLO_OK;
  char a[HLO_SHAPE_TEXT_SIZE] = "nothing", b[HLO_SHAPE_TEXT_SIZE] = "nothing";
  if (given != NULL) hlo_shape_to_text(a, given);
  if (wanted != NULL) hlo_shape_to_text(b, wanted);
  return hlo_instruction_fail(instruction, HLO_SHAPE_ERROR, error,
                              "%s %d is %s, the program has %s", what, (int)number, a, b);
}

static hlo_status check_process(const hlo_step *step, const hlo_plan *plan, int32_t *operands,
                                int32_t *results, hlo_error *error) {
  const hlo_instruction *instruction = step->instruction;
  const hlo_computation *computation = plan->computation;
  for (int32_t i = 0; i < plan->parameter_leaves; i++, ++*operands) {
    HLO_TRY(require_same(instruction, "operand", *operands, operand_leaf(instruction, *operands),
                         parameter_leaf(computation, i), error));
  }
  for (int32_t i = 0; i < plan->result_leaves; i++, ++*results) {
    bool there = *results < step->result_leaves;
    HLO_TRY(require_same(instruction, "result", *results,
                         there ? hlo_shape_leaf(instruction->shape, *results) : NULL,
                         hlo_shape_leaf(computation->root->shape, i), error));
  }
  return HLO_OK;
}

hlo_status hlo_parallel_check(const hlo_step *step, hlo_error *error) {
  grid grid;
  HLO_TRY(grid_of(step, &grid, error));
  int32_t operands = 0, results = 0;
  for (int32_t i = 0; i < grid.processes; i++) {
    HLO_TRY(check_process(step, step->plans[i], &operands, &results, error));
  }
  if (operands != step->operand_leaves || results != step->result_leaves) {
    return hlo_instruction_fail(step->instruction, HLO_SHAPE_ERROR, error,
                                "has %d operands and %d results, its programs have %d and %d",
                                (int)step->operand_leaves, (int)step->result_leaves, (int)operands,
                                (int)results);
  }
  for (int32_t i = grid.processes; i < step->plan_count; i++) {
    if (step->plans[i]->parameter_leaves == 0) continue;
    return hlo_instruction_fail(step->instruction, HLO_SHAPE_ERROR, error,
                                "%%%.*s feeds infeed and must not have parameters", 200,
                                step->plans[i]->computation->name);
  }
  return HLO_OK;
}

// --- starting ---

// The results of an ended run as a parcel.
static hlo_status pack_results(const hlo_run *run, hlo_parcel **out, hlo_error *error) {
  const hlo_plan *plan = run->plan;
  HLO_TRY(hlo_parcel_create(plan->result_leaves, out, error));
  for (int32_t i = 0; i < plan->result_leaves; i++) {
    if (run->results[i] != NULL) hlo_buffer_retain(run->results[i]);
    hlo_status status = hlo_array_create(plan->slot_shapes[plan->results[i]], run->results[i],
                                         &(*out)->arrays[i], error);
    if (status == HLO_OK) continue;
    hlo_parcel_destroy(*out);
    return status;
  }
  return HLO_OK;
}

static hlo_status feed(hlo_run *run, const hlo_plan *plan, hlo_run_group *group, hlo_error *error) {
  hlo_run *feeder;
  HLO_TRY(hlo_run_create(run->executable, plan, NULL, NULL, &feeder, error));
  bool done;
  hlo_parcel *parcel = NULL;
  hlo_status status = hlo_run_continue(feeder, 0, &done, error);
  if (status == HLO_OK) status = pack_results(feeder, &parcel, error);
  hlo_run_destroy(feeder);
  if (status == HLO_OK) hlo_parcel_queue_add(&group->infeed, parcel);
  return status;
}

static hlo_status start_process(hlo_run *run, const hlo_frame *frame, const int32_t *slots,
                                const hlo_plan *plan, hlo_run **out, hlo_error *error) {
  hlo_buffer **buffers;
  int32_t bound = 0;
  hlo_status status = HLO_OK;
  HLO_ALLOC(buffers, &run->scratch, plan->parameter_leaves, error);
  while (bound < plan->parameter_leaves && status == HLO_OK) {
    int32_t slot = slots[bound];
    status = hlo_buffer_in_layout(frame->slots[slot], frame->plan->slot_shapes[slot],
                                  plan->slot_shapes[bound], &buffers[bound], error);
    if (status == HLO_OK) bound++;
  }
  if (status == HLO_OK) status = hlo_run_create(run->executable, plan, buffers, NULL, out, error);
  for (int32_t i = 0; i < bound; i++) hlo_buffer_release(buffers[i]);
  return status;
}

static hlo_status start(hlo_run *run, const hlo_frame *frame, const hlo_step *step,
                        hlo_error *error) {
  grid grid;
  HLO_TRY(grid_of(step, &grid, error));
  HLO_TRY(hlo_run_group_create(grid.replicas, grid.partitions, &run->started, error));
  hlo_run_group *group = run->started;
  group->partitions_outermost = true;
  const int32_t *slots = step->operands;
  for (int32_t i = 0; i < grid.processes; i++) {
    HLO_TRY(start_process(run, frame, slots, step->plans[i], &group->processes[i], error));
    hlo_run *process = group->processes[i];
    process->group = group;
    process->process = i;
    process->probes = run->probes;
    hlo_run_set_observer(process, run->observer, run->observer_host);
    slots += step->plans[i]->parameter_leaves;
  }
  for (int32_t i = 0; i < grid.feeds; i++) {
    HLO_TRY(feed(run, step->plans[grid.processes + i], group, error));
  }
  return HLO_OK;
}

// --- ending ---

static hlo_status collect_results(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                                  hlo_error *error) {
  const int32_t *slot = step->results;
  for (int32_t p = 0; p < hlo_run_group_process_count(run->started); p++) {
    const hlo_run *process = run->started->processes[p];
    const hlo_plan *plan = process->plan;
    for (int32_t i = 0; i < plan->result_leaves; i++, slot++) {
      HLO_TRY(hlo_buffer_in_layout(process->results[i], plan->slot_shapes[plan->results[i]],
                                   frame->plan->slot_shapes[*slot], &frame->slots[*slot], error));
    }
  }
  return HLO_OK;
}

// What the processes printed and sent to the host becomes this run's.
static void end(hlo_run *run) {
  hlo_run_group *group = run->started;
  for (int32_t p = 0; p < hlo_run_group_process_count(group); p++) {
    hlo_run *process = group->processes[p];
    if (process == NULL) continue;
    const hlo_string *output = hlo_run_output(process);
    if (output->length > 0) hlo_string_add_bytes(&run->output, output->text, output->length);
    hlo_parcel_queue_append(&run->outfeed, &process->outfeed);
  }
  hlo_run_group_destroy(group);
  run->started = NULL;
}

hlo_status hlo_run_parallel(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                            hlo_error *error) {
  hlo_status status = HLO_OK;
  HLO_TRY(hlo_communicate_require_process(run, step, error));
  if (run->started == NULL) status = start(run, frame, step, error);
  if (status == HLO_OK) status = hlo_run_group_continue(run->started, 1, finished, error);
  if (status == HLO_OK && *finished) status = collect_results(run, frame, step, error);
  if (run->started != NULL && (status != HLO_OK || *finished)) end(run);
  return status;
}
