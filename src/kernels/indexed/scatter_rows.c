// Fast path of scatter: one array, and index vectors and slices that are rows (index_vectors.h).
// Slice offsets are computed in batches; short slices are copied, and those of common types folded,
// by specialised loops. See scatter_rows.h.
#include "kernels/indexed/scatter_rows.h"

#include "base/copy.h"
#include "kernels/elementwise/narrow.h"
#include "kernels/elementwise/pointwise_expressions.h"
#include "kernels/machine.h"
#include "math/float_formats.h"
#include "math/long_sums.h"

#include <string.h>

enum {
  OUTSIDE = -1,
};

// Adds one component of each index vector to the slice offsets. 32-bit arithmetic, like addresses,
// lets the compiler vectorise if the distance of vectors is a constant. Compared as unsigned, so
// that negative indices are out of bounds.
#define EACH_NUMBER(number, step, offset)                                                          \
  for (ptrdiff_t i = 0; i < count; i++) {                                                          \
    number start = *(const number *)(const void *)(at + i * (step));                               \
    offsets[i] = offset;                                                                           \
  }
#define START (start <= last ? (ptrdiff_t)start * stride : OUTSIDE)
#define MOVE                                                                                       \
  (((start <= last) & (offsets[i] != OUTSIDE)) ? offsets[i] + (ptrdiff_t)start * stride : OUTSIDE)
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

typedef void combine_slices(char *array, const ptrdiff_t *offsets, const char *from, ptrdiff_t step,
                            ptrdiff_t count, ptrdiff_t elements);

#define DEFINE_ASSIGN(bytes)                                                                       \
  static void assign_##bytes(char *array, const ptrdiff_t *offsets, const char *from,              \
                             ptrdiff_t step, ptrdiff_t count, ptrdiff_t elements) {                \
    (void)elements;                                                                                \
    for (ptrdiff_t i = 0; i < count; i++, from += step) {                                          \
      if (offsets[i] != OUTSIDE) memcpy(array + offsets[i], from, bytes);                          \
    }                                                                                              \
  }
DEFINE_ASSIGN(1)
DEFINE_ASSIGN(2)
DEFINE_ASSIGN(4)
DEFINE_ASSIGN(8)
DEFINE_ASSIGN(16)

// Slices of one element. An unchanged extreme is not stored: store-to-load forwarding would delay
// the next comparison with it.
#define EACH_SLICE(element, combine, stays, elements)                                              \
  for (ptrdiff_t i = 0; i < count; i++, from += step) {                                            \
    if (offsets[i] == OUTSIDE) continue;                                                           \
    element *restrict to = (element *)(void *)(array + offsets[i]);                                \
    const element *restrict update = (const element *)(const void *)from;                          \
    if (stays(to[0], update[0])) continue;                                                         \
    for (ptrdiff_t j = 0; j < (elements); j++) to[j] = (element)combine(to[j], update[j]);         \
  }
#define DEFINE_FOLD(name, element, combine, stays)                                                 \
  static void name(char *array, const ptrdiff_t *offsets, const char *from, ptrdiff_t step,        \
                   ptrdiff_t count, ptrdiff_t elements) {                                          \
    if (elements == 1) EACH_SLICE(element, combine, stays, 1)                                      \
    else EACH_SLICE(element, combine, NEVER, elements)                                             \
  }
#define SUM(a, b)        ((a) + (b))
#define LARGER(a, b)     ((a) < (b) ? (b) : (a))
#define SMALLER(a, b)    ((b) < (a) ? (b) : (a))
#define NEVER(a, b)      false
#define IS_LARGER(a, b)  ((a) > (b))
#define IS_SMALLER(a, b) ((a) < (b))
static inline uint16_t sum_of_bf16(uint16_t a, uint16_t b) {
  float sum = float_of_bits((uint32_t)a << 16) + float_of_bits((uint32_t)b << 16);
  return (uint16_t)(bits_of_float(hlo_round_to_bf16(sum)) >> 16);
}
static inline uint16_t sum_of_f16(uint16_t a, uint16_t b) {
  return hlo_f32_to_f16(hlo_f16_to_f32(a) + hlo_f16_to_f32(b));
}
DEFINE_FOLD(add_bf16, uint16_t, sum_of_bf16, NEVER)
DEFINE_FOLD(add_f16, uint16_t, sum_of_f16, NEVER)
DEFINE_FOLD(add_i8, uint8_t, SUM, NEVER)
DEFINE_FOLD(add_i16, uint16_t, SUM, NEVER)
DEFINE_FOLD(add_i32, uint32_t, SUM, NEVER)
DEFINE_FOLD(add_i64, uint64_t, SUM, NEVER)
DEFINE_FOLD(add_f32, float, SUM, NEVER)
DEFINE_FOLD(add_f64, double, SUM, NEVER)
DEFINE_FOLD(maximum_s32, int32_t, LARGER, IS_LARGER)
DEFINE_FOLD(minimum_s32, int32_t, SMALLER, IS_SMALLER)
DEFINE_FOLD(maximum_f32, float, hlo_maximum_f32, IS_LARGER)
DEFINE_FOLD(minimum_f32, float, hlo_minimum_f32, IS_SMALLER)

// The specialised loop for such slices, or NULL.
static combine_slices *loop_of(hlo_type type, int64_t bytes, const hlo_folder *folder) {
  static combine_slices *const assign[] = {
      [1] = assign_1, [2] = assign_2, [4] = assign_4, [8] = assign_8, [16] = assign_16};
  static const struct {
    hlo_opcode opcode;
    hlo_type type;
    combine_slices *loop;
  } folds[] = {
      {HLO_OP_ADD, HLO_F32, add_f32},         {HLO_OP_ADD, HLO_F64, add_f64},
      {HLO_OP_ADD, HLO_S32, add_i32},         {HLO_OP_ADD, HLO_U32, add_i32},
      {HLO_OP_ADD, HLO_S64, add_i64},         {HLO_OP_ADD, HLO_U64, add_i64},
      {HLO_OP_ADD, HLO_S16, add_i16},         {HLO_OP_ADD, HLO_U16, add_i16},
      {HLO_OP_ADD, HLO_S8, add_i8},           {HLO_OP_ADD, HLO_U8, add_i8},
      {HLO_OP_ADD, HLO_BF16, add_bf16},       {HLO_OP_ADD, HLO_F16, add_f16},
      {HLO_OP_MAXIMUM, HLO_F32, maximum_f32}, {HLO_OP_MAXIMUM, HLO_S32, maximum_s32},
      {HLO_OP_MINIMUM, HLO_F32, minimum_f32}, {HLO_OP_MINIMUM, HLO_S32, minimum_s32},
  };
  if (folder == NULL)
    return bytes < (int64_t)(sizeof assign / sizeof *assign) ? assign[bytes] : NULL;
  for (size_t i = 0; i < sizeof folds / sizeof *folds; i++) {
    if (folds[i].opcode == folder->opcode && folds[i].type == type) return folds[i].loop;
  }
  return NULL;
}

// Prefetch: folding depends on the current values, so a tight loop first reads one byte of each
// line to keep many cache misses in flight.
static void read_lines(const char *array, const ptrdiff_t *offsets, ptrdiff_t count,
                       ptrdiff_t bytes) {
  for (ptrdiff_t i = 0; i < count; i++) {
    if (offsets[i] == OUTSIDE) continue;
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
  combine_slices *put = loop_of(result->type, rows->slice_bytes, folder);
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
      if (offsets[i] == OUTSIDE) continue;
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
