// Serialized HLO modules: everything but the instructions. See hlo_proto.h and text.h.
#include "text/proto/hlo_proto.h"

#include "hlo/infer/infer.h"
#include "text/text.h"

#include <string.h>

enum { // of a module
  MODULE_NAME = 1,
  MODULE_ENTRY_NAME = 2,
  MODULE_COMPUTATIONS = 3,
  MODULE_SHAPE = 4,
  MODULE_ENTRY = 6,
  MODULE_SCHEDULE = 7,
  MODULE_ALIASES = 8,
  MODULE_TABLES = 17,
  MODULE_DONORS = 18,
  MODULE_FRONTEND = 19,
  MODULE_PAYLOADS = 22,
};
enum { COMPUTATION_NAME = 1, COMPUTATION_ID = 5 };

static hlo_status collect_payloads(hlo_proto *p, proto_message module) {
  proto_message rest = module, payload;
  while (hlo_proto_next_bytes(&p->reader, &rest, MODULE_PAYLOADS, &payload)) p->payload_count++;
  HLO_ALLOC(p->payloads, &p->parser.lists, p->payload_count, p->parser.error);
  for (int32_t i = 0; i < p->payload_count; i++)
    hlo_proto_next_bytes(&p->reader, &module, MODULE_PAYLOADS, &p->payloads[i]);
  return p->reader.status;
}

static hlo_status collect_schedules(hlo_proto *p, proto_message schedule) {
  enum { SEQUENCES = 1, COMPUTATION = 1, SEQUENCE = 2 };
  proto_message entry, *kept;
  while (hlo_proto_next_bytes(&p->reader, &schedule, SEQUENCES, &entry)) {
    HLO_ALLOC(kept, &p->parser.lists, 1, p->parser.error);
    *kept = hlo_proto_bytes(&p->reader, entry, SEQUENCE);
    uint64_t id = (uint64_t)hlo_proto_int(&p->reader, entry, COMPUTATION);
    HLO_TRY(hlo_proto_add_id(p, &p->schedules, id, kept, entry.at, "schedule"));
  }
  return p->reader.status;
}

// --- the header ---

// What was written, kept after what is kept already.
static hlo_status keep_written(hlo_proto *p, const char **out) {
  HLO_TRY(hlo_string_status(&p->text, p->parser.error));
  proto_message text = {p->text.text, p->text.text + p->text.length};
  if (p->reader.status != HLO_OK || p->text.length == 0) return p->reader.status;
  return hlo_proto_keep_text(p, text, out);
}

// "{0}: (0, {}, may-alias)" of results that take an argument's memory, "(2, {})" of arguments that
// are given away.
static void write_aliases(hlo_proto *p, proto_message message, bool has_results,
                          const char *title) {
  enum { ENTRIES = 1, RESULT = 1, PARAMETER = 2, PLACE = 3, KIND = 4, MUST = 2 };
  uint32_t shift = has_results ? 0 : 1;
  proto_message entry;
  const char *before = title;
  for (; hlo_proto_next_bytes(&p->reader, &message, ENTRIES, &entry); before = ", ") {
    hlo_string_add(&p->text, before);
    if (has_results) hlo_proto_write_ints(p, entry, RESULT, "{}");
    hlo_string_add_format(&p->text, "%s(%lld, ", has_results ? ": " : "",
                          (long long)hlo_proto_int(&p->reader, entry, PARAMETER - shift));
    hlo_proto_write_ints(p, entry, PLACE - shift, "{}");
    bool is_must = has_results && hlo_proto_int(&p->reader, entry, KIND) == MUST;
    hlo_string_add(&p->text, is_must ? ", must-alias)" : has_results ? ", may-alias)" : ")");
  }
  if (before != title) hlo_string_add(&p->text, " }");
}

// "(f32[2]{0}, s32[])->f32[2]{0}"
static void write_program_shape(hlo_proto *p, proto_message shape) {
  enum { PARAMETERS = 1, RESULT = 2 };
  proto_message rest = shape, parameter;
  hlo_string_add_char(&p->text, '(');
  for (const char *before = ""; hlo_proto_next_bytes(&p->reader, &rest, PARAMETERS, &parameter);
       before = ", ") {
    hlo_string_add(&p->text, before);
    hlo_proto_write_shape(p, parameter);
  }
  hlo_string_add(&p->text, ")->");
  hlo_proto_write_shape(p, hlo_proto_bytes(&p->reader, shape, RESULT));
}

