// Loop fission: a loop whose step is a long chain of instructions becomes several short loops, one
// after the other, which hand values on through scratch memory. A processor looks about a hundred
// vector instructions ahead; with short chains that is enough elements to keep it busy. See
// inner_loop.h.
#include "codegen/encode/inner_loop.h"
#include "kernels/machine.h"

enum { MOST_NODES = 4000 }; // of a step that is looked at: more take long to weigh

// What instructions occupy.
typedef struct weight {
  int32_t products, sums, all, slow; // pipes of products, those of sums, pipes; slow instructions
  int32_t latency;
} weight;

typedef struct fission {
  hlo_maker *m;
  int32_t count;
  hlo_node *nodes;   // of the step: operands before users, what depends on running values last
  int32_t movable;   // so many do not depend on running values
  int32_t *position; // by node: 1 + where it is among `nodes`; 0: nowhere
  int32_t *last;     // by position: where its last user is; `count` if the loop's own roots need it
  weight *weights;   // by position
  int32_t *slots;    // by position: values that a piece starting there is handed
  int32_t *ready;    // by position: clocks after the start of a piece
  int32_t *best;     // by position: least time of all before it
  int32_t *start;    // by position: where the last piece before it starts
} fission;

static bool init_fission(hlo_maker *m, fission *f) {
  size_t nodes = (size_t)m->e->graph.count + 1;
  hlo_arena *arena = m->e->arena;
  *f = (fission){.m = m};
  f->nodes = hlo_arena_array(arena, nodes, sizeof *f->nodes);
  f->position = hlo_arena_array(arena, nodes, sizeof *f->position);
  f->last = hlo_arena_array(arena, nodes, sizeof *f->last);
  f->weights = hlo_arena_array(arena, nodes, sizeof *f->weights);
  f->slots = hlo_arena_array(arena, nodes, sizeof *f->slots);
  f->ready = hlo_arena_array(arena, nodes, sizeof *f->ready);
  f->best = hlo_arena_array(arena, nodes, sizeof *f->best);
  f->start = hlo_arena_array(arena, nodes, sizeof *f->start);
  bool made = f->nodes != NULL && f->position != NULL && f->last != NULL && f->weights != NULL &&
              f->slots != NULL && f->ready != NULL && f->best != NULL && f->start != NULL;
  if (!made) m->e->out_of_memory = true;
  return made;
}

// --- the step ---

// What is in memory for any loop to load.
static bool is_load(const fission *f, const hlo_graph_node *node) {
  if (node->slot > 0 || node->kind == HLO_NODE_INDEX) return true;
  if (node->kind != HLO_NODE_LOAD) return false;
  const hlo_access *access = &f->m->e->accesses[node->index];
  int64_t factor = access->position.factors[hlo_nest_inner(&f->m->nest)];
  bool in_rows = access->moved == 0 || hlo_maker_is_uniform(f->m, access->moved);
  return access->guarded == 0 && factor >= -1 && factor <= 1 && in_rows;
}

static void mark(fission *f, hlo_node number) {
  const hlo_graph_node *node = hlo_maker_node(f->m, number);
  if (number == 0 || node->level != HLO_LEVEL_INNER || f->position[number] != 0) return;
  f->position[number] = 1;
  for (int o = 0; node->slot == 0 && o < node->operand_count; o++) mark(f, node->operands[o]);
}

static bool depends_on_running(const fission *f, const hlo_graph_node *node) {
  if (node->slot > 0) return false;
  if (node->kind == HLO_NODE_PARAMETER) return true;
  for (int o = 0; o < node->operand_count; o++) {
    hlo_node operand = node->operands[o];
    if (f->position[operand] > f->movable) return true;
  }
  return false;
}

