// The contraction strategies, and the planner that chooses one. See strategies.h.
#include "kernels/product/strategies.h"

#include "kernels/machine.h"
#include "kernels/product/matrix_product.h"
#include "kernels/product/other_types/dot_converted.h"
#include "kernels/product/outer_product.h"

#include <stddef.h>

static double products_of(const hlo_contraction_plan *plan) {
  const hlo_contraction *c = &plan->contraction;
  return (double)c->batches * (double)c->m * (double)c->n * (double)c->k;
}

// Whether the backend has a GEMM kernel for that type, or the components of complex numbers.
static bool has_kernel(const hlo_backend *backend, hlo_type type) {
  type = hlo_type_is_complex(type) ? hlo_type_complex_part(type) : type;
  return backend != NULL && hlo_backend_dot_of(backend, type)->dot != NULL;
}

// 8-bit integers: widened to s16, two products along k are summed by one instruction.
static bool is_byte(hlo_type type) {
  int32_t classes = HLO_CLASS_SIGNED | HLO_CLASS_UNSIGNED;
  return hlo_type_bytes(type) == 1 && (hlo_type_get_class(type) & classes) != 0;
}

static bool has_bytes(const hlo_contraction_plan *plan) {
  const hlo_contraction *c = &plan->contraction;
  return c->work_type == HLO_U32 && is_byte(c->types[HLO_LEFT]) && is_byte(c->types[HLO_RIGHT]) &&
         plan->backend != NULL && plan->backend->dot_pairs.dot != NULL;
}

static bool are_dense(const hlo_contraction_plan *plan) {
  return plan->a.is_dense && plan->b.is_dense && plan->c.is_dense;
}

// --- what fits ---

static bool has_one_term(hlo_contraction_plan *plan) { return plan->contraction.k == 1; }

// A single product of floats whose matrices kernels read as they are, or after a cheap
// transposition.
static bool is_plain_product(const hlo_contraction_plan *plan) {
  hlo_type type = plan->contraction.work_type;
  return plan->contraction.batches == 1 && plan->a.type == type && plan->b.type == type &&
         plan->c.type == type && (plan->a.is_plain || plan->a.is_turned) &&
         (plan->b.is_plain || plan->b.is_turned) && plan->c.is_plain;
}

// Small products read as they lie: GEMM would copy a matrix of each entry of a batch. Long sums of
// two dense rows have kernels that take four of their products at a time.
static bool is_strided(hlo_contraction_plan *plan) {
  const hlo_contraction *c = &plan->contraction;
  bool is_short = plan->is_small && plan->backend != NULL && c->k > 1 &&
                  c->k <= HLO_PLAIN_LONGEST_SUM && !is_plain_product(plan);
  bool has_few = c->batches > 1 && !are_dense(plan) && c->m * c->n * c->k <= HLO_DOT_FEW_PRODUCTS;
  return (is_short || has_few) && hlo_strided_dot_match(c, plan->is_small, &plan->strided);
}

static bool is_batch_of_small(hlo_contraction_plan *plan) {
  const hlo_contraction *c = &plan->contraction;
  bool is_free = !plan->is_small || c->work_type == HLO_U32 || c->work_type == HLO_U64;
  // Two products of bytes by one instruction are worth a call for each matrix.
  bool has_pairs = has_bytes(plan) && c->m * c->n * c->k >= HLO_DOT_FEW_PRODUCTS;
  return c->batches > 1 && is_free && !has_pairs && plan->backend != NULL &&
         hlo_small_batch_match(c, &plan->small);
}

static bool is_banded(hlo_contraction_plan *plan) {
  return hlo_bands_fit(plan->backend, &plan->contraction, HLO_LEFT);
}

// Skinny GEMM: a large row-major matrix times few contiguous columns, computed as matrix-vector
// products.
static bool has_few_columns(hlo_contraction_plan *plan) {
  hlo_type type = plan->contraction.work_type;
  bool fits = !hlo_type_is_complex(type) && has_kernel(plan->backend, type) && !plan->is_small &&
              plan->contraction.n > 1 && plan->contraction.n <= HLO_FEW_COLUMNS &&
              plan->a.is_dense && plan->b.is_turned && plan->b.type == type && plan->c.is_turned &&
              plan->c.type == type;
  if (!fits) return false;
  plan->b.is_dense = plan->c.is_dense = true;
  plan->b.row_stride = plan->b.stride;
  plan->c.row_stride = plan->c.stride;
  return true;
}

static bool is_large_complex(hlo_contraction_plan *plan) {
  hlo_type type = plan->contraction.work_type;
  return hlo_type_is_complex(type) && !plan->is_small && has_kernel(plan->backend, type);
}

