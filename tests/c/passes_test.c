// Every pass by itself: programs of tests/passes, what it makes of them, and that nothing leaks
// when memory runs out. The format of the files is in tests/passes/README.md.
#include "passes/passes.h"

#include "check.h"
#include "files.h"
#include "hlo/infer/infer.h"
#include "hlo/rewrite.h"
#include "same_program.h"

static bool supports_all(hlo_target target, const hlo_instruction *fusion,
                         const hlo_instruction **obstacle) {
  (void)target;
  *obstacle = NULL;
  return fusion->operand_count >= 0;
}

// A host that has code for elementwise loops alone, without next-after.
static bool supports_elementwise(hlo_target target, const hlo_instruction *fusion,
                                 const hlo_instruction **obstacle) {
  (void)target;
  const hlo_computation *fused = hlo_get_computation(fusion, HLO_ATTRIBUTE_CALLS);
  *obstacle = NULL;
  for (int32_t i = 0; i < fused->instruction_count; i++) {
    hlo_opcode opcode = fused->instructions[i]->opcode;
    if (opcode == HLO_OP_NEXT_AFTER) return false;
    if (opcode != HLO_OP_PARAMETER && opcode != HLO_OP_CONSTANT && !hlo_op_is_elementwise(opcode))
      return false;
  }
  return true;
}

// A host that has code for everything but reverse, and says so.
static bool supports_but_reverse(hlo_target target, const hlo_instruction *fusion,
                                 const hlo_instruction **obstacle) {
  (void)target;
  const hlo_computation *fused = hlo_get_computation(fusion, HLO_ATTRIBUTE_CALLS);
  *obstacle = NULL;
  for (int32_t i = 0; i < fused->instruction_count && *obstacle == NULL; i++) {
    if (fused->instructions[i]->opcode == HLO_OP_REVERSE) *obstacle = fused->instructions[i];
  }
  return *obstacle == NULL;
}

static hlo_status fuse(hlo_module *module, hlo_error *error) {
  hlo_pass_options options = {.supports_fusion = supports_all};
  return hlo_pass_fuse(module, &options, error);
}

static hlo_status fuse_elementwise(hlo_module *module, hlo_error *error) {
  hlo_pass_options options = {.supports_fusion = supports_elementwise};
  return hlo_pass_fuse(module, &options, error);
}

static hlo_status fuse_but_reverse(hlo_module *module, hlo_error *error) {
  hlo_pass_options options = {.supports_fusion = supports_but_reverse};
  return hlo_pass_fuse(module, &options, error);
}

static hlo_status fuse_what_pays(hlo_module *module, hlo_error *error) {
  hlo_pass_options options = {.supports_fusion = supports_all, .fewest_elements = 1024};
  return hlo_pass_fuse(module, &options, error);
}

static const struct {
  const char *name;
  hlo_status (*run)(hlo_module *module, hlo_error *error);
} passes[] = {
    {"layouts", hlo_pass_layouts},
    {"separate", hlo_pass_separate},
    {"inline", hlo_pass_inline},
    {"batch-norm", hlo_pass_batch_norm},
    {"expand", hlo_pass_expand},
    {"unroll", hlo_pass_unroll},
    {"simplify", hlo_pass_simplify},
    {"fold", hlo_pass_fold},
    {"cse", hlo_pass_cse},
    {"dead", hlo_module_remove_dead},
    {"loops", hlo_pass_loops},
    {"hoist", hlo_pass_hoist},
    {"unread-vectors", hlo_pass_unread_vectors},
    {"contract", hlo_pass_contract},
    {"tiny_steps", hlo_pass_tiny_steps},
    {"unroll_loops", hlo_pass_unroll_loops},
    {"scalar-replacement", hlo_pass_scalar_replacement},
    {"ranges", hlo_pass_ranges},
    {"widen-late", hlo_pass_widen_late},
    {"pixels", hlo_pass_pixels},
    {"byte-tables", hlo_pass_byte_tables},
    {"concatenations", hlo_pass_concatenations},
    {"tile", hlo_pass_tile},
    {"join-rows", hlo_pass_collapse_rows},
    {"fuse", fuse},
    {"fuse-elementwise", fuse_elementwise},
    {"fuse-but-reverse", fuse_but_reverse},
    {"fuse-what-pays", fuse_what_pays},
};

