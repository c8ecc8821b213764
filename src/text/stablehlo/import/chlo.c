// Imports CHLO, the client dialect that JAX uses alongside StableHLO: functions with an HLO opcode,
// some that decompose into a few operations, and the forms with NumPy's implicit broadcasting. See
// import.h.
#include "hlo/infer/constraint.h"
#include "text/stablehlo/import/import.h"

#include <string.h>

static hlo_status emit(stablehlo_importer *im, hlo_opcode opcode, const hlo_shape *shape,
                       int32_t count, hlo_instruction *a, hlo_instruction *b, hlo_instruction **out,
                       hlo_error *error) {
  hlo_instruction *operands[] = {a, b};
  return hlo_import_emit(im, opcode, shape, count, operands, 0, NULL, out, error);
}

// --- functions of one value ---

typedef hlo_status unary_function(stablehlo_importer *im, hlo_instruction *x, hlo_instruction **out,
                                  hlo_error *error);

static hlo_status parts_of(stablehlo_importer *im, hlo_instruction *z, hlo_instruction **re,
                           hlo_instruction **im_part, hlo_error *error) {
  hlo_type type = hlo_type_complex_part(z->shape->type);
  const hlo_shape *part;
  HLO_TRY(hlo_import_shape_like(im, z->shape, type, &part, error));
  HLO_TRY(emit(im, HLO_OP_REAL, part, 1, z, NULL, re, error));
  return emit(im, HLO_OP_IMAG, part, 1, z, NULL, im_part, error);
}

// Of x + iy: (x - y) (x + y) + 2ixy, which does not cancel; its real part is x - x where |x| = |y|:
// 0 also where the sum is out of range, and NaN of two infinities, as in C.
static hlo_status square(stablehlo_importer *im, hlo_instruction *z, hlo_instruction **out,
                         hlo_error *error) {
  if (!hlo_type_is_complex(z->shape->type))
    return emit(im, HLO_OP_MULTIPLY, z->shape, 2, z, z, out, error);
  hlo_instruction *x, *y, *zero, *equal, *sum, *re, *im_part, *x_size, *y_size;
  HLO_TRY(parts_of(im, z, &x, &y, error));
  const hlo_shape *part = x->shape;
  HLO_TRY(emit(im, HLO_OP_SUBTRACT, part, 2, x, y, &re, error));
  HLO_TRY(emit(im, HLO_OP_ADD, part, 2, x, y, &sum, error));
  HLO_TRY(emit(im, HLO_OP_MULTIPLY, part, 2, re, sum, &re, error));
  HLO_TRY(emit(im, HLO_OP_SUBTRACT, part, 2, x, x, &zero, error));
  HLO_TRY(emit(im, HLO_OP_ABS, part, 1, x, NULL, &x_size, error));
  HLO_TRY(emit(im, HLO_OP_ABS, part, 1, y, NULL, &y_size, error));
  HLO_TRY(hlo_import_compare(im, "EQ", x_size, y_size, &equal, error));
  hlo_instruction *choices[] = {equal, zero, re};
  HLO_TRY(hlo_import_emit(im, HLO_OP_SELECT, part, 3, choices, 0, NULL, &re, error));
  HLO_TRY(emit(im, HLO_OP_MULTIPLY, part, 2, x, y, &im_part, error));
  HLO_TRY(emit(im, HLO_OP_ADD, part, 2, im_part, im_part, &im_part, error));
  return emit(im, HLO_OP_COMPLEX, z->shape, 2, re, im_part, out, error);
}

static hlo_status conjugate(stablehlo_importer *im, hlo_instruction *x, hlo_instruction **out,
                            hlo_error *error) {
  hlo_instruction *re, *im_part;
  *out = x;
  if (!hlo_type_is_complex(x->shape->type)) return HLO_OK;
  HLO_TRY(parts_of(im, x, &re, &im_part, error));
  HLO_TRY(emit(im, HLO_OP_NEGATE, re->shape, 1, im_part, NULL, &im_part, error));
  return emit(im, HLO_OP_COMPLEX, x->shape, 2, re, im_part, out, error);
}

// atan x = atan2(x, 1)
static hlo_status arc_tangent(stablehlo_importer *im, hlo_instruction *x, hlo_instruction **out,
                              hlo_error *error) {
  hlo_instruction *one;
  HLO_TRY(hlo_import_number(im, x->shape, 1, &one, error));
  return emit(im, HLO_OP_ATAN2, x->shape, 2, x, one, out, error);
}

