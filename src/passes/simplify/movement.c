// Identities of data movement: an operation that changes nothing is removed, and two in a row
// become one. See simplify.h.
#include "passes/simplify/simplify.h"

#include "hlo/builder.h"
#include "kernels/machine.h"

static hlo_arena *arena_of(const hlo_instruction *x) { return &x->computation->module->arena; }

// One operation with one integer-list attribute on one operand, of x's shape.
static hlo_status build_moved(const hlo_instruction *x, hlo_opcode opcode, hlo_instruction *operand,
                              hlo_attribute_id id, int32_t count, const int64_t *ints,
                              hlo_instruction **out, hlo_error *error) {
  return hlo_simplify_build_with_ints(x, opcode, x->shape, 1, &operand, id, count, ints, out,
                                      error);
}

static hlo_status build_reshape(const hlo_instruction *x, hlo_instruction *operand,
                                hlo_instruction **out, hlo_error *error) {
  if (hlo_shape_same_dimensions(x->shape, operand->shape)) {
    return hlo_simplify_use(x, operand, out, error);
  }
  return hlo_simplify_build(x, HLO_OP_RESHAPE, x->shape, 1, &operand, 0, NULL, out, error);
}

static const int64_t *dimensions_of(const hlo_instruction *x) {
  int32_t count;
  return hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
}

static bool is_default(const hlo_shape *shape) { return hlo_layout_is_default(shape->layout); }

hlo_status hlo_simplify_reshape(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operand = x->operands[0];
  if (hlo_shape_same_dimensions(x->shape, operand->shape)) {
    return hlo_simplify_use(x, operand, out, error);
  }
  if (operand->opcode == HLO_OP_RESHAPE) return build_reshape(x, operand->operands[0], out, error);
  if (operand->opcode == HLO_OP_BROADCAST && hlo_shape_is_scalar(operand->operands[0]->shape)) {
    return hlo_simplify_broadcast(operand->operands[0], x->shape, out, error);
  }
  return HLO_OK;
}

// Between row-major shapes of one type a bitcast is a reshape.
hlo_status hlo_simplify_bitcast(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operand = x->operands[0];
  if (x->shape->type != operand->shape->type) return HLO_OK;
  if (hlo_shape_equal(x->shape, operand->shape)) {
    *out = operand;
    return HLO_OK;
  }
  bool reshapes = is_default(x->shape) && is_default(operand->shape) &&
                  hlo_shape_elements(x->shape) == hlo_shape_elements(operand->shape);
  return reshapes ? build_reshape(x, operand, out, error) : HLO_OK;
}

// The dimensions larger than 1 keep their order.
static bool only_moves_ones(const hlo_shape *from, int32_t rank, const int64_t *order) {
  int64_t last = -1;
  for (int32_t i = 0; i < rank; i++) {
    if (from->dims[order[i]] == 1) continue;
    if (order[i] < last) return false;
    last = order[i];
  }
  return true;
}

hlo_status hlo_simplify_transpose(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operand = x->operands[0];
  const int64_t *order = dimensions_of(x);
  int32_t rank = x->shape->rank;
  int64_t composed[HLO_MAX_RANK];
  if (only_moves_ones(operand->shape, rank, order)) return build_reshape(x, operand, out, error);
  if (operand->opcode == HLO_OP_TRANSPOSE) {
    const int64_t *inner = dimensions_of(operand);
    for (int32_t i = 0; i < rank; i++) composed[i] = inner[order[i]];
    return build_moved(x, HLO_OP_TRANSPOSE, operand->operands[0], HLO_ATTRIBUTE_DIMENSIONS, rank,
                       composed, out, error);
  }
  if (operand->opcode == HLO_OP_BROADCAST) {
    const int64_t *inner = dimensions_of(operand);
    int32_t inner_rank = operand->operands[0]->shape->rank;
    for (int32_t i = 0; i < inner_rank; i++) {
      for (int32_t d = 0; d < rank; d++) {
        if (order[d] == inner[i]) composed[i] = d;
      }
    }
    return build_moved(x, HLO_OP_BROADCAST, operand->operands[0], HLO_ATTRIBUTE_DIMENSIONS,
                       inner_rank, composed, out, error);
  }
  return HLO_OK;
}

// A broadcast does not need the dimensions of size 1 that a reshape inserted into its operand:
// *kept are the dimensions of x that the reshape's operand has.
static bool skips_ones(const hlo_instruction *reshape, const int64_t *dimensions, int32_t *count,
                       int64_t *kept) {
  const hlo_shape *from = reshape->operands[0]->shape, *to = reshape->shape;
  int32_t i = 0;
  *count = from->rank;
  for (int32_t d = 0; d < to->rank; d++) {
    if (i < from->rank && from->dims[i] == to->dims[d]) kept[i++] = dimensions[d];
    else if (to->dims[d] != 1) return false;
  }
  return i == from->rank;
}

