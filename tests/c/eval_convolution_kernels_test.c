// Convolution and dot by the backend's kernels against the evaluator without them, over random
// windows, groups, dimension orders, layouts, types and sizes. Elements are small integers, so that
// sums are exact and results must be equal.
#include "eval_fixture.h"

#include "hlo/attributes/window.h"
#include "kernels/simd/kernels.h"

#include <math.h>

// The backend, as if nothing were small.
static const hlo_backend *kernels_for_all_sizes(void) {
  static hlo_backend backend;
  backend = *hlo_kernels_backend();
  backend.small_dot = backend.small_convolution = 0;
  backend.few_features = 0;
  return &backend;
}

// The same, as if every convolution were small.
static const hlo_backend *kernels_for_small_sizes(void) {
  static hlo_backend backend;
  backend = *kernels_for_all_sizes();
  backend.small_convolution = INT64_MAX;
  return &backend;
}

static int64_t small_or(int64_t common, int64_t limit) {
  return random_below(4) > 0 ? common : 1 + random_below(limit);
}

// The labels of one part: a random order of its dimensions.
static void shuffle(char *labels, int32_t count) {
  for (int32_t i = count - 1; i > 0; i--) {
    int64_t j = random_below(i + 1);
    char label = labels[i];
    labels[i] = labels[j];
    labels[j] = label;
  }
}

typedef struct part {
  char labels[6];
  int64_t dims[5];
} part;

// sizes: of the two dimensions that are not spatial, then of the spatial ones.
static part make_part(const char *other, int32_t spatial_rank, const int64_t *sizes) {
  part out = {{0}, {0}};
  for (int32_t i = 0; i < spatial_rank + 2; i++) {
    out.labels[i] = i < 2 ? other[i] : (char)('0' + i - 2);
  }
  if (random_below(2)) shuffle(out.labels, spatial_rank + 2);
  for (int32_t i = 0; i < spatial_rank + 2; i++) {
    char label = out.labels[i];
    out.dims[i] = sizes[label == other[0] ? 0 : label == other[1] ? 1 : 2 + label - '0'];
  }
  return out;
}

typedef struct sizes {
  int64_t batch, features, kernel_features, outputs, feature_groups, batch_groups;
} sizes;

static sizes random_sizes(void) {
  int64_t batch = 1 + random_below(random_below(4) == 0 ? 24 : 3); // many images of few positions
  sizes s = {batch, 0, 1 + random_below(6), 1 + random_below(20), 1, 1};
  switch (random_below(4)) {
  case 0: // depthwise
    s.kernel_features = 1;
    s.feature_groups = s.outputs;
    break;
  case 1:
    s.feature_groups = 1 + random_below(3);
    s.outputs = s.feature_groups * (1 + random_below(5));
    break;
  case 2:
    s.batch_groups = 1 + random_below(2);
    s.batch *= s.batch_groups;
    s.outputs *= s.batch_groups;
    break;
  }
  s.features = s.kernel_features * s.feature_groups;
  return s;
}

// Products and sums that often hit the middle of two f32, now and then beyond their normal range.
static void fill_for_rounding(test_array *array) {
  int64_t count = elements_of(array->view.rank, array->view.dims), bits = 1 + random_below(24);
  bool stays_normal = random_below(8) > 0;
  for (int64_t i = 0; i < count; i++) {
    float value = (float)(random_below(1 << bits) - (1 << (bits - 1)));
    int64_t exponent = random_below(stays_normal ? 12 : 90);
    for (; exponent > 12; exponent--) value *= i % 2 ? 0.5f : 2;
    for (; exponent > 0; exponent--) value *= 0.5f;
    memcpy(element_number(&array->view, i), &value, sizeof value);
  }
}

// follows: b went on through an epilogue.
static bool are_same(hlo_type type, bool exact, bool follows, const void *a, const void *b) {
  double x = as_double(type, a), y = as_double(type, b);
  if (follows) return y == 1 - 2 * x;
  return x == y ? !exact || memcmp(a, b, (size_t)hlo_type_bytes(type)) == 0 : x != x && y != y;
}

static int64_t accepted; // epilogues

