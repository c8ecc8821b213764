// The intermediate representation: modules of computations of instructions, as XLA's HLO.
#ifndef HLO_HLO_HLO_H
#define HLO_HLO_HLO_H

#include "base/arena.h"
#include "hlo/name_table.h"
#include "shape/literal.h"
#include "shape/shape.h"

typedef enum hlo_opcode {
#define POINTWISE(id, name, stablehlo, arity, result, attributes, p, s, u, f, c)        HLO_OP_##id,
#define STRUCTURAL(id, name, stablehlo, low, high, attributes, properties, infer, eval) HLO_OP_##id,
#include "hlo/ops.def"
#undef POINTWISE
#undef STRUCTURAL
  HLO_OP_COUNT
} hlo_opcode;

typedef enum hlo_attribute_id {
#define ATTRIBUTE(id, name, kind) HLO_ATTRIBUTE_##id,
#include "hlo/attributes.def"
#undef ATTRIBUTE
  HLO_ATTRIBUTE_COUNT
} hlo_attribute_id;

// What an attribute of each kind holds, and how HLO text writes it. count is the number of entries
// of ints, computations or instructions (so 3 per dimension for SLICE).
typedef enum hlo_attribute_kind {
  HLO_KIND_INT,     // integer                              index=1
  HLO_KIND_FLOAT,   // real                                 epsilon=0.001
  HLO_KIND_BOOL,    // integer 0 or 1                       is_stable=true
  HLO_KIND_NAME,    // text, an identifier                  direction=LT
  HLO_KIND_WORD,    // text, one of XLA's words             kind=kLoop
  HLO_KIND_NAMES,   // text, "a,b" without braces           operand_precision={highest,default}
  HLO_KIND_TEXT,    // text up to the next top-level comma   dim_labels=bf01_oi01->bf01
  HLO_KIND_STRING,  // text, unescaped                      custom_call_target="f"
  HLO_KIND_RAW,     // text verbatim: a braced, quoted or bare value   sharding={...}
  HLO_KIND_FIELDS,  // the same, of fields that XLA has     metadata={op_name="f" source_line=3}
  HLO_KIND_INTS,    // ints[count]                          dimensions={0,1}
  HLO_KIND_SLICE,   // ints: start, limit, stride per dim   slice={[0:2],[0:6:2]}
  HLO_KIND_PADDING, // ints: low, high, interior per dim    padding=0_1x2_-3_1
  HLO_KIND_WINDOW,  // ints: HLO_WINDOW_FIELDS per dim      window={size=3x3 pad=1_1x1_1}
  HLO_KIND_GROUPS,  // ints[count] in rows of row_lengths[row_count]   replica_groups={{0,1},{2,3}}
                    // (text holds the source when it was the [2,2]<=[4] form)
  HLO_KIND_COMPUTATION,  // computations[1]                      to_apply=%add
  HLO_KIND_COMPUTATIONS, // computations[count]                  branch_computations={%a, %b}
  HLO_KIND_INSTRUCTIONS, // instructions[count]                  control-predecessors={%a, %b}
  HLO_KIND_SHAPE,        // shape                                outfeed_shape=f32[2]{0}
} hlo_attribute_kind;

// Per dimension of a WINDOW attribute.
enum {
  HLO_WINDOW_SIZE,
  HLO_WINDOW_STRIDE,
  HLO_WINDOW_PAD_LOW,
  HLO_WINDOW_PAD_HIGH,
  HLO_WINDOW_LHS_DILATION, // base dilation
  HLO_WINDOW_RHS_DILATION, // window dilation
  HLO_WINDOW_REVERSAL,
  HLO_WINDOW_FIELDS
};

typedef struct hlo_instruction hlo_instruction;
typedef struct hlo_computation hlo_computation;
typedef struct hlo_module hlo_module;

typedef struct hlo_attribute {
  hlo_attribute_id id;
  int32_t count;
  int64_t integer;
  double real;
  const char *text;
  const int64_t *ints;
  int32_t row_count;
  const int64_t *row_lengths;
  hlo_computation **computations;
  hlo_instruction **instructions;
  const hlo_shape *shape;
} hlo_attribute;

