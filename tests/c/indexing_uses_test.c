// Operand utilisation, strides and tiles: the examples of the header, and thousands of random maps
// in which every assignment is tried.
#include "check.h"
#include "indexing/uses.h"
#include "indexing_programs.h"

enum { PROGRAMS = 1500, MAPS = 3000, MOST_MEMORY = 1 << 12 };

static hlo_error error;

// --- trying all assignments ---

typedef struct sweep {
  const hlo_indexing *indexing;
  const hlo_shape *array;
  int64_t values[HLO_AFFINE_VARIABLE_KINDS][64];
  hlo_affine_values all;
} sweep;

static void start_sweep(const hlo_indexing *indexing, const hlo_shape *array, sweep *s) {
  *s = (sweep){.indexing = indexing, .array = array};
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++)
    s->all.values[kind] = s->values[kind];
  for (int kind = 0; kind < HLO_AFFINE_RUNTIME; kind++)
    for (int32_t i = 0; i < indexing->map->variable_count[kind]; i++)
      s->values[kind][i] = indexing->map->variables[kind][i].range.lower;
}

static bool next_assignment(sweep *s) {
  for (int kind = HLO_AFFINE_RANGE; kind >= 0; kind--) {
    for (int32_t i = s->indexing->map->variable_count[kind] - 1; i >= 0; i--) {
      hlo_interval range = s->indexing->map->variables[kind][i].range;
      if (++s->values[kind][i] <= range.upper) return true;
      s->values[kind][i] = range.lower;
    }
  }
  return false;
}

// The indices of the present assignment; false outside of domain or array.
static bool find_indices(const sweep *s, int64_t *indices) {
  bool holds;
  if (hlo_map_holds(s->indexing->map, &s->all, &holds, &error) != HLO_OK || !holds ||
      hlo_map_evaluate(s->indexing->map, &s->all, indices, &error) != HLO_OK)
    return false;
  for (int32_t d = 0; d < s->array->rank; d++)
    if (indices[d] < 0 || indices[d] >= s->array->dims[d]) return false;
  return true;
}

// One value for every element of a producer: the same wherever it is asked for. In several rounds,
// for values whose positions are such values.
static void choose_runtimes(sweep *s, uint32_t seed) {
  int32_t count = s->indexing->map->variable_count[HLO_AFFINE_RUNTIME];
  for (int32_t round = 0; round < count * count; round++) {
    int32_t i = round % count;
    const hlo_indexing_runtime *r = &s->indexing->runtimes[i];
    uint64_t hash = seed + (uint64_t)r->producer->id * 31;
    for (int32_t d = 0; d < r->rank; d++) {
      int64_t position = 0;
      CHECK(hlo_affine_evaluate(r->position[d], &s->all, &position, &error) == HLO_OK);
      hash = hash * 37 + (uint64_t)position;
    }
    hash *= UINT64_C(0x9e3779b97f4a7c15);
    uint64_t width = (uint64_t)(r->clamp.upper - r->clamp.lower) + 1;
    s->values[HLO_AFFINE_RUNTIME][i] = r->clamp.lower + (int64_t)((hash >> 33) % width);
  }
}

static bool has_no_values(const hlo_indexing *indexing) {
  for (int kind = 0; kind < HLO_AFFINE_RUNTIME; kind++)
    for (int32_t i = 0; i < indexing->map->variable_count[kind]; i++)
      if (hlo_interval_is_empty(indexing->map->variables[kind][i].range)) return true;
  return indexing->map->known_empty;
}

static void describe(const hlo_indexing_set *set, const hlo_shape *array) {
  hlo_string text = {0};
  hlo_shape_print(&text, array, true);
  hlo_string_add(&text, "\n");
  hlo_indexing_set_print(&text, set);
  if (check_failures < 6) printf("%s\n", text.text);
  hlo_string_free(&text);
}

// --- utilisation ---

static int exact_uses, all_uses;

