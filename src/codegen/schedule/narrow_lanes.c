// Steps of 16 or 8 elements in lanes of 8 or 16 bits, for loops whose results are all that narrow.
// An instruction whose low result bits depend only on low operand bits, or whose operands provably
// fit, runs in narrow lanes; the others run in 32-bit lanes, four elements at a time, and are
// packed. See inner_loop.h.
#include "codegen/encode/inner_loop.h"
#include "codegen/schedule/lane_ranges.h"
#include "kernels/machine.h"

#include <string.h>

// Instructions on lanes of 32 bits, from which those on lanes of 16 and 8 bits are as far as one
// from the other.
enum { BITS_16 = 0x20, COMPARE_16 = 0x0a };
enum { MOST_PARTS = 4, UNSIGNED = 1 }; // parts: of a step's elements in lanes of 32 bits

typedef struct narrowing {
  hlo_maker *m;
  hlo_graph *g;
  const hlo_interval *ranges; // of the nodes that were there before
  uint32_t bits;              // of lanes
  int32_t parts;
  hlo_node *narrow; // by node; 0: not made yet
  hlo_node *wide;   // by node and part of four elements
  bool failed;
} narrowing;

static hlo_node narrow_of(narrowing *n, hlo_node number);
static hlo_node wide_of(narrowing *n, hlo_node number, int32_t part);

// --- the low bits of operands are enough ---

static hlo_node splat(narrowing *n, uint32_t value) {
  uint32_t low = value & ((1u << n->bits) - 1);
  return hlo_graph_splat32(n->g, n->bits == 8 ? low * 0x01010101u : low * 0x00010001u);
}

static uint32_t op_for(const narrowing *n, uint32_t op) {
  return op - (n->bits == 8 ? 2 * BITS_16 : BITS_16);
}

static bool are_signed(const narrowing *n, const hlo_graph_node *node) {
  return hlo_interval_is_signed(n->ranges[node->operands[0]], (int32_t)n->bits) &&
         hlo_interval_is_signed(n->ranges[node->operands[1]], (int32_t)n->bits);
}

static bool are_unsigned(const narrowing *n, const hlo_graph_node *node) {
  return hlo_interval_is_unsigned(n->ranges[node->operands[0]], (int32_t)n->bits) &&
         hlo_interval_is_unsigned(n->ranges[node->operands[1]], (int32_t)n->bits);
}

static hlo_node of_operands(narrowing *n, uint32_t op, const hlo_graph_node *node) {
  hlo_node operands[3] = {0};
  for (int o = 0; o < node->operand_count; o++) operands[o] = narrow_of(n, node->operands[o]);
  return hlo_graph_simd(n->g, op, operands[0], operands[1], operands[2]);
}

// Even bytes of products of bytes.
static hlo_node product(narrowing *n, const hlo_graph_node *node) {
  if (n->bits == 16) return of_operands(n, op_for(n, SIMD_I32X4_MUL), node);
  hlo_node low = of_operands(n, SIMD_I16X8_EXTMUL_LOW_U, node);
  hlo_node high = of_operands(n, SIMD_I16X8_EXTMUL_HIGH_U, node);
  hlo_node bytes = hlo_graph_splat32(n->g, 0x00ff00ff);
  return hlo_graph_2(n->g, SIMD_I8X16_NARROW_U, hlo_graph_2(n->g, SIMD_AND, low, bytes),
                     hlo_graph_2(n->g, SIMD_AND, high, bytes));
}

// Order is kept by low bits if all are numbers with, or all without a sign of as many. As numbers
// without one, extended numbers below 0 stand above all others, in lanes of any width.
static hlo_node ordered(narrowing *n, const hlo_graph_node *node, uint32_t op, bool by_sign) {
  if (are_signed(n, node)) return of_operands(n, op, node);
  if (are_unsigned(n, node)) return of_operands(n, by_sign ? op + UNSIGNED : op, node);
  return 0;
}

