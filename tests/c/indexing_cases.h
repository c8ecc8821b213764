// Test files of programs, questions about their indexing, and answers. A file begins with free
// text; "## name" begins a program; a line "? option option" a question about it, followed by the
// exact answer. Options: input=N, output=N, instruction=NAME, target=NAME, computation=NAME,
// parameters, all, physical.
#ifndef HLO_TESTS_C_INDEXING_CASES_H
#define HLO_TESTS_C_INDEXING_CASES_H

#include "check.h"
#include "files.h"
#include "indexing/indexing.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

// Behind the line that begins with `mark` at or after text; NULL when there is none before `end`.
static inline char *find_line(char *text, const char *mark, const char *end) {
  for (char *at = text; at < end; at = strchr(at, '\n') + 1) {
    if (strncmp(at, mark, strlen(mark)) == 0) return at;
    if (strchr(at, '\n') == NULL) break;
  }
  return NULL;
}

static inline hlo_indexing_options read_question(char *words) {
  hlo_indexing_options options = {.output = -1};
  for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
    char *value = strchr(word, '=');
    if (value != NULL) value++;
    if (strncmp(word, "input=", 6) == 0) {
      options.input_to_output = true;
      options.input = atoi(value);
    } else if (strncmp(word, "output=", 7) == 0) options.output = atoi(value);
    else if (strncmp(word, "instruction=", 12) == 0) options.instruction = value;
    else if (strncmp(word, "target=", 7) == 0) options.target = value;
    else if (strncmp(word, "computation=", 12) == 0) options.computation = value;
    else if (strcmp(word, "parameters") == 0) options.to_parameters = true;
    else if (strcmp(word, "all") == 0) options.to_all = true;
    else if (strcmp(word, "forwards") == 0) options.input_to_output = true;
    else if (strcmp(word, "physical") == 0) options.physical = true;
    else {
      fprintf(stderr, "no such option: %s\n", word);
      exit(1);
    }
  }
  return options;
}

static inline void check_question(const char *path, const char *name, const hlo_module *module,
                                  char *question, const char *want) {
  char label[256];
  snprintf(label, sizeof label, "%s: %s ?%s", path, name, question);
  hlo_indexing_options options = read_question(question);
  hlo_string got = {0};
  hlo_error error = {0};
  hlo_status status = hlo_indexing_print_module(&got, module, &options, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s: %s", label, error.message);
  const char *text = got.text == NULL ? "" : got.text;
  CHECK_MESSAGE(strcmp(text, want) == 0, "%s\nwant:\n%s\ngot:\n%s", label, want, text);
  hlo_string_free(&got);
}

static inline int check_indexing_cases(const char *path) {
  char *text = read_file(path, NULL), *end = text + strlen(text);
  int count = 0;
  for (char *at = find_line(text, "## ", end), *next; at != NULL; at = next) {
    char *name = at + 3, *program = strchr(at, '\n') + 1;
    next = find_line(program, "## ", end);
    char *limit = next == NULL ? end : next;
    char *question = find_line(program, "?", limit);
    program[-1] = '\0';
    while (limit > program && (limit[-1] == '\n' || limit[-1] == ' ')) limit--;
    if (limit < end) limit[1] = '\0'; // one line end stays
    hlo_module *module = NULL;
    hlo_error error = {0};
    hlo_status status = hlo_parse_hlo(program, (size_t)(question - program), &module, &error);
    CHECK_MESSAGE(status == HLO_OK, "%s: %s: %s", path, name, error.message);
    while (question != NULL && status == HLO_OK) {
      char *line_end = strchr(question, '\n');
      char *answer = line_end == NULL ? question + strlen(question) : line_end + 1;
      if (line_end != NULL) *line_end = '\0';
      char *following = find_line(answer, "?", answer + strlen(answer));
      char kept = '\0';
      if (following != NULL) {
        kept = *following;
        *following = '\0';
      }
      check_question(path, name, module, question + 1, answer);
      if (following != NULL) *following = kept;
      question = following;
      count++;
    }
    hlo_module_destroy(module);
  }
  free(text);
  return count;
}

#endif
