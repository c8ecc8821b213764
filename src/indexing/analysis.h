// The state of an analysis: memoised read maps of computations. For rules.c and computation.c.
#ifndef HLO_INDEXING_ANALYSIS_H
#define HLO_INDEXING_ANALYSIS_H

#include "indexing/rules/rules.h"

// A table that was made before, for the next call of the same computation.
typedef struct known_table {
  struct known_table *next;
  const hlo_instruction *x;
  int32_t leaf;
  bool forwards;
  const hlo_indexing_table *table;
} known_table;

struct hlo_indexing_analysis {
  hlo_arena *arena;
  hlo_affine_context *context;
  known_table *known;
};

#endif
