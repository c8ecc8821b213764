// Imports an operation of any kind: by the function that is there for it, or as its HLO
// counterpart. See import.h.
#include "text/stablehlo/import/dynamic.h"
#include "text/stablehlo/import/sizes.h"

#include <string.h>

static const struct {
  const char *name;
  hlo_import_function *import;
} functions[] = {
    {"func.call", hlo_import_call},
    {"stablehlo.constant", hlo_import_constant_operation},
    {"chlo.constant", hlo_import_constant_operation},
    {"stablehlo.broadcast_in_dim", hlo_import_broadcast_in_dim},
    {"stablehlo.broadcast", hlo_import_broadcast},
    {"stablehlo.slice", hlo_import_slice},
    {"stablehlo.pad", hlo_import_pad},
    {"stablehlo.select", hlo_import_with_scalars},
    {"stablehlo.clamp", hlo_import_with_scalars},
    {"stablehlo.dot", hlo_import_plain_dot},
    {"stablehlo.einsum", hlo_import_einsum},
    {"stablehlo.unary_einsum", hlo_import_einsum},
    {"stablehlo.torch_index_select", hlo_import_index_select},
    {"stablehlo.rng", hlo_import_rng},
    {"stablehlo.create_token", hlo_import_create_token},
    {"chlo.dynamic_reshape", hlo_import_dynamic},
    {"stablehlo.dynamic_broadcast_in_dim", hlo_import_dynamic},
    {"stablehlo.dynamic_conv", hlo_import_dynamic},
    {"stablehlo.dynamic_gather", hlo_import_dynamic},
    {"stablehlo.dynamic_iota", hlo_import_dynamic},
    {"stablehlo.dynamic_pad", hlo_import_dynamic},
    {"stablehlo.dynamic_reshape", hlo_import_dynamic},
    {"stablehlo.real_dynamic_slice", hlo_import_dynamic},
    {"stablehlo.optimization_barrier", hlo_import_barrier},
    {"stablehlo.async_start", hlo_import_async_start},
    {"stablehlo.async_done", hlo_import_async_done},
    {"stablehlo.while", hlo_import_while},
    {"chlo.scan", hlo_import_scan},
    {"stablehlo.if", hlo_import_if},
    {"stablehlo.case", hlo_import_case},
    {"stablehlo.composite", hlo_import_composite},
    {"stablehlo.custom_call", hlo_import_custom_call},
    {"stablehlo.convolution", hlo_import_convolution},
    {"stablehlo.reduce_window", hlo_import_window},
    {"stablehlo.select_and_scatter", hlo_import_window},
    {"stablehlo.all_to_all", hlo_import_collective},
    {"stablehlo.infeed", hlo_import_transfer},
    {"stablehlo.outfeed", hlo_import_transfer},
    {"stablehlo.send", hlo_import_transfer},
    {"stablehlo.recv", hlo_import_transfer},
    {"stablehlo.cross-replica-sum", hlo_import_cross_replica_sum},
    {"interpreter.run_parallel", hlo_import_run_parallel},
    {"sdy.manual_computation", hlo_import_manual_computation},
    {"sdy.named_computation", hlo_import_named_computation},
    {"sdy.constant", hlo_import_constant_operation},
    {"sdy.sharding_constraint", hlo_import_resharding},
    {"sdy.reshard", hlo_import_resharding},
    {"sdy.all_gather", hlo_import_resharding},
    {"sdy.all_reduce", hlo_import_resharding},
    {"sdy.all_slice", hlo_import_resharding},
    {"sdy.all_to_all", hlo_import_resharding},
    {"sdy.collective_permute", hlo_import_resharding},
    {"sdy.reduce_scatter", hlo_import_resharding},
    {"sdy.replicated_to_unreduced", hlo_import_resharding},
    {"sdy.sharded_to_unreduced", hlo_import_resharding},
    {"sdy.data_flow_edge", hlo_import_resharding},
    {"sdy.func_data_flow_edge", hlo_import_resharding},
    {"sdy.propagation_barrier", hlo_import_identity},
    {"sdy.sharding_group", hlo_import_nothing},
};

