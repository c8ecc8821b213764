// Convolutions that go by Winograd's algorithm: exact for small integers in all layouts, paddings
// and sizes, as accurate as sums otherwise, the same however they are cut, and left to the other
// kernels where precision is asked for, filters are uneven, or something is not finite.
#include "eval_fixture.h"

#include "hlo/attributes/window.h"
#include "kernels/simd/kernels.h"

#include <math.h>

typedef struct convolution {
  int64_t batch, height, width, features, outputs;
  int64_t low[2], high[2]; // padding
  bool reversed;
  const char *labels, *precision;
} convolution;

static hlo_backend simd;
static int32_t threads = 1;

static int32_t count_threads(void) { return threads; }
static int32_t count_parts(int64_t count, double nanoseconds) {
  (void)nanoseconds;
  return threads == 1 ? 1 : (int32_t)(count < 2 * threads ? count : 2 * threads);
}
// The last part first, each as another thread.
static void run_parts(hlo_part *part, void *work, int32_t parts) {
  while (parts-- > 0) part(work, parts, parts % threads);
}

static void window_of(const convolution *c, int64_t *fields) {
  for (int i = 0; i < 2; i++, fields += HLO_WINDOW_FIELDS) {
    fields[HLO_WINDOW_SIZE] = 3;
    fields[HLO_WINDOW_STRIDE] = fields[HLO_WINDOW_LHS_DILATION] = fields[HLO_WINDOW_RHS_DILATION] =
        1;
    fields[HLO_WINDOW_PAD_LOW] = c->low[i];
    fields[HLO_WINDOW_PAD_HIGH] = c->high[i];
    fields[HLO_WINDOW_REVERSAL] = c->reversed;
  }
}

// The dims of a part in the order of its labels.
static void arrange(const char *labels, const char *names, const int64_t *sizes, int64_t *dims) {
  for (int i = 0; i < 4; i++) dims[i] = sizes[strchr(names, labels[i]) - names];
}

static bool run(const convolution *c, const hlo_backend *backend, const test_array *x,
                const test_array *f, test_array *to, test_epilogue *epilogue) {
  test_program program;
  start_program(&program);
  program.evaluator.backend = backend;
  if (epilogue != NULL) program.evaluator.offer = &epilogue->offer;
  int64_t fields[2 * HLO_WINDOW_FIELDS];
  window_of(c, fields);
  hlo_attribute attributes[] = {
      ints_attribute(&program, HLO_ATTRIBUTE_WINDOW, 2 * HLO_WINDOW_FIELDS, fields),
      hlo_attribute_make_text(HLO_ATTRIBUTE_DIM_LABELS, c->labels),
      hlo_attribute_make_text(HLO_ATTRIBUTE_OPERAND_PRECISION, c->precision)};
  const hlo_view operands[] = {x->view, f->view};
  bool done = evaluate(&program, HLO_OP_CONVOLUTION, 2, operands, &to->view, 3, attributes);
  end_program(&program);
  return done;
}

// --- small integers ---

static void test_integers(const convolution *c) {
  int64_t dims[4];
  const int64_t image[] = {c->batch, c->features, c->height, c->width};
  const int64_t filter[] = {c->features, c->outputs, 3, 3};
  const int64_t result[] = {c->batch, c->outputs, c->height + c->low[0] + c->high[0] - 2,
                            c->width + c->low[1] + c->high[1] - 2};
  arrange(c->labels, "bf01", image, dims);
  test_array x = make_array(HLO_F32, 4, dims, random_layout());
  arrange(c->labels + 5, "io01", filter, dims);
  test_array f = make_array(HLO_F32, 4, dims, random_layout());
  arrange(c->labels + 11, "bf01", result, dims);
  test_array wanted = make_array(HLO_F32, 4, dims, ROW_MAJOR);
  test_array got = make_array(HLO_F32, 4, dims, random_layout());
  fill_small(&x, 4), fill_small(&f, 4);
  test_epilogue epilogue = make_test_epilogue(HLO_F32, got.view.data);
  CHECK(run(c, NULL, &x, &f, &wanted, NULL) && run(c, &simd, &x, &f, &got, &epilogue));
  CHECK(!epilogue.missed);
  int64_t count = elements_of(4, dims), wrong = 0;
  for (int64_t i = 0; i < count; i++) {
    float a, b;
    memcpy(&a, element_number(&wanted.view, i), sizeof a);
    memcpy(&b, element_number(&got.view, i), sizeof b);
    wrong += (epilogue.offer.accepted ? 1 - 2 * a : a) != b;
  }
  CHECK_MESSAGE(wrong == 0, "%s %dx%d: %d of %d differ", c->labels, (int)c->height, (int)c->width,
                (int)wrong, (int)count);
  CHECK(gaps_untouched(&got));
  free_array(&x), free_array(&f), free_array(&wanted), free_array(&got);
}

