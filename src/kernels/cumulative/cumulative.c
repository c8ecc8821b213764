// See cumulative.h. A segmented scan: the computation is assumed associative, as ReduceWindow
// allows, but not commutative. If the other dimensions give few lanes, segments along the scanned
// one become lanes, and the carry of the preceding segments is combined into each afterwards. Works
// on dense rows: row i holds element i of every segment and lane; the last segment may be shorter.
#include "kernels/cumulative/cumulative.h"

#include "kernels/machine.h"
#include "kernels/parts.h"

#include <string.h>

// One of the scanned values: rows of the current lanes, the carry into each segment, a row filled
// with the initial value, and a work row.
typedef struct column {
  hlo_type type;
  char *rows, *before, *initial, *row;
} column;

typedef struct cumulation {
  hlo_folder *folder;
  bool backwards, commutes;
  int64_t size, length, segments, lanes;
  column *columns;
  hlo_view *values, *elements;
} cumulation;

static int64_t row_size(const cumulation *c) { return c->segments * c->lanes; }

// n elements from `first` on.
static void set_dense(hlo_view *view, hlo_type type, char *memory, int64_t first, int64_t n) {
  view->type = type;
  view->rank = 1;
  view->dims[0] = n;
  view->strides[0] = 1;
  view->data = memory + first * hlo_type_bytes(type);
}

// The operand of a combination: a row, the carries, or the initial value.
typedef enum source { ROW, BEFORE, INITIAL } source;

static void view_column(const cumulation *c, int32_t k, source from, int64_t row, int64_t first,
                        int64_t n, hlo_view *out) {
  const column *x = &c->columns[k];
  char *memory = from == ROW ? x->rows : from == BEFORE ? x->before : x->initial;
  set_dense(out, x->type, memory, (from == ROW ? row * row_size(c) : 0) + first, n);
}

// row = other op row, for n elements from `first` on; the other operand's elements start at
// `other_first` (in row `other_row`, if it is a row).
static hlo_status combine_on_left(cumulation *c, source other, int64_t other_row,
                                  int64_t other_first, int64_t row, int64_t first, int64_t n,
                                  hlo_error *error) {
  int32_t count = c->folder->count;
  for (int32_t k = 0; k < count; k++) {
    view_column(c, k, other, other_row, other_first, n, &c->values[k]);
    view_column(c, k, ROW, row, first, n, &c->elements[k]);
    if (c->commutes) continue;
    size_t size = (size_t)(n * hlo_type_bytes(c->columns[k].type));
    memcpy(c->columns[k].row, c->values[k].data, size);
    c->values[k].data = c->columns[k].row;
  }
  if (c->commutes) return hlo_folder_fold(c->folder, c->elements, c->values, error);
  HLO_TRY(hlo_folder_fold(c->folder, c->values, c->elements, error));
  for (int32_t k = 0; k < count; k++) {
    size_t size = (size_t)(n * hlo_type_bytes(c->columns[k].type));
    memcpy(c->elements[k].data, c->values[k].data, size);
  }
  return HLO_OK;
}

// row = row op other, likewise.
static hlo_status combine_on_right(cumulation *c, source other, int64_t other_row,
                                   int64_t other_first, int64_t row, int64_t first, int64_t n,
                                   hlo_error *error) {
  for (int32_t k = 0; k < c->folder->count; k++) {
    view_column(c, k, other, other_row, other_first, n, &c->elements[k]);
    view_column(c, k, ROW, row, first, n, &c->values[k]);
  }
  return hlo_folder_fold(c->folder, c->values, c->elements, error);
}

// Combines in logical order: the operand scanned earlier is on the left, or in a backward scan on
// the right.
static hlo_status combine(cumulation *c, source other, int64_t other_row, int64_t other_first,
                          int64_t row, int64_t first, int64_t n, hlo_error *error) {
  return (c->backwards ? combine_on_right : combine_on_left)(c, other, other_row, other_first, row,
                                                             first, n, error);
}

