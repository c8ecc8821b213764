// Eigenvalues and singular values, all by Francis' iteration (G. Golub, C. Van Loan, Matrix
// Computations, 7.5): the Schur form of a Hermitian matrix is diagonal.
#include "reference/matrix.h"

enum { MOST_STEPS = 100 };

// A Schur form at work: z t zᴴ. v: a vector to reflect by.
typedef struct schur {
  hlo_dense t, z;
  hlo_complex *v;
  bool is_real;
  double scale; // what t was divided by, so that squares neither overflow nor vanish
} schur;

// The similarity by the reflection that takes v's elements from `first` to `last` to one.
static void reflect(const schur *s, int64_t first, int64_t last) {
  hlo_complex tau = hlo_reflector(first, last + 1, s->v);
  hlo_reflect(true, conjugate(tau), s->v, first, last + 1, s->t);
  hlo_reflect(false, tau, s->v, first, last + 1, s->t);
  hlo_reflect(false, tau, s->v, first, last + 1, s->z);
}

// A step on rows low … high, at least three, with two shifts by their sum and product.
static void francis_step(const schur *s, int64_t low, int64_t high, hlo_complex sum,
                         hlo_complex product) {
  hlo_dense t = s->t;
  hlo_complex a = AT(t, low, low), c = AT(t, low + 1, low);
  s->v[low] = a * a + AT(t, low, low + 1) * c - sum * a + product;
  s->v[low + 1] = c * (a + AT(t, low + 1, low + 1) - sum);
  s->v[low + 2] = c * AT(t, low + 2, low + 1);
  reflect(s, low, low + 2);
  for (int64_t k = low; k + 2 <= high; k++) {
    int64_t last = k + 3 < high ? k + 3 : high;
    for (int64_t i = k + 1; i <= last; i++) s->v[i] = AT(t, i, k);
    reflect(s, k + 1, last);
    for (int64_t i = k + 2; i <= last; i++) AT(t, i, k) = 0;
  }
}

// Makes rows k and k + 1 triangular; or, where they have conjugate eigenvalues and are to keep
// them, their diagonal elements equal, as LAPACK's real form has them.
static void split(const schur *s, int64_t k, bool keeps_pair) {
  hlo_complex a = AT(s->t, k, k), b = AT(s->t, k, k + 1), c = AT(s->t, k + 1, k);
  hlo_complex d = AT(s->t, k + 1, k + 1), half = (a - d) / 2, square = half * half + b * c;
  keeps_pair = keeps_pair && re(square) < 0;
  double sine, cosine;
  hlo_sincos_f64(hlo_atan2_f64(re(d - a), re(b + c)) / 2, &sine, &cosine);
  hlo_complex root = square_root(square);
  if (re(half * conjugate(root)) < 0) root = -root;
  s->v[k] = keeps_pair ? cosine : half + root;
  s->v[k + 1] = keeps_pair ? sine : c;
  if (c == 0) return;
  reflect(s, k, k + 1);
  if (keeps_pair) AT(s->t, k, k) = AT(s->t, k + 1, k + 1) = (a + d) / 2;
  else AT(s->t, k + 1, k) = 0;
}

// LAPACK's shifts, from the last two rows: a real matrix's pair of eigenvalues, or twice the one
// that is closer to the last element. Off them where the iteration is stuck.
static void choose_shifts(const schur *s, int64_t high, bool is_stuck, hlo_complex *shifts) {
  hlo_complex p = AT(s->t, high - 1, high - 1), q = AT(s->t, high, high), half = (p - q) / 2;
  hlo_complex square = half * half + AT(s->t, high - 1, high) * AT(s->t, high, high - 1);
  hlo_complex root = square_root(square);
  double size = magnitude(AT(s->t, high, high - 1)) + magnitude(AT(s->t, high - 1, high - 2));
  shifts[0] = q + half + (re(half * conjugate(root)) < 0 ? root : -root);
  if (is_stuck) shifts[0] = q + 0.75 * size;
  shifts[1] = s->is_real && re(square) < 0 ? conjugate(shifts[0]) : shifts[0];
}

