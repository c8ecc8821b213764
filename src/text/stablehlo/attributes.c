// The attributes of StableHLO operations as HLO's, by the table attributes.def.
#include "text/stablehlo/attributes.h"

#include "base/decimal.h"
#include "hlo/attributes/dot_algorithm.h"
#include "text/stablehlo/import/import.h"

#include <string.h>

const stablehlo_attribute_row hlo_stablehlo_attribute_rows[] = {
#define ATTRIBUTE(opcode, structure, name, id, conversion)                                         \
  {HLO_OP_##opcode, structure, name, HLO_ATTRIBUTE_##id, STABLEHLO_##conversion},
#include "text/stablehlo/attributes.def"
#undef ATTRIBUTE
};
const int32_t hlo_stablehlo_attribute_row_count =
    sizeof hlo_stablehlo_attribute_rows / sizeof *hlo_stablehlo_attribute_rows;

const char *hlo_stablehlo_compare_type(hlo_type type) {
  switch (hlo_type_get_class(type)) {
  case HLO_CLASS_SIGNED:
    return "SIGNED";
  case HLO_CLASS_PRED:
  case HLO_CLASS_UNSIGNED:
    return "UNSIGNED";
  default:
    return "FLOAT";
  }
}

// --- conversions of one row ---

static char lower_case(char c) { return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c); }

// "rng_three_fry" of THREE_FRY.
static hlo_status rng_word(stablehlo_importer *im, const char *word, const char **out,
                           hlo_error *error) {
  char buffer[64] = "rng_";
  size_t length = strlen(word);
  if (length > sizeof buffer - 5) length = sizeof buffer - 5;
  for (size_t i = 0; i < length; i++) buffer[4 + i] = lower_case(word[i]);
  *out = hlo_arena_copy_text(&im->module->arena, buffer, 4 + length);
  return *out == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
}

static bool is_precision(const char *word) {
  static const char *const words[] = {"DEFAULT", "HIGH", "HIGHEST", "PACKED_NIBBLE"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], word) == 0) return true;
  return false;
}

// "highest,default" of a list of words; "" when all are the default.
static hlo_status precision(stablehlo_importer *im, const mlir_attribute *a, const char **out,
                            hlo_error *error) {
  hlo_string text = {0};
  bool special = false;
  bool fits = a->kind == MLIR_ARRAY && a->count <= 2;
  hlo_status status =
      fits ? HLO_OK : hlo_import_wrong_kind(im, a, "a list with a word per operand", error);
  for (int32_t i = 0; status == HLO_OK && i < a->count; i++) {
    const char *word = "";
    status = hlo_import_word(im, a->elements[i], &word, error);
    if (status == HLO_OK && !is_precision(word))
      status = hlo_import_wrong_kind(im, a->elements[i], "DEFAULT, HIGH, HIGHEST or PACKED_NIBBLE",
                                     error);
    if (i > 0) hlo_string_add_char(&text, ',');
    for (const char *c = word; *c != '\0'; c++) hlo_string_add_char(&text, lower_case(*c));
    special = special || strcmp(word, "DEFAULT") != 0;
  }
  if (status == HLO_OK) status = hlo_string_status(&text, error);
  if (status == HLO_OK) {
    *out = hlo_arena_copy_text(&im->module->arena, special ? text.text : "",
                               special ? text.length : 0);
    if (*out == NULL) status = hlo_fail_out_of_memory(error);
  }
  hlo_string_free(&text);
  return status;
}

// dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>: groups of devices; -1 fills short ones.
static hlo_status groups(stablehlo_importer *im, const mlir_attribute *a, hlo_attribute *out,
                         hlo_error *error) {
  int32_t count;
  const int64_t *ints;
  if (a->kind != MLIR_DENSE || a->type->shape->rank != 2)
    return hlo_mlir_fail_at(im->parser, a->at, HLO_UNSUPPORTED, error,
                            "groups of devices other than dense<[[...]]> are not supported");
  HLO_TRY(hlo_import_ints(im, a, &count, &ints, error));
  int64_t *members, *lengths;
  int32_t rows = count == 0 ? 0 : (int32_t)a->type->shape->dims[0];
  int32_t width = rows == 0 ? 0 : count / rows;
  HLO_ALLOC(members, &im->module->arena, count, error);
  HLO_ALLOC(lengths, &im->module->arena, rows, error);
  out->row_count = rows;
  for (int32_t i = 0; i < count; i++) {
    if (ints[i] == -1) continue;
    members[out->count++] = ints[i];
    lengths[i / width]++;
  }
  out->ints = members;
  out->row_lengths = lengths;
  return HLO_OK;
}

