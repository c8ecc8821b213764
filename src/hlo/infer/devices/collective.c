// Inference rules of the collectives, of tokens and of device numbers.
// Source: "Operation Semantics" of XLA's documentation.
#include "base/checked.h"
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

enum { MAX_DEVICES = 1 << 20 };

// Every stride-th of the numbers, from ints[0] on, is the number of a device, and none is
// another's. With `all` no device is missing.
static hlo_status require_devices(const hlo_instruction *x, const char *what, const int64_t *ints,
                                  int32_t count, int32_t stride, bool all, hlo_arena *arena,
                                  hlo_error *error) {
  int64_t largest = -1;
  for (int32_t i = 0; i < count; i += stride) {
    if (ints[i] < 0 || ints[i] >= MAX_DEVICES)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "%lld in %s is not the number of a device", (long long)ints[i],
                                  what);
    if (ints[i] > largest) largest = ints[i];
  }
  bool *seen;
  HLO_ALLOC(seen, arena, largest + 1, error);
  for (int32_t i = 0; i < count; i += stride) {
    if (seen[ints[i]])
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "%lld stands twice in %s",
                                  (long long)ints[i], what);
    seen[ints[i]] = true;
  }
  for (int64_t i = 0; all && i < largest; i++)
    if (!seen[i])
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "%lld is missing in %s, which has numbers up to %lld",
                                  (long long)i, what, (long long)largest);
  return HLO_OK;
}

// Groups have no members in common; with `equal` all groups are of one size. All devices are in
// them, but for a broadcast's.
static hlo_status check_groups(const hlo_instruction *x, bool equal, hlo_arena *arena,
                               hlo_error *error) {
  const hlo_attribute *groups = hlo_find_attribute(x, HLO_ATTRIBUTE_REPLICA_GROUPS);
  if (hlo_get_int(x, HLO_ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, 0) != 0 &&
      hlo_get_int(x, HLO_ATTRIBUTE_CHANNEL_ID, 0) <= 0)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "use_global_device_ids needs a positive channel_id");
  if (groups == NULL) return HLO_OK;
  for (int32_t i = 0; i < groups->row_count; i++)
    if (groups->row_lengths[i] == 0)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "group %d in replica_groups is empty",
                                  i);
  for (int32_t i = 1; equal && i < groups->row_count; i++)
    if (groups->row_lengths[i] != groups->row_lengths[0])
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "all groups in replica_groups must be of one size: %lld and %lld",
                                  (long long)groups->row_lengths[0],
                                  (long long)groups->row_lengths[i]);
  return require_devices(x, "replica_groups", groups->ints, groups->count, 1,
                         x->opcode != HLO_OP_COLLECTIVE_BROADCAST, arena, error);
}

// How many take part in each group, or 0 when the module alone does not say: without groups all
// devices do, and with a channel but without use_global_device_ids every partition of each replica.
static int64_t group_size(const hlo_instruction *x) {
  const hlo_attribute *groups = hlo_find_attribute(x, HLO_ATTRIBUTE_REPLICA_GROUPS);
  if (groups == NULL || groups->row_count == 0) return 0;
  if (hlo_get_int(x, HLO_ATTRIBUTE_CHANNEL_ID, 0) > 0 &&
      hlo_get_int(x, HLO_ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, 0) == 0)
    return 0;
  return groups->row_lengths[0];
}

// Result k as the program states it, or NULL.
static const hlo_shape *declared_part(const hlo_instruction *x, const hlo_shape *declared,
                                      int32_t k) {
  if (declared == NULL) return NULL;
  if (x->operand_count == 1) return declared;
  return hlo_shape_is_tuple(declared) && k < declared->element_count ? declared->elements[k] : NULL;
}

static hlo_status fail_count(const hlo_instruction *x, const hlo_shape *shape, int32_t dimension,
                             int64_t count, hlo_error *error) {
  char text[HLO_SHAPE_TEXT_SIZE];
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                              "dimension %d of %s does not fit groups of %lld", dimension,
                              hlo_shape_to_text(text, shape), (long long)count);
}

