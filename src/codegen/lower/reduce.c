// Reductions in a fusion: over which loops they run, and the start, step and end of a running
// result. See emitter.h. Results are the evaluator's except for the order in which elements are
// combined.
#include "codegen/graph/elementwise.h"
#include "codegen/lower/emitter.h"

#include "codegen/lower/choice.h"
#include "kernels/elementwise/apply.h"

#include <string.h>

static bool is_moved(const hlo_element_map *map) {
  for (int32_t d = 0; d < map->rank; d++) {
    if (map->dims[d].dynamic != 0) return true;
  }
  return false;
}

static bool uses_loop(const hlo_element_map *map, int32_t loop) {
  for (int32_t d = 0; d < map->rank; d++) {
    if (map->dims[d].factors[loop] != 0) return true;
  }
  return false;
}

static bool add_fresh_loops(hlo_emitter *e, int32_t count, const int64_t *sizes) {
  for (int32_t i = 0; i < count; i++) {
    if (sizes[i] == 1) continue;
    if (e->loop_count == HLO_EMIT_MAX_LOOPS) return false;
    e->loops[e->loop_count++] =
        (hlo_emit_loop){.size = sizes[i], .scale = 1, .fresh = true, .reduced = true};
  }
  return true;
}

// Finds the loops of the reduced dimensions: those of earlier reductions; else the results' loops
// that this one's result does not depend on, so that its elements are at hand where the result is
// used; else new ones.
static bool select_loops(hlo_emitter *e, const hlo_element_map *map, int32_t count,
                         const int64_t *sizes, hlo_element_map *out) {
  bool take[HLO_EMIT_MAX_LOOPS] = {false}, known = false, idle = false;
  for (int32_t l = 0; l < e->loop_count; l++) {
    bool used = uses_loop(map, l);
    if (e->loops[l].reduced && used) return false;
    known = known || e->loops[l].reduced;
    idle = idle || (!used && e->loops[l].size > 1);
  }
  for (int32_t l = 0; l < e->loop_count; l++) {
    take[l] = known ? e->loops[l].reduced : !uses_loop(map, l);
  }
  if (!known && !idle && !add_fresh_loops(e, count, sizes)) return false;
  if (!known && !idle) {
    for (int32_t l = 0; l < e->loop_count; l++) take[l] = e->loops[l].reduced;
  }
  if (!hlo_element_map_over_loops(e, count, sizes, take, out)) return false;
  for (int32_t l = 0; l < e->loop_count; l++) e->loops[l].reduced = take[l];
  return true;
}

// The operand's element for one of the result's and where the reduced loops are.
static const hlo_element_map *map_of_operand(hlo_emitter *e, const hlo_instruction *instruction,
                                             const hlo_element_map *map, int64_t *elements) {
  int32_t count, kept = 0, gone = 0;
  const int64_t *dimensions = hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count);
  const hlo_shape *shape = instruction->operands[0]->shape;
  int64_t sizes[HLO_EMIT_MAX_RANK];
  bool is_reduced[HLO_EMIT_MAX_RANK] = {false};
  for (int32_t i = 0; i < count; i++) is_reduced[dimensions[i]] = true;
  *elements = 1;
  for (int32_t d = 0; d < shape->rank; d++) {
    if (!is_reduced[d]) continue;
    sizes[gone++] = shape->dims[d];
    *elements *= shape->dims[d];
  }
  hlo_element_map reduced, *out = hlo_element_map_new(e, shape->rank);
  if (out == NULL || gone != count || !select_loops(e, map, gone, sizes, &reduced)) return NULL;
  gone = 0;
  for (int32_t d = 0; d < shape->rank; d++)
    out->dims[d] = is_reduced[d] ? reduced.dims[gone++] : map->dims[kept++];
  return out;
}