static hlo_status copy_ints(stablehlo_importer *im, int32_t count, const int64_t *ints,
                            hlo_attribute *out, hlo_error *error) {
  return hlo_attribute_make_ints(&im->module->arena, out->id, count, ints, out, error);
}

// The shortest decimal number that is the same in f32, which is how HLO text has it.
static double single_precision(double value) {
  char digits[HLO_FORMAT_SIZE];
  size_t length = hlo_format_shortest_f32(digits, (float)value);
  return hlo_parse_f64(digits, length, &value) ? value : (float)value;
}

// Sets *present to whether HLO would write the attribute: not when it says what is the default.
static hlo_status convert(stablehlo_importer *im, const mlir_attribute *a,
                          const stablehlo_attribute_row *row, hlo_attribute *out, bool *present,
                          hlo_error *error) {
  int32_t count;
  const int64_t *ints;
  *present = true;
  switch (row->conversion) {
  case STABLEHLO_INTS:
    HLO_TRY(hlo_import_ints(im, a, &count, &ints, error));
    *present = count > 0;
    return copy_ints(im, count, ints, out, error);
  case STABLEHLO_INT:
    return hlo_import_int(im, a, &out->integer, error);
  case STABLEHLO_INT32:
    return hlo_import_int_of_type(im, a, HLO_S32, &out->integer, error);
  case STABLEHLO_COUNT:
    HLO_TRY(hlo_import_int(im, a, &out->integer, error));
    *present = out->integer != 1;
    return HLO_OK;
  case STABLEHLO_DIMENSION:
    HLO_TRY(hlo_import_int(im, a, &out->integer, error));
    return copy_ints(im, 1, &out->integer, out, error);
  case STABLEHLO_BOOL:
  case STABLEHLO_UNIT:
    HLO_TRY(hlo_import_bool(im, a, present, error));
    out->integer = *present;
    return HLO_OK;
  case STABLEHLO_FLOAT:
    if (a->kind != MLIR_FLOAT || !hlo_import_is_of_type(a, HLO_F32))
      return hlo_import_wrong_kind(im, a, "a float of type f32", error);
    out->real = single_precision(a->real);
    return HLO_OK;
  case STABLEHLO_WORD:
    return hlo_import_word(im, a, &out->text, error);
  case STABLEHLO_RNG_WORD:
    HLO_TRY(hlo_import_word(im, a, &out->text, error));
    return rng_word(im, out->text, &out->text, error);
  case STABLEHLO_PRECISION:
    HLO_TRY(precision(im, a, &out->text, error));
    *present = out->text[0] != '\0';
    return HLO_OK;
  case STABLEHLO_GROUPS:
    HLO_TRY(groups(im, a, out, error));
    *present = out->count > 0;
    return HLO_OK;
  case STABLEHLO_STRING:
    if (a->kind != MLIR_STRING) return hlo_import_wrong_kind(im, a, "a string", error);
    out->text = hlo_arena_copy_text(&im->module->arena, a->text, strlen(a->text));
    *present = a->text[0] != '\0';
    return out->text == NULL ? hlo_fail_out_of_memory(error) : HLO_OK;
  }
  return HLO_OK;
}

hlo_instruction *hlo_stablehlo_list_of(const hlo_instruction *x, int64_t index) {
  if (x->opcode != HLO_OP_RESHAPE || x->shape->rank != 0) return NULL;
  const hlo_instruction *slice = x->operands[0];
  if (slice->opcode != HLO_OP_SLICE || slice->shape->rank != 1) return NULL;
  int32_t count;
  const int64_t *range = hlo_get_ints(slice, HLO_ATTRIBUTE_SLICE, &count);
  return range[0] == index ? slice->operands[0] : NULL;
}

