// Builders for decompositions: constants, comparisons, broadcasts, elements of lists of sizes. See
// import.h and dynamic.h.
#include "text/stablehlo/attributes.h"
#include "text/stablehlo/import/dynamic.h"

#include <string.h>

hlo_status hlo_import_constant(stablehlo_importer *im, const hlo_literal *literal,
                               const hlo_shape *shape, hlo_instruction **out, hlo_error *error) {
  const char *name = im->name;
  bool is_splat = !hlo_shape_same_dimensions(literal->shape, shape);
  if (is_splat) im->name = NULL;
  HLO_TRY(hlo_import_emit(im, HLO_OP_CONSTANT, literal->shape, 0, NULL, 0, NULL, out, error));
  (*out)->literal = literal;
  if (!is_splat) return HLO_OK;
  hlo_attribute none = {.id = HLO_ATTRIBUTE_DIMENSIONS};
  hlo_instruction *scalar = *out;
  im->name = name;
  return hlo_import_emit(im, HLO_OP_BROADCAST, shape, 1, &scalar, 1, &none, out, error);
}

hlo_status hlo_import_number(stablehlo_importer *im, const hlo_shape *shape, double value,
                             hlo_instruction **out, hlo_error *error) {
  hlo_literal *literal;
  HLO_ALLOC(literal, &im->module->arena, 1, error);
  HLO_TRY(hlo_literal_make(&im->module->arena, hlo_shape_scalar(shape->type), literal, error));
  hlo_number number = {HLO_CLASS_FLOAT, 0, 0, value, 0};
  hlo_element_set(shape->type, literal->data, number);
  return hlo_import_constant(im, literal, shape, out, error);
}

hlo_status hlo_import_compare(stablehlo_importer *im, const char *direction, hlo_instruction *a,
                              hlo_instruction *b, hlo_instruction **out, hlo_error *error) {
  hlo_attribute attribute = hlo_attribute_make_text(HLO_ATTRIBUTE_DIRECTION, direction);
  hlo_instruction *operands[] = {a, b};
  const hlo_shape *shape;
  HLO_TRY(hlo_import_shape_like(im, a->shape, HLO_PRED, &shape, error));
  return hlo_import_emit(im, HLO_OP_COMPARE, shape, 2, operands, 1, &attribute, out, error);
}

static hlo_status emit_with_ints(stablehlo_importer *im, hlo_opcode opcode, const hlo_shape *shape,
                                 int32_t operand_count, hlo_instruction *const *operands,
                                 hlo_attribute_id id, int32_t count, const int64_t *ints,
                                 hlo_instruction **out, hlo_error *error) {
  hlo_attribute attribute;
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, id, count, ints, &attribute, error));
  return hlo_import_emit(im, opcode, shape, operand_count, operands, 1, &attribute, out, error);
}

// Without the dimensions of size 1 that the result repeats: HLO's broadcast only adds dimensions.
static hlo_status drop_repeated(stablehlo_importer *im, hlo_instruction *x, const hlo_shape *to,
                                int64_t *dimensions, hlo_instruction **out, hlo_error *error) {
  int64_t kept[HLO_MAX_RANK];
  const hlo_shape *from = x->shape, *shape;
  int32_t count = 0;
  for (int32_t i = 0; i < from->rank; i++) {
    if (from->dims[i] == 1 && to->dims[dimensions[i]] != 1) continue;
    kept[count] = from->dims[i];
    dimensions[count++] = dimensions[i];
  }
  *out = x;
  if (count == from->rank) return HLO_OK;
  HLO_TRY(hlo_shape_make(&im->module->arena, from->type, count, kept, &shape, error));
  return hlo_import_emit(im, HLO_OP_RESHAPE, shape, 1, &x, 0, NULL, out, error);
}

