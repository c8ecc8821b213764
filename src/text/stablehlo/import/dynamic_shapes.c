// The shapes of instructions whose types leave sizes open: from their operands, by the rules of
// shape inference. See dynamic.h.
#include "hlo/infer/infer.h"
#include "text/stablehlo/import/dynamic.h"

#include <string.h>

static bool is_open(const hlo_shape *type, int32_t dimension) {
  return type->dynamic != NULL && type->dynamic[dimension] &&
         type->dims[dimension] == HLO_UNBOUNDED;
}

bool hlo_import_fits(const hlo_shape *type, const hlo_shape *shape) {
  bool fits = type->type == shape->type && type->rank == shape->rank &&
              type->element_count == shape->element_count;
  for (int32_t i = 0; fits && i < type->rank; i++)
    fits = is_open(type, i) || type->dims[i] == shape->dims[i];
  for (int32_t i = 0; fits && i < type->element_count; i++)
    fits = hlo_import_fits(type->elements[i], shape->elements[i]);
  return fits;
}

hlo_status hlo_import_with_sizes(stablehlo_importer *im, const mlir_operation *op,
                                 const hlo_shape *type, int32_t rank, const int64_t *dims,
                                 const hlo_shape **out, hlo_error *error) {
  int64_t sizes[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK];
  char text[HLO_SHAPE_TEXT_SIZE];
  if (!hlo_shape_is_array(type) || type->rank != rank)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "%d sizes do not fit the result's type %s",
                           rank, hlo_shape_to_text(text, type));
  for (int32_t i = 0; i < rank; i++) {
    bool is_bounded = type->dynamic != NULL && type->dynamic[i] && !is_open(type, i);
    bool fits =
        dims[i] >= 0 &&
        (is_open(type, i) || (is_bounded ? dims[i] <= type->dims[i] : dims[i] == type->dims[i]));
    if (!fits)
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                             "the size %lld does not fit dimension %d of the result's type %s",
                             (long long)dims[i], i, hlo_shape_to_text(text, type));
    sizes[i] = is_bounded ? type->dims[i] : dims[i];
    dynamic[i] = is_bounded;
  }
  hlo_status status =
      hlo_shape_make_dynamic(&im->module->arena, type->type, rank, sizes, dynamic, out, error);
  if (status != HLO_OK) hlo_error_locate(error, op->line, op->column);
  return status;
}

// --- operations whose operands do not determine the result, but do determine its sizes ---

typedef hlo_status sizes_rule(stablehlo_importer *im, const hlo_instruction *x,
                              const hlo_shape **out, hlo_error *error);

// An array with the sizes of the first operand.
static hlo_status like_operand(stablehlo_importer *im, const hlo_instruction *x,
                               const hlo_shape **out, hlo_error *error) {
  const hlo_shape *operand = x->operand_count > 0 ? x->operands[0]->shape : NULL;
  bool fits = operand != NULL && hlo_shape_is_array(operand) && hlo_shape_is_array(x->shape) &&
              operand->rank == x->shape->rank;
  if (!fits) return HLO_OK;
  return hlo_import_shape_like(im, operand, x->shape->type, out, error);
}

// A change of width adds or takes away the last dimension.
static hlo_status bitcast_sizes(stablehlo_importer *im, const hlo_instruction *x,
                                const hlo_shape **out, hlo_error *error) {
  const hlo_shape *operand = x->operands[0]->shape;
  hlo_type type = x->shape->type;
  int64_t dims[HLO_MAX_RANK + 1];
  if (!hlo_shape_is_array(operand) || !hlo_shape_is_array(x->shape)) return HLO_OK;
  int32_t from = hlo_type_bits(operand->type), to = hlo_type_bits(type), rank = operand->rank;
  if (from == to) return like_operand(im, x, out, error);
  if (rank > 0) memcpy(dims, operand->dims, (size_t)rank * sizeof *dims);
  if (from > to) dims[rank++] = from / to;
  else rank--;
  if (rank < 0) return HLO_OK;
  return hlo_shape_make(&im->module->arena, type, rank, dims, out, error);
}

