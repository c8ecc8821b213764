// LAPACK routines that iterate: eigenvalues, singular values, Schur forms. See lapack.h.
//
// Matrices are brought to a range where squares neither overflow nor vanish. One that holds NaN or
// infinity has NaN for results and says that it did not converge.
#include "run/lapack.h"

#include <string.h>

// Divides a by a power of two so that its largest element is near 1, if it is far from it; *scale
// is the power. False when an element is not finite.
static bool bring_into_range(const hlo_matrix *a, double *scale) {
  double largest = hlo_matrix_largest(a);
  *scale = 1;
  if (!(largest <= 1.7976931348623157e308)) return false;
  if (largest == 0 || (largest > 1e-60 && largest < 1e60)) return true;
  while (largest / *scale > 4) *scale *= 2;
  while (largest / *scale < 0.25 && *scale > 0x1p-1000) *scale /= 2;
  hlo_matrix_scale(a, 1 / *scale);
  return true;
}

// NaN in all results but counts; the last of these says that the first value did not converge.
static hlo_status give_nan(const hlo_lapack *x) {
  int32_t last = x->call->result_count - 1;
  hlo_c128 nan = {__builtin_nan(""), __builtin_nan("")};
  for (int32_t k = 0; k <= last; k++) {
    const hlo_view *view = &x->results[k];
    if (view->type == HLO_S32) {
      hlo_lapack_store_int(view, 0, k == last);
      continue;
    }
    // One element seen along all dimensions.
    hlo_matrix one = {view->dims[0], view->rank > 1 ? view->dims[1] : 1, 0, &nan.re, &nan.im};
    for (int64_t i = 0; i < view->dims[0]; i++) {
      hlo_view row = *view;
      row.dims[0] = 1;
      row.data = (char *)view->data + i * view->strides[0] * hlo_type_bytes(view->type);
      one.rows = 1;
      hlo_lapack_store(&row, &one);
    }
  }
  return HLO_OK;
}

static void scale_values(double *values, int64_t n, double scale) {
  for (int64_t i = 0; i < n; i++) values[i] *= scale;
}

// --- Hermitian matrices ---

// The first two results: eigenvectors, unless nobody wants them, and eigenvalues.
static hlo_status hermitian(const hlo_lapack *x, bool vectors, bool lower, ptrdiff_t *failed,
                            hlo_error *error) {
  hlo_matrix a;
  double *values, scale;
  HLO_TRY(hlo_lapack_load(x, &x->operands[0], &a, error));
  HLO_ALLOC(values, x->call->evaluator->scratch, a.rows, error);
  hlo_lapack_complete(&a, lower);
  *failed = -1;
  if (!bring_into_range(&a, &scale)) return give_nan(x);
  HLO_TRY(hlo_hermitian(x->call->evaluator, &a, !lower, values, vectors, failed, error));
  scale_values(values, a.rows, scale);
  hlo_lapack_store(&x->results[0], &a);
  hlo_lapack_store_reals(&x->results[1], values);
  return HLO_OK;
}

hlo_status hlo_lapack_syevd(const hlo_lapack *x, hlo_error *error) {
  ptrdiff_t failed;
  bool vectors = hlo_lapack_letter(x, "mode") == 'V', lower = hlo_lapack_letter(x, "uplo") == 'L';
  HLO_TRY(hermitian(x, vectors, lower, &failed, error));
  if (failed >= 0) hlo_lapack_store_int(&x->results[2], 0, failed);
  return HLO_OK;
}

// The configuration is "lower,sort,iterations,tolerance"; values come sorted in any case.
hlo_status hlo_lapack_eigh(const hlo_lapack *x, hlo_error *error) {
  const char *config = hlo_get_text(x->call->instruction, HLO_ATTRIBUTE_BACKEND_CONFIG);
  if (config != NULL) config += strspn(config, "\" ");
  ptrdiff_t failed;
  return hermitian(x, true, config == NULL || config[0] != '0', &failed, error);
}

// --- singular values ---

