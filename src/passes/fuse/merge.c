// Merges groups that iterate over the same elements, so that shared operands are read once. Two
// groups may become one if neither depends on the other by way of a third. See groups.h.
#include "hlo/rewrite.h"
#include "kernels/machine.h"
#include "passes/fuse/groups.h"

#include <string.h>

// The search for dependences takes time for every pair of groups.
enum { MOST_GROUPS = 128, MOST_NODES = 4096, MOST_SEARCHES = 256 };

typedef struct merger {
  hlo_fuse_graph *graph;
  int32_t *stack;
  bool *seen; // by node
  int32_t searches;
} merger;

static bool is_member(const hlo_fuse_graph *graph, int32_t id, int32_t group) {
  for (const hlo_fuse_membership *m = graph->nodes[id].memberships; m != NULL; m = m->next) {
    if (m->group == group) return true;
  }
  return false;
}

bool hlo_fuse_is_root(const hlo_fuse_group *group, int32_t id) {
  for (int32_t i = 0; i < group->root_count; i++) {
    if (group->roots[i] == id) return true;
  }
  return false;
}

// --- compatibility ---

static const hlo_instruction *root_of(const hlo_fuse_graph *graph, int32_t group) {
  return graph->nodes[graph->groups[group].roots[0]].instruction;
}

static bool reduces_same_dimensions(const hlo_instruction *a, const hlo_instruction *b) {
  int32_t n, m;
  const int64_t *x = hlo_get_ints(a, HLO_ATTRIBUTE_DIMENSIONS, &n);
  const int64_t *y = hlo_get_ints(b, HLO_ATTRIBUTE_DIMENSIONS, &m);
  for (int32_t i = 0; i < n && i < m; i++) {
    if (x[i] != y[i]) return false;
  }
  return n == m;
}

static bool has_same_iteration_space(const hlo_fuse_graph *graph, int32_t a, int32_t b) {
  const hlo_instruction *x = root_of(graph, a), *y = root_of(graph, b);
  bool reduces = x->opcode == HLO_OP_REDUCE;
  if (!hlo_shape_is_array(x->shape) || !hlo_shape_is_array(y->shape)) return false;
  if (reduces != (y->opcode == HLO_OP_REDUCE)) return false;
  if (!hlo_shape_same_order(x->shape, y->shape)) return false;
  return !reduces || (hlo_shape_same_dimensions(x->operands[0]->shape, y->operands[0]->shape) &&
                      reduces_same_dimensions(x, y));
}

static bool may_merge(const hlo_fuse_graph *graph, int32_t group) {
  const hlo_fuse_group *g = &graph->groups[group];
  return g->root_count > 0 && !graph->nodes[g->roots[0]].is_alone &&
         graph->nodes[g->roots[0]].kind != FUSE_MOVE;
}

// Whether both groups read an array computed outside of them.
static bool shares_operand(const hlo_fuse_graph *graph, int32_t a, int32_t b) {
  const hlo_fuse_group *g = &graph->groups[a];
  for (int32_t i = 0; i < g->count; i++) {
    const hlo_instruction *x = graph->nodes[g->members[i]].instruction;
    for (int32_t k = 0; k < x->operand_count; k++) {
      const hlo_fuse_node *operand = &graph->nodes[x->operands[k]->id];
      if (is_member(graph, x->operands[k]->id, a)) continue;
      for (int32_t u = 0; u < operand->user_count; u++) {
        if (is_member(graph, graph->users[operand->first_user + u], b)) return true;
      }
    }
  }
  return false;
}

// Whether `user` reads roots of `producer`, all of them elementwise.
static bool reads_in_step(const hlo_fuse_graph *graph, int32_t producer, int32_t user) {
  const hlo_fuse_group *g = &graph->groups[producer];
  bool reads = false;
  for (int32_t i = 0; i < g->root_count; i++) {
    const hlo_fuse_node *root = &graph->nodes[g->roots[i]];
    for (int32_t u = 0; u < root->user_count; u++) {
      int32_t id = graph->users[root->first_user + u];
      if (!is_member(graph, id, user)) continue;
      if (!hlo_fuse_is_in_step(&graph->nodes[id], root->instruction)) return false;
      reads = true;
    }
  }
  return reads;
}

// --- dependences ---

static void push(merger *m, int32_t *depth, int32_t id) {
  if (m->seen[id]) return;
  m->seen[id] = true;
  m->stack[(*depth)++] = id;
}

// Pushes the operands of a group from outside of it. False if the group `to` computes one of them.
static bool push_operands(merger *m, int32_t group, int32_t to, bool skip_direct, int32_t *depth) {
  const hlo_fuse_group *g = &m->graph->groups[group];
  for (int32_t i = 0; i < g->count; i++) {
    const hlo_instruction *x = m->graph->nodes[g->members[i]].instruction;
    for (int32_t k = 0; k < x->operand_count; k++) {
      int32_t id = x->operands[k]->id;
      if (is_member(m->graph, id, group)) continue;
      if (!hlo_fuse_is_root(&m->graph->groups[to], id)) push(m, depth, id);
      else if (!skip_direct) return false;
    }
  }
  return true;
}

