// The POINTWISE rows of ops.def on values: what kernels/elementwise/pointwise_expressions.h says of
// elements, said of vectors. See value.h.
#include "base/bits.h"
#include "codegen/graph/pointwise_rule.h"
#include "codegen/graph/value.h"
#include "codegen/graph/vector_math.h"
#include "kernels/elementwise/pointwise.h"

#include <string.h>

static hlo_node simple(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  uint32_t op = o->is_float ? (o->wide ? r->f64 : r->f32) : o->wide ? r->i64 : r->i32;
  return hlo_graph_simd(o->g, op, a, b, 0);
}

static hlo_node splat_float(const operation *o, double value) {
  return o->wide ? hlo_graph_f64(o->g, value) : hlo_graph_f32(o->g, (float)value);
}

// --- extremes and sums ---

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

// --- floats ---

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

static hlo_node divide_floats(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  double known;
  float high, low;
  bool by_product =
      o->g->nodes[a].is_byte && is_known(o, b, &known) && divides_bytes((float)known, &high, &low);
  if (!by_product) return simple(o, r, a, b);
  hlo_node rest = hlo_graph_2(o->g, SIMD_F32X4_MUL, a, hlo_graph_f32(o->g, low));
  return hlo_graph_add_product(o->g, a, hlo_graph_f32(o->g, high), rest);
}

// 1, 2, 4, …: what is left of a division by it is exact at each step.
static bool is_float_power(const operation *o, hlo_node node) {
  double value;
  return is_known(o, node, &value) && value >= 1 && value < 0x1p60 &&
         value == (double)((uint64_t)1 << (63 - __builtin_clzll((uint64_t)value)));
}

static hlo_node remainder_by_power(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r;
  double value = 1;
  hlo_node sign = splat(o, o->wide ? UINT64_C(1) << 63 : UINT64_C(1) << 31);
  is_known(o, b, &value);
  hlo_node quotient = op2(o, SIMD_F32X4_MUL, SIMD_F64X2_MUL, a, splat_float(o, 1 / value));
  hlo_node whole = hlo_graph_1(o->g, o->wide ? SIMD_F64X2_TRUNC : SIMD_F32X4_TRUNC, quotient);
  hlo_node rest =
      op2(o, SIMD_F32X4_SUB, SIMD_F64X2_SUB, a, op2(o, SIMD_F32X4_MUL, SIMD_F64X2_MUL, whole, b));
  return hlo_graph_2(o->g, SIMD_OR, rest, hlo_graph_2(o->g, SIMD_AND, a, sign)); // -0
}

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
    {HLO_OP_DIVIDE, INTEGERS, 0, 0, 0, 0, hlo_divide_integers, false, true},
    {HLO_OP_DIVIDE, HLO_CLASS_FLOAT, 0, 0, SIMD_F32X4_DIV, SIMD_F64X2_DIV, divide_floats, false,
     false},
    {HLO_OP_REMAINDER, INTEGERS, 0, 0, 0, 0, hlo_remainder_of_integers, false, true},
    {HLO_OP_REMAINDER, HLO_CLASS_FLOAT, 0, 0, 0, 0, remainder_by_power, false, false},
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
    {HLO_OP_SHIFT_LEFT, INTEGERS, 0, 0, 0, 0, hlo_shift_left, true, true},
    {HLO_OP_SHIFT_RIGHT_LOGICAL, INTEGERS, 0, 0, 0, 0, hlo_shift_right_logical, true, true},
    {HLO_OP_SHIFT_RIGHT_ARITHMETIC, INTEGERS, 0, 0, 0, 0, hlo_shift_right_arithmetic, true, true},
    {HLO_OP_POPULATION_COUNT, INTEGERS, 0, 0, 0, 0, hlo_count_ones, true, true},
    {HLO_OP_COUNT_LEADING_ZEROS, INTEGERS, 0, 0, 0, 0, hlo_count_leading_zeros, true, true},
    {HLO_OP_SQRT, HLO_CLASS_FLOAT, 0, 0, SIMD_F32X4_SQRT, SIMD_F64X2_SQRT, simple, false, false},
    {HLO_OP_CEIL, HLO_CLASS_FLOAT, 0, 0, SIMD_F32X4_CEIL, SIMD_F64X2_CEIL, simple, true, false},
    {HLO_OP_FLOOR, HLO_CLASS_FLOAT, 0, 0, SIMD_F32X4_FLOOR, SIMD_F64X2_FLOOR, simple, true, false},
    {HLO_OP_ROUND_NEAREST_EVEN, HLO_CLASS_FLOAT, 0, 0, SIMD_F32X4_NEAREST, SIMD_F64X2_NEAREST,
     simple, true, false},
    {HLO_OP_ROUND_NEAREST_AFZ, HLO_CLASS_FLOAT, 0, 0, 0, 0, round_away, true, false},
    {HLO_OP_REAL, HLO_CLASS_FLOAT, 0, 0, 0, 0, real_part, true, false},
    {HLO_OP_IMAG, HLO_CLASS_FLOAT, 0, 0, 0, 0, imaginary_part, true, false},
};

