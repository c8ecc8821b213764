// See actual_sizes.h. What XLA's dynamic dimension inference and its padder give together: results
// as if every array had its actual size.
#include "hlo/analysis/actual_sizes.h"

#include "hlo/attributes/ragged_dot.h"
#include "hlo/attributes/window.h"
#include "hlo/infer/constraint.h"

// An operand whose shape is still being cut.
typedef struct sized_operand {
  hlo_shape shape;
  int64_t *dims;
  bool *dynamic;
} sized_operand;

typedef struct sizing {
  hlo_instruction *x; // the copy
  sized_operand *operands;
  const hlo_instruction *bounds; // x with the operands' bounds
  hlo_arena *arena;
  hlo_error *error;
} sizing;

typedef hlo_status pairing_function(sizing *s);

static int64_t bound_of(const sizing *s, int32_t k, int32_t d) {
  return s->bounds->operands[k]->shape->dims[d];
}

// --- pairing: dimensions that must have one size ---

// Dimension d of operand k and dimension e of operand l. Wrong dimension numbers are left to the
// inference rule.
static hlo_status unify(sizing *s, int32_t k, int64_t d, int32_t l, int64_t e) {
  sized_operand *a = &s->operands[k], *b = &s->operands[l];
  if (d < 0 || d >= a->shape.rank || e < 0 || e >= b->shape.rank) return HLO_OK;
  if (a->dynamic[d] && b->dynamic[e] && a->dims[d] != b->dims[e]) {
    return hlo_instruction_fail(s->x, HLO_SHAPE_ERROR, s->error,
                                "dimension %lld of operand %d has %lld elements now, but dimension "
                                "%lld of operand %d has %lld",
                                (long long)d, (int)k, (long long)a->dims[d], (long long)e, (int)l,
                                (long long)b->dims[e]);
  }
  int64_t size = a->dynamic[d] ? a->dims[d] : b->dims[e];
  if (!a->dynamic[d] && !b->dynamic[e]) return HLO_OK;
  a->dims[d] = b->dims[e] = size;
  a->dynamic[d] = b->dynamic[e] = true;
  return HLO_OK;
}

// All dimensions, but for one, of operands first … first + count - 1; scalars go with anything.
static hlo_status unify_all_but(sizing *s, int32_t first, int32_t count, int64_t but) {
  int32_t widest = first;
  for (int32_t k = first; k < first + count; k++) {
    if (s->operands[k].shape.rank > s->operands[widest].shape.rank) widest = k;
  }
  for (int32_t k = first; k < first + count; k++) {
    if (s->operands[k].shape.rank != s->operands[widest].shape.rank) continue;
    for (int32_t d = 0; d < s->operands[widest].shape.rank; d++) {
      if (d != but) HLO_TRY(unify(s, widest, d, k, d));
    }
  }
  return HLO_OK;
}

static hlo_status unify_lists(sizing *s, int32_t k, hlo_attribute_id in_k, int32_t l,
                              hlo_attribute_id in_l) {
  int32_t count_k, count_l;
  const int64_t *dims_k = hlo_get_ints(s->x, in_k, &count_k);
  const int64_t *dims_l = hlo_get_ints(s->x, in_l, &count_l);
  for (int32_t i = 0; i < count_k && i < count_l; i++) {
    HLO_TRY(unify(s, k, dims_k[i], l, dims_l[i]));
  }
  return HLO_OK;
}

// What lies in dimension d of operand k beyond the size of dimension e of operand l is ignored.
static void cut(sizing *s, int32_t k, int32_t d, int32_t l, int32_t e) {
  sized_operand *a = &s->operands[k], *b = &s->operands[l];
  if (d >= a->shape.rank || e >= b->shape.rank || a->dims[d] <= b->dims[e]) return;
  a->dims[d] = b->dims[e];
  a->dynamic[d] = true;
}

