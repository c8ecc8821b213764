// Operations that read or write at places that other operands say. Source of semantics:
// "DynamicSlice", "DynamicUpdateSlice", "Gather" and "Scatter" of the operation semantics; of
// batching dimensions, StableHLO's specification.
#include "reference/operation.h"

static int64_t clamped(int64_t start, int64_t last) {
  return start < 0 ? 0 : start > last ? last : start;
}

// Where the slice `part` of `whole` starts, clamped so that it lies inside: a scalar operand for
// each dimension, from operand `first` on, or one that is a vector of all.
static void read_starts(const hlo_operation *x, int32_t first, const hlo_view *whole,
                        const hlo_view *part, int64_t *starts) {
  const hlo_view *indices = x->operands + first;
  bool is_vector = x->instruction->operand_count == first + 1 && indices[0].rank == 1;
  for (int64_t d = 0; d < whole->rank; d++) {
    hlo_number start =
        is_vector ? hlo_number_at(&indices[0], &d) : hlo_number_at(&indices[d], NULL);
    starts[d] = clamped(hlo_integer_of(start), whole->dims[d] - part->dims[d]);
  }
}

// DynamicSlice: result[i] = operand[start + i].
hlo_scalar hlo_reference_dynamic_slice(const hlo_operation *x, const int64_t *at) {
  int64_t from[HLO_MAX_RANK];
  read_starts(x, 1, x->operands, x->results, from);
  for (int32_t d = 0; d < x->results->rank; d++) from[d] += at[d];
  return hlo_scalar_at(x->operands, from);
}

// DynamicUpdateSlice: operand 0, but result[start + i] = update[i].
hlo_scalar hlo_reference_dynamic_update_slice(const hlo_operation *x, const int64_t *at) {
  const hlo_view *update = &x->operands[1];
  int64_t starts[HLO_MAX_RANK], inside[HLO_MAX_RANK];
  read_starts(x, 2, x->operands, update, starts);
  for (int32_t d = 0; d < update->rank; d++) {
    inside[d] = at[d] - starts[d];
    if (inside[d] < 0 || inside[d] >= update->dims[d]) return hlo_scalar_at(x->operands, at);
  }
  return hlo_scalar_at(update, inside);
}

// --- index vectors ---

// The attributes of gather, and those of scatter that stand for the same.
typedef struct index_attributes {
  hlo_attribute_id window, dropped, map, operand_batching, indices_batching;
} index_attributes;

// For an index into the array of slices (gather's result, scatter's updates): its dimensions that
// are not window dimensions say which index vector counts, and that where the slice starts in the
// operand; the window dimensions are the place within the slice.
static void locate(const hlo_instruction *x, const index_attributes *names, const hlo_view *indices,
                   const hlo_view *operand, const hlo_view *slices, const int64_t *at,
                   int64_t *starts, int64_t *inside) {
  int64_t vector_dim = hlo_get_int(x, HLO_ATTRIBUTE_INDEX_VECTOR_DIM, 0), vector[HLO_MAX_RANK + 1];
  hlo_int_list map = hlo_int_list_of(x, names->map);
  hlo_int_list operand_batching = hlo_int_list_of(x, names->operand_batching);
  hlo_int_list indices_batching = hlo_int_list_of(x, names->indices_batching);
  int64_t window[HLO_MAX_RANK];
  int32_t window_rank = 0, batch = 0;
  for (int32_t d = 0; d < slices->rank; d++) {
    if (hlo_lists(x, names->window, d)) {
      window[window_rank++] = at[d];
    } else {
      if (batch == vector_dim) batch++;
      vector[batch++] = at[d];
    }
  }
  for (int32_t d = 0, w = 0; d < operand->rank; d++) {
    bool is_dropped = hlo_lists(x, names->dropped, d) || hlo_lists(x, names->operand_batching, d);
    inside[d] = is_dropped ? 0 : window[w++];
    starts[d] = 0;
  }
  for (int32_t i = 0; i < map.count; i++) {
    vector[vector_dim] = i;
    starts[map.ints[i]] = hlo_integer_of(hlo_number_at(indices, vector));
  }
  for (int32_t i = 0; i < operand_batching.count; i++)
    starts[operand_batching.ints[i]] = vector[indices_batching.ints[i]];
}

