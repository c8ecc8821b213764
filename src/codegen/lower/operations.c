// Elements of operations whose elements are, or stand among, those of their operands: parameters,
// constants, movement, padding, elementwise operations. See emitter.h.
#include "codegen/graph/elementwise.h"
#include "codegen/lower/emitter.h"

#include <string.h>

enum {
  MAX_PARTS = 16,     // of a concatenation
  FAR_AWAY = 1 << 28, // elements of a dimension
};

int32_t hlo_emit_add_access(hlo_emitter *e, const hlo_access *access) {
  hlo_access *accesses = hlo_arena_grow_list(e->arena, e->accesses, e->access_count,
                                             &e->access_capacity, sizeof *accesses);
  if (accesses == NULL) {
    e->out_of_memory = true;
    return -1;
  }
  e->accesses = accesses;
  e->accesses[e->access_count] = *access;
  return e->access_count++;
}

int32_t hlo_emit_add_argument(hlo_emitter *e, hlo_emit_argument argument) {
  for (int32_t i = 0; i < e->argument_count; i++) {
    const hlo_emit_argument *known = &e->arguments[i];
    if (known->kind == argument.kind && known->index == argument.index &&
        known->data == argument.data)
      return i;
  }
  hlo_emit_argument *arguments = hlo_arena_grow_list(e->arena, e->arguments, e->argument_count,
                                                     &e->argument_capacity, sizeof *arguments);
  if (arguments == NULL) {
    e->out_of_memory = true;
    return 0;
  }
  e->arguments = arguments;
  e->arguments[e->argument_count] = argument;
  return e->argument_count++;
}

static int32_t find_access(const hlo_emitter *e, const hlo_access *access) {
  for (int32_t i = 0; i < e->access_count; i++) {
    const hlo_access *known = &e->accesses[i];
    if (known->kind == access->kind && known->argument == access->argument &&
        known->size == access->size && known->guarded == access->guarded &&
        hlo_position_equal(&known->position, &access->position)) {
      return i;
    }
  }
  return -1;
}

static int32_t load_access(hlo_emitter *e, const hlo_access *access) {
  int32_t found = find_access(e, access);
  return found >= 0 ? found : hlo_emit_add_access(e, access);
}

static int64_t distance_of(int64_t n) { return n < 0 ? -n : n; }

// Whether all that is read, or would be if it existed, is so near its array that addresses as
// 32-bit numbers tell on which side of it they are. Data moves it no further than the array is
// long.
static bool is_within_reach(const hlo_emitter *e, const hlo_access *access) {
  int64_t reach = distance_of(access->position.offset);
  for (int32_t l = 0; l < e->loop_count; l++)
    reach += distance_of(access->position.factors[l]) * e->loops[l].size;
  return access->guarded == 0 || reach < (INT32_MAX - 2 * access->guarded) / access->size;
}

// The element of an array in memory.
static bool emit_load(hlo_emitter *e, const hlo_shape *shape, hlo_emit_argument argument,
                      const hlo_element_map *map, hlo_value *out) {
  hlo_access access = {.kind = HLO_ACCESS_LOAD,
                       .argument = hlo_emit_add_argument(e, argument),
                       .size = hlo_type_bytes(shape->type),
                       .position = hlo_affine_of_position(e, shape, map),
                       .guarded = e->guards > 0 ? hlo_shape_bytes(shape) : 0};
  const hlo_affine *position = &access.position;
  if (!is_within_reach(e, &access)) return false;
  if (position->dynamic != 0) {
    uint32_t shift = (uint32_t)__builtin_ctzll((uint64_t)access.size);
    access.moved = hlo_graph_shift(&e->graph, SIMD_I32X4_SHL, position->dynamic, shift);
  }
  int32_t index = load_access(e, &access);
  hlo_value memory = {{0}};
  bool stays = position->dynamic == 0;
  for (int32_t l = 0; l < e->loop_count; l++) stays = stays && position->factors[l] == 0;
  for (int32_t i = 0; index >= 0 && i < (access.size > 4 ? access.size / 4 : 1); i++) {
    hlo_graph_node node = {
        .kind = HLO_NODE_LOAD, .op = (uint16_t)i, .index = index, .is_alike = stays};
    node.operands[0] = access.moved;
    node.operand_count = access.moved != 0;
    memory.part[i] = hlo_graph_add(&e->graph, &node);
  }
  *out = hlo_value_from_memory(&e->graph, shape->type, memory);
  return true;
}

