// What becomes of running values in a row nest: copies and lanes are combined into results.  See
// inner_loop.h.
#include "codegen/encode/inner_loop.h"

// A node for what is in a local.
static hlo_node in_local(hlo_maker *m, int32_t local) {
  hlo_node node = hlo_graph_parameter(&m->e->graph);
  hlo_maker_analyze(m);
  if (node != 0) hlo_maker_node(m, node)->local = local;
  return node;
}

// Where lanes are combined, elements are not in order: of two NaNs the one with the lower number is
// the left one.
static void combine(hlo_maker *m, const hlo_emit_reduction *r, const hlo_value *a,
                    const hlo_value *b, hlo_value *out) {
  hlo_graph *g = &m->e->graph;
  hlo_node a_nan, b_nan, above;
  if (!hlo_emit_combine(m->e, r, a, b, out)) return;
  if (r->opcode != HLO_OP_COUNT || r->leaves < 2 || !hlo_type_is_float(r->work[0])) return;
  hlo_value_compare(g, r->work[0], "NE", false, a[0], a[0], &a_nan);
  hlo_value_compare(g, r->work[0], "NE", false, b[0], b[0], &b_nan);
  hlo_value_compare(g, r->work[1], "GT", false, a[1], b[1], &above);
  hlo_node both = hlo_graph_2(g, SIMD_AND, a_nan, b_nan);
  for (int32_t i = 0; i < r->runs; i++) {
    hlo_value left = hlo_value_select(g, r->work[i], above, b[i], a[i]);
    out[i] = hlo_value_select(g, r->work[i], both, left, out[i]);
  }
}

// Evaluates the parts of values where no loop is, into new locals, and gives nodes for these.
static void settle(hlo_maker *m, int32_t count, const hlo_type *types, hlo_value *values) {
  m->epoch++;
  m->computed++;
  bool in_row = m->in_row;
  m->in_row = true;
  for (int32_t i = 0; i < count; i++) {
    for (int32_t part = 0; part < hlo_value_parts(types[i]); part++)
      hlo_maker_count(m, values[i].part[part]);
  }
  for (int32_t i = 0; i < count; i++) {
    for (int32_t part = 0; part < hlo_value_parts(types[i]); part++) {
      int32_t local = hlo_maker_vector(m);
      hlo_maker_prepare(m, values[i].part[part]);
      hlo_maker_push(m, values[i].part[part]);
      hlo_wasm_local(&m->f, WASM_LOCAL_SET, local);
      values[i].part[part] = in_local(m, local);
    }
  }
  m->in_row = in_row;
  m->computed++;
}

// The running values of one copy of the step; roots from `first` on are the reduction's.
static void values_of_copy(hlo_maker *m, const hlo_loop_work *work, const hlo_emit_reduction *r,
                           int32_t first, int32_t copy, hlo_value *out) {
  for (int32_t i = 0; i < r->runs; i++) {
    for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++) {
      out[i].part[part] = in_local(m, work->roots[first++].running[copy]);
    }
  }
}

void hlo_loop_start_running(hlo_maker *m, hlo_loop_work *work) {
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

static int32_t root_count_of(const hlo_emit_reduction *r) {
  int32_t count = 0;
  for (int32_t i = 0; i < r->runs; i++) count += hlo_value_parts(r->work[i]);
  return count;
}

// All copies of a row as one.
static void combine_copies(hlo_maker *m, const hlo_loop_work *work, const hlo_emit_reduction *r,
                           int32_t first, hlo_value *total) {
  hlo_value other[HLO_EMIT_MAX_RUNS], sum[HLO_EMIT_MAX_RUNS];
  int32_t copies = hlo_maker_has_two_rows(m) ? work->unroll / 2 : work->unroll;
  int32_t start = m->second ? copies : 0;
  values_of_copy(m, work, r, first, start, total);
  for (int32_t copy = 1; copy < copies; copy++) {
    values_of_copy(m, work, r, first, start + copy, other);
    combine(m, r, total, other, sum);
    for (int32_t i = 0; i < r->runs; i++) total[i] = sum[i];
  }
}

void hlo_loop_combine_copies(hlo_maker *m, hlo_loop_work *work, const hlo_emit_reduction *r,
                             int32_t first, int32_t rows) {
  bool second = m->second;
  for (int32_t row = 0; row < rows; row++) {
    hlo_value total[HLO_EMIT_MAX_RUNS];
    m->second = row > 0;
    combine_copies(m, work, r, first, total);
    settle(m, r->runs, r->work, total);
    for (int32_t i = 0, at = first; i < r->runs; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++, at++)
        work->roots[at].running[row] = hlo_maker_node(m, total[i].part[part])->local;
    }
  }
  m->second = second;
}

