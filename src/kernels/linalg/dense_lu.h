// LU factors with partial pivoting (Golub, Van Loan, 3.4), recursive over halves of the columns (S.
// Toledo, Locality of Reference in LU Decomposition with Partial Pivoting, 1997), so that most of
// the work is GEMM. Part of the text of dense_f32.c and dense_f64.c. See dense.h.

// Exchanges rows of a as `count` pivots say, which count from a's first row.
static void exchange_rows(const MATRIX *a, const int32_t *pivots, ptrdiff_t count) {
  for (ptrdiff_t j = 0; j < a->columns; j++) {
    for (int part = 0; part < (a->im == NULL ? 1 : 2); part++) {
      PART *plane = (part == 0 ? a->re : a->im) + j * a->step;
      for (ptrdiff_t k = 0; k < count; k++) {
        PART kept = plane[k];
        plane[k] = plane[pivots[k]];
        plane[pivots[k]] = kept;
      }
    }
  }
}

// |re| + |im|: LAPACK's measure of a complex pivot.
static inline PART size_at(column x, ptrdiff_t i) {
  PART re = x.re[i] < 0 ? -x.re[i] : x.re[i], im = x.im == NULL ? 0 : x.im[i];
  return re + (im < 0 ? -im : im);
}

// The first row from k on with the largest element.
static ptrdiff_t find_pivot(column x, ptrdiff_t k, ptrdiff_t rows) {
  ptrdiff_t aligned = four_after(k), best = k;
  PART most = size_at(x, k), beyond = 0;
  for (ptrdiff_t i = k + 1; i < aligned && i < rows; i++)
    if (size_at(x, i) > most) most = size_at(x, best = i);
  const four_bits unsigned_bits = ~((four_bits){0} + (BITS)1 << (8 * sizeof(PART) - 1));
  four largest = {0};
  for (ptrdiff_t i = aligned; i < rows; i += 4) { // what follows the rows is zero
    four some = (four)((four_bits)*four_at(x.re + i) & unsigned_bits);
    if (x.im != NULL) some += (four)((four_bits)*four_at(x.im + i) & unsigned_bits);
    four_bits greater = some > largest;
    largest = (four)(((four_bits)some & greater) | ((four_bits)largest & ~greater));
  }
  for (int lane = 0; lane < 4; lane++) beyond = largest[lane] > beyond ? largest[lane] : beyond;
  if (!(beyond > most)) return best;
  for (ptrdiff_t i = aligned; i < rows; i++)
    if (size_at(x, i) == beyond) return i;
  return best;
}

// Divides the elements below row k by the pivot, and stores them in l, too, which is zero above.
// False if the pivot is zero.
static bool eliminate_column(column x, ptrdiff_t k, ptrdiff_t rows, column l) {
  number pivot = get(x, k);
  ptrdiff_t i = k + 1, aligned = four_after(k + 1);
  set(l, k, real(0));
  if (pivot.re == 0 && pivot.im == 0) return false;
  if (x.im == NULL) {
    for (; i < aligned; i++) l.re[i] = i < rows ? x.re[i] /= pivot.re : 0;
    for (; i < rows; i += 4) *four_at(l.re + i) = *four_at(x.re + i) /= pivot.re;
    return true;
  }
  number factor = inverse(pivot);
  for (; i < aligned; i++) {
    number quotient = i < rows ? times(get(x, i), factor) : real(0);
    if (i < rows) set(x, i, quotient);
    set(l, i, quotient);
  }
  for (; i < rows; i += 4) {
    four re = *four_at(x.re + i), im = *four_at(x.im + i);
    *four_at(l.re + i) = *four_at(x.re + i) = re * factor.re - im * factor.im;
    *four_at(l.im + i) = *four_at(x.im + i) = re * factor.im + im * factor.re;
  }
  return true;
}

// A column of numbers for the rows. Zeros are before them, which no infinity may meet.
typedef struct multipliers {
  column numbers;
  bool is_finite;
} multipliers;

// Column by column.
static void factor_lu_panel(const MATRIX *a, int32_t *pivots, ptrdiff_t *singular, multipliers l) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns), end = four_after(a->rows);
  for (ptrdiff_t k = 0; k < steps; k++) {
    column x = column_of(a, k);
    ptrdiff_t pivot = find_pivot(x, k, a->rows);
    pivots[k] = (int32_t)pivot;
    for (ptrdiff_t j = 0; j < a->columns && pivot != k; j++) {
      column other = column_of(a, j);
      number kept = get(other, k);
      set(other, k, get(other, pivot));
      set(other, pivot, kept);
    }
    if (!eliminate_column(x, k, a->rows, l.numbers)) {
      if (*singular == 0) *singular = k + 1;
      continue;
    }
    for (ptrdiff_t j = k + 1; j < a->columns; j += group_of(a)) {
      planes p = planes_of(a, j);
      number factors[4];
      numbers_at(&p, k, factors);
      subtract_columns(&p, l.is_finite ? four_before(k + 1) : k + 1, end, factors, l.numbers);
    }
  }
}

// --- triangles ---

