// Queries of the command line and of pages: the instructions of a module, and the elements to which
// maps lead from one index. See indexing.h.
#include "indexing/rules/rules.h"

#include <string.h>

enum {
  MOST_PARTS = 1 << 20, // of an answer: entries, or sets of maps that have to be looked up for it
  MOST_ASSIGNMENTS = 1 << 16, // tried for one element
};

typedef struct question {
  const hlo_module *module;
  const hlo_indexing_options *options;
  hlo_indexing_analysis *analysis;
  const hlo_computation *computation;
  const hlo_instruction *x, *target;
  hlo_indexing_answer *out;
  const hlo_shape *listed, **leaves; // a shape, and its leaves
  int32_t leaf_count;
} question;

// --- names ---

static hlo_status find_instruction(const hlo_computation *computation, const char *name,
                                   const hlo_instruction **out, hlo_error *error) {
  if (name[0] == '%') name++;
  *out = hlo_computation_find(computation, name, strlen(name));
  if (*out != NULL) return HLO_OK;
  return hlo_fail(error, HLO_INVALID_ARGUMENT, "computation %s has no instruction %.*s",
                  computation->name, 100, name);
}

hlo_status hlo_indexing_select_computation(const hlo_module *module, const char *name,
                                           const hlo_computation **out, hlo_error *error) {
  *out = module->entry;
  if (name != NULL) {
    name += name[0] == '%';
    *out = hlo_module_find(module, name);
    if (*out == NULL)
      return hlo_fail(error, HLO_INVALID_ARGUMENT, "there is no computation %.*s", 100, name);
  } else if (*out == NULL && module->computation_count > 0) {
    *out = module->computations[module->computation_count - 1];
  }
  if (*out == NULL) return hlo_fail(error, HLO_INVALID_ARGUMENT, "the module has no computation");
  return HLO_OK;
}

static hlo_status resolve_names(question *q, hlo_error *error) {
  const hlo_indexing_options *options = q->options;
  HLO_TRY(hlo_indexing_select_computation(q->module, options->computation, &q->computation, error));
  q->x = q->computation->root;
  if (options->instruction != NULL)
    HLO_TRY(find_instruction(q->computation, options->instruction, &q->x, error));
  if (options->target != NULL)
    HLO_TRY(find_instruction(q->computation, options->target, &q->target, error));
  return HLO_OK;
}

// --- entries ---

static hlo_status memory_of(hlo_indexing_analysis *analysis, const hlo_shape **shape,
                            hlo_error *error) {
  int64_t size = hlo_shape_memory_elements(*shape);
  hlo_arena *arena = hlo_affine_arena(hlo_indexing_context(analysis));
  return hlo_shape_make(arena, (*shape)->type, 1, &size, shape, error);
}

static hlo_status convert_to_physical(question *q, hlo_indexing_entry *e, hlo_error *error) {
  hlo_indexing_set *physical;
  hlo_affine_context *context = hlo_indexing_context(q->analysis);
  HLO_ALLOC(physical, hlo_affine_arena(context), 1, error);
  physical->is_unknown = e->set->is_unknown;
  for (int32_t i = 0; i < e->set->count; i++) {
    hlo_indexing one;
    HLO_TRY(hlo_indexing_physical(q->analysis, &e->set->items[i], e->from_shape, e->to_shape, &one,
                                  error));
    HLO_TRY(hlo_indexing_set_add(context, physical, &one, error));
  }
  e->set = physical;
  HLO_TRY(memory_of(q->analysis, &e->from_shape, error));
  return memory_of(q->analysis, &e->to_shape, error);
}

// The leaves of a tuple with many are looked up once.
static hlo_status list_leaves(question *q, const hlo_shape *shape, hlo_error *error) {
  if (shape == q->listed) return HLO_OK;
  q->leaf_count = hlo_shape_leaf_count(shape);
  HLO_ALLOC(q->leaves, hlo_affine_arena(hlo_indexing_context(q->analysis)), q->leaf_count, error);
  hlo_shape_leaves(shape, q->leaves);
  q->listed = shape;
  return HLO_OK;
}

static hlo_status fail_too_large(const question *q, hlo_error *error) {
  return hlo_instruction_fail(q->x, HLO_UNSUPPORTED, error,
                              "the answer has more than %d parts: ask for one output",
                              (int)MOST_PARTS);
}

