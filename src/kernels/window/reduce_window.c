// ReduceWindow: any number of operands, any computation. Source of semantics: "ReduceWindow" of the
// operation semantics. The initial value comes in once, at the front; padding and holes add nothing
// (XLA's reading; StableHLO's specification fills them with the initial value, which is the same
// for every initial value that changes nothing).
//
// Tap by tap, all positions at once: each element of the window is combined into the results at the
// positions where it is over an element. Elements are combined in row-major order of the window.
#include "hlo/attributes/window.h"
#include "kernels/cumulative/cumulative.h"
#include "kernels/reduce/fold.h"
#include "kernels/reduce/in_order.h"
#include "kernels/window/window_op.h"

#include <string.h>

enum { MOST_CUMULATED = 64 }; // elements of windows that go in order

typedef struct window_reduction {
  const hlo_evaluator *evaluator;
  hlo_folder folder;
  int32_t count;
  const int64_t *fields; // of each dimension
  const hlo_view *operands, *initial, *results;
} window_reduction;

// Whether windows along the dimension hold everything up to their position, or from it on.
static bool is_cumulative(const int64_t *field, int64_t size, bool *backwards) {
  int64_t window = field[HLO_WINDOW_SIZE];
  int64_t low = field[HLO_WINDOW_PAD_LOW], high = field[HLO_WINDOW_PAD_HIGH];
  *backwards = low == 0;
  return field[HLO_WINDOW_STRIDE] == 1 && field[HLO_WINDOW_LHS_DILATION] == 1 &&
         field[HLO_WINDOW_RHS_DILATION] == 1 && window >= size &&
         ((low == window - 1 && high == 0) || (low == 0 && high == window - 1));
}

static bool is_alone(const int64_t *field) {
  return field[HLO_WINDOW_SIZE] == 1 && field[HLO_WINDOW_STRIDE] == 1 &&
         field[HLO_WINDOW_LHS_DILATION] == 1 && field[HLO_WINDOW_PAD_LOW] == 0 &&
         field[HLO_WINDOW_PAD_HIGH] == 0;
}

// The dimension along which the reduction is cumulative, if all others have windows of one element;
// -1 if it is not.
static int32_t cumulative_dimension(const window_reduction *r, bool *backwards) {
  int32_t found = -1;
  for (int32_t d = 0; d < r->results[0].rank; d++) {
    const int64_t *field = r->fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
    bool backwards_here;
    if (!is_cumulative(field, r->operands[0].dims[d], &backwards_here)) {
      if (!is_alone(field)) return -1;
    } else if (field[HLO_WINDOW_SIZE] > 1) {
      if (found >= 0) return -1;
      found = d;
      *backwards = backwards_here;
    }
  }
  return found;
}

// See in_order.h; `most` elements in a window.
static bool needs_exact_order(const window_reduction *r, int64_t most) {
  int64_t elements = 1;
  for (int32_t d = 0; d < r->results[0].rank && elements <= most; d++)
    elements *= r->fields[(ptrdiff_t)d * HLO_WINDOW_FIELDS + HLO_WINDOW_SIZE];
  return r->folder.kernel != NULL &&
         hlo_reduces_in_order(r->folder.opcode, r->results[0].type, elements, most);
}

// Copies the fields and lists the dimensions that a single window covers entirely; false if windows
// along other dimensions have more than one element.
static bool list_whole_dimensions(const window_reduction *r, int64_t *fields, int32_t *count,
                                  int64_t *dimensions) {
  *count = 0;
  for (int32_t d = 0; d < r->results[0].rank; d++) {
    int64_t *field = fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
    memcpy(field, r->fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS, HLO_WINDOW_FIELDS * sizeof *field);
    if (is_alone(field)) continue;
    bool whole = field[HLO_WINDOW_SIZE] == r->operands[0].dims[d] && r->results[0].dims[d] == 1 &&
                 field[HLO_WINDOW_PAD_LOW] == 0 && field[HLO_WINDOW_PAD_HIGH] == 0 &&
                 field[HLO_WINDOW_LHS_DILATION] == 1 && field[HLO_WINDOW_RHS_DILATION] == 1;
    if (!whole) return false;
    dimensions[(*count)++] = d;
  }
  return true;
}

// Windows over whole dimensions, as Reduce sees them.
static hlo_status reduce_whole(window_reduction *r, int64_t *fields, int32_t count,
                               const int64_t *dimensions, hlo_error *error) {
  hlo_view operand;
  HLO_TRY(hlo_reduce_long_dimensions(r->evaluator, r->folder.opcode, r->operands, count, dimensions,
                                     &operand, error));
  for (int32_t i = 0; i < count; i++) {
    fields[dimensions[i] * HLO_WINDOW_FIELDS + HLO_WINDOW_SIZE] = operand.dims[dimensions[i]];
  }
  return hlo_fold_windows(&r->folder, fields, &operand, r->results, error);
}

static hlo_status reduce_windows(window_reduction *r, hlo_error *error) {
  int64_t fields[HLO_MAX_RANK * HLO_WINDOW_FIELDS], dimensions[HLO_MAX_RANK];
  int32_t count;
  bool whole = needs_exact_order(r, 0) && list_whole_dimensions(r, fields, &count, dimensions);
  if (r->count == 1 && !whole) {
    bool done;
    HLO_TRY(
        hlo_window_by_op(&r->folder, r->fields, r->operands, r->initial, r->results, &done, error));
    if (done) return HLO_OK;
  }
  for (int32_t k = 0; k < r->count; k++) hlo_view_fill(&r->results[k], r->initial[k].data);
  return whole ? reduce_whole(r, fields, count, dimensions, error)
               : hlo_fold_windows(&r->folder, r->fields, r->operands, r->results, error);
}

static hlo_status reduce(window_reduction *r, hlo_error *error) {
  bool backwards;
  int32_t dimension = cumulative_dimension(r, &backwards);
  if (dimension >= 0 && needs_exact_order(r, MOST_CUMULATED)) {
    return hlo_cumulate_in_order(&r->folder, dimension, backwards, r->operands, r->initial,
                                 r->results, error);
  }
  if (dimension >= 0) {
    return hlo_cumulate(&r->folder, dimension, backwards, r->operands, r->initial, r->results,
                        error);
  }
  return reduce_windows(r, error);
}

static hlo_status reduce_any(window_reduction *r, const hlo_computation *computation,
                             hlo_error *error) {
  HLO_TRY(hlo_folder_init(r->evaluator, computation, r->count, r->operands, &r->folder, error));
  return reduce(r, error);
}

hlo_status hlo_eval_reduce_window(const hlo_evaluator *evaluator,
                                  const hlo_instruction *instruction, const hlo_view *operands,
                                  const hlo_view *results, hlo_error *error) {
  int32_t count = instruction->operand_count / 2;
  window_reduction r = {.evaluator = evaluator,
                        .count = count,
                        .operands = operands,
                        .initial = operands + count,
                        .results = results};
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  HLO_TRY(hlo_window_read(instruction, operands[0].rank, &r.fields, error));
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status =
      reduce_any(&r, hlo_get_computation(instruction, HLO_ATTRIBUTE_TO_APPLY), error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
