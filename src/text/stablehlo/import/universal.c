// Imports the attributes that any operation, argument or result may have: mhlo.sharding,
// mhlo.frontend_attributes, mhlo.backend_config. See import.h.
#include "text/stablehlo/import/import.h"

#include "hlo/attributes/transfer_pairs.h"
#include "text/attributes/lexer.h"

#include <string.h>

void hlo_import_add_quoted(hlo_string *out, const char *text) {
  hlo_string_add_char(out, '"');
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\') hlo_string_add_char(out, '\\');
    if (*text == '\n') hlo_string_add(out, "\\n");
    else hlo_string_add_char(out, *text);
  }
  hlo_string_add_char(out, '"');
}

hlo_status hlo_import_keep(stablehlo_importer *im, hlo_string *text, const char **out,
                           hlo_error *error) {
  hlo_status status = hlo_string_status(text, error);
  if (status == HLO_OK) {
    *out =
        hlo_arena_copy_text(&im->module->arena, text->text == NULL ? "" : text->text, text->length);
    if (*out == NULL) status = hlo_fail_out_of_memory(error);
  }
  hlo_string_free(text);
  return status;
}

hlo_status hlo_import_frontend(stablehlo_importer *im, const mlir_attribute *all,
                               const char *prefix, const char *besides, const char **out,
                               hlo_error *error) {
  hlo_string text = {0};
  int32_t written = 0;
  *out = NULL;
  if (all == NULL || all->kind != MLIR_DICTIONARY) return HLO_OK;
  hlo_string_add(&text, prefix);
  for (int32_t i = 0; i < all->count; i++) {
    const mlir_entry *entry = &all->entries[i];
    if (entry->value->kind != MLIR_STRING) continue;
    if (besides != NULL && strcmp(entry->name, besides) == 0) continue;
    hlo_string_add_format(&text, "%s%s=", written++ > 0 ? "," : "{", entry->name);
    hlo_import_add_quoted(&text, entry->value->text);
  }
  hlo_string_add(&text, "}");
  HLO_TRY(hlo_import_keep(im, &text, out, error));
  if (written == 0) *out = NULL;
  return HLO_OK;
}

// --- adding attributes to an instruction ---

static hlo_status set_text(stablehlo_importer *im, hlo_instruction *x, hlo_attribute_id id,
                           const char *text, hlo_error *error) {
  hlo_attribute *all;
  int32_t count = x->attribute_count;
  for (int32_t i = 0; i < count; i++) {
    if (x->attributes[i].id != id) continue;
    x->attributes[i].text = text;
    return HLO_OK;
  }
  HLO_ALLOC(all, &im->module->arena, (int64_t)count + 1, error);
  if (count > 0) memcpy(all, x->attributes, (size_t)count * sizeof *all);
  all[count] = hlo_attribute_make_text(id, text);
  x->attributes = all;
  x->attribute_count = count + 1;
  return HLO_OK;
}

static hlo_status add_sharding(stablehlo_importer *im, const mlir_attribute *sharding,
                               hlo_instruction *x, hlo_error *error) {
  bool is_text = sharding != NULL && sharding->kind == MLIR_STRING &&
                 hlo_lexer_is_braced(sharding->text, strlen(sharding->text));
  if (!is_text || hlo_find_attribute(x, HLO_ATTRIBUTE_SHARDING) != NULL) return HLO_OK;
  const char *text =
      hlo_arena_copy_text(&im->module->arena, sharding->text, strlen(sharding->text));
  if (text == NULL) return hlo_fail_out_of_memory(error);
  return set_text(im, x, HLO_ATTRIBUTE_SHARDING, text, error);
}

// After the operation's own attributes.
static hlo_status add_frontend(stablehlo_importer *im, const mlir_attribute *all,
                               hlo_instruction *x, hlo_error *error) {
  const char *own = hlo_get_text(x, HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES), *text;
  bool has_pairs = own != NULL && hlo_transfer_pairs(x) != NULL;
  HLO_TRY(
      hlo_import_frontend(im, all, "", has_pairs ? HLO_TRANSFER_PAIRS_KEY : NULL, &text, error));
  if (text == NULL) return HLO_OK;
  if (own != NULL && own[0] == '{' && own[1] != '}') {
    hlo_string both = {0};
    hlo_string_add_bytes(&both, own, strlen(own) - 1);
    hlo_string_add_format(&both, ",%s", text + 1);
    HLO_TRY(hlo_import_keep(im, &both, &text, error));
  }
  return set_text(im, x, HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES, text, error);
}

void hlo_import_add_config(hlo_string *out, const char *config) {
  size_t blanks = 1 + (config[0] == '{' ? strspn(config + 1, " \n\t") : 0);
  bool is_json = hlo_lexer_is_braced(config, strlen(config)) && config[blanks] == '"';
  if (is_json) hlo_string_add(out, config);
  else hlo_import_add_quoted(out, config);
}

