// Prints a module as StableHLO text: functions, regions, and the order of lines. See text.h and
// printer.h.
#include "text/stablehlo/print/printer.h"

#include "hlo/label.h"
#include "text/text.h"

#include <string.h>

// Computations that HLO shares among instructions are written out for each of them. What that
// multiplies beyond this is not written.
enum { MOST_INSTRUCTIONS = 1000 * 1000 };
// The type of a tuple is written in each operation that takes an element of it: some 60 MB.
enum { MOST_ELEMENTS = 4 * 1000 * 1000 };

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
    hlo_status status = hlo_print_instruction(p, x, error);
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
  stablehlo_printer p = {.out = out,
                         .module = module,
                         .elements_left = MOST_ELEMENTS,
                         .instructions_left = MOST_INSTRUCTIONS};
  hlo_status status = print_module(&p, error);
  hlo_arena_free(&p.arena);
  return status;
}
