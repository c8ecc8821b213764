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

static hlo_status string(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  mlir_slice text;
  HLO_TRY(hlo_bytecode_string(b, in, &text, error));
  hlo_bytecode_add_quoted(b, text);
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

static hlo_status tensor(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  HLO_TRY(hlo_bytecode_next_sizes(b, in, error));
  return hlo_bytecode_next_type(b, in, error);
}

// The encoding comes first here, and last in the text.
static hlo_status encoded_tensor(mlir_bytecode *b, mlir_bytes *in, hlo_error *error) {
  int32_t encoding;
  HLO_TRY(hlo_bytecode_index(b, in, b->attribute_count, "attribute", &encoding, error));
  HLO_TRY(tensor(b, in, error));
  hlo_bytecode_add(b, ", ");
  return hlo_bytecode_write_attribute(b, encoding, error);
}

#define DIRECTIONS  "EQ NE GE GT LE LT"
#define COMPARISONS "NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED"

// By code. A version of StableHLO adds codes at the end.
static const mlir_code attributes[] = {
    [1] = {"[", hlo_bytecode_next_attributes, "]", NULL},
    [2] = {NULL, boolean, NULL, NULL},
    [3] = {"#stablehlo<comparison_direction ", NULL, ">", DIRECTIONS},
    [4] = {"#stablehlo<comparison_type ", NULL, ">", COMPARISONS},
    [5] = {"", NULL, " : i32", "0 1 2 3 4"}, // how a custom call is called
    [6] = {NULL, hlo_bytecode_next_dictionary, NULL, NULL},
    [7] = {"#stablehlo<fft_type ", NULL, ">", "FFT IFFT RFFT IRFFT"},
    [8] = {NULL, hlo_bytecode_next_float, NULL, NULL},
    [9] = {NULL, hlo_bytecode_next_integer, NULL, NULL},
    [10] = {"#stablehlo.output_operand_alias<", alias, ">", NULL},
    [11] = {"#stablehlo<precision ", NULL, ">", "DEFAULT HIGH HIGHEST"},
    [12] = {"#stablehlo<rng_algorithm ", NULL, ">", "DEFAULT THREE_FRY PHILOX"},
    [13] = {"#stablehlo<rng_distribution ", NULL, ">", "INVALID UNIFORM NORMAL"},
    [14] = {NULL, string, NULL, NULL},
    [15] = {NULL, hlo_bytecode_next_dense, NULL, NULL},
    [16] = {"#stablehlo<transpose ", NULL, ">", "INVALID NO_TRANSPOSE TRANSPOSE ADJOINT"},
    [17] = {NULL, hlo_bytecode_next_type, NULL, NULL},
    [18] = {"#stablehlo.bounds<", bounds, ">", NULL},
    [19] = {"#stablehlo.result_accuracy_mode<", NULL, ">", "DEFAULT HIGHEST TOLERANCE"},
    [20] = {"#stablehlo.result_accuracy<", accuracy, ">", NULL},
};

static const mlir_code types[] = {
    [0] = {"i1", NULL, NULL, NULL},
    [1] = {"complex<", hlo_bytecode_next_type, ">", NULL},
    [2] = {"bf16", NULL, NULL, NULL},
    [3] = {"f16", NULL, NULL, NULL},
    [4] = {"f32", NULL, NULL, NULL},
    [5] = {"f64", NULL, NULL, NULL},
    [6] = {"f8E4M3FN", NULL, NULL, NULL},
    [7] = {"f8E5M2", NULL, NULL, NULL},
    [8] = {NULL, hlo_bytecode_next_function, NULL, NULL},
    [9] = {"index", NULL, NULL, NULL},
    [10] = {"i4", NULL, NULL, NULL},
    [11] = {"i8", NULL, NULL, NULL},
    [12] = {"i16", NULL, NULL, NULL},
    [13] = {"i32", NULL, NULL, NULL},
    [14] = {"i64", NULL, NULL, NULL},
    [15] = {"ui4", NULL, NULL, NULL},
    [16] = {"ui8", NULL, NULL, NULL},
    [17] = {"ui16", NULL, NULL, NULL},
    [18] = {"ui32", NULL, NULL, NULL},
    [19] = {"ui64", NULL, NULL, NULL},
    [20] = {"tensor<", tensor, ">", NULL},
    [21] = {"tensor<", encoded_tensor, ">", NULL},
    [22] = {"!stablehlo.token", NULL, NULL, NULL},
    [23] = {"tuple<", hlo_bytecode_next_types, ">", NULL},
    [25] = {"tensor<*x", hlo_bytecode_next_type, ">", NULL},
    [27] = {"f8E4M3FNUZ", NULL, NULL, NULL},
    [28] = {"f8E5M2FNUZ", NULL, NULL, NULL},
    [29] = {"f8E4M3B11FNUZ", NULL, NULL, NULL},
    [31] = {"i2", NULL, NULL, NULL},
    [32] = {"ui2", NULL, NULL, NULL},
    [33] = {"none", NULL, NULL, NULL},
    [34] = {"tf32", NULL, NULL, NULL},
    [35] = {"f8E4M3", NULL, NULL, NULL},
    [36] = {"f8E3M4", NULL, NULL, NULL},
    [37] = {"f4E2M1FN", NULL, NULL, NULL},
    [38] = {"f6E2M3FN", NULL, NULL, NULL},
    [39] = {"f6E3M2FN", NULL, NULL, NULL},
    [40] = {"f8E8M0FNU", NULL, NULL, NULL},
};

const mlir_dialect_codes hlo_vhlo_codes = {
    .name = "vhlo",
    .attributes = attributes,
    .attribute_count = sizeof attributes / sizeof *attributes,
    .types = types,
    .type_count = sizeof types / sizeof *types,
    .string_code = 14,
};

// CHLO has operations that StableHLO lacks, and encodes little.
static const mlir_code chlo_attributes[] = {
    [0] = {"#chlo<comparison_direction ", NULL, ">", DIRECTIONS},
    [1] = {"#chlo<comparison_type ", NULL, ">", COMPARISONS},
};

const mlir_dialect_codes hlo_chlo_codes = {
    .name = "chlo",
    .attributes = chlo_attributes,
    .attribute_count = sizeof chlo_attributes / sizeof *chlo_attributes,
    .string_code = UINT64_MAX,
};
