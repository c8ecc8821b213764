// The HLO text parser: the state of one parse. Private to the files of this folder.
#ifndef HLO_TEXT_HLO_PARSER_H
#define HLO_TEXT_HLO_PARSER_H

#include "hlo/hlo.h"
#include "text/attributes/lexer.h"

// Computations written inside an attribute (to_apply={...}) nest at most so deep.
enum { HLO_MAX_INLINE_DEPTH = 64 };

typedef struct hlo_pointers {
  void **data;
  int32_t count, capacity;
} hlo_pointers;

typedef struct hlo_integers {
  int64_t *data;
  int32_t count, capacity;
} hlo_integers;

// The declared shape of an operand or of a result, to be compared once the instruction is known.
typedef struct hlo_shape_check {
  const hlo_instruction *instruction;
  const hlo_shape *shape;
  const char *at;
} hlo_shape_check;

// The computation whose body is being read.
typedef struct hlo_scope {
  struct hlo_scope *outer; // of a computation inside an attribute
  int32_t depth;
  hlo_computation *computation;
  hlo_pointers instructions; // in the order of their definitions
  hlo_instruction *root;
  bool is_used_before_definition; // some instruction
} hlo_scope;

// What is known of a computation while parsing, by its index.
typedef struct hlo_computation_record {
  const char *at; // of its definition, or of its first use before that
  bool is_defined;
  hlo_pointers parameter_shapes; // of its signature
  const char *signature_at;      // NULL: there was none
  const hlo_error *unread;       // why its body is not there, or NULL: see unread.c
} hlo_computation_record;

typedef struct hlo_parser {
  hlo_source source;
  hlo_lexer lexer;
  hlo_error *error;
  hlo_module *module;
  bool is_fragment; // attributes alone: every computation exists already, no instruction does
  hlo_scope *scope;
  hlo_arena lists;   // growing lists, for as long as the parser lives
  hlo_arena scratch; // shapes and names that nobody keeps
  // Lists that parts of an instruction grow and shrink like a stack.
  hlo_pointers pointers;
  hlo_integers integers;
  hlo_integers rows;
  hlo_attribute *attributes;
  int32_t attribute_count, attribute_capacity;
  hlo_computation_record *records;
  int32_t record_count, record_capacity;
  hlo_pointers computations; // in the order of their definitions
  hlo_pointers callees;      // of what was read, as often as they are named
  hlo_shape_check *checks;
  int32_t check_count, check_capacity;
  bool has_missing_shapes; // instructions without one, to be inferred
  bool has_unread;         // computations
} hlo_parser;

#define HLO_PARSER_FAIL(parser, at, ...)                                                           \
  hlo_source_fail(&(parser)->source, (at), (parser)->error, __VA_ARGS__)

// --- unread.c ---
// Puts "<what> %name: " in front of such an error, unless it names an instruction already.
hlo_status hlo_parser_name_error(hlo_parser *parser, hlo_status status, const char *what,
                                 hlo_token name);
// How far the parser's lists were filled.
typedef struct hlo_parser_mark {
  int32_t pointers, attributes, records, computations, callees, checks;
} hlo_parser_mark;
hlo_parser_mark hlo_parser_get_mark(const hlo_parser *parser);
// Discards the part of the computation read since the mark, and keeps the parser's error as the
// reason.
hlo_status hlo_parser_leave_unread(hlo_parser *parser, hlo_computation *computation,
                                   hlo_parser_mark mark);
// Leaves out what has no definition: only what was not read calls it.
hlo_status hlo_parser_leave_undefined(hlo_parser *parser);
// Fails where the entry calls an unread computation outside of branches and loops. Those that it
// reaches get stand-ins (text/unread.h); the others, and their callers, leave the module.
// by_record[i] is the computation of record i.
hlo_status hlo_parser_drop_unread(hlo_parser *parser, hlo_computation *const *by_record);
// Whether it is still in the module.
static inline bool hlo_parser_has(const hlo_computation *computation) {
  return computation->index >= 0;
}

// --- text/attributes/fragment.c ---
// Marks the error just raised as being about something unknown; returns its status.
hlo_status hlo_parser_unknown(hlo_parser *parser);
#define HLO_PARSER_UNKNOWN(parser, at, ...)                                                        \
  (HLO_PARSER_FAIL(parser, at, __VA_ARGS__), hlo_parser_unknown(parser))
