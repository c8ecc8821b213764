// The pretty forms of operations with regions: reductions, loops, functions, modules. See forms.h.
#include "text/stablehlo/forms.h"

#include <string.h>

static hlo_status one_operation(mlir_parser *p, mlir_region *region, const char *name,
                                const char *at, int32_t operand_count, mlir_value **operands,
                                mlir_operation **out, hlo_error *error) {
  mlir_operation *op;
  HLO_ALLOC(op, &p->tree, 1, error);
  op->name = name;
  op->at = at;
  op->operand_count = operand_count;
  op->operands = operands;
  hlo_source_locate(&p->source, at, &op->line, &op->column);
  if (region->last == NULL) region->first = op;
  else region->last->next = op;
  region->last = op;
  *out = op;
  return HLO_OK;
}

// "applies stablehlo.add": the region that computes it of two scalars.
static hlo_status applied_region(mlir_parser *p, const char *name, const char *at,
                                 const mlir_type *type, mlir_region **out, hlo_error *error) {
  mlir_region *region;
  mlir_operation *apply, *end;
  mlir_value **operands, **returned;
  HLO_TRY(hlo_mlir_open_region(p, false, &region, error));
  region->argument_count = 2;
  HLO_ALLOC(region->arguments, &p->tree, 2, error);
  HLO_ALLOC(operands, &p->tree, 2, error);
  HLO_ALLOC(returned, &p->tree, 1, error);
  for (int i = 0; i < 2; i++) {
    region->arguments[i] = (mlir_value){.name = "", .type = type, .at = at, .region = region};
    operands[i] = &region->arguments[i];
  }
  HLO_TRY(one_operation(p, region, name, at, 2, operands, &apply, error));
  HLO_TRY(hlo_stablehlo_rename(p, apply, error));
  HLO_TRY(hlo_mlir_finish_results(p, apply, 1, &type, error));
  returned[0] = &apply->results[0];
  HLO_TRY(one_operation(p, region, "stablehlo.return", at, 1, returned, &end, error));
  hlo_mlir_close_region(p);
  *out = region;
  return HLO_OK;
}

// "reducer(%a: T, %b: T) (%c: U, %d: U) {": the region takes all the first ones, then the second.
static hlo_status reducer_region(mlir_parser *p, int32_t inputs, mlir_region **out,
                                 hlo_error *error) {
  mlir_list pairs = {0};
  mlir_value *arguments;
  HLO_ALLOC(arguments, &p->tree, 2 * (int64_t)inputs, error);
  for (int32_t i = 0; i < inputs; i++) {
    pairs.count = 0;
    HLO_TRY(hlo_mlir_arguments(p, &pairs, error));
    if (pairs.count != 2) return hlo_mlir_expected(p, "two arguments for each input", error);
    arguments[i] = *(const mlir_value *)pairs.items[0];
    arguments[inputs + i] = *(const mlir_value *)pairs.items[1];
  }
  HLO_TRY(hlo_mlir_expect(p, '{', error));
  return hlo_mlir_region_body(p, MLIR_REGION_INNER, arguments, 2 * inputs, out, error);
}

