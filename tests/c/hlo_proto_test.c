// Tests reading serialized HLO modules, as XLA wrote them (tests/fixtures/hlo_proto.py): each must
// be the program that its text is. Bytes that are missing or wrong give errors that say where.
#include "binary_program.h"
#include "op_cases.h"

#define FOLDER "tests/fixtures/hlo_proto/"

// --- modules that XLA printed: every name and attribute ---

static void check_instruction(const char *path, const hlo_instruction *got,
                              const hlo_instruction *want) {
  CHECK_MESSAGE(got->opcode == want->opcode && hlo_shape_equal(got->shape, want->shape) &&
                    got->operand_count == want->operand_count &&
                    got->parameter_number == want->parameter_number,
                "%s: %s", path, want->name);
  for (int32_t i = 0; i < want->operand_count && i < got->operand_count; i++)
    CHECK_MESSAGE(strcmp(got->operands[i]->name, want->operands[i]->name) == 0,
                  "%s: operand %d of %s", path, i, want->name);
  CHECK_MESSAGE(got->attribute_count == want->attribute_count, "%s: %s has %d attributes, not %d",
                path, want->name, got->attribute_count, want->attribute_count);
  for (int32_t i = 0; i < want->attribute_count; i++) {
    const hlo_attribute *a = &want->attributes[i], *b = hlo_find_attribute(got, a->id);
    CHECK_MESSAGE(b != NULL && same_written(a, b), "%s: %s of %s", path, hlo_attribute_name(a->id),
                  want->name);
  }
  CHECK((got->literal == NULL) == (want->literal == NULL));
  if (want->literal != NULL && got->literal != NULL)
    CHECK_MESSAGE(same_literal(got->literal, want->literal), "%s: value of %s", path, want->name);
}

static void check_computation(const char *path, const hlo_computation *got,
                              const hlo_computation *want) {
  CHECK(strcmp(got->root->name, want->root->name) == 0);
  CHECK_MESSAGE(got->instruction_count == want->instruction_count, "%s: %s", path, want->name);
  for (int32_t i = 0; i < want->instruction_count; i++) {
    const hlo_instruction *x = want->instructions[i];
    const hlo_instruction *found = hlo_computation_find(got, x->name, strlen(x->name));
    CHECK_MESSAGE(found != NULL && found->id == x->id, "%s: no %s at %d", path, x->name, i);
    if (found != NULL) check_instruction(path, found, x);
  }
}

// Without the comments that count.
static void strip(const char *text, char *out) {
  for (; text != NULL && *text != '\0'; text++) {
    if (strncmp(text, "/*", 2) == 0) text = strstr(text, "*/") + 2;
    *out++ = *text;
  }
  *out = '\0';
}

static void check_printed(const char *path) {
  static char header[2][4096];
  file_path text;
  snprintf(text, sizeof text, "%.*s.hlo", (int)(strlen(path) - 3), path);
  if (strstr(path, "wrapped") != NULL) snprintf(text, sizeof text, FOLDER "control.hlo");
  hlo_module *got = parse_path(path), *want = parse_path(text);
  strip(got->attributes_text, header[0]);
  strip(want->attributes_text, header[1]);
  CHECK_MESSAGE(strcmp(header[0], header[1]) == 0, "%s\n%s", header[0], header[1]);
  CHECK((got->tables_text == NULL) == (want->tables_text == NULL));
  if (want->tables_text != NULL && got->tables_text != NULL)
    CHECK_MESSAGE(strcmp(got->tables_text, want->tables_text) == 0, "%s", got->tables_text);
  CHECK(strcmp(got->name, want->name) == 0);
  CHECK(strcmp(got->entry->name, want->entry->name) == 0);
  CHECK(got->computation_count == want->computation_count);
  for (int32_t i = 0; i < want->computation_count; i++) {
    const hlo_computation *computation = hlo_module_find(got, want->computations[i]->name);
    CHECK(computation != NULL);
    if (computation != NULL) check_computation(path, computation, want->computations[i]);
  }
  hlo_module_destroy(got);
  hlo_module_destroy(want);
}

// --- modules that texts were read to: what is computed ---

static void check_text(const char *path) {
  file_path text;
  const char *name = strrchr(path, '/') + 1;
  // where XLA reads -0 as 0, prints NaNs otherwise, or leaves out blanks
  if (strncmp(name, "constants", 9) == 0 || strstr(name, "as_written") != NULL) return;
  snprintf(text, sizeof text, "tests/fixtures/hlo_text/%.*s.hlo", (int)strcspn(name, "."), name);
  char *written = read_file(text, NULL);
  bool has_all = strstr(written, "constant({...})") == NULL; // XLA made up other values
  free(written);
  if (!has_all) return;
  hlo_module *got = parse_path(path), *want = parse_path(text);
  check_same(path, got, want);
  hlo_module_destroy(got);
  hlo_module_destroy(want);
}

