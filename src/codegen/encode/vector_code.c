// Writes the instructions that compute nodes of the graph: constants before everything, values of a
// row before its loops, the rest where it is used. See maker.h.
#include "codegen/encode/maker.h"
#include "kernels/machine.h"

#include <string.h>

int32_t hlo_maker_vector(hlo_maker *m) { return hlo_wasm_new_local(&m->f, WASM_TYPE_V128); }
int32_t hlo_maker_integer(hlo_maker *m) { return hlo_wasm_new_local(&m->f, WASM_TYPE_I32); }

// --- levels ---

static hlo_level level_of_access(const hlo_maker *m, const hlo_access *access) {
  int32_t inner = hlo_nest_inner(&m->nest);
  for (int32_t i = m->nest.kept; i < inner; i++) {
    if (access->position.factors[i] != 0) return HLO_LEVEL_INNER;
  }
  bool follows = m->nest.kind != HLO_NEST_COLUMN && access->position.factors[inner] != 0;
  return follows ? HLO_LEVEL_INNER : HLO_LEVEL_ROW;
}

static void raise_stage(const hlo_maker *m, hlo_value value, int32_t *stage) {
  for (int i = 0; i < 2; i++) {
    if (value.part[i] != 0 && hlo_maker_node(m, value.part[i])->stage > *stage)
      *stage = hlo_maker_node(m, value.part[i])->stage;
  }
}

static void follow_operands(const hlo_maker *m, hlo_graph_node *node) {
  for (int i = 0; i < node->operand_count; i++) {
    const hlo_graph_node *operand = hlo_maker_node(m, node->operands[i]);
    if (operand->level > node->level) node->level = operand->level;
    if (operand->stage > node->stage) node->stage = operand->stage;
  }
}

static void analyze_node(hlo_maker *m, hlo_graph_node *node) {
  hlo_emit_reduction *r;
  node->level = HLO_LEVEL_CONSTANT;
  node->stage = 0;
  node->local = -1;
  switch ((hlo_node_kind)node->kind) {
  case HLO_NODE_LOAD:
  case HLO_NODE_INDEX:
    node->level = (uint8_t)level_of_access(m, &m->e->accesses[node->index]);
    follow_operands(m, node);
    break;
  case HLO_NODE_PARAMETER:
    node->level = HLO_LEVEL_INNER;
    break;
  case HLO_NODE_REDUCED:
    r = &m->e->reductions[node->index];
    r->stage = 0;
    for (int32_t i = 0; i < r->leaves; i++) {
      raise_stage(m, r->inputs[i], &r->stage);
      raise_stage(m, r->initial[i], &r->stage);
    }
    node->level = HLO_LEVEL_ROW;
    node->stage = r->stage + 1;
    break;
  default:
    follow_operands(m, node);
  }
}

void hlo_maker_analyze(hlo_maker *m) {
  if (m->analyzed == 0) m->analyzed = 1;
  for (; m->analyzed < m->e->graph.count; m->analyzed++)
    analyze_node(m, hlo_maker_node(m, m->analyzed));
}

// Values of a row are computed between loops, but in a column nest, where they differ along the
// inner loop.
static bool is_hoisted(const hlo_maker *m, const hlo_graph_node *node) {
  return node->level == HLO_LEVEL_CONSTANT ||
         (node->level == HLO_LEVEL_ROW && m->nest.kind != HLO_NEST_COLUMN);
}

bool hlo_maker_is_uniform(const hlo_maker *m, hlo_node number) {
  return is_hoisted(m, hlo_maker_node(m, number));
}

// --- uses ---

void hlo_maker_count(hlo_maker *m, hlo_node number) {
  if (number == 0) return;
  hlo_maker_analyze(m);
  hlo_graph_node *node = hlo_maker_node(m, number);
  if (is_hoisted(m, node)) return;
  if (node->epoch != m->epoch) {
    node->epoch = m->epoch;
    node->uses = 0;
  }
  if (node->uses++ > 0) return;
  m->cost += node->kind == HLO_NODE_PATCH                                 ? HLO_PATCH_COST
             : node->kind == HLO_NODE_CALL || node->kind == HLO_NODE_LOOP ? HLO_CALL_COST
                                                                          : 1;
  if (node->slot > 0) {
    m->e->accesses[node->slot - 1].used = true;
    return;
  }
  if (node->kind == HLO_NODE_LOAD || node->kind == HLO_NODE_INDEX)
    m->e->accesses[node->index].used = true;
  for (int i = 0; i < node->operand_count; i++)
    hlo_maker_count(m, hlo_maker_node(m, number)->operands[i]);
}