// a = left diag(values) rightᴴ; of a wide matrix the adjoint's factors change places. Factors that
// nobody asked for are zero.
hlo_status hlo_lapack_gesdd(const hlo_lapack *x, hlo_error *error) {
  hlo_arena *scratch = x->call->evaluator->scratch;
  hlo_matrix a, tall, left, right, u, vh;
  double *values, scale;
  bool converged;
  char mode = hlo_lapack_letter(x, "mode");
  HLO_TRY(hlo_lapack_load(x, &x->operands[0], &a, error));
  int64_t u_columns = x->results[2].dims[1], v_rows = x->results[3].dims[0];
  int64_t few = hlo_smaller(a.rows, a.columns);
  if (mode != 'N' &&
      (u_columns != (mode == 'A' ? a.rows : few) || v_rows != (mode == 'A' ? a.columns : few)))
    return hlo_lapack_fail(x, "the factors' sizes are not those of the mode", error);
  HLO_ALLOC(values, scratch, few, error);
  hlo_lapack_store(&x->results[0], &a);
  if (!bring_into_range(&a, &scale)) return give_nan(x);
  bool wide = a.columns > a.rows;
  HLO_TRY(hlo_lapack_make(x, a.rows, u_columns, &u, error));
  HLO_TRY(hlo_lapack_make(x, v_rows, a.columns, &vh, error));
  if (wide) {
    HLO_TRY(hlo_lapack_make(x, a.columns, a.rows, &tall, error));
    hlo_matrix_adjoint(&tall, &a);
    a = tall;
  }
  HLO_TRY(hlo_lapack_make(x, a.rows, wide ? v_rows : u_columns, &left, error));
  HLO_TRY(hlo_lapack_make(x, few, few, &right, error));
  HLO_TRY(hlo_singular_values(x->call->evaluator, &a, wide, values, mode == 'N' ? NULL : &left,
                              mode == 'N' ? NULL : &right, &converged, error));
  if (mode != 'N' && wide) {
    hlo_matrix_copy(&u, &right);
    hlo_matrix_adjoint(&vh, &left);
  } else if (mode != 'N') {
    hlo_matrix_copy(&u, &left);
    hlo_matrix_adjoint(&vh, &right);
  }
  scale_values(values, few, scale);
  hlo_lapack_store_reals(&x->results[1], values);
  hlo_lapack_store(&x->results[2], &u);
  hlo_lapack_store(&x->results[3], &vh);
  hlo_lapack_store_int(&x->results[4], 0, converged ? 0 : 1);
  return HLO_OK;
}

// --- general matrices ---

// a = Z T Zᴴ: a becomes T; z, unless NULL, Z. *failed: how many eigenvalues did not converge.
static hlo_status to_schur_form(const hlo_lapack *x, const hlo_matrix *a, const hlo_matrix *z,
                                ptrdiff_t *failed, hlo_error *error) {
  hlo_matrix taus, work;
  int64_t n = a->rows;
  HLO_TRY(hlo_lapack_make(x, n - (n > 0), 1, &taus, error));
  HLO_TRY(hlo_lapack_make(x, n, 1, &work, error));
  hlo_hessenberg(a, 0, n, hlo_column(&taus, 0, 0), hlo_column(&work, 0, 0));
  if (z != NULL) {
    hlo_matrix_copy(z, a);
    HLO_TRY(hlo_hessenberg_form(x->call->evaluator, z, hlo_column(&taus, 0, 0), error));
  }
  for (int64_t j = 0; j < n; j++) {
    for (int64_t i = j + 2; i < n; i++) hlo_matrix_set(a, i, j, hlo_real(0));
  }
  *failed = hlo_schur(a, z);
  return HLO_OK;
}

// Eigenvalues into one complex result, or two real ones from `first` on.
static hlo_status store_values(const hlo_lapack *x, const hlo_matrix *t, int32_t first,
                               double scale, hlo_error *error) {
  hlo_c128 *values;
  HLO_ALLOC(values, x->call->evaluator->scratch, t->rows, error);
  hlo_schur_values(t, values);
  for (int64_t k = 0; k < t->rows; k++) {
    hlo_c128 value = {values[k].re * scale, values[k].im * scale};
    hlo_matrix one = {1, 1, 1, &value.re, &value.im}, imaginary = {1, 1, 1, &value.im, NULL};
    for (int32_t part = 0; part < (t->im != NULL ? 1 : 2); part++) {
      hlo_view element = x->results[first + part];
      element.rank = 0;
      element.data = (char *)element.data + k * element.strides[0] * hlo_type_bytes(element.type);
      hlo_lapack_store(&element, part == 0 ? &one : &imaginary);
    }
  }
  return HLO_OK;
}

