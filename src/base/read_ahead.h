// Software prefetch.
#ifndef HLO_BASE_READ_AHEAD_H
#define HLO_BASE_READ_AHEAD_H

#include "base/machine.h"

#include <stdint.h>

// Reads a byte of each cache line of the rows, which are `stride` bytes apart: a tight loop over
// four rows at once keeps more cache misses in flight than the loop that processes the data.
static inline void hlo_read_ahead(int64_t rows, int64_t bytes, const void *from, int64_t stride) {
  intptr_t quarter = (intptr_t)(rows / 4 * stride);
  const volatile char *row = (const volatile char *)from;
  for (int64_t r = 0; r < rows / 4; r++, row += stride) {
    const volatile char *at = row, *end = row + bytes;
    for (; at < end; at += HLO_LINE_BYTES) {
      (void)at[0];
      (void)at[quarter];
      (void)at[2 * quarter];
      (void)at[3 * quarter];
    }
  }
}

#endif
