// Gathers and scatters of one slice become dynamic slices, which need no walk over index vectors,
// gathers of few constant places slices.
// See simplify.h.
#include "passes/simplify/simplify.h"

#include "hlo/builder.h"
#include "hlo/rewrite.h"
#include "kernels/machine.h"

// The components of a single index vector.
typedef struct index_vector {
  hlo_instruction *numbers; // as an array of any shape
  int32_t count;
  const int64_t *dimensions; // of the operand that they move along
} index_vector;

static hlo_arena *arena_of(const hlo_instruction *x) { return &x->computation->module->arena; }

static bool is_default(const hlo_shape *shape) { return hlo_layout_is_default(shape->layout); }

static bool match_single_vector(hlo_instruction *x, hlo_instruction *numbers, hlo_attribute_id map,
                                hlo_attribute_id batching, index_vector *out) {
  int32_t count;
  hlo_get_ints(x, batching, &count);
  if (count > 0) return false;
  out->numbers = numbers;
  out->dimensions = hlo_get_ints(x, map, &out->count);
  return out->count > 0 && hlo_shape_elements(numbers->shape) == out->count;
}

static hlo_status build_reshape(const hlo_instruction *x, const hlo_shape *shape,
                                hlo_instruction *operand, hlo_instruction **out, hlo_error *error) {
  *out = operand;
  if (hlo_shape_same_dimensions(shape, operand->shape)) return HLO_OK;
  return hlo_simplify_build(x, HLO_OP_RESHAPE, shape, 1, &operand, 0, NULL, out, error);
}

// Component `place` of the vector, a scalar.
static hlo_status build_component(const hlo_instruction *x, const index_vector *vector,
                                  int64_t place, hlo_instruction **out, hlo_error *error) {
  const hlo_shape *shape;
  hlo_type type = vector->numbers->shape->type;
  hlo_instruction *numbers = vector->numbers;
  int64_t count = vector->count, one = 1, slice[3] = {place, place + 1, 1};
  HLO_TRY(hlo_shape_make(arena_of(x), type, 1, &count, &shape, error));
  if (count > 1) {
    HLO_TRY(build_reshape(x, shape, numbers, &numbers, error));
    HLO_TRY(hlo_shape_make(arena_of(x), type, 1, &one, &shape, error));
    HLO_TRY(hlo_simplify_build_with_ints(x, HLO_OP_SLICE, shape, 1, &numbers, HLO_ATTRIBUTE_SLICE,
                                         3, slice, &numbers, error));
  }
  return build_reshape(x, hlo_shape_scalar(type), numbers, out, error);
}

// Where the slice starts along each of the operand's dimensions.
static hlo_status build_starts(const hlo_instruction *x, const index_vector *vector, int32_t rank,
                               hlo_instruction **starts, hlo_error *error) {
  for (int32_t d = 0; d < rank; d++) starts[d] = NULL;
  for (int32_t j = 0; j < vector->count; j++)
    HLO_TRY(build_component(x, vector, j, &starts[vector->dimensions[j]], error));
  const hlo_instruction *first = starts[vector->dimensions[0]];
  for (int32_t d = 0; d < rank; d++)
    if (starts[d] == NULL) HLO_TRY(hlo_simplify_integer(first, 0, &starts[d], error));
  return HLO_OK;
}

static hlo_status build_dynamic_slice(const hlo_instruction *x, hlo_instruction *operand,
                                      const hlo_shape *window, hlo_instruction *const *starts,
                                      hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operands[1 + HLO_MAX_RANK] = {operand};
  for (int32_t d = 0; d < window->rank; d++) operands[1 + d] = starts[d];
  return hlo_simplify_build_with_ints(x, HLO_OP_DYNAMIC_SLICE, window, 1 + window->rank, operands,
                                      HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES, window->rank, window->dims,
                                      out, error);
}

