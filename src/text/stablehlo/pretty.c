// The pretty forms of single operations that forms.def cannot express. All are parsed to the tree
// of the generic form.
#include "hlo/hlo.h"
#include "text/shardy/sdy.h"
#include "text/stablehlo/forms.h"
#include "text/stablehlo/import/import.h"
#include "text/stablehlo/import/sizes.h"

#include <string.h>

// --- pieces ---

static hlo_status add_list_operand(mlir_parser *p, mlir_list *operands, hlo_error *error) {
  mlir_value *value;
  HLO_TRY(hlo_mlir_operand(p, &value, error));
  return hlo_mlir_list_add(p, operands, value, error);
}

// The entry of a dictionary that is being made up.
static hlo_status add_entry(mlir_parser *p, mlir_operation *holder, const char *name,
                            mlir_attribute *value, hlo_error *error) {
  return hlo_mlir_add_attribute(p, holder, name, value, error);
}

static hlo_status add_dictionary(mlir_parser *p, mlir_operation *op, const char *name,
                                 const mlir_operation *holder, hlo_error *error) {
  mlir_attribute *dictionary;
  HLO_TRY(hlo_mlir_new_attribute(p, MLIR_DICTIONARY, &dictionary, error));
  dictionary->count = holder->attribute_count;
  dictionary->entries = holder->attributes;
  return hlo_mlir_add_attribute(p, op, name, dictionary, error);
}

static hlo_status finish(mlir_parser *p, mlir_operation *op, const mlir_list *operands,
                         hlo_error *error) {
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  return hlo_stablehlo_read_types(p, op, operands, error);
}

// --- operations ---

// constant {attributes} dense<…> : T, or for quantized T constant() <{value = dense<…>}> : () -> T
static hlo_status read_constant(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_attribute *value;
  mlir_list none = {0};
  bool states_type, has_brackets;
  HLO_TRY(hlo_mlir_accept(p, '(', &states_type, error));
  if (states_type) {
    HLO_TRY(hlo_mlir_expect(p, ')', error));
    HLO_TRY(hlo_mlir_accept(p, '<', &has_brackets, error));
    HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
    if (has_brackets) HLO_TRY(hlo_mlir_expect(p, '>', error));
    HLO_TRY(hlo_mlir_expect(p, ':', error));
    return hlo_mlir_finish_function_type(p, op, &none, error);
  }
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  const char *at = p->token.at;
  HLO_TRY(hlo_mlir_attribute(p, &value, error));
  if (value->kind != MLIR_DENSE) {
    return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error,
                            "expected dense values: dense<...> : tensor<...>");
  }
  HLO_TRY(hlo_mlir_add_attribute(p, op, "value", value, error));
  HLO_TRY(hlo_mlir_finish_operands(p, op, &none, NULL, error));
  return hlo_mlir_finish_results(p, op, 1, &value->type, error);
}

// slice %x [0:2, 1:8:2] : …
static hlo_status read_slice(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  static const char *const names[] = {"start_indices", "limit_indices", "strides"};
  int64_t bounds[3][HLO_MAX_RANK];
  int32_t rank = 0;
  mlir_list operands = {0};
  bool more;
  HLO_TRY(add_list_operand(p, &operands, error));
  HLO_TRY(hlo_mlir_expect(p, '[', error));
  HLO_TRY(hlo_mlir_accept(p, ']', &more, error));
  for (more = !more; more; rank++) {
    bool has_stride;
    if (rank == HLO_MAX_RANK) return hlo_mlir_expected(p, "']' (too many dimensions)", error);
    HLO_TRY(hlo_mlir_integer(p, &bounds[0][rank], error));
    HLO_TRY(hlo_mlir_expect(p, ':', error));
    HLO_TRY(hlo_mlir_integer(p, &bounds[1][rank], error));
    HLO_TRY(hlo_mlir_accept(p, ':', &has_stride, error));
    bounds[2][rank] = 1;
    if (has_stride) HLO_TRY(hlo_mlir_integer(p, &bounds[2][rank], error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, ']', error));
  }
  for (int i = 0; i < 3; i++) {
    mlir_attribute *value;
    int64_t *ints;
    HLO_TRY(hlo_mlir_new_attribute(p, MLIR_DENSE_ARRAY, &value, error));
    HLO_ALLOC(ints, &p->tree, rank, error);
    memcpy(ints, bounds[i], (size_t)rank * sizeof *ints);
    value->count = rank;
    value->ints = ints;
    HLO_TRY(hlo_mlir_add_attribute(p, op, names[i], value, error));
  }
  return finish(p, op, &operands, error);
}

