// Index-set splitting: where indices are far from the boundaries that masks compare them with, as
// in all of a row but its ends when arrays are rolled, padded or concatenated, the masks are known,
// nothing is selected, and one load suffices instead of two. See inner_loop.h.
#include "codegen/encode/inner_loop.h"
#include "kernels/machine.h"

#include <string.h>

static bool is_select(const hlo_graph_node *node) {
  return node->op == SIMD_BITSELECT || node->op == SIMD_I32X4_RELAXED_LANESELECT;
}

// Marks the nodes that the roots, or their interiors, are made of.
static void mark(const hlo_maker *m, const hlo_loop_work *work, bool interior, bool *marked) {
  for (int32_t i = 0; i < work->root_count; i++)
    marked[interior ? work->roots[i].interior : work->roots[i].node] = true;
  for (hlo_node i = m->e->graph.count - 1; i > 0; i--) {
    const hlo_graph_node *node = hlo_maker_node(m, i);
    if (!marked[i] || node->kind == HLO_NODE_LOAD || node->slot > 0) continue;
    for (int o = 0; o < node->operand_count; o++) marked[node->operands[o]] = true;
  }
}

// A mask that says by which side of a number an index is on: its value in the middle of the loops,
// if that holds for all elements between two for which it does.
static bool is_known(const hlo_maker *m, const hlo_graph_node *node, bool *value) {
  uint32_t bits;
  if (node->kind != HLO_NODE_SIMD || node->operand_count != 2) return false;
  const hlo_graph_node *index = hlo_maker_node(m, node->operands[0]);
  if (index->kind != HLO_NODE_INDEX ||
      !hlo_graph_is_splat32(&m->e->graph, node->operands[1], &bits))
    return false;
  const hlo_affine *position = &m->e->accesses[index->index].position;
  int64_t middle = 2 * position->offset, limit = 2 * (int64_t)(int32_t)bits;
  for (int32_t l = 0; l <= hlo_nest_inner(&m->nest); l++)
    middle += position->factors[l] * (m->nest.sizes[l] - 1);
  switch (node->op) {
  case SIMD_I32X4_LT_S:
    *value = middle < limit;
    return true;
  case SIMD_I32X4_GE_S:
    *value = middle >= limit;
    return true;
  case SIMD_I32X4_GT_S:
    *value = middle > limit;
    return true;
  case SIMD_I32X4_LE_S:
    *value = middle <= limit;
    return true;
  case SIMD_I32X4_LT_U:
    *value = middle >= 0 && middle < limit;
    return *value;
  default:
    return false;
  }
}

// The same node of operands that are known by now.
static hlo_node rewrite(hlo_graph *g, const hlo_graph_node *node, const hlo_node *operands) {
  uint32_t bits[3] = {0};
  bool is_constant[3] = {false};
  for (int o = 0; o < node->operand_count; o++)
    is_constant[o] = hlo_graph_is_splat32(g, operands[o], &bits[o]);
  if (node->kind == HLO_NODE_SHUFFLE && is_constant[0] && operands[0] == operands[1])
    return operands[0];
  for (int o = 0; o < 2 && node->kind == HLO_NODE_SIMD && node->operand_count == 2; o++) {
    uint32_t all = node->op == SIMD_AND ? UINT32_MAX : 0; // leaves the other operand as it is
    bool is_logical = is_constant[o] && (node->op == SIMD_AND || node->op == SIMD_OR);
    if (is_logical && bits[o] == all) return operands[1 - o];
    if (is_logical && bits[o] == ~all) return operands[o];
  }
  if (node->kind == HLO_NODE_SIMD && is_select(node) && is_constant[2] && bits[2] == UINT32_MAX)
    return operands[0];
  if (node->kind == HLO_NODE_SIMD && is_select(node) && is_constant[2] && bits[2] == 0)
    return operands[1];
  return hlo_graph_like(g, node, operands);
}

