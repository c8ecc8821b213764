// What the files of the exported C API share: the error and the text of the last call.
// Conventions of the API: a function that can fail returns a handle (0: failed) or a count
// (negative: failed), and hlo_api_error() tells why. Texts come back through hlo_api_text. Handles
// are addresses and owned by JavaScript, which calls the matching _destroy once; it never passes
// one after that.
#ifndef HLO_WASM_API_H
#define HLO_WASM_API_H

#include "base/error.h"
#include "base/string.h"
#include "export.h"

// The error of the current call, cleared; pass it to whatever can fail.
hlo_error *hlo_api_begin(void);
// The text of the current call, cleared.
hlo_string *hlo_api_begin_text(void);
// api_signature.c: what a file of jax.export says about its function, as JSON.
void hlo_api_add_signature(hlo_string *out, const char *bytes, uint32_t length, int32_t vjp);

#endif
