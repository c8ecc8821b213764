// The state of one fusion while code is generated for it, shared by the files of codegen/: the
// loops, what is read and written at each step of them, the graph of values, the reductions.
#ifndef HLO_CODEGEN_LOWER_EMITTER_H
#define HLO_CODEGEN_LOWER_EMITTER_H

#include "codegen/codegen.h"
#include "codegen/graph/value.h"

enum {
  HLO_EMIT_MAX_RANK = 8,
  HLO_EMIT_MAX_LOOPS = 12,
  HLO_EMIT_MAX_LEAVES = 2,   // of one reduction
  HLO_EMIT_MAX_RUNS = 3,     // running values of one
  HLO_EMIT_MAX_RUNNING = 12, // running values of all reductions, two vectors each
  HLO_EMIT_MAX_OUTPUTS = 8,
};

// A number that depends on where the loops are, and on data.
typedef struct hlo_affine {
  int64_t offset;
  int64_t factors[HLO_EMIT_MAX_LOOPS];
  hlo_node dynamic; // what is added to it for each element, as 32-bit integers; 0: nothing
} hlo_affine;

// Which element of an array a step of the loops needs: one number per dimension.
typedef struct hlo_element_map {
  int32_t rank;
  hlo_affine dims[HLO_EMIT_MAX_RANK];
} hlo_element_map;

// A loop over a part of a dimension of the results (index / scale % size), or over reduced
// elements.
typedef struct hlo_emit_loop {
  int64_t size, scale;
  int32_t dimension;
  bool fresh;   // not of the results: made for a reduction to a result without it
  bool reduced; // reductions run over it
} hlo_emit_loop;

typedef enum hlo_access_kind {
  HLO_ACCESS_LOAD,
  HLO_ACCESS_STORE,
  HLO_ACCESS_INDEX, // the number itself
  HLO_ACCESS_ROOM,  // vectors in scratch memory, 16 bytes for each four elements of the innermost
                    // loop
} hlo_access_kind;

typedef struct hlo_access {
  hlo_access_kind kind;
  int32_t argument;
  int64_t size;        // bytes of an element
  hlo_affine position; // in elements; in the order of loops as they are at the moment
  hlo_node moved;      // bytes from there on for each element, known only at run time; 0: none
  // A load that may leave its array (its value is then not used): the array's bytes. Else 0.
  int64_t guarded;
  // Set while code is made: locals with its address at each level of loops.
  int32_t row, outer, inner;
  int32_t late;     // of an output: the local with its address in the row before, if it is written
                    // there; 0: it is not
  int32_t ahead;    // of a load: 1 + the access whose next row it reads; 0: it is not one
  int32_t moved_by; // of a load under way: the local with `moved`
  bool used;        // by the loop under way
  bool repeats;     // a load that four elements share, beginning with every fourth one
  bool in_block;    // a scratch slot for the elements of a block: it starts anew with each
} hlo_access;

// A value that was made of an instruction (one leaf) for some element.
typedef struct hlo_lowered {
  struct hlo_lowered *next;
  int32_t leaf;
  const hlo_element_map *map;
  hlo_value value;
} hlo_lowered;

typedef struct hlo_emit_reduction {
  const hlo_instruction *instruction;
  const hlo_element_map *map; // of its results
  int64_t elements;           // of each result
  int32_t leaves;
  int32_t runs;      // running values: one per leaf, but three of the largest or smallest float
  hlo_opcode opcode; // of a single op; HLO_OP_COUNT: the computation's
  hlo_type types[HLO_EMIT_MAX_LEAVES]; // of elements
  hlo_type work[HLO_EMIT_MAX_RUNS];    // of running values
  hlo_value inputs[HLO_EMIT_MAX_LEAVES], initial[HLO_EMIT_MAX_LEAVES];
  hlo_value start[HLO_EMIT_MAX_RUNS];     // what running values start with
  hlo_value running[HLO_EMIT_MAX_RUNS];   // nodes that stand for them
  hlo_value next[HLO_EMIT_MAX_RUNS];      // of running and inputs
  hlo_value results[HLO_EMIT_MAX_LEAVES]; // nodes that stand for the results
  hlo_value values[HLO_EMIT_MAX_LEAVES];  // what the instruction gives: mostly the results
  // Not 0: it looks for the first number at which this mask is set (or, if it is nowhere, some
  // other). Its running values start as all ones but for the sign, which no later element is less
  // than, once one has come.
  hlo_node finds;
  int32_t stage; // of its inputs
  int32_t slot[HLO_EMIT_MAX_RUNS]
              [HLO_VALUE_PARTS]; // accesses, where running values are kept in memory
  // The same of a sum of two floats that takes them in, block by block; 0: there is none.
  int32_t high_slot[HLO_VALUE_PARTS], low_slot[HLO_VALUE_PARTS];
} hlo_emit_reduction;

typedef struct hlo_emit_output {
  int32_t leaf; // of the result
  hlo_type type;
  hlo_value memory; // the parts to store
  int32_t access;
  int64_t bytes; // per element
} hlo_emit_output;