// Transposes so that `dimensions` rise.
static hlo_status sort_dimensions(stablehlo_importer *im, hlo_instruction *x, int64_t *dimensions,
                                  hlo_instruction **out, hlo_error *error) {
  int64_t order[HLO_MAX_RANK], dims[HLO_MAX_RANK];
  const hlo_shape *from = x->shape, *shape;
  bool sorted = true;
  for (int32_t i = 0; i < from->rank; i++) {
    int32_t k = i;
    int64_t dimension = dimensions[i];
    for (; k > 0 && dimensions[k - 1] > dimension; k--) {
      dimensions[k] = dimensions[k - 1];
      order[k] = order[k - 1];
    }
    sorted = sorted && k == i;
    dimensions[k] = dimension;
    order[k] = i;
  }
  *out = x;
  if (sorted) return HLO_OK;
  for (int32_t i = 0; i < from->rank; i++) dims[i] = from->dims[order[i]];
  HLO_TRY(hlo_shape_make(&im->module->arena, from->type, from->rank, dims, &shape, error));
  return emit_with_ints(im, HLO_OP_TRANSPOSE, shape, 1, &x, HLO_ATTRIBUTE_DIMENSIONS, from->rank,
                        order, out, error);
}

hlo_status hlo_import_broadcast_to(stablehlo_importer *im, hlo_instruction *x, const hlo_shape *to,
                                   int32_t count, const int64_t *dimensions, hlo_instruction **out,
                                   hlo_error *error) {
  int64_t copy[HLO_MAX_RANK];
  const mlir_operation *op = im->operation;
  if (!hlo_shape_is_array(x->shape) || !hlo_shape_is_array(to) || count != x->shape->rank) {
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "needs one broadcast dimension for each dimension of the operand");
  }
  for (int32_t i = 0; i < count; i++) {
    bool fits = dimensions[i] >= 0 && dimensions[i] < to->rank;
    for (int32_t k = 0; fits && k < i; k++) fits = dimensions[k] != dimensions[i];
    int64_t size = x->shape->dims[i];
    if (!fits || (size != 1 && size != to->dims[dimensions[i]])) {
      char from_text[HLO_SHAPE_TEXT_SIZE], to_text[HLO_SHAPE_TEXT_SIZE];
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                             "dimension %d of %s cannot be broadcast to dimension %lld of %s", i,
                             hlo_shape_to_text(from_text, x->shape), (long long)dimensions[i],
                             hlo_shape_to_text(to_text, to));
    }
    copy[i] = dimensions[i];
  }
  const char *name = im->name;
  im->name = NULL;
  HLO_TRY(drop_repeated(im, x, to, copy, &x, error));
  HLO_TRY(sort_dimensions(im, x, copy, out, error));
  im->name = name;
  if (*out != x && hlo_shape_same_dimensions((*out)->shape, to)) return HLO_OK; // a transpose
  x = *out;
  return emit_with_ints(im, HLO_OP_BROADCAST, to, 1, &x, HLO_ATTRIBUTE_DIMENSIONS, x->shape->rank,
                        copy, out, error);
}

// A type that states all sizes is enough.
hlo_status hlo_import_shape_from_operand(stablehlo_importer *im, const mlir_operation *op,
                                         int32_t index, const hlo_shape **out, hlo_error *error) {
  int32_t count;
  const int64_t *sizes;
  const hlo_shape *list;
  char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
  if (op->result_count != 1)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "has one result, not %d", op->result_count);
  HLO_TRY(hlo_import_result_shape(im, op, out, error));
  HLO_TRY(hlo_import_value_shape(op, op->operands[index], &list, error));
  bool fits = list->rank == 1 && (hlo_shape_is_unbounded(list) || list->dims[0] == (*out)->rank);
  if (!fits)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                           "operand %d must have a size for each dimension of the result: %s for "
                           "%s",
                           index, hlo_shape_to_text(text_a, list), hlo_shape_to_text(text_b, *out));
  if (hlo_shape_is_unbounded(*out))
    HLO_TRY(hlo_import_known_ints(im, op, index, -1, &count, &sizes, error));
  else HLO_TRY(hlo_import_maybe_known_ints(im, op, index, &count, &sizes, error));
  if (sizes == NULL) return HLO_OK;
  return hlo_import_with_sizes(im, op, *out, count, sizes, out, error);
}