static hlo_status pair_all(sizing *s) { return unify_all_but(s, 0, s->x->operand_count, -1); }
// Arrays, then as many start values.
static hlo_status pair_first_half(sizing *s) {
  return unify_all_but(s, 0, s->x->operand_count / 2, -1);
}
static hlo_status pair_concatenated(sizing *s) {
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(s->x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  return unify_all_but(s, 0, s->x->operand_count, count > 0 ? dimensions[0] : -1);
}
static hlo_status pair_sides(sizing *s, int32_t rhs) {
  HLO_TRY(unify_lists(s, 0, HLO_ATTRIBUTE_LHS_BATCH_DIMS, rhs, HLO_ATTRIBUTE_RHS_BATCH_DIMS));
  return unify_lists(s, 0, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS, rhs,
                     HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS);
}
static hlo_status pair_dot(sizing *s) { return pair_sides(s, 1); }
// A group size for each right matrix, for each index of the dimensions before the ragged one.
static hlo_status pair_ragged_dot(sizing *s) {
  HLO_TRY(pair_dot(s));
  hlo_ragged_dot ragged = hlo_ragged_dot_of(s->x);
  int32_t last = s->operands[2].shape.rank - 1, count;
  const int64_t *group_dims = hlo_get_ints(s->x, HLO_ATTRIBUTE_RHS_GROUP_DIMS, &count);
  for (int32_t i = 0; i < last && i < ragged.prefix_count; i++)
    HLO_TRY(unify(s, 2, i, 0, ragged.prefix[i]));
  return count == 1 ? unify(s, 2, last, 1, group_dims[0]) : HLO_OK;
}

// Dimension d of an operand consists of as many blocks as its scale has factors. Blocks are those
// of the bounds, whatever the sizes are.
static hlo_status pair_blocks(sizing *s, int32_t operand, int32_t scale, int32_t d) {
  sized_operand *a = &s->operands[operand], *b = &s->operands[scale];
  int64_t factors = bound_of(s, scale, d);
  int64_t block = factors == 0 ? 1 : bound_of(s, operand, d) / factors;
  if (!a->dynamic[d] && !b->dynamic[d]) return HLO_OK;
  if (block <= 1) return unify(s, operand, d, scale, d);
  if (!a->dynamic[d]) a->dims[d] = b->dims[d] * block;
  if (!b->dynamic[d]) b->dims[d] = a->dims[d] / block;
  a->dynamic[d] = b->dynamic[d] = true;
  if (a->dims[d] == b->dims[d] * block) return HLO_OK;
  return hlo_instruction_fail(s->x, HLO_SHAPE_ERROR, s->error,
                              "dimension %d of operand %d has %lld elements now, which are not "
                              "%lld blocks of %lld",
                              (int)d, (int)operand, (long long)a->dims[d], (long long)b->dims[d],
                              (long long)block);
}
static hlo_status pair_scaled_dot(sizing *s) {
  HLO_TRY(pair_sides(s, 1));
  for (int32_t k = 0; k < 2; k++)
    for (int32_t d = 0; d < s->operands[k + 2].shape.rank && d < s->operands[k].shape.rank; d++)
      HLO_TRY(pair_blocks(s, k, k + 2, d));
  return HLO_OK;
}
// A slice of less than the bound is of that size whatever the size is: it reads what lies there.
static void slice_within_bounds(sizing *s, hlo_attribute_id sizes_id) {
  int32_t count;
  const int64_t *sizes = hlo_get_ints(s->x, sizes_id, &count);
  for (int32_t d = 0; d < count; d++) {
    int64_t bound = bound_of(s, 0, d);
    if (sizes[d] == bound) continue;
    s->operands[0].dims[d] = bound;
    s->operands[0].dynamic[d] = false;
  }
}
static hlo_status pair_dynamic_slice(sizing *s) {
  slice_within_bounds(s, HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES);
  return HLO_OK;
}
static hlo_status pair_gather(sizing *s) {
  slice_within_bounds(s, HLO_ATTRIBUTE_SLICE_SIZES);
  return unify_lists(s, 0, HLO_ATTRIBUTE_OPERAND_BATCHING_DIMS, 1,
                     HLO_ATTRIBUTE_START_INDICES_BATCHING_DIMS);
}

// Inputs with each other, updates with each other; of an update the window dimensions are cut to
// the input's, and the others are the indices'.
static hlo_status pair_scatter(sizing *s) {
  const hlo_instruction *x = s->x;
  int32_t count = x->operand_count / 2, update = count + 1;
  if (count == 0) return HLO_OK;
  HLO_TRY(unify_all_but(s, 0, count, -1));
  HLO_TRY(unify_lists(s, 0, HLO_ATTRIBUTE_INPUT_BATCHING_DIMS, count,
                      HLO_ATTRIBUTE_SCATTER_INDICES_BATCHING_DIMS));
  int64_t vector = hlo_get_int(x, HLO_ATTRIBUTE_INDEX_VECTOR_DIM, -1);
  int32_t from = 0, batch = 0, rank = s->operands[0].shape.rank;
  for (int32_t d = 0; d < s->operands[update].shape.rank; d++) {
    if (!hlo_lists(x, HLO_ATTRIBUTE_UPDATE_WINDOW_DIMS, d)) {
      if (batch == vector) batch++;
      HLO_TRY(unify(s, update, d, count, batch++));
      continue;
    }
    while (from < rank && (hlo_lists(x, HLO_ATTRIBUTE_INSERTED_WINDOW_DIMS, from) ||
                           hlo_lists(x, HLO_ATTRIBUTE_INPUT_BATCHING_DIMS, from))) {
      from++;
    }
    cut(s, update, d, 0, from++);
  }
  return unify_all_but(s, update, count, -1);
}

// The features, unless they are grouped. (A window's size is the kernel's: adapt_attributes.)
static hlo_status pair_convolution(sizing *s) {
  hlo_convolution_dimensions labels;
  HLO_TRY(hlo_convolution_dimensions_read(s->x, &labels, s->error));
  if (hlo_get_int(s->x, HLO_ATTRIBUTE_FEATURE_GROUP_COUNT, 1) != 1) return HLO_OK;
  return unify(s, 0, labels.input_feature, 1, labels.kernel_input_feature);
}

static bool is_one_to_one(const int64_t *field) {
  return field[HLO_WINDOW_SIZE] == 1 && field[HLO_WINDOW_STRIDE] == 1 &&
         field[HLO_WINDOW_PAD_LOW] == 0 && field[HLO_WINDOW_PAD_HIGH] == 0;
}

// The source has one element for each position of the window.
static hlo_status pair_select_and_scatter(sizing *s) {
  sized_operand *operand = &s->operands[0], *source = &s->operands[1];
  const int64_t *fields;
  HLO_TRY(hlo_window_read(s->x, operand->shape.rank, &fields, s->error));
  for (int32_t d = 0; d < operand->shape.rank && d < source->shape.rank; d++) {
    int64_t positions;
    const int64_t *field = fields + (ptrdiff_t)d * HLO_WINDOW_FIELDS;
    if (!hlo_window_positions(field, operand->dims[d], &positions)) continue;
    // Elsewhere a source's size does not say the operand's.
    if (is_one_to_one(field)) HLO_TRY(unify(s, 0, d, 1, d));
    if (positions < source->dims[d]) source->dims[d] = positions;
    source->dynamic[d] |= operand->dynamic[d];
  }
  return HLO_OK;
}

static hlo_status pair_batch_norm(sizing *s) {
  int64_t feature = hlo_get_int(s->x, HLO_ATTRIBUTE_FEATURE_INDEX, -1);
  for (int32_t k = 1; k < s->x->operand_count; k++) {
    if (s->operands[k].shape.rank == 1) HLO_TRY(unify(s, 0, feature, k, 0));
    for (int32_t d = 0; s->operands[k].shape.rank > 1 && d < s->operands[k].shape.rank; d++) {
      HLO_TRY(unify(s, 0, d, k, d));
    }
  }
  return HLO_OK;
}

// Batch dimensions, and the side of b that stands beside the square a.
static hlo_status pair_triangular_solve(sizing *s) {
  int32_t rank = s->operands[0].shape.rank;
  bool left = hlo_get_int(s->x, HLO_ATTRIBUTE_LEFT_SIDE, 0) != 0;
  for (int32_t d = 0; d + 2 < rank; d++) HLO_TRY(unify(s, 0, d, 1, d));
  for (int32_t d = rank - 2; d < rank; d++) {
    HLO_TRY(unify(s, 0, d, 1, left ? rank - 2 : rank - 1));
  }
  return HLO_OK;
}

static hlo_status pair_square(sizing *s) {
  int32_t rank = s->operands[0].shape.rank;
  return unify(s, 0, rank - 2, 0, rank - 1);
}

static pairing_function *pairing_of(const hlo_instruction *x) {
  static const struct {
    hlo_opcode opcode;
    pairing_function *pair;
  } rows[] = {
      {HLO_OP_REDUCE, pair_first_half},
      {HLO_OP_REDUCE_WINDOW, pair_first_half},
      {HLO_OP_SORT, pair_all},
      {HLO_OP_CONCATENATE, pair_concatenated},
      {HLO_OP_DOT, pair_dot},
      {HLO_OP_RAGGED_DOT, pair_ragged_dot},
      {HLO_OP_SCALED_DOT, pair_scaled_dot},
      {HLO_OP_DYNAMIC_SLICE, pair_dynamic_slice},
      {HLO_OP_GATHER, pair_gather},
      {HLO_OP_SCATTER, pair_scatter},
      {HLO_OP_CONVOLUTION, pair_convolution},
      {HLO_OP_SELECT_AND_SCATTER, pair_select_and_scatter},
      {HLO_OP_BATCH_NORM_TRAINING, pair_batch_norm},
      {HLO_OP_BATCH_NORM_INFERENCE, pair_batch_norm},
      {HLO_OP_BATCH_NORM_GRAD, pair_batch_norm},
      {HLO_OP_TRIANGULAR_SOLVE, pair_triangular_solve},
      {HLO_OP_CHOLESKY, pair_square},
  };
  if (hlo_op_is_elementwise(x->opcode)) return pair_all;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (rows[i].opcode == x->opcode) return rows[i].pair;
  }
  return NULL;
}

