// Finds groups from the last instruction to the first: an instruction joins the group of its users
// if they are all of one group and no expensive work is repeated; otherwise it begins a group. How
// often an element is computed follows from its users' indexing maps. See groups.h.
#include "passes/fuse/groups.h"

#include "kernels/machine.h"
#include "passes/fuse/reads.h"
#include "passes/simplify/simplify.h"

#include <string.h>

enum {
  FEWEST_MEMBERS = 8, // for which a group has room
  LONGEST_CHAIN = 1000,
  LANES = 4, // that a loop computes at a time, or one element of a row
};

// --- kinds of instructions ---

int32_t hlo_fuse_cost_of(hlo_opcode opcode) {
  static const hlo_opcode cheap[] = {
      HLO_OP_ABS,
      HLO_OP_NEGATE,
      HLO_OP_SIGN,
      HLO_OP_NOT,
      HLO_OP_CEIL,
      HLO_OP_FLOOR,
      HLO_OP_IS_FINITE,
      HLO_OP_REAL,
      HLO_OP_IMAG,
      HLO_OP_ADD,
      HLO_OP_SUBTRACT,
      HLO_OP_MULTIPLY,
      HLO_OP_MAXIMUM,
      HLO_OP_MINIMUM,
      HLO_OP_AND,
      HLO_OP_OR,
      HLO_OP_XOR,
      HLO_OP_SHIFT_LEFT,
      HLO_OP_COMPLEX,
      HLO_OP_COMPARE,
      HLO_OP_SHIFT_RIGHT_ARITHMETIC,
      HLO_OP_CONVERT,
      HLO_OP_SELECT,
      HLO_OP_SHIFT_RIGHT_LOGICAL,
      HLO_OP_CLAMP,
      HLO_OP_COPY,
      HLO_OP_ROUND_NEAREST_EVEN,
      HLO_OP_BITCAST_CONVERT,
  };
  if (opcode == HLO_OP_DIVIDE || opcode == HLO_OP_SQRT) return 4;
  for (size_t i = 0; i < sizeof cheap / sizeof *cheap; i++) {
    if (cheap[i] == opcode) return 1;
  }
  return HLO_FUSE_FUNCTION_COST;
}

// Whether the elements of the operands alternate in the result.
static bool interleaves(const hlo_instruction *concatenate) {
  int32_t count;
  const hlo_shape *shape = concatenate->shape;
  const int64_t *dimensions = hlo_get_ints(concatenate, HLO_ATTRIBUTE_DIMENSIONS, &count);
  int32_t minor = shape->rank - 1;
  while (minor > 0 && shape->dims[minor] == 1) minor--;
  return dimensions[0] == minor && shape->dims[minor] < HLO_FUSE_SHORT_ROW;
}

// A transpose that reads rows out of memory order is better done by the blocked kernel.
static bool is_fusable_move(const hlo_instruction *x) {
  static const hlo_opcode moves[] = {HLO_OP_BROADCAST, HLO_OP_RESHAPE, HLO_OP_SLICE,
                                     HLO_OP_REVERSE,   HLO_OP_PAD,     HLO_OP_IOTA,
                                     HLO_OP_BITCAST};
  for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
    if (moves[i] == x->opcode) return true;
  }
  if (x->opcode == HLO_OP_CONCATENATE) return x->operand_count <= HLO_FUSE_MOST_CONCATENATED;
  return x->opcode == HLO_OP_TRANSPOSE;
}

static bool reads_indirectly(const hlo_instruction *x) {
  return x->opcode == HLO_OP_DYNAMIC_SLICE || x->opcode == HLO_OP_GATHER;
}

bool hlo_fuse_is_in_step(const hlo_fuse_node *user, const hlo_instruction *operand) {
  const hlo_instruction *x = user->instruction;
  int32_t count;
  if (user->kind == FUSE_ELEMENTWISE) return true;
  hlo_get_ints(x, HLO_ATTRIBUTE_START_INDEX_MAP, &count);
  return x->opcode == HLO_OP_GATHER && x->operands[0] != operand && count == 1 &&
         hlo_shape_elements(x->shape) == hlo_shape_elements(operand->shape);
}

