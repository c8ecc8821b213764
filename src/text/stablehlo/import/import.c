// Imports a StableHLO program: its functions become computations, their operations instructions.
// See import.h.
#include "text/stablehlo/import/import.h"

#include "hlo/infer/infer.h"
#include "text/stablehlo/import/dynamic.h"
#include "text/stablehlo/import/sizes.h"

#include <string.h>

// --- operations ---

static const char *const DIALECT = "stablehlo.";

// Regions nest, and the stack is small: what is large must not stand below the next region.
__attribute__((noinline)) static hlo_status emit_direct(stablehlo_importer *im,
                                                        const mlir_operation *op, hlo_opcode opcode,
                                                        hlo_computation *const computations[2],
                                                        hlo_error *error) {
  static const hlo_attribute_id two[] = {HLO_ATTRIBUTE_SELECT, HLO_ATTRIBUTE_SCATTER};
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t count = 0;
  hlo_instruction **operands, *instruction;
  const hlo_shape *shape;
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_promote(im, op, opcode, computations[0], operands, error));
  HLO_TRY(hlo_import_attributes(im, opcode, op, attributes, &count, error));
  for (int32_t i = 0; i < op->region_count; i++) {
    hlo_attribute_id id = op->region_count == 2 ? two[i] : HLO_ATTRIBUTE_TO_APPLY;
    HLO_TRY(hlo_attribute_make_computation(&im->module->arena, id, computations[i],
                                           &attributes[count++], error));
  }
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, opcode, shape, op->operand_count, operands, count, attributes,
                          &instruction, error));
  return hlo_import_set_results(im, op, instruction, error);
}

// The one rule for most operations: their HLO counterpart with the same operands, regions as
// computations, attributes by the table.
static hlo_status import_direct(stablehlo_importer *im, const mlir_operation *op, hlo_opcode opcode,
                                hlo_error *error) {
  hlo_computation *computations[2] = {NULL, NULL};
  if (op->region_count > 2)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has %d regions", op->region_count);
  for (int32_t i = 0; i < op->region_count; i++)
    HLO_TRY(hlo_import_reducer(im, op, i, &computations[i], error));
  return emit_direct(im, op, opcode, computations, error);
}

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool is_quantized(const mlir_operation *op) {
  for (int32_t i = 0; i < op->operand_count; i++)
    if (op->operands[i]->type->quantization != NULL) return true;
  for (int32_t i = 0; i < op->result_count; i++)
    if (op->results[i].type->quantization != NULL) return true;
  return false;
}

// All that the operation says was read. A reason why it was not names the operation where that is
// what is not known.
static hlo_status check_read(const mlir_operation *op, hlo_error *error) {
  size_t length;
  const char *why = hlo_mlir_unread_attribute(op, &length);
  if (why == NULL) return HLO_OK;
  if (hlo_mlir_find(op, "unread") == NULL)
    return hlo_import_fail(op, HLO_UNSUPPORTED, error, "%.*s", (int)length, why);
  return hlo_fail_at(error, HLO_UNSUPPORTED, op->line, op->column, "%.*s", (int)length, why);
}

static hlo_status import_operation(stablehlo_importer *im, const mlir_operation *op,
                                   hlo_error *error) {
  im->operation = op;
  HLO_TRY(check_read(op, error));
  if (is_quantized(op)) {
    HLO_TRY(hlo_import_check_quantized(im, op, error));
    if (hlo_import_computes_quantized(op)) return hlo_import_quantized(im, op, error);
  }
  hlo_import_function *special = hlo_import_special(op->name);
  if (special != NULL) return special(im, op, error);
  if (hlo_sizes_is(op->name)) return hlo_import_sizes(im, op, error);
  if (starts_with(op->name, "chlo.")) return hlo_import_chlo(im, op, error);
  if (starts_with(op->name, "check.") || starts_with(op->name, "interpreter."))
    return hlo_import_check(im, op, error);
  if (starts_with(op->name, DIALECT)) {
    const char *name = op->name + strlen(DIALECT);
    hlo_opcode opcode = hlo_op_from_stablehlo_name(name, strlen(name));
    if (opcode != HLO_OP_COUNT) return import_direct(im, op, opcode, error);
  }
  return hlo_import_fail(op, HLO_UNSUPPORTED, error, "this operation is not supported");
}

