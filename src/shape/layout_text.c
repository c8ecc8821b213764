// The text form of layouts: {1,0:T(8,128)(2,1)E(4)S(1)}, as XLA writes it, and our P(3,5;-inf) for
// padded_dimensions and padding_value. Properties come in XLA's order: D T L # * E S SC P M. Those
// that are only kept (all but T, E, S and our P) are gathered in hlo_layout.other_text in that
// order.
#include "shape/layout_text.h"

#include "shape/layout.h"

#include <string.h>

// Properties without meaning here, in the order they are printed; T, E, S and our P come between.
enum {
  DIM_LEVEL_TYPES,
  TAIL_PADDING,
  INDEX_TYPE,
  POINTER_TYPE,
  SPLIT_CONFIGS,
  PHYSICAL_SHAPE,
  METADATA_BYTES,
  KEPT_COUNT,
  BEFORE_TILES = TAIL_PADDING,
  BEFORE_ELEMENT_BITS = SPLIT_CONFIGS,
};
static const char *const kept_names[KEPT_COUNT] = {"D", "L", "#", "*", "SC", "P", "M"};

typedef struct text_span {
  const char *text;
  size_t length;
} text_span;

// --- printing ---

static void print_numbers(hlo_string *out, int32_t count, const int64_t *numbers) {
  for (int32_t i = 0; i < count; i++) {
    if (i > 0) hlo_string_add_char(out, ',');
    if (numbers[i] == HLO_TILE_COMBINE) hlo_string_add_char(out, '*');
    else hlo_string_add_int(out, numbers[i]);
  }
}

// The position after one or more bracketed values: (0:1,2)(1:3). NULL if one is not closed.
static const char *after_values(const hlo_scan *scan) {
  hlo_scan ahead = *scan;
  const char *behind;
  do {
    behind = hlo_scan_matching(&ahead);
    ahead.at = behind;
  } while (behind != NULL && hlo_scan_peek(&ahead, '('));
  return behind;
}

// The length of the first NAME(...) of a text of properties; everything if there is none.
static size_t property_length(const char *text) {
  hlo_scan scan = {text, text, text + strlen(text), NULL};
  while (scan.at < scan.end && *scan.at != '(') scan.at++;
  const char *behind = after_values(&scan);
  return behind == NULL ? strlen(text) : (size_t)(behind - text);
}

static bool has_name(const char *property, const char *name) {
  size_t length = strlen(name);
  return strncmp(property, name, length) == 0 && property[length] == '(';
}

// KEPT_COUNT for one that has no name of ours (XLA knows of no other today).
static int kept_index(const char *property) {
  int i = 0;
  while (i < KEPT_COUNT && !has_name(property, kept_names[i])) i++;
  return i;
}

// Prints those of the kept properties whose place is from first to before end.
static void print_kept(hlo_string *out, const char *text, int first, int end) {
  if (text == NULL) return;
  for (; *text != '\0'; text += property_length(text)) {
    int kept = kept_index(text);
    if (kept >= first && kept < end) hlo_string_add_bytes(out, text, property_length(text));
  }
}

static void print_padding(hlo_string *out, const hlo_layout *layout) {
  if (layout->padded_dims == NULL) return;
  hlo_string_add(out, "P(");
  print_numbers(out, layout->rank, layout->padded_dims);
  if (layout->padding_value != NULL) {
    hlo_string_add_char(out, ';');
    hlo_string_add(out, layout->padding_value);
  }
  hlo_string_add_char(out, ')');
}

static void print_properties(hlo_string *out, const hlo_layout *layout) {
  print_kept(out, layout->other_text, 0, BEFORE_TILES);
  for (int32_t i = 0; i < layout->tile_count; i++) {
    hlo_string_add(out, i == 0 ? "T(" : "(");
    print_numbers(out, layout->tiles[i].rank, layout->tiles[i].dims);
    hlo_string_add_char(out, ')');
  }
  print_kept(out, layout->other_text, BEFORE_TILES, BEFORE_ELEMENT_BITS);
  if (layout->element_bits != 0) hlo_string_add_format(out, "E(%d)", (int)layout->element_bits);
  if (layout->memory_space != 0) {
    hlo_string_add_format(out, "S(%lld)", (long long)layout->memory_space);
  }
  print_padding(out, layout);
  print_kept(out, layout->other_text, BEFORE_ELEMENT_BITS, KEPT_COUNT + 1);
}

void hlo_layout_print(hlo_string *out, const hlo_layout *layout) {
  hlo_string_add_char(out, '{');
  print_numbers(out, layout->rank, layout->minor_to_major);
  size_t before = out->length;
  hlo_string_add_char(out, ':');
  print_properties(out, layout);
  if (out->length == before + 1) { // there were none
    out->length = before;
    out->text[before] = '\0';
  }
  hlo_string_add_char(out, '}');
}

// --- parsing ---

