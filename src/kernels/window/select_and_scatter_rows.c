// See select_and_scatter_rows.h. The row runs along the last dimension with several positions, so
// that sources are combined in row-major order of the positions whatever windows overlap.
#include "kernels/window/select_and_scatter_rows.h"

#include "kernels/elementwise/apply.h"
#include "kernels/elementwise/pointwise.h"
#include "kernels/structural.h"
#include "kernels/window/window_taps.h"

#include <string.h>

enum { MOST_TAPS = 4096, MOST_REACH = 16 };

// --- elements of each size ---

typedef struct element_moves {
  void (*collect)(void *dense, const void *from, int64_t step, int64_t n);
  void (*take)(void *values, int32_t *places, const void *candidates, const uint8_t *keep,
               int32_t place, int32_t step, int64_t n);
  void (*bring)(void *dense, const void *from, const int64_t *offsets, int64_t n);
  void (*put)(const void *dense, void *to, const int64_t *offsets, int64_t n);
} element_moves;

// take: candidate i is that of place + i * step.
#define DEFINE(bits)                                                                               \
  static void collect_##bits(void *dense, const void *from, int64_t step, int64_t n) {             \
    uint##bits##_t *to = dense;                                                                    \
    for (int64_t i = 0; i < n; i++) to[i] = ((const uint##bits##_t *)from)[i * step];              \
  }                                                                                                \
  static void take_##bits(void *values, int32_t *places, const void *candidates,                   \
                          const uint8_t *keep, int32_t place, int32_t step, int64_t n) {           \
    uint##bits##_t *value = values;                                                                \
    const uint##bits##_t *candidate = candidates;                                                  \
    LANES_ARE_INDEPENDENT for (int64_t i = 0; i < n; i++) {                                        \
      bool stays = (keep[i] != 0) & (places[i] >= 0);                                              \
      value[i] = stays ? value[i] : candidate[i];                                                  \
      places[i] = stays ? places[i] : place + (int32_t)i * step;                                   \
    }                                                                                              \
  }                                                                                                \
  static void bring_##bits(void *dense, const void *from, const int64_t *offsets, int64_t n) {     \
    uint##bits##_t *to = dense;                                                                    \
    for (int64_t i = 0; i < n; i++) to[i] = ((const uint##bits##_t *)from)[offsets[i]];            \
  }                                                                                                \
  static void put_##bits(const void *dense, void *to, const int64_t *offsets, int64_t n) {         \
    const uint##bits##_t *from = dense;                                                            \
    for (int64_t i = 0; i < n; i++) ((uint##bits##_t *)to)[offsets[i]] = from[i];                  \
  }
#define MOVES(bits) {collect_##bits, take_##bits, bring_##bits, put_##bits}
DEFINE(8)
DEFINE(16)
DEFINE(32)
DEFINE(64)

static const element_moves moves_8 = MOVES(8), moves_16 = MOVES(16), moves_32 = MOVES(32),
                           moves_64 = MOVES(64);

static const element_moves *moves_of_size(int64_t size) {
  return size == 1   ? &moves_8
         : size == 2 ? &moves_16
         : size == 4 ? &moves_32
         : size == 8 ? &moves_64
                     : NULL;
}

// --- pattern matching ---

typedef struct row_windows {
  hlo_view operand, source, result;
  int64_t size; // of an element
  const element_moves *moves;
  hlo_lane_op compare;
  bool candidate_first; // in the comparison
  hlo_pointwise_kernel *combine;
  int32_t lane_dimension;
  int64_t lanes;
  int64_t reach;               // positions of a row so far apart, or less, may select the same
  hlo_tap *taps[HLO_MAX_RANK]; // of each dimension, those that meet any element
  int64_t tap_counts[HLO_MAX_RANK];
  char *values, *others; // of lanes: selected so far, and candidates or elements of the source
  uint8_t *keep;
  int32_t *places;            // in the result; -1: none yet
  int64_t *targets, *origins; // of a batch of lanes: places in the result and in the source's row
} row_windows;

static bool match_comparison(row_windows *r, const hlo_computation *select) {
  const hlo_instruction *root = select->root;
  if (root->opcode != HLO_OP_COMPARE || select->parameter_count != 2) return false;
  r->candidate_first = root->operands[0] == select->parameters[1];
  if (root->operands[r->candidate_first] != select->parameters[0] ||
      root->operands[!r->candidate_first] != select->parameters[1])
    return false;
  return root->operands[0]->shape->type == r->operand.type && hlo_lane_op_match(root, &r->compare);
}

static bool match_combination(row_windows *r, const hlo_computation *scatter) {
  hlo_opcode opcode = hlo_applied_op(scatter, r->result.type);
  if (opcode == HLO_OP_COUNT) return false;
  r->combine = hlo_pointwise_get(opcode, r->result.type);
  return true;
}

// Windows have no dilation, nor has the operand (hlo/infer/window.c).
static bool suits_rows(row_windows *r, const int64_t *fields) {
  int64_t taps = 1, places = 0;
  if (r->operand.rank == 0) return false;
  for (int32_t d = 0; d < r->operand.rank; d++) {
    const int64_t *field = fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
    int64_t size = field[HLO_WINDOW_SIZE];
    if (size > MOST_TAPS || r->result.strides[d] < 0) return false;
    taps *= size;
    places += (r->result.dims[d] - 1) * r->result.strides[d];
    if (taps > MOST_TAPS || places > INT32_MAX) return false;
    if (r->source.dims[d] > 1 || d == 0) r->lane_dimension = d;
  }
  const int64_t *field = fields + (ptrdiff_t)r->lane_dimension * HLO_WINDOW_FIELDS;
  r->reach = (field[HLO_WINDOW_SIZE] - 1) / field[HLO_WINDOW_STRIDE];
  r->lanes = r->source.dims[r->lane_dimension];
  return true;
}

static hlo_status allocate(row_windows *r, hlo_arena *scratch, const int64_t *fields,
                           hlo_error *error) {
  for (int32_t d = 0; d < r->operand.rank; d++) {
    const int64_t *field = fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
    HLO_ALLOC(r->taps[d], scratch, field[HLO_WINDOW_SIZE], error);
    for (int64_t i = 0; i < field[HLO_WINDOW_SIZE]; i++) {
      hlo_tap tap = hlo_tap_of(field, i, r->operand.dims[d], r->source.dims[d]);
      if (tap.count > 0) r->taps[d][r->tap_counts[d]++] = tap;
    }
  }
  HLO_ALLOC(r->values, scratch, r->lanes * r->size, error);
  HLO_ALLOC(r->others, scratch, r->lanes * r->size, error);
  HLO_ALLOC(r->keep, scratch, r->lanes, error);
  HLO_ALLOC(r->places, scratch, r->lanes, error);
  HLO_ALLOC(r->targets, scratch, r->lanes, error);
  HLO_ALLOC(r->origins, scratch, r->lanes, error);
  memset(r->values, 0, (size_t)(r->lanes * r->size)); // compared before anything is selected
  return HLO_OK;
}

// --- rows ---

// Compares the elements at one tap with the row's current selections; `from` and `place` locate the
// first such element.
static void offer(row_windows *r, const hlo_tap *tap, const void *from, int64_t place) {
  int32_t d = r->lane_dimension;
  int64_t step = tap->base_step * r->operand.strides[d];
  char *values = r->values + tap->position * r->size;
  const void *arguments[2];
  if (step != 1) {
    r->moves->collect(r->others, from, step, tap->count);
    from = r->others;
  }
  arguments[r->candidate_first] = values;
  arguments[!r->candidate_first] = from;
  r->compare.run(&r->compare, r->keep, arguments, tap->count);
  r->moves->take(values, r->places + tap->position, from, r->keep, (int32_t)place,
                 tap->count > 1 ? (int32_t)(tap->base_step * r->result.strides[d]) : 0, tap->count);
}

// Offers all elements of the windows to the positions of a row.
static void select_row(row_windows *r, const int64_t *position) {
  int64_t number[HLO_MAX_RANK] = {0};
  for (int64_t i = 0; i < r->lanes; i++) r->places[i] = -1;
  do {
    int64_t from = 0, place = 0;
    bool meets = true;
    for (int32_t d = 0; d < r->operand.rank; d++) {
      const hlo_tap *tap = &r->taps[d][number[d]];
      int64_t i = d == r->lane_dimension ? 0 : position[d] - tap->position;
      meets = meets && i >= 0 && i < tap->count;
      if (!meets) break;
      from += (tap->base + i * tap->base_step) * r->operand.strides[d];
      place += (tap->base + i * tap->base_step) * r->result.strides[d];
    }
    const hlo_tap *tap = &r->taps[r->lane_dimension][number[r->lane_dimension]];
    if (meets) offer(r, tap, hlo_view_at(&r->operand, from), place);
  } while (hlo_next_index(r->operand.rank, r->tap_counts, number));
}

static void combine_batch(row_windows *r, const void *source, int64_t n) {
  const void *arguments[2] = {r->values, r->others};
  r->moves->bring(r->values, r->result.data, r->targets, n);
  r->moves->bring(r->others, source, r->origins, n);
  r->combine(r->values, arguments, n);
  r->moves->put(r->values, r->result.data, r->targets, n);
}

// Whether one of the batch's n lanes may have that target.
static bool is_target(const row_windows *r, int64_t n, int64_t target) {
  if (r->reach > MOST_REACH) return n > 0;
  for (int64_t i = 1; i <= r->reach && i <= n; i++) {
    if (r->targets[n - i] == target) return true;
  }
  return false;
}

static void scatter_row(row_windows *r, const void *source) {
  int64_t n = 0, step = r->source.strides[r->lane_dimension];
  for (int64_t i = 0; i < r->lanes; i++) {
    int64_t target = r->places[i];
    if (target < 0) continue;
    if (is_target(r, n, target)) {
      combine_batch(r, source, n);
      n = 0;
    }
    r->targets[n] = target;
    r->origins[n++] = i * step;
  }
  combine_batch(r, source, n);
}

hlo_status hlo_select_and_scatter_rows(const hlo_evaluator *evaluator,
                                       const hlo_instruction *instruction, const int64_t *fields,
                                       const hlo_view *operand, const hlo_view *source,
                                       const hlo_view *result, bool *done, hlo_error *error) {
  row_windows r = {.operand = *operand, .source = *source, .result = *result};
  int64_t rows[HLO_MAX_RANK], position[HLO_MAX_RANK] = {0};
  r.size = hlo_type_bytes(operand->type);
  r.moves = moves_of_size(r.size);
  *done = r.moves != NULL && operand->type == source->type && operand->type == result->type &&
          match_comparison(&r, hlo_get_computation(instruction, HLO_ATTRIBUTE_SELECT)) &&
          match_combination(&r, hlo_get_computation(instruction, HLO_ATTRIBUTE_SCATTER)) &&
          suits_rows(&r, fields);
  if (!*done) return HLO_OK;
  HLO_TRY(allocate(&r, evaluator->scratch, fields, error));
  for (int32_t d = 0; d < operand->rank; d++) {
    if (r.tap_counts[d] == 0) return HLO_OK;
    rows[d] = d == r.lane_dimension ? 1 : source->dims[d];
  }
  do {
    int64_t at = 0;
    for (int32_t d = 0; d < operand->rank; d++) at += position[d] * source->strides[d];
    select_row(&r, position);
    scatter_row(&r, hlo_view_at(source, at));
  } while (hlo_next_index(operand->rank, rows, position));
  return HLO_OK;
}
