// Plans a transform as passes: radix 4 first, so that vectors fill up, then the length's other
// factors. A length with a large prime factor becomes a convolution (L. I. Bluestein, "A linear
// filtering approach to the computation of discrete Fourier transform", 1970), always in f64, so
// that it loses no accuracy. See fft.h.
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

static bool has_small_factors(int64_t length) {
  for (int64_t left = length; left > 1;) {
    int32_t radix = radix_of(HLO_FFT_LONG, left);
    if (radix == 0) return false;
    left /= radix;
  }
  return true;
}

static hlo_status plan_pass(const hlo_evaluator *evaluator, const roots *r, hlo_type type,
                            hlo_fft_pass *pass, hlo_error *error) {
  int64_t m = pass->length / pass->radix, factor = r->n / pass->length;
  size_t size = (size_t)hlo_type_bytes(type);
  HLO_TRY(
      build_twiddles(evaluator, type, (pass->radix - 1) * m, &pass->cosines, &pass->sines, error));
  for (int64_t j = 1; j < pass->radix; j++) {
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

static hlo_status plan_passes(const hlo_evaluator *evaluator, hlo_fft *fft, hlo_error *error) {
  roots r;
  HLO_TRY(compute_roots(evaluator, fft->type, fft->length, &r, error));
  for (int64_t left = fft->length; left > 1;) {
    hlo_fft_pass *pass = &fft->passes[fft->pass_count++];
    *pass = (hlo_fft_pass){
        .length = left, .stride = fft->length / left, .radix = radix_of(fft->kind, left)};
    pass->together = products_per_sum(fft->kind, pass->radix);
    HLO_TRY(plan_pass(evaluator, &r, fft->type, pass, error));
    left /= pass->radix;
  }
  return HLO_OK;
}

// --- any length ---

// chirp[k] = exp(-πi k² / n). k² = k0² + … + 2k + 1 is kept modulo 2n.
static hlo_status compute_chirp(const hlo_evaluator *evaluator, hlo_fft *fft, hlo_error *error) {
  int64_t n = fft->length, square = 0;
  roots r;
  HLO_TRY(compute_roots(evaluator, HLO_F64, 2 * n, &r, error));
  HLO_ALLOC(fft->chirp_re, evaluator->scratch, n, error);
  HLO_ALLOC(fft->chirp_im, evaluator->scratch, n, error);
  for (int64_t k = 0; k < n; k++) {
    root z = root_at(&r, square);
    fft->chirp_re[k] = z.cosine, fft->chirp_im[k] = z.sine;
    square += 2 * k + 1;
    if (square >= 2 * n) square -= 2 * n;
  }
  return HLO_OK;
}

// The filter is the conjugate chirp, wrapped around cyclically, at all distances between an output
// and an input: -(inputs - 1) … outputs - 1.
static hlo_status transform_chirp_filter(const hlo_evaluator *evaluator, hlo_fft *fft,
                                         hlo_error *error) {
  int64_t around = fft->work_length;
  hlo_fft_planes planes = {.backend = evaluator->backend, .lanes = 1};
  void **all[4] = {&planes.re, &planes.im, &planes.next_re, &planes.next_im};
  for (int i = 0; i < 4; i++) {
    *all[i] = hlo_arena_array_raw(evaluator->scratch, (size_t)around, sizeof(double));
    if (*all[i] == NULL) return hlo_fail_out_of_memory(error);
  }
  double *re = planes.re, *im = planes.im, *const to[] = {re, im};
  for (int64_t k = 0; k < fft->outputs; k++) {
    re[k] = fft->chirp_re[k] / (double)around;
    im[k] = -fft->chirp_im[k] / (double)around;
  }
  int64_t gap = around - fft->outputs - (fft->inputs - 1);
  for (int i = 0; i < 2; i++) memset(to[i] + fft->outputs, 0, (size_t)gap * sizeof(double));
  for (int64_t k = 1; k < fft->inputs; k++) {
    re[around - k] = fft->chirp_re[k] / (double)around;
    im[around - k] = -fft->chirp_im[k] / (double)around;
  }
  hlo_fft_run(fft->convolver, &planes);
  fft->filter_re = planes.re;
  fft->filter_im = planes.im;
  return HLO_OK;
}

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

static hlo_status plan_bluestein(const hlo_evaluator *evaluator, hlo_fft *fft, hlo_error *error) {
  fft->type = HLO_F64;
  fft->work_length = quick_length(fft->inputs + fft->outputs - 1);
  HLO_ALLOC(fft->convolver, evaluator->scratch, 1, error);
  HLO_TRY(hlo_fft_plan(evaluator, HLO_F64, HLO_FFT_LONG, fft->work_length, fft->work_length,
                       fft->work_length, fft->convolver, error));
  HLO_TRY(compute_chirp(evaluator, fft, error));
  return transform_chirp_filter(evaluator, fft, error);
}

hlo_status hlo_fft_plan(const hlo_evaluator *evaluator, hlo_type type, hlo_fft_kind kind,
                        int64_t length, int64_t inputs, int64_t outputs, hlo_fft *out,
                        hlo_error *error) {
  *out = (hlo_fft){.type = type,
                   .kind = kind,
                   .length = length,
                   .inputs = inputs,
                   .outputs = outputs,
                   .work_length = length};
  if (has_small_factors(length)) return plan_passes(evaluator, out, error);
  return plan_bluestein(evaluator, out, error);
}

// --- running ---

// Numbers k < count of all lanes times (re, im)[k].
static void multiply_rows(hlo_fft_planes *planes, int64_t count, const double *re,
                          const double *im) {
  double *x = planes->re, *y = planes->im;
  for (int64_t k = 0; k < count; k++) {
    double c = re[k], s = im[k];
    for (int64_t l = 0; l < planes->lanes; l++, x++, y++) {
      double a = *x, b = *y;
      *x = a * c - b * s;
      *y = a * s + b * c;
    }
  }
}

static void swap_pointers(void **a, void **b) {
  void *kept = *a;
  *a = *b;
  *b = kept;
}

// transform[k] = chirp[k] Σ (x[m] chirp[m]) conj(chirp[k - m]), since 2km = k² + m² - (k - m)².
static void convolve(const hlo_fft *fft, hlo_fft_planes *planes) {
  size_t used = (size_t)(fft->inputs * planes->lanes);
  size_t rest = (size_t)(fft->work_length * planes->lanes) - used;
  multiply_rows(planes, fft->inputs, fft->chirp_re, fft->chirp_im);
  memset((double *)planes->re + used, 0, rest * sizeof(double));
  memset((double *)planes->im + used, 0, rest * sizeof(double));
  hlo_fft_run(fft->convolver, planes);
  multiply_rows(planes, fft->work_length, fft->filter_re, fft->filter_im);
  swap_pointers(&planes->re, &planes->im); // inverse
  hlo_fft_run(fft->convolver, planes);
  swap_pointers(&planes->re, &planes->im);
  multiply_rows(planes, fft->outputs, fft->chirp_re, fft->chirp_im);
}

void hlo_fft_run(const hlo_fft *fft, hlo_fft_planes *planes) {
  if (fft->convolver != NULL) {
    convolve(fft, planes);
    return;
  }
  for (int32_t i = 0; i < fft->pass_count; i++) {
    if (fft->type == HLO_F32) hlo_fft_pass_f32(&fft->passes[i], planes);
    else hlo_fft_pass_f64(&fft->passes[i], planes);
    swap_pointers(&planes->re, &planes->next_re);
    swap_pointers(&planes->im, &planes->next_im);
  }
}