typedef struct layout_parser {
  hlo_scan *scan;
  hlo_arena *arena;
  hlo_layout layout;
  int64_t minor_to_major[HLO_MAX_RANK];
  int64_t padded_dims[HLO_MAX_RANK];
  text_span kept[KEPT_COUNT];
  bool has_tiles, has_element_bits, has_memory_space;
} layout_parser;

// Numbers separated by commas up to `stop`, which is left.
static hlo_status parse_numbers(hlo_scan *scan, char stop, int32_t limit, int64_t *numbers,
                                int32_t *count) {
  *count = 0;
  if (hlo_scan_peek(scan, stop)) return HLO_OK;
  do {
    if (*count == limit) {
      return hlo_scan_fail(scan, scan->at, HLO_PARSE_ERROR, "more than %d numbers", (int)limit);
    }
    if (hlo_scan_accept(scan, '*')) numbers[*count] = HLO_TILE_COMBINE;
    else HLO_TRY(hlo_scan_size(scan, &numbers[*count]));
    ++*count;
  } while (hlo_scan_accept(scan, ','));
  return HLO_OK;
}

// "(8,128)(2,1)" after the T.
static hlo_status parse_tiles(layout_parser *p) {
  hlo_tile *tiles = NULL;
  int32_t count = 0, capacity = 0;
  do {
    int64_t sizes[HLO_MAX_RANK];
    HLO_TRY(hlo_scan_expect(p->scan, '('));
    int32_t rank;
    HLO_TRY(parse_numbers(p->scan, ')', HLO_MAX_RANK, sizes, &rank));
    HLO_TRY(hlo_scan_expect(p->scan, ')'));
    HLO_GROW_LIST(tiles, p->arena, count, capacity, p->scan->error);
    int64_t *dims;
    HLO_ALLOC(dims, p->arena, rank, p->scan->error);
    if (rank > 0) memcpy(dims, sizes, (size_t)rank * sizeof *dims);
    tiles[count++] = (hlo_tile){rank, dims};
  } while (hlo_scan_peek(p->scan, '('));
  p->layout.tiles = tiles;
  p->layout.tile_count = count;
  p->has_tiles = true;
  return HLO_OK;
}

static hlo_status parse_number_in_brackets(layout_parser *p, int64_t limit, int64_t *out) {
  HLO_TRY(hlo_scan_expect(p->scan, '('));
  HLO_TRY(hlo_scan_size(p->scan, out));
  if (*out > limit) {
    return hlo_scan_fail(p->scan, p->scan->at, HLO_PARSE_ERROR, "the number is too large");
  }
  return hlo_scan_expect(p->scan, ')');
}

static hlo_status parse_element_bits(layout_parser *p) {
  int64_t bits;
  HLO_TRY(parse_number_in_brackets(p, INT32_MAX, &bits));
  p->layout.element_bits = (int32_t)bits;
  p->has_element_bits = true;
  return HLO_OK;
}

// "(3,5)" or "(3,5;-inf)" after the P.
static hlo_status parse_padding(layout_parser *p) {
  hlo_scan *scan = p->scan;
  const char *behind = hlo_scan_matching(scan);
  if (behind == NULL) {
    return hlo_scan_fail(scan, scan->at, HLO_PARSE_ERROR, "the bracket is not closed");
  }
  scan->at++;
  int32_t count = 0;
  if (!hlo_scan_peek(scan, ';')) {
    HLO_TRY(parse_numbers(scan, ')', HLO_MAX_RANK, p->padded_dims, &count));
  }
  if (count != p->layout.rank) {
    return hlo_scan_fail(scan, scan->at, HLO_PARSE_ERROR,
                         "%d padded dimensions for an array of rank %d", (int)count,
                         (int)p->layout.rank);
  }
  p->layout.padded_dims = p->padded_dims;
  if (!hlo_scan_accept(scan, ';')) return hlo_scan_expect(scan, ')');
  hlo_scan_skip_blanks(scan);
  const char *last = behind - 1;
  while (last > scan->at && last[-1] == ' ') last--;
  if (last <= scan->at) return hlo_scan_expected(scan, "the padding's value");
  size_t length = (size_t)(last - scan->at);
  char *value = hlo_arena_copy_text(p->arena, scan->at, length);
  if (value == NULL) return hlo_fail_out_of_memory(scan->error);
  if (memchr(value, '\0', length) != NULL) return hlo_scan_expected(scan, "the padding's value");
  p->layout.padding_value = value;
  scan->at = behind;
  return HLO_OK;
}

