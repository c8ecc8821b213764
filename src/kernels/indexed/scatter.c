// Scatter: combines slices of the updates into an array at the index vectors. Source of semantics:
// "Scatter" of the operation semantics. A slice that does not lie inside of the operand as a whole
// is dropped as a whole, as XLA's backends do (the page drops the elements outside). Updates are
// applied in row-major order of the index vectors.
#include "kernels/indexed/scatter_rows.h"
#include "kernels/machine.h"

static const hlo_index_vector_attributes attributes = {
    .window_dims = HLO_ATTRIBUTE_UPDATE_WINDOW_DIMS,
    .dropped_dims = HLO_ATTRIBUTE_INSERTED_WINDOW_DIMS,
    .index_map = HLO_ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS,
    .operand_batching = HLO_ATTRIBUTE_INPUT_BATCHING_DIMS,
    .indices_batching = HLO_ATTRIBUTE_SCATTER_INDICES_BATCHING_DIMS,
};

typedef struct scatter_operation {
  hlo_index_vectors vectors;
  int32_t count;
  const hlo_view *results, *updates;
  int64_t limits[HLO_MAX_RANK]; // the last starts at which a slice lies inside
  bool assigns; // the computation gives back the update: elements need only be copied
  hlo_folder folder;
  hlo_view *slices, *windows; // of each update and result; data is set for each index vector
  void **to;                  // addresses of a single element, and where it goes
  const void **from;
} scatter_operation;

// The results start as copies of the operands. An operand whose buffer was donated to a result may
// alias other operands, which must then be copied.
static hlo_status copy_operands(const hlo_evaluator *evaluator, int32_t count, int32_t total,
                                const hlo_view *operands, const hlo_view *results, hlo_view *copies,
                                hlo_error *error) {
  for (int32_t k = 0; k < total; k++) {
    const hlo_view *operand = &operands[k];
    copies[k] = *operand;
    if (k < count || operand->data != results[0].data || hlo_view_elements(operand) == 0) continue;
    HLO_TRY(hlo_scratch_view(evaluator, operand->type, operand->rank, operand->dims, &copies[k],
                             error));
    hlo_view_copy(&copies[k], operand);
  }
  for (int32_t k = 0; k < count; k++) {
    if (results[k].data != operands[k].data) hlo_view_copy(&results[k], &operands[k]);
  }
  return HLO_OK;
}

static void compute_limits(scatter_operation *scatter) {
  const hlo_view *result = &scatter->results[0], *slice = &scatter->slices[0];
  for (int32_t d = 0; d < result->rank; d++) scatter->limits[d] = result->dims[d] - 1;
  for (int32_t i = 0; i < slice->rank; i++) {
    int32_t d = scatter->vectors.operand_dims[i];
    scatter->limits[d] = result->dims[d] - slice->dims[i];
  }
}

static bool is_inside(const scatter_operation *scatter, const int64_t *starts) {
  for (int32_t d = 0; d < scatter->results[0].rank; d++) {
    if (starts[d] < 0 || starts[d] > scatter->limits[d]) return false;
  }
  return true;
}

static hlo_status fold_one_by_one(scatter_operation *scatter, hlo_error *error) {
  int64_t index[HLO_MAX_RANK] = {0};
  const hlo_view *first = &scatter->slices[0];
  do {
    for (int32_t k = 0; k < scatter->count; k++) {
      const hlo_view *slice = &scatter->slices[k], *window = &scatter->windows[k];
      int64_t from = 0, to = 0;
      for (int32_t i = 0; i < first->rank; i++) {
        from += index[i] * slice->strides[i];
        to += index[i] * window->strides[i];
      }
      scatter->from[k] = hlo_view_at(slice, from);
      scatter->to[k] = hlo_view_at(window, to);
    }
    HLO_TRY(hlo_folder_add(&scatter->folder, scatter->to, scatter->from, error));
  } while (hlo_next_index(first->rank, first->dims, index));
  return HLO_OK;
}

