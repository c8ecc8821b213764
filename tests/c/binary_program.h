// Programs in binary form for tests: reads them, compares what they compute, cuts them off and
// changes bytes of them.
#ifndef HLO_TESTS_C_BINARY_PROGRAM_H
#define HLO_TESTS_C_BINARY_PROGRAM_H

#include "base/arena.h"
#include "files.h"
#include "memory_check.h"
#include "parse_text.h"
#include "same_program.h"

typedef hlo_status program_parser(const char *bytes, size_t length, hlo_module **out,
                                  hlo_error *error);

static inline hlo_status parse_detected(const char *bytes, size_t length, hlo_module **out,
                                        hlo_error *error) {
  return hlo_parse(bytes, length, HLO_FORMAT_DETECT, out, error);
}

// The caller destroys it.
static inline hlo_module *parse_path(const char *path) {
  size_t length;
  char *bytes = read_file(path, &length);
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_status status = parse_detected(bytes, length, &module, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s: %s", path, error.message);
  free(bytes);
  if (status != HLO_OK) exit(CHECK_RESULT());
  return module;
}

static inline void check_same(const char *name, const hlo_module *got, const hlo_module *want) {
  program_difference difference = {0};
  CHECK_MESSAGE(got->entry != NULL && want->entry != NULL, "%s has no entry", name);
  if (got->entry == NULL || want->entry == NULL) return;
  bool same = same_computation(got->entry, want->entry, &difference);
  CHECK_MESSAGE(same, "%s: %s of %%%s and of %%%s", name, difference.what,
                difference.a == NULL ? "" : difference.a->name,
                difference.b == NULL ? "" : difference.b->name);
}

// What is not refused prints, and reads back.
static inline hlo_status try_bytes(program_parser *parser, const char *bytes, size_t length,
                                   hlo_error *error) {
  hlo_module *module = NULL, *again = NULL;
  size_t before = hlo_memory_in_use();
  hlo_status status = parser(bytes, length, &module, error);
  CHECK(status == error->status);
  CHECK_MESSAGE(status == HLO_OK || (error->message[0] != '\0' && error->line == 0),
                "%zu bytes: %s", length, error->message);
  if (status == HLO_OK) {
    hlo_string text = {0};
    hlo_error second = {0};
    hlo_print_hlo(&text, module);
    hlo_parse_hlo(text.text, text.length, &again, &second);
    CHECK_MESSAGE(again != NULL, "%s\nin %s", second.message, text.text);
    hlo_string_free(&text);
  }
  hlo_module_destroy(module);
  hlo_module_destroy(again);
  CHECK(hlo_memory_in_use() == before);
  return status;
}

// A copy of no more than length bytes, so that the sanitizer sees every read behind them.
static inline hlo_status try_prefix(program_parser *parser, const char *bytes, size_t length,
                                    hlo_error *error) {
  char *copy = malloc(length);
  memcpy(copy, bytes, length);
  hlo_status status = try_bytes(parser, copy, length, error);
  free(copy);
  return status;
}

// Each byte of the file from `first` on changed by each of the patterns.
static inline void try_changes(program_parser *parser, const char *path, size_t first,
                               const char *patterns) {
  size_t length;
  char *bytes = read_file(path, &length);
  for (size_t i = first; i < length; i++) {
    for (const char *pattern = patterns; *pattern != '\0'; pattern++) {
      hlo_error error = {0};
      bytes[i] ^= *pattern;
      try_bytes(parser, bytes, length, &error);
      bytes[i] ^= *pattern;
    }
  }
  free(bytes);
}

// The file with one byte, where `find` and `offset` say, made another.
static inline void check_spoiled(program_parser *parser, const char *path, const char *find,
                                 size_t offset, uint8_t byte, hlo_status status,
                                 const char *message) {
  size_t length, at = 0, find_length = strlen(find);
  char *bytes = read_file(path, &length);
  while (at + find_length < length && memcmp(bytes + at, find, find_length) != 0) at++;
  CHECK(at + find_length < length);
  bytes[at + offset] = (char)byte;
  hlo_error error = {0};
  CHECK(try_bytes(parser, bytes, length, &error) == status);
  CHECK_MESSAGE(strstr(error.message, message) != NULL, "%s", error.message);
  free(bytes);
}

static char *whole_bytes; // of the file under check_memory_for
static size_t whole_length;

static inline hlo_status parse_whole(hlo_arena *arena, hlo_error *error) {
  hlo_module *module = NULL;
  (void)arena;
  hlo_status status = parse_detected(whole_bytes, whole_length, &module, error);
  hlo_module_destroy(module);
  return status;
}

// Reads the file with every allocation failing once.
static inline void check_memory_for(const char *path) {
  whole_bytes = read_file(path, &whole_length);
  check_out_of_memory(path, parse_whole);
  free(whole_bytes);
}

#endif
