// The parser of generic MLIR: tokens, names, types, attributes, operations. Pretty forms of
// operations are the dialect's (text/stablehlo/pretty.c). Source: "MLIR Language Reference".
#ifndef HLO_TEXT_MLIR_PARSER_H
#define HLO_TEXT_MLIR_PARSER_H

#include "hlo/name_table.h"
#include "text/mlir/tree.h"

#include "text/source.h"
#include <string.h>

// Regions, types and attributes together nest at most so deep: the parser and everything that walks
// the tree is recursive, and the stack of a wasm module is small.
enum { MLIR_MAX_DEPTH = 256 };

// Punctuation is its own character.
typedef enum mlir_token_kind {
  MLIR_TOKEN_END = 256,
  MLIR_TOKEN_WORD,        // bare identifier or keyword
  MLIR_TOKEN_VALUE,       // %name; text without the sign, as in the next four
  MLIR_TOKEN_SYMBOL,      // @name or @"name"
  MLIR_TOKEN_HASH,        // #name
  MLIR_TOKEN_EXCLAMATION, // !name
  MLIR_TOKEN_CARET,       // ^name
  MLIR_TOKEN_INTEGER,     // 12, 0x1f
  MLIR_TOKEN_FLOAT,       // 1.5e3
  MLIR_TOKEN_STRING,      // "text" (text without the quotes, escapes not yet resolved)
  MLIR_TOKEN_ARROW,       // ->
  MLIR_TOKEN_FILE_BEGIN,  // {-#
  MLIR_TOKEN_FILE_END,    // #-}
} mlir_token_kind;

typedef struct mlir_token {
  int32_t kind;
  const char *at; // where the token starts
  const char *text;
  size_t length;
} mlir_token;

// A list that grows, in the tree's arena. Zero-initialise.
typedef struct mlir_list {
  int32_t count, capacity;
  void **items;
} mlir_list;

// Data that dense_resource<name> names: hexadecimal digits of the text, or bytes from elsewhere.
typedef struct mlir_resource {
  const char *at;
  size_t length;
  bool is_digits;
} mlir_resource;

typedef struct mlir_scope mlir_scope; // the names of values: scope.c

typedef struct mlir_parser {
  hlo_source source;
  const char *cursor; // after `token`
  mlir_token token;   // the next one, not yet consumed
  const char *taken;  // after the last one consumed
  hlo_arena tree;     // the tree
  hlo_arena *shapes;  // shapes and literals: the module's arena
  int32_t depth;
  int32_t tuple_depth; // of the tuple type that is read
  bool is_untyped;     // a colon after a number or a string does not bring its type
  mlir_region *region; // the innermost open one
  mlir_scope *scope;
  hlo_name_table attribute_aliases, type_aliases; // of mlir_attribute, mlir_type
  hlo_name_table resources;                       // given, or of the file's end: mlir_resource
  mlir_list pending_resources;                    // of dense_resource<name>: mlir_attribute
} mlir_parser;

// The parsed operations of the file are top->first and on. resources: what the text may name
// besides its own (NULL: nothing). They and the text must outlive the tree; free with
// hlo_mlir_close, also after an error.
hlo_status hlo_mlir_parse(mlir_parser *parser, const char *text, size_t length,
                          const hlo_name_table *resources, hlo_arena *shapes, mlir_region **top,
                          hlo_error *error);
void hlo_mlir_close(mlir_parser *parser);

// --- tokens (lexer.c) ---
hlo_status hlo_mlir_advance(mlir_parser *parser, hlo_error *error);
// After white space and comments.
const char *hlo_mlir_skip_blanks(const mlir_parser *parser, const char *at);
// Goes back (or on) to a place where a token starts.
hlo_status hlo_mlir_move_to(mlir_parser *parser, const char *at, hlo_error *error);
bool hlo_mlir_at_word(const mlir_parser *parser, const char *word);
// Consumes the token if it is of the kind / that word; `taken` may be NULL when it does not matter.
hlo_status hlo_mlir_accept(mlir_parser *parser, int32_t kind, bool *taken, hlo_error *error);
hlo_status hlo_mlir_accept_word(mlir_parser *parser, const char *word, bool *taken,
                                hlo_error *error);
hlo_status hlo_mlir_expect(mlir_parser *parser, int32_t kind, hlo_error *error);
hlo_status hlo_mlir_expect_word(mlir_parser *parser, const char *word, hlo_error *error);
// "expected WANTED but found …" at the token.
hlo_status hlo_mlir_expected(mlir_parser *parser, const char *wanted, hlo_error *error);
// An integer with an optional minus sign.
hlo_status hlo_mlir_integer(mlir_parser *parser, int64_t *out, hlo_error *error);
// The token's text as a zero-terminated string in the tree, escapes resolved; consumes the token.
hlo_status hlo_mlir_consume_text(mlir_parser *parser, const char **out, hlo_error *error);
// The same of bytes, of which some may be zeros.
hlo_status hlo_mlir_consume_bytes(mlir_parser *parser, const char **out, size_t *length,
                                  hlo_error *error);
