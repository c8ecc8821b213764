// Pixels assembled from channels of 8 or 16 bits, as RGBA for a canvas, become 32-bit integers: a
// loop computes four pixels in a vector, each channel from its own plane. See passes.h.
#include "hlo/rewrite.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

enum { MOST_STEPS = 24 }; // of operations between a channel and the arrays read for it

// The shape without a dimension, in its default layout.
static hlo_status remove_dimension(const hlo_instruction *x, const hlo_shape *shape,
                                   int32_t dimension, const hlo_shape **out, hlo_error *error) {
  int64_t dims[HLO_MAX_RANK];
  int32_t rank = 0;
  for (int32_t d = 0; d < shape->rank; d++) {
    if (d != dimension) dims[rank++] = shape->dims[d];
  }
  return hlo_shape_make(&x->computation->module->arena, shape->type, rank, dims, out, error);
}

// A channel to slice: element `index` along `dimension` of an array, for the pixels of x.
typedef struct channel {
  const hlo_instruction *x;
  int32_t dimension;
  int64_t index;
  int32_t steps; // that may still be followed
} channel;

static hlo_status slice_channel(channel at, hlo_instruction *from, hlo_instruction **out,
                                hlo_error *error);

static hlo_status slice_directly(channel at, hlo_instruction *from, hlo_instruction **out,
                                 hlo_error *error) {
  const hlo_shape *rest;
  HLO_TRY(remove_dimension(at.x, from->shape, at.dimension, &rest, error));
  HLO_TRY(hlo_simplify_slice_one(at.x, from, at.dimension, at.index, out, error));
  return hlo_simplify_build(at.x, HLO_OP_RESHAPE, rest, 1, out, 0, NULL, out, error);
}

static hlo_status slice_elementwise(channel at, hlo_instruction *from, hlo_instruction **out,
                                    hlo_error *error) {
  hlo_instruction **operands;
  const hlo_shape *shape;
  HLO_ALLOC(operands, &at.x->computation->module->arena, from->operand_count, error);
  for (int32_t k = 0; k < from->operand_count; k++) {
    operands[k] = from->operands[k];
    if (operands[k]->shape->rank > 0) HLO_TRY(slice_channel(at, operands[k], &operands[k], error));
  }
  HLO_TRY(remove_dimension(at.x, from->shape, at.dimension, &shape, error));
  return hlo_simplify_build(from, from->opcode, shape, from->operand_count, operands,
                            from->attribute_count, from->attributes, out, error);
}

// Slices an operand whose dimension k is dimension places[k] of the array. On return places[] maps
// the dimensions of the sliced operand.
static hlo_status slice_operand(channel at, hlo_instruction *operand, int64_t *places,
                                int32_t *count, hlo_instruction **out, hlo_error *error) {
  int32_t kept = 0, found = -1;
  for (int32_t k = 0; k < *count; k++) {
    if (places[k] == at.dimension) found = k;
    else places[kept++] = places[k] - (places[k] > at.dimension);
  }
  *out = operand;
  *count = kept;
  at.dimension = found;
  return found < 0 ? HLO_OK : slice_channel(at, operand, out, error);
}

static hlo_status slice_broadcast(channel at, hlo_instruction *from, hlo_instruction **out,
                                  hlo_error *error) {
  int64_t places[HLO_MAX_RANK];
  int32_t count;
  const hlo_shape *shape;
  const int64_t *dimensions = hlo_get_ints(from, HLO_ATTRIBUTE_DIMENSIONS, &count);
  hlo_instruction *operand;
  for (int32_t k = 0; k < count; k++) places[k] = dimensions[k];
  HLO_TRY(slice_operand(at, from->operands[0], places, &count, &operand, error));
  HLO_TRY(remove_dimension(at.x, from->shape, at.dimension, &shape, error));
  return hlo_simplify_build_with_ints(from, HLO_OP_BROADCAST, shape, 1, &operand,
                                      HLO_ATTRIBUTE_DIMENSIONS, count, places, out, error);
}

static hlo_status slice_transpose(channel at, hlo_instruction *from, hlo_instruction **out,
                                  hlo_error *error) {
  int64_t order[HLO_MAX_RANK];
  int32_t count, kept = 0;
  const hlo_shape *shape;
  const int64_t *dimensions = hlo_get_ints(from, HLO_ATTRIBUTE_DIMENSIONS, &count);
  int64_t along = dimensions[at.dimension];
  bool is_in_order = true;
  for (int32_t d = 0; d < count; d++) {
    if (d == at.dimension) continue;
    order[kept] = dimensions[d] - (dimensions[d] > along);
    is_in_order = is_in_order && order[kept] == kept;
    kept++;
  }
  HLO_TRY(remove_dimension(at.x, from->shape, at.dimension, &shape, error));
  at.dimension = (int32_t)along;
  HLO_TRY(slice_channel(at, from->operands[0], out, error));
  if (is_in_order) return HLO_OK;
  return hlo_simplify_build_with_ints(from, HLO_OP_TRANSPOSE, shape, 1, out,
                                      HLO_ATTRIBUTE_DIMENSIONS, kept, order, out, error);
}

