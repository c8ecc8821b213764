// What one step of a loop computes: a graph of vectors. Each node is one value of 128 bits, mostly
// one SIMD instruction; equal nodes are the same node, and operands stand before their users.
// Memory that runs out is noted and found at the end.
#ifndef HLO_CODEGEN_GRAPH_GRAPH_H
#define HLO_CODEGEN_GRAPH_GRAPH_H

#include "base/arena.h"
#include "codegen/encode/simd_opcodes.h"
#include "kernels/target.h"

#include <stdbool.h>

// Number of a node; 0 is none.
typedef int32_t hlo_node;

enum { HLO_NODE_MAX_OPERANDS = 6 };

typedef enum hlo_node_kind {
  HLO_NODE_NONE,
  HLO_NODE_CONSTANT, // immediate
  HLO_NODE_SIMD,     // op of operands
  HLO_NODE_SHIFT,    // op of operand 0 by immediate[0] bits, or by lane 0 of operand 1
  HLO_NODE_SHUFFLE,  // bytes immediate[i] of operands 0 and 1
  HLO_NODE_LANES,    // scalar op lane by lane; immediate[0], [1]: extract and replace instruction,
                     // [2]: lanes
  HLO_NODE_CALL,     // the same by the function of engine table index `index`, of type `op`
  HLO_NODE_LOOP,     // what the function of engine table index `index` gives for arrays of
                     // immediate[0] elements, the operands in memory
  HLO_NODE_PATCH, // operand 1, but where operand 0 is set a function of engine table index `index`
                  // and type `op` of the operands after
  HLO_NODE_LOAD,  // part `op` of the four elements at hand of access `index`; immediate[0]: whether
                  // 8 or 16 bits are extended by their sign, not zeros; [1]: four elements so many
                  // times four further on; [2]: not 0: all elements of a step, in lanes of so many
                  // bits
  HLO_NODE_INDEX, // four values of access `index`, as i32; immediate[1]: as of loads
  HLO_NODE_REDUCED,   // part `op` of what reduction `index` gives
  HLO_NODE_PARAMETER, // a vector that whoever emits the code puts there
} hlo_node_kind;

// A difference that only an exponential uses, to which both zeros are alike.
enum { HLO_SIMD_EXPONENT = 1 };

typedef struct hlo_graph_node {
  uint8_t kind; // hlo_node_kind
  uint8_t operand_count;
  uint16_t op;
  int32_t index; // of an HLO_NODE_SIMD: 0, or HLO_SIMD_EXPONENT
  hlo_node operands[HLO_NODE_MAX_OPERANDS];
  uint8_t immediate[16];
  bool is_alike;     // what 32 or 64 bits the lanes have is the same in all of them
  bool is_byte;      // f32 of integers from -128 to 255
  int32_t depth;     // nodes on the longest way to one without operands
  hlo_node above;    // not 0: no element of that node is greater, unless one is NaN
  hlo_node exponent; // not 0: e to the power of that
  // The exponent is less what is greatest, and operand 0 is 2^100 times the power.
  bool is_below;
  hlo_node dividend; // not 0: it is the whole part of that divided by `divisor`, as 32-bit integers
  int32_t divisor;
  // Set by those who emit code:
  uint8_t level; // hlo_level
  int32_t stage; // so many reductions, one after the other, come before it
  int32_t uses;  // in the loop under way
  int32_t epoch; // the loop that `uses` is about
  int32_t visited;
  int32_t local; // holds it, if `computed` is the copy of the loop's step that is written; -1: none
  int32_t computed;
  int32_t slot; // 1 + the access where it is kept in scratch memory; 0: it is not
} hlo_graph_node;

typedef struct hlo_graph {
  hlo_arena *arena;
  hlo_target target;     // whose instructions nodes may be
  hlo_graph_node *nodes; // nodes[0] is none
  int32_t count, capacity;
  int32_t *table; // by hash: numbers of nodes
  int32_t table_size;
  int32_t depth; // of the deepest node: code is written by walks that are as deep
  bool failed;
} hlo_graph;

// Numbers a node, or finds its equal. 0 when the graph has failed or an operand is none.
hlo_node hlo_graph_add(hlo_graph *graph, const hlo_graph_node *node);

