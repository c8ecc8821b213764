// Interval analysis of integers, from operations, sizes and types, and what follows: comparisons
// that are always or never true, extremes and remainders that change nothing, quotients that need
// no rounding down. See passes.h.
#include "hlo/rewrite.h"
#include "indexing/maps/interval.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

#include <string.h>

enum { MOST_CONSTANTS = 4096, MOST_BITS = 32 };

// An interval containing all elements of an array; empty if unknown, as for floats and 64-bit
// integers.
typedef hlo_interval range;

static const range unknown = {1, 0};

// The replacement of an instruction.
typedef struct finding {
  bool is_constant, is_operand;
  int64_t value; // the constant, or the operand's number
} finding;

typedef struct analysis {
  range *ranges; // by instruction
  finding *findings;
} analysis;

static bool is_known(range r) { return !hlo_interval_is_empty(r); }

static range of_type(hlo_type type) {
  hlo_type_class class = hlo_type_get_class(type);
  int32_t bits = hlo_type_bits(type);
  if (type == HLO_PRED) return (range){0, 1};
  if (bits > MOST_BITS) return unknown;
  if (class == HLO_CLASS_SIGNED) return hlo_interval_signed(bits);
  return class == HLO_CLASS_UNSIGNED ? hlo_interval_unsigned(bits) : unknown;
}

// A result that may wrap can be any value of its type.
static range of_result(const hlo_instruction *x, range r) {
  range all = of_type(x->shape->type);
  return hlo_interval_contains(all, r) ? r : all;
}

static range of_operand(const analysis *a, const hlo_instruction *x, int32_t k) {
  return a->ranges[x->operands[k]->id];
}

static range of_constant(const hlo_instruction *x) {
  range all = of_type(x->shape->type), r = unknown;
  const hlo_literal *literal = x->literal;
  int64_t elements = hlo_shape_elements(x->shape), size = hlo_type_bytes(x->shape->type);
  if (literal == NULL || literal->data == NULL || elements < 1 || elements > MOST_CONSTANTS ||
      hlo_shape_bytes(x->shape) != elements * size)
    return all;
  for (int64_t i = 0; i < elements; i++) {
    hlo_number n = hlo_element_get(x->shape->type, (const char *)literal->data + i * size);
    int64_t value = n.type_class == HLO_CLASS_SIGNED ? n.i : (int64_t)n.u;
    r = i == 0 ? (range){value, value} : hlo_interval_hull(r, (range){value, value});
  }
  return r;
}

static range of_product(const hlo_instruction *x, range a, range b) {
  return of_result(x, hlo_interval_multiply(a, b));
}

static range of_quotient(const hlo_instruction *x, range a, range b) {
  if (b.lower < 1) return of_type(x->shape->type);
  int64_t least = a.lower / (a.lower < 0 ? b.lower : b.upper);
  return (range){least, a.upper / (a.upper < 0 ? b.upper : b.lower)};
}

// The magnitude is at most the dividend's and less than the divisor's.
static range of_remainder(const hlo_instruction *x, range a, range b) {
  if (b.lower < 1) return of_type(x->shape->type);
  range r = {a.lower < 0 ? -(b.upper - 1) : 0, a.upper > 0 ? b.upper - 1 : 0};
  if (a.lower < 0 && r.lower < a.lower) r.lower = a.lower;
  if (a.upper > 0 && r.upper > a.upper) r.upper = a.upper;
  return r;
}

static range of_or(const hlo_instruction *x, range a, range b) {
  (void)x;
  return hlo_interval_or(a, b);
}

static range of_and(const hlo_instruction *x, range a, range b) {
  (void)x;
  return hlo_interval_and(a, b);
}

static range of_shift(const hlo_instruction *x, range a, range by) {
  int32_t bits = hlo_type_bits(x->shape->type);
  if (by.lower < 0 || by.upper >= bits) return of_type(x->shape->type);
  if (x->opcode == HLO_OP_SHIFT_LEFT)
    return hlo_interval_is_point(by) ? of_result(x, hlo_interval_scale(a, (int64_t)1 << by.lower))
                                     : of_type(x->shape->type);
  // Same sign; for unsigned numbers, the highest bit.
  bool has_sign = x->opcode == HLO_OP_SHIFT_RIGHT_LOGICAL
                      ? a.lower < 0
                      : a.lower >= 0 && a.upper >= (int64_t)1 << (bits - 1);
  if (has_sign) return of_type(x->shape->type);
  return (range){a.lower >> (a.lower < 0 ? by.lower : by.upper),
                 a.upper >> (a.upper < 0 ? by.upper : by.lower)};
}

