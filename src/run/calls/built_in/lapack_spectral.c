// LAPACK routines that iterate: eigenvalues, singular values, Schur forms. See lapack.h.
//
// Matrices are brought to a range where squares neither overflow nor vanish. One that holds NaN or
// infinity has NaN for results and says that it did not converge.
#include "run/calls/built_in/lapack.h"

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
static hlo_status fill_with_nan(const hlo_lapack *x) {
  int32_t last = x->result_count - 1;
  const double nan = __builtin_nan("");
  for (int32_t k = 0; k <= last; k++) {
    const hlo_view *view = &x->results[k];
    if (view->type == HLO_S32) {
      hlo_lapack_store_int(view, 0, k == last);
      continue;
    }
    hlo_c128 element;
    hlo_element_set(view->type, &element,
                    (hlo_number){.type_class = HLO_CLASS_COMPLEX, .re = nan, .im = nan});
    hlo_view_fill(view, &element);
  }
  return HLO_OK;
}

// Whether the numbers of a view of a matrix are: those of its triangle, or of both ('A').
static bool is_finite(const hlo_view *a, char triangle) {
  for (int64_t i = 0; i < a->dims[0]; i++) {
    for (int64_t j = 0; j < a->dims[1]; j++) {
      if (triangle == 'L' ? j > i : triangle == 'U' && j < i) continue;
      hlo_number number =
          hlo_element_get(a->type, hlo_view_at(a, i * a->strides[0] + j * a->strides[1]));
      if (!(number.re - number.re == 0 && number.im - number.im == 0)) return false;
    }
  }
  return true;
}

// By the oracle. A result that is not wanted becomes zero.
static hlo_status evaluate_by_oracle(const hlo_lapack *x, hlo_routine routine, char triangle,
                                     int32_t first_vectors, const bool wanted[2],
                                     hlo_error *error) {
  static const char zeros[16];
  hlo_lapack y = *x;
  if (!is_finite(&x->operands[0], triangle)) return fill_with_nan(x);
  for (int k = 0; k < 2; k++) {
    hlo_view *vectors = &y.results[first_vectors + k];
    if (wanted[k]) continue;
    hlo_view_fill(vectors, zeros);
    vectors->dims[0] = vectors->dims[1] = 0;
  }
  return hlo_lapack_by_oracle(&y, routine, 1, x->result_count, error);
}

static double unit_of(const hlo_lapack *x) {
  bool is_single = hlo_type_complex_part(x->operands[0].type) == HLO_F32;
  return is_single ? HLO_UNIT_SINGLE : HLO_UNIT_DOUBLE;
}

static void scale_values(double *values, int64_t n, double scale) {
  for (int64_t i = 0; i < n; i++) values[i] *= scale;
}

// --- Hermitian matrices ---

