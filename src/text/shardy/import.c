// Imports sdy.manual_computation, which is what shard_map exports: every device of the mesh runs
// the body on its part of the arguments. Devices are processes here (interpreter.run_parallel), so
// the arguments are split into shards and the results assembled from them. Other operations of the
// dialect, and axes that are not manual, only place arrays, which changes no value. (An unreduced
// array is the sum over the devices; as an argument, one device gets it and the others zeros, as in
// XLA.) See text/stablehlo/import/import.h.
#include "text/stablehlo/import/import.h"
#include "hlo/attributes/sharding.h"
#include "text/shardy/sdy.h"

#include <string.h>

// One manual computation.
typedef struct manual {
  stablehlo_importer *im;
  const mlir_operation *op;
  sdy_mesh mesh;
  bool is_manual[SDY_MAX_AXES]; // others split nothing as far as the body can see
  sdy_sharding *in, *out;
} manual;

// Into how many parts a dimension is split, and which of them the device has.
static int64_t parts_along(const manual *m, const sdy_sharding *sharding, int32_t dimension,
                           int32_t device, int64_t *which) {
  return hlo_sdy_parts(&m->mesh, m->is_manual, sharding, dimension, device, which);
}

// The parts of an array of the shape are of the other shape.
static hlo_status check_parts(const manual *m, const char *what, int32_t index,
                              const sdy_sharding *sharding, const hlo_shape *whole,
                              const hlo_shape *part, hlo_error *error) {
  char a[HLO_SHAPE_TEXT_SIZE], b[HLO_SHAPE_TEXT_SIZE];
  bool fits = hlo_shape_is_array(whole) && hlo_shape_is_array(part) && whole->type == part->type &&
              whole->rank == sharding->rank && part->rank == whole->rank;
  for (int32_t d = 0; fits && d < whole->rank; d++) {
    int64_t which, parts = parts_along(m, sharding, d, 0, &which);
    fits = whole->dims[d] % parts == 0 && whole->dims[d] / parts == part->dims[d];
  }
  if (fits) return HLO_OK;
  return hlo_import_fail(m->op, HLO_SHAPE_ERROR, error, "%s %d is %s, whose parts are not %s", what,
                         (int)index, hlo_shape_to_text(a, whole), hlo_shape_to_text(b, part));
}

static int32_t first_share(const manual *m, const sdy_sharding *sharding, int32_t device) {
  return hlo_sdy_first_share(&m->mesh, m->is_manual, sharding, device);
}

static hlo_status build_zeros(const manual *m, const hlo_shape *shape, hlo_instruction **out,
                              hlo_error *error) {
  return hlo_import_number(m->im, shape, 0, out, error);
}

// The device's part of an operand.
static hlo_status cut(const manual *m, const sdy_sharding *sharding, int32_t device,
                      hlo_instruction *whole, const hlo_shape *part, hlo_instruction **out,
                      hlo_error *error) {
  enum { START, LIMIT, STRIDE, FIELDS };
  int64_t slice[HLO_MAX_RANK * FIELDS];
  hlo_attribute attribute;
  *out = whole;
  if (first_share(m, sharding, device) != device) return build_zeros(m, part, out, error);
  if (hlo_shape_same_dimensions(whole->shape, part)) return HLO_OK;
  for (int32_t d = 0; d < part->rank; d++) {
    int64_t which, *field = slice + (ptrdiff_t)d * FIELDS;
    parts_along(m, sharding, d, device, &which);
    field[START] = which * part->dims[d];
    field[LIMIT] = field[START] + part->dims[d];
    field[STRIDE] = 1;
  }
  HLO_TRY(hlo_attribute_make_ints(&m->im->module->arena, HLO_ATTRIBUTE_SLICE, part->rank * FIELDS,
                                  slice, &attribute, error));
  return hlo_import_emit(m->im, HLO_OP_SLICE, part, 1, &whole, 1, &attribute, out, error);
}

