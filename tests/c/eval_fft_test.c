// Fft against the definition's sum in double: all kinds, lengths of every make, random axes,
// batches and layouts; accuracy of long transforms against numbers known in closed form; no memory
// left out.
#include "eval_fixture.h"

#include <math.h>

static const char *const kinds[] = {"FFT", "IFFT", "RFFT", "IRFFT"};

typedef struct fft_case {
  int kind; // of kinds
  bool wide;
  int32_t rank, axes;
  int64_t lengths[3];
  test_array operand, result;
} fft_case;

static bool is_real(int kind) { return kind >= 2; }
static bool is_inverse(int kind) { return kind % 2 == 1; }

static hlo_instruction *make_fft(test_program *program, const fft_case *c) {
  hlo_attribute attributes[2] = {
      ints_attribute(program, HLO_ATTRIBUTE_FFT_LENGTH, c->axes, c->lengths)};
  attributes[1] = hlo_attribute_make_text(HLO_ATTRIBUTE_FFT_TYPE, kinds[c->kind]);
  return make_instruction(program, HLO_OP_FFT, 1, &c->operand.view, &c->result.view, 2, attributes);
}

static bool evaluate_fft(test_program *program, const fft_case *c) {
  return hlo_evaluate(&program->evaluator, make_fft(program, c), &c->operand.view, &c->result.view,
                      &program->error) == HLO_OK;
}

// dims: of the time domain.
static fft_case make_case(int kind, bool wide, int32_t rank, const int64_t *dims, int32_t axes) {
  fft_case c = {.kind = kind, .wide = wide, .rank = rank, .axes = axes};
  hlo_type number = wide ? HLO_C128 : HLO_C64, real = wide ? HLO_F64 : HLO_F32;
  int64_t half[6];
  for (int32_t d = 0; d < rank; d++) half[d] = dims[d];
  for (int32_t k = 0; k < axes; k++) c.lengths[k] = dims[rank - axes + k];
  if (is_real(kind)) half[rank - 1] = half[rank - 1] / 2 + 1;
  c.operand = make_array(kind == 2 ? real : number, rank, kind == 3 ? half : dims, random_layout());
  c.result = make_array(kind == 3 ? real : number, rank, kind == 2 ? half : dims, random_layout());
  int64_t count = elements_of(rank, c.operand.view.dims);
  for (int64_t i = 0; i < count; i++) {
    hlo_number z = {.type_class = HLO_CLASS_COMPLEX, .re = (double)random_below(2001) / 1000 - 1};
    z.im = (double)random_below(2001) / 1000 - 1;
    hlo_element_set(c.operand.view.type, element_number(&c.operand.view, i), z);
  }
  return c;
}

static void end_case(fft_case *c) {
  CHECK(gaps_untouched(&c->operand) && gaps_untouched(&c->result));
  free_array(&c->operand);
  free_array(&c->result);
}

// --- the definition ---

typedef struct sum {
  double re, im;
} sum;

// out[k] = Σ x[m] exp(∓2πi k m / n) over `n` numbers `step` apart.
static void transform_row(sum *x, int64_t n, int64_t step, bool inverse, sum *row) {
  for (int64_t k = 0; k < n; k++) {
    row[k] = (sum){0, 0};
    for (int64_t m = 0; m < n; m++) {
      double angle = (inverse ? 2 : -2) * acos(-1) * (double)(k * m % n) / (double)n;
      sum z = x[m * step];
      row[k].re += z.re * cos(angle) - z.im * sin(angle);
      row[k].im += z.re * sin(angle) + z.im * cos(angle);
    }
  }
  for (int64_t k = 0; k < n; k++) {
    x[k * step].re = row[k].re / (inverse ? (double)n : 1);
    x[k * step].im = row[k].im / (inverse ? (double)n : 1);
  }
}

