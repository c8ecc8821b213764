// Dispatch from opcodes to printers, and the instructions that are only structure and print no
// operation, unless they have attributes. See printer.h.
#include "text/stablehlo/print/printer.h"

static bool is_function_root(const stablehlo_printer *p, const hlo_instruction *x) {
  return x->computation == p->function && x->computation->root == x;
}

static hlo_status print_tuple(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  const stablehlo_value **elements, *value;
  p->is_said = is_function_root(p, x) && hlo_print_result_shardings(x, x->operand_count, NULL);
  if (!p->is_said && hlo_print_has_common(x)) {
    stablehlo_values singles;
    HLO_TRY(hlo_print_single_operands(p, x, &singles, error));
    HLO_TRY(hlo_print_tuple_of(p, x, x->shape, &singles, &value, error));
    hlo_print_set_value(p, x, value);
    return HLO_OK;
  }
  HLO_ALLOC(elements, &p->arena, x->operand_count, error);
  for (int32_t i = 0; i < x->operand_count; i++)
    HLO_TRY(hlo_print_operand(p, x, i, &elements[i], error));
  HLO_TRY(hlo_print_new_tuple(p, x->shape, elements, &value, error));
  hlo_print_set_value(p, x, value);
  return HLO_OK;
}

// The same value, in another layout; a reshape to the same shape has a place for what is said of
// it.
static hlo_status print_copy(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  const stablehlo_value *operand;
  HLO_TRY(hlo_print_operand(p, x, 0, &operand, error));
  if (hlo_print_has_common(x) && hlo_shape_is_array(x->shape) && !hlo_shape_is_dynamic(x->shape)) {
    stablehlo_values operands, results;
    HLO_TRY(hlo_print_begin_operation(p, x, "stablehlo.reshape ", &operands, &results, error));
    hlo_print_names(p->out, &operands);
    return hlo_print_finish_operation(p, x, &operands, &results, error);
  }
  hlo_print_set_value(p, x, operand);
  return HLO_OK;
}

static hlo_status print_get_tuple_element(stablehlo_printer *p, const hlo_instruction *x,
                                          hlo_error *error) {
  const stablehlo_value *operand;
  HLO_TRY(hlo_print_operand(p, x, 0, &operand, error));
  int32_t index = (int32_t)hlo_get_int(x, HLO_ATTRIBUTE_INDEX, 0);
  const stablehlo_value *value;
  if (operand->name != NULL || hlo_print_has_common(x)) {
    HLO_TRY(hlo_print_single(p, operand, &operand, error));
    HLO_TRY(hlo_print_element_of(p, x, operand, index, &value, error));
  } else {
    value = operand->elements[index];
  }
  hlo_print_set_value(p, x, value);
  return HLO_OK;
}

// Parameters are the arguments, which have their values already. Those of functions have been
// printed with all that they say, those of regions have no place for it.
static hlo_status print_parameter(stablehlo_printer *p, const hlo_instruction *x,
                                  hlo_error *error) {
  (void)error;
  p->is_said = x->computation == p->function;
  return HLO_OK;
}

static const struct {
  hlo_opcode opcode;
  stablehlo_print_function *print;
} special[] = {
    {HLO_OP_PARAMETER, print_parameter},
    {HLO_OP_TUPLE, print_tuple},
    {HLO_OP_GET_TUPLE_ELEMENT, print_get_tuple_element},
    {HLO_OP_COPY, print_copy},
    {HLO_OP_CONSTANT, hlo_print_constant},
    {HLO_OP_SLICE, hlo_print_slice},
    {HLO_OP_PAD, hlo_print_pad},
    {HLO_OP_DYNAMIC_RESHAPE, hlo_print_dynamic_reshape},
    {HLO_OP_BITCAST, hlo_print_bitcast},
    {HLO_OP_DOT, hlo_print_dot},
    {HLO_OP_CONVOLUTION, hlo_print_convolution},
    {HLO_OP_REDUCE_WINDOW, hlo_print_window},
    {HLO_OP_SELECT_AND_SCATTER, hlo_print_window},
    {HLO_OP_RNG, hlo_print_rng},
    {HLO_OP_TOPK, hlo_print_top_k},
    {HLO_OP_AFTER_ALL, hlo_print_after_all},
    {HLO_OP_ALL_TO_ALL, hlo_print_all_to_all},
    {HLO_OP_INFEED, hlo_print_transfer},
    {HLO_OP_OUTFEED, hlo_print_transfer},
    {HLO_OP_SEND, hlo_print_start},
    {HLO_OP_RECV, hlo_print_start},
    {HLO_OP_SEND_DONE, hlo_print_done},
    {HLO_OP_RECV_DONE, hlo_print_done},
    {HLO_OP_REDUCE, hlo_print_reduce},
    {HLO_OP_SCAN, hlo_print_scan},
    {HLO_OP_WHILE, hlo_print_while},
    {HLO_OP_CONDITIONAL, hlo_print_conditional},
    {HLO_OP_OPTIMIZATION_BARRIER, hlo_print_barrier},
    {HLO_OP_CALL, hlo_print_call},
    {HLO_OP_FUSION, hlo_print_call},
    {HLO_OP_CUSTOM_CALL, hlo_print_custom_call},
};

hlo_status hlo_print_instruction(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  if (p->instructions_left-- <= 0)
    return hlo_instruction_fail(x, HLO_UNSUPPORTED, error,
                                "with all its regions written out the program is too long");
  hlo_status (*print)(stablehlo_printer *, const hlo_instruction *, hlo_error *) =
      hlo_print_operation;
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    if (special[i].opcode == x->opcode) print = special[i].print;
  bool was_said = p->is_said; // of the instruction that has this region
  p->is_said = false;
  HLO_TRY(print(p, x, error));
  HLO_TRY(hlo_print_check_said(p, x, error));
  p->is_said = was_said;
  return HLO_OK;
}
