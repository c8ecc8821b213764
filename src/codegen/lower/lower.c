// From the instructions of a fused computation to a graph: what each result needs, element by
// element, down to loads from memory. See emitter.h.
#include "codegen/graph/elementwise.h"
#include "codegen/lower/emitter.h"

#include <string.h>

enum { MAX_INSTRUCTIONS = 1000 };

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
  const hlo_result_parts parts = hlo_emit_match_parts(e), one = {1, 0};
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
