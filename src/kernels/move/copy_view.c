// Copies between views, split along a dimension between threads.
#include "kernels/machine.h"
#include "kernels/structural.h"

enum { TILE = 16 }; // elements: a line of f32

typedef struct copy_work {
  hlo_view to, from;
  int32_t cut; // the dimension that is cut
  int64_t share;
} copy_work;

static void copy_part(void *data, int32_t part, int32_t thread) {
  const copy_work *work = data;
  hlo_view to = work->to, from = work->from;
  int64_t first = part * work->share, left = to.dims[work->cut] - first;
  (void)thread;
  to.data = hlo_view_at(&to, first * to.strides[work->cut]);
  from.data = hlo_view_at(&from, first * from.strides[work->cut]);
  to.dims[work->cut] = from.dims[work->cut] = left < work->share ? left : work->share;
  hlo_view_copy(&to, &from);
}

static int64_t distance(int64_t stride) { return stride < 0 ? -stride : stride; }

// The dimension of at least `parts` elements with the largest stride; -1 if there is none.
static int32_t dimension_to_cut(const hlo_view *to, int64_t parts) {
  int32_t found = -1;
  for (int32_t d = 0; d < to->rank; d++) {
    if (to->dims[d] < parts) continue;
    if (found < 0 || distance(to->strides[d]) > distance(to->strides[found])) found = d;
  }
  return found;
}

void hlo_copy_view(const hlo_evaluator *evaluator, const hlo_view *to, const hlo_view *from) {
  const hlo_backend *backend = evaluator->backend;
  int64_t elements = hlo_view_elements(to);
  double time = (double)elements * hlo_type_bytes(to->type) / HLO_COPIED_BYTES_PER_NS;
  int32_t parts = hlo_backend_parts(backend, elements, time);
  copy_work work = {.cut = parts > 1 ? dimension_to_cut(to, parts) : -1};
  if (work.cut < 0) {
    hlo_view_copy(to, from);
    return;
  }
  int64_t size = to->dims[work.cut];
  work.to = *to;
  work.from = *from;
  work.share = (size + parts - 1) / parts;
  // Whole tiles, so that no two threads write to the same cache line.
  if (work.share > TILE) work.share = (work.share + TILE - 1) / TILE * TILE;
  hlo_backend_parallel(backend, copy_part, &work, (int32_t)((size + work.share - 1) / work.share));
}
