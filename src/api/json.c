// Writes JSON. See json.h.
#include "api/json.h"

#include <string.h>

void hlo_json_text(hlo_string *out, const char *text) {
  if (text == NULL) {
    hlo_string_add(out, "null");
    return;
  }
  hlo_string_add_char(out, '"');
  for (; *text != '\0'; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') hlo_string_add_char(out, '\\');
    if (c < 0x20) {
      hlo_string_add_format(out, "\\u00%c%c", c < 0x10 ? '0' : '1', "0123456789abcdef"[c & 15]);
    } else {
      hlo_string_add_char(out, (char)c);
    }
  }
  hlo_string_add_char(out, '"');
}

void hlo_json_comma(hlo_string *out) {
  if (out->length > 0 && strchr("{[,:", out->text[out->length - 1]) == NULL) {
    hlo_string_add_char(out, ',');
  }
}

void hlo_json_key(hlo_string *out, const char *key) {
  hlo_json_comma(out);
  hlo_json_text(out, key);
  hlo_string_add_char(out, ':');
}

void hlo_json_field_text(hlo_string *out, const char *key, const char *text) {
  hlo_json_key(out, key);
  hlo_json_text(out, text);
}

void hlo_json_field_int(hlo_string *out, const char *key, int64_t value) {
  hlo_json_key(out, key);
  hlo_string_add_int(out, value);
}

void hlo_json_field_bool(hlo_string *out, const char *key, bool value) {
  hlo_json_key(out, key);
  hlo_string_add(out, value ? "true" : "false");
}

static void add_ints(hlo_string *out, const char *key, int32_t count, const int64_t *values) {
  hlo_json_key(out, key);
  hlo_string_add_char(out, '[');
  for (int32_t i = 0; i < count; i++) {
    hlo_json_comma(out);
    hlo_string_add_int(out, values[i]);
  }
  hlo_string_add_char(out, ']');
}

static void add_layout(hlo_string *out, const hlo_shape *shape) {
  hlo_json_key(out, "layout");
  hlo_string_add_char(out, '{');
  int64_t order[HLO_MAX_RANK];
  for (int32_t d = 0; d < shape->rank; d++) {
    order[d] = shape->layout == NULL ? shape->rank - 1 - d : shape->layout->minor_to_major[d];
  }
  add_ints(out, "minorToMajor", shape->rank, order);
  if (shape->layout != NULL && shape->layout->padded_dims != NULL) {
    add_ints(out, "paddedDimensions", shape->rank, shape->layout->padded_dims);
    hlo_json_field_text(out, "paddingValue",
                        shape->layout->padding_value == NULL ? "0" : shape->layout->padding_value);
  }
  hlo_string_add_char(out, '}');
}

void hlo_json_shape(hlo_string *out, const hlo_shape *shape) {
  hlo_string text = {0};
  hlo_shape_print(&text, shape, false);
  hlo_string_add_char(out, '{');
  hlo_json_field_text(out, "text", text.failed ? "" : text.text);
  hlo_string_free(&text);
  hlo_json_field_text(out, "type", hlo_type_name(shape->type));
  if (hlo_shape_is_tuple(shape)) {
    hlo_json_key(out, "elements");
    hlo_string_add_char(out, '[');
    for (int32_t i = 0; i < shape->element_count; i++) {
      hlo_json_comma(out);
      hlo_json_shape(out, shape->elements[i]);
    }
    hlo_string_add_char(out, ']');
  } else {
    add_ints(out, "dims", shape->rank, shape->dims);
    hlo_json_key(out, "dynamic");
    hlo_string_add_char(out, '[');
    for (int32_t d = 0; d < shape->rank; d++) {
      hlo_json_comma(out);
      hlo_string_add(out, shape->dynamic != NULL && shape->dynamic[d] ? "true" : "false");
    }
    hlo_string_add_char(out, ']');
    add_layout(out, shape);
    int64_t strides[HLO_MAX_RANK];
    hlo_shape_strides(shape, strides);
    add_ints(out, "strides", shape->rank, strides);
    hlo_json_field_int(out, "trueRank", hlo_shape_true_rank(shape));
    hlo_json_field_int(out, "bytes", hlo_shape_bytes(shape));
  }
  hlo_string_add_char(out, '}');
}
