// Parses programs that tests consist of, which end when they do not parse.
#ifndef HLO_TESTS_C_PARSE_TEXT_H
#define HLO_TESTS_C_PARSE_TEXT_H

#include "check.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

// The caller destroys it.
static inline hlo_module *parse_text(hlo_text_format format, const char *text) {
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_status status = hlo_parse(text, strlen(text), format, &module, &error);
  CHECK_MESSAGE(status == HLO_OK, "%d:%d: %s\nin %.200s", error.line, error.column, error.message,
                text);
  if (status != HLO_OK) exit(CHECK_RESULT());
  return module;
}

#endif
