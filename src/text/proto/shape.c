// Shapes and layouts of serialized HLO modules, as text. See hlo_proto.h.
#include "text/proto/hlo_proto.h"

enum { // of a shape
  SHAPE_TYPE = 2,
  SHAPE_DIMENSIONS = 3,
  SHAPE_ELEMENTS = 4,
  SHAPE_LAYOUT = 5,
  SHAPE_DYNAMIC = 6,
};
enum { // of a layout
  LAYOUT_ORDER = 1,
  LAYOUT_TILES = 6,
  LAYOUT_ELEMENT_BITS = 7,
  LAYOUT_MEMORY_SPACE = 8,
  LAYOUT_INDEX_TYPE = 11,
  LAYOUT_POINTER_TYPE = 12,
  LAYOUT_METADATA_BYTES = 15,
  LAYOUT_TAIL_PADDING = 16,
  LAYOUT_SPLITS = 17,
};
enum { SHOWN = 200 }; // characters of a shape, in messages
enum { SPLIT_DIMENSION = 1, SPLIT_INDICES = 2, TILE_DIMENSIONS = 1 };

// By their numbers.
static const hlo_type types[] = {
    [1] = HLO_PRED,
    [2] = HLO_S8,
    [3] = HLO_S16,
    [4] = HLO_S32,
    [5] = HLO_S64,
    [6] = HLO_U8,
    [7] = HLO_U16,
    [8] = HLO_U32,
    [9] = HLO_U64,
    [10] = HLO_F16,
    [11] = HLO_F32,
    [12] = HLO_F64,
    [13] = HLO_TUPLE,
    [14] = HLO_OPAQUE,
    [15] = HLO_C64,
    [16] = HLO_BF16,
    [17] = HLO_TOKEN,
    [18] = HLO_C128,
    [19] = HLO_F8E5M2,
    [20] = HLO_F8E4M3FN,
    [21] = HLO_S4,
    [22] = HLO_U4,
    [23] = HLO_F8E4M3B11FNUZ,
    [24] = HLO_F8E5M2FNUZ,
    [25] = HLO_F8E4M3FNUZ,
    [26] = HLO_S2,
    [27] = HLO_U2,
    [28] = HLO_F8E4M3,
    [29] = HLO_F8E3M4,
    [32] = HLO_F4E2M1FN,
    [33] = HLO_F8E8M0FNU,
    [35] = HLO_F6E3M2FN,
    [36] = HLO_F6E2M3FN,
};

static hlo_type read_type(hlo_proto *p, proto_message message, uint32_t number) {
  int64_t type = hlo_proto_int(&p->reader, message, number);
  bool is_known = type > 0 && type < (int64_t)(sizeof types / sizeof *types);
  if (is_known && types[type] != HLO_TYPE_INVALID) return types[type];
  if (message.at == NULL)
    hlo_proto_fail(&p->reader, p->reader.file, HLO_PARSE_ERROR, "a shape is missing");
  hlo_proto_fail(&p->reader, message.at, HLO_UNSUPPORTED, "there is no element type %lld here",
                 (long long)type);
  return HLO_TYPE_INVALID;
}

// --- layouts ---

// "name(number)" unless it is what goes without saying.
static void write_number(hlo_proto *p, proto_message layout, uint32_t number, const char *name,
                         int64_t unset) {
  int64_t value = hlo_proto_int(&p->reader, layout, number);
  if (value != 0 && value != unset)
    hlo_string_add_format(&p->text, "%s(%lld)", name, (long long)value);
}

static void write_type(hlo_proto *p, proto_message layout, uint32_t number, const char *name) {
  if (hlo_proto_int(&p->reader, layout, number) == 0) return;
  hlo_type type = read_type(p, layout, number);
  hlo_string_add_format(&p->text, "%s(%s)", name, hlo_type_name(type));
}

static void write_tiles(hlo_proto *p, proto_message layout) {
  proto_message tile;
  for (bool is_first = true; hlo_proto_next_bytes(&p->reader, &layout, LAYOUT_TILES, &tile);
       is_first = false) {
    proto_numbers numbers = hlo_proto_numbers(tile, TILE_DIMENSIONS);
    const char *before = is_first ? "T(" : "(";
    for (int64_t size; hlo_proto_next_number(&p->reader, &numbers, &size); before = ",") {
      hlo_string_add(&p->text, before);
      if (size == INT64_MIN) hlo_string_add_char(&p->text, '*');
      else hlo_string_add_int(&p->text, size);
    }
    hlo_string_add(&p->text, *before == ',' ? ")" : is_first ? "T()" : "()");
  }
}

// "SC(0:1,2)"
static void write_splits(hlo_proto *p, proto_message layout) {
  proto_message split;
  const char *before = "SC(";
  for (; hlo_proto_next_bytes(&p->reader, &layout, LAYOUT_SPLITS, &split); before = "(") {
    int64_t dimension = hlo_proto_int(&p->reader, split, SPLIT_DIMENSION);
    hlo_string_add_format(&p->text, "%s%lld:", before, (long long)dimension);
    hlo_proto_write_ints(p, split, SPLIT_INDICES, "");
    hlo_string_add_char(&p->text, ')');
  }
}

