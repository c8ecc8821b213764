// Loops whose state is a tuple: elements that the body passes on unchanged need not be carried,
// constants among them move inside, and dead elements are removed. See passes.h.
#include "hlo/rewrite.h"
#include "passes/loops/while_loop.h"
#include "passes/passes.h"

// Caches the loop analysed last: its elements are queried one after the other.
typedef struct known_loop {
  const hlo_instruction *of;
  bool found;
  hlo_while_loop loop;
} known_loop;

static hlo_status skip_loop(void *context, hlo_instruction *x, hlo_instruction **replacement,
                            hlo_error *error) {
  (void)error;
  known_loop *known = context;
  if (x->opcode != HLO_OP_GET_TUPLE_ELEMENT || x->operands[0]->opcode != HLO_OP_WHILE)
    return HLO_OK;
  if (known->of != x->operands[0]) {
    known->of = x->operands[0];
    known->found = hlo_match_while_loop(x->operands[0], &known->loop);
  }
  if (known->found && hlo_loop_keeps(&known->loop, hlo_element_index(x)))
    *replacement = known->loop.start->operands[hlo_element_index(x)];
  return HLO_OK;
}

// --- constants ---

static bool is_constant(const hlo_instruction *x) {
  if (x->opcode == HLO_OP_BROADCAST) x = x->operands[0];
  return x->opcode == HLO_OP_CONSTANT;
}

static hlo_status copy_constant(hlo_computation *computation, const hlo_instruction *x,
                                hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operand = NULL;
  if (x->operand_count > 0) {
    HLO_TRY(hlo_instruction_copy(computation, x->operands[0], NULL, &operand, error));
  }
  return hlo_instruction_copy(computation, x, &operand, out, error);
}

static hlo_status sink_constant(void *context, hlo_instruction *x, hlo_instruction **replacement,
                                hlo_error *error) {
  const hlo_while_loop *l = context;
  hlo_computation *computation = x->computation;
  if (!hlo_is_element_of(x, computation->parameters[0])) return HLO_OK;
  const hlo_instruction *value = l->start->operands[hlo_element_index(x)];
  if (!is_constant(value) || !hlo_loop_keeps(l, hlo_element_index(x))) return HLO_OK;
  return copy_constant(computation, value, replacement, error);
}

static bool has_constant(const hlo_while_loop *l) {
  for (int32_t i = 0; i < l->count; i++) {
    if (is_constant(l->start->operands[i]) && hlo_loop_keeps(l, i)) return true;
  }
  return false;
}

// The condition is rewritten first: once the body no longer reads the element, its invariance
// cannot be recognised. In the body the root is rewritten last.
static hlo_status sink_constants(hlo_while_loop *l, hlo_error *error) {
  if (!has_constant(l)) return HLO_OK;
  HLO_TRY(hlo_computation_rewrite(l->condition, sink_constant, l, error));
  return hlo_computation_rewrite(l->body, sink_constant, l, error);
}

// --- dead elements ---

static void mark_elements(const hlo_computation *computation, const hlo_instruction *tuple,
                          bool *needed) {
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    if (hlo_is_element_of(x, tuple)) needed[hlo_element_index(x)] = true;
  }
}

// Worklist of the live instructions of a body; use_count marks them.
typedef struct needed_list {
  int32_t count;
  hlo_instruction **items;
} needed_list;

static void need(needed_list *list, hlo_instruction *x) {
  if (x->use_count == 0) list->items[list->count++] = x;
  x->use_count = 1;
}

// Liveness of the state's elements: backwards from those read after the loop and from side effects,
// to a fixed point over the loop's back edge.
static hlo_status mark_through_body(const hlo_while_loop *l, bool *needed, hlo_error *error) {
  const hlo_computation *body = l->body;
  needed_list list = {0};
  HLO_ALLOC(list.items, &body->module->arena, body->instruction_count, error);
  for (int32_t i = 0; i < body->instruction_count; i++) body->instructions[i]->use_count = 0;
  for (int32_t i = 0; i < body->instruction_count; i++) {
    hlo_instruction *x = body->instructions[i];
    if (x->opcode == HLO_OP_PARAMETER || hlo_has_side_effect(x)) need(&list, x);
  }
  for (int32_t i = 0; i < l->count; i++) {
    if (needed[i]) need(&list, body->root->operands[i]);
  }
  for (int32_t i = 0; i < list.count; i++) {
    const hlo_instruction *x = list.items[i];
    for (int32_t k = 0; k < x->operand_count; k++) need(&list, x->operands[k]);
    if (!hlo_is_element_of(x, body->parameters[0])) continue;
    needed[hlo_element_index(x)] = true;
    need(&list, body->root->operands[hlo_element_index(x)]);
  }
  body->root->use_count = 1;
  return HLO_OK;
}

