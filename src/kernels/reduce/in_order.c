// See in_order.h. Orders and block lengths were found by comparing bits with XLA's results.
#include "kernels/reduce/in_order.h"

#include "kernels/elementwise/narrow.h"
#include "kernels/window/window_taps.h"

#include <string.h>

enum { WINDOW = 32, MOST_TAPS = 128, MOST_LEVELS = 12 };

bool hlo_reduces_in_order(hlo_opcode opcode, hlo_type type, int64_t steps, int64_t most) {
  bool rounds = (opcode == HLO_OP_ADD || opcode == HLO_OP_MULTIPLY) &&
                (hlo_type_is_float(type) || hlo_type_is_complex(type));
  return rounds && (hlo_type_is_narrow_float(type) || steps <= most);
}

// Cascaded summation: WINDOW taps make one sum, WINDOW such sums one of the next level, and so on,
// so that errors grow with the logarithm of the number of taps.
typedef struct level_sums {
  hlo_folder *folder;
  int32_t count;
  hlo_view levels[MOST_LEVELS]; // as the result
  int64_t taken[MOST_LEVELS];   // into the level since it started
} level_sums;

// Folds elements into a level at the given positions; a full level is carried into the next one.
static hlo_status accumulate_level(level_sums *s, int32_t level, const hlo_view *positions,
                                   const hlo_view *elements, hlo_error *error) {
  HLO_TRY(hlo_folder_fold(s->folder, positions, elements, error));
  for (; ++s->taken[level] == WINDOW && level + 1 < MOST_LEVELS; level++) {
    if (level + 1 == s->count) {
      hlo_view *next = &s->levels[s->count++], *like = &s->levels[0];
      HLO_TRY(
          hlo_scratch_view(s->folder->evaluator, like->type, like->rank, like->dims, next, error));
      hlo_fill_neutral(s->folder, next);
    }
    HLO_TRY(hlo_folder_fold(s->folder, &s->levels[level + 1], &s->levels[level], error));
    hlo_fill_neutral(s->folder, &s->levels[level]);
    s->taken[level] = 0;
  }
  return HLO_OK;
}

static hlo_status fold_in_levels(hlo_folder *folder, const int64_t *fields, const hlo_view *base,
                                 const hlo_view *result, hlo_error *error) {
  level_sums sums = {.folder = folder, .count = 1};
  hlo_view positions, elements;
  hlo_taps taps;
  if (!hlo_taps_start(&taps, base->rank, fields, base->dims, result->dims)) return HLO_OK;
  HLO_TRY(hlo_scratch_view(folder->evaluator, result->type, result->rank, result->dims,
                           &sums.levels[0], error));
  hlo_fill_neutral(folder, &sums.levels[0]);
  do {
    hlo_taps_of_positions(&taps, NULL, &sums.levels[0], &positions);
    hlo_taps_of_base(&taps, NULL, base, &elements);
    HLO_TRY(accumulate_level(&sums, 0, &positions, &elements, error));
  } while (hlo_taps_next(&taps));
  for (int32_t level = 1; level < sums.count; level++)
    HLO_TRY(hlo_folder_fold(folder, &sums.levels[level], &sums.levels[level - 1], error));
  return hlo_folder_fold(folder, result, &sums.levels[sums.count - 1], error);
}

// Many elements of a narrow float are added in f32, and rounded once.
static hlo_status fold_widened(hlo_folder *folder, const int64_t *fields, const hlo_view *base,
                               const hlo_view *result, hlo_error *error) {
  const hlo_evaluator *evaluator = folder->evaluator;
  hlo_folder wide;
  hlo_view elements, sums;
  HLO_TRY(hlo_folder_init_for_op(evaluator, folder->opcode, HLO_F32, &wide, error));
  HLO_TRY(hlo_scratch_view(evaluator, HLO_F32, base->rank, base->dims, &elements, error));
  HLO_TRY(hlo_scratch_view(evaluator, HLO_F32, result->rank, result->dims, &sums, error));
  HLO_TRY(hlo_convert_view(evaluator, &elements, base, error));
  HLO_TRY(hlo_convert_view(evaluator, &sums, result, error));
  HLO_TRY(fold_in_levels(&wide, fields, &elements, &sums, error));
  return hlo_convert_view(evaluator, result, &sums, error);
}