// The same of other operands.
hlo_node hlo_graph_like(hlo_graph *graph, const hlo_graph_node *node, const hlo_node *operands);
hlo_node hlo_graph_simd(hlo_graph *graph, uint32_t op, hlo_node a, hlo_node b, hlo_node c);
hlo_node hlo_graph_shift(hlo_graph *graph, uint32_t op, hlo_node a, uint32_t bits);
// By what lane 0 of `count` says, modulo the width of lanes.
hlo_node hlo_graph_shift_by(hlo_graph *graph, uint32_t op, hlo_node a, hlo_node count);
// Four 32-bit lanes of a and b: 0 … 3 are a's, 4 … 7 b's.
hlo_node hlo_graph_lanes32(hlo_graph *graph, hlo_node a, hlo_node b, int x, int y, int z, int w);
hlo_node hlo_graph_bytes(hlo_graph *graph, const uint8_t bytes[16]); // a constant
// The bytes of a table that bytes say, each below 16 or above 127, for which it is 0.
hlo_node hlo_graph_lookup(hlo_graph *graph, hlo_node table, hlo_node numbers);
hlo_node hlo_graph_splat32(hlo_graph *graph, uint32_t bits);
hlo_node hlo_graph_splat64(hlo_graph *graph, uint64_t bits);
hlo_node hlo_graph_f32(hlo_graph *graph, float value);
hlo_node hlo_graph_f64(hlo_graph *graph, double value);
// A scalar instruction for each lane: of so many lanes taken out by `extract` and put in by
// `replace`.
hlo_node hlo_graph_by_lane(hlo_graph *graph, uint32_t op, uint32_t extract, uint32_t replace,
                           int lanes, hlo_node a, hlo_node b);
// A function of one or two (b not 0) f32 or, if wide, f64 for each lane. In WebAssembly its address
// is its index in the engine's table.
hlo_node hlo_graph_call(hlo_graph *graph, void (*function)(void), bool wide, hlo_node a,
                        hlo_node b);
// What a loop of the engine makes of so many elements, which are an array in each operand.
hlo_node hlo_graph_loop(hlo_graph *graph,
                        void (*function)(void *result, const void *const *operands, int64_t n),
                        int elements, hlo_node a, hlo_node b);
// value, but in the (rare) lanes of 32 bits where the mask is set what the function gives for x.
hlo_node hlo_graph_patch(hlo_graph *graph, hlo_node mask, hlo_node value, float (*function)(float),
                         hlo_node x);
// The same of a function of two or four f32 or, if wide and in lanes of 64 bits, of one, two or
// four f64.
hlo_node hlo_graph_patch_many(hlo_graph *graph, hlo_node mask, hlo_node value,
                              void (*function)(void), bool wide, int count, const hlo_node *x);
hlo_node hlo_graph_parameter(hlo_graph *graph); // a new one

// --- what has an instruction of its own in relaxed SIMD, and several without ---

// f32 a b + sum and from - a b, for exact a b: whether the host rounds once or twice is not seen.
hlo_node hlo_graph_add_product(hlo_graph *graph, hlo_node a, hlo_node b, hlo_node sum);
hlo_node hlo_graph_subtract_product(hlo_graph *graph, hlo_node a, hlo_node b, hlo_node from);
// f32 to s32, rounded to zero, for numbers within its range and not NaN.
hlo_node hlo_graph_truncate(hlo_graph *graph, hlo_node a);

// Shorthands for the common ones.
hlo_node hlo_graph_1(hlo_graph *graph, uint32_t op, hlo_node a);
hlo_node hlo_graph_2(hlo_graph *graph, uint32_t op, hlo_node a, hlo_node b);
// a where the mask is set, else b: all bits of a lane of 32 are set, or none.
hlo_node hlo_graph_select(hlo_graph *graph, hlo_node mask, hlo_node a, hlo_node b);
bool hlo_graph_is_alike(const hlo_graph *graph, hlo_node node);
// The constant's first 32 or 64 bits if the node is a constant with all lanes alike.
bool hlo_graph_is_splat32(const hlo_graph *graph, hlo_node node, uint32_t *bits);
bool hlo_graph_is_splat64(const hlo_graph *graph, hlo_node node, uint64_t *bits);

#endif
