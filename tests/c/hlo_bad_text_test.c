// Tests that broken HLO text is refused at the right place with the right words, and that no text
// does harm: cut, changed, nested, without memory.
#include "hlo_text_files.h"
#include "parse_text.h"

#include <string.h>

static hlo_module *parse(const char *text) { return parse_text(HLO_FORMAT_HLO, text); }

#define P "p = f32[4] parameter(0)\n"

static const struct {
  const char *text;
  int line, column;
  const char *message;
} errors[] = {
    {"", 1, 1, "the name of a computation, found the end of the text"},
    {"HloModule", 1, 10, "the module's name"},
    {"HloModule m\n", 2, 1, "found the end"},
    {"HloModule m, x\ne {}", 2, 1, "expected '=', found 'e'"},
    {"HloModule m, x={(}", 1, 18, "this '}' does not close '('"},
    {"HloModule m, x={(", 1, 17, "this '(' is never closed"},
    {"HloModule m, x=\"abc", 1, 16, "this '\"' is never closed"},
    {"HloModule m /* x", 1, 13, "this comment is never closed"},
    {"ENTRY e { }", 1, 11, "an instruction"},
    {"e { p = f32[4] parameter(0)", 1, 28, "found the end"},
    {"e { p = f32[4 parameter(0) }", 1, 15, ""},
    {"e {\n p = f32[4] nosuch(0) }", 2, 13, "there is no operation 'nosuch'"},
    {"e {\n p = f32[4] nosuch-start(0) }", 2, 13, "there is no operation"},
    {"e {\n p = f33[4] parameter(0) }", 2, 6, ""},
    {"e {\n p = f32[99999999999999999999] parameter(0) }", 2, 10, ""},
    {"e {\n p = f32[4000000000,4000000000,4] parameter(0) }", 2, 0, ""},
    {"e {\n p = f32[4] parameter(99999999999999999999) }", 2, 23, "64 bits"},
    {"e {\n p = f32[4] parameter(x) }", 2, 23, "the number of the parameter"},
    {"e {\n p = f32[4] parameter(1) }", 2, 2, "parameter number"},
    {"e {\n " P " p = f32[4] negate(p) }", 3, 2, "'p' is defined twice"},
    {"e {\n " P " ROOT r = f32[4] negate(q) }", 3, 25, "no instruction 'q'"},
    {"e {\n " P " ROOT r = f32[4] add(r, p) }", 3, 7, "'r' depends on itself"},
    {"e {\n " P " a = f32[4] negate(b)\n b = f32[4] negate(a) }", 3, 2, "depends on itself"},
    {"e {\n " P " ROOT q = f32[4] negate(p)\n ROOT r = f32[4] negate(p) }", 4, 2, "ROOT already"},
    {"e {\n " P " ROOT q = f32[4] add(p) }", 3, 18, "'add' takes 2 operands, not 1"},
    {"e {\n " P " ROOT q = f32[4] add(p,p,p) }", 3, 18, "'add' takes 2 operands, not 3"},
    {"e {\n " P " ROOT q = f32[4] reduce(p), dimensions={}, to_apply=f }", 3, 18, "at least 2"},
    {"e {\n " P " ROOT q = f32[4] negate(f32[5] p) }", 3, 25, "%p is f32[4], not f32[5]"},
    {"e {\n ROOT q = f32[4] negate(f32[5] p)\n" P "}", 2, 25, "%p is f32[4], not f32[5]"},
    {"e {\n " P " ROOT q = f32[5] negate(p) }", 3, 7, "f32[5]"},
    {"e {\n " P " ROOT q = f32[4] negate(p), foo=1 }", 3, 29, "no attribute 'foo'"},
    {"e {\n " P " ROOT q = f32[4] negate(p), dimensions={0} }", 3, 29, "'negate' takes no attr"},
    {"e {\n " P " ROOT q = f32[4] reverse(p), dimensions={0}, dimensions={0} }", 3, 46, "twice"},
    {"e {\n " P " ROOT q = f32[4] reverse(p), dimensions={0,} }", 3, 44, "expected an integer"},
    {"e {\n " P " ROOT q = f32[4] reverse(p), dimensions={0 }", 3, 45, "'}'"},
    {"e {\n " P " ROOT q = f32[4] reverse(p), dimensions={0x1} }", 3, 42, "an integer"},
    {"e {\n " P " ROOT q = f32[4] reverse(p), }", 3, 30, "the name of an attribute"},
    {"e {\n " P " ROOT q = f32[4] reverse(p) }", 3, 7, "dimensions"},
    {"e {\n " P " ROOT q = f32[4] call(p), to_apply=g }", 3, 36, "no computation 'g'"},
    {"e {\n " P " ROOT q = f32[4] call(p), to_apply=e }", 1, 1, "calls itself"},
    {"f {\n " P " ROOT q = f32[4] call(p), to_apply=e }\ne { " P "ROOT q = f32[4] call(p), "
     "to_apply=f }",
     1, 1, "'f' calls itself"},
    {"e { " P "}\ne { " P "}", 3, 1, "computation 'e' is defined twice"},
    {"ENTRY e { " P "}\nENTRY f { " P "}", 3, 1, "an ENTRY computation already"},
    {"e (a: f32[5]) -> f32[4] { " P "}", 1, 4, "parameter 0 is f32[5], the body that it is f32[4]"},
    {"e () -> f32[4] { " P "}", 1, 4, "has 0 parameters, the computation has 1"},
    {"e (a: f32[4]) -> f32[5] { " P "}", 1, 18, "%p is f32[4], not f32[5]"},
    {"e { ROOT c = constant(1) }", 1, 23, "needs its shape"},
    {"e { ROOT c = f32[2] constant({1}) }", 1, 32, ""},
    {"e { ROOT c = s8[] constant(300) }", 1, 28, ""},
    {"e { ROOT c = s8[2] constant({...) }", 1, 33, "'}'"},
    {"e {\n " P " ROOT q = f32[4] pad(p, p), padding=1x2 }", 3, 38, "'_'"},
    {"e {\n " P " ROOT q = f32[4] slice(p), slice={[0-1]} }", 3, 36, "'0-1'"},
    {"e {\n " P " ROOT q = f32[4] reduce-window(p, p), window={size=2x2 stride=1}, to_apply=e }", 3,
     56, "stride has 1 dimensions, the window has 2"},
    {"e {\n " P " ROOT q = f32[4] reduce-window(p, p), window={stride=1}, to_apply=e }", 3, 47,
     "no size"},
    {"e {\n " P " ROOT q = f32[4] reduce-window(p, p), window={size=1 size=1}, to_apply=e }", 3, 54,
     "size is given twice"},
    {"e {\n " P " ROOT q = f32[4] reduce-window(p, p), window={sise=1}, to_apply=e }", 3, 47,
     "'sise'"},
    {"e {\n " P " ROOT q = f32[4] all-reduce(p), replica_groups=[2,2]<=[5], to_apply=e }", 3, 48,
     "4 members of groups do not fit 5 devices"},
    {"e {\n " P " ROOT q = f32[4] all-reduce(p), replica_groups=[2,2]<=[2,2]T(0,0), to_apply=e }",
     3, 55, "no permutation"},
    {"e {\n " P " ROOT q = f32[4] all-reduce(p), replica_groups=[99999999,99999999]<=[1], "
     "to_apply=e }",
     3, 48, "more than 1048576"},
    {"e {\n " P " ROOT q = f32[4] all-reduce(p), replica_groups=mesh['a'=4] {'b'}, to_apply=e }", 3,
     61, "no axis 'b'"},
    {"e {\n " P " ROOT q = f32[4] all-reduce(p), replica_groups=mesh['a'=4] {'a','a'} }", 3, 48,
     "overlap"},
    {"e {\n " P " ROOT q = f32[4] all-reduce(p), replica_groups=mesh['a'=4] {'a':(3)2} }", 3, 61,
     "does not divide"},
    {"e {\n " P
     " ROOT q = f32[4] all-reduce(p), replica_groups=\n mesh['a'=4], device_ids=(1) {'a'} }",
     4, 26, "1 devices do not fit a mesh of 4"},
    {"e {\n " P " ROOT q = f32[4] exponential-start(p) }", 3, 18, "needs a shape ((operands)"},
    {"e {\n " P " ROOT q = f32[4] custom-call(p), custom_call_target=\"a\\0b\" }", 3, 55, "zero"},
    {"e { \"\" = f32[4] parameter(0) }", 1, 5, "empty name"},
    {"e {\n " P " ROOT q = f32[4] fusion(p), kind=kWeird, calls=f }", 3, 34,
     "kind must be one of kLoop kInput kOutput kCustom, not 'kWeird'"},
    {"e {\n " P " ROOT q = f32[4] custom-call(p), custom_call_target=\"f\", schedule=LATEST }", 3,
     67, "schedule must be one of SCHEDULE_NONE"},
    {"e {\n " P
     " ROOT q = f32[4] custom-call(p), custom_call_target=\"f\", api_version=API_VERSION_ORIG }",
     3, 70, "not 'API_VERSION_ORIG'"},
    {"e {\n " P " ROOT q = f32[4] custom-call(p), custom_call_target=\"f\", padding_type={} }", 3,
     71, "expected PADDING_INVALID PADDING_VALID PADDING_SAME, found '{'"},
    {"e {\n " P " ROOT q = f32[4] convolution(p, p), convolution_kind=kFprop }", 3, 54, "dgrad"},
    {"e {\n " P " ROOT q = f32[4] all-reduce(p), mode=flattened, to_apply=e }", 3, 38,
     "mode must be one of cross_replica"},
    {"e {\n " P " ROOT q = f32[4] transpose(p), dimensions={{0}} }", 3, 44,
     "expected an integer, found '{'"},
    {"e {\n " P " ROOT q = f32[4] tanh(p), result_accuracy={tolerance={rtol=0 ulps=1}} }", 3, 62,
     "expected '}', found 'ulps'"},
    {"e {\n " P " ROOT q = f32[4] tanh(p), result_accuracy={tolerance={rto1=0, ulps=1}} }", 3, 55,
     "a tolerance must be one of atol rtol ulps, not 'rto1'"},
    {"e {\n " P " ROOT q = f32[4] tanh(p), result_accuracy={tolerance{ulps=1}} }", 3, 53,
     "expected '=', found '{'"},
    {"e {\n " P " ROOT q = f32[4] tanh(p), result_accuracy={mode=default, mode=highest} }", 3, 56,
     "expected '}', found ','"},
    {"e {\n " P " ROOT q = f32[4] tanh(p), result_accuracy={made=highest} }", 3, 44,
     "result_accuracy must be one of mode tolerance, not 'made'"},
    {"e {\n " P " ROOT q = f32[4] negate(p), metadata=5 }", 3, 38, "expected '{'"},
    {"e {\n " P " ROOT q = f32[4] negate(p), metadata={foo=1} }", 3, 39,
     "metadata has no field 'foo'"},
    {"e {\n " P " ROOT q = f32[4] negate(p), metadata={kind=\"sharding\"} }", 3, 39,
     "metadata has no field 'kind'"},
    {"e {\n " P " ROOT q = f32[4] negate(p), metadata={op_name=a} }", 3, 47, "a string"},
    {"e {\n " P " ROOT q = f32[4] negate(p), metadata={source_line=\"3\"} }", 3, 51, "integer"},
    {"e {\n " P " ROOT q = f32[4] negate(p), metadata={profile_type=3} }", 3, 52, "'{'"},
    {"e {\n " P " ROOT q = f32[4] negate(p), metadata={op_name=\"a\" op_name=\"b\"} }", 3, 51,
     "field 'op_name' is given twice"},
    {"e {\n " P " ROOT q = f32[4] negate(p), metadata={op_name=\"a\",} }", 3, 51, "a field"},
    {"e {\n " P " ROOT q = f32[4] domain(p), domain={} }", 3, 37, "domain has no field 'kind'"},
    {"e {\n " P " ROOT q = f32[4] domain(p), domain={kind=\"sharding\" entry={}} }", 3, 37,
     "domain has no field 'exit'"},
    {"e {\n " P " ROOT q = f32[4] domain(p), domain={kind=\"a\" entry={} exit={}} }", 3, 42,
     "must be \"sharding\""},
    {"e {\n " P " ROOT q = f32[4] domain(p), domain={entry={bogus} exit={}} }", 3, 44,
     "a sharding must be one of replicated"},
    {"e {\n " P " ROOT q = f32[4] domain(p), domain={entry=replicated exit={}} }", 3, 43,
     "a sharding in braces"},
    {"HloModule \303\244\303\244 x", 1, 15, "found the end"}, // columns count characters
};