// exact: with roundings, which must be the same. Of f32.
static void test_convolution(hlo_type type, int64_t largest, bool exact) {
  int32_t rank = (int32_t)random_below(4);
  sizes s = random_sizes();
  int64_t window[3 * HLO_WINDOW_FIELDS], input[5] = {s.batch, s.features};
  int64_t kernel[5] = {s.kernel_features, s.outputs},
          result[5] = {s.batch / s.batch_groups, s.outputs};
  for (int32_t i = 0; i < rank; i++) {
    int64_t *field = window + i * HLO_WINDOW_FIELDS;
    input[2 + i] = 1 + random_below(rank > 2 ? 8 : largest);
    field[HLO_WINDOW_SIZE] = kernel[2 + i] = 1 + random_below(4);
    field[HLO_WINDOW_STRIDE] = small_or(1, 3);
    field[HLO_WINDOW_PAD_LOW] = small_or(field[HLO_WINDOW_SIZE] / 2, 4) - random_below(2);
    field[HLO_WINDOW_PAD_HIGH] = small_or(field[HLO_WINDOW_SIZE] / 2, 4) - random_below(2);
    field[HLO_WINDOW_LHS_DILATION] = small_or(1, 3);
    field[HLO_WINDOW_RHS_DILATION] = small_or(1, 3);
    field[HLO_WINDOW_REVERSAL] = random_below(5) == 0;
    CHECK(hlo_window_positions(field, input[2 + i], &result[2 + i]));
  }
  part lhs = make_part("bf", rank, input), rhs = make_part("io", rank, kernel),
       out = make_part("bf", rank, result);
  char labels[40];
  snprintf(labels, sizeof labels, "%s_%s->%s", lhs.labels, rhs.labels, out.labels);
  test_program program;
  start_program(&program);
  hlo_attribute attributes[] = {
      {.id = HLO_ATTRIBUTE_WINDOW},
      hlo_attribute_make_text(HLO_ATTRIBUTE_DIM_LABELS, labels),
      hlo_attribute_make_int(HLO_ATTRIBUTE_FEATURE_GROUP_COUNT, s.feature_groups),
      hlo_attribute_make_int(HLO_ATTRIBUTE_BATCH_GROUP_COUNT, s.batch_groups)};
  attributes[0] = ints_attribute(&program, HLO_ATTRIBUTE_WINDOW, rank * HLO_WINDOW_FIELDS, window);
  test_array a = make_array(type, rank + 2, lhs.dims, random_layout());
  test_array b = make_array(type, rank + 2, rhs.dims, random_layout());
  test_layout layout = random_layout();
  test_array wanted = make_array(type, rank + 2, out.dims, ROW_MAJOR);
  test_array got = make_array(type, rank + 2, out.dims, layout);
  if (exact) fill_for_rounding(&a), fill_for_rounding(&b);
  else fill_small(&a, 4), fill_small(&b, 4);
  const hlo_view operands[] = {a.view, b.view};
  CHECK(evaluate(&program, HLO_OP_CONVOLUTION, 2, operands, &wanted.view, 4, attributes));
  program.evaluator.backend = exact ? kernels_for_small_sizes() : kernels_for_all_sizes();
  test_epilogue epilogue = make_test_epilogue(type, got.view.data);
  if (!exact) program.evaluator.offer = &epilogue.offer;
  CHECK(evaluate(&program, HLO_OP_CONVOLUTION, 2, operands, &got.view, 4, attributes));
  bool follows = epilogue.offer.accepted;
  accepted += follows;
  CHECK(!epilogue.missed);
  int64_t count = elements_of(rank + 2, out.dims), wrong = 0;
  for (int64_t i = 0; i < count; i++) {
    if (!are_same(type, exact, follows, element_number(&wanted.view, i),
                  element_number(&got.view, i)))
      wrong++;
  }
  CHECK_MESSAGE(wrong == 0, "%s %s%s: %d of %d elements differ", hlo_type_name(type), labels,
                follows ? " and an epilogue" : "", (int)wrong, (int)count);
  CHECK(gaps_untouched(&got));
  free_array(&a), free_array(&b), free_array(&wanted), free_array(&got);
  end_program(&program);
}

// c = a b with row strides, against sums written out. Elements are small, so that sums are exact.
typedef struct dot_kind {
  hlo_type type; // of the elements; S16: pairs of them in a and b, s32 in c; S8: s32 in c
  int64_t (*scratch)(int64_t n, int64_t k);
  hlo_backend_dot *run;
} dot_kind;

