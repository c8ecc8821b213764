// Functions of c128 in emitted code. See vector_math.h.
#include "codegen/graph/vector_math.h"
#include "codegen/graph/wide_instance.h"
#include "math/complex.h"

#include "math/vector/double_math_template.h"

#include "math/vector/double_complex_template.h"

typedef void function(void);
typedef void build(hlo_graph *graph, hlo_node x, hlo_node y, hlo_node *re, hlo_node *im);
typedef hlo_node is_in_range(hlo_graph *graph, hlo_node x, hlo_node y);

static const struct {
  hlo_opcode opcode;
  build *build;
  is_in_range *is_in_range;
  function *real, *imaginary;
} functions[] = {
#define FUNCTION(id, name, range)                                                                  \
  {HLO_OP_##id, graph_##name##_c128, graph_##range, (function *)hlo_real_of_##name##_c128,         \
   (function *)hlo_imaginary_of_##name##_c128},
    HLO_DOUBLE_COMPLEX_FUNCTIONS(FUNCTION)};

// Calls where the template has no number of its own.
static void patch(hlo_graph *g, hlo_node is_in_range, function *real, function *imaginary,
                  int count, const hlo_node *x, hlo_node *re, hlo_node *im) {
  hlo_node is_rare = hlo_graph_1(g, SIMD_NOT, is_in_range);
  *re = hlo_graph_patch_many(g, is_rare, *re, real, true, count, x);
  *im = hlo_graph_patch_many(g, is_rare, *im, imaginary, true, count, x);
}

static void divide(hlo_graph *g, const hlo_node *x, hlo_node *re, hlo_node *im) {
  graph_divide_c128(g, x[0], x[1], x[2], x[3], re, im);
  patch(g, graph_quotient_in_range(g, x[0], x[1], x[2], x[3]),
        (function *)hlo_real_of_quotient_c128, (function *)hlo_imaginary_of_quotient_c128, 4, x, re,
        im);
}

bool hlo_double_complex(hlo_graph *g, hlo_opcode opcode, const hlo_value *x, hlo_value *out) {
  size_t f = 0, count = sizeof functions / sizeof *functions;
  while (f < count && functions[f].opcode != opcode) f++;
  bool is_pair = opcode == HLO_OP_DIVIDE, is_abs = opcode == HLO_OP_ABS;
  if (f == count && !is_pair && !is_abs) return false;
  for (int i = 0; i < 2; i++) { // halves: the parts of two numbers
    hlo_node in[] = {x[0].part[i], x[0].part[2 + i], is_pair ? x[1].part[i] : 0,
                     is_pair ? x[1].part[2 + i] : 0};
    hlo_node *re = &out->part[i], *im = &out->part[2 + i];
    if (is_abs) {
      *re = graph_hypot_f64(g, in[0], in[1]);
    } else if (is_pair) {
      divide(g, in, re, im);
    } else {
      functions[f].build(g, in[0], in[1], re, im);
      patch(g, functions[f].is_in_range(g, in[0], in[1]), functions[f].real, functions[f].imaginary,
            2, in, re, im);
    }
  }
  return true;
}