// The dimensions [*first, *end) of a shape whose product is one dimension of the reshaped shape;
// on entry *end is the end of the previous dimension's factors. False where that dimension splits
// one of the shape.
static bool match_factors(const hlo_shape *from, int64_t size, int32_t *first, int32_t *end) {
  int64_t product = 1;
  *first = *end;
  while (*end < from->rank && product < size) product *= from->dims[(*end)++];
  while (*end < from->rank && from->dims[*end] == 1) (*end)++;
  return product == size;
}

// Broadcast, reshape, broadcast, as in nearest-neighbour upsampling, becomes one broadcast and one
// reshape. `outer` is a broadcast of a reshape of `inner`, a broadcast.
static hlo_status repeat_once(const hlo_instruction *outer, const hlo_instruction *inner,
                              hlo_instruction **out, hlo_error *error) {
  const hlo_shape *joined = outer->operands[0]->shape, *from = inner->shape;
  int32_t first[HLO_MAX_RANK], end[HLO_MAX_RANK], at = 0, rank = 0;
  int64_t dims[HLO_MAX_RANK], place[HLO_MAX_RANK], composed[HLO_MAX_RANK];
  if (hlo_shape_elements(from) == 0) return HLO_OK;
  for (int32_t j = 0; j < joined->rank; j++) {
    if (!match_factors(from, joined->dims[j], &first[j], &at)) return HLO_OK;
    end[j] = at;
  }
  if (at < from->rank || from->rank + outer->shape->rank > HLO_MAX_RANK) return HLO_OK;
  for (int32_t d = 0; d < outer->shape->rank; d++) {
    int32_t j = 0;
    while (j < joined->rank && dimensions_of(outer)[j] != d) j++;
    if (j == joined->rank) {
      dims[rank++] = outer->shape->dims[d];
      continue;
    }
    for (int32_t i = first[j]; i < end[j]; i++) {
      place[i] = rank;
      dims[rank++] = from->dims[i];
    }
  }
  hlo_instruction *source = inner->operands[0], *repeated;
  for (int32_t i = 0; i < source->shape->rank; i++) composed[i] = place[dimensions_of(inner)[i]];
  const hlo_shape *shape;
  HLO_TRY(hlo_shape_make(arena_of(outer), from->type, rank, dims, &shape, error));
  HLO_TRY(hlo_simplify_build_with_ints(outer, HLO_OP_BROADCAST, shape, 1, &source,
                                       HLO_ATTRIBUTE_DIMENSIONS, source->shape->rank, composed,
                                       &repeated, error));
  return build_reshape(outer, repeated, out, error);
}

hlo_status hlo_simplify_broadcast_op(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operand = x->operands[0];
  const int64_t *dimensions = dimensions_of(x);
  int64_t composed[HLO_MAX_RANK];
  int32_t count;
  bool ordered = true;
  for (int32_t i = 1; i < operand->shape->rank; i++) {
    ordered = ordered && dimensions[i] > dimensions[i - 1];
  }
  int64_t elements = hlo_shape_elements(x->shape);
  if (ordered && elements > 0 && elements == hlo_shape_elements(operand->shape)) {
    return build_reshape(x, operand, out, error);
  }
  if (operand->opcode == HLO_OP_BROADCAST) {
    const int64_t *inner = dimensions_of(operand);
    count = operand->operands[0]->shape->rank;
    for (int32_t i = 0; i < count; i++) composed[i] = dimensions[inner[i]];
    return build_moved(x, HLO_OP_BROADCAST, operand->operands[0], HLO_ATTRIBUTE_DIMENSIONS, count,
                       composed, out, error);
  }
  if (operand->opcode == HLO_OP_RESHAPE && skips_ones(operand, dimensions, &count, composed)) {
    return build_moved(x, HLO_OP_BROADCAST, operand->operands[0], HLO_ATTRIBUTE_DIMENSIONS, count,
                       composed, out, error);
  }
  if (operand->opcode == HLO_OP_RESHAPE && operand->operands[0]->opcode == HLO_OP_BROADCAST) {
    return repeat_once(x, operand->operands[0], out, error);
  }
  return HLO_OK;
}

