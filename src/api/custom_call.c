// The exported C API: custom calls that the host carries out. Conventions and contracts in
// include/hlo.h.
#include "api/api.h"

#include "api/json.h"
#include "run/array.h"
#include "run/calls/custom_call.h"

#include <string.h>

static char failure[400];

// A function's address as a context, which C keeps apart from addresses of objects.
typedef union host_function {
  hlo_api_custom_function *function;
  void *context;
} host_function;

static hlo_status call_host(const hlo_custom_call *call, hlo_error *error) {
  int32_t done = (host_function){.context = call->context}.function(call);
  hlo_error_clear(error); // calls in between have used it
  if (done) return HLO_OK;
  return hlo_instruction_fail(call->instruction, HLO_RUNTIME_ERROR, error, "%s", failure);
}

int32_t hlo_api_custom_call_register(const char *target, uint32_t length,
                                     hlo_api_custom_function *function) {
  hlo_error *error = hlo_api_begin();
  char name[HLO_HOST_TARGET_LENGTH + 2] = {0}; // too long a name stays too long
  uint32_t room = sizeof name - 1;
  memcpy(name, target, length < room ? length : room);
  hlo_status status = hlo_custom_call_register(name, function == NULL ? NULL : call_host,
                                               (host_function){function}.context, error);
  return status == HLO_OK ? 0 : -1;
}

void hlo_api_custom_call_fail(const char *message, uint32_t length) {
  uint32_t room = sizeof failure - 1;
  if (length > room) length = room;
  memcpy(failure, message, length);
  failure[length] = '\0';
}

static hlo_status shape_of(hlo_arena *arena, const hlo_view *view, const hlo_shape **out,
                           hlo_error *error) {
  return hlo_shape_make(arena, view->type, view->rank, view->dims, out, error);
}

int32_t hlo_api_custom_call_describe(const hlo_custom_call *call) {
  hlo_error *error = hlo_api_begin();
  hlo_string *out = hlo_api_begin_text();
  hlo_arena arena = {0};
  hlo_status status = HLO_OK;
  const char *target = hlo_get_text(call->instruction, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  const char *config = hlo_get_text(call->instruction, HLO_ATTRIBUTE_BACKEND_CONFIG);
  hlo_string_add_char(out, '{');
  hlo_json_field_text(out, "target", target);
  hlo_json_field_text(out, "backendConfig", config == NULL ? "" : config);
  hlo_json_field_int(out, "operands", call->operand_count);
  hlo_json_key(out, "results");
  hlo_string_add_char(out, '[');
  for (int32_t i = 0; status == HLO_OK && i < call->result_count; i++) {
    const hlo_shape *shape;
    status = shape_of(&arena, &call->results[i], &shape, error);
    if (status != HLO_OK) break;
    hlo_json_comma(out);
    hlo_json_shape(out, shape);
  }
  hlo_string_add(out, "]}");
  if (status == HLO_OK) status = hlo_string_status(out, error);
  hlo_arena_free(&arena);
  return status == HLO_OK ? 0 : -1;
}

hlo_array *hlo_api_custom_call_operand(const hlo_custom_call *call, int32_t i) {
  hlo_error *error = hlo_api_begin();
  hlo_arena arena = {0};
  const hlo_shape *shape;
  hlo_array *array = NULL;
  hlo_status status = shape_of(&arena, &call->operands[i], &shape, error);
  if (status == HLO_OK) status = hlo_array_create(shape, NULL, &array, error);
  if (status == HLO_OK) {
    hlo_view to = hlo_view_of(array->shape, array->buffer->data);
    hlo_view_copy(&to, &call->operands[i]);
  }
  hlo_arena_free(&arena);
  return array;
}

int32_t hlo_api_custom_call_result(const hlo_custom_call *call, int32_t i, const hlo_array *array) {
  hlo_error *error = hlo_api_begin();
  hlo_arena arena = {0};
  const hlo_shape *shape;
  hlo_literal dense;
  hlo_status status = shape_of(&arena, &call->results[i], &shape, error);
  if (status == HLO_OK && !hlo_shape_compatible(shape, array->shape)) {
    char want[HLO_SHAPE_TEXT_SIZE], got[HLO_SHAPE_TEXT_SIZE];
    status = hlo_fail(error, HLO_SHAPE_ERROR, "result %d must have shape %s, not %s", (int)i,
                      hlo_shape_to_text(want, shape), hlo_shape_to_text(got, array->shape));
  }
  if (status == HLO_OK) status = hlo_literal_make(&arena, shape, &dense, error);
  if (status == HLO_OK)
    status = hlo_relayout(shape, dense.data, array->shape, array->buffer->data, error);
  if (status == HLO_OK) {
    hlo_view from = hlo_view_of(shape, dense.data);
    hlo_view_copy(&call->results[i], &from);
  }
  hlo_arena_free(&arena);
  return status == HLO_OK ? 0 : -1;
}
