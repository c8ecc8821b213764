// Eigenvalues and singular values of matrices with parts in f64. See dense.h.
#include "kernels/linalg/linear_algebra.h"

#include <string.h>

#include "kernels/linalg/part_f64.h"

#include "kernels/linalg/dense_columns.h"

#include "kernels/linalg/dense_reflector.h"

#include "kernels/linalg/dense_forms.h"

#include "kernels/linalg/dense_spectral.h"
