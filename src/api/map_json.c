// Indexing maps as JSON. See map_json.h.
#include "api/map_json.h"

#include "api/json.h"

void hlo_json_open(hlo_string *out) {
  hlo_json_comma(out);
  hlo_string_add_char(out, '{');
}

void hlo_json_list(hlo_string *out, const char *key) {
  hlo_json_key(out, key);
  hlo_string_add_char(out, '[');
}

static void add_range(hlo_string *out, hlo_interval range) {
  hlo_json_field_int(out, "lower", range.lower);
  hlo_json_field_int(out, "upper", range.upper);
}

void hlo_json_expression(hlo_string *out, const hlo_affine *a, const hlo_affine_names *names) {
  hlo_string text = {0};
  hlo_affine_print(&text, a, names);
  hlo_json_text(out, text.failed ? "" : text.text);
  hlo_string_free(&text);
}

void hlo_json_expressions(hlo_string *out, const char *key, int32_t count,
                          const hlo_affine *const *expressions, const hlo_affine_names *names) {
  hlo_json_list(out, key);
  for (int32_t i = 0; i < count; i++) {
    hlo_json_comma(out);
    hlo_json_expression(out, expressions[i], names);
  }
  hlo_string_add_char(out, ']');
}

static void add_name(hlo_string *out, const hlo_map_variable *variable, hlo_affine_kind kind,
                     int32_t index) {
  hlo_string name = {0};
  if (variable->name != NULL) hlo_string_add(&name, variable->name);
  else hlo_affine_print_variable(&name, kind, index, NULL);
  hlo_json_field_text(out, "name", name.failed ? "" : name.text);
  hlo_string_free(&name);
}

static void add_variables(hlo_string *out, const char *key, const hlo_map *map,
                          hlo_affine_kind kind, const hlo_indexing_runtime *runtimes) {
  hlo_json_list(out, key);
  for (int32_t i = 0; i < map->variable_count[kind]; i++) {
    hlo_json_open(out);
    add_name(out, &map->variables[kind][i], kind, i);
    add_range(out, map->variables[kind][i].range);
    if (runtimes != NULL) {
      hlo_json_field_text(out, "producer", runtimes[i].producer->name);
      hlo_json_field_int(out, "output", runtimes[i].leaf);
      hlo_json_expressions(out, "position", runtimes[i].rank, runtimes[i].position, NULL);
    }
    hlo_string_add_char(out, '}');
  }
  hlo_string_add_char(out, ']');
}

void hlo_json_constraints(hlo_string *out, const hlo_map *map, const hlo_affine_names *names) {
  hlo_json_list(out, "constraints");
  for (int32_t i = 0; i < map->constraint_count; i++) {
    hlo_json_open(out);
    hlo_json_key(out, "expression");
    hlo_json_expression(out, map->constraints[i].expression, names);
    add_range(out, map->constraints[i].range);
    hlo_string_add_char(out, '}');
  }
  hlo_string_add_char(out, ']');
}

static void add_map(hlo_string *out, const hlo_map *map, const hlo_indexing_runtime *runtimes,
                    const hlo_affine_names *names) {
  hlo_string text = {0};
  hlo_map_print(&text, map);
  hlo_json_open(out);
  hlo_json_field_text(out, "text", text.failed ? "" : text.text);
  hlo_string_free(&text);
  add_variables(out, "dimensions", map, HLO_AFFINE_DIM, NULL);
  add_variables(out, "ranges", map, HLO_AFFINE_RANGE, NULL);
  add_variables(out, "runtime", map, HLO_AFFINE_RUNTIME, runtimes);
  hlo_json_expressions(out, "results", map->result_count, map->results, names);
  hlo_json_constraints(out, map, names);
  hlo_json_field_bool(out, "empty", map->known_empty);
  hlo_string_add_char(out, '}');
}

void hlo_json_map(hlo_string *out, const hlo_map *map, const hlo_indexing_runtime *runtimes) {
  hlo_arena arena = {0};
  hlo_affine_names names;
  hlo_error error = {0};
  if (hlo_map_list_names(&arena, map, &names, &error) == HLO_OK)
    add_map(out, map, runtimes, &names);
  else out->failed = true;
  hlo_arena_free(&arena);
}
