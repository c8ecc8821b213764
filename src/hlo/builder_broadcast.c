// The broadcasting part of builder.h: "Broadcasting" of XLA's documentation made explicit.
// An operand is placed in the result's rank (its dimensions are mapped to the result's), then
// every dimension in which it has size 1 and the result has not is dropped by a reshape, and one
// broadcast fills in all that is missing.
#include "hlo/builder.h"
#include "hlo/infer/constraint.h"

#include <string.h>

enum { MAX_OPERANDS = 3 };

// Where the dimensions of one operand go: operand dimension d is result dimension to[d].
typedef struct placement {
  const hlo_shape *shape;
  int32_t rank;
  int64_t to[HLO_MAX_RANK];
} placement;

typedef struct broadcast_plan {
  const char *name; // of the operation, for messages
  int32_t rank;
  int64_t dims[HLO_MAX_RANK];
  bool dynamic[HLO_MAX_RANK];
  placement operands[MAX_OPERANDS];
} broadcast_plan;

// Appends "reshape (if need be) and broadcast" so that the result has dims; none when there is
// nothing to do.
static hlo_status expand(hlo_computation *computation, hlo_instruction *operand, const placement *p,
                         int32_t rank, const int64_t *dims, const bool *dynamic,
                         hlo_instruction **out, hlo_error *error) {
  hlo_arena *arena = &computation->module->arena;
  const hlo_shape *shape = p->shape;
  int64_t kept_dims[HLO_MAX_RANK], kept_to[HLO_MAX_RANK];
  bool kept_dynamic[HLO_MAX_RANK];
  int32_t kept = 0;
  bool identity = shape->rank == rank;
  for (int32_t d = 0; d < shape->rank; d++) {
    identity = identity && p->to[d] == d && shape->dims[d] == dims[d];
    if (shape->dims[d] != dims[p->to[d]]) continue;
    kept_dims[kept] = shape->dims[d];
    kept_dynamic[kept] = hlo_shape_is_dynamic_in(shape, d);
    kept_to[kept++] = p->to[d];
  }
  *out = operand;
  if (identity) return HLO_OK;
  const hlo_shape *reshaped, *result;
  hlo_attribute attribute;
  HLO_TRY(hlo_shape_make_dynamic(arena, shape->type, rank, dims, dynamic, &result, error));
  HLO_TRY(
      hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_DIMENSIONS, kept, kept_to, &attribute, error));
  if (kept < shape->rank) {
    HLO_TRY(hlo_shape_make_dynamic(arena, shape->type, kept, kept_dims, kept_dynamic, &reshaped,
                                   error));
    HLO_TRY(
        hlo_build(computation, HLO_OP_RESHAPE, reshaped, 1, &operand, 0, NULL, &operand, error));
  }
  return hlo_build(computation, HLO_OP_BROADCAST, result, 1, &operand, 1, &attribute, out, error);
}

static hlo_status check_lower_count(const broadcast_plan *plan, const hlo_shape *shape,
                                    int32_t count, hlo_error *error) {
  if (count == shape->rank) return HLO_OK;
  char text[HLO_SHAPE_TEXT_SIZE];
  hlo_shape_to_text(text, shape);
  if (count == 0)
    return hlo_fail(error, HLO_SHAPE_ERROR,
                    "%s: an operand of rank %d does not broadcast to rank %d without "
                    "broadcast_dimensions: %s",
                    plan->name, shape->rank, plan->rank, text);
  return hlo_fail(error, HLO_SHAPE_ERROR,
                  "%s: broadcast_dimensions must have one entry for each of %d dimensions, not "
                  "%d: %s",
                  plan->name, shape->rank, count, text);
}

// broadcast_dimensions say where an operand of lower rank goes; they must increase strictly.
static hlo_status place_lower(const broadcast_plan *plan, placement *p, int32_t count,
                              const int64_t *dimensions, hlo_error *error) {
  HLO_TRY(check_lower_count(plan, p->shape, count, error));
  for (int32_t d = 0; d < count; d++) {
    if (dimensions[d] < 0 || dimensions[d] >= plan->rank)
      return hlo_fail(error, HLO_SHAPE_ERROR,
                      "%s: broadcast dimension %lld is out of range for a result of rank %d",
                      plan->name, (long long)dimensions[d], plan->rank);
    if (d > 0 && dimensions[d] <= dimensions[d - 1])
      return hlo_fail(error, HLO_SHAPE_ERROR,
                      "%s: broadcast_dimensions must be strictly increasing: %lld follows %lld",
                      plan->name, (long long)dimensions[d], (long long)dimensions[d - 1]);
    p->to[d] = dimensions[d];
  }
  return HLO_OK;
}

// With all operands of the same rank broadcast_dimensions may only say what goes without saying.
static hlo_status check_identity(const broadcast_plan *plan, int32_t count,
                                 const int64_t *dimensions, hlo_error *error) {
  bool identity = count == 0 || count == plan->rank;
  for (int32_t d = 0; identity && d < count; d++) identity = dimensions[d] == d;
  if (identity) return HLO_OK;
  return hlo_fail(error, HLO_SHAPE_ERROR,
                  "%s: broadcast_dimensions for operands of one rank must be 0, 1, … up to their "
                  "rank %d",
                  plan->name, plan->rank);
}

