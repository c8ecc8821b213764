// Inference rules of the ops that move elements without looking at them: bitcasts, broadcast,
// reshape, transpose, slice, concatenate, pad, reverse, iota, dynamic slices.
// Source: "Operation Semantics" and "Broadcasting" of XLA's documentation.
#include "base/checked.h"
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

#include <string.h>

// The wider elements fall apart into a new last dimension, or the last dimension's elements join.
hlo_status hlo_infer_bitcast_convert(const hlo_instruction *x, const hlo_shape *declared,
                                     hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  HLO_TRY(hlo_require_declared_array(x, declared, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  hlo_type from = shape->type, to = declared->type;
  if (hlo_type_is_complex(from) != hlo_type_is_complex(to))
    return hlo_fail_about(x, "complex and real elements do not convert bitwise", shape, declared,
                          error);
  int32_t from_bits = hlo_type_bits(from), to_bits = hlo_type_bits(to), rank = shape->rank;
  if (from_bits % to_bits != 0 && to_bits % from_bits != 0)
    return hlo_fail_about(x, "one element width must divide the other", shape, declared, error);
  if (from_bits == to_bits) return hlo_result_shape_like(x, arena, shape, to, out, error);
  int64_t dims[HLO_MAX_RANK + 1];
  bool dynamic[HLO_MAX_RANK + 1] = {false};
  for (int32_t d = 0; d < rank; d++) {
    dims[d] = shape->dims[d];
    dynamic[d] = hlo_shape_is_dynamic_in(shape, d);
  }
  if (from_bits > to_bits) {
    dims[rank] = from_bits / to_bits;
    return hlo_result_shape(x, arena, to, rank + 1, dims, dynamic, out, error);
  }
  if (rank == 0 || dims[rank - 1] != to_bits / from_bits) {
    char text[HLO_SHAPE_TEXT_SIZE];
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "the last dimension must have size %d, so that its elements make "
                                "one %s: %s",
                                to_bits / from_bits, hlo_type_name(to),
                                hlo_shape_to_text(text, shape));
  }
  return hlo_result_shape(x, arena, to, rank - 1, dims, dynamic, out, error);
}

// Any other view of the same bytes.
hlo_status hlo_infer_bitcast(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                             const hlo_shape **out, hlo_error *error) {
  (void)arena;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  HLO_TRY(hlo_require_declared_array(x, declared, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  if (hlo_shape_bytes(shape) != hlo_shape_bytes(declared))
    return hlo_fail_about(x, "operand and result must have the same size in bytes", shape, declared,
                          error);
  *out = declared;
  return HLO_OK;
}

hlo_status hlo_infer_broadcast(const hlo_instruction *x, const hlo_shape *declared,
                               hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)arena;
  HLO_TRY(hlo_require_array_of_declared_type(x, declared, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  HLO_TRY(hlo_require_entries(x, HLO_ATTRIBUTE_DIMENSIONS, shape->rank, error));
  HLO_TRY(hlo_require_distinct(x, HLO_ATTRIBUTE_DIMENSIONS, declared, error));
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  for (int32_t d = 0; d < count; d++) {
    if (shape->dims[d] == declared->dims[dimensions[d]]) continue;
    char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
    return hlo_instruction_fail(
        x, HLO_SHAPE_ERROR, error,
        "dimension %d of the operand and dimension %lld of the result must have the same size: %s "
        "and %s",
        d, (long long)dimensions[d], hlo_shape_to_text(text_a, shape),
        hlo_shape_to_text(text_b, declared));
  }
  *out = declared;
  return HLO_OK;
}

hlo_status hlo_infer_reshape(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                             const hlo_shape **out, hlo_error *error) {
  (void)arena;
  HLO_TRY(hlo_require_array_of_declared_type(x, declared, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  if (hlo_shape_elements(shape) != hlo_shape_elements(declared))
    return hlo_fail_about(x, "operand and result must have the same number of elements", shape,
                          declared, error);
  *out = declared;
  return HLO_OK;
}

hlo_status hlo_infer_transpose(const hlo_instruction *x, const hlo_shape *declared,
                               hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  HLO_TRY(hlo_require_entries(x, HLO_ATTRIBUTE_DIMENSIONS, shape->rank, error));
  HLO_TRY(hlo_require_distinct(x, HLO_ATTRIBUTE_DIMENSIONS, shape, error));
  int32_t count;
  const int64_t *permutation = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  int64_t dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK];
  for (int32_t d = 0; d < count; d++) {
    dims[d] = shape->dims[permutation[d]];
    dynamic[d] = hlo_shape_is_dynamic_in(shape, (int32_t)permutation[d]);
  }
  return hlo_result_shape(x, arena, shape->type, shape->rank, dims, dynamic, out, error);
}

hlo_status hlo_infer_slice(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                           const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  int32_t count;
  const int64_t *slice = hlo_get_ints(x, HLO_ATTRIBUTE_SLICE, &count);
  if (count != 3 * shape->rank)
    return hlo_fail_about(x, "slice must have one range for each dimension", shape, NULL, error);
  int64_t dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK];
  for (int32_t d = 0; d < shape->rank; d++) {
    int64_t start = slice[3 * d], limit = slice[3 * d + 1], stride = slice[3 * d + 2];
    char text[HLO_SHAPE_TEXT_SIZE];
    if (start < 0 || limit < start || limit > shape->dims[d])
      return hlo_instruction_fail(
          x, HLO_SHAPE_ERROR, error, "the range [%lld:%lld] is not within dimension %d of %s",
          (long long)start, (long long)limit, d, hlo_shape_to_text(text, shape));
    if (stride < 1)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "the stride of dimension %d must be at least 1: %lld", d,
                                  (long long)stride);
    dims[d] = (limit - start) / stride + ((limit - start) % stride != 0);
    dynamic[d] = hlo_shape_is_dynamic_in(shape, d) && dims[d] == shape->dims[d];
  }
  return hlo_result_shape(x, arena, shape->type, shape->rank, dims, dynamic, out, error);
}

hlo_status hlo_infer_concatenate(const hlo_instruction *x, const hlo_shape *declared,
                                 hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  const hlo_shape *first = hlo_operand_shape(x, 0);
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  if (count != 1)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "dimensions must name one dimension: it has %d", count);
  HLO_TRY(hlo_require_distinct(x, HLO_ATTRIBUTE_DIMENSIONS, first, error));
  int64_t dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK];
  for (int32_t d = 0; d < first->rank; d++) {
    dims[d] = d == dimensions[0] ? 0 : first->dims[d];
    dynamic[d] = false;
  }
  for (int32_t k = 0; k < x->operand_count; k++) {
    HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
    HLO_TRY(hlo_require_same_type(x, 0, k, error));
    const hlo_shape *shape = hlo_operand_shape(x, k);
    bool fits = shape->rank == first->rank;
    for (int32_t d = 0; fits && d < shape->rank; d++) {
      dynamic[d] |= hlo_shape_is_dynamic_in(shape, d);
      if (d == dimensions[0]) fits = hlo_checked_add(dims[d], shape->dims[d], &dims[d]);
      else fits = shape->dims[d] == first->dims[d];
    }
    if (!fits)
      return hlo_fail_about(x, "all dimensions but the concatenated one must have the same size",
                            first, shape, error);
  }
  return hlo_result_shape(x, arena, first->type, first->rank, dims, dynamic, out, error);
}

// size + low + high + interior between any two elements; false when that is no size.
static bool padded_size(int64_t size, const int64_t padding[3], int64_t *out) {
  int64_t inner;
  return hlo_checked_mul(size > 0 ? size - 1 : 0, padding[2], &inner) &&
         hlo_checked_add(size, inner, &size) && hlo_checked_add(size, padding[0], &size) &&
         hlo_checked_add(size, padding[1], out) && *out >= 0;
}

hlo_status hlo_infer_pad(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                         const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  HLO_TRY(hlo_require_scalar(x, 1, shape->type, error));
  int32_t count;
  const int64_t *padding = hlo_get_ints(x, HLO_ATTRIBUTE_PADDING, &count);
  if (count != 3 * shape->rank)
    return hlo_fail_about(x, "padding must have one entry for each dimension", shape, NULL, error);
  int64_t dims[HLO_MAX_RANK];
  char text[HLO_SHAPE_TEXT_SIZE];
  for (int32_t d = 0; d < shape->rank; d++) {
    if (padding[3 * d + 2] < 0)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "the interior padding of dimension %d must not be negative: %lld",
                                  d, (long long)padding[3 * d + 2]);
    if (!padded_size(shape->dims[d], padding + 3 * d, &dims[d]))
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "padding %lld_%lld_%lld makes dimension %d of %s negative or too "
                                  "large",
                                  (long long)padding[3 * d], (long long)padding[3 * d + 1],
                                  (long long)padding[3 * d + 2], d, hlo_shape_to_text(text, shape));
  }
  return hlo_result_shape(x, arena, shape->type, shape->rank, dims, shape->dynamic, out, error);
}

