// The literals of serialized HLO modules. Their elements are stored as in memory, except for 32-
// and 64-bit integers and PRED, which are varints of one to ten bytes. See hlo_proto.h.
#include "text/proto/hlo_proto.h"

#include "base/checked.h"
#include "shape/element_writer.h"

#include <string.h>

enum { LITERAL_SHAPE = 1, LITERAL_ELEMENTS = 10, LITERAL_DYNAMIC_SIZES = 34 };

// In which field the values of a type are.
static const uint8_t field_of[HLO_TYPE_COUNT] = {
    [HLO_PRED] = 2,        [HLO_U8] = 3,          [HLO_S32] = 4,       [HLO_S64] = 5,
    [HLO_U32] = 6,         [HLO_U64] = 7,         [HLO_F32] = 8,       [HLO_F64] = 9,
    [HLO_F16] = 11,        [HLO_C64] = 12,        [HLO_BF16] = 13,     [HLO_S8] = 15,
    [HLO_U16] = 16,        [HLO_S16] = 17,        [HLO_C128] = 18,     [HLO_F8E5M2] = 19,
    [HLO_F8E4M3FN] = 20,   [HLO_S4] = 21,         [HLO_U4] = 22,       [HLO_F8E4M3B11FNUZ] = 23,
    [HLO_F8E5M2FNUZ] = 24, [HLO_F8E4M3FNUZ] = 25, [HLO_S2] = 26,       [HLO_U2] = 27,
    [HLO_F8E4M3] = 28,     [HLO_F8E3M4] = 29,     [HLO_F4E2M1FN] = 32, [HLO_F8E8M0FNU] = 33,
    [HLO_F6E3M2FN] = 35,   [HLO_F6E2M3FN] = 36,
};

static bool is_varint(hlo_type type) {
  bool is_integer = hlo_type_is_integer(type) && hlo_type_bits(type) >= 32;
  return type == HLO_PRED || is_integer;
}

// Bytes of the file that hold values of the type.
static int64_t count_bytes(hlo_proto *p, proto_message literal, hlo_type type) {
  int64_t count = 0;
  proto_field field;
  while (hlo_proto_next_of(&p->reader, &literal, field_of[type], &field))
    count += field.type == PROTO_BYTES     ? (int64_t)hlo_proto_length(field.bytes)
             : field.type == PROTO_FIXED64 ? 8
             : field.type == PROTO_FIXED32 ? 4
                                           : 1;
  return count;
}

static hlo_status fail_count(hlo_proto *p, proto_message literal, const hlo_shape *shape) {
  char text[HLO_SHAPE_TEXT_SIZE];
  return hlo_proto_fail(&p->reader, literal.at, HLO_PARSE_ERROR,
                        "the values of this constant are not as many as those of %s",
                        hlo_shape_to_text(text, shape));
}

static hlo_status copy_bytes(hlo_proto *p, proto_message literal, const hlo_shape *shape,
                             hlo_element_writer *writer) {
  proto_field field;
  while (hlo_proto_next_of(&p->reader, &literal, field_of[shape->type], &field)) {
    size_t size = field.type == PROTO_FIXED64 ? 8 : 4;
    const void *from = &field.value;
    if (field.type == PROTO_BYTES) {
      size = hlo_proto_length(field.bytes);
      from = field.bytes.at;
    }
    char *out = hlo_element_room(writer, size);
    if (out == NULL) return fail_count(p, literal, shape);
    if (size > 0) memcpy(out, from, size);
  }
  return p->reader.status;
}

// Bits above those of the type are its sign, or none.
static void extend(hlo_type type, int64_t count, uint8_t *values) {
  int shift = 8 - hlo_type_bits(type);
  bool is_signed = hlo_type_get_class(type) == HLO_CLASS_SIGNED;
  for (int64_t i = 0; i < count; i++) {
    uint8_t high = (uint8_t)(values[i] << shift);
    values[i] = is_signed ? (uint8_t)((int8_t)high >> shift) : (uint8_t)(high >> shift);
  }
}