// The case of the file that has the module's text; modules are named after their cases, or at least
// the same.
static void check_op(const char *path) {
  file_path cases;
  const char *name = strrchr(path, '/') + 1;
  if (strncmp(name, "scan", 4) == 0) return; // where XLA writes what the text leaves out
  snprintf(cases, sizeof cases, "tests/ops/%.*s.hlo", (int)strcspn(name, "."), name);
  hlo_module *got = parse_path(path);
  char *text = read_file(cases, NULL), *start = malloc(strlen(got->name) + 16);
  sprintf(start, "HloModule %s", got->name);
  size_t length = strlen(start);
  op_case test;
  hlo_arena arena = {0};
  bool is_found = false;
  for (const char *cursor = strstr(text, "//! case");
       !is_found && op_case_next(&arena, cases, text, &cursor, &test);) {
    const char *program = strstr(test.program, "HloModule");
    if (test.error != NULL || program == NULL || strncmp(program, start, length) != 0 ||
        strchr(" ,\n", program[length]) == NULL)
      continue;
    hlo_module *want = NULL;
    hlo_error error = {0};
    is_found = true;
    CHECK(parse_detected(test.program, test.program_length, &want, &error) == HLO_OK);
    check_same(path, got, want);
    hlo_module_destroy(want);
  }
  CHECK_MESSAGE(is_found, "%s: no case %s", path, got->name);
  hlo_arena_free(&arena);
  hlo_module_destroy(got);
  free(text);
  free(start);
}

static void test_programs(void) {
  CHECK(for_each_file(FOLDER, NULL, ".pb", check_printed) > 7);
  CHECK(for_each_file(FOLDER "texts", NULL, ".pb", check_text) > 60);
  CHECK(for_each_file(FOLDER "ops", NULL, ".pb", check_op) > 140);
}

// --- bytes that are wrong ---

static void check_prefixes(const char *path) {
  size_t length;
  char *bytes = read_file(path, &length);
  size_t count_refused = 0;
  for (size_t i = 0; i < length; i++) {
    hlo_error error = {0};
    hlo_status status = try_prefix(hlo_parse_proto, bytes, i, &error);
    // whole computations alone are no less a module
    CHECK_MESSAGE(status == HLO_PARSE_ERROR || status == HLO_OK, "%s, %zu bytes: %s", path, i,
                  error.message);
    count_refused += status != HLO_OK;
  }
  CHECK(count_refused + 20 > length);
  free(bytes);
}

static void check_changes(const char *path) { try_changes(hlo_parse_proto, path, 0, "\x02\x81"); }

static void test_wrong_bytes(void) {
  static const char *const names[] = {"attributes", "shapes", "literals", "control", "wrapped"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    CHECK(for_each_file(FOLDER, names[i], ".pb", check_prefixes) == 1);
  CHECK(for_each_file(FOLDER, "attributes", ".pb", check_changes) == 1);
  CHECK(for_each_file(FOLDER, "shapes", ".pb", check_changes) == 1);
  CHECK(for_each_file(FOLDER, "devices", ".pb", check_changes) == 1);
  CHECK(for_each_file(FOLDER, "control", ".pb", check_changes) == 1);
}

static void check_error(const char *name, const char *find, size_t offset, uint8_t byte,
                        hlo_status status, const char *message) {
  file_path path;
  snprintf(path, sizeof path, FOLDER "%s.pb", name);
  check_spoiled(hlo_parse_proto, path, find, offset, byte, status, message);
}

static void test_messages(void) {
  check_error("control", "topk", 0, 'q', HLO_UNSUPPORTED,
              " of the file: instruction %x1: there is no operation 'qopk'");
  check_error("control", "kCustom", 0, 'q', HLO_UNSUPPORTED,
              " of the file: instruction %f (fusion): kind must be one of kLoop");
  check_error("control", "conditional", 0, 'k', HLO_UNSUPPORTED, "'konditional'");
  check_error("literals", "pred.1", 1, 0, HLO_PARSE_ERROR, "there is a zero byte in a name");
}

int main(void) {
  test_programs();
  test_wrong_bytes();
  test_messages();
  check_memory_for(FOLDER "literals.pb");
  return CHECK_RESULT();
}