static hlo_status read_header(hlo_proto *p, proto_message module) {
  hlo_string_clear(&p->text);
  if (p->schedules.count > 0) hlo_string_add(&p->text, ", is_scheduled=true");
  proto_message aliases = hlo_proto_bytes(&p->reader, module, MODULE_ALIASES);
  proto_message donors = hlo_proto_bytes(&p->reader, module, MODULE_DONORS);
  proto_message shape = hlo_proto_bytes(&p->reader, module, MODULE_SHAPE);
  proto_message frontend = hlo_proto_bytes(&p->reader, module, MODULE_FRONTEND);
  write_aliases(p, aliases, true, ", input_output_alias={ ");
  write_aliases(p, donors, false, ", buffer_donor={ ");
  if (shape.at != NULL) {
    hlo_string_add(&p->text, ", entry_computation_layout={");
    write_program_shape(p, shape);
    hlo_string_add_char(&p->text, '}');
  }
  size_t start = p->text.length;
  hlo_string_add(&p->text, ", frontend_attributes=");
  if (!hlo_proto_write_frontend(p, NULL, frontend)) hlo_proto_truncate_text(p, start);
  return keep_written(p, &p->parser.module->attributes_text);
}

// --- tables of source positions ---

typedef struct table_column {
  const char *name;
  uint8_t field, from; // from: what the text counts from, where the file counts from 0
} table_column;

static const struct {
  const char *title;
  uint8_t field;
  table_column columns[6]; // none: rows are strings
} tables[] = {
    {"FileNames", 1, {{0}}},
    {"FunctionNames", 2, {{0}}},
    {"FileLocations",
     3,
     {{"file_name_id", 1, 0},
      {"function_name_id", 2, 0},
      {"line", 3, 0},
      {"end_line", 5, 0},
      {"column", 4, 0},
      {"end_column", 6, 0}}},
    {"StackFrames", 4, {{"file_location_id", 1, 0}, {"parent_frame_id", 2, 1}}},
};

static hlo_status read_tables(hlo_proto *p, proto_message message) {
  hlo_string_clear(&p->text);
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    proto_message rest = message, row;
    size_t start = p->text.length;
    int32_t number = 0;
    hlo_string_add_format(&p->text, "%s%s\n", start > 0 ? "\n" : "", tables[i].title);
    while (hlo_proto_next_bytes(&p->reader, &rest, tables[i].field, &row)) {
      const table_column *column = tables[i].columns;
      hlo_string_add_format(&p->text, "%d ", (int)++number);
      if (column->name == NULL) hlo_proto_write_quoted(p, row);
      for (int k = 0; k < 6 && column[k].name != NULL; k++)
        hlo_string_add_format(&p->text, "%s%s=%lld", k == 0 ? "{" : " ", column[k].name,
                              (long long)hlo_proto_int(&p->reader, row, column[k].field) +
                                  column[k].from);
      hlo_string_add(&p->text, column->name == NULL ? "\n" : "}\n");
    }
    if (number == 0) hlo_proto_truncate_text(p, start);
  }
  if (p->text.length > 0) hlo_proto_truncate_text(p, p->text.length - 1); // the last line's end
  return keep_written(p, &p->parser.module->tables_text);
}

// --- the whole ---

// So that calls find the computations wherever they stand.
static hlo_status name_computations(hlo_proto *p, proto_message module) {
  proto_message computation;
  while (hlo_proto_next_bytes(&p->reader, &module, MODULE_COMPUTATIONS, &computation)) {
    hlo_computation *made;
    const char *name;
    uint64_t id = (uint64_t)hlo_proto_int(&p->reader, computation, COMPUTATION_ID);
    HLO_TRY(
        hlo_proto_keep_text(p, hlo_proto_bytes(&p->reader, computation, COMPUTATION_NAME), &name));
    HLO_TRY(hlo_computation_create(p->parser.module, name, &made, p->parser.error));
    HLO_TRY(hlo_proto_add_id(p, &p->computations, id, made, computation.at, "computation"));
  }
  return p->reader.status;
}

