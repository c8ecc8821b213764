// Programs with per-device regions: SPMDFullToShardShape, SPMDShardToFullShape, and Shardy's
// xla.sdy.GlobalToLocalShape and xla.sdy.LocalToGlobalShape mark where it begins and ends. There
// each process slices its shard of an array, and all-gathers the shards again; as many processes
// run the program as there are devices. See passes.h.
#include "hlo/attributes/sharding.h"
#include "hlo/builder.h"
#include "hlo/rewrite.h"
#include "passes/passes.h"
#include "shape/literal.h"
#include "text/shardy/grids.h"

#include <string.h>

// An unreduced array, the sum over devices: this device's summand.
typedef struct shared_part {
  const hlo_instruction *whole;
  hlo_instruction *part;
  const hlo_sharding *sharding;
  const struct shared_part *next;
} shared_part;

typedef struct partitioning {
  hlo_module *module;
  int32_t devices; // 0: not known yet
  const shared_part *shared;
} partitioning;

// --- shardings of an instruction's arrays ---

// The value of a key in {key="value",…}, with its quotation marks; NULL: there is none.
static const char *find_value(const char *attributes, const char *key) {
  const char *at = attributes == NULL ? NULL : strstr(attributes, key);
  if (at == NULL || at[strlen(key)] != '=') return NULL;
  return at + strlen(key) + 1;
}

static hlo_status read_sdy(const partitioning *p, const hlo_instruction *x, bool to_parts,
                           hlo_sharding *out, hlo_error *error) {
  const char *attributes = hlo_get_text(x, HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES);
  const char *shardings =
      find_value(attributes, to_parts ? "xla.sdy.in_shardings" : "xla.sdy.out_shardings");
  const char *axes = find_value(attributes, "xla.sdy.manual_axes");
  int32_t *ranks;
  hlo_arena *arena = &p->module->arena;
  if (shardings == NULL || axes == NULL)
    return hlo_fail(error, HLO_SHAPE_ERROR, "lacks its shardings and manual axes");
  HLO_ALLOC(ranks, arena, x->operand_count, error);
  for (int32_t k = 0; k < x->operand_count; k++) ranks[k] = x->operands[k]->shape->rank;
  return hlo_sdy_grids(p->module->attributes_text, shardings, axes, x->operand_count, ranks, arena,
                       out, error);
}

// The sharding of the whole array, which is the operand or the result.
static hlo_status read_sharding(const partitioning *p, const hlo_instruction *x, bool to_parts,
                                hlo_sharding *out, hlo_error *error) {
  const hlo_instruction *whole = to_parts ? x->operands[0] : x;
  const char *text = hlo_get_text(whole, HLO_ATTRIBUTE_SHARDING);
  if (text == NULL)
    return hlo_fail(error, HLO_SHAPE_ERROR, "no sharding says which part a device has");
  return hlo_sharding_parse(text, &p->module->arena, out, error);
}

// The number of shards along dimension d: the quotient of the shapes, which the sharding must
// confirm.
static hlo_status parts_along(const hlo_sharding *sharding, const hlo_shape *whole,
                              const hlo_shape *part, int32_t d, int64_t *out, hlo_error *error) {
  char a[HLO_SHAPE_TEXT_SIZE], b[HLO_SHAPE_TEXT_SIZE];
  *out = 1;
  if (whole->dims[d] == part->dims[d]) return HLO_OK;
  int64_t tiles = d < sharding->rank ? sharding->tiles[d] : 1;
  *out = tiles;
  if (whole->dims[d] % tiles == 0 && whole->dims[d] / tiles == part->dims[d]) return HLO_OK;
  return hlo_fail(error, HLO_SHAPE_ERROR, "the parts of %s are not %s", hlo_shape_to_text(a, whole),
                  hlo_shape_to_text(b, part));
}

static hlo_status check_shapes(const hlo_shape *whole, const hlo_shape *part, hlo_error *error) {
  char a[HLO_SHAPE_TEXT_SIZE], b[HLO_SHAPE_TEXT_SIZE];
  bool fits = hlo_shape_is_array(whole) && hlo_shape_is_array(part) && whole->type == part->type &&
              whole->rank == part->rank && !hlo_shape_is_dynamic(whole) &&
              !hlo_shape_is_dynamic(part);
  if (fits) return HLO_OK;
  return hlo_fail(error, HLO_SHAPE_ERROR, "%s has no parts %s", hlo_shape_to_text(a, whole),
                  hlo_shape_to_text(b, part));
}