static bool has_signed_bytes(hlo_contraction_plan *plan) {
  const hlo_contraction *c = &plan->contraction;
  bool fits = has_bytes(plan) && c->types[HLO_LEFT] == HLO_S8 && c->types[HLO_RIGHT] == HLO_S8 &&
              plan->backend->multiplies_bytes != NULL && plan->backend->multiplies_bytes();
  if (!fits) return false;
  hlo_matrix_describe(c, HLO_LEFT, HLO_S8, &plan->a);
  hlo_matrix_describe(c, HLO_RIGHT, HLO_S8, &plan->b);
  return true;
}

static bool has_any_bytes(hlo_contraction_plan *plan) {
  if (!has_bytes(plan)) return false;
  hlo_matrix_describe(&plan->contraction, HLO_LEFT, HLO_S16, &plan->a);
  hlo_matrix_describe(&plan->contraction, HLO_RIGHT, HLO_S16, &plan->b);
  return true;
}

// Whether to widen a matrix block by block: it is large and used with few rows or columns of the
// other, so that a converted copy would cost more than the product.
static bool is_large_and_narrow(const hlo_matrix *matrix, const hlo_matrix *other, int64_t k) {
  return matrix->type != HLO_F32 && matrix->is_plain &&
         other->rows * other->columns <= HLO_FEW_FOR_LARGE * k &&
         hlo_is_large_to_convert(matrix->rows * matrix->columns);
}

static bool is_widened(hlo_contraction_plan *plan) {
  const hlo_contraction *c = &plan->contraction;
  if (c->work_type != HLO_F32 || plan->is_small || !has_kernel(plan->backend, HLO_F32))
    return false;
  hlo_matrix *large = is_large_and_narrow(&plan->a, &plan->b, c->k)   ? &plan->a
                      : is_large_and_narrow(&plan->b, &plan->a, c->k) ? &plan->b
                                                                      : NULL;
  if (large == NULL) return false;
  large->is_dense = true;
  large->row_stride = large->stride;
  large->work_type = large->type;
  return true;
}

static bool is_large(hlo_contraction_plan *plan) {
  hlo_type type = plan->contraction.work_type;
  if (plan->is_small || !has_kernel(plan->backend, type)) return false;
  // Packing transposes on its way.
  if (plan->b.is_turned && plan->b.type == type && plan->contraction.m > HLO_THIN_ROWS &&
      plan->contraction.n >= HLO_PACKED_COLUMNS) {
    plan->b.is_dense = true;
    plan->b.row_stride = -plan->b.stride;
  }
  return true;
}

static bool always(hlo_contraction_plan *plan) {
  (void)plan;
  return true;
}

// --- what it costs ---

static double time_of_reading(const hlo_contraction_plan *plan) {
  double bytes = 0;
  for (int32_t i = 0; i < HLO_CONTRACTION_ARRAYS; i++)
    bytes += (double)hlo_contraction_elements(&plan->contraction, i) *
             hlo_type_bytes(plan->contraction.types[i]);
  return bytes / HLO_COPIED_BYTES_PER_NS;
}
static double slower_of(double a, double b) { return a > b ? a : b; }

// Products of components, real ones, at the rate of so many of f32 in a nanosecond.
static double time_of_products(const hlo_contraction_plan *plan, double in_a_ns) {
  hlo_type type = plan->contraction.work_type;
  double parts = hlo_type_is_complex(type) ? 4 : 1;
  int64_t bytes = hlo_type_bytes(type) / (hlo_type_is_complex(type) ? 2 : 1);
  return slower_of(products_of(plan) * parts * (double)bytes / 4 / in_a_ns, time_of_reading(plan));
}

static double cost_of_stores(const hlo_contraction_plan *plan) {
  return time_of_products(plan, HLO_LANES_PER_NS);
}
static double cost_of_strided(const hlo_contraction_plan *plan) {
  return time_of_products(plan, HLO_STRIDED_PRODUCTS_PER_NS);
}
static double cost_of_small(const hlo_contraction_plan *plan) {
  return time_of_products(plan, HLO_SMALL_PRODUCTS_PER_NS);
}
static double cost_of_bands(const hlo_contraction_plan *plan) {
  return products_of(plan) / HLO_PART_OF_BANDS / HLO_BAND_PRODUCTS_PER_NS;
}
static double cost_of_tiles(const hlo_contraction_plan *plan) {
  return time_of_products(plan, HLO_F32_PRODUCTS_PER_NS);
}
static double cost_of_bytes(const hlo_contraction_plan *plan) {
  return time_of_products(plan, HLO_S8_PRODUCTS_PER_NS);
}
static double cost_of_widening(const hlo_contraction_plan *plan) {
  double elements = (double)(plan->a.rows * plan->a.columns + plan->b.rows * plan->b.columns);
  return (double)plan->contraction.batches * elements / HLO_CONVERTED_PER_NS;
}

