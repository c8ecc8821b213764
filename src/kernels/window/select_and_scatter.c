// SelectAndScatter: each position of a window selects an element under it, to which its element of
// the source goes. Source of semantics: "SelectAndScatter" of the operation semantics. Elements of
// a window are offered in row-major order, sources scattered in row-major order of the positions; a
// position that is over padding alone selects nothing.
#include "kernels/machine.h"
#include "kernels/parts.h"
#include "kernels/reduce/fold.h"
#include "kernels/window/select_and_scatter_rows.h"
#include "kernels/window/window_taps.h"

#include <string.h>

enum { LANES = HLO_APPLY_BLOCK };

typedef struct selection {
  const hlo_evaluator *evaluator;
  hlo_applier *select;
  hlo_view operand, result;
  hlo_view values, places; // for each position: the element selected so far, and where it goes
  int64_t size;            // of an element
  char *value, *candidate; // lanes at hand
  int64_t *place, *candidate_place;
  uint8_t *keep;
} selection;

static hlo_status prepare(selection *s, const hlo_computation *select, const hlo_view *source,
                          hlo_error *error) {
  hlo_arena *scratch = s->evaluator->scratch;
  HLO_TRY(hlo_applier_create(s->evaluator, select, LANES, &s->select, error));
  HLO_TRY(
      hlo_scratch_view(s->evaluator, source->type, source->rank, source->dims, &s->values, error));
  HLO_TRY(hlo_scratch_view(s->evaluator, HLO_S64, source->rank, source->dims, &s->places, error));
  const int64_t none = -1;
  hlo_view_fill(&s->places, &none);
  s->size = hlo_type_bytes(source->type);
  s->value = hlo_arena_array(scratch, LANES, (size_t)s->size);
  s->candidate = hlo_arena_array(scratch, LANES, (size_t)s->size);
  if (s->value == NULL || s->candidate == NULL) return hlo_fail_out_of_memory(error);
  HLO_ALLOC(s->place, scratch, LANES, error);
  HLO_ALLOC(s->candidate_place, scratch, LANES, error);
  HLO_ALLOC(s->keep, scratch, LANES, error);
  return HLO_OK;
}

static hlo_view dense_like(const hlo_view *view, void *data) {
  hlo_view dense = *view;
  dense.data = data;
  hlo_view_set_row_major(&dense);
  return dense;
}

// Where in the result the elements of a part of the tap's base go, in row-major order. The part's
// view has the dimensions from parts->split on.
static void place_candidates(selection *s, const hlo_taps *taps, const hlo_parts *parts,
                             const hlo_view *part) {
  int64_t start = 0, index[HLO_MAX_RANK] = {0};
  const int64_t *strides = s->result.strides;
  for (int32_t d = 0; d < taps->rank; d++) {
    int64_t first = d <= parts->split ? parts->index[d] : 0;
    start += (taps->taps[d].base + first * taps->taps[d].base_step) * strides[d];
  }
  int64_t lane = 0;
  do {
    int64_t place = start;
    for (int32_t i = 0; i < part->rank; i++) {
      int32_t d = i + parts->split;
      place += index[i] * taps->taps[d].base_step * strides[d];
    }
    s->candidate_place[lane++] = place;
  } while (hlo_next_index(part->rank, part->dims, index));
}

