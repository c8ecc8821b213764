// Expressions over index variables: sums, products, floordiv and mod, each stored once per context,
// so that equal expressions are the same pointer and shared parts cost nothing.
// Source: "Indexing analysis" of XLA's documentation.
#ifndef HLO_INDEXING_MAPS_AFFINE_H
#define HLO_INDEXING_MAPS_AFFINE_H

#include "base/arena.h"
#include "base/string.h"

#include <stdbool.h>

typedef enum hlo_affine_kind {
  HLO_AFFINE_DIM,      // d0, d1, …: an index of the array that is mapped from
  HLO_AFFINE_RANGE,    // s0, s1, …: takes all values of a range
  HLO_AFFINE_RUNTIME,  // rt0, rt1, …: a value known only when the program runs
  HLO_AFFINE_PRODUCT,  // left * right, neither of them constant
  HLO_AFFINE_FLOORDIV, // left / right rounded down
  HLO_AFFINE_MOD,      // left - right * (left floordiv right)
  HLO_AFFINE_SUM,      // constant + Σ factor * atom; without terms: a constant
} hlo_affine_kind;
enum { HLO_AFFINE_VARIABLE_KINDS = 3 };

// Expressions beyond these limits are refused, so that all walks are short and all texts readable.
enum { HLO_AFFINE_MAX_DEPTH = 96, HLO_AFFINE_MAX_NODES = 20000 };

typedef struct hlo_affine hlo_affine;

// atom is any kind but SUM; factor is not 0.
typedef struct hlo_affine_term {
  const hlo_affine *atom;
  int64_t factor;
} hlo_affine_term;

// Immutable. Sums are flat, their terms collected and in the order of hlo_affine_compare; a sum of
// one term with factor 1 and constant 0 is that term's atom instead.
struct hlo_affine {
  hlo_affine_kind kind;
  uint32_t hash;
  uint32_t nodes;     // of the expression written out, saturating
  uint16_t depth;     // of nesting
  uint8_t variables;  // 1 << kind for each kind of variable in it
  int32_t index;      // of a variable
  int64_t constant;   // of a SUM
  int32_t term_count; // of a SUM
  const hlo_affine_term *terms;
  const hlo_affine *left, *right; // of PRODUCT, FLOORDIV, MOD
};

typedef struct hlo_affine_context hlo_affine_context;

// Lives, with all its expressions, in the arena.
hlo_status hlo_affine_context_create(hlo_arena *arena, hlo_affine_context **out, hlo_error *error);
hlo_arena *hlo_affine_arena(const hlo_affine_context *context);

// The makers below never fail loudly: after an overflow of 64 bits, a division by the constant 0, a
// limit passed or memory run out the context remembers the first of these, and results are 0 that
// mean nothing. hlo_affine_status turns that into a status (HLO_UNSUPPORTED for overflow and
// limits, HLO_INVALID_ARGUMENT for a division by 0) and makes the context usable again.
hlo_status hlo_affine_status(hlo_affine_context *context, hlo_error *error);
// Forgets a failure that is not lack of memory; true if there was one. For attempts.
bool hlo_affine_forgive(hlo_affine_context *context);

const hlo_affine *hlo_affine_constant(hlo_affine_context *context, int64_t value);
const hlo_affine *hlo_affine_variable(hlo_affine_context *context, hlo_affine_kind kind,
                                      int32_t index);
const hlo_affine *hlo_affine_add(hlo_affine_context *context, const hlo_affine *a,
                                 const hlo_affine *b);
const hlo_affine *hlo_affine_scale(hlo_affine_context *context, const hlo_affine *a,
                                   int64_t factor);
const hlo_affine *hlo_affine_shift(hlo_affine_context *context, const hlo_affine *a, int64_t by);
// a + factor * b
const hlo_affine *hlo_affine_add_scaled(hlo_affine_context *context, const hlo_affine *a,
                                        const hlo_affine *b, int64_t factor);
const hlo_affine *hlo_affine_multiply(hlo_affine_context *context, const hlo_affine *a,
                                      const hlo_affine *b);
// Nothing but constants is computed: (d0 * 4) floordiv 4 stays as it is. Divisors may be negative.
const hlo_affine *hlo_affine_floordiv(hlo_affine_context *context, const hlo_affine *a,
                                      const hlo_affine *b);
const hlo_affine *hlo_affine_mod(hlo_affine_context *context, const hlo_affine *a,
                                 const hlo_affine *b);

bool hlo_affine_is_constant(const hlo_affine *a);
static inline bool hlo_affine_is_variable(const hlo_affine *a) {
  return (int32_t)a->kind < HLO_AFFINE_VARIABLE_KINDS;
}
// The constant divisor of a FLOORDIV or MOD, 0 when it is not constant.
int64_t hlo_affine_divisor(const hlo_affine *a);
// A total order, the same in every context: what the printed order of terms follows. With a dim
// before without, then variables (d, s, rt, by number), products, floordivs, mods.
int hlo_affine_compare(const hlo_affine *a, const hlo_affine *b);

// Values of variables by kind and number; a kind that does not occur may be NULL.
typedef struct hlo_affine_values {
  const int64_t *values[HLO_AFFINE_VARIABLE_KINDS];
} hlo_affine_values;
// Fails with HLO_RUNTIME_ERROR when the value, or one of 128 bits on the way to it, does not fit,
// and on a division by 0.
hlo_status hlo_affine_evaluate(const hlo_affine *a, const hlo_affine_values *values, int64_t *out,
                               hlo_error *error);

// Expressions to put in place of variables by kind and number; NULL, a kind or one entry, keeps
// them.
typedef struct hlo_affine_replacements {
  const hlo_affine *const *by[HLO_AFFINE_VARIABLE_KINDS];
} hlo_affine_replacements;
const hlo_affine *hlo_affine_substitute(hlo_affine_context *context, const hlo_affine *a,
                                        const hlo_affine_replacements *replacements);
// Calls visit once for every variable that occurs in a.
void hlo_affine_each_variable(hlo_affine_context *context, const hlo_affine *a,
                              void (*visit)(void *host, hlo_affine_kind kind, int32_t index),
                              void *host);

// Prints "d0 * 8 + d1 floordiv 4 - 1". names, by kind and number, may be NULL, as may an entry: the
// default name.
typedef struct hlo_affine_names {
  const char *const *names[HLO_AFFINE_VARIABLE_KINDS];
} hlo_affine_names;
void hlo_affine_print(hlo_string *out, const hlo_affine *a, const hlo_affine_names *names);
void hlo_affine_print_variable(hlo_string *out, hlo_affine_kind kind, int32_t index,
                               const hlo_affine_names *names);

#endif
