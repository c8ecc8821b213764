// Reading programs whose types have sizes of '?': how the importer gives every instruction a shape
// without them. See dynamic.c for the method. Sizes that depend on values are computed by a
// callback of the parser's caller.
#ifndef HLO_TEXT_STABLEHLO_IMPORT_DYNAMIC_H
#define HLO_TEXT_STABLEHLO_IMPORT_DYNAMIC_H

#include "hlo/infer/constraint.h"
#include "text/stablehlo/import/import.h"

// --- dynamic_values.c: values that are known while the program is read ---

// Values of more elements count as unknown: reading a program must stay cheap.
enum { STABLEHLO_MOST_KNOWN = 1 << 16 };

// The known value of one instruction: the elements of each leaf of its shape in row-major order,
// NULL where they are not known.
typedef const void *const *stablehlo_known;

// A computation's known values. Its parameters' come from `parameters` (one per parameter, or NULL:
// none known), or, of a region, from `outside`: the instruction that the one parameter stands for,
// of which only the leaves marked in `constant` (NULL: all) keep their value inside.
struct stablehlo_environment {
  const hlo_computation *computation;
  const stablehlo_known *parameters;
  const hlo_instruction *outside;
  const bool *constant;
  int32_t capacity;
  stablehlo_known *values; // by instruction id; NULL: not queried yet
  bool *wanted;
};

// The environment of a computation that is being filled; made when there is none yet.
hlo_status hlo_import_environment(stablehlo_importer *im, const hlo_computation *computation,
                                  stablehlo_environment **out, hlo_error *error);
// The computation being filled is a region of the operation, a loop or a branch: its one parameter
// is the operand outside, made of the carried values. A loop's keep their value inside when they
// come from outside, or when the body returns them as it got them.
hlo_status hlo_import_bind_region(stablehlo_importer *im, const mlir_operation *op,
                                  const hlo_instruction *operand, const mlir_list *carried,
                                  hlo_error *error);
// *out: the known part of the instruction's value.
hlo_status hlo_import_known(stablehlo_importer *im, const hlo_instruction *x, stablehlo_known *out,
                            hlo_error *error);
// The elements of the operation's operand, an array of integers. Fails if they are not known,
// naming the unknown value that they depend on. `count` elements are wanted; -1: any number.
hlo_status hlo_import_known_ints(stablehlo_importer *im, const mlir_operation *op, int32_t index,
                                 int32_t wanted, int32_t *count, const int64_t **out,
                                 hlo_error *error);
// Whether they are known. (*out is NULL when they are not.)
hlo_status hlo_import_maybe_known_ints(stablehlo_importer *im, const mlir_operation *op,
                                       int32_t index, int32_t *count, const int64_t **out,
                                       hlo_error *error);
// The difference limit - start where limit is computed as start plus a known value, though neither
// need be known.
hlo_status hlo_import_maybe_known_difference(stablehlo_importer *im, const mlir_operation *op,
                                             int32_t limit, int32_t start, int32_t *count,
                                             const int64_t **out, hlo_error *error);

// --- dynamic_shapes.c: shapes in place of types ---

// Gives the instruction, whose shape is a type with '?', the shape that follows from its operands.
hlo_status hlo_import_refine(stablehlo_importer *im, hlo_instruction *x, hlo_error *error);
// Same rank and element types, and the sizes that the type states.
bool hlo_import_fits(const hlo_shape *type, const hlo_shape *shape);
// The type with the sizes that it leaves open taken from dims; `rank` of them.
hlo_status hlo_import_with_sizes(stablehlo_importer *im, const mlir_operation *op,
                                 const hlo_shape *type, int32_t rank, const int64_t *dims,
                                 const hlo_shape **out, hlo_error *error);

// --- dynamic.c, dynamic_calls.c: operations that say sizes ---

// The shape of the one result, whose sizes operand `index` gives; its type may give them too.
hlo_status hlo_import_shape_from_operand(stablehlo_importer *im, const mlir_operation *op,
                                         int32_t index, const hlo_shape **out, hlo_error *error);
