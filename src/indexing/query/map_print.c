// The text of maps. See map.h.
#include "indexing/maps/map.h"

#include <string.h>

static const char *name_of(const hlo_map *map, int kind, int32_t i) {
  return map->variables[kind][i].name;
}

static void print_variable(hlo_string *out, const hlo_map *map, int kind, int32_t i) {
  if (name_of(map, kind, i) != NULL) hlo_string_add(out, name_of(map, kind, i));
  else hlo_affine_print_variable(out, (hlo_affine_kind)kind, i, NULL);
}

static void print_variables(hlo_string *out, const hlo_map *map, int kind, char open, char close) {
  if (kind != HLO_AFFINE_DIM && map->variable_count[kind] == 0) return;
  hlo_string_add_char(out, open);
  for (int32_t i = 0; i < map->variable_count[kind]; i++) {
    if (i > 0) hlo_string_add(out, ", ");
    print_variable(out, map, kind, i);
  }
  hlo_string_add_char(out, close);
}

static void print_range(hlo_string *out, hlo_interval range) {
  hlo_string_add(out, " in [");
  hlo_string_add_int(out, range.lower);
  hlo_string_add(out, ", ");
  hlo_string_add_int(out, range.upper);
  hlo_string_add_char(out, ']');
}

// Before every line of the domain: ends the one before.
static void start_line(hlo_string *out, bool *is_first) {
  hlo_string_add(out, *is_first ? ",\ndomain:\n" : ",\n");
  *is_first = false;
}

// A constraint's line, zero-terminated in the arena; NULL when memory is out.
static const char *constraint_text(hlo_arena *arena, const hlo_map_constraint *constraint,
                                   const hlo_affine_names *names) {
  hlo_string text = {0};
  hlo_affine_print(&text, constraint->expression, names);
  print_range(&text, constraint->range);
  const char *copy = text.failed ? NULL : hlo_arena_copy_text(arena, text.text, text.length);
  hlo_string_free(&text);
  return copy;
}

static void print_constraints(hlo_string *out, const hlo_map *map, const hlo_affine_names *names,
                              hlo_arena *arena, bool *is_first) {
  const char **texts = hlo_arena_array(arena, (size_t)map->constraint_count, sizeof *texts);
  if (texts == NULL) out->failed = true;
  for (int32_t i = 0; i < map->constraint_count && !out->failed; i++) {
    const char *text = constraint_text(arena, &map->constraints[i], names);
    if (text == NULL) out->failed = true;
    int32_t j = i;
    for (; j > 0 && !out->failed && strcmp(text, texts[j - 1]) < 0; j--) texts[j] = texts[j - 1];
    texts[j] = text;
  }
  for (int32_t i = 0; i < map->constraint_count && !out->failed; i++) {
    start_line(out, is_first);
    hlo_string_add(out, texts[i]);
  }
}

static void print_results(hlo_string *out, const hlo_map *map, const hlo_affine_names *names) {
  hlo_string_add(out, " -> (");
  for (int32_t i = 0; i < map->result_count; i++) {
    if (i > 0) hlo_string_add(out, ", ");
    hlo_affine_print(out, map->results[i], names);
  }
  hlo_string_add_char(out, ')');
}

static void print_named(hlo_string *out, const hlo_map *map, const hlo_affine_names *names,
                        hlo_arena *arena) {
  print_variables(out, map, HLO_AFFINE_DIM, '(', ')');
  print_variables(out, map, HLO_AFFINE_RANGE, '[', ']');
  print_variables(out, map, HLO_AFFINE_RUNTIME, '{', '}');
  print_results(out, map, names);
  bool is_first = true;
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    for (int32_t i = 0; i < map->variable_count[kind]; i++) {
      if (hlo_interval_is_unbounded(map->variables[kind][i].range)) continue;
      start_line(out, &is_first);
      print_variable(out, map, kind, i);
      print_range(out, map->variables[kind][i].range);
    }
  }
  print_constraints(out, map, names, arena, &is_first);
}

hlo_status hlo_map_list_names(hlo_arena *arena, const hlo_map *map, hlo_affine_names *out,
                              hlo_error *error) {
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    const char **names;
    HLO_ALLOC(names, arena, map->variable_count[kind], error);
    for (int32_t i = 0; i < map->variable_count[kind]; i++) names[i] = name_of(map, kind, i);
    out->names[kind] = names;
  }
  return HLO_OK;
}

void hlo_map_print(hlo_string *out, const hlo_map *map) {
  if (map->known_empty) {
    hlo_string_add(out, "KNOWN EMPTY");
    return;
  }
  hlo_arena arena = {0};
  hlo_affine_names names;
  hlo_error error = {0};
  if (hlo_map_list_names(&arena, map, &names, &error) == HLO_OK)
    print_named(out, map, &names, &arena);
  else out->failed = true;
  hlo_arena_free(&arena);
}
