// Division, shifts and counts of bits of integers in vectors. See pointwise_rule.h.
#include "codegen/graph/pointwise_rule.h"

// The instruction for each 64-bit lane by itself, where vectors have none.
static hlo_node by_lane(const operation *o, uint32_t op, hlo_node a, hlo_node b) {
  return hlo_graph_by_lane(o->g, op, SIMD_I64X2_EXTRACT, SIMD_I64X2_REPLACE, 2, a, b);
}

// --- quotients ---

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

// The upper halves of products of unsigned 64-bit lanes with a constant: schoolbook multiplication
// of their words.
static hlo_node upper_product(hlo_graph *g, hlo_node a, uint64_t factor) {
  hlo_node by[2] = {hlo_graph_splat32(g, (uint32_t)factor),
                    hlo_graph_splat32(g, (uint32_t)(factor >> 32))};
  hlo_node word[2] = {hlo_graph_lanes32(g, a, a, 0, 2, 0, 2),
                      hlo_graph_lanes32(g, a, a, 1, 3, 1, 3)};
  hlo_node product[2][2]; // of word i and word k of the factor
  for (int i = 0; i < 2; i++) {
    for (int k = 0; k < 2; k++)
      product[i][k] = hlo_graph_2(g, SIMD_I64X2_EXTMUL_LOW_U, word[i], by[k]);
  }
  hlo_node low = hlo_graph_splat64(g, UINT32_MAX);
  hlo_node middle = hlo_graph_shift(g, SIMD_I64X2_SHR_U, product[0][0], 32);
  middle = hlo_graph_2(g, SIMD_I64X2_ADD, middle, product[1][0]);
  hlo_node other = hlo_graph_2(g, SIMD_AND, middle, low);
  other = hlo_graph_2(g, SIMD_I64X2_ADD, other, product[0][1]);
  hlo_node upper = hlo_graph_shift(g, SIMD_I64X2_SHR_U, middle, 32);
  upper = hlo_graph_2(g, SIMD_I64X2_ADD, upper, hlo_graph_shift(g, SIMD_I64X2_SHR_U, other, 32));
  return hlo_graph_2(g, SIMD_I64X2_ADD, upper, product[1][1]);
}

// floor(2^64 rest / divisor) + 1, of a lesser rest: by long division.
static uint64_t reciprocal_of(uint64_t divisor, uint64_t rest) {
  uint64_t quotient = 0;
  for (int bit = 0; bit < 64; bit++) {
    bool carries = rest >> 63 != 0;
    rest <<= 1;
    quotient <<= 1;
    if (carries || rest >= divisor) rest -= divisor, quotient |= 1;
  }
  return quotient + 1;
}

// Of 64 bits by a constant d, 2^k <= d < 2^(k + 1): the upper half of the product with 2^(64 + k) /
// d rounded up, which for magnitudes up to 2^63 has 64 bits, shifted by k. Greater numbers need one
// bit more, whose product is added. Granlund and Montgomery, Division by invariant integers using
// multiplication, 1994.
static hlo_node long_quotient(const operation *o, hlo_node a, int64_t divisor) {
  hlo_graph *g = o->g;
  bool is_negative = o->is_signed && divisor < 0;
  uint64_t by = is_negative ? -(uint64_t)divisor : (uint64_t)divisor;
  uint32_t k = 63 - (uint32_t)__builtin_clzll(by);
  uint64_t power = (uint64_t)1 << k;
  if (!o->is_signed) {
    hlo_node upper = upper_product(g, a, reciprocal_of(by, power + power - by));
    hlo_node rest = hlo_graph_2(g, SIMD_I64X2_SUB, a, upper);
    rest = hlo_graph_shift(g, SIMD_I64X2_SHR_U, rest, 1);
    return hlo_graph_shift(g, SIMD_I64X2_SHR_U, hlo_graph_2(g, SIMD_I64X2_ADD, rest, upper), k);
  }
  hlo_node quotient = hlo_graph_1(g, SIMD_I64X2_ABS, a);
  if (by != power) quotient = upper_product(g, quotient, reciprocal_of(by, power));
  quotient = hlo_graph_shift(g, SIMD_I64X2_SHR_U, quotient, k);
  hlo_node sign = hlo_graph_shift(g, SIMD_I64X2_SHR_S, a, 63);
  if (is_negative) sign = hlo_graph_1(g, SIMD_NOT, sign);
  return hlo_graph_2(g, SIMD_I64X2_SUB, hlo_graph_2(g, SIMD_XOR, quotient, sign), sign);
}

