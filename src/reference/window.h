// Windows that slide over an array (hlo/window.h), position by position.
#ifndef HLO_REFERENCE_WINDOW_H
#define HLO_REFERENCE_WINDOW_H

#include "hlo/window.h"

// The element of a base of `size` that element `tap` of a window meets along a dimension when the
// window is at `position`; -1: padding or a hole.
static inline int64_t hlo_window_meets(const int64_t *field, int64_t size, int64_t position,
                                       int64_t tap) {
  int64_t at = position * field[HLO_WINDOW_STRIDE] + tap * field[HLO_WINDOW_RHS_DILATION] -
               field[HLO_WINDOW_PAD_LOW];
  if (at < 0 || at % field[HLO_WINDOW_LHS_DILATION] != 0) return -1;
  at /= field[HLO_WINDOW_LHS_DILATION];
  return at < size ? at : -1;
}

#endif
