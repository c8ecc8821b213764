// Values with dynamic dimensions at run time: memory of the bounds' size, and next to it the actual
// sizes, which travel with the buffer through calls, loops and tuples. Every operation runs on
// views cut to those sizes, as the static instruction that it is at them
// (hlo/analysis/actual_sizes.h).
#ifndef HLO_RUN_EXEC_SIZED_H
#define HLO_RUN_EXEC_SIZED_H

#include "run/exec/run.h"

// Some operand of the step has sizes, or the result gets some: the step is for
// hlo_step_execute_sized.
bool hlo_step_is_sized(const hlo_frame *frame, const hlo_step *step);
hlo_status hlo_step_execute_sized(hlo_run *run, hlo_frame *frame, const hlo_step *step,
                                  hlo_error *error);
// Fails when an operand has sizes: for steps that need all of it to be static.
hlo_status hlo_step_require_static(const hlo_frame *frame, const hlo_step *step, hlo_error *error);

// Memory for result i of a step whose sizes are these now; *view: what is there of it.
hlo_status hlo_sized_result(hlo_frame *frame, const hlo_step *step, int32_t i, const int64_t *dims,
                            hlo_view *view, hlo_error *error);

// The view of what is there of a buffer whose memory has this shape.
void hlo_sized_view(const hlo_shape *shape, const hlo_buffer *buffer, hlo_view *out);
// The host's array as a slot of the shape holds it: the same memory where the shape is static and
// laid out alike. The caller owns one reference. The shape must admit the array's.
hlo_status hlo_sized_from_array(const hlo_array *array, const hlo_shape *shape, hlo_buffer **out,
                                hlo_error *error);
// What is there of a buffer, as an array of the host's; `stated` is the program's shape for it. The
// caller keeps its reference to the buffer.
hlo_status hlo_sized_to_array(const hlo_shape *shape, hlo_buffer *buffer, const hlo_shape *stated,
                              hlo_array **out, hlo_error *error);
// Memory for the shape. What nobody writes of it holds zeros, so that growing a dimension shows no
// old data.
hlo_status hlo_sized_create(const hlo_shape *shape, hlo_buffer **out, hlo_error *error);
// The buffer, which has none yet, gets sizes: HLO_STATIC_SIZE for static dimensions.
hlo_status hlo_sized_set(hlo_buffer *buffer, int32_t rank, const int64_t *sizes, hlo_error *error);
bool hlo_slot_is_sized(const hlo_frame *frame, int32_t slot);
// The copy has the sizes of the original.
hlo_status hlo_sized_copy(hlo_buffer *to, const hlo_buffer *from, int32_t rank, hlo_error *error);

#endif
