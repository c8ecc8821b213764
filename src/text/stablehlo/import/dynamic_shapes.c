// The shapes of instructions whose types leave sizes open: from their operands, by the rules of
// shape inference. See dynamic.h.
#include "hlo/infer/infer.h"
#include "text/stablehlo/import/dynamic.h"

#include <string.h>

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
    bool is_bounded = type->dynamic != NULL && type->dynamic[i] && !hlo_import_is_open(type, i);
    bool fits =
        dims[i] >= 0 && (hlo_import_is_open(type, i) ||
                         (is_bounded ? dims[i] <= type->dims[i] : dims[i] == type->dims[i]));
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

// One open size follows from the number of the operand's elements.
static hlo_status reshape_sizes(stablehlo_importer *im, const hlo_instruction *x,
                                const hlo_shape **out, hlo_error *error) {
  const hlo_shape *operand = x->operands[0]->shape, *type = x->shape;
  int64_t dims[HLO_MAX_RANK], others = 1;
  int32_t open = 0;
  if (!hlo_shape_is_array(operand) || !hlo_shape_is_array(type) || hlo_shape_is_dynamic(operand))
    return HLO_OK;
  for (int32_t i = 0; i < type->rank; i++) {
    if (hlo_import_is_open(type, i)) open++;
    else others *= type->dims[i]; // the type was made: the product fits
  }
  if (open != 1 || others <= 0 || hlo_shape_elements(operand) % others != 0) return HLO_OK;
  for (int32_t i = 0; i < type->rank; i++)
    dims[i] = hlo_import_is_open(type, i) ? hlo_shape_elements(operand) / others : type->dims[i];
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

// Custom calls name the operands that say their results' shapes.
static hlo_status sizes_from_operands(stablehlo_importer *im, const mlir_operation *op,
                                      int32_t count, const int64_t *indices, const hlo_shape **out,
                                      hlo_error *error) {
  if (count != op->result_count)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "has %d results but %d shape operands",
                           op->result_count, count);
  const hlo_shape **shapes;
  HLO_ALLOC(shapes, &im->parser->tree, count, error);
  for (int32_t i = 0; i < count; i++) {
    int32_t rank;
    const int64_t *sizes;
    const hlo_shape *type;
    if (indices[i] < 0 || indices[i] >= op->operand_count)
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "there is no operand %lld",
                             (long long)indices[i]);
    HLO_TRY(hlo_import_value_shape(op, &op->results[i], &type, error));
    HLO_TRY(hlo_import_known_ints(im, op, (int32_t)indices[i], -1, &rank, &sizes, error));
    HLO_TRY(hlo_import_with_sizes(im, op, type, rank, sizes, &shapes[i], error));
  }
  *out = shapes[0];
  if (count == 1) return HLO_OK;
  return hlo_shape_make_tuple(&im->module->arena, count, shapes, out, error);
}

// CHLO's functions broadcast their operands as NumPy does, or by the attribute.
static hlo_status sizes_by_broadcast(stablehlo_importer *im, const mlir_operation *op,
                                     const hlo_shape **out, hlo_error *error) {
  int64_t dims[HLO_MAX_RANK];
  int32_t given, rank = (*out)->rank;
  const int64_t *given_dimensions;
  HLO_TRY(hlo_import_named_ints(im, op, "broadcast_dimensions", &given, &given_dimensions, error));
  for (int32_t i = 0; i < rank; i++) dims[i] = 1;
  for (int32_t k = 0; k < op->operand_count; k++) {
    hlo_instruction *x;
    HLO_TRY(hlo_import_operand(im, op, k, &x, error));
    for (int32_t i = 0; i < x->shape->rank; i++) {
      bool by_attribute = given == x->shape->rank && given < rank;
      int64_t to = by_attribute ? given_dimensions[i] : rank - x->shape->rank + i;
      if (to >= 0 && to < rank && x->shape->dims[i] != 1) dims[to] = x->shape->dims[i];
    }
  }
  return hlo_import_with_sizes(im, op, *out, rank, dims, out, error);
}

static hlo_status sizes_like(stablehlo_importer *im, const mlir_operation *op, int32_t index,
                             const hlo_shape **out, hlo_error *error) {
  hlo_instruction *x;
  HLO_TRY(hlo_import_operand(im, op, index, &x, error));
  return hlo_import_with_sizes(im, op, *out, x->shape->rank, x->shape->dims, out, error);
}

hlo_status hlo_import_open_result(stablehlo_importer *im, const mlir_operation *op,
                                  const hlo_shape **out, hlo_error *error) {
  int32_t count;
  const int64_t *indices;
  HLO_TRY(hlo_import_named_ints(im, op, "indices_of_shape_operands", &count, &indices, error));
  if (count > 0) return sizes_from_operands(im, op, count, indices, out, error);
  if (!hlo_shape_is_array(*out)) return HLO_OK;
  const mlir_attribute *target = hlo_mlir_find_attribute(op, "call_target_name");
  const char *name = target != NULL && target->text != NULL ? target->text : op->name;
  if (strncmp(name, "chlo.", 5) == 0 || strncmp(name, "mhlo.", 5) == 0)
    return sizes_by_broadcast(im, op, out, error);
  bool is_ternary = op->operand_count == 3;
  if (is_ternary && (strcmp(name, "stablehlo.select") == 0 || strcmp(name, "stablehlo.clamp") == 0))
    return sizes_like(im, op, 1, out, error);
  return HLO_OK;
}