// 1 where it is always true, 0 where it never is, else -1.
static int decided(const char *direction, range a, range b) {
  bool is_equal = hlo_interval_is_point(a) && hlo_interval_equal(a, b);
  bool is_apart = hlo_interval_is_below(a, b) || hlo_interval_is_below(b, a);
  if (strcmp(direction, "EQ") == 0) return is_equal ? 1 : is_apart ? 0 : -1;
  if (strcmp(direction, "NE") == 0) return is_equal ? 0 : is_apart ? 1 : -1;
  if (direction[0] == 'G') {
    range swapped = a;
    a = b, b = swapped;
  }
  if (direction[1] == 'E')
    return hlo_interval_is_at_most(a, b) ? 1 : hlo_interval_is_below(b, a) ? 0 : -1;
  return hlo_interval_is_below(a, b) ? 1 : hlo_interval_is_at_most(b, a) ? 0 : -1;
}

static const char *direction_of(const hlo_instruction *x) {
  const char *direction = hlo_get_text(x, HLO_ATTRIBUTE_DIRECTION);
  return direction == NULL ? "" : direction;
}

static range of_comparison(const hlo_instruction *x, range a, range b) {
  int is = decided(direction_of(x), a, b);
  return is < 0 ? (range){0, 1} : (range){is, is};
}

static range of_all_operands(const analysis *a, const hlo_instruction *x, int32_t first) {
  range r = of_operand(a, x, first);
  for (int32_t k = first; k < x->operand_count; k++) {
    if (!is_known(of_operand(a, x, k))) return unknown;
    r = hlo_interval_hull(r, of_operand(a, x, k));
  }
  return r;
}

// --- operations on two arrays ---

typedef range range_of_two(const hlo_instruction *x, range a, range b);

static range of_sum(const hlo_instruction *x, range a, range b) {
  return x->shape->type == HLO_PRED ? of_or(x, a, b) : of_result(x, hlo_interval_add(a, b));
}

static range of_difference(const hlo_instruction *x, range a, range b) {
  return of_result(x, hlo_interval_add(a, hlo_interval_negate(b)));
}

static range of_maximum(const hlo_instruction *x, range a, range b) {
  (void)x;
  return hlo_interval_maximum(a, b);
}

static range of_minimum(const hlo_instruction *x, range a, range b) {
  (void)x;
  return hlo_interval_minimum(a, b);
}

static range_of_two *const of_two[HLO_OP_COUNT] = {
    [HLO_OP_ADD] = of_sum,
    [HLO_OP_SUBTRACT] = of_difference,
    [HLO_OP_MULTIPLY] = of_product,
    [HLO_OP_DIVIDE] = of_quotient,
    [HLO_OP_REMAINDER] = of_remainder,
    [HLO_OP_MAXIMUM] = of_maximum,
    [HLO_OP_MINIMUM] = of_minimum,
    [HLO_OP_AND] = of_and,
    [HLO_OP_OR] = of_or,
    [HLO_OP_XOR] = of_or,
    [HLO_OP_SHIFT_LEFT] = of_shift,
    [HLO_OP_SHIFT_RIGHT_LOGICAL] = of_shift,
    [HLO_OP_SHIFT_RIGHT_ARITHMETIC] = of_shift,
    [HLO_OP_COMPARE] = of_comparison,
};

// --- operations on one ---

typedef range range_of_one(const hlo_instruction *x, range a);

static range of_negated(const hlo_instruction *x, range a) {
  return of_result(x, hlo_interval_negate(a));
}

static range of_magnitude(const hlo_instruction *x, range a) {
  range least = {a.lower > 0 ? a.lower : 0, a.upper > -a.lower ? a.upper : -a.lower};
  return of_result(x, least);
}

static range of_sign(const hlo_instruction *x, range a) {
  (void)x;
  return (range){a.lower > 0 ? 1 : a.lower == 0 ? 0 : -1, a.upper > 0 ? 1 : a.upper == 0 ? 0 : -1};
}

