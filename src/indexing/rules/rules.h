// The rules that say, op by op, which elements belong together, and how they write their maps.
// For the files of this folder.
#ifndef HLO_INDEXING_RULES_RULES_H
#define HLO_INDEXING_RULES_RULES_H

#include "indexing/indexing.h"

// A map under construction.
typedef struct hlo_map_builder {
  hlo_affine_context *context;
  hlo_map fields;
  hlo_map_variable *variables[HLO_AFFINE_VARIABLE_KINDS]; // with room for every rule's
  const hlo_affine **results;
  hlo_map_constraint *constraints;
  hlo_indexing_runtime *runtimes;
} hlo_map_builder;

// What a rule is asked. From output to input: sets has one for every operand leaf; from input to
// output: one for every leaf of the result. They come empty; a rule adds to them.
typedef struct hlo_rule_request {
  hlo_indexing_analysis *analysis;
  hlo_affine_context *context;
  const hlo_instruction *x;
  int32_t leaf; // of the result, or of all operands
  int32_t room; // in maps under construction; 0: not looked for yet (map_builder.c)
  hlo_indexing_set *sets;
} hlo_rule_request;
typedef hlo_status indexing_rule(hlo_rule_request *r, hlo_error *error);

const hlo_shape *hlo_rule_operand_shape(const hlo_rule_request *r, int32_t operand);
// The shape of a leaf among those of all operands.
const hlo_shape *hlo_operand_leaf_shape(const hlo_instruction *x, int32_t leaf);

// Whether each leaf of the result is a leaf of an operand: which operand, and which of its leaves.
bool hlo_rule_is_alias(const hlo_instruction *x);
int32_t hlo_rule_alias_operand(const hlo_instruction *x, int32_t *leaf);

// --- building (map_builder.c) ---
hlo_status hlo_map_start(hlo_rule_request *r, hlo_map_builder *b, hlo_error *error);
const hlo_affine *hlo_map_add_range(hlo_map_builder *b, int64_t size); // in [0, size - 1]
const hlo_affine *hlo_map_add_runtime(hlo_map_builder *b, hlo_interval clamp,
                                      const hlo_instruction *producer, int32_t rank,
                                      const hlo_affine *const *position);
// A dim, or a range variable, for every dimension of the shape; into all[0 … rank - 1].
void hlo_map_add_variables(hlo_map_builder *b, hlo_affine_kind kind, const hlo_shape *shape,
                           const hlo_affine **all);
void hlo_map_set_result(hlo_map_builder *b, int32_t i,
                        const hlo_affine *result); // also makes it the last
void hlo_map_add_constraint(hlo_map_builder *b, const hlo_affine *expression, hlo_interval range);
void hlo_map_limit(hlo_map_builder *b, const hlo_affine *index,
                   int64_t size); // index in [0, size - 1]
// index = position / stride, which must be in [0, size - 1]: adds the constraints, returns it.
const hlo_affine *hlo_map_add_strided(hlo_map_builder *b, const hlo_affine *position,
                                      int64_t stride, int64_t size);
// Adds the map to sets[set] as it is, or simplified with the given flags.
hlo_status hlo_map_finish(hlo_rule_request *r, hlo_map_builder *b, int32_t set, hlo_error *error);
hlo_status hlo_map_finish_simplified(hlo_rule_request *r, hlo_map_builder *b, int32_t set,
                                     uint32_t flags, hlo_error *error);

// Maps that many rules share, added to sets[set]:
hlo_status hlo_add_identity(hlo_rule_request *r, const hlo_shape *shape, int32_t set,
                            hlo_error *error);
hlo_status hlo_add_to_scalar(hlo_rule_request *r, const hlo_shape *from, int32_t set,
                             hlo_error *error);
hlo_status hlo_add_to_everything(hlo_rule_request *r, const hlo_shape *from, const hlo_shape *to,
                                 int32_t set, hlo_error *error);

// --- sets (indexing/set.c) ---
// Adds unless an equal one is there. A map known empty is left out.
hlo_status hlo_indexing_set_add(hlo_affine_context *context, hlo_indexing_set *set,
                                const hlo_indexing *indexing, hlo_error *error);
void hlo_indexing_set_to_unknown(hlo_indexing_set *set);
// First first, then second; simplified, with runtime variables merged and dropped.
hlo_status hlo_indexing_compose(hlo_affine_context *context, const hlo_indexing *first,
                                const hlo_indexing *second, hlo_indexing *out, hlo_error *error);
hlo_status hlo_indexing_simplify(hlo_affine_context *context, const hlo_indexing *indexing,
                                 uint32_t flags, hlo_indexing *out, hlo_error *error);
// Adds all compositions. Expressions that grow beyond the limits make the set unknown.
hlo_status hlo_indexing_set_compose(hlo_affine_context *context, const hlo_indexing_set *first,
                                    const hlo_indexing_set *second, hlo_indexing_set *out,
                                    hlo_error *error);

// --- the rules: to_ operands, to_ results ---
indexing_rule hlo_elementwise_to_operands, hlo_elementwise_to_results;
indexing_rule hlo_broadcast_to_operands, hlo_broadcast_to_results;
indexing_rule hlo_transpose_to_operands, hlo_transpose_to_results;
indexing_rule hlo_reverse_either_way;
indexing_rule hlo_slice_to_operands, hlo_slice_to_results;
indexing_rule hlo_pad_to_operands, hlo_pad_to_results;
indexing_rule hlo_concatenate_to_operands, hlo_concatenate_to_results;
indexing_rule hlo_reshape_to_operands, hlo_reshape_to_results;
indexing_rule hlo_bitcast_to_operands, hlo_bitcast_to_results;
indexing_rule hlo_bitcast_convert_to_operands, hlo_bitcast_convert_to_results;
indexing_rule hlo_dynamic_slice_to_operands, hlo_dynamic_slice_to_results;
indexing_rule hlo_dynamic_update_slice_to_operands, hlo_dynamic_update_slice_to_results;
indexing_rule hlo_gather_to_operands, hlo_gather_to_results;
indexing_rule hlo_dot_to_operands, hlo_dot_to_results;
indexing_rule hlo_scaled_dot_to_operands, hlo_scaled_dot_to_results;
indexing_rule hlo_reduce_to_operands, hlo_reduce_to_results;
indexing_rule hlo_reduce_window_to_operands, hlo_reduce_window_to_results;
indexing_rule hlo_convolution_to_operands, hlo_convolution_to_results;
indexing_rule hlo_alias_to_operands, hlo_alias_to_results;
indexing_rule hlo_call_to_operands, hlo_call_to_results;

#endif