hlo_status hlo_import_operation(stablehlo_importer *im, const mlir_operation *op,
                                hlo_error *error) {
  int32_t first = im->computation->instruction_count;
  HLO_TRY(import_operation(im, op, error));
  return hlo_import_common_of(im, op, first, error);
}

hlo_status hlo_import_operations(stablehlo_importer *im, const mlir_region *region,
                                 hlo_error *error) {
  for (const mlir_operation *op = region->first; op != NULL && op->next != NULL; op = op->next)
    HLO_TRY(hlo_import_operation(im, op, error));
  return HLO_OK;
}

hlo_status hlo_import_finish(stablehlo_importer *im, const mlir_region *region,
                             const char *terminator, hlo_error *error) {
  const mlir_operation *last = region->last;
  hlo_instruction **operands;
  bool ends = last != NULL && (strcmp(last->name, terminator) == 0 ||
                               strcmp(last->name, "stablehlo.return") == 0); // in functions too
  if (!ends) {
    const mlir_operation *at = last != NULL ? last : im->operation;
    return hlo_import_fail(at, HLO_PARSE_ERROR, error, "the region does not end with %s",
                           terminator);
  }
  im->operation = last;
  HLO_TRY(hlo_import_operands(im, last, &operands, error));
  HLO_TRY(hlo_import_tuple(im, last->operand_count, operands, &im->computation->root, error));
  HLO_TRY(hlo_computation_collect_parameters(im->computation, error));
  return hlo_mlir_list_add(im->parser, &im->finished, im->computation, error);
}

// --- functions ---

// A declaration has none; in generic form that is a region without operations, and it is private.
static bool has_body(const stablehlo_function *function) {
  const mlir_operation *op = function->operation;
  const mlir_attribute *visibility = hlo_mlir_find(op, "sym_visibility");
  bool is_private = visibility != NULL && visibility->kind == MLIR_STRING &&
                    strcmp(visibility->text, "private") == 0;
  return op->region_count > 0 && !(is_private && op->regions[0]->first == NULL);
}

hlo_status hlo_import_find_function(stablehlo_importer *im, const mlir_operation *op,
                                    const mlir_attribute *symbol, stablehlo_function **out,
                                    hlo_error *error) {
  if (symbol == NULL || symbol->kind != MLIR_SYMBOL)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "names no function");
  *out = hlo_name_table_find(&im->functions, symbol->text, strlen(symbol->text));
  if (*out == NULL) {
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "there is no function @%.*s", 200,
                           symbol->text);
  }
  if ((*out)->is_left_out)
    return hlo_import_fail(op, HLO_UNSUPPORTED, error, "the function @%.*s cannot be read", 200,
                           symbol->text);
  if (!has_body(*out)) {
    return hlo_import_fail(op, HLO_UNSUPPORTED, error, "the function @%.*s has no body", 200,
                           symbol->text);
  }
  return HLO_OK;
}

static const char *function_name(const mlir_operation *op) {
  const mlir_attribute *name = hlo_mlir_find(op, "sym_name");
  return name != NULL && name->text != NULL ? name->text : "";
}

// What the argument's location calls it: the parameter's name in the program that was exported, as
// XLA keeps it.
static hlo_status add_label(stablehlo_importer *im, const mlir_value *argument,
                            hlo_instruction *parameter, hlo_error *error) {
  const char *name = argument->location == NULL ? NULL : argument->location->text;
  hlo_string text = {0};
  if (name == NULL || name[0] == '\0' || argument->location->kind != MLIR_OTHER) return HLO_OK;
  hlo_string_add(&text, "{op_name=");
  hlo_import_add_quoted(&text, name);
  hlo_string_add_char(&text, '}');
  const char *kept;
  HLO_TRY(hlo_import_keep(im, &text, &kept, error));
  HLO_ALLOC(parameter->attributes, &im->module->arena, 1, error);
  parameter->attributes[parameter->attribute_count++] =
      hlo_attribute_make_text(HLO_ATTRIBUTE_METADATA, kept);
  return HLO_OK;
}

