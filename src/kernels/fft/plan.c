// Plans a transform as passes: radix 4 first, so that vectors fill up, then the length's other
// factors, those that have no butterflies last. See fft.h.
#include "kernels/fft/fft.h"

#include "math/elementary.h"
#include "math/elementary/coefficients.h"
#include "math/elementary/cores.h"

#include <string.h>

typedef struct root {
  double cosine, sine;
} root;

// exp(-2πi k / n) for 0 <= k < n, correct to about half a unit: the angle is taken from the nearest
// multiple of a quarter turn. exact: in double-double, to half a unit in nearly all cases.
static root root_of_one(int64_t k, int64_t n, bool exact) {
  int64_t quarter = (4 * (k % n) + n / 2) / n, rest = 4 * k - quarter * n; // |rest| <= n / 2
  double cosine, sine;
  if (exact) {
    dd turns = dd_divide((dd){(double)rest, 0}, (dd){(double)n, 0});
    dd angle = dd_multiply(turns, (dd){HALF_PI_DD_1, HALF_PI_DD_2});
    dd s = hlo_sin_core(angle), c = hlo_cos_core(angle);
    sine = s.hi + s.lo, cosine = c.hi + c.lo;
  } else {
    hlo_sincos_f64((double)rest / (double)n * HALF_PI_DD_1, &sine, &cosine);
  }
  switch (quarter & 3) {
  case 0:
    return (root){cosine, -sine};
  case 1:
    return (root){-sine, -cosine};
  case 2:
    return (root){-cosine, sine};
  default:
    return (root){sine, cosine};
  }
}

static root product(root a, root b) {
  return (root){a.cosine * b.cosine - a.sine * b.sine, a.cosine * b.sine + a.sine * b.cosine};
}

// All n-th roots of unity as products of two of a few: number k is coarse[k / step] fine[k % step],
// step being 1 << shift.
typedef struct roots {
  int64_t n, step;
  int shift;
  root *coarse, *fine;
} roots;

static hlo_status compute_roots(const hlo_evaluator *evaluator, hlo_type type, int64_t n,
                                roots *out, hlo_error *error) {
  bool exact = type == HLO_F64 && n <= HLO_FFT_EXACT;
  out->n = n;
  out->step = HLO_FFT_EXACT; // lengths up to here have exact roots
  while (out->step < n / out->step) out->step *= 2;
  out->shift = __builtin_ctzll((uint64_t)out->step);
  int64_t count = (n - 1) / out->step + 1;
  HLO_ALLOC(out->coarse, evaluator->scratch, count, error);
  HLO_ALLOC(out->fine, evaluator->scratch, out->step, error);
  for (int64_t k = 0; k < count; k++) out->coarse[k] = root_of_one(k * out->step, n, exact);
  for (int64_t k = 0; k < out->step && k < n; k++) out->fine[k] = root_of_one(k % n, n, exact);
  return HLO_OK;
}

static root root_at(const roots *r, int64_t k) {
  return product(r->coarse[k >> r->shift], r->fine[k & (r->step - 1)]);
}

// A table of `count` roots k = 0, factor, 2 factor, …, in parts of the type. Blocks of them differ
// by one turn of all.
static void fill_table(const roots *r, hlo_type type, int64_t count, int64_t factor, void *cosines,
                       void *sines) {
  enum { BLOCK = 256 }; // roots
  double re[BLOCK], im[BLOCK];
  int64_t block = count < BLOCK ? count : BLOCK;
  for (int64_t i = 0; i < block; i++) {
    root z = root_at(r, i * factor % r->n);
    re[i] = z.cosine, im[i] = z.sine;
  }
  for (int64_t first = 0; first < count; first += BLOCK) {
    int64_t n = count - first < BLOCK ? count - first : BLOCK;
    root z = root_at(r, first * factor % r->n);
    if (type == HLO_F32) {
      float *to_re = (float *)cosines + first, *to_im = (float *)sines + first;
      for (int64_t i = 0; i < n; i++) {
        to_re[i] = (float)(re[i] * z.cosine - im[i] * z.sine);
        to_im[i] = (float)(re[i] * z.sine + im[i] * z.cosine);
      }
      continue;
    }
    double *to_re = (double *)cosines + first, *to_im = (double *)sines + first;
    for (int64_t i = 0; i < n; i++) {
      to_re[i] = re[i] * z.cosine - im[i] * z.sine;
      to_im[i] = re[i] * z.sine + im[i] * z.cosine;
    }
  }
}