// The stride of dimension d of the grid in the list of devices.
static int64_t stride_of(const hlo_sharding *sharding, int32_t d) {
  int64_t stride = 1;
  for (int32_t k = d + 1; k < sharding->rank; k++) stride *= sharding->tiles[k];
  return stride;
}

// --- slicing a shard ---

// This device's entry of a table indexed by device, a scalar.
static hlo_status own_entry(hlo_computation *to, int64_t devices, const int32_t *entries,
                            hlo_instruction **out, hlo_error *error) {
  hlo_arena *arena = &to->module->arena;
  int64_t one = 1;
  const hlo_shape *list, *single;
  hlo_literal table;
  hlo_instruction *operands[2];
  hlo_attribute sizes;
  HLO_TRY(hlo_shape_make(arena, HLO_S32, 1, &devices, &list, error));
  HLO_TRY(hlo_shape_make(arena, HLO_S32, 1, &one, &single, error));
  HLO_TRY(hlo_literal_make(arena, list, &table, error));
  memcpy(table.data, entries, (size_t)devices * sizeof *entries);
  HLO_TRY(hlo_build_constant(to, &table, &operands[0], error));
  HLO_TRY(hlo_build(to, HLO_OP_PARTITION_ID, NULL, 0, NULL, 0, NULL, &operands[1], error));
  HLO_TRY(
      hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES, 1, &one, &sizes, error));
  HLO_TRY(hlo_build(to, HLO_OP_DYNAMIC_SLICE, single, 2, operands, 1, &sizes, out, error));
  return hlo_build_reshape(to, *out, 0, NULL, out, error);
}

// The offset of this device's shard along dimension d.
static hlo_status own_start(const hlo_sharding *sharding, int32_t d, int64_t size,
                            hlo_computation *to, hlo_instruction **out, hlo_error *error) {
  int64_t devices = sharding->device_count, stride = stride_of(sharding, d);
  int32_t *starts;
  HLO_ALLOC(starts, &to->module->arena, devices, error);
  for (int64_t i = 0; i < devices; i++)
    starts[sharding->devices[i]] = (int32_t)(i / stride % sharding->tiles[d] * size);
  return own_entry(to, devices, starts, out, error);
}

static hlo_status broadcast_scalar(hlo_instruction *x, const hlo_shape *shape,
                                   hlo_instruction **out, hlo_error *error) {
  hlo_attribute none;
  hlo_computation *to = x->computation;
  HLO_TRY(
      hlo_attribute_make_ints(&to->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 0, NULL, &none, error));
  return hlo_build(to, HLO_OP_BROADCAST, shape, 1, &x, 1, &none, out, error);
}

// Zeros, except on the device that holds the unreduced array.
static hlo_status keep_own_share(const hlo_sharding *sharding, hlo_instruction **x,
                                 hlo_error *error) {
  char zeros[16] = {0};
  hlo_computation *to = (*x)->computation;
  const hlo_shape *shape = (*x)->shape, *all;
  hlo_literal zero = {.shape = hlo_shape_scalar(shape->type), .data = zeros};
  hlo_instruction *operands[3] = {NULL, *x};
  int32_t *is_first;
  if (sharding->first_shares == NULL) return HLO_OK;
  HLO_ALLOC(is_first, &to->module->arena, sharding->device_count, error);
  for (int32_t i = 0; i < sharding->device_count; i++) is_first[i] = sharding->first_shares[i] == i;
  HLO_TRY(own_entry(to, sharding->device_count, is_first, &operands[0], error));
  HLO_TRY(hlo_build(to, HLO_OP_CONVERT, hlo_shape_scalar(HLO_PRED), 1, operands, 0, NULL,
                    &operands[0], error));
  HLO_TRY(hlo_shape_make(&to->module->arena, HLO_PRED, shape->rank, shape->dims, &all, error));
  HLO_TRY(broadcast_scalar(operands[0], all, &operands[0], error));
  HLO_TRY(hlo_build_constant(to, &zero, &operands[2], error));
  HLO_TRY(broadcast_scalar(operands[2], shape, &operands[2], error));
  return hlo_build(to, HLO_OP_SELECT, shape, 3, operands, 0, NULL, x, error);
}

