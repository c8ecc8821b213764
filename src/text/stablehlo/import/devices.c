// Imports communication with other devices and the host: all_to_all, infeed, outfeed, send, recv.
// (The other collectives need nothing special.) See import.h.
#include "text/stablehlo/import/import.h"

#include "hlo/attributes/transfer_pairs.h"

#include <string.h>

// --- all_to_all ---

static hlo_status emit_all_to_all(stablehlo_importer *im, const mlir_operation *op,
                                  int32_t operand_count, hlo_instruction *const *operands,
                                  int64_t dimension, const hlo_shape *shape, hlo_instruction **out,
                                  hlo_error *error) {
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t count = 0;
  HLO_TRY(hlo_import_attributes(im, HLO_OP_ALL_TO_ALL, op, attributes, &count, error));
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &dimension,
                                  &attributes[count++], error));
  return hlo_import_emit(im, HLO_OP_ALL_TO_ALL, shape, operand_count, operands, count, attributes,
                         out, error);
}

static hlo_status emit_reshape(stablehlo_importer *im, hlo_instruction *x, int32_t rank,
                               const int64_t *dims, hlo_instruction **out, hlo_error *error) {
  const hlo_shape *shape;
  HLO_TRY(hlo_shape_make(&im->module->arena, x->shape->type, rank, dims, &shape, error));
  return hlo_import_emit(im, HLO_OP_RESHAPE, shape, 1, &x, 0, NULL, out, error);
}

// Splits one dimension and concatenates along another, which HLO's operation does not do: the parts
// become a dimension of their own, that dimension is exchanged, and moves in front of the one that
// it is concatenated to.
static hlo_status all_to_all_across(stablehlo_importer *im, const mlir_operation *op,
                                    hlo_instruction *x, int64_t split, int64_t concat,
                                    int64_t parts, hlo_instruction **out, hlo_error *error) {
  int64_t dims[HLO_MAX_RANK + 1], order[HLO_MAX_RANK + 1], moved[HLO_MAX_RANK + 1];
  const hlo_shape *from = x->shape, *shape;
  int32_t rank = from->rank + 1, n = 0;
  if (rank > HLO_MAX_RANK)
    return hlo_import_fail(op, HLO_UNSUPPORTED, error, "has too many dimensions");
  for (int32_t i = 0; i < from->rank; i++) {
    if (i == split) dims[n++] = parts;
    dims[n++] = i == split ? from->dims[i] / parts : from->dims[i];
  }
  HLO_TRY(emit_reshape(im, x, rank, dims, &x, error));
  HLO_TRY(emit_all_to_all(im, op, 1, &x, split, x->shape, &x, error));
  // Of the dimensions of x, `split` is that of the parts.
  int64_t target = concat < split ? concat : concat + 1;
  n = 0;
  for (int32_t i = 0; i < rank; i++) {
    if (i == split) continue;
    if (i == target) order[n++] = split;
    order[n++] = i;
  }
  for (int32_t i = 0; i < rank; i++) moved[i] = dims[order[i]];
  hlo_attribute attribute;
  HLO_TRY(hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, rank, order,
                                  &attribute, error));
  HLO_TRY(hlo_shape_make(&im->module->arena, from->type, rank, moved, &shape, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_TRANSPOSE, shape, 1, &x, 1, &attribute, &x, error));
  n = 0;
  for (int32_t i = 0; i < rank; i++) {
    if (order[i] == split) continue;
    bool follows_parts = i > 0 && order[i - 1] == split;
    dims[n++] = follows_parts ? moved[i] * parts : moved[i];
  }
  return emit_reshape(im, x, rank - 1, dims, out, error);
}

static hlo_status required_int(stablehlo_importer *im, const mlir_operation *op, const char *name,
                               int64_t *out, hlo_error *error) {
  const mlir_attribute *a = hlo_mlir_find_attribute(op, name);
  if (a == NULL) return hlo_import_fail(op, HLO_PARSE_ERROR, error, "lacks the attribute %s", name);
  return hlo_import_int(im, a, out, error);
}

