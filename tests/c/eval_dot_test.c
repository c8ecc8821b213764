// Dot against sums written out, over dimension numbers, layouts and types; and what it asks of the
// backend's kernel.
#include "eval_fixture.h"

#include "kernels/simd/kernels.h"
#include "math/float_formats.h"

#include <math.h>

typedef struct dot_case {
  int32_t batch_count, contracting_count;
  int64_t lhs_batch[4], rhs_batch[4], lhs_contracting[4], rhs_contracting[4];
  int32_t lhs_rank, rhs_rank, rank;
  int64_t lhs_dims[8], rhs_dims[8], dims[8];
} dot_case;

static void shuffle(int64_t *items, int32_t count) {
  for (int32_t i = count - 1; i > 0; i--) {
    int64_t j = random_below(i + 1), item = items[i];
    items[i] = items[j];
    items[j] = item;
  }
}

// Takes places for `count` dimensions of the given sizes out of *free; notes their numbers.
static void place(int64_t *free, int32_t *free_count, int32_t count, const int64_t *sizes,
                  int64_t *numbers, int64_t *dims) {
  for (int32_t i = 0; i < count; i++) {
    numbers[i] = free[--*free_count];
    dims[numbers[i]] = sizes[i];
  }
}

static dot_case random_case(void) {
  dot_case c = {.batch_count = (int32_t)random_below(3),
                .contracting_count = (int32_t)random_below(3)};
  int64_t batch[4], contracting[4], lhs_free[4], rhs_free[4], order[8], numbers[8];
  int32_t lhs_count = (int32_t)random_below(3), rhs_count = (int32_t)random_below(3), left;
  for (int i = 0; i < 4; i++) {
    batch[i] = 1 + random_below(3),
    contracting[i] = random_below(14) == 0 ? 0 : 1 + random_below(5);
    lhs_free[i] = 1 + random_below(5), rhs_free[i] = 1 + random_below(6);
  }
  c.lhs_rank = left = c.batch_count + c.contracting_count + lhs_count;
  for (int32_t i = 0; i < left; i++) order[i] = i;
  shuffle(order, left);
  place(order, &left, c.batch_count, batch, c.lhs_batch, c.lhs_dims);
  place(order, &left, c.contracting_count, contracting, c.lhs_contracting, c.lhs_dims);
  place(order, &left, lhs_count, lhs_free, numbers, c.lhs_dims);
  c.rhs_rank = left = c.batch_count + c.contracting_count + rhs_count;
  for (int32_t i = 0; i < left; i++) order[i] = i;
  shuffle(order, left);
  place(order, &left, c.batch_count, batch, c.rhs_batch, c.rhs_dims);
  place(order, &left, c.contracting_count, contracting, c.rhs_contracting, c.rhs_dims);
  place(order, &left, rhs_count, rhs_free, numbers, c.rhs_dims);
  // The result: batch, then what is free on the left in order, then on the right.
  for (int32_t i = 0; i < c.batch_count; i++) c.dims[c.rank++] = batch[i];
  for (int side = 0; side < 2; side++) {
    int32_t rank = side == 0 ? c.lhs_rank : c.rhs_rank;
    for (int32_t d = 0; d < rank; d++) {
      const int64_t *b = side == 0 ? c.lhs_batch : c.rhs_batch;
      const int64_t *k = side == 0 ? c.lhs_contracting : c.rhs_contracting;
      bool taken = false;
      for (int32_t i = 0; i < c.batch_count; i++) taken = taken || b[i] == d;
      for (int32_t i = 0; i < c.contracting_count; i++) taken = taken || k[i] == d;
      if (!taken) c.dims[c.rank++] = side == 0 ? c.lhs_dims[d] : c.rhs_dims[d];
    }
  }
  return c;
}

typedef struct sum {
  double re, im;
  int64_t exact;
} sum;

