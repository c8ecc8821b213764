// Graphs of vectors: numbering, and short ways to make nodes. See graph.h.
#include "codegen/graph/graph.h"

#include "base/bits.h"
#include "codegen/encode/wasm_code.h"

#include <string.h>

enum { FIRST_CAPACITY = 128 };

static uint32_t hash_of(const hlo_graph_node *node) {
  uint32_t hash = 2166136261u;
  const uint32_t words[] = {node->kind, node->op, (uint32_t)node->index};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) hash = (hash ^ words[i]) * 16777619u;
  for (int i = 0; i < node->operand_count; i++)
    hash = (hash ^ (uint32_t)node->operands[i]) * 16777619u;
  for (int i = 0; i < 16; i++) hash = (hash ^ node->immediate[i]) * 16777619u;
  return hash ^ hash >> 15;
}

static bool is_same(const hlo_graph_node *a, const hlo_graph_node *b) {
  return a->kind == b->kind && a->op == b->op && a->index == b->index &&
         memcmp(a->operands, b->operands, sizeof a->operands) == 0 &&
         memcmp(a->immediate, b->immediate, sizeof a->immediate) == 0;
}

// The place of the node in the table: its equal's, or a free one.
static int32_t *place_of(const hlo_graph *graph, const hlo_graph_node *node) {
  uint32_t mask = (uint32_t)graph->table_size - 1, at = hash_of(node) & mask;
  while (graph->table[at] != 0 && !is_same(&graph->nodes[graph->table[at]], node)) {
    at = (at + 1) & mask;
  }
  return &graph->table[at];
}

static bool grow(hlo_graph *graph) {
  int32_t capacity = graph->capacity == 0 ? FIRST_CAPACITY : graph->capacity * 2;
  hlo_graph_node *nodes = hlo_arena_array(graph->arena, (size_t)capacity, sizeof *nodes);
  int32_t *table = hlo_arena_array(graph->arena, (size_t)capacity * 2, sizeof *table);
  if (nodes == NULL || table == NULL) return false;
  if (graph->count > 0) memcpy(nodes, graph->nodes, (size_t)graph->count * sizeof *nodes);
  graph->nodes = nodes;
  graph->table = table;
  graph->capacity = capacity;
  graph->table_size = capacity * 2;
  if (graph->count == 0) graph->count = 1;
  for (int32_t i = 1; i < graph->count; i++) *place_of(graph, &nodes[i]) = i;
  return true;
}

hlo_node hlo_graph_add(hlo_graph *graph, const hlo_graph_node *node) {
  for (int i = 0; i < node->operand_count; i++) {
    if (node->operands[i] == 0) return 0;
  }
  if (graph->failed) return 0;
  if (graph->count == graph->capacity && !grow(graph)) {
    graph->failed = true;
    return 0;
  }
  int32_t *place = place_of(graph, node);
  if (*place == 0) {
    int32_t depth = 0;
    bool by_lanes = node->kind == HLO_NODE_SIMD || node->kind == HLO_NODE_SHIFT ||
                    node->kind == HLO_NODE_LANES || node->kind == HLO_NODE_CALL;
    for (int i = 0; i < node->operand_count; i++) {
      const hlo_graph_node *operand = &graph->nodes[node->operands[i]];
      if (operand->depth > depth) depth = operand->depth;
      by_lanes = by_lanes && operand->is_alike;
    }
    graph->nodes[graph->count] = *node;
    graph->nodes[graph->count].depth = depth + 1;
    graph->nodes[graph->count].is_alike = node->is_alike || by_lanes;
    if (depth + 1 > graph->depth) graph->depth = depth + 1;
    *place = graph->count++;
  }
  return *place;
}

hlo_node hlo_graph_like(hlo_graph *graph, const hlo_graph_node *node, const hlo_node *operands) {
  hlo_graph_node same = {.kind = node->kind, .op = node->op, .index = node->index};
  same.operand_count = node->operand_count;
  for (int o = 0; o < node->operand_count; o++) same.operands[o] = operands[o];
  memcpy(same.immediate, node->immediate, sizeof same.immediate);
  return hlo_graph_add(graph, &same);
}

hlo_node hlo_graph_simd(hlo_graph *graph, uint32_t op, hlo_node a, hlo_node b, hlo_node c) {
  hlo_graph_node node = {.kind = HLO_NODE_SIMD, .op = (uint16_t)op, .operands = {a, b, c}};
  node.operand_count = c != 0 ? 3 : b != 0 ? 2 : 1;
  return hlo_graph_add(graph, &node);
}

hlo_node hlo_graph_1(hlo_graph *g, uint32_t op, hlo_node a) {
  return hlo_graph_simd(g, op, a, 0, 0);
}