// --- attributes that name sizes ---

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// Entry i of an attribute of integers, which belongs to dimension i / fields of operand 0.
static int64_t adapted(const sizing *s, const hlo_attribute *attribute, int32_t i,
                       const hlo_convolution_dimensions *labels) {
  int64_t value = attribute->ints[i];
  const sized_operand *operand = &s->operands[0];
  if (attribute->id == HLO_ATTRIBUTE_SLICE) {
    return i % 3 == 2 ? value : smaller(value, operand->dims[i / 3]);
  }
  if (attribute->id != HLO_ATTRIBUTE_WINDOW) return smaller(value, operand->dims[i]);
  int32_t window = i / HLO_WINDOW_FIELDS;
  if (labels == NULL || i % HLO_WINDOW_FIELDS != HLO_WINDOW_SIZE) return value;
  return smaller(value, s->operands[1].dims[labels->kernel_spatial[window]]);
}

static hlo_status adapt_attributes(sizing *s) {
  hlo_convolution_dimensions labels;
  bool is_convolution = s->x->opcode == HLO_OP_CONVOLUTION;
  if (is_convolution) HLO_TRY(hlo_convolution_dimensions_read(s->x, &labels, s->error));
  for (int32_t a = 0; a < s->x->attribute_count; a++) {
    hlo_attribute *attribute = &s->x->attributes[a];
    if (attribute->id != HLO_ATTRIBUTE_SLICE && attribute->id != HLO_ATTRIBUTE_SLICE_SIZES &&
        attribute->id != HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES && attribute->id != HLO_ATTRIBUTE_WINDOW)
      continue;
    int64_t *ints;
    HLO_ALLOC(ints, s->arena, attribute->count, s->error);
    for (int32_t i = 0; i < attribute->count; i++) {
      ints[i] = adapted(s, attribute, i, is_convolution ? &labels : NULL);
    }
    attribute->ints = ints;
  }
  return HLO_OK;
}

