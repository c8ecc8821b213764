// The dot of operands with scales by blocks, as the custom call that JAX writes for GPUs. See
// custom_call.h. Source: the programs that JAX 0.10 exports.
#include "hlo/infer/infer.h"
#include "kernels/structural.h"
#include "run/calls/custom_call.h"

#include <string.h>

enum { OPERANDS = 4 }; // both sides, then their scales, as the instruction has them

// The numbers in brackets after the key; -1: there is no such key.
static int32_t read_list(const char *config, const char *key, int64_t out[HLO_MAX_RANK]) {
  const char *at = config == NULL ? NULL : strstr(config, key);
  int32_t count = 0;
  if (at == NULL || (at = strchr(at, '[')) == NULL) return -1;
  while (*++at != ']' && *at != '\0' && count < HLO_MAX_RANK) {
    if (*at < '0' || *at > '9') continue;
    int64_t number = 0;
    for (; *at >= '0' && *at <= '9' && number < INT32_MAX; at++) number = number * 10 + (*at - '0');
    out[count++] = number;
    at--;
  }
  return count;
}

// The dimensions of both sides that the configuration lists, else of each the last one, or none.
static hlo_status build_attributes(const hlo_custom_call *call, hlo_attribute out[4],
                                   hlo_error *error) {
  static const struct {
    const char *key;
    hlo_attribute_id id;
    bool is_last;
  } lists[] = {{"lhs_contracting_dimensions", HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, true},
               {"rhs_contracting_dimensions", HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS, true},
               {"lhs_batch_dimensions", HLO_ATTRIBUTE_LHS_BATCH_DIMS, false},
               {"rhs_batch_dimensions", HLO_ATTRIBUTE_RHS_BATCH_DIMS, false}};
  const char *config = hlo_get_text(call->instruction, HLO_ATTRIBUTE_BACKEND_CONFIG);
  for (int i = 0; i < 4; i++) {
    int64_t dims[HLO_MAX_RANK] = {call->operands[i % 2].rank - 1};
    int32_t count = read_list(config, lists[i].key, dims);
    if (count < 0) count = lists[i].is_last ? 1 : 0;
    HLO_TRY(hlo_attribute_make_ints(call->evaluator->scratch, lists[i].id, count, dims, &out[i],
                                    error));
  }
  return HLO_OK;
}

hlo_status hlo_block_scaled_dot(const hlo_custom_call *call, hlo_error *error) {
  hlo_instruction x = *call->instruction;
  hlo_attribute attributes[4];
  const hlo_shape *shape;
  if (call->operand_count != OPERANDS || x.operand_count != OPERANDS || call->result_count != 1)
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "takes two operands and their scales, and has one result");
  HLO_TRY(build_attributes(call, attributes, error));
  x.opcode = HLO_OP_SCALED_DOT;
  x.attributes = attributes;
  x.attribute_count = 4;
  HLO_TRY(hlo_infer_rule(&x, x.shape, call->evaluator->scratch, &shape, error));
  if (!hlo_shape_compatible(shape, x.shape)) {
    char wanted[HLO_SHAPE_TEXT_SIZE], stated[HLO_SHAPE_TEXT_SIZE];
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error, "gives %s, not %s",
                                hlo_shape_to_text(wanted, shape),
                                hlo_shape_to_text(stated, x.shape));
  }
  return hlo_custom_call_evaluate(call, &x, error);
}