static hlo_node comparison(narrowing *n, const hlo_graph_node *node) {
  bool by_sign = node->op > SIMD_I32X4_NE && (node->op - SIMD_I32X4_LT_S) % 2 == 0;
  uint32_t op = node->op - (n->bits == 8 ? 2 * COMPARE_16 : COMPARE_16);
  return ordered(n, node, op, by_sign);
}

static hlo_node extreme(narrowing *n, const hlo_graph_node *node) {
  bool is_max = node->op == SIMD_I32X4_MAX_S || node->op == SIMD_I32X4_MAX_U,
       by_sign = node->op == SIMD_I32X4_MAX_S || node->op == SIMD_I32X4_MIN_S;
  for (int o = 0; o < 2 && by_sign; o++) { // one that is never the other's lesser
    hlo_interval a = n->ranges[node->operands[o]], b = n->ranges[node->operands[1 - o]];
    if (is_max ? hlo_interval_is_at_most(b, a) : hlo_interval_is_at_most(a, b))
      return narrow_of(n, node->operands[o]);
  }
  return ordered(n, node, op_for(n, node->op), by_sign);
}

static hlo_node selected(narrowing *n, const hlo_graph_node *node) {
  hlo_interval mask = n->ranges[node->operands[2]];
  if (hlo_interval_is_point(mask) && (mask.lower == 0 || mask.lower == -1))
    return narrow_of(n, node->operands[mask.lower == 0]);
  // One machine instruction, not three, where the mask is all or nothing.
  bool by_lanes = n->g->target.relaxed_simd && hlo_interval_contains((hlo_interval){-1, 0}, mask);
  return of_operands(n, by_lanes ? SIMD_I8X16_RELAXED_LANESELECT : SIMD_BITSELECT, node);
}

static hlo_node conjunction(narrowing *n, const hlo_graph_node *node) {
  uint32_t all = (1u << n->bits) - 1, bits;
  for (int o = 0; o < 2; o++) {
    if (hlo_graph_is_splat32(n->g, node->operands[o], &bits) && (bits & all) == all)
      return narrow_of(n, node->operands[1 - o]);
  }
  return of_operands(n, SIMD_AND, node);
}

static hlo_node of_simd(narrowing *n, const hlo_graph_node *node) {
  if (node->op >= SIMD_I32X4_EQ && node->op <= SIMD_I32X4_GE_U) return comparison(n, node);
  switch (node->op) {
  case SIMD_I32X4_ADD:
  case SIMD_I32X4_SUB:
  case SIMD_I32X4_NEG:
    return of_operands(n, op_for(n, node->op), node);
  case SIMD_I32X4_MUL:
    return product(n, node);
  case SIMD_I32X4_ABS:
    return hlo_interval_is_signed(n->ranges[node->operands[0]], (int32_t)n->bits)
               ? of_operands(n, op_for(n, node->op), node)
               : 0;
  case SIMD_AND:
    return conjunction(n, node);
  case SIMD_OR:
  case SIMD_XOR:
  case SIMD_NOT:
  case SIMD_ANDNOT:
    return of_operands(n, node->op, node);
  case SIMD_BITSELECT:
  case SIMD_I32X4_RELAXED_LANESELECT:
    return selected(n, node);
  case SIMD_I32X4_MIN_S:
  case SIMD_I32X4_MIN_U:
  case SIMD_I32X4_MAX_S:
  case SIMD_I32X4_MAX_U:
    return extreme(n, node);
  default:
    return 0;
  }
}

// Bits of bytes, or of pairs of them, are counted where they are, before they are added up.
static hlo_node population(narrowing *n, const hlo_graph_node *node) {
  const hlo_graph_node *pairs = &n->g->nodes[node->operands[0]];
  if (node->op != SIMD_I32X4_EXTADD_U || pairs->op != SIMD_I16X8_EXTADD_U) return 0;
  const hlo_graph_node *bytes = &n->g->nodes[pairs->operands[0]];
  if (bytes->op != SIMD_I8X16_POPCNT ||
      !hlo_interval_is_unsigned(n->ranges[bytes->operands[0]], (int32_t)n->bits))
    return 0;
  hlo_node counts = hlo_graph_1(n->g, SIMD_I8X16_POPCNT, narrow_of(n, bytes->operands[0]));
  return n->bits == 8 ? counts : hlo_graph_1(n->g, SIMD_I16X8_EXTADD_U, counts);
}