// --- results that the program states ---

static hlo_status broadcast_shape(sizing *s, const hlo_shape **out) {
  const hlo_shape *stated = s->x->shape;
  int64_t dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK] = {false};
  for (int32_t d = 0; d < stated->rank; d++) dims[d] = stated->dims[d];
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(s->x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  for (int32_t d = 0; d < count; d++) {
    if (!s->operands[0].dynamic[d]) continue;
    dims[dimensions[d]] = s->operands[0].dims[d];
    dynamic[dimensions[d]] = true;
  }
  return hlo_result_shape(s->x, s->arena, stated->type, stated->rank, dims, dynamic, out, s->error);
}

// Dimensions [from, to) of the operand that hold the same elements as [out_from, out_to) of the
// result, by their bounds.
typedef struct reshape_group {
  int32_t from, to, out_from, out_to;
} reshape_group;

// The dimension of the result that takes the size: the one that the program marks, or names as
// inferred, else the first that is not 1. -1: the program marks several.
static int32_t dynamic_dimension_of(const sizing *s, const reshape_group *group) {
  const hlo_shape *stated = s->x->shape;
  int32_t found = -1;
  for (int32_t d = group->out_from; d < group->out_to; d++) {
    if (!hlo_shape_is_dynamic_in(stated, d)) continue;
    if (found >= 0) return -1;
    found = d;
  }
  int64_t inferred = hlo_get_int(s->x, HLO_ATTRIBUTE_INFERRED_DIMENSION, -1);
  if (found < 0 && inferred >= group->out_from && inferred < group->out_to)
    found = (int32_t)inferred;
  for (int32_t d = group->out_from; found < 0 && d < group->out_to; d++) {
    if (stated->dims[d] != 1) found = d;
  }
  return found < 0 && group->out_from < group->out_to ? group->out_from : found;
}

