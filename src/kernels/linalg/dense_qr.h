// Householder reflections: QR factors with and without pivoting, the application of reflectors, and
// Hessenberg forms (Golub, Van Loan, 5.1, 5.2, 5.4, 7.4). Part of the text of dense_f32.c and
// dense_f64.c. See dense.h.
//
// Few reflectors are applied to a group of columns at a time, which stays in L1. Many are
// aggregated into blocks 1 - V T Vᴴ (R. Schreiber, C. Van Loan, A Storage-Efficient WY
// Representation for Products of Householder Transformations, 1989), applied by GEMM.

// m = (1 - tau v vᴴ) m, for v zero above row `start`.
static void reflect(const MATRIX *m, ptrdiff_t start, number tau, column v) {
  ptrdiff_t end = four_after(m->rows);
  if (tau.re == 0 && tau.im == 0) return;
  for (ptrdiff_t j = 0; j < m->columns; j += group_of(m)) {
    planes p = planes_of(m, j);
    number factors[4];
    dot_columns(&p, start, end, v, factors);
    UNROLLED for (int k = 0; k < 4; k++) factors[k] = times(tau, factors[k]);
    subtract_columns(&p, start, end, factors, v);
  }
}

// --- many reflectors ---

// Expands the stored reflectors: zeros above, the leading 1, and the stored part below.
static void write_out(const MATRIX *reflectors, ptrdiff_t count, ptrdiff_t shift, const MATRIX *v) {
  for (ptrdiff_t k = 0; k < count; k++) {
    column to = column_of(v, k);
    clear_rows(to, 0, k + shift);
    set(to, k + shift, real(1));
    copy_rows(to, column_of(reflectors, k), k + shift + 1, v->rows);
  }
}

// All reflectors to a group of columns, then to the next ones.
static void apply_few(const MATRIX *v, ptrdiff_t shift, VECTOR taus, const MATRIX *c,
                      bool adjoint) {
  ptrdiff_t end = four_after(c->rows);
  for (ptrdiff_t j = 0; j < c->columns; j += group_of(c)) {
    planes p = planes_of(c, j);
    for (ptrdiff_t i = 0; i < taus.n; i++) {
      ptrdiff_t k = adjoint ? i : taus.n - 1 - i, start = four_before(k + shift);
      number factors[4], tau = get(taus_of(taus, 0), k);
      dot_columns(&p, start, end, column_of(v, k), factors);
      if (adjoint) tau = conjugate(tau);
      UNROLLED for (int q = 0; q < 4; q++) factors[q] = times(tau, factors[q]);
      subtract_columns(&p, start, end, factors, column_of(v, k));
    }
  }
}

// T of the compact WY representation, upper triangular.
static hlo_status form_triangular_factor(const hlo_evaluator *evaluator, const MATRIX *v,
                                         VECTOR taus, MATRIX *t, hlo_error *error) {
  MATRIX products;
  ptrdiff_t n = taus.n;
  bool is_complex = v->im != NULL;
  HLO_TRY(MATRIX_NAME(create)(evaluator->scratch, n, n, is_complex, t, error));
  HLO_TRY(MATRIX_NAME(create)(evaluator->scratch, n, n, is_complex, &products, error));
  HLO_TRY(MATRIX_NAME(add_product)(evaluator, &products, 1, v, true, v, false, error));
  for (ptrdiff_t j = 0; j < n; j++) {
    number tau = get(taus_of(taus, 0), j);
    column to = column_of(t, j);
    for (ptrdiff_t k = 0; k < j; k++) {
      number factor = negative(times(tau, get(column_of(&products, j), k)));
      combine_columns(&(planes){{t->re + k * t->step, is_complex ? t->im + k * t->step : t->spare,
                                 t->spare, t->spare},
                                is_complex},
                      0, k + 1, (number[4]){factor}, to);
    }
    set(to, j, tau);
  }
  return HLO_OK;
}

static hlo_status apply_block(const hlo_evaluator *evaluator, const MATRIX *v, VECTOR taus,
                              const MATRIX *c, bool adjoint, hlo_error *error) {
  MATRIX t, x, y;
  hlo_arena *arena = evaluator->scratch;
  HLO_TRY(form_triangular_factor(evaluator, v, taus, &t, error));
  HLO_TRY(MATRIX_NAME(create)(arena, taus.n, c->columns, c->im != NULL, &x, error));
  HLO_TRY(MATRIX_NAME(create)(arena, taus.n, c->columns, c->im != NULL, &y, error));
  HLO_TRY(MATRIX_NAME(add_product)(evaluator, &x, 1, v, true, c, false, error));
  HLO_TRY(MATRIX_NAME(add_product)(evaluator, &y, 1, &t, adjoint, &x, false, error));
  return MATRIX_NAME(add_product)(evaluator, c, -1, v, false, &y, false, error);
}