// The first device that has part index[d] along each dimension d.
static int32_t device_with(const manual *m, const sdy_sharding *sharding, const int64_t *index) {
  for (int32_t device = 0; device < m->mesh.device_count; device++) {
    bool fits = true;
    for (int32_t d = 0; fits && d < sharding->rank; d++) {
      int64_t which;
      parts_along(m, sharding, d, device, &which);
      fits = which == index[d];
    }
    if (fits) return device;
  }
  return 0;
}

static int32_t process_of(const sdy_mesh *mesh, int32_t device) {
  return mesh->device_ids == NULL ? device : (int32_t)mesh->device_ids[device];
}

// The part of result `number` with that index: one device's, or, where axes are unreduced, a sum.
static hlo_status sum_of_parts(const manual *m, hlo_instruction *tuple, int32_t number,
                               const int64_t *index, hlo_instruction **out, hlo_error *error) {
  const sdy_sharding *sharding = &m->out[number];
  int32_t first = device_with(m, sharding, index);
  *out = NULL;
  for (int32_t device = first; device < m->mesh.device_count; device++) {
    if (first_share(m, sharding, device) != first) continue;
    int32_t process = process_of(&m->mesh, device);
    hlo_instruction *both[2] = {*out};
    HLO_TRY(
        hlo_import_element(m->im, tuple, process * m->op->result_count + number, &both[1], error));
    *out = both[1];
    if (both[0] == NULL) continue;
    HLO_TRY(hlo_import_emit(m->im, HLO_OP_ADD, both[1]->shape, 2, both, 0, NULL, out, error));
  }
  return HLO_OK;
}

// Result `number` from dimension d on, with the parts before it fixed. The processes' results stand
// process by process in the tuple.
static hlo_status assemble(const manual *m, hlo_instruction *tuple, int32_t number, int32_t d,
                           int64_t *index, hlo_instruction **out, hlo_error *error) {
  const sdy_sharding *sharding = &m->out[number];
  if (d == sharding->rank) return sum_of_parts(m, tuple, number, index, out, error);
  int64_t which, parts = parts_along(m, sharding, d, 0, &which);
  hlo_instruction **pieces;
  HLO_ALLOC(pieces, &m->im->parser->tree, parts, error);
  for (index[d] = 0; index[d] < parts; index[d]++)
    HLO_TRY(assemble(m, tuple, number, d + 1, index, &pieces[index[d]], error));
  *out = pieces[0];
  if (parts == 1) return HLO_OK;
  int64_t dims[HLO_MAX_RANK], dimension = d;
  const hlo_shape *piece = pieces[0]->shape, *shape;
  for (int32_t i = 0; i < piece->rank; i++) dims[i] = piece->dims[i] * (i == d ? parts : 1);
  hlo_arena *arena = &m->im->module->arena;
  hlo_attribute attribute;
  HLO_TRY(hlo_shape_make(arena, piece->type, piece->rank, dims, &shape, error));
  HLO_TRY(
      hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &dimension, &attribute, error));
  return hlo_import_emit(m->im, HLO_OP_CONCATENATE, shape, (int32_t)parts, pieces, 1, &attribute,
                         out, error);
}

// --- shares that go from one manual computation to the next ---

// An unreduced result: what an operand that is unreduced alike has shares of already.
typedef struct shared_result {
  const hlo_instruction *value;
  hlo_instruction *tuple;
  int32_t number;
  const manual *of;
} shared_result;

static hlo_status keep_shares(const manual *m, hlo_instruction *tuple, int32_t number,
                              const hlo_instruction *value, hlo_error *error) {
  shared_result *kept;
  manual *copy;
  if (m->out[number].unreduced_count == 0) return HLO_OK;
  HLO_ALLOC(kept, &m->im->parser->tree, 1, error);
  HLO_ALLOC(copy, &m->im->parser->tree, 1, error);
  *copy = *m;
  *kept = (shared_result){value, tuple, number, copy};
  return hlo_mlir_list_add(m->im->parser, &m->im->shared_results, kept, error);
}

