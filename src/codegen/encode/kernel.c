// Writes the loops of a kernel: which stages a row goes through, what each of their loops does. See
// maker.h.
#include "codegen/encode/kernel.h"

#include "codegen/encode/inner_loop.h"
#include "kernels/machine.h"

#include <string.h>

// Bytes of all running values of a row, two of each.
enum { CARRY = 4 * HLO_EMIT_MAX_RUNNING * 16 };

// --- locals that say where the loops are ---

static void set_locals(hlo_maker *m, int32_t first) {
  for (int32_t a = first; a < m->e->access_count; a++) {
    m->e->accesses[a].row = hlo_maker_integer(m);
    m->e->accesses[a].outer = hlo_maker_integer(m);
    m->e->accesses[a].inner = hlo_maker_integer(m);
  }
}

// Where each access stands at the first row.
static void write_start(hlo_maker *m, const int32_t *counters) {
  int32_t inner = hlo_nest_inner(&m->nest), rest = hlo_maker_integer(m);
  if (m->nest.kept > 0) {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_ROW);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, rest);
  }
  for (int32_t l = m->nest.kept - 1; l >= 0; l--) {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, rest);
    hlo_wasm_i32(&m->f, m->nest.sizes[l]);
    hlo_wasm_op(&m->f, WASM_I32_REM_U);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, counters[l]);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, rest);
    hlo_wasm_i32(&m->f, m->nest.sizes[l]);
    hlo_wasm_op(&m->f, WASM_I32_DIV_U);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, rest);
  }
  for (int32_t a = 0; a < m->e->access_count; a++) {
    const hlo_access *access = &m->e->accesses[a];
    hlo_wasm_i32(&m->f, access->position.offset * access->size);
    if (access->argument >= 0) {
      hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_ARGUMENTS);
      hlo_wasm_op(&m->f, WASM_I32_LOAD);
      hlo_wasm_offset(&m->f, 4 * (uint64_t)access->argument);
      hlo_wasm_op(&m->f, WASM_I32_ADD);
    }
    for (int32_t l = 0; l <= inner; l++) {
      bool is_kept = l < m->nest.kept;
      bool starts_inside = l == m->split_loop && access->kind != HLO_ACCESS_ROOM &&
                           (m->nest.kind != HLO_NEST_ROW || m->splits);
      int64_t stride = hlo_access_stride(access, l);
      if (stride == 0 || !(is_kept || starts_inside)) continue;
      hlo_wasm_local(&m->f, WASM_LOCAL_GET, is_kept ? counters[l] : HLO_PARAMETER_INNER);
      hlo_wasm_i32(&m->f, stride);
      hlo_wasm_op(&m->f, WASM_I32_MUL);
      hlo_wasm_op(&m->f, WASM_I32_ADD);
    }
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, access->row);
  }
}

// On to the next row: the innermost kept loop moves on, and those around it when one ends.
static void write_next_row(hlo_maker *m, const int32_t *counters) {
  int32_t last = m->nest.kept - 1;
  for (int32_t l = last; l >= 0; l--) {
    for (int32_t a = 0; a < m->e->access_count; a++) {
      const hlo_access *access = &m->e->accesses[a];
      int64_t back = l == last ? 0 : m->nest.sizes[l + 1] * hlo_access_stride(access, l + 1);
      hlo_maker_advance(m, access->row, hlo_access_stride(access, l) - back);
    }
    if (l == 0) break;
    hlo_maker_advance(m, counters[l], 1);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, counters[l]);
    hlo_wasm_i32(&m->f, m->nest.sizes[l]);
    hlo_wasm_op(&m->f, WASM_I32_EQ);
    hlo_wasm_begin(&m->f, WASM_IF);
    hlo_wasm_i32(&m->f, 0);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, counters[l]);
  }
  for (int32_t l = last; l > 0; l--) hlo_wasm_op(&m->f, WASM_END);
}

// --- what a row goes through ---

static bool is_reduced_output(const hlo_maker *m, const hlo_emit_output *output) {
  const hlo_access *access = &m->e->accesses[output->access];
  if (m->nest.kind == HLO_NEST_MAP) return false;
  for (int32_t l = m->nest.kept; l < hlo_nest_inner(&m->nest); l++) {
    if (access->position.factors[l] != 0) return false;
  }
  return m->nest.kind == HLO_NEST_COLUMN ||
         access->position.factors[hlo_nest_inner(&m->nest)] == 0 || m->nest.inner == 1;
}

