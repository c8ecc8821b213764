// Tests that StableHLO text says each attribute of each instruction, so that it reads back, or that
// printing fails with an error that names the instruction.
#include "same_program.h"
#include "stablehlo_text_files.h"

// --- attributes that an operation has no form for ---

static bool is_read_back(const hlo_module *module, const hlo_attribute *attribute) {
  for (int32_t c = 0; c < module->computation_count; c++)
    for (int32_t i = 0; i < module->computations[c]->instruction_count; i++) {
      const hlo_instruction *x = module->computations[c]->instructions[i];
      const hlo_attribute *a = hlo_find_attribute(x, attribute->id);
      if (a != NULL && a->integer == attribute->integer &&
          (a->text == NULL || strcmp(a->text, attribute->text) == 0))
        return true;
    }
  return false;
}

static void check_with_attribute(const char *name, hlo_module *module, hlo_instruction *x,
                                 const hlo_attribute *added) {
  hlo_attribute all[HLO_ATTRIBUTE_COUNT + 1], *own = x->attributes;
  for (int32_t i = 0; i < x->attribute_count; i++) all[i] = own[i];
  all[x->attribute_count++] = *added;
  x->attributes = all;
  hlo_string text = {0};
  hlo_error error = {0};
  hlo_status status = hlo_print_stablehlo(&text, module, &error);
  if (status == HLO_OK) {
    hlo_module *again = NULL;
    status = hlo_parse(text.text, text.length, HLO_FORMAT_STABLEHLO, &again, &error);
    CHECK_MESSAGE(status != HLO_OK || is_read_back(again, added), "%s: %s of %%%s (%s) is lost",
                  name, hlo_attribute_name(added->id), x->name, hlo_op_get(x->opcode)->name);
    hlo_module_destroy(again);
  } else {
    CHECK_MESSAGE(status == HLO_UNSUPPORTED && strstr(error.message, "instruction %") != NULL,
                  "%s: %s", name, error.message);
  }
  hlo_string_free(&text);
  x->attributes = own;
  x->attribute_count--;
}

static int attributes_tried;

static void try_attributes(const char *path) {
  // Composites that have an operation's name are printed as that, without their decomposition.
  if (strstr(path, "composites.hlo") != NULL) return;
  hlo_module *module = parse_file(path);
  if (module == NULL) return;
  static const hlo_attribute_id values[] = {
      HLO_ATTRIBUTE_ALGORITHM,        HLO_ATTRIBUTE_MODE,
      HLO_ATTRIBUTE_CONVOLUTION_KIND, HLO_ATTRIBUTE_CUSTOM_CALL_SCHEDULE,
      HLO_ATTRIBUTE_PADDING_TYPE,     HLO_ATTRIBUTE_DELTA,
      HLO_ATTRIBUTE_LITERAL,          HLO_ATTRIBUTE_SLICE_SIZES};
  for (int32_t c = 0; c < module->computation_count; c++)
    for (int32_t i = 0; i < module->computations[c]->instruction_count; i++) {
      hlo_instruction *x = module->computations[c]->instructions[i];
      if (x->opcode == HLO_OP_PARAMETER) continue;
      for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
        if (hlo_find_attribute(x, values[k]) != NULL) continue;
        const hlo_attribute added = {.id = values[k], .text = "unheard_of", .integer = 17};
        check_with_attribute(path, module, x, &added);
        attributes_tried++;
      }
    }
  hlo_module_destroy(module);
}

static void test_attributes(void) {
  for_each_file("tests/fixtures/hlo_text", NULL, ".hlo", try_attributes);
  for_each_file("tests/fixtures/stablehlo_forms", NULL, ".mlir", try_attributes);
  CHECK(attributes_tried > 1000);
}

// --- what any instruction may say ---

static hlo_attribute any[] = {
    {.id = HLO_ATTRIBUTE_SHARDING, .text = "{maximal device=17}"},
    {.id = HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES, .text = "{un.heard=\"of \\\"\"}"},
    {.id = HLO_ATTRIBUTE_BACKEND_CONFIG, .text = "{\"un\": [\"heard\"]}"},
    {.id = HLO_ATTRIBUTE_CONTROL_PREDECESSORS, .count = 1},
};
enum { ANY = sizeof any / sizeof *any };
static int any_said[ANY], any_refused[ANY];

// Printed as StableHLO and read, the program says what was added, and prints the same if it does
// without it; or the error names the instruction and the attribute.
static void check_any(const char *name, const hlo_module *module, const hlo_instruction *x, int k,
                      bool is_fixed) {
  hlo_string once = {0}, twice = {0}, hlo = {0};
  hlo_error error = {0};
  const char *inner = any[k].text == NULL ? "" : any[k].text + 1;
  if (hlo_print_stablehlo(&once, module, &error) != HLO_OK) {
    char place[300];
    snprintf(place, sizeof place, "instruction %%%s (", x->name);
    CHECK_MESSAGE(strstr(error.message, place) != NULL &&
                      strstr(error.message, hlo_attribute_name(any[k].id)) != NULL,
                  "%s: %s of %%%s: %s", name, hlo_attribute_name(any[k].id), x->name,
                  error.message);
    any_refused[k]++;
    hlo_string_free(&once);
    return;
  }
  hlo_module *again = parse_program(once.text, once.length, name);
  if (again != NULL) {
    hlo_print_hlo(&hlo, again);
    CHECK(hlo_print_stablehlo(&twice, again, &error) == HLO_OK);
    CHECK_MESSAGE(any[k].text != NULL && strstr(hlo.text, inner) != NULL,
                  "%s: %s of %%%s (%s) is lost", name, hlo_attribute_name(any[k].id), x->name,
                  hlo_op_get(x->opcode)->name);
    CHECK_MESSAGE(!is_fixed || equal_texts(&once, &twice),
                  "%s: %s of %%%s is no fixed point:\n%s\n%s", name, hlo_attribute_name(any[k].id),
                  x->name, once.text, twice.text);
  }
  any_said[k]++;
  hlo_module_destroy(again);
  hlo_string_free(&once);
  hlo_string_free(&twice);
  hlo_string_free(&hlo);
}