// The shape of operand k with one dimension multiplied (gathered) or divided (scattered) by the
// number of participants.
static hlo_status change_dimension(const hlo_instruction *x, int32_t k, int32_t dimension,
                                   bool gather, const hlo_shape *declared, hlo_arena *arena,
                                   const hlo_shape **out, hlo_error *error) {
  const hlo_shape *shape = hlo_operand_shape(x, k), *part = declared_part(x, declared, k);
  int64_t dims[HLO_MAX_RANK], count = group_size(x);
  for (int32_t d = 0; d < shape->rank; d++) dims[d] = shape->dims[d];
  int64_t from = dims[dimension], to;
  if (count == 0) { // the stated shape says how many there are; it must come out even
    if (part == NULL || !hlo_shape_is_array(part) || part->rank != shape->rank)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "the shape of the result must be given: the number of "
                                  "participants is not known");
    to = part->dims[dimension];
    int64_t large = gather ? to : from, small = gather ? from : to;
    if (small == 0 ? large != 0 : large % small != 0)
      return hlo_fail_about(x, "one size of the changed dimension must divide the other", shape,
                            part, error);
  } else if (gather) {
    if (!hlo_checked_mul(from, count, &to)) return fail_count(x, shape, dimension, count, error);
  } else {
    if (from % count != 0) return fail_count(x, shape, dimension, count, error);
    to = from / count;
  }
  dims[dimension] = to;
  return hlo_result_shape(x, arena, shape->type, shape->rank, dims, NULL, out, error);
}

static hlo_status one_dimension(const hlo_instruction *x, int32_t *out, hlo_error *error) {
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  if (count != 1)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "dimensions must name one dimension: it has %d", count);
  for (int32_t k = 0; k < x->operand_count; k++)
    HLO_TRY(hlo_require_dimension(x, HLO_ATTRIBUTE_DIMENSIONS, dimensions[0],
                                  hlo_operand_shape(x, k), error));
  *out = (int32_t)dimensions[0];
  return HLO_OK;
}

static hlo_status require_arrays(const hlo_instruction *x, hlo_error *error) {
  for (int32_t k = 0; k < x->operand_count; k++)
    HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
  return HLO_OK;
}

static hlo_status change_all(const hlo_instruction *x, bool gather, const hlo_shape *declared,
                             hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  int32_t dimension;
  HLO_TRY(require_arrays(x, error));
  HLO_TRY(check_groups(x, true, arena, error));
  HLO_TRY(one_dimension(x, &dimension, error));
  const hlo_shape **elements;
  HLO_ALLOC(elements, arena, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++)
    HLO_TRY(change_dimension(x, k, dimension, gather, declared, arena, &elements[k], error));
  return hlo_result_shapes(x, arena, x->operand_count, elements, out, error);
}

// The operands' shapes again, but for roots: an array, or a tuple for several.
static hlo_status same_shapes(const hlo_instruction *x, hlo_arena *arena, const hlo_shape **out,
                              hlo_error *error) {
  int32_t count = hlo_collective_data_count(x);
  const hlo_shape **elements;
  HLO_ALLOC(elements, arena, count, error);
  for (int32_t k = 0; k < count; k++)
    HLO_TRY(hlo_result_shape_like(x, arena, hlo_operand_shape(x, k), hlo_operand_shape(x, k)->type,
                                  &elements[k], error));
  return hlo_result_shapes(x, arena, count, elements, out, error);
}

// All operands have one element type, on which to_apply works.
static hlo_status check_reduction(const hlo_instruction *x, hlo_arena *arena, hlo_error *error) {
  HLO_TRY(require_arrays(x, error));
  for (int32_t k = 0; k < hlo_collective_data_count(x); k++)
    HLO_TRY(hlo_require_same_type(x, 0, k, error));
  return hlo_require_reducer(x, HLO_ATTRIBUTE_TO_APPLY, 1, arena, error);
}

hlo_status hlo_infer_all_gather(const hlo_instruction *x, const hlo_shape *declared,
                                hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  return change_all(x, true, declared, arena, out, error);
}

hlo_status hlo_infer_reduce_scatter(const hlo_instruction *x, const hlo_shape *declared,
                                    hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  HLO_TRY(check_reduction(x, arena, error));
  return change_all(x, false, declared, arena, out, error);
}

hlo_status hlo_infer_all_reduce(const hlo_instruction *x, const hlo_shape *declared,
                                hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(check_reduction(x, arena, error));
  HLO_TRY(check_groups(x, false, arena, error));
  return same_shapes(x, arena, out, error);
}

