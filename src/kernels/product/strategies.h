// How contractions are carried out: plans, made once where shapes are known, by a table of
// strategies (strategies.c). A plan depends on shapes, layouts, the backend and constants alone.
#ifndef HLO_KERNELS_PRODUCT_STRATEGIES_H
#define HLO_KERNELS_PRODUCT_STRATEGIES_H

#include "kernels/eval.h"
#include "kernels/product/contraction.h"
#include "kernels/product/dot_bands.h"
#include "kernels/product/matrix.h"
#include "kernels/product/small_products.h"
#include "kernels/product/strided_dot.h"

typedef struct hlo_contraction_plan hlo_contraction_plan;

typedef hlo_status hlo_run_contraction(const hlo_contraction_plan *plan,
                                       const hlo_evaluator *evaluator, const void *a, const void *b,
                                       void *c, hlo_error *error);

typedef struct hlo_contraction_strategy {
  const char *name;
  // Whether it serves the contraction; then sets its part of the plan.
  bool (*fits)(hlo_contraction_plan *plan);
  // Nanoseconds on one core, roughly.
  double (*cost)(const hlo_contraction_plan *plan);
  // Works on constant operands, once: packs one for evaluator->packing, or notes in `arena` what it
  // found. NULL: they are not of interest.
  hlo_status (*prepare)(hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                        hlo_arena *arena, hlo_error *error);
  hlo_run_contraction *run;
  bool takes_epilogue; // may run evaluator->offer
} hlo_contraction_strategy;

struct hlo_contraction_plan {
  const hlo_contraction_strategy *strategy;
  const hlo_backend *backend;
  bool is_small;      // in all so few products that the result has the bits of XLA's CPU backend
  hlo_matrix a, b, c; // of each entry of the batch, as the strategy's kernels want them
  union {             // by strategy
    hlo_strided_dot strided;
    hlo_small_batch small;
    hlo_bands bands;
  };
  hlo_contraction contraction; // last: copies leave out loops that are not used
};

// Plans what is described in plan->contraction, for a result with elements.
void hlo_contraction_plan_make(const hlo_backend *backend, hlo_contraction_plan *plan);
size_t hlo_contraction_plan_size(const hlo_contraction_plan *plan);
// lhs and rhs: the instruction's operands. An operand that has been packed comes in that form.
// Scratch memory of the evaluator, which is given back.
hlo_status hlo_contraction_run(const hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                               const void *lhs, const void *rhs, void *result, hlo_error *error);
// Which operand of the instruction `prepare` has packed; -1: none.
static inline int32_t hlo_contraction_packed_operand(const hlo_contraction_plan *plan) {
  return !plan->b.is_packed ? -1 : plan->contraction.is_swapped ? 0 : 1;
}

// --- strategies over matrices: matrix_strategies.c ---

hlo_run_contraction hlo_run_bands, hlo_run_small_products, hlo_run_gemm, hlo_run_gemv_columns,
    hlo_run_pairs, hlo_run_complex, hlo_run_widened;
hlo_status hlo_prepare_bands(hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                             hlo_arena *arena, hlo_error *error);
// Packs constant right matrices into GEMM panels ahead of execution, where they are worth it. f32
// only: its panels take about as much memory as the matrices.
bool hlo_packs_right(const hlo_backend *backend, const hlo_contraction *c);
hlo_status hlo_pack_right(hlo_contraction_plan *plan, const hlo_evaluator *evaluator,
                          hlo_arena *arena, hlo_error *error);

#endif
