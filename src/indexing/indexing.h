// Which elements of one array an element of another is computed from, or goes into: for one
// instruction, through fusions and calls, and from any instruction of a computation to any other.
// Source: "Indexing analysis" and "Operation Semantics" of XLA's documentation.
#ifndef HLO_INDEXING_INDEXING_H
#define HLO_INDEXING_INDEXING_H

#include "hlo/hlo.h"
#include "indexing/maps/map.h"

// Where a runtime variable's value comes from: the element of producer's result at `position`,
// brought into `clamp` as XLA does with start indices. A value that the map's own range for the
// variable excludes means that the map does not apply.
typedef struct hlo_indexing_runtime {
  const hlo_instruction *producer;
  int32_t leaf; // of a tuple's flattened leaves; 0 of an array
  int32_t rank;
  const hlo_affine *const *position; // rank expressions over the variables of the map
  hlo_interval clamp;
} hlo_indexing_runtime;

// One way of reading (or being read).
typedef struct hlo_indexing {
  const hlo_map *map;
  const hlo_indexing_runtime *runtimes; // one for each runtime variable of the map
} hlo_indexing;

// All ways: distinct, in the order of hlo_map_compare. Unknown: nothing can be said (then count is
// 0). No items and not unknown: never read. The union of the maps' images covers what is read, and
// is exactly that, but for the operand of a dynamic-update-slice, the start value of a pad, and
// reads whose value cannot matter.
typedef struct hlo_indexing_set {
  bool is_unknown;
  int32_t count, capacity;
  hlo_indexing *items;
} hlo_indexing_set;

// Holds the context of all expressions, and what was found out about whole computations.
typedef struct hlo_indexing_analysis hlo_indexing_analysis;
// Lives in the arena, and so does all that it gives out. The modules analysed must not change.
hlo_status hlo_indexing_analysis_create(hlo_arena *arena, hlo_indexing_analysis **out,
                                        hlo_error *error);
hlo_affine_context *hlo_indexing_context(const hlo_indexing_analysis *analysis);

// Tuples count as their leaves (hlo_shape_leaf_count). Number of leaves of all operands together;
// those of operand k start at hlo_indexing_operand_start(x, k).
int32_t hlo_indexing_operand_leaves(const hlo_instruction *x);
int32_t hlo_indexing_operand_start(const hlo_instruction *x, int32_t operand);

// Maps from leaf `leaf` of x's result to every operand leaf: *out is an array of
// hlo_indexing_operand_leaves(x) sets. Of one op the map has a variable for every dimension, as the
// documentation shows it; through fusions and calls it is simplified.
hlo_status hlo_indexing_output_to_input(hlo_indexing_analysis *analysis, const hlo_instruction *x,
                                        int32_t leaf, const hlo_indexing_set **out,
                                        hlo_error *error);
// Maps from operand leaf `leaf` (counted over all operands) to every leaf of x's result.
hlo_status hlo_indexing_input_to_output(hlo_indexing_analysis *analysis, const hlo_instruction *x,
                                        int32_t leaf, const hlo_indexing_set **out,
                                        hlo_error *error);

// Sets for the leaves of instructions of a computation; of those that are not reached, empty ones.
typedef struct hlo_indexing_table hlo_indexing_table;
const hlo_indexing_set *hlo_indexing_get(const hlo_indexing_table *table, const hlo_instruction *x,
                                         int32_t leaf);
// From leaf `leaf` of x back to all that it is computed from (x itself: the identity). Shared
// subexpressions are walked once, with their maps merged.
hlo_status hlo_indexing_from(hlo_indexing_analysis *analysis, const hlo_instruction *x,
                             int32_t leaf, const hlo_indexing_table **out, hlo_error *error);
// From leaf `leaf` of x on to all that is computed from it.
hlo_status hlo_indexing_to(hlo_indexing_analysis *analysis, const hlo_instruction *x, int32_t leaf,
                           const hlo_indexing_table **out, hlo_error *error);

