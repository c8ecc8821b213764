// Passes of a large prime radix (C. Rader, "Discrete Fourier transforms when the number of data
// samples is prime", 1968), a template as butterflies.h, which comes before it: CONVOLVE and FILTER
// name its functions. The powers of a generator g of the residues order the numbers such that all
// but the first are a cyclic convolution: with a[k] = x[g^k] and b[k] = exp(-2πi g^-k / radix),
// result number g^-k is x[0] + (a * b)[k]. Its transforms are of radix - 1 numbers, or of more,
// where the filter is b repeated.

// Rows of the filter's numbers: each is one number of all lanes.
static void multiply_rows(const hlo_fft_rader *rader, const hlo_fft_planes *work) {
  const REAL *filter_re = rader->filter_re, *filter_im = rader->filter_im;
  REAL *re = work->re, *im = work->im;
  int64_t rows = rader->convolver.length, lanes = work->lanes;
  if (lanes == 1) {
    for (int64_t k = 0; k < rows; k++) {
      REAL a = re[k], b = im[k];
      re[k] = a * filter_re[k] - b * filter_im[k];
      im[k] = a * filter_im[k] + b * filter_re[k];
    }
    return;
  }
  for (int64_t k = 0; k < rows; k++) {
    REAL c = filter_re[k], s = filter_im[k];
    for (int64_t l = 0; l < lanes; l++, re++, im++) {
      REAL a = *re, b = *im;
      *re = a * c - b * s;
      *im = a * s + b * c;
    }
  }
}

static void add_row(int64_t lanes, const REAL *x, const REAL *y, REAL *to) {
  for (int64_t l = 0; l < lanes; l++) to[l] = x[l] + y[l];
}

// The numbers of butterfly p of all lanes but the first, in the order of the powers.
static void load_residues(const hlo_fft_pass *pass, const hlo_fft_planes *planes, int64_t p,
                          const hlo_fft_planes *work) {
  place at = place_of(pass, planes, p);
  int64_t rows = pass->radix - 1, lanes = work->lanes;
  size_t row = (size_t)lanes * sizeof(REAL);
  REAL *re = work->re, *im = work->im;
  for (int64_t k = 0; k < rows; k++) {
    int64_t from = pass->rader->powers[k] * at.step;
    if (lanes == 1) {
      re[k] = at.re[from], im[k] = at.im[from];
      continue;
    }
    memcpy(re + k * lanes, at.re + from, row);
    memcpy(im + k * lanes, at.im + from, row);
  }
  size_t rest = (size_t)(pass->rader->convolver.length - rows) * row;
  memset(re + rows * lanes, 0, rest);
  memset(im + rows * lanes, 0, rest);
}

// The sum of all numbers is the first result; the first number, in the spectrum's first, adds to
// all others.
static void filter_spectrum(const hlo_fft_pass *pass, const hlo_fft_planes *planes, int64_t p,
                            const hlo_fft_planes *work) {
  place at = place_of(pass, planes, p);
  add_row(work->lanes, at.re, work->re, at.to_re);
  add_row(work->lanes, at.im, work->im, at.to_im);
  multiply_rows(pass->rader, work);
  add_row(work->lanes, at.re, work->re, work->re);
  add_row(work->lanes, at.im, work->im, work->im);
}

// Times the twiddle factors of butterflies p.
static void store_residues(const hlo_fft_pass *pass, const hlo_fft_planes *planes, int64_t p,
                           const hlo_fft_planes *work) {
  place at = place_of(pass, planes, p);
  int64_t rows = pass->radix - 1, lanes = work->lanes, m = pass->length / pass->radix;
  const REAL *re = work->re, *im = work->im;
  for (int64_t k = 0; k < rows; k++, re += lanes, im += lanes) {
    int64_t j = pass->rader->powers[k == 0 ? 0 : rows - k], twiddle = (j - 1) * m + p;
    REAL *to_re = at.to_re + j * at.to_step, *to_im = at.to_im + j * at.to_step;
    if (p == 0) { // factors of one
      for (int64_t l = 0; l < lanes; l++) to_re[l] = re[l], to_im[l] = im[l];
      continue;
    }
    REAL c = ((const REAL *)pass->cosines)[twiddle], s = ((const REAL *)pass->sines)[twiddle];
    for (int64_t l = 0; l < lanes; l++) {
      to_re[l] = re[l] * c - im[l] * s;
      to_im[l] = re[l] * s + im[l] * c;
    }
  }
}

// The roots of unity in the order of the inverse powers, repeated as far as operands reach.
static void fill_filter(const hlo_fft_pass *pass, const hlo_fft_rader *rader,
                        const hlo_fft_planes *planes) {
  const REAL *cosines = pass->radix_cosines, *sines = pass->radix_sines;
  int64_t period = pass->radix - 1, length = rader->convolver.length;
  REAL *re = planes->re, *im = planes->im;
  for (int64_t k = 0; k < length; k++) {
    int64_t at = k < period ? k : k - length; // < 0: before the first
    int64_t inverse = at > 0 ? period - at : -at;
    int64_t power = inverse < period ? rader->powers[inverse] : -1;
    re[k] = power < 0 ? 0 : cosines[power] / (REAL)length;
    im[k] = power < 0 ? 0 : sines[power] / (REAL)length;
  }
}

const hlo_fft_convolution CONVOLUTION = {fill_filter, load_residues, filter_spectrum,
                                         store_residues};