// Runs the named passes in turn on a clone, and removes what is dead. "all": the whole pipeline.
static hlo_status run_passes(const hlo_module *module, const char *names, size_t length,
                             hlo_module **out, hlo_error *error) {
  if (length == 3 && memcmp(names, "all", 3) == 0) {
    hlo_pass_options options = {.verify = true};
    return hlo_optimize(module, module->entry, &options, out, error);
  }
  hlo_status status = hlo_module_clone(module, module->entry, out, error);
  for (const char *end = names + length; names < end && status == HLO_OK;) {
    size_t word = strcspn(names, " \n");
    bool found = false;
    for (size_t i = 0; i < sizeof passes / sizeof *passes && status == HLO_OK; i++) {
      if (strlen(passes[i].name) != word || memcmp(passes[i].name, names, word) != 0) continue;
      found = true;
      status = passes[i].run(*out, error);
      if (status == HLO_OK) status = hlo_verify(*out, error);
    }
    CHECK_MESSAGE(found, "there is no pass %.*s", (int)word, names);
    names += word;
    while (names < end && *names == ' ') names++;
  }
  if (status == HLO_OK) status = hlo_module_remove_dead(*out, error);
  if (status == HLO_OK) status = hlo_verify(*out, error);
  if (status == HLO_OK) return HLO_OK;
  hlo_module_destroy(*out);
  *out = NULL;
  return status;
}

static void compare(const char *file, const char *title, const hlo_module *got, const char *text,
                    size_t length) {
  hlo_error error = {0};
  hlo_module *want = NULL;
  program_difference difference = {0};
  hlo_status status = hlo_parse(text, length, HLO_FORMAT_HLO, &want, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s: %s: %s", file, title, error.message);
  if (status != HLO_OK) return;
  hlo_string printed = {0};
  hlo_print_hlo(&printed, got);
  bool same = same_computation(want->entry, got->entry, &difference) &&
              want->entry->instruction_count == got->entry->instruction_count;
  CHECK_MESSAGE(same, "%s: %s: %s differs, got\n%.*s", file, title,
                difference.what == NULL ? "number of instructions" : difference.what,
                (int)printed.length, printed.text);
  hlo_string_free(&printed);
  hlo_module_destroy(want);
}

// Every allocation of the passes fails once.
static void check_allocations(const char *file, const hlo_module *module, const char *names,
                              size_t length) {
  size_t before = hlo_memory_in_use();
  hlo_status status = HLO_OUT_OF_MEMORY;
  for (int n = 1; n < 100000 && status != HLO_OK; n += 1 + n / 40) {
    hlo_error error = {0};
    hlo_module *out = NULL;
    hlo_memory_fail_after(n);
    status = run_passes(module, names, length, &out, &error);
    hlo_memory_fail_after(0);
    CHECK_MESSAGE(status == HLO_OK || status == HLO_OUT_OF_MEMORY, "%s: %s", file, error.message);
    hlo_module_destroy(out);
    CHECK_MESSAGE(hlo_memory_in_use() == before, "%s: leaks when allocation %d fails", file, n);
  }
  CHECK(status == HLO_OK);
}

static void check_case(const char *file, const char *names, const char *program, const char *end,
                       const char *gives, const char *gives_end) {
  char title[64];
  size_t length = strcspn(names, "\n");
  hlo_error error = {0};
  hlo_module *module = NULL, *out = NULL;
  snprintf(title, sizeof title, "%.*s", (int)strcspn(program, "\n"), program);
  hlo_status status = hlo_parse(program, (size_t)(end - program), HLO_FORMAT_HLO, &module, &error);
  if (status == HLO_OK) status = run_passes(module, names, length, &out, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s: %s: %s", file, title, error.message);
  if (status == HLO_OK) {
    compare(file, title, out, gives, (size_t)(gives_end - gives));
    check_allocations(file, module, names, length);
  }
  hlo_module_destroy(out);
  hlo_module_destroy(module);
}

static void check_file(const char *path) {
  char *text = read_file(path, NULL);
  int cases = 0;
  for (const char *at = strstr(text, "//! pass "); at != NULL; cases++) {
    const char *names = at + strlen("//! pass "), *program = strchr(names, '\n') + 1;
    const char *middle = strstr(program, "//! gives\n");
    if (middle == NULL) break;
    const char *gives = strchr(middle, '\n') + 1, *next = strstr(gives, "//! pass ");
    check_case(path, names, program, middle, gives, next == NULL ? strchr(gives, '\0') : next);
    at = next;
  }
  CHECK_MESSAGE(cases > 0, "%s has no cases", path);
  free(text);
}

int main(int argc, char **argv) {
  size_t before = hlo_memory_in_use();
  CHECK(for_each_file("tests/passes", argc > 1 ? argv[1] : NULL, ".hlo", check_file) > 0);
  CHECK(hlo_memory_in_use() == before);
  return CHECK_RESULT();
}
