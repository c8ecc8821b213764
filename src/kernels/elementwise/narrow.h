// Floats below 32 bits in blocks: to float and back with one rounding. Knows element types, but
// not operations or views.
#ifndef HLO_KERNELS_ELEMENTWISE_NARROW_H
#define HLO_KERNELS_ELEMENTWISE_NARROW_H

#include "base/bits.h"
#include "shape/type.h"

// THE list of narrow types: NARROW(enumerator, suffix of float_formats.h, bits in memory, …), with
// whatever else the list is given. They are neighbours in types.def.
#define HLO_NARROW_FLOATS(NARROW, ...)                                                             \
  NARROW(F4E2M1FN, f4e2m1fn, uint8_t, __VA_ARGS__)                                                 \
  NARROW(F6E2M3FN, f6e2m3fn, uint8_t, __VA_ARGS__)                                                 \
  NARROW(F6E3M2FN, f6e3m2fn, uint8_t, __VA_ARGS__)                                                 \
  NARROW(F8E3M4, f8e3m4, uint8_t, __VA_ARGS__)                                                     \
  NARROW(F8E4M3, f8e4m3, uint8_t, __VA_ARGS__)                                                     \
  NARROW(F8E4M3FN, f8e4m3fn, uint8_t, __VA_ARGS__)                                                 \
  NARROW(F8E4M3FNUZ, f8e4m3fnuz, uint8_t, __VA_ARGS__)                                             \
  NARROW(F8E4M3B11FNUZ, f8e4m3b11fnuz, uint8_t, __VA_ARGS__)                                       \
  NARROW(F8E5M2, f8e5m2, uint8_t, __VA_ARGS__)                                                     \
  NARROW(F8E5M2FNUZ, f8e5m2fnuz, uint8_t, __VA_ARGS__)                                             \
  NARROW(F8E8M0FNU, f8e8m0fnu, uint8_t, __VA_ARGS__)                                               \
  NARROW(BF16, bf16, uint16_t, __VA_ARGS__)                                                        \
  NARROW(F16, f16, uint16_t, __VA_ARGS__)

bool hlo_type_is_narrow_float(hlo_type type);
// n dense elements of a narrow type; in and out must not overlap.
void hlo_narrow_to_f32(hlo_type type, float *out, const void *in, int64_t n);
void hlo_narrow_from_f32(hlo_type type, void *out, const float *in, int64_t n);
// The nearest bf16, for sums and products of such: their NaNs have no bits beyond bf16's.
static inline float hlo_round_to_bf16(float value) {
  uint32_t bits = bits_of_float(value);
  return float_of_bits((bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000);
}
void hlo_narrow_from_f64(hlo_type type, void *out, const double *in, int64_t n);

#endif
