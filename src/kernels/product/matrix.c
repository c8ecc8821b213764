// See matrix.h.
#include "kernels/product/matrix.h"

#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/structural.h"
#include "shape/transpose_square.h"

#include <string.h>

void hlo_matrix_describe(const hlo_contraction *c, int32_t array, hlo_type work_type,
                         hlo_matrix *out) {
  int32_t rows = array == HLO_RIGHT ? HLO_TERMS : HLO_ROWS;
  int32_t columns = array == HLO_LEFT ? HLO_TERMS : HLO_COLUMNS;
  int64_t row_stride, column_stride;
  *out = (hlo_matrix){.array = array,
                      .groups = {rows, columns},
                      .rows = c->sizes[rows],
                      .columns = c->sizes[columns],
                      .type = c->types[array],
                      .work_type = work_type};
  bool even_rows = hlo_contraction_is_even(c, rows, array, &row_stride);
  bool even_columns = hlo_contraction_is_even(c, columns, array, &column_stride);
  if (out->rows == 1) row_stride = out->columns;
  out->is_plain = even_rows && even_columns && (out->columns == 1 || column_stride == 1) &&
                  row_stride >= out->columns;
  out->is_turned =
      !out->is_plain && even_rows && even_columns && row_stride == 1 && column_stride >= out->rows;
  out->is_dense = out->is_plain && out->type == work_type;
  out->stride = out->is_turned ? column_stride : row_stride;
  out->row_stride = out->is_dense ? row_stride : out->columns;
}

hlo_status hlo_matrix_copy_init(const hlo_contraction *contraction, const hlo_evaluator *evaluator,
                                const hlo_matrix *matrix, hlo_matrix_copy *out, hlo_error *error) {
  out->contraction = contraction;
  out->evaluator = evaluator;
  out->matrix = matrix;
  out->same_type = out->converted = NULL;
  if (matrix->is_dense) return HLO_OK;
  // rows * columns is at most the elements of an array, so this does not overflow. Pairs may need
  // another row or column.
  size_t elements = (size_t)(matrix->rows * matrix->columns);
  size_t more = matrix->work_type == HLO_S16 ? (size_t)(matrix->rows + matrix->columns) : 0;
  size_t size = (size_t)hlo_type_bytes(matrix->type);
  size_t work_size = (size_t)hlo_type_bytes(matrix->work_type);
  if (!matrix->is_plain) {
    out->same_type = hlo_arena_array_raw(evaluator->scratch, elements, size);
    if (out->same_type == NULL) return hlo_fail_out_of_memory(error);
  }
  out->converted = out->same_type;
  if (matrix->type != matrix->work_type) {
    out->converted = hlo_arena_array_raw(evaluator->scratch, elements + more, work_size);
    if (out->converted == NULL) return hlo_fail_out_of_memory(error);
  }
  return HLO_OK;
}

// Transposes a small matrix, which takes less than describing it to hlo_copy_view:
// out[i][j] = from[j][i]. Square register tiles first, then single elements at the edges.
static void turn_4(int64_t rows, int64_t columns, const char *from, int64_t stride, char *out) {
  enum { SIDE = 4, SIZE = 4 };
  int64_t even_rows = rows / SIDE * SIDE, even_columns = columns / SIDE * SIDE;
  for (int64_t j = 0; j < even_columns; j += SIDE) {
    for (int64_t i = 0; i < even_rows; i += SIDE)
      hlo_transpose_square_4(out + (i * columns + j) * SIZE, columns * SIZE,
                             from + (j * stride + i) * SIZE, stride * SIZE);
  }
  for (int64_t j = 0; j < columns; j++) {
    for (int64_t i = j < even_columns ? even_rows : 0; i < rows; i++)
      memcpy(out + (i * columns + j) * SIZE, from + (j * stride + i) * SIZE, SIZE);
  }
}

static void turn_8(int64_t rows, int64_t columns, const char *from, int64_t stride, char *out) {
  enum { SIZE = 8 };
  for (int64_t j = 0; j < columns; j++) {
    for (int64_t i = 0; i < rows; i++)
      memcpy(out + (i * columns + j) * SIZE, from + (j * stride + i) * SIZE, SIZE);
  }
}

static void copy_view(const hlo_matrix_copy *copy, bool stores, const void *data) {
  hlo_view array, dense;
  hlo_contraction_view(copy->contraction, copy->matrix->array, 2, copy->matrix->groups, data,
                       &array);
  hlo_contraction_view(copy->contraction, copy->matrix->array, 2, copy->matrix->groups,
                       copy->same_type, &dense);
  hlo_view_set_row_major(&dense);
  hlo_copy_view(copy->evaluator, stores ? &array : &dense, stores ? &dense : &array);
}

