// Slices of updates folded into an array, by operation and type. See fold_slices.h.
#include "kernels/indexed/fold_slices.h"

#include "kernels/elementwise/pointwise_expressions.h"
#include "math/complex.h"
#include "math/half_floats.h"

// Slices of one element have a loop without another one inside. An unchanged extreme is not stored:
// store-to-load forwarding would delay the next comparison with it.
#define EACH_SLICE(element, combine, stays, elements)                                              \
  for (ptrdiff_t i = 0; i < count; i++, from += step) {                                            \
    if (offsets[i] == HLO_SLICE_OUTSIDE) continue;                                                 \
    element *restrict to = (element *)(void *)(array + offsets[i]);                                \
    const element *restrict update = (const element *)(const void *)from;                          \
    if (stays(to[0], update[0])) continue;                                                         \
    for (ptrdiff_t j = 0; j < (elements); j++) to[j] = (element)combine(to[j], update[j]);         \
  }
#define DEFINE(opcode, type, element, combine, stays)                                              \
  static void opcode##_##type(char *array, const ptrdiff_t *offsets, const char *from,             \
                              ptrdiff_t step, ptrdiff_t count, ptrdiff_t elements) {               \
    if (elements == 1) EACH_SLICE(element, combine, stays, 1)                                      \
    else EACH_SLICE(element, combine, NEVER, elements)                                             \
  }
#define NEVER(a, b)         false
#define SUM(a, b)           ((a) + (b))
#define PRODUCT(a, b)       (1u * (a) * (b)) // short integers would become signed ones
#define FLOAT_PRODUCT(a, b) ((a) * (b))
#define LARGER(a, b)        ((a) < (b) ? (b) : (a))
#define SMALLER(a, b)       ((b) < (a) ? (b) : (a))
#define IS_LARGER(a, b)     ((a) > (b))
#define IS_SMALLER(a, b)    ((a) < (b))

// Sums and products of f16 and bf16 are those of f32, rounded each time. Extremes need their codes
// only, whose order is that of numbers once the magnitudes of negative ones are turned around: -0
// stands below 0.
#define ORDER(a) ((int16_t)((int16_t)(a) ^ ((int16_t)(a) >> 15 & 0x7fff)))
#define DEFINE_HALF(type, infinity)                                                                \
  static inline uint16_t sum_##type(uint16_t a, uint16_t b) {                                      \
    return encode_##type(decode_##type(a) + decode_##type(b));                                     \
  }                                                                                                \
  static inline uint16_t product_##type(uint16_t a, uint16_t b) {                                  \
    return encode_##type(decode_##type(a) * decode_##type(b));                                     \
  }                                                                                                \
  static inline bool is_nan_##type(uint16_t a) { return (a & 0x7fff) > (infinity); }               \
  static inline uint16_t maximum_##type(uint16_t a, uint16_t b) {                                  \
    uint16_t number = (is_nan_##type(b) | (ORDER(a) < ORDER(b))) ? b : a;                          \
    return is_nan_##type(a) ? a : number;                                                          \
  }                                                                                                \
  static inline uint16_t minimum_##type(uint16_t a, uint16_t b) {                                  \
    uint16_t number = (is_nan_##type(b) | (ORDER(a) > ORDER(b))) ? b : a;                          \
    return is_nan_##type(a) ? a : number;                                                          \
  }                                                                                                \
  static inline bool is_larger_##type(uint16_t a, uint16_t b) {                                    \
    return !is_nan_##type(b) & (ORDER(a) >= ORDER(b));                                             \
  }                                                                                                \
  static inline bool is_smaller_##type(uint16_t a, uint16_t b) {                                   \
    return !is_nan_##type(b) & (ORDER(a) <= ORDER(b));                                             \
  }
DEFINE_HALF(f16, 0x7c00)
DEFINE_HALF(bf16, 0x7f80)

// Both parts of a number.
typedef float pair_f32 __attribute__((vector_size(8), aligned(4)));
typedef double pair_f64 __attribute__((vector_size(16), aligned(8)));

#define UNSIGNED(ROW, type, element)                                                               \
  ROW(ADD, type, element, SUM, NEVER)                                                              \
  ROW(MULTIPLY, type, element, PRODUCT, NEVER)                                                     \
  SIGNED(ROW, type, element)
#define SIGNED(ROW, type, element)                                                                 \
  ROW(MAXIMUM, type, element, LARGER, IS_LARGER)                                                   \
  ROW(MINIMUM, type, element, SMALLER, IS_SMALLER)
#define HALF(ROW, type, name)                                                                      \
  ROW(ADD, type, uint16_t, sum_##name, NEVER)                                                      \
  ROW(MULTIPLY, type, uint16_t, product_##name, NEVER)                                             \
  ROW(MAXIMUM, type, uint16_t, maximum_##name, is_larger_##name)                                   \
  ROW(MINIMUM, type, uint16_t, minimum_##name, is_smaller_##name)
#define FLOAT(ROW, type, element, name)                                                            \
  ROW(ADD, type, element, SUM, NEVER)                                                              \
  ROW(MULTIPLY, type, element, FLOAT_PRODUCT, NEVER)                                               \
  ROW(MAXIMUM, type, element, hlo_maximum_##name, IS_LARGER)                                       \
  ROW(MINIMUM, type, element, hlo_minimum_##name, IS_SMALLER)

// Sums and products of signed integers are those of unsigned ones.
#define LOOPS(ROW)                                                                                 \
  UNSIGNED(ROW, U8, uint8_t)                                                                       \
  UNSIGNED(ROW, U16, uint16_t)                                                                     \
  UNSIGNED(ROW, U32, uint32_t)                                                                     \
  UNSIGNED(ROW, U64, uint64_t)                                                                     \
  SIGNED(ROW, S8, int8_t)                                                                          \
  SIGNED(ROW, S16, int16_t)                                                                        \
  SIGNED(ROW, S32, int32_t)                                                                        \
  SIGNED(ROW, S64, int64_t)                                                                        \
  HALF(ROW, F16, f16)                                                                              \
  HALF(ROW, BF16, bf16)                                                                            \
  FLOAT(ROW, F32, float, f32)                                                                      \
  FLOAT(ROW, F64, double, f64)                                                                     \
  ROW(ADD, C64, pair_f32, SUM, NEVER)                                                              \
  ROW(ADD, C128, pair_f64, SUM, NEVER)                                                             \
  ROW(MULTIPLY, C64, hlo_c64, hlo_mul_c64, NEVER)                                                  \
  ROW(MULTIPLY, C128, hlo_c128, hlo_mul_c128, NEVER)
LOOPS(DEFINE)

hlo_combine_slices *hlo_slice_fold(hlo_opcode opcode, hlo_type type) {
  static const struct {
    hlo_opcode opcode;
    hlo_type type;
    hlo_combine_slices *loop;
  } loops[] = {
#define ENTRY(opcode, type, element, combine, stays) {HLO_OP_##opcode, HLO_##type, opcode##_##type},
      LOOPS(ENTRY)};
  static const hlo_type without_sign[HLO_TYPE_COUNT] = {
      [HLO_S8] = HLO_U8, [HLO_S16] = HLO_U16, [HLO_S32] = HLO_U32, [HLO_S64] = HLO_U64};
  bool wraps = opcode == HLO_OP_ADD || opcode == HLO_OP_MULTIPLY;
  if (wraps && hlo_type_get_class(type) == HLO_CLASS_SIGNED && hlo_type_bits(type) >= 8)
    type = without_sign[type];
  for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
    if (loops[i].opcode == opcode && loops[i].type == type) return loops[i].loop;
  }
  return NULL;
}