static hlo_status resolve_entry(hlo_proto *p, proto_message module) {
  proto_message name = hlo_proto_bytes(&p->reader, module, MODULE_ENTRY_NAME);
  uint64_t id = (uint64_t)hlo_proto_int(&p->reader, module, MODULE_ENTRY);
  hlo_computation *entry = hlo_proto_find_id(&p->computations, id);
  if (entry == NULL && hlo_proto_length(name) > 0)
    entry = hlo_name_table_find(&p->parser.module->names, name.at, hlo_proto_length(name));
  p->parser.module->entry = entry;
  if (entry != NULL || p->reader.status != HLO_OK) return p->reader.status;
  return hlo_proto_fail(&p->reader, module.at, HLO_PARSE_ERROR,
                        "no computation has the id of the module's entry, %llu",
                        (unsigned long long)id);
}

// Records say where a computation is, here nowhere, and why it was not read.
static hlo_status create_records(hlo_proto *p) {
  hlo_parser *parser = &p->parser;
  parser->record_count = parser->module->computation_count;
  HLO_ALLOC(parser->records, &parser->lists, parser->record_count, parser->error);
  return HLO_OK;
}

static hlo_status order_computations(hlo_proto *p) {
  hlo_parser *parser = &p->parser;
  hlo_computation **by_record;
  HLO_ALLOC(by_record, &parser->lists, parser->record_count, parser->error);
  for (int32_t i = 0; i < parser->record_count; i++) by_record[i] = parser->module->computations[i];
  HLO_TRY(hlo_parser_order_computations(parser));
  return hlo_parser_drop_unread(parser, by_record);
}

static hlo_status read_module(hlo_proto *p, proto_message message) {
  hlo_module *module = p->parser.module;
  proto_message rest = message, computation;
  HLO_TRY(hlo_proto_keep_text(p, hlo_proto_bytes(&p->reader, message, MODULE_NAME), &module->name));
  if (module->name == NULL) module->name = "module";
  HLO_TRY(collect_payloads(p, message));
  HLO_TRY(collect_schedules(p, hlo_proto_bytes(&p->reader, message, MODULE_SCHEDULE)));
  HLO_TRY(name_computations(p, message));
  HLO_TRY(create_records(p));
  for (int32_t i = 0; hlo_proto_next_bytes(&p->reader, &rest, MODULE_COMPUTATIONS, &computation);
       i++)
    HLO_TRY(hlo_proto_computation(p, computation, module->computations[i]));
  HLO_TRY(resolve_entry(p, message));
  HLO_TRY(read_header(p, message));
  HLO_TRY(read_tables(p, hlo_proto_bytes(&p->reader, message, MODULE_TABLES)));
  HLO_TRY(order_computations(p));
  for (int32_t i = 0; i < module->computation_count; i++)
    HLO_TRY(hlo_computation_collect_parameters(module->computations[i], p->parser.error));
  return hlo_verify(module, p->parser.error);
}

// An instruction's column is where in the file its message is.
static void relocate(hlo_error *error) {
  if (error == NULL || error->line <= 0) return;
  hlo_error located = {0};
  hlo_fail(&located, error->status, "byte %d of the file: %s", error->column - 1, error->message);
  *error = located;
}

static void forget_places(hlo_module *module) {
  for (int32_t i = 0; i < module->computation_count; i++) {
    const hlo_computation *computation = module->computations[i];
    for (int32_t k = 0; k < computation->instruction_count; k++)
      computation->instructions[k]->line = computation->instructions[k]->column = 0;
  }
}

hlo_status hlo_parse_proto(const char *bytes, size_t length, hlo_module **out, hlo_error *error) {
  hlo_proto p = {.reader = {.file = bytes, .error = error}, .length = length};
  size_t module_length;
  const char *at = hlo_find_proto(bytes, length, &module_length);
  p.parser.error = error;
  *out = NULL;
  if (at == NULL) return hlo_fail(error, HLO_PARSE_ERROR, "this is no serialized HLO module");
  if (length >= INT32_MAX)
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "the program has %zu bytes; the limit is 2 GB",
                    length);
  HLO_TRY(hlo_module_create("", &p.parser.module, error));
  hlo_status status = read_module(&p, (proto_message){at, at + module_length});
  hlo_arena_free(&p.parser.lists);
  hlo_arena_free(&p.parser.scratch);
  hlo_string_free(&p.text);
  if (status == HLO_OK) {
    forget_places(p.parser.module);
    *out = p.parser.module;
    return HLO_OK;
  }
  relocate(error);
  hlo_module_destroy(p.parser.module);
  return status;
}
