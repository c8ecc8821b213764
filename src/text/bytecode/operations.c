// The operations of MLIR's binary form as text in generic form. See bytecode.h.
#include "text/bytecode/bytecode.h"
#include "text/mlir/parser.h"

#include <string.h>

enum { // what an operation has, in this order
  HAS_ATTRIBUTES = 1,
  HAS_RESULTS = 2,
  HAS_OPERANDS = 4,
  HAS_SUCCESSORS = 8,
  HAS_REGIONS = 16,
  HAS_USE_ORDERS = 32,
  HAS_PROPERTIES = 64,
  HAS_UNKNOWN = 128,
};
enum { // versions of the format
  OLDEST_WITH_REGIONS_APART = 2,
  OLDEST_WITH_USE_ORDERS = 3,
  OLDEST_WITH_OPTIONAL_LOCATIONS = 4,
};

// Values are numbered through a region and, from where its numbers end, through each region in it,
// unless that is isolated and starts from 0. Those of a region that are known so far are
// values[first] and on.
typedef struct scope {
  const struct scope *outer; // NULL in an isolated region
  int64_t start, count;
  int32_t first;
} scope;

// The items, or a copy of them, with room for one more. NULL: no memory.
static void *with_room(mlir_bytecode *b, void *items, int32_t count, int32_t *capacity,
                       size_t size) {
  if (count < *capacity) return items;
  if (count > INT32_MAX / 4) return NULL;
  *capacity = count == 0 ? 256 : count * 2;
  void *larger = hlo_arena_array(&b->arena, (size_t)*capacity, size);
  if (larger != NULL && count > 0) memcpy(larger, items, (size_t)count * size);
  return larger;
}

// --- values ---

static hlo_status define_value(mlir_bytecode *b, int32_t type, hlo_error *error) {
  b->values = with_room(b, b->values, b->value_count, &b->value_capacity, sizeof *b->values);
  if (b->values == NULL) return hlo_fail_out_of_memory(error);
  b->values[b->value_count] = (mlir_named_value){b->value_count, type};
  b->value_count++;
  return HLO_OK;
}

static hlo_status next_value(mlir_bytecode *b, mlir_bytes *in, const scope *inner,
                             mlir_named_value *out, hlo_error *error) {
  const char *at = in->at;
  uint64_t number;
  HLO_TRY(hlo_bytecode_varint(b, in, &number, error));
  int64_t end = b->value_count; // of the scope's values
  for (const scope *s = inner; s != NULL; end = s->first, s = s->outer) {
    if (number < (uint64_t)s->start) continue;
    int64_t i = s->first + (int64_t)(number - (uint64_t)s->start);
    if (number - (uint64_t)s->start >= (uint64_t)(end - s->first)) break;
    *out = b->values[i];
    return HLO_OK;
  }
  return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "the value %llu is not defined here",
                           (unsigned long long)number);
}

static void add_value(mlir_bytecode *b, int32_t name) {
  hlo_string_add_format(&b->text, "%%%d", name);
}

// --- lines ---

static hlo_status end_line(mlir_bytecode *b, hlo_error *error) {
  b->offsets = with_room(b, b->offsets, b->line_count, &b->line_capacity, sizeof *b->offsets);
  if (b->offsets == NULL) return hlo_fail_out_of_memory(error);
  b->offsets[b->line_count++] = (int32_t)(b->operation - b->file);
  hlo_bytecode_add(b, "\n");
  return hlo_bytecode_check_length(b, b->operation, error);
}

// --- parts of operations ---

// In which order the uses of values stood, which says nothing here: for one or several of `values`
// which it is, then numbers, of which the count has a flag.
static hlo_status skip_use_orders(mlir_bytecode *b, mlir_bytes *in, int32_t values,
                                  hlo_error *error) {
  int32_t count = 1;
  uint64_t number, length;
  if (values > 1) HLO_TRY(hlo_bytecode_count(b, in, &count, error));
  for (; count > 0; count--) {
    if (values > 1) HLO_TRY(hlo_bytecode_varint(b, in, &number, error));
    HLO_TRY(hlo_bytecode_varint(b, in, &length, error));
    for (length >>= 1; length > 0; length--) HLO_TRY(hlo_bytecode_varint(b, in, &number, error));
  }
  return HLO_OK;
}

