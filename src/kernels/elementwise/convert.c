// Convert as a lane function, between any two element types. Source of semantics: DESIGN.md's
// Numerics and StableHLO's convert: integers wrap, floats to integers truncate and saturate with
// NaN as 0, everything else rounds once; complex to real takes the real part.
#include "kernels/elementwise/lanes.h"
#include "kernels/elementwise/narrow.h"
#include "kernels/elementwise/pointwise.h"
#include "kernels/machine.h"
#include "kernels/structural.h"

#include "math/complex.h"

#include <string.h>

// The generic path converts through a block of a type that holds every value of the source:
// int64_t, uint64_t (for u64) or double. Common pairs of types have specialised loops.
enum { BLOCK = HLO_NARROW_BLOCK };

#define LOOP(n, statement)                                                                         \
  LANES_ARE_INDEPENDENT                                                                            \
  for (int64_t i = 0; i < n; i++) statement;

// --- from integers to a block ---

#define DEFINE_READ(suffix, type, value)                                                           \
  static void read_##suffix(int64_t *block, const void *operand, int64_t n) {                      \
    const type *in = operand;                                                                      \
    LOOP(n, {                                                                                      \
      type x = in[i];                                                                              \
      block[i] = (value);                                                                          \
    })                                                                                             \
  }
DEFINE_READ(pred, uint8_t, x != 0)
DEFINE_READ(s2, int8_t, (int8_t)((uint32_t)x << 6) >> 6)
DEFINE_READ(s4, int8_t, (int8_t)((uint32_t)x << 4) >> 4)
DEFINE_READ(s8, int8_t, x)
DEFINE_READ(s16, int16_t, x)
DEFINE_READ(s32, int32_t, x)
DEFINE_READ(s64, int64_t, x)
DEFINE_READ(u2, uint8_t, x & 3)
DEFINE_READ(u4, uint8_t, x & 15)
DEFINE_READ(u8, uint8_t, x)
DEFINE_READ(u16, uint16_t, x)
DEFINE_READ(u32, uint32_t, x)
DEFINE_READ(u64, uint64_t, (int64_t)x)

// --- from a block to integers and pred ---

// w: the value modulo 2^64. d: as a double, within LOW … HIGH.
#define DEFINE_WRITE(suffix, type, wrapped, low, high, clamped)                                    \
  static void wrap_to_##suffix(void *result, const int64_t *block, int64_t n) {                    \
    type *out = result;                                                                            \
    LOOP(n, {                                                                                      \
      uint64_t w = (uint64_t)block[i];                                                             \
      out[i] = (type)(wrapped);                                                                    \
    })                                                                                             \
  }                                                                                                \
  static void saturate_to_##suffix(void *result, const double *block, int64_t n) {                 \
    type *out = result;                                                                            \
    LOOP(n, {                                                                                      \
      double d = block[i];                                                                         \
      d = d > low ? d : d <= low ? low : 0; /* NaN is neither */                                   \
      d = d < high ? d : high;                                                                     \
      out[i] = (type)(clamped);                                                                    \
    })                                                                                             \
  }
DEFINE_WRITE(s2, int8_t, (int8_t)(w << 6) >> 6, -2.0, 1.0, (int32_t)d)
DEFINE_WRITE(s4, int8_t, (int8_t)(w << 4) >> 4, -8.0, 7.0, (int32_t)d)
DEFINE_WRITE(s8, int8_t, w, -128.0, 127.0, (int32_t)d)
DEFINE_WRITE(s16, int16_t, w, -32768.0, 32767.0, (int32_t)d)
DEFINE_WRITE(s32, int32_t, w, -2147483648.0, 2147483647.0, (int32_t)d)
DEFINE_WRITE(s64, int64_t, w, -0x1p63, 0x1p63, d == 0x1p63 ? INT64_MAX : (int64_t)d)
DEFINE_WRITE(u2, uint8_t, w & 3, 0.0, 3.0, (int32_t)d)
DEFINE_WRITE(u4, uint8_t, w & 15, 0.0, 15.0, (int32_t)d)
DEFINE_WRITE(u8, uint8_t, w, 0.0, 255.0, (int32_t)d)
DEFINE_WRITE(u16, uint16_t, w, 0.0, 65535.0, (int32_t)d)
DEFINE_WRITE(u32, uint32_t, w, 0.0, 4294967295.0, (uint32_t)d)
DEFINE_WRITE(u64, uint64_t, w, 0.0, 0x1p64, d == 0x1p64 ? UINT64_MAX : (uint64_t)d)

static void wrap_to_pred(void *result, const int64_t *block, int64_t n) {
  uint8_t *out = result;
  LOOP(n, out[i] = block[i] != 0)
}
static void saturate_to_pred(void *result, const double *block, int64_t n) {
  uint8_t *out = result;
  LOOP(n, out[i] = block[i] != 0)
}

