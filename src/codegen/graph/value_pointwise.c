// The POINTWISE rows of ops.def on values: what kernels/elementwise/pointwise_expressions.h says of
// elements, said of vectors. See value.h.
#include "base/bits.h"
#include "codegen/graph/value.h"
#include "codegen/graph/vector_math.h"
#include "kernels/elementwise/pointwise.h"

#include <string.h>

// One part of an operation: operands a and b (a again for unary ones) in, a vector out.
typedef struct operation {
  hlo_graph *g;
  hlo_opcode opcode;
  hlo_type type;
  bool wide, is_signed, is_float;
} operation;

typedef struct rule rule;
typedef hlo_node part_function(const operation *o, const rule *r, hlo_node a, hlo_node b);

enum { INTEGERS = HLO_CLASS_SIGNED | HLO_CLASS_UNSIGNED, BITS = INTEGERS | HLO_CLASS_PRED };

// An instruction for each kind of lanes, or a function; for which classes of types. `exact` results
// need no rounding to narrow floats; `wraps` says that integers may leave their range.
struct rule {
  hlo_opcode opcode;
  int32_t classes;
  uint16_t i32, i64, f32, f64;
  part_function *function;
  bool exact, wraps;
};

static hlo_node op2(const operation *o, uint32_t narrow, uint32_t wide, hlo_node a, hlo_node b) {
  return hlo_graph_2(o->g, o->wide ? wide : narrow, a, b);
}

static hlo_node simple(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  uint32_t op = o->is_float ? (o->wide ? r->f64 : r->f32) : o->wide ? r->i64 : r->i32;
  return hlo_graph_simd(o->g, op, a, b, 0);
}

static hlo_node splat(const operation *o, uint64_t value) {
  return o->wide ? hlo_graph_splat64(o->g, value) : hlo_graph_splat32(o->g, (uint32_t)value);
}

static hlo_node splat_float(const operation *o, double value) {
  return o->wide ? hlo_graph_f64(o->g, value) : hlo_graph_f32(o->g, (float)value);
}

static hlo_node select_by(const operation *o, hlo_node mask, hlo_node a, hlo_node b) {
  return hlo_graph_select(o->g, mask, a, b);
}

// --- integers ---

static hlo_node is_equal(const operation *o, hlo_node a, hlo_node b) {
  return op2(o, SIMD_I32X4_EQ, SIMD_I64X2_EQ, a, b);
}

// a > b, or a < b by swapping. 64-bit lanes know only signed order.
static hlo_node is_above(const operation *o, hlo_node a, hlo_node b) {
  if (!o->wide) return hlo_graph_2(o->g, o->is_signed ? SIMD_I32X4_GT_S : SIMD_I32X4_GT_U, a, b);
  if (!o->is_signed) {
    hlo_node top = splat(o, UINT64_C(1) << 63);
    a = hlo_graph_2(o->g, SIMD_XOR, a, top);
    b = hlo_graph_2(o->g, SIMD_XOR, b, top);
  }
  return hlo_graph_2(o->g, SIMD_I64X2_GT_S, a, b);
}

// A float that is the same in all lanes, known here.
static bool is_known(const operation *o, hlo_node node, double *value) {
  union {
    uint32_t bits;
    float value;
  } narrow;
  union {
    uint64_t bits;
    double value;
  } wide;
  bool is_splat = o->wide ? hlo_graph_is_splat64(o->g, node, &wide.bits)
                          : hlo_graph_is_splat32(o->g, node, &narrow.bits);
  if (is_splat) *value = o->wide ? wide.value : (double)narrow.value;
  return is_splat;
}

// Whether the host is an x86, whose NaNs that arise have the sign; those of ARM have not.
static bool host_is_x86(void) {
  volatile float zero = 0;
  return __builtin_signbit(zero / zero) != 0;
}

