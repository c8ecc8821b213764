// Builders for the decompositions of small operations. See tiny_steps.h.
#include "passes/loops/tiny_steps.h"

static hlo_arena *arena_of(const hlo_instruction *x) { return &x->computation->module->arena; }

hlo_status hlo_tiny_broadcast(const hlo_instruction *x, hlo_instruction *array,
                              const hlo_shape *dims, const int64_t *places, hlo_instruction **out,
                              hlo_error *error) {
  const hlo_shape *shape;
  HLO_TRY(hlo_shape_make(arena_of(x), array->shape->type, dims->rank, dims->dims, &shape, error));
  return hlo_simplify_build_with_ints(x, HLO_OP_BROADCAST, shape, 1, &array,
                                      HLO_ATTRIBUTE_DIMENSIONS, array->shape->rank, places, out,
                                      error);
}

hlo_status hlo_tiny_binary(const hlo_instruction *x, hlo_opcode opcode, hlo_instruction *a,
                           hlo_instruction *b, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operands[2] = {a, b};
  return hlo_simplify_build(x, opcode, NULL, 2, operands, 0, NULL, out, error);
}

hlo_status hlo_tiny_select(const hlo_instruction *x, hlo_instruction *condition,
                           hlo_instruction *yes, hlo_instruction *no, hlo_instruction **out,
                           hlo_error *error) {
  hlo_instruction *operands[3] = {condition, yes, no};
  return hlo_simplify_build(x, HLO_OP_SELECT, NULL, 3, operands, 0, NULL, out, error);
}

hlo_status hlo_tiny_compare(const hlo_instruction *x, const char *direction, hlo_instruction *a,
                            hlo_instruction *b, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operands[2] = {a, b};
  hlo_attribute attribute = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, direction);
  return hlo_simplify_build(x, HLO_OP_COMPARE, NULL, 2, operands, 1, &attribute, out, error);
}

hlo_tiny_slice hlo_tiny_whole(const hlo_instruction *array) {
  hlo_tiny_slice all;
  for (int32_t d = 0; d < array->shape->rank; d++) {
    all.slice[3 * d] = 0;
    all.slice[3 * d + 1] = array->shape->dims[d];
    all.slice[3 * d + 2] = 1;
    all.places[d] = HLO_NOWHERE;
  }
  return all;
}

void hlo_tiny_slice_one(hlo_tiny_slice *p, int32_t dimension, int64_t at) {
  p->slice[3 * dimension] = at;
  p->slice[3 * dimension + 1] = at + 1;
}

hlo_status hlo_tiny_broadcast_slice(const hlo_instruction *x, hlo_instruction *array,
                                    const hlo_tiny_slice *p, const hlo_shape *dims,
                                    hlo_instruction **out, hlo_error *error) {
  int64_t places[HLO_MAX_RANK], sizes[HLO_MAX_RANK];
  int32_t rank = 0;
  const hlo_shape *shape;
  HLO_TRY(hlo_simplify_build_with_ints(x, HLO_OP_SLICE, NULL, 1, &array, HLO_ATTRIBUTE_SLICE,
                                       3 * array->shape->rank, p->slice, &array, error));
  for (int32_t d = 0; d < array->shape->rank; d++) {
    if (p->places[d] == HLO_NOWHERE) continue;
    sizes[rank] = array->shape->dims[d];
    places[rank++] = p->places[d];
  }
  HLO_TRY(hlo_shape_make(arena_of(x), array->shape->type, rank, sizes, &shape, error));
  HLO_TRY(hlo_simplify_build(x, HLO_OP_RESHAPE, shape, 1, &array, 0, NULL, &array, error));
  return hlo_tiny_broadcast(x, array, dims, places, out, error);
}