static hlo_status reshape_dynamic_group(sizing *s, const reshape_group *group, int64_t *dims,
                                        bool *dynamic) {
  int64_t elements = 1, others = 1;
  for (int32_t d = group->from; d < group->to; d++) elements *= s->operands[0].dims[d];
  int32_t target = dynamic_dimension_of(s, group);
  for (int32_t d = group->out_from; d < group->out_to; d++) {
    if (d != target) others *= dims[d];
  }
  if (group->out_from == group->out_to && elements == 1) return HLO_OK;
  if (target < 0 || (others == 0 ? elements != 0 : elements % others != 0)) {
    char from[HLO_SHAPE_TEXT_SIZE], to[HLO_SHAPE_TEXT_SIZE];
    return hlo_instruction_fail(s->x, HLO_SHAPE_ERROR, s->error,
                                "cannot make %s of the %lld elements there are now in dimensions "
                                "%d to %d of %s",
                                hlo_shape_to_text(to, s->x->shape), (long long)elements,
                                (int)group->from, (int)group->to - 1,
                                hlo_shape_to_text(from, &s->operands[0].shape));
  }
  dims[target] = others == 0 ? 0 : elements / others;
  dynamic[target] = true;
  return HLO_OK;
}

// Elements keep their row-major order among those that are there. A group of dimensions with a
// dynamic one gives a group with one dynamic dimension.
static hlo_status reshape_shape(sizing *s, const hlo_shape **out) {
  const hlo_shape *stated = s->x->shape, *bounds = s->bounds->operands[0]->shape;
  int64_t dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK] = {false};
  for (int32_t d = 0; d < stated->rank; d++) dims[d] = stated->dims[d];
  for (int32_t i = 0, o = 0; i < bounds->rank;) {
    reshape_group group = {i, i, o, o};
    int64_t in = 1, outside = 1;
    do { // the smallest groups of equal products; dimensions of 1 go with the one before them
      if (in <= outside && i < bounds->rank) in *= bounds->dims[i++];
      else if (o < stated->rank) outside *= stated->dims[o++];
      else if (i < bounds->rank) in *= bounds->dims[i++];
      else break;
    } while (in != outside);
    if (i == bounds->rank) o = stated->rank;
    group.to = i;
    group.out_to = o;
    bool any = false;
    for (int32_t d = group.from; d < group.to; d++) any |= s->operands[0].dynamic[d];
    if (any) HLO_TRY(reshape_dynamic_group(s, &group, dims, dynamic));
  }
  return hlo_result_shape(s->x, s->arena, stated->type, stated->rank, dims, dynamic, out, s->error);
}

