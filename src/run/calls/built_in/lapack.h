// The LAPACK routines that JAX calls, between custom calls and algorithms. Sources: the
// programs that JAX 0.10 and 0.4 export (operands, results, attributes) and LAPACK's documentation
// (what they hold).
#ifndef HLO_RUN_CALLS_BUILT_IN_LAPACK_H
#define HLO_RUN_CALLS_BUILT_IN_LAPACK_H

#include "kernels/linalg/linear_algebra.h"
#include "reference/lapack.h"
#include "run/calls/custom_call.h"

enum { HLO_LAPACK_OPERANDS = 4, HLO_LAPACK_RESULTS = 6, HLO_LAPACK_LETTERS = 4 };

// A call for one matrix of the batch: views without the batch dimensions. Or, of a routine that
// takes batches, for all of them.
typedef struct hlo_lapack {
  const hlo_custom_call *call;
  const char *scalars;      // of an older call: what its first operands are, by name; else NULL
  int32_t result_count;     // of today
  bool is_device, is_older; // another platform's call, and one of older programs
  const char *attributes;   // "key=… key=…", whose letters are these
  char letters[HLO_LAPACK_LETTERS];
  hlo_view operands[HLO_LAPACK_OPERANDS], results[HLO_LAPACK_RESULTS];
} hlo_lapack;
typedef hlo_status hlo_lapack_function(const hlo_lapack *x, hlo_error *error);

// Signatures: operands, '>', results; each a word of dimensions, after i (s32), r (the real type)
// or c (the complex one) if it is not of the routine's type. Equal letters are equal sizes; k is
// min(m, n), l is n - 1. Attributes: names of those that hold a letter's code, and the letters.
typedef struct hlo_lapack_routine {
  const char *name, *types; // the letters of its element types
  const char *signature, *attributes;
  hlo_lapack_function *run;
} hlo_lapack_routine;

// lapack_devices.c: of targets for other platforms, NULL for others; of a singular value
// decomposition whether it is of a matrix by rows. *is_older: of JAX up to 0.4, with more results:
// memory to work in, and reports of success. And the letter that their attributes mean.
const hlo_lapack_routine *hlo_lapack_device_routine(const char *target, bool transposed,
                                                    bool *is_older);
char hlo_lapack_device_letter(const hlo_instruction *instruction, const char *key, bool is_older);
// The order of rows that exchanges make: out[size] from pivots[count], counted from 0.
void hlo_lapack_permute(int64_t count, const int32_t *pivots, int64_t pivot_step, int64_t size,
                        int32_t *out, int64_t out_step);

// The only element of a view: NaN if it has an imaginary part.
double hlo_lapack_scalar(const hlo_view *scalar);
// An attribute, or the operand that an older call has in its place.
double hlo_lapack_number(const hlo_lapack *x, const char *key, double otherwise);
// The letter whose code it is, of one of the routine's attributes.
char hlo_lapack_letter(const hlo_lapack *x, const char *key);
hlo_status hlo_lapack_fail(const hlo_lapack *x, const char *what, hlo_error *error);
// Carries the call out by the oracle: its routine, with the numbers that it takes, on the first
// operands and results.
hlo_status hlo_lapack_by_oracle(const hlo_lapack *x, hlo_routine routine, int32_t operand_count,
                                int32_t result_count, hlo_error *error);
// A matrix in single precision, or in double.
typedef struct hlo_lapack_matrix {
  bool is_single;
  hlo_single single;
  hlo_matrix matrix;
} hlo_lapack_matrix;

// A copy of a view: in single precision if that is the view's and the matrix is in range. Or in
// that of another matrix.
hlo_status hlo_lapack_load(const hlo_lapack *x, const hlo_view *from, hlo_lapack_matrix *out,
                           hlo_error *error);
hlo_status hlo_lapack_load_like(const hlo_lapack *x, const hlo_lapack_matrix *like,
                                const hlo_view *from, hlo_lapack_matrix *out, hlo_error *error);
// A zero matrix, complex if the first operand is.
hlo_status hlo_lapack_create(const hlo_lapack *x, const hlo_lapack_matrix *like, int64_t rows,
                             int64_t columns, hlo_lapack_matrix *out, hlo_error *error);
hlo_status hlo_lapack_create_matrix(const hlo_lapack *x, int64_t rows, int64_t columns,
                                    hlo_matrix *out, hlo_error *error);
void hlo_lapack_store(const hlo_view *to, const hlo_lapack_matrix *from);
void hlo_lapack_store_reals(const hlo_view *to, const double *from);
// The same matrix, or the transposed one: its two dimensions alone, of many that a view has room
// for.
void hlo_lapack_turn(const hlo_view *matrix, bool transposed, hlo_view *out);
void hlo_lapack_store_int(const hlo_view *to, int64_t index, int64_t value);

// lapack_direct.c
hlo_lapack_function hlo_lapack_potrf, hlo_lapack_trsm, hlo_lapack_getrf, hlo_lapack_geqrf,
    hlo_lapack_geqp3, hlo_lapack_orgqr, hlo_lapack_ormqr, hlo_lapack_gehrd, hlo_lapack_sytrd,
    hlo_lapack_gtsv, hlo_lapack_perturbed;
// lapack_spectral.c
hlo_lapack_function hlo_lapack_gesdd, hlo_lapack_syevd, hlo_lapack_eigh, hlo_lapack_geev,
    hlo_lapack_gees;

#endif
