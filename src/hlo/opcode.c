// Expands the op list into a table of names and properties. See ops.def and hlo.h.
#include "hlo/hlo.h"
#include "hlo/name_index.h"

#include <string.h>

// 1 for the word NA, 0 for any expression: NA becomes two macro arguments, of which the second
// is 1.
#define NA                         ~, 1
#define SECOND(first, second, ...) second
#define IS_MISSING(...)            SECOND(__VA_ARGS__, 0, )
#define CALLS_FUNCTION(text)       ((text)[0] == 'M' && (text)[1] == '(')
#define CLASS_BIT(class, ...)      (IS_MISSING(__VA_ARGS__) ? 0u : (uint32_t)HLO_CLASS_##class)

// A property column is an or-expression of these names, or 0.
enum {
  ELEMENTWISE = HLO_PROPERTY_ELEMENTWISE,
  CALLS = HLO_PROPERTY_CALLS,
  COLLECTIVE = HLO_PROPERTY_COLLECTIVE,
  SIDE_EFFECT = HLO_PROPERTY_SIDE_EFFECT,
  CUSTOM = HLO_PROPERTY_CUSTOM,
  ALIAS = HLO_PROPERTY_ALIAS,
  RESHAPES = HLO_PROPERTY_RESHAPES,
  TOKEN = HLO_PROPERTY_TOKEN,
  UPDATES = HLO_PROPERTY_UPDATES,
  SIZES = HLO_PROPERTY_SIZES,
};

static const hlo_op_info ops[HLO_OP_COUNT] = {
#define POINTWISE(id, name, stablehlo, arity, result, attributes, p, s, u, f, c)                   \
  [HLO_OP_##id] = {name,                                                                           \
                   stablehlo,                                                                      \
                   arity,                                                                          \
                   arity,                                                                          \
                   attributes,                                                                     \
                   HLO_PROPERTY_POINTWISE | HLO_PROPERTY_ELEMENTWISE |                             \
                       (CALLS_FUNCTION(#f) ? HLO_PROPERTY_TRANSCENDENTAL : 0),                     \
                   CLASS_BIT(PRED, p) | CLASS_BIT(SIGNED, s) | CLASS_BIT(UNSIGNED, u) |            \
                       CLASS_BIT(FLOAT, f) | CLASS_BIT(COMPLEX, c),                                \
                   HLO_RESULT_##result},
#define STRUCTURAL(id, name, stablehlo, low, high, attributes, properties, infer, eval)            \
  [HLO_OP_##id] = {name, stablehlo, low, high, attributes, properties, 0, HLO_RESULT_SAME},
#include "hlo/ops.def"
#undef POINTWISE
#undef STRUCTURAL
};

const hlo_op_info *hlo_op_get(hlo_opcode opcode) { return &ops[opcode]; }

static const char *name_of(int row) { return ops[row].name; }
static const char *stablehlo_name_of(int row) { return ops[row].stablehlo_name; }

hlo_opcode hlo_op_from_name(const char *text, size_t length) {
  static hlo_name_index names;
  return (hlo_opcode)hlo_name_index_find(&names, name_of, HLO_OP_COUNT, text, length);
}

hlo_opcode hlo_op_from_stablehlo_name(const char *text, size_t length) {
  static hlo_name_index names;
  return (hlo_opcode)hlo_name_index_find(&names, stablehlo_name_of, HLO_OP_COUNT, text, length);
}

bool hlo_op_is_pointwise(hlo_opcode opcode) {
  return (ops[opcode].properties & HLO_PROPERTY_POINTWISE) != 0;
}

bool hlo_op_is_elementwise(hlo_opcode opcode) {
  return (ops[opcode].properties & HLO_PROPERTY_ELEMENTWISE) != 0;
}

int32_t hlo_op_allows_attribute(hlo_opcode opcode, hlo_attribute_id id) {
  if (hlo_attribute_is_universal(id)) return 1;
  const char *name = hlo_attribute_name(id);
  size_t length = strlen(name);
  for (const char *word = ops[opcode].attributes; *word != '\0';) {
    size_t word_length = strcspn(word, "? ");
    if (word_length == length && memcmp(word, name, length) == 0)
      return word[word_length] == '?' ? 1 : 2;
    word += strcspn(word, " ");
    while (*word == ' ') word++;
  }
  return 0;
}