hlo_status hlo_infer_reverse(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                             const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  HLO_TRY(hlo_require_distinct(x, HLO_ATTRIBUTE_DIMENSIONS, shape, error));
  return hlo_result_shape_like(x, arena, shape, shape->type, out, error);
}

hlo_status hlo_infer_iota(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                          const hlo_shape **out, hlo_error *error) {
  (void)arena;
  HLO_TRY(hlo_require_declared_array(x, declared, error));
  if ((hlo_type_get_class(declared->type) & HLO_CLASSES_NUMBER) == 0)
    return hlo_fail_about(x, "the elements must be numbers", declared, NULL, error);
  HLO_TRY(hlo_require_dimension(x, HLO_ATTRIBUTE_IOTA_DIMENSION,
                                hlo_get_int(x, HLO_ATTRIBUTE_IOTA_DIMENSION, -1), declared, error));
  *out = declared;
  return HLO_OK;
}

// Start indices from operand `first` on: one integer scalar per dimension, all of one type, or (the
// form before 2019) one vector with an entry per dimension.
static hlo_status check_start_indices(const hlo_instruction *x, int32_t first, hlo_error *error) {
  int32_t rank = hlo_operand_shape(x, 0)->rank;
  int32_t count = x->operand_count - first;
  for (int32_t k = first; k < x->operand_count; k++)
    HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_INTEGER, error));
  if (count == 1 && hlo_operand_shape(x, first)->rank == 1) {
    if (hlo_operand_shape(x, first)->dims[0] == rank) return HLO_OK;
    return hlo_fail_about(x, "the start indices must have one entry for each dimension",
                          hlo_operand_shape(x, first), hlo_operand_shape(x, 0), error);
  }
  if (count != rank)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "takes one start index for each of %d dimensions, not %d", rank,
                                count);
  for (int32_t k = first; k < x->operand_count; k++)
    HLO_TRY(hlo_require_scalar(x, k, hlo_operand_shape(x, first)->type, error));
  return HLO_OK;
}