static hlo_status build_part(const hlo_sharding *sharding, hlo_instruction *whole,
                             const hlo_shape *part, hlo_instruction **out, hlo_error *error) {
  hlo_computation *to = whole->computation;
  hlo_instruction *operands[HLO_MAX_RANK + 1] = {whole}, *zero;
  hlo_literal nothing = {.shape = hlo_shape_scalar(HLO_S32), .data = &(int32_t){0}};
  hlo_attribute sizes;
  HLO_TRY(hlo_build_constant(to, &nothing, &zero, error));
  for (int32_t d = 0; d < part->rank; d++) {
    int64_t parts;
    operands[d + 1] = zero;
    HLO_TRY(parts_along(sharding, whole->shape, part, d, &parts, error));
    if (parts > 1) HLO_TRY(own_start(sharding, d, part->dims[d], to, &operands[d + 1], error));
  }
  HLO_TRY(hlo_attribute_make_ints(&to->module->arena, HLO_ATTRIBUTE_DYNAMIC_SLICE_SIZES, part->rank,
                                  part->dims, &sizes, error));
  return hlo_build(to, HLO_OP_DYNAMIC_SLICE, part, part->rank + 1, operands, 1, &sizes, out, error);
}

// --- gathering shards ---

// Groups of devices that differ only in their shard along dimension d, in the order of the shards.
static hlo_status groups_along(const hlo_sharding *sharding, int32_t d, hlo_arena *arena,
                               hlo_attribute *out, hlo_error *error) {
  int64_t *ints, *lengths, parts = sharding->tiles[d], stride = stride_of(sharding, d);
  int32_t count = 0, rows = 0;
  HLO_ALLOC(ints, arena, sharding->device_count, error);
  HLO_ALLOC(lengths, arena, sharding->device_count, error);
  for (int64_t i = 0; i < sharding->device_count; i++) {
    if (i / stride % parts != 0) continue;
    for (int64_t k = 0; k < parts; k++) ints[count++] = sharding->devices[i + k * stride];
    lengths[rows++] = parts;
  }
  *out = (hlo_attribute){.id = HLO_ATTRIBUTE_REPLICA_GROUPS,
                         .count = count,
                         .ints = ints,
                         .row_count = rows,
                         .row_lengths = lengths};
  return HLO_OK;
}

// The all-reduce of an unreduced array over the devices that share it.
static hlo_status sum_shares(const hlo_sharding *sharding, hlo_instruction **x, hlo_error *error) {
  hlo_computation *to = (*x)->computation, *sum;
  hlo_attribute attributes[HLO_SHARE_SUM_ATTRIBUTES];
  if (sharding->first_shares == NULL) return HLO_OK;
  HLO_TRY(hlo_build_reducer(to->module, HLO_OP_ADD, (*x)->shape->type, &sum, error));
  HLO_TRY(hlo_share_sum_attributes(&to->module->arena, sharding->device_count,
                                   sharding->first_shares, NULL, sum, attributes, error));
  return hlo_build(to, HLO_OP_ALL_REDUCE, (*x)->shape, 1, x, HLO_SHARE_SUM_ATTRIBUTES, attributes,
                   x, error);
}

static hlo_status gather_parts(const hlo_sharding *sharding, hlo_instruction *part,
                               const hlo_shape *whole, hlo_instruction **out, hlo_error *error) {
  hlo_computation *to = part->computation;
  hlo_arena *arena = &to->module->arena;
  const hlo_shape *of_part = part->shape;
  *out = part;
  for (int64_t d = 0; d < whole->rank; d++) {
    int64_t parts, dims[HLO_MAX_RANK];
    const hlo_shape *shape = (*out)->shape;
    hlo_attribute attributes[4];
    HLO_TRY(parts_along(sharding, whole, of_part, (int32_t)d, &parts, error));
    if (parts == 1) continue;
    for (int32_t i = 0; i < shape->rank; i++) dims[i] = shape->dims[i] * (i == d ? parts : 1);
    HLO_TRY(hlo_shape_make(arena, shape->type, shape->rank, dims, &shape, error));
    HLO_TRY(groups_along(sharding, (int32_t)d, arena, &attributes[0], error));
    HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &d, &attributes[1], error));
    attributes[2] = hlo_attribute_make_int(HLO_ATTRIBUTE_CHANNEL_ID, 1);
    attributes[3] = hlo_attribute_make_int(HLO_ATTRIBUTE_USE_GLOBAL_DEVICE_IDS, 1);
    HLO_TRY(hlo_build(to, HLO_OP_ALL_GATHER, shape, 1, out, 4, attributes, out, error));
  }
  return HLO_OK;
}

// --- shares passed from one boundary to the next ---

