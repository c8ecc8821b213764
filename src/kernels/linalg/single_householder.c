// QR factors in single precision, and the application of reflectors (Golub, Van Loan, 5.1, 5.2).
// See single.h.
//
// Few reflectors are applied to four columns at a time, which stay in L1. Many are aggregated into
// blocks 1 - V T Vᵀ (R. Schreiber, C. Van Loan, A Storage-Efficient WY Representation for Products
// of Householder Transformations, 1989), applied by GEMM.
#include "kernels/linalg/single.h"
#include "kernels/machine.h"

#include "kernels/product/matrix_product.h"

#include <string.h>

#define TINY 0x1p-120F

// In double precision, where squares of f32 are exact.
static double sum_of_squares(const float *x, ptrdiff_t first, ptrdiff_t rows) {
  typedef double wide __attribute__((vector_size(32)));
  ptrdiff_t i = first;
  double sum = 0;
  wide sums = {0};
  for (; i < hlo_four_after(first) && i < rows; i++) sum += (double)x[i] * (double)x[i];
  for (; i < rows; i += 4) { // zeros follow
    wide some = __builtin_convertvector(*hlo_four_at(x + i), wide);
    sums += some * some;
  }
  return sum + ((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

static float length(float x, float y) {
  float a = __builtin_fabsf(x), b = __builtin_fabsf(y), large = a > b ? a : b;
  float ratio = (a > b ? b : a) / large;
  return large * __builtin_sqrtf(1 + ratio * ratio);
}

// Rounds after each operation, as LAPACK does: the signs of vectors that consist of rounding errors
// depend on it.
float hlo_single_reflector(const float *x, ptrdiff_t first, ptrdiff_t rows, float *v,
                           double *beta) {
  float alpha = x[first];
  double rest = sum_of_squares(x, first + 1, rows);
  ptrdiff_t end = hlo_four_after(rows), i = first + 1;
  for (ptrdiff_t k = hlo_four_before(first); k < first; k++) v[k] = 0;
  v[first] = 1;
  *beta = (double)alpha;
  if (rest == 0) {
    for (; i < end; i++) v[i] = 0;
    return 0;
  }
  double norm = __builtin_sqrt((double)alpha * (double)alpha + rest);
  double sign = __builtin_signbit(alpha) ? 1 : -1;
  if (norm < TINY) { // whose reciprocal might be infinite, and whose digits are few
    *beta = sign * norm;
    double factor = 1 / ((double)alpha - *beta);
    for (; i < end; i++) v[i] = i < rows ? (float)((double)x[i] * factor) : 0;
    return (float)((*beta - (double)alpha) / *beta);
  }
  float made = (float)sign * length(alpha, (float)__builtin_sqrt(rest));
  *beta = (double)made;
  float factor = 1 / (alpha - made);
  for (; i < hlo_four_after(first + 1); i++) v[i] = i < rows ? x[i] * factor : 0;
  for (; i < rows; i += 4) *hlo_four_at(v + i) = *hlo_four_at(x + i) * factor;
  return (made - alpha) / made;
}

// --- one after the other ---

// Expands the stored reflectors: zeros above, the leading 1, and the stored part below.
static void write_out(const hlo_single *reflectors, ptrdiff_t count, ptrdiff_t shift,
                      const hlo_single *v) {
  size_t size = sizeof *v->data;
  for (ptrdiff_t k = 0; k < count; k++) {
    float *to = v->data + k * v->step;
    const float *from = reflectors->data + k * reflectors->step;
    ptrdiff_t first = k + shift;
    memset(to, 0, (size_t)first * size);
    to[first] = 1;
    memcpy(to + first + 1, from + first + 1, (size_t)(v->rows - first - 1) * size);
  }
}

// All reflectors to four columns, then to the next ones.
static void apply_few(const hlo_single *v, ptrdiff_t count, ptrdiff_t shift, const float *taus,
                      const hlo_single *c, bool adjoint) {
  ptrdiff_t end = hlo_four_after(c->rows);
  for (ptrdiff_t j = 0; j < c->columns; j += 4) {
    hlo_columns columns = hlo_single_columns(c, j);
    for (ptrdiff_t i = 0; i < count; i++) {
      ptrdiff_t k = adjoint ? i : count - 1 - i, start = hlo_four_before(k + shift);
      const float *x = v->data + k * v->step;
      hlo_four factors = taus[k] * hlo_columns_dot(&columns, start, end, x);
      hlo_columns_subtract(&columns, start, end, factors, x);
    }
  }
}

// --- blocks ---

typedef struct block {
  hlo_arena *arena;
  ptrdiff_t count; // of reflectors
  hlo_single v;
  float *v_rows, *t;     // row by row, t being T or Tᵀ
  float *first, *second; // results
  hlo_matrix_product to_few, few, from_few;
} block;

static hlo_status prepare(const hlo_evaluator *evaluator, ptrdiff_t rows, ptrdiff_t count,
                          ptrdiff_t columns, block *b, hlo_error *error) {
  hlo_arena *arena = evaluator->scratch;
  size_t strip = (size_t)hlo_smaller(HLO_LINALG_STRIP, columns);
  if (strip < HLO_REFLECTOR_BLOCK) strip = HLO_REFLECTOR_BLOCK;
  *b = (block){.arena = arena, .count = count};
  HLO_TRY(hlo_single_create(arena, rows, count, false, &b->v, error));
  b->v_rows = hlo_arena_array_raw(arena, (size_t)rows, (size_t)count * sizeof(float));
  b->t = hlo_arena_array_raw(arena, (size_t)count, (size_t)count * sizeof(float));
  b->first = hlo_arena_array_raw(arena, strip, (size_t)(rows + count) * sizeof(float));
  b->second = hlo_arena_array_raw(arena, strip, (size_t)count * sizeof(float));
  if (b->v_rows == NULL || b->t == NULL || b->first == NULL || b->second == NULL)
    return hlo_fail_out_of_memory(error);
  HLO_TRY(hlo_matrix_product_init(evaluator, HLO_F32, false, count, rows, &b->to_few, error));
  HLO_TRY(hlo_matrix_product_init(evaluator, HLO_F32, false, count, count, &b->few, error));
  return hlo_matrix_product_init(evaluator, HLO_F32, false, rows, count, &b->from_few, error);
}

// Forms T of the compact WY representation, transposed unless `adjoint`, since the kernels multiply
// rows by it.
static void form_triangular_factor(block *b, const float *taus, bool adjoint) {
  ptrdiff_t n = b->count, rows = b->v.rows;
  const float *products = b->first;
  hlo_matrix_product_run(&b->to_few, n, n, rows, b->v.data, b->v.step, b->v_rows, n, b->first, n);
  float t[HLO_REFLECTOR_BLOCK][HLO_REFLECTOR_BLOCK] = {{0}}; // t[j]: column j
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t k = 0; k < j; k++) {
      float factor = taus[j] * products[k * n + j];
      for (ptrdiff_t i = 0; i <= k; i++) t[j][i] -= factor * t[k][i];
    }
    t[j][j] = taus[j];
  }
  for (ptrdiff_t j = 0; j < n; j++) {
    for (ptrdiff_t i = 0; i < n; i++) b->t[i + j * n] = adjoint ? t[i][j] : t[j][i];
  }
}

// c -= V T Vᵀ c. Columns of c are rows for the kernels.
static void apply_block(block *b, const hlo_single *c) {
  ptrdiff_t n = b->count, rows = b->v.rows;
  for (ptrdiff_t j = 0; j < c->columns; j += HLO_LINALG_STRIP) {
    ptrdiff_t columns = hlo_smaller(HLO_LINALG_STRIP, c->columns - j);
    float *part = c->data + j * c->step, *result = b->first + columns * n;
    hlo_matrix_product_run(&b->to_few, columns, n, rows, part, c->step, b->v_rows, n, b->first, n);
    hlo_matrix_product_run(&b->few, columns, n, n, b->first, n, b->t, n, b->second, n);
    hlo_matrix_product_run(&b->from_few, columns, rows, n, b->second, n, b->v.data, b->v.step,
                           result, rows);
    for (ptrdiff_t k = 0; k < columns; k++) {
      float *to = part + k * c->step;
      const float *from = result + k * rows;
      for (ptrdiff_t i = 0; i < rows; i++) to[i] -= from[i];
    }
  }
}

// Some reflectors to c, all from the same row on.
static hlo_status apply(const hlo_evaluator *evaluator, const hlo_single *reflectors,
                        ptrdiff_t count, ptrdiff_t shift, const float *taus, const hlo_single *c,
                        bool adjoint, hlo_error *error) {
  hlo_arena *arena = evaluator->scratch;
  hlo_arena_mark mark = hlo_arena_get_mark(arena);
  if (count == 0 || c->columns == 0) return HLO_OK;
  if (c->rows * c->columns <= HLO_SINGLE_REFLECTOR_FEW || c->columns < HLO_REFLECTOR_BLOCK / 2) {
    hlo_single v;
    HLO_TRY(hlo_single_create(arena, c->rows, count, false, &v, error));
    write_out(reflectors, count, shift, &v);
    apply_few(&v, count, shift, taus, c, adjoint);
  } else {
    block b;
    HLO_TRY(prepare(evaluator, c->rows, count, c->columns, &b, error));
    write_out(reflectors, count, shift, &b.v);
    hlo_single by_rows = {count, c->rows, count, b.v_rows, NULL};
    hlo_single_transpose(&by_rows, &b.v);
    form_triangular_factor(&b, taus, adjoint);
    apply_block(&b, c);
  }
  hlo_arena_rewind(arena, mark);
  return HLO_OK;
}

hlo_status hlo_single_qr_apply(const hlo_evaluator *evaluator, const hlo_single *reflectors,
                               ptrdiff_t count, ptrdiff_t shift, const float *taus,
                               const hlo_single *c, bool adjoint, hlo_error *error) {
  if (c->rows * c->columns <= HLO_SINGLE_REFLECTOR_FEW)
    return apply(evaluator, reflectors, count, shift, taus, c, adjoint, error);
  ptrdiff_t blocks = (count + HLO_REFLECTOR_BLOCK - 1) / HLO_REFLECTOR_BLOCK;
  for (ptrdiff_t step = 0; step < blocks; step++) {
    ptrdiff_t k = (adjoint ? step : blocks - 1 - step) * HLO_REFLECTOR_BLOCK;
    hlo_single some =
        hlo_single_part(reflectors, k, k, hlo_smaller(HLO_REFLECTOR_BLOCK, count - k));
    hlo_single rows = hlo_single_part(c, k, 0, c->columns);
    HLO_TRY(apply(evaluator, &some, some.columns, shift, taus + k, &rows, adjoint, error));
  }
  return HLO_OK;
}

// --- QR ---

// Unblocked QR of a panel: computes each column's reflector and applies it to the trailing columns.
// v: scratch for the rows.
static void factor_panel(const hlo_single *a, float *taus, float *v) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns);
  for (ptrdiff_t k = 0; k < steps; k++) {
    float *column = a->data + k * a->step;
    double beta;
    taus[k] = hlo_single_reflector(column, k, a->rows, v, &beta);
    column[k] = (float)beta;
    memcpy(column + k + 1, v + k + 1, (size_t)(a->rows - k - 1) * sizeof *v);
    hlo_single behind = hlo_single_part(a, 0, k + 1, a->columns - k - 1);
    hlo_single_reflect(&behind, hlo_four_before(k), taus[k], v);
  }
}

