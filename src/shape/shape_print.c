// Prints shapes in XLA's text form: f32[2,3]{1,0}, (s32[], /*index=5*/f32[<=4]). layout_text.c
// prints layouts.
#include "shape/layout.h"
#include "shape/shape.h"

#include <string.h>

static void print_default_layout(hlo_string *out, int32_t rank) {
  hlo_string_add_char(out, '{');
  for (int32_t i = rank - 1; i >= 0; i--) {
    hlo_string_add_int(out, i);
    if (i > 0) hlo_string_add_char(out, ',');
  }
  hlo_string_add_char(out, '}');
}

static void print_array(hlo_string *out, const hlo_shape *shape, bool with_layout) {
  hlo_string_add(out, hlo_type_name(shape->type));
  hlo_string_add_char(out, '[');
  for (int32_t i = 0; i < shape->rank; i++) {
    if (i > 0) hlo_string_add_char(out, ',');
    bool dynamic = shape->dynamic != NULL && shape->dynamic[i];
    if (dynamic && shape->dims[i] == HLO_UNBOUNDED) {
      hlo_string_add_char(out, '?');
      continue;
    }
    if (dynamic) hlo_string_add(out, "<=");
    hlo_string_add_int(out, shape->dims[i]);
  }
  hlo_string_add_char(out, ']');
  if (!hlo_layout_is_plain(shape->layout)) hlo_layout_print(out, shape->layout);
  else if (with_layout && shape->rank > 0) print_default_layout(out, shape->rank);
}

void hlo_shape_print(hlo_string *out, const hlo_shape *shape, bool with_layout) {
  if (!hlo_shape_is_tuple(shape)) {
    print_array(out, shape, with_layout);
    return;
  }
  hlo_string_add_char(out, '(');
  for (int32_t i = 0; i < shape->element_count; i++) {
    if (i > 0) hlo_string_add(out, ", ");
    // As XLA does: an index comment at every fifth element.
    if (i > 0 && i % 5 == 0) hlo_string_add_format(out, "/*index=%d*/", (int)i);
    hlo_shape_print(out, shape->elements[i], with_layout);
  }
  hlo_string_add_char(out, ')');
}

const char *hlo_shape_to_text(char text[HLO_SHAPE_TEXT_SIZE], const hlo_shape *shape) {
  hlo_string out = {0};
  hlo_shape_print(&out, shape, false);
  size_t length = out.length < HLO_SHAPE_TEXT_SIZE - 1 ? out.length : HLO_SHAPE_TEXT_SIZE - 1;
  if (length > 0) memcpy(text, out.text, length);
  text[length] = '\0';
  // Cut by the size of text, or by memory running out while an error message is being made.
  bool cut = out.failed || length < out.length;
  if (cut) memcpy(text + (length > 3 ? length - 3 : 0), "...", 4);
  hlo_string_free(&out);
  return text;
}
