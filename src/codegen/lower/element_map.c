// Which element of an operand an op needs for an element of its result, as a function of the loops,
// through ops that only move elements. A reshape that cuts a loop in two requests that the loop be
// split. See emitter.h.
#include "codegen/lower/emitter.h"

#include <string.h>

hlo_element_map *hlo_element_map_new(hlo_emitter *e, int32_t rank) {
  hlo_element_map *map =
      rank <= HLO_EMIT_MAX_RANK ? hlo_arena_array(e->arena, 1, sizeof *map) : NULL;
  if (map != NULL) map->rank = rank;
  else if (rank <= HLO_EMIT_MAX_RANK) e->out_of_memory = true;
  return map;
}

bool hlo_position_equal(const hlo_affine *a, const hlo_affine *b) {
  return a->offset == b->offset && a->dynamic == b->dynamic &&
         memcmp(a->factors, b->factors, sizeof a->factors) == 0;
}

bool hlo_element_map_equal(const hlo_element_map *a, const hlo_element_map *b) {
  bool equal = a->rank == b->rank;
  for (int32_t d = 0; equal && a != b && d < a->rank; d++)
    equal = hlo_position_equal(&a->dims[d], &b->dims[d]);
  return equal;
}

void hlo_position_add_scaled(hlo_emitter *e, hlo_affine *to, const hlo_affine *from,
                             int64_t scale) {
  to->offset += from->offset * scale;
  for (int i = 0; i < HLO_EMIT_MAX_LOOPS; i++) to->factors[i] += from->factors[i] * scale;
  hlo_node moved = from->dynamic;
  if (moved == 0) return;
  if (scale != 1) {
    hlo_node factor = hlo_graph_splat32(&e->graph, (uint32_t)scale);
    moved = hlo_graph_2(&e->graph, SIMD_I32X4_MUL, moved, factor);
  }
  to->dynamic =
      to->dynamic == 0 ? moved : hlo_graph_2(&e->graph, SIMD_I32X4_ADD, to->dynamic, moved);
}

hlo_affine hlo_affine_of_position(hlo_emitter *e, const hlo_shape *shape,
                                  const hlo_element_map *map) {
  int64_t strides[HLO_MAX_RANK];
  hlo_affine out = {0};
  hlo_shape_strides(shape, strides);
  for (int32_t d = 0; d < map->rank; d++)
    hlo_position_add_scaled(e, &out, &map->dims[d], strides[d]);
  return out;
}

// The dimension that a step of `factor` moves along: that of the largest stride which is not above.
static int32_t digit_of(int32_t rank, const int64_t *dims, const int64_t *strides, int64_t factor) {
  int32_t found = -1;
  for (int32_t d = 0; d < rank; d++) {
    if (dims[d] <= 1 || strides[d] > factor) continue;
    if (found < 0 || strides[d] > strides[found]) found = d;
  }
  return found;
}

// Takes `linear`, a position counted with the strides, apart into one number per dimension.
static bool map_from_linear(hlo_emitter *e, const hlo_affine *linear, int32_t rank,
                            const int64_t *dims, const int64_t *strides, hlo_element_map *out) {
  int64_t most[HLO_EMIT_MAX_RANK] = {0}, offset = linear->offset;
  if (rank > HLO_EMIT_MAX_RANK || linear->dynamic != 0) return false;
  // A loop that runs backwards is one that runs forwards from its other end.
  for (int32_t l = 0; l < e->loop_count; l++) {
    if (linear->factors[l] < 0) offset += linear->factors[l] * (e->loops[l].size - 1);
  }
  if (offset < 0) return false;
  *out = (hlo_element_map){.rank = rank};
  for (int32_t d = 0; d < rank; d++) {
    if (dims[d] <= 1) continue;
    out->dims[d].offset = offset / strides[d] % dims[d];
    most[d] = out->dims[d].offset;
  }
  for (int32_t l = 0; l < e->loop_count; l++) {
    bool backwards = linear->factors[l] < 0;
    int64_t factor = backwards ? -linear->factors[l] : linear->factors[l];
    if (factor == 0 || e->loops[l].size == 1) continue;
    int32_t d = digit_of(rank, dims, strides, factor);
    if (d < 0 || factor % strides[d] != 0) return false;
    int64_t end = strides[d] * dims[d], step = factor / strides[d];
    if (factor * (e->loops[l].size - 1) >= end) { // goes on into the next dimension
      int64_t inside = end / factor;
      if (inside > 1 && end % factor == 0 && e->loops[l].size % inside == 0) {
        e->split = l;
        e->split_size = inside;
      }
      return false;
    }
    out->dims[d].factors[l] = backwards ? -step : step;
    if (backwards) out->dims[d].offset += step * (e->loops[l].size - 1);
    most[d] += step * (e->loops[l].size - 1);
  }
  for (int32_t d = 0; d < rank; d++) {
    if (dims[d] > 1 && most[d] >= dims[d]) return false;
  }
  return true;
}

