// What the op cases (op_cases_test.c) do not show of the oracle: it has a function for every
// operation, reports when memory runs out and takes calls as deep as the verifier lets through.
#include "check.h"
#include "hlo/infer/infer.h"
#include "memory_check.h"
#include "passes/lower/refine_shapes.h"
#include "reference/reference.h"

#include <stdlib.h>
#include <string.h>

// A loop, a branch, and computations that are applied to elements, scalar ones and others.
static const char mixed[] =
    "HloModule m\n"
    "add { x = s32[] parameter(0) y = s32[] parameter(1) ROOT z = s32[] add(x, y) }\n"
    "twice { x = s32[] parameter(0) y = s32[] parameter(1) b = s32[2] broadcast(x), dimensions={}\n"
    "  ROOT z = s32[] reduce(b, y), dimensions={0}, to_apply=add }\n"
    "less { x = s32[] parameter(0) y = s32[] parameter(1) ROOT z = pred[] compare(x, y), "
    "direction=LT }\n"
    "more { s = (s32[], s32[4]) parameter(0) i = s32[] get-tuple-element(s), index=0\n"
    "  n = s32[] constant(2) ROOT z = pred[] compare(i, n), direction=LT }\n"
    "body { s = (s32[], s32[4]) parameter(0) i = s32[] get-tuple-element(s), index=0\n"
    "  v = s32[4] get-tuple-element(s), index=1 one = s32[] constant(1) j = s32[] add(i, one)\n"
    "  w = s32[4] sort(v), dimensions={0}, to_apply=less ROOT t = (s32[], s32[4]) tuple(j, w) }\n"
    "same { v = s32[4] parameter(0) ROOT w = s32[4]{0} copy(v) }\n"
    "ENTRY e { v = s32[4] iota(), iota_dimension=0 r = s32[4] reverse(v), dimensions={0}\n"
    "  zero = s32[] constant(0) t = (s32[], s32[4]) tuple(zero, r)\n"
    "  w = (s32[], s32[4]) while(t), condition=more, body=body\n"
    "  x = s32[4] get-tuple-element(w), index=1\n"
    "  y = s32[4] conditional(zero, x, x), branch_computations={same, same}\n"
    "  ROOT z = s32[] reduce(y, zero), dimensions={0}, to_apply=twice }\n";

static hlo_module *mixed_module;

static hlo_status run_mixed(hlo_arena *arena, hlo_error *error) {
  hlo_value result;
  return hlo_reference_run(&(hlo_reference){.arena = arena}, mixed_module->entry, NULL, &result,
                           error);
}

static void check_memory(void) {
  hlo_error error = {0};
  hlo_status status =
      hlo_parse_refined(mixed, strlen(mixed), HLO_FORMAT_DETECT, 0, NULL, &mixed_module, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s", error.message);
  if (status == HLO_OK) check_out_of_memory("hlo_reference_run", run_mixed);
  hlo_module_destroy(mixed_module);
}

// Computations that call each other, one inside the other.
static void check_nesting(void) {
  enum { LINE = 96 };
  char *text = malloc((HLO_MAX_CALL_DEPTH + 1) * LINE), *end = text;
  end += sprintf(end, "HloModule m\nf0 { ROOT x = s32[] parameter(0) }\n");
  for (int i = 1; i < HLO_MAX_CALL_DEPTH; i++)
    end += sprintf(end, "%s f%d { x = s32[] parameter(0) ROOT y = s32[] call(x), to_apply=f%d }\n",
                   i + 1 == HLO_MAX_CALL_DEPTH ? "ENTRY" : "", i, i - 1);
  hlo_error error = {0};
  hlo_arena arena = {0};
  hlo_module *module = NULL;
  int32_t number = 7;
  hlo_value result = {0}, argument = {.shape = hlo_shape_scalar(HLO_S32), .data = &number};
  hlo_status status =
      hlo_parse_refined(text, (size_t)(end - text), HLO_FORMAT_DETECT, 0, NULL, &module, &error);
  if (status == HLO_OK)
    status = hlo_reference_run(&(hlo_reference){.arena = &arena}, module->entry, &argument, &result,
                               &error);
  CHECK_MESSAGE(status == HLO_OK, "%s", error.message);
  CHECK(status == HLO_OK && *(int32_t *)result.data == number);
  hlo_module_destroy(module);
  hlo_arena_free(&arena);
  free(text);
}

int main(void) {
  for (int op = 0; op < HLO_OP_COUNT; op++)
    CHECK_MESSAGE(hlo_reference_has((hlo_opcode)op), "%s: the oracle has no function",
                  hlo_op_get((hlo_opcode)op)->name);
  check_memory();
  check_nesting();
  return CHECK_RESULT();
}
