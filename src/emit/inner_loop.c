// Writes loops over elements: copies of the step side by side, then what is left. See inner_loop.h.
#include "emit/inner_loop.h"

enum {
  SHORTEST_STEP = 4, // instructions
  SHORT_STEP = 16,
  SHORT_INTERIOR = 80, // all of it is seen by the processor at a time
  SEARCHED = 8,        // vectors that are searched at a time
};

// --- the steps ---

static void count_roots(hlo_maker *m, const hlo_loop_work *work) {
  m->epoch++;
  m->cost = 0;
  for (int32_t a = 0; a < m->e->access_count; a++) m->e->accesses[a].used = false;
  int32_t interior = 0;
  for (int32_t i = 0; i < work->root_count && work->mask_count > 0; i++) {
    hlo_maker_count(m, work->roots[i].interior);
    interior = m->cost;
  }
  for (int32_t i = 0; i < work->root_count; i++) {
    const hlo_loop_root *root = &work->roots[i];
    hlo_maker_count(m, root->node);
    if (root->masked != 0) hlo_maker_count(m, root->masked);
    for (int32_t n = 0; n < 2; n++) hlo_maker_count(m, root->narrow[n]);
    if (root->kind == HLO_ROOT_ROOM) m->e->accesses[root->target].used = true;
    if (root->kind == HLO_ROOT_OUTPUT)
      m->e->accesses[m->e->outputs[root->target].access].used = true;
    if (root->room >= 0) m->e->accesses[root->room].used = true;
  }
  for (int32_t n = 0; n < m->e->reduction_count && work->loads_running; n++) {
    const hlo_emit_reduction *r = &m->e->reductions[n];
    for (int32_t i = 0; r->stage == work->stage && i < r->runs; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++)
        m->e->accesses[r->room[i][part]].used = true;
    }
  }
  if (interior > 0) m->cost = interior; // where most steps are
}

static hlo_node node_of(const hlo_maker *m, const hlo_loop_root *root) {
  return m->lanes > 4                         ? root->narrow[m->interior]
         : m->masked && root->masked != 0     ? root->masked
         : m->interior && root->interior != 0 ? root->interior
                                              : root->node;
}

static void set_parameter(hlo_maker *m, hlo_node parameter, int32_t from) {
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, from);
  hlo_wasm_local(&m->f, WASM_LOCAL_SET, hlo_maker_node(m, parameter)->local);
}

static void load_running(hlo_maker *m, const hlo_loop_work *work) {
  for (int32_t n = 0; n < m->e->reduction_count; n++) {
    const hlo_emit_reduction *r = &m->e->reductions[n];
    for (int32_t i = 0; r->stage == work->stage && i < r->runs; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++) {
        hlo_maker_push_room(m, r->room[i][part]);
        hlo_wasm_local(&m->f, WASM_LOCAL_SET, hlo_maker_node(m, r->running[i].part[part])->local);
      }
    }
  }
}

static void compute_roots(hlo_maker *m, hlo_loop_work *work) {
  m->computed++;
  for (int32_t i = 0; i < work->root_count; i++) {
    hlo_loop_root *root = &work->roots[i];
    hlo_maker_push(m, node_of(m, root));
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, root->value);
  }
}

// Of the copy under way: the second place has the second half of the locals.
static int32_t running_of(const hlo_maker *m, const hlo_loop_work *work,
                          const hlo_loop_root *root) {
  bool second = m->away > 0 && m->step >= m->copies;
  return root->running[second ? m->step - m->copies + work->unroll / 2 : m->step];
}

static void store_root(hlo_maker *m, hlo_loop_work *work, int32_t i) {
  const hlo_loop_root *root = &work->roots[i];
  if (root->kind == HLO_ROOT_ROOM) {
    hlo_maker_store_room(m, root->target, root->value);
  } else if (root->kind == HLO_ROOT_OUTPUT) {
    const hlo_emit_output *output = &m->e->outputs[root->target];
    int32_t parts[HLO_VALUE_PARTS];
    if (root->part > 0) return;
    for (int32_t part = 0; part < HLO_VALUE_PARTS && output->memory.part[part] != 0; part++)
      parts[part] = work->roots[i + part].value;
    hlo_maker_store(m, output->access, parts);
  } else if (root->room >= 0) {
    hlo_maker_store_room(m, root->room, root->value);
  } else {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, root->value);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, running_of(m, work, root));
  }
}