// Of a, which becomes t: triangular, but in two rows for each pair of eigenvalues of a real one.
static hlo_status make_schur(const hlo_routine *x, hlo_dense a, schur *s) {
  hlo_dense v, taus;
  int64_t n = a.rows;
  double largest = 0;
  int steps = 0;
  s->t = a;
  s->is_real = !hlo_type_is_complex(x->operands[0].type);
  HLO_TRY(hlo_dense_make(x, n, n, &v));
  HLO_TRY(hlo_dense_make(x, n, 1, &taus));
  HLO_TRY(hlo_dense_make(x, n, n, &s->z));
  HLO_ALLOC(s->v, x->reference->arena, n, x->error);
  for (int64_t i = 0; i < n * n; i++)
    if (magnitude(a.elements[i] / 2) > largest) largest = magnitude(a.elements[i] / 2);
  for (s->scale = 1; largest / s->scale > 1;) s->scale *= 2;
  while (largest > 0 && largest / s->scale < 0.25 && s->scale > 0x1p-1000) s->scale /= 2;
  for (int64_t i = 0; i < n * n; i++) a.elements[i] /= s->scale;
  hlo_dense_hessenberg(a, 0, n, v, taus);
  hlo_dense_set_identity(s->z);
  hlo_reflect_by_all(v, taus, s->z, true, false);
  for (int64_t high = n - 1; high > 0; steps++) {
    int64_t low = high;
    while (low > 0 &&
           magnitude(AT(a, low, low - 1)) >
               0x1p-53 * (magnitude(AT(a, low, low)) + magnitude(AT(a, low - 1, low - 1))))
      low--;
    if (low > 0) AT(a, low, low - 1) = 0;
    if (low + 1 < high && steps < MOST_STEPS) {
      hlo_complex shifts[2];
      choose_shifts(s, high, steps % 10 == 9, shifts);
      francis_step(s, low, high, shifts[0] + shifts[1], shifts[0] * shifts[1]);
      continue;
    }
    if (low < high) split(s, high - 1, s->is_real);
    high = low < high ? high - 2 : high - 1;
    steps = -1;
  }
  return HLO_OK;
}

// The eigenvalues, when t has been made triangular, to one result or, of a real matrix, two.
static void put_values(const schur *s, hlo_dense *values) {
  for (int64_t k = 0; k < s->t.rows; k++) {
    if (s->is_real && k + 1 < s->t.rows && AT(s->t, k + 1, k) != 0) {
      split(s, k, false);
      AT(s->t, k + 1, k + 1) = conjugate(AT(s->t, k, k));
    }
    AT(values[0], k, 0) = s->scale * AT(s->t, k, k);
    if (s->is_real) AT(values[1], k, 0) = s->scale * im(AT(s->t, k, k));
  }
}

hlo_status hlo_reference_schur(const hlo_routine *x) {
  schur s;
  HLO_TRY(make_schur(x, x->in[0], &s));
  hlo_dense vectors = x->out[1]; // there may be none
  for (int64_t i = 0; i < vectors.rows * vectors.columns; i++)
    vectors.elements[i] = s.z.elements[i];
  for (int64_t i = 0; i < s.t.rows * s.t.rows; i++)
    x->out[0].elements[i] = s.scale * s.t.elements[i];
  put_values(&s, &x->out[2]);
  return HLO_OK;
}

// --- general matrices ---

// An eigenvector of t for value k, or of tᴴ, by substitution.
static void substitute(hlo_dense t, int64_t k, bool is_left, hlo_complex *y) {
  for (int64_t i = 0; i < t.rows; i++) y[i] = i == k;
  for (int64_t i = is_left ? k + 1 : k - 1; i >= 0 && i < t.rows; i += is_left ? 1 : -1) {
    hlo_complex sum = 0, gap = AT(t, k, k) - AT(t, i, i);
    for (int64_t j = 0; j < t.rows; j++)
      sum += (is_left ? conjugate(AT(t, j, i)) : AT(t, i, j)) * y[j];
    if (magnitude(gap) < 0x1p-53) gap = 0x1p-53;
    y[i] = quotient(sum, is_left ? conjugate(gap) : gap);
  }
}

// z y of norm 1, the largest element positive. A real value of a real matrix has a real vector.
static void put_vector(hlo_dense vectors, int64_t k, hlo_dense z, const hlo_complex *y,
                       bool is_real) {
  hlo_complex largest = 0;
  for (int64_t i = 0; i < z.rows; i++) {
    for (int64_t j = 0; j < z.rows; j++) AT(vectors, i, k) += AT(z, i, j) * y[j];
    if (magnitude(AT(vectors, i, k)) > magnitude(largest)) largest = AT(vectors, i, k);
  }
  double norm = hlo_dense_column_norm(vectors, 0, k);
  for (int64_t i = 0; i < z.rows; i++) {
    AT(vectors, i, k) *= conjugate(largest) / magnitude(largest) / norm;
    if (is_real) AT(vectors, i, k) = re(AT(vectors, i, k));
  }
}

