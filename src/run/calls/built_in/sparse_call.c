// Sparse matrices in custom calls: products, conversions and systems of equations, as JAX asks the
// CPU's, NVIDIA's and AMD's libraries for them. Sources: the programs that JAX 0.10 and 0.4 export,
// and the documentation of cuSPARSE. See custom_call.h.
#include "kernels/linalg/linear_algebra.h"
#include "kernels/structural.h"
#include "math/complex.h"
#include "run/calls/custom_call.h"

#include <string.h>

// The elements: n values, each with a column, and with a row or, compressed, in the places from
// rows[r] to rows[r + 1] of row r.
typedef struct sparse {
  bool is_compressed, is_transposed;
  int64_t sizes[2], count;
  const hlo_view *values, *rows, *columns;
} sparse;

static int64_t index_at(const hlo_view *view, int64_t i) {
  return ((const int32_t *)view->data)[i * view->strides[0]];
}

static char *element_at(const hlo_view *view, int64_t i) {
  return (char *)view->data + i * view->strides[0] * hlo_type_bytes(view->type);
}

// Adds value * from to `count` elements at `to`, both with a distance between elements.
typedef void add_function(const void *value, const void *from, int64_t from_step, void *to,
                          int64_t to_step, int64_t count);
#define ADD(name, T, next)                                                                         \
  static void name(const void *value, const void *from, int64_t from_step, void *to,               \
                   int64_t to_step, int64_t count) {                                               \
    T a = *(const T *)value;                                                                       \
    for (int64_t i = 0; i < count; i++) {                                                          \
      T b = ((const T *)from)[i * from_step], sum = ((const T *)to)[i * to_step];                  \
      ((T *)to)[i * to_step] = next;                                                               \
    }                                                                                              \
  }
#define COMPLEX(T) ((T){sum.re + (a.re * b.re - a.im * b.im), sum.im + (a.re * b.im + a.im * b.re)})
ADD(add_s32, uint32_t, sum + a * b)
ADD(add_s64, uint64_t, sum + a * b)
ADD(add_f32, float, sum + a * b)
ADD(add_f64, double, sum + a * b)
ADD(add_c64, hlo_c64, COMPLEX(hlo_c64))
ADD(add_c128, hlo_c128, COMPLEX(hlo_c128))

static add_function *add_of(hlo_type type) {
  static const struct {
    hlo_type type;
    add_function *add;
  } types[] = {{HLO_S32, add_s32}, {HLO_S64, add_s64}, {HLO_F32, add_f32},
               {HLO_F64, add_f64}, {HLO_C64, add_c64}, {HLO_C128, add_c128}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type == type) return types[i].add;
  return NULL;
}

// --- the elements, one after the other ---

typedef struct walk {
  const sparse *matrix;
  int64_t row, next, end; // of the compressed row
  int64_t at, i, j;       // this element, and where the matrix, or the transposed one, has it
} walk;

static bool is_inside(const sparse *m, int64_t row, int64_t column) {
  return row >= 0 && row < m->sizes[0] && column >= 0 && column < m->sizes[1];
}

// Moves to the first compressed row that has more elements; false: there is none.
static bool open_row(walk *w) {
  const sparse *m = w->matrix;
  while (w->next >= w->end && w->row + 1 < m->sizes[0]) {
    w->row++;
    w->next = index_at(m->rows, w->row);
    if (w->next < 0) w->next = 0;
    w->end = index_at(m->rows, w->row + 1);
    if (w->end > m->count) w->end = m->count;
  }
  return w->next < w->end;
}

// Elements outside of the matrix belong to padding.
static bool walk_next(walk *w) {
  const sparse *m = w->matrix;
  while (m->is_compressed ? open_row(w) : w->next < m->count) {
    w->at = w->next++;
    int64_t row = m->is_compressed ? w->row : index_at(m->rows, w->at);
    int64_t column = index_at(m->columns, w->at);
    w->i = m->is_transposed ? column : row;
    w->j = m->is_transposed ? row : column;
    if (is_inside(m, row, column)) return true;
  }
  return false;
}

static walk walk_of(const sparse *matrix) { return (walk){.matrix = matrix, .row = -1}; }

// --- what calls say ---

static bool is_list(const hlo_view *view, hlo_type type, int64_t size) {
  return view->type == type && view->rank == 1 && view->dims[0] == size;
}

// Whether three views are the elements of a matrix of `rows` rows.
static bool are_elements(bool is_compressed, int64_t rows, const hlo_view *values,
                         const hlo_view *places, const hlo_view *columns) {
  return values->rank == 1 && add_of(values->type) != NULL &&
         is_list(columns, HLO_S32, values->dims[0]) &&
         is_list(places, HLO_S32, is_compressed ? rows + 1 : values->dims[0]);
}

