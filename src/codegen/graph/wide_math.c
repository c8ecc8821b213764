// Elementary functions of f32 and c64 that compute in double, in emitted code. See vector_math.h.
#include "codegen/graph/vector_math.h"

#include "codegen/graph/wide_instance.h"
#include "math/complex.h"
#include "math/elementary.h"
#include "math/vector_math.h"

typedef void function(void);
typedef hlo_node build(hlo_graph *graph, hlo_node x);
typedef hlo_node build_pair(hlo_graph *graph, hlo_node x, hlo_node y);

// f32 lanes as doubles, in two vectors, and back.
static hlo_value widen(hlo_graph *g, hlo_node x) {
  hlo_value wide = {{0}};
  hlo_value_convert(g, HLO_F64, HLO_F32, (hlo_value){{x}}, &wide);
  return wide;
}
static hlo_node narrow(hlo_graph *g, hlo_value wide) {
  hlo_value out = {{0}};
  hlo_value_convert(g, HLO_F32, HLO_F64, wide, &out);
  return out.part[0];
}

static hlo_node of_one(hlo_graph *g, build *function, hlo_node x) {
  hlo_value wide = widen(g, x);
  for (int i = 0; i < 2; i++) wide.part[i] = function(g, wide.part[i]);
  return narrow(g, wide);
}

static hlo_node of_pair(hlo_graph *g, build_pair *function, hlo_node x, hlo_node y) {
  hlo_value a = widen(g, x), b = widen(g, y);
  for (int i = 0; i < 2; i++) a.part[i] = function(g, a.part[i], b.part[i]);
  return narrow(g, a);
}

// Where the magnitude of f32 lanes is above a number.
static hlo_node above(hlo_graph *g, hlo_node x, float limit) {
  return hlo_graph_2(g, SIMD_F32X4_LT, hlo_graph_f32(g, limit), hlo_graph_1(g, SIMD_F32X4_ABS, x));
}

hlo_node hlo_patch_simple_powers(hlo_graph *g, bool wide, hlo_node power, hlo_node x, hlo_node y) {
  uint32_t bits;
  uint64_t wide_bits;
  if (wide ? hlo_graph_is_splat64(g, y, &wide_bits) : hlo_graph_is_splat32(g, y, &bits))
    return power;
  hlo_node twice = hlo_graph_2(g, wide ? SIMD_F64X2_ADD : SIMD_F32X4_ADD, y, y);
  hlo_node whole = hlo_graph_1(g, wide ? SIMD_F64X2_TRUNC : SIMD_F32X4_TRUNC, twice);
  hlo_node size = hlo_graph_1(g, wide ? SIMD_F64X2_ABS : SIMD_F32X4_ABS, y);
  hlo_node most = wide ? hlo_graph_f64(g, 3) : hlo_graph_f32(g, 3);
  hlo_node is_simple =
      hlo_graph_2(g, SIMD_AND, hlo_graph_2(g, wide ? SIMD_F64X2_EQ : SIMD_F32X4_EQ, twice, whole),
                  hlo_graph_2(g, wide ? SIMD_F64X2_LE : SIMD_F32X4_LE, size, most));
  const hlo_node pair[] = {x, y};
  function *call = wide ? (function *)hlo_pow_f64 : (function *)hlo_pow_f32;
  return hlo_graph_patch_many(g, is_simple, power, call, wide, 2, pair);
}

bool hlo_wide_math(hlo_graph *g, hlo_opcode opcode, hlo_node x, hlo_node y, hlo_node *out) {
  static const struct {
    hlo_opcode opcode;
    build *build;
    float least, most; // outside of them: the function
    float (*function)(float);
  } functions[] = {
#define FUNCTION(id, name) {HLO_OP_##id, graph_##name, 0, 0, NULL},
#define LIMITED_FUNCTION(id, name, least, most)                                                    \
  {HLO_OP_##id, graph_##name, least, most, hlo_##name##_f32},
      HLO_WIDE_FUNCTIONS(FUNCTION) HLO_LIMITED_FUNCTIONS(LIMITED_FUNCTION)};
  static const struct {
    hlo_opcode opcode;
    build_pair *build;
  } pairs[] = {
#define PAIR_FUNCTION(id, name) {HLO_OP_##id, graph_##name},
      HLO_PAIR_FUNCTIONS(PAIR_FUNCTION)};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (functions[i].opcode != opcode) continue;
    *out = of_one(g, functions[i].build, x);
    if (functions[i].function == NULL) return true;
    hlo_node least = hlo_graph_f32(g, functions[i].least),
             most = hlo_graph_f32(g, functions[i].most);
    hlo_node is_rare = hlo_graph_2(g, SIMD_OR, hlo_graph_2(g, SIMD_F32X4_LT, x, least),
                                   hlo_graph_2(g, SIMD_F32X4_LT, most, x));
    *out = hlo_graph_patch(g, is_rare, *out, functions[i].function, x);
    return true;
  }
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    if (pairs[i].opcode != opcode) continue;
    *out = of_pair(g, pairs[i].build, x, y);
    if (opcode == HLO_OP_POWER) *out = hlo_patch_simple_powers(g, false, *out, x, y);
    return true;
  }
  return false;
}