void hlo_maker_prepare(hlo_maker *m, hlo_node number) {
  if (number == 0) return;
  hlo_maker_analyze(m);
  hlo_graph_node *node = hlo_maker_node(m, number);
  if (node->level == HLO_LEVEL_CONSTANT || node->visited == m->epoch) return;
  node->visited = m->epoch;
  if (!is_hoisted(m, node)) {
    if (node->slot > 0) return;
    for (int i = 0; i < node->operand_count; i++)
      hlo_maker_prepare(m, hlo_maker_node(m, number)->operands[i]);
    return;
  }
  if (node->local >= 0) return;
  bool in_row = m->in_row;
  m->in_row = true;
  hlo_maker_push(m, number);
  hlo_wasm_op(&m->f, WASM_DROP);
  m->in_row = in_row;
}

// --- instructions ---

// Imports come before the module's own functions, so that their numbers are known at once.
void hlo_maker_call(hlo_maker *m, int32_t function, int32_t type) {
  hlo_emit_imports *imports = m->e->imports;
  int32_t number = 0;
  while (number < imports->count && imports->items[number].function != function) number++;
  if (number == imports->capacity) {
    int32_t capacity = number == 0 ? 8 : number * 2;
    hlo_emit_import *items = hlo_arena_array(m->e->kept, (size_t)capacity, sizeof *items);
    if (items == NULL) {
      m->f.code.failed = true;
      return;
    }
    if (number > 0) memcpy(items, imports->items, (size_t)number * sizeof *items);
    imports->items = items;
    imports->capacity = capacity;
  }
  if (number == imports->count)
    imports->items[imports->count++] = (hlo_emit_import){function, type};
  hlo_wasm_branch(&m->f, WASM_CALL, (uint32_t)number);
}

static uint32_t splat_for(uint32_t replace) {
  return replace == SIMD_I32X4_REPLACE   ? SIMD_I32X4_SPLAT
         : replace == SIMD_I64X2_REPLACE ? SIMD_I64X2_SPLAT
         : replace == SIMD_F32X4_REPLACE ? SIMD_F32X4_SPLAT
                                         : SIMD_F64X2_SPLAT;
}

static void push_lanes(hlo_maker *m, const hlo_graph_node *node) {
  int32_t operands[2], result = hlo_maker_vector(m);
  for (int i = 0; i < node->operand_count; i++) {
    operands[i] = hlo_maker_vector(m);
    hlo_maker_push(m, node->operands[i]);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, operands[i]);
  }
  // Where lanes are all alike, one is enough.
  bool alike = is_hoisted(m, node) || node->is_alike;
  uint32_t lanes = alike ? 1 : node->immediate[2];
  if (!alike) hlo_wasm_local(&m->f, WASM_LOCAL_GET, operands[0]);
  for (uint32_t lane = 0; lane < lanes; lane++) {
    for (int i = 0; i < node->operand_count; i++) {
      hlo_wasm_local(&m->f, WASM_LOCAL_GET, operands[i]);
      hlo_wasm_simd(&m->f, node->immediate[0]);
      hlo_wasm_byte(&m->f.code, lane);
    }
    if (node->kind == HLO_NODE_CALL) {
      hlo_maker_call(m, node->index, node->op);
    } else {
      hlo_wasm_op(&m->f, node->op);
    }
    if (alike) {
      hlo_wasm_simd(&m->f, splat_for(node->immediate[1]));
    } else {
      hlo_wasm_simd(&m->f, node->immediate[1]);
      hlo_wasm_byte(&m->f.code, lane);
    }
  }
  hlo_wasm_local(&m->f, WASM_LOCAL_TEE, result);
}

