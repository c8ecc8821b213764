// The exported C API: what programs consist of and what they cost. Conventions and contracts in
// include/hlo.h.
#include "api/api.h"

#include "api/json.h"
#include "hlo/analysis/cost.h"
#include "run/executable.h"
#include "text/text.h"

static void add_name_list(hlo_string *out, const hlo_attribute *attribute) {
  hlo_string_add_char(out, '[');
  for (int32_t i = 0; i < attribute->count; i++) {
    hlo_json_comma(out);
    hlo_json_text(out, attribute->computations != NULL ? attribute->computations[i]->name
                                                       : attribute->instructions[i]->name);
  }
  hlo_string_add_char(out, ']');
}

// Integers in one list, or in rows.
static void add_int_list(hlo_string *out, const int64_t *ints, int64_t count) {
  hlo_string_add_char(out, '[');
  for (int64_t i = 0; i < count; i++) {
    hlo_json_comma(out);
    hlo_string_add_int(out, ints[i]);
  }
  hlo_string_add_char(out, ']');
}

static void add_rows(hlo_string *out, const hlo_attribute *attribute) {
  const int64_t *row = attribute->ints;
  hlo_string_add_char(out, '[');
  for (int32_t i = 0; i < attribute->row_count; row += attribute->row_lengths[i++]) {
    hlo_json_comma(out);
    add_int_list(out, row, attribute->row_lengths[i]);
  }
  hlo_string_add_char(out, ']');
}

// A number, list, or name where the attribute is one; else its text.
static void add_value(hlo_string *out, const hlo_attribute *attribute, const char *text) {
  switch (hlo_attribute_get_kind(attribute->id)) {
  case HLO_KIND_INT:
    hlo_string_add_int(out, attribute->integer);
    return;
  case HLO_KIND_BOOL:
    hlo_string_add(out, attribute->integer ? "true" : "false");
    return;
  case HLO_KIND_INTS:
    add_int_list(out, attribute->ints, attribute->count);
    return;
  case HLO_KIND_GROUPS:
    add_rows(out, attribute);
    return;
  case HLO_KIND_COMPUTATION:
    hlo_json_text(out, attribute->computations[0]->name);
    return;
  case HLO_KIND_COMPUTATIONS:
  case HLO_KIND_INSTRUCTIONS:
    add_name_list(out, attribute);
    return;
  case HLO_KIND_STRING:
    hlo_json_text(out, attribute->text);
    return;
  default:
    hlo_json_text(out, text);
  }
}

static void add_attribute(hlo_string *out, const hlo_attribute *attribute) {
  hlo_string text = {0};
  hlo_print_attribute_value(&text, attribute);
  const char *printed = text.failed || text.text == NULL ? "" : text.text;
  hlo_json_comma(out);
  hlo_string_add_char(out, '{');
  hlo_json_field_text(out, "name", hlo_attribute_name(attribute->id));
  hlo_json_field_text(out, "text", printed);
  hlo_json_key(out, "value");
  add_value(out, attribute, printed);
  hlo_string_free(&text);
  hlo_string_add_char(out, '}');
}

static void add_instruction(hlo_string *out, const hlo_instruction *x) {
  hlo_json_comma(out);
  hlo_string_add_char(out, '{');
  hlo_json_field_text(out, "name", x->name);
  hlo_json_field_text(out, "opcode", hlo_op_get(x->opcode)->name);
  hlo_json_key(out, "shape");
  hlo_json_shape(out, x->shape);
  hlo_json_key(out, "operands");
  hlo_string_add_char(out, '[');
  for (int32_t i = 0; i < x->operand_count; i++) {
    hlo_json_comma(out);
    hlo_string_add_int(out, x->operands[i]->id);
  }
  hlo_string_add(out, "],\"attributes\":[");
  for (int32_t i = 0; i < x->attribute_count; i++) add_attribute(out, &x->attributes[i]);
  hlo_string_add_char(out, ']');
  if (x->opcode == HLO_OP_PARAMETER) hlo_json_field_int(out, "parameter", x->parameter_number);
  hlo_json_field_int(out, "line", x->line);
  hlo_json_field_int(out, "column", x->column);
  hlo_string_add_char(out, '}');
}