// --- shifts and quotients ---

static hlo_node shifted(narrowing *n, uint32_t op, hlo_node number, uint32_t by) {
  return hlo_graph_shift(n->g, op_for(n, op), narrow_of(n, number), by);
}

static hlo_node of_shift(narrowing *n, const hlo_graph_node *node) {
  hlo_node number = node->operands[0];
  const hlo_graph_node inner = n->g->nodes[number];
  uint32_t by = node->immediate[0];
  if (node->operand_count != 1) return 0;
  if (node->op == SIMD_I32X4_SHL) {
    return by < n->bits ? shifted(n, node->op, number, by) : splat(n, 0);
  }
  bool extends = node->op == SIMD_I32X4_SHR_S && inner.kind == HLO_NODE_SHIFT &&
                 inner.op == SIMD_I32X4_SHL && inner.operand_count == 1 && inner.immediate[0] == by;
  if (extends && 32 - by >= n->bits) return narrow_of(n, inner.operands[0]);
  if (extends) {
    uint32_t spare = n->bits - (32 - by);
    hlo_node raised = shifted(n, SIMD_I32X4_SHL, inner.operands[0], spare);
    return hlo_graph_shift(n->g, op_for(n, SIMD_I32X4_SHR_S), raised, spare);
  }
  hlo_interval r = n->ranges[number];
  uint32_t most = by < n->bits ? by : n->bits - 1;
  if (hlo_interval_is_unsigned(r, (int32_t)n->bits))
    return by < n->bits ? shifted(n, SIMD_I32X4_SHR_U, number, by) : splat(n, 0);
  if (node->op == SIMD_I32X4_SHR_S && hlo_interval_is_signed(r, (int32_t)n->bits))
    return shifted(n, SIMD_I32X4_SHR_S, number, most);
  return 0;
}

// A factor m and a shift k with which x m / 2^k is the quotient of all x up to `most`: m is 2^k /
// divisor rounded up, e / divisor above it; x e / divisor must stay below 2^k / divisor (Granlund
// and Montgomery, Division by invariant integers using multiplication, 1994, theorem 4.2).
static bool reciprocal_of(int64_t divisor, int64_t most, uint32_t *factor, uint32_t *shift) {
  for (uint32_t k = 16; k < 32; k++) {
    int64_t power = (int64_t)1 << k, m = power / divisor + 1;
    if (m > UINT16_MAX) return false;
    if ((m * divisor - power) * most >= power) continue;
    *factor = (uint32_t)m, *shift = k;
    return true;
  }
  return false;
}

static hlo_node quotient(narrowing *n, const hlo_graph_node *node) {
  hlo_interval r = n->ranges[node->dividend];
  uint32_t factor, shift;
  if (n->bits != 16 || node->divisor <= 0 || !hlo_interval_is_unsigned(r, 16) ||
      !reciprocal_of(node->divisor, r.upper, &factor, &shift))
    return 0;
  hlo_node x = narrow_of(n, node->dividend), by = splat(n, factor), halves[2];
  for (uint32_t i = 0; i < 2; i++) {
    hlo_node exact = hlo_graph_2(n->g, SIMD_I32X4_EXTMUL_LOW_U + i, x, by);
    halves[i] = hlo_graph_shift(n->g, SIMD_I32X4_SHR_U, exact, shift);
  }
  return hlo_graph_2(n->g, SIMD_I16X8_NARROW_U, halves[0], halves[1]);
}

// --- loads ---

static bool stays_for_row(const narrowing *n, hlo_node number) {
  return hlo_maker_is_uniform(n->m, number);
}

