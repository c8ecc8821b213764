// Imports the collectives whose groups have a root: collective_broadcast and collective_reduce. See
// import.h.
//
// The root is the first process of its group, or the one at the position that an operand says.
// HLO's collective-broadcast always sends from the first; with roots known only when the program
// runs there is a branch for every position, which has that process first. A position outside of a
// group means its last process.
#include "text/stablehlo/import/import.h"

#include <string.h>

// The operands without the roots, and those, or NULL.
typedef struct rooted {
  mlir_operation data; // as if it had no roots
  hlo_instruction **operands, *roots;
  int32_t attribute_count; // collective-broadcast's
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  hlo_attribute *groups; // among them, or NULL
  // With roots: as many as the largest group has processes, and the numbers of the groups for each.
  int32_t position_count;
  int64_t **numbers;
} rooted;

enum { MAX_NUMBERS = 1 << 20 }; // that the branches of one operand list

// The numbers of the groups with the one at `position` first, or the last one of shorter groups.
static hlo_status rotate_groups(stablehlo_importer *im, const hlo_attribute *groups,
                                int64_t position, int64_t **out, hlo_error *error) {
  int64_t *row;
  HLO_ALLOC(row, &im->module->arena, groups->count, error);
  memcpy(row, groups->ints, (size_t)groups->count * sizeof *row);
  *out = row;
  for (int32_t k = 0; k < groups->row_count; row += groups->row_lengths[k++]) {
    int64_t last = groups->row_lengths[k] - 1, root = position < last ? position : last;
    if (root < 0) continue; // an empty group, which verification refuses
    int64_t first = row[0];
    row[0] = row[root];
    row[root] = first;
  }
  return HLO_OK;
}

static hlo_status read_positions(stablehlo_importer *im, rooted *r, hlo_error *error) {
  int64_t count = 0;
  for (int32_t k = 0; r->groups != NULL && k < r->groups->row_count; k++)
    if (r->groups->row_lengths[k] > count) count = r->groups->row_lengths[k];
  if (count == 0)
    return hlo_import_fail(&r->data, HLO_UNSUPPORTED, error,
                           "has_dynamic_root needs the groups in replica_groups");
  if (count > MAX_NUMBERS / r->groups->count)
    return hlo_import_fail(&r->data, HLO_UNSUPPORTED, error,
                           "has_dynamic_root is not supported for groups of %lld among %d",
                           (long long)count, (int)r->groups->count);
  r->position_count = (int32_t)count;
  HLO_ALLOC(r->numbers, &im->parser->tree, count, error);
  for (int32_t i = 0; i < r->position_count; i++)
    HLO_TRY(rotate_groups(im, r->groups, i, &r->numbers[i], error));
  return HLO_OK;
}

static hlo_status read_rooted(stablehlo_importer *im, const mlir_operation *op, rooted *out,
                              hlo_error *error) {
  const mlir_attribute *flag = hlo_mlir_find(op, "has_dynamic_root");
  bool is_dynamic = false;
  if (flag != NULL) HLO_TRY(hlo_import_bool(im, flag, &is_dynamic, error));
  *out = (rooted){.data = *op};
  const mlir_attribute *global = hlo_mlir_find(op, "use_global_device_ids");
  bool is_global = false;
  if (global != NULL) HLO_TRY(hlo_import_bool(im, global, &is_global, error));
  if (is_global)
    return hlo_import_fail(op, HLO_UNSUPPORTED, error, "use_global_device_ids is not supported");
  HLO_TRY(hlo_import_operands(im, op, &out->operands, error));
  if (is_dynamic && op->operand_count > 0) out->roots = out->operands[--out->data.operand_count];
  int32_t count = out->data.operand_count;
  if (count < 1 || op->result_count != count)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "has %d operands%s but %d results", count,
                           is_dynamic ? " besides the roots" : "", op->result_count);
  HLO_TRY(hlo_import_attributes(im, HLO_OP_COLLECTIVE_BROADCAST, op, out->attributes,
                                &out->attribute_count, error));
  for (int32_t i = 0; i < out->attribute_count; i++)
    if (out->attributes[i].id == HLO_ATTRIBUTE_REPLICA_GROUPS) out->groups = &out->attributes[i];
  if (!is_dynamic) return HLO_OK;
  const hlo_shape *shape = out->roots->shape;
  char text[HLO_SHAPE_TEXT_SIZE];
  if (shape->type == HLO_S32 && shape->rank == 1 && shape->dims[0] == count)
    return read_positions(im, out, error);
  return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                         "has_dynamic_root needs the roots as the last operand, s32[%d], not %s",
                         count, hlo_shape_to_text(text, shape));
}