// Gather: slices of the operand, each clamped to lie inside of it.
hlo_scalar hlo_reference_gather(const hlo_operation *x, const int64_t *at) {
  static const index_attributes names = {
      HLO_ATTRIBUTE_OFFSET_DIMS, HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS, HLO_ATTRIBUTE_START_INDEX_MAP,
      HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS, HLO_ATTRIBUTE_START_INDICES_BATCHING_DIMS};
  const hlo_view *operand = x->operands;
  hlo_int_list sizes = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_SLICE_SIZES);
  int64_t starts[HLO_MAX_RANK], from[HLO_MAX_RANK];
  locate(x->instruction, &names, &x->operands[1], operand, x->results, at, starts, from);
  for (int32_t d = 0; d < operand->rank; d++) {
    // A collapsed dimension of a slice without elements has one all the same: XLA gives zeros.
    if (sizes.ints[d] == 0) return (hlo_scalar){.type = operand->type};
    from[d] += clamped(starts[d], operand->dims[d] - sizes.ints[d]);
  }
  return hlo_scalar_at(operand, from);
}

// Whether the slice of the updates at that index lies inside of the operand as a whole: `starts` is
// where it begins, and it covers the window dimensions of the updates.
static bool is_inside(const hlo_instruction *x, const index_attributes *names,
                      const hlo_view *operand, const hlo_view *updates, const int64_t *starts) {
  int32_t next = 0;
  for (int32_t d = 0; d < operand->rank; d++) {
    int64_t size = 1;
    if (!hlo_lists(x, names->dropped, d) && !hlo_lists(x, names->operand_batching, d)) {
      while (!hlo_lists(x, names->window, next)) next++;
      size = updates->dims[next++];
    }
    if (starts[d] < 0 || starts[d] > operand->dims[d] - size) return false;
  }
  return true;
}

// A walk over window dimensions of the updates, or over the others, which are those of the index
// vectors; along all else it is at the given place.
static hlo_index over_updates(const hlo_operation *x, const hlo_view *updates, bool is_window,
                              const int64_t *at) {
  hlo_index index = hlo_index_over(updates);
  for (int32_t d = 0; d < updates->rank; d++)
    if (hlo_lists(x->instruction, HLO_ATTRIBUTE_UPDATE_WINDOW_DIMS, d) != is_window)
      hlo_index_fix(&index, d, at[d]);
  return index;
}

// Scatter: the operands, into which to_apply combines the updates one after the other. A slice that
// is not inside as a whole is left out as a whole, as XLA's backends do.
hlo_status hlo_reference_scatter(const hlo_operation *x, hlo_error *error) {
  static const index_attributes names = {
      HLO_ATTRIBUTE_UPDATE_WINDOW_DIMS, HLO_ATTRIBUTE_INSERTED_WINDOW_DIMS,
      HLO_ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS, HLO_ATTRIBUTE_INPUT_BATCHING_DIMS,
      HLO_ATTRIBUTE_SCATTER_INDICES_BATCHING_DIMS};
  const hlo_computation *combine = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_TO_APPLY);
  int32_t count = x->instruction->operand_count / 2;
  const hlo_view *updates = x->operands + count + 1;
  int64_t starts[HLO_MAX_RANK], to[HLO_MAX_RANK], origin[HLO_MAX_RANK] = {0};
  hlo_scalar *values, *combined;
  HLO_ALLOC(values, x->reference->arena, 2 * (int64_t)count, error);
  HLO_ALLOC(combined, x->reference->arena, count, error);
  for (int32_t k = 0; k < count; k++) hlo_reference_copy(&x->results[k], &x->operands[k]);
  for (hlo_index i = over_updates(x, updates, false, origin); hlo_index_next(&i);) {
    for (hlo_index w = over_updates(x, updates, true, i.at); hlo_index_next(&w);) {
      locate(x->instruction, &names, &x->operands[count], x->results, updates, w.at, starts, to);
      if (!is_inside(x->instruction, &names, x->results, updates, starts)) break;
      for (int32_t d = 0; d < x->results->rank; d++) to[d] += starts[d];
      for (int32_t k = 0; k < count; k++) {
        values[k] = hlo_scalar_at(&x->results[k], to);
        values[count + k] = hlo_scalar_at(&updates[k], w.at);
      }
      HLO_TRY(hlo_reference_apply(x->reference, combine, values, combined, error));
      for (int32_t k = 0; k < count; k++) hlo_store_scalar(&x->results[k], to, combined[k]);
    }
  }
  return HLO_OK;
}
