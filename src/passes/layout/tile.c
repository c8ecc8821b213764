// Enables loop collapsing over rows and channels where channels are few: vectors of channels that
// are broadcast along short rows become broadcasts of several rows' worth (channel interleaving),
// and concatenations and paddings of such rows are expressed over the collapsed dimension. See
// passes.h.
#include "hlo/builder.h"
#include "hlo/rewrite.h"
#include "kernels/machine.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

#include <string.h>

// Row lengths for which some instruction does not access its elements in memory order.
typedef struct short_rows {
  bool is_out_of_order[HLO_SHORT_ROW];
} short_rows;

static bool has_short_rows(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && shape->rank >= 2 &&
         shape->dims[shape->rank - 1] < HLO_SHORT_ROW;
}

// How many rows to interleave, a divisor of their number; 0 where x is no broadcast of a vector
// along short rows.
static int64_t interleaved_rows(const hlo_instruction *x) {
  const hlo_shape *shape = x->shape;
  if (x->opcode != HLO_OP_BROADCAST || !has_short_rows(shape) || hlo_simplify_is_dynamic(x))
    return 0;
  const hlo_shape *from = x->operands[0]->shape;
  int32_t minor = shape->rank - 1;
  if (from->rank != 1 || from->dims[0] < 2 || hlo_type_bits(from->type) < 8 ||
      !hlo_lists(x, HLO_ATTRIBUTE_DIMENSIONS, minor) || !hlo_layout_is_default(shape->layout) ||
      hlo_shape_elements(shape) < HLO_PASS_MANY_ELEMENTS)
    return 0;
  for (int64_t rows = HLO_TILE_MOST_ROWS; rows >= HLO_TILE_FEWEST_ROWS; rows--) {
    if (shape->dims[minor - 1] % rows == 0) return rows;
  }
  return 0;
}

// The constant, repeated `rows` times.
static hlo_status repeat_constant(const hlo_instruction *constant, int64_t rows,
                                  const hlo_shape *shape, hlo_instruction **out, hlo_error *error) {
  hlo_computation *computation = constant->computation;
  size_t bytes =
      (size_t)hlo_shape_elements(constant->shape) * (size_t)hlo_type_bytes(constant->shape->type);
  char *data;
  HLO_ALLOC(data, &computation->module->arena, bytes * (size_t)rows, error);
  for (int64_t i = 0; i < rows; i++)
    memcpy(data + (size_t)i * bytes, constant->literal->data, bytes);
  const hlo_literal literal = {.shape = shape, .data = data};
  return hlo_build_constant(computation, &literal, out, error);
}

// The vector repeated `rows` times, materialised: a barrier keeps it out of the loops that read it.
static hlo_status materialise_repeated(hlo_instruction *x, int64_t rows, const hlo_shape *shape,
                                       hlo_instruction **out, hlo_error *error) {
  const hlo_shape *vector = x->operands[0]->shape, *stack;
  const int64_t dims[] = {rows, vector->dims[0]}, last = 1;
  HLO_TRY(hlo_shape_make(&x->computation->module->arena, vector->type, 2, dims, &stack, error));
  HLO_TRY(hlo_simplify_build_with_ints(x, HLO_OP_BROADCAST, stack, 1, x->operands,
                                       HLO_ATTRIBUTE_DIMENSIONS, 1, &last, out, error));
  HLO_TRY(hlo_simplify_build(x, HLO_OP_RESHAPE, shape, 1, out, 0, NULL, out, error));
  return hlo_simplify_build(x, HLO_OP_OPTIMIZATION_BARRIER, shape, 1, out, 0, NULL, out, error);
}

static hlo_status interleave_rows(void *context, hlo_instruction *x, hlo_instruction **replacement,
                                  hlo_error *error) {
  const short_rows *lengths = context;
  int64_t rows = interleaved_rows(x), last = 1;
  if (rows == 0 || lengths->is_out_of_order[x->operands[0]->shape->dims[0]]) return HLO_OK;
  hlo_arena *arena = &x->computation->module->arena;
  hlo_type type = x->shape->type;
  const hlo_instruction *vector = x->operands[0];
  int64_t size = vector->shape->dims[0] * rows;
  const int64_t dims[] = {hlo_shape_elements(x->shape) / size, size};
  const hlo_shape *one, *shape;
  hlo_instruction *wide;
  HLO_TRY(hlo_shape_make(arena, type, 1, &size, &one, error));
  HLO_TRY(hlo_shape_make(arena, type, 2, dims, &shape, error));
  if (vector->literal != NULL && vector->literal->data != NULL)
    HLO_TRY(repeat_constant(vector, rows, one, &wide, error));
  else HLO_TRY(materialise_repeated(x, rows, one, &wide, error));
  HLO_TRY(hlo_simplify_build_with_ints(x, HLO_OP_BROADCAST, shape, 1, &wide,
                                       HLO_ATTRIBUTE_DIMENSIONS, 1, &last, &wide, error));
  return hlo_simplify_build(x, HLO_OP_RESHAPE, x->shape, 1, &wide, 0, NULL, replacement, error);
}

