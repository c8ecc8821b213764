// See window_op.h. Each tap is a pass over long runs of results, of as many of the innermost
// dimensions as that takes, in blocks that stay in the cache. Dimensions before those are stepped
// over in place, and taps over padding left out. Where the ones within runs have padding or steps,
// the base is first copied into frames: one for each remainder of its places by the stride, padded,
// so that the elements under one tap of all windows lie at one offset from their results, however
// short rows are. Results between the end of one row and the start of the next are of no use then,
// and left out at the end.
#include "base/checked.h"
#include "kernels/elementwise/narrow.h"
#include "kernels/machine.h"
#include "kernels/window/window_op.h"

#include <string.h>

enum { MOST_TAPS = 4096, SHORTEST_RUN = 256, MOST_GROWTH = 8, BLOCK = HLO_LANE_BLOCK };

// One dimension, numbered as in memory.
typedef struct axis {
  int32_t dimension;
  int64_t size, window, stride, dilation, low, positions;
  int64_t frames;      // remainders that taps have: tap t is in frame t % frames
  int64_t length;      // of a frame
  int64_t step;        // elements from one place of a frame to the next
  int64_t advance;     // elements from one position to the next
  int64_t result_step; // of the results
} axis;

typedef struct tap_pass {
  const hlo_window_op *op;
  int32_t rank, split; // axes before `split` are rows, the others one run
  bool clips;          // padding of axis `split` is left out, too: it has no frames
  axis axes[HLO_MAX_RANK];
  int64_t size; // of an element
  int64_t frame, taps, rows, blocks, share;
  int64_t run, inner_run; // elements of a run, and of one position along axis `split`
  int64_t *offsets;       // of each tap, in elements
  int64_t *places;        // of each tap along axes 0 … split: the first position's element
  const char *frames;     // all of them, or the base
  char *start;            // a block of the start value
  char *results;
} tap_pass;

// The axes by falling stride of the base. False if there are too many taps.
static bool order_axes(tap_pass *p, const int64_t *fields, const hlo_view *from,
                       const hlo_view *to) {
  int32_t order[HLO_MAX_RANK];
  hlo_window_order(from, order);
  p->taps = 1;
  p->rank = from->rank;
  for (int32_t i = 0; i < from->rank; i++) {
    const int64_t *field = hlo_window_field(fields, order[i]);
    p->axes[i] = (axis){.dimension = order[i],
                        .size = from->dims[order[i]],
                        .window = field[HLO_WINDOW_SIZE],
                        .stride = field[HLO_WINDOW_STRIDE],
                        .dilation = field[HLO_WINDOW_RHS_DILATION],
                        .low = field[HLO_WINDOW_PAD_LOW],
                        .positions = to->dims[order[i]],
                        .frames = 1,
                        .length = from->dims[order[i]]};
    if (field[HLO_WINDOW_SIZE] > MOST_TAPS / p->taps) return false;
    p->taps *= field[HLO_WINDOW_SIZE];
  }
  return true;
}

// As many inner axes as make a run that is worth a call.
static void choose_run(tap_pass *p) {
  int64_t run = 1;
  p->split = p->rank;
  while (p->split > 0 && run < SHORTEST_RUN) run *= p->axes[--p->split].positions;
  p->rows = 1;
  for (int32_t i = 0; i < p->split; i++) p->rows *= p->axes[i].positions;
}

// Whether runs may read the base in place.
static bool is_in_place(const tap_pass *p, const hlo_view *from) {
  if (from->type != p->op->type || !hlo_views_are_parallel(from, from)) return false;
  for (int32_t i = 0; i < p->rank; i++) {
    const axis *x = &p->axes[i];
    int64_t last = (x->window - 1) * x->dilation;
    if (from->strides[x->dimension] < 0) return false;
    if (i < p->split) continue;
    if (x->stride > 1 && x->positions > 1) return false;
    if (i > p->split && (x->low > 0 || x->positions + last - x->low > x->size)) return false;
    // A single window in each of many rows: elements under the same tap are to lie together.
    if (i > p->split && x->positions == 1 && x->size > 1) return false;
  }
  return true;
}

