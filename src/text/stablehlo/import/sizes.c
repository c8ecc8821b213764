// See sizes.h. Scalars are arrays without dimensions and an index is an s64; sizes are not
// negative, so that signed and unsigned operations agree.
#include "text/stablehlo/import/sizes.h"

#include "shape/literal.h"
#include "text/stablehlo/forms.h"
#include "text/stablehlo/import/dynamic.h"

#include <string.h>

// --- reading ---

// The element of the tensor, or an index.
static hlo_status scalar_type(mlir_parser *p, const mlir_type *tensor, hlo_type type,
                              const mlir_type **out, hlo_error *error) {
  mlir_type *scalar;
  HLO_ALLOC(scalar, &p->tree, 1, error);
  scalar->kind = MLIR_TYPE_ELEMENT;
  if (tensor != NULL && tensor->shape != NULL && hlo_shape_is_array(tensor->shape))
    type = tensor->shape->type;
  scalar->shape = hlo_shape_scalar(type);
  scalar->at = type == HLO_S64 && tensor == NULL ? "index" : hlo_type_mlir_name(type);
  scalar->length = strlen(scalar->at);
  *out = scalar;
  return HLO_OK;
}

static hlo_status read_constant(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_attribute *value;
  mlir_list none = {0};
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  HLO_TRY(hlo_mlir_attribute(p, &value, error));
  const mlir_type *type = value->type;
  if (value->kind == MLIR_BOOL) HLO_TRY(scalar_type(p, NULL, HLO_PRED, &type, error));
  if (type == NULL) return hlo_mlir_expected(p, "a number and its type", error);
  HLO_TRY(hlo_mlir_add_attribute(p, op, "value", value, error));
  HLO_TRY(hlo_mlir_finish_operands(p, op, &none, NULL, error));
  return hlo_mlir_finish_results(p, op, 1, &type, error);
}

// "%t[%i, %j]", "%a, %b", and "sgt, %a, %b".
static hlo_status read_operands(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0};
  mlir_attribute *word;
  bool found;
  if (strcmp(op->name, "arith.cmpi") == 0) {
    HLO_TRY(hlo_mlir_new_attribute(p, MLIR_KEYWORD, &word, error));
    if (p->token.kind != MLIR_TOKEN_WORD) return hlo_mlir_expected(p, "a comparison", error);
    HLO_TRY(hlo_mlir_consume_text(p, &word->text, error));
    HLO_TRY(hlo_mlir_add_attribute(p, op, "predicate", word, error));
    HLO_TRY(hlo_mlir_expect(p, ',', error));
  }
  HLO_TRY(hlo_mlir_operands(p, &operands, error));
  HLO_TRY(hlo_mlir_accept(p, '[', &found, error));
  if (found) {
    HLO_TRY(hlo_mlir_operands(p, &operands, error));
    HLO_TRY(hlo_mlir_expect(p, ']', error));
  }
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  return hlo_mlir_finish_operands(p, op, &operands, NULL, error);
}

// ": T" of the result, or of what it is an element or a size of; ": T, T -> T"; ": T to T".
static hlo_status read_result(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list types = {0};
  const mlir_type *result;
  bool found;
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  HLO_TRY(hlo_mlir_type_list(p, &types, error));
  result = types.items[types.count - 1];
  HLO_TRY(hlo_mlir_accept(p, MLIR_TOKEN_ARROW, &found, error));
  if (!found) HLO_TRY(hlo_mlir_accept_word(p, "to", &found, error));
  if (found) HLO_TRY(hlo_mlir_type(p, &result, error));
  else if (strcmp(op->name, "tensor.dim") == 0)
    HLO_TRY(scalar_type(p, NULL, HLO_S64, &result, error));
  else if (strcmp(op->name, "tensor.extract") == 0)
    HLO_TRY(scalar_type(p, result, HLO_S64, &result, error));
  else if (strcmp(op->name, "arith.cmpi") == 0)
    HLO_TRY(scalar_type(p, NULL, HLO_PRED, &result, error));
  return hlo_mlir_finish_results(p, op, 1, &result, error);
}

hlo_status hlo_sizes_read(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  if (strcmp(op->name, "arith.constant") == 0) return read_constant(p, op, error);
  if (hlo_witness_is(op->name)) return hlo_witness_read(p, op, error);
  HLO_TRY(read_operands(p, op, error));
  return read_result(p, op, error);
}

// --- importing ---

typedef struct sizes_work {
  stablehlo_importer *im;
  const mlir_operation *op;
  hlo_instruction **x; // the operands
  const hlo_shape *shape;
} sizes_work;

typedef hlo_status sizes_function(const sizes_work *w, hlo_instruction **out, hlo_error *error);

