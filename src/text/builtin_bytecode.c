// The attributes and types of MLIR's dialect builtin in its binary form, as MLIR text. Modules have
// them, and the operations of dialects that VHLO does not have. See mlir_bytecode.h. Inferred from
// what jaxlib writes for programs that have one of them. Must not know operations.
#include "text/mlir_bytecode.h"

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

enum {
  NOTHING,
  ATTRIBUTES,
  DICTIONARY,
  STRING,
  TYPED_STRING,
  ATTRIBUTE,
  NESTED_SYMBOL,
  TYPE,
  INTEGER,
  FLOAT,
  SKIP,
  RESOURCE,
  ARRAY,
  DENSE,
  INTEGER_TYPE,
  FUNCTION,
  TENSOR,
  ENCODED_TENSOR,
  TYPES
};

static hlo_status read_rest(mlir_bytecode *b, mlir_bytes *in, uint8_t reader, hlo_error *error) {
  switch (reader) {
  case ATTRIBUTES:
    return hlo_bytecode_next_attributes(b, in, error);
  case DICTIONARY:
    return hlo_bytecode_next_dictionary(b, in, error);
  case STRING:
    return hlo_bytecode_next_string(b, in, error);
  case TYPED_STRING:
    return typed_string(b, in, error);
  case ATTRIBUTE:
    return hlo_bytecode_next_attribute(b, in, error);
  case NESTED_SYMBOL:
    return nested_symbol(b, in, error);
  case TYPE:
    return hlo_bytecode_next_type(b, in, error);
  case INTEGER:
    return hlo_bytecode_next_integer(b, in, error);
  case FLOAT:
    return hlo_bytecode_next_float(b, in, error);
  case SKIP:
    return hlo_bytecode_skip(b, in, error);
  case RESOURCE:
    return resource(b, in, error);
  case ARRAY:
    return hlo_bytecode_next_array(b, in, error);
  case DENSE:
    return hlo_bytecode_next_dense(b, in, error);
  case INTEGER_TYPE:
    return integer_type(b, in, error);
  case FUNCTION:
    return hlo_bytecode_next_function(b, in, error);
  case TENSOR:
    return hlo_bytecode_next_tensor(b, in, error);
  case ENCODED_TENSOR:
    return hlo_bytecode_next_encoded_tensor(b, in, error);
  default:
    return hlo_bytecode_next_types(b, in, error);
  }
}

// By code.
HLO_LATE_DATA static const mlir_code attributes[] = {
    [0] = {"[", "", "]", ATTRIBUTES},
    [1] = {"", "", "", DICTIONARY},
    [2] = {"", "", "", STRING},
    [3] = {"", "", "", TYPED_STRING},
    [4] = {"@", "", "", ATTRIBUTE},
    [5] = {"", "", "", NESTED_SYMBOL},
    [6] = {"", "", "", TYPE},
    [7] = {"unit", "", "", 0},
    [8] = {"", "", "", INTEGER},
    [9] = {"", "", "", FLOAT},
    [10] = {"loc(unknown)", "", "", SKIP}, // who called, a line of a file, …
    [11] = {"loc(unknown)", "", "", SKIP},
    [12] = {"loc(unknown)", "", "", SKIP},
    [13] = {"loc(unknown)", "", "", SKIP},
    [14] = {"loc(unknown)", "", "", SKIP},
    [15] = {"loc(unknown)", "", "", SKIP},
    [16] = {"", "", "", RESOURCE},
    [17] = {"array<", "", ">", ARRAY},
    [18] = {"", "", "", DENSE},
    [22] = {"loc(unknown)", "", "", SKIP},
};

HLO_LATE_DATA static const mlir_code types[] = {
    [0] = {"", "", "", INTEGER_TYPE},
    [1] = {"index", "", "", 0},
    [2] = {"", "", "", FUNCTION},
    [3] = {"bf16", "", "", 0},
    [4] = {"f16", "", "", 0},
    [5] = {"f32", "", "", 0},
    [6] = {"f64", "", "", 0},
    [7] = {"f80", "", "", 0},
    [8] = {"f128", "", "", 0},
    [9] = {"complex<", "", ">", TYPE},
    [12] = {"none", "", "", 0},
    [13] = {"tensor<", "", ">", TENSOR},
    [14] = {"tensor<", "", ">", ENCODED_TENSOR},
    [15] = {"tuple<", "", ">", TYPES},
    [18] = {"tensor<*x", "", ">", TYPE},
    [21] = {"tf32", "", "", 0},
    [22] = {"f8E5M2", "", "", 0},
    [23] = {"f8E4M3", "", "", 0},
    [24] = {"f8E4M3FN", "", "", 0},
    [25] = {"f8E5M2FNUZ", "", "", 0},
    [26] = {"f8E4M3FNUZ", "", "", 0},
    [27] = {"f8E4M3B11FNUZ", "", "", 0},
    [28] = {"f8E3M4", "", "", 0},
    [29] = {"f4E2M1FN", "", "", 0},
    [30] = {"f6E2M3FN", "", "", 0},
    [31] = {"f6E3M2FN", "", "", 0},
    [32] = {"f8E8M0FNU", "", "", 0},
};

const mlir_dialect_codes hlo_builtin_codes = {
    .name = "builtin",
    .attributes = attributes,
    .attribute_count = sizeof attributes / sizeof *attributes,
    .types = types,
    .type_count = sizeof types / sizeof *types,
    .read = read_rest,
    .string_code = 2,
    .dictionary_code = 1,
};
