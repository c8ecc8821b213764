// Runs the table data/stablehlo_constraints.txt: each line is an operation in MLIR's generic form
// and whether it is accepted, or a part of the message with which it must be refused, which must
// point at the operation. The table says what its lines look like.
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "files.h"

static const char path[] = "tests/c/data/stablehlo_constraints.txt";

enum { MAX_MACROS = 64, MAX_NESTING = 4, OPERATION_LINE = 2 };

typedef struct macro {
  const char *name, *text;
} macro;

static macro macros[MAX_MACROS];
static int macro_count;

// "let NAME = text"
static void define(char *line) {
  char *equals = strstr(line, " = ");
  if (equals == NULL || macro_count == MAX_MACROS) exit(2);
  *equals = '\0';
  macros[macro_count++] = (macro){line + strlen("let "), equals + strlen(" = ")};
}

// Adds the text with what its $NAMEs stand for.
static void expand(const char *text, size_t length, int nesting, hlo_string *out) {
  const char *end = text + length;
  for (const char *p = text; p < end;) {
    if (*p != '$') {
      hlo_string_add_char(out, *p++);
      continue;
    }
    size_t name = strspn(++p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    int i = 0;
    while (i < macro_count &&
           (strlen(macros[i].name) != name || strncmp(macros[i].name, p, name) != 0))
      i++;
    if (i == macro_count || nesting == MAX_NESTING) printf("no macro %.20s\n", p), exit(2);
    expand(macros[i].text, strlen(macros[i].text), nesting + 1, out);
    p += name;
  }
}

// Behind the bracket that closes the one at `open`; "->" is no bracket.
static const char *behind(const char *open) {
  int depth = 0;
  const char *p = open;
  do {
    if (strchr("([{<", *p) != NULL) depth++;
    if (strchr(")]}", *p) != NULL || (*p == '>' && p[-1] != '-')) depth--;
  } while (*++p != '\0' && depth > 0);
  return p;
}

// The operation's function type, behind the last " : " outside of brackets.
static const char *find_type(const char *text) {
  const char *type = NULL;
  for (const char *p = text; *p != '\0';) {
    if (strncmp(p, " : ", 3) == 0) type = p + 3;
    p = strchr("([{<", *p) != NULL ? behind(p) : p + 1;
  }
  return type;
}

// Adds the types between the brackets at `list`, or the one that is there, each behind
// `prefix` and its number when prefix is not NULL. Returns how many.
static int add_types(const char *list, const char *prefix, hlo_string *out) {
  const char *p = *list == '(' ? list + 1 : list;
  int count = 0;
  while (*p != ')' && *p != '\0') {
    const char *start = p;
    while (*p != ',' && *p != ')' && *p != '\0') p = *p == '<' ? behind(p) : p + 1;
    if (count > 0) hlo_string_add(out, ", ");
    if (prefix != NULL) hlo_string_add_format(out, "%s%d: ", prefix, count);
    hlo_string_add_bytes(out, start, (size_t)(p - start));
    count++;
    while (*p == ',' || *p == ' ') p++;
  }
  return count;
}

// A function around the operation, whose arguments are its operands.
static void make_program(const char *operation, hlo_string *out) {
  const char *type = find_type(operation), *results = strstr(behind(type), "-> ") + 3;
  hlo_string types = {0};
  hlo_string_add(out, "func.func @main(");
  add_types(type, "%", out);
  int count = add_types(results, NULL, &types);
  const char *returned = types.text == NULL ? "" : types.text;
  hlo_string_add_format(out, ") -> (%s) {\n", returned);
  if (count > 0) hlo_string_add_format(out, "%%r:%d = ", count);
  hlo_string_add_format(out, "%s\nreturn", operation);
  for (int i = 0; i < count; i++) hlo_string_add_format(out, "%s %%r#%d", i > 0 ? "," : "", i);
  hlo_string_add_format(out, "%s%s\n}\n", count > 0 ? " : " : "", returned);
  hlo_string_free(&types);
}

static void check_line(int number, const char *line) {
  const char *mark = strstr(line, " !! ");
  const char *message = mark == NULL ? NULL : mark + 4;
  if (mark == NULL) mark = strstr(line, " => ok");
  if (mark == NULL) printf("%s:%d: neither accepted nor refused\n", path, number), exit(2);
  hlo_string operation = {0}, program = {0};
  expand(line, (size_t)(mark - line), 0, &operation);
  make_program(operation.text, &program);
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_status status = hlo_parse_stablehlo(program.text, program.length, &module, &error);
  hlo_module_destroy(module);
  if (message == NULL)
    CHECK_MESSAGE(status == HLO_OK, "%s:%d: must be accepted: %s", path, number, error.message);
  else
    CHECK_MESSAGE(status != HLO_OK && strstr(error.message, message) != NULL &&
                      error.line == OPERATION_LINE && error.column > 0,
                  "%s:%d: must be refused with \"%s\": %d:%d: %s", path, number, message,
                  error.line, error.column, status == HLO_OK ? "accepted" : error.message);
  hlo_string_free(&operation);
  hlo_string_free(&program);
}

int main(void) {
  char *text = read_file(path, NULL), *line = text;
  for (int number = 1; line != NULL; number++) {
    char *next = strchr(line, '\n');
    if (next != NULL) *next++ = '\0';
    if (strncmp(line, "let ", 4) == 0) define(line);
    else if (*line != '\0' && *line != '#') check_line(number, line);
    line = next;
  }
  free(text);
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
