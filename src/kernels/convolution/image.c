// The image of a convolution in the layout of the kernels: features innermost, with padding and
// dilation, in place or copied. See convolution.h.
#include "base/checked.h"
#include "hlo/attributes/window.h"
#include "kernels/convolution/convolution.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/structural.h"

#include <string.h>

enum {
  BATCH = HLO_CONVOLUTION_BATCH,
  SPATIAL = HLO_CONVOLUTION_SPATIAL,
};

// The elements of the input that lie inside of the padded image, and where. False if none do.
static bool clip(const hlo_convolution *c, hlo_view *from, hlo_view *to) {
  for (int32_t i = 0; i < c->spatial_rank; i++) {
    const int64_t *field = hlo_convolution_field(c, i);
    int64_t low = field[HLO_WINDOW_PAD_LOW], step = field[HLO_WINDOW_LHS_DILATION];
    int32_t d = i + SPATIAL;
    int64_t last = to->dims[d] - 1 - low;
    if (last < 0 || from->dims[d] == 0) return false;
    int64_t first = low < 0 ? (-low - 1) / step + 1 : 0, end = last / step + 1;
    if (end > from->dims[d]) end = from->dims[d];
    if (end <= first) return false;
    from->data = hlo_view_at(from, first * from->strides[d]);
    to->data = hlo_view_at(to, (first * step + low) * to->strides[d]);
    from->dims[d] = to->dims[d] = end - first;
    to->strides[d] *= step;
  }
  return true;
}

// Zeros around the part of a dense image where the elements are; the batch has no padding. The
// dimensions before d are cut to that part, after it each piece is in one stretch.
static void clear_around(const hlo_convolution *c, hlo_view image, const hlo_view *part) {
  for (int32_t d = SPATIAL; d <= c->spatial_rank; d++) {
    int64_t index[HLO_MAX_RANK] = {0},
            low = hlo_convolution_field(c, d - SPATIAL)[HLO_WINDOW_PAD_LOW];
    int64_t before = (low > 0 ? low : 0) * image.strides[d];
    int64_t end = before + part->dims[d] * image.strides[d];
    int64_t after = image.dims[d] * image.strides[d] - end;
    do {
      int64_t offset = 0;
      for (int32_t i = 0; i < d; i++) offset += index[i] * image.strides[i];
      char *piece = hlo_view_at(&image, offset);
      memset(piece, 0, (size_t)(before * c->size));
      memset(piece + end * c->size, 0, (size_t)(after * c->size));
    } while (hlo_next_index(d, image.dims, index));
    image.data = hlo_view_at(&image, before);
    image.dims[d] = part->dims[d];
  }
}

bool hlo_convolution_inspect_image(const hlo_convolution *c, int64_t *elements, bool *as_it_is) {
  int32_t feature = c->spatial_rank + 1;
  bool fits = true;
  *as_it_is = hlo_convolution_is_adjacent(&c->input, c->work_type);
  *elements = 1;
  for (int32_t d = 0; d <= feature; d++) {
    int64_t size = c->input.dims[d];
    if (d != BATCH && d != feature) {
      const int64_t *field = hlo_convolution_field(c, d - SPATIAL);
      int64_t low = field[HLO_WINDOW_PAD_LOW], step = field[HLO_WINDOW_LHS_DILATION];
      fits = fits && hlo_convolution_extent(field, c->result.dims[d], &size);
      *as_it_is = *as_it_is && low == 0 && step == 1 && size <= c->input.dims[d];
      // Beyond this, the sums below might overflow.
      fits = fits && low > -(INT64_C(1) << 40) && low < INT64_C(1) << 40 && step < INT64_C(1) << 20;
    }
    fits = fits && hlo_checked_mul(*elements, size, elements);
  }
  int64_t present = hlo_view_elements(&c->input);
  return fits && present > 0 &&
         *elements / HLO_CONVOLUTION_GROWTH <= present + HLO_CONVOLUTION_SMALL_IMAGE;
}

// Memory for the image with its padding. A depthwise loop is at a feature of many positions: those
// are a line further apart where they would push each other out of the cache.
static hlo_status allocate_image(const hlo_convolution *c, bool depthwise, hlo_view *image,
                                 hlo_error *error) {
  int32_t feature = c->spatial_rank + 1;
  int64_t *dims = image->dims, features = dims[feature];
  for (int32_t d = SPATIAL; d < feature; d++)
    hlo_convolution_extent(hlo_convolution_field(c, d - SPATIAL), c->result.dims[d], &dims[d]);
  if (depthwise && features * c->size % HLO_SAME_SET_BYTES == 0)
    dims[feature] += HLO_LINE_BYTES / c->size;
  HLO_TRY(hlo_scratch_view(c->evaluator, c->work_type, feature + 1, dims, image, error));
  dims[feature] = features;
  return HLO_OK;
}

hlo_status hlo_convolution_pad_image(const hlo_convolution *c, bool depthwise, hlo_view *image,
                                     hlo_error *error) {
  bool as_it_is;
  int64_t elements;
  hlo_convolution_inspect_image(c, &elements, &as_it_is);
  *image = c->input;
  if (as_it_is) return HLO_OK;
  hlo_view from = c->input, to;
  HLO_TRY(allocate_image(c, depthwise, image, error));
  to = *image;
  bool is_empty = !clip(c, &from, &to);
  if (is_empty || hlo_convolution_has_holes(c))
    memset(image->data, 0, (size_t)(image->dims[BATCH] * image->strides[BATCH] * c->size));
  else clear_around(c, *image, &to);
  return is_empty ? HLO_OK : hlo_convert_view(c->evaluator, &to, &from, error);
}
