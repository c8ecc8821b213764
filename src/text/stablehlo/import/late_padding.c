// Padding whose amounts only the running program knows, to a shape that is known: every element of
// the result is looked for in the operand. For dynamic_pad, dynamic_conv and real_dynamic_slice.
// And sizes that the running program computes. See dynamic.h.
#include "text/stablehlo/import/dynamic.h"

// --- sizes ---

hlo_status hlo_import_binary(stablehlo_importer *im, hlo_opcode opcode, hlo_instruction *a,
                             hlo_instruction *b, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operands[] = {a, b};
  return hlo_import_emit(im, opcode, a->shape, 2, operands, 0, NULL, out, error);
}

hlo_status hlo_import_integer(stablehlo_importer *im, int64_t value, hlo_instruction **out,
                              hlo_error *error) {
  return hlo_import_number(im, hlo_shape_scalar(HLO_S64), (double)value, out, error);
}

static hlo_status convert_scalar(stablehlo_importer *im, hlo_type type, hlo_instruction **x,
                                 hlo_error *error) {
  if ((*x)->shape->type == type) return HLO_OK;
  return hlo_import_emit(im, HLO_OP_CONVERT, hlo_shape_scalar(type), 1, x, 0, NULL, x, error);
}

hlo_status hlo_import_list_integer(stablehlo_importer *im, hlo_instruction *list, int64_t index,
                                   hlo_instruction **out, hlo_error *error) {
  HLO_TRY(hlo_import_list_element(im, list, index, out, error));
  return convert_scalar(im, HLO_S64, out, error);
}

hlo_status hlo_import_size_now(stablehlo_importer *im, hlo_instruction *x, int64_t d,
                               hlo_instruction **out, hlo_error *error) {
  hlo_attribute dimension;
  if (!hlo_shape_is_dynamic_in(x->shape, (int32_t)d))
    return hlo_import_integer(im, x->shape->dims[d], out, error);
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &d, &dimension,
                                  error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_GET_DIMENSION_SIZE, hlo_shape_scalar(HLO_S32), 1, &x, 1,
                          &dimension, out, error));
  return convert_scalar(im, HLO_S64, out, error);
}

hlo_status hlo_import_set_size(stablehlo_importer *im, int64_t d, hlo_instruction *size,
                               const hlo_shape *shape, hlo_instruction **x, hlo_error *error) {
  hlo_attribute dimension;
  HLO_TRY(convert_scalar(im, HLO_S32, &size, error));
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &d, &dimension,
                                  error));
  hlo_instruction *operands[] = {*x, size};
  return hlo_import_emit(im, HLO_OP_SET_DIMENSION_SIZE, shape, 2, operands, 1, &dimension, x,
                         error);
}

hlo_status hlo_import_whole(stablehlo_importer *im, int64_t d, hlo_instruction **x,
                            hlo_error *error) {
  bool dynamic[HLO_MAX_RANK];
  hlo_instruction *bound;
  const hlo_shape *from = (*x)->shape, *to;
  if (!hlo_shape_is_dynamic_in(from, (int32_t)d)) return HLO_OK;
  for (int32_t i = 0; i < from->rank; i++) dynamic[i] = i != d && from->dynamic[i];
  HLO_TRY(hlo_shape_make_dynamic(&im->module->arena, from->type, from->rank, from->dims, dynamic,
                                 &to, error));
  HLO_TRY(hlo_import_integer(im, from->dims[d], &bound, error));
  return hlo_import_set_size(im, d, bound, to, x, error);
}

// --- padding ---

// One dimension at a time: index i of the result is element (i * stride - low) / (interior + 1) of
// the operand, where that is one.
typedef struct late_padding {
  stablehlo_importer *im;
  const hlo_shape *result;
  hlo_instruction *inside; // pred of the result's dimensions; NULL: true
} late_padding;

// Element `index` of a list of integers, as s64, for each index of the result.
static hlo_status repeat(stablehlo_importer *im, hlo_instruction *list, int64_t index,
                         const hlo_shape *shape, hlo_instruction **out, hlo_error *error) {
  HLO_TRY(hlo_import_list_integer(im, list, index, out, error));
  return hlo_import_broadcast_to(im, *out, shape, 0, NULL, out, error);
}

// inside = inside && is_inside, which is of dimension d alone.
static hlo_status restrict_to(late_padding *p, int64_t d, hlo_instruction *is_inside,
                              hlo_error *error) {
  const hlo_shape *shape;
  HLO_TRY(hlo_import_shape_like(p->im, p->result, HLO_PRED, &shape, error));
  HLO_TRY(hlo_import_broadcast_to(p->im, is_inside, shape, 1, &d, &is_inside, error));
  if (p->inside == NULL) p->inside = is_inside;
  else HLO_TRY(hlo_import_binary(p->im, HLO_OP_AND, p->inside, is_inside, &p->inside, error));
  return HLO_OK;
}