// What changes nothing when combined with a value.
static bool neutral(hlo_graph *g, hlo_opcode opcode, hlo_type type, hlo_value *out) {
  if (hlo_type_is_complex(type)) {
    hlo_value part;
    if (opcode != HLO_OP_ADD || !neutral(g, opcode, hlo_type_complex_part(type), &part))
      return false;
    *out = hlo_value_complex(type, part, part);
    return true;
  }
  bool is_max = opcode == HLO_OP_MAXIMUM, is_float = hlo_type_is_float(type);
  bool is_signed = hlo_type_get_class(type) == HLO_CLASS_SIGNED;
  uint64_t top = UINT64_C(1) << (hlo_type_bits(type) - 1);
  uint64_t ones = top | (top - 1), element = 0;
  if (opcode == HLO_OP_ADD) {
    element = is_float ? top : 0; // -0, which added to -0 is -0
  } else if (opcode == HLO_OP_MULTIPLY) {
    float one = 1;
    double wide_one = 1;
    if (type == HLO_F32) memcpy(&element, &one, sizeof one);
    else if (type == HLO_F64) memcpy(&element, &wide_one, sizeof wide_one);
    else element = 1;
  } else if (opcode == HLO_OP_AND) {
    element = ones;
  } else if (opcode == HLO_OP_MAXIMUM || opcode == HLO_OP_MINIMUM) {
    float infinity = is_max ? -__builtin_inff() : __builtin_inff();
    double wide_infinity = infinity;
    if (type == HLO_F32) memcpy(&element, &infinity, sizeof infinity);
    else if (type == HLO_F64) memcpy(&element, &wide_infinity, sizeof wide_infinity);
    else if (is_signed) element = is_max ? top : ones >> 1;
    else element = is_max ? 0 : ones;
  }
  *out = hlo_value_constant(g, type, &element);
  return true;
}

// --- the largest or smallest float ---
// WebAssembly's maximum is eight machine instructions. Three running values take five: the largest
// number but for NaNs and the sign of zero, the bits of all NaNs, and the signs of all elements,
// which tell that of a zero: a largest element of 0 is -0 only if all of them have the sign, a
// smallest one if any has. So a NaN is handed on as it is; of several that differ, whose order
// lanes do not have, the result is the union of their bits.

static bool is_extreme(const hlo_emit_reduction *r) { return r->runs > r->leaves; }

static void extreme_step(hlo_graph *g, const hlo_emit_reduction *r, const hlo_value *a,
                         const hlo_value *b, bool elements, hlo_value *out) {
  bool is_max = r->opcode == HLO_OP_MAXIMUM, wide = r->work[0] == HLO_F64;
  uint32_t pick = is_max ? (wide ? SIMD_F64X2_PMAX : SIMD_F32X4_PMAX)
                  : wide ? SIMD_F64X2_PMIN
                         : SIMD_F32X4_PMIN;
  for (int32_t i = 0; i < hlo_value_parts(r->work[0]); i++) {
    hlo_node x = b[0].part[i], nans = elements ? 0 : b[1].part[i],
             signs = elements ? x : b[2].part[i];
    if (elements)
      nans =
          hlo_graph_2(g, SIMD_AND, x, hlo_graph_2(g, wide ? SIMD_F64X2_NE : SIMD_F32X4_NE, x, x));
    out[0].part[i] = hlo_graph_2(g, pick, a[0].part[i], x);
    out[1].part[i] = hlo_graph_2(g, SIMD_OR, a[1].part[i], nans);
    out[2].part[i] = hlo_graph_2(g, is_max ? SIMD_AND : SIMD_OR, a[2].part[i], signs);
  }
}

static hlo_value extreme_value(hlo_graph *g, const hlo_emit_reduction *r, const hlo_value *total) {
  bool wide = r->work[0] == HLO_F64;
  hlo_node sign =
      wide ? hlo_graph_splat64(g, UINT64_C(1) << 63) : hlo_graph_splat32(g, UINT32_C(1) << 31);
  hlo_value out = {{0}};
  for (int32_t i = 0; i < hlo_value_parts(r->work[0]); i++) {
    hlo_node x = total[0].part[i], nan = total[1].part[i], zero = hlo_graph_splat32(g, 0);
    hlo_node is_zero = hlo_graph_2(g, wide ? SIMD_F64X2_EQ : SIMD_F32X4_EQ, x, zero);
    hlo_node is_nan = hlo_graph_2(g, wide ? SIMD_F64X2_NE : SIMD_F32X4_NE, nan, nan);
    x = hlo_graph_select(g, is_zero, hlo_graph_2(g, SIMD_AND, total[2].part[i], sign), x);
    out.part[i] = hlo_graph_select(g, is_nan, nan, x);
  }
  return out;
}