// Results after the first `known` ones are memory to work in.
static void clear_workspace(const hlo_custom_call *call, int32_t known) {
  static const char zeros[16];
  for (int32_t k = known; k < call->result_count; k++) hlo_view_fill(&call->results[k], zeros);
}

static hlo_status fail(const hlo_custom_call *call, const char *what, hlo_error *error) {
  return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error, "%s", what);
}

// The last of the descriptor's numbers says whether the matrix is transposed: 1 in cuSPARSE, 112 in
// hipSPARSE, and one more for its adjoint.
static hlo_status read_transposed(const hlo_custom_call *call, bool *out, hlo_error *error) {
  uint8_t bytes[96];
  size_t length = hlo_custom_call_descriptor(call->instruction, bytes, sizeof bytes);
  int32_t operation = length < 4 ? 0 : bytes[length - 4];
  *out = operation == 1 || operation == 112;
  if (*out || operation == 0 || operation == 111) return HLO_OK;
  return hlo_instruction_fail(call->instruction, HLO_UNSUPPORTED, error,
                              "multiplies by the matrix (0) or the transposed one (1), not %d",
                              (int)operation);
}

// --- products ---

static const char *const takes_columns = "takes n values, the s32 beginnings of rows and their end "
                                         "(or n s32 rows), n s32 columns, and a "
                                         "vector or matrix; gives one of the same type";

static hlo_status multiply(const hlo_custom_call *call, sparse *m, hlo_error *error) {
  const hlo_view *dense = &call->operands[3], *result = &call->results[0];
  int32_t rank = result->rank;
  static const char zeros[16];
  bool fits = (rank == 1 || rank == 2) && dense->rank == rank && dense->type == result->type &&
              m->values->type == result->type && (rank == 1 || dense->dims[1] == result->dims[1]);
  m->sizes[m->is_transposed] = fits ? result->dims[0] : 0;
  m->sizes[!m->is_transposed] = fits ? dense->dims[0] : 0;
  if (!fits || !are_elements(m->is_compressed, m->sizes[0], m->values, m->rows, m->columns))
    return fail(call, takes_columns, error);
  m->count = m->values->dims[0];
  int64_t count = rank > 1 ? result->dims[1] : 1;
  int64_t from_step = rank > 1 ? dense->strides[1] : 0, to_step = rank > 1 ? result->strides[1] : 0;
  add_function *add = add_of(result->type);
  hlo_view_fill(result, zeros);
  clear_workspace(call, 1);
  for (walk w = walk_of(m); walk_next(&w);)
    add(element_at(m->values, w.at), element_at(dense, w.j), from_step, element_at(result, w.i),
        to_step, count);
  return HLO_OK;
}

static hlo_status cpu_product(const hlo_custom_call *call, hlo_error *error) {
  if (call->operand_count != 4 || call->result_count != 1) return fail(call, takes_columns, error);
  sparse m = {.is_compressed = true,
              .values = call->operands,
              .rows = call->operands + 1,
              .columns = call->operands + 2};
  return multiply(call, &m, error);
}

static hlo_status device_product(const hlo_custom_call *call, bool is_compressed,
                                 hlo_error *error) {
  if (call->operand_count != 4 || call->result_count < 1) return fail(call, takes_columns, error);
  sparse m = {.is_compressed = is_compressed, .values = call->operands};
  m.rows = call->operands + (is_compressed ? 2 : 1);
  m.columns = call->operands + (is_compressed ? 1 : 2);
  HLO_TRY(read_transposed(call, &m.is_transposed, error));
  return multiply(call, &m, error);
}

static hlo_status csr_product(const hlo_custom_call *call, hlo_error *error) {
  return device_product(call, true, error);
}
static hlo_status coo_product(const hlo_custom_call *call, hlo_error *error) {
  return device_product(call, false, error);
}

// --- conversions ---

static void add_to_element(hlo_type type, void *to, const void *value) {
  hlo_number sum = hlo_element_get(type, to), more = hlo_element_get(type, value);
  sum.i = (int64_t)((uint64_t)sum.i + (uint64_t)more.i);
  sum.u += more.u;
  sum.re += more.re;
  sum.im += more.im;
  hlo_element_set(type, to, sum);
}

static bool is_zero(hlo_type type, const void *element) {
  hlo_number number = hlo_element_get(type, element);
  if (number.type_class == HLO_CLASS_SIGNED) return number.i == 0;
  return number.re == 0 && number.im == 0;
}

