// Modules, computations and instructions as data: creation, names, order. Checks nothing about
// operations. See hlo.h.
#include "hlo/hlo.h"

#include <string.h>

enum { REASON_SIZE = 1536, LONGEST_NAME_SHOWN = 200 };

hlo_status hlo_module_create(const char *name, hlo_module **out, hlo_error *error) {
  hlo_module *module = hlo_memory_alloc(sizeof *module);
  if (module == NULL) return hlo_fail_out_of_memory(error);
  *module = (hlo_module){0};
  module->name = hlo_arena_copy_text(&module->arena, name, strlen(name));
  if (module->name == NULL) {
    hlo_module_destroy(module);
    return hlo_fail_out_of_memory(error);
  }
  *out = module;
  return HLO_OK;
}

hlo_module *hlo_module_share(const hlo_module *module) {
  hlo_module *shared = (hlo_module *)module;
  shared->shares++;
  return shared;
}

void hlo_module_destroy(hlo_module *module) {
  while (module != NULL && module->shares-- == 0) {
    hlo_module *original = module->original;
    hlo_arena_free(&module->arena);
    hlo_memory_release(module);
    module = original;
  }
}

hlo_status hlo_computation_create(hlo_module *module, const char *name, hlo_computation **out,
                                  hlo_error *error) {
  hlo_computation *computation;
  HLO_GROW_LIST(module->computations, &module->arena, module->computation_count,
                module->computation_capacity, error);
  HLO_ALLOC(computation, &module->arena, 1, error);
  HLO_TRY(hlo_name_table_add(&module->names, &module->arena, name == NULL ? "computation" : name,
                             computation, &computation->name, error));
  computation->module = module;
  computation->index = module->computation_count;
  module->computations[module->computation_count++] = computation;
  *out = computation;
  return HLO_OK;
}

hlo_computation *hlo_module_find(const hlo_module *module, const char *name) {
  hlo_computation *found = hlo_name_table_find(&module->names, name, strlen(name));
  bool is_left_out =
      found != NULL && (found->index < 0 || found->index >= module->computation_count ||
                        module->computations[found->index] != found);
  return is_left_out ? NULL : found; // readers leave out what nothing reaches
}

hlo_instruction *hlo_computation_find(const hlo_computation *computation, const char *name,
                                      size_t length) {
  return hlo_name_table_find(&computation->names, name, length);
}

static hlo_status grow_instructions(hlo_computation *computation, hlo_error *error) {
  HLO_GROW_LIST(computation->instructions, &computation->module->arena,
                computation->instruction_count, computation->instruction_capacity, error);
  return HLO_OK;
}

hlo_status hlo_computation_append(hlo_computation *computation, hlo_instruction *instruction,
                                  hlo_error *error) {
  HLO_TRY(grow_instructions(computation, error));
  instruction->id = computation->instruction_count;
  computation->instructions[computation->instruction_count++] = instruction;
  return HLO_OK;
}

hlo_status hlo_instruction_create(hlo_computation *computation, hlo_opcode opcode, const char *name,
                                  const hlo_shape *shape, int32_t operand_count,
                                  hlo_instruction *const *operands, int32_t attribute_count,
                                  const hlo_attribute *attributes, hlo_instruction **out,
                                  hlo_error *error) {
  hlo_arena *arena = &computation->module->arena;
  hlo_instruction *instruction;
  HLO_TRY(grow_instructions(computation, error));
  HLO_ALLOC(instruction, arena, 1, error);
  HLO_ALLOC(instruction->operands, arena, operand_count, error);
  HLO_ALLOC(instruction->attributes, arena, attribute_count, error);
  for (int32_t i = 0; i < operand_count; i++) instruction->operands[i] = operands[i];
  for (int32_t i = 0; i < attribute_count; i++) instruction->attributes[i] = attributes[i];
  HLO_TRY(hlo_name_table_add(&computation->names, arena,
                             name == NULL ? hlo_op_get(opcode)->name : name, instruction,
                             &instruction->name, error));
  instruction->opcode = opcode;
  instruction->shape = shape;
  instruction->operand_count = operand_count;
  instruction->attribute_count = attribute_count;
  instruction->computation = computation;
  *out = instruction;
  return hlo_computation_append(computation, instruction, error);
}

hlo_status hlo_computation_collect_parameters(hlo_computation *computation, hlo_error *error) {
  int32_t count = 0;
  for (int32_t i = 0; i < computation->instruction_count; i++)
    count += computation->instructions[i]->opcode == HLO_OP_PARAMETER;
  hlo_instruction **parameters;
  HLO_ALLOC(parameters, &computation->module->arena, count, error);
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    hlo_instruction *instruction = computation->instructions[i];
    if (instruction->opcode != HLO_OP_PARAMETER) continue;
    int64_t number = instruction->parameter_number;
    if (number < 0 || number >= count)
      return hlo_instruction_fail(instruction, HLO_SHAPE_ERROR, error,
                                  "parameter number %lld is not below the number of parameters, %d",
                                  (long long)number, count);
    if (parameters[number] != NULL)
      return hlo_instruction_fail(instruction, HLO_SHAPE_ERROR, error,
                                  "parameter number %lld is taken by %%%.*s", (long long)number,
                                  LONGEST_NAME_SHOWN, parameters[number]->name);
    parameters[number] = instruction;
  }
  computation->parameters = parameters;
  computation->parameter_count = count;
  return HLO_OK;
}

hlo_status hlo_instruction_fail(const hlo_instruction *instruction, hlo_status status,
                                hlo_error *error, const char *format, ...) {
  char reason[REASON_SIZE];
  va_list arguments;
  va_start(arguments, format);
  hlo_format(reason, sizeof reason, format, arguments);
  va_end(arguments);
  const char *opcode = hlo_op_get(instruction->opcode)->name;
  if (instruction->name == NULL) // on trial: not yet part of a computation
    return hlo_fail_at(error, status, instruction->line, instruction->column, "%s: %s", opcode,
                       reason);
  return hlo_fail_at(error, status, instruction->line, instruction->column,
                     "instruction %%%.*s (%s): %s", LONGEST_NAME_SHOWN, instruction->name, opcode,
                     reason);
}

void hlo_computation_move_last(hlo_computation *computation) {
  hlo_module *module = computation->module;
  for (int32_t i = computation->index; i + 1 < module->computation_count; i++) {
    module->computations[i] = module->computations[i + 1];
    module->computations[i]->index = i;
  }
  computation->index = module->computation_count - 1;
  module->computations[computation->index] = computation;
}

bool hlo_module_has_dynamic_sizes(const hlo_module *module) {
  for (int32_t c = 0; c < module->computation_count; c++) {
    const hlo_computation *computation = module->computations[c];
    for (int32_t i = 0; i < computation->instruction_count; i++) {
      const hlo_instruction *x = computation->instructions[i];
      if (hlo_op_get(x->opcode)->properties & HLO_PROPERTY_SIZES) return true;
      if (hlo_shape_is_dynamic(x->shape)) return true;
    }
  }
  return false;
}