static void check_use(hlo_indexing_analysis *analysis, const hlo_indexing_set *set,
                      const hlo_shape *array) {
  static bool is_read[MOST_MEMORY];
  hlo_indexing_use use;
  CHECK(hlo_indexing_measure_use(analysis, set, array, &use, &error) == HLO_OK);
  int64_t elements = hlo_shape_elements(array), distinct = 0, reads = 0, indices[HLO_MAX_RANK];
  uint32_t seed = (uint32_t)random_bits();
  memset(is_read, 0, sizeof is_read);
  for (int32_t i = 0; i < set->count; i++) {
    sweep s;
    if (has_no_values(&set->items[i])) continue;
    start_sweep(&set->items[i], array, &s);
    do {
      choose_runtimes(&s, seed);
      if (!find_indices(&s, indices)) continue;
      reads++;
      is_read[hlo_linear_index(array, indices)] = true;
    } while (next_assignment(&s));
  }
  for (int64_t k = 0; k < elements; k++) distinct += is_read[k];
  bool is_right = use.elements == elements && use.distinct <= elements &&
                  (use.is_exact ? use.distinct == distinct && use.reads == reads
                                : use.distinct >= distinct && use.reads >= reads);
  CHECK_MESSAGE(is_right, "%d maps: %lld of %lld read, %lld times; found %lld, %lld, exact %d",
                set->count, (long long)distinct, (long long)elements, (long long)reads,
                (long long)use.distinct, (long long)use.reads, use.is_exact);
  if (!is_right) describe(set, array);
  exact_uses += use.is_exact;
  all_uses++;
}

// --- strides ---

static int known_strides, all_strides;

static void check_strides_along(const hlo_indexing *access, const hlo_shape *array,
                                hlo_indexing_loop v, const hlo_indexing_stride *stride) {
  int64_t here[HLO_MAX_RANK], there[HLO_MAX_RANK], strides[HLO_MAX_RANK];
  hlo_interval range = access->map->variables[v.kind][v.index].range;
  uint32_t seed = (uint32_t)random_bits();
  sweep s;
  hlo_shape_strides(array, strides);
  start_sweep(access, array, &s);
  do {
    int64_t *value = &s.values[v.kind][v.index], step = 0;
    choose_runtimes(&s, seed);
    bool is_here = find_indices(&s, here);
    if (*value == range.upper) continue;
    ++*value;
    choose_runtimes(&s, seed);
    bool is_there = find_indices(&s, there);
    --*value;
    CHECK_MESSAGE(is_here == is_there || stride->is_guarded ||
                      access->map->variable_count[HLO_AFFINE_RUNTIME] > 0,
                  "a domain ends along a loop that needs no guard");
    if (!is_here || !is_there || (*value + 1) % stride->run == 0) continue;
    for (int32_t d = 0; d < array->rank; d++) step += (there[d] - here[d]) * strides[d];
    CHECK_MESSAGE(step == stride->stride, "stride %lld where %lld was said", (long long)step,
                  (long long)stride->stride);
  } while (next_assignment(&s));
}

static void check_strides(hlo_indexing_analysis *analysis, const hlo_indexing *access,
                          const hlo_shape *array) {
  if (has_no_values(access)) return;
  for (int kind = 0; kind < HLO_AFFINE_RUNTIME; kind++) {
    for (int32_t i = 0; i < access->map->variable_count[kind]; i++) {
      hlo_indexing_loop v = {(hlo_affine_kind)kind, i};
      hlo_indexing_stride stride;
      CHECK(hlo_indexing_stride_along(analysis, access, array, v, &stride, &error) == HLO_OK);
      int before = check_failures;
      all_strides++;
      known_strides += stride.is_known;
      if (stride.is_known) check_strides_along(access, array, v, &stride);
      const hlo_indexing_set set = {.count = 1, .items = (hlo_indexing *)access};
      if (check_failures > before) {
        printf("along %d %d\n", kind, i);
        describe(&set, array);
      }
    }
  }
}

// --- tiles ---

static int found_tiles, exact_tiles, all_tiles;