// Whether `from` depends on `to`: through other instructions and groups, and, unless skip_direct,
// directly.
static bool depends_on(merger *m, int32_t from, int32_t to, bool skip_direct) {
  int32_t depth = 0;
  m->searches++;
  for (int32_t i = 0; i < m->graph->count; i++) m->seen[i] = false;
  if (!push_operands(m, from, to, skip_direct, &depth)) return true;
  while (depth > 0) {
    int32_t id = m->stack[--depth];
    const hlo_fuse_node *node = &m->graph->nodes[id];
    const hlo_instruction *x = node->instruction;
    // A value copied into groups may also remain outside: its own operands always count, those of a
    // group only where the value is a root of it.
    for (int32_t k = 0; k < x->operand_count; k++) {
      if (hlo_fuse_is_root(&m->graph->groups[to], x->operands[k]->id)) return true;
      push(m, &depth, x->operands[k]->id);
    }
    for (const hlo_fuse_membership *s = node->memberships; s != NULL; s = s->next) {
      if (s->group != from && hlo_fuse_is_root(&m->graph->groups[s->group], id) &&
          !push_operands(m, s->group, to, false, &depth))
        return true;
    }
  }
  return false;
}

// The roots of the merged group: those used outside of both. Returns how many, even if more than
// `out` holds.
static int32_t collect_outer_roots(const hlo_fuse_graph *graph, int32_t a, int32_t b,
                                   int32_t *out) {
  int32_t count = 0;
  for (int32_t i = 0; i < 2; i++) {
    const hlo_fuse_group *g = &graph->groups[i == 0 ? a : b];
    for (int32_t r = 0; r < g->root_count; r++) {
      const hlo_fuse_node *root = &graph->nodes[g->roots[r]];
      bool used = root->instruction == graph->computation->root || root->user_count == 0;
      for (int32_t u = 0; u < root->user_count && !used; u++) {
        const hlo_fuse_membership *s = graph->nodes[graph->users[root->first_user + u]].memberships;
        used = s == NULL;
        for (; s != NULL && !used; s = s->next) used = s->group != a && s->group != b;
      }
      if (used && count++ < HLO_FUSE_MOST_ROOTS) out[count - 1] = g->roots[r];
    }
  }
  return count;
}

static bool is_mergeable(merger *m, int32_t a, int32_t b, bool in_loop) {
  const hlo_fuse_graph *graph = m->graph;
  const hlo_fuse_group *g = &graph->groups[a], *h = &graph->groups[b];
  int32_t roots[HLO_FUSE_MOST_ROOTS];
  if (!may_merge(graph, a) || !may_merge(graph, b) || !has_same_iteration_space(graph, a, b))
    return false;
  if (collect_outer_roots(graph, a, b, roots) > HLO_FUSE_MOST_ROOTS) return false;
  if (g->work + h->work > HLO_FUSE_MOST_MERGED_WORK || m->searches > MOST_SEARCHES) return false;
  bool single = in_loop && hlo_shape_elements(root_of(graph, a)->shape) == 1 &&
                root_of(graph, a)->opcode != HLO_OP_REDUCE;
  bool feeds = reads_in_step(graph, a, b), is_fed = reads_in_step(graph, b, a);
  if (!feeds && !is_fed && !single && !shares_operand(graph, a, b)) return false;
  return !depends_on(m, a, b, is_fed) && !depends_on(m, b, a, feeds);
}

// --- merging ---

static hlo_status move_members(hlo_fuse_graph *graph, int32_t from, int32_t to, hlo_error *error) {
  hlo_fuse_group *g = &graph->groups[to], *h = &graph->groups[from];
  int32_t *members, roots[HLO_FUSE_MOST_ROOTS], count = 0, work = 0, i = 0, k = 0;
  HLO_ALLOC(members, graph->arena, g->count + h->count, error);
  int32_t root_count = collect_outer_roots(graph, to, from, roots);
  while (i < g->count || k < h->count) { // both descend
    int32_t x = i < g->count ? g->members[i] : -1, y = k < h->count ? h->members[k] : -1;
    i += x >= y;
    k += y >= x;
    members[count++] = x >= y ? x : y;
    work += !hlo_fuse_is_scalar(&graph->nodes[members[count - 1]]);
  }
  for (k = 0; k < h->count; k++) {
    hlo_fuse_node *node = &graph->nodes[h->members[k]];
    bool twice = is_member(graph, h->members[k], to);
    for (hlo_fuse_membership **m = &node->memberships; *m != NULL;) {
      if ((*m)->group != from) m = &(*m)->next;
      else if (twice) *m = (*m)->next;
      else (*m)->group = to;
    }
  }
  memcpy(g->roots, roots, (size_t)root_count * sizeof *roots);
  g->root_count = root_count;
  g->is_merged = true;
  g->members = members;
  g->capacity = g->count + h->count;
  g->count = count;
  g->work = work;
  h->root_count = h->count = 0;
  return HLO_OK;
}

// A merged group stands where its first user needs it, and may pull what it reads past others.
static bool has_order(const hlo_fuse_graph *graph) {
  int32_t effects = 0;
  for (int32_t i = 0; i < graph->count; i++) {
    effects += hlo_has_side_effect(graph->nodes[i].instruction);
  }
  return effects > 1;
}

hlo_status hlo_fuse_graph_merge(hlo_fuse_graph *graph, bool in_loop, hlo_error *error) {
  merger m = {.graph = graph};
  if (graph->group_count > MOST_GROUPS || graph->count > MOST_NODES) return HLO_OK;
  if (has_order(graph)) return HLO_OK;
  HLO_ALLOC(m.stack, graph->arena, graph->count, error);
  HLO_ALLOC(m.seen, graph->arena, graph->count, error);
  for (int32_t a = 0; a < graph->group_count; a++) {
    for (int32_t b = a + 1; b < graph->group_count; b++) {
      if (is_mergeable(&m, a, b, in_loop)) HLO_TRY(move_members(graph, b, a, error));
    }
  }
  return HLO_OK;
}
