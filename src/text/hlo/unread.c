// Computations that contain an operation, type, attribute or keyword unknown to this engine, as
// from newer versions of XLA, are skipped: an error only when the entry reaches them.
#include "text/hlo/parser.h"

#include <string.h>

hlo_status hlo_parser_name_error(hlo_parser *parser, hlo_status status, const char *what,
                                 hlo_token name) {
  hlo_error *error = parser->error, named = {0};
  if (status != HLO_UNSUPPORTED || strstr(error->message, "instruction %") != NULL ||
      strncmp(error->message, "computation %", 13) == 0)
    return status;
  hlo_fail_at(&named, status, error->line, error->column, "%s %%%.*s: %s", what,
              hlo_token_shown(name), name.text, error->message);
  *error = named;
  return status;
}

// --- leaving a computation ---

hlo_parser_mark hlo_parser_get_mark(const hlo_parser *parser) {
  return (hlo_parser_mark){
      .pointers = parser->pointers.count,
      .attributes = parser->attribute_count,
      .records = parser->record_count,
      .computations = parser->computations.count,
      .checks = parser->check_count,
  };
}

hlo_status hlo_parser_leave_unread(hlo_parser *parser, hlo_computation *computation,
                                   hlo_parser_mark mark) {
  hlo_error *why;
  HLO_ALLOC(why, &parser->lists, 1, parser->error);
  *why = *parser->error;
  hlo_error_clear(parser->error);
  parser->pointers.count = mark.pointers;
  parser->attribute_count = mark.attributes;
  parser->computations.count = mark.computations;
  parser->check_count = mark.checks;
  parser->records[computation->index].unread = why;
  // Of the instructions created since, the defined ones were inside; the others were only
  // referenced.
  for (int32_t i = mark.records; i < parser->record_count; i++) {
    hlo_computation *inner = parser->module->computations[i];
    if (!parser->records[i].is_defined || inner == computation) continue;
    parser->records[i].unread = why;
    inner->instruction_count = inner->parameter_count = 0;
    HLO_TRY(hlo_parser_push(parser, &parser->computations, inner));
  }
  computation->instruction_count = computation->parameter_count = 0;
  parser->has_unread = true;
  return hlo_parser_push(parser, &parser->computations, computation);
}

// --- reachability from the entry ---

typedef void visit_function(const hlo_computation *callee, const hlo_computation *caller,
                            bool *marked);

static void visit_callees(const hlo_computation *computation, visit_function *visit, bool *marked) {
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    for (int32_t a = 0; a < x->attribute_count; a++) {
      const hlo_attribute *attribute = &x->attributes[a];
      for (int32_t k = 0; attribute->computations != NULL && k < attribute->count; k++)
        visit(attribute->computations[k], computation, marked);
    }
  }
}

static void mark_callee(const hlo_computation *callee, const hlo_computation *caller,
                        bool *marked) {
  (void)caller;
  marked[callee->index] = true;
}

static void mark_caller(const hlo_computation *callee, const hlo_computation *caller,
                        bool *marked) {
  marked[caller->index] |= marked[callee->index];
}

// Callees stand before callers already, so that one pass each way sees all calls.
hlo_status hlo_parser_drop_unread(hlo_parser *parser, hlo_computation *const *by_record) {
  hlo_module *module = parser->module;
  int32_t count = module->computation_count, kept = 0;
  bool *is_reached, *is_out;
  if (!parser->has_unread) return HLO_OK;
  HLO_ALLOC(is_reached, &parser->lists, count, parser->error);
  HLO_ALLOC(is_out, &parser->lists, count, parser->error);
  is_reached[module->entry->index] = true;
  for (int32_t i = count - 1; i >= 0; i--)
    if (is_reached[i]) visit_callees(module->computations[i], mark_callee, is_reached);
  for (int32_t i = 0; i < count; i++) {
    const hlo_error *why = parser->records[i].unread;
    if (why == NULL) continue;
    is_out[by_record[i]->index] = true;
    if (!is_reached[by_record[i]->index]) continue;
    *parser->error = *why;
    return why->status;
  }
  for (int32_t i = 0; i < count; i++) visit_callees(module->computations[i], mark_caller, is_out);
  for (int32_t i = 0; i < count; i++) {
    hlo_computation *computation = module->computations[i];
    computation->index = is_out[i] ? -1 : kept;
    if (!is_out[i]) module->computations[kept++] = computation;
  }
  module->computation_count = kept;
  return HLO_OK;
}
