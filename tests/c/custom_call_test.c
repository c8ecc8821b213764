// Custom calls that a host registers: what they see, what replaces what, and what is refused.
#include "check.h"
#include "run/calls/custom_call.h"
#include "run/executable.h"
#include "text/text.h"

#include <string.h>

static const char *const program =
    "HloModule m\n"
    "ENTRY main {\n"
    "  x = f32[2,3]{0,1} parameter(0)\n"
    "  ROOT y = f32[3]{0} custom-call(x), custom_call_target=\"sums\","
    " backend_config={factor = 2.0 : f64}\n"
    "}\n";

// Sums over dimension 0, times the context and the configuration's factor.
static hlo_status sums(const hlo_custom_call *call, hlo_error *error) {
  const hlo_view *x = &call->operands[0], *y = &call->results[0];
  if (call->operand_count != 1 || call->result_count != 1)
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error, "takes one array");
  double factor = hlo_custom_call_number(call->instruction, "factor", 1);
  for (int64_t j = 0; j < x->dims[1]; j++) {
    float sum = 0;
    for (int64_t i = 0; i < x->dims[0]; i++)
      sum += ((const float *)x->data)[i * x->strides[0] + j * x->strides[1]];
    ((float *)y->data)[j * y->strides[0]] = sum * *(const float *)call->context * (float)factor;
  }
  return HLO_OK;
}

static hlo_status fails(const hlo_custom_call *call, hlo_error *error) {
  return hlo_instruction_fail(call->instruction, HLO_RUNTIME_ERROR, error, "no sums today");
}

// The status of compiling and running the program; its result if that is HLO_OK.
static hlo_status run(float *result, hlo_error *error) {
  static const float values[] = {1, 4, 2, 5, 3, 6}; // { 1, 2, 3 }, { 4, 5, 6 } by columns
  hlo_module *module = NULL;
  hlo_executable *executable = NULL;
  hlo_array *x = NULL, *y = NULL;
  hlo_compile_options options = {0};
  hlo_arena arena = {0};
  const hlo_shape *shape;
  const char *text = "f32[2,3]{0,1}";
  hlo_status status = hlo_shape_parse(&arena, &text, text + strlen(text), &shape, error);
  if (status == HLO_OK) status = hlo_array_create(shape, NULL, &x, error);
  if (status == HLO_OK) memcpy(x->buffer->data, values, sizeof values);
  if (status == HLO_OK)
    status = hlo_parse(program, strlen(program), HLO_FORMAT_DETECT, &module, error);
  if (status == HLO_OK) status = hlo_compile(module, &options, &executable, error);
  if (status == HLO_OK) status = hlo_execute(executable, 1, &x, &y, error);
  if (status == HLO_OK) memcpy(result, y->buffer->data, 3 * sizeof *result);
  hlo_array_destroy(x);
  hlo_array_destroy(y);
  hlo_executable_destroy(executable);
  hlo_module_destroy(module);
  hlo_arena_free(&arena);
  return status;
}

static void check_refused(hlo_status want, const char *message) {
  float result[3];
  hlo_error error = {0};
  hlo_status status = run(result, &error);
  CHECK_MESSAGE(status == want && strstr(error.message, message) != NULL, "%s", error.message);
}

static void check_sums(float factor) {
  float result[3] = {0};
  hlo_error error = {0};
  CHECK_MESSAGE(run(result, &error) == HLO_OK, "%s", error.message);
  CHECK(result[0] == 5 * factor && result[1] == 7 * factor && result[2] == 9 * factor);
}

static void test_registered(void) {
  float one = 1, ten = 10;
  hlo_error error = {0};
  check_refused(HLO_UNSUPPORTED, "no custom call target \"sums\"");
  CHECK(hlo_custom_call_register("sums", sums, &one, &error) == HLO_OK);
  check_sums(2);
  CHECK(hlo_custom_call_register("sums", sums, &ten, &error) == HLO_OK);
  check_sums(20);
  CHECK(hlo_custom_call_register("sums", fails, NULL, &error) == HLO_OK);
  check_refused(HLO_RUNTIME_ERROR, "no sums today");
  CHECK(hlo_custom_call_register("sums", NULL, NULL, &error) == HLO_OK);
  check_refused(HLO_UNSUPPORTED, "no custom call target \"sums\"");
  CHECK(hlo_custom_call_register("sums", NULL, NULL, &error) == HLO_OK);
}

static void test_limits(void) {
  char name[HLO_HOST_TARGET_LENGTH + 2];
  hlo_error error = {0};
  CHECK(hlo_custom_call_register("", fails, NULL, &error) == HLO_INVALID_ARGUMENT);
  memset(name, 'a', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  hlo_error_clear(&error);
  CHECK(hlo_custom_call_register(name, fails, NULL, &error) == HLO_INVALID_ARGUMENT);
  hlo_error_clear(&error);
  for (int32_t i = 0; i < HLO_HOST_TARGETS; i++) {
    name[0] = (char)('0' + i);
    name[1] = '\0';
    CHECK(hlo_custom_call_register(name, fails, NULL, &error) == HLO_OK);
  }
  CHECK(hlo_custom_call_register("more", fails, NULL, &error) == HLO_INVALID_ARGUMENT);
  CHECK(strstr(error.message, "already") != NULL);
  for (int32_t i = 0; i < HLO_HOST_TARGETS; i++) {
    name[0] = (char)('0' + i);
    CHECK(hlo_custom_call_lookup(name) != NULL);
    CHECK(hlo_custom_call_register(name, NULL, NULL, &error) == HLO_OK);
    CHECK(hlo_custom_call_lookup(name) == NULL);
  }
}

int main(void) {
  test_registered();
  test_limits();
  return CHECK_RESULT();
}
