// Convolutions by the backend's GEMM kernels, without im2col: the windows of a row of positions are
// the rows of the left matrix and overlap in memory. An image that needs only padding
// is copied at its borders alone; interior windows read it in place.
#include "hlo/attributes/window.h"
#include "kernels/convolution/convolution.h"
#include "kernels/elementwise/lanes.h"
#include "kernels/machine.h"
#include "kernels/structural.h"

enum {
  BATCH = HLO_CONVOLUTION_BATCH,
  SPATIAL = HLO_CONVOLUTION_SPATIAL,
};

// A convolution without padding or base dilation.
typedef struct plain_convolution {
  const hlo_convolution *of;
  hlo_view image;           // features are adjacent; batch, spatial dimensions, features
  int64_t segments, length; // contiguous runs of a window and their length; `offsets`: their starts
  int64_t *offsets;
  int32_t rank; // of the loops over rows of positions
  int64_t counts[HLO_MAX_RANK], from[HLO_MAX_RANK], to[HLO_MAX_RANK]; // and their strides
  int64_t rows, row_from, row_to;                                     // positions in a row
  int64_t blocks;
  const void **a;
  void **c;
} plain_convolution;

// Computes the contiguous segments of a window. Taps along the last dimension merge into one
// segment with their features if they are adjacent.
static hlo_status build_segments(plain_convolution *p, bool joins, hlo_error *error) {
  const hlo_convolution *c = p->of;
  int32_t rank = c->spatial_rank;
  int64_t sizes[HLO_MAX_RANK], steps[HLO_MAX_RANK], index[HLO_MAX_RANK] = {0}, n = 0;
  p->segments = 1;
  p->length = c->features;
  for (int32_t i = 0; i < rank; i++) {
    const int64_t *field = hlo_convolution_field(c, i);
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

static void swap(int64_t *a, int64_t *b) {
  int64_t c = *a;
  *a = *b;
  *b = c;
}

// Describes the positions as a loop nest over rows of positions, collapsing loops where the strides
// allow it. A row runs along the innermost dimension or, if that is short (as in a filter's
// gradient), along a longer one such as the batch.
static void collapse_loops(plain_convolution *p) {
  const hlo_convolution *c = p->of;
  p->rows = 1;
  p->row_from = p->row_to = 0;
  for (int32_t d = c->spatial_rank; d >= BATCH; d--) {
    int64_t count = d == BATCH ? c->batch : c->result.dims[d];
    int64_t step = d == BATCH ? 1 : hlo_convolution_field(c, d - SPATIAL)[HLO_WINDOW_STRIDE];
    // With a single position the stride may be out of range.
    int64_t from = count == 1 ? 0 : step * p->image.strides[d], to = p->of->result.strides[d];
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
  for (int32_t i = 0; i < p->rank; i++) {
    if (p->rows >= HLO_CONVOLUTION_FEW_ROWS || p->counts[i] < 2 * p->rows) continue;
    swap(&p->rows, &p->counts[i]);
    swap(&p->row_from, &p->from[i]);
    swap(&p->row_to, &p->to[i]);
  }
}

// Blocks of `rows` positions each; the kernel is called once per block.
typedef struct stretch {
  const plain_convolution *of;
  int64_t rows, first, blocks, of_a_part;
} stretch;

// All blocks of `rows` positions from `first` on in each row.
static stretch fill_blocks(plain_convolution *p, const char *image, char *result, int64_t first,
                           int64_t rows, int64_t end) {
  int64_t size = p->of->size;
  int64_t index[HLO_MAX_RANK] = {0};
  stretch out = {.of = p, .rows = rows, .first = p->blocks};
  for (;;) {
    for (int64_t row = first; row + rows <= end; row += rows) {
      p->a[p->blocks] = image + row * p->row_from * size;
      p->c[p->blocks++] = result + row * p->row_to * size;
    }
    int32_t i = 0;
    for (; i < p->rank; i++) {
      image += p->from[i] * size;
      result += p->to[i] * size;
      if (++index[i] < p->counts[i]) break;
      image -= p->from[i] * index[i] * size;
      result -= p->to[i] * index[i] * size;
      index[i] = 0;
    }
    if (i < p->rank) continue;
    out.blocks = p->blocks - out.first;
    return out;
  }
}

static int64_t rows_of_a_block(const plain_convolution *p) {
  return p->rows < HLO_CONVOLUTION_ROWS ? p->rows : HLO_CONVOLUTION_ROWS / 2;
}

static hlo_status allocate_blocks(plain_convolution *p, hlo_error *error) {
  int64_t most = p->rows / rows_of_a_block(p) + 1;
  for (int32_t i = 0; i < p->rank; i++) most *= p->counts[i]; // at most the result's elements
  HLO_ALLOC(p->a, p->of->evaluator->scratch, most, error);
  HLO_ALLOC(p->c, p->of->evaluator->scratch, most, error);
  return HLO_OK;
}

// --- running ---

// A convolution by kernels: its boxes, and the data they share.
typedef struct kernel_work {
  const hlo_convolution *of;
  int32_t boxes, stretches;
  plain_convolution *plain; // of each box
  stretch *list;            // for each box: whole blocks, then the remainders of the rows
  const char *packed;       // NULL: depthwise
  int64_t columns;          // output features of a work share
  const hlo_epilogue *epilogue;
} kernel_work;

static void run_depthwise(const stretch *s, int64_t first, int64_t blocks) {
  const plain_convolution *p = s->of;
  const hlo_convolution *c = p->of;
  hlo_depthwise_product product = {.blocks = blocks,
                                   .a = p->a + first,
                                   .c = p->c + first,
                                   .m = s->rows,
                                   .n = c->groups,
                                   .lda = p->row_from,
                                   .ldb = c->groups,
                                   .ldc = p->row_to,
                                   .segments = p->segments,
                                   .offsets = p->offsets,
                                   .b = c->kernel,
                                   .exact = c->order == HLO_ORDER_FUSED};
  c->kernels->depthwise(&product);
}

static void run_segments(const stretch *s, int64_t first, int64_t blocks, const char *packed,
                         int64_t column, int64_t columns) {
  const plain_convolution *p = s->of;
  const hlo_convolution *c = p->of;
  hlo_segmented_product product = {.blocks = blocks,
                                   .a = p->a + first,
                                   .c = p->c + first,
                                   .m = s->rows,
                                   .n = columns,
                                   .lda = p->row_from,
                                   .ldc = p->row_to,
                                   .column = column,
                                   .segments = p->segments,
                                   .length = p->length,
                                   .offsets = p->offsets,
                                   .packed = packed + c->kernels->pack_size(column, c->columns),
                                   .exact = c->order == HLO_ORDER_FUSED};
  c->kernels->segments(&product);
}

static int32_t parts_across(const kernel_work *work) {
  return (int32_t)((work->of->outputs + work->columns - 1) / work->columns);
}

static int32_t parts_of(const kernel_work *work, const stretch *s) {
  return (int32_t)((s->blocks + s->of_a_part - 1) / s->of_a_part) * parts_across(work);
}

static void run_blocks(const kernel_work *work, const stretch *s, int64_t first, int64_t blocks,
                       int64_t column) {
  int64_t left = work->of->outputs - column;
  if (work->packed == NULL) run_depthwise(s, first, blocks);
  else
    run_segments(s, first, blocks, work->packed, column,
                 work->columns < left ? work->columns : left);
}

// Positions of these blocks are done: rows of the result, neighbouring blocks at once.
static void finish_blocks(const kernel_work *work, const stretch *s, int64_t first,
                          int64_t blocks) {
  const plain_convolution *p = s->of;
  int64_t columns = work->of->all_outputs, size = columns * work->of->size;
  for (int64_t i = first, end = first + blocks; i < end;) {
    int64_t row = ((const char *)p->c[i] - (const char *)work->of->result.data) / size, rows = 0;
    for (const char *next = p->c[i]; i < end && p->c[i] == next; i++) {
      next += s->rows * size;
      rows += s->rows;
    }
    work->epilogue->run(work->epilogue->data, row, row + rows, 0, columns);
  }
}

static void run_part(void *data, int32_t part, int32_t thread) {
  const kernel_work *work = data;
  const stretch *s = work->list;
  (void)thread;
  for (; part >= parts_of(work, s); s++) part -= parts_of(work, s);
  int32_t across = parts_across(work);
  int64_t first = part / across * s->of_a_part, left = s->blocks - first;
  int64_t column = part % across * work->columns;
  int64_t blocks = s->of_a_part < left ? s->of_a_part : left;
  if (work->epilogue == NULL) {
    run_blocks(work, s, s->first + first, blocks, column);
    return;
  }
  int64_t step = HLO_EPILOGUE_ELEMENTS / (s->rows * work->of->all_outputs) + 1;
  for (int64_t done = 0; done < blocks; done += step) {
    int64_t count = step < blocks - done ? step : blocks - done;
    run_blocks(work, s, s->first + first + done, count, column);
    finish_blocks(work, s, s->first + first + done, count);
  }
}

static double time_of(const kernel_work *work, const stretch *s) {
  const plain_convolution *p = s->of;
  double time = (double)s->blocks * s->rows * p->segments * p->of->size / sizeof(float);
  return work->packed == NULL ? time * p->of->groups / HLO_DEPTHWISE_PRODUCTS_PER_NS
                              : time * p->length * p->of->outputs / HLO_F32_PRODUCTS_PER_NS;
}

// Each part reads what it needs of the filters once: for few positions that would be most of the
// work.
static bool cuts_columns(const kernel_work *work, int64_t positions) {
  int64_t threads = hlo_backend_threads(work->of->evaluator->backend);
  return threads > 1 && work->packed != NULL &&
         positions < threads * HLO_CONVOLUTION_FEW_POSITIONS &&
         work->of->outputs >= 2 * threads * HLO_PACKED_COLUMNS;
}

// Cuts all stretches into parts that take about as long.
static void run_stretches(kernel_work *work) {
  const hlo_backend *backend = work->of->evaluator->backend;
  double time = 0;
  int64_t blocks = 0, positions = 0, panels = work->of->outputs / HLO_PACKED_COLUMNS;
  int32_t parts = 0;
  for (int32_t i = 0; i < work->stretches; i++) {
    time += time_of(work, &work->list[i]);
    blocks += work->list[i].blocks;
    positions += work->list[i].blocks * work->list[i].rows;
  }
  bool by_columns = cuts_columns(work, positions);
  int32_t wanted = hlo_backend_parts(backend, by_columns ? panels : blocks, time);
  work->columns =
      by_columns ? (panels + wanted - 1) / wanted * HLO_PACKED_COLUMNS : work->of->outputs;
  double most = by_columns ? time : time / wanted;
  for (int32_t i = 0; i < work->stretches; i++) {
    stretch *s = &work->list[i];
    double share = time_of(work, s) / most; // parts
    s->of_a_part = share <= 1 ? s->blocks : (int64_t)((double)s->blocks / share + 0.999);
    parts += parts_of(work, s);
  }
  if (wanted > 1) hlo_backend_parallel(backend, run_part, work, parts);
  for (int32_t part = 0; wanted == 1 && part < parts; part++) run_part(work, part, 0);
}

static void run_group(kernel_work *work, int64_t group) {
  const hlo_convolution *c = work->of;
  bool by_batch = c->batch_groups > 1;
  work->stretches = 0;
  for (int32_t i = 0; i < work->boxes; i++) {
    plain_convolution *p = &work->plain[i];
    int64_t from = by_batch ? group * c->batch * p->image.strides[BATCH] : group * c->features;
    const char *image = hlo_view_at(&p->image, from);
    char *result = hlo_view_at(&p->of->result, group * c->outputs);
    int64_t rows = rows_of_a_block(p), whole = p->rows / rows * rows;
    p->blocks = 0;
    work->list[work->stretches++] = fill_blocks(p, image, result, 0, rows, whole);
    if (whole == p->rows) continue;
    work->list[work->stretches++] = fill_blocks(p, image, result, whole, p->rows - whole, p->rows);
  }
  run_stretches(work);
}

// The filters of a group as kernels want them, some features at a time.
typedef struct packing {
  const hlo_convolution *of;
  const char *kernel;
  char *packed;
  int64_t share;
} packing;

static void pack_part(void *data, int32_t part, int32_t thread) {
  const packing *work = data;
  const hlo_convolution *c = work->of;
  int64_t first = part * work->share, left = c->outputs - first;
  (void)thread;
  c->kernels->pack(left < work->share ? left : work->share, c->columns,
                   work->kernel + first * c->size, c->all_outputs,
                   work->packed + c->kernels->pack_size(first, c->columns));
}

static void pack_group(const hlo_convolution *c, int64_t group, char *packed) {
  packing work = {.of = c, .packed = packed};
  work.kernel = c->kernel + group * c->outputs * c->size;
  int64_t count = (c->outputs + HLO_FEATURES_PACKED_AT_ONCE - 1) / HLO_FEATURES_PACKED_AT_ONCE;
  double time = (double)c->outputs * c->columns / HLO_PACKED_F32_PER_NS;
  int32_t parts = hlo_backend_parts(c->evaluator->backend, count, time);
  work.share = (count + parts - 1) / parts * HLO_FEATURES_PACKED_AT_ONCE;
  hlo_backend_parallel(c->evaluator->backend, pack_part, &work,
                       (int32_t)((c->outputs + work.share - 1) / work.share));
}

static int64_t packed_bytes(const hlo_convolution *c) {
  return c->kernels->pack_size(c->outputs, c->columns);
}

hlo_status hlo_convolution_pack_groups(const hlo_convolution *c, hlo_error *error) {
  hlo_packing *packing = c->evaluator->packing;
  void *to;
  HLO_TRY(packing->make(packing, c->groups * packed_bytes(c), &to, error));
  for (int64_t g = 0; g < c->groups; g++) pack_group(c, g, (char *)to + g * packed_bytes(c));
  return HLO_OK;
}

static hlo_status run_groups(kernel_work *work, bool depthwise, hlo_error *error) {
  const hlo_convolution *c = work->of;
  bool ready = c->evaluator->packed;
  char *packed = NULL;
  if (!depthwise && !ready) {
    packed = hlo_arena_array_raw(c->evaluator->scratch, 1, (size_t)packed_bytes(c));
    if (packed == NULL) return hlo_fail_out_of_memory(error);
  }
  for (int64_t g = 0; g < (depthwise ? 1 : c->groups); g++) {
    if (packed != NULL) pack_group(c, g, packed);
    work->packed = ready ? c->kernel + g * packed_bytes(c) : packed;
    run_group(work, g);
  }
  return HLO_OK;
}

static hlo_status prepare_plain(const hlo_convolution *box, bool depthwise, plain_convolution *out,
                                hlo_error *error) {
  out->of = box;
  HLO_TRY(hlo_convolution_pad_image(box, depthwise, &out->image, error));
  HLO_TRY(build_segments(out, !depthwise, error));
  collapse_loops(out);
  return allocate_blocks(out, error);
}

static hlo_status run_boxes(const hlo_convolution *c, bool depthwise, int32_t count,
                            const hlo_convolution *boxes, hlo_error *error) {
  hlo_arena *scratch = c->evaluator->scratch;
  bool in_rows = depthwise || c->groups == 1; // of each block
  kernel_work work = {.of = c, .boxes = count};
  HLO_ALLOC(work.plain, scratch, count, error);
  HLO_ALLOC(work.list, scratch, 2 * (int64_t)count, error);
  for (int32_t i = 0; i < count; i++) {
    plain_convolution *p = &work.plain[i];
    HLO_TRY(prepare_plain(&boxes[i], depthwise, p, error));
    in_rows = in_rows && (p->rows == 1 || p->row_to == c->all_outputs);
  }
  HLO_TRY(hlo_convolution_accept_epilogue(c, in_rows, &work.epilogue, error));
  return run_groups(&work, depthwise, error);
}

static hlo_status run(const hlo_convolution *c, bool depthwise, hlo_error *error) {
  bool as_it_is;
  int64_t elements;
  hlo_convolution_inspect_image(c, &elements, &as_it_is);
  if (as_it_is || !hlo_convolution_is_worth_cutting(c)) return run_boxes(c, depthwise, 1, c, error);
  hlo_convolution *boxes;
  int32_t count;
  HLO_ALLOC(boxes, c->evaluator->scratch, 1 + 2 * (int64_t)c->spatial_rank, error);
  HLO_TRY(hlo_convolution_cut(c, boxes, &count, error));
  return run_boxes(c, depthwise, count, boxes, error);
}

hlo_status hlo_convolve_direct(const hlo_convolution *c, hlo_error *error) {
  return run(c, false, error);
}

hlo_status hlo_convolve_depthwise(const hlo_convolution *c, hlo_error *error) {
  return run(c, true, error);
}