// The same map between positions in memory, in elements: from a position in an array of from_shape
// to positions in one of to_shape, under their layouts with padding. Positions in the padding are
// outside of the domain.
hlo_status hlo_indexing_physical(hlo_indexing_analysis *analysis, const hlo_indexing *logical,
                                 const hlo_shape *from_shape, const hlo_shape *to_shape,
                                 hlo_indexing *out, hlo_error *error);

// --- text (text.c) ---
// The maps of a set, one below the other; "unknown indexing"; "KNOWN EMPTY" when it is never read.
void hlo_indexing_set_print(hlo_string *out, const hlo_indexing_set *set);

// --- questions about a module (answer.c) ---
typedef struct hlo_indexing_options {
  const char *computation; // by name; NULL: the entry (or else the last computation)
  const char *instruction; // by name; NULL: the root
  // From the instruction through its computation to another one; NULL: to its operands.
  const char *target;
  bool to_parameters;    // instead of a target: to all parameters of the computation
  bool to_all;           // or to all instructions that the result is computed from
  bool input_to_output;  // the other way: from operand leaf `input` of the instruction to its
                         // result; with target, from the instruction on to the target; with
                         // to_all, from the instruction on to all computed from it; with
                         // to_parameters, from parameter `input` to the instruction
  int32_t input, output; // leaves; output: of the instruction's result, -1 for each one
  bool physical;
} hlo_indexing_options;

// Maps from leaf from_leaf of one instruction to leaf to_leaf of another.
typedef struct hlo_indexing_entry {
  const hlo_instruction *from, *to;
  int32_t from_leaf, to_leaf;
  int32_t number;    // of what is mapped to: among operand leaves, or leaves of the result
  bool is_to_output; // the other way, or to a target
  bool is_by_name;   // to_all: `to` is one of many
  const hlo_shape *from_shape, *to_shape; // of the leaves; physical: of their memory, f32[12] say
  const hlo_indexing_set *set;
} hlo_indexing_entry;

typedef struct hlo_indexing_answer {
  const hlo_computation *computation;
  const hlo_instruction *instruction;
  int32_t count;
  hlo_indexing_entry *entries;
} hlo_indexing_answer;
// By name; NULL: the entry, or else the last computation.
hlo_status hlo_indexing_select_computation(const hlo_module *module, const char *name,
                                           const hlo_computation **out, hlo_error *error);
// Fails with HLO_INVALID_ARGUMENT for names and numbers that do not exist. options may be NULL: the
// operands of the entry's root. Lives in the analysis' arena.
hlo_status hlo_indexing_answer_query(hlo_indexing_analysis *analysis, const hlo_module *module,
                                     const hlo_indexing_options *options, hlo_indexing_answer *out,
                                     hlo_error *error);
// The elements that the entry's maps give for one element of what they lead from: row-major
// positions in to_shape, at most `limit` of them, one for each assignment of range and runtime
// variables, so that some may come twice. Runtime variables take every value of their ranges.
// *is_complete is false when there are more than that, or too many assignments to try. An index
// outside of from_shape has none; an unknown indexing has none and is not complete.
// Example: maps (d0)[s0] -> (d0 * 4 + s0), s0 in [0, 3], and index 2 give 8, 9, 10, 11.
hlo_status hlo_indexing_elements(const hlo_indexing_entry *entry, const int64_t *index,
                                 int64_t limit, int64_t *elements, int64_t *count,
                                 bool *is_complete, hlo_error *error);

// Prints "operand id = 0\n", the maps, "operand id = 1\n", …; of tuples "output id = 0\n" before;
// of named instructions "p0:\n" instead. One line that says so when there is nothing to map to.
void hlo_indexing_answer_print(hlo_string *out, const hlo_indexing_answer *answer);
// Asks and prints.
hlo_status hlo_indexing_print_module(hlo_string *out, const hlo_module *module,
                                     const hlo_indexing_options *options, hlo_error *error);

#endif
