// Writes the attributes of instructions in serialized HLO modules as HLO text: those that the op
// list has for the operation, from the fields that the table names. See hlo_proto.h.
#include "text/proto/hlo_proto.h"

#include <string.h>

typedef struct attribute_row attribute_row;
// Adds the value of the field to proto->text. `message` is the one with the field. False: what is
// there goes without saying, or there is nothing.
typedef bool value_writer(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                          proto_message message);

struct attribute_row {
  hlo_attribute_id attribute;
  hlo_opcode opcode; // HLO_OP_COUNT: any
  uint8_t path[3];
  int8_t unset;
  value_writer *write;
  const char *words;
  proto_writer *write_message;
};

// --- numbers ---

static bool is_demanded(const proto_instruction *x, const attribute_row *row) {
  return row->unset < 0 || hlo_op_allows_attribute(x->instruction->opcode, row->attribute) == 2;
}

static uint32_t field_of(const attribute_row *row) {
  return row->path[2] != 0 ? row->path[2] : row->path[1] != 0 ? row->path[1] : row->path[0];
}

static bool write_INT(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                      proto_message message) {
  int64_t value = hlo_proto_int(&p->reader, message, field_of(row));
  hlo_string_add_int(&p->text, value);
  return (value != 0 && value != row->unset) || is_demanded(x, row);
}

static bool write_GIVEN(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                        proto_message message) {
  proto_field field;
  write_INT(p, x, row, message);
  return hlo_proto_find(&p->reader, message, field_of(row), &field);
}

static bool write_BOOL(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                       proto_message message) {
  bool value = hlo_proto_int(&p->reader, message, field_of(row)) != 0;
  hlo_string_add(&p->text, value ? "true" : "false");
  return value || is_demanded(x, row);
}

// A number of 32 bits, in the digits that say it.
static bool write_REAL(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                       proto_message message) {
  float value = (float)hlo_proto_real(&p->reader, message, field_of(row));
  hlo_element_print(&p->text, HLO_F32, &value);
  return value != 0 || is_demanded(x, row);
}

static bool write_INTS(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                       proto_message message) {
  return hlo_proto_write_ints(p, message, field_of(row), "{}") || is_demanded(x, row);
}

static bool write_FIRST(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                        proto_message message) {
  proto_numbers numbers = hlo_proto_numbers(message, field_of(row));
  int64_t value;
  (void)x;
  if (!hlo_proto_next_number(&p->reader, &numbers, &value)) return false;
  hlo_string_add_int(&p->text, value);
  return true;
}

// The sizes of several slices of the first operand, one after the other.
static bool write_ROWS(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                       proto_message message) {
  proto_numbers numbers = hlo_proto_numbers(message, field_of(row));
  const hlo_instruction *instruction = x->instruction;
  if (instruction->operand_count == 0) return false;
  int32_t rank = hlo_shape_element(instruction->operands[0]->shape, 0)->rank, i = 0;
  for (int64_t size; hlo_proto_next_number(&p->reader, &numbers, &size); i++) {
    bool is_new = rank == 0 || i % rank == 0;
    hlo_string_add(&p->text, i == 0 ? "{{" : is_new ? "},{" : ",");
    hlo_string_add_int(&p->text, size);
  }
  hlo_string_add(&p->text, "}}");
  return i > 0;
}

// --- words ---

static void write_word(hlo_proto *p, const char *words, int64_t number, const char *at) {
  for (int64_t i = 0; i < number && *words != '\0'; i++) {
    words += strcspn(words, " ");
    words += *words == ' ';
  }
  hlo_string_add_bytes(&p->text, words, strcspn(words, " "));
  if (number < 0 || *words == '\0')
    hlo_proto_fail(&p->reader, at, HLO_UNSUPPORTED, "%lld is not known here: there are %s",
                   (long long)number, words);
}

static bool write_WORD(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                       proto_message message) {
  int64_t value = hlo_proto_int(&p->reader, message, field_of(row));
  bool is_set = (value != 0 && value != row->unset) || is_demanded(x, row);
  if (is_set) write_word(p, row->words, value, message.at);
  return is_set;
}

