// Windowed sums and products of floats below 32 bits, rounded to the type after each step. Running
// values are f32 numbers representable in the type, for a cache-sized share of the results, and are
// narrowed at the end. See in_order.h.
#include "base/bits.h"
#include "base/checked.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/elementwise/narrow.h"
#include "kernels/machine.h"
#include "kernels/parts.h"
#include "kernels/reduce/in_order.h"
#include "kernels/window/window_taps.h"

#include <string.h>

static void fold_bf16(bool multiplies, float *restrict values, const uint16_t *restrict elements,
                      size_t n) {
  if (multiplies) {
    for (size_t i = 0; i < n; i++)
      values[i] = hlo_round_to_bf16(values[i] * float_of_bits((uint32_t)elements[i] << 16));
  } else {
    for (size_t i = 0; i < n; i++)
      values[i] = hlo_round_to_bf16(values[i] + float_of_bits((uint32_t)elements[i] << 16));
  }
}

static void fold_others(const hlo_folder *folder, float *values, const char *elements, int64_t n) {
  hlo_type type = folder->types[0];
  hlo_pointwise_kernel *kernel = hlo_pointwise_get(folder->opcode, HLO_F32);
  float wide[HLO_NARROW_BLOCK];
  uint16_t rounded[HLO_NARROW_BLOCK];
  for (int64_t done = 0; done < n; done += HLO_NARROW_BLOCK) {
    int64_t count = n - done < HLO_NARROW_BLOCK ? n - done : HLO_NARROW_BLOCK;
    const void *const operands[2] = {values + done, wide};
    hlo_narrow_to_f32(type, wide, elements + done * hlo_type_bytes(type), count);
    kernel(values + done, operands, count);
    hlo_narrow_from_f32(type, rounded, values + done, count);
    hlo_narrow_to_f32(type, values + done, rounded, count);
  }
}

static hlo_status fold_block(void *context, void *result, const void *const *operands, int64_t n,
                             hlo_error *error) {
  const hlo_folder *folder = context;
  (void)error;
  if (result != operands[0]) memcpy(result, operands[0], (size_t)n * sizeof(float));
  if (folder->types[0] != HLO_BF16) fold_others(folder, result, operands[1], n);
  else fold_bf16(folder->opcode == HLO_OP_MULTIPLY, result, operands[1], (size_t)n);
  return HLO_OK;
}

static hlo_status fold_taps(hlo_folder *folder, const int64_t *fields, const hlo_view *operand,
                            const hlo_view *values, hlo_error *error) {
  hlo_taps taps;
  hlo_view operands[2];
  if (!hlo_taps_start(&taps, operand->rank, fields, operand->dims, values->dims)) return HLO_OK;
  do {
    hlo_taps_of_positions(&taps, NULL, values, &operands[0]);
    hlo_taps_of_base(&taps, NULL, operand, &operands[1]);
    HLO_TRY(
        hlo_run_over_views(folder->evaluator, fold_block, folder, 2, operands, operands, error));
  } while (hlo_taps_next(&taps));
  return HLO_OK;
}

// --- adjacent windows along rows: elements are transposed into tap-major order ---

static int64_t *field_of(int64_t *fields, int32_t d) {
  return fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
}

// The contiguous dimension, if windows tile it without dilation and have one element along all
// other dimensions; else -1.
static int32_t tiled_row_dimension(int64_t *fields, const hlo_view *operand,
                                   const hlo_view *values) {
  int32_t found = -1;
  if (operand->rank == HLO_MAX_RANK) return -1;
  for (int32_t d = 0; d < operand->rank; d++) {
    const int64_t *field = field_of(fields, d);
    int64_t size = field[HLO_WINDOW_SIZE], low = field[HLO_WINDOW_PAD_LOW];
    if (field[HLO_WINDOW_STRIDE] != size || field[HLO_WINDOW_LHS_DILATION] != 1 ||
        field[HLO_WINDOW_RHS_DILATION] != 1 || low >= size)
      return -1;
    if (size == 1 && values->dims[d] - low > operand->dims[d]) return -1;
    if (size == 1) continue;
    if (found >= 0 || operand->strides[d] != 1) return -1;
    found = d;
  }
  return found;
}

// Taps first … end of windows from `window` on, as many as `to` has along d. Taps are `apart`.
static void copy_taps(const hlo_view *from, hlo_view to, int32_t d, const int64_t *field,
                      int64_t window, int64_t first, int64_t end, int64_t apart) {
  int64_t size = field[HLO_WINDOW_SIZE];
  hlo_view source = *from;
  source.data = hlo_view_at(&source, window * size + first - field[HLO_WINDOW_PAD_LOW]);
  to.data = hlo_view_at(&to, window * to.strides[d] + first * apart);
  source.dims[d] = to.dims[d];
  source.strides[d] = size;
  source.dims[source.rank] = to.dims[to.rank] = end - first;
  source.strides[source.rank++] = 1;
  to.strides[to.rank++] = apart;
  if (hlo_view_elements(&to) > 0) hlo_view_copy(&to, &source);
}

