// A growing string. See string.h.
#include "base/string.h"

#include "base/arena.h"

#include <string.h>

static bool reserve(hlo_string *s, size_t more) {
  if (s->failed) return false;
  if (more < s->capacity - s->length) return true;
  size_t wanted = s->capacity == 0 ? 256 : s->capacity * 2;
  if (more > SIZE_MAX / 4 || s->length > SIZE_MAX / 4) wanted = 0;
  else if (wanted < s->length + more + 1) wanted = s->length + more + 1;
  char *text = wanted == 0 ? NULL : hlo_memory_alloc(wanted);
  if (text == NULL) {
    s->failed = true;
    return false;
  }
  if (s->length > 0) memcpy(text, s->text, s->length);
  hlo_memory_release(s->text);
  s->text = text;
  s->capacity = wanted;
  return true;
}

void hlo_string_add_bytes(hlo_string *s, const char *text, size_t length) {
  if (!reserve(s, length)) return;
  if (length > 0) memcpy(s->text + s->length, text, length);
  s->length += length;
  s->text[s->length] = '\0';
}

void hlo_string_add(hlo_string *s, const char *text) {
  hlo_string_add_bytes(s, text, strlen(text));
}
void hlo_string_add_char(hlo_string *s, char c) { hlo_string_add_bytes(s, &c, 1); }
void hlo_string_add_int(hlo_string *s, int64_t value) {
  hlo_string_add_format(s, "%lld", (long long)value);
}
void hlo_string_add_unsigned(hlo_string *s, uint64_t value) {
  hlo_string_add_format(s, "%llu", (unsigned long long)value);
}

void hlo_string_add_format(hlo_string *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char small[256];
  int32_t length = hlo_format(small, sizeof small, format, args);
  if (length < (int32_t)sizeof small) {
    hlo_string_add_bytes(s, small, (size_t)length);
  } else if (reserve(s, (size_t)length)) {
    hlo_format(s->text + s->length, length + 1, format, args);
    s->length += (size_t)length;
  }
  va_end(args);
}

void hlo_string_clear(hlo_string *s) {
  s->length = 0;
  if (s->text != NULL) s->text[0] = '\0';
}

void hlo_string_free(hlo_string *s) {
  hlo_memory_release(s->text);
  *s = (hlo_string){0};
}

hlo_status hlo_string_status(const hlo_string *s, hlo_error *error) {
  return s->failed ? hlo_fail_out_of_memory(error) : HLO_OK;
}
