// Parsing programs whose types have sizes of '?'.
#ifndef HLO_PASSES_LOWER_REFINE_SHAPES_H
#define HLO_PASSES_LOWER_REFINE_SHAPES_H

#include "text/text.h"

// hlo_parse_with, with sizes evaluated by options->fold. shapes: of the entry's arguments, needed
// where their types have '?'; shape_count 0: none. A program without '?' is parsed as by hlo_parse;
// shapes given all the same must be those of its arguments. options->fold: another evaluator; NULL:
// the kernels'.
hlo_status hlo_parse_for(const char *text, size_t length, const hlo_parse_options *options,
                         hlo_module **out, hlo_error *error);
hlo_status hlo_parse_refined(const char *text, size_t length, hlo_text_format format,
                             int32_t shape_count, const hlo_shape *const *shapes, hlo_module **out,
                             hlo_error *error);

#endif