// The carry into segment s is the carry into segment s - 1 combined with the total of segment s -
// 1, which is in the last row; that also completes the last row.
static hlo_status propagate_carries(cumulation *c, hlo_error *error) {
  int64_t last = c->length - 1, lanes = c->lanes;
  for (int64_t s = 1; s < c->segments; s++) {
    if (s > 1) HLO_TRY(combine(c, BEFORE, 0, (s - 1) * lanes, last, (s - 1) * lanes, lanes, error));
    for (int32_t k = 0; k < c->folder->count; k++) {
      const column *x = &c->columns[k];
      int64_t size = hlo_type_bytes(x->type), at = (last * c->segments + s - 1) * lanes;
      memcpy(x->before + s * lanes * size, x->rows + at * size, (size_t)(lanes * size));
    }
  }
  int64_t rest = row_size(c) - lanes;
  for (int64_t i = 0; i < last && rest > 0; i++)
    HLO_TRY(combine(c, BEFORE, 0, lanes, i, lanes, rest, error));
  // In the last row, only the last segment still lacks its carry.
  if (rest > 0) HLO_TRY(combine(c, BEFORE, 0, rest, last, rest, lanes, error));
  return HLO_OK;
}

static hlo_status cumulate_rows(cumulation *c, hlo_error *error) {
  int64_t n = row_size(c);
  if (hlo_cumulates_sums(c->folder)) {
    const column *x = &c->columns[0];
    hlo_sum_rows(x->type, c->length, n, x->rows, n, x->rows, n, x->initial);
    return HLO_OK;
  }
  for (int64_t i = 1; i < c->length; i++) HLO_TRY(combine(c, ROW, i - 1, 0, i, 0, n, error));
  HLO_TRY(propagate_carries(c, error));
  for (int64_t i = 0; i < c->length; i++)
    HLO_TRY(combine_on_left(c, INITIAL, 0, 0, i, 0, n, error));
  return HLO_OK;
}

// --- views and rows ---

// Copies the elements of some segments to the rows, or back. part: the scanned dimension, then
// those of the lanes.
static void copy_segments(const cumulation *c, const hlo_view *part, int64_t first, int64_t count,
                          int64_t length, char *rows, bool back) {
  hlo_view outside = *part, inside = *part;
  int32_t lead = count > 1 ? 1 : 0; // a dimension for the segments
  for (int32_t d = part->rank; d > 0; d--) {
    outside.dims[d - 1 + lead] = inside.dims[d - 1 + lead] = part->dims[d - 1];
    outside.strides[d - 1 + lead] = part->strides[d - 1];
  }
  outside.rank = inside.rank = part->rank + lead;
  int64_t stride = 1;
  for (int32_t d = part->rank - 1; d > 0; d--) {
    inside.strides[d + lead] = stride;
    stride *= part->dims[d];
  }
  outside.dims[lead] = inside.dims[lead] = length;
  inside.strides[lead] = row_size(c);
  if (lead == 1) {
    outside.dims[0] = inside.dims[0] = count;
    outside.strides[0] = c->length * part->strides[0];
    inside.strides[0] = c->lanes;
  }
  outside.data = hlo_view_at(part, first * c->length * part->strides[0]);
  inside.data = rows + first * c->lanes * hlo_type_bytes(part->type);
  if (back) hlo_view_copy(&outside, &inside);
  else hlo_view_copy(&inside, &outside);
}

// The padding of the shorter last segment is zero and unused.
static void copy_part(const cumulation *c, const hlo_view *part, char *rows, bool back) {
  int64_t whole = c->segments - 1, left = c->size - whole * c->length;
  int64_t size = hlo_type_bytes(part->type);
  if (whole > 0) copy_segments(c, part, 0, whole, c->length, rows, back);
  copy_segments(c, part, whole, 1, left, rows, back);
  for (int64_t i = left; i < c->length && !back; i++)
    memset(rows + (i * row_size(c) + whole * c->lanes) * size, 0, (size_t)(c->lanes * size));
}

// The view in scan order (reversed for a backward scan), with the scanned dimension moved last.
static hlo_view turned(const cumulation *c, const hlo_view *view, int32_t dimension) {
  hlo_view out = *view;
  int32_t last = view->rank - 1;
  for (int32_t d = dimension; d < last; d++) {
    out.dims[d] = view->dims[d + 1];
    out.strides[d] = view->strides[d + 1];
  }
  out.dims[last] = c->size;
  out.strides[last] = view->strides[dimension];
  if (!c->backwards) return out;
  out.data = hlo_view_at(view, (c->size - 1) * view->strides[dimension]);
  out.strides[last] = -out.strides[last];
  return out;
}

