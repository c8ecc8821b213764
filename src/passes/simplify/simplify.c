// The table of the rules of simplification, and the pass that applies them. See passes.h.
#include "passes/simplify/simplify.h"

#include "hlo/rewrite.h"
#include "passes/passes.h"

static hlo_simplify_rule *const rules[HLO_OP_COUNT] = {
    [HLO_OP_ADD] = hlo_simplify_add,
    [HLO_OP_SUBTRACT] = hlo_simplify_subtract,
    [HLO_OP_MULTIPLY] = hlo_simplify_multiply,
    [HLO_OP_DIVIDE] = hlo_simplify_divide,
    [HLO_OP_POWER] = hlo_simplify_power,
    [HLO_OP_MAXIMUM] = hlo_simplify_extremum,
    [HLO_OP_MINIMUM] = hlo_simplify_extremum,
    [HLO_OP_AND] = hlo_simplify_logic,
    [HLO_OP_OR] = hlo_simplify_logic,
    [HLO_OP_XOR] = hlo_simplify_logic,
    [HLO_OP_NOT] = hlo_simplify_involution,
    [HLO_OP_NEGATE] = hlo_simplify_involution,
    [HLO_OP_SHIFT_LEFT] = hlo_simplify_shift,
    [HLO_OP_SHIFT_RIGHT_ARITHMETIC] = hlo_simplify_shift,
    [HLO_OP_SHIFT_RIGHT_LOGICAL] = hlo_simplify_shift,
    [HLO_OP_COMPARE] = hlo_simplify_compare,
    [HLO_OP_SELECT] = hlo_simplify_select,
    [HLO_OP_CONVERT] = hlo_simplify_convert,
    [HLO_OP_COPY] = hlo_simplify_copy,
    [HLO_OP_RESHAPE] = hlo_simplify_reshape,
    [HLO_OP_BITCAST] = hlo_simplify_bitcast,
    [HLO_OP_TRANSPOSE] = hlo_simplify_transpose,
    [HLO_OP_BROADCAST] = hlo_simplify_broadcast_op,
    [HLO_OP_REVERSE] = hlo_simplify_reverse,
    [HLO_OP_SLICE] = hlo_simplify_slice,
    [HLO_OP_CONCATENATE] = hlo_simplify_concatenate,
    [HLO_OP_PAD] = hlo_simplify_pad,
    [HLO_OP_DYNAMIC_SLICE] = hlo_simplify_dynamic_slice,
    [HLO_OP_DYNAMIC_UPDATE_SLICE] = hlo_simplify_dynamic_update_slice,
    [HLO_OP_GET_TUPLE_ELEMENT] = hlo_simplify_get_tuple_element,
    [HLO_OP_TUPLE] = hlo_simplify_tuple,
    [HLO_OP_CONDITIONAL] = hlo_simplify_conditional,
    [HLO_OP_WHILE] = hlo_simplify_while,
    [HLO_OP_REDUCE] = hlo_simplify_reduce,
    [HLO_OP_DOT] = hlo_simplify_dot,
    [HLO_OP_IOTA] = hlo_simplify_iota,
    [HLO_OP_GATHER] = hlo_simplify_gather,
    [HLO_OP_SCATTER] = hlo_simplify_scatter,
    [HLO_OP_SORT] = hlo_simplify_sort,
    [HLO_OP_REDUCE_WINDOW] = hlo_simplify_reduce_window,
};

static hlo_status simplify(void *context, hlo_instruction *x, hlo_instruction **replacement,
                           hlo_error *error) {
  (void)context;
  if (hlo_simplify_is_dynamic(x)) return HLO_OK;
  if (rules[x->opcode] != NULL) HLO_TRY(rules[x->opcode](x, replacement, error));
  if (*replacement != NULL || !hlo_op_is_elementwise(x->opcode)) return HLO_OK;
  HLO_TRY(hlo_simplify_splat(x, replacement, error));
  return *replacement == NULL ? hlo_simplify_ones(x, replacement, error) : HLO_OK;
}

hlo_status hlo_pass_simplify(hlo_module *module, hlo_error *error) {
  int32_t computations = module->computation_count;
  HLO_TRY(hlo_module_rewrite(module, simplify, NULL, error));
  // New computations come after their callers; removing dead ones restores the order.
  return module->computation_count > computations ? hlo_module_remove_dead(module, error) : HLO_OK;
}
