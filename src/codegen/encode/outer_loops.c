// Writes the loops around inner ones: over blocks of elements, and over reduced rows. See
// inner_loop.h.
#include "codegen/encode/inner_loop.h"
#include "kernels/machine.h"

// How many copies of a step stand side by side: long chains of instructions leave the processor
// idle, but much code takes long to compile.
static int32_t choose_unroll(const hlo_maker *m, bool steps_running) {
  int64_t inner = m->inner_chunk;
  int32_t copies = m->cost <= HLO_UNROLL_FOUR_COST ? 4 : m->cost <= HLO_UNROLL_TWO_COST ? 2 : 1;
  // Running values wait for themselves: more of them side by side.
  if (steps_running && m->cost <= HLO_UNROLL_EIGHT_COST) copies = 8;
  if (m->nest.kind == HLO_NEST_ROW && !hlo_maker_splits_inner(m)) inner = m->nest.inner;
  while (copies > 1 && inner < 4 * (int64_t)copies) copies /= 2;
  return copies > hlo_maker_places(m) ? copies : hlo_maker_places(m);
}

static bool steps_running(const hlo_loop_work *work) {
  return work->root_count > 0 && work->roots[0].kind == HLO_ROOT_RUNNING;
}

// What stands before the loop.
static void prepare_loop(hlo_maker *m, hlo_loop_work *work) {
  hlo_loop_count_roots(m, work);
  m->in_row = true;
  for (int32_t i = 0; i < work->root_count; i++) {
    hlo_maker_prepare(m, work->roots[i].node);
    if (work->roots[i].masked != 0) hlo_maker_prepare(m, work->roots[i].masked);
    if (work->mask_count > 0) hlo_maker_prepare(m, work->roots[i].interior);
    for (int32_t n = 0; n < 2; n++) hlo_maker_prepare(m, work->roots[i].narrow[n]);
  }
  m->in_row = false;
  if (work->unroll == 0) work->unroll = choose_unroll(m, false);
  while (work->mask_count > 0 && work->unroll > 1 && m->nest.inner < 16 * work->unroll)
    work->unroll /= 2; // else few steps would be inside
}

static void start_outer(hlo_maker *m) {
  for (int32_t a = 0; a < m->e->access_count; a++) {
    const hlo_access *access = &m->e->accesses[a];
    if (!access->used) continue;
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, hlo_loop_row_of(access));
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, access->outer);
  }
}

// From now on the nodes that the loop kept are found where it put them.
static void use_slots(hlo_maker *m, const hlo_loop_work *work) {
  for (int32_t i = 0; i < work->root_count; i++) {
    const hlo_loop_root *root = &work->roots[i];
    if (root->kept != 0) hlo_maker_node(m, root->kept)->slot = root->target + 1;
  }
}

static void leave_slots(hlo_maker *m, const hlo_loop_work *work) {
  for (int32_t i = 0; i < work->root_count; i++) {
    const hlo_loop_root *root = &work->roots[i];
    if (hlo_maker_node(m, root->kept)->slot == root->target + 1)
      hlo_maker_node(m, root->kept)->slot = 0;
  }
}

// Loops one after the other over the same elements, which hand values on; `used`: the accesses of
// any of them.
typedef struct loop_sequence {
  int32_t count;
  hlo_loop_work *const *works;
  bool *used;
} loop_sequence;

static bool start_sequence(hlo_maker *m, loop_sequence *s, bool from_outer) {
  s->used = hlo_arena_array(m->e->arena, (size_t)m->e->access_count, sizeof *s->used);
  if (s->used == NULL) m->e->out_of_memory = true;
  for (int32_t i = 0; i < s->count && s->used != NULL; i++) {
    prepare_loop(m, s->works[i]);
    if (from_outer) start_outer(m);
    for (int32_t a = 0; a < m->e->access_count; a++)
      s->used[a] = s->used[a] || m->e->accesses[a].used;
  }
  return s->used != NULL;
}

// The steps of the inner loop that belong to no block yet.
static void count_row_steps(hlo_maker *m, hlo_loop_work *work) {
  int64_t together = 4 * (int64_t)work->unroll / hlo_maker_places(m),
          rest = hlo_loop_length(m) % together;
  int64_t steps = rest == 0 ? 0 : rest / 4 + 1;
  if (work->mask_count > 0 || (m->nest.outer == 0 && m->block == 0)) return;
  if (!hlo_block_sums_are_inside(work, hlo_loop_length(m), together))
    steps += hlo_loop_length(m) / together;
  if (steps > 0) hlo_block_sums_count(m, work, steps);
}

