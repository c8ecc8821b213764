// What fuzzers of texts that can be printed require: what is accepted prints to a text that reads
// back and prints the same; what is refused has a place in the text; nothing crashes, leaks or
// fills the memory.
#ifndef HLO_TESTS_FUZZ_TEXT_ROUND_TRIP_H
#define HLO_TESTS_FUZZ_TEXT_ROUND_TRIP_H

#include "text_place.h"

typedef hlo_status text_parser(const char *text, size_t length, hlo_module **out, hlo_error *error);
typedef hlo_status text_printer(hlo_string *out, const hlo_module *module, hlo_error *error);

// The first text may lose what there is no place for; from then on nothing changes.
static void check_print(text_parser *parse, text_printer *print, const hlo_module *module) {
  hlo_error error = {0};
  hlo_string once = {0}, twice = {0};
  hlo_module *again = NULL;
  hlo_status status = print(&once, module, &error);
  require(status == HLO_OK || status == HLO_UNSUPPORTED || status == HLO_OUT_OF_MEMORY);
  if (status == HLO_OK) {
    status = parse(once.text, once.length, &again, &error);
    require(status == HLO_OK || status == HLO_OUT_OF_MEMORY);
    if (status == HLO_OK) status = print(&twice, again, &error);
    require(status == HLO_OK || status == HLO_OUT_OF_MEMORY);
    if (status == HLO_OK) require(strcmp(once.text, twice.text) == 0);
  }
  hlo_module_destroy(again);
  hlo_string_free(&once);
  hlo_string_free(&twice);
}

static void check_round_trip(text_parser *parse, text_printer *print, const char *text,
                             size_t size) {
  hlo_memory_set_limit((size_t)64 << 20);
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_status status = parse(text, size, &module, &error);
  require(status == error.status);
  if (status == HLO_OK) check_print(parse, print, module);
  else check_place(&error, text, size);
  hlo_module_destroy(module);
  require(hlo_memory_in_use() == 0);
}

#endif