// Numbers what the work computes. Until it is known what depends on running values, such nodes
// have a position after all others.
static void number_nodes(fission *f, const hlo_loop_work *work) {
  hlo_node all = f->m->e->graph.count;
  for (int32_t i = 0; i < work->root_count; i++) mark(f, work->roots[i].node);
  for (hlo_node i = 1; i < all; i++) {
    if (f->position[i] == 0) continue;
    f->position[i] = all + 1;
    f->movable = all;
    if (depends_on_running(f, hlo_maker_node(f->m, i))) continue;
    f->position[i] = ++f->count;
    f->nodes[f->count - 1] = i;
  }
  f->movable = f->count;
  for (hlo_node i = 1; i < all; i++) {
    if (f->position[i] <= all) continue;
    f->position[i] = ++f->count;
    f->nodes[f->count - 1] = i;
  }
  for (int32_t i = 0; i < f->count; i++) {
    const hlo_graph_node *node = hlo_maker_node(f->m, f->nodes[i]);
    for (int o = 0; node->slot == 0 && o < node->operand_count; o++) {
      int32_t operand = f->position[node->operands[o]] - 1;
      if (operand >= 0) f->last[operand] = i;
    }
  }
  for (int32_t i = 0; i < work->root_count; i++) {
    int32_t at = f->position[work->roots[i].node] - 1;
    if (at >= 0) f->last[at] = f->count;
  }
}

// --- where to cut ---

