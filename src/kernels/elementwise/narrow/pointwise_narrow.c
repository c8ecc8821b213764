// The pointwise kernels of floats below 32 bits: blocks are widened to f32, the f32 kernel runs,
// and its result is rounded once. Of what the kernels compute only next-after is known here.
#include "kernels/elementwise/narrow.h"
#include "kernels/elementwise/pointwise.h"
#include "kernels/elementwise/pointwise_expressions.h"
#include "kernels/machine.h"
#include "shape/literal.h"

#include <string.h>

// Not inlined into the hundreds of kernels below.
// The neighbour of a value on the side of another: in the type's own bits, which f32 knows nothing
// of.
static uint32_t next_after(const hlo_float_format *format, uint32_t from_bits, uint32_t to_bits) {
  float from = hlo_float_format_decode(format, (uint16_t)from_bits);
  float to = hlo_float_format_decode(format, (uint16_t)to_bits);
  if (from != from) return from_bits;
  if (to != to || from == to) return to_bits;
  bool is_unsigned = format->kind == HLO_FLOAT_EXPONENT_ONLY;
  uint32_t sign = is_unsigned ? 0 : 1u << (format->exponent_bits + format->mantissa_bits);
  if (from == 0) return (to < 0 ? sign : 0) | 1;
  uint32_t bits = (from < to) == (from > 0) ? from_bits + 1 : from_bits - 1;
  return format->kind == HLO_FLOAT_FNUZ && bits == sign ? 0 : bits;
}

static void run_next_after(hlo_type type, void *result, const void *const *operands, int64_t n) {
  const hlo_float_format *format = hlo_type_float_format(type);
  int32_t size = hlo_type_bytes(type);
  uint32_t mask = (1u << hlo_type_bits(type)) - 1;
  for (int64_t i = 0; i < n; i++) { // little-endian
    uint32_t from = 0, to = 0;
    memcpy(&from, (const char *)operands[0] + i * size, (size_t)size);
    memcpy(&to, (const char *)operands[1] + i * size, (size_t)size);
    uint32_t bits = next_after(format, from & mask, to & mask);
    memcpy((char *)result + i * size, &bits, (size_t)size);
  }
}

static __attribute__((noinline)) void run(hlo_opcode opcode, hlo_type type, int32_t arity,
                                          bool gives_float, void *result,
                                          const void *const *operands, int64_t n) {
  if (opcode == HLO_OP_NEXT_AFTER) {
    run_next_after(type, result, operands, n);
    return;
  }
  float x[HLO_NARROW_BLOCK], y[HLO_NARROW_BLOCK], z[HLO_NARROW_BLOCK];
  const void *const wide[2] = {x, y};
  hlo_pointwise_kernel *kernel = hlo_pointwise_get(opcode, HLO_F32);
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
