// CHLO's special functions as HLO instructions: see stablehlo_chlo_functions.h. Sources:
//   erf_inv   M. Giles, "Approximating the erfinv function", GPU Computing Gems 2, 2010
//   erfc      W. J. Cody, "Rational Chebyshev approximations for the error function", 1969
//   lgamma, digamma   C. Lanczos, "A precision approximation of the gamma function", 1964, with
//             P. Godfrey's coefficients for g = 7, n = 9
//   bessel_i1e   Chebyshev series fitted with mpmath: stablehlo_chlo_coefficients.py
#include "text/stablehlo_chlo_functions.h"

#include "text/stablehlo_formula.h"

#include <string.h>

typedef hlo_instruction *formula_function(formula *f, hlo_instruction *x);

// The function of x in at least f32, or in f64 whatever x is.
static hlo_status evaluate(stablehlo_importer *im, formula_function *function, bool in_f64,
                           hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  formula f = {.im = im, .shape = x->shape, .error = error};
  hlo_type type = x->shape->type;
  if (!hlo_type_is_float(type))
    return hlo_import_fail(im->operation, HLO_SHAPE_ERROR, error, "takes floating-point numbers");
  hlo_type inner = in_f64 || type == HLO_F64 ? HLO_F64 : HLO_F32;
  if (inner != type) x = convert(&f, x, HLO_OP_CONVERT, inner);
  if (f.status == HLO_OK) f.shape = x->shape;
  x = function(&f, x);
  if (inner != type) x = convert(&f, x, HLO_OP_CONVERT, type);
  *out = x;
  return f.status;
}

// --- erf_inv ---

// Polynomials in w = -log(1 - x²): erf_inv x = x p(w).
static hlo_instruction *erf_inv_f32(formula *f, hlo_instruction *x, hlo_instruction *w) {
  static const double middle[] = {2.81022636e-08,  3.43273939e-07, -3.5233877e-06,
                                  -4.39150654e-06, 0.00021858087,  -0.00125372503,
                                  -0.00417768164,  0.246640727,    1.50140941};
  static const double tail[] = {-0.000200214257, 0.000100950558, 0.00134934322,
                                -0.00367342844,  0.00573950773,  -0.0076224613,
                                0.00943887047,   1.00167406,     2.83297682};
  hlo_instruction *p = polynomial(f, sub(f, w, number(f, 2.5)), 9, middle);
  hlo_instruction *q = polynomial(f, sub(f, one(f, HLO_OP_SQRT, w), number(f, 3)), 9, tail);
  return mul(f, select(f, compare(f, "LT", w, number(f, 5)), p, q), x);
}

static hlo_instruction *erf_inv_f64(formula *f, hlo_instruction *x, hlo_instruction *w) {
  static const double middle[] = {
      -3.6444120640178196996e-21, -1.685059138182016589e-19,  1.2858480715256400167e-18,
      1.115787767802518096e-17,   -1.333171662854620906e-16,  2.0972767875968561637e-17,
      6.6376381343583238325e-15,  -4.0545662729752068639e-14, -8.1519341976054721522e-14,
      2.6335093153082322977e-12,  -1.2975133253453532498e-11, -5.4154120542946279317e-11,
      1.051212273321532285e-09,   -4.1126339803469836976e-09, -2.9070369957882005086e-08,
      4.2347877827932403518e-07,  -1.3654692000834678645e-06, -1.3882523362786468719e-05,
      0.0001867342080340571352,   -0.00074070253416626697512, -0.0060336708714301490533,
      0.24015818242558961693,     1.6536545626831027356};
  static const double near_tail[] = {
      2.2137376921775787049e-09, 9.0756561938885390979e-08, -2.7517406297064545428e-07,
      1.8239629214389227755e-08, 1.5027403968909827627e-06, -4.013867526981545969e-06,
      2.9234449089955446044e-06, 1.2475304481671778723e-05, -4.7318229009055733981e-05,
      6.8284851459573175448e-05, 2.4031110387097893999e-05, -0.0003550375203628474796,
      0.00095328937973738049703, -0.0016882755560235047313, 0.0024914420961078508066,
      -0.0037512085075692412107, 0.005370914553590063617,   1.0052589676941592334,
      3.0838856104922207635};
  static const double far_tail[] = {
      -2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,
      -3.7894654401267369937e-09, 7.6157012080783393804e-09,  -1.4960026627149240478e-08,
      2.9147953450901080826e-08,  -6.7711997758452339498e-08, 2.2900482228026654717e-07,
      -9.9298272942317002539e-07, 4.5260625972231537039e-06,  -1.9681778105531670567e-05,
      7.5995277030017761139e-05,  -0.00021503011930044477347, -0.00013871931833623122026,
      1.0103004648645343977,      4.8499064014085844221};
  hlo_instruction *root = one(f, HLO_OP_SQRT, w);
  hlo_instruction *p = polynomial(f, sub(f, w, number(f, 3.125)), 23, middle);
  hlo_instruction *q = polynomial(f, sub(f, root, number(f, 3.25)), 19, near_tail);
  hlo_instruction *r = polynomial(f, sub(f, root, number(f, 5)), 17, far_tail);
  q = select(f, compare(f, "LT", w, number(f, 16)), q, r);
  return mul(f, select(f, compare(f, "LT", w, number(f, 6.25)), p, q), x);
}

