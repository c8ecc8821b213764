// Prints operations with regions or callees: reductions, loops, branches, calls, custom calls. See
// printer.h.
#include "text/stablehlo/print/printer.h"

#include <string.h>

// --- reductions ---

// Whether none of its instructions says anything besides what its operation does.
static bool is_said_by_name(const hlo_computation *computation) {
  for (int32_t k = 0; k < computation->instruction_count; k++) {
    const hlo_instruction *x = computation->instructions[k];
    for (int32_t i = 0; i < x->attribute_count; i++) {
      hlo_attribute_id id = x->attributes[i].id;
      if (!hlo_attribute_is_universal(id) || id == HLO_ATTRIBUTE_CONTROL_PREDECESSORS) return false;
    }
    if (hlo_print_has_common(x)) return false;
  }
  return true;
}

// The name of the operation when the computation is that one operation of its two parameters in
// order, one of those that MLIR's short form takes; else NULL.
static const char *applied_operation(const hlo_computation *computation) {
  static const hlo_opcode short_forms[] = {HLO_OP_ADD,     HLO_OP_MULTIPLY, HLO_OP_MAXIMUM,
                                           HLO_OP_MINIMUM, HLO_OP_AND,      HLO_OP_OR,
                                           HLO_OP_XOR};
  const hlo_instruction *root = computation->root;
  if (computation->parameter_count != 2 || computation->instruction_count != 3) return NULL;
  for (size_t i = 0; i < sizeof short_forms / sizeof *short_forms; i++) {
    if (root->opcode == short_forms[i] && root->operands[0] == computation->parameters[0] &&
        root->operands[1] == computation->parameters[1])
      return is_said_by_name(computation) ? hlo_op_get(root->opcode)->stablehlo_name : NULL;
  }
  return NULL;
}

// "reducer(%arg0: T, %arg1: T) (…) {…}": the pairs of arguments that each input has.
static hlo_status print_reducer(stablehlo_printer *p, const hlo_computation *computation,
                                hlo_error *error) {
  stablehlo_values arguments;
  int32_t inputs = computation->parameter_count / 2;
  HLO_TRY(hlo_print_new_list(p, computation->parameter_count, &arguments, error));
  for (int32_t i = 0; i < computation->parameter_count; i++) {
    const hlo_shape *shape = computation->parameters[i]->shape;
    HLO_TRY(hlo_print_new_argument(p, shape, &arguments.items[arguments.count++], error));
  }
  hlo_string_add_char(p->out, '\n');
  hlo_print_indent(p);
  hlo_string_add(p->out, " reducer");
  for (int32_t i = 0; i < 2 * inputs; i++) {
    const stablehlo_value *argument = arguments.items[i / 2 + i % 2 * inputs];
    hlo_string_add(p->out, i % 2 == 1 ? ", " : i > 0 ? " (" : "(");
    hlo_string_add_format(p->out, "%s: ", argument->name);
    HLO_TRY(hlo_print_mlir_type(p, argument->shape, error));
    if (i % 2 == 1) hlo_string_add_char(p->out, ')');
  }
  hlo_string_add(p->out, " {\n");
  return hlo_print_region(p, computation, &arguments, error);
}

hlo_status hlo_print_reduce(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values operands, results;
  const hlo_shape *const *shapes;
  const hlo_computation *computation = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  int32_t inputs = x->operand_count / 2, dimension_count;
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &dimension_count);
  HLO_TRY(hlo_print_single_operands(p, x, &operands, error));
  int32_t count = hlo_print_result_shapes(&x->shape, &shapes);
  HLO_TRY(hlo_print_begin(p, NULL, count, shapes, &results, error));
  hlo_string_add(p->out, "stablehlo.reduce");
  for (int32_t i = 0; i < inputs; i++)
    hlo_string_add_format(p->out, i > 0 ? ", (%s init: %s)" : "(%s init: %s)",
                          operands.items[i]->name, operands.items[inputs + i]->name);
  const char *applied = applied_operation(computation);
  if (applied != NULL) hlo_string_add_format(p->out, " applies stablehlo.%s", applied);
  hlo_string_add(p->out, " across dimensions = ");
  hlo_print_int_list(p->out, dimension_count, dimensions);
  HLO_TRY(hlo_print_common(p, x, error));
  hlo_string_add(p->out, " : ");
  HLO_TRY(hlo_print_function_type(p, &operands, &results, error));
  if (applied == NULL) HLO_TRY(print_reducer(p, computation, error));
  hlo_string_add_char(p->out, '\n');
  return hlo_print_set_results(p, x, &results, error);
}

