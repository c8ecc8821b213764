// Comparisons of complex numbers (StableHLO's: real parts first, then imaginary ones), of short and
// unsigned 64-bit integers, and the total order of floats other than f32.
#include "kernels/elementwise/compare_loops.h"
#include "math/complex.h"

static inline int64_t key_f64(double value) {
  int64_t bits = (int64_t)bits_of_double(value);
  return bits ^ (int64_t)((uint64_t)(bits >> 63) >> 1);
}
static inline int16_t key_16(int16_t bits) { return (int16_t)(bits ^ ((bits >> 15) & 0x7fff)); }

#define LOW_S2(x) ((int8_t)((uint32_t)(x) << 6) >> 6)
#define LOW_S4(x) ((int8_t)((uint32_t)(x) << 4) >> 4)
#define LOW_U2(x) ((x) & 3)
#define LOW_U4(x) ((x) & 15)
DEFINE(compare_s2, int8_t, ONE_BY_ONE, LOW_S2)
DEFINE(compare_s4, int8_t, ONE_BY_ONE, LOW_S4)
DEFINE(compare_s16, int16_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_u2, uint8_t, ONE_BY_ONE, LOW_U2)
DEFINE(compare_u4, uint8_t, ONE_BY_ONE, LOW_U4)
DEFINE(compare_u16, uint16_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_u64, uint64_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE_COMPLEX(compare_c64, hlo_c64, ONE_BY_ONE, ITSELF)
DEFINE_COMPLEX(compare_c128, hlo_c128, ONE_BY_ONE, ITSELF)
DEFINE(order_16, int16_t, LANES_ARE_INDEPENDENT, key_16)
DEFINE(order_f64, double, LANES_ARE_INDEPENDENT, key_f64)
DEFINE_COMPLEX(order_c64, hlo_c64, ONE_BY_ONE, key_f32)
DEFINE_COMPLEX(order_c128, hlo_c128, ONE_BY_ONE, key_f64)

hlo_pointwise_kernel *const *hlo_compare_rare_types(hlo_type type, bool total) {
  switch (type) {
  case HLO_S2:
    return compare_s2;
  case HLO_S4:
    return compare_s4;
  case HLO_S16:
    return compare_s16;
  case HLO_U2:
    return compare_u2;
  case HLO_U4:
    return compare_u4;
  case HLO_U16:
    return compare_u16;
  case HLO_U64:
    return compare_u64;
  case HLO_F16:
  case HLO_BF16:
    return total ? order_16 : NULL;
  case HLO_F64:
    return total ? order_f64 : NULL;
  case HLO_C64:
    return total ? order_c64 : compare_c64;
  case HLO_C128:
    return total ? order_c128 : compare_c128;
  default:
    return NULL;
  }
}