// A number that depends on where the loops are, in 32-bit lanes.
static hlo_node emit_index(hlo_emitter *e, const hlo_affine *position) {
  hlo_access access = {.kind = HLO_ACCESS_INDEX, .argument = -1, .size = 1, .position = *position};
  access.position.dynamic = 0;
  hlo_graph_node node = {.kind = HLO_NODE_INDEX, .index = load_access(e, &access)};
  hlo_node index = node.index < 0 ? 0 : hlo_graph_add(&e->graph, &node);
  if (position->dynamic == 0) return index;
  return hlo_graph_2(&e->graph, SIMD_I32X4_ADD, index, position->dynamic);
}

bool hlo_emit_parameter(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                        const hlo_element_map *map, hlo_value *out) {
  (void)leaf;
  hlo_emit_argument argument = {HLO_ARGUMENT_OPERAND, (int32_t)instruction->parameter_number, NULL};
  return emit_load(e, instruction->shape, argument, map, out);
}

static bool is_uniform(const hlo_literal *literal) {
  size_t size = (size_t)hlo_type_bytes(literal->shape->type);
  int64_t count = hlo_shape_memory_elements(literal->shape);
  for (int64_t i = 1; i < count; i++) {
    if (memcmp((const char *)literal->data + (size_t)i * size, literal->data, size) != 0)
      return false;
  }
  return true;
}

bool hlo_emit_constant(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                       const hlo_element_map *map, hlo_value *out) {
  (void)leaf;
  const hlo_literal *literal = instruction->literal;
  if (literal == NULL || literal->data == NULL) return false;
  if (is_uniform(literal)) {
    *out = hlo_value_constant(&e->graph, instruction->shape->type, literal->data);
    return true;
  }
  hlo_emit_argument argument = {HLO_ARGUMENT_CONSTANT, 0, literal->data};
  return emit_load(e, literal->shape, argument, map, out);
}

bool hlo_emit_iota(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                   const hlo_element_map *map, hlo_value *out) {
  (void)leaf;
  hlo_type type = instruction->shape->type;
  int64_t d = hlo_get_int(instruction, HLO_ATTRIBUTE_IOTA_DIMENSION, 0);
  hlo_value index = {{emit_index(e, &map->dims[d])}};
  if (!hlo_value_is_narrow(type)) return hlo_value_convert(&e->graph, type, HLO_S32, index, out);
  if (instruction->shape->dims[d] > 1 << 24) return false; // would round twice
  if (!hlo_value_convert(&e->graph, HLO_F32, HLO_S32, index, out)) return false;
  *out = hlo_value_round(&e->graph, type, *out);
  return true;
}

bool hlo_emit_tuple_element(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                            const hlo_element_map *map, hlo_value *out) {
  (void)leaf;
  const hlo_instruction *operand = instruction->operands[0];
  int32_t index = (int32_t)hlo_get_int(instruction, HLO_ATTRIBUTE_INDEX, 0);
  if (operand->opcode == HLO_OP_TUPLE)
    return hlo_emit_value(e, operand->operands[index], 0, map, out);
  return operand->opcode == HLO_OP_REDUCE && hlo_emit_value(e, operand, index, map, out);
}

bool hlo_emit_movement(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                       const hlo_element_map *map, hlo_value *out) {
  (void)leaf;
  const hlo_element_map *through = hlo_element_map_through(e, instruction, map);
  return through != NULL && hlo_emit_value(e, instruction->operands[0], 0, through, out);
}

// The operand's value, for elements that may not exist: what is loaded for them is anything.
static bool guarded_value(hlo_emitter *e, const hlo_instruction *operand,
                          const hlo_element_map *map, hlo_value *out) {
  e->guards++;
  bool done = hlo_emit_value(e, operand, 0, map, out);
  e->guards--;
  return done;
}

