// Fuzzes HLO text. What is accepted must print to a text that reads back and prints the same; what
// is refused must have a place in the text; nothing may crash, leak or fill the memory.
#include "text_place.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_print(const hlo_module *module) {
  hlo_error error = {0};
  hlo_string once = {0}, twice = {0};
  hlo_module *again = NULL;
  hlo_print_hlo(&once, module);
  if (!once.failed) {
    hlo_status status = hlo_parse_hlo(once.text, once.length, &again, &error);
    require(status == HLO_OK || status == HLO_OUT_OF_MEMORY);
    if (status == HLO_OK) hlo_print_hlo(&twice, again);
    if (status == HLO_OK && !twice.failed) require(strcmp(once.text, twice.text) == 0);
  }
  hlo_module_destroy(again);
  hlo_string_free(&once);
  hlo_string_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hlo_memory_set_limit((size_t)64 << 20);
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_status status = hlo_parse_hlo((const char *)data, size, &module, &error);
  require(status == error.status);
  if (status == HLO_OK) check_print(module);
  else check_place(&error, (const char *)data, size);
  hlo_module_destroy(module);
  require(hlo_memory_in_use() == 0);
  return 0;
}
