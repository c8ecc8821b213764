// Scalar replacement in the state of loops: small arrays are carried from round to round as their
// elements. See scalar_replacement.h.
#include "hlo/analysis/cost.h"
#include "hlo/rewrite.h"
#include "kernels/machine.h"
#include "passes/loops/scalar_replacement.h"

typedef struct scalar_state {
  hlo_while_loop loop;
  int32_t *first; // by element of the state: the index of its first scalar in the new state, or 0
  int32_t all;    // elements of the new state, scalars included
} scalar_state;

static bool is_built_from_scalars(const hlo_instruction *x) {
  while (x->opcode == HLO_OP_RESHAPE) x = x->operands[0];
  return x->opcode == HLO_OP_CONCATENATE && x->operand_count == hlo_shape_elements(x->shape);
}

static bool reads_scalar(const hlo_instruction *x) {
  return x->opcode == HLO_OP_SLICE && hlo_shape_elements(x->shape) == 1;
}

static void choose_elements(scalar_state *s) {
  const hlo_while_loop *l = &s->loop;
  const hlo_computation *body = l->body;
  for (int32_t i = 0; i < body->instruction_count; i++) {
    const hlo_instruction *x = body->instructions[i];
    if (!reads_scalar(x) || !hlo_is_element_of(x->operands[0], body->parameters[0])) continue;
    int64_t k = hlo_element_index(x->operands[0]);
    const hlo_shape *shape = l->instruction->shape->elements[k];
    if (s->first[k] > 0 || !hlo_is_small_array(shape) ||
        !is_built_from_scalars(body->root->operands[k]))
      continue;
    s->first[k] = s->all;
    s->all += (int32_t)hlo_shape_elements(shape);
  }
}

// A tuple's operands, followed by the scalars of those that are chosen.
static hlo_status append_scalars(const scalar_state *s, const hlo_instruction *tuple,
                                 hlo_instruction ***out, hlo_error *error) {
  HLO_ALLOC(*out, &tuple->computation->module->arena, s->all, error);
  for (int32_t i = 0; i < s->loop.count; i++) {
    (*out)[i] = tuple->operands[i];
    int64_t count = s->first[i] > 0 ? hlo_shape_elements(tuple->operands[i]->shape) : 0;
    for (int64_t k = 0; k < count; k++)
      HLO_TRY(hlo_get_scalar(tuple, tuple->operands[i], k, &(*out)[s->first[i] + k], error));
  }
  return HLO_OK;
}

// Readers of a chosen element of the tuple read an array built from its scalars.
static hlo_status redirect_readers(const scalar_state *s, hlo_instruction *tuple,
                                   hlo_error *error) {
  hlo_computation *computation = tuple->computation;
  int32_t known = computation->instruction_count;
  for (int32_t i = 0; i < known; i++) {
    hlo_instruction *x = computation->instructions[i], *numbers[HLO_MOST_SCALARS];
    int32_t first = hlo_is_element_of(x, tuple) ? s->first[hlo_element_index(x)] : 0;
    x->forward = NULL;
    if (first == 0) continue;
    for (int32_t k = 0; k < hlo_shape_elements(x->shape); k++) {
      const hlo_attribute index = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX, first + k);
      HLO_TRY(hlo_simplify_build(x, HLO_OP_GET_TUPLE_ELEMENT, NULL, 1, &tuple, 1, &index,
                                 &numbers[k], error));
    }
    HLO_TRY(hlo_build_array(x, numbers, x->shape, &x->forward, error));
  }
  for (int32_t i = 0; i < known; i++) {
    hlo_instruction *user = computation->instructions[i];
    for (int32_t k = 0; k < user->operand_count; k++)
      if (user->operands[k]->forward != NULL) user->operands[k] = user->operands[k]->forward;
  }
  if (computation->root->forward != NULL) computation->root = computation->root->forward;
  return HLO_OK;
}

static hlo_status extend_state(scalar_state *s, hlo_error *error) {
  hlo_while_loop *l = &s->loop;
  hlo_instruction *x = l->instruction, *root = l->body->root, **starts, **given;
  hlo_arena *arena = &x->computation->module->arena;
  const hlo_shape **shapes, *shape;
  HLO_TRY(append_scalars(s, l->start, &starts, error));
  HLO_TRY(append_scalars(s, root, &given, error));
  HLO_ALLOC(shapes, arena, s->all, error);
  for (int32_t i = 0; i < s->all; i++) shapes[i] = given[i]->shape;
  HLO_TRY(hlo_shape_make_tuple(arena, s->all, shapes, &shape, error));
  root->operands = given;
  root->operand_count = s->all;
  HLO_TRY(hlo_instruction_create(x->computation, HLO_OP_TUPLE, NULL, shape, s->all, starts, 0, NULL,
                                 &x->operands[0], error));
  root->shape = x->shape = shape;
  l->body->parameters[0]->shape = l->condition->parameters[0]->shape = shape;
  HLO_TRY(redirect_readers(s, x, error));
  HLO_TRY(redirect_readers(s, l->body->parameters[0], error));
  HLO_TRY(redirect_readers(s, l->condition->parameters[0], error));
  x->computation->module->revision++;
  HLO_TRY(hlo_computation_sort(l->condition, error));
  return hlo_computation_sort(l->body, error);
}

// Arrays of a loop's state that the body builds from scalars and reads by element are carried as
// scalars; the arrays themselves stay in the state, dead, for the loop pass to remove. Sets
// `changed` where the loop's computation has to be sorted.
static hlo_status carry_scalars(hlo_instruction *loop, const int32_t *callers, bool *changed,
                                hlo_error *error) {
  scalar_state s = {0};
  if (!hlo_match_while_loop(loop, &s.loop) || !hlo_loop_is_alone(&s.loop, callers)) return HLO_OK;
  int64_t trips = hlo_trip_count(loop);
  bool is_short = trips >= 0 && trips < HLO_NUMBERS_FEW_TRIPS;
  if (is_short && loop->computation == loop->computation->module->entry) return HLO_OK;
  HLO_ALLOC(s.first, &loop->computation->module->arena, s.loop.count, error);
  s.all = s.loop.count;
  choose_elements(&s);
  if (s.all == s.loop.count) return HLO_OK;
  *changed = true;
  return extend_state(&s, error);
}

hlo_status hlo_pass_scalar_replacement(hlo_module *module, hlo_error *error) {
  hlo_arena scratch = {0};
  hlo_status status = HLO_OK;
  int32_t *callers = NULL;
  HLO_TRY(hlo_count_callers(module, &callers, error));
  for (int32_t c = 0; c < module->computation_count; c++) {
    hlo_computation *computation = module->computations[c];
    int32_t count = computation->instruction_count;
    bool changed = false;
    for (int32_t i = 0; i < count && status == HLO_OK; i++) {
      hlo_instruction *x = computation->instructions[i];
      if (x->opcode != HLO_OP_WHILE) continue;
      status = hlo_replace_by_scalars(hlo_get_computation(x, HLO_ATTRIBUTE_BODY), &scratch, error);
      if (status == HLO_OK) status = carry_scalars(x, callers, &changed, error);
    }
    if (changed && status == HLO_OK) status = hlo_computation_sort(computation, error);
  }
  hlo_arena_free(&scratch);
  return status;
}