// Of a and b, when neither is known, as kernels/elementwise/pointwise_expressions.h has it: a where
// it is NaN, else b where that is, and -0 below 0. ARM's instructions for WebAssembly's extremes do
// so. On an x86 WebAssembly's are eight instructions, which make a canonical NaN of any sign; its
// own two give b where one is NaN or both are equal.
static hlo_node extreme_of_both(const operation *o, const rule *r, hlo_node a, hlo_node b,
                                bool is_max) {
  if (!host_is_x86()) return simple(o, r, a, b);
  hlo_node x = is_max ? op2(o, SIMD_F32X4_PMAX, SIMD_F64X2_PMAX, b, a)
                      : op2(o, SIMD_F32X4_PMIN, SIMD_F64X2_PMIN, b, a);
  hlo_node is_equal = op2(o, SIMD_F32X4_EQ, SIMD_F64X2_EQ, a, b);
  hlo_node is_nan = op2(o, SIMD_F32X4_NE, SIMD_F64X2_NE, a, a);
  // Equal numbers have the same bits but for a zero's sign, which a maximum has only of both.
  x = is_max ? hlo_graph_2(o->g, SIMD_ANDNOT, x, hlo_graph_2(o->g, SIMD_ANDNOT, is_equal, a))
             : hlo_graph_2(o->g, SIMD_OR, x, hlo_graph_2(o->g, SIMD_AND, is_equal, a));
  return hlo_graph_select(o->g, is_nan, a, x);
}

// Where one side is known one instruction is enough: it keeps x where that is NaN or equal, and
// then at most the sign of a zero is to be mended, by adding 0, which leaves a NaN's sign and
// payload.
static hlo_node extreme(const operation *o, const rule *r, hlo_node a, hlo_node b, bool is_max) {
  double known = __builtin_nan("");
  hlo_node x = is_known(o, b, &known) ? a : b, bound = x == a ? b : a;
  if (x == b && !is_known(o, a, &known)) return extreme_of_both(o, r, a, b, is_max);
  bool is_minus_zero = known == 0 && __builtin_signbit(known);
  if (known != known || (is_minus_zero && !is_max)) return extreme_of_both(o, r, a, b, is_max);
  x = is_max ? op2(o, SIMD_F32X4_PMAX, SIMD_F64X2_PMAX, x, bound)
             : op2(o, SIMD_F32X4_PMIN, SIMD_F64X2_PMIN, x, bound);
  bool may_be_minus_zero = is_max && known == 0 && !is_minus_zero;
  return may_be_minus_zero ? op2(o, SIMD_F32X4_ADD, SIMD_F64X2_ADD, x, bound) : x;
}

static hlo_node maximum(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  if (o->type == HLO_PRED) return hlo_graph_2(o->g, SIMD_OR, a, b);
  if (o->is_float) return extreme(o, r, a, b, true);
  if (!o->wide) return hlo_graph_2(o->g, o->is_signed ? SIMD_I32X4_MAX_S : SIMD_I32X4_MAX_U, a, b);
  return select_by(o, is_above(o, a, b), a, b);
}

static hlo_node minimum(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  if (o->type == HLO_PRED) return hlo_graph_2(o->g, SIMD_AND, a, b);
  if (o->is_float) return extreme(o, r, a, b, false);
  if (!o->wide) return hlo_graph_2(o->g, o->is_signed ? SIMD_I32X4_MIN_S : SIMD_I32X4_MIN_U, a, b);
  return select_by(o, is_above(o, b, a), a, b);
}

// pred adds by or, multiplies by and.
static hlo_node add(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  return o->type == HLO_PRED ? hlo_graph_2(o->g, SIMD_OR, a, b) : simple(o, r, a, b);
}
static hlo_node multiply(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  return o->type == HLO_PRED ? hlo_graph_2(o->g, SIMD_AND, a, b) : simple(o, r, a, b);
}

static hlo_node magnitude(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)b;
  return o->is_float || o->is_signed ? simple(o, r, a, 0) : a;
}

static hlo_node by_lane(const operation *o, uint32_t narrow, uint32_t wide, hlo_node a,
                        hlo_node b) {
  return o->wide ? hlo_graph_by_lane(o->g, wide, SIMD_I64X2_EXTRACT, SIMD_I64X2_REPLACE, 2, a, b)
                 : hlo_graph_by_lane(o->g, narrow, SIMD_I32X4_EXTRACT, SIMD_I32X4_REPLACE, 4, a, b);
}

// Whether bytes times high + low, 1/divisor in 16 bits and the rest, are quotients to the last bit.
static bool divides_bytes(float divisor, float *high, float *low) {
  double inverse = 1 / (double)divisor;
  *high = float_of_bits(bits_of_float((float)inverse) & 0xffffff00);
  *low = (float)(inverse - *high);
  for (int32_t i = -128; i <= 255; i++) {
    float x = (float)i, product = x * *high;
    if (bits_of_float(product + x * *low) != bits_of_float(x / divisor)) return false;
  }
  return true;
}