// Elements of the array that the map gives for one tile of the result.
static void mark_needed(const hlo_indexing *access, const hlo_shape *array,
                        const hlo_indexing_tile *tile, const int64_t *offsets, uint32_t seed,
                        bool *is_needed) {
  int64_t indices[HLO_MAX_RANK];
  sweep s;
  start_sweep(access, array, &s);
  do {
    bool is_inside = true;
    for (int32_t d = 0; d < tile->rank; d++) {
      int64_t at = s.values[HLO_AFFINE_DIM][d] - offsets[d], stride = tile->dims[d].stride;
      is_inside &= at >= 0 && at % stride == 0 && at / stride < tile->dims[d].size;
    }
    if (!is_inside) continue;
    choose_runtimes(&s, seed);
    if (find_indices(&s, indices)) is_needed[hlo_linear_index(array, indices)] = true;
  } while (next_assignment(&s));
}

static void evaluate_offsets(const hlo_indexing_tile *tile, const hlo_affine_values *values,
                             int64_t *offsets) {
  for (int32_t d = 0; d < tile->rank; d++)
    CHECK(hlo_affine_evaluate(tile->dims[d].offset, values, &offsets[d], &error) == HLO_OK);
}

// Is it right for one tile number? Everything needed lies in the tile, and when it is exact,
// nothing else.
static bool check_tile_at(const hlo_indexing *access, const hlo_shape *array,
                          const hlo_indexing_tile *result, const hlo_indexing_tile *operand,
                          const int64_t *number) {
  static bool is_needed[MOST_MEMORY], is_claimed[MOST_MEMORY];
  int64_t offsets[HLO_MAX_RANK], index[HLO_MAX_RANK] = {0}, sizes[HLO_MAX_RANK];
  uint32_t seed = (uint32_t)random_bits();
  memset(is_needed, 0, sizeof is_needed);
  memset(is_claimed, 0, sizeof is_claimed);
  sweep s;
  start_sweep(access, array, &s);
  memcpy(s.values[HLO_AFFINE_DIM], number, sizeof *number * 8);
  evaluate_offsets(result, &s.all, offsets);
  mark_needed(access, array, result, offsets, seed, is_needed);
  evaluate_offsets(operand, &s.all, offsets);
  for (int32_t d = 0; d < array->rank; d++) sizes[d] = operand->dims[d].size;
  bool is_inside = true;
  do {
    int64_t at[HLO_MAX_RANK];
    bool exists = true;
    for (int32_t d = 0; d < array->rank; d++) {
      at[d] = offsets[d] + index[d] * operand->dims[d].stride;
      exists &= at[d] >= 0 && at[d] < array->dims[d];
    }
    if (exists) is_claimed[hlo_linear_index(array, at)] = true;
    is_inside &= exists;
  } while (hlo_next_index(array->rank, sizes, index));
  bool is_right = is_inside || operand->is_guarded || !operand->is_exact;
  for (int64_t k = 0; k < hlo_shape_elements(array); k++)
    is_right &= is_needed[k] ? is_claimed[k] : !is_claimed[k] || !operand->is_exact;
  return is_right;
}

