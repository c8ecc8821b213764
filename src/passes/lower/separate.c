// Splits reductions, windows and scatters with several values, or with a function that is not a
// single operation: a value accumulated as s + f(x) becomes a reduction of f(x) by that operation,
// which can be vectorised, blocked and reordered; the rest keeps its function. See passes.h.
#include "hlo/builder.h"
#include "hlo/rewrite.h"
#include "passes/legality/separable.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

typedef struct separation {
  hlo_instruction *x;
  const hlo_computation *function;
  int32_t count, kept; // values; those that keep their function
  hlo_accumulation *values;
  bool *marked; // instructions of the function
} separation;

// Scatters have their indices between values and elements; the others begin with the elements.
static int32_t operand_of_value(const separation *s, int32_t k) {
  return s->x->opcode == HLO_OP_SCATTER ? k : s->count + k;
}
static int32_t operand_of_element(const separation *s, int32_t k) {
  return s->x->opcode == HLO_OP_SCATTER ? s->count + 1 + k : k;
}

static bool is_element(const separation *s, int32_t k) {
  const hlo_accumulation *v = &s->values[k];
  return v->term == s->function->parameters[s->count + k] && !v->subtracts;
}

// --- which values are separable ---

// Marks the transitive operands of the marked value.
static void mark_needed(const separation *s) {
  for (int32_t i = s->function->instruction_count - 1; i >= 0; i--) {
    const hlo_instruction *part = s->function->instructions[i];
    for (int32_t k = 0; s->marked[i] && k < part->operand_count; k++)
      s->marked[part->operands[k]->id] = true;
  }
}

static void clear_marks(const separation *s) {
  for (int32_t i = 0; i < s->function->instruction_count; i++) s->marked[i] = false;
}

// Whether each instruction of the function depends on elements alone, by operations on scalars: in
// one sweep, since there may be as many values as instructions.
static void mark_terms(const separation *s, bool *may_be_term) {
  for (int32_t i = 0; i < s->function->instruction_count; i++) {
    const hlo_instruction *part = s->function->instructions[i];
    bool is_accumulator = part->opcode == HLO_OP_PARAMETER && part->parameter_number < s->count;
    bool computes = part->opcode == HLO_OP_PARAMETER || part->opcode == HLO_OP_CONSTANT ||
                    hlo_op_is_elementwise(part->opcode);
    may_be_term[i] = !is_accumulator && computes && hlo_shape_is_scalar(part->shape);
    for (int32_t k = 0; may_be_term[i] && k < part->operand_count; k++)
      may_be_term[i] = may_be_term[part->operands[k]->id];
  }
}

// In a padded window a term must be the element itself, since the function is applied to the
// padding, too.
static bool is_separable(const separation *s, int32_t k, const bool *may_be_term) {
  const hlo_accumulation *v = &s->values[k];
  if (v->op == HLO_OP_COUNT || !may_be_term[v->term->id]) return false;
  if (s->x->opcode == HLO_OP_REDUCE_WINDOW) return is_element(s, k);
  return s->x->opcode != HLO_OP_SCATTER || v->type == s->function->parameters[k]->shape->type;
}

// Marks the transitive operands of the values that keep their function; values whose accumulator or
// element those need keep it, too.
static void mark_kept(separation *s) {
  for (int32_t before = -1; before != s->kept;) {
    before = s->kept;
    clear_marks(s);
    for (int32_t k = 0; k < s->count; k++)
      if (s->values[k].op == HLO_OP_COUNT) s->marked[hlo_value_of(s->function, k)->id] = true;
    mark_needed(s);
    s->kept = 0;
    for (int32_t k = 0; k < s->count; k++) {
      if (s->marked[s->function->parameters[k]->id] ||
          s->marked[s->function->parameters[s->count + k]->id])
        s->values[k].op = HLO_OP_COUNT;
      s->kept += s->values[k].op == HLO_OP_COUNT;
    }
  }
}

static bool has_same_types(const separation *s) {
  for (int32_t k = 0; k < s->count; k++) {
    hlo_type type = s->function->parameters[k]->shape->type;
    if (s->x->operands[operand_of_value(s, k)]->shape->type != type ||
        hlo_shape_leaf(s->x->shape, k)->type != type ||
        s->x->operands[operand_of_element(s, k)]->shape->type !=
            s->function->parameters[s->count + k]->shape->type)
      return false;
  }
  return true;
}

// --- building the parts ---

