// Fuzzes the text of indexing maps and the simplifier. What is accepted must print to a text that
// is read back as the same; simplifying must end, keep what the map says, and do nothing the second
// time. Nothing may crash, leak or fill the memory.
#include "indexing/maps/map.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_DIMS = 6, SAMPLES = 32 };

// Ends the program where the fuzzer sees it.
static void require(bool condition) {
  if (!condition) abort();
}

static void check_text(hlo_affine_context *context, const hlo_map *map) {
  hlo_string text = {0};
  hlo_error error = {0};
  const hlo_map *again;
  hlo_map_print(&text, map);
  if (!text.failed &&
      hlo_map_parse(context, text.text, text.length, &again, &error) != HLO_OUT_OF_MEMORY)
    require(error.status == HLO_OK && hlo_map_equal(map, again));
  hlo_string_free(&text);
}

// Results of a map at one index; false outside of its domain. *fits is set to false on overflow.
static bool evaluate(const hlo_map *map, const hlo_affine_values *values, int64_t *results,
                     bool *fits) {
  hlo_error error = {0};
  bool holds;
  if (hlo_map_holds(map, values, &holds, &error) == HLO_OK) {
    if (!holds) return false;
    if (hlo_map_evaluate(map, values, results, &error) == HLO_OK) return true;
  }
  *fits = false;
  return false;
}

// Maps of dims alone give the same at every index.
static void check_samples(hlo_affine_context *context, const hlo_map *before,
                          const hlo_map *after) {
  int64_t index[MOST_DIMS], *results[2];
  const hlo_affine_values values = {{index, NULL, NULL}};
  int32_t dims = before->variable_count[HLO_AFFINE_DIM];
  if (dims > MOST_DIMS || before->variable_count[HLO_AFFINE_RANGE] > 0 ||
      before->variable_count[HLO_AFFINE_RUNTIME] > 0)
    return;
  for (int k = 0; k < 2; k++) {
    results[k] = hlo_arena_array(hlo_affine_arena(context), (size_t)before->result_count,
                                 sizeof *results[k]);
    if (results[k] == NULL) return;
  }
  for (int sample = 0; sample < SAMPLES; sample++) {
    for (int32_t d = 0; d < dims; d++) {
      hlo_interval range = before->variables[HLO_AFFINE_DIM][d].range;
      int64_t step = (sample >> d) + sample * d;
      if (range.lower == INT64_MIN) index[d] = step - SAMPLES;
      else if (sample % 3 == 0) index[d] = hlo_upper_add(range.upper, -step);
      else index[d] = hlo_saturating_add(range.lower, step % 64);
    }
    bool fits = true;
    bool was_inside = evaluate(before, &values, results[0], &fits);
    if (!fits) continue;
    bool is_inside = evaluate(after, &values, results[1], &fits);
    if (!was_inside && !fits) continue; // which constraint is looked at first decides
    require(fits && was_inside == is_inside);
    for (int32_t i = 0; is_inside && i < before->result_count; i++)
      require(results[0][i] == results[1][i]);
  }
}

// Single steps keep the relation, where it can be decided.
static void check_relation(hlo_affine_context *context, const hlo_map *map, const hlo_map *other) {
  hlo_error error = {0};
  hlo_map_relation relation;
  if (hlo_map_compare_relations(context, map, other, &relation, &error) == HLO_OK)
    require(relation != HLO_MAP_DIFFERENT);
}

static void check_steps(hlo_affine_context *context, const hlo_map *map) {
  hlo_error error = {0};
  const hlo_map *other;
  if (hlo_map_rescale(context, map, &other, &error) == HLO_OK) check_relation(context, map, other);
  static const char constraints[] = "d0 in [-5, 40], (d0 + 1) mod 3 in [0, 1]";
  if (map->variable_count[HLO_AFFINE_DIM] > 0 &&
      hlo_map_restrict(context, map, constraints, sizeof constraints - 1, &other, &error) == HLO_OK)
    check_text(context, other);
}

static void check_map(hlo_affine_context *context, const hlo_map *map) {
  const hlo_map *simple, *again;
  hlo_error error = {0};
  check_text(context, map);
  if (hlo_map_simplify(context, map, 0, &simple, NULL, &error) != HLO_OK) {
    require(error.status == HLO_OUT_OF_MEMORY);
    return;
  }
  check_text(context, simple);
  check_samples(context, map, simple);
  check_relation(context, map, simple);
  check_steps(context, map);
  if (hlo_map_simplify(context, simple, 0, &again, NULL, &error) == HLO_OK)
    require(hlo_map_equal(simple, again));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hlo_memory_set_limit((size_t)256 << 20);
  hlo_arena arena = {0};
  hlo_error error = {0};
  hlo_affine_context *context;
  const hlo_map *map;
  if (hlo_affine_context_create(&arena, &context, &error) == HLO_OK &&
      hlo_map_parse(context, (const char *)data, size, &map, &error) == HLO_OK)
    check_map(context, map);
  hlo_arena_free(&arena);
  require(hlo_memory_in_use() == 0);
  return 0;
}
