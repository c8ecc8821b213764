// Values in the backend_config of custom calls. See custom_call_config.h.
#include "hlo/attributes/custom_call_config.h"

#include "base/decimal.h"

#include <string.h>

// The text after "key =" in the instruction's backend_config, NULL when there is none.
static const char *config_value(const hlo_instruction *instruction, const char *key) {
  const char *text = hlo_get_text(instruction, HLO_ATTRIBUTE_BACKEND_CONFIG);
  size_t length = strlen(key);
  for (const char *at = text; at != NULL && *at != '\0'; at++) { // strstr takes longer to begin
    if (*at != *key || strncmp(at, key, length) != 0) continue;
    bool starts = at == text || strchr("{, \"", at[-1]) != NULL;
    const char *value = at + length;
    while (*value == '"' || *value == ' ') value++;
    if (starts && (*value == '=' || *value == ':')) return value + 1 + strspn(value + 1, " ");
  }
  return NULL;
}

double hlo_custom_call_number(const hlo_instruction *instruction, const char *key,
                              double otherwise) {
  const char *value = config_value(instruction, key);
  double number = 0;
  int32_t digits = 0;
  for (; value != NULL && digits < 9 && value[digits] >= '0' && value[digits] <= '9'; digits++)
    number = number * 10 + (value[digits] - '0');
  if (digits > 0 && memchr(" ,}:\"", value[digits], 6) != NULL) return number; // as most are
  if (value == NULL || !hlo_parse_f64(value, strcspn(value, " ,}:\""), &number)) return otherwise;
  return number;
}

const char *hlo_custom_call_text(const hlo_instruction *instruction, const char *key,
                                 size_t *length) {
  const char *value = config_value(instruction, key);
  if (value == NULL || *value != '"') return NULL;
  const char *end = ++value;
  while (*end != '\0' && *end != '"') end += *end == '\\' && end[1] != '\0' ? 2 : 1;
  *length = (size_t)(end - value);
  return value;
}

static int32_t digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  char letter = (char)(c | 0x20);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : 16;
}

// A byte of text in quotes, whose escapes are C's, or in a dictionary MLIR's; moves past it.
static uint8_t parse_byte(const char **at, bool is_mlir) {
  const char *c = *at;
  if (*c != '\\' || c[1] == '\0') return *at = c + 1, (uint8_t)*c;
  c++;
  int32_t base = is_mlir ? 16 : 8, most = is_mlir ? 2 : 3, value = 0, digits = 0;
  if (is_mlir && (digit_of(c[0]) >= 16 || digit_of(c[1]) >= 16)) most = 0;
  for (; digits < most && digit_of(c[digits]) < base; digits++)
    value = value * base + digit_of(c[digits]);
  if (digits > 0) return *at = c + digits, (uint8_t)value;
  *at = c + 1;
  return (uint8_t)(*c == 'n' ? '\n' : *c == 't' ? '\t' : *c == 'r' ? '\r' : *c);
}

size_t hlo_custom_call_descriptor(const hlo_instruction *instruction, uint8_t *out, size_t size) {
  const char *whole = hlo_get_text(instruction, HLO_ATTRIBUTE_BACKEND_CONFIG);
  bool is_quoted = whole != NULL && *whole == '"';
  const char *at = is_quoted ? whole : config_value(instruction, "opaque");
  size_t length = 0;
  if (at == NULL || *at != '"') return 0;
  for (at++; *at != '"' && *at != '\0';) {
    if (length == size) return 0;
    out[length++] = parse_byte(&at, !is_quoted);
  }
  return length;
}

bool hlo_custom_call_flag(const hlo_instruction *instruction, const char *key, bool otherwise) {
  const char *value = config_value(instruction, key);
  return value == NULL ? otherwise : strncmp(value, "true", 4) == 0;
}

bool hlo_custom_call_is_custom_form(const hlo_instruction *instruction) {
  const char *value = config_value(instruction, "form");
  return value != NULL && strncmp(value, "\"custom_call\"", 13) == 0;
}