static bool has_elements(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && hlo_shape_elements(shape) > 0;
}

static bool is_of_reduce(const hlo_instruction *x) {
  return x->opcode == HLO_OP_GET_TUPLE_ELEMENT && x->operands[0]->opcode == HLO_OP_REDUCE &&
         x->operands[0]->operand_count <= HLO_FUSE_MOST_WORK;
}

static hlo_fuse_kind kind_of(const hlo_instruction *x) {
  if (hlo_simplify_is_dynamic(x)) return FUSE_NOT;
  for (int32_t k = 0; k < x->operand_count; k++) {
    if (!is_of_reduce(x) && !has_elements(x->operands[k]->shape)) return FUSE_NOT;
  }
  // No group has room for the operands of a wider one.
  if (x->opcode == HLO_OP_REDUCE)
    return x->operand_count <= HLO_FUSE_MOST_WORK ? FUSE_REDUCE : FUSE_NOT;
  if (!has_elements(x->shape)) return FUSE_NOT;
  if (x->opcode == HLO_OP_CONSTANT) {
    bool small = x->literal != NULL && hlo_shape_elements(x->shape) <= HLO_FUSE_SMALL_CONSTANT;
    return small ? FUSE_CONSTANT : FUSE_NOT;
  }
  if (x->opcode == HLO_OP_GET_TUPLE_ELEMENT) {
    return is_of_reduce(x) ? FUSE_ELEMENTWISE : FUSE_NOT;
  }
  if (is_fusable_move(x) || reads_indirectly(x)) return FUSE_MOVE;
  if (x->opcode == HLO_OP_BITCAST_CONVERT) {
    bool in_step = hlo_shape_same_dimensions(x->shape, x->operands[0]->shape);
    return in_step ? FUSE_ELEMENTWISE : FUSE_NOT;
  }
  if (x->opcode == HLO_OP_MAP || !hlo_op_is_elementwise(x->opcode)) return FUSE_NOT;
  return FUSE_ELEMENTWISE;
}

static hlo_status collect_users(hlo_fuse_graph *graph, hlo_error *error) {
  hlo_instruction *const *all = graph->computation->instructions;
  int32_t total = 0;
  for (int32_t i = 0; i < graph->count; i++) {
    for (int32_t k = 0; k < all[i]->operand_count; k++) {
      graph->nodes[all[i]->operands[k]->id].user_count++;
      total++;
    }
  }
  HLO_ALLOC(graph->users, graph->arena, total, error);
  for (int32_t i = 0, at = 0; i < graph->count; i++) {
    graph->nodes[i].first_user = at;
    at += graph->nodes[i].user_count;
    graph->nodes[i].user_count = 0;
  }
  for (int32_t i = 0; i < graph->count; i++) {
    for (int32_t k = 0; k < all[i]->operand_count; k++) {
      hlo_fuse_node *node = &graph->nodes[all[i]->operands[k]->id];
      graph->users[node->first_user + node->user_count++] = i;
    }
  }
  return HLO_OK;
}

// Whether the result is read only as index vectors of gathers, each component of which is known to
// come from one operand.
static bool computes_index_vectors(const hlo_fuse_graph *graph, const hlo_fuse_node *node) {
  const hlo_instruction *x = node->instruction;
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  bool only = node->user_count > 0 && x != graph->computation->root;
  for (int32_t i = 0; i < node->user_count && only; i++) {
    const hlo_instruction *user =
        graph->computation->instructions[graph->users[node->first_user + i]];
    only = user->opcode == HLO_OP_GATHER && user->operands[0] != x &&
           hlo_get_int(user, HLO_ATTRIBUTE_INDEX_VECTOR_DIM, 0) == dimensions[0];
  }
  return only;
}

static void check_concatenate(const hlo_fuse_graph *graph, hlo_fuse_node *node) {
  if (node->kind != FUSE_MOVE || node->instruction->opcode != HLO_OP_CONCATENATE) return;
  node->computes_index_vectors = computes_index_vectors(graph, node);
  if (!node->computes_index_vectors && interleaves(node->instruction)) node->kind = FUSE_NOT;
}

