// Computations of scalars: applied to elements, and mapped over arrays. Source of semantics: "Map"
// of the operation semantics.
#include "reference/values.h"

hlo_status hlo_reference_apply(const hlo_reference *reference, const hlo_computation *computation,
                               const hlo_scalar *arguments, hlo_scalar *results, hlo_error *error) {
  enum { MAX_NESTING = 16 };
  hlo_value *values, result;
  hlo_view *views;
  hlo_reference inner = *reference;
  hlo_arena_mark mark = hlo_arena_get_mark(reference->arena);
  if (inner.nesting++ >= MAX_NESTING)
    return hlo_fail(error, HLO_UNSUPPORTED, "computation %s: applied more than %d levels deep",
                    computation->name, (int)MAX_NESTING);
  HLO_ALLOC(values, reference->arena, computation->parameter_count, error);
  for (int32_t i = 0; i < computation->parameter_count; i++)
    values[i] = (hlo_value){.shape = hlo_shape_scalar(arguments[i].type),
                            .data = (void *)(uintptr_t)arguments[i].bytes};
  HLO_TRY(hlo_reference_run(&inner, computation, values, &result, error));
  int32_t count = hlo_value_views(&result, NULL);
  HLO_ALLOC(views, reference->arena, count, error);
  hlo_value_views(&result, views);
  for (int32_t i = 0; i < count; i++) results[i] = hlo_scalar_at(&views[i], NULL);
  hlo_arena_rewind(reference->arena, mark);
  return HLO_OK;
}

// Map: a computation of scalars, for each element.
hlo_status hlo_reference_map(const hlo_operation *x, hlo_error *error) {
  const hlo_computation *computation = hlo_get_computation(x->instruction, HLO_ATTRIBUTE_TO_APPLY);
  hlo_scalar *operands, result;
  HLO_ALLOC(operands, x->reference->arena, x->instruction->operand_count, error);
  for (hlo_index i = hlo_index_over(x->results); hlo_index_next(&i);) {
    for (int32_t k = 0; k < x->instruction->operand_count; k++)
      operands[k] = hlo_scalar_at(&x->operands[k], i.at);
    HLO_TRY(hlo_reference_apply(x->reference, computation, operands, &result, error));
    hlo_store_scalar(x->results, i.at, result);
  }
  return HLO_OK;
}
