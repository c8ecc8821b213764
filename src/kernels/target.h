// Host features available to code generated at run time. A value, so that any build can emit for
// any host. The backend of a build names its own.
#ifndef HLO_KERNELS_TARGET_H
#define HLO_KERNELS_TARGET_H

#include <stdbool.h>

typedef struct hlo_target {
  // Instructions of relaxed SIMD. Multiply-adds have one rounding or two, whichever the host has;
  // lane selection, swizzling and conversion to integers are one machine instruction each, where
  // their operands are such that all hosts agree.
  bool relaxed_simd;
} hlo_target;

#endif