static void add_product(sum *total, hlo_number a, hlo_number b) {
  total->re += a.re * b.re - a.im * b.im;
  total->im += a.re * b.im + a.im * b.re;
  total->exact += (int64_t)((uint64_t)a.i * (uint64_t)b.i);
}

static hlo_number number_at(const hlo_view *view, const int64_t *index) {
  hlo_number number = hlo_element_get(view->type, element(view, index));
  bool is_unsigned = number.type_class == HLO_CLASS_UNSIGNED || number.type_class == HLO_CLASS_PRED;
  if (is_unsigned) number.i = (int64_t)number.u;
  if (number.type_class != HLO_CLASS_FLOAT && number.type_class != HLO_CLASS_COMPLEX) {
    number.re = (double)number.i;
    number.im = 0;
  }
  if (number.type_class == HLO_CLASS_FLOAT) number.im = 0;
  return number;
}

// The element of the result with that index, summed up.
static sum sum_at(const dot_case *c, const hlo_view *lhs, const hlo_view *rhs,
                  const int64_t *index) {
  int64_t at[2][8], contracted[4] = {0}, sizes[4], products = 1;
  sum total = {0};
  int32_t next = c->batch_count;
  for (int side = 0; side < 2; side++) {
    int32_t rank = side == 0 ? c->lhs_rank : c->rhs_rank;
    for (int32_t d = 0; d < rank; d++) {
      const int64_t *b = side == 0 ? c->lhs_batch : c->rhs_batch;
      const int64_t *k = side == 0 ? c->lhs_contracting : c->rhs_contracting;
      bool taken = false;
      for (int32_t i = 0; i < c->batch_count; i++) {
        if (b[i] == d) at[side][d] = index[i], taken = true;
      }
      for (int32_t i = 0; i < c->contracting_count; i++) taken = taken || k[i] == d;
      if (!taken) at[side][d] = index[next++];
    }
  }
  for (int32_t i = 0; i < c->contracting_count; i++) {
    sizes[i] = c->lhs_dims[c->lhs_contracting[i]];
    products *= sizes[i];
  }
  if (products == 0) return total;
  if (products == 1) total.re = total.im = -0.0; // a single product is no sum with +0
  do {
    for (int32_t i = 0; i < c->contracting_count; i++) {
      at[0][c->lhs_contracting[i]] = contracted[i];
      at[1][c->rhs_contracting[i]] = contracted[i];
    }
    add_product(&total, number_at(lhs, at[0]), number_at(rhs, at[1]));
  } while (hlo_next_index(c->contracting_count, sizes, contracted));
  return total;
}

static bool evaluate_dot(test_program *program, const dot_case *c, const hlo_view *operands,
                         const hlo_view *result) {
  hlo_attribute attributes[] = {
      ints_attribute(program, HLO_ATTRIBUTE_LHS_BATCH_DIMS, c->batch_count, c->lhs_batch),
      ints_attribute(program, HLO_ATTRIBUTE_RHS_BATCH_DIMS, c->batch_count, c->rhs_batch),
      ints_attribute(program, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, c->contracting_count,
                     c->lhs_contracting),
      ints_attribute(program, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS, c->contracting_count,
                     c->rhs_contracting)};
  return evaluate(program, HLO_OP_DOT, 2, operands, result, 4, attributes);
}

static int64_t accepted; // epilogues

