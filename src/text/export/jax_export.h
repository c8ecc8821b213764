// Files of jax.export's serialize(): a FlatBuffer with a program and the signature of the function
// that it was exported from.
#ifndef HLO_TEXT_EXPORT_JAX_EXPORT_H
#define HLO_TEXT_EXPORT_JAX_EXPORT_H

#include "text/bytecode/bytecode.h"
#include "text/export/flat_buffer.h"

typedef struct hlo_jax_export {
  flat_file file;
  uint64_t table;
  mlir_slice module; // the program
} hlo_jax_export;

// How arguments or results are nested. Of a dictionary, children have names.
typedef enum hlo_jax_tree_kind {
  HLO_JAX_LEAF,
  HLO_JAX_NONE,
  HLO_JAX_TUPLE,
  HLO_JAX_LIST,
  HLO_JAX_DICTIONARY,
  HLO_JAX_CUSTOM, // of a class of Python's
} hlo_jax_tree_kind;
typedef struct hlo_jax_tree {
  hlo_jax_tree_kind kind;
  flat_vector children, names;
} hlo_jax_tree;

// vjp: 0 for the function itself, 1 for its vector-Jacobian product, 2 for that one's. False: the
// bytes are no such file, or it has none stored.
bool hlo_jax_export_open(const char *bytes, size_t length, int32_t vjp, hlo_jax_export *out);
// The same with an error, also for a calling convention that is not known.
hlo_status hlo_jax_export_check(const char *bytes, size_t length, int32_t vjp, hlo_jax_export *out,
                                hlo_error *error);

// The platforms that the program is for, a text each: what its platform argument counts.
flat_vector hlo_jax_export_platforms(const hlo_jax_export *x);
// The number of the one that is called so, else of the CPU, else 0. name: "" or NULL for any.
int32_t hlo_jax_export_platform(const hlo_jax_export *x, const char *name);
// The number of leaves of the function's arguments, and, as 16 bits each, the indices of those that
// the program takes. False: the file does not say.
bool hlo_jax_export_arguments(const hlo_jax_export *x, uint32_t *count, flat_vector *kept);
// The tree of its arguments, a tuple of a tuple and a dictionary, or of its results.
bool hlo_jax_export_tree(const hlo_jax_export *x, bool of_results, hlo_jax_tree *out);
bool hlo_jax_tree_child(const hlo_jax_export *x, const hlo_jax_tree *tree, uint32_t i,
                        hlo_jax_tree *out);

#endif
