// Loops over c128, four numbers at a time. For source files that define such loops.
#include "math/complex.h"
#include "math/elementary.h"
#include "math/vector/wide_lanes.h"

#include <stddef.h>
#include <string.h>

#include "math/vector/double_math_template.h"

#include "math/vector/double_complex_template.h"

typedef struct parts {
  f64x4 re, im;
} parts;

static inline parts load_parts(const hlo_c128 *x) {
  f64x4 v[2];
  memcpy(v, x, sizeof v);
  return (parts){__builtin_shufflevector(v[0], v[1], 0, 2, 4, 6),
                 __builtin_shufflevector(v[0], v[1], 1, 3, 5, 7)};
}

static inline void store_parts(hlo_c128 *r, parts x) {
  f64x4 v[2] = {__builtin_shufflevector(x.re, x.im, 0, 4, 1, 5),
                __builtin_shufflevector(x.re, x.im, 2, 6, 3, 7)};
  memcpy(r, v, sizeof v);
}

// What is computed for four numbers; functions of one do without y.
typedef parts four(unknown_zero c, parts x, parts y);

// Over n numbers, the last ones padded with zeros: by the same instructions, so that their NaNs are
// the same. The function is known where this is inlined.
static inline __attribute__((always_inline)) void
fours(four *function, hlo_c128 *r, const hlo_c128 *x, const hlo_c128 *y, int64_t n) {
  const unknown_zero c = {always_zero};
  for (int64_t i = 0; i < n; i += 4) {
    hlo_c128 rest[2][4] = {{{0}}};
    size_t bytes = (size_t)(n - i) * sizeof *x;
    bool is_last = n - i < 4;
    if (is_last) memcpy(rest[0], x + i, bytes), memcpy(rest[1], y + i, bytes);
    parts value =
        function(c, load_parts(is_last ? rest[0] : x + i), load_parts(is_last ? rest[1] : y + i));
    store_parts(is_last ? rest[0] : r + i, value);
    if (is_last) memcpy(r + i, rest[0], bytes);
  }
}