// Whether the broadcast repeats its operand, in memory order, along leading dimensions.
static bool repeats_operand(const hlo_instruction *x) {
  int32_t count, rank = x->shape->rank;
  const int64_t *dims = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  for (int32_t i = 0; i < count; i++) {
    if (dims[i] != rank - count + i) return false;
  }
  return true;
}

// Whether x produces its elements in memory order, or only refers to an array in memory.
static bool writes_in_order(const hlo_instruction *x) {
  if (x->opcode == HLO_OP_BROADCAST) return repeats_operand(x);
  return hlo_op_is_elementwise(x->opcode) || x->opcode == HLO_OP_PARAMETER ||
         x->opcode == HLO_OP_CONSTANT || x->opcode == HLO_OP_RESHAPE ||
         x->opcode == HLO_OP_GET_TUPLE_ELEMENT;
}

static bool reads_in_order(const hlo_instruction *x) {
  return hlo_op_is_elementwise(x->opcode) || x->opcode == HLO_OP_TUPLE ||
         x->opcode == HLO_OP_CONVOLUTION;
}

static void note_disorder(const hlo_shape *shape, short_rows *lengths) {
  if (has_short_rows(shape)) lengths->is_out_of_order[shape->dims[shape->rank - 1]] = true;
}

// False if there is nothing to do.
static bool collect_row_lengths(const hlo_computation *computation, short_rows *lengths) {
  bool found = false;
  *lengths = (short_rows){0};
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    if (!writes_in_order(x)) note_disorder(x->shape, lengths);
    for (int32_t k = 0; k < x->operand_count && !reads_in_order(x); k++)
      note_disorder(x->operands[k]->shape, lengths);
    found = found || interleaved_rows(x) > 0;
  }
  return found;
}

hlo_status hlo_pass_tile(hlo_module *module, hlo_error *error) {
  for (int32_t c = 0; c < module->computation_count; c++) {
    hlo_computation *computation = module->computations[c];
    short_rows lengths;
    if (collect_row_lengths(computation, &lengths))
      HLO_TRY(hlo_computation_rewrite(computation, interleave_rows, &lengths, error));
  }
  return HLO_OK;
}

// --- concatenations and paddings of short rows ---

static int64_t channels_of(const hlo_instruction *x) { return x->shape->dims[x->shape->rank - 1]; }

// The number of channels of a broadcast along the channels of a pixel, else 0.
static int64_t shared_channels(const hlo_instruction *x) {
  if (x->opcode != HLO_OP_BROADCAST || !has_short_rows(x->shape) || hlo_simplify_is_dynamic(x) ||
      hlo_shape_elements(x->shape) < HLO_PASS_MANY_ELEMENTS)
    return 0;
  int32_t count, channels = x->shape->rank - 1;
  hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  bool is_shared = count == channels && !hlo_lists(x, HLO_ATTRIBUTE_DIMENSIONS, channels);
  return is_shared ? channels_of(x) : 0;
}

bool hlo_repeats_for_channels(const hlo_instruction *x) {
  int64_t channels = shared_channels(x);
  return channels > 1 && channels <= HLO_ROWS_FEW_CHANNELS;
}

// Whether x moves whole short rows along the dimension before them.
static bool moves_short_rows(const hlo_instruction *x) {
  if ((x->opcode != HLO_OP_CONCATENATE && x->opcode != HLO_OP_PAD) || !has_short_rows(x->shape) ||
      hlo_simplify_is_dynamic(x) || hlo_shape_elements(x->shape) < HLO_PASS_MANY_ELEMENTS)
    return false;
  int32_t count, along = x->shape->rank - 2;
  bool fits = channels_of(x) <= HLO_ROWS_MOST_CHANNELS && hlo_layout_is_default(x->shape->layout);
  for (int32_t k = 0; k < x->operand_count; k++)
    fits = fits && hlo_layout_is_default(x->operands[k]->shape->layout);
  if (x->opcode == HLO_OP_CONCATENATE) return fits && hlo_lists(x, HLO_ATTRIBUTE_DIMENSIONS, along);
  const int64_t *padding = hlo_get_ints(x, HLO_ATTRIBUTE_PADDING, &count);
  for (int32_t i = count - 6; i < count - 4; i++) // rows: the number of elements must not overflow
    fits = fits && padding[i] >= -INT32_MAX && padding[i] <= INT32_MAX;
  for (int32_t i = count - 4; i < count; i++) // between rows, and inside them
    fits = fits && padding[i] == 0;
  return fits;
}

// By number of channels: whether short rows are moved, and whether a broadcast along the channels
// prevents loop collapsing.
typedef struct channel_uses {
  bool are_moved[HLO_SHORT_ROW], are_shared[HLO_SHORT_ROW];
} channel_uses;

