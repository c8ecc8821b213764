// See window_op.h: which strategy combines which dimensions. Windows of which each meets at most
// one element (gradients of pooling with steps as long as its windows) are expanded afterwards; a
// base with holes is taken apart by the remainders of positions, for each of which the holes are
// the same; what is left is combined tap by tap where windows are small or rounding promises an
// order, else one dimension after the other.
#include "kernels/elementwise/lanes.h"
#include "kernels/elementwise/narrow.h"
#include "kernels/machine.h"
#include "kernels/reduce/reduce.h"
#include "kernels/window/window_op.h"
#include "kernels/window/window_taps.h"

#include <string.h>

enum {
  MOST_ROUNDED = 128, // elements of a window of narrow floats that are rounded after each step
  MOST_PHASES = 64,
};

static const int64_t alone[HLO_WINDOW_FIELDS] = {[HLO_WINDOW_SIZE] = 1,
                                                 [HLO_WINDOW_STRIDE] = 1,
                                                 [HLO_WINDOW_LHS_DILATION] = 1,
                                                 [HLO_WINDOW_RHS_DILATION] = 1};

// Windows over `from`, after the start value, into `to`.
typedef struct windows {
  const hlo_window_op *op;
  int64_t fields[HLO_MAX_RANK * HLO_WINDOW_FIELDS];
  hlo_view from, to;
  const void *start;
} windows;

static int64_t *field_of(windows *w, int32_t d) {
  return w->fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
}

static void set_alone(windows *w, int32_t d) { memcpy(field_of(w, d), alone, sizeof alone); }

static bool is_alone(windows *w, int32_t d) {
  return memcmp(field_of(w, d), alone, sizeof alone) == 0 && w->from.dims[d] == w->to.dims[d];
}

static hlo_status combine(windows *w, bool *done, hlo_error *error);

// --- at most one element in each window ---

// Which element the window at each position meets, or -1; NULL if one meets several.
static hlo_status list_elements(windows *w, int32_t d, int64_t **out, hlo_error *error) {
  const int64_t *field = field_of(w, d);
  int64_t size = w->from.dims[d], positions = w->to.dims[d], *elements;
  hlo_taps taps;
  HLO_ALLOC(elements, w->op->evaluator->scratch, positions, error);
  for (int64_t o = 0; o < positions; o++) elements[o] = -1;
  *out = elements;
  if (!hlo_taps_start(&taps, 1, field, &size, &positions)) return HLO_OK;
  do {
    const hlo_tap *tap = &taps.taps[0];
    for (int64_t i = 0; i < tap->count; i++) {
      int64_t *element = &elements[tap->position + i * tap->position_step];
      if (*element >= 0) *out = NULL;
      if (*out == NULL) return HLO_OK;
      *element = tap->base + i * tap->base_step;
    }
  } while (hlo_taps_next(&taps));
  return HLO_OK;
}

// Copies rows of `count` elements of a size: those listed, or `fill` for -1.
#define DEFINE(type, name)                                                                         \
  static void name(int64_t positions, const int64_t *elements, int64_t count, const void *from,    \
                   const void *fill, void *to) {                                                   \
    type *target = to, value = *(const type *)fill;                                                \
    for (int64_t o = 0; o < positions; o++, target += count) {                                     \
      const type *source = (const type *)from + elements[o] * count;                               \
      if (elements[o] >= 0)                                                                        \
        for (int64_t i = 0; i < count; i++) target[i] = source[i];                                 \
      else                                                                                         \
        for (int64_t i = 0; i < count; i++) target[i] = value;                                     \
    }                                                                                              \
  }
typedef struct pair {
  uint64_t low, high;
} pair;
DEFINE(uint8_t, expand_8)
DEFINE(uint16_t, expand_16)
DEFINE(uint32_t, expand_32)
DEFINE(uint64_t, expand_64)
DEFINE(pair, expand_128)

