// Prints operations by their pretty form (text/stablehlo/forms.def) and the table of attributes
// (text/stablehlo/attributes.def), or in MLIR's generic form. See printer.h.
#include "base/decimal.h"
#include "text/stablehlo/forms.h"
#include "text/stablehlo/print/printer.h"

#include <string.h>

void hlo_print_int_list(hlo_string *out, int32_t count, const int64_t *ints) {
  hlo_string_add_char(out, '[');
  for (int32_t i = 0; i < count; i++) {
    if (i > 0) hlo_string_add(out, ", ");
    hlo_string_add_int(out, ints[i]);
  }
  hlo_string_add_char(out, ']');
}

void hlo_print_int_array(hlo_string *out, int32_t count, const int64_t *ints) {
  hlo_string_add(out, "array<i64");
  for (int32_t i = 0; i < count; i++)
    hlo_string_add_format(out, i > 0 ? ", %lld" : ": %lld", (long long)ints[i]);
  hlo_string_add_char(out, '>');
}

// --- values of attributes ---

static char upper_case(char c) { return (char)(c >= 'a' && c <= 'z' ? c - 0x20 : c); }

// THREE_FRY of rng_three_fry, HIGHEST of highest.
static void print_upper(hlo_string *out, const char *text, size_t length) {
  for (size_t i = 0; i < length; i++) hlo_string_add_char(out, upper_case(text[i]));
}

static void print_word(hlo_string *out, const stablehlo_attribute_row *row, const char *text) {
  if (row->conversion == STABLEHLO_RNG_WORD && strncmp(text, "rng_", 4) == 0)
    print_upper(out, text + 4, strlen(text + 4));
  else hlo_string_add(out, text);
}

// #stablehlo<comparison_type FLOAT>: the enumeration is called as the attribute but for two.
static void print_enumeration(hlo_string *out, const stablehlo_attribute_row *row,
                              const char *text) {
  const char *name = row->name;
  if (row->id == HLO_ATTRIBUTE_TYPE) name = "comparison_type";
  if (row->id == HLO_ATTRIBUTE_TRANSPOSE_A) name = "transpose";
  hlo_string_add_format(out, "#stablehlo<%s ", name);
  print_word(out, row, text);
  hlo_string_add_char(out, '>');
}

// CHLO has what StableHLO has no name for.
static const char *dialect_of(hlo_opcode opcode) {
  return hlo_op_get(opcode)->stablehlo_name[0] == '\0' ? "chlo" : "stablehlo";
}

void hlo_print_precision(hlo_string *out, const char *text, const char *dialect) {
  hlo_string_add_char(out, '[');
  for (size_t length; *text != '\0'; text += length + (text[length] == ',')) {
    length = strcspn(text, ",");
    if (dialect != NULL) hlo_string_add_format(out, "#%s<precision ", dialect);
    print_upper(out, text, length);
    if (dialect != NULL) hlo_string_add_char(out, '>');
    if (text[length] == ',') hlo_string_add(out, ", ");
  }
  hlo_string_add_char(out, ']');
}

// dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>; -1 fills short rows.
static void print_groups(hlo_string *out, const hlo_attribute *a) {
  int64_t width = 0;
  int32_t rows = a == NULL ? 0 : a->row_count;
  const int64_t *ints = a == NULL ? NULL : a->ints;
  for (int32_t i = 0; i < rows; i++)
    if (a->row_lengths[i] > width) width = a->row_lengths[i];
  hlo_string_add(out, "dense<");
  for (int32_t i = 0; i < rows && width > 0; i++) {
    hlo_string_add(out, i > 0 ? ", [" : "[[");
    for (int64_t k = 0; k < width; k++) {
      if (k > 0) hlo_string_add(out, ", ");
      hlo_string_add_int(out, k < a->row_lengths[i] ? *ints++ : -1);
    }
    hlo_string_add_char(out, ']');
  }
  if (rows > 0 && width > 0) hlo_string_add_char(out, ']');
  hlo_string_add_format(out, "> : tensor<%dx%lldxi64>", width > 0 ? rows : 0, (long long)width);
}

