// Convolutions of f32 by the backend's kernels. Where an image needs padding, holes or another
// order it is copied once, with features innermost; after that a row of positions is a product of
// matrices whose left rows overlap in memory. Must not know how a product is computed.
#include "base/checked.h"
#include "eval/convolution.h"
#include "eval/lanes.h"
#include "eval/structural.h"
#include "hlo/window.h"

#include <string.h>

enum {
  BATCH = HLO_CONVOLUTION_BATCH,
  SPATIAL = HLO_CONVOLUTION_SPATIAL,
  MOST_ROWS = 144, // of a block
  PRODUCTS_IN_A_NANOSECOND = 32,
  DEPTHWISE_IN_A_NANOSECOND = 8,
  GROWTH = 8, // padding and holes may make the image so many times larger
};

// A convolution without padding and holes between the elements of the image.
typedef struct plain_convolution {
  const hlo_convolution *of;
  hlo_view image, result;      // features are adjacent; batch, spatial dimensions, features
  int64_t steps[HLO_MAX_RANK]; // window strides, with SPATIAL added to the dimension's number
  int64_t segments, length;    // of a window: adjacent elements, where it starts them
  int64_t *offsets;
  int32_t rank; // of the loops over rows of positions
  int64_t counts[HLO_MAX_RANK], from[HLO_MAX_RANK], to[HLO_MAX_RANK]; // and their strides
  int64_t rows, row_from, row_to;                                     // positions in a row
  int64_t blocks;
  const float **a;
  float **c;
} plain_convolution;

static const int64_t *field_of(const hlo_convolution *c, int32_t i) {
  return c->fields + i * HLO_WINDOW_FIELDS;
}

// How many elements of the padded image the positions reach. False beyond 64 bits.
static bool extent_of(const int64_t *field, int64_t positions, int64_t *out) {
  int64_t steps, reach;
  return hlo_checked_mul(positions - 1, field[HLO_WINDOW_STRIDE], &steps) &&
         hlo_checked_mul(field[HLO_WINDOW_SIZE] - 1, field[HLO_WINDOW_RHS_DILATION], &reach) &&
         hlo_checked_add(steps, reach, out) && hlo_checked_add(*out, 1, out);
}

