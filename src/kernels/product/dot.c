// Dot with any batch and contracting dimensions: takes each batch's operands as matrices and
// multiplies those. Source of semantics: "Dot" and "DotGeneral" of the operation semantics.
//
// Sums are made in hlo_dot_work_type and rounded or wrapped once to the result's type.
#include "kernels/machine.h"
#include "kernels/product/dot_bands.h"
#include "kernels/product/dot_batches.h"
#include "kernels/product/matrix_product.h"
#include "kernels/product/matrix_view.h"
#include "kernels/product/other_types/dot_converted.h"
#include "kernels/product/other_types/dot_pairs.h"
#include "kernels/product/other_types/dot_planes.h"
#include "kernels/product/outer_product.h"
#include "kernels/product/plain_dot.h"
#include "kernels/structural.h"

typedef struct dot_dimensions {
  int32_t batch_count, contracting_count;
  const int64_t *batch, *contracting;
  int32_t free_count;
  int64_t free[HLO_MAX_RANK];
} dot_dimensions;

static void split_dimensions(const hlo_instruction *instruction, const hlo_view *operand,
                             hlo_attribute_id batch, hlo_attribute_id contracting,
                             dot_dimensions *out) {
  uint64_t taken = 0; // a bit for each of HLO_MAX_RANK
  out->batch = hlo_get_ints(instruction, batch, &out->batch_count);
  out->contracting = hlo_get_ints(instruction, contracting, &out->contracting_count);
  for (int32_t i = 0; i < out->batch_count; i++) taken |= UINT64_C(1) << out->batch[i];
  for (int32_t i = 0; i < out->contracting_count; i++) taken |= UINT64_C(1) << out->contracting[i];
  out->free_count = 0;
  for (int32_t i = 0; i < operand->rank; i++) {
    if ((taken >> i & 1) == 0) out->free[out->free_count++] = i;
  }
}

typedef struct dot_operation {
  const hlo_evaluator *evaluator;
  const hlo_instruction *instruction;
  const hlo_view *operands, *lhs, *rhs, *result;
  dot_dimensions left, right;
  hlo_matrix_view a, b, c;
  bool interleaves_pairs; // byte operands widened to s16 and interleaved in pairs along k
  bool swapped;           // computes the transposed product: (A B)ᵀ = Bᵀ Aᵀ
  bool by_matvecs; // few columns, b and c column-major: row_stride is the distance between columns
  hlo_matrix_product product;
  hlo_converted_product converted; // if a or b is in_blocks
  bool by_planes;                  // complex product from real products of the components
  bool is_small;
  bool is_banded; // the nonzeros of each row of a seem to lie in one short interval
  hlo_bands bands;
  hlo_planes planes;
  bool is_batched_small; // small matrices, evenly spaced over the batch
  hlo_small_products small;
} dot_operation;

// 8-bit integers: widened to s16, two products along k are summed by one instruction.
static bool is_byte(hlo_type type) {
  int32_t classes = HLO_CLASS_SIGNED | HLO_CLASS_UNSIGNED;
  return hlo_type_bytes(type) == 1 && (hlo_type_get_class(type) & classes) != 0;
}

