// Parses maps. See map.h for the notation.
#include "indexing/maps/map.h"
#include "shape/scan.h"

#include <string.h>

enum { MAX_PARENTHESES = 64, MAX_ITEMS = 1 << 8 };

typedef struct name_list {
  const char **names; // as written
  size_t *lengths;
  hlo_map_variable *variables;
  int32_t count, capacity;
} name_list;

typedef struct map_parser {
  hlo_scan scan;
  hlo_affine_context *context;
  hlo_arena *arena;
  name_list lists[HLO_AFFINE_VARIABLE_KINDS];
  const hlo_affine **results;
  int32_t result_count, result_capacity;
  hlo_map_constraint *constraints;
  int32_t constraint_count, constraint_capacity;
  int32_t depth;
} map_parser;

// --- words and numbers ---

static bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Length of the word at the cursor: a letter, then letters and digits.
static size_t word_length(map_parser *p) {
  hlo_scan_skip_blanks(&p->scan);
  const char *at = p->scan.at;
  if (at == p->scan.end || !is_letter(*at)) return 0;
  while (at < p->scan.end && (is_letter(*at) || is_digit(*at))) at++;
  return (size_t)(at - p->scan.at);
}

// Case aside, because the documentation writes floorDiv too.
static bool accept_word(map_parser *p, const char *word) {
  size_t length = word_length(p);
  if (length != strlen(word)) return false;
  for (size_t i = 0; i < length; i++)
    if ((p->scan.at[i] | 0x20) != word[i]) return false;
  p->scan.at += length;
  return true;
}

static hlo_status parse_number(map_parser *p, bool is_negative, int64_t *out) {
  hlo_scan_skip_blanks(&p->scan);
  const char *start = p->scan.at, *at = start;
  uint64_t value = 0, limit = (uint64_t)INT64_MAX + (is_negative ? 1 : 0);
  for (; at < p->scan.end && is_digit(*at); at++) {
    uint64_t digit = (uint64_t)(*at - '0');
    if (value > (limit - digit) / 10)
      return hlo_scan_fail(&p->scan, start, HLO_PARSE_ERROR, "the number does not fit in 64 bits");
    value = value * 10 + digit;
  }
  if (at == start) return hlo_scan_expected(&p->scan, "a number");
  p->scan.at = at;
  *out = is_negative ? (int64_t)(0 - value) : (int64_t)value;
  return HLO_OK;
}

static hlo_status parse_signed_number(map_parser *p, int64_t *out) {
  bool is_negative = hlo_scan_accept(&p->scan, '-');
  return parse_number(p, is_negative, out);
}

// --- expressions ---

static hlo_status parse_expression(map_parser *p, const hlo_affine **out);

static hlo_status parse_variable(map_parser *p, const hlo_affine **out) {
  size_t length = word_length(p);
  if (length == 0) return hlo_scan_expected(&p->scan, "an expression");
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    const name_list *list = &p->lists[kind];
    for (int32_t i = 0; i < list->count; i++) {
      if (list->lengths[i] != length || memcmp(list->names[i], p->scan.at, length) != 0) continue;
      p->scan.at += length;
      *out = hlo_affine_variable(p->context, (hlo_affine_kind)kind, i);
      return HLO_OK;
    }
  }
  return hlo_scan_fail(&p->scan, p->scan.at, HLO_PARSE_ERROR, "unknown variable %.*s",
                       (int)(length > 100 ? 100 : length), p->scan.at);
}

static hlo_status parse_parenthesised(map_parser *p, const hlo_affine **out) {
  if (++p->depth > MAX_PARENTHESES)
    return hlo_scan_fail(&p->scan, p->scan.at, HLO_PARSE_ERROR, "too many nested parentheses");
  HLO_TRY(parse_expression(p, out));
  p->depth--;
  return hlo_scan_expect(&p->scan, ')');
}

