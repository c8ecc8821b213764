// Reads the bodies of computations in HLO text: instructions with their operands. Operand counts
// and attribute names come from the op list.
#include "text/hlo/parser.h"

#include <string.h>

// --- names ---

static hlo_status create_instruction(hlo_parser *parser, hlo_token name, hlo_opcode opcode,
                                     hlo_instruction **out) {
  hlo_arena_mark mark = hlo_arena_get_mark(&parser->scratch);
  char *text = hlo_arena_copy_text(&parser->scratch, name.text, name.length);
  if (text == NULL) return hlo_fail_out_of_memory(parser->error);
  HLO_TRY(hlo_instruction_create(parser->scope->computation, opcode, text, NULL, 0, NULL, 0, NULL,
                                 out, parser->error));
  hlo_arena_rewind(&parser->scratch, mark);
  hlo_source_locate(&parser->source, name.at, &(*out)->line, &(*out)->column);
  return HLO_OK;
}

// An instruction that was used and not yet defined has the opcode HLO_OP_COUNT, and is located
// where it was used first. The last one in scope->instructions is being defined.
hlo_status hlo_parser_instruction(hlo_parser *parser, hlo_instruction **out) {
  hlo_token name;
  hlo_scope *scope = parser->scope;
  HLO_TRY(hlo_lexer_name(&parser->lexer, "the name of an instruction", &parser->scratch, &name));
  *out = hlo_computation_find(scope->computation, name.text, name.length);
  if (*out == NULL || *out == scope->instructions.data[scope->instructions.count - 1])
    scope->is_used_before_definition = true;
  return *out != NULL ? HLO_OK : create_instruction(parser, name, HLO_OP_COUNT, out);
}

// Makes the instruction of that name, without operands and attributes so far.
static hlo_status define_instruction(hlo_parser *parser, hlo_token name, hlo_opcode opcode,
                                     hlo_instruction **out) {
  *out = hlo_computation_find(parser->scope->computation, name.text, name.length);
  if (*out == NULL) return create_instruction(parser, name, opcode, out);
  if ((*out)->opcode != HLO_OP_COUNT)
    return HLO_PARSER_FAIL(parser, name.at, "'%.*s' is defined twice in this computation",
                           hlo_token_shown(name), name.text);
  (*out)->opcode = opcode;
  hlo_source_locate(&parser->source, name.at, &(*out)->line, &(*out)->column);
  return HLO_OK;
}

// --- instructions ---

