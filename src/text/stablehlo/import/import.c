// Imports a StableHLO program: its functions become computations, their operations instructions.
// See import.h.
#include "text/stablehlo/import/import.h"

#include "hlo/infer/infer.h"
#include "text/stablehlo/import/dynamic.h"
#include "text/stablehlo/import/sizes.h"

#include <string.h>

// --- operations ---

// --- functions ---

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

// Adds the functions that the operations of the region name, at any depth of regions; of branches
// and loops only if `all`.
static hlo_status collect_calls(stablehlo_importer *im, const mlir_region *region, bool all,
                                mlir_list *calls, hlo_error *error) {
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
    for (int32_t i = 0; i < op->region_count && (all || !hlo_import_may_leave_out(op)); i++)
      HLO_TRY(collect_calls(im, op->regions[i], all, calls, error));
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

static stablehlo_function *called_function(const stablehlo_importer *im, const mlir_list *calls,
                                           int32_t i) {
  const mlir_attribute *symbol = calls->items[i];
  return hlo_name_table_find(&im->functions, symbol->text, strlen(symbol->text));
}

// What a function calls is imported, or waits for arguments as it does then.
static hlo_status finish_function(stablehlo_importer *im, stablehlo_function *function,
                                  hlo_error *error) {
  function->is_open = false;
  function->waits = hlo_import_depends_on_arguments(function->operation);
  for (int32_t i = 0; i < function->calls.count && !function->waits; i++) {
    const stablehlo_function *callee = called_function(im, &function->calls, i);
    bool has_arguments = function->operation->regions[0]->argument_count > 0;
    function->waits = callee != NULL && callee->waits && has_arguments;
  }
  if (function->waits) return HLO_OK;
  return hlo_import_whole_function(im, function, error);
}

static bool is_done(const stablehlo_function *function) {
  return function->computation != NULL || function->waits || function->left_out != NULL;
}

// Builds the call graph, and marks the functions that the entry is sure to call.
static hlo_status mark_called(stablehlo_importer *im, stablehlo_function *entry, hlo_error *error) {
  mlir_list open = {0};
  for (int32_t i = 0; i < im->order.count; i++) {
    stablehlo_function *function = im->order.items[i];
    if (!hlo_import_has_body(function)) continue;
    const mlir_region *body = function->operation->regions[0];
    HLO_TRY(collect_calls(im, body, true, &function->calls, error));
    HLO_TRY(collect_calls(im, body, false, &function->sure_calls, error));
  }
  if (entry == NULL) return HLO_OK;
  entry->is_called = true;
  HLO_TRY(hlo_mlir_list_add(im->parser, &open, entry, error));
  while (open.count > 0) {
    const mlir_list *calls = &((const stablehlo_function *)open.items[--open.count])->sure_calls;
    for (int32_t i = 0; i < calls->count; i++) {
      stablehlo_function *callee = called_function(im, calls, i);
      if (callee == NULL || callee->is_called) continue;
      callee->is_called = true;
      HLO_TRY(hlo_mlir_list_add(im->parser, &open, callee, error));
    }
  }
  return HLO_OK;
}

// Imports a function after its callees, without recursion.
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
    stablehlo_function *callee = called_function(im, &v->function->calls, v->next_call++);
    if (callee == NULL || !hlo_import_has_body(callee) || is_done(callee))
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
  const char *name = hlo_import_function_name(op);
  HLO_TRY(hlo_import_check_read(op, error));
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
    if (strncmp(name, dialects[i], strlen(dialects[i])) == 0) return true;
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
      const mlir_attribute *name = hlo_mlir_find_attribute(op, "sym_name");
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
static hlo_status select_entry(stablehlo_importer *im, stablehlo_function **out, hlo_error *error) {
  int32_t bodies = 0;
  *out = NULL;
  for (int32_t i = 0; i < im->order.count; i++) {
    stablehlo_function *function = im->order.items[i];
    if (!hlo_import_has_body(function)) continue;
    bool is_main = strcmp(hlo_import_function_name(function->operation), "main") == 0;
    if (bodies++ == 0 || is_main) *out = function;
  }
  if (bodies == 0)
    return hlo_fail_at(error, HLO_PARSE_ERROR, 1, 1, "the program has no function with a body");
  bool is_main = strcmp(hlo_import_function_name((*out)->operation), "main") == 0;
  if (bodies > 1 && !is_main) *out = NULL;
  return HLO_OK;
}

static hlo_status import_module(stablehlo_importer *im, const mlir_region *top, hlo_error *error) {
  stablehlo_function *entry;
  HLO_TRY(declare_functions(im, top, true, error));
  HLO_TRY(select_entry(im, &entry, error));
  HLO_TRY(mark_called(im, entry, error));
  im->entry = entry;
  if (entry != NULL) HLO_TRY(hlo_import_choose_platform(im, entry->operation, error));
  for (int32_t i = 0; i < im->order.count; i++) {
    stablehlo_function *function = im->order.items[i];
    if (hlo_import_has_body(function) && !is_done(function))
      HLO_TRY(import_with_callees(im, function, error));
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
