// The functions of elementary.h that double_math_template.h makes for all numbers: one lane of it.
#include "base/elementary.h"
#include "base/elementary_one.h"
#include "base/vector_math.h"

#define FROM_TEMPLATE(id, name)                                                                    \
  double hlo_##name##_f64(double x) { return one_##name##_f64(0, x); }
HLO_DOUBLE_FUNCTIONS(FROM_TEMPLATE)

double hlo_pow_f64(double x, double y) { return one_pow_f64(0, x, y); }