static double number_at(hlo_type type, const void *array, int64_t index) {
  return as_double(type, (const char *)array + index * hlo_type_bytes(type));
}

static void *small_numbers(hlo_type type, int64_t count) {
  char *array = calloc((size_t)(count + 1), (size_t)hlo_type_bytes(type));
  for (int64_t i = 0; i < count; i++) {
    set_small(type, array + i * hlo_type_bytes(type), random_below(7) - 3);
  }
  return array;
}

static void test_dot(const dot_kind *kind, int64_t m, int64_t n, int64_t k) {
  int64_t lda = k + random_below(3), ldb = n + random_below(2) * random_below(5),
          ldc = n + random_below(3), each = kind->type == HLO_S16 ? 2 : 1;
  bool follows = ldc == n;
  hlo_type out = kind->type == HLO_S16 || kind->type == HLO_S8 ? HLO_S32 : kind->type;
  void *a = small_numbers(kind->type, m * lda * each), *c = small_numbers(out, m * ldc);
  void *b = small_numbers(kind->type, k * ldb * each), *before = malloc((size_t)(m * ldc + 1) * 8);
  memcpy(before, c, (size_t)(m * ldc * hlo_type_bytes(out)));
  char *memory = malloc((size_t)kind->scratch(n, k) + 64);
  test_epilogue epilogue = make_test_epilogue(out, c);
  begin_test_epilogue(&epilogue.offer, n, NULL);
  kind->run(m, n, k, a, lda, b, ldb, c, ldc, memory + (64 - (uintptr_t)memory % 64) % 64,
            follows ? &epilogue.offer.epilogue : NULL);
  CHECK(!epilogue.missed);
  int64_t wrong = 0;
  for (int64_t i = 0; i < m; i++) {
    for (int64_t j = 0; j < ldc; j++) {
      double sum = j < n ? 0 : number_at(out, before, i * ldc + j);
      for (int64_t p = 0; p < k * each && j < n; p++) {
        sum += number_at(kind->type, a, i * lda * each + p) *
               number_at(kind->type, b, (p / each * ldb + j) * each + p % each);
      }
      if (number_at(out, c, i * ldc + j) != (follows ? 1 - 2 * sum : sum)) wrong++;
    }
  }
  CHECK_MESSAGE(wrong == 0, "%s %d x %d x %d: %d wrong", hlo_type_name(kind->type), (int)m, (int)n,
                (int)k, (int)wrong);
  free(a), free(b), free(c), free(before), free(memory);
}

// Sums begin with 0, so that those of nothing but -0 are +0.
static void test_negative_zeros(const dot_kind *kind, int64_t m, int64_t n, int64_t k) {
  void *a = small_numbers(kind->type, m * k), *b = small_numbers(kind->type, k * n);
  void *c = small_numbers(kind->type, m * n);
  for (int64_t i = 0; i < m * k; i++)
    set_small(kind->type, (char *)a + i * hlo_type_bytes(kind->type), 0);
  for (int64_t i = 0; i < k * n; i++)
    set_small(kind->type, (char *)b + i * hlo_type_bytes(kind->type), -1);
  char *memory = malloc((size_t)kind->scratch(n, k) + 64);
  kind->run(m, n, k, a, k, b, n, c, n, memory + (64 - (uintptr_t)memory % 64) % 64, NULL);
  int64_t wrong = 0;
  for (int64_t i = 0; i < m * n; i++) wrong += signbit(number_at(kind->type, c, i)) != 0;
  CHECK_MESSAGE(wrong == 0, "%s %d x %d x %d of -0: %d wrong", hlo_type_name(kind->type), (int)m,
                (int)n, (int)k, (int)wrong);
  free(a), free(b), free(c), free(memory);
}

