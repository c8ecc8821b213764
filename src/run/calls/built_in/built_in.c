// Built-in custom call targets. See custom_call.h.
#include "run/calls/custom_call.h"

#include "shape/literal.h"

#include <string.h>

// Annotations for compilers of several devices: the value passes through.
static hlo_status identity(const hlo_custom_call *call, hlo_error *error) {
  if (call->operand_count != call->result_count) {
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "takes as many operands as it has results, got %d and %d",
                                (int)call->operand_count, (int)call->result_count);
  }
  for (int32_t i = 0; i < call->result_count; i++) {
    const hlo_view *from = &call->operands[i], *to = &call->results[i];
    bool same = from->type == to->type && from->rank == to->rank;
    for (int32_t d = 0; same && d < to->rank; d++) same = from->dims[d] == to->dims[d];
    if (!same) {
      return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                  "operand and result %d differ in shape", (int)i);
    }
    hlo_view_copy(to, from);
  }
  return HLO_OK;
}

static void print_elements(hlo_string *out, const hlo_view *view, int32_t dim, const char *at) {
  int32_t size = hlo_type_bytes(view->type);
  if (dim == view->rank) {
    hlo_element_print(out, view->type, at);
    return;
  }
  hlo_string_add(out, "[");
  for (int64_t i = 0; i < view->dims[dim]; i++) {
    if (i > 0) hlo_string_add(out, ", ");
    print_elements(out, view, dim + 1, at + i * view->strides[dim] * size);
  }
  hlo_string_add(out, "]");
}

static hlo_status print(const hlo_custom_call *call, hlo_error *error) {
  (void)error;
  for (int32_t i = 0; i < call->operand_count; i++) {
    const hlo_view *view = &call->operands[i];
    hlo_string_add_format(call->output, "%%%s = %s[", call->instruction->operands[0]->name,
                          hlo_type_name(view->type));
    for (int32_t d = 0; d < view->rank; d++) {
      hlo_string_add_format(call->output, d > 0 ? ",%lld" : "%lld", (long long)view->dims[d]);
    }
    hlo_string_add(call->output, "] ");
    print_elements(call->output, view, 0, view->data);
    hlo_string_add(call->output, "\n");
  }
  return HLO_OK;
}

static hlo_status probe(const hlo_custom_call *call, hlo_error *error) {
  size_t length;
  const char *name = hlo_custom_call_text(call->instruction, "probe_id", &length);
  HLO_TRY(identity(call, error));
  if (name == NULL || call->operand_count != 1)
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "takes one array and has a probe_id");
  return hlo_probe_add(call->probes, name, length, &call->operands[0], error);
}

// What only says where arrays should be.
static hlo_status nothing(const hlo_custom_call *call, hlo_error *error) {
  if (call->result_count == 0) return HLO_OK;
  return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error, "has no result, not %d",
                              (int)call->result_count);
}

// Of a function of Python's the program only has an address. Without results it prints or checks
// something, in a known order if it gives a token; with results it may stand in a branch that is
// never taken (equinox's errors).
static hlo_status python(const hlo_custom_call *call, hlo_error *error) {
  int32_t tokens = 0;
  while (tokens < call->result_count && call->results[tokens].type == HLO_TOKEN) tokens++;
  if (tokens == call->result_count) return HLO_OK;
  return hlo_instruction_fail(call->instruction, HLO_UNSUPPORTED, error,
                              "the program calls a function of Python's, which only the process "
                              "that made it has: register the target to give its results");
}

// The error for which a part of the program was not read: it is reached.
static hlo_status unread(const hlo_custom_call *call, hlo_error *error) {
  const hlo_instruction *x = call->instruction;
  size_t length = 0;
  const char *reason = hlo_get_text(x, HLO_ATTRIBUTE_BACKEND_CONFIG);
  if (reason != NULL && *reason == '"') reason++;
  if (reason != NULL) length = strcspn(reason, "\"");
  return hlo_fail_at(error, HLO_UNSUPPORTED, x->line, x->column, "%.*s", (int)length,
                     reason == NULL ? "" : reason);
}

static const struct {
  const char *target;
  hlo_custom_call_function *function;
} registry[] = {
    {HLO_UNREAD_TARGET, unread},
    {"TopK", hlo_backend_top_k},
    {"SliceToDynamic", hlo_slice_to_dynamic},
    {"PadToStatic", hlo_pad_to_static},
    {"cu_lu_pivots_to_permutation", hlo_pivots_to_permutation},
    {"hip_lu_pivots_to_permutation", hlo_pivots_to_permutation},
    {"cu_threefry2x32_ffi", hlo_threefry_call},
    {"hip_threefry2x32_ffi", hlo_threefry_call},
    {"cu_threefry2x32", hlo_threefry_call},
    {"hip_threefry2x32", hlo_threefry_call},
    {"cusolver_syrk_ffi", hlo_symmetric_product},
    {"hipsolver_syrk_ffi", hlo_symmetric_product},
    {"__op$block_scaled_dot", hlo_block_scaled_dot},
    {"Sharding", identity},
    {"SPMDFullToShardShape", identity},
    {"SPMDShardToFullShape", identity},
    {"xla.sdy.FuncResultSharding", identity},
    {"xla.sdy.PropagationBarrier", identity},
    {"xla.sdy.ShardingGroup", nothing},
    {"annotate_device_placement", identity},
    {"xla_ffi_python_cpu_callback", python},
    {"xla_python_cpu_callback", python},
    {"interpreter.print", print},
    {"interpreter.probe", probe},
    {"check.expect_eq", hlo_check_expect_eq},
    {"check.expect_almost_eq", hlo_check_expect_almost_eq},
    {"check.expect_close", hlo_check_expect_close},
    {"check.expect_serialized_eq", hlo_check_expect_serialized_eq},
    {"check.eq", hlo_check_eq},
    {"shape_assertion", hlo_check_assertion},
};

hlo_custom_call_function *hlo_custom_call_lookup_built_in(const char *target) {
  for (size_t i = 0; i < sizeof registry / sizeof *registry; i++) {
    if (strcmp(registry[i].target, target) == 0) return registry[i].function;
  }
  if (hlo_sparse_has(target)) return hlo_sparse_call;
  return hlo_lapack_has(target) ? hlo_lapack_call : NULL;
}
