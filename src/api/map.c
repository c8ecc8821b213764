// The exported C API: single indexing maps as values. Conventions and contracts in include/hlo.h.
#include "api/api.h"
#include "api/json.h"
#include "api/map_json.h"
#include "base/arena.h"
#include "text/source.h"

// Immutable; with the context of its expressions.
struct hlo_api_map {
  hlo_arena arena;
  hlo_affine_context *context;
  const hlo_map *map;
};

// Expressions nest so deep at most that a map has no more variables than this.
enum { MOST_VALUES = 1 << 10 };

void hlo_api_map_destroy(hlo_api_map *handle) {
  if (handle == NULL) return;
  hlo_arena_free(&handle->arena);
  hlo_memory_release(handle);
}

static hlo_api_map *create_handle(hlo_error *error) {
  hlo_api_map *handle = hlo_memory_alloc(sizeof *handle);
  if (handle == NULL) {
    hlo_fail_out_of_memory(error);
    return NULL;
  }
  *handle = (hlo_api_map){.map = NULL};
  if (hlo_affine_context_create(&handle->arena, &handle->context, error) == HLO_OK) return handle;
  hlo_api_map_destroy(handle);
  return NULL;
}

static hlo_api_map *finish(hlo_api_map *handle, hlo_status status) {
  if (status == HLO_OK) return handle;
  hlo_api_map_destroy(handle);
  return NULL;
}

// Shows the place of an error in the text.
static void show_place(const char *text, uint32_t length, hlo_error *error) {
  hlo_source source;
  hlo_error ignored = {0};
  if (error->line > 0 && hlo_source_open(&source, text, length, &ignored) == HLO_OK)
    hlo_source_show(&source, error);
}

// The map in another context: printed and parsed, since contexts do not share expressions.
static hlo_status copy_map(hlo_affine_context *context, const hlo_map *map, const hlo_map **out,
                           hlo_error *error) {
  hlo_string text = {0};
  hlo_map_print(&text, map);
  hlo_status status = hlo_string_status(&text, error);
  if (status == HLO_OK && map->known_empty) status = hlo_map_create(context, map, out, error);
  else if (status == HLO_OK) status = hlo_map_parse(context, text.text, text.length, out, error);
  hlo_string_free(&text);
  return status;
}

hlo_api_map *hlo_api_map_create(const char *text, uint32_t length) {
  hlo_error *error = hlo_api_begin();
  hlo_api_map *handle = create_handle(error);
  if (handle == NULL) return NULL;
  hlo_status status = hlo_map_parse(handle->context, text, length, &handle->map, error);
  if (status != HLO_OK) show_place(text, length, error);
  return finish(handle, status);
}

int32_t hlo_api_map_describe(const hlo_api_map *handle) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  hlo_json_map(out, handle->map, NULL);
  return hlo_string_status(out, error) == HLO_OK ? 0 : -1;
}

hlo_api_map *hlo_api_map_rewrite(const hlo_api_map *handle, int32_t step) {
  hlo_error *error = hlo_api_begin();
  hlo_api_map *result = create_handle(error);
  if (result == NULL) return NULL;
  hlo_affine_context *context = result->context;
  const hlo_map *map;
  hlo_status status = copy_map(context, handle->map, &map, error);
  if (status == HLO_OK && step == HLO_API_MAP_STEP_SIMPLIFY)
    status = hlo_map_simplify(context, map, 0, &result->map, NULL, error);
  else if (status == HLO_OK && step == HLO_API_MAP_STEP_REMOVE_UNUSED)
    status = hlo_map_remove_unused(context, map, &result->map, error);
  else if (status == HLO_OK) status = hlo_map_rescale(context, map, &result->map, error);
  return finish(result, status);
}

hlo_api_map *hlo_api_map_compose(const hlo_api_map *first, const hlo_api_map *second) {
  hlo_error *error = hlo_api_begin();
  hlo_api_map *result = create_handle(error);
  if (result == NULL) return NULL;
  const hlo_map *a, *b;
  hlo_status status = copy_map(result->context, first->map, &a, error);
  if (status == HLO_OK) status = copy_map(result->context, second->map, &b, error);
  if (status == HLO_OK) status = hlo_map_compose(result->context, a, b, &result->map, error);
  return finish(result, status);
}

hlo_api_map *hlo_api_map_restrict(const hlo_api_map *handle, const char *text, uint32_t length) {
  hlo_error *error = hlo_api_begin();
  hlo_api_map *result = create_handle(error);
  if (result == NULL) return NULL;
  const hlo_map *map;
  hlo_status status = copy_map(result->context, handle->map, &map, error);
  if (status == HLO_OK) {
    status = hlo_map_restrict(result->context, map, text, length, &result->map, error);
    if (status != HLO_OK) show_place(text, length, error);
  }
  return finish(result, status);
}

