// The names of parameters in the source programs of modules.
#ifndef HLO_HLO_LABEL_H
#define HLO_HLO_LABEL_H

#include "base/string.h"
#include "hlo/hlo.h"

// Adds op_name of the parameter's metadata, without escapes. False: nothing tells.
bool hlo_add_label(hlo_string *out, const hlo_instruction *parameter);

#endif