static void describe_matrices(dot_operation *dot) {
  const dot_dimensions *left = &dot->left, *right = &dot->right;
  int64_t order[HLO_MAX_RANK];
  hlo_matrix_view *const matrices[] = {&dot->a, &dot->b, &dot->c};
  for (int i = 0; i < 3; i++) {
    matrices[i]->view.rank = 0;
    matrices[i]->same_type = matrices[i]->converted = NULL;
    matrices[i]->packed = matrices[i]->in_blocks = false;
  }
  dot->b.packed = dot->evaluator->packed;
  hlo_type work = hlo_dot_work_type(dot->lhs->type, dot->rhs->type, dot->result->type);
  const hlo_backend *backend = dot->evaluator->backend;
  dot->interleaves_pairs = work == HLO_U32 && is_byte(dot->lhs->type) && is_byte(dot->rhs->type) &&
                           backend != NULL && backend->dot_pairs != NULL;
  dot->a.work_type = dot->b.work_type = dot->interleaves_pairs ? HLO_S16 : work;
  if (dot->interleaves_pairs && dot->lhs->type == HLO_S8 && dot->rhs->type == HLO_S8 &&
      backend->multiplies_bytes != NULL && backend->multiplies_bytes()) {
    dot->interleaves_pairs = false;
    dot->a.work_type = dot->b.work_type = HLO_S8;
  }
  dot->c.work_type = work;
  dot->a.view.type = dot->lhs->type;
  hlo_matrix_view_append(&dot->a, dot->lhs, left->free_count, left->free);
  hlo_matrix_view_append(&dot->a, dot->lhs, left->contracting_count, left->contracting);
  dot->a.row_rank = left->free_count;
  dot->b.view.type = dot->rhs->type;
  hlo_matrix_view_append(&dot->b, dot->rhs, right->contracting_count, right->contracting);
  hlo_matrix_view_append(&dot->b, dot->rhs, right->free_count, right->free);
  dot->b.row_rank = right->contracting_count;
  for (int32_t i = 0; i < dot->result->rank; i++) order[i] = i;
  dot->c.view.type = dot->result->type;
  const int64_t *rows = order + left->batch_count, *columns = rows + left->free_count;
  if (dot->swapped) {
    columns = rows;
    rows = columns + right->free_count;
  }
  hlo_matrix_view_append(&dot->c, dot->result, left->free_count, rows);
  hlo_matrix_view_append(&dot->c, dot->result, right->free_count, columns);
  dot->c.row_rank = left->free_count;
  for (int i = 0; i < 3;
       i++) { // sums wrap, so signed integers of the same width have the same bits
    hlo_type type = matrices[i]->view.type;
    if ((type == HLO_S32 && work == HLO_U32) || (type == HLO_S64 && work == HLO_U64))
      matrices[i]->view.type = work;
  }
}

// Whether the matrix is stored column-major with a constant leading dimension, which becomes its
// row_stride.
static bool is_column_major(hlo_matrix_view *matrix) {
  int64_t row_stride;
  int32_t column_rank = matrix->view.rank - matrix->row_rank;
  bool rows = hlo_as_one_dimension(&matrix->view, 0, matrix->row_rank, &matrix->rows, &row_stride);
  bool columns = hlo_as_one_dimension(&matrix->view, matrix->row_rank, column_rank,
                                      &matrix->columns, &matrix->row_stride);
  return rows && columns && row_stride == 1 && matrix->view.type == matrix->work_type;
}

// Whether the backend has a floating-point GEMM kernel for the product's type.
static bool has_kernel(const dot_operation *dot) {
  const hlo_backend *backend = dot->evaluator->backend;
  hlo_type type = dot->c.work_type;
  return backend != NULL && (type == HLO_F32   ? backend->dot_f32
                             : type == HLO_F64 ? backend->dot_f64
                                               : NULL) != NULL;
}

// Skinny GEMM: a large row-major matrix times few contiguous columns, computed as matrix-vector
// products.
static bool is_skinny_product(dot_operation *dot) {
  return has_kernel(dot) && dot->swapped && is_column_major(&dot->b) && is_column_major(&dot->c) &&
         dot->c.columns > 1 && dot->c.columns <= HLO_FEW_COLUMNS;
}

// Whether GEMM packing transposes the right matrix on the fly. Skinny products are not packed, and
// block conversion may leave too few rows for packing.
static bool packing_transposes(dot_operation *dot) {
  return has_kernel(dot) && !dot->is_small && !dot->is_banded && !dot->b.packed &&
         dot->evaluator->packing == NULL && !dot->a.in_blocks && !dot->b.in_blocks &&
         dot->a.rows > HLO_THIN_ROWS && is_column_major(&dot->b) &&
         dot->b.columns >= HLO_PACKED_COLUMNS && dot->b.row_stride >= dot->b.rows;
}

static int64_t elements_along(const hlo_view *view, int32_t count, const int64_t *dimensions) {
  int64_t elements = 1;
  for (int32_t i = 0; i < count; i++) elements *= view->dims[dimensions[i]];
  return elements;
}

// Whether to convert a matrix to the work type block by block: it is large and used with few rows
// or columns of the other, so a converted copy would cost more than the product.
static bool needs_block_conversion(const hlo_matrix_view *matrix, const hlo_matrix_view *other,
                                   int64_t k) {
  return matrix->view.type != HLO_F32 && hlo_view_elements(&other->view) <= HLO_FEW_FOR_LARGE * k &&
         hlo_is_large_to_convert(hlo_view_elements(&matrix->view));
}

