// What LAPACK's routines give for one matrix, by textbook algorithms in complex double arithmetic
// for every type. Source of forms and signs: LAPACK's documentation. Where a decomposition leaves a
// choice (phases of vectors, the basis of a repeated value, the order of a Schur form) this makes
// its own.
#ifndef HLO_REFERENCE_LAPACK_H
#define HLO_REFERENCE_LAPACK_H

#include "reference/reference.h"

typedef double _Complex hlo_complex;
// By rows; an array of one dimension is a column.
typedef struct hlo_dense {
  int64_t rows, columns;
  hlo_complex *elements;
} hlo_dense;

// A call of a routine, which hlo_reference_lapack completes.
typedef struct hlo_routine hlo_routine;
typedef hlo_status hlo_routine_function(const hlo_routine *x);
struct hlo_routine {
  hlo_routine_function *function;
  const hlo_reference *reference;
  int32_t operand_count, result_count;
  const hlo_view *operands, *results; // without batch dimensions, in LAPACK's order
  hlo_dense *in, *out; // operands, which may become results; results, to begin with zeros
  hlo_error *error;
  bool is_lower;               // potrf, trsm, syevd
  bool is_left, is_adjoint;    // trsm, ormqr
  bool is_transposed, is_unit; // trsm: transposed if it is adjoint; ones on the diagonal
  int64_t low, end;            // gehrd: the rows and columns that take part
  double epsilon;              // gtsv: pivots below it, relative to the largest, become it
};
hlo_status hlo_reference_lapack(hlo_routine *x, hlo_error *error);

// elimination.c: potrf, trsm, getrf, gtsv; and the triangle r' with r'ᵀ r' = rᵀ r + w wᵀ.
// reflections.c: geqrf and geqp3, orgqr, ormqr, gehrd, sytrd of a lower triangle.
hlo_routine_function hlo_reference_potrf, hlo_reference_solve_triangular, hlo_reference_lu,
    hlo_reference_qr, hlo_reference_form_q, hlo_reference_apply_q, hlo_reference_hessenberg,
    hlo_reference_tridiagonal, hlo_reference_solve_tridiagonal, hlo_reference_cholesky_update;
// spectra.c, of finite numbers: syevd, gesdd, geev, gees.
hlo_routine_function hlo_reference_eigh, hlo_reference_svd, hlo_reference_eig, hlo_reference_schur;

#endif
