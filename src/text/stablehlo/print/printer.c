// Prints a module as StableHLO text: functions, regions, and the order of lines. See text.h and
// printer.h.
#include "text/stablehlo/print/printer.h"

#include "hlo/label.h"
#include "text/text.h"

#include <string.h>

// Computations that HLO shares among instructions are written out for each of them. What that
// multiplies beyond this is not written.
enum { MOST_INSTRUCTIONS = 1000 * 1000 };

hlo_status hlo_print_unsupported(const hlo_instruction *instruction, hlo_error *error) {
  return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error, "StableHLO cannot say this");
}

// --- values of instructions ---

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

// --- structure that needs no operation, unless there is something to say of it ---

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

static hlo_status print_instruction(stablehlo_printer *p, const hlo_instruction *x,
                                    hlo_error *error) {
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

// --- regions ---

static hlo_status print_return(stablehlo_printer *p, const char *name,
                               const stablehlo_values *values, hlo_error *error) {
  hlo_print_indent(p);
  hlo_string_add(p->out, name);
  if (values->count > 0) {
    hlo_string_add_char(p->out, ' ');
    hlo_print_names(p->out, values);
    hlo_string_add(p->out, " : ");
    HLO_TRY(hlo_print_mlir_types(p, values, error));
  }
  hlo_string_add_char(p->out, '\n');
  return HLO_OK;
}

// Binds the parameters and prints the instructions; *root is the root's value. The caller restores
// p->values.
static hlo_status print_body(stablehlo_printer *p, const hlo_computation *computation,
                             const stablehlo_values *arguments, const stablehlo_value **root,
                             hlo_error *error) {
  HLO_ALLOC(p->values, &p->arena, computation->instruction_count, error);
  for (int32_t i = 0; i < computation->parameter_count; i++)
    hlo_print_set_value(p, computation->parameters[i], arguments->items[i]);
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    hlo_status status = print_instruction(p, x, error);
    if (status == HLO_OK) continue;
    hlo_error_locate(error, x->line, x->column);
    return status;
  }
  *root = p->values[computation->root->id];
  return *root == NULL ? hlo_print_unsupported(computation->root, error) : HLO_OK;
}

hlo_status hlo_print_region(stablehlo_printer *p, const hlo_computation *computation,
                            const stablehlo_values *arguments, hlo_error *error) {
  const stablehlo_value **outer = p->values, *root;
  stablehlo_values returned;
  p->indent++;
  HLO_TRY(print_body(p, computation, arguments, &root, error));
  HLO_TRY(hlo_print_new_list(p, hlo_shape_leaf_count(root->shape), &returned, error));
  HLO_TRY(hlo_print_flatten(p, root, &returned, error));
  HLO_TRY(print_return(p, "stablehlo.return", &returned, error));
  p->indent--;
  p->values = outer;
  hlo_print_indent(p);
  hlo_string_add_char(p->out, '}');
  return HLO_OK;
}

// ' loc("name")' of a parameter that has one.
static hlo_status print_label(stablehlo_printer *p, const hlo_instruction *parameter,
                              hlo_error *error) {
  hlo_string label = {0};
  // Those of other computations are of no use to who runs the program, and are not read.
  if (parameter->attribute_count == 0 || parameter->computation != p->module->entry) return HLO_OK;
  if (hlo_add_label(&label, parameter)) {
    hlo_string_add(p->out, " loc(");
    hlo_print_mlir_quoted(p->out, label.text == NULL ? "" : label.text);
    hlo_string_add_char(p->out, ')');
  }
  hlo_status status = hlo_string_status(&label, error);
  hlo_string_free(&label);
  return status;
}

// "%arg0: T, %arg1: T" of new values; a function's with their attributes.
static hlo_status print_arguments(stablehlo_printer *p, const hlo_computation *computation,
                                  stablehlo_values *out, hlo_error *error) {
  HLO_TRY(hlo_print_new_list(p, computation->parameter_count, out, error));
  for (int32_t i = 0; i < computation->parameter_count; i++) {
    const stablehlo_value *argument;
    HLO_TRY(hlo_print_new_argument(p, computation->parameters[i]->shape, &argument, error));
    out->items[out->count++] = argument;
    hlo_string_add_format(p->out, i > 0 ? ", %s: " : "%s: ", argument->name);
    HLO_TRY(hlo_print_mlir_type(p, argument->shape, error));
    if (computation == p->function) HLO_TRY(hlo_print_common(p, computation->parameters[i], error));
    HLO_TRY(print_label(p, computation->parameters[i], error));
  }
  return HLO_OK;
}

