// Compares maps with what evaluation really reads: thousands of random programs, in
// which every element of every parameter is changed once to see which results change with it.
#include "check.h"
#include "indexing/indexing.h"
#include "indexing_programs.h"

enum { PROGRAMS = 4000 };

// reads[result element * parameter elements + parameter element]
typedef struct dependence {
  int64_t results, elements;
  bool *reads;
} dependence;

static dependence find_dependence(program *p, const hlo_instruction *parameter) {
  program_run run;
  start_run(p, &run);
  run_program(p, &run);
  const hlo_literal *root = &run.values[p->root->id], *data = &run.values[parameter->id];
  dependence d = {hlo_shape_elements(root->shape), hlo_shape_elements(data->shape), NULL};
  d.reads = calloc((size_t)(d.results * d.elements) + 1, sizeof *d.reads);
  uint64_t *before = malloc(sizeof *before * (size_t)(d.results + 1));
  memcpy(before, root->data, sizeof *before * (size_t)d.results);
  for (int64_t i = 0; i < d.elements; i++) {
    uint64_t *element = (uint64_t *)data->data + i, kept = *element;
    for (int attempt = 0; attempt < 2; attempt++) { // a change could cancel once
      *element = kept + (random_bits() | 1);
      run_program(p, &run);
      for (int64_t k = 0; k < d.results; k++)
        if (((uint64_t *)root->data)[k] != before[k]) d.reads[k * d.elements + i] = true;
    }
    *element = kept;
  }
  free(before);
  end_run(&run);
  return d;
}

// --- what maps say ---

typedef struct map_walk {
  hlo_affine_context *context;
  const hlo_indexing *indexing;
  const program_run *run;
  int64_t values[HLO_AFFINE_VARIABLE_KINDS][64];
  hlo_affine_values all;
  bool is_known[64]; // which runtime variables
  bool waits;
} map_walk;

static void wait_for_unknown(void *host, hlo_affine_kind kind, int32_t index) {
  map_walk *w = host;
  if (kind == HLO_AFFINE_RUNTIME && !w->is_known[index]) w->waits = true;
}

// One runtime variable's value. False when its position lies outside: then the map does not apply.
static bool find_runtime(map_walk *w, int32_t i) {
  const hlo_indexing_runtime *runtime = &w->indexing->runtimes[i];
  const hlo_shape *shape = runtime->producer->shape;
  int64_t index[HLO_MAX_RANK];
  hlo_error error = {0};
  for (int32_t d = 0; d < runtime->rank; d++)
    if (hlo_affine_evaluate(runtime->position[d], &w->all, &index[d], &error) != HLO_OK ||
        index[d] < 0 || index[d] >= shape->dims[d])
      return false;
  const int32_t *data = w->run->values[runtime->producer->id].data;
  int64_t value = data[hlo_linear_index(shape, index)];
  if (value < runtime->clamp.lower) value = runtime->clamp.lower;
  if (value > runtime->clamp.upper) value = runtime->clamp.upper;
  w->values[HLO_AFFINE_RUNTIME][i] = value;
  return true;
}

// All of them, in the order that their positions need.
static bool find_runtimes(map_walk *w) {
  int32_t count = w->indexing->map->variable_count[HLO_AFFINE_RUNTIME];
  memset(w->is_known, 0, sizeof w->is_known);
  for (int32_t known = 0; known < count;) {
    int32_t before = known;
    for (int32_t i = 0; i < count; i++) {
      const hlo_indexing_runtime *runtime = &w->indexing->runtimes[i];
      w->waits = w->is_known[i];
      for (int32_t d = 0; d < runtime->rank; d++)
        hlo_affine_each_variable(w->context, runtime->position[d], wait_for_unknown, w);
      if (w->waits) continue;
      if (!find_runtime(w, i)) return false;
      w->is_known[i] = true;
      known++;
    }
    CHECK_MESSAGE(known > before, "runtime variables wait for each other");
    if (known == before) return false;
  }
  return true;
}