bool hlo_element_map_over_loops(hlo_emitter *e, int32_t rank, const int64_t *dims, const bool *take,
                                hlo_element_map *out) {
  int32_t l = e->loop_count - 1;
  *out = (hlo_element_map){.rank = rank};
  for (int32_t d = rank - 1; d >= 0; d--) {
    for (int64_t covered = 1; covered < dims[d]; l--) {
      while (l >= 0 && (!take[l] || e->loops[l].size == 1)) l--;
      if (l < 0 || dims[d] % (covered * e->loops[l].size) != 0) return false;
      out->dims[d].factors[l] = covered;
      covered *= e->loops[l].size;
    }
  }
  while (l >= 0 && (!take[l] || e->loops[l].size == 1)) l--;
  return l < 0;
}

// --- one op each ---

typedef bool through_function(hlo_emitter *e, const hlo_instruction *instruction,
                              const hlo_element_map *map, hlo_element_map *out);

static bool through_broadcast(hlo_emitter *e, const hlo_instruction *instruction,
                              const hlo_element_map *map, hlo_element_map *out) {
  (void)e;
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count);
  const hlo_shape *from = instruction->operands[0]->shape;
  if (count != from->rank) return false;
  for (int32_t d = 0; d < count; d++) {
    if (from->dims[d] != 1) out->dims[d] = map->dims[dimensions[d]];
  }
  return true;
}

static bool through_transpose(hlo_emitter *e, const hlo_instruction *instruction,
                              const hlo_element_map *map, hlo_element_map *out) {
  (void)e;
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count);
  for (int32_t d = 0; d < count; d++) out->dims[dimensions[d]] = map->dims[d];
  return count == map->rank;
}

static bool through_slice(hlo_emitter *e, const hlo_instruction *instruction,
                          const hlo_element_map *map, hlo_element_map *out) {
  int32_t count;
  const int64_t *slice = hlo_get_ints(instruction, HLO_ATTRIBUTE_SLICE, &count);
  if (count != 3 * map->rank) return false;
  for (int32_t d = 0; d < map->rank; d++) {
    int64_t step = instruction->shape->dims[d] > 1 ? slice[3 * d + 2] : 1; // else it may be any
    out->dims[d].offset = slice[3 * d];
    hlo_position_add_scaled(e, &out->dims[d], &map->dims[d], step);
  }
  return true;
}

static bool through_reverse(hlo_emitter *e, const hlo_instruction *instruction,
                            const hlo_element_map *map, hlo_element_map *out) {
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count);
  memcpy(out->dims, map->dims, sizeof out->dims);
  for (int32_t i = 0; i < count; i++) {
    int64_t d = dimensions[i];
    out->dims[d] = (hlo_affine){.offset = instruction->shape->dims[d] - 1};
    hlo_position_add_scaled(e, &out->dims[d], &map->dims[d], -1);
  }
  return true;
}

