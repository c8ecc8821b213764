// Elementwise work on a concatenation is done on its operands, where slices read only those. See
// passes.h.
#include "hlo/rewrite.h"
#include "kernels/machine.h"
#include "passes/passes.h"
#include "passes/simplify/simplify.h"

// Analysis of one instruction of the computation; tables are indexed by id.
typedef struct split_info {
  const hlo_instruction *like;  // the concatenation along whose operands it can be split, or NULL
  const hlo_instruction *slice; // a slice that reads it, or NULL
  bool is_apart;                // each user reads one part only
  bool is_split;                // a user reads single parts of it
} split_info;

static int64_t dimension_of(const hlo_instruction *concatenate) {
  int32_t count;
  return hlo_get_ints(concatenate, HLO_ATTRIBUTE_DIMENSIONS, &count)[0];
}

static bool is_plain(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && !hlo_shape_is_dynamic(shape) &&
         hlo_layout_is_default(shape->layout);
}

static bool is_concatenation(const hlo_instruction *x) {
  if (x->opcode != HLO_OP_CONCATENATE || x->operand_count < 2) return false;
  if (x->operand_count > HLO_PARTS_MOST || hlo_shape_elements(x->shape) < HLO_PARTS_FEWEST_ELEMENTS)
    return false;
  for (int32_t k = 0; k < x->operand_count; k++) {
    if (!is_plain(x->operands[k]->shape)) return false;
  }
  return is_plain(x->shape);
}

static bool has_same_parts(const hlo_instruction *a, const hlo_instruction *b) {
  int64_t d = dimension_of(a);
  if (a == b) return true;
  if (d != dimension_of(b) || a->operand_count != b->operand_count) return false;
  for (int32_t k = 0; k < a->operand_count; k++) {
    if (a->operands[k]->shape->dims[d] != b->operands[k]->shape->dims[d]) return false;
  }
  return hlo_shape_same_dimensions(a->shape, b->shape);
}

// Propagates `like` from the operands of an elementwise instruction.
static void propagate_from_operands(const hlo_instruction *x, split_info *table) {
  if (!hlo_op_is_elementwise(x->opcode) || !is_plain(x->shape)) return;
  const hlo_instruction *like = NULL;
  for (int32_t k = 0; k < x->operand_count; k++) {
    const hlo_instruction *operand = x->operands[k], *other = table[operand->id].like;
    if (operand->shape->rank == 0) continue;
    if (!is_plain(operand->shape) || !hlo_shape_same_dimensions(operand->shape, x->shape)) return;
    if (other == NULL) continue;
    if (like != NULL && !has_same_parts(like, other)) return;
    like = other;
  }
  table[x->id].like = like;
}

// The part that a slice lies in, or NULL.
static const hlo_instruction *part_containing(const hlo_instruction *slice,
                                              const hlo_instruction *like) {
  int32_t count;
  int64_t d = dimension_of(like), start = 0;
  const int64_t *range = hlo_get_ints(slice, HLO_ATTRIBUTE_SLICE, &count) + 3 * d;
  for (int32_t k = 0; k < like->operand_count; k++) {
    int64_t end = start + like->operands[k]->shape->dims[d];
    if (range[0] >= start && range[1] <= end) return like->operands[k];
    start = end;
  }
  return NULL;
}

// Whether splitting x costs nothing: it is the same for all parts, a broadcast, or split by slices
// already.
static bool is_cheap_in_parts(const hlo_instruction *x, const split_info *own,
                              const hlo_instruction *like) {
  if (x->shape->rank == 0 || x->opcode == HLO_OP_BROADCAST) return true;
  const hlo_instruction *part = own->slice == NULL ? NULL : part_containing(own->slice, like);
  return part != NULL && hlo_shape_same_dimensions(own->slice->shape, part->shape);
}

static void propagate_from_uses(const hlo_instruction *x, split_info *table) {
  for (int32_t k = 0; k < x->operand_count; k++) {
    split_info *operand = &table[x->operands[k]->id];
    if (x->opcode == HLO_OP_SLICE) operand->slice = x;
    if (operand->like == NULL) continue;
    bool reads_part = x->opcode == HLO_OP_SLICE
                          ? part_containing(x, operand->like) != NULL
                          : table[x->id].like != NULL && table[x->id].is_apart;
    if (reads_part) operand->is_split = true;
    else operand->is_apart = false;
  }
}

// Splitting pays if an operand exists in parts already. If x is also used as a whole, that operand
// must be split for another user, too, and splitting the others must cost nothing.
static bool is_split(const hlo_instruction *x, const split_info *table) {
  bool any = false;
  const split_info *own = &table[x->id];
  for (int32_t k = 0; k < x->operand_count; k++) {
    const hlo_instruction *operand = x->operands[k];
    const split_info *other = &table[operand->id];
    bool is_concatenated = other->like != NULL && operand->opcode == HLO_OP_CONCATENATE;
    bool has_parts = other->like != NULL && other->is_split;
    any = any || has_parts || (own->is_apart && is_concatenated);
    if (own->is_apart || is_concatenated || has_parts) continue;
    if (!is_cheap_in_parts(operand, other, own->like)) return false;
  }
  return any;
}