// NULL, too, where elements that do not exist would take numbers beyond 64 bits.
static const hlo_element_map *shifted(hlo_emitter *e, const hlo_element_map *map, int32_t d,
                                      int64_t by) {
  int64_t offset = map->dims[d].offset + by;
  hlo_element_map *out = hlo_element_map_new(e, map->rank);
  if (out == NULL || distance_of(offset) > FAR_AWAY) return NULL;
  *out = *map;
  out->dims[d].offset = offset;
  return out;
}

// Where 0 <= index < size: one comparison as unsigned numbers.
static hlo_node is_inside(hlo_emitter *e, const hlo_affine *index, int64_t size) {
  return hlo_graph_2(&e->graph, SIMD_I32X4_LT_U, emit_index(e, index),
                     hlo_graph_splat32(&e->graph, (uint32_t)size));
}

bool hlo_emit_pad(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                  const hlo_element_map *map, hlo_value *out) {
  (void)leaf;
  int32_t count;
  const int64_t *padding = hlo_get_ints(instruction, HLO_ATTRIBUTE_PADDING, &count);
  const hlo_instruction *operand = instruction->operands[0];
  const hlo_element_map *inner = map, *scalar = hlo_element_map_new(e, 0);
  hlo_node inside = 0;
  if (count != 3 * map->rank || scalar == NULL) return false;
  for (int32_t d = 0; d < map->rank; d++) {
    if (padding[3 * d + 2] != 0 || padding[3 * d] > FAR_AWAY || padding[3 * d] < -FAR_AWAY)
      return false;
    if (padding[3 * d] == 0 && padding[3 * d + 1] == 0) continue;
    inner = shifted(e, inner, d, -padding[3 * d]);
    if (inner == NULL) return false;
    hlo_node here = is_inside(e, &inner->dims[d], operand->shape->dims[d]);
    inside = inside == 0 ? here : hlo_graph_2(&e->graph, SIMD_AND, inside, here);
  }
  if (inside == 0) return hlo_emit_value(e, operand, 0, map, out);
  hlo_value value, filling;
  if (!guarded_value(e, operand, inner, &value) ||
      !hlo_emit_value(e, instruction->operands[1], 0, scalar, &filling)) {
    return false;
  }
  *out = hlo_value_select(&e->graph, instruction->shape->type, inside, value, filling);
  return true;
}

// The array of which the operand is a slice without holes, and where that starts along d; NULL if
// it is none that is read from memory, or starts elsewhere than others along another dimension.
static const hlo_instruction *sliced(const hlo_instruction *operand, const int64_t *others,
                                     int32_t d, int64_t *start) {
  int32_t count;
  const int64_t *slices = hlo_get_ints(operand, HLO_ATTRIBUTE_SLICE, &count);
  if (operand->opcode != HLO_OP_SLICE || operand->operands[0]->opcode != HLO_OP_PARAMETER)
    return NULL;
  for (int32_t i = 0; 3 * i < count; i++) {
    if (slices[3 * i + 2] != 1 || (i != d && slices[3 * i] != others[3 * i])) return NULL;
  }
  *start = slices[3 * d];
  return operand->operands[0];
}

// Of slices of one array that follow each other along a dimension around the rows, as rolling
// has them: whole rows are read further on or back. False, with *out as it was, of others.
static bool lower_rolled(hlo_emitter *e, const hlo_instruction *instruction, int32_t d,
                         const hlo_element_map *map, hlo_value *out) {
  const hlo_shape *shape = instruction->shape;
  const hlo_instruction *from = NULL;
  hlo_graph *g = &e->graph;
  int32_t count, minor = shape->rank - 1;
  int64_t start = 0, at = 0;
  hlo_affine moved = {0};
  while (minor > 0 && shape->dims[minor] == 1) minor--;
  const int64_t *first = hlo_get_ints(instruction->operands[0], HLO_ATTRIBUTE_SLICE, &count);
  if (d >= minor) return false;
  for (int32_t i = 0; i < instruction->operand_count; i++) {
    const hlo_instruction *operand = instruction->operands[i],
                          *of = sliced(operand, first, d, &start);
    if (of == NULL || (from != NULL && of != from)) return false;
    from = of;
  }
  hlo_element_map *to = hlo_element_map_new(e, map->rank);
  if (to == NULL) return false;
  *to = *map;
  for (int32_t k = 0; k < map->rank; k++) to->dims[k].offset += k == d ? 0 : first[3 * k];
  for (int32_t i = 0; i < instruction->operand_count; i++) {
    sliced(instruction->operands[i], first, d, &start);
    hlo_node by = hlo_graph_splat32(g, (uint32_t)(start - at));
    hlo_affine behind = map->dims[d];
    behind.offset -= at;
    hlo_node before =
        hlo_graph_2(g, SIMD_I32X4_LT_S, emit_index(e, &behind), hlo_graph_splat32(g, 0));
    moved.dynamic = i == 0 ? by : hlo_graph_select(g, before, moved.dynamic, by);
    at += instruction->operands[i]->shape->dims[d];
  }
  hlo_position_add_scaled(e, &to->dims[d], &moved, 1);
  return hlo_emit_value(e, from, 0, to, out);
}