static void print_float(hlo_string *out, double value) {
  float single = (float)value;
  hlo_print_mlir_float(out, HLO_F32, &single);
  hlo_string_add(out, " : f32");
}

// In a generic operation's properties. a may be NULL where the attribute's absence says something.
static void print_generic_value(hlo_string *out, const stablehlo_attribute_row *row,
                                const hlo_attribute *a) {
  switch (row->conversion) {
  case STABLEHLO_INTS:
    hlo_print_int_array(out, a->count, a->ints);
    break;
  case STABLEHLO_INT:
  case STABLEHLO_COUNT:
    hlo_string_add_format(out, "%lld : i64", (long long)a->integer);
    break;
  case STABLEHLO_INT32:
    hlo_string_add_format(out, "%lld : i32", (long long)a->integer);
    break;
  case STABLEHLO_DIMENSION:
    hlo_string_add_format(out, "%lld : i64", a->count > 0 ? (long long)a->ints[0] : 0LL);
    break;
  case STABLEHLO_BOOL:
    hlo_string_add(out, a != NULL && a->integer != 0 ? "true" : "false");
    break;
  case STABLEHLO_FLOAT:
    print_float(out, a->real);
    break;
  case STABLEHLO_WORD:
  case STABLEHLO_RNG_WORD:
    print_enumeration(out, row, a->text);
    break;
  case STABLEHLO_PRECISION:
    hlo_print_precision(out, a->text, dialect_of(row->opcode));
    break;
  case STABLEHLO_GROUPS:
    print_groups(out, a);
    break;
  case STABLEHLO_STRING:
    hlo_print_mlir_quoted(out, a->text);
    break;
  case STABLEHLO_UNIT:
    break;
  }
}

// --- properties of generic operations ---

typedef struct separator {
  hlo_string *out;
  const char *first;
  bool used;
} separator;

static void separate(separator *s) {
  hlo_string_add(s->out, s->used ? ", " : s->first);
  s->used = true;
}

// What kind of channel: among devices, from a device to the host, or back.
static int32_t channel_type(const hlo_instruction *x) {
  if (hlo_get_int(x, HLO_ATTRIBUTE_IS_HOST_TRANSFER, 0) == 0) return 1;
  return x->opcode == HLO_OP_SEND ? 2 : 3;
}

static const char *structure_name(const stablehlo_attribute_row *row) {
  if (strcmp(row->structure, "channel_handle") == 0) return "channel_handle";
  if (row->opcode == HLO_OP_GATHER) return "gather";
  if (row->opcode == HLO_OP_RAGGED_DOT) return "ragged_dot";
  return row->opcode == HLO_OP_SCATTER ? "scatter" : "dot";
}

// The fields of one structure, which are the rows from `row` on; returns how many rows.
static int32_t print_structure(hlo_string *out, const hlo_instruction *x,
                               const stablehlo_attribute_row *row, int32_t rows_left) {
  int32_t count = 0;
  // The numbers of scaled_dot are those of a dot.
  const char *dialect = row->opcode == HLO_OP_SCALED_DOT ? "stablehlo" : dialect_of(row->opcode);
  hlo_string_add_format(out, "%s = #%s.%s", row->structure, dialect, structure_name(row));
  separator s = {out, "<", false};
  for (; count < rows_left; count++) {
    const stablehlo_attribute_row *field = row + count;
    if (field->opcode != row->opcode || strcmp(field->structure, row->structure) != 0) break;
    const hlo_attribute *a = hlo_find_attribute(x, field->id);
    if (a == NULL || (field->conversion == STABLEHLO_INTS && a->count == 0)) continue;
    separate(&s);
    hlo_string_add_format(out, "%s = ", field->name);
    if (field->conversion == STABLEHLO_INTS) hlo_print_int_list(out, a->count, a->ints);
    else hlo_string_add_int(out, a->integer);
    if (strcmp(field->name, "handle") == 0)
      hlo_string_add_format(out, ", type = %d", channel_type(x));
  }
  hlo_string_add(out, s.used ? ">" : "<>");
  return count;
}