// Quotients of 32 bits by way of f64, whose error is too small to reach the next integer. Of a
// divisor that all elements share it is the reciprocal that is multiplied with, enlarged by 2^-40
// of it, so that multiples do not fall below an integer; of dividends below 2^32 that is less than
// what the others lack.
static hlo_node narrow_quotient(const operation *o, hlo_node a, hlo_node b) {
  hlo_type word = o->type == HLO_U32 ? HLO_U32 : HLO_S32;
  hlo_value x, y;
  hlo_value_convert(o->g, HLO_F64, word, (hlo_value){{a}}, &x);
  hlo_value_convert(o->g, HLO_F64, word, (hlo_value){{b}}, &y);
  if (hlo_graph_is_alike(o->g, b)) {
    hlo_node one = hlo_graph_f64(o->g, 1 + 0x1p-40);
    hlo_node reciprocal = hlo_graph_2(o->g, SIMD_F64X2_DIV, one, y.part[0]);
    for (int i = 0; i < 2; i++)
      x.part[i] = hlo_graph_2(o->g, SIMD_F64X2_MUL, x.part[i], reciprocal);
  } else {
    for (int i = 0; i < 2; i++) x.part[i] = hlo_graph_2(o->g, SIMD_F64X2_DIV, x.part[i], y.part[i]);
  }
  if (!o->g->target.relaxed_simd) {
    hlo_value_convert(o->g, word, HLO_F64, x, &y);
    return y.part[0];
  }
  // One machine instruction each, not three; what is out of range is not used.
  uint32_t op =
      o->type == HLO_U32 ? SIMD_I32X4_RELAXED_TRUNC_F64_U : SIMD_I32X4_RELAXED_TRUNC_F64_S;
  for (int i = 0; i < 2; i++) x.part[i] = hlo_graph_1(o->g, op, x.part[i]);
  return hlo_graph_lanes32(o->g, x.part[0], x.part[1], 0, 1, 4, 5);
}

static hlo_node quotient_of(const operation *o, hlo_node a, hlo_node b) {
  uint32_t op = o->is_signed ? WASM_I64_DIV_S : WASM_I64_DIV_U, divisor;
  if (o->wide) return by_lane(o, op, op, a, b);
  hlo_node quotient = narrow_quotient(o, a, b);
  if (hlo_graph_is_splat32(o->g, b, &divisor) && quotient != 0) {
    o->g->nodes[quotient].dividend = a;
    o->g->nodes[quotient].divisor = (int32_t)divisor;
  }
  return quotient;
}

// By 2^k with a shift, which rounds down: a negative dividend, which is to be rounded to 0, is made
// greater by 2^k - 1 before.
static hlo_node quotient_by_power(const operation *o, hlo_node a, uint32_t k) {
  uint32_t bits = o->wide ? 64 : 32;
  uint32_t arithmetic = o->wide ? SIMD_I64X2_SHR_S : SIMD_I32X4_SHR_S;
  uint32_t logical = o->wide ? SIMD_I64X2_SHR_U : SIMD_I32X4_SHR_U;
  if (k == 0) return a;
  if (!o->is_signed) return hlo_graph_shift(o->g, logical, a, k);
  hlo_node less = hlo_graph_shift(o->g, arithmetic, a, bits - 1);
  hlo_node more = hlo_graph_shift(o->g, logical, less, bits - k);
  return hlo_graph_shift(o->g, arithmetic, op2(o, SIMD_I32X4_ADD, SIMD_I64X2_ADD, a, more), k);
}

// An integer that all lanes have; of u64 as s64.
static bool is_integer(const operation *o, hlo_node node, int64_t *value) {
  uint64_t wide;
  uint32_t narrow;
  bool found =
      o->wide ? hlo_graph_is_splat64(o->g, node, &wide) : hlo_graph_is_splat32(o->g, node, &narrow);
  if (found) *value = o->wide ? (int64_t)wide : o->is_signed ? (int32_t)narrow : (int64_t)narrow;
  return found;
}

static bool is_power(const operation *o, hlo_node node, uint32_t *k) {
  int64_t value;
  bool is = is_integer(o, node, &value) && value > 0 && (value & (value - 1)) == 0;
  if (is) *k = (uint32_t)__builtin_ctzll((uint64_t)value);
  return is;
}

