// See rewrite.h.
#include "hlo/rewrite.h"

#include <string.h>

static bool names_computations(const hlo_attribute *attribute) {
  hlo_attribute_kind kind = hlo_attribute_get_kind(attribute->id);
  return kind == HLO_KIND_COMPUTATION || kind == HLO_KIND_COMPUTATIONS;
}

// --- copies ---

hlo_status hlo_instruction_copy(hlo_computation *computation, const hlo_instruction *x,
                                hlo_instruction *const *operands, hlo_instruction **out,
                                hlo_error *error) {
  HLO_TRY(hlo_instruction_create(computation, x->opcode, x->name, x->shape, x->operand_count,
                                 operands, x->attribute_count, x->attributes, out, error));
  hlo_instruction *copy = *out;
  copy->parameter_number = x->parameter_number;
  copy->literal = x->literal;
  copy->line = x->line;
  copy->column = x->column;
  int32_t kept = 0;
  for (int32_t i = 0; i < copy->attribute_count; i++) {
    if (copy->attributes[i].id == HLO_ATTRIBUTE_CONTROL_PREDECESSORS) continue;
    copy->attributes[kept++] = copy->attributes[i];
  }
  copy->attribute_count = kept;
  return HLO_OK;
}

// made[x->id] for every operand of x.
static hlo_status map_operands(hlo_arena *arena, const hlo_instruction *x,
                               hlo_instruction *const *made, hlo_instruction ***out,
                               hlo_error *error) {
  HLO_ALLOC(*out, arena, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) (*out)[k] = made[x->operands[k]->id];
  return HLO_OK;
}

hlo_status hlo_computation_inline(hlo_computation *computation, const hlo_computation *callee,
                                  hlo_instruction *const *arguments, hlo_instruction **root,
                                  hlo_error *error) {
  hlo_arena scratch = {0};
  hlo_instruction **made = NULL, **operands;
  hlo_status status = HLO_OK;
  made = hlo_arena_array(&scratch, (size_t)callee->instruction_count, sizeof *made);
  if (made == NULL) status = hlo_fail_out_of_memory(error);
  for (int32_t i = 0; i < callee->instruction_count && status == HLO_OK; i++) {
    const hlo_instruction *x = callee->instructions[i];
    if (x->opcode == HLO_OP_PARAMETER) {
      made[i] = arguments[x->parameter_number];
      continue;
    }
    hlo_arena_mark mark = hlo_arena_get_mark(&scratch);
    status = map_operands(&scratch, x, made, &operands, error);
    if (status == HLO_OK) status = hlo_instruction_copy(computation, x, operands, &made[i], error);
    hlo_arena_rewind(&scratch, mark);
  }
  if (status == HLO_OK) *root = made[callee->root->id];
  hlo_arena_free(&scratch);
  return status;
}

typedef struct cloner {
  hlo_module *to;
  hlo_computation **made; // by index in the original
} cloner;

static hlo_status clone_computation(cloner *c, const hlo_computation *from, hlo_error *error);

static hlo_status map_computations(cloner *c, hlo_instruction *copy, hlo_error *error) {
  for (int32_t a = 0; a < copy->attribute_count; a++) {
    hlo_attribute *attribute = &copy->attributes[a];
    if (!names_computations(attribute)) continue;
    hlo_computation *const *from = attribute->computations;
    HLO_ALLOC(attribute->computations, &c->to->arena, attribute->count, error);
    for (int32_t i = 0; i < attribute->count; i++) {
      attribute->computations[i] = c->made[from[i]->index];
    }
  }
  return HLO_OK;
}

static hlo_status clone_callees(cloner *c, const hlo_computation *from, hlo_error *error) {
  for (int32_t i = 0; i < from->instruction_count; i++) {
    const hlo_instruction *x = from->instructions[i];
    for (int32_t a = 0; a < x->attribute_count; a++) {
      if (!names_computations(&x->attributes[a])) continue;
      for (int32_t k = 0; k < x->attributes[a].count; k++) {
        HLO_TRY(clone_computation(c, x->attributes[a].computations[k], error));
      }
    }
  }
  return HLO_OK;
}