// One copy of the step. All values before all stores: a result may take the place of an operand.
static void write_step(hlo_maker *m, hlo_loop_work *work, int32_t slices) {
  if (work->loads_running) load_running(m, work);
  for (m->slice = 0; m->slice < slices; m->slice++) {
    for (int32_t i = 0; i < work->root_count; i++) {
      const hlo_loop_root *root = &work->roots[i];
      if (root->kind != HLO_ROOT_RUNNING) continue;
      if (root->room < 0) hlo_maker_node(m, root->target)->local = running_of(m, work, root);
      else if (m->slice > 0) set_parameter(m, root->target, root->value);
    }
    compute_roots(m, work);
  }
  m->slice = 0;
  for (int32_t i = 0; i < work->root_count; i++) store_root(m, work, i);
}

// All copies of the step side by side, so that the processor finds enough that does not wait.
static void write_interleaved(hlo_maker *m, hlo_loop_work *work, int32_t copies) {
  m->interleaved = true;
  m->computed++;
  for (int32_t i = 0; i < work->root_count; i++) {
    const hlo_loop_root *root = &work->roots[i];
    if (root->kind == HLO_ROOT_RUNNING) hlo_maker_node(m, root->target)->local = root->running[0];
  }
  for (int32_t i = 0; i < work->root_count; i++)
    hlo_maker_compute(m, node_of(m, &work->roots[i]), copies);
  for (m->step = 0; m->step < copies; m->step++) {
    for (int32_t i = 0; i < work->root_count; i++) {
      hlo_maker_push(m, node_of(m, &work->roots[i]));
      hlo_wasm_local(&m->f, WASM_LOCAL_SET, work->roots[i].value);
    }
    for (int32_t i = 0; i < work->root_count; i++) store_root(m, work, i);
  }
  m->interleaved = false;
}

static void push_count_below(hlo_maker *m, int64_t limit, uint32_t op) {
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, m->count);
  hlo_wasm_i32(&m->f, limit);
  hlo_wasm_op(&m->f, op);
}

static void set_mask(hlo_maker *m) {
  hlo_graph_node order = {.kind = HLO_NODE_CONSTANT};
  for (int i = 0; i < 4; i++) order.immediate[4 * i] = (uint8_t)i;
  hlo_maker_push(m, hlo_graph_add(&m->e->graph, &order));
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, m->count);
  hlo_wasm_simd(&m->f, SIMD_I32X4_SPLAT);
  hlo_wasm_simd(&m->f, SIMD_I32X4_LT_S);
  if (hlo_maker_node(m, m->mask)->local < 0) {
    int32_t local = hlo_maker_vector(m);
    hlo_maker_node(m, m->mask)->local = local;
  }
  hlo_wasm_local(&m->f, WASM_LOCAL_SET, hlo_maker_node(m, m->mask)->local);
}

static const hlo_emit_reduction *reduction_of(const hlo_maker *m, const hlo_loop_work *work) {
  const hlo_emit_reduction *r = NULL;
  for (int32_t n = 0; n < m->e->reduction_count; n++) {
    if (m->e->reductions[n].stage == work->stage) r = &m->e->reductions[n];
  }
  return r;
}

// Makes of "more elements are left" on the stack "more are left and nothing was found".
static void push_not_found(hlo_maker *m, const hlo_loop_work *work) {
  for (int32_t copy = 0; copy < work->unroll; copy++) {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, work->roots[0].running[copy]);
    if (copy > 0) hlo_wasm_simd(&m->f, SIMD_AND);
  }
  hlo_maker_push(m, reduction_of(m, work)->start[0].part[0]);
  hlo_wasm_simd(&m->f, SIMD_XOR);
  hlo_wasm_simd(&m->f, SIMD_ANY_TRUE);
  hlo_wasm_op(&m->f, WASM_I32_EQZ);
  hlo_wasm_op(&m->f, WASM_I32_AND);
}

static void advance_inner(hlo_maker *m, int64_t elements) {
  for (int32_t a = 0; a < m->e->access_count; a++) {
    const hlo_access *access = &m->e->accesses[a];
    int64_t stride = hlo_access_stride(access, hlo_nest_inner(&m->nest));
    if (access->used) hlo_maker_advance(m, access->inner, elements * stride);
  }
  hlo_maker_advance(m, m->count, -elements);
}

static int32_t places_of(const hlo_maker *m) { return m->away > 0 ? 2 : 1; }