// Marks all elements of an array of `to` that the map gives for the index in values[DIM].
static void mark_reads(map_walk *w, const hlo_shape *to, bool *marks, int64_t step) {
  const hlo_map *map = w->indexing->map;
  int32_t ranges = map->variable_count[HLO_AFFINE_RANGE];
  for (int32_t i = 0; i < ranges; i++)
    w->values[HLO_AFFINE_RANGE][i] = map->variables[HLO_AFFINE_RANGE][i].range.lower;
  for (;;) {
    bool holds = false;
    int64_t index[HLO_MAX_RANK];
    hlo_error error = {0};
    if (find_runtimes(w) && hlo_map_holds(map, &w->all, &holds, &error) == HLO_OK && holds) {
      CHECK(hlo_map_evaluate(map, &w->all, index, &error) == HLO_OK);
      bool inside = true;
      for (int32_t d = 0; d < to->rank; d++) inside &= index[d] >= 0 && index[d] < to->dims[d];
      CHECK_MESSAGE(inside, "a map leads out of the array");
      if (inside) marks[hlo_linear_index(to, index) * step] = true;
    }
    int32_t i = ranges - 1;
    for (; i >= 0; i--) {
      int64_t *value = &w->values[HLO_AFFINE_RANGE][i];
      if (++*value <= map->variables[HLO_AFFINE_RANGE][i].range.upper) break;
      *value = map->variables[HLO_AFFINE_RANGE][i].range.lower;
    }
    if (i < 0) break;
  }
}

// All pairs that the maps of a set give: from an index of `from` to one of `to`.
static void mark_all(hlo_affine_context *context, const hlo_indexing_set *set,
                     const program_run *run, const hlo_shape *from, const hlo_shape *to,
                     bool *marks, int64_t from_step, int64_t to_step) {
  for (int32_t i = 0; i < set->count; i++) {
    map_walk w = {.context = context, .indexing = &set->items[i], .run = run};
    for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++)
      w.all.values[kind] = w.values[kind];
    if (hlo_shape_elements(from) == 0) continue;
    do
      mark_reads(&w, to, marks + hlo_linear_index(from, w.values[HLO_AFFINE_DIM]) * from_step,
                 to_step);
    while (hlo_next_index(from->rank, from->dims, w.values[HLO_AFFINE_DIM]));
  }
}

// --- comparing ---

static void describe(program *p, const hlo_indexing_set *set) {
  hlo_string text = {0};
  hlo_print_hlo(&text, p->module);
  hlo_string_add(&text, "\n");
  hlo_indexing_set_print(&text, set);
  if (check_failures < 4) printf("%s\n", text.text);
  hlo_string_free(&text);
}

// The maps claim at least what is read, and when exact nothing else.
static void compare(program *p, const hlo_indexing_set *set, const dependence *d,
                    const bool *claims, const char *what, bool is_exact) {
  int64_t missing = 0, extra = 0;
  for (int64_t i = 0; i < d->results * d->elements; i++) {
    missing += d->reads[i] && !claims[i];
    extra += claims[i] && !d->reads[i];
  }
  bool is_right = missing == 0 && (extra == 0 || !is_exact);
  if (!is_right) describe(p, set);
  CHECK_MESSAGE(is_right, "%s: %lld reads missing, %lld too many", what, (long long)missing,
                (long long)extra);
}

// --- positions in memory ---

static const hlo_shape *random_layout(program *p, const hlo_shape *shape) {
  int64_t order[MOST_RANK], padded[MOST_RANK];
  hlo_layout layout = {.rank = shape->rank, .minor_to_major = order};
  shuffle(shape->rank, order);
  for (int32_t d = 0; d < shape->rank; d++) padded[d] = shape->dims[d] + random_below(3) / 2;
  if (random_below(2) == 0) layout.padded_dims = padded;
  const hlo_shape *out;
  require_ok(p, hlo_shape_with_layout(&p->module->arena, shape, &layout, &out, &p->error));
  return out;
}

