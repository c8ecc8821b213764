// Names and attributes of bytecode operations in the text form, by the table properties.def. See
// bytecode.h.
#include "text/bytecode/bytecode.h"

#include <string.h>

#define CHANNEL     "channel_handle=#stablehlo.channel_handle<"
#define CONVOLUTION "dimension_numbers=#stablehlo.conv<raw "
#define GATHER      "dimension_numbers=#stablehlo.gather<"
#define SCATTER     "scatter_dimension_numbers=#stablehlo.scatter<"
#define DOT         "dot_dimension_numbers=#stablehlo.dot<"
#define CONVOLUTION_DIMENSIONS                                                                     \
  "batch_group_count feature_group_count .input_batch_dimension .input_feature_dimension "         \
  ".input_spatial_dimensions .kernel_input_feature_dimension .kernel_output_feature_dimension "    \
  ".kernel_spatial_dimensions lhs_dilation .output_batch_dimension .output_feature_dimension "     \
  ".output_spatial_dimensions "

typedef struct properties_row {
  const char *operation, *structures, *properties;
} properties_row;

static const properties_row rows[] = {
#define PROPERTIES(operation, structures, properties) {operation, structures, properties},
#include "text/bytecode/properties.def"
#undef PROPERTIES
};

// --- names of operations ---

static bool ends_with(mlir_slice text, const char *end) {
  size_t length = strlen(end);
  return text.length >= length && memcmp(text.at + text.length - length, end, length) == 0;
}

// The operation may be all whose names start so: "chlo.broadcast_*".
static bool is_for(const char *operation, const mlir_operation_name *name) {
  size_t dialect = name->dialect.length, length = strlen(operation);
  if (length <= dialect || memcmp(operation, name->dialect.at, dialect) != 0 ||
      operation[dialect] != '.')
    return false;
  const char *base = operation + dialect + 1;
  size_t start = length - dialect - 2;
  if (base[start] != '*') return hlo_bytecode_is(name->name, base);
  return name->name.length >= start && memcmp(name->name.at, base, start) == 0;
}

static void bind_row(mlir_operation_name *name) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!is_for(rows[i].operation, name)) continue;
    name->structures = rows[i].structures;
    name->properties = rows[i].properties;
    return;
  }
}

// VHLO has StableHLO's operations, and those of functions, with a version: "add_v1".
static mlir_slice without_version(mlir_slice name) {
  size_t length = name.length;
  while (length > 0 && name.at[length - 1] >= '0' && name.at[length - 1] <= '9') length--;
  bool is_versioned = length >= 2 && length < name.length && name.at[length - 1] == 'v' &&
                      name.at[length - 2] == '_';
  return (mlir_slice){name.at, is_versioned ? length - 2 : name.length};
}

hlo_status hlo_bytecode_resolve(mlir_bytecode *b, mlir_operation_name *name, hlo_error *error) {
  mlir_slice dialect = name->dialect, base = name->name;
  if (hlo_bytecode_is(dialect, "vhlo")) {
    base = without_version(base);
    name->is_function = hlo_bytecode_is(base, "func");
    name->is_return = hlo_bytecode_is(base, "return");
    bool is_functions = name->is_function || hlo_bytecode_is(base, "call");
    dialect.at = is_functions ? "func" : "stablehlo";
    dialect.length = strlen(dialect.at);
  }
  // What a later version of an operation means is not known.
  bool is_first = base.length == name->name.length || ends_with(name->name, "_v1");
  name->is_cast =
      hlo_bytecode_is(dialect, "builtin") && hlo_bytecode_is(base, "unrealized_conversion_cast");
  bind_row(name);
  char *text;
  HLO_ALLOC(text, &b->arena, dialect.length + base.length + 2, error);
  memcpy(text, dialect.at, dialect.length);
  text[dialect.length] = '.';
  memcpy(text + dialect.length + 1, base.at, base.length);
  if (memchr(text, '"', dialect.length + base.length + 1) != NULL)
    return hlo_bytecode_fail(b, b->operation, HLO_PARSE_ERROR, error,
                             "this is no name of an operation");
  name->text = text;
  name->is_newer = name->properties == NULL && !is_first;
  return HLO_OK;
}