hlo_status hlo_print_labelled_region(stablehlo_printer *p, const hlo_computation *computation,
                                     hlo_error *error) {
  stablehlo_values arguments;
  hlo_string_add(p->out, "{\n");
  hlo_print_indent(p);
  hlo_string_add(p->out, "^bb0(");
  HLO_TRY(print_arguments(p, computation, &arguments, error));
  hlo_string_add(p->out, "):\n");
  return hlo_print_region(p, computation, &arguments, error);
}

// --- functions ---

static hlo_status print_signature(stablehlo_printer *p, const hlo_computation *computation,
                                  stablehlo_values *arguments, hlo_error *error) {
  bool is_public = p->module->entry == NULL || computation == p->module->entry;
  hlo_print_indent(p);
  hlo_string_add_format(p->out, "func.func %s %s(", is_public ? "public" : "private",
                        p->function_names[computation->index]);
  HLO_TRY(print_arguments(p, computation, arguments, error));
  hlo_string_add_char(p->out, ')');
  const hlo_shape *const *shapes;
  hlo_token *shardings;
  int32_t count = hlo_print_result_shapes(&computation->root->shape, &shapes);
  HLO_ALLOC(shardings, &p->arena, count, error);
  bool has_shardings = hlo_print_result_shardings(computation->root, count, shardings);
  if (count > 0) hlo_string_add(p->out, count == 1 ? " -> " : " -> (");
  for (int32_t i = 0; i < count; i++) {
    if (i > 0) hlo_string_add(p->out, ", ");
    HLO_TRY(hlo_print_mlir_type(p, shapes[i], error));
    if (has_shardings)
      hlo_string_add_format(p->out, " {mhlo.sharding = \"%.*s\"}", (int)shardings[i].length,
                            shardings[i].text);
  }
  hlo_string_add(p->out, count > 1 ? ") {\n" : " {\n");
  return HLO_OK;
}

static hlo_status print_function(stablehlo_printer *p, const hlo_computation *computation,
                                 hlo_error *error) {
  stablehlo_values arguments, returned;
  const stablehlo_value *root;
  p->next_number = p->next_argument = p->next_suffix = 0;
  p->used_names = 0;
  p->function = computation;
  p->indent = 1;
  HLO_TRY(print_signature(p, computation, &arguments, error));
  p->indent = 2;
  HLO_TRY(print_body(p, computation, &arguments, &root, error));
  const hlo_shape *const *shapes;
  int32_t count = hlo_print_result_shapes(&root->shape, &shapes);
  HLO_TRY(hlo_print_new_list(p, count, &returned, error));
  for (int32_t i = 0; i < count; i++) {
    const stablehlo_value *value = root;
    bool is_list = shapes != &root->shape;
    if (is_list && root->name != NULL) {
      HLO_TRY(hlo_print_element_of(p, NULL, root, i, &value, error));
    } else if (is_list) {
      value = root->elements[i];
    }
    HLO_TRY(hlo_print_single(p, value, &returned.items[returned.count++], error));
  }
  HLO_TRY(print_return(p, "return", &returned, error));
  hlo_string_add(p->out, "  }\n");
  return HLO_OK;
}

// --- modules ---

// Marks the computations that instructions call by name: those become functions.
static void mark_called(const hlo_module *module, bool *is_called) {
  for (int32_t c = 0; c < module->computation_count; c++) {
    const hlo_computation *computation = module->computations[c];
    for (int32_t i = 0; i < computation->instruction_count; i++) {
      const hlo_instruction *x = computation->instructions[i];
      bool calls =
          x->opcode == HLO_OP_CALL || x->opcode == HLO_OP_FUSION || x->opcode == HLO_OP_CUSTOM_CALL;
      for (int32_t a = 0; calls && a < x->attribute_count; a++) {
        const hlo_attribute *attribute = &x->attributes[a];
        for (int32_t k = 0; attribute->computations != NULL && k < attribute->count; k++)
          is_called[attribute->computations[k]->index] = true;
      }
    }
  }
}

// "@name", quoted where it is no plain name.
static hlo_status symbol(stablehlo_printer *p, const char *name, const char **out,
                         hlo_error *error) {
  hlo_string text = {0};
  bool plain = name[0] == '_' || ((name[0] | 0x20) >= 'a' && (name[0] | 0x20) <= 'z');
  for (const char *c = name; *c != '\0'; c++) {
    bool valid = ((*c | 0x20) >= 'a' && (*c | 0x20) <= 'z') || (*c >= '0' && *c <= '9') ||
                 *c == '_' || *c == '.' || *c == '$';
    plain = plain && valid;
  }
  hlo_string_add_char(&text, '@');
  if (plain) hlo_string_add(&text, name);
  else hlo_print_mlir_quoted(&text, name);
  hlo_status status = hlo_string_status(&text, error);
  if (status == HLO_OK) {
    *out = hlo_arena_copy_text(&p->arena, text.text, text.length);
    if (*out == NULL) status = hlo_fail_out_of_memory(error);
  }
  hlo_string_free(&text);
  return status;
}