static hlo_status to_dense(const hlo_custom_call *call, bool is_compressed, hlo_error *error) {
  const hlo_view *o = call->operands, *result = &call->results[0];
  static const char zeros[16];
  bool fits = call->operand_count == 3 && call->result_count >= 1 && result->rank == 2 &&
              o[0].type == result->type;
  sparse m = {.is_compressed = is_compressed, .values = o};
  m.rows = o + (is_compressed ? 2 : 1);
  m.columns = o + (is_compressed ? 1 : 2);
  if (!fits || !are_elements(is_compressed, result->dims[0], m.values, m.rows, m.columns))
    return fail(call, "takes n values and their s32 places, and gives a matrix of the same type",
                error);
  for (int d = 0; d < 2; d++) m.sizes[d] = result->dims[d];
  m.count = o[0].dims[0];
  hlo_view_fill(result, zeros);
  clear_workspace(call, 1);
  for (walk w = walk_of(&m); walk_next(&w);) {
    int64_t at = w.i * result->strides[0] + w.j * result->strides[1];
    add_to_element(result->type, hlo_view_at(result, at), element_at(m.values, w.at));
  }
  return HLO_OK;
}

static hlo_status csr_to_dense(const hlo_custom_call *call, hlo_error *error) {
  return to_dense(call, true, error);
}
static hlo_status coo_to_dense(const hlo_custom_call *call, hlo_error *error) {
  return to_dense(call, false, error);
}

static void store_index(const hlo_view *to, int64_t i, int64_t value) {
  ((int32_t *)to->data)[i * to->strides[0]] = (int32_t)value;
}

// Elements of a matrix that are not zero, row by row, as many as there is room for; what is left of
// the room holds zeros.
static hlo_status from_dense(const hlo_custom_call *call, bool is_compressed, hlo_error *error) {
  const hlo_view *from = &call->operands[0], *to = call->results;
  bool fits = call->operand_count == 1 && call->result_count >= 3 && from->rank == 2 &&
              to[0].type == from->type;
  const hlo_view *places = to + (is_compressed ? 2 : 1), *columns = to + (is_compressed ? 1 : 2);
  if (!fits || !are_elements(is_compressed, from->dims[0], to, places, columns))
    return fail(call, "takes a matrix, and gives n values of the same type and their s32 places",
                error);
  clear_workspace(call, 0);
  int64_t count = 0;
  for (int64_t i = 0; i < from->dims[0]; i++) {
    for (int64_t j = 0; j < from->dims[1] && count < to[0].dims[0]; j++) {
      const void *element = hlo_view_at(from, i * from->strides[0] + j * from->strides[1]);
      if (is_zero(from->type, element)) continue;
      memcpy(element_at(to, count), element, (size_t)hlo_type_bytes(from->type));
      store_index(columns, count, j);
      if (!is_compressed) store_index(places, count, i);
      count++;
    }
    if (is_compressed) store_index(places, i + 1, count);
  }
  return HLO_OK;
}

static hlo_status csr_from_dense(const hlo_custom_call *call, hlo_error *error) {
  return from_dense(call, true, error);
}
static hlo_status coo_from_dense(const hlo_custom_call *call, hlo_error *error) {
  return from_dense(call, false, error);
}

// --- systems of equations ---

static void set_number(const hlo_matrix *m, int64_t i, int64_t j, const hlo_view *from,
                       int64_t at) {
  hlo_number more = hlo_element_get(from->type, element_at(from, at));
  hlo_c128 sum = hlo_matrix_get(m, i, j);
  hlo_matrix_set(m, i, j, (hlo_c128){sum.re + more.re, sum.im + more.im});
}

// x in a x = b, both columns, from the factors of a.
static void substitute(const hlo_matrix *lu, const int32_t *pivots, const hlo_matrix *x) {
  int64_t n = lu->rows;
  for (int64_t k = 0; k < n; k++) {
    hlo_c128 other = hlo_matrix_get(x, pivots[k], 0);
    hlo_matrix_set(x, pivots[k], 0, hlo_matrix_get(x, k, 0));
    hlo_matrix_set(x, k, 0, other);
  }
  for (int64_t pass = 0; pass < 2; pass++) {
    for (int64_t step = 0; step < n; step++) {
      int64_t k = pass == 0 ? step : n - 1 - step;
      hlo_c128 value = hlo_matrix_get(x, k, 0);
      if (pass == 1) value = hlo_div_c128(value, hlo_matrix_get(lu, k, k));
      hlo_matrix_set(x, k, 0, value);
      for (int64_t i = pass == 0 ? k + 1 : 0; i < (pass == 0 ? n : k); i++) {
        hlo_c128 less = hlo_product(hlo_matrix_get(lu, i, k), value);
        hlo_matrix_set(x, i, 0, hlo_difference(hlo_matrix_get(x, i, 0), less));
      }
    }
  }
}

