// Constants of few channels, broadcast along short rows, become broadcasts of several rows' worth
// and reshapes, so that loops join rows. See passes.h.
#include "hlo/builder.h"
#include "hlo/rewrite.h"
#include "passes/passes.h"
#include "passes/simplify.h"

#include <string.h>

enum { FEWEST_ROWS = 4, MOST_ROWS = 32, FEWEST_ELEMENTS = 4096 };

static bool has_short_rows(const hlo_shape *shape) {
  return hlo_shape_is_array(shape) && shape->rank >= 2 &&
         shape->dims[shape->rank - 1] < HLO_SHORT_ROW;
}

// As many rows as divide their number: 0 where there is no such broadcast.
static int64_t rows_of(const hlo_instruction *x) {
  const hlo_shape *shape = x->shape;
  if (x->opcode != HLO_OP_BROADCAST || !has_short_rows(shape)) return 0;
  const hlo_literal *literal = x->operands[0]->literal;
  const hlo_shape *from = x->operands[0]->shape;
  bool is_constant = literal != NULL && literal->data != NULL && from->rank == 1;
  int32_t minor = shape->rank - 1;
  if (!is_constant || from->dims[0] < 2 || hlo_type_bits(from->type) < 8 ||
      !hlo_lists(x, HLO_ATTRIBUTE_DIMENSIONS, minor) || !hlo_layout_is_default(shape->layout) ||
      hlo_shape_elements(shape) < FEWEST_ELEMENTS)
    return 0;
  for (int64_t rows = MOST_ROWS; rows >= FEWEST_ROWS; rows--) {
    if (shape->dims[minor - 1] % rows == 0) return rows;
  }
  return 0;
}

static hlo_status tile(void *context, hlo_instruction *x, hlo_instruction **replacement,
                       hlo_error *error) {
  (void)context;
  int64_t rows = rows_of(x), last = 1;
  if (rows == 0) return HLO_OK;
  hlo_arena *arena = &x->computation->module->arena;
  hlo_type type = x->shape->type;
  int64_t size = x->operands[0]->shape->dims[0] * rows;
  size_t bytes = (size_t)(size / rows) * (size_t)hlo_type_bytes(type);
  const int64_t dims[] = {hlo_shape_elements(x->shape) / size, size};
  const hlo_shape *one, *shape;
  hlo_instruction *wide;
  char *data;
  HLO_ALLOC(data, arena, bytes * (size_t)rows, error);
  for (int64_t i = 0; i < rows; i++)
    memcpy(data + (size_t)i * bytes, x->operands[0]->literal->data, bytes);
  HLO_TRY(hlo_shape_make(arena, type, 1, &size, &one, error));
  HLO_TRY(hlo_shape_make(arena, type, 2, dims, &shape, error));
  const hlo_literal literal = {.shape = one, .data = data};
  HLO_TRY(hlo_build_constant(x->computation, &literal, &wide, error));
  HLO_TRY(hlo_simplify_make_with_ints(x, HLO_OP_BROADCAST, shape, 1, &wide,
                                      HLO_ATTRIBUTE_DIMENSIONS, 1, &last, &wide, error));
  return hlo_simplify_make(x, HLO_OP_RESHAPE, x->shape, 1, &wide, 0, NULL, replacement, error);
}

// Whether there is something to do, and nothing goes through short rows in another order.
static bool is_by_rows(const hlo_computation *computation) {
  bool found = false;
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *x = computation->instructions[i];
    bool keeps = hlo_op_is_elementwise(x->opcode) || x->opcode == HLO_OP_TUPLE ||
                 x->opcode == HLO_OP_CONVOLUTION;
    for (int32_t k = 0; k < x->operand_count && !keeps; k++) {
      if (has_short_rows(x->operands[k]->shape)) return false;
    }
    found = found || rows_of(x) > 0;
  }
  return found;
}

hlo_status hlo_pass_tile(hlo_module *module, hlo_error *error) {
  for (int32_t c = 0; c < module->computation_count; c++) {
    hlo_computation *computation = module->computations[c];
    if (is_by_rows(computation)) HLO_TRY(hlo_computation_rewrite(computation, tile, NULL, error));
  }
  return HLO_OK;
}
