// Gather: copies slices of the operand that start at the index vectors. Source of semantics:
// "Gather" of the operation semantics; start indices are clamped so that each slice lies inside of
// the operand.
#include "base/copy.h"
#include "kernels/indexed/index_vectors.h"
#include "kernels/machine.h"

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

// Adds one component of each index vector to the slice offsets. 32-bit arithmetic, like addresses,
// lets the compiler clamp and multiply several at a time if the distance of vectors is a constant.
#define EACH_NUMBER(number, step, set)                                                             \
  for (ptrdiff_t i = 0; i < count; i++) {                                                          \
    number start = *(const number *)(const void *)(at + i * (step));                               \
    slices[i] set(ptrdiff_t)(start < 0 ? 0 : start > last ? last : start) * stride;                \
  }
#define DEFINE_EACH(name, number, largest, set, is_common_step)                                    \
  static void name(const char *at, ptrdiff_t step, int64_t limit, ptrdiff_t stride,                \
                   ptrdiff_t *restrict slices, ptrdiff_t count) {                                  \
    enum { SIZE = sizeof(number) };                                                                \
    number last = limit > largest ? largest : (number)limit;                                       \
    if (is_common_step && step == SIZE) EACH_NUMBER(number, SIZE, set)                             \
    else if (is_common_step && step == 2 * SIZE) EACH_NUMBER(number, 2 * SIZE, set)                \
    else EACH_NUMBER(number, step, set)                                                            \
  }
DEFINE_EACH(start_s32, int32_t, INT32_MAX, =, true)
DEFINE_EACH(start_u32, uint32_t, UINT32_MAX, =, false)
DEFINE_EACH(start_s64, int64_t, INT64_MAX, =, false)
DEFINE_EACH(move_s32, int32_t, INT32_MAX, +=, true)
DEFINE_EACH(move_u32, uint32_t, UINT32_MAX, +=, false)
DEFINE_EACH(move_s64, int64_t, INT64_MAX, +=, false)

// Byte offsets in the operand of `count` slices from number `first` on. Optimised for size: it only
// dispatches to loops.
__attribute__((minsize)) static void find_slices(const hlo_index_rows *rows, int64_t first,
                                                 ptrdiff_t *slices, ptrdiff_t count) {
  ptrdiff_t step = (ptrdiff_t)rows->vector_stride;
  const char *vector = rows->vector + (ptrdiff_t)first * step;
  bool starts = rows->batches == 1 && rows->length > 0;
  if (!starts) hlo_index_rows_batch_offsets(rows, first, slices, count);
  for (int32_t j = 0; j < rows->length; j++, vector += rows->number_stride) {
    int64_t limit = rows->limits[j];
    ptrdiff_t stride = (ptrdiff_t)rows->strides[j];
    bool first_number = starts && j == 0;
    if (rows->type == HLO_S32)
      (first_number ? start_s32 : move_s32)(vector, step, limit, stride, slices, count);
    else if (rows->type == HLO_U32)
      (first_number ? start_u32 : move_u32)(vector, step, limit, stride, slices, count);
    else (first_number ? start_s64 : move_s64)(vector, step, limit, stride, slices, count);
  }
}

// Prefetch. Copies alone fill the reorder buffer after two or three slices, which limits the cache
// misses in flight, and WebAssembly has no prefetch instruction: so a tight loop first reads one
// byte of each line of many slices. Enough slices to amortise the latency at both ends, few enough
// to stay in L2.
#define READ_LINES(lines)                                                                          \
  for (; left >= (lines) * HLO_LINE_BYTES;                                                         \
       left -= (lines) * HLO_LINE_BYTES, at += (lines) * HLO_LINE_BYTES) {                         \
    for (ptrdiff_t i = 0; i < count; i++) {                                                        \
      const volatile char *line = operand + slices[i] + at;                                        \
      _Pragma("unroll") for (int k = 0; k < (lines); k++)(void) line[k * HLO_LINE_BYTES];          \
    }                                                                                              \
  }
static void read_lines(const char *operand, const ptrdiff_t *slices, ptrdiff_t count,
                       ptrdiff_t bytes) {
  ptrdiff_t at = 0, left = bytes + HLO_LINE_BYTES - 1; // a part of a line as well
  READ_LINES(8)
  READ_LINES(4)
  READ_LINES(2)
  READ_LINES(1)
}

#define COPY(size)                                                                                 \
  do {                                                                                             \
    struct {                                                                                       \
      uint8_t bytes[size];                                                                         \
    } moved;                                                                                       \
    memcpy(&moved, from, size);                                                                    \
    memcpy(to, &moved, size);                                                                      \
    to += size;                                                                                    \
    from += size;                                                                                  \
    bytes -= size;                                                                                 \
  } while (0)

static inline void copy_slice(char *to, const char *from, ptrdiff_t bytes) {
  while (bytes >= 64) COPY(64);
  while (bytes >= 16) COPY(16);
  if (bytes >= 8) COPY(8);
  if (bytes >= 4) COPY(4);
  if (bytes >= 2) COPY(2);
  if (bytes >= 1) COPY(1);
}

// Copies short slices of `size` bytes from the given offsets to results `step` apart.
#define MOVE_ALL(size)                                                                             \
  for (ptrdiff_t i = 0; i < count; i++, to += step) memcpy(to, from + slices[i], size)
static __attribute__((noinline)) void copy_short(char *to, ptrdiff_t step, const char *from,
                                                 const ptrdiff_t *slices, ptrdiff_t count,
                                                 ptrdiff_t bytes) {
  if (bytes == 4) MOVE_ALL(4);
  else if (bytes == 8) MOVE_ALL(8);
  else if (bytes == 1) MOVE_ALL(1);
  else if (bytes == 2) MOVE_ALL(2);
  else
    for (ptrdiff_t i = 0; i < count; i++, to += step) copy_slice(to, from + slices[i], bytes);
}

