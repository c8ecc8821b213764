// Memory traffic of a computation, fused and not. See uses.h.
#include "indexing/uses.h"

#include "hlo/hlo.h"

// Bytes of so many elements of an array.
static int64_t bytes_of(const hlo_shape *shape, int64_t elements) {
  int64_t all = hlo_shape_elements(shape), bytes = hlo_shape_bytes(shape);
  if (elements >= all || all == 0) return bytes;
  return hlo_ceil_div(hlo_saturating_mul(elements, bytes), all);
}

static void add_bytes(int64_t *sum, int64_t bytes) { *sum = hlo_saturating_add(*sum, bytes); }

static bool is_input(const hlo_instruction *x) {
  return x->opcode == HLO_OP_PARAMETER || x->opcode == HLO_OP_CONSTANT;
}

// Another name for values in memory.
static bool is_alias(const hlo_instruction *x) {
  return (hlo_op_get(x->opcode)->properties & HLO_PROPERTY_ALIAS) != 0 ||
         x->opcode == HLO_OP_BITCAST;
}

// Reads of one leaf of an input by one leaf of a result.
static hlo_status add_read(hlo_indexing_analysis *analysis, const hlo_indexing_set *set,
                           const hlo_shape *shape, int64_t *distinct, int64_t *repeated,
                           bool *is_exact, hlo_error *error) {
  hlo_indexing_use use;
  if (!hlo_shape_is_array(shape)) return HLO_OK;
  HLO_TRY(hlo_indexing_measure_use(analysis, set, shape, &use, error));
  add_bytes(distinct, bytes_of(shape, use.distinct));
  if (use.elements > 0 && repeated != NULL)
    add_bytes(repeated, use.reads == INT64_MAX ? INT64_MAX
                                               : hlo_saturating_mul(use.reads, bytes_of(shape, 1)));
  *is_exact &= use.is_exact;
  return HLO_OK;
}

// An instruction on its own: what its operands and its result move.
static hlo_status add_unfused(hlo_indexing_analysis *analysis, const hlo_instruction *x,
                              hlo_indexing_traffic *out, hlo_error *error) {
  int32_t leaves = hlo_shape_leaf_count(x->shape);
  for (int32_t operand = 0; operand < x->operand_count; operand++) {
    const hlo_shape *shape = x->operands[operand]->shape;
    int32_t first = hlo_indexing_operand_start(x, operand), count = hlo_shape_leaf_count(shape);
    for (int32_t k = 0; k < count; k++) {
      int64_t bytes = 0;
      for (int32_t leaf = 0; leaf < leaves; leaf++) {
        const hlo_indexing_set *sets;
        HLO_TRY(hlo_indexing_output_to_input(analysis, x, leaf, &sets, error));
        HLO_TRY(add_read(analysis, &sets[first + k], hlo_shape_leaf(shape, k), &bytes, NULL,
                         &out->is_exact, error));
      }
      int64_t all = hlo_shape_bytes(hlo_shape_leaf(shape, k));
      if (bytes > all) out->is_exact = false; // leaves of the result share elements
      add_bytes(&out->unfused_read, bytes > all ? all : bytes);
    }
  }
  add_bytes(&out->unfused_written, hlo_shape_bytes(x->shape));
  return HLO_OK;
}

// All leaves of the root: what they read of one parameter or constant.
static hlo_status add_fused(hlo_indexing_analysis *analysis, const hlo_computation *computation,
                            const hlo_instruction *input, hlo_indexing_traffic *out,
                            hlo_error *error) {
  int32_t roots = hlo_shape_leaf_count(computation->root->shape);
  int32_t leaves = hlo_shape_leaf_count(input->shape);
  for (int32_t k = 0; k < leaves; k++) {
    int64_t bytes = 0, all = hlo_shape_bytes(hlo_shape_leaf(input->shape, k));
    for (int32_t leaf = 0; leaf < roots; leaf++) {
      const hlo_indexing_table *table;
      HLO_TRY(hlo_indexing_from(analysis, computation->root, leaf, &table, error));
      HLO_TRY(add_read(analysis, hlo_indexing_get(table, input, k), hlo_shape_leaf(input->shape, k),
                       &bytes, &out->fused_loaded, &out->is_exact, error));
    }
    if (bytes > all) out->is_exact = false;
    add_bytes(&out->fused_read, bytes > all ? all : bytes);
  }
  return HLO_OK;
}

hlo_status hlo_indexing_measure_traffic(hlo_indexing_analysis *analysis,
                                        const hlo_computation *computation,
                                        hlo_indexing_traffic *out, hlo_error *error) {
  *out = (hlo_indexing_traffic){.is_exact = true};
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    if (is_input(x)) HLO_TRY(add_fused(analysis, computation, x, out, error));
    else if (!is_alias(x)) HLO_TRY(add_unfused(analysis, x, out, error));
  }
  out->fused_written = hlo_shape_bytes(computation->root->shape);
  return HLO_OK;
}