hlo_status hlo_simplify_reverse(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  int32_t count, kept = 0;
  int64_t reversed[HLO_MAX_RANK];
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  for (int32_t i = 0; i < count; i++) {
    if (x->shape->dims[dimensions[i]] > 1) reversed[kept++] = dimensions[i];
  }
  if (kept == 0) return hlo_simplify_use(x, x->operands[0], out, error);
  if (kept == count) return HLO_OK;
  return build_moved(x, HLO_OP_REVERSE, x->operands[0], HLO_ATTRIBUTE_DIMENSIONS, kept, reversed,
                     out, error);
}

// --- slices ---

static const int64_t *slice_of(const hlo_instruction *x) {
  int32_t count;
  return hlo_get_ints(x, HLO_ATTRIBUTE_SLICE, &count);
}

static hlo_status build_slice(const hlo_instruction *x, hlo_instruction *operand,
                              const int64_t *slice, hlo_instruction **out, hlo_error *error) {
  return build_moved(x, HLO_OP_SLICE, operand, HLO_ATTRIBUTE_SLICE, 3 * x->shape->rank, slice, out,
                     error);
}

static hlo_status slice_slice(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  const hlo_instruction *inner = x->operands[0];
  const int64_t *a = slice_of(inner), *b = slice_of(x);
  int64_t slice[3 * HLO_MAX_RANK];
  for (int32_t d = 0; d < x->shape->rank; d++) {
    int64_t size = x->shape->dims[d];
    slice[3 * d] = a[3 * d] + b[3 * d] * a[3 * d + 2];
    slice[3 * d + 2] = size > 1 ? a[3 * d + 2] * b[3 * d + 2] : 1;
    slice[3 * d + 1] = slice[3 * d] + (size - 1) * slice[3 * d + 2] + 1;
  }
  return build_slice(x, inner->operands[0], slice, out, error);
}

// A slice that lies within one operand of a concatenation.
static hlo_status slice_concatenate(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  const hlo_instruction *whole = x->operands[0];
  const int64_t *old = slice_of(x);
  int64_t along = dimensions_of(whole)[0], start = 0, slice[3 * HLO_MAX_RANK];
  for (int32_t i = 0; i < 3 * x->shape->rank; i++) slice[i] = old[i];
  for (int32_t k = 0; k < whole->operand_count; k++) {
    int64_t end = start + whole->operands[k]->shape->dims[along];
    if (old[3 * along] >= start && old[3 * along + 1] <= end && start < end) {
      slice[3 * along] -= start;
      slice[3 * along + 1] -= start;
      return build_slice(x, whole->operands[k], slice, out, error);
    }
    start = end;
  }
  return HLO_OK;
}

// Only the dimensions that the broadcast has from its operand remain to be sliced.
static hlo_status slice_broadcast(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *inner = x->operands[0]->operands[0], *part;
  const int64_t *old = slice_of(x), *dimensions = dimensions_of(x->operands[0]);
  int64_t slice[3 * HLO_MAX_RANK], dims[HLO_MAX_RANK];
  int32_t rank = inner->shape->rank;
  const hlo_shape *shape;
  for (int32_t i = 0; i < rank; i++) {
    for (int32_t k = 0; k < 3; k++) slice[3 * i + k] = old[3 * dimensions[i] + k];
    dims[i] = x->shape->dims[dimensions[i]];
  }
  HLO_TRY(hlo_shape_make(arena_of(x), x->shape->type, rank, dims, &shape, error));
  part = inner;
  if (!hlo_shape_same_dimensions(shape, inner->shape))
    HLO_TRY(hlo_simplify_build_with_ints(x, HLO_OP_SLICE, shape, 1, &inner, HLO_ATTRIBUTE_SLICE,
                                         3 * rank, slice, &part, error));
  return build_moved(x, HLO_OP_BROADCAST, part, HLO_ATTRIBUTE_DIMENSIONS, rank, dimensions, out,
                     error);
}

hlo_status hlo_simplify_slice(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operand = x->operands[0];
  // A slice of equal dimensions is the identity, since strides are positive.
  if (hlo_shape_same_dimensions(x->shape, operand->shape)) {
    return hlo_simplify_use(x, operand, out, error);
  }
  if (hlo_shape_elements(x->shape) == 0) return HLO_OK;
  if (operand->opcode == HLO_OP_SLICE) return slice_slice(x, out, error);
  if (operand->opcode == HLO_OP_CONCATENATE) return slice_concatenate(x, out, error);
  if (operand->opcode == HLO_OP_BROADCAST) return slice_broadcast(x, out, error);
  return HLO_OK;
}

