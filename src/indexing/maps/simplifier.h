// The simplifier of maps. Method:
//
// Every expression is brought into one form. floordivs are split as far as ranges and divisibility
// allow (simplify_divide.c). In a sum every mod is first written as a difference,
// v mod b = v - b * (v floordiv b), so that whatever belongs together cancels as linear terms do;
// then differences that are left become mods again (simplify_sum.c). At the very end constants and
// signs are placed as one would write them (simplify_display.c). Constraints are solved for
// variables where possible, merged, and dropped where they say nothing (simplify_constraints.c).
#ifndef HLO_INDEXING_MAPS_SIMPLIFIER_H
#define HLO_INDEXING_MAPS_SIMPLIFIER_H

#include "indexing/maps/affine_sum.h"
#include "indexing/maps/map.h"

// For simplifier.ignored.
enum { IGNORE_NOTHING = -1, IGNORE_ALL_CONSTRAINTS = -2 };

typedef struct hlo_simplifier {
  hlo_affine_context *context;
  uint32_t flags;
  int32_t variable_count[HLO_AFFINE_VARIABLE_KINDS];
  hlo_map_variable *variables[HLO_AFFINE_VARIABLE_KINDS]; // ranges shrink as it goes on
  int32_t constraint_count;
  hlo_map_constraint *constraints;
  int32_t result_count;
  const hlo_affine **results;
  bool *is_used[HLO_AFFINE_VARIABLE_KINDS]; // by hlo_simplifier_drop_unused
  int32_t ignored;                          // a constraint that may not be relied on now
  bool known_empty;                         // found out
  bool narrows_variables; // constraints on sums and rests are passed on to their variables
  // What is known under the present ranges and constraints:
  hlo_affine_table simple;    // expression → simplified
  hlo_affine_table quotients; // FLOORDIV by a constant, as written → simplified
  hlo_affine_table finished;  // sum of simplified atoms → its final form
  hlo_affine_table expanded;  // the same → without mods
  hlo_affine_table interval;  // expression → its range
} hlo_simplifier;

// To be called after a range or a constraint changed: forgets what was derived from it.
void hlo_simplifier_forget(hlo_simplifier *s);
void hlo_simplifier_ignore(hlo_simplifier *s, int32_t constraint);

// --- ranges (simplify_ranges.c) ---
// All values that the expression takes lie in it.
hlo_interval hlo_simplifier_range(hlo_simplifier *s, const hlo_affine *a);
// The expression is known to lie in the interval: passes that on to variables. True if a variable's
// range shrank (it may be empty afterwards).
bool hlo_simplifier_narrow(hlo_simplifier *s, const hlo_affine *a, hlo_interval interval);
// v = sign * variable + constant, sign 1 or -1?
bool hlo_simplifier_is_shifted_variable(const hlo_affine *v, const hlo_affine **variable,
                                        int64_t *sign, int64_t *constant);

// --- expressions ---
const hlo_affine *hlo_simplifier_simplify(hlo_simplifier *s, const hlo_affine *a);
// a floordiv divisor for a simplified expression and a divisor of at least 1 (simplify_divide.c).
const hlo_affine *hlo_simplifier_divide(hlo_simplifier *s, const hlo_affine *a, int64_t divisor);
// The sum in its final form; its atoms are simplified (simplify_sum.c).
const hlo_affine *hlo_simplifier_finish(hlo_simplifier *s, const hlo_affine *sum);
// As one would write it (simplify_display.c).
const hlo_affine *hlo_simplifier_display(hlo_simplifier *s, const hlo_affine *a);

// --- constraints (simplify_constraints.c) ---
// One round over all constraints. True if something changed.
bool hlo_simplifier_solve_constraints(hlo_simplifier *s);

// --- variables (simplify_unused.c) ---
// Finds the range and runtime variables that nothing depends on, and removes constraints on these
// alone when something satisfies them; when nothing does, the map is known empty.
hlo_status hlo_simplifier_drop_unused(hlo_simplifier *s, hlo_error *error);
// Then removes the variables. Expressions are in the new numbers from here on.
hlo_status hlo_simplifier_renumber(hlo_simplifier *s, hlo_map_origins *origins, hlo_error *error);

#endif