static hlo_status prepare(dot_operation *dot, hlo_error *error) {
  describe_matrices(dot);
  const hlo_backend *backend = dot->evaluator->backend;
  int64_t k = elements_along(dot->lhs, dot->left.contracting_count, dot->left.contracting);
  double products = (double)hlo_view_elements(dot->result) * (double)k;
  dot->is_small = hlo_matrix_product_is_small(backend, dot->c.work_type, products, false);
  if (dot->c.work_type == HLO_F32 && !dot->is_small && backend->dot_f32 != NULL &&
      dot->evaluator->packing == NULL) {
    dot->a.in_blocks = needs_block_conversion(&dot->a, &dot->b, k);
    dot->b.in_blocks = needs_block_conversion(&dot->b, &dot->a, k) && !dot->a.in_blocks;
  }
  HLO_TRY(hlo_matrix_view_prepare(dot->evaluator, &dot->a, error));
  if (dot->is_banded) HLO_TRY(hlo_bands_init(dot->evaluator, dot->a.rows, k, &dot->bands, error));
  dot->by_matvecs = dot->a.dense && !dot->is_banded && is_skinny_product(dot);
  if (dot->by_matvecs) {
    dot->by_planes = dot->is_small = false;
    dot->b.dense = dot->c.dense = true;
    return hlo_matrix_product_init(dot->evaluator, dot->a.work_type, false, 1, dot->a.columns,
                                   &dot->product, error);
  }
  if (packing_transposes(dot)) {
    dot->b.dense = true;
    dot->b.row_stride = -dot->b.row_stride;
  } else {
    HLO_TRY(hlo_matrix_view_prepare(dot->evaluator, &dot->b, error));
  }
  HLO_TRY(hlo_matrix_view_prepare(dot->evaluator, &dot->c, error));
  bool is_wide = dot->c.work_type == HLO_C128;
  dot->by_planes = hlo_type_is_complex(dot->c.work_type) && !dot->is_small && backend != NULL &&
                   (is_wide ? backend->dot_f64 : backend->dot_f32) != NULL;
  if (dot->by_planes) {
    return hlo_planes_init(dot->evaluator, is_wide, dot->a.rows, dot->c.columns, dot->a.columns,
                           &dot->planes, error);
  }
  if (dot->a.in_blocks || dot->b.in_blocks) {
    const hlo_matrix_view *large = dot->a.in_blocks ? &dot->a : &dot->b;
    dot->product.fast = NULL; // takes no epilogue
    return hlo_converted_product_init(dot->evaluator, dot->a.in_blocks, large->view.type,
                                      dot->a.rows, dot->c.columns, k, &dot->converted, error);
  }
  if (dot->interleaves_pairs) k = (k + 1) / 2;
  return hlo_matrix_product_init(dot->evaluator, dot->a.work_type, dot->is_small, dot->c.columns, k,
                                 &dot->product, error);
}

static void multiply_bytes(dot_operation *dot, void *lhs, void *rhs, void *c) {
  int64_t m = dot->a.rows, n = dot->c.columns, k = dot->a.columns, lda, ldb;
  const hlo_backend *backend = dot->evaluator->backend;
  const void *a = hlo_matrix_view_rows(&dot->a, lhs, &lda),
             *b = hlo_matrix_view_rows(&dot->b, rhs, &ldb);
  bool a_is_signed = hlo_type_get_class(dot->lhs->type) == HLO_CLASS_SIGNED;
  bool b_is_signed = hlo_type_get_class(dot->rhs->type) == HLO_CLASS_SIGNED;
  hlo_pairs_along_rows(backend, m, k, a, lda, a_is_signed, dot->a.converted);
  hlo_pairs_along_columns(backend, k, n, b, ldb, b_is_signed, dot->b.converted);
  k = (k + 1) / 2;
  hlo_matrix_product_run(&dot->product, m, n, k, dot->a.converted, k, dot->b.converted, n, c,
                         dot->c.row_stride);
}

// Operands and result already have the work type and a supported layout.
static void multiply_dense(const dot_operation *dot, const hlo_matrix_product *product,
                           const void *a, const void *b, void *c) {
  int64_t m = dot->a.rows, n = dot->c.columns, k = dot->a.columns;
  int64_t lda = dot->a.row_stride, ldb = dot->b.row_stride, ldc = dot->c.row_stride;
  if (dot->is_banded && hlo_bands_run(dot->evaluator, m, n, k, a, lda, b, ldb, c, ldc, &dot->bands))
    return;
  if (dot->by_matvecs) {
    hlo_matrix_product_run_columns(product, dot->evaluator->backend, dot->a.work_type, m, n, k, a,
                                   lda, b, ldb, c, ldc);
  } else {
    hlo_matrix_product_run(product, m, n, k, a, lda, b, ldb, c, ldc);
  }
}