// Division by zero gives all ones; the quotient that overflows wraps.
static hlo_node divide(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  double known;
  float high, low;
  int64_t by;
  uint32_t k;
  if (o->is_float && o->g->nodes[a].is_byte && is_known(o, b, &known) &&
      divides_bytes((float)known, &high, &low)) {
    hlo_node rest = hlo_graph_2(o->g, SIMD_F32X4_MUL, a, hlo_graph_f32(o->g, low));
    return hlo_graph_add_product(o->g, a, hlo_graph_f32(o->g, high), rest);
  }
  if (o->is_float) return simple(o, r, a, b);
  if (is_power(o, b, &k)) return quotient_by_power(o, a, k);
  if (is_integer(o, b, &by) && by != 0 && by != -1) return quotient_of(o, a, b);
  hlo_node none = is_equal(o, b, splat(o, 0)), ones = splat(o, UINT64_MAX), guarded = none;
  hlo_node minus = is_equal(o, b, ones);
  if (o->is_signed) guarded = hlo_graph_2(o->g, SIMD_OR, none, minus);
  // Of 64 bits neither 0 nor an overflow may reach the instruction, which would trap.
  hlo_node quotient = quotient_of(o, a, o->wide ? select_by(o, guarded, splat(o, 1), b) : b);
  hlo_node negated = hlo_graph_1(o->g, o->wide ? SIMD_I64X2_NEG : SIMD_I32X4_NEG, a);
  if (o->is_signed) quotient = select_by(o, minus, negated, quotient);
  return select_by(o, none, ones, quotient);
}

// 1, 2, 4, …: what is left of a division by it is exact at each step.
static bool is_float_power(const operation *o, hlo_node node) {
  double value;
  return is_known(o, node, &value) && value >= 1 && value < 0x1p60 &&
         value == (double)((uint64_t)1 << (63 - __builtin_clzll((uint64_t)value)));
}

static hlo_node remainder_by_power(const operation *o, hlo_node a, hlo_node b) {
  double value = 1;
  hlo_node sign = splat(o, o->wide ? UINT64_C(1) << 63 : UINT64_C(1) << 31);
  is_known(o, b, &value);
  hlo_node quotient = op2(o, SIMD_F32X4_MUL, SIMD_F64X2_MUL, a, splat_float(o, 1 / value));
  hlo_node whole = hlo_graph_1(o->g, o->wide ? SIMD_F64X2_TRUNC : SIMD_F32X4_TRUNC, quotient);
  hlo_node rest =
      op2(o, SIMD_F32X4_SUB, SIMD_F64X2_SUB, a, op2(o, SIMD_F32X4_MUL, SIMD_F64X2_MUL, whole, b));
  return hlo_graph_2(o->g, SIMD_OR, rest, hlo_graph_2(o->g, SIMD_AND, a, sign)); // -0
}

// Of integers: the dividend if the divisor is zero, 0 if the quotient overflows: all wraps. Of
// floats: by powers of two.
static hlo_node remainder_of(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  if (o->is_float) return remainder_by_power(o, a, b);
  uint32_t k;
  hlo_node quotient = divide(o, r, a, b);
  hlo_node whole =
      is_power(o, b, &k)
          ? hlo_graph_shift(o->g, o->wide ? SIMD_I64X2_SHL : SIMD_I32X4_SHL, quotient, k)
          : op2(o, SIMD_I32X4_MUL, SIMD_I64X2_MUL, quotient, b);
  return op2(o, SIMD_I32X4_SUB, SIMD_I64X2_SUB, a, whole);
}

// The type's bits without the extension of the sign.
static hlo_node pattern(const operation *o, hlo_node a) {
  int32_t bits = hlo_type_bits(o->type);
  return bits < 32 && o->is_signed ? hlo_graph_2(o->g, SIMD_AND, a, splat(o, (1u << bits) - 1)) : a;
}

static hlo_node sign_extended(const operation *o, hlo_node a) {
  uint32_t spare = 32 - (uint32_t)hlo_type_bits(o->type);
  if (o->wide || spare == 0 || o->is_signed) return a;
  return hlo_graph_shift(o->g, SIMD_I32X4_SHR_S, hlo_graph_shift(o->g, SIMD_I32X4_SHL, a, spare),
                         spare);
}

// Counts that are the same constant in all lanes.
static bool is_uniform(const operation *o, hlo_node count, uint64_t *value) {
  uint32_t narrow = 0;
  if (o->wide) return hlo_graph_is_splat64(o->g, count, value);
  bool found = hlo_graph_is_splat32(o->g, count, &narrow);
  *value = narrow;
  return found;
}