// Index vectors of one component made by a reshape: the reshape is dropped.
static hlo_status drop_reshape(const hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *indices = x->operands[1], *operands[2] = {x->operands[0]};
  const hlo_shape *shape = indices->shape;
  int32_t last = shape->rank - 1;
  if (indices->opcode != HLO_OP_RESHAPE || last < 1 || shape->dims[last] != 1 ||
      hlo_get_int(x, HLO_ATTRIBUTE_INDEX_VECTOR_DIM, 0) != last)
    return HLO_OK;
  operands[1] = indices->operands[0];
  bool same = operands[1]->shape->rank == last && is_default(operands[1]->shape);
  for (int32_t d = 0; d < last && same; d++) same = operands[1]->shape->dims[d] == shape->dims[d];
  if (!same || !is_default(shape)) return HLO_OK;
  // index_vector_dim is now the rank: each element is a vector.
  return hlo_instruction_copy(x->computation, x, operands, out, error);
}

// The components of the vector, if they are constants.
static bool match_constants(const index_vector *vector, int64_t *out) {
  const hlo_instruction *x = vector->numbers;
  const hlo_literal *literal = x->literal;
  hlo_number number;
  int64_t size = hlo_type_bytes(x->shape->type);
  bool is_splat = hlo_simplify_splat_value(x, &number);
  if (!is_splat && (literal == NULL || literal->data == NULL || !is_default(x->shape)))
    return false;
  for (int32_t j = 0; j < vector->count; j++) {
    if (!is_splat) number = hlo_element_get(x->shape->type, (const char *)literal->data + j * size);
    if (number.type_class == HLO_CLASS_SIGNED) out[j] = number.i;
    else out[j] = number.u > INT64_MAX ? INT64_MAX : (int64_t)number.u;
  }
  return true;
}

// Slices of one element along a dimension, at constant places, that stay in order along it: those
// that follow each other are one slice of several. Few slices are concatenated.
static hlo_status concatenate_slices(const hlo_instruction *x, hlo_instruction **out,
                                     hlo_error *error) {
  hlo_instruction *operand = x->operands[0], *indices = x->operands[1];
  hlo_instruction *runs[HLO_FUSE_MOST_CONCATENATED];
  int32_t count, collapsed_count, offset_count, rank = operand->shape->rank, run_count = 0;
  const int64_t *along = hlo_get_ints(x, HLO_ATTRIBUTE_START_INDEX_MAP, &count);
  const int64_t *collapsed = hlo_get_ints(x, HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS, &collapsed_count);
  const int64_t *offsets = hlo_get_ints(x, HLO_ATTRIBUTE_OFFSET_DIMS, &offset_count);
  int64_t places = hlo_shape_elements(indices->shape), *numbers, slice[3 * HLO_MAX_RANK];
  int32_t batching;
  hlo_get_ints(x, HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS, &batching);
  if (batching > 0 || count != 1 || collapsed_count != 1 || collapsed[0] != along[0] ||
      x->shape->rank != rank || indices->literal == NULL)
    return HLO_OK;
  for (int32_t i = 0; i < offset_count; i++)
    if (offsets[i] != i + (i >= along[0])) return HLO_OK;
  HLO_ALLOC(numbers, arena_of(x), places, error);
  if (!match_constants(&(index_vector){.numbers = indices, .count = (int32_t)places}, numbers))
    return HLO_OK;
  const int64_t *sizes = hlo_get_ints(x, HLO_ATTRIBUTE_SLICE_SIZES, &count);
  for (int32_t d = 0; d < rank; d++)
    slice[3 * d] = 0, slice[3 * d + 1] = sizes[d], slice[3 * d + 2] = 1;
  int64_t last = operand->shape->dims[along[0]] - 1, dims[HLO_MAX_RANK];
  for (int64_t i = 0; i < places; i++)
    numbers[i] = numbers[i] < 0 ? 0 : numbers[i] > last ? last : numbers[i];
  for (int64_t first = 0, end; first < places; first = end) {
    const hlo_shape *shape;
    for (end = first + 1; end < places && numbers[end] == numbers[end - 1] + 1; end++) {
    }
    if (run_count == HLO_FUSE_MOST_CONCATENATED) return HLO_OK;
    slice[3 * along[0]] = numbers[first], slice[3 * along[0] + 1] = numbers[end - 1] + 1;
    for (int32_t d = 0; d < rank; d++) dims[d] = slice[3 * d + 1] - slice[3 * d];
    HLO_TRY(hlo_shape_make(arena_of(x), x->shape->type, rank, dims, &shape, error));
    HLO_TRY(hlo_simplify_build_with_ints(x, HLO_OP_SLICE, shape, 1, &operand, HLO_ATTRIBUTE_SLICE,
                                         3 * rank, slice, &runs[run_count++], error));
  }
  if (run_count == 1) return hlo_simplify_use(x, runs[0], out, error);
  return hlo_simplify_build_with_ints(x, HLO_OP_CONCATENATE, x->shape, run_count, runs,
                                      HLO_ATTRIBUTE_DIMENSIONS, 1, along, out, error);
}