static void multiply(dot_operation *dot, void *lhs, void *rhs, void *result) {
  int64_t m = dot->a.rows, n = dot->c.columns, k = dot->a.columns;
  void *c = dot->c.dense ? result : dot->c.converted;
  if (dot->interleaves_pairs) {
    multiply_bytes(dot, lhs, rhs, c);
  } else {
    const void *a = hlo_matrix_view_load(&dot->a, lhs), *b = hlo_matrix_view_load(&dot->b, rhs);
    if (dot->by_planes) {
      hlo_planes_run(&dot->planes, m, n, k, a, dot->a.row_stride, b, dot->b.row_stride, c,
                     dot->c.row_stride);
    } else if (dot->a.in_blocks || dot->b.in_blocks) {
      hlo_converted_product_run(&dot->converted, a, dot->a.row_stride, b, dot->b.row_stride, c,
                                dot->c.row_stride);
    } else {
      multiply_dense(dot, &dot->product, a, b, c);
    }
  }
  hlo_matrix_view_store(&dot->c, result);
}

// Size of one packed right matrix of the batch.
static int64_t packed_bytes(const dot_operation *dot) {
  return dot->evaluator->backend->pack_f32_size(dot->c.columns, dot->a.columns);
}

// Offsets, in elements, of one batch entry's matrices in the three arrays.
typedef struct batch_offsets {
  int64_t lhs, rhs, result;
  int64_t left; // entries that follow along the last batch dimension
} batch_offsets;

static void batch_offsets_of(const dot_operation *dot, int64_t batch, batch_offsets *out) {
  int32_t last = dot->left.batch_count - 1;
  *out = (batch_offsets){0};
  for (int32_t i = last; i >= 0; i--) {
    int64_t size = dot->result->dims[i], index = batch % size;
    batch /= size;
    if (i == last) out->left = size - 1 - index;
    out->lhs += index * dot->lhs->strides[dot->left.batch[i]];
    out->rhs += index * dot->rhs->strides[dot->right.batch[i]];
    out->result += index * dot->result->strides[i];
  }
}

// Advances to `batch` from the entry before it; zero-initialised offsets start at entry 0.
static void next_offsets(const dot_operation *dot, int64_t batch, batch_offsets *at) {
  int32_t last = dot->left.batch_count - 1;
  if (at->left-- == 0) {
    batch_offsets_of(dot, batch, at);
  } else {
    at->lhs += dot->lhs->strides[dot->left.batch[last]];
    at->rhs += dot->rhs->strides[dot->right.batch[last]];
    at->result += dot->result->strides[last];
  }
  if (dot->b.packed) at->rhs = batch * (packed_bytes(dot) / (int64_t)sizeof(float));
}

// Selects the batched small GEMM: f32 matrices, small and evenly spaced, where the GEMM kernel's
// rounding is wanted.
static bool describe_small_batch(dot_operation *dot) {
  return dot->left.batch_count > 0 && dot->product.fast != NULL && dot->a.work_type == HLO_F32 &&
         !dot->by_matvecs && !dot->b.packed &&
         hlo_dot_batches_serves(dot->a.rows, dot->c.columns, dot->a.columns) &&
         hlo_small_products_match(&dot->a, dot->lhs, dot->left.batch, &dot->b, dot->rhs,
                                  dot->right.batch, &dot->c, dot->result, dot->left.batch_count,
                                  &dot->small);
}

// A batch split between threads; kernels read and write its matrices in place.
typedef struct batch_shares {
  const dot_operation *dot;
  hlo_matrix_product *products; // one per thread
  int64_t batches, batches_per_share;
} batch_shares;

static void multiply_share(void *data, int32_t part, int32_t thread) {
  const batch_shares *parts = data;
  const dot_operation *dot = parts->dot;
  int64_t batch = part * parts->batches_per_share, end = batch + parts->batches_per_share;
  batch_offsets at = {0};
  if (dot->is_batched_small) {
    hlo_small_products_run(&dot->small, batch,
                           (end < parts->batches ? end : parts->batches) - batch);
    return;
  }
  for (; batch < end && batch < parts->batches; batch++) {
    next_offsets(dot, batch, &at);
    multiply_dense(dot, &parts->products[thread], hlo_view_at(dot->lhs, at.lhs),
                   hlo_view_at(dot->rhs, at.rhs), hlo_view_at(dot->result, at.result));
  }
}