// The entry is @main; computation names are unique already, but another one may be called so.
static hlo_status name_functions(stablehlo_printer *p, const bool *is_called, hlo_error *error) {
  const hlo_module *module = p->module;
  hlo_name_table names = {0};
  HLO_ALLOC(p->function_names, &p->arena, module->computation_count, error);
  for (int32_t pass = 0; pass < 2; pass++) {
    for (int32_t c = 0; c < module->computation_count; c++) {
      hlo_computation *computation = module->computations[c];
      bool is_entry = computation == module->entry;
      bool is_function = is_called[c] || is_entry || computation->is_function;
      if (!is_function || is_entry != (pass == 0)) continue;
      const char *name = is_entry ? "main" : computation->name;
      HLO_TRY(hlo_name_table_add(&names, &p->arena, name, computation, &name, error));
      HLO_TRY(symbol(p, name, &p->function_names[c], error));
    }
  }
  return HLO_OK;
}

static void enqueue(stablehlo_printer *p, const hlo_computation *computation) {
  if (p->is_queued[computation->index]) return;
  p->is_queued[computation->index] = true;
  p->queue[p->queue_count++] = computation;
}

const char *hlo_print_function_name(stablehlo_printer *p, const hlo_computation *computation) {
  enqueue(p, computation);
  return p->function_names[computation->index];
}

// The function, and those that are called from what was printed, in the order of their first calls.
static hlo_status print_functions(stablehlo_printer *p, const hlo_computation *first,
                                  hlo_error *error) {
  int32_t next = p->queue_count;
  enqueue(p, first);
  while (next < p->queue_count) HLO_TRY(print_function(p, p->queue[next++], error));
  return HLO_OK;
}

// Shardy's meshes, which custom calls name: in the header as a string or as they are.
static void print_meshes(hlo_string *out, const char *header) {
  static const char key[] = "xla.sdy.meshes=";
  const char *at = header == NULL ? NULL : strstr(header, key);
  if (at == NULL) return;
  at += strlen(key);
  const char *end = strchr(at, '}');
  if (*at == '"')
    for (end = at + 1; *end != '"' && *end != '\0';) end += *end == '\\' && end[1] != '\0' ? 2 : 1;
  if (end == NULL || *end == '\0' || (*at != '"' && *at != '{')) return;
  hlo_string_add(out, " attributes {mhlo.frontend_attributes = {xla.sdy.meshes = ");
  if (*at != '"') hlo_string_add_char(out, '"');
  for (; at <= end; at++) {
    if (*at == '"' && *end == '}') hlo_string_add_char(out, '\\');
    hlo_string_add_char(out, *at);
  }
  if (*end != '"') hlo_string_add_char(out, '"');
  hlo_string_add(out, "}}");
}

static hlo_status print_module(stablehlo_printer *p, hlo_error *error) {
  const hlo_module *module = p->module;
  const char *name;
  bool *is_called;
  HLO_ALLOC(is_called, &p->arena, module->computation_count, error);
  HLO_ALLOC(p->is_queued, &p->arena, module->computation_count, error);
  HLO_ALLOC(p->queue, &p->arena, module->computation_count, error);
  mark_called(module, is_called);
  HLO_TRY(name_functions(p, is_called, error));
  HLO_TRY(symbol(p, module->name[0] != '\0' ? module->name : "module", &name, error));
  hlo_string_add_format(p->out, "module %s", name);
  print_meshes(p->out, module->attributes_text);
  hlo_string_add(p->out, " {\n");
  if (module->entry != NULL) HLO_TRY(print_functions(p, module->entry, error));
  for (int32_t c = 0; c < module->computation_count; c++) {
    const hlo_computation *computation = module->computations[c];
    bool is_first = computation->is_function && !is_called[c] && !p->is_queued[c];
    if (is_first) HLO_TRY(print_functions(p, computation, error));
  }
  hlo_string_add(p->out, "}\n");
  return hlo_string_status(p->out, error);
}

hlo_status hlo_print_stablehlo(hlo_string *out, const hlo_module *module, hlo_error *error) {
  stablehlo_printer p = {.out = out, .module = module, .instructions_left = MOST_INSTRUCTIONS};
  hlo_status status = print_module(&p, error);
  hlo_arena_free(&p.arena);
  return status;
}