// Recursion follows the call graph, which the verifier holds to HLO_MAX_CALL_DEPTH levels.
static hlo_status clone_computation(cloner *c, const hlo_computation *from, hlo_error *error) {
  if (c->made[from->index] != NULL) return HLO_OK;
  HLO_TRY(clone_callees(c, from, error));
  hlo_computation *to;
  HLO_TRY(hlo_computation_create(c->to, from->name, &to, error));
  c->made[from->index] = to;
  to->is_function = from->is_function;
  to->attributes_text = from->attributes_text;
  to->result_layout_text = from->result_layout_text;
  hlo_instruction **operands, *copy;
  for (int32_t i = 0; i < from->instruction_count; i++) {
    // A verified computation's instructions are numbered in order, and so are the copies.
    HLO_TRY(map_operands(&c->to->arena, from->instructions[i], to->instructions, &operands, error));
    HLO_TRY(hlo_instruction_copy(to, from->instructions[i], operands, &copy, error));
    HLO_TRY(map_computations(c, copy, error));
    to->has_side_effect = to->has_side_effect || hlo_has_side_effect(copy);
  }
  to->root = to->instructions[from->root->id];
  return hlo_computation_collect_parameters(to, error);
}

hlo_status hlo_module_clone(const hlo_module *module, const hlo_computation *entry,
                            hlo_module **out, hlo_error *error) {
  cloner c = {0};
  hlo_arena scratch = {0};
  *out = NULL;
  hlo_status status = hlo_module_create(module->name, &c.to, error);
  if (status == HLO_OK) c.to->original = hlo_module_share(module);
  c.made = hlo_arena_array(&scratch, (size_t)module->computation_count, sizeof *c.made);
  if (status == HLO_OK && c.made == NULL) status = hlo_fail_out_of_memory(error);
  if (status == HLO_OK) status = clone_computation(&c, entry, error);
  if (status == HLO_OK) {
    c.to->entry = c.made[entry->index];
    // The header speaks of the entry.
    c.to->attributes_text = entry == module->entry ? module->attributes_text : NULL;
    *out = c.to;
  } else {
    hlo_module_destroy(c.to);
  }
  hlo_arena_free(&scratch);
  return status;
}

hlo_status hlo_instruction_set_computation(hlo_instruction *x, hlo_attribute_id id,
                                           hlo_computation *computation, hlo_error *error) {
  for (int32_t a = 0; a < x->attribute_count; a++) {
    if (x->attributes[a].id != id) continue;
    HLO_TRY(hlo_attribute_make_computation(&x->computation->module->arena, id, computation,
                                           &x->attributes[a], error));
  }
  x->computation->module->revision++;
  return HLO_OK;
}

// --- rewriting ---

// Counts uses as operands, the root's use by the caller included.
static void count_uses(hlo_computation *computation) {
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    computation->instructions[i]->use_count = 0;
  }
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    for (int32_t k = 0; k < x->operand_count; k++) x->operands[k]->use_count++;
  }
  computation->root->use_count++;
}

static void forward_operands(hlo_instruction *x) {
  for (int32_t k = 0; k < x->operand_count; k++) {
    if (x->operands[k]->forward != NULL) x->operands[k] = x->operands[k]->forward;
  }
}

hlo_status hlo_computation_rewrite(hlo_computation *computation, hlo_rewrite_rule *rule,
                                   void *context, hlo_error *error) {
  hlo_instruction **old = computation->instructions;
  int32_t count = computation->instruction_count;
  count_uses(computation);
  for (int32_t i = 0; i < count; i++) old[i]->forward = NULL;
  HLO_ALLOC(computation->instructions, &computation->module->arena, count, error);
  computation->instruction_capacity = count;
  computation->instruction_count = 0;
  for (int32_t i = 0; i < count; i++) {
    hlo_instruction *x = old[i], *replacement = NULL;
    forward_operands(x);
    if (x->opcode != HLO_OP_PARAMETER) HLO_TRY(rule(context, x, &replacement, error));
    if (replacement == NULL) {
      HLO_TRY(hlo_computation_append(computation, x, error));
      continue;
    }
    x->forward = replacement;
    replacement->use_count += x->use_count;
    computation->module->revision++;
  }
  if (computation->root->forward != NULL) computation->root = computation->root->forward;
  return HLO_OK;
}

hlo_status hlo_module_rewrite(hlo_module *module, hlo_rewrite_rule *rule, void *context,
                              hlo_error *error) {
  for (int32_t i = 0; i < module->computation_count; i++) {
    HLO_TRY(hlo_computation_rewrite(module->computations[i], rule, context, error));
  }
  return HLO_OK;
}

// --- order ---

