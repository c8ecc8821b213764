// Scalar replacement of small arrays in the bodies of loops: arrays that are built from scalars, or
// read one element at a time, become those scalars, which a loop's code keeps in locals (the states
// of differential equations, points, small matrices). See passes.h.
#include "passes/loops/scalar_replacement.h"

#include "hlo/rewrite.h"
#include "kernels/machine.h"
#include "passes/fuse/groups.h"

enum {
  MOST_ARRAYS = 1024, // of a computation, whose growth by their scalars this bounds
};

static hlo_arena *arena_of(const hlo_instruction *x) { return &x->computation->module->arena; }

static bool is_plain(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && !hlo_shape_is_dynamic(shape) &&
         hlo_layout_is_default(shape->layout);
}

bool hlo_is_small_array(const hlo_shape *shape) {
  if (!is_plain(shape)) return false;
  int64_t elements = hlo_shape_elements(shape);
  hlo_type_class class = hlo_type_get_class(shape->type);
  bool is_wide = class != HLO_CLASS_COMPLEX && hlo_type_bits(shape->type) >= 32;
  return elements > 1 && elements <= HLO_MOST_SCALARS && (shape->type == HLO_PRED || is_wide);
}

static bool is_scalar(const hlo_instruction *x) {
  return is_plain(x->shape) && hlo_shape_elements(x->shape) == 1;
}

static bool is_small_elementwise(const hlo_instruction *x) {
  if (!hlo_is_small_array(x->shape) || !hlo_op_is_elementwise(x->opcode)) return false;
  for (int32_t k = 0; k < x->operand_count; k++) {
    const hlo_shape *operand = x->operands[k]->shape;
    bool is_few = hlo_is_small_array(operand) && hlo_shape_same_dimensions(operand, x->shape);
    if (!is_few && operand->rank > 0) return false;
  }
  return hlo_fuse_cost_of(x->opcode) <= HLO_NUMBERS_MOST_COST;
}

static bool is_built_from_scalars(const hlo_instruction *x) {
  return x->opcode == HLO_OP_CONCATENATE && hlo_is_small_array(x->shape) &&
         x->operand_count == hlo_shape_elements(x->shape);
}

// The operation by which x reduces all elements of a small array to a scalar; HLO_OP_COUNT: none.
static hlo_opcode reduction_op(const hlo_instruction *x) {
  bool swapped, reduces = x->opcode == HLO_OP_REDUCE && x->operand_count == 2 && is_scalar(x) &&
                          hlo_is_small_array(x->operands[0]->shape);
  hlo_opcode op = HLO_OP_COUNT;
  if (reduces)
    op = hlo_simplify_applied_op(hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY), &swapped);
  return op == HLO_OP_COUNT || hlo_fuse_cost_of(op) > HLO_NUMBERS_MOST_COST || swapped
             ? HLO_OP_COUNT
             : op;
}

// Whether x reads one element of an array, or reduces a small array to a scalar.
static bool reads_scalars(const hlo_instruction *x) {
  return x->opcode == HLO_OP_SLICE ? is_scalar(x) : reduction_op(x) != HLO_OP_COUNT;
}

static bool uses_scalars(const hlo_instruction *x) {
  if (reads_scalars(x)) return is_small_elementwise(x->operands[0]);
  if (!is_small_elementwise(x)) return false;
  for (int32_t k = 0; k < x->operand_count; k++) {
    if (is_built_from_scalars(x->operands[k])) return true;
  }
  return false;
}

// --- which arrays ---

static bool is_one_of(const hlo_instruction *x, const hlo_opcode *list, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (list[i] == x->opcode) return true;
  return false;
}

// Whether each element of x is an element of an operand, or a function of one element of each. Data
// movement is replaced together with its operands.
static bool is_replaceable(const hlo_instruction *x) {
  static const hlo_opcode moves[] = {HLO_OP_RESHAPE, HLO_OP_SLICE, HLO_OP_CONCATENATE,
                                     HLO_OP_BROADCAST, HLO_OP_TRANSPOSE};
  if (is_small_elementwise(x)) return true;
  if (!hlo_is_small_array(x->shape)) return false;
  for (int32_t k = 0; k < x->operand_count; k++) {
    const hlo_instruction *operand = x->operands[k];
    if (!is_scalar(operand) && !hlo_is_small_array(operand->shape)) return false;
  }
  if (x->opcode == HLO_OP_BROADCAST && is_scalar(x->operands[0])) return false;
  return is_one_of(x, moves, sizeof moves / sizeof *moves);
}