// A function of the marked instructions. values: which parameters it keeps, of the `count`
// accumulators, if it has those, and of the elements.
static hlo_status copy_marked(const separation *s, const char *name, const bool *values,
                              bool has_running, hlo_instruction **made, hlo_computation **out,
                              hlo_error *error) {
  hlo_arena *arena = &s->x->computation->module->arena;
  int32_t next = 0;
  HLO_TRY(hlo_computation_create(s->x->computation->module, name, out, error));
  for (int32_t k = has_running ? 0 : s->count; k < 2 * s->count; k++) {
    const hlo_instruction *parameter = s->function->parameters[k];
    if (values[k % s->count])
      HLO_TRY(hlo_build_parameter(*out, next++, parameter->shape, parameter->name,
                                  &made[parameter->id], error));
  }
  for (int32_t i = 0; i < s->function->instruction_count; i++) {
    const hlo_instruction *part = s->function->instructions[i];
    if (!s->marked[i] || part->opcode == HLO_OP_PARAMETER) continue;
    hlo_instruction **operands;
    HLO_ALLOC(operands, arena, part->operand_count, error);
    for (int32_t k = 0; k < part->operand_count; k++) operands[k] = made[part->operands[k]->id];
    HLO_TRY(hlo_instruction_copy(*out, part, operands, &made[i], error));
  }
  return HLO_OK;
}

// x restricted to some of its values: their elements and initial values, with the given function.
static hlo_status combine(const separation *s, const hlo_shape *shape, int32_t count,
                          hlo_instruction *const *elements, hlo_instruction *const *initial,
                          hlo_computation *function, hlo_instruction **out, hlo_error *error) {
  hlo_arena *arena = &s->x->computation->module->arena;
  hlo_instruction **operands;
  hlo_attribute *attributes;
  bool scatters = s->x->opcode == HLO_OP_SCATTER;
  HLO_ALLOC(operands, arena, 2 * count + scatters, error);
  for (int32_t k = 0; k < count; k++) {
    operands[k] = scatters ? initial[k] : elements[k];
    operands[count + scatters + k] = scatters ? elements[k] : initial[k];
  }
  if (scatters) operands[count] = s->x->operands[s->count];
  HLO_ALLOC(attributes, arena, s->x->attribute_count, error);
  for (int32_t i = 0; i < s->x->attribute_count; i++) {
    attributes[i] = s->x->attributes[i];
    if (attributes[i].id == HLO_ATTRIBUTE_TO_APPLY)
      HLO_TRY(hlo_attribute_make_computation(arena, HLO_ATTRIBUTE_TO_APPLY, function,
                                             &attributes[i], error));
  }
  return hlo_simplify_build(s->x, s->x->opcode, shape, 2 * count + scatters, operands,
                            s->x->attribute_count, attributes, out, error);
}

// The terms as an array.
static hlo_status build_terms(const separation *s, int32_t k, hlo_instruction **out,
                              hlo_error *error) {
  const hlo_accumulation *v = &s->values[k];
  hlo_module *module = s->x->computation->module;
  const hlo_instruction *like = s->x->operands[operand_of_element(s, k)];
  const hlo_shape *shape;
  HLO_TRY(hlo_shape_with_type(&module->arena, like->shape, v->type, true, &shape, error));
  if (v->term->opcode == HLO_OP_PARAMETER) {
    int32_t element = (int32_t)v->term->parameter_number - s->count;
    *out = s->x->operands[operand_of_element(s, element)];
  } else {
    hlo_instruction **made, **arguments;
    hlo_computation *function;
    hlo_attribute attributes[2];
    bool *all;
    int64_t dimensions[HLO_MAX_RANK];
    HLO_ALLOC(made, &module->arena, s->function->instruction_count, error);
    HLO_ALLOC(arguments, &module->arena, s->count, error);
    HLO_ALLOC(all, &module->arena, s->count, error);
    for (int32_t i = 0; i < s->count; i++) {
      all[i] = true;
      arguments[i] = s->x->operands[operand_of_element(s, i)];
    }
    clear_marks(s);
    s->marked[v->term->id] = true;
    mark_needed(s);
    HLO_TRY(copy_marked(s, "term", all, false, made, &function, error));
    HLO_TRY(hlo_build_finish(function, made[v->term->id], error));
    for (int32_t d = 0; d < shape->rank; d++) dimensions[d] = d;
    HLO_TRY(hlo_attribute_make_ints(&module->arena, HLO_ATTRIBUTE_DIMENSIONS, shape->rank,
                                    dimensions, &attributes[0], error));
    HLO_TRY(hlo_attribute_make_computation(&module->arena, HLO_ATTRIBUTE_TO_APPLY, function,
                                           &attributes[1], error));
    HLO_TRY(hlo_simplify_build(s->x, HLO_OP_MAP, shape, s->count, arguments, 2, attributes, out,
                               error));
  }
  if (!v->subtracts) return HLO_OK;
  return hlo_simplify_build(s->x, HLO_OP_NEGATE, shape, 1, out, 0, NULL, out, error);
}

static hlo_status convert(const separation *s, const hlo_shape *shape, hlo_instruction **x,
                          hlo_error *error) {
  if ((*x)->shape->type == shape->type) return HLO_OK;
  return hlo_simplify_build(s->x, HLO_OP_CONVERT, shape, 1, x, 0, NULL, x, error);
}

