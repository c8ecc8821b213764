// Relaxed multiply-adds, which hosts round once or twice, where only sums see them: the order of a
// sum is free, so its last bits are not promised. A sum of products takes one instruction per
// element, and an exponential used only in sums and in quotients by sums a third fewer. Results
// that are visible by themselves have the same bits on every host. See emitter.h.
#include "codegen/lower/emitter.h"

static bool is_op(const hlo_graph_node *node, uint32_t op) {
  return node->kind == HLO_NODE_SIMD && node->op == op;
}

// Makes one instruction of a sum if an operand is a product.
static void contract(hlo_graph *g, hlo_node number) {
  hlo_graph_node *sum = &g->nodes[number];
  for (int o = 0; o < 2 && is_op(sum, SIMD_F32X4_ADD); o++) {
    const hlo_graph_node *product = &g->nodes[sum->operands[o]];
    if (!is_op(product, SIMD_F32X4_MUL)) continue;
    hlo_node other = sum->operands[1 - o];
    sum->op = SIMD_F32X4_RELAXED_MADD;
    sum->operand_count = 3;
    sum->operands[0] = product->operands[0];
    sum->operands[1] = product->operands[1];
    sum->operands[2] = other;
  }
}

static bool is_sum(const hlo_emit_reduction *r) {
  return r->opcode == HLO_OP_ADD && r->runs == 1 && r->types[0] == HLO_F32 && r->work[0] == HLO_F32;
}

// --- who sees an exponential ---

typedef struct search {
  const hlo_emitter *e;
  bool *roots;  // by node: as hlo_emit_mark_roots has it
  bool *used;   // by node: there is code for it
  bool *inside; // by node: the exponential, or what it is made of after its exponent
  bool *leads;  // by node: to the exponential
} search;

static bool start(search *s, hlo_emitter *e) {
  size_t count = (size_t)e->graph.count;
  *s = (search){.e = e};
  s->roots = hlo_arena_array(e->arena, count, sizeof *s->roots);
  s->used = hlo_arena_array(e->arena, count, sizeof *s->used);
  s->inside = hlo_arena_array(e->arena, count, sizeof *s->inside);
  s->leads = hlo_arena_array(e->arena, count, sizeof *s->leads);
  if (s->roots == NULL || s->used == NULL || s->inside == NULL || s->leads == NULL) return false;
  hlo_emit_mark_roots(e, s->roots);
  for (hlo_node i = e->graph.count - 1; i > 0; i--) {
    const hlo_graph_node *node = &e->graph.nodes[i];
    s->used[i] = s->used[i] || s->roots[i];
    for (int o = 0; s->used[i] && o < node->operand_count; o++) s->used[node->operands[o]] = true;
  }
  return true;
}

// What leads from the exponent to the exponential, or to what stands in its place.
static void mark_inside(const search *s, hlo_node exponential) {
  const hlo_graph *g = &s->e->graph;
  hlo_node exponent = g->nodes[exponential].exponent;
  for (hlo_node i = 1; i < g->count; i++) {
    s->leads[i] = i == exponential;
    s->inside[i] = false;
    for (int o = 0; i <= exponential && o < g->nodes[i].operand_count; o++) {
      hlo_node from = g->nodes[i].operands[o];
      s->inside[i] = s->inside[i] || from == exponent || s->inside[from];
    }
  }
  for (hlo_node i = exponential; i > exponent; i--) {
    for (int o = 0; s->inside[i] && s->leads[i] && o < g->nodes[i].operand_count; o++)
      s->leads[g->nodes[i].operands[o]] = true;
    s->inside[i] = s->inside[i] && s->leads[i] && s->used[i];
  }
}

static bool sums_up(const hlo_emitter *e, hlo_node number) {
  for (int32_t n = 0; n < e->reduction_count; n++) {
    if (is_sum(&e->reductions[n]) && e->reductions[n].next[0].part[0] == number) return true;
  }
  return false;
}

static bool divides_by_sum(const hlo_emitter *e, const hlo_graph_node *node) {
  const hlo_graph_node *divisor = &e->graph.nodes[node->operands[1]];
  return is_op(node, SIMD_F32X4_DIV) && divisor->kind == HLO_NODE_REDUCED &&
         is_sum(&e->reductions[divisor->index]);
}

// Whether only sums and quotients by sums see what is inside.
static bool is_hidden(const search *s) {
  const hlo_emitter *e = s->e;
  bool hidden = true;
  for (hlo_node i = 1; i < e->graph.count && hidden; i++) {
    const hlo_graph_node *node = &e->graph.nodes[i];
    hidden = !s->inside[i] || !s->roots[i];
    if (!s->used[i] || s->inside[i] || sums_up(e, i) || divides_by_sum(e, node)) continue;
    for (int o = 0; o < node->operand_count; o++) hidden = hidden && !s->inside[node->operands[o]];
  }
  return hidden;
}

static void contract_exponentials(hlo_emitter *e) {
  search s = {0};
  for (hlo_node i = 1; i < e->graph.count && !e->out_of_memory; i++) {
    if (e->graph.nodes[i].exponent == 0) continue;
    if (s.e == NULL) e->out_of_memory = !start(&s, e);
    if (e->out_of_memory) continue;
    mark_inside(&s, i);
    if (!is_hidden(&s)) continue;
    for (hlo_node k = 1; k <= i; k++) {
      if (s.inside[k]) contract(&e->graph, k);
    }
  }
}

void hlo_emit_use_multiply_adds(hlo_emitter *e) {
  contract_exponentials(e);
  for (int32_t n = 0; n < e->reduction_count; n++) {
    if (is_sum(&e->reductions[n])) contract(&e->graph, e->reductions[n].next[0].part[0]);
  }
}