static void extreme_start(hlo_graph *g, hlo_emit_reduction *r) {
  hlo_node ones = hlo_graph_splat32(g, UINT32_MAX), zero = hlo_graph_splat32(g, 0);
  hlo_node signs = r->opcode == HLO_OP_MAXIMUM ? ones : zero;
  for (int32_t i = 0; i < hlo_value_parts(r->work[0]); i++) {
    r->start[1].part[i] = zero;
    r->start[2].part[i] = signs;
  }
}

// --- running values in general ---

bool hlo_emit_combine(hlo_emitter *e, const hlo_emit_reduction *r, const hlo_value *left,
                      const hlo_value *right, hlo_value *out) {
  if (is_extreme(r)) {
    extreme_step(&e->graph, r, left, right, false, out);
    return true;
  }
  if (r->opcode != HLO_OP_COUNT) {
    return hlo_value_pointwise(&e->graph, r->opcode, r->work[0], false,
                               (const hlo_value[]){left[0], right[0]}, out);
  }
  hlo_value arguments[2 * HLO_EMIT_MAX_LEAVES];
  memcpy(arguments, left, (size_t)r->leaves * sizeof *left);
  memcpy(arguments + r->leaves, right, (size_t)r->leaves * sizeof *right);
  const hlo_computation *computation = hlo_get_computation(r->instruction, HLO_ATTRIBUTE_TO_APPLY);
  hlo_value *values =
      hlo_arena_array(e->arena, (size_t)computation->instruction_count, sizeof *values);
  e->out_of_memory = e->out_of_memory || values == NULL;
  return values != NULL &&
         hlo_emit_scalar_computation(&e->graph, computation, arguments, values, r->leaves, out);
}

bool hlo_emit_finish_reduction(hlo_emitter *e, const hlo_emit_reduction *r, const hlo_value *total,
                               hlo_value *out) {
  if (r->opcode == HLO_OP_COUNT) { // the initial values came in at the start
    memcpy(out, total, (size_t)r->leaves * sizeof *out);
    return true;
  }
  hlo_value value = is_extreme(r) ? extreme_value(&e->graph, r, total) : total[0];
  const hlo_value both[2] = {r->initial[0], value};
  if (!hlo_value_pointwise(&e->graph, r->opcode, r->work[0], false, both, out)) return false;
  *out = hlo_value_round(&e->graph, r->types[0], *out);
  return true;
}

// Where two NaNs meet, the computation keeps its left one. Lanes are not in the elements' order, so
// their numbers have to tell which is left: the second operand counts the elements.
static bool counts_elements(const hlo_instruction *instruction) {
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(instruction, HLO_ATTRIBUTE_DIMENSIONS, &count);
  const hlo_instruction *numbers = instruction->operands[1];
  return numbers->opcode == HLO_OP_IOTA && count == 1 &&
         hlo_type_bits(numbers->shape->type) >= 32 &&
         hlo_get_int(numbers, HLO_ATTRIBUTE_IOTA_DIMENSION, 0) == dimensions[0];
}

static void set_runs(hlo_emit_reduction *r) {
  if (hlo_value_is_narrow(r->types[0])) r->work[0] = HLO_F32;
  bool is_extremum = r->opcode == HLO_OP_MAXIMUM || r->opcode == HLO_OP_MINIMUM;
  if (is_extremum && hlo_type_is_float(r->types[0])) r->runs = HLO_EMIT_MAX_RUNS;
  for (int32_t i = 1; i < r->runs; i++) r->work[i] = r->work[0];
}