static hlo_status keep_share(partitioning *p, const hlo_sharding *sharding, hlo_instruction *part,
                             const hlo_instruction *whole, hlo_error *error) {
  shared_part *kept;
  if (sharding->first_shares == NULL) return HLO_OK;
  HLO_ALLOC(kept, &p->module->arena, 1, error);
  *kept = (shared_part){whole, part, sharding, p->shared};
  p->shared = kept;
  return HLO_OK;
}

static bool same_grid(const hlo_sharding *a, const hlo_sharding *b) {
  bool same = a->rank == b->rank && a->device_count == b->device_count;
  for (int32_t d = 0; same && d < a->rank; d++) same = a->tiles[d] == b->tiles[d];
  for (int32_t i = 0; same && i < a->device_count; i++)
    same = a->devices[i] == b->devices[i] && a->first_shares[i] == b->first_shares[i];
  return same;
}

// The value of x, looking through annotations and tuples.
static const hlo_instruction *origin_of(const hlo_instruction *x) {
  for (;;) {
    const char *target = hlo_get_text(x, HLO_ATTRIBUTE_CUSTOM_CALL_TARGET);
    const hlo_instruction *from = x->operand_count > 0 ? x->operands[0] : NULL;
    if (target != NULL && strcmp(target, "Sharding") == 0 && from != NULL) x = from;
    else if (x->opcode == HLO_OP_GET_TUPLE_ELEMENT && from->opcode == HLO_OP_TUPLE)
      x = from->operands[hlo_get_int(x, HLO_ATTRIBUTE_INDEX, 0)];
    else return x;
  }
}

// This device's existing share of an array that is to be unreduced; NULL: none.
static hlo_instruction *find_share(const partitioning *p, const hlo_sharding *sharding,
                                   const hlo_instruction *whole, const hlo_shape *shape) {
  whole = origin_of(whole);
  for (const shared_part *s = p->shared; s != NULL && sharding->first_shares != NULL; s = s->next)
    if (s->whole == whole && same_grid(s->sharding, sharding) &&
        hlo_shape_compatible(s->part->shape, shape))
      return s->part;
  return NULL;
}

// --- one boundary ---

static hlo_status cross_one(partitioning *p, const hlo_sharding *sharding, bool to_parts,
                            hlo_instruction *operand, const hlo_shape *shape, hlo_instruction **out,
                            hlo_error *error) {
  HLO_TRY(
      check_shapes(to_parts ? operand->shape : shape, to_parts ? shape : operand->shape, error));
  if (sharding->rank > 0 && p->devices == 0) p->devices = sharding->device_count;
  if (sharding->rank > 0 && p->devices != sharding->device_count)
    return hlo_fail(error, HLO_UNSUPPORTED, "%d devices here, but %d elsewhere in the program",
                    (int)sharding->device_count, (int)p->devices);
  hlo_instruction *share = operand;
  *out = to_parts ? find_share(p, sharding, operand, shape) : NULL;
  if (to_parts && *out == NULL) {
    HLO_TRY(build_part(sharding, operand, shape, out, error));
    HLO_TRY(keep_own_share(sharding, out, error));
  } else if (!to_parts) {
    HLO_TRY(sum_shares(sharding, &operand, error));
    HLO_TRY(gather_parts(sharding, operand, shape, out, error));
  }
  if (!hlo_shape_equal((*out)->shape, shape))
    HLO_TRY(hlo_build(operand->computation, HLO_OP_COPY, shape, 1, out, 0, NULL, out, error));
  return to_parts ? HLO_OK : keep_share(p, sharding, share, *out, error);
}

static hlo_status cross(partitioning *p, const hlo_instruction *x,
                        const hlo_device_boundary *boundary, hlo_instruction **out,
                        hlo_error *error) {
  bool is_sdy = boundary->is_sdy, to_parts = boundary->to_parts;
  int32_t results = hlo_shape_is_tuple(x->shape) ? x->shape->element_count : 1;
  hlo_sharding *shardings;
  hlo_instruction **values;
  if (x->operand_count != results || (!is_sdy && results != 1))
    return hlo_fail(error, HLO_SHAPE_ERROR, "must have a result for each operand");
  HLO_ALLOC(shardings, &p->module->arena, results, error);
  HLO_ALLOC(values, &p->module->arena, results, error);
  if (is_sdy) HLO_TRY(read_sdy(p, x, to_parts, shardings, error));
  else HLO_TRY(read_sharding(p, x, to_parts, shardings, error));
  for (int32_t i = 0; i < results; i++)
    HLO_TRY(cross_one(p, &shardings[i], to_parts, x->operands[i], hlo_shape_element(x->shape, i),
                      &values[i], error));
  *out = values[0];
  if (!hlo_shape_is_tuple(x->shape)) return HLO_OK;
  return hlo_build(x->computation, HLO_OP_TUPLE, x->shape, results, values, 0, NULL, out, error);
}

