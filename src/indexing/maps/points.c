// Walks the points of maps one by one, and compares maps by what they relate. See map.h.
#include "indexing/maps/map.h"

#include <string.h>

// Two maps of a matrix of 512x512 elements are compared in about a tenth of a second.
enum { MOST_COMPARED = 1 << 18 };

typedef struct point_walk {
  const hlo_map *map;
  int first_kind; // that is walked: dims that are given are not
  int64_t *values[HLO_AFFINE_VARIABLE_KINDS];
} point_walk;

static hlo_status start_walk(point_walk *w, hlo_arena *arena, const int64_t *dims, bool *is_bounded,
                             hlo_error *error) {
  const hlo_map *map = w->map;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    HLO_ALLOC(w->values[kind], arena, map->variable_count[kind], error);
    for (int32_t i = 0; i < map->variable_count[kind]; i++) {
      hlo_interval range = map->variables[kind][i].range;
      bool is_walked = kind >= w->first_kind;
      if (is_walked && (range.lower == INT64_MIN || range.upper == INT64_MAX)) *is_bounded = false;
      w->values[kind][i] = is_walked ? range.lower : dims[i];
    }
  }
  return HLO_OK;
}

// The next assignment, the last variable fastest; false after the last one.
static bool advance(point_walk *w) {
  for (int kind = HLO_AFFINE_VARIABLE_KINDS - 1; kind >= w->first_kind; kind--) {
    for (int32_t i = w->map->variable_count[kind] - 1; i >= 0; i--) {
      hlo_interval range = w->map->variables[kind][i].range;
      if (w->values[kind][i] < range.upper) {
        w->values[kind][i]++;
        return true;
      }
      w->values[kind][i] = range.lower;
    }
  }
  return false;
}

static hlo_status walk(point_walk *w, int64_t *results, int64_t *budget, hlo_map_visit *visit,
                       void *host, bool *is_complete) {
  const hlo_affine_values values = {{w->values[0], w->values[1], w->values[2]}};
  do {
    hlo_error overflow = {0};
    bool holds;
    if ((*budget)-- <= 0) *is_complete = false;
    else if (hlo_map_holds(w->map, &values, &holds, &overflow) == HLO_OK && holds &&
             hlo_map_evaluate(w->map, &values, results, &overflow) == HLO_OK)
      *is_complete = visit(host, &values, results);
  } while (*is_complete && advance(w));
  return HLO_OK;
}

hlo_status hlo_map_each_point(const hlo_map *map, const int64_t *dims, int64_t *budget,
                              hlo_map_visit *visit, void *host, bool *is_complete,
                              hlo_error *error) {
  point_walk w = {.map = map, .first_kind = dims == NULL ? HLO_AFFINE_DIM : HLO_AFFINE_RANGE};
  hlo_arena arena = {0};
  *is_complete = true;
  if (map->known_empty) return HLO_OK;
  hlo_status status = start_walk(&w, &arena, dims, is_complete, error);
  int64_t *results = hlo_arena_array(&arena, (size_t)map->result_count + 1, sizeof *results);
  if (status == HLO_OK && results == NULL) status = hlo_fail_out_of_memory(error);
  if (status == HLO_OK && *is_complete)
    status = walk(&w, results, budget, visit, host, is_complete);
  hlo_arena_free(&arena);
  return status;
}

// --- comparing ---

// The points as rows (dims, rt, results), without the ranges that led to them.
typedef struct point_rows {
  const hlo_map *map;
  int32_t width;
  int64_t count, *cells;
} point_rows;

static int32_t row_width(const hlo_map *map) {
  return map->variable_count[HLO_AFFINE_DIM] + map->variable_count[HLO_AFFINE_RUNTIME] +
         map->result_count;
}

static int64_t *copy_cells(int64_t *to, const int64_t *from, int32_t count) {
  if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
  return to + count;
}

static bool add_row(void *host, const hlo_affine_values *values, const int64_t *results) {
  point_rows *rows = host;
  const hlo_map *map = rows->map;
  int64_t *cell = rows->cells + rows->count++ * rows->width;
  cell = copy_cells(cell, values->values[HLO_AFFINE_DIM], map->variable_count[HLO_AFFINE_DIM]);
  cell =
      copy_cells(cell, values->values[HLO_AFFINE_RUNTIME], map->variable_count[HLO_AFFINE_RUNTIME]);
  copy_cells(cell, results, map->result_count);
  return true;
}

static int compare_rows(const point_rows *rows, int64_t a, int64_t b) {
  const int64_t *x = rows->cells + a * rows->width, *y = rows->cells + b * rows->width;
  for (int32_t i = 0; i < rows->width; i++)
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}

// Restores the heap, greatest first, below the place `root` of an order of `count` rows.
static void sift_down(const point_rows *rows, int32_t *order, int64_t root, int64_t count) {
  for (int64_t child = 2 * root + 1; child < count; root = child, child = 2 * root + 1) {
    if (child + 1 < count && compare_rows(rows, order[child], order[child + 1]) < 0) child++;
    if (compare_rows(rows, order[root], order[child]) >= 0) return;
    int32_t row = order[root];
    order[root] = order[child];
    order[child] = row;
  }
}

