// Helpers of the simplification rules: queries for constants, and builders of replacements.
#ifndef HLO_PASSES_SIMPLIFY_SIMPLIFY_H
#define HLO_PASSES_SIMPLIFY_SIMPLIFY_H

#include "hlo/hlo.h"
#include "shape/literal.h"

// Tries to simplify x, whose computation it may extend; *out: the replacement, unchanged if there
// is none.
typedef hlo_status hlo_simplify_rule(hlo_instruction *x, hlo_instruction **out, hlo_error *error);

// One rule per family, applied to the opcodes that simplify.c lists for it.
hlo_simplify_rule hlo_simplify_add, hlo_simplify_subtract, hlo_simplify_multiply,
    hlo_simplify_divide, hlo_simplify_power, hlo_simplify_extremum, hlo_simplify_logic,
    hlo_simplify_involution, hlo_simplify_shift, hlo_simplify_compare, hlo_simplify_select,
    hlo_simplify_convert, hlo_simplify_splat, hlo_simplify_ones;
hlo_simplify_rule hlo_simplify_reshape, hlo_simplify_bitcast, hlo_simplify_transpose,
    hlo_simplify_broadcast_op, hlo_simplify_reverse, hlo_simplify_slice, hlo_simplify_concatenate,
    hlo_simplify_pad, hlo_simplify_dynamic_slice, hlo_simplify_dynamic_update_slice;
hlo_simplify_rule hlo_simplify_get_tuple_element, hlo_simplify_tuple, hlo_simplify_conditional,
    hlo_simplify_while, hlo_simplify_reduce, hlo_simplify_copy, hlo_simplify_dot, hlo_simplify_iota;
hlo_simplify_rule hlo_simplify_gather, hlo_simplify_scatter, hlo_simplify_sort,
    hlo_simplify_reduce_window, hlo_simplify_padded_window;
// Additions, shifts and conversions that number elements become iotas.
hlo_simplify_rule hlo_simplify_sum_of_iotas, hlo_simplify_shift_of_iota,
    hlo_simplify_convert_of_iota;
// For dots in loops: those of a few elements become sums of products.
hlo_simplify_rule hlo_simplify_tiny_dot;

// True when the shape of x or of an operand has a dynamic dimension.
bool hlo_simplify_is_dynamic(const hlo_instruction *x);
// *out = y, or, where its layout is another one than x's, a copy of y laid out as x. Same type and
// dimensions.
hlo_status hlo_simplify_use(const hlo_instruction *x, hlo_instruction *y, hlo_instruction **out,
                            hlo_error *error);
// *out = an operation with x's position in the text. shape as for hlo_build.
hlo_status hlo_simplify_build(const hlo_instruction *x, hlo_opcode opcode, const hlo_shape *shape,
                              int32_t operand_count, hlo_instruction *const *operands,
                              int32_t attribute_count, const hlo_attribute *attributes,
                              hlo_instruction **out, hlo_error *error);
// The same with one attribute, a list of integers.
hlo_status hlo_simplify_build_with_ints(const hlo_instruction *x, hlo_opcode opcode,
                                        const hlo_shape *shape, int32_t operand_count,
                                        hlo_instruction *const *operands, hlo_attribute_id id,
                                        int32_t count, const int64_t *ints, hlo_instruction **out,
                                        hlo_error *error);
// *out = an array of those dimensions with each element's index along one of them.
hlo_status hlo_simplify_build_iota(const hlo_instruction *x, hlo_type type, const hlo_shape *dims,
                                   int64_t along, hlo_instruction **out, hlo_error *error);
// *out = the slice at index `at` along a dimension of an array, of size 1 there.
hlo_status hlo_simplify_slice_one(const hlo_instruction *x, hlo_instruction *array,
                                  int64_t dimension, int64_t at, hlo_instruction **out,
                                  hlo_error *error);
// Broadcasts a scalar to a shape, layout included.
hlo_status hlo_simplify_broadcast(hlo_instruction *scalar, const hlo_shape *shape,
                                  hlo_instruction **out, hlo_error *error);
// A constant of x's shape whose elements are all the integer (converted to x's type).
hlo_status hlo_simplify_integer(const hlo_instruction *x, int64_t value, hlo_instruction **out,
                                hlo_error *error);
// An array's sum over some dimensions; shape is the result's.
hlo_status hlo_simplify_sum(const hlo_instruction *x, hlo_instruction *array,
                            const hlo_shape *shape, int32_t count, const int64_t *dimensions,
                            hlo_instruction **out, hlo_error *error);
// The value that all elements share, as far as it is evident: scalar constants, small constant
// arrays, and broadcasts of those.
bool hlo_simplify_splat_value(const hlo_instruction *x, hlo_number *out);
// The binary operation that a reducer of two scalars is, straight or swapped; HLO_OP_COUNT: none.
hlo_opcode hlo_simplify_applied_op(const hlo_computation *reducer, bool *swapped);
// All elements are this integer (bits of -0 and +0 differ: 0 means +0). Not for complex numbers.
bool hlo_simplify_is_integer(const hlo_instruction *x, int64_t value);

#endif
