// See strided_dot.h. A vector computes four adjacent results (two of f64), gathering their factors.
// Source of semantics: "DotGeneral" of the operation semantics.
#include "kernels/product/strided_dot.h"

#include "kernels/simd/multiply_add.h"

#include <stddef.h>
#include <string.h>

// Collapses the loop with the previous one if their strides allow it.
static bool add_loop(hlo_strided_loop *loops, int32_t *count, int32_t most, hlo_strided_loop next) {
  if (next.size == 1) return true;
  if (*count > 0) {
    hlo_strided_loop *last = &loops[*count - 1];
    if (last->a == next.a * next.size && last->b == next.b * next.size &&
        last->c == next.c * next.size) {
      next.size *= last->size;
      *last = next;
      return true;
    }
  }
  if (*count == most) return false;
  loops[(*count)++] = next;
  return true;
}

// Whether a loop vectorises without gathers: the result and one factor are contiguous along it, and
// the other factor is invariant.
static bool is_dense(const hlo_strided_loop *loop) {
  return loop->size >= 4 && loop->a == 0 && loop->b == 1 && loop->c == 1;
}

static bool is_better(const hlo_strided_loop *loop, const hlo_strided_loop *other) {
  if (is_dense(loop) != is_dense(other)) return is_dense(loop);
  return loop->size > other->size;
}

// Pads missing loops with trip count 1, and makes a contiguous loop innermost, else the longest:
// that one is vectorised.
static void complete(hlo_strided_dot *dot, int32_t results, int32_t sums) {
  hlo_strided_loop *last = &dot->results[HLO_STRIDED_RESULTS - 1], *longest = last;
  for (; results < HLO_STRIDED_RESULTS; results++)
    dot->results[results] = (hlo_strided_loop){.size = 1};
  for (; sums < HLO_STRIDED_SUMS; sums++) dot->sums[sums] = (hlo_strided_loop){.size = 1};
  for (int32_t i = 0; i < HLO_STRIDED_RESULTS; i++) {
    if (is_better(&dot->results[i], longest)) longest = &dot->results[i];
  }
  hlo_strided_loop swapped = *last;
  *last = *longest;
  *longest = swapped;
}

bool hlo_strided_dot_match(const hlo_contraction *c, bool is_exact, hlo_strided_dot *out) {
  int32_t results = 0, sums = 0;
  hlo_type type = c->work_type;
  if (c->types[HLO_LEFT] != type || c->types[HLO_RIGHT] != type || c->types[HLO_PRODUCT] != type ||
      (type != HLO_F32 && type != HLO_F64) || (is_exact && !hlo_host_fuses()))
    return false;
  out->is_wide = type == HLO_F64;
  for (int32_t i = 0; i < c->starts[HLO_LOOP_GROUPS]; i++) {
    const hlo_contraction_loop *loop = &c->loops[i];
    hlo_strided_loop next = {loop->size, loop->strides[HLO_LEFT], loop->strides[HLO_RIGHT],
                             loop->strides[HLO_PRODUCT]};
    bool fits = i < c->starts[HLO_TERMS]
                    ? add_loop(out->results, &results, HLO_STRIDED_RESULTS, next)
                    : add_loop(out->sums, &sums, HLO_STRIDED_SUMS, next);
    if (!fits) return false;
  }
  complete(out, results, sums);
  return true;
}

static inline hlo_f32x4 gather_f32(const float *x, const ptrdiff_t at[3]) {
  return (hlo_f32x4){x[0], x[at[0]], x[at[1]], x[at[2]]};
}
static inline hlo_f64x2 gather_f64(const double *x, const ptrdiff_t at[3]) {
  return (hlo_f64x2){x[0], x[at[0]]};
}

// Offsets of up to three further lanes; lanes beyond `count` repeat the first element.
static inline void neighbour_offsets(ptrdiff_t stride, int64_t count, ptrdiff_t places[3]) {
  for (int i = 0; i < 3; i++) places[i] = i + 1 < count ? (i + 1) * stride : 0;
}