static range of_converted(const hlo_instruction *x, range a) {
  return x->shape->type == HLO_PRED ? (range){0, 1} : of_result(x, a);
}

static range_of_one *const of_one[HLO_OP_COUNT] = {
    [HLO_OP_NEGATE] = of_negated,
    [HLO_OP_ABS] = of_magnitude,
    [HLO_OP_SIGN] = of_sign,
    [HLO_OP_CONVERT] = of_converted,
};

static bool differs_from(const analysis *a, const hlo_instruction *x, hlo_opcode opcode,
                         int64_t number) {
  if (x->opcode != HLO_OP_COMPARE || strcmp(direction_of(x), "NE") != 0) return false;
  range r = of_operand(a, x, 1);
  return x->operands[0]->opcode == opcode && r.lower == number && r.upper == number;
}

// Whether x tests sign(n) != 1 and rem(n, divisor) != 0 of a non-negative n, as floor division
// does: never true, since the first holds for 0 alone, whose remainder is 0.
static bool never_holds(const analysis *a, const hlo_instruction *x) {
  for (int k = 0; k < 2 && x->opcode == HLO_OP_AND; k++) {
    const hlo_instruction *sign = x->operands[k], *rest = x->operands[1 - k];
    if (!differs_from(a, sign, HLO_OP_SIGN, 1) || !differs_from(a, rest, HLO_OP_REMAINDER, 0))
      continue;
    const hlo_instruction *number = sign->operands[0]->operands[0], *remainder = rest->operands[0];
    range r = a->ranges[number->id], divisor = of_operand(a, remainder, 1);
    if (remainder->operands[0] == number && is_known(r) && r.lower >= 0 && is_known(divisor) &&
        divisor.lower >= 1)
      return true;
  }
  return false;
}

static range of_choice(const analysis *a, const hlo_instruction *x) {
  range test = of_operand(a, x, 0);
  if (hlo_interval_is_point(test)) return of_operand(a, x, test.lower != 0 ? 1 : 2);
  return of_all_operands(a, x, 1);
}

static range of_clamped(const analysis *a, const hlo_instruction *x) {
  range raised = hlo_interval_maximum(of_operand(a, x, 0), of_operand(a, x, 1));
  return hlo_interval_minimum(raised, of_operand(a, x, 2));
}

static range of_elementwise(const analysis *a, const hlo_instruction *x) {
  range all = of_type(x->shape->type), first = of_operand(a, x, 0);
  for (int32_t k = 0; k < x->operand_count; k++)
    if (!is_known(of_operand(a, x, k))) return all;
  if (!is_known(all)) return all;
  if (never_holds(a, x)) return (range){0, 0};
  if (x->opcode == HLO_OP_SELECT) return of_choice(a, x);
  if (x->opcode == HLO_OP_CLAMP) return of_clamped(a, x);
  if (x->operand_count == 1 && of_one[x->opcode] != NULL) return of_one[x->opcode](x, first);
  if (x->operand_count != 2 || of_two[x->opcode] == NULL) return all;
  return of_two[x->opcode](x, first, of_operand(a, x, 1));
}

// Operations whose elements are elements of their operands.
static bool is_move(hlo_opcode opcode) {
  static const bool moves[HLO_OP_COUNT] = {
      [HLO_OP_BROADCAST] = true,   [HLO_OP_RESHAPE] = true, [HLO_OP_TRANSPOSE] = true,
      [HLO_OP_SLICE] = true,       [HLO_OP_REVERSE] = true, [HLO_OP_COPY] = true,
      [HLO_OP_CONCATENATE] = true, [HLO_OP_PAD] = true};
  return moves[opcode];
}

static range of_instruction(const analysis *a, const hlo_instruction *x) {
  range all = of_type(x->shape->type);
  if (!is_known(all)) return all;
  if (x->opcode == HLO_OP_CONSTANT) return of_constant(x);
  if (x->opcode == HLO_OP_IOTA)
    return of_result(
        x, (range){0, x->shape->dims[hlo_get_int(x, HLO_ATTRIBUTE_IOTA_DIMENSION, 0)] - 1});
  if (is_move(x->opcode)) return of_all_operands(a, x, 0);
  if (x->opcode == HLO_OP_DYNAMIC_SLICE || x->opcode == HLO_OP_GATHER) return of_operand(a, x, 0);
  return hlo_op_is_elementwise(x->opcode) && x->operand_count > 0 ? of_elementwise(a, x) : all;
}