static hlo_instruction *erf_inv(formula *f, hlo_instruction *x) {
  hlo_instruction *unit = number(f, 1);
  hlo_instruction *product = mul(f, sub(f, unit, x), add(f, unit, x));
  hlo_instruction *w = neg(f, one(f, HLO_OP_LOG, product));
  hlo_instruction *inside = f->shape->type == HLO_F64 ? erf_inv_f64(f, x, w) : erf_inv_f32(f, x, w);
  hlo_instruction *at_end = compare(f, "EQ", one(f, HLO_OP_ABS, x), unit);
  return select(f, at_end, mul(f, x, number(f, __builtin_inf())), inside);
}

// --- erfc ---

// A quotient of polynomials in y, both evaluated as Cody does: from the two highest coefficients.
static hlo_instruction *quotient(formula *f, hlo_instruction *y, int n, const double *p,
                                 const double *q) {
  hlo_instruction *numerator = mul(f, number(f, p[n + 1]), y), *denominator = y;
  for (int i = 0; i < n; i++) {
    numerator = mul(f, add(f, numerator, number(f, p[i])), y);
    denominator = mul(f, add(f, denominator, number(f, q[i])), y);
  }
  return divide(f, add(f, numerator, number(f, p[n])), add(f, denominator, number(f, q[n])));
}

// e^(-y²) without the rounding error of y², which counts y² times: y is split at 1/16.
static hlo_instruction *exp_minus_square(formula *f, hlo_instruction *y) {
  hlo_instruction *sixteen = number(f, 16);
  hlo_instruction *high = divide(f, one(f, HLO_OP_FLOOR, mul(f, y, sixteen)), sixteen);
  hlo_instruction *rest = mul(f, sub(f, y, high), add(f, y, high));
  hlo_instruction *a = one(f, HLO_OP_EXP, neg(f, mul(f, high, high)));
  return mul(f, a, one(f, HLO_OP_EXP, neg(f, rest)));
}

static hlo_instruction *complementary_error(formula *f, hlo_instruction *x) {
  static const double p[] = {5.64188496988670089e-1, 8.88314979438837594,   6.61191906371416295e1,
                             2.98635138197400131e2,  8.81952221241769090e2, 1.71204761263407058e3,
                             2.05107837782607147e3,  1.23033935479799725e3, 2.15311535474403846e-8};
  static const double q[] = {1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2,
                             1.62138957456669019e3, 3.29079923573345963e3, 4.36261909014324716e3,
                             3.43936767414372164e3, 1.23033935480374942e3};
  static const double r[] = {3.05326634961232344e-1, 3.60344899949804439e-1,
                             1.25781726111229246e-1, 1.60837851487422766e-2,
                             6.58749161529837803e-4, 1.63153871373020978e-2};
  static const double s[] = {2.56852019228982242, 1.87295284992346725, 5.27905102951428412e-1,
                             6.05183413124413191e-2, 2.33520497626869185e-3};
  static const double one_over_sqrt_pi = 0.56418958354775628695;
  hlo_instruction *unit = number(f, 1), *y = one(f, HLO_OP_ABS, x);
  hlo_instruction *middle = quotient(f, y, 7, p, q);
  hlo_instruction *z = divide(f, unit, mul(f, y, y));
  hlo_instruction *tail = mul(f, z, quotient(f, z, 4, r, s));
  tail = divide(f, sub(f, number(f, one_over_sqrt_pi), tail), y);
  hlo_instruction *outside = select(f, compare(f, "LE", y, number(f, 4)), middle, tail);
  // Beyond 30 the exponential is zero in every format, and infinity must not become NaN.
  hlo_instruction *bounded = two(f, HLO_OP_MINIMUM, y, number(f, 30));
  outside = mul(f, exp_minus_square(f, bounded), outside);
  hlo_instruction *is_negative = compare(f, "LT", x, number(f, 0));
  outside = select(f, is_negative, sub(f, number(f, 2), outside), outside);
  hlo_instruction *inside = sub(f, unit, one(f, HLO_OP_ERF, x));
  return select(f, compare(f, "LE", y, number(f, 0.46875)), inside, outside);
}