static bool is_split_alike(const manual *a, const sdy_sharding *in_a, const manual *b,
                           const sdy_sharding *in_b) {
  bool alike = in_a->rank == in_b->rank && a->mesh.device_count == b->mesh.device_count;
  for (int32_t device = 0; alike && device < a->mesh.device_count; device++) {
    alike = process_of(&a->mesh, device) == process_of(&b->mesh, device) &&
            first_share(a, in_a, device) == first_share(b, in_b, device);
    for (int32_t d = 0; alike && d < in_a->rank; d++) {
      int64_t which_a, which_b;
      int64_t parts_a = parts_along(a, in_a, d, device, &which_a);
      alike = parts_a == parts_along(b, in_b, d, device, &which_b) && which_a == which_b;
    }
  }
  return alike;
}

// NULL: the operand is no such result.
static const shared_result *find_shared_result(const manual *m, int32_t operand,
                                               const hlo_instruction *value) {
  const mlir_list *list = &m->im->shared_results;
  for (int32_t i = 0; m->in[operand].unreduced_count > 0 && i < list->count; i++) {
    const shared_result *shared = list->items[i];
    if (shared->value == value &&
        is_split_alike(m, &m->in[operand], shared->of, &shared->of->out[shared->number]))
      return shared;
  }
  return NULL;
}

// What a device has of an operand.
static hlo_status build_part(const manual *m, int32_t operand, int32_t device,
                             hlo_instruction *whole, const hlo_shape *part, hlo_instruction **out,
                             hlo_error *error) {
  const shared_result *shared = find_shared_result(m, operand, whole);
  if (shared == NULL) return cut(m, &m->in[operand], device, whole, part, out, error);
  int32_t first = process_of(&m->mesh, device) * shared->of->op->result_count;
  return hlo_import_element(m->im, shared->tuple, first + shared->number, out, error);
}

// --- one manual computation inside another ---

// The process has a position along all axes already: it slices its shard of its own array, runs the
// body, and processes that differ in the axes of a dimension put their results together.

// This process's entry of a table by devices.
static hlo_status own_entry(const manual *m, const int32_t *by_device, hlo_instruction **out,
                            hlo_error *error) {
  hlo_arena *arena = &m->im->module->arena;
  int64_t devices = m->mesh.device_count, one = 1;
  const hlo_shape *list, *single;
  hlo_literal *table;
  hlo_instruction *operands[2];
  hlo_attribute attribute;
  HLO_TRY(hlo_shape_make(arena, HLO_S32, 1, &devices, &list, error));
  HLO_TRY(hlo_shape_make(arena, HLO_S32, 1, &one, &single, error));
  HLO_ALLOC(table, arena, 1, error);
  HLO_TRY(hlo_literal_make(arena, list, table, error));
  for (int32_t device = 0; device < devices; device++)
    ((int32_t *)table->data)[process_of(&m->mesh, device)] = by_device[device];
  HLO_TRY(hlo_import_constant(m->im, table, list, &operands[0], error));
  HLO_TRY(hlo_import_emit(m->im, HLO_OP_PARTITION_ID, hlo_shape_scalar(HLO_U32), 0, NULL, 0, NULL,
                          &operands[1], error));
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES, 1, &one, &attribute,
                                  error));
  HLO_TRY(
      hlo_import_emit(m->im, HLO_OP_DYNAMIC_SLICE, single, 2, operands, 1, &attribute, out, error));
  return hlo_import_emit(m->im, HLO_OP_RESHAPE, hlo_shape_scalar(HLO_S32), 1, out, 0, NULL, out,
                         error);
}

