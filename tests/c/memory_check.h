// For native tests: makes every allocation of a function fail, one after the other.
#ifndef HLO_TESTS_C_MEMORY_CHECK_H
#define HLO_TESTS_C_MEMORY_CHECK_H

#include "base/arena.h"
#include "check.h"

// Calls run with an empty arena so often that each of its allocations has failed once: it must
// report that, and leak nothing. Then with enough memory: it must succeed.
static inline void check_out_of_memory(const char *name,
                                       hlo_status (*run)(hlo_arena *arena, hlo_error *error)) {
  enum { MOST_ALLOCATIONS = 10000 };
  size_t before = hlo_memory_in_use();
  int n = 1;
  for (; n < MOST_ALLOCATIONS; n++) {
    hlo_arena arena = {0};
    hlo_error error = {0};
    hlo_memory_fail_after(n);
    hlo_status status = run(&arena, &error);
    hlo_memory_fail_after(0);
    hlo_arena_free(&arena);
    CHECK_MESSAGE(hlo_memory_in_use() == before, "%s leaks when allocation %d fails", name, n);
    CHECK_MESSAGE(status == error.status, "%s returns %d with error %d", name, status,
                  error.status);
    if (status == HLO_OK) break;
    CHECK_MESSAGE(status == HLO_OUT_OF_MEMORY, "%s: %s when allocation %d fails", name,
                  error.message, n);
  }
  CHECK_MESSAGE(n > 1 && n < MOST_ALLOCATIONS, "%s made %d allocations", name, n - 1);
}

#endif