// Small numbers, so that every sum is exact in every type but for the narrowest, which round.
static void check_product(const dot_case *c, hlo_type lhs, hlo_type rhs, hlo_type type,
                          const hlo_backend *backend, bool offers_epilogue) {
  test_program program;
  start_program(&program);
  program.evaluator.backend = backend;
  test_array a = make_array(lhs, c->lhs_rank, c->lhs_dims, random_layout());
  test_array b = make_array(rhs, c->rhs_rank, c->rhs_dims, random_layout());
  test_array to = make_array(type, c->rank, c->dims, random_layout());
  int64_t limit = hlo_type_is_integer(type) ? 100 : 4; // integers wrap
  fill_small(&a, limit);
  fill_small(&b, limit);
  hlo_view operands[2] = {a.view, b.view};
  test_epilogue epilogue = make_test_epilogue(type, to.view.data);
  program.evaluator.offer = offers_epilogue ? &epilogue.offer : NULL;
  CHECK(evaluate_dot(&program, c, operands, &to.view));
  bool follows = epilogue.offer.accepted;
  accepted += follows;
  CHECK(!epilogue.missed);
  int64_t count = elements_of(c->rank, c->dims);
  bool right = true;
  for (int64_t i = 0; i < count; i++) {
    int64_t index[8];
    index_of(c->rank, c->dims, i, index);
    sum total = sum_at(c, &a.view, &b.view, index);
    if (follows) total = (sum){1 - 2 * total.re, -2 * total.im, 1 - 2 * total.exact};
    hlo_number number = {.type_class = HLO_CLASS_SIGNED, .i = total.exact};
    if (hlo_type_is_float(type) || hlo_type_is_complex(type)) {
      number = (hlo_number){.type_class = HLO_CLASS_COMPLEX, .re = total.re, .im = total.im};
    }
    uint64_t wanted[2] = {0};
    hlo_element_set(type, wanted, number);
    if (!same_element(&to.view, index, wanted)) right = false;
  }
  CHECK_MESSAGE(right, "dot of %s and %s to %s", hlo_type_name(lhs), hlo_type_name(rhs),
                hlo_type_name(type));
  CHECK(gaps_untouched(&to));
  free_array(&a), free_array(&b), free_array(&to);
  end_program(&program);
}

static void check_case(const dot_case *c, hlo_type lhs, hlo_type rhs, hlo_type type,
                       const hlo_backend *backend) {
  check_product(c, lhs, rhs, type, backend, true);
}

static void test_types(void) {
  static const hlo_type types[][3] = {{HLO_F32, HLO_F32, HLO_F32},
                                      {HLO_F64, HLO_F64, HLO_F64},
                                      {HLO_F16, HLO_F16, HLO_F16},
                                      {HLO_BF16, HLO_BF16, HLO_F32},
                                      {HLO_S32, HLO_S32, HLO_S32},
                                      {HLO_S8, HLO_S8, HLO_S8},
                                      {HLO_S8, HLO_S8, HLO_S32},
                                      {HLO_U8, HLO_S8, HLO_S32},
                                      {HLO_S64, HLO_S64, HLO_S64},
                                      {HLO_U64, HLO_U64, HLO_U64},
                                      {HLO_U4, HLO_S4, HLO_S32},
                                      {HLO_S4, HLO_S4, HLO_S4},
                                      {HLO_C64, HLO_C64, HLO_C64},
                                      {HLO_C128, HLO_C128, HLO_C128},
                                      {HLO_F32, HLO_F32, HLO_F64},
                                      {HLO_PRED, HLO_PRED, HLO_PRED},
                                      {HLO_F8E4M3FN, HLO_F8E5M2, HLO_F32},
                                      {HLO_BF16, HLO_F32, HLO_F32},
                                      {HLO_F8E4M3FN, HLO_F8E4M3FN, HLO_BF16},
                                      {HLO_S32, HLO_S32, HLO_S64},
                                      {HLO_S8, HLO_S8, HLO_F32},
                                      {HLO_U16, HLO_U16, HLO_U32},
                                      {HLO_F32, HLO_C64, HLO_C64}};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    for (int round = 0; round < 15; round++) {
      dot_case c = random_case();
      check_case(&c, types[t][0], types[t][1], types[t][2], NULL);
    }
  }
}

static dot_case plain_case(int64_t m, int64_t n, int64_t k) {
  return (dot_case){.contracting_count = 1,
                    .lhs_contracting = {1},
                    .lhs_rank = 2,
                    .rhs_rank = 2,
                    .rank = 2,
                    .lhs_dims = {m, k},
                    .rhs_dims = {k, n},
                    .dims = {m, n}};
}