typedef struct integer_type {
  void (*read)(int64_t *block, const void *operand, int64_t n);
  void (*wrap)(void *result, const int64_t *block, int64_t n);
  void (*saturate)(void *result, const double *block, int64_t n);
} integer_type;
#define INTEGER(id, suffix) [HLO_##id] = {read_##suffix, wrap_to_##suffix, saturate_to_##suffix}
static const integer_type integers[HLO_TYPE_COUNT] = {
    INTEGER(PRED, pred), INTEGER(S2, s2),   INTEGER(S4, s4),   INTEGER(S8, s8), INTEGER(S16, s16),
    INTEGER(S32, s32),   INTEGER(S64, s64), INTEGER(U2, u2),   INTEGER(U4, u4), INTEGER(U8, u8),
    INTEGER(U16, u16),   INTEGER(U32, u32), INTEGER(U64, u64),
};

// --- between blocks and floats ---

static void read_float(hlo_type type, double *block, const void *operand, int64_t n) {
  float narrow[BLOCK];
  const float *in = operand;
  if (type == HLO_F64) {
    memcpy(block, operand, (size_t)n * sizeof *block);
    return;
  }
  if (type != HLO_F32) hlo_narrow_to_f32(type, narrow, operand, n), in = narrow;
  LOOP(n, block[i] = in[i])
}

static void write_float(hlo_type type, void *result, const double *block, int64_t n) {
  float *out = result;
  if (type == HLO_F64) memcpy(result, block, (size_t)n * sizeof *block);
  else if (type == HLO_F32) LOOP(n, out[i] = (float)block[i])
  else hlo_narrow_from_f64(type, result, block, n);
}

// A double that rounds to the same narrow float as the integer: beyond 53 bits the last bit is a
// sticky bit for the truncated rest (rounding to odd).
static double odd_double(uint64_t x, bool negative) {
  if (x >> 53) x = (x & ~(uint64_t)0x7ff) | (uint64_t)((x & 0x7ff) != 0) << 11;
  double d = (double)x;
  return negative ? -d : d;
}

static void integers_to_float(hlo_type type, void *result, const int64_t *block, bool is_unsigned,
                              int64_t n) {
  double wide[BLOCK], *d = type == HLO_F64 ? result : wide;
  float *f = result;
  if (type == HLO_F32) {
    if (is_unsigned) LOOP(n, f[i] = (float)(uint64_t)block[i])
    else LOOP(n, f[i] = (float)block[i])
    return;
  }
  if (type == HLO_F64) {
    if (is_unsigned) LOOP(n, d[i] = (double)(uint64_t)block[i])
    else LOOP(n, d[i] = (double)block[i])
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    bool negative = !is_unsigned && block[i] < 0;
    wide[i] = odd_double(negative ? 0 - (uint64_t)block[i] : (uint64_t)block[i], negative);
  }
  hlo_narrow_from_f64(type, result, wide, n);
}

// --- one block, real types ---

static void convert_block(hlo_type to, void *result, hlo_type from, const void *operand,
                          int64_t n) {
  int64_t exact[BLOCK];
  double real[BLOCK];
  float narrow[BLOCK];
  bool to_float = hlo_type_is_float(to);
  if (!hlo_type_is_float(from)) {
    integers[from].read(exact, operand, n);
    if (to_float) integers_to_float(to, result, exact, from == HLO_U64, n);
    else integers[to].wrap(result, exact, n);
  } else if (hlo_type_is_narrow_float(to) && from != HLO_F64) {
    const float *in = operand;
    if (from != HLO_F32) hlo_narrow_to_f32(from, narrow, operand, n), in = narrow;
    hlo_narrow_from_f32(to, result, in, n);
  } else {
    read_float(from, real, operand, n);
    if (to_float) write_float(to, result, real, n);
    else integers[to].saturate(result, real, n);
  }
}

// --- complex numbers, one block: parts are laid out in pairs ---

static void complex_to_real(hlo_type to, void *result, hlo_type from, const void *operand,
                            int64_t n) {
  double real[BLOCK];
  const hlo_c64 *z = operand;
  const hlo_c128 *wide = operand;
  if (from == HLO_C64) LOOP(n, real[i] = z[i].re)
  else LOOP(n, real[i] = wide[i].re)
  convert_block(to, result, HLO_F64, real, n);
}

