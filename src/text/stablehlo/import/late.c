// Gathers with slice sizes and padding with amounts known only at run time: each element of the
// result is gathered from the operand. For dynamic_gather, dynamic_pad, dynamic_conv and
// real_dynamic_slice. See dynamic.h.
#include "text/stablehlo/import/dynamic.h"

// Slices are taken at the sizes or bounds that the type states, from an operand that is longer by
// as much, where the actual sizes would be taken; then the result gets those.
typedef struct runtime_gather {
  stablehlo_importer *im;
  const hlo_shape *shape; // the result's
  hlo_instruction *operand, *indices, *list;
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT + 1];
  int32_t count;
  int64_t sizes[HLO_MAX_RANK]; // as stated, by dimension of the operand
  int32_t place[HLO_MAX_RANK]; // the result's dimension; -1: it has none
} runtime_gather;

static bool lists(const runtime_gather *g, hlo_attribute_id id, int64_t d) {
  for (int32_t i = 0; i < g->count; i++)
    for (int32_t k = 0; g->attributes[i].id == id && k < g->attributes[i].count; k++)
      if (g->attributes[i].ints[k] == d) return true;
  return false;
}

static const hlo_attribute *find_attribute(const runtime_gather *g, hlo_attribute_id id) {
  for (int32_t i = 0; i < g->count; i++)
    if (g->attributes[i].id == id) return &g->attributes[i];
  return NULL;
}

// Only the running program knows the size of slices along dimension d of the operand.
static bool is_late(const runtime_gather *g, int32_t d) {
  return g->place[d] >= 0 && hlo_shape_is_dynamic_in(g->shape, g->place[d]);
}

static bool any_is_late(const runtime_gather *g) {
  bool late = hlo_shape_is_dynamic(g->operand->shape);
  for (int32_t d = 0; d < g->operand->shape->rank; d++) late = late || is_late(g, d);
  return late;
}

// 1 where the result has no dimension.
static hlo_status read_sizes(runtime_gather *g, hlo_error *error) {
  const hlo_attribute *offsets = find_attribute(g, HLO_ATTRIBUTE_OFFSET_DIMS);
  for (int32_t d = 0, next = 0; d < g->operand->shape->rank; d++) {
    bool is_gone = lists(g, HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS, d) ||
                   lists(g, HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS, d);
    bool is_there = !is_gone && offsets != NULL && next < offsets->count &&
                    offsets->ints[next] >= 0 && offsets->ints[next] < g->shape->rank;
    g->place[d] = is_there ? (int32_t)offsets->ints[next++] : -1; // verification finds the rest
    g->sizes[d] = is_there ? g->shape->dims[g->place[d]] : 1;
  }
  return hlo_attribute_make_ints(&g->im->module->arena, HLO_ATTRIBUTE_SLICE_SIZES,
                                 g->operand->shape->rank, g->sizes, &g->attributes[g->count++],
                                 error);
}

static hlo_status size_of_slices(runtime_gather *g, int32_t d, hlo_instruction **out,
                                 hlo_error *error) {
  if (is_late(g, d)) return hlo_import_list_integer(g->im, g->list, d, out, error);
  return hlo_import_integer(g->im, g->sizes[d], out, error);
}

// A size that is larger than the operand is an error.
static hlo_status check_size(runtime_gather *g, int32_t d, hlo_error *error) {
  hlo_instruction *scalars[3], *fits;
  HLO_TRY(size_of_slices(g, d, &scalars[0], error));
  HLO_TRY(hlo_import_size_now(g->im, g->operand, d, &scalars[1], error));
  HLO_TRY(hlo_import_integer(g->im, d, &scalars[2], error));
  HLO_TRY(hlo_import_compare(g->im, "LE", scalars[0], scalars[1], &fits, error));
  return hlo_import_assert_when_run(g->im,
                                    "slices of {0} elements do not fit: dimension {2} of the "
                                    "operand has {1} elements now",
                                    fits, 3, scalars, error);
}

// The last place for a slice along each dimension that indices are of, as one list.
static hlo_status last_starts(runtime_gather *g, const hlo_attribute *map, hlo_instruction **out,
                              hlo_error *error) {
  stablehlo_importer *im = g->im;
  hlo_arena *arena = &im->module->arena;
  hlo_instruction *starts[HLO_MAX_RANK], *size;
  int64_t one = 1, count = map->count, zero = 0;
  const hlo_shape *single, *list;
  hlo_attribute dimension;
  HLO_TRY(hlo_shape_make(arena, HLO_S64, 1, &one, &single, error));
  HLO_TRY(hlo_shape_make(arena, HLO_S64, 1, &count, &list, error));
  for (int32_t k = 0; k < count; k++) {
    HLO_TRY(size_of_slices(g, (int32_t)map->ints[k], &size, error));
    HLO_TRY(hlo_import_size_now(im, g->operand, map->ints[k], &starts[k], error));
    HLO_TRY(hlo_import_binary(im, HLO_OP_SUBTRACT, starts[k], size, &starts[k], error));
    HLO_TRY(hlo_import_emit(im, HLO_OP_RESHAPE, single, 1, &starts[k], 0, NULL, &starts[k], error));
  }
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &zero, &dimension, error));
  return hlo_import_emit(im, HLO_OP_CONCATENATE, list, map->count, starts, 1, &dimension, out,
                         error);
}

