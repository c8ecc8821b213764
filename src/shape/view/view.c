// Views of arrays, and the strided copy that relayout, transpose, broadcast, slice and reverse
// share.
#include "shape/view.h"

#include "base/copy.h"
#include "base/machine.h"
#include "shape/transpose.h"

#include <string.h>

void hlo_view_set(hlo_view *view, const hlo_shape *shape, void *data) {
  view->type = shape->type;
  view->rank = shape->rank;
  view->data = data;
  for (int32_t i = 0; i < shape->rank; i++) view->dims[i] = shape->dims[i];
  hlo_shape_strides(shape, view->strides);
}

hlo_view hlo_view_of(const hlo_shape *shape, void *data) {
  hlo_view view;
  hlo_view_set(&view, shape, data);
  return view;
}

int64_t hlo_view_elements(const hlo_view *view) {
  int64_t count = 1;
  for (int32_t i = 0; i < view->rank; i++) {
    if (view->dims[i] == 0) return 0;
  }
  for (int32_t i = 0; i < view->rank; i++) count *= view->dims[i];
  return count;
}

bool hlo_view_is_row_major(const hlo_view *view) {
  if (hlo_view_elements(view) == 0) return true;
  int64_t stride = 1;
  for (int32_t i = view->rank - 1; i >= 0; i--) {
    if (view->dims[i] == 1) continue;
    if (view->strides[i] != stride) return false;
    stride *= view->dims[i];
  }
  return true;
}

void hlo_view_set_row_major(hlo_view *view) {
  int64_t stride = 1;
  for (int32_t i = view->rank - 1; i >= 0; i--) {
    view->strides[i] = stride;
    stride *= view->dims[i] > 1 ? view->dims[i] : 1;
  }
}

bool hlo_views_are_parallel(const hlo_view *a, const hlo_view *b) {
  if (a->rank != b->rank) return false;
  bool empty = false;
  for (int32_t i = 0; i < a->rank; i++) {
    if (a->dims[i] != b->dims[i]) return false;
    if (a->dims[i] == 0) empty = true;
  }
  if (empty) return true;
  // Dense means: starting from stride 1, always some dimension goes on where the last one ended.
  int32_t left = 0;
  for (int32_t i = 0; i < a->rank; i++) {
    if (a->dims[i] == 1) continue;
    if (a->strides[i] != b->strides[i]) return false;
    left++;
  }
  for (int64_t stride = 1; left > 0; left--) {
    int32_t next = 0;
    while (next < a->rank && (a->dims[next] == 1 || a->strides[next] != stride)) next++;
    if (next == a->rank) return false;
    stride *= a->dims[next];
  }
  return true;
}

// --- strided copy ---

// One loop of the copy; strides are in bytes.
typedef struct copy_loop {
  int64_t count, to, from;
} copy_loop;

// The loops of a copy, outermost first, and where it starts.
typedef struct copy_plan {
  int32_t rank;
  int32_t size; // of an element in bytes
  char *to;
  const char *from;
  copy_loop loops[HLO_MAX_RANK];
} copy_plan;

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

// Whether a belongs outside of b: the destination is written as linearly as can be.
static bool is_outer(const copy_loop *a, const copy_loop *b) {
  int64_t a_to = magnitude(a->to), b_to = magnitude(b->to);
  return a_to != b_to ? a_to > b_to : magnitude(a->from) > magnitude(b->from);
}

// Collects the loops longer than 1 in order of the destination's strides, all of which become
// non-negative by walking the other way.
static void plan_loops(copy_plan *plan, const hlo_view *to, const hlo_view *from) {
  for (int32_t i = 0; i < to->rank; i++) {
    if (to->dims[i] == 1) continue;
    copy_loop loop = {to->dims[i], to->strides[i] * plan->size, from->strides[i] * plan->size};
    if (loop.to < 0) {
      plan->to += loop.to * (loop.count - 1);
      plan->from += loop.from * (loop.count - 1);
      loop.to = -loop.to;
      loop.from = -loop.from;
    }
    int32_t at = plan->rank++;
    for (; at > 0 && is_outer(&loop, &plan->loops[at - 1]); at--) {
      plan->loops[at] = plan->loops[at - 1];
    }
    plan->loops[at] = loop;
  }
}

