// The state of an analysis: memoised read maps of computations. For rules.c and computation.c.
#ifndef HLO_INDEXING_ANALYSIS_H
#define HLO_INDEXING_ANALYSIS_H

#include "indexing/leaf_map.h"
#include "indexing/rules/rules.h"

struct hlo_indexing_table {
  hlo_leaf_map sets; // hlo_indexing_set of leaves that are reached
};

struct hlo_indexing_analysis {
  hlo_arena *arena;
  hlo_affine_context *context;
  hlo_leaf_map known_from, known_to; // tables that were made before, by where they start
};

#endif