// A random grid over the array that the map leads from; its last tiles may stand out.
static void check_tile(hlo_indexing_analysis *analysis, const hlo_indexing *access,
                       const hlo_shape *array) {
  hlo_affine_context *context = hlo_indexing_context(analysis);
  int32_t rank = access->map->variable_count[HLO_AFFINE_DIM];
  int64_t grid[8], number[8] = {0};
  hlo_indexing_tile_dim dims[8];
  hlo_indexing_tile result = {.rank = rank, .dims = dims}, operand;
  if (has_no_values(access) || access->map->variable_count[HLO_AFFINE_RUNTIME] > 0) return;
  for (int32_t d = 0; d < rank; d++) {
    hlo_interval range = access->map->variables[HLO_AFFINE_DIM][d].range;
    int64_t extent = range.upper + 1;
    if (range.lower < 0) return;
    int64_t stride = random_below(4) == 0 ? random_between(1, 3) : 1;
    dims[d] = (hlo_indexing_tile_dim){.size = random_between(1, 6), .stride = stride};
    int64_t whole = dims[d].size * stride;
    grid[d] = (extent + whole - 1) / whole;
    dims[d].offset =
        hlo_affine_scale(context, hlo_affine_variable(context, HLO_AFFINE_DIM, d), whole);
  }
  bool found;
  all_tiles++;
  CHECK(hlo_indexing_tile_of(analysis, access, rank, grid, &result, &operand, &found, &error) ==
        HLO_OK);
  if (!found) return;
  found_tiles++;
  exact_tiles += operand.is_exact;
  do {
    bool is_right = check_tile_at(access, array, &result, &operand, number);
    CHECK_MESSAGE(is_right, "a tile is not what is needed");
    if (is_right) continue;
    const hlo_indexing_set set = {.count = 1, .items = (hlo_indexing *)access};
    describe(&set, array);
    for (int32_t d = 0; d < rank; d++)
      printf("tile %lld of %lld, size %lld, stride %lld\n", (long long)number[d],
             (long long)grid[d], (long long)dims[d].size, (long long)dims[d].stride);
    for (int32_t d = 0; d < operand.rank; d++) {
      hlo_string text = {0};
      hlo_affine_print(&text, operand.dims[d].offset, NULL);
      printf("  %s, %lld, %lld exact %d\n", text.text, (long long)operand.dims[d].size,
             (long long)operand.dims[d].stride, operand.is_exact);
      hlo_string_free(&text);
    }
    return;
  } while (hlo_next_index(rank, grid, number));
}

// --- maps to look at ---

// An update's own map does not; through computations all do.
static bool stays_inside(const hlo_indexing *access, const hlo_shape *array) {
  int64_t indices[HLO_MAX_RANK];
  bool holds, stays = true;
  sweep s;
  if (has_no_values(access)) return true;
  start_sweep(access, array, &s);
  do {
    choose_runtimes(&s, 1);
    if (find_indices(&s, indices) || hlo_map_holds(access->map, &s.all, &holds, &error) != HLO_OK ||
        !holds)
      continue;
    stays = false;
  } while (next_assignment(&s) && stays);
  return stays;
}

static void check_set(hlo_indexing_analysis *analysis, const hlo_indexing_set *set,
                      const hlo_shape *array) {
  if (set->is_unknown || hlo_shape_elements(array) > MOST_MEMORY) return;
  check_use(analysis, set, array);
  for (int32_t i = 0; i < set->count; i++) {
    if (!stays_inside(&set->items[i], array)) continue;
    check_strides(analysis, &set->items[i], array);
    check_tile(analysis, &set->items[i], array);
  }
}

static void check_program(void) {
  program p = make_program();
  hlo_arena arena = {0};
  hlo_indexing_analysis *analysis;
  const hlo_indexing_table *table;
  int failures = check_failures;
  CHECK(hlo_indexing_analysis_create(&arena, &analysis, &error) == HLO_OK);
  CHECK(hlo_indexing_from(analysis, p.root, 0, &table, &error) == HLO_OK);
  for (int32_t i = 0; i < p.body->instruction_count; i++) {
    const hlo_instruction *x = p.body->instructions[i];
    check_set(analysis, hlo_indexing_get(table, x, 0), x->shape);
    const hlo_indexing_set *sets;
    CHECK(hlo_indexing_output_to_input(analysis, x, 0, &sets, &error) == HLO_OK);
    for (int32_t k = 0; k < x->operand_count; k++)
      check_set(analysis, &sets[k], x->operands[k]->shape);
  }
  if (check_failures > failures) print_program(&p);
  hlo_arena_free(&arena);
  hlo_module_destroy(p.module);
}

