// Values of sums that are made in blocks: whether they are, what a slice starts from, and what
// their two floats make. See block_sums.c.
#include "codegen/encode/inner_loop.h"
#include "kernels/machine.h"

bool hlo_block_sums_apply(const hlo_emit_reduction *r) {
  return r->opcode == HLO_OP_ADD &&
         (hlo_type_is_float(r->work[0]) || hlo_type_is_complex(r->work[0]));
}

bool hlo_block_sums_are_wide(const hlo_emit_reduction *r) {
  hlo_type type = r->work[0];
  return (hlo_type_is_complex(type) ? hlo_type_complex_part(type) : type) == HLO_F64;
}

bool hlo_block_sums_carry(const hlo_loop_work *work, const hlo_emit_reduction *r) {
  return work->blocks != NULL && hlo_block_sums_apply(r);
}

// Several rows are added to each other before the running value takes them in, which makes blocks
// of so many rows for nothing. Short sums keep their order.
void hlo_block_sums_slice(hlo_maker *m, const hlo_emit_reduction *r, int32_t part,
                          hlo_loop_root *root) {
  const hlo_graph_node next = *hlo_maker_node(m, root->node);
  hlo_node running = r->running[0].part[part];
  uint32_t add = hlo_block_sums_are_wide(r) ? SIMD_F64X2_ADD : SIMD_F32X4_ADD;
  if (!hlo_block_sums_apply(r) || next.kind != HLO_NODE_SIMD ||
      m->nest.reduced <= HLO_EMIT_SUM_BLOCK)
    return;
  root->add = add;
  if (next.op == add && next.operands[0] == running) root->first = next.operands[1];
  if (next.op == SIMD_F32X4_RELAXED_MADD && next.operands[2] == running) {
    const hlo_node operands[HLO_NODE_MAX_OPERANDS] = {next.operands[0], next.operands[1],
                                                      r->start[0].part[part]};
    root->first = hlo_graph_like(&m->e->graph, &next, operands);
    hlo_maker_analyze(m);
  }
}

static hlo_node load_slot(hlo_maker *m, int32_t slot) {
  hlo_graph_node load = {.kind = HLO_NODE_LOAD, .index = slot};
  hlo_node node = hlo_graph_add(&m->e->graph, &load);
  hlo_maker_analyze(m);
  if (node != 0) hlo_maker_node(m, node)->slot = slot + 1;
  return node;
}

void hlo_block_sums_of_part(hlo_maker *m, const hlo_emit_reduction *r, int32_t part, hlo_node *high,
                            hlo_node *low) {
  hlo_graph *g = &m->e->graph;
  uint32_t add = hlo_block_sums_are_wide(r) ? SIMD_F64X2_ADD : SIMD_F32X4_ADD,
           subtract = hlo_block_sums_are_wide(r) ? SIMD_F64X2_SUB : SIMD_F32X4_SUB;
  hlo_node x = r->running[0].part[part], before = load_slot(m, r->high_slot[part]);
  hlo_node sum = hlo_graph_2(g, add, before, x), taken = hlo_graph_2(g, subtract, sum, before);
  hlo_node lost_of_before = hlo_graph_2(g, subtract, before, hlo_graph_2(g, subtract, sum, taken));
  hlo_node lost = hlo_graph_2(g, add, lost_of_before, hlo_graph_2(g, subtract, x, taken));
  *high = sum;
  *low = hlo_graph_2(g, add, load_slot(m, r->low_slot[part]), lost);
}

void hlo_block_sums_total(hlo_maker *m, const hlo_emit_reduction *r, hlo_value *total) {
  hlo_graph *g = &m->e->graph;
  for (int32_t part = 0; part < hlo_value_parts(r->work[0]); part++) {
    hlo_node high, low;
    if (r->high_slot[part] == 0) return;
    hlo_block_sums_of_part(m, r, part, &high, &low);
    hlo_node size =
        hlo_graph_1(g, hlo_block_sums_are_wide(r) ? SIMD_F64X2_ABS : SIMD_F32X4_ABS, low);
    hlo_node counts = hlo_graph_2(g, hlo_block_sums_are_wide(r) ? SIMD_F64X2_GT : SIMD_F32X4_GT,
                                  size, hlo_graph_splat32(g, 0));
    hlo_node sum =
        hlo_graph_2(g, hlo_block_sums_are_wide(r) ? SIMD_F64X2_ADD : SIMD_F32X4_ADD, high, low);
    total[0].part[part] = hlo_graph_select(g, counts, sum, high);
  }
}