// "(%x init: %c), (%y init: %d)"; inputs come before the initial values.
static hlo_status reduce_operands(mlir_parser *p, mlir_list *inputs, mlir_list *initial,
                                  hlo_error *error) {
  bool more = true;
  while (more) {
    mlir_value *value;
    HLO_TRY(hlo_mlir_expect(p, '(', error));
    HLO_TRY(hlo_mlir_operand(p, &value, error));
    HLO_TRY(hlo_mlir_list_add(p, inputs, value, error));
    HLO_TRY(hlo_mlir_expect_word(p, "init", error));
    HLO_TRY(hlo_mlir_expect(p, ':', error));
    HLO_TRY(hlo_mlir_operand(p, &value, error));
    HLO_TRY(hlo_mlir_list_add(p, initial, value, error));
    HLO_TRY(hlo_mlir_expect(p, ')', error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  }
  return HLO_OK;
}

hlo_status hlo_stablehlo_read_reduce(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0}, initial = {0}, regions = {0};
  const char *applied = NULL, *applied_at = NULL;
  mlir_region *region;
  mlir_attribute *dimensions;
  bool applies;
  HLO_TRY(reduce_operands(p, &operands, &initial, error));
  int32_t inputs = operands.count;
  for (int32_t i = 0; i < inputs; i++)
    HLO_TRY(hlo_mlir_list_add(p, &operands, initial.items[i], error));
  HLO_TRY(hlo_mlir_accept_word(p, "applies", &applies, error));
  if (applies) {
    applied_at = p->token.at;
    if (p->token.kind != MLIR_TOKEN_WORD) return hlo_mlir_expected(p, "an operation", error);
    HLO_TRY(hlo_mlir_consume_text(p, &applied, error));
  }
  HLO_TRY(hlo_mlir_expect_word(p, "across", error));
  HLO_TRY(hlo_mlir_expect_word(p, "dimensions", error));
  HLO_TRY(hlo_mlir_expect(p, '=', error));
  HLO_TRY(hlo_mlir_int_list(p, &dimensions, error));
  HLO_TRY(hlo_mlir_add_attribute(p, op, "dimensions", dimensions, error));
  HLO_TRY(hlo_stablehlo_read_attributes(p, op, error));
  HLO_TRY(hlo_stablehlo_read_types(p, op, &operands, error));
  if (applies) {
    const mlir_type *type = op->operands[inputs]->type;
    HLO_TRY(applied_region(p, applied, applied_at, type, &region, error));
  } else {
    HLO_TRY(hlo_mlir_skip_location(p, error));
    HLO_TRY(hlo_mlir_expect_word(p, "reducer", error));
    HLO_TRY(reducer_region(p, inputs, &region, error));
  }
  HLO_TRY(hlo_mlir_list_add(p, &regions, region, error));
  hlo_mlir_finish_regions(op, &regions);
  return HLO_OK;
}

// while(%iterArg = %a, %iterArg_0 = %b) : T, T attributes {…} cond {…} do {…}
hlo_status hlo_stablehlo_read_while(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0}, names = {0}, types = {0}, regions = {0};
  bool more, found;
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  HLO_TRY(hlo_mlir_accept(p, ')', &more, error));
  for (more = !more; more;) {
    mlir_value *argument, *operand;
    HLO_ALLOC(argument, &p->tree, 1, error);
    HLO_TRY(hlo_mlir_argument(p, false, argument, error));
    HLO_TRY(hlo_mlir_expect(p, '=', error));
    HLO_TRY(hlo_mlir_operand(p, &operand, error));
    HLO_TRY(hlo_mlir_list_add(p, &names, argument, error));
    HLO_TRY(hlo_mlir_list_add(p, &operands, operand, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, ')', error));
  }
  HLO_TRY(hlo_mlir_accept(p, ':', &found, error));
  if (found) HLO_TRY(hlo_mlir_type_list(p, &types, error));
  HLO_TRY(hlo_mlir_finish_operands(p, op, &operands, &types, error));
  const mlir_type *const *result_types = (const mlir_type *const *)types.items;
  HLO_TRY(hlo_mlir_finish_results(p, op, types.count, result_types, error));
  for (int32_t i = 0; i < names.count; i++) ((mlir_value *)names.items[i])->type = types.items[i];
  HLO_TRY(hlo_mlir_accept_word(p, "attributes", &found, error));
  if (found) {
    HLO_TRY(hlo_mlir_expect(p, '{', error));
    HLO_TRY(hlo_mlir_dictionary(p, op, error));
  }
  for (int i = 0; i < 2; i++) {
    mlir_value *arguments;
    mlir_region *region;
    HLO_TRY(hlo_mlir_gather_values(p, &names, &arguments, error));
    HLO_TRY(hlo_mlir_expect_word(p, i == 0 ? "cond" : "do", error));
    HLO_TRY(hlo_mlir_expect(p, '{', error));
    HLO_TRY(hlo_mlir_region_body(p, MLIR_REGION_INNER, arguments, names.count, &region, error));
    HLO_TRY(hlo_mlir_list_add(p, &regions, region, error));
  }
  hlo_mlir_finish_regions(op, &regions);
  return HLO_OK;
}

// "(%a, %b)" of operands, added to the list.
static hlo_status operands_in_parentheses(mlir_parser *p, mlir_list *out, hlo_error *error) {
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  HLO_TRY(hlo_mlir_operands(p, out, error));
  return hlo_mlir_expect(p, ')', error);
}

static hlo_status add_ints(mlir_parser *p, mlir_operation *op, const char *name, int32_t count,
                           const int64_t *ints, hlo_error *error) {
  mlir_attribute *value;
  int64_t *copy;
  HLO_TRY(hlo_mlir_new_attribute(p, MLIR_DENSE_ARRAY, &value, error));
  HLO_ALLOC(copy, &p->tree, count, error);
  memcpy(copy, ints, (size_t)count * sizeof *copy);
  value->count = count;
  value->ints = copy;
  return hlo_mlir_add_attribute(p, op, name, value, error);
}