// With `dimensions` one array is cut along it and put together again along it; without, operand i
// goes to participant i, and the result is a tuple of what they sent.
hlo_status hlo_infer_all_to_all(const hlo_instruction *x, const hlo_shape *declared,
                                hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(require_arrays(x, error));
  HLO_TRY(check_groups(x, true, arena, error));
  int64_t count = group_size(x), parts = hlo_get_int(x, HLO_ATTRIBUTE_SPLIT_COUNT, count);
  if (parts < 1 && hlo_find_attribute(x, HLO_ATTRIBUTE_SPLIT_COUNT) != NULL)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "split_count must be at least 1: %lld",
                                (long long)parts);
  if (count > 0 && parts != count)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "split_count must be the number of participants, %lld: %lld",
                                (long long)count, (long long)parts);
  count = parts;
  if (hlo_find_attribute(x, HLO_ATTRIBUTE_DIMENSIONS) != NULL) {
    int32_t dimension;
    if (x->operand_count != 1)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "takes one operand when dimensions are given, not %d",
                                  x->operand_count);
    HLO_TRY(one_dimension(x, &dimension, error));
    if (count > 0 && hlo_operand_shape(x, 0)->dims[dimension] % count != 0)
      return fail_count(x, hlo_operand_shape(x, 0), dimension, count, error);
    return same_shapes(x, arena, out, error);
  }
  for (int32_t k = 0; k < x->operand_count; k++) {
    HLO_TRY(hlo_require_same_type(x, 0, k, error));
    HLO_TRY(hlo_require_same_dimensions(x, 0, k, error));
  }
  if (count > 0 && x->operand_count != count)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "takes one operand for each of %lld participants, not %d",
                                (long long)count, x->operand_count);
  const hlo_shape **elements;
  HLO_ALLOC(elements, arena, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) elements[k] = hlo_operand_shape(x, k);
  return hlo_shape_make_tuple(arena, x->operand_count, elements, out, error);
}

// With has_dynamic_root the last operand lists the position of the root in its group for each
// other.
static hlo_status check_roots(const hlo_instruction *x, hlo_error *error) {
  int32_t count = hlo_collective_data_count(x);
  char text[HLO_SHAPE_TEXT_SIZE];
  if (count == x->operand_count) return HLO_OK;
  if (count == 0)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "has no operands besides the roots");
  const hlo_shape *roots = hlo_operand_shape(x, count);
  if (hlo_shape_is_array(roots) && roots->type == HLO_S32 && roots->rank == 1 &&
      roots->dims[0] == count)
    return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                              "has_dynamic_root needs the roots as the last operand, s32[%d], "
                              "not %s",
                              count, hlo_shape_to_text(text, roots));
}

hlo_status hlo_infer_collective_broadcast(const hlo_instruction *x, const hlo_shape *declared,
                                          hlo_arena *arena, const hlo_shape **out,
                                          hlo_error *error) {
  (void)declared;
  HLO_TRY(require_arrays(x, error));
  HLO_TRY(check_roots(x, error));
  HLO_TRY(check_groups(x, false, arena, error));
  return same_shapes(x, arena, out, error);
}

hlo_status hlo_infer_collective_reduce(const hlo_instruction *x, const hlo_shape *declared,
                                       hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  HLO_TRY(check_roots(x, error));
  return hlo_infer_all_reduce(x, declared, arena, out, error);
}

// input, output, then offsets and sizes, which are integer arrays of one shape: a row for each
// participant, of one or of several updates. Rows of input and output are alike.
hlo_status hlo_infer_ragged_all_to_all(const hlo_instruction *x, const hlo_shape *declared,
                                       hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  for (int32_t k = 0; k < x->operand_count; k++)
    HLO_TRY(hlo_require_array(x, k, k < 2 ? HLO_CLASSES_ANY : HLO_CLASSES_INTEGER, error));
  HLO_TRY(hlo_require_same_type(x, 0, 1, error));
  const hlo_shape *input = hlo_operand_shape(x, 0), *output = hlo_operand_shape(x, 1);
  bool alike = input->rank == output->rank && input->rank >= 1;
  for (int32_t d = 1; alike && d < input->rank; d++) alike = input->dims[d] == output->dims[d];
  if (!alike)
    return hlo_fail_about(x, "input and output must agree in all dimensions but the first", input,
                          output, error);
  const hlo_shape *offsets = hlo_operand_shape(x, 2);
  if (offsets->rank != 1 && offsets->rank != 2)
    return hlo_fail_about(x, "offsets and sizes have one or two dimensions", offsets, NULL, error);
  for (int32_t k = 3; k < x->operand_count; k++) {
    HLO_TRY(hlo_require_same_dimensions(x, 2, k, error));
    HLO_TRY(hlo_require_same_type(x, 2, k, error));
  }
  HLO_TRY(check_groups(x, true, arena, error));
  int64_t count = group_size(x);
  if (count > 0 && offsets->dims[0] != count) return fail_count(x, offsets, 0, count, error);
  return hlo_result_shape_like(x, arena, output, output->type, out, error);
}

