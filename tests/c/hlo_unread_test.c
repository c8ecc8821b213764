// Tests programs that hold what is not known, as those of a newer XLA may: wherever the entry does
// not reach it the program is as without it, and where it does the error names the instruction and
// the thing, and says where it is. Every kind of thing stands in every place, in text and in bytes.
#include "check.h"

#include "hlo/hlo.h"
#include "memory_check.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

typedef struct unknown_thing {
  const char *line, *message;
} unknown_thing;

// Lines of a computation with the parameter p = f32[4].
static const unknown_thing things[] = {
    {"u = f32[4] frobnicate(p), depth={1,{2}}", "there is no operation 'frobnicate'"},
    {"u = f32[4] frobnicate-start(p)", "there is no operation 'frobnicate-start'"},
    {"u = f99e1m2[4]{0:T(4)} negate(p)", "'f99e1m2' is no element type"},
    {"u = (f32[4], f99[2]) custom-call(p), custom_call_target=\"f\"", "'f99' is no element type"},
    {"u = f32[?] negate(p)", "a dimension without a bound"},
    {"u = f32[4] negate(p), depth={a=\"}\"}", "there is no attribute 'depth'"},
    {"u = f32[4] negate(p), index=1", "'negate' takes no attribute 'index'"},
    {"u = f32[4] fusion(p), kind=kWeird, calls=same", "kind must be one of"},
    {"u = f32[4] negate(p), metadata={mood=\"}\"}", "metadata has no field 'mood'"},
    {"u = f32[4] call(p), to_apply={ q = f32[4] parameter(0) ROOT u = f32[4] frobnicate(q) }",
     "there is no operation 'frobnicate'"},
    {"u = f32[4] call(p), to_apply={ q = f32[4] parameter(0) v = f32[4] call(q), to_apply={ r = "
     "f32[4] parameter(0) ROOT s = f32[4] negate(r) } ROOT u = f32[4] call(v), to_apply=later, "
     "depth=1 }",
     "there is no attribute 'depth'"},
    {"u = f32[4] negate(f99[4] p)", "'f99' is no element type"},
};

// Where it stands, the line being the format's. All have two computations that are the same in
// each.
typedef enum reach { NEVER, PERHAPS, ALWAYS } reach;
typedef struct place {
  const char *name, *program;
  reach reach; // of the entry
} place;

#define SAME   "same { p = f32[4] parameter(0)\n ROOT n = f32[4] negate(p) }\n"
#define BROKEN "broken { p = f32[4] parameter(0)\n %s\n ROOT r = f32[4] abs(p) }\n"
#define LATER  "later { p = f32[4] parameter(0)\n ROOT r = f32[4] abs(p) }\n"

