// Convolutions of a few elements as sums of products, one tap of the window after the other,
// rounded at each step. See tiny_steps.h.
#include "passes/loops/tiny_steps.h"

#include "hlo/attributes/window.h"
#include "hlo/builder.h"
#include "kernels/machine.h"

typedef struct convolution {
  hlo_convolution_dimensions dims;
  const int64_t *window;
  int64_t features, taps; // of the image, and per feature
} convolution;

// Whether the image is small, padding and dilation included.
static bool is_small_with_padding(const hlo_instruction *x, const convolution *c) {
  int64_t elements = hlo_shape_elements(x->operands[0]->shape);
  for (int32_t i = 0; i < c->dims.spatial_rank; i++) {
    const int64_t *field = c->window + (ptrdiff_t)i * HLO_WINDOW_FIELDS;
    int64_t size = x->operands[0]->shape->dims[c->dims.input_spatial[i]];
    for (int k = 0; k < HLO_WINDOW_FIELDS; k++) {
      if (field[k] > HLO_TINY_PRODUCTS || field[k] < -HLO_TINY_PRODUCTS) return false;
    }
    if (elements <= 0 || elements > HLO_TINY_PRODUCTS) return false;
    elements = elements / size *
               ((size - 1) * field[HLO_WINDOW_LHS_DILATION] + 1 + field[HLO_WINDOW_PAD_LOW] +
                field[HLO_WINDOW_PAD_HIGH]);
  }
  return elements > 0 && elements <= HLO_TINY_PRODUCTS;
}

static bool is_tiny(const hlo_instruction *x, convolution *out) {
  hlo_type type = x->shape->type;
  const hlo_shape *image = x->operands[0]->shape, *kernel = x->operands[1]->shape;
  if ((type != HLO_F32 && type != HLO_F64) || image->type != type || kernel->type != type ||
      hlo_get_int(x, HLO_ATTRIBUTE_FEATURE_GROUP_COUNT, 1) != 1 ||
      hlo_get_int(x, HLO_ATTRIBUTE_BATCH_GROUP_COUNT, 1) != 1 ||
      hlo_convolution_dimensions_read(x, &out->dims, NULL) != HLO_OK ||
      hlo_window_read(x, out->dims.spatial_rank, &out->window, NULL) != HLO_OK)
    return false;
  out->features = image->dims[out->dims.input_feature];
  out->taps = 1;
  for (int32_t i = 0; i < out->dims.spatial_rank; i++)
    out->taps *= kernel->dims[out->dims.kernel_spatial[i]];
  if (out->taps > HLO_TINY_TAPS || out->features > HLO_TINY_TAPS) return false;
  int64_t products = out->features * out->taps;
  return products > 0 && products <= HLO_TINY_TAPS && is_small_with_padding(x, out) &&
         hlo_shape_elements(x->shape) <= HLO_TINY_PRODUCTS / products;
}

static hlo_status pad_image(const hlo_instruction *x, const convolution *c, hlo_instruction **out,
                            hlo_error *error) {
  int64_t padding[3 * HLO_MAX_RANK] = {0};
  hlo_instruction *operands[2] = {x->operands[0]};
  char zero[16] = {0};
  const hlo_literal literal = {.shape = hlo_shape_scalar(x->shape->type), .data = zero};
  HLO_TRY(hlo_build_constant(x->computation, &literal, &operands[1], error));
  for (int32_t i = 0; i < c->dims.spatial_rank; i++) {
    const int64_t *field = c->window + (ptrdiff_t)i * HLO_WINDOW_FIELDS;
    int64_t *of = padding + 3 * (ptrdiff_t)c->dims.input_spatial[i];
    of[0] = field[HLO_WINDOW_PAD_LOW];
    of[1] = field[HLO_WINDOW_PAD_HIGH];
    of[2] = field[HLO_WINDOW_LHS_DILATION] - 1;
  }
  return hlo_simplify_build_with_ints(x, HLO_OP_PAD, NULL, 2, operands, HLO_ATTRIBUTE_PADDING,
                                      3 * operands[0]->shape->rank, padding, out, error);
}

// The products of one input feature with one tap of the kernel.
static hlo_status multiply_tap(const hlo_instruction *x, const convolution *c,
                               hlo_instruction *padded, int64_t feature, int64_t tap,
                               hlo_instruction **out, hlo_error *error) {
  const hlo_convolution_dimensions *dims = &c->dims;
  hlo_tiny_slice image = hlo_tiny_whole(padded), kernel = hlo_tiny_whole(x->operands[1]);
  hlo_instruction *factors[2];
  hlo_tiny_slice_one(&image, dims->input_feature, feature);
  hlo_tiny_slice_one(&kernel, dims->kernel_input_feature, feature);
  image.places[dims->input_batch] = dims->output_batch;
  kernel.places[dims->kernel_output_feature] = dims->output_feature;
  for (int32_t i = dims->spatial_rank - 1; i >= 0; i--) {
    const int64_t *field = c->window + (ptrdiff_t)i * HLO_WINDOW_FIELDS;
    int64_t size = field[HLO_WINDOW_SIZE], at = tap % size;
    int64_t *slice = image.slice + 3 * (ptrdiff_t)dims->input_spatial[i];
    int64_t positions = x->shape->dims[dims->output_spatial[i]];
    tap /= size;
    slice[0] = at * field[HLO_WINDOW_RHS_DILATION];
    slice[1] = slice[0] + (positions - 1) * field[HLO_WINDOW_STRIDE] + 1;
    slice[2] = field[HLO_WINDOW_STRIDE];
    image.places[dims->input_spatial[i]] = dims->output_spatial[i];
    hlo_tiny_slice_one(&kernel, dims->kernel_spatial[i],
                       field[HLO_WINDOW_REVERSAL] != 0 ? size - 1 - at : at);
  }
  HLO_TRY(hlo_tiny_broadcast_slice(x, padded, &image, x->shape, &factors[0], error));
  HLO_TRY(hlo_tiny_broadcast_slice(x, x->operands[1], &kernel, x->shape, &factors[1], error));
  return hlo_tiny_binary(x, HLO_OP_MULTIPLY, factors[0], factors[1], out, error);
}

hlo_status hlo_tiny_convolution(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  convolution c;
  hlo_instruction *padded, *products, *sum = NULL;
  if (!is_tiny(x, &c)) return HLO_OK;
  HLO_TRY(pad_image(x, &c, &padded, error));
  for (int64_t tap = 0; tap < c.taps; tap++) {
    for (int64_t feature = 0; feature < c.features; feature++) {
      HLO_TRY(multiply_tap(x, &c, padded, feature, tap, &products, error));
      if (sum == NULL) HLO_TRY(hlo_simplify_integer(products, 0, &sum, error));
      HLO_TRY(hlo_tiny_binary(x, HLO_OP_ADD, sum, products, &sum, error));
    }
  }
  return hlo_simplify_use(x, sum, out, error);
}
