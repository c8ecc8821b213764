// Inference rules of gather and scatter. Source: "Operation Semantics" of XLA's documentation; the
// batching dimensions, which it leaves out, are StableHLO's (specification of gather and scatter).
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

// Lists of dimension numbers of the operand and of the indices, under the names that gather uses;
// scatter's names mean the same.
typedef struct gather_lists {
  hlo_attribute_id window;           // offset_dims, update_window_dims
  hlo_attribute_id collapsed;        // collapsed_slice_dims, inserted_window_dims
  hlo_attribute_id index_map;        // start_index_map, scatter_dims_to_operand_dims
  hlo_attribute_id operand_batching; // operand_batching_dims, input_batching_dims
  hlo_attribute_id indices_batching; // start_indices_…, scatter_indices_batching_dims
  const hlo_shape *operand, *indices;
  int32_t window_count;
  int32_t batch_rank;               // of the result or the updates
  int64_t batch_dims[HLO_MAX_RANK]; // sizes of the indices but for the index vector
  bool batch_dynamic[HLO_MAX_RANK];
  uint64_t skipped; // operand dimensions that no window dimension stands for
} gather_lists;

static hlo_status require_increasing(const hlo_instruction *x, hlo_attribute_id id,
                                     hlo_error *error) {
  int32_t count;
  const int64_t *list = hlo_get_ints(x, id, &count);
  for (int32_t i = 1; i < count; i++)
    if (list[i] <= list[i - 1])
      return hlo_instruction_fail(
          x, HLO_SHAPE_ERROR, error, "%s must be in increasing order: %lld follows %lld",
          hlo_attribute_name(id), (long long)list[i], (long long)list[i - 1]);
  return HLO_OK;
}

static uint64_t bits_of(const hlo_instruction *x, hlo_attribute_id id) {
  int32_t count;
  const int64_t *list = hlo_get_ints(x, id, &count);
  uint64_t bits = 0;
  for (int32_t i = 0; i < count; i++) bits |= (uint64_t)1 << list[i];
  return bits;
}

// The index vector lies along dimension index_vector_dim of the indices; one past the last means
// that every element is a vector of its own.
static hlo_status check_index_vector(const hlo_instruction *x, gather_lists *lists,
                                     hlo_error *error) {
  const hlo_shape *indices = lists->indices;
  int64_t vector = hlo_get_int(x, HLO_ATTRIBUTE_INDEX_VECTOR_DIM, -1);
  char text[HLO_SHAPE_TEXT_SIZE];
  if (vector < 0 || vector > indices->rank)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "index_vector_dim %lld is out of range for indices of shape %s",
                                (long long)vector, hlo_shape_to_text(text, indices));
  int64_t length = vector == indices->rank ? 1 : indices->dims[vector];
  int32_t count;
  hlo_get_ints(x, lists->index_map, &count);
  if (count != length)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "%s must have an entry for each of %lld numbers of an index: it "
                                "has %d",
                                hlo_attribute_name(lists->index_map), (long long)length, count);
  for (int32_t d = 0; d < indices->rank; d++) {
    if (d == vector) continue;
    lists->batch_dynamic[lists->batch_rank] = hlo_shape_is_dynamic_in(indices, d);
    lists->batch_dims[lists->batch_rank++] = indices->dims[d];
  }
  return HLO_OK;
}

static hlo_status check_batching(const hlo_instruction *x, const gather_lists *lists,
                                 hlo_error *error) {
  int32_t operand_count, indices_count;
  const int64_t *in_operand = hlo_get_ints(x, lists->operand_batching, &operand_count);
  const int64_t *in_indices = hlo_get_ints(x, lists->indices_batching, &indices_count);
  if (operand_count != indices_count)
    return hlo_instruction_fail(
        x, HLO_SHAPE_ERROR, error, "%s and %s must be of one length: %d and %d",
        hlo_attribute_name(lists->operand_batching), hlo_attribute_name(lists->indices_batching),
        operand_count, indices_count);
  for (int32_t i = 0; i < operand_count; i++) {
    if (in_indices[i] == hlo_get_int(x, HLO_ATTRIBUTE_INDEX_VECTOR_DIM, -1))
      return hlo_instruction_fail(
          x, HLO_SHAPE_ERROR, error, "index_vector_dim %lld may not stand in %s",
          (long long)in_indices[i], hlo_attribute_name(lists->indices_batching));
    if (lists->operand->dims[in_operand[i]] != lists->indices->dims[in_indices[i]])
      return hlo_fail_about(x, "batching dimensions must have the same size in operand and indices",
                            lists->operand, lists->indices, error);
  }
  return HLO_OK;
}

