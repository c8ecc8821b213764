// Reads modules of HLO text: header, tables, the list of computations. See text.h.
#include "text/hlo/parser.h"

#include "hlo/infer/infer.h"
#include "text/text.h"

#include <string.h>

// --- header and tables ---

static hlo_status keep_text(hlo_parser *parser, const char *start, const char *end,
                            const char **out) {
  *out = hlo_arena_copy_text(&parser->module->arena, start, (size_t)(end - start));
  return *out == NULL ? hlo_fail_out_of_memory(parser->error) : HLO_OK;
}

// ", name=value, name=value" verbatim; *out stays as it is when there is no comma.
static hlo_status parse_attributes_text(hlo_parser *parser, const char **out) {
  hlo_lexer *lexer = &parser->lexer;
  hlo_lexer_skip(lexer);
  const char *start = lexer->at;
  while (hlo_lexer_accept(lexer, ",")) {
    hlo_token token;
    HLO_TRY(hlo_lexer_word(lexer, "the name of an attribute", &token));
    HLO_TRY(hlo_lexer_expect(lexer, "="));
    HLO_TRY(hlo_lexer_value(lexer, "a value", &token));
  }
  return lexer->at == start ? HLO_OK : keep_text(parser, start, lexer->at, out);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The tables that source positions refer to, verbatim: a title, then rows of a number with a string
// or a braced value.
static hlo_status parse_tables(hlo_parser *parser) {
  static const char *const titles[] = {"FileNames", "FunctionNames", "FileLocations",
                                       "StackFrames"};
  hlo_lexer *lexer = &parser->lexer;
  hlo_lexer_skip(lexer);
  const char *start = lexer->at, *end = start;
  for (int i = 0; i < 4; i++) {
    if (!hlo_lexer_accept_word(lexer, titles[i])) continue;
    char next = hlo_lexer_peek(lexer);
    if (next == '{' || next == '(') { // a computation of that name
      lexer->at = end;
      break;
    }
    while (is_digit(hlo_lexer_peek(lexer))) {
      int64_t number;
      hlo_token value;
      HLO_TRY(hlo_lexer_int(lexer, "a number", &number));
      HLO_TRY(hlo_lexer_value(lexer, "a string or a braced value", &value));
      end = lexer->at;
    }
    i = -1; // in any order
  }
  if (end == start) return HLO_OK;
  return keep_text(parser, start, end, &parser->module->tables_text);
}

static hlo_status parse_header(hlo_parser *parser) {
  hlo_lexer *lexer = &parser->lexer;
  if (!hlo_lexer_accept_word(lexer, "HloModule")) return HLO_OK;
  hlo_token name;
  HLO_TRY(hlo_lexer_name(lexer, "the module's name", &parser->scratch, &name));
  HLO_TRY(keep_text(parser, name.text, name.text + name.length, &parser->module->name));
  HLO_TRY(parse_attributes_text(parser, &parser->module->attributes_text));
  return parse_tables(parser);
}

// --- computations ---

// "(name: shape, …) -> shape", which is redundant to the body.
static hlo_status parse_signature(hlo_parser *parser, hlo_computation_record *record) {
  hlo_lexer *lexer = &parser->lexer;
  HLO_TRY(hlo_lexer_expect(lexer, "("));
  record->signature_at = lexer->at;
  if (hlo_lexer_accept(lexer, ")")) return HLO_OK;
  do {
    hlo_token name;
    const hlo_shape *shape;
    HLO_TRY(hlo_lexer_name(lexer, "the name of a parameter", &parser->scratch, &name));
    HLO_TRY(hlo_lexer_expect(lexer, ":"));
    HLO_TRY(hlo_parser_shape(parser, &parser->scratch, &shape));
    HLO_TRY(hlo_parser_push(parser, &record->parameter_shapes, (void *)(uintptr_t)shape));
  } while (hlo_lexer_accept(lexer, ","));
  return hlo_lexer_expect(lexer, ")");
}

// The computation of that name, made or, when it was used before, taken.
static hlo_status define_computation(hlo_parser *parser, hlo_token name, hlo_computation **out) {
  *out = hlo_name_table_find(&parser->module->names, name.text, name.length);
  if (*out == NULL) HLO_TRY(hlo_parser_create_computation(parser, name, out));
  hlo_computation_record *record = &parser->records[(*out)->index];
  if (record->is_defined)
    return HLO_PARSER_FAIL(parser, name.at, "computation '%.*s' is defined twice",
                           hlo_token_shown(name), name.text);
  record->is_defined = true;
  record->at = name.at;
  return HLO_OK;
}

// The signature, if there is one, and the body.
static hlo_status parse_definition(hlo_parser *parser, hlo_computation *computation) {
  hlo_lexer *lexer = &parser->lexer;
  const hlo_shape *result = NULL;
  const char *result_at = NULL;
  if (hlo_lexer_peek(lexer) == '(') {
    // On its own while it is filled: the body may move the records.
    hlo_computation_record record = parser->records[computation->index];
    HLO_TRY(parse_signature(parser, &record));
    parser->records[computation->index] = record;
    HLO_TRY(hlo_lexer_expect(lexer, "->"));
    hlo_lexer_skip(lexer);
    result_at = lexer->at;
    HLO_TRY(hlo_parser_shape(parser, &parser->scratch, &result));
  }
  HLO_TRY(hlo_parser_body(parser, computation));
  if (result == NULL) return HLO_OK;
  return hlo_parser_add_check(parser, computation->root, result, result_at);
}

// The same without reading it.
static hlo_status skip_definition(hlo_parser *parser) {
  hlo_lexer *lexer = &parser->lexer;
  hlo_token value;
  if (hlo_lexer_peek(lexer) == '(') {
    HLO_TRY(hlo_lexer_value(lexer, "parameters", &value));
    HLO_TRY(hlo_lexer_expect(lexer, "->"));
    HLO_TRY(hlo_lexer_value(lexer, "a shape", &value));
  }
  if (hlo_lexer_peek(lexer) != '{') return hlo_lexer_expected(lexer, "'{'");
  return hlo_lexer_value(lexer, "a body", &value);
}

// A computation with unknown contents is skipped, if its end can be found.
static hlo_status parse_or_pass_over(hlo_parser *parser, hlo_computation *computation,
                                     hlo_token name) {
  hlo_lexer start = parser->lexer;
  hlo_error ignored = {0};
  hlo_parser_mark mark = hlo_parser_get_mark(parser);
  hlo_status status =
      hlo_parser_name_error(parser, parse_definition(parser, computation), "computation", name);
  if (status != HLO_UNSUPPORTED) return status;
  hlo_error why = *parser->error;
  parser->lexer = start;
  parser->lexer.error = &ignored;
  hlo_lexer_skip(&parser->lexer);
  const char *text = parser->lexer.at;
  hlo_status skipped = skip_definition(parser);
  parser->lexer.error = parser->error;
  *parser->error = why;
  if (skipped != HLO_OK) return status;
  HLO_TRY(keep_text(parser, text, parser->lexer.at, &computation->unread_text));
  return hlo_parser_leave_unread(parser, computation, mark);
}

static hlo_status parse_computation(hlo_parser *parser) {
  hlo_lexer *lexer = &parser->lexer;
  hlo_lexer_skip(lexer);
  const char *start = lexer->at;
  bool is_entry = hlo_lexer_accept_word(lexer, "ENTRY");
  if (is_entry && parser->module->entry != NULL)
    return HLO_PARSER_FAIL(parser, start, "there is an ENTRY computation already");
  hlo_token name;
  hlo_computation *computation;
  HLO_TRY(hlo_lexer_name(lexer, "the name of a computation", &parser->scratch, &name));
  HLO_TRY(define_computation(parser, name, &computation));
  HLO_TRY(parse_or_pass_over(parser, computation, name));
  if (is_entry) parser->module->entry = computation;
  return parse_attributes_text(parser, &computation->attributes_text);
}

// --- the whole ---

static hlo_status check_definitions(hlo_parser *parser) {
  for (int32_t i = 0; i < parser->callees.count; i++) {
    const hlo_computation *callee = parser->callees.data[i];
    if (parser->records[callee->index].is_defined) continue;
    const char *name = callee->name;
    hlo_token token = {.text = name, .length = strlen(name)};
    return HLO_PARSER_FAIL(parser, parser->records[callee->index].at,
                           "there is no computation '%.*s'", hlo_token_shown(token), name);
  }
  return hlo_parser_leave_undefined(parser);
}

static hlo_status infer_missing_shapes(hlo_parser *parser, hlo_computation *computation) {
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    hlo_instruction *instruction = computation->instructions[i];
    if (instruction->shape == NULL)
      HLO_TRY(hlo_infer_shape(instruction, NULL, &parser->module->arena, &instruction->shape,
                              parser->error));
  }
  return HLO_OK;
}

