// The attributes and types of MLIR's dialect builtin in its binary form, as MLIR text. Modules have
// them, and the operations of dialects that VHLO does not have. See bytecode.h. Inferred from what
// jaxlib writes for programs that have one of them.
#include "text/bytecode/bytecode.h"

// "x" : i32
static hlo_status typed_string(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  HLO_TRY(hlo_bytecode_next_string(b, in, error));
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

// dense_resource<…> : T
static hlo_status resource(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  const char *at = in->at;
  int32_t type, number;
  HLO_TRY(hlo_bytecode_index(b, in, b->type_count, "type", &type, error));
  HLO_TRY(hlo_bytecode_index(b, in, b->resource_count, "resource", &number, error));
  if (b->resources[number].at == NULL)
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, error, "the resource is no data");
  HLO_TRY(hlo_bytecode_write_data(b, b->resources[number], error));
  hlo_bytecode_add(b, " : ");
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

enum { READ_TYPED_STRING = READ_OWN, READ_NESTED_SYMBOL, READ_RESOURCE, READ_INTEGER_TYPE };
static hlo_bytecode_function *const own[] = {typed_string, nested_symbol, resource, integer_type};

// By code.
static const mlir_code attributes[] = {
    [0] = {"[", "", "]", READ_ATTRIBUTES},
    [1] = {"", "", "", READ_DICTIONARY},
    [2] = {"", "", "", READ_STRING},
    [3] = {"", "", "", READ_TYPED_STRING},
    [4] = {"@", "", "", READ_ATTRIBUTE},
    [5] = {"", "", "", READ_NESTED_SYMBOL},
    [6] = {"", "", "", READ_TYPE},
    [7] = {"unit", "", "", READ_NOTHING},
    [8] = {"", "", "", READ_INTEGER},
    [9] = {"", "", "", READ_FLOAT},
    [10] = {"loc(unknown)", "", "", READ_SKIPPED}, // who called, a line of a file, …
    [11] = {"loc(unknown)", "", "", READ_SKIPPED},
    [12] = {"loc(unknown)", "", "", READ_SKIPPED},
    [13] = {"loc(unknown)", "", "", READ_SKIPPED},
    [14] = {"loc(unknown)", "", "", READ_SKIPPED},
    [15] = {"loc(unknown)", "", "", READ_SKIPPED},
    [16] = {"", "", "", READ_RESOURCE},
    [17] = {"array<", "", ">", READ_ARRAY},
    [18] = {"", "", "", READ_DENSE},
    [22] = {"loc(unknown)", "", "", READ_SKIPPED},
};

static const mlir_code types[] = {
    [0] = {"", "", "", READ_INTEGER_TYPE},
    [1] = {"index", "", "", READ_NOTHING},
    [2] = {"", "", "", READ_FUNCTION},
    [3] = {"bf16", "", "", READ_NOTHING},
    [4] = {"f16", "", "", READ_NOTHING},
    [5] = {"f32", "", "", READ_NOTHING},
    [6] = {"f64", "", "", READ_NOTHING},
    [7] = {"f80", "", "", READ_NOTHING},
    [8] = {"f128", "", "", READ_NOTHING},
    [9] = {"complex<", "", ">", READ_TYPE},
    [12] = {"none", "", "", READ_NOTHING},
    [13] = {"tensor<", "", ">", READ_TENSOR},
    [14] = {"tensor<", "", ">", READ_ENCODED_TENSOR},
    [15] = {"tuple<", "", ">", READ_TYPES},
    [18] = {"tensor<*x", "", ">", READ_TYPE},
    [21] = {"tf32", "", "", READ_NOTHING},
    [22] = {"f8E5M2", "", "", READ_NOTHING},
    [23] = {"f8E4M3", "", "", READ_NOTHING},
    [24] = {"f8E4M3FN", "", "", READ_NOTHING},
    [25] = {"f8E5M2FNUZ", "", "", READ_NOTHING},
    [26] = {"f8E4M3FNUZ", "", "", READ_NOTHING},
    [27] = {"f8E4M3B11FNUZ", "", "", READ_NOTHING},
    [28] = {"f8E3M4", "", "", READ_NOTHING},
    [29] = {"f4E2M1FN", "", "", READ_NOTHING},
    [30] = {"f6E2M3FN", "", "", READ_NOTHING},
    [31] = {"f6E3M2FN", "", "", READ_NOTHING},
    [32] = {"f8E8M0FNU", "", "", READ_NOTHING},
};

const mlir_dialect_codes hlo_builtin_codes = {
    .name = "builtin",
    .attributes = attributes,
    .attribute_count = sizeof attributes / sizeof *attributes,
    .types = types,
    .type_count = sizeof types / sizeof *types,
    .own = own,
    .is_builtin = true,
    .string_code = 2,
    .dictionary_code = 1,
    .location_code = 14,
};