// shapes may be NULL.
static hlo_status add_parameters(stablehlo_importer *im, const mlir_operation *op,
                                 const mlir_region *region, const hlo_shape *const *shapes,
                                 hlo_error *error) {
  for (int32_t i = 0; i < region->argument_count; i++) {
    hlo_instruction *parameter;
    const hlo_shape *shape;
    char buffer[100];
    const char *name = hlo_import_name_from(region->arguments[i].name, buffer, sizeof buffer);
    if (shapes != NULL) HLO_TRY(hlo_shape_copy(&im->module->arena, shapes[i], &shape, error));
    else HLO_TRY(hlo_import_value_shape(op, &region->arguments[i], &shape, error));
    HLO_TRY(hlo_instruction_create(im->computation, HLO_OP_PARAMETER, name, shape, 0, NULL, 0, NULL,
                                   &parameter, error));
    parameter->parameter_number = i;
    parameter->line = op->line;
    parameter->column = op->column;
    region->arguments[i].instruction = parameter;
    if (im->entry != NULL && im->entry->operation == op)
      HLO_TRY(add_label(im, &region->arguments[i], parameter, error));
    HLO_TRY(hlo_import_argument_attributes(im, op, i, parameter, error));
  }
  return HLO_OK;
}

// The values that the function returns are those of its type.
static hlo_status check_return(const mlir_operation *op, hlo_error *error) {
  const mlir_attribute *attribute = hlo_mlir_find(op, "function_type");
  const mlir_region *region = op->regions[0];
  const mlir_type *type = attribute == NULL ? NULL : attribute->type;
  if (type == NULL || type->kind != MLIR_TYPE_FUNCTION)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has no function type");
  bool same = type->input_count == region->argument_count;
  for (int32_t i = 0; same && i < type->input_count; i++)
    same = hlo_mlir_same_type(type->inputs[i], region->arguments[i].type);
  if (!same)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "the arguments are not those of its type");
  const mlir_operation *last = region->last;
  if (last == NULL || strcmp(last->name, "func.return") != 0) return HLO_OK; // found later
  if (type->result_count != last->operand_count) {
    return hlo_import_fail(last, HLO_PARSE_ERROR, error,
                           "returns %d values, the function's type has %d", last->operand_count,
                           type->result_count);
  }
  for (int32_t i = 0; i < type->result_count; i++) {
    if (!hlo_mlir_same_type(type->results[i], last->operands[i]->type))
      return hlo_import_fail(last, HLO_PARSE_ERROR, error,
                             "value %d has another type than the function's result", i);
  }
  return HLO_OK;
}

// The body was read.
static hlo_status check_body(const mlir_operation *op, hlo_error *error) {
  const mlir_operation *first = op->regions[0]->first;
  if (first == NULL || strcmp(first->name, MLIR_UNREAD_BODY) != 0) return HLO_OK;
  const mlir_attribute *why = hlo_mlir_find(first, "unread");
  size_t length = 0;
  const char *text = why == NULL ? "" : why->text;
  if (why != NULL && why->kind == MLIR_DIALECT)
    text = hlo_mlir_unread_reason(why->at, why->source_length, &length);
  else if (text != NULL) length = strlen(text);
  return hlo_fail_at(error, HLO_UNSUPPORTED, first->line, first->column, "%.*s", (int)length,
                     text == NULL ? "" : text);
}

hlo_status hlo_import_function_for(stablehlo_importer *im, stablehlo_function *function,
                                   const hlo_shape *const *shapes, const stablehlo_known *values,
                                   hlo_computation **out, hlo_error *error) {
  const mlir_operation *op = function->operation;
  const mlir_region *region = op->regions[0];
  char buffer[200];
  const char *name = hlo_import_name_from(function_name(op), buffer, sizeof buffer);
  HLO_TRY(check_body(op, error));
  HLO_TRY(check_return(op, error));
  HLO_TRY(hlo_computation_create(im->module, name == NULL ? "function" : name, &im->computation,
                                 error));
  im->computation->is_function = true;
  *out = im->computation;
  im->operation = op;
  HLO_TRY(add_parameters(im, op, region, shapes, error));
  if (values != NULL) {
    stablehlo_environment *environment;
    HLO_TRY(hlo_import_environment(im, im->computation, &environment, error));
    environment->parameters = values;
  }
  HLO_TRY(hlo_import_operations(im, region, error));
  HLO_TRY(hlo_import_finish(im, region, "func.return", error));
  return hlo_import_result_attributes(im, op, region->last->operand_count, (*out)->root, error);
}

