// Sums of many floats are made in blocks: a running value takes in at most some dozens of elements,
// then is added to a sum of two floats (Knuth's TwoSum; Neumaier's compensation), and starts anew.
// So rounding errors do not grow with the number of elements (docs/numerics.md), and the loops stay
// what they are: a block ends once in as many steps as make it cheap. See inner_loop.h.
#include "codegen/encode/inner_loop.h"
#include "kernels/machine.h"

// A reduction of the stage, whose roots in the work are those from `first` on.
typedef struct stage_walk {
  const hlo_maker *m;
  int32_t stage, next, first, parts;
  hlo_emit_reduction *reduction;
} stage_walk;

static bool walk(stage_walk *w) {
  w->first += w->parts;
  for (; w->next < w->m->e->reduction_count; w->next++) {
    hlo_emit_reduction *r = &w->m->e->reductions[w->next];
    if (r->stage != w->stage) continue;
    w->parts = 0;
    for (int32_t i = 0; i < r->runs; i++) w->parts += hlo_value_parts(r->work[i]);
    w->reduction = r;
    w->next++;
    return true;
  }
  return false;
}

static bool has_sum(const hlo_maker *m, int32_t stage) {
  stage_walk w = {.m = m, .stage = stage};
  bool any = false;
  while (walk(&w)) any = any || hlo_block_sums_apply(w.reduction);
  return any;
}

static hlo_block_sums *new_blocks(hlo_maker *m, hlo_loop_work *work, int64_t length) {
  hlo_block_sums *b = hlo_arena_array(m->e->arena, 1, sizeof *b);
  work->blocks = b;
  if (b == NULL) {
    m->e->out_of_memory = true;
    return NULL;
  }
  b->length = length;
  b->left = hlo_maker_integer(m);
  return b;
}

static void set_left(hlo_maker *m, const hlo_block_sums *b) {
  hlo_wasm_i32(&m->f, b->length);
  hlo_wasm_local(&m->f, WASM_LOCAL_SET, b->left);
}

// --- rows: sums are in locals ---

static void get(hlo_maker *m, int32_t local) { hlo_wasm_local(&m->f, WASM_LOCAL_GET, local); }
static void set(hlo_maker *m, int32_t local) { hlo_wasm_local(&m->f, WASM_LOCAL_SET, local); }

static void push_start(hlo_maker *m, const hlo_emit_reduction *r, int32_t part) {
  hlo_maker_push(m, r->start[0].part[part]); // a constant
}

void hlo_block_sums_start_row(hlo_maker *m, hlo_loop_work *work) {
  int64_t together = 4 * (int64_t)work->unroll / hlo_maker_places(m);
  int64_t length =
      work->unroll == HLO_EMIT_MAX_UNROLL ? HLO_EMIT_LONG_SUM_BLOCK : HLO_EMIT_SUM_BLOCK;
  work->blocks = NULL;
  if (!has_sum(m, work->stage) || (!m->splits && m->nest.reduced <= length * together)) return;
  hlo_block_sums *b = new_blocks(m, work, length);
  if (b == NULL) return;
  b->rows = hlo_maker_has_two_rows(m) ? 2 : 1;
  set_left(m, b);
  stage_walk w = {.m = m, .stage = work->stage};
  while (walk(&w)) {
    for (int32_t part = 0; hlo_block_sums_apply(w.reduction) && part < w.parts; part++) {
      for (int32_t row = 0; row < b->rows; row++) {
        int32_t high = hlo_maker_vector(m), low = hlo_maker_vector(m);
        b->high[row][w.first + part] = high;
        b->low[row][w.first + part] = low;
        push_start(m, w.reduction, part);
        set(m, high);
        hlo_maker_push(m, hlo_graph_splat32(&m->e->graph, 0));
        set(m, low);
      }
    }
  }
  if (!m->splits) return;
  get(m, HLO_PARAMETER_INNER); // else what the parts of the row before have left
  hlo_wasm_begin(&m->f, WASM_IF);
  w = (stage_walk){.m = m, .stage = work->stage};
  while (walk(&w)) {
    for (int32_t part = 0; hlo_block_sums_apply(w.reduction) && part < w.parts; part++) {
      int32_t at = w.first + part;
      hlo_maker_push_carry(m, 2 * at);
      set(m, b->high[0][at]);
      hlo_maker_push_carry(m, 2 * at + 1);
      set(m, b->low[0][at]);
    }
  }
  hlo_wasm_op(&m->f, WASM_END);
}