static hlo_status build_twiddles(const hlo_evaluator *evaluator, hlo_type type, int64_t count,
                                 const void **cosines, const void **sines, hlo_error *error) {
  size_t size = (size_t)hlo_type_bytes(type);
  *cosines = hlo_arena_array_raw(evaluator->scratch, (size_t)count, size);
  *sines = hlo_arena_array_raw(evaluator->scratch, (size_t)count, size);
  return *cosines == NULL || *sines == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

hlo_status hlo_fft_roots(const hlo_evaluator *evaluator, hlo_type type, int64_t count, int64_t n,
                         const void **cosines, const void **sines, hlo_error *error) {
  roots r;
  HLO_TRY(compute_roots(evaluator, type, n, &r, error));
  HLO_TRY(build_twiddles(evaluator, type, count, cosines, sines, error));
  fill_table(&r, type, count, 1, (void *)*cosines, (void *)*sines);
  return HLO_OK;
}

// The radix of the next pass when so much of a length is left; 0 if only a large prime factor would
// do. Short transforms have XLA's passes: those of numbers of radix 8, then 4, before them one of
// radix 2, those of samples of radix 4, before them one of radix 2.
static int32_t radix_of(hlo_fft_kind kind, int64_t left) {
  int twos = __builtin_ctzll((uint64_t)left);
  if (kind == HLO_FFT_SHORT && twos > 2) return twos % 3 == 1 ? 2 : 8;
  if (kind == HLO_FFT_SAMPLES && twos > 2) return twos % 2 == 1 ? 2 : 4;
  if (twos > 1) return 4;
  if (twos == 1) return 2;
  for (int32_t radix = 3; radix <= HLO_FFT_LARGEST_RADIX; radix += 2) {
    if (left % radix == 0) return radix;
  }
  return 0;
}

// The number of products that XLA's passes add to a sum at once.
static int32_t products_per_sum(hlo_fft_kind kind, int32_t radix) {
  if (kind == HLO_FFT_SAMPLES) return radix > 5 ? 4 : 1;
  return radix > 11 ? 2 : 1;
}

static int64_t smallest_factor(int64_t odd) {
  for (int64_t factor = 3; factor <= odd / factor; factor += 2)
    if (odd % factor == 0) return factor;
  return odd;
}

static hlo_status plan_pass(const hlo_evaluator *evaluator, const roots *r, hlo_type type,
                            hlo_fft_pass *pass, hlo_error *error) {
  int64_t m = pass->length / pass->radix, factor = r->n / pass->length;
  size_t size = (size_t)hlo_type_bytes(type);
  bool is_last_large = m == 1 && pass->radix > HLO_FFT_LARGEST_RADIX; // whose factors are not read
  int64_t rows = is_last_large ? 0 : pass->radix - 1;
  HLO_TRY(build_twiddles(evaluator, type, rows * m, &pass->cosines, &pass->sines, error));
  for (int64_t j = 1; j <= rows; j++) {
    int64_t at = (j - 1) * m * (int64_t)size;
    fill_table(r, type, m, j * factor, (char *)pass->cosines + at, (char *)pass->sines + at);
  }
  if (pass->radix % 2 == 0) return HLO_OK;
  HLO_TRY(build_twiddles(evaluator, type, pass->radix, &pass->radix_cosines, &pass->radix_sines,
                         error));
  fill_table(r, type, pass->radix, r->n / pass->radix, (void *)pass->radix_cosines,
             (void *)pass->radix_sines);
  return HLO_OK;
}

// --- large prime radices ---

// The smallest length of at least `least` with fast transforms: a power of two, or 3, 5 or 9 times
// one.
static int64_t quick_length(int64_t least) {
  static const int64_t factors[] = {1, 3, 5, 9};
  int64_t best = INT64_MAX;
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
    int64_t length = factors[i];
    while (length < least) length *= 2;
    if (length < best) best = length;
  }
  return best;
}

static int64_t convolution_length(int64_t prime, double *cost);

// About the multiplications of a transform.
static double cost_of(int64_t length) {
  double cost = 0;
  for (int64_t left = length; left > 1;) {
    int64_t radix = radix_of(HLO_FFT_LONG, left);
    double convolution;
    if (radix == 0) {
      radix = smallest_factor(left);
      convolution_length(radix, &convolution);
      cost += (double)(length / radix) * convolution;
    } else {
      cost += (double)length * (radix == 4 ? 3 : (double)radix);
    }
    left /= radix;
  }
  return cost;
}