// A number, a number times a variable (100d0), a variable, something in parentheses.
static hlo_status parse_operand(map_parser *p, const hlo_affine **out) {
  bool is_negative = false;
  while (hlo_scan_accept(&p->scan, '-')) is_negative = !is_negative;
  hlo_scan_skip_blanks(&p->scan);
  if (p->scan.at < p->scan.end && is_digit(*p->scan.at)) {
    int64_t value;
    HLO_TRY(parse_number(p, is_negative, &value));
    *out = hlo_affine_constant(p->context, value);
    if (p->scan.at == p->scan.end || !is_letter(*p->scan.at)) return HLO_OK;
    const hlo_affine *variable;
    HLO_TRY(parse_variable(p, &variable));
    *out = hlo_affine_scale(p->context, variable, value);
    return HLO_OK;
  }
  if (hlo_scan_accept(&p->scan, '(')) HLO_TRY(parse_parenthesised(p, out));
  else HLO_TRY(parse_variable(p, out));
  if (is_negative) *out = hlo_affine_scale(p->context, *out, -1);
  return HLO_OK;
}

typedef const hlo_affine *binary_maker(hlo_affine_context *context, const hlo_affine *a,
                                       const hlo_affine *b);

static const hlo_affine *build_ceildiv(hlo_affine_context *context, const hlo_affine *a,
                                       const hlo_affine *b) {
  const hlo_affine *negative = hlo_affine_scale(context, a, -1);
  return hlo_affine_scale(context, hlo_affine_floordiv(context, negative, b), -1);
}

static binary_maker *accept_operator(map_parser *p) {
  if (hlo_scan_accept(&p->scan, '*')) return hlo_affine_multiply;
  if (hlo_scan_accept(&p->scan, '/') || accept_word(p, "floordiv")) return hlo_affine_floordiv;
  if (hlo_scan_accept(&p->scan, '%') || accept_word(p, "mod")) return hlo_affine_mod;
  return accept_word(p, "ceildiv") ? build_ceildiv : NULL;
}

static hlo_status parse_product(map_parser *p, const hlo_affine **out) {
  HLO_TRY(parse_operand(p, out));
  binary_maker *make;
  while ((make = accept_operator(p)) != NULL) {
    const char *at = p->scan.at;
    const hlo_affine *right;
    HLO_TRY(parse_operand(p, &right));
    *out = make(p->context, *out, right);
    HLO_TRY(hlo_scan_locate(&p->scan, at, hlo_affine_status(p->context, p->scan.error)));
  }
  return HLO_OK;
}

// A minus in front of a product. It belongs to the number where that is only in range with it.
static bool accept_minus(map_parser *p) {
  static const char lowest[] = "9223372036854775808";
  if (!hlo_scan_accept(&p->scan, '-')) return false;
  if ((size_t)(p->scan.end - p->scan.at) < sizeof lowest - 1 ||
      memcmp(p->scan.at, lowest, sizeof lowest - 1) != 0)
    return true;
  p->scan.at--;
  return false;
}

static hlo_status parse_expression(map_parser *p, const hlo_affine **out) {
  const hlo_affine *sum = hlo_affine_constant(p->context, 0), *product;
  int64_t sign = accept_minus(p) ? -1 : 1;
  for (;;) {
    const char *at = p->scan.at;
    HLO_TRY(parse_product(p, &product));
    sum = hlo_affine_add_scaled(p->context, sum, product, sign);
    HLO_TRY(hlo_scan_locate(&p->scan, at, hlo_affine_status(p->context, p->scan.error)));
    if (hlo_scan_accept(&p->scan, '+')) sign = 1;
    else if (hlo_scan_accept(&p->scan, '-')) sign = -1;
    else break;
  }
  *out = sum;
  return HLO_OK;
}

// --- lists ---

static hlo_status check_count(map_parser *p, int32_t count) {
  if (count < MAX_ITEMS) return HLO_OK;
  return hlo_scan_fail(&p->scan, p->scan.at, HLO_PARSE_ERROR,
                       "a list of a map has more than %d entries", MAX_ITEMS);
}