// Copies of the step, and what stands behind them.
static void write_copies(hlo_maker *m, hlo_loop_work *work, int32_t copies, int32_t slices) {
  m->copies = copies / places_of(m);
  bool interleaves = copies > 1 && slices == 1 && !work->loads_running && m->block == 0 &&
                     !m->masked && work->is_long;
  if (interleaves) write_interleaved(m, work, copies);
  else
    for (m->step = 0; m->step < copies; m->step++) write_step(m, work, slices);
  m->step = 0;
  advance_inner(m, m->lanes * m->copies);
}

// As long as there are elements for a step: all copies where masks are known, else one.
static void write_interior(hlo_maker *m, hlo_loop_work *work, int32_t copies) {
  hlo_wasm_begin(&m->f, WASM_LOOP);
  push_count_below(m, m->lanes * copies, WASM_I32_GE_S);
  hlo_loop_interior_push(m, work, m->lanes * copies);
  hlo_wasm_begin(&m->f, WASM_IF);
  m->interior = true;
  m->exists = work->interior_exists;
  write_copies(m, work, copies, 1);
  m->interior = m->exists = false;
  hlo_wasm_branch(&m->f, WASM_BR, 1);
  hlo_wasm_op(&m->f, WASM_END);
  push_count_below(m, m->lanes, WASM_I32_GE_S);
  hlo_wasm_begin(&m->f, WASM_IF);
  write_copies(m, work, 1, 1);
  hlo_wasm_branch(&m->f, WASM_BR, 1);
  hlo_wasm_op(&m->f, WASM_END);
  hlo_wasm_op(&m->f, WASM_END);
}

// Steps as long as there are elements for one, or one step where that is known to be so.
static void write_steps_if(hlo_maker *m, hlo_loop_work *work, int32_t copies, int32_t slices,
                           int64_t elements, bool once) {
  if (!once) {
    push_count_below(m, elements, WASM_I32_GE_S);
    hlo_wasm_begin(&m->f, WASM_IF);
    hlo_wasm_begin(&m->f, WASM_LOOP);
  }
  if (m->masked && m->nest.kind == HLO_NEST_ROW) set_mask(m);
  write_copies(m, work, copies, slices);
  if (once) return;
  push_count_below(m, m->masked ? 0 : m->lanes * m->copies,
                   m->masked ? WASM_I32_GT_S : WASM_I32_GE_S);
  if (work->may_stop) push_not_found(m, work);
  hlo_wasm_branch(&m->f, WASM_BR_IF, 0);
  hlo_wasm_op(&m->f, WASM_END);
  hlo_wasm_op(&m->f, WASM_END);
}

// Whether each call visits all elements of the inner loop.
static bool is_whole(const hlo_maker *m) {
  return m->nest.kind == HLO_NEST_ROW ? !hlo_maker_splits_inner(m) : m->whole_rows;
}

// Elements of the inner loop that a call visits.
static void push_length(hlo_maker *m) {
  if (is_whole(m)) {
    hlo_wasm_i32(&m->f, m->nest.inner);
    return;
  }
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_INNER_END);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_INNER);
  hlo_wasm_op(&m->f, WASM_I32_SUB);
}

static int32_t row_local(const hlo_access *access) {
  return access->late != 0 ? access->late : access->row;
}

static void start_inner(hlo_maker *m, bool from_outer) {
  for (int32_t a = 0; a < m->e->access_count; a++) {
    const hlo_access *access = &m->e->accesses[a];
    if (!access->used) continue;
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, from_outer ? access->outer : row_local(access));
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, access->inner);
  }
  if (m->block > 0) hlo_wasm_local(&m->f, WASM_LOCAL_GET, m->block);
  else push_length(m);
  hlo_wasm_local(&m->f, WASM_LOCAL_SET, m->count);
}

// Goes on to elements one of which is what is looked for; if there are none, to the start.
static void write_search(hlo_maker *m, const hlo_loop_work *work) {
  hlo_node finds = reduction_of(m, work)->finds;
  hlo_wasm_begin(&m->f, WASM_BLOCK);
  hlo_wasm_begin(&m->f, WASM_LOOP);
  for (m->step = 0; m->step < SEARCHED; m->step++) {
    m->computed++;
    hlo_maker_push(m, finds);
    if (m->step > 0) hlo_wasm_simd(&m->f, SIMD_OR);
  }
  m->step = 0;
  hlo_wasm_simd(&m->f, SIMD_ANY_TRUE);
  hlo_wasm_branch(&m->f, WASM_BR_IF, 1);
  advance_inner(m, 4 * SEARCHED);
  push_count_below(m, 4 * SEARCHED, WASM_I32_GE_S);
  hlo_wasm_branch(&m->f, WASM_BR_IF, 0);
  hlo_wasm_op(&m->f, WASM_END);
  start_inner(m, false);
  hlo_wasm_op(&m->f, WASM_END);
}

