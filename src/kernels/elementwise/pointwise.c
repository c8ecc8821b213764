// Finds pointwise kernels by element type.
#include "kernels/elementwise/pointwise.h"

#include "math/complex.h"
#include "math/vector_math.h"

// Vectorised functions of f32 and f64, with the same bits as the row of ops.def.
#define DEFINE(id, name)                                                                           \
  static void vector_##name(void *result, const void *const *operands, int64_t n) {                \
    hlo_##name##_f32_loop(result, operands[0], n);                                                 \
  }
#define DEFINE_DOUBLE(id, name)                                                                    \
  static void double_##name(void *result, const void *const *operands, int64_t n) {                \
    hlo_##name##_f64_loop(result, operands[0], n);                                                 \
  }
#define DEFINE_DOUBLE_PAIR(id, name)                                                               \
  static void double_##name(void *result, const void *const *operands, int64_t n) {                \
    hlo_##name##_f64_loop(result, operands[0], operands[1], n);                                    \
  }
HLO_DOUBLE_FUNCTIONS(DEFINE_DOUBLE)
HLO_DOUBLE_ANGLE_FUNCTIONS(DEFINE_DOUBLE)
HLO_PAIR_FUNCTIONS(DEFINE_DOUBLE_PAIR)
#define DEFINE_LIMITED(id, name, ...) DEFINE(id, name)
HLO_VECTOR_FUNCTIONS(DEFINE)
HLO_WIDE_FUNCTIONS(DEFINE)
HLO_LIMITED_FUNCTIONS(DEFINE_LIMITED)
static void vector_atan2(void *result, const void *const *operands, int64_t n) {
  hlo_atan2_f32_loop(result, operands[0], operands[1], n);
}

static hlo_pointwise_kernel *pointwise_f32(hlo_opcode opcode) {
#define ENTRY(id, name, ...) [HLO_OP_##id] = vector_##name,
  static hlo_pointwise_kernel *const kernels[] = {HLO_VECTOR_FUNCTIONS(ENTRY)
                                                      HLO_WIDE_FUNCTIONS(ENTRY) //
                                                  HLO_LIMITED_FUNCTIONS(ENTRY) ENTRY(ATAN2, atan2)};
  bool found = (size_t)opcode < sizeof kernels / sizeof *kernels && kernels[opcode] != NULL;
  return found ? kernels[opcode] : hlo_pointwise_f32(opcode);
}

static hlo_pointwise_kernel *pointwise_f64(hlo_opcode opcode) {
#define DOUBLE_ENTRY(id, name) [HLO_OP_##id] = double_##name,
  static hlo_pointwise_kernel *const kernels[] = {HLO_DOUBLE_FUNCTIONS(
      DOUBLE_ENTRY) HLO_DOUBLE_ANGLE_FUNCTIONS(DOUBLE_ENTRY) HLO_PAIR_FUNCTIONS(DOUBLE_ENTRY)};
  bool found = (size_t)opcode < sizeof kernels / sizeof *kernels && kernels[opcode] != NULL;
  return found ? kernels[opcode] : hlo_pointwise_f64(opcode);
}

static void multiply_c128(void *result, const void *const *operands, int64_t n) {
  hlo_mul_c128_loop(result, operands[0], operands[1], n);
}
static void divide_c128(void *result, const void *const *operands, int64_t n) {
  hlo_div_c128_loop(result, operands[0], operands[1], n);
}
static void abs_c128(void *result, const void *const *operands, int64_t n) {
  hlo_abs_c128_loop(result, operands[0], n);
}
#define DEFINE_COMPLEX(id, name, ...)                                                              \
  static void name##_c128(void *result, const void *const *operands, int64_t n) {                  \
    hlo_##name##_c128_loop(result, operands[0], n);                                                \
  }
HLO_DOUBLE_COMPLEX_FUNCTIONS(DEFINE_COMPLEX)

static hlo_pointwise_kernel *pointwise_c128(hlo_opcode opcode) {
#define COMPLEX_ENTRY(id, name, ...) [HLO_OP_##id] = name##_c128,
  static hlo_pointwise_kernel *const kernels[] = {
      HLO_DOUBLE_COMPLEX_FUNCTIONS(COMPLEX_ENTRY) COMPLEX_ENTRY(MULTIPLY, multiply)
          COMPLEX_ENTRY(DIVIDE, divide) COMPLEX_ENTRY(ABS, abs)};
  bool found = (size_t)opcode < sizeof kernels / sizeof *kernels && kernels[opcode] != NULL;
  return found ? kernels[opcode] : hlo_pointwise_c128(opcode);
}

hlo_pointwise_kernel *hlo_pointwise_get(hlo_opcode opcode, hlo_type type) {
  switch (type) {
  case HLO_PRED:
    return hlo_pointwise_pred(opcode);
  case HLO_S2:
    return hlo_pointwise_s2(opcode);
  case HLO_S4:
    return hlo_pointwise_s4(opcode);
  case HLO_S8:
    return hlo_pointwise_s8(opcode);
  case HLO_S16:
    return hlo_pointwise_s16(opcode);
  case HLO_S32:
    return hlo_pointwise_s32(opcode);
  case HLO_S64:
    return hlo_pointwise_s64(opcode);
  case HLO_U2:
    return hlo_pointwise_u2(opcode);
  case HLO_U4:
    return hlo_pointwise_u4(opcode);
  case HLO_U8:
    return hlo_pointwise_u8(opcode);
  case HLO_U16:
    return hlo_pointwise_u16(opcode);
  case HLO_U32:
    return hlo_pointwise_u32(opcode);
  case HLO_U64:
    return hlo_pointwise_u64(opcode);
  case HLO_F32:
    return pointwise_f32(opcode);
  case HLO_F64:
    return pointwise_f64(opcode);
  case HLO_C64:
    return hlo_pointwise_c64_vectors(opcode);
  case HLO_C128:
    return pointwise_c128(opcode);
  default:
    return hlo_type_is_float(type) ? hlo_pointwise_narrow(opcode, type) : NULL;
  }
}
