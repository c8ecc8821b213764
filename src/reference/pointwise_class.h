// One class of types as a function of the operation and its operands, which is included for each:
// CLASS is the function's name, T the type of its operands, COLUMN(p, s, u, f, c) its value column,
// M(name) its function of math/.
static hlo_number CLASS(hlo_opcode opcode, T a, T b, hlo_type type) {
  int32_t bits = hlo_type_bits(type);
  (void)b, (void)bits;
#define STRUCTURAL(...)
#define POINTWISE(id, name, stablehlo, arity, result, attributes, p, s, u, f, c)                   \
  if (opcode == HLO_OP_##id) return NUMBER_OF(COLUMN(p, s, u, f, c));
#include "hlo/ops.def"
#undef POINTWISE
#undef STRUCTURAL
  return NUMBER_OF(a); // none of the list: not asked for
}
#undef CLASS
#undef M
#undef T
#undef COLUMN