// The copies' running values from `first` on, added in pairs.
static void push_copies(hlo_maker *m, const int32_t *running, int32_t count, uint32_t add) {
  if (count == 1) {
    get(m, running[0]);
    return;
  }
  push_copies(m, running, count / 2, add);
  push_copies(m, running + count / 2, count - count / 2, add);
  hlo_wasm_simd(&m->f, add);
}

// high + low += x, where low takes what the sum of high and x loses.
static void add_exactly(hlo_maker *m, bool wide, int32_t high, int32_t low, int32_t x) {
  uint32_t add = wide ? SIMD_F64X2_ADD : SIMD_F32X4_ADD,
           subtract = wide ? SIMD_F64X2_SUB : SIMD_F32X4_SUB;
  int32_t sum = hlo_maker_vector(m), taken = hlo_maker_vector(m);
  get(m, high);
  get(m, x);
  hlo_wasm_simd(&m->f, add);
  hlo_wasm_local(&m->f, WASM_LOCAL_TEE, sum);
  get(m, high);
  hlo_wasm_simd(&m->f, subtract);
  set(m, taken);
  get(m, low);
  get(m, high);
  get(m, sum);
  get(m, taken);
  hlo_wasm_simd(&m->f, subtract);
  hlo_wasm_simd(&m->f, subtract);
  get(m, x);
  get(m, taken);
  hlo_wasm_simd(&m->f, subtract);
  hlo_wasm_simd(&m->f, add);
  hlo_wasm_simd(&m->f, add);
  set(m, low);
  get(m, sum);
  set(m, high);
}

static void end_row_block(hlo_maker *m, const hlo_loop_work *work, bool starts_anew) {
  const hlo_block_sums *b = work->blocks;
  stage_walk w = {.m = m, .stage = work->stage};
  int32_t copies = work->unroll / b->rows, x = hlo_maker_vector(m);
  while (walk(&w)) {
    bool wide = hlo_block_sums_are_wide(w.reduction);
    for (int32_t part = 0; hlo_block_sums_apply(w.reduction) && part < w.parts; part++) {
      const int32_t *running = work->roots[w.first + part].running;
      for (int32_t row = 0; row < b->rows; row++) {
        push_copies(m, running + row * copies, copies, wide ? SIMD_F64X2_ADD : SIMD_F32X4_ADD);
        set(m, x);
        add_exactly(m, wide, b->high[row][w.first + part], b->low[row][w.first + part], x);
      }
      for (int32_t copy = 0; starts_anew && copy < work->unroll; copy++) {
        push_start(m, w.reduction, part);
        set(m, running[copy]);
      }
    }
  }
}

// high + low, but where low is 0 (which would lose the sign of a zero) or NaN (as of infinities).
static void push_total(hlo_maker *m, bool wide, int32_t high, int32_t low) {
  get(m, high);
  get(m, low);
  hlo_wasm_simd(&m->f, wide ? SIMD_F64X2_ADD : SIMD_F32X4_ADD);
  get(m, high);
  get(m, low);
  hlo_wasm_simd(&m->f, wide ? SIMD_F64X2_ABS : SIMD_F32X4_ABS);
  hlo_maker_push(m, hlo_graph_splat32(&m->e->graph, 0));
  hlo_wasm_simd(&m->f, wide ? SIMD_F64X2_GT : SIMD_F32X4_GT);
  hlo_wasm_simd(&m->f, SIMD_BITSELECT);
}

void hlo_block_sums_finish_row(hlo_maker *m, hlo_loop_work *work) {
  const hlo_block_sums *b = work->blocks;
  if (b == NULL) return;
  end_row_block(m, work, false);
  stage_walk w = {.m = m, .stage = work->stage};
  while (walk(&w)) {
    if (!hlo_block_sums_apply(w.reduction)) {
      hlo_loop_combine_copies(m, work, w.reduction, w.first, b->rows);
      continue;
    }
    for (int32_t part = 0; part < w.parts; part++) {
      int32_t at = w.first + part;
      for (int32_t row = 0; row < b->rows; row++) {
        push_total(m, hlo_block_sums_are_wide(w.reduction), b->high[row][at], b->low[row][at]);
        set(m, work->roots[at].running[row]);
      }
      if (!m->splits) continue;
      hlo_maker_store_carry(m, 2 * at, b->high[0][at]);
      hlo_maker_store_carry(m, 2 * at + 1, b->low[0][at]);
    }
  }
  work->unroll = b->rows;
}