static void to_complex(hlo_type to, void *result, hlo_type from, const void *operand, int64_t n) {
  double parts[2 * BLOCK], *re = parts;
  hlo_type part = hlo_type_complex_part(to), from_part = hlo_type_complex_part(from);
  if (hlo_type_is_complex(from)) {
    for (int64_t half = 0; half < 2; half++) {
      int64_t at = half * n; // n parts of 2n at a time, since that is a block
      convert_block(part, (char *)result + at * hlo_type_bytes(part), from_part,
                    (const char *)operand + at * hlo_type_bytes(from_part), n);
    }
    return;
  }
  convert_block(part, re, from, operand, n);
  hlo_c64 *z = result;
  hlo_c128 *wide = result;
  if (to == HLO_C64) LOOP(n, (z[i] = (hlo_c64){((const float *)re)[i], 0}))
  else LOOP(n, (wide[i] = (hlo_c128){re[i], 0}))
}

// --- loops for common pairs ---

#define FAST_PAIRS(PAIR)                                                                           \
  PAIR(PRED, uint8_t, F32, float, x != 0)                                                          \
  PAIR(PRED, uint8_t, S32, int32_t, x != 0)                                                        \
  PAIR(S8, int8_t, F32, float, x)                                                                  \
  PAIR(U8, uint8_t, F32, float, x)                                                                 \
  PAIR(U8, uint8_t, S32, int32_t, x)                                                               \
  PAIR(S32, int32_t, F32, float, (float)x)                                                         \
  PAIR(S32, int32_t, S64, int64_t, x)                                                              \
  PAIR(S64, int64_t, S32, int32_t, (int32_t)x)                                                     \
  PAIR(U32, uint32_t, F32, float, (float)x)                                                        \
  PAIR(F32, float, F64, double, x)                                                                 \
  PAIR(F64, double, F32, float, (float)x)
#define DEFINE_PAIR(from, from_type, to, to_type, value)                                           \
  static void from##_to_##to(void *result, const void *operand, int64_t n) {                       \
    to_type *out = result;                                                                         \
    const from_type *in = operand;                                                                 \
    LOOP(n, {                                                                                      \
      from_type x = in[i];                                                                         \
      out[i] = value;                                                                              \
    })                                                                                             \
  }
FAST_PAIRS(DEFINE_PAIR)

static bool convert_fast(hlo_type to, void *result, hlo_type from, const void *operand, int64_t n) {
#define PAIR(from_id, from_type, to_id, to_type, value)                                            \
  if (from == HLO_##from_id && to == HLO_##to_id)                                                  \
    return from_id##_to_##to_id(result, operand, n), true;
  FAST_PAIRS(PAIR)
#undef PAIR
  if (to == HLO_F32 && hlo_type_is_narrow_float(from)) {
    hlo_narrow_to_f32(from, result, operand, n);
    return true;
  }
  if (from == HLO_F32 && hlo_type_is_narrow_float(to)) {
    hlo_narrow_from_f32(to, result, operand, n);
    return true;
  }
  bool wraps = hlo_type_is_integer(from) && hlo_type_is_integer(to);
  if (from == to || (wraps && hlo_type_bits(from) == hlo_type_bits(to) && hlo_type_bits(to) >= 8)) {
    memcpy(result, operand, (size_t)(n * hlo_type_bytes(to)));
    return true;
  }
  return false;
}

void hlo_convert_lanes(hlo_type to, void *result, hlo_type from, const void *operand, int64_t n) {
  if (convert_fast(to, result, from, operand, n)) return;
  bool into_complex = hlo_type_is_complex(to), out_of_complex = hlo_type_is_complex(from);
  for (int64_t done = 0; done < n; done += BLOCK) {
    int64_t count = n - done < BLOCK ? n - done : BLOCK;
    char *out = (char *)result + done * hlo_type_bytes(to);
    const char *in = (const char *)operand + done * hlo_type_bytes(from);
    if (into_complex) to_complex(to, out, from, in, count);
    else if (out_of_complex) complex_to_real(to, out, from, in, count);
    else convert_block(to, out, from, in, count);
  }
}

static void run(const hlo_lane_op *op, void *result, const void *const *operands, int64_t n) {
  hlo_convert_lanes(op->to, result, op->from, operands[0], n);
}

bool hlo_lane_op_convert(const hlo_instruction *instruction, hlo_lane_op *out) {
  (void)instruction;
  out->run = run;
  return hlo_type_is_array(out->from) && hlo_type_is_array(out->to);
}

static hlo_status run_block(void *context, void *result, const void *const *operands, int64_t n,
                            hlo_error *error) {
  (void)error;
  const hlo_type *types = context;
  hlo_convert_lanes(types[1], result, types[0], operands[0], n);
  return HLO_OK;
}

hlo_status hlo_convert_view(const hlo_evaluator *evaluator, const hlo_view *to,
                            const hlo_view *from, hlo_error *error) {
  hlo_type types[2] = {from->type, to->type};
  if (from->type == to->type) {
    hlo_copy_view(evaluator, to, from);
    return HLO_OK;
  }
  return hlo_run_over_views(evaluator, run_block, types, 1, from, to, error);
}
