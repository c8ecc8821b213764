// Linear algebra as JAX asks for it on other platforms: cuSOLVER's and hipSOLVER's calls, MAGMA's,
// and those of XLA on TPUs. They compute what LAPACK's routines do, with conventions of their own
// for attributes and results. See lapack.h. Source: the programs that JAX 0.10 exports for them.
#include "run/calls/built_in/lapack.h"

#include "kernels/structural.h"

#include <string.h>

// What stands before a name. Behind it stands "_ffi", but in calls of JAX up to 0.4 nothing or a
// type, and nothing where `is_bare`.
static const struct {
  const char *text;
  bool is_bare;
} prefixes[] = {{"cusolver_", false},  {"hipsolver_", false}, {"rocsolver_", false},
                {"cublas_", false},    {"hipblas_", false},   {"cusparse_", false},
                {"hipsparse_", false}, {"cuhybrid_", true},   {"hiphybrid_", true},
                {"magma_", true},      {"cu_", true},         {"hip_", true}};

// Memory for a result that nobody asked for in this form, with the dimensions of another one.
static hlo_status allocate_view(const hlo_lapack *x, hlo_type type, const hlo_view *like,
                                hlo_view *out, hlo_error *error) {
  char *memory;
  int64_t count = like->dims[0] * (like->rank > 1 ? like->dims[1] : 1);
  HLO_ALLOC(memory, x->call->evaluator->scratch, count * hlo_type_bytes(type), error);
  *out = (hlo_view){.type = type, .rank = like->rank, .data = memory};
  for (int32_t d = 0; d < like->rank; d++) {
    out->dims[d] = like->dims[d];
    out->strides[d] = d == 0 ? 1 : like->dims[0];
  }
  return HLO_OK;
}