// Some reflectors to c from the left, all from the same row on.
static hlo_status apply(const hlo_evaluator *evaluator, const MATRIX *reflectors, ptrdiff_t shift,
                        VECTOR taus, const MATRIX *c, bool adjoint, hlo_error *error) {
  hlo_arena *arena = evaluator->scratch;
  hlo_arena_mark mark = hlo_arena_get_mark(arena);
  MATRIX v;
  if (taus.n == 0 || c->columns == 0) return HLO_OK;
  HLO_TRY(MATRIX_NAME(create)(arena, c->rows, taus.n, c->im != NULL, &v, error));
  write_out(reflectors, taus.n, shift, &v);
  if (c->rows * c->columns <= HLO_REFLECTOR_FEW || c->columns < HLO_REFLECTOR_BLOCK / 2)
    apply_few(&v, shift, taus, c, adjoint);
  else HLO_TRY(apply_block(evaluator, &v, taus, c, adjoint, error));
  hlo_arena_rewind(arena, mark);
  return HLO_OK;
}

static hlo_status apply_left(const hlo_evaluator *evaluator, const MATRIX *reflectors,
                             ptrdiff_t shift, VECTOR taus, const MATRIX *c, bool adjoint,
                             hlo_error *error) {
  if (c->rows * c->columns <= HLO_REFLECTOR_FEW)
    return apply(evaluator, reflectors, shift, taus, c, adjoint, error);
  ptrdiff_t blocks = (taus.n + HLO_REFLECTOR_BLOCK - 1) / HLO_REFLECTOR_BLOCK;
  for (ptrdiff_t step = 0; step < blocks; step++) {
    ptrdiff_t k = (adjoint ? step : blocks - 1 - step) * HLO_REFLECTOR_BLOCK;
    ptrdiff_t count = hlo_smaller(HLO_REFLECTOR_BLOCK, taus.n - k);
    MATRIX some = part_of(reflectors, k, k, count), rows = part_of(c, k, 0, c->columns);
    HLO_TRY(apply(evaluator, &some, shift, taus_part(taus, k, count), &rows, adjoint, error));
  }
  return HLO_OK;
}

hlo_status NAME(qr_apply)(const hlo_evaluator *evaluator, const MATRIX *reflectors, ptrdiff_t shift,
                          VECTOR taus, const MATRIX *c, bool left, bool adjoint, hlo_error *error) {
  MATRIX turned;
  if (left) return apply_left(evaluator, reflectors, shift, taus, c, adjoint, error);
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  HLO_TRY(
      MATRIX_NAME(create)(evaluator->scratch, c->columns, c->rows, c->im != NULL, &turned, error));
  transpose(&turned, c, true);
  HLO_TRY(apply_left(evaluator, reflectors, shift, taus, &turned, !adjoint, error));
  transpose(c, &turned, true);
  hlo_arena_rewind(evaluator->scratch, mark);
  return HLO_OK;
}

// --- QR ---

// Computes column k's reflector and applies it to the columns after it. v: numbers for the rows.
static void qr_step(const MATRIX *a, ptrdiff_t k, VECTOR taus, column v) {
  column x = column_of(a, k);
  double beta;
  number tau = reflector(x, k, a->rows, v, &beta);
  set(taus_of(taus, 0), k, tau);
  set(x, k, real((PART)beta));
  copy_rows(x, v, k + 1, a->rows);
  MATRIX after = part_of(a, 0, k + 1, a->columns - k - 1);
  reflect(&after, four_before(k), conjugate(tau), v);
}

static ptrdiff_t panel_of(const MATRIX *a, ptrdiff_t steps) {
  return a->rows * a->columns <= HLO_REFLECTOR_FEW ? steps : HLO_REFLECTOR_BLOCK;
}

