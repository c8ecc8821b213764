// The exported C API: what a compiler asks of indexing maps, which are utilisation, coalescing,
// tiles and traffic. Conventions and contracts in include/hlo.h.
#include "api/api.h"
#include "api/indexing_handle.h"
#include "api/json.h"
#include "api/map_json.h"
#include "indexing/uses.h"

static const hlo_indexing_entry *entry_of(const hlo_api_indexing *handle, int32_t number,
                                          hlo_error *error) {
  if (number >= 0 && number < handle->answer.count) return &handle->answer.entries[number];
  hlo_fail(error, HLO_INVALID_ARGUMENT, "there is no such indexing entry");
  return NULL;
}

static int32_t finish(hlo_status status, const hlo_string *out, hlo_error *error) {
  if (status == HLO_OK) status = hlo_string_status(out, error);
  return status == HLO_OK ? 0 : -1;
}

// INT64_MAX, no bound, becomes null.
static void add_count(hlo_string *out, const char *key, int64_t count) {
  if (count != INT64_MAX) {
    hlo_json_field_int(out, key, count);
    return;
  }
  hlo_json_key(out, key);
  hlo_string_add(out, "null");
}

int32_t hlo_api_indexing_utilization(const hlo_api_indexing *handle, int32_t number) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  const hlo_indexing_entry *entry = entry_of(handle, number, error);
  if (entry == NULL) return -1;
  hlo_indexing_use use;
  hlo_status status =
      hlo_indexing_measure_use(handle->analysis, entry->set, entry->to_shape, &use, error);
  if (status != HLO_OK) return -1;
  hlo_string_add_char(out, '{');
  hlo_json_field_int(out, "elements", use.elements);
  add_count(out, "distinct", use.distinct);
  add_count(out, "reads", use.reads);
  hlo_json_field_bool(out, "exact", use.is_exact);
  hlo_string_add_char(out, '}');
  return finish(HLO_OK, out, error);
}

// --- coalescing ---

static hlo_indexing_loop loop_of(double code) {
  int32_t number = code > -0x1p30 && code < 0x1p30 ? (int32_t)code : INT32_MAX;
  return number >= 0 ? (hlo_indexing_loop){HLO_AFFINE_DIM, number}
                     : (hlo_indexing_loop){HLO_AFFINE_RANGE, -1 - number};
}

static hlo_status add_stride(hlo_string *out, const hlo_api_indexing *handle,
                             const hlo_indexing *access, const hlo_shape *operand,
                             hlo_indexing_loop loop, hlo_error *error) {
  hlo_indexing_stride stride;
  hlo_interval range = access->map->variables[loop.kind][loop.index].range;
  HLO_TRY(hlo_indexing_stride_along(handle->analysis, access, operand, loop, &stride, error));
  hlo_json_open(out);
  hlo_json_field_text(out, "kind", loop.kind == HLO_AFFINE_DIM ? "dimension" : "range");
  hlo_json_field_int(out, "index", loop.index);
  hlo_json_field_int(out, "iterations",
                     hlo_saturating_add(range.upper, hlo_saturating_add(1, -range.lower)));
  hlo_json_field_bool(out, "known", stride.is_known);
  hlo_json_field_int(out, "stride", stride.stride);
  add_count(out, "run", stride.run);
  hlo_json_field_bool(out, "guarded", stride.is_guarded);
  hlo_string_add_char(out, '}');
  return HLO_OK;
}

int32_t hlo_api_indexing_strides(const hlo_api_indexing *handle, int32_t number,
                                 const double *loops, int32_t loop_count) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  const hlo_indexing_entry *entry = entry_of(handle, number, error);
  if (entry == NULL) return -1;
  hlo_status status = HLO_OK;
  hlo_string_add_char(out, '[');
  for (int32_t k = 0; k < entry->set->count; k++) {
    const hlo_indexing *access = &entry->set->items[k];
    hlo_json_comma(out);
    hlo_string_add_char(out, '[');
    for (int32_t i = 0; i < loop_count && status == HLO_OK; i++) {
      hlo_indexing_loop loop = loop_of(loops[i]);
      if (loop.index < access->map->variable_count[loop.kind])
        status = add_stride(out, handle, access, entry->to_shape, loop, error);
    }
    hlo_string_add_char(out, ']');
  }
  hlo_string_add_char(out, ']');
  return finish(status, out, error);
}

