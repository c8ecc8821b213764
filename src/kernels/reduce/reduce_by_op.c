// Reduce by a single op that is associative and commutative (add, multiply, maximum, …), through
// its pointwise kernel.
//
// The step number k of an element, counted in the logical order of the reduced dimensions, picks
// one of PARTIALS running results. After each BLOCK of steps these move on to the next of LEVELS
// and start anew; all are combined at the end. That makes dense runs along the reduced dimensions
// as good for vector code as dense lanes are, keeps the rounding errors of long sums small, and
// gives the same bits under every layout. Floats below 32 bits are widened to f32 and narrowed at
// the end; their sums and products do not come here (in_order.h).
#include "kernels/elementwise/narrow.h"
#include "kernels/machine.h"
#include "kernels/reduce/reduce.h"
#include "kernels/reduce/reduce_stack.h"

#include <string.h>

enum {
  PARTIALS = HLO_REDUCE_PARTIALS, // a power of two
  LEVELS = 5,
  BLOCK = 64 * PARTIALS, // steps until a level moves on; of levels: as many of the level below
  GROUP = 4,
};

typedef struct op_reducer {
  const hlo_evaluator *evaluator;
  const hlo_reduction *reduction;
  hlo_pointwise_kernel *kernel;
  const hlo_reduce_loops *loops; // the same for many rows at once, or NULL
  hlo_type type, work_type;      // of the operand, and of the running results
  int64_t size;                  // of work_type
  const hlo_view *operand, *result;
  char *initial;         // one element of work_type
  char *levels[LEVELS];  // PARTIALS rows of lanes, or of single elements; NULL if never reached
  int64_t moved[LEVELS]; // how often a level has taken in the one below since it started
  char *widened;         // room for a row, or a run, of work_type
} op_reducer;

static bool is_widened(const op_reducer *r) { return r->type != r->work_type; }

static void apply(const op_reducer *r, char *left, const char *right, int64_t n) {
  r->kernel(left, (const void *const[]){left, right}, n);
}

// Combines `used` rows of `row` elements into the first one.
static void combine_rows(const op_reducer *r, char *rows, int64_t used, int64_t row) {
  for (int64_t half = PARTIALS / 2; half >= 1; half /= 2) {
    if (used <= half) continue;
    apply(r, rows, rows + half * row * r->size, (used - half) * row);
    used = half;
  }
}

// Accumulates n elements, which belong to step k and the following ones.
static void accumulate(const op_reducer *r, const char *elements, int64_t n, int64_t k,
                       int64_t row) {
  char *partial = r->levels[0] + k % PARTIALS * row * r->size;
  if (k % BLOCK < PARTIALS) memcpy(partial, elements, (size_t)(n * r->size));
  else apply(r, partial, elements, n);
}

// Carries full levels into the next ones, after k steps in total.
static void move_levels(op_reducer *r, int64_t k, int64_t row) {
  if (k % BLOCK != 0) return;
  int64_t elements = PARTIALS * row;
  for (int level = 1; level < LEVELS && r->levels[level] != NULL; level++) {
    char *from = r->levels[level - 1], *to = r->levels[level];
    if (r->moved[level] == 0) memcpy(to, from, (size_t)(elements * r->size));
    else apply(r, to, from, elements);
    r->moved[level - 1] = 0;
    if (++r->moved[level] < BLOCK / PARTIALS) return;
  }
}

// Combines all partial results after k steps into the first row, which it returns.
static char *combine(op_reducer *r, int64_t k, int64_t row) {
  int64_t first = k % BLOCK, used = first < PARTIALS ? first : PARTIALS;
  char *rows = used > 0 ? r->levels[0] : NULL;
  for (int level = 1; level < LEVELS; level++) {
    if (r->moved[level] == 0) continue;
    if (rows != NULL) apply(r, r->levels[level], rows, used * row);
    rows = r->levels[level];
    used = PARTIALS;
    r->moved[level] = 0;
  }
  combine_rows(r, rows, used, row);
  return rows;
}

// The elements as work_type.
static const char *widen(const op_reducer *r, const void *elements, int64_t n) {
  if (!is_widened(r)) return elements;
  hlo_narrow_to_f32(r->type, (float *)(void *)r->widened, elements, n);
  return r->widened;
}

// initial op everything else, after k steps, into `out` of the operand's type.
static void finish(op_reducer *r, void *out, const char *initials, int64_t k, int64_t n) {
  char *rows = combine(r, k, n), *target = is_widened(r) ? rows : out;
  r->kernel(target, (const void *const[]){initials, rows}, n);
  if (is_widened(r)) hlo_narrow_from_f32(r->type, out, (const float *)(void *)rows, n);
}

// --- rows: lanes side by side, one step after the other ---

