// The attributes and types of MLIR's dialect builtin in its binary form, as MLIR text. Modules have
// them, and the operations of dialects that VHLO does not have. See mlir_bytecode.h. Inferred from
// what jaxlib writes for programs that have one of them. Must not know operations.
#include "text/mlir_bytecode.h"

static hlo_status string(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  mlir_slice text;
  HLO_TRY(hlo_bytecode_string(b, in, &text, error));
  hlo_bytecode_add_quoted(b, text);
  return HLO_OK;
}

// "x" : i32
static hlo_status typed_string(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  HLO_TRY(string(b, in, error));
  hlo_bytecode_add(b, " : ");
  return hlo_bytecode_next_type(b, in, error);
}

// @"a"::@"b": the first name, how many more, and these.
static hlo_status nested_symbol(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int32_t count;
  hlo_bytecode_add(b, "@");
  HLO_TRY(hlo_bytecode_next_attribute(b, in, error));
  HLO_TRY(hlo_bytecode_count(b, in, &count, error));
  for (; count > 0; count--) {
    hlo_bytecode_add(b, "::");
    HLO_TRY(hlo_bytecode_next_attribute(b, in, error));
  }
  return HLO_OK;
}

// dense_resource<name> : T
static hlo_status resource(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int32_t type, number;
  HLO_TRY(hlo_bytecode_index(b, in, b->type_count, "type", &type, error));
  HLO_TRY(hlo_bytecode_index(b, in, b->resource_count, "resource", &number, error));
  hlo_bytecode_add(b, "dense_resource<");
  hlo_bytecode_add_name(b, b->resource_names[number]);
  hlo_bytecode_add(b, "> : ");
  return hlo_bytecode_write_type(b, type, error);
}

// Twice two bits for signs, the rest for the width.
static hlo_status integer_type(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  static const char *const signs[] = {"", "s", "u"};
  const char *at = in->at;
  uint64_t value;
  HLO_TRY(hlo_bytecode_varint(b, in, &value, error));
  if ((value & 3) == 3)
    return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "an integer is signed or unsigned");
  hlo_string_add_format(&b->text, "%si%llu", signs[value & 3], (unsigned long long)value >> 2);
  return HLO_OK;
}

static hlo_status tensor(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  HLO_TRY(hlo_bytecode_next_sizes(b, in, error));
  return hlo_bytecode_next_type(b, in, error);
}

static hlo_status encoded_tensor(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int32_t encoding;
  HLO_TRY(hlo_bytecode_index(b, in, b->attribute_count, "attribute", &encoding, error));
  HLO_TRY(tensor(b, in, error));
  hlo_bytecode_add(b, ", ");
  return hlo_bytecode_write_attribute(b, encoding, error);
}

// By code.
static const mlir_code attributes[] = {
    [0] = {"[", hlo_bytecode_next_attributes, "]", NULL},
    [1] = {NULL, hlo_bytecode_next_dictionary, NULL, NULL},
    [2] = {NULL, string, NULL, NULL},
    [3] = {NULL, typed_string, NULL, NULL},
    [4] = {"@", hlo_bytecode_next_attribute, NULL, NULL},
    [5] = {NULL, nested_symbol, NULL, NULL},
    [6] = {NULL, hlo_bytecode_next_type, NULL, NULL},
    [7] = {"unit", NULL, NULL, NULL},
    [8] = {NULL, hlo_bytecode_next_integer, NULL, NULL},
    [9] = {NULL, hlo_bytecode_next_float, NULL, NULL},
    [10] = {"loc(unknown)", hlo_bytecode_skip, NULL, NULL}, // who called, a line of a file, …
    [11] = {"loc(unknown)", hlo_bytecode_skip, NULL, NULL},
    [12] = {"loc(unknown)", hlo_bytecode_skip, NULL, NULL},
    [13] = {"loc(unknown)", hlo_bytecode_skip, NULL, NULL},
    [14] = {"loc(unknown)", hlo_bytecode_skip, NULL, NULL},
    [15] = {"loc(unknown)", hlo_bytecode_skip, NULL, NULL},
    [16] = {NULL, resource, NULL, NULL},
    [17] = {"array<", hlo_bytecode_next_array, ">", NULL},
    [18] = {NULL, hlo_bytecode_next_dense, NULL, NULL},
    [22] = {"loc(unknown)", hlo_bytecode_skip, NULL, NULL},
};

static const mlir_code types[] = {
    [0] = {NULL, integer_type, NULL, NULL},
    [1] = {"index", NULL, NULL, NULL},
    [2] = {NULL, hlo_bytecode_next_function, NULL, NULL},
    [3] = {"bf16", NULL, NULL, NULL},
    [4] = {"f16", NULL, NULL, NULL},
    [5] = {"f32", NULL, NULL, NULL},
    [6] = {"f64", NULL, NULL, NULL},
    [7] = {"f80", NULL, NULL, NULL},
    [8] = {"f128", NULL, NULL, NULL},
    [9] = {"complex<", hlo_bytecode_next_type, ">", NULL},
    [12] = {"none", NULL, NULL, NULL},
    [13] = {"tensor<", tensor, ">", NULL},
    [14] = {"tensor<", encoded_tensor, ">", NULL},
    [15] = {"tuple<", hlo_bytecode_next_types, ">", NULL},
    [18] = {"tensor<*x", hlo_bytecode_next_type, ">", NULL},
    [21] = {"tf32", NULL, NULL, NULL},
    [22] = {"f8E5M2", NULL, NULL, NULL},
    [23] = {"f8E4M3", NULL, NULL, NULL},
    [24] = {"f8E4M3FN", NULL, NULL, NULL},
    [25] = {"f8E5M2FNUZ", NULL, NULL, NULL},
    [26] = {"f8E4M3FNUZ", NULL, NULL, NULL},
    [27] = {"f8E4M3B11FNUZ", NULL, NULL, NULL},
    [28] = {"f8E3M4", NULL, NULL, NULL},
    [29] = {"f4E2M1FN", NULL, NULL, NULL},
    [30] = {"f6E2M3FN", NULL, NULL, NULL},
    [31] = {"f6E3M2FN", NULL, NULL, NULL},
    [32] = {"f8E8M0FNU", NULL, NULL, NULL},
};

const mlir_dialect_codes hlo_builtin_codes = {
    .name = "builtin",
    .attributes = attributes,
    .attribute_count = sizeof attributes / sizeof *attributes,
    .types = types,
    .type_count = sizeof types / sizeof *types,
    .string_code = 2,
};
