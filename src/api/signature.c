// The exported C API: what a file of jax.export says about the function that it was made from.
// Conventions and contracts in include/hlo.h.
#include "api/api.h"

#include "api/json.h"
#include "text/export/jax_export.h"

enum { DEEPEST = 200 };

static hlo_status add_name(hlo_string *out, const hlo_jax_export *x, flat_vector text,
                           hlo_arena *arena) {
  const char *name = hlo_arena_copy_text(arena, x->file.bytes + text.at, text.count);
  if (name == NULL) return HLO_OUT_OF_MEMORY;
  hlo_json_text(out, name);
  return HLO_OK;
}

static bool add_tree(hlo_string *out, const hlo_jax_export *x, const hlo_jax_tree *tree,
                     int32_t depth, hlo_arena *arena);

// "[child,child]", or "{"name":child}". A tree shares no parts in a file that JAX wrote; one that
// does, to be long, is given up when its text is longer than the file.
static bool add_children(hlo_string *out, const hlo_jax_export *x, const hlo_jax_tree *tree,
                         int32_t depth, hlo_arena *arena) {
  bool has_names = tree->kind == HLO_JAX_DICTIONARY;
  hlo_string_add_char(out, '[');
  for (uint32_t i = 0; i < tree->children.count; i++) {
    hlo_jax_tree child;
    flat_vector name;
    if (i > 0) hlo_string_add_char(out, ',');
    if (has_names) {
      hlo_string_add_char(out, '[');
      if (!hlo_flat_text_in(&x->file, tree->names, i, &name) ||
          add_name(out, x, name, arena) != HLO_OK)
        return false;
      hlo_string_add_char(out, ',');
    }
    if (!hlo_jax_tree_child(x, tree, i, &child) || !add_tree(out, x, &child, depth + 1, arena))
      return false;
    if (has_names) hlo_string_add_char(out, ']');
  }
  hlo_string_add_char(out, ']');
  return true;
}

static bool add_tree(hlo_string *out, const hlo_jax_export *x, const hlo_jax_tree *tree,
                     int32_t depth, hlo_arena *arena) {
  static const char *const kinds[] = {"leaf", "none", "tuple", "list", "dictionary", "custom"};
  if (depth > DEEPEST || out->length > 4096 + 8 * x->file.length) return false;
  hlo_string_add_format(out, "[\"%s\"", kinds[tree->kind]);
  if (tree->kind != HLO_JAX_LEAF && tree->kind != HLO_JAX_NONE) {
    hlo_string_add_char(out, ',');
    if (!add_children(out, x, tree, depth, arena)) return false;
  }
  hlo_string_add_char(out, ']');
  return true;
}

// "key":tree, or null where the file does not tell it.
static void add_tree_field(hlo_string *out, const char *key, const hlo_jax_export *x,
                           bool of_results, hlo_arena *arena) {
  hlo_jax_tree tree;
  hlo_json_key(out, key);
  size_t start = out->length;
  if (hlo_jax_export_tree(x, of_results, &tree) && add_tree(out, x, &tree, 0, arena)) return;
  out->length = start;
  hlo_string_add(out, "null");
}

// Adds {"inputs": 3, "kept": [0, 2], "arguments": tree, "results": tree, "hasVjp": false} of a
// file of jax.export, or nothing for other programs. inputs: the number of leaves of the function's
// arguments; kept: those that are parameters of the program. For trees see hlo_api_module_parse;
// null where the file has none.
void hlo_api_add_signature(hlo_string *out, const char *bytes, uint32_t length, int32_t vjp) {
  hlo_jax_export x, next;
  flat_vector kept;
  uint32_t count, number;
  hlo_arena arena = {0};
  if (!hlo_jax_export_open(bytes, length, vjp, &x) || !hlo_bytecode_has_magic(x.module) ||
      !hlo_jax_export_arguments(&x, &count, &kept))
    return;
  hlo_string_add_char(out, '{');
  hlo_json_field_int(out, "inputs", count);
  hlo_json_key(out, "kept");
  hlo_string_add_char(out, '[');
  for (uint32_t i = 0; i < kept.count; i++) {
    hlo_flat_number(&x.file, kept.at + 2 * (uint64_t)i, 2, &number);
    hlo_json_comma(out);
    hlo_string_add_int(out, number);
  }
  hlo_string_add_char(out, ']');
  add_tree_field(out, "arguments", &x, false, &arena);
  add_tree_field(out, "results", &x, true, &arena);
  hlo_json_field_bool(out, "hasVjp", hlo_jax_export_open(bytes, length, vjp + 1, &next));
  hlo_string_add_char(out, '}');
  hlo_arena_free(&arena);
}