static hlo_status check_transpose(hlo_fuse_graph *graph, hlo_fuse_node *node, hlo_error *error) {
  const hlo_instruction *x = node->instruction;
  bool reads_rows = true;
  if (node->kind != FUSE_MOVE || x->opcode != HLO_OP_TRANSPOSE ||
      hlo_shape_elements(x->shape) <= HLO_FUSE_SMALL_TRANSPOSE)
    return HLO_OK;
  // Four elements of bytes or halves so near each other come with one load.
  int64_t bytes = graph->nodes[x->operands[0]->id].bytes, most = bytes == 1   ? 5
                                                                 : bytes == 2 ? 2
                                                                              : 1;
  HLO_TRY(hlo_fuse_reads_rows(graph->analysis, x, 0, most, &reads_rows, error));
  if (!reads_rows) node->kind = FUSE_NOT;
  return HLO_OK;
}

// Whether a user may write over the array in place, or pass it on to one that does. Such an array
// is better read early: a later fusion would force a copy.
static bool is_handed_on(const hlo_fuse_graph *graph, const hlo_fuse_node *node) {
  const int32_t writes = HLO_PROPERTY_UPDATES | HLO_PROPERTY_CALLS | HLO_PROPERTY_RESHAPES;
  bool is = false;
  for (int32_t i = 0; i < node->user_count && !is; i++) {
    const hlo_instruction *user =
        graph->computation->instructions[graph->users[node->first_user + i]];
    is = (user->opcode == HLO_OP_TUPLE && user != graph->computation->root) ||
         (hlo_op_get(user->opcode)->properties & writes) != 0;
  }
  return is;
}

// Called in program order, so that the operands have been classified.
static void exclude_overwritten(hlo_fuse_graph *graph, hlo_fuse_node *node) {
  const hlo_instruction *x = node->instruction;
  node->is_handed_on = is_handed_on(graph, node);
  if (node->kind == FUSE_MOVE && reads_indirectly(x) &&
      graph->nodes[x->operands[0]->id].is_handed_on)
    node->kind = FUSE_NOT;
}

static void set_bytes(const hlo_fuse_graph *graph, hlo_fuse_node *node) {
  const hlo_instruction *x = node->instruction;
  bool is_recomputed = node->kind == FUSE_ELEMENTWISE && node->user_count == 1;
  bool is_free = node->kind == FUSE_CONSTANT || x->opcode == HLO_OP_BROADCAST;
  node->bytes = is_recomputed || is_free || !hlo_shape_is_array(x->shape)
                    ? 0
                    : hlo_type_bytes(x->shape->type);
  for (int32_t k = 0; is_recomputed && k < x->operand_count; k++) {
    int64_t bytes = graph->nodes[x->operands[k]->id].bytes;
    if (bytes > node->bytes) node->bytes = bytes;
  }
}

// Division of bytes by a constant, as pixels by 255, compiles to two multiplications.
static bool divides_bytes(const hlo_instruction *x) {
  return x->opcode == HLO_OP_DIVIDE && x->operands[0]->opcode == HLO_OP_CONVERT &&
         hlo_type_bits(x->operands[0]->operands[0]->shape->type) == 8 &&
         x->operands[1]->opcode == HLO_OP_BROADCAST;
}

static void set_cost(const hlo_fuse_graph *graph, hlo_fuse_node *node) {
  const hlo_instruction *x = node->instruction;
  if (node->kind == FUSE_ELEMENTWISE && x->opcode != HLO_OP_GET_TUPLE_ELEMENT)
    node->cost = divides_bytes(x) ? 2 : hlo_fuse_cost_of(x->opcode);
  // Index comparisons, and the elements of all operands but one, computed in vain.
  if (node->kind == FUSE_MOVE && x->opcode == HLO_OP_CONCATENATE && !node->computes_index_vectors)
    node->cost = 3 * (x->operand_count - 1);
  if (node->kind == FUSE_MOVE && x->opcode == HLO_OP_PAD) node->cost = 3;
  node->chain = node->cost;
  for (int32_t k = 0; k < x->operand_count && x->opcode != HLO_OP_BROADCAST; k++) {
    const hlo_fuse_node *operand = &graph->nodes[x->operands[k]->id];
    if (operand->kind == FUSE_ELEMENTWISE || operand->kind == FUSE_MOVE)
      node->chain += operand->chain;
  }
  if (node->chain > LONGEST_CHAIN) node->chain = LONGEST_CHAIN;
}

