// What happens in each step of a loop: outputs, steps of reductions, and in a column nest what
// starts and ends their running values. See inner_loop.h.
#include "codegen/encode/inner_loop.h"
#include "kernels/machine.h"

#include <string.h>

hlo_loop_root *hlo_loop_work_add_root(hlo_maker *m, hlo_loop_work *work, hlo_root_kind kind,
                                      hlo_node node, int32_t target) {
  if (work->root_count == HLO_LOOP_MAX_ROOTS) { // lower.c allows no more than fit
    m->e->graph.failed = true;
    return &work->roots[0];
  }
  hlo_loop_root *root = &work->roots[work->root_count++];
  *root = (hlo_loop_root){
      .kind = kind, .node = node, .target = target, .slot = -1, .value = hlo_maker_vector(m)};
  return root;
}

void hlo_loop_work_add_output(hlo_maker *m, hlo_loop_work *work, int32_t output) {
  const hlo_emit_output *o = &m->e->outputs[output];
  for (int32_t part = 0; part < HLO_VALUE_PARTS && o->memory.part[part] != 0; part++) {
    hlo_loop_work_add_root(m, work, HLO_ROOT_OUTPUT, o->memory.part[part], output)->part = part;
  }
}

// A scratch slot for each part of the reduction's running values.
static void add_running_slots(hlo_maker *m, hlo_emit_reduction *r) {
  for (int32_t i = 0; i < r->runs; i++) {
    for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++) {
      r->slot[i][part] = hlo_maker_new_slot(m);
    }
  }
}

void hlo_loop_work_add_stage(hlo_maker *m, hlo_loop_work *work, int32_t stage) {
  bool is_row = m->nest.kind == HLO_NEST_ROW;
  work->stage = stage;
  work->loads_running = !is_row;
  for (int32_t n = 0; n < m->e->reduction_count; n++) {
    hlo_emit_reduction *r = &m->e->reductions[n];
    if (r->stage != stage) continue;
    for (int32_t i = 0; i < r->runs; i++) {
      hlo_value masked = {{0}};
      if (is_row)
        masked = hlo_value_select(&m->e->graph, r->work[i], m->mask, r->next[i], r->running[i]);
      for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++) {
        hlo_loop_root *root = hlo_loop_work_add_root(
            m, work, HLO_ROOT_RUNNING, r->next[i].part[part], r->running[i].part[part]);
        root->masked = masked.part[part];
        work->may_stop = is_row && r->finds != 0 && m->nest.outer == 0 && !m->splits;
        root->slot = is_row ? -1 : r->slot[i][part];
        if (!is_row && i == 0) hlo_block_sums_slice(m, r, part, root);
      }
    }
  }
}

void hlo_loop_work_add_column_start(hlo_maker *m, hlo_loop_work *work, int32_t stage) {
  for (int32_t n = 0; n < m->e->reduction_count; n++) {
    hlo_emit_reduction *r = &m->e->reductions[n];
    if (r->stage != stage) continue;
    add_running_slots(m, r);
    for (int32_t i = 0; i < r->runs; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++) {
        hlo_loop_work_add_root(m, work, HLO_ROOT_SLOT, r->start[i].part[part], r->slot[i][part]);
        hlo_maker_analyze(m);
        hlo_maker_node(m, r->running[i].part[part])->local = hlo_maker_vector(m);
      }
    }
  }
}

void hlo_loop_work_add_column_finish(hlo_maker *m, hlo_loop_work *work, int32_t stage) {
  work->loads_running = true;
  work->stage = stage;
  for (int32_t n = 0; n < m->e->reduction_count; n++) {
    hlo_emit_reduction *r = &m->e->reductions[n];
    hlo_value results[HLO_EMIT_MAX_RUNS], totals[HLO_EMIT_MAX_RUNS];
    memcpy(totals, r->running, sizeof totals);
    if (r->stage == stage) hlo_block_sums_total(m, r, totals);
    if (r->stage != stage || !hlo_emit_finish_reduction(m->e, r, totals, results)) continue;
    for (int32_t i = 0; i < r->leaves; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->types[i]); part++) {
        hlo_loop_root *root =
            hlo_loop_work_add_root(m, work, HLO_ROOT_SLOT, results[i].part[part], r->slot[i][part]);
        root->kept = r->results[i].part[part];
      }
    }
  }
}

bool hlo_loop_work_is_narrow(const hlo_maker *m) {
  bool narrow = m->nest.kind == HLO_NEST_MAP && m->nest.inner >= HLO_NARROW_SHORTEST &&
                m->nest.rows * m->nest.inner >= HLO_NARROW_FEWEST;
  for (int32_t i = 0; i < m->e->output_count; i++) narrow = narrow && m->e->outputs[i].bytes <= 2;
  return narrow;
}
