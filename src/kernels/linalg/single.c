// Matrices in single precision, the loops over four of their columns, and products: see single.h.
#include "kernels/linalg/single.h"

#include "kernels/machine.h"
#include "kernels/product/matrix_product.h"

#include <string.h>

// --- matrices ---

hlo_status hlo_single_create(hlo_arena *arena, ptrdiff_t rows, ptrdiff_t columns, bool zeros,
                             hlo_single *out, hlo_error *error) {
  ptrdiff_t step = hlo_four_after(rows), size;
  *out = (hlo_single){.rows = rows, .columns = columns, .step = step};
  if (__builtin_mul_overflow(step, columns + 1, &size)) return hlo_fail_out_of_memory(error);
  out->data = zeros ? hlo_arena_array(arena, (size_t)size, sizeof *out->data)
                    : hlo_arena_array_raw(arena, (size_t)size, sizeof *out->data);
  if (out->data == NULL) return hlo_fail_out_of_memory(error);
  out->spare = out->data + step * columns;
  if (zeros) return HLO_OK;
  memset(out->spare, 0, (size_t)step * sizeof *out->data);
  for (ptrdiff_t j = 0; j < columns && step > rows; j++) {
    for (ptrdiff_t i = rows; i < step; i++) out->data[i + j * step] = 0;
  }
  return HLO_OK;
}

hlo_status hlo_single_numbers(hlo_arena *arena, ptrdiff_t n, float **out, hlo_error *error) {
  HLO_ALLOC(*out, arena, hlo_four_after(n) + 4, error);
  return HLO_OK;
}

hlo_single hlo_single_part(const hlo_single *m, ptrdiff_t row, ptrdiff_t column,
                           ptrdiff_t columns) {
  return (hlo_single){m->rows - row, columns, m->step, m->data + row + column * m->step, m->spare};
}

static void describe(const hlo_single *m, hlo_view *out) {
  out->type = HLO_F32;
  out->rank = 2;
  out->dims[0] = m->rows, out->dims[1] = m->columns;
  out->strides[0] = 1, out->strides[1] = m->step;
  out->data = m->data;
}

// Between a view and a matrix.
static void copy_few(const hlo_view *view, const hlo_single *m, bool back) {
  for (ptrdiff_t j = 0; j < m->columns; j++) {
    float *numbers = (float *)view->data + j * view->strides[1], *column = m->data + j * m->step;
    ptrdiff_t step = (ptrdiff_t)view->strides[0];
    for (ptrdiff_t i = 0; i < m->rows; i++) {
      if (back) numbers[i * step] = column[i];
      else column[i] = numbers[i * step];
    }
  }
}

hlo_status hlo_single_load(hlo_arena *arena, const hlo_view *from, hlo_single *out,
                           hlo_error *error) {
  HLO_TRY(hlo_single_create(arena, from->dims[0], from->dims[1], false, out, error));
  hlo_view to;
  describe(out, &to);
  if (out->rows <= HLO_SINGLE_FEW && out->columns <= HLO_SINGLE_FEW) copy_few(from, out, false);
  else hlo_view_copy(&to, from);
  return HLO_OK;
}

void hlo_single_store(const hlo_view *to, const hlo_single *from) {
  hlo_view view;
  describe(from, &view);
  if (from->rows <= HLO_SINGLE_FEW && from->columns <= HLO_SINGLE_FEW) copy_few(to, from, true);
  else hlo_view_copy(to, &view);
}

hlo_status hlo_single_from_double(hlo_arena *arena, const hlo_matrix *from, hlo_single *out,
                                  hlo_error *error) {
  HLO_TRY(hlo_single_create(arena, from->rows, from->columns, false, out, error));
  for (ptrdiff_t j = 0; j < from->columns; j++) {
    float *to = out->data + j * out->step;
    const double *column = from->re + j * from->step;
    for (ptrdiff_t i = 0; i < from->rows; i++) to[i] = (float)column[i];
  }
  return HLO_OK;
}

void hlo_single_transpose(const hlo_single *to, const hlo_single *from) {
  hlo_view source, target;
  describe(from, &source);
  describe(to, &target);
  target.dims[0] = from->rows, target.dims[1] = from->columns;
  target.strides[0] = to->step, target.strides[1] = 1;
  hlo_view_copy(&target, &source);
}