// d0, s12, rt3: names that printing makes up by itself.
static bool is_default_name(const char *name, size_t length) {
  size_t digits = 0;
  while (digits < length && is_digit(name[length - 1 - digits])) digits++;
  size_t letters = length - digits;
  return digits > 0 && ((letters == 1 && (name[0] == 'd' || name[0] == 's')) ||
                        (letters == 2 && name[0] == 'r' && name[1] == 't'));
}

static bool is_declared(const map_parser *p, const char *name, size_t length) {
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++)
    for (int32_t i = 0; i < p->lists[kind].count; i++)
      if (p->lists[kind].lengths[i] == length && memcmp(p->lists[kind].names[i], name, length) == 0)
        return true;
  return false;
}

static hlo_status declare_variable(map_parser *p, name_list *list) {
  size_t length = word_length(p);
  const char *name = p->scan.at;
  if (length == 0) return hlo_scan_expected(&p->scan, "a variable");
  if (is_declared(p, name, length))
    return hlo_scan_fail(&p->scan, name, HLO_PARSE_ERROR, "the variable is declared twice");
  HLO_TRY(check_count(p, list->count));
  int32_t capacity = list->capacity, length_capacity = capacity;
  HLO_GROW_LIST(list->names, p->arena, list->count, capacity, p->scan.error);
  HLO_GROW_LIST(list->lengths, p->arena, list->count, length_capacity, p->scan.error);
  HLO_GROW_LIST(list->variables, p->arena, list->count, list->capacity, p->scan.error);
  list->names[list->count] = name;
  list->lengths[list->count] = length;
  hlo_map_variable *variable = &list->variables[list->count++];
  variable->range = hlo_interval_unbounded();
  if (!is_default_name(name, length)) {
    variable->name = hlo_arena_copy_text(p->arena, name, length);
    if (variable->name == NULL) return hlo_fail_out_of_memory(p->scan.error);
  }
  p->scan.at += length;
  return HLO_OK;
}

static hlo_status declare_variables(map_parser *p, int kind, char close) {
  if (hlo_scan_accept(&p->scan, close)) return HLO_OK;
  do HLO_TRY(declare_variable(p, &p->lists[kind]));
  while (hlo_scan_accept(&p->scan, ','));
  return hlo_scan_expect(&p->scan, close);
}

static hlo_status parse_results(map_parser *p) {
  HLO_TRY(hlo_scan_expect(&p->scan, '('));
  if (hlo_scan_accept(&p->scan, ')')) return HLO_OK;
  do {
    HLO_TRY(check_count(p, p->result_count));
    HLO_GROW_LIST(p->results, p->arena, p->result_count, p->result_capacity, p->scan.error);
    HLO_TRY(parse_expression(p, &p->results[p->result_count]));
    p->result_count++;
  } while (hlo_scan_accept(&p->scan, ','));
  return hlo_scan_expect(&p->scan, ')');
}

// --- the domain ---

static bool at_end(map_parser *p) {
  hlo_scan_skip_blanks(&p->scan);
  return p->scan.at == p->scan.end;
}

static hlo_status parse_interval(map_parser *p, hlo_interval *out) {
  HLO_TRY(hlo_scan_expect(&p->scan, '['));
  HLO_TRY(parse_signed_number(p, &out->lower));
  HLO_TRY(hlo_scan_expect(&p->scan, ','));
  HLO_TRY(parse_signed_number(p, &out->upper));
  return hlo_scan_expect(&p->scan, ']');
}

static hlo_status parse_constraint(map_parser *p) {
  const hlo_affine *expression;
  hlo_interval range;
  HLO_TRY(parse_expression(p, &expression));
  if (!accept_word(p, "in")) return hlo_scan_expected(&p->scan, "'in'");
  HLO_TRY(parse_interval(p, &range));
  if (hlo_affine_is_variable(expression)) {
    hlo_interval *own = &p->lists[expression->kind].variables[expression->index].range;
    *own = hlo_interval_intersect(*own, range);
    return HLO_OK;
  }
  HLO_TRY(check_count(p, p->constraint_count));
  HLO_GROW_LIST(p->constraints, p->arena, p->constraint_count, p->constraint_capacity,
                p->scan.error);
  p->constraints[p->constraint_count++] = (hlo_map_constraint){expression, range};
  return HLO_OK;
}

