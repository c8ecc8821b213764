// A program's text and the positions in it: maps a position to line and column, and to a message
// with the source line and a caret.
#ifndef HLO_TEXT_SOURCE_H
#define HLO_TEXT_SOURCE_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

// Lines end at '\n'; columns count characters (UTF-8 sequences), from 1. Positions of a text that
// is read forward cost linear time in all: the last one is remembered.
typedef struct hlo_source {
  const char *text;
  const char *end;
  const char *last; // a position that was asked for, with its answer
  int32_t last_line, last_column;
} hlo_source;

// HLO_INVALID_ARGUMENT when the text is longer than lines and columns can count (2 GB).
hlo_status hlo_source_open(hlo_source *source, const char *text, size_t length, hlo_error *error);

// Line and column of a position from text to end.
void hlo_source_locate(hlo_source *source, const char *at, int32_t *line, int32_t *column);

// Records a parse error at a position (formats as hlo_fail).
hlo_status hlo_source_fail(hlo_source *source, const char *at, hlo_error *error, const char *format,
                           ...) __attribute__((format(printf, 4, 5)));

// For errors of hlo_shape_parse and hlo_literal_parse, whose line is 1 and whose column counts
// bytes from `from`: makes the position one of this text. Returns the error's status.
hlo_status hlo_source_relocate(hlo_source *source, const char *from, hlo_error *error);

// Ends the message of an error that has a line with the source line and a caret under the column
// (a part of the line when it is long). Called once, by the function that was given the text.
void hlo_source_show(hlo_source *source, hlo_error *error);

#endif
