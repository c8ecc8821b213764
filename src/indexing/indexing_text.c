// The text of an analysis, and the analysis that a command or a page asks for. See indexing.h.
#include "indexing/rules.h"

#include <string.h>

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

void hlo_indexing_print(hlo_string *out, const hlo_indexing *indexing) {
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
    hlo_indexing_print(out, &set->items[i]);
  }
}

// --- what was asked for ---

typedef struct question {
  const hlo_module *module;
  const hlo_indexing_options *options;
  hlo_indexing_analysis *analysis;
  const hlo_computation *computation;
  const hlo_instruction *x, *target;
  hlo_string *out;
} question;

static hlo_status find_instruction(const hlo_computation *computation, const char *name,
                                   const hlo_instruction **out, hlo_error *error) {
  if (name[0] == '%') name++;
  *out = hlo_computation_find(computation, name, strlen(name));
  if (*out != NULL) return HLO_OK;
  return hlo_fail(error, HLO_INVALID_ARGUMENT, "computation %s has no instruction %.*s",
                  computation->name, 100, name);
}

static hlo_status find_names(question *q, hlo_error *error) {
  const hlo_indexing_options *options = q->options;
  const hlo_module *module = q->module;
  q->computation = module->entry;
  if (options->computation != NULL) {
    const char *name = options->computation + (options->computation[0] == '%');
    q->computation = hlo_module_find(module, name);
    if (q->computation == NULL)
      return hlo_fail(error, HLO_INVALID_ARGUMENT, "there is no computation %.*s", 100, name);
  } else if (q->computation == NULL && module->computation_count > 0) {
    q->computation = module->computations[module->computation_count - 1];
  }
  if (q->computation == NULL)
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "the module has no computation");
  q->x = q->computation->root;
  if (options->instruction != NULL)
    HLO_TRY(find_instruction(q->computation, options->instruction, &q->x, error));
  if (options->target != NULL)
    HLO_TRY(find_instruction(q->computation, options->target, &q->target, error));
  return HLO_OK;
}

// One set under its heading.
static hlo_status print_set(question *q, const char *heading, int32_t number,
                            const hlo_indexing_set *set, const hlo_shape *from, const hlo_shape *to,
                            hlo_error *error) {
  hlo_indexing_set physical = {.is_unknown = set->is_unknown};
  hlo_string_add_format(q->out, "%s id = %d\n", heading, number);
  if (!q->options->physical || set->count == 0) {
    hlo_indexing_set_print(q->out, set);
  } else {
    for (int32_t i = 0; i < set->count; i++) {
      hlo_indexing one;
      HLO_TRY(hlo_indexing_physical(q->analysis, &set->items[i], from, to, &one, error));
      HLO_TRY(indexing_set_add(hlo_indexing_context(q->analysis), &physical, &one, error));
    }
    hlo_indexing_set_print(q->out, &physical);
  }
  hlo_string_add_char(q->out, '\n');
  return HLO_OK;
}

// All leaves of `to` in a table of maps that start at `from`.
static hlo_status print_table(question *q, const char *heading, int32_t first,
                              const hlo_indexing_table *table, const hlo_shape *from,
                              const hlo_instruction *to, hlo_error *error) {
  for (int32_t i = 0; i < hlo_shape_leaf_count(to->shape); i++)
    HLO_TRY(print_set(q, heading, first + i, hlo_indexing_get(table, to, i), from,
                      hlo_shape_leaf(to->shape, i), error));
  return HLO_OK;
}