// "[1] x [0]"
static hlo_status dimension_pair(mlir_parser *p, mlir_operation *holder, const char *lhs,
                                 const char *rhs, hlo_error *error) {
  mlir_attribute *left, *right;
  HLO_TRY(hlo_mlir_expect(p, '=', error));
  HLO_TRY(hlo_mlir_int_list(p, &left, error));
  HLO_TRY(hlo_mlir_expect_word(p, "x", error));
  HLO_TRY(hlo_mlir_int_list(p, &right, error));
  HLO_TRY(add_entry(p, holder, lhs, left, error));
  return add_entry(p, holder, rhs, right, error);
}

static hlo_status named_field(mlir_parser *p, mlir_operation *op, const char *name,
                              hlo_error *error) {
  mlir_attribute *value;
  HLO_TRY(hlo_mlir_expect(p, '=', error));
  HLO_TRY(hlo_mlir_field(p, &value, error));
  return hlo_mlir_add_attribute(p, op, name, value, error);
}

// dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1],
//   precision = [DEFAULT, DEFAULT], algorithm = <…> : …
// dot %a, %b, precision = [DEFAULT, DEFAULT] : …
static hlo_status read_dot(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0};
  mlir_operation numbers = {0};
  bool more;
  HLO_TRY(add_list_operand(p, &operands, error));
  HLO_TRY(hlo_mlir_expect(p, ',', error));
  HLO_TRY(add_list_operand(p, &operands, error));
  HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  while (more) {
    bool batching, contracting, precision = false, algorithm = false;
    HLO_TRY(hlo_mlir_accept_word(p, "batching_dims", &batching, error));
    HLO_TRY(hlo_mlir_accept_word(p, "contracting_dims", &contracting, error));
    if (!batching && !contracting) {
      HLO_TRY(hlo_mlir_accept_word(p, "precision", &precision, error));
      HLO_TRY(hlo_mlir_accept_word(p, "algorithm", &algorithm, error));
    }
    if (batching) {
      HLO_TRY(
          dimension_pair(p, &numbers, "lhs_batching_dimensions", "rhs_batching_dimensions", error));
    } else if (contracting) {
      HLO_TRY(dimension_pair(p, &numbers, "lhs_contracting_dimensions",
                             "rhs_contracting_dimensions", error));
    } else if (precision) {
      HLO_TRY(named_field(p, op, "precision_config", error));
    } else if (algorithm) {
      HLO_TRY(named_field(p, op, "algorithm", error));
    } else {
      return hlo_mlir_expected(p, "batching_dims, contracting_dims, precision or algorithm", error);
    }
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  }
  if (strcmp(op->name, "stablehlo.dot") != 0)
    HLO_TRY(add_dictionary(p, op, "dot_dimension_numbers", &numbers, error));
  return finish(p, op, &operands, error);
}

// dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], kept as its text.
static hlo_status dimension_numbers(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_attribute *value;
  HLO_TRY(hlo_mlir_new_attribute(p, MLIR_DIALECT, &value, error));
  value->text = "stablehlo.conv";
  value->body = p->token.at;
  for (int i = 0; i < 3; i++) {
    if (i == 1) HLO_TRY(hlo_mlir_expect_word(p, "x", error));
    if (i == 2) HLO_TRY(hlo_mlir_expect(p, MLIR_TOKEN_ARROW, error));
    HLO_TRY(hlo_mlir_expect(p, '[', error));
    HLO_TRY(hlo_mlir_skip_to_close(p, '[', error));
  }
  value->body_length = (size_t)(p->taken - value->body);
  return hlo_mlir_add_attribute(p, op, "dimension_numbers", value, error);
}

// window = {stride = [2, 2], pad = [[1, 1], [1, 1]], lhs_dilate = …, rhs_dilate = …, reverse = …}
static hlo_status window(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  static const char *const names[][2] = {{"stride", "window_strides"},
                                         {"pad", "padding"},
                                         {"lhs_dilate", "lhs_dilation"},
                                         {"rhs_dilate", "rhs_dilation"},
                                         {"reverse", "window_reversal"}};
  bool more;
  HLO_TRY(hlo_mlir_expect(p, '{', error));
  HLO_TRY(hlo_mlir_accept(p, '}', &more, error));
  for (more = !more; more;) {
    size_t i = 0, count = sizeof names / sizeof *names;
    while (i < count && !hlo_mlir_at_word(p, names[i][0])) i++;
    if (i == count)
      return hlo_mlir_expected(p, "stride, pad, lhs_dilate, rhs_dilate or reverse", error);
    HLO_TRY(hlo_mlir_advance(p, error));
    HLO_TRY(named_field(p, op, names[i][1], error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, '}', error));
  }
  return HLO_OK;
}