static void remove_unmarked(hlo_computation *computation) {
  int32_t kept = 0;
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    hlo_instruction *x = computation->instructions[i];
    if (x->use_count == 0) continue;
    x->id = kept;
    computation->instructions[kept++] = x;
  }
  computation->instruction_count = kept;
}

// new_index[i] of the elements that stay.
static void renumber(hlo_computation *computation, const hlo_instruction *tuple,
                     const int32_t *new_index) {
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    hlo_instruction *x = computation->instructions[i];
    if (!hlo_is_element_of(x, tuple)) continue;
    for (int32_t a = 0; a < x->attribute_count; a++) {
      hlo_attribute *attribute = &x->attributes[a];
      if (attribute->id == HLO_ATTRIBUTE_INDEX) attribute->integer = new_index[attribute->integer];
    }
  }
}

// The operands of the tuple that stay, and their number and shape.
static hlo_status choose_operands(const hlo_instruction *tuple, const bool *needed,
                                  hlo_instruction ***out, int32_t *count, const hlo_shape **shape,
                                  hlo_error *error) {
  hlo_arena *arena = &tuple->computation->module->arena;
  const hlo_shape **shapes;
  HLO_ALLOC(*out, arena, tuple->operand_count, error);
  HLO_ALLOC(shapes, arena, tuple->operand_count, error);
  *count = 0;
  for (int32_t i = 0; i < tuple->operand_count; i++) {
    if (!needed[i]) continue;
    shapes[*count] = tuple->shape->elements[i];
    (*out)[(*count)++] = tuple->operands[i];
  }
  return hlo_shape_make_tuple(arena, *count, shapes, shape, error);
}

static hlo_status shrink(hlo_while_loop *l, const bool *needed, int32_t *new_index,
                         hlo_error *error) {
  hlo_instruction *x = l->instruction, *root = l->body->root, **operands;
  hlo_computation *computation = x->computation;
  const hlo_shape *shape;
  int32_t count = 0;
  for (int32_t i = 0; i < l->count; i++) new_index[i] = needed[i] ? count++ : 0;
  remove_unmarked(l->body);
  renumber(computation, x, new_index);
  renumber(l->body, l->body->parameters[0], new_index);
  renumber(l->condition, l->condition->parameters[0], new_index);
  HLO_TRY(choose_operands(root, needed, &operands, &count, &shape, error));
  root->operands = operands;
  root->operand_count = count;
  HLO_TRY(choose_operands(l->start, needed, &operands, &count, &shape, error));
  HLO_TRY(hlo_instruction_create(computation, HLO_OP_TUPLE, NULL, shape, count, operands, 0, NULL,
                                 &x->operands[0], error));
  root->shape = x->shape = shape;
  l->body->parameters[0]->shape = l->condition->parameters[0]->shape = shape;
  computation->module->revision++;
  return HLO_OK;
}

static hlo_status remove_elements(hlo_instruction *x, const int32_t *callers, bool *changed,
                                  hlo_error *error) {
  hlo_while_loop l;
  bool *needed;
  int32_t *new_index, count = 0;
  if (!hlo_match_while_loop(x, &l) || !hlo_loop_is_alone(&l, callers)) return HLO_OK;
  HLO_TRY(sink_constants(&l, error));
  HLO_ALLOC(needed, &x->computation->module->arena, l.count, error);
  HLO_ALLOC(new_index, &x->computation->module->arena, l.count, error);
  mark_elements(x->computation, x, needed);
  mark_elements(l.condition, l.condition->parameters[0], needed);
  HLO_TRY(mark_through_body(&l, needed, error));
  for (int32_t i = 0; i < l.count; i++) count += needed[i];
  if (count == l.count) return HLO_OK;
  *changed = true;
  return shrink(&l, needed, new_index, error);
}

hlo_status hlo_pass_loops(hlo_module *module, hlo_error *error) {
  known_loop known = {0};
  int32_t *callers = NULL;
  HLO_TRY(hlo_module_rewrite(module, skip_loop, &known, error));
  HLO_TRY(hlo_count_callers(module, &callers, error));
  for (int32_t c = 0; c < module->computation_count; c++) {
    hlo_computation *computation = module->computations[c];
    int32_t count = computation->instruction_count;
    bool changed = false;
    for (int32_t i = 0; i < count; i++) {
      HLO_TRY(remove_elements(computation->instructions[i], callers, &changed, error));
    }
    if (changed) HLO_TRY(hlo_computation_sort(computation, error));
  }
  return HLO_OK;
}