// --- simplifications ---

static finding use(int32_t k) { return (finding){.is_operand = true, .value = k}; }

// The index of the operand that x always equals, by the ranges of the operands; -1: none.
typedef int32_t operand_selector(range a, range b, range c);

static int32_t select_magnitude(range a, range b, range c) {
  (void)b, (void)c;
  return a.lower >= 0 ? 0 : -1;
}

static int32_t select_maximum(range a, range b, range c) {
  (void)c;
  return hlo_interval_is_at_most(b, a) ? 0 : hlo_interval_is_at_most(a, b) ? 1 : -1;
}

static int32_t select_minimum(range a, range b, range c) {
  (void)c;
  return hlo_interval_is_at_most(a, b) ? 0 : hlo_interval_is_at_most(b, a) ? 1 : -1;
}

static int32_t select_remainder(range a, range b, range c) {
  (void)c;
  return a.lower >= 0 && hlo_interval_is_below(a, b) ? 0 : -1;
}

static int32_t select_clamped(range a, range b, range c) {
  return hlo_interval_is_at_most(a, b) && hlo_interval_is_at_most(b, c) ? 1 : -1;
}

static operand_selector *const selectors[HLO_OP_COUNT] = {
    [HLO_OP_ABS] = select_magnitude,   [HLO_OP_MAXIMUM] = select_maximum,
    [HLO_OP_MINIMUM] = select_minimum, [HLO_OP_REMAINDER] = select_remainder,
    [HLO_OP_CLAMP] = select_clamped,
};

static finding derive(const analysis *a, const hlo_instruction *x) {
  static const finding nothing;
  range r = a->ranges[x->id], operands[3] = {unknown, unknown, unknown};
  if (!hlo_op_is_elementwise(x->opcode) || x->operand_count < 1 || x->operand_count > 3)
    return nothing;
  if (hlo_interval_is_point(r)) return (finding){.is_constant = true, .value = r.lower};
  for (int32_t k = 0; k < x->operand_count; k++) operands[k] = of_operand(a, x, k);
  if (x->opcode == HLO_OP_SELECT) {
    bool is_decided = hlo_interval_is_point(operands[0]);
    return is_decided ? use(operands[0].lower != 0 ? 1 : 2) : nothing;
  }
  for (int32_t k = 0; k < x->operand_count; k++)
    if (!is_known(operands[k])) return nothing;
  operand_selector *finds = selectors[x->opcode];
  int32_t k = finds == NULL ? -1 : finds(operands[0], operands[1], operands[2]);
  return k < 0 ? nothing : use(k);
}

static hlo_status replace(void *context, hlo_instruction *x, hlo_instruction **replacement,
                          hlo_error *error) {
  const finding *f = &((const analysis *)context)->findings[x->id];
  if (f->is_operand) return hlo_simplify_use(x, x->operands[f->value], replacement, error);
  return f->is_constant ? hlo_simplify_integer(x, f->value, replacement, error) : HLO_OK;
}

static hlo_status go_through(hlo_computation *computation, hlo_arena *scratch, hlo_error *error) {
  analysis a = {0};
  bool found = false;
  size_t count = (size_t)computation->instruction_count;
  a.ranges = hlo_arena_array(scratch, count, sizeof *a.ranges);
  a.findings = hlo_arena_array(scratch, count, sizeof *a.findings);
  if (a.ranges == NULL || a.findings == NULL) return hlo_fail_out_of_memory(error);
  for (size_t i = 0; i < count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    bool is_plain = hlo_shape_is_array(x->shape) && !hlo_simplify_is_dynamic(x);
    a.ranges[i] = is_plain ? of_instruction(&a, x) : unknown;
    if (is_plain) a.findings[i] = derive(&a, x);
    found = found || a.findings[i].is_constant || a.findings[i].is_operand;
  }
  return found ? hlo_computation_rewrite(computation, replace, &a, error) : HLO_OK;
}

hlo_status hlo_pass_ranges(hlo_module *module, hlo_error *error) {
  hlo_arena scratch = {0};
  hlo_status status = HLO_OK;
  for (int32_t c = 0; c < module->computation_count && status == HLO_OK; c++)
    status = go_through(module->computations[c], &scratch, error);
  hlo_arena_free(&scratch);
  return status;
}
