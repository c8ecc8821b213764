// Compensated cumulative sums of floats and complex numbers, whose errors do not grow with the
// number of elements: each is the sum of the blocks before, kept as two floats (Knuth's TwoSum),
// plus the running sum of its block. See cumulative.h; docs/numerics.md states the bound.
#include "kernels/cumulative/cumulative.h"
#include "kernels/machine.h"

#include <string.h>

enum { ROWS = 4 }; // along the dimension, and at a time; side by side

// before += block by TwoSum; `block` becomes the rounding error, or -0 (the identity of addition)
// if that is zero or not finite.
#define END_BLOCK(number, before, block)                                                           \
  do {                                                                                             \
    number all = before + block, taken = all - before;                                             \
    number lost = (before - (all - taken)) + (block - taken);                                      \
    before = all;                                                                                  \
    block = lost != 0 && all - all == 0 ? lost : (number) - 0.0;                                   \
  } while (0)

typedef float f32_vector __attribute__((vector_size(16)));
typedef double f64_vector __attribute__((vector_size(16)));

// Distances are numbers. Rows may be the same, or apart.
#define DEFINE(number, vector, name)                                                               \
  static void name##_line(int64_t size, const number *from, int64_t from_step, number *to,         \
                          int64_t to_step, number before) {                                        \
    number block = (number) - 0.0;                                                                 \
    for (int64_t i = 0; i < size; from += from_step, to += to_step) {                              \
      block += *from;                                                                              \
      *to = before + block;                                                                        \
      if (++i % HLO_SCAN_BLOCK == 0) END_BLOCK(number, before, block);                             \
    }                                                                                              \
  }                                                                                                \
  static void name##_four_rows(intptr_t n, const number *from, intptr_t from_step, number *to,     \
                               intptr_t to_step, const number *before, number *block) {            \
    enum { SIDE = 2, STEP = SIDE * (int)(sizeof(vector) / sizeof(number)) };                       \
    const number *x[ROWS];                                                                         \
    number *y[ROWS];                                                                               \
    for (int i = 0; i < ROWS; i++) {                                                               \
      x[i] = from + i * from_step;                                                                 \
      y[i] = to + i * to_step;                                                                     \
    }                                                                                              \
    intptr_t k = 0;                                                                                \
    for (; k + STEP <= n; k += STEP) {                                                             \
      vector start[SIDE], sum[SIDE], more[SIDE];                                                   \
      memcpy(start, before + k, sizeof start);                                                     \
      memcpy(sum, block + k, sizeof sum);                                                          \
      _Pragma("clang loop unroll(full)") for (int i = 0; i < ROWS; i++) {                          \
        memcpy(more, x[i] + k, sizeof more);                                                       \
        for (int v = 0; v < SIDE; v++) sum[v] += more[v];                                          \
        for (int v = 0; v < SIDE; v++) more[v] = start[v] + sum[v];                                \
        memcpy(y[i] + k, more, sizeof more);                                                       \
      }                                                                                            \
      memcpy(block + k, sum, sizeof sum);                                                          \
    }                                                                                              \
    for (; k < n; k++) {                                                                           \
      for (int i = 0; i < ROWS; i++) {                                                             \
        block[k] += x[i][k];                                                                       \
        y[i][k] = before[k] + block[k];                                                            \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void name##_rows(int64_t size, int64_t n, const number *from, int64_t from_step,          \
                          number *to, int64_t to_step, const number *initial, int64_t parts) {     \
    number before[HLO_SCAN_LANES], block[HLO_SCAN_LANES];                                          \
    for (int64_t k = 0; k < n; k++) {                                                              \
      before[k] = initial[k % parts];                                                              \
      block[k] = (number) - 0.0;                                                                   \
    }                                                                                              \
    for (int64_t i = 0; i + ROWS <= size; from += ROWS * from_step, to += ROWS * to_step) {        \
      name##_four_rows(n, from, from_step, to, to_step, before, block);                            \
      if ((i += ROWS) % HLO_SCAN_BLOCK != 0) continue;                                             \
      for (int64_t k = 0; k < n; k++) END_BLOCK(number, before[k], block[k]);                      \
    }                                                                                              \
    for (int64_t i = size / ROWS * ROWS; i < size; i++, from += from_step, to += to_step) {        \
      for (int64_t k = 0; k < n; k++) {                                                            \
        block[k] += from[k];                                                                       \
        to[k] = before[k] + block[k];                                                              \
      }                                                                                            \
    }                                                                                              \
  }
DEFINE(float, f32_vector, f32)
DEFINE(double, f64_vector, f64)

bool hlo_cumulates_sums(const hlo_folder *folder) {
  hlo_type type = folder->kernel == NULL ? HLO_PRED : folder->types[0];
  return folder->kernel != NULL && folder->opcode == HLO_OP_ADD &&
         (type == HLO_F32 || type == HLO_F64 || type == HLO_C64 || type == HLO_C128);
}

void hlo_sum_rows(hlo_type type, int64_t size, int64_t n, const void *from, int64_t from_step,
                  void *to, int64_t to_step, const void *initial) {
  int64_t parts = hlo_type_is_complex(type) ? 2 : 1;
  bool wide = type == HLO_F64 || type == HLO_C128;
  for (int64_t done = 0; done < n * parts; done += HLO_SCAN_LANES) {
    int64_t count = n * parts - done < HLO_SCAN_LANES ? n * parts - done : HLO_SCAN_LANES;
    if (wide)
      f64_rows(size, count, (const double *)from + done, from_step * parts, (double *)to + done,
               to_step * parts, initial, parts);
    else
      f32_rows(size, count, (const float *)from + done, from_step * parts, (float *)to + done,
               to_step * parts, initial, parts);
  }
}

void hlo_sum_line(hlo_type type, int64_t size, const void *from, int64_t from_step, void *to,
                  int64_t to_step, const void *initial) {
  int64_t parts = hlo_type_is_complex(type) ? 2 : 1;
  bool wide = type == HLO_F64 || type == HLO_C128;
  for (int64_t part = 0; part < parts; part++) {
    if (wide)
      f64_line(size, (const double *)from + part, from_step * parts, (double *)to + part,
               to_step * parts, ((const double *)initial)[part]);
    else
      f32_line(size, (const float *)from + part, from_step * parts, (float *)to + part,
               to_step * parts, ((const float *)initial)[part]);
  }
}