hlo_status hlo_fuse_graph_build(hlo_arena *arena, hlo_computation *computation, hlo_fuse_graph *out,
                                hlo_error *error) {
  *out = (hlo_fuse_graph){
      .arena = arena, .computation = computation, .count = computation->instruction_count};
  HLO_TRY(hlo_indexing_analysis_create(arena, &out->analysis, error));
  HLO_ALLOC(out->nodes, arena, out->count, error);
  HLO_ALLOC(out->groups, arena, out->count, error);
  HLO_TRY(collect_users(out, error));
  for (int32_t i = 0; i < out->count; i++) {
    hlo_fuse_node *node = &out->nodes[i];
    node->instruction = computation->instructions[i];
    node->kind = kind_of(node->instruction);
    HLO_TRY(check_transpose(out, node, error));
    check_concatenate(out, node);
    exclude_overwritten(out, node);
    set_bytes(out, node);
    if (node->kind == FUSE_REDUCE)
      HLO_TRY(hlo_fuse_count_tile(out->analysis, node->instruction, 0, &node->row, error));
    node->is_taken = node->kind == FUSE_NOT;
    node->may_be_member = !node->is_taken;
    set_cost(out, node);
  }
  return HLO_OK;
}

// --- how often elements are read ---

static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

// The groups of all users, and how often each needs an element.
typedef struct candidate_list {
  int32_t count;
  bool is_used_outside;
  struct {
    int32_t group;
    // Elementwise users share one evaluation, and so do reductions of rows, which keep expensive
    // elements for what follows; others have each their own.
    int64_t shared_evaluations, own_evaluations;
    bool is_indirect;
  } items[HLO_FUSE_MOST_COPIES];
} candidate_list;

// Whether the group's inner loop is over the last dimension, so that values invariant along it are
// computed once. Other reductions loop over results, with the reduced dimensions inside.
static bool walks_rows(const hlo_fuse_graph *graph, const hlo_fuse_group *group) {
  const hlo_instruction *root = graph->nodes[group->roots[0]].instruction;
  if (root->opcode != HLO_OP_REDUCE) return true;
  return hlo_lists(root, HLO_ATTRIBUTE_DIMENSIONS, root->operands[0]->shape->rank - 1);
}

// Whether the columns of a reduction, with their neighbours, stay in the cache.
static bool stays_in_cache(const hlo_fuse_node *node) {
  const hlo_shape *from = node->instruction->operands[0]->shape;
  int64_t columns = 1;
  for (int32_t d = from->rank - 1;
       d >= 0 && !hlo_lists(node->instruction, HLO_ATTRIBUTE_DIMENSIONS, d); d--)
    columns *= from->dims[d];
  return multiply(node->row, columns < HLO_FUSE_COLUMNS ? columns : HLO_FUSE_COLUMNS) <=
         HLO_FUSE_COLUMNS_IN_CACHE;
}

// Whether a broadcast returns the results of a column reduction, or values derived from them alone,
// to the elements that were reduced: one fusion can compute them once per column.
static bool returns_to_columns(const hlo_fuse_graph *graph, const hlo_instruction *broadcast) {
  const hlo_instruction *x = broadcast->operands[0];
  const hlo_fuse_node *node = &graph->nodes[x->id];
  while (node->kind == FUSE_ELEMENTWISE && node->user_count == 1 && x->operand_count > 0) {
    int32_t k = x->operand_count - 1;
    while (k > 0 && x->operands[k]->opcode == HLO_OP_BROADCAST) k--;
    x = x->operands[k];
    node = &graph->nodes[x->id];
  }
  if (node->kind != FUSE_REDUCE || node->user_count != 1 || !node->may_be_member) return false;
  const hlo_shape *from = x->operands[0]->shape;
  int32_t count, kept = 0;
  const int64_t *dimensions = hlo_get_ints(broadcast, HLO_ATTRIBUTE_DIMENSIONS, &count);
  if (!hlo_shape_same_dimensions(from, broadcast->shape)) return false;
  for (int32_t d = 0; d < from->rank; d++) {
    if (hlo_lists(x, HLO_ATTRIBUTE_DIMENSIONS, d)) continue;
    if (kept == count || dimensions[kept++] != d) return false;
  }
  return count > 0 && dimensions[count - 1] == from->rank - 1 && stays_in_cache(node);
}

