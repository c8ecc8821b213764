// Elementwise instructions as lane functions: selects the family of an op, and defines the smallest
// families.
#include "kernels/elementwise/lanes.h"
#include "kernels/elementwise/pointwise.h"

#include <string.h>

static const struct {
  hlo_opcode opcode;
  hlo_lane_op_matcher *match;
} families[] = {
    {HLO_OP_COMPARE, hlo_lane_op_compare},
    {HLO_OP_CONVERT, hlo_lane_op_convert},
    {HLO_OP_SELECT, hlo_lane_op_select},
    {HLO_OP_CLAMP, hlo_lane_op_clamp},
    {HLO_OP_REDUCE_PRECISION, hlo_lane_op_reduce_precision},
    {HLO_OP_COPY, hlo_lane_op_copy},
    {HLO_OP_STOCHASTIC_CONVERT, hlo_lane_op_stochastic_convert},
};

bool hlo_lane_op_match(const hlo_instruction *instruction, hlo_lane_op *out) {
  hlo_lane_op_matcher *match =
      hlo_op_is_pointwise(instruction->opcode) ? hlo_lane_op_pointwise : NULL;
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    if (families[i].opcode == instruction->opcode) match = families[i].match;
  }
  *out = (hlo_lane_op){.to = instruction->shape->type};
  if (instruction->operand_count > 0) out->from = instruction->operands[0]->shape->type;
  return match != NULL && match(instruction, out);
}

hlo_status hlo_lane_op_require(const hlo_instruction *instruction, hlo_lane_op *out,
                               hlo_error *error) {
  if (hlo_lane_op_match(instruction, out)) return HLO_OK;
  return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error, "%s of %s is not defined",
                              hlo_op_get(instruction->opcode)->name, hlo_type_name(out->from));
}

static void run_kernel(const hlo_lane_op *op, void *result, const void *const *operands,
                       int64_t n) {
  op->kernel(result, operands, n);
}

bool hlo_lane_op_pointwise(const hlo_instruction *instruction, hlo_lane_op *out) {
  out->run = run_kernel;
  out->kernel = hlo_pointwise_get(instruction->opcode, out->from);
  return out->kernel != NULL;
}

static void run_copy(const hlo_lane_op *op, void *result, const void *const *operands, int64_t n) {
  if (result == operands[0]) return;
  memcpy(result, operands[0], (size_t)(n * hlo_type_bytes(op->to)));
}

bool hlo_lane_op_copy(const hlo_instruction *instruction, hlo_lane_op *out) {
  (void)instruction;
  out->run = run_copy;
  return true;
}

// --- select: by the size of an element ---

typedef struct sixteen_bytes {
  uint64_t low, high;
} sixteen_bytes;

#define DEFINE_SELECT(type, size)                                                                  \
  static void select_##size(void *result, const void *const *operands, int64_t n) {                \
    const uint8_t *chosen = operands[0];                                                           \
    const type *x = operands[1], *y = operands[2];                                                 \
    type *r = result;                                                                              \
    LANES_ARE_INDEPENDENT                                                                          \
    for (int64_t i = 0; i < n; i++) {                                                              \
      type a = x[i], b = y[i];                                                                     \
      r[i] = chosen[i] ? a : b;                                                                    \
    }                                                                                              \
  }
DEFINE_SELECT(uint8_t, 1)
DEFINE_SELECT(uint16_t, 2)
DEFINE_SELECT(uint32_t, 4)
DEFINE_SELECT(uint64_t, 8)
DEFINE_SELECT(sixteen_bytes, 16)

bool hlo_lane_op_select(const hlo_instruction *instruction, hlo_lane_op *out) {
  (void)instruction;
  out->run = run_kernel;
  switch (hlo_type_bytes(out->to)) {
  case 1:
    out->kernel = select_1;
    break;
  case 2:
    out->kernel = select_2;
    break;
  case 4:
    out->kernel = select_4;
    break;
  case 8:
    out->kernel = select_8;
    break;
  case 16:
    out->kernel = select_16;
    break;
  }
  return out->kernel != NULL;
}

// --- clamp(low, x, high) = min(max(low, x), high), so NaN anywhere gives NaN ---

static void run_clamp(const hlo_lane_op *op, void *result, const void *const *operands, int64_t n) {
  enum { BLOCK = 256 }; // elements of up to 16 bytes on the stack
  union {
    char bytes[BLOCK * 16];
    double alignment;
  } raised;
  int64_t size = hlo_type_bytes(op->to);
  const char *low = operands[0], *x = operands[1], *high = operands[2];
  for (int64_t done = 0; done < n; done += BLOCK) {
    int64_t count = n - done < BLOCK ? n - done : BLOCK, at = done * size;
    op->kernel(raised.bytes, (const void *const[]){low + at, x + at}, count);
    op->second((char *)result + at, (const void *const[]){raised.bytes, high + at}, count);
  }
}

bool hlo_lane_op_clamp(const hlo_instruction *instruction, hlo_lane_op *out) {
  (void)instruction;
  out->run = run_clamp;
  out->kernel = hlo_pointwise_get(HLO_OP_MAXIMUM, out->to);
  out->second = hlo_pointwise_get(HLO_OP_MINIMUM, out->to);
  return out->kernel != NULL && out->second != NULL;
}
