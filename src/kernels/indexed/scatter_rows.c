// Fast path of scatter: one array, and index vectors and slices that are rows (index_vectors.h).
// Slice offsets are computed in batches; short slices are copied, and most types folded, by loops
// of their own. See scatter_rows.h.
#include "kernels/indexed/scatter_rows.h"

#include "base/copy.h"
#include "kernels/indexed/fold_slices.h"
#include "kernels/machine.h"
#include "math/long_sums.h"

#include <string.h>

// Adds one component of each index vector to the slice offsets. 32-bit arithmetic, like addresses,
// lets the compiler vectorise if the distance of vectors is a constant. Compared as unsigned, so
// that negative indices are out of bounds.
#define EACH_NUMBER(number, step, offset)                                                          \
  for (ptrdiff_t i = 0; i < count; i++) {                                                          \
    number start = *(const number *)(const void *)(at + i * (step));                               \
    offsets[i] = offset;                                                                           \
  }
#define START (start <= last ? (ptrdiff_t)start * stride : HLO_SLICE_OUTSIDE)
#define MOVE                                                                                       \
  (((start <= last) & (offsets[i] != HLO_SLICE_OUTSIDE)) ? offsets[i] + (ptrdiff_t)start * stride  \
                                                         : HLO_SLICE_OUTSIDE)
#define DEFINE_EACH(name, number, largest, offset, is_common_step)                                 \
  static void name(const char *at, ptrdiff_t step, int64_t limit, ptrdiff_t stride,                \
                   ptrdiff_t *restrict offsets, ptrdiff_t count) {                                 \
    enum { SIZE = sizeof(number) };                                                                \
    number last = limit > largest ? (number)largest : (number)limit;                               \
    if (is_common_step && step == SIZE) EACH_NUMBER(number, SIZE, offset)                          \
    else if (is_common_step && step == 2 * SIZE) EACH_NUMBER(number, 2 * SIZE, offset)             \
    else EACH_NUMBER(number, step, offset)                                                         \
  }
DEFINE_EACH(start_s32, uint32_t, INT32_MAX, START, true)
DEFINE_EACH(start_u32, uint32_t, UINT32_MAX, START, false)
DEFINE_EACH(start_s64, uint64_t, INT64_MAX, START, false)
DEFINE_EACH(move_s32, uint32_t, INT32_MAX, MOVE, true)
DEFINE_EACH(move_u32, uint32_t, UINT32_MAX, MOVE, false)
DEFINE_EACH(move_s64, uint64_t, INT64_MAX, MOVE, false)

static void slice_offsets(const hlo_index_rows *rows, int64_t first, ptrdiff_t *offsets,
                          ptrdiff_t count) {
  ptrdiff_t step = (ptrdiff_t)rows->vector_stride;
  const char *vector = rows->vector + (ptrdiff_t)first * step;
  bool starts = rows->batches == 1 && rows->length > 0;
  if (!starts) hlo_index_rows_batch_offsets(rows, first, offsets, count);
  for (int32_t j = 0; j < rows->length; j++, vector += rows->number_stride) {
    // A slice larger than the array never fits.
    int64_t limit = rows->limits[j];
    ptrdiff_t stride = (ptrdiff_t)rows->strides[j];
    bool first_number = starts && j == 0;
    if (limit < 0) memset(offsets, 0xff, (size_t)count * sizeof *offsets);
    else if (rows->type == HLO_S32)
      (first_number ? start_s32 : move_s32)(vector, step, limit, stride, offsets, count);
    else if (rows->type == HLO_U32)
      (first_number ? start_u32 : move_u32)(vector, step, limit, stride, offsets, count);
    else (first_number ? start_s64 : move_s64)(vector, step, limit, stride, offsets, count);
  }
}

#define DEFINE_ASSIGN(bytes)                                                                       \
  static void assign_##bytes(char *array, const ptrdiff_t *offsets, const char *from,              \
                             ptrdiff_t step, ptrdiff_t count, ptrdiff_t elements) {                \
    (void)elements;                                                                                \
    for (ptrdiff_t i = 0; i < count; i++, from += step) {                                          \
      if (offsets[i] != HLO_SLICE_OUTSIDE) memcpy(array + offsets[i], from, bytes);                \
    }                                                                                              \
  }
DEFINE_ASSIGN(1)
DEFINE_ASSIGN(2)
DEFINE_ASSIGN(4)
DEFINE_ASSIGN(8)
DEFINE_ASSIGN(16)

// The specialised loop for such slices, or NULL.
static hlo_combine_slices *loop_of(hlo_type type, int64_t bytes, const hlo_folder *folder) {
  static hlo_combine_slices *const assign[] = {
      [1] = assign_1, [2] = assign_2, [4] = assign_4, [8] = assign_8, [16] = assign_16};
  if (folder != NULL) return hlo_slice_fold(folder->opcode, type);
  return bytes < (int64_t)(sizeof assign / sizeof *assign) ? assign[bytes] : NULL;
}

// Prefetch: folding depends on the current values, so a tight loop first reads one byte of each
// line to keep many cache misses in flight.
static void read_lines(const char *array, const ptrdiff_t *offsets, ptrdiff_t count,
                       ptrdiff_t bytes) {
  for (ptrdiff_t i = 0; i < count; i++) {
    if (offsets[i] == HLO_SLICE_OUTSIDE) continue;
    const volatile char *slice = array + offsets[i];
    for (ptrdiff_t at = 0; at < bytes; at += HLO_LINE_BYTES) (void)slice[at];
    (void)slice[bytes - 1];
  }
}

