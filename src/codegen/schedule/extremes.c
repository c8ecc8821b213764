// Which running values a row's maximum or minimum needs. NaN need not be tracked where all results
// are NaN anyway if the row has one: in softmax, the sum of the exponentials is. Nor does the sign
// of a zero matter where the extreme is only used in differences that are exponentiated. See
// emitter.h.
#include "codegen/lower/emitter.h"

enum {
  DEPENDS = 1,  // on the result
  NAN_HERE = 2, // NaN where the reduction's operand is
  NAN_ROW = 4,  // NaN if any of the row's operands is
};

typedef struct search {
  const hlo_emitter *e;
  const hlo_emit_reduction *reduction;
  uint8_t *facts; // by node
  bool *used;     // by node
} search;

static bool is_result(const search *s, hlo_node number) {
  const hlo_graph_node *node = &s->e->graph.nodes[number];
  return node->kind == HLO_NODE_REDUCED && &s->e->reductions[node->index] == s->reduction;
}

// --- NaNs ---

static uint8_t facts_of_value(const search *s, hlo_value value) {
  uint8_t facts = 0;
  for (int part = 0; part < HLO_VALUE_PARTS; part++) facts |= s->facts[value.part[part]];
  return facts;
}

static uint8_t facts_of_reduction(const search *s, const hlo_emit_reduction *r) {
  uint8_t facts = 0;
  if (r == s->reduction) return DEPENDS;
  for (int32_t i = 0; i < r->leaves; i++)
    facts |= facts_of_value(s, r->inputs[i]) | facts_of_value(s, r->initial[i]);
  if (r->opcode != HLO_OP_ADD || r->work[0] != HLO_F32) return facts & DEPENDS;
  return (facts & DEPENDS) | (facts & (NAN_HERE | NAN_ROW) ? NAN_ROW : 0);
}

// How many of its operands, the first ones, make the node NaN.
static int operands_that_spread(const hlo_graph_node *node) {
  static const uint16_t all[] = {SIMD_F32X4_ADD, SIMD_F32X4_SUB,          SIMD_F32X4_MUL,
                                 SIMD_F32X4_DIV, SIMD_F32X4_RELAXED_MADD, SIMD_F32X4_RELAXED_NMADD};
  if (node->kind != HLO_NODE_SIMD) return 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (node->op == all[i]) return node->operand_count;
  }
  return node->op == SIMD_F32X4_PMAX || node->op == SIMD_F32X4_PMIN ? 1 : 0;
}

static uint8_t facts_of_node(const search *s, hlo_node number) {
  const hlo_graph_node *node = &s->e->graph.nodes[number];
  int spread = operands_that_spread(node);
  uint8_t facts = number == s->reduction->inputs[0].part[0] ? NAN_HERE : 0;
  if (node->kind == HLO_NODE_REDUCED)
    return facts | facts_of_reduction(s, &s->e->reductions[node->index]);
  for (int o = 0; o < node->operand_count; o++)
    facts |= s->facts[node->operands[o]] & (o < spread ? UINT8_MAX : DEPENDS);
  return facts;
}

static bool needs_nans(const search *s) {
  const hlo_emitter *e = s->e;
  for (hlo_node i = 1; i < e->graph.count; i++) s->facts[i] = facts_of_node(s, i);
  for (int32_t i = 0; i < e->output_count; i++) {
    for (int part = 0; part < HLO_VALUE_PARTS; part++) {
      uint8_t facts = s->facts[e->outputs[i].memory.part[part]];
      if ((facts & DEPENDS) != 0 && (facts & NAN_ROW) == 0) return true;
    }
  }
  return false;
}

// --- the sign of zero ---

static bool needs_signs(const search *s) {
  hlo_emit_mark_roots(s->e, s->used);
  for (hlo_node i = s->e->graph.count - 1; i > 0; i--) {
    const hlo_graph_node *node = &s->e->graph.nodes[i];
    if (s->used[i] && is_result(s, i)) return true;
    for (int o = 0; s->used[i] && o < node->operand_count; o++) {
      bool is_exponent = node->kind == HLO_NODE_SIMD && node->index == HLO_SIMD_EXPONENT;
      if (!is_exponent || !is_result(s, node->operands[o])) s->used[node->operands[o]] = true;
    }
  }
  return false;
}

void hlo_emit_loosen_extremes(hlo_emitter *e) {
  size_t count = (size_t)e->graph.count;
  for (int32_t n = 0; n < e->reduction_count; n++) {
    hlo_emit_reduction *r = &e->reductions[n];
    if (r->runs == r->leaves || r->work[0] != HLO_F32) continue;
    search s = {.e = e, .reduction = r};
    s.facts = hlo_arena_array(e->arena, count, sizeof *s.facts);
    s.used = hlo_arena_array(e->arena, count, sizeof *s.used);
    if (s.facts == NULL || s.used == NULL) {
      e->out_of_memory = true;
      return;
    }
    if (!needs_nans(&s)) r->next[1] = r->running[1];
    if (!needs_signs(&s)) r->next[2] = r->running[2];
  }
}
