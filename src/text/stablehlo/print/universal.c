// Prints the attributes that any instruction may have: sharding, frontend attributes, backend
// configuration. They stand in the dictionary of the operation, of the function's argument or of
// its result. See printer.h.
#include "text/stablehlo/print/printer.h"

#include "hlo/attributes/transfer_pairs.h"
#include "text/attributes/lexer.h"

#include <string.h>

void hlo_print_entry(stablehlo_printer *p, stablehlo_dictionary *dictionary, const char *name) {
  if (dictionary->count++ > 0) hlo_string_add(p->out, ", ");
  else hlo_string_add(p->out, dictionary->open == NULL ? " {" : dictionary->open);
  hlo_string_add_format(p->out, "%s = ", name);
}

static hlo_status fail(const hlo_instruction *x, hlo_attribute_id id, hlo_error *error) {
  return hlo_instruction_fail(x, HLO_UNSUPPORTED, error, "StableHLO cannot say its attribute %s",
                              hlo_attribute_name(id));
}

// --- values of HLO text ---

// A value that was read as HLO text before, to be taken apart.
typedef struct value_reader {
  hlo_source source;
  hlo_lexer lexer;
  hlo_error ignored;
} value_reader;

static bool open_value(value_reader *r, const char *text) {
  hlo_error_clear(&r->ignored);
  return hlo_source_open(&r->source, text, strlen(text), &r->ignored) == HLO_OK &&
         hlo_lexer_open(&r->lexer, &r->source, &r->ignored) == HLO_OK;
}

// Whether all was read, to the closing brace.
static bool at_end(value_reader *r) {
  return hlo_lexer_accept(&r->lexer, "}") && hlo_lexer_peek(&r->lexer) == '\0';
}

// The next "key=value" between the braces; false at their end.
static bool next_entry(value_reader *r, hlo_token *key, hlo_token *value) {
  hlo_lexer *lexer = &r->lexer;
  hlo_lexer_accept(lexer, ",");
  hlo_lexer_skip(lexer);
  const char *start = lexer->at;
  const char *sign = memchr(start, '=', (size_t)(lexer->end - start));
  if (sign == NULL || *start == '}') return false;
  *key = (hlo_token){.text = start, .length = (size_t)(sign - start), .at = start};
  while (key->length > 0 && start[key->length - 1] == ' ') key->length--;
  lexer->at = sign + 1;
  return hlo_lexer_value(lexer, "a value", value) == HLO_OK;
}

