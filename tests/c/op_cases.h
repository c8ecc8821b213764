// The op cases of tests/ops (format: tests/ops/README.md), read and compared.
#ifndef HLO_TESTS_C_OP_CASES_H
#define HLO_TESTS_C_OP_CASES_H

#include "run/array.h"
#include "shape/literal.h"

enum { OP_CASE_MAX_VALUES = 64 };

typedef struct op_case {
  char name[128];
  int line; // of the case in its file
  int input_count, expect_count;
  hlo_literal inputs[OP_CASE_MAX_VALUES], expects[OP_CASE_MAX_VALUES];
  double absolute, relative;
  uint64_t ulps;
  bool has_order; // the last bits follow from the order of XLA's operations, which the oracle lacks
  uint32_t phases;   // which results are vectors up to factors of magnitude 1: one bit for each
  const char *error; // what a refusal must say; NULL: the program must run
  size_t error_length;
  int error_line; // 0: any
  const char *program;
  size_t program_length;
} op_case;

// Reads the case that starts at *cursor ("//! case"), and moves behind it. Literals live in the
// arena. False at the end of the text. Bad files end the process with a message.
bool op_case_next(hlo_arena *arena, const char *file, const char *text, const char **cursor,
                  op_case *out);

// Calls visit with every case whose name has the part `name`, in the files of tests/ops whose names
// have the part `file` (NULL: any); returns how many such files there are.
int for_each_op_case(const char *file, const char *name,
                     void (*visit)(const char *file, const op_case *test));

// Compares a result with a literal under the case's tolerance, or the oracle's (is_oracle), which
// for cases that have an order is 64 units of roundoff of the type, absolute and relative; its
// vectors with phases of their own agree by magnitude. False writes the first difference to
// message.
bool op_case_agrees(const op_case *test, bool is_oracle, const hlo_literal *want,
                    const hlo_array *got, char *message, size_t size);

#endif
