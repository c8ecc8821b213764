// See jax_export.h. The field numbers were determined from files (tests/fixtures/bytecode.py). The
// file's version is ignored: newer ones append fields to tables. The program's arguments depend on
// the calling convention, which has a separate version.
#include "text/export/jax_export.h"

#include <string.h>

enum { // fields of the table at the root
  FIELD_ARGUMENT_TREE = 2,
  FIELD_ARGUMENTS = 3, // types: tables
  FIELD_RESULT_TREE = 4,
  FIELD_PLATFORMS = 9,         // texts
  FIELD_MODULE = 13,           // bytes
  FIELD_CONVENTION = 14,       // 16 bits: the version of how the program takes its arguments
  FIELD_KEPT = 15,             // 16 bits each
  FIELD_VJP = 17,              // a table like this
  FIELD_ARGUMENT_NUMBERS = 22, // in place of FIELD_ARGUMENTS: 16 bits each, of a list of types
};
enum { // of a tree's table
  FIELD_KIND = 0,
  FIELD_CHILDREN = 1,
  FIELD_NAMES = 2,
};
enum { OLDEST_CONVENTION = 9, NEWEST_CONVENTION = 10 };

bool hlo_jax_export_open(const char *bytes, size_t length, int32_t vjp, hlo_jax_export *out) {
  flat_vector module;
  *out = (hlo_jax_export){.file = {bytes, length}};
  if (!hlo_flat_root(&out->file, &out->table)) return false;
  for (; vjp > 0; vjp--)
    if (!hlo_flat_field_table(&out->file, out->table, FIELD_VJP, &out->table)) return false;
  if (!hlo_flat_field_vector(&out->file, out->table, FIELD_MODULE, 1, &module)) return false;
  out->module = (mlir_slice){bytes + module.at, module.count};
  return true;
}

hlo_status hlo_jax_export_check(const char *bytes, size_t length, int32_t vjp, hlo_jax_export *out,
                                hlo_error *error) {
  uint32_t convention;
  if (!hlo_jax_export_open(bytes, length, 0, out))
    return hlo_fail(error, HLO_PARSE_ERROR, "this is no file of jax.export");
  if (!hlo_jax_export_open(bytes, length, vjp, out))
    return hlo_fail(error, HLO_INVALID_ARGUMENT,
                    "this file of jax.export has no vector-Jacobian product of order %d: write it "
                    "with serialize(vjp_order=%d)",
                    vjp, vjp);
  hlo_flat_field_number(&out->file, out->table, FIELD_CONVENTION, 2, &convention);
  if (convention >= OLDEST_CONVENTION && convention <= NEWEST_CONVENTION) return HLO_OK;
  return hlo_fail(error, HLO_UNSUPPORTED,
                  "this file of jax.export has calling convention %u; known are %d to %d. The "
                  "program alone, exported.mlir_module_serialized, may be read",
                  convention, (int)OLDEST_CONVENTION, (int)NEWEST_CONVENTION);
}

flat_vector hlo_jax_export_platforms(const hlo_jax_export *x) {
  flat_vector platforms;
  hlo_flat_field_vector(&x->file, x->table, FIELD_PLATFORMS, 4, &platforms);
  return platforms;
}

static bool is_platform(const hlo_jax_export *x, flat_vector text, const char *name) {
  return text.count == strlen(name) && memcmp(x->file.bytes + text.at, name, text.count) == 0;
}

int32_t hlo_jax_export_platform(const hlo_jax_export *x, const char *name) {
  flat_vector platforms = hlo_jax_export_platforms(x), text;
  const char *names[] = {name == NULL ? "" : name, "cpu"};
  for (int k = 0; k < 2; k++) {
    for (uint32_t i = 0; i < platforms.count; i++) {
      if (!hlo_flat_text_in(&x->file, platforms, i, &text)) break;
      bool is_gpu = strcmp(names[k], "gpu") == 0 &&
                    (is_platform(x, text, "cuda") || is_platform(x, text, "rocm"));
      if (is_gpu || is_platform(x, text, names[k])) return (int32_t)i;
    }
  }
  return 0;
}

bool hlo_jax_export_arguments(const hlo_jax_export *x, uint32_t *count, flat_vector *kept) {
  flat_vector types;
  if (!hlo_flat_field_vector(&x->file, x->table, FIELD_ARGUMENTS, 4, &types) || types.count == 0)
    hlo_flat_field_vector(&x->file, x->table, FIELD_ARGUMENT_NUMBERS, 2, &types);
  *count = types.count;
  return hlo_flat_field_vector(&x->file, x->table, FIELD_KEPT, 2, kept) &&
         kept->count <= types.count;
}

static bool read_tree(const hlo_jax_export *x, uint64_t table, hlo_jax_tree *out) {
  uint32_t kind;
  *out = (hlo_jax_tree){0};
  hlo_flat_field_number(&x->file, table, FIELD_KIND, 1, &kind);
  hlo_flat_field_vector(&x->file, table, FIELD_CHILDREN, 4, &out->children);
  hlo_flat_field_vector(&x->file, table, FIELD_NAMES, 4, &out->names);
  out->kind = kind > HLO_JAX_CUSTOM ? HLO_JAX_CUSTOM : (hlo_jax_tree_kind)kind;
  return kind != HLO_JAX_DICTIONARY || out->names.count == out->children.count;
}

bool hlo_jax_export_tree(const hlo_jax_export *x, bool of_results, hlo_jax_tree *out) {
  uint64_t table;
  uint32_t field = of_results ? FIELD_RESULT_TREE : FIELD_ARGUMENT_TREE;
  return hlo_flat_field_table(&x->file, x->table, field, &table) && read_tree(x, table, out);
}

bool hlo_jax_tree_child(const hlo_jax_export *x, const hlo_jax_tree *tree, uint32_t i,
                        hlo_jax_tree *out) {
  uint64_t table;
  return hlo_flat_table_in(&x->file, tree->children, i, &table) && read_tree(x, table, out);
}
