// See in_order.h. Orders and block lengths were found by comparing bits with XLA's results.
#include "eval/in_order.h"

#include "eval/narrow.h"
#include "eval/window_taps.h"

#include <string.h>

enum { WINDOW = 32 };

bool hlo_goes_in_order(hlo_opcode opcode, hlo_type type, int64_t steps, int64_t most) {
  bool rounds = (opcode == HLO_OP_ADD || opcode == HLO_OP_MULTIPLY) &&
                (hlo_type_is_float(type) || hlo_type_is_complex(type));
  return rounds && (hlo_type_is_narrow_float(type) || steps <= most);
}

hlo_status hlo_fold_windows(hlo_folder *folder, const int64_t *fields, const hlo_view *operands,
                            const hlo_view *results, hlo_error *error) {
  hlo_view *positions, *elements;
  hlo_taps taps;
  const hlo_view *base = &operands[0], *result = &results[0];
  if (folder->kernel != NULL && hlo_type_is_narrow_float(base->type) &&
      hlo_goes_in_order(folder->opcode, base->type, 0, 0))
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

void hlo_fill_neutral(const hlo_folder *folder, const hlo_view *view) {
  uint64_t bits[2] = {0};
  hlo_number number = {HLO_CLASS_FLOAT, 0, 0, folder->opcode == HLO_OP_ADD ? -0.0 : 1, 0};
  hlo_element_set(view->type, bits, number);
  hlo_view_fill(view, bits);
}

// One round of windows. Those along dimensions that stay hold one element.
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

hlo_status hlo_reduce_long_dimensions(const hlo_evaluator *evaluator, hlo_opcode opcode,
                                      const hlo_view *operand, int32_t count,
                                      const int64_t *dimensions, hlo_view *out, hlo_error *error) {
  hlo_folder folder;
  *out = *operand;
  if (!is_long(operand, count, dimensions)) return HLO_OK;
  HLO_TRY(hlo_folder_make_for_op(evaluator, opcode, operand->type, &folder, error));
  while (is_long(out, count, dimensions)) {
    hlo_view from = *out;
    HLO_TRY(combine_windows(&folder, &from, count, dimensions, out, error));
  }
  return HLO_OK;
}