static hlo_status scatter_slices(const hlo_evaluator *evaluator, scatter_operation *scatter,
                                 hlo_error *error) {
  hlo_index_rows rows;
  // One array, and a computation that is a single op or gives back the update.
  if ((scatter->assigns || (scatter->count == 1 && scatter->folder.kernel != NULL)) &&
      hlo_index_rows_match(&scatter->vectors, &scatter->results[0], &scatter->updates[0],
                           &scatter->slices[0], &scatter->windows[0], &rows) &&
      rows.apart == 0) {
    return hlo_scatter_rows(evaluator, &rows, &scatter->results[0],
                            hlo_view_elements(&scatter->slices[0]),
                            scatter->assigns ? NULL : &scatter->folder, error);
  }
  bool few = hlo_view_elements(&scatter->slices[0]) <= HLO_SCATTER_FEW;
  do {
    int64_t starts[HLO_MAX_RANK];
    hlo_index_vectors_read(&scatter->vectors, starts);
    if (!is_inside(scatter, starts)) continue;
    for (int32_t k = 0; k < scatter->count; k++) {
      scatter->slices[k].data = hlo_index_vectors_slice_at(&scatter->vectors, &scatter->updates[k]);
      scatter->windows[k].data = hlo_index_vectors_window_at(&scatter->results[k], starts);
    }
    if (scatter->assigns) hlo_view_copy(&scatter->windows[0], &scatter->slices[0]);
    else if (few) HLO_TRY(fold_one_by_one(scatter, error));
    else HLO_TRY(hlo_folder_fold(&scatter->folder, scatter->windows, scatter->slices, error));
  } while (hlo_index_vectors_next(&scatter->vectors));
  return scatter->assigns ? HLO_OK : hlo_folder_flush(&scatter->folder, error);
}

static hlo_status scatter_into_results(const hlo_evaluator *evaluator,
                                       const hlo_instruction *instruction, const hlo_view *operands,
                                       const hlo_view *results, hlo_error *error) {
  const hlo_computation *computation = hlo_get_computation(instruction, HLO_ATTRIBUTE_TO_APPLY);
  int32_t count = instruction->operand_count / 2, total = instruction->operand_count;
  scatter_operation *scatter;
  hlo_view *copies;
  // Not zero-initialised: clearing arrays of maximum rank takes as long as a small scatter.
  scatter = hlo_arena_array_raw(evaluator->scratch, 1, sizeof *scatter);
  copies =
      hlo_arena_array_raw(evaluator->scratch, (size_t)total + 2 * (size_t)count, sizeof *copies);
  if (scatter == NULL || copies == NULL) return hlo_fail_out_of_memory(error);
  scatter->slices = copies + total;
  scatter->windows = scatter->slices + count;
  HLO_ALLOC(scatter->to, evaluator->scratch, count, error);
  HLO_ALLOC(scatter->from, evaluator->scratch, count, error);
  HLO_TRY(copy_operands(evaluator, count, total, operands, results, copies, error));
  scatter->count = count;
  scatter->results = results;
  scatter->updates = copies + count + 1;
  if (hlo_view_elements(&scatter->updates[0]) == 0) return HLO_OK;
  scatter->assigns = count == 1 && computation->root == computation->parameters[1];
  if (!scatter->assigns) {
    HLO_TRY(hlo_folder_init(evaluator, computation, count, results, &scatter->folder, error));
  }
  hlo_index_vectors_start(&scatter->vectors, instruction, &attributes, &results[0], &copies[count],
                          &scatter->updates[0]);
  for (int32_t k = 0; k < count; k++) {
    hlo_index_vectors_view_slice(&scatter->vectors, &scatter->updates[k], &scatter->slices[k]);
    hlo_index_vectors_view_window(&scatter->vectors, &results[k], &scatter->slices[k],
                                  &scatter->windows[k]);
  }
  compute_limits(scatter);
  return scatter_slices(evaluator, scatter, error);
}

hlo_status hlo_eval_scatter(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                            const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status = scatter_into_results(evaluator, instruction, operands, results, error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
