// Finds and reads files for tests, which end when there is none.
#ifndef HLO_TESTS_C_FILES_H
#define HLO_TESTS_C_FILES_H

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static inline bool ends_with(const char *text, const char *end) {
  size_t length = strlen(text), tail = strlen(end);
  return length >= tail && strcmp(text + length - tail, end) == 0;
}

typedef char file_path[512];

static inline int compare_paths(const void *a, const void *b) { return strcmp(a, b); }

// Calls visit with the path of every file of the folder whose name has the part (NULL: any) and
// that end, in the order of their names; returns how many there are.
static inline int for_each_file(const char *folder, const char *part, const char *end,
                                void (*visit)(const char *path)) {
  DIR *directory = opendir(folder);
  if (directory == NULL) {
    fprintf(stderr, "cannot open %s\n", folder);
    exit(1);
  }
  file_path *paths = NULL;
  int count = 0;
  for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
    if (!ends_with(entry->d_name, end)) continue;
    if (part != NULL && strstr(entry->d_name, part) == NULL) continue;
    paths = realloc(paths, (size_t)(count + 1) * sizeof *paths);
    snprintf(paths[count++], sizeof *paths, "%s/%s", folder, entry->d_name);
  }
  closedir(directory);
  if (count > 0) qsort(paths, (size_t)count, sizeof *paths, compare_paths);
  for (int i = 0; i < count; i++) visit(paths[i]);
  free(paths);
  return count;
}

#endif