hlo_status NAME(qr)(const hlo_evaluator *evaluator, const MATRIX *a, VECTOR taus,
                    hlo_error *error) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns), size = panel_of(a, steps);
  column v;
  HLO_TRY(create_column(evaluator->scratch, a->rows, a->im != NULL, &v, error));
  for (ptrdiff_t k = 0; k < steps; k += size) {
    ptrdiff_t count = hlo_smaller(size, steps - k);
    bool is_last = k + count == steps;
    MATRIX panel = part_of(a, k, k, is_last ? a->columns - k : count);
    VECTOR some = taus_part(taus, k, count);
    for (ptrdiff_t i = 0; i < count; i++) qr_step(&panel, i, some, v);
    if (is_last) break;
    MATRIX after = part_of(a, k, k + count, a->columns - k - count);
    HLO_TRY(apply(evaluator, &panel, 0, some, &after, true, error));
  }
  return HLO_OK;
}

// Downdates the column norms (5.4.1): norms[j] is the norm of the trailing part of column j,
// recomputed once cancellation has cost half of its digits relative to the reference norm, which is
// stored after the norms.
static void update_norms(const MATRIX *a, ptrdiff_t k, double *norms) {
  double *started = norms + a->columns;
  for (ptrdiff_t j = k + 1; j < a->columns; j++) {
    if (norms[j] == 0) continue;
    number x = get(column_of(a, j), k);
    double ratio = (double)length(x.re, x.im) / norms[j];
    double left = 1 - ratio * ratio, loss = norms[j] / started[j];
    if (left > 0 && left * loss * loss > NORM_LOSS) {
      norms[j] *= __builtin_sqrt(left);
    } else {
      norms[j] = (double)norm_of(column_of(a, j), k + 1, a->rows);
      started[j] = norms[j];
    }
  }
}

void MATRIX_NAME(exchange_columns)(const MATRIX *m, ptrdiff_t i, ptrdiff_t j) {
  column x = column_of(m, i), y = column_of(m, j);
  for (ptrdiff_t k = 0; k < m->rows; k++) {
    number kept = get(x, k);
    set(x, k, get(y, k));
    set(y, k, kept);
  }
}

hlo_status NAME(qr_pivoted)(const hlo_evaluator *evaluator, const MATRIX *a, VECTOR taus,
                            int32_t *order, ptrdiff_t fixed, hlo_error *error) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns);
  column v;
  double *norms;
  HLO_TRY(create_column(evaluator->scratch, a->rows, a->im != NULL, &v, error));
  HLO_ALLOC(norms, evaluator->scratch, 2 * a->columns, error);
  fixed = hlo_smaller(fixed, steps);
  for (ptrdiff_t k = 0; k < fixed; k++) qr_step(a, k, taus, v);
  for (ptrdiff_t j = fixed; j < a->columns; j++)
    norms[j] = norms[j + a->columns] = (double)norm_of(column_of(a, j), fixed, a->rows);
  for (ptrdiff_t k = fixed; k < steps; k++) {
    ptrdiff_t best = k;
    for (ptrdiff_t j = k + 1; j < a->columns; j++)
      if (norms[j] > norms[best]) best = j;
    if (best != k) {
      int32_t kept = order[best];
      order[best] = order[k];
      order[k] = kept;
      norms[best] = norms[k];
      norms[best + a->columns] = norms[k + a->columns];
      MATRIX_NAME(exchange_columns)(a, k, best);
    }
    qr_step(a, k, taus, v);
    update_norms(a, k, norms);
  }
  return HLO_OK;
}

// The first columns of the product of reflectors, in their place, one after the other.
static void form_panel(const MATRIX *a, VECTOR taus, column v) {
  for (ptrdiff_t k = taus.n - 1; k >= 0; k--) {
    column x = column_of(a, k);
    number tau = get(taus_of(taus, 0), k);
    clear_rows(v, four_before(k), k);
    set(v, k, real(1));
    copy_rows(v, x, k + 1, a->rows);
    clear_rows(v, a->rows, four_after(a->rows));
    MATRIX after = part_of(a, 0, k + 1, a->columns - k - 1);
    reflect(&after, four_before(k), tau, v);
    clear_rows(x, 0, k); // it becomes H times a unit vector
    for (ptrdiff_t i = k; i < a->rows; i++) set(x, i, negative(times(tau, get(v, i))));
    set(x, k, difference(real(1), tau));
  }
}

