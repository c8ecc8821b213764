// Compare as lane functions. Source of semantics: "Compare" of the operation semantics.
#include "kernels/elementwise/compare_loops.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/elementwise/narrow.h"
#include "kernels/machine.h"

#include <string.h>

#define TRUTH(x) ((x) != 0)
DEFINE(compare_pred, uint8_t, ONE_BY_ONE, TRUTH)
DEFINE(compare_s8, int8_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_s32, int32_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_s64, int64_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_u8, uint8_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_u32, uint32_t, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_f32, float, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(compare_f64, double, LANES_ARE_INDEPENDENT, ITSELF)
DEFINE(order_f32, float, LANES_ARE_INDEPENDENT, key_f32)

static hlo_pointwise_kernel *const *kernels_of(hlo_type type, bool total) {
  bool is_narrow = hlo_type_is_narrow_float(type); // as f32, but two bytes in total order
  if (type == HLO_F32 || (is_narrow && !(total && hlo_type_bits(type) == 16)))
    return total ? order_f32 : compare_f32;
  switch (type) {
  case HLO_PRED:
    return compare_pred;
  case HLO_S8:
    return compare_s8;
  case HLO_S32:
    return compare_s32;
  case HLO_S64:
    return compare_s64;
  case HLO_U8:
    return compare_u8;
  case HLO_U32:
    return compare_u32;
  default:
    return type == HLO_F64 && !total ? compare_f64 : hlo_compare_rare_types(type, total);
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
  hlo_pointwise_kernel *const *kernels = kernels_of(out->from, total);
  bool by_bits = total && hlo_type_bits(out->from) == 16;
  out->run = hlo_type_is_narrow_float(out->from) && !by_bits ? run_widened : run_kernel;
  for (size_t i = 0; i < sizeof directions / sizeof *directions; i++) {
    if (kernels == NULL || name == NULL || strcmp(name, directions[i].name) != 0) continue;
    out->kernel = kernels[directions[i].direction];
    out->swapped = directions[i].swapped;
  }
  return out->kernel != NULL;
}
