// Identities of windows. See simplify.h.
#include "passes/simplify/simplify.h"

#include "base/checked.h"
#include "hlo/attributes/window.h"
#include "kernels/eval.h"

#include <string.h>

// Whether combining with the padding changes nothing, of sums that begin with the initial value.
static bool is_neutral(hlo_opcode opcode, hlo_type type, const hlo_instruction *padding,
                       const hlo_instruction *initial) {
  _Alignas(16) char element[16] = {0};
  hlo_number value, start;
  hlo_type_class class = hlo_type_get_class(type);
  if (!hlo_simplify_splat_value(padding, &value)) return false;
  if (!hlo_set_neutral(opcode, type, element)) return false;
  hlo_number neutral = hlo_element_get(type, element);
  if (class == HLO_CLASS_SIGNED) return value.i == neutral.i;
  if (class == HLO_CLASS_UNSIGNED || class == HLO_CLASS_PRED) return value.u == neutral.u;
  bool equal = class == HLO_CLASS_FLOAT && value.re == neutral.re;
  if (opcode != HLO_OP_ADD || __builtin_signbit(value.re)) return equal;
  // Adding +0 changes -0, which no sum is that begins with another number.
  return equal && hlo_simplify_splat_value(initial, &start) &&
         !(start.re == 0 && __builtin_signbit(start.re));
}

// Adds padding (low, high, between elements) to a window's own; false if it cuts what the window
// pads, or overflows.
static bool add_padding(int64_t *field, const int64_t *padding) {
  int64_t dilation = field[HLO_WINDOW_LHS_DILATION],
          *sides[2] = {&field[HLO_WINDOW_PAD_LOW], &field[HLO_WINDOW_PAD_HIGH]};
  for (int side = 0; side < 2; side++) {
    int64_t more;
    if (padding[side] < 0 && *sides[side] > 0) return false;
    if (!hlo_checked_mul(padding[side], dilation, &more) ||
        !hlo_checked_add(*sides[side], more, sides[side]))
      return false;
  }
  return hlo_checked_mul(dilation, padding[2] + 1, &field[HLO_WINDOW_LHS_DILATION]);
}

// reduce-window(pad(x, neutral), initial): the window pads by itself.
hlo_status hlo_simplify_padded_window(hlo_instruction *x, hlo_instruction **out, hlo_error *error) {
  const hlo_instruction *pad = x->operands[0];
  const int64_t *fields;
  int32_t count, rank = pad->shape->rank;
  if (x->operand_count != 2 || pad->opcode != HLO_OP_PAD || rank == 0) return HLO_OK;
  hlo_type type = pad->shape->type;
  bool swapped;
  hlo_opcode opcode =
      hlo_simplify_applied_op(hlo_get_computation(x, HLO_ATTRIBUTE_TO_APPLY), &swapped);
  if (opcode == HLO_OP_COUNT || x->shape->type != type ||
      hlo_shape_elements(pad->operands[0]->shape) == 0 ||
      !is_neutral(opcode, type, pad->operands[1], x->operands[1]))
    return HLO_OK;
  hlo_arena *arena = &x->computation->module->arena;
  const int64_t *padding = hlo_get_ints(pad, HLO_ATTRIBUTE_PADDING, &count);
  int64_t *window;
  hlo_attribute *attributes;
  HLO_TRY(hlo_window_read(x, rank, &fields, error));
  HLO_ALLOC(window, arena, (int64_t)rank * HLO_WINDOW_FIELDS, error);
  memcpy(window, fields, (size_t)rank * HLO_WINDOW_FIELDS * sizeof *window);
  for (int32_t d = 0; d < rank; d++) {
    int64_t *field = window + (ptrdiff_t)d * HLO_WINDOW_FIELDS, positions;
    if (!add_padding(field, padding + 3 * (ptrdiff_t)d) ||
        !hlo_window_positions(field, pad->operands[0]->shape->dims[d], &positions))
      return HLO_OK;
  }
  HLO_ALLOC(attributes, arena, x->attribute_count, error);
  for (int32_t i = 0; i < x->attribute_count; i++) {
    attributes[i] = x->attributes[i];
    if (attributes[i].id == HLO_ATTRIBUTE_WINDOW)
      HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_WINDOW, rank * HLO_WINDOW_FIELDS, window,
                                      &attributes[i], error));
  }
  hlo_instruction *operands[2] = {pad->operands[0], x->operands[1]};
  return hlo_simplify_build(x, HLO_OP_REDUCE_WINDOW, x->shape, 2, operands, x->attribute_count,
                            attributes, out, error);
}