static hlo_status place_operands(broadcast_plan *plan, int32_t operand_count, int32_t count,
                                 const int64_t *dimensions, hlo_error *error) {
  bool lower = false;
  for (int32_t k = 0; k < operand_count; k++)
    if (plan->operands[k].shape->rank > plan->rank) plan->rank = plan->operands[k].shape->rank;
  for (int32_t k = 0; k < operand_count; k++) {
    placement *p = &plan->operands[k];
    if (p->shape->rank == plan->rank)
      for (int32_t d = 0; d < plan->rank; d++) p->to[d] = d;
    else {
      lower = true;
      if (p->shape->rank > 0) HLO_TRY(place_lower(plan, p, count, dimensions, error));
    }
  }
  return lower ? HLO_OK : check_identity(plan, count, dimensions, error);
}

// Sizes that meet in a dimension must be equal or 1; the result has the one that is not 1.
static hlo_status combine_sizes(broadcast_plan *plan, int32_t operand_count, hlo_error *error) {
  const hlo_shape *origin[HLO_MAX_RANK]; // whose size the result has
  for (int32_t d = 0; d < plan->rank; d++) {
    plan->dims[d] = 1;
    plan->dynamic[d] = false;
    origin[d] = NULL;
  }
  for (int32_t k = 0; k < operand_count; k++) {
    const placement *p = &plan->operands[k];
    for (int32_t d = 0; d < p->shape->rank; d++) {
      int64_t size = p->shape->dims[d], to = p->to[d];
      if (hlo_shape_is_dynamic_in(p->shape, d)) plan->dynamic[to] = true;
      if (size == 1 || size == plan->dims[to]) continue;
      if (plan->dims[to] != 1) {
        char text_a[HLO_SHAPE_TEXT_SIZE], text_b[HLO_SHAPE_TEXT_SIZE];
        return hlo_fail(error, HLO_SHAPE_ERROR,
                        "%s: sizes %lld and %lld do not go together in dimension %lld: %s and %s",
                        plan->name, (long long)plan->dims[to], (long long)size, (long long)to,
                        hlo_shape_to_text(text_a, origin[to]), hlo_shape_to_text(text_b, p->shape));
      }
      plan->dims[to] = size;
      origin[to] = p->shape;
    }
  }
  return HLO_OK;
}

// Everything that can be wrong with the operation itself, found before anything is appended.
static hlo_status try_operation(hlo_computation *computation, hlo_opcode opcode,
                                const broadcast_plan *plan, int32_t operand_count,
                                int32_t attribute_count, const hlo_attribute *attributes,
                                hlo_error *error) {
  hlo_arena *arena = &computation->module->arena;
  hlo_instruction stand_ins[MAX_OPERANDS], *operands[MAX_OPERANDS];
  for (int32_t k = 0; k < operand_count; k++) {
    stand_ins[k] = (hlo_instruction){.opcode = HLO_OP_PARAMETER, .computation = computation};
    HLO_TRY(hlo_shape_make_dynamic(arena, plan->operands[k].shape->type, plan->rank, plan->dims,
                                   plan->dynamic, &stand_ins[k].shape, error));
    operands[k] = &stand_ins[k];
  }
  hlo_instruction trial = {.opcode = opcode,
                           .operand_count = operand_count,
                           .operands = operands,
                           .attribute_count = attribute_count,
                           .attributes = (hlo_attribute *)attributes, // only read
                           .computation = computation};
  const hlo_shape *shape;
  return hlo_infer_shape(&trial, NULL, arena, &shape, error);
}

hlo_status hlo_build_elementwise(hlo_computation *computation, hlo_opcode opcode,
                                 int32_t operand_count, hlo_instruction *const *operands,
                                 int32_t broadcast_count, const int64_t *broadcast_dimensions,
                                 int32_t attribute_count, const hlo_attribute *attributes,
                                 hlo_instruction **out, hlo_error *error) {
  bool arrays = (unsigned)opcode < HLO_OP_COUNT && operand_count <= MAX_OPERANDS;
  broadcast_plan plan = {.name = arrays ? hlo_op_get(opcode)->name : ""};
  for (int32_t k = 0; arrays && k < operand_count; k++) {
    arrays = operands[k] != NULL && operands[k]->computation == computation &&
             hlo_shape_is_array(operands[k]->shape);
    if (arrays) plan.operands[k].shape = operands[k]->shape;
  }
  if (!arrays) // a select between tuples, or an error that hlo_build words
    return hlo_build(computation, opcode, NULL, operand_count, operands, attribute_count,
                     attributes, out, error);
  HLO_TRY(place_operands(&plan, operand_count, broadcast_count, broadcast_dimensions, error));
  HLO_TRY(combine_sizes(&plan, operand_count, error));
  HLO_TRY(
      try_operation(computation, opcode, &plan, operand_count, attribute_count, attributes, error));
  hlo_instruction *expanded[MAX_OPERANDS];
  for (int32_t k = 0; k < operand_count; k++)
    HLO_TRY(expand(computation, operands[k], &plan.operands[k], plan.rank, plan.dims, plan.dynamic,
                   &expanded[k], error));
  return hlo_build(computation, opcode, NULL, operand_count, expanded, attribute_count, attributes,
                   out, error);
}