// --- loops and branches: their tuples are lists of values ---

static hlo_status flat_operand(stablehlo_printer *p, const hlo_instruction *x, int32_t index,
                               stablehlo_values *out, hlo_error *error) {
  const stablehlo_value *value;
  HLO_TRY(hlo_print_operand(p, x, index, &value, error));
  HLO_TRY(hlo_print_new_list(p, hlo_shape_leaf_count(value->shape), out, error));
  return hlo_print_flatten(p, value, out, error);
}

static hlo_status begin_flat(stablehlo_printer *p, const hlo_instruction *x,
                             stablehlo_values *results, hlo_error *error) {
  const hlo_shape **shapes;
  int32_t count;
  HLO_TRY(hlo_print_leaf_shapes(p, x->shape, &count, &shapes, error));
  return hlo_print_begin(p, NULL, count, shapes, results, error);
}

// scan(%0) inits (%1) dimension=0  attributes {…} {…} : (T, T) -> (T, T)
hlo_status hlo_print_scan(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  static const hlo_attribute_id flags[] = {HLO_ATTRIBUTE_IS_ASSOCIATIVE, HLO_ATTRIBUTE_IS_REVERSE};
  stablehlo_values operands, results;
  int32_t dimensions;
  int32_t inputs = x->operand_count - (int32_t)hlo_get_int(x, HLO_ATTRIBUTE_NUM_CARRIES, 0);
  int64_t dimension = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &dimensions)[0];
  HLO_TRY(hlo_print_single_operands(p, x, &operands, error));
  stablehlo_values slices = {inputs, operands.items};
  stablehlo_values inits = {x->operand_count - inputs, operands.items + inputs};
  HLO_TRY(begin_flat(p, x, &results, error));
  hlo_string_add(p->out, "chlo.scan(");
  hlo_print_names(p->out, &slices);
  hlo_string_add(p->out, ") inits (");
  hlo_print_names(p->out, &inits);
  hlo_string_add_format(p->out, ") dimension=%lld ", (long long)dimension);
  stablehlo_dictionary dictionary = {.open = " attributes {"};
  for (int i = 0; i < 2; i++) {
    if (hlo_find_attribute(x, flags[i]) == NULL) continue;
    hlo_print_entry(p, &dictionary, hlo_attribute_name(flags[i]));
    hlo_string_add(p->out, hlo_get_int(x, flags[i], 0) != 0 ? "true" : "false");
  }
  HLO_TRY(hlo_print_close(p, x, &dictionary, error));
  hlo_string_add_char(p->out, ' ');
  HLO_TRY(hlo_print_labelled_region(p, hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY), error));
  hlo_string_add(p->out, " : ");
  HLO_TRY(hlo_print_function_type(p, &operands, &results, error));
  hlo_string_add_char(p->out, '\n');
  return hlo_print_set_results(p, x, &results, error);
}

// while(%iterArg = %0, …) : T, … cond {…} do {…}
hlo_status hlo_print_while(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values operands, results, arguments;
  HLO_TRY(flat_operand(p, x, 0, &operands, error));
  HLO_TRY(begin_flat(p, x, &results, error));
  HLO_TRY(hlo_print_new_list(p, operands.count, &arguments, error));
  hlo_string_add(p->out, "stablehlo.while(");
  for (int32_t i = 0; i < operands.count; i++) {
    const char *name;
    const stablehlo_value *argument;
    HLO_TRY(hlo_print_new_name(p, STABLEHLO_ITER_ARG, &name, error));
    HLO_TRY(hlo_print_new_value(p, name, operands.items[i]->shape, &argument, error));
    arguments.items[arguments.count++] = argument;
    hlo_string_add_format(p->out, i > 0 ? ", %s = %s" : "%s = %s", name, operands.items[i]->name);
  }
  hlo_string_add(p->out, operands.count > 0 ? ") : " : ")");
  HLO_TRY(hlo_print_mlir_types(p, &operands, error));
  stablehlo_dictionary dictionary = {.open = " attributes {"};
  HLO_TRY(hlo_print_close(p, x, &dictionary, error));
  hlo_string_add_char(p->out, '\n');
  static const hlo_attribute_id ids[] = {HLO_ATTRIBUTE_CONDITION, HLO_ATTRIBUTE_BODY};
  for (int i = 0; i < 2; i++) {
    int32_t next = 0;
    stablehlo_values carried = {1, NULL};
    HLO_ALLOC(carried.items, &p->arena, 1, error);
    HLO_TRY(hlo_print_unflatten(p, x->shape, &arguments, &next, &carried.items[0], error));
    if (i == 0) hlo_print_indent(p);
    hlo_string_add(p->out, i == 0 ? "cond {\n" : " do {\n");
    HLO_TRY(hlo_print_region(p, hlo_get_computation(x, ids[i]), &carried, error));
  }
  hlo_string_add_char(p->out, '\n');
  return hlo_print_set_results(p, x, &results, error);
}