static hlo_node first_of_fours(narrowing *n, hlo_node lanes) {
  uint32_t bytes = n->bits / 8;
  hlo_graph_node node = {
      .kind = HLO_NODE_SHUFFLE, .op = SIMD_SHUFFLE, .operand_count = 2, .operands = {lanes, lanes}};
  for (uint32_t i = 0; i < 16; i++)
    node.immediate[i] = (uint8_t)(i / bytes / 4 * 4 * bytes + i % bytes);
  return hlo_graph_add(n->g, &node);
}

static hlo_node load(narrowing *n, hlo_node number, const hlo_graph_node *node) {
  const hlo_access *access = &n->m->e->accesses[node->index];
  int64_t factor = access->position.factors[hlo_nest_inner(&n->m->nest)];
  if (8 * access->size > n->bits || access->moved != 0) return 0;
  if (!stays_for_row(n, number) && factor != 1) return 0;
  hlo_graph_node narrow = *node;
  narrow.immediate[2] = (uint8_t)n->bits;
  hlo_node lanes = hlo_graph_add(n->g, &narrow);
  return access->repeats ? first_of_fours(n, lanes) : lanes;
}

// --- from lanes of 32 bits and back ---

// Pairs of vectors of lanes of so many bits in one of half as many.
static hlo_node packed(narrowing *n, hlo_interval r, int32_t bits, hlo_node a, hlo_node b) {
  int32_t half = bits / 2;
  uint32_t from_16 = bits == 16 ? 0 : SIMD_I16X8_NARROW_S - SIMD_I8X16_NARROW_S;
  if (hlo_interval_is_signed(r, half))
    return hlo_graph_2(n->g, SIMD_I8X16_NARROW_S + from_16, a, b);
  if (!hlo_interval_is_unsigned(r, half)) {
    hlo_node low = hlo_graph_splat32(n->g, bits == 16 ? 0x00ff00ff : 0x0000ffff);
    a = hlo_graph_2(n->g, SIMD_AND, a, low);
    b = hlo_graph_2(n->g, SIMD_AND, b, low);
  }
  return hlo_graph_2(n->g, SIMD_I8X16_NARROW_U + from_16, a, b);
}

static hlo_node packed_parts(narrowing *n, hlo_node number) {
  hlo_interval r = n->ranges[number];
  hlo_node parts[MOST_PARTS];
  for (int32_t i = 0; i < n->parts; i++) parts[i] = wide_of(n, number, i);
  if (n->bits == 16) return packed(n, r, 32, parts[0], parts[1]);
  // Bytes that are neither with nor without a sign are cut off in the second step.
  bool fits = hlo_interval_is_signed(r, 8) || hlo_interval_is_unsigned(r, 8);
  hlo_interval words = fits ? r : (hlo_interval){0, 255};
  hlo_node pairs[2];
  for (int32_t i = 0; i < 2; i++) {
    hlo_node a = parts[2 * i], b = parts[2 * i + 1];
    if (!fits) {
      hlo_node low = hlo_graph_splat32(n->g, 0xff);
      a = hlo_graph_2(n->g, SIMD_AND, a, low);
      b = hlo_graph_2(n->g, SIMD_AND, b, low);
    }
    pairs[i] = packed(n, words, 32, a, b);
  }
  return packed(n, words, 16, pairs[0], pairs[1]);
}

static hlo_node directly(narrowing *n, hlo_node number) {
  const hlo_graph_node node = n->g->nodes[number];
  hlo_interval r = n->ranges[number];
  if (hlo_interval_is_point(r)) return splat(n, (uint32_t)r.lower);
  if (node.dividend != 0) return quotient(n, &node);
  switch ((hlo_node_kind)node.kind) {
  case HLO_NODE_LOAD:
    return load(n, number, &node);
  case HLO_NODE_SIMD:
    return node.op == SIMD_I32X4_EXTADD_U ? population(n, &node) : of_simd(n, &node);
  case HLO_NODE_SHIFT:
    return of_shift(n, &node);
  default:
    return 0;
  }
}

