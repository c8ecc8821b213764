// Loop-invariant code motion: values that do not depend on the iteration are computed once before a
// while loop and become part of its state. See passes.h.
//
// Values are hoisted only if they are worth their memory: no larger than their largest operand, or
// expensive. Data movement stays in the loop, where generated code reads through it.
#include "hlo/rewrite.h"
#include "kernels/machine.h"
#include "passes/loops/while_loop.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

// Analysis of one instruction of the body.
typedef struct motion_info {
  bool is_invariant;                // it can be made before the loop
  bool is_read_in_loop;             // an instruction that stays in the loop may read it
  bool is_hoisted;                  // is hoisted, as a result or as an operand of one
  bool is_result;                   // becomes an element of the loop's state
  int64_t source;                   // bytes of the largest element of the state that it depends on
  double work;                      // of it and all its invariant operands, in additions
  hlo_instruction *moved, *element; // before the loop; of the state
} motion_info;

typedef struct hoist {
  hlo_while_loop loop;
  motion_info *motions; // by id
  int32_t results;
} hoist;

static bool is_element(const hoist *h, const hlo_instruction *x) {
  return hlo_is_element_of(x, h->loop.body->parameters[0]);
}

static bool is_one_of(const hlo_instruction *x, size_t count, const hlo_opcode *opcodes) {
  for (size_t i = 0; i < count; i++) {
    if (opcodes[i] == x->opcode) return true;
  }
  return false;
}

// Operations that generated loops and products read through, without materialising the result.
static bool is_read_through(const hlo_instruction *x) {
  static const hlo_opcode some[] = {HLO_OP_IOTA,      HLO_OP_CONSTANT, HLO_OP_BROADCAST,
                                    HLO_OP_TRANSPOSE, HLO_OP_SLICE,    HLO_OP_REVERSE};
  if (hlo_repeats_for_channels(x))
    return false; // keeps loops over two or three channels from collapsing
  return (hlo_op_get(x->opcode)->properties & HLO_PROPERTY_RESHAPES) != 0 ||
         is_one_of(x, sizeof some / sizeof *some, some);
}

static int32_t work_of_element(const hlo_instruction *x) {
  static const hlo_opcode slow[] = {HLO_OP_DIVIDE, HLO_OP_REMAINDER, HLO_OP_SQRT};
  static const hlo_opcode moves[] = {HLO_OP_PAD, HLO_OP_CONCATENATE, HLO_OP_GET_TUPLE_ELEMENT};
  if (is_read_through(x) || is_one_of(x, sizeof moves / sizeof *moves, moves)) return 0;
  bool is_simple = hlo_op_is_elementwise(x->opcode) &&
                   !is_one_of(x, sizeof slow / sizeof *slow, slow) &&
                   (hlo_op_get(x->opcode)->properties & HLO_PROPERTY_TRANSCENDENTAL) == 0;
  return is_simple ? 1 : HLO_HOIST_WORK;
}

static double elements_of(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) ? (double)hlo_shape_elements(shape) : 0;
}

static bool is_movable(const hlo_instruction *x) {
  int32_t control = HLO_PROPERTY_CALLS | HLO_PROPERTY_ALIAS | HLO_PROPERTY_TOKEN;
  if (x->opcode == HLO_OP_GET_TUPLE_ELEMENT) return x->operands[0]->opcode != HLO_OP_PARAMETER;
  return x->opcode != HLO_OP_PARAMETER && (hlo_op_get(x->opcode)->properties & control) == 0 &&
         !hlo_has_side_effect(x) && !hlo_simplify_is_dynamic(x);
}

static void mark_invariants(hoist *h) {
  const hlo_computation *body = h->loop.body;
  for (int32_t i = 0; i < body->instruction_count; i++) {
    const hlo_instruction *x = body->instructions[i];
    motion_info *m = &h->motions[i];
    if (is_element(h, x)) {
      m->is_invariant = hlo_loop_keeps(&h->loop, hlo_element_index(x));
      m->source = hlo_shape_is_array(x->shape) ? hlo_shape_bytes(x->shape) : 0;
      continue;
    }
    m->is_invariant = is_movable(x);
    double elements = elements_of(x->shape);
    for (int32_t k = 0; k < x->operand_count && m->is_invariant; k++) {
      const motion_info *operand = &h->motions[x->operands[k]->id];
      m->is_invariant = operand->is_invariant;
      m->work += operand->work;
      double read = elements_of(x->operands[k]->shape);
      if (read > elements) elements = read;
      if (operand->source > m->source) m->source = operand->source;
    }
    m->work += elements * work_of_element(x);
  }
}

static bool is_worth_memory(const hlo_instruction *x, const motion_info *m) {
  if (!hlo_shape_is_array(x->shape) || is_read_through(x)) return false;
  int64_t bytes = hlo_shape_bytes(x->shape);
  bool is_much = m->work >= HLO_HOIST_WORK * elements_of(x->shape) && bytes <= HLO_HOIST_NEW_BYTES;
  return is_much ||
         ((bytes <= m->source || bytes <= HLO_HOIST_FEW_BYTES) && hlo_shape_elements(x->shape) > 1);
}

