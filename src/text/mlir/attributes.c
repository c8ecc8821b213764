// MLIR's attributes: numbers, strings, arrays, dictionaries, symbols, types, dialects' own. Their
// dense values are dense.c's. See parser.h.
#include "base/decimal.h"
#include "text/mlir/parser.h"

#include <string.h>

static hlo_status optional_type(mlir_parser *p, mlir_attribute *attribute, hlo_error *error) {
  bool has_type;
  if (p->is_untyped) return HLO_OK;
  HLO_TRY(hlo_mlir_accept(p, ':', &has_type, error));
  return has_type ? hlo_mlir_type(p, &attribute->type, error) : HLO_OK;
}

// The bits of a float of the type, as `0x7F800000 : f32` gives them.
static double float_from_bits(hlo_type type, int64_t bits) {
  uint64_t storage = (uint64_t)bits; // little-endian: the low bytes come first
  return hlo_element_get(type, &storage).re;
}

static hlo_status number(mlir_parser *p, mlir_attribute *a, hlo_error *error) {
  bool negative;
  const char *at = p->token.at;
  HLO_TRY(hlo_mlir_accept(p, '-', &negative, error));
  if (p->token.kind == MLIR_TOKEN_FLOAT) {
    a->kind = MLIR_FLOAT;
    if (!hlo_parse_f64(p->token.text, p->token.length, &a->real))
      return hlo_mlir_expected(p, "a number", error);
    if (negative) a->real = -a->real;
    HLO_TRY(hlo_mlir_advance(p, error));
    return optional_type(p, a, error);
  }
  a->kind = MLIR_INTEGER;
  bool is_hex = p->token.length > 1 && p->token.text[1] == 'x';
  HLO_TRY(hlo_mlir_move_to(p, at, error));
  HLO_TRY(hlo_mlir_integer(p, &a->integer, error));
  HLO_TRY(optional_type(p, a, error));
  if (a->type == NULL || a->type->kind != MLIR_TYPE_ELEMENT ||
      !hlo_type_is_float(a->type->shape->type))
    return HLO_OK;
  if (!is_hex) {
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error,
                            "a float needs a point: write 1.0 for 1");
  }
  a->kind = MLIR_FLOAT;
  a->real = float_from_bits(a->type->shape->type, a->integer);
  return HLO_OK;
}

typedef hlo_status parse_function(mlir_parser *p, mlir_attribute **out, hlo_error *error);

// Elements up to the closing bracket; the opening one was taken.
static hlo_status elements(mlir_parser *p, parse_function *parse, mlir_attribute *a,
                           hlo_error *error) {
  mlir_list list = {0};
  bool more;
  a->kind = MLIR_ARRAY;
  HLO_TRY(hlo_mlir_accept(p, ']', &more, error));
  for (more = !more; more;) {
    mlir_attribute *element;
    HLO_TRY(parse(p, &element, error));
    HLO_TRY(hlo_mlir_list_add(p, &list, element, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, ']', error));
  }
  a->count = list.count;
  a->elements = (mlir_attribute **)list.items;
  return HLO_OK;
}

static hlo_status key(mlir_parser *p, const char **name, hlo_error *error) {
  if (p->token.kind != MLIR_TOKEN_WORD && p->token.kind != MLIR_TOKEN_STRING)
    return hlo_mlir_expected(p, "the name of an attribute", error);
  return hlo_mlir_consume_text(p, name, error);
}

enum { MOST_SEARCHED = 32 }; // entries of a dictionary; beyond that names go into a table

// Whether `into` has the name already; if not, the next entry is the one of that name.
static hlo_status find_duplicate(mlir_parser *p, const mlir_operation *into, const char *name,
                                 hlo_name_table *table, bool *found, hlo_error *error) {
  const char *copy;
  if (into->attribute_count < MOST_SEARCHED) {
    *found = hlo_mlir_find_attribute(into, name) != NULL;
    return HLO_OK;
  }
  bool is_new = table->count == 0;
  for (int32_t i = 0; is_new && i < into->attribute_count; i++)
    HLO_TRY(hlo_name_table_add(table, &p->tree, into->attributes[i].name, into->attributes[i].value,
                               &copy, error));
  *found = hlo_name_table_find(table, name, strlen(name)) != NULL;
  return *found ? HLO_OK : hlo_name_table_add(table, &p->tree, name, table, &copy, error);
}

