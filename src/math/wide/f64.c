// The functions of elementary.h that double_math_template.h makes for all numbers: a loop of
// double_math.c over one, which takes less room than another instance of the template.
#include "math/elementary.h"
#include "math/vector_math.h"

#define FROM_LOOP(id, name)                                                                        \
  double hlo_##name##_f64(double x) {                                                              \
    hlo_##name##_f64_loop(&x, &x, 1);                                                              \
    return x;                                                                                      \
  }
HLO_DOUBLE_FUNCTIONS(FROM_LOOP)

double hlo_pow_f64(double x, double y) {
  hlo_pow_f64_loop(&x, &x, &y, 1);
  return x;
}