static ptrdiff_t panel_of(const hlo_single *a, ptrdiff_t steps) {
  return a->rows * a->columns <= HLO_SINGLE_REFLECTOR_FEW ? steps : HLO_REFLECTOR_BLOCK;
}

hlo_status hlo_single_qr(const hlo_evaluator *evaluator, const hlo_single *a, float *taus,
                         hlo_error *error) {
  ptrdiff_t steps = hlo_smaller(a->rows, a->columns), size = panel_of(a, steps);
  float *v;
  HLO_TRY(hlo_single_numbers(evaluator->scratch, a->rows, &v, error));
  for (ptrdiff_t k = 0; k < steps; k += size) {
    ptrdiff_t count = hlo_smaller(size, steps - k);
    bool is_last = k + count == steps;
    hlo_single panel = hlo_single_part(a, k, k, is_last ? a->columns - k : count);
    factor_panel(&panel, taus + k, v);
    if (is_last) break;
    hlo_single behind = hlo_single_part(a, k, k + count, a->columns - k - count);
    HLO_TRY(apply(evaluator, &panel, count, 0, taus + k, &behind, true, error));
  }
  return HLO_OK;
}

// The first columns of the product of reflectors, in their place, one after the other.
static void form_panel(const hlo_single *a, ptrdiff_t count, const float *taus, float *v) {
  for (ptrdiff_t k = count - 1; k >= 0; k--) {
    float *column = a->data + k * a->step;
    for (ptrdiff_t i = hlo_four_before(k); i < k; i++) v[i] = 0;
    v[k] = 1;
    memcpy(v + k + 1, column + k + 1, (size_t)(a->rows - k - 1) * sizeof *v);
    for (ptrdiff_t i = a->rows; i < hlo_four_after(a->rows); i++) v[i] = 0;
    hlo_single behind = hlo_single_part(a, 0, k + 1, a->columns - k - 1);
    hlo_single_reflect(&behind, hlo_four_before(k), taus[k], v);
    for (ptrdiff_t i = 0; i < k; i++) column[i] = 0; // it becomes H times a unit vector
    for (ptrdiff_t i = k; i < a->rows; i++) column[i] = -taus[k] * v[i];
    column[k] += 1;
  }
}

hlo_status hlo_single_qr_form(const hlo_evaluator *evaluator, const hlo_single *a, ptrdiff_t count,
                              const float *taus, hlo_error *error) {
  ptrdiff_t size = panel_of(a, count);
  float *v;
  HLO_TRY(hlo_single_numbers(evaluator->scratch, a->rows, &v, error));
  for (ptrdiff_t j = count; j < a->columns; j++) {
    for (ptrdiff_t i = 0; i < a->rows; i++) a->data[i + j * a->step] = i == j;
  }
  for (ptrdiff_t end = count, k; end > 0; end = k) {
    k = (end - 1) / size * size;
    hlo_single panel = hlo_single_part(a, k, k, end - k);
    hlo_single behind = hlo_single_part(a, k, end, a->columns - end);
    if (behind.columns > 0 && size == count) panel.columns += behind.columns;
    else HLO_TRY(apply(evaluator, &panel, end - k, 0, taus + k, &behind, false, error));
    form_panel(&panel, end - k, taus + k, v);
    for (ptrdiff_t j = k; j < end; j++) memset(a->data + j * a->step, 0, (size_t)k * sizeof *v);
  }
  return HLO_OK;
}