// Equal parts of all results along a dimension, of each of which a step of the loops makes the same
// element.
typedef struct hlo_result_parts {
  int32_t count, dimension;
} hlo_result_parts;

typedef struct hlo_emitter {
  hlo_arena *arena; // everything of this fusion
  hlo_arena *kept;  // what goes into the kernel
  hlo_emit_imports *imports;
  hlo_error *error;
  const hlo_instruction *fusion;
  const hlo_computation *computation;
  hlo_graph graph;
  int32_t loop_count;
  hlo_emit_loop loops[HLO_EMIT_MAX_LOOPS];
  int32_t access_count, access_capacity;
  hlo_access *accesses;
  int32_t argument_count, argument_capacity;
  hlo_emit_argument *arguments;
  int32_t reduction_count, reduction_capacity;
  hlo_emit_reduction *reductions;
  hlo_result_parts parts;
  int32_t output_count; // a part of a leaf each
  hlo_emit_output *outputs;
  hlo_lowered **lowered; // by instruction id
  int32_t depth;         // of the walk
  int32_t guards;        // inside of so many ops whose operands may not have the element
  // A loop to be split so that its inner part has so many steps; -1: none.
  int32_t split;
  int64_t split_size;
  bool has_stopped; // lowering, for the reason that follows
  const hlo_instruction
      *obstacle; // the instruction that there is no code for in its place, or NULL
  bool out_of_memory;
} hlo_emitter;

// --- element_map.c ---
// A map of the rank with all numbers 0; NULL when memory is out.
hlo_element_map *hlo_element_map_new(hlo_emitter *e, int32_t rank);
bool hlo_element_map_equal(const hlo_element_map *a, const hlo_element_map *b);
bool hlo_position_equal(const hlo_affine *a, const hlo_affine *b);
// Adds `from` so many times.
void hlo_position_add_scaled(hlo_emitter *e, hlo_affine *to, const hlo_affine *from, int64_t scale);
// The operand's element for a result's, of the ops that only move elements. NULL: cannot be said.
const hlo_element_map *hlo_element_map_through(hlo_emitter *e, const hlo_instruction *instruction,
                                               const hlo_element_map *map);
hlo_affine hlo_affine_of_position(hlo_emitter *e, const hlo_shape *shape,
                                  const hlo_element_map *map);
// Gives the dims of an array the loops that `take` says, in order; sizes must fit.
bool hlo_element_map_over_loops(hlo_emitter *e, int32_t rank, const int64_t *dims, const bool *take,
                                hlo_element_map *out);

// --- result_parts.c ---
// What the parts are; {1} when results are best made as wholes.
hlo_result_parts hlo_emit_match_parts(hlo_emitter *e);

// --- lower.c ---
// Makes loops, graph, accesses, reductions and outputs of the fusion. False: no code can be made.
bool hlo_emit_lower(hlo_emitter *e);
// Marks the nodes that results, places in memory and running values are.
void hlo_emit_mark_roots(const hlo_emitter *e, bool *marked);

// --- value.c ---
// The value of an element of an instruction's leaf. False: no code can be made.
typedef bool hlo_emit_function(hlo_emitter *e, const hlo_instruction *instruction, int32_t leaf,
                               const hlo_element_map *map, hlo_value *out);
hlo_emit_function hlo_emit_value;

// --- families.c ---
hlo_emit_function *hlo_emit_function_of(hlo_opcode opcode);

// --- operations.c ---
// The index of the access or argument, appended unless, for an argument, it is known already; -1
// when out of memory.
int32_t hlo_emit_add_access(hlo_emitter *e, const hlo_access *access);
int32_t hlo_emit_add_argument(hlo_emitter *e, hlo_emit_argument argument);
hlo_emit_function hlo_emit_parameter, hlo_emit_constant, hlo_emit_iota, hlo_emit_tuple_element,
    hlo_emit_movement, hlo_emit_pad, hlo_emit_concatenate, hlo_emit_each_element;

// --- gather.c: reads from where data says ---
// The start as 32-bit integers, at least 0 and at most `limit`.
bool hlo_emit_clamp_start(hlo_graph *graph, hlo_type type, hlo_value start, int64_t limit,
                          hlo_node *out);
hlo_emit_function hlo_emit_dynamic_slice, hlo_emit_gather;

// --- reduce.c ---
hlo_emit_function hlo_emit_reduce;
// Running values of two groups of elements combined.
bool hlo_emit_combine(hlo_emitter *e, const hlo_emit_reduction *reduction, const hlo_value *left,
                      const hlo_value *right, hlo_value *out);
// In a row nest: leaves running values of largest and smallest elements as they are where nothing
// depends on them. extremes.c.
void hlo_emit_loosen_extremes(hlo_emitter *e);
// Leaves a factor out of exponentials and their sum where they are only divided. scaled_sums.c.
void hlo_emit_scale_sums(hlo_emitter *e);
// Takes multiply-adds where sums hide how they round. multiply_adds.c.
void hlo_emit_use_multiply_adds(hlo_emitter *e);
// What the results are, from all running values combined.
bool hlo_emit_finish_reduction(hlo_emitter *e, const hlo_emit_reduction *reduction,
                               const hlo_value *total, hlo_value *out);

#endif