static hlo_node narrow_of(narrowing *n, hlo_node number) {
  if (n->failed || n->g->failed) return 0;
  if (n->narrow[number] == 0) {
    hlo_node made = directly(n, number);
    if (made == 0 && !n->failed) made = packed_parts(n, number);
    n->narrow[number] = made;
    n->failed = n->failed || made == 0;
  }
  return n->narrow[number];
}

// Four elements of those in narrow lanes, extended.
static hlo_node extended(narrowing *n, hlo_node narrow, bool by_sign, int32_t part) {
  uint32_t half = by_sign ? SIMD_I16X8_EXTEND_LOW_S : SIMD_I16X8_EXTEND_LOW_U, words = BITS_16;
  if (n->bits == 8) narrow = hlo_graph_1(n->g, half + (uint32_t)part / 2, narrow);
  return hlo_graph_1(n->g, half + words + (uint32_t)part % 2, narrow);
}

// Whole numbers below 2^21 and their half are floats, and so is the reciprocal but for 2^-24 of it:
// together less than what keeps (x + 1/2) / divisor from the next whole number.
static hlo_node float_quotient(narrowing *n, const hlo_graph_node *node, int32_t part) {
  enum { MOST = 1 << 21 };
  hlo_interval r = n->ranges[node->dividend];
  if (node->divisor <= 0 || !hlo_interval_contains((hlo_interval){0, MOST}, r)) return 0;
  hlo_node x = hlo_graph_1(n->g, SIMD_F32X4_CONVERT_S, wide_of(n, node->dividend, part));
  x = hlo_graph_2(n->g, SIMD_F32X4_ADD, x, hlo_graph_f32(n->g, 0.5f));
  x = hlo_graph_2(n->g, SIMD_F32X4_MUL, x, hlo_graph_f32(n->g, 1 / (float)node->divisor));
  return hlo_graph_truncate(n->g, x);
}

// Of numbers of 16 bits.
static hlo_node extended_product(narrowing *n, const hlo_graph_node *node, int32_t part) {
  bool by_sign = are_signed(n, node);
  if (n->bits != 16 || !(by_sign || are_unsigned(n, node))) return 0;
  uint32_t low = by_sign ? SIMD_I32X4_EXTMUL_LOW_S : SIMD_I32X4_EXTMUL_LOW_U;
  return of_operands(n, low + (uint32_t)part, node);
}

static hlo_node cloned(narrowing *n, hlo_node number, int32_t part) {
  hlo_graph_node node = n->g->nodes[number];
  bool is_read = node.kind == HLO_NODE_LOAD || node.kind == HLO_NODE_INDEX;
  if (node.kind == HLO_NODE_PARAMETER || node.kind == HLO_NODE_REDUCED || node.slot > 0 ||
      (is_read && node.operand_count > 0)) {
    n->failed = true;
    return 0;
  }
  hlo_node operands[HLO_NODE_MAX_OPERANDS] = {0};
  bool is_product = node.kind == HLO_NODE_SIMD && node.op == SIMD_I32X4_MUL;
  hlo_node shorter = node.dividend != 0 ? float_quotient(n, &node, part)
                     : is_product       ? extended_product(n, &node, part)
                                        : 0;
  if (shorter != 0) return shorter;
  if (is_read) node.immediate[1] = (uint8_t)part;
  for (int o = 0; o < node.operand_count; o++) operands[o] = wide_of(n, node.operands[o], part);
  return hlo_graph_like(n->g, &node, operands);
}

static hlo_node wide_of(narrowing *n, hlo_node number, int32_t part) {
  hlo_interval r = n->ranges[number];
  hlo_node *place = &n->wide[number * MOST_PARTS + part];
  if (n->failed || n->g->failed) return 0;
  if (stays_for_row(n, number)) return number;
  if (*place != 0) return *place;
  bool by_sign = hlo_interval_is_signed(r, (int32_t)n->bits),
       fits = by_sign || hlo_interval_is_unsigned(r, (int32_t)n->bits);
  if (fits && n->narrow[number] == 0) n->narrow[number] = directly(n, number);
  hlo_node narrow = n->narrow[number];
  *place = fits && narrow != 0 ? extended(n, narrow, by_sign, part) : cloned(n, number, part);
  return *place;
}

