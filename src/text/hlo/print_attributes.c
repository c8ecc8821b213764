// Prints the values of attributes as HLO text has them, a function for each hlo_attribute_kind.
#include "text/text.h"

#include "base/decimal.h"
#include "text/attributes/lexer.h"

typedef void print_function(hlo_string *out, const hlo_attribute *attribute);

static void print_int(hlo_string *out, const hlo_attribute *attribute) {
  hlo_string_add_int(out, attribute->integer);
}

static void print_float(hlo_string *out, const hlo_attribute *attribute) {
  char text[HLO_FORMAT_SIZE];
  size_t length = hlo_format_f64(text, attribute->real);
  hlo_string_add_bytes(out, text, length);
}

static void print_bool(hlo_string *out, const hlo_attribute *attribute) {
  hlo_string_add(out, attribute->integer != 0 ? "true" : "false");
}

static void print_text(hlo_string *out, const hlo_attribute *attribute) {
  hlo_string_add(out, attribute->text);
}

static void print_names(hlo_string *out, const hlo_attribute *attribute) {
  hlo_string_add_char(out, '{');
  hlo_string_add(out, attribute->text);
  hlo_string_add_char(out, '}');
}

static void print_string(hlo_string *out, const hlo_attribute *attribute) {
  hlo_print_quoted(out, attribute->text);
}

// "{1,2,3}"
static void print_list(hlo_string *out, int64_t count, const int64_t *ints) {
  hlo_string_add_char(out, '{');
  for (int64_t i = 0; i < count; i++) {
    if (i > 0) hlo_string_add_char(out, ',');
    hlo_string_add_int(out, ints[i]);
  }
  hlo_string_add_char(out, '}');
}

static void print_rows(hlo_string *out, const hlo_attribute *attribute) {
  const int64_t *ints = attribute->ints;
  hlo_string_add_char(out, '{');
  for (int32_t i = 0; i < attribute->row_count; i++) {
    if (i > 0) hlo_string_add_char(out, ',');
    print_list(out, attribute->row_lengths[i], ints);
    ints += attribute->row_lengths[i];
  }
  hlo_string_add_char(out, '}');
}

static void print_ints(hlo_string *out, const hlo_attribute *attribute) {
  if (attribute->row_count > 0) print_rows(out, attribute);
  else print_list(out, attribute->count, attribute->ints);
}

// Strides are printed for every dimension as soon as one is not 1.
static void print_slice(hlo_string *out, const hlo_attribute *attribute) {
  bool has_strides = false;
  for (int32_t i = 0; i + 2 < attribute->count; i += 3)
    has_strides = has_strides || attribute->ints[i + 2] != 1;
  hlo_string_add_char(out, '{');
  for (int32_t i = 0; i + 2 < attribute->count; i += 3) {
    if (i > 0) hlo_string_add(out, ", ");
    hlo_string_add_format(out, "[%lld:%lld", (long long)attribute->ints[i],
                          (long long)attribute->ints[i + 1]);
    if (has_strides) hlo_string_add_format(out, ":%lld", (long long)attribute->ints[i + 2]);
    hlo_string_add_char(out, ']');
  }
  hlo_string_add_char(out, '}');
}

// The interior is printed for every dimension as soon as one has some.
static void print_padding(hlo_string *out, const hlo_attribute *attribute) {
  bool has_interior = false;
  for (int32_t i = 0; i + 2 < attribute->count; i += 3)
    has_interior = has_interior || attribute->ints[i + 2] != 0;
  for (int32_t i = 0; i + 2 < attribute->count; i += 3) {
    if (i > 0) hlo_string_add_char(out, 'x');
    hlo_string_add_format(out, "%lld_%lld", (long long)attribute->ints[i],
                          (long long)attribute->ints[i + 1]);
    if (has_interior) hlo_string_add_format(out, "_%lld", (long long)attribute->ints[i + 2]);
  }
}