struct hlo_instruction {
  hlo_opcode opcode;
  int32_t id;       // position in computation->instructions
  const char *name; // without '%'; unique in the computation
  const hlo_shape *shape;
  int32_t operand_count;
  hlo_instruction **operands;
  int32_t attribute_count;
  hlo_attribute *attributes;
  int64_t parameter_number;   // of a PARAMETER
  const hlo_literal *literal; // of a CONSTANT; NULL: the text left its values out ("{...}")
  hlo_computation *computation;
  int32_t line, column; // in the program text, 0 when there is none
  // Scratch of rewrite.h: what stands for this instruction now, and how often it is used.
  hlo_instruction *forward;
  int32_t use_count;
};

// The custom call target that stands for what could not be read: it fails with the reason, which is
// its backend_config.
#define HLO_UNREAD_TARGET "unread"

// instructions are in an order in which every operand stands before its users (a schedule).
struct hlo_computation {
  const char *name; // unique in the module
  hlo_module *module;
  int32_t index; // position in module->computations; callees stand before callers
  int32_t instruction_count, instruction_capacity;
  hlo_instruction **instructions;
  int32_t parameter_count;
  hlo_instruction **parameters; // by parameter number
  hlo_instruction *root;
  bool is_function;     // a StableHLO function: a possible start of `hlo check`
  bool has_side_effect; // scratch of rewrite.h: holds an instruction that must run
  const char
      *attributes_text; // what stood after the computation's body (execution_thread=...), or NULL
  const char *result_layout_text;
  // HLO text of its signature and body where those could not be read (text/unread.h), or NULL
  const char *unread_text;
  hlo_name_table names; // of its instructions
};

// Owns everything above through its arena.
struct hlo_module {
  int32_t shares; // besides the first one
  hlo_arena arena;
  hlo_module *original; // whose literals, shapes and attributes a clone shares, held by it; or NULL
  const char *name;
  int32_t computation_count, computation_capacity;
  hlo_computation **computations;
  hlo_computation *entry;
  const char *attributes_text; // header attributes verbatim (", is_scheduled=true, ..."), or NULL
  const char *tables_text;     // FileNames/FunctionNames/... tables verbatim, or NULL
  hlo_name_table names;        // of its computations
  int64_t revision;            // grows with every change that rewrite.h makes
};

// --- module (module.c) ---
hlo_status hlo_module_create(const char *name, hlo_module **out, hlo_error *error);
// Another handle of a module that is not changed any more: each has to be destroyed.
hlo_module *hlo_module_share(const hlo_module *module);
void hlo_module_destroy(hlo_module *module); // NULL is fine

// Some value of the module may have sizes that are known only at run time. Passes that reason from
// static dims must leave such a module alone.
bool hlo_module_has_dynamic_sizes(const hlo_module *module);

// Names are made unique by appending ".1", ".2", … when taken (NULL: named after the opcode).
hlo_status hlo_computation_create(hlo_module *module, const char *name, hlo_computation **out,
                                  hlo_error *error);
// Puts the computation after all others of its module: builders finish callees before callers,
// whatever the order in which they were begun.
void hlo_computation_move_last(hlo_computation *computation);
hlo_computation *hlo_module_find(const hlo_module *module, const char *name);
hlo_instruction *hlo_computation_find(const hlo_computation *computation, const char *name,
                                      size_t length);
// Appends an instruction with copies of operands and attributes (attribute contents must already
// live in the module's arena). The shape is stored as it is (arena or static). No checks: see
// builder.h and infer.h.
hlo_status hlo_instruction_create(hlo_computation *computation, hlo_opcode opcode, const char *name,
                                  const hlo_shape *shape, int32_t operand_count,
                                  hlo_instruction *const *operands, int32_t attribute_count,
                                  const hlo_attribute *attributes, hlo_instruction **out,
                                  hlo_error *error);
// Appends an instruction that was made for this computation before (and taken off its list).
hlo_status hlo_computation_append(hlo_computation *computation, hlo_instruction *instruction,
                                  hlo_error *error);