// Fails before the first of so many outputs is looked at, not when there are too many parts.
static hlo_status check_parts(const question *q, int32_t outputs, hlo_error *error) {
  const hlo_indexing_options *options = q->options;
  int64_t parts = 0;
  if (q->target == NULL && !options->to_parameters && !options->to_all)
    parts = hlo_indexing_operand_leaves(q->x);
  else
    for (int32_t i = 0; i < q->computation->instruction_count; i++)
      parts += hlo_shape_leaf_count(q->computation->instructions[i]->shape);
  return outputs > 1 && parts * outputs > MOST_PARTS ? fail_too_large(q, error) : HLO_OK;
}

static hlo_status add_entry(question *q, hlo_indexing_entry e, hlo_error *error) {
  hlo_indexing_answer *out = q->out;
  if (out->count == MOST_PARTS) return fail_too_large(q, error);
  if ((out->count & (out->count + 1)) == 0) { // room is used up at 0, 1, 3, 7, …
    hlo_indexing_entry *entries;
    HLO_ALLOC(entries, hlo_affine_arena(hlo_indexing_context(q->analysis)), 2 * out->count + 1,
              error);
    if (out->count > 0) memcpy(entries, out->entries, sizeof e * (size_t)out->count);
    out->entries = entries;
  }
  if (q->options->physical && hlo_shape_is_array(e.from_shape) && hlo_shape_is_array(e.to_shape))
    HLO_TRY(convert_to_physical(q, &e, error));
  out->entries[out->count++] = e;
  return HLO_OK;
}

// All leaves of `to` in a table of maps that start at a leaf of `from`.
static hlo_status add_table(question *q, hlo_indexing_entry e, const hlo_indexing_table *table,
                            hlo_error *error) {
  HLO_TRY(list_leaves(q, e.to->shape, error));
  for (e.to_leaf = 0; e.to_leaf < q->leaf_count; e.to_leaf++, e.number++) {
    e.to_shape = q->leaves[e.to_leaf];
    e.set = hlo_indexing_get(table, e.to, e.to_leaf);
    HLO_TRY(add_entry(q, e, error));
  }
  return HLO_OK;
}

// Everything but the start that the table reaches, in the order of the computation.
static hlo_status add_all(question *q, hlo_indexing_entry e, const hlo_indexing_table *table,
                          hlo_error *error) {
  e.is_by_name = true;
  for (int32_t i = 0; i < q->computation->instruction_count; i++) {
    e.to = q->computation->instructions[i];
    bool is_reached = false;
    for (int32_t leaf = 0; leaf < hlo_shape_leaf_count(e.to->shape); leaf++) {
      const hlo_indexing_set *set = hlo_indexing_get(table, e.to, leaf);
      is_reached |= set->is_unknown || set->count > 0;
    }
    e.number = 0;
    if (is_reached && e.to != e.from) HLO_TRY(add_table(q, e, table, error));
  }
  return HLO_OK;
}

static hlo_status add_operands(question *q, hlo_indexing_entry e, hlo_error *error) {
  const hlo_indexing_set *sets;
  HLO_TRY(hlo_indexing_output_to_input(q->analysis, q->x, e.from_leaf, &sets, error));
  for (int32_t k = 0; k < q->x->operand_count; k++) {
    e.to = q->x->operands[k];
    HLO_TRY(list_leaves(q, e.to->shape, error));
    for (e.to_leaf = 0; e.to_leaf < q->leaf_count; e.to_leaf++, e.number++) {
      e.to_shape = q->leaves[e.to_leaf];
      e.set = &sets[e.number];
      HLO_TRY(add_entry(q, e, error));
    }
  }
  return HLO_OK;
}

// From one leaf of the instruction's result back to operands, parameters or the target.
static hlo_status trace_backwards(question *q, int32_t leaf, hlo_error *error) {
  hlo_indexing_entry e = {
      .from = q->x, .from_leaf = leaf, .from_shape = hlo_shape_leaf(q->x->shape, leaf)};
  const hlo_indexing_options *options = q->options;
  if (q->target == NULL && !options->to_parameters && !options->to_all)
    return add_operands(q, e, error);
  const hlo_indexing_table *table;
  HLO_TRY(hlo_indexing_from(q->analysis, q->x, leaf, &table, error));
  if (q->target != NULL) {
    e.to = q->target;
    e.is_to_output = true;
    return add_table(q, e, table, error);
  }
  if (options->to_all) return add_all(q, e, table, error);
  for (int32_t k = 0; k < q->computation->parameter_count; k++) {
    e.to = q->computation->parameters[k];
    HLO_TRY(add_table(q, e, table, error));
    e.number += hlo_shape_leaf_count(e.to->shape);
  }
  return HLO_OK;
}