// The elements of the input that lie inside of the padded image, and where. False if none do.
static bool clip(const hlo_convolution *c, hlo_view *from, hlo_view *to) {
  for (int32_t i = 0; i < c->spatial_rank; i++) {
    const int64_t *field = field_of(c, i);
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
// dimensions before d are cut to that part, behind it each piece is in one stretch.
static void clear_around(const hlo_convolution *c, hlo_view image, const hlo_view *part) {
  for (int32_t d = SPATIAL; d <= c->spatial_rank; d++) {
    int64_t index[HLO_MAX_RANK] = {0}, low = field_of(c, d - SPATIAL)[HLO_WINDOW_PAD_LOW];
    int64_t before = (low > 0 ? low : 0) * image.strides[d];
    int64_t end = before + part->dims[d] * image.strides[d];
    int64_t after = image.dims[d] * image.strides[d] - end;
    do {
      int64_t offset = 0;
      for (int32_t i = 0; i < d; i++) offset += index[i] * image.strides[i];
      float *piece = hlo_view_at(&image, offset);
      memset(piece, 0, (size_t)before * sizeof *piece);
      memset(piece + end, 0, (size_t)after * sizeof *piece);
    } while (hlo_next_index(d, image.dims, index));
    image.data = hlo_view_at(&image, before);
    image.dims[d] = part->dims[d];
  }
}

// The image as it is, where nothing has to be put between or around its elements, else a copy.
// *fits is false when that copy would be too large.
static hlo_status make_image(plain_convolution *p, bool *fits, hlo_error *error) {
  const hlo_convolution *c = p->of;
  int32_t feature = c->spatial_rank + 1;
  int64_t dims[HLO_MAX_RANK], elements = 1;
  bool as_it_is =
      c->input.type == HLO_F32 && (c->input.strides[feature] == 1 || c->input.dims[feature] == 1);
  *fits = true;
  for (int32_t d = 0; d <= feature; d++) {
    dims[d] = c->input.dims[d];
    if (d != BATCH && d != feature) {
      const int64_t *field = field_of(c, d - SPATIAL);
      *fits = *fits && extent_of(field, c->result.dims[d], &dims[d]);
      as_it_is = as_it_is && field[HLO_WINDOW_PAD_LOW] == 0 &&
                 field[HLO_WINDOW_LHS_DILATION] == 1 && dims[d] <= c->input.dims[d];
      // Beyond this, sums of what follows might overflow.
      *fits = *fits && field[HLO_WINDOW_PAD_LOW] > -(INT64_C(1) << 40) &&
              field[HLO_WINDOW_PAD_LOW] < INT64_C(1) << 40 &&
              field[HLO_WINDOW_LHS_DILATION] < INT64_C(1) << 20;
    }
    *fits = *fits && hlo_checked_mul(elements, dims[d], &elements);
  }
  p->image = c->input;
  int64_t present = hlo_view_elements(&c->input);
  *fits = *fits && present > 0 && elements / GROWTH <= present + 4096;
  if (!*fits || as_it_is) return HLO_OK;
  hlo_view from = c->input, to;
  HLO_TRY(hlo_scratch_view(c->evaluator, HLO_F32, feature + 1, dims, &p->image, error));
  to = p->image;
  bool is_empty = !clip(c, &from, &to);
  if (is_empty || hlo_convolution_has_holes(c))
    memset(p->image.data, 0, (size_t)elements * sizeof(float));
  else clear_around(c, p->image, &to);
  return is_empty ? HLO_OK : hlo_convert_view(c->evaluator, &to, &from, error);
}

// Where a window's elements are: taps along the last dimension are one segment with their features
// if they are adjacent.
static hlo_status make_segments(plain_convolution *p, bool joins, hlo_error *error) {
  const hlo_convolution *c = p->of;
  int32_t rank = c->spatial_rank;
  int64_t sizes[HLO_MAX_RANK], steps[HLO_MAX_RANK], index[HLO_MAX_RANK] = {0}, n = 0;
  p->segments = 1;
  p->length = c->features;
  for (int32_t i = 0; i < rank; i++) {
    const int64_t *field = field_of(c, i);
    sizes[i] = field[HLO_WINDOW_SIZE];
    steps[i] = sizes[i] == 1 ? c->features
                             : field[HLO_WINDOW_RHS_DILATION] * p->image.strides[i + SPATIAL];
    if (i == rank - 1 && joins && steps[i] == c->features) {
      p->length *= sizes[i];
      rank--;
    } else {
      p->segments *= sizes[i];
    }
  }
  HLO_ALLOC(p->offsets, c->evaluator->scratch, p->segments, error);
  do {
    int64_t offset = 0;
    for (int32_t i = 0; i < rank; i++) offset += index[i] * steps[i];
    p->offsets[n++] = offset;
  } while (hlo_next_index(rank, sizes, index));
  return HLO_OK;
}

// The positions as loops over rows of positions, neighbouring loops joined where memory lets them.
static void make_loops(plain_convolution *p) {
  const hlo_convolution *c = p->of;
  p->rows = 1;
  p->row_from = p->row_to = 0;
  for (int32_t d = c->spatial_rank; d >= BATCH; d--) {
    int64_t count = d == BATCH ? c->batch : c->result.dims[d];
    int64_t step = d == BATCH ? 1 : field_of(c, d - SPATIAL)[HLO_WINDOW_STRIDE];
    // On one position alone a step may have no meaning.
    int64_t from = count == 1 ? 0 : step * p->image.strides[d], to = p->result.strides[d];
    if (count == 1) continue;
    if (p->rows == 1) {
      p->rows = count;
      p->row_from = from;
      p->row_to = to;
    } else if (p->rank == 0 && from == p->rows * p->row_from && to == p->rows * p->row_to) {
      p->rows *= count;
    } else {
      p->counts[p->rank] = count; // innermost first
      p->from[p->rank] = from;
      p->to[p->rank++] = to;
    }
  }
}

// All blocks of `rows` positions from `first` on in each row.
static void fill_blocks(plain_convolution *p, const float *image, float *result, int64_t first,
                        int64_t rows, int64_t end) {
  int64_t index[HLO_MAX_RANK] = {0};
  p->blocks = 0;
  for (;;) {
    for (int64_t row = first; row + rows <= end; row += rows) {
      p->a[p->blocks] = image + row * p->row_from;
      p->c[p->blocks++] = result + row * p->row_to;
    }
    int32_t i = 0;
    for (; i < p->rank; i++) {
      image += p->from[i];
      result += p->to[i];
      if (++index[i] < p->counts[i]) break;
      image -= p->from[i] * index[i];
      result -= p->to[i] * index[i];
      index[i] = 0;
    }
    if (i == p->rank) return;
  }
}

static hlo_status allocate_blocks(plain_convolution *p, int64_t rows, hlo_error *error) {
  int64_t most = p->rows / rows + 1;
  for (int32_t i = 0; i < p->rank; i++) most *= p->counts[i]; // at most the result's elements
  HLO_ALLOC(p->a, p->of->evaluator->scratch, most, error);
  HLO_ALLOC(p->c, p->of->evaluator->scratch, most, error);
  return HLO_OK;
}

// Some of the blocks for each part.
typedef struct convolution_parts {
  const plain_convolution *of;
  int64_t rows, blocks; // of a block; of a part
  const void *packed;   // NULL: depthwise
} convolution_parts;

static void run_depthwise(const plain_convolution *p, int64_t rows, int64_t first, int64_t blocks) {
  const hlo_convolution *c = p->of;
  hlo_depthwise_product product = {.blocks = blocks,
                                   .a = p->a + first,
                                   .c = p->c + first,
                                   .m = rows,
                                   .n = c->groups,
                                   .lda = p->row_from,
                                   .ldc = p->row_to,
                                   .segments = p->segments,
                                   .offsets = p->offsets,
                                   .b = (const float *)(const void *)c->kernel};
  c->evaluator->backend->depthwise_f32(&product);
}

static void run_segments(const plain_convolution *p, int64_t rows, int64_t first, int64_t blocks,
                         const void *packed) {
  const hlo_convolution *c = p->of;
  hlo_segmented_product product = {.blocks = blocks,
                                   .a = p->a + first,
                                   .c = p->c + first,
                                   .m = rows,
                                   .n = c->outputs,
                                   .lda = p->row_from,
                                   .ldc = p->row_to,
                                   .segments = p->segments,
                                   .length = p->length,
                                   .offsets = p->offsets,
                                   .packed = packed};
  c->evaluator->backend->dot_f32_segments(&product);
}

static void run_part(void *data, int32_t part, int32_t thread) {
  const convolution_parts *parts = data;
  const plain_convolution *p = parts->of;
  int64_t first = part * parts->blocks, left = p->blocks - first;
  int64_t blocks = parts->blocks < left ? parts->blocks : left;
  (void)thread;
  if (parts->packed == NULL) run_depthwise(p, parts->rows, first, blocks);
  else run_segments(p, parts->rows, first, blocks, parts->packed);
}

static void run_blocks(const plain_convolution *p, int64_t rows, const void *packed) {
  const hlo_convolution *c = p->of;
  const hlo_backend *backend = c->evaluator->backend;
  convolution_parts parts = {.of = p, .rows = rows, .blocks = p->blocks, .packed = packed};
  if (p->blocks == 0) return;
  double time = (double)p->blocks * rows * p->segments;
  if (packed == NULL) time *= (double)c->groups / DEPTHWISE_IN_A_NANOSECOND;
  else time *= (double)p->length * c->outputs / PRODUCTS_IN_A_NANOSECOND;
  int32_t count = hlo_backend_parts(backend, p->blocks, time);
  parts.blocks = (p->blocks + count - 1) / count;
  hlo_backend_parallel(backend, run_part, &parts,
                       (int32_t)((p->blocks + parts.blocks - 1) / parts.blocks));
}

// One group: whole blocks, then what is left of each row.
static void run_group(plain_convolution *p, int64_t group, const void *packed) {
  const hlo_convolution *c = p->of;
  bool by_batch = c->batch_groups > 1;
  int64_t from = by_batch ? group * c->batch * p->image.strides[BATCH] : group * c->features;
  const float *image = (const float *)p->image.data + from;
  float *result = (float *)p->result.data + group * c->outputs;
  int64_t rows = p->rows < MOST_ROWS ? p->rows : MOST_ROWS / 2, whole = p->rows / rows * rows;
  for (int pass = 0; pass < 2; pass++) {
    int64_t first = pass == 0 ? 0 : whole, end = pass == 0 ? whole : p->rows;
    int64_t count = pass == 0 ? rows : end - first;
    if (count == 0) continue;
    fill_blocks(p, image, result, first, count, end);
    run_blocks(p, count, packed);
  }
}

static hlo_status run_groups(plain_convolution *p, bool depthwise, hlo_error *error) {
  const hlo_convolution *c = p->of;
  const hlo_backend *backend = c->evaluator->backend;
  void *packed = NULL;
  if (!depthwise) {
    size_t size = (size_t)backend->pack_f32_size(c->outputs, c->columns);
    packed = hlo_arena_array_raw(c->evaluator->scratch, 1, size);
    if (packed == NULL) return hlo_fail_out_of_memory(error);
  }
  for (int64_t g = 0; g < (depthwise ? 1 : c->groups); g++) {
    const float *kernel = (const float *)(const void *)c->kernel + g * c->outputs;
    if (!depthwise) backend->pack_f32(c->outputs, c->columns, kernel, c->all_outputs, packed);
    run_group(p, g, packed);
  }
  return HLO_OK;
}

hlo_status hlo_convolve_by_kernels(const hlo_convolution *c, bool *done, hlo_error *error) {
  const hlo_backend *backend = c->evaluator->backend;
  plain_convolution p = {.of = c, .result = c->result};
  int32_t feature = c->spatial_rank + 1;
  *done = false;
  if (c->work_type != HLO_F32 || c->columns == 0 || backend == NULL) return HLO_OK;
  if (backend->dot_f32_segments == NULL || backend->depthwise_f32 == NULL) return HLO_OK;
  HLO_TRY(make_image(&p, done, error));
  if (!*done) return HLO_OK;
  bool in_place =
      c->result.type == HLO_F32 && (c->result.strides[feature] == 1 || c->all_outputs == 1);
  if (!in_place) {
    HLO_TRY(hlo_scratch_view(c->evaluator, HLO_F32, feature + 1, c->result.dims, &p.result, error));
  }
  bool depthwise = c->batch_groups == 1 && c->features == 1 && c->outputs == 1 && c->groups > 1;
  HLO_TRY(make_segments(&p, !depthwise, error));
  make_loops(&p);
  HLO_TRY(allocate_blocks(&p, p.rows < MOST_ROWS ? p.rows : MOST_ROWS / 2, error));
  HLO_TRY(run_groups(&p, depthwise, error));
  return in_place ? HLO_OK : hlo_convert_view(c->evaluator, &c->result, &p.result, error);
}
