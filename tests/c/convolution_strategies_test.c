// Which strategy convolutions get, by shape and type: a neighbour of a fast shape, or its twin in
// another type, must not go by a slower way unnoticed.
#include "kernels/convolution/convolution.h"
#include "kernels/simd/kernels.h"

#include "check.h"
#include "text/text.h"

#include <stdio.h>
#include <string.h>

typedef struct program {
  const char *image, *kernel, *window, *labels, *more;
} program;

static const char *strategy_of(const char *type, const program *p) {
  char text[1024];
  snprintf(text, sizeof text,
           "ENTRY e { a = %s[%s] parameter(0)  b = %s[%s] parameter(1)\n"
           "ROOT c = convolution(a, b), window={%s}, dim_labels=%s%s }",
           type, p->image, type, p->kernel, p->window, p->labels, p->more);
  hlo_error error = {0};
  hlo_module *module = NULL;
  hlo_arena scratch = {0};
  hlo_evaluator evaluator = {.scratch = &scratch, .backend = hlo_kernels_backend()};
  const char *name = "";
  hlo_parse(text, strlen(text), HLO_FORMAT_DETECT, &module, &error);
  CHECK_MESSAGE(module != NULL, "%s\n%s", text, error.message);
  if (module == NULL) return name;
  const hlo_instruction *x = module->entry->root;
  const hlo_view operands[2] = {hlo_view_of(x->operands[0]->shape, NULL),
                                hlo_view_of(x->operands[1]->shape, NULL)};
  const hlo_view result = hlo_view_of(x->shape, NULL);
  CHECK(hlo_convolution_name_strategy(&evaluator, x, operands, &result, &name, &error) == HLO_OK);
  hlo_arena_free(&scratch);
  hlo_module_destroy(module);
  return name;
}

// `wanted` lists strategies with the types that get them: "winograd: f32; direct: f64 s32".
static void check(const program *p, const char *wanted) {
  static const char *const types[] = {"f32",  "f64", "s32", "s8",  "u8",
                                      "bf16", "f16", "c64", "c128"};
  char got[256] = "", want[16];
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    const char *name = strategy_of(types[i], p), *at = strstr(wanted, name);
    snprintf(want, sizeof want, " %s", types[i]);
    const char *end = at == NULL ? NULL : strchr(at, ';'),
               *here = at == NULL ? NULL : strstr(at, want);
    const char *all = at == NULL ? NULL : strstr(at, " all");
    bool is_there = all != NULL || (here != NULL && (end == NULL || here < end));
    if (!is_there) {
      strncat(got, want, sizeof got - strlen(got) - 1);
      strncat(got, ": ", sizeof got - strlen(got) - 1);
      strncat(got, name, sizeof got - strlen(got) - 1);
    }
  }
  CHECK_MESSAGE(got[0] == 0, "image %s, kernel %s, window %s, %s%s: not \"%s\" but%s", p->image,
                p->kernel, p->window, p->labels, p->more, wanted, got);
}

