// Interval arithmetic on the nodes of a graph. See lane_ranges.h.
#include "codegen/schedule/lane_ranges.h"

typedef hlo_interval range;

static const range all = {INT32_MIN, INT32_MAX}, mask = {-1, 0};

// What may wrap can be any number.
static range checked(range r) { return hlo_interval_is_signed(r, 32) ? r : all; }

static bool is_remainder(const hlo_graph *g, const hlo_graph_node *node, int64_t *divisor) {
  const hlo_graph_node *whole = &g->nodes[node->operands[1]];
  uint32_t by;
  if (whole->kind != HLO_NODE_SIMD || whole->op != SIMD_I32X4_MUL) return false;
  const hlo_graph_node *quotient = &g->nodes[whole->operands[0]];
  *divisor = quotient->divisor;
  return quotient->dividend == node->operands[0] && quotient->dividend != 0 && *divisor > 0 &&
         hlo_graph_is_splat32(g, whole->operands[1], &by) && (int32_t)by == quotient->divisor;
}

// Floats that two constants bound from both sides, whatever stands between them.
static range of_truncated(const hlo_graph *g, const hlo_graph_node *node) {
  const hlo_graph_node *low = &g->nodes[node->operands[0]];
  uint32_t bits[2];
  if (low->kind != HLO_NODE_SIMD || low->op != SIMD_F32X4_PMIN) return all;
  const hlo_graph_node *high = &g->nodes[low->operands[0]];
  if (high->kind != HLO_NODE_SIMD || high->op != SIMD_F32X4_PMAX ||
      !hlo_graph_is_splat32(g, high->operands[0], &bits[0]) ||
      !hlo_graph_is_splat32(g, low->operands[1], &bits[1]))
    return all;
  float least, most;
  __builtin_memcpy(&least, &bits[0], sizeof least);
  __builtin_memcpy(&most, &bits[1], sizeof most);
  bool holds = least >= -0x1p30f && most <= 0x1p30f && least <= most;
  return holds ? (range){(int64_t)least, (int64_t)most} : all;
}

static range of_extreme(uint32_t op, range a, range b) {
  bool is_unsigned = op == SIMD_I32X4_MIN_U || op == SIMD_I32X4_MAX_U;
  bool is_max = op == SIMD_I32X4_MAX_S || op == SIMD_I32X4_MAX_U;
  if (is_unsigned && (a.lower < 0 || b.lower < 0)) return all;
  return is_max ? hlo_interval_maximum(a, b) : hlo_interval_minimum(a, b);
}

// All bits where it always holds, none where it never does.
static range of_comparison(uint32_t op, range a, range b) {
  bool is_unsigned = op > SIMD_I32X4_NE && (op - SIMD_I32X4_LT_S) % 2 == 1;
  if (is_unsigned && (a.lower < 0 || b.lower < 0)) return mask;
  bool always = false, never = false, below = hlo_interval_is_below(a, b),
       above = hlo_interval_is_below(b, a);
  switch (is_unsigned ? op - 1 : op) {
  case SIMD_I32X4_EQ:
    never = below || above;
    break;
  case SIMD_I32X4_NE:
    always = below || above;
    break;
  case SIMD_I32X4_LT_S:
    always = below, never = hlo_interval_is_at_most(b, a);
    break;
  case SIMD_I32X4_GT_S:
    always = above, never = hlo_interval_is_at_most(a, b);
    break;
  case SIMD_I32X4_LE_S:
    always = hlo_interval_is_at_most(a, b), never = above;
    break;
  default:
    always = hlo_interval_is_at_most(b, a), never = below;
  }
  return always ? (range){-1, -1} : never ? (range){0, 0} : mask;
}

static bool is_op(const hlo_graph *g, hlo_node number, uint32_t op) {
  const hlo_graph_node *node = &g->nodes[number];
  return node->kind == HLO_NODE_SIMD && node->op == op;
}

// Whether one of them is the other one's complement: all - weight.
static bool are_complements(const hlo_graph *g, hlo_node weight, hlo_node rest, const range *ranges,
                            int64_t *all_of_it) {
  uint32_t bits;
  if (!is_op(g, rest, SIMD_I32X4_SUB) || g->nodes[rest].operands[1] != weight ||
      !hlo_graph_is_splat32(g, g->nodes[rest].operands[0], &bits))
    return false;
  *all_of_it = (int32_t)bits;
  return hlo_interval_contains((range){0, *all_of_it}, ranges[weight]);
}

// A mean with weights, as of two pixels: x weight + y (all - weight) is between all x and all y.
static bool is_weighted(const hlo_graph *g, const hlo_graph_node *sum, const range *ranges,
                        range *out) {
  int64_t weights = 0;
  if (!is_op(g, sum->operands[0], SIMD_I32X4_MUL) || !is_op(g, sum->operands[1], SIMD_I32X4_MUL))
    return false;
  for (int k = 0; k < 4; k++) {
    const hlo_node *a = g->nodes[sum->operands[0]].operands + k % 2,
                   *b = g->nodes[sum->operands[1]].operands + k / 2;
    range x = ranges[g->nodes[sum->operands[0]].operands[1 - k % 2]],
          y = ranges[g->nodes[sum->operands[1]].operands[1 - k / 2]];
    if (x.lower < 0 || y.lower < 0 ||
        !(are_complements(g, *a, *b, ranges, &weights) ||
          are_complements(g, *b, *a, ranges, &weights)))
      continue;
    *out = checked(hlo_interval_scale(hlo_interval_hull(x, y), weights));
    return true;
  }
  return false;
}