// As many parts as a group has members.
static hlo_status check_split_count(const mlir_operation *op, int64_t parts, hlo_error *error) {
  const mlir_attribute *groups = hlo_mlir_find_attribute(op, "replica_groups");
  if (parts < 1)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "split_count must be at least 1: %lld",
                           (long long)parts);
  bool known = groups != NULL && groups->kind == MLIR_DENSE && groups->type->shape->rank == 2 &&
               hlo_shape_elements(groups->type->shape) > 0;
  if (!known || groups->type->shape->dims[1] == parts) return HLO_OK;
  return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                         "split_count %lld must be the size %lld of the groups in replica_groups",
                         (long long)parts, (long long)groups->type->shape->dims[1]);
}

hlo_status hlo_import_collective(stablehlo_importer *im, const mlir_operation *op,
                                 hlo_error *error) {
  int64_t split, concat, parts;
  hlo_instruction **operands, *result;
  HLO_TRY(required_int(im, op, "split_dimension", &split, error));
  HLO_TRY(required_int(im, op, "concat_dimension", &concat, error));
  HLO_TRY(required_int(im, op, "split_count", &parts, error));
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(check_split_count(op, parts, error));
  if (op->result_count != op->operand_count)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "has %d operands but %d results",
                           op->operand_count, op->result_count);
  for (int32_t i = 0; i < op->operand_count; i++) {
    const hlo_shape *from = operands[i]->shape, *to;
    char text[HLO_SHAPE_TEXT_SIZE];
    if (!hlo_shape_is_array(from) || split < 0 || split >= from->rank || concat < 0 ||
        concat >= from->rank)
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                             "split_dimension %lld or concat_dimension %lld is out of range for %s",
                             (long long)split, (long long)concat, hlo_shape_to_text(text, from));
    if (from->dims[split] % parts != 0)
      return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                             "split_count %lld does not divide dimension %lld of %s",
                             (long long)parts, (long long)split, hlo_shape_to_text(text, from));
    HLO_TRY(hlo_import_value_shape(op, &op->results[i], &to, error));
    if (split == concat) {
      if (i == 0) hlo_import_name_next(im, op);
      HLO_TRY(emit_all_to_all(im, op, 1, &operands[i], split, to, &result, error));
    } else {
      HLO_TRY(all_to_all_across(im, op, operands[i], split, concat, parts, &result, error));
    }
    HLO_TRY(hlo_import_set_result(op, i, result, error));
  }
  return HLO_OK;
}

// --- cross-replica-sum: an all_reduce that adds ---

hlo_status hlo_import_add_computation(stablehlo_importer *im, hlo_type type, hlo_computation **out,
                                      hlo_error *error) {
  hlo_instruction *both[2];
  HLO_TRY(hlo_computation_create(im->module, "sum", out, error));
  for (int32_t i = 0; i < 2; i++) {
    HLO_TRY(hlo_instruction_create(*out, HLO_OP_PARAMETER, NULL, hlo_shape_scalar(type), 0, NULL, 0,
                                   NULL, &both[i], error));
    both[i]->parameter_number = i;
  }
  HLO_TRY(hlo_instruction_create(*out, HLO_OP_ADD, NULL, hlo_shape_scalar(type), 2, both, 0, NULL,
                                 &(*out)->root, error));
  HLO_TRY(hlo_computation_collect_parameters(*out, error));
  return hlo_mlir_list_add(im->parser, &im->finished, *out, error);
}

