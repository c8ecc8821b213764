// Tests reading HLO text: what the IR holds afterwards. Groups of devices are compared with what
// XLA's CPU runtime gathers. Bad text: hlo_bad_text_test.c.
#include "hlo_text_files.h"
#include "parse_text.h"

#include <string.h>

static hlo_module *parse(const char *text) { return parse_text(HLO_FORMAT_HLO, text); }

static const hlo_instruction *find(const hlo_module *module, const char *computation,
                                   const char *name) {
  const hlo_computation *c = hlo_module_find(module, computation);
  const hlo_instruction *x = c == NULL ? NULL : hlo_computation_find(c, name, strlen(name));
  CHECK_MESSAGE(x != NULL, "no %s in %s", name, computation);
  if (x == NULL) exit(CHECK_RESULT());
  return x;
}

static const hlo_attribute *attribute(const hlo_instruction *x, hlo_attribute_id id) {
  const hlo_attribute *found = hlo_find_attribute(x, id);
  CHECK_MESSAGE(found != NULL, "%s has no %s", x->name, hlo_attribute_name(id));
  if (found == NULL) exit(CHECK_RESULT());
  return found;
}

static bool ints_are(const hlo_attribute *a, int count, const int64_t *want) {
  return a->count == count && memcmp(a->ints, want, (size_t)count * sizeof *want) == 0;
}
#define INTS_ARE(a, ...)                                                                           \
  CHECK(ints_are((a), (int)(sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t)),                   \
                 (int64_t[]){__VA_ARGS__}))

// --- contents ---

static void test_module(void) {
  hlo_module *m = parse(every_syntax);
  CHECK(strcmp(m->name, "every.syntax-1") == 0);
  CHECK(strncmp(m->attributes_text, ", is_scheduled=true, entry_", 27) == 0);
  CHECK(strstr(m->attributes_text, "frontend_attributes={a=\"}\"}") != NULL);
  CHECK(strncmp(m->tables_text, "FileNames\n1 \"/app", 17) == 0);
  CHECK(strcmp(strchr(m->tables_text, 0) - 20, "1 parent_frame_id=1}") == 0);
  CHECK(strcmp(m->entry->name, "main/x.10") == 0 && m->entry->parameter_count == 2);
  CHECK(strcmp(m->entry->root->name, "result") == 0);
  CHECK(strcmp(m->computations[0]->attributes_text, ", execution_thread=\"host\"") == 0);
  CHECK(m->computations[1]->attributes_text == NULL);
  const hlo_instruction *x = find(m, "region_0.3", "add.6");
  CHECK(x->opcode == HLO_OP_ADD && x->operand_count == 2 && x->line == 19 && x->column == 8);
  CHECK(strcmp(x->operands[1]->name, "Arg_1.5") == 0 && x->computation->root == x);
  CHECK(strcmp(hlo_get_text(x, HLO_ATTRIBUTE_METADATA), "{op_name=\"a/b\" source_line=3}") == 0);
  CHECK(strcmp(m->entry->parameters[1]->name, "q 1") == 0);
  hlo_module_destroy(m);
}

