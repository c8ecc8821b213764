// The text of maps with runtime variables and of answers. See indexing.h.
#include "indexing/indexing.h"

// --- maps with their producers ---

static void print_producer(hlo_string *out, const hlo_instruction *x) {
  hlo_string_add(out, x->name);
  hlo_string_add(out, " = ");
  hlo_shape_print(out, x->shape, false);
  hlo_string_add_format(out, " %s(", hlo_op_get(x->opcode)->name);
  if (x->opcode == HLO_OP_PARAMETER) hlo_string_add_int(out, x->parameter_number);
  for (int32_t k = 0; k < x->operand_count; k++) {
    hlo_string_add(out, k == 0 ? "" : ", ");
    hlo_string_add(out, x->operands[k]->name);
  }
  hlo_string_add_char(out, ')');
}

// "rt0: of1 = s32[] parameter(1), (d0, d1) -> ()"
static void print_runtime(hlo_string *out, const hlo_indexing *indexing, int32_t i) {
  const hlo_indexing_runtime *runtime = &indexing->runtimes[i];
  hlo_affine_print_variable(out, HLO_AFFINE_RUNTIME, i, NULL);
  hlo_string_add(out, ": ");
  print_producer(out, runtime->producer);
  if (hlo_shape_is_tuple(runtime->producer->shape))
    hlo_string_add_format(out, " output %d", runtime->leaf);
  hlo_string_add(out, ", (");
  static const char *const opens[] = {"", "[", "{"}, *const closes[] = {")", "]", "}"};
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    int32_t count = indexing->map->variable_count[kind];
    bool is_used = kind == HLO_AFFINE_DIM;
    for (int32_t d = 0; d < runtime->rank; d++)
      is_used |= (runtime->position[d]->variables >> kind & 1) != 0;
    if (!is_used) continue;
    hlo_string_add(out, opens[kind]);
    for (int32_t k = 0; k < count; k++) {
      if (k > 0) hlo_string_add(out, ", ");
      hlo_affine_print_variable(out, (hlo_affine_kind)kind, k, NULL);
    }
    hlo_string_add(out, closes[kind]);
  }
  hlo_string_add(out, " -> (");
  for (int32_t d = 0; d < runtime->rank; d++) {
    if (d > 0) hlo_string_add(out, ", ");
    hlo_affine_print(out, runtime->position[d], NULL);
  }
  hlo_string_add_char(out, ')');
}

// One map and its runtime variables' producers:
//   runtime variables:
//   rt0: of1 = s32[] parameter(1), (d0, d1) -> ()
static void print_indexing(hlo_string *out, const hlo_indexing *indexing) {
  hlo_map_print(out, indexing->map);
  int32_t count = indexing->map->variable_count[HLO_AFFINE_RUNTIME];
  if (count == 0 || indexing->map->known_empty) return;
  hlo_string_add(out, "\nruntime variables:");
  for (int32_t i = 0; i < count; i++) {
    hlo_string_add_char(out, '\n');
    print_runtime(out, indexing, i);
  }
}

void hlo_indexing_set_print(hlo_string *out, const hlo_indexing_set *set) {
  if (set->is_unknown) hlo_string_add(out, "unknown indexing");
  else if (set->count == 0) hlo_string_add(out, "KNOWN EMPTY");
  for (int32_t i = 0; i < set->count; i++) {
    if (i > 0) hlo_string_add_char(out, '\n');
    print_indexing(out, &set->items[i]);
  }
}

// --- answers ---

// What there is nothing to map to.
static void print_nothing(hlo_string *out, const hlo_indexing_answer *answer) {
  print_producer(out, answer->instruction);
  hlo_string_add(out, answer->instruction->operand_count == 0
                          ? " has no operands: there is nothing to index\n"
                          : ": there is nothing to index\n");
}

void hlo_indexing_answer_print(hlo_string *out, const hlo_indexing_answer *answer) {
  if (answer->count == 0) print_nothing(out, answer);
  for (int32_t i = 0; i < answer->count; i++) {
    const hlo_indexing_entry *e = &answer->entries[i];
    bool is_next = i == 0 || e->from_leaf != e[-1].from_leaf;
    if (is_next && !e->is_to_output && hlo_shape_leaf_count(e->from->shape) > 1)
      hlo_string_add_format(out, "output id = %d\n", e->from_leaf);
    if (e->is_by_name && hlo_shape_is_tuple(e->to->shape))
      hlo_string_add_format(out, "%s output %d:\n", e->to->name, e->to_leaf);
    else if (e->is_by_name) hlo_string_add_format(out, "%s:\n", e->to->name);
    else
      hlo_string_add_format(out, "%s id = %d\n", e->is_to_output ? "output" : "operand", e->number);
    hlo_indexing_set_print(out, e->set);
    hlo_string_add_char(out, '\n');
  }
}

hlo_status hlo_indexing_print_module(hlo_string *out, const hlo_module *module,
                                     const hlo_indexing_options *options, hlo_error *error) {
  hlo_arena arena = {0};
  hlo_indexing_analysis *analysis;
  hlo_indexing_answer answer;
  hlo_status status = hlo_indexing_analysis_create(&arena, &analysis, error);
  if (status == HLO_OK)
    status = hlo_indexing_answer_query(analysis, module, options, &answer, error);
  if (status == HLO_OK) {
    hlo_indexing_answer_print(out, &answer);
    status = hlo_string_status(out, error);
  }
  hlo_arena_free(&arena);
  return status;
}
