// Shared by the files of the C API: the last error and the text buffer.
#ifndef HLO_API_API_H
#define HLO_API_API_H

#include "base/error.h"
#include "base/string.h"
#include "hlo.h"

// Clears the last error, and returns it for this call.
hlo_error *hlo_api_begin(void);
// Clears the text buffer, and returns it.
hlo_string *hlo_api_begin_text(void);
// signature.c: the signature that a file of jax.export has of its function, as JSON.
void hlo_api_add_signature(hlo_string *out, const char *bytes, uint32_t length, int32_t vjp);

#endif
