// Dot of two operands, which their scales follow: each element is multiplied with the factor of
// its block, then the products are summed up as a dot's. Operands and scales that bf16 can hold are
// multiplied in bf16, as JAX's decomposition of xla.scaled_dot does; all others in f32. Source of
// semantics: "ScaledDot" of the operation semantics.
#include "kernels/elementwise/lanes.h"
#include "kernels/structural.h"

static bool fits_bf16(hlo_type type) { return hlo_type_bits(type) <= 8 || type == HLO_BF16; }

// Both with two dimensions for each of the operand's: the blocks, and inside of a block.
static void split_blocks(const hlo_view *operand, const hlo_view *scale, hlo_view *elements,
                         hlo_view *factors) {
  int32_t rank = 0;
  elements->rank = factors->rank = 2 * operand->rank;
  for (int32_t d = 0; d < operand->rank; d++) {
    int64_t blocks = scale->rank == 0 ? 1 : scale->dims[d];
    int64_t size = blocks == 0 ? 0 : operand->dims[d] / blocks;
    elements->dims[rank] = factors->dims[rank] = blocks;
    elements->strides[rank] = operand->strides[d] * size;
    factors->strides[rank++] = scale->rank == 0 ? 0 : scale->strides[d];
    elements->dims[rank] = factors->dims[rank] = size;
    elements->strides[rank] = operand->strides[d];
    factors->strides[rank++] = 0;
  }
}

// The operand times its scale, dense.
static hlo_status scale_operand(const hlo_evaluator *evaluator, const hlo_view *operand,
                                const hlo_view *scale, hlo_view *out, hlo_error *error) {
  bool narrow = fits_bf16(operand->type) && fits_bf16(scale->type);
  hlo_type type = narrow ? HLO_BF16 : HLO_F32;
  hlo_view factors;
  HLO_TRY(hlo_scratch_view(evaluator, type, operand->rank, operand->dims, out, error));
  HLO_TRY(hlo_scratch_view(evaluator, type, operand->rank, operand->dims, &factors, error));
  HLO_TRY(hlo_convert_view(evaluator, out, operand, error));
  hlo_view elements = factors, blocks = *scale;
  split_blocks(&factors, scale, &elements, &blocks);
  HLO_TRY(hlo_convert_view(evaluator, &elements, &blocks, error));
  const void *const pair[] = {out->data, factors.data};
  hlo_pointwise_get(HLO_OP_MULTIPLY, type)(out->data, pair, hlo_view_elements(out));
  return HLO_OK;
}

static hlo_status multiply(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                           const hlo_view *operands, const hlo_view *result, hlo_error *error) {
  hlo_view lhs, rhs;
  HLO_TRY(scale_operand(evaluator, &operands[0], &operands[2], &lhs, error));
  HLO_TRY(scale_operand(evaluator, &operands[1], &operands[3], &rhs, error));
  const hlo_view pair[] = {lhs, rhs};
  return hlo_eval_dot(evaluator, instruction, pair, result, error);
}

hlo_status hlo_eval_scaled_dot(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                               const hlo_view *operands, const hlo_view *results,
                               hlo_error *error) {
  // A view has room for one block dimension and one inside of a block for each dimension.
  if (2 * operands[0].rank > HLO_MAX_RANK || 2 * operands[1].rank > HLO_MAX_RANK)
    return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error,
                                "operands of more than %d dimensions", HLO_MAX_RANK / 2);
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status = multiply(evaluator, instruction, operands, &results[0], error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