// The frames of the axes within runs. False if they would be much larger than the arrays.
static bool measure_frames(tap_pass *p) {
  int64_t elements = 1, results = 1, bases = 1;
  for (int32_t i = 0; i < p->rank; i++) {
    axis *x = &p->axes[i];
    int64_t last = (x->window - 1) * x->dilation;
    results *= x->positions;
    bases *= x->size;
    if (i >= p->split) {
      if (x->positions == 1) x->stride = last + 1;
      int64_t period = x->stride / hlo_window_gcd(x->stride, x->dilation);
      x->frames = period < x->window ? period : x->window;
      x->length = x->positions + last / x->stride;
    }
    if (!hlo_checked_mul(elements, x->length * x->frames, &elements)) return false;
  }
  return elements <= MOST_GROWTH * (results + bases) + BLOCK;
}

// The part of an axis that a frame has: places `first` … of the base, every stride-th, from `at` on
// in the frame. False if there is none.
static bool cut_axis(const axis *x, int64_t frame, int64_t *first, int64_t *at, int64_t *count) {
  int64_t shift = frame * x->dilation % x->stride - x->low;
  *at = shift >= 0 ? 0 : (-shift - 1) / x->stride + 1;
  if (*at >= x->length) return false;
  *first = *at * x->stride + shift;
  if (*first >= x->size) return false;
  *count = (x->size - 1 - *first) / x->stride + 1;
  if (*count > x->length - *at) *count = x->length - *at;
  return true;
}

// Frame number index[i] of each axis within runs; none if it has padding alone.
static hlo_status fill_frame(const tap_pass *p, const hlo_view *from, const int64_t *index,
                             void *memory, hlo_error *error) {
  hlo_view part = *from, frame = {.type = p->op->type, .rank = p->rank, .data = memory};
  for (int32_t i = 0; i < p->rank; i++) {
    const axis *x = &p->axes[i];
    int64_t first = 0, at = 0, count = x->size, stride = from->strides[x->dimension];
    if (i >= p->split && !cut_axis(x, index[i], &first, &at, &count)) return HLO_OK;
    part.dims[i] = frame.dims[i] = count;
    part.strides[i] = stride * (i < p->split ? 1 : x->stride);
    part.data = hlo_view_at(&part, first * stride);
    frame.strides[i] = x->step;
    frame.data = hlo_view_at(&frame, at * x->step);
  }
  return hlo_window_copy(p->op, &frame, &part, error);
}

// All frames at once where they have no padding: their numbers are dimensions of a transpose.
static hlo_status transpose_frames(const tap_pass *p, const hlo_view *from, void *memory,
                                   hlo_error *error) {
  hlo_view part = *from, frames = {.type = p->op->type, .rank = 2 * p->rank, .data = memory};
  int64_t step = p->frame;
  part.rank = frames.rank;
  for (int32_t i = p->rank - 1; i >= 0; i--) {
    const axis *x = &p->axes[i];
    int64_t stride = from->strides[x->dimension];
    part.dims[i] = frames.dims[i] = x->frames;
    part.strides[i] = stride * x->dilation;
    frames.strides[i] = step;
    step *= x->frames;
    part.dims[p->rank + i] = frames.dims[p->rank + i] = x->length;
    part.strides[p->rank + i] = stride * (i < p->split ? 1 : x->stride);
    frames.strides[p->rank + i] = x->step;
    if (i >= p->split) part.data = hlo_view_at(&part, -x->low * stride);
  }
  return hlo_window_copy(p->op, &frames, &part, error);
}

static hlo_status fill_frames(const tap_pass *p, const hlo_view *from, char *memory, int64_t total,
                              hlo_error *error) {
  int64_t counts[HLO_MAX_RANK], index[HLO_MAX_RANK] = {0}, number = 0;
  bool is_padded = p->rank > HLO_MAX_RANK / 2; // or not to be transposed
  for (int32_t i = 0; i < p->rank; i++) {
    const axis *x = &p->axes[i];
    counts[i] = x->frames;
    bool wraps = (x->frames - 1) * x->dilation >= x->stride && x->frames > 1;
    for (int64_t k = 0; k < x->frames && i >= p->split; k++) {
      int64_t first, at, count;
      is_padded = is_padded || wraps || !cut_axis(x, k, &first, &at, &count) || count < x->length;
    }
  }
  if (!is_padded) return transpose_frames(p, from, memory, error);
  hlo_view all = {.type = p->op->type, .rank = 1, .dims = {total}, .strides = {1}, .data = memory};
  hlo_view_fill(&all, p->op->neutral);
  do HLO_TRY(fill_frame(p, from, index, memory + number++ * p->frame * p->size, error));
  while (hlo_next_index(p->rank, counts, index));
  return HLO_OK;
}