// Along one dimension of a dense array.
static void expand_dimension(const hlo_view *from, int32_t d, const int64_t *elements,
                             int64_t positions, const void *fill, void *to) {
  static void (*const of_bytes[17])(int64_t, const int64_t *, int64_t, const void *, const void *,
                                    void *) = {
      [1] = expand_8, [2] = expand_16, [4] = expand_32, [8] = expand_64, [16] = expand_128};
  int64_t bytes = hlo_type_bytes(from->type), inner = from->strides[d];
  int64_t outer = hlo_view_elements(from) / (inner * from->dims[d]);
  for (int64_t i = 0; i < outer; i++) {
    of_bytes[bytes](positions, elements, inner, hlo_view_at(from, i * from->dims[d] * inner), fill,
                    (char *)to + i * positions * inner * bytes);
  }
}

static bool is_dense(const hlo_view *view) {
  bool forwards = hlo_views_are_parallel(view, view);
  for (int32_t d = 0; d < view->rank; d++)
    forwards = forwards && (view->strides[d] >= 0 || view->dims[d] == 1);
  return forwards;
}

// Combines the other dimensions, then expands these.
static hlo_status combine_and_expand(windows *w, int64_t *const *elements, bool *done,
                                     hlo_error *error) {
  windows compact = *w;
  const hlo_view start = {.type = w->op->type, .data = (void *)(uintptr_t)w->start};
  _Alignas(16) char value[16];
  hlo_view fill = {.type = w->to.type, .data = value};
  int32_t left = 0;
  HLO_TRY(hlo_window_copy(w->op, &fill, &start, error));
  for (int32_t d = 0; d < w->to.rank; d++) {
    if (elements[d] == NULL) continue;
    compact.to.dims[d] = w->from.dims[d];
    set_alone(&compact, d);
    left++;
  }
  HLO_TRY(hlo_window_scratch(w->op, w->to.type, &w->to, compact.to.dims, &compact.to, error));
  HLO_TRY(combine(&compact, done, error));
  hlo_view from = compact.to, to;
  for (int32_t d = 0; d < w->to.rank && *done; d++) {
    if (elements[d] == NULL) continue;
    int64_t dims[HLO_MAX_RANK];
    memcpy(dims, from.dims, sizeof dims);
    dims[d] = w->to.dims[d];
    bool direct = --left == 0 && is_dense(&w->to);
    if (direct) to = w->to;
    else HLO_TRY(hlo_window_scratch(w->op, w->to.type, &w->to, dims, &to, error));
    expand_dimension(&from, d, elements[d], dims[d], value, to.data);
    if (left == 0 && !direct) hlo_copy_view(w->op->evaluator, &w->to, &to);
    from = to;
  }
  return HLO_OK;
}

// --- a base with holes ---

// Every how many positions a window meets the holes alike.
static int64_t phases_of(const int64_t *field) {
  int64_t dilation = field[HLO_WINDOW_LHS_DILATION];
  return dilation / hlo_window_gcd(field[HLO_WINDOW_STRIDE], dilation);
}

// The windows at positions phase, phase + phases, …, without holes. False if they meet nothing.
static bool cut_phase(windows *w, int32_t d, int64_t phase) {
  int64_t *field = field_of(w, d), phases = phases_of(field);
  int64_t dilation = field[HLO_WINDOW_LHS_DILATION], step = field[HLO_WINDOW_RHS_DILATION];
  int64_t taps = dilation / hlo_window_gcd(step, dilation), first = 0;
  int64_t place = phase * field[HLO_WINDOW_STRIDE] - field[HLO_WINDOW_PAD_LOW];
  w->to.data = hlo_view_at(&w->to, phase * w->to.strides[d]);
  w->to.dims[d] = (w->to.dims[d] - phase - 1) / phases + 1;
  w->to.strides[d] *= phases;
  while ((place + first * step) % dilation != 0 && first < taps) first++;
  if (first == taps || first >= field[HLO_WINDOW_SIZE]) return false;
  field[HLO_WINDOW_SIZE] = (field[HLO_WINDOW_SIZE] - 1 - first) / taps + 1;
  field[HLO_WINDOW_STRIDE] = field[HLO_WINDOW_STRIDE] * phases / dilation;
  field[HLO_WINDOW_RHS_DILATION] = step * taps / dilation;
  field[HLO_WINDOW_PAD_LOW] = -(place + first * step) / dilation;
  field[HLO_WINDOW_LHS_DILATION] = 1;
  field[HLO_WINDOW_PAD_HIGH] = 0;
  return true;
}

