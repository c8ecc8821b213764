// The attributes and types of VHLO, StableHLO's versioned twin, in MLIR's binary form: as the text
// that StableHLO has for them. See bytecode.h. Inferred from what jaxlib writes for programs that
// have one of them (tests/fixtures/bytecode.py); "VHLO Dialect" (openxla.org/stablehlo/vhlo) says
// what they mean.
#include "text/bytecode/bytecode.h"

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
  hlo_bytecode_add(b, "output_tuple_indices = [");
  HLO_TRY(hlo_bytecode_next_sizes(b, in, error));
  hlo_bytecode_add(b, "], operand_index = ");
  HLO_TRY(hlo_bytecode_next_size(b, in, error));
  hlo_bytecode_add(b, ", operand_tuple_indices = [");
  HLO_TRY(hlo_bytecode_next_sizes(b, in, error));
  hlo_bytecode_add(b, "]");
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

enum { READ_BOOLEAN = READ_OWN, READ_ALIAS, READ_ACCURACY };
static hlo_bytecode_function *const own[] = {boolean, alias, accuracy};

#define DIRECTIONS  "EQ NE GE GT LE LT"
#define COMPARISONS "NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED"

// By code. A version of StableHLO adds codes at the end.
static const mlir_code attributes[] = {
    [1] = {"[", "", "]", READ_ATTRIBUTES},
    [2] = {"", "", "", READ_BOOLEAN},
    [3] = {"#stablehlo<comparison_direction ", DIRECTIONS, ">", READ_NOTHING},
    [4] = {"#stablehlo<comparison_type ", COMPARISONS, ">", READ_NOTHING},
    [5] = {"", "0 1 2 3 4", " : i32", READ_NOTHING}, // how a custom call is called
    [6] = {"", "", "", READ_DICTIONARY},
    [7] = {"#stablehlo<fft_type ", "FFT IFFT RFFT IRFFT", ">", READ_NOTHING},
    [8] = {"", "", "", READ_FLOAT},
    [9] = {"", "", "", READ_INTEGER},
    [10] = {"#stablehlo.output_operand_alias<", "", ">", READ_ALIAS},
    [11] = {"#stablehlo<precision ", "DEFAULT HIGH HIGHEST", ">", READ_NOTHING},
    [12] = {"#stablehlo<rng_algorithm ", "DEFAULT THREE_FRY PHILOX", ">", READ_NOTHING},
    [13] = {"#stablehlo<rng_distribution ", "INVALID UNIFORM NORMAL", ">", READ_NOTHING},
    [14] = {"", "", "", READ_STRING},
    [15] = {"", "", "", READ_DENSE},
    [16] = {"#stablehlo<transpose ", "INVALID NO_TRANSPOSE TRANSPOSE ADJOINT", ">", READ_NOTHING},
    [17] = {"", "", "", READ_TYPE},
    [18] = {"#stablehlo.bounds<", "", ">", READ_SIZES},
    [19] = {"#stablehlo.result_accuracy_mode<", "DEFAULT HIGHEST TOLERANCE", ">", READ_NOTHING},
    [20] = {"#stablehlo.result_accuracy<", "", ">", READ_ACCURACY},
};

static const mlir_code types[] = {
    [0] = {"i1", "", "", READ_NOTHING},
    [1] = {"complex<", "", ">", READ_TYPE},
    [2] = {"bf16", "", "", READ_NOTHING},
    [3] = {"f16", "", "", READ_NOTHING},
    [4] = {"f32", "", "", READ_NOTHING},
    [5] = {"f64", "", "", READ_NOTHING},
    [6] = {"f8E4M3FN", "", "", READ_NOTHING},
    [7] = {"f8E5M2", "", "", READ_NOTHING},
    [8] = {"", "", "", READ_FUNCTION},
    [9] = {"index", "", "", READ_NOTHING},
    [10] = {"i4", "", "", READ_NOTHING},
    [11] = {"i8", "", "", READ_NOTHING},
    [12] = {"i16", "", "", READ_NOTHING},
    [13] = {"i32", "", "", READ_NOTHING},
    [14] = {"i64", "", "", READ_NOTHING},
    [15] = {"ui4", "", "", READ_NOTHING},
    [16] = {"ui8", "", "", READ_NOTHING},
    [17] = {"ui16", "", "", READ_NOTHING},
    [18] = {"ui32", "", "", READ_NOTHING},
    [19] = {"ui64", "", "", READ_NOTHING},
    [20] = {"tensor<", "", ">", READ_TENSOR},
    [21] = {"tensor<", "", ">", READ_ENCODED_TENSOR},
    [22] = {"!stablehlo.token", "", "", READ_NOTHING},
    [23] = {"tuple<", "", ">", READ_TYPES},
    [25] = {"tensor<*x", "", ">", READ_TYPE},
    [27] = {"f8E4M3FNUZ", "", "", READ_NOTHING},
    [28] = {"f8E5M2FNUZ", "", "", READ_NOTHING},
    [29] = {"f8E4M3B11FNUZ", "", "", READ_NOTHING},
    [31] = {"i2", "", "", READ_NOTHING},
    [32] = {"ui2", "", "", READ_NOTHING},
    [33] = {"none", "", "", READ_NOTHING},
    [34] = {"tf32", "", "", READ_NOTHING},
    [35] = {"f8E4M3", "", "", READ_NOTHING},
    [36] = {"f8E3M4", "", "", READ_NOTHING},
    [37] = {"f4E2M1FN", "", "", READ_NOTHING},
    [38] = {"f6E2M3FN", "", "", READ_NOTHING},
    [39] = {"f6E3M2FN", "", "", READ_NOTHING},
    [40] = {"f8E8M0FNU", "", "", READ_NOTHING},
    [42] = {"!stablehlo.future<", "", ">", READ_TYPES},
};

const mlir_dialect_codes hlo_vhlo_codes = {
    .name = "vhlo",
    .attributes = attributes,
    .attribute_count = sizeof attributes / sizeof *attributes,
    .types = types,
    .type_count = sizeof types / sizeof *types,
    .own = own,
    .string_code = 14,
};

// CHLO has operations that StableHLO lacks, and encodes little.
static const mlir_code chlo_attributes[] = {
    [0] = {"#chlo<comparison_direction ", DIRECTIONS, ">", READ_NOTHING},
    [1] = {"#chlo<comparison_type ", COMPARISONS, ">", READ_NOTHING},
};

const mlir_dialect_codes hlo_chlo_codes = {
    .name = "chlo",
    .attributes = chlo_attributes,
    .attribute_count = sizeof chlo_attributes / sizeof *chlo_attributes,
    .string_code = UINT64_MAX,
};
