// What LAPACK routines share: attributes of the call, and matrices between views and arrays of
// doubles. See lapack.h.
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

// The address of a part of element (i, j) of a view of at most two dimensions.
static void *part_at(const hlo_view *view, int64_t i, int64_t j, int32_t part) {
  int64_t at = (view->rank > 0 ? i * view->strides[0] : 0);
  if (view->rank > 1) at += j * view->strides[1];
  int32_t parts = hlo_type_is_complex(view->type) ? 2 : 1;
  int32_t size = hlo_type_bytes(view->type) / parts;
  return (char *)view->data + (at * parts + part) * size;
}

// One part of n elements, `step` numbers of the view apart, to doubles one after the other; or, if
// `back`, from them.
static void convert_part(const hlo_view *view, void *data, int64_t step, int64_t n, double *dense,
                         bool back) {
  if (hlo_type_complex_part(view->type) == HLO_F32) {
    float *floats = data;
    for (int64_t i = 0; i < n && back; i++) floats[i * step] = (float)dense[i];
    for (int64_t i = 0; i < n && !back; i++) dense[i] = (double)floats[i * step];
    return;
  }
  double *doubles = data;
  for (int64_t i = 0; i < n && back; i++) doubles[i * step] = dense[i];
  for (int64_t i = 0; i < n && !back; i++) dense[i] = doubles[i * step];
}

// A real matrix stored to a complex view has no imaginary parts.
static void convert_matrix(const hlo_view *view, const hlo_matrix *m, bool back) {
  bool is_complex = hlo_type_is_complex(view->type);
  int64_t step = (view->rank > 0 ? view->strides[0] : 1) * (is_complex ? 2 : 1);
  for (int64_t j = 0; j < m->columns; j++) {
    convert_part(view, part_at(view, 0, j, 0), step, m->rows, m->re + j * m->step, back);
    if (is_complex && m->im != NULL)
      convert_part(view, part_at(view, 0, j, 1), step, m->rows, m->im + j * m->step, back);
    double zero = 0;
    for (int64_t i = 0; is_complex && m->im == NULL && back && i < m->rows; i++)
      convert_part(view, part_at(view, i, j, 1), step, 1, &zero, true);
  }
}

hlo_status hlo_lapack_load(const hlo_lapack *x, const hlo_view *from, hlo_matrix *out,
                           hlo_error *error) {
  HLO_TRY(
      hlo_lapack_create_matrix(x, from->dims[0], from->rank > 1 ? from->dims[1] : 1, out, error));
  convert_matrix(from, out, false);
  return HLO_OK;
}

hlo_status hlo_lapack_load_single(const hlo_lapack *x, const hlo_view *from, hlo_single *out,
                                  bool *is_single, hlo_error *error) {
  *is_single = from->type == HLO_F32;
  if (!*is_single) return HLO_OK;
  HLO_TRY(hlo_single_load(x->call->evaluator->scratch, from, out, error));
  *is_single = hlo_single_is_in_range(out);
  return HLO_OK;
}

void hlo_lapack_store(const hlo_view *to, const hlo_matrix *from) {
  convert_matrix(to, from, true);
}

void hlo_lapack_store_reals(const hlo_view *to, const double *from) {
  hlo_matrix column = {to->dims[0], 1, to->dims[0], (double *)from, NULL}; // is not written
  hlo_lapack_store(to, &column);
}

void hlo_lapack_store_int(const hlo_view *to, int64_t index, int64_t value) {
  *(int32_t *)part_at(to, index, 0, 0) = (int32_t)value;
}

void hlo_lapack_complete(const hlo_matrix *a, bool lower) {
  for (int64_t j = 0; j < a->columns; j++) {
    hlo_matrix_set(a, j, j, hlo_real(hlo_matrix_get(a, j, j).re));
    for (int64_t i = j + 1; i < a->rows; i++) {
      if (lower) hlo_matrix_set(a, j, i, hlo_conjugate(hlo_matrix_get(a, i, j)));
      else hlo_matrix_set(a, i, j, hlo_conjugate(hlo_matrix_get(a, j, i)));
    }
  }
}