// Among the last instructions of the computation: list[index] as a scalar; NULL when nothing there
// is.
static hlo_instruction *find_list_element(const stablehlo_importer *im, const hlo_instruction *list,
                                          int64_t index) {
  const hlo_computation *computation = im->computation;
  int32_t count = computation->instruction_count;
  for (int32_t i = count; i > 0 && i > count - 3 * HLO_MAX_RANK; i--) {
    hlo_instruction *x = computation->instructions[i - 1];
    if (hlo_stablehlo_list_of(x, index) == list) return x;
  }
  return NULL;
}

// An existing one is reused, so that a printed text is read as the program that it was printed
// from.
hlo_status hlo_import_list_element(stablehlo_importer *im, hlo_instruction *list, int64_t index,
                                   hlo_instruction **out, hlo_error *error) {
  int64_t range[3] = {index, index + 1, 1}, one = 1;
  const hlo_shape *shape;
  hlo_attribute attribute;
  hlo_type type = list->shape->type;
  hlo_arena *arena = &im->module->arena;
  *out = find_list_element(im, list, index);
  if (*out != NULL) return HLO_OK;
  HLO_TRY(hlo_shape_make(arena, type, 1, &one, &shape, error));
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_SLICE, 3, range, &attribute, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_SLICE, shape, 1, &list, 1, &attribute, out, error));
  list = *out;
  return hlo_import_emit(im, HLO_OP_RESHAPE, hlo_shape_scalar(type), 1, &list, 0, NULL, out, error);
}

hlo_status hlo_import_binary(stablehlo_importer *im, hlo_opcode opcode, hlo_instruction *a,
                             hlo_instruction *b, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operands[] = {a, b};
  return hlo_import_emit(im, opcode, a->shape, 2, operands, 0, NULL, out, error);
}

static hlo_status convert_scalar(stablehlo_importer *im, hlo_type type, hlo_instruction **x,
                                 hlo_error *error) {
  if ((*x)->shape->type == type) return HLO_OK;
  return hlo_import_emit(im, HLO_OP_CONVERT, hlo_shape_scalar(type), 1, x, 0, NULL, x, error);
}

hlo_status hlo_import_integer(stablehlo_importer *im, int64_t value, hlo_instruction **out,
                              hlo_error *error) {
  return hlo_import_number(im, hlo_shape_scalar(HLO_S64), (double)value, out, error);
}

hlo_status hlo_import_list_integer(stablehlo_importer *im, hlo_instruction *list, int64_t index,
                                   hlo_instruction **out, hlo_error *error) {
  HLO_TRY(hlo_import_list_element(im, list, index, out, error));
  return convert_scalar(im, HLO_S64, out, error);
}

hlo_status hlo_import_size_now(stablehlo_importer *im, hlo_instruction *x, int64_t d,
                               hlo_instruction **out, hlo_error *error) {
  hlo_attribute dimension;
  if (!hlo_shape_is_dynamic_in(x->shape, (int32_t)d))
    return hlo_import_integer(im, x->shape->dims[d], out, error);
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &d, &dimension,
                                  error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_GET_DIMENSION_SIZE, hlo_shape_scalar(HLO_S32), 1, &x, 1,
                          &dimension, out, error));
  return convert_scalar(im, HLO_S64, out, error);
}

hlo_status hlo_import_set_size(stablehlo_importer *im, int64_t d, hlo_instruction *size,
                               const hlo_shape *shape, hlo_instruction **x, hlo_error *error) {
  hlo_attribute dimension;
  HLO_TRY(convert_scalar(im, HLO_S32, &size, error));
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &d, &dimension,
                                  error));
  hlo_instruction *operands[] = {*x, size};
  return hlo_import_emit(im, HLO_OP_SET_DIMENSION_SIZE, shape, 2, operands, 1, &dimension, x,
                         error);
}