hlo_status hlo_import_whole_function(stablehlo_importer *im, stablehlo_function *function,
                                     hlo_error *error) {
  int32_t finished = im->finished.count;
  hlo_status status =
      hlo_import_function_for(im, function, NULL, NULL, &function->computation, error);
  if (status != HLO_UNSUPPORTED || im->entry == NULL || function->is_reached || error == NULL)
    return status;
  hlo_error_clear(error);
  im->finished.count = finished;
  function->computation = NULL;
  function->is_left_out = true;
  return HLO_OK;
}

// --- the order of functions ---

// The names in an attribute: a symbol or string, a list of them, a list of such lists.
static hlo_status add_calls(stablehlo_importer *im, mlir_attribute *a, int32_t levels,
                            mlir_list *calls, hlo_error *error) {
  if (a->kind == MLIR_SYMBOL || a->kind == MLIR_STRING)
    return hlo_mlir_list_add(im->parser, calls, a, error);
  for (int32_t k = 0; levels > 0 && a->kind == MLIR_ARRAY && k < a->count; k++)
    HLO_TRY(add_calls(im, a->elements[k], levels - 1, calls, error));
  return HLO_OK;
}

// Adds the functions that the operations of the region name, at any depth of regions.
static hlo_status find_calls(stablehlo_importer *im, const mlir_region *region, mlir_list *calls,
                             hlo_error *error) {
  static const char *const names[] = {"callee", "decomposition", "called_computations", "programs",
                                      "infeed"};
  for (const mlir_operation *op = region->first; op != NULL; op = op->next) {
    size_t count = strcmp(op->name, "interpreter.run_parallel") == 0 ? 5 : 3;
    for (int32_t i = 0; i < op->attribute_count; i++) {
      for (size_t n = 0; n < count; n++) {
        if (strcmp(op->attributes[i].name, names[n]) == 0)
          HLO_TRY(add_calls(im, op->attributes[i].value, 2, calls, error));
      }
    }
    for (int32_t i = 0; i < op->region_count; i++)
      HLO_TRY(find_calls(im, op->regions[i], calls, error));
  }
  return HLO_OK;
}

typedef struct visit {
  stablehlo_function *function;
  int32_t next_call;
} visit;

static hlo_status open_function(stablehlo_importer *im, stablehlo_function *function,
                                mlir_list *path, hlo_error *error) {
  visit *v;
  HLO_ALLOC(v, &im->parser->tree, 1, error);
  v->function = function;
  function->is_open = true;
  return hlo_mlir_list_add(im->parser, path, v, error);
}

static stablehlo_function *called_function(const stablehlo_importer *im,
                                           const stablehlo_function *caller, int32_t i) {
  const mlir_attribute *symbol = caller->calls.items[i];
  return hlo_name_table_find(&im->functions, symbol->text, strlen(symbol->text));
}

// What a function calls is imported, or waits for arguments as it does then.
static hlo_status finish_function(stablehlo_importer *im, stablehlo_function *function,
                                  hlo_error *error) {
  function->is_open = false;
  function->waits = hlo_import_depends_on_arguments(function->operation);
  for (int32_t i = 0; i < function->calls.count && !function->waits; i++) {
    const stablehlo_function *callee = called_function(im, function, i);
    bool has_arguments = function->operation->regions[0]->argument_count > 0;
    function->waits = callee != NULL && callee->waits && has_arguments;
  }
  if (function->waits) return HLO_OK;
  return hlo_import_whole_function(im, function, error);
}

static bool is_done(const stablehlo_function *function) {
  return function->computation != NULL || function->waits || function->is_left_out;
}