static hlo_status result_shape(sizing *s, const hlo_instruction *x, const hlo_shape **out) {
  if (x->opcode == HLO_OP_BROADCAST) return broadcast_shape(s, out);
  if (x->opcode == HLO_OP_RESHAPE || x->opcode == HLO_OP_BITCAST) {
    return reshape_shape(s, out);
  }
  if (x->opcode == HLO_OP_DYNAMIC_UPDATE_SLICE) {
    *out = &s->operands[0].shape;
    return HLO_OK;
  }
  return hlo_infer_rule(s->x, x->shape, s->arena, out, s->error);
}

// --- all together ---

static hlo_status copy_operands(sizing *s, const hlo_instruction *x,
                                const hlo_shape *const *shapes) {
  hlo_instruction *operands;
  HLO_ALLOC(operands, s->arena, x->operand_count, s->error);
  HLO_ALLOC(s->x->operands, s->arena, x->operand_count, s->error);
  HLO_ALLOC(s->operands, s->arena, x->operand_count, s->error);
  s->bounds = x;
  for (int32_t k = 0; k < x->operand_count; k++) {
    sized_operand *operand = &s->operands[k];
    int32_t rank = shapes[k]->rank;
    HLO_ALLOC(operand->dims, s->arena, rank, s->error);
    HLO_ALLOC(operand->dynamic, s->arena, rank, s->error);
    for (int32_t d = 0; d < rank; d++) {
      operand->dims[d] = shapes[k]->dims[d];
      operand->dynamic[d] = hlo_shape_is_dynamic_in(shapes[k], d);
    }
    operand->shape = (hlo_shape){
        .type = shapes[k]->type, .rank = rank, .dims = operand->dims, .dynamic = operand->dynamic};
    operands[k] = *x->operands[k];
    operands[k].shape = &operand->shape;
    s->x->operands[k] = &operands[k];
  }
  return HLO_OK;
}

hlo_status hlo_instruction_at_sizes(const hlo_instruction *x, const hlo_shape *const *operands,
                                    hlo_arena *arena, const hlo_instruction **out,
                                    hlo_error *error) {
  sizing s = {.arena = arena, .error = error};
  HLO_ALLOC(s.x, arena, 1, error);
  *s.x = *x;
  HLO_ALLOC(s.x->attributes, arena, x->attribute_count, error);
  for (int32_t a = 0; a < x->attribute_count; a++) s.x->attributes[a] = x->attributes[a];
  HLO_TRY(copy_operands(&s, x, operands));
  pairing_function *pair = pairing_of(x);
  // Twice, so that a size that comes in late reaches all.
  for (int32_t pass = 0; pair != NULL && pass < 2; pass++) HLO_TRY(pair(&s));
  HLO_TRY(adapt_attributes(&s));
  const hlo_shape *shape;
  HLO_TRY(result_shape(&s, x, &shape));
  s.x->shape = shape;
  *out = s.x;
  return HLO_OK;
}