static bool match_operation(hlo_emitter *e, hlo_emit_reduction *r, hlo_choice *choice) {
  const hlo_instruction *instruction = r->instruction;
  const hlo_computation *computation = hlo_get_computation(instruction, HLO_ATTRIBUTE_TO_APPLY);
  r->leaves = r->runs = instruction->operand_count / 2;
  r->opcode = HLO_OP_COUNT;
  if (r->leaves > HLO_EMIT_MAX_LEAVES || computation == NULL) return false;
  for (int32_t i = 0; i < r->leaves; i++) {
    r->types[i] = r->work[i] = instruction->operands[i]->shape->type;
    if (hlo_shape_leaf(instruction->shape, i)->type != r->types[i]) return false;
  }
  if (r->leaves == 1) r->opcode = hlo_applied_op(computation, r->types[0]);
  *choice = HLO_CHOICE_NONE;
  // Sums of narrow floats round at every step, in an order that lanes do not have.
  if (hlo_value_is_narrow(r->types[0]) &&
      (r->opcode == HLO_OP_ADD || r->opcode == HLO_OP_MULTIPLY)) {
    return false;
  }
  if (r->opcode != HLO_OP_COUNT) {
    set_runs(r);
    return true;
  }
  bool by_number = r->leaves == 2 && counts_elements(instruction);
  *choice = hlo_emit_match_choice(computation, r->leaves, by_number, &e->out_of_memory);
  return *choice != HLO_CHOICE_NONE;
}

static hlo_value parameter(hlo_emitter *e, hlo_type type) {
  hlo_value out = {{0}};
  for (int32_t i = 0; i < hlo_value_parts(type); i++) out.part[i] = hlo_graph_parameter(&e->graph);
  return out;
}

static hlo_value reduced(hlo_emitter *e, int32_t number, int32_t leaf, hlo_type type) {
  hlo_value out = {{0}};
  for (int32_t i = 0; i < hlo_value_parts(type); i++) {
    hlo_graph_node node = {.kind = HLO_NODE_REDUCED, .op = (uint16_t)i, .index = number};
    node.immediate[0] = (uint8_t)leaf;
    out.part[i] = hlo_graph_add(&e->graph, &node);
  }
  return out;
}

static hlo_emit_reduction *add_reduction(hlo_emitter *e) {
  hlo_emit_reduction *reductions = hlo_arena_grow_list(e->arena, e->reductions, e->reduction_count,
                                                       &e->reduction_capacity, sizeof *reductions);
  if (reductions == NULL) {
    e->out_of_memory = true;
    return NULL;
  }
  e->reductions = reductions;
  return &e->reductions[e->reduction_count++];
}

static bool lower_inputs(hlo_emitter *e, hlo_emit_reduction *r) {
  const hlo_element_map *operand = map_of_operand(e, r->instruction, r->map, &r->elements);
  const hlo_element_map *scalar = hlo_element_map_new(e, 0);
  if (operand == NULL || scalar == NULL) return false;
  for (int32_t i = 0; i < r->leaves; i++) {
    const hlo_instruction *input = r->instruction->operands[i];
    const hlo_instruction *initial = r->instruction->operands[r->leaves + i];
    if (!hlo_emit_value(e, input, 0, operand, &r->inputs[i]) ||
        !hlo_emit_value(e, initial, 0, scalar, &r->initial[i])) {
      return false;
    }
  }
  return true;
}

