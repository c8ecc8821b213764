// Gather: copies slices of the operand that start at the index vectors. Source of semantics:
// "Gather" of the operation semantics; start indices are clamped so that each slice lies inside of
// the operand. Must not know what elements mean.
#include "base/copy.h"
#include "eval/index_vectors.h"

enum { BYTES_IN_A_NANOSECOND = 10 };

static const hlo_index_vector_attributes attributes = {
    .window_dims = HLO_ATTRIBUTE_OFFSET_DIMS,
    .dropped_dims = HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS,
    .index_map = HLO_ATTRIBUTE_START_INDEX_MAP,
    .operand_batching = HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS,
    .indices_batching = HLO_ATTRIBUTE_START_INDICES_BATCHING_DIMS,
};

// Slices without elements leave nothing to copy, but a result may have elements when a dimension of
// such a slice is collapsed: XLA gives zeros, and so does an operand without elements.
static bool slices_are_empty(const hlo_view *operand, const int64_t *sizes) {
  for (int32_t d = 0; d < operand->rank; d++) {
    if (sizes[d] == 0) return true;
  }
  return false;
}

static void fill_with_zeros(const hlo_view *result) {
  static const char zeros[16];
  hlo_view_fill(result, zeros);
}

// Rows by one number each: little besides the copies, so that many of them wait for memory at once.
static void gather_by_number(const hlo_index_rows *rows, const char *operand) {
  const char *at = rows->vector;
  char *to = rows->slice;
  ptrdiff_t at_step = (ptrdiff_t)rows->vector_stride, to_step = (ptrdiff_t)rows->slice_stride;
  size_t bytes = (size_t)rows->slice_bytes;
  int64_t limit = rows->limits[0], stride = rows->strides[0];
  hlo_index_rows type_alone = {.type = rows->type};
  for (ptrdiff_t i = (ptrdiff_t)rows->count; i > 0; i--, at += at_step, to += to_step) {
    int64_t start = hlo_index_rows_number(&type_alone, at);
    start = start < 0 ? 0 : start > limit ? limit : start;
    hlo_copy_bytes(to, operand + start * stride, bytes);
  }
}

static void gather_rows(const hlo_index_rows *rows, const char *operand) {
  if (rows->length == 1) {
    gather_by_number(rows, operand);
    return;
  }
  const char *vector = rows->vector;
  char *to = rows->slice;
  for (int64_t i = 0; i < rows->count; i++) {
    int64_t offset = 0;
    for (int32_t j = 0; j < rows->length; j++) {
      int64_t start = hlo_index_rows_number(rows, vector + j * rows->number_stride);
      int64_t limit = rows->limits[j];
      offset += (start < 0 ? 0 : start > limit ? limit : start) * rows->strides[j];
    }
    hlo_copy_bytes(to, operand + offset, (size_t)rows->slice_bytes);
    vector += rows->vector_stride;
    to += rows->slice_stride;
  }
}

typedef struct gather_work {
  hlo_index_rows rows;
  const char *operand;
  int64_t share;
} gather_work;

static void gather_part(void *data, int32_t part, int32_t thread) {
  const gather_work *work = data;
  hlo_index_rows rows = work->rows;
  int64_t first = part * work->share, left = rows.count - first;
  (void)thread;
  rows.vector += first * rows.vector_stride;
  rows.slice += first * rows.slice_stride;
  rows.count = left < work->share ? left : work->share;
  gather_rows(&rows, work->operand);
}

static void gather_in_parts(const hlo_backend *backend, const hlo_index_rows *rows,
                            const char *operand) {
  gather_work work = {.rows = *rows, .operand = operand};
  double time = (double)rows->count * rows->slice_bytes / BYTES_IN_A_NANOSECOND;
  int32_t parts = hlo_backend_parts(backend, rows->count, time);
  work.share = (rows->count + parts - 1) / parts;
  hlo_backend_parallel(backend, gather_part, &work,
                       (int32_t)((rows->count + work.share - 1) / work.share));
}

hlo_status hlo_eval_gather(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                           const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  (void)error;
  const hlo_view *operand = &operands[0], *result = &results[0];
  int32_t count;
  const int64_t *sizes = hlo_get_ints(instruction, HLO_ATTRIBUTE_SLICE_SIZES, &count);
  hlo_index_vectors vectors;
  hlo_view to, from;
  if (hlo_view_elements(result) == 0) return HLO_OK;
  if (slices_are_empty(operand, sizes)) {
    fill_with_zeros(result);
    return HLO_OK;
  }
  hlo_index_vectors_start(&vectors, instruction, &attributes, operand, &operands[1], result);
  hlo_index_vectors_view_slice(&vectors, result, &to);
  hlo_index_vectors_view_window(&vectors, operand, &to, &from);
  hlo_index_rows rows;
  if (hlo_index_rows_make(&vectors, operand, result, &to, &from, &rows)) {
    gather_in_parts(evaluator->backend, &rows, operand->data);
    return HLO_OK;
  }
  do {
    int64_t starts[HLO_MAX_RANK];
    hlo_index_vectors_read(&vectors, starts);
    for (int32_t d = 0; d < operand->rank; d++) {
      int64_t limit = operand->dims[d] - sizes[d];
      starts[d] = starts[d] < 0 ? 0 : starts[d] > limit ? limit : starts[d];
    }
    to.data = hlo_index_vectors_slice_at(&vectors, result);
    from.data = hlo_index_vectors_window_at(operand, starts);
    hlo_view_copy(&to, &from);
  } while (hlo_index_vectors_next(&vectors));
  return HLO_OK;
}
