// At a boundary (tuple, call, loop, fusion) each side states a layout, and the two may differ:
// XLA's own programs agree; programs written by hand or extracted from others need not. A copy is
// inserted, so that passes, plans and generated code may rely on the layout that an instruction
// states. See passes.h.
#include "hlo/alias_form.h"
#include "hlo/builder.h"
#include "hlo/rewrite.h"
#include "passes/passes.h"

#include <string.h>

// --- whether shapes agree ---

static bool same_numbers(int32_t count, const int64_t *a, const int64_t *b) {
  if (a == NULL || b == NULL) return a == b;
  return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

// Whether elements and padding have the same addresses and padding values. Tiles and memory spaces
// are only recorded, and packed elements are unpacked at run time.
static bool same_places(const hlo_shape *a, const hlo_shape *b) {
  const hlo_layout *x = a->layout, *y = b->layout;
  for (int32_t i = 0; i < a->rank; i++) {
    int64_t in_order = a->rank - 1 - i;
    if ((x == NULL ? in_order : x->minor_to_major[i]) !=
        (y == NULL ? in_order : y->minor_to_major[i]))
      return false;
  }
  const int64_t *padded_x = x == NULL ? NULL : x->padded_dims;
  const int64_t *padded_y = y == NULL ? NULL : y->padded_dims;
  if (!same_numbers(a->rank, padded_x, padded_y)) return false;
  if (padded_x == NULL || x->padding_value == y->padding_value) return true;
  return x->padding_value != NULL && y->padding_value != NULL &&
         strcmp(x->padding_value, y->padding_value) == 0;
}

// Of compatible shapes, as the verifier has seen them.
static bool agree(const hlo_shape *a, const hlo_shape *b) {
  if (a == b) return true;
  if (hlo_shape_is_array(a)) return !hlo_shape_is_array(b) || same_places(a, b);
  for (int32_t i = 0; i < a->element_count && i < b->element_count; i++) {
    if (!agree(a->elements[i], b->elements[i])) return false;
  }
  return true;
}

// --- stated and given shapes ---

static const hlo_computation *callee_of(const hlo_instruction *x) {
  if (x->opcode == HLO_OP_CALL) return hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  if (x->opcode == HLO_OP_FUSION) return hlo_get_computation(x, HLO_ATTRIBUTE_CALLS);
  return NULL;
}

// The shape that x states for operand k; the operand's own where x accepts any layout.
static const hlo_shape *stated_operand(const hlo_instruction *x, int32_t k) {
  const hlo_start_form *start = hlo_start_form_of(x->opcode);
  if (start != NULL) return hlo_start_operand_shape(start, x, k);
  const hlo_computation *callee = callee_of(x);
  if (callee != NULL) return callee->parameters[k]->shape;
  if (x->opcode == HLO_OP_TUPLE) return x->shape->elements[k];
  return x->opcode == HLO_OP_WHILE ? x->shape : x->operands[k]->shape;
}

// The shape of the value that x passes on, whatever x states.
static const hlo_shape *shape_given(const hlo_instruction *x) {
  const hlo_computation *callee = callee_of(x);
  if (callee != NULL) return callee->root->shape;
  int32_t element = hlo_alias_element(x);
  if (element >= 0) return x->operands[0]->shape->elements[element];
  bool renames = (hlo_op_get(x->opcode)->properties & HLO_PROPERTY_ALIAS) != 0;
  return renames && x->opcode != HLO_OP_TUPLE ? x->operands[0]->shape : x->shape;
}

// Computations of loops and branches, whose layouts cannot be adapted by copies around the
// instruction.
typedef struct signature {
  const hlo_shape *argument, *result;
} signature;

static const hlo_attribute_id controlled[] = {
    HLO_ATTRIBUTE_CONDITION, HLO_ATTRIBUTE_BODY, HLO_ATTRIBUTE_TRUE_COMPUTATION,
    HLO_ATTRIBUTE_FALSE_COMPUTATION, HLO_ATTRIBUTE_BRANCH_COMPUTATIONS};
enum { CONTROLLED = sizeof controlled / sizeof *controlled };

// The signature that x requires of computation i of the attribute, callee.
static signature wanted_of(const hlo_instruction *x, hlo_attribute_id id, int32_t i,
                           const hlo_computation *callee) {
  if (id == HLO_ATTRIBUTE_CONDITION) return (signature){x->shape, callee->root->shape};
  if (id == HLO_ATTRIBUTE_BODY) return (signature){x->shape, x->shape};
  int32_t branch = id == HLO_ATTRIBUTE_FALSE_COMPUTATION ? 1 : i;
  return (signature){x->operands[branch + 1]->shape, x->shape};
}

static bool fits(const hlo_computation *callee, signature wanted) {
  return agree(callee->root->shape, wanted.result) &&
         (callee->parameter_count == 0 || agree(callee->parameters[0]->shape, wanted.argument));
}

static bool controls(const hlo_instruction *x) {
  return x->opcode == HLO_OP_WHILE || x->opcode == HLO_OP_CONDITIONAL;
}

static bool callees_fit(const hlo_instruction *x) {
  for (int32_t a = 0; a < CONTROLLED && controls(x); a++) {
    const hlo_attribute *attribute = hlo_find_attribute(x, controlled[a]);
    for (int32_t i = 0; attribute != NULL && i < attribute->count; i++) {
      const hlo_computation *callee = attribute->computations[i];
      if (!fits(callee, wanted_of(x, controlled[a], i, callee))) return false;
    }
  }
  return true;
}

static bool operands_fit(const hlo_instruction *x) {
  for (int32_t k = 0; k < x->operand_count; k++) {
    if (!agree(x->operands[k]->shape, stated_operand(x, k))) return false;
  }
  return true;
}

bool hlo_layouts_disagree(const hlo_instruction *x) {
  return !agree(shape_given(x), x->shape) || !operands_fit(x) || !callees_fit(x);
}

// --- copies in between ---

// *out = x in the layout of the shape.
static hlo_status lay_out(hlo_instruction *x, const hlo_shape *shape, hlo_instruction **out,
                          hlo_error *error) {
  hlo_arena *arena = &x->computation->module->arena;
  hlo_instruction **elements;
  *out = x;
  if (agree(x->shape, shape)) return HLO_OK;
  if (hlo_shape_is_array(x->shape)) {
    HLO_TRY(hlo_shape_with_layout(arena, x->shape, shape->layout, &shape, error));
    return hlo_build(x->computation, HLO_OP_COPY, shape, 1, &x, 0, NULL, out, error);
  }
  HLO_ALLOC(elements, arena, shape->element_count, error);
  for (int32_t i = 0; i < shape->element_count; i++) {
    hlo_attribute index = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX, i);
    HLO_TRY(hlo_build(x->computation, HLO_OP_GET_TUPLE_ELEMENT, NULL, 1, &x, 1, &index,
                      &elements[i], error));
    HLO_TRY(lay_out(elements[i], shape->elements[i], &elements[i], error));
  }
  return hlo_build(x->computation, HLO_OP_TUPLE, NULL, shape->element_count, elements, 0, NULL, out,
                   error);
}