// Merges neighbouring loops that walk on where the inner one ends, on both sides.
static void merge_loops(copy_plan *plan) {
  int32_t kept = 0;
  for (int32_t i = 1; i < plan->rank; i++) {
    copy_loop *outer = &plan->loops[kept];
    const copy_loop *inner = &plan->loops[i];
    if (outer->to == inner->to * inner->count && outer->from == inner->from * inner->count) {
      *outer = (copy_loop){outer->count * inner->count, inner->to, inner->from};
    } else {
      plan->loops[++kept] = *inner;
    }
  }
  if (plan->rank > 0) plan->rank = kept + 1;
}

// Copies a tile of a matrix, so that a cache line on either side is used up while it is in cache;
// memcpy of a constant size is a load and a store, at any alignment.
#define DEFINE_COPY_TILE(size)                                                                     \
  static void copy_row_##size(char *to, const char *from, copy_loop loop) {                        \
    for (int64_t i = 0; i < loop.count; i++) {                                                     \
      memcpy(to, from, size);                                                                      \
      to += loop.to;                                                                               \
      from += loop.from;                                                                           \
    }                                                                                              \
  }                                                                                                \
  static void copy_tile_##size(char *to, const char *from, copy_loop outer, copy_loop inner) {     \
    for (int64_t i = 0; i < outer.count; i++) {                                                    \
      copy_row_##size(to + i * outer.to, from + i * outer.from, inner);                            \
    }                                                                                              \
  }
DEFINE_COPY_TILE(1)
DEFINE_COPY_TILE(2)
DEFINE_COPY_TILE(4)
DEFINE_COPY_TILE(8)
DEFINE_COPY_TILE(16)

static void copy_tile(int32_t size, char *to, const char *from, copy_loop outer, copy_loop inner) {
  switch (size) {
  case 1:
    copy_tile_1(to, from, outer, inner);
    break;
  case 2:
    copy_tile_2(to, from, outer, inner);
    break;
  case 4:
    copy_tile_4(to, from, outer, inner);
    break;
  case 8:
    copy_tile_8(to, from, outer, inner);
    break;
  case 16:
    copy_tile_16(to, from, outer, inner);
    break;
  }
}

// Fills a row with a repeated element by copying what is already written, up to HLO_REPEAT_BYTES at
// a time.
static void repeat(char *to, size_t done, size_t total) {
  for (size_t count; done < total; done += count) {
    count = done < HLO_REPEAT_BYTES ? done : HLO_REPEAT_BYTES;
    if (count > total - done) count = total - done;
    hlo_copy_bytes(to + done, to, count);
  }
}

#define NOT_UNROLLED _Pragma("clang loop unroll(disable)") // nothing is won
typedef uint32_t elements_4 __attribute__((vector_size(HLO_VECTOR_BYTES)));

// Short contiguous rows: pieces of a constant size, the last of which overlaps the one before. Rows
// of fewer than 16 bytes, such as three floats, are two pieces of eight.
static void copy_rows_8(char *to, const char *from, copy_loop rows, ptrdiff_t bytes) {
  ptrdiff_t last = bytes - 8, to_step = (ptrdiff_t)rows.to, from_step = (ptrdiff_t)rows.from;
  for (ptrdiff_t left = (ptrdiff_t)rows.count; left > 0; left--, to += to_step, from += from_step) {
    memcpy(to, from, 8);
    memcpy(to + last, from + last, 8);
  }
}