// Sizes around the edges of tiles.
static void test_sizes(void) {
  static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 9, 63, 64, 65, 130};
  for (int i = 0; i < 11; i++) {
    for (int j = 0; j < 11; j++) {
      dot_case c = plain_case(sizes[i], sizes[j], sizes[(i + j) % 11]);
      check_case(&c, HLO_F32, HLO_F32, HLO_F32, NULL);
      check_case(&c, HLO_S32, HLO_S32, HLO_S32, NULL);
    }
  }
  dot_case empty = plain_case(3, 4, 0), none = plain_case(0, 4, 5);
  check_case(&empty, HLO_F32, HLO_F32, HLO_F32, NULL);
  check_case(&empty, HLO_F16, HLO_F16, HLO_F16, NULL);
  check_case(&none, HLO_F32, HLO_F32, HLO_F32, NULL);
}

// Batches of m x k times k x n, or times the rows of n x k.
static dot_case batched_case(int64_t batch, int64_t m, int64_t n, int64_t k, bool by_rows) {
  return (dot_case){.batch_count = 1,
                    .contracting_count = 1,
                    .lhs_contracting = {2},
                    .rhs_contracting = {by_rows ? 2 : 1},
                    .lhs_rank = 3,
                    .rhs_rank = 3,
                    .rank = 3,
                    .lhs_dims = {batch, m, k},
                    .rhs_dims = {batch, by_rows ? n : k, by_rows ? k : n},
                    .dims = {batch, m, n}};
}

// Few rows times the rows of a large matrix, which changes places with them.
static void test_changed_places(void) {
  static const hlo_type types[][3] = {{HLO_F32, HLO_F32, HLO_F32},   {HLO_F64, HLO_F64, HLO_F64},
                                      {HLO_BF16, HLO_BF16, HLO_F32}, {HLO_S8, HLO_S8, HLO_S32},
                                      {HLO_U8, HLO_S8, HLO_S32},     {HLO_C64, HLO_C64, HLO_C64}};
  static const int64_t rows[] = {2, 3, 4, 5, 8, 17};
  for (int t = 0; t < 6; t++) {
    for (int i = 0; i < 6; i++) {
      for (int64_t batch = 1; batch < 4; batch += 2) {
        int64_t m = rows[i], k = 70 + random_below(3), n = 250 + random_below(4);
        dot_case c = batched_case(batch, m, n, k, true);
        for (int layouts = 0; layouts < 3; layouts++)
          check_case(&c, types[t][0], types[t][1], types[t][2], hlo_kernels_backend());
      }
    }
  }
}

// Rows times the rows of a matrix: a kernel that packs those turns them. Around the edges of
// panels, of squares, and of what is packed at a time.
static void test_turned(void) {
  static const int64_t rows[] = {7, 13, 131}, columns[] = {8, 9, 15, 16, 140},
                       depths[] = {3, 64, 66, 515};
  for (int i = 0; i < 3 * 5 * 4; i++) {
    int64_t batch = 1 + i % 2, m = rows[i % 3], n = columns[i % 5], k = depths[i % 4];
    dot_case c = batched_case(batch, m, n, k, true);
    check_case(&c, HLO_F32, HLO_F32, HLO_F32, hlo_kernels_backend());
    check_case(&c, HLO_F64, HLO_F64, HLO_F64, hlo_kernels_backend());
  }
}