// The computation with that index; NULL, and an error, where the module has none.
static const hlo_computation *computation_of(const hlo_module *module, int32_t index,
                                             hlo_error *error) {
  if (index >= 0 && index < module->computation_count) return module->computations[index];
  hlo_fail(error, HLO_INVALID_ARGUMENT, "module %s has %d computations, no number %d", module->name,
           (int)module->computation_count, (int)index);
  return NULL;
}

int32_t hlo_api_computation_instructions(const hlo_module *module, int32_t index) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  const hlo_computation *computation = computation_of(module, index, error);
  if (computation == NULL) return -1;
  hlo_string_add_char(out, '[');
  for (int32_t i = 0; i < computation->instruction_count; i++)
    add_instruction(out, computation->instructions[i]);
  hlo_string_add_char(out, ']');
  return hlo_string_status(out, error) == HLO_OK ? computation->root->id : -1;
}

hlo_array *hlo_api_instruction_constant(const hlo_module *module, int32_t index, int32_t id) {
  hlo_error *error = hlo_api_begin();
  hlo_array *array = NULL;
  const hlo_computation *computation = computation_of(module, index, error);
  if (computation == NULL) return NULL;
  if (id < 0 || id >= computation->instruction_count) {
    hlo_fail(error, HLO_INVALID_ARGUMENT, "computation %s has %d instructions, no number %d",
             computation->name, (int)computation->instruction_count, (int)id);
    return NULL;
  }
  const hlo_instruction *x = computation->instructions[id];
  if (x->opcode != HLO_OP_CONSTANT || x->literal == NULL || !hlo_shape_is_array(x->shape)) {
    hlo_instruction_fail(x, HLO_INVALID_ARGUMENT, error,
                         "no constant array, or its elements were left out of the text");
    return NULL;
  }
  if (hlo_array_create(x->shape, NULL, &array, error) != HLO_OK) return NULL;
  if (hlo_relayout(x->shape, array->buffer->data, x->literal->shape, x->literal->data, error) ==
      HLO_OK)
    return array;
  hlo_array_destroy(array);
  return NULL;
}

static void add_count(hlo_string *out, const char *key, double count) {
  hlo_json_field_int(out, key, count < 0x1p62 ? (int64_t)count : INT64_C(1) << 62);
}

static void add_cost(hlo_string *out, const char *name, const char *opcode, const hlo_cost *cost) {
  hlo_json_comma(out);
  hlo_string_add_char(out, '{');
  hlo_json_field_text(out, "name", name);
  if (opcode != NULL) hlo_json_field_text(out, "opcode", opcode);
  add_count(out, "flops", cost->operations);
  add_count(out, "transcendentals", cost->transcendentals);
  add_count(out, "bytesRead", cost->bytes_read);
  add_count(out, "bytesWritten", cost->bytes_written);
  hlo_json_field_bool(out, "complete", !cost->is_incomplete);
}

// Writes {"name", "flops", "transcendentals", "bytesRead", "bytesWritten", "complete",
// "instructions": [{"name", "opcode", and the same}]} of a computation to the text buffer
// (hlo/analysis/cost.h defines the counts). Returns 0, or -1 on error.
static int32_t print_cost(const hlo_module *module, const hlo_computation *computation) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  hlo_arena arena = {0};
  hlo_cost_table table;
  hlo_status status = hlo_cost_of_module(module, &arena, &table, error);
  if (status == HLO_OK) {
    add_cost(out, computation->name, NULL, &table.computations[computation->index]);
    hlo_string_add(out, ",\"instructions\":[");
    for (int32_t i = 0; i < computation->instruction_count; i++) {
      const hlo_instruction *x = computation->instructions[i];
      add_cost(out, x->name, hlo_op_get(x->opcode)->name,
               &table.instructions[computation->index][i]);
      hlo_string_add_char(out, '}');
    }
    hlo_string_add(out, "]}");
    status = hlo_string_status(out, error);
  }
  hlo_arena_free(&arena);
  return status == HLO_OK ? 0 : -1;
}

int32_t hlo_api_computation_cost(const hlo_module *module, int32_t index) {
  const hlo_computation *computation = computation_of(module, index, hlo_api_begin());
  return computation == NULL ? -1 : print_cost(module, computation);
}
int32_t hlo_api_executable_cost(const hlo_executable *executable) {
  return print_cost(hlo_executable_module(executable), hlo_executable_computation(executable));
}