// The physical maps connect the positions of what the logical ones connect, and no others.
static void check_physical(program *p, hlo_indexing_analysis *analysis, const program_run *run,
                           const hlo_indexing_set *set, const dependence *d,
                           const hlo_shape *parameter, const bool *claims) {
  const hlo_shape *from = random_layout(p, p->root->shape), *to = random_layout(p, parameter);
  int64_t from_size = hlo_shape_memory_elements(from), to_size = hlo_shape_memory_elements(to);
  if (d->results == 0 || d->elements == 0) return;
  const hlo_shape *from_memory = make_shape(p, HLO_U64, 1, &from_size);
  const hlo_shape *to_memory = make_shape(p, HLO_U64, 1, &to_size);
  bool *marks = calloc((size_t)(from_size * to_size), sizeof *marks);
  for (int32_t i = 0; i < set->count; i++) {
    hlo_indexing physical;
    require_ok(p, hlo_indexing_physical(analysis, &set->items[i], from, to, &physical, &p->error));
    hlo_indexing_set one = {.count = 1, .items = &physical};
    if (physical.map->known_empty) continue;
    mark_all(hlo_indexing_context(analysis), &one, run, from_memory, to_memory, marks, to_size, 1);
  }
  int64_t wrong = 0, from_index[HLO_MAX_RANK], to_index[HLO_MAX_RANK];
  for (int64_t i = 0; i < from_size; i++)
    for (int64_t k = 0; k < to_size; k++) {
      bool both = hlo_multi_index(from, i, from_index) && hlo_multi_index(to, k, to_index);
      bool claimed = both && claims[hlo_linear_index(p->root->shape, from_index) * d->elements +
                                    hlo_linear_index(parameter, to_index)];
      wrong += marks[i * to_size + k] != claimed;
    }
  if (wrong > 0) describe(p, set);
  CHECK_MESSAGE(wrong == 0, "physical maps differ in %lld pairs of positions", (long long)wrong);
  free(marks);
}

static void check_both_ways(program *p, hlo_indexing_analysis *analysis,
                            const hlo_instruction *parameter) {
  hlo_error error = {0};
  const hlo_indexing_table *back, *forth;
  if (parameter->shape->type != HLO_U64) return;
  CHECK(hlo_indexing_from(analysis, p->root, 0, &back, &error) == HLO_OK);
  CHECK(hlo_indexing_to(analysis, parameter, 0, &forth, &error) == HLO_OK);
  const hlo_indexing_set *to_input = hlo_indexing_get(back, parameter, 0);
  const hlo_indexing_set *to_output = hlo_indexing_get(forth, p->root, 0);
  CHECK(!to_input->is_unknown && !to_output->is_unknown);
  uint64_t state = random_state; // the same indices for the maps as for the evaluator
  dependence d = find_dependence(p, parameter);
  uint64_t after = random_state;
  program_run run;
  random_state = state;
  start_run(p, &run);
  random_state = after;
  run_program(p, &run);
  bool *claims = calloc((size_t)(d.results * d.elements) + 1, sizeof *claims);
  mark_all(hlo_indexing_context(analysis), to_input, &run, p->root->shape, parameter->shape, claims,
           d.elements, 1);
  compare(p, to_input, &d, claims, "output to input", !p->has_update);
  check_physical(p, analysis, &run, to_input, &d, parameter->shape, claims);
  memset(claims, 0, (size_t)(d.results * d.elements));
  mark_all(hlo_indexing_context(analysis), to_output, &run, parameter->shape, p->root->shape,
           claims, 1, d.elements);
  compare(p, to_output, &d, claims, "input to output", !p->has_update);
  free(claims);
  free(d.reads);
  end_run(&run);
}

// A fusion of the computation has the maps that the computation has.
static void check_fusion(program *p, hlo_indexing_analysis *analysis) {
  hlo_error error = {0};
  const hlo_indexing_table *table;
  const hlo_indexing_set *sets;
  CHECK(hlo_indexing_output_to_input(analysis, p->fusion, 0, &sets, &error) == HLO_OK);
  CHECK(hlo_indexing_from(analysis, p->root, 0, &table, &error) == HLO_OK);
  for (int32_t k = 0; k < p->body->parameter_count; k++) {
    hlo_string a = {0}, b = {0};
    hlo_indexing_set_print(&a, &sets[k]);
    hlo_indexing_set_print(&b, hlo_indexing_get(table, p->body->parameters[k], 0));
    CHECK(strcmp(a.text, b.text) == 0);
    hlo_string_free(&a);
    hlo_string_free(&b);
  }
}

static void check_program(void) {
  program p = make_program();
  hlo_arena arena = {0};
  hlo_indexing_analysis *analysis;
  int failures = check_failures;
  CHECK(hlo_indexing_analysis_create(&arena, &analysis, &p.error) == HLO_OK);
  for (int32_t k = 0; k < p.body->parameter_count; k++)
    check_both_ways(&p, analysis, p.body->parameters[k]);
  check_fusion(&p, analysis);
  if (check_failures > failures) print_program(&p);
  hlo_arena_free(&arena);
  hlo_module_destroy(p.module);
}

int main(void) {
  for_each_seed(__FILE__, PROGRAMS, check_program);
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