// The documentation asks for sizes above 0; XLA itself and StableHLO take 0 too.
hlo_status hlo_infer_dynamic_slice(const hlo_instruction *x, const hlo_shape *declared,
                                   hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  HLO_TRY(check_start_indices(x, 1, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  HLO_TRY(hlo_require_entries(x, HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES, shape->rank, error));
  int32_t count;
  const int64_t *sizes = hlo_get_ints(x, HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES, &count);
  bool dynamic[HLO_MAX_RANK];
  for (int32_t d = 0; d < count; d++) {
    char text[HLO_SHAPE_TEXT_SIZE];
    if (sizes[d] < 0 || sizes[d] > shape->dims[d])
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "the slice size %lld does not fit in dimension %d of %s",
                                  (long long)sizes[d], d, hlo_shape_to_text(text, shape));
    dynamic[d] = hlo_shape_is_dynamic_in(shape, d) && sizes[d] == shape->dims[d];
  }
  return hlo_result_shape(x, arena, shape->type, shape->rank, sizes, dynamic, out, error);
}

hlo_status hlo_infer_dynamic_update_slice(const hlo_instruction *x, const hlo_shape *declared,
                                          hlo_arena *arena, const hlo_shape **out,
                                          hlo_error *error) {
  (void)declared;
  for (int32_t k = 0; k < 2; k++) HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
  HLO_TRY(hlo_require_same_type(x, 0, 1, error));
  HLO_TRY(check_start_indices(x, 2, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0), *update = hlo_operand_shape(x, 1);
  bool fits = shape->rank == update->rank;
  for (int32_t d = 0; fits && d < shape->rank; d++) fits = update->dims[d] <= shape->dims[d];
  if (!fits)
    return hlo_fail_about(x, "the update must have the operand's rank and be no larger", shape,
                          update, error);
  return hlo_result_shape_like(x, arena, shape, shape->type, out, error);
}
