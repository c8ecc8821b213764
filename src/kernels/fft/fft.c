// Fft: FFT, IFFT, RFFT and IRFFT over the last one to three dimensions. Source of semantics: "Fft"
// of the operation semantics. The inverse transforms divide by the number of elements in the time
// domain. IRFFT ignores the imaginary parts that the spectrum of real samples does not have.
//
// Axis by axis. Transforms along an axis are batched as lanes, as many as stay in cache, with
// complex numbers in split form.
#include "kernels/fft/fft.h"

#include "kernels/machine.h"
#include "kernels/parts.h"
#include "kernels/structural.h"

#include <string.h>

enum {
  // Passes access several numbers of all planes at a time, which conflict in L1 if they are a power
  // of two apart. So consecutive planes are offset by this many bytes, and large lane counts are
  // reduced.
  LONGEST_SHORT = 33,   // transforms that have XLA's passes
  MOST_SHORT = 1 << 17, // samples made so from completed spectra, where halves would be faster
};

// Transforms along one axis, from one view to another.
typedef struct axis_transform {
  const hlo_evaluator *evaluator;
  const hlo_view *from, *to; // of real or complex elements
  int32_t axis;
  bool inverse;
  int64_t length; // of the axis in the time domain
  double scale;   // of the results
  bool halved;    // real samples, as half as many complex numbers
  hlo_fft_real real;
  hlo_fft fft;
  hlo_fft_planes planes;
} axis_transform;

// Moves the dimension to the front of the view, or (back) the first dimension to its place.
static hlo_view with_first(const hlo_view *view, int32_t dimension) {
  hlo_view out = *view;
  for (int32_t d = 0; d <= dimension; d++) {
    int32_t from = d == 0 ? dimension : d - 1;
    out.dims[d] = view->dims[from];
    out.strides[d] = view->strides[from];
  }
  return out;
}

static hlo_view with_last(const hlo_view *view, int32_t dimension) {
  hlo_view out = *view;
  for (int32_t d = dimension; d < view->rank; d++) {
    int32_t from = d == view->rank - 1 ? dimension : d + 1;
    out.dims[d] = view->dims[from];
    out.strides[d] = view->strides[from];
  }
  return out;
}

// The current lanes of a view: the axis, then what the lanes are.
static hlo_view lanes_of(const axis_transform *t, const hlo_parts *parts, const hlo_view *view) {
  hlo_view part, turned = with_last(view, t->axis);
  hlo_parts_of_view(parts, &turned, &part);
  return with_first(&part, part.rank - 1);
}

// Imaginary parts that the spectrum of real samples does not have, and its other half.
#define DEFINE_MIRROR(suffix, part)                                                                \
  static void mirror_##suffix(part *re, part *im, int64_t count, int64_t length, int64_t lanes) {  \
    memset(im, 0, (size_t)lanes * sizeof *im);                                                     \
    if (length % 2 == 0) memset(im + length / 2 * lanes, 0, (size_t)lanes * sizeof *im);           \
    for (int64_t k = count; k < length; k++) {                                                     \
      for (int64_t l = 0; l < lanes; l++) {                                                        \
        re[k * lanes + l] = re[(length - k) * lanes + l];                                          \
        im[k * lanes + l] = -im[(length - k) * lanes + l];                                         \
      }                                                                                            \
    }                                                                                              \
  }
DEFINE_MIRROR(f32, float)
DEFINE_MIRROR(f64, double)

// Completes the half spectrum of real samples by conjugate symmetry.
static void complete_spectrum(const axis_transform *t, int64_t count, void *re, void *im) {
  int64_t lanes = t->planes.lanes;
  if (t->halved) hlo_fft_real_start(&t->real, lanes, re, im);
  else if (t->fft.type == HLO_F64) mirror_f64(re, im, count, t->length, lanes);
  else mirror_f32(re, im, count, t->length, lanes);
}

