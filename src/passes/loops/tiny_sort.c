// Sorts of a few elements by rank: how many elements come before each, summed over all pairs, and
// which element has which rank. See tiny_steps.h.
#include "passes/loops/tiny_steps.h"

#include "kernels/machine.h"
#include "kernels/order/sort.h"
#include "passes/lower/expand.h"

static hlo_arena *arena_of(const hlo_instruction *x) { return &x->computation->module->arena; }

static bool is_default(const hlo_shape *shape) { return hlo_layout_is_default(shape->layout); }

// Whether the comparator is a total order, NaN included.
static bool is_order(const hlo_computation *comparator) {
  hlo_sort_key keys[HLO_SORT_MAX_KEYS];
  hlo_arena scratch = {0};
  int32_t count = hlo_sort_keys_match(comparator, &scratch, keys);
  hlo_arena_free(&scratch);
  for (int32_t k = 0; k < count; k++) {
    bool is_float = hlo_type_get_class(keys[k].value->shape->type) == HLO_CLASS_FLOAT;
    if (is_float && !keys[k].total) return false;
  }
  return count > 0;
}

static bool is_tiny_sort(const hlo_instruction *x, int64_t *dimension) {
  int32_t count;
  const int64_t *dims = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  const hlo_shape *first = x->operands[0]->shape;
  *dimension = count == 1 ? dims[0] : first->rank - 1;
  if (first->rank == 0 || first->rank == HLO_MAX_RANK) return false;
  int64_t elements = hlo_shape_elements(first);
  if (elements == 0 || elements > HLO_TINY_PAIRS / first->dims[*dimension]) return false;
  for (int32_t k = 0; k < x->operand_count; k++) {
    hlo_type type = x->operands[k]->shape->type;
    hlo_type_class class = hlo_type_get_class(type);
    bool is_number =
        class == HLO_CLASS_FLOAT || class == HLO_CLASS_SIGNED || class == HLO_CLASS_UNSIGNED;
    if (!is_number || hlo_type_bits(type) < 16 || !is_default(hlo_shape_leaf(x->shape, k)))
      return false;
  }
  const hlo_computation *comparator = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  return hlo_is_expressible(comparator) && is_order(comparator);
}

// All pairs of elements: one more dimension than the operands, before the sorted one.
typedef struct pairs {
  int32_t dimension; // of the first of a pair; the second is along the next one
  const hlo_shape *dims;
  int64_t firsts[HLO_MAX_RANK], seconds[HLO_MAX_RANK]; // the operands' dimensions
} pairs;

static hlo_status build_pairs(const hlo_instruction *x, int64_t dimension, pairs *out,
                              hlo_error *error) {
  const hlo_shape *shape = x->operands[0]->shape;
  int64_t sizes[HLO_MAX_RANK];
  out->dimension = (int32_t)dimension;
  for (int32_t d = 0; d < shape->rank; d++) {
    out->firsts[d] = d <= dimension ? d : d + 1;
    out->seconds[d] = d < dimension ? d : d + 1;
    sizes[out->firsts[d]] = shape->dims[d];
  }
  sizes[dimension + 1] = shape->dims[dimension];
  return hlo_shape_make(arena_of(x), shape->type, shape->rank + 1, sizes, &out->dims, error);
}

// Whether the first of a pair is less than the second, or with `swapped` the other way round.
static hlo_status compare_pairs(const hlo_instruction *x, const pairs *p, bool swapped,
                                hlo_instruction **out, hlo_error *error) {
  const hlo_computation *comparator = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  hlo_instruction **made, **arguments;
  HLO_ALLOC(made, arena_of(x), comparator->instruction_count, error);
  HLO_ALLOC(arguments, arena_of(x), 2 * (int64_t)x->operand_count, error);
  for (int32_t k = 0; k < 2 * x->operand_count; k++) {
    const int64_t *places = (k % 2 == 0) != swapped ? p->firsts : p->seconds;
    HLO_TRY(hlo_tiny_broadcast(x, x->operands[k / 2], p->dims, places, &arguments[k], error));
  }
  HLO_TRY(hlo_expand(x, p->dims, comparator, arguments, made, error));
  *out = made[comparator->root->id];
  return HLO_OK;
}

static hlo_status sum_firsts(const hlo_instruction *x, const pairs *p, hlo_instruction *array,
                             hlo_instruction **out, hlo_error *error) {
  const hlo_shape *shape;
  int64_t dimension = p->dimension;
  HLO_TRY(hlo_shape_with_type(arena_of(x), x->operands[0]->shape, array->shape->type, false, &shape,
                              error));
  return hlo_simplify_sum(x, array, shape, 1, &dimension, out, error);
}