// From the width on nothing is left.
static hlo_node shift(const operation *o, uint32_t vector, uint32_t narrow, uint32_t wide,
                      hlo_node a, hlo_node count) {
  uint64_t value, bits = (uint64_t)hlo_type_bits(o->type);
  if (is_uniform(o, count, &value)) {
    return value < bits ? hlo_graph_shift(o->g, vector, a, (uint32_t)value) : splat(o, 0);
  }
  operation plain = *o;
  plain.is_signed = false;
  hlo_node fits = is_above(&plain, splat(o, bits), count);
  hlo_node shifted = hlo_graph_is_alike(o->g, count) ? hlo_graph_shift_by(o->g, vector, a, count)
                                                     : by_lane(o, narrow, wide, a, count);
  return hlo_graph_2(o->g, SIMD_AND, fits, shifted);
}

static hlo_node shift_left(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r;
  return shift(o, o->wide ? SIMD_I64X2_SHL : SIMD_I32X4_SHL, WASM_I32_SHL, WASM_I64_SHL, a, b);
}

static hlo_node shift_right_logical(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r;
  return shift(o, o->wide ? SIMD_I64X2_SHR_U : SIMD_I32X4_SHR_U, WASM_I32_SHR_U, WASM_I64_SHR_U,
               pattern(o, a), b);
}

// From the width on the sign is left.
static hlo_node shift_right_arithmetic(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r;
  uint64_t value, last = (uint64_t)hlo_type_bits(o->type) - 1;
  uint32_t vector = o->wide ? SIMD_I64X2_SHR_S : SIMD_I32X4_SHR_S;
  a = sign_extended(o, a);
  if (is_uniform(o, b, &value))
    return hlo_graph_shift(o->g, vector, a, (uint32_t)(value < last ? value : last));
  operation plain = *o;
  plain.is_signed = false;
  hlo_node most = splat(o, last), count = select_by(o, is_above(&plain, b, most), most, b);
  if (hlo_graph_is_alike(o->g, count)) return hlo_graph_shift_by(o->g, vector, a, count);
  return by_lane(o, WASM_I32_SHR_S, WASM_I64_SHR_S, a, count);
}

static hlo_node population_count(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r, (void)b;
  hlo_graph *g = o->g;
  hlo_node bytes = hlo_graph_1(g, SIMD_I8X16_POPCNT, pattern(o, a));
  hlo_node words = hlo_graph_1(g, SIMD_I32X4_EXTADD_U, hlo_graph_1(g, SIMD_I16X8_EXTADD_U, bytes));
  if (!o->wide) return words;
  hlo_node low = hlo_graph_2(g, SIMD_AND, words, splat(o, UINT32_MAX));
  return hlo_graph_2(g, SIMD_I64X2_ADD, low, hlo_graph_shift(g, SIMD_I64X2_SHR_U, words, 32));
}

static hlo_node leading_zeros(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r, (void)b;
  hlo_node count = by_lane(o, WASM_I32_CLZ, WASM_I64_CLZ, pattern(o, a), 0);
  int32_t bits = hlo_type_bits(o->type);
  return bits < 32 ? hlo_graph_2(o->g, SIMD_I32X4_SUB, count, splat(o, 32 - (uint32_t)bits))
                   : count;
}

// --- floats ---

// Zeros and NaN as they are.
static hlo_node sign_of(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r, (void)b;
  hlo_graph *g = o->g;
  if (o->is_float) {
    hlo_node zero = splat(o, 0), one = splat_float(o, 1), minus = splat_float(o, -1);
    hlo_node above = op2(o, SIMD_F32X4_GT, SIMD_F64X2_GT, a, zero);
    hlo_node below = op2(o, SIMD_F32X4_LT, SIMD_F64X2_LT, a, zero);
    return select_by(o, above, one, select_by(o, below, minus, a));
  }
  hlo_node zero = splat(o, 0), above = is_above(o, a, zero);
  if (!o->is_signed) return hlo_graph_2(g, SIMD_AND, above, splat(o, 1));
  return op2(o, SIMD_I32X4_SUB, SIMD_I64X2_SUB, is_above(o, zero, a), above);
}

