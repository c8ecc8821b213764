// StochasticConvert as a lane function: floats to integers, rounded away from zero with the
// probability that the fraction says. The operation semantics do not describe it; this is what
// XLA's CPU backend does: a value is rounded away when its random bits, as a fraction of their
// range, are less than its own fraction; values beyond the range saturate, and NaN gives 0. Results
// that are floats cannot be run there, nor here.
#include "kernels/elementwise/lanes.h"
#include "shape/literal.h"

// |x| without its fraction, and that fraction in units of 2^-bits. x is finite.
static double split(double x, int32_t bits, uint64_t *fraction) {
  double magnitude = x < 0 ? -x : x;
  if (magnitude >= 0x1p53) { // all such numbers are integers
    *fraction = 0;
    return magnitude;
  }
  double whole = (double)(int64_t)magnitude;
  double scale = bits == 64 ? 0x1p64 : (double)((uint64_t)1 << bits);
  *fraction = (uint64_t)((magnitude - whole) * scale); // less than 2^bits
  return whole;
}

// The unsigned type of the random bits for a float type.
static hlo_type random_type_of(hlo_type type) {
  static const hlo_type types[] = {HLO_U2, HLO_U4, HLO_U8, HLO_U16, HLO_U32};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    if (hlo_type_bits(types[i]) == hlo_type_bits(type)) return types[i];
  }
  return HLO_U64;
}

static void run(const hlo_lane_op *op, void *result, const void *const *operands, int64_t n) {
  hlo_type random_type = random_type_of(op->from);
  int32_t from_size = hlo_type_bytes(op->from), to_size = hlo_type_bytes(op->to);
  for (int64_t i = 0; i < n; i++) {
    hlo_number x = hlo_element_get(op->from, (const char *)operands[0] + i * from_size);
    uint64_t random = hlo_element_get(random_type, (const char *)operands[1] + i * from_size).u;
    if (x.re - x.re == 0) {
      uint64_t fraction;
      double whole = split(x.re, hlo_type_bits(op->from), &fraction);
      if (random < fraction) whole++;
      x.re = x.re < 0 ? -whole : whole;
    }
    hlo_element_set(op->to, (char *)result + i * to_size, x);
  }
}

bool hlo_lane_op_stochastic_convert(const hlo_instruction *instruction, hlo_lane_op *out) {
  (void)instruction;
  out->run = run;
  return hlo_type_is_float(out->from) && hlo_type_is_integer(out->to);
}