static void write_sequence(hlo_maker *m, const loop_sequence *s, int32_t slices, bool from_outer) {
  for (int32_t i = 0; i < s->count; i++) {
    hlo_loop_count_roots(m, s->works[i]);
    hlo_loop_write_inner(m, s->works[i], slices, from_outer);
    use_slots(m, s->works[i]);
  }
  hlo_loop_work *last = s->works[s->count - 1];
  if (last->blocks != NULL && m->nest.kind == HLO_NEST_ROW) count_row_steps(m, last);
}

// The sequence for each block of elements; then all accesses stand after the last one, or where
// they stood.
static void write_blocks(hlo_maker *m, const loop_sequence *s, bool returns) {
  int32_t left = hlo_maker_integer(m);
  hlo_loop_push_length(m);
  hlo_wasm_local(&m->f, WASM_LOCAL_SET, left);
  m->block = hlo_maker_integer(m);
  hlo_wasm_begin(&m->f, WASM_LOOP);
  for (int i = 0; i < 2; i++) {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, left);
    hlo_wasm_i32(&m->f, HLO_LOOP_BLOCK);
  }
  hlo_wasm_op(&m->f, WASM_I32_LT_S);
  hlo_wasm_op(&m->f, WASM_SELECT);
  hlo_wasm_local(&m->f, WASM_LOCAL_SET, m->block);
  write_sequence(m, s, 1, true);
  m->block = 0;
  for (int32_t a = 0; a < m->e->access_count; a++) {
    const hlo_access *access = &m->e->accesses[a];
    int64_t stride = hlo_access_stride(access, hlo_nest_inner(&m->nest));
    if (s->used[a] && !access->in_block)
      hlo_maker_advance(m, access->outer, HLO_LOOP_BLOCK * stride);
  }
  hlo_maker_advance(m, left, -HLO_LOOP_BLOCK);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, left);
  hlo_wasm_i32(&m->f, 0);
  hlo_wasm_op(&m->f, WASM_I32_GT_S);
  hlo_wasm_branch(&m->f, WASM_BR_IF, 0);
  hlo_wasm_op(&m->f, WASM_END);
  for (int32_t a = 0; returns && a < m->e->access_count; a++) {
    const hlo_access *access = &m->e->accesses[a];
    int64_t stride = hlo_access_stride(access, hlo_nest_inner(&m->nest));
    if (!s->used[a] || access->in_block || stride == 0) continue;
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, access->outer);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, left);
    hlo_loop_push_length(m);
    hlo_wasm_op(&m->f, WASM_I32_SUB);
    hlo_wasm_i32(&m->f, stride);
    hlo_wasm_op(&m->f, WASM_I32_MUL);
    hlo_wasm_op(&m->f, WASM_I32_ADD);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, access->outer);
  }
}

static void count_column_steps(hlo_maker *m, const loop_sequence *s, int64_t steps) {
  hlo_loop_work *work = s->works[s->count - 1];
  if (work->blocks != NULL && m->nest.kind == HLO_NEST_COLUMN) hlo_block_sums_count(m, work, steps);
}

// The loops around the inner one, over reduced elements: `level` and those inside of it.
static void write_outer(hlo_maker *m, const loop_sequence *s, int32_t level, int32_t slices) {
  int32_t inner = hlo_nest_inner(&m->nest);
  if (level == inner) {
    if (s->count > 1 && m->inner_chunk > HLO_LOOP_BLOCK) write_blocks(m, s, true);
    else write_sequence(m, s, slices, m->nest.outer > 0);
    return;
  }
  int64_t size = m->nest.sizes[level];
  bool is_last = level + 1 == inner;
  for (int32_t part = 0; part < 2; part++) { // several at a time, then the rest one by one
    int64_t together = is_last && part == 0 ? slices : 1;
    int64_t times = is_last ? (part == 0 ? size / slices : size % slices) : part == 0 ? size : 0;
    if (times == 0) continue;
    int32_t left = hlo_maker_integer(m);
    hlo_wasm_i32(&m->f, times);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, left);
    hlo_wasm_begin(&m->f, WASM_LOOP);
    write_outer(m, s, level + 1, is_last ? (int32_t)together : slices);
    if (is_last && part == 0) count_column_steps(m, s, 1 + (size % slices + times - 1) / times);
    bool is_far = together > 1 && m->apart > 0;
    for (int32_t a = 0; a < m->e->access_count; a++) {
      const hlo_access *access = &m->e->accesses[a];
      if (!s->used[a]) continue;
      int64_t back = is_last ? 0 : m->nest.sizes[level + 1] * hlo_access_stride(access, level + 1);
      int64_t steps = is_far ? 1 : together;
      hlo_maker_advance(m, access->outer, steps * hlo_access_stride(access, level) - back);
    }
    hlo_maker_advance(m, left, -1);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, left);
    hlo_wasm_branch(&m->f, WASM_BR_IF, 0);
    hlo_wasm_op(&m->f, WASM_END);
    for (int32_t a = 0; is_far && a < m->e->access_count; a++) {
      const hlo_access *access = &m->e->accesses[a];
      int64_t rest = (together - 1) * times * hlo_access_stride(access, level);
      if (s->used[a]) hlo_maker_advance(m, access->outer, rest);
    }
  }
}