// Compares the elements at one tap with the current selections of a part of the positions.
static hlo_status offer_part(selection *s, const hlo_taps *taps, const hlo_parts *parts,
                             const hlo_view *tap_operand, const hlo_view *tap_values,
                             const hlo_view *tap_places, hlo_error *error) {
  hlo_view operand, values, places;
  hlo_parts_of_view(parts, tap_operand, &operand);
  hlo_parts_of_view(parts, tap_values, &values);
  hlo_parts_of_view(parts, tap_places, &places);
  hlo_view candidate = dense_like(&operand, s->candidate), value = dense_like(&values, s->value);
  hlo_view place = dense_like(&places, s->place);
  hlo_view_copy(&candidate, &operand);
  hlo_view_copy(&value, &values);
  hlo_view_copy(&place, &places);
  place_candidates(s, taps, parts, &operand);
  int64_t lanes = hlo_parts_size(parts);
  const void *arguments[2] = {s->value, s->candidate};
  void *results[1] = {s->keep};
  HLO_TRY(hlo_applier_run(s->select, lanes, arguments, results, error));
  for (int64_t i = 0; i < lanes; i++) {
    if (s->place[i] >= 0 && s->keep[i] != 0) continue;
    s->place[i] = s->candidate_place[i];
    memcpy(s->value + i * s->size, s->candidate + i * s->size, (size_t)s->size);
  }
  hlo_view_copy(&values, &value);
  hlo_view_copy(&places, &place);
  return HLO_OK;
}

static hlo_status select_elements(selection *s, const int64_t *fields, hlo_error *error) {
  hlo_taps taps;
  const hlo_view *base = &s->operand;
  if (!hlo_taps_start(&taps, base->rank, fields, base->dims, s->values.dims)) return HLO_OK;
  do {
    hlo_view operand, values, places;
    hlo_parts parts;
    hlo_taps_of_base(&taps, NULL, base, &operand);
    hlo_taps_of_positions(&taps, NULL, &s->values, &values);
    hlo_taps_of_positions(&taps, NULL, &s->places, &places);
    hlo_parts_start(&parts, operand.rank, operand.dims, LANES);
    do HLO_TRY(offer_part(s, &taps, &parts, &operand, &values, &places, error));
    while (hlo_parts_next(&parts));
  } while (hlo_taps_next(&taps));
  return HLO_OK;
}

static hlo_status scatter_source(selection *s, const hlo_computation *scatter,
                                 const hlo_view *source, hlo_error *error) {
  hlo_folder folder;
  const int64_t *place = s->places.data;
  int64_t index[HLO_MAX_RANK] = {0};
  HLO_TRY(hlo_folder_init(s->evaluator, scatter, 1, &s->result, &folder, error));
  do {
    int64_t from = 0;
    for (int32_t d = 0; d < source->rank; d++) from += index[d] * source->strides[d];
    if (*place >= 0) {
      void *value = hlo_view_at(&s->result, *place);
      const void *element = hlo_view_at(source, from);
      HLO_TRY(hlo_folder_add(&folder, &value, &element, error));
    }
    place++;
  } while (hlo_next_index(source->rank, source->dims, index));
  return hlo_folder_flush(&folder, error);
}

static hlo_status select_and_scatter(selection *s, const hlo_instruction *instruction,
                                     const hlo_view *source, hlo_error *error) {
  const int64_t *fields;
  bool done;
  HLO_TRY(hlo_window_read(instruction, s->operand.rank, &fields, error));
  HLO_TRY(hlo_select_and_scatter_rows(s->evaluator, instruction, fields, &s->operand, source,
                                      &s->result, &done, error));
  if (done) return HLO_OK;
  HLO_TRY(prepare(s, hlo_get_computation(instruction, HLO_ATTRIBUTE_SELECT), source, error));
  HLO_TRY(select_elements(s, fields, error));
  return scatter_source(s, hlo_get_computation(instruction, HLO_ATTRIBUTE_SCATTER), source, error);
}

hlo_status hlo_eval_select_and_scatter(const hlo_evaluator *evaluator,
                                       const hlo_instruction *instruction, const hlo_view *operands,
                                       const hlo_view *results, hlo_error *error) {
  const hlo_view *source = &operands[1], *initial = &operands[2];
  selection s = {.evaluator = evaluator, .operand = operands[0], .result = results[0]};
  hlo_view_fill(&results[0], initial->data);
  if (hlo_view_elements(source) == 0 || hlo_view_elements(&results[0]) == 0) return HLO_OK;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status = select_and_scatter(&s, instruction, source, error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