// Two planes at a time, to hide the latency of the dependent rows: two real columns, or both of
// one.
INLINE void substitute(const PART below[2][HLO_LU_PANEL][HLO_LU_PANEL], bool is_complex,
                       PART *first, PART *second) {
  four x[HLO_LU_PANEL / 4], y[HLO_LU_PANEL / 4];
  for (int q = 0; q < HLO_LU_PANEL / 4; q++) {
    x[q] = *four_at(first + 4 * q);
    y[q] = *four_at(second + 4 * q);
  }
  UNROLLED for (int k = 0; k + 1 < HLO_LU_PANEL; k++) {
    four f = ALL(x[k / 4][k % 4]), g = ALL(y[k / 4][k % 4]);
    UNROLLED for (int q = k / 4; q < HLO_LU_PANEL / 4; q++) {
      four re = *four_at(below[0][k] + 4 * q);
      x[q] -= f * re;
      y[q] -= g * re;
      if (!is_complex) continue;
      four im = *four_at(below[1][k] + 4 * q);
      x[q] += g * im;
      y[q] -= f * im;
    }
  }
  for (int q = 0; q < HLO_LU_PANEL / 4; q++) {
    *four_at(first + 4 * q) = x[q];
    *four_at(second + 4 * q) = y[q];
  }
}

ONCE void substitute_planes(const PART below[2][HLO_LU_PANEL][HLO_LU_PANEL], bool is_complex,
                            PART *first, PART *second) {
  if (is_complex) substitute(below, true, first, second);
  else substitute(below, false, first, second);
}

// b = l⁻¹ b for the lower triangle l with ones on its diagonal, both of no more than HLO_LU_PANEL
// rows.
static void solve_few(const MATRIX *l, const MATRIX *b) {
  PART below[2][HLO_LU_PANEL][HLO_LU_PANEL] = {{{0}}}, columns[2][HLO_LU_PANEL] = {{0}};
  ptrdiff_t n = b->rows;
  bool is_complex = b->im != NULL;
  size_t size = (size_t)n * sizeof(PART);
  for (ptrdiff_t k = 0; k < n; k++) {
    column x = column_of(l, k);
    for (ptrdiff_t i = k + 1; i < n; i++) {
      below[0][k][i] = x.re[i];
      if (is_complex) below[1][k][i] = x.im[i];
    }
  }
  for (ptrdiff_t j = 0; j < b->columns; j += is_complex ? 1 : 2) {
    PART *first = b->re + j * b->step, *second = first + b->step;
    if (is_complex) second = b->im + j * b->step;
    else if (j + 1 == b->columns) second = columns[1];
    if (n == HLO_LU_PANEL) {
      substitute_planes(below, is_complex, first, second);
      continue;
    }
    memcpy(columns[0], first, size);
    if (second != columns[1]) memcpy(columns[1], second, size);
    substitute_planes(below, is_complex, columns[0], columns[1]);
    memcpy(first, columns[0], size);
    if (second != columns[1]) memcpy(second, columns[1], size);
  }
}

// The first of `rows` rows of m, or what follows them.
static MATRIX top_of(const MATRIX *m, ptrdiff_t rows) {
  return MATRIX_NAME(part)(m, 0, 0, rows, m->columns);
}

// The same for any number of rows, but a multiple of HLO_LU_PANEL if there are more.
static hlo_status solve_unit_lower(const hlo_evaluator *evaluator, const MATRIX *l, const MATRIX *b,
                                   hlo_error *error) {
  ptrdiff_t n = b->rows, half = n / 2 / HLO_LU_PANEL * HLO_LU_PANEL;
  if (n <= HLO_LU_PANEL) {
    solve_few(l, b);
    return HLO_OK;
  }
  MATRIX upper = top_of(b, half), lower = part_of(b, half, 0, b->columns);
  MATRIX off = MATRIX_NAME(part)(l, half, 0, n - half, half);
  MATRIX rest = part_of(l, half, half, n - half);
  HLO_TRY(solve_unit_lower(evaluator, l, &upper, error));
  HLO_TRY(MATRIX_NAME(add_product)(evaluator, &lower, -1, &off, false, &upper, false, error));
  return solve_unit_lower(evaluator, &rest, &lower, error);
}

// --- the whole ---

static hlo_status factor_lu(const hlo_evaluator *evaluator, const MATRIX *a, int32_t *pivots,
                            ptrdiff_t *singular, multipliers l, hlo_error *error) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns), found = 0;
  ptrdiff_t half = (steps / 2 + HLO_LU_PANEL - 1) / HLO_LU_PANEL * HLO_LU_PANEL;
  *singular = 0;
  if (steps == 0) return HLO_OK;
  if (a->columns <= HLO_LU_PANEL) {
    factor_lu_panel(a, pivots, singular, l);
    return HLO_OK;
  }
  if (steps <= HLO_LU_PANEL) half = steps;
  MATRIX left = part_of(a, 0, 0, half), right = part_of(a, 0, half, a->columns - half);
  MATRIX upper = top_of(&right, half);
  HLO_TRY(factor_lu(evaluator, &left, pivots, singular, l, error));
  exchange_rows(&right, pivots, half);
  HLO_TRY(solve_unit_lower(evaluator, &left, &upper, error));
  if (half == steps) return HLO_OK;
  MATRIX below = part_of(&left, half, 0, half), rest = part_of(&right, half, 0, right.columns);
  HLO_TRY(MATRIX_NAME(add_product)(evaluator, &rest, -1, &below, false, &upper, false, error));
  HLO_TRY(factor_lu(evaluator, &rest, pivots + half, &found, l, error));
  exchange_rows(&below, pivots + half, steps - half);
  for (ptrdiff_t k = half; k < steps; k++) pivots[k] += (int32_t)half;
  if (*singular == 0 && found > 0) *singular = found + half;
  return HLO_OK;
}

hlo_status NAME(lu)(const hlo_evaluator *evaluator, const MATRIX *a, int32_t *pivots,
                    ptrdiff_t *singular, hlo_error *error) {
  double largest = MATRIX_NAME(largest)(a);
  multipliers l = {.is_finite = largest - largest == 0};
  HLO_TRY(create_column(evaluator->scratch, a->rows, a->im != NULL, &l.numbers, error));
  return factor_lu(evaluator, a, pivots, singular, l, error);
}
