// Convolutions whose elements kernels take as others of half the features, or twice as many: a
// complex number is two real ones, of which the kernel has four products; two bytes of neighbouring
// features are a pair of s16, whose products one instruction sums.
#include "kernels/convolution/convolution.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/structural.h"

#include <string.h>

static bool is_complex(const hlo_convolution *c) { return hlo_type_is_complex(c->work_type); }

// Each group's features must come in pairs. One feature would leave half of each pair empty.
static bool goes_in_pairs(const hlo_convolution *c) {
  bool by_features = c->groups > c->batch_groups;
  return c->has_bytes && c->work_type == HLO_U32 && c->evaluator->backend->convolution_pairs &&
         c->features > 1 && (c->features % 2 == 0 || !by_features);
}

bool hlo_convolution_has_other_elements(const hlo_convolution *c) {
  const hlo_backend *backend = c->evaluator->backend;
  if (c->order != HLO_ORDER_FREE || c->columns == 0 || backend == NULL) return false;
  if (c->work_type == HLO_C64) return backend->convolution_f32 != NULL;
  if (c->work_type == HLO_C128) return backend->convolution_f64 != NULL;
  return goes_in_pairs(c);
}

// The same memory as elements of another type, `factor` of them for each.
static void reinterpret(hlo_view *view, hlo_type type, int64_t factor) {
  int32_t feature = view->rank - 1;
  for (int32_t d = 0; d < feature; d++) view->strides[d] *= factor;
  view->type = type;
  view->strides[feature] = 1;
  view->dims[feature] *= factor;
}

// --- complex numbers ---

// A feature's row of the kernel becomes two: for real parts, which give (re, im) of each output,
// and for imaginary ones, which give (-im, re).
#define DEFINE(suffix, real)                                                                       \
  static void split_rows_##suffix(int64_t rows, int64_t columns, const real *from, real *to) {     \
    for (int64_t i = 0; i < rows; i++, from += 2 * columns, to += 4 * columns) {                   \
      real *below = to + 2 * columns;                                                              \
      for (int64_t j = 0; j < 2 * columns; j += 2) {                                               \
        real re = from[j], im = from[j + 1];                                                       \
        to[j] = re, to[j + 1] = im;                                                                \
        below[j] = -im, below[j + 1] = re;                                                         \
      }                                                                                            \
    }                                                                                              \
  }
DEFINE(f32, float)
DEFINE(f64, double)

static hlo_status split_kernel(const hlo_convolution *c, const char **out, hlo_error *error) {
  int64_t count = 2 * c->columns * c->all_outputs;
  void *to = hlo_arena_array_raw(c->evaluator->scratch, (size_t)count, (size_t)c->size);
  if (to == NULL) return hlo_fail_out_of_memory(error);
  const void *from = c->kernel;
  if (c->work_type == HLO_C64) split_rows_f32(c->columns, c->all_outputs, from, to);
  else split_rows_f64(c->columns, c->all_outputs, from, to);
  *out = to;
  return HLO_OK;
}

static hlo_status load_parts(const hlo_convolution *c, hlo_type type, hlo_view *out,
                             hlo_error *error) {
  *out = c->input;
  if (!hlo_convolution_is_adjacent(&c->input, c->work_type)) {
    HLO_TRY(hlo_scratch_view(c->evaluator, c->work_type, out->rank, c->input.dims, out, error));
    if (c->input.data != NULL) HLO_TRY(hlo_convert_view(c->evaluator, out, &c->input, error));
  }
  reinterpret(out, type, 2);
  return HLO_OK;
}

