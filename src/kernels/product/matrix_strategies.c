// Strategies that multiply matrices one by one, or several at a time by threads: each entry of the
// batch goes from its layout to what a kernel reads, through the kernel, and back. See
// strategies.h.
#include "kernels/machine.h"
#include "kernels/product/matrix_product.h"
#include "kernels/product/other_types/dot_complex.h"
#include "kernels/product/other_types/dot_converted.h"
#include "kernels/product/other_types/dot_pairs.h"
#include "kernels/product/strategies.h"

typedef struct matrices_run matrices_run;
// Multiplies the matrices of one entry, as they lie in memory; c is as kernels write it.
typedef void multiply_matrices(const matrices_run *x, int32_t thread, const void *a, const void *b,
                               void *c);

struct matrices_run {
  const hlo_contraction_plan *plan;
  const hlo_evaluator *evaluator;
  multiply_matrices *multiply;
  const char *a, *b;
  char *c;
  hlo_matrix_copy copy_a, copy_b, copy_c;
  hlo_matrix_product *products; // one per thread that takes entries of the batch
  const void *state;            // of other kernels
  hlo_epilogue *epilogue;       // that has been accepted, else NULL
  int64_t batches_per_share;
};

static hlo_status begin(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                        multiply_matrices *multiply, const void *a, const void *b, void *c,
                        matrices_run *out, hlo_error *error) {
  *out = (matrices_run){.plan = plan, .evaluator = evaluator, .a = a, .b = b, .c = c};
  out->multiply = multiply;
  const hlo_contraction *x = &plan->contraction;
  HLO_TRY(hlo_matrix_copy_init(x, evaluator, &plan->a, &out->copy_a, error));
  HLO_TRY(hlo_matrix_copy_init(x, evaluator, &plan->b, &out->copy_b, error));
  return hlo_matrix_copy_init(x, evaluator, &plan->c, &out->copy_c, error);
}

// Bytes of one packed right matrix of the batch.
static int64_t packed_bytes(const hlo_contraction_plan *plan) {
  return plan->backend->pack_f32_size(plan->contraction.n, plan->contraction.k);
}

static void multiply_entry(const matrices_run *x, int64_t batch, int32_t thread) {
  const hlo_contraction *c = &x->plan->contraction;
  int64_t of_b = x->plan->b.is_packed ? batch * packed_bytes(x->plan)
                                      : hlo_contraction_offset(c, HLO_RIGHT, batch) *
                                            hlo_type_bytes(c->types[HLO_RIGHT]);
  const char *a =
      x->a + hlo_contraction_offset(c, HLO_LEFT, batch) * hlo_type_bytes(c->types[HLO_LEFT]);
  char *to =
      x->c + hlo_contraction_offset(c, HLO_PRODUCT, batch) * hlo_type_bytes(c->types[HLO_PRODUCT]);
  if (x->epilogue != NULL) x->epilogue->first_row = batch * c->m;
  x->multiply(x, thread, a, x->b + of_b, x->plan->c.is_dense ? to : x->copy_c.converted);
  hlo_matrix_store(&x->copy_c, to);
}

static void multiply_share(void *data, int32_t part, int32_t thread) {
  const matrices_run *x = data;
  int64_t batch = part * x->batches_per_share, end = batch + x->batches_per_share;
  if (end > x->plan->contraction.batches) end = x->plan->contraction.batches;
  for (; batch < end; batch++) multiply_entry(x, batch, thread);
}

static void multiply_all(matrices_run *x) {
  x->batches_per_share = x->plan->contraction.batches;
  multiply_share(x, 0, 0);
}

// --- by the kernels of matrix_product.h ---

// Offers to fuse the epilogue. Needs a GEMM kernel and a result that is one dense matrix, the batch
// entries stacked along its rows.
static hlo_status offer_epilogue(matrices_run *x, hlo_error *error) {
  const hlo_contraction *c = &x->plan->contraction;
  hlo_epilogue_offer *offer = x->evaluator->offer;
  int64_t stride;
  if (offer == NULL || x->products->fast == NULL || hlo_backend_threads(x->plan->backend) > 1)
    return HLO_OK;
  bool is_dense = x->plan->c.is_dense && x->plan->c.row_stride == c->n &&
                  hlo_contraction_is_even(c, HLO_BATCHES, HLO_PRODUCT, &stride) &&
                  (c->batches == 1 || stride == c->m * c->n);
  if (!is_dense) return HLO_OK;
  HLO_TRY(offer->begin(offer, c->n, error));
  if (offer->accepted) x->products->epilogue = x->epilogue = &offer->epilogue;
  return HLO_OK;
}

// Splits the batch between threads: into how many shares.
static int32_t share_batches(matrices_run *x) {
  const hlo_contraction *c = &x->plan->contraction;
  const hlo_backend *backend = x->plan->backend;
  int64_t parts = hlo_backend_parts(backend, c->batches, x->plan->strategy->cost(x->plan));
  x->batches_per_share = (c->batches + parts - 1) / parts;
  return (int32_t)((c->batches + x->batches_per_share - 1) / x->batches_per_share);
}