// Iterates over the evenly spaced groups of lanes of a view: all lanes, or those along the last
// dimension. For real samples packed as half as many complex numbers, even samples are real parts
// and odd ones imaginary parts.
typedef struct lane_walk {
  hlo_fft_block block;
  hlo_view outer; // its dimensions are those around the block's lanes
  int64_t index[HLO_MAX_RANK];
  int64_t first; // lane
} lane_walk;

// Whether the dimensions from the second on are evenly spaced, and how.
static bool are_even(const hlo_view *view, int64_t *size, int64_t *stride) {
  *size = *stride = 1;
  for (int32_t i = view->rank - 1; i > 0; i--) {
    if (view->dims[i] == 1) continue;
    if (*size == 1) *stride = view->strides[i];
    else if (view->strides[i] != *size * *stride) return false;
    *size *= view->dims[i];
  }
  return true;
}

static void start_walk(const axis_transform *t, const hlo_view *view, lane_walk *walk) {
  bool complex = hlo_type_is_complex(view->type), halves = !complex && t->halved;
  ptrdiff_t parts = complex ? 2 : 1, along = (ptrdiff_t)view->strides[0] * parts;
  int64_t lanes = 1, across = 0;
  walk->outer.rank = 0;
  walk->first = 0;
  if (!are_even(view, &lanes, &across)) {
    lanes = view->dims[view->rank - 1], across = view->strides[view->rank - 1];
    for (int32_t d = 1; d < view->rank - 1; d++) {
      walk->outer.dims[walk->outer.rank] = view->dims[d];
      walk->index[walk->outer.rank] = 0;
      walk->outer.strides[walk->outer.rank++] = view->strides[d];
    }
  }
  walk->outer.type = view->type;
  walk->outer.data = view->data;
  walk->block = (hlo_fft_block){.data = view->data,
                                .type = complex ? hlo_type_complex_part(view->type) : view->type,
                                .count = (ptrdiff_t)(halves ? t->real.half : view->dims[0]),
                                .lanes = (ptrdiff_t)lanes,
                                .along = halves ? 2 * along : along,
                                .across = (ptrdiff_t)across * parts,
                                .other = complex  ? 1
                                         : halves ? along
                                                  : 0};
}

static bool next_block(lane_walk *walk) {
  if (!hlo_next_index(walk->outer.rank, walk->outer.dims, walk->index)) return false;
  int64_t offset = 0;
  for (int32_t d = 0; d < walk->outer.rank; d++) offset += walk->index[d] * walk->outer.strides[d];
  walk->block.data = hlo_view_at(&walk->outer, offset);
  walk->first += walk->block.lanes;
  return true;
}

// Loads the view into the planes.
static void gather(const axis_transform *t, const hlo_view *view) {
  char *re = t->inverse ? t->planes.im : t->planes.re;
  char *im = t->inverse ? t->planes.re : t->planes.im;
  lane_walk walk;
  start_walk(t, view, &walk);
  do {
    int64_t at = walk.first * hlo_type_bytes(t->fft.type);
    hlo_fft_load_planes(&walk.block, t->planes.lanes, re + at, im + at);
  } while (next_block(&walk));
  if (!hlo_type_is_complex(t->to->type)) complete_spectrum(t, view->dims[0], re, im);
}

// Stores the planes to the view; of a spectrum only the terms that the view has.
static void scatter(const axis_transform *t, const hlo_view *view) {
  char *re = t->inverse ? t->planes.im : t->planes.re;
  char *im = t->inverse ? t->planes.re : t->planes.im;
  bool finishes = t->halved && hlo_type_is_complex(view->type);
  if (finishes) hlo_fft_real_finish(&t->real, t->planes.lanes, re, im);
  lane_walk walk;
  start_walk(t, view, &walk);
  do {
    int64_t at = walk.first * hlo_type_bytes(t->fft.type);
    hlo_fft_store_planes(&walk.block, t->planes.lanes, re + at, im + at, t->scale);
  } while (next_block(&walk));
}