static void test_attribute_values(void) {
  hlo_module *m = parse(every_syntax);
  const char *e = "main/x.10";
  const hlo_instruction *conv = find(m, e, "conv"), *cc = find(m, e, "cc");
  INTS_ARE(attribute(conv, HLO_ATTRIBUTE_WINDOW), 3, 2, 1, 0, 1, 1, 1, 3, 2, 1, 0, 1, 1, 1);
  CHECK(strcmp(hlo_get_text(conv, HLO_ATTRIBUTE_DIM_LABELS), "b01f_01io->b01f") == 0);
  CHECK(strcmp(hlo_get_text(conv, HLO_ATTRIBUTE_OPERAND_PRECISION), "highest,default") == 0);
  INTS_ARE(attribute(find(m, e, "rw"), HLO_ATTRIBUTE_WINDOW), 1, 1, 0, 0, 1, 1, 0, 2, 1, 1, 0, 1, 1,
           0);
  INTS_ARE(attribute(find(m, e, "pad"), HLO_ATTRIBUTE_PADDING), 0, 1, 1, 1, -1, 0);
  CHECK(attribute(find(m, e, "pad0"), HLO_ATTRIBUTE_PADDING)->count == 0);
  INTS_ARE(attribute(find(m, e, "slice"), HLO_ATTRIBUTE_SLICE), 0, 2, 2, 1, 3, 1);
  INTS_ARE(attribute(find(m, e, "t"), HLO_ATTRIBUTE_DIMENSIONS), 1, 0);
  CHECK(attribute(find(m, e, "w"), HLO_ATTRIBUTE_DIMENSIONS)->count == 0);
  CHECK(hlo_get_int(find(m, e, "ar"), HLO_ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, 0) == 1);
  CHECK(hlo_get_int(find(m, e, "ar"), HLO_ATTRIBUTE_CHANNEL_ID, 0) == 1);
  CHECK(attribute(find(m, e, "bn"), HLO_ATTRIBUTE_EPSILON)->real == 0.001);
  CHECK(strcmp(hlo_get_text(cc, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET), "a\n\"b\\") == 0);
  CHECK(strcmp(hlo_get_text(cc, HLO_ATTRIBUTE_BACKEND_CONFIG), "{\"a\":[1,{\"b\":\"}\"}]}") == 0);
  CHECK(strcmp(hlo_get_text(cc, HLO_ATTRIBUTE_LITERAL), "s32[2]{0} {1, 2}") == 0);
  CHECK(strcmp(hlo_get_text(cc, HLO_ATTRIBUTE_API_VERSION), "API_VERSION_TYPED_FFI") == 0);
  const hlo_attribute *called = attribute(cc, HLO_ATTRIBUTE_CALLED_COMPUTATIONS);
  CHECK(called->count == 2 && called->computations[1] == hlo_module_find(m, "branch"));
  const hlo_instruction *early = find(m, e, "early");
  const hlo_attribute *control = attribute(early, HLO_ATTRIBUTE_CONTROL_PREDECESSORS);
  CHECK(control->count == 2 && control->instructions[0] == find(m, e, "r"));
  const hlo_instruction *out = find(m, e, "out");
  CHECK(hlo_shape_is_scalar(attribute(out, HLO_ATTRIBUTE_OUTFEED_SHAPE)->shape));
  CHECK(strcmp(hlo_get_text(out, HLO_ATTRIBUTE_OUTFEED_CONFIG), "x\001\303") == 0);
  CHECK(strcmp(hlo_get_text(find(m, e, "loop"), HLO_ATTRIBUTE_BACKEND_CONFIG),
               "\"known_trip_count\"") == 0);
  hlo_module_destroy(m);
}

static void test_constants(void) {
  hlo_module *m = parse(every_syntax);
  const hlo_literal *c1 = find(m, "main/x.10", "c1")->literal;
  CHECK(memcmp(c1->data, (int32_t[]){1, -2, 3, 4}, 16) == 0);
  CHECK(*(float *)find(m, "main/x.10", "c0")->literal->data == -1.5e-3f);
  CHECK(find(m, "main/x.10", "c3")->literal->elements != NULL);
  CHECK(find(m, "main/x.10", "c4")->literal == NULL);
  hlo_module_destroy(m);
}

// --- order ---

static int position(const hlo_module *m, const char *computation) {
  return hlo_module_find(m, computation)->index;
}