// Any maps: several with as many results as the first one, into an array that may be too small.
static void check_maps(void) {
  hlo_arena arena = {0};
  hlo_indexing_analysis *analysis;
  CHECK(hlo_indexing_analysis_create(&arena, &analysis, &error) == HLO_OK);
  hlo_indexing items[3];
  hlo_indexing_set set = {.items = items};
  int64_t dims[2];
  for (int i = random_between(1, 3); i > 0; i--) {
    random_map text = make_random_map();
    hlo_indexing *item = &items[set.count];
    if (text.counts[2] == 0 &&
        hlo_map_parse(hlo_indexing_context(analysis), text.text.text, text.text.length, &item->map,
                      &error) == HLO_OK &&
        item->map->result_count == items[0].map->result_count)
      set.count++;
    hlo_string_free(&text.text);
  }
  for (int d = 0; d < 2; d++) dims[d] = random_between(1, 40);
  const hlo_shape *array;
  if (set.count > 0 &&
      hlo_shape_make(&arena, HLO_F32, items[0].map->result_count, dims, &array, &error) == HLO_OK)
    check_set(analysis, &set, array);
  hlo_error_clear(&error);
  hlo_arena_free(&arena);
}

// --- the examples of the header ---

static hlo_module *module;
static hlo_arena example_arena;
static hlo_indexing_analysis *examples;

static const hlo_indexing_set *set_of(const char *text, const hlo_shape **operand) {
  CHECK(hlo_parse_hlo(text, strlen(text), &module, &error) == HLO_OK);
  CHECK(hlo_indexing_analysis_create(&example_arena, &examples, &error) == HLO_OK);
  const hlo_indexing_table *table;
  CHECK(hlo_indexing_from(examples, module->entry->root, 0, &table, &error) == HLO_OK);
  *operand = module->entry->parameters[0]->shape;
  return hlo_indexing_get(table, module->entry->parameters[0], 0);
}

static void end_example(void) {
  hlo_arena_free(&example_arena);
  hlo_module_destroy(module);
}

static void check_use_of(const char *text, int64_t elements, int64_t distinct, int64_t reads) {
  const hlo_shape *operand;
  const hlo_indexing_set *set = set_of(text, &operand);
  hlo_indexing_use use;
  CHECK(hlo_indexing_measure_use(examples, set, operand, &use, &error) == HLO_OK);
  CHECK_MESSAGE(use.is_exact && use.elements == elements && use.distinct == distinct &&
                    use.reads == reads,
                "%s: %lld %lld %lld, exact %d", text, (long long)use.elements,
                (long long)use.distinct, (long long)use.reads, use.is_exact);
  end_example();
}

static void check_uses(void) {
  check_use_of(
      "max { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] maximum(a, b) }\n"
      "ENTRY e { p = f32[1024,514] parameter(0) c = f32[] constant(-inf)\n"
      "  ROOT r = f32[1024,3] reduce-window(p, c), window={size=1x512}, to_apply=max }",
      526336, 526336, 1572864);
  check_use_of("ENTRY e { p = f32[50] parameter(0) ROOT s = f32[25] slice(p), slice={[0:50:2]} }",
               50, 25, 25);
  check_use_of("ENTRY e { p = f32[1000,1000] parameter(0)\n"
               "  t = f32[1000,1000] transpose(p), dimensions={1,0}\n"
               "  ROOT a = f32[1000,1000] add(p, t) }",
               1000000, 1000000, 2000000);
  check_use_of("ENTRY e { p = f32[20] parameter(0)\n"
               "  ROOT b = f32[10,20,30] broadcast(p), dimensions={1} }",
               20, 20, 6000);
  // Two of three overlapping slices' corners, by inclusion and exclusion.
  check_use_of("ENTRY e { p = f32[1000,1000] parameter(0)\n"
               "  a = f32[998,998] slice(p), slice={[0:998], [0:998]}\n"
               "  b = f32[998,998] slice(p), slice={[1:999], [1:999]}\n"
               "  c = f32[998,998] slice(p), slice={[2:1000], [2:1000]}\n"
               "  ab = f32[998,998] add(a, b) ROOT abc = f32[998,998] add(ab, c) }",
               1000000, 3 * 998 * 998 - 2 * 997 * 997, 3 * 998 * 998);
  // An update is read in one place of the result, wherever that is.
  check_use_of("ENTRY e { u = f32[5,10] parameter(0) p = f32[20,30] parameter(1)\n"
               "  i = s32[] parameter(2) j = s32[] parameter(3)\n"
               "  ROOT d = f32[20,30] dynamic-update-slice(p, u, i, j) }",
               50, 50, 50);
}