// A shape comes next, and not a name or an opcode: "(" or a word with "[" after it.
static bool at_shape(hlo_lexer *lexer) {
  if (hlo_lexer_peek(lexer) == '(') return true;
  const char *p = lexer->at;
  while (p < lexer->end && ((*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9'))) p++;
  if (p == lexer->at) return false;
  hlo_lexer ahead = *lexer;
  ahead.at = p;
  return hlo_lexer_peek(&ahead) == '[';
}

static hlo_status parse_operand(hlo_parser *parser) {
  hlo_lexer *lexer = &parser->lexer;
  hlo_shape_check check = {0};
  hlo_arena_mark mark = hlo_arena_get_mark(&parser->scratch);
  if (at_shape(lexer)) {
    check.at = lexer->at;
    HLO_TRY(hlo_parser_shape(parser, &parser->scratch, &check.shape));
  }
  hlo_instruction *operand;
  HLO_TRY(hlo_parser_instruction(parser, &operand));
  if (check.shape != NULL && operand->shape == NULL) {
    HLO_TRY(hlo_parser_add_check(parser, operand, check.shape, check.at));
  } else {
    check.instruction = operand;
    if (check.shape != NULL) HLO_TRY(hlo_parser_check(parser, &check));
    hlo_arena_rewind(&parser->scratch, mark);
  }
  return hlo_parser_push(parser, &parser->pointers, operand);
}

// The operands up to ")", kept in the instruction.
static hlo_status parse_operands(hlo_parser *parser, const hlo_token *name, hlo_opcode opcode,
                                 int32_t *count, hlo_instruction ***out) {
  hlo_lexer *lexer = &parser->lexer;
  int32_t first = parser->pointers.count;
  while (hlo_lexer_peek(lexer) != ')') {
    if (parser->pointers.count > first) {
      HLO_TRY(hlo_lexer_expect(lexer, ","));
      if (hlo_lexer_peek(lexer) == ')') break; // XLA allows a comma at the end
    }
    HLO_TRY(parse_operand(parser));
  }
  *count = parser->pointers.count - first;
  parser->pointers.count = first;
  const hlo_op_info *info = hlo_op_get(opcode);
  bool is_too_many = info->max_operands >= 0 && *count > info->max_operands;
  int32_t wanted = is_too_many ? info->max_operands : info->min_operands;
  if (*count < info->min_operands || is_too_many)
    return HLO_PARSER_FAIL(parser, name->at, "'%s' takes %s%d operand%s, not %d", info->name,
                           info->min_operands == info->max_operands ? ""
                           : is_too_many                            ? "at most "
                                                                    : "at least ",
                           wanted, wanted == 1 ? "" : "s", *count);
  HLO_ALLOC(*out, &parser->module->arena, *count, parser->error);
  for (int32_t i = 0; i < *count; i++) (*out)[i] = parser->pointers.data[first + i];
  return HLO_OK;
}

// XLA prints "{...}" for values that it finds too many; then there is no literal.
static hlo_status parse_constant(hlo_parser *parser, hlo_instruction *instruction) {
  hlo_lexer *lexer = &parser->lexer;
  const char *start = lexer->at;
  if (instruction->shape == NULL)
    return HLO_PARSER_FAIL(parser, start, "a constant needs its shape in front");
  if (hlo_lexer_accept(lexer, "{") && hlo_lexer_accept(lexer, "..."))
    return hlo_lexer_expect(lexer, "}");
  lexer->at = start;
  hlo_literal *literal;
  HLO_ALLOC(literal, &parser->module->arena, 1, parser->error);
  HLO_TRY(hlo_parser_literal(parser, &parser->module->arena, instruction->shape, literal));
  instruction->literal = literal;
  return HLO_OK;
}

static hlo_status parse_attributes(hlo_parser *parser, hlo_instruction *instruction,
                                   hlo_opcode wrapped) {
  if (!hlo_lexer_accept(&parser->lexer, ",")) return HLO_OK;
  int32_t first = parser->attribute_count;
  HLO_TRY(hlo_parser_attributes(parser, wrapped, instruction->opcode));
  int32_t count = parser->attribute_count - first;
  HLO_ALLOC(instruction->attributes, &parser->module->arena, count, parser->error);
  memcpy(instruction->attributes, parser->attributes + first,
         (size_t)count * sizeof *instruction->attributes);
  instruction->attribute_count = count;
  parser->attribute_count = first;
  return HLO_OK;
}

// What stands in the parentheses.
static hlo_status parse_contents(hlo_parser *parser, hlo_instruction *instruction,
                                 const hlo_token *name, hlo_opcode taker) {
  HLO_TRY(hlo_lexer_expect(&parser->lexer, "("));
  if (instruction->opcode == HLO_OP_PARAMETER) {
    HLO_TRY(hlo_lexer_int(&parser->lexer, "the number of the parameter",
                          &instruction->parameter_number));
  } else if (instruction->opcode == HLO_OP_CONSTANT) {
    HLO_TRY(parse_constant(parser, instruction));
  } else {
    HLO_TRY(
        parse_operands(parser, name, taker, &instruction->operand_count, &instruction->operands));
  }
  return hlo_lexer_expect(&parser->lexer, ")");
}

// The operation's name, and what an asynchronous one wraps, else HLO_OP_COUNT.
static hlo_status parse_opcode(hlo_parser *parser, hlo_token *name, hlo_opcode *opcode,
                               hlo_opcode *wrapped) {
  HLO_TRY(hlo_lexer_word(&parser->lexer, "an operation", name));
  *wrapped = HLO_OP_COUNT;
  *opcode = hlo_op_from_name(name->text, name->length);
  if (*opcode == HLO_OP_COUNT) *opcode = hlo_parser_async_opcode(*name, wrapped);
  if (*opcode != HLO_OP_COUNT) return HLO_OK;
  hlo_status status = HLO_PARSER_FAIL(parser, name->at, "there is no operation '%.*s'",
                                      hlo_token_shown(*name), name->text);
  return hlo_lexer_peek(&parser->lexer) == '(' ? hlo_parser_unknown(parser) : status;
}

// shape opcode(operands), attributes
static hlo_status parse_value(hlo_parser *parser, hlo_token name, hlo_instruction **out) {
  hlo_lexer *lexer = &parser->lexer;
  hlo_token opcode_name;
  const hlo_shape *shape = NULL;
  if (at_shape(lexer)) HLO_TRY(hlo_parser_shape(parser, &parser->module->arena, &shape));
  hlo_opcode opcode, wrapped;
  HLO_TRY(parse_opcode(parser, &opcode_name, &opcode, &wrapped));
  hlo_instruction *instruction;
  HLO_TRY(define_instruction(parser, name, opcode, &instruction));
  // What follows may name this instruction (an error that the order finds), so it is known now.
  HLO_TRY(hlo_parser_push(parser, &parser->scope->instructions, instruction));
  *out = instruction;
  instruction->shape = shape;
  if (shape == NULL) parser->has_missing_shapes = true;
  bool is_wrapping = opcode == HLO_OP_ASYNC_START && wrapped != HLO_OP_COUNT;
  // whose operands and attributes these are
  hlo_opcode taker = is_wrapping ? wrapped : opcode;
  HLO_TRY(parse_contents(parser, instruction, &opcode_name, taker));
  HLO_TRY(parse_attributes(parser, instruction, taker));
  return is_wrapping ? hlo_parser_wrap_async(parser, instruction, wrapped, opcode_name.at) : HLO_OK;
}

// name = value
static hlo_status parse_assignment(hlo_parser *parser, hlo_instruction **out) {
  hlo_token name;
  HLO_TRY(hlo_lexer_name(&parser->lexer, "an instruction or '}'", &parser->scratch, &name));
  HLO_TRY(hlo_lexer_expect(&parser->lexer, "="));
  return hlo_parser_name_error(parser, parse_value(parser, name, out), "instruction", name);
}

static hlo_status parse_instruction(hlo_parser *parser) {
  hlo_lexer_skip(&parser->lexer);
  const char *start = parser->lexer.at;
  bool is_root = hlo_lexer_accept_word(&parser->lexer, "ROOT");
  if (is_root && parser->scope->root != NULL)
    return HLO_PARSER_FAIL(parser, start, "this computation has a ROOT already");
  hlo_instruction *instruction;
  HLO_TRY(parse_assignment(parser, &instruction));
  if (is_root) parser->scope->root = instruction;
  return HLO_OK;
}

// --- bodies ---

static hlo_status check_definitions(hlo_parser *parser, const hlo_computation *computation) {
  for (int32_t i = 0; i < computation->instruction_count; i++) {
    const hlo_instruction *instruction = computation->instructions[i];
    if (instruction->opcode != HLO_OP_COUNT) continue;
    hlo_token name = {.text = instruction->name, .length = strlen(instruction->name)};
    return hlo_fail_at(parser->error, HLO_PARSE_ERROR, instruction->line, instruction->column,
                       "there is no instruction '%.*s' in this computation", hlo_token_shown(name),
                       name.text);
  }
  return HLO_OK;
}

static hlo_status parse_body(hlo_parser *parser, hlo_scope *scope) {
  hlo_lexer *lexer = &parser->lexer;
  HLO_TRY(hlo_lexer_expect(lexer, "{"));
  do HLO_TRY(parse_instruction(parser));
  while (hlo_lexer_peek(lexer) != '}');
  HLO_TRY(hlo_lexer_expect(lexer, "}"));
  hlo_computation *computation = scope->computation;
  if (scope->is_used_before_definition) {
    HLO_TRY(check_definitions(parser, computation));
    HLO_TRY(hlo_parser_order_instructions(parser, scope));
  }
  computation->root =
      scope->root != NULL ? scope->root : scope->instructions.data[scope->instructions.count - 1];
  return hlo_parser_push(parser, &parser->computations, computation);
}

hlo_status hlo_parser_body(hlo_parser *parser, hlo_computation *computation) {
  hlo_scope scope = {.outer = parser->scope, .computation = computation};
  if (scope.outer != NULL) scope.depth = scope.outer->depth + 1;
  parser->scope = &scope;
  hlo_status status = parse_body(parser, &scope);
  parser->scope = scope.outer;
  return status;
}