// convolution(%a, %b) dim_numbers = …, window = {…} {…} : …
static hlo_status read_convolution(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0};
  bool has_window;
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  HLO_TRY(hlo_mlir_operands(p, &operands, error));
  HLO_TRY(hlo_mlir_expect(p, ')', error));
  HLO_TRY(hlo_mlir_expect_word(p, "dim_numbers", error));
  HLO_TRY(hlo_mlir_expect(p, '=', error));
  HLO_TRY(dimension_numbers(p, op, error));
  HLO_TRY(hlo_mlir_accept(p, ',', &has_window, error));
  if (has_window) {
    HLO_TRY(hlo_mlir_expect_word(p, "window", error));
    HLO_TRY(hlo_mlir_expect(p, '=', error));
    HLO_TRY(window(p, op, error));
  }
  return finish(p, op, &operands, error);
}

static hlo_status parse_name(mlir_parser *p, mlir_operation *op, int32_t token, const char *name,
                             mlir_attribute_kind kind, hlo_error *error) {
  mlir_attribute *value;
  HLO_TRY(hlo_mlir_new_attribute(p, kind, &value, error));
  if (p->token.kind != token)
    return hlo_mlir_expected(p, token == MLIR_TOKEN_STRING ? "a name" : "a symbol (@name)", error);
  HLO_TRY(hlo_mlir_consume_text(p, &value->text, error));
  return hlo_mlir_add_attribute(p, op, name, value, error);
}

// call @f(%a) {…} : …, custom_call @target(%a) {…} : …
static hlo_status read_call(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0};
  bool is_custom = strcmp(op->name, "stablehlo.custom_call") == 0;
  HLO_TRY(parse_name(p, op, MLIR_TOKEN_SYMBOL, is_custom ? "call_target_name" : "callee",
                     is_custom ? MLIR_STRING : MLIR_SYMBOL, error));
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  HLO_TRY(hlo_mlir_operands(p, &operands, error));
  HLO_TRY(hlo_mlir_expect(p, ')', error));
  return finish(p, op, &operands, error);
}

// composite "name" %a, %b {…} : …
static hlo_status read_composite(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0};
  HLO_TRY(parse_name(p, op, MLIR_TOKEN_STRING, "name", MLIR_STRING, error));
  HLO_TRY(hlo_mlir_operands(p, &operands, error));
  return finish(p, op, &operands, error);
}

// reduce_precision %x, format = e5m10 : T
static hlo_status read_reduce_precision(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  static const char *const names[] = {"exponent_bits", "mantissa_bits"};
  mlir_list operands = {0};
  HLO_TRY(add_list_operand(p, &operands, error));
  HLO_TRY(hlo_mlir_expect(p, ',', error));
  HLO_TRY(hlo_mlir_expect_word(p, "format", error));
  HLO_TRY(hlo_mlir_expect(p, '=', error));
  const char *text = p->token.text, *end = text + p->token.length;
  for (int i = 0; i < 2; i++) {
    mlir_attribute *value;
    HLO_TRY(hlo_mlir_new_attribute(p, MLIR_INTEGER, &value, error));
    bool valid = p->token.kind == MLIR_TOKEN_WORD && end - text >= 2 && *text == "em"[i] &&
                 text[1] >= '0' && text[1] <= '9';
    for (text += valid; valid && text < end && *text >= '0' && *text <= '9'; text++)
      if (value->integer < 1000) value->integer = value->integer * 10 + (*text - '0');
    if (!valid || (i == 1 && text != end)) return hlo_mlir_expected(p, "a format as e5m10", error);
    HLO_TRY(hlo_mlir_add_attribute(p, op, names[i], value, error));
  }
  HLO_TRY(hlo_mlir_advance(p, error));
  return finish(p, op, &operands, error);
}

