// What fuzzers of program texts require: errors with a place in the text.
#ifndef HLO_TESTS_FUZZ_TEXT_PLACE_H
#define HLO_TESTS_FUZZ_TEXT_PLACE_H

#include "text/text.h"

#include <stdlib.h>
#include <string.h>

// Ends the program where the fuzzer sees it.
static void require(bool condition) {
  if (!condition) abort();
}

static void check_place(const hlo_error *error, const char *text, size_t size) {
  require(error->message[0] != '\0');
  if (error->status == HLO_OUT_OF_MEMORY) return;
  int32_t lines = 1;
  for (size_t i = 0; i < size; i++) lines += text[i] == '\n';
  require(error->line >= 1 && error->line <= lines);
  require(error->column >= 1 && (size_t)error->column <= size + 1);
  require(strchr(error->message, '^') != NULL);
}

#endif