static void test_all_integers(void) {
  static const char *const labels[] = {"b01f_01io->b01f", "bf01_oi01->bf01", "b01f_01io->bf01",
                                       "f01b_i01o->01bf", "b10f_01io->b01f"};
  for (int i = 0; i < 150; i++) {
    convolution c = {.batch = 1 + random_below(3),
                     .height = 5 + random_below(12),
                     .width = 5 + random_below(12),
                     .features = 8 + 4 * random_below(4),
                     .outputs = 8 * (1 + random_below(11)),
                     .reversed = random_below(4) == 0,
                     .labels = labels[i % 5],
                     .precision = "default"};
    for (int d = 0; d < 2; d++) c.low[d] = random_below(5) - 1, c.high[d] = random_below(5) - 1;
    threads = 1 + (int32_t)random_below(3);
    test_integers(&c);
  }
  threads = 1;
}

// --- other numbers, in common layouts ---

typedef struct sample {
  convolution of;
  test_array x, f, direct, winograd;
} sample;

static float *numbers(const test_array *array) { return array->view.data; }

static sample make_sample(int64_t height, int64_t features, int64_t outputs) {
  sample s = {.of = {.batch = 2,
                     .height = height,
                     .width = 13,
                     .features = features,
                     .outputs = outputs,
                     .low = {1, 1},
                     .high = {1, 1},
                     .labels = "b01f_01io->b01f",
                     .precision = "default"}};
  const int64_t image[] = {2, height, 13, features}, filter[] = {3, 3, features, outputs},
                result[] = {2, height, 13, outputs};
  s.x = make_array(HLO_F32, 4, image, ROW_MAJOR);
  s.f = make_array(HLO_F32, 4, filter, ROW_MAJOR);
  s.direct = make_array(HLO_F32, 4, result, ROW_MAJOR);
  s.winograd = make_array(HLO_F32, 4, result, ROW_MAJOR);
  test_array *const filled[] = {&s.x, &s.f};
  for (int a = 0; a < 2; a++) {
    for (int64_t i = 0; i < elements_of(4, filled[a]->view.dims); i++)
      numbers(filled[a])[i] = (float)random_below(1 << 24) / (1 << 23) - 1;
  }
  return s;
}

static void free_sample(sample *s) {
  free_array(&s->x), free_array(&s->f), free_array(&s->direct), free_array(&s->winograd);
}

static int64_t results_of(const sample *s) { return elements_of(4, s->direct.view.dims); }

// Runs it both ways. Whether the bits are the same.
static bool agree(sample *s, const char *precision) {
  CHECK(run(&s->of, &simd, &s->x, &s->f, &s->winograd, NULL));
  s->of.precision = precision;
  CHECK(run(&s->of, &simd, &s->x, &s->f, &s->direct, NULL));
  s->of.precision = "default";
  return memcmp(numbers(&s->direct), numbers(&s->winograd),
                (size_t)results_of(s) * sizeof(float)) == 0;
}