hlo_status hlo_simplify_gather(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operand = x->operands[0], *starts[HLO_MAX_RANK], *slice;
  const hlo_shape *window;
  index_vector vector;
  int32_t rank;
  const int64_t *sizes = hlo_get_ints(x, HLO_ATTRIBUTE_SLICE_SIZES, &rank);
  if (!is_default(x->shape) || hlo_shape_elements(x->shape) == 0) return HLO_OK;
  if (!match_single_vector(x, x->operands[1], HLO_ATTRIBUTE_START_INDEX_MAP,
                           HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS, &vector)) {
    HLO_TRY(concatenate_slices(x, out, error));
    return *out == NULL ? drop_reshape(x, out, error) : HLO_OK;
  }
  HLO_TRY(hlo_shape_make(arena_of(x), x->shape->type, rank, sizes, &window, error));
  if (hlo_shape_elements(window) != hlo_shape_elements(x->shape)) return HLO_OK;
  HLO_TRY(build_starts(x, &vector, rank, starts, error));
  HLO_TRY(build_dynamic_slice(x, operand, window, starts, &slice, error));
  return build_reshape(x, x->shape, slice, out, error);
}

// --- scatters, which skip slices not inside the operand ---

static hlo_status build_comparison(const hlo_instruction *x, hlo_instruction *number, int64_t bound,
                                   const char *direction, hlo_instruction **all, hlo_error *error) {
  hlo_instruction *operands[2] = {number}, *both[2] = {*all};
  hlo_attribute attribute = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, direction);
  HLO_TRY(hlo_simplify_integer(number, bound, &operands[1], error));
  HLO_TRY(hlo_simplify_build(x, HLO_OP_COMPARE, hlo_shape_scalar(HLO_PRED), 2, operands, 1,
                             &attribute, &both[1], error));
  if (*all == NULL) {
    *all = both[1];
    return HLO_OK;
  }
  return hlo_simplify_build(x, HLO_OP_AND, both[1]->shape, 2, both, 0, NULL, all, error);
}

static hlo_status build_bounds_check(const hlo_instruction *x, const index_vector *vector,
                                     const hlo_shape *window, hlo_instruction *const *starts,
                                     hlo_instruction **out, hlo_error *error) {
  *out = NULL;
  for (int32_t j = 0; j < vector->count; j++) {
    int64_t d = vector->dimensions[j], last = x->shape->dims[d] - window->dims[d];
    if (hlo_type_get_class(starts[d]->shape->type) == HLO_CLASS_SIGNED)
      HLO_TRY(build_comparison(x, starts[d], 0, "GE", out, error));
    HLO_TRY(build_comparison(x, starts[d], last, "LE", out, error));
  }
  return HLO_OK;
}

