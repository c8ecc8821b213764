// Scatters of a few updates with a few elements become comparisons and choices. See tiny_steps.h.
#include "passes/loops/tiny_steps.h"

#include "kernels/machine.h"
#include "passes/lower/expand.h"

static hlo_arena *arena_of(const hlo_instruction *x) { return &x->computation->module->arena; }

typedef struct tiny_scatter {
  int64_t updates;
  int32_t numbers, window_rank; // of an index vector; of an update
  const int64_t *index_map;
  int64_t window_places[HLO_MAX_RANK];
  const hlo_computation *function;
} tiny_scatter;

// Whether indices address only dimensions that updates lack and updates span all others: then no
// update is partly outside.
static bool has_whole_windows(const hlo_instruction *x, tiny_scatter *out) {
  int32_t inserted;
  const hlo_shape *array = x->shape, *updates = x->operands[2]->shape;
  const int64_t *window = hlo_get_ints(x, HLO_ATTRIBUTE_UPDATE_WINDOW_DIMS, &out->window_rank);
  hlo_get_ints(x, HLO_ATTRIBUTE_INSERTED_WINDOW_DIMS, &inserted);
  out->index_map = hlo_get_ints(x, HLO_ATTRIBUTE_SCATTER_DIMS_TO_OPERAND_DIMS, &out->numbers);
  if (inserted != out->numbers || inserted + out->window_rank != array->rank || inserted == 0 ||
      updates->rank != out->window_rank + 1)
    return false;
  for (int32_t i = 0; i < inserted; i++) {
    if (!hlo_lists(x, HLO_ATTRIBUTE_INSERTED_WINDOW_DIMS, out->index_map[i])) return false;
  }
  for (int32_t d = 0, i = 0; d < array->rank; d++) {
    if (hlo_lists(x, HLO_ATTRIBUTE_INSERTED_WINDOW_DIMS, d)) continue;
    if (window[i] != i + 1 || updates->dims[i + 1] != array->dims[d]) return false;
    out->window_places[i++] = d;
  }
  return true;
}

static bool is_tiny_scatter(const hlo_instruction *x, tiny_scatter *out) {
  if (x->operand_count != 3 || !hlo_layout_is_default(x->shape->layout) ||
      !hlo_shape_equal(x->shape, x->operands[0]->shape))
    return false;
  const hlo_shape *indices = x->operands[1]->shape, *updates = x->operands[2]->shape;
  int64_t vector_dim = hlo_get_int(x, HLO_ATTRIBUTE_INDEX_VECTOR_DIM, 0);
  bool is_index = indices->type == HLO_S32 || indices->type == HLO_U32 || indices->type == HLO_S64;
  out->function = hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY);
  if (!is_index || vector_dim != 1 || indices->rank > 2 || !has_whole_windows(x, out)) return false;
  out->updates = indices->dims[0];
  return out->updates > 0 && out->updates <= HLO_TINY_UPDATES &&
         hlo_shape_elements(x->shape) <= HLO_TINY_PAIRS / out->updates &&
         updates->type == x->shape->type && out->function->root->shape->type == updates->type &&
         hlo_is_expressible(out->function);
}

// The target index of update k.
static hlo_status build_target(const hlo_instruction *x, const tiny_scatter *s, int64_t k,
                               hlo_instruction **out, hlo_error *error) {
  hlo_instruction *indices = x->operands[1], *place, *along, *hits;
  for (int32_t i = 0; i < s->numbers; i++) {
    hlo_tiny_slice number = hlo_tiny_whole(indices);
    hlo_tiny_slice_one(&number, 0, k);
    if (indices->shape->rank > 1) hlo_tiny_slice_one(&number, 1, i);
    HLO_TRY(hlo_tiny_broadcast_slice(x, indices, &number, x->shape, &place, error));
    HLO_TRY(
        hlo_simplify_build_iota(x, indices->shape->type, x->shape, s->index_map[i], &along, error));
    HLO_TRY(hlo_tiny_compare(x, "EQ", along, place, &hits, error));
    if (i > 0) HLO_TRY(hlo_tiny_binary(x, HLO_OP_AND, *out, hits, &hits, error));
    *out = hits;
  }
  return HLO_OK;
}

// Applies one update after the other: a select between the updated and the old value of each
// element.
static hlo_status choose_updates(hlo_instruction *x, const tiny_scatter *s, hlo_instruction **out,
                                 hlo_error *error) {
  hlo_instruction *hits, **made, *arguments[2] = {x->operands[0]};
  HLO_ALLOC(made, arena_of(x), s->function->instruction_count, error);
  for (int64_t k = 0; k < s->updates; k++) {
    hlo_tiny_slice update = hlo_tiny_whole(x->operands[2]);
    hlo_tiny_slice_one(&update, 0, k);
    for (int32_t i = 0; i < s->window_rank; i++) update.places[i + 1] = s->window_places[i];
    HLO_TRY(build_target(x, s, k, &hits, error));
    HLO_TRY(hlo_tiny_broadcast_slice(x, x->operands[2], &update, x->shape, &arguments[1], error));
    HLO_TRY(hlo_expand(x, x->shape, s->function, arguments, made, error));
    HLO_TRY(
        hlo_tiny_select(x, hits, made[s->function->root->id], arguments[0], &arguments[0], error));
  }
  *out = arguments[0];
  return HLO_OK;
}

hlo_status hlo_tiny_scatter(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  tiny_scatter scatter;
  return is_tiny_scatter(x, &scatter) ? choose_updates(x, &scatter, out, error) : HLO_OK;
}
