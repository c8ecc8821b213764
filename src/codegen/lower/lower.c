// From the instructions of a fused computation to a graph: what each result needs, element by
// element, down to loads from memory. See emitter.h.
#include "codegen/graph/elementwise.h"
#include "codegen/lower/emitter.h"

#include <string.h>

// The stack holds walks of that depth through instructions and through nodes.
enum {
  MAX_DEPTH = 200,
  MAX_GRAPH_DEPTH = 700,
  MAX_NODES = 6000,
  MAX_INSTRUCTIONS = 1000,
  MAX_PARTS = 16,
  FAR_AWAY = 1 << 28 // elements of a dimension
};

int32_t hlo_emit_add_access(hlo_emitter *e, const hlo_access *access) {
  hlo_access *accesses = hlo_arena_make_room(e->arena, e->accesses, e->access_count,
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
  hlo_emit_argument *arguments = hlo_arena_make_room(e->arena, e->arguments, e->argument_count,
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

// --- one family of instructions each ---

typedef bool lower_function(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                            const hlo_element_map *map, hlo_value *out);

static bool lower_parameter(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
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

static bool lower_constant(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
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

static bool lower_iota(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
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

static bool lower_tuple_element(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                                const hlo_element_map *map, hlo_value *out) {
  (void)leaf;
  const hlo_instruction *operand = instruction->operands[0];
  int32_t index = (int32_t)hlo_get_int(instruction, HLO_ATTRIBUTE_INDEX, 0);
  if (operand->opcode == HLO_OP_TUPLE)
    return hlo_emit_value(e, operand->operands[index], 0, map, out);
  return operand->opcode == HLO_OP_REDUCE && hlo_emit_value(e, operand, index, map, out);
}

static bool lower_movement(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
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

static bool lower_pad(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
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

// Of slices of one array that lie behind each other along a dimension around the rows, as rolling
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
static void find_range(const hlo_emitter *e, const hlo_affine *index, int64_t size, int64_t *least,
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
  find_range(e, index, instruction->shape->dims[d], &least, &most);
  *start = 0;
  for (int32_t i = 0; i < instruction->operand_count && index->dynamic == 0; i++) {
    int64_t end = *start + instruction->operands[i]->shape->dims[d];
    if (least < end) return most < end ? instruction->operands[i] : NULL;
    *start = end;
  }
  return NULL;
}

static bool lower_concatenate(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
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

static bool lower_elementwise(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
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

static const struct {
  hlo_opcode opcode;
  lower_function *lower;
} families[] = {
    {HLO_OP_PARAMETER, lower_parameter},
    {HLO_OP_CONSTANT, lower_constant},
    {HLO_OP_IOTA, lower_iota},
    {HLO_OP_GET_TUPLE_ELEMENT, lower_tuple_element},
    {HLO_OP_BROADCAST, lower_movement},
    {HLO_OP_TRANSPOSE, lower_movement},
    {HLO_OP_SLICE, lower_movement},
    {HLO_OP_REVERSE, lower_movement},
    {HLO_OP_RESHAPE, lower_movement},
    {HLO_OP_BITCAST, lower_movement},
    {HLO_OP_COPY, lower_movement},
    {HLO_OP_PAD, lower_pad},
    {HLO_OP_CONCATENATE, lower_concatenate},
    {HLO_OP_DYNAMIC_SLICE, hlo_emit_dynamic_slice},
    {HLO_OP_GATHER, hlo_emit_gather},
    {HLO_OP_REDUCE, hlo_emit_reduce},
};

bool hlo_emit_value(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                    const hlo_element_map *map, hlo_value *out) {
  for (hlo_lowered *known = e->lowered[instruction->id]; known != NULL; known = known->next) {
    if (known->leaf == leaf && hlo_element_map_equal(known->map, map)) {
      *out = known->value;
      return true;
    }
  }
  lower_function *lower = lower_elementwise;
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    if (families[i].opcode == instruction->opcode) lower = families[i].lower;
  }
  *out = (hlo_value){{0}};
  bool too_large = e->graph.count > MAX_NODES || e->graph.depth > MAX_GRAPH_DEPTH;
  if (e->depth == MAX_DEPTH || too_large) {
    if (!e->has_stopped) e->obstacle = instruction;
    e->has_stopped = true;
    return false;
  }
  e->depth++;
  bool done = lower(e, instruction, leaf, map, out);
  e->depth--;
  if (!done && !e->has_stopped) e->obstacle = instruction;
  e->has_stopped = e->has_stopped || !done;
  hlo_lowered *lowered = hlo_arena_array(e->arena, 1, sizeof *lowered);
  if (!done || lowered == NULL || e->graph.failed || e->out_of_memory) {
    e->out_of_memory = e->out_of_memory || lowered == NULL || e->graph.failed;
    return false;
  }
  *lowered = (hlo_lowered){e->lowered[instruction->id], leaf, map, *out};
  e->lowered[instruction->id] = lowered;
  return true;
}

// --- the fusion as a whole ---

static bool is_plain(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && !hlo_shape_is_dynamic(shape) &&
         hlo_value_parts(shape->type) > 0 && shape->rank <= HLO_EMIT_MAX_RANK &&
         hlo_shape_elements(shape) > 0 && hlo_shape_bytes(shape) < INT32_MAX &&
         hlo_shape_packed_bits(shape) == 0;
}

static bool is_plain_leaves(const hlo_shape *shape) {
  bool plain = !hlo_shape_is_tuple(shape) || shape->element_count > 0;
  int32_t leaves = hlo_shape_leaf_count(shape);
  for (int32_t i = 0; i < leaves && plain; i++) plain = is_plain(hlo_shape_leaf(shape, i));
  return plain;
}

static bool check(hlo_emitter *e) {
  const hlo_computation *computation = e->computation;
  const hlo_instruction *root = computation->root;
  if (computation->instruction_count > MAX_INSTRUCTIONS) return false;
  // A result is an array that an instruction gives, or one of the results of a reduction.
  bool is_tuple = root->opcode == HLO_OP_TUPLE;
  for (int32_t i = 0; is_tuple && i < root->operand_count; i++) {
    if (!hlo_shape_is_array(root->operands[i]->shape)) return false;
  }
  if (!is_tuple && root->opcode != HLO_OP_REDUCE && !hlo_shape_is_array(root->shape)) return false;
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *instruction = computation->instructions[i];
    bool is_root = instruction == computation->root || instruction->opcode == HLO_OP_REDUCE ||
                   instruction->opcode == HLO_OP_TUPLE;
    if (is_root ? is_plain_leaves(instruction->shape) : is_plain(instruction->shape)) continue;
    e->obstacle = instruction;
    return false;
  }
  return true;
}

// The instruction that gives leaf i of the result, and which of its leaves that is.
static const hlo_instruction *instruction_of_leaf(const hlo_emitter *e, int32_t i, int32_t *leaf) {
  const hlo_instruction *root = e->computation->root;
  bool is_tuple = root->opcode == HLO_OP_TUPLE;
  *leaf = is_tuple ? 0 : i;
  return is_tuple ? root->operands[i] : root;
}

static const hlo_shape *leaf_shape(const hlo_emitter *e, int32_t i) {
  return hlo_shape_leaf(e->computation->root->shape, i);
}

// The element of a part of a result that the loops are at. Results smaller than the largest one are
// reduced: they have the loops that are not.
static const hlo_element_map *map_of_leaf(hlo_emitter *e, int32_t part, const hlo_shape *shape,
                                          const hlo_shape *largest) {
  hlo_element_map *map = hlo_element_map_new(e, shape->rank);
  bool take[HLO_EMIT_MAX_LOOPS];
  if (map == NULL) return NULL;
  if (!hlo_shape_same_dimensions(shape, largest)) {
    for (int32_t l = 0; l < e->loop_count; l++) take[l] = !e->loops[l].reduced;
    return hlo_element_map_over_loops(e, shape->rank, shape->dims, take, map) ? map : NULL;
  }
  for (int32_t l = 0; l < e->loop_count; l++) {
    if (!e->loops[l].fresh) map->dims[e->loops[l].dimension].factors[l] = e->loops[l].scale;
  }
  if (part > 0) {
    int32_t d = e->parts.dimension;
    map->dims[d].offset = part * (shape->dims[d] / e->parts.count);
  }
  return map;
}

static bool lower_leaf(hlo_emitter *e, int32_t i, int32_t part, const hlo_shape *largest) {
  int32_t leaf;
  hlo_value value;
  const hlo_instruction *instruction = instruction_of_leaf(e, i, &leaf);
  const hlo_shape *shape = leaf_shape(e, i);
  const hlo_element_map *map = map_of_leaf(e, part, shape, largest);
  if (map == NULL || !hlo_emit_value(e, instruction, leaf, map, &value)) return false;
  hlo_access access = {
      .kind = HLO_ACCESS_STORE,
      .argument = hlo_emit_add_argument(e, (hlo_emit_argument){HLO_ARGUMENT_RESULT, i, NULL}),
      .size = hlo_type_bytes(shape->type),
      .position = hlo_affine_of_position(e, shape, map)};
  hlo_emit_output *output = &e->outputs[i * e->parts.count + part];
  *output = (hlo_emit_output){.leaf = i,
                              .type = shape->type,
                              .memory = hlo_value_to_memory(&e->graph, shape->type, value),
                              .access = hlo_emit_add_access(e, &access),
                              .bytes = access.size};
  return output->access >= 0;
}

static bool try_lower(hlo_emitter *e, int32_t largest) {
  for (int32_t l = 0; l < e->loop_count; l++) e->loops[l].reduced = false;
  e->graph = (hlo_graph){.arena = e->arena, .target = e->graph.target};
  e->access_count = e->argument_count = e->reduction_count = 0;
  e->split = -1;
  e->has_stopped = false;
  e->obstacle = NULL;
  e->lowered =
      hlo_arena_array(e->arena, (size_t)e->computation->instruction_count, sizeof *e->lowered);
  e->outputs = hlo_arena_array(e->arena, (size_t)e->output_count, sizeof *e->outputs);
  if (e->lowered == NULL || e->outputs == NULL) {
    e->out_of_memory = true;
    return false;
  }
  const hlo_shape *shape = leaf_shape(e, largest);
  if (!lower_leaf(e, largest, 0, shape)) return false;
  for (int32_t i = 0; i < e->output_count; i++) {
    int32_t leaf = i / e->parts.count, part = i % e->parts.count;
    if ((leaf != largest || part > 0) && !lower_leaf(e, leaf, part, shape)) return false;
  }
  int32_t runs = 0;
  int64_t reduced = 1;
  for (int32_t l = 0; l < e->loop_count; l++) reduced *= e->loops[l].reduced ? e->loops[l].size : 1;
  for (int32_t r = 0; r < e->reduction_count; r++) {
    const hlo_emit_reduction *reduction = &e->reductions[r];
    runs += reduction->runs * (hlo_value_parts(reduction->work[0]) > 2 ? 2 : 1);
    if (reduction->elements == reduced) continue;
    e->obstacle = reduction->instruction; // all go over the same elements
    return false;
  }
  return runs <= HLO_EMIT_MAX_RUNNING && !e->graph.failed && !e->out_of_memory;
}

// Makes of a loop an outer and an inner one.
static bool split_loop(hlo_emitter *e) {
  if (e->loop_count == HLO_EMIT_MAX_LOOPS || e->loops[e->split].fresh) return false;
  for (int32_t l = e->loop_count++; l > e->split; l--) e->loops[l] = e->loops[l - 1];
  hlo_emit_loop *outer = &e->loops[e->split], *inner = outer + 1;
  outer->size /= e->split_size;
  outer->scale *= e->split_size;
  inner->size = e->split_size;
  return true;
}

static bool lower_parts(hlo_emitter *e, hlo_result_parts parts) {
  int32_t leaves = hlo_shape_leaf_count(e->computation->root->shape), largest = 0;
  e->parts = parts;
  e->output_count = leaves * parts.count;
  e->loop_count = 0;
  for (int32_t i = 1; i < leaves; i++) {
    if (hlo_shape_elements(leaf_shape(e, i)) > hlo_shape_elements(leaf_shape(e, largest)))
      largest = i;
  }
  const hlo_shape *shape = leaf_shape(e, largest);
  for (int32_t d = 0; d < shape->rank; d++) {
    int64_t size = shape->dims[d] / (parts.count > 1 && d == parts.dimension ? parts.count : 1);
    if (size == 1) continue;
    e->loops[e->loop_count++] = (hlo_emit_loop){.size = size, .scale = 1, .dimension = d};
  }
  while (!try_lower(e, largest)) {
    while (e->loop_count > 0 && e->loops[e->loop_count - 1].fresh) e->loop_count--;
    if (e->out_of_memory || e->split < 0 || e->split >= e->loop_count || !split_loop(e))
      return false;
  }
  return true;
}

bool hlo_emit_lower(hlo_emitter *e) {
  if (!check(e) || hlo_shape_leaf_count(e->computation->root->shape) > HLO_EMIT_MAX_OUTPUTS)
    return false;
  const hlo_result_parts parts = hlo_emit_find_parts(e), one = {1, 0};
  if (e->out_of_memory) return false;
  return lower_parts(e, parts) || (parts.count > 1 && !e->out_of_memory && lower_parts(e, one));
}

static void mark(hlo_value value, bool *marked) {
  for (int part = 0; part < HLO_VALUE_PARTS; part++) marked[value.part[part]] = true;
}

void hlo_emit_mark_roots(const hlo_emitter *e, bool *marked) {
  for (int32_t i = 0; i < e->output_count; i++) mark(e->outputs[i].memory, marked);
  for (int32_t i = 0; i < e->access_count; i++) marked[e->accesses[i].moved] = true;
  for (int32_t n = 0; n < e->reduction_count; n++) {
    const hlo_emit_reduction *r = &e->reductions[n];
    marked[r->finds] = true;
    for (int32_t i = 0; i < r->runs; i++) mark(r->next[i], marked);
    for (int32_t i = 0; i < r->leaves; i++) mark(r->initial[i], marked);
  }
}