static void append_roots(const hlo_loop_work *other, hlo_loop_work *work) {
  for (int32_t i = 0; other != NULL && i < other->root_count; i++)
    work->roots[work->root_count++] = other->roots[i];
}

static bool write_pieces(hlo_maker *m, hlo_loop_work *work) {
  hlo_loop_work *pieces;
  if (work->mask_count > 0) {
    hlo_loop_count_roots(m, work);
    if (m->cost <= HLO_UNROLL_SHORT_INTERIOR) return false;
  }
  int32_t count = hlo_loop_fission(m, work, &pieces);
  if (count == 0) return false;
  work->mask_count = 0;
  hlo_loop_work **all = hlo_arena_array(m->e->arena, (size_t)count + 1, sizeof(hlo_loop_work *));
  if (all == NULL) {
    m->e->out_of_memory = true;
    return false;
  }
  for (int32_t i = 0; i < count; i++) all[i] = &pieces[i];
  all[count] = work;
  hlo_pipelined_stage_share_running(work->early);
  append_roots(work->late, all[0]);
  append_roots(work->early, all[count > 1 ? count - 1 : count]);
  loop_sequence sequence = {.count = count + 1, .works = all};
  if (!start_sequence(m, &sequence, true)) return false;
  if (m->nest.kind == HLO_NEST_COLUMN) write_outer(m, &sequence, m->nest.kept, 1);
  else write_blocks(m, &sequence, false);
  for (int32_t i = 0; i < count; i++) leave_slots(m, &pieces[i]);
  return true;
}

static int32_t slices_of_cost(const hlo_maker *m) {
  int32_t slices = m->one_by_one ? 1 : m->cost <= 8 ? 8 : m->cost <= 20 ? 4 : 1;
  int64_t most = m->nest.sizes[hlo_nest_inner(&m->nest) - 1];
  while (slices > most) slices /= 2;
  return m->apart > 0 ? m->far_rows : slices;
}

int32_t hlo_loop_slices(hlo_maker *m, const hlo_loop_work *work) {
  if (m->nest.outer == 0) return 1;
  hlo_loop_count_roots(m, work);
  return slices_of_cost(m);
}

void hlo_loop_write(hlo_maker *m, hlo_loop_work *work) {
  work->may_stop = work->may_stop && work->root_count == 1;
  bool is_column = m->nest.kind == HLO_NEST_COLUMN,
       has_outer = m->nest.outer > 0 && !work->along_results;
  int32_t slices = 1;
  if (work->root_count == 0) return;
  if (m->count == 0) m->count = hlo_maker_integer(m);
  hlo_loop_split_index_set(m, work);
  if (hlo_loop_work_is_narrow(m)) hlo_loop_narrow_lanes(m, work);
  if (work->lanes == 0 && write_pieces(m, work)) return;
  hlo_loop_count_roots(m, work);
  work->is_long = m->cost > HLO_UNROLL_SHORT_STEP;
  append_roots(work->late, work);
  append_roots(work->early, work);
  loop_sequence sequence = {.count = 1, .works = &work};
  if (!start_sequence(m, &sequence, has_outer)) return;
  if (is_column && has_outer && steps_running(work)) {
    slices = slices_of_cost(m);
    if (slices > 1 && (m->apart == 0 || m->cost > HLO_UNROLL_SHORTEST_STEP)) work->unroll = 1;
  }
  if (has_outer) write_outer(m, &sequence, m->nest.kept, slices);
  else write_sequence(m, &sequence, 1, false);
}

void hlo_loop_write_start(hlo_maker *m, hlo_loop_work *work) {
  int32_t cost = 0;
  if (work->early != NULL) {
    hlo_loop_count_roots(m, work->early);
    cost = m->cost;
  }
  hlo_loop_count_roots(m, work);
  m->cost += cost;
  work->unroll = choose_unroll(m, true);
  m->in_row = true;
  hlo_loop_start_running(m, work);
  hlo_block_sums_start_row(m, work);
  if (work->early != NULL) {
    work->early->unroll = work->unroll;
    hlo_loop_start_running(m, work->early);
  }
  m->in_row = false;
}