// Copies the elements under the windows along rows to *out in tap-major order, and sets the fields
// that describe it.
static hlo_status order_by_taps(const hlo_folder *folder, int32_t d, int64_t *fields,
                                const hlo_view *operand, const hlo_view *values, hlo_view *out,
                                hlo_error *error) {
  int64_t *field = field_of(fields, d), size = field[HLO_WINDOW_SIZE];
  int64_t low = field[HLO_WINDOW_PAD_LOW], apart = hlo_view_elements(values);
  hlo_view from = *operand, all = {.type = operand->type, .rank = 2, .dims = {size, apart}};
  HLO_TRY(hlo_scratch_view(folder->evaluator, operand->type, 2, all.dims, &all, error));
  for (int32_t i = 0; i < operand->rank; i++) {
    if (i == d) continue;
    from.data = hlo_view_at(&from, -field_of(fields, i)[HLO_WINDOW_PAD_LOW] * from.strides[i]);
    from.dims[i] = values->dims[i];
    field_of(fields, i)[HLO_WINDOW_PAD_LOW] = 0;
  }
  *out = *values;
  out->type = operand->type;
  out->data = all.data;
  int64_t windows = values->dims[d], whole = (operand->dims[d] + low) / size;
  int64_t first = low > 0, rest = (operand->dims[d] + low) % size; // a window that has not all
  if (whole >= windows) whole = windows, rest = 0;
  if (first > 0 || whole < windows) hlo_fill_neutral(folder, &all);
  hlo_view to = *out;
  to.dims[d] = 1;
  if (first > 0) copy_taps(&from, to, d, field, 0, low, whole > 0 ? size : rest, apart);
  if (rest > 0 && whole >= first) copy_taps(&from, to, d, field, whole, 0, rest, apart);
  to.dims[d] = whole - first;
  if (whole > first) copy_taps(&from, to, d, field, first, 0, size, apart);
  field[HLO_WINDOW_STRIDE] = 1;
  field[HLO_WINDOW_RHS_DILATION] = apart / out->strides[d];
  field[HLO_WINDOW_PAD_LOW] = 0;
  out->dims[d] = (size - 1) * field[HLO_WINDOW_RHS_DILATION] + windows;
  return HLO_OK;
}

// The window fields relative to the positions of a part, and in *at its results. False if the
// offsets overflow, so that the windows meet no element.
static bool window_fields_of_part(const hlo_parts *parts, const int64_t *all,
                                  const hlo_view *result, int64_t *fields, hlo_view *at) {
  *at = *result;
  for (int32_t i = 0; i < result->rank * HLO_WINDOW_FIELDS; i++) fields[i] = all[i];
  for (int32_t d = 0; d < result->rank && d <= parts->split; d++) {
    int64_t *low = &fields[d * HLO_WINDOW_FIELDS + HLO_WINDOW_PAD_LOW];
    at->data = hlo_view_at(at, parts->index[d] * at->strides[d]);
    at->dims[d] = d < parts->split ? 1 : parts->count;
    if (!hlo_checked_sub(*low, parts->index[d] * fields[d * HLO_WINDOW_FIELDS + HLO_WINDOW_STRIDE],
                         low))
      return false;
  }
  return true;
}

// The number of results per part, such that they and their operands stay in cache.
static int64_t size_of_parts(const hlo_view *operand, const hlo_view *result) {
  double share = (double)hlo_view_elements(result) / (double)hlo_view_elements(operand);
  if (share >= 1) return HLO_FOLD_NARROW_MOST;
  return share * HLO_FOLD_NARROW_MOST < HLO_FOLD_NARROW_LEAST
             ? HLO_FOLD_NARROW_LEAST
             : (int64_t)(share * HLO_FOLD_NARROW_MOST);
}

hlo_status hlo_fold_narrow_windows(hlo_folder *folder, const int64_t *fields,
                                   const hlo_view *operand, const hlo_view *result,
                                   hlo_error *error) {
  hlo_arena *scratch = folder->evaluator->scratch;
  int64_t *of_part;
  hlo_parts parts;
  hlo_view values, at;
  HLO_ALLOC(of_part, scratch, (int64_t)result->rank * HLO_WINDOW_FIELDS, error);
  hlo_parts_start(&parts, result->rank, result->dims, size_of_parts(operand, result));
  float *memory = hlo_arena_array_raw(scratch, (size_t)hlo_parts_capacity(&parts), sizeof *memory);
  if (memory == NULL) return hlo_fail_out_of_memory(error);
  hlo_arena_mark mark = hlo_arena_get_mark(scratch);
  do {
    if (!window_fields_of_part(&parts, fields, result, of_part, &at)) continue;
    values = at;
    values.type = HLO_F32;
    values.data = memory;
    hlo_view_set_row_major(&values);
    HLO_TRY(hlo_convert_view(folder->evaluator, &values, &at, error));
    hlo_view elements = *operand;
    int32_t rows = tiled_row_dimension(of_part, operand, &values);
    if (rows >= 0)
      HLO_TRY(order_by_taps(folder, rows, of_part, operand, &values, &elements, error));
    HLO_TRY(fold_taps(folder, of_part, &elements, &values, error));
    HLO_TRY(hlo_convert_view(folder->evaluator, &at, &values, error));
    hlo_arena_rewind(scratch, mark);
  } while (hlo_parts_next(&parts));
  return HLO_OK;
}