static hlo_status constant(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  const mlir_attribute *value = hlo_mlir_find_attribute(w->op, "value");
  hlo_literal *literal;
  if (value == NULL || !hlo_shape_is_array(w->shape))
    return hlo_import_fail(w->op, HLO_PARSE_ERROR, error, "has no value");
  if (value->kind == MLIR_DENSE && hlo_mlir_same_type(value->type, w->op->results[0].type))
    return hlo_import_constant(w->im, value->literal, w->shape, out, error);
  if (value->kind != MLIR_INTEGER && value->kind != MLIR_BOOL)
    return hlo_import_fail(w->op, HLO_UNSUPPORTED, error, "this value is not supported");
  HLO_ALLOC(literal, &w->im->module->arena, 1, error);
  HLO_TRY(
      hlo_literal_make(&w->im->module->arena, hlo_shape_scalar(w->shape->type), literal, error));
  hlo_element_set(w->shape->type, literal->data,
                  (hlo_number){HLO_CLASS_SIGNED, value->integer, 0, 0, 0});
  return hlo_import_constant(w->im, literal, w->shape, out, error);
}

static hlo_status converted(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  HLO_TRY(hlo_import_operand_count(w->op, 1, error));
  return hlo_import_emit(w->im, HLO_OP_CONVERT, w->shape, 1, w->x, 0, NULL, out, error);
}

static hlo_status cast(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  HLO_TRY(hlo_import_operand_count(w->op, 1, error));
  *out = w->x[0];
  return HLO_OK;
}

static hlo_status selected(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  HLO_TRY(hlo_import_operand_count(w->op, 3, error));
  return hlo_import_emit(w->im, HLO_OP_SELECT, w->x[1]->shape, 3, w->x, 0, NULL, out, error);
}

static hlo_status compared(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  static const char *const words[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                      "sge", "ult", "ule", "ugt", "uge"};
  static const char *const directions[] = {"EQ", "NE", "LT", "LE", "GT",
                                           "GE", "LT", "LE", "GT", "GE"};
  const mlir_attribute *predicate = hlo_mlir_find_attribute(w->op, "predicate");
  HLO_TRY(hlo_import_operand_count(w->op, 2, error));
  for (int i = 0; predicate != NULL && i < 10; i++) {
    bool is_this = predicate->kind == MLIR_INTEGER
                       ? predicate->integer == i
                       : predicate->text != NULL && strcmp(predicate->text, words[i]) == 0;
    if (is_this) return hlo_import_compare(w->im, directions[i], w->x[0], w->x[1], out, error);
  }
  return hlo_import_fail(w->op, HLO_PARSE_ERROR, error, "has no known predicate");
}

// The quotient towards 0, and one more or less where there is a remainder on the other side of it.
static hlo_status divided(const sizes_work *w, bool up, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *rest, *zero, *has_rest, *is_below, *corrects;
  HLO_TRY(hlo_import_operand_count(w->op, 2, error));
  HLO_TRY(hlo_import_binary(w->im, HLO_OP_DIVIDE, w->x[0], w->x[1], out, error));
  HLO_TRY(hlo_import_binary(w->im, HLO_OP_REMAINDER, w->x[0], w->x[1], &rest, error));
  HLO_TRY(hlo_import_number(w->im, w->x[0]->shape, 0, &zero, error));
  HLO_TRY(hlo_import_compare(w->im, "NE", rest, zero, &has_rest, error));
  HLO_TRY(hlo_import_compare(w->im, "LT", rest, zero, &is_below, error));
  HLO_TRY(hlo_import_compare(w->im, "LT", w->x[1], zero, &corrects, error));
  HLO_TRY(hlo_import_compare(w->im, up ? "EQ" : "NE", is_below, corrects, &corrects, error));
  HLO_TRY(hlo_import_binary(w->im, HLO_OP_AND, corrects, has_rest, &corrects, error));
  HLO_TRY(
      hlo_import_emit(w->im, HLO_OP_CONVERT, zero->shape, 1, &corrects, 0, NULL, &corrects, error));
  return hlo_import_binary(w->im, up ? HLO_OP_ADD : HLO_OP_SUBTRACT, *out, corrects, out, error);
}

static hlo_status divided_down(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  return divided(w, false, out, error);
}
static hlo_status divided_up(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  return divided(w, true, out, error);
}

