// Dynamic dimensions at run time: the static instruction that an instruction is once the sizes of
// its operands are known. Shapes give bounds; this gives sizes, by the inference rules themselves,
// so that an operation needs nothing more than its rule to carry dynamic dimensions.
#ifndef HLO_HLO_ANALYSIS_ACTUAL_SIZES_H
#define HLO_HLO_ANALYSIS_ACTUAL_SIZES_H

#include "hlo/hlo.h"

// The instruction for operands of these shapes: one per operand, arrays, whose dims are sizes of
// now, with the dimensions marked dynamic whose size may differ from run to run. *out is a copy
// whose operands have shapes of equal sizes wherever the operation pairs dimensions (a static
// operand is cut to the size of the dynamic one it meets, as XLA ignores what lies beyond), whose
// attributes name no elements beyond the sizes, and whose shape is the result's at these sizes,
// marks included. It lives in the arena and is not part of any computation. Fails, located, where
// paired dynamic dimensions differ, a reshape does not come out even, or a rule is violated.
hlo_status hlo_instruction_at_sizes(const hlo_instruction *instruction,
                                    const hlo_shape *const *operands, hlo_arena *arena,
                                    const hlo_instruction **out, hlo_error *error);

#endif