// Whether multiply_share applies: no matrix has to be converted or copied.
static bool can_share_batches(const dot_operation *dot) {
  return dot->is_batched_small || (dot->a.dense && dot->b.dense && dot->c.dense && !dot->by_planes);
}

// Chooses *parts, the number of work shares the batch is split into; with more than one, prepares a
// product per thread.
static hlo_status share_batches(const dot_operation *dot, batch_shares *out, int32_t *parts,
                                hlo_error *error) {
  const hlo_backend *backend = dot->evaluator->backend;
  int64_t n = dot->c.columns, k = dot->a.columns;
  int32_t threads = hlo_backend_threads(backend);
  double products = (double)out->batches * dot->a.rows * n * k;
  *parts = 1;
  // With fewer entries than threads, the kernel splits each product instead.
  if (!can_share_batches(dot) || threads < 2 || out->batches < threads) return HLO_OK;
  *parts = hlo_backend_parts(backend, out->batches, products / HLO_F32_PRODUCTS_PER_NS);
  if (*parts == 1) return HLO_OK;
  out->batches_per_share = (out->batches + *parts - 1) / *parts;
  *parts = (int32_t)((out->batches + out->batches_per_share - 1) / out->batches_per_share);
  HLO_ALLOC(out->products, dot->evaluator->scratch, threads, error);
  for (int32_t i = 0; i < threads; i++) {
    HLO_TRY(hlo_matrix_product_init(dot->evaluator, dot->a.work_type, dot->is_small, n, k,
                                    &out->products[i], error));
  }
  return HLO_OK;
}

// Offers to fuse the epilogue. Needs a GEMM kernel and a result that is one dense matrix, the batch
// entries stacked along its rows.
static hlo_status offer_epilogue(dot_operation *dot, int64_t batches, bool *taken,
                                 hlo_error *error) {
  hlo_epilogue_offer *offer = dot->evaluator->offer;
  int64_t count, stride, rows = dot->a.rows, columns = dot->c.columns;
  *taken = false;
  if (offer == NULL || hlo_backend_threads(dot->evaluator->backend) > 1) return HLO_OK;
  bool dense = hlo_as_one_dimension(dot->result, 0, dot->left.batch_count, &count, &stride) &&
               (batches == 1 || stride == rows * columns) && dot->c.dense &&
               dot->c.row_stride == columns;
  if (!dense || dot->by_planes || dot->by_matvecs || dot->is_banded || dot->product.fast == NULL)
    return HLO_OK;
  HLO_TRY(offer->begin(offer, columns, error));
  if (offer->accepted) dot->product.epilogue = &offer->epilogue;
  *taken = offer->accepted;
  return HLO_OK;
}

// Packs the constant right matrices into GEMM panels ahead of execution. f32 only: its panels take
// about as much memory as the matrices.
static hlo_status pack_batches(dot_operation *dot, int64_t batches, hlo_error *error) {
  const hlo_evaluator *evaluator = dot->evaluator;
  const hlo_backend *backend = evaluator->backend;
  if (dot->by_planes || dot->product.fast == NULL || dot->product.fast != backend->dot_f32 ||
      backend->pack_blocks_f32 == NULL || dot->b.view.type != HLO_F32 ||
      dot->a.rows <= HLO_THIN_ROWS || dot->c.columns < HLO_PACKED_COLUMNS) {
    return HLO_OK;
  }
  void *to;
  int64_t bytes = packed_bytes(dot);
  HLO_TRY(evaluator->packing->make(evaluator->packing, batches * bytes, &to, error));
  batch_offsets at = {0};
  for (int64_t batch = 0; batch < batches; batch++) {
    next_offsets(dot, batch, &at);
    const float *b = hlo_matrix_view_load(&dot->b, hlo_view_at(dot->rhs, at.rhs));
    backend->pack_blocks_f32(dot->c.columns, dot->a.columns, b, dot->b.row_stride,
                             (char *)to + batch * bytes);
  }
  return HLO_OK;
}

