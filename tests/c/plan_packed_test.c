// Products by constants, which plans pack for their kernels: the same bits as by arguments, memory
// that is said and given back, and allocation failures.
#include "memory_check.h"
#include "program_fixture.h"

#include "base/string.h"
#include "kernels/simd/kernels.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t state = 1;

// Numbers whose sums round.
static float next_number(void) {
  state = state * 1664525 + 1013904223;
  return (float)((int32_t)(state >> 8) % 20001 - 10000) / 7919.0F;
}

// Row-major values of an array as HLO text.
static void print_values(hlo_string *out, int rank, const int *dims, const float **values) {
  if (rank == 0) {
    char text[32];
    snprintf(text, sizeof text, "%.9g", (double)*(*values)++);
    hlo_string_add(out, text);
    return;
  }
  for (int i = 0; i < dims[0]; i++) {
    hlo_string_add(out, i == 0 ? "{" : ",");
    print_values(out, rank - 1, dims + 1, values);
  }
  hlo_string_add(out, "}");
}

typedef struct operand {
  int rank, dims[4], count;
  float *values;
  char shape[64];
} operand;

static operand random_operand(const char *shape) {
  operand o = {.count = 1};
  snprintf(o.shape, sizeof o.shape, "%s", shape);
  for (const char *at = strchr(shape, '['); *at != ']'; at += strcspn(at, ",]")) {
    o.dims[o.rank] = atoi(++at);
    o.count *= o.dims[o.rank++];
  }
  o.values = malloc((size_t)o.count * sizeof *o.values);
  for (int i = 0; i < o.count; i++) o.values[i] = next_number();
  return o;
}

// A program around the weights, which are argument 1 or a constant.
static char *text_of(const char *before, const char *after, const operand *weights, bool constant) {
  hlo_string out = {0};
  const float *values = weights->values;
  hlo_string_add(&out, before);
  hlo_string_add(&out, "  w = ");
  hlo_string_add(&out, weights->shape);
  if (constant) {
    hlo_string_add(&out, " constant(");
    print_values(&out, weights->rank, weights->dims, &values);
    hlo_string_add(&out, ")\n");
  } else {
    hlo_string_add(&out, " parameter(1)\n");
  }
  hlo_string_add(&out, after);
  char *text = malloc(out.length + 1);
  memcpy(text, out.text, out.length);
  text[out.length] = 0;
  hlo_string_free(&out);
  return text;
}

static hlo_array *array_of(const hlo_shape *shape, const operand *o) {
  hlo_error error = {0};
  hlo_array *array = NULL;
  CHECK(hlo_array_create(shape, NULL, &array, &error) == HLO_OK);
  CHECK(array->buffer->size == o->count * (int64_t)sizeof(float));
  memcpy(array->buffer->data, o->values, (size_t)array->buffer->size);
  return array;
}

