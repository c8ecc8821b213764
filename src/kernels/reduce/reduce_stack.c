// See reduce_stack.h. Vectors of clang's extension; eight of them run along the rows at a time.
#include "kernels/reduce/reduce_stack.h"

#include <string.h>

enum { VECTORS = 8, WIDE = 4, BYTES = 16 };

typedef float f32_vector __attribute__((vector_size(16)));
typedef double f64_vector __attribute__((vector_size(16)));
typedef uint32_t u32_vector __attribute__((vector_size(16)));
typedef int32_t s32_vector __attribute__((vector_size(16)));
typedef int64_t s64_vector __attribute__((vector_size(16)));

#define CHOOSE(mask, a, b)   (((mask) & (a)) | (~(mask) & (b)))
#define ADD(type, a, b)      ((a) + (b))
#define MULTIPLY(type, a, b) ((a) * (b))
// As FMAX and FMIN: NaN stays, of equal numbers (zeros) the bits are joined.
#define FLOAT_EXTREME(bits, a, b, is_better, join)                                                 \
  CHOOSE((bits)((a) != (a)), (bits)(a),                                                            \
         CHOOSE((bits)((a) == (b)), (bits)(a)join(bits)(b),                                        \
                CHOOSE((bits)((a)is_better(b)), (bits)(a), (bits)(b))))
#define MAXIMUM_F32(type, a, b) ((type)FLOAT_EXTREME(s32_vector, a, b, >, &))
#define MINIMUM_F32(type, a, b) ((type)FLOAT_EXTREME(s32_vector, a, b, <, |))
#define MAXIMUM_F64(type, a, b) ((type)FLOAT_EXTREME(s64_vector, a, b, >, &))
#define MINIMUM_F64(type, a, b) ((type)FLOAT_EXTREME(s64_vector, a, b, <, |))
#define MAXIMUM_S32(type, a, b) CHOOSE((type)((a) > (b)), a, b)
#define MINIMUM_S32(type, a, b) CHOOSE((type)((a) < (b)), a, b)

// Remaining lanes are computed in whole vectors whose surplus lanes are discarded.
#define DEFINE(name, vector, op)                                                                   \
  static void stack_##name(void *partials, const void *elements, int64_t rows) {                   \
    enum { ROW = HLO_REDUCE_PARTIALS * sizeof(((vector){0})[0]) };                                 \
    for (int part = 0; part < (int)ROW; part += VECTORS * BYTES) {                                 \
      vector p[VECTORS], x[VECTORS];                                                               \
      const char *from = (const char *)elements + part;                                            \
      memcpy(p, (char *)partials + part, sizeof p);                                                \
      for (int64_t i = 0; i < rows; i++, from += ROW) {                                            \
        memcpy(x, from, sizeof x);                                                                 \
        _Pragma("unroll") for (int v = 0; v < VECTORS; v++) p[v] = op(vector, p[v], x[v]);         \
      }                                                                                            \
      memcpy((char *)partials + part, p, sizeof p);                                                \
    }                                                                                              \
  }                                                                                                \
  static void rows_##name(void *running, const void *rows, int64_t distance, int64_t count,        \
                          int64_t lanes) {                                                         \
    char *to = running;                                                                            \
    const char *from = rows;                                                                       \
    int64_t left = lanes * (int64_t)sizeof(((vector){0})[0]);                                      \
    for (; left >= WIDE * BYTES; left -= WIDE * BYTES, to += WIDE * BYTES, from += WIDE * BYTES) { \
      vector p[WIDE], x[WIDE];                                                                     \
      const char *row = from;                                                                      \
      memcpy(p, to, sizeof p);                                                                     \
      for (int64_t i = 0; i < count; i++, row += distance) {                                       \
        memcpy(x, row, sizeof x);                                                                  \
        _Pragma("unroll") for (int v = 0; v < WIDE; v++) p[v] = op(vector, p[v], x[v]);            \
      }                                                                                            \
      memcpy(to, p, sizeof p);                                                                     \
    }                                                                                              \
    vector p[WIDE] = {0}, x[WIDE] = {0};                                                           \
    memcpy(p, to, (size_t)left);                                                                   \
    for (int64_t i = 0; i < count && left > 0; i++, from += distance) {                            \
      memcpy(x, from, (size_t)left);                                                               \
      for (int v = 0; v < WIDE; v++) p[v] = op(vector, p[v], x[v]);                                \
    }                                                                                              \
    memcpy(to, p, (size_t)left);                                                                   \
  }

#define LIST(ROW)                                                                                  \
  ROW(ADD, F32, f32_vector, ADD)                                                                   \
  ROW(ADD, F64, f64_vector, ADD)                                                                   \
  ROW(ADD, S32, u32_vector, ADD)                                                                   \
  ROW(MULTIPLY, F32, f32_vector, MULTIPLY)                                                         \
  ROW(MAXIMUM, F32, f32_vector, MAXIMUM_F32)                                                       \
  ROW(MAXIMUM, F64, f64_vector, MAXIMUM_F64)                                                       \
  ROW(MAXIMUM, S32, s32_vector, MAXIMUM_S32)                                                       \
  ROW(MINIMUM, F32, f32_vector, MINIMUM_F32)                                                       \
  ROW(MINIMUM, F64, f64_vector, MINIMUM_F64)                                                       \
  ROW(MINIMUM, S32, s32_vector, MINIMUM_S32)

#define DEFINE_ROW(opcode, type, vector, op) DEFINE(opcode##_##type, vector, op)
LIST(DEFINE_ROW)

const hlo_reduce_loops *hlo_reduce_loops_get(hlo_opcode opcode, hlo_type type) {
  static const struct {
    hlo_opcode opcode;
    hlo_type type;
    hlo_reduce_loops loops;
  } list[] = {
#define ENTRY(opcode, type, vector, op)                                                            \
  {HLO_OP_##opcode, HLO_##type, {stack_##opcode##_##type, rows_##opcode##_##type}},
      LIST(ENTRY)};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    if (list[i].opcode == opcode && list[i].type == type) return &list[i].loops;
  }
  return NULL;
}