// Values, left and right eigenvectors; of a pair the one with a positive imaginary part is first.
hlo_status hlo_reference_eig(const hlo_routine *x) {
  schur s;
  HLO_TRY(make_schur(x, x->in[0], &s));
  put_values(&s, x->out);
  for (int side = 0; side < 2; side++) {
    hlo_dense vectors = x->out[(s.is_real ? 2 : 1) + side];
    for (int64_t k = 0; k < vectors.columns; k++) {
      double imaginary = s.is_real ? im(AT(s.t, k, k)) : 0;
      substitute(s.t, k, side == 0, s.v);
      if (imaginary >= 0) put_vector(vectors, k, s.z, s.v, s.is_real && imaginary == 0);
      for (int64_t i = 0; i < vectors.rows && imaginary < 0; i++)
        AT(vectors, i, k) = conjugate(AT(vectors, i, k - 1));
    }
  }
  return HLO_OK;
}

// --- Hermitian matrices ---

// Their values, ascending, and vectors.
static hlo_status solve_hermitian(const hlo_routine *x, hlo_dense a, hlo_dense *vectors,
                                  hlo_dense values) {
  schur s;
  hlo_dense row = {1, a.rows, values.elements};
  HLO_TRY(make_schur(x, a, &s));
  for (int64_t i = 0; i < a.rows; i++) {
    AT(row, 0, i) = s.scale * re(AT(a, i, i));
    for (int64_t k = i; k > 0 && re(AT(row, 0, k)) < re(AT(row, 0, k - 1)); k--) {
      hlo_dense_swap_columns(row, k, k - 1);
      hlo_dense_swap_columns(s.z, k, k - 1);
    }
  }
  *vectors = s.z;
  return HLO_OK;
}

hlo_status hlo_reference_eigh(const hlo_routine *x) {
  hlo_dense_complete(x->in[0], x->is_lower);
  return solve_hermitian(x, x->in[0], &x->out[0], x->out[1]);
}

// The columns of m become orthogonal and of norm 1, by Gram and Schmidt; one that
// depends on those before it, the first unit vector that does not.
static void make_orthonormal(hlo_dense m) {
  for (int64_t k = 0, unit = -1; k < m.columns; k++) {
    double before = hlo_dense_column_norm(m, 0, k);
    for (int64_t j = 0; j < 2 * k; j++) { // twice, for rounding errors of the first
      hlo_complex part = 0;
      for (int64_t i = 0; i < m.rows; i++) part += conjugate(AT(m, i, j % k)) * AT(m, i, k);
      for (int64_t i = 0; i < m.rows; i++) AT(m, i, k) -= part * AT(m, i, j % k);
    }
    double norm = hlo_dense_column_norm(m, 0, k);
    bool is_dependent = !(norm > 0x1p-20 * before);
    if (is_dependent) unit++;
    for (int64_t i = 0; i < m.rows; i++)
      AT(m, i, k) = is_dependent ? i == unit : AT(m, i, k) / norm;
    if (is_dependent) k--;
  }
}

// The eigenvectors of (0 a; aᴴ 0) for a value above zero are (u; v) / √2. Results: the matrix,
// values, u, vᴴ.
hlo_status hlo_reference_svd(const hlo_routine *x) {
  hlo_dense both, values, vectors, v;
  int64_t m = x->in[0].rows, n = x->in[0].columns, whole = m + n;
  HLO_TRY(hlo_dense_make(x, whole, whole, &both));
  HLO_TRY(hlo_dense_make(x, whole, 1, &values));
  HLO_TRY(hlo_dense_make(x, n, x->out[3].rows, &v));
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < n; j++) AT(both, i, m + j) = AT(x->in[0], i, j);
  hlo_dense_complete(both, false);
  HLO_TRY(solve_hermitian(x, both, &vectors, values));
  for (int64_t k = 0; k < x->out[1].rows; k++) {
    double value = re(AT(values, whole - 1 - k, 0));
    double least = 0x1p-52 * (double)whole * re(AT(values, whole - 1, 0));
    AT(x->out[1], k, 0) = value > 0 ? value : 0;
    for (int64_t i = 0; i < m && value > least && k < x->out[2].columns; i++)
      AT(x->out[2], i, k) = AT(vectors, i, whole - 1 - k);
    for (int64_t i = 0; i < n && value > least && k < v.columns; i++)
      AT(v, i, k) = AT(vectors, m + i, whole - 1 - k);
  }
  make_orthonormal(x->out[2]);
  make_orthonormal(v);
  for (int64_t i = 0; i < v.columns; i++)
    for (int64_t j = 0; j < n; j++) AT(x->out[3], i, j) = conjugate(AT(v, j, i));
  x->out[0] = x->in[0];
  return HLO_OK;
}
