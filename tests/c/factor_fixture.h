// What tests of factorisations share: random numbers, an evaluator, and calls that must not fail.
// For one test program each.
#ifndef HLO_TESTS_C_FACTOR_FIXTURE_H
#define HLO_TESTS_C_FACTOR_FIXTURE_H

#include "kernels/eval.h"
#include "memory_check.h"

#include <stdlib.h>

static uint64_t random_state = 12345;
static hlo_evaluator evaluator;
static const char *what; // is checked

// Between -1 and 1.
static double draw(void) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (double)(int64_t)random_state * 0x1p-63;
}

static void need(hlo_status status) {
  CHECK_MESSAGE(status == HLO_OK, "%s fails", what);
  if (status != HLO_OK) exit(1);
}

#endif