static hlo_status check_signature(hlo_parser *parser, const hlo_computation *computation,
                                  const hlo_computation_record *record) {
  int32_t count = record->parameter_shapes.count;
  if (record->signature_at == NULL) return HLO_OK;
  if (count != computation->parameter_count)
    return HLO_PARSER_FAIL(parser, record->signature_at,
                           "the signature has %d parameters, the computation has %d", count,
                           computation->parameter_count);
  for (int32_t i = 0; i < count; i++) {
    const hlo_shape *shape = record->parameter_shapes.data[i];
    const hlo_shape *actual = computation->parameters[i]->shape;
    char declared_text[HLO_SHAPE_TEXT_SIZE], actual_text[HLO_SHAPE_TEXT_SIZE];
    if (!hlo_shape_compatible(shape, actual))
      return HLO_PARSER_FAIL(parser, record->signature_at,
                             "the signature says that parameter %d is %s, the body that it is %s",
                             i, hlo_shape_to_text(declared_text, shape),
                             hlo_shape_to_text(actual_text, actual));
  }
  return HLO_OK;
}

// The computation has its own instructions, and no stand-ins (unread.c).
static bool is_kept(const hlo_shape_check *check) {
  const hlo_instruction *x = check->instruction;
  return x->id < x->computation->instruction_count && x->computation->instructions[x->id] == x;
}