static bool write_WORDS(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                        proto_message message) {
  proto_numbers numbers = hlo_proto_numbers(message, field_of(row));
  bool is_set = false;
  const char *before = "{";
  (void)x;
  for (int64_t value; hlo_proto_next_number(&p->reader, &numbers, &value); before = ",") {
    hlo_string_add(&p->text, before);
    write_word(p, row->words, value, message.at);
    is_set = is_set || value != 0;
  }
  hlo_string_add_char(&p->text, '}');
  return is_set;
}

static bool write_NAME(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                       proto_message message) {
  proto_message name = hlo_proto_bytes(&p->reader, message, field_of(row));
  (void)x;
  hlo_string_add_bytes(&p->text, name.at, hlo_proto_length(name));
  return name.at < name.end;
}

static bool write_STRING(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                         proto_message message) {
  proto_message text = hlo_proto_bytes(&p->reader, message, field_of(row));
  hlo_proto_write_quoted(p, text);
  return text.at < text.end || is_demanded(x, row);
}

// How numbers are compared, unless it is the way of their type.
static bool write_COMPARISON(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                             proto_message message) {
  proto_message name = hlo_proto_bytes(&p->reader, message, field_of(row));
  const hlo_instruction *instruction = x->instruction;
  if (instruction->operand_count == 0) return false;
  hlo_type_class of = hlo_type_get_class(instruction->operands[0]->shape->type);
  const char *default_name = of == HLO_CLASS_SIGNED                              ? "SIGNED"
                             : (of & (HLO_CLASS_UNSIGNED | HLO_CLASS_PRED)) != 0 ? "UNSIGNED"
                                                                                 : "FLOAT";
  size_t length = hlo_proto_length(name);
  if (length == strlen(default_name) && memcmp(name.at, default_name, length) == 0) return false;
  return write_NAME(p, x, row, message);
}

// --- computations ---

static hlo_status write_callee(hlo_proto *p, uint64_t id, const char *at) {
  hlo_computation *callee = hlo_proto_find_computation(p, id, at);
  if (callee != NULL) hlo_print_name(&p->text, callee->name);
  return hlo_proto_check_length(p, at);
}

static bool write_CALLEE(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                         proto_message message) {
  proto_numbers ids = hlo_proto_numbers(message, field_of(row));
  int64_t id;
  (void)x;
  for (int8_t i = 0; i <= row->unset; i++)
    if (!hlo_proto_next_number(&p->reader, &ids, &id)) return false;
  return write_callee(p, (uint64_t)id, message.at) == HLO_OK;
}

// Conditionals whose first operand is a truth value have two names for their branches.
static bool has_two_names(const proto_instruction *x) {
  const hlo_instruction *instruction = x->instruction;
  return instruction->opcode == HLO_OP_CONDITIONAL && instruction->operand_count > 0 &&
         instruction->operands[0]->shape->type == HLO_PRED;
}

static bool write_BRANCH(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                         proto_message message) {
  return has_two_names(x) && write_CALLEE(p, x, row, message);
}

static bool write_CALLEES(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                          proto_message message) {
  proto_numbers ids = hlo_proto_numbers(message, field_of(row));
  const char *before = "{";
  if (has_two_names(x)) return false;
  for (int64_t id; hlo_proto_next_number(&p->reader, &ids, &id); before = ", ") {
    hlo_string_add(&p->text, before);
    if (write_callee(p, (uint64_t)id, message.at) != HLO_OK) return false;
  }
  hlo_string_add_char(&p->text, '}');
  return *before == ',';
}

// --- repeated messages ---

static bool write_SLICES(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                         proto_message message) {
  enum { START = 1, LIMIT = 2, STRIDE = 3 };
  proto_message slice;
  (void)x;
  hlo_string_add_char(&p->text, '{');
  for (const char *before = ""; hlo_proto_next_bytes(&p->reader, &message, field_of(row), &slice);
       before = ", ")
    hlo_string_add_format(&p->text, "%s[%lld:%lld:%lld]", before,
                          (long long)hlo_proto_int(&p->reader, slice, START),
                          (long long)hlo_proto_int(&p->reader, slice, LIMIT),
                          (long long)hlo_proto_int(&p->reader, slice, STRIDE));
  hlo_string_add_char(&p->text, '}');
  return true;
}

