// Which instructions a pass is about: the pipeline starts a pass only where it finds one, and the
// pass asks again for each instruction. See passes.h.
#include "kernels/machine.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

// Keys of random numbers, which are integers, gain little.
bool hlo_may_be_scalars(const hlo_instruction *x) {
  bool joins = x->opcode == HLO_OP_CONCATENATE;
  if (!joins && (x->opcode != HLO_OP_SLICE || !hlo_op_is_elementwise(x->operands[0]->opcode)))
    return false;
  int64_t elements = hlo_shape_elements((joins ? x : x->operands[0])->shape);
  return elements > 1 && elements <= HLO_MOST_SCALARS &&
         hlo_type_get_class(x->shape->type) == HLO_CLASS_FLOAT &&
         (joins ? x->operand_count == elements : hlo_shape_elements(x->shape) == 1);
}

bool hlo_slices_elementwise(const hlo_instruction *x) {
  return x->opcode == HLO_OP_SLICE && hlo_op_is_elementwise(x->operands[0]->opcode);
}

bool hlo_widens_bytes(const hlo_instruction *x) {
  return x->opcode == HLO_OP_CONVERT && hlo_type_bits(x->operands[0]->shape->type) == 8 &&
         hlo_type_bits(x->shape->type) > 8 &&
         hlo_shape_elements(x->shape) >= HLO_PASS_MANY_ELEMENTS;
}

bool hlo_assembles_pixels(const hlo_instruction *x) {
  const hlo_shape *shape = x->shape;
  if (x->opcode != HLO_OP_CONCATENATE || shape->rank < 2 || hlo_simplify_is_dynamic(x))
    return false;
  int32_t minor = shape->rank - 1, bits = hlo_type_bits(shape->type);
  return (bits == 8 || bits == 16) && bits * shape->dims[minor] == HLO_PIXEL &&
         hlo_type_get_class(shape->type) != HLO_CLASS_PRED &&
         hlo_lists(x, HLO_ATTRIBUTE_DIMENSIONS, minor) && hlo_layout_is_default(shape->layout) &&
         hlo_shape_elements(shape) >= HLO_PASS_MANY_ELEMENTS;
}

bool hlo_reduces_short_rows(const hlo_instruction *x) {
  if (x->opcode != HLO_OP_REDUCE || x->operand_count <= 2) return false;
  const hlo_shape *rows = x->operands[0]->shape;
  return rows->rank > 0 && rows->dims[rows->rank - 1] <= HLO_PASS_FEW_COLUMNS &&
         hlo_shape_elements(rows) >= HLO_PASS_MANY_ELEMENTS;
}

bool hlo_is_large_batch_norm(const hlo_instruction *x) {
  bool normalizes = x->opcode == HLO_OP_BATCH_NORM_INFERENCE ||
                    x->opcode == HLO_OP_BATCH_NORM_TRAINING || x->opcode == HLO_OP_BATCH_NORM_GRAD;
  return normalizes && hlo_shape_elements(x->operands[0]->shape) >= HLO_PASS_MANY_ELEMENTS;
}