static bool is_printed(const stablehlo_attribute_row *row, const hlo_attribute *a) {
  if (row->conversion == STABLEHLO_BOOL || row->conversion == STABLEHLO_GROUPS) return true;
  return a != NULL && (row->conversion != STABLEHLO_UNIT || a->integer != 0);
}

void hlo_print_properties(stablehlo_printer *p, const hlo_instruction *x) {
  separator s = {p->out, " <{", false};
  for (int32_t i = 0; i < hlo_stablehlo_attribute_row_count; i++) {
    const stablehlo_attribute_row *row = &hlo_stablehlo_attribute_rows[i];
    const hlo_attribute *a = hlo_find_attribute(x, row->id);
    if (row->opcode != x->opcode) continue;
    if (row->structure[0] != '\0') {
      if (strcmp(row->structure, "channel_handle") == 0 && a == NULL) continue;
      separate(&s);
      i += print_structure(p->out, x, row, hlo_stablehlo_attribute_row_count - i) - 1;
    } else if (is_printed(row, a)) {
      separate(&s);
      hlo_string_add(p->out, row->name);
      if (row->conversion == STABLEHLO_UNIT) continue;
      hlo_string_add(p->out, " = ");
      print_generic_value(p->out, row, a);
    }
  }
  if (s.used) hlo_string_add(p->out, "}>");
}

// --- generic form ---

// " ({…}, {…})" of the computations that the instruction has.
hlo_status hlo_print_regions(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  static const hlo_attribute_id ids[] = {HLO_ATTRIBUTE_TO_APPLY, HLO_ATTRIBUTE_SELECT,
                                         HLO_ATTRIBUTE_SCATTER};
  separator s = {p->out, " (", false};
  for (int i = 0; i < 3; i++) {
    const hlo_computation *computation = hlo_get_computation(x, ids[i]);
    if (computation == NULL) continue;
    separate(&s);
    HLO_TRY(hlo_print_labelled_region(p, computation, error));
  }
  if (s.used) hlo_string_add_char(p->out, ')');
  return HLO_OK;
}

