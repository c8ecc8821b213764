// Dots, scatters, sorts, convolutions and cumulative sums of a few elements inside loops become
// elementwise operations and sums, which can be fused: setting up a kernel takes ten times as long
// as the work itself. See passes.h; dots are in passes/simplify/dot.c.
#include "passes/loops/tiny_steps.h"

#include "hlo/rewrite.h"
#include "passes/passes.h"

static hlo_status expand_tiny(void *context, hlo_instruction *x, hlo_instruction **out,
                              hlo_error *error) {
  (void)context;
  if (hlo_simplify_is_dynamic(x)) return HLO_OK;
  if (x->opcode == HLO_OP_DOT) return hlo_simplify_tiny_dot(x, out, error);
  if (x->opcode == HLO_OP_SCATTER) return hlo_tiny_scatter(x, out, error);
  if (x->opcode == HLO_OP_SORT) return hlo_tiny_sort(x, out, error);
  if (x->opcode == HLO_OP_CONVOLUTION) return hlo_tiny_convolution(x, out, error);
  if (x->opcode == HLO_OP_REDUCE_WINDOW) return hlo_tiny_cumulative(x, out, error);
  if (x->opcode == HLO_OP_CUSTOM_CALL) HLO_TRY(hlo_tiny_lu(x, out, error));
  if (x->opcode == HLO_OP_TRIANGULAR_SOLVE ||
      (x->opcode == HLO_OP_CUSTOM_CALL && hlo_shape_is_array(x->shape)))
    return hlo_tiny_triangular(x, out, error);
  return HLO_OK;
}

hlo_status hlo_pass_tiny_steps(hlo_module *module, hlo_error *error) {
  int32_t computations = module->computation_count;
  for (int32_t c = 0; c < computations; c++) {
    if (module->computations[c] == module->entry) continue;
    HLO_TRY(hlo_computation_rewrite(module->computations[c], expand_tiny, NULL, error));
  }
  // New computations come after their callers; removing dead ones restores the order.
  return module->computation_count > computations ? hlo_module_remove_dead(module, error) : HLO_OK;
}