// --- lgamma, digamma ---

static const double lanczos_g = 7, pi = 3.14159265358979323846;
static const double lanczos[] = {0.99999999999980993227684700473478,
                                 676.520368121885098567009190444019,
                                 -1259.13921672240287047156078755283,
                                 771.3234287776530788486528258894,
                                 -176.61502916214059906584551354,
                                 12.507343278686904814458936853,
                                 -0.13857109526572011689554707,
                                 9.984369578019570859563e-6,
                                 1.50563273514931155834e-7};

// What both functions start with: below 1/2 they are reflected.
typedef struct lanczos_start {
  hlo_instruction *is_small; // x < 1/2
  hlo_instruction *z;        // x - 1, or -x
  hlo_instruction *t;        // z + g + 1/2
  hlo_instruction *log_t;
} lanczos_start;

static lanczos_start start(formula *f, hlo_instruction *x) {
  lanczos_start s;
  hlo_instruction *shift = number(f, lanczos_g + 0.5);
  s.is_small = compare(f, "LT", x, number(f, 0.5));
  s.z = select(f, s.is_small, neg(f, x), sub(f, x, number(f, 1)));
  s.t = add(f, s.z, shift);
  s.log_t = add(f, one(f, HLO_OP_LOG, shift), one(f, HLO_OP_LOG1P, divide(f, s.z, shift)));
  return s;
}

// log |Γ(x)|: (z + 1/2) log t - t + log √(2π) + log A(z), reflected by π / (sin(πx) Γ(1 - x)).
static hlo_instruction *log_gamma(formula *f, hlo_instruction *x) {
  lanczos_start s = start(f, x);
  hlo_instruction *sum = number(f, lanczos[0]);
  for (int i = 1; i < 9; i++)
    sum = add(f, sum, divide(f, number(f, lanczos[i]), add(f, s.z, number(f, i))));
  hlo_instruction *half = number(f, 0.5);
  hlo_instruction *y = sub(f, add(f, s.z, half), divide(f, s.t, s.log_t));
  y = add(f, mul(f, y, s.log_t),
          add(f, number(f, 0.91893853320467274178), one(f, HLO_OP_LOG, sum)));
  // |sin πx| from the distance to the nearest integer.
  hlo_instruction *size = one(f, HLO_OP_ABS, x);
  hlo_instruction *fraction = sub(f, size, one(f, HLO_OP_FLOOR, size));
  fraction = two(f, HLO_OP_MINIMUM, fraction, sub(f, number(f, 1), fraction));
  hlo_instruction *sine = one(f, HLO_OP_SIN, mul(f, number(f, pi), fraction));
  hlo_instruction *log_sine = one(f, HLO_OP_LOG, sine);
  hlo_instruction *infinity = number(f, __builtin_inf());
  hlo_instruction *reflected = sub(f, sub(f, number(f, 1.14472988584940017414), log_sine), y);
  hlo_instruction *is_pole = compare(f, "EQ", sine, number(f, 0));
  y = select(f, s.is_small, select(f, is_pole, infinity, reflected), y);
  return select(f, compare(f, "EQ", size, infinity), infinity, y);
}

// The derivative of log Γ(x): log t + A'(z) / A(z) - g / t, reflected by -π / tan(πx).
static hlo_instruction *digamma(formula *f, hlo_instruction *x) {
  lanczos_start s = start(f, x);
  hlo_instruction *sum = number(f, lanczos[0]), *derivative = number(f, 0);
  for (int i = 1; i < 9; i++) {
    hlo_instruction *q = add(f, s.z, number(f, i)), *c = number(f, lanczos[i]);
    sum = add(f, sum, divide(f, c, q));
    derivative = sub(f, derivative, divide(f, c, mul(f, q, q)));
  }
  hlo_instruction *y = add(f, s.log_t, divide(f, derivative, sum));
  y = sub(f, y, divide(f, number(f, lanczos_g), s.t));
  // x less the nearest integer: tan has the same value there, and a smaller error.
  hlo_instruction *nearest = one(f, HLO_OP_FLOOR, add(f, x, number(f, 0.5)));
  hlo_instruction *angle = mul(f, number(f, pi), sub(f, x, nearest));
  hlo_instruction *cotangent = divide(f, one(f, HLO_OP_COS, angle), one(f, HLO_OP_SIN, angle));
  hlo_instruction *reflected = sub(f, y, mul(f, number(f, pi), cotangent));
  y = select(f, s.is_small, reflected, y);
  // At zero and the negative integers there is no value.
  hlo_instruction *is_pole = two(f, HLO_OP_SUBTRACT, x, one(f, HLO_OP_FLOOR, x));
  hlo_instruction *not_positive = compare(f, "LE", x, number(f, 0));
  is_pole = compare(f, "EQ", is_pole, number(f, 0));
  y = select(f, not_positive, select(f, is_pole, number(f, __builtin_nan("")), y), y);
  return y;
}