static hlo_status find_attribute(stablehlo_importer *im, const mlir_operation *op,
                                 const stablehlo_attribute_row *row, const mlir_attribute **out,
                                 hlo_error *error) {
  *out = hlo_mlir_find_attribute(op, row->structure[0] == '\0' ? row->name : row->structure);
  if (*out == NULL || row->structure[0] == '\0') return HLO_OK;
  const mlir_attribute *fields;
  HLO_TRY(hlo_mlir_struct(im->parser, *out, &fields, error));
  *out = hlo_mlir_find_entry(fields, row->name);
  // Only lists and zeros may be left out of a structure.
  if (*out == NULL && row->id == HLO_ATTRIBUTE_CHANNEL_ID)
    return hlo_import_fail(op, HLO_PARSE_ERROR, error, "%s lacks %s", row->structure, row->name);
  return HLO_OK;
}

static hlo_status import_row(stablehlo_importer *im, const mlir_operation *op,
                             const stablehlo_attribute_row *row, hlo_attribute *out, int32_t *count,
                             hlo_error *error) {
  const mlir_attribute *a;
  HLO_TRY(find_attribute(im, op, row, &a, error));
  bool required = hlo_op_allows_attribute(row->opcode, row->id) == 2;
  // A structure leaves out its empty lists; other attributes that are missing are errors, which
  // verification finds.
  bool empty_list = a == NULL && required && row->structure[0] != '\0' &&
                    hlo_mlir_find_attribute(op, row->structure) != NULL;
  if (a == NULL && !empty_list) return HLO_OK;
  hlo_attribute attribute = {.id = row->id};
  bool present = true;
  if (a != NULL) HLO_TRY(convert(im, a, row, &attribute, &present, error));
  if (present || required) out[(*count)++] = attribute;
  return HLO_OK;
}

// --- attributes that the table cannot say ---

static const char *const tolerances[] = {"atol", "rtol", "ulps"};

static void add_number(hlo_string *text, const mlir_attribute *a) {
  char digits[HLO_FORMAT_SIZE] = "0";
  if (a != NULL && a->kind == MLIR_FLOAT) hlo_format_f64(digits, a->real);
  if (a != NULL && a->kind == MLIR_INTEGER) hlo_string_add_int(text, a->integer);
  else hlo_string_add(text, digits);
}

// Which only the mode TOLERANCE has.
static hlo_status require_no_tolerance(stablehlo_importer *im, const mlir_attribute *fields,
                                       const char *mode, hlo_error *error) {
  for (int i = 0; i < 3; i++) {
    const mlir_attribute *a = hlo_mlir_find_entry(fields, tolerances[i]);
    bool is_zero = a == NULL || (a->kind == MLIR_FLOAT && a->real == 0) ||
                   (a->kind == MLIR_INTEGER && a->integer == 0);
    if (!is_zero)
      return hlo_import_fail(im->operation, HLO_SHAPE_ERROR, error,
                             "result_accuracy has the mode %s, which has no tolerances", mode);
  }
  return HLO_OK;
}

// {mode=highest}, {tolerance={atol=0.1,rtol=0,ulps=2}}; nothing for the default.
static hlo_status result_accuracy(stablehlo_importer *im, const mlir_attribute *a,
                                  hlo_attribute *out, int32_t *count, hlo_error *error) {
  const mlir_attribute *fields;
  const char *mode = "DEFAULT";
  HLO_TRY(hlo_mlir_struct(im->parser, a, &fields, error));
  const mlir_attribute *mode_field = hlo_mlir_find_entry(fields, "mode");
  if (mode_field != NULL) HLO_TRY(hlo_import_word(im, mode_field, &mode, error));
  if (strcmp(mode, "TOLERANCE") != 0) HLO_TRY(require_no_tolerance(im, fields, mode, error));
  hlo_string text = {0};
  if (strcmp(mode, "TOLERANCE") == 0) {
    hlo_string_add(&text, "{tolerance={");
    for (int i = 0; i < 3; i++) {
      hlo_string_add_format(&text, i > 0 ? ",%s=" : "%s=", tolerances[i]);
      add_number(&text, hlo_mlir_find_entry(fields, tolerances[i]));
    }
    hlo_string_add(&text, "}}");
  } else if (strcmp(mode, "HIGHEST") == 0) {
    hlo_string_add(&text, "{mode=highest}");
  } else if (strcmp(mode, "DEFAULT") != 0) {
    return hlo_import_wrong_kind(im, a, "the mode DEFAULT, HIGHEST or TOLERANCE", error);
  }
  hlo_status status = hlo_string_status(&text, error);
  if (status == HLO_OK && text.length > 0) {
    const char *copy = hlo_arena_copy_text(&im->module->arena, text.text, text.length);
    if (copy == NULL) status = hlo_fail_out_of_memory(error);
    else out[(*count)++] = hlo_attribute_make_text(HLO_ATTRIBUTE_RESULT_ACCURACY, copy);
  }
  hlo_string_free(&text);
  return status;
}