// Whether kernels read and write all matrices in place, and there are so many that they are shared,
// not the products of each.
static bool can_share_batches(const hlo_contraction_plan *plan) {
  int32_t threads = hlo_backend_threads(plan->backend);
  return plan->a.is_dense && plan->b.is_dense && plan->c.is_dense && threads > 1 &&
         plan->contraction.batches >= threads;
}

// By kernels for right matrices of n columns and k rows, or elements of the type of that size.
static hlo_status run_kernel(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                             multiply_matrices *multiply, int64_t n, int64_t k, const void *a,
                             const void *b, void *c, hlo_error *error) {
  matrices_run x;
  HLO_TRY(begin(plan, evaluator, multiply, a, b, c, &x, error));
  int32_t parts = can_share_batches(plan) ? share_batches(&x) : 1,
          count = parts > 1 ? hlo_backend_threads(plan->backend) : 1;
  hlo_matrix_product one;
  x.products = &one;
  if (count > 1) HLO_ALLOC(x.products, evaluator->scratch, count, error);
  for (int32_t i = 0; i < count; i++)
    HLO_TRY(hlo_matrix_product_init(evaluator, plan->a.work_type, plan->is_small, n, k,
                                    &x.products[i], error));
  if (parts > 1) {
    hlo_backend_parallel(plan->backend, multiply_share, &x, parts);
    return HLO_OK;
  }
  if (plan->strategy->takes_epilogue) HLO_TRY(offer_epilogue(&x, error));
  multiply_all(&x);
  return HLO_OK;
}

static void multiply_rows(const matrices_run *x, int32_t thread, const void *a, const void *b,
                          void *c) {
  const hlo_contraction_plan *plan = x->plan;
  hlo_matrix_product_run(&x->products[thread], plan->contraction.m, plan->contraction.n,
                         plan->contraction.k, hlo_matrix_load(&x->copy_a, a), plan->a.row_stride,
                         hlo_matrix_load(&x->copy_b, b), plan->b.row_stride, c, plan->c.row_stride);
}

hlo_status hlo_run_gemm(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                        const void *a, const void *b, void *c, hlo_error *error) {
  return run_kernel(plan, evaluator, multiply_rows, plan->contraction.n, plan->contraction.k, a, b,
                    c, error);
}

static void multiply_columns(const matrices_run *x, int32_t thread, const void *a, const void *b,
                             void *c) {
  const hlo_contraction_plan *plan = x->plan;
  hlo_matrix_product_run_columns(&x->products[thread], plan->backend, plan->a.work_type,
                                 plan->contraction.m, plan->contraction.n, plan->contraction.k, a,
                                 plan->a.row_stride, b, plan->b.row_stride, c, plan->c.row_stride);
}

hlo_status hlo_run_gemv_columns(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                                const void *a, const void *b, void *c, hlo_error *error) {
  return run_kernel(plan, evaluator, multiply_columns, 1, plan->contraction.k, a, b, c, error);
}

static void multiply_pairs(const matrices_run *x, int32_t thread, const void *lhs, const void *rhs,
                           void *c) {
  const hlo_contraction_plan *plan = x->plan;
  int64_t m = plan->contraction.m, n = plan->contraction.n, k = plan->contraction.k, lda, ldb;
  const void *a = hlo_matrix_rows(&x->copy_a, lhs, &lda),
             *b = hlo_matrix_rows(&x->copy_b, rhs, &ldb);
  bool a_is_signed = hlo_type_get_class(plan->a.type) == HLO_CLASS_SIGNED;
  bool b_is_signed = hlo_type_get_class(plan->b.type) == HLO_CLASS_SIGNED;
  hlo_pairs_along_rows(plan->backend, m, k, a, lda, a_is_signed, x->copy_a.converted);
  hlo_pairs_along_columns(plan->backend, k, n, b, ldb, b_is_signed, x->copy_b.converted);
  k = (k + 1) / 2;
  hlo_matrix_product_run(&x->products[thread], m, n, k, x->copy_a.converted, k, x->copy_b.converted,
                         n, c, plan->c.row_stride);
}

hlo_status hlo_run_pairs(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                         const void *a, const void *b, void *c, hlo_error *error) {
  return run_kernel(plan, evaluator, multiply_pairs, plan->contraction.n,
                    (plan->contraction.k + 1) / 2, a, b, c, error);
}

bool hlo_packs_right(const hlo_backend *backend, const hlo_contraction *c) {
  return c->constants[HLO_RIGHT] != NULL && c->types[HLO_RIGHT] == HLO_F32 &&
         c->work_type == HLO_F32 && backend != NULL && backend->pack_blocks_f32 != NULL &&
         c->m > HLO_THIN_ROWS && c->n >= HLO_PACKED_COLUMNS;
}