// Finds the calls of all functions, and what the entry reaches by them.
static hlo_status find_reached(stablehlo_importer *im, stablehlo_function *entry,
                               hlo_error *error) {
  mlir_list open = {0};
  for (int32_t i = 0; i < im->order.count; i++) {
    stablehlo_function *function = im->order.items[i];
    if (has_body(function))
      HLO_TRY(find_calls(im, function->operation->regions[0], &function->calls, error));
  }
  if (entry == NULL) return HLO_OK;
  entry->is_reached = true;
  HLO_TRY(hlo_mlir_list_add(im->parser, &open, entry, error));
  while (open.count > 0) {
    const stablehlo_function *function = open.items[--open.count];
    for (int32_t i = 0; i < function->calls.count; i++) {
      stablehlo_function *callee = called_function(im, function, i);
      if (callee == NULL || callee->is_reached) continue;
      callee->is_reached = true;
      HLO_TRY(hlo_mlir_list_add(im->parser, &open, callee, error));
    }
  }
  return HLO_OK;
}

// Imports what a function calls, then itself, without recursion.
static hlo_status import_with_callees(stablehlo_importer *im, stablehlo_function *function,
                                      hlo_error *error) {
  mlir_list path = {0};
  HLO_TRY(open_function(im, function, &path, error));
  while (path.count > 0) {
    visit *v = path.items[path.count - 1];
    if (v->next_call == v->function->calls.count) {
      HLO_TRY(finish_function(im, v->function, error));
      path.count--;
      continue;
    }
    const mlir_attribute *symbol = v->function->calls.items[v->next_call];
    stablehlo_function *callee = called_function(im, v->function, v->next_call++);
    if (callee == NULL || !has_body(callee) || is_done(callee))
      continue; // errors are the calling operation's
    if (callee->is_open) {
      return hlo_mlir_fail_at(im->parser, symbol->at, HLO_UNSUPPORTED, error,
                              "@%.*s calls itself: recursion is not supported", 200, symbol->text);
    }
    HLO_TRY(open_function(im, callee, &path, error));
  }
  return HLO_OK;
}

// --- modules ---

static hlo_status declare_function(stablehlo_importer *im, const mlir_operation *op,
                                   hlo_error *error) {
  const char *name = function_name(op);
  HLO_TRY(check_read(op, error));
  if (name[0] == '\0') return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has no name");
  if (hlo_name_table_find(&im->functions, name, strlen(name)) != NULL) {
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "@%.*s is defined a second time", 200, name);
  }
  stablehlo_function *function;
  HLO_ALLOC(function, &im->parser->tree, 1, error);
  function->operation = op;
  HLO_TRY(hlo_mlir_list_add(im->parser, &im->order, function, error));
  return hlo_name_table_add(&im->functions, &im->parser->tree, name, function, &name, error);
}

static bool has_function(const mlir_region *region) {
  for (const mlir_operation *op = region->first; op != NULL; op = op->next)
    if (strcmp(op->name, "func.func") == 0) return true;
  return false;
}

static bool is_known_dialect(const char *name) {
  static const char *const dialects[] = {"builtin.", "func.",  "stablehlo.",
                                         "chlo.",    "check.", "sdy."};
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
    if (starts_with(name, dialects[i])) return true;
  return false;
}

static hlo_status declare_functions(stablehlo_importer *im, const mlir_region *region, bool is_top,
                                    hlo_error *error) {
  for (const mlir_operation *op = region->first; op != NULL; op = op->next) {
    if (strcmp(op->name, "func.func") == 0) {
      HLO_TRY(declare_function(im, op, error));
    } else if (is_top && strcmp(op->name, "builtin.module") == 0) {
      if (region->first != op || op->next != NULL || op->region_count != 1)
        return hlo_import_fail(op, HLO_UNSUPPORTED, error,
                               "a module must be all of the text; modules in one file are told "
                               "apart by lines '// -----'");
      HLO_TRY(declare_functions(im, op->regions[0], false, error));
      HLO_TRY(hlo_import_module_attributes(im, op, error));
      const mlir_attribute *name = hlo_mlir_find(op, "sym_name");
      char buffer[200];
      const char *text = name == NULL || name->text == NULL || name->kind == MLIR_DIALECT
                             ? NULL
                             : hlo_import_name_from(name->text, buffer, sizeof buffer);
      if (text == NULL) continue;
      im->module->name = hlo_arena_copy_text(&im->module->arena, text, strlen(text));
      if (im->module->name == NULL) return hlo_fail_out_of_memory(error);
    } else if (strcmp(op->name, "builtin.module") == 0) {
      // Its functions have names of their own, which nothing outside can call.
      if (op->region_count == 1 && !has_function(region))
        HLO_TRY(declare_functions(im, op->regions[0], false, error));
    } else if (strcmp(op->name, "sdy.mesh") == 0) {
      HLO_TRY(hlo_mlir_list_add(im->parser, &im->meshes, (void *)op, error));
    } else if (!is_known_dialect(op->name)) {
      continue; // what it is, operations say that are not known either
    } else {
      return hlo_import_fail(op, HLO_UNSUPPORTED, error, "is not supported outside of functions");
    }
  }
  return HLO_OK;
}

