// hypot of double.
#include "math/elementary.h"
#include "math/elementary/cores.h"
#include "math/elementary/single_number.h"

double hlo_hypot_f64(double x, double y) { return one_hypot_f64(0, x, y); }