// The factors of the matrix as a dense one: fill-in makes most of a sparse one's as large.
static hlo_status solve(const hlo_custom_call *call, const sparse *m, hlo_error *error) {
  const hlo_view *result = &call->results[0];
  hlo_matrix a, x;
  hlo_arena *scratch = call->evaluator->scratch;
  int64_t n = m->sizes[0];
  int32_t *pivots;
  ptrdiff_t singular;
  bool is_complex = hlo_type_is_complex(result->type);
  HLO_TRY(hlo_matrix_create(scratch, n, n, is_complex, &a, error));
  HLO_TRY(hlo_matrix_create(scratch, n, 1, is_complex, &x, error));
  HLO_ALLOC(pivots, scratch, n, error);
  for (walk w = walk_of(m); walk_next(&w);) set_number(&a, w.i, w.j, m->values, w.at);
  for (int64_t i = 0; i < n; i++) set_number(&x, i, 0, &call->operands[3], i);
  HLO_TRY(hlo_lu(call->evaluator, &a, pivots, &singular, error));
  substitute(&a, pivots, &x);
  for (int64_t i = 0; i < n; i++) {
    hlo_c128 value = hlo_matrix_get(&x, i, 0);
    hlo_number number = {
        .type_class = hlo_type_get_class(result->type), .re = value.re, .im = value.im};
    hlo_element_set(result->type, element_at(result, i), number);
  }
  return HLO_OK;
}

// A compressed matrix and a vector. Older calls have the rows before the columns.
static hlo_status solve_system(const hlo_custom_call *call, bool rows_first, hlo_error *error) {
  const hlo_view *o = call->operands, *result = &call->results[0];
  hlo_type type = result->type;
  bool fits = call->operand_count == 4 && call->result_count == 1 && result->rank == 1 &&
              (hlo_type_is_float(type) || hlo_type_is_complex(type)) && o[0].type == type &&
              is_list(&o[3], type, result->dims[0]);
  sparse m = {.is_compressed = true, .values = o};
  m.rows = o + (rows_first ? 1 : 2);
  m.columns = o + (rows_first ? 2 : 1);
  if (!fits || !are_elements(true, result->dims[0], m.values, m.rows, m.columns))
    return fail(call,
                "takes n values, their s32 columns, where each row begins, and the end, and a "
                "vector; gives one of the same type",
                error);
  m.sizes[0] = m.sizes[1] = result->dims[0];
  m.count = o[0].dims[0];
  return solve(call, &m, error);
}

static hlo_status csr_solve(const hlo_custom_call *call, hlo_error *error) {
  return solve_system(call, false, error);
}
static hlo_status csr_solve_older(const hlo_custom_call *call, hlo_error *error) {
  return solve_system(call, true, error);
}

// --- names ---

static hlo_custom_call_function *function_of(const char *target) {
  static const struct {
    const char *name;
    hlo_custom_call_function *today, *older; // with and without "_ffi" after the name
  } calls[] = {
      {"cpu_csr_sparse_dense", cpu_product, NULL},
      {"sparse_csr_matvec", csr_product, csr_product},
      {"sparse_csr_matmat", csr_product, csr_product},
      {"sparse_coo_matvec", coo_product, coo_product},
      {"sparse_coo_matmat", coo_product, coo_product},
      {"sparse_csr_todense", csr_to_dense, csr_to_dense},
      {"sparse_coo_todense", coo_to_dense, coo_to_dense},
      {"sparse_csr_fromdense", csr_from_dense, csr_from_dense},
      {"sparse_coo_fromdense", coo_from_dense, coo_from_dense},
      {"solver_csrlsvqr", csr_solve, csr_solve_older},
  };
  bool is_cuda = strncmp(target, "cus", 3) == 0, is_rocm = strncmp(target, "hips", 4) == 0;
  const char *name = target + (is_cuda ? 2 : is_rocm ? 3 : 0);
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    size_t length = strlen(calls[i].name);
    if (strncmp(name, calls[i].name, length) != 0) continue;
    if (name[length] == '\0') return calls[i].older;
    if (strcmp(name + length, "_ffi") == 0) return calls[i].today;
  }
  return NULL;
}

bool hlo_sparse_has(const char *target) { return function_of(target) != NULL; }

hlo_status hlo_sparse_call(const hlo_custom_call *call, hlo_error *error) {
  const char *target = hlo_get_text(call->instruction, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
  return function_of(target)(call, error);
}