hlo_node hlo_graph_2(hlo_graph *g, uint32_t op, hlo_node a, hlo_node b) {
  return hlo_graph_simd(g, op, a, b, 0);
}

hlo_node hlo_graph_add_product(hlo_graph *g, hlo_node a, hlo_node b, hlo_node sum) {
  if (g->target.relaxed_simd) return hlo_graph_simd(g, SIMD_F32X4_RELAXED_MADD, a, b, sum);
  return hlo_graph_2(g, SIMD_F32X4_ADD, hlo_graph_2(g, SIMD_F32X4_MUL, a, b), sum);
}

hlo_node hlo_graph_subtract_product(hlo_graph *g, hlo_node a, hlo_node b, hlo_node from) {
  if (g->target.relaxed_simd) return hlo_graph_simd(g, SIMD_F32X4_RELAXED_NMADD, a, b, from);
  return hlo_graph_2(g, SIMD_F32X4_SUB, from, hlo_graph_2(g, SIMD_F32X4_MUL, a, b));
}

hlo_node hlo_graph_truncate(hlo_graph *g, hlo_node a) {
  bool relaxed = g->target.relaxed_simd;
  return hlo_graph_1(g, relaxed ? SIMD_I32X4_RELAXED_TRUNC_S : SIMD_I32X4_TRUNC_F32_S, a);
}

hlo_node hlo_graph_select(hlo_graph *g, hlo_node mask, hlo_node a, hlo_node b) {
  // One machine instruction, not three.
  uint32_t op = g->target.relaxed_simd ? SIMD_I32X4_RELAXED_LANESELECT : SIMD_BITSELECT;
  return hlo_graph_simd(g, op, a, b, mask);
}

hlo_node hlo_graph_shift(hlo_graph *graph, uint32_t op, hlo_node a, uint32_t bits) {
  hlo_graph_node node = {
      .kind = HLO_NODE_SHIFT, .op = (uint16_t)op, .operand_count = 1, .operands = {a}};
  node.immediate[0] = (uint8_t)bits;
  return bits == 0 ? a : hlo_graph_add(graph, &node);
}

hlo_node hlo_graph_shift_by(hlo_graph *graph, uint32_t op, hlo_node a, hlo_node count) {
  hlo_graph_node node = {
      .kind = HLO_NODE_SHIFT, .op = (uint16_t)op, .operand_count = 2, .operands = {a, count}};
  return hlo_graph_add(graph, &node);
}

static hlo_node shuffle(hlo_graph *graph, hlo_node a, hlo_node b, const uint8_t bytes[16]) {
  hlo_graph_node node = {
      .kind = HLO_NODE_SHUFFLE, .op = SIMD_SHUFFLE, .operand_count = 2, .operands = {a, b}};
  memcpy(node.immediate, bytes, sizeof node.immediate);
  return hlo_graph_add(graph, &node);
}

hlo_node hlo_graph_bytes(hlo_graph *graph, const uint8_t bytes[16]) {
  hlo_graph_node node = {.kind = HLO_NODE_CONSTANT};
  memcpy(node.immediate, bytes, sizeof node.immediate);
  return hlo_graph_add(graph, &node);
}

hlo_node hlo_graph_lookup(hlo_graph *graph, hlo_node table, hlo_node numbers) {
  // One machine instruction, not two.
  uint32_t op = graph->target.relaxed_simd ? SIMD_I8X16_RELAXED_SWIZZLE : SIMD_I8X16_SWIZZLE;
  return hlo_graph_2(graph, op, table, numbers);
}

hlo_node hlo_graph_lanes32(hlo_graph *graph, hlo_node a, hlo_node b, int x, int y, int z, int w) {
  const int lanes[] = {x, y, z, w};
  uint8_t bytes[16];
  for (int i = 0; i < 16; i++) bytes[i] = (uint8_t)(lanes[i / 4] * 4 + i % 4);
  return shuffle(graph, a, b, bytes);
}

static hlo_node constant(hlo_graph *graph, uint64_t bits) { // little-endian
  hlo_graph_node node = {.kind = HLO_NODE_CONSTANT, .is_alike = true};
  for (int i = 0; i < 16; i++) node.immediate[i] = (uint8_t)(bits >> i % 8 * 8);
  return hlo_graph_add(graph, &node);
}

hlo_node hlo_graph_splat32(hlo_graph *graph, uint32_t bits) {
  return constant(graph, (uint64_t)bits << 32 | bits);
}
hlo_node hlo_graph_splat64(hlo_graph *graph, uint64_t bits) { return constant(graph, bits); }