// Chooses the arrays read as scalars or built from them, and all replaceable ones connected with
// them. Returns how many.
static int32_t choose_candidates(const hlo_computation *computation, bool *chosen) {
  int32_t count = computation->instruction_count, found = 0, before = -1;
  for (int32_t i = 0; i < count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    if (uses_scalars(x)) chosen[is_small_elementwise(x) ? x->id : x->operands[0]->id] = true;
  }
  while (found != before && found <= MOST_ARRAYS) {
    before = found;
    found = 0;
    for (int32_t i = 0; i < 2 * count; i++) { // forwards, then backwards
      const hlo_instruction *x = computation->instructions[i < count ? i : 2 * count - 1 - i];
      if (!is_replaceable(x)) continue;
      for (int32_t k = 0; k < x->operand_count; k++) {
        const hlo_instruction *operand = x->operands[k];
        chosen[x->id] = chosen[x->id] || chosen[operand->id];
        if (chosen[x->id] && is_replaceable(operand)) chosen[operand->id] = true;
      }
      found += i < count && chosen[x->id];
    }
  }
  return found;
}

// Whether the choice for x and its operand is profitable: where only one of them is replaced, a
// kernel or a product between them would have to split or assemble the whole array.
static bool is_profitable(const hlo_instruction *x, const hlo_instruction *operand,
                          const bool *chosen) {
  static const hlo_opcode sources[] = {HLO_OP_PARAMETER, HLO_OP_GET_TUPLE_ELEMENT, HLO_OP_CONSTANT,
                                       HLO_OP_IOTA, HLO_OP_DYNAMIC_SLICE};
  static const hlo_opcode sinks[] = {HLO_OP_TUPLE, HLO_OP_DYNAMIC_UPDATE_SLICE, HLO_OP_CONCATENATE};
  if (chosen[x->id] == chosen[operand->id]) return true;
  if (!chosen[x->id]) return reads_scalars(x) || is_one_of(x, sinks, sizeof sinks / sizeof *sinks);
  if (is_scalar(operand)) return true;
  if (operand->opcode == HLO_OP_BROADCAST) return is_scalar(operand->operands[0]);
  return is_one_of(operand, sources, sizeof sources / sizeof *sources);
}

// Removes the unprofitable choices, and all that are connected with them.
static void drop_unprofitable(const hlo_computation *computation, bool *chosen) {
  int32_t count = computation->instruction_count;
  for (bool again = true; again;) {
    again = false;
    for (int32_t i = 0; i < 2 * count; i++) {
      const hlo_instruction *x = computation->instructions[i < count ? i : 2 * count - 1 - i];
      for (int32_t k = 0; k < x->operand_count; k++) {
        const hlo_instruction *operand = x->operands[k];
        if (is_profitable(x, operand, chosen)) continue;
        chosen[x->id] = chosen[operand->id] = false;
        again = true;
      }
    }
  }
}

// Chooses the instructions that read scalars of chosen arrays, too.
static void add_readers(const hlo_computation *computation, bool *chosen) {
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    if (reads_scalars(x) && chosen[x->operands[0]->id]) chosen[x->id] = true;
  }
}

// --- their scalars ---

// The operand of the data movement x, and in *number the element of it, that element *number of x
// is.
static hlo_instruction *source_of(const hlo_instruction *x, int64_t *number) {
  int64_t index[HLO_MAX_RANK], from[HLO_MAX_RANK];
  int32_t count;
  hlo_instruction *operand = x->operands[0];
  const int64_t *ints = hlo_get_ints(
      x, x->opcode == HLO_OP_SLICE ? HLO_ATTRIBUTE_SLICE : HLO_ATTRIBUTE_DIMENSIONS, &count);
  if (x->opcode == HLO_OP_RESHAPE) return operand;
  hlo_multi_index(x->shape, *number, index);
  for (int32_t d = 0; d < x->shape->rank; d++) {
    if (x->opcode == HLO_OP_SLICE) from[d] = ints[3 * d] + index[d] * ints[3 * d + 2];
    else if (x->opcode == HLO_OP_TRANSPOSE) from[ints[d]] = index[d];
    else from[d] = index[d];
  }
  for (int32_t d = 0; x->opcode == HLO_OP_BROADCAST && d < count; d++) from[d] = index[ints[d]];
  for (int32_t k = 0; x->opcode == HLO_OP_CONCATENATE; k++) {
    operand = x->operands[k];
    if (from[ints[0]] < operand->shape->dims[ints[0]]) break;
    from[ints[0]] -= operand->shape->dims[ints[0]];
  }
  *number = hlo_linear_index(operand->shape, from);
  return operand;
}

static hlo_status reshape(const hlo_instruction *x, hlo_instruction *array, const hlo_shape *shape,
                          hlo_instruction **out, hlo_error *error) {
  *out = array;
  if (hlo_shape_same_dimensions(array->shape, shape)) return HLO_OK;
  return hlo_simplify_build(x, HLO_OP_RESHAPE, shape, 1, &array, 0, NULL, out, error);
}