static hlo_node round_away(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r, (void)b;
  hlo_graph *g = o->g;
  hlo_node sign = splat(o, o->wide ? UINT64_C(1) << 63 : UINT64_C(1) << 31);
  hlo_node whole = hlo_graph_1(g, o->wide ? SIMD_F64X2_TRUNC : SIMD_F32X4_TRUNC, a);
  hlo_node step = hlo_graph_2(g, SIMD_OR, hlo_graph_2(g, SIMD_AND, a, sign), splat_float(o, 1));
  hlo_node rest = op2(o, SIMD_F32X4_SUB, SIMD_F64X2_SUB, a, whole);
  rest = hlo_graph_1(g, o->wide ? SIMD_F64X2_ABS : SIMD_F32X4_ABS, rest);
  hlo_node is_far = op2(o, SIMD_F32X4_GE, SIMD_F64X2_GE, rest, splat_float(o, 0.5));
  return select_by(o, is_far, op2(o, SIMD_F32X4_ADD, SIMD_F64X2_ADD, whole, step), whole);
}

static hlo_node real_part(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)o, (void)r, (void)b;
  return a;
}
static hlo_node imaginary_part(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r, (void)a, (void)b;
  return splat(o, 0);
}

static const rule rules[] = {
    {HLO_OP_ADD, BITS | HLO_CLASS_FLOAT, SIMD_I32X4_ADD, SIMD_I64X2_ADD, SIMD_F32X4_ADD,
     SIMD_F64X2_ADD, add, false, true},
    {HLO_OP_SUBTRACT, INTEGERS | HLO_CLASS_FLOAT, SIMD_I32X4_SUB, SIMD_I64X2_SUB, SIMD_F32X4_SUB,
     SIMD_F64X2_SUB, simple, false, true},
    {HLO_OP_MULTIPLY, BITS | HLO_CLASS_FLOAT, SIMD_I32X4_MUL, SIMD_I64X2_MUL, SIMD_F32X4_MUL,
     SIMD_F64X2_MUL, multiply, false, true},
    {HLO_OP_DIVIDE, INTEGERS | HLO_CLASS_FLOAT, 0, 0, SIMD_F32X4_DIV, SIMD_F64X2_DIV, divide, false,
     true},
    {HLO_OP_REMAINDER, INTEGERS | HLO_CLASS_FLOAT, 0, 0, 0, 0, remainder_of, false, true},
    {HLO_OP_MAXIMUM, BITS | HLO_CLASS_FLOAT, 0, 0, SIMD_F32X4_MAX, SIMD_F64X2_MAX, maximum, true,
     false},
    {HLO_OP_MINIMUM, BITS | HLO_CLASS_FLOAT, 0, 0, SIMD_F32X4_MIN, SIMD_F64X2_MIN, minimum, true,
     false},
    {HLO_OP_AND, BITS, SIMD_AND, SIMD_AND, 0, 0, simple, true, false},
    {HLO_OP_OR, BITS, SIMD_OR, SIMD_OR, 0, 0, simple, true, false},
    {HLO_OP_XOR, BITS, SIMD_XOR, SIMD_XOR, 0, 0, simple, true, false},
    {HLO_OP_NOT, BITS, SIMD_NOT, SIMD_NOT, 0, 0, simple, true, true},
    {HLO_OP_NEGATE, INTEGERS | HLO_CLASS_FLOAT, SIMD_I32X4_NEG, SIMD_I64X2_NEG, SIMD_F32X4_NEG,
     SIMD_F64X2_NEG, simple, true, true},
    {HLO_OP_ABS, INTEGERS | HLO_CLASS_FLOAT, SIMD_I32X4_ABS, SIMD_I64X2_ABS, SIMD_F32X4_ABS,
     SIMD_F64X2_ABS, magnitude, true, true},
    {HLO_OP_SIGN, INTEGERS | HLO_CLASS_FLOAT, 0, 0, 0, 0, sign_of, true, false},
    {HLO_OP_SHIFT_LEFT, INTEGERS, 0, 0, 0, 0, shift_left, true, true},
    {HLO_OP_SHIFT_RIGHT_LOGICAL, INTEGERS, 0, 0, 0, 0, shift_right_logical, true, true},
    {HLO_OP_SHIFT_RIGHT_ARITHMETIC, INTEGERS, 0, 0, 0, 0, shift_right_arithmetic, true, true},
    {HLO_OP_POPULATION_COUNT, INTEGERS, 0, 0, 0, 0, population_count, true, true},
    {HLO_OP_COUNT_LEADING_ZEROS, INTEGERS, 0, 0, 0, 0, leading_zeros, true, true},
    {HLO_OP_SQRT, HLO_CLASS_FLOAT, 0, 0, SIMD_F32X4_SQRT, SIMD_F64X2_SQRT, simple, false, false},
    {HLO_OP_CEIL, HLO_CLASS_FLOAT, 0, 0, SIMD_F32X4_CEIL, SIMD_F64X2_CEIL, simple, true, false},
    {HLO_OP_FLOOR, HLO_CLASS_FLOAT, 0, 0, SIMD_F32X4_FLOOR, SIMD_F64X2_FLOOR, simple, true, false},
    {HLO_OP_ROUND_NEAREST_EVEN, HLO_CLASS_FLOAT, 0, 0, SIMD_F32X4_NEAREST, SIMD_F64X2_NEAREST,
     simple, true, false},
    {HLO_OP_ROUND_NEAREST_AFZ, HLO_CLASS_FLOAT, 0, 0, 0, 0, round_away, true, false},
    {HLO_OP_REAL, HLO_CLASS_FLOAT, 0, 0, 0, 0, real_part, true, false},
    {HLO_OP_IMAG, HLO_CLASS_FLOAT, 0, 0, 0, 0, imaginary_part, true, false},
};