// Generated code computes values invariant along a row one at a time, but elements of other loops
// four at a time. With rows this short, functions are better computed in a separate loop.
static bool is_short_after_functions(const hlo_fuse_graph *graph, const hlo_instruction *operand,
                                     int64_t row) {
  return row > 1 && row < HLO_FUSE_SHORT_ROW &&
         graph->nodes[operand->id].chain >= HLO_FUSE_FUNCTION_COST &&
         hlo_shape_elements(operand->shape) >= HLO_FUSE_MANY_RESULTS;
}

// Whether a reduction of the group reads the broadcast in nested loops and only the inner one
// repeats an element: generated code hoists values that are invariant in all loops of a reduction,
// but would recompute this one for each element.
static bool repeats_in_reduction(const hlo_fuse_graph *graph, const hlo_fuse_group *group,
                                 const hlo_instruction *broadcast) {
  bool repeats = false;
  for (int32_t i = 0; i < group->count && !repeats; i++) {
    const hlo_fuse_node *member = &graph->nodes[group->members[i]];
    if (member->kind != FUSE_REDUCE) continue;
    const hlo_instruction *reduce = member->instruction;
    const hlo_shape *from = reduce->operands[0]->shape;
    bool is_free = false, changes = false;
    if (!hlo_shape_same_dimensions(from, broadcast->shape)) continue;
    for (int32_t d = 0; d < from->rank; d++) {
      if (from->dims[d] == 1 || !hlo_lists(reduce, HLO_ATTRIBUTE_DIMENSIONS, d)) continue;
      if (hlo_lists(broadcast, HLO_ATTRIBUTE_DIMENSIONS, d)) changes = true;
      else is_free = true;
    }
    repeats = is_free && changes;
  }
  return repeats;
}

static hlo_status add_candidate(const hlo_fuse_graph *graph, candidate_list *list,
                                const hlo_fuse_node *user, const hlo_fuse_membership *membership,
                                const hlo_instruction *operand, hlo_error *error) {
  int32_t at = 0;
  while (at < list->count && list->items[at].group != membership->group) at++;
  if (at == HLO_FUSE_MOST_COPIES) {
    list->is_used_outside = true;
    return HLO_OK;
  }
  if (at == list->count) {
    list->items[at].group = membership->group;
    list->items[at].shared_evaluations = list->items[at].own_evaluations = 0;
    list->items[at].is_indirect = false;
    list->count++;
  }
  bool starts = reads_indirectly(user->instruction) && user->instruction->operands[0] == operand;
  list->items[at].is_indirect |= membership->is_indirect || starts;
  int64_t n, row;
  const hlo_fuse_group *group = &graph->groups[membership->group];
  bool by_rows = walks_rows(graph, group);
  if (user->instruction->opcode == HLO_OP_BROADCAST &&
      graph->nodes[operand->id].chain >= HLO_FUSE_FUNCTION_COST)
    by_rows = by_rows && !repeats_in_reduction(graph, group, user->instruction);
  HLO_TRY(
      hlo_fuse_count_reads(graph->analysis, user->instruction, operand, by_rows, &n, &row, error));
  if (is_short_after_functions(graph, operand, row)) n = multiply(n, LANES);
  if (user->instruction->opcode == HLO_OP_BROADCAST && returns_to_columns(graph, user->instruction))
    n = 1;
  n = multiply(n, membership->evaluations);
  bool keeps = user->kind == FUSE_REDUCE && user->row <= HLO_FUSE_LONGEST_ROW &&
               graph->groups[membership->group].roots[0] != user->instruction->id;
  if (!hlo_fuse_is_in_step(user, operand) && !keeps)
    list->items[at].own_evaluations += n > 1 << 30 ? 1 << 30 : n;
  else if (n > list->items[at].shared_evaluations) list->items[at].shared_evaluations = n;
  return HLO_OK;
}

