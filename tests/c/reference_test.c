// Runs every op case of tests/ops through the oracle alone: parsed, verified, evaluated in an
// environment, without a plan, a pass or a kernel. Says how many agree. With arguments: only files
// whose name contains the first, cases whose name contains the second.
#include "check.h"
#include "memory_check.h"
#include "op_cases.h"
#include "passes/lower/refine_shapes.h"
#include "reference/reference.h"
#include "run/calls/custom_call.h"
#include "run/executable.h"

#include <stdlib.h>
#include <string.h>

static int ran, agreed;

// The library's custom calls, as the executor makes them.
static hlo_status call(void *host, const hlo_instruction *instruction, int32_t operand_count,
                       const hlo_view *operands, int32_t result_count, const hlo_view *results,
                       hlo_error *error) {
  const hlo_reference *reference = host;
  hlo_evaluator evaluator = {.scratch = reference->arena};
  const char *target = hlo_get_text(instruction, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  hlo_custom_call_function *function = hlo_custom_call_lookup(target);
  hlo_string output = {0};
  hlo_probe_list probes = {0};
  hlo_custom_call custom = {.instruction = instruction,
                            .operand_count = operand_count,
                            .operands = operands,
                            .result_count = result_count,
                            .results = results,
                            .output = &output,
                            .probes = &probes,
                            .evaluator = &evaluator};
  const hlo_lapack_plan *plan = NULL;
  if (function == NULL) return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error, "unknown");
  if (function == hlo_lapack_call)
    HLO_TRY(hlo_lapack_create_plan(instruction, reference->arena, &plan, error));
  custom.plan = plan;
  hlo_status status = function(&custom, error);
  hlo_string_free(&output);
  return status;
}

// What only the executor has: several processes, and custom calls that say the sizes of results.
static bool is_beyond(const char *file, const op_case *test) {
  return strstr(file, "spmd") != NULL || strstr(test->name, "unreduced") != NULL ||
         strstr(test->name, "slice_to_dynamic") != NULL;
}

// A parameter's value of the next literals, one for each leaf.
static hlo_status take_argument(hlo_arena *arena, const hlo_shape *shape,
                                const hlo_literal **literals, hlo_value *out, hlo_error *error) {
  if (hlo_shape_is_tuple(shape)) {
    *out = (hlo_value){.shape = shape};
    HLO_ALLOC(out->elements, arena, shape->element_count, error);
    for (int32_t i = 0; i < shape->element_count; i++)
      HLO_TRY(take_argument(arena, shape->elements[i], literals, &out->elements[i], error));
    return HLO_OK;
  }
  const hlo_literal *literal = (*literals)++;
  *out = (hlo_value){.data = literal->data};
  return hlo_shape_unpacked(arena, literal->shape, &out->shape, error);
}

static hlo_status run_case(const op_case *test, hlo_module **module, hlo_arena *arena,
                           hlo_value *result, hlo_error *error) {
  hlo_philox_counter random = {0x7012395, 0};
  hlo_reference reference = {.arena = arena, .random = &random, .custom_call = call};
  reference.host = &reference;
  const hlo_literal *literals = test->inputs;
  hlo_value *arguments;
  HLO_TRY(hlo_parse_refined(test->program, test->program_length, HLO_FORMAT_DETECT, 0, NULL, module,
                            error));
  const hlo_computation *entry = (*module)->entry;
  HLO_ALLOC(arguments, arena, entry->parameter_count, error);
  for (int32_t i = 0; i < entry->parameter_count; i++)
    HLO_TRY(take_argument(arena, entry->parameters[i]->shape, &literals, &arguments[i], error));
  return hlo_reference_run(&reference, entry, arguments, result, error);
}

// The leaves of the result, as arrays of their actual sizes.
static int take_leaves(const hlo_value *value, hlo_array **arrays, hlo_error *error) {
  int count = 0;
  for (int32_t i = 0; i < value->shape->element_count && hlo_shape_is_tuple(value->shape); i++)
    count += take_leaves(&value->elements[i], arrays + count, error);
  if (hlo_shape_is_tuple(value->shape)) return count;
  hlo_arena arena = {0};
  hlo_view from = {.type = value->shape->type}, to;
  const hlo_shape *shape = value->shape;
  if (hlo_shape_is_array(shape)) {
    hlo_value_view(value, &from);
    hlo_shape_make(&arena, from.type, from.rank, from.dims, &shape, error);
  }
  hlo_array_create(shape, NULL, &arrays[0], error);
  if (hlo_shape_is_array(shape)) {
    to = hlo_view_of(arrays[0]->shape, arrays[0]->buffer->data);
    hlo_view_copy(&to, &from);
  }
  hlo_arena_free(&arena);
  return 1;
}

static void check_case(const char *file, const op_case *test) {
  if (test->error != NULL || is_beyond(file, test)) return;
  hlo_error error = {0};
  hlo_arena arena = {0};
  hlo_module *module = NULL;
  hlo_array *results[OP_CASE_MAX_VALUES];
  hlo_value result;
  char message[HLO_ERROR_MESSAGE_SIZE] = "";
  bool agrees = run_case(test, &module, &arena, &result, &error) == HLO_OK;
  int count = agrees ? take_leaves(&result, results, &error) : 0;
  if (!agrees) snprintf(message, sizeof message, "%s", error.message);
  else if (count != test->expect_count) snprintf(message, sizeof message, "%d results", count);
  for (int i = 0; i < count; i++) {
    agrees = agrees && count == test->expect_count &&
             op_case_agrees(test, true, &test->expects[i], results[i], message, sizeof message);
    hlo_array_destroy(results[i]);
  }
  ran++;
  agreed += agrees;
  CHECK_MESSAGE(agrees, "%s:%d: %s: %s", file, test->line, test->name, message);
  hlo_module_destroy(module);
  hlo_arena_free(&arena);
}

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

int main(int argc, char **argv) {
  const char *file = argc > 1 ? argv[1] : NULL, *name = argc > 2 ? argv[2] : NULL;
  for (int op = 0; op < HLO_OP_COUNT; op++)
    CHECK_MESSAGE(hlo_reference_has((hlo_opcode)op), "%s: the oracle has no function",
                  hlo_op_get((hlo_opcode)op)->name);
  check_memory();
  CHECK(for_each_op_case(file, name, check_case) > 0);
  printf("reference: %d of %d cases agree\n", agreed, ran);
  return CHECK_RESULT();
}