// A computation that sends from the process at `position`.
static hlo_status broadcast_branch(stablehlo_importer *im, rooted *r, int32_t position,
                                   const hlo_shape *shape, hlo_computation **out,
                                   hlo_error *error) {
  hlo_computation *outer = im->computation;
  hlo_instruction *parameter;
  HLO_TRY(hlo_computation_create(im->module, "from_root", out, error));
  im->computation = *out;
  r->groups->ints = r->numbers[position];
  HLO_TRY(hlo_import_emit(im, HLO_OP_PARAMETER, shape, 0, NULL, 0, NULL, &parameter, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_COLLECTIVE_BROADCAST, shape, 1, &parameter, r->attribute_count,
                          r->attributes, &(*out)->root, error));
  r->groups->ints = r->numbers[0];
  im->computation = outer;
  HLO_TRY(hlo_computation_collect_parameters(*out, error));
  return hlo_mlir_list_add(im->parser, &im->finished, *out, error);
}

// roots[index] as a scalar.
static hlo_status emit_root(stablehlo_importer *im, hlo_instruction *roots, int32_t index,
                            hlo_instruction **out, hlo_error *error) {
  const int64_t range[3] = {index, index + 1, 1}, one = 1;
  const hlo_shape *shape;
  hlo_attribute slice;
  hlo_arena *arena = &im->module->arena;
  HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_SLICE, 3, range, &slice, error));
  HLO_TRY(hlo_shape_make(arena, HLO_S32, 1, &one, &shape, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_SLICE, shape, 1, &roots, 1, &slice, out, error));
  hlo_instruction *element = *out;
  return hlo_import_emit(im, HLO_OP_RESHAPE, hlo_shape_scalar(HLO_S32), 1, &element, 0, NULL, out,
                         error);
}

// x as the root of the group has it, which is operand `index`'s.
static hlo_status emit_from_root(stablehlo_importer *im, rooted *r, int32_t index,
                                 hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  if (r->roots == NULL)
    return hlo_import_emit(im, HLO_OP_COLLECTIVE_BROADCAST, x->shape, 1, &x, r->attribute_count,
                           r->attributes, out, error);
  int32_t count = r->position_count;
  const char *name = im->name;
  hlo_instruction **operands;
  hlo_computation **branches;
  hlo_attribute attribute;
  HLO_ALLOC(operands, &im->parser->tree, (int64_t)count + 1, error);
  HLO_ALLOC(branches, &im->parser->tree, count, error);
  im->name = NULL;
  HLO_TRY(emit_root(im, r->roots, index, &operands[0], error));
  for (int32_t i = 0; i < count; i++) {
    operands[i + 1] = x;
    HLO_TRY(broadcast_branch(im, r, i, x->shape, &branches[i], error));
  }
  HLO_TRY(hlo_attribute_make_computations(&im->module->arena, HLO_ATTRIBUTE_BRANCH_COMPUTATIONS,
                                          count, branches, &attribute, error));
  im->name = name;
  return hlo_import_emit(im, HLO_OP_CONDITIONAL, x->shape, count + 1, operands, 1, &attribute, out,
                         error);
}

hlo_status hlo_import_collective_broadcast(stablehlo_importer *im, const mlir_operation *op,
                                           hlo_error *error) {
  rooted r;
  hlo_instruction *result;
  const hlo_shape *shape;
  HLO_TRY(read_rooted(im, op, &r, error));
  hlo_import_name_next(im, op);
  if (r.roots == NULL) {
    HLO_TRY(hlo_import_result_shape(im, op, &shape, error));
    HLO_TRY(hlo_import_emit(im, HLO_OP_COLLECTIVE_BROADCAST, shape, op->operand_count, r.operands,
                            r.attribute_count, r.attributes, &result, error));
    return hlo_import_set_results(im, op, result, error);
  }
  for (int32_t i = 0; i < r.data.operand_count; i++) {
    HLO_TRY(emit_from_root(im, &r, i, r.operands[i], &result, error));
    HLO_TRY(hlo_import_set_result(op, i, result, error));
  }
  return HLO_OK;
}