// --- bessel_i1e ---

// Chebyshev coefficients from stablehlo_chlo_coefficients.py.
static const double bessel_near[] = {
    0.25258718644363365482,     -0.17641651835783405515,    0.10264365868984709538,
    -0.052945981208094991427,   0.024726449030626516828,    -0.010564084894626198156,
    0.0041564229443128881567,   -0.001513572450631253149,   0.0005122859561685757729,
    -0.00016176081582589674559, 0.000047815651075500542264, -0.000013273163656039435828,
    3.4702513081376784767e-6,   -8.5687202646954547407e-7,  2.0032947535521352623e-7,
    -4.4450591287963280807e-8,  9.3815373864957717839e-9,   -1.8872497517228292879e-9,
    3.625590281552117037e-10,   -6.6634897235020277422e-11, 1.1736186298890901631e-11,
    -1.9839743977649437152e-12, 3.2237933659455747098e-13,  -5.0421855047279116871e-14,
    7.6006842947354069341e-15,  -1.105596947735386308e-15,  1.5536319577362004689e-16};
static const double bessel_far[] = {
    0.77857623501828012047,     -0.0097610974913614684078,  -0.00011058893876262371629,
    -3.8825648088776903935e-6,  -2.5122362378702089253e-7,  -2.6314688468895195068e-8,
    -3.835380385964237022e-9,   -5.5897434621965838069e-10, -1.8974958123505412345e-11,
    3.2526035830154882386e-11,  1.4125807436613781332e-11,  2.0356285441470895072e-12,
    -7.1985517762459085121e-13, -4.0835511110921973182e-13, -2.101541842772664313e-14,
    4.2724400167119513543e-14,  1.0420276984128802764e-14,  -3.8144030724370078048e-15,
    -1.8803547755107824485e-15, 3.3082023109209282827e-16,  2.9626289976459501391e-16,
    -3.2095259219934239588e-17, -4.6503053684893583256e-17, 4.4143483230717079499e-18};

// c[0]/2 + c[1] T1(t) + … by Clenshaw's recurrence.
static hlo_instruction *chebyshev(formula *f, hlo_instruction *t, int n, const double *c) {
  hlo_instruction *twice = add(f, t, t), *b1 = number(f, c[n - 1]), *b2 = number(f, 0);
  for (int i = n - 2; i > 0; i--) {
    hlo_instruction *b = add(f, sub(f, mul(f, twice, b1), b2), number(f, c[i]));
    b2 = b1;
    b1 = b;
  }
  return add(f, sub(f, mul(f, t, b1), b2), number(f, c[0] / 2));
}

// e^-|x| I1(x): x p(|x|/4 - 1) up to 8, then q(16/|x| - 1) / √|x|.
static hlo_instruction *bessel_i1e(formula *f, hlo_instruction *x) {
  hlo_instruction *y = one(f, HLO_OP_ABS, x), *unit = number(f, 1);
  hlo_instruction *near = sub(f, mul(f, y, number(f, 0.25)), unit);
  near = mul(f, x, chebyshev(f, near, 27, bessel_near));
  hlo_instruction *far = sub(f, divide(f, number(f, 16), y), unit);
  far = divide(f, chebyshev(f, far, 24, bessel_far), one(f, HLO_OP_SQRT, y));
  far = mul(f, far, one(f, HLO_OP_SIGN, x));
  return select(f, compare(f, "LE", y, number(f, 8)), near, far);
}