const void *hlo_matrix_rows(const hlo_matrix_copy *copy, const void *data, int64_t *stride) {
  const hlo_matrix *x = copy->matrix;
  int32_t size = hlo_type_bytes(x->type);
  bool is_small = x->is_turned && x->rows * x->columns <= HLO_PLAIN_MOST_TURNED;
  *stride = x->is_plain ? x->stride : x->columns;
  if (x->is_plain) return data;
  if (is_small && size == 4) turn_4(x->rows, x->columns, data, x->stride, copy->same_type);
  else if (is_small && size == 8) turn_8(x->rows, x->columns, data, x->stride, copy->same_type);
  else copy_view(copy, false, data);
  return copy->same_type;
}

void hlo_widen_lanes(hlo_type to, void *result, hlo_type from, const void *operand, int64_t n) {
  enum { VALUES = 256 };
  uint8_t all[VALUES];
  float table[VALUES], *out = result;
  const uint8_t *bytes = operand;
  if (to != HLO_F32 || !hlo_type_is_float(from) || hlo_type_bytes(from) != 1 || n < 4 * VALUES) {
    hlo_convert_lanes(to, result, from, operand, n);
    return;
  }
  for (int i = 0; i < VALUES; i++) all[i] = (uint8_t)i;
  hlo_convert_lanes(to, table, from, all, VALUES);
  for (int64_t i = 0; i < n; i++) out[i] = table[bytes[i]];
}

// A conversion of rows to another type, and the rows of each work share.
typedef struct conversion {
  int64_t rows, columns;
  hlo_type to_type, from_type;
  char *to;
  const char *from;
  int64_t to_stride, from_stride; // in bytes
  int64_t share;
} conversion;

static void convert_part(void *data, int32_t part, int32_t thread) {
  const conversion *work = data;
  int64_t first = part * work->share, left = work->rows - first;
  int64_t rows = left < work->share ? left : work->share, columns = work->columns;
  int64_t to_size = hlo_type_bytes(work->to_type), from_size = hlo_type_bytes(work->from_type);
  bool once = work->to_stride == columns * to_size && work->from_stride == columns * from_size;
  int64_t count = once ? 1 : rows, length = once ? rows * columns : columns;
  (void)thread;
  for (int64_t i = first; i < first + count; i++) {
    for (int64_t done = 0; done < length; done += HLO_CALL_ELEMENTS) {
      int64_t lanes = length - done < HLO_CALL_ELEMENTS ? length - done : HLO_CALL_ELEMENTS;
      hlo_widen_lanes(work->to_type, work->to + i * work->to_stride + done * to_size,
                      work->from_type, work->from + i * work->from_stride + done * from_size,
                      lanes);
    }
  }
}

static void convert_rows(const hlo_matrix_copy *copy, hlo_type to_type, void *to, int64_t to_stride,
                         hlo_type from_type, const void *from, int64_t from_stride) {
  const hlo_backend *backend = copy->evaluator->backend;
  int64_t rows = copy->matrix->rows, columns = copy->matrix->columns;
  double time = (double)rows * (double)columns / HLO_CONVERTED_PER_NS;
  int64_t parts = hlo_backend_parts(backend, rows, time);
  conversion work = {rows,
                     columns,
                     to_type,
                     from_type,
                     to,
                     from,
                     to_stride * hlo_type_bytes(to_type),
                     from_stride * hlo_type_bytes(from_type),
                     (rows + parts - 1) / parts};
  if (rows == 0) return;
  hlo_backend_parallel(backend, convert_part, &work,
                       (int32_t)((rows + work.share - 1) / work.share));
}

const void *hlo_matrix_load(const hlo_matrix_copy *copy, const void *data) {
  const hlo_matrix *x = copy->matrix;
  if (x->is_dense) return data;
  int64_t stride;
  const void *from = hlo_matrix_rows(copy, data, &stride);
  if (copy->converted == copy->same_type) return from;
  convert_rows(copy, x->work_type, copy->converted, x->columns, x->type, from, stride);
  return copy->converted;
}

void hlo_matrix_store(const hlo_matrix_copy *copy, void *data) {
  const hlo_matrix *x = copy->matrix;
  if (x->is_dense) return;
  if (copy->converted != copy->same_type) {
    convert_rows(copy, x->type, x->is_plain ? data : copy->same_type,
                 x->is_plain ? x->stride : x->columns, x->work_type, copy->converted, x->columns);
  }
  if (!x->is_plain) copy_view(copy, true, data);
}