// One open size is what the operand's elements leave for it.
static hlo_status reshape_sizes(stablehlo_importer *im, const hlo_instruction *x,
                                const hlo_shape **out, hlo_error *error) {
  const hlo_shape *operand = x->operands[0]->shape, *type = x->shape;
  int64_t dims[HLO_MAX_RANK], others = 1;
  int32_t open = 0;
  if (!hlo_shape_is_array(operand) || !hlo_shape_is_array(type) || hlo_shape_is_dynamic(operand))
    return HLO_OK;
  for (int32_t i = 0; i < type->rank; i++) {
    if (is_open(type, i)) open++;
    else others *= type->dims[i]; // the type was made: the product fits
  }
  if (open != 1 || others <= 0 || hlo_shape_elements(operand) % others != 0) return HLO_OK;
  for (int32_t i = 0; i < type->rank; i++)
    dims[i] = is_open(type, i) ? hlo_shape_elements(operand) / others : type->dims[i];
  return hlo_shape_make(&im->module->arena, type->type, type->rank, dims, out, error);
}

// Without inputs a scan's outputs say how many steps there are.
static hlo_status scan_sizes(stablehlo_importer *im, const hlo_instruction *x,
                             const hlo_shape **out, hlo_error *error) {
  return hlo_infer_rule(x, x->shape, &im->module->arena, out, error);
}

// Products may be of another type than their operands.
static hlo_status product_sizes(stablehlo_importer *im, const hlo_instruction *x,
                                const hlo_shape **out, hlo_error *error) {
  hlo_arena *arena = &im->module->arena;
  if (x->operand_count != 2) return hlo_infer_shape(x, NULL, arena, out, error); // that is said
  return hlo_infer_rule(x, x->shape, arena, out, error);
}

static sizes_rule *const rules[HLO_OP_COUNT] = {
    [HLO_OP_CONVERT] = like_operand,
    [HLO_OP_STOCHASTIC_CONVERT] = like_operand,
    [HLO_OP_CUSTOM_CALL] = like_operand, // annotations, and functions of single elements
    [HLO_OP_BITCAST_CONVERT] = bitcast_sizes,
    [HLO_OP_RESHAPE] = reshape_sizes,
    [HLO_OP_DOT] = product_sizes,
    [HLO_OP_CONVOLUTION] = product_sizes,
    [HLO_OP_SCAN] = scan_sizes,
};

static hlo_status unknown_sizes(const hlo_instruction *x, hlo_error *error) {
  char text[HLO_SHAPE_TEXT_SIZE];
  return hlo_instruction_fail(x, HLO_UNSUPPORTED, error,
                              "the sizes that its type %s leaves open do not follow from its "
                              "operands",
                              hlo_shape_to_text(text, x->shape));
}

hlo_status hlo_import_refine(stablehlo_importer *im, hlo_instruction *x, hlo_error *error) {
  const hlo_shape *shape = NULL;
  char stated[HLO_SHAPE_TEXT_SIZE], got[HLO_SHAPE_TEXT_SIZE];
  // These take any shape that is stated.
  if (x->opcode == HLO_OP_PARAMETER || x->opcode == HLO_OP_IOTA) return unknown_sizes(x, error);
  if (rules[x->opcode] != NULL) {
    HLO_TRY(rules[x->opcode](im, x, &shape, error));
    if (shape == NULL) return unknown_sizes(x, error);
  } else {
    HLO_TRY(hlo_infer_shape(x, NULL, &im->module->arena, &shape, error));
  }
  if (!hlo_import_fits(x->shape, shape))
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "the result has shape %s, but %s is stated",
                                hlo_shape_to_text(got, shape), hlo_shape_to_text(stated, x->shape));
  x->shape = shape;
  return HLO_OK;
}