// The parameter, or operand, and its leaf that number `input` among all leaves of them is.
static hlo_status locate_input(const question *q, int32_t count, hlo_instruction *const *inputs,
                               hlo_indexing_entry *e, hlo_error *error) {
  e->from_leaf = q->options->input;
  for (int32_t k = 0; e->from_leaf >= 0 && k < count; k++) {
    e->from = inputs[k];
    e->from_shape = hlo_shape_leaf(e->from->shape, e->from_leaf);
    if (e->from_shape != NULL) return HLO_OK;
    e->from_leaf -= hlo_shape_leaf_count(e->from->shape);
  }
  return hlo_fail(error, HLO_INVALID_ARGUMENT, "%s has no input %d",
                  q->options->to_parameters ? q->computation->name : q->x->name, q->options->input);
}

static hlo_status trace_forwards(question *q, hlo_error *error) {
  const hlo_indexing_table *table;
  hlo_indexing_entry e = {.from = q->x, .is_to_output = true};
  e.from_leaf = q->options->output < 0 ? 0 : q->options->output;
  e.from_shape = hlo_shape_leaf(q->x->shape, e.from_leaf);
  if (q->target != NULL || q->options->to_all) {
    HLO_TRY(hlo_indexing_to(q->analysis, q->x, e.from_leaf, &table, error));
    e.to = q->target;
    return q->target != NULL ? add_table(q, e, table, error) : add_all(q, e, table, error);
  }
  e.to = q->x;
  if (q->options->to_parameters) {
    HLO_TRY(
        locate_input(q, q->computation->parameter_count, q->computation->parameters, &e, error));
    HLO_TRY(hlo_indexing_to(q->analysis, e.from, e.from_leaf, &table, error));
    return add_table(q, e, table, error);
  }
  const hlo_indexing_set *sets;
  HLO_TRY(locate_input(q, q->x->operand_count, q->x->operands, &e, error));
  HLO_TRY(hlo_indexing_input_to_output(q->analysis, q->x, q->options->input, &sets, error));
  HLO_TRY(list_leaves(q, q->x->shape, error));
  for (e.to_leaf = 0; e.to_leaf < q->leaf_count; e.to_leaf++, e.number++) {
    e.to_shape = q->leaves[e.to_leaf];
    e.set = &sets[e.to_leaf];
    HLO_TRY(add_entry(q, e, error));
  }
  return HLO_OK;
}

hlo_status hlo_indexing_answer_query(hlo_indexing_analysis *analysis, const hlo_module *module,
                                     const hlo_indexing_options *options, hlo_indexing_answer *out,
                                     hlo_error *error) {
  static const hlo_indexing_options defaults = {.output = -1};
  question q = {.module = module,
                .options = options == NULL ? &defaults : options,
                .analysis = analysis,
                .out = out};
  HLO_TRY(resolve_names(&q, error));
  *out = (hlo_indexing_answer){.computation = q.computation, .instruction = q.x};
  if (q.options->input_to_output) return trace_forwards(&q, error);
  int32_t leaves = hlo_shape_leaf_count(q.x->shape), output = q.options->output;
  if (output >= leaves)
    return hlo_instruction_fail(q.x, HLO_INVALID_ARGUMENT, error, "has no output %d", output);
  HLO_TRY(check_parts(&q, output < 0 ? leaves : 1, error));
  for (int32_t leaf = 0; leaf < leaves; leaf++)
    if (output < 0 || output == leaf) HLO_TRY(trace_backwards(&q, leaf, error));
  return HLO_OK;
}

// --- one element ---

typedef struct element_list {
  const hlo_shape *to;
  int64_t limit, *elements, *count;
} element_list;

// False when there is no room for it.
static bool add_element(void *host, const hlo_affine_values *values, const int64_t *index) {
  (void)values;
  element_list *list = host;
  int64_t position = 0;
  for (int32_t d = 0; d < list->to->rank; d++) {
    if (index[d] < 0 || index[d] >= list->to->dims[d]) return true;
    position = position * list->to->dims[d] + index[d];
  }
  if (*list->count == list->limit) return false;
  list->elements[(*list->count)++] = position;
  return true;
}

hlo_status hlo_indexing_elements(const hlo_indexing_entry *entry, const int64_t *index,
                                 int64_t limit, int64_t *elements, int64_t *count,
                                 bool *is_complete, hlo_error *error) {
  element_list list = {.to = entry->to_shape, .limit = limit, .elements = elements, .count = count};
  int64_t budget = MOST_ASSIGNMENTS;
  *count = 0;
  *is_complete = !entry->set->is_unknown;
  for (int32_t i = 0; i < entry->set->count && *is_complete; i++)
    HLO_TRY(hlo_map_each_point(entry->set->items[i].map, index, &budget, add_element, &list,
                               is_complete, error));
  return HLO_OK;
}