// The solution alone.
static hlo_status gtsv2(const hlo_lapack *x, hlo_error *error) {
  hlo_lapack y = *x;
  int32_t status = 0;
  y.results[3] = x->results[0];
  for (int i = 0; i < 3; i++)
    HLO_TRY(allocate_view(x, x->operands[i].type, &x->operands[i], &y.results[i], error));
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

static hlo_number get(const hlo_view *view, int64_t i, int64_t j) {
  int64_t at = i * view->strides[0] + (view->rank > 1 ? j * view->strides[1] : 0);
  return hlo_element_get(view->type, hlo_view_at(view, at));
}

static void set(const hlo_view *view, int64_t i, int64_t j, hlo_type_class type_class, double re,
                double im) {
  int64_t at = i * view->strides[0] + (view->rank > 1 ? j * view->strides[1] : 0);
  hlo_element_set(view->type, hlo_view_at(view, at),
                  (hlo_number){.type_class = type_class, .re = re, .im = im});
}

// Columns of real numbers that hold complex vectors as LAPACK does: those of a pair of conjugate
// values, which come one after the other, as real and imaginary parts of the first.
static void pack_vectors(const hlo_view *vectors, const hlo_view *imaginary, const hlo_view *out) {
  for (int64_t j = 0; j < out->dims[1]; j++) {
    bool is_pair = get(imaginary, j, 0).re != 0 && j + 1 < out->dims[1];
    for (int64_t i = 0; i < out->dims[0]; i++) {
      hlo_number z = get(vectors, i, j);
      set(out, i, j, HLO_CLASS_FLOAT, z.re, 0);
      if (is_pair) set(out, i, j + 1, HLO_CLASS_FLOAT, z.im, 0);
    }
    j += is_pair;
  }
}

// Behind the matrix, which comes back as memory that was worked in, come complex values.
static hlo_status geev(const hlo_lapack *x, hlo_error *error) {
  static const char zeros[16];
  hlo_lapack y = *x;
  y.result_count = x->result_count - 1;
  hlo_view_fill(&x->results[0], zeros);
  for (int k = 0; k < y.result_count; k++) y.results[k] = x->results[k + 1];
  return hlo_lapack_geev(&y, error);
}

// The same of a real matrix, with packed vectors.
static hlo_status geev_real(const hlo_lapack *x, hlo_error *error) {
  if (hlo_type_is_complex(x->operands[0].type)) return geev(x, error);
  static const char zeros[16];
  hlo_lapack y = *x;
  hlo_type real = x->operands[0].type;
  hlo_view_fill(&x->results[0], zeros);
  for (int k = 0; k < 2; k++) HLO_TRY(allocate_view(x, real, &x->results[1], &y.results[k], error));
  for (int k = 2; k < 4; k++)
    HLO_TRY(allocate_view(x, hlo_type_complex_of(real), &x->results[k], &y.results[k], error));
  HLO_TRY(hlo_lapack_geev(&y, error));
  for (int64_t k = 0; k < x->results[1].dims[0]; k++)
    set(&x->results[1], k, 0, HLO_CLASS_COMPLEX, get(&y.results[0], k, 0).re,
        get(&y.results[1], k, 0).re);
  for (int k = 2; k < 4; k++) pack_vectors(&y.results[k], &y.results[1], &x->results[k]);
  return HLO_OK;
}

// The triangle r' with r'ᵀ r' = rᵀ r + w wᵀ: rotations take w away into the rows of r.
static hlo_status cholesky_update(const hlo_lapack *x, hlo_error *error) {
  hlo_matrix r, w;
  if (x->call->reference != NULL)
    return hlo_lapack_by_oracle(x, (hlo_routine){.function = hlo_reference_cholesky_update}, 2, 2,
                                error);
  HLO_TRY(hlo_matrix_of_view(x->call->evaluator->scratch, &x->operands[0], &r, error));
  HLO_TRY(hlo_matrix_of_view(x->call->evaluator->scratch, &x->operands[1], &w, error));
  for (int64_t k = 0; k < r.rows; k++) {
    double c;
    hlo_c128 s;
    hlo_rotation_compute(hlo_matrix_get(&r, k, k), hlo_matrix_get(&w, k, 0), &c, &s);
    hlo_vector row = {r.rows - k, r.step, r.re + k + k * r.step, NULL};
    hlo_vector_rotate(row, hlo_column(&w, 0, k), c, s);
  }
  hlo_matrix_to_view(&x->results[0], &r);
  hlo_matrix_to_view(&x->results[1], &w);
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
    {"geev", ALL, "nn > nn cn nn nn i", "compute_left=NV compute_right=NV", geev_real},
    {"gtsv2", ALL, "n n n nm > nm", "", gtsv2},
    {"tridiagonal_solve_perturbed", ALL, "n n n nm > nm", "", hlo_lapack_perturbed},
    {"cholesky_update", "sd", "nn n > nn n", "", cholesky_update},
};
static const hlo_lapack_routine lu = {"LuDecomposition", ALL, "mn > mn ik im", "",
                                      lu_decomposition};

static bool ends_with(const char *text, size_t length, const char *end) {
  size_t size = strlen(end);
  return length > size && strncmp(text + length - size, end, size) == 0;
}

const hlo_lapack_routine *hlo_lapack_device_routine(const char *target, bool transposed,
                                                    bool *is_older) {
  static const char *const suffixes[] = {"_ffi", "_f32", "_f64"};
  *is_older = false;
  if (strcmp(target, lu.name) == 0) return &lu;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
    size_t start = strlen(prefixes[i].text), length = strlen(target), suffix = 0;
    if (strncmp(target, prefixes[i].text, start) != 0) continue;
    while (suffix < 3 && !ends_with(target, length, suffixes[suffix])) suffix++;
    if (suffix < 3) length -= 4;
    length -= start;
    *is_older = suffix > 0 && !prefixes[i].is_bare;
    for (size_t k = 0; k < sizeof routines / sizeof *routines; k++)
      if (strlen(routines[k].name) == length &&
          strncmp(target + start, routines[k].name, length) == 0)
        return &routines[k + (transposed && strcmp(routines[k].name, "gesvd") == 0)];
    return NULL;
  }
  return NULL;
}

// Whether results are square: of a decomposition in older calls, whose factors then are whole.
static bool are_square(const hlo_instruction *x, int32_t first, int32_t end) {
  for (int32_t k = first; k < end; k++) {
    const hlo_shape *shape = hlo_shape_leaf(x->shape, k);
    if (shape->rank < 2 || shape->dims[shape->rank - 1] != shape->dims[shape->rank - 2])
      return false;
  }
  return true;
}

// Of older calls the descriptor's second number says which triangle: 1 in cuSOLVER, 121 in
// hipSOLVER, for the upper one.
static bool is_upper(const hlo_instruction *x) {
  uint8_t bytes[64];
  size_t length = hlo_custom_call_descriptor(x, bytes, sizeof bytes);
  return length > 4 && (bytes[4] == 1 || bytes[4] == 121);
}

char hlo_lapack_device_letter(const hlo_instruction *x, const char *key, bool is_older) {
  if (strcmp(key, "uplo") == 0) {
    bool lower = is_older ? !is_upper(x) : hlo_custom_call_flag(x, "lower", true);
    return lower ? 'L' : 'U';
  }
  if (strcmp(key, "compute_left") == 0) return hlo_custom_call_flag(x, "left", true) ? 'V' : 'N';
  if (strcmp(key, "compute_right") == 0) return hlo_custom_call_flag(x, "right", true) ? 'V' : 'N';
  // The mode: of eigenvalues, then of singular values, with two factors.
  if (hlo_shape_leaf_count(x->shape) == (is_older ? 4 : 3)) return 'V';
  if (is_older) return are_square(x, 2, 4) ? 'A' : 'S';
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
