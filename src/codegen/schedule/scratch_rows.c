// Which values are kept in scratch rows from one loop of a row to the next instead of being
// computed again. See inner_loop.h.
#include "codegen/encode/inner_loop.h"
#include "kernels/machine.h"

enum { MOST_KEPT = 8, MOST_COST = 1000 }; // values; their cost, so that sums stay numbers

typedef struct sharing {
  hlo_maker *m;
  int32_t *loop;    // by node: 1 + the first loop that computes it
  int32_t *cost;    // by node: instructions, those for operands included
  int32_t *visited; // by node: 1 + the last loop that was searched
  bool *kept;
  int32_t kept_count;
} sharing;

// Operands come before users, so that all costs are found in one pass.
static void compute_costs(const sharing *s) {
  const hlo_maker *m = s->m;
  for (hlo_node i = 1; i < m->e->graph.count; i++) {
    const hlo_graph_node *node = hlo_maker_node(m, i);
    int32_t cost = node->level == HLO_LEVEL_CONSTANT ? 0
                   : node->kind == HLO_NODE_CALL || node->kind == HLO_NODE_LOOP
                       ? HLO_SHARE_WORTH_KEEPING
                       : 1;
    for (int o = 0; o < node->operand_count; o++) {
      if (hlo_maker_node(m, node->operands[o])->level == HLO_LEVEL_INNER)
        cost += s->cost[node->operands[o]];
    }
    s->cost[i] = cost < MOST_COST ? cost : MOST_COST;
  }
}

static bool init_sharing(hlo_maker *m, sharing *s) {
  size_t count = (size_t)m->e->graph.count;
  *s = (sharing){.m = m};
  s->loop = hlo_arena_array(m->e->arena, count, sizeof *s->loop);
  s->cost = hlo_arena_array(m->e->arena, count, sizeof *s->cost);
  s->visited = hlo_arena_array(m->e->arena, count, sizeof *s->visited);
  s->kept = hlo_arena_array(m->e->arena, count, sizeof *s->kept);
  if (s->loop != NULL && s->cost != NULL && s->visited != NULL && s->kept != NULL) return true;
  m->e->out_of_memory = true;
  return false;
}

static void search(sharing *s, hlo_node number, int32_t loop) {
  const hlo_graph_node *node = hlo_maker_node(s->m, number);
  if (number == 0 || node->level != HLO_LEVEL_INNER || s->visited[number] == loop + 1) return;
  s->visited[number] = loop + 1;
  bool is_earlier = s->loop[number] != 0 && s->loop[number] < loop + 1;
  if (is_earlier && s->kept[number]) return;
  if (is_earlier && s->cost[number] >= HLO_SHARE_WORTH_KEEPING && s->kept_count < MOST_KEPT) {
    s->kept[number] = true;
    s->kept_count++;
    return;
  }
  if (s->loop[number] == 0) s->loop[number] = loop + 1;
  for (int o = 0; o < node->operand_count; o++) search(s, node->operands[o], loop);
}

void hlo_loop_works_share(hlo_maker *m, int32_t count, hlo_loop_work *works) {
  sharing s;
  hlo_maker_analyze(m);
  int32_t nodes = m->e->graph.count;
  if (count < 2 || !init_sharing(m, &s)) return;
  compute_costs(&s);
  for (int32_t w = 0; w < count; w++) {
    for (int32_t i = 0; i < works[w].root_count; i++) search(&s, works[w].roots[i].node, w);
  }
  for (hlo_node i = 1; i < nodes; i++) {
    if (!s.kept[i]) continue;
    hlo_loop_work *work = &works[s.loop[i] - 1];
    hlo_loop_work_add_root(m, work, HLO_ROOT_SLOT, i, hlo_maker_new_step_slot(m))->kept = i;
  }
}

// --- in a column nest ---

static void search_column(sharing *s, hlo_loop_work *kept, hlo_node number) {
  const hlo_graph_node *node = hlo_maker_node(s->m, number);
  if (number == 0 || node->slot > 0 || s->visited[number] != 0) return;
  s->visited[number] = 1;
  if (node->level == HLO_LEVEL_INNER) {
    for (int o = 0; o < node->operand_count; o++)
      search_column(s, kept, hlo_maker_node(s->m, number)->operands[o]);
    return;
  }
  bool is_memory = node->kind == HLO_NODE_LOAD || node->kind == HLO_NODE_INDEX;
  if (node->level != HLO_LEVEL_ROW || is_memory || s->kept_count == MOST_KEPT) return;
  if (node->operand_count == 0) return;
  s->kept_count++;
  hlo_loop_work_add_root(s->m, kept, HLO_ROOT_SLOT, number, hlo_maker_new_slot(s->m))->kept =
      number;
}

void hlo_loop_work_add_kept(hlo_maker *m, hlo_loop_work *work, const hlo_loop_work *steps) {
  sharing s;
  hlo_maker_analyze(m);
  if (!init_sharing(m, &s)) return;
  for (int32_t i = 0; i < steps->root_count; i++) search_column(&s, work, steps->roots[i].node);
}
