// Inference rules of fft, cholesky, triangular-solve and the batch normalisations.
// Source: "Operation Semantics" of XLA's documentation.
#include "hlo/infer/constraint.h"
#include "hlo/infer/rules.h"

#include <string.h>

enum { MAX_FFT_LENGTHS = 3 };

// The transformed dimensions are the last ones. Of the spectrum of n real samples n / 2 + 1 numbers
// are kept (none of none).
static int64_t half_spectrum(int64_t n) { return n == 0 ? 0 : n / 2 + 1; }

// fft_length says how long each transformed dimension is in the time domain.
static hlo_status check_fft_lengths(const hlo_instruction *x, bool half, hlo_error *error) {
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  int32_t count;
  const int64_t *lengths = hlo_get_ints(x, HLO_ATTRIBUTE_FFT_LENGTH, &count);
  char text[HLO_SHAPE_TEXT_SIZE];
  if (count < 1 || count > MAX_FFT_LENGTHS || count > shape->rank)
    return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                "fft_length must have 1 to 3 numbers, and no more than the operand "
                                "has dimensions: %s",
                                hlo_shape_to_text(text, shape));
  for (int32_t i = 0; i < count; i++) {
    int32_t d = shape->rank - count + i;
    if (lengths[i] < 0)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "fft_length must not be negative: %lld", (long long)lengths[i]);
    bool halved = half && i == count - 1;
    int64_t wanted = halved ? half_spectrum(lengths[i]) : lengths[i];
    bool nothing = halved && lengths[i] == 0 && shape->dims[d] == 1; // 0 / 2 + 1: XLA takes it too
    if (shape->dims[d] != wanted && !nothing)
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "dimension %d must have size %lld by fft_length: %s", d,
                                  (long long)wanted, hlo_shape_to_text(text, shape));
  }
  return HLO_OK;
}

hlo_status hlo_infer_fft(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                         const hlo_shape **out, hlo_error *error) {
  (void)declared;
  const char *kind = hlo_get_text(x, HLO_ATTRIBUTE_FFT_TYPE);
  bool forward_real = kind != NULL && strcmp(kind, "RFFT") == 0;
  bool inverse_real = kind != NULL && strcmp(kind, "IRFFT") == 0;
  if (!forward_real && !inverse_real &&
      (kind == NULL || (strcmp(kind, "FFT") != 0 && strcmp(kind, "IFFT") != 0)))
    return hlo_fail_choice(x, HLO_ATTRIBUTE_FFT_TYPE, "FFT, IFFT, RFFT or IRFFT", error);
  HLO_TRY(hlo_require_array(x, 0, forward_real ? HLO_CLASS_FLOAT : HLO_CLASS_COMPLEX, error));
  HLO_TRY(check_fft_lengths(x, inverse_real, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  if (!forward_real && !inverse_real)
    return hlo_result_shape_like(x, arena, shape, shape->type, out, error);
  int32_t count;
  const int64_t *lengths = hlo_get_ints(x, HLO_ATTRIBUTE_FFT_LENGTH, &count);
  int64_t dims[HLO_MAX_RANK];
  for (int32_t d = 0; d < shape->rank; d++) dims[d] = shape->dims[d];
  dims[shape->rank - 1] = forward_real ? half_spectrum(lengths[count - 1]) : lengths[count - 1];
  hlo_type type =
      forward_real ? hlo_type_complex_of(shape->type) : hlo_type_complex_part(shape->type);
  if (type == HLO_TYPE_INVALID)
    return hlo_fail_about(x, "the elements must be f32 or f64", shape, NULL, error);
  return hlo_result_shape(x, arena, type, shape->rank, dims, shape->dynamic, out, error);
}

// The last two dimensions of the operand are equal.
static hlo_status require_square(const hlo_instruction *x, int32_t k, hlo_error *error) {
  const hlo_shape *shape = hlo_operand_shape(x, k);
  if (shape->rank >= 2 && shape->dims[shape->rank - 1] == shape->dims[shape->rank - 2])
    return HLO_OK;
  return hlo_fail_about(x, "the last two dimensions must have the same size", shape, NULL, error);
}

hlo_status hlo_infer_cholesky(const hlo_instruction *x, const hlo_shape *declared, hlo_arena *arena,
                              const hlo_shape **out, hlo_error *error) {
  (void)declared;
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASSES_INEXACT, error));
  HLO_TRY(require_square(x, 0, error));
  return hlo_result_shape_like(x, arena, hlo_operand_shape(x, 0), hlo_operand_shape(x, 0)->type,
                               out, error);
}