static bool is_finite(hlo_graph *g, hlo_type type, hlo_value x, hlo_value *out) {
  if (!hlo_type_is_float(type)) return false;
  bool wide = type == HLO_F64;
  hlo_node infinity = wide ? hlo_graph_f64(g, __builtin_inf()) : hlo_graph_f32(g, __builtin_inff());
  hlo_value masks = {{0}};
  for (int32_t i = 0; i < hlo_value_parts(type); i++) {
    hlo_node size = hlo_graph_1(g, wide ? SIMD_F64X2_ABS : SIMD_F32X4_ABS, x.part[i]);
    masks.part[i] = hlo_graph_2(g, wide ? SIMD_F64X2_LT : SIMD_F32X4_LT, size, infinity);
  }
  *out = wide ? (hlo_value){{hlo_value_narrow_mask(g, masks)}} : masks;
  return true;
}

// The evaluator's own loop for what is rare, over the elements of each vector.
static bool by_loop(hlo_graph *g, hlo_opcode opcode, hlo_type type, bool round, const hlo_value *x,
                    hlo_value *out) {
  hlo_type work = type;
  bool is_integer = (hlo_type_get_class(type) & INTEGERS) != 0;
  if (type == HLO_PRED || (opcode == HLO_OP_NEXT_AFTER && hlo_value_is_narrow(type))) return false;
  if (hlo_value_is_narrow(type)) work = HLO_F32;
  if (is_integer && hlo_type_bits(type) < 32) {
    if (opcode != HLO_OP_POWER) return false; // modulo 2^32 it is right in all bits that stay
    work = hlo_type_get_class(type) == HLO_CLASS_SIGNED ? HLO_S32 : HLO_U32;
  }
  hlo_pointwise_kernel *kernel = hlo_pointwise_get(opcode, work);
  if (kernel == NULL || hlo_op_get(opcode)->min_operands > 2) return false;
  bool is_pair = hlo_op_get(opcode)->min_operands == 2;
  int32_t bytes = hlo_type_bytes(work), vectors = bytes > 4 ? bytes / 4 : 1;
  hlo_value a = hlo_value_to_memory(g, work, x[0]), b = {{0}}, memory = {{0}};
  if (is_pair) b = hlo_value_to_memory(g, work, x[1]);
  for (int32_t i = 0; i < vectors; i++)
    memory.part[i] = hlo_graph_loop(g, kernel, 4 / vectors, a.part[i], b.part[i]);
  if (opcode == HLO_OP_ABS && work == HLO_C128) { // real results, one in each vector
    *out = hlo_value_complex_part(work, hlo_value_from_memory(g, work, memory), 0);
    return true;
  }
  *out = hlo_value_from_memory(g, work, memory);
  if (is_integer) out->part[0] = hlo_value_wrap(g, type, out->part[0]);
  if (round && work != type) *out = hlo_value_round_result(g, type, *out);
  return true;
}

static const rule *rule_of(hlo_opcode opcode, hlo_type_class type_class) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    if (rules[i].opcode == opcode) return rules[i].classes & (int32_t)type_class ? &rules[i] : NULL;
  }
  return NULL;
}

