// Runs the tables of data/constraints: each line is an instruction and either the shape of its
// result or a part of the message with which it must be refused. Every line goes two ways: through
// the builder, and as HLO text, where the message must name the operation and point at its line.
// data/constraints/README.md describes the lines. With an argument: only files of that name.
#include "hlo/builder.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "files.h"

enum { MAX_STATEMENTS = 8, MAX_OPERANDS = 80 };

typedef struct piece {
  const char *start;
  int length;
} piece;

typedef struct statement {
  piece stated; // the shape in front of the operation; may be empty
  piece op;
  int operand_count;
  piece operands[MAX_OPERANDS]; // shapes, or %0, %1, … for earlier statements
  hlo_string attributes;        // with names in place of signatures
} statement;

typedef struct line_test {
  const char *file;
  int number;
  int count, computation_count;
  statement statements[MAX_STATEMENTS];
  hlo_string computations;           // what the names stand for
  hlo_string shapes[MAX_STATEMENTS]; // of the results, as the builder finds them
  const char *shape, *message;       // what must come out: one of them
} line_test;

// --- reading a line ---

static void unreadable(const line_test *test, const char *at) {
  printf("%s:%d: cannot be read at: %.60s\n", test->file, test->number, at);
  exit(2);
}

// Behind the bracket that closes the one at `open`.
static const char *behind_brackets(const line_test *test, const char *open) {
  int depth = 0;
  for (const char *p = open; *p != '\0'; p++) {
    if (strchr("([{", *p) != NULL) depth++;
    if (strchr(")]}", *p) != NULL && --depth == 0) return p + 1;
  }
  unreadable(test, open);
  return open;
}

// Behind the shape at p.
static const char *behind_shape(const line_test *test, const char *p) {
  if (*p != '(') p += strcspn(p, "[ (");
  if (*p != '(' && *p != '[') unreadable(test, p);
  p = behind_brackets(test, p);
  return *p == '{' ? behind_brackets(test, p) : p;
}

// The shapes (or names) between the bracket at `open` and the one that closes it.
static int read_list(const line_test *test, const char *open, piece *out) {
  const char *end = behind_brackets(test, open) - 1, *p = open + 1;
  int count = 0;
  while (p < end && count < MAX_OPERANDS) {
    const char *start = p;
    p = *p == '%' ? p + strcspn(p, ",)") : behind_shape(test, p);
    out[count++] = (piece){start, (int)(p - start)};
    p += strspn(p, ", ");
  }
  return count;
}

// "(f32[], s32[])->f32[]" at p: a computation with these parameters and a root of that shape.
// Returns the end.
static const char *add_computation(line_test *test, const char *p, const char *arrow) {
  piece parameters[MAX_OPERANDS];
  int count = read_list(test, p, parameters);
  const char *result = arrow + 2, *end = behind_shape(test, result);
  hlo_string *out = &test->computations;
  hlo_string_add_format(out, "c%d {\n", test->computation_count++);
  for (int i = 0; i < count; i++)
    hlo_string_add_format(out, "  p%d = %.*s parameter(%d)\n", i, parameters[i].length,
                          parameters[i].start, i);
  hlo_string_add_format(out, "  ROOT r = %.*s custom-call(), custom_call_target=\"any\"\n}\n\n",
                        (int)(end - result), result);
  return end;
}

static void read_attributes(line_test *test, const char *p, const char *end, hlo_string *out) {
  hlo_string_add(out, "");
  while (p < end) {
    const char *arrow = *p == '(' ? behind_brackets(test, p) : p;
    if (*p == '(' && strncmp(arrow, "->", 2) == 0) {
      hlo_string_add_format(out, "c%d", test->computation_count);
      p = add_computation(test, p, arrow);
    } else hlo_string_add_char(out, *p++);
  }
}

// [shape] operation(operands)[, attributes]
static void read_statement(line_test *test, const char *p, const char *end) {
  if (test->count == MAX_STATEMENTS) unreadable(test, p);
  statement *s = &test->statements[test->count++];
  size_t word = strcspn(p, "([");
  if (p[0] == '(' || p[word] == '[') {
    const char *stop = behind_shape(test, p);
    s->stated = (piece){p, (int)(stop - p)};
    p = stop + strspn(stop, " ");
  }
  s->op = (piece){p, (int)strcspn(p, "(")};
  p += s->op.length;
  s->operand_count = read_list(test, p, s->operands);
  p = behind_brackets(test, p);
  read_attributes(test, p + strspn(p, ", "), end, &s->attributes);
}

