// Constant folding: evaluates instructions whose operands are constants. See passes.h.
#include "hlo/rewrite.h"
#include "kernels/eval.h"
#include "kernels/machine.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

static bool is_foldable(hlo_opcode opcode) {
  static const hlo_opcode others[] = {
      HLO_OP_TRANSPOSE,     HLO_OP_SLICE,   HLO_OP_CONCATENATE,          HLO_OP_PAD,
      HLO_OP_REVERSE,       HLO_OP_REDUCE,  HLO_OP_DYNAMIC_UPDATE_SLICE, HLO_OP_GATHER,
      HLO_OP_DYNAMIC_SLICE, HLO_OP_BITCAST, HLO_OP_BITCAST_CONVERT,      HLO_OP_BROADCAST,
      HLO_OP_RESHAPE,
  };
  if (hlo_op_is_elementwise(opcode)) return true;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    if (others[i] == opcode) return true;
  }
  return false;
}

static bool repeats_scalar(const hlo_instruction *x) {
  return x->opcode == HLO_OP_BROADCAST && hlo_shape_is_scalar(x->operands[0]->shape);
}

// Of a constant, or of the scalar one that a broadcast repeats; else NULL.
static const hlo_literal *literal_of(const hlo_instruction *x) {
  if (repeats_scalar(x)) x = x->operands[0];
  return x->opcode == HLO_OP_CONSTANT ? x->literal : NULL;
}

// *left: the budget of elements that this pass may still fold.
static bool should_fold(const hlo_instruction *x, int64_t *left) {
  if (!is_foldable(x->opcode) || x->operand_count == 0 || hlo_has_side_effect(x)) return false;
  if (!hlo_shape_is_array(x->shape) || hlo_simplify_is_dynamic(x)) return false;
  int64_t elements = hlo_shape_memory_elements(x->shape), largest = 1;
  bool has_array = false;
  for (int32_t k = 0; k < x->operand_count; k++) {
    const hlo_instruction *operand = x->operands[k];
    bool repeats = repeats_scalar(operand);
    if (literal_of(operand) == NULL || !hlo_shape_is_array(operand->shape)) return false;
    if (repeats && !hlo_op_is_elementwise(x->opcode)) return false;
    has_array = has_array || !repeats;
    int64_t count = hlo_shape_memory_elements(operand->shape);
    if (count > largest) largest = count;
  }
  if (!has_array) return false;
  // A broadcast constant is cheaper as a broadcast.
  if (x->opcode == HLO_OP_BROADCAST && elements > 1) return false;
  if (elements > largest && elements > HLO_FOLD_GROWN_ELEMENTS) return false;
  if (elements > largest) largest = elements;
  if (largest > HLO_FOLD_ELEMENTS || largest > *left) return false;
  *left -= largest;
  return true;
}

static hlo_status evaluate(hlo_arena *scratch, const hlo_instruction *x, const hlo_literal *result,
                           hlo_error *error) {
  hlo_evaluator evaluator = {.scratch = scratch};
  hlo_view *views;
  HLO_ALLOC(views, scratch, x->operand_count + 1, error);
  for (int32_t k = 0; k < x->operand_count; k++) {
    const hlo_literal *literal = literal_of(x->operands[k]);
    views[k] = hlo_view_of(literal->shape, literal->data);
    if (!repeats_scalar(x->operands[k])) continue;
    views[k].rank = x->operands[k]->shape->rank;
    for (int32_t d = 0; d < views[k].rank; d++)
      views[k].dims[d] = x->operands[k]->shape->dims[d], views[k].strides[d] = 0;
  }
  views[x->operand_count] = hlo_view_of(result->shape, result->data);
  return hlo_evaluate(&evaluator, x, views, views + x->operand_count, error);
}

// The constant's data, shared where the operation keeps the order of the elements; else NULL.
static void *renamed_elements(const hlo_instruction *x) {
  if (x->opcode != HLO_OP_RESHAPE || hlo_simplify_is_dynamic(x)) return NULL;
  const hlo_instruction *operand = x->operands[0];
  if (operand->opcode != HLO_OP_CONSTANT || operand->literal == NULL) return NULL;
  bool in_order = hlo_layout_is_default(operand->literal->shape->layout) &&
                  hlo_layout_is_default(x->shape->layout);
  return in_order ? operand->literal->data : NULL;
}

static hlo_status fold(void *context, hlo_instruction *x, hlo_instruction **replacement,
                       hlo_error *error) {
  void *renamed = renamed_elements(x);
  if (renamed == NULL && !should_fold(x, context)) return HLO_OK;
  hlo_arena *arena = &x->computation->module->arena, scratch = {0};
  hlo_literal *literal;
  HLO_ALLOC(literal, arena, 1, error);
  *literal = (hlo_literal){.shape = x->shape, .data = renamed};
  if (renamed == NULL) {
    HLO_TRY(hlo_literal_make(arena, x->shape, literal, error));
    hlo_error failure;
    hlo_error_clear(&failure);
    hlo_status status = evaluate(&scratch, x, literal, &failure);
    hlo_arena_free(&scratch);
    if (status == HLO_OUT_OF_MEMORY) return hlo_fail_out_of_memory(error);
    if (status != HLO_OK) return HLO_OK; // the run will say what is wrong
  }
  HLO_TRY(hlo_instruction_create(x->computation, HLO_OP_CONSTANT, NULL, x->shape, 0, NULL, 0, NULL,
                                 replacement, error));
  (*replacement)->literal = literal;
  return HLO_OK;
}