// The least and the largest index of elements that exist.
static void index_range(const hlo_emitter *e, const hlo_affine *index, int64_t size, int64_t *least,
                        int64_t *most) {
  *least = *most = index->offset;
  for (int32_t l = 0; l < e->loop_count; l++) {
    int64_t way = index->factors[l] * (e->loops[l].size - 1);
    *(way < 0 ? least : most) += way;
  }
  *most = *most < 0 ? 0 : *most < size ? *most : size - 1;
  *least = *least < 0 ? 0 : *least < *most ? *least : *most;
}

// The operand that all elements come from, and where it starts; NULL if there is no such one.
static const hlo_instruction *only_operand(const hlo_emitter *e, const hlo_instruction *instruction,
                                           int32_t d, const hlo_affine *index, int64_t *start) {
  int64_t least, most;
  index_range(e, index, instruction->shape->dims[d], &least, &most);
  *start = 0;
  for (int32_t i = 0; i < instruction->operand_count && index->dynamic == 0; i++) {
    int64_t end = *start + instruction->operands[i]->shape->dims[d];
    if (least < end) return most < end ? instruction->operands[i] : NULL;
    *start = end;
  }
  return NULL;
}

bool hlo_emit_concatenate(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                          const hlo_element_map *map, hlo_value *out) {
  (void)leaf;
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count);
  if (count != 1 || instruction->operand_count > MAX_PARTS) return false;
  int32_t d = (int32_t)dimensions[0];
  int64_t start = 0;
  const hlo_instruction *only = only_operand(e, instruction, d, &map->dims[d], &start);
  if (only != NULL) {
    const hlo_element_map *inner = shifted(e, map, d, -start);
    return inner != NULL && hlo_emit_value(e, only, 0, inner, out);
  }
  if (lower_rolled(e, instruction, d, map, out)) return true;
  start = 0;
  for (int32_t i = 0; i < instruction->operand_count; i++) {
    const hlo_instruction *operand = instruction->operands[i];
    const hlo_element_map *inner = shifted(e, map, d, -start);
    hlo_value value;
    if (inner == NULL || !guarded_value(e, operand, inner, &value)) return false;
    if (i == 0) {
      *out = value;
    } else { // before its start the shifted index is negative
      hlo_node before = hlo_graph_2(&e->graph, SIMD_I32X4_LT_S, emit_index(e, &inner->dims[d]),
                                    hlo_graph_splat32(&e->graph, 0));
      *out = hlo_value_select(&e->graph, instruction->shape->type, before, *out, value);
    }
    start += operand->shape->dims[d];
  }
  return true;
}

bool hlo_emit_each_element(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                           const hlo_element_map *map, hlo_value *out) {
  (void)leaf;
  hlo_value operands[3];
  if (instruction->operand_count > 3) return false;
  for (int32_t i = 0; i < instruction->operand_count; i++) {
    const hlo_shape *shape = instruction->operands[i]->shape;
    bool is_scalar = shape->rank == 0 && map->rank > 0;
    const hlo_element_map *at = is_scalar ? hlo_element_map_new(e, 0) : map;
    if (!is_scalar && !hlo_shape_same_dimensions(shape, instruction->shape)) return false;
    if (at == NULL || !hlo_emit_value(e, instruction->operands[i], 0, at, &operands[i]))
      return false;
  }
  return hlo_emit_elementwise(&e->graph, instruction, operands, out);
}
