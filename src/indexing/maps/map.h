// Indexing maps: which indices of one array belong to an index of another, as affine expressions
// over variables with ranges, under constraints.
//   (d0, d1)[s0]{rt0} -> (d0 + rt0, s0)   d: the index mapped from; s: every value in its range;
//                                         rt: one value in its range, known at run time
// Source: "Indexing analysis" of XLA's documentation.
#ifndef HLO_INDEXING_MAPS_MAP_H
#define HLO_INDEXING_MAPS_MAP_H

#include "indexing/maps/affine.h"
#include "indexing/maps/interval.h"

typedef struct hlo_map_variable {
  hlo_interval range; // unbounded when the text says nothing
  const char *name;   // NULL: the default one, d0, s0, rt0
  bool is_gate;       // of a runtime variable: its range has shrunk, so that its value decides
                      // whether the map applies (only under HLO_SIMPLIFY_KEEP_GATES)
} hlo_map_variable;

typedef struct hlo_map_constraint {
  const hlo_affine *expression;
  hlo_interval range;
} hlo_map_constraint;

// Immutable, in the arena of a context. Variables by hlo_affine_kind.
typedef struct hlo_map {
  int32_t variable_count[HLO_AFFINE_VARIABLE_KINDS];
  const hlo_map_variable *variables[HLO_AFFINE_VARIABLE_KINDS];
  int32_t result_count;
  const hlo_affine *const *results;
  int32_t constraint_count;
  const hlo_map_constraint *constraints;
  bool known_empty; // nothing satisfies the ranges and constraints: maps no index at all
} hlo_map;

// Copies what the fields point to, and finds empty ranges. Fails as hlo_affine_status does when
// making the expressions did.
hlo_status hlo_map_create(hlo_affine_context *context, const hlo_map *fields, const hlo_map **out,
                          hlo_error *error);
// (d0, …, dn-1) -> (d0, …, dn-1) over an array of these sizes.
hlo_status hlo_map_identity(hlo_affine_context *context, int32_t rank, const int64_t *dims,
                            const hlo_map **out, hlo_error *error);
// First `first`, then `second`, whose dims are the results of `first`. Ranges and runtime variables
// of second come first, then those of first. Not simplified. HLO_INVALID_ARGUMENT when they do not
// fit together.
hlo_status hlo_map_compose(hlo_affine_context *context, const hlo_map *first, const hlo_map *second,
                           const hlo_map **out, hlo_error *error);
// The same variables with the same ranges, the same results, the same constraints in any order.
// Both from one context. Says nothing about maps that are equal but written differently:
// simplified maps rarely are.
bool hlo_map_equal(const hlo_map *a, const hlo_map *b);
// A total order: empty maps last, more variables first, then by expressions and ranges.
int hlo_map_compare(const hlo_map *a, const hlo_map *b);

// Is this assignment in the domain, ranges and constraints? HLO_RUNTIME_ERROR on overflow.
hlo_status hlo_map_holds(const hlo_map *map, const hlo_affine_values *values, bool *out,
                         hlo_error *error);
// results: map->result_count values, whether or not the assignment is in the domain.
hlo_status hlo_map_evaluate(const hlo_map *map, const hlo_affine_values *values, int64_t *results,
                            hlo_error *error);

// --- points (points.c) ---
// Is called with an assignment in the domain and the results that it gives; false ends the walk.
typedef bool hlo_map_visit(void *host, const hlo_affine_values *values, const int64_t *results);
// Visits the points of a map in lexicographic order: dims first, then s, then rt. dims gives their
// values; NULL: all of their ranges. Assignments whose arithmetic overflows have no point. Each
// assignment tried is taken off *budget. *is_complete is false when that ran out, when visit
// returned false, or when a variable that was to be walked has no bound.
hlo_status hlo_map_each_point(const hlo_map *map, const int64_t *dims, int64_t *budget,
                              hlo_map_visit *visit, void *host, bool *is_complete,
                              hlo_error *error);