static hlo_status print_branch(stablehlo_printer *p, const hlo_instruction *x, int32_t index,
                               const hlo_computation *branch, hlo_error *error) {
  stablehlo_values argument = {1, NULL};
  HLO_ALLOC(argument.items, &p->arena, 1, error);
  HLO_TRY(hlo_print_operand(p, x, index + 1, &argument.items[0], error));
  hlo_string_add(p->out, index > 0 ? ", {\n" : "{\n");
  return hlo_print_region(p, branch, &argument, error);
}

// "stablehlo.if"(%p) ({…}, {…}) : (tensor<i1>) -> T
hlo_status hlo_print_conditional(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  const hlo_attribute *list = hlo_find_attribute(x, HLO_ATTRIBUTE_BRANCH_COMPUTATIONS);
  hlo_computation *pair[] = {hlo_get_computation(x, HLO_ATTRIBUTE_TRUE_COMPUTATION),
                             hlo_get_computation(x, HLO_ATTRIBUTE_FALSE_COMPUTATION)};
  hlo_computation **branches = list != NULL ? list->computations : pair;
  int32_t branch_count = list != NULL ? list->count : 2;
  stablehlo_values results, index = {1, NULL};
  HLO_ALLOC(index.items, &p->arena, 1, error);
  HLO_TRY(hlo_print_operand(p, x, 0, &index.items[0], error));
  HLO_TRY(begin_flat(p, x, &results, error));
  bool is_if = index.items[0]->shape->type == HLO_PRED;
  hlo_string_add_format(p->out, "\"stablehlo.%s\"(%s) (", is_if ? "if" : "case",
                        index.items[0]->name);
  for (int32_t i = 0; i < branch_count; i++) HLO_TRY(print_branch(p, x, i, branches[i], error));
  hlo_string_add_char(p->out, ')');
  return hlo_print_finish_operation(p, x, &index, &results, error);
}

hlo_status hlo_print_barrier(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values operands, results;
  HLO_TRY(flat_operand(p, x, 0, &operands, error));
  HLO_TRY(begin_flat(p, x, &results, error));
  hlo_string_add(p->out, "stablehlo.optimization_barrier");
  HLO_TRY(hlo_print_common(p, x, error));
  hlo_string_add(p->out, operands.count > 0 ? " " : "()");
  hlo_print_names(p->out, &operands);
  if (operands.count > 0) hlo_string_add(p->out, " : ");
  HLO_TRY(hlo_print_mlir_types(p, &operands, error));
  hlo_string_add_char(p->out, '\n');
  return hlo_print_set_results(p, x, &results, error);
}

// --- calls ---