static hlo_status finish_module(hlo_parser *parser) {
  hlo_module *module = parser->module;
  HLO_TRY(check_definitions(parser));
  if (module->entry == NULL)
    module->entry = parser->computations.data[parser->computations.count - 1];
  // Must precede the sort, which changes the indices of records.
  hlo_computation_record *records = parser->records;
  hlo_computation **by_record;
  HLO_ALLOC(by_record, &parser->lists, parser->record_count, parser->error);
  for (int32_t i = 0; i < parser->record_count; i++) by_record[i] = module->computations[i];
  HLO_TRY(hlo_parser_order_computations(parser));
  HLO_TRY(hlo_parser_drop_unread(parser, by_record));
  for (int32_t i = 0; i < module->computation_count; i++) {
    hlo_computation *computation = module->computations[i];
    if (parser->has_missing_shapes) HLO_TRY(infer_missing_shapes(parser, computation));
    HLO_TRY(hlo_computation_collect_parameters(computation, parser->error));
  }
  for (int32_t i = 0; i < parser->record_count; i++)
    if (hlo_parser_has(by_record[i])) HLO_TRY(check_signature(parser, by_record[i], &records[i]));
  for (int32_t i = 0; i < parser->check_count; i++)
    if (hlo_parser_has(parser->checks[i].instruction->computation) && is_kept(&parser->checks[i]))
      HLO_TRY(hlo_parser_check(parser, &parser->checks[i]));
  return hlo_verify(module, parser->error);
}

// A program without header is named after its entry, as XLA does.
static hlo_status name_module(hlo_parser *parser) {
  hlo_string name = {0};
  hlo_string_add(&name, "module_");
  hlo_string_add(&name, parser->module->entry->name);
  hlo_status status = hlo_string_status(&name, parser->error);
  if (status == HLO_OK)
    status = keep_text(parser, name.text, name.text + name.length, &parser->module->name);
  hlo_string_free(&name);
  return status;
}

static hlo_status parse_program(hlo_parser *parser) {
  hlo_lexer *lexer = &parser->lexer;
  HLO_TRY(parse_header(parser));
  do {
    HLO_TRY(parse_computation(parser));
    hlo_lexer_skip(lexer);
  } while (lexer->at != lexer->end);
  HLO_TRY(finish_module(parser));
  return parser->module->name[0] == 0 ? name_module(parser) : HLO_OK;
}

hlo_status hlo_parse_hlo(const char *text, size_t length, hlo_module **out, hlo_error *error) {
  hlo_parser parser = {.error = error};
  HLO_TRY(hlo_source_open(&parser.source, text, length, error));
  parser.lexer = (hlo_lexer){
      .source = &parser.source, .at = parser.source.text, .end = parser.source.end, .error = error};
  HLO_TRY(hlo_module_create("", &parser.module, error));
  hlo_status status = hlo_lexer_open(&parser.lexer, &parser.source, error);
  if (status == HLO_OK) status = parse_program(&parser);
  hlo_arena_free(&parser.lists);
  hlo_arena_free(&parser.scratch);
  if (status == HLO_OK) {
    *out = parser.module;
    return HLO_OK;
  }
  hlo_source_show(&parser.source, error);
  hlo_module_destroy(parser.module);
  return status;
}