static hlo_status build_reduction(const separation *s, int32_t k, hlo_instruction **out,
                                  hlo_error *error) {
  const hlo_accumulation *v = &s->values[k];
  hlo_arena *arena = &s->x->computation->module->arena;
  hlo_instruction *terms, *initial = s->x->operands[operand_of_value(s, k)];
  hlo_computation *function;
  const hlo_shape *leaf = hlo_shape_leaf(s->x->shape, k), *shape, *start;
  HLO_TRY(hlo_shape_with_type(arena, leaf, v->type, true, &shape, error));
  HLO_TRY(hlo_shape_with_type(arena, initial->shape, v->type, true, &start, error));
  HLO_TRY(build_terms(s, k, &terms, error));
  HLO_TRY(convert(s, start, &initial, error));
  HLO_TRY(hlo_build_reducer(s->x->computation->module, v->op, v->type, &function, error));
  HLO_TRY(combine(s, shape, 1, &terms, &initial, function, out, error));
  return convert(s, leaf, out, error);
}

// The values that keep the function, reduced to the part that they need.
static hlo_status build_kept(separation *s, hlo_instruction **results, hlo_error *error) {
  hlo_arena *arena = &s->x->computation->module->arena;
  hlo_instruction **made, **elements, **initial, **values, *all;
  const hlo_shape **shapes, *shape;
  hlo_computation *function;
  bool *keeps;
  int32_t count = 0;
  HLO_ALLOC(made, arena, s->function->instruction_count, error);
  HLO_ALLOC(elements, arena, s->kept, error);
  HLO_ALLOC(initial, arena, s->kept, error);
  HLO_ALLOC(values, arena, s->kept, error);
  HLO_ALLOC(shapes, arena, s->kept, error);
  HLO_ALLOC(keeps, arena, s->count, error);
  for (int32_t k = 0; k < s->count; k++) keeps[k] = s->values[k].op == HLO_OP_COUNT;
  mark_kept(s);
  HLO_TRY(copy_marked(s, s->function->name, keeps, true, made, &function, error));
  for (int32_t k = 0; k < s->count; k++) {
    if (!keeps[k]) continue;
    shapes[count] = hlo_shape_leaf(s->x->shape, k);
    elements[count] = s->x->operands[operand_of_element(s, k)];
    initial[count] = s->x->operands[operand_of_value(s, k)];
    values[count++] = made[hlo_value_of(s->function, k)->id];
  }
  if (count == 1) {
    HLO_TRY(hlo_build_finish(function, values[0], error));
    shape = shapes[0];
  } else {
    HLO_TRY(hlo_build(function, HLO_OP_TUPLE, NULL, count, values, 0, NULL, &all, error));
    HLO_TRY(hlo_build_finish(function, all, error));
    HLO_TRY(hlo_shape_make_tuple(arena, count, shapes, &shape, error));
  }
  HLO_TRY(combine(s, shape, count, elements, initial, function, &all, error));
  count = 0;
  for (int32_t k = 0; k < s->count; k++) {
    if (!keeps[k]) continue;
    hlo_attribute index = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX, count++);
    results[k] = all;
    if (s->kept > 1)
      HLO_TRY(hlo_simplify_build(s->x, HLO_OP_GET_TUPLE_ELEMENT, hlo_shape_leaf(s->x->shape, k), 1,
                                 &all, 1, &index, &results[k], error));
  }
  return HLO_OK;
}

static hlo_status separate(void *context, hlo_instruction *x, hlo_instruction **replacement,
                           hlo_error *error) {
  (void)context;
  if (!hlo_has_separable_reducer(x) || hlo_simplify_is_dynamic(x)) return HLO_OK;
  hlo_arena *arena = &x->computation->module->arena;
  separation s = {.x = x,
                  .function = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY),
                  .count = x->operand_count / 2};
  hlo_instruction **results;
  bool *may_be_term;
  HLO_ALLOC(s.values, arena, s.count, error);
  HLO_ALLOC(s.marked, arena, s.function->instruction_count, error);
  HLO_ALLOC(may_be_term, arena, s.function->instruction_count, error);
  HLO_ALLOC(results, arena, s.count, error);
  if (!has_same_types(&s)) return HLO_OK;
  mark_terms(&s, may_be_term);
  for (int32_t k = 0; k < s.count; k++) {
    s.values[k] = hlo_match_accumulation(s.function, k);
    if (!is_separable(&s, k, may_be_term)) s.values[k].op = HLO_OP_COUNT;
  }
  mark_kept(&s);
  if (s.kept == s.count) return HLO_OK;
  if (s.kept > 0) HLO_TRY(build_kept(&s, results, error));
  for (int32_t k = 0; k < s.count; k++)
    if (s.values[k].op != HLO_OP_COUNT) HLO_TRY(build_reduction(&s, k, &results[k], error));
  if (hlo_shape_is_array(x->shape)) *replacement = results[0];
  else
    HLO_TRY(hlo_simplify_build(x, HLO_OP_TUPLE, x->shape, s.count, results, 0, NULL, replacement,
                               error));
  return HLO_OK;
}

hlo_status hlo_pass_separate(hlo_module *module, hlo_error *error) {
  HLO_TRY(hlo_module_rewrite(module, separate, NULL, error));
  return hlo_module_remove_dead(module, error);
}