// The message must end in the source line and a caret below the column.
static bool shows_place(const hlo_error *error, const char *text) {
  const char *caret = strrchr(error->message, '\n'), *line = NULL;
  for (const char *p = error->message; p < caret; p++)
    if (*p == '\n') line = p;
  if (caret == NULL || line == NULL || strncmp(caret, "\n  ", 3) != 0) return false;
  const char *source = text;
  for (int i = 1; i < error->line; i++) source = strchr(source, '\n') + 1;
  size_t length = strcspn(source, "\n");
  size_t blanks = strspn(caret + 3, " ");
  return (size_t)(caret - line) == length + 3 && memcmp(line + 3, source, length) == 0 &&
         strcmp(caret + 3 + blanks, "^") == 0 && (int)blanks == error->column - 1;
}

static void test_errors(void) {
  for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
    const char *text = errors[i].text;
    hlo_module *module = NULL;
    hlo_error error = {0};
    hlo_status status = hlo_parse_hlo(text, strlen(text), &module, &error);
    CHECK_MESSAGE(status == error.status && status != HLO_OK && module == NULL, "accepted: %s",
                  text);
    hlo_module_destroy(module);
    CHECK_MESSAGE(error.line == errors[i].line &&
                      (errors[i].column == 0 || error.column == errors[i].column),
                  "at %d:%d and not %d:%d: %s", error.line, error.column, errors[i].line,
                  errors[i].column, error.message);
    CHECK_MESSAGE(strstr(error.message, errors[i].message) != NULL, "'%s' is not in: %s",
                  errors[i].message, error.message);
    CHECK_MESSAGE(shows_place(&error, text), "shows no place: %s", error.message);
  }
}