// Accumulates dense rows in groups of PARTIALS, several groups per pass over a running result, up
// to the end of the block. Returns the number of rows consumed; k is a multiple of PARTIALS.
static int64_t accumulate_groups(const op_reducer *r, hlo_row_source *source, int64_t k,
                                 int64_t lanes) {
  hlo_row_source_fill(source);
  int64_t left = BLOCK - k % BLOCK, most = source->left < left ? source->left : left;
  int64_t groups = most / PARTIALS < GROUP ? most / PARTIALS : GROUP, row = lanes * r->size;
  const char *from = source->row;
  for (int64_t p = 0; p < PARTIALS && groups > 0; p++, from += source->distance) {
    char *partial = r->levels[0] + p * row;
    bool first = k % BLOCK == 0;
    if (first) memcpy(partial, from, (size_t)row);
    r->loops->rows(partial, from + (first ? PARTIALS * source->distance : 0),
                   PARTIALS * source->distance, groups - first, lanes);
  }
  source->row += groups * PARTIALS * source->distance;
  source->left -= groups * PARTIALS;
  return groups * PARTIALS;
}

// Accumulates the rows of all steps of a tile.
static void accumulate_rows(op_reducer *r, hlo_row_source *source, bool grouped, int64_t lanes) {
  int64_t k = 0;
  while (k < r->reduction->steps) {
    int64_t taken = grouped && k % PARTIALS == 0 ? accumulate_groups(r, source, k, lanes) : 0;
    if (taken == 0) {
      accumulate(r, widen(r, hlo_row_source_next(source), lanes), lanes, k, lanes);
      taken = 1;
    }
    k += taken;
    move_levels(r, k, lanes);
  }
}

static hlo_status reduce_rows(op_reducer *r, int64_t most_lanes, hlo_error *error) {
  hlo_lane_tile tile;
  hlo_row_source source;
  hlo_view initials, out;
  hlo_lane_tile_start(&tile, r->reduction, r->operand, most_lanes);
  int64_t most = hlo_lane_tile_capacity(&tile);
  HLO_TRY(hlo_row_source_init(r->evaluator, &tile, r->operand, &source, error));
  HLO_TRY(hlo_scratch_view(r->evaluator, r->work_type, 1, &most, &initials, error));
  HLO_TRY(hlo_scratch_view(r->evaluator, r->type, 1, &most, &out, error));
  hlo_view_fill(&initials, r->initial);
  do {
    int64_t lanes = hlo_lane_tile_lanes(&tile), steps = r->reduction->steps;
    hlo_row_source_start(&source, &tile);
    accumulate_rows(r, &source, most_lanes == HLO_REDUCE_WIDE_LANES, lanes);
    finish(r, out.data, initials.data, steps, lanes);
    hlo_view to = hlo_lane_tile_of_result(&tile, r->result), from = to;
    from.data = out.data;
    hlo_view_set_row_major(&from);
    hlo_view_copy(&to, &from);
  } while (hlo_lane_tile_next(&tile));
  return HLO_OK;
}

// --- runs: one lane after the other, steps side by side ---

// The reduced dimensions, collapsed where their strides allow it; the last one is the run.
typedef struct run_loop {
  int32_t rank;
  int64_t dims[HLO_MAX_RANK], strides[HLO_MAX_RANK];
} run_loop;

static run_loop collapse_reduced(const op_reducer *r) {
  run_loop loop = {.rank = 1, .dims = {1}, .strides = {1}};
  for (int32_t i = 0; i < r->reduction->reduced_rank; i++) {
    int32_t d = r->reduction->reduced[i];
    int64_t size = r->operand->dims[d], stride = r->operand->strides[d];
    int32_t last = loop.rank - 1;
    if (size == 1) continue;
    if (loop.dims[last] == 1) {
      loop.dims[last] = size;
    } else if (loop.strides[last] == size * stride) {
      loop.dims[last] *= size;
    } else {
      loop.dims[loop.rank++] = size;
    }
    loop.strides[loop.rank - 1] = stride;
  }
  return loop;
}

// Accumulates whole rows of PARTIALS elements up to the end of the block.
static int64_t accumulate_stack(const op_reducer *r, const char *elements, int64_t n, int64_t k) {
  int64_t left = BLOCK - k % BLOCK, rows = (n < left ? n : left) / PARTIALS, taken = 0;
  if (k % BLOCK == 0) {
    accumulate(r, elements, PARTIALS, k, 1);
    taken = 1;
  }
  r->loops->stack(r->levels[0], elements + taken * PARTIALS * r->size, rows - taken);
  return rows * PARTIALS;
}

// Accumulates n elements, the first of which is step k, into the partial results.
static void fold(op_reducer *r, const char *elements, int64_t n, int64_t k) {
  while (n > 0) {
    int64_t left = PARTIALS - k % PARTIALS, count = n < left ? n : left;
    if (r->loops != NULL && count == PARTIALS) count = accumulate_stack(r, elements, n, k);
    else accumulate(r, elements, count, k, 1);
    elements += count * r->size;
    k += count;
    n -= count;
    move_levels(r, k, 1);
  }
}