static hlo_array *run(const program *p, const operand *x, const operand *weights) {
  hlo_error error = {0};
  hlo_array *arguments[2], *result = NULL;
  const operand *operands[2] = {x, weights};
  int32_t count = hlo_executable_parameter_count(p->executable);
  for (int32_t i = 0; i < count; i++)
    arguments[i] = array_of(hlo_executable_parameter(p->executable, i), operands[i]);
  hlo_status status = hlo_execute(p->executable, count, arguments, &result, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s", error.message);
  for (int32_t i = 0; i < count; i++) hlo_array_destroy(arguments[i]);
  return result;
}

static program compile_text(char *text, bool optimize) {
  return compile_with(text, &(hlo_compile_options){.backend = hlo_kernels_backend(),
                                                   .optimize = optimize,
                                                   .passes = {.verify = true}});
}

// The program with x[…] as parameter 0, and w; `constants`: bytes of them in the optimised one.
static void check(const char *x_shape, const char *w_shape, const char *body, int64_t constants) {
  size_t in_use = hlo_memory_in_use();
  char before[256];
  snprintf(before, sizeof before, "HloModule m\nENTRY main {\n  x = %s parameter(0)\n", x_shape);
  operand x = random_operand(x_shape), w = random_operand(w_shape);
  char *by_argument = text_of(before, body, &w, false),
       *by_constant = text_of(before, body, &w, true);
  for (int optimize = 0; optimize < 2; optimize++) {
    program one = compile_text(by_argument, optimize), other = compile_text(by_constant, optimize);
    hlo_memory_report memory = hlo_executable_memory(other.executable);
    CHECK_MESSAGE(optimize == 0 || memory.constants == constants, "%s by %s: %lld bytes", x_shape,
                  w_shape, (long long)memory.constants);
    hlo_array *wanted = run(&one, &x, &w);
    for (int again = 0; again < 2; again++) {
      hlo_array *got = run(&other, &x, &w);
      CHECK_MESSAGE(memcmp(wanted->buffer->data, got->buffer->data, (size_t)got->buffer->size) == 0,
                    "%s by %s: other bits", x_shape, w_shape);
      hlo_array_destroy(got);
    }
    hlo_array_destroy(wanted);
    destroy(&one);
    destroy(&other);
  }
  free(by_argument);
  free(by_constant);
  free(x.values);
  free(w.values);
  CHECK(hlo_memory_in_use() == in_use);
}

static int64_t in_panels(int64_t n, int64_t k) { return (n + 7) / 8 * 8 * k * 4; }

static void check_dot(int m, int k, int n, bool turned) {
  char x[64], w[64], body[256];
  snprintf(x, sizeof x, "f32[%d,%d]", m, k);
  snprintf(w, sizeof w, "f32[%d,%d]", turned ? n : k, turned ? k : n);
  snprintf(
      body, sizeof body,
      "  ROOT y = f32[%d,%d] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={%d}\n}\n",
      m, n, turned);
  bool packs = m > 6 && n > 1 && m * k * n >= 4096 && k * n >= 1024;
  check(x, w, body, packs ? in_panels(n, k) : (int64_t)k * n * 4);
}

static void test_sizes(void) {
  for (int n = 63; n <= 73; n++) check_dot(49, 33, n, n % 2);
  for (int m = 5; m <= 14; m++) check_dot(m, 70, 40, m % 2);
  // Around blocks along the sums, and groups of columns.
  check_dot(20, 513, 24, false);
  check_dot(7, 1030, 9, true);
  check_dot(13, 600, 150, false);
  check_dot(9, 257, 270, false);
  check_dot(100, 1100, 1, false);
  check_dot(8, 2, 700, false);
}

static void test_dimensions(void) {
  check("f32[3,10,20]", "f32[3,20,30]",
        "  ROOT y = f32[3,10,30] dot(x, w), lhs_batch_dims={0}, rhs_batch_dims={0}, "
        "lhs_contracting_dims={2}, rhs_contracting_dims={1}\n}\n",
        3 * in_panels(30, 20));
  check("f32[10,3,20]", "f32[20,30,3]",
        "  ROOT y = f32[3,10,30] dot(x, w), lhs_batch_dims={1}, rhs_batch_dims={2}, "
        "lhs_contracting_dims={2}, rhs_contracting_dims={0}\n}\n",
        3 * in_panels(30, 20));
  check("f32[12,6,10]", "f32[10,5,6,7]",
        "  ROOT y = f32[12,5,7] dot(x, w), lhs_contracting_dims={1,2}, "
        "rhs_contracting_dims={2,0}\n}\n",
        in_panels(35, 60));
  // What is transposed or reshaped first, and what follows.
  check("f32[20,48]", "f32[40,48]",
        "  t = f32[48,40] transpose(w), dimensions={1,0}\n"
        "  d = f32[20,40] dot(x, t), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
        "  ROOT y = f32[20,40] tanh(d)\n}\n",
        in_panels(40, 48));
  check(
      "f32[300,64]", "f32[1,1,64,1100]",
      "  r = f32[64,1100] reshape(w)\n"
      "  ROOT d = f32[300,1100] dot(x, r), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n}\n",
      in_panels(1100, 64));
}

// One packed form for two products, and the constant itself for who reads that.
static void test_readers(void) {
  check("f32[40,40]", "f32[40,40]",
        "  a = f32[40,40] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
        "  b = f32[40,40] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
        "  ROOT y = f32[40,40] negate(b)\n}\n",
        6400);
  check("f32[40,40]", "f32[40,40]",
        "  a = f32[40,40] dot(x, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n"
        "  b = f32[40,40] dot(a, w), lhs_contracting_dims={1}, rhs_contracting_dims={1}\n"
        "  ROOT y = f32[40,40] add(b, w)\n}\n",
        3 * 6400);
}

// By Winograd's algorithm: a line, then 16 points of all filters, each with a line.
static int64_t transformed(int64_t features, int64_t outputs) {
  return (16 + 16 * (features * outputs + 16)) * 4;
}

// A result of the image's size.
static void check_padded(int size, int outputs, int64_t constants) {
  char w[64], body[256];
  int pad = size / 2;
  snprintf(w, sizeof w, "f32[%d,%d,8,%d]", size, size, outputs);
  snprintf(body, sizeof body,
           "  ROOT y = f32[1,20,20,%d] convolution(x, w), window={size=%dx%d pad=%d_%dx%d_%d}, "
           "dim_labels=b01f_01io->b01f\n}\n",
           outputs, size, size, pad, pad, pad, pad);
  check("f32[1,20,20,8]", w, body, constants);
}

static void test_convolutions(void) {
  check_padded(5, 20, in_panels(20, 200));
  check_padded(3, 20, in_panels(20, 72));
  check_padded(3, 24, transformed(8, 24)); // Winograd's algorithm
  check("f32[2,20,9,11]", "f32[136,20,3,3]",
        "  c = f32[2,136,9,11] convolution(x, w), window={size=3x3 pad=1_1x1_1 rhs_reversal=1x1}, "
        "dim_labels=bf01_oi01->bf01\n  ROOT y = f32[2,136,9,11] tanh(c)\n}\n",
        transformed(20, 136));
  check("f32[2,8,21,19]", "f32[20,8,3,5]",
        "  ROOT y = f32[2,20,11,8] convolution(x, w), window={size=3x5 stride=2x2 pad=1_1x0_0 "
        "rhs_reversal=1x1}, dim_labels=bf01_oi01->bf01\n}\n",
        in_panels(20, 120));
  check("f32[1,20,20,16]", "f32[5,5,4,36]",
        "  c = f32[1,16,16,36] convolution(x, w), window={size=5x5}, feature_group_count=4, "
        "dim_labels=b01f_01io->b01f\n  ROOT y = f32[1,16,16,36] tanh(c)\n}\n",
        4 * in_panels(9, 100));
  check("f32[1,32,32,40]", "f32[3,3,1,40]", // depthwise
        "  ROOT y = f32[1,32,32,40] convolution(x, w), window={size=3x3 pad=1_1x1_1}, "
        "feature_group_count=40, dim_labels=b01f_01io->b01f\n}\n",
        3 * 3 * 40 * 4);
}

static bool is_finite(float x) { return x - x == 0; }

// Images that Winograd's algorithm must not have, of which one number is so: what is infinite is
// where it belongs, and what is finite as good as by the filters themselves. So many weights
// of a tap are like this.
static void check_out_of_range(float pixel, int tap, float weight, int64_t constants) {
  static const char *const before = "HloModule m\nENTRY main {\n  x = f32[1,9,9,8] parameter(0)\n",
                           *const body =
                               "  ROOT y = f32[1,9,9,16] convolution(x, w), window={size=3x3 "
                               "pad=1_1x1_1}, dim_labels=b01f_01io->b01f\n}\n";
  operand x = random_operand("f32[1,9,9,8]"), w = random_operand("f32[3,3,8,16]");
  x.values[(4 * 9 + 4) * 8 + 3] = pixel;
  for (int i = 0; i < 64; i++) w.values[tap * 8 * 16 + i] = weight;
  char *by_argument = text_of(before, body, &w, false),
       *by_constant = text_of(before, body, &w, true);
  hlo_backend backend = *hlo_kernels_backend();
  backend.small_convolution = 0;
  hlo_compile_options options = {.backend = &backend, .optimize = true};
  program one = compile_with(by_argument, &options), other = compile_with(by_constant, &options);
  int64_t bytes = hlo_executable_memory(other.executable).constants;
  CHECK_MESSAGE(bytes == constants, "%g, tap %d is %g: %d bytes", (double)pixel, tap,
                (double)weight, (int)bytes);
  hlo_array *wanted = run(&one, &x, &w), *got = run(&other, &x, &w);
  const float *a = wanted->buffer->data, *b = got->buffer->data;
  int wrong = 0, finite = 0;
  for (int i = 0; i < 9 * 9 * 16; i++) {
    float most = 8 * 9 * 2 * (pixel > 2 && is_finite(pixel) ? pixel : 2); // times a weight
    finite += is_finite(a[i]);
    if (is_finite(a[i])) wrong += !(a[i] - b[i] <= most * 1e-7F && b[i] - a[i] <= most * 1e-7F);
    else wrong += a[i] == a[i] ? a[i] != b[i] : b[i] == b[i];
  }
  CHECK_MESSAGE(wrong == 0, "%g: %d results", (double)pixel, wrong);
  CHECK(is_finite(pixel) ? finite == 9 * 9 * 16 : finite == (9 * 9 - 9) * 16);
  hlo_array_destroy(wanted);
  hlo_array_destroy(got);
  destroy(&one);
  destroy(&other);
  free(by_argument);
  free(by_constant);
  free(x.values);
  free(w.values);
}

static void test_out_of_range_images(void) {
  int64_t packed = transformed(8, 16), plain = 3 * 3 * 8 * 16 * 4;
  static const float pixels[] = {1, 1e36F, INFINITY, -INFINITY, NAN};
  for (int i = 0; i < 5; i++) {
    check_out_of_range(pixels[i], 0, 0.5F, packed);
    check_out_of_range(pixels[i], 0, 0, packed);    // a corner comes back as it is
    check_out_of_range(pixels[i], 4, 0, plain);     // the middle would not be 0
    check_out_of_range(pixels[i], 4, 1e-9F, plain); // or have its sign
  }
}

static const char *const loop_start =
    "HloModule loop\n"
    "more { s = (s32[], f32[16,40], f32[40,40]) parameter(0)\n"
    "  n = s32[] get-tuple-element(s), index=0\n"
    "  zero = s32[] constant(0)\n"
    "  ROOT c = pred[] compare(n, zero), direction=GT }\n"
    "body { s = (s32[], f32[16,40], f32[40,40]) parameter(0)\n"
    "  n = s32[] get-tuple-element(s), index=0\n"
    "  x = f32[16,40] get-tuple-element(s), index=1\n"
    "  w = f32[40,40] get-tuple-element(s), index=2\n"
    "  one = s32[] constant(1)\n"
    "  less = s32[] subtract(n, one)\n"
    "  d = f32[16,40] dot(x, w), lhs_contracting_dims={1}, "
    "rhs_contracting_dims={0}\n"
    "  t = f32[16,40] tanh(d)\n"
    "  ROOT r = (s32[], f32[16,40], f32[40,40]) tuple(less, t, w) }\n"
    "ENTRY main {\n"
    "  x = f32[16,40] parameter(0)\n";
static const char *const loop_end =
    "  n = s32[] constant(5)\n"
    "  s = (s32[], f32[16,40], f32[40,40]) tuple(n, x, w)\n"
    "  l = (s32[], f32[16,40], f32[40,40]) while(s), condition=more, body=body\n"
    "  ROOT y = f32[16,40] get-tuple-element(l), index=1\n"
    "}\n";

static operand loop_x, loop_w;
static char *loop_text;

static hlo_status run_loop(hlo_arena *arena, hlo_error *error) {
  hlo_module *module = NULL;
  hlo_executable *executable = NULL;
  hlo_array *x = NULL, *result = NULL;
  const hlo_compile_options options = {.backend = hlo_kernels_backend(), .optimize = true};
  (void)arena;
  hlo_status status = hlo_parse(loop_text, strlen(loop_text), HLO_FORMAT_DETECT, &module, error);
  if (status == HLO_OK) status = hlo_compile(module, &options, &executable, error);
  if (status == HLO_OK)
    status = hlo_array_create(hlo_executable_parameter(executable, 0), NULL, &x, error);
  if (status == HLO_OK) {
    memcpy(x->buffer->data, loop_x.values, (size_t)x->buffer->size);
    status = hlo_execute(executable, 1, &x, &result, error);
  }
  if (status == HLO_OK) hlo_array_destroy(result);
  hlo_array_destroy(x);
  hlo_executable_destroy(executable);
  hlo_module_destroy(module);
  return status;
}

static void test_loops(void) {
  loop_x = random_operand("f32[16,40]");
  loop_w = random_operand("f32[40,40]");
  char *by_argument = text_of(loop_start, loop_end, &loop_w, false);
  loop_text = text_of(loop_start, loop_end, &loop_w, true);
  program one = compile_text(by_argument, true), other = compile_text(loop_text, true);
  hlo_array *wanted = run(&one, &loop_x, &loop_w), *got = run(&other, &loop_x, &loop_w);
  CHECK(memcmp(wanted->buffer->data, got->buffer->data, (size_t)got->buffer->size) == 0);
  hlo_array_destroy(wanted);
  hlo_array_destroy(got);
  destroy(&one);
  destroy(&other);
  free(by_argument);
  check_out_of_memory("a loop with weights", run_loop);
  free(loop_text);
  free(loop_x.values);
  free(loop_w.values);
}

int main(void) {
  test_sizes();
  test_dimensions();
  test_readers();
  test_convolutions();
  test_out_of_range_images();
  test_loops();
  return CHECK_RESULT();
}