// Which part this process has of dimension d, as the index of its first element.
static hlo_status own_start(const manual *m, const sdy_sharding *sharding, int32_t d, int64_t size,
                            hlo_instruction **out, hlo_error *error) {
  int32_t *starts;
  HLO_ALLOC(starts, &m->im->parser->tree, m->mesh.device_count, error);
  for (int32_t device = 0; device < m->mesh.device_count; device++) {
    int64_t which;
    parts_along(m, sharding, d, device, &which);
    starts[device] = (int32_t)(which * size);
  }
  return own_entry(m, starts, out, error);
}

// Zeros, unless this process is the one that has the unreduced array.
static hlo_status keep_own_share(const manual *m, const sdy_sharding *sharding, hlo_instruction **x,
                                 hlo_error *error) {
  int32_t *is_first;
  hlo_instruction *operands[3], *zero;
  const hlo_shape *shape = (*x)->shape, *all;
  if (sharding->unreduced_count == 0) return HLO_OK;
  HLO_ALLOC(is_first, &m->im->parser->tree, m->mesh.device_count, error);
  for (int32_t device = 0; device < m->mesh.device_count; device++)
    is_first[device] = first_share(m, sharding, device) == device;
  HLO_TRY(own_entry(m, is_first, &operands[0], error));
  HLO_TRY(hlo_import_number(m->im, operands[0]->shape, 0, &zero, error));
  HLO_TRY(hlo_import_compare(m->im, "NE", operands[0], zero, &operands[0], error));
  HLO_TRY(hlo_import_shape_like(m->im, shape, HLO_PRED, &all, error));
  HLO_TRY(hlo_import_broadcast_to(m->im, operands[0], all, 0, NULL, &operands[0], error));
  operands[1] = *x;
  HLO_TRY(build_zeros(m, shape, &operands[2], error));
  return hlo_import_emit(m->im, HLO_OP_SELECT, shape, 3, operands, 0, NULL, x, error);
}

static hlo_status cut_own(const manual *m, const sdy_sharding *sharding, hlo_instruction *whole,
                          const hlo_shape *part, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *operands[HLO_MAX_RANK + 1] = {whole};
  hlo_attribute attribute;
  *out = whole;
  if (hlo_shape_same_dimensions(whole->shape, part)) return HLO_OK;
  for (int32_t d = 0; d < part->rank; d++)
    HLO_TRY(own_start(m, sharding, d, part->dims[d], &operands[d + 1], error));
  HLO_TRY(hlo_attribute_make_ints(&m->im->module->arena, HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES,
                                  part->rank, part->dims, &attribute, error));
  return hlo_import_emit(m->im, HLO_OP_DYNAMIC_SLICE, part, part->rank + 1, operands, 1, &attribute,
                         out, error);
}

// The device that has the first part along dimension d, and is elsewhere where this one is.
static int32_t first_along(const manual *m, const sdy_sharding *sharding, int32_t d,
                           int32_t device) {
  for (int32_t i = 0; i < sharding->dimensions[d].count; i++) {
    const sdy_part *part = &sharding->dimensions[d].parts[i];
    if (m->is_manual[part->axis]) device = hlo_sdy_first_along(&m->mesh, device, part);
  }
  return device;
}

// The all-reduce of an unreduced array over the processes that share it.
static hlo_status sum_shares(const manual *m, const sdy_sharding *sharding, hlo_instruction **x,
                             hlo_error *error) {
  int32_t devices = m->mesh.device_count;
  int64_t *first, *numbers;
  hlo_attribute attributes[HLO_SHARE_SUM_ATTRIBUTES];
  hlo_computation *sum;
  if (sharding->unreduced_count == 0) return HLO_OK;
  HLO_ALLOC(first, &m->im->parser->tree, devices, error);
  HLO_ALLOC(numbers, &m->im->parser->tree, devices, error);
  for (int32_t device = 0; device < devices; device++) {
    first[device] = first_share(m, sharding, device);
    numbers[device] = process_of(&m->mesh, device);
  }
  HLO_TRY(hlo_import_add_computation(m->im, (*x)->shape->type, &sum, error));
  HLO_TRY(hlo_share_sum_attributes(&m->im->module->arena, devices, first, numbers, sum, attributes,
                                   error));
  return hlo_import_emit(m->im, HLO_OP_ALL_REDUCE, (*x)->shape, 1, x, HLO_SHARE_SUM_ATTRIBUTES,
                         attributes, x, error);
}

