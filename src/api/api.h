// What the files of the C interface share: the error and the text of the last call.
#ifndef HLO_API_API_H
#define HLO_API_API_H

#include "base/error.h"
#include "base/string.h"
#include "hlo.h"

// The error of the current call, cleared; pass it to whatever can fail.
hlo_error *hlo_api_begin(void);
// The text of the current call, cleared.
hlo_string *hlo_api_begin_text(void);
// signature.c: what a file of jax.export says about its function, as JSON.
void hlo_api_add_signature(hlo_string *out, const char *bytes, uint32_t length, int32_t vjp);

#endif