static void read_line(line_test *test, char *line) {
  char *shape = strstr(line, " => "), *message = strstr(line, " !! ");
  if ((shape == NULL) == (message == NULL)) unreadable(test, line);
  test->shape = shape == NULL ? NULL : shape + 4;
  test->message = message == NULL ? NULL : message + 4;
  *(shape == NULL ? message : shape) = '\0';
  for (char *p = line; p != NULL;) {
    char *next = strstr(p, " ; ");
    read_statement(test, p, next == NULL ? p + strlen(p) : next);
    p = next == NULL ? NULL : next + 3;
  }
}

// --- the builder ---

static bool add_operand(line_test *test, hlo_computation *body, int *parameters, piece text,
                        hlo_instruction *const *results, hlo_instruction **out, hlo_error *error) {
  if (*text.start == '%') {
    *out = results[atoi(text.start + 1)];
    return true;
  }
  const hlo_shape *shape;
  const char *cursor = text.start;
  if (hlo_shape_parse(&body->module->arena, &cursor, text.start + text.length, &shape, error) !=
      HLO_OK)
    unreadable(test, text.start);
  return hlo_build_parameter(body, (*parameters)++, shape, NULL, out, error) == HLO_OK;
}

// Appends the statements to the computation, up to the first that is refused.
static hlo_status build_statements(line_test *test, hlo_computation *body, hlo_error *error) {
  hlo_instruction *results[MAX_STATEMENTS], *operands[MAX_OPERANDS];
  int parameters = 0;
  for (int i = 0; i < test->count; i++) {
    statement *s = &test->statements[i];
    const hlo_shape *stated = NULL;
    hlo_attribute *attributes;
    int32_t attribute_count;
    const char *cursor = s->stated.start;
    if (s->stated.length > 0)
      HLO_TRY(hlo_shape_parse(&body->module->arena, &cursor, cursor + s->stated.length, &stated,
                              error));
    for (int k = 0; k < s->operand_count; k++)
      if (!add_operand(test, body, &parameters, s->operands[k], results, &operands[k], error))
        return error->status;
    HLO_TRY(hlo_parse_attributes(body->module, s->attributes.text, s->attributes.length,
                                 &attributes, &attribute_count, error));
    hlo_opcode opcode = hlo_op_from_name(s->op.start, (size_t)s->op.length);
    if (opcode == HLO_OP_COUNT) unreadable(test, s->op.start);
    HLO_TRY(hlo_build(body, opcode, stated, s->operand_count, operands, attribute_count, attributes,
                      &results[i], error));
    hlo_shape_print(&test->shapes[i], results[i]->shape, false);
  }
  return HLO_OK;
}

static hlo_status build(line_test *test, hlo_error *error) {
  hlo_string text = {0};
  hlo_string_add_format(&text, "HloModule m\n\n%se {\n  ROOT t = () tuple()\n}\n",
                        test->computations.text == NULL ? "" : test->computations.text);
  hlo_module *module = NULL;
  hlo_computation *body;
  hlo_status status = hlo_parse_hlo(text.text, text.length, &module, error);
  if (status != HLO_OK) printf("%s\n", error->message), unreadable(test, text.text);
  status = hlo_computation_create(module, "built", &body, error);
  if (status == HLO_OK) status = build_statements(test, body, error);
  hlo_module_destroy(module);
  hlo_string_free(&text);
  return status;
}

// --- HLO text ---