// Whether the inner loop is known to go round once or not at all, and the one with masks behind it,
// too, as over the channels of a pixel.
static bool is_one_step(const hlo_maker *m, const hlo_loop_work *work, int64_t together) {
  int64_t inner = m->nest.inner, rest = inner % together;
  return is_whole(m) && m->lanes == 4 && m->block == 0 && m->away == 0 && work->mask_count == 0 &&
         !work->may_stop && inner < 2 * together && rest <= 4;
}

static void write_inner(hlo_maker *m, hlo_loop_work *work, int32_t slices, bool from_outer) {
  start_inner(m, from_outer);
  if (work->may_stop && m->nest.inner >= 4 * SEARCHED) write_search(m, work);
  if (work->lanes > 0) m->lanes = work->lanes;
  int64_t together = m->lanes * work->unroll / places_of(m);
  bool once = is_one_step(m, work, together);
  if (work->mask_count > 0) {
    write_interior(m, work, work->unroll);
    together = m->lanes;
  }
  // Of narrow lanes one copy, too: what is left takes several steps of four.
  for (int32_t copies = work->mask_count > 0 ? 0 : work->unroll; copies > 0;
       copies = m->lanes > 4 ? copies / 2 : 0) {
    together = m->lanes * copies / places_of(m);
    if (m->nest.inner >= together) write_steps_if(m, work, copies, slices, together, once);
  }
  m->lanes = 4;
  if (m->nest.inner % together == 0) return;
  m->masked = true;
  write_steps_if(m, work, places_of(m), slices, 1, once);
  m->masked = false;
}

// How many copies of a step stand side by side: long chains of instructions leave the processor
// idle, but much code takes long to compile.
static int32_t choose_unroll(const hlo_maker *m, bool steps_running) {
  int64_t inner = m->inner_chunk;
  int32_t copies = m->cost <= 120 ? 4 : m->cost <= 250 ? 2 : 1;
  // Running values wait for themselves: more of them side by side.
  if (steps_running && m->cost <= 5) copies = 8;
  if (m->nest.kind == HLO_NEST_ROW && !hlo_maker_splits_inner(m)) inner = m->nest.inner;
  while (copies > 1 && inner < 4 * (int64_t)copies) copies /= 2;
  return copies > places_of(m) ? copies : places_of(m);
}

static bool steps_running(const hlo_loop_work *work) {
  return work->root_count > 0 && work->roots[0].kind == HLO_ROOT_RUNNING;
}

// What stands before the loop.
static void prepare_loop(hlo_maker *m, hlo_loop_work *work) {
  count_roots(m, work);
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
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, row_local(access));
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, access->outer);
  }
}

// From now on the nodes that the loop kept are found where it put them.
static void use_rooms(hlo_maker *m, const hlo_loop_work *work) {
  for (int32_t i = 0; i < work->root_count; i++) {
    const hlo_loop_root *root = &work->roots[i];
    if (root->kept != 0) hlo_maker_node(m, root->kept)->room = root->target + 1;
  }
}

