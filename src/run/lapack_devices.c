// Linear algebra as JAX asks for it on other platforms: cuSOLVER's and hipSOLVER's calls, MAGMA's,
// and those of XLA on TPUs. They compute what LAPACK's routines do, with conventions of their own
// for attributes and results. See lapack.h. Source: the programs that JAX 0.10 exports for them.
#include "run/lapack.h"

#include "eval/structural.h"

#include <string.h>

// What stands before a name, and "_ffi" or nothing behind it.
static const char *const prefixes[] = {"cusolver_",  "hipsolver_", "rocsolver_", "cublas_",
                                       "hipblas_",   "cusparse_",  "hipsparse_", "cuhybrid_",
                                       "hiphybrid_", "magma_"};

// The solution alone.
static hlo_status gtsv2(const hlo_lapack *x, hlo_error *error) {
  hlo_lapack y = *x;
  hlo_view *results[] = {&y.results[0], &y.results[1], &y.results[2]};
  int32_t status = 0;
  y.results[3] = x->results[0];
  for (int i = 0; i < 3; i++) { // memory for what nobody asked for
    const hlo_view *from = &x->operands[i];
    *results[i] =
        (hlo_view){.type = from->type, .rank = 1, .dims = {from->dims[0]}, .strides = {1}};
    char *memory;
    HLO_ALLOC(memory, x->call->evaluator->scratch, from->dims[0] * hlo_type_bytes(from->type),
              error);
    results[i]->data = memory;
  }
  y.results[4] = (hlo_view){.type = HLO_S32, .data = &status};
  return hlo_lapack_gtsv(&y, error);
}

// Of a matrix that is given by rows the factors change places: vᴴ comes before u.
static hlo_status gesvd_transposed(const hlo_lapack *x, hlo_error *error) {
  hlo_lapack y = *x;
  y.results[2] = x->results[3];
  y.results[3] = x->results[2];
  return hlo_lapack_gesdd(&y, error);
}

// The second factor is v, not its adjoint.
static hlo_status gesvdj(const hlo_lapack *x, hlo_error *error) {
  hlo_lapack y = *x;
  const hlo_view *v = &y.results[3];
  hlo_lapack_turn(&x->results[3], true, &y.results[3]);
  HLO_TRY(hlo_lapack_gesdd(&y, error));
  if (!hlo_type_is_complex(v->type)) return HLO_OK;
  for (int64_t i = 0; i < v->dims[0]; i++) {
    for (int64_t j = 0; j < v->dims[1]; j++) {
      char *at =
          (char *)v->data + (i * v->strides[0] + j * v->strides[1]) * hlo_type_bytes(v->type);
      hlo_number number = hlo_element_get(v->type, at);
      number.im = -number.im;
      hlo_element_set(v->type, at, number);
    }
  }
  return HLO_OK;
}

// Pivots count from 0, and the permutation that they make stands in the place of a status.
static hlo_status lu_decomposition(const hlo_lapack *x, hlo_error *error) {
  hlo_lapack y = *x;
  int32_t status = 0;
  const hlo_view *pivots = &x->results[1], *permutation = &x->results[2];
  y.results[2] = (hlo_view){.type = HLO_S32, .data = &status};
  HLO_TRY(hlo_lapack_getrf(&y, error));
  int32_t *steps = pivots->data, *order = permutation->data;
  for (int64_t k = 0; k < pivots->dims[0]; k++) steps[k * pivots->strides[0]]--;
  hlo_lapack_permute(pivots->dims[0], steps, pivots->strides[0], permutation->dims[0], order,
                     permutation->strides[0]);
  return HLO_OK;
}

