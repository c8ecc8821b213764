// Passes of Fourier transforms with parts in f32. See butterflies.h.
#define REAL        float
#define WIDTH       4
#define PASS        hlo_fft_pass_f32
#define CONVOLUTION hlo_fft_convolution_f32
#include "kernels/fft/butterflies.h"
#include "kernels/fft/rader.h"
