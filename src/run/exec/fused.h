// Fusions that run as generated code.
#ifndef HLO_RUN_EXEC_FUSED_H
#define HLO_RUN_EXEC_FUSED_H

#include "run/exec/run.h"

// Whether the code does so much that several threads are worth while.
bool hlo_fused_has_parts(const hlo_emit_kernel *kernel);
// Whether there is code for the step, a fusion or a loop, and the host has installed it.
bool hlo_fused_has_code(const hlo_run *run, const hlo_step *step);
// Whether a fusion can run as that code now.
bool hlo_fused_is_ready(const hlo_run *run, const hlo_step *step);
// Runs it. A result takes over an operand's memory where the code allows that and nobody else needs
// it.
hlo_status hlo_fused_execute(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                             hlo_error *error);

// Offered to the evaluation of a product: the fusion that follows it.
typedef struct hlo_fused_offer {
  hlo_epilogue_offer offer;
  hlo_run *run;
  hlo_frame *frame;
  const hlo_step *product, *fusion;
  hlo_emitted_function *function;
  const void **arguments;
  int64_t columns; // of the product's result
  bool by_elements;
} hlo_fused_offer;

// What there is to offer at the product, or NULL. If it was accepted, the steps that follow the
// product are done with it.
hlo_epilogue_offer *hlo_fused_offer_epilogue(hlo_run *run, hlo_frame *frame,
                                             const hlo_step *product, hlo_fused_offer *out);

#endif
