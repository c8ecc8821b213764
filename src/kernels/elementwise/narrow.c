// Floats below 32 bits in blocks.
#include "kernels/elementwise/narrow.h"

#include "math/float_formats.h"

bool hlo_type_is_narrow_float(hlo_type type) {
  return hlo_type_is_float(type) && hlo_type_bits(type) < 32;
}

// f16 and bf16 have vectorised conversions.
#define DEFINE(id, suffix, bits, ...)                                                              \
  static void suffix##_to_f32(float *out, const void *in, int64_t n) {                             \
    const bits *x = in;                                                                            \
    for (int64_t i = 0; i < n; i++) out[i] = hlo_##suffix##_to_f32(x[i]);                          \
  }                                                                                                \
  static void suffix##_from_f32(void *out, const float *in, int64_t n) {                           \
    bits *y = out;                                                                                 \
    for (int64_t i = 0; i < n; i++) y[i] = hlo_f32_to_##suffix(in[i]);                             \
  }                                                                                                \
  static void suffix##_from_f64(void *out, const double *in, int64_t n) {                          \
    bits *y = out;                                                                                 \
    for (int64_t i = 0; i < n; i++) y[i] = hlo_f64_to_##suffix(in[i]);                             \
  }
HLO_NARROW_FLOATS(DEFINE, )

void hlo_narrow_to_f32(hlo_type type, float *out, const void *in, int64_t n) {
  switch (type) {
  case HLO_F16:
    hlo_f16_to_f32_n(out, in, (size_t)n);
    return;
  case HLO_BF16:
    hlo_bf16_to_f32_n(out, in, (size_t)n);
    return;
  default:
    break;
  }
  static void (*const functions[HLO_TYPE_COUNT])(float *, const void *, int64_t) = {
#define ENTRY(id, suffix, bits, ...) [HLO_##id] = suffix##_to_f32,
      HLO_NARROW_FLOATS(ENTRY, )
#undef ENTRY
  };
  functions[type](out, in, n);
}

void hlo_narrow_from_f32(hlo_type type, void *out, const float *in, int64_t n) {
  switch (type) {
  case HLO_F16:
    hlo_f32_to_f16_n(out, in, (size_t)n);
    return;
  case HLO_BF16:
    hlo_f32_to_bf16_n(out, in, (size_t)n);
    return;
  default:
    break;
  }
  static void (*const functions[HLO_TYPE_COUNT])(void *, const float *, int64_t) = {
#define ENTRY(id, suffix, bits, ...) [HLO_##id] = suffix##_from_f32,
      HLO_NARROW_FLOATS(ENTRY, )
#undef ENTRY
  };
  functions[type](out, in, n);
}

void hlo_narrow_from_f64(hlo_type type, void *out, const double *in, int64_t n) {
  static void (*const functions[HLO_TYPE_COUNT])(void *, const double *, int64_t) = {
#define ENTRY(id, suffix, bits, ...) [HLO_##id] = suffix##_from_f64,
      HLO_NARROW_FLOATS(ENTRY, )
#undef ENTRY
  };
  functions[type](out, in, n);
}