hlo_node hlo_graph_f32(hlo_graph *graph, float value) {
  return hlo_graph_splat32(graph, bits_of_float(value));
}

hlo_node hlo_graph_f64(hlo_graph *graph, double value) {
  return hlo_graph_splat64(graph, bits_of_double(value));
}

hlo_node hlo_graph_by_lane(hlo_graph *graph, uint32_t op, uint32_t extract, uint32_t replace,
                           int lanes, hlo_node a, hlo_node b) {
  hlo_graph_node node = {.kind = HLO_NODE_LANES, .op = (uint16_t)op, .operands = {a, b}};
  node.operand_count = b != 0 ? 2 : 1;
  node.immediate[0] = (uint8_t)extract;
  node.immediate[1] = (uint8_t)replace;
  node.immediate[2] = (uint8_t)lanes;
  return hlo_graph_add(graph, &node);
}

hlo_node hlo_graph_call(hlo_graph *graph, void (*function)(void), bool wide, hlo_node a,
                        hlo_node b) {
  uint32_t type = (wide ? HLO_WASM_TYPE_F64_1 : HLO_WASM_TYPE_F32_1) + (b != 0);
  hlo_graph_node node = {.kind = HLO_NODE_CALL, .op = (uint16_t)type, .operands = {a, b}};
  node.operand_count = b != 0 ? 2 : 1;
  node.index = (int32_t)(uint32_t)(uintptr_t)function;
  node.immediate[0] = wide ? SIMD_F64X2_EXTRACT : SIMD_F32X4_EXTRACT;
  node.immediate[1] = wide ? SIMD_F64X2_REPLACE : SIMD_F32X4_REPLACE;
  node.immediate[2] = wide ? 2 : 4;
  return hlo_graph_add(graph, &node);
}

hlo_node hlo_graph_loop(hlo_graph *graph,
                        void (*function)(void *result, const void *const *operands, int64_t n),
                        int elements, hlo_node a, hlo_node b) {
  hlo_graph_node node = {.kind = HLO_NODE_LOOP, .operands = {a, b}};
  node.operand_count = b != 0 ? 2 : 1;
  node.index = (int32_t)(uint32_t)(uintptr_t)function;
  node.immediate[0] = (uint8_t)elements;
  return hlo_graph_add(graph, &node);
}

hlo_node hlo_graph_patch(hlo_graph *graph, hlo_node mask, hlo_node value, float (*function)(float),
                         hlo_node x) {
  hlo_graph_node node = {.kind = HLO_NODE_PATCH, .operand_count = 3, .operands = {mask, value, x}};
  node.op = HLO_WASM_TYPE_F32_1;
  node.index = (int32_t)(uint32_t)(uintptr_t)function;
  return hlo_graph_add(graph, &node);
}

hlo_node hlo_graph_patch_many(hlo_graph *graph, hlo_node mask, hlo_node value,
                              void (*function)(void), bool wide, int count, const hlo_node *x) {
  hlo_graph_node node = {.kind = HLO_NODE_PATCH, .operands = {mask, value}};
  node.op = count == 2 ? HLO_WASM_TYPE_F32_2 : HLO_WASM_TYPE_F32_4;
  if (wide) {
    node.op = count == 1   ? HLO_WASM_TYPE_F64_1
              : count == 2 ? HLO_WASM_TYPE_F64_2
                           : HLO_WASM_TYPE_F64_4;
  }
  node.operand_count = (uint8_t)(2 + count);
  node.index = (int32_t)(uint32_t)(uintptr_t)function;
  for (int i = 0; i < count; i++) node.operands[2 + i] = x[i];
  return hlo_graph_add(graph, &node);
}

hlo_node hlo_graph_parameter(hlo_graph *graph) {
  hlo_graph_node node = {.kind = HLO_NODE_PARAMETER, .index = graph->count};
  return hlo_graph_add(graph, &node);
}

bool hlo_graph_is_alike(const hlo_graph *graph, hlo_node node) {
  return graph->nodes[node].is_alike;
}

bool hlo_graph_is_splat64(const hlo_graph *graph, hlo_node node, uint64_t *bits) {
  const hlo_graph_node *n = &graph->nodes[node];
  if (node == 0 || n->kind != HLO_NODE_CONSTANT) return false;
  memcpy(bits, n->immediate, sizeof *bits);
  return memcmp(n->immediate, n->immediate + 8, 8) == 0;
}

bool hlo_graph_is_splat32(const hlo_graph *graph, hlo_node node, uint32_t *bits) {
  uint64_t wide;
  if (!hlo_graph_is_splat64(graph, node, &wide) || wide >> 32 != (uint32_t)wide) return false;
  *bits = (uint32_t)wide;
  return true;
}