static void push_loop(hlo_maker *m, const hlo_graph_node *node) {
  int32_t operands[2];
  for (int i = 0; i < node->operand_count; i++) {
    operands[i] = hlo_maker_vector(m);
    hlo_maker_push(m, node->operands[i]);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, operands[i]);
  }
  hlo_maker_push_loop(m, node, operands);
}

static void push_patch(hlo_maker *m, const hlo_graph_node *node) {
  int32_t locals[HLO_NODE_MAX_OPERANDS];
  for (int i = 0; i < node->operand_count; i++) {
    locals[i] = hlo_maker_vector(m);
    hlo_maker_push(m, node->operands[i]);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, locals[i]);
  }
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, locals[0]);
  hlo_wasm_simd(&m->f, SIMD_ANY_TRUE);
  hlo_wasm_begin(&m->f, WASM_IF);
  bool wide = node->op >= HLO_WASM_TYPE_F64_1 && node->op <= HLO_WASM_TYPE_F64_4;
  for (uint32_t lane = 0; lane < (wide ? 2 : 4); lane++) {
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, locals[0]);
    hlo_wasm_simd(&m->f, SIMD_I32X4_EXTRACT);
    hlo_wasm_byte(&m->f.code, wide ? 2 * lane : lane);
    hlo_wasm_begin(&m->f, WASM_IF);
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, locals[1]);
    for (int i = 2; i < node->operand_count; i++) {
      hlo_wasm_local(&m->f, WASM_LOCAL_GET, locals[i]);
      hlo_wasm_simd(&m->f, wide ? SIMD_F64X2_EXTRACT : SIMD_F32X4_EXTRACT);
      hlo_wasm_byte(&m->f.code, lane);
    }
    hlo_maker_call(m, node->index, node->op);
    hlo_wasm_simd(&m->f, wide ? SIMD_F64X2_REPLACE : SIMD_F32X4_REPLACE);
    hlo_wasm_byte(&m->f.code, lane);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, locals[1]);
    hlo_wasm_op(&m->f, WASM_END);
  }
  hlo_wasm_op(&m->f, WASM_END);
  hlo_wasm_local(&m->f, WASM_LOCAL_GET, locals[1]);
}

// They push their operands themselves, into locals.
static bool keeps_operands(const hlo_graph_node *node) {
  return node->kind == HLO_NODE_LANES || node->kind == HLO_NODE_CALL ||
         node->kind == HLO_NODE_PATCH || node->kind == HLO_NODE_LOOP || node->kind == HLO_NODE_LOAD;
}

static void push_computed(hlo_maker *m, const hlo_graph_node *node) {
  for (int i = 0; i < node->operand_count && !keeps_operands(node); i++) {
    hlo_maker_push(m, node->operands[i]);
  }
  switch ((hlo_node_kind)node->kind) {
  case HLO_NODE_SIMD:
    hlo_wasm_simd(&m->f, node->op);
    break;
  case HLO_NODE_SHIFT:
    if (node->operand_count == 1) {
      hlo_wasm_i32(&m->f, node->immediate[0]);
    } else {
      hlo_wasm_simd(&m->f, SIMD_I32X4_EXTRACT);
      hlo_wasm_byte(&m->f.code, 0);
    }
    hlo_wasm_simd(&m->f, node->op);
    break;
  case HLO_NODE_SHUFFLE:
    hlo_wasm_simd(&m->f, node->op);
    for (int i = 0; i < 16; i++) hlo_wasm_byte(&m->f.code, node->immediate[i]);
    break;
  case HLO_NODE_LANES:
  case HLO_NODE_CALL:
    push_lanes(m, node);
    break;
  case HLO_NODE_LOOP:
    push_loop(m, node);
    break;
  case HLO_NODE_PATCH:
    push_patch(m, node);
    break;
  case HLO_NODE_LOAD:
    hlo_maker_push_load(m, node);
    break;
  case HLO_NODE_INDEX:
    hlo_maker_push_index(m, node);
    break;
  default: // parameters and results of reductions have their locals, constants theirs
    break;
  }
}