static hlo_status collect_candidates(const hlo_fuse_graph *graph, const hlo_fuse_node *node,
                                     candidate_list *out, hlo_error *error) {
  const hlo_instruction *x = node->instruction;
  *out =
      (candidate_list){.is_used_outside = x == graph->computation->root || node->user_count == 0};
  for (int32_t i = 0; i < node->user_count; i++) {
    const hlo_fuse_node *user = &graph->nodes[graph->users[node->first_user + i]];
    if (user->memberships == NULL) out->is_used_outside = true;
    for (const hlo_fuse_membership *m = user->memberships; m != NULL; m = m->next) {
      HLO_TRY(add_candidate(graph, out, user, m, x, error));
    }
  }
  return HLO_OK;
}

// --- joining groups ---

// Generated code handles the result of a row one at a time, but those of other loops four at a
// time: with rows this short, functions are better computed in a separate loop.
static bool is_short_before_functions(const hlo_fuse_graph *graph, const hlo_fuse_node *node,
                                      const hlo_fuse_group *group) {
  bool found = false;
  for (int32_t i = 0; i < group->count; i++)
    found = found || graph->nodes[group->members[i]].cost >= HLO_FUSE_FUNCTION_COST;
  return found && node->row <= HLO_FUSE_SHORT_REDUCTION &&
         hlo_shape_elements(hlo_shape_leaf(node->instruction->shape, 0)) >= HLO_FUSE_MANY_RESULTS;
}

// Whether the group may contain a reduction that it reads: of rows or columns short enough to be
// traversed again, or of one row per element of the group's result.
static bool can_feed(const hlo_fuse_graph *graph, const hlo_fuse_node *node,
                     const hlo_fuse_group *group) {
  const hlo_instruction *x = node->instruction;
  const hlo_shape *from = x->operands[0]->shape;
  int32_t count, result = from->rank;
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  result -= count;
  const hlo_shape *root = graph->nodes[group->roots[0]].instruction->shape;
  const hlo_shape *own = hlo_shape_leaf(x->shape, 0);
  bool once = hlo_shape_is_array(root) && hlo_shape_same_dimensions(root, own);
  bool again = hlo_shape_is_array(root) && hlo_shape_same_dimensions(root, from);
  for (int32_t i = 0; i < count; i++) {
    if (dimensions[i] < result)
      return !hlo_lists(x, HLO_ATTRIBUTE_DIMENSIONS, from->rank - 1) && (once || again) &&
             stays_in_cache(node);
  }
  if (once && is_short_before_functions(graph, node, group)) return false;
  return once || node->row <= HLO_FUSE_LONGEST_ROW;
}

// Loops cannot follow reductions or reshapes to elements at data-dependent indices.
static bool supports_indirection(const hlo_fuse_node *node) {
  hlo_opcode opcode = node->instruction->opcode;
  return node->kind != FUSE_REDUCE && opcode != HLO_OP_RESHAPE && opcode != HLO_OP_BITCAST;
}

static bool can_add(const hlo_fuse_graph *graph, const hlo_fuse_node *node, int32_t group,
                    int64_t evaluations) {
  const hlo_fuse_group *g = &graph->groups[group];
  if (!node->may_be_member || (g->work >= HLO_FUSE_MOST_WORK && !hlo_fuse_is_scalar(node)))
    return false;
  if (multiply(evaluations - 1, node->cost) > HLO_FUSE_REPEATED_COST) return false;
  // The rest of the chain may have to stay outside where its end moves elements.
  if (node->kind == FUSE_ELEMENTWISE &&
      multiply(evaluations - 1, node->chain) > HLO_FUSE_REPEATED_CHAIN)
    return false;
  return node->kind != FUSE_REDUCE || (evaluations == 1 && can_feed(graph, node, g));
}

