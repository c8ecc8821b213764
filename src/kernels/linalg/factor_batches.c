// See factor_batches.h. Sources of the algorithms: G. Golub, C. Van Loan, Matrix Computations, 3.1,
// 3.4 and 4.2. Control flow is per lane: pivots, row exchanges and failures are computed for all
// lanes, and masks select each lane's result.
#include "kernels/linalg/factor_batches.h"

#include "kernels/machine.h"
#include "kernels/structural.h"

#include <stddef.h>

enum { MOST_LANES = 8, MOST_ARRAYS = 4 };

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

bool hlo_factor_batches_suit(const hlo_view *view) {
  int64_t count = 1;
  for (int32_t d = 0; d < view->rank - 2; d++) count *= view->dims[d];
  return (view->type == HLO_F32 || view->type == HLO_F64) && count >= HLO_FACTOR_BATCH_FEWEST &&
         view->dims[view->rank - 2] <= HLO_FACTOR_BATCH_MOST &&
         view->dims[view->rank - 1] <= HLO_FACTOR_BATCH_MOST;
}

// Iterates over the matrices of several arrays with the same batch dimensions, one per lane. In the
// last step surplus lanes repeat the last matrix and are not stored.
typedef struct lane_walk {
  const hlo_view *const *arrays;
  int32_t array_count, batch_rank, lanes, used;
  bool is_over;
  int64_t index[HLO_MAX_RANK]; // of the next matrix
  char *at[MOST_ARRAYS][MOST_LANES];
} lane_walk;

static void start(lane_walk *walk, int32_t count, const hlo_view *const *arrays) {
  *walk = (lane_walk){.arrays = arrays,
                      .array_count = count,
                      .batch_rank = arrays[0]->rank - 2,
                      .lanes = arrays[0]->type == HLO_F32 ? MOST_LANES : MOST_LANES / 2};
}

static char *matrix_at(const lane_walk *walk, int32_t array) {
  const hlo_view *view = walk->arrays[array];
  int64_t offset = 0;
  for (int32_t d = 0; d < walk->batch_rank; d++) offset += walk->index[d] * view->strides[d];
  return hlo_view_at(view, offset);
}

// False after the last.
static bool next(lane_walk *walk) {
  if (walk->is_over) return false;
  walk->used = 0;
  for (int32_t lane = 0; lane < walk->lanes; lane++) {
    for (int32_t k = 0; k < walk->array_count; k++)
      walk->at[k][lane] = walk->is_over ? walk->at[k][lane - 1] : matrix_at(walk, k);
    if (walk->is_over) continue;
    walk->used++;
    walk->is_over = !hlo_next_index(walk->batch_rank, walk->arrays[0]->dims, walk->index);
  }
  return true;
}

// numbers: MOST_LANES per element, lane-interleaved.
static void store_numbers(const lane_walk *walk, int32_t array, int64_t count, int64_t stride,
                          const int32_t *numbers) {
  for (int64_t k = 0; k < count; k++) {
    for (int32_t lane = 0; lane < walk->used; lane++)
      ((int32_t *)(void *)walk->at[array][lane])[k * stride] = numbers[k * MOST_LANES + lane];
  }
}

#define ELEMENT    float
#define NUMBER     int32_t
#define LANES      8
#define NAME(name) name##_f32
#include "kernels/linalg/factor_lanes.h"
#undef ELEMENT
#undef NUMBER
#undef LANES
#undef NAME
#define ELEMENT    double
#define NUMBER     int64_t
#define LANES      4
#define NAME(name) name##_f64
#include "kernels/linalg/factor_lanes.h"

void hlo_factor_batches_lu(const hlo_view *a, const hlo_view *lu, const hlo_view *pivots,
                           const hlo_view *failed) {
  lane_walk walk;
  start(&walk, 4, (const hlo_view *const[]){a, lu, pivots, failed});
  if (a->type == HLO_F32) lu_f32(&walk);
  else lu_f64(&walk);
}

void hlo_factor_batches_solve(const hlo_view *a, bool unit, const hlo_view *b, const hlo_view *x) {
  lane_walk walk;
  start(&walk, 3, (const hlo_view *const[]){a, b, x});
  if (a->type == HLO_F32) solve_f32(&walk, unit);
  else solve_f64(&walk, unit);
}

void hlo_factor_batches_cholesky(const hlo_view *a, const hlo_view *u, const hlo_view *failed) {
  lane_walk walk;
  start(&walk, failed != NULL ? 3 : 2, (const hlo_view *const[]){a, u, failed});
  if (a->type == HLO_F32) cholesky_f32(&walk);
  else cholesky_f64(&walk);
}
