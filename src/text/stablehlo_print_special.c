// Prints operations whose StableHLO form differs from HLO's: constants, slices, padding, dots,
// windows, random numbers, transfers. See stablehlo_printer.h. Must not know how text is read.
#include "text/stablehlo_printer.h"

#include "hlo/dot_algorithm.h"
#include "hlo/transfer_pairs.h"

#include <string.h>

// --- constants ---

static hlo_status print_literal(stablehlo_printer *p, const hlo_literal *literal,
                                const stablehlo_value **out, hlo_error *error) {
  const hlo_shape *shape = literal->shape;
  const char *name;
  stablehlo_values results;
  if (hlo_shape_is_tuple(shape)) {
    const stablehlo_value **elements;
    HLO_ALLOC(elements, &p->arena, shape->element_count, error);
    for (int32_t i = 0; i < shape->element_count; i++)
      HLO_TRY(print_literal(p, &literal->elements[i], &elements[i], error));
    return hlo_print_new_tuple(p, shape, elements, out, error);
  }
  bool is_number = hlo_type_is_float(shape->type) || hlo_type_is_complex(shape->type);
  HLO_TRY(hlo_print_new_name(p, is_number ? STABLEHLO_CST : STABLEHLO_C, &name, error));
  HLO_TRY(hlo_print_begin(p, name, 1, &shape, &results, error));
  hlo_string_add(p->out, "stablehlo.constant ");
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

static hlo_status print_constant(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  const stablehlo_value *value;
  if (x->literal == NULL || !has_only_arrays(x->literal->shape))
    return hlo_print_unsupported(x, error);
  HLO_TRY(print_literal(p, x->literal, &value, error));
  hlo_print_set_value(p, x, value);
  return HLO_OK;
}

// --- movement ---

static hlo_status print_slice(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values operands, results;
  int32_t count;
  const int64_t *bounds = hlo_get_ints(x, HLO_ATTRIBUTE_SLICE, &count);
  HLO_TRY(hlo_print_begin_operation(p, x, "stablehlo.slice ", &operands, &results, error));
  hlo_print_names(p->out, &operands);
  hlo_string_add(p->out, " [");
  for (int32_t i = 0; i + 2 < count; i += 3) {
    hlo_string_add_format(p->out, i > 0 ? ", %lld:%lld" : "%lld:%lld", (long long)bounds[i],
                          (long long)bounds[i + 1]);
    if (bounds[i + 2] != 1) hlo_string_add_format(p->out, ":%lld", (long long)bounds[i + 2]);
  }
  hlo_string_add_char(p->out, ']');
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

static hlo_status print_pad(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  static const char *const names[] = {", low = ", ", high = ", ", interior = "};
  stablehlo_values operands, results;
  int32_t count;
  const int64_t *padding = hlo_get_ints(x, HLO_ATTRIBUTE_PADDING, &count);
  HLO_TRY(hlo_print_begin_operation(p, x, "stablehlo.pad ", &operands, &results, error));
  hlo_print_names(p->out, &operands);
  for (int32_t k = 0; k < 3; k++) {
    int64_t list[HLO_MAX_RANK];
    int32_t rank = count / 3 < HLO_MAX_RANK ? count / 3 : HLO_MAX_RANK;
    for (int32_t i = 0; i < rank; i++) list[i] = padding[3 * i + k];
    hlo_string_add(p->out, names[k]);
    hlo_print_int_list(p->out, rank, list);
  }
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

// "<operation> %value<dims> : …" with a result of the shape; *value: that.
static hlo_status print_movement(stablehlo_printer *p, const char *operation, int32_t count,
                                 const int64_t *dims, const hlo_shape *shape,
                                 const stablehlo_value **value, hlo_error *error) {
  stablehlo_values operand = {1, value}, results;
  HLO_TRY(hlo_print_begin(p, NULL, 1, &shape, &results, error));
  hlo_string_add_format(p->out, "%s %s", operation, (*value)->name);
  if (dims != NULL) {
    hlo_string_add(p->out, ", dims = ");
    hlo_print_int_list(p->out, count, dims);
  }
  hlo_string_add(p->out, " : ");
  HLO_TRY(hlo_print_function_type(p, &operand, &results, error));
  hlo_string_add_char(p->out, '\n');
  *value = results.items[0];
  return HLO_OK;
}

// The dimensions as they lie in memory, the slowest first.
static hlo_status in_memory(stablehlo_printer *p, const hlo_shape *shape, int64_t *order,
                            const hlo_shape **out, hlo_error *error) {
  int64_t dims[HLO_MAX_RANK];
  for (int32_t i = 0; i < shape->rank; i++) {
    order[i] = shape->layout == NULL ? i : shape->layout->minor_to_major[shape->rank - 1 - i];
    dims[i] = shape->dims[order[i]];
  }
  return hlo_shape_make(&p->arena, shape->type, shape->rank, dims, out, error);
}

static bool lies_dense(const hlo_shape *shape) {
  const hlo_layout *layout = shape->layout;
  return hlo_shape_is_array(shape) && !hlo_shape_is_dynamic(shape) &&
         (layout == NULL || (layout->padded_dims == NULL && layout->tile_count == 0));
}

// A bitcast keeps the order of elements in memory: those of the operand are put into that order,
// reshaped, and put into the result's.
static hlo_status print_bitcast(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  const hlo_shape *from = x->operands[0]->shape, *to = x->shape, *before, *after;
  const stablehlo_value *value;
  stablehlo_values operands;
  int64_t order[HLO_MAX_RANK], back[HLO_MAX_RANK];
  bool fits = lies_dense(from) && lies_dense(to) &&
              hlo_type_bits(from->type) == hlo_type_bits(to->type) &&
              hlo_shape_elements(from) == hlo_shape_elements(to);
  if (!fits) return hlo_print_unsupported(x, error);
  HLO_TRY(hlo_print_single_operands(p, x, &operands, error));
  value = operands.items[0];
  if (from->type != to->type) {
    HLO_TRY(hlo_shape_with_type(&p->arena, from, to->type, true, &from, error));
    HLO_TRY(print_movement(p, "stablehlo.bitcast_convert", 0, NULL, from, &value, error));
  }
  HLO_TRY(in_memory(p, from, order, &before, error));
  if (!hlo_layout_is_default(from->layout))
    HLO_TRY(print_movement(p, "stablehlo.transpose", from->rank, order, before, &value, error));
  HLO_TRY(in_memory(p, to, order, &after, error));
  HLO_TRY(print_movement(p, "stablehlo.reshape", 0, NULL, after, &value, error));
  for (int32_t i = 0; i < to->rank; i++) back[order[i]] = i;
  if (!hlo_layout_is_default(to->layout))
    HLO_TRY(print_movement(p, "stablehlo.transpose", to->rank, back, to, &value, error));
  hlo_print_set_value(p, x, value);
  return HLO_OK;
}

// The sizes, scalars in HLO, as one list: each becomes a list of one, and those are joined.
static hlo_status print_size_list(stablehlo_printer *p, const hlo_instruction *x,
                                  stablehlo_values *sizes, const stablehlo_value **out,
                                  hlo_error *error) {
  const hlo_shape *shape;
  stablehlo_values list;
  int64_t size = 1;
  for (int32_t i = 0; i < sizes->count; i++) {
    if (sizes->items[i]->shape->type != sizes->items[0]->shape->type)
      return hlo_print_unsupported(x, error);
    HLO_TRY(hlo_shape_make(&p->arena, sizes->items[i]->shape->type, 1, &size, &shape, error));
    HLO_TRY(hlo_print_begin(p, NULL, 1, &shape, &list, error));
    stablehlo_values scalar = {1, &sizes->items[i]};
    hlo_string_add_format(p->out, "stablehlo.reshape %s : ", sizes->items[i]->name);
    HLO_TRY(hlo_print_function_type(p, &scalar, &list, error));
    hlo_string_add_char(p->out, '\n');
    sizes->items[i] = list.items[0];
  }
  size = sizes->count;
  HLO_TRY(hlo_shape_make(&p->arena, shape->type, 1, &size, &shape, error));
  HLO_TRY(hlo_print_begin(p, NULL, 1, &shape, &list, error));
  hlo_string_add(p->out, "stablehlo.concatenate ");
  hlo_print_names(p->out, sizes);
  hlo_string_add(p->out, ", dim = 0 : ");
  HLO_TRY(hlo_print_function_type(p, sizes, &list, error));
  hlo_string_add_char(p->out, '\n');
  *out = list.items[0];
  return HLO_OK;
}

// The list whose elements the operands from 1 on are, all and in order; NULL: they are not.
static const hlo_instruction *whole_list(const hlo_instruction *x) {
  const hlo_instruction *list =
      x->operand_count > 1 ? hlo_stablehlo_list_of(x->operands[1], 0) : NULL;
  if (list == NULL || list->shape->dims[0] != x->operand_count - 1) return NULL;
  for (int32_t i = 2; i < x->operand_count; i++)
    if (hlo_stablehlo_list_of(x->operands[i], i - 1) != list) return NULL;
  return list;
}

static hlo_status print_dynamic_reshape(stablehlo_printer *p, const hlo_instruction *x,
                                        hlo_error *error) {
  stablehlo_values operands, results, sizes;
  const stablehlo_value *pair[2];
  HLO_TRY(hlo_print_single_operands(p, x, &operands, error));
  pair[0] = operands.items[0];
  sizes = (stablehlo_values){operands.count - 1, operands.items + 1};
  const hlo_instruction *list = whole_list(x);
  if (list != NULL) pair[1] = p->values[list->id];
  else if (sizes.count > 0) HLO_TRY(print_size_list(p, x, &sizes, &pair[1], error));
  operands = (stablehlo_values){sizes.count > 0 ? 2 : 1, pair};
  HLO_TRY(hlo_print_begin(p, NULL, 1, &x->shape, &results, error));
  hlo_string_add(p->out, sizes.count > 0 ? "stablehlo.dynamic_reshape " : "stablehlo.reshape ");
  hlo_print_names(p->out, &operands);
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

// --- contractions, windows ---

static void print_pair(hlo_string *out, const char *name, const hlo_instruction *x,
                       hlo_attribute_id lhs, hlo_attribute_id rhs, bool always) {
  int32_t left_count, right_count;
  const int64_t *left = hlo_get_ints(x, lhs, &left_count);
  const int64_t *right = hlo_get_ints(x, rhs, &right_count);
  if (!always && left_count == 0 && right_count == 0) return;
  hlo_string_add_format(out, ", %s = ", name);
  hlo_print_int_list(out, left_count, left);
  hlo_string_add(out, " x ");
  hlo_print_int_list(out, right_count, right);
}

static hlo_status print_algorithm(stablehlo_printer *p, const hlo_instruction *x,
                                  hlo_error *error) {
  const char *name = hlo_get_text(x, HLO_ATTRIBUTE_ALGORITHM);
  if (name == NULL || strcmp(name, "unset") == 0) return HLO_OK;
  const hlo_dot_algorithm *d = hlo_dot_algorithm_find(name);
  if (d == NULL) return hlo_print_unsupported(x, error);
  bool any_f8 = strncmp(d->lhs, "f8", 2) == 0;
  hlo_string_add_format(
      p->out,
      ", algorithm = <lhs_precision_type = %s, rhs_precision_type = %s, accumulation_type = %s, "
      "lhs_component_count = %d, rhs_component_count = %d, num_primitive_operations = %d, "
      "allow_imprecise_accumulation = %s>",
      any_f8 ? hlo_type_mlir_name(x->operands[0]->shape->type) : d->lhs,
      any_f8 ? hlo_type_mlir_name(x->operands[1]->shape->type) : d->rhs, d->accumulation,
      d->lhs_components, d->rhs_components, d->primitive_operations,
      d->allows_imprecise_accumulation ? "true" : "false");
  return HLO_OK;
}

static hlo_status print_dot(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values operands, results;
  const char *precision = hlo_get_text(x, HLO_ATTRIBUTE_OPERAND_PRECISION);
  HLO_TRY(hlo_print_begin_operation(p, x, "stablehlo.dot_general ", &operands, &results, error));
  hlo_print_names(p->out, &operands);
  print_pair(p->out, "batching_dims", x, HLO_ATTRIBUTE_LHS_BATCH_DIMS, HLO_ATTRIBUTE_RHS_BATCH_DIMS,
             false);
  print_pair(p->out, "contracting_dims", x, HLO_ATTRIBUTE_LHS_CONTRACTING_DIMS,
             HLO_ATTRIBUTE_RHS_CONTRACTING_DIMS, true);
  if (precision != NULL) {
    hlo_string_add(p->out, ", precision = ");
    hlo_print_precision(p->out, precision, NULL);
  }
  HLO_TRY(print_algorithm(p, x, error));
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

typedef struct window {
  int32_t rank;
  const int64_t *fields; // HLO_WINDOW_FIELDS for each dimension
} window;

static window get_window(const hlo_instruction *x) {
  window w;
  w.fields = hlo_get_ints(x, HLO_ATTRIBUTE_WINDOW, &w.rank);
  w.rank /= HLO_WINDOW_FIELDS;
  if (w.rank > HLO_MAX_RANK) w.rank = HLO_MAX_RANK;
  return w;
}

static void window_field(const window *w, int32_t field, int64_t *out) {
  for (int32_t i = 0; i < w->rank; i++) out[i] = w->fields[i * HLO_WINDOW_FIELDS + field];
}

// "[[1, 1], [0, 2]]"
static void print_window_padding(hlo_string *out, const window *w) {
  hlo_string_add_char(out, '[');
  for (int32_t i = 0; i < w->rank; i++) {
    const int64_t *fields = w->fields + i * HLO_WINDOW_FIELDS;
    hlo_string_add_format(out, i > 0 ? ", [%lld, %lld]" : "[%lld, %lld]",
                          (long long)fields[HLO_WINDOW_PAD_LOW],
                          (long long)fields[HLO_WINDOW_PAD_HIGH]);
  }
  hlo_string_add_char(out, ']');
}

// "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]" of "bf01_oi01->bf01".
static void print_labels(hlo_string *out, const char *text) {
  bool first = true;
  hlo_string_add_char(out, '[');
  for (; *text != '\0'; text++) {
    if (*text == '_' || *text == '-') {
      hlo_string_add(out, *text == '_' ? "]x[" : "]->[");
      text += *text == '-' && text[1] == '>';
      first = true;
      continue;
    }
    if (!first) hlo_string_add(out, ", ");
    first = false;
    hlo_string_add_char(out, *text);
  }
  hlo_string_add_char(out, ']');
}

static hlo_status print_convolution(stablehlo_printer *p, const hlo_instruction *x,
                                    hlo_error *error) {
  static const struct {
    const char *name;
    int32_t field;
  } lists[] = {{"stride", HLO_WINDOW_STRIDE},
               {"lhs_dilate", HLO_WINDOW_LHS_DILATION},
               {"rhs_dilate", HLO_WINDOW_RHS_DILATION}};
  stablehlo_values operands, results;
  int64_t list[HLO_MAX_RANK];
  window w = get_window(x);
  const char *precision = hlo_get_text(x, HLO_ATTRIBUTE_OPERAND_PRECISION);
  const char *labels = hlo_get_text(x, HLO_ATTRIBUTE_DIM_LABELS);
  HLO_TRY(hlo_print_begin_operation(p, x, "stablehlo.convolution(", &operands, &results, error));
  hlo_print_names(p->out, &operands);
  hlo_string_add(p->out, ") dim_numbers = ");
  print_labels(p->out, labels == NULL ? "" : labels);
  hlo_string_add(p->out, ", window = {");
  for (int i = 0; i < 3; i++) {
    window_field(&w, lists[i].field, list);
    hlo_string_add_format(p->out, i > 0 ? ", %s = " : "%s = ", lists[i].name);
    hlo_print_int_list(p->out, w.rank, list);
    if (i > 0) continue;
    hlo_string_add(p->out, ", pad = ");
    print_window_padding(p->out, &w);
  }
  window_field(&w, HLO_WINDOW_REVERSAL, list);
  hlo_string_add(p->out, ", reverse = [");
  for (int32_t i = 0; i < w.rank; i++)
    hlo_string_add_format(p->out, i > 0 ? ", %s" : "%s", list[i] != 0 ? "true" : "false");
  hlo_string_add_format(p->out,
                        "]} {batch_group_count = %lld : i64, feature_group_count = %lld : i64",
                        (long long)hlo_get_int(x, HLO_ATTRIBUTE_BATCH_GROUP_COUNT, 1),
                        (long long)hlo_get_int(x, HLO_ATTRIBUTE_FEATURE_GROUP_COUNT, 1));
  if (precision != NULL) {
    hlo_string_add(p->out, ", precision_config = ");
    hlo_print_precision(p->out, precision, "stablehlo");
  }
  hlo_string_add_char(p->out, '}');
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

// "stablehlo.reduce_window"(…) <{window_dimensions = …, …}> ({…}) : …
static hlo_status print_window(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  static const struct {
    const char *name;
    int32_t field;
  } lists[] = {{"window_dimensions", HLO_WINDOW_SIZE},
               {"window_strides", HLO_WINDOW_STRIDE},
               {"base_dilations", HLO_WINDOW_LHS_DILATION},
               {"window_dilations", HLO_WINDOW_RHS_DILATION}};
  bool is_reduce = x->opcode == HLO_OP_REDUCE_WINDOW;
  stablehlo_values operands, results;
  int64_t list[HLO_MAX_RANK];
  window w = get_window(x);
  HLO_TRY(hlo_print_begin_operation(
      p, x, is_reduce ? "\"stablehlo.reduce_window\"(" : "\"stablehlo.select_and_scatter\"(",
      &operands, &results, error));
  hlo_print_names(p->out, &operands);
  hlo_string_add(p->out, ") <{padding = dense<");
  if (w.rank > 0) print_window_padding(p->out, &w);
  hlo_string_add_format(p->out, "> : tensor<%dx2xi64>", w.rank);
  for (int i = 0; i < (is_reduce ? 4 : 2); i++) {
    window_field(&w, lists[i].field, list);
    hlo_string_add_format(p->out, ", %s = ", lists[i].name);
    hlo_print_int_array(p->out, w.rank, list);
  }
  hlo_string_add(p->out, "}>");
  HLO_TRY(hlo_print_regions(p, x, error));
  return hlo_print_finish_operation(p, x, &operands, &results, error);
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
static hlo_status print_rng(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values two, operands, results;
  const char *distribution = hlo_get_text(x, HLO_ATTRIBUTE_DISTRIBUTION);
  int64_t rank = x->shape->rank;
  const stablehlo_value *shape = find_constant(p, x, x->shape->rank, x->shape->dims);
  if (shape == NULL) {
    hlo_literal literal = {0};
    HLO_TRY(hlo_shape_make(&p->arena, HLO_S64, 1, &rank, &literal.shape, error));
    literal.data = (void *)(uintptr_t)x->shape->dims;
    HLO_TRY(print_literal(p, &literal, &shape, error));
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

static hlo_status print_top_k(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values operands, results;
  if (hlo_get_int(x, HLO_ATTRIBUTE_LARGEST, 1) == 0) return hlo_print_unsupported(x, error);
  HLO_TRY(hlo_print_begin_operation(p, x, "chlo.top_k(", &operands, &results, error));
  hlo_print_names(p->out, &operands);
  hlo_string_add_format(p->out, ", k = %lld) : ", (long long)hlo_get_int(x, HLO_ATTRIBUTE_K, 0));
  HLO_TRY(hlo_print_mlir_types(p, &operands, error));
  hlo_string_add(p->out, " -> (");
  HLO_TRY(hlo_print_mlir_types(p, &results, error));
  hlo_string_add(p->out, ")\n");
  return hlo_print_set_results(p, x, &results, error);
}

static hlo_status print_after_all(stablehlo_printer *p, const hlo_instruction *x,
                                  hlo_error *error) {
  stablehlo_values operands, results;
  HLO_TRY(hlo_print_begin_operation(
      p, x, x->operand_count == 0 ? "stablehlo.create_token" : "stablehlo.after_all ", &operands,
      &results, error));
  hlo_print_names(p->out, &operands);
  hlo_string_add(p->out, " : !stablehlo.token\n");
  return hlo_print_set_results(p, x, &results, error);
}

// --- other devices, the host ---

// HLO splits and concatenates along the same dimension, among the members of a group.
static hlo_status print_all_to_all(stablehlo_printer *p, const hlo_instruction *x,
                                   hlo_error *error) {
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
  hlo_string_add_format(p->out,
                        " {concat_dimension = %lld : i64, split_count = %lld : i64, "
                        "split_dimension = %lld : i64}",
                        (long long)dimensions[0], (long long)parts, (long long)dimensions[0]);
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

// The first halves of send and recv say nothing; the second print both.
static hlo_status print_start(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  (void)p, (void)x, (void)error;
  return HLO_OK;
}

// {source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} of send and recv.
static void print_pairs(stablehlo_printer *p, const hlo_instruction *x) {
  const char *at = hlo_transfer_pairs(x);
  int64_t pair[2];
  int32_t count = 0;
  for (; at != NULL && hlo_transfer_next_pair(&at, pair); count++)
    hlo_string_add_format(p->out, "%s[%lld, %lld]",
                          count > 0 ? ", " : " {source_target_pairs = dense<[", (long long)pair[0],
                          (long long)pair[1]);
  if (count > 0) hlo_string_add_format(p->out, "]> : tensor<%dx2xi64>}", (int)count);
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
  hlo_print_properties(p, source);
  print_pairs(p, source);
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

static hlo_status print_transfer(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  return print_transfer_of(p, x, x, hlo_op_get(x->opcode)->stablehlo_name, error);
}

static hlo_status print_done(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  const hlo_instruction *start = x->operands[0];
  hlo_opcode wanted = x->opcode == HLO_OP_SEND_DONE ? HLO_OP_SEND : HLO_OP_RECV;
  if (start->opcode != wanted) return hlo_print_unsupported(x, error);
  return print_transfer_of(p, x, start, hlo_op_get(wanted)->stablehlo_name, error);
}

static const struct {
  hlo_opcode opcode;
  stablehlo_print_function *print;
} special[] = {
    {HLO_OP_CONSTANT, print_constant},
    {HLO_OP_SLICE, print_slice},
    {HLO_OP_PAD, print_pad},
    {HLO_OP_DYNAMIC_RESHAPE, print_dynamic_reshape},
    {HLO_OP_BITCAST, print_bitcast},
    {HLO_OP_DOT, print_dot},
    {HLO_OP_CONVOLUTION, print_convolution},
    {HLO_OP_REDUCE_WINDOW, print_window},
    {HLO_OP_SELECT_AND_SCATTER, print_window},
    {HLO_OP_RNG, print_rng},
    {HLO_OP_TOPK, print_top_k},
    {HLO_OP_AFTER_ALL, print_after_all},
    {HLO_OP_ALL_TO_ALL, print_all_to_all},
    {HLO_OP_INFEED, print_transfer},
    {HLO_OP_OUTFEED, print_transfer},
    {HLO_OP_SEND, print_start},
    {HLO_OP_RECV, print_start},
    {HLO_OP_SEND_DONE, print_done},
    {HLO_OP_RECV_DONE, print_done},
};

stablehlo_print_function *hlo_print_special(hlo_opcode opcode) {
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    if (special[i].opcode == opcode) return special[i].print;
  return NULL;
}