hlo_status hlo_pack_right(hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                          hlo_arena *arena, hlo_error *error) {
  const hlo_contraction *c = &plan->contraction;
  const char *b = c->constants[HLO_RIGHT];
  (void)arena;
  if (!hlo_packs_right(plan->backend, c)) return HLO_OK;
  void *to;
  int64_t bytes = packed_bytes(plan);
  HLO_TRY(evaluator->packing->make(evaluator->packing, c->batches * bytes, &to, error));
  hlo_matrix_copy copy;
  hlo_matrix_describe(c, HLO_RIGHT, HLO_F32, &plan->b);
  HLO_TRY(hlo_matrix_copy_init(c, evaluator, &plan->b, &copy, error));
  for (int64_t batch = 0; batch < c->batches; batch++) {
    int64_t offset = hlo_contraction_offset(c, HLO_RIGHT, batch) * (int64_t)sizeof(float);
    plan->backend->pack_blocks_f32(c->n, c->k, hlo_matrix_load(&copy, b + offset),
                                   plan->b.row_stride, (char *)to + batch * bytes);
  }
  plan->b.is_packed = plan->b.is_dense = true;
  plan->b.row_stride = 0;
  return HLO_OK;
}

// --- by others ---

static void multiply_small(void *data, int32_t part, int32_t thread) {
  const matrices_run *x = data;
  const hlo_contraction *c = &x->plan->contraction;
  int64_t first = part * x->batches_per_share, left = c->batches - first;
  hlo_small_batch_run(&x->plan->small, c, x->a, x->b, x->c, first,
                      left < x->batches_per_share ? left : x->batches_per_share,
                      (char *)x->state + thread * hlo_small_batch_scratch(c));
}

hlo_status hlo_run_small_products(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                                  const void *a, const void *b, void *c, hlo_error *error) {
  matrices_run x = {.plan = plan, .a = a, .b = b, .c = c};
  int64_t bytes = hlo_small_batch_scratch(&plan->contraction);
  int32_t threads = hlo_backend_threads(plan->backend);
  x.state = hlo_arena_array_raw(evaluator->scratch, (size_t)threads, (size_t)bytes);
  if (x.state == NULL) return hlo_fail_out_of_memory(error);
  hlo_backend_parallel(plan->backend, multiply_small, &x, share_batches(&x));
  return HLO_OK;
}

hlo_status hlo_prepare_bands(hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                             hlo_arena *arena, hlo_error *error) {
  (void)evaluator;
  return hlo_bands_find(&plan->contraction, arena, &plan->bands, error);
}

hlo_status hlo_run_bands(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                         const void *a, const void *b, void *c, hlo_error *error) {
  matrices_run x;
  bool done;
  HLO_TRY(begin(plan, evaluator, NULL, a, b, c, &x, error));
  void *to = plan->c.is_dense ? c : x.copy_c.converted;
  HLO_TRY(hlo_bands_run(&plan->bands, evaluator, plan->contraction.m, plan->contraction.n,
                        plan->contraction.k, hlo_matrix_load(&x.copy_b, b), plan->b.row_stride, to,
                        plan->c.row_stride, &done, error));
  if (!done) return hlo_run_gemm(plan, evaluator, a, b, c, error);
  hlo_matrix_store(&x.copy_c, c);
  return HLO_OK;
}

static void multiply_complex(const matrices_run *x, int32_t thread, const void *a, const void *b,
                             void *c) {
  const hlo_contraction_plan *plan = x->plan;
  (void)thread;
  hlo_complex_product_run(x->state, plan->backend, hlo_matrix_load(&x->copy_a, a),
                          plan->a.row_stride, hlo_matrix_load(&x->copy_b, b), plan->b.row_stride, c,
                          plan->c.row_stride);
}

hlo_status hlo_run_complex(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                           const void *a, const void *b, void *c, hlo_error *error) {
  matrices_run x;
  hlo_complex_product product;
  HLO_TRY(begin(plan, evaluator, multiply_complex, a, b, c, &x, error));
  HLO_TRY(hlo_complex_product_init(evaluator, plan->contraction.work_type == HLO_C128,
                                   plan->contraction.m, plan->contraction.n, plan->contraction.k,
                                   &product, error));
  x.state = &product;
  multiply_all(&x);
  return HLO_OK;
}

static void multiply_widened(const matrices_run *x, int32_t thread, const void *a, const void *b,
                             void *c) {
  (void)thread;
  hlo_converted_product_run(x->state, hlo_matrix_load(&x->copy_a, a), x->plan->a.row_stride,
                            hlo_matrix_load(&x->copy_b, b), x->plan->b.row_stride, c,
                            x->plan->c.row_stride);
}

hlo_status hlo_run_widened(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                           const void *a, const void *b, void *c, hlo_error *error) {
  matrices_run x;
  hlo_converted_product product;
  bool left = plan->a.work_type != HLO_F32;
  HLO_TRY(begin(plan, evaluator, multiply_widened, a, b, c, &x, error));
  HLO_TRY(hlo_converted_product_init(evaluator, left, left ? plan->a.type : plan->b.type,
                                     plan->contraction.m, plan->contraction.n, plan->contraction.k,
                                     &product, error));
  x.state = &product;
  multiply_all(&x);
  return HLO_OK;
}
