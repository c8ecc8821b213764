// Declares the inference rule of every structural op, made from the infer column of ops.def; one
// rule may serve several rows. Only infer.c calls them: it has checked operand count and attribute
// names.
#ifndef HLO_HLO_INFER_RULES_H
#define HLO_HLO_INFER_RULES_H

#include "hlo/infer/infer.h"

#define POINTWISE(id, name, stablehlo, arity, result, attributes, p, s, u, f, c)
#define STRUCTURAL(id, name, stablehlo, low, high, attributes, properties, infer, eval)            \
  hlo_infer_function hlo_infer_##infer;
#include "hlo/ops.def"
#undef POINTWISE
#undef STRUCTURAL

#endif