static weight weigh(const fission *f, const hlo_graph_node *node) {
  if (is_load(f, node)) return (weight){.latency = HLO_FISSION_LOAD_LATENCY};
  if (node->kind == HLO_NODE_SHIFT) return (weight){.sums = 1, .all = 1, .latency = 3};
  bool is_scalar = node->kind == HLO_NODE_LANES || node->kind == HLO_NODE_CALL ||
                   node->kind == HLO_NODE_LOOP || node->kind == HLO_NODE_PATCH;
  if (is_scalar) return (weight){.products = 2, .all = 4, .latency = 12};
  switch (node->kind == HLO_NODE_SIMD ? node->op : SIMD_AND) {
  case SIMD_F32X4_DIV:
  case SIMD_F64X2_DIV:
  case SIMD_F32X4_SQRT:
  case SIMD_F64X2_SQRT:
    return (weight){.products = 2, .all = 2, .slow = 1, .latency = 12};
  case SIMD_F32X4_MUL:
  case SIMD_F64X2_MUL:
  case SIMD_F32X4_RELAXED_MADD:
  case SIMD_F32X4_RELAXED_NMADD:
  case SIMD_I32X4_RELAXED_LANESELECT:
    return (weight){.products = 1, .all = 1, .latency = 3};
  case SIMD_AND:
  case SIMD_OR:
  case SIMD_XOR:
  case SIMD_ANDNOT:
  case SIMD_I32X4_ADD:
  case SIMD_I32X4_SUB:
    return (weight){.all = 1, .latency = 3};
  case SIMD_BITSELECT: // three instructions
    return (weight){.all = 3, .latency = 3};
  default: // comparisons, conversions, minima too
    return (weight){.sums = 1, .all = 1, .latency = 3};
  }
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

// Of a piece, the longest chain of which is of latency `depth`.
static int32_t time_of(const weight *sum, int32_t depth) {
  int32_t pipes = larger(sum->products, sum->sums) * HLO_FISSION_PIPE_TIME;
  int32_t issue =
      larger(larger(pipes, sum->all * HLO_FISSION_ANY_TIME), sum->slow * HLO_FISSION_SLOW_TIME);
  return HLO_FISSION_LOOP_TIME + larger(issue, depth * sum->all * 100 / HLO_FISSION_WINDOW);
}

// Best ways to end a piece anywhere after `start`, which a piece starts with.
static void extend(fission *f, int32_t start) {
  weight sum = {0};
  int32_t depth = 0, end = start + HLO_FISSION_LONGEST_PIECE;
  for (int32_t i = start; i < f->count && i < end; i++) {
    const hlo_graph_node *node = hlo_maker_node(f->m, f->nodes[i]);
    const weight own = f->weights[i];
    int32_t from = 0;
    for (int o = 0; node->slot == 0 && o < node->operand_count; o++) {
      int32_t operand = f->position[node->operands[o]] - 1;
      from = larger(from, operand < 0       ? 0
                          : operand < start ? HLO_FISSION_ROOM_LATENCY
                                            : f->ready[operand]);
    }
    f->ready[i] = from + own.latency;
    depth = larger(depth, f->ready[i]);
    sum.products += own.products;
    sum.sums += own.sums;
    sum.all += own.all;
    sum.slow += own.slow;
    int32_t time = f->best[start] + f->slots[start] * HLO_FISSION_SLOT_TIME + time_of(&sum, depth);
    if (time >= f->best[i + 1] || (i + 1 > f->movable && i + 1 < f->count)) continue;
    f->best[i + 1] = time;
    f->start[i + 1] = start;
  }
}

static bool is_handed_on(const fission *f, int32_t position, int32_t end) {
  return f->last[position] >= end && !is_load(f, hlo_maker_node(f->m, f->nodes[position]));
}

static void weigh_nodes(fission *f) {
  for (int32_t i = 0; i < f->count; i++) {
    f->weights[i] = weigh(f, hlo_maker_node(f->m, f->nodes[i]));
    if (!is_handed_on(f, i, i + 1)) continue;
    f->slots[i + 1]++; // from here
    f->slots[f->last[i] + 1]--;
  }
  for (int32_t i = 0; i < f->count; i++) f->slots[i + 1] += f->slots[i];
}

static void select_pieces(fission *f) {
  for (int32_t i = 1; i <= f->count; i++) f->best[i] = INT32_MAX;
  for (int32_t start = 0; start < f->count; start++) {
    if (f->best[start] < INT32_MAX && f->slots[start] <= HLO_FISSION_MOST_SLOTS) extend(f, start);
  }
}

static int32_t write_piece(hlo_maker *m, const fission *f, int32_t end, hlo_loop_work *pieces) {
  int32_t start = f->start[end], number = start == 0 ? 0 : write_piece(m, f, start, pieces);
  hlo_loop_work *piece = &pieces[number];
  for (int32_t i = start; i < end && end < f->count; i++) {
    if (!is_handed_on(f, i, end)) continue;
    int32_t slot = hlo_maker_new_block_slot(m);
    hlo_loop_work_add_root(m, piece, HLO_ROOT_SLOT, f->nodes[i], slot)->kept = f->nodes[i];
  }
  return number + 1;
}

int32_t hlo_loop_fission(hlo_maker *m, const hlo_loop_work *work, hlo_loop_work **pieces) {
  fission f;
  *pieces = NULL;
  bool is_long = m->nest.kind == HLO_NEST_ROW && !m->splits
                     ? m->nest.inner >= HLO_FISSION_SHORTEST_LOOP
                     : m->inner_chunk >= HLO_FISSION_SHORTEST_LOOP;
  bool is_column = m->nest.kind == HLO_NEST_COLUMN;
  if (is_column ? work->along_results : m->nest.outer > 0) return 0;
  if (!is_long || work->may_stop || m->away > 0) return 0;
  hlo_maker_analyze(m);
  if (!init_fission(m, &f)) return 0;
  number_nodes(&f, work);
  if (f.count < HLO_FISSION_FEWEST_NODES || f.count > MOST_NODES) return 0;
  f.best[f.count] = INT32_MAX;
  weigh_nodes(&f);
  select_pieces(&f);
  int32_t count = 0;
  for (int32_t at = f.count; at > 0; at = f.start[at]) count++;
  if (f.best[f.count] == INT32_MAX || count < 2) return 0;
  *pieces = hlo_arena_array(m->e->arena, (size_t)count, sizeof **pieces);
  if (*pieces == NULL) {
    m->e->out_of_memory = true;
    return 0;
  }
  return write_piece(m, &f, f.count, *pieces) - 1;
}