// A wrapper that calls the computation with the required layouts of argument and result.
static hlo_status wrap(hlo_computation *callee, signature wanted, hlo_computation **out,
                       hlo_error *error) {
  hlo_module *module = callee->module;
  hlo_instruction *argument, *result;
  hlo_attribute function;
  int32_t count = callee->parameter_count;
  HLO_TRY(hlo_computation_create(module, callee->name, out, error));
  HLO_TRY(hlo_build_parameter(*out, 0, wanted.argument, "argument", &argument, error));
  if (count > 0) HLO_TRY(lay_out(argument, callee->parameters[0]->shape, &argument, error));
  HLO_TRY(hlo_attribute_make_computation(&module->arena, HLO_ATTRIBUTE_TO_APPLY, callee, &function,
                                         error));
  HLO_TRY(hlo_build(*out, HLO_OP_CALL, NULL, count, &argument, 1, &function, &result, error));
  HLO_TRY(lay_out(result, wanted.result, &result, error));
  (*out)->has_side_effect = callee->has_side_effect;
  return hlo_build_finish(*out, result, error);
}

static hlo_status fit_callees(hlo_instruction *x, hlo_error *error) {
  for (int32_t a = 0; a < x->attribute_count && controls(x); a++) {
    hlo_attribute *attribute = &x->attributes[a];
    hlo_attribute_kind kind = hlo_attribute_get_kind(attribute->id);
    if (kind != HLO_KIND_COMPUTATION && kind != HLO_KIND_COMPUTATIONS) continue;
    hlo_computation **callees;
    HLO_ALLOC(callees, &x->computation->module->arena, attribute->count, error);
    for (int32_t i = 0; i < attribute->count; i++) {
      callees[i] = attribute->computations[i];
      signature wanted = wanted_of(x, attribute->id, i, callees[i]);
      if (!fits(callees[i], wanted)) HLO_TRY(wrap(callees[i], wanted, &callees[i], error));
    }
    attribute->computations = callees;
  }
  return HLO_OK;
}

static hlo_status fit(void *context, hlo_instruction *x, hlo_instruction **replacement,
                      hlo_error *error) {
  (void)context;
  const hlo_shape *given = shape_given(x);
  bool gives_other = !agree(given, x->shape);
  if (!gives_other && operands_fit(x) && callees_fit(x)) return HLO_OK;
  x->computation->module->revision++;
  for (int32_t k = 0; k < x->operand_count; k++)
    HLO_TRY(lay_out(x->operands[k], stated_operand(x, k), &x->operands[k], error));
  HLO_TRY(fit_callees(x, error));
  if (!gives_other) return HLO_OK;
  hlo_instruction *same;
  HLO_TRY(hlo_instruction_copy(x->computation, x, x->operands, &same, error));
  same->shape = given;
  return lay_out(same, x->shape, replacement, error);
}

hlo_status hlo_pass_layouts(hlo_module *module, hlo_error *error) {
  HLO_TRY(hlo_module_rewrite(module, fit, NULL, error));
  return hlo_module_remove_dead(module, error);
}