// Allocates the planes.
static hlo_status prepare(axis_transform *t, int64_t lanes, hlo_error *error) {
  hlo_arena *scratch = t->evaluator->scratch;
  int64_t rows = t->fft.work_length;
  if (t->halved && rows < t->real.half + 1) rows = t->real.half + 1;
  size_t size = (size_t)hlo_type_bytes(t->fft.type);
  t->planes.backend = t->evaluator->backend;
  void **planes[4] = {&t->planes.re, &t->planes.im, &t->planes.next_re, &t->planes.next_im};
  for (int i = 0; i < 4; i++) {
    char *plane =
        hlo_arena_array_raw(scratch, (size_t)(rows * lanes) + 4 * HLO_FFT_SKEW / size, size);
    if (plane == NULL) return hlo_fail_out_of_memory(error);
    *planes[i] = plane + i * HLO_FFT_SKEW;
  }
  return HLO_OK;
}

static void transform_lanes(axis_transform *t, int64_t most) {
  hlo_parts parts;
  hlo_view turned = with_last(t->to, t->axis);
  hlo_parts_start(&parts, turned.rank - 1, turned.dims, most);
  do {
    hlo_view from = lanes_of(t, &parts, t->from), to = lanes_of(t, &parts, t->to);
    t->planes.lanes = hlo_parts_size(&parts);
    gather(t, &from);
    hlo_fft_run(&t->fft, &t->planes);
    scatter(t, &to);
  } while (hlo_parts_next(&parts));
}

// The views cut along one of the dimensions of lanes.
typedef struct transform_parts {
  const axis_transform *of_threads;
  int64_t most; // lanes at a time
  int32_t cut;  // -1: not at all
  int64_t share;
} transform_parts;

static void cut_to_part(const transform_parts *work, int32_t part, hlo_view *view) {
  if (work->cut < 0) return;
  int64_t first = part * work->share, left = view->dims[work->cut] - first;
  view->data = hlo_view_at(view, first * view->strides[work->cut]);
  view->dims[work->cut] = left < work->share ? left : work->share;
}

static void transform_part(void *data, int32_t part, int32_t thread) {
  const transform_parts *work = data;
  axis_transform t = work->of_threads[thread];
  hlo_view from = *t.from, to = *t.to;
  cut_to_part(work, part, &from);
  cut_to_part(work, part, &to);
  t.from = &from;
  t.to = &to;
  transform_lanes(&t, work->most);
}

static hlo_status transform_all(const axis_transform *t, hlo_error *error) {
  const hlo_backend *backend = t->evaluator->backend;
  int64_t size = 1, elements = hlo_view_elements(t->to), lanes = elements / t->to->dims[t->axis];
  int64_t beyond =
      t->fft.work_length - t->fft.length; // numbers of a convolution, while others wait
  int64_t active = beyond > t->fft.length ? beyond : t->fft.length;
  transform_parts work = {.most = HLO_FFT_WORK / active, .cut = -1};
  if (work.most < HLO_FFT_FEWEST_LANES) work.most = 1;
  if (work.most >= HLO_FFT_MANY_LANES && work.most % HLO_FFT_FEWER_LANES == 0)
    work.most -= HLO_FFT_FEWER_LANES;
  for (int32_t d = 0; d < t->to->rank; d++) {
    if (d == t->axis || t->to->dims[d] <= size) continue;
    work.cut = d;
    size = t->to->dims[d];
  }
  int32_t parts = hlo_backend_parts(backend, size, (double)elements * HLO_FFT_ELEMENT_NS);
  int32_t threads = parts > 1 ? hlo_backend_threads(backend) : 1;
  axis_transform *of_threads;
  HLO_ALLOC(of_threads, t->evaluator->scratch, threads, error);
  for (int32_t i = 0; i < threads; i++) {
    of_threads[i] = *t;
    HLO_TRY(prepare(&of_threads[i], lanes < work.most ? lanes : work.most, error));
  }
  work.of_threads = of_threads;
  work.share = (size + parts - 1) / parts;
  hlo_backend_parallel(backend, transform_part, &work,
                       (int32_t)((size + work.share - 1) / work.share));
  return HLO_OK;
}