static hlo_status print_generic(stablehlo_printer *p, const hlo_instruction *x, const char *name,
                                hlo_error *error) {
  stablehlo_values operands, results;
  const hlo_shape *const *shapes;
  HLO_TRY(hlo_print_single_operands(p, x, &operands, error));
  int32_t count = hlo_print_result_shapes(&x->shape, &shapes);
  HLO_TRY(hlo_print_begin(p, NULL, count, shapes, &results, error));
  hlo_string_add_format(p->out, "\"%s.%s\"(", dialect_of(x->opcode), name);
  hlo_print_names(p->out, &operands);
  hlo_string_add_char(p->out, ')');
  hlo_print_properties(p, x);
  HLO_TRY(hlo_print_regions(p, x, error));
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

// --- pretty forms ---

static const stablehlo_attribute_row *find_row(hlo_opcode opcode, const char *name, size_t length) {
  for (int32_t i = 0; i < hlo_stablehlo_attribute_row_count; i++) {
    const stablehlo_attribute_row *row = &hlo_stablehlo_attribute_rows[i];
    if (row->opcode == opcode && strlen(row->name) == length &&
        strncmp(row->name, name, length) == 0)
      return row;
  }
  return NULL;
}

// The value of "[name]", "#name", "?name", "!name".
static void print_form_value(hlo_string *out, const hlo_instruction *x, const char *word,
                             size_t length) {
  const stablehlo_attribute_row *row =
      find_row(x->opcode, word + 1, length - (word[0] == '[' ? 2 : 1));
  const hlo_attribute *a = row == NULL ? NULL : hlo_find_attribute(x, row->id);
  switch (word[0]) {
  case '[':
    hlo_print_int_list(out, a == NULL ? 0 : a->count, a == NULL ? NULL : a->ints);
    break;
  case '?':
    hlo_string_add(out, a != NULL && a->integer != 0 ? "true" : "false");
    break;
  case '#':
    if (row != NULL && row->conversion == STABLEHLO_DIMENSION)
      hlo_string_add_int(out, a != NULL && a->count > 0 ? a->ints[0] : 0);
    else hlo_string_add_int(out, a == NULL ? 0 : a->integer);
    break;
  default:
    if (a != NULL) print_word(out, row, a->text);
    else if (row != NULL && row->id == HLO_ATTRIBUTE_TYPE)
      hlo_string_add(out, hlo_stablehlo_compare_type(x->operands[0]->shape->type));
  }
}

// Blanks stand before every word but a comma, a closing bracket, and what follows an opening one.
static void print_form(hlo_string *out, const hlo_instruction *x, const char *format,
                       const stablehlo_values *operands) {
  const char *word;
  size_t length;
  int32_t next = 0;
  bool after_bracket = false;
  while ((word = hlo_stablehlo_form_word(&format, &length)) != NULL) {
    bool is_sign = length == 1 && strchr(",[](", word[0]) != NULL;
    bool is_comma = word[0] == ',';
    if (word[0] == '%' && length == 2 && next == operands->count) continue;
    if (!is_comma && !after_bracket && !is_sign) hlo_string_add_char(out, ' ');
    after_bracket = is_sign && (word[0] == '[' || word[0] == '(');
    if (word[0] == '%') {
      int32_t count = length == 2 ? operands->count - next : 1;
      stablehlo_values part = {count, operands->items + next};
      hlo_print_names(out, &part);
      next += count;
    } else if (is_comma) {
      hlo_string_add_char(out, ',');
    } else if (length > 1 && strchr("[#?!", word[0]) != NULL) {
      print_form_value(out, x, word, length);
    } else {
      hlo_string_add_bytes(out, word, length);
    }
  }
}

static bool same_dynamic_dimensions(const hlo_shape *a, const hlo_shape *b) {
  for (int32_t i = 0; i < a->rank && i < b->rank; i++) {
    bool in_a = a->dynamic != NULL && a->dynamic[i], in_b = b->dynamic != NULL && b->dynamic[i];
    if (in_a != in_b) return false;
  }
  return true;
}

// Operands of the same sizes as the result, or scalars, are so with the same '?'.
static bool all_as_dynamic(const hlo_instruction *x, const stablehlo_values *operands) {
  for (int32_t i = 0; i < operands->count; i++)
    if (!same_dynamic_dimensions(operands->items[i]->shape, x->shape)) return false;
  return true;
}

static bool all_of_result_type(const hlo_instruction *x, const stablehlo_values *operands) {
  for (int32_t i = 0; i < operands->count; i++)
    if (!hlo_shape_compatible(operands->items[i]->shape, x->shape)) return false;
  return all_as_dynamic(x, operands);
}

// Operations whose one type may stand for all.
static bool may_share_type(hlo_opcode opcode) {
  return hlo_op_is_pointwise(opcode) || opcode == HLO_OP_CLAMP || opcode == HLO_OP_REVERSE ||
         opcode == HLO_OP_CHOLESKY || opcode == HLO_OP_REDUCE_PRECISION ||
         opcode == HLO_OP_AFTER_ALL || opcode == HLO_OP_IOTA || opcode == HLO_OP_REPLICA_ID ||
         opcode == HLO_OP_PARTITION_ID;
}

static hlo_status print_types(stablehlo_printer *p, const hlo_instruction *x,
                              const stablehlo_values *operands, const stablehlo_values *results,
                              hlo_error *error) {
  hlo_string_add(p->out, " : ");
  if (x->opcode == HLO_OP_SELECT && all_as_dynamic(x, operands)) {
    HLO_TRY(hlo_print_mlir_type(p, operands->items[0]->shape, error));
    hlo_string_add(p->out, ", ");
    return hlo_print_mlir_type(p, x->shape, error);
  }
  if ((x->opcode == HLO_OP_COMPLEX && all_as_dynamic(x, operands)) ||
      (may_share_type(x->opcode) && all_of_result_type(x, operands)))
    return hlo_print_mlir_type(p, x->shape, error);
  return hlo_print_function_type(p, operands, results, error);
}

static double number_after(const char *text, const char *key) {
  const char *at = strstr(text, key);
  double value = 0;
  if (at == NULL) return 0;
  at += strlen(key);
  return hlo_parse_f64(at, strcspn(at, ",} "), &value) ? value : 0;
}

// {mode=highest} and {tolerance={atol=0.1,rtol=0,ulps=2}} as MLIR writes them.
static void print_result_accuracy(stablehlo_printer *p, const hlo_instruction *x,
                                  stablehlo_dictionary *dictionary) {
  const char *text = hlo_get_text(x, HLO_ATTRIBUTE_RESULT_ACCURACY);
  hlo_string *out = p->out;
  if (text == NULL) return;
  bool tolerance = strstr(text, "tolerance=") != NULL;
  hlo_print_entry(p, dictionary, "result_accuracy");
  hlo_string_add(out, "#stablehlo.result_accuracy<");
  double atol = number_after(text, "atol="), rtol = number_after(text, "rtol=");
  double ulps = number_after(text, "ulps=");
  if (tolerance) {
    hlo_string_add(out, "atol = ");
    hlo_print_mlir_float(out, HLO_F64, &atol);
    hlo_string_add(out, ", rtol = ");
    hlo_print_mlir_float(out, HLO_F64, &rtol);
    hlo_string_add_format(out, ", ulps = %lld, ", (long long)ulps);
  }
  bool highest = strstr(text, "highest") != NULL;
  hlo_string_add_format(out, "mode = #stablehlo.result_accuracy_mode<%s>>",
                        tolerance ? "TOLERANCE"
                        : highest ? "HIGHEST"
                                  : "DEFAULT");
}

// HLO's select and clamp take scalars for arrays, StableHLO's are read with broadcasts of those:
// they are written with them, so that what is read is printed the same.
static hlo_status broadcast_scalars(stablehlo_printer *p, const hlo_instruction *x,
                                    stablehlo_values *operands, hlo_error *error) {
  for (int32_t i = 0; i < operands->count && x->shape->rank > 0; i++) {
    bool may_be_scalar = x->opcode == HLO_OP_SELECT ? i == 0 : i != 1;
    hlo_type type = x->operands[i]->shape->type;
    if (!may_be_scalar || x->operands[i]->shape->rank > 0) continue;
    stablehlo_values scalar = {1, &operands->items[i]}, wide;
    const hlo_shape *shape;
    HLO_TRY(hlo_shape_make(&p->arena, type, x->shape->rank, x->shape->dims, &shape, error));
    HLO_TRY(hlo_print_begin(p, NULL, 1, &shape, &wide, error));
    hlo_string_add(p->out, "stablehlo.broadcast_in_dim ");
    hlo_print_names(p->out, &scalar);
    hlo_string_add(p->out, ", dims = [] : ");
    HLO_TRY(hlo_print_function_type(p, &scalar, &wide, error));
    hlo_string_add_char(p->out, '\n');
    operands->items[i] = wide.items[0];
  }
  return HLO_OK;
}

static hlo_status print_pretty(stablehlo_printer *p, const hlo_instruction *x, const char *name,
                               const char *format, hlo_error *error) {
  stablehlo_values operands, results;
  HLO_TRY(hlo_print_single_operands(p, x, &operands, error));
  bool takes_scalars = x->opcode == HLO_OP_SELECT || x->opcode == HLO_OP_CLAMP;
  if (takes_scalars && !hlo_shape_is_dynamic(x->shape))
    HLO_TRY(broadcast_scalars(p, x, &operands, error));
  const hlo_shape *const *shapes;
  int32_t count = hlo_print_result_shapes(&x->shape, &shapes);
  HLO_TRY(hlo_print_begin(p, NULL, count, shapes, &results, error));
  hlo_string_add_format(p->out, "stablehlo.%s", name);
  print_form(p->out, x, format, &operands);
  stablehlo_dictionary dictionary = {0};
  print_result_accuracy(p, x, &dictionary);
  HLO_TRY(hlo_print_close(p, x, &dictionary, error));
  HLO_TRY(print_types(p, x, &operands, &results, error));
  hlo_string_add_char(p->out, '\n');
  return hlo_print_set_results(p, x, &results, error);
}

// CHLO's functions of these names are read as what XLA makes of them, which is no one instruction.
static bool is_made_of_others(hlo_opcode opcode) {
  return opcode == HLO_OP_COSH || opcode == HLO_OP_SINH;
}

// Functions that HLO has and StableHLO leaves to CHLO, "chlo.erf_inv %0 : T -> T"; those that
// CHLO's name would not say are "stablehlo.custom_call @mhlo.cosh(%0) {…} : (T) -> T".
static hlo_status print_chlo(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  stablehlo_values operands, results;
  bool is_call = is_made_of_others(x->opcode);
  HLO_TRY(hlo_print_single_operands(p, x, &operands, error));
  HLO_TRY(hlo_print_begin(p, NULL, 1, &x->shape, &results, error));
  hlo_string_add(p->out, is_call ? "stablehlo.custom_call @mhlo." : "chlo.");
  for (const char *c = hlo_op_get(x->opcode)->name; *c != '\0'; c++)
    hlo_string_add_char(p->out, *c == '-' ? '_' : *c);
  hlo_string_add_char(p->out, is_call ? '(' : ' ');
  hlo_print_names(p->out, &operands);
  if (is_call) hlo_string_add_char(p->out, ')');
  stablehlo_dictionary dictionary = {0};
  if (is_call) {
    hlo_print_entry(p, &dictionary, "mhlo.attributes");
    hlo_string_add(p->out, "{}");
    hlo_print_entry(p, &dictionary, "mhlo.version");
    hlo_string_add(p->out, "1 : i64");
  }
  print_result_accuracy(p, x, &dictionary);
  HLO_TRY(hlo_print_close(p, x, &dictionary, error));
  hlo_string_add(p->out, " : ");
  if (is_call) {
    HLO_TRY(hlo_print_function_type(p, &operands, &results, error));
  } else {
    HLO_TRY(hlo_print_mlir_types(p, &operands, error));
    hlo_string_add(p->out, " -> ");
    HLO_TRY(hlo_print_mlir_type(p, x->shape, error));
  }
  hlo_string_add_char(p->out, '\n');
  return hlo_print_set_results(p, x, &results, error);
}

hlo_status hlo_print_operation(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  const char *name = hlo_op_get(x->opcode)->stablehlo_name;
  if (name[0] == '\0') {
    if (x->opcode == HLO_OP_RAGGED_DOT) return print_generic(p, x, "ragged_dot", error);
    if (x->opcode == HLO_OP_SCALED_DOT) return print_generic(p, x, "scaled_dot", error);
    bool is_chlo = hlo_op_is_pointwise(x->opcode);
    return is_chlo ? print_chlo(p, x, error) : hlo_print_unsupported(x, error);
  }
  char full[80] = "stablehlo.";
  size_t length = strlen(name);
  if (length > sizeof full - 11) return hlo_print_unsupported(x, error);
  memcpy(full + 10, name, length + 1);
  const char *format = hlo_stablehlo_form(full);
  bool is_pretty =
      hlo_stablehlo_form_says_all(x, format) && hlo_stablehlo_is_pretty(x->opcode, format);
  return is_pretty ? print_pretty(p, x, name, format, error) : print_generic(p, x, name, error);
}