// What asin and acos are made of in decompositions: w with asin z = (atan2(re z, re w),
// sign(im z) im w): re w = re sqrt(1 - z^2), im w = |im asin z|.
static hlo_status asin_acos_kernel(stablehlo_importer *im, hlo_instruction *x,
                                   hlo_instruction **out, hlo_error *error) {
  const hlo_shape *shape = x->shape;
  hlo_instruction *one, *above, *below, *angle;
  HLO_TRY(hlo_import_number(im, shape, 1, &one, error));
  HLO_TRY(emit(im, HLO_OP_ADD, shape, 2, one, x, &above, error));
  HLO_TRY(emit(im, HLO_OP_SQRT, shape, 1, above, NULL, &above, error));
  HLO_TRY(emit(im, HLO_OP_SUBTRACT, shape, 2, one, x, &below, error));
  HLO_TRY(emit(im, HLO_OP_SQRT, shape, 1, below, NULL, &below, error));
  HLO_TRY(emit(im, HLO_OP_MULTIPLY, shape, 2, above, below, out, error));
  HLO_TRY(emit(im, HLO_OP_ASIN, shape, 1, x, NULL, &angle, error));
  HLO_TRY(parts_of(im, angle, &one, &angle, error));
  HLO_TRY(emit(im, HLO_OP_ABS, angle->shape, 1, angle, NULL, &angle, error));
  HLO_TRY(parts_of(im, *out, &above, &below, error));
  return emit(im, HLO_OP_COMPLEX, shape, 2, above, angle, out, error);
}

// --- cosh and sinh as XLA makes them of exponentials ---
//
// e^(x + log 1/2) has the error of its argument: up to 2^-24 |x| of the value in f32. HLO's own
// functions are exact to the last place, but programs carry expectations that were made this way.

static bool is_made_of_exponentials(const hlo_instruction *x) {
  return x->shape->type == HLO_F32 || x->shape->type == HLO_F64;
}

// e^x / 2 and e^-x / 2, joined by `opcode`.
static hlo_status combine_exponentials(stablehlo_importer *im, hlo_instruction *x,
                                       hlo_opcode opcode, hlo_instruction **out, hlo_error *error) {
  const hlo_shape *shape = x->shape;
  hlo_instruction *log_half, *rising, *falling;
  HLO_TRY(hlo_import_number(im, shape, -0x1.62e42fefa39efp-1, &log_half, error));
  HLO_TRY(emit(im, HLO_OP_ADD, shape, 2, x, log_half, &rising, error));
  HLO_TRY(emit(im, HLO_OP_EXP, shape, 1, rising, NULL, &rising, error));
  HLO_TRY(emit(im, HLO_OP_SUBTRACT, shape, 2, log_half, x, &falling, error));
  HLO_TRY(emit(im, HLO_OP_EXP, shape, 1, falling, NULL, &falling, error));
  return emit(im, opcode, shape, 2, rising, falling, out, error);
}

static hlo_status hyperbolic_cosine(stablehlo_importer *im, hlo_instruction *x,
                                    hlo_instruction **out, hlo_error *error) {
  if (is_made_of_exponentials(x)) return combine_exponentials(im, x, HLO_OP_ADD, out, error);
  return emit(im, HLO_OP_COSH, x->shape, 1, x, NULL, out, error);
}

// Below 1, with y = e^x - 1: (y + y / (y + 1)) / 2.
static hlo_status hyperbolic_sine(stablehlo_importer *im, hlo_instruction *x, hlo_instruction **out,
                                  hlo_error *error) {
  const hlo_shape *shape = x->shape;
  hlo_instruction *large, *small, *one, *half, *y, *is_small;
  if (!is_made_of_exponentials(x)) return emit(im, HLO_OP_SINH, shape, 1, x, NULL, out, error);
  HLO_TRY(combine_exponentials(im, x, HLO_OP_SUBTRACT, &large, error));
  HLO_TRY(hlo_import_number(im, shape, 1, &one, error));
  HLO_TRY(hlo_import_number(im, shape, 0.5, &half, error));
  HLO_TRY(emit(im, HLO_OP_EXPM1, shape, 1, x, NULL, &y, error));
  HLO_TRY(emit(im, HLO_OP_ADD, shape, 2, y, one, &small, error));
  HLO_TRY(emit(im, HLO_OP_DIVIDE, shape, 2, y, small, &small, error));
  HLO_TRY(emit(im, HLO_OP_ADD, shape, 2, y, small, &small, error));
  HLO_TRY(emit(im, HLO_OP_MULTIPLY, shape, 2, half, small, &small, error));
  HLO_TRY(emit(im, HLO_OP_ABS, shape, 1, x, NULL, &is_small, error));
  HLO_TRY(hlo_import_compare(im, "LT", is_small, one, &is_small, error));
  hlo_instruction *choices[] = {is_small, small, large};
  return hlo_import_emit(im, HLO_OP_SELECT, shape, 3, choices, 0, NULL, out, error);
}