static int32_t stage_count(hlo_maker *m) {
  int32_t stages = 0;
  for (int32_t r = 0; r < m->e->reduction_count; r++) {
    if (m->e->reductions[r].stage >= stages) stages = m->e->reductions[r].stage + 1;
  }
  return stages;
}

static void add_outputs(hlo_maker *m, hlo_loop_work *work, bool reduced) {
  for (int32_t i = 0; i < m->e->output_count; i++) {
    if (is_reduced_output(m, &m->e->outputs[i]) == reduced) hlo_loop_work_add_output(m, work, i);
  }
}

static bool has_outputs(const hlo_maker *m, bool reduced) {
  for (int32_t i = 0; i < m->e->output_count; i++) {
    if (is_reduced_output(m, &m->e->outputs[i]) == reduced) return true;
  }
  return false;
}

static void write_map(hlo_maker *m) {
  hlo_loop_work work = {0};
  add_outputs(m, &work, false);
  hlo_loop_write(m, &work);
}

static void write_row_outputs(hlo_maker *m) {
  hlo_loop_work work = {0};
  add_outputs(m, &work, true);
  hlo_loop_write_once(m, &work);
}

// How rows of results are made: each stage is a loop over the reduced elements that leaves its
// results in locals.
typedef struct row_works {
  int32_t stages;
  hlo_loop_work *works; // of the stages, then of the outputs
  // Outputs that are left for the next row, or for who comes after the last one; the first stage if
  // it is done next to the row before.
  hlo_pipelined_outputs late;
  hlo_pipelined_stage early;
  bool has_early;
} row_works;

static void write_stage(hlo_maker *m, hlo_loop_work *work) {
  hlo_loop_write_start(m, work);
  hlo_loop_write(m, work);
  hlo_block_sums_finish_row(m, work);
  if (m->splits) hlo_loop_write_carry(m, work);
  hlo_loop_write_finish(m, work);
}

// What stands before the first row.
static void start_rows(hlo_maker *m, row_works *row) {
  int32_t stages = row->stages;
  hlo_loop_work *works = hlo_arena_array(m->e->arena, (size_t)stages + 1, sizeof *works);
  row->works = works;
  if (works == NULL) {
    m->e->out_of_memory = true;
    return;
  }
  for (int32_t s = 0; s < stages; s++) hlo_loop_work_add_stage(m, &works[s], s);
  add_outputs(m, &works[stages], false);
  if (m->nest.outer == 0) hlo_loop_works_share(m, stages + 1, works);
  hlo_pipelined_outputs_build(m, &works[stages - 1], &works[stages], &row->late);
  works[stages - 1].late = &row->late.work;
  row->has_early = hlo_pipelined_stage_build(m, &works[0], &works[stages - 1], &row->early);
  if (row->has_early) write_stage(m, &works[0]);
}

// What follows the loop of two rows, for the second one.
static void write_second_row(hlo_maker *m, row_works *row) {
  for (hlo_node i = 1; i < m->e->graph.count; i++) {
    if (hlo_maker_node(m, i)->level == HLO_LEVEL_ROW) hlo_maker_node(m, i)->local = -1;
  }
  m->second = true;
  hlo_loop_write_finish(m, row->works);
  write_row_outputs(m);
  m->second = false;
}

static void write_row(hlo_maker *m, row_works *row) {
  if (row->works == NULL) return;
  if (row->has_early) hlo_pipelined_stage_start_row(m);
  for (int32_t s = row->has_early ? 1 : 0; s < row->stages; s++) write_stage(m, &row->works[s]);
  if (row->has_early) hlo_pipelined_stage_finish(m, &row->early);
  write_row_outputs(m);
  if (m->splits) hlo_wasm_op(&m->f, WASM_END);
  if (hlo_maker_has_two_rows(m)) write_second_row(m, row);
  if (row->late.work.root_count > 0) hlo_pipelined_outputs_end_row(m, &row->late);
  else if (has_outputs(m, false)) hlo_loop_write(m, &row->works[row->stages]);
  if (row->has_early) hlo_pipelined_stage_end_row(m, &row->early);
}

