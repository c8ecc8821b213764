// See index_vectors.h. Source of semantics: "Gather" and "Scatter" of the operation semantics; the
// batching dimensions, which it leaves out, are StableHLO's (specification of gather and scatter).
#include "kernels/indexed/index_vectors.h"

#include "shape/literal.h"

// Iterates over all dimensions of the indices except vector_dim; vector_dim == rank means that
// every index is a vector of length 1.
static void start_walk(hlo_index_vectors *vectors, int64_t vector_dim) {
  const hlo_view *indices = vectors->indices;
  vectors->stride = vector_dim < indices->rank ? indices->strides[vector_dim] : 0;
  for (int32_t d = 0; d < indices->rank; d++) {
    if (d == vector_dim) continue;
    vectors->dims[vectors->rank] = indices->dims[d];
    vectors->strides[vectors->rank] = indices->strides[d];
    vectors->index[vectors->rank++] = 0;
  }
}

void hlo_index_vectors_start(hlo_index_vectors *vectors, const hlo_instruction *instruction,
                             const hlo_index_vector_attributes *attributes, const hlo_view *operand,
                             const hlo_view *indices, const hlo_view *slices) {
  int64_t vector_dim = hlo_get_int(instruction, HLO_ATTRIBUTE_INDEX_VECTOR_DIM, 0);
  int32_t count, walk_rank = 0;
  // Not zero-initialised: clearing arrays of maximum rank costs as much as moving a few elements.
  vectors->indices = indices;
  vectors->operand_rank = operand->rank;
  vectors->rank = vectors->window_rank = 0;
  vectors->index_map = hlo_get_ints(instruction, attributes->index_map, &vectors->length);
  vectors->operand_batching =
      hlo_get_ints(instruction, attributes->operand_batching, &vectors->batching_count);
  const int64_t *batching = hlo_get_ints(instruction, attributes->indices_batching, &count);
  for (int32_t i = 0; i < count; i++) {
    vectors->batching[i] = (int32_t)(batching[i] > vector_dim ? batching[i] - 1 : batching[i]);
  }
  start_walk(vectors, vector_dim);
  for (int32_t d = 0; d < slices->rank; d++) {
    if (hlo_lists(instruction, attributes->window_dims, d)) {
      vectors->window_dims[vectors->window_rank++] = d;
    } else {
      vectors->slices_dims[walk_rank++] = d;
    }
  }
  for (int32_t d = 0, window = 0; d < operand->rank; d++) {
    if (hlo_lists(instruction, attributes->dropped_dims, d)) continue;
    if (hlo_lists(instruction, attributes->operand_batching, d)) continue;
    vectors->operand_dims[window++] = d;
  }
}

bool hlo_index_vectors_next(hlo_index_vectors *vectors) {
  return hlo_next_index(vectors->rank, vectors->dims, vectors->index);
}

void hlo_index_vectors_read(const hlo_index_vectors *vectors, int64_t *starts) {
  int64_t offset = 0;
  for (int32_t d = 0; d < vectors->operand_rank; d++) starts[d] = 0;
  for (int32_t i = 0; i < vectors->rank; i++) offset += vectors->index[i] * vectors->strides[i];
  for (int32_t i = 0; i < vectors->length; i++) {
    hlo_number number = hlo_element_get(
        vectors->indices->type, hlo_view_at(vectors->indices, offset + i * vectors->stride));
    bool is_signed = number.type_class == HLO_CLASS_SIGNED;
    int64_t capped = number.u > INT64_MAX ? INT64_MAX : (int64_t)number.u;
    starts[vectors->index_map[i]] = is_signed ? number.i : capped;
  }
  for (int32_t i = 0; i < vectors->batching_count; i++) {
    starts[vectors->operand_batching[i]] = vectors->index[vectors->batching[i]];
  }
}

void hlo_index_vectors_view_slice(const hlo_index_vectors *vectors, const hlo_view *slices,
                                  hlo_view *out) {
  out->type = slices->type;
  out->data = slices->data;
  out->rank = vectors->window_rank;
  for (int32_t i = 0; i < out->rank; i++) {
    out->dims[i] = slices->dims[vectors->window_dims[i]];
    out->strides[i] = slices->strides[vectors->window_dims[i]];
  }
}

void hlo_index_vectors_view_window(const hlo_index_vectors *vectors, const hlo_view *operand,
                                   const hlo_view *slice, hlo_view *out) {
  out->type = operand->type;
  out->data = operand->data;
  out->rank = slice->rank;
  for (int32_t i = 0; i < out->rank; i++) {
    out->dims[i] = slice->dims[i];
    out->strides[i] = operand->strides[vectors->operand_dims[i]];
  }
}