int32_t hlo_api_map_compare(const hlo_api_map *first, const hlo_api_map *second) {
  hlo_error *error = hlo_api_begin();
  hlo_arena arena = {0};
  hlo_affine_context *context;
  const hlo_map *a, *b;
  hlo_map_relation relation = HLO_MAP_UNDECIDED;
  hlo_status status = hlo_affine_context_create(&arena, &context, error);
  if (status == HLO_OK) status = copy_map(context, first->map, &a, error);
  if (status == HLO_OK) status = copy_map(context, second->map, &b, error);
  if (status == HLO_OK) status = hlo_map_compare_relations(context, a, b, &relation, error);
  hlo_arena_free(&arena);
  return status == HLO_OK ? (int32_t)relation : -1;
}

// --- points ---

static void add_values(hlo_string *out, const char *key, int32_t count, const int64_t *values) {
  hlo_json_list(out, key);
  for (int32_t i = 0; i < count; i++) {
    hlo_json_comma(out);
    hlo_string_add_int(out, values[i]);
  }
  hlo_string_add_char(out, ']');
}

typedef struct point_list {
  const hlo_map *map;
  hlo_string *out;
  int32_t left; // that may still be added
} point_list;

static bool add_point(void *host, const hlo_affine_values *values, const int64_t *results) {
  point_list *list = host;
  const int32_t *count = list->map->variable_count;
  if (list->left-- == 0) return false;
  hlo_json_open(list->out);
  add_values(list->out, "dimensions", count[HLO_AFFINE_DIM], values->values[HLO_AFFINE_DIM]);
  add_values(list->out, "ranges", count[HLO_AFFINE_RANGE], values->values[HLO_AFFINE_RANGE]);
  add_values(list->out, "runtime", count[HLO_AFFINE_RUNTIME], values->values[HLO_AFFINE_RUNTIME]);
  add_values(list->out, "results", list->map->result_count, results);
  hlo_string_add_char(list->out, '}');
  return true;
}

// Whole numbers, checked by the caller; those that no 64-bit integer has lie in no range.
static void convert_values(int64_t *out, const double *values, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    out[i] = values[i] > -0x1p62 && values[i] < 0x1p62 ? (int64_t)values[i] : INT64_MIN;
}

int32_t hlo_api_map_points(const hlo_api_map *handle, const double *dimensions, int32_t count,
                           int32_t limit) {
  hlo_error *error = hlo_api_begin();
  point_list list = {.map = handle->map, .out = hlo_api_begin_text(), .left = limit};
  int32_t rank = handle->map->variable_count[HLO_AFFINE_DIM];
  if ((count != 0 && count != rank) || rank > MOST_VALUES || limit < 0) {
    hlo_fail(error, HLO_INVALID_ARGUMENT, "the map has %d dimensions, got %d", rank, count);
    return -1;
  }
  int64_t dims[MOST_VALUES];
  convert_values(dims, dimensions, count);
  int64_t budget = (int64_t)limit * 64 + 4096; // assignments outside of the domain are tried, too
  bool is_complete = true;
  hlo_string_add_char(list.out, '[');
  hlo_status status = hlo_map_each_point(handle->map, count > 0 ? dims : NULL, &budget, add_point,
                                         &list, &is_complete, error);
  hlo_string_add_char(list.out, ']');
  if (status == HLO_OK) status = hlo_string_status(list.out, error);
  return status == HLO_OK ? is_complete : -1;
}

int32_t hlo_api_map_evaluate(const hlo_api_map *handle, const double *values, int32_t count) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  const hlo_map *map = handle->map;
  int64_t numbers[MOST_VALUES], results[MOST_VALUES];
  hlo_affine_values by_kind = {{NULL}};
  int32_t expected = 0;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    by_kind.values[kind] = numbers + expected;
    expected += map->variable_count[kind];
  }
  if (count != expected || count > MOST_VALUES || map->result_count > MOST_VALUES) {
    hlo_fail(error, HLO_INVALID_ARGUMENT, "the map has %d variables, got %d values", expected,
             count);
    return -1;
  }
  convert_values(numbers, values, count);
  bool holds = false;
  hlo_status status = hlo_map_holds(map, &by_kind, &holds, error);
  if (status == HLO_OK && holds) status = hlo_map_evaluate(map, &by_kind, results, error);
  hlo_string_add_char(out, '{');
  if (holds && status == HLO_OK) add_values(out, "results", map->result_count, results);
  hlo_string_add_char(out, '}');
  if (status == HLO_OK) status = hlo_string_status(out, error);
  return status == HLO_OK ? 0 : -1;
}

int32_t hlo_api_map_simplify(const char *text, uint32_t length) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  hlo_status status = hlo_map_simplify_text(out, text, length, error);
  if (status != HLO_OK) show_place(text, length, error);
  return status == HLO_OK ? 0 : -1;
}