static const place places[] = {
    {"apart",
     BROKEN SAME LATER "ENTRY e { p = f32[4] parameter(0)\n"
                       " ROOT c = f32[4] call(p), to_apply=same }",
     NEVER},
    {"behind the entry",
     SAME LATER "ENTRY e { p = f32[4] parameter(0)\n"
                " ROOT c = f32[4] call(p), to_apply=same }\n" BROKEN,
     NEVER},
    {"with a signature",
     "broken (p: f32[4]) -> f32[4] { p = f32[4] parameter(0)\n %s\n"
     " ROOT r = f32[4] abs(p) }, execution_thread=\"t\"\n" SAME LATER
     "ENTRY e { p = f32[4] parameter(0)\n ROOT c = f32[4] call(p), to_apply=same }",
     NEVER},
    {"called by what nothing calls",
     SAME "user { p = f32[4] parameter(0)\n ROOT c = f32[4] call(p), to_apply=broken }\n"
          "users_user (p: f32[4]) -> f32[4] { p = f32[4] parameter(0)\n"
          " ROOT c = f32[4] call(f32[4] p), to_apply=user }\n" BROKEN LATER
          "ENTRY e { p = f32[4] parameter(0)\n ROOT c = f32[4] call(p), to_apply=same }",
     NEVER},
    {"in the entry",
     SAME LATER "ENTRY e { p = f32[4] parameter(0)\n %s\n"
                " ROOT c = f32[4] call(p), to_apply=same }",
     ALWAYS},
    {"called",
     SAME BROKEN LATER "ENTRY e { p = f32[4] parameter(0)\n"
                       " ROOT c = f32[4] call(p), to_apply=broken }",
     ALWAYS},
    {"called by what is called",
     SAME LATER "user { p = f32[4] parameter(0)\n ROOT c = f32[4] call(p), to_apply=broken }\n"
                "ENTRY e { p = f32[4] parameter(0)\n"
                " ROOT c = f32[4] call(p), to_apply=user }\n" BROKEN,
     ALWAYS},
    {"in a branch",
     SAME BROKEN LATER "ENTRY e { p = f32[4] parameter(0)\n b = pred[] constant(true)\n"
                       " ROOT c = f32[4] conditional(b, p, p), true_computation=same, "
                       "false_computation=broken }",
     PERHAPS},
    {"in one of many branches, defined behind them",
     SAME LATER "ENTRY e { p = f32[4] parameter(0)\n b = s32[] constant(1)\n"
                " ROOT c = f32[4] conditional(b, p, p, p), "
                "branch_computations={same, later, broken} }\n" BROKEN,
     PERHAPS},
    {"in a loop",
     SAME LATER BROKEN "cond { p = f32[4] parameter(0)\n ROOT r = pred[] constant(false) }\n"
                       "ENTRY e { p = f32[4] parameter(0)\n"
                       " ROOT c = f32[4] while(p), condition=cond, body=broken }",
     PERHAPS},
    {"in a loop's condition",
     SAME LATER "broken { p = f32[4] parameter(0)\n %s\n ROOT r = pred[] constant(false) }\n"
                "ENTRY e { p = f32[4] parameter(0)\n"
                " ROOT c = f32[4] while(p), condition=broken, body=same }",
     PERHAPS},
    {"called from a branch in a loop",
     SAME LATER BROKEN "cond { p = f32[4] parameter(0)\n ROOT r = pred[] constant(false) }\n"
                       "user { p = f32[4] parameter(0)\n ROOT c = f32[4] call(p), "
                       "to_apply=broken }\n"
                       "body { p = f32[4] parameter(0)\n b = pred[] constant(false)\n"
                       " ROOT c = f32[4] conditional(b, p, p), true_computation=user, "
                       "false_computation=same }\n"
                       "ENTRY e { p = f32[4] parameter(0)\n"
                       " ROOT c = f32[4] while(p), condition=cond, body=body }",
     PERHAPS},
    {"called by one that has no signature, from a branch",
     SAME LATER BROKEN "broken_user { p = f32[4] parameter(0)\n ROOT m = f32[4] fusion(p), "
                       "kind=kLoop, calls=broken }\n"
                       "ENTRY e { p = f32[4] parameter(0)\n b = pred[] constant(true)\n"
                       " ROOT c = f32[4] conditional(b, p, p), true_computation=same, "
                       "false_computation=broken_user }",
     PERHAPS},
    {"in a branch and called",
     SAME BROKEN LATER "ENTRY e { p = f32[4] parameter(0)\n b = pred[] constant(true)\n"
                       " d = f32[4] call(p), to_apply=broken\n"
                       " ROOT c = f32[4] conditional(b, p, d), true_computation=same, "
                       "false_computation=broken }",
     ALWAYS},
};
enum { THINGS = sizeof things / sizeof *things, PLACES = sizeof places / sizeof *places };

static int line_of(const char *text, const char *part) {
  int line = 1;
  const char *end = strstr(text, part);
  for (const char *at = text; at < end; at++) line += *at == '\n';
  return line;
}

static void check_reached(const place *where, const unknown_thing *what, const char *program,
                          const hlo_error *error, hlo_status status) {
  CHECK_MESSAGE(status == HLO_UNSUPPORTED && strstr(error->message, what->message) != NULL &&
                    strncmp(error->message, "instruction %u: ", 16) == 0,
                "%s, %s: %s", what->line, where->name, error->message);
  CHECK_MESSAGE(error->line == line_of(program, what->line) && error->column > 1, "%s, %s: line %d",
                what->line, where->name, error->line);
}