hlo_status hlo_parser_push(hlo_parser *parser, hlo_pointers *list, void *pointer);
hlo_status hlo_parser_push_int(hlo_parser *parser, hlo_integers *list, int64_t value);
// Reads "{1,2,3}" (between the given brackets) and adds it to parser->integers.
hlo_status hlo_parser_int_list(hlo_parser *parser, const char *open, const char *close);
// Fails where the list has more integers than an attribute may have.
hlo_status hlo_parser_limit_count(hlo_parser *parser, const hlo_integers *list);
// Reads the name of a computation, which may be defined later.
hlo_status hlo_parser_computation(hlo_parser *parser, hlo_computation **out);

// --- parts.c ---
// Reads a shape into the arena, placing its errors in the program.
hlo_status hlo_parser_shape(hlo_parser *parser, hlo_arena *arena, const hlo_shape **out);
// The place of an error that was made by reading a shape from there.
hlo_status hlo_parser_shape_error(hlo_parser *parser, const char *from);
// The same for the values of a literal.
hlo_status hlo_parser_literal(hlo_parser *parser, hlo_arena *arena, const hlo_shape *shape,
                              hlo_literal *out);
// Makes a computation and its record; the name must be free, or gets a suffix.
hlo_status hlo_parser_create_computation(hlo_parser *parser, hlo_token name, hlo_computation **out);

// Makes a computation that has no name in the text, named after the scope's last instruction and
// its attribute `name`.
hlo_status hlo_parser_unnamed_computation(hlo_parser *parser, const char *name,
                                          hlo_computation **out);

// Remembers to compare an instruction's shape with a declared one (which lives in scratch), or
// does.
hlo_status hlo_parser_add_check(hlo_parser *parser, const hlo_instruction *instruction,
                                const hlo_shape *shape, const char *at);
hlo_status hlo_parser_check(hlo_parser *parser, const hlo_shape_check *check);

// --- computation.c ---
// Reads the name of an instruction of the scope, which may be defined later.
hlo_status hlo_parser_instruction(hlo_parser *parser, hlo_instruction **out);
// Reads "{ instructions }" into a computation that has none yet.
hlo_status hlo_parser_body(hlo_parser *parser, hlo_computation *computation);

// --- attributes.c ---
// Reads "name=value, name=value" and adds them to parser->attributes; each must be one that one of
// both operations takes (HLO_OP_COUNT takes any).
hlo_status hlo_parser_attributes(hlo_parser *parser, hlo_opcode opcode, hlo_opcode other);

// --- text/attributes/callees.c ---
// Attributes of the kinds COMPUTATION, COMPUTATIONS and INSTRUCTIONS.
hlo_status hlo_parser_computation_value(hlo_parser *parser, hlo_attribute *out);
hlo_status hlo_parser_computations_value(hlo_parser *parser, hlo_attribute *out);
hlo_status hlo_parser_instructions_value(hlo_parser *parser, hlo_attribute *out);

// --- words.c ---
// Reads a word that the attribute (of kind WORD) may have.
hlo_status hlo_parser_known_word(hlo_parser *parser, hlo_attribute_id id, hlo_token *out);
// Reads "{field=value field=value}" with the fields that the attribute (of kind FIELDS) has.
hlo_status hlo_parser_known_fields(hlo_parser *parser, hlo_attribute_id id);
// Reads the value of a result_accuracy: "{mode=word}" or "{tolerance={atol=1, rtol=1, ulps=1}}".
hlo_status hlo_parser_accuracy(hlo_parser *parser);

// --- groups.c ---
// Reads groups of devices in one of the forms that do not list them, and adds them to
// parser->integers and parser->rows.
hlo_status hlo_parser_compact_groups(hlo_parser *parser);

// --- async.c ---
// XLA prints an async-start that runs a single operation as that operation: "add-start(…)". Returns
// the asynchronous opcode of such a name and sets the operation; HLO_OP_COUNT when it is none.
hlo_opcode hlo_parser_async_opcode(hlo_token name, hlo_opcode *wrapped);
// Moves the attributes of an async-start that belong to the operation into a computation of it, and
// calls that.
hlo_status hlo_parser_wrap_async(hlo_parser *parser, hlo_instruction *start, hlo_opcode wrapped,
                                 const char *at);

// --- order.c ---
// Puts operands before users (fails at a cycle) in the scope's computation.
hlo_status hlo_parser_order_instructions(hlo_parser *parser, hlo_scope *scope);
// Puts callees before callers (fails at a cycle) in the module.
hlo_status hlo_parser_order_computations(hlo_parser *parser);

#endif
