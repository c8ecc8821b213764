// MLIR's operations in their generic form, their regions, and whole files. See parser.h.
#include "text/mlir/parser.h"

#include <string.h>

// Whether a location in MLIR's form for people may be next: without "loc", on the line of what it
// belongs to. A string may also be the name of the next operation, of which operands follow.
static bool at_bare_location(const mlir_parser *p) {
  for (const char *at = p->taken; at < p->token.at; at++)
    if (*at == '\n') return false;
  int32_t kind = p->token.kind;
  if (kind != MLIR_TOKEN_STRING)
    return kind == MLIR_TOKEN_HASH || kind == '[' || kind == '/' || kind == '<';
  bool has_bracket = p->cursor < p->source.end && *p->cursor == '(';
  return !has_bracket || (p->cursor + 1 < p->source.end && strchr("#\"[/<", p->cursor[1]) != NULL);
}

// "name", "name"(#loc1), [unknown], #loc1, /path/file.py:1:2, <string>:1:2, and after each of them
// "at" and, on the next line, the location of the caller.
static hlo_status skip_bare_location(mlir_parser *p, hlo_error *error) {
  bool more = true;
  while (more) {
    bool has_bracket = false;
    int32_t kind = p->token.kind;
    if (kind == '/' || kind == '<') {
      const char *at = p->token.at;
      while (at < p->source.end && strchr("\n,)", *at) == NULL) at++;
      HLO_TRY(hlo_mlir_move_to(p, at, error));
    } else if (kind == '[' || kind == MLIR_TOKEN_STRING || kind == MLIR_TOKEN_HASH) {
      HLO_TRY(hlo_mlir_advance(p, error));
      if (kind == MLIR_TOKEN_STRING) HLO_TRY(hlo_mlir_accept(p, '(', &has_bracket, error));
      if (has_bracket || kind == '[')
        HLO_TRY(hlo_mlir_skip_to_close(p, kind == '[' ? '[' : '(', error));
    } else {
      return hlo_mlir_expected(p, "a location", error);
    }
    HLO_TRY(hlo_mlir_accept_word(p, "at", &more, error));
  }
  return HLO_OK;
}

hlo_status hlo_mlir_skip_location(mlir_parser *p, hlo_error *error) {
  if (!hlo_mlir_at_word(p, "loc"))
    return at_bare_location(p) ? skip_bare_location(p, error) : HLO_OK;
  HLO_TRY(hlo_mlir_advance(p, error));
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  return hlo_mlir_skip_to_close(p, '(', error);
}

hlo_status hlo_mlir_location(mlir_parser *p, const mlir_attribute **out, hlo_error *error) {
  mlir_attribute *location = NULL;
  bool is_bare = !hlo_mlir_at_word(p, "loc");
  *out = NULL;
  if (is_bare && !at_bare_location(p)) return HLO_OK;
  if (is_bare && p->token.kind == MLIR_TOKEN_STRING) {
    const char *at = p->token.at;
    HLO_TRY(hlo_mlir_new_attribute(p, MLIR_OTHER, &location, error));
    HLO_TRY(hlo_mlir_consume_text(p, &location->text, error));
    HLO_TRY(hlo_mlir_move_to(p, at, error));
  }
  *out = location;
  if (is_bare) return skip_bare_location(p, error);
  const char *at = p->token.at;
  HLO_TRY(hlo_mlir_advance(p, error));
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  bool is_alias = p->token.kind == MLIR_TOKEN_HASH;
  if (!is_alias) HLO_TRY(hlo_mlir_move_to(p, at, error));
  HLO_TRY(hlo_mlir_attribute(p, &location, error));
  *out = location;
  return is_alias ? hlo_mlir_expect(p, ')', error) : HLO_OK;
}

hlo_status hlo_mlir_argument(mlir_parser *p, bool with_type, mlir_value *out, hlo_error *error) {
  *out = (mlir_value){.at = p->token.at};
  if (p->token.kind != MLIR_TOKEN_VALUE) return hlo_mlir_expected(p, "a value (%name)", error);
  HLO_TRY(hlo_mlir_consume_text(p, &out->name, error));
  if (!with_type) return HLO_OK;
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  HLO_TRY(hlo_mlir_type(p, &out->type, error));
  bool has_attributes;
  HLO_TRY(hlo_mlir_accept(p, '{', &has_attributes, error));
  if (has_attributes) { // sharding, donation, what JAX passes by itself
    mlir_operation holder = {0};
    HLO_TRY(hlo_mlir_dictionary(p, &holder, error));
    out->attribute_count = holder.attribute_count;
    out->attributes = holder.attributes;
  }
  return hlo_mlir_location(p, &out->location, error);
}