// Along the k-th of the transformed dimensions, times scale; from and to may be the same.
static hlo_status transform_axis(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                                 int32_t k, bool inverse, double scale, const hlo_view *from,
                                 const hlo_view *to, hlo_error *error) {
  int32_t count;
  const int64_t *lengths = hlo_get_ints(instruction, HLO_ATTRIBUTE_FFT_LENGTH, &count);
  bool wide = to->type == HLO_F64 || to->type == HLO_C128;
  bool real = !hlo_type_is_complex(from->type) || !hlo_type_is_complex(to->type);
  axis_transform t = {
      .evaluator = evaluator,
      .from = from,
      .to = to,
      .axis = to->rank - count + k,
      .inverse = inverse,
      .length = lengths[k],
      .halved = real && lengths[k] % 2 == 0 &&
                (!inverse || lengths[k] > LONGEST_SHORT || hlo_view_elements(to) >= MOST_SHORT)};
  int64_t length = t.halved ? t.length / 2 : t.length;
  t.scale = t.halved && inverse ? 2 * scale : scale;
  hlo_fft_kind kind = t.halved || t.length > LONGEST_SHORT ? HLO_FFT_LONG
                      : real                               ? HLO_FFT_SAMPLES
                                                           : HLO_FFT_SHORT;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status =
      hlo_fft_plan(evaluator, wide ? HLO_F64 : HLO_F32, kind, length, &t.fft, error);
  if (status == HLO_OK && t.halved)
    status = hlo_fft_real_plan(evaluator, t.fft.type, length, &t.real, error);
  if (status == HLO_OK) status = transform_all(&t, error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}

static hlo_status transform(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                            const hlo_view *operand, const hlo_view *result, hlo_error *error) {
  const char *kind = hlo_get_text(instruction, HLO_ATTRIBUTE_FFT_TYPE);
  bool inverse = kind[0] == 'I';
  int32_t count;
  const int64_t *lengths = hlo_get_ints(instruction, HLO_ATTRIBUTE_FFT_LENGTH, &count);
  bool from_samples = !hlo_type_is_complex(operand->type);
  bool to_samples = !hlo_type_is_complex(result->type);
  double elements = 1;
  for (int32_t i = 0; i < count; i++) elements *= (double)lengths[i];
  const hlo_view *from = operand, *to = result;
  hlo_view spectrum;
  if (to_samples && count > 1) {
    HLO_TRY(
        hlo_scratch_view(evaluator, operand->type, operand->rank, operand->dims, &spectrum, error));
    to = &spectrum;
  }
  // Samples become real last, and stop being real first: in the last dimension. The others' order,
  // and that the division is at once, where numbers are first or samples last, is XLA's.
  for (int32_t i = 0; i < count; i++) {
    int32_t k = to_samples ? i : !from_samples || i == 0 ? count - 1 - i : i - 1;
    bool divides = inverse && i == (to_samples ? count - 1 : 0);
    if (i == count - 1) to = result;
    HLO_TRY(transform_axis(evaluator, instruction, k, inverse, divides ? 1 / elements : 1, from, to,
                           error));
    from = to;
  }
  return HLO_OK;
}

hlo_status hlo_eval_fft(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                        const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  if (hlo_view_elements(&results[0]) == 0) return HLO_OK;
  hlo_arena_mark mark = hlo_arena_get_mark(evaluator->scratch);
  hlo_status status = transform(evaluator, instruction, &operands[0], &results[0], error);
  hlo_arena_rewind(evaluator->scratch, mark);
  return status;
}
