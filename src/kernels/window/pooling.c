// See pooling.h. The dimensions are taken in order of memory. The last one with a window or a step,
// here called the width, is combined last; the dimensions after it form one run of `run` contiguous
// elements.
#include "kernels/window/pooling.h"

#include "hlo/attributes/window.h"
#include "kernels/machine.h"

#include <string.h>

enum { MOST_ROWS = 1 << 12, WIDEST = 1 << 20 };

typedef struct pooling {
  const hlo_backend *backend;
  hlo_combine_op op;
  float initial, neutral;
  int32_t width;            // dimension
  hlo_view operand, result; // dimensions in order of memory
  const int64_t *fields[HLO_MAX_RANK];
  int64_t run;    // elements for each step along the width
  int64_t padded; // the width with its padding
  int64_t most_rows;
  float *row;   // rows of the windows combined, padding before and after
  float *apart; // see deinterleave_by_stride
  const float **rows;
} pooling;

bool hlo_combine_op_of(hlo_opcode opcode, hlo_combine_op *out) {
  static const hlo_opcode ops[] = {[HLO_COMBINE_ADD] = HLO_OP_ADD,
                                   [HLO_COMBINE_MULTIPLY] = HLO_OP_MULTIPLY,
                                   [HLO_COMBINE_MAXIMUM] = HLO_OP_MAXIMUM,
                                   [HLO_COMBINE_MINIMUM] = HLO_OP_MINIMUM};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    *out = (hlo_combine_op)i;
    if (ops[i] == opcode) return true;
  }
  return false;
}

// The identity of the op.
static float neutral_of(hlo_combine_op op) {
  static const float neutral[] = {[HLO_COMBINE_ADD] = -0.0f,
                                  [HLO_COMBINE_MULTIPLY] = 1,
                                  [HLO_COMBINE_MAXIMUM] = -__builtin_inff(),
                                  [HLO_COMBINE_MINIMUM] = __builtin_inff()};
  return neutral[op];
}

static int64_t magnitude(int64_t x) { return x < 0 ? -x : x; }

// Dimensions by falling stride of the operand.
static void order_dimensions(pooling *p, const int64_t *fields, const hlo_view *operand,
                             const hlo_view *result) {
  p->operand = *operand;
  p->result = *result;
  for (int32_t d = 0; d < operand->rank; d++) {
    int32_t at = d;
    for (; at > 0 && magnitude(p->operand.strides[at - 1]) < magnitude(operand->strides[d]); at--) {
      p->operand.dims[at] = p->operand.dims[at - 1];
      p->operand.strides[at] = p->operand.strides[at - 1];
      p->result.dims[at] = p->result.dims[at - 1];
      p->result.strides[at] = p->result.strides[at - 1];
      p->fields[at] = p->fields[at - 1];
    }
    p->operand.dims[at] = operand->dims[d];
    p->operand.strides[at] = operand->strides[d];
    p->result.dims[at] = result->dims[d];
    p->result.strides[at] = result->strides[d];
    p->fields[at] = fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
  }
}

static bool is_still(const int64_t *field) {
  return field[HLO_WINDOW_SIZE] == 1 && field[HLO_WINDOW_STRIDE] == 1 &&
         field[HLO_WINDOW_PAD_LOW] == 0 && field[HLO_WINDOW_PAD_HIGH] == 0;
}

// Finds the width dimension. False if the elements from it on are not contiguous.
static bool match_width_dimension(pooling *p) {
  int32_t rank = p->operand.rank;
  p->width = rank - 1;
  while (p->width >= 0 && is_still(p->fields[p->width])) p->width--;
  if (p->width < 0) return false;
  p->run = 1;
  for (int32_t d = rank - 1; d >= p->width; d--) {
    bool dense = p->operand.strides[d] == p->run && p->result.strides[d] == p->run;
    if (d > p->width && p->operand.dims[d] == 1) continue;
    if (!dense) return false;
    if (d > p->width) p->run *= p->operand.dims[d];
  }
  return true;
}