static range of_simd(const hlo_graph *g, const hlo_graph_node *node, const range *ranges) {
  range a = ranges[node->operands[0]],
        b = node->operand_count > 1 ? ranges[node->operands[1]] : all;
  int64_t divisor;
  range weighted;
  if (node->op >= SIMD_I32X4_EQ && node->op <= SIMD_I32X4_GE_U)
    return of_comparison(node->op, a, b);
  if (node->op >= SIMD_F32X4_EQ && node->op <= SIMD_F32X4_GE) return mask;
  switch (node->op) {
  case SIMD_I32X4_ADD:
    if (is_weighted(g, node, ranges, &weighted)) return weighted;
    return checked(hlo_interval_add(a, b));
  case SIMD_I32X4_SUB:
    if (a.lower >= 0 && is_remainder(g, node, &divisor)) return (range){0, divisor - 1};
    return checked(hlo_interval_add(a, hlo_interval_negate(b)));
  case SIMD_I32X4_MUL:
    return checked(hlo_interval_multiply(a, b));
  case SIMD_I32X4_NEG:
    return checked(hlo_interval_negate(a));
  case SIMD_I32X4_ABS:
    return a.lower >= 0 ? a : checked((range){0, -a.lower > a.upper ? -a.lower : a.upper});
  case SIMD_NOT:
    return (range){-1 - a.upper, -1 - a.lower};
  case SIMD_AND:
    return hlo_interval_and(a, b);
  case SIMD_ANDNOT:
    return hlo_interval_and(a, (range){-1 - b.upper, -1 - b.lower});
  case SIMD_OR:
  case SIMD_XOR:
    return hlo_interval_or(a, b);
  case SIMD_BITSELECT:
  case SIMD_I32X4_RELAXED_LANESELECT:
    return hlo_interval_contains(mask, ranges[node->operands[2]]) ? hlo_interval_hull(a, b)
                                                                  : hlo_interval_or(a, b);
  case SIMD_I32X4_MIN_S:
  case SIMD_I32X4_MIN_U:
  case SIMD_I32X4_MAX_S:
  case SIMD_I32X4_MAX_U:
    return of_extreme(node->op, a, b);
  case SIMD_I32X4_TRUNC_F32_S:
  case SIMD_I32X4_RELAXED_TRUNC_S:
    return of_truncated(g, node);
  case SIMD_I32X4_EXTADD_U: // of counts of bits in bytes
    return (range){0, 32};
  default:
    return all;
  }
}

static range of_shift(const hlo_graph_node *node, range a) {
  uint32_t bits = node->immediate[0];
  if (node->operand_count != 1) return all;
  switch (node->op) {
  case SIMD_I32X4_SHL:
    return checked(hlo_interval_scale(a, (int64_t)1 << bits));
  case SIMD_I32X4_SHR_S:
    return (range){a.lower >> bits, a.upper >> bits};
  case SIMD_I32X4_SHR_U:
    return a.lower >= 0 ? (range){a.lower >> bits, a.upper >> bits}
                        : checked((range){0, (int64_t)UINT32_MAX >> bits});
  default:
    return all;
  }
}

static range of_index(const hlo_maker *m, const hlo_affine *position) {
  range r = {position->offset, position->offset};
  for (int32_t l = 0; l <= hlo_nest_inner(&m->nest); l++) {
    int64_t way = position->factors[l] * (m->nest.sizes[l] - 1);
    *(way < 0 ? &r.lower : &r.upper) += way;
  }
  return checked(r);
}

static range of_load(const hlo_access *access, bool extends_sign) {
  int32_t bits = 8 * (int32_t)access->size;
  if (access->size > 2) return all;
  return extends_sign ? hlo_interval_signed(bits) : hlo_interval_unsigned(bits);
}

static range of_node(const hlo_maker *m, const hlo_graph_node *node, const range *ranges) {
  const hlo_graph *g = &m->e->graph;
  uint32_t bits = 0;
  switch ((hlo_node_kind)node->kind) {
  case HLO_NODE_CONSTANT:
    if (!hlo_graph_is_splat32(g, (hlo_node)(node - g->nodes), &bits)) return all;
    return (range){(int32_t)bits, (int32_t)bits};
  case HLO_NODE_LOAD:
    return of_load(&m->e->accesses[node->index], node->immediate[0] != 0);
  case HLO_NODE_INDEX:
    return of_index(m, &m->e->accesses[node->index].position);
  case HLO_NODE_SIMD:
    return of_simd(g, node, ranges);
  case HLO_NODE_SHIFT:
    return of_shift(node, ranges[node->operands[0]]);
  default:
    return all;
  }
}

hlo_interval *hlo_lane_ranges_compute(hlo_maker *m, int32_t count) {
  const hlo_graph *g = &m->e->graph;
  range *ranges = hlo_arena_array(m->e->arena, (size_t)count, sizeof *ranges);
  if (ranges == NULL) return NULL;
  for (hlo_node i = 1; i < count; i++) {
    const hlo_graph_node *node = &g->nodes[i];
    range r = of_node(m, node, ranges);
    bool divides = node->dividend != 0 && node->divisor > 0;
    if (divides && ranges[node->dividend].lower >= 0)
      r = hlo_interval_floordiv(ranges[node->dividend], node->divisor);
    ranges[i] = r;
  }
  return ranges;
}