// What holds for gather and scatter alike.
static hlo_status check_lists(const hlo_instruction *x, gather_lists *lists, hlo_error *error) {
  HLO_TRY(hlo_require_distinct(x, lists->collapsed, lists->operand, error));
  HLO_TRY(hlo_require_distinct(x, lists->index_map, lists->operand, error));
  HLO_TRY(hlo_require_distinct(x, lists->operand_batching, lists->operand, error));
  HLO_TRY(hlo_require_distinct(x, lists->indices_batching, lists->indices, error));
  HLO_TRY(require_increasing(x, lists->collapsed, error));
  HLO_TRY(require_increasing(x, lists->operand_batching, error));
  HLO_TRY(require_increasing(x, lists->window, error));
  uint64_t collapsed = bits_of(x, lists->collapsed);
  uint64_t batching = bits_of(x, lists->operand_batching);
  if (((collapsed | bits_of(x, lists->index_map)) & batching) != 0)
    return hlo_instruction_fail(
        x, HLO_SHAPE_ERROR, error, "dimensions in %s may not stand in %s or %s too",
        hlo_attribute_name(lists->operand_batching), hlo_attribute_name(lists->collapsed),
        hlo_attribute_name(lists->index_map));
  HLO_TRY(check_index_vector(x, lists, error));
  HLO_TRY(check_batching(x, lists, error));
  lists->skipped = collapsed | batching;
  hlo_get_ints(x, lists->window, &lists->window_count);
  int32_t skipped_count = 0;
  for (int32_t d = 0; d < lists->operand->rank; d++) skipped_count += lists->skipped >> d & 1;
  char text[HLO_SHAPE_TEXT_SIZE];
  if (lists->window_count + skipped_count != lists->operand->rank)
    return hlo_instruction_fail(
        x, HLO_SHAPE_ERROR, error,
        "each operand dimension must stand for one in %s, or be in %s or "
        "%s: %s",
        hlo_attribute_name(lists->window), hlo_attribute_name(lists->collapsed),
        hlo_attribute_name(lists->operand_batching), hlo_shape_to_text(text, lists->operand));
  return HLO_OK;
}

static hlo_status check_slice_sizes(const hlo_instruction *x, const gather_lists *lists,
                                    hlo_error *error) {
  int32_t count;
  const int64_t *sizes = hlo_get_ints(x, HLO_ATTRIBUTE_SLICE_SIZES, &count);
  HLO_TRY(hlo_require_entries(x, HLO_ATTRIBUTE_SLICE_SIZES, lists->operand->rank, error));
  char text[HLO_SHAPE_TEXT_SIZE];
  for (int32_t d = 0; d < count; d++) {
    if (sizes[d] < 0 || sizes[d] > lists->operand->dims[d])
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "the slice size %lld does not fit in dimension %d of %s",
                                  (long long)sizes[d], d, hlo_shape_to_text(text, lists->operand));
    if ((lists->skipped >> d & 1) != 0 && sizes[d] > 1)
      return hlo_instruction_fail(
          x, HLO_SHAPE_ERROR, error,
          "the slice size of dimension %d, which is collapsed or a batching "
          "dimension, must be 1: %lld",
          d, (long long)sizes[d]);
  }
  return HLO_OK;
}