// The operand as complex numbers in row-major order of `dims`; half a spectrum is made whole along
// the last dimension.
static void read_operand(const fft_case *c, const int64_t *dims, int64_t count, sum *out) {
  int32_t last = c->rank - 1;
  for (int64_t i = 0; i < count; i++) {
    int64_t index[6];
    index_of(c->rank, dims, i, index);
    bool beyond = index[last] >= c->operand.view.dims[last];
    if (beyond) index[last] = dims[last] - index[last];
    bool is_edge = index[last] == 0 || 2 * index[last] == dims[last];
    hlo_number z = hlo_element_get(c->operand.view.type, element(&c->operand.view, index));
    if (c->kind == 3 && is_edge) z.im = 0;
    out[i] = (sum){z.re, c->kind == 2 ? 0 : beyond ? -z.im : z.im};
  }
}

// Transforms along axis k all numbers, which are dense.
static void transform_axis(const fft_case *c, int32_t k, const int64_t *dims, int64_t count,
                           sum *numbers) {
  int64_t n = c->lengths[k], step = 1;
  for (int32_t d = c->rank - c->axes + k + 1; d < c->rank; d++) step *= dims[d];
  sum *row = malloc((size_t)n * sizeof *row);
  for (int64_t i = 0; i < count; i++) {
    if (i / step % n == 0) transform_row(numbers + i, n, step, is_inverse(c->kind), row);
  }
  free(row);
}

static void check_against_sums(const fft_case *c) {
  const hlo_view *result = &c->result.view;
  int64_t dims[6], count;
  for (int32_t d = 0; d < c->rank; d++) dims[d] = result->dims[d];
  dims[c->rank - 1] = c->lengths[c->axes - 1];
  count = elements_of(c->rank, dims);
  sum *numbers = calloc((size_t)count + 1, sizeof *numbers);
  read_operand(c, dims, count, numbers);
  for (int32_t k = c->axes - 1; k >= 0; k--) transform_axis(c, k, dims, count, numbers);
  double error = 0, size = 0;
  int64_t results = elements_of(c->rank, result->dims);
  for (int64_t i = 0; i < results; i++) {
    int64_t index[6], at = 0;
    index_of(c->rank, result->dims, i, index);
    for (int32_t d = 0; d < c->rank; d++) at = at * dims[d] + index[d];
    hlo_number z = hlo_element_get(result->type, element(result, index));
    sum want = numbers[at];
    double im = hlo_type_is_complex(result->type) ? z.im - want.im : 0;
    error += (z.re - want.re) * (z.re - want.re) + im * im;
    size += want.re * want.re + want.im * want.im;
  }
  double limit = c->wide ? 4e-15 : 3e-7;
  CHECK_MESSAGE(error <= limit * limit * size + 1e-30, "%s of %lld: relative error %g",
                kinds[c->kind], (long long)c->lengths[c->axes - 1], sqrt(error / size));
  free(numbers);
}

static void check(int kind, bool wide, int32_t rank, const int64_t *dims, int32_t axes) {
  test_program program;
  start_program(&program);
  fft_case c = make_case(kind, wide, rank, dims, axes);
  CHECK(evaluate_fft(&program, &c));
  // Half a spectrum of several axes is not made whole along one of them.
  if (c.kind != 3 || axes == 1) check_against_sums(&c);
  end_case(&c);
  end_program(&program);
}

static void check_lengths(void) {
  static const int64_t large[] = {64,  72,  97,  100, 128, 131, 143,
                                  200, 243, 256, 257, 289, 360, 512};
  for (int kind = 0; kind < 4; kind++) {
    for (int64_t n = 1; n <= 66; n++) check(kind, n % 2 == 0, 1, &n, 1);
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) check(kind, i % 2, 1, &large[i], 1);
  }
}

// Lanes of every number, along every axis.
static void check_shapes(void) {
  for (int i = 0; i < 300; i++) {
    int64_t dims[6];
    int32_t rank = 1 + (int32_t)random_below(4), most = rank < 3 ? rank : 3;
    for (int32_t d = 0; d < rank; d++) dims[d] = 1 + random_below(i < 250 ? 8 : 16);
    check((int)random_below(4), random_below(2), rank, dims, 1 + (int32_t)random_below(most));
  }
  for (int kind = 0; kind < 4; kind++) {
    check(kind, false, 2, (const int64_t[]){41, 300}, 1); // several parts
    check(kind, false, 2, (const int64_t[]){70, 257}, 1);
  }
}