static void copy_rows_16(char *to, const char *from, copy_loop rows, ptrdiff_t bytes) {
  ptrdiff_t last = bytes - HLO_VECTOR_BYTES, to_step = (ptrdiff_t)rows.to,
            from_step = (ptrdiff_t)rows.from, left = (ptrdiff_t)rows.count;
  NOT_UNROLLED for (; left > 0; left--, to += to_step, from += from_step) {
    NOT_UNROLLED for (ptrdiff_t at = 0; at < last; at += HLO_VECTOR_BYTES)
        memcpy(to + at, from + at, HLO_VECTOR_BYTES);
    memcpy(to + last, from + last, HLO_VECTOR_BYTES);
  }
}

static void copy_rows(char *to, const char *from, copy_loop rows, ptrdiff_t bytes) {
  if (bytes < HLO_VECTOR_BYTES) copy_rows_8(to, from, rows, bytes);
  else copy_rows_16(to, from, rows, bytes);
}

// The same of rows of 32-bit elements, which are read from the last to the first one.
static void reverse_rows(char *to, const char *from, copy_loop rows, ptrdiff_t bytes) {
  ptrdiff_t last = bytes - HLO_VECTOR_BYTES;
  NOT_UNROLLED for (int64_t i = 0; i < rows.count; i++, to += rows.to, from += rows.from) {
    NOT_UNROLLED for (ptrdiff_t at = 0;;
                      at = at + HLO_VECTOR_BYTES < last ? at + HLO_VECTOR_BYTES : last) {
      elements_4 x;
      memcpy(&x, from - at - (HLO_VECTOR_BYTES - 4), HLO_VECTOR_BYTES);
      x = __builtin_shufflevector(x, x, 3, 2, 1, 0);
      memcpy(to + at, &x, HLO_VECTOR_BYTES);
      if (at == last) break;
    }
  }
}

// Elements that are not contiguous in the operand or in the result.
static void copy_elements(int32_t size, char *to, const char *from, copy_loop loop) {
  if (loop.to == size && loop.from == 0 && loop.count > HLO_REPEAT_SOME) {
    copy_elements(size, to, from, (copy_loop){HLO_REPEAT_SOME, size, 0});
    repeat(to, HLO_REPEAT_SOME * (size_t)size, (size_t)(loop.count * size));
    return;
  }
  if (size == 4 && loop.to == size && loop.from == -size && loop.count >= 4) {
    reverse_rows(to, from, (copy_loop){1, 0, 0}, (ptrdiff_t)(loop.count * size));
    return;
  }
  switch (size) {
  case 1:
    copy_row_1(to, from, loop);
    break;
  case 2:
    copy_row_2(to, from, loop);
    break;
  case 4:
    copy_row_4(to, from, loop);
    break;
  case 8:
    copy_row_8(to, from, loop);
    break;
  case 16:
    copy_row_16(to, from, loop);
    break;
  }
}

static inline void copy_row(int32_t size, char *to, const char *from, copy_loop loop) {
  bool is_dense = loop.to == size && loop.from == size;
  if (is_dense) hlo_copy_bytes(to, from, (size_t)(loop.count * size));
  else copy_elements(size, to, from, loop);
}

// A matrix with one side shorter than a tile, such as pixels of three bytes: along the long side,
// so much at a time that all of it stays in cache.
static void copy_strip(int32_t size, char *to, const char *from, copy_loop narrow,
                       copy_loop along) {
  int64_t at = 0;
  if (narrow.from == size && along.to == size)
    at = hlo_transpose_strip(size, to, narrow.to, from, along.from, narrow.count, along.count);
  else if (narrow.to == size && along.from == size)
    at = hlo_transpose_strip(size, to, along.to, from, narrow.from, narrow.count, along.count);
  for (; at < along.count; at += HLO_STRIP_LENGTH) {
    copy_loop part = along;
    part.count = along.count - at < HLO_STRIP_LENGTH ? along.count - at : HLO_STRIP_LENGTH;
    for (int64_t i = 0; i < narrow.count; i++) {
      copy_row(size, to + i * narrow.to + at * along.to, from + i * narrow.from + at * along.from,
               part);
    }
  }
}

