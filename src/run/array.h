// Arrays at run time: a shape and a counted buffer. The only objects that are freed one by one.
#ifndef HLO_RUN_ARRAY_H
#define HLO_RUN_ARRAY_H

#include "hlo/hlo.h"
#include "shape/literal.h"
#include "shape/shape.h"
#include "shape/view.h"

// A block of 64-aligned bytes shared by counting. Never freed while anyone holds it.
typedef struct hlo_buffer {
  int32_t references;
  int64_t size;
  void *data;
  // Whose literal the data are: held by the buffer, and not written to. NULL: they are the
  // buffer's.
  hlo_module *module;
  // Of an array with dynamic dimensions: for each dimension its size now, at most the bound that
  // the shape gives, or HLO_STATIC_SIZE. Memory is laid out by the bounds. NULL: all are static.
  int64_t *sizes;
} hlo_buffer;
enum { HLO_STATIC_SIZE = -1 };
hlo_status hlo_buffer_create(int64_t size, hlo_buffer **out,
                             hlo_error *error); // contents undefined
// A buffer of a literal's elements where they are, in the module's memory or that of its originals;
// a copy where they are not aligned as buffers are.
hlo_status hlo_buffer_of_literal(const hlo_module *module, const hlo_literal *literal,
                                 hlo_buffer **out, hlo_error *error);
void hlo_buffer_retain(hlo_buffer *buffer);
void hlo_buffer_release(hlo_buffer *buffer); // NULL is fine

// An array that the host holds: its own copy of the shape, a reference to the buffer. The shape is
// static: for a result with dynamic dimensions it has the sizes that came out, and `bound` is the
// shape that the program states (NULL for others).
typedef struct hlo_array {
  hlo_arena arena;
  const hlo_shape *shape, *bound;
  hlo_buffer *buffer;
} hlo_array;
// Takes over one reference to buffer (NULL: makes an undefined buffer of the shape's size).
hlo_status hlo_array_create(const hlo_shape *shape, hlo_buffer *buffer, hlo_array **out,
                            hlo_error *error);
void hlo_array_destroy(hlo_array *array); // NULL is fine

#endif