hlo_status hlo_mlir_arguments(mlir_parser *p, mlir_list *out, hlo_error *error) {
  bool more;
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  HLO_TRY(hlo_mlir_accept(p, ')', &more, error));
  for (more = !more; more;) {
    mlir_value *value;
    HLO_ALLOC(value, &p->tree, 1, error);
    HLO_TRY(hlo_mlir_argument(p, true, value, error));
    HLO_TRY(hlo_mlir_list_add(p, out, value, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, ')', error));
  }
  return HLO_OK;
}

hlo_status hlo_mlir_gather_values(mlir_parser *p, const mlir_list *list, mlir_value **out,
                                  hlo_error *error) {
  HLO_ALLOC(*out, &p->tree, list->count, error);
  for (int32_t i = 0; i < list->count; i++) (*out)[i] = *(const mlir_value *)list->items[i];
  return HLO_OK;
}

hlo_status hlo_mlir_operands(mlir_parser *p, mlir_list *out, hlo_error *error) {
  bool more = p->token.kind == MLIR_TOKEN_VALUE;
  while (more) {
    mlir_value *value;
    HLO_TRY(hlo_mlir_operand(p, &value, error));
    HLO_TRY(hlo_mlir_list_add(p, out, value, error));
    more = false;
    if (p->token.kind != ',') break;
    // A comma may also lead to an attribute: "%x, dims = [0]".
    const char *comma = p->token.at;
    HLO_TRY(hlo_mlir_advance(p, error));
    more = p->token.kind == MLIR_TOKEN_VALUE;
    if (!more) HLO_TRY(hlo_mlir_move_to(p, comma, error));
  }
  return HLO_OK;
}

hlo_status hlo_mlir_finish_operands(mlir_parser *p, mlir_operation *op, const mlir_list *operands,
                                    const mlir_list *types, hlo_error *error) {
  op->operand_count = operands->count;
  op->operands = (mlir_value **)operands->items;
  if (types == NULL) return HLO_OK;
  if (types->count != operands->count) {
    return hlo_mlir_fail_at(p, op->at, HLO_PARSE_ERROR, error,
                            "%.*s has %d operands but types for %d", 100, op->name, operands->count,
                            types->count);
  }
  for (int32_t i = 0; i < operands->count; i++) {
    const mlir_type *written = types->items[i], *real = op->operands[i]->type;
    if (hlo_mlir_same_type(written, real)) continue;
    return hlo_mlir_fail_at(p, written->at, HLO_PARSE_ERROR, error,
                            "%%%.*s has the type %.*s, not %.*s", 100, op->operands[i]->name,
                            (int)(real->length < 200 ? real->length : 200), real->at,
                            (int)(written->length < 200 ? written->length : 200), written->at);
  }
  return HLO_OK;
}

hlo_status hlo_mlir_finish_results(mlir_parser *p, mlir_operation *op, int32_t count,
                                   const mlir_type *const *types, hlo_error *error) {
  op->result_count = count;
  HLO_ALLOC(op->results, &p->tree, count, error);
  for (int32_t i = 0; i < count; i++)
    op->results[i] = (mlir_value){.name = "", .at = op->at, .type = types[i], .region = p->region};
  return HLO_OK;
}

void hlo_mlir_finish_regions(mlir_operation *op, const mlir_list *regions) {
  op->region_count = regions->count;
  op->regions = (mlir_region **)regions->items;
}

hlo_status hlo_mlir_finish_function_type(mlir_parser *p, mlir_operation *op,
                                         const mlir_list *operands, hlo_error *error) {
  const mlir_type *type;
  HLO_TRY(hlo_mlir_function_type(p, &type, error));
  mlir_list inputs = {type->input_count, 0, (void **)(uintptr_t)type->inputs};
  HLO_TRY(hlo_mlir_finish_operands(p, op, operands, &inputs, error));
  return hlo_mlir_finish_results(p, op, type->result_count, type->results, error);
}

// "^bb0(%a: T):" at the start of a region; a region has one block.
static hlo_status block_label(mlir_parser *p, mlir_list *arguments, hlo_error *error) {
  HLO_TRY(hlo_mlir_advance(p, error));
  if (p->token.kind == '(') HLO_TRY(hlo_mlir_arguments(p, arguments, error));
  return hlo_mlir_expect(p, ':', error);
}