// A long line is shown in part, with the caret below the right character.
static void test_long_line(void) {
  char text[3000] = "e { ROOT c = f32[] constant(0), sharding={";
  memset(text + strlen(text), 'x', 1000);
  strcat(text, "}, here={");
  memset(text + strlen(text), 'y', 1000);
  hlo_module *module;
  hlo_error error = {0};
  CHECK(hlo_parse_hlo(text, strlen(text), &module, &error) == HLO_UNSUPPORTED);
  const char *caret = strrchr(error.message, '\n');
  const char *line = strstr(error.message, "\n  ");
  CHECK(line != NULL && caret != line && strlen(error.message) < 400);
  CHECK(strncmp(line + (strlen(caret) - 1), "here", 4) == 0);
}

// --- no text does harm ---

// Parses a text of which nothing is known: either it works, or there is a located error; no memory
// stays.
static void check_any(const char *text, size_t length, const char *what, int detail) {
  // a copy without a byte to spare, for the address sanitizer
  char *copy = malloc(length + (length == 0));
  if (length > 0) memcpy(copy, text, length);
  hlo_module *module = NULL;
  hlo_error error = {0};
  size_t before = hlo_memory_in_use();
  hlo_status status = hlo_parse_hlo(copy, length, &module, &error);
  CHECK_MESSAGE(status == error.status, "%s %d: status", what, detail);
  if (status == HLO_OK) {
    hlo_module_destroy(module);
  } else {
    CHECK_MESSAGE(module == NULL, "%s %d: a module with an error", what, detail);
    CHECK_MESSAGE(error.line > 0 && error.column > 0, "%s %d: no place: %s", what, detail,
                  error.message);
    CHECK_MESSAGE(strchr(error.message, '^') != NULL, "%s %d: no caret", what, detail);
  }
  CHECK_MESSAGE(hlo_memory_in_use() == before, "%s %d: leaks", what, detail);
  free(copy);
}