void *hlo_index_vectors_slice_at(const hlo_index_vectors *vectors, const hlo_view *slices) {
  int64_t offset = 0;
  for (int32_t i = 0; i < vectors->rank; i++) {
    offset += vectors->index[i] * slices->strides[vectors->slices_dims[i]];
  }
  return hlo_view_at(slices, offset);
}

void *hlo_index_vectors_window_at(const hlo_view *operand, const int64_t *starts) {
  int64_t offset = 0;
  for (int32_t d = 0; d < operand->rank; d++) offset += starts[d] * operand->strides[d];
  return hlo_view_at(operand, offset);
}

// Collapses the iteration space into one dimension of the given *stride. False if it is not evenly
// spaced.
static bool is_even(const hlo_index_vectors *vectors, const int64_t *strides, int64_t *stride) {
  int64_t size = 1;
  *stride = 0;
  for (int32_t i = vectors->rank - 1; i >= 0; i--) {
    if (vectors->dims[i] == 1) continue;
    if (size == 1) *stride = strides[i];
    else if (strides[i] != size * *stride) return false;
    size *= vectors->dims[i];
  }
  return true;
}

// Walks from the last dimension on. False if batches are not evenly spaced.
static bool detect_batches(const hlo_index_vectors *vectors, const hlo_view *operand,
                           hlo_index_rows *out) {
  int64_t strides[HLO_MAX_RANK] = {0}, size = 1;
  bool is_over = false;
  for (int32_t i = 0; i < vectors->batching_count; i++)
    strides[vectors->batching[i]] = operand->strides[vectors->operand_batching[i]];
  out->period = out->batches = 1;
  for (int32_t d = vectors->rank - 1; d >= 0; size *= vectors->dims[d--]) {
    if (vectors->dims[d] == 1) continue;
    bool is_batch = strides[d] != 0;
    if (is_batch && out->batches == 1) {
      out->period = size;
      out->batch_stride = strides[d];
    }
    is_over = is_over || (!is_batch && out->batches > 1);
    if (is_batch && (is_over || strides[d] != out->batches * out->batch_stride)) return false;
    if (is_batch) out->batches *= vectors->dims[d];
  }
  return true;
}

void hlo_index_rows_batch_offsets(const hlo_index_rows *rows, int64_t first, ptrdiff_t *offsets,
                                  ptrdiff_t count) {
  int64_t done = first % rows->period, batch = first / rows->period % rows->batches;
  ptrdiff_t stride = (ptrdiff_t)rows->batch_stride, offset = (ptrdiff_t)batch * stride;
  for (ptrdiff_t i = 0; i < count; i++) {
    offsets[i] = offset;
    if (rows->batches == 1 || ++done < rows->period) continue;
    done = 0;
    batch = batch + 1 < rows->batches ? batch + 1 : 0;
    offset = (ptrdiff_t)batch * stride;
  }
}

bool hlo_index_rows_match(const hlo_index_vectors *vectors, const hlo_view *operand,
                          const hlo_view *slices, const hlo_view *slice, const hlo_view *window,
                          hlo_index_rows *out) {
  const hlo_view *indices = vectors->indices;
  int64_t size = hlo_type_bytes(operand->type), index_size = hlo_type_bytes(indices->type);
  int64_t strides[HLO_MAX_RANK], covered[HLO_MAX_RANK];
  *out = (hlo_index_rows){.count = 1, .length = vectors->length, .type = indices->type};
  bool is_common = indices->type == HLO_S32 || indices->type == HLO_U32 || indices->type == HLO_S64;
  int64_t run = 1;
  int32_t apart = window->rank;
  while (apart > 0 && (window->dims[apart - 1] == 1 ||
                       (slice->strides[apart - 1] == run && window->strides[apart - 1] == run)))
    run *= window->dims[--apart];
  for (int32_t i = 0; i < vectors->rank; i++) {
    strides[i] = slices->strides[vectors->slices_dims[i]];
    out->count *= vectors->dims[i];
  }
  if (!is_common || !is_even(vectors, vectors->strides, &out->vector_stride) ||
      !is_even(vectors, strides, &out->slice_stride) || !detect_batches(vectors, operand, out)) {
    return false;
  }
  out->vector = indices->data;
  out->vector_stride *= index_size;
  out->number_stride = vectors->stride * index_size;
  out->batch_stride *= size;
  out->slice = slices->data;
  out->slice_stride *= size;
  out->slice_bytes = run * size;
  out->apart = apart;
  for (int32_t d = 0; d < operand->rank; d++) covered[d] = 1;
  for (int32_t i = 0; i < window->rank; i++) covered[vectors->operand_dims[i]] = window->dims[i];
  for (int32_t i = 0; i < vectors->length; i++) {
    int64_t d = vectors->index_map[i];
    out->limits[i] = operand->dims[d] - covered[d];
    out->strides[i] = operand->strides[d] * size;
  }
  return true;
}