// Of a real matrix: the vectors of real eigenvalues are real, those of a pair conjugate.
static void make_real(const hlo_matrix *real_form, const hlo_matrix *vectors) {
  for (int64_t k = 0; k < vectors->columns; k++) {
    bool pair = k + 1 < vectors->columns && hlo_matrix_get(real_form, k + 1, k).re != 0;
    for (int64_t i = 0; i < vectors->rows; i++) {
      hlo_c128 element = hlo_matrix_get(vectors, i, k);
      if (pair) hlo_matrix_set(vectors, i, k + 1, hlo_conjugate(element));
      else hlo_matrix_set(vectors, i, k, hlo_real(element.re));
    }
    k += pair;
  }
}

// Left and right eigenvectors, where wanted, of the form that `t` and `z` give.
static hlo_status store_vectors(const hlo_lapack *x, const hlo_matrix *t, const hlo_matrix *z,
                                const bool wanted[2], int32_t first, hlo_error *error) {
  hlo_arena *scratch = x->call->evaluator->scratch;
  hlo_matrix triangular = *t, basis = *z, vectors;
  int64_t n = t->rows;
  HLO_TRY(hlo_matrix_make(scratch, n, n, true, &vectors, error));
  if (t->im == NULL && (wanted[0] || wanted[1])) {
    HLO_TRY(hlo_matrix_make(scratch, n, n, true, &triangular, error));
    HLO_TRY(hlo_matrix_make(scratch, n, n, true, &basis, error));
    hlo_matrix_copy(&triangular, t);
    hlo_matrix_copy(&basis, z);
    hlo_schur_to_complex(&triangular, &basis);
  }
  for (int32_t k = 0; k < 2; k++) {
    if (wanted[k]) {
      HLO_TRY(hlo_eigenvectors(x->call->evaluator, &triangular, &basis, k == 0, &vectors, error));
      if (t->im == NULL) make_real(t, &vectors);
    } else {
      hlo_matrix_scale(&vectors, 0);
    }
    hlo_lapack_store(&x->results[first + k], &vectors);
  }
  return HLO_OK;
}

hlo_status hlo_lapack_geev(const hlo_lapack *x, hlo_error *error) {
  hlo_matrix a, z;
  double scale;
  ptrdiff_t failed;
  char left = hlo_lapack_letter(x, "compute_left");
  char right = hlo_lapack_letter(x, "compute_right");
  const bool wanted[2] = {left == 'V', right == 'V'};
  HLO_TRY(hlo_lapack_load(x, &x->operands[0], &a, error));
  HLO_TRY(hlo_lapack_make(x, a.rows, a.rows, &z, error));
  if (!bring_into_range(&a, &scale)) return give_nan(x);
  bool any = wanted[0] || wanted[1];
  HLO_TRY(to_schur_form(x, &a, any ? &z : NULL, &failed, error));
  int32_t vectors = a.im != NULL ? 1 : 2;
  HLO_TRY(store_values(x, &a, 0, scale, error));
  HLO_TRY(store_vectors(x, &a, &z, wanted, vectors, error));
  hlo_lapack_store_int(&x->results[vectors + 2], 0, failed);
  return HLO_OK;
}

hlo_status hlo_lapack_gees(const hlo_lapack *x, hlo_error *error) {
  hlo_matrix a, z;
  double scale;
  ptrdiff_t failed;
  char mode = hlo_lapack_letter(x, "mode");
  HLO_TRY(hlo_lapack_load(x, &x->operands[0], &a, error));
  HLO_TRY(hlo_lapack_make(x, a.rows, a.rows, &z, error));
  if (!bring_into_range(&a, &scale)) return give_nan(x);
  HLO_TRY(to_schur_form(x, &a, mode == 'V' ? &z : NULL, &failed, error));
  HLO_TRY(store_values(x, &a, 2, scale, error));
  hlo_matrix_scale(&a, scale);
  hlo_lapack_store(&x->results[0], &a);
  hlo_lapack_store(&x->results[1], &z);
  int32_t last = x->call->result_count - 1;
  hlo_lapack_store_int(&x->results[last - 1], 0, 0);
  hlo_lapack_store_int(&x->results[last], 0, failed);
  return HLO_OK;
}