// No two pairs have the same source, and no two the same target.
static hlo_status check_pairs(const hlo_instruction *x, hlo_arena *arena, hlo_error *error) {
  const hlo_attribute *pairs = hlo_find_attribute(x, HLO_ATTRIBUTE_SOURCE_TARGET_PAIRS);
  for (int32_t i = 0; i < pairs->row_count; i++)
    if (pairs->row_lengths[i] != 2)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "entries of source_target_pairs must be pairs: entry %d has %lld "
                                  "numbers",
                                  i, (long long)pairs->row_lengths[i]);
  if (pairs->count == 0) return HLO_OK;
  HLO_TRY(require_devices(x, "the sources of source_target_pairs", pairs->ints, pairs->count, 2,
                          false, arena, error));
  return require_devices(x, "the targets of source_target_pairs", pairs->ints + 1, pairs->count - 1,
                         2, false, arena, error);
}

// The form with slice_sizes copies between buffers in place, at offsets that are its last operands,
// and has the shape that is stated.
hlo_status hlo_infer_collective_permute(const hlo_instruction *x, const hlo_shape *declared,
                                        hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  HLO_TRY(check_pairs(x, arena, error));
  if (hlo_find_attribute(x, HLO_ATTRIBUTE_SLICE_SIZES) != NULL) {
    if (x->operand_count != 4)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "takes four operands when slice_sizes are given, not %d",
                                  x->operand_count);
    return hlo_infer_declared(x, declared, arena, out, error);
  }
  HLO_TRY(require_arrays(x, error));
  return same_shapes(x, arena, out, error);
}

static hlo_status require_token(const hlo_instruction *x, int32_t k, hlo_error *error) {
  const hlo_shape *shape = hlo_operand_shape(x, k);
  char text[HLO_SHAPE_TEXT_SIZE];
  if (shape->type == HLO_TOKEN) return HLO_OK;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "operand %d must be a token: %s", k,
                              hlo_shape_to_text(text, shape));
}

hlo_status hlo_infer_after_all(const hlo_instruction *x, const hlo_shape *declared,
                               hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  (void)arena;
  for (int32_t k = 0; k < x->operand_count; k++) HLO_TRY(require_token(x, k, error));
  *out = hlo_shape_scalar(HLO_TOKEN);
  return HLO_OK;
}

hlo_status hlo_infer_add_dependency(const hlo_instruction *x, const hlo_shape *declared,
                                    hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  (void)arena;
  HLO_TRY(require_token(x, 1, error));
  *out = hlo_operand_shape(x, 0);
  return HLO_OK;
}

hlo_status hlo_infer_outfeed(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                             const hlo_shape **out, hlo_error *error) {
  (void)declared;
  (void)arena;
  HLO_TRY(require_token(x, 1, error));
  const hlo_attribute *stated = hlo_find_attribute(x, HLO_ATTRIBUTE_OUTFEED_SHAPE);
  if (stated != NULL && !hlo_shape_compatible(stated->shape, hlo_operand_shape(x, 0)))
    return hlo_fail_about(x, "outfeed_shape must be the shape of operand 0", stated->shape,
                          hlo_operand_shape(x, 0), error);
  *out = hlo_shape_scalar(HLO_TOKEN);
  return HLO_OK;
}

// replica-id and partition-id.
hlo_status hlo_infer_device_number(const hlo_instruction *x, const hlo_shape *declared,
                                   hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)x;
  (void)declared;
  (void)arena;
  (void)error;
  *out = hlo_shape_scalar(HLO_U32);
  return HLO_OK;
}