// More variables than are told apart: bounds, but no wrong answers.
static void check_many_variables(void) {
  hlo_string text = {0};
  hlo_string_add(&text, "ENTRY e { p = f32[] parameter(0) ROOT b = f32[");
  for (int d = 0; d < 64; d++) hlo_string_add(&text, d == 0 ? "1" : d < 60 ? ",1" : ",2");
  hlo_string_add(&text, "] broadcast(p), dimensions={} }");
  const hlo_shape *operand;
  const hlo_indexing_set *set = set_of(text.text, &operand);
  hlo_indexing_use use;
  hlo_indexing wide;
  hlo_string_free(&text);
  CHECK(hlo_indexing_measure_use(examples, set, operand, &use, &error) == HLO_OK);
  CHECK(use.is_exact && use.distinct == 1 && use.reads == 16);
  hlo_string_add(&text, "(d0)[s0");
  for (int i = 1; i < 70; i++) hlo_string_add_format(&text, ", s%d", i);
  hlo_string_add(&text, "] -> (s69), domain: d0 in [0, 3], s69 in [0, 1]");
  for (int i = 0; i < 69; i++) hlo_string_add_format(&text, ", s%d in [0, 0]", i);
  CHECK(hlo_map_parse(hlo_indexing_context(examples), text.text, text.length, &wide.map, &error) ==
        HLO_OK);
  const hlo_indexing_set wide_set = {.count = 1, .items = &wide};
  const hlo_shape *two;
  CHECK(hlo_shape_make(&example_arena, HLO_F32, 1, (int64_t[]){2}, &two, &error) == HLO_OK);
  CHECK(hlo_indexing_measure_use(examples, &wide_set, two, &use, &error) == HLO_OK);
  CHECK(use.elements == 2 && use.distinct == 2 && use.reads >= 8);
  hlo_indexing_stride stride;
  const hlo_indexing_loop last = {HLO_AFFINE_RANGE, 69};
  CHECK(hlo_indexing_stride_along(examples, &wide, two, last, &stride, &error) == HLO_OK);
  CHECK(!stride.is_known || stride.stride == 1);
  hlo_string_free(&text);
  end_example();
}

static void check_stride_of(const char *text, int32_t dim, int64_t stride, int64_t run) {
  const hlo_shape *operand;
  const hlo_indexing_set *set = set_of(text, &operand);
  hlo_indexing_stride found;
  const hlo_indexing_loop loops[] = {{HLO_AFFINE_DIM, dim}, {HLO_AFFINE_RANGE, 7}};
  CHECK(hlo_indexing_strides_along(examples, set, operand, loops, 2, &found, &error) == HLO_OK);
  CHECK_MESSAGE(found.is_known && !found.is_guarded && found.stride == stride && found.run == run,
                "%s: stride %lld, run %lld, known %d", text, (long long)found.stride,
                (long long)found.run, found.is_known);
  end_example();
}

static void check_example_strides(void) {
  const char *transposed = "ENTRY e { p = f32[32] parameter(0) r = f32[4,8] reshape(p)\n"
                           "  ROOT t = f32[8,4] transpose(r), dimensions={1,0} }";
  check_stride_of(transposed, 0, 1, INT64_MAX);
  check_stride_of(transposed, 1, 8, INT64_MAX);
  check_stride_of("ENTRY e { p = f32[4,8]{0,1} parameter(0) ROOT r = f32[32] reshape(p) }", 0, 4,
                  8);
  check_stride_of("ENTRY e { p = f32[4,8]{1,0} parameter(0) ROOT r = f32[32] reshape(p) }", 0, 1,
                  INT64_MAX);
}