static bool are_inside(const hlo_instruction *x, const index_vector *vector,
                       const hlo_shape *window, const int64_t *numbers) {
  for (int32_t j = 0; j < vector->count; j++) {
    int64_t d = vector->dimensions[j];
    if (numbers[j] < 0 || numbers[j] > x->shape->dims[d] - window->dims[d]) return false;
  }
  return true;
}

// The window in the operand's rank: inserted dimensions have size 1, the others the update's.
static hlo_status window_shape(const hlo_instruction *x, const hlo_shape **out, hlo_error *error) {
  int32_t count, inserted_count, next = 0;
  const int64_t *dims = hlo_get_ints(x, HLO_ATTRIBUTE_UPDATE_WINDOW_DIMS, &count);
  const int64_t *inserted = hlo_get_ints(x, HLO_ATTRIBUTE_INSERTED_WINDOW_DIMS, &inserted_count);
  int64_t sizes[HLO_MAX_RANK];
  for (int32_t d = 0; d < x->shape->rank; d++) {
    bool is_inserted = false;
    for (int32_t i = 0; i < inserted_count; i++) is_inserted = is_inserted || inserted[i] == d;
    sizes[d] = is_inserted ? 1 : x->operands[2]->shape->dims[dims[next++]];
  }
  return hlo_shape_make(arena_of(x), x->shape->type, x->shape->rank, sizes, out, error);
}

// Whether the update replaces the old value.
static bool replaces_old(const hlo_instruction *x) {
  const hlo_computation *computation = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  return computation->root == computation->parameters[1];
}

// The value written where the slice is inside: the update, or the old value combined with it.
static hlo_status build_written(const hlo_instruction *x, hlo_instruction *old,
                                hlo_instruction *update, hlo_instruction **out, hlo_error *error) {
  const hlo_computation *computation = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  bool swapped;
  hlo_opcode opcode = hlo_simplify_applied_op(computation, &swapped);
  *out = update;
  if (replaces_old(x)) return HLO_OK;
  hlo_instruction *operands[2] = {swapped ? update : old, swapped ? old : update};
  return hlo_simplify_build(x, opcode, old->shape, 2, operands, computation->root->attribute_count,
                            computation->root->attributes, out, error);
}

static bool is_simple_scatter(const hlo_instruction *x) {
  if (x->operand_count != 3 || !hlo_shape_is_array(x->shape)) return false;
  const hlo_computation *computation = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  const hlo_shape *update = x->operands[2]->shape;
  bool swapped;
  bool applies = replaces_old(x) || hlo_simplify_applied_op(computation, &swapped) != HLO_OP_COUNT;
  hlo_type type = x->operands[1]->shape->type;
  bool is_wide = type == HLO_S32 || type == HLO_U32 || type == HLO_S64 || type == HLO_U64;
  bool fits = hlo_shape_elements(x->shape) <= INT32_MAX; // so that bounds fit the index type
  return applies && is_wide && fits && is_default(x->shape) && is_default(update) &&
         x->operands[0]->shape->type == update->type && update->type == x->shape->type &&
         computation->root->shape->type == update->type && hlo_shape_elements(update) > 0;
}

// An addition to most of a large array at a constant index becomes the array plus the padded
// update, which can be fused. The padding is the neutral element: -0 for floats, since x + 0
// changes -0.
static bool updates_most(const hlo_instruction *x, const hlo_shape *window) {
  bool swapped;
  const hlo_computation *computation = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  hlo_type type = x->shape->type;
  hlo_type_class class = hlo_type_get_class(type);
  bool has_neutral = class == HLO_CLASS_SIGNED || class == HLO_CLASS_UNSIGNED ||
                     (class == HLO_CLASS_FLOAT && hlo_type_bits(type) >= 16);
  return !replaces_old(x) && hlo_simplify_applied_op(computation, &swapped) == HLO_OP_ADD &&
         has_neutral && hlo_shape_elements(window) * 2 >= hlo_shape_elements(x->shape);
}

