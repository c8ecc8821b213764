// Taps of a window: one element of a window that slides over a base meets some of the base's
// elements, evenly spaced, at some of the window's positions, evenly spaced too. Convolution,
// reduce-window and select-and-scatter iterate over taps.
#ifndef HLO_KERNELS_WINDOW_WINDOW_TAPS_H
#define HLO_KERNELS_WINDOW_WINDOW_TAPS_H

#include "hlo/attributes/window.h"
#include "shape/view.h"

// Along one dimension: at position + i * position_step the tap is over element base + i *
// base_step, for i in 0 … count - 1. Everywhere else it is over padding or a hole.
typedef struct hlo_tap {
  int64_t count, position, position_step, base, base_step;
} hlo_tap;

// field: the window dimension's HLO_WINDOW_FIELDS integers, over a base of `size` elements, in
// which it has `positions` as of hlo_window_positions.
hlo_tap hlo_tap_of(const int64_t *field, int64_t tap, int64_t size, int64_t positions);

// An iterator over the taps of a multidimensional window in row-major order that skips taps that
// meet no element.
typedef struct hlo_taps {
  int32_t rank;
  const int64_t *fields;
  int64_t sizes[HLO_MAX_RANK], positions[HLO_MAX_RANK];
  int64_t first[HLO_MAX_RANK], last[HLO_MAX_RANK]; // no tap outside of these meets anything
  int64_t numbers[HLO_MAX_RANK];                   // of the current tap in each dimension
  hlo_tap taps[HLO_MAX_RANK];
} hlo_taps;

// False when no tap meets anything. fields stay the caller's.
bool hlo_taps_start(hlo_taps *taps, int32_t rank, const int64_t *fields, const int64_t *sizes,
                    const int64_t *positions);
bool hlo_taps_next(hlo_taps *taps); // false after the last
// The elements that the current tap meets, of a view of the base; and the positions where it does,
// of a view with an element for each. dimensions: the window's dimensions in the view, NULL: all in
// order. Other dimensions stay whole.
void hlo_taps_of_base(const hlo_taps *taps, const int32_t *dimensions, const hlo_view *base,
                      hlo_view *out);
void hlo_taps_of_positions(const hlo_taps *taps, const int32_t *dimensions, const hlo_view *view,
                           hlo_view *out);

#endif