// --- sums of many slices ---

HLO_DEFINE_LONG_SUMS(f32, float)
HLO_DEFINE_LONG_SUMS(f64, double)

typedef struct block_sums {
  int64_t numbers, slices, left; // of the result; of a block; of this one
  bool wide;
  char *block, *lost; // NULL: slices go into the result one by one
} block_sums;

static void start_block(block_sums *b, hlo_type part) {
  const double wide_zero = -0.0;
  const float zero = -0.0f;
  hlo_view view = {.type = part, .rank = 1, .dims = {b->numbers}, .strides = {1}, .data = b->block};
  hlo_view_fill(&view, b->wide ? (const void *)&wide_zero : (const void *)&zero);
  b->left = b->slices;
}

// Plans blocked summation, if elements receive many slices each and the flushes of block sums cost
// little in comparison.
static hlo_status choose_blocks(const hlo_evaluator *evaluator, const hlo_index_rows *rows,
                                const hlo_view *result, int64_t elements, const hlo_folder *folder,
                                block_sums *b, hlo_error *error) {
  hlo_type type = result->type;
  hlo_type part = hlo_type_complex_part(type);
  int64_t size = hlo_view_elements(result), each = (size - 1) / elements + 1;
  *b = (block_sums){.wide = part == HLO_F64,
                    .numbers = size * (hlo_type_bytes(type) / hlo_type_bytes(part)),
                    .slices =
                        (HLO_SCATTER_BLOCK * each - 1) / HLO_SCATTER_SLICES * HLO_SCATTER_SLICES +
                        HLO_SCATTER_SLICES};
  bool sums = folder != NULL && folder->opcode == HLO_OP_ADD && (part == HLO_F32 || b->wide);
  if (!sums || rows->count <= b->slices || !hlo_view_is_row_major(result)) return HLO_OK;
  HLO_ALLOC(b->block, evaluator->scratch, b->numbers * hlo_type_bytes(part), error);
  HLO_ALLOC(b->lost, evaluator->scratch, b->numbers * hlo_type_bytes(part), error);
  start_block(b, part);
  return HLO_OK;
}

static void end_block(block_sums *b, void *sums) {
  if (b->wide)
    hlo_add_block_f64(b->numbers, (double *)(void *)b->block, sums, (double *)(void *)b->lost);
  else hlo_add_block_f32(b->numbers, (float *)(void *)b->block, sums, (float *)(void *)b->lost);
}

static void end_sums(const block_sums *b, void *sums) {
  if (b->wide) hlo_end_sums_f64(b->numbers, (const double *)(const void *)b->lost, sums);
  else hlo_end_sums_f32(b->numbers, (const float *)(const void *)b->lost, sums);
}

// Optimised for size: the loops over elements are separate functions.
__attribute__((minsize)) hlo_status hlo_scatter_rows(const hlo_evaluator *evaluator,
                                                     const hlo_index_rows *rows,
                                                     const hlo_view *result, int64_t elements,
                                                     const hlo_folder *folder, hlo_error *error) {
  hlo_combine_slices *put = loop_of(result->type, rows->slice_bytes, folder);
  ptrdiff_t offsets[HLO_SCATTER_SLICES], step = (ptrdiff_t)rows->slice_stride;
  const char *from = rows->slice;
  block_sums sums;
  HLO_TRY(choose_blocks(evaluator, rows, result, elements, folder, &sums, error));
  char *array = sums.block != NULL ? sums.block : result->data;
  bool ahead = folder != NULL && rows->slice_bytes > HLO_SHORT_SLICE &&
               rows->slice_bytes <= HLO_PREFETCH_BYTES / HLO_SCATTER_SLICES &&
               hlo_view_elements(result) * hlo_type_bytes(result->type) > HLO_SCATTER_NEAR_BYTES;
  for (int64_t left = rows->count; left > 0; left -= HLO_SCATTER_SLICES) {
    ptrdiff_t count = left < HLO_SCATTER_SLICES ? (ptrdiff_t)left : HLO_SCATTER_SLICES;
    slice_offsets(rows, rows->count - left, offsets, count);
    if (sums.block != NULL && sums.left == 0) {
      end_block(&sums, result->data);
      start_block(&sums, sums.wide ? HLO_F64 : HLO_F32);
    }
    sums.left -= HLO_SCATTER_SLICES;
    if (ahead) read_lines(array, offsets, count, (ptrdiff_t)rows->slice_bytes);
    if (put != NULL) {
      put(array, offsets, from, step, count, (ptrdiff_t)elements);
      from += count * step;
      continue;
    }
    for (ptrdiff_t i = 0; i < count; i++, from += step) {
      if (offsets[i] == HLO_SLICE_OUTSIDE) continue;
      char *to = array + offsets[i];
      if (folder == NULL) hlo_copy_bytes(to, from, (size_t)rows->slice_bytes);
      else folder->kernel(to, (const void *const[]){to, from}, elements);
    }
  }
  if (sums.block == NULL) return HLO_OK;
  end_block(&sums, result->data);
  end_sums(&sums, result->data);
  return HLO_OK;
}
