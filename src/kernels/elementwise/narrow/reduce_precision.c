// ReducePrecision as a lane function: works on the bits of the type itself, so that what it
// already cannot hold never comes up, of types of a byte on those of f16, as XLA does it. Source of
// semantics: "ReducePrecision" of the operation semantics; results below the smallest normal number
// become zero, as XLA does it.
#include "kernels/elementwise/lanes.h"
#include "kernels/elementwise/narrow.h"
#include "kernels/machine.h"

#include "base/bits.h"
#include "math/float_formats.h"
#include "shape/literal.h"

#include <string.h>

// An IEEE-like format of any width in a uint64_t.
typedef struct bit_layout {
  int32_t bytes, exponent_bits, mantissa_bits;
} bit_layout;

// Rounds to nearest even in the bits (a carry out of the mantissa raises the exponent, and at the
// top gives infinity), then flushes what lies outside of the smaller exponent range.
static uint64_t reduce(uint64_t bits, const bit_layout *f, const hlo_lane_op *op) {
  uint64_t sign = bits & (uint64_t)1 << (f->exponent_bits + f->mantissa_bits);
  uint64_t magnitude = bits ^ sign;
  uint64_t infinity = (((uint64_t)1 << f->exponent_bits) - 1) << f->mantissa_bits;
  if (magnitude >= infinity) return bits;
  int32_t dropped = f->mantissa_bits - op->mantissa_bits;
  if (dropped > 0) {
    uint64_t last = magnitude >> dropped & 1;
    magnitude += ((uint64_t)1 << (dropped - 1)) - 1 + last;
    magnitude = magnitude >> dropped << dropped;
  }
  if (op->exponent_bits < f->exponent_bits) {
    int64_t bias = ((int64_t)1 << (f->exponent_bits - 1)) - 1;
    int64_t largest = ((int64_t)1 << (op->exponent_bits - 1)) - 1;
    int64_t exponent = (int64_t)(magnitude >> f->mantissa_bits) - bias;
    if (exponent > largest) magnitude = infinity;
    else if (exponent < 1 - largest) magnitude = 0;
  }
  return sign | magnitude;
}

static void run_bits(const hlo_lane_op *op, void *result, const void *const *operands, int64_t n) {
  bit_layout f = {4, 8, 23};
  const hlo_float_format *format = hlo_type_float_format(op->from);
  if (format != NULL) {
    f = (bit_layout){hlo_type_bytes(op->from), format->exponent_bits, format->mantissa_bits};
  } else if (op->from == HLO_F64) {
    f = (bit_layout){8, 11, 52};
  }
  const char *in = operands[0];
  char *out = result;
  for (int64_t i = 0; i < n; i++) { // little-endian
    uint64_t bits = 0;
    memcpy(&bits, in + i * f.bytes, (size_t)f.bytes);
    bits = reduce(bits, &f, op);
    memcpy(out + i * f.bytes, &bits, (size_t)f.bytes);
  }
}

// Types of a byte by way of one that has all their numbers, and infinities besides.
static void run_widened(const hlo_lane_op *op, void *result, const void *const *operands,
                        int64_t n) {
  hlo_lane_op wide = *op;
  wide.from = op->from == HLO_F8E8M0FNU ? HLO_BF16 : HLO_F16;
  float block[HLO_NARROW_BLOCK];
  uint16_t bits[HLO_NARROW_BLOCK];
  const void *wide_operands[] = {bits};
  const char *in = operands[0];
  char *out = result;
  for (int64_t done = 0; done < n; done += HLO_NARROW_BLOCK) {
    int64_t count = n - done < HLO_NARROW_BLOCK ? n - done : HLO_NARROW_BLOCK;
    hlo_narrow_to_f32(op->from, block, in + done, count);
    hlo_narrow_from_f32(wide.from, bits, block, count);
    run_bits(&wide, bits, wide_operands, count);
    hlo_narrow_to_f32(wide.from, block, bits, count);
    hlo_narrow_from_f32(op->from, out + done, block, count);
  }
}

bool hlo_lane_op_reduce_precision(const hlo_instruction *instruction, hlo_lane_op *out) {
  out->run = hlo_type_bytes(out->from) == 1 ? run_widened : run_bits;
  // Beyond 11 and 52 nothing changes any more.
  int64_t exponent_bits = hlo_get_int(instruction, HLO_ATTRIBUTE_EXPONENT_BITS, 11);
  int64_t mantissa_bits = hlo_get_int(instruction, HLO_ATTRIBUTE_MANTISSA_BITS, 52);
  out->exponent_bits = (int32_t)(exponent_bits > 11 ? 11 : exponent_bits);
  out->mantissa_bits = (int32_t)(mantissa_bits > 52 ? 52 : mantissa_bits);
  return hlo_type_is_float(out->from) && exponent_bits >= 1 && mantissa_bits >= 0;
}