hlo_status hlo_get_scalar(const hlo_instruction *x, hlo_instruction *array, int64_t number,
                          hlo_instruction **out, hlo_error *error) {
  for (;;) {
    bool moves = array->opcode == HLO_OP_RESHAPE || array->opcode == HLO_OP_CONCATENATE ||
                 (array->opcode == HLO_OP_BROADCAST && is_scalar(array->operands[0]));
    if (!moves || !is_plain(array->operands[0]->shape)) break;
    array = source_of(array, &number);
  }
  if (!is_scalar(array)) {
    int64_t slice[3 * HLO_MAX_RANK], index[HLO_MAX_RANK];
    hlo_multi_index(array->shape, number, index);
    for (int32_t d = 0; d < array->shape->rank; d++) {
      slice[3 * d] = index[d];
      slice[3 * d + 1] = index[d] + 1;
      slice[3 * d + 2] = 1;
    }
    HLO_TRY(hlo_simplify_build_with_ints(x, HLO_OP_SLICE, NULL, 1, &array, HLO_ATTRIBUTE_SLICE,
                                         3 * array->shape->rank, slice, &array, error));
  }
  return reshape(x, array, hlo_shape_scalar(array->shape->type), out, error);
}

static hlo_status build_scalar(const hlo_instruction *x, int64_t number, hlo_instruction **out,
                               hlo_error *error) {
  hlo_instruction **operands;
  if (!hlo_op_is_elementwise(x->opcode)) {
    hlo_instruction *from = source_of(x, &number);
    return hlo_get_scalar(x, from, number, out, error);
  }
  HLO_ALLOC(operands, arena_of(x), x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) {
    operands[k] = x->operands[k];
    if (operands[k]->shape->rank > 0)
      HLO_TRY(hlo_get_scalar(x, operands[k], number, &operands[k], error));
  }
  return hlo_simplify_build(x, x->opcode, hlo_shape_scalar(x->shape->type), x->operand_count,
                            operands, x->attribute_count, x->attributes, out, error);
}

static hlo_status reduce_scalars(const hlo_instruction *x, hlo_instruction **out,
                                 hlo_error *error) {
  hlo_instruction *array = x->operands[0], *operands[2] = {x->operands[1]};
  for (int64_t i = 0; i < hlo_shape_elements(array->shape); i++) {
    HLO_TRY(hlo_get_scalar(x, array, i, &operands[1], error));
    HLO_TRY(
        hlo_simplify_build(x, reduction_op(x), NULL, 2, operands, 0, NULL, &operands[0], error));
  }
  return reshape(x, operands[0], x->shape, out, error);
}

hlo_status hlo_build_array(const hlo_instruction *x, hlo_instruction *const *numbers,
                           const hlo_shape *shape, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *parts[HLO_MOST_SCALARS];
  const hlo_shape *one, *all;
  int64_t count = hlo_shape_elements(shape), along = 0;
  HLO_TRY(hlo_shape_make(arena_of(x), shape->type, 1, (const int64_t[]){1}, &one, error));
  HLO_TRY(hlo_shape_make(arena_of(x), shape->type, 1, &count, &all, error));
  for (int64_t i = 0; i < count; i++) HLO_TRY(reshape(x, numbers[i], one, &parts[i], error));
  HLO_TRY(hlo_simplify_build_with_ints(x, HLO_OP_CONCATENATE, all, (int32_t)count, parts,
                                       HLO_ATTRIBUTE_DIMENSIONS, 1, &along, out, error));
  return reshape(x, *out, shape, out, error);
}

// Builds x from its scalars, for the users that need the whole array.
static hlo_status replace_by_scalars(void *context, hlo_instruction *x,
                                     hlo_instruction **replacement, hlo_error *error) {
  hlo_instruction *numbers[HLO_MOST_SCALARS];
  if (!((const bool *)context)[x->id]) return HLO_OK;
  if (x->opcode == HLO_OP_REDUCE) return reduce_scalars(x, replacement, error);
  int64_t count = hlo_shape_elements(x->shape);
  for (int64_t i = 0; i < count; i++) HLO_TRY(build_scalar(x, i, &numbers[i], error));
  return count == 1 ? reshape(x, numbers[0], x->shape, replacement, error)
                    : hlo_build_array(x, numbers, x->shape, replacement, error);
}

hlo_status hlo_replace_by_scalars(hlo_computation *body, hlo_arena *scratch, hlo_error *error) {
  bool *chosen = hlo_arena_array(scratch, (size_t)body->instruction_count, sizeof *chosen);
  if (chosen == NULL) return hlo_fail_out_of_memory(error);
  if (choose_candidates(body, chosen) > MOST_ARRAYS) return HLO_OK;
  drop_unprofitable(body, chosen);
  add_readers(body, chosen);
  return hlo_computation_rewrite(body, replace_by_scalars, chosen, error);
}