static hlo_status combine_phases(windows *w, bool *done, hlo_error *error) {
  int64_t phases[HLO_MAX_RANK], index[HLO_MAX_RANK] = {0}, all = 1;
  for (int32_t d = 0; d < w->to.rank; d++) {
    phases[d] = phases_of(field_of(w, d));
    if (phases[d] > w->to.dims[d]) phases[d] = w->to.dims[d];
    *done = phases[d] <= MOST_PHASES / all;
    if (!*done) return HLO_OK;
    all *= phases[d];
  }
  do {
    windows part = *w;
    bool any = true;
    for (int32_t d = 0; d < w->to.rank; d++) any = cut_phase(&part, d, index[d]) && any;
    if (any) {
      HLO_TRY(combine(&part, done, error));
    } else {
      const hlo_view start = {.type = w->op->type, .data = (void *)(uintptr_t)w->start};
      hlo_view everywhere = part.to;
      everywhere.type = start.type;
      everywhere.data = start.data;
      memset(everywhere.strides, 0, sizeof everywhere.strides);
      HLO_TRY(hlo_window_copy(w->op, &part.to, &everywhere, error));
    }
  } while (*done && hlo_next_index(w->to.rank, phases, index));
  return HLO_OK;
}

// --- one dimension after the other ---

// Windows that do not overlap and cover elements only.
static bool is_apart(windows *w, int32_t d) {
  const int64_t *field = field_of(w, d);
  int64_t size = field[HLO_WINDOW_SIZE], positions = w->to.dims[d];
  return size > 1 && field[HLO_WINDOW_RHS_DILATION] == 1 && field[HLO_WINDOW_PAD_LOW] == 0 &&
         (positions == 1 || field[HLO_WINDOW_STRIDE] >= size) &&
         size <= w->from.dims[d] - (positions - 1) * field[HLO_WINDOW_STRIDE];
}

// Reduces long windows along a dimension where they are apart, which becomes two.
static hlo_status reduce_apart(windows *w, int32_t d, hlo_error *error) {
  const hlo_view start = {.type = w->op->type, .data = (void *)(uintptr_t)w->start};
  hlo_view from = w->from, to = w->to;
  if (from.type != w->op->type) {
    HLO_TRY(hlo_window_scratch(w->op, w->op->type, &w->from, w->from.dims, &from, error));
    HLO_TRY(hlo_window_copy(w->op, &from, &w->from, error));
  }
  if (to.type != w->op->type)
    HLO_TRY(hlo_window_scratch(w->op, w->op->type, &w->to, w->to.dims, &to, error));
  int64_t within = from.rank++;
  from.dims[within] = field_of(w, d)[HLO_WINDOW_SIZE];
  from.strides[within] = from.strides[d];
  from.dims[d] = to.dims[d];
  from.strides[d] *= field_of(w, d)[HLO_WINDOW_STRIDE];
  hlo_reduction reduction = hlo_reduction_of(&from, 1, &within);
  HLO_TRY(hlo_reduce_by_op(w->op->evaluator, &reduction, w->op->opcode, &from, &start, &to, error));
  return w->to.type == to.type ? HLO_OK : hlo_window_copy(w->op, &w->to, &to, error);
}

static hlo_status combine_dimension(windows *w, int32_t d, bool *done, hlo_error *error) {
  int64_t size = field_of(w, d)[HLO_WINDOW_SIZE];
  bool apart = is_apart(w, d);
  if (apart && size > HLO_SCAN_BLOCK && w->from.rank < HLO_MAX_RANK)
    return reduce_apart(w, d, error);
  if (size > (apart ? HLO_SCAN_BLOCK : HLO_WINDOW_TAPS))
    return hlo_window_by_scans(w->op, d, field_of(w, d), &w->from, w->start, &w->to, done, error);
  return hlo_window_by_taps(w->op, w->fields, &w->from, w->start, &w->to, done, error);
}

// The dimension whose windows leave the least of it; -1: all are alone.
static int32_t next_dimension(windows *w) {
  int32_t best = -1;
  double least = 0;
  for (int32_t d = 0; d < w->from.rank; d++) {
    if (is_alone(w, d)) continue;
    double left = (double)w->to.dims[d] / (double)w->from.dims[d];
    if (best < 0 || left < least) best = d, least = left;
  }
  return best;
}

