// The loops of kernels/reduce/reduce_stack.h against the pointwise kernels.
#include "eval_fixture.h"

#include "kernels/reduce/reduce_stack.h"

#include <math.h>

// The loops that keep running results in registers against the pointwise kernels, bit by bit, with
// zeros of both signs, infinities and NaN.
static void check_loops(hlo_opcode opcode, hlo_type type) {
  enum { ROWS = 5, COUNT = ROWS * HLO_REDUCE_PARTIALS };
  const hlo_reduce_loops *loops = hlo_reduce_loops_get(opcode, type);
  CHECK(loops != NULL);
  if (loops == NULL) return;
  size_t size = (size_t)hlo_type_bytes(type);
  uint64_t elements[COUNT], got[HLO_REDUCE_PARTIALS], expected[HLO_REDUCE_PARTIALS];
  const double few[] = {0, -0.0, 1, -1, 2.5, HUGE_VAL, -HUGE_VAL, NAN};
  for (int trial = 0; trial < 50; trial++) {
    for (int i = 0; i < COUNT; i++) {
      double value = few[random_below(8)];
      float narrow = (float)value;
      elements[i] = random_bits();
      if (type == HLO_F64) memcpy(&elements[i], &value, 8);
      if (type == HLO_F32) memcpy((char *)elements + 4 * i, &narrow, 4);
    }
    size_t row = size * HLO_REDUCE_PARTIALS;
    int rows = (int)random_below(ROWS);
    memcpy(got, elements, row);
    memcpy(expected, elements, row);
    int64_t lanes = trial % 2 == 0 ? HLO_REDUCE_PARTIALS : random_below(HLO_REDUCE_PARTIALS);
    if (trial % 2 == 0) loops->stack(got, (char *)elements + row, rows);
    else loops->rows(got, (char *)elements + row, (int64_t)row, rows, lanes);
    for (int i = 1; i <= rows; i++) {
      const void *const operands[] = {expected, (char *)elements + (size_t)i * row};
      hlo_pointwise_get(opcode, type)(expected, operands, lanes);
    }
    for (int i = 0; i < HLO_REDUCE_PARTIALS; i++) {
      double a = 0, b = 0;
      if (type == HLO_F64) memcpy(&a, &got[i], 8), memcpy(&b, &expected[i], 8);
      if (type == HLO_F32) a = ((float *)(void *)got)[i], b = ((float *)(void *)expected)[i];
      bool same =
          memcmp((char *)got + size * (size_t)i, (char *)expected + size * (size_t)i, size) == 0;
      CHECK_MESSAGE(same || (a != a && b != b), "op %d, element %d", (int)opcode, i);
    }
  }
}

static void check_all_loops(void) {
  const hlo_opcode opcodes[] = {HLO_OP_ADD, HLO_OP_MAXIMUM, HLO_OP_MINIMUM};
  for (int i = 0; i < 3; i++) {
    check_loops(opcodes[i], HLO_F32);
    check_loops(opcodes[i], HLO_F64);
    check_loops(opcodes[i], HLO_S32);
  }
  check_loops(HLO_OP_MULTIPLY, HLO_F32);
  CHECK(hlo_reduce_loops_get(HLO_OP_ADD, HLO_BF16) == NULL);
}

int main(void) {
  check_all_loops();
  return CHECK_RESULT();
}