// --- the table ---

static hlo_status run_strided(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                              const void *a, const void *b, void *c, hlo_error *error) {
  (void)evaluator, (void)error;
  hlo_strided_dot_run(&plan->strided, a, b, c);
  return HLO_OK;
}

// The first that fits is taken: cheaper ones stand before those that serve more.
static const hlo_contraction_strategy strategies[] = {
    {"outer product", has_one_term, cost_of_stores, NULL, hlo_run_outer_product, false},
    {"banded", is_banded, cost_of_bands, hlo_prepare_bands, hlo_run_bands, false},
    {"batched small", is_batch_of_small, cost_of_small, NULL, hlo_run_small_products, false},
    {"strided", is_strided, cost_of_strided, NULL, run_strided, false},
    {"gemv by columns", has_few_columns, time_of_reading, NULL, hlo_run_gemv_columns, false},
    {"complex gemm", is_large_complex, cost_of_tiles, NULL, hlo_run_complex, false},
    {"int8 gemm", has_signed_bytes, cost_of_bytes, NULL, hlo_run_gemm, true},
    {"int16 pairs gemm", has_any_bytes, cost_of_tiles, NULL, hlo_run_pairs, true},
    {"widened in blocks", is_widened, cost_of_widening, NULL, hlo_run_widened, false},
    {"gemm", is_large, cost_of_tiles, hlo_pack_right, hlo_run_gemm, true},
    {"portable", always, cost_of_strided, NULL, hlo_run_gemm, false},
};

// --- the planner ---

static int64_t last_stride(const hlo_contraction *c, int32_t group, int32_t array) {
  int32_t end = c->starts[group + 1];
  return end == c->starts[group] ? 0 : c->loops[end - 1].strides[array];
}

// Whether to compute the transposed product instead. If the right operand is contiguous along its
// terms it can then be read in place as the left factor; the left operand and the result are
// transposed instead, which pays if they are much smaller. A transposed matrix times a vector is
// the vector times the matrix as stored.
static bool is_better_swapped(const hlo_backend *backend, const hlo_contraction *c, bool is_small) {
  if (hlo_bands_fit(backend, c, HLO_LEFT)) return false;
  if (hlo_bands_fit(backend, c, HLO_RIGHT)) return true;
  if (c->n == 1 && c->m > 1 && !(is_small && hlo_type_is_complex(c->work_type)))
    return last_stride(c, HLO_ROWS, HLO_LEFT) == 1 && last_stride(c, HLO_ROWS, HLO_PRODUCT) == 1 &&
           last_stride(c, HLO_TERMS, HLO_RIGHT) == 1;
  if (c->n == 1 || last_stride(c, HLO_TERMS, HLO_RIGHT) != 1) return false;
  if (c->m == 1) return true;
  // A right operand packed ahead of time costs no transposition per execution either.
  if (hlo_packs_right(backend, c)) return false;
  double m = (double)c->m, n = (double)c->n, k = (double)c->k;
  return k * n >= HLO_DOT_MANY_ELEMENTS && HLO_DOT_MUCH_MORE * m * (k + n) < k * n;
}

void hlo_contraction_plan_make(const hlo_backend *backend, hlo_contraction_plan *plan) {
  hlo_contraction *c = &plan->contraction;
  hlo_type work = c->work_type;
  plan->backend = backend;
  plan->is_small = hlo_matrix_product_is_small(backend, work, products_of(plan), false);
  if (c->k != 1 && is_better_swapped(backend, c, plan->is_small)) hlo_contraction_swap(c);
  hlo_matrix_describe(c, HLO_LEFT, work, &plan->a);
  hlo_matrix_describe(c, HLO_RIGHT, work, &plan->b);
  hlo_matrix_describe(c, HLO_PRODUCT, work, &plan->c);
  plan->strategy = strategies;
  while (!plan->strategy->fits(plan)) plan->strategy++;
}

size_t hlo_contraction_plan_size(const hlo_contraction_plan *plan) {
  return offsetof(hlo_contraction_plan, contraction.loops) +
         (size_t)plan->contraction.starts[HLO_LOOP_GROUPS] * sizeof *plan->contraction.loops;
}

hlo_status hlo_contraction_run(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                               const void *lhs, const void *rhs, void *result, hlo_error *error) {
  bool swapped = plan->contraction.is_swapped;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status =
      plan->strategy->run(plan, evaluator, swapped ? rhs : lhs, swapped ? lhs : rhs, result, error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