static hlo_status make_frames(tap_pass *p, const hlo_view *from, hlo_error *error) {
  int64_t total = 1;
  p->frame = 1;
  for (int32_t i = p->rank - 1; i >= 0; i--) {
    p->axes[i].step = p->frame;
    p->frame *= p->axes[i].length;
    total *= p->axes[i].length * p->axes[i].frames;
  }
  char *memory = hlo_arena_array_raw(p->op->evaluator->scratch, (size_t)total, (size_t)p->size);
  if (memory == NULL) return hlo_fail_out_of_memory(error);
  p->frames = memory;
  return fill_frames(p, from, memory, total, error);
}

// Where each tap is, in row-major order of the window.
static hlo_status list_taps(tap_pass *p, hlo_error *error) {
  int64_t counts[HLO_MAX_RANK], index[HLO_MAX_RANK] = {0};
  for (int32_t i = 0; i < p->rank; i++) counts[p->axes[i].dimension] = p->axes[i].window;
  HLO_ALLOC(p->offsets, p->op->evaluator->scratch, p->taps, error);
  HLO_ALLOC(p->places, p->op->evaluator->scratch, p->taps * (p->split + 1), error);
  for (int64_t t = 0; t < p->taps; t++, hlo_next_index(p->rank, counts, index)) {
    int64_t number = 0, offset = 0;
    for (int32_t i = 0; i < p->rank; i++) {
      const axis *x = &p->axes[i];
      int64_t tap = index[x->dimension], place = tap * x->dilation;
      number = number * x->frames + tap % x->frames;
      if (i <= p->split) p->places[t * (p->split + 1) + i] = place - x->low;
      if (i < p->split || p->frame == 0) place -= x->low;
      else place /= x->stride;
      offset += place * x->step;
    }
    p->offsets[t] = number * p->frame + offset;
  }
  return HLO_OK;
}

static void round_values(hlo_type type, float *values, int64_t n) {
  uint16_t rounded[HLO_NARROW_BLOCK];
  if (type == HLO_BF16) {
    for (int64_t i = 0; i < n; i++) values[i] = hlo_round_to_bf16(values[i]);
    return;
  }
  for (int64_t done = 0; done < n; done += HLO_NARROW_BLOCK) {
    int64_t count = n - done < HLO_NARROW_BLOCK ? n - done : HLO_NARROW_BLOCK;
    hlo_narrow_from_f32(type, rounded, values + done, count);
    hlo_narrow_to_f32(type, values + done, rounded, count);
  }
}

// The part *first … *end of a block of a row's run in which a tap is over elements; false: nowhere.
static bool clip_tap(const tap_pass *p, const int64_t *position, int64_t tap, int64_t *first,
                     int64_t *end) {
  const int64_t *places = p->places + tap * (p->split + 1);
  for (int32_t i = 0; i < p->split; i++) {
    int64_t element = position[i] * p->axes[i].stride + places[i];
    if (element < 0 || element >= p->axes[i].size) return false;
  }
  if (!p->clips) return true;
  const axis *x = &p->axes[p->split];
  int64_t low = places[p->split] >= 0 ? 0 : -places[p->split] * x->step;
  int64_t high = (x->size - 1 - places[p->split]) * x->step + p->inner_run;
  if (*first < low) *first = low;
  if (*end > high) *end = high;
  return *first < *end;
}

static void combine_block(const tap_pass *p, const int64_t *position, int64_t first, int64_t end,
                          const char *base, char *values) {
  bool is_started = false;
  for (int64_t t = 0; t < p->taps; t++) {
    int64_t from = first, to = end;
    if (!clip_tap(p, position, t, &from, &to)) continue;
    bool is_whole = from == first && to == end;
    if (!is_started && !is_whole) memcpy(values, p->start, (size_t)((end - first) * p->size));
    char *result = values + (from - first) * p->size;
    const void *operands[2] = {is_started || !is_whole ? result : p->start,
                               base + (from + p->offsets[t]) * p->size};
    p->op->kernel(result, operands, to - from);
    if (p->op->rounded != p->op->type)
      round_values(p->op->rounded, (float *)(void *)result, to - from);
    is_started = true;
  }
  if (!is_started) memcpy(values, p->start, (size_t)((end - first) * p->size));
}

