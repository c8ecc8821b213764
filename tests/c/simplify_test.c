// The simplifier of maps: worked examples, and thousands of random maps that must say the same
// before and after at every index, stay as they are when simplified again, and cost little.
#include "check.h"
#include "indexing/maps/map.h"
#include "indexing_cases.h"
#include "simplify_random.h"

enum { MAPS = 4000, WIDE_MAPS = 400, MOST_RESULTS = 1 << 15 };

static hlo_error error;

// --- worked examples ---

static void check_example(const char *name, const char *text, size_t length, const char *want) {
  hlo_string got = {0};
  error = (hlo_error){0};
  hlo_status status = hlo_map_simplify_text(&got, text, length, &error);
  CHECK_MESSAGE(status == HLO_OK && strcmp(got.text, want) == 0, "%s\nwant:\n%s\ngot:\n%s %s", name,
                want, got.text, error.message);
  hlo_string_free(&got);
}

static int check_examples(void) {
  char *text = read_file("tests/c/data/simplify_maps.txt", NULL), *end = text + strlen(text);
  int count = 0;
  for (char *at = find_line(text, "## ", end), *next; at != NULL; at = next, count++) {
    char *name = at + 3, *map = strchr(at, '\n') + 1, *arrow = find_line(map, "=>", end);
    char *want = arrow + 3, *last;
    next = find_line(want, "## ", end);
    last = next == NULL ? end : next;
    while (last > want && last[-1] == '\n') *--last = '\0';
    map[-1] = '\0';
    check_example(name, map, (size_t)(arrow - map), want);
  }
  free(text);
  return count;
}

// --- the same everywhere ---

typedef struct result_set { // distinct tuples of at most two results
  int64_t (*tuples)[2];
  int count;
} result_set;

typedef struct assignment {
  const hlo_map *map;
  int64_t values[HLO_AFFINE_VARIABLE_KINDS][8];
  hlo_affine_values all;
} assignment;

static void start_assignment(assignment *a, const hlo_map *map) {
  a->map = map;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    a->all.values[kind] = a->values[kind];
    for (int32_t i = 0; i < map->variable_count[kind]; i++)
      a->values[kind][i] = map->variables[kind][i].range.lower;
  }
}

// The next values of all variables but those that are fixed (by kind, a set of bits).
static bool next_assignment(assignment *a, const uint32_t *fixed) {
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    for (int32_t i = 0; i < a->map->variable_count[kind]; i++) {
      hlo_interval range = a->map->variables[kind][i].range;
      if (fixed[kind] >> i & 1) continue;
      if (++a->values[kind][i] <= range.upper) return true;
      a->values[kind][i] = range.lower;
    }
  }
  return false;
}

static int compare_tuples(const void *a, const void *b) {
  return memcmp(a, b, 2 * sizeof(int64_t));
}

// What the map gives for all values of the variables that are not fixed.
static void find_results(assignment *a, const uint32_t *fixed, result_set *out) {
  out->count = 0;
  bool is_empty = a->map->known_empty;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++)
    for (int32_t i = 0; i < a->map->variable_count[kind]; i++)
      is_empty |= hlo_interval_is_empty(a->map->variables[kind][i].range);
  if (is_empty) return;
  do {
    bool holds = false;
    CHECK(hlo_map_holds(a->map, &a->all, &holds, &error) == HLO_OK);
    if (!holds || out->count == MOST_RESULTS) continue;
    int64_t *tuple = out->tuples[out->count++];
    tuple[0] = tuple[1] = 0;
    CHECK(hlo_map_evaluate(a->map, &a->all, tuple, &error) == HLO_OK);
  } while (next_assignment(a, fixed));
  qsort(out->tuples, (size_t)out->count, sizeof *out->tuples, compare_tuples);
  int kept = 0;
  for (int i = 0; i < out->count; i++)
    if (i == 0 || compare_tuples(out->tuples[i], out->tuples[kept - 1]) != 0)
      memcpy(out->tuples[kept++], out->tuples[i], sizeof *out->tuples);
  out->count = kept;
}

static bool is_in(hlo_interval range, int64_t value) { return hlo_interval_has(range, value); }

