// See matrix_product.h.
#include "kernels/product/matrix_product.h"

#include "kernels/machine.h"
#include "math/long_sums.h"

HLO_DEFINE_LONG_SUMS(f32, float)
HLO_DEFINE_LONG_SUMS(f64, double)

enum {
  ROWS = 4,
  COLUMNS = 64, // of results that go on together
};

bool hlo_matrix_product_is_small(const hlo_backend *backend, hlo_type type, double products,
                                 bool of_convolution) {
  if (backend == NULL) return true;
  int64_t limit = of_convolution ? backend->small_convolution : backend->small_dot;
  return products < (double)(type == HLO_F64 ? limit / 8 : limit);
}

const hlo_backend_gemm *hlo_backend_dot_of(const hlo_backend *backend, hlo_type type) {
  static const hlo_backend_gemm none = {0};
  switch (type) {
  case HLO_F32:
    return &backend->dot_f32;
  case HLO_F64:
    return &backend->dot_f64;
  case HLO_U32:
    return &backend->dot_u32;
  case HLO_U64:
    return &backend->dot_u64;
  case HLO_S16:
    return &backend->dot_pairs;
  case HLO_S8:
    return &backend->dot_bytes;
  default:
    return &none;
  }
}

hlo_status hlo_matrix_product_init(const hlo_evaluator *evaluator, hlo_type type, bool is_small,
                                   int64_t n, int64_t k, hlo_matrix_product *out,
                                   hlo_error *error) {
  const hlo_backend *backend = evaluator->backend;
  bool is_complex = hlo_type_is_complex(type);
  *out = (hlo_matrix_product){.kernel = hlo_dot_kernel_get(type), .bytes = hlo_type_bytes(type)};
  out->parts = is_complex ? 2 : hlo_type_is_float(type);
  if (is_small && type != HLO_S16 && type != HLO_S8) return HLO_OK;
  if (backend == NULL) return HLO_OK;
  const hlo_backend_gemm *gemm = hlo_backend_dot_of(backend, type);
  out->fast = gemm->dot;
  if (out->fast == NULL) return HLO_OK;
  out->scratch = hlo_arena_array_raw(evaluator->scratch, 1, (size_t)gemm->scratch(n, k));
  return out->scratch == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

// --- long sums, blocked around a portable kernel that adds in order ---

typedef struct long_product {
  hlo_dot_kernel *kernel;
  bool is_wide;
  int64_t size, parts, k, lda, ldb, ldc; // bytes, and real numbers, of an element
  const char *a, *b;
  char *c;
} long_product;

static void add_block(const long_product *p, int64_t n, const void *block, void *sums, void *lost) {
  if (p->is_wide) hlo_add_block_f64(n * p->parts, block, sums, lost);
  else hlo_add_block_f32(n * p->parts, block, sums, lost);
}
static void end_sums(const long_product *p, int64_t n, const void *lost, void *sums) {
  if (p->is_wide) hlo_end_sums_f64(n * p->parts, lost, sums);
  else hlo_end_sums_f32(n * p->parts, lost, sums);
}

static void multiply_tile(const long_product *p, int64_t m, int64_t n, const char *a, const char *b,
                          char *c) {
  double block[ROWS * COLUMNS * 2], lost[ROWS * COLUMNS * 2] = {0}; // of c128 and less
  for (int64_t d = 0; d < p->k; d += HLO_SUM_BLOCK) {
    int64_t depth = p->k - d < HLO_SUM_BLOCK ? p->k - d : HLO_SUM_BLOCK;
    p->kernel(m, n, depth, a + d * p->size, p->lda, b + d * p->ldb * p->size, p->ldb,
              d == 0 ? (void *)c : block, d == 0 ? p->ldc : n);
    for (int64_t i = 0; d > 0 && i < m; i++)
      add_block(p, n, (char *)block + i * n * p->size, c + i * p->ldc * p->size,
                (char *)lost + i * n * p->size);
  }
  for (int64_t i = 0; i < m; i++)
    end_sums(p, n, (char *)lost + i * n * p->size, c + i * p->ldc * p->size);
}

static void multiply_long(const long_product *p, int64_t m, int64_t n) {
  for (int64_t i = 0; i < m; i += ROWS) {
    for (int64_t j = 0; j < n; j += COLUMNS)
      multiply_tile(p, m - i < ROWS ? m - i : ROWS, n - j < COLUMNS ? n - j : COLUMNS,
                    p->a + i * p->lda * p->size, p->b + j * p->size,
                    p->c + (i * p->ldc + j) * p->size);
  }
}

void hlo_matrix_product_run(const hlo_matrix_product *product, int64_t m, int64_t n, int64_t k,
                            const void *a, int64_t lda, const void *b, int64_t ldb, void *c,
                            int64_t ldc) {
  if (product->fast != NULL) {
    product->fast(m, n, k, a, lda, b, ldb, c, ldc, product->scratch, product->epilogue);
  } else if (k > HLO_LONGEST_SUM_IN_ORDER && product->parts > 0) {
    bool is_wide = product->bytes / product->parts == sizeof(double);
    const long_product work = {
        product->kernel, is_wide, product->bytes, product->parts, k, lda, ldb, ldc, a, b, c};
    multiply_long(&work, m, n);
  } else {
    product->kernel(m, n, k, a, lda, b, ldb, c, ldc);
  }
}

// Blocks of rows of A, each times all columns.
typedef struct columns_work {
  const hlo_matrix_product *product;
  int64_t m, n, k, lda, ldb, ldc, size, rows;
  const char *a, *b;
  char *c;
} columns_work;

static void multiply_block_of_rows(void *data, int32_t part, int32_t thread) {
  const columns_work *w = data;
  int64_t first = part * w->rows, rows = w->m - first < w->rows ? w->m - first : w->rows;
  (void)thread;
  for (int64_t j = 0; j < w->n; j++) {
    w->product->fast(rows, 1, w->k, w->a + first * w->lda * w->size, w->lda,
                     w->b + j * w->ldb * w->size, 1, w->c + (j * w->ldc + first) * w->size, 1,
                     w->product->scratch, NULL);
  }
}

void hlo_matrix_product_run_columns(const hlo_matrix_product *product, const hlo_backend *backend,
                                    hlo_type type, int64_t m, int64_t n, int64_t k, const void *a,
                                    int64_t lda, const void *b, int64_t ldb, void *c, int64_t ldc) {
  columns_work work = {product, m, n, k, lda, ldb, ldc, hlo_type_bytes(type), 0, a, b, c};
  work.rows = HLO_GEMV_NEAR_ELEMENTS / (k > 0 ? k : 1) / 4 * 4 + 4;
  int32_t blocks = (int32_t)((m + work.rows - 1) / work.rows);
  double time = (double)m * (double)n * (double)k / HLO_READ_F32_PER_NS;
  if (hlo_backend_parts(backend, blocks, time) > 1) {
    hlo_backend_parallel(backend, multiply_block_of_rows, &work, blocks);
  } else {
    for (int32_t block = 0; block < blocks; block++) multiply_block_of_rows(&work, block, 0);
  }
}
