// The instructions of a computation in a serialized HLO module. They refer to each other by id. See
// hlo_proto.h.
#include "text/proto/hlo_proto.h"

#include "text/text.h"

#include <string.h>

enum { // of a computation
  COMPUTATION_INSTRUCTIONS = 2,
  COMPUTATION_ID = 5,
  COMPUTATION_ROOT = 6,
  COMPUTATION_THREAD = 8,
};
enum { // of an instruction
  INSTRUCTION_NAME = 1,
  INSTRUCTION_OPCODE = 2,
  INSTRUCTION_SHAPE = 3,
  INSTRUCTION_LITERAL = 8,
  INSTRUCTION_PARAMETER = 9,
  INSTRUCTION_ID = 35,
  INSTRUCTION_OPERANDS = 36,
  INSTRUCTION_CONTROL = 37,
};

// XLA writes the computation's number in front of those of its instructions, or leaves it out.
static uint64_t id_within(int64_t id) { return (uint32_t)id; }

// --- definitions ---

static hlo_status read_opcode(hlo_proto *p, proto_message message, hlo_opcode *out) {
  proto_message name = hlo_proto_bytes(&p->reader, message, INSTRUCTION_OPCODE);
  size_t length = hlo_proto_length(name);
  *out = hlo_op_from_name(name.at, length);
  if (*out != HLO_OP_COUNT || p->reader.status != HLO_OK) return p->reader.status;
  return hlo_proto_fail(&p->reader, message.at, HLO_UNSUPPORTED, "there is no operation '%.*s'",
                        (int)(length < 100 ? length : 100), name.at);
}

// The error, which is about something that is not known, names the instruction.
static hlo_status name_error(hlo_proto *p, hlo_status status, proto_message message) {
  static const char place[] = " of the file: ";
  hlo_error *error = p->parser.error, named = {0};
  const char *what = strstr(error->message, place);
  if (status != HLO_UNSUPPORTED || strstr(error->message, "instruction %") != NULL || what == NULL)
    return status;
  what += sizeof place - 1;
  proto_reader reader = {.file = p->reader.file, .error = &named};
  proto_message name = hlo_proto_bytes(&reader, message, INSTRUCTION_NAME);
  size_t length = hlo_proto_length(name);
  hlo_fail(&named, status, "%.*sinstruction %%%.*s: %s", (int)(what - error->message),
           error->message, (int)(length < 100 ? length : 100), name.at == NULL ? "" : name.at,
           what);
  *error = named;
  return status;
}

// Makes the instruction without operands and attributes.
static hlo_status define(hlo_proto *p, proto_message message, hlo_scope *scope,
                         hlo_name_table *ids) {
  hlo_opcode opcode;
  const hlo_shape *shape;
  const char *name;
  hlo_instruction *x;
  HLO_TRY(read_opcode(p, message, &opcode));
  HLO_TRY(hlo_proto_shape(p, hlo_proto_bytes(&p->reader, message, INSTRUCTION_SHAPE), &shape));
  HLO_TRY(hlo_proto_keep_text(p, hlo_proto_bytes(&p->reader, message, INSTRUCTION_NAME), &name));
  HLO_TRY(hlo_instruction_create(scope->computation, opcode, name, shape, 0, NULL, 0, NULL, &x,
                                 p->parser.error));
  x->line = 1;
  x->column = (int32_t)(message.at - p->reader.file) + 1;
  uint64_t id = id_within(hlo_proto_int(&p->reader, message, INSTRUCTION_ID));
  HLO_TRY(hlo_proto_add_id(p, ids, id, x, message.at, "instruction of this computation"));
  HLO_TRY(hlo_parser_push(&p->parser, &scope->instructions, x));
  if (opcode == HLO_OP_PARAMETER)
    x->parameter_number = hlo_proto_int(&p->reader, message, INSTRUCTION_PARAMETER);
  proto_message values = hlo_proto_bytes(&p->reader, message, INSTRUCTION_LITERAL);
  if (opcode != HLO_OP_CONSTANT || values.at == NULL) return p->reader.status;
  hlo_literal *literal;
  HLO_ALLOC(literal, &p->parser.module->arena, 1, p->parser.error);
  HLO_TRY(hlo_proto_literal(p, &p->parser.module->arena, values, shape, literal));
  x->literal = literal;
  return p->reader.status;
}

