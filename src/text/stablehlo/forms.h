// The pretty forms of operations, for the parser and the printer.
#ifndef HLO_TEXT_STABLEHLO_FORMS_H
#define HLO_TEXT_STABLEHLO_FORMS_H

#include "text/mlir/parser.h"

// The format of forms.def, "%*" for an operation that is not listed.
const char *hlo_stablehlo_form(const char *name);

// The next word of a format: *length characters from the result on; NULL at the end.
const char *hlo_stablehlo_form_word(const char **format, size_t *length);

// Reads operands and attributes as the format says.
hlo_status hlo_stablehlo_read_form(mlir_parser *parser, const char *format,
                                   mlir_operation *operation, mlir_list *operands,
                                   hlo_error *error);

// Optional "{…}".
hlo_status hlo_stablehlo_read_attributes(mlir_parser *parser, mlir_operation *operation,
                                         hlo_error *error);

// The types at the end, in every way that operations write them:
//   : (T, T) -> T    all of them           : T, T -> T    the same without parentheses
//   : T              of every operand and of the one result
hlo_status hlo_stablehlo_read_types(mlir_parser *parser, mlir_operation *operation,
                                    const mlir_list *operands, hlo_error *error);

// Reductions, loops, functions and modules: regions.c. Each reads what stands after the
// operation's name.
typedef hlo_status hlo_stablehlo_reader(mlir_parser *parser, mlir_operation *operation,
                                        hlo_error *error);
hlo_stablehlo_reader hlo_stablehlo_read_reduce, hlo_stablehlo_read_while, hlo_stablehlo_read_scan,
    hlo_stablehlo_read_func, hlo_stablehlo_read_module;

#endif