// --- what it takes ---

static int32_t cost_of(hlo_maker *m, const hlo_loop_work *work, bool narrow) {
  bool inside = work->mask_count > 0;
  m->epoch++;
  m->cost = 0;
  for (int32_t i = 0; i < work->root_count; i++) {
    const hlo_loop_root *root = &work->roots[i];
    hlo_maker_count(m, narrow ? root->narrow[inside] : inside ? root->interior : root->node);
  }
  return m->cost;
}

static bool narrow_steps(hlo_maker *m, hlo_loop_work *work, const hlo_interval *ranges,
                         int32_t count, uint32_t bits) {
  narrowing n = {.m = m, .g = &m->e->graph, .ranges = ranges, .bits = bits};
  n.parts = bits == 8 ? 4 : 2;
  n.narrow = hlo_arena_array(m->e->arena, (size_t)count, sizeof *n.narrow);
  n.wide = hlo_arena_array(m->e->arena, MOST_PARTS * (size_t)count, sizeof *n.wide);
  if (n.narrow == NULL || n.wide == NULL) {
    m->e->out_of_memory = true;
    return false;
  }
  for (int32_t i = 0; i < work->root_count; i++) {
    hlo_loop_root *root = &work->roots[i];
    root->narrow[0] = narrow_of(&n, root->node);
    root->narrow[1] = work->mask_count > 0 ? narrow_of(&n, root->interior) : 0;
  }
  hlo_maker_analyze(m);
  return !n.failed && !n.g->failed;
}

static bool may_be_narrow(const hlo_maker *m, const hlo_loop_work *work, uint32_t bits) {
  bool may = m->nest.inner >= 128 / (int64_t)bits;
  for (int32_t i = 0; i < work->root_count; i++) {
    const hlo_loop_root *root = &work->roots[i];
    if (root->kind != HLO_ROOT_OUTPUT) return false;
    const hlo_emit_output *output = &m->e->outputs[root->target];
    const hlo_affine *position = &m->e->accesses[output->access].position;
    may = may && output->bytes * 8 <= bits && position->factors[hlo_nest_inner(&m->nest)] == 1;
  }
  return may;
}

void hlo_loop_narrow_lanes(hlo_maker *m, hlo_loop_work *work) {
  enum { DEEPEST = 200, MOST_NODES = 2000 }; // short: a loop has two copies
  int32_t count = m->e->graph.count;
  if (m->e->graph.depth > DEEPEST || count > MOST_NODES) return;
  hlo_maker_analyze(m);
  const hlo_interval *ranges = hlo_lane_ranges_compute(m, count);
  if (ranges == NULL) m->e->out_of_memory = true;
  // Instructions for 16 elements, with those that pack results of four.
  int32_t best = 4 * (cost_of(m, work, false) + work->root_count) * 15 / 16;
  hlo_node found[HLO_LOOP_MAX_ROOTS][2] = {{0}};
  for (uint32_t bits = 16; bits >= 8 && ranges != NULL; bits /= 2) {
    if (!may_be_narrow(m, work, bits) || !narrow_steps(m, work, ranges, count, bits)) continue;
    int32_t cost = cost_of(m, work, true) * (int32_t)bits / 8;
    if (cost >= best) continue;
    best = cost;
    work->lanes = 128 / (int32_t)bits;
    for (int32_t i = 0; i < work->root_count; i++)
      memcpy(found[i], work->roots[i].narrow, sizeof *found);
  }
  for (int32_t i = 0; i < work->root_count; i++)
    memcpy(work->roots[i].narrow, found[i], sizeof *found);
  if (work->lanes > 0)
    work->unroll = best <= HLO_NARROW_SHORT && m->nest.inner >= 4 * work->lanes ? 2 : 1;
}