// NULL when no function is special about the custom call's target.
hlo_import_function *hlo_import_dynamic_call(const char *target);
// The operation with the known values of `count` operands from `first` on as attributes instead.
hlo_status hlo_import_with_attributes(stablehlo_importer *im, const mlir_operation *op,
                                      int32_t first, int32_t count, const char *const *names,
                                      mlir_operation *out, hlo_error *error);

// Fails when the program runs unless the pred[] `condition` holds; {0}, {1}, … in the message are
// the `count` scalars.
hlo_status hlo_import_assert_when_run(stablehlo_importer *im, const char *message,
                                      hlo_instruction *condition, int32_t count,
                                      hlo_instruction *const *scalars, hlo_error *error);

// Element `index` of a list, as a scalar.
hlo_status hlo_import_list_element(stablehlo_importer *im, hlo_instruction *list, int64_t index,
                                   hlo_instruction **out, hlo_error *error);

// --- pieces.c, late.c: sizes and amounts that only the running program knows ---

// Sizes that the program computes are s64 scalars.
// a opcode b, of a's shape.
hlo_status hlo_import_binary(stablehlo_importer *im, hlo_opcode opcode, hlo_instruction *a,
                             hlo_instruction *b, hlo_instruction **out, hlo_error *error);
hlo_status hlo_import_integer(stablehlo_importer *im, int64_t value, hlo_instruction **out,
                              hlo_error *error);
// Element `index` of a list of integers.
hlo_status hlo_import_list_integer(stablehlo_importer *im, hlo_instruction *list, int64_t index,
                                   hlo_instruction **out, hlo_error *error);
// How many elements x has along dimension d: a constant where its shape says so.
hlo_status hlo_import_size_now(stablehlo_importer *im, hlo_instruction *x, int64_t d,
                               hlo_instruction **out, hlo_error *error);
// Gives dimension d of *x a size; the result has the shape. `size`: a scalar of any integer type.
hlo_status hlo_import_set_size(stablehlo_importer *im, int64_t d, hlo_instruction *size,
                               const hlo_shape *shape, hlo_instruction **x, hlo_error *error);
// Dimension d of *x with all its elements up to the bound, whatever they are.
hlo_status hlo_import_whole(stablehlo_importer *im, int64_t d, hlo_instruction **x,
                            hlo_error *error);

typedef struct hlo_padding_lists {
  hlo_instruction *low, *interior; // lists of integers; interior NULL: none
  hlo_instruction *stride;         // which elements of the padded array are taken; NULL: all
  const int64_t *entries; // which entry is a dimension's, -1: it is not padded; NULL: its own
} hlo_padding_lists;

// x with the value around and between its elements, cut to the result, whose padded dimensions are
// static; others may be dynamic as they are in x.
hlo_status hlo_import_pad_late(stablehlo_importer *im, hlo_instruction *x, hlo_instruction *value,
                               const hlo_padding_lists *lists, const hlo_shape *result,
                               hlo_instruction **out, hlo_error *error);

// dynamic_gather of slices whose sizes only the running program knows, to a type that states sizes
// or their bounds.
hlo_status hlo_import_gather_late(stablehlo_importer *im, const mlir_operation *op,
                                  const hlo_shape *shape, hlo_error *error);

// --- dynamic_slices.c ---

hlo_import_function hlo_import_real_dynamic_slice;

// --- dynamic_functions.c: functions made anew for each kind of arguments ---

// Whether shapes in the function, callees not included, may depend on its arguments.
bool hlo_import_depends_on_arguments(const mlir_operation *function);
// Whether the type leaves the size of a dimension open: '?' without a bound.
static inline bool hlo_import_is_open(const hlo_shape *type, int32_t dimension) {
  return type->dynamic != NULL && type->dynamic[dimension] &&
         type->dims[dimension] == HLO_UNBOUNDED;
}
// Whether the type is a tensor's with a '?'.
bool hlo_import_is_open_type(const mlir_type *type);
// The first argument whose type has a '?', or how many there are.
int32_t hlo_import_first_open_argument(const mlir_region *region);
// Imports, after all others, the functions that wait for arguments: the entry (NULL: none) with the
// shapes that the caller of the parser gave, others that nobody calls if their types say enough.
hlo_status hlo_import_waiting_functions(stablehlo_importer *im, stablehlo_function *entry,
                                        hlo_error *error);

#endif