#define ALL "sdcz"
static const hlo_lapack_routine routines[] = {
    {"getrf", ALL, "mn > mn ik i", "", hlo_lapack_getrf},
    {"getrf_batched", ALL, "mn > mn ik i", "", hlo_lapack_getrf},
    {"geqrf", ALL, "mn > mn k", "", hlo_lapack_geqrf},
    {"geqrf_batched", ALL, "mn > mn k", "", hlo_lapack_geqrf},
    {"geqp3", ALL, "mn in > mn in k", "", hlo_lapack_geqp3},
    {"orgqr", ALL, "mn p > mn", "", hlo_lapack_orgqr},
    {"ungqr", ALL, "mn p > mn", "", hlo_lapack_orgqr},
    {"ormqr", ALL, "mn p xy > xy", "", hlo_lapack_ormqr},
    {"unmqr", ALL, "mn p xy > xy", "", hlo_lapack_ormqr},
    {"potrf", ALL, "nn > nn i", "uplo=LU", hlo_lapack_potrf},
    {"potrf_batched", ALL, "nn > nn i", "uplo=LU", hlo_lapack_potrf},
    {"syevd", ALL, "nn > nn rn i", "mode=NV uplo=LU", hlo_lapack_syevd},
    {"syevj", ALL, "nn > nn rn i", "mode=NV uplo=LU", hlo_lapack_syevd},
    {"syevdx", ALL, "nn > nn rn i", "mode=NV uplo=LU", hlo_lapack_syevd},
    {"sytrd", ALL, "nn > nn rn rl l i", "uplo=LU", hlo_lapack_sytrd},
    {"gesdd", ALL, "mn > mn rk mu vn i", "mode=ASN", hlo_lapack_gesdd},
    {"gesvd", ALL, "mn > mn rk mu vn i", "mode=ASN", hlo_lapack_gesdd},
    {"gesvd transposed", ALL, "mn > mn rk vn mu i", "mode=ASN", gesvd_transposed},
    {"gesvdj", ALL, "mn > mn rk mu nv i", "mode=ASN", gesvdj},
    {"gesvdp", ALL, "mn > mn rk mu nv i", "mode=ASN", gesvdj},
    {"eig_real", "sd", "nn > n n cnn cnn i", "compute_left=NV compute_right=NV", hlo_lapack_geev},
    {"eig_comp", "cz", "nn > n nn nn i", "compute_left=NV compute_right=NV", hlo_lapack_geev},
    {"gtsv2", ALL, "n n n nm > nm", "", gtsv2},
};
static const hlo_lapack_routine lu = {"LuDecomposition", ALL, "mn > mn ik im", "",
                                      lu_decomposition};

const hlo_lapack_routine *hlo_lapack_device_routine(const char *target, bool transposed) {
  char name[32];
  size_t length = strlen(target), start = 0;
  if (strcmp(target, lu.name) == 0) return &lu;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes && start == 0; i++)
    if (strncmp(target, prefixes[i], strlen(prefixes[i])) == 0) start = strlen(prefixes[i]);
  if (start == 0) return NULL;
  if (length > start + 4 && strcmp(target + length - 4, "_ffi") == 0) length -= 4;
  length -= start;
  if (length >= sizeof name) return NULL;
  memcpy(name, target + start, length);
  name[length] = '\0';
  for (size_t i = 0; i < sizeof routines / sizeof *routines; i++)
    if (strcmp(name, routines[i].name) == 0)
      return &routines[i + (transposed && strcmp(name, "gesvd") == 0)];
  return NULL;
}

char hlo_lapack_device_letter(const hlo_instruction *x, const char *key) {
  if (strcmp(key, "uplo") == 0) return hlo_custom_call_flag(x, "lower", true) ? 'L' : 'U';
  if (strcmp(key, "compute_left") == 0) return hlo_custom_call_flag(x, "left", true) ? 'V' : 'N';
  if (strcmp(key, "compute_right") == 0) return hlo_custom_call_flag(x, "right", true) ? 'V' : 'N';
  if (hlo_shape_leaf_count(x->shape) == 3) return 'V'; // the mode of eigenvalues
  if (!hlo_custom_call_flag(x, "compute_uv", true)) return 'N';
  return hlo_custom_call_flag(x, "full_matrices", true) ? 'A' : 'S';
}

// --- what is no routine of LAPACK ---

void hlo_lapack_permute(int64_t count, const int32_t *pivots, int64_t pivot_step, int64_t size,
                        int32_t *out, int64_t out_step) {
  for (int64_t i = 0; i < size; i++) out[i * out_step] = (int32_t)i;
  for (int64_t k = 0; k < count && k < size; k++) {
    int32_t other = pivots[k * pivot_step], kept = out[k * out_step];
    if (other < 0 || other >= size) continue;
    out[k * out_step] = out[other * out_step];
    out[other * out_step] = kept;
  }
}

