// Prints modules as HLO text, in the style of XLA's dumps: names with %, shapes with layouts on
// results and not on operands, positions in long lists as comments.
#include "text/text.h"

#include "text/attributes/lexer.h"

enum { INDEX_COMMENT_EVERY = 5 }; // as XLA: "a, b, c, d, e, /*index=5*/f"

static void print_separator(hlo_string *out, int32_t i) {
  if (i > 0) hlo_string_add(out, ", ");
  if (i > 0 && i % INDEX_COMMENT_EVERY == 0) hlo_string_add_format(out, "/*index=%d*/", (int)i);
}

static void print_operands(hlo_string *out, const hlo_instruction *instruction) {
  for (int32_t i = 0; i < instruction->operand_count; i++) {
    print_separator(out, i);
    hlo_print_name(out, instruction->operands[i]->name);
  }
}

static void print_instruction(hlo_string *out, const hlo_instruction *instruction) {
  hlo_string_add(out, instruction == instruction->computation->root ? "  ROOT " : "  ");
  hlo_print_name(out, instruction->name);
  hlo_string_add(out, " = ");
  hlo_shape_print(out, instruction->shape, true);
  hlo_string_add_char(out, ' ');
  hlo_string_add(out, hlo_op_get(instruction->opcode)->name);
  hlo_string_add_char(out, '(');
  if (instruction->opcode == HLO_OP_PARAMETER) {
    hlo_string_add_int(out, instruction->parameter_number);
  } else if (instruction->opcode != HLO_OP_CONSTANT) {
    print_operands(out, instruction);
  } else if (instruction->literal != NULL) {
    hlo_literal_print(out, instruction->literal);
  } else {
    hlo_string_add(out, "{...}");
  }
  hlo_string_add_char(out, ')');
  for (int32_t i = 0; i < instruction->attribute_count; i++) {
    hlo_string_add(out, ", ");
    hlo_string_add(out, hlo_attribute_name(instruction->attributes[i].id));
    hlo_string_add_char(out, '=');
    hlo_print_attribute_value(out, &instruction->attributes[i]);
  }
  hlo_string_add_char(out, '\n');
}

// Without any layout. Recurses as deep as tuples nest, HLO_MAX_TUPLE_DEPTH.
static void print_shape_alone(hlo_string *out, const hlo_shape *shape) {
  if (!hlo_shape_is_tuple(shape)) {
    hlo_shape alone = *shape;
    alone.layout = NULL;
    hlo_shape_print(out, &alone, false);
    return;
  }
  hlo_string_add_char(out, '(');
  for (int32_t i = 0; i < shape->element_count; i++) {
    print_separator(out, i);
    print_shape_alone(out, shape->elements[i]);
  }
  hlo_string_add_char(out, ')');
}

// "%name (a: f32[2], b: f32[]) -> f32[2]"
static void print_signature(hlo_string *out, const hlo_computation *computation) {
  hlo_print_name(out, computation->name);
  hlo_string_add(out, " (");
  for (int32_t i = 0; i < computation->parameter_count; i++) {
    const hlo_instruction *parameter = computation->parameters[i];
    if (i > 0) hlo_string_add(out, ", ");
    hlo_print_bare_name(out, parameter->name);
    hlo_string_add(out, ": ");
    print_shape_alone(out, parameter->shape);
  }
  hlo_string_add(out, ") -> ");
  print_shape_alone(out, computation->root->shape);
}

static void print_definition(hlo_string *out, const hlo_computation *computation) {
  print_signature(out, computation);
  hlo_string_add(out, " {\n");
  for (int32_t i = 0; i < computation->instruction_count; i++)
    print_instruction(out, computation->instructions[i]);
  hlo_string_add_char(out, '}');
}

static void print_computation(hlo_string *out, const hlo_computation *computation) {
  if (computation == computation->module->entry) hlo_string_add(out, "ENTRY ");
  if (computation->unread_text != NULL) {
    hlo_print_name(out, computation->name);
    hlo_string_add_format(out, " %s", computation->unread_text);
  } else {
    print_definition(out, computation);
  }
  if (computation->attributes_text != NULL) hlo_string_add(out, computation->attributes_text);
  hlo_string_add(out, "\n\n");
}

void hlo_print_hlo(hlo_string *out, const hlo_module *module) {
  hlo_string_add(out, "HloModule ");
  hlo_print_bare_name(out, module->name[0] != 0 ? module->name : "module");
  if (module->attributes_text != NULL) hlo_string_add(out, module->attributes_text);
  hlo_string_add(out, "\n\n");
  if (module->tables_text != NULL) {
    hlo_string_add(out, module->tables_text);
    hlo_string_add(out, "\n\n\n");
  }
  for (int32_t i = 0; i < module->computation_count; i++)
    print_computation(out, module->computations[i]);
}