// Fills computation->parameters from its PARAMETER instructions; numbers must be 0 … n-1, each
// once.
hlo_status hlo_computation_collect_parameters(hlo_computation *computation, hlo_error *error);
// Fails with an error about the instruction, located at its line: "instruction %name (opcode):
// <message>".
hlo_status hlo_instruction_fail(const hlo_instruction *instruction, hlo_status status,
                                hlo_error *error, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

// --- attributes (attribute.c) ---
const char *hlo_attribute_name(hlo_attribute_id id);
hlo_attribute_kind hlo_attribute_get_kind(hlo_attribute_id id);
hlo_attribute_id hlo_attribute_from_name(const char *text,
                                         size_t length); // HLO_ATTRIBUTE_COUNT: none
bool hlo_attribute_is_universal(hlo_attribute_id id); // may stand on any op: metadata, sharding, …
const hlo_attribute *hlo_find_attribute(const hlo_instruction *instruction, hlo_attribute_id id);
int64_t hlo_get_int(const hlo_instruction *instruction, hlo_attribute_id id, int64_t otherwise);
// The operands of a collective that hold data: all, or all but the last, which lists the roots.
int32_t hlo_collective_data_count(const hlo_instruction *collective);
// Entries and count of an integer-list attribute; NULL and 0 when absent.
const int64_t *hlo_get_ints(const hlo_instruction *instruction, hlo_attribute_id id,
                            int32_t *count);
// Whether the number stands in the attribute's list.
bool hlo_lists(const hlo_instruction *instruction, hlo_attribute_id id, int64_t number);
const char *hlo_get_text(const hlo_instruction *instruction,
                         hlo_attribute_id id); // NULL when absent
hlo_computation *hlo_get_computation(const hlo_instruction *instruction, hlo_attribute_id id);
// For makers of instructions; contents are copied into the arena.
hlo_status hlo_attribute_make_ints(hlo_arena *arena, hlo_attribute_id id, int32_t count,
                                   const int64_t *ints, hlo_attribute *out, hlo_error *error);
hlo_attribute hlo_attribute_make_int(hlo_attribute_id id, int64_t value);
hlo_attribute hlo_attribute_make_text(hlo_attribute_id id, const char *text_in_arena);
hlo_status hlo_attribute_make_computation(hlo_arena *arena, hlo_attribute_id id,
                                          hlo_computation *computation, hlo_attribute *out,
                                          hlo_error *error);
hlo_status hlo_attribute_make_computations(hlo_arena *arena, hlo_attribute_id id, int32_t count,
                                           hlo_computation *const *computations, hlo_attribute *out,
                                           hlo_error *error);

// --- operations (opcode.c: the file that expands ops.def) ---
enum { // properties of structural ops
  HLO_PROPERTY_ELEMENTWISE = 1,
  HLO_PROPERTY_CALLS = 2, // runs computations as control flow
  HLO_PROPERTY_COLLECTIVE = 4,
  HLO_PROPERTY_SIDE_EFFECT = 8, // must run even when nobody uses the result
  HLO_PROPERTY_CUSTOM = 16,
  HLO_PROPERTY_ALIAS = 64,     // renames its operands' leaves: tuple, get-tuple-element, barriers
  HLO_PROPERTY_RESHAPES = 128, // keeps the row-major order of the operand's elements
  HLO_PROPERTY_TOKEN = 256,    // gives only a token, and nothing to do for it
  HLO_PROPERTY_UPDATES = 512,  // the result is operand 0 with changes: may be made in its memory
  HLO_PROPERTY_SIZES = 1024,   // an operand says at run time what sizes the result has
  HLO_PROPERTY_POINTWISE = 32, // a POINTWISE row
  HLO_PROPERTY_TRANSCENDENTAL = 2048, // whose float expression calls an elementary function
};
typedef enum hlo_pointwise_result {
  HLO_RESULT_SAME,
  HLO_RESULT_PRED,
  HLO_RESULT_PART,
  HLO_RESULT_COMPLEX,
} hlo_pointwise_result;

typedef struct hlo_op_info {
  const char *name;                   // "add", as in HLO text
  const char *stablehlo_name;         // "add", "" when none
  int32_t min_operands, max_operands; // -1: any number
  const char *attributes;             // "dimensions to_apply is_stable?"
  int32_t properties;
  uint32_t type_classes;       // of operands, hlo_type_class bits; POINTWISE rows only
  hlo_pointwise_result result; // POINTWISE rows only
} hlo_op_info;
const hlo_op_info *hlo_op_get(hlo_opcode opcode);
hlo_opcode hlo_op_from_name(const char *text, size_t length);           // HLO_OP_COUNT: none
hlo_opcode hlo_op_from_stablehlo_name(const char *text, size_t length); // HLO_OP_COUNT: none
bool hlo_op_is_pointwise(hlo_opcode opcode);
bool hlo_op_is_elementwise(hlo_opcode opcode); // pointwise, or ELEMENTWISE
// 0 not taken, 1 optional, 2 required, by the op's attribute list (universal ones: 1).
int32_t hlo_op_allows_attribute(hlo_opcode opcode, hlo_attribute_id id);

#endif
