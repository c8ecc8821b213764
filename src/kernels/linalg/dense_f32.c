// Matrices, LU and QR factors with parts in f32. See dense.h.
#include "kernels/linalg/linear_algebra.h"
#include "kernels/machine.h"
#include "kernels/product/matrix_product.h"

#include <string.h>

#include "kernels/linalg/part_f32.h"

#include "kernels/linalg/dense_columns.h"

#include "kernels/linalg/dense_reflector.h"

#include "kernels/linalg/dense_matrix.h"

#include "kernels/linalg/dense_lu.h"

#include "kernels/linalg/dense_qr.h"

bool hlo_single_is_in_range(const hlo_single *m) {
  double largest = hlo_single_largest(m);
  return largest == 0 || (largest > 0x1p-40 && largest < 0x1p40);
}
