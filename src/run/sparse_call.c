// The product of a sparse matrix and a dense one, by the custom call that JAX writes on the CPU.
// Source: the programs that JAX 0.10 exports. See custom_call.h. Must not know about plans or
// frames.
#include "base/complex.h"
#include "run/custom_call.h"

// Row r of the sparse matrix has the elements first[r] to first[r + 1] of `values`, each in the
// column that `columns` says.
typedef struct product {
  const hlo_view *values, *first, *columns, *dense, *result;
} product;

static int64_t index_at(const hlo_view *view, int64_t i) {
  return ((const int32_t *)view->data)[i * view->strides[0]];
}

// Where element (row, k) is; a vector has no k.
static int64_t place(const hlo_view *view, int64_t row, int64_t k) {
  return row * view->strides[0] + (view->rank > 1 ? k * view->strides[1] : 0);
}

// One element of the result. Columns that are not there belong to padding.
typedef void element_function(const product *p, int64_t row, int64_t k, int64_t begin, int64_t end);
#define ELEMENT(name, T, zero, next)                                                               \
  static void name(const product *p, int64_t row, int64_t k, int64_t begin, int64_t end) {         \
    T sum = zero;                                                                                  \
    for (int64_t i = begin; i < end; i++) {                                                        \
      int64_t column = index_at(p->columns, i);                                                    \
      if (column < 0 || column >= p->dense->dims[0]) continue;                                     \
      T a = ((const T *)p->values->data)[i * p->values->strides[0]];                               \
      T b = ((const T *)p->dense->data)[place(p->dense, column, k)];                               \
      sum = next;                                                                                  \
    }                                                                                              \
    ((T *)p->result->data)[place(p->result, row, k)] = sum;                                        \
  }
#define COMPLEX(T) ((T){sum.re + (a.re * b.re - a.im * b.im), sum.im + (a.re * b.im + a.im * b.re)})
ELEMENT(element_s32, uint32_t, 0, sum + a * b)
ELEMENT(element_s64, uint64_t, 0, sum + a * b)
ELEMENT(element_f32, float, 0, sum + a * b)
ELEMENT(element_f64, double, 0, sum + a * b)
ELEMENT(element_c64, hlo_c64, {0}, COMPLEX(hlo_c64))
ELEMENT(element_c128, hlo_c128, {0}, COMPLEX(hlo_c128))

static const struct {
  hlo_type type;
  element_function *element;
} types[] = {{HLO_S32, element_s32}, {HLO_S64, element_s64}, {HLO_F32, element_f32},
             {HLO_F64, element_f64}, {HLO_C64, element_c64}, {HLO_C128, element_c128}};

static bool is_list(const hlo_view *view, hlo_type type, int64_t size) {
  return view->type == type && view->rank == 1 && view->dims[0] == size;
}

static element_function *function_for(const hlo_custom_call *call) {
  const hlo_view *o = call->operands, *r = call->results;
  if (call->operand_count != 4 || call->result_count != 1) return NULL;
  int32_t rank = r->rank;
  bool fits = (rank == 1 || rank == 2) && o[3].rank == rank && o[3].type == r->type &&
              (rank == 1 || o[3].dims[1] == r->dims[1]) && o[0].rank == 1 &&
              is_list(&o[0], r->type, o[0].dims[0]) && is_list(&o[1], HLO_S32, r->dims[0] + 1) &&
              is_list(&o[2], HLO_S32, o[0].dims[0]);
  for (size_t i = 0; fits && i < sizeof types / sizeof *types; i++)
    if (types[i].type == r->type) return types[i].element;
  return NULL;
}

hlo_status hlo_sparse_product(const hlo_custom_call *call, hlo_error *error) {
  element_function *element = function_for(call);
  if (element == NULL)
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "takes n values, the s32 beginnings of rows and their end, n s32 "
                                "columns, and a vector or matrix; gives one of the same type");
  product p = {call->operands, call->operands + 1, call->operands + 2, call->operands + 3,
               call->results};
  int64_t count = p.values->dims[0], columns = p.result->rank > 1 ? p.result->dims[1] : 1;
  for (int64_t row = 0; row < p.result->dims[0]; row++) {
    int64_t begin = index_at(p.first, row), end = index_at(p.first, row + 1);
    if (begin < 0) begin = 0;
    if (end > count) end = count;
    for (int64_t k = 0; k < columns; k++) element(&p, row, k, begin, end);
  }
  return HLO_OK;
}
