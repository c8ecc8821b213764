// Fft: the discrete Fourier transform along the last one to three dimensions, in double. Source of
// semantics: "Fft" of the operation semantics. Inverse transforms divide by the number of elements;
// those to real samples ignore the imaginary parts that the spectrum of such does not have.
#include "math/complex.h"
#include "math/elementary.h"
#include "reference/operation.h"

// e^(2πi part / whole) for 0 ≤ part < whole, by the first eighth of the circle, so that multiples
// of a quarter are exact and all values are as symmetric as they are in theory.
static hlo_c128 root_of_unity(int64_t part, int64_t whole) {
  hlo_c128 root;
  // Below the real axis: its conjugate is above.
  bool is_below = 2 * part > whole;
  if (is_below) part = whole - part;
  // Left of the imaginary axis: reflected; parts are halves from here on.
  bool is_left = 4 * part > whole;
  part = is_left ? whole - 2 * part : 2 * part;
  // Above the diagonal: reflected; parts are quarters from here on.
  bool is_steep = 4 * part > whole;
  part = is_steep ? whole - 2 * part : 2 * part;
  hlo_sincos_f64(1.5707963267948966 * (double)part / (double)whole, &root.im, &root.re);
  if (is_steep) root = (hlo_c128){root.im, root.re};
  return (hlo_c128){is_left ? -root.re : root.re, is_below ? -root.im : root.im};
}

// out[k] = sum over j of in[j · stride] e^(sign · 2πi jk / n), by the smallest factor p of n: p
// transforms of every p-th element (J. Cooley, J. Tukey, 1965). `work` has n elements.
static void transform(int64_t n, int sign, const hlo_c128 *in, int64_t stride, hlo_c128 *out,
                      hlo_c128 *work) {
  int64_t p = 2;
  if (n == 1) out[0] = in[0];
  if (n <= 1) return;
  while (n % p != 0) p = p * p > n ? n : p + 1;
  int64_t m = n / p;
  for (int64_t q = 0; q < p; q++)
    transform(m, sign, in + q * stride, stride * p, work + q * m, out + q * m);
  for (int64_t k = 0; k < n; k++) {
    out[k] = (hlo_c128){0, 0};
    for (int64_t q = 0; q < p; q++) {
      hlo_c128 root = root_of_unity(q * k % n, n), part = work[q * m + k % m];
      out[k].re += part.re * root.re - sign * part.im * root.im;
      out[k].im += sign * part.re * root.im + part.im * root.re;
    }
  }
}

typedef struct fourier {
  hlo_view numbers;     // c128, dense: the operand, then transformed in place
  hlo_c128 *out, *work; // of one line
} fourier;

// Transforms all lines along a dimension whose length is that in the time domain.
static void transform_dimension(fourier *f, int32_t dimension, int64_t length, int sign) {
  int64_t stride = f->numbers.strides[dimension];
  hlo_index row = hlo_index_over(&f->numbers);
  hlo_index_fix(&row, dimension, 0);
  while (hlo_index_next(&row)) {
    hlo_c128 *line = hlo_element_at(&f->numbers, row.at);
    transform(length, sign, line, stride, f->out, f->work);
    for (int64_t i = 0; i < length; i++) line[i * stride] = f->out[i];
  }
}

// The half of a spectrum of real samples that follows from the other half: s[n - k] = conj s[k].
static void complete(fourier *f, int64_t length) {
  int32_t last = f->numbers.rank - 1;
  for (hlo_index i = hlo_index_over(&f->numbers); hlo_index_next(&i);) {
    hlo_c128 *number = hlo_element_at(&f->numbers, i.at);
    int64_t k = i.at[last];
    if (2 * k > length) {
      i.at[last] = length - k;
      *number = *(hlo_c128 *)hlo_element_at(&f->numbers, i.at);
      number->im = -number->im;
      i.at[last] = k;
    }
    if (2 * k % length == 0) number->im = 0;
  }
}

hlo_status hlo_reference_fft(const hlo_operation *x, hlo_error *error) {
  const hlo_view *from = x->operands, *to = x->results;
  const char *type = hlo_get_text(x->instruction, HLO_ATTRIBUTE_FFT_TYPE);
  hlo_int_list lengths = hlo_int_list_of(x->instruction, HLO_ATTRIBUTE_FFT_LENGTH);
  bool is_to_real = strcmp(type, "IRFFT") == 0,
       is_inverse = is_to_real || strcmp(type, "IFFT") == 0;
  int64_t most = 1, dims[HLO_MAX_RANK], last = lengths.count - 1;
  int32_t first = from->rank - lengths.count;
  double elements = 1;
  fourier f;
  memcpy(dims, from->dims, (size_t)from->rank * sizeof *dims);
  for (int32_t i = 0; i < lengths.count; i++) {
    most = lengths.ints[i] > most ? lengths.ints[i] : most;
    elements *= (double)lengths.ints[i];
    dims[first + i] = lengths.ints[i];
  }
  HLO_TRY(hlo_reference_scratch(x->reference, HLO_C128, from->rank, dims, &f.numbers, error));
  HLO_ALLOC(f.out, x->reference->arena, most, error);
  HLO_ALLOC(f.work, x->reference->arena, most, error);
  for (hlo_index i = hlo_index_over(from); hlo_index_next(&i);)
    hlo_store_number(&f.numbers, i.at, hlo_number_at(from, i.at));
  // Half a spectrum is half of the last dimension: that one is completed when the others are done.
  for (int32_t i = 0; i < lengths.count; i++) {
    if (is_to_real && i == last) complete(&f, lengths.ints[i]);
    transform_dimension(&f, first + i, lengths.ints[i], is_inverse ? 1 : -1);
  }
  double scale = is_inverse ? 1 / elements : 1;
  for (hlo_index i = hlo_index_over(to); hlo_index_next(&i);) {
    const hlo_c128 *number = hlo_element_at(&f.numbers, i.at);
    hlo_store_complex(to, i.at, number->re * scale, number->im * scale);
  }
  return HLO_OK;
}