// Rows of processes that have the parts 0, 1, … along dimension d and are alike elsewhere.
static hlo_status groups_along(const manual *m, const sdy_sharding *sharding, int32_t d,
                               int64_t parts, hlo_attribute *out, hlo_error *error) {
  hlo_arena *arena = &m->im->module->arena;
  int32_t devices = m->mesh.device_count, rows = 0;
  int32_t *row_of;
  int64_t *ints, *lengths, which;
  HLO_ALLOC(ints, arena, devices, error);
  HLO_ALLOC(lengths, arena, devices, error);
  HLO_ALLOC(row_of, &m->im->parser->tree, devices, error);
  for (int32_t device = 0; device < devices; device++) { // a first one comes before its others
    int32_t first = first_along(m, sharding, d, device);
    if (first == device) {
      row_of[device] = rows;
      lengths[rows++] = parts;
    }
    parts_along(m, sharding, d, device, &which);
    ints[row_of[first] * parts + which] = process_of(&m->mesh, device);
  }
  *out = (hlo_attribute){.id = HLO_ATTRIBUTE_REPLICA_GROUPS,
                         .count = devices,
                         .ints = ints,
                         .row_count = rows,
                         .row_lengths = lengths};
  return HLO_OK;
}

static hlo_status gather_parts(const manual *m, const sdy_sharding *sharding, hlo_instruction *part,
                               hlo_instruction **out, hlo_error *error) {
  *out = part;
  for (int64_t d = 0; d < sharding->rank; d++) {
    int64_t which, parts = parts_along(m, sharding, (int32_t)d, 0, &which), dims[HLO_MAX_RANK];
    const hlo_shape *shape = (*out)->shape;
    hlo_attribute attributes[4];
    if (parts == 1) continue;
    for (int32_t i = 0; i < shape->rank; i++) dims[i] = shape->dims[i] * (i == d ? parts : 1);
    hlo_arena *arena = &m->im->module->arena;
    HLO_TRY(hlo_shape_make(arena, shape->type, shape->rank, dims, &shape, error));
    HLO_TRY(groups_along(m, sharding, (int32_t)d, parts, &attributes[0], error));
    HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &d, &attributes[1], error));
    attributes[2] = hlo_attribute_make_int(HLO_ATTRIBUTE_CHANNEL_ID, 1);
    attributes[3] = hlo_attribute_make_int(HLO_ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, 1);
    HLO_TRY(hlo_import_emit(m->im, HLO_OP_ALL_GATHER, shape, 1, out, 4, attributes, out, error));
  }
  return HLO_OK;
}

static hlo_status run_inside(const manual *m, hlo_computation *body, hlo_instruction **operands,
                             hlo_error *error) {
  hlo_attribute callee;
  hlo_instruction *call, *part, *whole;
  for (int32_t i = 0; i < m->op->operand_count; i++) {
    HLO_TRY(cut_own(m, &m->in[i], operands[i], body->parameters[i]->shape, &operands[i], error));
    HLO_TRY(keep_own_share(m, &m->in[i], &operands[i], error));
  }
  HLO_TRY(hlo_attribute_make_computation(&m->im->module->arena, HLO_ATTRIBUTE_TO_APPLY, body,
                                         &callee, error));
  HLO_TRY(hlo_import_emit(m->im, HLO_OP_CALL, body->root->shape, m->op->operand_count, operands, 1,
                          &callee, &call, error));
  for (int32_t i = 0; i < m->op->result_count; i++) {
    part = call;
    if (m->op->result_count > 1) HLO_TRY(hlo_import_element(m->im, call, i, &part, error));
    HLO_TRY(sum_shares(m, &m->out[i], &part, error));
    HLO_TRY(gather_parts(m, &m->out[i], part, &whole, error));
    HLO_TRY(hlo_import_set_result(m->op, i, whole, error));
  }
  return HLO_OK;
}

