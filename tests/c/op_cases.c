// Reads op cases and compares results. See op_cases.h.
#include "op_cases.h"
#include "files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *file, const char *what, const char *detail) {
  fprintf(stderr, "%s: %s %.200s\n", file, what, detail);
  exit(1);
}

static const char *line_end(const char *at) {
  const char *end = strchr(at, '\n');
  return end == NULL ? at + strlen(at) : end;
}

static bool starts(const char *at, const char *word) {
  return strncmp(at, word, strlen(word)) == 0;
}

// A directive's text with its "//!+" continuation lines joined. Moves *cursor behind them.
static char *directive_text(hlo_arena *arena, const char *at, const char **cursor) {
  hlo_string text = {0};
  const char *end = line_end(at);
  hlo_string_add_bytes(&text, at, (size_t)(end - at));
  while (*end == '\n' && starts(end + 1, "//!+")) {
    at = end + 5;
    end = line_end(at);
    hlo_string_add_bytes(&text, at, (size_t)(end - at));
  }
  *cursor = *end == '\n' ? end + 1 : end;
  char *copy = hlo_arena_copy_text(arena, text.text, text.length);
  hlo_string_free(&text);
  return copy;
}

static hlo_literal read_literal(hlo_arena *arena, const char *file, const char *text) {
  hlo_error error = {0};
  const hlo_shape *shape;
  hlo_literal literal = {0};
  const char *at = text, *end = text + strlen(text);
  if (hlo_shape_parse(arena, &at, end, &shape, &error) != HLO_OK ||
      hlo_literal_parse(arena, shape, &at, end, &literal, &error) != HLO_OK) {
    die(file, error.message, text);
  }
  return literal;
}

static void read_tolerance(op_case *out, const char *text) {
  const char *at;
  if ((at = strstr(text, "ulp=")) != NULL) out->ulps = strtoull(at + 4, NULL, 10);
  if ((at = strstr(text, "abs=")) != NULL) out->absolute = strtod(at + 4, NULL);
  if ((at = strstr(text, "rel=")) != NULL) out->relative = strtod(at + 4, NULL);
}

static void read_error(const char *file, op_case *out, const char *text) {
  const char *open = strchr(text, '"'), *close = strrchr(text, '"');
  if (open == NULL || close == open) die(file, "no quoted text in", text);
  out->error = open + 1;
  out->error_length = (size_t)(close - open - 1);
  const char *at = strstr(close, " at ");
  out->error_line = at == NULL ? 0 : atoi(at + 4);
}

static void read_directive(hlo_arena *arena, const char *file, op_case *out, const char *text) {
  if (starts(text, "input ")) {
    if (out->input_count == OP_CASE_MAX_VALUES) die(file, "too many inputs", out->name);
    out->inputs[out->input_count++] = read_literal(arena, file, text + 6);
  } else if (starts(text, "expect ")) {
    if (out->expect_count == OP_CASE_MAX_VALUES) die(file, "too many results", out->name);
    out->expects[out->expect_count++] = read_literal(arena, file, text + 7);
  } else if (starts(text, "tolerance ")) {
    read_tolerance(out, text);
  } else if (starts(text, "order")) {
    out->has_order = true;
  } else if (starts(text, "phases ")) {
    for (const char *at = text + 7; *at >= '0' && *at <= '9';
         at += strcspn(at, " "), at += *at == ' ')
      out->phases |= 1U << atoi(at);
  } else if (starts(text, "error ")) {
    read_error(file, out, text);
  } else {
    die(file, "unknown directive", text);
  }
}

bool op_case_next(hlo_arena *arena, const char *file, const char *text, const char **cursor,
                  op_case *out) {
  const char *at = strstr(*cursor, "//! case ");
  if (at == NULL) return false;
  memset(out, 0, sizeof *out);
  out->line = 1;
  for (const char *c = text; c < at; c++) out->line += *c == '\n';
  const char *end = line_end(at);
  snprintf(out->name, sizeof out->name, "%.*s", (int)strcspn(at + 9, " \n"), at + 9);
  at = *end == '\n' ? end + 1 : end;
  while (starts(at, "//! ") && !starts(at, "//! case ")) {
    char *directive = directive_text(arena, at + 4, &at);
    read_directive(arena, file, out, directive);
  }
  const char *next = strstr(at, "//! case ");
  out->program = at;
  out->program_length = next == NULL ? strlen(at) : (size_t)(next - at);
  *cursor = at + out->program_length;
  return true;
}

static const char *visited_name; // what for_each_op_case was asked for
static void (*visit_case)(const char *file, const op_case *test);