// Matrices and vectors that lie in memory in any way, small enough to be turned and not.
static void test_plain(void) {
  static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 63, 64, 65, 130};
  for (int i = 0; i < 400; i++) {
    int64_t m = sizes[random_below(14)], n = sizes[random_below(14)], k = sizes[random_below(14)];
    dot_case c = plain_case(m, n, k);
    if (random_below(2) == 0) { // columns times a matrix
      c.lhs_contracting[0] = 0;
      c.lhs_dims[0] = k, c.lhs_dims[1] = m;
    }
    if (random_below(2) == 0) { // a matrix times rows
      c.rhs_contracting[0] = 1;
      c.rhs_dims[0] = n, c.rhs_dims[1] = k;
    }
    hlo_type type = i % 4 == 0 ? HLO_F64 : HLO_F32;
    check_product(&c, type, type, type, i % 3 == 0 ? NULL : hlo_kernels_backend(), false);
  }
  dot_case vectors = {.contracting_count = 1, .lhs_rank = 2, .rhs_rank = 1, .rank = 1};
  for (int i = 0; i < 11; i++) {
    vectors.lhs_dims[0] = vectors.rhs_dims[0] = sizes[i];
    vectors.lhs_dims[1] = vectors.dims[0] = sizes[(i + 3) % 11];
    check_product(&vectors, HLO_F32, HLO_F32, HLO_F32, hlo_kernels_backend(), false);
  }
}

// Few rows or columns times a matrix of a narrow type, large enough to be converted in blocks: more
// than one of them, and of bf16 around the edges of vectors.
static void test_converted(void) {
  static const hlo_type types[][3] = {{HLO_BF16, HLO_BF16, HLO_F32},
                                      {HLO_BF16, HLO_BF16, HLO_BF16},
                                      {HLO_F16, HLO_F16, HLO_F32},
                                      {HLO_F32, HLO_F8E5M2, HLO_F32}};
  static const int64_t few[] = {1, 2, 4, 5, 8, 9},
                       sizes[][2] = {{2101, 37}, {39, 4203}, {310, 301}};
  for (int i = 0; i < 4 * 6 * 3; i++) {
    int64_t m = few[i % 6], k = sizes[i / 6 % 3][0], n = sizes[i / 6 % 3][1];
    const hlo_type *type = types[i / 18];
    dot_case rows = batched_case(1 + i % 2, m, n, k, false);
    dot_case columns = plain_case(n, m, k);
    check_case(&rows, type[0], type[1], type[2], hlo_kernels_backend());
    check_case(&columns, type[1], type[0], type[2], hlo_kernels_backend());
  }
}

// bf16 sums are made in f32: 1 + 300 times 2^-9 would stay 1 in bf16.
static void test_accumulation(void) {
  test_program program;
  start_program(&program);
  dot_case c = plain_case(1, 1, 301);
  test_array a = make_array(HLO_BF16, 2, c.lhs_dims, ROW_MAJOR),
             b = make_array(HLO_BF16, 2, c.rhs_dims, ROW_MAJOR);
  test_array to = make_array(HLO_BF16, 2, c.dims, ROW_MAJOR);
  for (int64_t i = 0; i < 301; i++) {
    uint16_t one = hlo_f32_to_bf16(1), small = hlo_f32_to_bf16(i == 0 ? 1 : 0x1p-9f);
    memcpy(element_number(&a.view, i), &one, 2);
    memcpy(element_number(&b.view, i), &small, 2);
  }
  hlo_view operands[2] = {a.view, b.view};
  CHECK(evaluate_dot(&program, &c, operands, &to.view));
  uint16_t got;
  memcpy(&got, to.view.data, 2);
  CHECK(got == hlo_f32_to_bf16(1 + 300 * 0x1p-9f));
  free_array(&a), free_array(&b), free_array(&to);
  end_program(&program);
}

// f32 sums run over ascending k in f32: the order shows in the last bit.
static void test_order(void) {
  static const float x[] = {1, 0x1p-24f, 0x1p-24f, 0x1p-24f, -1};
  test_program program;
  start_program(&program);
  dot_case c = plain_case(1, 1, 5);
  test_array a = make_array(HLO_F32, 2, c.lhs_dims, ROW_MAJOR),
             b = make_array(HLO_F32, 2, c.rhs_dims, ROW_MAJOR);
  test_array to = make_array(HLO_F32, 2, c.dims, ROW_MAJOR);
  memcpy(a.memory, x, sizeof x);
  for (int64_t i = 0; i < 5; i++) set_small(HLO_F32, element_number(&b.view, i), 1);
  hlo_view operands[2] = {a.view, b.view};
  CHECK(evaluate_dot(&program, &c, operands, &to.view));
  float got;
  memcpy(&got, to.view.data, 4);
  CHECK(got == 0);
  free_array(&a), free_array(&b), free_array(&to);
  end_program(&program);
}

