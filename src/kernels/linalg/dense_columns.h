// Loops over columns of dense matrices. Part of the text of dense_f32.c, dense_f64.c,
// spectral_f32.c and spectral_f64.c. See dense.h.
//
// Four planes go together: four real columns, or the real and the imaginary parts of two. What is
// done with complex columns is a sum of real operations on their planes, so that one loop serves
// both. Vectors are four rows, whatever the machine's are.
typedef PART four __attribute__((vector_size(4 * sizeof(PART)), aligned(sizeof(PART))));
typedef BITS four_bits __attribute__((vector_size(4 * sizeof(PART))));

#define INLINE   static inline __attribute__((always_inline))
#define ONCE     static __attribute__((noinline)) // it is long
#define UNROLLED _Pragma("clang loop unroll(full)")

typedef struct number {
  PART re, im;
} number;

// A column in memory; im is NULL for a real one.
typedef struct column {
  PART *re, *im;
} column;

typedef struct planes {
  PART *at[4];
  bool is_complex;
} planes;

static inline four *four_at(const PART *numbers) { return (four *)(void *)numbers; }
static inline ptrdiff_t four_before(ptrdiff_t row) { return row & ~(ptrdiff_t)3; }
static inline ptrdiff_t four_after(ptrdiff_t row) { return (row + 3) & ~(ptrdiff_t)3; }
// Not functions: the ABI has no vectors of four doubles.
#define ALL(x) ((four){(x), (x), (x), (x)})

static inline number real(PART x) { return (number){x, 0}; }
static inline number conjugate(number x) { return (number){x.re, -x.im}; }
static inline number negative(number x) { return (number){-x.re, -x.im}; }
static inline number difference(number x, number y) { return (number){x.re - y.re, x.im - y.im}; }
static inline number times(number x, number y) {
  return (number){x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
static number inverse(number x) {
  if (x.im == 0) return real(1 / x.re);
  hlo_c128 z = hlo_div_c128((hlo_c128){1, 0}, (hlo_c128){(double)x.re, (double)x.im});
  return (number){(PART)z.re, (PART)z.im};
}

static inline column column_of(const MATRIX *m, ptrdiff_t j) {
  return (column){m->re + j * m->step, m->im == NULL ? NULL : m->im + j * m->step};
}
static inline number get(column x, ptrdiff_t i) {
  return (number){x.re[i], x.im == NULL ? 0 : x.im[i]};
}
static inline void set(column x, ptrdiff_t i, number value) {
  x.re[i] = value.re;
  if (x.im != NULL) x.im[i] = value.im;
}
static inline column taus_of(VECTOR taus, ptrdiff_t first) {
  return (column){taus.re + first, taus.im == NULL ? NULL : taus.im + first};
}
// Elements first … end - 1.
static void copy_rows(column to, column from, ptrdiff_t first, ptrdiff_t end) {
  if (first >= end) return;
  memcpy(to.re + first, from.re + first, (size_t)(end - first) * sizeof(PART));
  if (to.im != NULL) memcpy(to.im + first, from.im + first, (size_t)(end - first) * sizeof(PART));
}
static void clear_rows(column x, ptrdiff_t first, ptrdiff_t end) {
  if (first >= end) return;
  memset(x.re + first, 0, (size_t)(end - first) * sizeof(PART));
  if (x.im != NULL) memset(x.im + first, 0, (size_t)(end - first) * sizeof(PART));
}

// --- four planes ---

static inline ptrdiff_t group_of(const MATRIX *m) { return m->im == NULL ? 4 : 2; } // columns

// Columns from j on. Zeros stand for those after the last.
INLINE planes planes_of(const MATRIX *m, ptrdiff_t j) {
  planes p = {.is_complex = m->im != NULL};
  UNROLLED for (int k = 0; k < 4; k++) {
    ptrdiff_t at = p.is_complex ? j + k / 2 : j + k;
    PART *plane = p.is_complex && k % 2 == 1 ? m->im : m->re;
    p.at[k] = at < m->columns ? plane + at * m->step : m->spare;
  }
  return p;
}

// The elements of row i.
INLINE void numbers_at(const planes *p, ptrdiff_t i, number out[4]) {
  UNROLLED for (int k = 0; k < 4; k++) {
    if (!p->is_complex) out[k] = real(p->at[k][i]);
    else out[k] = k < 2 ? (number){p->at[2 * k][i], p->at[2 * k + 1][i]} : real(0);
  }
}

// The sum of each vector's numbers.
static inline void store_sums(const four x[4], PART out[4]) {
  four ab = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5) +
            __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7);
  four cd = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5) +
            __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
  *four_at(out) =
      __builtin_shufflevector(ab, cd, 0, 1, 4, 5) + __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
}