// Starts beyond the last place for a slice of the actual sizes become that; gather itself keeps
// them from being negative.
static hlo_status keep_starts_within(runtime_gather *g, hlo_error *error) {
  stablehlo_importer *im = g->im;
  const hlo_attribute *map = find_attribute(g, HLO_ATTRIBUTE_START_INDEX_MAP);
  const hlo_attribute *vector = find_attribute(g, HLO_ATTRIBUTE_INDEX_VECTOR_DIM);
  const hlo_shape *from = g->indices->shape, *to, *flat;
  hlo_instruction *last;
  bool fits = map != NULL && map->count > 0 && map->count <= HLO_MAX_RANK && vector != NULL;
  for (int32_t k = 0; fits && k < map->count; k++)
    fits = map->ints[k] >= 0 && map->ints[k] < g->operand->shape->rank;
  int64_t dimension = fits ? vector->integer : 0;
  fits = fits && dimension >= 0 && dimension <= from->rank &&
         (dimension == from->rank ? map->count == 1 : from->dims[dimension] == map->count);
  if (!fits) return HLO_OK; // verification tells
  HLO_TRY(last_starts(g, map, &last, error));
  HLO_TRY(hlo_import_shape_like(im, from, HLO_S64, &to, error));
  if (from->type != HLO_S64)
    HLO_TRY(hlo_import_emit(im, HLO_OP_CONVERT, to, 1, &g->indices, 0, NULL, &g->indices, error));
  HLO_TRY(hlo_shape_make(&im->module->arena, HLO_S64, from->rank, from->dims, &flat, error));
  bool is_implicit = dimension == from->rank;
  if (is_implicit) HLO_TRY(hlo_import_list_element(im, last, 0, &last, error));
  HLO_TRY(hlo_import_broadcast_to(im, last, flat, is_implicit ? 0 : 1, &dimension, &last, error));
  return hlo_import_binary(im, HLO_OP_MINIMUM, g->indices, last, &g->indices, error);
}

// Makes the operand as long as a slice at any start needs. Batches go by the sizes of the indices.
static hlo_status lengthen(runtime_gather *g, hlo_error *error) {
  enum { LOW, HIGH, INTERIOR, FIELDS };
  stablehlo_importer *im = g->im;
  hlo_arena *arena = &im->module->arena;
  int64_t padding[HLO_MAX_RANK * FIELDS] = {0}, dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK], is_longer = false;
  hlo_instruction *operands[2];
  hlo_attribute attribute;
  const hlo_shape *shape;
  for (int32_t d = 0; d < g->operand->shape->rank; d++) {
    if (!lists(g, HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS, d))
      HLO_TRY(hlo_import_whole(im, d, &g->operand, error));
    padding[d * FIELDS + HIGH] = is_late(g, d) ? g->sizes[d] : 0;
    is_longer = is_longer || padding[d * FIELDS + HIGH] > 0;
  }
  const hlo_shape *from = g->operand->shape;
  if (!is_longer) return HLO_OK;
  for (int32_t d = 0; d < from->rank; d++) {
    dims[d] = from->dims[d] + padding[d * FIELDS + HIGH];
    dynamic[d] = hlo_shape_is_dynamic_in(from, d);
  }
  HLO_TRY(hlo_shape_make_dynamic(arena, from->type, from->rank, dims, dynamic, &shape, error));
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_PADDING, from->rank * FIELDS, padding,
                                  &attribute, error));
  operands[0] = g->operand;
  HLO_TRY(hlo_import_number(im, hlo_shape_scalar(from->type), 0, &operands[1], error));
  return hlo_import_emit(im, HLO_OP_PAD, shape, 2, operands, 1, &attribute, &g->operand, error);
}

static hlo_status set_sizes(runtime_gather *g, hlo_instruction **x, hlo_error *error) {
  for (int32_t d = 0; d < g->operand->shape->rank; d++) {
    hlo_instruction *size;
    if (!is_late(g, d)) continue;
    HLO_TRY(size_of_slices(g, d, &size, error));
    HLO_TRY(hlo_import_set_size(g->im, g->place[d], size, g->shape, x, error));
  }
  return HLO_OK;
}