static bool is_f8(const char *type) { return strncmp(type, "f8", 2) == 0; }

static bool algorithm_matches(const hlo_dot_algorithm *d, const char *const *types,
                              const int64_t *numbers, bool imprecise) {
  bool same_types = is_f8(d->lhs) ? is_f8(types[0]) && is_f8(types[1])
                                  : strcmp(d->lhs, types[0]) == 0 && strcmp(d->rhs, types[1]) == 0;
  return same_types && strcmp(d->accumulation, types[2]) == 0 && d->lhs_components == numbers[0] &&
         d->rhs_components == numbers[1] && d->primitive_operations == numbers[2] &&
         d->allows_imprecise_accumulation == imprecise;
}

static hlo_status dot_algorithm(stablehlo_importer *im, const mlir_attribute *a, hlo_attribute *out,
                                int32_t *count, hlo_error *error) {
  static const char *const type_names[] = {"lhs_precision_type", "rhs_precision_type",
                                           "accumulation_type"};
  static const char *const number_names[] = {"lhs_component_count", "rhs_component_count",
                                             "num_primitive_operations"};
  const mlir_attribute *fields;
  const char *types[3] = {"", "", ""};
  int64_t numbers[3] = {0};
  HLO_TRY(hlo_mlir_struct(im->parser, a, &fields, error));
  for (int i = 0; i < 3; i++) {
    const mlir_attribute *type = hlo_mlir_find_entry(fields, type_names[i]);
    const mlir_attribute *number = hlo_mlir_find_entry(fields, number_names[i]);
    if (type != NULL && type->kind == MLIR_KEYWORD) types[i] = type->text;
    if (number != NULL) HLO_TRY(hlo_import_int(im, number, &numbers[i], error));
  }
  const mlir_attribute *imprecise = hlo_mlir_find_entry(fields, "allow_imprecise_accumulation");
  bool is_imprecise = false;
  if (imprecise != NULL) HLO_TRY(hlo_import_bool(im, imprecise, &is_imprecise, error));
  for (int32_t i = 0; i < hlo_dot_algorithm_count; i++) {
    const hlo_dot_algorithm *d = &hlo_dot_algorithms[i];
    if (!algorithm_matches(d, types, numbers, is_imprecise)) continue;
    out[(*count)++] = hlo_attribute_make_text(HLO_ATTRIBUTE_ALGORITHM, d->name);
    return HLO_OK;
  }
  return hlo_mlir_fail_at(im->parser, a->at, HLO_UNSUPPORTED, error,
                          "this combination of precisions is not supported as a dot algorithm");
}

// HLO leaves out the way of comparing that the element type implies.
static void drop_implied_compare_type(const mlir_operation *op, const hlo_attribute *out,
                                      int32_t *count) {
  if (*count == 0 || op->operand_count == 0 || op->operands[0]->type->shape == NULL) return;
  const hlo_attribute *last = &out[*count - 1];
  if (last->id != HLO_ATTRIBUTE_TYPE) return;
  const char *implied = hlo_stablehlo_compare_type(op->operands[0]->type->shape->type);
  if (strcmp(last->text, implied) == 0 || strcmp(last->text, "NOTYPE") == 0) --*count;
}

