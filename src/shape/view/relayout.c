// Copies an array from one layout to another: order, padding, packing. Source: "Padding" of "Shapes
// and Layout".
#include "shape/literal.h"
#include "shape/padding.h"

#include <string.h>

// --- packed memory: position i is at bits i*bits and up of memory, low bits of a byte first ---

// bits 0: not packed, a byte per element.
typedef struct packed_memory {
  uint8_t *bytes;
  int32_t bits;
  int64_t strides[HLO_MAX_RANK];
} packed_memory;

static uint8_t read_packed(const packed_memory *memory, int64_t position) {
  if (memory->bits == 0) return memory->bytes[position];
  int32_t per_byte = 8 / memory->bits;
  int32_t shift = (int32_t)(position % per_byte) * memory->bits;
  return (uint8_t)(memory->bytes[position / per_byte] >> shift & ((1 << memory->bits) - 1));
}

static void write_packed(const packed_memory *memory, int64_t position, uint8_t value) {
  if (memory->bits == 0) {
    memory->bytes[position] = value;
    return;
  }
  int32_t per_byte = 8 / memory->bits;
  int32_t shift = (int32_t)(position % per_byte) * memory->bits;
  int32_t mask = ((1 << memory->bits) - 1) << shift;
  uint8_t *byte = &memory->bytes[position / per_byte];
  *byte = (uint8_t)((*byte & ~mask) | ((value << shift) & mask));
}

static packed_memory packed_memory_of(const hlo_shape *shape, void *data) {
  packed_memory memory;
  memory.bytes = data;
  memory.bits = hlo_shape_packed_bits(shape);
  hlo_shape_strides(shape, memory.strides);
  return memory;
}

static int64_t position_of(const packed_memory *memory, int32_t rank, const int64_t *index) {
  int64_t position = 0;
  for (int32_t i = 0; i < rank; i++) position += index[i] * memory->strides[i];
  return position;
}

// All types that can be packed are bytes when they are not.
static uint8_t extend(hlo_type type, uint8_t value) {
  uint8_t element = value;
  hlo_element_set(type, &element, hlo_element_get(type, &value));
  return element;
}

static void copy_packed(const hlo_shape *to_shape, void *to_data, const hlo_shape *from_shape,
                        const void *from_data) {
  packed_memory to = packed_memory_of(to_shape, to_data);
  packed_memory from = packed_memory_of(from_shape, (void *)(uintptr_t)from_data);
  int64_t index[HLO_MAX_RANK] = {0};
  int32_t rank = to_shape->rank;
  do {
    uint8_t value = read_packed(&from, position_of(&from, rank, index));
    write_packed(&to, position_of(&to, rank, index), extend(to_shape->type, value));
  } while (hlo_next_index(rank, to_shape->dims, index));
}

static void fill_packed(const hlo_shape *shape, void *data, uint8_t value) {
  memset(data, 0, (size_t)hlo_shape_bytes(shape));
  if (value == 0) return;
  packed_memory memory = packed_memory_of(shape, data);
  int64_t count = hlo_shape_memory_elements(shape);
  for (int64_t i = 0; i < count; i++) write_packed(&memory, i, value);
}

hlo_status hlo_relayout(const hlo_shape *to_shape, void *to, const hlo_shape *from_shape,
                        const void *from, hlo_error *error) {
  if (!hlo_shape_is_array(to_shape) || !hlo_shape_compatible(to_shape, from_shape)) {
    char to_text[HLO_SHAPE_TEXT_SIZE], from_text[HLO_SHAPE_TEXT_SIZE];
    return hlo_fail(error, HLO_SHAPE_ERROR, "cannot lay out %s as %s",
                    hlo_shape_to_text(from_text, from_shape), hlo_shape_to_text(to_text, to_shape));
  }
  bool to_packed = hlo_shape_packed_bits(to_shape) != 0;
  if (to_packed) {
    uint8_t padding[16];
    HLO_TRY(hlo_padding_value(to_shape, padding, error));
    fill_packed(to_shape, to, padding[0]);
  } else {
    HLO_TRY(hlo_fill_padding(to_shape, to, error));
  }
  if (hlo_shape_elements(to_shape) == 0) return HLO_OK;
  if (to_packed || hlo_shape_packed_bits(from_shape) != 0) {
    copy_packed(to_shape, to, from_shape, from);
    return HLO_OK;
  }
  hlo_view to_view = hlo_view_of(to_shape, to);
  hlo_view from_view = hlo_view_of(from_shape, (void *)(uintptr_t)from);
  hlo_view_copy(&to_view, &from_view);
  return HLO_OK;
}