// select %p, %a, %b : P, T
static hlo_status read_select(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0}, types = {0};
  HLO_TRY(hlo_mlir_operands(p, &operands, error));
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  if (p->token.kind == '(') return hlo_mlir_finish_function_type(p, op, &operands, error);
  HLO_TRY(hlo_mlir_type_list(p, &types, error));
  if (types.count != 2) return hlo_mlir_expected(p, "two types", error);
  const mlir_type *result = types.items[1];
  HLO_TRY(hlo_mlir_list_add(p, &types, types.items[1], error));
  HLO_TRY(hlo_mlir_finish_operands(p, op, &operands, &types, error));
  return hlo_mlir_finish_results(p, op, 1, &result, error);
}

// complex %a, %b : T of the result; tuple %a, %b : tuple<T, T>. The operands' types follow.
static hlo_status read_made_of_operands(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0};
  const mlir_type *result;
  HLO_TRY(hlo_mlir_operands(p, &operands, error));
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  if (p->token.kind == '(') return hlo_mlir_finish_function_type(p, op, &operands, error);
  HLO_TRY(hlo_mlir_type(p, &result, error));
  HLO_TRY(hlo_mlir_finish_operands(p, op, &operands, NULL, error));
  return hlo_mlir_finish_results(p, op, 1, &result, error);
}

// optimization_barrier %a, %b : T, T; without operands optimization_barrier().
static hlo_status read_barrier(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0}, types = {0};
  bool has_types, brackets;
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  HLO_TRY(hlo_mlir_accept(p, '(', &brackets, error));
  if (brackets) HLO_TRY(hlo_mlir_expect(p, ')', error));
  else HLO_TRY(hlo_mlir_operands(p, &operands, error));
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  HLO_TRY(hlo_mlir_accept(p, ':', &has_types, error));
  if (has_types && p->token.kind == '(')
    return hlo_mlir_finish_function_type(p, op, &operands, error);
  if (has_types) HLO_TRY(hlo_mlir_type_list(p, &types, error));
  HLO_TRY(hlo_mlir_finish_operands(p, op, &operands, &types, error));
  return hlo_mlir_finish_results(p, op, types.count, (const mlir_type *const *)types.items, error);
}

// return %a, %b : T, T
// func.return {…} %x : T, stablehlo.return %x {…} : T
static hlo_status read_return(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0}, types = {0};
  bool has_types;
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  HLO_TRY(hlo_mlir_operands(p, &operands, error));
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  HLO_TRY(hlo_mlir_accept(p, ':', &has_types, error));
  if (has_types) HLO_TRY(hlo_mlir_type_list(p, &types, error));
  return hlo_mlir_finish_operands(p, op, &operands, &types, error);
}

// After the operands of an expectation: ", dense<…>" and ", name = value".
static hlo_status expectation_values(mlir_parser *p, mlir_operation *op, mlir_attribute **dense,
                                     hlo_error *error) {
  bool more;
  HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  while (more) {
    mlir_attribute *value;
    const char *name = "value";
    if (hlo_mlir_at_word(p, "dense") && *dense == NULL) {
      HLO_TRY(hlo_mlir_skip_dense(p, &value, error));
      *dense = value;
    } else {
      if (p->token.kind != MLIR_TOKEN_WORD) return hlo_mlir_expected(p, "name = value", error);
      HLO_TRY(hlo_mlir_consume_text(p, &name, error));
      HLO_TRY(hlo_mlir_expect(p, '=', error));
      HLO_TRY(hlo_mlir_untyped_attribute(p, &value, error));
    }
    HLO_TRY(hlo_mlir_add_attribute(p, op, name, value, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  }
  return HLO_OK;
}

// check.expect_eq_const %x, dense<…> {…} : T
// check.expect_close %x, %y, max_ulp_difference = 2 : T, T
// interpreter.probe %x, probe_id = "name" : T
static hlo_status read_expectation(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0}, types = {0};
  mlir_attribute *dense = NULL;
  HLO_TRY(hlo_mlir_operands(p, &operands, error));
  HLO_TRY(expectation_values(p, op, &dense, error));
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  if (p->token.kind == '(') {
    HLO_TRY(hlo_mlir_finish_function_type(p, op, &operands, error));
  } else { // one type may stand for all operands
    HLO_TRY(hlo_mlir_type_list(p, &types, error));
    while (types.count < operands.count)
      HLO_TRY(hlo_mlir_list_add(p, &types, types.items[0], error));
    HLO_TRY(hlo_mlir_finish_operands(p, op, &operands, &types, error));
    bool has_result = strcmp(op->name, "interpreter.probe") == 0;
    const mlir_type *const *results = (const mlir_type *const *)types.items;
    HLO_TRY(hlo_mlir_finish_results(p, op, has_result, results, error));
  }
  if (dense == NULL) return HLO_OK;
  if (operands.count == 0) return hlo_mlir_expected(p, "an operand to compare", error);
  return hlo_mlir_dense_of_type(p, dense, op->operands[0]->type, error);
}

static hlo_status read_default(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0};
  HLO_TRY(hlo_stablehlo_read_form(p, hlo_stablehlo_form(op->name), op, &operands, error));
  return finish(p, op, &operands, error);
}