void hlo_single_set_identity(const hlo_single *m) {
  for (ptrdiff_t j = 0; j < m->columns; j++) {
    memset(m->data + j * m->step, 0, (size_t)m->rows * sizeof *m->data);
    if (j < m->rows) m->data[j + j * m->step] = 1;
  }
}

bool hlo_single_is_in_range(const hlo_single *m) {
  typedef int32_t bits __attribute__((vector_size(16)));
  bits largest = {0}; // magnitudes are ordered as integers are, NaN after infinity
  for (ptrdiff_t j = 0; j < m->columns; j++) {
    const float *column = m->data + j * m->step;
    for (ptrdiff_t i = 0; i < m->step; i += 4) {
      bits some = (bits)*hlo_four_at(column + i) & 0x7fffffff, greater = some > largest;
      largest = (some & greater) | (largest & ~greater);
    }
  }
  int32_t most = 0;
  for (int k = 0; k < 4; k++) most = largest[k] > most ? largest[k] : most;
  return most == 0 || (most > (127 - 40) << 23 && most < (127 + 40) << 23);
}

// --- four columns at a time ---

hlo_columns hlo_single_columns(const hlo_single *m, ptrdiff_t j) {
  hlo_columns c;
  for (int k = 0; k < 4; k++) c.at[k] = j + k < m->columns ? m->data + (j + k) * m->step : m->spare;
  return c;
}

static hlo_four all(float x) { return (hlo_four){x, x, x, x}; }

// The sum of each vector's numbers.
static hlo_four sums_of(hlo_four a, hlo_four b, hlo_four c, hlo_four d) {
  hlo_four ab =
      __builtin_shufflevector(a, b, 0, 4, 1, 5) + __builtin_shufflevector(a, b, 2, 6, 3, 7);
  hlo_four cd =
      __builtin_shufflevector(c, d, 0, 4, 1, 5) + __builtin_shufflevector(c, d, 2, 6, 3, 7);
  return __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

hlo_four hlo_columns_dot(const hlo_columns *c, ptrdiff_t start, ptrdiff_t end, const float *v) {
  const float *c0 = c->at[0], *c1 = c->at[1], *c2 = c->at[2], *c3 = c->at[3];
  hlo_four s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0}, t0 = {0}, t1 = {0}, t2 = {0}, t3 = {0};
  ptrdiff_t i = start;
  for (; i + 8 <= end; i += 8) {
    hlo_four x = *hlo_four_at(v + i), y = *hlo_four_at(v + i + 4);
    s0 += x * *hlo_four_at(c0 + i), t0 += y * *hlo_four_at(c0 + i + 4);
    s1 += x * *hlo_four_at(c1 + i), t1 += y * *hlo_four_at(c1 + i + 4);
    s2 += x * *hlo_four_at(c2 + i), t2 += y * *hlo_four_at(c2 + i + 4);
    s3 += x * *hlo_four_at(c3 + i), t3 += y * *hlo_four_at(c3 + i + 4);
  }
  if (i < end) {
    hlo_four x = *hlo_four_at(v + i);
    s0 += x * *hlo_four_at(c0 + i), s1 += x * *hlo_four_at(c1 + i);
    s2 += x * *hlo_four_at(c2 + i), s3 += x * *hlo_four_at(c3 + i);
  }
  return sums_of(s0 + t0, s1 + t1, s2 + t2, s3 + t3);
}

void hlo_columns_subtract(const hlo_columns *c, ptrdiff_t start, ptrdiff_t end, hlo_four factors,
                          const float *v) {
  float *c0 = c->at[0], *c1 = c->at[1], *c2 = c->at[2], *c3 = c->at[3];
  hlo_four f0 = all(factors[0]), f1 = all(factors[1]), f2 = all(factors[2]), f3 = all(factors[3]);
  for (ptrdiff_t i = start; i < end; i += 4) {
    hlo_four x = *hlo_four_at(v + i);
    *hlo_four_at(c0 + i) -= f0 * x;
    *hlo_four_at(c1 + i) -= f1 * x;
    *hlo_four_at(c2 + i) -= f2 * x;
    *hlo_four_at(c3 + i) -= f3 * x;
  }
}

