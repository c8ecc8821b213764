// Checks hlo/analysis/cost.c against counts worked out by hand, and that every op case of the
// corpus has some.
#include "hlo/analysis/cost.h"

#include "check.h"
#include "text/text.h"

#include <string.h>

static hlo_cost cost_of(const char *text) {
  hlo_error error = {0};
  hlo_module *module = NULL;
  hlo_arena arena = {0};
  hlo_cost_table table;
  hlo_parse(text, strlen(text), HLO_FORMAT_DETECT, &module, &error);
  CHECK_MESSAGE(module != NULL, "%s", error.message);
  CHECK(hlo_cost_of_module(module, &arena, &table, &error) == HLO_OK);
  hlo_cost cost = table.computations[module->entry->index];
  hlo_arena_free(&arena);
  hlo_module_destroy(module);
  return cost;
}

static void check_cost(const char *text, double operations, double transcendentals,
                       double bytes_read, double bytes_written, bool is_incomplete) {
  hlo_cost cost = cost_of(text);
  CHECK_MESSAGE(cost.operations == operations && cost.transcendentals == transcendentals &&
                    cost.bytes_read == bytes_read && cost.bytes_written == bytes_written &&
                    cost.is_incomplete == is_incomplete,
                "%s\n%.17g %.17g %.17g %.17g %d", text, cost.operations, cost.transcendentals,
                cost.bytes_read, cost.bytes_written, cost.is_incomplete);
}

#define SUM "add { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT s = f32[] add(a, b) }\n"
#define MEAN_EXP                                                                                   \
  "mix { a = f32[] parameter(0)  b = f32[] parameter(1)  e = f32[] exponential(b)\n"               \
  "  ROOT s = f32[] add(a, e) }\n"

static void test_elementwise(void) {
  check_cost("ENTRY e { p = f32[10] parameter(0)  q = f32[10] parameter(1)  ROOT r = f32[10] "
             "multiply(p, q) }",
             10, 0, 80, 40, false);
  check_cost("ENTRY e { p = f32[10] parameter(0)  ROOT r = f32[10] tanh(p) }", 0, 10, 40, 40,
             false);
  check_cost("ENTRY e { p = f32[10] parameter(0)  ROOT r = f32[10] add(p, p) }", 10, 0, 40, 40,
             false);
  check_cost("ENTRY e { p = s32[10] parameter(0)  ROOT r = s32[10] power(p, p) }", 10, 0, 40, 40,
             false);
  check_cost("ENTRY e { p = f16[10] parameter(0)  ROOT r = f32[10] convert(p) }", 10, 0, 20, 40,
             false);
  check_cost("ENTRY e { p = f32[10] parameter(0)  s = f32[10] sqrt(p)  ROOT c = pred[10] "
             "compare(s, p), direction=LT }",
             20, 0, 120, 50, false);
}

static void test_movement(void) {
  // Renaming takes nothing, moving takes bytes only.
  check_cost("ENTRY e { p = f32[4,5] parameter(0)  r = f32[20] reshape(p)  t = (f32[20]) tuple(r)  "
             "ROOT g = f32[20] get-tuple-element(t), index=0 }",
             0, 0, 0, 0, false);
  check_cost("ENTRY e { p = f32[4,5] parameter(0)  ROOT t = f32[5,4] transpose(p), "
             "dimensions={1,0} }",
             0, 0, 80, 80, false);
  check_cost("ENTRY e { p = f32[4,5] parameter(0)  ROOT c = f32[4,5]{0,1} copy(p) }", 0, 0, 80, 80,
             false);
  check_cost("ENTRY e { p = f32[100] parameter(0)  ROOT s = f32[3] slice(p), slice={[2:5]} }", 0, 0,
             12, 12, false);
  check_cost(
      "ENTRY e { p = f32[100] parameter(0)  i = s32[] parameter(1)  u = f32[3] parameter(2)  "
      "ROOT d = f32[100] dynamic-update-slice(p, u, i) }",
      0, 0, 16, 12, false);
  check_cost("ENTRY e { ROOT i = f32[100] iota(), iota_dimension=0 }", 0, 0, 0, 400, false);
}