// Planes, what is subtracted from them, and what the differences are multiplied by.
typedef struct terms {
  PART *x[4], *v[2];
  PART factors[4][4]; // of x for each plane
} terms;

INLINE void sweep_four(const planes *p, ptrdiff_t i, const terms *t, const four factors[4][4],
                       int subtracted, int multiplied, four sums[2][4]) {
  four x[4], v[2];
  UNROLLED for (int s = 0; s < subtracted; s++) x[s] = *four_at(t->x[s] + i);
  UNROLLED for (int d = 0; d < multiplied; d++) v[d] = *four_at(t->v[d] + i);
  UNROLLED for (int k = 0; k < 4; k++) {
    four plane = *four_at(p->at[k] + i);
    UNROLLED for (int s = 0; s < subtracted; s++) plane -= factors[s][k] * x[s];
    if (subtracted > 0) *four_at(p->at[k] + i) = plane;
    UNROLLED for (int d = 0; d < multiplied; d++) sums[d][k] += plane * v[d];
  }
}

// Rows start … end - 1: plane[k] -= sum of factors[s][k] x[s]; sums[d][k] = plane[k] v[d].
INLINE void sweep(const planes *given, ptrdiff_t start, ptrdiff_t end, const terms *given_terms,
                  int subtracted, int multiplied, PART out[2][4]) {
  planes p = *given;
  terms t = *given_terms;
  four factors[4][4], sums[2][4] = {{{0}}}, others[2][4] = {{{0}}};
  ptrdiff_t i = start;
  UNROLLED for (int s = 0; s < subtracted; s++) {
    UNROLLED for (int k = 0; k < 4; k++) factors[s][k] = ALL(t.factors[s][k]);
  }
  for (; i + 8 <= end && subtracted == 0 && multiplied == 1; i += 8) { // sums that do not wait
    sweep_four(&p, i, &t, factors, 0, 1, sums);
    sweep_four(&p, i + 4, &t, factors, 0, 1, others);
  }
  for (; i + 4 <= end; i += 4) sweep_four(&p, i, &t, factors, subtracted, multiplied, sums);
  UNROLLED for (int d = 0; d < multiplied; d++) {
    UNROLLED for (int k = 0; k < 4; k++) sums[d][k] += others[d][k];
    store_sums(sums[d], out[d]);
  }
  for (; i < end; i++) {
    UNROLLED for (int k = 0; k < 4; k++) {
      PART plane = p.at[k][i];
      for (int s = 0; s < subtracted; s++) plane -= t.factors[s][k] * t.x[s][i];
      if (subtracted > 0) p.at[k][i] = plane;
      for (int d = 0; d < multiplied; d++) out[d][k] += plane * t.v[d][i];
    }
  }
}

// factors[k] x for column k is what term `at`, or two, subtracts.
INLINE void add_term(terms *t, int at, bool is_complex, const number factors[4], column x) {
  t->x[at] = x.re;
  if (!is_complex) {
    UNROLLED for (int k = 0; k < 4; k++) t->factors[at][k] = factors[k].re;
    return;
  }
  t->x[at + 1] = x.im;
  UNROLLED for (int k = 0; k < 2; k++) {
    t->factors[at][2 * k] = t->factors[at + 1][2 * k + 1] = factors[k].re;
    t->factors[at][2 * k + 1] = factors[k].im;
    t->factors[at + 1][2 * k] = -factors[k].im;
  }
}

