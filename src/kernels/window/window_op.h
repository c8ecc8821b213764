// Windows combined by a single op, which is associative and commutative: what its strategies share.
#ifndef HLO_KERNELS_WINDOW_WINDOW_OP_H
#define HLO_KERNELS_WINDOW_WINDOW_OP_H

#include "hlo/attributes/window.h"
#include "kernels/reduce/fold.h"

typedef struct hlo_window_op {
  const hlo_evaluator *evaluator;
  hlo_opcode opcode;
  hlo_pointwise_kernel *kernel; // of `type`
  hlo_type type;                // of values while they are combined: f32 for narrow floats
  hlo_type rounded; // after each step, values are rounded to this narrow float; else `type`
  _Alignas(16) char neutral[16], initial[16]; // of `type`
} hlo_window_op;

// ReduceWindow of one operand by the folder's op. fields: HLO_WINDOW_FIELDS for each dimension.
// *done is false, and results are undefined, if windows are too large for their base, or sparse.
hlo_status hlo_window_by_op(const hlo_folder *folder, const int64_t *fields,
                            const hlo_view *operand, const hlo_view *initial,
                            const hlo_view *result, bool *done, hlo_error *error);

// The strategies of window_by_op.c: `to` becomes `start` (of op->type) combined with the windows
// over `from`, views of op->type or the narrow float that it stands for. The base has no dilation.
// *done as above.

// Element by element of the windows in row-major order, all positions at once: window_by_taps.c.
hlo_status hlo_window_by_taps(const hlo_window_op *op, const int64_t *fields, const hlo_view *from,
                              const void *start, const hlo_view *to, bool *done, hlo_error *error);
// Along one dimension, the others having windows of one element. The work per element does not
// depend on the window: window_by_scans.c.
hlo_status hlo_window_by_scans(const hlo_window_op *op, int32_t dimension, const int64_t *field,
                               const hlo_view *from, const void *start, const hlo_view *to,
                               bool *done, hlo_error *error);

// A copy, converted if types differ.
hlo_status hlo_window_copy(const hlo_window_op *op, const hlo_view *to, const hlo_view *from,
                           hlo_error *error);
// The dimensions by falling stride.
void hlo_window_order(const hlo_view *view, int32_t *order);
// A scratch array of those dims, which lie in memory in the order of the view's.
hlo_status hlo_window_scratch(const hlo_window_op *op, hlo_type type, const hlo_view *like,
                              const int64_t *dims, hlo_view *out, hlo_error *error);
int64_t hlo_window_gcd(int64_t a, int64_t b); // greatest common divisor

static inline const int64_t *hlo_window_field(const int64_t *fields, int32_t d) {
  return fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
}

#endif
