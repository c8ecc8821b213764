// Cumulative sums, products and extremes of a few elements: each result combines its prefix or
// suffix in evaluation order. See tiny_steps.h.
#include "passes/loops/tiny_steps.h"

#include "hlo/attributes/window.h"
#include "kernels/machine.h"

typedef struct cumulation {
  int32_t dimension;
  bool backwards;
  hlo_opcode opcode;
} cumulation;

// Whether each window is a prefix, or a suffix, along one dimension.
static bool match_cumulation(const hlo_instruction *x, cumulation *out) {
  const hlo_shape *shape = x->operands[0]->shape;
  const int64_t *window;
  int32_t found = 0;
  if (shape->rank == 0 || hlo_window_read(x, shape->rank, &window, NULL) != HLO_OK) return false;
  for (int32_t d = 0; d < shape->rank; d++, window += HLO_WINDOW_FIELDS) {
    int64_t size = window[HLO_WINDOW_SIZE], low = window[HLO_WINDOW_PAD_LOW],
            high = window[HLO_WINDOW_PAD_HIGH];
    if (window[HLO_WINDOW_STRIDE] != 1 || window[HLO_WINDOW_LHS_DILATION] != 1 ||
        window[HLO_WINDOW_RHS_DILATION] != 1 || low + high != size - 1)
      return false;
    if (size == 1) continue;
    if (size != shape->dims[d] || size > HLO_TINY_CUMULATIVE || (low != 0 && high != 0))
      return false;
    out->dimension = d;
    out->backwards = low == 0;
    found++;
  }
  return found == 1;
}

static bool is_tiny_cumulation(const hlo_instruction *x, cumulation *out) {
  static const bool known[HLO_OP_COUNT] = {[HLO_OP_ADD] = true,
                                           [HLO_OP_MULTIPLY] = true,
                                           [HLO_OP_MAXIMUM] = true,
                                           [HLO_OP_MINIMUM] = true};
  bool swapped;
  if (x->operand_count != 2 || !hlo_shape_is_array(x->shape) ||
      !hlo_layout_is_default(x->shape->layout) ||
      hlo_type_get_class(x->shape->type) == HLO_CLASS_COMPLEX)
    return false;
  int64_t elements = hlo_shape_elements(x->shape);
  const hlo_computation *reducer = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  out->opcode = hlo_simplify_applied_op(reducer, &swapped);
  return out->opcode != HLO_OP_COUNT && known[out->opcode] && elements > 0 &&
         elements <= HLO_TINY_PAIRS && match_cumulation(x, out);
}

// All elements there are along the dimension, as one of them.
static hlo_status spread_element(const hlo_instruction *x, const cumulation *c,
                                 hlo_instruction *array, int64_t at, hlo_instruction **out,
                                 hlo_error *error) {
  hlo_tiny_slice part = hlo_tiny_whole(array);
  for (int32_t d = 0; d < x->shape->rank; d++) part.places[d] = d;
  part.places[c->dimension] = HLO_NOWHERE;
  hlo_tiny_slice_one(&part, c->dimension, at);
  return hlo_tiny_broadcast_slice(x, array, &part, x->shape, out, error);
}

hlo_status hlo_tiny_cumulative(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  cumulation c;
  hlo_instruction *array = x->operands[0], *all, *element, *along, *place, *takes, *sum;
  if (!is_tiny_cumulation(x, &c)) return HLO_OK;
  int64_t size = x->shape->dims[c.dimension];
  HLO_TRY(hlo_simplify_broadcast(x->operands[1], x->shape, &all, error));
  HLO_TRY(hlo_tiny_binary(x, c.opcode, array, all, &all, error));
  hlo_instruction *first = all;
  if (!c.backwards) HLO_TRY(spread_element(x, &c, first, 0, &all, error));
  HLO_TRY(hlo_simplify_build_iota(x, HLO_S32, x->shape, c.dimension, &along, error));
  for (int64_t i = 1; i < size; i++) {
    HLO_TRY(spread_element(x, &c, array, i, &element, error));
    HLO_TRY(hlo_simplify_integer(along, i, &place, error));
    HLO_TRY(hlo_tiny_compare(x, c.backwards ? "LT" : "GE", along, place, &takes, error));
    HLO_TRY(hlo_tiny_binary(x, c.opcode, all, element, &sum, error));
    HLO_TRY(hlo_tiny_select(x, takes, sum, all, &all, error));
  }
  *out = all;
  return HLO_OK;
}