// Of the residues but 0: as many numbers as there are, or so many more that the ends do not meet.
static int64_t convolution_length(int64_t prime, double *cost) {
  int64_t cyclic = prime - 1, padded = quick_length(2 * prime - 3);
  double of_cyclic = cost_of(cyclic), of_padded = cost_of(padded);
  bool is_cyclic = of_cyclic <= of_padded;
  *cost = 2 * (is_cyclic ? of_cyclic : of_padded);
  return is_cyclic ? cyclic : padded;
}

static int64_t power_modulo(int64_t base, int64_t exponent, int64_t modulus) {
  int64_t power = 1;
  for (; exponent > 0; exponent /= 2, base = base * base % modulus)
    if (exponent % 2 == 1) power = power * base % modulus;
  return power;
}

// The least number whose powers are all residues modulo the prime but 0.
static int64_t find_generator(int64_t prime) {
  for (int64_t candidate = 2;; candidate++) {
    bool generates = power_modulo(candidate, (prime - 1) / 2, prime) != 1;
    int64_t left = (prime - 1) >> __builtin_ctzll((uint64_t)(prime - 1));
    for (int64_t factor; generates && left > 1; left /= factor) {
      factor = smallest_factor(left);
      generates = power_modulo(candidate, (prime - 1) / factor, prime) != 1;
    }
    if (generates) return candidate;
  }
}

static hlo_status transform_filter(const hlo_evaluator *evaluator, hlo_type type,
                                   const hlo_fft_pass *pass, hlo_fft_rader *rader,
                                   hlo_error *error) {
  hlo_fft_planes planes = {.backend = evaluator->backend, .lanes = 1};
  void **all[4] = {&planes.re, &planes.im, &planes.next_re, &planes.next_im};
  for (int i = 0; i < 4; i++) {
    *all[i] = hlo_arena_array_raw(evaluator->scratch, (size_t)rader->convolver.work_length,
                                  (size_t)hlo_type_bytes(type));
    if (*all[i] == NULL) return hlo_fail_out_of_memory(error);
  }
  const hlo_fft_convolution *convolution =
      type == HLO_F32 ? &hlo_fft_convolution_f32 : &hlo_fft_convolution_f64;
  convolution->fill_filter(pass, rader, &planes);
  hlo_fft_run(&rader->convolver, &planes);
  rader->filter_re = planes.re;
  rader->filter_im = planes.im;
  return HLO_OK;
}

// Lengths of convolvers are at least halved at each depth, or have butterflies alone.
static hlo_status plan_rader(const hlo_evaluator *evaluator, hlo_fft *fft, hlo_fft_pass *pass,
                             hlo_error *error) {
  hlo_fft_rader *rader;
  int64_t prime = pass->radix, generator = find_generator(prime), *powers;
  double cost;
  HLO_ALLOC(rader, evaluator->scratch, 1, error);
  HLO_ALLOC(powers, evaluator->scratch, prime - 1, error);
  powers[0] = 1;
  for (int64_t k = 1; k < prime - 1;
       k++) { // the generator is small: subtractions are quicker than a division
    powers[k] = powers[k - 1] * generator;
    while (powers[k] >= prime) powers[k] -= prime;
  }
  rader->powers = powers;
  HLO_TRY(hlo_fft_plan(evaluator, fft->type, HLO_FFT_LONG, convolution_length(prime, &cost),
                       &rader->convolver, error));
  HLO_TRY(transform_filter(evaluator, fft->type, pass, rader, error));
  int64_t work_length = fft->length + pass->stride * rader->convolver.work_length;
  if (work_length > fft->work_length) fft->work_length = work_length;
  pass->rader = rader;
  return HLO_OK;
}

hlo_status hlo_fft_plan(const hlo_evaluator *evaluator, hlo_type type, hlo_fft_kind kind,
                        int64_t length, hlo_fft *fft, hlo_error *error) {
  roots r;
  *fft = (hlo_fft){.type = type, .kind = kind, .length = length, .work_length = length};
  HLO_TRY(compute_roots(evaluator, fft->type, fft->length, &r, error));
  for (int64_t left = fft->length; left > 1;) {
    hlo_fft_pass *pass = &fft->passes[fft->pass_count++];
    int64_t radix = radix_of(fft->kind, left);
    bool is_large = radix == 0;
    if (is_large) radix = smallest_factor(left);
    *pass = (hlo_fft_pass){.length = left, .stride = fft->length / left, .radix = (int32_t)radix};
    pass->together = products_per_sum(fft->kind, pass->radix);
    HLO_TRY(plan_pass(evaluator, &r, fft->type, pass, error));
    if (is_large) HLO_TRY(plan_rader(evaluator, fft, pass, error));
    left /= radix;
  }
  return HLO_OK;
}