// Callees before callers, in the order in which they were finished.
static void order_computations(stablehlo_importer *im) {
  im->module->computation_count =
      im->finished.count; // of functions that were left out there are more
  for (int32_t i = 0; i < im->finished.count; i++) {
    im->module->computations[i] = im->finished.items[i];
    im->module->computations[i]->index = i;
  }
}

// @main, or the only function with a body; NULL: there are several.
static hlo_status find_entry(stablehlo_importer *im, stablehlo_function **out, hlo_error *error) {
  int32_t bodies = 0;
  *out = NULL;
  for (int32_t i = 0; i < im->order.count; i++) {
    stablehlo_function *function = im->order.items[i];
    if (!has_body(function)) continue;
    bool is_main = strcmp(function_name(function->operation), "main") == 0;
    if (bodies++ == 0 || is_main) *out = function;
  }
  if (bodies == 0)
    return hlo_fail_at(error, HLO_PARSE_ERROR, 1, 1, "the program has no function with a body");
  bool is_main = strcmp(function_name((*out)->operation), "main") == 0;
  if (bodies > 1 && !is_main) *out = NULL;
  return HLO_OK;
}

static hlo_status import_module(stablehlo_importer *im, const mlir_region *top, hlo_error *error) {
  stablehlo_function *entry;
  HLO_TRY(declare_functions(im, top, true, error));
  HLO_TRY(find_entry(im, &entry, error));
  HLO_TRY(find_reached(im, entry, error));
  im->entry = entry;
  if (entry != NULL) HLO_TRY(hlo_import_choose_platform(im, entry->operation, error));
  for (int32_t i = 0; i < im->order.count; i++) {
    stablehlo_function *function = im->order.items[i];
    if (has_body(function) && !is_done(function)) HLO_TRY(import_with_callees(im, function, error));
  }
  HLO_TRY(hlo_import_waiting_functions(im, entry, error));
  order_computations(im);
  if (entry != NULL) im->module->entry = entry->computation;
  return HLO_OK;
}

static hlo_status parse_and_import(stablehlo_importer *im, const char *text, size_t length,
                                   const hlo_name_table *resources, hlo_error *error) {
  mlir_region *top;
  HLO_TRY(hlo_mlir_parse(im->parser, text, length, resources, &im->module->arena, &top, error));
  HLO_TRY(import_module(im, top, error));
  return hlo_verify(im->module, error);
}

hlo_status hlo_parse_stablehlo(const char *text, size_t length, hlo_module **out,
                               hlo_error *error) {
  hlo_parse_options options = {.format = HLO_FORMAT_STABLEHLO};
  return hlo_parse_stablehlo_with(text, length, &options, out, error);
}

hlo_status hlo_parse_stablehlo_with(const char *text, size_t length,
                                    const hlo_parse_options *options, hlo_module **out,
                                    hlo_error *error) {
  return hlo_import_text(text, length, NULL, options, out, error);
}

hlo_status hlo_import_text(const char *text, size_t length, const hlo_name_table *resources,
                           const hlo_parse_options *options, hlo_module **out, hlo_error *error) {
  mlir_parser parser;
  stablehlo_importer im = {.parser = &parser, .options = options};
  parser = (mlir_parser){0};
  HLO_TRY(hlo_module_create("module", &im.module, error));
  hlo_status status = parse_and_import(&im, text, length, resources, error);
  if (status != HLO_OK) {
    if (error != NULL && parser.source.text != NULL) hlo_source_show(&parser.source, error);
    hlo_module_destroy(im.module);
    im.module = NULL;
  }
  hlo_mlir_close(&parser);
  *out = im.module;
  return status;
}
