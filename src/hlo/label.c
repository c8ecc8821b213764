// See label.h.
#include "hlo/label.h"

#include <string.h>

// The character that an escape after a backslash stands for; *at ends after it.
static char unescaped(const char **at) {
  const char *c = *at;
  if (c[0] >= '0' && c[0] <= '3' && c[1] >= '0' && c[1] <= '7' && c[2] >= '0' && c[2] <= '7') {
    *at += 3;
    return (char)((c[0] - '0') * 64 + (c[1] - '0') * 8 + (c[2] - '0'));
  }
  ++*at;
  return *c == 'n' ? '\n' : *c == 't' ? '\t' : *c == 'r' ? '\r' : *c;
}

bool hlo_add_label(hlo_string *out, const hlo_instruction *parameter) {
  static const char key[] = "op_name=\"";
  const char *text = hlo_get_text(parameter, HLO_ATTRIBUTE_METADATA);
  const char *at = text == NULL ? NULL : strstr(text, key);
  if (at == NULL || (at > text && at[-1] != '{' && at[-1] != ' ')) return false;
  at += sizeof key - 1;
  size_t start = out->length;
  while (*at != '\0' && *at != '"') {
    if (*at != '\\' || at[1] == '\0') {
      hlo_string_add_char(out, *at++);
    } else {
      at++;
      hlo_string_add_char(out, unescaped(&at));
    }
  }
  return out->length > start;
}
