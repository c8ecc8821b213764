// Reads pretty forms as forms.def describes them. See forms.h.
#include "text/stablehlo/forms.h"

#include "hlo/hlo.h"

#include <string.h>

static const struct {
  const char *name, *format;
} forms[] = {
#define FORM(name, format) {name, format},
#include "text/stablehlo/forms.def"
#undef FORM
};

const char *hlo_stablehlo_form(const char *name) {
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (strcmp(forms[i].name, name) == 0) return forms[i].format;
  return "%*";
}

const char *hlo_stablehlo_form_word(const char **format, size_t *length) {
  while (**format == ' ') ++*format;
  const char *word = *format;
  while (**format != ' ' && **format != '\0') ++*format;
  *length = (size_t)(*format - word);
  return *length == 0 ? NULL : word;
}

static hlo_status add_operand(mlir_parser *p, mlir_list *operands, hlo_error *error) {
  mlir_value *value;
  HLO_TRY(hlo_mlir_operand(p, &value, error));
  return hlo_mlir_list_add(p, operands, value, error);
}

static hlo_status literal_word(mlir_parser *p, const char *word, size_t length, hlo_error *error) {
  if (length == 1 && !((word[0] | 0x20) >= 'a' && (word[0] | 0x20) <= 'z')) {
    bool again; // "%0, , sizes = []": operands that are none leave their comma
    HLO_TRY(hlo_mlir_expect(p, word[0], error));
    return word[0] == ',' ? hlo_mlir_accept(p, ',', &again, error) : HLO_OK;
  }
  char text[32];
  memcpy(text, word, length);
  text[length] = '\0';
  return hlo_mlir_expect_word(p, text, error);
}

// "[name]", "#name", "?name", "!name", "$name".
static hlo_status attribute_word(mlir_parser *p, mlir_operation *op, const char *word,
                                 size_t length, hlo_error *error) {
  mlir_attribute *value;
  const char *name = hlo_arena_copy_text(&p->tree, word + 1, length - (word[0] == '[' ? 2 : 1));
  if (name == NULL) return hlo_fail_out_of_memory(error);
  switch (word[0]) {
  case '[':
    HLO_TRY(hlo_mlir_int_list(p, &value, error));
    break;
  case '#':
    HLO_TRY(hlo_mlir_new_attribute(p, MLIR_INTEGER, &value, error));
    HLO_TRY(hlo_mlir_integer(p, &value->integer, error));
    break;
  case '?':
    HLO_TRY(hlo_mlir_new_attribute(p, MLIR_BOOL, &value, error));
    value->integer = hlo_mlir_at_word(p, "true");
    if (value->integer == 0 && !hlo_mlir_at_word(p, "false"))
      return hlo_mlir_expected(p, "true or false", error);
    HLO_TRY(hlo_mlir_advance(p, error));
    break;
  case '$':
    if (p->token.kind != MLIR_TOKEN_STRING) return hlo_mlir_expected(p, "a string", error);
    HLO_TRY(hlo_mlir_new_attribute(p, MLIR_STRING, &value, error));
    HLO_TRY(hlo_mlir_consume_text(p, &value->text, error));
    break;
  default:
    HLO_TRY(hlo_mlir_new_attribute(p, MLIR_KEYWORD, &value, error));
    if (p->token.kind != MLIR_TOKEN_WORD) return hlo_mlir_expected(p, "a word", error);
    HLO_TRY(hlo_mlir_consume_text(p, &value->text, error));
  }
  return hlo_mlir_add_attribute(p, op, name, value, error);
}

hlo_status hlo_stablehlo_read_form(mlir_parser *p, const char *format, mlir_operation *op,
                                   mlir_list *operands, hlo_error *error) {
  size_t length;
  const char *word;
  while ((word = hlo_stablehlo_form_word(&format, &length)) != NULL) {
    if (word[0] == '%') {
      if (length == 2) HLO_TRY(hlo_mlir_operands(p, operands, error));
      else HLO_TRY(add_operand(p, operands, error));
    } else if (word[0] == ',' && length == 2) {
      bool more;
      HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
      if (!more) return HLO_OK;
    } else if (length > 1 && strchr("[#?!$", word[0]) != NULL) {
      HLO_TRY(attribute_word(p, op, word, length, error));
    } else {
      HLO_TRY(literal_word(p, word, length, error));
    }
  }
  return HLO_OK;
}

hlo_status hlo_stablehlo_read_attributes(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  bool found;
  HLO_TRY(hlo_mlir_accept(p, '{', &found, error));
  return found ? hlo_mlir_dictionary(p, op, error) : HLO_OK;
}

hlo_status hlo_stablehlo_read_types(mlir_parser *p, mlir_operation *op, const mlir_list *operands,
                                    hlo_error *error) {
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  if (p->token.kind == '(') return hlo_mlir_finish_function_type(p, op, operands, error);
  mlir_list types = {0}, results = {0};
  bool arrow;
  HLO_TRY(hlo_mlir_type_list(p, &types, error));
  HLO_TRY(hlo_mlir_accept(p, MLIR_TOKEN_ARROW, &arrow, error));
  if (arrow) {
    if (p->token.kind == '(') HLO_TRY(hlo_mlir_bracketed_types(p, &results, error));
    else HLO_TRY(hlo_mlir_type_list(p, &results, error));
    HLO_TRY(hlo_mlir_finish_operands(p, op, operands, &types, error));
    return hlo_mlir_finish_results(p, op, results.count, (const mlir_type *const *)results.items,
                                   error);
  }
  if (types.count != 1) return hlo_mlir_expected(p, "'->'", error);
  while (types.count < operands->count)
    HLO_TRY(hlo_mlir_list_add(p, &types, types.items[0], error));
  const mlir_type *result = types.items[0];
  types.count = operands->count;
  HLO_TRY(hlo_mlir_finish_operands(p, op, operands, &types, error));
  return hlo_mlir_finish_results(p, op, 1, &result, error);
}

// Whether MHLO has an operation of HLO that StableHLO has not.
static bool is_only_mhlo(const char *name, size_t length) {
  char text[32];
  if (length >= sizeof text || hlo_op_from_stablehlo_name(name, length) != HLO_OP_COUNT)
    return false;
  for (size_t i = 0; i < length; i++) text[i] = name[i] == '_' ? '-' : name[i];
  hlo_opcode opcode = hlo_op_from_name(text, length);
  return opcode == HLO_OP_COPY || opcode == HLO_OP_TOPK ||
         (opcode != HLO_OP_COUNT && hlo_op_is_pointwise(opcode));
}

hlo_status hlo_stablehlo_rename(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  static const char mhlo[] = "mhlo.";
  if (strncmp(op->name, mhlo, sizeof mhlo - 1) != 0) return HLO_OK;
  const char *name = op->name + sizeof mhlo - 1;
  size_t length = strlen(name);
  const char *dialect = is_only_mhlo(name, length) ? "chlo." : "stablehlo.";
  size_t prefix = strlen(dialect);
  char *text;
  HLO_ALLOC(text, &p->tree, prefix + length + 1, error);
  memcpy(text, dialect, prefix);
  memcpy(text + prefix, name, length + 1);
  op->name = text;
  return HLO_OK;
}