// For every index and every value of the runtime variables that both have: the same results.
static bool same_everywhere(const hlo_map *before, const hlo_map *after,
                            const hlo_map_origins *origins) {
  static int64_t first_tuples[MOST_RESULTS][2], second_tuples[MOST_RESULTS][2];
  result_set first = {first_tuples, 0}, second = {second_tuples, 0};
  uint32_t fixed[HLO_AFFINE_VARIABLE_KINDS] = {UINT32_MAX, 0, 0},
           all[3] = {UINT32_MAX, 0, UINT32_MAX};
  uint32_t others[3];
  assignment a, b;
  start_assignment(&a, before);
  for (int32_t i = 0; !after->known_empty && i < after->variable_count[HLO_AFFINE_RUNTIME]; i++)
    fixed[HLO_AFFINE_RUNTIME] |= UINT32_C(1) << origins->of[HLO_AFFINE_RUNTIME][i];
  for (int kind = 0; kind < 3; kind++) others[kind] = ~fixed[kind];
  do {
    start_assignment(&b, after);
    bool is_inside = !after->known_empty;
    for (int kind = 0; kind < 3 && !after->known_empty; kind += 2)
      for (int32_t i = 0; i < after->variable_count[kind]; i++) {
        b.values[kind][i] = a.values[kind][kind == 0 ? i : origins->of[kind][i]];
        is_inside &= is_in(after->variables[kind][i].range, b.values[kind][i]);
      }
    find_results(&a, fixed, &first);
    second.count = 0;
    if (is_inside) find_results(&b, all, &second);
    if (first.count != second.count ||
        memcmp(first_tuples, second_tuples, sizeof *first_tuples * (size_t)first.count) != 0)
      return false;
  } while (next_assignment(&a, others));
  return true;
}

static void show(const char *what, const hlo_map *map) {
  hlo_string text = {0};
  hlo_map_print(&text, map);
  if (check_failures < 10) printf("%s: %s\n", what, text.text);
  hlo_string_free(&text);
}

static void check_random_map(const random_map *random) {
  hlo_arena arena = {0};
  hlo_affine_context *context;
  const hlo_map *map, *simple, *again;
  hlo_map_origins origins;
  error = (hlo_error){0};
  CHECK(hlo_affine_context_create(&arena, &context, &error) == HLO_OK);
  CHECK(hlo_map_parse(context, random->text.text, random->text.length, &map, &error) == HLO_OK);
  CHECK(hlo_map_simplify(context, map, 0, &simple, &origins, &error) == HLO_OK);
  bool is_same = same_everywhere(map, simple, &origins);
  CHECK_MESSAGE(is_same, "simplifying changes what a map says");
  CHECK(hlo_map_simplify(context, simple, 0, &again, NULL, &error) == HLO_OK);
  bool stays = hlo_map_equal(simple, again);
  CHECK_MESSAGE(stays, "simplifying twice goes on");
  hlo_string text = {0};
  hlo_map_print(&text, simple);
  const hlo_map *read;
  hlo_status status = hlo_map_parse(context, text.text, text.length, &read, &error);
  bool is_read = status == HLO_OK && hlo_map_equal(simple, read);
  CHECK_MESSAGE(is_read, "the text of a map is read as another: %s", text.text);
  if (!is_same || !stays || !is_read) {
    show("before", map);
    show("after", simple);
    show("again", again);
  }
  hlo_string_free(&text);
  hlo_arena_free(&arena);
}

// --- what it costs: all work allocates, but for trying out assignments, which is bounded ---

static void check_wide_map(size_t *most) {
  random_map random = make_random_wide_map();
  hlo_arena arena = {0};
  hlo_affine_context *context;
  const hlo_map *map, *simple;
  error = (hlo_error){0};
  CHECK(hlo_affine_context_create(&arena, &context, &error) == HLO_OK);
  CHECK(hlo_map_parse(context, random.text.text, random.text.length, &map, &error) == HLO_OK);
  size_t before = hlo_memory_in_use();
  CHECK(hlo_map_simplify(context, map, 0, &simple, NULL, &error) == HLO_OK);
  size_t used = hlo_memory_in_use() - before;
  if (used > *most) *most = used;
  hlo_arena_free(&arena);
  hlo_string_free(&random.text);
}

static void check_map(void) {
  random_map random = make_random_map();
  check_random_map(&random);
  hlo_string_free(&random.text);
}

int main(void) {
  CHECK(check_examples() > 25);
  for_each_seed(__FILE__, MAPS, check_map);
  size_t most = 0;
  for (int i = 0; i < WIDE_MAPS; i++) check_wide_map(&most);
  printf("simplifying a map of 8 variables takes at most %zu KB of notes\n", most >> 10);
  CHECK(most < (size_t)1 << 20);
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