static void visit_file(const char *path) {
  char *text = read_file(path, NULL);
  const char *cursor = text;
  static op_case test;
  for (hlo_arena arena = {0}; op_case_next(&arena, path, text, &cursor, &test);
       hlo_arena_free(&arena))
    if (visited_name == NULL || strstr(test.name, visited_name) != NULL) visit_case(path, &test);
  free(text);
}

int for_each_op_case(const char *file, const char *name,
                     void (*visit)(const char *file, const op_case *test)) {
  visited_name = name;
  visit_case = visit;
  return for_each_file("tests/ops", file, ".hlo", visit_file);
}

static int64_t ordinal(hlo_type type, double value) {
  uint64_t bits = 0;
  hlo_element_set(type, &bits, (hlo_number){HLO_CLASS_FLOAT, 0, 0, fabs(value), 0});
  return value < 0 ? -(int64_t)bits : (int64_t)bits;
}

// Half the distance of 1 to the next number of a type.
static double roundoff_of(hlo_type type) {
  const hlo_float_format *format = hlo_type_float_format(type);
  return ldexp(1, type == HLO_F64 ? -53 : format == NULL ? -24 : -1 - format->mantissa_bits);
}

static bool parts_agree(const op_case *test, hlo_type type, double want, double got) {
  if (want != want || got != got) return (want != want) == (got != got);
  if (want == got && (signbit(want) == signbit(got) || want != 0)) return true;
  double near = test->absolute + test->relative * fabs(want);
  if (near > 0 && near < HUGE_VAL && fabs(got - want) <= near) return true;
  if (test->ulps == 0) return false;
  int64_t a = ordinal(type, want), b = ordinal(type, got);
  return (uint64_t)(a > b ? a - b : b - a) <= test->ulps;
}

static bool elements_agree(const op_case *test, hlo_type type, const void *want, const void *got) {
  hlo_number w = hlo_element_get(type, want), g = hlo_element_get(type, got);
  hlo_type part = hlo_type_complex_part(type);
  if (!hlo_type_is_float(part)) return w.i == g.i && w.u == g.u;
  return parts_agree(test, part, w.re, g.re) &&
         (!hlo_type_is_complex(type) || parts_agree(test, part, w.im, g.im));
}

static bool magnitudes_agree(const op_case *test, hlo_type type, const void *want,
                             const void *got) {
  hlo_number w = hlo_element_get(type, want), g = hlo_element_get(type, got);
  double size = hypot(w.re, w.im), difference = fabs(size - hypot(g.re, g.im));
  if (isnan(size)) return isnan(difference);
  return difference <= test->absolute + test->relative * size;
}

bool op_case_agrees(const op_case *test, bool is_oracle, const hlo_literal *want,
                    const hlo_array *got, char *message, size_t size) {
  op_case loose;
  hlo_type part = hlo_type_complex_part(want->shape->type);
  bool by_magnitude = is_oracle && (test->phases >> (want - test->expects) & 1) != 0;
  if (is_oracle && test->has_order && hlo_type_is_float(part)) {
    loose = *test;
    loose.absolute += 64 * roundoff_of(part);
    loose.relative += 64 * roundoff_of(part);
    test = &loose;
  }
  if (!hlo_shape_compatible(want->shape, got->shape)) {
    char a[HLO_SHAPE_TEXT_SIZE], b[HLO_SHAPE_TEXT_SIZE];
    snprintf(message, size, "want %s, got %s", hlo_shape_to_text(a, want->shape),
             hlo_shape_to_text(b, got->shape));
    return false;
  }
  int64_t index[HLO_MAX_RANK] = {0};
  int32_t bytes = hlo_type_bytes(want->shape->type);
  if (hlo_shape_elements(want->shape) == 0) return true;
  do {
    const char *w = (char *)want->data + hlo_linear_index(want->shape, index) * bytes;
    const char *g = (char *)got->buffer->data + hlo_linear_index(got->shape, index) * bytes;
    if (elements_agree(test, want->shape->type, w, g)) continue;
    if (by_magnitude && magnitudes_agree(test, want->shape->type, w, g)) continue;
    hlo_string text = {0};
    hlo_string_add(&text, "at [");
    for (int32_t d = 0; d < want->shape->rank; d++) {
      hlo_string_add_format(&text, d > 0 ? ",%lld" : "%lld", (long long)index[d]);
    }
    hlo_string_add(&text, "] want ");
    hlo_element_print(&text, want->shape->type, w);
    hlo_string_add(&text, ", got ");
    hlo_element_print(&text, want->shape->type, g);
    snprintf(message, size, "%s", text.text);
    hlo_string_free(&text);
    return false;
  } while (hlo_next_index(want->shape->rank, want->shape->dims, index));
  return true;
}
