// Writes loops over elements: copies of the step side by side, then what is left. See inner_loop.h.
#include "codegen/encode/inner_loop.h"

#include "kernels/machine.h"

enum { SEARCHED = 8 }; // vectors that are searched at a time

// --- the steps ---

void hlo_loop_count_roots(hlo_maker *m, const hlo_loop_work *work) {
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
    if (root->kind == HLO_ROOT_SLOT) m->e->accesses[root->target].used = true;
    if (root->kind == HLO_ROOT_OUTPUT)
      m->e->accesses[m->e->outputs[root->target].access].used = true;
    if (root->slot >= 0) m->e->accesses[root->slot].used = true;
  }
  for (int32_t n = 0; n < m->e->reduction_count && work->loads_running; n++) {
    const hlo_emit_reduction *r = &m->e->reductions[n];
    for (int32_t i = 0; r->stage == work->stage && i < r->runs; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++)
        m->e->accesses[r->slot[i][part]].used = true;
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

// Whether the rows at hand are added before the running value takes them in.
static bool sums_slices(const hlo_loop_root *root, int32_t slices) {
  return slices > 1 && root->first != 0;
}

static bool is_loaded(const hlo_loop_work *work, hlo_node running, int32_t slices) {
  bool loaded = true;
  for (int32_t i = 0; i < work->root_count; i++)
    loaded = loaded && (work->roots[i].target != running || !sums_slices(&work->roots[i], slices));
  return loaded;
}

static void load_running(hlo_maker *m, const hlo_loop_work *work, int32_t slices) {
  for (int32_t n = 0; n < m->e->reduction_count; n++) {
    const hlo_emit_reduction *r = &m->e->reductions[n];
    for (int32_t i = 0; r->stage == work->stage && i < r->runs; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++) {
        hlo_node running = r->running[i].part[part];
        if (!is_loaded(work, running, slices)) continue;
        hlo_maker_push_slot(m, r->slot[i][part]);
        hlo_wasm_local(&m->f, WASM_LOCAL_SET, hlo_maker_node(m, running)->local);
      }
    }
  }
}

static void compute_roots(hlo_maker *m, hlo_loop_work *work, int32_t slices) {
  m->computed++;
  for (int32_t i = 0; i < work->root_count; i++) {
    hlo_loop_root *root = &work->roots[i];
    bool begins = sums_slices(root, slices) && m->slice == 0;
    hlo_maker_push(m, begins ? root->first : node_of(m, root));
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
  if (root->kind == HLO_ROOT_SLOT) {
    hlo_maker_store_slot(m, root->target, root->value);
  } else if (root->kind == HLO_ROOT_OUTPUT) {
    const hlo_emit_output *output = &m->e->outputs[root->target];
    int32_t parts[HLO_VALUE_PARTS];
    if (root->part > 0) return;
    for (int32_t part = 0; part < HLO_VALUE_PARTS && output->memory.part[part] != 0; part++)
      parts[part] = work->roots[i + part].value;
    hlo_maker_store(m, output->access, parts);
  } else if (root->slot >= 0) {
    hlo_maker_store_slot(m, root->slot, root->value);
  } else {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, root->value);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, running_of(m, work, root));
  }
}

// The running values take in what the rows at hand have become.
static void add_slices(hlo_maker *m, const hlo_loop_work *work, int32_t slices) {
  for (int32_t i = 0; i < work->root_count; i++) {
    const hlo_loop_root *root = &work->roots[i];
    if (!sums_slices(root, slices)) continue;
    hlo_maker_push_slot(m, root->slot);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, root->value);
    hlo_wasm_simd(&m->f, root->add);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, root->value);
  }
}