static void test_order(void) {
  hlo_module *m = parse("HloModule m\n"
                        "ENTRY e { r = f32[] call(q), to_apply=f q = f32[] negate(p)\n"
                        " p = f32[] parameter(0) ROOT z = f32[] add(r, q) }\n"
                        "f { a = f32[] parameter(0) ROOT b = f32[] call(a), to_apply=g }\n"
                        "unused { ROOT a = f32[] parameter(0) }\n"
                        "g { ROOT a = f32[] parameter(0) }\n");
  CHECK(position(m, "g") < position(m, "f") && position(m, "f") < position(m, "e"));
  CHECK(m->entry->index == position(m, "e") && m->computation_count == 4);
  const char *names[] = {"p", "q", "r", "z"};
  for (int i = 0; i < 4; i++) {
    CHECK(strcmp(m->entry->instructions[i]->name, names[i]) == 0);
    CHECK(m->entry->instructions[i]->id == i);
  }
  hlo_module_destroy(m);
  // A text in order stays as it is, whatever the order of its uses.
  m = parse("e { b = f32[] parameter(1) a = f32[] parameter(0) c = f32[] add(a, b) }");
  CHECK(strcmp(m->entry->instructions[0]->name, "b") == 0);
  CHECK(strcmp(m->entry->root->name, "c") == 0 && strcmp(m->name, "module_e") == 0);
  CHECK(strcmp(m->entry->parameters[0]->name, "a") == 0);
  hlo_module_destroy(m);
  // Control predecessors order as operands do.
  m = parse("e { a = f32[] parameter(0), control-predecessors={b} b = f32[] parameter(1) }");
  CHECK(strcmp(m->entry->instructions[0]->name, "b") == 0);
  hlo_module_destroy(m);
}

static void test_unnamed_computations(void) {
  hlo_module *m = parse(every_syntax);
  const hlo_instruction *r = find(m, "main/x.10", "r"), *s = find(m, "main/x.10", "s");
  const hlo_computation *sum = hlo_get_computation(r, HLO_ATTRIBUTE_TO_APPLY);
  CHECK(sum->instruction_count == 3 && sum->root->opcode == HLO_OP_ADD);
  CHECK(sum->index < m->entry->index && hlo_module_find(m, sum->name) == sum);
  const hlo_computation *wrapped = hlo_get_computation(s, HLO_ATTRIBUTE_CALLS);
  CHECK(s->opcode == HLO_OP_ASYNC_START && wrapped->root->opcode == HLO_OP_EXP);
  CHECK(wrapped->parameter_count == 1 && wrapped->root->operands[0] == wrapped->parameters[0]);
  CHECK(strcmp(wrapped->attributes_text, ", execution_thread=\"host\"") == 0);
  CHECK(find(m, "main/x.10", "d")->opcode == HLO_OP_ASYNC_DONE);
  hlo_module_destroy(m);
  m = parse(
      "e { p = f32[4] parameter(0)\n"
      " s = ((f32[4]), f32[2], u32[]) slice-start(p), slice={[0:2]}, metadata={source_line=1}\n"
      " ROOT d = f32[2] slice-done(s) }");
  s = find(m, "e", "s");
  wrapped = hlo_get_computation(s, HLO_ATTRIBUTE_CALLS);
  INTS_ARE(attribute(wrapped->root, HLO_ATTRIBUTE_SLICE), 0, 2, 1);
  CHECK(hlo_find_attribute(s, HLO_ATTRIBUTE_SLICE) == NULL);
  CHECK(strcmp(hlo_get_text(s, HLO_ATTRIBUTE_METADATA), "{source_line=1}") == 0);
  hlo_module_destroy(m);
}

static void test_missing_shapes(void) {
  hlo_module *m = parse("HloModule m\n"
                        "ENTRY e { p = f32[2,3] parameter(0) z = f32[] constant(0)\n"
                        " n = negate(f32[2,3] t) r = reduce(n, z), dimensions={0}, to_apply=f\n"
                        " t = exponential(p) ROOT u = tuple(r, p) }\n"
                        "f { x = f32[] parameter(0) y = f32[] parameter(1) ROOT z = add(x, y) }");
  const hlo_shape *shape = m->entry->root->shape;
  CHECK(shape->type == HLO_TUPLE && shape->element_count == 2);
  CHECK(shape->elements[0]->rank == 1 && shape->elements[0]->dims[0] == 3);
  hlo_module_destroy(m);
}

// --- groups of devices ---

