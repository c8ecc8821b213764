// Shardy's shardings as HLO text carries them, in frontend_attributes.
#ifndef HLO_TEXT_SHARDY_GRIDS_H
#define HLO_TEXT_SHARDY_GRIDS_H

#include "hlo/attributes/sharding.h"

// `shardings` is the value of xla.sdy.in_shardings or out_shardings, `axes` that of
// xla.sdy.manual_axes, both as they stand in the text, quotation marks included; `header` a
// module's attributes, with xla.sdy.meshes. *out: the grids of `count` arrays of these ranks, cut
// by manual axes alone. An error has no position.
hlo_status hlo_sdy_grids(const char *header, const char *shardings, const char *axes, int32_t count,
                         const int32_t *ranks, hlo_arena *arena, hlo_sharding *out,
                         hlo_error *error);

#endif
