// Pointwise kernels of floats below 32 bits: as f32, rounded once, against the scalar conversions;
// and the neighbours of values, of all float types.
#include "check.h"

#include "kernels/eval.h"
#include "math/float_formats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_double(double a, double b) {
  return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

static void test_narrow_op(hlo_type type, hlo_opcode opcode) {
  enum { N = 700 };
  const hlo_float_format *format = hlo_type_float_format(type);
  const hlo_op_info *info = hlo_op_get(opcode);
  hlo_pointwise_kernel *kernel = hlo_pointwise_get(opcode, type);
  int64_t size = hlo_type_bytes(type);
  uint16_t bits[2][N];
  uint8_t memory[2][N * 2], result[N * 2];
  float wide_values[2][N], wide_result[N];
  uint8_t flags[N];
  for (int operand = 0; operand < 2; operand++) {
    for (int i = 0; i < N; i++) {
      uint32_t mixed = (uint32_t)(i * 2654435761u) ^ (uint32_t)(operand * 40503u * (uint32_t)i);
      bits[operand][i] =
          size == 1 ? (uint8_t)(operand == 0 ? (uint32_t)i : mixed >> 24) : (uint16_t)(mixed >> 16);
      memcpy(memory[operand] + i * size, &bits[operand][i], (size_t)size);
      wide_values[operand][i] = hlo_float_format_decode(format, bits[operand][i]);
    }
  }
  const void *const narrow[] = {memory[0], memory[1]}, *const wide_operands[] = {wide_values[0],
                                                                                 wide_values[1]};
  bool gives_pred = info->result == HLO_RESULT_PRED;
  kernel(gives_pred ? flags : result, narrow, N);
  hlo_pointwise_kernel *wide_kernel = hlo_pointwise_get(opcode, HLO_F32);
  uint8_t wide_flags[N];
  wide_kernel(gives_pred ? (void *)wide_flags : wide_result, wide_operands, N);
  bool right = true;
  for (int i = 0; i < N; i++) {
    if (gives_pred) {
      if (flags[i] != wide_flags[i]) right = false;
      continue;
    }
    uint16_t got = 0, wanted = hlo_float_format_encode(format, wide_result[i]);
    memcpy(&got, result + i * size, (size_t)size);
    if (got != wanted && !(isnan(hlo_float_format_decode(format, got)) && isnan(wide_result[i]))) {
      right = false;
    }
  }
  CHECK_MESSAGE(right, "%s of %s", info->name, hlo_type_name(type));
}

static void test_narrow(void) {
  for (int type = HLO_F4E2M1FN; type <= HLO_F16; type++) {
    for (int op = 0; op < HLO_OP_COUNT; op++) {
      bool wide_one = hlo_pointwise_get((hlo_opcode)op, HLO_F32) != NULL;
      bool narrow_one = hlo_pointwise_get((hlo_opcode)op, (hlo_type)type) != NULL;
      CHECK(narrow_one == (wide_one && op != HLO_OP_COMPLEX));
      if (narrow_one && op != HLO_OP_NEXT_AFTER) test_narrow_op((hlo_type)type, (hlo_opcode)op);
    }
  }
}

// The neighbours of every value of every narrow type, found among all values.
static void test_narrow_next_after(void) {
  for (int type = HLO_F4E2M1FN; type <= HLO_F16; type++) {
    const hlo_float_format *format = hlo_type_float_format((hlo_type)type);
    hlo_pointwise_kernel *kernel = hlo_pointwise_get(HLO_OP_NEXT_AFTER, (hlo_type)type);
    uint32_t count = 1u << hlo_type_bits((hlo_type)type);
    uint16_t *sorted = malloc(count * sizeof *sorted), found = 0;
    // By value, without NaN; of the two zeros the positive one.
    for (uint32_t pass = 0; pass < 2; pass++) {
      for (uint32_t k = 0; k < count; k++) {
        uint16_t bits = (uint16_t)(pass == 0 ? count - 1 - k : k);
        float value = hlo_float_format_decode(format, bits);
        bool mine = pass == 0 ? value < 0 : value > 0 || (value == 0 && bits == 0);
        if (mine) sorted[found++] = bits;
      }
    }
    bool right = found > 10;
    for (uint32_t i = 0; i + 1 < found; i++) {
      uint16_t pair[2] = {sorted[i], sorted[i + 1]}, up = 0, down = 0;
      kernel(&up, (const void *const[]){&pair[0], &pair[1]}, 1);
      kernel(&down, (const void *const[]){&pair[1], &pair[0]}, 1);
      float high = hlo_float_format_decode(format, up), low = hlo_float_format_decode(format, down);
      if (high != hlo_float_format_decode(format, pair[1])) right = false;
      if (low != hlo_float_format_decode(format, pair[0])) right = false;
    }
    CHECK_MESSAGE(right, "next-after of %s", hlo_type_name((hlo_type)type));
    free(sorted);
  }
}

static void test_next_after(void) {
  static const float x[] = {1, 1, -2, 0, -0.0f, 0, INFINITY, NAN, 1, 0x1p-149f, 0x1.fffffep127f};
  static const float y[] = {2, 0, -2, -1, 1, -0.0f, 0, 1, NAN, -1, INFINITY};
  float r[11];
  double wide_x[11], wide_y[11], wide[11];
  for (int i = 0; i < 11; i++) wide_x[i] = x[i], wide_y[i] = y[i];
  hlo_pointwise_get(HLO_OP_NEXT_AFTER, HLO_F32)(r, (const void *const[]){x, y}, 11);
  hlo_pointwise_get(HLO_OP_NEXT_AFTER, HLO_F64)(wide, (const void *const[]){wide_x, wide_y}, 11);
  for (int i = 0; i < 11; i++) {
    CHECK_MESSAGE(same_double(r[i], nextafterf(x[i], y[i])), "next-after(%a, %a) = %a", x[i], y[i],
                  r[i]);
    CHECK_MESSAGE(same_double(wide[i], nextafter(wide_x[i], wide_y[i])), "next-after(%a, %a) = %a",
                  wide_x[i], wide_y[i], wide[i]);
  }
}

int main(void) {
  test_narrow();
  test_narrow_next_after();
  test_next_after();
  return CHECK_RESULT();
}