hlo_status hlo_infer_gather(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                            const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_ANY, error));
  HLO_TRY(hlo_require_array(x, 1, HLO_CLASSES_INTEGER, error));
  gather_lists lists = {.window = HLO_ATTRIBUTE_OFFSET_DIMS,
                        .collapsed = HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS,
                        .index_map = HLO_ATTRIBUTE_START_INDEX_MAP,
                        .operand_batching = HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS,
                        .indices_batching = HLO_ATTRIBUTE_START_INDICES_BATCHING_DIMS,
                        .operand = hlo_operand_shape(x, 0),
                        .indices = hlo_operand_shape(x, 1)};
  HLO_TRY(check_lists(x, &lists, error));
  HLO_TRY(check_slice_sizes(x, &lists, error));
  int32_t count, rank = lists.batch_rank + lists.window_count, batch = 0, window = 0, from = 0;
  const int64_t *offsets = hlo_get_ints(x, HLO_ATTRIBUTE_OFFSET_DIMS, &count);
  const int64_t *sizes = hlo_get_ints(x, HLO_ATTRIBUTE_SLICE_SIZES, &count);
  int64_t dims[2 * HLO_MAX_RANK];
  bool dynamic[2 * HLO_MAX_RANK] = {false};
  for (int32_t d = 0; d < rank; d++) {
    if (window < lists.window_count && offsets[window] == d) {
      while (lists.skipped >> from & 1) from++;
      dynamic[d] =
          hlo_shape_is_dynamic_in(lists.operand, from) && sizes[from] == lists.operand->dims[from];
      dims[d] = sizes[from++];
      window++;
    } else if (batch < lists.batch_rank) {
      dynamic[d] = lists.batch_dynamic[batch];
      dims[d] = lists.batch_dims[batch++];
    }
  }
  if (window != lists.window_count)
    return hlo_instruction_fail(
        x, HLO_SHAPE_ERROR, error,
        "dimension %lld in offset_dims is out of range for a result of rank "
        "%d",
        (long long)offsets[window], rank);
  return hlo_result_shape(x, arena, lists.operand->type, rank, dims, dynamic, out, error);
}

// The updates' window dimensions are no larger than the operand's, the others are the indices'.
static hlo_status check_updates(const hlo_instruction *x, const gather_lists *lists, int32_t first,
                                hlo_error *error) {
  const hlo_shape *updates = hlo_operand_shape(x, first);
  if (updates->rank != lists->batch_rank + lists->window_count)
    return hlo_fail_about(x,
                          "the updates must have a dimension for each of update_window_dims and "
                          "each of the indices but the index vector",
                          updates, lists->indices, error);
  HLO_TRY(hlo_require_distinct(x, lists->window, updates, error));
  uint64_t windows = bits_of(x, lists->window);
  for (int32_t d = 0, batch = 0, from = 0; d < updates->rank; d++) {
    if (windows >> d & 1) {
      while (lists->skipped >> from & 1) from++;
      if (updates->dims[d] > lists->operand->dims[from++])
        return hlo_fail_about(x, "a window of the updates is larger than the operand", updates,
                              lists->operand, error);
    } else if (updates->dims[d] != lists->batch_dims[batch++])
      return hlo_fail_about(x,
                            "dimensions of the updates outside of the window must be those of "
                            "the indices",
                            updates, lists->indices, error);
  }
  return HLO_OK;
}

// N operands, one array of indices, N updates.
hlo_status hlo_infer_scatter(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                             const hlo_shape **out, hlo_error *error) {
  (void)declared;
  if (x->operand_count % 2 != 1)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "takes indices and as many updates as arrays: %d operands in all",
                                x->operand_count);
  int32_t count = x->operand_count / 2;
  HLO_TRY(hlo_require_array(x, count, HLO_CLASSES_INTEGER, error));
  for (int32_t k = 0; k < count; k++) {
    HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_ANY, error));
    HLO_TRY(hlo_require_array(x, count + 1 + k, HLO_CLASSES_ANY, error));
    HLO_TRY(hlo_require_same_dimensions(x, 0, k, error));
    HLO_TRY(hlo_require_same_dimensions(x, count + 1, count + 1 + k, error));
    HLO_TRY(hlo_require_same_type(x, k, count + 1 + k, error));
  }
  HLO_TRY(hlo_require_reducer(x, HLO_ATTRIBUTE_TO_APPLY, count, arena, error));
  gather_lists lists = {.window = HLO_ATTRIBUTE_UPDATE_WINDOW_DIMS,
                        .collapsed = HLO_ATTRIBUTE_INSERTED_WINDOW_DIMS,
                        .index_map = HLO_ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS,
                        .operand_batching = HLO_ATTRIBUTE_INPUT_BATCHING_DIMS,
                        .indices_batching = HLO_ATTRIBUTE_SCATTER_INDICES_BATCHING_DIMS,
                        .operand = hlo_operand_shape(x, 0),
                        .indices = hlo_operand_shape(x, count)};
  HLO_TRY(check_lists(x, &lists, error));
  HLO_TRY(check_updates(x, &lists, count + 1, error));
  const hlo_shape **elements;
  HLO_ALLOC(elements, arena, count, error);
  for (int32_t k = 0; k < count; k++)
    HLO_TRY(hlo_result_shape_like(x, arena, hlo_operand_shape(x, k), hlo_operand_shape(x, k)->type,
                                  &elements[k], error));
  return hlo_result_shapes(x, arena, count, elements, out, error);
}