static hlo_status rewrite_boundary(void *context, hlo_instruction *x, hlo_instruction **replacement,
                                   hlo_error *error) {
  const hlo_device_boundary *boundary = hlo_device_boundary_of(x);
  if (boundary == NULL) return HLO_OK;
  hlo_error reason;
  hlo_error_clear(&reason);
  hlo_status status = cross(context, x, boundary, replacement, &reason);
  if (status == HLO_OUT_OF_MEMORY) return hlo_fail_out_of_memory(error);
  return status == HLO_OK ? HLO_OK : hlo_instruction_fail(x, status, error, "%s", reason.message);
}

// --- as many processes as devices ---

static hlo_status describe_grid(const partitioning *p, const char **out, hlo_error *error) {
  hlo_string text = {0};
  hlo_string_add_format(&text, "{replicas = 1, partitions = %d}", (int)p->devices);
  hlo_status status = hlo_string_status(&text, error);
  if (status == HLO_OK) {
    *out = hlo_arena_copy_text(&p->module->arena, text.text, text.length);
    if (*out == NULL) status = hlo_fail_out_of_memory(error);
  }
  hlo_string_free(&text);
  return status;
}

// The entry becomes a program that all processes run on the same arguments. All results are equal:
// the first one's is returned.
static hlo_status run_everywhere(const partitioning *p, hlo_error *error) {
  hlo_module *module = p->module;
  hlo_arena *arena = &module->arena;
  hlo_computation *program = module->entry, *entry, **programs;
  hlo_instruction **operands, *all, *root;
  const hlo_shape **shapes, *shape;
  hlo_attribute attributes[4];
  const char *grid;
  int32_t count = program->parameter_count;
  HLO_ALLOC(programs, arena, p->devices, error);
  HLO_ALLOC(shapes, arena, p->devices, error);
  HLO_ALLOC(operands, arena, (int64_t)p->devices * count, error);
  HLO_TRY(describe_grid(p, &grid, error));
  HLO_TRY(hlo_computation_create(module, "main", &entry, error));
  for (int32_t k = 0; k < count; k++)
    HLO_TRY(hlo_build_parameter(entry, k, program->parameters[k]->shape,
                                program->parameters[k]->name, &operands[k], error));
  for (int32_t i = 0; i < p->devices; i++) {
    programs[i] = program;
    shapes[i] = program->root->shape;
    for (int32_t k = 0; k < count; k++) operands[i * count + k] = operands[k];
  }
  attributes[0] =
      hlo_attribute_make_text(HLO_ATTRIBUTE_CUSTOM_CALL_TARGET, "interpreter.run_parallel");
  attributes[1] = hlo_attribute_make_int(HLO_ATTRIBUTE_CUSTOM_CALL_HAS_SIDE_EFFECT, 1);
  attributes[2] = hlo_attribute_make_text(HLO_ATTRIBUTE_BACKEND_CONFIG, grid);
  HLO_TRY(hlo_attribute_make_computations(arena, HLO_ATTRIBUTE_CALLED_COMPUTATIONS, p->devices,
                                          programs, &attributes[3], error));
  HLO_TRY(hlo_shape_make_tuple(arena, p->devices, shapes, &shape, error));
  HLO_TRY(hlo_build(entry, HLO_OP_CUSTOM_CALL, shape, p->devices * count, operands, 4, attributes,
                    &all, error));
  hlo_attribute first = hlo_attribute_make_int(HLO_ATTRIBUTE_INDEX, 0);
  HLO_TRY(hlo_build(entry, HLO_OP_GET_TUPLE_ELEMENT, NULL, 1, &all, 1, &first, &root, error));
  HLO_TRY(hlo_build_finish(entry, root, error));
  entry->has_side_effect = true;
  module->entry = entry;
  return HLO_OK;
}

hlo_status hlo_pass_spmd(hlo_module *module, hlo_error *error) {
  partitioning p = {.module = module};
  HLO_TRY(hlo_module_rewrite(module, rewrite_boundary, &p, error));
  if (p.devices > 1) HLO_TRY(run_everywhere(&p, error));
  return hlo_module_remove_dead(module, error);
}