// Constants, and what is computed of them alone, get locals that are set before the first loop.
static void require_constant(hlo_maker *m, hlo_node number) {
  if (hlo_maker_node(m, number)->local >= 0) return;
  int32_t local = hlo_maker_vector(m);
  hlo_maker_node(m, number)->local = local;
  for (int i = 0; i < hlo_maker_node(m, number)->operand_count; i++) {
    require_constant(m, hlo_maker_node(m, number)->operands[i]);
  }
}

void hlo_maker_write_constants(hlo_maker *m) {
  hlo_maker_analyze(m);
  for (hlo_node i = 1; i < m->e->graph.count; i++) {
    const hlo_graph_node node = *hlo_maker_node(m, i);
    if (node.level != HLO_LEVEL_CONSTANT || node.local < 0) continue;
    if (node.kind == HLO_NODE_CONSTANT) {
      hlo_wasm_simd(&m->f, SIMD_CONST);
      for (int b = 0; b < 16; b++) hlo_wasm_byte(&m->f.code, node.immediate[b]);
    } else {
      push_computed(m, &node);
    }
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, node.local);
  }
}

static void keep(hlo_maker *m, hlo_node number) {
  if (hlo_maker_node(m, number)->local < 0) {
    int32_t local = hlo_maker_vector(m);
    hlo_maker_node(m, number)->local = local;
  }
  hlo_maker_node(m, number)->computed = m->computed;
  hlo_wasm_local(&m->f, WASM_LOCAL_TEE, hlo_maker_node(m, number)->local);
}

void hlo_maker_push(hlo_maker *m, hlo_node number) {
  if (number == 0) { // memory ran out
    m->f.code.failed = true;
    return;
  }
  hlo_maker_analyze(m);
  const hlo_graph_node node =
      *hlo_maker_node(m, number); // a copy, since the graph may grow and move
  if (node.level == HLO_LEVEL_CONSTANT) require_constant(m, number);
  bool hoisted = is_hoisted(m, &node), has_fixed_local = node.kind == HLO_NODE_PARAMETER;
  if (hoisted ? hlo_maker_node(m, number)->local >= 0
              : node.local >= 0 && (has_fixed_local || node.computed == m->computed)) {
    int32_t copy = m->interleaved && !hoisted ? m->step : 0;
    hlo_wasm_local(&m->f, WASM_LOCAL_GET, hlo_maker_node(m, number)->local + copy);
    return;
  }
  if (node.slot > 0 && !hoisted) hlo_maker_push_slot(m, node.slot - 1);
  else push_computed(m, &node);
  if (hoisted || (node.epoch == m->epoch && node.uses > 1)) keep(m, number);
}

// What takes longest comes first: what is quickly made would only occupy a register until then.
void hlo_maker_compute(hlo_maker *m, hlo_node number, int32_t copies) {
  if (number == 0) return;
  const hlo_graph_node node = *hlo_maker_node(m, number);
  if (is_hoisted(m, &node) || node.kind == HLO_NODE_PARAMETER) return;
  if (node.local >= 0 && node.computed == m->computed) return;
  int32_t most = m->e->graph.depth;
  for (int32_t depth = most; depth >= 0 && node.slot == 0; depth = most) {
    most = -1; // the next lower depth of an operand
    for (int i = 0; i < node.operand_count; i++) {
      int32_t own = hlo_maker_node(m, node.operands[i])->depth;
      if (own == depth) hlo_maker_compute(m, node.operands[i], copies);
      else if (own < depth && own > most) most = own;
    }
  }
  int32_t first = hlo_maker_vector(m);
  for (int32_t copy = 1; copy < copies; copy++) hlo_maker_vector(m);
  for (m->step = 0; m->step < copies; m->step++) {
    if (node.slot > 0) hlo_maker_push_slot(m, node.slot - 1);
    else push_computed(m, &node);
    hlo_wasm_local(&m->f, WASM_LOCAL_SET, first + m->step);
  }
  m->step = 0;
  hlo_maker_node(m, number)->local = first;
  hlo_maker_node(m, number)->computed = m->computed;
}