static const struct {
  const char *text;
  const char *want; // from XLA 0.10.2: an all-gather of device numbers on 8 CPU devices
} groups[] = {
    {"{{0,1},{2,3}}", "0 1;2 3;"},
    {"{{0},{2,3}}", "0;2 3;"},
    {"{}", ""},
    {"[2,4]<=[8]", "0 1 2 3;4 5 6 7;"},
    {"[2,4]<=[4,2]T(1,0)", "0 2 4 6;1 3 5 7;"},
    {"[4,2] <= [2,2,2] T(2,0,1)", "0 2;4 6;1 3;5 7;"},
    {"mesh['a'=2,'b'=4] {'b'}", "0 1 2 3;4 5 6 7;"},
    {"mesh['a'=2,'b'=4] {'a'}", "0 4;1 5;2 6;3 7;"},
    {"mesh['a'=2,'b'=4] {'b','a'}", "0 4 1 5 2 6 3 7;"},
    {"mesh['a'=2,'b'=4] {'b':(1)2}", "0 2;1 3;4 6;5 7;"},
    {"mesh['a'=2,'b'=4] {'b':(2)2}", "0 1;2 3;4 5;6 7;"},
    {"mesh[\"a\"=2,'b'=4]{'b':(2)2,'a'}", "0 4 1 5;2 6 3 7;"},
    {"mesh['a'=8] {'a':(4)2,'a':(1)2}", "0 4 1 5;2 6 3 7;"},
    // Not run there, but said by the form: which device stands at each place of the mesh.
    {"mesh['a'=2,'b'=2], device_ids=(3,2,1,0) {'b'}", "3 2;1 0;"},
    {"mesh['a'=2,'b'=2], device_ids=([2,2]T(1,0)) {'b'}", "0 2;1 3;"},
};

static void test_groups(void) {
  for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
    char text[512], got[256] = "";
    snprintf(text, sizeof text,
             "e { p = f32[4] parameter(0) ROOT r = f32[4] collective-broadcast(p), "
             "replica_groups=%s, channel_id=1 }",
             groups[i].text);
    hlo_module *m = parse(text);
    const hlo_attribute *a = attribute(m->entry->root, HLO_ATTRIBUTE_REPLICA_GROUPS);
    int at = 0;
    for (int row = 0; row < a->row_count; row++) {
      for (int k = 0; k < a->row_lengths[row]; k++)
        sprintf(strchr(got, 0), k == 0 ? "%lld" : " %lld", (long long)a->ints[at++]);
      strcat(got, ";");
    }
    CHECK_MESSAGE(strcmp(got, groups[i].want) == 0 && at == a->count, "%s gives %s, not %s",
                  groups[i].text, got, groups[i].want);
    CHECK((a->text == NULL) == (groups[i].text[0] == '{'));
    hlo_module_destroy(m);
  }
}

// --- attributes alone ---

static void test_attributes_alone(void) {
  hlo_module *m = parse("f { ROOT x = f32[] parameter(0) }");
  hlo_error error = {0};
  hlo_attribute *list;
  int32_t count;
  const char *text = " dimensions={0,1}, is_stable=true , to_apply=%f ";
  CHECK(hlo_parse_attributes(m, text, strlen(text), &list, &count, &error) == HLO_OK);
  CHECK(count == 3 && list[0].id == HLO_ATTRIBUTE_DIMENSIONS && list[1].integer == 1);
  CHECK(list[2].computations[0] == m->entry);
  CHECK(hlo_parse_attributes(m, "", 0, &list, &count, &error) == HLO_OK && count == 0);
  const char *bad[] = {"dimensions={0", "to_apply=g", "control-predecessors={x}",
                       "foo=1",         "k=1 k",      "to_apply={ROOT x = f32[] parameter(0)}"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    hlo_status wanted = strncmp(bad[i], "foo", 3) == 0 ? HLO_UNSUPPORTED : HLO_PARSE_ERROR;
    CHECK(hlo_parse_attributes(m, bad[i], strlen(bad[i]), &list, &count, &error) == wanted);
    CHECK(error.line == 1 && error.column > 0 && strchr(error.message, '^') != NULL);
    hlo_error_clear(&error);
  }
  hlo_module_destroy(m);
}