// The scalars as one array of the result's shape.
static hlo_status joined(const sizes_work *w, int32_t count, hlo_instruction *const *scalars,
                         hlo_instruction **out, hlo_error *error) {
  hlo_arena *arena = &w->im->module->arena;
  hlo_instruction **parts;
  const hlo_shape *row;
  hlo_attribute attribute;
  int64_t one = 1, zero = 0, size = count;
  bool fits = hlo_shape_is_array(w->shape) && count > 0;
  for (int32_t i = 0; fits && i < count; i++)
    fits = hlo_shape_is_scalar(scalars[i]->shape) && scalars[i]->shape->type == w->shape->type;
  if (!fits)
    return hlo_import_fail(w->op, HLO_SHAPE_ERROR, error, "takes scalars of the result's type");
  HLO_ALLOC(parts, &w->im->parser->tree, count, error);
  HLO_TRY(hlo_shape_make(arena, w->shape->type, 1, &one, &row, error));
  for (int32_t i = 0; i < count; i++)
    HLO_TRY(hlo_import_emit(w->im, HLO_OP_RESHAPE, row, 1, &scalars[i], 0, NULL, &parts[i], error));
  *out = parts[0];
  if (count > 1) {
    HLO_TRY(hlo_shape_make(arena, w->shape->type, 1, &size, &row, error));
    HLO_TRY(hlo_attribute_make_ints(arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &zero, &attribute, error));
    HLO_TRY(
        hlo_import_emit(w->im, HLO_OP_CONCATENATE, row, count, parts, 1, &attribute, out, error));
  }
  if (w->shape->rank == 1) return HLO_OK;
  hlo_instruction *list = *out;
  return hlo_import_emit(w->im, HLO_OP_RESHAPE, w->shape, 1, &list, 0, NULL, out, error);
}

static hlo_status from_elements(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  return joined(w, w->op->operand_count, w->x, out, error);
}

// Operand 1, a number that is known.
static hlo_status known(const sizes_work *w, int64_t end, int64_t *out, hlo_error *error) {
  int32_t count;
  const int64_t *value;
  HLO_TRY(hlo_import_operand_count(w->op, 2, error));
  HLO_TRY(hlo_import_known_ints(w->im, w->op, 1, 1, &count, &value, error));
  *out = *value;
  if (*out >= 0 && *out < end) return HLO_OK;
  return hlo_import_fail(w->op, HLO_SHAPE_ERROR, error, "there is no dimension %lld",
                         (long long)*out);
}

static hlo_status need_array(const sizes_work *w, bool is_list, hlo_error *error) {
  bool fits = w->op->operand_count > 0;
  for (int32_t i = 0; fits && i < (is_list ? w->op->operand_count : 1); i++) {
    const hlo_shape *shape = w->x[i]->shape;
    fits = hlo_shape_is_array(shape) && (!is_list || i > 0 || shape->rank == 1);
  }
  return fits ? HLO_OK
              : hlo_import_fail(w->op, HLO_SHAPE_ERROR, error, "takes an array of %s",
                                is_list ? "sizes" : "any shape");
}

static hlo_status dim(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  int64_t d;
  HLO_TRY(need_array(w, false, error));
  HLO_TRY(known(w, w->x[0]->shape->rank, &d, error));
  return hlo_import_size_now(w->im, w->x[0], d, out, error);
}

static hlo_status extract(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  int64_t i;
  HLO_TRY(need_array(w, false, error));
  if (w->op->operand_count == 1) return cast(w, out, error);
  HLO_TRY(need_array(w, true, error));
  HLO_TRY(known(w, w->x[0]->shape->dims[0], &i, error));
  return hlo_import_list_element(w->im, w->x[0], i, out, error);
}

static hlo_status shape_of(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *sizes[HLO_MAX_RANK];
  HLO_TRY(need_array(w, false, error));
  int32_t rank = w->x[0]->shape->rank;
  if (rank == 0) return hlo_import_number(w->im, w->shape, 0, out, error);
  for (int32_t d = 0; d < rank; d++)
    HLO_TRY(hlo_import_size_now(w->im, w->x[0], d, &sizes[d], error));
  return joined(w, rank, sizes, out, error);
}

static hlo_status num_elements(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *size;
  HLO_TRY(need_array(w, true, error));
  HLO_TRY(hlo_import_integer(w->im, 1, out, error));
  for (int64_t i = 0; i < w->x[0]->shape->dims[0] && i < HLO_MAX_RANK; i++) {
    HLO_TRY(hlo_import_list_integer(w->im, w->x[0], i, &size, error));
    HLO_TRY(hlo_import_binary(w->im, HLO_OP_MULTIPLY, *out, size, out, error));
  }
  return HLO_OK;
}

// Element `from the end` of the list, 1 where it has none.
static hlo_status from_end(const sizes_work *w, hlo_instruction *list, int64_t back,
                           hlo_instruction **out, hlo_error *error) {
  int64_t i = list->shape->dims[0] - 1 - back;
  if (i < 0) return hlo_import_integer(w->im, 1, out, error);
  return hlo_import_list_integer(w->im, list, i, out, error);
}

