// See window_taps.h. Source of semantics: "Conv" and "ReduceWindow" of the operation semantics: the
// base is dilated, then padded (or cut, where padding is negative), then the window slides.
#include "eval/window_taps.h"

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
static bool find_positions(const int64_t *field, int64_t tap, int64_t size, int64_t positions,
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
  if (!find_positions(field, tap, size, positions, &shift, &low, &high)) return out;
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

// Taps outside of first … first + counts - 1 never meet the base: windows may be much larger than
// the base with its padding.
static void find_range(hlo_taps *taps, int32_t d) {
  const int64_t *field = taps->fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
  int64_t dilation = field[HLO_WINDOW_RHS_DILATION], window = field[HLO_WINDOW_SIZE];
  int64_t first, last, travel;
  taps->first[d] = 0;
  taps->counts[d] = window;
  if (taps->positions[d] == 0) return;
  if (!hlo_checked_mul(taps->positions[d] - 1, field[HLO_WINDOW_STRIDE], &travel) ||
      !hlo_checked_sub(field[HLO_WINDOW_PAD_LOW], travel, &first) ||
      !hlo_checked_add(field[HLO_WINDOW_PAD_LOW],
                       (taps->sizes[d] - 1) * field[HLO_WINDOW_LHS_DILATION], &last)) {
    return;
  }
  first = first > 0 ? (first - 1) / dilation + 1 : 0;
  last = divide_down(last, dilation);
  if (last > window - 1) last = window - 1;
  taps->first[d] = first;
  taps->counts[d] = last < first ? 0 : last - first + 1;
}

// Finds the current tap in each dimension; false when it meets nothing in one of them.
static bool find_taps(hlo_taps *taps) {
  for (int32_t d = 0; d < taps->rank; d++) {
    taps->taps[d] = hlo_tap_of(taps->fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS,
                               hlo_taps_number(taps, d), taps->sizes[d], taps->positions[d]);
    if (taps->taps[d].count == 0) return false;
  }
  return true;
}

bool hlo_taps_start(hlo_taps *taps, int32_t rank, const int64_t *fields, const int64_t *sizes,
                    const int64_t *positions) {
  taps->rank = rank;
  taps->fields = fields;
  for (int32_t d = 0; d < rank; d++) {
    taps->sizes[d] = sizes[d];
    taps->positions[d] = positions[d];
    taps->index[d] = 0;
    find_range(taps, d);
    if (sizes[d] == 0 || taps->counts[d] == 0) return false;
  }
  return find_taps(taps) || hlo_taps_next(taps);
}

bool hlo_taps_next(hlo_taps *taps) {
  while (hlo_next_index(taps->rank, taps->counts, taps->index)) {
    if (find_taps(taps)) return true;
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
