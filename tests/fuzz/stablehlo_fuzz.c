// Fuzzes StableHLO text. What is accepted must print to a text that reads back and prints the same;
// what is refused must have a place in the text; nothing may crash, leak or fill the memory.
#include "text_place.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The first text may lose what StableHLO has no place for; from then on nothing changes.
static void check_print(const hlo_module *module) {
  hlo_error error = {0};
  hlo_string once = {0}, twice = {0};
  hlo_module *again = NULL;
  hlo_status status = hlo_print_stablehlo(&once, module, &error);
  require(status == HLO_OK || status == HLO_UNSUPPORTED || status == HLO_OUT_OF_MEMORY);
  if (status == HLO_OK) {
    status = hlo_parse_stablehlo(once.text, once.length, &again, &error);
    require(status == HLO_OK || status == HLO_OUT_OF_MEMORY);
    if (status == HLO_OK) status = hlo_print_stablehlo(&twice, again, &error);
    require(status == HLO_OK || status == HLO_OUT_OF_MEMORY);
    if (status == HLO_OK) require(strcmp(once.text, twice.text) == 0);
  }
  hlo_module_destroy(again);
  hlo_string_free(&once);
  hlo_string_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hlo_memory_set_limit((size_t)64 << 20);
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_status status = hlo_parse_stablehlo((const char *)data, size, &module, &error);
  require(status == error.status);
  if (status == HLO_OK) check_print(module);
  else check_place(&error, (const char *)data, size);
  hlo_module_destroy(module);
  require(hlo_memory_in_use() == 0);
  return 0;
}