// The array with its last two dimensions collapsed.
static hlo_status collapse_rows(const hlo_instruction *x, hlo_instruction *array,
                                hlo_instruction **out, hlo_error *error) {
  const hlo_shape *shape;
  int64_t dims[HLO_MAX_RANK];
  int32_t rank = array->shape->rank - 1;
  for (int32_t d = 0; d < rank; d++) dims[d] = array->shape->dims[d];
  dims[rank - 1] *= array->shape->dims[rank];
  HLO_TRY(hlo_shape_make(&x->computation->module->arena, array->shape->type, rank, dims, &shape,
                         error));
  return hlo_simplify_build(x, HLO_OP_RESHAPE, shape, 1, &array, 0, NULL, out, error);
}

// The same; a slice of whole rows becomes a slice of the collapsed array.
static hlo_status collapse_slice(const hlo_instruction *x, hlo_instruction *array,
                                 hlo_instruction **out, hlo_error *error) {
  int32_t count;
  int64_t ints[3 * HLO_MAX_RANK], channels = channels_of(array);
  const int64_t *slice = hlo_get_ints(array, HLO_ATTRIBUTE_SLICE, &count);
  count -= 3;
  if (array->opcode != HLO_OP_SLICE || slice[count - 1] != 1 ||
      channels_of(array->operands[0]) != channels ||
      !hlo_layout_is_default(array->operands[0]->shape->layout))
    return collapse_rows(x, array, out, error);
  memcpy(ints, slice, (size_t)count * sizeof *ints);
  for (int32_t i = count - 3; i < count - 1; i++) ints[i] *= channels;
  HLO_TRY(collapse_rows(x, array->operands[0], out, error));
  return hlo_simplify_build_with_ints(x, HLO_OP_SLICE, NULL, 1, out, HLO_ATTRIBUTE_SLICE, count,
                                      ints, out, error);
}

static hlo_status collapse_movement(hlo_instruction *x, hlo_instruction **replacement,
                                    hlo_error *error) {
  bool pads = x->opcode == HLO_OP_PAD;
  int32_t count = 1, rank = x->shape->rank;
  int64_t ints[3 * HLO_MAX_RANK] = {rank - 2};
  hlo_instruction **operands;
  HLO_ALLOC(operands, &x->computation->module->arena, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) {
    operands[k] = x->operands[k];
    if (!pads || k == 0) HLO_TRY(collapse_slice(x, operands[k], &operands[k], error));
  }
  if (pads) {
    const int64_t *padding = hlo_get_ints(x, HLO_ATTRIBUTE_PADDING, &count);
    count -= 3;
    memcpy(ints, padding, (size_t)count * sizeof *ints);
    for (int32_t i = count - 3; i < count - 1; i++) ints[i] *= x->shape->dims[rank - 1];
  }
  HLO_TRY(hlo_simplify_build_with_ints(x, x->opcode, NULL, x->operand_count, operands,
                                       pads ? HLO_ATTRIBUTE_PADDING : HLO_ATTRIBUTE_DIMENSIONS,
                                       count, ints, replacement, error));
  return hlo_simplify_build(x, HLO_OP_RESHAPE, x->shape, 1, replacement, 0, NULL, replacement,
                            error);
}

// Collapses data movement of short rows, and materialises the broadcasts that keep loops from
// collapsing.
static hlo_status collapse_or_materialise(void *context, hlo_instruction *x,
                                          hlo_instruction **replacement, hlo_error *error) {
  const channel_uses *uses = context;
  hlo_instruction *copy;
  if (moves_short_rows(x) &&
      (channels_of(x) <= HLO_ROWS_FEW_CHANNELS || !uses->are_shared[channels_of(x)]))
    return collapse_movement(x, replacement, error);
  if (!hlo_repeats_for_channels(x) || !uses->are_moved[channels_of(x)]) return HLO_OK;
  HLO_TRY(hlo_instruction_copy(x->computation, x, x->operands, &copy, error));
  return hlo_simplify_build(x, HLO_OP_OPTIMIZATION_BARRIER, x->shape, 1, &copy, 0, NULL,
                            replacement, error);
}

hlo_status hlo_pass_collapse_rows(hlo_module *module, hlo_error *error) {
  for (int32_t c = 0; c < module->computation_count; c++) {
    hlo_computation *computation = module->computations[c];
    channel_uses uses = {0};
    bool found = false;
    for (int32_t i = 0; i < computation->instruction_count; i++) {
      const hlo_instruction *x = computation->instructions[i];
      if (shared_channels(x) > 0) uses.are_shared[channels_of(x)] = true;
      if (moves_short_rows(x)) found = uses.are_moved[channels_of(x)] = true;
    }
    if (found) HLO_TRY(hlo_computation_rewrite(computation, collapse_or_materialise, &uses, error));
  }
  return HLO_OK;
}
