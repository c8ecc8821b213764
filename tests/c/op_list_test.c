// Checks the op list and the attribute list: names, look-up, arities, that attribute columns name
// attributes, and the type classes that the POINTWISE rows give.
#include "hlo/hlo.h"

#include <string.h>

#include "check.h"

enum {
  P = HLO_CLASS_PRED,
  S = HLO_CLASS_SIGNED,
  U = HLO_CLASS_UNSIGNED,
  F = HLO_CLASS_FLOAT,
  C = HLO_CLASS_COMPLEX,
};

static void test_names(void) {
  for (int i = 0; i < HLO_OP_COUNT; i++) {
    const hlo_op_info *op = hlo_op_get((hlo_opcode)i);
    CHECK_MESSAGE(hlo_op_from_name(op->name, strlen(op->name)) == (hlo_opcode)i, "%s", op->name);
    size_t length = strlen(op->stablehlo_name);
    if (length > 0)
      CHECK_MESSAGE(hlo_op_from_stablehlo_name(op->stablehlo_name, length) == (hlo_opcode)i, "%s",
                    op->stablehlo_name);
    CHECK_MESSAGE(op->min_operands >= 0 &&
                      (op->max_operands == -1 || op->max_operands >= op->min_operands),
                  "%s", op->name);
  }
  CHECK(hlo_op_from_name("ad", 2) == HLO_OP_COUNT);
  CHECK(hlo_op_from_name("addd", 4) == HLO_OP_COUNT);
  CHECK(hlo_op_from_name("addd", 3) == HLO_OP_ADD);
  CHECK(hlo_op_from_name("", 0) == HLO_OP_COUNT);
  CHECK(hlo_op_from_name("add\0", 4) == HLO_OP_COUNT);
  CHECK(hlo_op_from_name("broadcast_in_dim", 16) == HLO_OP_COUNT);
  CHECK(hlo_op_from_stablehlo_name("broadcast_in_dim", 16) == HLO_OP_BROADCAST);
  CHECK(hlo_op_from_stablehlo_name("", 0) == HLO_OP_COUNT);
}

static void test_attribute_names(void) {
  for (int i = 0; i < HLO_ATTRIBUTE_COUNT; i++) {
    const char *name = hlo_attribute_name((hlo_attribute_id)i);
    CHECK_MESSAGE(hlo_attribute_from_name(name, strlen(name)) == (hlo_attribute_id)i, "%s", name);
  }
  CHECK(hlo_attribute_from_name("dimension", 9) == HLO_ATTRIBUTE_COUNT);
  CHECK(hlo_attribute_from_name("", 0) == HLO_ATTRIBUTE_COUNT);
  CHECK(hlo_attribute_get_kind(HLO_ATTRIBUTE_SLICE) == HLO_KIND_SLICE);
}

// Every word of an op's attribute column names an attribute, and is found by
// hlo_op_allows_attribute.
static void test_attribute_columns(void) {
  for (int i = 0; i < HLO_OP_COUNT; i++) {
    const char *word = hlo_op_get((hlo_opcode)i)->attributes;
    int taken = 0;
    while (*word != '\0') {
      size_t length = strcspn(word, "? ");
      hlo_attribute_id id = hlo_attribute_from_name(word, length);
      CHECK_MESSAGE(id != HLO_ATTRIBUTE_COUNT, "%s: %s", hlo_op_get((hlo_opcode)i)->name, word);
      if (id != HLO_ATTRIBUTE_COUNT)
        CHECK(hlo_op_allows_attribute((hlo_opcode)i, id) == (word[length] == '?' ? 1 : 2));
      word += length + (word[length] == '?');
      CHECK(*word == '\0' || (*word == ' ' && word[1] != ' ' && word[1] != '\0'));
      if (*word == ' ') word++;
      taken++;
    }
    for (int id = 0; id < HLO_ATTRIBUTE_COUNT; id++)
      taken -= hlo_op_allows_attribute((hlo_opcode)i, (hlo_attribute_id)id) != 0 &&
               !hlo_attribute_is_universal((hlo_attribute_id)id);
    CHECK(taken == 0);
  }
  CHECK(hlo_op_allows_attribute(HLO_OP_COMPARE, HLO_ATTRIBUTE_DIRECTION) == 2);
  CHECK(hlo_op_allows_attribute(HLO_OP_COMPARE, HLO_ATTRIBUTE_TYPE) == 1);
  CHECK(hlo_op_allows_attribute(HLO_OP_COMPARE, HLO_ATTRIBUTE_DIMENSIONS) == 0);
  CHECK(hlo_op_allows_attribute(HLO_OP_ADD, HLO_ATTRIBUTE_METADATA) == 1);
  CHECK(hlo_op_allows_attribute(HLO_OP_CALL, HLO_ATTRIBUTE_CALLS) == 0);
}

static void test_type_classes(void) {
  static const struct {
    hlo_opcode opcode;
    unsigned classes;
    hlo_pointwise_result result;
  } expected[] = {
      {HLO_OP_ADD, P | S | U | F | C, HLO_RESULT_SAME},
      {HLO_OP_SUBTRACT, S | U | F | C, HLO_RESULT_SAME},
      {HLO_OP_NOT, P | S | U, HLO_RESULT_SAME},
      {HLO_OP_XOR, P | S | U, HLO_RESULT_SAME},
      {HLO_OP_POPULATION_COUNT, S | U, HLO_RESULT_SAME},
      {HLO_OP_FLOOR, F, HLO_RESULT_SAME},
      {HLO_OP_ABS, S | F | C, HLO_RESULT_PART},
      {HLO_OP_IMAG, F | C, HLO_RESULT_PART},
      {HLO_OP_COMPLEX, F, HLO_RESULT_COMPLEX},
      {HLO_OP_IS_FINITE, F, HLO_RESULT_PRED},
      {HLO_OP_TANH, F | C, HLO_RESULT_SAME},
      {HLO_OP_SHIFT_LEFT, S | U, HLO_RESULT_SAME},
      {HLO_OP_REMAINDER, S | U | F, HLO_RESULT_SAME},
  };
  for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
    const hlo_op_info *op = hlo_op_get(expected[i].opcode);
    CHECK_MESSAGE(op->type_classes == expected[i].classes, "%s: %u", op->name, op->type_classes);
    CHECK_MESSAGE(op->result == expected[i].result, "%s", op->name);
    CHECK(hlo_op_is_pointwise(expected[i].opcode) && hlo_op_is_elementwise(expected[i].opcode));
  }
  CHECK(!hlo_op_is_pointwise(HLO_OP_SELECT) && hlo_op_is_elementwise(HLO_OP_SELECT));
  CHECK(!hlo_op_is_pointwise(HLO_OP_RESHAPE) && !hlo_op_is_elementwise(HLO_OP_RESHAPE));
  CHECK(hlo_op_get(HLO_OP_WHILE)->properties == HLO_PROPERTY_CALLS);
  CHECK(hlo_op_get(HLO_OP_ALL_REDUCE)->properties == HLO_PROPERTY_COLLECTIVE);
}

int main(void) {
  test_names();
  test_attribute_names();
  test_attribute_columns();
  test_type_classes();
  return CHECK_RESULT();
}
