// Passes of Fourier transforms with parts in f64. See fft_butterflies.h.
#define REAL  double
#define WIDTH 2
#define PASS  hlo_fft_pass_f64
#include "eval/fft_butterflies.h"
