// Software pipelining: the first stage of the next row runs in the loop of this row's last stage.
// Softmax finds the next row's maximum during exp, so that no row begins with a loop on whose
// result everything waits. For the last row of a call, which has no next row, the row itself is
// read again. See inner_loop.h.
#include "codegen/encode/inner_loop.h"
#include "kernels/machine.h"

typedef struct copying {
  hlo_maker *m;
  hlo_node *copies; // by node; 0: not yet
  int32_t instructions;
} copying;

// The access that reads the same of the next row.
static int32_t next_row(hlo_maker *m, int32_t number) {
  hlo_access access = m->e->accesses[number];
  for (int32_t a = 0; a < m->e->access_count; a++) {
    if (m->e->accesses[a].ahead == number + 1) return a;
  }
  if (access.kind != HLO_ACCESS_LOAD || access.moved != 0 || access.guarded != 0) return -1;
  access.ahead = number + 1;
  access.row = hlo_maker_integer(m);
  access.outer = hlo_maker_integer(m);
  access.inner = hlo_maker_integer(m);
  return hlo_emit_add_access(m->e, &access);
}

// 0: cannot be, or memory is out.
static hlo_node copy(copying *c, hlo_node number) {
  if (number == 0 || c->copies[number] != 0) return c->copies[number];
  hlo_graph_node node = *hlo_maker_node(c->m, number); // a copy, since the graph may grow and move
  hlo_node operands[HLO_NODE_MAX_OPERANDS] = {0}, made = 0;
  if (node.level == HLO_LEVEL_CONSTANT || node.kind == HLO_NODE_PARAMETER)
    return c->copies[number] = number;
  if (node.level == HLO_LEVEL_ROW || ++c->instructions > HLO_PIPELINED_STAGE_MOST_INSTRUCTIONS)
    return 0;
  for (int o = 0; o < node.operand_count; o++) {
    operands[o] = copy(c, node.operands[o]);
    if (operands[o] == 0) return 0;
  }
  bool is_instruction =
      node.kind == HLO_NODE_SIMD || node.kind == HLO_NODE_SHIFT || node.kind == HLO_NODE_SHUFFLE;
  if (node.kind == HLO_NODE_LOAD) node.index = next_row(c->m, node.index);
  if (is_instruction || (node.kind == HLO_NODE_LOAD && node.index >= 0))
    made = hlo_graph_like(&c->m->e->graph, &node, operands);
  return c->copies[number] = made;
}

static bool is_constant(const hlo_maker *m, const hlo_value *values, int32_t count) {
  for (int32_t i = 0; i < count; i++) {
    for (int part = 0; part < HLO_VALUE_PARTS; part++) {
      hlo_node node = values[i].part[part];
      if (node != 0 && hlo_maker_node(m, node)->level != HLO_LEVEL_CONSTANT) return false;
    }
  }
  return true;
}

static bool starts_alike(const hlo_maker *m) {
  for (int32_t n = 0; n < m->e->reduction_count; n++) {
    const hlo_emit_reduction *r = &m->e->reductions[n];
    if (r->stage == 0 && (r->finds != 0 || !is_constant(m, r->start, r->runs) ||
                          !is_constant(m, r->initial, r->leaves)))
      return false;
  }
  return true;
}

static bool copy_roots(hlo_maker *m, const hlo_loop_work *stage, hlo_loop_work *early) {
  copying c = {.m = m};
  c.copies = hlo_arena_array(m->e->arena, (size_t)m->e->graph.count, sizeof *c.copies);
  if (c.copies == NULL) {
    m->e->out_of_memory = true;
    return false;
  }
  for (int32_t i = 0; i < stage->root_count; i++) {
    hlo_loop_root root = stage->roots[i];
    root.node = copy(&c, root.node);
    root.masked = copy(&c, root.masked);
    if (root.kind != HLO_ROOT_RUNNING || root.node == 0 || root.masked == 0) return false;
    early->roots[i] = root;
    early->roots[i].value = hlo_maker_vector(m);
  }
  early->root_count = stage->root_count;
  return true;
}

bool hlo_pipelined_stage_build(hlo_maker *m, const hlo_loop_work *first, hlo_loop_work *last,
                               hlo_pipelined_stage *early) {
  const hlo_nest *nest = &m->nest;
  hlo_maker_analyze(m);
  if (first == last || nest->kept != 1 || nest->outer > 0 || nest->rows < 2 || m->splits ||
      nest->inner < HLO_PIPELINED_STAGE_SHORTEST_ROW ||
      nest->inner > HLO_PIPELINED_STAGE_LONGEST_ROW || last->may_stop ||
      last->root_count + first->root_count > HLO_LOOP_MAX_ROOTS / 2 || !starts_alike(m) ||
      !copy_roots(m, first, &early->work))
    return false;
  hlo_maker_analyze(m);
  last->early = &early->work;
  return true;
}

void hlo_pipelined_stage_start_row(hlo_maker *m) {
  for (int32_t a = 0; a < m->e->access_count; a++) {
    const hlo_access *access = &m->e->accesses[a];
    if (access->ahead == 0) continue;
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, m->e->accesses[access->ahead - 1].row);
    hlo_wasm_i32(&m->f, hlo_access_stride(access, 0));
    hlo_wasm_i32(&m->f, 0);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_ROW);
    hlo_wasm_i32(&m->f, 1);
    hlo_wasm_op(&m->f, WASM_I32_ADD);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_ROW_END);
    hlo_wasm_op(&m->f, WASM_I32_LT_S);
    hlo_wasm_op(&m->f, WASM_SELECT);
    hlo_wasm_op(&m->f, WASM_I32_ADD);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, access->row);
  }
}

// Swaps the locals of the first stage's results with others.
static void swap_results(hlo_maker *m, hlo_pipelined_stage *early) {
  for (int32_t n = 0, at = 0; n < m->e->reduction_count; n++) {
    const hlo_emit_reduction *r = &m->e->reductions[n];
    for (int32_t i = 0; r->stage == 0 && i < r->leaves; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->types[i]); part++, at++) {
        hlo_graph_node *result = hlo_maker_node(m, r->results[i].part[part]);
        int32_t local = result->local;
        result->local = early->locals[at];
        early->locals[at] = local;
        early->count = at + 1;
      }
    }
  }
}

void hlo_pipelined_stage_finish(hlo_maker *m, hlo_pipelined_stage *early) {
  swap_results(m, early);
  hlo_loop_write_finish(m, &early->work);
  swap_results(m, early);
}

void hlo_pipelined_stage_end_row(hlo_maker *m, hlo_pipelined_stage *early) {
  for (int32_t i = 0; i < early->count; i++)
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, early->locals[i]);
  swap_results(m, early);
  for (int32_t i = early->count - 1; i >= 0; i--)
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, early->locals[i]);
  swap_results(m, early);
}

void hlo_pipelined_stage_share_running(hlo_loop_work *early) {
  for (int32_t i = 0; early != NULL && i < early->root_count; i++) {
    for (int32_t copy = 1; copy < early->unroll; copy++)
      early->roots[i].running[copy] = early->roots[i].running[0];
  }
  if (early != NULL) early->unroll = 1;
}