static hlo_status convolve_parts(const hlo_convolution *c, hlo_convolution *parts,
                                 hlo_error *error) {
  const hlo_backend *backend = c->evaluator->backend;
  bool is_wide = c->work_type == HLO_C128;
  parts->work_type = parts->product_type = is_wide ? HLO_F64 : HLO_F32;
  parts->kernels = is_wide ? backend->convolution_f64 : backend->convolution_f32;
  parts->size = c->size / 2;
  parts->features *= 2;
  parts->columns *= 2;
  parts->outputs *= 2;
  parts->all_outputs *= 2;
  if (c->name == NULL && !c->evaluator->packed) HLO_TRY(split_kernel(c, &parts->kernel, error));
  HLO_TRY(load_parts(c, parts->work_type, &parts->input, error));
  reinterpret(&parts->result, parts->work_type, 2);
  return hlo_convolve(parts, error);
}

// --- pairs ---

// Rows of two neighbouring features, the second of which may be missing.
static void pair_rows(int64_t columns, const uint32_t *low, const uint32_t *high, uint32_t *to) {
  for (int64_t j = 0; j < columns; j++)
    to[j] = (low[j] & UINT16_MAX) | (high != NULL ? high[j] << 16 : 0);
}

static hlo_status pair_kernel(const hlo_convolution *c, int64_t pairs, const char **out,
                              hlo_error *error) {
  const uint32_t *from = (const uint32_t *)(const void *)c->kernel;
  int64_t width = c->all_outputs;
  uint32_t *to;
  HLO_ALLOC(to, c->evaluator->scratch, c->taps * pairs * width, error);
  *out = (const char *)to;
  for (int64_t tap = 0; tap < c->taps; tap++) {
    for (int64_t i = 0; i < c->features; i += 2, from += 2 * width, to += width)
      pair_rows(width, from, i + 1 < c->features ? from + width : NULL, to);
    if (c->features % 2 != 0) from -= width;
  }
  return HLO_OK;
}

static hlo_status load_pairs(const hlo_convolution *c, hlo_view *out, hlo_error *error) {
  int32_t feature = c->spatial_rank + 1;
  hlo_view view = c->input;
  view.dims[feature] += view.dims[feature] % 2;
  HLO_TRY(hlo_scratch_view(c->evaluator, HLO_S16, view.rank, view.dims, out, error));
  view = *out;
  view.dims[feature] = c->input.dims[feature];
  if (view.dims[feature] != out->dims[feature])
    memset(out->data, 0, (size_t)hlo_view_elements(out) * sizeof(int16_t));
  if (c->input.data != NULL) HLO_TRY(hlo_convert_view(c->evaluator, &view, &c->input, error));
  for (int32_t d = 0; d < feature; d++) out->strides[d] /= 2;
  out->dims[feature] /= 2;
  out->type = HLO_U32;
  return HLO_OK;
}

static hlo_status convolve_pairs(const hlo_convolution *c, hlo_convolution *pairs,
                                 hlo_error *error) {
  pairs->product_type = HLO_S16;
  pairs->kernels = c->evaluator->backend->convolution_pairs;
  pairs->has_bytes = false;
  pairs->features = (c->features + 1) / 2;
  pairs->columns = c->taps * pairs->features;
  if (c->name == NULL) HLO_TRY(pair_kernel(c, pairs->features, &pairs->kernel, error));
  HLO_TRY(load_pairs(c, &pairs->input, error));
  return hlo_convolve(pairs, error);
}

hlo_status hlo_convolve_other_elements(const hlo_convolution *c, hlo_error *error) {
  hlo_convolution other = *c;
  hlo_evaluator evaluator = *c->evaluator;
  if (!is_complex(c)) return convolve_pairs(c, &other, error);
  evaluator.offer = NULL; // which is of complex numbers
  other.evaluator = &evaluator;
  if (hlo_convolution_is_adjacent(&c->result, c->work_type) || c->result.data == NULL)
    return convolve_parts(c, &other, error);
  HLO_TRY(hlo_scratch_view(c->evaluator, c->work_type, c->result.rank, c->result.dims,
                           &other.result, error));
  hlo_view result = other.result;
  HLO_TRY(convolve_parts(c, &other, error));
  return hlo_convert_view(c->evaluator, &c->result, &result, error);
}