// Whether the windows are a pooling: of moderate size, without dilation.
static bool measure(pooling *p) {
  const int64_t *field = p->fields[p->width];
  int64_t low = field[HLO_WINDOW_PAD_LOW], high = field[HLO_WINDOW_PAD_HIGH];
  p->most_rows = 1;
  for (int32_t d = 0; d < p->operand.rank; d++) {
    if (p->fields[d][HLO_WINDOW_LHS_DILATION] != 1) return false;
    if (d < p->width && p->fields[d][HLO_WINDOW_SIZE] > MOST_ROWS / p->most_rows) return false;
    if (d < p->width) p->most_rows *= p->fields[d][HLO_WINDOW_SIZE];
  }
  bool moderate = low >= 0 && high >= 0 && low < WIDEST && high < WIDEST && p->run < WIDEST &&
                  p->operand.dims[p->width] < WIDEST && field[HLO_WINDOW_SIZE] <= MOST_ROWS;
  if (!moderate) return false;
  if (p->most_rows < field[HLO_WINDOW_SIZE]) p->most_rows = field[HLO_WINDOW_SIZE];
  p->padded = low + p->operand.dims[p->width] + high;
  return p->padded * p->run < WIDEST;
}

// Collects the rows of the operand under the windows at that position; how many there are.
static int64_t collect_rows(const pooling *p, const int64_t *position) {
  int64_t taps[HLO_MAX_RANK] = {0}, sizes[HLO_MAX_RANK], count = 0;
  for (int32_t d = 0; d < p->width; d++) sizes[d] = p->fields[d][HLO_WINDOW_SIZE];
  do {
    int64_t at = 0;
    bool inside = true;
    for (int32_t d = 0; d < p->width; d++) {
      const int64_t *field = p->fields[d];
      int64_t element = position[d] * field[HLO_WINDOW_STRIDE] +
                        taps[d] * field[HLO_WINDOW_RHS_DILATION] - field[HLO_WINDOW_PAD_LOW];
      inside = inside && element >= 0 && element < p->operand.dims[d];
      if (inside) at += element * p->operand.strides[d];
    }
    if (inside) p->rows[count++] = hlo_view_at(&p->operand, at);
  } while (hlo_next_index(p->width, sizes, taps));
  return count;
}

typedef float four __attribute__((vector_size(16)));

// Runs are features of a pixel, so few that calling memcpy would take longer.
static inline void copy_run(float *to, const float *from, intptr_t count) {
  intptr_t i = 0;
  for (; i + 4 <= count; i += 4) memcpy(to + i, from + i, sizeof(four));
  for (; i < count; i++) to[i] = from[i];
}

// Deinterleaves the row by position modulo the stride, so that the elements at the same tap of
// neighbouring windows are contiguous.
static const float *deinterleave_by_stride(const pooling *p, int64_t stride, int64_t length) {
  if (stride == 1) return p->row;
  if (stride == 2 && p->run == 1) { // the common case, vectorised
    int64_t i = 0;
    for (; i + 8 <= p->padded; i += 8) {
      four a, b, even, odd;
      memcpy(&a, p->row + i, sizeof a);
      memcpy(&b, p->row + i + 4, sizeof b);
      even = (four){a[0], a[2], b[0], b[2]};
      odd = (four){a[1], a[3], b[1], b[3]};
      memcpy(p->apart + i / 2, &even, sizeof even);
      memcpy(p->apart + length + i / 2, &odd, sizeof odd);
    }
    for (; i < p->padded; i++) p->apart[i % 2 * length + i / 2] = p->row[i];
    return p->apart;
  }
  for (int64_t first = 0; first < stride; first++) {
    float *to = p->apart + first * length;
    const float *from = p->row + first * p->run;
    for (int64_t i = first; i < p->padded; i += stride, from += stride * p->run, to += p->run)
      copy_run(to, from, (intptr_t)p->run);
  }
  return p->apart;
}

// Combines neighbours in the row into all results along the width.
static void combine_width(const pooling *p, float *to) {
  const int64_t *field = p->fields[p->width];
  int64_t stride = field[HLO_WINDOW_STRIDE], size = field[HLO_WINDOW_SIZE];
  int64_t length = ((p->padded - 1) / stride + 1) * p->run;
  const float *apart = deinterleave_by_stride(p, stride, length);
  for (int64_t k = 0; k < size; k++) {
    int64_t element = k * field[HLO_WINDOW_RHS_DILATION];
    p->rows[k] = apart + element % stride * length + element / stride * p->run;
  }
  p->backend->combine_rows_f32(p->op, p->initial, size, p->rows, p->result.dims[p->width] * p->run,
                               to);
}

