// Householder's reflection of one column (Golub, Van Loan, 5.1). Part of the text of the same files
// as dense_columns.h, which comes before it. See dense.h.

// Zeros for so many rows, as far as fours reach.
static hlo_status create_column(hlo_arena *arena, ptrdiff_t rows, bool is_complex, column *out,
                                hlo_error *error) {
  *out = (column){NULL, NULL};
  HLO_ALLOC(out->re, arena, four_after(rows) + 4, error);
  if (is_complex) HLO_ALLOC(out->im, arena, four_after(rows) + 4, error);
  return HLO_OK;
}

// Magnitudes are ordered as integers are, NaN after infinity.
static PART largest_of(const PART *x, ptrdiff_t n) {
  const four_bits unsigned_bits = ~((four_bits){0} + (BITS)1 << (8 * sizeof(PART) - 1));
  four_bits most = {0};
  ptrdiff_t i = 0;
  for (; i + 4 <= n; i += 4) {
    four_bits some = (four_bits)*four_at(x + i) & unsigned_bits, greater = some > most;
    most = (some & greater) | (most & ~greater);
  }
  for (; i < n; i++) {
    four_bits some = (four_bits)ALL(x[i]) & unsigned_bits, greater = some > most;
    most = (some & greater) | (most & ~greater);
  }
  int best = 0;
  for (int lane = 1; lane < 4; lane++) best = most[lane] > most[best] ? lane : best;
  return ((four)most)[best];
}

static double sum_of_squares(const PART *x, ptrdiff_t first, ptrdiff_t rows) {
  typedef double wide __attribute__((vector_size(32)));
  ptrdiff_t i = first;
  double sum = 0;
  wide sums = {0};
  for (; i < four_after(first) && i < rows; i++) sum += (double)x[i] * (double)x[i];
  for (; i + 4 <= rows; i += 4) {
    wide some = __builtin_convertvector(*four_at(x + i), wide);
    sums += some * some;
  }
  for (; i < rows; i++) sum += (double)x[i] * (double)x[i];
  return sum + ((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

// Of the elements from row `first` on.
ONCE PART norm_of(column x, ptrdiff_t first, ptrdiff_t rows) {
  double sum = sum_of_squares(x.re, first, rows);
  if (x.im != NULL) sum += sum_of_squares(x.im, first, rows);
  if (sum > 1e-280 && sum < 1e280) return (PART)__builtin_sqrt(sum); // it is exact, or f32's
  PART largest = largest_of(x.re + first, rows - first);
  PART other = x.im == NULL ? 0 : largest_of(x.im + first, rows - first);
  if (!(other <= largest)) largest = other;
  if (!(largest > 0) || (double)largest > 1.7976931348623157e308) return largest;
  sum = 0;
  for (ptrdiff_t i = first; i < rows; i++) {
    double re = (double)x.re[i] / (double)largest;
    double im = x.im == NULL ? 0 : (double)x.im[i] / (double)largest;
    sum += re * re + im * im;
  }
  return (PART)((double)largest * __builtin_sqrt(sum));
}

static PART length(PART x, PART y) {
  PART a = x < 0 ? -x : x, b = y < 0 ? -y : y, large = a > b ? a : b;
  if (large == 0) return 0;
  PART ratio = (a > b ? b : a) / large;
  return large * (PART)__builtin_sqrt((double)(1 + ratio * ratio));
}

// H = 1 - tau v vᴴ, made so that Hᴴ x = beta e for the elements of x from row `first` to `rows`: v
// is 1 there, and 0 above, as far as a four reaches, and after the rows. beta is real. Returns tau.
// x and v may be the same. Rounds after each operation, as LAPACK does: the signs of vectors that
// consist of rounding errors depend on it.
ONCE number reflector(column x, ptrdiff_t first, ptrdiff_t rows, column v, double *beta) {
  number alpha = get(x, first), tau = {0, 0};
  PART rest = norm_of(x, first + 1, rows);
  ptrdiff_t end = four_after(rows), i = first + 1;
  *beta = (double)alpha.re;
  for (int k = 1; k <= 3; k++) // a loop to row `first` would become a call
    if (first - k >= four_before(first)) set(v, first - k, real(0));
  if (rest == 0 && alpha.im == 0) {
    set(v, first, real(1));
    clear_rows(v, first + 1, end);
    return tau;
  }
  PART norm = length(x.im == NULL ? alpha.re : length(alpha.re, alpha.im), rest);
  if (norm < SMALLEST_NORM) { // whose reciprocal might be infinite, and whose digits are few
    for (i = first; i < rows; i++)
      set(v, i, (number){x.re[i] * LARGE_POWER, x.im == NULL ? 0 : x.im[i] * LARGE_POWER});
    clear_rows(v, rows, end);
    tau = reflector(v, first, rows, v, beta);
    *beta /= (double)LARGE_POWER;
    return tau;
  }
  PART made = __builtin_signbit((double)alpha.re) ? norm : -norm;
  number factor = inverse((number){alpha.re - made, alpha.im});
  *beta = (double)made;
  set(v, first, real(1));
  for (; i < four_after(first + 1); i++) set(v, i, i < rows ? times(get(x, i), factor) : real(0));
  for (; i < rows; i += 4) {
    four re = *four_at(x.re + i);
    if (x.im == NULL) {
      *four_at(v.re + i) = re * factor.re;
      continue;
    }
    four im = *four_at(x.im + i);
    *four_at(v.re + i) = re * factor.re - im * factor.im;
    *four_at(v.im + i) = re * factor.im + im * factor.re;
  }
  return (number){(made - alpha.re) / made, -alpha.im / made};
}