// From one leaf of the instruction's result back to operands, parameters or the target.
static hlo_status print_backwards(question *q, int32_t leaf, hlo_error *error) {
  const hlo_shape *from = hlo_shape_leaf(q->x->shape, leaf);
  if (hlo_shape_leaf_count(q->x->shape) > 1)
    hlo_string_add_format(q->out, "output id = %d\n", leaf);
  if (q->target == NULL && !q->options->to_parameters) {
    const hlo_indexing_set *sets;
    HLO_TRY(hlo_indexing_output_to_input(q->analysis, q->x, leaf, &sets, error));
    for (int32_t i = 0; i < hlo_indexing_operand_leaves(q->x); i++)
      HLO_TRY(print_set(q, "operand", i, &sets[i], from, operand_leaf_shape(q->x, i), error));
    return HLO_OK;
  }
  const hlo_indexing_table *table;
  HLO_TRY(hlo_indexing_from(q->analysis, q->x, leaf, &table, error));
  if (q->target != NULL) return print_table(q, "output", 0, table, from, q->target, error);
  int32_t first = 0;
  for (int32_t k = 0; k < q->computation->parameter_count; k++) {
    const hlo_instruction *parameter = q->computation->parameters[k];
    HLO_TRY(print_table(q, "operand", first, table, from, parameter, error));
    first += hlo_shape_leaf_count(parameter->shape);
  }
  return HLO_OK;
}

// The parameter and its leaf that number `input` among all leaves of parameters is.
static hlo_status find_parameter(const question *q, const hlo_instruction **out, int32_t *leaf,
                                 hlo_error *error) {
  *leaf = q->options->input;
  for (int32_t k = 0; *leaf >= 0 && k < q->computation->parameter_count; k++) {
    *out = q->computation->parameters[k];
    if (*leaf < hlo_shape_leaf_count((*out)->shape)) return HLO_OK;
    *leaf -= hlo_shape_leaf_count((*out)->shape);
  }
  return hlo_fail(error, HLO_INVALID_ARGUMENT, "computation %s has no input %d",
                  q->computation->name, q->options->input);
}

static hlo_status print_forwards(question *q, hlo_error *error) {
  const hlo_indexing_table *table;
  int32_t leaf = q->options->output < 0 ? 0 : q->options->output;
  if (q->target != NULL) {
    HLO_TRY(hlo_indexing_to(q->analysis, q->x, leaf, &table, error));
    return print_table(q, "output", 0, table, hlo_shape_leaf(q->x->shape, leaf), q->target, error);
  }
  if (q->options->to_parameters) {
    const hlo_instruction *parameter;
    HLO_TRY(find_parameter(q, &parameter, &leaf, error));
    HLO_TRY(hlo_indexing_to(q->analysis, parameter, leaf, &table, error));
    return print_table(q, "output", 0, table, hlo_shape_leaf(parameter->shape, leaf), q->x, error);
  }
  const hlo_indexing_set *sets;
  HLO_TRY(hlo_indexing_input_to_output(q->analysis, q->x, q->options->input, &sets, error));
  const hlo_shape *from = operand_leaf_shape(q->x, q->options->input);
  for (int32_t i = 0; i < hlo_shape_leaf_count(q->x->shape); i++)
    HLO_TRY(print_set(q, "output", i, &sets[i], from, hlo_shape_leaf(q->x->shape, i), error));
  return HLO_OK;
}

static hlo_status answer(question *q, hlo_error *error) {
  HLO_TRY(find_names(q, error));
  if (q->options->input_to_output) return print_forwards(q, error);
  int32_t leaves = hlo_shape_leaf_count(q->x->shape), output = q->options->output;
  if (output >= leaves)
    return hlo_instruction_fail(q->x, HLO_INVALID_ARGUMENT, error, "has no output %d", output);
  for (int32_t leaf = 0; leaf < leaves; leaf++)
    if (output < 0 || output == leaf) HLO_TRY(print_backwards(q, leaf, error));
  return HLO_OK;
}

hlo_status hlo_indexing_print_module(hlo_string *out, const hlo_module *module,
                                     const hlo_indexing_options *options, hlo_error *error) {
  static const hlo_indexing_options usual = {.output = -1};
  hlo_arena arena = {0};
  question q = {.module = module, .options = options == NULL ? &usual : options, .out = out};
  hlo_status status = hlo_indexing_analysis_create(&arena, &q.analysis, error);
  if (status == HLO_OK) status = answer(&q, error);
  if (status == HLO_OK) status = hlo_string_status(out, error);
  hlo_arena_free(&arena);
  return status;
}