// --- tiles ---

// Tiles of these sizes that cover an array, numbered by dimension.
static hlo_status cut_into_tiles(const hlo_api_indexing *handle, const hlo_shape *shape,
                                 const double *sizes, int64_t *grid, hlo_indexing_tile *out,
                                 hlo_error *error) {
  hlo_affine_context *context = hlo_indexing_context(handle->analysis);
  *out = (hlo_indexing_tile){.rank = shape->rank, .is_exact = true};
  HLO_ALLOC(out->dims, hlo_affine_arena(context), shape->rank, error);
  for (int32_t d = 0; d < shape->rank; d++) {
    int64_t size = sizes[d] >= 1 && sizes[d] < 0x1p53 ? (int64_t)sizes[d] : 0;
    if (size < 1)
      return hlo_fail(error, HLO_INVALID_ARGUMENT, "the tile's size %d is not a positive integer",
                      d);
    grid[d] = shape->dims[d] == 0 ? 1 : hlo_ceil_div(shape->dims[d], size);
    const hlo_affine *number = hlo_affine_variable(context, HLO_AFFINE_DIM, d);
    out->dims[d] =
        (hlo_indexing_tile_dim){hlo_affine_scale(context, number, size), size, .stride = 1};
  }
  return hlo_affine_status(context, error);
}

static void add_runtimes(hlo_string *out, int32_t count, const hlo_indexing_runtime *runtimes) {
  hlo_json_list(out, "runtime");
  for (int32_t i = 0; i < count; i++) {
    hlo_json_comma(out);
    hlo_json_text(out, runtimes[i].producer->name);
  }
  hlo_string_add_char(out, ']');
}

static void add_tile(hlo_string *out, const hlo_indexing_tile *tile) {
  hlo_json_open(out);
  hlo_json_list(out, "dims");
  for (int32_t d = 0; d < tile->rank; d++) {
    hlo_json_open(out);
    hlo_json_key(out, "offset");
    hlo_json_expression(out, tile->dims[d].offset, NULL);
    hlo_json_field_int(out, "size", tile->dims[d].size);
    hlo_json_field_int(out, "stride", tile->dims[d].stride);
    hlo_string_add_char(out, '}');
  }
  hlo_string_add_char(out, ']');
  hlo_json_field_bool(out, "exact", tile->is_exact);
  hlo_json_field_bool(out, "guarded", tile->is_guarded);
  hlo_json_constraints(out, tile->domain, NULL);
  add_runtimes(out, tile->runtime_count, tile->runtimes);
  hlo_string_add_char(out, '}');
}

int32_t hlo_api_indexing_tiles(const hlo_api_indexing *handle, int32_t number, const double *sizes,
                               int32_t rank) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  const hlo_indexing_entry *entry = entry_of(handle, number, error);
  if (entry == NULL) return -1;
  const hlo_shape *shape = entry->from_shape;
  if (rank != shape->rank) {
    hlo_fail(error, HLO_INVALID_ARGUMENT, "the array has %d dimensions, the tile %d", shape->rank,
             rank);
    return -1;
  }
  int64_t grid[HLO_MAX_RANK];
  hlo_indexing_tile result;
  hlo_status status = cut_into_tiles(handle, shape, sizes, grid, &result, error);
  hlo_string_add_char(out, '[');
  for (int32_t k = 0; k < entry->set->count && status == HLO_OK; k++) {
    hlo_indexing_tile operand;
    bool found;
    status = hlo_indexing_tile_of(handle->analysis, &entry->set->items[k], rank, grid, &result,
                                  &operand, &found, error);
    if (status == HLO_OK && found) add_tile(out, &operand);
    if (status == HLO_OK && !found) {
      hlo_json_comma(out);
      hlo_string_add(out, "null");
    }
  }
  hlo_string_add_char(out, ']');
  return finish(status, out, error);
}

