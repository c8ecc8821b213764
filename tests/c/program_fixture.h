// A program compiled from text, for tests of what runs. A text that does not compile fails the
// test.
#ifndef HLO_TESTS_C_PROGRAM_FIXTURE_H
#define HLO_TESTS_C_PROGRAM_FIXTURE_H

#include "check.h"

#include "run/executable.h"
#include "text/text.h"

#include <string.h>

typedef struct program {
  hlo_module *module;
  hlo_executable *executable;
} program;

static inline program compile_with(const char *text, const hlo_compile_options *options) {
  hlo_error error = {0};
  program p = {0};
  hlo_parse(text, strlen(text), HLO_FORMAT_DETECT, &p.module, &error);
  if (p.module != NULL) hlo_compile(p.module, options, &p.executable, &error);
  CHECK_MESSAGE(p.executable != NULL, "%d:%d: %s", (int)error.line, (int)error.column,
                error.message);
  return p;
}

static inline program compile(const char *text) {
  return compile_with(text, &(hlo_compile_options){0});
}

static inline void destroy(program *p) {
  hlo_executable_destroy(p->executable);
  hlo_module_destroy(p->module);
}

#endif