static hlo_status multiply_batches(dot_operation *dot, hlo_error *error) {
  batch_shares work = {.dot = dot, .batches = 1};
  hlo_strided_dot strided;
  int32_t parts;
  for (int32_t i = 0; i < dot->left.batch_count; i++) work.batches *= dot->result->dims[i];
  HLO_TRY(prepare(dot, error));
  if (dot->evaluator->packing != NULL) return pack_batches(dot, work.batches, error);
  dot->is_batched_small = describe_small_batch(dot);
  // GEMM would copy a matrix of each batch entry: for small products, reading it strided is faster.
  if (dot->instruction->opcode == HLO_OP_DOT && !dot->is_batched_small && !can_share_batches(dot) &&
      work.batches > 1 && dot->a.rows * dot->a.columns * dot->c.columns <= HLO_DOT_FEW_PRODUCTS &&
      hlo_strided_dot_match(dot->instruction, &dot->operands[0], &dot->operands[1], dot->result,
                            dot->is_small, &strided)) {
    hlo_strided_dot_run(&strided, dot->operands[0].data, dot->operands[1].data, dot->result->data);
    return HLO_OK;
  }
  HLO_TRY(share_batches(dot, &work, &parts, error));
  if (parts > 1) {
    hlo_backend_parallel(dot->evaluator->backend, multiply_share, &work, parts);
    return HLO_OK;
  }
  bool taken = false;
  if (!dot->is_batched_small) HLO_TRY(offer_epilogue(dot, work.batches, &taken, error));
  if (can_share_batches(dot) && !taken) {
    work.products = &dot->product;
    work.batches_per_share = work.batches;
    multiply_share(&work, 0, 0);
    return HLO_OK;
  }
  batch_offsets at = {0};
  for (int64_t batch = 0; batch < work.batches; batch++) {
    next_offsets(dot, batch, &at);
    if (taken) dot->evaluator->offer->epilogue.first_row = batch * dot->a.rows;
    multiply(dot, hlo_view_at(dot->lhs, at.lhs), hlo_view_at(dot->rhs, at.rhs),
             hlo_view_at(dot->result, at.result));
  }
  return HLO_OK;
}

static hlo_outer_factor outer_factor_of(const hlo_view *view, const dot_dimensions *dimensions,
                                        int32_t first_free) {
  hlo_outer_factor out = {.view = view};
  for (int32_t i = 0; i < view->rank; i++) out.places[i] = -1;
  for (int32_t i = 0; i < dimensions->batch_count; i++) out.places[dimensions->batch[i]] = i;
  for (int32_t i = 0; i < dimensions->free_count; i++)
    out.places[dimensions->free[i]] = first_free + i;
  return out;
}

static hlo_status multiply_outer(const dot_operation *dot, hlo_error *error) {
  int32_t first_free = dot->left.batch_count;
  hlo_outer_factor left = outer_factor_of(dot->lhs, &dot->left, first_free);
  hlo_outer_factor right =
      outer_factor_of(dot->rhs, &dot->right, first_free + dot->left.free_count);
  hlo_type work = hlo_dot_work_type(dot->lhs->type, dot->rhs->type, dot->result->type);
  return hlo_outer_product(dot->evaluator, work, &left, &right, dot->result, error);
}

static bool contracts_anything(const dot_operation *dot) {
  for (int32_t i = 0; i < dot->left.contracting_count; i++) {
    if (dot->lhs->dims[dot->left.contracting[i]] != 1) return true;
  }
  return false;
}

// Whether to compute the transposed product instead. If the right operand is contiguous along its
// contracting dimension it can then be read in place as the left factor; the left operand and the
// result are transposed instead, which pays if they are much smaller.
static bool is_better_swapped(const dot_operation *dot) {
  const dot_dimensions *left = &dot->left, *right = &dot->right;
  if (right->contracting_count == 0 || right->free_count == 0) return false;
  if (dot->rhs->strides[right->contracting[right->contracting_count - 1]] != 1) return false;
  int64_t m = elements_along(dot->lhs, left->free_count, left->free);
  if (m == 1) return true;
  // A right operand packed ahead of time costs no transposition per execution either.
  if (dot->evaluator->packing != NULL || dot->evaluator->packed) return false;
  int64_t k = elements_along(dot->lhs, left->contracting_count, left->contracting);
  int64_t n = elements_along(dot->rhs, right->free_count, right->free);
  return (double)k * (double)n >= HLO_DOT_MANY_ELEMENTS &&
         HLO_DOT_MUCH_MORE * (double)m * ((double)k + (double)n) < (double)k * (double)n;
}