// One whole tile after the other, along the rows of the source or else of the result.
static void copy_panel(int32_t size, char *to, const char *from, copy_loop outer, copy_loop inner,
                       bool by_source) {
  if (outer.from == size && inner.to == size &&
      hlo_transpose_tiles(size, to, outer.to, from, inner.from, inner.count, outer.count,
                          by_source)) {
    return;
  }
  int64_t tile = size == 16 ? 16 : HLO_LINE_BYTES / size;
  const copy_loop *slow = by_source ? &inner : &outer, *quick = by_source ? &outer : &inner;
  const copy_loop rows = {tile, outer.to, outer.from}, columns = {tile, inner.to, inner.from};
  for (int64_t i = 0; i < slow->count; i += tile) {
    for (int64_t j = 0; j < quick->count; j += tile) {
      int64_t o = by_source ? j : i, n = by_source ? i : j;
      copy_tile(size, to + o * outer.to + n * inner.to, from + o * outer.from + n * inner.from,
                rows, columns);
    }
  }
}

// The whole tiles along the rows of the source where they push each other out, come from memory and
// are those further apart, so that the processor reads ahead; rows of small elements take so many
// at a time that it cannot. What is left on two sides are strips.
static void copy_matrix(int32_t size, char *to, const char *from, copy_loop outer,
                        copy_loop inner) {
  int64_t tile = size == 16 ? 16 : HLO_LINE_BYTES / size;
  int64_t distance = magnitude(inner.from);
  bool by_source =
      size >= 4 && inner.count * distance > HLO_TRANSPOSE_CACHED_BYTES && distance >= outer.to &&
      (hlo_rows_share_places(size, outer.to) || hlo_rows_share_places(size, inner.from));
  copy_loop below = outer, beside = inner, columns = inner;
  below.count = outer.count % tile;
  beside.count = inner.count % tile;
  outer.count -= below.count;
  inner.count -= beside.count;
  copy_strip(size, to + outer.count * outer.to, from + outer.count * outer.from, below, columns);
  copy_strip(size, to + inner.count * inner.to, from + inner.count * inner.from, beside, outer);
  copy_loop *quick = by_source ? &outer : &inner;
  for (int64_t left = quick->count; left > 0; left -= HLO_TRANSPOSE_PANEL) {
    quick->count = left < HLO_TRANSPOSE_PANEL ? left : HLO_TRANSPOSE_PANEL;
    copy_panel(size, to, from, outer, inner, by_source);
    to += HLO_TRANSPOSE_PANEL * quick->to;
    from += HLO_TRANSPOSE_PANEL * quick->from;
  }
}

// The outer loop to go through in tiles with the innermost one: the one with the source's smallest
// stride, if that is smaller than the innermost one's. -1 for none.
static int32_t choose_tiled_loop(const copy_plan *plan) {
  const copy_loop *inner = &plan->loops[plan->rank - 1];
  int32_t best = -1;
  int64_t smallest = magnitude(inner->from);
  for (int32_t i = 0; i < plan->rank - 1; i++) {
    int64_t stride = magnitude(plan->loops[i].from);
    if (stride > 0 && stride < smallest) {
      smallest = stride;
      best = i;
    }
  }
  return best;
}

// How far a loop's steps are apart on either side.
static int64_t step_bytes(const copy_loop *loop) {
  return loop->to > magnitude(loop->from) ? loop->to : magnitude(loop->from);
}

// For short rows or small matrices: the longest other loop that may be interchanged to run inside
// them; -1 if there is no need or no such loop.
static int32_t choose_long_loop(const copy_plan *plan, int32_t tiled) {
  int64_t few = plan->loops[plan->rank - 1].count, most = HLO_COPY_LONG_LOOP - 1;
  int32_t best = -1;
  if (tiled >= 0 ? few * plan->loops[tiled].count >= HLO_COPY_SMALL_MATRIX
                 : few >= HLO_COPY_SHORT_ROW)
    return -1;
  for (int32_t i = 0; i < plan->rank - 1; i++) {
    const copy_loop *loop = &plan->loops[i];
    if (loop->count <= most || step_bytes(loop) > HLO_COPY_NEIGHBOUR_BYTES) continue;
    most = loop->count;
    best = i;
  }
  return best;
}