// The rows in ascending order, each once: heap sort.
static void sort_rows(const point_rows *rows, int32_t *order, int64_t *count) {
  for (int64_t i = 0; i < rows->count; i++) order[i] = (int32_t)i;
  for (int64_t i = rows->count / 2 - 1; i >= 0; i--) sift_down(rows, order, i, rows->count);
  for (int64_t left = rows->count - 1; left > 0; left--) {
    int32_t greatest = order[0];
    order[0] = order[left];
    order[left] = greatest;
    sift_down(rows, order, 0, left);
  }
  *count = 0;
  for (int64_t i = 0; i < rows->count; i++)
    if (i == 0 || compare_rows(rows, order[i], order[*count - 1]) != 0)
      order[(*count)++] = order[i];
}

static hlo_status list_rows(hlo_arena *arena, const hlo_map *map, point_rows *out, int32_t **order,
                            int64_t *count, bool *is_complete, hlo_error *error) {
  *out = (point_rows){.map = map, .width = row_width(map)};
  int64_t budget = MOST_COMPARED, points = 1;
  *is_complete = true;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS && !map->known_empty; kind++)
    for (int32_t i = 0; i < map->variable_count[kind]; i++) {
      hlo_interval range = map->variables[kind][i].range;
      int64_t size =
          hlo_saturating_add(hlo_saturating_add(range.upper, 1), hlo_bound_negate(range.lower));
      points = hlo_saturating_mul(points, size);
    }
  if (points > MOST_COMPARED) {
    *is_complete = false;
    return HLO_OK;
  }
  HLO_ALLOC(out->cells, arena, points * out->width, error);
  HLO_ALLOC(*order, arena, points, error);
  HLO_TRY(hlo_map_each_point(map, NULL, &budget, add_row, out, is_complete, error));
  sort_rows(out, *order, count);
  return HLO_OK;
}

static hlo_status compare_points(hlo_arena *arena, const hlo_map *a, const hlo_map *b,
                                 hlo_map_relation *out, hlo_error *error) {
  point_rows rows_a, rows_b;
  int32_t *order_a, *order_b;
  int64_t count_a, count_b;
  bool is_complete;
  *out = HLO_MAP_UNDECIDED;
  HLO_TRY(list_rows(arena, a, &rows_a, &order_a, &count_a, &is_complete, error));
  if (!is_complete) return HLO_OK;
  HLO_TRY(list_rows(arena, b, &rows_b, &order_b, &count_b, &is_complete, error));
  if (!is_complete) return HLO_OK;
  *out = count_a == count_b ? HLO_MAP_SAME : HLO_MAP_DIFFERENT;
  for (int64_t i = 0; i < count_a && *out == HLO_MAP_SAME; i++)
    if (memcmp(rows_a.cells + (int64_t)order_a[i] * rows_a.width,
               rows_b.cells + (int64_t)order_b[i] * rows_b.width,
               (size_t)rows_a.width * sizeof *rows_a.cells) != 0)
      *out = HLO_MAP_DIFFERENT;
  return HLO_OK;
}

// Do the runtime variables that simplifying left stem from the same ones?
static bool have_same_runtimes(const hlo_map *simple, const hlo_map_origins *a,
                               const hlo_map_origins *b) {
  for (int32_t i = 0; i < simple->variable_count[HLO_AFFINE_RUNTIME]; i++)
    if (a->of[HLO_AFFINE_RUNTIME][i] != b->of[HLO_AFFINE_RUNTIME][i]) return false;
  return true;
}

hlo_status hlo_map_compare_relations(hlo_affine_context *context, const hlo_map *a,
                                     const hlo_map *b, hlo_map_relation *out, hlo_error *error) {
  *out = HLO_MAP_DIFFERENT;
  if (a->result_count != b->result_count ||
      a->variable_count[HLO_AFFINE_DIM] != b->variable_count[HLO_AFFINE_DIM])
    return HLO_OK;
  const hlo_map *simple_a, *simple_b;
  hlo_map_origins of_a, of_b;
  HLO_TRY(hlo_map_simplify(context, a, HLO_SIMPLIFY_KEEP_GATES, &simple_a, &of_a, error));
  HLO_TRY(hlo_map_simplify(context, b, HLO_SIMPLIFY_KEEP_GATES, &simple_b, &of_b, error));
  bool have_same_count =
      a->variable_count[HLO_AFFINE_RUNTIME] == b->variable_count[HLO_AFFINE_RUNTIME];
  *out = HLO_MAP_SAME;
  if (hlo_map_equal(simple_a, simple_b) &&
      (!have_same_count || have_same_runtimes(simple_a, &of_a, &of_b)))
    return HLO_OK;
  if (!have_same_count) {
    a = simple_a;
    b = simple_b;
  }
  *out = HLO_MAP_DIFFERENT;
  if (a->variable_count[HLO_AFFINE_RUNTIME] != b->variable_count[HLO_AFFINE_RUNTIME]) return HLO_OK;
  hlo_arena arena = {0};
  hlo_status status = compare_points(&arena, a, b, out, error);
  hlo_arena_free(&arena);
  return status;
}