// *place: which of the `size` elements along the dimension each index of the result is, or is not.
static hlo_status find_places(late_padding *p, int64_t d, hlo_instruction *size,
                              const hlo_padding_lists *lists, hlo_instruction **place,
                              hlo_error *error) {
  stablehlo_importer *im = p->im;
  hlo_instruction *low, *step, *number, *zero, *rest, *test;
  int64_t entry = lists->entries == NULL ? d : lists->entries[d];
  const hlo_shape *indices;
  hlo_attribute dimension = hlo_attribute_make_int(HLO_ATTRIBUTE_IOTA_DIMENSION, 0);
  HLO_TRY(hlo_shape_make(&im->module->arena, HLO_S64, 1, &p->result->dims[d], &indices, error));
  HLO_TRY(hlo_import_number(im, indices, 0, &zero, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_IOTA, indices, 0, NULL, 1, &dimension, &number, error));
  if (lists->stride != NULL) {
    HLO_TRY(repeat(im, lists->stride, entry, indices, &step, error));
    HLO_TRY(hlo_import_binary(im, HLO_OP_MULTIPLY, number, step, &number, error));
  }
  HLO_TRY(repeat(im, lists->low, entry, indices, &low, error));
  HLO_TRY(hlo_import_binary(im, HLO_OP_SUBTRACT, number, low, place, error));
  HLO_TRY(hlo_import_compare(im, "GE", *place, zero, &test, error));
  HLO_TRY(restrict_to(p, d, test, error));
  if (lists->interior != NULL) {
    HLO_TRY(hlo_import_number(im, indices, 1, &number, error));
    HLO_TRY(repeat(im, lists->interior, entry, indices, &step, error));
    HLO_TRY(hlo_import_binary(im, HLO_OP_ADD, step, number, &step, error));
    HLO_TRY(hlo_import_binary(im, HLO_OP_REMAINDER, *place, step, &rest, error));
    HLO_TRY(hlo_import_compare(im, "EQ", rest, zero, &test, error));
    HLO_TRY(restrict_to(p, d, test, error));
    HLO_TRY(hlo_import_binary(im, HLO_OP_DIVIDE, *place, step, place, error));
  }
  HLO_TRY(hlo_import_broadcast_to(im, size, indices, 0, NULL, &number, error));
  HLO_TRY(hlo_import_compare(im, "LT", *place, number, &test, error));
  return restrict_to(p, d, test, error);
}

// The operand's elements at those places along dimension d; gather keeps within its bounds.
static hlo_status take(late_padding *p, int64_t d, hlo_instruction *place, hlo_instruction **x,
                       hlo_error *error) {
  hlo_arena *arena = &p->im->module->arena;
  const hlo_shape *from = (*x)->shape, *to;
  int64_t dims[HLO_MAX_RANK], sizes[HLO_MAX_RANK], others[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK];
  int32_t count = 0;
  for (int32_t i = 0; i < from->rank; i++) {
    dynamic[i] = i != d && hlo_shape_is_dynamic_in(from, i);
    dims[i] = i == d ? p->result->dims[i] : from->dims[i];
    sizes[i] = i == d ? 1 : from->dims[i];
    if (i != d) others[count++] = i;
  }
  hlo_attribute attributes[5];
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_OFFSET_DIMS, count, others, &attributes[0],
                                  error));
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS, 1, &d, &attributes[1],
                                  error));
  HLO_TRY(
      hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_START_INDEX_MAP, 1, &d, &attributes[2], error));
  attributes[3] = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX_VECTOR_DIM, 1);
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_SLICE_SIZES, from->rank, sizes,
                                  &attributes[4], error));
  HLO_TRY(hlo_shape_make_dynamic(arena, from->type, from->rank, dims, dynamic, &to, error));
  hlo_instruction *operands[] = {*x, place};
  return hlo_import_emit(p->im, HLO_OP_GATHER, to, 2, operands, 5, attributes, x, error);
}

hlo_status hlo_import_pad_late(stablehlo_importer *im, hlo_instruction *x, hlo_instruction *value,
                               const hlo_padding_lists *lists, const hlo_shape *result,
                               hlo_instruction **out, hlo_error *error) {
  late_padding p = {.im = im};
  hlo_instruction *padding, *place, *size[HLO_MAX_RANK];
  bool is_empty = hlo_shape_elements(x->shape) == 0;
  HLO_TRY(hlo_shape_make(&im->module->arena, result->type, result->rank, result->dims, &p.result,
                         error));
  HLO_TRY(hlo_import_broadcast_to(im, value, p.result, 0, NULL, &padding, error));
  for (int32_t d = 0; d < result->rank && !is_empty; d++)
    HLO_TRY(hlo_import_size_now(im, x, d, &size[d], error));
  for (int32_t d = 0; d < result->rank && !is_empty; d++) {
    if (lists->entries != NULL && lists->entries[d] < 0) continue;
    HLO_TRY(hlo_import_whole(im, d, &x, error));
    HLO_TRY(find_places(&p, d, size[d], lists, &place, error));
    HLO_TRY(take(&p, d, place, &x, error));
  }
  *out = is_empty ? padding : x;
  if (p.inside == NULL) return HLO_OK;
  hlo_instruction *operands[] = {p.inside, x, padding};
  return hlo_import_emit(im, HLO_OP_SELECT, result, 3, operands, 0, NULL, out, error);
}
