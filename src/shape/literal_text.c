// The text form of literals, as XLA writes them: { { 1, 2 }, { 3, 4 } }. One element's text is
// element_text.c's.
#include "shape/literal.h"
#include "shape/scan.h"

#include <string.h>

// --- parsing ---

// Of one array. In one place, so that frames of the recursion stay small.
typedef struct array_parser {
  hlo_scan *scan;
  const hlo_shape *shape;
  char *data;
  int64_t element_size;
  bool empty; // no elements
  int64_t strides[HLO_MAX_RANK];
} array_parser;

static hlo_status fail_elided(const hlo_scan *scan) {
  return hlo_scan_fail(scan, scan->at, HLO_PARSE_ERROR,
                       "the values are elided ('...'): whoever printed the text left them out, "
                       "print it with large constants");
}

static bool is_elided(const hlo_scan *scan) {
  return scan->end - scan->at >= 3 && memcmp(scan->at, "...", 3) == 0;
}

static bool is_number_character(char c) {
  return (c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '_';
}

// The end of the element's text at scan->at: a name or number, maybe with something in brackets
// ("nan(0x1)"), or only that ("(1, 2)").
static const char *element_end(const hlo_scan *scan) {
  const char *at = scan->at;
  while (at < scan->end && is_number_character(*at)) at++;
  if (at < scan->end && *at == '(') {
    hlo_scan bracket = {scan->start, at, scan->end, NULL};
    const char *behind = hlo_scan_matching(&bracket);
    return behind == NULL ? scan->end : behind;
  }
  return at;
}

static hlo_status parse_element(array_parser *p, int64_t position) {
  hlo_scan *scan = p->scan;
  hlo_scan_skip_blanks(scan);
  const char *end = element_end(scan);
  if (end == scan->at || *scan->at == '.') {
    if (is_elided(scan)) return fail_elided(scan);
    if (end == scan->at) return hlo_scan_expected(scan, "a number");
  }
  HLO_TRY(hlo_scan_locate(scan, scan->at,
                          hlo_element_parse(p->shape->type, scan->at, (size_t)(end - scan->at),
                                            p->data + position * p->element_size, scan->error)));
  scan->at = end;
  return HLO_OK;
}

static hlo_status fail_count(const array_parser *p, int32_t dimension, const char *found) {
  long long size = (long long)p->shape->dims[dimension];
  return hlo_scan_fail(p->scan, p->scan->at, HLO_PARSE_ERROR,
                       "dimension %d has %lld elements, but there are %s", (int)dimension, size,
                       found);
}

static hlo_status parse_braces(array_parser *p, int32_t dimension, int64_t position) {
  if (dimension == p->shape->rank) return parse_element(p, position);
  hlo_scan *scan = p->scan;
  HLO_TRY(hlo_scan_expect(scan, '{'));
  if (p->empty && hlo_scan_accept(scan, '}')) return HLO_OK;
  int64_t size = p->shape->dims[dimension];
  for (int64_t i = 0; i < size; i++) {
    if (hlo_scan_peek(scan, '}')) return fail_count(p, dimension, "fewer");
    if (i > 0 && !hlo_scan_accept(scan, ',')) return hlo_scan_expected(scan, "',' or '}'");
    HLO_TRY(parse_braces(p, dimension + 1, position + i * p->strides[dimension]));
  }
  if (hlo_scan_accept(scan, '}')) return HLO_OK;
  if (is_elided(scan)) return fail_elided(scan);
  if (size == 0 || hlo_scan_peek(scan, ',')) return fail_count(p, dimension, "more");
  return hlo_scan_expected(scan, "'}'");
}

// Whether the text is long enough for that many elements: checked before memory is allocated.
static hlo_status check_length(hlo_scan *scan, const hlo_shape *shape) {
  int64_t left = scan->end - scan->at;
  if (hlo_shape_elements(shape) <= left) return HLO_OK;
  hlo_scan ahead = *scan;
  while (hlo_scan_accept(&ahead, '{')) continue;
  if (is_elided(&ahead)) return fail_elided(&ahead);
  char text[HLO_SHAPE_TEXT_SIZE];
  return hlo_scan_fail(scan, scan->at, HLO_PARSE_ERROR,
                       "the text is too short for the values of %s",
                       hlo_shape_to_text(text, shape));
}

static __attribute__((noinline)) hlo_status parse_array(hlo_scan *scan, hlo_arena *arena,
                                                        const hlo_shape *shape, hlo_literal *out) {
  HLO_TRY(check_length(scan, shape));
  HLO_TRY(hlo_literal_make(arena, shape, out, scan->error));
  array_parser p;
  p.scan = scan;
  p.shape = shape;
  p.data = out->data;
  p.element_size = hlo_type_bytes(shape->type);
  p.empty = hlo_shape_elements(shape) == 0;
  hlo_shape_strides(shape, p.strides);
  return parse_braces(&p, 0, 0);
}

// A token or opaque has no values; "token[]" stands for it.
static hlo_status parse_valueless(hlo_scan *scan, const hlo_shape *shape, hlo_literal *out) {
  const char *name = hlo_type_name(shape->type);
  hlo_scan_skip_blanks(scan);
  size_t length = hlo_scan_name_length(scan);
  if (length != strlen(name) || memcmp(scan->at, name, length) != 0) {
    return hlo_scan_expected(scan, shape->type == HLO_TOKEN ? "token[]" : "opaque[]");
  }
  scan->at += length;
  *out = (hlo_literal){.shape = shape};
  HLO_TRY(hlo_scan_expect(scan, '['));
  return hlo_scan_expect(scan, ']');
}

static hlo_status parse_literal(hlo_scan *scan, hlo_arena *arena, const hlo_shape *shape,
                                hlo_literal *out) {
  if (hlo_shape_is_array(shape)) return parse_array(scan, arena, shape, out);
  if (!hlo_shape_is_tuple(shape)) return parse_valueless(scan, shape, out);
  *out = (hlo_literal){.shape = shape};
  HLO_ALLOC(out->elements, arena, shape->element_count, scan->error);
  HLO_TRY(hlo_scan_expect(scan, '('));
  for (int32_t i = 0; i < shape->element_count; i++) {
    if (i > 0) HLO_TRY(hlo_scan_expect(scan, ','));
    HLO_TRY(parse_literal(scan, arena, shape->elements[i], &out->elements[i]));
  }
  return hlo_scan_expect(scan, ')');
}

hlo_status hlo_literal_parse(hlo_arena *arena, const hlo_shape *shape, const char **cursor,
                             const char *end, hlo_literal *out, hlo_error *error) {
  hlo_scan scan = {*cursor, *cursor, end, error};
  HLO_TRY(parse_literal(&scan, arena, shape, out));
  *cursor = scan.at;
  return HLO_OK;
}

// --- printing ---

typedef struct array_printer {
  hlo_string *out;
  const hlo_shape *shape;
  const char *data;
  int64_t element_size;
  int64_t strides[HLO_MAX_RANK];
} array_printer;

// An array without elements can have very many levels of braces to say so; beyond this it is "{}".
enum { MOST_EMPTY_BRACES = 1000 };

static void print_element(const array_printer *p, int64_t position) {
  const char *element = p->data + position * p->element_size;
  if (p->shape->type == HLO_PRED && p->shape->rank > 0) {
    hlo_string_add_char(p->out, *element != 0 ? '1' : '0');
  } else {
    hlo_element_print(p->out, p->shape->type, element);
  }
}

// A row of the last dimension: {1, 2} alone, { 1, 2 } in a matrix, {1} always.
static void print_row(const array_printer *p, int64_t position) {
  int32_t d = p->shape->rank - 1;
  int64_t size = p->shape->dims[d];
  bool spaced = p->shape->rank > 1 && size > 1;
  hlo_string_add(p->out, spaced ? "{ " : "{");
  for (int64_t i = 0; i < size && !p->out->failed; i++) {
    if (i > 0) hlo_string_add(p->out, ", ");
    print_element(p, position + i * p->strides[d]);
  }
  hlo_string_add(p->out, spaced ? " }" : "}");
}

// The subarray selected by `dimension` indices, the last of which is `index`.
static void print_braces(const array_printer *p, int32_t dimension, int64_t index,
                         int64_t position) {
  if (dimension == p->shape->rank) {
    print_element(p, position);
    return;
  }
  if (dimension == p->shape->rank - 1) {
    print_row(p, position);
    return;
  }
  int64_t size = p->shape->dims[dimension];
  if (p->shape->rank > 3 && dimension > 0) {
    hlo_string_add_format(p->out, "{ /*i%d=%lld*/%s", (int)dimension - 1, (long long)index,
                          size > 0 ? " " : "");
  } else {
    hlo_string_add(p->out, "{ ");
  }
  for (int64_t i = 0; i < size && !p->out->failed; i++) {
    if (i > 0) hlo_string_add(p->out, ", ");
    print_braces(p, dimension + 1, i, position + i * p->strides[dimension]);
  }
  hlo_string_add(p->out, " }");
}

static bool has_many_empty_braces(const hlo_shape *shape) {
  int64_t braces = 1;
  for (int32_t i = 0; i < shape->rank && shape->dims[i] != 0; i++) {
    if (shape->dims[i] > MOST_EMPTY_BRACES / braces) return true;
    braces *= shape->dims[i];
  }
  return false;
}

static __attribute__((noinline)) void print_array(hlo_string *out, const hlo_literal *literal) {
  if (hlo_shape_elements(literal->shape) == 0 && has_many_empty_braces(literal->shape)) {
    hlo_string_add(out, "{}");
    return;
  }
  array_printer p;
  p.out = out;
  p.shape = literal->shape;
  p.data = literal->data;
  p.element_size = hlo_type_bytes(literal->shape->type);
  hlo_shape_strides(literal->shape, p.strides);
  print_braces(&p, 0, 0, 0);
}

void hlo_literal_print(hlo_string *out, const hlo_literal *literal) {
  const hlo_shape *shape = literal->shape;
  if (hlo_shape_is_array(shape)) {
    print_array(out, literal);
  } else if (hlo_shape_is_tuple(shape)) {
    hlo_string_add(out, "( ");
    for (int32_t i = 0; i < shape->element_count; i++) {
      if (i > 0) hlo_string_add(out, ", ");
      hlo_literal_print(out, &literal->elements[i]);
    }
    hlo_string_add(out, " )");
  } else {
    hlo_string_add(out, hlo_type_name(shape->type));
    hlo_string_add(out, "[]");
  }
}
