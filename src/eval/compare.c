// Compare as lane functions. Source of semantics: "Compare" of the operation semantics; StableHLO's
// compare for complex numbers (real parts first, then imaginary ones). Must not know about views.
#include "eval/lanes.h"
#include "eval/narrow.h"
#include "eval/pointwise.h"

#include "base/bits.h"
#include "base/complex.h"

#include <string.h>

// a > b and a >= b are b < a and b <= a.
enum { EQ, NE, LT, LE, DIRECTIONS };

// One loop per direction. VALUE gives what is compared of an element.
#define DEFINE_LOOP(name, type, hint, op, expression)                                              \
  static void name##_##op(void *result, const void *const *operands, int64_t n) {                  \
    uint8_t *r = result;                                                                           \
    const type *x = operands[0], *y = operands[1];                                                 \
    hint for (int64_t i = 0; i < n; i++) {                                                         \
      type a = x[i], b = y[i];                                                                     \
      r[i] = expression;                                                                           \
    }                                                                                              \
  }
#define DEFINE_TABLE(name)                                                                         \
  static hlo_pointwise_kernel *const name[DIRECTIONS] = {                                          \
      name##_EQ,                                                                                   \
      name##_NE,                                                                                   \
      name##_LT,                                                                                   \
      name##_LE,                                                                                   \
  };
#define DEFINE(name, type, hint, VALUE)                                                            \
  DEFINE_LOOP(name, type, hint, EQ, VALUE(a) == VALUE(b))                                          \
  DEFINE_LOOP(name, type, hint, NE, VALUE(a) != VALUE(b))                                          \
  DEFINE_LOOP(name, type, hint, LE, VALUE(a) <= VALUE(b))                                          \
  DEFINE_LOOP(name, type, hint, LT, VALUE(a) < VALUE(b))                                           \
  DEFINE_TABLE(name)
#define DEFINE_COMPLEX(name, type, hint, VALUE)                                                    \
  DEFINE_LOOP(name, type, hint, EQ, VALUE(a.re) == VALUE(b.re) && VALUE(a.im) == VALUE(b.im))      \
  DEFINE_LOOP(name, type, hint, NE, VALUE(a.re) != VALUE(b.re) || VALUE(a.im) != VALUE(b.im))      \
  DEFINE_LOOP(name, type, hint, LE, BY_PARTS(VALUE, <, <=))                                        \
  DEFINE_LOOP(name, type, hint, LT, BY_PARTS(VALUE, <, <))                                         \
  DEFINE_TABLE(name)
#define BY_PARTS(VALUE, strict, last)                                                              \
  VALUE(a.re) strict VALUE(b.re) || (VALUE(a.re) == VALUE(b.re) && VALUE(a.im) last VALUE(b.im))

// The total order of IEEE 754 as an order of integers: sign and magnitude to two's complement.
static inline int32_t key_f32(float value) {
  int32_t bits = (int32_t)bits_of_float(value);
  return bits ^ (int32_t)((uint32_t)(bits >> 31) >> 1);
}
static inline int64_t key_f64(double value) {
  int64_t bits = (int64_t)bits_of_double(value);
  return bits ^ (int64_t)((uint64_t)(bits >> 63) >> 1);
}
static inline int16_t key_16(int16_t bits) { return (int16_t)(bits ^ ((bits >> 15) & 0x7fff)); }

