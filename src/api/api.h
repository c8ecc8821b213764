// Shared by the files of the C API: the last error and the text buffer.
#ifndef HLO_API_API_H
#define HLO_API_API_H

#include "base/error.h"
#include "base/string.h"
#include "hlo.h"
#include "hlo/hlo.h"

// Clears the last error, and returns it for this call.
hlo_error *hlo_api_begin(void);
// The same for a call that makes an object and changes no other but how often `module` (NULL: none)
// is shared. Between here and the end nothing may return: if an exception of the host ends the
// call, hlo_api_abandon gives back what it held.
hlo_error *hlo_api_begin_attempt(const hlo_module *module);
void hlo_api_end_attempt(void);
// Clears the text buffer, and returns it.
hlo_string *hlo_api_begin_text(void);
// signature.c: the signature that a file of jax.export has of its function, as JSON.
void hlo_api_add_signature(hlo_string *out, const char *bytes, uint32_t length, int32_t vjp);

#endif