// After an opening bracket was consumed: skips past the closing one.
hlo_status hlo_mlir_skip_to_close(mlir_parser *parser, char open, hlo_error *error);
// Any other error at a place of the text (formats as hlo_fail).
hlo_status hlo_mlir_fail_at(mlir_parser *parser, const char *at, hlo_status status,
                            hlo_error *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
// Counts one more level of nesting; leave after a success by parser->depth--.
hlo_status hlo_mlir_enter(mlir_parser *parser, hlo_error *error);

hlo_status hlo_mlir_list_add(mlir_parser *parser, mlir_list *list, void *item, hlo_error *error);

// --- names of values (scope.c) ---
// values[count] are what %name, %name#0, … mean from now on, until the region closes.
hlo_status hlo_mlir_define(mlir_parser *parser, mlir_value *values, int32_t count,
                           hlo_error *error);
// Takes a %name or %name#n token.
hlo_status hlo_mlir_operand(mlir_parser *parser, mlir_value **out, hlo_error *error);
hlo_status hlo_mlir_open_region(mlir_parser *parser, bool is_isolated, mlir_region **out,
                                hlo_error *error);
void hlo_mlir_close_region(mlir_parser *parser);
// As many regions as were open before, after an error in the last of them.
void hlo_mlir_close_regions_to(mlir_parser *parser, const mlir_region *open);

// --- types (types.c) ---
hlo_status hlo_mlir_type(mlir_parser *parser, const mlir_type **out, hlo_error *error);
// "T, T, …" without brackets, at least one; or "(T, …)", or one T.
hlo_status hlo_mlir_type_list(mlir_parser *parser, mlir_list *out, hlo_error *error);
hlo_status hlo_mlir_bracketed_types(mlir_parser *parser, mlir_list *out, hlo_error *error);
// "(T, …) -> T" or "-> (T, …)".
hlo_status hlo_mlir_function_type(mlir_parser *parser, const mlir_type **out, hlo_error *error);

// --- element_types.c ---
hlo_status hlo_mlir_element_type(mlir_parser *parser, hlo_type *out, hlo_error *error);
// The type that the token names; HLO_TYPE_INVALID for none.
hlo_type hlo_mlir_named_type(const mlir_parser *parser);
// The error that arrays of the token's type are not supported.
hlo_status hlo_mlir_unsupported_element(mlir_parser *parser, hlo_error *error);
static inline bool hlo_mlir_token_is(const mlir_parser *parser, const char *text) {
  return strlen(text) == parser->token.length &&
         memcmp(parser->token.text, text, parser->token.length) == 0;
}

// --- tensor_types.c ---
// "<2x3xf32, #encoding>" after "tensor", which is at `at`.
hlo_status hlo_mlir_tensor_shape(mlir_parser *parser, const char *at, mlir_type *type,
                                 hlo_error *error);
// !alias, !stablehlo.token, or another dialect's: fills in the type, or *out is the alias's.
hlo_status hlo_mlir_dialect_type(mlir_parser *parser, mlir_type *type, const mlir_type **out,
                                 hlo_error *error);
// Gives the error of a call that knows no position this one.
hlo_status hlo_mlir_locate(mlir_parser *parser, const char *at, hlo_status status,
                           hlo_error *error);

// "<i8:f32, 0.5:3>" after "!quant.uniform" (quantized.c).
hlo_status hlo_mlir_quantization(mlir_parser *parser, const mlir_quantization **out,
                                 hlo_error *error);

// --- attributes (attributes.c, dense.c) ---
hlo_status hlo_mlir_attribute(mlir_parser *parser, mlir_attribute **out, hlo_error *error);
// The same where a colon after a number or a string is not its own.
hlo_status hlo_mlir_untyped_attribute(mlir_parser *parser, mlir_attribute **out, hlo_error *error);
// The value of `key = value` inside a dialect's attribute: also bare words and "<…>" bodies.
hlo_status hlo_mlir_field(mlir_parser *parser, mlir_attribute **out, hlo_error *error);
// "{a = 1, b}" after its opening brace was consumed; entries are added to the operation's.
hlo_status hlo_mlir_dictionary(mlir_parser *parser, mlir_operation *operation, hlo_error *error);
hlo_status hlo_mlir_add_attribute(mlir_parser *parser, mlir_operation *operation, const char *name,
                                  mlir_attribute *value, hlo_error *error);
// Makes an attribute of that kind, to be filled, and adds it.
hlo_status hlo_mlir_add_new_attribute(mlir_parser *parser, mlir_operation *operation,
                                      const char *name, mlir_attribute_kind kind,
                                      mlir_attribute **out, hlo_error *error);
hlo_status hlo_mlir_new_attribute(mlir_parser *parser, mlir_attribute_kind kind,
                                  mlir_attribute **out, hlo_error *error);
// "dense" or "dense_resource" is the token.
hlo_status hlo_mlir_dense(mlir_parser *parser, mlir_attribute *attribute, hlo_error *error);
// The same where the type comes later: "dense<…>" alone, and its values once the type is known.
hlo_status hlo_mlir_skip_dense(mlir_parser *parser, mlir_attribute **out, hlo_error *error);
hlo_status hlo_mlir_dense_of_type(mlir_parser *parser, mlir_attribute *attribute,
                                  const mlir_type *type, hlo_error *error);
// "{-#" was consumed: the file's resources. After the last of them the dense_resource<…> get
// values.
hlo_status hlo_mlir_resources(mlir_parser *parser, hlo_error *error);
hlo_status hlo_mlir_resolve_resources(mlir_parser *parser, hlo_error *error);
// "[1, -2]" as a DENSE_ARRAY.
hlo_status hlo_mlir_int_list(mlir_parser *parser, mlir_attribute **out, hlo_error *error);
// "key = value, …" of the body of a dialect's attribute (#stablehlo.dot<…>) as a DICTIONARY. A
// DICTIONARY is returned as it is, anything else is an error.
hlo_status hlo_mlir_struct(mlir_parser *parser, const mlir_attribute *attribute,
                           const mlir_attribute **out, hlo_error *error);

// --- operations (operations.c) ---
hlo_status hlo_mlir_operation(mlir_parser *parser, hlo_error *error); // into the open region
// From inside of functions and modules, values from outside cannot be used.
typedef enum mlir_region_kind {
  MLIR_REGION_INNER,
  MLIR_REGION_FUNCTION,
  MLIR_REGION_MODULE,
} mlir_region_kind;
// Operations up to the closing brace, which is taken, after the opening one was. The arguments'
// names are known inside. When something in it is not known, and it is no module, the body is
// MLIR_UNREAD_BODY: an error of those who reach it.
hlo_status hlo_mlir_region_body(mlir_parser *parser, mlir_region_kind kind, mlir_value *arguments,
                                int32_t argument_count, mlir_region **out, hlo_error *error);
// "%name", or "%name: T {attributes} loc(…)", of a new value.
hlo_status hlo_mlir_argument(mlir_parser *parser, bool with_type, mlir_value *out,
                             hlo_error *error);
// "(%a: T, %b: T)"; the arguments are added to the list.
hlo_status hlo_mlir_arguments(mlir_parser *parser, mlir_list *out, hlo_error *error);
// The values of a list of pointers to values, in one array.
hlo_status hlo_mlir_gather_values(mlir_parser *parser, const mlir_list *list, mlir_value **out,
                                  hlo_error *error);
hlo_status hlo_mlir_skip_location(mlir_parser *parser, hlo_error *error); // if there is one
// The same; *out is NULL, or an attribute whose text is the name that the location has, if any. It
// may still be an alias.
hlo_status hlo_mlir_location(mlir_parser *parser, const mlir_attribute **out, hlo_error *error);
// "%a, %b" up to the first token that is no value; may be empty.
hlo_status hlo_mlir_operands(mlir_parser *parser, mlir_list *out, hlo_error *error);
// Gives the operation its operands (of the types, which may be NULL), results and regions.
hlo_status hlo_mlir_finish_operands(mlir_parser *parser, mlir_operation *operation,
                                    const mlir_list *operands, const mlir_list *types,
                                    hlo_error *error);
hlo_status hlo_mlir_finish_results(mlir_parser *parser, mlir_operation *operation, int32_t count,
                                   const mlir_type *const *types, hlo_error *error);
void hlo_mlir_finish_regions(mlir_operation *operation, const mlir_list *regions);
// "(T, …) -> T" for an operation that has these operands.
hlo_status hlo_mlir_finish_function_type(mlir_parser *parser, mlir_operation *operation,
                                         const mlir_list *operands, hlo_error *error);

// --- text/stablehlo/pretty.c ---

// MHLO is what StableHLO was before: mhlo.add becomes stablehlo.add, and mhlo.erf, which StableHLO
// has not, chlo.erf. Only the name of the operation is read.
hlo_status hlo_stablehlo_rename(mlir_parser *parser, mlir_operation *operation, hlo_error *error);
// The pretty form of an operation whose name was taken, up to its location.
hlo_status hlo_stablehlo_pretty(mlir_parser *parser, mlir_operation *operation, hlo_error *error);

#endif
