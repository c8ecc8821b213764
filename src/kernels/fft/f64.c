// Passes of Fourier transforms with parts in f64. See butterflies.h.
#define REAL        double
#define WIDTH       2
#define PASS        hlo_fft_pass_f64
#define CONVOLUTION hlo_fft_convolution_f64
#include "kernels/fft/butterflies.h"
#include "kernels/fft/rader.h"