// "key:", unless a variable is called so.
static bool accept_key(map_parser *p, const char *key) {
  size_t length = word_length(p);
  const char *at = p->scan.at;
  if (length != strlen(key) || memcmp(at, key, length) != 0 || is_declared(p, at, length))
    return false;
  p->scan.at += length;
  if (hlo_scan_accept(&p->scan, ':')) return true;
  p->scan.at = at;
  return false;
}

// What tells where a runtime value comes from: an instruction, then a map. It says nothing about
// this map, so that only its end is looked for.
static hlo_status skip_producer(map_parser *p) {
  while (p->scan.at < p->scan.end &&
         !(p->scan.at[0] == '-' && p->scan.end - p->scan.at > 1 && p->scan.at[1] == '>'))
    p->scan.at++;
  if (p->scan.at == p->scan.end)
    return hlo_scan_expected(&p->scan, "'->' and the position of the runtime value");
  p->scan.at += 2;
  HLO_TRY(hlo_scan_expect(&p->scan, '('));
  int32_t depth = 1;
  for (; p->scan.at < p->scan.end && depth > 0; p->scan.at++)
    depth += *p->scan.at == '(' ? 1 : *p->scan.at == ')' ? -1 : 0;
  return depth == 0 ? HLO_OK : hlo_scan_expected(&p->scan, "')'");
}

// What may stand between constraints without being one. *found tells whether it did.
static hlo_status parse_remark(map_parser *p, bool *found) {
  *found = true;
  if (accept_key(p, "hlo")) return skip_producer(p);
  if (accept_key(p, "is_simplified")) {
    if (accept_word(p, "true") || accept_word(p, "false")) return HLO_OK;
    return hlo_scan_expected(&p->scan, "true or false");
  }
  const char *at = p->scan.at;
  *found = accept_word(p, "runtime") && accept_key(p, "variables");
  if (!*found) p->scan.at = at;
  while (*found && !at_end(p)) {
    size_t length = word_length(p);
    if (!is_declared(p, p->scan.at, length))
      return hlo_scan_expected(&p->scan, "a runtime variable");
    p->scan.at += length;
    HLO_TRY(hlo_scan_expect(&p->scan, ':'));
    HLO_TRY(skip_producer(p));
    hlo_scan_accept(&p->scan, ',');
  }
  return HLO_OK;
}

static hlo_status parse_constraints(map_parser *p) {
  while (!at_end(p)) {
    bool is_remark;
    HLO_TRY(parse_remark(p, &is_remark));
    if (!is_remark) HLO_TRY(parse_constraint(p));
    hlo_scan_accept(&p->scan, ',');
  }
  return HLO_OK;
}

static hlo_status parse_domain(map_parser *p) {
  hlo_scan_accept(&p->scan, ',');
  if (at_end(p)) return HLO_OK;
  if (!accept_word(p, "domain")) return hlo_scan_expected(&p->scan, "'domain:'");
  HLO_TRY(hlo_scan_expect(&p->scan, ':'));
  return parse_constraints(p);
}

static hlo_status parse_map(map_parser *p) {
  HLO_TRY(hlo_scan_expect(&p->scan, '('));
  HLO_TRY(declare_variables(p, HLO_AFFINE_DIM, ')'));
  if (hlo_scan_accept(&p->scan, '[')) HLO_TRY(declare_variables(p, HLO_AFFINE_RANGE, ']'));
  if (hlo_scan_accept(&p->scan, '{')) HLO_TRY(declare_variables(p, HLO_AFFINE_RUNTIME, '}'));
  HLO_TRY(hlo_scan_expect(&p->scan, '-'));
  HLO_TRY(hlo_scan_expect(&p->scan, '>'));
  HLO_TRY(parse_results(p));
  return parse_domain(p);
}