static void test_contractions(void) {
  check_cost("ENTRY e { a = f32[2,3] parameter(0)  b = f32[3,5] parameter(1)  ROOT d = f32[2,5] "
             "dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0} }",
             60, 0, 84, 40, false);
  check_cost("ENTRY e { a = f32[7,2,3] parameter(0)  b = f32[7,3,5] parameter(1)  ROOT d = "
             "f32[7,2,5] dot(a, b), lhs_batch_dims={0}, rhs_batch_dims={0}, "
             "lhs_contracting_dims={2}, rhs_contracting_dims={1} }",
             420, 0, 588, 280, false);
  // 1-d, window 3 over 5 elements padded by 1: 13 of 15 pairs meet; 2 input, 4 output features.
  check_cost("ENTRY e { x = f32[1,2,5] parameter(0)  k = f32[4,2,3] parameter(1)  ROOT c = "
             "f32[1,4,5] convolution(x, k), window={size=3 pad=1_1}, dim_labels=bf0_oi0->bf0 }",
             2 * 13 * 2 * 4, 0, 136, 80, false);
  // Strided and dilated: positions 0 2 4, taps at +0 +2: 0 2, 2 4, 4 6 of 7 elements.
  check_cost("ENTRY e { x = f32[1,1,7] parameter(0)  k = f32[1,1,2] parameter(1)  ROOT c = "
             "f32[1,1,3] convolution(x, k), window={size=2 stride=2 rhs_dilate=2}, "
             "dim_labels=bf0_oi0->bf0 }",
             12, 0, 36, 12, false);
  // Holes between 3 elements: . of x.x.x under window 2, 4 positions of which each meets one.
  check_cost(
      "ENTRY e { x = f32[1,1,3] parameter(0)  k = f32[1,1,2] parameter(1)  ROOT c = "
      "f32[1,1,4] convolution(x, k), window={size=2 lhs_dilate=2}, dim_labels=bf0_oi0->bf0 }",
      8, 0, 20, 16, false);
  // Each of 6 features by itself.
  check_cost("ENTRY e { x = f32[1,6,5] parameter(0)  k = f32[6,1,1] parameter(1)  ROOT c = "
             "f32[1,6,5] convolution(x, k), window={size=1}, dim_labels=bf0_oi0->bf0, "
             "feature_group_count=6 }",
             60, 0, 144, 120, false);
}

static void test_functions(void) {
  check_cost(SUM "ENTRY e { x = f32[4,5] parameter(0)  z = f32[] constant(0)  ROOT r = f32[4] "
                 "reduce(x, z), dimensions={1}, to_apply=add }",
             16, 0, 84, 16, false);
  check_cost(MEAN_EXP "ENTRY e { x = f32[4,5] parameter(0)  z = f32[] constant(0)  ROOT r = f32[4] "
                      "reduce(x, z), dimensions={1}, to_apply=mix }",
             16, 16, 84, 16, false);
  check_cost(SUM "ENTRY e { x = f32[8] parameter(0)  z = f32[] constant(0)  ROOT r = f32[6] "
                 "reduce-window(x, z), window={size=3}, to_apply=add }",
             12, 0, 36, 24, false);
  check_cost(
      "lt { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = pred[] compare(a, b), "
      "direction=LT }\nENTRY e { x = f32[3,1000] parameter(0)  ROOT s = f32[3,1000] sort(x), "
      "dimensions={1}, to_apply=lt }",
      30000, 0, 12000, 12000, false);
  check_cost(SUM "ENTRY e { x = f32[9] parameter(0)  i = s32[2,1] parameter(1)  u = f32[2] "
                 "parameter(2)  ROOT s = f32[9] scatter(x, i, u), update_window_dims={}, "
                 "inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
                 "to_apply=add }",
             2, 0, 24, 8, false);
  check_cost("ENTRY e { x = c64[2,64] parameter(0)  ROOT f = c64[2,64] fft(x), fft_type=FFT, "
             "fft_length={64} }",
             5 * 128 * 6, 0, 1024, 1024, false);
  check_cost("ENTRY e { a = f32[6,6] parameter(0)  ROOT c = f32[6,6] cholesky(a), lower=true }", 72,
             0, 144, 144, false);
}

