// The attributes of Shardy in MLIR's binary form, as text: jax.export mixes Shardy's operations
// with VHLO's in programs for several devices. See bytecode.h. Inferred from what jaxlib writes for
// programs that have one of them.
#include "text/bytecode/bytecode.h"

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

// "a"=2
static hlo_status mesh_axis(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  HLO_TRY(hlo_bytecode_next_string(b, in, error));
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
  if (count > 0) hlo_bytecode_add(b, ", device_ids=[");
  HLO_TRY(hlo_bytecode_next_sizes(b, in, error));
  if (count > 0) hlo_bytecode_add(b, "]");
  return HLO_OK;
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
  int32_t part;
  HLO_TRY(hlo_bytecode_next_string(b, in, error));
  HLO_TRY(hlo_bytecode_optional_attribute(b, in, &part, error));
  if (part < 0) return HLO_OK;
  hlo_bytecode_add(b, ":");
  return hlo_bytecode_write_attribute(b, part, error);
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

static hlo_status next_sharding(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  return next_inside(b, in, "#sdy.sharding", error);
}

static hlo_status shardings(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  return hlo_bytecode_next_list(b, in, next_sharding, error);
}

enum {
  READ_MESH_AXIS = READ_OWN,
  READ_MESH,
  READ_PART_OF_AXIS,
  READ_AXIS,
  READ_DIMENSION,
  READ_SHARDING,
  READ_SHARDINGS,
  READ_SHARDING_OF_SUMS
};
static hlo_bytecode_function *const own[] = {mesh_axis, mesh,     part_of_axis, axis,
                                             dimension, sharding, shardings,    sharding_of_sums};

// By code.
static const mlir_code attributes[] = {
    [0] = {"#sdy<manual_axes{", "", "}>", READ_ATTRIBUTES},
    [1] = {"", "", "", READ_MESH_AXIS},
    [2] = {"#sdy.mesh<", "", ">", READ_MESH},
    [3] = {"", "", "", READ_PART_OF_AXIS},
    [4] = {"", "", "", READ_AXIS},
    [5] = {"", "", "", READ_DIMENSION},
    [6] = {"#sdy.sharding<", "", ">", READ_SHARDING},
    [7] = {"#sdy.sharding_per_value<[", "", "]>", READ_SHARDINGS},
    [10] = {"#sdy.op_sharding_rule", "", "", READ_SKIPPED}, // changes no values
    [15] = {"#sdy.sharding<", "", ">", READ_SHARDING_OF_SUMS},
};

const mlir_dialect_codes hlo_sdy_codes = {
    .name = "sdy",
    .attributes = attributes,
    .attribute_count = sizeof attributes / sizeof *attributes,
    .own = own,
    .string_code = UINT64_MAX,
};