// Of row exchanges, counted from 0, the order of rows that they make.
hlo_status hlo_pivots_to_permutation(const hlo_custom_call *call, hlo_error *error) {
  const hlo_view *from = &call->operands[0], *to = &call->results[0];
  int32_t rank = from->rank;
  bool fits = call->operand_count == 1 && call->result_count == 1 && rank > 0 && to->rank == rank &&
              from->type == HLO_S32 && to->type == HLO_S32 &&
              from->dims[rank - 1] <= to->dims[rank - 1];
  for (int32_t d = 0; fits && d < rank - 1; d++) fits = from->dims[d] == to->dims[d];
  if (!fits)
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "takes s32 pivots, and gives s32 permutations of no fewer rows");
  int64_t index[HLO_MAX_RANK] = {0};
  if (hlo_view_elements(to) == 0) return HLO_OK;
  do {
    int64_t a = 0, b = 0;
    for (int32_t d = 0; d < rank - 1; d++) {
      a += index[d] * from->strides[d];
      b += index[d] * to->strides[d];
    }
    hlo_lapack_permute(from->dims[rank - 1], (const int32_t *)from->data + a,
                       from->strides[rank - 1], to->dims[rank - 1], (int32_t *)to->data + b,
                       to->strides[rank - 1]);
  } while (hlo_next_index(rank - 1, from->dims, index));
  return HLO_OK;
}

static hlo_c128 number_at(const hlo_view *view, int64_t offset) {
  hlo_number number = hlo_element_get(view->type, hlo_view_at(view, offset));
  return (hlo_c128){number.re, number.im};
}

// Row i of the matrix times row j, or columns.
static hlo_c128 product_of(const hlo_view *a, int64_t base, int32_t along, int64_t i, int64_t j) {
  int32_t across = 2 * a->rank - 3 - along;
  hlo_c128 sum = {0, 0};
  for (int64_t k = 0; k < a->dims[along]; k++) {
    int64_t at = base + k * a->strides[along];
    hlo_c128 next = hlo_product(number_at(a, at + i * a->strides[across]),
                                number_at(a, at + j * a->strides[across]));
    sum = (hlo_c128){sum.re + next.re, sum.im + next.im};
  }
  return sum;
}

// alpha a aᵀ + beta c, or alpha aᵀ a + beta c if the configuration says transpose.
hlo_status hlo_symmetric_product(const hlo_custom_call *call, hlo_error *error) {
  const hlo_view *a = &call->operands[0], *c = &call->operands[1], *to = &call->results[0];
  int32_t rank = a->rank;
  bool fits = call->operand_count == 4 && call->result_count == 1 && rank >= 2 && c->rank == rank &&
              to->rank == rank && a->type == to->type && c->type == to->type &&
              (hlo_type_is_float(to->type) || hlo_type_is_complex(to->type));
  bool by_columns = hlo_custom_call_flag(call->instruction, "transpose", false);
  int32_t along = by_columns ? rank - 2 : rank - 1;
  for (int32_t d = 0; fits && d < rank; d++) {
    int64_t size = d < rank - 2 ? a->dims[d] : a->dims[2 * rank - 3 - along];
    fits = c->dims[d] == size && to->dims[d] == size;
  }
  for (int32_t k = 2; fits && k < 4; k++)
    fits = call->operands[k].rank == 0 && call->operands[k].type == to->type;
  if (!fits)
    return hlo_instruction_fail(call->instruction, HLO_SHAPE_ERROR, error,
                                "takes matrices, square ones of their products' size, and two "
                                "numbers, all of the result's type");
  int64_t index[HLO_MAX_RANK] = {0};
  if (hlo_view_elements(to) == 0) return HLO_OK;
  hlo_c128 alpha = number_at(&call->operands[2], 0), beta = number_at(&call->operands[3], 0);
  do {
    int64_t offsets[3] = {0}, i = index[rank - 2], j = index[rank - 1];
    for (int32_t d = 0; d < rank; d++) {
      if (d < rank - 2) offsets[0] += index[d] * a->strides[d];
      offsets[1] += index[d] * c->strides[d];
      offsets[2] += index[d] * to->strides[d];
    }
    hlo_c128 x = hlo_product(alpha, product_of(a, offsets[0], along, i, j));
    hlo_c128 y = hlo_product(beta, number_at(c, offsets[1]));
    void *element = hlo_view_at(to, offsets[2]);
    hlo_number sum = hlo_element_get(to->type, element);
    sum.re = x.re + y.re;
    sum.im = x.im + y.im;
    hlo_element_set(to->type, element, sum);
  } while (hlo_next_index(rank, to->dims, index));
  return HLO_OK;
}