// --- c64 and c128 ---

void hlo_wide_product(hlo_graph *g, hlo_node a, hlo_node b, hlo_node x, hlo_node y, hlo_node *re,
                      hlo_node *im) {
  graph_multiply_complex(g, a, b, x, y, re, im);
}

typedef void build_complex(hlo_graph *graph, hlo_node x, hlo_node y, hlo_node *re, hlo_node *im);

// Functions of one number, and what they are where a part is NaN, by parts.
static const struct {
  hlo_opcode opcode;
  build_complex *build;
  function *real, *imaginary;
} complex_functions[] = {{HLO_OP_LOG, graph_log_complex, NULL, NULL},
                         {HLO_OP_SQRT, graph_sqrt_complex, NULL, NULL},
#define COMPLEX_FUNCTION(id, name)                                                                 \
  {HLO_OP_##id, graph_##name##_complex, (function *)hlo_real_of_##name,                            \
   (function *)hlo_imaginary_of_##name},
                         HLO_COMPLEX_FUNCTIONS(COMPLEX_FUNCTION)};

// Up to four vectors of doubles in, the parts of a result out.
static void complex_part(hlo_graph *g, hlo_opcode opcode, build_complex *build, const hlo_node *x,
                         hlo_node *re, hlo_node *im) {
  if (build != NULL) build(g, x[0], x[1], re, im);
  else if (opcode == HLO_OP_DIVIDE) graph_divide_complex(g, x[0], x[1], x[2], x[3], re, im);
  else if (opcode == HLO_OP_EXP) graph_exp_complex(g, x[0], x[1], x[2], x[3], re, im);
  else *re = *im = graph_abs_complex(g, x[0], x[1]);
}

// Numbers where a part is NaN may be others.
static void patch_complex(hlo_graph *g, function *real, function *imaginary, int count,
                          const hlo_value *x, hlo_value *out) {
  hlo_node re = out->part[0], im = out->part[1], parts[4];
  for (int i = 0; i < count; i++) parts[i] = x[i / 2].part[i % 2];
  hlo_node is_rare = hlo_graph_2(g, SIMD_OR, hlo_graph_2(g, SIMD_F32X4_NE, re, re),
                                 hlo_graph_2(g, SIMD_F32X4_NE, im, im));
  out->part[0] = hlo_graph_patch_many(g, is_rare, re, real, false, count, parts);
  out->part[1] = hlo_graph_patch_many(g, is_rare, im, imaginary, false, count, parts);
}

bool hlo_wide_complex(hlo_graph *g, hlo_opcode opcode, const hlo_value *x, hlo_value *out) {
  function *real = NULL, *imaginary = NULL;
  build_complex *build = NULL;
  for (size_t i = 0; i < sizeof complex_functions / sizeof *complex_functions; i++) {
    if (complex_functions[i].opcode != opcode) continue;
    build = complex_functions[i].build;
    real = complex_functions[i].real, imaginary = complex_functions[i].imaginary;
  }
  bool is_exp = opcode == HLO_OP_EXP, is_abs = opcode == HLO_OP_ABS;
  bool is_pair = opcode == HLO_OP_DIVIDE;
  hlo_value second = is_pair ? x[1] : (hlo_value){{0}}, wide[4], re = {{0}}, im = {{0}};
  if (!is_exp && !is_abs && !is_pair && build == NULL) return false;
  if (is_pair) {
    real = (function *)hlo_real_of_quotient;
    imaginary = (function *)hlo_imaginary_of_quotient;
  }
  if (is_exp) { // cosine and sine of what is large
    hlo_node y = x[0].part[1], zero = hlo_graph_splat32(g, 0),
             is_large = above(g, y, HLO_WIDE_ANGLE);
    second.part[0] = hlo_graph_patch(g, is_large, zero, hlo_cos_f32, y);
    second.part[1] = hlo_graph_patch(g, is_large, zero, hlo_sin_f32, y);
  }
  for (int i = 0; i < 4; i++) wide[i] = widen(g, i < 2 ? x[0].part[i] : second.part[i - 2]);
  for (int i = 0; i < 2; i++) {
    const hlo_node parts[] = {wide[0].part[i], wide[1].part[i], wide[2].part[i], wide[3].part[i]};
    complex_part(g, opcode, build, parts, &re.part[i], &im.part[i]);
  }
  *out = (hlo_value){{narrow(g, re), is_abs ? 0 : narrow(g, im)}};
  if (real != NULL) patch_complex(g, real, imaginary, is_pair ? 4 : 2, x, out);
  return true;
}
