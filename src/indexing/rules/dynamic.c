// Indexing rules of ops that take indices from other arrays: dynamic-slice, dynamic-update-slice,
// gather. The indices are runtime variables; XLA brings them into the array, so their ranges are
// such that the whole slice is inside. Source: "Operation Semantics" of XLA's documentation; the
// batching dimensions of gather: StableHLO's specification.
#include "indexing/rules/rules.h"

// --- start indices: scalars from operand `first` on, or all in one vector ---

typedef struct start_indices {
  int32_t first;
  bool is_vector;
} start_indices;

static start_indices read_starts(const hlo_rule_request *r, int32_t first) {
  start_indices starts = {first, false};
  starts.is_vector = first < r->x->operand_count && hlo_rule_operand_shape(r, first)->rank == 1;
  return starts;
}

// The runtime variable for dimension d, of which `size` elements of `whole` are taken.
static hlo_status add_start(hlo_rule_request *r, hlo_map_builder *b, const start_indices *starts,
                            int32_t d, int64_t whole, int64_t size, const hlo_affine **out,
                            hlo_error *error) {
  const hlo_affine **position;
  HLO_ALLOC(position, hlo_affine_arena(r->context), 1, error);
  position[0] = hlo_affine_constant(r->context, d);
  *out = hlo_map_add_runtime(b, hlo_interval_make(0, whole - size),
                             r->x->operands[starts->first + (starts->is_vector ? 0 : d)],
                             starts->is_vector ? 1 : 0, position);
  return HLO_OK;
}

static hlo_status add_start_operands(hlo_rule_request *r, const start_indices *starts,
                                     hlo_error *error) {
  for (int32_t k = starts->first; k < r->x->operand_count; k++) {
    if (!starts->is_vector) HLO_TRY(hlo_add_to_scalar(r, r->x->shape, k, error));
    else HLO_TRY(hlo_add_to_everything(r, r->x->shape, hlo_rule_operand_shape(r, k), k, error));
  }
  return HLO_OK;
}

typedef enum slice_direction { INTO_WHOLE, INTO_SLICE } slice_direction;

// Where the elements of a slice are in the whole that it is cut from, or the other way round.
static hlo_status add_slice_map(hlo_rule_request *r, const start_indices *starts,
                                const hlo_shape *slice, const hlo_shape *whole,
                                slice_direction direction, hlo_map_builder *b, hlo_error *error) {
  const hlo_affine *dims[HLO_MAX_RANK], *start;
  HLO_TRY(hlo_map_start(r, b, error));
  hlo_map_add_variables(b, HLO_AFFINE_DIM, direction == INTO_WHOLE ? slice : whole, dims);
  for (int32_t d = 0; d < whole->rank; d++) {
    HLO_TRY(add_start(r, b, starts, d, whole->dims[d], slice->dims[d], &start, error));
    int64_t sign = direction == INTO_WHOLE ? 1 : -1;
    hlo_map_set_result(b, d, hlo_affine_add_scaled(r->context, dims[d], start, sign));
  }
  return HLO_OK;
}

// --- dynamic-slice ---

hlo_status hlo_dynamic_slice_to_operands(hlo_rule_request *r, hlo_error *error) {
  start_indices starts = read_starts(r, 1);
  hlo_map_builder b;
  HLO_TRY(
      add_slice_map(r, &starts, r->x->shape, hlo_rule_operand_shape(r, 0), INTO_WHOLE, &b, error));
  HLO_TRY(hlo_map_finish(r, &b, 0, error));
  return add_start_operands(r, &starts, error);
}

hlo_status hlo_dynamic_slice_to_results(hlo_rule_request *r, hlo_error *error) {
  const hlo_shape *from = hlo_operand_leaf_shape(r->x, r->leaf), *to = r->x->shape;
  if (r->leaf > 0) return hlo_add_to_everything(r, from, to, 0, error);
  start_indices starts = read_starts(r, 1);
  hlo_map_builder b;
  HLO_TRY(add_slice_map(r, &starts, to, from, INTO_SLICE, &b, error));
  for (int32_t d = 0; d < to->rank; d++) hlo_map_limit(&b, b.results[d], to->dims[d]);
  return hlo_map_finish_simplified(r, &b, 0, HLO_SIMPLIFY_KEEP_POINTS, error);
}

// --- dynamic-update-slice: operand, update, start indices ---
//
// The documentation's maps leave out which elements of the operand are overwritten, and that an
// index into the update may lie outside of it. The latter is told apart here by the range that a
// composition gives the update's dims.

hlo_status hlo_dynamic_update_slice_to_operands(hlo_rule_request *r, hlo_error *error) {
  HLO_TRY(hlo_add_identity(r, r->x->shape, 0, error));
  start_indices starts = read_starts(r, 2);
  hlo_map_builder b;
  HLO_TRY(
      add_slice_map(r, &starts, hlo_rule_operand_shape(r, 1), r->x->shape, INTO_SLICE, &b, error));
  HLO_TRY(hlo_map_finish(r, &b, 1, error));
  return add_start_operands(r, &starts, error);
}