static void check_tile_of(const char *text, int32_t rank, const int64_t *grid, const int64_t *sizes,
                          const char *want) {
  const hlo_shape *operand;
  const hlo_indexing_set *set = set_of(text, &operand);
  hlo_affine_context *context = hlo_indexing_context(examples);
  hlo_indexing_tile_dim dims[4];
  hlo_indexing_tile tile = {.rank = rank, .dims = dims}, found_tile;
  for (int32_t d = 0; d < rank; d++) {
    const hlo_affine *number = hlo_affine_variable(context, HLO_AFFINE_DIM, d);
    dims[d] = (hlo_indexing_tile_dim){hlo_affine_scale(context, number, sizes[d]), sizes[d], 1};
  }
  bool found;
  CHECK(hlo_indexing_tile_of(examples, &set->items[0], rank, grid, &tile, &found_tile, &found,
                             &error) == HLO_OK);
  hlo_string got = {0};
  hlo_string_add(&got, !found ? "none" : found_tile.is_exact ? "exact" : "inexact");
  for (int32_t d = 0; found && d < found_tile.rank; d++) {
    hlo_string_add(&got, " {");
    hlo_affine_print(&got, found_tile.dims[d].offset, NULL);
    hlo_string_add_format(&got, ", %d, %d}", (int)found_tile.dims[d].size,
                          (int)found_tile.dims[d].stride);
  }
  CHECK_MESSAGE(strcmp(got.text, want) == 0, "%s\nwant %s\ngot  %s", text, want, got.text);
  hlo_string_free(&got);
  end_example();
}

static void check_example_tiles(void) {
  check_tile_of("ENTRY e { p = f32[128,12] parameter(0)\n"
                "  ROOT t = f32[12,128] transpose(p), dimensions={1,0} }",
                2, (int64_t[]){2, 2}, (int64_t[]){6, 64}, "exact {d1 * 64, 64, 1} {d0 * 6, 6, 1}");
  check_tile_of("ENTRY e { p = f32[4,8] parameter(0) ROOT r = f32[32] reshape(p) }", 1,
                (int64_t[]){2}, (int64_t[]){16}, "exact {d0 * 2, 2, 1} {0, 8, 1}");
  check_tile_of("ENTRY e { p = f32[4,8] parameter(0) ROOT r = f32[32] reshape(p) }", 1,
                (int64_t[]){8}, (int64_t[]){4},
                "exact {d0 floordiv 2, 1, 1} {(d0 mod 2) * 4, 4, 1}");
  // Rows of dot and softmax need whole rows.
  check_tile_of("ENTRY e { p = f32[64,256] parameter(0) q = f32[256,32] parameter(1)\n"
                "  ROOT d = f32[64,32] dot(p, q), lhs_contracting_dims={1}, "
                "rhs_contracting_dims={0} }",
                2, (int64_t[]){8, 4}, (int64_t[]){8, 8}, "exact {d0 * 8, 8, 1} {0, 256, 1}");
  check_tile_of(
      "ENTRY e { p = f32[100] parameter(0) ROOT s = f32[33] slice(p), slice={[1:100:3]} }", 1,
      (int64_t[]){3}, (int64_t[]){11}, "exact {d0 * 33 + 1, 11, 3}");
}

// Few are no measure.
static bool is_share(int part, int all, double share) { return all < 100 || part > all * share; }

int main(void) {
  check_uses();
  check_many_variables();
  check_example_strides();
  check_example_tiles();
  for_each_seed(__FILE__, PROGRAMS, check_program);
  printf("programs: %d of %d uses exact, %d of %d strides known, %d of %d tiles found, %d exact\n",
         exact_uses, all_uses, known_strides, all_strides, found_tiles, all_tiles, exact_tiles);
  CHECK(is_share(exact_uses, all_uses, 0.9) && is_share(known_strides, all_strides, 0.9));
  CHECK(is_share(found_tiles, all_tiles, 0.75) && is_share(exact_tiles, all_tiles, 0.5));
  for_each_seed(__FILE__, MAPS, check_maps);
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