hlo_status hlo_chlo_erf_inv(stablehlo_importer *im, hlo_instruction *x, hlo_instruction **out,
                            hlo_error *error) {
  return evaluate(im, erf_inv, false, x, out, error);
}
hlo_status hlo_chlo_erfc(stablehlo_importer *im, hlo_instruction *x, hlo_instruction **out,
                         hlo_error *error) {
  return evaluate(im, complementary_error, false, x, out, error);
}
hlo_status hlo_chlo_lgamma(stablehlo_importer *im, hlo_instruction *x, hlo_instruction **out,
                           hlo_error *error) {
  return evaluate(im, log_gamma, true, x, out, error);
}
hlo_status hlo_chlo_digamma(stablehlo_importer *im, hlo_instruction *x, hlo_instruction **out,
                            hlo_error *error) {
  return evaluate(im, digamma, true, x, out, error);
}

hlo_status hlo_chlo_bessel_i1e(stablehlo_importer *im, hlo_instruction *x, hlo_instruction **out,
                               hlo_error *error) {
  return evaluate(im, bessel_i1e, true, x, out, error);
}

// --- next_after ---

static hlo_type bits_type(hlo_type type) {
  switch (hlo_type_bits(type)) {
  case 16:
    return HLO_U16;
  case 32:
    return HLO_U32;
  case 64:
    return HLO_U64;
  default:
    return HLO_TYPE_INVALID;
  }
}

// All bits of the integer type equal to those of the value.
static hlo_instruction *bits(formula *f, uint64_t value) {
  hlo_literal *literal = NULL;
  hlo_instruction *result = NULL;
  if (f->status == HLO_OK) {
    literal = hlo_arena_array(&f->im->module->arena, 1, sizeof *literal);
    f->status = literal == NULL
                    ? hlo_fail_out_of_memory(f->error)
                    : hlo_literal_make(&f->im->module->arena, hlo_shape_scalar(f->shape->type),
                                       literal, f->error);
  }
  if (f->status != HLO_OK) return NULL;
  memcpy(literal->data, &value, (size_t)hlo_type_bytes(f->shape->type));
  f->status = hlo_import_constant(f->im, literal, f->shape, &result, f->error);
  return result;
}

// Neighbours are one apart when a float's bits are read as an integer: the magnitude grows when y
// lies on the same side and further out.
hlo_status hlo_chlo_next_after(stablehlo_importer *im, hlo_instruction *x, hlo_instruction *y,
                               hlo_instruction **out, hlo_error *error) {
  formula f = {.im = im, .shape = x->shape, .error = error};
  hlo_type type = x->shape->type, integer = bits_type(type);
  if (!hlo_type_is_float(type) || integer == HLO_TYPE_INVALID)
    return hlo_import_fail(im->operation, HLO_UNSUPPORTED, error,
                           "of this element type is not supported");
  hlo_instruction *x_bits = convert(&f, x, HLO_OP_BITCAST_CONVERT, integer);
  hlo_instruction *y_bits = convert(&f, y, HLO_OP_BITCAST_CONVERT, integer);
  if (f.status != HLO_OK) return f.status;
  f.shape = x_bits->shape;
  uint64_t sign_bit = 1ULL << (hlo_type_bits(type) - 1);
  hlo_instruction *sign = bits(&f, sign_bit), *rest = bits(&f, sign_bit - 1);
  hlo_instruction *x_size = two(&f, HLO_OP_AND, x_bits, rest);
  hlo_instruction *y_size = two(&f, HLO_OP_AND, y_bits, rest);
  hlo_instruction *x_sign = two(&f, HLO_OP_AND, x_bits, sign);
  hlo_instruction *y_sign = two(&f, HLO_OP_AND, y_bits, sign);
  hlo_instruction *unit = bits(&f, 1), *zero = bits(&f, 0);
  hlo_instruction *outward = two(&f, HLO_OP_ADD, x_bits, unit);
  hlo_instruction *inward = two(&f, HLO_OP_SUBTRACT, x_bits, unit);
  hlo_instruction *other_side = compare(&f, "NE", x_sign, y_sign);
  hlo_instruction *further_in = compare(&f, "GT", x_size, y_size);
  hlo_instruction *moved = select(&f, other_side, inward, select(&f, further_in, inward, outward));
  hlo_instruction *from_zero = two(&f, HLO_OP_OR, y_sign, unit);
  moved = select(&f, compare(&f, "EQ", x_size, zero), from_zero, moved);
  moved = convert(&f, moved, HLO_OP_BITCAST_CONVERT, type);
  f.shape = x->shape;
  hlo_instruction *same = select(&f, compare(&f, "EQ", x, y), y, moved);
  // NaN is what neither equals itself: their sum is one, too.
  hlo_instruction *sum = add(&f, x, y);
  hlo_instruction *x_number = select(&f, compare(&f, "EQ", x, x), same, sum);
  *out = select(&f, compare(&f, "EQ", y, y), x_number, sum);
  return f.status;
}