// The rank of each element: the number of lesser ones plus the equal ones before it (a stable
// sort).
static hlo_status build_ranks(const hlo_instruction *x, const pairs *p, hlo_instruction **out,
                              hlo_error *error) {
  hlo_instruction *less, *greater, *first, *second, *earlier, *before;
  const hlo_shape *shape;
  HLO_TRY(compare_pairs(x, p, false, &less, error));
  HLO_TRY(compare_pairs(x, p, true, &greater, error));
  HLO_TRY(hlo_simplify_build_iota(x, HLO_S32, p->dims, p->dimension, &first, error));
  HLO_TRY(hlo_simplify_build_iota(x, HLO_S32, p->dims, p->dimension + 1, &second, error));
  HLO_TRY(hlo_tiny_compare(x, "LT", first, second, &earlier, error));
  HLO_TRY(hlo_simplify_build(x, HLO_OP_NOT, NULL, 1, &greater, 0, NULL, &before, error));
  HLO_TRY(hlo_tiny_binary(x, HLO_OP_AND, before, earlier, &before, error));
  HLO_TRY(hlo_tiny_binary(x, HLO_OP_OR, less, before, &before, error));
  HLO_TRY(hlo_shape_with_type(arena_of(x), before->shape, HLO_S32, true, &shape, error));
  HLO_TRY(hlo_simplify_build(x, HLO_OP_CONVERT, shape, 1, &before, 0, NULL, &before, error));
  return sum_firsts(x, p, before, out, error);
}

static hlo_type bits_of(hlo_type type) {
  int64_t bits = hlo_type_bits(type);
  return bits == 16 ? HLO_U16 : bits == 32 ? HLO_U32 : HLO_U64;
}

static hlo_status as_bits(const hlo_instruction *x, hlo_instruction *array, hlo_type type,
                          hlo_instruction **out, hlo_error *error) {
  const hlo_shape *shape;
  *out = array;
  if (array->shape->type == type) return HLO_OK;
  HLO_TRY(hlo_shape_with_type(arena_of(x), array->shape, type, true, &shape, error));
  return hlo_simplify_build(x, HLO_OP_BITCAST_CONVERT, shape, 1, &array, 0, NULL, out, error);
}

// Each position gets the one element of that rank: a sum of its bits and zeros.
static hlo_status permute_by_rank(const hlo_instruction *x, const pairs *p, hlo_instruction *ranks,
                                  hlo_instruction *array, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *place, *is_place, *bits, *zero;
  hlo_type type = array->shape->type;
  HLO_TRY(hlo_tiny_broadcast(x, ranks, p->dims, p->firsts, &ranks, error));
  HLO_TRY(hlo_simplify_build_iota(x, HLO_S32, p->dims, p->dimension + 1, &place, error));
  HLO_TRY(hlo_tiny_compare(x, "EQ", ranks, place, &is_place, error));
  HLO_TRY(as_bits(x, array, bits_of(type), &bits, error));
  HLO_TRY(hlo_tiny_broadcast(x, bits, p->dims, p->firsts, &bits, error));
  HLO_TRY(hlo_simplify_integer(bits, 0, &zero, error));
  HLO_TRY(hlo_tiny_select(x, is_place, bits, zero, &bits, error));
  HLO_TRY(sum_firsts(x, p, bits, &bits, error));
  return as_bits(x, bits, type, out, error);
}

hlo_status hlo_tiny_sort(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  pairs p;
  int64_t dimension;
  hlo_instruction *ranks, **sorted;
  if (!is_tiny_sort(x, &dimension)) return HLO_OK;
  HLO_ALLOC(sorted, arena_of(x), x->operand_count, error);
  HLO_TRY(build_pairs(x, dimension, &p, error));
  HLO_TRY(build_ranks(x, &p, &ranks, error));
  for (int32_t k = 0; k < x->operand_count; k++)
    HLO_TRY(permute_by_rank(x, &p, ranks, x->operands[k], &sorted[k], error));
  if (hlo_shape_is_array(x->shape)) return hlo_simplify_use(x, sorted[0], out, error);
  return hlo_simplify_build(x, HLO_OP_TUPLE, x->shape, x->operand_count, sorted, 0, NULL, out,
                            error);
}