// Custom calls have theirs by themselves.
static hlo_status add_config(stablehlo_importer *im, const mlir_attribute *config,
                             hlo_instruction *x, hlo_error *error) {
  hlo_string text = {0};
  const char *kept;
  if (config == NULL || config->kind != MLIR_STRING || config->text[0] == '\0' ||
      x->opcode == HLO_OP_CUSTOM_CALL)
    return HLO_OK;
  hlo_import_add_config(&text, config->text);
  HLO_TRY(hlo_import_keep(im, &text, &kept, error));
  return set_text(im, x, HLO_ATTRIBUTE_BACKEND_CONFIG, kept, error);
}

hlo_status hlo_import_common(stablehlo_importer *im, int32_t count, mlir_entry *entries,
                             hlo_instruction *x, hlo_error *error) {
  const mlir_attribute all = {.kind = MLIR_DICTIONARY, .count = count, .entries = entries};
  if (count == 0) return HLO_OK;
  HLO_TRY(add_config(im, hlo_mlir_find_entry(&all, "mhlo.backend_config"), x, error));
  HLO_TRY(add_frontend(im, hlo_mlir_find_entry(&all, "mhlo.frontend_attributes"), x, error));
  return add_sharding(im, hlo_mlir_find_entry(&all, "mhlo.sharding"), x, error);
}

// --- operations ---

static bool is_new(const stablehlo_importer *im, const hlo_instruction *x, int32_t first) {
  return x != NULL && x->computation == im->computation && x->id >= first;
}

hlo_status hlo_import_common_of(stablehlo_importer *im, const mlir_operation *op, int32_t first,
                                hlo_error *error) {
  int32_t count = im->computation->instruction_count;
  if (op->attribute_count == 0 || count <= first) return HLO_OK;
  hlo_instruction *x =
      op->result_count > 0 ? op->results[0].instruction : im->computation->instructions[count - 1];
  if (!is_new(im, x, first)) return HLO_OK;
  // The results of one instruction are its elements.
  while (x->opcode == HLO_OP_GET_TUPLE_ELEMENT && is_new(im, x->operands[0], first))
    x = x->operands[0];
  HLO_TRY(hlo_import_common(im, op->attribute_count, op->attributes, x, error));
  // Both halves of a transfer are one operation.
  bool is_done = x->opcode == HLO_OP_SEND_DONE || x->opcode == HLO_OP_RECV_DONE;
  if (!is_done) return HLO_OK;
  return hlo_import_common(im, op->attribute_count, op->attributes, x->operands[0], error);
}

// --- functions ---

static const mlir_attribute *entry_of(const mlir_operation *op, const char *name, int32_t i,
                                      int32_t count) {
  const mlir_attribute *all = hlo_mlir_find_attribute(op, name);
  // An argument that says for which platform the program runs is not among the others any more.
  int32_t skipped = all == NULL ? 0 : all->count - count;
  bool has = all != NULL && all->kind == MLIR_ARRAY && skipped >= 0 && i + skipped < all->count;
  return has && all->elements[i + skipped]->kind == MLIR_DICTIONARY ? all->elements[i + skipped]
                                                                    : NULL;
}

hlo_status hlo_import_argument_attributes(stablehlo_importer *im, const mlir_operation *op,
                                          int32_t i, hlo_instruction *parameter, hlo_error *error) {
  const mlir_region *region = op->regions[0];
  const mlir_value *argument = &region->arguments[i];
  const mlir_attribute *all = entry_of(op, "arg_attrs", i, region->argument_count);
  HLO_TRY(hlo_import_common(im, argument->attribute_count, argument->attributes, parameter, error));
  return all == NULL ? HLO_OK : hlo_import_common(im, all->count, all->entries, parameter, error);
}

// The root that collects several results has their shardings if all of them have one.
hlo_status hlo_import_result_attributes(stablehlo_importer *im, const mlir_operation *op,
                                        int32_t count, hlo_instruction *root, hlo_error *error) {
  hlo_string text = {0};
  const char *kept;
  for (int32_t i = 0; i < count; i++) {
    const mlir_attribute *all = entry_of(op, "res_attrs", i, count);
    if (all != NULL && count == 1 && root->opcode != HLO_OP_PARAMETER)
      return hlo_import_common(im, all->count, all->entries, root, error);
    const mlir_attribute *sharding = all == NULL ? NULL : hlo_mlir_find_entry(all, "mhlo.sharding");
    bool is_text = sharding != NULL && sharding->kind == MLIR_STRING && count > 1 &&
                   hlo_lexer_is_braced(sharding->text, strlen(sharding->text));
    if (!is_text) {
      hlo_string_free(&text);
      return HLO_OK;
    }
    hlo_string_add_format(&text, "%s%s", i > 0 ? ", " : "{", sharding->text);
  }
  if (count == 0) return HLO_OK;
  hlo_string_add_char(&text, '}');
  HLO_TRY(hlo_import_keep(im, &text, &kept, error));
  return set_text(im, root, HLO_ATTRIBUTE_SHARDING, kept, error);
}