// One vector of results of a contiguous loop.
#define DEFINE_DENSE(name, LANE, VECTOR, ADD)                                                      \
  static inline void dense_##name(const hlo_strided_dot *dot, const LANE *a, const LANE *b,        \
                                  LANE *c) {                                                       \
    const hlo_strided_loop *sums = dot->sums;                                                      \
    VECTOR sum = {0}, right;                                                                       \
    for (int64_t i = 0; i < sums[0].size; i++) {                                                   \
      const LANE *x = a + i * sums[0].a, *y = b + i * sums[0].b;                                   \
      for (int64_t p = 0; p < sums[1].size; p++, x += sums[1].a, y += sums[1].b) {                 \
        memcpy(&right, y, sizeof right);                                                           \
        sum = ADD(*x - (VECTOR){0}, right, sum);                                                   \
      }                                                                                            \
    }                                                                                              \
    memcpy(c, &sum, sizeof sum);                                                                   \
  }
DEFINE_DENSE(f32, float, hlo_f32x4, hlo_multiply_add)
DEFINE_DENSE(f64, double, hlo_f64x2, hlo_multiply_add_f64)

// Runs the innermost result loop from these addresses on.
#define DEFINE_ROW(name, LANE, VECTOR, LANES, GATHER, ADD)                                         \
  static void row_##name(const hlo_strided_dot *dot, const LANE *a, const LANE *b, LANE *c) {      \
    const hlo_strided_loop *row = &dot->results[HLO_STRIDED_RESULTS - 1];                          \
    ptrdiff_t outer = (ptrdiff_t)dot->sums[0].size, inner = (ptrdiff_t)dot->sums[1].size;          \
    ptrdiff_t a_step = (ptrdiff_t)dot->sums[1].a, b_step = (ptrdiff_t)dot->sums[1].b;              \
    ptrdiff_t a_skip = (ptrdiff_t)dot->sums[0].a - inner * a_step;                                 \
    ptrdiff_t b_skip = (ptrdiff_t)dot->sums[0].b - inner * b_step;                                 \
    ptrdiff_t lefts[3], rights[3], apart = (ptrdiff_t)row->c;                                      \
    for (int64_t left = row->size; left > 0; left -= LANES) {                                      \
      int64_t count = left < LANES ? left : LANES;                                                 \
      const LANE *x = a, *y = b;                                                                   \
      VECTOR sum = {0};                                                                            \
      if (count == LANES && is_dense(row)) {                                                       \
        dense_##name(dot, a, b, c);                                                                \
        b += LANES;                                                                                \
        c += LANES;                                                                                \
        continue;                                                                                  \
      }                                                                                            \
      neighbour_offsets((ptrdiff_t)row->a, count, lefts);                                          \
      neighbour_offsets((ptrdiff_t)row->b, count, rights);                                         \
      for (ptrdiff_t i = 0; i < outer; i++, x += a_skip, y += b_skip) {                            \
        for (ptrdiff_t p = 0; p < inner; p++, x += a_step, y += b_step)                            \
          sum = ADD(GATHER(x, lefts), GATHER(y, rights), sum);                                     \
      }                                                                                            \
      for (int i = 0; i < LANES; i++) {                                                            \
        if (i < count) c[i * apart] = sum[i];                                                      \
      }                                                                                            \
      a += LANES * row->a;                                                                         \
      b += LANES * row->b;                                                                         \
      c += LANES * row->c;                                                                         \
    }                                                                                              \
  }
DEFINE_ROW(f32, float, hlo_f32x4, 4, gather_f32, hlo_multiply_add)
DEFINE_ROW(f64, double, hlo_f64x2, 2, gather_f64, hlo_multiply_add_f64)

void hlo_strided_dot_run(const hlo_strided_dot *dot, const void *a, const void *b, void *c) {
  const hlo_strided_loop *l = dot->results;
  for (int64_t i = 0; i < l[0].size; i++) {
    for (int64_t j = 0; j < l[1].size; j++) {
      for (int64_t k = 0; k < l[2].size; k++) {
        int64_t x = i * l[0].a + j * l[1].a + k * l[2].a, y = i * l[0].b + j * l[1].b + k * l[2].b;
        int64_t to = i * l[0].c + j * l[1].c + k * l[2].c;
        if (dot->is_wide)
          row_f64(dot, (const double *)a + x, (const double *)b + y, (double *)c + to);
        else row_f32(dot, (const float *)a + x, (const float *)b + y, (float *)c + to);
      }
    }
  }
}
