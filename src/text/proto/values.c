// Attributes of serialized HLO modules that are nested messages, as HLO text. See hlo_proto.h.
#include "text/proto/hlo_proto.h"

#include "base/decimal.h"

#include <string.h>

// --- text ---

void hlo_proto_truncate_text(hlo_proto *p, size_t length) {
  if (p->text.failed || p->text.text == NULL) return;
  p->text.length = length;
  p->text.text[length] = '\0';
}

bool hlo_proto_write_ints(hlo_proto *p, proto_message message, uint32_t number,
                          const char *brackets) {
  proto_numbers numbers = hlo_proto_numbers(message, number);
  bool is_first = true;
  if (*brackets != '\0') hlo_string_add_char(&p->text, brackets[0]);
  for (int64_t value; hlo_proto_next_number(&p->reader, &numbers, &value); is_first = false) {
    if (!is_first) hlo_string_add_char(&p->text, ',');
    hlo_string_add_int(&p->text, value);
  }
  if (*brackets != '\0') hlo_string_add_char(&p->text, brackets[1]);
  return !is_first;
}

// Text without zero bytes at once, then each of these.
void hlo_proto_write_quoted(hlo_proto *p, proto_message text) {
  hlo_string_add_char(&p->text, '"');
  for (const char *at = text.at; at < text.end; at++) {
    unsigned char c = (unsigned char)*at;
    if (c == '\n' || c == '\t' || c == '\r') {
      hlo_string_add(&p->text, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
    } else if (c < ' ' || c >= 0x7f) {
      char escape[] = {'\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)),
                       (char)('0' + (c & 7))};
      hlo_string_add_bytes(&p->text, escape, sizeof escape);
    } else {
      if (c == '"' || c == '\\' || c == '\'') hlo_string_add_char(&p->text, '\\');
      hlo_string_add_char(&p->text, *at);
    }
  }
  hlo_string_add_char(&p->text, '"');
}

bool hlo_proto_is_value(proto_message text) {
  return hlo_lexer_is_braced(text.at, hlo_proto_length(text));
}

static void write_real(hlo_proto *p, double value) {
  char text[HLO_FORMAT_SIZE];
  hlo_string_add_bytes(&p->text, text, hlo_format_f64(text, value));
}

static void write_bytes(hlo_proto *p, proto_message text) {
  hlo_string_add_bytes(&p->text, text.at, hlo_proto_length(text));
}

// --- windows, labels, padding ---

enum { WINDOW_DIMENSIONS = 1 };
static const struct {
  const char *name;
  uint8_t field, high; // of a dimension; high: of its upper end, 0: there is none
  int8_t unset;        // -1: it is always written
} window_parts[] = {
    {"size", 1, 0, -1},       {" stride", 2, 0, 1},     {" pad", 3, 4, 0},
    {" lhs_dilate", 6, 0, 1}, {" rhs_dilate", 5, 0, 1}, {" rhs_reversal", 7, 0, 0},
};

bool hlo_proto_write_window(hlo_proto *p, const proto_instruction *x, proto_message window) {
  (void)x;
  proto_field first;
  if (!hlo_proto_find(&p->reader, window, WINDOW_DIMENSIONS, &first)) return false;
  hlo_string_add_char(&p->text, '{');
  for (size_t i = 0; i < sizeof window_parts / sizeof *window_parts; i++) {
    size_t start = p->text.length;
    bool is_set = false;
    proto_message rest = window, dimension;
    const char *before = window_parts[i].name;
    char joint = '=';
    hlo_string_add(&p->text, before);
    while (hlo_proto_next_bytes(&p->reader, &rest, WINDOW_DIMENSIONS, &dimension)) {
      int64_t value = hlo_proto_int(&p->reader, dimension, window_parts[i].field), high = 0;
      hlo_string_add_char(&p->text, joint);
      joint = 'x';
      hlo_string_add_int(&p->text, value);
      if (window_parts[i].high != 0) {
        high = hlo_proto_int(&p->reader, dimension, window_parts[i].high);
        hlo_string_add_format(&p->text, "_%lld", (long long)high);
      }
      is_set = is_set || value != window_parts[i].unset || high != 0;
    }
    if (!is_set) hlo_proto_truncate_text(p, start);
  }
  hlo_string_add_char(&p->text, '}');
  return true;
}

// The labels of one array: two dimensions by name, the others by their places in a list.
static void write_labels(hlo_proto *p, proto_message numbers, const char *names,
                         const uint8_t *fields) {
  char labels[HLO_MAX_RANK];
  int64_t count = hlo_proto_count(&p->reader, hlo_proto_numbers(numbers, fields[2])) + 2;
  if (count > HLO_MAX_RANK || p->reader.status != HLO_OK) count = 0;
  memset(labels, '?', sizeof labels);
  proto_numbers spatial = hlo_proto_numbers(numbers, fields[2]);
  for (int64_t i = 0; i < count; i++) {
    int64_t place;
    char label = (char)('0' + i - 2);
    if (i < 2) {
      place = hlo_proto_int(&p->reader, numbers, fields[i]);
      label = names[i];
    } else if (!hlo_proto_next_number(&p->reader, &spatial, &place)) {
      break;
    }
    if (place >= 0 && place < count) labels[place] = label;
  }
  hlo_string_add_bytes(&p->text, labels, (size_t)count);
}

// "bf01_oi01->bf01"
bool hlo_proto_write_dim_labels(hlo_proto *p, const proto_instruction *x, proto_message numbers) {
  static const uint8_t fields[3][3] = {{7, 8, 11}, {3, 4, 6}, {9, 10, 12}};
  (void)x;
  if (numbers.at == NULL) return false;
  write_labels(p, numbers, "bf", fields[0]);
  hlo_string_add_char(&p->text, '_');
  write_labels(p, numbers, "io", fields[1]);
  hlo_string_add(&p->text, "->");
  write_labels(p, numbers, "bf", fields[2]);
  return true;
}

bool hlo_proto_write_padding(hlo_proto *p, const proto_instruction *x, proto_message padding) {
  enum { DIMENSIONS = 1, LOW = 1, HIGH = 2, INTERIOR = 3 };
  proto_message dimension;
  (void)x;
  for (const char *joint = ""; hlo_proto_next_bytes(&p->reader, &padding, DIMENSIONS, &dimension);
       joint = "x") {
    int64_t low = hlo_proto_int(&p->reader, dimension, LOW);
    int64_t high = hlo_proto_int(&p->reader, dimension, HIGH);
    int64_t interior = hlo_proto_int(&p->reader, dimension, INTERIOR);
    hlo_string_add_format(&p->text, "%s%lld_%lld_%lld", joint, (long long)low, (long long)high,
                          (long long)interior);
  }
  return true;
}

// --- how exact, and where from ---

bool hlo_proto_write_accuracy(hlo_proto *p, const proto_instruction *x, proto_message accuracy) {
  enum { MODE = 1, TOLERANCE = 2, HIGHEST = 1, ABSOLUTE = 1, RELATIVE = 2, ULPS = 3 };
  (void)x;
  if (hlo_proto_int(&p->reader, accuracy, MODE) == HIGHEST) {
    hlo_string_add(&p->text, "{mode=highest}");
    return true;
  }
  proto_message tolerance = hlo_proto_bytes(&p->reader, accuracy, TOLERANCE);
  if (tolerance.at == NULL) return false;
  hlo_string_add(&p->text, "{tolerance={atol=");
  write_real(p, hlo_proto_real(&p->reader, tolerance, ABSOLUTE));
  hlo_string_add(&p->text, ",rtol=");
  write_real(p, hlo_proto_real(&p->reader, tolerance, RELATIVE));
  hlo_string_add_format(&p->text, ",ulps=%lld}}",
                        (long long)hlo_proto_int(&p->reader, tolerance, ULPS));
  return true;
}

static const struct {
  const char *name;
  uint8_t field;
  char kind; // s: a string, i: an integer, l: a list of these, p: a payload
} metadata_fields[] = {
    {"op_type", 1, 's'},
    {"op_name", 2, 's'},
    {"source_file", 3, 's'},
    {"source_line", 4, 'i'},
    {"source_end_line", 17, 'i'},
    {"source_column", 18, 'i'},
    {"source_end_column", 19, 'i'},
    {"stack_frame_id", 15, 'i'},
    {"profile_type", 5, 'l'},
    {"deduplicated_name", 12, 's'},
    {"scheduling_name", 16, 's'},
    {"metadata_payload", 20, 'p'},
};

// "name=value" of a field; false if there is none.
static bool write_metadata_field(hlo_proto *p, proto_message metadata, uint32_t field, char kind) {
  if (kind == 'l') return hlo_proto_write_ints(p, metadata, field, "{}");
  if (kind == 'i') {
    int64_t value = hlo_proto_int(&p->reader, metadata, field);
    hlo_string_add_int(&p->text, value);
    return value != 0;
  }
  proto_message text = hlo_proto_bytes(&p->reader, metadata, field);
  if (kind == 'p' && text.at != NULL) text = hlo_proto_payload(p, text);
  hlo_proto_write_quoted(p, text);
  return text.at < text.end;
}

bool hlo_proto_write_metadata(hlo_proto *p, const proto_instruction *x, proto_message metadata) {
  bool is_first = true;
  (void)x;
  for (size_t i = 0; i < sizeof metadata_fields / sizeof *metadata_fields; i++) {
    size_t start = p->text.length;
    hlo_string_add_format(&p->text, "%s%s=", is_first ? "{" : " ", metadata_fields[i].name);
    if (write_metadata_field(p, metadata, metadata_fields[i].field, metadata_fields[i].kind))
      is_first = false;
    else hlo_proto_truncate_text(p, start);
  }
  if (!is_first) hlo_string_add_char(&p->text, '}');
  return !is_first;
}

// --- what nobody here asks for ---

bool hlo_proto_write_frontend(hlo_proto *p, const proto_instruction *x, proto_message attributes) {
  enum { ENTRIES = 1, KEY = 1, VALUE = 2 };
  proto_message entry, rest = attributes;
  bool is_first = true;
  size_t start = p->text.length;
  (void)x;
  for (; hlo_proto_next_bytes(&p->reader, &rest, ENTRIES, &entry); is_first = false) {
    proto_message value = hlo_proto_bytes(&p->reader, entry, VALUE);
    hlo_string_add_char(&p->text, is_first ? '{' : ',');
    write_bytes(p, hlo_proto_bytes(&p->reader, entry, KEY));
    hlo_string_add_char(&p->text, '=');
    if (hlo_proto_is_value(value)) write_bytes(p, value);
    else hlo_proto_write_quoted(p, value);
  }
  if (is_first || p->text.failed) return false;
  hlo_string_add_char(&p->text, '}');
  proto_message written = {p->text.text + start, p->text.text + p->text.length};
  if (!hlo_proto_is_value(written))
    hlo_proto_fail(&p->reader, attributes.at, HLO_PARSE_ERROR,
                   "frontend attributes have names that text cannot have");
  return true;
}

bool hlo_proto_write_statistics(hlo_proto *p, const proto_instruction *x, proto_message message) {
  enum { SHOWN = 1, LIST = 2, NAME = 1, VALUE = 2 };
  proto_message one;
  proto_field first;
  (void)x;
  if (!hlo_proto_find(&p->reader, message, LIST, &first)) return false;
  hlo_string_add_format(&p->text, "{visualizing_index=%lld",
                        (long long)hlo_proto_int(&p->reader, message, SHOWN));
  while (hlo_proto_next_bytes(&p->reader, &message, LIST, &one)) {
    hlo_string_add_char(&p->text, ',');
    write_bytes(p, hlo_proto_bytes(&p->reader, one, NAME));
    hlo_string_add_char(&p->text, '=');
    write_real(p, hlo_proto_real(&p->reader, one, VALUE));
  }
  hlo_string_add_char(&p->text, '}');
  return true;
}

bool hlo_proto_write_replication(hlo_proto *p, const proto_instruction *x, proto_message message) {
  enum { BY_LEAF = 1 };
  proto_numbers leaves = hlo_proto_numbers(message, BY_LEAF);
  bool is_first = true;
  (void)x;
  for (int64_t value; hlo_proto_next_number(&p->reader, &leaves, &value); is_first = false)
    hlo_string_add_format(&p->text, "%s%s", is_first ? "{" : ",", value != 0 ? "true" : "false");
  if (!is_first) hlo_string_add_char(&p->text, '}');
  return !is_first;
}

static void write_times(hlo_proto *p, const char *text, int64_t count) {
  for (int64_t i = 0; i < count; i++) hlo_string_add(&p->text, text);
}

// How many numbers both lists start with.
static int64_t count_shared(hlo_proto *p, proto_numbers a, proto_numbers b) {
  int64_t count = 0, x, y;
  while (hlo_proto_next_number(&p->reader, &a, &x) && hlo_proto_next_number(&p->reader, &b, &y) &&
         x == y)
    count++;
  return count;
}

// "{({"a" {0}}, {"b"})}": brackets from the places in tuples, which are in order.
bool hlo_proto_write_origin(hlo_proto *p, const proto_instruction *x, proto_message origin) {
  enum { ELEMENTS = 1, IS_SYNTHETIC = 2, PLACE = 1, ARRAY = 2, NAME = 1, INDEX = 2 };
  proto_message rest = origin, element;
  proto_numbers before = {0};
  int64_t depth = 0;
  bool is_first = true;
  (void)x;
  if (hlo_proto_int(&p->reader, origin, IS_SYNTHETIC) != 0) {
    hlo_string_add(&p->text, "{[synthetic_call]}");
    return true;
  }
  for (; hlo_proto_next_bytes(&p->reader, &rest, ELEMENTS, &element); is_first = false) {
    proto_numbers place = hlo_proto_numbers(element, PLACE);
    int64_t shared = count_shared(p, before, place), next = hlo_proto_count(&p->reader, place);
    write_times(p, ")", depth - shared - 1);
    hlo_string_add(&p->text, is_first ? "{" : ", ");
    write_times(p, "(", is_first ? next : next - shared - 1);
    proto_message array = hlo_proto_bytes(&p->reader, element, ARRAY);
    hlo_string_add_char(&p->text, '{');
    if (array.at != NULL) hlo_proto_write_quoted(p, hlo_proto_bytes(&p->reader, array, NAME));
    size_t start = p->text.length;
    hlo_string_add_char(&p->text, ' ');
    if (!hlo_proto_write_ints(p, array, INDEX, "{}")) hlo_proto_truncate_text(p, start);
    hlo_string_add_char(&p->text, '}');
    before = place;
    depth = next;
  }
  write_times(p, ")", depth);
  if (!is_first) hlo_string_add_char(&p->text, '}');
  return !is_first;
}