// As math/elementary/simple_power.h: powers of a known exponent that are roots, quotients or
// products.
static hlo_node power_in_lanes(const operation *o, hlo_node x, double y) {
  hlo_node infinity = splat_float(o, __builtin_inf()), one = splat_float(o, 1);
  if (y == -1) return op2(o, SIMD_F32X4_DIV, SIMD_F64X2_DIV, one, x);
  hlo_node square = op2(o, SIMD_F32X4_MUL, SIMD_F64X2_MUL, x, x);
  if (y == 2) return square;
  if (y == 3) return op2(o, SIMD_F32X4_MUL, SIMD_F64X2_MUL, square, x);
  hlo_node is_least = op2(o, SIMD_F32X4_EQ, SIMD_F64X2_EQ, x, splat_float(o, -__builtin_inf()));
  hlo_node base = op2(o, SIMD_F32X4_ADD, SIMD_F64X2_ADD, x, splat(o, 0)); // -0 becomes +0
  base = select_by(o, is_least, infinity, base);
  hlo_node root = hlo_graph_1(o->g, o->wide ? SIMD_F64X2_SQRT : SIMD_F32X4_SQRT, base);
  if (y == 1.5) return op2(o, SIMD_F32X4_MUL, SIMD_F64X2_MUL, base, root);
  return y == 0.5 ? root : op2(o, SIMD_F32X4_DIV, SIMD_F64X2_DIV, one, root);
}

static bool simple_power(const operation *o, hlo_value x, hlo_node exponent, hlo_value *out) {
  double y;
  if (!is_known(o, exponent, &y)) return false;
  bool once = y == 0.5 || y == -1 || y == 2; // rounded
  if (!once && (o->wide || (y != -0.5 && y != 1.5 && y != 3))) return false;
  operation by_double = *o;
  by_double.wide = true;
  if (!once) hlo_value_convert(o->g, HLO_F64, HLO_F32, x, &x);
  for (int32_t i = 0; i < (once && !o->wide ? 1 : 2); i++)
    out->part[i] = power_in_lanes(once ? o : &by_double, x.part[i], y);
  if (!once) hlo_value_convert(o->g, HLO_F32, HLO_F64, *out, out);
  return true;
}

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
  if (type == HLO_PRED) return false;
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
    if (rules[i].opcode == opcode && (rules[i].classes & (int32_t)type_class)) return &rules[i];
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
  if (opcode == HLO_OP_NEXT_AFTER) {
    *out = hlo_value_next_after(g, type, x[0], x[1]);
    return true;
  }
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
  if (opcode == HLO_OP_POWER && o.is_float && simple_power(&o, x[0], x[1].part[0], out)) {
    if (round) *out = hlo_value_round_result(g, type, *out);
    return true;
  }
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