// " name=axbxc" of one field (of two joined by '_' for the padding), when it says something.
static void print_window_part(hlo_string *out, const hlo_attribute *attribute, const char *name,
                              int field, int64_t unset) {
  bool is_pair = field == HLO_WINDOW_PAD_LOW;
  bool is_set = field == HLO_WINDOW_SIZE;
  for (int32_t i = 0; i < attribute->count; i += HLO_WINDOW_FIELDS) {
    const int64_t *window = attribute->ints + i;
    is_set = is_set || window[field] != unset || (is_pair && window[HLO_WINDOW_PAD_HIGH] != unset);
  }
  if (!is_set) return;
  hlo_string_add(out, name);
  for (int32_t i = 0; i < attribute->count; i += HLO_WINDOW_FIELDS) {
    const int64_t *window = attribute->ints + i;
    hlo_string_add_char(out, i == 0 ? '=' : 'x');
    hlo_string_add_int(out, window[field]);
    if (is_pair) hlo_string_add_format(out, "_%lld", (long long)window[HLO_WINDOW_PAD_HIGH]);
  }
}

static void print_window(hlo_string *out, const hlo_attribute *attribute) {
  hlo_string_add_char(out, '{');
  if (attribute->count > 0) {
    print_window_part(out, attribute, "size", HLO_WINDOW_SIZE, 1);
    print_window_part(out, attribute, " stride", HLO_WINDOW_STRIDE, 1);
    print_window_part(out, attribute, " pad", HLO_WINDOW_PAD_LOW, 0);
    print_window_part(out, attribute, " lhs_dilate", HLO_WINDOW_LHS_DILATION, 1);
    print_window_part(out, attribute, " rhs_dilate", HLO_WINDOW_RHS_DILATION, 1);
    print_window_part(out, attribute, " rhs_reversal", HLO_WINDOW_REVERSAL, 0);
  }
  hlo_string_add_char(out, '}');
}

static void print_groups(hlo_string *out, const hlo_attribute *attribute) {
  if (attribute->text != NULL) print_text(out, attribute);
  else print_rows(out, attribute);
}

static void print_computation(hlo_string *out, const hlo_attribute *attribute) {
  hlo_print_name(out, attribute->computations[0]->name);
}

static void print_computations(hlo_string *out, const hlo_attribute *attribute) {
  hlo_string_add_char(out, '{');
  for (int32_t i = 0; i < attribute->count; i++) {
    if (i > 0) hlo_string_add(out, ", ");
    hlo_print_name(out, attribute->computations[i]->name);
  }
  hlo_string_add_char(out, '}');
}

static void print_instructions(hlo_string *out, const hlo_attribute *attribute) {
  hlo_string_add_char(out, '{');
  for (int32_t i = 0; i < attribute->count; i++) {
    if (i > 0) hlo_string_add(out, ", ");
    hlo_print_name(out, attribute->instructions[i]->name);
  }
  hlo_string_add_char(out, '}');
}

static void print_shape(hlo_string *out, const hlo_attribute *attribute) {
  hlo_shape_print(out, attribute->shape, true);
}

static print_function *const print_value[] = {
    [HLO_KIND_INT] = print_int,
    [HLO_KIND_FLOAT] = print_float,
    [HLO_KIND_BOOL] = print_bool,
    [HLO_KIND_NAME] = print_text,
    [HLO_KIND_WORD] = print_text,
    [HLO_KIND_NAMES] = print_names,
    [HLO_KIND_TEXT] = print_text,
    [HLO_KIND_STRING] = print_string,
    [HLO_KIND_RAW] = print_text,
    [HLO_KIND_FIELDS] = print_text,
    [HLO_KIND_INTS] = print_ints,
    [HLO_KIND_SLICE] = print_slice,
    [HLO_KIND_PADDING] = print_padding,
    [HLO_KIND_WINDOW] = print_window,
    [HLO_KIND_GROUPS] = print_groups,
    [HLO_KIND_COMPUTATION] = print_computation,
    [HLO_KIND_COMPUTATIONS] = print_computations,
    [HLO_KIND_INSTRUCTIONS] = print_instructions,
    [HLO_KIND_SHAPE] = print_shape,
};

void hlo_print_attribute_value(hlo_string *out, const hlo_attribute *attribute) {
  print_value[hlo_attribute_get_kind(attribute->id)](out, attribute);
}
