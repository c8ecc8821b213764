// For tests: whether two modules say the same, whatever their names, the order of their lines, and
// instructions that nobody uses.
#ifndef HLO_TESTS_C_SAME_PROGRAM_H
#define HLO_TESTS_C_SAME_PROGRAM_H

#include "hlo/hlo.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

// The first difference found: an instruction of each side, and what differs.
typedef struct program_difference {
  const hlo_instruction *a, *b;
  const char *what;
} program_difference;

static bool same_computation(const hlo_computation *a, const hlo_computation *b,
                             program_difference *difference);

static inline bool differ(const hlo_instruction *a, const hlo_instruction *b, const char *what,
                          program_difference *difference) {
  *difference = (program_difference){a, b, what};
  return false;
}

static inline bool same_written(const hlo_attribute *a, const hlo_attribute *b) {
  hlo_string x = {0}, y = {0};
  hlo_print_attribute_value(&x, a);
  hlo_print_attribute_value(&y, b);
  bool same = x.length == y.length && (x.length == 0 || memcmp(x.text, y.text, x.length) == 0);
  hlo_string_free(&x);
  hlo_string_free(&y);
  return same;
}

// Written values, but for computations, which are compared as such.
static inline bool same_attribute(const hlo_attribute *a, const hlo_attribute *b,
                                  program_difference *difference) {
  if (a->computations != NULL && b->computations != NULL) {
    if (a->count != b->count) return false;
    for (int32_t i = 0; i < a->count; i++)
      if (!same_computation(a->computations[i], b->computations[i], difference)) return false;
    return true;
  }
  return same_written(a, b);
}

static inline bool same_literal(const hlo_literal *a, const hlo_literal *b) {
  hlo_string x = {0}, y = {0};
  hlo_literal_print(&x, a);
  hlo_literal_print(&y, b);
  bool same = x.length == y.length && memcmp(x.text, y.text, x.length) == 0;
  hlo_string_free(&x);
  hlo_string_free(&y);
  return same;
}

static inline bool is_ignored(hlo_attribute_id id) {
  return id == HLO_ATTRIBUTE_METADATA || id == HLO_ATTRIBUTE_SHARDING ||
         id == HLO_ATTRIBUTE_OPERAND_LAYOUT_CONSTRAINTS || id == HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES;
}

static inline bool same_attributes(const hlo_instruction *a, const hlo_instruction *b,
                                   program_difference *difference) {
  for (int32_t i = 0; i < a->attribute_count; i++) {
    const hlo_attribute *x = &a->attributes[i], *y = hlo_find_attribute(b, x->id);
    hlo_attribute_kind kind = hlo_attribute_get_kind(x->id);
    bool is_empty = (kind == HLO_KIND_INTS || kind == HLO_KIND_GROUPS) && x->count == 0;
    if (is_ignored(x->id) || (y == NULL && is_empty)) continue;
    difference->a = NULL;
    bool same = y != NULL && same_attribute(x, y, difference);
    if (!same)
      return difference->a != NULL ? false : differ(a, b, hlo_attribute_name(x->id), difference);
  }
  return true;
}

// pairs[id of a] is the instruction that was found to be the same.
static bool same_instruction(const hlo_instruction *a, const hlo_instruction *b,
                             const hlo_instruction **pairs, program_difference *difference) {
  if (pairs[a->id] != NULL) return pairs[a->id] == b || differ(a, b, "sharing", difference);
  pairs[a->id] = b;
  if (a->opcode != b->opcode) return differ(a, b, "opcode", difference);
  if (!hlo_shape_compatible(a->shape, b->shape)) return differ(a, b, "shape", difference);
  if (a->operand_count != b->operand_count) return differ(a, b, "operand count", difference);
  if (a->parameter_number != b->parameter_number) return differ(a, b, "number", difference);
  if (a->literal != NULL && !same_literal(a->literal, b->literal))
    return differ(a, b, "literal", difference);
  if (!same_attributes(a, b, difference) || !same_attributes(b, a, difference)) return false;
  for (int32_t i = 0; i < a->operand_count; i++)
    if (!same_instruction(a->operands[i], b->operands[i], pairs, difference)) return false;
  return true;
}

static bool same_computation(const hlo_computation *a, const hlo_computation *b,
                             program_difference *difference) {
  if (a->parameter_count != b->parameter_count)
    return differ(a->root, b->root, "parameter count", difference);
  const hlo_instruction **pairs = calloc((size_t)a->instruction_count, sizeof *pairs);
  bool same = same_instruction(a->root, b->root, pairs, difference);
  free(pairs);
  return same;
}

#endif