// From users to operands: an instruction that is not worth hoisting may have an operand that is.
static void choose_hoisted(hoist *h) {
  const hlo_computation *body = h->loop.body;
  for (int32_t i = body->instruction_count - 1; i >= 0; i--) {
    const hlo_instruction *x = body->instructions[i];
    motion_info *m = &h->motions[i];
    if (is_element(h, x)) continue;
    m->is_result = m->is_invariant && m->is_read_in_loop && is_worth_memory(x, m);
    m->is_hoisted = m->is_hoisted || m->is_result;
    h->results += m->is_result;
    for (int32_t k = 0; k < x->operand_count; k++) {
      motion_info *operand = &h->motions[x->operands[k]->id];
      if (m->is_hoisted) operand->is_hoisted = true;
      if (!m->is_invariant || (m->is_read_in_loop && !m->is_result))
        operand->is_read_in_loop = true;
    }
  }
}

// Copies the hoisted instructions before the loop, reading the initial values for elements of the
// state.
static hlo_status copy_hoisted(hoist *h, hlo_error *error) {
  const hlo_while_loop *l = &h->loop;
  for (int32_t i = 0; i < l->body->instruction_count; i++) {
    const hlo_instruction *x = l->body->instructions[i];
    motion_info *m = &h->motions[i];
    hlo_instruction **operands;
    if (!m->is_hoisted) continue;
    if (is_element(h, x)) {
      m->moved = l->start->operands[hlo_element_index(x)];
      continue;
    }
    HLO_ALLOC(operands, &l->body->module->arena, x->operand_count + 1, error);
    for (int32_t k = 0; k < x->operand_count; k++)
      operands[k] = h->motions[x->operands[k]->id].moved;
    HLO_TRY(hlo_instruction_copy(l->instruction->computation, x, operands, &m->moved, error));
  }
  return HLO_OK;
}

// The rest of the body reads elements of the state in place of hoisted results.
static void replace_results(const hoist *h, int32_t known) {
  for (int32_t i = 0; i < known; i++) {
    const hlo_instruction *user = h->loop.body->instructions[i];
    for (int32_t k = 0; k < user->operand_count; k++) {
      const motion_info *operand = &h->motions[user->operands[k]->id];
      if (operand->is_result) user->operands[k] = operand->element;
    }
  }
}

// Extends the state: its shape, its initial tuple and the body's result.
static hlo_status grow(hoist *h, hlo_error *error) {
  hlo_while_loop *l = &h->loop;
  hlo_instruction *x = l->instruction, *parameter = l->body->parameters[0], *root = l->body->root;
  hlo_arena *arena = &l->body->module->arena;
  int32_t count = l->count, all = count + h->results, known = l->body->instruction_count;
  const hlo_shape **shapes, *shape;
  hlo_instruction **starts, **given;
  HLO_ALLOC(shapes, arena, all, error);
  HLO_ALLOC(starts, arena, all, error);
  HLO_ALLOC(given, arena, all, error);
  for (int32_t i = 0; i < count; i++) {
    shapes[i] = x->shape->elements[i];
    starts[i] = l->start->operands[i];
    given[i] = root->operands[i];
  }
  for (int32_t i = 0; i < known; i++) {
    if (!h->motions[i].is_result) continue;
    shapes[count] = l->body->instructions[i]->shape;
    starts[count++] = h->motions[i].moved;
  }
  HLO_TRY(hlo_shape_make_tuple(arena, all, shapes, &shape, error));
  parameter->shape = l->condition->parameters[0]->shape = shape;
  root->operands = given;
  for (int32_t i = 0, next = l->count; i < known; i++) {
    const hlo_attribute index = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX, next);
    if (!h->motions[i].is_result) continue;
    HLO_TRY(hlo_instruction_create(l->body, HLO_OP_GET_TUPLE_ELEMENT, NULL, shapes[next], 1,
                                   &parameter, 1, &index, &h->motions[i].element, error));
    given[next++] = h->motions[i].element;
  }
  replace_results(h, known);
  root->operand_count = all;
  HLO_TRY(hlo_instruction_create(x->computation, HLO_OP_TUPLE, NULL, shape, all, starts, 0, NULL,
                                 &x->operands[0], error));
  root->shape = x->shape = shape;
  x->computation->module->revision++;
  return hlo_computation_sort(l->body, error);
}

static hlo_status hoist_from(hlo_instruction *x, const int32_t *callers, bool *changed,
                             hlo_error *error) {
  hoist h = {0};
  if (!hlo_match_while_loop(x, &h.loop) || !hlo_loop_is_alone(&h.loop, callers)) return HLO_OK;
  HLO_ALLOC(h.motions, &x->computation->module->arena, h.loop.body->instruction_count, error);
  mark_invariants(&h);
  choose_hoisted(&h);
  if (h.results == 0) return HLO_OK;
  *changed = true;
  HLO_TRY(copy_hoisted(&h, error));
  return grow(&h, error);
}

// Callees come first: a value hoisted from an inner loop may be hoisted from the outer one, too.
hlo_status hlo_pass_hoist(hlo_module *module, hlo_error *error) {
  int32_t *callers = NULL;
  HLO_TRY(hlo_count_callers(module, &callers, error));
  for (int32_t c = 0; c < module->computation_count; c++) {
    hlo_computation *computation = module->computations[c];
    int32_t count = computation->instruction_count;
    bool changed = false;
    for (int32_t i = 0; i < count; i++)
      HLO_TRY(hoist_from(computation->instructions[i], callers, &changed, error));
    if (!changed) continue;
    HLO_TRY(hlo_computation_sort(computation, error));
    HLO_TRY(hlo_count_callers(module, &callers, error)); // a hoisted instruction may be a call
  }
  return hlo_module_remove_dead(module, error);
}