// Errors of a scan count bytes from the start of the text: turns that into line and column, which
// counts characters (UTF-8 sequences).
static void locate(const char *text, size_t length, hlo_error *error) {
  if (error->line == 0) return;
  int32_t line = 1, column = 1;
  for (int32_t i = 0; i < error->column - 1 && (size_t)i < length; i++) {
    if ((text[i] & 0xc0) != 0x80) column++;
    if (text[i] == '\n') {
      line++;
      column = 1;
    }
  }
  error->line = line;
  error->column = column;
}

static hlo_status build_map(const map_parser *p, hlo_map fields, const hlo_map **out,
                            hlo_error *error) {
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    fields.variable_count[kind] = p->lists[kind].count;
    fields.variables[kind] = p->lists[kind].variables;
  }
  fields.constraint_count = p->constraint_count;
  fields.constraints = p->constraints;
  return hlo_map_create(p->context, &fields, out, error);
}

hlo_status hlo_map_parse(hlo_affine_context *context, const char *text, size_t length,
                         const hlo_map **out, hlo_error *error) {
  map_parser p = {.scan = {text, text, text + length, error}, .context = context};
  p.arena = hlo_affine_arena(context);
  bool had_failed = error->status != HLO_OK;
  hlo_map fields = {0};
  if (accept_word(&p, "known") && accept_word(&p, "empty") && at_end(&p)) {
    fields.known_empty = true;
  } else {
    p.scan.at = text;
    hlo_status status = parse_map(&p);
    if (status != HLO_OK && !had_failed) locate(text, length, error);
    HLO_TRY(status);
  }
  fields.result_count = p.result_count;
  fields.results = p.results;
  return build_map(&p, fields, out, error);
}

// The map's variables and constraints, as if they had been parsed.
static hlo_status start_from(map_parser *p, const hlo_map *map, hlo_error *error) {
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++) {
    name_list *list = &p->lists[kind];
    int32_t count = map->variable_count[kind];
    HLO_ALLOC(list->names, p->arena, count, error);
    HLO_ALLOC(list->lengths, p->arena, count, error);
    HLO_ALLOC(list->variables, p->arena, count, error);
    list->count = list->capacity = count;
    for (int32_t i = 0; i < count; i++) {
      const hlo_map_variable *variable = &map->variables[kind][i];
      list->variables[i] = *variable;
      hlo_string name = {0};
      if (variable->name != NULL) hlo_string_add(&name, variable->name);
      else hlo_affine_print_variable(&name, (hlo_affine_kind)kind, i, NULL);
      list->names[i] = name.failed ? NULL : hlo_arena_copy_text(p->arena, name.text, name.length);
      list->lengths[i] = name.length;
      hlo_string_free(&name);
      if (list->names[i] == NULL) return hlo_fail_out_of_memory(error);
    }
  }
  for (int32_t i = 0; i < map->constraint_count; i++) {
    HLO_GROW_LIST(p->constraints, p->arena, p->constraint_count, p->constraint_capacity, error);
    p->constraints[p->constraint_count++] = map->constraints[i];
  }
  return HLO_OK;
}

hlo_status hlo_map_restrict(hlo_affine_context *context, const hlo_map *map, const char *text,
                            size_t length, const hlo_map **out, hlo_error *error) {
  map_parser p = {.scan = {text, text, text + length, error}, .context = context};
  p.arena = hlo_affine_arena(context);
  HLO_TRY(start_from(&p, map, error));
  hlo_status status = parse_constraints(&p);
  if (status != HLO_OK) locate(text, length, error);
  HLO_TRY(status);
  hlo_map fields = *map;
  return build_map(&p, fields, out, error);
}

hlo_status hlo_map_simplify_text(hlo_string *out, const char *text, size_t length,
                                 hlo_error *error) {
  hlo_arena arena = {0};
  hlo_affine_context *context;
  const hlo_map *map;
  hlo_status status = hlo_affine_context_create(&arena, &context, error);
  if (status == HLO_OK) status = hlo_map_parse(context, text, length, &map, error);
  if (status == HLO_OK) status = hlo_map_simplify(context, map, 0, &map, NULL, error);
  if (status == HLO_OK) hlo_map_print(out, map);
  if (status == HLO_OK) status = hlo_string_status(out, error);
  hlo_arena_free(&arena);
  return status;
}