// Entries up to `close`, which is taken; values are read by `parse`.
static hlo_status entries(mlir_parser *p, int32_t close, parse_function *parse,
                          mlir_operation *into, hlo_error *error) {
  hlo_name_table names = {0};
  bool more;
  HLO_TRY(hlo_mlir_accept(p, close, &more, error));
  for (more = !more; more;) {
    const char *name, *at = p->token.at;
    mlir_attribute *value;
    bool has_value, is_second;
    HLO_TRY(key(p, &name, error));
    HLO_TRY(find_duplicate(p, into, name, &names, &is_second, error));
    if (is_second) {
      return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error,
                              "the attribute '%.*s' is given a second time",
                              (int)(strlen(name) < 100 ? strlen(name) : 100), name);
    }
    HLO_TRY(hlo_mlir_accept(p, '=', &has_value, error));
    if (has_value) HLO_TRY(parse(p, &value, error));
    else HLO_TRY(hlo_mlir_new_attribute(p, MLIR_UNIT, &value, error));
    HLO_TRY(hlo_mlir_add_attribute(p, into, name, value, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, close, error));
  }
  return HLO_OK;
}

hlo_status hlo_mlir_dictionary(mlir_parser *p, mlir_operation *operation, hlo_error *error) {
  return entries(p, '}', hlo_mlir_attribute, operation, error);
}

hlo_status hlo_mlir_add_attribute(mlir_parser *p, mlir_operation *operation, const char *name,
                                  mlir_attribute *value, hlo_error *error) {
  HLO_GROW_LIST(operation->attributes, &p->tree, operation->attribute_count,
                operation->attribute_capacity, error);
  operation->attributes[operation->attribute_count++] = (mlir_entry){name, value};
  return HLO_OK;
}

hlo_status hlo_mlir_add_new_attribute(mlir_parser *p, mlir_operation *operation, const char *name,
                                      mlir_attribute_kind kind, mlir_attribute **out,
                                      hlo_error *error) {
  HLO_TRY(hlo_mlir_new_attribute(p, kind, out, error));
  return hlo_mlir_add_attribute(p, operation, name, *out, error);
}

static hlo_status dictionary(mlir_parser *p, mlir_attribute *a, hlo_error *error) {
  mlir_operation holder = {0};
  a->kind = MLIR_DICTIONARY;
  HLO_TRY(hlo_mlir_dictionary(p, &holder, error));
  a->count = holder.attribute_count;
  a->entries = holder.attributes;
  return HLO_OK;
}

// "i64: 1, 2>" after "array<". Floats and bools are kept as their bits.
static hlo_status dense_array(mlir_parser *p, mlir_attribute *a, hlo_error *error) {
  hlo_type type = HLO_TYPE_INVALID;
  bool more;
  a->kind = MLIR_DENSE_ARRAY;
  HLO_TRY(hlo_mlir_expect(p, '<', error));
  HLO_TRY(hlo_mlir_element_type(p, &type, error));
  a->element_type = type;
  HLO_TRY(hlo_mlir_accept(p, ':', &more, error));
  mlir_list list = {0};
  while (more) {
    mlir_attribute *element;
    HLO_TRY(hlo_mlir_attribute(p, &element, error));
    bool wanted = hlo_type_is_float(type)
                      ? element->kind == MLIR_FLOAT
                      : element->kind == MLIR_INTEGER || element->kind == MLIR_BOOL;
    if (!wanted) {
      return hlo_mlir_fail_at(p, element->at, HLO_PARSE_ERROR, error,
                              "expected an element of type %s", hlo_type_mlir_name(type));
    }
    HLO_TRY(hlo_mlir_list_add(p, &list, element, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  }
  int64_t *ints;
  HLO_ALLOC(ints, &p->tree, list.count, error);
  for (int32_t i = 0; i < list.count; i++) {
    const mlir_attribute *element = list.items[i];
    ints[i] = element->integer;
    if (element->kind == MLIR_FLOAT) memcpy(&ints[i], &element->real, sizeof ints[i]);
  }
  a->count = list.count;
  a->ints = ints;
  return hlo_mlir_expect(p, '>', error);
}

hlo_status hlo_mlir_int_list(mlir_parser *p, mlir_attribute **out, hlo_error *error) {
  HLO_TRY(hlo_mlir_new_attribute(p, MLIR_DENSE_ARRAY, out, error));
  bool more;
  int32_t capacity = 0;
  int64_t *ints = NULL;
  mlir_attribute *a = *out;
  HLO_TRY(hlo_mlir_expect(p, '[', error));
  HLO_TRY(hlo_mlir_accept(p, ']', &more, error));
  for (more = !more; more;) {
    HLO_GROW_LIST(ints, &p->tree, a->count, capacity, error);
    HLO_TRY(hlo_mlir_integer(p, &ints[a->count], error));
    a->count++;
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, ']', error));
  }
  a->ints = ints;
  return HLO_OK;
}