// --- reading ---

static hlo_status find_mesh(stablehlo_importer *im, const mlir_operation *op, const char *name,
                            sdy_mesh *out, hlo_error *error) {
  for (int32_t i = 0; i < im->meshes.count; i++) {
    const mlir_operation *mesh = im->meshes.items[i];
    const mlir_attribute *found = hlo_mlir_find_attribute(mesh, "sym_name");
    if (found != NULL && found->text != NULL && strcmp(found->text, name) == 0)
      return hlo_sdy_mesh(im->parser, mesh, out, error);
  }
  return hlo_import_fail(op, HLO_PARSE_ERROR, error, "there is no mesh @%.*s", 100, name);
}

static hlo_status read_shardings(manual *m, hlo_error *error) {
  mlir_parser *p = m->im->parser;
  const mlir_attribute *in = hlo_mlir_find_attribute(m->op, "in_shardings"),
                       *out = hlo_mlir_find_attribute(m->op, "out_shardings"),
                       *axes = hlo_mlir_find_attribute(m->op, "manual_axes");
  const char *name;
  HLO_TRY(hlo_sdy_mesh_of(p, in, &name, &m->mesh, error));
  if (name == NULL && m->mesh.device_count == 0)
    HLO_TRY(hlo_sdy_mesh_of(p, out, &name, &m->mesh, error));
  if (m->mesh.device_count == 0) m->mesh.device_count = 1;
  if (name != NULL) HLO_TRY(find_mesh(m->im, m->op, name, &m->mesh, error));
  HLO_ALLOC(m->in, &p->tree, m->op->operand_count, error);
  HLO_ALLOC(m->out, &p->tree, m->op->result_count, error);
  HLO_TRY(hlo_sdy_shardings(p, in, name, &m->mesh, m->op->operand_count, m->in, error));
  HLO_TRY(hlo_sdy_shardings(p, out, name, &m->mesh, m->op->result_count, m->out, error));
  return hlo_sdy_axes(p, axes, &m->mesh, m->is_manual, error);
}

static hlo_status check_body(const manual *m, const hlo_computation *body,
                             hlo_instruction *const *operands, hlo_error *error) {
  int32_t results = m->op->result_count;
  const hlo_shape *returned = body->root->shape, *whole;
  bool fits =
      body->parameter_count == m->op->operand_count && hlo_shape_leaf_count(returned) == results;
  if (!fits)
    return hlo_import_fail(m->op, HLO_SHAPE_ERROR, error,
                           "the body does not have an argument for each operand and a value for "
                           "each result");
  for (int32_t i = 0; i < m->op->operand_count; i++) {
    HLO_TRY(check_parts(m, "operand", i, &m->in[i], operands[i]->shape, body->parameters[i]->shape,
                        error));
  }
  for (int32_t i = 0; i < results; i++) {
    HLO_TRY(hlo_import_value_shape(m->op, &m->op->results[i], &whole, error));
    HLO_TRY(check_parts(m, "result", i, &m->out[i], whole, hlo_shape_leaf(returned, i), error));
  }
  return HLO_OK;
}