// The current lanes of a turned view, the dimension in front.
static hlo_view part_of(const hlo_parts *parts, const hlo_view *view) {
  hlo_view part, out;
  hlo_parts_of_view(parts, view, &part);
  out = part;
  for (int32_t d = 0; d < part.rank; d++) {
    int32_t from = d == 0 ? part.rank - 1 : d - 1;
    out.dims[d] = part.dims[from];
    out.strides[d] = part.strides[from];
  }
  return out;
}

static void choose_segments(cumulation *c, int32_t rank) {
  int64_t wanted = HLO_WANTED_LANES / c->lanes, most = c->size / HLO_CUMULATIVE_SHORTEST_SEGMENT;
  bool few = c->lanes < HLO_CUMULATIVE_ENOUGH_LANES && most > 1 && rank < HLO_MAX_RANK &&
             !hlo_cumulates_sums(c->folder);
  int64_t segments = !few ? 1 : wanted < most ? wanted : most;
  c->length = (c->size - 1) / segments + 1;
  c->segments = (c->size - 1) / c->length + 1;
}

static hlo_status allocate(cumulation *c, const hlo_view *initial, hlo_error *error) {
  hlo_arena *scratch = c->folder->evaluator->scratch;
  for (int32_t k = 0; k < c->folder->count; k++) {
    column *x = &c->columns[k];
    x->type = initial[k].type;
    size_t size = (size_t)hlo_type_bytes(x->type), n = (size_t)row_size(c);
    x->before = hlo_arena_array(scratch, n, size);
    x->initial = hlo_arena_array(scratch, n, size);
    x->row = hlo_arena_array(scratch, n, size);
    x->rows = NULL;
    if (n <= SIZE_MAX / (size_t)c->length)
      x->rows = hlo_arena_array_raw(scratch, n * (size_t)c->length, size);
    if (x->before == NULL || x->initial == NULL || x->row == NULL || x->rows == NULL)
      return hlo_fail_out_of_memory(error);
    for (size_t i = 0; i < n; i++) memcpy(x->initial + i * size, initial[k].data, size);
  }
  return HLO_OK;
}

hlo_status hlo_cumulate(hlo_folder *folder, int32_t dimension, bool backwards,
                        const hlo_view *elements, const hlo_view *initial, const hlo_view *results,
                        hlo_error *error) {
  hlo_arena *scratch = folder->evaluator->scratch;
  int32_t count = folder->count, rank = results[0].rank;
  cumulation c = {.folder = folder,
                  .backwards = backwards,
                  .commutes = folder->kernel != NULL,
                  .size = results[0].dims[dimension]};
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  if (hlo_cumulate_by_op(folder, dimension, backwards, elements, initial, results)) return HLO_OK;
  HLO_ALLOC(c.columns, scratch, count, error);
  HLO_ALLOC(c.values, scratch, count, error);
  HLO_ALLOC(c.elements, scratch, count, error);
  hlo_parts parts;
  hlo_view like = turned(&c, &results[0], dimension);
  hlo_parts_start(&parts, rank - 1, like.dims, HLO_CUMULATIVE_BLOCK / c.size);
  c.lanes = hlo_parts_capacity(&parts);
  choose_segments(&c, rank);
  HLO_TRY(allocate(&c, initial, error));
  do {
    c.lanes = hlo_parts_size(&parts);
    for (int32_t k = 0; k < count; k++) {
      hlo_view from = turned(&c, &elements[k], dimension), part = part_of(&parts, &from);
      copy_part(&c, &part, c.columns[k].rows, false);
    }
    HLO_TRY(cumulate_rows(&c, error));
    for (int32_t k = 0; k < count; k++) {
      hlo_view to = turned(&c, &results[k], dimension), part = part_of(&parts, &to);
      copy_part(&c, &part, c.columns[k].rows, true);
    }
  } while (hlo_parts_next(&parts));
  return HLO_OK;
}
