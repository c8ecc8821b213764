// Writes the function of a fusion that was lowered.
#ifndef HLO_CODEGEN_ENCODE_KERNEL_H
#define HLO_CODEGEN_ENCODE_KERNEL_H

#include "codegen/encode/maker.h"

// Fills in how the function is to be called and what it reads of each operand, zeros at first, and
// adds its body. False: memory is out.
bool hlo_kernel_write(hlo_emitter *e, hlo_emit_kernel *out, hlo_emit_read *reads, hlo_string *body);

#endif
