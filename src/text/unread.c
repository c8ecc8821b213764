// See unread.h.
#include "text/unread.h"

#include <string.h>

// The reason in quotation marks, without characters that would have to be escaped.
static hlo_status quote(hlo_arena *arena, const char *reason, const char **out, hlo_error *error) {
  size_t length = strlen(reason);
  char *text;
  HLO_ALLOC(text, arena, length + 3, error);
  text[0] = text[length + 1] = '"';
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)reason[i];
    bool is_quote = c == '"' || c == '\\';
    text[i + 1] = is_quote ? '\'' : c < ' ' ? ' ' : (char)c;
  }
  *out = text;
  return HLO_OK;
}

hlo_status hlo_unread_stand_in(hlo_computation *computation, int32_t count,
                               const hlo_shape *const *shapes, const hlo_shape *result,
                               const hlo_error *why, hlo_error *error) {
  hlo_arena *arena = &computation->module->arena;
  hlo_instruction **parameters;
  const char *reason;
  HLO_ALLOC(parameters, arena, count, error);
  for (int32_t i = 0; i < count; i++) {
    HLO_TRY(hlo_instruction_create(computation, HLO_OP_PARAMETER, NULL, shapes[i], 0, NULL, 0, NULL,
                                   &parameters[i], error));
    parameters[i]->parameter_number = i;
  }
  HLO_TRY(quote(arena, why->message, &reason, error));
  hlo_attribute attributes[] = {
      hlo_attribute_make_text(HLO_ATTRIBUTE_CUSTOM_CALL_TARGET, HLO_UNREAD_TARGET),
      // so that nothing removes it where its value is not needed
      hlo_attribute_make_int(HLO_ATTRIBUTE_CUSTOM_CALL_HAS_SIDE_EFFECT, 1),
      hlo_attribute_make_text(HLO_ATTRIBUTE_BACKEND_CONFIG, reason),
  };
  HLO_TRY(hlo_instruction_create(computation, HLO_OP_CUSTOM_CALL, HLO_UNREAD_TARGET, result, count,
                                 parameters, sizeof attributes / sizeof *attributes, attributes,
                                 &computation->root, error));
  computation->root->line = why->line;
  computation->root->column = why->column;
  return HLO_OK;
}