// One copy of the step. All values before all stores: a result may take the place of an operand.
static void write_step(hlo_maker *m, hlo_loop_work *work, int32_t slices) {
  if (work->loads_running) load_running(m, work, slices);
  for (m->slice = 0; m->slice < slices; m->slice++) {
    for (int32_t i = 0; i < work->root_count; i++) {
      const hlo_loop_root *root = &work->roots[i];
      if (root->kind != HLO_ROOT_RUNNING) continue;
      if (root->slot < 0) hlo_maker_node(m, root->target)->local = running_of(m, work, root);
      else if (m->slice > 0) set_parameter(m, root->target, root->value);
    }
    compute_roots(m, work, slices);
  }
  m->slice = 0;
  add_slices(m, work, slices);
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

// Whether each call visits all elements of the inner loop.
static bool is_whole(const hlo_maker *m) {
  return m->nest.kind == HLO_NEST_ROW ? !hlo_maker_splits_inner(m) : m->whole_rows;
}

int64_t hlo_loop_length(const hlo_maker *m) {
  if (m->block > 0) return HLO_LOOP_BLOCK;
  return is_whole(m) ? m->nest.inner : m->inner_chunk;
}

// Copies of the step, and what stands after them.
static void write_copies(hlo_maker *m, hlo_loop_work *work, int32_t copies, int32_t slices) {
  m->copies = copies / hlo_maker_places(m);
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
  hlo_loop_push_masks_known(m, work, m->lanes * copies);
  hlo_wasm_begin(&m->f, WASM_IF);
  m->interior = true;
  m->exists = work->interior_exists;
  write_copies(m, work, copies, 1);
  m->interior = m->exists = false;
  if (work->blocks != NULL) hlo_block_sums_count(m, work, 1);
  hlo_wasm_branch(&m->f, WASM_BR, 1);
  hlo_wasm_op(&m->f, WASM_END);
  push_count_below(m, m->lanes, WASM_I32_GE_S);
  hlo_wasm_begin(&m->f, WASM_IF);
  write_copies(m, work, 1, 1);
  if (work->blocks != NULL) hlo_block_sums_count(m, work, 1);
  hlo_wasm_branch(&m->f, WASM_BR, 1);
  hlo_wasm_op(&m->f, WASM_END);
  hlo_wasm_op(&m->f, WASM_END);
}

// Steps as long as there are elements for one, or one step where that is known to be so.
static void write_steps_if(hlo_maker *m, hlo_loop_work *work, int32_t copies, int32_t slices,
                           int64_t elements, bool once) {
  bool ends_blocks =
      !once && !m->masked && hlo_block_sums_are_inside(work, hlo_loop_length(m), elements);
  int32_t limit = 0;
  if (!once) {
    push_count_below(m, elements, WASM_I32_GE_S);
    hlo_wasm_begin(&m->f, WASM_IF);
    if (ends_blocks) hlo_wasm_begin(&m->f, WASM_LOOP);
    if (ends_blocks) limit = hlo_block_sums_push_limit(m, work, elements);
    hlo_wasm_begin(&m->f, WASM_LOOP);
  }
  if (m->masked && m->nest.kind == HLO_NEST_ROW) set_mask(m);
  write_copies(m, work, copies, slices);
  if (once) return;
  if (ends_blocks) {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, m->count);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, limit);
    hlo_wasm_op(&m->f, WASM_I32_GE_S);
    hlo_wasm_branch(&m->f, WASM_BR_IF, 0);
    hlo_wasm_op(&m->f, WASM_END);
    hlo_block_sums_end(m, work);
  }
  push_count_below(m, m->masked ? 0 : m->lanes * m->copies,
                   m->masked ? WASM_I32_GT_S : WASM_I32_GE_S);
  if (work->may_stop) push_not_found(m, work);
  hlo_wasm_branch(&m->f, WASM_BR_IF, 0);
  hlo_wasm_op(&m->f, WASM_END);
  hlo_wasm_op(&m->f, WASM_END);
}

void hlo_loop_push_length(hlo_maker *m) {
  if (is_whole(m)) {
    hlo_wasm_i32(&m->f, m->nest.inner);
    return;
  }
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_INNER_END);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_INNER);
  hlo_wasm_op(&m->f, WASM_I32_SUB);
}

static void start_inner(hlo_maker *m, bool from_outer) {
  for (int32_t a = 0; a < m->e->access_count; a++) {
    const hlo_access *access = &m->e->accesses[a];
    if (!access->used) continue;
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, from_outer ? access->outer : hlo_loop_row_of(access));
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, access->inner);
  }
  if (m->block > 0) hlo_wasm_local(&m->f, WASM_LOCAL_GET, m->block);
  else hlo_loop_push_length(m);
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

// Whether the inner loop is known to go round once or not at all, and the one with masks after it,
// too, as over the channels of a pixel.
static bool is_one_step(const hlo_maker *m, const hlo_loop_work *work, int64_t together) {
  int64_t inner = m->nest.inner, rest = inner % together;
  return is_whole(m) && m->lanes == 4 && m->block == 0 && m->away == 0 && work->mask_count == 0 &&
         !work->may_stop && inner < 2 * together && rest <= 4;
}

void hlo_loop_write_inner(hlo_maker *m, hlo_loop_work *work, int32_t slices, bool from_outer) {
  start_inner(m, from_outer);
  if (work->may_stop && m->nest.inner >= 4 * SEARCHED) write_search(m, work);
  if (work->lanes > 0) m->lanes = work->lanes;
  int64_t together = m->lanes * work->unroll / hlo_maker_places(m);
  bool once = is_one_step(m, work, together);
  if (work->mask_count > 0) {
    write_interior(m, work, work->unroll);
    together = m->lanes;
  }
  // Of narrow lanes one copy, too: what is left takes several steps of four.
  for (int32_t copies = work->mask_count > 0 ? 0 : work->unroll; copies > 0;
       copies = m->lanes > 4 ? copies / 2 : 0) {
    together = m->lanes * copies / hlo_maker_places(m);
    if (m->nest.inner >= together) write_steps_if(m, work, copies, slices, together, once);
  }
  m->lanes = 4;
  if (m->nest.inner % together == 0) return;
  m->masked = true;
  write_steps_if(m, work, hlo_maker_places(m), slices, 1, once);
  m->masked = false;
}

void hlo_loop_write_once(hlo_maker *m, hlo_loop_work *work) {
  hlo_loop_count_roots(m, work);
  m->in_row = true;
  for (int32_t i = 0; i < work->root_count; i++) hlo_maker_prepare(m, work->roots[i].node);
  compute_roots(m, work, 1);
  for (int32_t i = 0; i < work->root_count; i++) store_root(m, work, i);
  m->in_row = false;
}