// Blocks of results, `share` of them to a work share.
static void combine_blocks(void *work, int32_t part, int32_t thread) {
  const tap_pass *p = work;
  int64_t all = p->rows * p->blocks, number = part * p->share, last = number + p->share;
  (void)thread;
  for (; number < last && number < all; number++) {
    int64_t row = number / p->blocks, first = number % p->blocks * BLOCK, from = 0, to = first;
    int64_t end = p->run - first < BLOCK ? p->run : first + BLOCK, position[HLO_MAX_RANK];
    for (int32_t i = p->split - 1; i >= 0; i--) {
      const axis *x = &p->axes[i];
      position[i] = row % x->positions;
      from += position[i] * x->advance;
      to += position[i] * x->result_step;
      row /= x->positions;
    }
    combine_block(p, position, first, end, p->frames + from * p->size, p->results + to * p->size);
  }
}

// Whether rows of results have no gaps and lie as in the frames.
static bool is_direct(const tap_pass *p, const hlo_view *to) {
  int64_t dense = 1;
  if (to->type != p->op->type) return false;
  for (int32_t i = p->rank - 1; i >= p->split; i--) {
    const axis *x = &p->axes[i];
    if (x->positions == 1) continue;
    if (x->step != dense || to->strides[x->dimension] != dense) return false;
    dense *= x->positions;
  }
  return true;
}

static hlo_status combine(tap_pass *p, const hlo_view *to, hlo_error *error) {
  const hlo_evaluator *evaluator = p->op->evaluator;
  bool direct = is_direct(p, to);
  hlo_view made = {.type = p->op->type, .rank = p->rank}, target = *to;
  p->run = 1;
  for (int32_t i = p->rank - 1; i >= p->split; i--) {
    p->inner_run = p->run;
    p->run += (p->axes[i].positions - 1) * p->axes[i].step;
  }
  int64_t step = p->run;
  for (int32_t i = p->rank - 1; i >= 0; i--) {
    axis *x = &p->axes[i];
    x->result_step = direct ? to->strides[x->dimension] : step;
    x->advance = x->stride * x->step; // of rows
    if (i < p->split) step *= x->positions;
    made.dims[i] = target.dims[i] = x->positions;
    made.strides[i] = i < p->split ? x->result_step : x->step;
    target.strides[i] = to->strides[x->dimension];
  }
  p->results =
      direct ? to->data
             : hlo_arena_array_raw(evaluator->scratch, (size_t)(p->rows * p->run), (size_t)p->size);
  if (p->results == NULL) return hlo_fail_out_of_memory(error);
  p->blocks = (p->run - 1) / BLOCK + 1;
  int64_t all = p->rows * p->blocks;
  int32_t parts = hlo_backend_parts(evaluator->backend, all,
                                    (double)(p->rows * p->run * p->taps) / HLO_POOLED_PER_NS);
  p->share = (all + parts - 1) / parts;
  hlo_backend_parallel(evaluator->backend, combine_blocks, p,
                       (int32_t)((all + p->share - 1) / p->share));
  made.data = p->results;
  return direct ? HLO_OK : hlo_window_copy(p->op, &target, &made, error);
}

hlo_status hlo_window_by_taps(const hlo_window_op *op, const int64_t *fields, const hlo_view *from,
                              const void *start, const hlo_view *to, bool *done, hlo_error *error) {
  tap_pass p = {.op = op, .size = hlo_type_bytes(op->type)};
  *done = order_axes(&p, fields, from, to);
  if (!*done) return HLO_OK;
  choose_run(&p);
  p.clips = is_in_place(&p, from) && p.split < p.rank;
  if (is_in_place(&p, from)) {
    for (int32_t i = 0; i < p.rank; i++) p.axes[i].step = from->strides[p.axes[i].dimension];
    p.frames = from->data;
  } else {
    *done = measure_frames(&p);
    if (!*done) return HLO_OK;
    HLO_TRY(make_frames(&p, from, error));
  }
  p.start = hlo_arena_array_raw(op->evaluator->scratch, BLOCK, (size_t)p.size);
  if (p.start == NULL) return hlo_fail_out_of_memory(error);
  hlo_view block = {.type = op->type, .rank = 1, .dims = {BLOCK}, .strides = {1}, .data = p.start};
  hlo_view_fill(&block, start);
  HLO_TRY(list_taps(&p, error));
  return combine(&p, to, error);
}
