// See window_taps.h. Source of semantics: "Conv" and "ReduceWindow" of the operation semantics: the
// base is dilated, then padded (or cut, where padding is negative), then the window slides.
#include "kernels/window/window_taps.h"

#include "base/checked.h"

static int64_t greatest_common_divisor(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// Rounded down, for b > 0.
static int64_t divide_down(int64_t a, int64_t b) { return a / b - (a % b < 0); }

// At position o the tap is over place o * stride + shift of the dilated base, for o in low … high.
// hlo_window_positions has found that sizes with dilation and padding fit 64 bits. False when there
// is no such position.
static bool valid_positions(const int64_t *field, int64_t tap, int64_t size, int64_t positions,
                            int64_t *shift, int64_t *low, int64_t *high) {
  int64_t stride = field[HLO_WINDOW_STRIDE], reach;
  if (size == 0 || positions == 0) return false;
  if (!hlo_checked_mul(tap, field[HLO_WINDOW_RHS_DILATION], shift) ||
      !hlo_checked_sub(*shift, field[HLO_WINDOW_PAD_LOW], shift) ||
      !hlo_checked_sub((size - 1) * field[HLO_WINDOW_LHS_DILATION], *shift, &reach)) {
    return false;
  }
  *low = *shift >= 0 ? 0 : -divide_down(*shift, stride);
  *high = divide_down(reach, stride);
  if (*high > positions - 1) *high = positions - 1;
  return *low <= *high;
}

hlo_tap hlo_tap_of(const int64_t *field, int64_t tap, int64_t size, int64_t positions) {
  int64_t stride = field[HLO_WINDOW_STRIDE], dilation = field[HLO_WINDOW_LHS_DILATION];
  int64_t shift, low, high;
  hlo_tap out = {.count = 0};
  if (!valid_positions(field, tap, size, positions, &shift, &low, &high)) return out;
  // Places that are no multiple of the dilation are holes.
  int64_t divisor = greatest_common_divisor(stride, dilation);
  out.position_step = dilation / divisor;
  out.base_step = stride / divisor;
  int64_t last = high - low < out.position_step ? high : low + out.position_step - 1;
  for (int64_t o = low; o <= last; o++) {
    if ((o * stride + shift) % dilation != 0) continue;
    out.position = o;
    out.base = (o * stride + shift) / dilation;
    out.count = (high - o) / out.position_step + 1;
    break;
  }
  return out;
}

// Windows may be much larger than the base with its padding: finds bounds for the taps that can
// meet anything, where 64 bits hold them.
static void compute_bounds(hlo_taps *taps, int32_t d) {
  const int64_t *field = taps->fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
  int64_t dilation = field[HLO_WINDOW_RHS_DILATION], low = field[HLO_WINDOW_PAD_LOW];
  int64_t travel, place;
  taps->first[d] = 0;
  taps->last[d] = field[HLO_WINDOW_SIZE] - 1;
  if (taps->positions[d] == 0 || taps->sizes[d] == 0) {
    taps->last[d] = -1;
    return;
  }
  travel = (taps->positions[d] - 1) * field[HLO_WINDOW_STRIDE];
  if (hlo_checked_sub(low, travel, &place) && place > 0) {
    taps->first[d] = (place - 1) / dilation + 1;
  }
  if (hlo_checked_add((taps->sizes[d] - 1) * field[HLO_WINDOW_LHS_DILATION], low, &place)) {
    int64_t last = divide_down(place, dilation);
    if (last < taps->last[d]) taps->last[d] = last;
  }
}

// The first tap from `from` on that meets anything, or -1, in time that does not depend on how many
// taps there are.
static int64_t next_meeting(const int64_t *field, int64_t from, int64_t size, int64_t positions) {
  int64_t best = -1;
  for (int64_t o = 0; o < positions; o++) {
    int64_t shift, distance;
    // Tap number t at position o is over element b where t * window dilation is this distance.
    if (!hlo_checked_sub(field[HLO_WINDOW_PAD_LOW], o * field[HLO_WINDOW_STRIDE], &shift)) continue;
    for (int64_t b = 0; b < size; b++) {
      if (!hlo_checked_add(b * field[HLO_WINDOW_LHS_DILATION], shift, &distance)) break;
      if (distance < 0 || distance % field[HLO_WINDOW_RHS_DILATION] != 0) continue;
      int64_t tap = distance / field[HLO_WINDOW_RHS_DILATION];
      if (tap < from) continue;
      if (tap < field[HLO_WINDOW_SIZE] && (best < 0 || tap < best)) best = tap;
      break;
    }
  }
  return best;
}

// Finds the first tap of a dimension from `from` on that meets anything; false if there is none.
static bool seek_tap(hlo_taps *taps, int32_t d, int64_t from) {
  enum { TRIES = 64 }; // as a rule the next one does, or one soon after
  const int64_t *field = taps->fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
  if (from < taps->first[d]) from = taps->first[d];
  for (int32_t i = 0; i < TRIES && from <= taps->last[d]; i++, from++) {
    taps->numbers[d] = from;
    taps->taps[d] = hlo_tap_of(field, from, taps->sizes[d], taps->positions[d]);
    if (taps->taps[d].count > 0) return true;
  }
  if (from > taps->last[d]) return false;
  taps->numbers[d] = next_meeting(field, from, taps->sizes[d], taps->positions[d]);
  if (taps->numbers[d] < 0) return false;
  taps->taps[d] = hlo_tap_of(field, taps->numbers[d], taps->sizes[d], taps->positions[d]);
  return true;
}

bool hlo_taps_start(hlo_taps *taps, int32_t rank, const int64_t *fields, const int64_t *sizes,
                    const int64_t *positions) {
  taps->rank = rank;
  taps->fields = fields;
  for (int32_t d = 0; d < rank; d++) {
    taps->sizes[d] = sizes[d];
    taps->positions[d] = positions[d];
    compute_bounds(taps, d);
    if (!seek_tap(taps, d, 0)) return false;
  }
  return true;
}

bool hlo_taps_next(hlo_taps *taps) {
  for (int32_t d = taps->rank - 1; d >= 0; d--) {
    if (seek_tap(taps, d, taps->numbers[d] + 1)) return true;
    seek_tap(taps, d, 0);
  }
  return false;
}

static void select_dimension(hlo_view *view, int32_t dimension, int64_t count, int64_t first,
                             int64_t step) {
  view->data = (char *)view->data + first * view->strides[dimension] * hlo_type_bytes(view->type);
  view->dims[dimension] = count;
  if (count > 1) view->strides[dimension] *= step;
}

void hlo_taps_of_base(const hlo_taps *taps, const int32_t *dimensions, const hlo_view *base,
                      hlo_view *out) {
  *out = *base;
  for (int32_t d = 0; d < taps->rank; d++) {
    const hlo_tap *tap = &taps->taps[d];
    int32_t dimension = dimensions == NULL ? d : dimensions[d];
    select_dimension(out, dimension, tap->count, tap->base, tap->base_step);
  }
}

void hlo_taps_of_positions(const hlo_taps *taps, const int32_t *dimensions, const hlo_view *view,
                           hlo_view *out) {
  *out = *view;
  for (int32_t d = 0; d < taps->rank; d++) {
    const hlo_tap *tap = &taps->taps[d];
    int32_t dimension = dimensions == NULL ? d : dimensions[d];
    select_dimension(out, dimension, tap->count, tap->position, tap->position_step);
  }
}