// --- uses ---

// The instructions of a list of ids.
static hlo_status resolve_ids(hlo_proto *p, const proto_instruction *x, uint32_t field,
                              hlo_scope *scope, const hlo_name_table *ids, int32_t *count,
                              hlo_instruction ***out) {
  proto_numbers numbers = hlo_proto_numbers(x->message, field);
  int64_t total = hlo_proto_count(&p->reader, numbers), id;
  if (p->reader.status != HLO_OK) return p->reader.status;
  HLO_ALLOC(*out, &p->parser.module->arena, total, p->parser.error);
  for (*count = 0; hlo_proto_next_number(&p->reader, &numbers, &id); ++*count) {
    hlo_instruction *used = hlo_proto_find_id(ids, id_within(id));
    if (used == NULL)
      return hlo_instruction_fail(x->instruction, HLO_PARSE_ERROR, p->parser.error,
                                  "no instruction of its computation has the id %lld",
                                  (long long)id);
    if (used->id >= x->instruction->id) scope->is_used_before_definition = true;
    (*out)[*count] = used;
  }
  return p->reader.status;
}

// Reads the written attributes.
static hlo_status parse_attributes(hlo_proto *p, hlo_instruction *x) {
  hlo_error reason = {0};
  p->written += p->text.length;
  if (p->attribute_count == 0) return HLO_OK;
  hlo_status status = hlo_parse_attributes(p->parser.module, p->text.text, p->text.length,
                                           &x->attributes, &x->attribute_count, &reason);
  if (status != HLO_OK)
    return hlo_instruction_fail(x, status, p->parser.error, "%s", reason.message);
  // a name may have held what reads as a further one
  if (x->attribute_count == p->attribute_count) return HLO_OK;
  return hlo_instruction_fail(x, HLO_PARSE_ERROR, p->parser.error, "its attributes cannot be read");
}

// Adds what must run before, which is not written: the parser finds no instructions by name.
static hlo_status add_control(hlo_proto *p, const proto_instruction *x, hlo_scope *scope,
                              const hlo_name_table *ids) {
  hlo_instruction *instruction = x->instruction;
  hlo_attribute control = {.id = HLO_ATTRIBUTE_CONTROL_PREDECESSORS}, *attributes;
  int32_t count = instruction->attribute_count;
  if (!hlo_proto_has(x, INSTRUCTION_CONTROL)) return HLO_OK;
  HLO_TRY(
      resolve_ids(p, x, INSTRUCTION_CONTROL, scope, ids, &control.count, &control.instructions));
  if (control.count == 0) return HLO_OK;
  HLO_ALLOC(attributes, &p->parser.module->arena, count + 1, p->parser.error);
  if (count > 0) memcpy(attributes, instruction->attributes, (size_t)count * sizeof *attributes);
  attributes[count] = control;
  instruction->attributes = attributes;
  instruction->attribute_count = count + 1;
  return HLO_OK;
}

static hlo_status connect(hlo_proto *p, proto_instruction *x, hlo_scope *scope,
                          const hlo_name_table *ids) {
  proto_message rest = x->message;
  proto_field field;
  x->fields[0] = x->fields[1] = 0;
  while (hlo_proto_next(&p->reader, &rest, &field))
    if (field.number < 128) x->fields[field.number / 64] |= (uint64_t)1 << field.number % 64;
  HLO_TRY(resolve_ids(p, x, INSTRUCTION_OPERANDS, scope, ids, &x->instruction->operand_count,
                      &x->instruction->operands));
  HLO_TRY(hlo_proto_write_attributes(p, x));
  HLO_TRY(parse_attributes(p, x->instruction));
  return add_control(p, x, scope, ids);
}

// --- the whole ---