// Columns of results: each stage starts, steps and ends running values in scratch memory.
static void write_column(hlo_maker *m, int32_t stages) {
  hlo_loop_work *steps = hlo_arena_array(m->e->arena, 2 * (size_t)stages + 1, sizeof *steps);
  if (steps == NULL) {
    m->e->out_of_memory = true;
    return;
  }
  hlo_loop_work *starts = steps + stages + 1;
  for (int32_t s = 0; s < stages; s++) {
    starts[s].along_results = true;
    hlo_loop_work_add_column_start(m, &starts[s], s);
    hlo_loop_work_add_stage(m, &steps[s], s);
  }
  add_outputs(m, &steps[stages], false);
  hlo_loop_works_share(m, stages + 1, steps);
  for (int32_t s = 0; s <= stages; s++) {
    hlo_loop_work finish = {.along_results = true}, kept = {.along_results = true}, shared = {0};
    // What later stages need too is made by a loop without running values, which is faster.
    while (steps[s].root_count > 0 && steps[s].roots[steps[s].root_count - 1].kind == HLO_ROOT_SLOT)
      shared.roots[shared.root_count++] = steps[s].roots[--steps[s].root_count];
    if (s < stages) hlo_block_sums_start_column(m, &starts[s], &steps[s]);
    if (s < stages) hlo_loop_write(m, &starts[s]);
    else add_outputs(m, &finish, true);
    if (s == stages) hlo_loop_write(m, &finish);
    hlo_loop_work_add_kept(m, &kept, &steps[s]);
    hlo_loop_write(m, &kept);
    if (shared.root_count > 0) hlo_loop_write(m, &shared);
    hlo_block_sums_start_columns(m, &steps[s]);
    hlo_loop_write(m, &steps[s]);
    if (s == stages) return;
    hlo_loop_work_add_column_finish(m, &finish, s);
    hlo_loop_write(m, &finish);
  }
}

static void write_body(hlo_maker *m, row_works *row) {
  if (m->nest.kind == HLO_NEST_MAP) write_map(m);
  else if (m->nest.kind == HLO_NEST_ROW) write_row(m, row);
  else write_column(m, row->stages);
}

static void write_function(hlo_maker *m, int32_t stages) {
  int32_t counters[HLO_EMIT_MAX_LOOPS];
  row_works row = {.stages = stages};
  for (int32_t l = 0; l < m->nest.kept; l++) counters[l] = hlo_maker_integer(m);
  set_locals(m, 0);
  if (m->nest.kind == HLO_NEST_ROW) start_rows(m, &row);
  if (m->nest.kept > 0) hlo_wasm_begin(&m->f, WASM_LOOP);
  write_body(m, &row);
  if (m->nest.kept > 0) {
    write_next_row(m, counters);
    hlo_maker_advance(m, HLO_PARAMETER_ROW, 1);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_ROW);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, HLO_PARAMETER_ROW_END);
    hlo_wasm_op(&m->f, WASM_I32_LT_S);
    hlo_wasm_branch(&m->f, WASM_BR_IF, 0);
    hlo_wasm_op(&m->f, WASM_END);
  }
  hlo_loop_write(m, &row.late.work); // of the last row
  // What stands before the loops is known only now.
  hlo_string body = m->f.code;
  m->f.code = (hlo_string){0};
  hlo_maker_write_constants(m);
  write_start(m, counters);
  if (body.failed) m->f.code.failed = true;
  else if (body.length > 0) hlo_string_add_bytes(&m->f.code, body.text, body.length);
  hlo_string_free(&body);
}

// --- how much a call does ---

// Whether the time is that of reading so many elements, which are not in the cache.
static bool waits_for_memory(const hlo_maker *m, int32_t stages, int64_t elements) {
  return elements > HLO_AWAY_IN_CACHE && stages == 1 && m->e->graph.depth <= HLO_AWAY_SHALLOW;
}

// Rows of a large array are read whole, so that each place goes on to the next row in memory: the
// processor reads ahead of that best. It does so at two places that are far apart, or four where
// running values are not in the first cache, or take as long as loops of few steps; where there
// is no room for that, at one. Two threads are no faster where steps are as short as
// HLO_AWAY_SHALLOW.
static void read_whole_rows(hlo_maker *m) {
  const hlo_nest *nest = &m->nest;
  int64_t inner = nest->inner, rows = nest->sizes[hlo_nest_inner(nest) - 1];
  m->far_rows = inner > HLO_AWAY_FIRST_CACHE || inner < HLO_AWAY_SHORTEST_WHOLE ? 4 : 2;
  int64_t apart = rows / m->far_rows;
  if (apart * inner >= HLO_AWAY_FAR) m->apart = apart;
  else if (inner >= HLO_AWAY_SHORTEST_WHOLE && inner <= HLO_AWAY_LONGEST_WHOLE)
    m->one_by_one = true;
}

