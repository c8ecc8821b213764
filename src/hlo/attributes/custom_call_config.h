// Access to the backend_config of a custom call, a dictionary in MLIR's or JSON's syntax.
#ifndef HLO_HLO_ATTRIBUTES_CUSTOM_CALL_CONFIG_H
#define HLO_HLO_ATTRIBUTES_CUSTOM_CALL_CONFIG_H

#include "hlo/hlo.h"

// A number in the instruction's backend_config ("{tolerance = 1.0e-3 : f64, …}"), or `otherwise`.
double hlo_custom_call_number(const hlo_instruction *instruction, const char *key,
                              double otherwise);
// The same for true or false.
bool hlo_custom_call_flag(const hlo_instruction *instruction, const char *key, bool otherwise);
// The text in quotes, its escapes as they are, and its length; NULL when there is none.
const char *hlo_custom_call_text(const hlo_instruction *instruction, const char *key,
                                 size_t *length);
// The bytes of a structure of the library that the call is for: what is after "opaque = ", or, of
// older calls, the backend_config itself. Returns how many there are, 0 where there are more than
// `size`.
size_t hlo_custom_call_descriptor(const hlo_instruction *instruction, uint8_t *out, size_t size);
// The backend_config says form = "custom_call": the target stood in a custom call, not in an op of
// its own.
bool hlo_custom_call_is_custom_form(const hlo_instruction *instruction);

#endif
