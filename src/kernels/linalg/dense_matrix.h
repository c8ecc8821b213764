// Dense matrices and their products by the backend's GEMM, part of the text of dense_f32.c and
// dense_f64.c. See dense.h.

// --- matrices ---

hlo_status MATRIX_NAME(create)(hlo_arena *arena, ptrdiff_t rows, ptrdiff_t columns, bool is_complex,
                               MATRIX *out, hlo_error *error) {
  ptrdiff_t step = four_after(rows), size;
  *out = (MATRIX){.rows = rows, .columns = columns, .step = step};
  if (__builtin_mul_overflow(step, columns + 1, &size)) return hlo_fail_out_of_memory(error);
  HLO_ALLOC(out->re, arena, size, error);
  if (is_complex) HLO_ALLOC(out->im, arena, size, error);
  out->spare = out->re + step * columns;
  return HLO_OK;
}

MATRIX MATRIX_NAME(part)(const MATRIX *m, ptrdiff_t row, ptrdiff_t column, ptrdiff_t rows,
                         ptrdiff_t columns) {
  ptrdiff_t at = row + column * m->step;
  return (MATRIX){rows, columns, m->step, m->re + at, m->im == NULL ? NULL : m->im + at, m->spare};
}

// Rows from a multiple of four on, to the last.
static MATRIX part_of(const MATRIX *m, ptrdiff_t row, ptrdiff_t column, ptrdiff_t columns) {
  return MATRIX_NAME(part)(m, row, column, m->rows - row, columns);
}

static VECTOR taus_part(VECTOR taus, ptrdiff_t first, ptrdiff_t n) {
  column at = taus_of(taus, first);
  return (VECTOR){n, 1, at.re, at.im};
}

void MATRIX_NAME(set_identity)(const MATRIX *m) {
  for (ptrdiff_t j = 0; j < m->columns; j++) {
    clear_rows(column_of(m, j), 0, m->rows);
    if (j < m->rows) m->re[j + j * m->step] = 1;
  }
}

void MATRIX_NAME(conjugate)(const MATRIX *m) {
  for (ptrdiff_t j = 0; j < m->columns && m->im != NULL; j++)
    for (ptrdiff_t i = 0; i < m->rows; i++) m->im[i + j * m->step] *= -1;
}

double MATRIX_NAME(largest)(const MATRIX *m) {
  PART largest = 0;
  for (ptrdiff_t j = 0; j < m->columns; j++) {
    for (int part = 0; part < (m->im == NULL ? 1 : 2) && largest == largest; part++) {
      PART size = largest_of((part == 0 ? m->re : m->im) + j * m->step, m->rows);
      if (!(size <= largest)) largest = size;
    }
  }
  return (double)largest;
}

