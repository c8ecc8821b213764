// Decompositions of small operations into elementwise ones, and their builders.
#ifndef HLO_PASSES_LOOPS_TINY_STEPS_H
#define HLO_PASSES_LOOPS_TINY_STEPS_H

#include "passes/simplify/simplify.h"

// tiny_scatter.c, tiny_sort.c, tiny_convolution.c, tiny_cumulative.c, tiny_triangular.c and
// tiny_lu.c. Larger operations are left alone.
hlo_simplify_rule hlo_tiny_scatter, hlo_tiny_sort, hlo_tiny_convolution, hlo_tiny_cumulative,
    hlo_tiny_triangular, hlo_tiny_lu;

// --- instructions appended with x's source position (tiny_parts.c) ---
// An array broadcast to those dimensions.
hlo_status hlo_tiny_broadcast(const hlo_instruction *x, hlo_instruction *array,
                              const hlo_shape *dims, const int64_t *places, hlo_instruction **out,
                              hlo_error *error);
hlo_status hlo_tiny_binary(const hlo_instruction *x, hlo_opcode opcode, hlo_instruction *a,
                           hlo_instruction *b, hlo_instruction **out, hlo_error *error);
hlo_status hlo_tiny_select(const hlo_instruction *x, hlo_instruction *condition,
                           hlo_instruction *yes, hlo_instruction *no, hlo_instruction **out,
                           hlo_error *error);
hlo_status hlo_tiny_compare(const hlo_instruction *x, const char *direction, hlo_instruction *a,
                            hlo_instruction *b, hlo_instruction **out, hlo_error *error);

// A slice of an array, and for each of its dimensions the one of the result that it maps to, or
// HLO_NOWHERE where the slice has one element.
enum { HLO_NOWHERE = -1 };
typedef struct hlo_tiny_slice {
  int64_t slice[3 * HLO_MAX_RANK]; // start, limit, stride
  int64_t places[HLO_MAX_RANK];
} hlo_tiny_slice;
// The whole array, with no dimension mapped yet.
hlo_tiny_slice hlo_tiny_whole(const hlo_instruction *array);
void hlo_tiny_slice_one(hlo_tiny_slice *part, int32_t dimension, int64_t at);
// The slice broadcast to those dimensions.
hlo_status hlo_tiny_broadcast_slice(const hlo_instruction *x, hlo_instruction *array,
                                    const hlo_tiny_slice *part, const hlo_shape *dims,
                                    hlo_instruction **out, hlo_error *error);

#endif
