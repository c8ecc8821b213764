// The attributes and types of VHLO, StableHLO's versioned twin, in MLIR's binary form: as the text
// that StableHLO has for them. See mlir_bytecode.h. Inferred from what jaxlib writes for programs
// that have one of them (tests/fixtures/bytecode.py); "VHLO Dialect" (openxla.org/stablehlo/vhlo)
// says what they mean. Must not know operations.
#include "text/mlir_bytecode.h"

#include "base/decimal.h"

#include <string.h>

static hlo_status boolean(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  uint64_t value;
  HLO_TRY(hlo_bytecode_varint(b, in, &value, error));
  hlo_bytecode_add(b, value != 0 ? "true" : "false");
  return HLO_OK;
}

// "output_tuple_indices = [0], operand_index = 0, operand_tuple_indices = []"
static hlo_status alias(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  hlo_bytecode_add(b, "output_tuple_indices = ");
  HLO_TRY(hlo_bytecode_next_numbers(b, in, error));
  hlo_bytecode_add(b, ", operand_index = ");
  HLO_TRY(hlo_bytecode_next_size(b, in, error));
  hlo_bytecode_add(b, ", operand_tuple_indices = ");
  return hlo_bytecode_next_numbers(b, in, error);
}

// "?, 4"
static hlo_status bounds(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int32_t count;
  HLO_TRY(hlo_bytecode_count(b, in, &count, error));
  for (int32_t i = 0; i < count; i++) {
    if (i > 0) hlo_bytecode_add(b, ", ");
    HLO_TRY(hlo_bytecode_next_size(b, in, error));
  }
  return HLO_OK;
}

// "atol = 0.0, rtol = 0.0, ulps = 2, mode = …", the first two as the bits of an f64.
static hlo_status accuracy(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  static const char *const names[] = {"atol", "rtol"};
  for (int i = 0; i < 2; i++) {
    char digits[HLO_FORMAT_SIZE];
    const char *at = in->at;
    int64_t bits;
    double value;
    HLO_TRY(hlo_bytecode_signed(b, in, &bits, error));
    memcpy(&value, &bits, sizeof value);
    if (value - value != 0)
      return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "a tolerance is a number");
    hlo_format_scientific(digits, value, 17);
    hlo_string_add_format(&b->text, "%s = %s, ", names[i], digits);
  }
  hlo_bytecode_add(b, "ulps = ");
  HLO_TRY(hlo_bytecode_next_size(b, in, error));
  hlo_bytecode_add(b, ", mode = ");
  return hlo_bytecode_next_attribute(b, in, error);
}

enum {
  NOTHING,
  ATTRIBUTES,
  BOOLEAN,
  DICTIONARY,
  FLOAT,
  INTEGER,
  ALIAS,
  STRING,
  DENSE,
  TYPE,
  BOUNDS,
  ACCURACY,
  FUNCTION,
  TENSOR,
  ENCODED_TENSOR,
  TYPES
};

