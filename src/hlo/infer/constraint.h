// Constraints that the inference rules of several operations share, with their messages.
#ifndef HLO_HLO_INFER_CONSTRAINT_H
#define HLO_HLO_INFER_CONSTRAINT_H

#include "hlo/infer/infer.h"

// Every function below fails with HLO_SHAPE_ERROR, naming the instruction, what is violated and the
// shapes that take part. Operands are meant by number; the caller has checked how many there are.

static inline const hlo_shape *hlo_operand_shape(const hlo_instruction *x, int32_t k) {
  return x->operands[k]->shape;
}
static inline bool hlo_shape_is_dynamic_in(const hlo_shape *shape, int32_t dimension) {
  return shape->dynamic != NULL && shape->dynamic[dimension];
}

// "<message>: <a> and <b>"; b may be NULL.
hlo_status hlo_fail_about(const hlo_instruction *x, const char *message, const hlo_shape *a,
                          const hlo_shape *b, hlo_error *error);

// "<attribute> must be <choices>, not <its text>".
hlo_status hlo_fail_choice(const hlo_instruction *x, hlo_attribute_id id, const char *choices,
                           hlo_error *error);

// The operand is an array of one of the classes (hlo_type_class bits).
hlo_status hlo_require_array(const hlo_instruction *x, int32_t k, uint32_t classes,
                             hlo_error *error);
enum {
  HLO_CLASSES_INTEGER = HLO_CLASS_SIGNED | HLO_CLASS_UNSIGNED,
  HLO_CLASSES_INEXACT = HLO_CLASS_FLOAT | HLO_CLASS_COMPLEX,
  HLO_CLASSES_NUMBER = HLO_CLASSES_INTEGER | HLO_CLASSES_INEXACT,
  HLO_CLASSES_ANY = HLO_CLASSES_NUMBER | HLO_CLASS_PRED,
};
hlo_status hlo_require_same_type(const hlo_instruction *x, int32_t j, int32_t k, hlo_error *error);
hlo_status hlo_require_same_dimensions(const hlo_instruction *x, int32_t j, int32_t k,
                                       hlo_error *error);
// An array of rank 0 and this element type.
hlo_status hlo_require_scalar(const hlo_instruction *x, int32_t k, hlo_type type, hlo_error *error);
// The operands of a reduction: N arrays of the same dimensions, then a start value for each.
hlo_status hlo_require_arrays_and_starts(const hlo_instruction *x, hlo_error *error);

// `dimension`, an entry of the attribute, is a dimension number of the shape.
hlo_status hlo_require_dimension(const hlo_instruction *x, hlo_attribute_id id, int64_t dimension,
                                 const hlo_shape *shape, hlo_error *error);
// The entries of an integer list are dimension numbers of the shape, none of them twice.
hlo_status hlo_require_distinct(const hlo_instruction *x, hlo_attribute_id id,
                                const hlo_shape *shape, hlo_error *error);
// The attribute has `wanted` entries.
hlo_status hlo_require_entries(const hlo_instruction *x, hlo_attribute_id id, int64_t wanted,
                               hlo_error *error);

// The program states the result's shape, an array.
hlo_status hlo_require_declared_array(const hlo_instruction *x, const hlo_shape *declared,
                                      hlo_error *error);
// The same, and operand 0 is an array of its element type.
hlo_status hlo_require_array_of_declared_type(const hlo_instruction *x, const hlo_shape *declared,
                                              hlo_error *error);

// result_accuracy, if there is one, asks for what an implementation can give (result_accuracy.c).
// Operand 0 is an array.
hlo_status hlo_require_result_accuracy(const hlo_instruction *x, hlo_error *error);
// result_accuracy asks for at most one unit in the last place.
bool hlo_wants_highest_accuracy(const hlo_instruction *x);

// A called computation with a root and `count` parameters; the attribute names it.
hlo_status hlo_require_callee(const hlo_instruction *x, hlo_attribute_id id,
                              const hlo_computation *callee, int32_t count, hlo_error *error);
// Its parameter, and its result, are compatible with the shape.
hlo_status hlo_require_parameter(const hlo_instruction *x, hlo_attribute_id id,
                                 const hlo_computation *callee, int32_t number,
                                 const hlo_shape *shape, hlo_error *error);
hlo_status hlo_require_result(const hlo_instruction *x, hlo_attribute_id id,
                              const hlo_computation *callee, const hlo_shape *shape,
                              hlo_error *error);

// What reduce, reduce-window and scatter call: `count` accumulators, then as many elements, all
// scalars of the element types of the first `count` operands; the result is the accumulators again,
// as a tuple if there are several. arena is for what is needed on the way.
hlo_status hlo_require_reducer(const hlo_instruction *x, hlo_attribute_id id, int32_t count,
                               hlo_arena *arena, hlo_error *error);
// operand_precision has words that are precisions, at most one for each of two operands.
hlo_status hlo_require_precision(const hlo_instruction *x, hlo_error *error);
// The element type of sums of products of two operands: what the program states
// (preferred_element_type), pred only for pred; when it states nothing, the wider of two types of
// one kind. Where kinds differ the documentation is silent and XLA computes in a type for both.
hlo_status hlo_product_type(const hlo_instruction *x, const hlo_shape *lhs, const hlo_shape *rhs,
                            const hlo_shape *declared, hlo_type *out, hlo_error *error);
// One array if there is one element, a tuple if there are several.
hlo_status hlo_result_shapes(const hlo_instruction *x, hlo_arena *arena, int32_t count,
                             const hlo_shape *const *elements, const hlo_shape **out,
                             hlo_error *error);

// Makes the array shape of a result; a size or rank that cannot be is an error of the instruction.
hlo_status hlo_result_shape(const hlo_instruction *x, hlo_arena *arena, hlo_type type, int32_t rank,
                            const int64_t *dims, const bool *dynamic, const hlo_shape **out,
                            hlo_error *error);
// The same dimensions as the shape, dynamic marks included, of another type, in the default layout.
hlo_status hlo_result_shape_like(const hlo_instruction *x, hlo_arena *arena, const hlo_shape *shape,
                                 hlo_type type, const hlo_shape **out, hlo_error *error);
// Dimensions that are dynamic in any of the first `count` operands, which are arrays of the same
// dimensions, are dynamic in the result.
hlo_status hlo_elementwise_shape(const hlo_instruction *x, hlo_arena *arena, int32_t count,
                                 hlo_type type, const hlo_shape **out, hlo_error *error);

#endif