static hlo_status combine_in_turn(windows *w, bool *done, hlo_error *error) {
  *done = true;
  for (int32_t d = next_dimension(w); *done && d >= 0; d = next_dimension(w)) {
    windows step = *w;
    for (int32_t i = 0; i < w->from.rank; i++) {
      if (i == d) continue;
      set_alone(&step, i);
      step.to.dims[i] = w->from.dims[i];
    }
    set_alone(w, d);
    w->from.dims[d] = w->to.dims[d];
    if (next_dimension(w) >= 0) {
      step.start = w->op->neutral;
      HLO_TRY(hlo_window_scratch(w->op, w->op->type, &w->from, step.to.dims, &step.to, error));
    }
    HLO_TRY(combine_dimension(&step, d, done, error));
    w->from = step.to;
  }
  return HLO_OK;
}

// --- which ---

static bool rounds(hlo_opcode opcode, hlo_type type) {
  return (opcode == HLO_OP_ADD || opcode == HLO_OP_MULTIPLY) &&
         (hlo_type_is_float(type) || hlo_type_is_complex(type));
}

// Elements of a window, `most` + 1 if more.
static int64_t count_taps(const int64_t *fields, int32_t rank, int64_t most) {
  int64_t taps = 1;
  for (int32_t d = 0; d < rank; d++) {
    int64_t size = hlo_window_field(fields, d)[HLO_WINDOW_SIZE];
    if (size > most / taps) return most + 1;
    taps *= size;
  }
  return taps;
}

static hlo_status combine(windows *w, bool *done, hlo_error *error) {
  int64_t *elements[HLO_MAX_RANK];
  bool expands = false, has_holes = false;
  for (int32_t d = 0; d < w->to.rank; d++) {
    const int64_t *field = field_of(w, d);
    bool holes = field[HLO_WINDOW_LHS_DILATION] > 1 && w->from.dims[d] > 1;
    elements[d] = NULL;
    if (holes || (w->from.dims[d] == 1 && w->to.dims[d] > 1))
      HLO_TRY(list_elements(w, d, &elements[d], error));
    expands = expands || elements[d] != NULL;
    has_holes = has_holes || holes;
  }
  if (expands) return combine_and_expand(w, elements, done, error);
  if (has_holes) return combine_phases(w, done, error);
  bool in_order = rounds(w->op->opcode, w->op->type);
  int64_t taps = count_taps(w->fields, w->to.rank, MOST_ROUNDED);
  if (taps <= HLO_WINDOW_JOINT_TAPS || w->op->rounded != w->op->type ||
      (in_order && taps <= HLO_REDUCE_IN_ORDER))
    return hlo_window_by_taps(w->op, w->fields, &w->from, w->start, &w->to, done, error);
  return combine_in_turn(w, done, error);
}

hlo_status hlo_window_by_op(const hlo_folder *folder, const int64_t *fields,
                            const hlo_view *operand, const hlo_view *initial,
                            const hlo_view *result, bool *done, hlo_error *error) {
  hlo_type type = operand->type;
  hlo_window_op op = {.evaluator = folder->evaluator, .opcode = folder->opcode};
  windows w = {.op = &op, .from = *operand, .to = *result, .start = op.initial};
  *done = folder->kernel != NULL && operand->rank > 0 && hlo_view_elements(operand) > 0;
  if (!*done) return HLO_OK;
  op.type = hlo_type_is_narrow_float(type) ? HLO_F32 : type;
  op.kernel = hlo_pointwise_get(op.opcode, op.type);
  bool few = count_taps(fields, operand->rank, MOST_ROUNDED) <= MOST_ROUNDED;
  op.rounded = few && rounds(op.opcode, type) ? type : op.type;
  hlo_set_neutral(op.opcode, op.type, op.neutral);
  hlo_convert_lanes(op.type, op.initial, type, initial->data, 1);
  memcpy(w.fields, fields, (size_t)operand->rank * HLO_WINDOW_FIELDS * sizeof *fields);
  for (int32_t d = 0; d < operand->rank; d++) field_of(&w, d)[HLO_WINDOW_PAD_HIGH] = 0;
  return combine(&w, done, error);
}