// --- the backend's kernel ---

static int64_t kernel_calls;

static int64_t scratch_of(int64_t n, int64_t k) { return n * k * 4 + 3; }

static void dot_f32(int64_t m, int64_t n, int64_t k, const void *lhs, int64_t lda, const void *rhs,
                    int64_t ldb, void *result, int64_t ldc, void *scratch,
                    const hlo_epilogue *epilogue) {
  const float *a = lhs, *b = rhs;
  float *c = result;
  kernel_calls++;
  CHECK((uintptr_t)scratch % 64 == 0);
  bool turned = ldb < 0;
  CHECK(lda >= k && ldc >= n);
  CHECK(turned ? -ldb >= k && m > HLO_THIN_ROWS && n >= HLO_PACKED_COLUMNS : ldb >= n);
  memset(scratch, 1, (size_t)scratch_of(n, k)); // all of it is ours
  for (int64_t i = 0; i < m; i++) {
    for (int64_t j = 0; j < n; j++) {
      float total = 0;
      for (int64_t p = 0; p < k; p++)
        total += a[i * lda + p] * b[turned ? p - j * ldb : p * ldb + j];
      c[i * ldc + j] = total;
    }
  }
  if (epilogue == NULL) return;
  CHECK(ldc == n);
  epilogue->run(epilogue->data, epilogue->first_row, epilogue->first_row + m, 0, n);
}

static void test_backend(void) {
  static const hlo_backend backend = {.name = "test", .dot_f32 = {scratch_of, dot_f32}},
                           none = {.name = "none"};
  for (int round = 0; round < 60; round++) {
    dot_case c = random_case();
    int64_t before = kernel_calls, calls = elements_of(c.batch_count, c.dims), products = 1;
    for (int32_t i = 0; i < c.contracting_count; i++) products *= c.lhs_dims[c.lhs_contracting[i]];
    if (products == 1) calls = 0; // no sums
    check_case(&c, HLO_F32, HLO_F32, HLO_F32, &backend);
    bool go_together = c.batch_count > 0 && kernel_calls == before;
    CHECK(go_together || kernel_calls == before + calls);
    before = kernel_calls;
    check_case(&c, HLO_BF16, HLO_BF16, HLO_F32, &backend);
    go_together = c.batch_count > 0 && kernel_calls == before;
    CHECK(go_together || kernel_calls == before + calls);
    before = kernel_calls;
    check_case(&c, HLO_F64, HLO_F64, HLO_F64, &backend);
    check_case(&c, HLO_F32, HLO_F32, HLO_F32, &none);
    CHECK(kernel_calls == before);
  }
  CHECK(accepted > 10);
}

static const hlo_type batched_types[8][3] = {
    {HLO_F64, HLO_F64, HLO_F64},   {HLO_S8, HLO_S8, HLO_S32},      {HLO_S64, HLO_S64, HLO_S64},
    {HLO_BF16, HLO_F32, HLO_BF16}, {HLO_F16, HLO_F16, HLO_F16},    {HLO_C64, HLO_C64, HLO_C64},
    {HLO_F32, HLO_C64, HLO_C64},   {HLO_C128, HLO_C128, HLO_C128},
};