typedef enum hlo_map_relation {
  HLO_MAP_DIFFERENT,
  HLO_MAP_SAME,
  HLO_MAP_UNDECIDED, // domains without bounds, or too large to walk
} hlo_map_relation;
// Do both relate every index, with every runtime value, to the same set of results? However they
// are written: simplified forms are compared first, then points. Runtime variables correspond by
// number or, when the maps have not as many, by their order among those that are needed. Numbers of
// dims and results that differ make maps different. Both from this context.
hlo_status hlo_map_compare_relations(hlo_affine_context *context, const hlo_map *a,
                                     const hlo_map *b, hlo_map_relation *out, hlo_error *error);

// --- simplifying (simplify.c) ---
enum {
  // Dims with one value stay variables in the results instead of becoming that value, and d0 + rt0
  // stays so where rt0 has one value.
  HLO_SIMPLIFY_KEEP_POINTS = 1,
  // Runtime variables stay when ranges or constraints make their values decide whether the map
  // applies. Without this, the map of a variable that no result needs applies when any value would
  // do.
  HLO_SIMPLIFY_KEEP_GATES = 2,
};
// Where the variables of a simplified map come from: numbers in the map before.
typedef struct hlo_map_origins {
  const int32_t *of[HLO_AFFINE_VARIABLE_KINDS];
} hlo_map_origins;
// An equal map with expressions, ranges and constraints simplified as far as the ranges allow,
// s and rt that nothing depends on removed, s with a stride rescaled (s mod 6 in [0, 0] becomes
// s * 6). Simplifying again changes nothing. Never fails for arithmetic: what would overflow is
// left as it was. origins may be NULL.
hlo_status hlo_map_simplify(hlo_affine_context *context, const hlo_map *map, uint32_t flags,
                            const hlo_map **out, hlo_map_origins *origins, hlo_error *error);
// Two steps of it alone. Ranges and runtime variables that no result and no constraint on a needed
// variable depends on go; s with a constraint s mod n in [r, r] becomes s * n + r.
hlo_status hlo_map_remove_unused(hlo_affine_context *context, const hlo_map *map,
                                 const hlo_map **out, hlo_error *error);
hlo_status hlo_map_rescale(hlo_affine_context *context, const hlo_map *map, const hlo_map **out,
                           hlo_error *error);

// --- text (map_parse.c, map_print.c) ---
// Prints "(d0, d1)[s0]{rt0} -> (d0 + rt0, s0),\ndomain:\nd0 in [0, 9],\n…", constraints last in the
// order of their text, no newline at the end; or "KNOWN EMPTY".
void hlo_map_print(hlo_string *out, const hlo_map *map);
// The names of its variables for hlo_affine_print; NULL: the usual one.
hlo_status hlo_map_list_names(hlo_arena *arena, const hlo_map *map, hlo_affine_names *out,
                              hlo_error *error);
// Parses that, with any blanks; also `/` for floordiv, `100d0` for 100 * d0, variables of any name,
// commas left out between lines, no domain at all, and remarks that XLA prints: "is_simplified:
// true", runtime variables' producers ("hlo: … -> (…)", or lines as hlo_indexing_set_print writes
// them), which are passed over. A minus in front negates the whole product after it: -d0 floordiv
// 2 is -(d0 floordiv 2). HLO_PARSE_ERROR with line and column.
hlo_status hlo_map_parse(hlo_affine_context *context, const char *text, size_t length,
                         const hlo_map **out, hlo_error *error);
// The map where these constraints hold, too: lines of a domain, "d0 in [0, 3], d0 mod 2 in [0, 0]".
hlo_status hlo_map_restrict(hlo_affine_context *context, const hlo_map *map, const char *text,
                            size_t length, const hlo_map **out, hlo_error *error);
// Parses a map, simplifies and prints it: `hlo map`.
hlo_status hlo_map_simplify_text(hlo_string *out, const char *text, size_t length,
                                 hlo_error *error);

#endif
