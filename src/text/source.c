// Positions in a program's text and messages that show them.
#include "text/source.h"

#include <stdbool.h>
#include <string.h>

enum {
  SHOWN_BEFORE = 70, // characters of the line that are shown before the column, and in all
  SHOWN = 140,
};

// UTF-8 continuation bytes belong to the character before them.
static bool starts_character(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

hlo_status hlo_source_open(hlo_source *source, const char *text, size_t length, hlo_error *error) {
  if (length >= INT32_MAX)
    return hlo_fail(error, HLO_INVALID_ARGUMENT, "the program has %zu bytes; the limit is 2 GB",
                    length);
  if (length == 0) text = "";
  *source = (hlo_source){.text = text, .end = text + length, .last = text};
  source->last_line = source->last_column = 1;
  return HLO_OK;
}

void hlo_source_locate(hlo_source *source, const char *at, int32_t *line, int32_t *column) {
  if (at < source->last) {
    source->last = source->text;
    source->last_line = source->last_column = 1;
  }
  for (const char *p = source->last; p < at; p++) {
    if (*p == '\n') {
      source->last_line++;
      source->last_column = 1;
    } else if (starts_character(*p)) {
      source->last_column++;
    }
  }
  source->last = at;
  *line = source->last_line;
  *column = source->last_column;
}

hlo_status hlo_source_fail(hlo_source *source, const char *at, hlo_error *error, const char *format,
                           ...) {
  int32_t line, column;
  hlo_source_locate(source, at, &line, &column);
  char message[HLO_ERROR_MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  hlo_format(message, sizeof message, format, arguments);
  va_end(arguments);
  return hlo_fail_at(error, HLO_PARSE_ERROR, line, column, "%s", message);
}

hlo_status hlo_source_relocate(hlo_source *source, const char *from, hlo_error *error) {
  int64_t offset = error->column > 0 ? error->column - 1 : 0;
  if (offset > source->end - from) offset = source->end - from;
  hlo_source_locate(source, from + offset, &error->line, &error->column);
  return error->status;
}

// The start of the given line.
static const char *find_line(const hlo_source *source, int32_t line) {
  const char *at = source->text;
  while (line > 1) {
    const char *next = memchr(at, '\n', (size_t)(source->end - at));
    if (next == NULL) return source->end;
    at = next + 1;
    line--;
  }
  return at;
}

void hlo_source_show(hlo_source *source, hlo_error *error) {
  if (error->status == HLO_OK || error->line <= 0) return;
  const char *at = find_line(source, error->line);
  int32_t column = error->column > 0 ? error->column : 1;
  int32_t skipped = column > SHOWN_BEFORE + 1 ? column - 1 - SHOWN_BEFORE : 0;
  for (int32_t i = 0; i < skipped && at < source->end && *at != '\n'; i++) {
    do at++;
    while (at < source->end && !starts_character(*at));
  }
  // The line and the caret's line, each after a line break and two blanks; at most 4 bytes each
  // character.
  char line[4 * SHOWN + 1];
  size_t length = 0;
  for (int32_t i = 0; at < source->end && *at != '\n'; at++) {
    if (starts_character(*at) && i++ == SHOWN) break;
    if (length == sizeof line - 1) break;
    bool is_control = (unsigned char)*at < ' ' || *at == 0x7f;
    line[length++] = is_control ? ' ' : *at;
  }
  line[length] = 0;
  char caret[SHOWN_BEFORE + 2];
  int32_t blanks = column - 1 - skipped;
  memset(caret, ' ', (size_t)blanks);
  caret[blanks] = '^';
  caret[blanks + 1] = 0;
  // Long messages make room: the place matters more than their end.
  size_t room = sizeof error->message - length - (size_t)blanks - 16;
  size_t used = strlen(error->message);
  if (used > room) {
    used = room - 3;
    while (used > 0 && !starts_character(error->message[used])) used--;
    memcpy(error->message + used, "...", 3);
    used += 3;
  }
  char *out = error->message + used;
  memcpy(out, "\n  ", 3);
  memcpy(out + 3, line, length);
  memcpy(out + 3 + length, "\n  ", 3);
  memcpy(out + 6 + length, caret, (size_t)blanks + 2);
}