// What the costs in strategies.c give for an AMD EPYC; docs/performance.md, "Convolutions in every
// type".
static const struct {
  program program;
  const char *wanted;
} cases[] = {
    {{"1,28,28,64", "3,3,64,64", "size=3x3 pad=1_1x1_1", "b01f_01io->b01f", ""},
     "winograd: f32 c64; direct: f64 s32 s8 u8 bf16 f16 c128"},
    {{"1,28,28,64", "3,3,64,64", "size=3x3 stride=2x2", "b01f_01io->b01f", ""}, "direct: all"},
    {{"1,28,28,64", "3,3,64,33", "size=3x3 pad=1_1x1_1", "b01f_01io->b01f", ""}, "direct: all"},
    {{"1,28,28,17", "3,3,17,31", "size=3x3 pad=1_1x1_1", "b01f_01io->b01f", ""}, "direct: all"},
    {{"1,28,28,64", "3,3,64,64", "size=3x3 pad=2_2x2_2 rhs_dilate=2x2", "b01f_01io->b01f", ""},
     "direct: all"},
    {{"1,56,56,64", "1,1,64,64", "size=1x1", "b01f_01io->b01f", ""}, "direct: all"},
    {{"1,256,256,1", "5,5,1,1", "size=5x5 pad=2_2x2_2", "b01f_01io->b01f", ""}, "direct: all"},
    {{"1,112,112,3", "3,3,3,32", "size=3x3 pad=0_1x0_1 stride=2x2", "b01f_01io->b01f", ""},
     "direct: all"},
    {{"1,224,224,3", "16,16,3,96", "size=16x16 stride=16x16", "b01f_01io->b01f", ""},
     "direct: all"},
    {{"1,28,28,32", "3,3,1,32", "size=3x3 pad=1_1x1_1", "b01f_01io->b01f",
      ", feature_group_count=32"},
     "depthwise: f32 f64 s32 s8 u8 bf16 f16; direct: c64 c128"},
    {{"1,28,28,32", "5,5,32,64", "size=5x5 pad=2_2x2_2", "b01f_01io->b01f", ""}, "direct: all"},
    {{"1,64,28,28", "64,64,3,3", "size=3x3 pad=1_1x1_1", "bf01_oi01->bf01", ""},
     "winograd: f32 c64; direct: f64 s32 s8 u8 bf16 f16 c128"},
    {{"1,28,28,64", "3,3,16,64", "size=3x3 pad=1_1x1_1", "b01f_01io->b01f",
      ", feature_group_count=4"},
     "direct: all"},
    {{"2,30,30,64", "28,28,2,64", "size=28x28", "f01b_01io->01bf", ""}, "direct: all"},
    {{"32,30,30,1", "28,28,1,32", "size=28x28", "b01f_01io->b01f", ", batch_group_count=32"},
     "direct: all"},
    {{"1,14,14,32", "4,4,32,32", "size=4x4 pad=3_3x3_3 lhs_dilate=2x2", "b01f_01io->b01f", ""},
     "phases: all"},
    {{"1,14,14,32", "4,4,32,32", "size=4x4 pad=3_3x3_3 lhs_dilate=4x4", "b01f_01io->b01f", ""},
     "phases: all"},
    {{"1,7,7,64", "4,4,64,3", "size=4x4 pad=3_3x3_3 lhs_dilate=4x4", "b01f_01io->b01f", ""},
     "transposed: all"},
    {{"1,2,2,32", "28,28,32,3", "size=28x28 pad=27_27x27_27 lhs_dilate=28x28", "b01f_01io->b01f",
      ""},
     "transposed: all"},
    {{"1,14,14,96", "16,16,96,3", "size=16x16 pad=15_15x15_15 lhs_dilate=16x16", "b01f_01io->b01f",
      ""},
     "transposed: all"},
    {{"1,100,32", "1024,32,1", "size=1024 pad=1023_1023 lhs_dilate=256", "b0f_0io->b0f", ""},
     "transposed: all"},
    {{"1,100,257", "1024,257,1", "size=1024 pad=1023_1023 lhs_dilate=256", "b0f_0io->b0f", ""},
     "transposed: all"},
    {{"1,100,32", "512,32,16", "size=512 pad=511_511 lhs_dilate=256", "b0f_0io->b0f", ""},
     "phases: all"},
    {{"1,100,32", "16,32,16", "size=16 pad=15_15 lhs_dilate=8", "b0f_0io->b0f", ""}, "phases: all"},
    {{"1,1000,8", "257,8,1", "size=257 pad=256_256 lhs_dilate=2", "b0f_0io->b0f", ""},
     "phases: all"},
    {{"1,100,1", "64,1,16", "size=64 pad=63_63 lhs_dilate=8", "b0f_0io->b0f", ""}, "phases: all"},
    {{"1,56,56,32", "3,3,32,3", "size=3x3 pad=1_2x1_2 lhs_dilate=2x2 rhs_reversal=1x1",
      "b01f_01io->b01f", ""},
     "transposed: f32 f64 s32 bf16 f16; phases: s8 u8 c64 c128"},
    {{"1,28,28,32", "3,3,1,32", "size=3x3 pad=1_2x1_2 lhs_dilate=2x2", "b01f_01io->b01f",
      ", feature_group_count=32"},
     "phases: all"},
    {{"1,14,14,32", "4,4,32,32", "size=4x4 pad=3_3x3_3 lhs_dilate=3x3 stride=2x2",
      "b01f_01io->b01f", ""},
     "phases: all"},
    {{"1,1,1,64", "7,7,64,64", "size=7x7 pad=6_6x6_6", "b01f_01io->b01f", ""}, "transposed: all"},
    {{"8,64", "64,96", "", "bf_io->bf", ""},
     "direct: f32 f64 s32 s8 u8 bf16 f16; im2col: c64 c128"},
    {{"1,4,4,1000", "3,3,1000,10", "size=3x3 pad=40_40x40_40", "b01f_01io->b01f", ""},
     "im2col: all"},
    {{"1,28,28,1", "3,3,1,8", "size=3x3", "b01f_01io->b01f", ""},
     "direct: f32 f64 s32 s8 u8 bf16 f16; im2col: c64 c128"},
};

int main(void) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    check(&cases[i].program, cases[i].wanted);
  return CHECK_RESULT();
}