hlo_four hlo_columns_change(const hlo_columns *c, ptrdiff_t start, ptrdiff_t end,
                            hlo_four x_factors, const float *x, hlo_four y_factors, const float *y,
                            const float *v) {
  hlo_four sums[4] = {{0}, {0}, {0}, {0}}, f[4], g[4];
  for (int k = 0; k < 4; k++) f[k] = all(x_factors[k]), g[k] = all(y_factors[k]);
  float *const at[4] = {c->at[0], c->at[1], c->at[2], c->at[3]};
  for (ptrdiff_t i = start; i < end; i += 4) {
    hlo_four p = *hlo_four_at(x + i), q = *hlo_four_at(y + i), r = *hlo_four_at(v + i);
#pragma unroll
    for (int k = 0; k < 4; k++) {
      hlo_four changed = *hlo_four_at(at[k] + i) - f[k] * p - g[k] * q;
      *hlo_four_at(at[k] + i) = changed;
      sums[k] += changed * r;
    }
  }
  return sums_of(sums[0], sums[1], sums[2], sums[3]);
}

void hlo_columns_combine(const hlo_columns *c, ptrdiff_t start, ptrdiff_t end, hlo_four factors,
                         float *to) {
  const float *c0 = c->at[0], *c1 = c->at[1], *c2 = c->at[2], *c3 = c->at[3];
  hlo_four f0 = all(factors[0]), f1 = all(factors[1]), f2 = all(factors[2]), f3 = all(factors[3]);
  for (ptrdiff_t i = start; i < end; i += 4) {
    hlo_four first = f0 * *hlo_four_at(c0 + i) + f1 * *hlo_four_at(c1 + i);
    hlo_four second = f2 * *hlo_four_at(c2 + i) + f3 * *hlo_four_at(c3 + i);
    *hlo_four_at(to + i) += first + second;
  }
}

void hlo_single_reflect(const hlo_single *m, ptrdiff_t start, float tau, const float *v) {
  ptrdiff_t end = hlo_four_after(m->rows);
  if (tau == 0) return;
  for (ptrdiff_t j = 0; j < m->columns; j += 4) {
    hlo_columns c = hlo_single_columns(m, j);
    hlo_columns_subtract(&c, start, end, tau * hlo_columns_dot(&c, start, end, v), v);
  }
}

// --- products ---

static void subtract_small(const hlo_single *c, const hlo_single *a, const hlo_single *b) {
  ptrdiff_t end = hlo_four_after(c->rows);
  for (ptrdiff_t k = 0; k < a->columns; k += 4) {
    hlo_columns some = hlo_single_columns(a, k);
    for (ptrdiff_t j = 0; j < c->columns; j++) {
      hlo_four factors = -*hlo_four_at(b->data + k + j * b->step); // zeros follow the rows of b
      hlo_columns_combine(&some, 0, end, factors, c->data + j * c->step);
    }
  }
}

hlo_status hlo_single_subtract_product(const hlo_evaluator *evaluator, const hlo_single *c,
                                       const hlo_single *a, const hlo_single *b, hlo_error *error) {
  ptrdiff_t m = c->rows, depth = a->columns;
  if (m == 0 || c->columns == 0 || depth == 0) return HLO_OK;
  if ((double)m * (double)c->columns * (double)depth < HLO_SINGLE_SMALL_PRODUCT) {
    subtract_small(c, a, b);
    return HLO_OK;
  }
  hlo_arena *arena = evaluator->scratch;
  hlo_arena_mark mark = hlo_arena_get_mark(arena);
  hlo_matrix_product kernel;
  ptrdiff_t columns = hlo_smaller(HLO_LINALG_STRIP, c->columns);
  HLO_TRY(hlo_matrix_product_init(evaluator, HLO_F32, false, m, depth, &kernel, error));
  float *result = hlo_arena_array_raw(arena, (size_t)m, (size_t)columns * sizeof *result);
  if (result == NULL) return hlo_fail_out_of_memory(error);
  for (ptrdiff_t j = 0; j < c->columns; j += columns) { // whose columns are rows for the kernel
    columns = hlo_smaller(columns, c->columns - j);
    hlo_matrix_product_run(&kernel, columns, m, depth, b->data + j * b->step, b->step, a->data,
                           a->step, result, m);
    for (ptrdiff_t k = 0; k < columns; k++) {
      float *to = c->data + (j + k) * c->step;
      const float *from = result + k * m;
      for (ptrdiff_t i = 0; i < m; i++) to[i] -= from[i];
    }
  }
  hlo_arena_rewind(arena, mark);
  return HLO_OK;
}
