// Reads at positions that are data: dynamic-slice and gather. The start of a slice is a value like
// any other, clamped so that the slice lies inside, and offsets the element that is read. See
// emitter.h.
#include "codegen/lower/emitter.h"

bool hlo_emit_clamp_start(hlo_graph *g, hlo_type type, hlo_value value, int64_t limit,
                          hlo_node *out) {
  const int64_t zero = 0;
  bool is_signed = hlo_type_get_class(type) == HLO_CLASS_SIGNED;
  int32_t bits = hlo_type_bits(type) - is_signed;
  hlo_value start[2] = {value}, raised;
  if (is_signed) {
    start[1] = hlo_value_constant(g, type, &zero);
    if (!hlo_value_pointwise(g, HLO_OP_MAXIMUM, type, true, start, &raised)) return false;
    start[0] = raised;
  }
  if (bits > 30 || limit >> bits == 0) { // else the type has nothing above it
    start[1] = hlo_value_constant(g, type, &limit);
    if (!hlo_value_pointwise(g, HLO_OP_MINIMUM, type, true, start, &raised)) return false;
    start[0] = raised;
  }
  if (!hlo_value_convert(g, HLO_S32, type, start[0], &raised)) return false;
  *out = raised.part[0];
  return true;
}

// Moves the element along a dimension by a start, which is at most `limit`.
static bool move_by(hlo_emitter *e, const hlo_instruction *starts, const hlo_element_map *at,
                    int64_t limit, hlo_affine *dim) {
  hlo_value start;
  hlo_affine moved = {0};
  if (limit == 0) return true;
  if (at == NULL || !hlo_emit_value(e, starts, 0, at, &start)) return false;
  if (!hlo_emit_clamp_start(&e->graph, starts->shape->type, start, limit, &moved.dynamic))
    return false;
  hlo_position_add_scaled(e, dim, &moved, 1);
  return moved.dynamic != 0;
}

bool hlo_emit_dynamic_slice(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                            const hlo_element_map *map, hlo_value *out) {
  (void)leaf;
  const hlo_instruction *operand = instruction->operands[0];
  hlo_element_map *to = hlo_element_map_new(e, map->rank);
  if (to == NULL) return false;
  *to = *map;
  for (int32_t d = 0; d < map->rank; d++) {
    int64_t limit = operand->shape->dims[d] - instruction->shape->dims[d];
    // One number each, or all of them in one array.
    bool apart =
        instruction->operand_count == map->rank + 1 && instruction->operands[1]->shape->rank == 0;
    hlo_element_map *at = hlo_element_map_new(e, apart ? 0 : 1);
    if (at != NULL && !apart) at->dims[0].offset = d;
    if (!move_by(e, instruction->operands[apart ? 1 + d : 1], at, limit, &to->dims[d]))
      return false;
  }
  return hlo_emit_value(e, operand, 0, to, out);
}

// Where the index vector of a result's element stands: the dimensions of the result that are not a
// slice's are those of the indices without the vectors' own.
static hlo_element_map *map_of_vector(hlo_emitter *e, const hlo_instruction *gather,
                                      const hlo_element_map *map, int64_t vector_dim) {
  hlo_element_map *at = hlo_element_map_new(e, gather->operands[1]->shape->rank);
  int32_t from = 0;
  for (int32_t d = 0; at != NULL && d < at->rank; d++) {
    if (d == vector_dim) continue;
    while (hlo_lists(gather, HLO_ATTRIBUTE_OFFSET_DIMS, from)) from++;
    at->dims[d] = map->dims[from++];
  }
  return at;
}

bool hlo_emit_gather(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                     const hlo_element_map *map, hlo_value *out) {
  (void)leaf;
  int32_t count, batching, sizes_count, offset = 0;
  const hlo_instruction *operand = instruction->operands[0], *indices = instruction->operands[1];
  const int64_t *sizes = hlo_get_ints(instruction, HLO_ATTRIBUTE_SLICE_SIZES, &sizes_count);
  const int64_t *offsets = hlo_get_ints(instruction, HLO_ATTRIBUTE_OFFSET_DIMS, &count);
  int64_t vector_dim = hlo_get_int(instruction, HLO_ATTRIBUTE_INDEX_VECTOR_DIM, 0);
  hlo_element_map *to = hlo_element_map_new(e, operand->shape->rank);
  hlo_element_map *vector = map_of_vector(e, instruction, map, vector_dim);
  if (to == NULL || vector == NULL) return false;
  for (int32_t d = 0; d < sizes_count; d++) {
    if (sizes[d] == 0) return false; // nothing is read
  }
  for (int32_t d = 0; d < to->rank; d++) {
    bool gone = hlo_lists(instruction, HLO_ATTRIBUTE_COLLAPSED_SLICE_DIMS, d) ||
                hlo_lists(instruction, HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS, d);
    if (!gone) to->dims[d] = map->dims[offsets[offset++]];
  }
  const int64_t *from =
      hlo_get_ints(instruction, HLO_ATTRIBUTE_START_INDICES_BATCHING_DIMS, &batching);
  const int64_t *along = hlo_get_ints(instruction, HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS, &batching);
  for (int32_t i = 0; i < batching; i++) to->dims[along[i]] = vector->dims[from[i]];
  along = hlo_get_ints(instruction, HLO_ATTRIBUTE_START_INDEX_MAP, &count);
  for (int32_t i = 0; i < count; i++) {
    hlo_element_map *at = hlo_element_map_new(e, vector->rank);
    if (at == NULL) return false;
    *at = *vector;
    if (vector_dim < at->rank) at->dims[vector_dim] = (hlo_affine){.offset = i};
    int64_t limit = operand->shape->dims[along[i]] - sizes[along[i]];
    if (!move_by(e, indices, at, limit, &to->dims[along[i]])) return false;
  }
  return hlo_emit_value(e, operand, 0, to, out);
}