// So many values, in the order in which they stand.
static hlo_status read_values(hlo_proto *p, proto_message literal, const hlo_shape *shape,
                              int64_t count, char *out) {
  hlo_type type = shape->type;
  size_t size = (size_t)hlo_type_bytes(type);
  hlo_element_writer writer = hlo_element_writer_of(out, count * (int64_t)size);
  if (!is_varint(type)) {
    HLO_TRY(copy_bytes(p, literal, shape, &writer));
    if (hlo_type_bits(type) < 8) extend(type, count, (uint8_t *)out);
  } else {
    proto_numbers numbers = hlo_proto_numbers(literal, field_of[type]);
    int64_t value;
    while (hlo_proto_next_number(&p->reader, &numbers, &value)) {
      char *element = hlo_element_room(&writer, size);
      if (element == NULL) return fail_count(p, literal, shape);
      if (type == HLO_PRED) value = value != 0;
      memcpy(element, &value, size);
    }
    if (p->reader.status != HLO_OK) return p->reader.status;
  }
  return writer.next == writer.end ? HLO_OK : fail_count(p, literal, shape);
}

// Values in another order than that of the constant.
static hlo_status read_reordered(hlo_proto *p, proto_message literal, const hlo_shape *from,
                                 const hlo_literal *out) {
  int64_t count = hlo_shape_elements(from);
  hlo_arena_mark mark = hlo_arena_get_mark(&p->parser.scratch);
  char *values =
      hlo_arena_array_raw(&p->parser.scratch, (size_t)count, (size_t)hlo_type_bytes(from->type));
  if (values == NULL) return hlo_fail_out_of_memory(p->parser.error);
  hlo_status status = read_values(p, literal, from, count, values);
  const hlo_shape *unpacked_from, *unpacked_to;
  hlo_arena *arena = &p->parser.scratch;
  if (status == HLO_OK) status = hlo_shape_unpacked(arena, from, &unpacked_from, p->parser.error);
  if (status == HLO_OK)
    status = hlo_shape_unpacked(arena, out->shape, &unpacked_to, p->parser.error);
  if (status == HLO_OK)
    status = hlo_relayout(unpacked_to, out->data, unpacked_from, values, p->parser.error);
  hlo_arena_rewind(&p->parser.scratch, mark);
  return status;
}

static hlo_status read_array(hlo_proto *p, hlo_arena *arena, proto_message literal,
                             const hlo_shape *shape, hlo_literal *out) {
  int64_t count = hlo_shape_elements(shape), size;
  int64_t bytes = count_bytes(p, literal, shape->type);
  if (p->reader.status != HLO_OK) return p->reader.status;
  proto_field sizes;
  if (hlo_proto_find(&p->reader, literal, LITERAL_DYNAMIC_SIZES, &sizes))
    return hlo_proto_fail(&p->reader, literal.at, HLO_UNSUPPORTED,
                          "constants of dynamic sizes are not supported");
  // before memory of the shape's size is allocated
  bool is_right = is_varint(shape->type)
                      ? bytes >= count && (count > 0 || bytes == 0)
                      : hlo_checked_mul(count, hlo_type_bytes(shape->type), &size) && bytes == size;
  if (!is_right) return fail_count(p, literal, shape);
  const hlo_shape *own = shape;
  if (shape->rank > 1)
    HLO_TRY(hlo_proto_shape(p, hlo_proto_bytes(&p->reader, literal, LITERAL_SHAPE), &own));
  if (!hlo_shape_compatible(own, shape)) return fail_count(p, literal, shape);
  HLO_TRY(hlo_literal_make(arena, shape, out, p->parser.error));
  if (count == 0) return HLO_OK;
  if (!hlo_shape_same_order(own, shape)) return read_reordered(p, literal, own, out);
  return read_values(p, literal, shape, count, out->data);
}

hlo_status hlo_proto_literal(hlo_proto *p, hlo_arena *arena, proto_message literal,
                             const hlo_shape *shape, hlo_literal *out) {
  if (hlo_shape_is_array(shape)) return read_array(p, arena, literal, shape, out);
  *out = (hlo_literal){.shape = shape};
  if (!hlo_shape_is_tuple(shape)) return HLO_OK;
  HLO_ALLOC(out->elements, arena, shape->element_count, p->parser.error);
  proto_message rest = literal, element;
  int32_t i = 0;
  while (hlo_proto_next_bytes(&p->reader, &rest, LITERAL_ELEMENTS, &element)) {
    if (i == shape->element_count) return fail_count(p, literal, shape);
    HLO_TRY(hlo_proto_literal(p, arena, element, shape->elements[i], &out->elements[i]));
    i++;
  }
  if (p->reader.status != HLO_OK) return p->reader.status;
  return i == shape->element_count ? HLO_OK : fail_count(p, literal, shape);
}
