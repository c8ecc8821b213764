// See matrix_view.h.
#include "kernels/product/matrix_view.h"

#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/structural.h"

bool hlo_as_one_dimension(const hlo_view *view, int32_t first, int32_t count, int64_t *size,
                          int64_t *stride) {
  bool even = true;
  *size = 1;
  *stride = 1;
  for (int32_t i = first + count - 1; i >= first; i--) {
    if (view->dims[i] == 1) continue;
    if (*size == 1) *stride = view->strides[i];
    else if (view->strides[i] != *size * *stride) even = false;
    *size *= view->dims[i];
  }
  return even;
}

void hlo_matrix_view_append(hlo_matrix_view *matrix, const hlo_view *from, int32_t count,
                            const int64_t *dimensions) {
  hlo_view *view = &matrix->view;
  for (int32_t i = 0; i < count; i++) {
    view->dims[view->rank] = from->dims[dimensions[i]];
    view->strides[view->rank++] = from->strides[dimensions[i]];
  }
}

hlo_status hlo_matrix_view_prepare(const hlo_evaluator *evaluator, hlo_matrix_view *matrix,
                                   hlo_error *error) {
  int64_t column_stride;
  matrix->evaluator = evaluator;
  int32_t column_rank = matrix->view.rank - matrix->row_rank;
  bool rows =
      hlo_as_one_dimension(&matrix->view, 0, matrix->row_rank, &matrix->rows, &matrix->view_stride);
  bool columns = hlo_as_one_dimension(&matrix->view, matrix->row_rank, column_rank,
                                      &matrix->columns, &column_stride);
  if (matrix->rows == 1) matrix->view_stride = matrix->columns;
  matrix->plain = rows && columns && (matrix->columns == 1 || column_stride == 1) &&
                  matrix->view_stride >= matrix->columns;
  bool same_type = matrix->view.type == matrix->work_type;
  matrix->dense = matrix->packed || (matrix->plain && same_type);
  matrix->in_blocks = matrix->in_blocks && matrix->plain;
  bool as_it_is = matrix->dense || matrix->in_blocks;
  matrix->row_stride = matrix->packed ? 0 : as_it_is ? matrix->view_stride : matrix->columns;
  if (as_it_is) return HLO_OK;
  // rows * columns is at most the elements of an array, so this does not overflow. Pairs may need
  // another row or column.
  size_t elements = (size_t)(matrix->rows * matrix->columns);
  size_t more = matrix->work_type == HLO_S16 ? (size_t)(matrix->rows + matrix->columns) : 0;
  size_t size = (size_t)hlo_type_bytes(matrix->view.type);
  size_t work_size = (size_t)hlo_type_bytes(matrix->work_type);
  if (!matrix->plain) {
    matrix->same_type = hlo_arena_array_raw(evaluator->scratch, elements, size);
    if (matrix->same_type == NULL) return hlo_fail_out_of_memory(error);
  }
  matrix->converted = matrix->same_type;
  if (!same_type) {
    matrix->converted = hlo_arena_array_raw(evaluator->scratch, elements + more, work_size);
    if (matrix->converted == NULL) return hlo_fail_out_of_memory(error);
  }
  return HLO_OK;
}

static hlo_view dense_copy_of(const hlo_matrix_view *matrix) {
  hlo_view dense = matrix->view;
  dense.data = matrix->same_type;
  hlo_view_set_row_major(&dense);
  return dense;
}

const void *hlo_matrix_view_rows(hlo_matrix_view *matrix, void *data, int64_t *stride) {
  *stride = matrix->plain ? matrix->view_stride : matrix->columns;
  if (matrix->plain) return data;
  hlo_view dense = dense_copy_of(matrix);
  matrix->view.data = data;
  hlo_copy_view(matrix->evaluator, &dense, &matrix->view);
  return matrix->same_type;
}

// A conversion of rows to another type, and the rows of each work share.
typedef struct conversion {
  const hlo_matrix_view *matrix;
  hlo_type to_type, from_type;
  char *to;
  const char *from;
  int64_t to_stride, from_stride; // in bytes
  int64_t share;
} conversion;

static void convert_part(void *data, int32_t part, int32_t thread) {
  const conversion *work = data;
  int64_t first = part * work->share, left = work->matrix->rows - first;
  int64_t rows = left < work->share ? left : work->share, columns = work->matrix->columns;
  int64_t to_size = hlo_type_bytes(work->to_type), from_size = hlo_type_bytes(work->from_type);
  bool once = work->to_stride == columns * to_size && work->from_stride == columns * from_size;
  int64_t count = once ? 1 : rows, length = once ? rows * columns : columns;
  (void)thread;
  for (int64_t i = first; i < first + count; i++) {
    for (int64_t done = 0; done < length; done += HLO_CALL_ELEMENTS) {
      int64_t lanes = length - done < HLO_CALL_ELEMENTS ? length - done : HLO_CALL_ELEMENTS;
      hlo_convert_lanes(work->to_type, work->to + i * work->to_stride + done * to_size,
                        work->from_type, work->from + i * work->from_stride + done * from_size,
                        lanes);
    }
  }
}

static void convert_rows(const hlo_matrix_view *matrix, hlo_type to_type, void *to,
                         int64_t to_stride, hlo_type from_type, const void *from,
                         int64_t from_stride) {
  const hlo_backend *backend = matrix->evaluator->backend;
  int64_t rows = matrix->rows;
  double time = (double)rows * matrix->columns / HLO_CONVERTED_PER_NS;
  int64_t parts = hlo_backend_parts(backend, rows, time);
  conversion work = {matrix,
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

const void *hlo_matrix_view_load(hlo_matrix_view *matrix, void *data) {
  if (matrix->dense || matrix->in_blocks) return data;
  int64_t stride;
  const void *from = hlo_matrix_view_rows(matrix, data, &stride);
  if (matrix->converted == matrix->same_type) return from;
  convert_rows(matrix, matrix->work_type, matrix->converted, matrix->columns, matrix->view.type,
               from, stride);
  return matrix->converted;
}

void hlo_matrix_view_store(hlo_matrix_view *matrix, void *data) {
  if (matrix->dense) return;
  if (matrix->converted != matrix->same_type) {
    convert_rows(matrix, matrix->view.type, matrix->plain ? data : matrix->same_type,
                 matrix->plain ? matrix->view_stride : matrix->columns, matrix->work_type,
                 matrix->converted, matrix->columns);
  }
  if (matrix->plain) return;
  hlo_view dense = dense_copy_of(matrix);
  matrix->view.data = data;
  hlo_copy_view(matrix->evaluator, &matrix->view, &dense);
}
