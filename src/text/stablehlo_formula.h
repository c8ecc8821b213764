// Formulas written out as HLO instructions, for functions that are made of many operations. Must
// not know which.
#ifndef HLO_TEXT_STABLEHLO_FORMULA_H
#define HLO_TEXT_STABLEHLO_FORMULA_H

#include "text/stablehlo_import.h"

// A formula being written: instructions of one shape. After an error nothing more is made, and the
// functions return NULL.
typedef struct formula {
  stablehlo_importer *im;
  const hlo_shape *shape;
  hlo_status status;
  hlo_error *error;
} formula;

static inline hlo_instruction *apply(formula *f, hlo_opcode opcode, const hlo_shape *shape,
                                     int32_t count, hlo_instruction *const *operands) {
  hlo_instruction *result = NULL;
  if (f->status == HLO_OK)
    f->status = hlo_import_emit(f->im, opcode, shape, count, operands, 0, NULL, &result, f->error);
  return result;
}

static inline hlo_instruction *one(formula *f, hlo_opcode opcode, hlo_instruction *x) {
  return apply(f, opcode, f->shape, 1, &x);
}

static inline hlo_instruction *two(formula *f, hlo_opcode opcode, hlo_instruction *a,
                                   hlo_instruction *b) {
  hlo_instruction *operands[] = {a, b};
  return apply(f, opcode, f->shape, 2, operands);
}

static inline hlo_instruction *add(formula *f, hlo_instruction *a, hlo_instruction *b) {
  return two(f, HLO_OP_ADD, a, b);
}
static inline hlo_instruction *sub(formula *f, hlo_instruction *a, hlo_instruction *b) {
  return two(f, HLO_OP_SUBTRACT, a, b);
}
static inline hlo_instruction *mul(formula *f, hlo_instruction *a, hlo_instruction *b) {
  return two(f, HLO_OP_MULTIPLY, a, b);
}
static inline hlo_instruction *divide(formula *f, hlo_instruction *a, hlo_instruction *b) {
  return two(f, HLO_OP_DIVIDE, a, b);
}
static inline hlo_instruction *neg(formula *f, hlo_instruction *x) {
  return one(f, HLO_OP_NEGATE, x);
}

static inline hlo_instruction *number(formula *f, double value) {
  hlo_instruction *result = NULL;
  if (f->status == HLO_OK) f->status = hlo_import_number(f->im, f->shape, value, &result, f->error);
  return result;
}

static inline hlo_instruction *compare(formula *f, const char *direction, hlo_instruction *a,
                                       hlo_instruction *b) {
  hlo_instruction *result = NULL;
  if (f->status == HLO_OK)
    f->status = hlo_import_compare(f->im, direction, a, b, &result, f->error);
  return result;
}

static inline hlo_instruction *select(formula *f, hlo_instruction *p, hlo_instruction *a,
                                      hlo_instruction *b) {
  hlo_instruction *operands[] = {p, a, b};
  return apply(f, HLO_OP_SELECT, f->shape, 3, operands);
}

static inline hlo_instruction *convert(formula *f, hlo_instruction *x, hlo_opcode opcode,
                                       hlo_type type) {
  const hlo_shape *shape = NULL;
  if (f->status == HLO_OK)
    f->status = hlo_import_shape_like(f->im, x->shape, type, &shape, f->error);
  return apply(f, opcode, shape, 1, &x);
}

// c[0] x^(n-1) + … + c[n-1]
static inline hlo_instruction *polynomial(formula *f, hlo_instruction *x, int n, const double *c) {
  hlo_instruction *p = number(f, c[0]);
  for (int i = 1; i < n; i++) p = add(f, mul(f, p, x), number(f, c[i]));
  return p;
}

#endif