// Keeps the text of a property with the name of the given length at scan->at.
static hlo_status parse_kept(layout_parser *p, size_t name_length) {
  hlo_scan *scan = p->scan;
  const char *name = scan->at;
  int kept = 0;
  while (kept < KEPT_COUNT && (strlen(kept_names[kept]) != name_length ||
                               memcmp(kept_names[kept], name, name_length) != 0)) {
    kept++;
  }
  if (kept == KEPT_COUNT || name_length == 0) {
    return hlo_scan_expected(scan, "a property of layouts (D, T, L, #, *, E, S, SC, P or M)");
  }
  scan->at += name_length;
  const char *behind = NULL;
  if (scan->at < scan->end && *scan->at == '(')
    behind = kept == SPLIT_CONFIGS ? after_values(scan) : hlo_scan_matching(scan);
  if (behind == NULL || memchr(name, '\0', (size_t)(behind - name)) != NULL) {
    return hlo_scan_expected(scan, "a property's value in brackets");
  }
  p->kept[kept] = (text_span){name, (size_t)(behind - name)};
  scan->at = behind;
  return HLO_OK;
}

// P(3,5) is our padding, P((...)) and P(f32[...]) are XLA's physical shape.
static bool is_padding(const hlo_scan *scan) {
  hlo_scan inner = *scan;
  inner.at++;
  if (!hlo_scan_accept(&inner, '(')) return false;
  hlo_scan_skip_blanks(&inner);
  return inner.at < inner.end &&
         ((*inner.at >= '0' && *inner.at <= '9') || *inner.at == ')' || *inner.at == ';');
}

static bool is_seen(const layout_parser *p, const char *name, size_t length) {
  if (length == 1 && *name == 'T') return p->has_tiles;
  if (length == 1 && *name == 'E') return p->has_element_bits;
  if (length == 1 && *name == 'S') return p->has_memory_space;
  if (length == 1 && *name == 'P' && p->layout.padded_dims != NULL && is_padding(p->scan)) {
    return true;
  }
  for (int i = 0; i < KEPT_COUNT; i++) {
    if (p->kept[i].length > 0 && strlen(kept_names[i]) == length &&
        memcmp(kept_names[i], name, length) == 0) {
      return *name != 'P' || !is_padding(p->scan);
    }
  }
  return false;
}

static hlo_status parse_property(layout_parser *p) {
  hlo_scan *scan = p->scan;
  const char *name = scan->at;
  size_t length = *name == '#' || *name == '*' ? 1 : hlo_scan_name_length(scan);
  if (is_seen(p, name, length)) {
    return hlo_scan_fail(scan, name, HLO_PARSE_ERROR, "the layout says %.*s twice", (int)length,
                         name);
  }
  if (length != 1) return parse_kept(p, length);
  if (*name == 'P' && !is_padding(scan)) return parse_kept(p, length);
  switch (*name) {
  case 'T':
    scan->at++;
    return parse_tiles(p);
  case 'E':
    scan->at++;
    return parse_element_bits(p);
  case 'S':
    scan->at++;
    p->has_memory_space = true;
    return parse_number_in_brackets(p, INT64_MAX, &p->layout.memory_space);
  case 'P':
    scan->at++;
    return parse_padding(p);
  default:
    return parse_kept(p, length);
  }
}

static hlo_status concatenate_kept(layout_parser *p) {
  size_t length = 0;
  for (int i = 0; i < KEPT_COUNT; i++) length += p->kept[i].length;
  if (length == 0) return HLO_OK;
  char *text = hlo_arena_alloc(p->arena, length + 1);
  if (text == NULL) return hlo_fail_out_of_memory(p->scan->error);
  p->layout.other_text = text;
  for (int i = 0; i < KEPT_COUNT; i++) {
    if (p->kept[i].length > 0) memcpy(text, p->kept[i].text, p->kept[i].length);
    text += p->kept[i].length;
  }
  return HLO_OK;
}

static hlo_status parse_order(layout_parser *p) {
  hlo_scan *scan = p->scan;
  char stop = '}';
  hlo_scan ahead = *scan;
  if (hlo_scan_peek(&ahead, ':')) stop = ':';
  HLO_TRY(parse_numbers(scan, stop, HLO_MAX_RANK, p->minor_to_major, &p->layout.rank));
  p->layout.minor_to_major = p->minor_to_major;
  return HLO_OK;
}

hlo_status hlo_layout_parse(hlo_scan *scan, hlo_arena *arena, const hlo_shape *shape,
                            const hlo_shape **out) {
  const char *start = scan->at;
  layout_parser p;
  memset(&p, 0, sizeof p);
  p.scan = scan;
  p.arena = arena;
  HLO_TRY(hlo_scan_expect(scan, '{'));
  HLO_TRY(parse_order(&p));
  if (hlo_scan_accept(scan, ':')) {
    hlo_scan_skip_blanks(scan);
    while (scan->at < scan->end && *scan->at != '}') {
      HLO_TRY(parse_property(&p));
      hlo_scan_skip_blanks(scan);
    }
  }
  HLO_TRY(hlo_scan_expect(scan, '}'));
  HLO_TRY(concatenate_kept(&p));
  return hlo_scan_locate(scan, start,
                         hlo_shape_with_layout(arena, shape, &p.layout, out, scan->error));
}
