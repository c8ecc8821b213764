// A growing string, for printers and messages.
#ifndef HLO_BASE_STRING_H
#define HLO_BASE_STRING_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Zero-initialise before use; hlo_string_free gives the memory back. text is zero-terminated once
// anything was added. Additions never fail loudly: after memory ran out `failed` is set and further
// additions do nothing; hlo_string_status turns that into a status at the end.
typedef struct hlo_string {
  char *text;
  size_t length;
  size_t capacity;
  bool failed;
} hlo_string;

void hlo_string_add(hlo_string *s, const char *text);
void hlo_string_add_bytes(hlo_string *s, const char *text, size_t length);
void hlo_string_add_char(hlo_string *s, char c);
void hlo_string_add_int(hlo_string *s, int64_t value);
void hlo_string_add_unsigned(hlo_string *s, uint64_t value);
// The formats of hlo_fail.
void hlo_string_add_format(hlo_string *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void hlo_string_clear(hlo_string *s);
void hlo_string_free(hlo_string *s);
hlo_status hlo_string_status(const hlo_string *s, hlo_error *error);

#endif
