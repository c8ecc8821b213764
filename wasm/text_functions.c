// strstr, strchr, strspn and strcspn of the wasm builds, in place of those of wasm's C library,
// which are two kilobytes of ways to find long texts and large sets of characters: short words and
// a few characters are looked for in attributes. Source of semantics: C11, 7.24.5.
#include <stdbool.h>
#include <string.h>

char *strstr(const char *text, const char *word) {
  size_t length = strlen(word);
  for (const char *at = text;; at++) {
    if (strncmp(at, word, length) == 0) return (char *)(size_t)at;
    if (*at == '\0') return NULL;
  }
}

char *strchr(const char *text, int character) {
  for (;; text++) {
    if (*text == (char)character) return (char *)(size_t)text;
    if (*text == '\0') return NULL;
  }
}

// How many characters come before one of which this is not true: that it is among them.
static size_t span(const char *text, const char *characters, bool among) {
  size_t length = 0;
  for (; text[length] != '\0'; length++) {
    const char *at = characters;
    while (*at != '\0' && *at != text[length]) at++;
    if ((*at != '\0') != among) break;
  }
  return length;
}

size_t strspn(const char *text, const char *characters) { return span(text, characters, true); }
size_t strcspn(const char *text, const char *characters) { return span(text, characters, false); }
