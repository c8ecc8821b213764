// Which instructions become one fusion. For fuse.c.
#ifndef HLO_PASSES_FUSE_GROUPS_H
#define HLO_PASSES_FUSE_GROUPS_H

#include "indexing/indexing.h"
#include "kernels/machine.h"

typedef enum fuse_kind {
  FUSE_NOT,         // a step of its own
  FUSE_CONSTANT,    // small: goes into every fusion that uses it
  FUSE_ELEMENTWISE, // an element of the result for one of each operand at the same index
  FUSE_MOVE,        // an element of the result is an element of an operand
  FUSE_REDUCE,
} fuse_kind;

// An instruction as a part of a group. Cheap instructions may be in several.
typedef struct fuse_membership {
  struct fuse_membership *next;
  int32_t group;
  int64_t evaluations; // of each element, when the group runs
  bool by_data;        // data says which elements are computed
} fuse_membership;

typedef struct fuse_node {
  hlo_instruction *instruction;
  fuse_kind kind;
  bool is_taken;            // in a fusion already, or not to be fused
  bool may_join;            // as anything but the root of a group
  bool is_alone;            // as a root: its group is not merged with others
  bool is_supported;        // by itself, as was tried
  bool is_handed_on;        // to somebody who may write over it
  bool makes_index_vectors; // of gathers, from as many operands as they have numbers
  int32_t cost;             // of one element, about in vector instructions
  int32_t chain;            // the same together with what may join behind it
  int64_t bytes;            // of the largest element that is loaded for one of it
  int64_t row;              // of a reduction: elements that one of its result needs
  int32_t first_user, user_count;
  fuse_membership *memberships;
} fuse_node;

// roots[0] alone, until groups are merged: then those roots of theirs that are used outside.
typedef struct fuse_group {
  bool is_merged;
  int32_t root_count; // 0: merged into another one
  int32_t roots[HLO_FUSE_MOST_ROOTS];
  int32_t work; // members that are more than numbers
  int32_t count, capacity;
  int32_t *members; // ids, descending
} fuse_group;

typedef struct fuse_graph {
  hlo_arena *arena;
  hlo_computation *computation;
  hlo_indexing_analysis *analysis; // of the computation as it was: only asked about single ops
  int32_t count;                   // of nodes, by instruction id
  fuse_node *nodes;
  int32_t *users; // ids: nodes[i]'s are users[first_user …]
  int32_t group_count;
  fuse_group *groups;
} fuse_graph;

hlo_status fuse_graph_make(hlo_arena *arena, hlo_computation *computation, fuse_graph *out,
                           hlo_error *error);
// Finds groups anew among the nodes that are not taken. A value that is used outside of its group
// is the group's root, so that groups never wait for each other in circles.
hlo_status fuse_graph_group(fuse_graph *graph, hlo_error *error);
// Merges groups that walk over the same elements in the same way, where that saves reading: of what
// both read, or of what one makes for the other. In loops over one element it saves steps.
hlo_status fuse_graph_merge(fuse_graph *graph, bool in_loop, hlo_error *error);
// Of one element of an elementwise instruction, about in vector instructions.
int32_t fuse_cost_of(hlo_opcode opcode);
// Whether each element of the user is made of the operand's at the same place: elementwise, or by a
// gather of single elements, which it tells where those are.
bool fuse_is_in_step(const fuse_node *user, const hlo_instruction *operand);
// Whether an instruction only says a number: a small constant, or a broadcast of a scalar, which
// costs a fusion nothing and would be an array outside of it.
bool fuse_is_number(const fuse_node *node);
bool fuse_is_root(const fuse_group *group, int32_t id);

#endif