// The first two results: eigenvectors, unless nobody wants them, and eigenvalues.
static hlo_status hermitian(const hlo_lapack *x, bool vectors, bool lower, ptrdiff_t *failed,
                            hlo_error *error) {
  const hlo_evaluator *evaluator = x->call->evaluator;
  hlo_lapack_matrix a;
  double *values, scale = 1;
  int64_t n = x->operands[0].dims[0];
  *failed = -1;
  if (x->call->reference != NULL) {
    if (!is_finite(&x->operands[0], lower ? 'L' : 'U')) return fill_with_nan(x);
    hlo_routine routine = {.function = hlo_reference_eigh, .is_lower = lower};
    *failed = 0;
    return hlo_lapack_by_oracle(x, routine, 1, 2, error);
  }
  HLO_TRY(hlo_lapack_load(x, &x->operands[0], &a, error));
  HLO_ALLOC(values, evaluator->scratch, n, error);
  if (!a.is_single) {
    hlo_complete(&a.matrix, lower);
    if (!bring_into_range(&a.matrix, &scale)) return fill_with_nan(x);
  }
  HLO_TRY(a.is_single ? hlo_single_hermitian(evaluator, &a.single, lower, HLO_UNIT_SINGLE, values,
                                             vectors, failed, error)
                      : hlo_hermitian(evaluator, &a.matrix, lower, unit_of(x), values, vectors,
                                      failed, error));
  scale_values(values, n, scale);
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

// a = u diag(values) vᴴ; of a wide matrix the transposed one's factors, which are the conjugates of
// the adjoint's, change places. Factors that nobody asked for are zero.
hlo_status hlo_lapack_gesdd(const hlo_lapack *x, hlo_error *error) {
  static const char zeros[16];
  const hlo_evaluator *evaluator = x->call->evaluator;
  hlo_lapack_matrix a, u, v;
  double *values, scale = 1;
  bool converged;
  char mode = hlo_lapack_letter(x, "mode");
  hlo_view from, left, right;
  int64_t rows = x->operands[0].dims[0], columns = x->operands[0].dims[1],
          few = rows < columns ? rows : columns;
  int64_t u_columns = x->results[2].dims[1], v_rows = x->results[3].dims[0];
  bool wide = columns > rows, vectors = mode != 'N';
  if (vectors &&
      (u_columns != (mode == 'A' ? rows : few) || v_rows != (mode == 'A' ? columns : few)))
    return hlo_lapack_fail(x, "the factors' sizes are not those of the mode", error);
  const bool wanted[2] = {vectors, vectors};
  if (x->call->reference != NULL)
    return evaluate_by_oracle(x, (hlo_routine){.function = hlo_reference_svd}, 'A', 2, wanted,
                              error);
  hlo_lapack_turn(&x->operands[0], wide, &from);
  HLO_TRY(hlo_lapack_load(x, &from, &a, error));
  HLO_ALLOC(values, evaluator->scratch, few, error);
  hlo_view_copy(&x->results[0], &x->operands[0]);
  if (!a.is_single && !bring_into_range(&a.matrix, &scale)) return fill_with_nan(x);
  hlo_lapack_turn(&x->results[wide ? 3 : 2], wide, &left); // the adjoint's are rows of the last
  hlo_lapack_turn(&x->results[wide ? 2 : 3], !wide, &right);
  if (vectors) {
    HLO_TRY(hlo_lapack_create(x, &a, left.dims[0], left.dims[1], &u, error));
    HLO_TRY(hlo_lapack_create(x, &a, few, few, &v, error));
  }
  HLO_TRY(a.is_single ? hlo_single_singular_values(evaluator, &a.single, wide, HLO_UNIT_SINGLE,
                                                   values, vectors ? &u.single : NULL,
                                                   vectors ? &v.single : NULL, &converged, error)
                      : hlo_singular_values(evaluator, &a.matrix, wide, unit_of(x), values,
                                            vectors ? &u.matrix : NULL, vectors ? &v.matrix : NULL,
                                            &converged, error));
  scale_values(values, few, scale);
  hlo_lapack_store_reals(&x->results[1], values);
  if (vectors) {
    if (v.is_single) hlo_single_conjugate(&v.single);
    else hlo_matrix_conjugate(&v.matrix);
    hlo_lapack_store(&left, &u);
    hlo_lapack_store(&right, &v);
  } else {
    hlo_view_fill(&left, zeros);
    hlo_view_fill(&right, zeros);
  }
  hlo_lapack_store_int(&x->results[4], 0, converged ? 0 : 1);
  return HLO_OK;
}

// --- general matrices ---

// Eigenvalues into one complex result, or two real ones from `first` on.
static hlo_status store_values(const hlo_lapack *x, const hlo_matrix *t, int32_t first,
                               double scale, hlo_error *error) {
  hlo_c128 *values;
  HLO_ALLOC(values, x->call->evaluator->scratch, t->rows, error);
  hlo_schur_values(t, values);
  for (int64_t k = 0; k < t->rows; k++) {
    hlo_c128 value = {values[k].re * scale, values[k].im * scale};
    hlo_matrix one = {1, 1, 1, &value.re, &value.im, NULL};
    hlo_matrix imaginary = {1, 1, 1, &value.im, NULL, NULL};
    for (int32_t part = 0; part < (t->im != NULL ? 1 : 2); part++) {
      hlo_view element = x->results[first + part];
      element.rank = 0;
      element.data = (char *)element.data + k * element.strides[0] * hlo_type_bytes(element.type);
      hlo_matrix_to_view(&element, part == 0 ? &one : &imaginary);
    }
  }
  return HLO_OK;
}

// Left and right eigenvectors, where wanted, of the form that `t` and `z` give.
static hlo_status store_vectors(const hlo_lapack *x, const hlo_matrix *t, const hlo_matrix *z,
                                const hlo_balance *balance, const bool wanted[2], int32_t first,
                                hlo_error *error) {
  const hlo_evaluator *evaluator = x->call->evaluator;
  hlo_matrix vectors;
  HLO_TRY(hlo_matrix_create(evaluator->scratch, t->rows, t->rows, true, &vectors, error));
  for (int32_t k = 0; k < 2; k++) {
    if (wanted[k]) {
      HLO_TRY(hlo_eigenvectors(evaluator, t, z, k == 0, &vectors, error));
      hlo_balance_undo(balance, k == 0, &vectors);
      hlo_eigenvectors_normalize(t, &vectors);
    } else {
      hlo_matrix_scale(&vectors, 0);
    }
    hlo_matrix_to_view(&x->results[first + k], &vectors);
  }
  return HLO_OK;
}

hlo_status hlo_lapack_geev(const hlo_lapack *x, hlo_error *error) {
  hlo_matrix a, z;
  hlo_balance balance;
  double scale;
  ptrdiff_t failed;
  char left = hlo_lapack_letter(x, "compute_left");
  char right = hlo_lapack_letter(x, "compute_right");
  const bool wanted[2] = {left == 'V', right == 'V'};
  int32_t vectors = hlo_type_is_complex(x->operands[0].type) ? 1 : 2;
  if (x->call->reference != NULL)
    return evaluate_by_oracle(x, (hlo_routine){.function = hlo_reference_eig}, 'A', vectors, wanted,
                              error);
  HLO_TRY(hlo_matrix_of_view(x->call->evaluator->scratch, &x->operands[0], &a, error));
  HLO_TRY(hlo_lapack_create_matrix(x, a.rows, a.rows, &z, error));
  if (!bring_into_range(&a, &scale)) return fill_with_nan(x);
  bool any = wanted[0] || wanted[1];
  HLO_TRY(hlo_balance_matrix(x->call->evaluator, &a, true, &balance, error));
  HLO_TRY(hlo_schur_form(x->call->evaluator, &a, &balance, unit_of(x), any ? &z : NULL, &failed,
                         error));
  HLO_TRY(store_values(x, &a, 0, scale, error));
  HLO_TRY(store_vectors(x, &a, &z, &balance, wanted, vectors, error));
  hlo_lapack_store_int(&x->results[vectors + 2], 0, failed);
  return HLO_OK;
}

hlo_status hlo_lapack_gees(const hlo_lapack *x, hlo_error *error) {
  hlo_matrix a, z;
  hlo_balance balance;
  double scale;
  ptrdiff_t failed;
  char mode = hlo_lapack_letter(x, "mode");
  const bool wanted[2] = {true, mode == 'V'};
  if (x->call->reference != NULL)
    return evaluate_by_oracle(x, (hlo_routine){.function = hlo_reference_schur}, 'A', 0, wanted,
                              error);
  HLO_TRY(hlo_matrix_of_view(x->call->evaluator->scratch, &x->operands[0], &a, error));
  HLO_TRY(hlo_lapack_create_matrix(x, a.rows, a.rows, &z, error));
  if (!bring_into_range(&a, &scale)) return fill_with_nan(x);
  HLO_TRY(hlo_balance_matrix(x->call->evaluator, &a, false, &balance, error));
  HLO_TRY(hlo_schur_form(x->call->evaluator, &a, &balance, unit_of(x), mode == 'V' ? &z : NULL,
                         &failed, error));
  hlo_balance_undo(&balance, false, &z);
  HLO_TRY(store_values(x, &a, 2, scale, error));
  hlo_matrix_scale(&a, scale);
  hlo_matrix_to_view(&x->results[0], &a);
  hlo_matrix_to_view(&x->results[1], &z);
  int32_t last = x->result_count - 1;
  hlo_lapack_store_int(&x->results[last - 1], 0, 0);
  hlo_lapack_store_int(&x->results[last], 0, failed);
  return HLO_OK;
}