static hlo_status equals(stablehlo_importer *im, hlo_instruction *x, double value,
                         hlo_instruction **out, hlo_error *error) {
  hlo_instruction *constant;
  HLO_TRY(hlo_import_number(im, x->shape, value, &constant, error));
  return hlo_import_compare(im, "EQ", x, constant, out, error);
}

static hlo_status is_infinite(stablehlo_importer *im, hlo_instruction *x, hlo_instruction **out,
                              hlo_error *error) {
  HLO_TRY(emit(im, HLO_OP_ABS, x->shape, 1, x, NULL, &x, error));
  return equals(im, x, __builtin_inf(), out, error);
}

static hlo_status is_positive_infinite(stablehlo_importer *im, hlo_instruction *x,
                                       hlo_instruction **out, hlo_error *error) {
  return equals(im, x, __builtin_inf(), out, error);
}

static hlo_status is_negative_infinite(stablehlo_importer *im, hlo_instruction *x,
                                       hlo_instruction **out, hlo_error *error) {
  return equals(im, x, -__builtin_inf(), out, error);
}

typedef struct made_function {
  const char *name;
  unary_function *import;
  uint32_t classes; // of the elements that it takes
} made_function;

static const made_function made_functions[] = {
    {"atan", arc_tangent, HLO_CLASSES_INEXACT},
    {"cosh", hyperbolic_cosine, HLO_CLASSES_INEXACT},
    {"sinh", hyperbolic_sine, HLO_CLASSES_INEXACT},
    {"_asin_acos_kernel", asin_acos_kernel, HLO_CLASS_COMPLEX},
    {"square", square, HLO_CLASSES_INEXACT},
    {"conj", conjugate, HLO_CLASSES_INEXACT},
    {"is_inf", is_infinite, HLO_CLASS_FLOAT},
    {"is_pos_inf", is_positive_infinite, HLO_CLASS_FLOAT},
    {"is_neg_inf", is_negative_infinite, HLO_CLASS_FLOAT},
};

static hlo_status import_made(stablehlo_importer *im, const mlir_operation *op,
                              const made_function *function, hlo_error *error) {
  hlo_instruction *x, *result;
  const hlo_shape *shape;
  HLO_TRY(hlo_import_operand_count(op, 1, error));
  HLO_TRY(hlo_import_operand(im, op, 0, &x, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  if (!hlo_shape_is_array(x->shape))
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "takes an array");
  if ((hlo_type_get_class(x->shape->type) & function->classes) == 0)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "operand 0 may not have elements of type %s",
                           hlo_type_name(x->shape->type));
  HLO_TRY(function->import(im, x, &result, error));
  if (!hlo_shape_compatible(result->shape, shape))
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "the result has another type");
  return hlo_import_set_results(im, op, result, error);
}

// The pointwise operation of that name with '-' for '_'; HLO_OP_COUNT when there is none.
static hlo_opcode pointwise_opcode(const char *name) {
  char text[32];
  size_t length = strlen(name);
  if (length >= sizeof text) return HLO_OP_COUNT;
  for (size_t i = 0; i < length; i++) text[i] = name[i] == '_' ? '-' : name[i];
  hlo_opcode opcode = hlo_op_from_name(text, length);
  return opcode != HLO_OP_COUNT && hlo_op_is_pointwise(opcode) ? opcode : HLO_OP_COUNT;
}

