// Maps under construction. See rules.h.
#include "indexing/rules/rules.h"

const hlo_shape *hlo_rule_operand_shape(const hlo_rule_request *r, int32_t operand) {
  return r->x->operands[operand]->shape;
}

const hlo_shape *hlo_operand_leaf_shape(const hlo_instruction *x, int32_t leaf) {
  for (int32_t k = 0; k < x->operand_count; k++) {
    int32_t count = hlo_shape_leaf_count(x->operands[k]->shape);
    if (leaf < count) return hlo_shape_leaf(x->operands[k]->shape, leaf);
    leaf -= count;
  }
  return NULL;
}

static int32_t highest_rank(const hlo_shape *shape) {
  int32_t highest = 0;
  for (int32_t i = 0; i < hlo_shape_leaf_count(shape); i++) {
    int32_t rank = hlo_shape_leaf(shape, i)->rank;
    if (rank > highest) highest = rank;
  }
  return highest;
}

// Of one kind no rule needs more variables than an array here has dimensions, but for window
// positions and one or two features more; and at most two constraints for each.
static int32_t count_room(const hlo_instruction *x) {
  int32_t highest = highest_rank(x->shape);
  for (int32_t k = 0; k < x->operand_count; k++) {
    int32_t rank = highest_rank(x->operands[k]->shape);
    if (rank > highest) highest = rank;
  }
  return 2 * highest + 2;
}

static hlo_status start(hlo_rule_request *r, hlo_map_builder *b, int32_t room, hlo_error *error) {
  hlo_arena *arena = hlo_affine_arena(r->context);
  *b = (hlo_map_builder){.context = r->context};
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++)
    HLO_ALLOC(b->variables[kind], arena, room, error);
  HLO_ALLOC(b->results, arena, room, error);
  HLO_ALLOC(b->constraints, arena, 2 * room, error);
  HLO_ALLOC(b->runtimes, arena, room, error);
  for (int32_t i = 0; i < room; i++) b->results[i] = hlo_affine_constant(r->context, 0);
  return HLO_OK;
}

hlo_status hlo_map_start(hlo_rule_request *r, hlo_map_builder *b, hlo_error *error) {
  if (r->room == 0) r->room = count_room(r->x);
  return start(r, b, r->room, error);
}

static const hlo_affine *add_variable(hlo_map_builder *b, hlo_affine_kind kind,
                                      hlo_interval range) {
  int32_t index = b->fields.variable_count[kind]++;
  b->variables[kind][index].range = range;
  return hlo_affine_variable(b->context, kind, index);
}

const hlo_affine *hlo_map_add_range(hlo_map_builder *b, int64_t size) {
  return add_variable(b, HLO_AFFINE_RANGE, hlo_interval_make(0, size - 1));
}

const hlo_affine *hlo_map_add_runtime(hlo_map_builder *b, hlo_interval clamp,
                                      const hlo_instruction *producer, int32_t rank,
                                      const hlo_affine *const *position) {
  b->runtimes[b->fields.variable_count[HLO_AFFINE_RUNTIME]] = (hlo_indexing_runtime){
      .producer = producer, .rank = rank, .position = position, .clamp = clamp};
  return add_variable(b, HLO_AFFINE_RUNTIME, clamp);
}

void hlo_map_add_variables(hlo_map_builder *b, hlo_affine_kind kind, const hlo_shape *shape,
                           const hlo_affine **all) {
  for (int32_t d = 0; d < shape->rank; d++)
    all[d] = add_variable(b, kind, hlo_interval_make(0, shape->dims[d] - 1));
}

void hlo_map_set_result(hlo_map_builder *b, int32_t i, const hlo_affine *result) {
  b->results[i] = result;
  if (b->fields.result_count <= i) b->fields.result_count = i + 1;
}

void hlo_map_add_constraint(hlo_map_builder *b, const hlo_affine *expression, hlo_interval range) {
  if (hlo_affine_is_variable(expression)) {
    hlo_interval *own = &b->variables[expression->kind][expression->index].range;
    *own = hlo_interval_intersect(*own, range);
  } else b->constraints[b->fields.constraint_count++] = (hlo_map_constraint){expression, range};
}

void hlo_map_limit(hlo_map_builder *b, const hlo_affine *index, int64_t size) {
  hlo_map_add_constraint(b, index, hlo_interval_make(0, size - 1));
}

const hlo_affine *hlo_map_add_strided(hlo_map_builder *b, const hlo_affine *position,
                                      int64_t stride, int64_t size) {
  const hlo_affine *divisor = hlo_affine_constant(b->context, stride);
  const hlo_affine *index = hlo_affine_floordiv(b->context, position, divisor);
  if (stride > 1)
    hlo_map_add_constraint(b, hlo_affine_mod(b->context, position, divisor),
                           hlo_interval_make(0, 0));
  hlo_map_limit(b, index, size);
  return index;
}

static hlo_status finish(hlo_map_builder *b, hlo_indexing *out, hlo_error *error) {
  for (int kind = 0; kind < HLO_AFFINE_VARIABLE_KINDS; kind++)
    b->fields.variables[kind] = b->variables[kind];
  b->fields.results = b->results;
  b->fields.constraints = b->constraints;
  out->runtimes = b->runtimes;
  return hlo_map_create(b->context, &b->fields, &out->map, error);
}

hlo_status hlo_map_finish(hlo_rule_request *r, hlo_map_builder *b, int32_t set, hlo_error *error) {
  hlo_indexing indexing;
  HLO_TRY(finish(b, &indexing, error));
  return hlo_indexing_set_add(r->context, &r->sets[set], &indexing, error);
}

hlo_status hlo_map_finish_simplified(hlo_rule_request *r, hlo_map_builder *b, int32_t set,
                                     uint32_t flags, hlo_error *error) {
  hlo_indexing indexing;
  HLO_TRY(finish(b, &indexing, error));
  HLO_TRY(hlo_indexing_simplify(r->context, &indexing, flags, &indexing, error));
  return hlo_indexing_set_add(r->context, &r->sets[set], &indexing, error);
}

// --- maps that many rules share ---

hlo_status hlo_add_identity(hlo_rule_request *r, const hlo_shape *shape, int32_t set,
                            hlo_error *error) {
  hlo_map_builder b;
  const hlo_affine *dims[HLO_MAX_RANK];
  HLO_TRY(start(r, &b, shape->rank, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, shape, dims);
  for (int32_t d = 0; d < shape->rank; d++) hlo_map_set_result(&b, d, dims[d]);
  return hlo_map_finish(r, &b, set, error);
}

hlo_status hlo_add_to_scalar(hlo_rule_request *r, const hlo_shape *from, int32_t set,
                             hlo_error *error) {
  hlo_map_builder b;
  const hlo_affine *dims[HLO_MAX_RANK];
  HLO_TRY(start(r, &b, from->rank, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, from, dims);
  return hlo_map_finish(r, &b, set, error);
}

hlo_status hlo_add_to_everything(hlo_rule_request *r, const hlo_shape *from, const hlo_shape *to,
                                 int32_t set, hlo_error *error) {
  hlo_map_builder b;
  const hlo_affine *dims[HLO_MAX_RANK], *ranges[HLO_MAX_RANK];
  HLO_TRY(start(r, &b, from->rank + to->rank, error));
  hlo_map_add_variables(&b, HLO_AFFINE_DIM, from, dims);
  hlo_map_add_variables(&b, HLO_AFFINE_RANGE, to, ranges);
  for (int32_t d = 0; d < to->rank; d++) hlo_map_set_result(&b, d, ranges[d]);
  return hlo_map_finish(r, &b, set, error);
}
