// THE list of indexing rules, by op. An op without a row has unknown indexing, unless it is
// elementwise or takes no operands. See rules.h.
#include "indexing/analysis.h"

typedef struct rule_row {
  indexing_rule *to_operands, *to_results;
} rule_row;

static const rule_row rules[HLO_OP_COUNT] = {
    [HLO_OP_BROADCAST] = {hlo_broadcast_to_operands, hlo_broadcast_to_results},
    [HLO_OP_TRANSPOSE] = {hlo_transpose_to_operands, hlo_transpose_to_results},
    [HLO_OP_REVERSE] = {hlo_reverse_either_way, hlo_reverse_either_way},
    [HLO_OP_SLICE] = {hlo_slice_to_operands, hlo_slice_to_results},
    [HLO_OP_PAD] = {hlo_pad_to_operands, hlo_pad_to_results},
    [HLO_OP_CONCATENATE] = {hlo_concatenate_to_operands, hlo_concatenate_to_results},
    [HLO_OP_RESHAPE] = {hlo_reshape_to_operands, hlo_reshape_to_results},
    [HLO_OP_BITCAST] = {hlo_bitcast_to_operands, hlo_bitcast_to_results},
    [HLO_OP_BITCAST_CONVERT] = {hlo_bitcast_convert_to_operands, hlo_bitcast_convert_to_results},
    [HLO_OP_DYNAMIC_SLICE] = {hlo_dynamic_slice_to_operands, hlo_dynamic_slice_to_results},
    [HLO_OP_DYNAMIC_UPDATE_SLICE] = {hlo_dynamic_update_slice_to_operands,
                                     hlo_dynamic_update_slice_to_results},
    [HLO_OP_GATHER] = {hlo_gather_to_operands, hlo_gather_to_results},
    [HLO_OP_DOT] = {hlo_dot_to_operands, hlo_dot_to_results},
    [HLO_OP_SCALED_DOT] = {hlo_scaled_dot_to_operands, hlo_scaled_dot_to_results},
    [HLO_OP_REDUCE] = {hlo_reduce_to_operands, hlo_reduce_to_results},
    [HLO_OP_REDUCE_WINDOW] = {hlo_reduce_window_to_operands, hlo_reduce_window_to_results},
    [HLO_OP_CONVOLUTION] = {hlo_convolution_to_operands, hlo_convolution_to_results},
    [HLO_OP_TUPLE] = {hlo_alias_to_operands, hlo_alias_to_results},
    [HLO_OP_GET_TUPLE_ELEMENT] = {hlo_alias_to_operands, hlo_alias_to_results},
    [HLO_OP_OPTIMIZATION_BARRIER] = {hlo_alias_to_operands, hlo_alias_to_results},
    [HLO_OP_CALL] = {hlo_call_to_operands, hlo_call_to_results},
    [HLO_OP_FUSION] = {hlo_call_to_operands, hlo_call_to_results},
};

static indexing_rule *rule_of(const hlo_instruction *x, bool to_operands) {
  const rule_row *row = &rules[x->opcode];
  indexing_rule *rule = to_operands ? row->to_operands : row->to_results;
  if (rule != NULL || !hlo_op_is_elementwise(x->opcode) || !hlo_shape_is_array(x->shape))
    return rule;
  return to_operands ? hlo_elementwise_to_operands : hlo_elementwise_to_results;
}

int32_t hlo_indexing_operand_start(const hlo_instruction *x, int32_t operand) {
  int32_t start = 0;
  for (int32_t k = 0; k < operand; k++) start += hlo_shape_leaf_count(x->operands[k]->shape);
  return start;
}

int32_t hlo_indexing_operand_leaves(const hlo_instruction *x) {
  return hlo_indexing_operand_start(x, x->operand_count);
}

static hlo_status apply(hlo_indexing_analysis *analysis, const hlo_instruction *x, int32_t leaf,
                        bool to_operands, const hlo_indexing_set **out, hlo_error *error) {
  int32_t results = hlo_shape_leaf_count(x->shape), operands = hlo_indexing_operand_leaves(x);
  int32_t count = to_operands ? operands : results, leaves = to_operands ? results : operands;
  if (leaf < 0 || leaf >= leaves)
    return hlo_instruction_fail(x, HLO_INVALID_ARGUMENT, error, "has no %s %d: %d in all",
                                to_operands ? "output" : "input", leaf, leaves);
  hlo_indexing_set *sets;
  HLO_ALLOC(sets, analysis->arena, count, error);
  *out = sets;
  hlo_rule_request r = {
      .analysis = analysis, .context = analysis->context, .x = x, .leaf = leaf, .sets = sets};
  indexing_rule *rule = rule_of(x, to_operands);
  if (rule != NULL) {
    hlo_status status = rule(&r, error);
    if (status != HLO_UNSUPPORTED) return status;
    hlo_error_clear(error); // expressions grew beyond all limits
  }
  for (int32_t i = 0; i < count; i++) hlo_indexing_set_to_unknown(&sets[i]);
  return HLO_OK;
}

hlo_status hlo_indexing_output_to_input(hlo_indexing_analysis *analysis, const hlo_instruction *x,
                                        int32_t leaf, const hlo_indexing_set **out,
                                        hlo_error *error) {
  return apply(analysis, x, leaf, true, out, error);
}

hlo_status hlo_indexing_input_to_output(hlo_indexing_analysis *analysis, const hlo_instruction *x,
                                        int32_t leaf, const hlo_indexing_set **out,
                                        hlo_error *error) {
  return apply(analysis, x, leaf, false, out, error);
}