// A sort's dimension may count from the end; the last one may go unsaid.
static hlo_status sort_dimension(stablehlo_importer *im, const mlir_operation *op,
                                 hlo_attribute *out, int32_t *count, hlo_error *error) {
  const hlo_shape *shape;
  int64_t dimension = -1;
  int32_t at = 0;
  while (at < *count && out[at].id != HLO_ATTRIBUTE_DIMENSIONS) at++;
  if (at < *count) dimension = out[at].ints[0];
  if (dimension >= 0 || op->operand_count == 0) return HLO_OK;
  HLO_TRY(hlo_import_value_shape(op, op->operands[0], &shape, error));
  dimension += shape->rank;
  if (at == *count) ++*count;
  return hlo_attribute_make_ints(&im->module->arena, HLO_ATTRIBUTE_DIMENSIONS, 1, &dimension,
                                 &out[at], error);
}

// What StableHLO demands and HLO has a default for.
static hlo_status check_demanded(const mlir_operation *op, hlo_opcode opcode, hlo_error *error) {
  static const struct {
    hlo_opcode opcode;
    const char *name;
  } demanded[] = {{HLO_OP_CONVOLUTION, "feature_group_count"},
                  {HLO_OP_CONVOLUTION, "batch_group_count"},
                  {HLO_OP_TRIANGULAR_SOLVE, "left_side"},
                  {HLO_OP_TRIANGULAR_SOLVE, "lower"},
                  {HLO_OP_TRIANGULAR_SOLVE, "unit_diagonal"},
                  {HLO_OP_TRIANGULAR_SOLVE, "transpose_a"},
                  {HLO_OP_ALL_GATHER, "replica_groups"},
                  {HLO_OP_ALL_REDUCE, "replica_groups"},
                  {HLO_OP_ALL_TO_ALL, "replica_groups"},
                  {HLO_OP_REDUCE_SCATTER, "replica_groups"},
                  {HLO_OP_COLLECTIVE_BROADCAST, "replica_groups"},
                  {HLO_OP_COLLECTIVE_REDUCE, "replica_groups"},
                  {HLO_OP_SEND, "channel_handle"},
                  {HLO_OP_RECV, "channel_handle"}};
  for (size_t i = 0; i < sizeof demanded / sizeof *demanded; i++)
    if (demanded[i].opcode == opcode && hlo_mlir_find_attribute(op, demanded[i].name) == NULL)
      return hlo_import_fail(op, HLO_PARSE_ERROR, error, "lacks the attribute %s",
                             demanded[i].name);
  // Of the collectives only these have no place for it.
  bool is_rooted = opcode == HLO_OP_COLLECTIVE_BROADCAST || opcode == HLO_OP_COLLECTIVE_REDUCE;
  if (is_rooted && hlo_mlir_find_attribute(op, "use_global_device_ids") != NULL)
    return hlo_import_fail(op, HLO_UNSUPPORTED, error, "use_global_device_ids is not supported");
  return HLO_OK;
}

hlo_status hlo_import_attributes(stablehlo_importer *im, hlo_opcode opcode,
                                 const mlir_operation *op, hlo_attribute *out, int32_t *count,
                                 hlo_error *error) {
  HLO_TRY(check_demanded(op, opcode, error));
  for (int32_t i = 0; i < hlo_stablehlo_attribute_row_count; i++) {
    const stablehlo_attribute_row *row = &hlo_stablehlo_attribute_rows[i];
    if (row->opcode == opcode) HLO_TRY(import_row(im, op, row, out, count, error));
  }
  if (opcode == HLO_OP_SORT) HLO_TRY(sort_dimension(im, op, out, count, error));
  if (opcode == HLO_OP_COMPARE) drop_implied_compare_type(op, out, count);
  const mlir_attribute *accuracy = hlo_mlir_find_attribute(op, "result_accuracy");
  if (accuracy != NULL && hlo_op_allows_attribute(opcode, HLO_ATTRIBUTE_RESULT_ACCURACY) != 0)
    HLO_TRY(result_accuracy(im, accuracy, out, count, error));
  const mlir_attribute *algorithm = hlo_mlir_find_attribute(op, "algorithm");
  if (algorithm != NULL && opcode == HLO_OP_DOT)
    HLO_TRY(dot_algorithm(im, algorithm, out, count, error));
  return HLO_OK;
}