// IRFFT of several axes gives the samples back of which RFFT made the spectrum.
static void check_inverse_of_several_axes(void) {
  for (int i = 0; i < 60; i++) {
    test_program program;
    int64_t dims[6];
    int32_t rank = 2 + (int32_t)random_below(3), most = rank < 3 ? rank : 3;
    for (int32_t d = 0; d < rank; d++) dims[d] = 1 + random_below(9);
    start_program(&program);
    int32_t axes = 2 + (int32_t)random_below(most - 1);
    fft_case there = make_case(2, i % 2, rank, dims, axes),
             back = make_case(3, i % 2, rank, dims, axes);
    CHECK(evaluate_fft(&program, &there));
    hlo_view_copy(&back.operand.view, &there.result.view);
    CHECK(evaluate_fft(&program, &back));
    double worst = 0;
    for (int64_t k = 0; k < elements_of(rank, dims); k++) {
      double difference =
          as_double(back.result.view.type, element_number(&back.result.view, k)) -
          as_double(there.operand.view.type, element_number(&there.operand.view, k));
      if (fabs(difference) > worst) worst = fabs(difference);
    }
    CHECK_MESSAGE(worst < (i % 2 ? 1e-14 : 2e-6), "%g", worst);
    end_case(&there);
    end_case(&back);
    end_program(&program);
  }
}

// exp(2πi f m / n) has the spectrum n at f alone; a sum of two has no other numbers either.
static void check_long(int64_t n, bool wide, double limit) {
  test_program program;
  start_program(&program);
  fft_case c = make_case(0, wide, 1, &n, 1);
  int64_t one = n / 3, two = n - 1;
  for (int64_t m = 0; m < n; m++) {
    double a = 2 * acos(-1) * (double)(one * m % n) / (double)n;
    double b = 2 * acos(-1) * (double)(two * m % n) / (double)n;
    hlo_number z = {HLO_CLASS_COMPLEX, .re = cos(a) + cos(b), .im = sin(a) + sin(b)};
    hlo_element_set(c.operand.view.type, element(&c.operand.view, &m), z);
  }
  CHECK(evaluate_fft(&program, &c));
  double error = 0;
  for (int64_t k = 0; k < n; k++) {
    hlo_number z = hlo_element_get(c.result.view.type, element(&c.result.view, &k));
    double re = z.re - (k == one || k == two ? (double)n : 0);
    error += re * re + z.im * z.im;
  }
  error = sqrt(error / 2) / (double)n;
  CHECK_MESSAGE(error < limit, "length %lld: relative error %g", (long long)n, error);
  end_case(&c);
  end_program(&program);
}

// Each allocation that fails gives an error.
static void check_memory(void) {
  for (int64_t n = 1; n < 200; n++) {
    test_program program;
    start_program(&program);
    fft_case c = make_case(3, false, 2, (const int64_t[]){6, 74}, 2);
    hlo_instruction *fft = make_fft(&program, &c);
    hlo_memory_fail_after(n);
    bool done = hlo_evaluate(&program.evaluator, fft, &c.operand.view, &c.result.view,
                             &program.error) == HLO_OK;
    hlo_memory_fail_after(0);
    CHECK(done || program.error.status == HLO_OUT_OF_MEMORY);
    program.error.status = HLO_OK;
    end_case(&c);
    end_program(&program);
    if (done) return;
  }
  CHECK(!"an evaluation without failing allocation");
}

int main(void) {
  check_lengths();
  check_shapes();
  check_inverse_of_several_axes();
  check_long(65536, false, 3e-7);
  check_long(65536, true, 2e-15);
  check_long(30000, false, 3e-7);
  // Convolutions: of 10006 numbers at least, of 1438 of which those of 719 are one in turn, and
  // many of 37, before 41.
  static const int64_t convolved[] = {10007, 1439, 37 * 41 * 4, 509, 65537};
  for (size_t i = 0; i < sizeof convolved / sizeof *convolved; i++) {
    check_long(convolved[i], false, 5e-7);
    check_long(convolved[i], true, 2e-15);
  }
  check_memory();
  return CHECK_RESULT();
}