// A run from the element at `offset` on.
static void fold_run(op_reducer *r, const run_loop *loop, int64_t offset, int64_t k,
                     const hlo_view *gathered) {
  int64_t length = loop->dims[loop->rank - 1], stride = loop->strides[loop->rank - 1];
  hlo_view from = {.type = r->type, .rank = 1, .strides = {stride}};
  bool dense = stride == 1;
  int64_t most = dense && !is_widened(r) ? HLO_REDUCE_DENSE_RUN : HLO_REDUCE_RUN;
  for (int64_t done = 0; done < length; done += most) {
    int64_t n = length - done < most ? length - done : most;
    from.data = hlo_view_at(r->operand, offset + done * stride);
    hlo_view to = *gathered;
    from.dims[0] = to.dims[0] = n;
    if (!dense) hlo_view_copy(&to, &from);
    fold(r, widen(r, dense ? from.data : to.data, n), n, k + done);
  }
}

static hlo_status reduce_runs(op_reducer *r, hlo_error *error) {
  const hlo_reduction *reduction = r->reduction;
  run_loop loop = collapse_reduced(r);
  hlo_view gathered;
  int64_t run = HLO_REDUCE_RUN, length = loop.dims[loop.rank - 1];
  HLO_TRY(hlo_scratch_view(r->evaluator, r->type, 1, &run, &gathered, error));
  int64_t dims[HLO_MAX_RANK], lane[HLO_MAX_RANK] = {0}, steps = reduction->steps;
  for (int32_t i = 0; i < reduction->kept_rank; i++) {
    dims[i] = r->operand->dims[reduction->kept[i]];
  }
  do {
    int64_t start = 0, to = 0, outer[HLO_MAX_RANK] = {0}, k = 0;
    for (int32_t i = 0; i < reduction->kept_rank; i++) {
      start += lane[i] * r->operand->strides[reduction->kept[i]];
      to += lane[i] * r->result->strides[reduction->result[i]];
    }
    do {
      int64_t offset = start;
      for (int32_t i = 0; i < loop.rank - 1; i++) offset += outer[i] * loop.strides[i];
      fold_run(r, &loop, offset, k, &gathered);
      k += length;
    } while (hlo_next_index(loop.rank - 1, loop.dims, outer));
    finish(r, hlo_view_at(r->result, to), r->initial, steps, 1);
  } while (hlo_next_index(reduction->kept_rank, dims, lane));
  return HLO_OK;
}

// Prefers runs if the reduced elements of a lane are contiguous and many, or if there are few
// lanes.
static bool prefers_runs(const op_reducer *r) {
  run_loop loop = collapse_reduced(r);
  int64_t length = loop.dims[loop.rank - 1];
  bool dense = loop.strides[loop.rank - 1] == 1 && length >= 2 * PARTIALS;
  return dense || r->reduction->lanes < HLO_REDUCE_FEW_LANES;
}

// Whether the lanes of a step are contiguous in the operand.
static bool has_dense_rows(const op_reducer *r) {
  hlo_view row = {.type = r->type, .rank = r->reduction->kept_rank};
  for (int32_t i = 0; i < row.rank; i++) {
    row.dims[i] = r->operand->dims[r->reduction->kept[i]];
    row.strides[i] = r->operand->strides[r->reduction->kept[i]];
  }
  return hlo_view_is_row_major(&row);
}

hlo_status hlo_reduce_by_op(const hlo_evaluator *evaluator, const hlo_reduction *reduction,
                            hlo_opcode opcode, const hlo_view *operand, const hlo_view *initial,
                            const hlo_view *result, hlo_error *error) {
  hlo_type type = operand->type, work_type = hlo_type_is_narrow_float(type) ? HLO_F32 : type;
  op_reducer r = {.evaluator = evaluator,
                  .reduction = reduction,
                  .kernel = hlo_pointwise_get(opcode, work_type),
                  .loops = hlo_reduce_loops_get(opcode, work_type),
                  .type = type,
                  .work_type = work_type,
                  .size = hlo_type_bytes(work_type),
                  .operand = operand,
                  .result = result};
  bool runs = prefers_runs(&r);
  int64_t most = r.loops != NULL && !is_widened(&r) && has_dense_rows(&r) ? HLO_REDUCE_WIDE_LANES
                                                                          : HLO_REDUCE_TILE_LANES;
  int64_t row = runs ? 1 : reduction->lanes < most ? reduction->lanes : most;
  size_t size = (size_t)r.size;
  bool failed = false;
  for (int level = 0; level < LEVELS && (level == 0 || reduction->steps >= BLOCK); level++) {
    r.levels[level] = hlo_arena_array(evaluator->scratch, (size_t)(PARTIALS * row), size);
    failed = failed || r.levels[level] == NULL;
  }
  r.widened =
      hlo_arena_array(evaluator->scratch, HLO_REDUCE_RUN, size); // more than HLO_REDUCE_TILE_LANES
  r.initial = hlo_arena_array(evaluator->scratch, 1, size);
  if (failed || r.widened == NULL || r.initial == NULL) return hlo_fail_out_of_memory(error);
  if (is_widened(&r)) hlo_narrow_to_f32(type, (float *)(void *)r.initial, initial->data, 1);
  else memcpy(r.initial, initial->data, size);
  return runs ? reduce_runs(&r, error) : reduce_rows(&r, most, error);
}
