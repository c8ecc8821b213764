// Computations that could not be read, because they hold an operation, type or attribute that this
// engine does not know: an error only of who reaches them.
#ifndef HLO_TEXT_UNREAD_H
#define HLO_TEXT_UNREAD_H

#include "hlo/hlo.h"

// Gives the computation, which has no instructions, parameters of the shapes and a root of the
// shape `result`: a custom call of HLO_UNREAD_TARGET, which fails with the reason `why`.
hlo_status hlo_unread_stand_in(hlo_computation *computation, int32_t count,
                               const hlo_shape *const *shapes, const hlo_shape *result,
                               const hlo_error *why, hlo_error *error);

#endif
