// How instructions of a fusion read each other, from their indexing maps. For groups.c.
#ifndef HLO_PASSES_FUSE_READS_H
#define HLO_PASSES_FUSE_READS_H

#include "indexing/uses.h"

// How often code that goes through user's result computes an element of `operand`, on
// average, rounded up: 1 for a transpose, 30 for f32[20] broadcast along the first dimension of
// f32[30,20]. By rows, an element that stays the same along the last dimensions is computed once
// for all of them: for *row elements of the result.
hlo_status hlo_fuse_count_reads(hlo_indexing_analysis *analysis, const hlo_instruction *user,
                                const hlo_instruction *operand, bool by_rows, int64_t *out,
                                int64_t *row, hlo_error *error);

// Do the rows of the result lie in the operand's memory in steps of at most one element, or
// forwards of at most `most`?
hlo_status hlo_fuse_reads_rows(hlo_indexing_analysis *analysis, const hlo_instruction *user,
                               int32_t operand, int64_t most, bool *out, hlo_error *error);

// How many elements of the operand one element of the result needs: a row, for a reduction of rows.
// INT64_MAX: unknown.
hlo_status hlo_fuse_count_tile(hlo_indexing_analysis *analysis, const hlo_instruction *user,
                               int32_t operand, int64_t *out, hlo_error *error);

#endif