// Lists the instructions in the order of a schedule that has each of them once; others say nothing.
static hlo_status apply_schedule(hlo_proto *p, uint64_t id, hlo_scope *scope,
                                 const hlo_name_table *ids) {
  enum { INSTRUCTION_IDS = 1 };
  const proto_message *schedule = hlo_proto_find_id(&p->schedules, id);
  int32_t count = scope->instructions.count, placed = 0;
  if (schedule == NULL) return HLO_OK;
  proto_numbers numbers = hlo_proto_numbers(*schedule, INSTRUCTION_IDS);
  void **ordered;
  bool *is_placed; // by the order of definitions
  HLO_ALLOC(ordered, &p->parser.lists, count, p->parser.error);
  HLO_ALLOC(is_placed, &p->parser.lists, count, p->parser.error);
  for (int64_t next; hlo_proto_next_number(&p->reader, &numbers, &next);) {
    hlo_instruction *x = hlo_proto_find_id(ids, id_within(next));
    if (x == NULL || is_placed[x->id]) return HLO_OK;
    is_placed[x->id] = true;
    ordered[placed++] = x;
  }
  if (placed < count || p->reader.status != HLO_OK) return p->reader.status;
  scope->instructions.data = ordered;
  scope->is_used_before_definition = true; // maybe
  return HLO_OK;
}

// ", execution_thread="name"" after the body.
static hlo_status read_thread(hlo_proto *p, proto_message message, hlo_computation *computation) {
  proto_message thread = hlo_proto_bytes(&p->reader, message, COMPUTATION_THREAD);
  if (thread.at == thread.end) return p->reader.status;
  hlo_string_clear(&p->text);
  hlo_string_add(&p->text, ", execution_thread=");
  hlo_proto_write_quoted(p, thread);
  HLO_TRY(hlo_string_status(&p->text, p->parser.error));
  proto_message text = {p->text.text, p->text.text + p->text.length};
  return hlo_proto_keep_text(p, text, &computation->attributes_text);
}

static hlo_status read_computation(hlo_proto *p, proto_message message,
                                   hlo_computation *computation) {
  hlo_scope scope = {.computation = computation};
  hlo_name_table ids = {0};
  proto_instruction x;
  proto_message rest = message;
  while (hlo_proto_next_bytes(&p->reader, &rest, COMPUTATION_INSTRUCTIONS, &x.message))
    HLO_TRY(name_error(p, define(p, x.message, &scope, &ids), x.message));
  if (p->reader.status != HLO_OK) return p->reader.status;
  rest = message;
  for (int32_t i = 0; hlo_proto_next_bytes(&p->reader, &rest, COMPUTATION_INSTRUCTIONS, &x.message);
       i++) {
    x.instruction = scope.instructions.data[i];
    HLO_TRY(name_error(p, connect(p, &x, &scope, &ids), x.message));
  }
  uint64_t id = (uint64_t)hlo_proto_int(&p->reader, message, COMPUTATION_ID);
  HLO_TRY(apply_schedule(p, id, &scope, &ids));
  int64_t root = hlo_proto_int(&p->reader, message, COMPUTATION_ROOT);
  HLO_TRY(read_thread(p, message, computation));
  computation->root = hlo_proto_find_id(&ids, id_within(root));
  if (computation->root == NULL)
    return hlo_proto_fail(&p->reader, message.at, HLO_PARSE_ERROR,
                          "this computation has no instruction with the id of its root, %lld",
                          (long long)root);
  if (scope.is_used_before_definition) HLO_TRY(hlo_parser_order_instructions(&p->parser, &scope));
  return hlo_parser_push(&p->parser, &p->parser.computations, computation);
}

hlo_status hlo_proto_computation(hlo_proto *p, proto_message message,
                                 hlo_computation *computation) {
  hlo_parser_mark mark = hlo_parser_get_mark(&p->parser);
  hlo_status status = read_computation(p, message, computation);
  if (status != HLO_UNSUPPORTED) return status;
  p->reader.status = HLO_OK;
  return hlo_parser_leave_unread(&p->parser, computation, mark);
}