// A loop over rows reads two of them, half of their number apart, if it needs nothing of a row but
// what it goes through.
static bool may_have_two_rows(const hlo_maker *m) {
  const hlo_nest *nest = &m->nest;
  bool may =
      nest->kept > 0 && nest->outer == 0 && nest->sizes[0] % 2 == 0 && !has_outputs(m, false);
  for (int32_t a = 0; a < m->e->access_count; a++) {
    const hlo_access *access = &m->e->accesses[a];
    if (access->kind != HLO_ACCESS_STORE && access->position.factors[0] != 0)
      may = may && access->position.factors[hlo_nest_inner(nest)] != 0;
  }
  return may;
}

// The processor reads ahead of two places best in rows, too.
static void read_two_places(hlo_maker *m) {
  hlo_nest *nest = &m->nest;
  int32_t runs = 0;
  for (int32_t r = 0; r < m->e->reduction_count; r++) runs += m->e->reductions[r].runs;
  if (runs > HLO_EMIT_MAX_RUNS) return; // more of them take longer than memory
  if (m->splits && nest->inner % HLO_EMIT_STEP == 0) {
    m->away = nest->inner / 2;
    m->away_loop = hlo_nest_inner(nest);
  } else if (!m->splits && may_have_two_rows(m)) {
    nest->rows /= 2;
    m->away = nest->sizes[0] /= 2;
  }
}

static int64_t bytes_of_running(const hlo_maker *m) {
  int64_t vectors = 0;
  for (int32_t n = 0; n < m->e->reduction_count; n++) {
    const hlo_emit_reduction *r = &m->e->reductions[n];
    for (int32_t i = 0; i < r->runs; i++) vectors += hlo_value_parts(r->work[i]);
  }
  return vectors * 16;
}

// How many rows have a piece before any has the next, where memory is read in order: those whose
// pieces stand between two pieces of a row.
static int64_t rows_between_pieces(const hlo_maker *m) {
  const hlo_nest *nest = &m->nest;
  int64_t most = 1;
  for (int32_t a = 0; a < m->e->access_count; a++) {
    const int64_t *factors = m->e->accesses[a].position.factors;
    int64_t rows = 1;
    for (int32_t l = nest->kept - 1; l >= 0 && factors[l] < factors[nest->kept]; l--)
      rows *= nest->sizes[l];
    if (rows > most) most = rows;
  }
  return most;
}

// Rows whose elements are in pieces far apart are visited in the order of memory: each in parts,
// and all of them in turns.
static bool split_rows_in_turns(hlo_maker *m) {
  hlo_nest *nest = &m->nest;
  int64_t bytes = bytes_of_running(m);
  m->turn = rows_between_pieces(m);
  if (nest->outer == 0 || m->turn == 1 || has_outputs(m, false) ||
      m->turn * nest->inner < HLO_CARRY_SHORTEST_TURN || nest->rows * bytes > HLO_CARRY_MOST_BYTES)
    return false;
  m->splits = true;
  m->split_loop = nest->kept;
  m->split_end = nest->sizes[nest->kept];
  nest->sizes[nest->kept] = 1;
  m->carry_bytes = 2 * bytes; // sums are two floats
  return true;
}