// A use of #name before or after its definition: all uses share one attribute, which the
// definition fills in.
static hlo_status alias(mlir_parser *p, mlir_attribute **out, hlo_error *error) {
  *out = hlo_name_table_find(&p->attribute_aliases, p->token.text, p->token.length);
  if (*out == NULL) {
    const char *name = hlo_arena_copy_text(&p->tree, p->token.text, p->token.length);
    if (name == NULL) return hlo_fail_out_of_memory(error);
    HLO_TRY(hlo_mlir_new_attribute(p, MLIR_UNRESOLVED, out, error));
    (*out)->text = name;
    HLO_TRY(hlo_name_table_add(&p->attribute_aliases, &p->tree, name, *out, &name, error));
  }
  return hlo_mlir_advance(p, error);
}

// "#dialect<body>", "#dialect.name<body>", "#dialect.name"; "<body>" where the name is understood.
static hlo_status dialect_attribute(mlir_parser *p, mlir_attribute *a, hlo_error *error) {
  a->kind = MLIR_DIALECT;
  a->text = "";
  if (p->token.kind == MLIR_TOKEN_HASH) HLO_TRY(hlo_mlir_consume_text(p, &a->text, error));
  if (p->token.kind != '<') return HLO_OK;
  a->body = p->token.at + 1;
  HLO_TRY(hlo_mlir_advance(p, error));
  HLO_TRY(hlo_mlir_skip_to_close(p, '<', error));
  a->body_length = (size_t)(p->taken - 1 - a->body);
  return HLO_OK;
}

static hlo_status symbol(mlir_parser *p, mlir_attribute *a, hlo_error *error) {
  a->kind = MLIR_SYMBOL;
  HLO_TRY(hlo_mlir_consume_text(p, &a->text, error));
  while (p->token.kind == ':' && p->cursor < p->source.end && *p->cursor == ':') { // @a::@b
    HLO_TRY(hlo_mlir_advance(p, error));
    HLO_TRY(hlo_mlir_advance(p, error));
    if (p->token.kind != MLIR_TOKEN_SYMBOL) return hlo_mlir_expected(p, "a symbol", error);
    HLO_TRY(hlo_mlir_consume_text(p, &a->text, error));
  }
  return HLO_OK;
}

// After "loc": the name in ("name"), ("name"(…)), but not the file in ("file":1:2).
static hlo_status location_name(mlir_parser *p, mlir_attribute *a, hlo_error *error) {
  const char *open = p->token.at, *text;
  if (p->token.kind != '(') return HLO_OK;
  HLO_TRY(hlo_mlir_advance(p, error));
  if (p->token.kind == MLIR_TOKEN_STRING) {
    HLO_TRY(hlo_mlir_consume_text(p, &text, error));
    if (p->token.kind != ':') a->text = text;
  }
  return hlo_mlir_move_to(p, open, error);
}

// affine_map<…>, loc(…), opaque<…> and their like, which say nothing that is used but a name.
static hlo_status skipped(mlir_parser *p, mlir_attribute *a, hlo_error *error) {
  bool is_location = hlo_mlir_at_word(p, "loc");
  a->kind = MLIR_OTHER;
  HLO_TRY(hlo_mlir_advance(p, error));
  if (is_location) HLO_TRY(location_name(p, a, error));
  while (p->token.kind == '<' || p->token.kind == '(' || p->token.kind == '[') {
    char open = (char)p->token.kind;
    HLO_TRY(hlo_mlir_advance(p, error));
    HLO_TRY(hlo_mlir_skip_to_close(p, open, error));
  }
  return optional_type(p, a, error);
}

