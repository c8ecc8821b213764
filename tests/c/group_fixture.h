// For native tests: compiles a program, runs it as a group of processes, compares what each gives.
// Values are literals with ";" between them, one such list per process.
#ifndef HLO_TESTS_C_GROUP_FIXTURE_H
#define HLO_TESTS_C_GROUP_FIXTURE_H

#include "check.h"
#include "run/devices/group.h"
#include "text/text.h"

#include <string.h>

enum { MAX_PROCESSES = 16, MAX_VALUES = 16 };

typedef struct group_program {
  hlo_module *module;
  hlo_executable *executable;
} group_program;

static inline group_program group_compile(const char *text, hlo_error *error) {
  group_program p = {0};
  hlo_compile_options options = {0};
  if (hlo_parse(text, strlen(text), HLO_FORMAT_DETECT, &p.module, error) == HLO_OK) {
    hlo_compile(p.module, &options, &p.executable, error);
  }
  return p;
}

static inline void group_program_destroy(group_program *p) {
  hlo_executable_destroy(p->executable);
  hlo_module_destroy(p->module);
}

// The arrays of one list; returns how many, -1 when memory ran out or the text is wrong.
static inline int group_read(const char *text, size_t length, hlo_array **out, hlo_error *error) {
  int count = 0;
  const char *at = text, *end = text + length;
  hlo_arena arena = {0};
  hlo_status status = HLO_OK;
  while (at < end && *at == ' ') at++;
  while (at < end && status == HLO_OK) {
    const hlo_shape *shape;
    hlo_literal literal;
    status = hlo_shape_parse(&arena, &at, end, &shape, error);
    if (status == HLO_OK) status = hlo_literal_parse(&arena, shape, &at, end, &literal, error);
    if (status == HLO_OK) status = hlo_array_create(shape, NULL, &out[count], error);
    if (status != HLO_OK) break;
    memcpy(out[count]->buffer->data, literal.data, (size_t)out[count]->buffer->size);
    count++;
    while (at < end && (*at == ' ' || *at == ';')) at++;
  }
  hlo_arena_free(&arena);
  if (status == HLO_OK) return count;
  while (count > 0) hlo_array_destroy(out[--count]);
  return -1;
}

static inline void group_check_array(const char *name, int process, int index, const hlo_array *got,
                                     const hlo_array *want) {
  bool same = hlo_shape_compatible(got->shape, want->shape) &&
              memcmp(got->buffer->data, want->buffer->data, (size_t)want->buffer->size) == 0;
  if (same) {
    CHECK(same);
    return;
  }
  hlo_string text = {0};
  hlo_literal literal = {got->shape, got->buffer->data, NULL};
  hlo_literal_print(&text, &literal);
  CHECK_MESSAGE(same, "%s: result %d of process %d is %s", name, index, process, text.text);
  hlo_string_free(&text);
}

// A started group with the inputs of each process; NULL and an error when that fails.
static inline hlo_run_group *group_start(const group_program *p, int replicas, int partitions,
                                         const char *const *inputs, hlo_error *error) {
  hlo_array *arguments[MAX_PROCESSES * MAX_VALUES];
  int count = 0, more = 0;
  hlo_run_group *group = NULL;
  for (int i = 0; i < replicas * partitions && more >= 0 && inputs != NULL; i++) {
    more = group_read(inputs[i], strlen(inputs[i]), arguments + count, error);
    if (more > 0) count += more;
  }
  if (more >= 0) {
    hlo_run_group_start(p->executable, replicas, partitions, count, arguments, &group, error);
  }
  for (int i = 0; i < count; i++) hlo_array_destroy(arguments[i]);
  return group;
}

// Compares the results of an ended group, one list per process.
static inline void group_check_results(const char *name, const group_program *p,
                                       hlo_run_group *group, const char *const *results) {
  for (int i = 0; i < hlo_run_group_process_count(group); i++) {
    hlo_error error = {0};
    hlo_array *want[MAX_VALUES], *got;
    int count = group_read(results[i], strlen(results[i]), want, &error);
    CHECK_MESSAGE(count == hlo_executable_result_count(p->executable), "%s: %d results: %s", name,
                  count, error.message);
    for (int k = 0; k < count; k++) {
      hlo_status status = hlo_run_result(hlo_run_group_process(group, i), k, &got, &error);
      CHECK_MESSAGE(status == HLO_OK, "%s: %s", name, error.message);
      if (status == HLO_OK) group_check_array(name, i, k, got, want[k]);
      hlo_array_destroy(got);
      hlo_array_destroy(want[k]);
    }
  }
}

// Compiles and runs to the end; the program must do what is expected.
static inline void group_check(const char *name, const char *text, int replicas, int partitions,
                               const char *const *inputs, const char *const *results) {
  hlo_error error = {0};
  bool done = false;
  group_program p = group_compile(text, &error);
  CHECK_MESSAGE(p.executable != NULL, "%s: %d:%d: %s", name, (int)error.line, (int)error.column,
                error.message);
  hlo_run_group *group =
      p.executable == NULL ? NULL : group_start(&p, replicas, partitions, inputs, &error);
  if (group != NULL && hlo_run_group_continue(group, 0, &done, &error) == HLO_OK) {
    CHECK(done);
    group_check_results(name, &p, group, results);
  }
  CHECK_MESSAGE(done, "%s: %s", name, error.message);
  hlo_run_group_destroy(group);
  group_program_destroy(&p);
}

// The same with a program that must fail at compile time or at run time.
static inline void group_check_error(const char *name, const char *text, int replicas,
                                     int partitions, const char *const *inputs, hlo_status status,
                                     const char *message) {
  hlo_error error = {0};
  bool done;
  group_program p = group_compile(text, &error);
  hlo_run_group *group =
      p.executable == NULL ? NULL : group_start(&p, replicas, partitions, inputs, &error);
  if (group != NULL) hlo_run_group_continue(group, 0, &done, &error);
  CHECK_MESSAGE(error.status == status && strstr(error.message, message) != NULL, "%s: %s: %s",
                name, hlo_status_name(error.status), error.message);
  hlo_run_group_destroy(group);
  group_program_destroy(&p);
}

#endif