// Whether an instruction like this was tried: what decides how it is printed and read is the same.
static bool *is_tried(const hlo_instruction *x) {
  enum { KINDS = 1 << 14 };
  static struct {
    uint64_t kind;
    bool is_tried;
  } all[KINDS];
  const hlo_computation *computation = x->computation;
  uint64_t kind = (uint64_t)x->opcode * 64 + (uint64_t)x->shape->type;
  kind = kind * 31 + (uint64_t)x->operand_count * 4;
  kind += (computation->module->entry == computation) * 2 + (computation->root == x);
  for (int32_t i = 0; i < x->attribute_count; i++) kind = kind * 131 + x->attributes[i].id;
  for (int32_t i = 0; i < x->operand_count; i++)
    kind = kind * 31 + (uint64_t)x->operands[i]->opcode * 2 +
           hlo_shape_is_tuple(x->operands[i]->shape);
  size_t at = (size_t)(kind % KINDS);
  while (all[at].kind != 0 && all[at].kind != kind) at = (at + 1) % KINDS;
  all[at].kind = kind;
  return &all[at].is_tried;
}

static void add_any(const char *name, const hlo_module *module, hlo_instruction *x, bool is_fixed) {
  hlo_attribute all[HLO_ATTRIBUTE_COUNT + 1], *own = x->attributes;
  int32_t count = x->attribute_count;
  for (int k = 0; k < ANY; k++) {
    if (hlo_find_attribute(x, any[k].id) != NULL) continue;
    bool is_control = any[k].id == HLO_ATTRIBUTE_CONTROL_PREDECESSORS;
    if (is_control && x->id == 0) continue;
    any[k].instructions = is_control ? x->computation->instructions : NULL;
    for (int32_t i = 0; i < count; i++) all[i] = own[i];
    all[count] = any[k];
    x->attributes = all;
    x->attribute_count = count + 1;
    check_any(name, module, x, k, is_fixed);
    x->attributes = own;
    x->attribute_count = count;
  }
}

static void add_any_to_each(const char *name, const hlo_module *module) {
  hlo_string once = {0}, twice = {0};
  hlo_error error = {0};
  hlo_module *again = NULL;
  bool is_said = hlo_print_stablehlo(&once, module, &error) == HLO_OK &&
                 hlo_parse(once.text, once.length, HLO_FORMAT_STABLEHLO, &again, &error) == HLO_OK;
  // Of composites that are operations of CHLO nothing is left but those.
  is_said = is_said && strstr(name, "composites.hlo") == NULL;
  bool is_fixed =
      is_said && hlo_print_stablehlo(&twice, again, &error) == HLO_OK && equal_texts(&once, &twice);
  hlo_string_free(&once);
  hlo_string_free(&twice);
  hlo_module_destroy(again);
  for (int32_t c = 0; is_said && c < module->computation_count; c++) {
    const hlo_computation *computation = module->computations[c];
    for (int32_t i = 0; i < computation->instruction_count; i++) {
      bool *tried = is_tried(computation->instructions[i]);
      if (!*tried) add_any(name, module, computation->instructions[i], is_fixed);
      *tried = true;
    }
  }
}

static bool has_untried(const hlo_module *module) {
  for (int32_t c = 0; c < module->computation_count; c++)
    for (int32_t i = 0; i < module->computations[c]->instruction_count; i++)
      if (!*is_tried(module->computations[c]->instructions[i])) return true;
  return false;
}

// All that stands in front of a case's program are comments.
static void check_any_of_cases(const char *path) {
  static const char title[] = "\n//! case ";
  char *text = read_file(path, NULL);
  for (char *at = strstr(text, title); at != NULL;) {
    char *next = strstr(at + 1, title);
    size_t length = next == NULL ? strlen(at) : (size_t)(next - at);
    hlo_module *module = NULL;
    hlo_error error = {0};
    if (hlo_parse(at, length, HLO_FORMAT_DETECT, &module, &error) == HLO_OK && has_untried(module))
      add_any_to_each(path, module);
    hlo_module_destroy(module);
    at = next;
  }
  free(text);
}

static void check_any_of_file(const char *path) {
  hlo_module *module = parse_file(path);
  if (module != NULL) add_any_to_each(path, module);
  hlo_module_destroy(module);
}

static void test_any(void) {
  for_each_file("tests/fixtures/hlo_text", NULL, ".hlo", check_any_of_file);
  for_each_file("tests/fixtures/stablehlo_forms", NULL, ".mlir", check_any_of_file);
  for_each_file("tests/ops", NULL, ".hlo", check_any_of_cases);
  for (int k = 0; k < ANY; k++) {
    bool has_form = any[k].id != HLO_ATTRIBUTE_CONTROL_PREDECESSORS;
    CHECK_MESSAGE(has_form ? any_said[k] > 5 * any_refused[k] && any_said[k] > 500
                           : any_said[k] == 0 && any_refused[k] > 500,
                  "%s: said %d times, refused %d times", hlo_attribute_name(any[k].id), any_said[k],
                  any_refused[k]);
  }
}

int main(void) {
  test_attributes();
  test_any();
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