static hlo_status check_version(const mlir_bytecode *b, const mlir_operation_name *name,
                                hlo_error *error) {
  if (name->is_newer)
    return hlo_bytecode_fail(b, b->operation, HLO_UNSUPPORTED, error,
                             "the operation %.*s of VHLO is not known here; write the program as "
                             "text, or for an earlier version of StableHLO",
                             (int)(name->name.length < 100 ? name->name.length : 100),
                             name->name.at);
  return HLO_OK;
}

// --- attributes ---

typedef struct property {
  mlir_slice name;
  const char *marks; // in the row, before the name; NULL: not from there
  int32_t attribute; // its number
} property;

static const char mark_characters[] = ".:?@!~&-";

static bool has_mark(const property *p, char mark) {
  size_t count = p->marks == NULL ? 0 : strspn(p->marks, mark_characters);
  return count > 0 && memchr(p->marks, mark, count) != NULL;
}

// The next word of a row's properties, of which `from` is the name there and out->name the text's.
static bool next_word(const char **words, property *out, mlir_slice *from) {
  while (**words == ' ') ++*words;
  if (**words == '\0') return false;
  const char *at = *words + strspn(*words, mark_characters);
  *from = (mlir_slice){at, strcspn(at, " =")};
  *out = (property){.name = *from, .marks = *words, .attribute = -1};
  at += from->length;
  if (*at == '=') out->name = (mlir_slice){at + 1, strcspn(at + 1, " ")};
  *words = at + strcspn(at, " ");
  return true;
}

static int32_t count_words(const char *words) {
  property word;
  mlir_slice from;
  int32_t count = 0;
  while (next_word(&words, &word, &from)) count++;
  return count;
}

// Numbers of attributes, in the row's order.
static hlo_status read_properties(mlir_bytecode *b, const mlir_operation_name *name, mlir_bytes *in,
                                  property *out, int32_t *count, hlo_error *error) {
  const char *words = name->properties;
  property word;
  mlir_slice from;
  while (next_word(&words, &word, &from)) {
    if (has_mark(&word, '?'))
      HLO_TRY(hlo_bytecode_optional_attribute(b, in, &word.attribute, error));
    else
      HLO_TRY(hlo_bytecode_index(b, in, b->attribute_count, "attribute", &word.attribute, error));
    if (word.attribute < 0) continue;
    out[(*count)++] = word;
  }
  if (in->at == in->end) return HLO_OK;
  return hlo_bytecode_fail(b, in->at, HLO_UNSUPPORTED, error,
                           "%s has more properties than are known here", name->text);
}

// Entries that the text leaves out are work, too: as much as writing so many bytes.
enum { ENTRY_WORK = 128 };

static hlo_status read_entry(mlir_bytecode *b, const mlir_operation_name *name, mlir_bytes *in,
                             property *out, hlo_error *error) {
  const char *at = in->at, *words = name->properties == NULL ? "" : name->properties;
  mlir_slice key, from;
  property word;
  int32_t number;
  HLO_TRY(hlo_bytecode_index(b, in, b->attribute_count, "attribute", &number, error));
  if (!hlo_bytecode_string_of(b, number, &key))
    return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error,
                             "the name of the attribute is no string");
  *out = (property){.name = key};
  b->discarded += ENTRY_WORK;
  while (next_word(&words, &word, &from))
    if (from.length == key.length && memcmp(from.at, key.at, key.length) == 0) *out = word;
  return hlo_bytecode_index(b, in, b->attribute_count, "attribute", &out->attribute, error);
}

// "f" and ["f", "g"] become @"f" and [@"f", @"g"].
static hlo_status mark_symbols(mlir_bytecode *b, size_t start, hlo_error *error) {
  HLO_TRY(hlo_string_status(&b->text, error));
  size_t length = b->text.length - start;
  const char *text = hlo_arena_copy_text(&b->arena, b->text.text + start, length);
  if (text == NULL) return hlo_fail_out_of_memory(error);
  bool inside = false;
  b->text.length = start;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '"') inside = !inside;
    if (text[i] == '"' && inside && (i == 0 || text[i - 1] != '@'))
      hlo_string_add_char(&b->text, '@');
    hlo_string_add_char(&b->text, text[i]);
  }
  return HLO_OK;
}

