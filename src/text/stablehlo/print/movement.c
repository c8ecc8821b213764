// Prints data movement whose form differs from HLO's: slices, padding, bitcasts, reshapes to sizes
// that are values. See printer.h.
#include "text/stablehlo/print/printer.h"

hlo_status hlo_print_slice(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
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

hlo_status hlo_print_pad(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
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

// "<operation> %value<dims> : …" with a result of the shape; *value: that. x: the instruction whose
// value this is, or NULL.
static hlo_status print_movement(stablehlo_printer *p, const hlo_instruction *x,
                                 const char *operation, int32_t count, const int64_t *dims,
                                 const hlo_shape *shape, const stablehlo_value **value,
                                 hlo_error *error) {
  stablehlo_values operand = {1, value}, results;
  HLO_TRY(hlo_print_begin(p, NULL, 1, &shape, &results, error));
  hlo_string_add_format(p->out, "%s %s", operation, (*value)->name);
  if (dims != NULL) {
    hlo_string_add(p->out, ", dims = ");
    hlo_print_int_list(p->out, count, dims);
  }
  if (x != NULL) HLO_TRY(hlo_print_common(p, x, error));
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
hlo_status hlo_print_bitcast(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
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
    HLO_TRY(print_movement(p, NULL, "stablehlo.bitcast_convert", 0, NULL, from, &value, error));
  }
  HLO_TRY(in_memory(p, from, order, &before, error));
  if (!hlo_layout_is_default(from->layout))
    HLO_TRY(
        print_movement(p, NULL, "stablehlo.transpose", from->rank, order, before, &value, error));
  HLO_TRY(in_memory(p, to, order, &after, error));
  bool is_last = hlo_layout_is_default(to->layout);
  HLO_TRY(
      print_movement(p, is_last ? x : NULL, "stablehlo.reshape", 0, NULL, after, &value, error));
  for (int32_t i = 0; i < to->rank; i++) back[order[i]] = i;
  if (!is_last)
    HLO_TRY(print_movement(p, x, "stablehlo.transpose", to->rank, back, to, &value, error));
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

hlo_status hlo_print_dynamic_reshape(stablehlo_printer *p, const hlo_instruction *x,
                                     hlo_error *error) {
  stablehlo_values operands, results, sizes;
  const stablehlo_value *pair[2];
  HLO_TRY(hlo_print_single_operands(p, x, &operands, error));
  pair[0] = operands.items[0];
  // A type that says all sizes leaves nothing to the operands, as it is read.
  int32_t size_count = hlo_shape_is_dynamic(x->shape) ? operands.count - 1 : 0;
  sizes = (stablehlo_values){size_count, operands.items + 1};
  const hlo_instruction *list = whole_list(x);
  if (list != NULL) pair[1] = p->values[list->id];
  else if (sizes.count > 0) HLO_TRY(print_size_list(p, x, &sizes, &pair[1], error));
  operands = (stablehlo_values){sizes.count > 0 ? 2 : 1, pair};
  HLO_TRY(hlo_print_begin(p, NULL, 1, &x->shape, &results, error));
  hlo_string_add(p->out, sizes.count > 0 ? "stablehlo.dynamic_reshape " : "stablehlo.reshape ");
  hlo_print_names(p->out, &operands);
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}
