// Shape inference: what holds for every operation, the one rule of the POINTWISE rows, and the
// dispatch to the rules of structural ops, which stand in the other files by family. Source:
// "Operation Semantics" of XLA's documentation.
#include "hlo/infer/infer.h"

#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

#include <string.h>

static hlo_status infer_pointwise(const hlo_instruction *x, const hlo_shape *declared,
                                  hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  const hlo_op_info *op = hlo_op_get(x->opcode);
  for (int32_t k = 0; k < x->operand_count; k++) {
    HLO_TRY(hlo_require_array(x, k, op->type_classes, error));
    HLO_TRY(hlo_require_same_type(x, 0, k, error));
    HLO_TRY(hlo_require_same_dimensions(x, 0, k, error));
  }
  HLO_TRY(hlo_require_result_accuracy(x, error));
  hlo_type type = hlo_operand_shape(x, 0)->type;
  if (op->result == HLO_RESULT_PRED) type = HLO_PRED;
  if (op->result == HLO_RESULT_PART) type = hlo_type_complex_part(type);
  if (op->result == HLO_RESULT_COMPLEX) {
    type = hlo_type_complex_of(type);
    if (type == HLO_TYPE_INVALID)
      return hlo_fail_about(x, "no complex type has parts of this element type",
                            hlo_operand_shape(x, 0), NULL, error);
  }
  return hlo_elementwise_shape(x, arena, x->operand_count, type, out, error);
}

// The result is what the program states: the operation does not determine it.
hlo_status hlo_infer_declared(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                              const hlo_shape **out, hlo_error *error) {
  (void)arena;
  if (declared == NULL)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "the shape of the result must be given");
  *out = declared;
  return HLO_OK;
}

static hlo_infer_function *const rules[HLO_OP_COUNT] = {
#define POINTWISE(id, name, stablehlo, arity, result, attributes, p, s, u, f, c)                   \
  [HLO_OP_##id] = infer_pointwise,
#define STRUCTURAL(id, name, stablehlo, low, high, attributes, properties, infer, eval)            \
  [HLO_OP_##id] = hlo_infer_##infer,
#include "hlo/ops.def"
#undef POINTWISE
#undef STRUCTURAL
};

static hlo_status check_operand_count(const hlo_instruction *x, const hlo_op_info *op,
                                      hlo_error *error) {
  bool few = x->operand_count < op->min_operands;
  bool many = op->max_operands >= 0 && x->operand_count > op->max_operands;
  if (!few && !many) return HLO_OK;
  const char *bound = op->min_operands == op->max_operands ? "" : few ? "at least " : "at most ";
  int32_t wanted = few ? op->min_operands : op->max_operands;
  return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "takes %s%d operand%s, not %d", bound,
                              wanted, wanted == 1 ? "" : "s", x->operand_count);
}

static bool has_attribute_named(const hlo_instruction *x, const char *name, size_t length) {
  for (int32_t i = 0; i < x->attribute_count; i++) {
    const char *other = hlo_attribute_name(x->attributes[i].id);
    if (strncmp(other, name, length) == 0 && other[length] == '\0') return true;
  }
  return false;
}

static hlo_status check_attributes(const hlo_instruction *x, const hlo_op_info *op,
                                   hlo_error *error) {
  for (int32_t i = 0; i < x->attribute_count; i++) {
    hlo_attribute_id id = x->attributes[i].id;
    if (hlo_op_allows_attribute(x->opcode, id) == 0)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "takes no attribute %s",
                                  hlo_attribute_name(id));
    if (hlo_find_attribute(x, id) != &x->attributes[i])
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "the attribute %s stands twice",
                                  hlo_attribute_name(id));
  }
  for (const char *word = op->attributes; *word != '\0';) {
    size_t length = strcspn(word, "? ");
    if (word[length] != '?' && !has_attribute_named(x, word, length))
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error, "the attribute %.*s is missing",
                                  (int)length, word);
    word += strcspn(word, " ");
    while (*word == ' ') word++;
  }
  return HLO_OK;
}

hlo_status hlo_infer_rule(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                          const hlo_shape **out, hlo_error *error) {
  return rules[x->opcode](x, declared, arena, out, error);
}

hlo_status hlo_infer_shape(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                           const hlo_shape **out, hlo_error *error) {
  const hlo_op_info *op = hlo_op_get(x->opcode);
  HLO_TRY(check_operand_count(x, op, error));
  HLO_TRY(check_attributes(x, op, error));
  const hlo_shape *shape;
  HLO_TRY(rules[x->opcode](x, declared, arena, &shape, error));
  if (declared != NULL && shape != declared) {
    char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
    if (!hlo_shape_compatible(shape, declared))
      return hlo_instruction_fail(
          x, HLO_SHAPE_ERROR, error, "the result has shape %s, but %s is stated",
          hlo_shape_to_text(text_a, shape), hlo_shape_to_text(text_b, declared));
    shape = declared;
  }
  *out = shape;
  return HLO_OK;
}