// Makes everything else of operation, types, inputs and initial values, and adds the reduction.
static bool add_made(hlo_emitter *e, hlo_emit_reduction *r) {
  for (int32_t i = 0; i < r->runs; i++) r->running[i] = parameter(e, r->work[i]);
  for (int32_t i = 0; i < r->leaves; i++) r->start[i] = r->initial[i];
  if (r->opcode != HLO_OP_COUNT && !neutral(&e->graph, r->opcode, r->work[0], &r->start[0]))
    return false;
  if (is_extreme(r)) {
    extreme_start(&e->graph, r);
    extreme_step(&e->graph, r, r->running, r->inputs, true, r->next);
  } else if (!hlo_emit_combine(e, r, r->running, r->inputs, r->next)) {
    return false;
  }
  for (int32_t i = 0; i < r->leaves; i++) {
    r->results[i] = r->values[i] = reduced(e, e->reduction_count, i, r->types[i]);
  }
  hlo_node result = r->results[0].part[0];
  if (is_extreme(r) && r->opcode == HLO_OP_MAXIMUM && result != 0)
    e->graph.nodes[result].above = r->inputs[0].part[0];
  hlo_emit_reduction *reduction = add_reduction(e);
  if (reduction != NULL) *reduction = *r;
  return reduction != NULL;
}

// The first of the largest or smallest elements: finds that element, then the least number of those
// that equal it, which together takes less than to carry both along.
static bool add_first(hlo_emitter *e, const hlo_emit_reduction *both, bool largest) {
  hlo_graph *g = &e->graph;
  hlo_type type = both->types[0];
  hlo_value x = both->inputs[0], arguments[4] = {both->initial[0], both->initial[1]}, none;
  hlo_emit_reduction value = {.instruction = both->instruction,
                              .map = both->map,
                              .elements = both->elements,
                              .leaves = 1,
                              .runs = 1,
                              .opcode = largest ? HLO_OP_MAXIMUM : HLO_OP_MINIMUM,
                              .types = {type},
                              .work = {type},
                              .inputs = {x}};
  hlo_emit_reduction number = {.map = both->map,
                               .elements = both->elements,
                               .leaves = 1,
                               .runs = 1,
                               .opcode = HLO_OP_MINIMUM,
                               .types = {both->types[1]},
                               .work = {both->types[1]}};
  set_runs(&value);
  int32_t at = e->reduction_count;
  if (!neutral(g, value.opcode, type, &value.initial[0]) || !add_made(e, &value)) return false;
  hlo_value found = value.results[0];
  hlo_node equal, x_nan, found_nan;
  if (!hlo_value_compare(g, type, "EQ", false, x, found, &equal)) return false;
  number.finds = equal;
  if (hlo_type_is_float(type)) {
    hlo_value_compare(g, type, "NE", false, x, x, &x_nan);
    hlo_value_compare(g, type, "NE", false, found, found, &found_nan);
    equal = hlo_graph_2(g, SIMD_OR, equal, hlo_graph_2(g, SIMD_AND, x_nan, found_nan));
  }
  if (!neutral(g, HLO_OP_MINIMUM, both->types[1], &none)) return false;
  number.inputs[0] = hlo_value_select(g, both->types[1], equal, both->inputs[1], none);
  number.initial[0] = none;
  if (!add_made(e, &number)) return false;
  arguments[2] = found;
  arguments[3] = number.results[0];
  return hlo_emit_combine(e, both, arguments, arguments + 2, e->reductions[at].values);
}

bool hlo_emit_reduce(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                     const hlo_element_map *map, hlo_value *out) {
  for (int32_t i = 0; i < e->reduction_count; i++) {
    const hlo_emit_reduction *known = &e->reductions[i];
    if (known->instruction != instruction || !hlo_element_map_equal(known->map, map)) continue;
    *out = known->values[leaf];
    return true;
  }
  hlo_emit_reduction made = {.instruction = instruction, .map = map};
  hlo_choice choice;
  // The reductions that its operands need are added on the way, and so before it.
  if (e->guards > 0 || is_moved(map) || !match_operation(e, &made, &choice) ||
      !lower_inputs(e, &made))
    return false;
  int32_t number = e->reduction_count;
  bool is_first = choice == HLO_CHOICE_FIRST_LARGEST || choice == HLO_CHOICE_FIRST_SMALLEST;
  if (is_first ? !add_first(e, &made, choice == HLO_CHOICE_FIRST_LARGEST) : !add_made(e, &made))
    return false;
  *out = e->reductions[number].values[leaf];
  return true;
}