static hlo_node interior_of(hlo_maker *m, hlo_loop_work *work, hlo_node number,
                            const hlo_node *interior) {
  const hlo_graph_node node = *hlo_maker_node(m, number);
  hlo_node operands[HLO_NODE_MAX_OPERANDS];
  bool changes = false, value = false;
  if (node.slot > 0 || node.kind == HLO_NODE_LOAD) return number;
  if (work->mask_count < HLO_LOOP_MAX_MASKS && is_known(m, &node, &value)) {
    work->masks[work->mask_count++] = (hlo_loop_mask){number, value};
    return hlo_graph_splat32(&m->e->graph, value ? UINT32_MAX : 0);
  }
  for (int o = 0; o < node.operand_count; o++) {
    operands[o] = interior[node.operands[o]];
    changes = changes || operands[o] != node.operands[o];
  }
  return changes ? rewrite(&m->e->graph, &node, operands) : number;
}

void hlo_loop_split_index_set(hlo_maker *m, hlo_loop_work *work) {
  hlo_graph *g = &m->e->graph;
  int32_t count = g->count;
  bool is_known_shape = m->nest.kind != HLO_NEST_COLUMN && m->away == 0 && !work->may_stop;
  work->mask_count = 0;
  if (!is_known_shape || m->nest.inner < HLO_INDEX_SET_SHORTEST || g->failed) return;
  bool *marked = hlo_arena_array(m->e->arena, 2 * (size_t)count, sizeof *marked);
  hlo_node *interior = hlo_arena_array(m->e->arena, (size_t)count, sizeof *interior);
  if (marked == NULL || interior == NULL) {
    m->e->out_of_memory = true;
    return;
  }
  mark(m, work, false, marked);
  for (hlo_node i = 1; i < count; i++) {
    if (marked[i]) interior[i] = interior_of(m, work, i, interior);
  }
  if (work->mask_count == 0 || g->failed) return;
  for (int32_t i = 0; i < work->root_count; i++)
    work->roots[i].interior = interior[work->roots[i].node];
  memset(marked, 0, 2 * (size_t)count);
  mark(m, work, true, marked); // no more nodes than twice as many
  work->interior_exists = true;
  for (hlo_node i = 1; i < g->count; i++)
    work->interior_exists =
        work->interior_exists && !(marked[i] && hlo_maker_node(m, i)->kind == HLO_NODE_INDEX);
  hlo_maker_analyze(m);
}

// What the mask compares, of the element so many steps further on.
static void push_mask(hlo_maker *m, const hlo_loop_mask *mask, int64_t elements) {
  const hlo_graph_node *node = hlo_maker_node(m, mask->node);
  const hlo_access *access = &m->e->accesses[hlo_maker_node(m, node->operands[0])->index];
  bool in_row = hlo_maker_is_uniform(m, node->operands[0]);
  uint32_t limit = 0;
  hlo_graph_is_splat32(&m->e->graph, node->operands[1], &limit);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, in_row ? access->row : access->inner);
  hlo_wasm_i32(&m->f, elements * hlo_access_stride(access, hlo_nest_inner(&m->nest)));
  hlo_wasm_op(&m->f, WASM_I32_ADD);
  hlo_wasm_i32(&m->f, (int32_t)limit);
  hlo_wasm_op(&m->f, WASM_I32_EQ + (node->op - SIMD_I32X4_EQ)); // both in the same order
  if (!mask->value) hlo_wasm_op(&m->f, WASM_I32_EQZ);
}

void hlo_loop_push_masks_known(hlo_maker *m, const hlo_loop_work *work, int64_t elements) {
  for (int32_t i = 0; i < work->mask_count; i++) {
    for (int end = 0; end < 2; end++) {
      push_mask(m, &work->masks[i], end * (elements - 1));
      hlo_wasm_op(&m->f, WASM_I32_AND);
    }
  }
}