static void test_dots(const dot_kind *kind) {
  for (int i = 0; i < 200; i++) {
    test_dot(kind, random_below(30), random_below(40), random_below(40));
  }
  for (int i = 0; i < 60; i++)
    test_dot(kind, 1 + random_below(300), 1 + i % 8, 1 + random_below(i % 3 == 0 ? 520 : 70));
  for (int i = 0; i < 5; i++) {
    test_dot(kind, 1 + random_below(130), 1 + random_below(50), 200 + random_below(400));
    test_dot(kind, 1 + random_below(6), 100 + random_below(400), 150 + random_below(90));
    test_dot(kind, 1 + random_below(90), 1, 1 + random_below(300));
    test_dot(kind, 5 + random_below(70), 8 * (9 + random_below(30)), 1 + random_below(90));
    test_dot(kind, 1, 32 + random_below(99), 1 + random_below(90));
  }
  test_dot(kind, 1, 5000, 9);
  test_dot(kind, 3, 1100, 18);
}

// Positions beside each other, of any number, under three taps that are as far apart as they, or
// not.
static void test_depthwise(int64_t m, int64_t n, int64_t segments, int64_t apart) {
  int64_t lda = n + random_below(3), ldc = n + random_below(3);
  int64_t *offsets = malloc((size_t)segments * sizeof *offsets);
  for (int64_t s = 0; s < segments; s++) offsets[s] = s / 3 * 5 * lda + s % 3 * lda * apart;
  int64_t rows = m + segments / 3 * 5 + 5 + 2 * apart + random_below(3);
  float *a = small_numbers(HLO_F32, rows * lda), *b = small_numbers(HLO_F32, segments * n);
  float *c = calloc((size_t)(m * ldc + 1), sizeof *c);
  const hlo_depthwise_product product = {.blocks = 1,
                                         .a = (const void *const[]){a},
                                         .c = (void *const[]){c},
                                         .m = m,
                                         .n = n,
                                         .lda = lda,
                                         .ldb = n,
                                         .ldc = ldc,
                                         .segments = segments,
                                         .offsets = offsets,
                                         .b = b};
  hlo_kernel_depthwise_f32(&product);
  int64_t wrong = 0;
  for (int64_t i = 0; i < m * ldc; i++) {
    float sum = 0;
    for (int64_t s = 0; s < segments && i % ldc < n; s++)
      sum += a[i / ldc * lda + offsets[s] + i % ldc] * b[s * n + i % ldc];
    wrong += c[i] != sum;
  }
  CHECK_MESSAGE(wrong == 0, "depthwise %d x %d, %d taps: %d wrong", (int)m, (int)n, (int)segments,
                (int)wrong);
  free(a), free(b), free(c), free(offsets);
}

// Bytes of any value, by their own kernel or as pairs, at any length of the contracting dimension.
static void test_bytes(hlo_type left, hlo_type right) {
  int64_t m = 1 + random_below(9), n = 1 + random_below(20), k = 1 + random_below(30);
  const int64_t lhs[] = {m, k}, rhs[] = {k, n}, out[] = {m, n};
  test_program program;
  start_program(&program);
  program.evaluator.backend = kernels_for_all_sizes();
  const hlo_attribute attributes[] = {
      ints_attribute(&program, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, 1, &(int64_t){1}),
      ints_attribute(&program, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS, 1, &(int64_t){0})};
  test_array a = make_array(left, 2, lhs, random_layout());
  test_array b = make_array(right, 2, rhs, random_layout());
  test_array c = make_array(HLO_S32, 2, out, random_layout());
  fill_random(&a), fill_random(&b);
  const hlo_view operands[] = {a.view, b.view};
  CHECK(evaluate(&program, HLO_OP_DOT, 2, operands, &c.view, 2, attributes));
  for (int64_t i = 0; i < m; i++) {
    for (int64_t j = 0; j < n; j++) {
      double sum = 0;
      for (int64_t p = 0; p < k; p++) {
        sum += as_double(left, element(&a.view, (int64_t[]){i, p})) *
               as_double(right, element(&b.view, (int64_t[]){p, j}));
      }
      CHECK(as_double(HLO_S32, element(&c.view, (int64_t[]){i, j})) == sum);
    }
  }
  CHECK(gaps_untouched(&c));
  free_array(&a), free_array(&b), free_array(&c);
  end_program(&program);
}

