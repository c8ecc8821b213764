// Software pipelining: outputs of a row are written in the last loop of the next row. What remains
// of softmax after its sum is a division, which costs next to nothing compared with the long step
// of the next row's exp; layer norm has one loop per row. Such outputs are expressions of scratch
// rows that the next row has not overwritten yet, of operands, and of values of the row, which are
// kept in locals. See inner_loop.h.
#include "codegen/encode/inner_loop.h"
#include "kernels/machine.h"

enum {
  MOST_ROOTS = 8, // that there is room for
  // If operands are read again:
};

typedef struct rewriting {
  hlo_maker *m;
  const hlo_loop_work *stage; // fills the scratch rows
  hlo_pipelined_outputs *late;
  hlo_node *copies; // by node; 0: not yet
  int32_t count;    // nodes before
  int32_t slots;    // scratch rows that are read
  int32_t instructions;
} rewriting;

static hlo_node scratch_load(rewriting *r, hlo_node number) {
  for (int32_t i = 0; i < r->stage->root_count; i++) {
    const hlo_loop_root *root = &r->stage->roots[i];
    if (root->kept != number) continue;
    hlo_graph_node load = {.kind = HLO_NODE_LOAD, .index = root->target};
    hlo_node copy = hlo_graph_add(&r->m->e->graph, &load);
    if (copy == 0) return 0;
    hlo_maker_analyze(r->m);
    hlo_maker_node(r->m, copy)->slot = root->target + 1;
    r->slots++;
    return copy;
  }
  return 0;
}

static hlo_node keep_in_local(rewriting *r, hlo_node number) {
  hlo_pipelined_outputs *late = r->late;
  if (late->kept_count == HLO_PIPELINED_OUTPUTS_MOST_KEPT) return 0;
  hlo_node copy = hlo_graph_parameter(&r->m->e->graph);
  if (copy == 0) return 0;
  hlo_maker_analyze(r->m);
  hlo_maker_node(r->m, copy)->level = HLO_LEVEL_ROW;
  hlo_maker_node(r->m, copy)->local = hlo_maker_vector(r->m);
  late->kept[late->kept_count] = number;
  late->locals[late->kept_count++] = hlo_maker_node(r->m, copy)->local;
  return copy;
}

// Loads the same of the row before; before the first row, of that.
static hlo_node load_of_row_before(rewriting *r, const hlo_graph_node *node) {
  hlo_maker *m = r->m;
  hlo_access access = m->e->accesses[node->index];
  hlo_graph_node load = *node;
  bool is_short = m->nest.inner >= HLO_PIPELINED_OUTPUTS_SHORTEST_ROW &&
                  m->nest.inner * access.size <= HLO_PIPELINED_OUTPUTS_LONGEST_ROW;
  if (!is_short || access.kind != HLO_ACCESS_LOAD || access.moved != 0 || access.guarded != 0)
    return 0;
  access.row = hlo_maker_integer(m);
  access.outer = hlo_maker_integer(m);
  access.inner = hlo_maker_integer(m);
  access.late = hlo_maker_integer(m);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, access.row);
  hlo_wasm_local(&m->f, WASM_LOCAL_SET, access.late);
  load.index = hlo_emit_add_access(m->e, &access);
  r->slots++;
  return load.index < 0 ? 0 : hlo_graph_like(&m->e->graph, &load, load.operands);
}

static bool is_same_in_all_rows(const hlo_maker *m, const hlo_graph_node *node) {
  const hlo_access *access = &m->e->accesses[node->index];
  bool same = access->kind == HLO_ACCESS_LOAD && access->moved == 0 && access->guarded == 0;
  for (int32_t l = 0; l < m->nest.kept; l++) same = same && access->position.factors[l] == 0;
  return same;
}

static hlo_node rewrite(rewriting *r, hlo_node number);

