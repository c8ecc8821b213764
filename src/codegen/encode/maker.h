// A kernel under way: its nest of loops and the function that is written. Shared by kernel.c, which
// writes the loops, and vector_code.c and memory_code.c, which write what happens in them.
#ifndef HLO_CODEGEN_ENCODE_MAKER_H
#define HLO_CODEGEN_ENCODE_MAKER_H

#include "codegen/encode/wasm_code.h"
#include "codegen/schedule/nest.h"

enum {
  HLO_PARAMETER_ARGUMENTS,
  HLO_PARAMETER_ROW,
  HLO_PARAMETER_ROW_END,
  HLO_PARAMETER_INNER,
  HLO_PARAMETER_INNER_END,
  HLO_PARAMETERS
};
enum {
  HLO_EMIT_MAX_UNROLL = HLO_EMIT_STEP / 4,
};

typedef enum hlo_level {
  HLO_LEVEL_CONSTANT,
  HLO_LEVEL_ROW, // the same for a whole row; in a column nest: for all reduced steps
  HLO_LEVEL_INNER,
} hlo_level;

typedef struct hlo_maker {
  hlo_emitter *e;
  hlo_nest nest;
  hlo_wasm_function f;
  int32_t analyzed;    // nodes whose level and stage are known
  int32_t epoch;       // counts loops
  int32_t computed;    // counts copies of a step: what is computed in one is not known in another
  int64_t inner_chunk; // elements of the inner loop that a call visits at most
  int64_t scratch_bytes;
  int32_t scratch_argument;
  int64_t call_slot; // in scratch memory: for operands and results of calls; 0: not there yet
  hlo_node mask;     // stands for the mask of the elements that exist, in the last step of a loop
  bool whole_rows;   // of a map, so short that each call visits them whole
  bool splits;       // rows are visited in parts, one call each: of the loop `split_loop`
  int32_t split_loop;
  int64_t split_end;   // where that loop ends
  int64_t turn;        // so many rows have a part before any has the next,
  int64_t carry_bytes; // each with running values of its own; else 0
  // What is read at two places, halves of a row or two rows: steps of the loop from one to the
  // other; else 0.
  int64_t away;
  int32_t away_loop;
  // Where the code under way stands.
  bool in_row;      // before or between the loops of a row
  bool masked;      // in a step that may have less than four elements
  bool interior;    // in a step where masks of indices are known,
  bool exists;      // and all elements that are read exist
  bool second;      // between the loops of two rows: at the second one
  int32_t lanes;    // elements of a step
  int32_t further;  // of the four elements at hand: from the first one of the step
  int32_t step;     // copy of the inner step
  int32_t copies;   // at each place
  bool interleaved; // copies are written node by node: the locals of one follow each other, by copy
  int32_t slice;    // copy of the innermost outer step
  int32_t far_rows; // so many such copies, if they are far apart
  int64_t apart;    // steps between those; else 0
  bool one_by_one;  // no such copies
  int32_t count;    // local: elements of the inner loop that are left
  int32_t block;    // local: elements of the block under way; 0: loops go over all
  int32_t cost;     // instructions of the step that was counted
} hlo_maker;

static inline bool hlo_maker_splits_inner(const hlo_maker *m) {
  return m->splits && m->split_loop == hlo_nest_inner(&m->nest);
}
static inline bool hlo_maker_has_two_rows(const hlo_maker *m) { return m->away > 0 && !m->splits; }
static inline int32_t hlo_maker_places(const hlo_maker *m) { return m->away > 0 ? 2 : 1; }
// Valid until a node is added.
static inline hlo_graph_node *hlo_maker_node(const hlo_maker *m, hlo_node node) {
  return &m->e->graph.nodes[node];
}
// Levels and stages of nodes added since.
void hlo_maker_analyze(hlo_maker *m);

// --- vector_code.c: pushes the value of a node. Nodes used more than once in the loop under way
// get a local ---
void hlo_maker_push(hlo_maker *m, hlo_node node);
// Computes a node and what it needs in so many copies of the step side by side.
void hlo_maker_compute(hlo_maker *m, hlo_node node, int32_t copies);
// Counts how often nodes are used in the loop to come, from one of its roots; notes the accesses. A
// new epoch first.
void hlo_maker_count(hlo_maker *m, hlo_node root);
// Computes what the root needs of values that are the same for the row, while no loop is under way.
void hlo_maker_prepare(hlo_maker *m, hlo_node root);
// Sets the locals of the constants that were pushed: to stand before everything else.
void hlo_maker_write_constants(hlo_maker *m);
// Whether a node that is known to the maker has one value for all elements of the loop under way.
bool hlo_maker_is_uniform(const hlo_maker *m, hlo_node node);
// A call of the function with that index in the engine's table, of a type of wasm_code.h.
void hlo_maker_call(hlo_maker *m, int32_t function, int32_t type);
int32_t hlo_maker_vector(hlo_maker *m); // a new local
int32_t hlo_maker_integer(hlo_maker *m);

// --- memory_code.c ---
void hlo_maker_push_load(hlo_maker *m, const hlo_graph_node *load);
void hlo_maker_push_index(hlo_maker *m, const hlo_graph_node *index);
// Writes vectors in locals to a result's elements: `parts` of them.
void hlo_maker_store(hlo_maker *m, int32_t access, const int32_t *parts);
// Vectors of scratch memory: a new access for one vector per four elements of the inner loop.
int32_t hlo_maker_new_slot(hlo_maker *m);
int32_t hlo_maker_new_step_slot(hlo_maker *m);         // in a column nest, for each reduced step
int32_t hlo_maker_new_row(hlo_maker *m, int64_t size); // for elements of so many bytes
int32_t hlo_maker_new_block_slot(hlo_maker *m);        // the same for the elements of a block
void hlo_maker_push_slot(hlo_maker *m, int32_t access);
void hlo_maker_store_slot(hlo_maker *m, int32_t access, int32_t local);
// What a loop of the engine makes of operands in locals, left on the stack.
void hlo_maker_push_loop(hlo_maker *m, const hlo_graph_node *node, const int32_t *operands);
// Vectors at the start of scratch memory that stay from call to call, by number.
void hlo_maker_push_carry(hlo_maker *m, int32_t number);
void hlo_maker_store_carry(hlo_maker *m, int32_t number, int32_t local);
// Adds a constant to a local.
void hlo_maker_advance(hlo_maker *m, int32_t local, int64_t by);
// Bytes (of an index: the number) that an access moves by a step of a loop.
int64_t hlo_access_stride(const hlo_access *access, int32_t loop);

#endif