static hlo_status region_operations(mlir_parser *p, hlo_error *error) {
  const char *start = p->token.at;
  for (;;) {
    switch (p->token.kind) {
    case '}':
      return hlo_mlir_advance(p, error);
    case MLIR_TOKEN_END:
      return hlo_mlir_fail_at(p, start, HLO_PARSE_ERROR, error,
                              "the region that starts here is never closed");
    case MLIR_TOKEN_CARET:
      return hlo_mlir_fail_at(p, p->token.at, HLO_UNSUPPORTED, error,
                              "regions of several blocks are not supported");
    default:
      HLO_TRY(hlo_mlir_operation(p, error));
    }
  }
}

static hlo_status region_body(mlir_parser *p, bool is_isolated, mlir_value *arguments,
                              int32_t argument_count, mlir_region **out, hlo_error *error) {
  mlir_region *region;
  HLO_TRY(hlo_mlir_open_region(p, is_isolated, &region, error));
  if (p->token.kind == MLIR_TOKEN_CARET) {
    mlir_list labelled = {0};
    const char *at = p->token.at;
    HLO_TRY(block_label(p, &labelled, error));
    if (argument_count > 0 && labelled.count > 0) {
      return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "the region has arguments already");
    }
    if (labelled.count > 0) {
      argument_count = labelled.count;
      HLO_TRY(hlo_mlir_gather_values(p, &labelled, &arguments, error));
    }
  }
  region->argument_count = argument_count;
  region->arguments = arguments;
  for (int32_t i = 0; i < argument_count; i++) {
    arguments[i].region = region;
    HLO_TRY(hlo_mlir_define(p, &arguments[i], 1, error));
  }
  HLO_TRY(region_operations(p, error));
  hlo_mlir_close_region(p);
  *out = region;
  return HLO_OK;
}

// A body of one operation that says why there is none.
static hlo_status unread_body(mlir_parser *p, const hlo_error *why, mlir_region *region,
                              hlo_error *error) {
  mlir_operation *op;
  mlir_attribute *message;
  HLO_ALLOC(op, &p->tree, 1, error);
  op->name = MLIR_UNREAD_BODY;
  op->line = why->line;
  op->column = why->column;
  HLO_TRY(hlo_mlir_add_new_attribute(p, op, "unread", MLIR_STRING, &message, error));
  message->text = hlo_arena_copy_text(&p->tree, why->message, strlen(why->message));
  if (message->text == NULL) return hlo_fail_out_of_memory(error);
  region->first = region->last = op;
  return HLO_OK;
}

hlo_status hlo_mlir_region_body(mlir_parser *p, mlir_region_kind kind, mlir_value *arguments,
                                int32_t count, mlir_region **out, hlo_error *error) {
  const char *start = p->token.at;
  mlir_region *outer = p->region;
  int32_t depth = p->depth;
  bool is_isolated = kind != MLIR_REGION_INNER;
  hlo_error why;
  hlo_error_clear(&why);
  hlo_status status = region_body(p, is_isolated, arguments, count, out, &why);
  if (status == HLO_OK) return HLO_OK;
  if (status != HLO_UNSUPPORTED || kind == MLIR_REGION_MODULE) {
    if (error != NULL) *error = why;
    return status;
  }
  hlo_mlir_close_regions_to(p, outer);
  p->depth = depth;
  p->is_untyped = false;
  HLO_TRY(hlo_mlir_move_to(p, start, error));
  HLO_TRY(hlo_mlir_skip_to_close(p, '{', error));
  HLO_ALLOC(*out, &p->tree, 1, error);
  **out = (mlir_region){.parent = outer, .is_isolated = is_isolated, .argument_count = count};
  (*out)->arguments = arguments;
  return unread_body(p, &why, *out, error);
}