static hlo_node quotient_of(const operation *o, hlo_node a, hlo_node b) {
  uint32_t op = o->is_signed ? WASM_I64_DIV_S : WASM_I64_DIV_U, divisor;
  uint64_t bits;
  if (o->wide && hlo_graph_is_splat64(o->g, b, &bits) && bits > 1)
    return long_quotient(o, a, (int64_t)bits);
  if (o->wide) return by_lane(o, op, a, b);
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
hlo_node hlo_divide_integers(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  int64_t by;
  uint32_t k;
  (void)r;
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

// The dividend if the divisor is zero, 0 if the quotient overflows: all wraps.
hlo_node hlo_remainder_of_integers(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  uint32_t k;
  hlo_node quotient = hlo_divide_integers(o, r, a, b);
  hlo_node whole =
      is_power(o, b, &k)
          ? hlo_graph_shift(o->g, o->wide ? SIMD_I64X2_SHL : SIMD_I32X4_SHL, quotient, k)
          : op2(o, SIMD_I32X4_MUL, SIMD_I64X2_MUL, quotient, b);
  return op2(o, SIMD_I32X4_SUB, SIMD_I64X2_SUB, a, whole);
}

// --- shifts and counts of bits ---

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

// 2^count in 32-bit lanes, of counts below 128; 0 from 32 on. A byte is 2^(count - 8 i) of the
// table, or 0 past it.
static hlo_node power_of_2(hlo_graph *g, hlo_node count) {
  static const uint8_t lowest[16] = {0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12},
                       table[16] = {1, 2, 4, 8, 16, 32, 64, 128};
  hlo_node byte = hlo_graph_lookup(g, count, hlo_graph_bytes(g, lowest));
  byte = hlo_graph_2(g, SIMD_I8X16_SUB, byte, hlo_graph_splat32(g, 0x18100800));
  byte = hlo_graph_2(g, SIMD_I8X16_MIN_U, byte, hlo_graph_splat32(g, 0x0f0f0f0f));
  return hlo_graph_lookup(g, hlo_graph_bytes(g, table), byte);
}

// The upper halves of products of 32-bit lanes.
static hlo_node upper_words(hlo_graph *g, hlo_node a, hlo_node b) {
  return hlo_graph_lanes32(g, hlo_graph_2(g, SIMD_I64X2_EXTMUL_LOW_U, a, b),
                           hlo_graph_2(g, SIMD_I64X2_EXTMUL_HIGH_U, a, b), 1, 3, 5, 7);
}

// Lanes of up to 32 bits by counts up to that, which differ: as products with powers of 2, since
// vectors shift all lanes alike. To the right below 32 bits they are those with 2^(bits - count)
// shifted by all bits.
static hlo_node shift_by_product(const operation *o, uint32_t vector, hlo_node a, hlo_node count) {
  hlo_graph *g = o->g;
  uint32_t bits = (uint32_t)hlo_type_bits(o->type);
  if (vector == SIMD_I32X4_SHL) return hlo_graph_2(g, SIMD_I32X4_MUL, a, power_of_2(g, count));
  hlo_node rest = hlo_graph_2(g, SIMD_I32X4_SUB, splat(o, bits), count);
  hlo_node power = power_of_2(g, rest);
  if (bits < 32) return hlo_graph_shift(g, vector, hlo_graph_2(g, SIMD_I32X4_MUL, a, power), bits);
  // What is below 0 has its complement shifted. By 0 there is no product.
  hlo_node sign = hlo_graph_shift(g, SIMD_I32X4_SHR_S, a, 31), x = a;
  if (vector == SIMD_I32X4_SHR_S) x = hlo_graph_2(g, SIMD_XOR, a, sign);
  x = hlo_graph_2(g, SIMD_OR, upper_words(g, x, power),
                  hlo_graph_2(g, SIMD_AND, x, is_equal(o, count, splat(o, 0))));
  return vector == SIMD_I32X4_SHR_S ? hlo_graph_2(g, SIMD_XOR, x, sign) : x;
}

// Counts from `most` on, as unsigned numbers, are that.
static hlo_node bounded(const operation *o, hlo_node count, uint64_t most) {
  operation plain = *o;
  plain.is_signed = false;
  if (!o->wide) return hlo_graph_2(o->g, SIMD_I32X4_MIN_U, count, splat(o, most));
  return select_by(o, is_above(&plain, count, splat(o, most)), splat(o, most), count);
}

// From the width on nothing is left.
static hlo_node shift(const operation *o, uint32_t vector, uint32_t wide, hlo_node a,
                      hlo_node count) {
  uint64_t value, bits = (uint64_t)hlo_type_bits(o->type);
  if (is_uniform(o, count, &value)) {
    return value < bits ? hlo_graph_shift(o->g, vector, a, (uint32_t)value) : splat(o, 0);
  }
  bool is_alike = hlo_graph_is_alike(o->g, count);
  if (!o->wide && !is_alike) return shift_by_product(o, vector, a, bounded(o, count, bits));
  operation plain = *o;
  plain.is_signed = false;
  hlo_node fits = is_above(&plain, splat(o, bits), count);
  hlo_node shifted =
      is_alike ? hlo_graph_shift_by(o->g, vector, a, count) : by_lane(o, wide, a, count);
  return hlo_graph_2(o->g, SIMD_AND, fits, shifted);
}

hlo_node hlo_shift_left(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r;
  return shift(o, o->wide ? SIMD_I64X2_SHL : SIMD_I32X4_SHL, WASM_I64_SHL, a, b);
}

hlo_node hlo_shift_right_logical(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r;
  return shift(o, o->wide ? SIMD_I64X2_SHR_U : SIMD_I32X4_SHR_U, WASM_I64_SHR_U, pattern(o, a), b);
}

// From the width on the sign is left.
hlo_node hlo_shift_right_arithmetic(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r;
  uint64_t value, last = (uint64_t)hlo_type_bits(o->type) - 1;
  uint32_t vector = o->wide ? SIMD_I64X2_SHR_S : SIMD_I32X4_SHR_S;
  a = sign_extended(o, a);
  if (is_uniform(o, b, &value))
    return hlo_graph_shift(o->g, vector, a, (uint32_t)(value < last ? value : last));
  hlo_node count = bounded(o, b, last);
  if (hlo_graph_is_alike(o->g, count)) return hlo_graph_shift_by(o->g, vector, a, count);
  return o->wide ? by_lane(o, WASM_I64_SHR_S, a, count) : shift_by_product(o, vector, a, count);
}

hlo_node hlo_count_ones(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  (void)r, (void)b;
  hlo_graph *g = o->g;
  hlo_node bytes = hlo_graph_1(g, SIMD_I8X16_POPCNT, pattern(o, a));
  hlo_node words = hlo_graph_1(g, SIMD_I32X4_EXTADD_U, hlo_graph_1(g, SIMD_I16X8_EXTADD_U, bytes));
  if (!o->wide) return words;
  hlo_node low = hlo_graph_2(g, SIMD_AND, words, splat(o, UINT32_MAX));
  return hlo_graph_2(g, SIMD_I64X2_ADD, low, hlo_graph_shift(g, SIMD_I64X2_SHR_U, words, 32));
}

// By the exponent of a float. A number without the bit after each one is not rounded up to the next
// power of 2; halved, it is no negative one.
hlo_node hlo_count_leading_zeros(const operation *o, const rule *r, hlo_node a, hlo_node b) {
  enum { BIAS = 127 };
  (void)r, (void)b;
  if (o->wide) return by_lane(o, WASM_I64_CLZ, a, 0);
  hlo_graph *g = o->g;
  uint32_t bits = (uint32_t)hlo_type_bits(o->type);
  hlo_node x = pattern(o, a), half = hlo_graph_shift(g, SIMD_I32X4_SHR_U, x, 1);
  hlo_node top = hlo_graph_2(g, SIMD_ANDNOT, half, hlo_graph_shift(g, SIMD_I32X4_SHR_U, x, 2));
  hlo_node exponent =
      hlo_graph_shift(g, SIMD_I32X4_SHR_U, hlo_graph_1(g, SIMD_F32X4_CONVERT_S, top), 23);
  hlo_node count = hlo_graph_2(g, SIMD_I32X4_SUB, splat(o, BIAS + bits - 2), exponent);
  // Of 0 and 1, whose halves are 0.
  hlo_node most = hlo_graph_2(g, SIMD_I32X4_SUB, splat(o, bits),
                              hlo_graph_2(g, SIMD_I32X4_MIN_U, x, splat(o, 1)));
  return hlo_graph_2(g, SIMD_I32X4_MIN_S, count, most);
}