// The text after key in "{composite.attributes={…},composite.name="…",…}", up to its end.
static const char *composite_field(const char *text, const char *key, size_t *length) {
  const char *at = text == NULL ? NULL : strstr(text, key);
  if (at == NULL) return NULL;
  at += strlen(key);
  int depth = 0;
  bool quoted = false;
  for (*length = 0; at[*length] != '\0'; ++*length) {
    char c = at[*length];
    if (c == '\\' && quoted && at[*length + 1] != '\0') {
      ++*length;
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if ((c == ',' || c == '}') && depth == 0) break;
    depth += (c == '{' || c == '[' || c == '<') - (c == '}' || c == ']' || c == '>');
  }
  return at;
}

// composite "name" %0 {composite_attributes = {…}, decomposition = @f, version = 1 : i32} : …
static hlo_status print_composite(stablehlo_printer *p, const hlo_instruction *x,
                                  const char *function, hlo_error *error) {
  stablehlo_values operands, results;
  size_t name_length, inner_length = 0, version_length = 0;
  const char *text = hlo_get_text(x, HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES);
  const char *name = composite_field(text, "composite.name=", &name_length);
  const char *inner = composite_field(text, "composite.attributes=", &inner_length);
  const char *version = composite_field(text, "composite.version=\"", &version_length);
  HLO_TRY(hlo_print_begin_operation(p, x, "", &operands, &results, error));
  hlo_string_add(p->out, "stablehlo.composite ");
  hlo_string_add_bytes(p->out, name, name_length);
  if (operands.count > 0) hlo_string_add_char(p->out, ' ');
  hlo_print_names(p->out, &operands);
  stablehlo_dictionary dictionary = {0};
  if (inner != NULL && inner_length > 2) {
    hlo_print_entry(p, &dictionary, "composite_attributes");
    hlo_string_add_bytes(p->out, inner, inner_length);
  }
  hlo_print_entry(p, &dictionary, "decomposition");
  hlo_string_add(p->out, function);
  size_t digits = version == NULL ? 0 : strspn(version, "0123456789");
  hlo_print_entry(p, &dictionary, "version");
  hlo_string_add_format(p->out, "%.*s : i32", digits > 0 ? (int)digits : 1,
                        digits > 0 ? version : "0");
  HLO_TRY(hlo_print_close(p, x, &dictionary, error));
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

hlo_status hlo_print_call(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values operands, results;
  hlo_attribute_id id = x->opcode == HLO_OP_FUSION ? HLO_ATTRIBUTE_CALLS : HLO_ATTRIBUTE_TO_APPLY;
  const char *function = hlo_print_function_name(p, hlo_get_computation(x, id));
  const char *text = hlo_get_text(x, HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES);
  if (hlo_get_int(x, HLO_ATTRIBUTE_IS_COMPOSITE, 0) != 0) {
    bool has_name = text != NULL && strstr(text, "composite.name=\"") != NULL;
    return has_name ? print_composite(p, x, function, error) : hlo_print_unsupported(x, error);
  }
  HLO_TRY(hlo_print_begin_operation(p, x, "", &operands, &results, error));
  hlo_string_add_format(p->out, "func.call %s(", function);
  hlo_print_names(p->out, &operands);
  hlo_string_add_char(p->out, ')');
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

// --- custom calls ---

// After 'form = "op"' and its like of an expectation's configuration: ", tolerance = 1.0e-3}".
static const char *expectation_attributes(const char *config, const char *form) {
  size_t length = strlen(form);
  if (config == NULL || strncmp(config, form, length) != 0) return NULL;
  config += length;
  return config[0] == ',' || config[0] == '}' ? config : NULL;
}

hlo_status hlo_print_custom_call(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values operands, results;
  const char *target = hlo_get_text(x, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  const char *config = hlo_get_text(x, HLO_ATTRIBUTE_BACKEND_CONFIG);
  const char *of_op = expectation_attributes(config, "{form = \"op\"");
  const char *of_call = expectation_attributes(config, "{form = \"custom_call\"");
  if (target == NULL) return hlo_print_unsupported(x, error);
  HLO_TRY(hlo_print_begin_operation(p, x, "", &operands, &results, error));
  if (of_op != NULL) {
    hlo_print_mlir_quoted(p->out, target);
  } else {
    bool plain = strspn(target, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_.$") == strlen(target) &&
                 (target[0] | 0x20) >= 'a';
    hlo_string_add(p->out, "stablehlo.custom_call @");
    if (plain) hlo_string_add(p->out, target);
    else hlo_print_mlir_quoted(p->out, target);
  }
  hlo_string_add_char(p->out, '(');
  hlo_print_names(p->out, &operands);
  hlo_string_add_char(p->out, ')');
  if (of_call == NULL && of_op == NULL) {
    HLO_TRY(hlo_print_custom_attributes(p, x, error));
  } else {
    // Their attributes are the text, without its closing brace.
    const char *text = of_call != NULL ? of_call : of_op + (of_op[0] == ',') * 2;
    size_t length = strlen(text) - 1;
    stablehlo_dictionary dictionary = {0};
    if (of_call != NULL) hlo_print_entry(p, &dictionary, "has_side_effect");
    if (of_call != NULL) hlo_string_add(p->out, "true");
    else if (length > 0 && dictionary.count++ == 0) hlo_string_add(p->out, " {");
    hlo_string_add_bytes(p->out, text, length);
    HLO_TRY(hlo_print_close(p, x, &dictionary, error));
  }
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}