// Whether StableHLO would not write the property, which VHLO always has.
static bool says_nothing(const property *p, mlir_slice value) {
  return (p->marks != NULL && !has_mark(p, '&') && hlo_bytecode_is(value, "[]")) ||
         (has_mark(p, ':') && hlo_bytecode_is(value, "none")) ||
         (has_mark(p, '!') && hlo_bytecode_is(value, "0 : i64")) ||
         (has_mark(p, '~') && ends_with(value, "result_accuracy_mode<DEFAULT>>"));
}

// "name = value", after `before`; nothing when the value says nothing.
static hlo_status write_property(mlir_bytecode *b, const property *p, const char *before,
                                 bool *written, hlo_error *error) {
  size_t start = b->text.length;
  *written = false;
  if (has_mark(p, '-')) return HLO_OK;
  hlo_bytecode_add(b, before);
  hlo_bytecode_add_name(b, p->name);
  hlo_bytecode_add(b, " = ");
  size_t value = b->text.length;
  HLO_TRY(hlo_bytecode_write_attribute(b, p->attribute, error));
  HLO_TRY(hlo_string_status(&b->text, error));
  *written = !says_nothing(p, (mlir_slice){b->text.text + value, b->text.length - value});
  if (!*written) hlo_bytecode_truncate_text(b, start);
  else if (has_mark(p, '@')) return mark_symbols(b, value, error);
  return HLO_OK;
}

// "name = #dialect.name<field = value, …>" of those with the mark.
static hlo_status write_structure(mlir_bytecode *b, const property *properties, int32_t count,
                                  char mark, const char *structure, bool *any, hlo_error *error) {
  size_t name = strcspn(structure, "=");
  size_t length = strcspn(structure, "<") + 1;
  if (strncmp(structure + length, "raw", 3) == 0) length += strlen("raw ");
  size_t start = b->text.length;
  hlo_bytecode_add(b, *any ? ", " : " <{");
  hlo_string_add_format(&b->text, "%.*s = %.*s", (int)name, structure, (int)(length - name - 1),
                        structure + name + 1);
  bool has_fields = false;
  for (int32_t i = 0; i < count; i++) {
    bool written = false;
    if (has_mark(&properties[i], mark))
      HLO_TRY(write_property(b, &properties[i], has_fields ? ", " : "", &written, error));
    has_fields = has_fields || written;
  }
  if (has_fields) hlo_bytecode_add(b, ">");
  else b->text.length = start;
  *any = *any || has_fields;
  return HLO_OK;
}

// Empty lists that stand together say nothing only if all of them are empty.
static hlo_status drop_empty_group(mlir_bytecode *b, property *properties, int32_t count,
                                   hlo_error *error) {
  bool all_empty = true;
  for (int32_t i = 0; i < count; i++) {
    size_t start = b->text.length;
    if (!has_mark(&properties[i], '&')) continue;
    HLO_TRY(hlo_bytecode_write_attribute(b, properties[i].attribute, error));
    HLO_TRY(hlo_string_status(&b->text, error));
    all_empty = all_empty &&
                hlo_bytecode_is((mlir_slice){b->text.text + start, b->text.length - start}, "[]");
    hlo_bytecode_truncate_text(b, start);
  }
  for (int32_t i = 0; all_empty && i < count; i++)
    if (has_mark(&properties[i], '&')) properties[i].marks = "-";
  return HLO_OK;
}