// The token as text: without quotation marks and escapes, if it has those. NULL: it has a zero
// byte.
static hlo_status plain_text(stablehlo_printer *p, hlo_token token, const char **out,
                             hlo_error *error) {
  char *copy = hlo_arena_copy_text(&p->arena, token.text, token.length);
  value_reader r;
  hlo_token plain;
  if (copy == NULL) return hlo_fail_out_of_memory(error);
  *out = copy;
  if (copy[0] != '"' && copy[0] != '\'') return HLO_OK;
  *out = NULL;
  if (!open_value(&r, copy)) return HLO_OK;
  hlo_status status = hlo_lexer_string(&r.lexer, &p->arena, &plain);
  if (status == HLO_OUT_OF_MEMORY) return hlo_fail_out_of_memory(error);
  if (status != HLO_OK || memchr(plain.text, '\0', plain.length) != NULL) return HLO_OK;
  *out = hlo_arena_copy_text(&p->arena, plain.text, plain.length);
  return *out == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

hlo_status hlo_print_text_of(stablehlo_printer *p, const hlo_instruction *x, hlo_attribute_id id,
                             hlo_error *error) {
  const char *value = hlo_get_text(x, id), *text;
  hlo_token token = {.text = value, .length = strlen(value)};
  HLO_TRY(plain_text(p, token, &text, error));
  if (text == NULL) return fail(x, id, error);
  hlo_print_mlir_quoted(p->out, text);
  return HLO_OK;
}

// --- attributes of front ends ---

// What operations of StableHLO have places of their own for.
static bool is_said_otherwise(const hlo_instruction *x, hlo_token key) {
  static const char pairs[] = HLO_TRANSFER_PAIRS_KEY, composite[] = "composite.";
  if (x->opcode == HLO_OP_SEND || x->opcode == HLO_OP_RECV || x->opcode == HLO_OP_SEND_DONE ||
      x->opcode == HLO_OP_RECV_DONE)
    return hlo_token_is(key, pairs);
  return x->opcode == HLO_OP_CALL && hlo_get_int(x, HLO_ATTRIBUTE_IS_COMPOSITE, 0) != 0 &&
         strncmp(key.text, composite, sizeof composite - 1) == 0;
}

static bool is_bare_key(const char *key) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  bool starts = *key != '\0' && strchr(letters, *key) != NULL;
  size_t rest = strspn(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$.");
  return starts && key[rest] == '\0';
}

static hlo_status print_frontend_attributes(stablehlo_printer *p, const hlo_instruction *x,
                                            stablehlo_dictionary *dictionary, hlo_error *error) {
  static const hlo_attribute_id id = HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES;
  stablehlo_dictionary inner = {.open = "{"};
  value_reader r;
  hlo_token key, value;
  if (!open_value(&r, hlo_get_text(x, id)) || !hlo_lexer_accept(&r.lexer, "{"))
    return fail(x, id, error);
  hlo_print_entry(p, dictionary, "mhlo.frontend_attributes");
  while (next_entry(&r, &key, &value)) {
    const char *name, *text;
    if (is_said_otherwise(x, key)) continue;
    HLO_TRY(plain_text(p, key, &name, error));
    HLO_TRY(plain_text(p, value, &text, error));
    if (name == NULL || text == NULL) return fail(x, id, error);
    hlo_string_add(p->out, inner.count++ > 0 ? ", " : inner.open);
    if (is_bare_key(name)) hlo_string_add(p->out, name);
    else hlo_print_mlir_quoted(p->out, name);
    hlo_string_add(p->out, " = ");
    hlo_print_mlir_quoted(p->out, text);
  }
  hlo_string_add_char(p->out, '}');
  return at_end(&r) ? HLO_OK : fail(x, id, error);
}

// --- all of them ---

static const hlo_attribute_id common[] = {
    HLO_ATTRIBUTE_BACKEND_CONFIG, HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES, HLO_ATTRIBUTE_SHARDING};
enum { COMMON = sizeof common / sizeof *common };

// An empty configuration and no attributes at all are what goes without saying.
static bool has(const hlo_instruction *x, hlo_attribute_id id) {
  const char *text = x->attribute_count == 0 ? NULL : hlo_get_text(x, id);
  value_reader r;
  hlo_token key, value;
  if (text == NULL || text[0] == '\0') return false;
  if (id == HLO_ATTRIBUTE_BACKEND_CONFIG)
    return x->opcode != HLO_OP_CUSTOM_CALL && strcmp(text, "\"\"") != 0;
  if (id == HLO_ATTRIBUTE_SHARDING) return true;
  if (!open_value(&r, text) || !hlo_lexer_accept(&r.lexer, "{")) return true;
  while (next_entry(&r, &key, &value))
    if (!is_said_otherwise(x, key)) return true;
  return !at_end(&r);
}

bool hlo_print_has_common(const hlo_instruction *x) {
  for (int i = 0; i < COMMON; i++)
    if (has(x, common[i])) return true;
  return false;
}

hlo_status hlo_print_check_common(const hlo_instruction *x, hlo_error *error) {
  for (int i = 0; i < COMMON; i++)
    if (has(x, common[i])) return fail(x, common[i], error);
  return HLO_OK;
}

static hlo_status print_common(stablehlo_printer *p, const hlo_instruction *x,
                               stablehlo_dictionary *dictionary, hlo_attribute_id id,
                               hlo_error *error) {
  if (id == HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES)
    return print_frontend_attributes(p, x, dictionary, error);
  hlo_print_entry(p, dictionary,
                  id == HLO_ATTRIBUTE_SHARDING ? "mhlo.sharding" : "mhlo.backend_config");
  // Shardings of another form are not read: MLIR also has them as bytes.
  if (id == HLO_ATTRIBUTE_SHARDING && hlo_get_text(x, id)[0] != '{') return fail(x, id, error);
  return hlo_print_text_of(p, x, id, error);
}

hlo_status hlo_print_close(stablehlo_printer *p, const hlo_instruction *x,
                           stablehlo_dictionary *dictionary, hlo_error *error) {
  for (int i = 0; i < COMMON; i++)
    if (has(x, common[i])) HLO_TRY(print_common(p, x, dictionary, common[i], error));
  if (dictionary->count > 0) hlo_string_add_char(p->out, '}');
  p->is_said = true;
  return HLO_OK;
}

hlo_status hlo_print_common(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_dictionary dictionary = {0};
  return hlo_print_close(p, x, &dictionary, error);
}

// --- results of functions ---

// The root that collects the results says their shardings together.
bool hlo_print_result_shardings(const hlo_instruction *root, int32_t count, hlo_token *out) {
  const char *text = hlo_get_text(root, HLO_ATTRIBUTE_SHARDING);
  value_reader r;
  bool is_tuple = root->opcode == HLO_OP_TUPLE && count == root->shape->element_count && count > 1;
  if (!is_tuple || text == NULL || has(root, HLO_ATTRIBUTE_BACKEND_CONFIG) ||
      has(root, HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES) || !open_value(&r, text) ||
      !hlo_lexer_accept(&r.lexer, "{"))
    return false;
  for (int32_t i = 0; i < count; i++) {
    hlo_token element;
    if (i > 0 && !hlo_lexer_accept(&r.lexer, ",")) return false;
    if (hlo_lexer_peek(&r.lexer) != '{') return false;
    if (hlo_lexer_value(&r.lexer, "a sharding", &element) != HLO_OK) return false;
    if (out != NULL) out[i] = element;
  }
  return at_end(&r);
}
