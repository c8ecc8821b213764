// Elementwise functions over dense lanes, and how views become dense lanes. The common form of
// pointwise rows, comparisons, conversions and the like, which hlo_evaluate runs over arrays and
// hlo_apply inside of scalar computations.
#ifndef HLO_KERNELS_ELEMENTWISE_LANES_H
#define HLO_KERNELS_ELEMENTWISE_LANES_H

#include "kernels/eval.h"

typedef struct hlo_lane_op hlo_lane_op;
// Computes n lanes: result[i] from operands[…][i]. The result may be one of the operands when
// their elements have the same size.
typedef void hlo_lane_function(const hlo_lane_op *op, void *result, const void *const *operands,
                               int64_t n);

// The lane function of an elementwise instruction. run reads the members that its family sets.
struct hlo_lane_op {
  hlo_lane_function *run;
  hlo_pointwise_kernel *kernel;         // pointwise: the row's; compare, select; clamp: maximum
  hlo_pointwise_kernel *second;         // clamp: minimum
  bool swapped;                         // compare: right against left
  hlo_type from, to;                    // element types of the first operand and of the result
  int32_t exponent_bits, mantissa_bits; // reduce-precision
};

// Fills *out for an instruction that hlo_op_is_elementwise, map aside. False if it is none, or its
// types have no kernel.
bool hlo_lane_op_match(const hlo_instruction *instruction, hlo_lane_op *out);
// The same with HLO_UNSUPPORTED, naming the instruction, instead of false.
hlo_status hlo_lane_op_require(const hlo_instruction *instruction, hlo_lane_op *out,
                               hlo_error *error);

// One family each; false when the types have no kernel.
typedef bool hlo_lane_op_matcher(const hlo_instruction *instruction, hlo_lane_op *out);
hlo_lane_op_matcher hlo_lane_op_pointwise, hlo_lane_op_compare, hlo_lane_op_convert,
    hlo_lane_op_select, hlo_lane_op_clamp, hlo_lane_op_reduce_precision, hlo_lane_op_copy,
    hlo_lane_op_stochastic_convert;

// Conversion between any two element types, as Convert does it.
void hlo_convert_lanes(hlo_type to, void *result, hlo_type from, const void *operand, int64_t n);

// The same between views of the same dims.
hlo_status hlo_convert_view(const hlo_evaluator *evaluator, const hlo_view *to,
                            const hlo_view *from, hlo_error *error);

// Calls function for all elements of views with the same dims, block by block: results[i] depends
// on operands[…][i] alone. Views may have any strides; those of rank 0 stand for the same element
// everywhere. A result may be an operand if the views are identical.
typedef hlo_status hlo_block_function(void *context, void *result, const void *const *operands,
                                      int64_t n, hlo_error *error);
hlo_status hlo_run_over_views(const hlo_evaluator *evaluator, hlo_block_function *function,
                              void *context, int32_t operand_count, const hlo_view *operands,
                              const hlo_view *result, hlo_error *error);

#endif
