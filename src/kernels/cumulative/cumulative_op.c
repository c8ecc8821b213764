// Cumulative reductions of one operand by a single op, which is commutative, straight from operand
// to result. See cumulative.h.
#include "kernels/cumulative/cumulative.h"
#include "kernels/machine.h"

#include <string.h>

// --- one operand of f32 along adjacent elements ---

// The op in the backend's terms; false: it has none.
static bool combine_op_of(hlo_opcode opcode, hlo_combine_op *out) {
  static const hlo_opcode ops[] = {[HLO_COMBINE_ADD] = HLO_OP_ADD,
                                   [HLO_COMBINE_MULTIPLY] = HLO_OP_MULTIPLY,
                                   [HLO_COMBINE_MAXIMUM] = HLO_OP_MAXIMUM,
                                   [HLO_COMBINE_MINIMUM] = HLO_OP_MINIMUM};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    *out = (hlo_combine_op)i;
    if (ops[i] == opcode) return true;
  }
  return false;
}

// False if the kernel does not apply.
static bool scan_neighbours(const hlo_folder *folder, int32_t dimension, bool backwards,
                            const hlo_view *elements, const hlo_view *initial,
                            const hlo_view *results) {
  const hlo_backend *backend = folder->evaluator->backend;
  hlo_combine_op op;
  int64_t size = elements->dims[dimension], index[HLO_MAX_RANK] = {0}, dims[HLO_MAX_RANK];
  bool fits = backend != NULL && backend->scan_f32 != NULL && elements->type == HLO_F32 &&
              elements->strides[dimension] == 1 && results->strides[dimension] == 1;
  if (!fits || !combine_op_of(folder->opcode, &op)) return false;
  for (int32_t d = 0; d < elements->rank; d++) dims[d] = d == dimension ? 1 : elements->dims[d];
  do {
    float start;
    memcpy(&start, initial->data, sizeof start);
    double running = (double)start; // what a sum in f32 would lose of it shows in the next call
    int64_t from = 0, to = 0;
    for (int32_t d = 0; d < elements->rank; d++) {
      from += index[d] * elements->strides[d];
      to += index[d] * results->strides[d];
    }
    for (int64_t done = 0; done < size; done += HLO_CALL_ELEMENTS) {
      int64_t n = size - done < HLO_CALL_ELEMENTS ? size - done : HLO_CALL_ELEMENTS,
              at = backwards ? size - done - n : done;
      backend->scan_f32(op, backwards, n, (const float *)elements->data + from + at,
                        (float *)results->data + to + at, &running);
    }
  } while (hlo_next_index(elements->rank, dims, index));
  return true;
}

// --- one operand and a single op across rows that are dense already ---

// The view of the dimensions after that one, at index 0 of the others.
static hlo_view inner_dimensions(const hlo_view *view, int32_t dimension) {
  hlo_view out = {.type = view->type, .data = view->data};
  for (int32_t d = dimension + 1; d < view->rank; d++) {
    out.dims[out.rank] = view->dims[d];
    out.strides[out.rank++] = view->strides[d];
  }
  return out;
}

// Cumulative sums with the inner dimensions as rows if they are contiguous, else element by
// element. False if they are neither contiguous nor few.
static bool sum_inner(const hlo_folder *folder, int32_t dimension, bool backwards,
                      const hlo_view *elements, const hlo_view *initial, const hlo_view *results) {
  hlo_view from = inner_dimensions(elements, dimension), to = inner_dimensions(results, dimension);
  int64_t size = elements->dims[dimension], n = hlo_view_elements(&from);
  int64_t index[HLO_MAX_RANK] = {0}, dims[HLO_MAX_RANK], last = backwards ? size - 1 : 0;
  int64_t from_step = elements->strides[dimension], to_step = results->strides[dimension];
  bool dense = hlo_view_is_row_major(&from) && hlo_view_is_row_major(&to) &&
               n >= HLO_CUMULATIVE_SHORTEST_ROW;
  if (!hlo_cumulates_sums(folder)) return false;
  if (!dense && n >= HLO_CUMULATIVE_SHORTEST_ROW && from_step != 1) return false;
  for (int32_t d = 0; d < elements->rank; d++) {
    dims[d] = d == dimension || (dense && d > dimension) ? 1 : elements->dims[d];
  }
  do {
    int64_t from_at = last * from_step, to_at = last * to_step;
    for (int32_t d = 0; d < elements->rank; d++) {
      from_at += index[d] * elements->strides[d];
      to_at += index[d] * results->strides[d];
    }
    const void *source = hlo_view_at(elements, from_at);
    void *target = hlo_view_at(results, to_at);
    int64_t way = backwards ? -1 : 1;
    if (dense)
      hlo_sum_rows(from.type, size, n, source, way * from_step, target, way * to_step,
                   initial->data);
    else
      hlo_sum_line(from.type, size, source, way * from_step, target, way * to_step, initial->data);
  } while (hlo_next_index(elements->rank, dims, index));
  return true;
}

// False if rows are not contiguous, or too short to pay.
static bool scan_rows(const hlo_folder *folder, int32_t dimension, bool backwards,
                      const hlo_view *elements, const hlo_view *initial, const hlo_view *results) {
  hlo_view from = inner_dimensions(elements, dimension), to = inner_dimensions(results, dimension);
  int64_t size = elements->dims[dimension], n = hlo_view_elements(&from);
  int64_t index[HLO_MAX_RANK] = {0}, bytes = hlo_type_bytes(from.type);
  bool dense = hlo_view_is_row_major(&from) && hlo_view_is_row_major(&to);
  if (!dense || n < HLO_CUMULATIVE_SHORTEST_ROW) return false;
  int64_t from_step = elements->strides[dimension], to_step = results->strides[dimension];
  do {
    int64_t from_at = 0, to_at = 0;
    for (int32_t d = 0; d < dimension; d++) {
      from_at += index[d] * elements->strides[d];
      to_at += index[d] * results->strides[d];
    }
    for (int64_t done = 0; done < n; done += HLO_CUMULATIVE_PIECE) {
      int64_t count = n - done < HLO_CUMULATIVE_PIECE ? n - done : HLO_CUMULATIVE_PIECE;
      for (int64_t i = 0; i < size; i++) {
        int64_t row = backwards ? size - 1 - i : i;
        int64_t before = i == 0 ? row : backwards ? row + 1 : row - 1;
        char *target = hlo_view_at(results, to_at + done + row * to_step);
        const void *operands[2] = {hlo_view_at(results, to_at + done + before * to_step),
                                   hlo_view_at(elements, from_at + done + row * from_step)};
        for (int64_t k = 0; k < count && i == 0; k++)
          memcpy(target + k * bytes, initial->data, (size_t)bytes);
        folder->kernel(target, operands, count);
      }
    }
  } while (hlo_next_index(dimension, elements->dims, index));
  return true;
}

bool hlo_cumulate_by_op(const hlo_folder *folder, int32_t dimension, bool backwards,
                        const hlo_view *elements, const hlo_view *initial,
                        const hlo_view *results) {
  if (folder->kernel == NULL) return false;
  return scan_neighbours(folder, dimension, backwards, elements, initial, results) ||
         sum_inner(folder, dimension, backwards, elements, initial, results) ||
         scan_rows(folder, dimension, backwards, elements, initial, results);
}