// "({…}, {…})"
static hlo_status generic_regions(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_region_kind kind = strcmp(op->name, "func.func") == 0        ? MLIR_REGION_FUNCTION
                          : strcmp(op->name, "builtin.module") == 0 ? MLIR_REGION_MODULE
                                                                    : MLIR_REGION_INNER;
  mlir_list regions = {0};
  bool more;
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  do {
    mlir_region *region;
    HLO_TRY(hlo_mlir_expect(p, '{', error));
    HLO_TRY(hlo_mlir_region_body(p, kind, NULL, 0, &region, error));
    HLO_TRY(hlo_mlir_list_add(p, &regions, region, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  } while (more);
  hlo_mlir_finish_regions(op, &regions);
  return hlo_mlir_expect(p, ')', error);
}

static hlo_status generic_operation(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0};
  bool found;
  HLO_TRY(hlo_mlir_consume_text(p, &op->name, error));
  HLO_TRY(hlo_stablehlo_rename(p, op, error));
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  HLO_TRY(hlo_mlir_operands(p, &operands, error));
  HLO_TRY(hlo_mlir_expect(p, ')', error));
  if (p->token.kind == '[') {
    return hlo_mlir_fail_at(p, p->token.at, HLO_UNSUPPORTED, error,
                            "branches to blocks are not supported");
  }
  HLO_TRY(hlo_mlir_accept(p, '<', &found, error));
  if (found) {
    HLO_TRY(hlo_mlir_expect(p, '{', error));
    HLO_TRY(hlo_mlir_dictionary(p, op, error));
    HLO_TRY(hlo_mlir_expect(p, '>', error));
  }
  if (p->token.kind == '(') HLO_TRY(generic_regions(p, op, error));
  HLO_TRY(hlo_mlir_accept(p, '{', &found, error));
  if (found) HLO_TRY(hlo_mlir_dictionary(p, op, error));
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  return hlo_mlir_finish_function_type(p, op, &operands, error);
}

static hlo_status pretty_operation(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  HLO_TRY(hlo_mlir_consume_text(p, &op->name, error));
  if (strchr(op->name, '.') == NULL) { // "return", "call", "module"
    const char *dialect = strcmp(op->name, "module") == 0 ? "builtin." : "func.";
    size_t prefix = strlen(dialect), length = strlen(op->name);
    char *name;
    HLO_ALLOC(name, &p->tree, prefix + length + 1, error);
    memcpy(name, dialect, prefix);
    memcpy(name + prefix, op->name, length);
    op->name = name;
  }
  HLO_TRY(hlo_stablehlo_rename(p, op, error));
  return hlo_stablehlo_pretty(p, op, error);
}

typedef struct result_name {
  const char *name, *at;
  int64_t count;
} result_name;

// "%a, %b:2 ="
static hlo_status result_names(mlir_parser *p, mlir_list *names, hlo_error *error) {
  bool more = p->token.kind == MLIR_TOKEN_VALUE;
  if (!more) return HLO_OK;
  while (more) {
    result_name *name;
    bool counted;
    HLO_ALLOC(name, &p->tree, 1, error);
    name->at = p->token.at;
    name->count = 1;
    if (p->token.kind != MLIR_TOKEN_VALUE) return hlo_mlir_expected(p, "a value (%name)", error);
    HLO_TRY(hlo_mlir_consume_text(p, &name->name, error));
    HLO_TRY(hlo_mlir_accept(p, ':', &counted, error));
    if (counted) HLO_TRY(hlo_mlir_integer(p, &name->count, error));
    HLO_TRY(hlo_mlir_list_add(p, names, name, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  }
  return hlo_mlir_expect(p, '=', error);
}

static hlo_status define_results(mlir_parser *p, mlir_operation *op, const mlir_list *names,
                                 hlo_error *error) {
  if (names->count == 0) return HLO_OK;
  int32_t defined = 0;
  for (int32_t i = 0; i < names->count; i++) {
    const result_name *name = names->items[i];
    if (name->count < 1 || name->count > op->result_count - defined) {
      defined = -1;
      break;
    }
    for (int64_t j = 0; j < name->count; j++) {
      op->results[defined + j].name = name->name;
      op->results[defined + j].at = name->at;
    }
    HLO_TRY(hlo_mlir_define(p, &op->results[defined], (int32_t)name->count, error));
    defined += (int32_t)name->count;
  }
  if (defined == op->result_count) return HLO_OK;
  return hlo_mlir_fail_at(p, op->at, HLO_PARSE_ERROR, error,
                          "%.*s has %d results; the names before it are for another number", 100,
                          op->name, op->result_count);
}

hlo_status hlo_mlir_operation(mlir_parser *p, hlo_error *error) {
  mlir_operation *op;
  mlir_list names = {0};
  HLO_TRY(hlo_mlir_enter(p, error));
  HLO_ALLOC(op, &p->tree, 1, error);
  HLO_TRY(result_names(p, &names, error));
  op->at = p->token.at;
  hlo_source_locate(&p->source, op->at, &op->line, &op->column);
  if (p->token.kind == MLIR_TOKEN_STRING) HLO_TRY(generic_operation(p, op, error));
  else if (p->token.kind == MLIR_TOKEN_WORD) HLO_TRY(pretty_operation(p, op, error));
  else return hlo_mlir_expected(p, "an operation", error);
  HLO_TRY(hlo_mlir_skip_location(p, error));
  HLO_TRY(define_results(p, op, &names, error));
  mlir_region *region = p->region;
  if (region->last == NULL) region->first = op;
  else region->last->next = op;
  region->last = op;
  p->depth--;
  return HLO_OK;
}

// MLIR calls locations so: "loc", "loc12".
static bool is_location_name(const char *name) {
  return strncmp(name, "loc", 3) == 0 && name[3 + strspn(name + 3, "0123456789")] == '\0';
}

// "#name = attribute" and "!name = type".
static hlo_status alias_definition(mlir_parser *p, hlo_error *error) {
  bool is_type = p->token.kind == MLIR_TOKEN_EXCLAMATION;
  const char *name, *at = p->token.at;
  HLO_TRY(hlo_mlir_consume_text(p, &name, error));
  HLO_TRY(hlo_mlir_expect(p, '=', error));
  hlo_name_table *table = is_type ? &p->type_aliases : &p->attribute_aliases;
  void *known = hlo_name_table_find(table, name, strlen(name));
  if (known != NULL && (is_type || ((mlir_attribute *)known)->kind != MLIR_UNRESOLVED)) {
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error, "%c%.*s is defined a second time", *at,
                            100, name);
  }
  void *value;
  if (!is_type && is_location_name(name) && !hlo_mlir_at_word(p, "loc")) {
    return skip_bare_location(p, error);
  } else if (is_type) {
    const mlir_type *type;
    HLO_TRY(hlo_mlir_type(p, &type, error));
    value = (void *)(uintptr_t)type;
  } else {
    mlir_attribute *attribute;
    HLO_TRY(hlo_mlir_attribute(p, &attribute, error));
    if (known != NULL) *(mlir_attribute *)known = *attribute;
    value = attribute;
  }
  return known != NULL ? HLO_OK : hlo_name_table_add(table, &p->tree, name, value, &name, error);
}

static hlo_status check_aliases(mlir_parser *p, hlo_error *error) {
  const mlir_attribute *first = NULL;
  for (int32_t i = 0; i < p->attribute_aliases.capacity; i++) {
    const hlo_name_entry *e = &p->attribute_aliases.entries[i];
    const mlir_attribute *attribute = e->name == NULL ? NULL : e->value;
    if (attribute == NULL || attribute->kind != MLIR_UNRESOLVED) continue;
    if (first == NULL || attribute->at < first->at) first = attribute;
  }
  if (first == NULL) return HLO_OK;
  return hlo_mlir_fail_at(p, first->at, HLO_PARSE_ERROR, error, "#%.*s is not defined", 100,
                          first->text);
}

static hlo_status top_level(mlir_parser *p, hlo_error *error) {
  for (;;) {
    switch (p->token.kind) {
    case MLIR_TOKEN_END:
      return HLO_OK;
    case MLIR_TOKEN_HASH:
    case MLIR_TOKEN_EXCLAMATION:
      HLO_TRY(alias_definition(p, error));
      break;
    case MLIR_TOKEN_FILE_BEGIN:
      HLO_TRY(hlo_mlir_advance(p, error));
      HLO_TRY(hlo_mlir_resources(p, error));
      break;
    default:
      HLO_TRY(hlo_mlir_operation(p, error));
    }
  }
}

hlo_status hlo_mlir_parse(mlir_parser *p, const char *text, size_t length,
                          const hlo_name_table *resources, hlo_arena *shapes, mlir_region **top,
                          hlo_error *error) {
  *p = (mlir_parser){.shapes = shapes};
  if (resources != NULL) p->resources = *resources;
  HLO_TRY(hlo_source_open(&p->source, text, length, error));
  p->cursor = p->source.text;
  HLO_TRY(hlo_mlir_advance(p, error));
  HLO_TRY(hlo_mlir_open_region(p, true, top, error));
  HLO_TRY(top_level(p, error));
  HLO_TRY(check_aliases(p, error));
  HLO_TRY(hlo_mlir_resolve_resources(p, error));
  hlo_mlir_close_region(p);
  return HLO_OK;
}

void hlo_mlir_close(mlir_parser *p) { hlo_arena_free(&p->tree); }