static void leave_rooms(hlo_maker *m, const hlo_loop_work *work) {
  for (int32_t i = 0; i < work->root_count; i++) {
    const hlo_loop_root *root = &work->roots[i];
    if (hlo_maker_node(m, root->kept)->room == root->target + 1)
      hlo_maker_node(m, root->kept)->room = 0;
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

static void write_sequence(hlo_maker *m, const loop_sequence *s, int32_t slices, bool from_outer) {
  for (int32_t i = 0; i < s->count; i++) {
    if (s->count > 1) count_roots(m, s->works[i]);
    write_inner(m, s->works[i], slices, from_outer);
    use_rooms(m, s->works[i]);
  }
}

// The sequence for each block of elements; then all accesses stand behind the last one, or where
// they stood.
static void write_blocks(hlo_maker *m, const loop_sequence *s, bool returns) {
  int32_t left = hlo_maker_integer(m);
  push_length(m);
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
    push_length(m);
    hlo_wasm_op(&m->f, WASM_I32_SUB);
    hlo_wasm_i32(&m->f, stride);
    hlo_wasm_op(&m->f, WASM_I32_MUL);
    hlo_wasm_op(&m->f, WASM_I32_ADD);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, access->outer);
  }
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

static void add_beside(const hlo_loop_work *other, hlo_loop_work *work) {
  for (int32_t i = 0; other != NULL && i < other->root_count; i++)
    work->roots[work->root_count++] = other->roots[i];
}

static bool write_pieces(hlo_maker *m, hlo_loop_work *work) {
  hlo_loop_work *pieces;
  if (work->mask_count > 0) {
    count_roots(m, work);
    if (m->cost <= SHORT_INTERIOR) return false;
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
  hlo_early_stage_share_running(work->early);
  add_beside(work->late, all[0]);
  add_beside(work->early, all[count > 1 ? count - 1 : count]);
  loop_sequence sequence = {.count = count + 1, .works = all};
  if (!start_sequence(m, &sequence, true)) return false;
  if (m->nest.kind == HLO_NEST_COLUMN) write_outer(m, &sequence, m->nest.kept, 1);
  else write_blocks(m, &sequence, false);
  for (int32_t i = 0; i < count; i++) leave_rooms(m, &pieces[i]);
  return true;
}

void hlo_loop_write(hlo_maker *m, hlo_loop_work *work) {
  work->may_stop = work->may_stop && work->root_count == 1;
  bool is_column = m->nest.kind == HLO_NEST_COLUMN,
       has_outer = m->nest.outer > 0 && !work->along_results;
  int32_t slices = 1;
  if (work->root_count == 0) return;
  if (m->count == 0) m->count = hlo_maker_integer(m);
  hlo_loop_interior_make(m, work);
  if (hlo_loop_work_is_narrow(m)) hlo_loop_narrow_make(m, work);
  if (work->lanes == 0 && write_pieces(m, work)) return;
  count_roots(m, work);
  work->is_long = m->cost > SHORT_STEP;
  add_beside(work->late, work);
  add_beside(work->early, work);
  loop_sequence sequence = {.count = 1, .works = &work};
  if (!start_sequence(m, &sequence, has_outer)) return;
  if (is_column && has_outer && steps_running(work)) {
    slices = m->one_by_one ? 1 : m->cost <= 8 ? 8 : m->cost <= 20 ? 4 : 1;
    int64_t most = m->nest.sizes[hlo_nest_inner(&m->nest) - 1];
    while (slices > most) slices /= 2;
    if (m->apart > 0) slices = m->far_rows;
    if (slices > 1 && (m->apart == 0 || m->cost > SHORTEST_STEP)) work->unroll = 1;
  }
  if (has_outer) write_outer(m, &sequence, m->nest.kept, slices);
  else write_sequence(m, &sequence, 1, false);
}

void hlo_loop_write_once(hlo_maker *m, hlo_loop_work *work) {
  count_roots(m, work);
  m->in_row = true;
  for (int32_t i = 0; i < work->root_count; i++) hlo_maker_prepare(m, work->roots[i].node);
  compute_roots(m, work);
  for (int32_t i = 0; i < work->root_count; i++) store_root(m, work, i);
  m->in_row = false;
}

// Sets the running values of the work's stage, which are its first roots.
static void start_running(hlo_maker *m, hlo_loop_work *work) {
  for (int32_t n = 0, at = 0; n < m->e->reduction_count; n++) {
    const hlo_emit_reduction *r = &m->e->reductions[n];
    for (int32_t i = 0; r->stage == work->stage && i < r->runs; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++, at++) {
        hlo_maker_prepare(m, r->start[i].part[part]);
        for (int32_t copy = 0; copy < work->unroll; copy++)
          work->roots[at].running[copy] = hlo_maker_vector(m);
        for (int32_t copy = 0; copy < work->unroll; copy++) {
          hlo_maker_push(m, r->start[i].part[part]);
          hlo_wasm_local(&m->f, WASM_LOCAL_SET, work->roots[at].running[copy]);
        }
      }
    }
  }
}

void hlo_loop_write_start(hlo_maker *m, hlo_loop_work *work) {
  int32_t cost = 0;
  if (work->early != NULL) {
    count_roots(m, work->early);
    cost = m->cost;
  }
  count_roots(m, work);
  m->cost += cost;
  work->unroll = choose_unroll(m, true);
  m->in_row = true;
  start_running(m, work);
  if (work->early != NULL) {
    work->early->unroll = work->unroll;
    start_running(m, work->early);
  }
  m->in_row = false;
}