static bool has_many_taps(int32_t rank, const int64_t *fields) {
  int64_t taps = 1;
  for (int32_t d = 0; d < rank && taps <= MOST_TAPS; d++)
    taps *= fields[(ptrdiff_t)d * HLO_WINDOW_FIELDS + HLO_WINDOW_SIZE];
  return taps > MOST_TAPS;
}

hlo_status hlo_fold_windows(hlo_folder *folder, const int64_t *fields, const hlo_view *operands,
                            const hlo_view *results, hlo_error *error) {
  hlo_view *positions, *elements;
  hlo_taps taps;
  const hlo_view *base = &operands[0], *result = &results[0];
  bool is_sum = folder->kernel != NULL && folder->opcode == HLO_OP_ADD &&
                (hlo_type_is_float(base->type) || hlo_type_is_complex(base->type));
  if (is_sum && has_many_taps(base->rank, fields))
    return (hlo_type_is_narrow_float(base->type) ? fold_widened : fold_in_levels)(
        folder, fields, base, result, error);
  if (folder->kernel != NULL && hlo_type_is_narrow_float(base->type) &&
      hlo_reduces_in_order(folder->opcode, base->type, 0, 0))
    return hlo_fold_narrow_windows(folder, fields, base, result, error);
  HLO_ALLOC(positions, folder->evaluator->scratch, folder->count, error);
  HLO_ALLOC(elements, folder->evaluator->scratch, folder->count, error);
  if (!hlo_taps_start(&taps, base->rank, fields, base->dims, result->dims)) return HLO_OK;
  do {
    for (int32_t k = 0; k < folder->count; k++) {
      hlo_taps_of_positions(&taps, NULL, &results[k], &positions[k]);
      hlo_taps_of_base(&taps, NULL, &operands[k], &elements[k]);
    }
    HLO_TRY(hlo_folder_fold(folder, positions, elements, error));
  } while (hlo_taps_next(&taps));
  return HLO_OK;
}

// --- long dimensions ---

// One round of windows, of size 1 along the kept dimensions.
static hlo_status combine_windows(hlo_folder *folder, const hlo_view *operand, int32_t count,
                                  const int64_t *dimensions, hlo_view *out, hlo_error *error) {
  int64_t fields[HLO_MAX_RANK * HLO_WINDOW_FIELDS] = {0}, dims[HLO_MAX_RANK];
  for (int32_t d = 0; d < operand->rank; d++) {
    int64_t *field = fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS, size = operand->dims[d], window = 1;
    for (int32_t i = 0; i < count; i++)
      if (dimensions[i] == d) window = size < WINDOW ? size : WINDOW;
    dims[d] = (size - 1) / window + 1;
    int64_t padding = dims[d] * window - size;
    field[HLO_WINDOW_SIZE] = field[HLO_WINDOW_STRIDE] = window;
    field[HLO_WINDOW_PAD_LOW] = padding / 2;
    field[HLO_WINDOW_PAD_HIGH] = padding - padding / 2;
    field[HLO_WINDOW_LHS_DILATION] = field[HLO_WINDOW_RHS_DILATION] = 1;
  }
  HLO_TRY(hlo_scratch_view(folder->evaluator, operand->type, operand->rank, dims, out, error));
  hlo_fill_neutral(folder, out);
  return hlo_fold_windows(folder, fields, operand, out, error);
}

static bool is_long(const hlo_view *view, int32_t count, const int64_t *dimensions) {
  bool found = false;
  for (int32_t i = 0; i < count; i++) found = found || view->dims[dimensions[i]] > WINDOW;
  return found;
}

bool hlo_has_long_windows(const hlo_view *view, int32_t count, const int64_t *dimensions) {
  int64_t elements = 1;
  for (int32_t i = 0; i < count; i++) {
    int64_t size = view->dims[dimensions[i]];
    elements *= size < WINDOW ? size : WINDOW;
    if (elements > MOST_TAPS) return true;
  }
  return false;
}

hlo_status hlo_reduce_long_dimensions(const hlo_evaluator *evaluator, hlo_opcode opcode,
                                      const hlo_view *operand, int32_t count,
                                      const int64_t *dimensions, hlo_view *out, hlo_error *error) {
  hlo_folder folder;
  *out = *operand;
  if (!is_long(operand, count, dimensions)) return HLO_OK;
  HLO_TRY(hlo_folder_init_for_op(evaluator, opcode, operand->type, &folder, error));
  while (is_long(out, count, dimensions)) {
    hlo_view from = *out;
    HLO_TRY(combine_windows(&folder, &from, count, dimensions, out, error));
  }
  return HLO_OK;
}
