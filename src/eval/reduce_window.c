// ReduceWindow: any number of operands, any computation. Source of semantics: "ReduceWindow" of the
// operation semantics. The initial value comes in once, at the front; padding and holes add nothing
// (XLA's reading; StableHLO's specification fills them with the initial value, which is the same
// for every initial value that changes nothing).
//
// Tap by tap, all positions at once: each element of the window is combined into the results at the
// positions where it is over an element. Elements are combined in row-major order of the window.
#include "eval/cumulative.h"
#include "eval/fold.h"
#include "eval/narrow.h"
#include "eval/pooling.h"
#include "eval/window_taps.h"

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

// The dimension along which the reduction is cumulative, if all others have windows of one element;
// -1 if it is not.
static int32_t cumulative_dimension(const window_reduction *r, bool *backwards) {
  int32_t found = -1;
  for (int32_t d = 0; d < r->results[0].rank; d++) {
    const int64_t *field = r->fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
    bool backwards_here;
    if (!is_cumulative(field, r->operands[0].dims[d], &backwards_here)) {
      bool alone = field[HLO_WINDOW_SIZE] == 1 && field[HLO_WINDOW_STRIDE] == 1 &&
                   field[HLO_WINDOW_LHS_DILATION] == 1 && field[HLO_WINDOW_PAD_LOW] == 0 &&
                   field[HLO_WINDOW_PAD_HIGH] == 0;
      if (!alone) return -1;
    } else if (field[HLO_WINDOW_SIZE] > 1) {
      if (found >= 0) return -1;
      found = d;
      *backwards = backwards_here;
    }
  }
  return found;
}

static hlo_status reduce_taps(window_reduction *r, hlo_error *error) {
  hlo_view *positions, *elements;
  hlo_taps taps;
  const hlo_view *base = &r->operands[0], *result = &r->results[0];
  HLO_ALLOC(positions, r->evaluator->scratch, r->count, error);
  HLO_ALLOC(elements, r->evaluator->scratch, r->count, error);
  if (!hlo_taps_start(&taps, base->rank, r->fields, base->dims, result->dims)) return HLO_OK;
  do {
    for (int32_t k = 0; k < r->count; k++) {
      hlo_taps_of_positions(&taps, NULL, &r->results[k], &positions[k]);
      hlo_taps_of_base(&taps, NULL, &r->operands[k], &elements[k]);
    }
    HLO_TRY(hlo_folder_fold(&r->folder, positions, elements, error));
  } while (hlo_taps_next(&taps));
  return HLO_OK;
}

static hlo_status reduce(window_reduction *r, hlo_error *error) {
  bool backwards;
  int32_t dimension = cumulative_dimension(r, &backwards);
  if (dimension >= 0) {
    return hlo_cumulate(&r->folder, dimension, backwards, r->operands, r->initial, r->results,
                        error);
  }
  if (r->count == 1) {
    bool done;
    HLO_TRY(hlo_pool(&r->folder, r->fields, r->operands, r->initial, r->results, &done, error));
    if (done) return HLO_OK;
  }
  for (int32_t k = 0; k < r->count; k++) hlo_view_fill(&r->results[k], r->initial[k].data);
  return reduce_taps(r, error);
}

// A copy of the view in f32.
static hlo_status widen(const hlo_evaluator *evaluator, const hlo_view *from, hlo_view *out,
                        hlo_error *error) {
  HLO_TRY(hlo_scratch_view(evaluator, HLO_F32, from->rank, from->dims, out, error));
  return hlo_convert_view(evaluator, out, from, error);
}

// Sums and products of floats below 32 bits are made in f32 and rounded once.
static hlo_status reduce_narrow(window_reduction *r, hlo_opcode opcode, hlo_error *error) {
  hlo_view operand, initial, result;
  window_reduction wide = *r;
  const hlo_view *narrow = &r->results[0];
  HLO_TRY(widen(r->evaluator, &r->operands[0], &operand, error));
  HLO_TRY(widen(r->evaluator, &r->initial[0], &initial, error));
  HLO_TRY(hlo_scratch_view(r->evaluator, HLO_F32, narrow->rank, narrow->dims, &result, error));
  wide.operands = &operand;
  wide.initial = &initial;
  wide.results = &result;
  HLO_TRY(hlo_folder_make_for_op(r->evaluator, opcode, HLO_F32, &wide.folder, error));
  HLO_TRY(reduce(&wide, error));
  return hlo_convert_view(r->evaluator, narrow, &result, error);
}

static hlo_status reduce_any(window_reduction *r, const hlo_computation *computation,
                             hlo_error *error) {
  hlo_type type = r->operands[0].type;
  hlo_opcode opcode = r->count == 1 ? hlo_applied_op(computation, type) : HLO_OP_COUNT;
  bool rounds = opcode == HLO_OP_ADD || opcode == HLO_OP_MULTIPLY;
  if (rounds && hlo_type_is_narrow_float(type)) return reduce_narrow(r, opcode, error);
  HLO_TRY(hlo_folder_make(r->evaluator, computation, r->count, r->operands, &r->folder, error));
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