static bool write_PAIRS(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                        proto_message message) {
  enum { SOURCE = 1, TARGET = 2 };
  proto_message pair;
  (void)x;
  hlo_string_add_char(&p->text, '{');
  for (const char *before = ""; hlo_proto_next_bytes(&p->reader, &message, field_of(row), &pair);
       before = ",")
    hlo_string_add_format(&p->text, "%s{%lld,%lld}", before,
                          (long long)hlo_proto_int(&p->reader, pair, SOURCE),
                          (long long)hlo_proto_int(&p->reader, pair, TARGET));
  hlo_string_add_char(&p->text, '}');
  return true;
}

// Groups as older versions wrote them.
static bool write_GROUPS(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                         proto_message message) {
  enum { MEMBERS = 1 };
  proto_message group;
  const char *before = "{";
  (void)x;
  for (; hlo_proto_next_bytes(&p->reader, &message, field_of(row), &group); before = ",") {
    hlo_string_add(&p->text, before);
    hlo_proto_write_ints(p, group, MEMBERS, "{}");
  }
  hlo_string_add_char(&p->text, '}');
  return *before == ',';
}

// "{{1}: (0, {}), …}": results that take an operand's memory.
static bool write_ALIASES(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                          proto_message message) {
  enum { RESULT = 1, OPERAND = 2, PLACE = 3 };
  proto_message alias;
  const char *before = "{";
  (void)x;
  for (; hlo_proto_next_bytes(&p->reader, &message, field_of(row), &alias); before = ", ") {
    hlo_string_add(&p->text, before);
    hlo_proto_write_ints(p, alias, RESULT, "{}");
    hlo_string_add_format(&p->text, ": (%lld, ",
                          (long long)hlo_proto_int(&p->reader, alias, OPERAND));
    hlo_proto_write_ints(p, alias, PLACE, "{}");
    hlo_string_add_char(&p->text, ')');
  }
  hlo_string_add_char(&p->text, '}');
  return *before == ',';
}

// --- shapes and values ---

static bool write_SHAPE(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                        proto_message message) {
  proto_message shape = hlo_proto_bytes(&p->reader, message, field_of(row));
  (void)x;
  if (shape.at != NULL) hlo_proto_write_shape(p, shape);
  return shape.at != NULL;
}

// Those of the operands, if the field before them says that they are demanded.
static bool write_SHAPES(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                         proto_message message) {
  enum { SHAPES = 57 };
  proto_message shape;
  (void)x;
  if (hlo_proto_int(&p->reader, message, field_of(row)) == 0) return false;
  hlo_string_add_char(&p->text, '{');
  for (const char *before = ""; hlo_proto_next_bytes(&p->reader, &message, SHAPES, &shape);
       before = ", ") {
    hlo_string_add(&p->text, before);
    hlo_proto_write_shape(p, shape);
  }
  hlo_string_add_char(&p->text, '}');
  return true;
}

static bool write_LITERAL(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                          proto_message message) {
  enum { SHAPE = 1 };
  proto_message literal = hlo_proto_bytes(&p->reader, message, field_of(row));
  const hlo_shape *shape;
  hlo_literal values;
  hlo_arena *arena = &p->parser.module->arena;
  (void)x;
  if (literal.at == NULL) return false;
  hlo_status status = hlo_proto_shape(p, hlo_proto_bytes(&p->reader, literal, SHAPE), &shape);
  if (status == HLO_OK) status = hlo_proto_literal(p, arena, literal, shape, &values);
  if (status != HLO_OK) {
    if (p->reader.status == HLO_OK) p->reader.status = status; // out of memory
    return false;
  }
  hlo_shape_print(&p->text, shape, true);
  hlo_string_add_char(&p->text, ' ');
  hlo_literal_print(&p->text, &values);
  return true;
}

// XLA has the two the other way around in its text.
static bool write_DOMAIN(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                         proto_message message) {
  enum { ENTRY = 54, EXIT = 55 };
  (void)row;
  hlo_string_add(&p->text, "{kind=\"sharding\", entry=");
  bool has_both = hlo_proto_write_sharding(p, x, hlo_proto_bytes(&p->reader, message, EXIT));
  hlo_string_add(&p->text, ", exit=");
  has_both &= hlo_proto_write_sharding(p, x, hlo_proto_bytes(&p->reader, message, ENTRY));
  hlo_string_add_char(&p->text, '}');
  return has_both;
}

