// Runs planned transforms, pass by pass. See fft.h.
#include "kernels/fft/fft.h"

static void swap_pointers(void **a, void **b) {
  void *kept = *a;
  *a = *b;
  *b = kept;
}

// A pass of a large prime radix. The planes of its convolver follow the numbers in each plane.
static void convolve(const hlo_fft_pass *pass, hlo_type type, const hlo_fft_planes *planes) {
  const hlo_fft_convolution *convolution =
      type == HLO_F32 ? &hlo_fft_convolution_f32 : &hlo_fft_convolution_f64;
  int64_t lanes = pass->stride * planes->lanes;
  size_t after = (size_t)(pass->length * lanes * hlo_type_bytes(type));
  for (int64_t p = 0; p < pass->length / pass->radix; p++) {
    hlo_fft_planes work = {.backend = planes->backend,
                           .lanes = lanes,
                           .re = (char *)planes->re + after,
                           .im = (char *)planes->im + after,
                           .next_re = (char *)planes->next_re + after,
                           .next_im = (char *)planes->next_im + after};
    convolution->load(pass, planes, p, &work);
    hlo_fft_run(&pass->rader->convolver, &work);
    convolution->filter(pass, planes, p, &work);
    swap_pointers(&work.re, &work.im); // the inverse
    hlo_fft_run(&pass->rader->convolver, &work);
    swap_pointers(&work.re, &work.im);
    convolution->store(pass, planes, p, &work);
  }
}

void hlo_fft_run(const hlo_fft *fft, hlo_fft_planes *planes) {
  for (int32_t i = 0; i < fft->pass_count; i++) {
    const hlo_fft_pass *pass = &fft->passes[i];
    if (pass->rader != NULL) convolve(pass, fft->type, planes);
    else (fft->type == HLO_F32 ? hlo_fft_pass_f32 : hlo_fft_pass_f64)(pass, planes);
    swap_pointers(&planes->re, &planes->next_re);
    swap_pointers(&planes->im, &planes->next_im);
  }
}