// scan(%a, %b) inits (%c) dimension=0 attributes {…} {^bb0(…): …} : (T, T, T) -> (T, T)
hlo_status hlo_stablehlo_read_scan(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list operands = {0}, regions = {0};
  mlir_region *region;
  int64_t segments[2], dimension;
  bool found;
  HLO_TRY(operands_in_parentheses(p, &operands, error));
  segments[0] = operands.count;
  HLO_TRY(hlo_mlir_expect_word(p, "inits", error));
  HLO_TRY(operands_in_parentheses(p, &operands, error));
  segments[1] = operands.count - segments[0];
  HLO_TRY(add_ints(p, op, "operandSegmentSizes", 2, segments, error));
  HLO_TRY(hlo_mlir_expect_word(p, "dimension", error));
  HLO_TRY(hlo_mlir_expect(p, '=', error));
  HLO_TRY(hlo_mlir_integer(p, &dimension, error));
  HLO_TRY(add_ints(p, op, "dimension", 1, &dimension, error));
  HLO_TRY(hlo_mlir_accept_word(p, "attributes", &found, error));
  HLO_TRY(hlo_mlir_expect(p, '{', error));
  if (found) {
    HLO_TRY(hlo_mlir_dictionary(p, op, error));
    HLO_TRY(hlo_mlir_expect(p, '{', error));
  }
  HLO_TRY(hlo_mlir_region_body(p, MLIR_REGION_INNER, NULL, 0, &region, error));
  HLO_TRY(hlo_mlir_list_add(p, &regions, region, error));
  hlo_mlir_finish_regions(op, &regions);
  HLO_TRY(hlo_mlir_expect(p, ':', error));
  return hlo_mlir_finish_function_type(p, op, &operands, error);
}

static hlo_status symbol_name(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_attribute *name;
  if (p->token.kind != MLIR_TOKEN_SYMBOL) return hlo_mlir_expected(p, "a symbol (@name)", error);
  HLO_TRY(hlo_mlir_add_new_attribute(p, op, "sym_name", MLIR_STRING, &name, error));
  return hlo_mlir_consume_text(p, &name->text, error);
}

static hlo_status attribute_keyword(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  bool found;
  HLO_TRY(hlo_mlir_accept_word(p, "attributes", &found, error));
  if (!found) return HLO_OK;
  HLO_TRY(hlo_mlir_expect(p, '{', error));
  return hlo_mlir_dictionary(p, op, error);
}