static hlo_status add_symbolic_tile(hlo_string *out, const hlo_indexing_symbolic_tile *tile,
                                    hlo_arena *arena, hlo_error *error) {
  const hlo_map *map = tile->map;
  hlo_affine_names names;
  HLO_TRY(hlo_map_list_names(arena, map, &names, error));
  hlo_json_open(out);
  hlo_json_list(out, "dims");
  for (int32_t d = 0; d < tile->rank; d++) {
    hlo_json_open(out);
    hlo_json_key(out, "offset");
    hlo_json_expression(out, map->results[d], &names);
    hlo_json_key(out, "size");
    hlo_json_expression(out, map->results[tile->rank + d], &names);
    hlo_json_field_int(out, "stride", tile->strides[d]);
    hlo_string_add_char(out, '}');
  }
  hlo_string_add_char(out, ']');
  hlo_json_field_bool(out, "exact", tile->is_exact);
  hlo_json_field_bool(out, "guarded", tile->is_guarded);
  hlo_json_constraints(out, map, &names);
  add_runtimes(out, map->variable_count[HLO_AFFINE_RUNTIME], tile->runtimes);
  hlo_string_add_char(out, '}');
  return HLO_OK;
}

int32_t hlo_api_indexing_symbolic_tiles(const hlo_api_indexing *handle, int32_t number) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  const hlo_indexing_entry *entry = entry_of(handle, number, error);
  if (entry == NULL) return -1;
  hlo_status status = HLO_OK;
  hlo_string_add_char(out, '[');
  for (int32_t k = 0; k < entry->set->count && status == HLO_OK; k++) {
    hlo_indexing_symbolic_tile *tiles;
    int32_t count = 0;
    status = hlo_indexing_symbolic_tiles_of(handle->analysis, &entry->set->items[k],
                                            entry->from_shape, &tiles, &count, error);
    hlo_json_comma(out);
    hlo_string_add_char(out, '[');
    hlo_arena *arena = hlo_affine_arena(hlo_indexing_context(handle->analysis));
    for (int32_t i = 0; i < count && status == HLO_OK; i++)
      status = add_symbolic_tile(out, &tiles[i], arena, error);
    hlo_string_add_char(out, ']');
  }
  hlo_string_add_char(out, ']');
  return finish(status, out, error);
}

// --- traffic ---

int32_t hlo_api_module_traffic(const hlo_module *module, const char *name, uint32_t name_length) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  hlo_arena arena = {0};
  hlo_indexing_analysis *analysis;
  const hlo_computation *computation = NULL;
  hlo_indexing_traffic traffic;
  const char *copy = name_length == 0 ? NULL : hlo_arena_copy_text(&arena, name, name_length);
  hlo_status status = name_length > 0 && copy == NULL
                          ? hlo_fail_out_of_memory(error)
                          : hlo_indexing_analysis_create(&arena, &analysis, error);
  if (status == HLO_OK) status = hlo_indexing_select_computation(module, copy, &computation, error);
  if (status == HLO_OK)
    status = hlo_indexing_measure_traffic(analysis, computation, &traffic, error);
  hlo_arena_free(&arena);
  if (status != HLO_OK) return -1;
  hlo_string_add_char(out, '{');
  hlo_json_field_text(out, "computation", computation->name);
  add_count(out, "fusedRead", traffic.fused_read);
  add_count(out, "fusedLoaded", traffic.fused_loaded);
  add_count(out, "fusedWritten", traffic.fused_written);
  add_count(out, "unfusedRead", traffic.unfused_read);
  add_count(out, "unfusedWritten", traffic.unfused_written);
  hlo_json_field_bool(out, "exact", traffic.is_exact);
  hlo_string_add_char(out, '}');
  return finish(HLO_OK, out, error);
}
