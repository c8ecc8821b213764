// Parses shapes in XLA's text form: f32[2,3]{1,0}, (s32[], /*index=5*/f32[<=4]). layout_text.c
// parses layouts.
#include "shape/layout_text.h"
#include "shape/scan.h"
#include "shape/shape.h"

// One buffer for the dimensions of all leaves: frames of the recursion stay small, since stacks in
// WebAssembly are.
typedef struct shape_parser {
  hlo_scan scan;
  hlo_arena *arena;
  int32_t shapes; // in the outermost tuple so far
  bool spaced;    // blanks may stand before a layout
  int64_t dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK];
} shape_parser;

static hlo_status parse_type(hlo_scan *scan, hlo_type *out) {
  size_t length = hlo_scan_name_length(scan);
  if (length == 0) return hlo_scan_expected(scan, "a shape");
  *out = hlo_type_from_name(scan->at, length);
  if (*out == HLO_TYPE_INVALID || *out == HLO_TUPLE) {
    return hlo_scan_fail(scan, scan->at, HLO_PARSE_ERROR, "'%.*s' is no element type",
                         (int)(length < 40 ? length : 40), scan->at);
  }
  scan->at += length;
  return HLO_OK;
}

// "4", "<=4" or "?".
static hlo_status parse_dimension(shape_parser *p, int32_t i) {
  hlo_scan *scan = &p->scan;
  if (i == HLO_MAX_RANK) {
    return hlo_scan_fail(scan, scan->at, HLO_PARSE_ERROR, "more than %d dimensions",
                         (int)HLO_MAX_RANK);
  }
  if (hlo_scan_peek(scan, '?')) {
    return hlo_scan_fail(scan, scan->at, HLO_UNSUPPORTED,
                         "a dimension without a bound ('?') is not supported, only one with (<=N)");
  }
  if (hlo_scan_peek(scan, '-')) {
    return hlo_scan_fail(scan, scan->at, HLO_PARSE_ERROR, "a dimension's size is negative");
  }
  p->dynamic[i] = hlo_scan_accept(scan, '<');
  if (p->dynamic[i]) {
    if (scan->at >= scan->end || *scan->at != '=') return hlo_scan_expected(scan, "'=' after '<'");
    scan->at++;
  }
  return hlo_scan_size(scan, &p->dims[i]);
}

// A brace begins a layout only if its contents look like one and, where values may follow, only
// directly after the bracket: in "-> f32[]{" begins a computation's body, in "f32[2] {1, 2}" the
// values.
static bool is_layout(const shape_parser *p) {
  hlo_scan ahead = p->scan;
  if (p->spaced) hlo_scan_skip_blanks(&ahead);
  if (ahead.at >= ahead.end || *ahead.at != '{') return false;
  ahead.at++;
  hlo_scan_skip_blanks(&ahead);
  if (ahead.at >= ahead.end) return true;
  char c = *ahead.at;
  return (c >= '0' && c <= '9') || c == ':' || c == '}' || c == '-' || c == ',' || c == '*';
}

static hlo_status parse_array(shape_parser *p, const hlo_shape **out) {
  hlo_scan *scan = &p->scan;
  const char *start = scan->at;
  hlo_type type;
  HLO_TRY(parse_type(scan, &type));
  HLO_TRY(hlo_scan_expect(scan, '['));
  int32_t rank = 0;
  if (!hlo_scan_peek(scan, ']')) {
    do HLO_TRY(parse_dimension(p, rank++));
    while (hlo_scan_accept(scan, ','));
  }
  HLO_TRY(hlo_scan_expect(scan, ']'));
  HLO_TRY(hlo_scan_locate(
      scan, start,
      hlo_shape_make_dynamic(p->arena, type, rank, p->dims, p->dynamic, out, scan->error)));
  if (!is_layout(p)) return HLO_OK;
  return hlo_layout_parse(scan, p->arena, *out, out);
}

static hlo_status parse_shape(shape_parser *p, int32_t depth, const hlo_shape **out);

// Elements and the closing parenthesis.
static hlo_status parse_elements(shape_parser *p, int32_t depth, hlo_shape *tuple) {
  const hlo_shape **elements = NULL;
  int32_t capacity = 0;
  if (hlo_scan_accept(&p->scan, ')')) return HLO_OK;
  do {
    HLO_GROW_LIST(elements, p->arena, tuple->element_count, capacity, p->scan.error);
    tuple->elements = elements;
    HLO_TRY(parse_shape(p, depth + 1, &elements[tuple->element_count]));
    tuple->element_count++;
  } while (hlo_scan_accept(&p->scan, ','));
  HLO_TRY(hlo_shape_count_leaves(p->arena, tuple, p->scan.error));
  return hlo_scan_expect(&p->scan, ')');
}

static hlo_status parse_shape(shape_parser *p, int32_t depth, const hlo_shape **out) {
  hlo_scan_skip_blanks(&p->scan);
  if (++p->shapes > HLO_MAX_TUPLE_SHAPES) {
    return hlo_scan_fail(&p->scan, p->scan.at, HLO_PARSE_ERROR, "a tuple of more than %d shapes",
                         (int)HLO_MAX_TUPLE_SHAPES);
  }
  if (!hlo_scan_peek(&p->scan, '(')) return parse_array(p, out);
  if (depth > HLO_MAX_TUPLE_DEPTH) {
    return hlo_scan_fail(&p->scan, p->scan.at, HLO_PARSE_ERROR,
                         "tuples nest more than %d levels deep", (int)HLO_MAX_TUPLE_DEPTH);
  }
  p->scan.at++;
  hlo_shape *tuple;
  HLO_ALLOC(tuple, p->arena, 1, p->scan.error);
  tuple->type = HLO_TUPLE;
  *out = tuple;
  return parse_elements(p, depth, tuple);
}

static hlo_status parse_at(hlo_arena *arena, const char **cursor, const char *end, bool spaced,
                           const hlo_shape **out, hlo_error *error) {
  shape_parser p;
  p.scan = (hlo_scan){*cursor, *cursor, end, error};
  p.arena = arena;
  p.shapes = 0;
  p.spaced = spaced;
  HLO_TRY(parse_shape(&p, 0, out));
  *cursor = p.scan.at;
  return HLO_OK;
}

hlo_status hlo_shape_parse(hlo_arena *arena, const char **cursor, const char *end,
                           const hlo_shape **out, hlo_error *error) {
  return parse_at(arena, cursor, end, false, out, error);
}

hlo_status hlo_shape_parse_spaced(hlo_arena *arena, const char **cursor, const char *end,
                                  const hlo_shape **out, hlo_error *error) {
  return parse_at(arena, cursor, end, true, out, error);
}