static void swap_operands(dot_operation *dot) {
  const hlo_view *view = dot->lhs;
  dot_dimensions dimensions = dot->left;
  dot->lhs = dot->rhs;
  dot->rhs = view;
  dot->left = dot->right;
  dot->right = dimensions;
  dot->swapped = true;
}

// Estimates from a few sampled rows whether the matrix is banded: the nonzeros of each row of k lie
// in one short interval (resampling matrices). Dense matrices are rejected after two reads per row.
static bool looks_banded(const hlo_view *operand, const dot_dimensions *dimensions, int64_t rows,
                         int64_t k) {
  int64_t step = operand->strides[dimensions->contracting[0]], found = 0;
  for (int64_t i = 0; i < HLO_FEWEST_BANDS && found <= k; i++) {
    int64_t row = i * (rows - 1) / (HLO_FEWEST_BANDS - 1), first = 0, end = k, at = 0;
    for (int32_t d = dimensions->free_count - 1; d >= 0; d--) {
      int64_t dimension = dimensions->free[d], size = operand->dims[dimension];
      at += row % size * operand->strides[dimension];
      row /= size;
    }
    const float *numbers = hlo_view_at(operand, at);
    while (first < end && numbers[first * step] == 0) first++;
    while (end > first && numbers[(end - 1) * step] == 0) end--;
    found += end - first;
  }
  return found <= HLO_FEWEST_BANDS * k / HLO_PART_OF_BANDS;
}

// Whether to skip the zeros of a banded operand. A banded right operand is swapped to the left; the
// transpositions this needs cost a few multiply-adds per element, which the product must outweigh.
static bool select_banded_operand(dot_operation *dot) {
  const dot_dimensions *left = &dot->left, *right = &dot->right;
  if (dot->evaluator->backend == NULL || dot->lhs->type != HLO_F32 || dot->rhs->type != HLO_F32 ||
      left->batch_count > 0 || left->contracting_count != 1 || dot->evaluator->packed)
    return false;
  int64_t m = elements_along(dot->lhs, left->free_count, left->free);
  int64_t n = elements_along(dot->rhs, right->free_count, right->free);
  int64_t k = dot->lhs->dims[left->contracting[0]];
  if (!hlo_is_large_for_bands(dot->result->type, m, n, k)) return false;
  if (dot->evaluator->packing == NULL && looks_banded(dot->lhs, left, m, k)) return true;
  if (k * n < HLO_BANDS_TURN_PRODUCTS * (k + n) || !looks_banded(dot->rhs, right, n, k))
    return false;
  swap_operands(dot);
  return true;
}

hlo_status hlo_eval_dot(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                        const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  hlo_plain_dot plain;
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  bool is_plain = evaluator->packing == NULL && !evaluator->packed && evaluator->offer == NULL &&
                  hlo_plain_dot_match(evaluator->backend, instruction, &operands[0], &operands[1],
                                      &results[0], &plain);
  if (is_plain && !plain.is_large) {
    return hlo_plain_dot_run(&plain, evaluator, operands[0].data, operands[1].data, results[0].data,
                             error);
  }
  // Not zero-initialised: clearing views of maximum rank would take as long as a small product.
  dot_operation dot;
  dot.evaluator = evaluator;
  dot.instruction = instruction;
  dot.operands = operands;
  dot.lhs = &operands[0];
  dot.rhs = &operands[1];
  dot.result = &results[0];
  dot.swapped = false;
  split_dimensions(instruction, dot.lhs, HLO_ATTRIBUTE_LHS_BATCH_DIMS,
                   HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, &dot.left);
  split_dimensions(instruction, dot.rhs, HLO_ATTRIBUTE_RHS_BATCH_DIMS,
                   HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS, &dot.right);
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status;
  if (!contracts_anything(&dot)) {
    status = evaluator->packing != NULL ? HLO_OK : multiply_outer(&dot, error);
  } else {
    dot.is_banded = select_banded_operand(&dot);
    if (is_plain && !dot.is_banded) {
      return hlo_plain_dot_run(&plain, evaluator, operands[0].data, operands[1].data,
                               results[0].data, error);
    }
    if (!dot.is_banded && is_better_swapped(&dot)) swap_operands(&dot);
    bool packing_is_useless = dot.is_banded && evaluator->packing != NULL;
    status = packing_is_useless ? HLO_OK : multiply_batches(&dot, error);
  }
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
