// Convolution and dot by the backend's kernels against the evaluator without them, over random
// windows, groups, dimension orders, layouts, types and sizes. Elements are small integers, so that
// sums are exact and results must be equal.
#include "eval_fixture.h"

#include "hlo/window.h"
#include "kernels/kernels.h"

static int64_t small_or(int64_t usual, int64_t limit) {
  return random_below(4) > 0 ? usual : 1 + random_below(limit);
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
  sizes s = {1 + random_below(3), 0, 1 + random_below(6), 1 + random_below(20), 1, 1};
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

static void test_convolution(hlo_type type, int64_t largest) {
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
  fill_small(&a, 4), fill_small(&b, 4);
  const hlo_view operands[] = {a.view, b.view};
  CHECK(evaluate(&program, HLO_OP_CONVOLUTION, 2, operands, &wanted.view, 4, attributes));
  program.evaluator.backend = hlo_kernels_backend();
  CHECK(evaluate(&program, HLO_OP_CONVOLUTION, 2, operands, &got.view, 4, attributes));
  int64_t count = elements_of(rank + 2, out.dims), wrong = 0;
  for (int64_t i = 0; i < count; i++) {
    double x = as_double(type, element_number(&wanted.view, i));
    if (x != as_double(type, element_number(&got.view, i))) wrong++;
  }
  CHECK_MESSAGE(wrong == 0, "%s: %d of %d elements differ", labels, (int)wrong, (int)count);
  CHECK(gaps_untouched(&got));
  free_array(&a), free_array(&b), free_array(&wanted), free_array(&got);
  end_program(&program);
}

// c = a b with row strides, against sums written out.
static void test_dot(int64_t m, int64_t n, int64_t k) {
  int64_t lda = k + random_below(3), ldb = n + random_below(2) * random_below(5),
          ldc = n + random_below(3);
  const hlo_backend *backend = hlo_kernels_backend();
  float *a = calloc((size_t)(m * lda + 1), 4), *b = calloc((size_t)(k * ldb + 1), 4);
  float *c = calloc((size_t)(m * ldc + 1), 4);
  char *memory = malloc((size_t)backend->dot_f32_scratch(n, k) + 64);
  for (int64_t i = 0; i < m * lda; i++) a[i] = (float)(random_below(7) - 3);
  for (int64_t i = 0; i < k * ldb; i++) b[i] = (float)(random_below(7) - 3);
  for (int64_t i = 0; i < m * ldc; i++) c[i] = 77;
  backend->dot_f32(m, n, k, a, lda, b, ldb, c, ldc, memory + (64 - (uintptr_t)memory % 64) % 64);
  int64_t wrong = 0;
  for (int64_t i = 0; i < m; i++) {
    for (int64_t j = 0; j < ldc; j++) {
      float sum = 0;
      for (int64_t p = 0; p < k; p++) sum += j < n ? a[i * lda + p] * b[p * ldb + j] : 0;
      if (c[i * ldc + j] != (j < n ? sum : 77)) wrong++;
    }
  }
  CHECK_MESSAGE(wrong == 0, "%d x %d x %d: %d wrong", (int)m, (int)n, (int)k, (int)wrong);
  free(a), free(b), free(c), free(memory);
}

int main(void) {
  for (int i = 0; i < 400; i++) test_convolution(HLO_F32, 12);
  for (int i = 0; i < 60; i++) test_convolution(HLO_F32, 40);
  for (int i = 0; i < 60; i++) test_convolution(HLO_BF16, 9);
  for (int i = 0; i < 40; i++) test_convolution(HLO_S32, 9);
  for (int i = 0; i < 400; i++) {
    test_dot(random_below(30), random_below(40), random_below(40));
  }
  for (int i = 0; i < 12; i++) {
    test_dot(1 + random_below(130), 1 + random_below(70), 200 + random_below(400));
    test_dot(1 + random_below(6), 100 + random_below(900), 150 + random_below(90)); // few rows
    test_dot(1 + random_below(90), 1, 1 + random_below(300));                       // one column
  }
  test_dot(1, 5000, 9);
  test_dot(3, 1100, 18);
  return CHECK_RESULT();
}