typedef struct operation {
  mlir_operation_name *name;
  uint8_t has;
  int32_t attributes, properties; // their numbers, -1: none
  int32_t first_result, result_count, operand_count;
  mlir_named_value *operands;
} operation;

static hlo_status read_results(mlir_bytecode *b, mlir_bytes *in, operation *op, hlo_error *error) {
  op->first_result = b->value_count;
  if ((op->has & HAS_RESULTS) == 0) return HLO_OK;
  HLO_TRY(hlo_bytecode_count(b, in, &op->result_count, error));
  for (int32_t i = 0; i < op->result_count; i++) {
    int32_t type;
    HLO_TRY(hlo_bytecode_index(b, in, b->type_count, "type", &type, error));
    HLO_TRY(define_value(b, type, error));
  }
  return HLO_OK;
}

static hlo_status read_operands(mlir_bytecode *b, mlir_bytes *in, const scope *inner, operation *op,
                                hlo_error *error) {
  if ((op->has & HAS_OPERANDS) == 0) return HLO_OK;
  HLO_TRY(hlo_bytecode_count(b, in, &op->operand_count, error));
  HLO_ALLOC(op->operands, &b->arena, op->operand_count, error);
  for (int32_t i = 0; i < op->operand_count; i++)
    HLO_TRY(next_value(b, in, inner, &op->operands[i], error));
  return HLO_OK;
}

// Everything but its regions.
static hlo_status read_operation(mlir_bytecode *b, mlir_bytes *in, const scope *inner,
                                 operation *op, hlo_error *error) {
  const char *at = in->at;
  int32_t name;
  uint64_t location;
  HLO_TRY(hlo_bytecode_index(b, in, b->operation_count, "operation", &name, error));
  HLO_TRY(hlo_bytecode_byte(b, in, &op->has, error));
  HLO_TRY(hlo_bytecode_varint(b, in, &location, error));
  op->name = &b->operations[name];
  op->attributes = op->properties = -1;
  if ((op->has & (HAS_SUCCESSORS | HAS_UNKNOWN)) != 0)
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, error, "branches to blocks are not supported");
  if ((op->has & HAS_ATTRIBUTES) != 0)
    HLO_TRY(hlo_bytecode_index(b, in, b->attribute_count, "attribute", &op->attributes, error));
  if ((op->has & HAS_PROPERTIES) != 0)
    HLO_TRY(hlo_bytecode_index(b, in, b->property_count, "property", &op->properties, error));
  HLO_TRY(read_results(b, in, op, error));
  HLO_TRY(read_operands(b, in, inner, op, error));
  return (op->has & HAS_USE_ORDERS) != 0 ? skip_use_orders(b, in, op->result_count, error) : HLO_OK;
}

static hlo_status add_types(mlir_bytecode *b, const mlir_named_value *values, int32_t count,
                            hlo_error *error) {
  hlo_bytecode_add(b, "(");
  for (int32_t i = 0; i < count; i++) {
    if (i > 0) hlo_bytecode_add(b, ", ");
    HLO_TRY(hlo_bytecode_write_type(b, values[i].type, error));
  }
  hlo_bytecode_add(b, ")");
  return HLO_OK;
}

// "%2, %3 = "dialect.name"(%0, %1)"
static void add_head(mlir_bytecode *b, const operation *op, bool in_function) {
  const char *name = op->name->is_return && in_function ? "func.return" : op->name->text;
  for (int32_t i = 0; i < op->result_count; i++) {
    add_value(b, op->first_result + i);
    hlo_bytecode_add(b, i + 1 < op->result_count ? ", " : " = ");
  }
  hlo_string_add_format(&b->text, "\"%s\"(", name);
  for (int32_t i = 0; i < op->operand_count; i++) {
    if (i > 0) hlo_bytecode_add(b, ", ");
    add_value(b, op->operands[i].name);
  }
  hlo_bytecode_add(b, ")");
}

// --- regions ---

static hlo_status write_block(mlir_bytecode *b, mlir_bytes *in, const scope *inner,
                              bool in_function, hlo_error *error);

