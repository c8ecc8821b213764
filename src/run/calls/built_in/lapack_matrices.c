// What LAPACK routines share: attributes of the call, and matrices of either precision. See
// lapack.h.
#include "run/calls/built_in/lapack.h"

#include <string.h>

double hlo_lapack_scalar(const hlo_view *scalar) {
  hlo_number number = hlo_element_get(scalar->type, scalar->data);
  if (number.type_class == HLO_CLASS_SIGNED) return (double)number.i;
  if (number.type_class == HLO_CLASS_UNSIGNED) return (double)number.u;
  bool is_real = !hlo_type_is_complex(scalar->type) || number.im == 0;
  return is_real ? number.re : __builtin_nan("");
}

double hlo_lapack_number(const hlo_lapack *x, const char *key, double otherwise) {
  if (x->scalars == NULL) return hlo_custom_call_number(x->call->instruction, key, otherwise);
  const hlo_view *scalar = x->call->operands;
  size_t length = strlen(key);
  for (const char *word = x->scalars; *word != '\0'; word += strspn(word, " "), scalar++) {
    size_t size = strcspn(word, " ");
    if (size == length && memcmp(word, key, length) == 0) return hlo_lapack_scalar(scalar);
    word += size;
  }
  return otherwise;
}

hlo_status hlo_lapack_fail(const hlo_lapack *x, const char *what, hlo_error *error) {
  return hlo_instruction_fail(x->call->instruction, HLO_SHAPE_ERROR, error, "%s", what);
}

hlo_status hlo_lapack_by_oracle(const hlo_lapack *x, hlo_routine routine, int32_t operand_count,
                                int32_t result_count, hlo_error *error) {
  routine.reference = x->call->reference;
  routine.operand_count = operand_count;
  routine.operands = x->operands;
  routine.result_count = result_count;
  routine.results = x->results;
  return hlo_reference_lapack(&routine, error);
}

char hlo_lapack_letter(const hlo_lapack *x, const char *key) {
  size_t length = strlen(key);
  int32_t at = 0;
  for (const char *word = x->attributes; word != NULL; word = strchr(word, ' '), at++) {
    word += *word == ' ';
    if (strncmp(word, key, length) == 0 && word[length] == '=') return x->letters[at];
  }
  return 0;
}

void hlo_lapack_turn(const hlo_view *matrix, bool transposed, hlo_view *out) {
  out->type = matrix->type;
  out->rank = 2;
  for (int32_t d = 0; d < 2; d++) {
    out->dims[d] = matrix->dims[transposed ? 1 - d : d];
    out->strides[d] = matrix->strides[transposed ? 1 - d : d];
  }
  out->data = matrix->data;
}

hlo_status hlo_lapack_create_matrix(const hlo_lapack *x, int64_t rows, int64_t columns,
                                    hlo_matrix *out, hlo_error *error) {
  return hlo_matrix_create(x->call->evaluator->scratch, rows, columns,
                           hlo_type_is_complex(x->operands[0].type), out, error);
}

hlo_status hlo_lapack_load(const hlo_lapack *x, const hlo_view *from, hlo_lapack_matrix *out,
                           hlo_error *error) {
  hlo_arena *arena = x->call->evaluator->scratch;
  out->is_single = hlo_type_complex_part(from->type) == HLO_F32;
  if (out->is_single) {
    HLO_TRY(hlo_single_of_view(arena, from, &out->single, error));
    out->is_single = hlo_single_is_in_range(&out->single);
  }
  return out->is_single ? HLO_OK : hlo_matrix_of_view(arena, from, &out->matrix, error);
}

hlo_status hlo_lapack_load_like(const hlo_lapack *x, const hlo_lapack_matrix *like,
                                const hlo_view *from, hlo_lapack_matrix *out, hlo_error *error) {
  hlo_arena *arena = x->call->evaluator->scratch;
  out->is_single = like->is_single;
  return out->is_single ? hlo_single_of_view(arena, from, &out->single, error)
                        : hlo_matrix_of_view(arena, from, &out->matrix, error);
}

hlo_status hlo_lapack_create(const hlo_lapack *x, const hlo_lapack_matrix *like, int64_t rows,
                             int64_t columns, hlo_lapack_matrix *out, hlo_error *error) {
  hlo_arena *arena = x->call->evaluator->scratch;
  bool is_complex = hlo_type_is_complex(x->operands[0].type);
  out->is_single = like->is_single;
  return out->is_single ? hlo_single_create(arena, rows, columns, is_complex, &out->single, error)
                        : hlo_matrix_create(arena, rows, columns, is_complex, &out->matrix, error);
}

void hlo_lapack_store(const hlo_view *to, const hlo_lapack_matrix *from) {
  if (from->is_single) hlo_single_to_view(to, &from->single);
  else hlo_matrix_to_view(to, &from->matrix);
}

void hlo_lapack_store_reals(const hlo_view *to, const double *from) {
  ptrdiff_t n = (ptrdiff_t)to->dims[0];
  hlo_matrix_to_view(to, &(hlo_matrix){n, 1, n, (double *)from, NULL, NULL}); // is not written
}

void hlo_lapack_store_int(const hlo_view *to, int64_t index, int64_t value) {
  int64_t at = to->rank > 0 ? index * to->strides[0] : 0;
  *(int32_t *)hlo_view_at(to, at) = (int32_t)value;
}
