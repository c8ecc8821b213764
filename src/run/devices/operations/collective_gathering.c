// How processes come together for collectives. See collective.h.
#include "reference/reference.h"
#include "run/devices/collective.h"

#include "run/exec/run.h"
#include "run/exec/sized.h"

#include <string.h>

// Members in the order of their group. Those that are there have run->gathering == this.
struct hlo_gathering {
  hlo_gathering *next;
  hlo_run *first; // who arrived first: the others must agree with it
  int64_t channel;
  int32_t count, arrived;
  int32_t members[];
};

void hlo_gatherings_clear(hlo_run_group *group) {
  while (group->gatherings != NULL) {
    hlo_gathering *gathering = group->gatherings;
    group->gatherings = gathering->next;
    hlo_memory_release(gathering);
  }
}

static int64_t channel_of(const hlo_instruction *instruction) {
  int64_t channel = hlo_get_int(instruction, HLO_ATTRIBUTE_CHANNEL_ID, 0);
  return channel > 0 ? channel : 0;
}

static const hlo_step *step_of(const hlo_run *run) { return hlo_frame_step(run->frame); }

// The gathering under way of the same processes on the same channel, or NULL.
static hlo_gathering *find_gathering(const hlo_run_group *group, const hlo_process_group *members,
                                     int64_t channel) {
  hlo_gathering *g = group->gatherings;
  for (; g != NULL; g = g->next) {
    if (g->channel == channel && g->count == members->count &&
        memcmp(g->members, members->processes, (size_t)g->count * sizeof *g->members) == 0) {
      break;
    }
  }
  return g;
}

static hlo_status open_gathering(hlo_run *run, const hlo_process_group *members, int64_t channel,
                                 hlo_gathering **out, hlo_error *error) {
  size_t list = (size_t)members->count * sizeof(int32_t);
  hlo_gathering *g = hlo_memory_alloc(sizeof *g + list);
  if (g == NULL) return hlo_fail_out_of_memory(error);
  *g = (hlo_gathering){.next = run->group->gatherings, .first = run, .channel = channel};
  g->count = members->count;
  memcpy(g->members, members->processes, list);
  run->group->gatherings = g;
  *out = g;
  return HLO_OK;
}

static void close_gathering(hlo_run_group *group, hlo_gathering *gathering) {
  hlo_gathering **link = &group->gatherings;
  while (*link != gathering) link = &(*link)->next;
  *link = gathering->next;
  hlo_memory_release(gathering);
}

// --- agreement ---

static hlo_status fail_disagreement(const hlo_run *run, const hlo_run *other, const char *here,
                                    const char *there, hlo_error *error) {
  hlo_string text = {0};
  hlo_group_add_name(run->group, run->process, &text);
  hlo_string_add_format(&text, " has %s, but ", here);
  hlo_group_add_name(run->group, other->process, &text);
  hlo_string_add_format(&text, " at %%%.*s has %s", 200, step_of(other)->instruction->name, there);
  hlo_status status = text.failed
                          ? hlo_fail_out_of_memory(error)
                          : hlo_instruction_fail(step_of(run)->instruction, HLO_RUNTIME_ERROR,
                                                 error, "participants disagree: %s", text.text);
  hlo_string_free(&text);
  return status;
}

static hlo_status agree_on_leaves(const hlo_run *run, const hlo_run *other, int32_t count,
                                  const int32_t *slots, int32_t other_count,
                                  const int32_t *other_slots, hlo_error *error) {
  if (count != other_count) {
    return fail_disagreement(run, other, "another number of arrays", "its own", error);
  }
  for (int32_t i = 0; i < count; i++) {
    const hlo_shape *a = run->frame->plan->slot_shapes[slots[i]];
    const hlo_shape *b = other->frame->plan->slot_shapes[other_slots[i]];
    if (hlo_shape_compatible(a, b)) continue;
    char here[HLO_SHAPE_TEXT_SIZE], there[HLO_SHAPE_TEXT_SIZE];
    return fail_disagreement(run, other, hlo_shape_to_text(here, a), hlo_shape_to_text(there, b),
                             error);
  }
  return HLO_OK;
}

static bool same_ints(const hlo_instruction *a, const hlo_instruction *b, hlo_attribute_id id) {
  int32_t count_a, count_b;
  const int64_t *ints_a = hlo_get_ints(a, id, &count_a), *ints_b = hlo_get_ints(b, id, &count_b);
  return count_a == count_b &&
         (count_a == 0 || memcmp(ints_a, ints_b, (size_t)count_a * sizeof *ints_a) == 0);
}

// Both are at the same operation, with arrays of the same shapes and along the same dimension.
static hlo_status agree(const hlo_run *run, const hlo_run *other, hlo_error *error) {
  const hlo_step *a = step_of(run), *b = step_of(other);
  const hlo_instruction *x = a->instruction, *y = b->instruction;
  if (x->opcode != y->opcode) {
    return fail_disagreement(run, other, hlo_op_get(x->opcode)->name, hlo_op_get(y->opcode)->name,
                             error);
  }
  HLO_TRY(agree_on_leaves(run, other, a->operand_leaves, a->operands, b->operand_leaves,
                          b->operands, error));
  HLO_TRY(agree_on_leaves(run, other, a->result_leaves, a->results, b->result_leaves, b->results,
                          error));
  if (!same_ints(x, y, HLO_ATTRIBUTE_DIMENSIONS)) {
    return fail_disagreement(run, other, "another dimension", "its own", error);
  }
  if (!same_ints(x, y, HLO_ATTRIBUTE_SOURCE_TARGET_PAIRS)) {
    return fail_disagreement(run, other, "other source_target_pairs", "its own", error);
  }
  return HLO_OK;
}