// ' loc("x")' of an argument that has a name.
static hlo_status write_location(mlir_bytecode *b, uint64_t location, hlo_error *error) {
  mlir_slice name;
  if (location >= (uint64_t)b->attribute_count ||
      !hlo_bytecode_location_name(b, (int32_t)location, &name))
    return HLO_OK;
  hlo_bytecode_add(b, " loc(");
  hlo_bytecode_add_quoted(b, name);
  hlo_bytecode_add(b, ")");
  return hlo_bytecode_check_length(b, b->operation, error);
}

// "^bb0(%0: T, %1: T):"; of a function with what its arguments are called.
static hlo_status write_arguments(mlir_bytecode *b, mlir_bytes *in, bool in_function,
                                  hlo_error *error) {
  int32_t count;
  uint8_t has_orders = 0;
  HLO_TRY(hlo_bytecode_count(b, in, &count, error));
  for (int32_t i = 0; i < count; i++) {
    const char *at = in->at;
    uint64_t type, location = UINT64_MAX, has_location = 1;
    HLO_TRY(hlo_bytecode_varint(b, in, &type, error));
    if (b->version >= OLDEST_WITH_OPTIONAL_LOCATIONS) has_location = type & 1, type >>= 1;
    if (has_location) HLO_TRY(hlo_bytecode_varint(b, in, &location, error));
    if (type >= (uint64_t)b->type_count)
      return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error, "there is no type %llu",
                               (unsigned long long)type);
    hlo_bytecode_add(b, i == 0 ? "^bb0(" : ", ");
    add_value(b, b->value_count);
    hlo_bytecode_add(b, ": ");
    HLO_TRY(define_value(b, (int32_t)type, error));
    HLO_TRY(hlo_bytecode_write_type(b, (int32_t)type, error));
    if (in_function) HLO_TRY(write_location(b, location, error));
  }
  if (b->version >= OLDEST_WITH_USE_ORDERS) HLO_TRY(hlo_bytecode_byte(b, in, &has_orders, error));
  if (has_orders != 0) HLO_TRY(skip_use_orders(b, in, count, error));
  if (count == 0) return HLO_OK;
  hlo_bytecode_add(b, "):");
  return end_line(b, error);
}

static hlo_status write_region(mlir_bytecode *b, mlir_bytes *in, const scope *outer,
                               bool in_function, hlo_error *error) {
  const char *at = in->at;
  uint64_t blocks, values;
  scope inner = {.outer = outer, .first = b->value_count};
  HLO_TRY(hlo_bytecode_varint(b, in, &blocks, error));
  if (blocks == 0) return HLO_OK;
  if (blocks > 1)
    return hlo_bytecode_fail(b, at, HLO_UNSUPPORTED, error,
                             "regions of several blocks are not supported");
  HLO_TRY(hlo_bytecode_varint(b, in, &values, error));
  if (values > b->length)
    return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error,
                             "a region of %llu values is longer than the file",
                             (unsigned long long)values);
  inner.count = (int64_t)values;
  if (outer != NULL) inner.start = outer->start + outer->count;
  HLO_TRY(hlo_bytecode_enter(b, at, error));
  HLO_TRY(write_block(b, in, &inner, in_function, error));
  b->depth--;
  b->value_count = inner.first;
  return HLO_OK;
}

// The regions that follow as they are.
static hlo_status write_each_region(mlir_bytecode *b, mlir_bytes *in, const scope *outer,
                                    const operation *op, uint64_t count, hlo_error *error) {
  const char *start = b->operation;
  for (uint64_t i = 0; i < count; i++) {
    if (i > 0) hlo_bytecode_add(b, "}, {");
    HLO_TRY(end_line(b, error));
    HLO_TRY(write_region(b, in, outer, op->name->is_function, error));
    b->operation = start;
  }
  return HLO_OK;
}

// In the place of a function's body that cannot be read; whatever was written after the first
// `length` bytes is discarded.
static hlo_status write_unread(mlir_bytecode *b, size_t length, hlo_status status,
                               hlo_error *error) {
  const char *at = b->operation;
  if (!hlo_bytecode_recover(b, status, length, error)) return status;
  HLO_TRY(end_line(b, error));
  hlo_bytecode_add(b, "\"builtin." MLIR_UNREAD "\"() <{" MLIR_UNREAD " = #");
  hlo_bytecode_add_unread(b, (mlir_slice){"builtin", strlen("builtin")}, error->message);
  hlo_bytecode_add(b, "}> : () -> ()");
  hlo_error_clear(error);
  b->operation = at;
  return end_line(b, error);
}

