// The whole test framework of the native tests: CHECK counts and prints failures, main returns
// CHECK_RESULT().
#ifndef HLO_TESTS_C_CHECK_H
#define HLO_TESTS_C_CHECK_H

#include <stdio.h>

static int check_count, check_failures;

// Evaluates its argument once; goes on after a failure, and stops printing after the twentieth.
#define CHECK(condition) CHECK_MESSAGE(condition, "%s", #condition)

// The same with what to print instead of the condition.
#define CHECK_MESSAGE(condition, ...)                                                              \
  do {                                                                                             \
    check_count++;                                                                                 \
    if (!(condition) && check_failures++ < 20) {                                                   \
      printf("%s:%d: ", __FILE__, __LINE__);                                                       \
      printf(__VA_ARGS__);                                                                         \
      printf("\n");                                                                                \
    }                                                                                              \
  } while (0)

// For return from main: 0 only if something was checked and all of it held.
#define CHECK_RESULT()                                                                             \
  (printf("%s: %d checks, %d failures\n", __FILE__, check_count, check_failures),                  \
   check_failures != 0 || check_count == 0)

#endif