static hlo_status write_all(mlir_bytecode *b, const mlir_operation_name *name, property *properties,
                            int32_t count, hlo_error *error) {
  bool any = false;
  HLO_TRY(drop_empty_group(b, properties, count, error));
  const char *structure = name->structures == NULL ? "" : name->structures;
  for (int32_t i = 0; i < count; i++) {
    bool written = false;
    if (!has_mark(&properties[i], '.') && !has_mark(&properties[i], ':'))
      HLO_TRY(write_property(b, &properties[i], any ? ", " : " <{", &written, error));
    any = any || written;
  }
  for (char mark = '.'; *structure != '\0'; mark = ':') {
    HLO_TRY(write_structure(b, properties, count, mark, structure, &any, error));
    structure += strcspn(structure, "<") + 1;
    structure += strcspn(structure, " ");
    while (*structure == ' ') structure++;
  }
  if (any) hlo_bytecode_add(b, "}>");
  return HLO_OK;
}

// The properties of an operation that is not listed are a dictionary, or they have no names.
static hlo_status dictionary_of_properties(mlir_bytecode *b, const mlir_operation_name *name,
                                           mlir_slice encoded, mlir_bytes *out, hlo_error *error) {
  mlir_bytes in = {encoded.at, encoded.at + encoded.length};
  uint64_t number;
  bool is_dictionary = encoded.length > 0 && hlo_bytecode_varint(b, &in, &number, NULL) == HLO_OK &&
                       in.at == in.end && number < (uint64_t)b->attribute_count &&
                       hlo_bytecode_dictionary_of(b, (int32_t)number, out);
  if (is_dictionary) return HLO_OK;
  *out = in;
  out->at = out->end;
  if (encoded.length == 0) return HLO_OK;
  if (!hlo_bytecode_is(name->dialect, "vhlo"))
    return hlo_bytecode_fail(b, b->operation, HLO_UNSUPPORTED, error,
                             "how the dialect of %s encodes its attributes is not "
                             "known; " MLIR_WRITE_ARTIFACT,
                             name->text);
  return hlo_bytecode_fail(b, b->operation, HLO_UNSUPPORTED, error,
                           "what the attributes of %s are called is not known here; write the "
                           "program as text, or for an earlier version of StableHLO",
                           name->text);
}

static hlo_status write_properties(mlir_bytecode *b, const mlir_operation_name *name,
                                   int32_t dictionary, int32_t properties, hlo_error *error) {
  mlir_bytes entries[2] = {{0}};
  int32_t entry_counts[2] = {0}, count = 0;
  int32_t room = name->properties == NULL ? 0 : count_words(name->properties);
  property *all;
  HLO_TRY(check_version(b, name, error));
  if (dictionary >= 0 && !hlo_bytecode_dictionary_of(b, dictionary, &entries[0]))
    return hlo_bytecode_fail(b, b->operation, HLO_PARSE_ERROR, error,
                             "the attributes of %s are no dictionary", name->text);
  if (properties >= 0 && name->properties == NULL)
    HLO_TRY(dictionary_of_properties(b, name, b->properties[properties], &entries[1], error));
  for (int i = 0; i < 2; i++) {
    if (entries[i].at != entries[i].end)
      HLO_TRY(hlo_bytecode_count(b, &entries[i], &entry_counts[i], error));
    room += entry_counts[i];
  }
  HLO_ALLOC(all, &b->arena, room, error);
  if (properties >= 0 && name->properties != NULL) {
    mlir_slice encoded = b->properties[properties];
    mlir_bytes in = {encoded.at, encoded.at + encoded.length};
    HLO_TRY(read_properties(b, name, &in, all, &count, error));
  }
  for (int i = 0; i < 2; i++)
    for (; entry_counts[i] > 0; entry_counts[i]--)
      HLO_TRY(read_entry(b, name, &entries[i], &all[count++], error));
  return write_all(b, name, all, count, error);
}

hlo_status hlo_bytecode_write_properties(mlir_bytecode *b, const mlir_operation_name *name,
                                         int32_t dictionary, int32_t properties, hlo_error *error) {
  size_t start = b->text.length;
  hlo_status status = write_properties(b, name, dictionary, properties, error);
  if (!hlo_bytecode_recover(b, status, start, error)) return status;
  hlo_bytecode_add(b, " <{" MLIR_UNREAD " = #");
  hlo_bytecode_add_unread(b, name->dialect, error->message);
  hlo_bytecode_add(b, "}>");
  hlo_error_clear(error);
  return HLO_OK;
}