// `reduced` where the process's own number is the root's, zeros elsewhere.
static hlo_status keep_on_root(stablehlo_importer *im, hlo_instruction *own, hlo_instruction *root,
                               hlo_instruction *reduced, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *choice[3] = {NULL, reduced, NULL};
  const hlo_shape *flags;
  HLO_TRY(hlo_import_compare(im, "EQ", own, root, &choice[0], error));
  HLO_TRY(hlo_import_shape_like(im, reduced->shape, HLO_PRED, &flags, error));
  if (flags->rank > 0)
    HLO_TRY(hlo_import_broadcast_to(im, choice[0], flags, 0, NULL, &choice[0], error));
  HLO_TRY(hlo_import_number(im, reduced->shape, 0, &choice[2], error));
  return hlo_import_emit(im, HLO_OP_SELECT, reduced->shape, 3, choice, 0, NULL, out, error);
}

// One all-reduce of all operands.
static hlo_status emit_all_reduce(stablehlo_importer *im, const rooted *r, bool has_channel,
                                  hlo_computation *computation, hlo_instruction **out,
                                  hlo_error *error) {
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t count = r->attribute_count, operand_count = r->data.operand_count;
  const hlo_shape **shapes, *shape;
  for (int32_t i = 0; i < count; i++) attributes[i] = r->attributes[i];
  if (has_channel)
    attributes[count++] = hlo_attribute_make_text(HLO_ATTRIBUTE_MODE, "cross_partition");
  HLO_TRY(hlo_attribute_make_computation(&im->module->arena, HLO_ATTRIBUTE_TO_APPLY, computation,
                                         &attributes[count++], error));
  HLO_ALLOC(shapes, &im->parser->tree, operand_count, error);
  for (int32_t i = 0; i < operand_count; i++) shapes[i] = r->operands[i]->shape;
  shape = shapes[0];
  if (operand_count > 1)
    HLO_TRY(hlo_shape_make_tuple(&im->module->arena, operand_count, shapes, &shape, error));
  return hlo_import_emit(im, HLO_OP_ALL_REDUCE, shape, operand_count, r->operands, count,
                         attributes, out, error);
}

// The groups are a collective_broadcast's: with a channel, of partitions.
// Regions nest, and the stack is small: what is large must not stand below the next region.
__attribute__((noinline)) static hlo_status reduce_to_root(stablehlo_importer *im,
                                                           const mlir_operation *op,
                                                           hlo_computation *computation,
                                                           hlo_error *error) {
  rooted r;
  hlo_instruction *own, *all, *result, *root = NULL;
  bool has_channel = false;
  HLO_TRY(read_rooted(im, op, &r, error));
  HLO_TRY(hlo_import_promote(im, &r.data, HLO_OP_ALL_REDUCE, computation, r.operands, error));
  for (int32_t i = 0; i < r.attribute_count; i++)
    if (r.attributes[i].id == HLO_ATTRIBUTE_CHANNEL_ID) has_channel = r.attributes[i].integer > 0;
  HLO_TRY(emit_all_reduce(im, &r, has_channel, computation, &all, error));
  HLO_TRY(hlo_import_emit(im, has_channel ? HLO_OP_PARTITION_ID : HLO_OP_REPLICA_ID,
                          hlo_shape_scalar(HLO_U32), 0, NULL, 0, NULL, &own, error));
  for (int32_t i = 0; i < r.data.operand_count; i++) {
    result = all;
    if (r.data.operand_count > 1) HLO_TRY(hlo_import_element(im, all, i, &result, error));
    if (i == 0 || r.roots != NULL) HLO_TRY(emit_from_root(im, &r, i, own, &root, error));
    HLO_TRY(keep_on_root(im, own, root, result, &result, error));
    HLO_TRY(hlo_import_set_result(op, i, result, error));
  }
  return HLO_OK;
}

hlo_status hlo_import_collective_reduce(stablehlo_importer *im, const mlir_operation *op,
                                        hlo_error *error) {
  hlo_computation *computation;
  if (op->region_count != 1) return hlo_import_fail(op, HLO_PARSE_ERROR, error, "needs a region");
  HLO_TRY(hlo_import_reducer(im, op, 0, &computation, error));
  return reduce_to_root(im, op, computation, error);
}
