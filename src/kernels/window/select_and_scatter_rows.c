// See select_and_scatter_rows.h. The row runs along the last dimension with windows or steps and
// all dimensions after it, so that sources are combined in row-major order of the positions
// whatever windows overlap.
#include "kernels/window/select_and_scatter_rows.h"

#include "kernels/elementwise/apply.h"
#include "kernels/elementwise/pointwise.h"
#include "kernels/structural.h"
#include "kernels/window/window_op.h"
#include "kernels/window/window_taps.h"

#include <string.h>

enum { MOST_TAPS = 4096, MOST_REACH = 16, ENOUGH_LANES = 256, MOST_LANES = 4096 };

// --- elements of each size ---

typedef struct element_moves {
  void (*take)(void *values, int32_t *places, const void *candidates, const uint8_t *keep,
               int32_t place, const int32_t *offsets, int64_t n);
  void (*bring)(void *dense, const void *from, const int32_t *offsets, int64_t n);
  void (*put)(const void *dense, void *to, const int32_t *offsets, int64_t n);
} element_moves;

// take: candidate i is that of place + offsets[i].
#define DEFINE(bits)                                                                               \
  static void take_##bits(void *values, int32_t *places, const void *candidates,                   \
                          const uint8_t *keep, int32_t place, const int32_t *offsets, int64_t n) { \
    uint##bits##_t *value = values;                                                                \
    const uint##bits##_t *candidate = candidates;                                                  \
    LANES_ARE_INDEPENDENT for (int64_t i = 0; i < n; i++) {                                        \
      bool stays = (keep[i] != 0) & (places[i] >= 0);                                              \
      value[i] = stays ? value[i] : candidate[i];                                                  \
      places[i] = stays ? places[i] : place + offsets[i];                                          \
    }                                                                                              \
  }                                                                                                \
  static void bring_##bits(void *dense, const void *from, const int32_t *offsets, int64_t n) {     \
    uint##bits##_t *to = dense;                                                                    \
    for (int64_t i = 0; i < n; i++) to[i] = ((const uint##bits##_t *)from)[offsets[i]];            \
  }                                                                                                \
  static void put_##bits(const void *dense, void *to, const int32_t *offsets, int64_t n) {         \
    const uint##bits##_t *from = dense;                                                            \
    for (int64_t i = 0; i < n; i++) ((uint##bits##_t *)to)[offsets[i]] = from[i];                  \
  }
#define MOVES(bits) {take_##bits, bring_##bits, put_##bits}
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
  int64_t inner; // adjacent elements at each position along it
  int64_t lanes;
  int64_t reach;               // positions of a row so far apart, or less, may select the same
  hlo_tap *taps[HLO_MAX_RANK]; // of each dimension, those that meet any element
  int64_t tap_counts[HLO_MAX_RANK];
  char *values, *others; // of lanes: selected so far, and candidates or elements of the source
  uint8_t *keep;
  int32_t *places;            // in the result; -1: none yet
  int32_t *targets, *origins; // of a batch of lanes: places in the result and in the source's row
  int32_t *from, *to, *source_at; // of each lane: how far it is in operand, result and source
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

// Whether windows have one element along a dimension, which is dense after `inner` elements.
static bool is_inner(const row_windows *r, const int64_t *field, int32_t d) {
  int64_t size = r->operand.dims[d];
  return field[HLO_WINDOW_SIZE] == 1 && field[HLO_WINDOW_STRIDE] == 1 &&
         field[HLO_WINDOW_PAD_LOW] == 0 && r->source.dims[d] == size &&
         (size == 1 || (r->operand.strides[d] == r->inner && r->result.strides[d] == r->inner &&
                        r->source.strides[d] == r->inner));
}

// Windows have no dilation, nor has the operand (hlo/infer/window.c).
static bool suits_rows(row_windows *r, const int64_t *fields) {
  const hlo_view *views[] = {&r->operand, &r->result, &r->source};
  int64_t taps = 1, places[3] = {0};
  if (r->operand.rank == 0) return false;
  for (int32_t d = 0; d < r->operand.rank; d++) {
    int64_t size = hlo_window_field(fields, d)[HLO_WINDOW_SIZE];
    if (size > MOST_TAPS / taps) return false;
    taps *= size;
    for (int k = 0; k < 3; k++) {
      int64_t stride = views[k]->strides[d];
      places[k] += (views[k]->dims[d] - 1) * (stride < 0 ? -stride : stride);
      if ((stride < 0 && views[k] == &r->result) || places[k] > INT32_MAX) return false;
    }
  }
  r->inner = 1;
  r->lane_dimension = r->operand.rank - 1;
  for (; r->lane_dimension > 0; r->lane_dimension--) {
    int32_t d = r->lane_dimension;
    if (!is_inner(r, hlo_window_field(fields, d), d)) break;
    r->inner *= r->operand.dims[d];
  }
  bool many = r->inner * r->source.dims[r->lane_dimension] > MOST_LANES;
  if (many && r->inner >= ENOUGH_LANES) { // these alone
    r->lane_dimension++;
    r->inner /= r->operand.dims[r->lane_dimension];
  }
  const int64_t *field = hlo_window_field(fields, r->lane_dimension);
  r->reach = (field[HLO_WINDOW_SIZE] - 1) / field[HLO_WINDOW_STRIDE];
  r->lanes = r->source.dims[r->lane_dimension] * r->inner;
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
  HLO_ALLOC(r->from, scratch, r->lanes, error);
  HLO_ALLOC(r->to, scratch, r->lanes, error);
  HLO_ALLOC(r->source_at, scratch, r->lanes, error);
  int32_t along = r->lane_dimension;
  int64_t stride = hlo_window_field(fields, along)[HLO_WINDOW_STRIDE];
  for (int64_t i = 0; i < r->lanes; i++) {
    int64_t position = i / r->inner, within = i % r->inner;
    r->from[i] = (int32_t)(position * stride * r->operand.strides[along] + within);
    r->to[i] = (int32_t)(position * stride * r->result.strides[along] + within);
    r->source_at[i] = (int32_t)(position * r->source.strides[along] + within);
  }
  memset(r->values, 0, (size_t)(r->lanes * r->size)); // compared before anything is selected
  return HLO_OK;
}

// --- rows ---

// Lanes at `from` to r->others.
static void gather(const row_windows *r, const void *from, int64_t n) {
  size_t bytes = (size_t)(r->inner * r->size);
  if (bytes < sizeof(uint64_t)) {
    r->moves->bring(r->others, from, r->from, n);
    return;
  }
  for (int64_t i = 0; i < n; i += r->inner)
    memcpy(r->others + i * r->size, (const char *)from + r->from[i] * r->size, bytes);
}

// Compares the elements at one tap with the row's current selections; `from` and `place` locate the
// first such element.
static void offer(row_windows *r, const hlo_tap *tap, const void *from, int64_t place) {
  int64_t first = tap->position * r->inner, n = tap->count * r->inner;
  char *values = r->values + first * r->size;
  const void *arguments[2];
  if (r->from[n - 1] != n - 1) { // not dense
    gather(r, from, n);
    from = r->others;
  }
  arguments[r->candidate_first] = values;
  arguments[!r->candidate_first] = from;
  r->compare.run(&r->compare, r->keep, arguments, n);
  r->moves->take(values, r->places + first, from, r->keep, (int32_t)place, r->to, n);
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
      int64_t i = d >= r->lane_dimension ? 0 : position[d] - tap->position;
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
  if (n == 1) { // in place
    void *target = hlo_view_at(&r->result, r->targets[0]);
    arguments[0] = target;
    arguments[1] = (const char *)source + r->origins[0] * r->size;
    r->combine(target, arguments, 1);
    return;
  }
  r->moves->bring(r->values, r->result.data, r->targets, n);
  r->moves->bring(r->others, source, r->origins, n);
  r->combine(r->values, arguments, n);
  r->moves->put(r->values, r->result.data, r->targets, n);
}

// Whether one of the batch's n lanes, which come by position, may have that target.
static bool is_target(const row_windows *r, int64_t n, int64_t target) {
  if (r->reach > MOST_REACH) return n > 0;
  for (int64_t i = 1; i <= r->reach && i <= n; i++) {
    if (r->targets[n - i] == target) return true;
  }
  return false;
}

// Sources of one position have different targets, those of all only where windows are apart.
static void scatter_row(row_windows *r, const void *source) {
  int64_t n = 0, share = r->reach > 0 && r->inner > 1 ? r->inner : r->lanes;
  for (int64_t i = 0; i < r->lanes; i++) {
    bool ends = i % share == 0 || (r->inner == 1 && is_target(r, n, r->places[i]));
    if (ends && n > 0) {
      combine_batch(r, source, n);
      n = 0;
    }
    if (r->places[i] < 0) continue;
    r->targets[n] = r->places[i];
    r->origins[n++] = r->source_at[i];
  }
  if (n > 0) combine_batch(r, source, n);
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
    rows[d] = d >= r.lane_dimension ? 1 : source->dims[d];
  }
  do {
    int64_t at = 0;
    for (int32_t d = 0; d < operand->rank; d++) at += position[d] * source->strides[d];
    select_row(&r, position);
    scatter_row(&r, hlo_view_at(source, at));
  } while (hlo_next_index(operand->rank, rows, position));
  return HLO_OK;
}
