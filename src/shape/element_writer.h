// A bounded cursor over the memory of an array that is being filled. Parsers and file
// readers reserve space for every value through it, so that none writes past the allocation,
// whatever size its input claims.
#ifndef HLO_SHAPE_ELEMENT_WRITER_H
#define HLO_SHAPE_ELEMENT_WRITER_H

#include <stddef.h>
#include <stdint.h>

typedef struct hlo_element_writer {
  char *next, *end;
} hlo_element_writer;

// Of `bytes` bytes at data.
static inline hlo_element_writer hlo_element_writer_of(void *data, int64_t bytes) {
  return (hlo_element_writer){data, (char *)data + bytes};
}

// Where the next `bytes` bytes go; NULL where fewer are left, which stay as they are.
static inline char *hlo_element_room(hlo_element_writer *writer, size_t bytes) {
  char *room = writer->next;
  if ((size_t)(writer->end - room) < bytes) return NULL;
  writer->next += bytes;
  return room;
}

#endif