static void test_truncated(void) {
  for (size_t length = 0; length < sizeof every_syntax; length++)
    check_any(every_syntax, length, "cut at", (int)length);
}

static uint32_t random_state = 12345;
static uint32_t next_random(uint32_t below) {
  random_state = random_state * 1664525 + 1013904223;
  return (random_state >> 8) % below;
}

// Changes a few bytes, or moves a part of the text over another.
static void test_mutations(void) {
  enum { LENGTH = sizeof every_syntax - 1, ROUNDS = 4000 };
  static const char letters[] = "{}()[]\",=%x:_-/*\\'0919 \n.<";
  static char text[LENGTH];
  for (int round = 0; round < ROUNDS; round++) {
    memcpy(text, every_syntax, LENGTH);
    if (next_random(4) == 0) {
      uint32_t size = 1 + next_random(200);
      memmove(text + next_random(LENGTH - size), text + next_random(LENGTH - size), size);
    }
    for (uint32_t n = next_random(4) + 1; n > 0; n--)
      text[next_random(LENGTH)] = letters[next_random(sizeof letters - 1)];
    check_any(text, LENGTH, "mutation", round);
  }
}

static void test_out_of_memory(void) {
  size_t before = hlo_memory_in_use();
  int n = 1;
  for (; n < 100000; n++) {
    hlo_module *module = NULL;
    hlo_error error = {0};
    hlo_memory_fail_after(n);
    hlo_status status = hlo_parse_hlo(every_syntax, sizeof every_syntax - 1, &module, &error);
    hlo_memory_fail_after(0);
    hlo_module_destroy(module);
    CHECK_MESSAGE(hlo_memory_in_use() == before, "leaks when allocation %d fails", n);
    if (status == HLO_OK) break;
    CHECK_MESSAGE(status == HLO_OUT_OF_MEMORY, "allocation %d: %s", n, error.message);
  }
  CHECK_MESSAGE(n > 10 && n < 100000, "%d allocations", n);
}