// forward marks what is in the list already, or under way. An explicit stack: chains of operands
// are as long as programs.
static hlo_status place(hlo_computation *computation, hlo_instruction *x, hlo_instruction **stack,
                        hlo_error *error) {
  int32_t depth = 0;
  if (x->forward == NULL) stack[depth++] = x;
  while (depth > 0) {
    hlo_instruction *top = stack[depth - 1], *next = NULL;
    top->forward = top;
    for (int32_t k = 0; k < top->operand_count && next == NULL; k++) {
      if (top->operands[k]->forward == NULL) next = top->operands[k];
    }
    if (next != NULL) {
      stack[depth++] = next;
      continue;
    }
    HLO_TRY(hlo_computation_append(computation, top, error));
    depth--;
  }
  return HLO_OK;
}

hlo_status hlo_computation_sort(hlo_computation *computation, hlo_error *error) {
  hlo_instruction **old = computation->instructions, **stack;
  int32_t count = computation->instruction_count;
  hlo_arena scratch = {0};
  HLO_ALLOC(computation->instructions, &computation->module->arena, count, error);
  computation->instruction_capacity = count;
  computation->instruction_count = 0;
  for (int32_t i = 0; i < count; i++) old[i]->forward = NULL;
  stack = hlo_arena_array(&scratch, (size_t)count, sizeof *stack);
  hlo_status status = stack == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
  for (int32_t i = 0; i < count && status == HLO_OK; i++) {
    status = place(computation, old[i], stack, error);
  }
  hlo_arena_free(&scratch);
  return status;
}

// --- dead code elimination ---

// LAPACK's functions only compute.
static bool is_factorisation(const hlo_instruction *x) {
  const char *target = hlo_get_text(x, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  return target != NULL && strncmp(target, "lapack_", 7) == 0 &&
         hlo_get_int(x, HLO_ATTRIBUTE_CUSTOM_CALL_HAS_SIDE_EFFECT, 0) == 0;
}

bool hlo_has_side_effect(const hlo_instruction *x) {
  int32_t kept = HLO_PROPERTY_SIDE_EFFECT | HLO_PROPERTY_COLLECTIVE | HLO_PROPERTY_CUSTOM;
  if (hlo_op_get(x->opcode)->properties & kept) return !is_factorisation(x);
  for (int32_t a = 0; a < x->attribute_count; a++) {
    if (!names_computations(&x->attributes[a])) continue;
    for (int32_t i = 0; i < x->attributes[a].count; i++) {
      if (x->attributes[a].computations[i]->has_side_effect) return true;
    }
  }
  return false;
}

static void remove_dead_instructions(hlo_computation *computation) {
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    hlo_instruction *x = computation->instructions[i];
    x->use_count =
        x == computation->root || x->opcode == HLO_OP_PARAMETER || hlo_has_side_effect(x);
  }
  for (int32_t i = computation->instruction_count - 1; i >= 0; i--) {
    const hlo_instruction *x = computation->instructions[i];
    for (int32_t k = 0; x->use_count > 0 && k < x->operand_count; k++) x->operands[k]->use_count++;
  }
  int32_t kept = 0;
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    hlo_instruction *x = computation->instructions[i];
    if (x->use_count == 0) continue;
    x->id = kept;
    computation->instructions[kept++] = x;
  }
  if (kept < computation->instruction_count) computation->module->revision++;
  computation->instruction_count = kept;
}

// Recursion follows the call graph. index is -1 for computations that have no place yet.
static void place_computation(hlo_module *module, hlo_computation *computation, int32_t *count,
                              hlo_computation **order) {
  if (computation->index >= 0) return;
  remove_dead_instructions(computation);
  computation->index = 0; // under way
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    for (int32_t a = 0; a < x->attribute_count; a++) {
      if (!names_computations(&x->attributes[a])) continue;
      for (int32_t k = 0; k < x->attributes[a].count; k++) {
        place_computation(module, x->attributes[a].computations[k], count, order);
      }
    }
  }
  computation->index = *count;
  order[(*count)++] = computation;
}

hlo_status hlo_module_remove_dead(hlo_module *module, hlo_error *error) {
  hlo_computation **order;
  int32_t count = 0;
  HLO_ALLOC(order, &module->arena, module->computation_count, error);
  for (int32_t i = 0; i < module->computation_count; i++) module->computations[i]->index = -1;
  place_computation(module, module->entry, &count, order);
  module->computations = order;
  module->computation_capacity = module->computation_count;
  module->computation_count = count;
  return HLO_OK;
}
