// Counted buffers and the arrays that hold them. See array.h.
#include "run/array.h"

#include <string.h>

// The bytes of a small buffer stand after its own structure, where they are as well aligned.
enum { DATA_OFFSET = 64, SMALL_BUFFER = 64, ALIGNMENT = 64 };

static bool is_in_one_block(const hlo_buffer *buffer) {
  return buffer->data == (const char *)buffer + DATA_OFFSET;
}

hlo_status hlo_buffer_create(int64_t size, hlo_buffer **out, hlo_error *error) {
  *out = NULL;
  if (size < 0 || (uint64_t)size > SIZE_MAX / 2)
    return hlo_fail(error, HLO_OUT_OF_MEMORY,
                    "out of memory: an array of %lld bytes was asked for, and one has at most %zu",
                    (long long)size, (size_t)SIZE_MAX / 2);
  bool small = size <= SMALL_BUFFER;
  hlo_buffer *buffer = hlo_memory_alloc(small ? DATA_OFFSET + (size_t)size : sizeof *buffer);
  if (buffer == NULL) return hlo_fail_out_of_memory(error);
  void *data = small ? (char *)buffer + DATA_OFFSET : hlo_memory_alloc((size_t)size);
  if (data == NULL) {
    hlo_memory_release(buffer);
    return hlo_fail_out_of_memory(error);
  }
  *buffer = (hlo_buffer){.references = 1, .size = size, .data = data};
  *out = buffer;
  return HLO_OK;
}

hlo_status hlo_buffer_of_literal(const hlo_module *module, const hlo_literal *literal,
                                 hlo_buffer **out, hlo_error *error) {
  int64_t size = hlo_shape_bytes(literal->shape);
  if ((uintptr_t)literal->data % ALIGNMENT != 0 || size <= SMALL_BUFFER) {
    HLO_TRY(hlo_buffer_create(size, out, error));
    memcpy((*out)->data, literal->data, (size_t)size);
    return HLO_OK;
  }
  *out = hlo_memory_alloc(sizeof **out);
  if (*out == NULL) return hlo_fail_out_of_memory(error);
  **out = (hlo_buffer){
      .references = 1, .size = size, .data = literal->data, .module = hlo_module_share(module)};
  return HLO_OK;
}

void hlo_buffer_retain(hlo_buffer *buffer) { buffer->references++; }

void hlo_buffer_release(hlo_buffer *buffer) {
  if (buffer == NULL || --buffer->references > 0) return;
  hlo_memory_release(buffer->sizes);
  if (buffer->module != NULL) hlo_module_destroy(buffer->module);
  else if (!is_in_one_block(buffer)) hlo_memory_release(buffer->data);
  hlo_memory_release(buffer);
}

hlo_status hlo_array_create(const hlo_shape *shape, hlo_buffer *buffer, hlo_array **out,
                            hlo_error *error) {
  *out = NULL;
  hlo_array *array = hlo_memory_alloc(sizeof *array);
  if (array == NULL) {
    hlo_buffer_release(buffer);
    return hlo_fail_out_of_memory(error);
  }
  *array = (hlo_array){.buffer = buffer};
  hlo_status status = hlo_shape_copy(&array->arena, shape, &array->shape, error);
  if (status == HLO_OK && buffer == NULL) {
    status = hlo_buffer_create(hlo_shape_bytes(shape), &array->buffer, error);
  }
  if (status != HLO_OK) {
    hlo_array_destroy(array);
    return status;
  }
  *out = array;
  return HLO_OK;
}

void hlo_array_destroy(hlo_array *array) {
  if (array == NULL) return;
  hlo_buffer_release(array->buffer);
  hlo_arena_free(&array->arena);
  hlo_memory_release(array);
}
