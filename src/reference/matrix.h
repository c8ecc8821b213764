// Dense matrices of complex doubles, and Householder reflections.
#ifndef HLO_REFERENCE_MATRIX_H
#define HLO_REFERENCE_MATRIX_H

#include "math/complex.h"
#include "math/elementary.h"
#include "reference/index.h"
#include "reference/lapack.h"

#define AT(m, i, j) ((m).elements[(i) * (m).columns + (j)])

static inline double re(hlo_complex z) { return __real__ z; }
static inline double im(hlo_complex z) { return __imag__ z; }
static inline hlo_complex conjugate(hlo_complex z) { return ~z; }
static inline double magnitude(hlo_complex z) { return hlo_abs_c128((hlo_c128){re(z), im(z)}); }
static inline hlo_complex square_root(hlo_complex z) {
  hlo_c128 root = hlo_sqrt_c128((hlo_c128){re(z), im(z)});
  return __builtin_complex(root.re, root.im);
}
static inline hlo_complex quotient(hlo_complex a, hlo_complex b) {
  hlo_c128 z = hlo_div_c128((hlo_c128){re(a), im(a)}, (hlo_c128){re(b), im(b)});
  return im(b) == 0 ? a / re(b) : __builtin_complex(z.re, z.im);
}
// Of a vector with one more element.
static inline double norm_with(double norm, hlo_complex element) {
  return hlo_abs_c128((hlo_c128){norm, magnitude(element)});
}

// Zeros.
hlo_status hlo_dense_make(const hlo_routine *x, int64_t rows, int64_t columns, hlo_dense *out);
double hlo_dense_column_norm(hlo_dense m, int64_t first, int64_t column); // from row `first` on
void hlo_dense_set_identity(hlo_dense m);
void hlo_dense_swap_columns(hlo_dense m, int64_t p, int64_t q);
// The Hermitian matrix whose lower triangle, or upper one, a has.
void hlo_dense_complete(hlo_dense a, bool is_lower);

// H = 1 - tau v vᴴ, where v is one at `first` and zero outside of first … end - 1, such that Hᴴ x
// has beta at `first` and zeros after it; beta is real, and Re x[first] is not of its sign. x
// becomes v; returns tau, which is 0 where x needs no reflection.
hlo_complex hlo_reflector(int64_t first, int64_t end, hlo_complex *x);
// m = H m, or m = m H.
void hlo_reflect(bool is_left, hlo_complex tau, const hlo_complex *v, int64_t first, int64_t end,
                 hlo_dense m);
// m = Q m, Qᴴ m, m Q or m Qᴴ for Q = H(0) H(1) …; the rows of v are their vectors.
void hlo_reflect_by_all(hlo_dense v, hlo_dense taus, hlo_dense m, bool is_left, bool is_adjoint);
// a = Q H Qᴴ for rows and columns low … end - 1: a becomes H.
void hlo_dense_hessenberg(hlo_dense a, int64_t low, int64_t end, hlo_dense v, hlo_dense taus);

#endif
