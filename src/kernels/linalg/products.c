// Matrix products by the backend's GEMM kernel; the blocked algorithms reduce to these. See
// linear_algebra.h.
#include "kernels/linalg/linear_algebra.h"
#include "kernels/machine.h"

#include "kernels/product/matrix_product.h"

#include <string.h>

enum {
  TILE = 8,
};

// to[j][i] = from[i][j] for columns of those strides.
static void transpose_part(ptrdiff_t rows, ptrdiff_t columns, const double *from,
                           ptrdiff_t from_step, double *to, ptrdiff_t to_step) {
  for (ptrdiff_t i = 0; i < rows; i += TILE) {
    ptrdiff_t end = hlo_smaller(i + TILE, rows);
    for (ptrdiff_t j = 0; j < columns; j++) {
      for (ptrdiff_t k = i; k < end; k++) to[j + k * to_step] = from[k + j * from_step];
    }
  }
}

// Not conjugate: imaginary parts keep their signs.
static hlo_status transpose(hlo_arena *arena, hlo_matrix *m, hlo_error *error) {
  hlo_matrix from = *m;
  HLO_TRY(hlo_matrix_create(arena, from.columns, from.rows, from.im != NULL, m, error));
  transpose_part(from.rows, from.columns, from.re, from.step, m->re, m->step);
  if (from.im != NULL) transpose_part(from.rows, from.columns, from.im, from.step, m->im, m->step);
  return HLO_OK;
}

typedef struct product {
  hlo_matrix_product kernel;
  ptrdiff_t m, n, k;
  bool along_columns; // one column is wanted, and the left matrix is its adjoint
  double *result;     // one strip of the product of two parts
} product;

// to += factor left right, where a strip's columns are rows for the kernel.
static void add_parts(const product *p, double *to, ptrdiff_t to_step, double factor,
                      const double *left, ptrdiff_t left_step, const double *right,
                      ptrdiff_t right_step) {
  for (ptrdiff_t j = 0; j < p->n; j += HLO_LINALG_STRIP) {
    ptrdiff_t columns = hlo_smaller(HLO_LINALG_STRIP, p->n - j);
    if (p->along_columns)
      hlo_matrix_product_run(&p->kernel, p->m, 1, p->k, left, left_step, right, 1, p->result, 1);
    else
      hlo_matrix_product_run(&p->kernel, columns, p->m, p->k, right + j * right_step, right_step,
                             left, left_step, p->result, p->m);
    for (ptrdiff_t c = 0; c < columns; c++) {
      hlo_vector sum = {p->m, 1, to + (j + c) * to_step, NULL}, x = {p->m, 1, p->result, NULL};
      x.re += c * p->m;
      hlo_vector_add(sum, hlo_real(factor), x);
    }
  }
}

static hlo_status add_large(const hlo_evaluator *evaluator, const hlo_matrix *c, double factor,
                            hlo_matrix a, bool a_adjoint, hlo_matrix b, bool b_adjoint,
                            hlo_error *error) {
  hlo_arena *arena = evaluator->scratch;
  product p = {.m = c->rows, .n = c->columns, .k = b_adjoint ? b.columns : b.rows};
  p.along_columns = a_adjoint && p.n == 1;
  if (a_adjoint && !p.along_columns) HLO_TRY(transpose(arena, &a, error));
  if (b_adjoint) HLO_TRY(transpose(arena, &b, error));
  HLO_TRY(hlo_matrix_product_init(evaluator, HLO_F64, false, p.along_columns ? 1 : p.m, p.k,
                                  &p.kernel, error));
  p.result = hlo_arena_array_raw(arena, (size_t)p.m,
                                 (size_t)hlo_smaller(HLO_LINALG_STRIP, p.n) * sizeof *p.result);
  if (p.result == NULL) return hlo_fail_out_of_memory(error);
  add_parts(&p, c->re, c->step, factor, a.re, a.step, b.re, b.step);
  if (c->im == NULL) return HLO_OK;
  double sign_a = a_adjoint ? -factor : factor, sign_b = b_adjoint ? -factor : factor;
  add_parts(&p, c->re, c->step, a_adjoint == b_adjoint ? -factor : factor, a.im, a.step, b.im,
            b.step);
  add_parts(&p, c->im, c->step, sign_b, a.re, a.step, b.im, b.step);
  add_parts(&p, c->im, c->step, sign_a, a.im, a.step, b.re, b.step);
  return HLO_OK;
}

static hlo_c128 element(const hlo_matrix *m, bool adjoint, ptrdiff_t i, ptrdiff_t j) {
  return adjoint ? hlo_conjugate(hlo_matrix_get(m, j, i)) : hlo_matrix_get(m, i, j);
}

static void add_small(const hlo_matrix *c, double factor, const hlo_matrix *a, bool a_adjoint,
                      const hlo_matrix *b, bool b_adjoint, ptrdiff_t depth) {
  for (ptrdiff_t j = 0; j < c->columns; j++) {
    for (ptrdiff_t i = 0; a_adjoint && !b_adjoint && i < c->rows; i++) {
      hlo_c128 sum = hlo_matrix_get(c, i, j);
      hlo_c128 x = hlo_vector_dot(hlo_column(a, i, 0), hlo_column(b, j, 0));
      hlo_matrix_set(c, i, j, (hlo_c128){sum.re + factor * x.re, sum.im + factor * x.im});
    }
    for (ptrdiff_t k = 0; !(a_adjoint && !b_adjoint) && k < depth; k++) {
      hlo_c128 x = element(b, b_adjoint, k, j);
      x.re *= factor, x.im *= factor;
      for (ptrdiff_t i = 0; a_adjoint && i < c->rows; i++) {
        hlo_c128 y = hlo_product(element(a, true, i, k), x), sum = hlo_matrix_get(c, i, j);
        hlo_matrix_set(c, i, j, (hlo_c128){sum.re + y.re, sum.im + y.im});
      }
      if (!a_adjoint) hlo_vector_add(hlo_column(c, j, 0), x, hlo_column(a, k, 0));
    }
  }
}

hlo_status hlo_matrix_add_product(const hlo_evaluator *evaluator, const hlo_matrix *c,
                                  double factor, const hlo_matrix *a, bool a_adjoint,
                                  const hlo_matrix *b, bool b_adjoint, hlo_error *error) {
  ptrdiff_t depth = a_adjoint ? a->rows : a->columns;
  if (c->rows == 0 || c->columns == 0 || depth == 0) return HLO_OK;
  if ((double)c->rows * (double)c->columns * (double)depth < HLO_LINALG_SMALL_PRODUCT) {
    add_small(c, factor, a, a_adjoint, b, b_adjoint, depth);
    return HLO_OK;
  }
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  HLO_TRY(add_large(evaluator, c, factor, *a, a_adjoint, *b, b_adjoint, error));
  hlo_arena_rewind(evaluator->scratch, mark);
  return HLO_OK;
}

hlo_status hlo_matrix_multiply(const hlo_evaluator *evaluator, const hlo_matrix *c,
                               const hlo_matrix *a, bool a_adjoint, const hlo_matrix *b,
                               bool b_adjoint, hlo_error *error) {
  hlo_matrix_scale(c, 0);
  return hlo_matrix_add_product(evaluator, c, 1, a, a_adjoint, b, b_adjoint, error);
}
