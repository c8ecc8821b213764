// Passes the evaluator as a callback to the parser, which is in a lower layer. See refine_shapes.h.
#include "passes/lower/refine_shapes.h"

#include "kernels/eval.h"
#include "shape/view.h"

static hlo_status evaluate(hlo_arena *scratch, const hlo_instruction *x,
                           const void *const *operands, void *const *results, hlo_error *error) {
  hlo_view *views;
  int32_t leaves = hlo_shape_leaf_count(x->shape);
  hlo_evaluator evaluator = {.scratch = scratch};
  HLO_ALLOC(views, scratch, (int64_t)x->operand_count + leaves, error);
  // The arrays are only read: hlo_evaluate writes to the results.
  for (int32_t k = 0; k < x->operand_count; k++)
    views[k] = hlo_view_of(x->operands[k]->shape, (void *)(uintptr_t)operands[k]);
  for (int32_t i = 0; i < leaves; i++)
    views[x->operand_count + i] = hlo_view_of(hlo_shape_leaf(x->shape, i), results[i]);
  return hlo_evaluate(&evaluator, x, views, views + x->operand_count, error);
}

static hlo_status fold(const hlo_instruction *x, const void *const *operands, void *const *results,
                       hlo_error *error) {
  if (!hlo_evaluator_supports(x->opcode) || hlo_evaluator_leaves_to_executor(x->opcode))
    return hlo_instruction_fail(x, HLO_UNSUPPORTED, error, "is not evaluated by itself");
  hlo_arena scratch = {0};
  hlo_status status = evaluate(&scratch, x, operands, results, error);
  hlo_arena_free(&scratch);
  return status;
}

hlo_status hlo_parse_for(const char *text, size_t length, const hlo_parse_options *options,
                         hlo_module **out, hlo_error *error) {
  hlo_parse_options with_fold = *options;
  if (with_fold.fold == NULL) with_fold.fold = fold;
  return hlo_parse_with(text, length, &with_fold, out, error);
}

hlo_status hlo_parse_refined(const char *text, size_t length, hlo_text_format format,
                             int32_t shape_count, const hlo_shape *const *shapes, hlo_module **out,
                             hlo_error *error) {
  hlo_parse_options options = {.format = format, .shape_count = shape_count, .shapes = shapes};
  return hlo_parse_for(text, length, &options, out, error);
}
