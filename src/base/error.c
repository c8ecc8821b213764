// Formats error messages without stdio, so that the engine stays small and the same everywhere.
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct sink {
  char *out;
  int32_t size;
  int32_t length;
} sink;

static void append_char(sink *s, char c) {
  if (s->length + 1 < s->size) s->out[s->length] = c;
  s->length++;
}

static void append_unsigned(sink *s, unsigned long long value, unsigned base) {
  char digits[24];
  int n = 0;
  do {
    digits[n++] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value != 0);
  while (n > 0) append_char(s, digits[--n]);
}

static void append_signed(sink *s, long long value) {
  if (value < 0) append_char(s, '-');
  append_unsigned(s, value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value, 10);
}

static void append_text(sink *s, const char *text, int limit) {
  if (text == NULL) text = "(null)";
  for (int i = 0; (limit < 0 || i < limit) && text[i] != '\0'; i++) append_char(s, text[i]);
}

int32_t hlo_format(char *out, int32_t size, const char *f, va_list arguments) {
  sink s = {out, size, 0};
  va_list args;
  va_copy(args, arguments);
  for (; *f != '\0'; f++) {
    if (*f != '%') {
      append_char(&s, *f);
      continue;
    }
    f++;
    int limit = -1;
    if (f[0] == '.' && f[1] == '*') {
      limit = va_arg(args, int);
      f += 2;
    }
    int longs = 0;
    while (*f == 'l' || *f == 'z') longs += *f++ == 'l' ? 1 : 8;
    switch (*f) {
    case 's':
      append_text(&s, va_arg(args, const char *), limit);
      break;
    case 'c':
      append_char(&s, (char)va_arg(args, int));
      break;
    case 'd':
      append_signed(&s, longs == 0   ? va_arg(args, int)
                        : longs == 1 ? va_arg(args, long)
                                     : va_arg(args, long long));
      break;
    case 'u':
    case 'x':
      append_unsigned(&s,
                      longs == 0   ? va_arg(args, unsigned)
                      : longs == 1 ? va_arg(args, unsigned long)
                      : longs == 8 ? va_arg(args, size_t)
                                   : va_arg(args, unsigned long long),
                      *f == 'x' ? 16 : 10);
      break;
    default:
      append_char(&s, *f);
      break;
    }
    if (*f == '\0') break;
  }
  va_end(args);
  if (size > 0) out[s.length < size ? s.length : size - 1] = '\0';
  return s.length;
}

static hlo_status record(hlo_error *error, hlo_status status, int32_t line, int32_t column,
                         const char *format, va_list args) {
  if (error == NULL) return status;
  if (error->status != HLO_OK) return error->status;
  error->status = status;
  error->line = line;
  error->column = column;
  int32_t length = hlo_format(error->message, HLO_ERROR_MESSAGE_SIZE, format, args);
  if (length >= HLO_ERROR_MESSAGE_SIZE)
    memcpy(error->message + HLO_ERROR_MESSAGE_SIZE - 4, "...", 4);
  return status;
}

hlo_status hlo_fail(hlo_error *error, hlo_status status, const char *format, ...) {
  va_list args;
  va_start(args, format);
  status = record(error, status, 0, 0, format, args);
  va_end(args);
  return status;
}

hlo_status hlo_fail_at(hlo_error *error, hlo_status status, int32_t line, int32_t column,
                       const char *format, ...) {
  va_list args;
  va_start(args, format);
  status = record(error, status, line, column, format, args);
  va_end(args);
  return status;
}

void hlo_error_locate(hlo_error *error, int32_t line, int32_t column) {
  if (error == NULL || error->status == HLO_OK || error->line != 0) return;
  error->line = line;
  error->column = column;
}

void hlo_error_clear(hlo_error *error) {
  error->status = HLO_OK;
  error->line = error->column = 0;
  error->message[0] = '\0';
}

const char *hlo_status_name(hlo_status status) {
  static const char *const names[] = {"ok",
                                      "parse error",
                                      "shape error",
                                      "unsupported",
                                      "invalid argument",
                                      "out of memory",
                                      "runtime error",
                                      "cancelled",
                                      "open program"};
  return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unknown status";
}
