// Custom call targets that the host registers, and which function a target stands for. See
// custom_call.h.
#include "run/calls/custom_call.h"
#include "reference/reference.h"

#include <string.h>

static struct {
  char target[HLO_HOST_TARGET_LENGTH + 1]; // "": free
  hlo_custom_call_function *function;
  void *context;
} host_targets[HLO_HOST_TARGETS];

static int32_t host_target(const char *target) {
  for (int32_t i = 0; i < HLO_HOST_TARGETS; i++)
    if (strcmp(host_targets[i].target, target) == 0) return i;
  return -1;
}

hlo_status hlo_custom_call_register(const char *target, hlo_custom_call_function *function,
                                    void *context, hlo_error *error) {
  size_t length = strlen(target);
  if (length == 0 || length > HLO_HOST_TARGET_LENGTH)
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "a custom call target has 1 to %d bytes, not %lld",
                    HLO_HOST_TARGET_LENGTH, (long long)length);
  int32_t at = host_target(target);
  if (function == NULL) {
    if (at >= 0) host_targets[at].target[0] = '\0';
    return HLO_OK;
  }
  if (at < 0) at = host_target("");
  if (at < 0)
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "there are %d custom call targets already",
                    HLO_HOST_TARGETS);
  memcpy(host_targets[at].target, target, length + 1);
  host_targets[at].function = function;
  host_targets[at].context = context;
  return HLO_OK;
}

// `missing`: the message without a function, with the target in it.
static hlo_status call_registered(const hlo_custom_call *call, const char *missing,
                                  hlo_error *error) {
  const char *target = hlo_get_text(call->instruction, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  int32_t at = target == NULL || target[0] == '\0' ? -1 : host_target(target);
  if (at < 0)
    return hlo_instruction_fail(call->instruction, HLO_UNSUPPORTED, error, missing,
                                target == NULL ? "" : target);
  hlo_custom_call with_context = *call;
  with_context.context = host_targets[at].context;
  return host_targets[at].function(&with_context, error);
}

static hlo_status call_host(const hlo_custom_call *call, hlo_error *error) {
  return call_registered(call, "custom call target \"%s\" is registered no more", error);
}

hlo_status hlo_custom_call_late(const hlo_custom_call *call, hlo_error *error) {
  return call_registered(call, "no custom call target \"%s\" is registered", error);
}

hlo_custom_call_function *hlo_custom_call_lookup(const char *target) {
  if (target == NULL || target[0] == '\0') return NULL;
  return host_target(target) >= 0 ? call_host : hlo_custom_call_lookup_built_in(target);
}

hlo_status hlo_custom_call_evaluate(const hlo_custom_call *call, const hlo_instruction *as,
                                    hlo_error *error) {
  if (call->reference != NULL)
    return hlo_reference_evaluate(call->reference, as, call->operands, call->results, error);
  return hlo_evaluate(call->evaluator, as, call->operands, call->results, error);
}