static const struct {
  const char *name;
  hlo_stablehlo_reader *read;
} readers[] = {
    {"builtin.module", hlo_stablehlo_read_module},
    {"func.func", hlo_stablehlo_read_func},
    {"func.call", read_call},
    {"func.return", read_return},
    {"stablehlo.return", read_return},
    {"stablehlo.constant", read_constant},
    {"chlo.constant", read_constant},
    {"stablehlo.slice", read_slice},
    {"stablehlo.dot_general", read_dot},
    {"stablehlo.dot", read_dot},
    {"stablehlo.reduce", hlo_stablehlo_read_reduce},
    {"stablehlo.while", hlo_stablehlo_read_while},
    {"chlo.scan", hlo_stablehlo_read_scan},
    {"stablehlo.convolution", read_convolution},
    {"stablehlo.dynamic_conv", read_convolution},
    {"stablehlo.custom_call", read_call},
    {"stablehlo.composite", read_composite},
    {"stablehlo.reduce_precision", read_reduce_precision},
    {"stablehlo.select", read_select},
    {"stablehlo.complex", read_made_of_operands},
    {"stablehlo.tuple", read_made_of_operands},
    {"stablehlo.optimization_barrier", read_barrier},
    {"interpreter.print", read_expectation},
    {"interpreter.probe", read_expectation},
    {"sdy.mesh", hlo_sdy_read_mesh},
    {"sdy.sharding_constraint", hlo_sdy_read_sharding},
    {"sdy.reshard", hlo_sdy_read_sharding},
    {"sdy.all_gather", hlo_sdy_read_collective},
    {"sdy.all_reduce", hlo_sdy_read_collective},
    {"sdy.all_slice", hlo_sdy_read_collective},
    {"sdy.all_to_all", hlo_sdy_read_collective},
    {"sdy.collective_permute", hlo_sdy_read_collective},
    {"sdy.reduce_scatter", hlo_sdy_read_collective},
    {"sdy.replicated_to_unreduced", hlo_sdy_read_collective},
    {"sdy.sharded_to_unreduced", hlo_sdy_read_collective},
    {"sdy.data_flow_edge", hlo_sdy_read_collective},
    {"sdy.func_data_flow_edge", hlo_sdy_read_collective},
    {"sdy.constant", read_constant},
    {"sdy.named_computation", hlo_sdy_read_named},
    {"sdy.manual_computation", hlo_sdy_read_manual},
    {"sdy.return", read_return},
};

// Operations of these dialects that are not listed above have the default form.
static bool is_known_dialect(const char *name) {
  static const char *const dialects[] = {"stablehlo.", "chlo.", "sdy.sharding_group",
                                         "sdy.propagation_barrier"};
  for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
    if (strncmp(name, dialects[i], strlen(dialects[i])) == 0) return true;
  return false;
}

static bool is_known(const char *name) {
  static const char dialect[] = "stablehlo.";
  size_t prefix = sizeof dialect - 1, length = strlen(name);
  return strncmp(name, dialect, prefix) != 0 || hlo_import_special(name) != NULL ||
         hlo_op_from_stablehlo_name(name + prefix, length - prefix) != HLO_OP_COUNT;
}

hlo_status hlo_stablehlo_pretty(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
    if (strcmp(readers[i].name, op->name) == 0) return readers[i].read(p, op, error);
  if (strncmp(op->name, "check.", 6) == 0) return read_expectation(p, op, error);
  if (is_known_dialect(op->name)) {
    hlo_status status = read_default(p, op, error);
    if (status != HLO_PARSE_ERROR || is_known(op->name)) return status;
    if (error != NULL) hlo_error_clear(error); // it has another pretty form
  }
  if (hlo_sizes_is(op->name)) return hlo_sizes_read(p, op, error);
  return hlo_mlir_fail_at(p, op->at, HLO_UNSUPPORTED, error, "the operation '%.*s' is not known",
                          100, op->name);
}