// "{1,0:T(8,128)}", nothing for the default layout, and nothing for a scalar.
static void write_layout(hlo_proto *p, proto_message layout) {
  size_t start = p->text.length;
  hlo_string_add_char(&p->text, '{');
  hlo_proto_write_ints(p, layout, LAYOUT_ORDER, "");
  size_t behind_order = p->text.length;
  hlo_string_add_char(&p->text, ':');
  write_tiles(p, layout);
  write_number(p, layout, LAYOUT_TAIL_PADDING, "L", 1);
  write_type(p, layout, LAYOUT_INDEX_TYPE, "#");
  write_type(p, layout, LAYOUT_POINTER_TYPE, "*");
  write_number(p, layout, LAYOUT_ELEMENT_BITS, "E", 0);
  write_number(p, layout, LAYOUT_MEMORY_SPACE, "S", 0);
  write_splits(p, layout);
  write_number(p, layout, LAYOUT_METADATA_BYTES, "M", 0);
  if (p->text.length == behind_order + 1) hlo_proto_truncate_text(p, behind_order);
  if (p->text.length == start + 1) hlo_proto_truncate_text(p, start);
  else hlo_string_add_char(&p->text, '}');
}

// The order that goes without saying, and nothing else.
static bool is_default_layout(hlo_proto *p, proto_message shape, proto_message layout) {
  int64_t dimension = hlo_proto_count(&p->reader, hlo_proto_numbers(shape, SHAPE_DIMENSIONS)), next;
  proto_numbers order = hlo_proto_numbers(layout, LAYOUT_ORDER);
  proto_field field;
  while (hlo_proto_next_number(&p->reader, &order, &next))
    if (next != --dimension) return false;
  while (hlo_proto_next(&p->reader, &layout, &field)) {
    bool is_default = field.value == (field.number == LAYOUT_TAIL_PADDING);
    if (field.number != LAYOUT_ORDER && !is_default) return false;
  }
  return dimension == 0;
}

// --- shapes ---

static void write_dimensions(hlo_proto *p, proto_message shape) {
  proto_numbers sizes = hlo_proto_numbers(shape, SHAPE_DIMENSIONS);
  proto_numbers dynamic = hlo_proto_numbers(shape, SHAPE_DYNAMIC);
  const char *before = "";
  for (int64_t size; hlo_proto_next_number(&p->reader, &sizes, &size); before = ",") {
    int64_t is_dynamic;
    if (!hlo_proto_next_number(&p->reader, &dynamic, &is_dynamic)) is_dynamic = 0;
    hlo_string_add(&p->text, before);
    if (size == INT64_MIN) hlo_string_add_char(&p->text, '?'); // which the shape's reader refuses
    else hlo_string_add_format(&p->text, is_dynamic ? "<=%lld" : "%lld", (long long)size);
  }
}

// is_short: default layouts are left out: most are, and they are long to read.
static void write_shape(hlo_proto *p, proto_message shape, bool is_short, int32_t depth) {
  hlo_type type = read_type(p, shape, SHAPE_TYPE);
  if (type != HLO_TUPLE) {
    hlo_string_add(&p->text, hlo_type_name(type));
    hlo_string_add_char(&p->text, '[');
    write_dimensions(p, shape);
    hlo_string_add_char(&p->text, ']');
    proto_message layout = hlo_proto_bytes(&p->reader, shape, SHAPE_LAYOUT);
    if (hlo_type_is_array(type) && !(is_short && is_default_layout(p, shape, layout)))
      write_layout(p, layout);
    return;
  }
  if (depth == HLO_MAX_TUPLE_DEPTH) {
    hlo_proto_fail(&p->reader, shape.at, HLO_PARSE_ERROR, "tuples nest deeper than %d",
                   (int)HLO_MAX_TUPLE_DEPTH);
    return;
  }
  proto_message element;
  const char *before = "(";
  for (; hlo_proto_next_bytes(&p->reader, &shape, SHAPE_ELEMENTS, &element); before = ", ") {
    hlo_string_add(&p->text, before);
    write_shape(p, element, is_short, depth + 1);
  }
  hlo_string_add(&p->text, *before == '(' ? "()" : ")");
}

void hlo_proto_write_shape(hlo_proto *p, proto_message shape) { write_shape(p, shape, false, 0); }

hlo_status hlo_proto_shape(hlo_proto *p, proto_message shape, const hlo_shape **out) {
  hlo_error reason = {0};
  size_t start = p->text.length;
  write_shape(p, shape, true, 0);
  if (p->reader.status != HLO_OK) return p->reader.status;
  HLO_TRY(hlo_string_status(&p->text, p->parser.error));
  const char *text = p->text.text + start, *at = text;
  hlo_status status =
      hlo_shape_parse(&p->parser.module->arena, &at, p->text.text + p->text.length, out, &reason);
  if (status != HLO_OK)
    hlo_proto_fail(&p->reader, shape.at, status, "%.*s: %s", SHOWN, text, reason.message);
  hlo_proto_truncate_text(p, start);
  return status;
}
