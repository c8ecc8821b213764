// The attributes of Shardy in MLIR's binary form, as text: jax.export leaves Shardy's operations
// beside VHLO's in programs for several devices. See mlir_bytecode.h. Inferred from what jaxlib
// writes for programs that have one of them. Must not know operations.
#include "text/mlir_bytecode.h"

#include <string.h>

// The attribute's text without what it starts with where it stands by itself.
static hlo_status next_inside(mlir_bytecode *b, mlir_bytes *in, const char *prefix,
                              hlo_error *error) {
  size_t start = b->text.length, length = strlen(prefix);
  HLO_TRY(hlo_bytecode_next_attribute(b, in, error));
  HLO_TRY(hlo_string_status(&b->text, error));
  char *at = b->text.text + start;
  if (b->text.length - start < length || memcmp(at, prefix, length) != 0) return HLO_OK;
  memmove(at, at + length, b->text.length - start - length);
  b->text.length -= length;
  return HLO_OK;
}

static hlo_status name(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  mlir_slice text;
  HLO_TRY(hlo_bytecode_string(b, in, &text, error));
  hlo_bytecode_add_quoted(b, text);
  return HLO_OK;
}

// "a"=2
static hlo_status mesh_axis(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  HLO_TRY(name(b, in, error));
  hlo_bytecode_add(b, "=");
  return hlo_bytecode_next_size(b, in, error);
}

// ["a"=2], device_ids=[1, 0]
static hlo_status mesh(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  hlo_bytecode_add(b, "[");
  HLO_TRY(hlo_bytecode_next_attributes(b, in, error));
  hlo_bytecode_add(b, "]");
  mlir_bytes look = *in;
  int32_t count;
  HLO_TRY(hlo_bytecode_count(b, &look, &count, error));
  if (count > 0) hlo_bytecode_add(b, ", device_ids=");
  else *in = look;
  return count > 0 ? hlo_bytecode_next_numbers(b, in, error) : HLO_OK;
}

// (1)2
static hlo_status part_of_axis(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  hlo_bytecode_add(b, "(");
  HLO_TRY(hlo_bytecode_next_size(b, in, error));
  hlo_bytecode_add(b, ")");
  return hlo_bytecode_next_size(b, in, error);
}

// "a" or "a":(1)2, of which the part may be missing.
static hlo_status axis(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  const char *at;
  uint64_t part;
  HLO_TRY(name(b, in, error));
  at = in->at;
  HLO_TRY(hlo_bytecode_varint(b, in, &part, error));
  if ((part & 1) == 0) return HLO_OK;
  if (part >> 1 >= (uint64_t)b->attribute_count)
    return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "there is no such attribute");
  hlo_bytecode_add(b, ":");
  return hlo_bytecode_write_attribute(b, (int32_t)(part >> 1), error);
}

// {"a", ?}p1: axes, whether there may be no more, the priority if it has one.
static hlo_status dimension(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  uint8_t is_closed;
  uint64_t priority;
  bool has_axes = in->at < in->end && *in->at != 1;
  hlo_bytecode_add(b, "{");
  HLO_TRY(hlo_bytecode_next_attributes(b, in, error));
  HLO_TRY(hlo_bytecode_byte(b, in, &is_closed, error));
  if (!is_closed) hlo_bytecode_add(b, has_axes ? ", ?" : "?");
  hlo_bytecode_add(b, "}");
  HLO_TRY(hlo_bytecode_varint(b, in, &priority, error));
  if ((priority & 1) != 0)
    hlo_string_add_format(&b->text, "p%llu", (unsigned long long)priority >> 1);
  return HLO_OK;
}

// ", name={"a"}" of axes, nothing when there are none.
static hlo_status named_axes(mlir_bytecode *b, mlir_bytes *in, const char *before,
                             hlo_error *error) {
  size_t start = b->text.length;
  hlo_bytecode_add(b, before);
  size_t empty = b->text.length;
  HLO_TRY(hlo_bytecode_next_attributes(b, in, error));
  if (b->text.length == empty) b->text.length = start;
  else hlo_bytecode_add(b, "}");
  return HLO_OK;
}

// @mesh, [{"a"}, {}], replicated={"b"}; the mesh itself may stand in the place of its name.
static hlo_status sharding(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  HLO_TRY(next_inside(b, in, "#sdy.", error));
  hlo_bytecode_add(b, ", [");
  HLO_TRY(hlo_bytecode_next_attributes(b, in, error));
  hlo_bytecode_add(b, "]");
  return named_axes(b, in, ", replicated={", error);
}

static hlo_status sharding_of_sums(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  HLO_TRY(sharding(b, in, error));
  return named_axes(b, in, ", unreduced={", error);
}

static hlo_status shardings(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int32_t count;
  HLO_TRY(hlo_bytecode_count(b, in, &count, error));
  for (int32_t i = 0; i < count; i++) {
    if (i > 0) hlo_bytecode_add(b, ", ");
    HLO_TRY(next_inside(b, in, "#sdy.sharding", error));
  }
  return HLO_OK;
}

enum {
  NOTHING,
  ATTRIBUTES,
  MESH_AXIS,
  MESH,
  PART_OF_AXIS,
  AXIS,
  DIMENSION,
  SHARDING,
  SHARDINGS,
  SKIP,
  SHARDING_OF_SUMS
};

static hlo_status read_rest(mlir_bytecode *b, mlir_bytes *in, uint8_t reader, hlo_error *error) {
  switch (reader) {
  case ATTRIBUTES:
    return hlo_bytecode_next_attributes(b, in, error);
  case MESH_AXIS:
    return mesh_axis(b, in, error);
  case MESH:
    return mesh(b, in, error);
  case PART_OF_AXIS:
    return part_of_axis(b, in, error);
  case AXIS:
    return axis(b, in, error);
  case DIMENSION:
    return dimension(b, in, error);
  case SHARDING:
    return sharding(b, in, error);
  case SHARDINGS:
    return shardings(b, in, error);
  case SKIP:
    return hlo_bytecode_skip(b, in, error);
  default:
    return sharding_of_sums(b, in, error);
  }
}

// By code.
HLO_LATE_DATA static const mlir_code attributes[] = {
    [0] = {"#sdy<manual_axes{", "", "}>", ATTRIBUTES},
    [1] = {"", "", "", MESH_AXIS},
    [2] = {"#sdy.mesh<", "", ">", MESH},
    [3] = {"", "", "", PART_OF_AXIS},
    [4] = {"", "", "", AXIS},
    [5] = {"", "", "", DIMENSION},
    [6] = {"#sdy.sharding<", "", ">", SHARDING},
    [7] = {"#sdy.sharding_per_value<[", "", "]>", SHARDINGS},
    [10] = {"#sdy.op_sharding_rule", "", "", SKIP}, // changes no values
    [15] = {"#sdy.sharding<", "", ">", SHARDING_OF_SUMS},
};

const mlir_dialect_codes hlo_sdy_codes = {
    .name = "sdy",
    .attributes = attributes,
    .attribute_count = sizeof attributes / sizeof *attributes,
    .read = read_rest,
    .string_code = UINT64_MAX,
};