// Complex numbers go through planes; against the evaluator without kernels.
static void test_complex(hlo_type type) {
  int64_t m = 1 + random_below(12), n = 1 + random_below(20), k = random_below(30);
  const int64_t lhs[] = {k, m}, rhs[] = {n, k}, out[] = {m, n};
  test_program program;
  start_program(&program);
  const hlo_attribute attributes[] = {
      ints_attribute(&program, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, 1, &(int64_t){0}),
      ints_attribute(&program, HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS, 1, &(int64_t){1})};
  test_array a = make_array(type, 2, lhs, random_layout());
  test_array b = make_array(type, 2, rhs, random_layout());
  test_array wanted = make_array(type, 2, out, ROW_MAJOR);
  test_array got = make_array(type, 2, out, random_layout());
  for (int64_t i = 0; i < m * k + n * k; i++) {
    hlo_number number = {.type_class = HLO_CLASS_COMPLEX,
                         .re = (double)(random_below(9) - 4),
                         .im = (double)(random_below(9) - 4)};
    const hlo_view *view = i < m * k ? &a.view : &b.view;
    hlo_element_set(type, element_number(view, i < m * k ? i : i - m * k), number);
  }
  const hlo_view operands[] = {a.view, b.view};
  CHECK(evaluate(&program, HLO_OP_DOT, 2, operands, &wanted.view, 2, attributes));
  program.evaluator.backend = kernels_for_all_sizes();
  CHECK(evaluate(&program, HLO_OP_DOT, 2, operands, &got.view, 2, attributes));
  for (int64_t i = 0; i < m * n; i++) {
    hlo_number x = hlo_element_get(type, element_number(&wanted.view, i)),
               y = hlo_element_get(type, element_number(&got.view, i));
    CHECK(x.re == y.re && x.im == y.im);
  }
  CHECK(gaps_untouched(&got));
  free_array(&a), free_array(&b), free_array(&wanted), free_array(&got);
  end_program(&program);
}

int main(void) {
  for (int i = 0; i < 400; i++)
    test_depthwise(i % 40, 1 + random_below(20), 1 + random_below(9), 1 + i % 7 / 6);
  for (int i = 0; i < 40; i++) test_depthwise(i, 4 + i % 5 / 4 * 4, 3 * (1 + i % 3), 1);
  for (int i = 0; i < 12; i++) // that are taken in steps, and in many of those
    test_depthwise(1 + random_below(40), 1 + random_below(90),
                   250 + random_below(i % 4 == 0 ? 9000 : 900), 1 + i % 2);
  for (int i = 0; i < 400; i++) {
    test_convolution(HLO_F32, 12, false);
    test_convolution(HLO_F32, 12, true);
  }
  for (int i = 0; i < 200; i++) test_convolution(HLO_F32, 60, false);
  const hlo_type types[] = {HLO_BF16, HLO_F64, HLO_S32, HLO_S64, HLO_S8,
                            HLO_U8,   HLO_U16, HLO_C64, HLO_C128};
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    for (int i = 0; i < 60; i++) test_convolution(types[t], i < 50 ? 9 : 40, false);
  }
  const hlo_backend *backend = hlo_kernels_backend();
  const dot_kind kinds[] = {{HLO_F32, backend->dot_f32.scratch, backend->dot_f32.dot},
                            {HLO_F64, backend->dot_f64.scratch, backend->dot_f64.dot},
                            {HLO_S16, backend->dot_pairs.scratch, backend->dot_pairs.dot},
                            {HLO_S8, backend->dot_bytes.scratch, backend->dot_bytes.dot}};
  for (int i = 0; i < 4; i++) test_dots(&kinds[i]);
  for (int i = 0; i < 40; i++) {
    int64_t m = 1 + random_below(50), n = 1 + random_below(60), k = 1 + random_below(40);
    test_negative_zeros(&kinds[i % 2], m, n, k);
  }
  CHECK(backend->multiplies_bytes());
  // More rows than are multiplied at a time, and a last part that is shallower than the first.
  test_dot(&kinds[3], 41, 5, 3852);
  for (int i = 0; i < 5; i++)
    test_dot(&kinds[3], random_below(99), 1 + random_below(300), 2000 + random_below(2500));
  for (int i = 0; i < 50; i++) {
    test_bytes(HLO_S8, HLO_S8);
    test_bytes(HLO_U8, HLO_S8);
    test_bytes(HLO_S4, HLO_U8);
    test_complex(HLO_C64);
    test_complex(HLO_C128);
  }
  CHECK(accepted > 20);
  return CHECK_RESULT();
}
