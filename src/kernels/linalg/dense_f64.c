// Matrices, LU and QR factors with parts in f64. See dense.h.
#include "kernels/linalg/linear_algebra.h"
#include "kernels/machine.h"
#include "kernels/product/matrix_product.h"

#include <string.h>

#include "kernels/linalg/part_f64.h"

#include "kernels/linalg/dense_columns.h"

#include "kernels/linalg/dense_reflector.h"

#include "kernels/linalg/dense_matrix.h"

#include "kernels/linalg/dense_lu.h"

#include "kernels/linalg/dense_qr.h"