hlo_status hlo_import_manual_computation(stablehlo_importer *im, const mlir_operation *op,
                                         hlo_error *error) {
  manual m = {.im = im, .op = op};
  hlo_instruction **operands, **parts, *tuple, *result;
  hlo_computation *body, **bodies;
  const hlo_shape **shapes, *shape;
  if (op->region_count != 1) return hlo_import_fail(op, HLO_PARSE_ERROR, error, "needs a region");
  HLO_TRY(read_shardings(&m, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  im->manual_levels++;
  HLO_TRY(hlo_import_reducer(im, op, 0, &body, error));
  im->manual_levels--;
  HLO_TRY(check_body(&m, body, operands, error));
  if (im->manual_levels > 0) return run_inside(&m, body, operands, error);
  int32_t devices = m.mesh.device_count, results = op->result_count;
  HLO_ALLOC(bodies, &im->parser->tree, devices, error);
  HLO_ALLOC(parts, &im->parser->tree, (int64_t)devices * op->operand_count, error);
  HLO_ALLOC(shapes, &im->parser->tree, (int64_t)devices * results, error);
  for (int32_t device = 0; device < devices; device++) {
    int32_t process = process_of(&m.mesh, device);
    bodies[device] = body;
    for (int32_t i = 0; i < op->operand_count; i++)
      HLO_TRY(build_part(&m, i, device, operands[i], body->parameters[i]->shape,
                         &parts[process * op->operand_count + i], error));
    for (int32_t i = 0; i < results; i++)
      shapes[device * results + i] = hlo_shape_leaf(body->root->shape, i);
  }
  HLO_TRY(hlo_shape_make_tuple(&im->module->arena, devices * results, shapes, &shape, error));
  HLO_TRY(hlo_import_processes(im, 1, devices, devices, bodies, shape, devices * op->operand_count,
                               parts, &tuple, error));
  for (int32_t i = 0; i < results; i++) {
    int64_t index[HLO_MAX_RANK];
    HLO_TRY(assemble(&m, tuple, i, 0, index, &result, error));
    HLO_TRY(keep_shares(&m, tuple, i, result, error));
    HLO_TRY(hlo_import_set_result(op, i, result, error));
  }
  return HLO_OK;
}

// --- what changes no value ---

// In the program's view an array is whole, wherever its parts are, and an unreduced one is the sum
// already: collectives of this dialect, which say how it gets from one sharding to the next, keep
// its value.
hlo_status hlo_import_resharding(stablehlo_importer *im, const mlir_operation *op,
                                 hlo_error *error) {
  bool is_edge = strstr(op->name, "data_flow_edge") != NULL;
  const mlir_attribute *attribute = hlo_mlir_find_attribute(op, "out_sharding");
  const char *name;
  hlo_instruction *x;
  sdy_mesh mesh;
  sdy_sharding sharding;
  if (attribute == NULL) attribute = hlo_mlir_find_attribute(op, "sharding");
  HLO_TRY(hlo_import_operand_count(op, 1, error));
  HLO_TRY(hlo_import_operand(im, op, 0, &x, error));
  if (attribute != NULL || !is_edge) {
    HLO_TRY(hlo_sdy_mesh_of(im->parser, attribute, &name, &mesh, error));
    if (name != NULL) HLO_TRY(find_mesh(im, op, name, &mesh, error));
    HLO_TRY(hlo_sdy_shardings(im->parser, attribute, name, &mesh, 1, &sharding, error));
    bool is_whole = mesh.axis_count == 0; // on one device, for arrays of any rank
    if (!is_whole && hlo_shape_is_array(x->shape) && x->shape->rank != sharding.rank)
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                             "the sharding has %d dimensions, the array %d", (int)sharding.rank,
                             (int)x->shape->rank);
  }
  im->name = NULL;
  return hlo_import_set_results(im, op, x, error);
}

hlo_status hlo_import_named_computation(stablehlo_importer *im, const mlir_operation *op,
                                        hlo_error *error) {
  hlo_instruction **operands, *call;
  hlo_computation *body;
  hlo_attribute callee;
  if (op->region_count != 1) return hlo_import_fail(op, HLO_PARSE_ERROR, error, "needs a region");
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_reducer(im, op, 0, &body, error));
  HLO_TRY(hlo_attribute_make_computation(&im->module->arena, HLO_ATTRIBUTE_TO_APPLY, body, &callee,
                                         error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, HLO_OP_CALL, body->root->shape, op->operand_count, operands, 1,
                          &callee, &call, error));
  return hlo_import_set_results(im, op, call, error);
}
