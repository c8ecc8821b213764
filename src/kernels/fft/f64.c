// Passes of Fourier transforms with parts in f64. See butterflies.h.
#define REAL  double
#define WIDTH 2
#define PASS  hlo_fft_pass_f64
#include "kernels/fft/butterflies.h"