hlo_status NAME(qr_form)(const hlo_evaluator *evaluator, const MATRIX *a, VECTOR taus,
                         hlo_error *error) {
  ptrdiff_t count = taus.n, size = panel_of(a, count);
  column v;
  HLO_TRY(create_column(evaluator->scratch, a->rows, a->im != NULL, &v, error));
  for (ptrdiff_t j = count; j < a->columns; j++) {
    clear_rows(column_of(a, j), 0, a->rows);
    if (j < a->rows) set(column_of(a, j), j, real(1));
  }
  for (ptrdiff_t end = count, k; end > 0; end = k) {
    k = (end - 1) / size * size;
    VECTOR some = taus_part(taus, k, end - k);
    MATRIX panel = part_of(a, k, k, end - k), after = part_of(a, k, end, a->columns - end);
    if (after.columns > 0 && size == count) panel.columns += after.columns;
    else HLO_TRY(apply(evaluator, &panel, 0, some, &after, false, error));
    form_panel(&panel, some, v);
    for (ptrdiff_t j = k; j < end; j++) clear_rows(column_of(a, j), 0, k);
  }
  return HLO_OK;
}

// --- Hessenberg form ---

// c = c H for the rows before `end`. work: numbers for them.
static void reflect_right(const MATRIX *c, ptrdiff_t end, number tau, column v, column work) {
  number factors[4];
  if (tau.re == 0 && tau.im == 0) return;
  clear_rows(work, 0, four_after(end));
  for (ptrdiff_t j = 0; j < c->columns; j += group_of(c)) {
    planes p = planes_of(c, j);
    for (ptrdiff_t k = 0; k < 4; k++) factors[k] = j + k < c->columns ? get(v, j + k) : real(0);
    combine_columns(&p, 0, end, factors, work);
  }
  for (ptrdiff_t j = 0; j < c->columns; j += group_of(c)) {
    planes p = planes_of(c, j);
    for (ptrdiff_t k = 0; k < 4; k++)
      factors[k] = j + k < c->columns ? times(tau, conjugate(get(v, j + k))) : real(0);
    subtract_columns(&p, 0, end, factors, work);
  }
}

hlo_status NAME(hessenberg)(const hlo_evaluator *evaluator, const MATRIX *a, ptrdiff_t low,
                            ptrdiff_t high, VECTOR taus, hlo_error *error) {
  column v, work, all_taus = taus_of(taus, 0);
  HLO_TRY(create_column(evaluator->scratch, a->rows, a->im != NULL, &v, error));
  HLO_TRY(create_column(evaluator->scratch, a->rows, a->im != NULL, &work, error));
  clear_rows(all_taus, 0, taus.n);
  for (ptrdiff_t k = low; k + 1 < high; k++) { // the last one makes a real element
    column x = column_of(a, k);
    double beta;
    copy_rows(v, x, k + 1, high);
    clear_rows(v, high, four_after(high));
    number tau = reflector(v, k + 1, high, v, &beta);
    set(all_taus, k, tau);
    set(x, k + 1, real((PART)beta));
    copy_rows(x, v, k + 2, high);
    MATRIX after = part_of(a, 0, k + 1, a->columns - k - 1), right = after;
    right.columns = high - k - 1;
    column rows = {v.re + k + 1, v.im == NULL ? NULL : v.im + k + 1};
    reflect_right(&right, high, tau, rows, work);
    after.rows = high; // v is zero after them
    reflect(&after, four_before(k + 1), conjugate(tau), v);
  }
  return HLO_OK;
}

hlo_status NAME(hessenberg_form)(const hlo_evaluator *evaluator, const MATRIX *a, VECTOR taus,
                                 hlo_error *error) {
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  MATRIX reflectors;
  HLO_TRY(
      MATRIX_NAME(create)(evaluator->scratch, a->rows, taus.n, a->im != NULL, &reflectors, error));
  for (ptrdiff_t j = 0; j < taus.n; j++)
    copy_rows(column_of(&reflectors, j), column_of(a, j), j + 2, a->rows);
  MATRIX_NAME(set_identity)(a);
  HLO_TRY(apply_left(evaluator, &reflectors, 1, taus, a, false, error));
  hlo_arena_rewind(evaluator->scratch, mark);
  return HLO_OK;
}

hlo_c128 NAME(reflect_vector)(VECTOR x, double *beta) {
  column all_rows = {x.re, x.im};
  number tau = reflector(all_rows, 0, x.n, all_rows, beta);
  return (hlo_c128){(double)tau.re, (double)tau.im};
}