static void run_plan(copy_plan *plan, int32_t tiled, int32_t along) {
  if (plan->rank == 0) {
    memcpy(plan->to, plan->from, (size_t)plan->size);
    return;
  }
  copy_loop inner = plan->loops[plan->rank - 1], outer = {1, 0, 0};
  int64_t bytes = inner.count * plan->size;
  bool is_short =
           plan->rank > 1 && bytes >= 8 && bytes < HLO_COPY_IN_BULK && inner.to == plan->size,
       is_dense = is_short && inner.from == plan->size,
       is_reversed = is_short && inner.from == -4 && plan->size == 4 && bytes >= HLO_VECTOR_BYTES;
  if (along >= 0) tiled = along;
  if (is_dense || is_reversed) tiled = plan->rank - 2;
  int32_t rank = plan->rank - 1; // loops left over, which this function steps through itself
  if (tiled >= 0) {
    outer = plan->loops[tiled];
    rank--;
    for (int32_t i = tiled; i < rank; i++) plan->loops[i] = plan->loops[i + 1];
  }
  int64_t index[HLO_MAX_RANK]; // clearing all of it takes as long as copying a small matrix
  for (int32_t i = 0; i < rank; i++) index[i] = 0;
  char *to = plan->to;
  const char *from = plan->from;
  for (;;) {
    if (is_dense) copy_rows(to, from, outer, (ptrdiff_t)bytes);
    else if (is_reversed) reverse_rows(to, from, outer, (ptrdiff_t)bytes);
    else if (along >= 0) copy_strip(plan->size, to, from, inner, outer);
    else if (tiled >= 0) copy_matrix(plan->size, to, from, outer, inner);
    else copy_row(plan->size, to, from, inner);
    int32_t i = rank - 1;
    for (; i >= 0; i--) {
      const copy_loop *loop = &plan->loops[i];
      if (++index[i] < loop->count) {
        to += loop->to;
        from += loop->from;
        break;
      }
      index[i] = 0;
      to -= loop->to * (loop->count - 1);
      from -= loop->from * (loop->count - 1);
    }
    if (i < 0) return;
  }
}

// A long loop that runs inside of others goes as far at a time as stays in cache until all of them
// have come back to it.
static void run_in_blocks(copy_plan *plan) {
  int32_t tiled = plan->rank > 0 ? choose_tiled_loop(plan) : -1;
  int32_t along = plan->rank > 0 ? choose_long_loop(plan, tiled) : -1;
  const copy_loop *whole = &plan->loops[along >= 0 ? along : 0];
  int64_t most = along >= 0 && plan->rank > 2 ? HLO_COPY_NEAR_BYTES / step_bytes(whole) : INT64_MAX;
  if (along < 0 || whole->count <= most) {
    run_plan(plan, tiled, along);
    return;
  }
  for (int64_t at = 0; at < whole->count; at += most) {
    copy_plan part = *plan;
    part.to += at * whole->to;
    part.from += at * whole->from;
    part.loops[along].count = whole->count - at < most ? whole->count - at : most;
    run_plan(&part, tiled, along);
  }
}

void hlo_view_copy(const hlo_view *to, const hlo_view *from) {
  if (hlo_view_elements(to) == 0) return;
  copy_plan plan;
  plan.rank = 0;
  plan.size = hlo_type_bytes(to->type);
  plan.to = to->data;
  plan.from = from->data;
  plan_loops(&plan, to, from);
  merge_loops(&plan);
  run_in_blocks(&plan);
}

void hlo_view_fill(const hlo_view *to, const void *value) {
  hlo_view from = *to;
  for (int32_t i = 0; i < from.rank; i++) from.strides[i] = 0;
  from.data = (void *)value;
  hlo_view_copy(to, &from);
}
