// What fuzzers of programs in binary form require: what is accepted prints to HLO text that reads
// back; what is refused says why; nothing crashes, leaks or fills the memory.
#ifndef HLO_TESTS_FUZZ_BINARY_ROUND_TRIP_H
#define HLO_TESTS_FUZZ_BINARY_ROUND_TRIP_H

#include "base/arena.h"
#include "text/text.h"

#include <stdlib.h>

// Ends the program where the fuzzer sees it.
static void require(bool condition) {
  if (!condition) abort();
}

typedef hlo_status binary_parser(const char *bytes, size_t length, hlo_module **out,
                                 hlo_error *error);

static void check_round_trip(binary_parser *parse, const uint8_t *data, size_t size) {
  hlo_memory_set_limit((size_t)64 << 20);
  hlo_module *module = NULL, *again = NULL;
  hlo_error error = {0};
  hlo_status status = parse((const char *)data, size, &module, &error);
  require(status == error.status);
  require(status == HLO_OK || error.message[0] != '\0');
  if (status == HLO_OK) {
    hlo_string text = {0};
    hlo_print_hlo(&text, module);
    status = hlo_string_status(&text, &error);
    if (status == HLO_OK) status = hlo_parse_hlo(text.text, text.length, &again, &error);
    require(status == HLO_OK || status == HLO_OUT_OF_MEMORY);
    hlo_string_free(&text);
  }
  hlo_module_destroy(module);
  hlo_module_destroy(again);
  require(hlo_memory_in_use() == 0);
}

#endif
