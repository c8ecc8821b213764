// Reads files for tests, which end when there is none. Must not know what is in them.
#ifndef HLO_TESTS_READ_FILE_H
#define HLO_TESTS_READ_FILE_H

#include <stdio.h>
#include <stdlib.h>

// The whole file, with a zero behind it, which *length (may be NULL) does not count. The caller
// frees it.
static inline char *read_file(const char *path, size_t *length) {
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    fprintf(stderr, "cannot open %s\n", path);
    exit(1);
  }
  fseek(file, 0, SEEK_END);
  size_t size = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(size + 1);
  size_t got = fread(text, 1, size, file);
  text[got] = '\0';
  if (length != NULL) *length = got;
  fclose(file);
  return text;
}

#endif
