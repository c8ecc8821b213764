// The pointwise kernels of floats below 32 bits: blocks are widened to f32, the f32 kernel runs,
// and its result is rounded once. Must not know what the kernels compute.
#include "eval/narrow.h"
#include "eval/pointwise.h"
#include "eval/pointwise_expressions.h"

// Not inlined into the hundreds of kernels below.
static __attribute__((noinline)) void run(hlo_opcode opcode, hlo_type type, int32_t arity,
                                          bool gives_float, void *result,
                                          const void *const *operands, int64_t n) {
  float x[HLO_NARROW_BLOCK], y[HLO_NARROW_BLOCK], z[HLO_NARROW_BLOCK];
  const void *const wide[2] = {x, y};
  hlo_pointwise_kernel *kernel = hlo_pointwise_f32(opcode);
  int64_t size = hlo_type_bytes(type);
  const char *a = operands[0], *b = operands[arity - 1];
  char *r = result;
  for (int64_t done = 0; done < n; done += HLO_NARROW_BLOCK) {
    int64_t count = n - done < HLO_NARROW_BLOCK ? n - done : HLO_NARROW_BLOCK;
    hlo_narrow_to_f32(type, x, a + done * size, count);
    if (arity == 2) hlo_narrow_to_f32(type, y, b + done * size, count);
    kernel(gives_float ? (void *)z : r + done, wide, count);
    if (gives_float) hlo_narrow_from_f32(type, r + done * size, z, count);
  }
}

// A kernel is a function without context, so each op needs one for each type. COMPLEX has none: no
// complex type has narrow parts.
#define STRUCTURAL(...)
#define POINTWISE(id, name, stablehlo, arity, result, attributes, p, s, u, f, c)                   \
  SELECT(id, arity, result, f)
#define SELECT(id, arity, result, ...)            SELECT_RESULT(IS_MISSING(__VA_ARGS__), id, arity, result)
#define SELECT_RESULT(missing, id, arity, result) SELECT_ROW(missing, id, arity, result)
#define SELECT_ROW(missing, id, arity, result)    ROW_##result##_##missing(id, arity)
#define ROW_SAME_0(id, arity)                     ROW(id, arity, true)
#define ROW_PART_0(id, arity)                     ROW(id, arity, true)
#define ROW_PRED_0(id, arity)                     ROW(id, arity, false)
#define ROW_COMPLEX_0(id, arity)
#define ROW_SAME_1(id, arity)
#define ROW_PART_1(id, arity)

#define ROW(id, arity, gives_float) HLO_NARROW_FLOATS(DEFINE, id, arity, gives_float)
#define DEFINE(type, suffix, bits, id, arity, gives_float)                                         \
  static void type##_##id(void *result, const void *const *operands, int64_t n) {                  \
    run(HLO_OP_##id, HLO_##type, arity, gives_float, result, operands, n);                         \
  }
#include "hlo/ops.def"
#undef ROW

hlo_pointwise_kernel *hlo_pointwise_narrow(hlo_opcode opcode, hlo_type type) {
#define ROW(id, arity, gives_float)   [HLO_OP_##id] = {HLO_NARROW_FLOATS(ENTRY, id)},
#define ENTRY(type, suffix, bits, id) [HLO_##type - HLO_F4E2M1FN] = type##_##id,
  static hlo_pointwise_kernel *const kernels[][HLO_F16 - HLO_F4E2M1FN + 1] = {
#include "hlo/ops.def"
  };
  bool found = (size_t)opcode < sizeof kernels / sizeof *kernels && hlo_type_is_narrow_float(type);
  return found ? kernels[opcode][type - HLO_F4E2M1FN] : NULL;
}
