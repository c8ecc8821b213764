// Writes indexing maps as JSON.
#ifndef HLO_API_MAP_JSON_H
#define HLO_API_MAP_JSON_H

#include "base/string.h"
#include "indexing/indexing.h"

void hlo_json_open(hlo_string *out);                  // an object in a list
void hlo_json_list(hlo_string *out, const char *key); // a list as a field
// names may be NULL, as for hlo_affine_print.
void hlo_json_expression(hlo_string *out, const hlo_affine *a, const hlo_affine_names *names);
void hlo_json_expressions(hlo_string *out, const char *key, int32_t count,
                          const hlo_affine *const *expressions, const hlo_affine_names *names);
// [{"expression", "lower", "upper"}] as a field.
void hlo_json_constraints(hlo_string *out, const hlo_map *map, const hlo_affine_names *names);
// {"text", "dimensions": [{"name", "lower", "upper"}], "ranges", "runtime", "results",
// "constraints": [{"expression", "lower", "upper"}], "empty"}. Where runtimes is not NULL, runtime
// variables have "producer", "output" and "position", too.
void hlo_json_map(hlo_string *out, const hlo_map *map, const hlo_indexing_runtime *runtimes);

#endif