hlo_status hlo_dynamic_update_slice_to_results(hlo_rule_request *r, hlo_error *error) {
  const hlo_shape *from = hlo_operand_leaf_shape(r->x, r->leaf), *to = r->x->shape;
  if (r->leaf == 0) return hlo_add_identity(r, to, 0, error);
  if (r->leaf > 1) return hlo_add_to_everything(r, from, to, 0, error);
  start_indices starts = read_starts(r, 2);
  hlo_map_builder b;
  HLO_TRY(add_slice_map(r, &starts, from, to, INTO_WHOLE, &b, error));
  return hlo_map_finish(r, &b, 0, error);
}

// --- gather ---
//
// Dimensions of the result are offsets within the slice (offset_dims, in the order of the operand's
// dimensions that are neither collapsed nor batching) and, in order, the dimensions of the indices
// but for the index vector.

typedef struct int_list {
  const int64_t *ints;
  int32_t count;
} int_list;

typedef struct gather {
  const hlo_shape *operand, *indices, *result;
  int_list offset_dims, collapsed, start_map, operand_batching, indices_batching, sizes;
  int32_t vector_dim;
} gather;

static int_list read_list(const hlo_instruction *x, hlo_attribute_id id) {
  int_list list;
  list.ints = hlo_get_ints(x, id, &list.count);
  return list;
}

static int32_t position_in(const int_list *list, int32_t value) { // its position, -1: absent
  for (int32_t i = 0; i < list->count; i++)
    if (list->ints[i] == value) return i;
  return -1;
}

static gather read_gather(const hlo_rule_request *r) {
  const hlo_instruction *x = r->x;
  return (gather){
      .operand = hlo_rule_operand_shape(r, 0),
      .indices = hlo_rule_operand_shape(r, 1),
      .result = x->shape,
      .offset_dims = read_list(x, HLO_ATTRIBUTE_OFFSET_DIMS),
      .collapsed = read_list(x, HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS),
      .start_map = read_list(x, HLO_ATTRIBUTE_START_INDEX_MAP),
      .operand_batching = read_list(x, HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS),
      .indices_batching = read_list(x, HLO_ATTRIBUTE_START_INDICES_BATCHING_DIMS),
      .sizes = read_list(x, HLO_ATTRIBUTE_SLICE_SIZES),
      .vector_dim = (int32_t)hlo_get_int(x, HLO_ATTRIBUTE_INDEX_VECTOR_DIM, 0),
  };
}

// Where an element of the indices stands: batch[i] for the i-th dimension but the vector, and
// component along the vector.
static hlo_status indices_position(hlo_rule_request *r, const gather *g,
                                   const hlo_affine *const *batch, const hlo_affine *component,
                                   const hlo_affine ***out, hlo_error *error) {
  HLO_ALLOC(*out, hlo_affine_arena(r->context), g->indices->rank, error);
  for (int32_t d = 0, next = 0; d < g->indices->rank; d++)
    (*out)[d] = d == g->vector_dim ? component : batch[next++];
  return HLO_OK;
}

// For operand dimension d: the start of the slice there, a runtime variable, or NULL.
static hlo_status add_starts(hlo_rule_request *r, const gather *g, hlo_map_builder *b,
                             const hlo_affine *const *batch, const hlo_affine **starts,
                             hlo_error *error) {
  for (int32_t d = 0; d < g->operand->rank; d++) starts[d] = NULL;
  for (int32_t i = 0; i < g->start_map.count; i++) {
    int32_t d = (int32_t)g->start_map.ints[i];
    const hlo_affine **position;
    HLO_TRY(indices_position(r, g, batch, hlo_affine_constant(r->context, i), &position, error));
    starts[d] = hlo_map_add_runtime(b, hlo_interval_make(0, g->operand->dims[d] - g->sizes.ints[d]),
                                    r->x->operands[1], g->indices->rank, position);
  }
  return HLO_OK;
}

// The batch index that a batching dimension of the operand goes with.
static const hlo_affine *batch_of(const gather *g, const hlo_affine *const *batch, int32_t which) {
  int32_t d = (int32_t)g->indices_batching.ints[which];
  return batch[d > g->vector_dim ? d - 1 : d];
}