// The result's shape before its sizes are set.
static hlo_status shape_at_bounds(const runtime_gather *g, const hlo_shape **out,
                                  hlo_error *error) {
  bool dynamic[HLO_MAX_RANK];
  const hlo_shape *shape = g->shape;
  for (int32_t d = 0; d < shape->rank; d++) dynamic[d] = hlo_shape_is_dynamic_in(shape, d);
  for (int32_t d = 0; d < g->operand->shape->rank; d++)
    if (g->place[d] >= 0) dynamic[g->place[d]] = false;
  return hlo_shape_make_dynamic(&g->im->module->arena, shape->type, shape->rank, shape->dims,
                                dynamic, out, error);
}

hlo_status hlo_import_gather_late(stablehlo_importer *im, const mlir_operation *op,
                                  const hlo_shape *shape, hlo_error *error) {
  runtime_gather g = {.im = im, .shape = shape};
  hlo_instruction **given, *result;
  const hlo_shape *full;
  HLO_TRY(hlo_import_operands(im, op, &given, error));
  g.operand = given[0];
  g.indices = given[1];
  g.list = given[2];
  bool fits = hlo_shape_is_array(shape) && hlo_shape_is_array(g.operand->shape) &&
              hlo_shape_is_array(g.indices->shape) && hlo_type_is_integer(g.indices->shape->type) &&
              g.list->shape->rank == 1 && g.list->shape->dims[0] == g.operand->shape->rank;
  if (!fits)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "takes an array, indices and a list with a size for each of the "
                           "array's dimensions");
  HLO_TRY(hlo_import_attributes(im, HLO_OP_GATHER, op, g.attributes, &g.count, error));
  HLO_TRY(read_sizes(&g, error));
  if (any_is_late(&g)) {
    for (int32_t d = 0; d < g.operand->shape->rank; d++)
      if (is_late(&g, d)) HLO_TRY(check_size(&g, d, error));
    HLO_TRY(keep_starts_within(&g, error));
    HLO_TRY(lengthen(&g, error));
  }
  hlo_import_name_next(im, op);
  hlo_instruction *operands[] = {g.operand, g.indices};
  HLO_TRY(shape_at_bounds(&g, &full, error));
  HLO_TRY(
      hlo_import_emit(im, HLO_OP_GATHER, full, 2, operands, g.count, g.attributes, &result, error));
  HLO_TRY(set_sizes(&g, &result, error));
  return hlo_import_set_results(im, op, result, error);
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

// One dimension at a time: index i of the result is element (i * stride - low) / (interior + 1) of
// the operand, where that is one.
typedef struct runtime_padding {
  stablehlo_importer *im;
  const hlo_shape *result;
  hlo_instruction *inside; // pred of the result's dimensions; NULL: true
} runtime_padding;

// Element `index` of a list of integers, as s64, for each index of the result.
static hlo_status repeat(stablehlo_importer *im, hlo_instruction *list, int64_t index,
                         const hlo_shape *shape, hlo_instruction **out, hlo_error *error) {
  HLO_TRY(hlo_import_list_integer(im, list, index, out, error));
  return hlo_import_broadcast_to(im, *out, shape, 0, NULL, out, error);
}

// inside = inside && is_inside, which is of dimension d alone.
static hlo_status restrict_to(runtime_padding *p, int64_t d, hlo_instruction *is_inside,
                              hlo_error *error) {
  const hlo_shape *shape;
  HLO_TRY(hlo_import_shape_like(p->im, p->result, HLO_PRED, &shape, error));
  HLO_TRY(hlo_import_broadcast_to(p->im, is_inside, shape, 1, &d, &is_inside, error));
  if (p->inside == NULL) p->inside = is_inside;
  else HLO_TRY(hlo_import_binary(p->im, HLO_OP_AND, p->inside, is_inside, &p->inside, error));
  return HLO_OK;
}

// *place: which of the `size` elements along the dimension each index of the result is, or is not.
static hlo_status build_source_indices(runtime_padding *p, int64_t d, hlo_instruction *size,
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
static hlo_status gather_along(runtime_padding *p, int64_t d, hlo_instruction *place,
                               hlo_instruction **x, hlo_error *error) {
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
  runtime_padding p = {.im = im};
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
    HLO_TRY(build_source_indices(&p, d, size[d], lists, &place, error));
    HLO_TRY(gather_along(&p, d, place, &x, error));
  }
  *out = is_empty ? padding : x;
  if (p.inside == NULL) return HLO_OK;
  hlo_instruction *operands[] = {p.inside, x, padding};
  return hlo_import_emit(im, HLO_OP_SELECT, result, 3, operands, 0, NULL, out, error);
}
