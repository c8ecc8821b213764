// Which instructions become one fusion. For fuse.c.
#ifndef HLO_PASSES_FUSE_GROUPS_H
#define HLO_PASSES_FUSE_GROUPS_H

#include "indexing/indexing.h"
#include "kernels/machine.h"

typedef enum hlo_fuse_kind {
  FUSE_NOT,         // stays a separate instruction
  FUSE_CONSTANT,    // small: goes into every fusion that uses it
  FUSE_ELEMENTWISE, // an element of the result for one of each operand at the same index
  FUSE_MOVE,        // an element of the result is an element of an operand
  FUSE_REDUCE,
} hlo_fuse_kind;

// An instruction as a part of a group. Cheap instructions may be in several.
typedef struct hlo_fuse_membership {
  struct hlo_fuse_membership *next;
  int32_t group;
  int64_t evaluations; // of each element, when the group runs
  bool is_indirect;    // an operand of a gather: its indices select which elements are computed
} hlo_fuse_membership;

typedef struct hlo_fuse_node {
  hlo_instruction *instruction;
  hlo_fuse_kind kind;
  bool is_taken;               // fused already, or not to be fused
  bool may_be_member;          // a group in which it is not the root
  bool is_alone;               // a group with this root is not merged
  bool is_supported;           // a fusion of it alone was accepted
  bool is_handed_on;           // to a user that may write in place
  bool computes_index_vectors; // of gathers, one operand per index
  int32_t cost;                // of one element, about in vector instructions
  int32_t chain;               // cost of the chain of fusable operands that ends in it
  int64_t bytes;               // of the widest element loaded to compute one of its elements
  int64_t row;                 // of a reduction: operand elements per result element
  int32_t first_user, user_count;
  hlo_fuse_membership *memberships;
} hlo_fuse_node;

// One root until groups are merged; then the roots of both that are used outside.
typedef struct hlo_fuse_group {
  bool is_merged;
  int32_t root_count; // 0: merged into another one
  int32_t roots[HLO_FUSE_MOST_ROOTS];
  int32_t work; // members, small constants and broadcast scalars not counted
  int32_t count, capacity;
  int32_t *members; // ids, descending
} hlo_fuse_group;

typedef struct hlo_fuse_graph {
  hlo_arena *arena;
  hlo_computation *computation;
  hlo_indexing_analysis *analysis; // of the computation as it was: only asked about single ops
  int32_t count;                   // of nodes, by instruction id
  hlo_fuse_node *nodes;
  int32_t *users; // ids: nodes[i]'s are users[first_user …]
  int32_t group_count;
  hlo_fuse_group *groups;
} hlo_fuse_graph;

hlo_status hlo_fuse_graph_build(hlo_arena *arena, hlo_computation *computation, hlo_fuse_graph *out,
                                hlo_error *error);
// Finds groups anew among the nodes that are not taken. A value that is used outside of its group
// is the group's root, so that groups never wait for each other in circles.
hlo_status hlo_fuse_graph_group(hlo_fuse_graph *graph, hlo_error *error);
// Merges groups with the same iteration space where that saves memory traffic: they share an
// operand, or one reads what the other computes. Groups over a single element are merged inside
// loops, to save steps.
hlo_status hlo_fuse_graph_merge(hlo_fuse_graph *graph, bool in_loop, hlo_error *error);
// The cost of one element of an elementwise instruction, about in vector instructions.
int32_t hlo_fuse_cost_of(hlo_opcode opcode);
// Whether each element of the user depends on the operand's element at the same index only: the
// user is elementwise, or gathers single elements and the operand is its index array.
bool hlo_fuse_is_in_step(const hlo_fuse_node *user, const hlo_instruction *operand);
// Whether an instruction is a small constant or the broadcast of a scalar: free inside a fusion,
// but an array outside it.
bool hlo_fuse_is_scalar(const hlo_fuse_node *node);
bool hlo_fuse_is_root(const hlo_fuse_group *group, int32_t id);

#endif