typedef struct gather_work {
  hlo_index_rows rows;
  hlo_view to, from; // a slice in the result and in the operand
  const char *operand;
  int64_t share;
  bool is_near;
} gather_work;

static void gather_rows(const gather_work *work, const hlo_index_rows *rows) {
  const char *operand = work->operand;
  ptrdiff_t slices[HLO_GATHER_SLICES];
  char *to = rows->slice;
  ptrdiff_t bytes = (ptrdiff_t)rows->slice_bytes, step = (ptrdiff_t)rows->slice_stride;
  bool is_short = bytes <= HLO_SHORT_SLICE;
  bool is_long = bytes >= HLO_GATHER_LONG_SLICE;
  ptrdiff_t together = is_long ? 1 : HLO_PREFETCH_BYTES / bytes;
  if (together > HLO_GATHER_SLICES) together = HLO_GATHER_SLICES;
  for (int64_t left = rows->count; left > 0; left -= together) {
    ptrdiff_t count = left < together ? (ptrdiff_t)left : together;
    find_slices(rows, rows->first + rows->count - left, slices, count);
    if (is_short) {
      copy_short(to, step, operand, slices, count, bytes);
      to += count * step;
      continue;
    }
    bool in_order = slices[count - 1] - slices[0] == (count - 1) * bytes;
    if (!work->is_near && !in_order) read_lines(operand, slices, count, bytes);
    for (ptrdiff_t i = 0; i < count; i++, to += step) {
      if (is_long) hlo_copy_bytes(to, operand + slices[i], (size_t)bytes);
      else copy_slice(to, operand + slices[i], bytes);
    }
  }
}

// Slices whose pieces are far apart in the result: to write it sequentially, copies the first piece
// of all slices, then the second, and so on.
static void gather_columns(const gather_work *work, const hlo_index_rows *rows) {
  const char *operand = work->operand;
  ptrdiff_t slices[HLO_GATHER_COLUMNS];
  char *to = rows->slice;
  ptrdiff_t size = (ptrdiff_t)hlo_type_bytes(work->to.type), step = (ptrdiff_t)rows->slice_stride;
  for (int64_t left = rows->count; left > 0; left -= HLO_GATHER_COLUMNS) {
    ptrdiff_t count = left < HLO_GATHER_COLUMNS ? (ptrdiff_t)left : HLO_GATHER_COLUMNS;
    int64_t index[HLO_MAX_RANK] = {0};
    find_slices(rows, rows->first + rows->count - left, slices, count);
    ptrdiff_t low = slices[0], high = low;
    for (ptrdiff_t i = 1; i < count; i++) {
      if (slices[i] < low) low = slices[i];
      if (slices[i] > high) high = slices[i];
    }
    bool in_order = !work->is_near && high - low <= 4 * count * HLO_LINE_BYTES;
    do {
      ptrdiff_t there = 0, here = 0;
      for (int32_t d = 0; d < rows->apart; d++) {
        there += (ptrdiff_t)(index[d] * work->to.strides[d]) * size;
        here += (ptrdiff_t)(index[d] * work->from.strides[d]) * size;
      }
      const volatile char *last = operand + here + high;
      for (const volatile char *at = operand + here + low; in_order && at <= last;
           at += HLO_LINE_BYTES)
        (void)*at;
      copy_short(to + there, step, operand + here, slices, count, (ptrdiff_t)rows->slice_bytes);
    } while (hlo_next_index(rows->apart, work->to.dims, index));
    to += count * step;
  }
}

static void gather_part(void *data, int32_t part, int32_t thread) {
  const gather_work *work = data;
  hlo_index_rows rows = work->rows;
  int64_t first = part * work->share, left = rows.count - first;
  (void)thread;
  rows.first = first;
  rows.slice += first * rows.slice_stride;
  rows.count = left < work->share ? left : work->share;
  if (rows.apart > 0) gather_columns(work, &rows);
  else gather_rows(work, &rows);
}

static void gather_in_parts(const hlo_backend *backend, const hlo_index_rows *rows,
                            const hlo_view *operand, const hlo_view *to, const hlo_view *from) {
  int64_t element = hlo_type_bytes(operand->type), size = hlo_view_elements(operand) * element;
  int64_t moved = rows->count * hlo_view_elements(to) * element;
  gather_work work = {.rows = *rows,
                      .to = *to,
                      .from = *from,
                      .operand = operand->data,
                      .is_near = size <= HLO_GATHER_NEAR_BYTES};
  double time = (double)moved / HLO_COPIED_BYTES_PER_NS;
  int32_t parts = hlo_backend_parts(backend, rows->count, time);
  work.share = (rows->count + parts - 1) / parts;
  hlo_backend_parallel(backend, gather_part, &work,
                       (int32_t)((rows->count + work.share - 1) / work.share));
}

__attribute__((minsize)) hlo_status hlo_eval_gather(const hlo_evaluator *evaluator,
                                                    const hlo_instruction *instruction,
                                                    const hlo_view *operands,
                                                    const hlo_view *results, hlo_error *error) {
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
  // Pieces of a slice that are adjacent in the result are handled below.
  if (hlo_index_rows_match(&vectors, operand, result, &to, &from, &rows) &&
      (rows.apart == 0 ||
       to.strides[rows.apart - 1] * hlo_type_bytes(to.type) > rows.slice_stride)) {
    gather_in_parts(evaluator->backend, &rows, operand, &to, &from);
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