// The operands of a nested concatenation along the same dimension; else the operand itself.
static int32_t parts_of_operand(const hlo_instruction *x, int32_t k, hlo_instruction *const **out) {
  const hlo_instruction *operand = x->operands[k];
  bool joins =
      operand->opcode == HLO_OP_CONCATENATE && dimensions_of(operand)[0] == dimensions_of(x)[0];
  *out = joins ? operand->operands : &x->operands[k];
  return joins ? operand->operand_count : 1;
}

// Nested concatenations are flattened, up to a number of operands, which saves copies.
hlo_status hlo_simplify_concatenate(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  int64_t along = dimensions_of(x)[0];
  hlo_instruction **parts, *const *of_operand;
  int32_t count = 0, all = 0;
  if (hlo_shape_elements(x->shape) == 0) return HLO_OK;
  for (int32_t k = 0; k < x->operand_count; k++) all += parts_of_operand(x, k, &of_operand);
  bool joins = all > x->operand_count && all <= HLO_FUSE_MOST_CONCATENATED;
  HLO_ALLOC(parts, arena_of(x), joins ? all : x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) {
    int32_t own = parts_of_operand(x, k, &of_operand);
    if (!joins) of_operand = &x->operands[k], own = 1;
    for (int32_t i = 0; i < own; i++) {
      if (of_operand[i]->shape->dims[along] > 0) parts[count++] = of_operand[i];
    }
  }
  if (count == 1) return hlo_simplify_use(x, parts[0], out, error);
  if (count == x->operand_count && !joins) return HLO_OK;
  return hlo_simplify_build(x, HLO_OP_CONCATENATE, x->shape, count, parts, x->attribute_count,
                            x->attributes, out, error);
}

hlo_status hlo_simplify_pad(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  int32_t count;
  const int64_t *padding = hlo_get_ints(x, HLO_ATTRIBUTE_PADDING, &count);
  if (hlo_shape_elements(x->operands[0]->shape) == 0 && hlo_shape_elements(x->shape) > 0) {
    return hlo_simplify_broadcast(x->operands[1], x->shape, out, error);
  }
  for (int32_t d = 0; d < x->shape->rank; d++) {
    bool spread = padding[3 * d + 2] != 0 && x->operands[0]->shape->dims[d] > 1;
    if (padding[3 * d] != 0 || padding[3 * d + 1] != 0 || spread) return HLO_OK;
  }
  return hlo_simplify_use(x, x->operands[0], out, error);
}

// --- dynamic slices ---

// The constant start indices after the first `skipped` operands, clamped as the operation does.
static bool constant_starts(const hlo_instruction *x, int32_t skipped, const int64_t *sizes,
                            int64_t *starts) {
  const hlo_shape *shape = x->operands[0]->shape;
  if (x->operand_count != skipped + shape->rank) return false; // all in one vector
  for (int32_t d = 0; d < shape->rank; d++) {
    const hlo_instruction *index = x->operands[skipped + d];
    hlo_number number;
    int64_t room = shape->dims[d] - sizes[d];
    starts[d] = 0;
    if (room == 0) continue;
    if (!hlo_shape_is_scalar(index->shape) || !hlo_simplify_splat_value(index, &number)) {
      return false;
    }
    bool is_signed = number.type_class == HLO_CLASS_SIGNED;
    if (is_signed ? number.i >= room : number.u >= (uint64_t)room) starts[d] = room;
    else if (is_signed) starts[d] = number.i < 0 ? 0 : number.i;
    else starts[d] = (int64_t)number.u;
  }
  return true;
}

hlo_status hlo_simplify_dynamic_slice(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  int64_t starts[HLO_MAX_RANK], slice[3 * HLO_MAX_RANK];
  const hlo_shape *shape = x->operands[0]->shape;
  if (hlo_shape_same_dimensions(x->shape, shape)) {
    return hlo_simplify_use(x, x->operands[0], out, error);
  }
  if (!constant_starts(x, 1, x->shape->dims, starts)) return HLO_OK;
  for (int32_t d = 0; d < shape->rank; d++) {
    slice[3 * d] = starts[d];
    slice[3 * d + 1] = starts[d] + x->shape->dims[d];
    slice[3 * d + 2] = 1;
  }
  return build_slice(x, x->operands[0], slice, out, error);
}

hlo_status hlo_simplify_dynamic_update_slice(hlo_instruction *x, hlo_instruction **out,
                                             hlo_error *error) {
  hlo_instruction *update = x->operands[1];
  if (hlo_shape_same_dimensions(x->shape, update->shape)) {
    return hlo_simplify_use(x, update, out, error);
  }
  if (hlo_shape_elements(update->shape) > 0) return HLO_OK;
  return hlo_simplify_use(x, x->operands[0], out, error);
}