void hlo_loop_write_finish(hlo_maker *m, hlo_loop_work *work) {
  static const int orders[2][4] = {{2, 3, 0, 1}, {1, 0, 3, 2}};
  for (int32_t n = 0, first = 0; n < m->e->reduction_count; n++) {
    const hlo_emit_reduction *r = &m->e->reductions[n];
    hlo_value total[HLO_EMIT_MAX_RUNS], turned[HLO_EMIT_MAX_RUNS], sum[HLO_EMIT_MAX_RUNS];
    if (r->stage != work->stage) continue;
    combine_copies(m, work, r, first, total);
    settle(m, r->runs, r->work, total);
    for (int turn = 0; turn < 2; turn++) {
      for (int32_t i = 0; i < r->runs; i++) {
        turned[i] = hlo_value_reorder(&m->e->graph, r->work[i], total[i], orders[turn]);
      }
      combine(m, r, total, turned, sum);
      for (int32_t i = 0; i < r->runs; i++) total[i] = sum[i];
      settle(m, r->runs, r->work, total);
    }
    if (!hlo_emit_finish_reduction(m->e, r, total, sum)) continue;
    settle(m, r->leaves, r->types, sum);
    for (int32_t i = 0; i < r->leaves; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->types[i]); part++) {
        hlo_maker_node(m, r->results[i].part[part])->local =
            hlo_maker_node(m, sum[i].part[part])->local;
      }
    }
    first += root_count_of(r);
  }
}

void hlo_loop_write_carry(hlo_maker *m, hlo_loop_work *work) {
  for (int32_t n = 0, first = 0; n < m->e->reduction_count; n++) {
    const hlo_emit_reduction *r = &m->e->reductions[n];
    hlo_value total[HLO_EMIT_MAX_RUNS], before[HLO_EMIT_MAX_RUNS], sum[HLO_EMIT_MAX_RUNS];
    if (r->stage != work->stage) continue;
    if (hlo_block_sums_carry(work, r)) {
      first += root_count_of(r);
      continue;
    }
    combine_copies(m, work, r, first, total);
    settle(m, r->runs, r->work, total);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_INNER);
    hlo_wasm_begin(&m->f, WASM_IF);
    for (int32_t i = 0, at = 0; i < r->runs; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++, at++) {
        int32_t local = hlo_maker_vector(m);
        hlo_maker_push_carry(m, 2 * (first + at));
        hlo_wasm_local(&m->f, WASM_LOCAL_SET, local);
        before[i].part[part] = in_local(m, local);
      }
    }
    combine(m, r, before, total, sum);
    settle(m, r->runs, r->work, sum);
    for (int32_t i = 0; i < r->runs; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++) {
        hlo_wasm_local(&m->f, WASM_LOCAL_GET, hlo_maker_node(m, sum[i].part[part])->local);
        hlo_wasm_local(&m->f, WASM_LOCAL_SET, hlo_maker_node(m, total[i].part[part])->local);
      }
    }
    hlo_wasm_op(&m->f, WASM_END);
    for (int32_t i = 0, at = 0; i < r->runs; i++) {
      for (int32_t part = 0; part < hlo_value_parts(r->work[i]); part++, at++) {
        int32_t local = hlo_maker_node(m, total[i].part[part])->local;
        hlo_maker_store_carry(m, 2 * (first + at), local);
        work->roots[first + at].running[0] = local;
      }
    }
    first += root_count_of(r);
  }
  work->unroll = 1;
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_INNER_END);
  hlo_wasm_i32(&m->f, m->split_end);
  hlo_wasm_op(&m->f, WASM_I32_EQ);
  hlo_wasm_begin(&m->f, WASM_IF);
}