static void choose_chunks(hlo_maker *m, int32_t stages, hlo_emit_kernel *out) {
  const hlo_nest *nest = &m->nest;
  int64_t inner = nest->inner, block = inner, work = inner;
  int64_t elements = nest->rows * nest->reduced * (nest->kind == HLO_NEST_COLUMN ? inner : 1);
  if (nest->kind == HLO_NEST_MAP && inner > HLO_CALL_ELEMENTS) block = HLO_CALL_ELEMENTS;
  m->whole_rows = nest->kind == HLO_NEST_MAP && inner < HLO_SHORTEST_PARTED;
  if (nest->kind == HLO_NEST_ROW) {
    work = nest->reduced;
    m->splits =
        nest->outer == 0 && stages == 1 && !has_outputs(m, false) && inner > 2 * HLO_CALL_ELEMENTS;
    if (m->splits) block = HLO_CALL_ELEMENTS;
    if (waits_for_memory(m, stages, elements) && !split_rows_in_turns(m)) read_two_places(m);
  }
  if (nest->kind == HLO_NEST_COLUMN) {
    work = nest->reduced * inner;
    if (work > HLO_CALL_ELEMENTS && inner > 2 * HLO_COLUMN_BLOCK) block = HLO_COLUMN_BLOCK;
    if (stages > 1 && work > HLO_COLUMN_CACHE) {
      block = HLO_COLUMN_CACHE / nest->reduced / HLO_EMIT_STEP * HLO_EMIT_STEP;
      if (block < HLO_LOOP_BLOCK) block = HLO_LOOP_BLOCK;
      if (block > inner) block = inner;
    }
    if (nest->outer > 0 && waits_for_memory(m, stages, elements)) read_whole_rows(m);
    if (m->apart > 0 || m->one_by_one)
      block = inner > HLO_AWAY_WHOLE_BLOCK ? HLO_AWAY_WHOLE_BLOCK : inner;
  }
  m->inner_chunk = block;
  m->scratch_bytes = m->carry_bytes > 0 ? nest->rows * m->carry_bytes : m->splits ? CARRY : 0;
  if (m->split_loop == hlo_nest_inner(nest)) m->split_end = m->away > 0 ? m->away : inner;
  out->in_order = m->splits;
  out->whole_rows = m->whole_rows;
  out->rows = nest->rows;
  out->inner = nest->kind == HLO_NEST_ROW && !m->splits ? 1 : m->split_end;
  out->inner_chunk = m->carry_bytes > 0 || (nest->kind == HLO_NEST_ROW && !m->splits) ? 1 : block;
  out->row_chunk = block < inner || work >= HLO_CALL_ELEMENTS ? 1 : HLO_CALL_ELEMENTS / work;
  if (m->carry_bytes > 0) out->row_chunk = m->turn;
  // The first and the last row of a call have loops of their own where stages are done next to each
  // other. Enough calls are left to become fast between them, and for threads.
  int64_t times = stages > 1 ? nest->rows / (HLO_KERNEL_CALLS * out->row_chunk) : 1;
  if (times > 1) out->row_chunk *= times < HLO_KERNEL_LONGER ? times : HLO_KERNEL_LONGER;
  if (out->row_chunk > out->rows) out->row_chunk = out->rows;
  out->nanoseconds = (double)nest->rows * (double)work * m->e->graph.count / HLO_NODES_PER_NS;
  if (nest->kind == HLO_NEST_ROW) out->nanoseconds /= 2; // the others are for whole rows
}

bool hlo_kernel_write(hlo_emitter *e, hlo_emit_kernel *out, hlo_emit_read *reads,
                      hlo_string *body) {
  hlo_maker m = {.e = e, .epoch = 1, .computed = 1, .lanes = 4};
  m.f.local_count = HLO_PARAMETERS;
  hlo_nest_build(e, &m.nest);
  m.split_loop = hlo_nest_inner(&m.nest);
  hlo_emit_scale_sums(e);
  if (e->graph.target.relaxed_simd) hlo_emit_use_multiply_adds(e);
  if (m.nest.kind == HLO_NEST_ROW) hlo_emit_loosen_extremes(e);
  m.mask = hlo_graph_parameter(&e->graph);
  hlo_maker_analyze(&m);
  int32_t stages = stage_count(&m);
  choose_chunks(&m, stages, out);
  for (int32_t i = 0; i < e->fusion->operand_count && !m.splits && m.away == 0; i++)
    reads[i] = hlo_nest_read(e, &m.nest, i);
  m.scratch_argument = hlo_emit_add_argument(e, (hlo_emit_argument){HLO_ARGUMENT_SCRATCH, 0, NULL});
  write_function(&m, stages);
  hlo_wasm_finish(&m.f, body);
  out->scratch_bytes = m.scratch_bytes;
  bool done = !body->failed && !e->graph.failed && !e->out_of_memory;
  if (!done) e->out_of_memory = true;
  hlo_wasm_free(&m.f);
  return done;
}