static void test_detection(void) {
  static const char *const texts[] = {
      "HloModule m\ne { p = f32[] parameter(0) }", "ENTRY e { p = f32[] parameter(0) }",
      "// c\n/* c */ %e.1 (p: f32[]) -> f32[] { p = f32[] parameter(0) }",
      "e { p = f32[] parameter(0) }"};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    hlo_module *module = NULL;
    hlo_error error = {0};
    CHECK(hlo_parse(texts[i], strlen(texts[i]), HLO_FORMAT_DETECT, &module, &error) == HLO_OK);
    hlo_module_destroy(module);
  }
  static const char *const others[] = {
      "module { func.func @main() { return } }",
      "module @m attributes {x = 1} { func.func @main() { return } }",
      "#loc = loc(unknown)\nfunc.func @main() { return }",
      "// c\nfunc.func public @main() { return }",
      "\"builtin.module\"() ({ \"func.func\"() <{function_type = () -> (), sym_name = \"main\"}> "
      "({ "
      "\"func.return\"() : () -> () }) : () -> () }) : () -> ()"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    hlo_module *module = NULL;
    hlo_error error = {0};
    hlo_status status = hlo_parse(others[i], strlen(others[i]), HLO_FORMAT_DETECT, &module, &error);
    CHECK_MESSAGE(status == HLO_OK, "%s: %s", others[i], error.message);
    hlo_module_destroy(module);
  }
}

static void visit_fixture(const char *path) {
  size_t length;
  char *text = read_file(path, &length);
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_status status = hlo_parse_hlo(text, length, &module, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s:%d:%d: %s", path, error.line, error.column, error.message);
  hlo_module_destroy(module);
  free(text);
}

// --- blanks and comments between words ---

// Prints what the text says; the caller frees it.
static hlo_string print_of(const char *text) {
  hlo_module *m = parse(text);
  hlo_string out = {0};
  hlo_print_hlo(&out, m);
  hlo_module_destroy(m);
  return out;
}

static void test_blanks(void) {
  hlo_string plain =
      print_of("HloModule m\n"
               "ENTRY %e (x: f32[2,3]{0,1}, y: (s32[], f32[<=3])) -> f32[2,3]{0,1} {\n"
               "  %x = f32[2,3]{0,1} parameter(0)\n"
               "  %y = (s32[], f32[<=3]) parameter(1)\n"
               "  %n = s32[] get-tuple-element(%y), index=0\n"
               "  ROOT %r = f32[2,3]{0,1} exponential(f32[2,3]{0,1} %x), "
               "result_accuracy={tolerance={atol=0, rtol=0, ulps=2}}\n}\n");
  hlo_string apart =
      print_of("HloModule m\n"
               "ENTRY %e (x: f32 [2, 3] {0 , 1}, y: (s32/**/[ ], f32[ // of three\n <= 3])) "
               "-> f32 /*to*/ [2,3]\n{0,1} {\n"
               "  %x = f32 [2,3] /*by columns*/ {0, // then\n1} parameter(0)\n"
               "  %y = ( s32\n[] , f32 [<=3] ) parameter(1)\n"
               "  %n = s32 [] get-tuple-element((s32 [], f32 [<=3]) %y), index=0\n"
               "  ROOT %r = f32 [2,3] {0,1} exponential(f32 [2,3] {0,1} %x), "
               "result_accuracy={tolerance={atol=/*none*/0, // none\n rtol=0\n, ulps=2}}\n}\n");
  CHECK_MESSAGE(strstr(apart.text, "f32[2,3]{0,1} exponential") != NULL, "%s", apart.text);
  char *accuracy = strstr(apart.text, ", result_accuracy");
  char *its = strstr(plain.text, ", result_accuracy"); // kept as written, but for line ends
  CHECK(accuracy != NULL && its != NULL);
  CHECK(strstr(accuracy, "none") == NULL && strstr(accuracy, "ulps=2") != NULL);
  *accuracy = *its = 0;
  CHECK_MESSAGE(strcmp(plain.text, apart.text) == 0, "%s\n%s", plain.text, apart.text);
  hlo_string_free(&plain);
  hlo_string_free(&apart);
}

int main(void) {
  test_module();
  test_attribute_values();
  test_constants();
  test_order();
  test_unnamed_computations();
  test_missing_shapes();
  test_groups();
  test_attributes_alone();
  test_detection();
  test_blanks();
  CHECK(for_each_file("tests/fixtures/hlo_text", NULL, ".hlo", visit_fixture) > 0);
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