static void test_zero_byte(void) {
  static const char text[] = "e {\n p = f32[] parameter(0), sharding={\"a\0b\"}\n}";
  hlo_module *module;
  hlo_error error = {0};
  CHECK(hlo_parse_hlo(text, sizeof text - 1, &module, &error) == HLO_PARSE_ERROR);
  CHECK(error.line == 2 && error.column == 38 && strstr(error.message, "zero byte") != NULL);
}

// 10 MB of one opening after the other, wherever something can nest.
static void test_nesting(void) {
  static const struct {
    const char *start, *repeated;
  } cases[] = {
      {"e { ROOT a = ", "("},
      {"e { ROOT a = f32[] parameter(0), sharding=", "{"},
      {"e { ROOT a = f32[] parameter(0), domain={entry=", "{"},
      {"e { ROOT a = f32[] parameter(0), sharding={", "[({"},
      {"e { ROOT a = f32[2] constant(", "{"},
      {"e { ROOT a = (f32[]) constant(", "("},
      {"e { ROOT a = f32[] reduce(", "(f32[], "},
      {"e { ROOT a = f32[] all-reduce(), replica_groups=", "{"},
      {"e { ROOT a = f32[] transpose(), dimensions=", "{"},
      {"e { a = f32[] parameter(0) ", "r = f32[] map(a), dimensions={}, to_apply={ a = f32[] "
                                      "parameter(0) "},
      {"e (", "a: ("},
      {"HloModule m, x=", "{"},
      {"HloModule m\n", "/*"},
      {"HloModule m\n", "// \n"},
      {"", "{"},
      {"", "\""},
      {"", "%"},
  };
  enum { LENGTH = 10000000 };
  char *text = malloc(LENGTH);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    size_t length = strlen(cases[i].start), step = strlen(cases[i].repeated);
    memcpy(text, cases[i].start, length);
    while (length + step <= LENGTH) {
      memcpy(text + length, cases[i].repeated, step);
      length += step;
    }
    check_any(text, length, "nesting", (int)i);
  }
  free(text);
}

// Chains of definitions in the worst order, and of calls: no recursion, no time that grows with the
// square.
static void test_long_chains(void) {
  enum { LINKS = 100000 };
  hlo_string text = {0};
  hlo_string_add(&text, "e { ROOT ");
  for (int i = 0; i < LINKS; i++)
    hlo_string_add_format(&text, "a%d = f32[] negate(a%d)\n", i, i + 1);
  hlo_string_add_format(&text, "a%d = f32[] parameter(0) }", LINKS);
  hlo_module *m = parse(text.text);
  CHECK(m->entry->instruction_count == LINKS + 1 && m->entry->parameters[0]->id == 0);
  CHECK(m->entry->instructions[LINKS] == m->entry->root);
  hlo_module_destroy(m);
  hlo_string_clear(&text);
  for (int i = 0; i < LINKS; i++)
    hlo_string_add_format(&text, "c%d { p = f32[] parameter(0) q = f32[] call(p), to_apply=c%d }\n",
                          i, i + 1);
  check_any(text.text, text.length, "calls", 0); // the last computation is missing
  hlo_string_add_format(&text, "c%d { p = f32[] parameter(0) }", LINKS);
  check_any(text.text, text.length, "calls", 1); // deeper than can run
  hlo_string_free(&text);
}

// After an error, the next program is read as if nothing had been.
static void test_next_program(void) {
  hlo_module *module;
  hlo_error error = {0};
  CHECK(hlo_parse_hlo("e { x", 5, &module, &error) == HLO_PARSE_ERROR);
  hlo_module_destroy(parse(every_syntax));
}

int main(void) {
  test_errors();
  test_long_line();
  test_truncated();
  test_mutations();
  test_out_of_memory();
  test_zero_byte();
  test_nesting();
  test_long_chains();
  test_next_program();
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