static bool is_skipped(const mlir_parser *p) {
  static const char *const words[] = {"loc",     "affine_map", "affine_set", "opaque",
                                      "strided", "distinct",   "sparse"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (hlo_mlir_at_word(p, words[i])) return true;
  return false;
}

static hlo_status word(mlir_parser *p, mlir_attribute *a, hlo_error *error) {
  if (hlo_mlir_at_word(p, "true") || hlo_mlir_at_word(p, "false")) {
    a->kind = MLIR_BOOL;
    a->integer = hlo_mlir_at_word(p, "true");
    return hlo_mlir_advance(p, error);
  }
  if (hlo_mlir_at_word(p, "unit")) return hlo_mlir_advance(p, error);
  if (hlo_mlir_at_word(p, "dense") || hlo_mlir_at_word(p, "dense_resource"))
    return hlo_mlir_dense(p, a, error);
  if (hlo_mlir_at_word(p, "array")) {
    HLO_TRY(hlo_mlir_advance(p, error));
    return dense_array(p, a, error);
  }
  if (is_skipped(p)) return skipped(p, a, error);
  a->kind = MLIR_TYPE;
  return hlo_mlir_type(p, &a->type, error);
}

static hlo_status value(mlir_parser *p, mlir_attribute *a, hlo_error *error) {
  switch (p->token.kind) {
  case MLIR_TOKEN_STRING:
    a->kind = MLIR_STRING;
    HLO_TRY(hlo_mlir_consume_bytes(p, &a->text, &a->text_length, error));
    return optional_type(p, a, error);
  case MLIR_TOKEN_INTEGER:
  case MLIR_TOKEN_FLOAT:
  case '-':
    return number(p, a, error);
  case '[':
    HLO_TRY(hlo_mlir_advance(p, error));
    return elements(p, hlo_mlir_attribute, a, error);
  case '{':
    HLO_TRY(hlo_mlir_advance(p, error));
    return dictionary(p, a, error);
  case MLIR_TOKEN_SYMBOL:
    return symbol(p, a, error);
  case MLIR_TOKEN_HASH:
    HLO_TRY(dialect_attribute(p, a, error));
    return optional_type(p, a, error);
  case MLIR_TOKEN_WORD:
    return word(p, a, error);
  case MLIR_TOKEN_EXCLAMATION:
  case '(':
    a->kind = MLIR_TYPE;
    return hlo_mlir_type(p, &a->type, error);
  default:
    return hlo_mlir_expected(p, "an attribute", error);
  }
}

static bool is_alias(const mlir_parser *p) {
  return p->token.kind == MLIR_TOKEN_HASH && memchr(p->token.text, '.', p->token.length) == NULL &&
         (p->cursor == p->source.end || *p->cursor != '<');
}

hlo_status hlo_mlir_attribute(mlir_parser *p, mlir_attribute **out, hlo_error *error) {
  if (is_alias(p)) return alias(p, out, error);
  HLO_TRY(hlo_mlir_enter(p, error));
  HLO_TRY(hlo_mlir_new_attribute(p, MLIR_UNIT, out, error));
  HLO_TRY(value(p, *out, error));
  (*out)->source_length = (size_t)(p->taken - (*out)->at);
  p->depth--;
  return HLO_OK;
}

hlo_status hlo_mlir_untyped_attribute(mlir_parser *p, mlir_attribute **out, hlo_error *error) {
  p->is_untyped = true;
  hlo_status status = hlo_mlir_attribute(p, out, error);
  p->is_untyped = false;
  return status;
}

hlo_status hlo_mlir_field(mlir_parser *p, mlir_attribute **out, hlo_error *error) {
  bool is_word = p->token.kind == MLIR_TOKEN_WORD && !hlo_mlir_at_word(p, "true") &&
                 !hlo_mlir_at_word(p, "false") && !hlo_mlir_at_word(p, "dense") &&
                 !hlo_mlir_at_word(p, "array");
  if (!is_word && p->token.kind != '<' && p->token.kind != '[')
    return hlo_mlir_attribute(p, out, error);
  HLO_TRY(hlo_mlir_enter(p, error));
  HLO_TRY(hlo_mlir_new_attribute(p, MLIR_KEYWORD, out, error));
  if (is_word) {
    HLO_TRY(hlo_mlir_consume_text(p, &(*out)->text, error));
  } else if (p->token.kind == '<') {
    HLO_TRY(dialect_attribute(p, *out, error));
  } else {
    HLO_TRY(hlo_mlir_advance(p, error));
    HLO_TRY(elements(p, hlo_mlir_field, *out, error));
  }
  (*out)->source_length = (size_t)(p->taken - (*out)->at);
  p->depth--;
  return HLO_OK;
}

hlo_status hlo_mlir_struct(mlir_parser *p, const mlir_attribute *attribute,
                           const mlir_attribute **out, hlo_error *error) {
  *out = attribute;
  if (attribute->kind == MLIR_DICTIONARY) return HLO_OK;
  if (attribute->kind != MLIR_DIALECT || attribute->body == NULL) {
    return hlo_mlir_fail_at(p, attribute->at, HLO_PARSE_ERROR, error,
                            "expected a structure: #dialect.name<key = value, ...>");
  }
  const char *resume = p->token.at;
  mlir_operation holder = {0};
  mlir_attribute *result;
  HLO_TRY(hlo_mlir_new_attribute(p, MLIR_DICTIONARY, &result, error));
  HLO_TRY(hlo_mlir_move_to(p, attribute->body, error));
  HLO_TRY(entries(p, '>', hlo_mlir_field, &holder, error));
  HLO_TRY(hlo_mlir_move_to(p, resume, error));
  result->at = attribute->at;
  result->count = holder.attribute_count;
  result->entries = holder.attributes;
  *out = result;
  return HLO_OK;
}
