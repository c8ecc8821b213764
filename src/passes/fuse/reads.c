// Operand utilisation and strides, as the fusion pass queries them. See reads.h.
#include "passes/fuse/reads.h"

static hlo_status operand_set(hlo_indexing_analysis *analysis, const hlo_instruction *user,
                              int32_t operand, const hlo_indexing_set **out, hlo_error *error) {
  const hlo_indexing_set *sets;
  HLO_TRY(hlo_indexing_output_to_input(analysis, user, 0, &sets, error));
  *out = &sets[hlo_indexing_operand_start(user, operand)];
  return HLO_OK;
}

// How many elements the result has along the last dimensions in which the operand's element is
// invariant.
static hlo_status count_row(hlo_indexing_analysis *analysis, const hlo_indexing *access,
                            const hlo_shape *result, const hlo_shape *operand, int64_t *row,
                            hlo_error *error) {
  for (int32_t d = result->rank - 1; d >= 0; d--) {
    hlo_indexing_stride stride;
    const hlo_indexing_loop loop = {HLO_AFFINE_DIM, d};
    HLO_TRY(hlo_indexing_stride_along(analysis, access, operand, loop, &stride, error));
    if (!stride.is_known || stride.stride != 0 || stride.run != INT64_MAX) break;
    if (result->dims[d] > 0) *row *= result->dims[d];
  }
  return HLO_OK;
}

hlo_status hlo_fuse_count_reads(hlo_indexing_analysis *analysis, const hlo_instruction *user,
                                const hlo_instruction *operand, bool by_rows, int64_t *out,
                                int64_t *row, hlo_error *error) {
  int32_t k = 0;
  while (user->operands[k] != operand) k++;
  const hlo_indexing_set *set;
  const hlo_shape *result = hlo_shape_leaf(user->shape, 0), *shape = operand->shape;
  *out = *row = 1;
  bool is_identity =
      hlo_op_is_elementwise(user->opcode) && hlo_shape_same_dimensions(shape, result);
  if (is_identity || !hlo_shape_is_array(shape)) return HLO_OK;
  HLO_TRY(operand_set(analysis, user, k, &set, error));
  hlo_indexing_use use;
  HLO_TRY(hlo_indexing_measure_use(analysis, set, shape, &use, error));
  // Generated code computes an element of every operand of pad and concatenate for each result
  // element.
  int64_t reads = hlo_shape_elements(result);
  if (use.is_exact && use.reads > reads) reads = use.reads;
  if (set->count == 1 && by_rows)
    HLO_TRY(count_row(analysis, &set->items[0], result, shape, row, error));
  reads /= *row;
  if (use.elements > 0 && reads > use.elements)
    *out = reads / use.elements + (reads % use.elements != 0);
  return HLO_OK;
}

hlo_status hlo_fuse_reads_rows(hlo_indexing_analysis *analysis, const hlo_instruction *user,
                               int32_t operand, int64_t most, bool *out, hlo_error *error) {
  const hlo_indexing_set *set;
  HLO_TRY(operand_set(analysis, user, operand, &set, error));
  hlo_indexing_loop loops[HLO_MAX_RANK];
  int32_t rank = user->shape->rank;
  for (int32_t d = 0; d < rank; d++) loops[d] = (hlo_indexing_loop){HLO_AFFINE_DIM, d};
  *out = false;
  if (set->count != 1) return HLO_OK;
  hlo_indexing_stride stride;
  HLO_TRY(hlo_indexing_strides_along(analysis, set, user->operands[operand]->shape, loops, rank,
                                     &stride, error));
  *out = stride.is_known && stride.stride >= -1 && stride.stride <= most;
  return HLO_OK;
}

// Tiles of one element: their offsets are the tile numbers.
hlo_status hlo_fuse_count_tile(hlo_indexing_analysis *analysis, const hlo_instruction *user,
                               int32_t operand, int64_t *out, hlo_error *error) {
  const hlo_indexing_set *set;
  const hlo_shape *result = hlo_shape_leaf(user->shape, 0);
  hlo_indexing_tile_dim dims[HLO_MAX_RANK];
  HLO_TRY(operand_set(analysis, user, operand, &set, error));
  for (int32_t d = 0; d < result->rank; d++) {
    const hlo_affine *number =
        hlo_affine_variable(hlo_indexing_context(analysis), HLO_AFFINE_DIM, d);
    if (number == NULL) return hlo_fail_out_of_memory(error);
    dims[d] = (hlo_indexing_tile_dim){.offset = number, .size = 1, .stride = 1};
  }
  const hlo_indexing_tile one = {.rank = result->rank, .dims = dims};
  *out = set->is_unknown ? INT64_MAX : 0;
  for (int32_t i = 0; i < set->count && *out < INT64_MAX; i++) {
    hlo_indexing_tile tile;
    bool found;
    HLO_TRY(hlo_indexing_tile_of(analysis, &set->items[i], result->rank, result->dims, &one, &tile,
                                 &found, error));
    int64_t elements = 1;
    for (int32_t d = 0; found && d < tile.rank; d++)
      found = !__builtin_mul_overflow(elements, tile.dims[d].size, &elements);
    if (!found || __builtin_add_overflow(*out, elements, out)) *out = INT64_MAX;
  }
  return HLO_OK;
}