// Batches of small matrices, all layouts: most do without the kernel.
static void test_batches(void) {
  static const hlo_backend backend = {.name = "test", .dot_f32 = {scratch_of, dot_f32}};
  static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 17};
  int64_t together = 0;
  for (int i = 0; i < 7 * 7 * 7; i++) {
    int64_t m = sizes[i / 49], n = sizes[i / 7 % 7], k = sizes[i % 7], before = kernel_calls;
    dot_case c = {.batch_count = 1,
                  .lhs_batch = {0},
                  .rhs_batch = {0},
                  .contracting_count = 1,
                  .lhs_contracting = {2},
                  .rhs_contracting = {1},
                  .lhs_rank = 3,
                  .rhs_rank = 3,
                  .rank = 3,
                  .lhs_dims = {11, m, k},
                  .rhs_dims = {11, k, n},
                  .dims = {11, m, n}};
    check_case(&c, HLO_F32, HLO_F32, HLO_F32, &backend);
    together += k > 1 && kernel_calls == before;
    const hlo_type *types = batched_types[i % 8];
    check_case(&c, types[0], types[1], types[2], hlo_kernels_backend());
    c.dims[0] = c.lhs_dims[0] = c.rhs_dims[0] = 1 + 4200 / (m * n * k); // beyond what is small
    check_case(&c, types[0], types[1], types[2], hlo_kernels_backend());
  }
  CHECK(together > 50);
}

// Batches of matrices and vectors, on either side. Those whose rows are dense do without the
// kernel.
static void test_batches_of_vectors(void) {
  static const hlo_backend backend = {.name = "test", .dot_f32 = {scratch_of, dot_f32}};
  static const int64_t rows[] = {4, 7, 14, 33}, columns[] = {5, 8, 13, 30};
  int64_t together = 0;
  for (int i = 0; i < 4 * 4 * 2 * 10; i++) {
    int64_t m = rows[i % 4], k = columns[i / 4 % 4], before = kernel_calls;
    bool left = i / 16 % 2 != 0; // where the vectors are
    dot_case c = {.batch_count = 1,
                  .lhs_batch = {0},
                  .rhs_batch = {0},
                  .contracting_count = 1,
                  .lhs_contracting = {left ? 1 : 2},
                  .rhs_contracting = {left ? 2 : 1},
                  .lhs_rank = left ? 2 : 3,
                  .rhs_rank = left ? 3 : 2,
                  .rank = 2,
                  .lhs_dims = {250, left ? k : m, k},
                  .rhs_dims = {250, left ? m : k, k},
                  .dims = {250, m}};
    check_case(&c, HLO_F32, HLO_F32, HLO_F32, &backend);
    together += kernel_calls == before;
  }
  CHECK(together > 5);
}

static void test_errors(void) {
  test_program program;
  start_program(&program);
  for (int64_t n = 1; n < 40; n++) { // out of memory at any point, then in order again
    dot_case d = plain_case(7, n % 2 == 0 ? 1 : 5, 6);
    test_array x = make_array(HLO_BF16, 2, d.lhs_dims, REVERSED),
               y = make_array(HLO_BF16, 2, d.rhs_dims, REVERSED);
    test_array z = make_array(HLO_BF16, 2, d.dims, REVERSED);
    fill_small(&x, 3), fill_small(&y, 3);
    hlo_view both[2] = {x.view, y.view};
    hlo_attribute attributes[] = {
        ints_attribute(&program, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, 1, d.lhs_contracting),
        ints_attribute(&program, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS, 1, d.rhs_contracting)};
    hlo_instruction *dot = make_instruction(&program, HLO_OP_DOT, 2, both, &z.view, 2, attributes);
    hlo_arena_free(&program.scratch);
    hlo_memory_fail_after(n);
    hlo_status status = hlo_evaluate(&program.evaluator, dot, both, &z.view, &program.error);
    hlo_memory_fail_after(0);
    CHECK(status == HLO_OK || status == HLO_OUT_OF_MEMORY);
    CHECK(n > 1 || status == HLO_OUT_OF_MEMORY);
    hlo_error_clear(&program.error);
    free_array(&x), free_array(&y), free_array(&z);
  }
  end_program(&program);
}

int main(void) {
  test_types();
  test_sizes();
  test_changed_places();
  test_turned();
  test_plain();
  test_converted();
  test_accumulation();
  test_order();
  test_backend();
  test_batches();
  test_batches_of_vectors();
  test_errors();
  return CHECK_RESULT();
}