// What is left says the same as without the line, and nothing of what was passed over.
static void check_not_reached(const place *where, const unknown_thing *what,
                              const hlo_module *module) {
  hlo_string text = {0};
  hlo_error error = {0};
  const char *name = where->name;
  CHECK_MESSAGE(module->entry != NULL && hlo_module_find(module, "same") != NULL &&
                    hlo_module_find(module, "later") != NULL &&
                    hlo_module_find(module, "broken") == NULL &&
                    hlo_module_find(module, "users_user") == NULL && module->computation_count == 3,
                "%s, %s: %d computations", what->line, name, module->computation_count);
  for (int32_t i = 0; i < module->computation_count; i++)
    CHECK(module->computations[i]->index == i);
  hlo_print_hlo(&text, module);
  hlo_module *again = NULL;
  CHECK_MESSAGE(hlo_parse_hlo(text.text, text.length, &again, &error) == HLO_OK, "%s, %s: %s",
                what->line, name, error.message);
  hlo_module_destroy(again);
  hlo_string_free(&text);
}

// A stand-in has its place, which gives the error; the program prints and reads as it is.
static void check_stand_in(const place *where, const unknown_thing *what, const char *program,
                           const hlo_module *module) {
  hlo_string text = {0}, again_text = {0};
  hlo_error error = {0};
  int stand_ins = 0;
  for (int32_t i = 0; i < module->computation_count; i++) {
    const hlo_instruction *root = module->computations[i]->root;
    const char *target = hlo_get_text(root, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
    if (target == NULL || strcmp(target, HLO_UNREAD_TARGET) != 0) continue;
    const char *reason = hlo_get_text(root, HLO_ATTRIBUTE_BACKEND_CONFIG);
    CHECK_MESSAGE(strstr(reason, what->message) != NULL, "%s, %s: %s", what->line, where->name,
                  reason);
    CHECK_MESSAGE(root->line == line_of(program, what->line) && root->column > 1, "%s, %s: line %d",
                  what->line, where->name, root->line);
    stand_ins++;
  }
  CHECK_MESSAGE(stand_ins == 1 && hlo_module_find(module, "same") != NULL, "%s, %s: %d stand-ins",
                what->line, where->name, stand_ins);
  hlo_print_hlo(&text, module);
  hlo_module *again = NULL;
  hlo_status status = hlo_parse_hlo(text.text, text.length, &again, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s, %s: %s", what->line, where->name, error.message);
  if (status == HLO_OK) hlo_print_hlo(&again_text, again);
  CHECK_MESSAGE(status == HLO_OK && strcmp(text.text, again_text.text) == 0, "%s, %s:\n%s\n%s",
                what->line, where->name, text.text, again_text.text);
  hlo_module_destroy(again);
  hlo_string_free(&text);
  hlo_string_free(&again_text);
}

static void test_text(void) {
  for (int t = 0; t < THINGS; t++)
    for (int k = 0; k < PLACES; k++) {
      char program[2000];
      hlo_module *module = NULL;
      hlo_error error = {0};
      snprintf(program, sizeof program, places[k].program, things[t].line);
      hlo_status status = hlo_parse_hlo(program, strlen(program), &module, &error);
      if (places[k].reach == ALWAYS) check_reached(&places[k], &things[t], program, &error, status);
      else if (status == HLO_OK && places[k].reach == PERHAPS)
        check_stand_in(&places[k], &things[t], program, module);
      else if (status == HLO_OK) check_not_reached(&places[k], &things[t], module);
      else CHECK_MESSAGE(false, "%s, %s: %s", things[t].line, places[k].name, error.message);
      hlo_module_destroy(module);
    }
}

// What is wrong, and not just unknown, is an error wherever it stands.
static void test_wrong(void) {
  static const char *const lines[] = {"u = f32[4] negate(", "u = f32[4] negate(nobody)",
                                      "u = f32[4] negate(p), ", "u = f32[4 negate(p)",
                                      "u = f32[4] call(p), to_apply=nobody"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    char program[1000];
    hlo_module *module = NULL;
    hlo_error error = {0};
    snprintf(program, sizeof program, places[0].program, lines[i]);
    hlo_status status = hlo_parse_hlo(program, strlen(program), &module, &error);
    CHECK_MESSAGE(status == HLO_PARSE_ERROR && module == NULL, "%s", lines[i]);
    hlo_module_destroy(module);
  }
  static const char signature[] = "broken (p: f99[4]) -> f32[4] { p = f99[4] parameter(0) }\n"
                                  "ENTRY e { ROOT c = s32[] constant(1) }";
  hlo_module *module = NULL;
  hlo_error error = {0};
  CHECK(hlo_parse_hlo(signature, strlen(signature), &module, &error) == HLO_OK);
  CHECK(module != NULL && module->computation_count == 1);
  hlo_module_destroy(module);
}

// --- serialized modules ---

typedef struct bytes {
  char data[1000];
  size_t length;
} bytes;

static void add_number(bytes *b, uint64_t number) {
  for (; number >= 128; number >>= 7) b->data[b->length++] = (char)((number & 127) | 128);
  b->data[b->length++] = (char)number;
}

static void add_int(bytes *b, int field, uint64_t value) {
  add_number(b, (uint64_t)field << 3);
  add_number(b, value);
}

static void add_bytes(bytes *b, int field, const void *data, size_t length) {
  add_number(b, (uint64_t)field << 3 | 2);
  add_number(b, length);
  memcpy(b->data + b->length, data, length);
  b->length += length;
}

static void add_text(bytes *b, int field, const char *text) {
  add_bytes(b, field, text, strlen(text));
}

typedef struct proto_kind {
  const char *opcode;
  uint64_t type;
  const char *message;
} proto_kind;

// name = f32[] opcode(operand); calls: what is called, or 0. A field that is not known is skipped.
static void add_instruction(bytes *computation, const char *name, const char *opcode, uint64_t type,
                            uint64_t id, uint64_t operand, uint64_t calls) {
  bytes x = {0}, shape = {0};
  add_int(&shape, 2, type);
  add_text(&x, 1, name);
  add_text(&x, 2, opcode);
  add_bytes(&x, 3, shape.data, shape.length);
  add_int(&x, 35, id);
  if (operand != 0) add_int(&x, 36, operand);
  if (calls != 0) add_int(&x, 38, calls);
  add_text(&x, 1999, "unheard of");
  add_bytes(computation, 2, x.data, x.length);
}

static void add_computation(bytes *module, const char *name, uint64_t id, const char *opcode,
                            uint64_t type, uint64_t calls) {
  bytes c = {0};
  add_text(&c, 1, name);
  add_instruction(&c, "p", "parameter", 11, 1, 0, 0);
  add_instruction(&c, "u", opcode, type, 2, 1, calls);
  add_int(&c, 5, id);
  add_int(&c, 6, 2);
  add_bytes(module, 3, c.data, c.length);
}

static void check_proto(const proto_kind *kind, bool is_reached) {
  bytes m = {0};
  hlo_module *module = NULL;
  hlo_error error = {0};
  add_text(&m, 1, "m");
  add_text(&m, 2, "e");
  add_computation(&m, "broken", 7, kind->opcode, kind->type, 0);
  add_computation(&m, "user", 8, "call", 11, 7);
  add_computation(&m, "same", 9, "negate", 11, 0);
  add_computation(&m, "e", 10, "call", 11, is_reached ? 8 : 9);
  add_int(&m, 6, 10);
  hlo_status status = hlo_parse_proto(m.data, m.length, &module, &error);
  if (is_reached)
    CHECK_MESSAGE(status == HLO_UNSUPPORTED && strncmp(error.message, "byte ", 5) == 0 &&
                      strstr(error.message, " of the file: instruction %u: ") != NULL &&
                      strstr(error.message, kind->message) != NULL,
                  "%s: %s", kind->message, error.message);
  else
    CHECK_MESSAGE(status == HLO_OK && module->computation_count == 2 &&
                      hlo_module_find(module, "user") == NULL &&
                      hlo_module_find(module, "same") != NULL,
                  "%s: %s", kind->message, error.message);
  hlo_module_destroy(module);
}

static void test_proto(void) {
  static const proto_kind kinds[] = {
      {"frobnicate", 11, "there is no operation 'frobnicate'"},
      {"negate", 99, "there is no element type 99"},
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    for (int reached = 0; reached < 2; reached++) check_proto(&kinds[i], reached != 0);
}

int main(void) {
  test_text();
  test_wrong();
  test_proto();
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