static void test_control_flow(void) {
  check_cost(
      "f { p = f32[10] parameter(0)  n = f32[10] negate(p)  ROOT t = f32[10] tanh(n) }\n"
      "ENTRY e { x = f32[10] parameter(0)  a = f32[10] call(x), to_apply=f  ROOT b = f32[10] "
      "fusion(a), kind=kLoop, calls=f }",
      20, 20, 80 + 40, 80 + 40, false);
  // i from 3 below 10 in steps of 2: 4 rounds of 10 + 1 operations, 5 comparisons.
#define LOOP(test, start, step)                                                                    \
  "c { s = (s32[], f32[10]) parameter(0)  i = s32[] get-tuple-element(s), index=0  n = s32[] "     \
  "constant(10)  ROOT t = pred[] " test " }\n"                                                     \
  "b { s = (s32[], f32[10]) parameter(0)  i = s32[] get-tuple-element(s), index=0  x = f32[10] "   \
  "get-tuple-element(s), index=1  d = s32[] constant(" step ")  j = s32[] add(i, d)  y = f32[10] " \
  "negate(x)  ROOT t = (s32[], f32[10]) tuple(j, y) }\n"                                           \
  "ENTRY e { x = f32[10] parameter(0)  i = s32[] constant(" start ")  s = (s32[], f32[10]) "       \
  "tuple(i, x)  ROOT w = (s32[], f32[10]) while(s), condition=c, body=b }"
  check_cost(LOOP("compare(i, n), direction=LT", "3", "2"), 4 * 11 + 5, 0, 4 * 48 + 5 * 8,
             4 * 44 + 5, false);
  check_cost(LOOP("compare(n, i), direction=GE", "3", "2"), 4 * 11 + 5, 0, 4 * 48 + 5 * 8,
             4 * 44 + 5, false);
  check_cost(LOOP("compare(i, n), direction=LE", "3", "1"), 8 * 11 + 9, 0, 8 * 48 + 9 * 8,
             8 * 44 + 9, false);
  check_cost(LOOP("compare(i, n), direction=GT", "14", "-1"), 4 * 11 + 5, 0, 4 * 48 + 5 * 8,
             4 * 44 + 5, false);
  check_cost(LOOP("compare(i, n), direction=LT", "12", "1"), 1, 0, 8, 1, false);
  check_cost(LOOP("compare(i, n), direction=NE", "3", "1"), 11 + 2, 0, 48 + 16, 44 + 2, true);
  check_cost(LOOP("compare(i, n), direction=LT", "3", "0"), 11 + 2, 0, 48 + 16, 44 + 2, true);
  // The same where a fusion counts.
  check_cost("f { p = f32[10] parameter(0)  i = s32[] parameter(1)  d = s32[] constant(2)  "
             "j = s32[] add(d, i)  y = f32[10] negate(p)  ROOT t = (f32[10], s32[]) tuple(y, j) }\n"
             "c { s = (s32[], f32[10]) parameter(0)  i = s32[] get-tuple-element(s), index=0  "
             "n = s32[] constant(10)  ROOT t = pred[] compare(i, n), direction=LT }\n"
             "b { s = (s32[], f32[10]) parameter(0)  i = s32[] get-tuple-element(s), index=0  "
             "x = f32[10] get-tuple-element(s), index=1  r = (f32[10], s32[]) fusion(x, i), "
             "kind=kLoop, calls=f  y = f32[10] get-tuple-element(r), index=0  j = s32[] "
             "get-tuple-element(r), index=1  ROOT t = (s32[], f32[10]) tuple(j, y) }\n"
             "ENTRY e { x = f32[10] parameter(0)  i = s32[] constant(3)  s = (s32[], f32[10]) "
             "tuple(i, x)  ROOT w = (s32[], f32[10]) while(s), condition=c, body=b }",
             4 * 11 + 5, 0, 4 * 44 + 5 * 8, 4 * 44 + 5, false);
  check_cost("t { p = f32[10] parameter(0)  ROOT n = f32[10] negate(p) }\n"
             "f { p = f32[10] parameter(0)  a = f32[10] negate(p)  ROOT n = f32[10] tanh(a) }\n"
             "ENTRY e { c = pred[] parameter(0)  x = f32[10] parameter(1)  ROOT r = f32[10] "
             "conditional(c, x, x), true_computation=t, false_computation=f }",
             10, 10, 80, 80, false);
  check_cost("ENTRY e { x = f32[10] parameter(0)  ROOT c = f32[10] custom-call(x), "
             "custom_call_target=\"t\" }",
             0, 0, 40, 40, true);
}

int main(void) {
  test_elementwise();
  test_movement();
  test_contractions();
  test_functions();
  test_control_flow();
  return CHECK_RESULT();
}
