// Softmax divides exponentials by their sum. An exponential of an argument that is not positive is
// first 2^100 times too large, so that nothing is subnormal before its last multiplication; where
// only the quotient is needed, both sides of the division stay that large and the multiplication is
// omitted. The sum then is at least 2^100, since the largest element's exponential is 1 unless all
// vanish, and it cannot overflow. Quotients are the same except where exponentials are subnormal,
// which are no longer rounded to that range. See emitter.h.
#include "base/bits.h"
#include "codegen/lower/emitter.h"

enum { MOST_ELEMENTS = 1 << 24 };

static bool is_zero(const hlo_graph *g, hlo_node node) {
  uint32_t bits;
  return hlo_graph_is_splat32(g, node, &bits) && bits << 1 == 0;
}

// Whether a greatest element is one of the row's, or they are so far below it, the initial value,
// that their exponentials are 0 even 2^100 times too large: so low, numbers are that far apart.
static bool is_of_row(const hlo_emitter *e, hlo_node peak) {
  const hlo_graph_node *greatest = &e->graph.nodes[peak];
  uint32_t bits;
  return hlo_graph_is_splat32(&e->graph, e->reductions[greatest->index].initial[0].part[0],
                              &bits) &&
         float_of_bits(bits) <= -0x1p32f;
}

static bool is_short(const hlo_emitter *e) {
  int64_t elements = 1;
  for (int32_t l = 0; l < e->loop_count; l++) {
    if (e->loops[l].reduced && elements <= MOST_ELEMENTS) elements *= e->loops[l].size;
  }
  return elements <= MOST_ELEMENTS;
}

static bool is_quotient(const hlo_graph_node *node, hlo_node value, hlo_node sum) {
  return node->kind == HLO_NODE_SIMD && node->op == SIMD_F32X4_DIV && node->operands[0] == value &&
         node->operands[1] == sum;
}

static bool has_part(hlo_value value, hlo_node node) {
  bool found = false;
  for (int part = 0; part < HLO_VALUE_PARTS; part++) found = found || value.part[part] == node;
  return found;
}

// Whether all that is done with the sum is dividing the value.
static bool only_divides(const hlo_emitter *e, hlo_node value, hlo_node sum) {
  bool only = true;
  for (hlo_node i = 1; i < e->graph.count && only; i++) {
    const hlo_graph_node *node = &e->graph.nodes[i];
    for (int o = 0; o < node->operand_count; o++)
      only = only && (node->operands[o] != sum || is_quotient(node, value, sum));
  }
  for (int32_t i = 0; i < e->output_count; i++) only = only && !has_part(e->outputs[i].memory, sum);
  for (int32_t n = 0; n < e->reduction_count; n++) {
    const hlo_emit_reduction *r = &e->reductions[n];
    for (int32_t i = 0; i < r->leaves; i++)
      only = only && !has_part(r->inputs[i], sum) && !has_part(r->initial[i], sum);
  }
  return only;
}

void hlo_emit_scale_sums(hlo_emitter *e) {
  hlo_graph *g = &e->graph;
  for (int32_t n = 0; n < e->reduction_count && !g->failed; n++) {
    hlo_emit_reduction *r = &e->reductions[n];
    hlo_node value = r->inputs[0].part[0], sum = r->results[0].part[0];
    hlo_node peak = g->nodes[g->nodes[value].exponent].operands[1];
    if (r->opcode != HLO_OP_ADD || r->types[0] != HLO_F32 || !g->nodes[value].is_below ||
        !is_zero(g, r->initial[0].part[0]) || !is_of_row(e, peak) || !is_short(e) ||
        !only_divides(e, value, sum))
      continue;
    hlo_node large = g->nodes[value].operands[0];
    r->inputs[0].part[0] = large;
    r->next[0].part[0] = hlo_graph_2(g, SIMD_F32X4_ADD, r->running[0].part[0], large);
    for (hlo_node i = 1; i < g->count; i++) {
      if (is_quotient(&g->nodes[i], value, sum)) g->nodes[i].operands[0] = large;
    }
  }
}
