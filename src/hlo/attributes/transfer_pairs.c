// Reads the pairs of send and recv: {{0,1},{1,2}}, in quotes or not. See transfer_pairs.h.
#include "hlo/attributes/transfer_pairs.h"

#include <string.h>

const char *hlo_transfer_pairs(const hlo_instruction *instruction) {
  static const char key[] = HLO_TRANSFER_PAIRS_KEY;
  const char *text = hlo_get_text(instruction, HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES);
  const char *at = text == NULL ? NULL : strstr(text, key);
  return at == NULL ? NULL : at + sizeof key - 1;
}

// The next number in front of the end of all pairs, "}}" (no pairs at all: "{}").
static bool next_number(const char **cursor, int64_t *number) {
  const char *at = *cursor;
  while (*at != '\0' && (*at < '0' || *at > '9')) {
    if (at[0] == '}' && at[1] != ',') return false;
    at++;
  }
  *number = 0;
  if (*at == '\0') return false;
  for (; *at >= '0' && *at <= '9'; at++) {
    *number = *number > INT32_MAX / 10 ? INT32_MAX : *number * 10 + (*at - '0');
  }
  *cursor = at;
  return true;
}

bool hlo_transfer_next_pair(const char **cursor, int64_t pair[2]) {
  return next_number(cursor, &pair[0]) && next_number(cursor, &pair[1]);
}
