// Prints constants, random numbers, top_k, tokens, and what goes to other devices and the host. See
// printer.h.
#include "text/stablehlo/print/printer.h"

#include "hlo/attributes/transfer_pairs.h"

#include <string.h>

// --- constants ---

// x: the instruction that it is the whole value of, or NULL.
static hlo_status print_literal(stablehlo_printer *p, const hlo_instruction *x,
                                const hlo_literal *literal, const stablehlo_value **out,
                                hlo_error *error) {
  const hlo_shape *shape = literal->shape;
  const char *name;
  stablehlo_values results;
  if (hlo_shape_is_tuple(shape)) {
    const stablehlo_value **elements;
    HLO_ALLOC(elements, &p->arena, shape->element_count, error);
    for (int32_t i = 0; i < shape->element_count; i++)
      HLO_TRY(print_literal(p, NULL, &literal->elements[i], &elements[i], error));
    return hlo_print_new_tuple(p, shape, elements, out, error);
  }
  bool is_number = hlo_type_is_float(shape->type) || hlo_type_is_complex(shape->type);
  HLO_TRY(hlo_print_new_name(p, is_number ? STABLEHLO_CST : STABLEHLO_C, &name, error));
  HLO_TRY(hlo_print_begin(p, name, 1, &shape, &results, error));
  hlo_string_add(p->out, "stablehlo.constant");
  if (x != NULL) HLO_TRY(hlo_print_common(p, x, error));
  hlo_string_add_char(p->out, ' ');
  HLO_TRY(hlo_print_dense(p, literal, error));
  hlo_string_add_char(p->out, '\n');
  *out = results.items[0];
  return HLO_OK;
}

static bool has_only_arrays(const hlo_shape *shape) {
  if (!hlo_shape_is_tuple(shape)) return hlo_shape_is_array(shape);
  for (int32_t i = 0; i < shape->element_count; i++)
    if (!has_only_arrays(shape->elements[i])) return false;
  return true;
}

hlo_status hlo_print_constant(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  const stablehlo_value *value;
  if (x->literal == NULL || !has_only_arrays(x->literal->shape))
    return hlo_print_unsupported(x, error);
  HLO_TRY(print_literal(p, x, x->literal, &value, error));
  hlo_print_set_value(p, x, value);
  return HLO_OK;
}

// --- random numbers, top_k, tokens ---

// A constant of the function with these values as i64, NULL when there is none.
static const stablehlo_value *find_constant(stablehlo_printer *p, const hlo_instruction *x,
                                            int32_t count, const int64_t *ints) {
  for (int32_t i = 0; i < x->id; i++) {
    const hlo_instruction *c = x->computation->instructions[i];
    bool fits = c->opcode == HLO_OP_CONSTANT && c->shape->type == HLO_S64 && c->shape->rank == 1 &&
                c->shape->dims[0] == count && p->values[c->id] != NULL;
    if (fits && memcmp(c->literal->data, ints, (size_t)count * sizeof *ints) == 0)
      return p->values[c->id];
  }
  return NULL;
}