hlo_status hlo_import_cross_replica_sum(stablehlo_importer *im, const mlir_operation *op,
                                        hlo_error *error) {
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t count = 0;
  hlo_instruction *operand, *result;
  hlo_computation *computation;
  HLO_TRY(hlo_import_operand_count(op, 1, error));
  HLO_TRY(hlo_import_operand(im, op, 0, &operand, error));
  if (!hlo_shape_is_array(operand->shape) || op->result_count != 1)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "takes one array and gives one");
  HLO_TRY(hlo_import_attributes(im, HLO_OP_ALL_REDUCE, op, attributes, &count, error));
  HLO_TRY(hlo_import_add_computation(im, operand->shape->type, &computation, error));
  HLO_TRY(hlo_attribute_make_computation(&im->module->arena, HLO_ATTRIBUTE_TO_APPLY, computation,
                                         &attributes[count++], error));
  hlo_import_name_next(im, op);
  HLO_TRY(hlo_import_emit(im, HLO_OP_ALL_REDUCE, operand->shape, 1, &operand, count, attributes,
                          &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// --- infeed, outfeed, send, recv: everything is followed by a token ---

static hlo_status token_last(const mlir_operation *op, hlo_error *error) {
  bool operand = op->operand_count > 0, result = op->result_count > 0;
  if (operand)
    operand = op->operands[op->operand_count - 1]->type->shape == hlo_shape_scalar(HLO_TOKEN);
  if (result) result = op->results[op->result_count - 1].type->shape == hlo_shape_scalar(HLO_TOKEN);
  if (operand && result) return HLO_OK;
  return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                         "the last operand and the last result must be "
                         "tokens");
}

// The shapes of the first `count` results as a tuple.
static hlo_status received_shape(stablehlo_importer *im, const mlir_operation *op, int32_t count,
                                 const hlo_shape **out, hlo_error *error) {
  const hlo_shape **shapes;
  HLO_ALLOC(shapes, &im->parser->tree, count, error);
  for (int32_t i = 0; i < count; i++)
    HLO_TRY(hlo_import_value_shape(op, &op->results[i], &shapes[i], error));
  return hlo_shape_make_tuple(&im->module->arena, count, shapes, out, error);
}

static hlo_status tuple_of(stablehlo_importer *im, int32_t count, const hlo_shape *const *shapes,
                           const hlo_shape **out, hlo_error *error) {
  return hlo_shape_make_tuple(&im->module->arena, count, shapes, out, error);
}

// The results of infeed: HLO gives ((values), token).
static hlo_status import_infeed(stablehlo_importer *im, const mlir_operation *op,
                                hlo_attribute *attributes, int32_t count, hlo_error *error) {
  const hlo_shape *pair[2], *shape;
  hlo_instruction *token, *both, *values, *element;
  int32_t last = op->result_count - 1;
  HLO_TRY(hlo_import_operand(im, op, 0, &token, error));
  HLO_TRY(received_shape(im, op, last, &pair[0], error));
  pair[1] = hlo_shape_scalar(HLO_TOKEN);
  HLO_TRY(tuple_of(im, 2, pair, &shape, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_INFEED, shape, 1, &token, count, attributes, &both, error));
  HLO_TRY(hlo_import_element(im, both, 0, &values, error));
  for (int32_t i = 0; i < last; i++) {
    HLO_TRY(hlo_import_element(im, values, i, &element, error));
    op->results[i].instruction = element;
  }
  HLO_TRY(hlo_import_element(im, both, 1, &element, error));
  op->results[last].instruction = element;
  return HLO_OK;
}

static hlo_status import_outfeed(stablehlo_importer *im, const mlir_operation *op,
                                 hlo_attribute *attributes, int32_t count, hlo_error *error) {
  hlo_instruction **operands, *both[2], *result;
  const hlo_shape **shapes, *shape;
  int32_t values = op->operand_count - 1;
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_ALLOC(shapes, &im->parser->tree, values, error);
  for (int32_t i = 0; i < values; i++) shapes[i] = operands[i]->shape;
  HLO_TRY(tuple_of(im, values, shapes, &shape, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_TUPLE, shape, values, operands, 0, NULL, &both[0], error));
  both[1] = operands[values];
  attributes[count++] = (hlo_attribute){.id = HLO_ATTRIBUTE_OUTFEED_SHAPE, .shape = shape};
  HLO_TRY(hlo_import_emit(im, HLO_OP_OUTFEED, hlo_shape_scalar(HLO_TOKEN), 2, both, count,
                          attributes, &result, error));
  return hlo_import_set_results(im, op, result, error);
}

// source_target_pairs of send and recv have no place of their own in HLO: XLA keeps them in a
// frontend attribute, and that is where programs that were HLO once have them.
static hlo_status add_pairs(stablehlo_importer *im, const mlir_operation *op, hlo_attribute *out,
                            int32_t *count, hlo_error *error) {
  int32_t entries;
  const int64_t *pairs;
  const mlir_attribute *frontend = hlo_mlir_find_attribute(op, "mhlo.frontend_attributes");
  const mlir_attribute *text = NULL;
  if (frontend != NULL && frontend->kind == MLIR_DICTIONARY)
    text = hlo_mlir_find_entry(frontend, HLO_TRANSFER_PAIRS_KEY);
  HLO_TRY(hlo_import_named_ints(im, op, "source_target_pairs", &entries, &pairs, error));
  if (entries % 2 != 0)
    return hlo_import_fail(op, HLO_SHAPE_ERROR, error, "source_target_pairs are not pairs");
  const char *cursor = text != NULL && text->kind == MLIR_STRING ? text->text : "";
  int64_t pair[2];
  int32_t found = 0;
  hlo_string all = {0};
  for (int32_t i = 0; entries > 0 ? i < entries : hlo_transfer_next_pair(&cursor, pair); i += 2) {
    const int64_t *next = entries > 0 ? pairs + i : pair;
    hlo_string_add(&all, found++ == 0 ? "{" HLO_TRANSFER_PAIRS_KEY "={" : ",");
    hlo_string_add_format(&all, "{%lld,%lld}", (long long)next[0], (long long)next[1]);
  }
  if (found == 0) return HLO_OK;
  hlo_string_add(&all, "}}");
  hlo_status status = hlo_string_status(&all, error);
  if (status == HLO_OK) {
    const char *kept = hlo_arena_copy_text(&im->module->arena, all.text, all.length);
    if (kept == NULL) status = hlo_fail_out_of_memory(error);
    else out[(*count)++] = hlo_attribute_make_text(HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES, kept);
  }
  hlo_string_free(&all);
  return status;
}

// send and recv come in two parts; the first gives (values, context, token).
static hlo_status import_send(stablehlo_importer *im, const mlir_operation *op,
                              hlo_attribute *attributes, int32_t count, hlo_error *error) {
  hlo_instruction **operands, *both[2], *started, *done;
  const hlo_shape *parts[3], *shape;
  int32_t values = op->operand_count - 1;
  HLO_TRY(hlo_import_operands(im, op, &operands, error));
  HLO_TRY(hlo_import_tuple(im, values, operands, &both[0], error));
  both[1] = operands[values];
  parts[0] = both[0]->shape;
  parts[1] = hlo_shape_scalar(HLO_U32);
  parts[2] = hlo_shape_scalar(HLO_TOKEN);
  HLO_TRY(tuple_of(im, 3, parts, &shape, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_SEND, shape, 2, both, count, attributes, &started, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_SEND_DONE, parts[2], 1, &started, count, attributes, &done,
                          error));
  return hlo_import_set_results(im, op, done, error);
}

static hlo_status import_recv(stablehlo_importer *im, const mlir_operation *op,
                              hlo_attribute *attributes, int32_t count, hlo_error *error) {
  hlo_instruction *token, *started, *done, *values, *element;
  const hlo_shape *parts[3], *pair[2], *shape;
  int32_t last = op->result_count - 1;
  HLO_TRY(hlo_import_operand(im, op, 0, &token, error));
  if (last == 1) HLO_TRY(hlo_import_value_shape(op, &op->results[0], &parts[0], error));
  else HLO_TRY(received_shape(im, op, last, &parts[0], error));
  parts[1] = hlo_shape_scalar(HLO_U32);
  parts[2] = hlo_shape_scalar(HLO_TOKEN);
  HLO_TRY(tuple_of(im, 3, parts, &shape, error));
  HLO_TRY(hlo_import_emit(im, HLO_OP_RECV, shape, 1, &token, count, attributes, &started, error));
  pair[0] = parts[0];
  pair[1] = parts[2];
  HLO_TRY(tuple_of(im, 2, pair, &shape, error));
  HLO_TRY(
      hlo_import_emit(im, HLO_OP_RECV_DONE, shape, 1, &started, count, attributes, &done, error));
  HLO_TRY(hlo_import_element(im, done, 0, &values, error));
  for (int32_t i = 0; i < last; i++) {
    element = values;
    if (last != 1) HLO_TRY(hlo_import_element(im, values, i, &element, error));
    op->results[i].instruction = element;
  }
  HLO_TRY(hlo_import_element(im, done, 1, &element, error));
  op->results[last].instruction = element;
  return HLO_OK;
}

// The type of the channel says where the values come from and go to: 1 from device to device, 2 to
// the host, 3 from the host.
static hlo_status check_channel(stablehlo_importer *im, const mlir_operation *op, bool is_send,
                                hlo_error *error) {
  const mlir_attribute *host = hlo_mlir_find_attribute(op, "is_host_transfer"), *fields, *type;
  bool is_host = false;
  int64_t actual, wanted;
  if (host != NULL) HLO_TRY(hlo_import_bool(im, host, &is_host, error));
  HLO_TRY(
      hlo_mlir_struct(im->parser, hlo_mlir_find_attribute(op, "channel_handle"), &fields, error));
  type = hlo_mlir_find_entry(fields, "type");
  if (type == NULL) return HLO_OK;
  HLO_TRY(hlo_import_int(im, type, &actual, error));
  wanted = !is_host ? 1 : is_send ? 2 : 3;
  if (actual == wanted) return HLO_OK;
  return hlo_import_fail(op, HLO_SHAPE_ERROR, error,
                         "the channel's type must be %lld when is_host_transfer is %s, not %lld",
                         (long long)wanted, is_host ? "true" : "false", (long long)actual);
}

typedef hlo_status transfer_function(stablehlo_importer *im, const mlir_operation *op,
                                     hlo_attribute *attributes, int32_t count, hlo_error *error);

hlo_status hlo_import_transfer(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  static const struct {
    const char *name;
    hlo_opcode opcode;
    transfer_function *import;
  } transfers[] = {{"stablehlo.infeed", HLO_OP_INFEED, import_infeed},
                   {"stablehlo.outfeed", HLO_OP_OUTFEED, import_outfeed},
                   {"stablehlo.send", HLO_OP_SEND, import_send},
                   {"stablehlo.recv", HLO_OP_RECV, import_recv}};
  hlo_attribute attributes[HLO_ATTRIBUTE_COUNT];
  int32_t count = 0, i = 0;
  HLO_TRY(token_last(op, error));
  while (i < 3 && strcmp(transfers[i].name, op->name) != 0) i++;
  HLO_TRY(hlo_import_attributes(im, transfers[i].opcode, op, attributes, &count, error));
  if (transfers[i].opcode == HLO_OP_SEND || transfers[i].opcode == HLO_OP_RECV) {
    HLO_TRY(check_channel(im, op, transfers[i].opcode == HLO_OP_SEND, error));
    HLO_TRY(add_pairs(im, op, attributes, &count, error));
  }
  return transfers[i].import(im, op, attributes, count, error);
}
