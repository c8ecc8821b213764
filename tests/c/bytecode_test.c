// Tests reading programs in binary form, as jaxlib wrote them (tests/fixtures/bytecode.py): each
// must be the program that its text is. Bytes that are missing or wrong give errors that say where.
#include "binary_program.h"

#define FOLDER "tests/fixtures/bytecode/"

static const char *header(const hlo_module *module) {
  return module->attributes_text == NULL ? "" : module->attributes_text;
}

static void check_paths(const char *name, const char *text) {
  hlo_module *got = parse_path(name), *want = parse_path(text);
  check_same(name, got, want);
  if (ends_with(text, ".mlir")) CHECK(strcmp(header(got), header(want)) == 0);
  hlo_module_destroy(got);
  hlo_module_destroy(want);
}

// "…/bytecode/forms/NAME-VERSION.mlirbc" beside FOLDER/NAME.END.
static void check_beside(const char *path, const char *folder, const char *end) {
  file_path text;
  const char *name = strrchr(path, '/') + 1;
  size_t length = strcspn(name, "-.");
  snprintf(text, sizeof text, "%s%.*s%s", folder, (int)length, name, end);
  check_paths(path, text);
}

static void check_form(const char *path) {
  check_beside(path, "tests/fixtures/stablehlo_forms/", ".hlo");
}
static void check_text(const char *path) {
  check_beside(path, "tests/fixtures/stablehlo_text/", ".mlir");
}
static void check_own(const char *path) { check_beside(path, FOLDER, ".mlir"); }
static void check_export(const char *path) {
  bool is_open = strstr(path, "any_size") != NULL;     // its shapes are not known
  bool is_several = strstr(path, "platforms") != NULL; // its text says no platforms
  if (!is_open && !is_several) check_own(path);
}

// A file for several platforms: for the first one it is as its text.
static void test_platform(void) {
  size_t length;
  char *bytes = read_file(FOLDER "platforms.jax_export", &length);
  hlo_parse_options options = {.format = HLO_FORMAT_DETECT, .platform = "tpu"};
  hlo_module *got = NULL, *want = parse_path(FOLDER "platforms.mlir");
  hlo_error error = {0};
  CHECK_MESSAGE(hlo_parse_with(bytes, length, &options, &got, &error) == HLO_OK, "%s",
                error.message);
  check_same("platforms", got, want);
  CHECK(got->entry->parameter_count == 1);
  options.vjp = 1;
  CHECK(hlo_parse_with(bytes, length, &options, &(hlo_module *){NULL}, &error) ==
        HLO_INVALID_ARGUMENT);
  hlo_module_destroy(got);
  hlo_module_destroy(want);
  free(bytes);
}

static void test_programs(void) {
  CHECK(for_each_file(FOLDER "forms", NULL, ".mlirbc", check_form) > 60);
  CHECK(for_each_file(FOLDER "texts", NULL, ".mlirbc", check_text) == 5);
  CHECK(for_each_file(FOLDER, NULL, ".mlirbc", check_own) > 6);
  CHECK(for_each_file(FOLDER, NULL, ".jax_export", check_export) == 5);
}

// --- bytes that are wrong ---

static void check_prefixes(const char *path) {
  size_t length;
  char *bytes = read_file(path, &length);
  size_t step = length > 2000 ? 7 : 1;
  bool is_bytecode = memcmp(bytes, "ML\xefR", 4) == 0;
  for (size_t i = is_bytecode ? 4 : 64; i < length; i += step) { // shorter ones are taken for text
    hlo_error error = {0};
    hlo_status status = try_prefix(parse_detected, bytes, i, &error);
    CHECK_MESSAGE(status == HLO_PARSE_ERROR || !is_bytecode, "%s, %zu bytes: %s", path, i,
                  error.message);
    CHECK_MESSAGE(!is_bytecode || strncmp(error.message, "byte ", 5) == 0, "%s", error.message);
  }
  free(bytes);
}

static void check_changes(const char *path) {
  try_changes(parse_detected, path, 4, "\x01\x02\x80\xff");
}

static void test_wrong_bytes(void) {
  CHECK(for_each_file(FOLDER, NULL, ".mlirbc", check_prefixes) > 6);
  CHECK(for_each_file(FOLDER "texts", NULL, ".mlirbc", check_prefixes) > 0);
  CHECK(for_each_file(FOLDER, "platforms", ".jax_export", check_prefixes) == 1);
  CHECK(for_each_file(FOLDER, "mixed", ".mlirbc", check_changes) == 1);
  CHECK(for_each_file(FOLDER, "locations", ".mlirbc", check_changes) == 1);
  CHECK(for_each_file(FOLDER, "old_operations", ".mlirbc", check_changes) == 2);
  CHECK(for_each_file(FOLDER, "platforms", ".jax_export", check_changes) == 1);
}

static void check_error(const char *name, const char *find, size_t offset, uint8_t byte,
                        hlo_status status, const char *message) {
  file_path path;
  snprintf(path, sizeof path, FOLDER "%s", name);
  check_spoiled(parse_detected, path, find, offset, byte, status, message);
}

static void test_messages(void) {
  // A newer version of the format is read as the newest one that is known.
  check_error("old_operations-0.19.0.mlirbc", "ML\xefR", 4, 15, HLO_OK, "");
  check_error("old_operations-0.19.0.mlirbc", "cosine_v1", 8, '7', HLO_UNSUPPORTED,
              "of the file: the operation cosine_v7 of VHLO is not known here");
  check_error("old_operations-0.19.0.mlirbc", "cosine_v1", 0, 'q', HLO_UNSUPPORTED,
              "of the file: stablehlo.qosine: this operation is not supported\n");
  check_error("old_operations-0.19.0.mlirbc", "gather_v1", 8, '7', HLO_UNSUPPORTED,
              "of the file: the operation gather_v7 of VHLO is not known here");
  check_error(
      "refused/stablehlo.mlirbc", "MLIR", 0, 'M', HLO_UNSUPPORTED,
      "of the file: how the dialect of func.func encodes its attributes is not known; write "
      "the program as a portable artifact (stablehlo.serialize_portable_artifact, ");
  check_error("platforms.jax_export", "ML\xefR", 0, 'N', HLO_PARSE_ERROR, "binary data");
}

// A file of jax.export whose program is cut off within what bytecode starts with.
static void test_no_program(void) {
  static const char magic[] = "ML\xefR", shorter[4] = {2};
  size_t length, at = 0;
  char *bytes = read_file(FOLDER "platforms.jax_export", &length);
  hlo_parse_options options = {.format = HLO_FORMAT_DETECT};
  hlo_module *module = NULL;
  hlo_error error = {0};
  while (memcmp(bytes + at, magic, sizeof magic - 1) != 0) at++;
  memcpy(bytes + at - sizeof shorter, shorter, sizeof shorter);
  CHECK(!hlo_is_bytecode(bytes, length));
  CHECK(hlo_parse_bytecode_with(bytes, length, &options, &module, &error) == HLO_PARSE_ERROR);
  CHECK_MESSAGE(strstr(error.message, "no bytecode of MLIR") != NULL, "%s", error.message);
  CHECK(module == NULL);
  free(bytes);
}

int main(void) {
  test_programs();
  test_platform();
  test_wrong_bytes();
  test_messages();
  test_no_program();
  check_memory_for(FOLDER "mixed-1.17.0.mlirbc");
  return CHECK_RESULT();
}