// " ({", regions with "}, {" between them, "})"
static hlo_status write_regions(mlir_bytecode *b, mlir_bytes *in, const scope *inner,
                                const operation *op, hlo_error *error) {
  const char *at = in->at;
  mlir_bytes apart, *from = in;
  uint64_t count;
  HLO_TRY(hlo_bytecode_varint(b, in, &count, error));
  bool is_isolated = (count & 1) != 0;
  count >>= 1;
  if (count == 0) return HLO_OK;
  if (is_isolated && b->version >= OLDEST_WITH_REGIONS_APART) {
    HLO_TRY(hlo_bytecode_nested_section(b, in, &apart, error));
    from = &apart;
  }
  hlo_bytecode_add(b, " ({");
  size_t length = b->text.length;
  int32_t depth = b->depth, values = b->value_count, lines = b->line_count;
  hlo_status status = write_each_region(b, from, is_isolated ? NULL : inner, op, count, error);
  if (status == HLO_UNSUPPORTED && from == &apart && op->name->is_function) {
    b->depth = depth;
    b->value_count = values;
    b->line_count = lines;
    status = write_unread(b, length, status, error);
    apart.at = apart.end;
  }
  HLO_TRY(status);
  hlo_bytecode_add(b, "})");
  if (from == in || apart.at == apart.end) return HLO_OK;
  return hlo_bytecode_fail(b, at, HLO_PARSE_ERROR, error,
                           "the regions do not end where their section ends");
}

// A cast between the types of two dialects, which are the same as text: its results have the names
// of its operands.
static hlo_status rename_results(mlir_bytecode *b, const operation *op, hlo_error *error) {
  if (op->operand_count != op->result_count || (op->has & HAS_REGIONS) != 0)
    return hlo_bytecode_fail(b, b->operation, HLO_UNSUPPORTED, error,
                             "a cast of %d values to %d is not supported", op->operand_count,
                             op->result_count);
  for (int32_t i = 0; i < op->result_count; i++)
    b->values[op->first_result + i].name = op->operands[i].name;
  return HLO_OK;
}

static hlo_status write_operation(mlir_bytecode *b, mlir_bytes *in, const scope *inner,
                                  bool in_function, hlo_error *error) {
  operation op = {0};
  b->operation = in->at;
  HLO_TRY(read_operation(b, in, inner, &op, error));
  if (op.name->text == NULL) HLO_TRY(hlo_bytecode_resolve(b, op.name, error));
  if (op.name->is_cast) return rename_results(b, &op, error);
  add_head(b, &op, in_function);
  HLO_TRY(hlo_bytecode_write_properties(b, op.name, op.attributes, op.properties, error));
  if ((op.has & HAS_REGIONS) != 0) HLO_TRY(write_regions(b, in, inner, &op, error));
  hlo_bytecode_add(b, " : ");
  HLO_TRY(add_types(b, op.operands, op.operand_count, error));
  hlo_bytecode_add(b, " -> ");
  const mlir_named_value *results = op.result_count == 0 ? NULL : b->values + op.first_result;
  HLO_TRY(add_types(b, results, op.result_count, error));
  return end_line(b, error);
}

static hlo_status write_block(mlir_bytecode *b, mlir_bytes *in, const scope *inner,
                              bool in_function, hlo_error *error) {
  uint64_t count;
  HLO_TRY(hlo_bytecode_varint(b, in, &count, error));
  if ((count & 1) != 0) HLO_TRY(write_arguments(b, in, in_function, error));
  for (count >>= 1; count > 0; count--) HLO_TRY(write_operation(b, in, inner, in_function, error));
  return HLO_OK;
}

hlo_status hlo_bytecode_write_operations(mlir_bytecode *b, hlo_error *error) {
  const scope top = {0};
  mlir_bytes in = b->module;
  b->operation = in.at;
  return write_block(b, &in, &top, false, error);
}