hlo_status hlo_infer_triangular_solve(const hlo_instruction *x, const hlo_shape *declared,
                                      hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  for (int32_t k = 0; k < 2; k++) HLO_TRY(hlo_require_array(x, k, HLO_CLASSES_INEXACT, error));
  HLO_TRY(hlo_require_same_type(x, 0, 1, error));
  HLO_TRY(require_square(x, 0, error));
  const hlo_shape *a = hlo_operand_shape(x, 0), *b = hlo_operand_shape(x, 1);
  bool fits = a->rank == b->rank;
  for (int32_t d = 0; fits && d < a->rank - 2; d++) fits = a->dims[d] == b->dims[d];
  if (!fits)
    return hlo_fail_about(x, "both operands must have the same batch dimensions", a, b, error);
  bool left = hlo_get_int(x, HLO_ATTRIBUTE_LEFT_SIDE, 0) != 0;
  if (b->dims[b->rank - (left ? 2 : 1)] != a->dims[a->rank - 1])
    return hlo_fail_about(x,
                          left ? "with left_side the rows of b must be as many as those of a"
                               : "without left_side the columns of b must be as many as those of a",
                          a, b, error);
  const char *transpose = hlo_get_text(x, HLO_ATTRIBUTE_TRANSPOSE_A);
  if (transpose != NULL && strcmp(transpose, "NO_TRANSPOSE") != 0 &&
      strcmp(transpose, "TRANSPOSE") != 0 && strcmp(transpose, "ADJOINT") != 0)
    return hlo_fail_choice(x, HLO_ATTRIBUTE_TRANSPOSE_A, "NO_TRANSPOSE, TRANSPOSE or ADJOINT",
                           error);
  return hlo_result_shape_like(x, arena, b, b->type, out, error);
}

// Operand 0 has features along feature_index; the operands from 1 to `vectors` are vectors with a
// number for each of them. *vector is their shape.
static hlo_status check_features(const hlo_instruction *x, int32_t vectors, hlo_arena *arena,
                                 const hlo_shape **vector, hlo_error *error) {
  HLO_TRY(hlo_require_array(x, 0, HLO_CLASS_FLOAT, error));
  const hlo_shape *shape = hlo_operand_shape(x, 0);
  int64_t feature = hlo_get_int(x, HLO_ATTRIBUTE_FEATURE_INDEX, -1);
  HLO_TRY(hlo_require_dimension(x, HLO_ATTRIBUTE_FEATURE_INDEX, feature, shape, error));
  bool dynamic = hlo_shape_is_dynamic_in(shape, (int32_t)feature);
  HLO_TRY(
      hlo_result_shape(x, arena, shape->type, 1, &shape->dims[feature], &dynamic, vector, error));
  char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
  for (int32_t k = 1; k <= vectors; k++)
    if (!hlo_shape_compatible(hlo_operand_shape(x, k), *vector))
      return hlo_instruction_fail(x, HLO_SHAPE_ERROR, error,
                                  "operand %d must have a number for each feature: %s, not %s", k,
                                  hlo_shape_to_text(text_a, *vector),
                                  hlo_shape_to_text(text_b, hlo_operand_shape(x, k)));
  return HLO_OK;
}

// Batch normalisation of the operand with, for each feature, two more results.
static hlo_status batch_norm_shapes(const hlo_instruction *x, const hlo_shape *vector,
                                    hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  const hlo_shape *elements[3] = {NULL, vector, vector};
  HLO_TRY(hlo_result_shape_like(x, arena, hlo_operand_shape(x, 0), hlo_operand_shape(x, 0)->type,
                                &elements[0], error));
  return hlo_result_shapes(x, arena, 3, elements, out, error);
}

hlo_status hlo_infer_batch_norm_training(const hlo_instruction *x, const hlo_shape *declared,
                                         hlo_arena *arena, const hlo_shape **out,
                                         hlo_error *error) {
  (void)declared;
  const hlo_shape *vector;
  HLO_TRY(check_features(x, 2, arena, &vector, error));
  return batch_norm_shapes(x, vector, arena, out, error);
}

hlo_status hlo_infer_batch_norm_inference(const hlo_instruction *x, const hlo_shape *declared,
                                          hlo_arena *arena, const hlo_shape **out,
                                          hlo_error *error) {
  (void)declared;
  const hlo_shape *vector;
  HLO_TRY(check_features(x, 4, arena, &vector, error));
  return hlo_result_shape_like(x, arena, hlo_operand_shape(x, 0), hlo_operand_shape(x, 0)->type,
                               out, error);
}

hlo_status hlo_infer_batch_norm_grad(const hlo_instruction *x, const hlo_shape *declared,
                                     hlo_arena *arena, const hlo_shape **out, hlo_error *error) {
  (void)declared;
  const hlo_shape *vector;
  HLO_TRY(check_features(x, 3, arena, &vector, error));
  HLO_TRY(hlo_require_array(x, 4, HLO_CLASS_FLOAT, error));
  HLO_TRY(hlo_require_same_type(x, 0, 4, error));
  HLO_TRY(hlo_require_same_dimensions(x, 0, 4, error));
  return batch_norm_shapes(x, vector, arena, out, error);
}