// Whose results' bits follow from the same bits of operands and those below.
static bool is_modular(hlo_opcode opcode) {
  return opcode == HLO_OP_ADD || opcode == HLO_OP_SUBTRACT || opcode == HLO_OP_MULTIPLY ||
         opcode == HLO_OP_NEGATE;
}

// (a + bi) + (c + di) and so on: the operation on their parts.
static bool complex_by_parts(hlo_graph *g, hlo_opcode opcode, hlo_type type, const hlo_value *x,
                             hlo_value *out) {
  hlo_value parts[2], pair[2] = {{{0}}};
  for (int32_t i = 0; i < 2; i++) {
    for (int32_t k = 0; k < hlo_op_get(opcode)->min_operands; k++)
      pair[k] = hlo_value_complex_part(type, x[k], i);
    hlo_value_pointwise(g, opcode, hlo_type_complex_part(type), false, pair, &parts[i]);
  }
  *out = hlo_value_complex(type, parts[0], parts[1]);
  return true;
}

bool hlo_value_pointwise(hlo_graph *g, hlo_opcode opcode, hlo_type type, bool round,
                         const hlo_value *x, hlo_value *out) {
  hlo_type_class type_class = hlo_type_get_class(type);
  *out = (hlo_value){{0}};
  if (hlo_value_parts(type) == 0) return false;
  if (type_class == HLO_CLASS_COMPLEX) {
    bool by_parts = opcode == HLO_OP_ADD || opcode == HLO_OP_SUBTRACT || opcode == HLO_OP_NEGATE;
    if (by_parts) return complex_by_parts(g, opcode, type, x, out);
    return hlo_value_complex_pointwise(g, opcode, type, x, out) ||
           by_loop(g, opcode, type, round, x, out);
  }
  if (opcode == HLO_OP_IS_FINITE) return is_finite(g, type, x[0], out);
  if (opcode == HLO_OP_COMPLEX) {
    *out = hlo_value_complex(type == HLO_F64 ? HLO_C128 : HLO_C64, x[0], x[1]);
    return type == HLO_F64 || type == HLO_F32;
  }
  if (type_class == HLO_CLASS_FLOAT && type != HLO_F64 &&
      hlo_vector_math(g, opcode, x[0].part[0], &out->part[0])) {
    if (round) *out = hlo_value_round_result(g, type, *out);
    return true;
  }
  operation o = {.g = g,
                 .opcode = opcode,
                 .type = type,
                 .wide = hlo_value_is_wide(type),
                 .is_signed = type_class == HLO_CLASS_SIGNED,
                 .is_float = type_class == HLO_CLASS_FLOAT};
  const rule *r = rule_of(opcode, type_class);
  if (opcode == HLO_OP_REMAINDER && o.is_float && !is_float_power(&o, x[1].part[0])) r = NULL;
  if (r == NULL && type_class == HLO_CLASS_FLOAT) {
    bool is_pair = hlo_op_get(opcode)->min_operands == 2, wide = type == HLO_F64, found = true;
    for (int32_t i = 0; i < hlo_value_parts(type) && found; i++) {
      hlo_node a = x[0].part[i], b = is_pair ? x[1].part[i] : 0;
      hlo_node *part = &out->part[i];
      found = wide ? hlo_double_math(g, opcode, a, b, part) : hlo_wide_math(g, opcode, a, b, part);
      found = found || hlo_scalar_math(g, opcode, wide, a, b, part);
    }
    if (found && round) *out = hlo_value_round_result(g, type, *out);
    if (found) return true;
  }
  if (r == NULL) return by_loop(g, opcode, type, round, x, out);
  bool is_binary = hlo_op_get(opcode)->min_operands == 2;
  for (int32_t i = 0; i < hlo_value_parts(type); i++) {
    hlo_node a = x[0].part[i], b = is_binary ? x[1].part[i] : 0;
    if (is_modular(opcode)) a = hlo_value_unwrap(g, type, a), b = hlo_value_unwrap(g, type, b);
    out->part[i] = r->function(&o, r, a, b);
  }
  if (r->wraps && (type_class & INTEGERS)) out->part[0] = hlo_value_wrap(g, type, out->part[0]);
  // Some formats of 8 bits have no -0, or no whole number above their largest one.
  bool is_exact = r->exact && (type_class != HLO_CLASS_FLOAT || hlo_type_bits(type) > 8);
  if (round && !is_exact) *out = hlo_value_round_result(g, type, *out);
  return true;
}