static hlo_status allocate(const hlo_evaluator *evaluator, pooling *p, hlo_error *error) {
  int64_t stride = p->fields[p->width][HLO_WINDOW_STRIDE];
  int64_t length = ((p->padded - 1) / stride + 1) * p->run;
  if (stride > p->padded) stride = p->padded; // no position has a larger remainder
  HLO_ALLOC(p->rows, evaluator->scratch, p->most_rows, error);
  HLO_ALLOC(p->row, evaluator->scratch, p->padded * p->run, error);
  HLO_ALLOC(p->apart, evaluator->scratch, stride * length, error);
  for (int64_t i = 0; i < p->padded * p->run; i++) p->row[i] = p->neutral;
  return HLO_OK;
}

// Rows of results, `share` per work share, with a prepared pooling per thread.
typedef struct pooling_parts {
  const pooling *of_threads;
  int64_t rows, share;
} pooling_parts;

static void pool_part(void *data, int32_t part, int32_t thread) {
  const pooling_parts *parts = data;
  const pooling *p = &parts->of_threads[thread];
  int64_t position[HLO_MAX_RANK] = {0}, row = part * parts->share, left = parts->rows - row;
  if (left > parts->share) left = parts->share;
  for (int32_t d = p->width - 1; d >= 0; d--) {
    position[d] = row % p->result.dims[d];
    row /= p->result.dims[d];
  }
  int64_t n = p->operand.dims[p->width] * p->run;
  float *inside = p->row + p->fields[p->width][HLO_WINDOW_PAD_LOW] * p->run;
  for (; left > 0; left--) {
    int64_t at = 0, count = collect_rows(p, position);
    for (int32_t d = 0; d < p->width; d++) at += position[d] * p->result.strides[d];
    p->backend->combine_rows_f32(p->op, p->neutral, count, p->rows, n, inside);
    combine_width(p, hlo_view_at(&p->result, at));
    hlo_next_index(p->width, p->result.dims, position);
  }
}

static hlo_status pool(const hlo_evaluator *evaluator, const pooling *p, hlo_error *error) {
  pooling_parts work = {.rows = 1};
  double reads = (double)p->padded * p->run * p->most_rows;
  for (int32_t d = 0; d < p->width; d++) work.rows *= p->result.dims[d];
  int32_t parts = hlo_backend_parts(p->backend, work.rows, work.rows * reads / HLO_POOLED_PER_NS);
  int32_t threads = parts > 1 ? hlo_backend_threads(p->backend) : 1;
  pooling *of_threads;
  HLO_ALLOC(of_threads, evaluator->scratch, threads, error);
  for (int32_t i = 0; i < threads; i++) {
    of_threads[i] = *p;
    HLO_TRY(allocate(evaluator, &of_threads[i], error));
  }
  work.of_threads = of_threads;
  work.share = (work.rows + parts - 1) / parts;
  hlo_backend_parallel(p->backend, pool_part, &work,
                       (int32_t)((work.rows + work.share - 1) / work.share));
  return HLO_OK;
}

hlo_status hlo_pool(const hlo_folder *folder, const int64_t *fields, const hlo_view *operand,
                    const hlo_view *initial, const hlo_view *result, bool *done, hlo_error *error) {
  const hlo_evaluator *evaluator = folder->evaluator;
  pooling p = {.backend = evaluator->backend};
  *done = p.backend != NULL && p.backend->combine_rows_f32 != NULL && operand->type == HLO_F32 &&
          folder->kernel != NULL && hlo_combine_op_of(folder->opcode, &p.op);
  if (!*done) return HLO_OK;
  p.neutral = neutral_of(p.op);
  memcpy(&p.initial, initial->data, sizeof p.initial);
  order_dimensions(&p, fields, operand, result);
  *done = match_width_dimension(&p) && measure(&p);
  if (!*done) return HLO_OK;
  return pool(evaluator, &p, error);
}
