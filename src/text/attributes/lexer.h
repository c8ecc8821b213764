// Words, numbers, strings and bracketed groups of HLO text, read forward.
#ifndef HLO_TEXT_ATTRIBUTES_LEXER_H
#define HLO_TEXT_ATTRIBUTES_LEXER_H

#include "base/arena.h"
#include "base/string.h"
#include "text/source.h"

#include <stdbool.h>

// Brackets inside a value that is kept verbatim nest at most so deep.
enum { HLO_MAX_BRACKET_DEPTH = 512 };

typedef struct hlo_lexer {
  hlo_source *source;
  const char *at;  // what was not read yet
  const char *end; // of the text
  hlo_error *error;
} hlo_lexer;

// A part of the text, or an unescaped copy of it.
typedef struct hlo_token {
  const char *text;
  size_t length;
  const char *at; // where it stands in the program
} hlo_token;

// Starts reading the source's text. Fails when it holds a zero byte: what is kept of it verbatim
// could not.
hlo_status hlo_lexer_open(hlo_lexer *lexer, hlo_source *source, hlo_error *error);

bool hlo_token_is(hlo_token token, const char *text);
// For messages with "%.*s": long tokens are cut.
int hlo_token_shown(hlo_token token);

// Skips blanks and comments (/*...*/ and //...).
void hlo_lexer_skip(hlo_lexer *lexer);
// Skips, and returns the next character without reading it; 0 at the end.
char hlo_lexer_peek(hlo_lexer *lexer);
// Skips, and reads the given punctuation if it comes next; else stays where it was.
bool hlo_lexer_accept(hlo_lexer *lexer, const char *punctuation);
// The same for a whole word ("ROOT", not the start of "ROOTS").
bool hlo_lexer_accept_word(hlo_lexer *lexer, const char *word);
hlo_status hlo_lexer_expect(hlo_lexer *lexer, const char *punctuation);
// Fails here: "expected <what>, found <what stands here>".
hlo_status hlo_lexer_expected(hlo_lexer *lexer, const char *what);

// [A-Za-z_][A-Za-z0-9_.-]*: opcodes, attribute names, enumerators.
hlo_status hlo_lexer_word(hlo_lexer *lexer, const char *what, hlo_token *out);
// The name of an instruction or computation, with or without %; letters, digits, _ . - / and
// non-ASCII characters, or anything in double quotes (unescaped into the arena).
hlo_status hlo_lexer_name(hlo_lexer *lexer, const char *what, hlo_arena *arena, hlo_token *out);
hlo_status hlo_lexer_int(hlo_lexer *lexer, const char *what, int64_t *out);
// Sign and digits at once, whatever follows (0_1x2_3).
hlo_status hlo_lexer_digits(hlo_lexer *lexer, const char *what, int64_t *out);
// A number as hlo_parse_f64 takes it, or inf, -inf, nan.
hlo_status hlo_lexer_float(hlo_lexer *lexer, const char *what, double *out);
// A string in single or double quotes, unescaped as C does, into the arena.
hlo_status hlo_lexer_string(hlo_lexer *lexer, hlo_arena *arena, hlo_token *out);
// A value verbatim: bracketed groups, strings and other characters up to a blank, a comma or a
// bracket that it did not open.
hlo_status hlo_lexer_value(hlo_lexer *lexer, const char *what, hlo_token *out);
// Whether the text is one such value in braces.
bool hlo_lexer_is_braced(const char *text, size_t length);

// Makes line ends and comments in a value's text blanks, so that whoever reads it meets no others;
// strings stay. The value's text was read whole: they all end.
void hlo_lexer_plain(char *text, size_t length);

// The inverses, for the printer: %name, or name, quoted where it has to be; "text" with C's
// escapes.
void hlo_print_name(hlo_string *out, const char *name);
void hlo_print_bare_name(hlo_string *out, const char *name);
void hlo_print_quoted(hlo_string *out, const char *text);

#endif
