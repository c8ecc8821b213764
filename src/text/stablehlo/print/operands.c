// Values of instructions: operands as names, results, and the line of an operation between them.
// See printer.h.
#include "text/stablehlo/print/printer.h"

hlo_status hlo_print_unsupported(const hlo_instruction *instruction, hlo_error *error) {
  return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error, "StableHLO cannot say this");
}

hlo_status hlo_print_operand(stablehlo_printer *p, const hlo_instruction *instruction,
                             int32_t index, const stablehlo_value **out, hlo_error *error) {
  *out = p->values[instruction->operands[index]->id];
  return *out == NULL ? hlo_print_unsupported(instruction->operands[index], error) : HLO_OK;
}

hlo_status hlo_print_single_operands(stablehlo_printer *p, const hlo_instruction *instruction,
                                     stablehlo_values *out, hlo_error *error) {
  HLO_TRY(hlo_print_new_list(p, instruction->operand_count, out, error));
  for (int32_t i = 0; i < instruction->operand_count; i++) {
    const stablehlo_value *value;
    HLO_TRY(hlo_print_operand(p, instruction, i, &value, error));
    HLO_TRY(hlo_print_single(p, value, &out->items[out->count++], error));
  }
  return HLO_OK;
}

void hlo_print_set_value(stablehlo_printer *p, const hlo_instruction *instruction,
                         const stablehlo_value *value) {
  p->values[instruction->id] = value;
}

static bool are_elements(const stablehlo_values *results, const hlo_shape *shape) {
  bool same = hlo_shape_is_tuple(shape) && results->count == shape->element_count;
  for (int32_t i = 0; same && i < results->count; i++)
    same = hlo_shape_equal(results->items[i]->shape, shape->elements[i]);
  return same;
}

// The results are the instruction's value, the elements of its tuple, or the leaves in it.
hlo_status hlo_print_set_results(stablehlo_printer *p, const hlo_instruction *instruction,
                                 const stablehlo_values *results, hlo_error *error) {
  const hlo_shape *shape = instruction->shape;
  const stablehlo_value *value = NULL;
  int32_t next = 0;
  if (results->count == 1 && hlo_shape_equal(results->items[0]->shape, shape))
    value = results->items[0];
  else if (are_elements(results, shape))
    HLO_TRY(hlo_print_new_tuple(p, shape, results->items, &value, error));
  else HLO_TRY(hlo_print_unflatten(p, shape, results, &next, &value, error));
  hlo_print_set_value(p, instruction, value);
  return HLO_OK;
}

hlo_status hlo_print_begin_operation(stablehlo_printer *p, const hlo_instruction *x,
                                     const char *text, stablehlo_values *operands,
                                     stablehlo_values *results, hlo_error *error) {
  const hlo_shape *const *shapes;
  HLO_TRY(hlo_print_single_operands(p, x, operands, error));
  int32_t count = hlo_print_result_shapes(&x->shape, &shapes);
  HLO_TRY(hlo_print_begin(p, NULL, count, shapes, results, error));
  hlo_string_add(p->out, text);
  return HLO_OK;
}

hlo_status hlo_print_finish_operation(stablehlo_printer *p, const hlo_instruction *x,
                                      const stablehlo_values *operands,
                                      const stablehlo_values *results, hlo_error *error) {
  if (!p->is_said) HLO_TRY(hlo_print_common(p, x, error));
  hlo_string_add(p->out, " : ");
  HLO_TRY(hlo_print_function_type(p, operands, results, error));
  hlo_string_add_char(p->out, '\n');
  return hlo_print_set_results(p, x, results, error);
}