static hlo_status add_padded_update(const hlo_instruction *x, const index_vector *vector,
                                    const hlo_shape *window, const int64_t *numbers,
                                    hlo_instruction **out, hlo_error *error) {
  int64_t padding[3 * HLO_MAX_RANK];
  int32_t rank = x->shape->rank;
  hlo_instruction *operands[2], *sum[2] = {x->operands[0]};
  char element[16];
  const hlo_literal zero = {.shape = hlo_shape_scalar(x->shape->type), .data = element};
  for (int32_t d = 0; d < rank; d++) {
    padding[3 * d] = padding[3 * d + 2] = 0;
    padding[3 * d + 1] = x->shape->dims[d] - window->dims[d];
  }
  for (int32_t j = 0; j < vector->count; j++) {
    padding[3 * vector->dimensions[j]] = numbers[j];
    padding[3 * vector->dimensions[j] + 1] -= numbers[j];
  }
  HLO_TRY(build_reshape(x, window, x->operands[2], &operands[0], error));
  hlo_element_set(x->shape->type, element, (hlo_number){.type_class = HLO_CLASS_FLOAT, .re = -0.0});
  HLO_TRY(hlo_build_constant(x->computation, &zero, &operands[1], error));
  HLO_TRY(hlo_simplify_build_with_ints(x, HLO_OP_PAD, x->shape, 2, operands, HLO_ATTRIBUTE_PADDING,
                                       3 * rank, padding, &sum[1], error));
  return hlo_simplify_build(x, HLO_OP_ADD, x->shape, 2, sum, 0, NULL, out, error);
}

hlo_status hlo_simplify_scatter(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  index_vector vector;
  const hlo_shape *window, *flags;
  hlo_instruction *starts[HLO_MAX_RANK], *old, *update, *written, *is_inside;
  int32_t rank = x->shape->rank;
  int64_t numbers[HLO_MAX_RANK];
  if (!is_simple_scatter(x) ||
      !match_single_vector(x, x->operands[1], HLO_ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS,
                           HLO_ATTRIBUTE_INPUT_BATCHING_DIMS, &vector)) {
    return HLO_OK;
  }
  HLO_TRY(window_shape(x, &window, error));
  int64_t elements = hlo_shape_elements(window);
  bool is_known = match_constants(&vector, numbers);
  bool is_large = elements > (is_known ? HLO_CACHED_WINDOW : HLO_SMALL_WINDOW);
  if (elements != hlo_shape_elements(x->operands[2]->shape)) return HLO_OK;
  bool is_sum = is_large && is_known && updates_most(x, window);
  if (is_large && !(is_known && replaces_old(x)) && !is_sum) return HLO_OK;
  if (is_known && !are_inside(x, &vector, window, numbers))
    return hlo_simplify_use(x, x->operands[0], out, error);
  if (is_sum) return add_padded_update(x, &vector, window, numbers, out, error);
  HLO_TRY(build_starts(x, &vector, rank, starts, error));
  HLO_TRY(build_dynamic_slice(x, x->operands[0], window, starts, &old, error));
  HLO_TRY(build_reshape(x, window, x->operands[2], &update, error));
  HLO_TRY(build_written(x, old, update, &written, error));
  if (!is_known) {
    HLO_TRY(build_bounds_check(x, &vector, window, starts, &is_inside, error));
    HLO_TRY(hlo_shape_with_type(arena_of(x), window, HLO_PRED, false, &flags, error));
    HLO_TRY(hlo_simplify_broadcast(is_inside, flags, &is_inside, error));
    hlo_instruction *choice[3] = {is_inside, written, old};
    HLO_TRY(hlo_simplify_build(x, HLO_OP_SELECT, window, 3, choice, 0, NULL, &written, error));
  }
  hlo_instruction *operands[2 + HLO_MAX_RANK] = {x->operands[0], written};
  for (int32_t d = 0; d < rank; d++) operands[2 + d] = starts[d];
  return hlo_simplify_build(x, HLO_OP_DYNAMIC_UPDATE_SLICE, x->shape, 2 + rank, operands, 0, NULL,
                            out, error);
}