hlo_import_function *hlo_import_special(const char *name) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    if (strcmp(functions[i].name, name) == 0) return functions[i].import;
  return NULL;
}

// Sizes of the result depend on values of operands.
static bool is_dynamic(const mlir_operation *op) {
  const mlir_attribute *target = hlo_mlir_find_attribute(op, "call_target_name");
  if (strcmp(op->name, "stablehlo.custom_call") == 0)
    return target != NULL && target->text != NULL && hlo_import_dynamic_call(target->text) != NULL;
  return hlo_import_special(op->name) == hlo_import_dynamic;
}

// Types with '?', and operations whose operands say sizes, at any depth of regions.
static bool region_depends(const mlir_region *region) {
  for (const mlir_operation *op = region->first; op != NULL; op = op->next) {
    if (is_dynamic(op)) return true;
    for (int32_t i = 0; i < op->result_count; i++)
      if (hlo_import_is_open_type(op->results[i].type)) return true;
    for (int32_t i = 0; i < op->region_count; i++)
      if (region_depends(op->regions[i])) return true;
  }
  return false;
}

bool hlo_import_depends_on_arguments(const mlir_operation *function) {
  const mlir_region *region = function->regions[0];
  if (region->argument_count == 0) return false;
  return hlo_import_first_open_argument(region) < region->argument_count || region_depends(region);
}

static const char *const DIALECT = "stablehlo.";

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static bool is_quantized(const mlir_operation *op) {
  for (int32_t i = 0; i < op->operand_count; i++)
    if (op->operands[i]->type->quantization != NULL) return true;
  for (int32_t i = 0; i < op->result_count; i++)
    if (op->results[i].type->quantization != NULL) return true;
  return false;
}

// As the operation on real numbers, between conversions of its operands and its results.
static hlo_status import_quantized(stablehlo_importer *im, const mlir_operation *op,
                                   hlo_error *error) {
  mlir_operation *real;
  HLO_TRY(hlo_import_dequantize(im, op, &real, error));
  HLO_TRY(hlo_import_is_conversion(op) ? hlo_import_convert(op, real, error)
                                       : hlo_import_operation(im, real, error));
  return hlo_import_quantize(im, op, real, error);
}

static hlo_status import_operation(stablehlo_importer *im, const mlir_operation *op,
                                   hlo_error *error) {
  im->operation = op;
  HLO_TRY(hlo_import_check_read(op, error));
  if (!hlo_import_may_leave_out(op))
    for (int32_t i = 0; i < op->region_count; i++)
      HLO_TRY(hlo_import_check_region(op->regions[i], error));
  if (is_quantized(op)) {
    HLO_TRY(hlo_import_check_quantized(im, op, error));
    if (hlo_import_computes_quantized(op)) return import_quantized(im, op, error);
  }
  hlo_import_function *special = hlo_import_special(op->name);
  if (special != NULL) return special(im, op, error);
  if (hlo_sizes_is(op->name)) return hlo_import_sizes(im, op, error);
  if (starts_with(op->name, "chlo.")) return hlo_import_chlo(im, op, error);
  if (starts_with(op->name, "check.") || starts_with(op->name, "interpreter."))
    return hlo_import_check(im, op, error);
  if (starts_with(op->name, DIALECT)) {
    const char *name = op->name + strlen(DIALECT);
    hlo_opcode opcode = hlo_op_from_stablehlo_name(name, strlen(name));
    if (opcode != HLO_OP_COUNT) return hlo_import_direct(im, op, opcode, error);
  }
  return hlo_import_fail(op, HLO_UNSUPPORTED, error, "this operation is not supported");
}

hlo_status hlo_import_operation(stablehlo_importer *im, const mlir_operation *op,
                                hlo_error *error) {
  int32_t first = im->computation->instruction_count;
  HLO_TRY(import_operation(im, op, error));
  return hlo_import_common_of(im, op, first, error);
}