// Returns the line of the last statement.
static int print_text(const line_test *test, hlo_string *out) {
  hlo_string_add_format(out, "HloModule m\n\n%sENTRY e {\n",
                        test->computations.text == NULL ? "" : test->computations.text);
  hlo_string lines = {0};
  int parameters = 0;
  for (int i = 0; i < test->count; i++) {
    const statement *s = &test->statements[i];
    const char *shape = test->shapes[i].text == NULL ? "f32[]" : test->shapes[i].text;
    hlo_string_add_format(&lines, "  %ss%d = ", i == test->count - 1 ? "ROOT " : "", i);
    if (s->stated.length > 0)
      hlo_string_add_bytes(&lines, s->stated.start, (size_t)s->stated.length);
    else hlo_string_add(&lines, shape);
    hlo_string_add_format(&lines, " %.*s(", s->op.length, s->op.start);
    for (int k = 0; k < s->operand_count; k++) {
      const piece *operand = &s->operands[k];
      if (k > 0) hlo_string_add(&lines, ", ");
      if (*operand->start == '%') {
        hlo_string_add_format(&lines, "s%d", atoi(operand->start + 1));
        continue;
      }
      hlo_string_add_format(out, "  a%d = %.*s parameter(%d)\n", parameters, operand->length,
                            operand->start, parameters);
      hlo_string_add_format(&lines, "a%d", parameters++);
    }
    hlo_string_add_format(&lines, ")%s%s\n", s->attributes.length > 0 ? ", " : "",
                          s->attributes.text);
  }
  hlo_string_add(out, lines.text);
  hlo_string_free(&lines);
  int line = 0;
  for (size_t i = 0; i < out->length; i++) line += out->text[i] == '\n';
  hlo_string_add(out, "}\n");
  return line;
}

static void check_text(line_test *test) {
  // text always states a shape
  if (test->message != NULL && strstr(test->message, "must be given") != NULL) return;
  hlo_string text = {0};
  int line = print_text(test, &text);
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_status status = hlo_parse_hlo(text.text, text.length, &module, &error);
  hlo_module_destroy(module);
  if (test->shape != NULL) {
    CHECK_MESSAGE(status == HLO_OK, "%s:%d: as text: %s", test->file, test->number, error.message);
  } else {
    char op[64];
    const statement *last = &test->statements[test->count - 1];
    snprintf(op, sizeof op, "%.*s", last->op.length, last->op.start);
    CHECK_MESSAGE(status != HLO_OK && strstr(error.message, test->message) != NULL &&
                      strstr(error.message, op) != NULL && error.line == line && error.column >= 3,
                  "%s:%d: as text must be refused at line %d with \"%s\": %d:%d: %s", test->file,
                  test->number, line, test->message, error.line, error.column, error.message);
  }
  hlo_string_free(&text);
}

// --- lines and files ---

static void check_line(const char *file, int number, char *line) {
  static line_test empty;
  line_test *test = malloc(sizeof *test);
  *test = empty;
  test->file = file;
  test->number = number;
  read_line(test, line);
  hlo_error error = {0};
  hlo_status status = build(test, &error);
  const char *shape = test->shapes[test->count - 1].text;
  if (test->shape != NULL)
    CHECK_MESSAGE(status == HLO_OK && strcmp(shape, test->shape) == 0, "%s:%d: %s, not %s: %s",
                  file, number, status == HLO_OK ? shape : "refused", test->shape, error.message);
  else
    CHECK_MESSAGE(status == HLO_SHAPE_ERROR || status == HLO_UNSUPPORTED ||
                      status == HLO_PARSE_ERROR,
                  "%s:%d: not refused, for \"%s\"", file, number, test->message);
  if (test->message != NULL && status != HLO_OK)
    CHECK_MESSAGE(strstr(error.message, test->message) != NULL, "%s:%d: no \"%s\" in: %s", file,
                  number, test->message, error.message);
  check_text(test);
  for (int i = 0; i < test->count; i++) {
    hlo_string_free(&test->statements[i].attributes);
    hlo_string_free(&test->shapes[i]);
  }
  hlo_string_free(&test->computations);
  free(test);
}

static void check_file(const char *path) {
  char *text = read_file(path, NULL), *line = text;
  for (int number = 1; line != NULL; number++) {
    char *next = strchr(line, '\n');
    if (next != NULL) *next++ = '\0';
    if (*line != '\0' && *line != '#') check_line(path, number, line);
    line = next;
  }
  free(text);
  CHECK_MESSAGE(hlo_memory_in_use() == 0, "%s: memory is left", path);
}

int main(int count, char **arguments) {
  const char *part = count > 1 ? arguments[1] : NULL;
  CHECK(for_each_file("tests/c/data/constraints", part, ".txt", check_file) > 0);
  return CHECK_RESULT();
}