// --- matrices that a program computes from nothing ---

// A constant expression: its instructions, operands first, and their values.
typedef struct expression {
  const hlo_instruction *nodes[HLO_FOLD_MOST_NODES];
  hlo_view values[HLO_FOLD_MOST_NODES];
  int32_t count;
} expression;

static int32_t place_of(const expression *e, const hlo_instruction *x) {
  for (int32_t i = 0; i < e->count; i++) {
    if (e->nodes[i] == x) return i;
  }
  return -1;
}

// False if x depends on more than constants, or is large. Every level adds an instruction, so that
// the number of these bounds the recursion.
static bool collect(expression *e, const hlo_instruction *x, int32_t depth) {
  if (place_of(e, x) >= 0) return true;
  bool is_constant = x->opcode == HLO_OP_CONSTANT && x->literal != NULL;
  if (!is_constant && x->opcode != HLO_OP_IOTA && !is_foldable(x->opcode)) return false;
  if (hlo_has_side_effect(x) || !hlo_shape_is_array(x->shape) || hlo_simplify_is_dynamic(x) ||
      hlo_shape_memory_elements(x->shape) > HLO_FOLD_MATRIX || depth == HLO_FOLD_MOST_NODES)
    return false;
  for (int32_t k = 0; k < x->operand_count; k++) {
    if (!collect(e, x->operands[k], depth + 1)) return false;
  }
  if (e->count == HLO_FOLD_MOST_NODES) return false;
  e->nodes[e->count++] = x;
  return true;
}

static hlo_status compute(expression *e, hlo_arena *scratch, hlo_error *error) {
  hlo_evaluator evaluator = {.scratch = scratch};
  for (int32_t i = 0; i < e->count; i++) {
    const hlo_instruction *x = e->nodes[i];
    hlo_view *operands;
    hlo_literal literal = {.shape = x->shape};
    if (x->opcode == HLO_OP_CONSTANT) literal = *x->literal;
    else HLO_TRY(hlo_literal_make(scratch, x->shape, &literal, error));
    hlo_view_set(&e->values[i], literal.shape, literal.data);
    if (x->opcode == HLO_OP_CONSTANT) continue;
    HLO_ALLOC(operands, scratch, x->operand_count + 1, error);
    for (int32_t k = 0; k < x->operand_count; k++)
      operands[k] = e->values[place_of(e, x->operands[k])];
    HLO_TRY(hlo_evaluate(&evaluator, x, operands, &e->values[i], error));
  }
  return HLO_OK;
}

// *out: the value of the matrix as a constant, if it is worth it; else as it was.
static hlo_status fold_matrix(hlo_instruction *x, int64_t *left, hlo_instruction **out,
                              hlo_error *error) {
  hlo_arena scratch = {0};
  expression *e;
  int64_t elements = hlo_shape_memory_elements(x->shape);
  if (x->opcode == HLO_OP_CONSTANT || elements < HLO_PASS_MANY_ELEMENTS || elements > *left)
    return HLO_OK;
  HLO_ALLOC(e, &scratch, 1, error);
  hlo_literal *literal = NULL;
  hlo_error failure;
  hlo_error_clear(&failure);
  hlo_status status = HLO_OK;
  if (collect(e, x, 0)) {
    status = compute(e, &scratch, &failure);
    hlo_arena *arena = &x->computation->module->arena;
    if (status == HLO_OK) literal = hlo_arena_alloc(arena, sizeof *literal);
    if (literal != NULL) {
      *literal = (hlo_literal){.shape = x->shape};
      status = hlo_literal_make(arena, x->shape, literal, &failure);
      if (status == HLO_OK) {
        hlo_view to = hlo_view_of(literal->shape, literal->data);
        hlo_view_copy(&to, &e->values[e->count - 1]);
      }
    } else if (status == HLO_OK) {
      status = HLO_OUT_OF_MEMORY;
    }
  }
  hlo_arena_free(&scratch);
  if (status == HLO_OUT_OF_MEMORY) return hlo_fail_out_of_memory(error);
  if (status != HLO_OK || literal == NULL) return HLO_OK; // the run will say what is wrong
  *left -= elements;
  HLO_TRY(hlo_instruction_create(x->computation, HLO_OP_CONSTANT, NULL, x->shape, 0, NULL, 0, NULL,
                                 out, error));
  (*out)->literal = literal;
  return HLO_OK;
}

// A factor that does not depend on arguments, such as the weights of a resampling, is computed
// once: then bands are found in it, or it is packed.
static hlo_status fold_factors(void *context, hlo_instruction *x, hlo_instruction **replacement,
                               hlo_error *error) {
  if (x->opcode != HLO_OP_DOT) return HLO_OK;
  hlo_instruction *factors[2] = {x->operands[0], x->operands[1]};
  for (int side = 0; side < 2; side++)
    HLO_TRY(fold_matrix(x->operands[side], context, &factors[side], error));
  if (factors[0] == x->operands[0] && factors[1] == x->operands[1]) return HLO_OK;
  return hlo_simplify_build(x, HLO_OP_DOT, x->shape, 2, factors, x->attribute_count, x->attributes,
                            replacement, error);
}

hlo_status hlo_pass_fold(hlo_module *module, hlo_error *error) {
  int64_t left = HLO_FOLD_IN_ALL;
  HLO_TRY(hlo_module_rewrite(module, fold, &left, error));
  return hlo_module_rewrite(module, fold_factors, &left, error);
}