// --- computing ---

static hlo_status prepare_participant(hlo_run *member, hlo_arena *scratch, hlo_participant *out,
                                      hlo_error *error) {
  hlo_frame *frame = member->frame;
  const hlo_step *step = step_of(member);
  hlo_view *views;
  HLO_ALLOC(views, scratch, (int64_t)step->operand_leaves + step->result_leaves, error);
  hlo_step_view_slots(frame, step->operand_leaves, step->operands, views);
  out->operands = views;
  out->results = views + step->operand_leaves;
  return HLO_OK;
}

// Memory for a participant's results, at sizes that follow from all operands where any has some.
static hlo_status allocate_results(const hlo_collective *c, const hlo_collective_kind *kind,
                                   hlo_run *member, int32_t to, bool is_sized, hlo_error *error) {
  hlo_frame *frame = member->frame;
  const hlo_step *step = step_of(member);
  hlo_view *results = c->participants[to].results;
  if (!is_sized) {
    HLO_TRY(hlo_step_allocate_results(frame, step, error));
    hlo_step_view_slots(frame, step->result_leaves, step->results, results);
    return HLO_OK;
  }
  bool is_each = hlo_collective_data_count(c->instruction) == c->result_count;
  if (!is_each && kind->sizes != hlo_collective_output_sizes)
    return hlo_instruction_fail(step->instruction, HLO_UNSUPPORTED, error,
                                "does not take values whose sizes are known only at run time");
  for (int32_t k = 0; k < c->result_count; k++) {
    int64_t dims[HLO_MAX_RANK] = {0};
    HLO_TRY(kind->sizes(c, to, k, dims, error));
    HLO_TRY(hlo_sized_result(frame, step, k, dims, &results[k], error));
  }
  return HLO_OK;
}

// All are there: computes their results and lets them go on, `last` by its caller.
static hlo_status compute(hlo_run *last, const hlo_collective_kind *kind,
                          const hlo_process_group *members, const hlo_instruction *instruction,
                          hlo_error *error) {
  hlo_run_group *group = last->group;
  hlo_evaluator evaluator = hlo_step_evaluator(last);
  hlo_reference reference;
  hlo_participant *participants;
  bool is_sized = false;
  HLO_ALLOC(participants, &last->scratch, members->count, error);
  for (int32_t i = 0; i < members->count; i++) {
    hlo_run *member = group->processes[members->processes[i]];
    participants[i].number = members->numbers[i];
    is_sized = is_sized || hlo_step_is_sized(member->frame, step_of(member));
    HLO_TRY(prepare_participant(member, &last->scratch, &participants[i], error));
  }
  hlo_collective collective = {.instruction = instruction,
                               .evaluator = &evaluator,
                               .reference = hlo_step_reference(last, &reference),
                               .operand_count = step_of(last)->operand_leaves,
                               .result_count = step_of(last)->result_leaves,
                               .count = members->count,
                               .participants = participants,
                               .is_outside = members->is_outside};
  for (int32_t i = 0; i < members->count; i++)
    HLO_TRY(allocate_results(&collective, kind, group->processes[members->processes[i]], i,
                             is_sized, error));
  HLO_TRY(kind->compute(&collective, error));
  for (int32_t i = 0; i < members->count; i++) {
    hlo_run *member = group->processes[members->processes[i]];
    if (member == last) continue;
    member->waiting = false;
    member->gathering = NULL;
    hlo_run_finish_step(member, member->frame);
  }
  return HLO_OK;
}

hlo_status hlo_run_collective(hlo_run *run, hlo_frame *frame, const hlo_step *step, bool *finished,
                              hlo_error *error) {
  (void)frame;
  const hlo_instruction *instruction = step->instruction;
  const hlo_collective_kind *kind = hlo_collective_kind_of(instruction->opcode);
  hlo_process_group members;
  HLO_TRY(hlo_communicate_require_process(run, step, error));
  HLO_TRY(hlo_process_group_of(instruction, kind, run->group, run->process, &run->scratch, &members,
                               error));
  *finished = members.count == 1;
  if (*finished) return compute(run, kind, &members, instruction, error);
  int64_t channel = channel_of(instruction);
  hlo_gathering *gathering = find_gathering(run->group, &members, channel);
  if (gathering == NULL) HLO_TRY(open_gathering(run, &members, channel, &gathering, error));
  else HLO_TRY(agree(run, gathering->first, error));
  if (++gathering->arrived < gathering->count) {
    run->gathering = gathering;
    run->waiting = true;
    return HLO_OK;
  }
  *finished = true;
  HLO_TRY(compute(run, kind, &members, step_of(gathering->first)->instruction, error));
  close_gathering(run->group, gathering);
  return HLO_OK;
}

void hlo_collective_describe(const hlo_run *run, hlo_string *out) {
  enum { MOST_LISTED = 4 };
  const hlo_gathering *g = run->gathering;
  int32_t missing = 0;
  for (int32_t i = 0; i < g->count; i++) {
    const hlo_run *member = run->group->processes[g->members[i]];
    if (member->gathering == g || missing++ >= MOST_LISTED) continue;
    if (missing > 1) hlo_string_add(out, ", ");
    hlo_group_add_name(run->group, g->members[i], out);
    if (member->frame == NULL) hlo_string_add(out, " (which has ended)");
  }
  if (missing > MOST_LISTED)
    hlo_string_add_format(out, " and %d more", (int)(missing - MOST_LISTED));
}