static hlo_status slice_concatenate(channel at, hlo_instruction *from, hlo_instruction **out,
                                    hlo_error *error) {
  int32_t k = 0;
  for (; at.index >= from->operands[k]->shape->dims[at.dimension]; k++)
    at.index -= from->operands[k]->shape->dims[at.dimension];
  return slice_channel(at, from->operands[k], out, error);
}

// Pushes the slice of one channel up to the operands. A value with other users is computed as a
// whole, once, and sliced.
static hlo_status slice_channel(channel at, hlo_instruction *from, hlo_instruction **out,
                                hlo_error *error) {
  bool is_plain = !hlo_simplify_is_dynamic(from) && hlo_layout_is_default(from->shape->layout);
  bool may_follow = is_plain && from->use_count <= 1 && at.steps-- > 0;
  if (may_follow && hlo_op_is_elementwise(from->opcode) && from->opcode != HLO_OP_MAP)
    return slice_elementwise(at, from, out, error);
  if (is_plain && from->opcode == HLO_OP_BROADCAST) return slice_broadcast(at, from, out, error);
  if (may_follow && from->opcode == HLO_OP_TRANSPOSE) return slice_transpose(at, from, out, error);
  if (may_follow && from->opcode == HLO_OP_CONCATENATE &&
      hlo_lists(from, HLO_ATTRIBUTE_DIMENSIONS, at.dimension))
    return slice_concatenate(at, from, out, error);
  return slice_directly(at, from, out, error);
}

// The bits of one channel, shifted to their position in the pixel.
static hlo_status build_channel_bits(const hlo_instruction *x, int64_t index, hlo_instruction **out,
                                     hlo_error *error) {
  hlo_arena *arena = &x->computation->module->arena;
  int32_t minor = x->shape->rank - 1, bits = hlo_type_bits(x->shape->type);
  hlo_type unsigned_type = bits == 8 ? HLO_U8 : HLO_U16;
  const hlo_shape *narrow, *wide;
  hlo_instruction *value, *count;
  channel at = {x, minor, index, MOST_STEPS};
  HLO_TRY(slice_concatenate(at, (hlo_instruction *)x, &value, error));
  HLO_TRY(hlo_shape_with_type(arena, value->shape, unsigned_type, false, &narrow, error));
  HLO_TRY(hlo_shape_with_type(arena, value->shape, HLO_U32, false, &wide, error));
  if (x->shape->type != unsigned_type)
    HLO_TRY(
        hlo_simplify_build(x, HLO_OP_BITCAST_CONVERT, narrow, 1, &value, 0, NULL, &value, error));
  HLO_TRY(hlo_simplify_build(x, HLO_OP_CONVERT, wide, 1, &value, 0, NULL, out, error));
  if (index == 0) return HLO_OK;
  HLO_TRY(hlo_simplify_integer(*out, index * bits, &count, error));
  return hlo_simplify_build(x, HLO_OP_SHIFT_LEFT, wide, 2, (hlo_instruction *[]){*out, count}, 0,
                            NULL, out, error);
}

static hlo_status pack_pixels(void *context, hlo_instruction *x, hlo_instruction **replacement,
                              hlo_error *error) {
  hlo_instruction *pixels = NULL, *bits;
  (void)context;
  if (!hlo_assembles_pixels(x)) return HLO_OK;
  for (int64_t i = 0; i < x->shape->dims[x->shape->rank - 1]; i++) {
    HLO_TRY(build_channel_bits(x, i, &bits, error));
    if (i > 0)
      HLO_TRY(hlo_simplify_build(x, HLO_OP_OR, bits->shape, 2, (hlo_instruction *[]){pixels, bits},
                                 0, NULL, &bits, error));
    pixels = bits;
  }
  return hlo_simplify_build(x, HLO_OP_BITCAST_CONVERT, x->shape, 1, &pixels, 0, NULL, replacement,
                            error);
}

hlo_status hlo_pass_pixels(hlo_module *module, hlo_error *error) {
  return hlo_module_rewrite(module, pack_pixels, NULL, error);
}