// "-> T", "-> (T {attributes}, T)"; the attributes as in generic form.
static hlo_status function_results(mlir_parser *p, mlir_operation *op, mlir_list *types,
                                   hlo_error *error) {
  mlir_list dictionaries = {0};
  mlir_attribute *all;
  bool found, brackets, more;
  HLO_TRY(hlo_mlir_accept(p, MLIR_TOKEN_ARROW, &found, error));
  if (!found) return HLO_OK;
  HLO_TRY(hlo_mlir_accept(p, '(', &brackets, error));
  HLO_TRY(hlo_mlir_accept(p, ')', &found, error));
  for (more = !found; more;) {
    const mlir_type *type;
    HLO_TRY(hlo_mlir_type(p, &type, error));
    HLO_TRY(hlo_mlir_list_add(p, types, (void *)(uintptr_t)type, error));
    if (!brackets) return HLO_OK; // a brace begins the body
    mlir_operation holder = {0};
    mlir_attribute *dictionary;
    HLO_TRY(hlo_stablehlo_read_attributes(p, &holder, error));
    HLO_TRY(hlo_mlir_new_attribute(p, MLIR_DICTIONARY, &dictionary, error));
    dictionary->count = holder.attribute_count;
    dictionary->entries = holder.attributes;
    HLO_TRY(hlo_mlir_list_add(p, &dictionaries, dictionary, error));
    HLO_TRY(hlo_mlir_skip_location(p, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
    if (!more) HLO_TRY(hlo_mlir_expect(p, ')', error));
  }
  HLO_TRY(hlo_mlir_add_new_attribute(p, op, "res_attrs", MLIR_ARRAY, &all, error));
  all->count = dictionaries.count;
  all->elements = (mlir_attribute **)dictionaries.items;
  return HLO_OK;
}

// "(%a: T {…}, %b: T)", or types alone where there is no body.
static hlo_status function_arguments(mlir_parser *p, mlir_list *arguments, hlo_error *error) {
  const char *open = p->token.at;
  HLO_TRY(hlo_mlir_expect(p, '(', error));
  if (p->token.kind == MLIR_TOKEN_VALUE || p->token.kind == ')') {
    HLO_TRY(hlo_mlir_move_to(p, open, error));
    return hlo_mlir_arguments(p, arguments, error);
  }
  bool more = true;
  while (more) {
    mlir_value *argument;
    mlir_operation ignored = {0};
    HLO_ALLOC(argument, &p->tree, 1, error);
    *argument = (mlir_value){.name = "", .at = p->token.at};
    HLO_TRY(hlo_mlir_type(p, &argument->type, error));
    HLO_TRY(hlo_stablehlo_read_attributes(p, &ignored, error));
    HLO_TRY(hlo_mlir_list_add(p, arguments, argument, error));
    HLO_TRY(hlo_mlir_accept(p, ',', &more, error));
  }
  return hlo_mlir_expect(p, ')', error);
}

static hlo_status add_function_type(mlir_parser *p, mlir_operation *op, const mlir_list *arguments,
                                    const mlir_list *results, hlo_error *error) {
  mlir_type *type;
  mlir_attribute *attribute;
  HLO_ALLOC(type, &p->tree, 1, error);
  type->kind = MLIR_TYPE_FUNCTION;
  type->at = op->at;
  type->input_count = arguments->count;
  HLO_ALLOC(type->inputs, &p->tree, arguments->count, error);
  for (int32_t i = 0; i < arguments->count; i++)
    type->inputs[i] = ((const mlir_value *)arguments->items[i])->type;
  type->result_count = results->count;
  type->results = (const mlir_type **)results->items;
  HLO_TRY(hlo_mlir_add_new_attribute(p, op, "function_type", MLIR_TYPE, &attribute, error));
  attribute->type = type;
  return HLO_OK;
}

// func.func public @f(%a: T) -> T attributes {…} {…}
hlo_status hlo_stablehlo_read_func(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  static const char *const visibilities[] = {"public", "private", "nested"};
  mlir_list arguments = {0}, results = {0}, regions = {0};
  for (int i = 0; i < 3; i++) HLO_TRY(hlo_mlir_accept_word(p, visibilities[i], NULL, error));
  HLO_TRY(symbol_name(p, op, error));
  HLO_TRY(function_arguments(p, &arguments, error));
  HLO_TRY(function_results(p, op, &results, error));
  HLO_TRY(add_function_type(p, op, &arguments, &results, error));
  HLO_TRY(attribute_keyword(p, op, error));
  bool has_body;
  const char *at = p->token.at;
  HLO_TRY(hlo_mlir_accept(p, '{', &has_body, error));
  if (!has_body) return HLO_OK;
  for (int32_t i = 0; i < arguments.count; i++) {
    if (((const mlir_value *)arguments.items[i])->name[0] == '\0')
      return hlo_mlir_fail_at(p, at, HLO_PARSE_ERROR, error,
                              "a function with a body needs names for its arguments");
  }
  mlir_value *values;
  mlir_region *region;
  HLO_TRY(hlo_mlir_gather_values(p, &arguments, &values, error));
  HLO_TRY(hlo_mlir_region_body(p, MLIR_REGION_FUNCTION, values, arguments.count, &region, error));
  HLO_TRY(hlo_mlir_list_add(p, &regions, region, error));
  hlo_mlir_finish_regions(op, &regions);
  return HLO_OK;
}

// module @name attributes {…} {…}
hlo_status hlo_stablehlo_read_module(mlir_parser *p, mlir_operation *op, hlo_error *error) {
  mlir_list regions = {0};
  mlir_region *region;
  if (p->token.kind == MLIR_TOKEN_SYMBOL) HLO_TRY(symbol_name(p, op, error));
  HLO_TRY(attribute_keyword(p, op, error));
  HLO_TRY(hlo_mlir_expect(p, '{', error));
  HLO_TRY(hlo_mlir_region_body(p, MLIR_REGION_MODULE, NULL, 0, &region, error));
  HLO_TRY(hlo_mlir_list_add(p, &regions, region, error));
  hlo_mlir_finish_regions(op, &regions);
  return HLO_OK;
}
