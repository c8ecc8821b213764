// Computations that contain an operation, type, attribute or keyword unknown to this engine, as
// from newer versions of XLA, are skipped: an error only when the entry reaches them. Where it may
// reach them, in branches and loops, a stand-in has their place.
#include "text/unread.h"
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
      .callees = parser->callees.count,
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
  parser->callees.count = mark.callees;
  parser->check_count = mark.checks;
  parser->records[computation->index].unread = why;
  // Of the computations created since, the defined ones were inside; the others were only
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

hlo_status hlo_parser_leave_undefined(hlo_parser *parser) {
  for (int32_t i = 0; i < parser->record_count; i++) {
    hlo_computation *computation = parser->module->computations[i];
    hlo_error *why;
    if (parser->records[i].is_defined) continue;
    HLO_ALLOC(why, &parser->lists, 1, parser->error);
    HLO_PARSER_FAIL(parser, parser->records[i].at, "there is no computation '%s'",
                    computation->name);
    *why = *parser->error;
    why->status = HLO_UNSUPPORTED;
    hlo_error_clear(parser->error);
    parser->records[i].unread = why;
    HLO_TRY(hlo_parser_push(parser, &parser->computations, computation));
  }
  return HLO_OK;
}

// --- reachability from the entry ---

// What is known of each computation, by its index.
typedef struct reach {
  const hlo_error **unread; // why it cannot be called, NULL: it can
  bool *is_called;          // from the entry, or where that calls something
  bool *is_reached;         // the same, or perhaps: from a branch or a loop
} reach;

static hlo_status open_reach(hlo_parser *parser, hlo_computation *const *by_record, reach *r) {
  int32_t count = parser->module->computation_count;
  HLO_ALLOC(r->unread, &parser->lists, count, parser->error);
  HLO_ALLOC(r->is_called, &parser->lists, count, parser->error);
  HLO_ALLOC(r->is_reached, &parser->lists, count, parser->error);
  for (int32_t i = 0; i < count; i++) r->unread[by_record[i]->index] = parser->records[i].unread;
  int32_t entry = parser->module->entry->index;
  r->is_called[entry] = r->is_reached[entry] = true;
  return HLO_OK;
}

static bool may_be_left_out(const hlo_instruction *x) {
  return x->opcode == HLO_OP_CONDITIONAL || x->opcode == HLO_OP_WHILE;
}

static void mark_callees(const hlo_computation *caller, reach *r) {
  for (int32_t i = 0; i < caller->instruction_count; i++) {
    const hlo_instruction *x = caller->instructions[i];
    for (int32_t a = 0; a < x->attribute_count; a++) {
      const hlo_attribute *attribute = &x->attributes[a];
      for (int32_t k = 0; attribute->computations != NULL && k < attribute->count; k++) {
        int32_t callee = attribute->computations[k]->index;
        r->is_reached[callee] |= r->is_reached[caller->index];
        r->is_called[callee] |= r->is_called[caller->index] && !may_be_left_out(x);
      }
    }
  }
}

// What a branch takes and gives, what a loop's computations do, and a function. Others cannot be
// told without the computation's body.
static bool signature_of(const hlo_instruction *x, const hlo_attribute *callee, int32_t k,
                         const hlo_shape **result, int32_t *first, int32_t *count) {
  *first = 0;
  *count = x->operand_count;
  *result = x->shape;
  if (x->opcode == HLO_OP_CONDITIONAL) {
    *first = 1 + (callee->id == HLO_ATTRIBUTE_FALSE_COMPUTATION ? 1 : k);
    *count = 1;
  } else if (callee->id == HLO_ATTRIBUTE_CONDITION) {
    *result = hlo_shape_scalar(HLO_PRED);
  }
  bool is_known = (may_be_left_out(x) || x->opcode == HLO_OP_CALL) && *result != NULL &&
                  *first + *count <= x->operand_count;
  for (int32_t i = 0; i < *count && is_known; i++)
    is_known = x->operands[*first + i]->shape != NULL;
  return is_known;
}

static hlo_status stand_in(hlo_parser *parser, const hlo_instruction *x,
                           const hlo_attribute *attribute, int32_t k, reach *r) {
  hlo_computation *callee = attribute->computations[k];
  const hlo_shape **shapes, *result;
  int32_t first, count;
  if (!signature_of(x, attribute, k, &result, &first, &count)) return HLO_OK;
  HLO_ALLOC(shapes, &parser->lists, count, parser->error);
  for (int32_t i = 0; i < count; i++) shapes[i] = x->operands[first + i]->shape;
  callee->instruction_count = 0;
  const hlo_error *why = r->unread[callee->index];
  r->unread[callee->index] = NULL;
  return hlo_unread_stand_in(callee, count, shapes, result, why, parser->error);
}

// Stand-ins for what the computation calls where that is possible; else it is not read itself.
static hlo_status settle_callees(hlo_parser *parser, const hlo_computation *caller, reach *r) {
  for (int32_t i = 0; i < caller->instruction_count; i++) {
    const hlo_instruction *x = caller->instructions[i];
    for (int32_t a = 0; a < x->attribute_count; a++) {
      const hlo_attribute *attribute = &x->attributes[a];
      for (int32_t k = 0; attribute->computations != NULL && k < attribute->count; k++) {
        const hlo_error **why = &r->unread[attribute->computations[k]->index];
        if (*why != NULL && r->is_reached[caller->index])
          HLO_TRY(stand_in(parser, x, attribute, k, r));
        if (*why != NULL) r->unread[caller->index] = *why;
      }
    }
  }
  return HLO_OK;
}

// Callees stand before callers already, so that one pass each way sees all calls.
hlo_status hlo_parser_drop_unread(hlo_parser *parser, hlo_computation *const *by_record) {
  hlo_module *module = parser->module;
  int32_t count = module->computation_count, kept = 0;
  reach r;
  if (!parser->has_unread) return HLO_OK;
  HLO_TRY(open_reach(parser, by_record, &r));
  for (int32_t i = count - 1; i >= 0; i--) mark_callees(module->computations[i], &r);
  for (int32_t i = 0; i < count; i++) {
    if (r.unread[i] == NULL) HLO_TRY(settle_callees(parser, module->computations[i], &r));
    if (r.unread[i] == NULL || !r.is_called[i]) continue;
    *parser->error = *r.unread[i];
    return parser->error->status;
  }
  for (int32_t i = 0; i < count; i++) {
    hlo_computation *computation = module->computations[i];
    bool is_out = r.unread[i] != NULL;
    computation->index = is_out ? -1 : kept;
    if (!is_out) module->computations[kept++] = computation;
  }
  module->computation_count = kept;
  return HLO_OK;
}