static void analyse(const hlo_computation *computation, split_info *table) {
  int32_t count = computation->instruction_count;
  for (int32_t i = 0; i < count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    table[i] =
        (split_info){.like = is_concatenation(x) ? x : NULL, .is_apart = x != computation->root};
    propagate_from_operands(x, table);
  }
  for (int32_t i = count - 1; i >= 0; i--) propagate_from_uses(computation->instructions[i], table);
  for (int32_t i = 0; i < count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    if (x->opcode == HLO_OP_CONCATENATE || table[i].like == NULL) continue;
    table[i].is_split = is_split(x, table);
  }
}

static hlo_status build_part(hlo_instruction *x, const hlo_instruction *like, int32_t part,
                             int64_t start, hlo_instruction **out, hlo_error *error) {
  hlo_arena *arena = &x->computation->module->arena;
  const hlo_shape *size = like->operands[part]->shape, *shape;
  int64_t d = dimension_of(like), slice[3 * HLO_MAX_RANK];
  if (x->shape->rank == 0) {
    *out = x;
    return HLO_OK;
  }
  if (x->opcode == HLO_OP_CONCATENATE && is_concatenation(x) && has_same_parts(x, like)) {
    *out = x->operands[part];
    return HLO_OK;
  }
  HLO_TRY(hlo_shape_make(arena, x->shape->type, size->rank, size->dims, &shape, error));
  if (x->opcode == HLO_OP_BROADCAST && x->operands[0]->shape->rank == 0) {
    return hlo_simplify_broadcast(x->operands[0], shape, out, error);
  }
  for (int32_t i = 0; i < size->rank; i++) {
    slice[3 * i] = i == d ? start : 0;
    slice[3 * i + 1] = slice[3 * i] + size->dims[i];
    slice[3 * i + 2] = 1;
  }
  return hlo_simplify_build_with_ints(x, HLO_OP_SLICE, shape, 1, &x, HLO_ATTRIBUTE_SLICE,
                                      3 * size->rank, slice, out, error);
}

// Replaces x by a concatenation of its parts, so that a slice of one part is independent of the
// others.
static hlo_status split_elementwise(void *context, hlo_instruction *x,
                                    hlo_instruction **replacement, hlo_error *error) {
  const split_info *own = &((const split_info *)context)[x->id];
  if (own->like == NULL || x->opcode == HLO_OP_CONCATENATE || !own->is_split) return HLO_OK;
  hlo_arena *arena = &x->computation->module->arena;
  hlo_instruction *parts[HLO_PARTS_MOST], **operands;
  int64_t start = 0, d = dimension_of(own->like);
  HLO_ALLOC(operands, arena, x->operand_count, error);
  for (int32_t part = 0; part < own->like->operand_count; part++) {
    const hlo_shape *size = own->like->operands[part]->shape, *shape;
    for (int32_t k = 0; k < x->operand_count; k++)
      HLO_TRY(build_part(x->operands[k], own->like, part, start, &operands[k], error));
    HLO_TRY(hlo_shape_make(arena, x->shape->type, size->rank, size->dims, &shape, error));
    HLO_TRY(hlo_simplify_build(x, x->opcode, shape, x->operand_count, operands, x->attribute_count,
                               x->attributes, &parts[part], error));
    start += size->dims[d];
  }
  return hlo_simplify_build_with_ints(x, HLO_OP_CONCATENATE, x->shape, own->like->operand_count,
                                      parts, HLO_ATTRIBUTE_DIMENSIONS, 1, &d, replacement, error);
}

static bool has_concatenation(const hlo_computation *computation) {
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    if (is_concatenation(computation->instructions[i])) return true;
  }
  return false;
}

hlo_status hlo_pass_concatenations(hlo_module *module, hlo_error *error) {
  hlo_arena scratch = {0};
  hlo_status status = HLO_OK;
  for (int32_t c = 0; c < module->computation_count && status == HLO_OK; c++) {
    hlo_computation *computation = module->computations[c];
    if (!has_concatenation(computation)) continue;
    split_info *table =
        hlo_arena_array(&scratch, (size_t)computation->instruction_count, sizeof *table);
    if (table == NULL) status = hlo_fail_out_of_memory(error);
    else {
      analyse(computation, table);
      status = hlo_computation_rewrite(computation, split_elementwise, table, error);
    }
  }
  hlo_arena_free(&scratch);
  return status;
}