#define ITSELF(x) (x)
#define TRUTH(x)  ((x) != 0)
#define LOW_S2(x) ((int8_t)((uint32_t)(x) << 6) >> 6)
#define LOW_S4(x) ((int8_t)((uint32_t)(x) << 4) >> 4)
#define LOW_U2(x) ((x) & 3)
#define LOW_U4(x) ((x) & 15)
DEFINE(compare_pred, uint8_t, ONE_BY_ONE, TRUTH)
DEFINE(compare_s2, int8_t, ONE_BY_ONE, LOW_S2)
DEFINE(compare_s4, int8_t, ONE_BY_ONE, LOW_S4)
DEFINE(compare_s8, int8_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_s16, int16_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_s32, int32_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_s64, int64_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_u2, uint8_t, ONE_BY_ONE, LOW_U2)
DEFINE(compare_u4, uint8_t, ONE_BY_ONE, LOW_U4)
DEFINE(compare_u8, uint8_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_u16, uint16_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_u32, uint32_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_u64, uint64_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_f32, float, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_f64, double, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE_COMPLEX(compare_c64, hlo_c64, ONE_BY_ONE, ITSELF)
DEFINE_COMPLEX(compare_c128, hlo_c128, ONE_BY_ONE, ITSELF)
DEFINE(order_16, int16_t, LANES_ARE_INDEPENDENT, key_16)
DEFINE(order_f32, float, LANES_ARE_INDEPENDENT, key_f32)
DEFINE(order_f64, double, LANES_ARE_INDEPENDENT, key_f64)
DEFINE_COMPLEX(order_c64, hlo_c64, ONE_BY_ONE, key_f32)
DEFINE_COMPLEX(order_c128, hlo_c128, ONE_BY_ONE, key_f64)

static hlo_pointwise_kernel *const *kernels_of(hlo_type type) {
  switch (type) {
  case HLO_PRED:
    return compare_pred;
  case HLO_S2:
    return compare_s2;
  case HLO_S4:
    return compare_s4;
  case HLO_S8:
    return compare_s8;
  case HLO_S16:
    return compare_s16;
  case HLO_S32:
    return compare_s32;
  case HLO_S64:
    return compare_s64;
  case HLO_U2:
    return compare_u2;
  case HLO_U4:
    return compare_u4;
  case HLO_U8:
    return compare_u8;
  case HLO_U16:
    return compare_u16;
  case HLO_U32:
    return compare_u32;
  case HLO_U64:
    return compare_u64;
  case HLO_F64:
    return compare_f64;
  case HLO_C64:
    return compare_c64;
  case HLO_C128:
    return compare_c128;
  default: // narrow floats as f32
    return hlo_type_is_float(type) ? compare_f32 : NULL;
  }
}

static hlo_pointwise_kernel *const *total_order_of(hlo_type type) {
  switch (type) {
  case HLO_F16:
  case HLO_BF16:
    return order_16;
  case HLO_F64:
    return order_f64;
  case HLO_C64:
    return order_c64;
  case HLO_C128:
    return order_c128;
  default:
    return hlo_type_is_float(type) ? order_f32 : kernels_of(type);
  }
}

static void run_kernel(const hlo_lane_op *op, void *result, const void *const *operands,
                       int64_t n) {
  op->kernel(result, (const void *const[]){operands[op->swapped], operands[!op->swapped]}, n);
}

static void run_widened(const hlo_lane_op *op, void *result, const void *const *operands,
                        int64_t n) {
  float a[HLO_NARROW_BLOCK], b[HLO_NARROW_BLOCK];
  const void *const wide[2] = {a, b};
  int64_t size = hlo_type_bytes(op->from);
  const char *x = operands[op->swapped], *y = operands[!op->swapped];
  for (int64_t done = 0; done < n; done += HLO_NARROW_BLOCK) {
    int64_t count = n - done < HLO_NARROW_BLOCK ? n - done : HLO_NARROW_BLOCK;
    hlo_narrow_to_f32(op->from, a, x + done * size, count);
    hlo_narrow_to_f32(op->from, b, y + done * size, count);
    op->kernel((uint8_t *)result + done, wide, count);
  }
}

bool hlo_lane_op_compare(const hlo_instruction *instruction, hlo_lane_op *out) {
  static const struct {
    const char *name;
    int direction;
    bool swapped;
  } directions[] = {{"EQ", EQ, false}, {"NE", NE, false}, {"LT", LT, false},
                    {"LE", LE, false}, {"GT", LT, true},  {"GE", LE, true}};
  const char *name = hlo_get_text(instruction, HLO_ATTRIBUTE_DIRECTION);
  const char *type = hlo_get_text(instruction, HLO_ATTRIBUTE_TYPE);
  bool total = type != NULL && strcmp(type, "TOTALORDER") == 0;
  hlo_pointwise_kernel *const *kernels = total ? total_order_of(out->from) : kernels_of(out->from);
  bool by_bits = kernels == order_16;
  out->run = hlo_type_is_narrow_float(out->from) && !by_bits ? run_widened : run_kernel;
  for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
    if (kernels == NULL || name == NULL || strcmp(name, directions[i].name) != 0) continue;
    out->kernel = kernels[directions[i].direction];
    out->swapped = directions[i].swapped;
  }
  return out->kernel != NULL;
}