// The largest error relative to the sum of the magnitudes of all products of a result.
static double error_of(const sample *s, const test_array *got) {
  int64_t h = s->of.height, w = s->of.width, c = s->of.features, k = s->of.outputs;
  double most = 0;
  for (int64_t i = 0; i < results_of(s); i++) {
    double sum = 0, magnitude = 0;
    for (int64_t tap = 0; tap < 9; tap++) {
      int64_t y = i / k / w % h + tap / 3 - 1, x = i / k % w + tap % 3 - 1;
      if (y < 0 || y >= h || x < 0 || x >= w) continue;
      const float *pixel = numbers(&s->x) + ((i / k / w / h * h + y) * w + x) * c;
      for (int64_t j = 0; j < c; j++) {
        double product = (double)pixel[j] * numbers(&s->f)[(tap * c + j) * k + i % k];
        sum += product;
        magnitude += fabs(product);
      }
    }
    double error = fabs(numbers(got)[i] - sum) / magnitude;
    if (!(error <= most)) most = error;
  }
  return most;
}

static void test_accuracy(void) {
  static const char *const precisions[] = {"highest", "default,high", "high,default"};
  for (int i = 0; i < 3; i++) {
    sample s = make_sample(11, 24, 40);
    CHECK(!agree(&s, precisions[i])); // else neither of them, or both, go by Winograd's
    CHECK(agree(&s, "default"));
    CHECK(error_of(&s, &s.winograd) < 1e-6 && error_of(&s, &s.direct) < 1e-6);
    // Some pixels are large, as those of a mask.
    for (int64_t j = 0; j < 24; j++)
      numbers(&s.x)[j] = numbers(&s.x)[24 * 40 + j] = numbers(&s.x)[24 * 200 + j] = -1e9f;
    CHECK(!agree(&s, precisions[i]));
    CHECK(error_of(&s, &s.winograd) < 1e-6);
    free_sample(&s);
  }
}

// Something of the image, or of the filters, is out of the normal range: the other kernels run.
static void test_out_of_range(void) {
  static const float out_of_range[] = {INFINITY, -INFINITY, NAN, 3e38f, -2e37f};
  for (int i = 0; i < 40; i++) {
    sample s = make_sample(8 + i % 2, 8, 8 + i % 3 * 8);
    test_array *array = i % 2 ? &s.x : &s.f;
    float *at = numbers(array) + random_below(elements_of(4, array->view.dims));
    float before = *at;
    *at = out_of_range[i % 5];
    CHECK(agree(&s, "highest"));
    *at = before;
    CHECK(!agree(&s, "highest"));
    free_sample(&s);
  }
}

// Filters of which one has nothing, or next to nothing, for one tap.
static void test_uneven(void) {
  for (int i = 0; i < 27; i++) {
    sample s = make_sample(9, 12, 16);
    float *filters = numbers(&s.f);
    for (int64_t j = 0; j < 12; j++) filters[(i % 9 * 12 + j) * 16 + i % 16] *= i < 9 ? 0 : 1e-4f;
    CHECK(agree(&s, "highest"));
    for (int64_t j = 0; j < 9 * 12; j++) filters[j * 16 + i % 16] = 0; // no filter at all
    CHECK(!agree(&s, "highest"));
    for (int64_t j = 0; j < 9 * 12 * 16; j++) filters[j] *= 1e-38f; // halves would lose digits
    CHECK(agree(&s, "highest"));
    free_sample(&s);
  }
}

static void test_threads(void) {
  for (int i = 0; i < 12; i++) {
    sample s = make_sample(i % 2 ? 5 : 60, 8 + i % 3 * 60, 72);
    threads = 1;
    CHECK(run(&s.of, &simd, &s.x, &s.f, &s.direct, NULL));
    threads = 2 + i % 4;
    CHECK(agree(&s, "default"));
    threads = 1;
    CHECK(run(&s.of, &simd, &s.x, &s.f, &s.winograd, NULL));
    CHECK(memcmp(numbers(&s.direct), numbers(&s.winograd),
                 (size_t)results_of(&s) * sizeof(float)) == 0);
    free_sample(&s);
  }
}

int main(void) {
  simd = *hlo_kernels_backend();
  simd.small_convolution = 0;
  simd.threads = count_threads;
  simd.parts = count_parts;
  simd.parallel = run_parts;
  test_all_integers();
  test_accuracy();
  test_out_of_range();
  test_uneven();
  test_threads();
  return CHECK_RESULT();
}
