// The functions of all operations.
#include "reference/operation.h"

const hlo_functions *hlo_reference_functions(hlo_opcode opcode) {
#define ROW(opcode, kind, name) [HLO_OP_##opcode].kind = hlo_reference_##name,
#define POINTWISE(id, ...)      [HLO_OP_##id].element = hlo_reference_pointwise,
#define STRUCTURAL(...)
  static const hlo_functions functions[HLO_OP_COUNT] = {
#include "hlo/ops.def"
#include "reference/operations.def"
  };
  return &functions[opcode];
}