// Whether the operands are broadcasts of arrays much smaller than the result, as in pairwise
// differences.
static bool reads_little(const hlo_instruction *x) {
  int64_t read = 0;
  for (int32_t k = 0; k < x->operand_count; k++) {
    if (x->operands[k]->opcode != HLO_OP_BROADCAST) return false;
    read += hlo_shape_elements(x->operands[k]->operands[0]->shape);
  }
  return read <= hlo_shape_elements(x->shape) / HLO_FUSE_MUCH_LESS;
}

// Whether each group may recompute the value: that costs no memory traffic.
static bool is_copied_freely(const hlo_fuse_node *node) {
  const hlo_instruction *x = node->instruction;
  if (node->kind == FUSE_CONSTANT) return true;
  if (x->opcode == HLO_OP_PAD || x->opcode == HLO_OP_CONCATENATE) return false;
  return node->cost <= 1 && (x->operand_count <= 1 || reads_little(x)) &&
         x->opcode != HLO_OP_GET_TUPLE_ELEMENT && node->kind != FUSE_REDUCE;
}

bool hlo_fuse_is_scalar(const hlo_fuse_node *node) {
  const hlo_instruction *x = node->instruction;
  return node->kind == FUSE_CONSTANT ||
         (x->opcode == HLO_OP_BROADCAST && x->operands[0]->shape->rank == 0);
}

static hlo_status add_member(hlo_fuse_graph *graph, hlo_fuse_node *node, int32_t group,
                             int64_t evaluations, bool is_indirect, hlo_error *error) {
  hlo_fuse_membership *membership;
  hlo_fuse_group *g = &graph->groups[group];
  HLO_ALLOC(membership, graph->arena, 1, error);
  *membership = (hlo_fuse_membership){node->memberships, group, evaluations, is_indirect};
  node->memberships = membership;
  if (g->count == g->capacity) {
    int32_t *members, capacity = g->capacity == 0 ? FEWEST_MEMBERS : 2 * g->capacity;
    HLO_ALLOC(members, graph->arena, capacity, error);
    if (g->count > 0) memcpy(members, g->members, (size_t)g->count * sizeof *members);
    g->members = members;
    g->capacity = capacity;
  }
  g->members[g->count++] = node->instruction->id;
  g->work += !hlo_fuse_is_scalar(node);
  return HLO_OK;
}

static hlo_status begin_group(hlo_fuse_graph *graph, hlo_fuse_node *node, hlo_error *error) {
  hlo_fuse_group *group = &graph->groups[graph->group_count];
  *group = (hlo_fuse_group){.root_count = 1, .roots = {node->instruction->id}};
  return add_member(graph, node, graph->group_count++, 1, false, error);
}

static hlo_status assign_group(hlo_fuse_graph *graph, hlo_fuse_node *node, hlo_error *error) {
  candidate_list list;
  HLO_TRY(collect_candidates(graph, node, &list, error));
  bool joins = list.count == 1 || is_copied_freely(node);
  // A constant may be copied into a group and used outside as well.
  if (list.is_used_outside && node->kind != FUSE_CONSTANT) joins = false;
  for (int32_t i = 0; i < list.count && joins; i++) {
    int64_t evaluations = list.items[i].shared_evaluations + list.items[i].own_evaluations;
    joins = can_add(graph, node, list.items[i].group, evaluations) &&
            (!list.items[i].is_indirect || supports_indirection(node));
  }
  if (!joins || list.count == 0) {
    return node->kind != FUSE_CONSTANT ? begin_group(graph, node, error) : HLO_OK;
  }
  for (int32_t i = 0; i < list.count; i++) {
    HLO_TRY(add_member(graph, node, list.items[i].group,
                       list.items[i].shared_evaluations + list.items[i].own_evaluations,
                       list.items[i].is_indirect, error));
  }
  return HLO_OK;
}

hlo_status hlo_fuse_graph_group(hlo_fuse_graph *graph, hlo_error *error) {
  graph->group_count = 0;
  for (int32_t i = 0; i < graph->count; i++) graph->nodes[i].memberships = NULL;
  for (int32_t i = graph->count - 1; i >= 0; i--) {
    if (!graph->nodes[i].is_taken) HLO_TRY(assign_group(graph, &graph->nodes[i], error));
  }
  return HLO_OK;
}