static hlo_status broadcast(const sizes_work *w, hlo_instruction **out, hlo_error *error) {
  hlo_instruction *sizes[HLO_MAX_RANK], *size, *one, *choice[3];
  int64_t rank = hlo_shape_is_array(w->shape) && w->shape->rank == 1 ? w->shape->dims[0] : -1;
  HLO_TRY(need_array(w, true, error));
  bool fits = rank > 0 && rank <= HLO_MAX_RANK;
  for (int32_t i = 0; fits && i < w->op->operand_count; i++)
    fits = w->x[i]->shape->rank == 1 && w->x[i]->shape->dims[0] <= rank;
  if (!fits) return hlo_import_fail(w->op, HLO_SHAPE_ERROR, error, "the result has no such rank");
  HLO_TRY(hlo_import_integer(w->im, 1, &one, error));
  for (int64_t back = 0; back < rank; back++) {
    hlo_instruction **to = &sizes[rank - 1 - back];
    HLO_TRY(from_end(w, w->x[0], back, to, error));
    for (int32_t i = 1; i < w->op->operand_count; i++) {
      HLO_TRY(from_end(w, w->x[i], back, &size, error));
      HLO_TRY(hlo_import_compare(w->im, "EQ", *to, one, &choice[0], error));
      choice[1] = size, choice[2] = *to;
      HLO_TRY(hlo_import_emit(w->im, HLO_OP_SELECT, size->shape, 3, choice, 0, NULL, to, error));
    }
  }
  return joined(w, (int32_t)rank, sizes, out, error);
}

static const struct {
  const char *name;
  sizes_function *import;
} functions[] = {
    {"arith.constant", constant},
    {"arith.index_cast", converted},
    {"arith.index_castui", converted},
    {"arith.extsi", converted},
    {"arith.extui", converted},
    {"arith.trunci", converted},
    {"arith.floordivsi", divided_down},
    {"arith.ceildivsi", divided_up},
    {"arith.ceildivui", divided_up},
    {"arith.select", selected},
    {"arith.cmpi", compared},
    {"tensor.cast", cast},
    {"tensor.dim", dim},
    {"tensor.extract", extract},
    {"tensor.from_elements", from_elements},
    {"shape.broadcast", broadcast},
    {"shape.dim", dim},
    {"shape.get_extent", extract},
    {"shape.num_elements", num_elements},
    {"shape.shape_of", shape_of},
};

static const struct {
  const char *name;
  hlo_opcode opcode;
} binaries[] = {
    {"arith.addi", HLO_OP_ADD},
    {"arith.subi", HLO_OP_SUBTRACT},
    {"arith.muli", HLO_OP_MULTIPLY},
    {"arith.divsi", HLO_OP_DIVIDE},
    {"arith.divui", HLO_OP_DIVIDE},
    {"arith.remsi", HLO_OP_REMAINDER},
    {"arith.remui", HLO_OP_REMAINDER},
    {"arith.maxsi", HLO_OP_MAXIMUM},
    {"arith.maxui", HLO_OP_MAXIMUM},
    {"arith.minsi", HLO_OP_MINIMUM},
    {"arith.minui", HLO_OP_MINIMUM},
    {"arith.andi", HLO_OP_AND},
    {"arith.ori", HLO_OP_OR},
    {"arith.xori", HLO_OP_XOR},
    {"arith.shli", HLO_OP_SHIFT_LEFT},
    {"arith.shrsi", HLO_OP_SHIFT_RIGHT_ARITHMETIC},
    {"arith.shrui", HLO_OP_SHIFT_RIGHT_LOGICAL},
};

hlo_status hlo_import_sizes(stablehlo_importer *im, const mlir_operation *op, hlo_error *error) {
  if (hlo_witness_is(op->name)) return hlo_import_witness(im, op, error);
  sizes_work w = {im, op, NULL, NULL};
  hlo_instruction *result;
  if (op->result_count != 1 || op->results[0].type->shape == NULL)
    return hlo_import_fail(op, HLO_UNSUPPORTED, error, "this result is not supported");
  w.shape = op->results[0].type->shape;
  HLO_TRY(hlo_import_operands(im, op, &w.x, error));
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
    if (strcmp(binaries[i].name, op->name) != 0) continue;
    HLO_TRY(hlo_import_operand_count(op, 2, error));
    HLO_TRY(hlo_import_binary(im, binaries[i].opcode, w.x[0], w.x[1], &result, error));
    return hlo_import_set_result(op, 0, result, error);
  }
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (strcmp(functions[i].name, op->name) != 0) continue;
    HLO_TRY(functions[i].import(&w, &result, error));
    return hlo_import_set_result(op, 0, result, error);
  }
  return hlo_import_fail(op, HLO_UNSUPPORTED, error, "this operation is not supported");
}