// An object of JSON as it is, as far as HLO text takes it; anything else as a string.
static bool write_config(hlo_proto *p, proto_message config) {
  if (hlo_proto_is_value(config))
    hlo_string_add_bytes(&p->text, config.at, hlo_proto_length(config));
  else hlo_proto_write_quoted(p, config);
  return config.at < config.end;
}

static bool write_CONFIG(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                         proto_message message) {
  (void)x;
  return write_config(p, hlo_proto_bytes(&p->reader, message, field_of(row)));
}

static bool write_PAYLOAD(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                          proto_message message) {
  proto_message payload = hlo_proto_bytes(&p->reader, message, field_of(row));
  (void)x;
  return payload.at != NULL && write_config(p, hlo_proto_payload(p, payload));
}

// --- all of them ---

static bool write_MESSAGE(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                          proto_message message) {
  return row->write_message(p, x, hlo_proto_bytes(&p->reader, message, field_of(row)));
}

static bool write_NOTHING(hlo_proto *p, const proto_instruction *x, const attribute_row *row,
                          proto_message message) {
  (void)p, (void)x, (void)row, (void)message;
  return false;
}

#define PATH(...)  {__VA_ARGS__}
#define HLO_OP_ANY HLO_OP_COUNT
static const attribute_row rows[] = {
#define ROW(attribute, opcode, path, kind, unset, words)                                           \
  {HLO_ATTRIBUTE_##attribute, HLO_OP_##opcode, path, unset, write_##kind, words, NULL},
#define MESSAGE(attribute, path, writer)                                                           \
  {HLO_ATTRIBUTE_##attribute, HLO_OP_ANY, path, 0, write_MESSAGE, NULL, writer},
#include "text/proto/attributes.def"
#undef ROW
#undef MESSAGE
};

static const hlo_attribute_id universal[] = {
    HLO_ATTRIBUTE_SHARDING,   HLO_ATTRIBUTE_FRONTEND_ATTRIBUTES,
    HLO_ATTRIBUTE_STATISTICS, HLO_ATTRIBUTE_ORIGIN,
    HLO_ATTRIBUTE_METADATA,   HLO_ATTRIBUTE_BACKEND_CONFIG,
};

static bool write_by_row(hlo_proto *p, const proto_instruction *x, const attribute_row *row) {
  bool is_there = hlo_proto_has(x, row->path[0]); // most are not, which saves looking for them
  proto_message message = is_there ? x->message : (proto_message){0};
  for (int i = 0; i < 2 && row->path[i + 1] != 0; i++)
    message = hlo_proto_bytes(&p->reader, message, row->path[i]);
  return row->write(p, x, row, message);
}

static hlo_status write_attribute(hlo_proto *p, const proto_instruction *x, hlo_attribute_id id) {
  size_t start = p->text.length;
  hlo_string_add_format(&p->text, "%s%s=", start > 0 ? ", " : "", hlo_attribute_name(id));
  size_t behind_name = p->text.length;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool is_specific = rows[i].opcode == x->instruction->opcode;
    if (rows[i].attribute != id || (rows[i].opcode != HLO_OP_COUNT && !is_specific)) continue;
    if (write_by_row(p, x, &rows[i])) {
      p->attribute_count++;
      return hlo_proto_check_length(p, x->message.at);
    }
    hlo_proto_truncate_text(p, behind_name);
    if (is_specific) break;
  }
  hlo_proto_truncate_text(p, start);
  return p->reader.status;
}

hlo_status hlo_proto_write_attributes(hlo_proto *p, const proto_instruction *x) {
  hlo_string_clear(&p->text);
  p->attribute_count = 0;
  const char *word = hlo_op_get(x->instruction->opcode)->attributes;
  while (*word != '\0') {
    HLO_TRY(write_attribute(p, x, hlo_attribute_from_name(word, strcspn(word, "? "))));
    word += strcspn(word, " ");
    word += *word == ' ';
  }
  for (size_t i = 0; i < sizeof universal / sizeof *universal; i++)
    HLO_TRY(write_attribute(p, x, universal[i]));
  return hlo_string_status(&p->text, p->parser.error);
}