INLINE void products_of(bool is_complex, PART sums[2][4], number out[4]) {
  UNROLLED for (int k = 0; k < 4; k++) {
    if (!is_complex) out[k] = real(sums[0][k]);
    else if (k >= 2) out[k] = real(0);
    else
      out[k] = (number){sums[0][2 * k] + sums[1][2 * k + 1], sums[0][2 * k + 1] - sums[1][2 * k]};
  }
}

ONCE void dot_planes(const planes *p, ptrdiff_t start, ptrdiff_t end, PART *v, PART out[1][4]) {
  terms t;
  t.v[0] = v;
  sweep(p, start, end, &t, 0, 1, out);
}

ONCE void dot_pairs(const planes *p, ptrdiff_t start, ptrdiff_t end, column v, PART out[2][4]) {
  terms t;
  t.v[0] = v.re, t.v[1] = v.im;
  sweep(p, start, end, &t, 0, 2, out);
}

// vᴴ times each column.
INLINE void dot_columns(const planes *p, ptrdiff_t start, ptrdiff_t end, column v, number out[4]) {
  PART sums[2][4];
  if (p->is_complex) dot_pairs(p, start, end, v, sums);
  else dot_planes(p, start, end, v.re, sums);
  products_of(p->is_complex, sums, out);
}

ONCE void subtract_planes(const planes *p, ptrdiff_t start, ptrdiff_t end, const PART factors[4],
                          PART *x) {
  terms t;
  t.x[0] = x;
  UNROLLED for (int k = 0; k < 4; k++) t.factors[0][k] = factors[k];
  sweep(p, start, end, &t, 1, 0, NULL);
}

ONCE void subtract_pairs(const planes *p, ptrdiff_t start, ptrdiff_t end, const number factors[4],
                         column x) {
  terms t;
  add_term(&t, 0, true, factors, x);
  sweep(p, start, end, &t, 2, 0, NULL);
}

// column[k] -= factors[k] x
INLINE void subtract_columns(const planes *p, ptrdiff_t start, ptrdiff_t end,
                             const number factors[4], column x) {
  if (p->is_complex) {
    subtract_pairs(p, start, end, factors, x);
    return;
  }
  const PART f[4] = {factors[0].re, factors[1].re, factors[2].re, factors[3].re};
  subtract_planes(p, start, end, f, x.re);
}

// to += sum of factors[k] plane[k]
ONCE void combine_planes(const planes *p, ptrdiff_t start, ptrdiff_t end, const PART factors[4],
                         PART *to) {
  const PART *c0 = p->at[0], *c1 = p->at[1], *c2 = p->at[2], *c3 = p->at[3];
  four f0 = ALL(factors[0]), f1 = ALL(factors[1]), f2 = ALL(factors[2]), f3 = ALL(factors[3]);
  ptrdiff_t i = start;
  for (; i + 4 <= end; i += 4) {
    four first = f0 * *four_at(c0 + i) + f1 * *four_at(c1 + i);
    four second = f2 * *four_at(c2 + i) + f3 * *four_at(c3 + i);
    *four_at(to + i) += first + second;
  }
  for (; i < end; i++)
    to[i] += (factors[0] * c0[i] + factors[1] * c1[i]) + (factors[2] * c2[i] + factors[3] * c3[i]);
}

// to += sum of factors[k] column[k]
INLINE void combine_columns(const planes *p, ptrdiff_t start, ptrdiff_t end,
                            const number factors[4], column to) {
  if (!p->is_complex) {
    const PART f[4] = {factors[0].re, factors[1].re, factors[2].re, factors[3].re};
    combine_planes(p, start, end, f, to.re);
    return;
  }
  const PART re[4] = {factors[0].re, -factors[0].im, factors[1].re, -factors[1].im};
  const PART im[4] = {factors[0].im, factors[0].re, factors[1].im, factors[1].re};
  combine_planes(p, start, end, re, to.re);
  combine_planes(p, start, end, im, to.im);
}
