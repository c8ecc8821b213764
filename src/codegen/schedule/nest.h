// The loops of a kernel in the order in which they run.
#ifndef HLO_CODEGEN_SCHEDULE_NEST_H
#define HLO_CODEGEN_SCHEDULE_NEST_H

#include "codegen/lower/emitter.h"

typedef enum hlo_nest_kind {
  HLO_NEST_MAP,    // no reductions: rows, in each the inner loop
  HLO_NEST_ROW,    // rows of results; the inner loop, and those around it in each row, are reduced
  HLO_NEST_COLUMN, // the inner loop is over results, those around it in each row are reduced
} hlo_nest_kind;

// Factors of accesses are those of the kept loops, then of the outer ones, then of the inner one.
typedef struct hlo_nest {
  hlo_nest_kind kind;
  int32_t kept, outer;
  int64_t sizes[HLO_EMIT_MAX_LOOPS + 1];
  int64_t rows, reduced, inner; // steps of all kept, of all reduced loops, of the inner one
} hlo_nest;

// Orders the loops by how they walk through memory, joins neighbours that do so as one, and
// rewrites all accesses.
void hlo_nest_build(hlo_emitter *e, hlo_nest *nest);
// What is read of the fusion's operand, when rows are called for in parts.
hlo_emit_read hlo_nest_read(const hlo_emitter *e, const hlo_nest *nest, int32_t operand);
static inline int32_t hlo_nest_inner(const hlo_nest *nest) { return nest->kept + nest->outer; }

#endif