// An operation that HLO has too, with the same operands.
static hlo_status import_operation(stablehlo_importer *im, const mlir_operation *op,
                                   hlo_opcode opcode, hlo_error *error) {
  hlo_instruction **operands, *result;
  const hlo_shape *shape;
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t count = 0;
  HLO_TRY(hlo_import_operand_count(op, hlo_op_get(opcode)->min_operands, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(hlo_import_attributes(im, opcode, op, attributes, &count, error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, opcode, shape, op->operand_count, operands, count, attributes,
                          &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// --- broadcasting forms ---

// To the result's dimensions: the operand's dimensions are its last ones, or, of the operand of
// lower rank, those of `broadcast_dimensions`.
static hlo_status broadcast_operand(stablehlo_importer *im, hlo_instruction *x,
                                    const hlo_shape *result, int32_t count,
                                    const int64_t *broadcast_dimensions, hlo_instruction **out,
                                    hlo_error *error) {
  int64_t dimensions[HLO_MAX_RANK];
  const hlo_shape *to;
  *out = x;
  if (!hlo_shape_is_array(x->shape) || hlo_shape_same_dimensions(x->shape, result)) return HLO_OK;
  HLO_TRY(hlo_import_shape_like(im, result, x->shape->type, &to, error));
  if (broadcast_dimensions != NULL && x->shape->rank < result->rank)
    return hlo_import_broadcast_to(im, x, to, count, broadcast_dimensions, out, error);
  for (int32_t i = 0; i < x->shape->rank; i++) dimensions[i] = result->rank - x->shape->rank + i;
  return hlo_import_broadcast_to(im, x, to, x->shape->rank, dimensions, out, error);
}

static hlo_status import_broadcasting(stablehlo_importer *im, const mlir_operation *op,
                                      hlo_opcode opcode, hlo_error *error) {
  hlo_instruction **operands, *result;
  const hlo_shape *shape;
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t count = 0, dimension_count;
  const int64_t *dimensions;
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  if (op->result_count != 1 || !hlo_shape_is_array(shape))
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "has one array as its result");
  HLO_TRY(
      hlo_import_named_ints(im, op, "broadcast_dimensions", &dimension_count, &dimensions, error));
  for (int32_t i = 0; i < op->operand_count; i++) {
    HLO_TRY(broadcast_operand(im, operands[i], shape, dimension_count, dimensions, &operands[i],
                              error));
  }
  HLO_TRY(hlo_import_attributes(im, opcode, op, attributes, &count, error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, opcode, shape, op->operand_count, operands, count, attributes,
                          &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// --- constants, top_k ---

// #complex.number<:f32 1.0, -2.0>: the two numbers after the type.
static hlo_status complex_number(stablehlo_importer *im, const mlir_attribute *value,
                                 hlo_number *out, hlo_error *error) {
  mlir_parser *p = im->parser;
  mlir_attribute *parts[2];
  hlo_type part_type;
  const char *resume = p->token.at;
  HLO_TRY(hlo_mlir_move_to(p, value->body, error));
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  HLO_TRY(hlo_mlir_element_type(p, &part_type, error));
  for (int32_t i = 0; i < 2; i++) {
    if (i == 1) HLO_TRY(hlo_mlir_expect(p, ',', error));
    HLO_TRY(hlo_mlir_untyped_attribute(p, &parts[i], error));
    if (parts[i]->kind != MLIR_FLOAT) return hlo_mlir_expected(p, "a number with a point", error);
  }
  HLO_TRY(hlo_mlir_move_to(p, resume, error));
  *out = (hlo_number){HLO_CLASS_COMPLEX, 0, 0, parts[0]->real, parts[1]->real};
  return HLO_OK;
}

static hlo_status number_of(stablehlo_importer *im, const mlir_operation *op,
                            const mlir_attribute *value, hlo_number *out, hlo_error *error) {
  mlir_attribute_kind kind = value == NULL ? MLIR_UNIT : value->kind;
  if (kind == MLIR_DIALECT && value->body != NULL && strcmp(value->text, "complex.number") == 0)
    return complex_number(im, value, out, error);
  if (kind == MLIR_FLOAT) {
    *out = (hlo_number){HLO_CLASS_FLOAT, 0, 0, value->real, 0};
  } else if (kind == MLIR_INTEGER || kind == MLIR_BOOL) {
    *out = (hlo_number){HLO_CLASS_SIGNED, value->integer, (uint64_t)value->integer,
                        (double)value->integer, 0};
  } else {
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "needs a number as its value");
  }
  return HLO_OK;
}

static hlo_status import_constant_like(stablehlo_importer *im, const mlir_operation *op,
                                       hlo_error *error) {
  const hlo_shape *shape;
  hlo_instruction *result;
  hlo_literal *literal;
  hlo_number number;
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  HLO_TRY(number_of(im, op, hlo_mlir_find_attribute(op, "value"), &number, error));
  if (!hlo_shape_is_array(shape))
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "results in an array");
  HLO_ALLOC(literal, &im->module->arena, 1, error);
  HLO_TRY(hlo_literal_make(&im->module->arena, hlo_shape_scalar(shape->type), literal, error));
  hlo_element_set(shape->type, literal->data, number);
  HLO_TRY(hlo_import_constant(im, literal, shape, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

static hlo_status import_top_k(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  hlo_instruction *x, *result;
  const hlo_shape *shape;
  hlo_attribute attributes[2];
  int64_t k;
  const mlir_attribute *value = hlo_mlir_find_attribute(op, "k");
  // As a custom call of exported programs: mhlo.attributes = {k = 2 : i64, largest = true}.
  const mlir_attribute *inner = hlo_mlir_find_attribute(op, "mhlo.attributes");
  if (value == NULL) value = hlo_mlir_find_entry(inner, "k");
  const mlir_attribute *largest = hlo_mlir_find_attribute(op, "largest");
  if (largest == NULL) largest = hlo_mlir_find_entry(inner, "largest");
  bool is_largest = true;
  if (value == NULL) return hlo_import_fail(op, HLO_PARSE_ERROR, error, "lacks the attribute k");
  if (largest != NULL) HLO_TRY(hlo_import_bool(im, largest, &is_largest, error));
  HLO_TRY(hlo_import_int(im, value, &k, error));
  HLO_TRY(hlo_import_operand_count(op, 1, error));
  HLO_TRY(hlo_import_operand(im, op, 0, &x, error));
  HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
  attributes[0] = hlo_attribute_make_int(HLO_ATTRIBUTE_K, k);
  attributes[1] = hlo_attribute_make_int(HLO_ATTRIBUTE_LARGEST, is_largest);
  HLO_TRY(hlo_import_emit(im, HLO_OP_TOPK, shape, 1, &x, 2, attributes, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

hlo_status hlo_import_chlo(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  // chlo.erf, and stablehlo.custom_call @mhlo.erf, which is what jax.export makes of it.
  const mlir_attribute *target = hlo_mlir_find_attribute(op, "call_target_name");
  const char *name = target != NULL ? target->text : op->name;
  const char *dot = strchr(name, '.');
  name = dot == NULL ? name : dot + 1;
  hlo_opcode opcode = pointwise_opcode(name);
  // MHLO has instructions for what CHLO decomposes.
  if (target != NULL && opcode != HLO_OP_COUNT) return import_operation(im, op, opcode, error);
  for (size_t i = 0; i < sizeof made_functions / sizeof *made_functions; i++)
    if (strcmp(made_functions[i].name, name) == 0)
      return import_made(im, op, &made_functions[i], error);
  if (opcode != HLO_OP_COUNT) return import_operation(im, op, opcode, error);
  if (strcmp(name, "copy") == 0) return import_operation(im, op, HLO_OP_COPY, error);
  if (strcmp(name, "ragged_dot") == 0) return import_operation(im, op, HLO_OP_RAGGED_DOT, error);
  if (strcmp(name, "scaled_dot") == 0) return import_operation(im, op, HLO_OP_SCALED_DOT, error);
  if (strcmp(name, "constant_like") == 0) return import_constant_like(im, op, error);
  if (strcmp(name, "top_k") == 0 || strcmp(name, "topk") == 0) return import_top_k(im, op, error);
  static const char broadcast[] = "broadcast_";
  if (strncmp(name, broadcast, sizeof broadcast - 1) == 0) {
    const char *plain = name + sizeof broadcast - 1;
    opcode = hlo_op_from_stablehlo_name(plain, strlen(plain));
    if (opcode == HLO_OP_COUNT) opcode = pointwise_opcode(plain);
    if (opcode != HLO_OP_COUNT && hlo_op_is_elementwise(opcode))
      return import_broadcasting(im, op, opcode, error);
  }
  return hlo_import_fail(op, HLO_UNSUPPORTED, error, "'%.*s' is not supported", 100, name);
}
