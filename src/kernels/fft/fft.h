// Batched discrete Fourier transforms of one length: the step of Fft along one axis.
#ifndef HLO_KERNELS_FFT_FFT_H
#define HLO_KERNELS_FFT_FFT_H

#include "kernels/eval.h"

enum { HLO_FFT_MAX_PASSES = 40, HLO_FFT_LARGEST_RADIX = 31, HLO_FFT_EXACT = 64 };

// The decomposition into passes. LONG: the fastest. SHORT: XLA's, for the same bits in transforms
// of up to some 30 numbers; SAMPLES: XLA's for real samples.
typedef enum hlo_fft_kind { HLO_FFT_LONG, HLO_FFT_SHORT, HLO_FFT_SAMPLES } hlo_fft_kind;

// One pass of a transform: `length / radix` butterflies of `radix` numbers, `stride` times.
typedef struct hlo_fft_pass {
  int64_t length, stride;
  int64_t radix;
  int32_t together; // of an odd radix: the most products that are added before they join a sum
  // exp(-2πi p j / length) at (j - 1) * (length / radix) + p, in the type of the parts
  const void *cosines, *sines;
  const void *radix_cosines, *radix_sines; // exp(-2πi k / radix), for odd radices
  const struct hlo_fft_rader *rader;       // of a prime radix above the largest of butterflies
} hlo_fft_pass;

// The work of transforms that run side by side: number k of transform l is at k * lanes + l.
typedef struct hlo_fft_planes {
  const hlo_backend *backend; // whose threads share long passes; NULL: one thread
  int64_t lanes;
  void *re, *im;
  void *next_re, *next_im; // overwritten
} hlo_fft_planes;

typedef struct hlo_fft {
  hlo_type type; // of the parts: f32 or f64
  hlo_fft_kind kind;
  int64_t length;      // of a transform
  int64_t work_length; // numbers per lane that each plane has room for, at least
  int32_t pass_count;
  hlo_fft_pass passes[HLO_FFT_MAX_PASSES];
} hlo_fft;

// The numbers of a butterfly but the first, as a convolution (rader.h).
typedef struct hlo_fft_rader {
  hlo_fft convolver;
  const int64_t *powers;             // of a generator of the residues modulo the radix
  const void *filter_re, *filter_im; // its transform, divided by the convolver's length
} hlo_fft_rader;

// Plans transforms of that length (at least 1) of complex numbers with components of `type`, f32 or
// f64, in scratch memory.
hlo_status hlo_fft_plan(const hlo_evaluator *evaluator, hlo_type type, hlo_fft_kind kind,
                        int64_t length, hlo_fft *out, hlo_error *error);
// Replaces re and im by the sums over m of number m times exp(-2πi k m / length), for all lanes.
// Exchanges the planes. Swapping real and imaginary planes before and after gives the unscaled
// inverse.
void hlo_fft_run(const hlo_fft *fft, hlo_fft_planes *planes);

// A table of exp(-2πi k / n) for k < count, in parts of the type, in scratch memory.
hlo_status hlo_fft_roots(const hlo_evaluator *evaluator, hlo_type type, int64_t count, int64_t n,
                         const void **cosines, const void **sines, hlo_error *error);

// An even number of real samples as half as many complex numbers (real.c): number m has the samples
// 2m and 2m + 1 as its parts.
typedef struct hlo_fft_real {
  hlo_type type;
  int64_t half;
  const void *cosines, *sines; // exp(-πi k / half)
} hlo_fft_real;
// type: that of the parts.
hlo_status hlo_fft_real_plan(const hlo_evaluator *evaluator, hlo_type type, int64_t half,
                             hlo_fft_real *out, hlo_error *error);
// Makes the transform of those numbers that of the samples, numbers 0 … half of it; or the other
// way, whatever the imaginary parts of numbers 0 and half. Planes have room for half + 1 numbers.
void hlo_fft_real_finish(const hlo_fft_real *real, int64_t lanes, void *re, void *im);
void hlo_fft_real_start(const hlo_fft_real *real, int64_t lanes, void *re, void *im);

// The location of `count` numbers of `lanes` lanes in an array, in units of components: a number's
// real part, its imaginary part `other` further on (0: none), the lane's next number, and the same
// number of the next lane.
typedef struct hlo_fft_block {
  void *data;
  hlo_type type; // of the parts, f32 or f64
  ptrdiff_t count, lanes, along, across, other;
} hlo_fft_block;
// Copies them to or from the beginning of planes of so many lanes (planes.c).
void hlo_fft_load_planes(const hlo_fft_block *from, int64_t lanes, void *re, void *im);
void hlo_fft_store_planes(const hlo_fft_block *to, int64_t lanes, const void *re, const void *im,
                          double scale);

// One pass from re, im to next_re, next_im.
void hlo_fft_pass_f32(const hlo_fft_pass *pass, const hlo_fft_planes *planes);
void hlo_fft_pass_f64(const hlo_fft_pass *pass, const hlo_fft_planes *planes);
// What a pass of a large prime radix does before, between and after the transforms of its
// convolver, whose planes are `work`, for butterflies p of all lanes.
typedef void hlo_fft_residues(const hlo_fft_pass *pass, const hlo_fft_planes *planes, int64_t p,
                              const hlo_fft_planes *work);
typedef struct hlo_fft_convolution {
  void (*fill_filter)(const hlo_fft_pass *pass, const hlo_fft_rader *rader,
                      const hlo_fft_planes *planes);
  hlo_fft_residues *load, *filter, *store;
} hlo_fft_convolution;
extern const hlo_fft_convolution hlo_fft_convolution_f32, hlo_fft_convolution_f64;

#endif
