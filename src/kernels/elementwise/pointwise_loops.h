// Template of the dense loops of one element type: one kernel per row of ops.def that is defined
// for it, and a table of them. Included once per type.
//
// In addition to the macros of pointwise_expressions.h, the includer defines
//   SUFFIX         s32, f32, …
//   COLUMN         pred, signed, unsigned, float or complex: the column of ops.def to take
//   LOAD(x)        the value of an element in memory, if that is not the element itself
//   PART_T         element type of a PART result, if not T
//   COMPLEX_T      element type of a COMPLEX result, where the column has one
//   LOOP_HINT(id)  ONE_BY_ONE for types that are not worth vector code, or what a row is worth
// All of them, and M, are undefined again at the end.

#ifndef LOAD
#define LOAD(x) (x)
#endif
#ifndef LOOP_HINT
#define LOOP_HINT(id) LANES_ARE_INDEPENDENT
#endif
#ifndef PART_T
#define PART_T T
#endif

#define JOIN2(a, b)    a##b
#define JOIN(a, b)     JOIN2(a, b)
#define JOIN3(a, b, c) JOIN(a, JOIN(b, c))
#define M(name)        JOIN3(hlo_##name, _, SUFFIX)
#define VALUE(id)      JOIN3(value_, SUFFIX, _##id)
#define KERNEL(id)     JOIN3(kernel_, SUFFIX, _##id)

#define RESULT_SAME    T
#define RESULT_PRED    uint8_t
#define RESULT_PART    PART_T
#define RESULT_COMPLEX COMPLEX_T

// POINTWISE is the macro of the column itself, since NA must not be expanded on the way.
// ROW(id, arity, result, expression) then becomes <ROW>_0(…), or <ROW>_1(…) for NA.
#define POINTWISE_pred(id, name, stablehlo, arity, result, attributes, p, s, u, f, c)              \
  SELECT_ROW(id, arity, result, p)
#define POINTWISE_signed(id, name, stablehlo, arity, result, attributes, p, s, u, f, c)            \
  SELECT_ROW(id, arity, result, s)
#define POINTWISE_unsigned(id, name, stablehlo, arity, result, attributes, p, s, u, f, c)          \
  SELECT_ROW(id, arity, result, u)
#define POINTWISE_float(id, name, stablehlo, arity, result, attributes, p, s, u, f, c)             \
  SELECT_ROW(id, arity, result, f)
#define POINTWISE_complex(id, name, stablehlo, arity, result, attributes, p, s, u, f, c)           \
  SELECT_ROW(id, arity, result, c)
#define SELECT_ROW(id, arity, result, ...)                                                         \
  JOIN3(ROW, _, IS_MISSING(__VA_ARGS__))(id, arity, result, __VA_ARGS__)
#define POINTWISE JOIN(POINTWISE_, COLUMN)
#define STRUCTURAL(...)

// --- the value of one element, and the loop over dense ones ---
#define DEFINE_0(id, arity, result, expression)                                                    \
  static inline RESULT_##result VALUE(id)(T a, T b) {                                              \
    (void)a, (void)b;                                                                              \
    return expression;                                                                             \
  }                                                                                                \
  static void KERNEL(id)(void *results, const void *const *operands, int64_t n) {                  \
    RESULT_##result *r = results;                                                                  \
    const T *x = operands[0], *y = operands[arity - 1];                                            \
    LOOP_HINT(id)                                                                                  \
    for (int64_t i = 0; i < n; i++) r[i] = VALUE(id)(LOAD(x[i]), LOAD(y[i]));                      \
  }
#define DEFINE_1(...)
#define ROW DEFINE
#include "hlo/ops.def"
#undef ROW

hlo_pointwise_kernel *M(pointwise)(hlo_opcode opcode) {
#define ENTRY_0(id, ...) [HLO_OP_##id] = KERNEL(id),
#define ENTRY_1(id, ...) [HLO_OP_##id] = NULL,
#define ROW              ENTRY
  static hlo_pointwise_kernel *const kernels[] = {
#include "hlo/ops.def"
  };
#undef ROW
  return (size_t)opcode < sizeof kernels / sizeof *kernels ? kernels[opcode] : NULL;
}

#undef JOIN2
#undef JOIN
#undef JOIN3
#undef M
#undef VALUE
#undef KERNEL
#undef RESULT_SAME
#undef RESULT_PRED
#undef RESULT_PART
#undef RESULT_COMPLEX
#undef POINTWISE_pred
#undef POINTWISE_signed
#undef POINTWISE_unsigned
#undef POINTWISE_float
#undef POINTWISE_complex
#undef SELECT_ROW
#undef POINTWISE
#undef STRUCTURAL
#undef DEFINE_0
#undef DEFINE_1
#undef ENTRY_0
#undef ENTRY_1
#undef T
#undef SIGNED_T
#undef WIDE_T
#undef BITS
#undef SUFFIX
#undef COLUMN
#undef LOAD
#undef PART_T
#undef COMPLEX_T
#undef LOOP_HINT
