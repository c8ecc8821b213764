// The attributes of StableHLO operations as HLO's, by the table stablehlo_attributes.def. Must not
// know how operations are walked.
#include "text/stablehlo_attributes.h"

#include "base/decimal.h"
#include "hlo/dot_algorithm.h"
#include "text/stablehlo_import.h"

#include <string.h>

const stablehlo_attribute_row hlo_stablehlo_attribute_rows[] = {
#define ATTRIBUTE(opcode, structure, name, id, conversion)                                         \
  {HLO_OP_##opcode, structure, name, HLO_ATTRIBUTE_##id, STABLEHLO_##conversion},
#include "text/stablehlo_attributes.def"
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

// --- reading single attributes ---

static hlo_status wrong_kind(stablehlo_importer *im, const mlir_attribute *a, const char *wanted,
                             hlo_error *error) {
  return hlo_mlir_fail_at(im->parser, a->at, HLO_PARSE_ERROR, error, "expected %s", wanted);
}

// The type of the number or the numbers is this one, or goes unsaid.
static bool is_of_type(const mlir_attribute *a, hlo_type type) {
  if (a->kind == MLIR_DENSE_ARRAY)
    return a->element_type == type || a->element_type == HLO_TYPE_INVALID;
  return a->type == NULL || (a->type->shape != NULL && a->type->shape->type == type);
}

static hlo_status int_of_type(stablehlo_importer *im, const mlir_attribute *a, hlo_type type,
                              int64_t *out, hlo_error *error) {
  if (a->kind != MLIR_INTEGER || !is_of_type(a, type))
    return wrong_kind(im, a, type == HLO_S64 ? "an integer of type i64" : "an integer of type i32",
                      error);
  *out = a->integer;
  return HLO_OK;
}

hlo_status hlo_import_int(stablehlo_importer *im, const mlir_attribute *a, int64_t *out,
                          hlo_error *error) {
  return int_of_type(im, a, HLO_S64, out, error);
}

hlo_status hlo_import_bool(stablehlo_importer *im, const mlir_attribute *a, bool *out,
                           hlo_error *error) {
  bool is_i1 = a->kind == MLIR_INTEGER && a->type != NULL && is_of_type(a, HLO_PRED);
  if (a->kind != MLIR_UNIT && a->kind != MLIR_BOOL && !is_i1)
    return wrong_kind(im, a, "true or false", error);
  *out = a->kind == MLIR_UNIT || a->integer != 0;
  return HLO_OK;
}

static const char word_characters[] =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

// "LT" of #stablehlo<comparison_direction LT>, of the bare word and of the string.
static hlo_status import_word(stablehlo_importer *im, const mlir_attribute *a, const char **out,
                              hlo_error *error) {
  const char *text = a->text;
  size_t length = text == NULL ? 0 : strlen(text);
  if (a->kind == MLIR_DIALECT && a->body != NULL) { // the last word of "comparison_direction LT"
    text = a->body;
    length = a->body_length;
    while (length > 0 && text[length - 1] == ' ') length--;
    size_t start = length;
    while (start > 0 && text[start - 1] != ' ') start--;
    text += start;
    length -= start;
  }
  if (length == 0 || strspn(text, word_characters) < length)
    return wrong_kind(im, a, "a word", error);
  char *copy = hlo_arena_copy_text(&im->module->arena, text, length);
  if (copy == NULL) return hlo_fail_out_of_memory(error);
  *out = copy;
  return HLO_OK;
}

typedef struct int_list {
  int32_t count, capacity;
  int64_t *ints;
} int_list;

static hlo_status add_int(stablehlo_importer *im, int_list *list, int64_t value, hlo_error *error) {
  if (list->count == list->capacity) {
    if (list->capacity > INT32_MAX / 2) return hlo_fail_out_of_memory(error);
    int32_t capacity = list->capacity == 0 ? 8 : list->capacity * 2;
    int64_t *larger;
    HLO_ALLOC(larger, &im->parser->tree, capacity, error);
    if (list->count > 0) memcpy(larger, list->ints, (size_t)list->count * sizeof *larger);
    list->ints = larger;
    list->capacity = capacity;
  }
  list->ints[list->count++] = value;
  return HLO_OK;
}

static hlo_status flatten(stablehlo_importer *im, const mlir_attribute *a, int_list *list,
                          hlo_error *error) {
  int64_t value;
  switch (a->kind) {
  case MLIR_INTEGER:
    HLO_TRY(hlo_import_int(im, a, &value, error));
    return add_int(im, list, value, error);
  case MLIR_BOOL:
    return add_int(im, list, a->integer, error);
  case MLIR_ARRAY:
    for (int32_t i = 0; i < a->count; i++) HLO_TRY(flatten(im, a->elements[i], list, error));
    return HLO_OK;
  default:
    return wrong_kind(im, a, "a list of integers", error);
  }
}

// A list in an attribute is never long; a splat of a huge type must not make it so.
enum { LONGEST_SPLAT = 1 << 16 };

static hlo_status dense_ints(stablehlo_importer *im, const mlir_attribute *a, int_list *list,
                             hlo_error *error) {
  const hlo_shape *shape = a->type->shape;
  int64_t elements = hlo_shape_elements(shape);
  if (a->is_splat && elements > LONGEST_SPLAT) return wrong_kind(im, a, "a shorter list", error);
  const char *data = a->literal->data;
  int32_t width = hlo_type_bytes(shape->type);
  for (int64_t i = 0; i < elements; i++) {
    hlo_number n = hlo_element_get(shape->type, data + (a->is_splat ? 0 : i * width));
    HLO_TRY(add_int(im, list, shape->type == HLO_S64 ? n.i : (int64_t)n.u, error));
  }
  return HLO_OK;
}

hlo_status hlo_import_ints(stablehlo_importer *im, const mlir_attribute *a, int32_t *count,
                           const int64_t **out, hlo_error *error) {
  *count = 0;
  *out = NULL;
  if (a == NULL) return HLO_OK;
  int_list list = {0};
  if (!is_of_type(a, HLO_S64) && !is_of_type(a, HLO_PRED))
    return wrong_kind(im, a, "integers of type i64", error);
  if (a->kind == MLIR_DENSE_ARRAY) {
    *count = a->count;
    *out = a->ints;
    return HLO_OK;
  }
  if (a->kind == MLIR_DENSE) HLO_TRY(dense_ints(im, a, &list, error));
  else if (a->kind == MLIR_ARRAY) HLO_TRY(flatten(im, a, &list, error));
  else return wrong_kind(im, a, "a list of integers", error);
  *count = list.count;
  *out = list.ints;
  return HLO_OK;
}

hlo_status hlo_import_named_ints(stablehlo_importer *im, const mlir_operation *op, const char *name,
                                 int32_t *count, const int64_t **out, hlo_error *error) {
  return hlo_import_ints(im, hlo_mlir_find(op, name), count, out, error);
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
  hlo_status status = fits ? HLO_OK : wrong_kind(im, a, "a list with a word per operand", error);
  for (int32_t i = 0; status == HLO_OK && i < a->count; i++) {
    const char *word = "";
    status = import_word(im, a->elements[i], &word, error);
    if (status == HLO_OK && !is_precision(word))
      status = wrong_kind(im, a->elements[i], "DEFAULT, HIGH, HIGHEST or PACKED_NIBBLE", error);
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
    return int_of_type(im, a, HLO_S32, &out->integer, error);
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
    if (a->kind != MLIR_FLOAT || !is_of_type(a, HLO_F32))
      return wrong_kind(im, a, "a float of type f32", error);
    out->real = single_precision(a->real);
    return HLO_OK;
  case STABLEHLO_WORD:
    return import_word(im, a, &out->text, error);
  case STABLEHLO_RNG_WORD:
    HLO_TRY(import_word(im, a, &out->text, error));
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
    if (a->kind != MLIR_STRING) return wrong_kind(im, a, "a string", error);
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

static hlo_status find_row(stablehlo_importer *im, const mlir_operation *op,
                           const stablehlo_attribute_row *row, const mlir_attribute **out,
                           hlo_error *error) {
  *out = hlo_mlir_find(op, row->structure[0] == '\0' ? row->name : row->structure);
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
  HLO_TRY(find_row(im, op, row, &a, error));
  bool required = hlo_op_takes_attribute(row->opcode, row->id) == 2;
  // A structure leaves out its empty lists; other attributes that are missing are errors, which
  // verification finds.
  bool empty_list = a == NULL && required && row->structure[0] != '\0' &&
                    hlo_mlir_find(op, row->structure) != NULL;
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
  if (mode_field != NULL) HLO_TRY(import_word(im, mode_field, &mode, error));
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
    return wrong_kind(im, a, "the mode DEFAULT, HIGHEST or TOLERANCE", error);
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
                  {HLO_OP_SEND, "channel_handle"},
                  {HLO_OP_RECV, "channel_handle"}};
  for (size_t i = 0; i < sizeof demanded / sizeof *demanded; i++)
    if (demanded[i].opcode == opcode && hlo_mlir_find(op, demanded[i].name) == NULL)
      return hlo_import_fail(op, HLO_PARSE_ERROR, error, "lacks the attribute %s",
                             demanded[i].name);
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
  const mlir_attribute *accuracy = hlo_mlir_find(op, "result_accuracy");
  if (accuracy != NULL && hlo_op_takes_attribute(opcode, HLO_ATTRIBUTE_RESULT_ACCURACY) != 0)
    HLO_TRY(result_accuracy(im, accuracy, out, count, error));
  const mlir_attribute *algorithm = hlo_mlir_find(op, "algorithm");
  if (algorithm != NULL && opcode == HLO_OP_DOT)
    HLO_TRY(dot_algorithm(im, algorithm, out, count, error));
  return HLO_OK;
}
