// The files that jax.export's serialize() makes: a FlatBuffer with a program in it. Must not know
// how programs are written.
#ifndef HLO_TEXT_JAX_EXPORT_H
#define HLO_TEXT_JAX_EXPORT_H

#include "text/mlir_bytecode.h"

// Finds the program in the file. False: the bytes are no such file.
bool hlo_jax_export_module(const char *bytes, size_t length, mlir_slice *module);
// The same with an error for bytes that are none, and for a calling convention that is not known.
hlo_status hlo_jax_export_check(const char *bytes, size_t length, mlir_slice *module,
                                hlo_error *error);

#endif
