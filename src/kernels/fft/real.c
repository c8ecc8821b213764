// Transforms of real samples by complex ones of half the length: with E and O the transforms of the
// even and the odd samples, that of all is E + w O, w = exp(-πi k / half), and that of the numbers
// is E + i O (H. V. Sorensen et al., "Real-valued fast Fourier transform algorithms", 1987). Both E
// and O of number half - k are the conjugates of those of number k. See fft.h.
#include "kernels/fft/fft.h"

hlo_status hlo_fft_real_plan(const hlo_evaluator *evaluator, hlo_type type, int64_t half,
                             hlo_fft_real *out, hlo_error *error) {
  *out = (hlo_fft_real){.type = type, .half = half};
  return hlo_fft_roots(evaluator, type, half / 2 + 1, 2 * half, &out->cosines, &out->sines, error);
}

#define DEFINE_REAL(suffix, part)                                                                  \
  static void finish_##suffix(const hlo_fft_real *real, int64_t lanes, part *re, part *im) {       \
    const part *cosines = real->cosines, *sines = real->sines;                                     \
    int64_t last = real->half * lanes;                                                             \
    for (int64_t l = 0; l < lanes; l++) {                                                          \
      part even = re[l], odd = im[l];                                                              \
      re[l] = even + odd, re[last + l] = even - odd;                                               \
      im[l] = 0, im[last + l] = 0;                                                                 \
    }                                                                                              \
    for (int64_t k = 1; k <= real->half / 2; k++) {                                                \
      part c = cosines[k], s = sines[k];                                                           \
      for (int64_t a = k * lanes, b = last - a; a < (k + 1) * lanes; a++, b++) {                   \
        part even_re = (re[a] + re[b]) / 2, even_im = (im[a] - im[b]) / 2;                         \
        part odd_re = (im[a] + im[b]) / 2, odd_im = (re[b] - re[a]) / 2;                           \
        part turned_re = odd_re * c - odd_im * s, turned_im = odd_re * s + odd_im * c;             \
        re[a] = even_re + turned_re, im[a] = even_im + turned_im;                                  \
        re[b] = even_re - turned_re, im[b] = turned_im - even_im;                                  \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void start_##suffix(const hlo_fft_real *real, int64_t lanes, part *re, part *im) {        \
    const part *cosines = real->cosines, *sines = real->sines;                                     \
    int64_t last = real->half * lanes;                                                             \
    for (int64_t l = 0; l < lanes; l++) {                                                          \
      part low = re[l], high = re[last + l];                                                       \
      re[l] = (low + high) / 2, im[l] = (low - high) / 2;                                          \
    }                                                                                              \
    for (int64_t k = 1; k <= real->half / 2; k++) {                                                \
      part c = cosines[k], s = -sines[k];                                                          \
      for (int64_t a = k * lanes, b = last - a; a < (k + 1) * lanes; a++, b++) {                   \
        part even_re = (re[a] + re[b]) / 2, even_im = (im[a] - im[b]) / 2;                         \
        part turned_re = (re[a] - re[b]) / 2, turned_im = (im[a] + im[b]) / 2;                     \
        part odd_re = turned_re * c - turned_im * s, odd_im = turned_re * s + turned_im * c;       \
        re[a] = even_re - odd_im, im[a] = even_im + odd_re;                                        \
        re[b] = even_re + odd_im, im[b] = odd_re - even_im;                                        \
      }                                                                                            \
    }                                                                                              \
  }
DEFINE_REAL(f32, float)
DEFINE_REAL(f64, double)

void hlo_fft_real_finish(const hlo_fft_real *real, int64_t lanes, void *re, void *im) {
  if (real->type == HLO_F32) finish_f32(real, lanes, re, im);
  else finish_f64(real, lanes, re, im);
}

void hlo_fft_real_start(const hlo_fft_real *real, int64_t lanes, void *re, void *im) {
  if (real->type == HLO_F32) start_f32(real, lanes, re, im);
  else start_f64(real, lanes, re, im);
}
