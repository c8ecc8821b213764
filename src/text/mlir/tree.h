// The syntax tree of MLIR text: operations with operands, attributes, regions and types, the same
// for generic and pretty forms.
#ifndef HLO_TEXT_MLIR_TREE_H
#define HLO_TEXT_MLIR_TREE_H

#include "shape/literal.h"

// Everything lives in the parser's tree arena, shapes and literals in the module's. `at` points
// into the text: where the construct was written.

typedef enum mlir_type_kind {
  MLIR_TYPE_SHAPED,   // tensor<…>, tuple<…>, !stablehlo.token: shape
  MLIR_TYPE_ELEMENT,  // a plain f32, i1, complex<f64>: shape is the scalar's
  MLIR_TYPE_INDEX,    // index
  MLIR_TYPE_FUNCTION, // (inputs) -> results
  MLIR_TYPE_OTHER,    // of another dialect, or a tensor or tuple that is not known: kept as text
} mlir_type_kind;

// Of !quant.uniform<…>: an integer i stands for (i - zero_points[k]) · scales[k], k the index in
// the dimension.
typedef struct mlir_quantization {
  hlo_type storage, expressed;
  int64_t minimum, maximum; // of i
  int32_t dimension;        // -1: k is 0
  int32_t count;
  const double *scales;
  const int64_t *zero_points;
} mlir_quantization;

typedef struct mlir_type {
  mlir_type_kind kind;
  const hlo_shape *shape;                // of quantized elements: the storage shape
  const mlir_quantization *quantization; // of SHAPED arrays and of !quant.uniform alone, or NULL
  int32_t input_count, result_count;
  const struct mlir_type **inputs, **results;
  const char *at; // the text, length bytes
  size_t length;
  const char *why; // of OTHER: the error for a use of it, and its position; or NULL
  int32_t line, column;
} mlir_type;

typedef enum mlir_attribute_kind {
  MLIR_UNRESOLVED,  // an alias (text is its name) that has not been defined yet
  MLIR_UNIT,        // a key without a value
  MLIR_BOOL,        // integer 0 or 1
  MLIR_INTEGER,     // integer; type
  MLIR_FLOAT,       // real; type
  MLIR_STRING,      // text, unescaped
  MLIR_SYMBOL,      // text: the name without '@' (nested references: the last name)
  MLIR_TYPE,        // type
  MLIR_ARRAY,       // [elements]: elements[count]
  MLIR_DICTIONARY,  // {entries}: entries[count]
  MLIR_DENSE,       // dense<…>: type, literal (of one element when is_splat)
  MLIR_DENSE_ARRAY, // array<i64: …>: ints[count], as bits when of floats
  MLIR_KEYWORD,     // text: a bare word inside a dialect's attribute
  MLIR_DIALECT,     // #stablehlo.name<body>: text is "stablehlo.name"
  MLIR_OTHER,       // affine maps, locations: skipped but for a location's name, which is text
} mlir_attribute_kind;

typedef struct mlir_attribute {
  mlir_attribute_kind kind;
  bool is_splat;
  int32_t count;
  const char *at;       // where it starts
  size_t source_length; // and how long it is
  const char *text;     // zero-terminated
  size_t text_length;   // of STRING, whose bytes may be zeros
  int64_t integer;
  double real;
  const mlir_type *type;
  hlo_type element_type; // of DENSE_ARRAY
  struct mlir_attribute **elements;
  struct mlir_entry *entries;
  const int64_t *ints;
  const hlo_literal *literal;
  const char *body; // of DIALECT: what stands between '<' and '>', or NULL
  size_t body_length;
} mlir_attribute;

typedef struct mlir_entry {
  const char *name;
  mlir_attribute *value;
} mlir_entry;

// One result of an operation or one argument of a block.
typedef struct mlir_value {
  const char *name; // without '%'
  const mlir_type *type;
  const char *at;
  const mlir_attribute *location; // of an argument: its text is a name, or NULL; or NULL
  int32_t attribute_count;        // of an argument
  struct mlir_entry *attributes;
  struct mlir_region *region;       // where it is defined
  struct mlir_region *last_capture; // the parser's: the last region that took it from outside
  void *instruction;                // the importer's instruction for it
  const void *carried_by;           // the importer's: the last operation that carries it along
} mlir_value;

typedef struct mlir_region {
  struct mlir_region *parent; // the region of the operation that has this one, NULL at the top
  int32_t depth;
  bool is_isolated; // values from outside cannot be used (functions, modules)
  bool is_open;     // still being parsed
  int32_t argument_count;
  mlir_value *arguments;
  struct mlir_operation *first, *last;
  // Values from outside that operations of this region, at any depth, use; in order of first use.
  int32_t capture_count, capture_capacity;
  mlir_value **captures;
} mlir_region;

typedef struct mlir_operation {
  const char *name; // with the dialect: "stablehlo.add"
  const char *at;
  int32_t line, column;
  int32_t operand_count;
  mlir_value **operands;
  int32_t result_count;
  mlir_value *results;
  int32_t attribute_count, attribute_capacity;
  mlir_entry *attributes;
  int32_t region_count;
  mlir_region **regions;
  struct mlir_operation *next; // in its region
} mlir_operation;

// What the operation is called that stands for a function's body which cannot be read, and what
// the attribute that says why ends in, in whose place it is.
#define MLIR_UNREAD_BODY "builtin.unread"
#define MLIR_UNREAD_END  ".unread"

// The reason in "#dialect.unread<"why">" or "!dialect.unread<"why">"; NULL for other text.
const char *hlo_mlir_unread_reason(const char *at, size_t length, size_t *reason_length);
// The first such reason among the operation's attributes, nested ones included.
const char *hlo_mlir_unread_attribute(const mlir_operation *operation, size_t *length);

// NULL when there is none.
const mlir_attribute *hlo_mlir_find_attribute(const mlir_operation *operation, const char *name);
const mlir_attribute *hlo_mlir_find_entry(const mlir_attribute *dictionary, const char *name);

// Same kind, same shape, same quantization; dynamic marks count.
bool hlo_mlir_same_type(const mlir_type *a, const mlir_type *b);
// quantized.c: the same numbers stand for the same; NULL: not quantized.
bool hlo_mlir_same_quantization(const mlir_quantization *a, const mlir_quantization *b);
// The same but for scales, zero points and their dimension ("baseline" of the specification).
bool hlo_mlir_same_storage(const mlir_quantization *a, const mlir_quantization *b);

#endif