static hlo_status read_rest(mlir_bytecode *b, mlir_bytes *in, uint8_t reader, hlo_error *error) {
  switch (reader) {
  case ATTRIBUTES:
    return hlo_bytecode_next_attributes(b, in, error);
  case BOOLEAN:
    return boolean(b, in, error);
  case DICTIONARY:
    return hlo_bytecode_next_dictionary(b, in, error);
  case FLOAT:
    return hlo_bytecode_next_float(b, in, error);
  case INTEGER:
    return hlo_bytecode_next_integer(b, in, error);
  case ALIAS:
    return alias(b, in, error);
  case STRING:
    return hlo_bytecode_next_string(b, in, error);
  case DENSE:
    return hlo_bytecode_next_dense(b, in, error);
  case TYPE:
    return hlo_bytecode_next_type(b, in, error);
  case BOUNDS:
    return bounds(b, in, error);
  case ACCURACY:
    return accuracy(b, in, error);
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

#define DIRECTIONS  "EQ NE GE GT LE LT"
#define COMPARISONS "NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED"

// By code. A version of StableHLO adds codes at the end.
HLO_LATE_DATA static const mlir_code attributes[] = {
    [1] = {"[", "", "]", ATTRIBUTES},
    [2] = {"", "", "", BOOLEAN},
    [3] = {"#stablehlo<comparison_direction ", DIRECTIONS, ">", 0},
    [4] = {"#stablehlo<comparison_type ", COMPARISONS, ">", 0},
    [5] = {"", "0 1 2 3 4", " : i32", 0}, // how a custom call is called
    [6] = {"", "", "", DICTIONARY},
    [7] = {"#stablehlo<fft_type ", "FFT IFFT RFFT IRFFT", ">", 0},
    [8] = {"", "", "", FLOAT},
    [9] = {"", "", "", INTEGER},
    [10] = {"#stablehlo.output_operand_alias<", "", ">", ALIAS},
    [11] = {"#stablehlo<precision ", "DEFAULT HIGH HIGHEST", ">", 0},
    [12] = {"#stablehlo<rng_algorithm ", "DEFAULT THREE_FRY PHILOX", ">", 0},
    [13] = {"#stablehlo<rng_distribution ", "INVALID UNIFORM NORMAL", ">", 0},
    [14] = {"", "", "", STRING},
    [15] = {"", "", "", DENSE},
    [16] = {"#stablehlo<transpose ", "INVALID NO_TRANSPOSE TRANSPOSE ADJOINT", ">", 0},
    [17] = {"", "", "", TYPE},
    [18] = {"#stablehlo.bounds<", "", ">", BOUNDS},
    [19] = {"#stablehlo.result_accuracy_mode<", "DEFAULT HIGHEST TOLERANCE", ">", 0},
    [20] = {"#stablehlo.result_accuracy<", "", ">", ACCURACY},
};

HLO_LATE_DATA static const mlir_code types[] = {
    [0] = {"i1", "", "", 0},
    [1] = {"complex<", "", ">", TYPE},
    [2] = {"bf16", "", "", 0},
    [3] = {"f16", "", "", 0},
    [4] = {"f32", "", "", 0},
    [5] = {"f64", "", "", 0},
    [6] = {"f8E4M3FN", "", "", 0},
    [7] = {"f8E5M2", "", "", 0},
    [8] = {"", "", "", FUNCTION},
    [9] = {"index", "", "", 0},
    [10] = {"i4", "", "", 0},
    [11] = {"i8", "", "", 0},
    [12] = {"i16", "", "", 0},
    [13] = {"i32", "", "", 0},
    [14] = {"i64", "", "", 0},
    [15] = {"ui4", "", "", 0},
    [16] = {"ui8", "", "", 0},
    [17] = {"ui16", "", "", 0},
    [18] = {"ui32", "", "", 0},
    [19] = {"ui64", "", "", 0},
    [20] = {"tensor<", "", ">", TENSOR},
    [21] = {"tensor<", "", ">", ENCODED_TENSOR},
    [22] = {"!stablehlo.token", "", "", 0},
    [23] = {"tuple<", "", ">", TYPES},
    [25] = {"tensor<*x", "", ">", TYPE},
    [27] = {"f8E4M3FNUZ", "", "", 0},
    [28] = {"f8E5M2FNUZ", "", "", 0},
    [29] = {"f8E4M3B11FNUZ", "", "", 0},
    [31] = {"i2", "", "", 0},
    [32] = {"ui2", "", "", 0},
    [33] = {"none", "", "", 0},
    [34] = {"tf32", "", "", 0},
    [35] = {"f8E4M3", "", "", 0},
    [36] = {"f8E3M4", "", "", 0},
    [37] = {"f4E2M1FN", "", "", 0},
    [38] = {"f6E2M3FN", "", "", 0},
    [39] = {"f6E3M2FN", "", "", 0},
    [40] = {"f8E8M0FNU", "", "", 0},
    [42] = {"!stablehlo.future<", "", ">", TYPES},
};

const mlir_dialect_codes hlo_vhlo_codes = {
    .name = "vhlo",
    .attributes = attributes,
    .attribute_count = sizeof attributes / sizeof *attributes,
    .types = types,
    .type_count = sizeof types / sizeof *types,
    .read = read_rest,
    .string_code = 14,
};

// CHLO has operations that StableHLO lacks, and encodes little.
HLO_LATE_DATA static const mlir_code chlo_attributes[] = {
    [0] = {"#chlo<comparison_direction ", DIRECTIONS, ">", 0},
    [1] = {"#chlo<comparison_type ", COMPARISONS, ">", 0},
};

const mlir_dialect_codes hlo_chlo_codes = {
    .name = "chlo",
    .attributes = chlo_attributes,
    .attribute_count = sizeof chlo_attributes / sizeof *chlo_attributes,
    .read = read_rest,
    .string_code = UINT64_MAX,
};