// Between a plane and every part of a view's elements: real and imaginary parts have places of
// their own. A plane that is not there is zero.
#define CONVERT(type)                                                                              \
  do {                                                                                             \
    type *numbers = (type *)view->data + part;                                                     \
    for (ptrdiff_t first = 0; first < m->rows; first += TILE) {                                    \
      ptrdiff_t end = hlo_smaller(first + TILE, m->rows);                                          \
      for (ptrdiff_t j = 0; j < m->columns; j++) {                                                 \
        for (ptrdiff_t i = first; i < end; i++) {                                                  \
          type *number = &numbers[i * row + j * column];                                           \
          PART *element = &plane[i + j * m->step];                                                 \
          if (!back) *element = (PART) * number;                                                   \
          else *number = plane == NULL ? 0 : (type) * element;                                     \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
  } while (0)

static void convert_plane(const hlo_view *view, const MATRIX *m, int part, bool back) {
  enum { TILE = 16 }; // rows, so that lines stay until all is used
  ptrdiff_t parts = hlo_type_is_complex(view->type) ? 2 : 1;
  ptrdiff_t row = view->rank > 0 ? (ptrdiff_t)view->strides[0] * parts : 0;
  ptrdiff_t column = view->rank > 1 ? (ptrdiff_t)view->strides[1] * parts : 0;
  PART *plane = part == 0 ? m->re : m->im;
  if (hlo_type_complex_part(view->type) == HLO_F32) CONVERT(float);
  else CONVERT(double);
}

// Whether the matrix is so large and the view so like it that the view's copy is quicker.
static bool describe(const hlo_view *like, const MATRIX *m, hlo_view *out) {
  if (like->type != ELEMENT_TYPE || like->rank != 2) return false;
  if (m->rows <= HLO_DENSE_FEW && m->columns <= HLO_DENSE_FEW) return false;
  out->type = ELEMENT_TYPE;
  out->rank = 2;
  out->dims[0] = m->rows, out->dims[1] = m->columns;
  out->strides[0] = 1, out->strides[1] = m->step;
  out->data = m->re;
  return true;
}

hlo_status MATRIX_NAME(of_view)(hlo_arena *arena, const hlo_view *from, MATRIX *out,
                                hlo_error *error) {
  bool is_complex = hlo_type_is_complex(from->type);
  ptrdiff_t columns = from->rank > 1 ? (ptrdiff_t)from->dims[1] : 1;
  hlo_view to;
  HLO_TRY(MATRIX_NAME(create)(arena, (ptrdiff_t)from->dims[0], columns, is_complex, out, error));
  if (describe(from, out, &to)) hlo_view_copy(&to, from);
  else
    for (int part = 0; part < (is_complex ? 2 : 1); part++) convert_plane(from, out, part, false);
  return HLO_OK;
}

void MATRIX_NAME(to_view)(const hlo_view *to, const MATRIX *from) {
  hlo_view view;
  if (describe(to, from, &view)) hlo_view_copy(to, &view);
  else
    for (int part = 0; part < (hlo_type_is_complex(to->type) ? 2 : 1); part++)
      convert_plane(to, from, part, true);
}

// to = fromᴴ, or the transposed matrix
static void transpose(const MATRIX *to, const MATRIX *from, bool adjoint) {
  enum { TILE = 8 };
  for (int part = 0; part < (from->im == NULL ? 1 : 2); part++) {
    const PART *source = part == 0 ? from->re : from->im;
    PART *target = part == 0 ? to->re : to->im, sign = part == 1 && adjoint ? -1 : 1;
    for (ptrdiff_t first = 0; first < from->rows; first += TILE) {
      ptrdiff_t end = hlo_smaller(first + TILE, from->rows);
      for (ptrdiff_t j = 0; j < from->columns; j++)
        for (ptrdiff_t i = first; i < end; i++)
          target[j + i * to->step] = sign * source[i + j * from->step];
    }
  }
}

// --- products ---

typedef struct product {
  hlo_matrix_product kernel;
  ptrdiff_t m, n, k;
  bool along_columns; // one column is wanted, and the left matrix is its adjoint
  PART *result;       // one strip of the product of two planes
} product;

// to += factor left right, where a strip's columns are rows for the kernel.
static void add_planes(const product *p, PART *to, ptrdiff_t to_step, PART factor, const PART *left,
                       ptrdiff_t left_step, const PART *right, ptrdiff_t right_step) {
  for (ptrdiff_t j = 0; j < p->n; j += HLO_LINALG_STRIP) {
    ptrdiff_t columns = hlo_smaller(HLO_LINALG_STRIP, p->n - j);
    if (p->along_columns)
      hlo_matrix_product_run(&p->kernel, p->m, 1, p->k, left, left_step, right, 1, p->result, 1);
    else
      hlo_matrix_product_run(&p->kernel, columns, p->m, p->k, right + j * right_step, right_step,
                             left, left_step, p->result, p->m);
    for (ptrdiff_t c = 0; c < columns; c++) {
      PART *sum = to + (j + c) * to_step;
      const PART *x = p->result + c * p->m;
      for (ptrdiff_t i = 0; i < p->m; i++) sum[i] += factor * x[i];
    }
  }
}

static hlo_status transpose_operand(hlo_arena *arena, MATRIX *m, hlo_error *error) {
  MATRIX from = *m;
  HLO_TRY(MATRIX_NAME(create)(arena, from.columns, from.rows, from.im != NULL, m, error));
  transpose(m, &from, true);
  return HLO_OK;
}

static hlo_status add_large(const hlo_evaluator *evaluator, const MATRIX *c, PART factor, MATRIX a,
                            bool a_adjoint, MATRIX b, bool b_adjoint, hlo_error *error) {
  hlo_arena *arena = evaluator->scratch;
  product p = {.m = c->rows, .n = c->columns, .k = b_adjoint ? b.columns : b.rows};
  p.along_columns = a_adjoint && p.n == 1;
  if (a_adjoint && !p.along_columns) HLO_TRY(transpose_operand(arena, &a, error));
  if (b_adjoint) HLO_TRY(transpose_operand(arena, &b, error));
  HLO_TRY(hlo_matrix_product_init(evaluator, ELEMENT_TYPE, false, p.along_columns ? 1 : p.m, p.k,
                                  &p.kernel, error));
  p.result = hlo_arena_array_raw(arena, (size_t)p.m,
                                 (size_t)hlo_smaller(HLO_LINALG_STRIP, p.n) * sizeof *p.result);
  if (p.result == NULL) return hlo_fail_out_of_memory(error);
  add_planes(&p, c->re, c->step, factor, a.re, a.step, b.re, b.step);
  if (c->im == NULL) return HLO_OK;
  PART sign = p.along_columns ? -factor : factor; // a is not conjugate then
  add_planes(&p, c->re, c->step, -sign, a.im, a.step, b.im, b.step);
  add_planes(&p, c->im, c->step, factor, a.re, a.step, b.im, b.step);
  add_planes(&p, c->im, c->step, sign, a.im, a.step, b.re, b.step);
  return HLO_OK;
}

// Column j of op(b) from row k on, as factors of as many columns.
static inline void load_factors(const MATRIX *b, bool adjoint, PART factor, ptrdiff_t k,
                                ptrdiff_t j, ptrdiff_t depth, number out[4]) {
  if (b->im == NULL && !adjoint && k + 4 <= depth) {
    UNROLLED for (int i = 0; i < 4; i++) out[i] = real(factor * b->re[k + i + j * b->step]);
    return;
  }
  UNROLLED for (ptrdiff_t i = 0; i < 4; i++) {
    if (k + i >= depth || i >= group_of(b)) out[i] = real(0);
    else out[i] = adjoint ? conjugate(get(column_of(b, k + i), j)) : get(column_of(b, j), k + i);
    out[i] = (number){factor * out[i].re, factor * out[i].im};
  }
}

static void add_small(const MATRIX *c, PART factor, const MATRIX *a, bool a_adjoint,
                      const MATRIX *b, bool b_adjoint, ptrdiff_t depth) {
  ptrdiff_t group = group_of(c), end = a_adjoint ? c->rows : depth;
  for (ptrdiff_t k = 0; k < end; k += group) {
    planes p = planes_of(a, k);
    for (ptrdiff_t j = 0; j < c->columns; j++) {
      number numbers[4];
      column to = column_of(c, j);
      if (!a_adjoint) {
        load_factors(b, b_adjoint, factor, k, j, depth, numbers);
        combine_columns(&p, 0, c->rows, numbers, to);
        continue;
      }
      dot_columns(&p, 0, depth, column_of(b, j), numbers);
      for (ptrdiff_t i = 0; i < group && k + i < c->rows; i++) {
        // a's columns times b's conjugate, of which this is the conjugate
        number sum = get(to, k + i), x = conjugate(numbers[i]);
        set(to, k + i, (number){sum.re + factor * x.re, sum.im + factor * x.im});
      }
    }
  }
}

// c += factor op(a) op(b), where op is the identity or the adjoint.
hlo_status MATRIX_NAME(add_product)(const hlo_evaluator *evaluator, const MATRIX *c, double factor,
                                    const MATRIX *a, bool a_adjoint, const MATRIX *b,
                                    bool b_adjoint, hlo_error *error) {
  ptrdiff_t depth = a_adjoint ? a->rows : a->columns;
  if (c->rows == 0 || c->columns == 0 || depth == 0) return HLO_OK;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  if ((double)c->rows * (double)c->columns * (double)depth < (double)SMALL_PRODUCT) {
    MATRIX right = *b;
    if (a_adjoint && b_adjoint) HLO_TRY(transpose_operand(evaluator->scratch, &right, error));
    add_small(c, (PART)factor, a, a_adjoint, &right, b_adjoint && !a_adjoint, depth);
  } else {
    HLO_TRY(add_large(evaluator, c, (PART)factor, *a, a_adjoint, *b, b_adjoint, error));
  }
  hlo_arena_rewind(evaluator->scratch, mark);
  return HLO_OK;
}

hlo_status MATRIX_NAME(multiply)(const hlo_evaluator *evaluator, const MATRIX *c, const MATRIX *a,
                                 bool a_adjoint, const MATRIX *b, bool b_adjoint,
                                 hlo_error *error) {
  for (ptrdiff_t j = 0; j < c->columns; j++) clear_rows(column_of(c, j), 0, c->rows);
  return MATRIX_NAME(add_product)(evaluator, c, 1, a, a_adjoint, b, b_adjoint, error);
}
