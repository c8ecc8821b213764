// The custom calls between work for all devices and work that is written for one of them. See
// passes.h. Separate from spmd.c, since every program is checked for them.
#include "passes/passes.h"

#include <string.h>

const hlo_device_boundary *hlo_device_boundary_of(const hlo_instruction *x) {
  static const hlo_device_boundary boundaries[] = {
      {"SPMDFullToShardShape", true, false},
      {"SPMDShardToFullShape", false, false},
      {"xla.sdy.GlobalToLocalShape", true, true},
      {"xla.sdy.LocalToGlobalShape", false, true},
  };
  if (x->opcode != HLO_OP_CUSTOM_CALL) return NULL;
  const char *target = hlo_get_text(x, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  for (size_t i = 0; target != NULL && i < sizeof boundaries / sizeof *boundaries; i++) {
    const hlo_device_boundary *found = &boundaries[i];
    if (strcmp(target, found->target) != 0) continue;
    bool is_whole = !found->is_sdy && x->operand_count == 1 &&
                    hlo_shape_compatible(x->shape, x->operands[0]->shape);
    return is_whole ? NULL : found;
  }
  return NULL;
}