static hlo_node rewrite_instruction(rewriting *r, const hlo_graph_node *node) {
  hlo_node operands[HLO_NODE_MAX_OPERANDS];
  if (++r->instructions > HLO_PIPELINED_OUTPUTS_MOST_INSTRUCTIONS) return 0;
  for (int o = 0; o < node->operand_count; o++) {
    operands[o] = rewrite(r, node->operands[o]);
    if (operands[o] == 0) return 0;
  }
  return hlo_graph_like(&r->m->e->graph, node, operands);
}

// The node for the row before; 0 if there is none. Before the first row its operands are anything,
// hence no scalar instructions, which may trap.
static hlo_node rewrite(rewriting *r, hlo_node number) {
  if (number == 0) return 0;
  if (r->copies[number] != 0) return r->copies[number];
  const hlo_graph_node node =
      *hlo_maker_node(r->m, number); // a copy, since the graph may grow and move
  hlo_node copy = 0;
  if (node.level == HLO_LEVEL_CONSTANT) copy = number;
  else if (node.level == HLO_LEVEL_ROW) copy = keep_in_local(r, number);
  else copy = scratch_load(r, number);
  if (copy == 0 && node.level == HLO_LEVEL_INNER) {
    if (node.kind == HLO_NODE_LOAD)
      copy = is_same_in_all_rows(r->m, &node) ? number : load_of_row_before(r, &node);
    if (node.kind == HLO_NODE_SIMD || node.kind == HLO_NODE_SHIFT || node.kind == HLO_NODE_SHUFFLE)
      copy = rewrite_instruction(r, &node);
  }
  return r->copies[number] = copy;
}

static bool is_plain(const hlo_maker *m, const hlo_loop_root *root) {
  if (root->kind != HLO_ROOT_OUTPUT) return false;
  const hlo_access *access = &m->e->accesses[m->e->outputs[root->target].access];
  return access->moved == 0 && access->guarded == 0 &&
         access->position.factors[hlo_nest_inner(&m->nest)] == 1;
}

static bool rewrite_all(rewriting *r, const hlo_loop_work *outputs) {
  hlo_maker *m = r->m;
  r->copies = hlo_arena_array(m->e->arena, (size_t)r->count, sizeof *r->copies);
  if (r->copies == NULL) {
    m->e->out_of_memory = true;
    return false;
  }
  for (int32_t i = 0; i < outputs->root_count; i++) {
    hlo_loop_root *root = &r->late->work.roots[i];
    *root = outputs->roots[i];
    root->node = rewrite(r, root->node);
    if (root->node == 0 || !is_plain(m, root)) return false;
  }
  return r->slots > 0;
}

void hlo_pipelined_outputs_build(hlo_maker *m, const hlo_loop_work *stage,
                                 const hlo_loop_work *outputs, hlo_pipelined_outputs *late) {
  hlo_maker_analyze(m);
  rewriting r = {.m = m, .stage = stage, .late = late, .count = m->e->graph.count};
  if (m->nest.outer > 0 || m->splits || m->nest.rows < 2 || outputs->root_count > MOST_ROOTS ||
      stage->root_count + MOST_ROOTS > HLO_LOOP_MAX_ROOTS || !rewrite_all(&r, outputs))
    return;
  late->work.root_count = outputs->root_count;
  for (int32_t i = 0; i < outputs->root_count; i++) {
    if (outputs->roots[i].part > 0) continue;
    int32_t output = m->e->outputs[outputs->roots[i].target].access;
    int32_t nowhere = hlo_maker_new_row(m, m->e->accesses[output].size); // for before the first row
    m->e->accesses[output].late = m->e->accesses[nowhere].row;
  }
}

void hlo_pipelined_outputs_end_row(hlo_maker *m, const hlo_pipelined_outputs *late) {
  m->epoch++;
  m->computed++;
  m->in_row = true;
  for (int32_t i = 0; i < late->kept_count; i++) {
    hlo_maker_push(m, late->kept[i]);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, late->locals[i]);
  }
  m->in_row = false;
  for (int32_t i = 0; i < m->e->access_count; i++) {
    const hlo_access *access = &m->e->accesses[i];
    if (access->late == 0) continue;
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, access->row);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, access->late);
  }
}
