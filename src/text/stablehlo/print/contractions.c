// Prints dots, convolutions and windows. See printer.h.
#include "text/stablehlo/print/printer.h"

#include "hlo/attributes/dot_algorithm.h"

#include <string.h>

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

hlo_status hlo_print_dot(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
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

hlo_status hlo_print_convolution(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
  static const struct {
    const char *name;
    int32_t field;
  } lists[] = {{"stride", HLO_WINDOW_STRIDE},
               {"lhs_dilate", HLO_WINDOW_LHS_DILATION},
               {"rhs_dilate", HLO_WINDOW_RHS_DILATION}};
  static const hlo_attribute_id groups[] = {HLO_ATTRIBUTE_BATCH_GROUP_COUNT,
                                            HLO_ATTRIBUTE_FEATURE_GROUP_COUNT};
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
  hlo_string_add(p->out, "]}");
  stablehlo_dictionary dictionary = {0};
  for (int i = 0; i < 2; i++) {
    hlo_print_entry(p, &dictionary, hlo_attribute_name(groups[i]));
    hlo_string_add_format(p->out, "%lld : i64", (long long)hlo_get_int(x, groups[i], 1));
  }
  if (precision != NULL) {
    hlo_print_entry(p, &dictionary, "precision_config");
    hlo_print_precision(p->out, precision, "stablehlo");
  }
  HLO_TRY(hlo_print_close(p, x, &dictionary, error));
  return hlo_print_finish_operation(p, x, &operands, &results, error);
}

// "stablehlo.reduce_window"(…) <{window_dimensions = …, …}> ({…}) : …
hlo_status hlo_print_window(stablehlo_printer *p, const hlo_instruction *x, hlo_error *error) {
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