// StableHLO has the result's shape as a third operand, as an array.
hlo_status hlo_print_rng(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values two, operands, results;
  const char *distribution = hlo_get_text(x, HLO_ATTRIBUTE_DISTRIBUTION);
  int64_t rank = x->shape->rank;
  const stablehlo_value *shape = find_constant(p, x, x->shape->rank, x->shape->dims);
  if (shape == NULL) {
    hlo_literal literal = {0};
    HLO_TRY(hlo_shape_make(&p->arena, HLO_S64, 1, &rank, &literal.shape, error));
    literal.data = (void *)(uintptr_t)x->shape->dims;
    HLO_TRY(print_literal(p, NULL, &literal, &shape, error));
  }
  HLO_TRY(hlo_print_begin_operation(p, x, "stablehlo.rng ", &two, &results, error));
  HLO_TRY(hlo_print_new_list(p, 3, &operands, error));
  for (int32_t i = 0; i < 2; i++) operands.items[operands.count++] = two.items[i];
  operands.items[operands.count++] = shape;
  hlo_print_names(p->out, &operands);
  bool is_normal = distribution != NULL && strcmp(distribution, "rng_normal") == 0;
  hlo_string_add_format(p->out, ", distribution = %s", is_normal ? "NORMAL" : "UNIFORM");
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

hlo_status hlo_print_top_k(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values operands, results;
  if (hlo_get_int(x, HLO_ATTRIBUTE_LARGEST, 1) == 0) return hlo_print_unsupported(x, error);
  HLO_TRY(hlo_print_begin_operation(p, x, "chlo.top_k(", &operands, &results, error));
  hlo_print_names(p->out, &operands);
  hlo_string_add_format(p->out, ", k = %lld)", (long long)hlo_get_int(x, HLO_ATTRIBUTE_K, 0));
  HLO_TRY(hlo_print_common(p, x, error));
  hlo_string_add(p->out, " : ");
  HLO_TRY(hlo_print_mlir_types(p, &operands, error));
  hlo_string_add(p->out, " -> (");
  HLO_TRY(hlo_print_mlir_types(p, &results, error));
  hlo_string_add(p->out, ")\n");
  return hlo_print_set_results(p, x, &results, error);
}

hlo_status hlo_print_after_all(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values operands, results;
  HLO_TRY(hlo_print_begin_operation(
      p, x, x->operand_count == 0 ? "stablehlo.create_token" : "stablehlo.after_all ", &operands,
      &results, error));
  hlo_print_names(p->out, &operands);
  HLO_TRY(hlo_print_common(p, x, error));
  hlo_string_add(p->out, " : !stablehlo.token\n");
  return hlo_print_set_results(p, x, &results, error);
}

// --- other devices, the host ---

// HLO splits and concatenates along the same dimension, among the members of a group.
hlo_status hlo_print_all_to_all(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values operands, results;
  int32_t count;
  const int64_t *dimensions = hlo_get_ints(x, HLO_ATTRIBUTE_DIMENSIONS, &count);
  const hlo_attribute *groups = hlo_find_attribute(x, HLO_ATTRIBUTE_REPLICA_GROUPS);
  int64_t parts = groups != NULL && groups->row_count > 0 ? groups->row_lengths[0] : 0;
  parts = hlo_get_int(x, HLO_ATTRIBUTE_SPLIT_COUNT, parts);
  if (count != 1 || parts == 0) return hlo_print_unsupported(x, error);
  HLO_TRY(hlo_print_begin_operation(p, x, "\"stablehlo.all_to_all\"(", &operands, &results, error));
  hlo_print_names(p->out, &operands);
  hlo_string_add_char(p->out, ')');
  hlo_print_properties(p, x);
  static const char *const names[] = {"concat_dimension", "split_count", "split_dimension"};
  const int64_t values[] = {dimensions[0], parts, dimensions[0]};
  stablehlo_dictionary dictionary = {0};
  for (int i = 0; i < 3; i++) {
    hlo_print_entry(p, &dictionary, names[i]);
    hlo_string_add_format(p->out, "%lld : i64", (long long)values[i]);
  }
  HLO_TRY(hlo_print_close(p, x, &dictionary, error));
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

// source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64> of send and recv.
static void print_pairs(stablehlo_printer *p, const hlo_instruction *x,
                        stablehlo_dictionary *dictionary) {
  const char *at = hlo_transfer_pairs(x);
  int64_t pair[2];
  int32_t count = 0;
  for (; at != NULL && hlo_transfer_next_pair(&at, pair); count++) {
    if (count == 0) hlo_print_entry(p, dictionary, "source_target_pairs");
    hlo_string_add_format(p->out, "%s[%lld, %lld]", count > 0 ? ", " : "dense<[",
                          (long long)pair[0], (long long)pair[1]);
  }
  if (count > 0) hlo_string_add_format(p->out, "]> : tensor<%dx2xi64>", (int)count);
}

// name(values, token) -> (values, token) for infeed, outfeed, send, recv. `source` has the
// operands and attributes.
static hlo_status print_transfer_of(stablehlo_printer *p, const hlo_instruction *x,
                                    const hlo_instruction *source, const char *name,
                                    hlo_error *error) {
  stablehlo_values operands, results;
  const hlo_shape **shapes;
  int32_t count, leaves = 0;
  for (int32_t i = 0; i < source->operand_count; i++)
    leaves += hlo_shape_leaf_count(source->operands[i]->shape);
  HLO_TRY(hlo_print_new_list(p, leaves, &operands, error));
  for (int32_t i = 0; i < source->operand_count; i++) {
    const stablehlo_value *value;
    HLO_TRY(hlo_print_operand(p, source, i, &value, error));
    HLO_TRY(hlo_print_flatten(p, value, &operands, error));
  }
  HLO_TRY(hlo_print_leaf_shapes(p, x->shape, &count, &shapes, error));
  HLO_TRY(hlo_print_begin(p, NULL, count, shapes, &results, error));
  hlo_string_add_format(p->out, "\"stablehlo.%s\"(", name);
  hlo_print_names(p->out, &operands);
  hlo_string_add_char(p->out, ')');
  stablehlo_dictionary dictionary = {0};
  hlo_print_properties(p, source);
  print_pairs(p, source, &dictionary);
  HLO_TRY(hlo_print_close(p, source, &dictionary, error));
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

hlo_status hlo_print_transfer(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  return print_transfer_of(p, x, x, hlo_op_get(x->opcode)->stablehlo_name, error);
}

// StableHLO has both halves of a transfer in one, where the second one stands.
hlo_status hlo_print_start(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  const hlo_computation *computation = x->computation;
  for (int32_t i = x->id + 1; i < computation->instruction_count && !p->is_said; i++) {
    const hlo_instruction *done = computation->instructions[i];
    bool is_done = done->opcode == HLO_OP_SEND_DONE || done->opcode == HLO_OP_RECV_DONE;
    p->is_said = is_done && done->operands[0] == x;
  }
  return p->is_said ? HLO_OK : hlo_print_unsupported(x, error);
}

// Both halves say the same, or the second one nothing.
static bool agrees(const hlo_instruction *done, const hlo_instruction *start) {
  for (int32_t i = 0; i < done->attribute_count; i++) {
    const hlo_attribute *a = &done->attributes[i];
    if (a->text == NULL || a->id == HLO_ATTRIBUTE_METADATA) continue;
    const char *other = hlo_get_text(start, a->id);
    if (other == NULL || strcmp(other, a->text) != 0) return false;
  }
  return true;
}

hlo_status hlo_print_done(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  const hlo_instruction *start = x->operands[0];
  hlo_opcode wanted = x->opcode == HLO_OP_SEND_DONE ? HLO_OP_SEND : HLO_OP_RECV;
  if (start->opcode != wanted) return hlo_print_unsupported(x, error);
  if (!agrees(x, start)) HLO_TRY(hlo_print_check_common(x, error));
  return print_transfer_of(p, x, start, hlo_op_get(wanted)->stablehlo_name, error);
}