// --- columns: sums are in scratch memory ---

void hlo_block_sums_start_column(hlo_maker *m, hlo_loop_work *starts, hlo_loop_work *steps) {
  hlo_graph *g = &m->e->graph;
  int64_t length = m->apart > 0 || m->one_by_one ? HLO_EMIT_LONG_SUM_BLOCK
                                                 : HLO_EMIT_SUM_BLOCK; // fewer rows a step
  steps->blocks = NULL;
  if (!has_sum(m, steps->stage) || m->nest.reduced / hlo_loop_slices(m, steps) <= length) return;
  hlo_block_sums *b = new_blocks(m, steps, length);
  if (b == NULL) return;
  b->end = hlo_arena_array(m->e->arena, 1, sizeof *b->end);
  if (b->end == NULL) {
    m->e->out_of_memory = true;
    steps->blocks = NULL;
    return;
  }
  *b->end = (hlo_loop_work){.along_results = true, .loads_running = true, .stage = steps->stage};
  stage_walk w = {.m = m, .stage = steps->stage};
  while (walk(&w)) {
    hlo_emit_reduction *r = w.reduction;
    for (int32_t part = 0; hlo_block_sums_apply(r) && part < w.parts; part++) {
      hlo_node high, low;
      r->high_slot[part] = hlo_maker_new_slot(m);
      r->low_slot[part] = hlo_maker_new_slot(m);
      hlo_block_sums_of_part(m, r, part, &high, &low);
      hlo_node start = r->start[0].part[part], zero = hlo_graph_splat32(g, 0);
      hlo_loop_work_add_root(m, starts, HLO_ROOT_SLOT, start, r->high_slot[part]);
      hlo_loop_work_add_root(m, starts, HLO_ROOT_SLOT, zero, r->low_slot[part]);
      hlo_loop_work_add_root(m, b->end, HLO_ROOT_SLOT, high, r->high_slot[part]);
      hlo_loop_work_add_root(m, b->end, HLO_ROOT_SLOT, low, r->low_slot[part]);
      hlo_loop_work_add_root(m, b->end, HLO_ROOT_SLOT, start, r->slot[0][part]);
    }
  }
  hlo_maker_analyze(m);
}

void hlo_block_sums_start_columns(hlo_maker *m, const hlo_loop_work *steps) {
  if (steps->blocks != NULL && steps->blocks->end != NULL) set_left(m, steps->blocks);
}

// --- in loops ---

void hlo_block_sums_end(hlo_maker *m, hlo_loop_work *work) {
  if (work->blocks->end == NULL) {
    end_row_block(m, work, true);
    return;
  }
  hlo_loop_work *end = hlo_arena_array(m->e->arena, 1, sizeof *end); // writing changes it
  m->e->out_of_memory = m->e->out_of_memory || end == NULL;
  if (end == NULL) return;
  *end = *work->blocks->end;
  hlo_loop_write(m, end);
}

void hlo_block_sums_count(hlo_maker *m, hlo_loop_work *work, int64_t steps) {
  const hlo_block_sums *b = work->blocks;
  hlo_maker_advance(m, b->left, -steps);
  get(m, b->left);
  hlo_wasm_i32(&m->f, 0);
  hlo_wasm_op(&m->f, WASM_I32_LE_S);
  hlo_wasm_begin(&m->f, WASM_IF);
  hlo_block_sums_end(m, work);
  set_left(m, b);
  hlo_wasm_op(&m->f, WASM_END);
}

int32_t hlo_block_sums_push_limit(hlo_maker *m, const hlo_loop_work *work, int64_t together) {
  int32_t limit = hlo_maker_integer(m);
  get(m, m->count);
  hlo_wasm_i32(&m->f, work->blocks->length * together - 1);
  hlo_wasm_op(&m->f, WASM_I32_SUB);
  hlo_wasm_local(&m->f, WASM_LOCAL_TEE, limit);
  hlo_wasm_i32(&m->f, together);
  get(m, limit);
  hlo_wasm_i32(&m->f, together);
  hlo_wasm_op(&m->f, WASM_I32_GT_S);
  hlo_wasm_op(&m->f, WASM_SELECT);
  set(m, limit);
  return limit;
}

bool hlo_block_sums_are_inside(const hlo_loop_work *work, int64_t elements, int64_t together) {
  return work->blocks != NULL && work->blocks->end == NULL &&
         elements > work->blocks->length * together;
}
