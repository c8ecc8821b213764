// Sizes that a program computes with MLIR's own dialects (arith, tensor, shape), as torch-mlir and
// MHLO write them around StableHLO's dynamic operations.
#ifndef HLO_TEXT_STABLEHLO_IMPORT_SIZES_H
#define HLO_TEXT_STABLEHLO_IMPORT_SIZES_H

#include "text/stablehlo/import/import.h"

#include <string.h>

// Whether the operation is of these dialects.
static inline bool hlo_sizes_is(const char *name) {
  return strncmp(name, "arith.", 6) == 0 || strncmp(name, "tensor.", 7) == 0 ||
         strncmp(name, "shape.", 6) == 0;
}
// Reads the pretty form, after the operation's name.
hlo_status hlo_sizes_read(mlir_parser *parser, mlir_operation *operation, hlo_error *error);
hlo_import_function hlo_import_sizes;

// witness.c: the same for what shape's operations say that sizes must be.
bool hlo_witness_is(const char *name);
hlo_status hlo_witness_read(mlir_parser *parser, mlir_operation *operation, hlo_error *error);
hlo_import_function hlo_import_witness;

#endif
