// The rules that say, op by op, which elements belong together, and how they write their maps.
// For the files of this folder.
#ifndef HLO_INDEXING_RULES_RULES_H
#define HLO_INDEXING_RULES_RULES_H

#include "indexing/indexing.h"

// A map under construction.
typedef struct map_builder {
  hlo_affine_context *context;
  hlo_map fields;
  hlo_map_variable *variables[HLO_AFFINE_VARIABLE_KINDS]; // with room for every rule's
  const hlo_affine **results;
  hlo_map_constraint *constraints;
  hlo_indexing_runtime *runtimes;
} map_builder;

// What a rule is asked. From output to input: sets has one for every operand leaf; from input to
// output: one for every leaf of the result. They come empty; a rule adds to them.
typedef struct rule_request {
  hlo_indexing_analysis *analysis;
  hlo_affine_context *context;
  const hlo_instruction *x;
  int32_t leaf; // of the result, or of all operands
  int32_t room; // in maps under construction; 0: not looked for yet (map_builder.c)
  hlo_indexing_set *sets;
} rule_request;
typedef hlo_status indexing_rule(rule_request *r, hlo_error *error);

const hlo_shape *rule_operand_shape(const rule_request *r, int32_t operand);
// The shape of a leaf among those of all operands.
const hlo_shape *operand_leaf_shape(const hlo_instruction *x, int32_t leaf);

// Whether each leaf of the result is a leaf of an operand: which operand, and which of its leaves.
bool rule_is_alias(const hlo_instruction *x);
int32_t rule_alias_operand(const hlo_instruction *x, int32_t *leaf);

// --- building (map_builder.c) ---
hlo_status map_start(rule_request *r, map_builder *b, hlo_error *error);
const hlo_affine *map_add_range(map_builder *b, int64_t size); // in [0, size - 1]
const hlo_affine *map_add_runtime(map_builder *b, hlo_interval clamp,
                                  const hlo_instruction *producer, int32_t rank,
                                  const hlo_affine *const *position);
// A dim, or a range variable, for every dimension of the shape; into all[0 … rank - 1].
void map_add_variables(map_builder *b, hlo_affine_kind kind, const hlo_shape *shape,
                       const hlo_affine **all);
void map_set_result(map_builder *b, int32_t i, const hlo_affine *result); // also makes it the last
void map_add_constraint(map_builder *b, const hlo_affine *expression, hlo_interval range);
void map_limit(map_builder *b, const hlo_affine *index, int64_t size); // index in [0, size - 1]
// index = position / stride, which must be in [0, size - 1]: adds the constraints, returns it.
const hlo_affine *map_add_strided(map_builder *b, const hlo_affine *position, int64_t stride,
                                  int64_t size);
// Adds the map to sets[set] as it is, or simplified with the given flags.
hlo_status map_finish(rule_request *r, map_builder *b, int32_t set, hlo_error *error);
hlo_status map_finish_simplified(rule_request *r, map_builder *b, int32_t set, uint32_t flags,
                                 hlo_error *error);

// Maps that many rules share, added to sets[set]:
hlo_status add_identity(rule_request *r, const hlo_shape *shape, int32_t set, hlo_error *error);
hlo_status add_to_scalar(rule_request *r, const hlo_shape *from, int32_t set, hlo_error *error);
hlo_status add_to_everything(rule_request *r, const hlo_shape *from, const hlo_shape *to,
                             int32_t set, hlo_error *error);

// --- sets (indexing/set.c) ---
// Adds unless an equal one is there. A map known empty is left out.
hlo_status indexing_set_add(hlo_affine_context *context, hlo_indexing_set *set,
                            const hlo_indexing *indexing, hlo_error *error);
void indexing_set_to_unknown(hlo_indexing_set *set);
// First first, then second; simplified, with runtime variables merged and dropped.
hlo_status indexing_compose(hlo_affine_context *context, const hlo_indexing *first,
                            const hlo_indexing *second, hlo_indexing *out, hlo_error *error);
hlo_status indexing_simplify(hlo_affine_context *context, const hlo_indexing *indexing,
                             uint32_t flags, hlo_indexing *out, hlo_error *error);
// Adds all compositions. Expressions that grow beyond the limits make the set unknown.
hlo_status indexing_set_compose(hlo_affine_context *context, const hlo_indexing_set *first,
                                const hlo_indexing_set *second, hlo_indexing_set *out,
                                hlo_error *error);

// --- the rules: to_ operands, to_ results ---
indexing_rule elementwise_to_operands, elementwise_to_results;
indexing_rule broadcast_to_operands, broadcast_to_results;
indexing_rule transpose_to_operands, transpose_to_results;
indexing_rule reverse_either_way;
indexing_rule slice_to_operands, slice_to_results;
indexing_rule pad_to_operands, pad_to_results;
indexing_rule concatenate_to_operands, concatenate_to_results;
indexing_rule reshape_to_operands, reshape_to_results;
indexing_rule bitcast_to_operands, bitcast_to_results;
indexing_rule bitcast_convert_to_operands, bitcast_convert_to_results;
indexing_rule dynamic_slice_to_operands, dynamic_slice_to_results;
indexing_rule dynamic_update_slice_to_operands, dynamic_update_slice_to_results;
indexing_rule gather_to_operands, gather_to_results;
indexing_rule dot_to_operands, dot_to_results;
indexing_rule scaled_dot_to_operands, scaled_dot_to_results;
indexing_rule reduce_to_operands, reduce_to_results;
indexing_rule reduce_window_to_operands, reduce_window_to_results;
indexing_rule convolution_to_operands, convolution_to_results;
indexing_rule alias_to_operands, alias_to_results;
indexing_rule call_to_operands, call_to_results;

#endif