static void row_major_strides(const hlo_shape *shape, int64_t *strides) {
  int64_t stride = 1;
  for (int32_t d = shape->rank - 1; d >= 0; d--) {
    strides[d] = stride;
    stride *= shape->dims[d];
  }
}

static bool through_order(hlo_emitter *e, const hlo_shape *from, const int64_t *from_strides,
                          const int64_t *to_strides, const hlo_element_map *map,
                          hlo_element_map *out) {
  hlo_affine linear = {0};
  for (int32_t d = 0; d < map->rank; d++)
    hlo_position_add_scaled(e, &linear, &map->dims[d], to_strides[d]);
  return map_from_linear(e, &linear, from->rank, from->dims, from_strides, out);
}

// Where only dimensions of one element come and go the others keep their numbers, whatever those
// depend on.
static bool keeps_dimensions(const hlo_shape *from, const hlo_shape *to, const hlo_element_map *map,
                             hlo_element_map *out) {
  int32_t d = 0;
  *out = (hlo_element_map){.rank = from->rank};
  for (int32_t i = 0; i < from->rank; i++) {
    if (from->dims[i] == 1) continue;
    while (d < to->rank && to->dims[d] == 1) d++;
    if (d == to->rank || to->dims[d] != from->dims[i]) return false;
    out->dims[i] = map->dims[d++];
  }
  while (d < to->rank && to->dims[d] == 1) d++;
  return d == to->rank;
}

static bool through_reshape(hlo_emitter *e, const hlo_instruction *instruction,
                            const hlo_element_map *map, hlo_element_map *out) {
  int64_t from_strides[HLO_MAX_RANK], to_strides[HLO_MAX_RANK];
  const hlo_shape *from = instruction->operands[0]->shape;
  if (keeps_dimensions(from, instruction->shape, map, out)) return true;
  row_major_strides(from, from_strides);
  row_major_strides(instruction->shape, to_strides);
  return through_order(e, from, from_strides, to_strides, map, out);
}

// The same memory under another shape.
static bool through_bitcast(hlo_emitter *e, const hlo_instruction *instruction,
                            const hlo_element_map *map, hlo_element_map *out) {
  int64_t from_strides[HLO_MAX_RANK], to_strides[HLO_MAX_RANK];
  const hlo_shape *from = instruction->operands[0]->shape, *to = instruction->shape;
  if (from->type != to->type || hlo_shape_memory_elements(from) != hlo_shape_elements(from) ||
      hlo_shape_memory_elements(to) != hlo_shape_elements(to)) {
    return false;
  }
  hlo_shape_strides(from, from_strides);
  hlo_shape_strides(to, to_strides);
  return through_order(e, from, from_strides, to_strides, map, out);
}

static bool through_copy(hlo_emitter *e, const hlo_instruction *instruction,
                         const hlo_element_map *map, hlo_element_map *out) {
  (void)e, (void)instruction;
  *out = *map;
  return true;
}

static const struct {
  hlo_opcode opcode;
  through_function *through;
} movements[] = {
    {HLO_OP_BROADCAST, through_broadcast}, {HLO_OP_TRANSPOSE, through_transpose},
    {HLO_OP_SLICE, through_slice},         {HLO_OP_REVERSE, through_reverse},
    {HLO_OP_RESHAPE, through_reshape},     {HLO_OP_BITCAST, through_bitcast},
    {HLO_OP_COPY, through_copy},
};

const hlo_element_map *hlo_element_map_through(hlo_emitter *e, const hlo_instruction *instruction,
                                               const hlo_element_map *map) {
  through_function *through = NULL;
  for (size_t i = 0; i < sizeof movements / sizeof *movements; i++) {
    if (movements[i].opcode == instruction->opcode) through = movements[i].through;
  }
  if (through == NULL) return NULL;
  hlo_element_map *out = hlo_element_map_new(e, instruction->operands[0]->shape->rank);
  return out != NULL && through(e, instruction, map, out) ? out : NULL;
}