static hlo_status gather_to_operand(hlo_rule_request *r, const gather *g, hlo_error *error) {
  const hlo_affine *dims[HLO_MAX_RANK], *batch[HLO_MAX_RANK], *starts[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(hlo_map_start(r, &b, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, g->result, dims);
  for (int32_t d = 0, next = 0; d < g->result->rank; d++)
    if (position_in(&g->offset_dims, d) < 0) batch[next++] = dims[d];
  HLO_TRY(add_starts(r, g, &b, batch, starts, error));
  for (int32_t d = 0, next = 0; d < g->operand->rank; d++) {
    const hlo_affine *index = hlo_affine_constant(r->context, 0);
    int32_t batching = position_in(&g->operand_batching, d);
    if (batching >= 0) index = batch_of(g, batch, batching);
    else if (position_in(&g->collapsed, d) < 0) index = dims[g->offset_dims.ints[next++]];
    if (starts[d] != NULL) index = hlo_affine_add(r->context, index, starts[d]);
    hlo_map_set_result(&b, d, index);
  }
  return hlo_map_finish(r, &b, 0, error);
}

static hlo_status gather_to_indices(hlo_rule_request *r, const gather *g, hlo_error *error) {
  const hlo_affine *dims[HLO_MAX_RANK], *batch[HLO_MAX_RANK], **position, *component = NULL;
  hlo_map_builder b;
  HLO_TRY(hlo_map_start(r, &b, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, g->result, dims);
  for (int32_t d = 0, next = 0; d < g->result->rank; d++)
    if (position_in(&g->offset_dims, d) < 0) batch[next++] = dims[d];
  if (g->vector_dim < g->indices->rank)
    component = hlo_map_add_range(&b, g->indices->dims[g->vector_dim]);
  HLO_TRY(indices_position(r, g, batch, component, &position, error));
  for (int32_t d = 0; d < g->indices->rank; d++) hlo_map_set_result(&b, d, position[d]);
  return hlo_map_finish(r, &b, 1, error);
}

hlo_status hlo_gather_to_operands(hlo_rule_request *r, hlo_error *error) {
  gather g = read_gather(r);
  HLO_TRY(gather_to_operand(r, &g, error));
  return gather_to_indices(r, &g, error);
}

// From an element of the operand: wherever a slice contains it, whichever indices that takes.
static hlo_status operand_to_results(hlo_rule_request *r, const gather *g, hlo_error *error) {
  const hlo_affine *dims[HLO_MAX_RANK], *batch[HLO_MAX_RANK], *starts[HLO_MAX_RANK];
  int32_t batch_at[HLO_MAX_RANK], batch_rank = 0;
  hlo_map_builder b;
  HLO_TRY(hlo_map_start(r, &b, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, g->operand, dims);
  for (int32_t d = 0; d < g->result->rank; d++)
    if (position_in(&g->offset_dims, d) < 0) batch_at[batch_rank++] = d;
  for (int32_t i = 0; i < batch_rank; i++) batch[i] = NULL;
  for (int32_t i = 0; i < g->operand_batching.count; i++) {
    int32_t d = (int32_t)g->indices_batching.ints[i];
    batch[d > g->vector_dim ? d - 1 : d] = dims[g->operand_batching.ints[i]];
  }
  for (int32_t i = 0; i < batch_rank; i++)
    if (batch[i] == NULL) batch[i] = hlo_map_add_range(&b, g->result->dims[batch_at[i]]);
  HLO_TRY(add_starts(r, g, &b, batch, starts, error));
  for (int32_t i = 0; i < batch_rank; i++) hlo_map_set_result(&b, batch_at[i], batch[i]);
  for (int32_t d = 0, next = 0; d < g->operand->rank; d++) {
    if (position_in(&g->operand_batching, d) >= 0) continue;
    const hlo_affine *offset = dims[d];
    if (starts[d] != NULL) offset = hlo_affine_add_scaled(r->context, offset, starts[d], -1);
    hlo_map_limit(&b, offset, g->sizes.ints[d]);
    if (position_in(&g->collapsed, d) < 0)
      hlo_map_set_result(&b, (int32_t)g->offset_dims.ints[next++], offset);
  }
  return hlo_map_finish_simplified(r, &b, 0, HLO_SIMPLIFY_KEEP_POINTS, error);
}

static hlo_status indices_to_results(hlo_rule_request *r, const gather *g, hlo_error *error) {
  const hlo_affine *dims[HLO_MAX_RANK];
  hlo_map_builder b;
  HLO_TRY(hlo_map_start(r, &b, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, g->indices, dims);
  for (int32_t d = 0, next = 0; d < g->result->rank; d++) {
    if (position_in(&g->offset_dims, d) >= 0) {
      hlo_map_set_result(&b, d, hlo_map_add_range(&b, g->result->dims[d]));
    } else {
      if (next == g->vector_dim) next++;
      hlo_map_set_result(&b, d, dims[next++]);
    }
  }
  return hlo_map_finish(r, &b, 0, error);
}

hlo_status hlo_gather_to_results(hlo_rule_request *r, hlo_error *error) {
  gather g = read_gather(r);
  return r->leaf == 0 ? operand_to_results(r, &g, error) : indices_to_results(r, &g, error);
}
