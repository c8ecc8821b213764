// Tests that broken StableHLO text is refused at the right place with the right words, and that no
// text does harm: cut, changed, nested, without memory.
#include "stablehlo_text_files.h"

#define F(body)                                                                                    \
  "func.func @main(%x: tensor<2xf32>, %i: tensor<i32>) -> tensor<2xf32> {\n" body                  \
  "\nreturn %x : tensor<2xf32>\n}"

static const struct {
  const char *text;
  hlo_status status;
  int line, column;
  const char *message;
} errors[] = {
    // tokens
    {"", HLO_PARSE_ERROR, 1, 1, "no function"},
    {"// nothing", HLO_PARSE_ERROR, 1, 1, "no function"},
    {"\x01", HLO_PARSE_ERROR, 1, 1, "character with code 0x1"},
    {"module {\n ; }", HLO_PARSE_ERROR, 2, 2, "unexpected character ';'"},
    {"module @ {}", HLO_PARSE_ERROR, 1, 8, "expected a name behind '@'"},
    {"module @\"a", HLO_PARSE_ERROR, 1, 9, "does not end on its line"},
    {"module {", HLO_PARSE_ERROR, 1, 9, "never closed"},
    {"module {}}", HLO_PARSE_ERROR, 1, 10, "expected an operation but found '}'"},
    {"module attributes {a.b = } {}", HLO_PARSE_ERROR, 1, 26, "expected an attribute"},
    {"module attributes {a.b = 1, a.b = 2} {}", HLO_PARSE_ERROR, 1, 29, "a second time"},
    {"module attributes {a.b = 99999999999999999999} {}", HLO_PARSE_ERROR, 1, 26, "64 bits"},
    {"module attributes {a.b = [1 2]} {}", HLO_PARSE_ERROR, 1, 29, "expected ']'"},
    {"module attributes {a.b = #x.y<(>} {}", HLO_PARSE_ERROR, 1, 33, "'}' closes nothing"},
    {"module attributes {a.b = #x.y<(", HLO_PARSE_ERROR, 1, 31, "'(' is never closed"},
    {"module attributes {a.b = #late} {}", HLO_PARSE_ERROR, 1, 26, "#late is not defined"},
    {"#a = 1\n#a = 2\nmodule {}", HLO_PARSE_ERROR, 2, 1, "#a is defined a second time"},
    {"module attributes {a.b = dense_resource<// >", HLO_PARSE_ERROR, 1, 45, "expected a name"},
    {"module {} {-# x", HLO_PARSE_ERROR, 1, 16, "'#-}'"},
// manual computations
#define MANUAL(mesh, in, out, axes, argument)                                                      \
  "sdy.mesh @m = <" mesh ">\nfunc.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"              \
  "%0 = sdy.manual_computation(%x) in_shardings=[" in "] out_shardings=[" out                      \
  "] manual_axes=" axes " (%a: tensor<" argument ">) {\nsdy.return %a : tensor<" argument          \
  ">\n} : (tensor<4xf32>) -> "                                                                     \
  "tensor<4xf32>\nreturn %0 : tensor<4xf32>\n}"
    {MANUAL("[\"x\"=0]", "<@m, [{}]>", "<@m, [{}]>", "{}", "4xf32"), HLO_PARSE_ERROR, 1, 21,
     "1 to 4096 devices"},
    {MANUAL("[\"x\"=2], device_ids=[0, 0]", "<@m, [{}]>", "<@m, [{}]>", "{}", "4xf32"),
     HLO_PARSE_ERROR, 1, 36, "each of the 2 devices once"},
    {MANUAL("[\"x\"=2]", "<@n, [{}]>", "<@n, [{}]>", "{}", "4xf32"), HLO_PARSE_ERROR, 3, 6,
     "there is no mesh @n"},
    {MANUAL("[\"x\"=2]", "<@m, [{\"y\"}]>", "<@m, [{}]>", "{}", "4xf32"), HLO_PARSE_ERROR, 3, 54,
     "no axis \"y\""},
    {MANUAL("[\"x\"=4]", "<@m, [{\"x\":(2)4}]>", "<@m, [{}]>", "{}", "4xf32"), HLO_PARSE_ERROR, 3,
     54, "an axis of size 4 has no part (2)4"},
    {MANUAL("[\"x\"=4]", "<@m, [{\"x\":(0)4}]>", "<@m, [{}]>", "{}", "4xf32"), HLO_PARSE_ERROR, 3,
     54, "an axis of size 4 has no part (0)4"},
    {MANUAL("[\"x\"=4]", "<@m, [{\"x\":(1)2, \"x\"}]>", "<@m, [{}]>", "{}", "4xf32"),
     HLO_PARSE_ERROR, 3, 64, "splits this array already"},
    {MANUAL("[\"x\"=2]", "<@m, [{}]>", "<mesh<[\"x\"=2]>, [{}]>", "{}", "4xf32"), HLO_UNSUPPORTED,
     3, 75, "must be over the same mesh"},
    {MANUAL("[\"x\"=2]", "<mesh<[\"x\"=2]>, [{}]>", "<mesh<[\"x\"=4]>, [{}]>", "{}", "4xf32"),
     HLO_UNSUPPORTED, 3, 86, "must be over the same mesh"},
    {MANUAL("[\"x\"=2]", "", "<@m, [{}]>", "{}", "4xf32"), HLO_PARSE_ERROR, 3, 46,
     "expected 1 shardings"},
    {MANUAL("[\"x\"=2]", "<@m, [{\"x\"}]>", "<@m, [{\"x\"}]>", "{\"x\"}", "4xf32"), HLO_SHAPE_ERROR,
     3, 6, "operand 0 is f32[4], whose parts are not f32[4]"},
    {MANUAL("[\"x\"=2]", "<@m, [{\"x\"}]>", "<@m, [{}]>", "{\"x\"}", "2xf32"), HLO_SHAPE_ERROR, 3,
     6, "result 0 is f32[4], whose parts are not f32[2]"},
    // older operations
    {F("%0 = stablehlo.unary_einsum %x, config = \"i\" : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_SHAPE_ERROR, 2, 6, "einsum_config"},
    {F("%0 = stablehlo.unary_einsum %x, config = \"i->j\" : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_SHAPE_ERROR, 2, 6, "einsum_config"},
    {F("%0 = stablehlo.unary_einsum %x, config = \"ii->i\" : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_SHAPE_ERROR, 2, 6, "einsum_config"},
    {F("%0 = stablehlo.unary_einsum %x, config = \"ij->i\" : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_SHAPE_ERROR, 2, 6, "einsum_config"},
    {F("%0 = stablehlo.unary_einsum %x, config = \"1->1\" : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_SHAPE_ERROR, 2, 6, "einsum_config"},
    {F("%0 = stablehlo.unary_einsum %x, config = \"i,j->i\" : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_SHAPE_ERROR, 2, 6, "einsum_config"},
    {F("%0 = stablehlo.unary_einsum %x, config = \"->\" : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_SHAPE_ERROR, 2, 6, "einsum_config"},
    {F("%0 = stablehlo.unary_einsum %x, config = \"\" : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_SHAPE_ERROR, 2, 6, "einsum_config"},
    {F("%0 = stablehlo.unary_einsum %x, config = 3 : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_PARSE_ERROR, 2, 42, "a string"},
    {F("%0 = stablehlo.torch_index_select %x, %i, dim = 1, batch_dims = 0 : (tensor<2xf32>, "
       "tensor<i32>) -> "
       "tensor<f32>"),
     HLO_SHAPE_ERROR, 2, 6, "dim must be from 0 to 0"},
    {F("%0 = stablehlo.torch_index_select %x, %i, dim = 0, batch_dims = 1 : (tensor<2xf32>, "
       "tensor<i32>) -> "
       "tensor<f32>"),
     HLO_SHAPE_ERROR, 2, 6, "batch_dims must be from 0 to 0"},
    // functions
    {"module {}", HLO_PARSE_ERROR, 1, 1, "no function"},
    {"func.func private @f(tensor<f32>)", HLO_PARSE_ERROR, 1, 1, "no function with a body"},
    {"func.func f() {}", HLO_PARSE_ERROR, 1, 11, "expected a symbol"},
    {"func.func @f(tensor<f32>) { return }", HLO_PARSE_ERROR, 1, 27, "names for its arguments"},
    {"func.func @f() { }", HLO_PARSE_ERROR, 1, 1, "does not end with func.return"},
    {"func.func @f() { return }\nfunc.func @f() { return }", HLO_PARSE_ERROR, 2, 1,
     "@f is defined a second time"},
    {"func.func @f(%a: tensor<f32>, %a: tensor<f32>) { return }", HLO_PARSE_ERROR, 1, 31,
     "%a is defined a second time"},
    {"func.func @f() -> tensor<f32> { return }", HLO_PARSE_ERROR, 1, 33, "returns 0 values"},
    {"func.func @f(%a: tensor<f32>) -> tensor<f64> { return %a : tensor<f32> }", HLO_PARSE_ERROR, 1,
     48, "another type than the function's result"},
    {"func.func @f() { call @f() : () -> ()\n return }", HLO_UNSUPPORTED, 1, 23, "recursion"},
    {"func.func @f() {\n call @g() : () -> ()\n return }\n"
     "func.func @g() {\n call @f() : () -> ()\n return }",
     HLO_UNSUPPORTED, 5, 7, "@f calls itself"},
    {F("%0 = call @g(%x) : (tensor<2xf32>) -> tensor<2xf32>"), HLO_PARSE_ERROR, 2, 6,
     "there is no function @g"},
    {"func.func private @g()\nfunc.func @f() { call @g() : () -> ()\n return }", HLO_UNSUPPORTED, 2,
     18, "@g has no body"},
    {"func.func @f() {\n^bb0:\n return\n^bb1:\n return }", HLO_UNSUPPORTED, 4, 1, "several blocks"},
    {"module { module { } }", HLO_PARSE_ERROR, 1, 1, "no function with a body"},
    {"module { stablehlo.return }", HLO_UNSUPPORTED, 1, 10, "outside of functions"},
    {"module {}\nmodule {}", HLO_UNSUPPORTED, 1, 1, "// -----"},
    // types
    {F("%0 = stablehlo.iota dim = 0 : tensor<2xf33>"), HLO_UNSUPPORTED, 2, 40, "'f33'"},
    {F("%0 = stablehlo.iota dim = 0 : tensor<2x>"), HLO_PARSE_ERROR, 2, 40, "element type"},
    {F("%0 = stablehlo.iota dim = 0 : tensor<2f32>"), HLO_PARSE_ERROR, 2, 39, "expected 'x'"},
    {F("%0 = stablehlo.iota dim = 0 : tensor<?xf32>"), HLO_UNSUPPORTED, 2, 6, "f32[?] leaves open"},
    {F("%0 = stablehlo.iota dim = 0 : tensor<*xf32>"), HLO_UNSUPPORTED, 2, 38, "unknown rank"},
    {F("%0 = stablehlo.iota dim = 0 : tensor<99999999999999999999xf32>"), HLO_PARSE_ERROR, 2, 38,
     "63 bits"},
    {F("%0 = stablehlo.iota dim = 0 : tensor<4000000000x4000000000x4xf32>"), HLO_SHAPE_ERROR, 2, 31,
     ""},
    {F("%0 = stablehlo.iota dim = 0 : tensor<2x!quant.any<i8:f32>>"), HLO_UNSUPPORTED, 2, 40,
     "'!quant.any'"},
    {F("%0 = stablehlo.iota dim = 0 : tensor<2xcomplex<f16>>"), HLO_UNSUPPORTED, 2, 40, "complex"},
    {F("%0 = stablehlo.iota dim = 0 : tensor<2x?xf32, #stablehlo.bounds<4>>"), HLO_PARSE_ERROR, 2,
     0, "the bounds are not one for each"},
    {F("%0 = stablehlo.iota dim = 0 : tensor<2xf32, #x.y<4>>"), HLO_UNSUPPORTED, 2, 45, "encoding"},
    {F("%0 = stablehlo.iota dim = 0 : index"), HLO_UNSUPPORTED, 2, 6, "values of type index"},
    {F("%0 = stablehlo.iota dim = 0 : !foo.bar<[1]>"), HLO_UNSUPPORTED, 2, 6, "!foo.bar<[1]>"},
    // values and results
    {F("%0 = stablehlo.abs %y : tensor<2xf32>"), HLO_PARSE_ERROR, 2, 20, "%y is not defined here"},
    {F("%0 = stablehlo.abs %0 : tensor<2xf32>"), HLO_PARSE_ERROR, 2, 20, "%0 is not defined here"},
    {F("%0 = stablehlo.abs %x#1 : tensor<2xf32>"), HLO_PARSE_ERROR, 2, 22, "has 1 results"},
    {F("%x = stablehlo.abs %x : tensor<2xf32>"), HLO_PARSE_ERROR, 2, 1, "%x is defined a second"},
    {F("%0:2 = stablehlo.abs %x : tensor<2xf32>"), HLO_PARSE_ERROR, 2, 8, "has 1 results"},
    {F("%0, %1 = stablehlo.abs %x : tensor<2xf32>"), HLO_PARSE_ERROR, 2, 10, "has 1 results"},
    {F("%0 = stablehlo.abs %x : tensor<3xf32>"), HLO_PARSE_ERROR, 2, 25,
     "%x has the type tensor<2xf32>, not tensor<3xf32>"},
    {F("%0 = \"stablehlo.abs\"(%x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>"),
     HLO_PARSE_ERROR, 2, 6, "1 operands but types for 2"},
    {F("%0 = stablehlo.abs %x"), HLO_PARSE_ERROR, 3, 1, "expected ':' but found 'return'"},
    {"func.func @main(%x: tensor<f32>) {\n \"stablehlo.if\"(%x) ({\n  %v = stablehlo.abs %x : "
     "tensor<f32>\n  stablehlo.return\n }, {\n  %w = stablehlo.abs %v : tensor<f32>\n",
     HLO_PARSE_ERROR, 6, 22, "%v is not defined here"},
    // operations
    {F("%0 = foo.bar %x : tensor<2xf32>"), HLO_UNSUPPORTED, 2, 6, "'foo.bar' is not known"},
    {F("%0 = \"foo.bar\"(%x) : (tensor<2xf32>) -> tensor<2xf32>"), HLO_UNSUPPORTED, 2, 6,
     "foo.bar: this operation is not supported"},
    {F("%0 = stablehlo.nosuch %x : tensor<2xf32>"), HLO_UNSUPPORTED, 2, 6, "stablehlo.nosuch"},
    {F("%0 = chlo.nosuch %x : tensor<2xf32> -> tensor<2xf32>"), HLO_UNSUPPORTED, 2, 6,
     "chlo.nosuch"},
    {F("%0 = stablehlo.add %x : tensor<2xf32>"), HLO_SHAPE_ERROR, 2, 6, "2 operands"},
    {F("%0 = stablehlo.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>"),
     HLO_SHAPE_ERROR, 2, 6, "f32[3]"},
    {F("%0 = stablehlo.transpose %x, dims = [0, 1] : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_SHAPE_ERROR, 2, 6, ""},
    {F("%0 = \"stablehlo.transpose\"(%x) : (tensor<2xf32>) -> tensor<2xf32>"), HLO_SHAPE_ERROR, 2,
     6, "dimensions"},
    {F("%0 = \"stablehlo.transpose\"(%x) {permutation = 3} : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_PARSE_ERROR, 2, 47, "a list of integers"},
    {F("%0 = stablehlo.transpose %x, dims = [a] : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_PARSE_ERROR, 2, 38, "expected an integer but found 'a'"},
    {F("%0 = stablehlo.transpose %x dims = [0] : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_PARSE_ERROR, 2, 29, "expected ','"},
    {F("%0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<2xf32>) -> tensor<2x3xf32>"),
     HLO_SHAPE_ERROR, 2, 6, "cannot be broadcast"},
    {F("%0 = stablehlo.broadcast_in_dim %x, dims = [] : (tensor<2xf32>) -> tensor<2x3xf32>"),
     HLO_SHAPE_ERROR, 2, 6, "one broadcast dimension for each"},
    {F("%0 = stablehlo.slice %x [0:1, 0:1] : (tensor<2xf32>) -> tensor<1xf32>"), HLO_SHAPE_ERROR, 2,
     6, ""},
    {F("%0 = stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : "
       "(tensor<2xf32>, tensor<i32>) -> tensor<f32>"),
     HLO_SHAPE_ERROR, 2, 0, ""},
    {F("%0 = stablehlo.reduce_precision %x, format = e5m : tensor<2xf32>"), HLO_PARSE_ERROR, 2, 46,
     "a format as e5m10"},
    {F("%0 = stablehlo.reduce_precision %x, format = 5m10 : tensor<2xf32>"), HLO_PARSE_ERROR, 2, 46,
     "a format as e5m10"},
    {F("%0 = stablehlo.while(%a = %x) : tensor<2xf32>\n cond {\n  stablehlo.return\n }"),
     HLO_PARSE_ERROR, 6, 1, "expected 'do'"},
    {F("%0 = \"stablehlo.while\"(%x) ({ stablehlo.return }) : (tensor<2xf32>) -> tensor<2xf32>"),
     HLO_PARSE_ERROR, 2, 6, "has 1 regions, not 2"},
    {F("%0 = \"stablehlo.case\"(%i) ({ }) : (tensor<i32>) -> tensor<f32>"), HLO_PARSE_ERROR, 2, 6,
     "does not end with stablehlo.return"},
    {F("%0 = stablehlo.reduce(%x init: %x) across dimensions = [0] : (tensor<2xf32>, "
       "tensor<2xf32>) -> tensor<f32>\n reducer(%p: tensor<f32>, %q: tensor<f32>) {\n %r = "
       "stablehlo.slice %x [0:1] : (tensor<2xf32>) -> tensor<1xf32>\n stablehlo.return %p : "
       "tensor<f32>\n}"),
     HLO_UNSUPPORTED, 4, 7, "a value from outside"},
    // dense values
    {F("%0 = stablehlo.constant dense<1.0>"), HLO_PARSE_ERROR, 3, 1, "expected ':'"},
    {F("%0 = stablehlo.constant dense<1.0 : tensor<f32>"), HLO_PARSE_ERROR, 3, 1, "':'"},
    {F("%0 = stablehlo.constant dense<[1, 2]> : tensor<3xi32>"), HLO_PARSE_ERROR, 2, 36, "s32[3]"},
    {F("%0 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<3xi32>"), HLO_PARSE_ERROR, 2, 41,
     "s32[3]"},
    {F("%0 = stablehlo.constant dense<[[1], 2]> : tensor<2x1xi32>"), HLO_PARSE_ERROR, 2, 37,
     "s32[2,1]"},
    {F("%0 = stablehlo.constant dense<300> : tensor<i8>"), HLO_PARSE_ERROR, 2, 31, "fit in i8"},
    {F("%0 = stablehlo.constant dense<-1> : tensor<ui8>"), HLO_PARSE_ERROR, 2, 31, "fit in ui8"},
    {F("%0 = stablehlo.constant dense<1> : tensor<f32>"), HLO_PARSE_ERROR, 2, 31, "write 1.0"},
    {F("%0 = stablehlo.constant dense<0x1FFFFFFFF> : tensor<f32>"), HLO_PARSE_ERROR, 2, 31,
     "fit in f32"},
    {F("%0 = stablehlo.constant dense<true> : tensor<f32>"), HLO_PARSE_ERROR, 2, 31, "a number"},
    {F("%0 = stablehlo.constant dense<\"0x00\"> : tensor<f32>"), HLO_PARSE_ERROR, 2, 34,
     "does not have the size"},
    {F("%0 = stablehlo.constant dense<\"0xGG\"> : tensor<i8>"), HLO_PARSE_ERROR, 2, 34,
     "a hexadecimal digit"},
    {F("%0 = stablehlo.constant dense<[]> : tensor<1000000000000xi8>"), HLO_PARSE_ERROR, 2, 31,
     "s8[1000000000000]"},
    {F("%0 = stablehlo.constant dense_resource<r> : tensor<f32>"), HLO_PARSE_ERROR, 2, 25,
     "not in the text"},
    {F("%0 = stablehlo.constant dense<1> : i32"), HLO_PARSE_ERROR, 2, 36, "a tensor type"},
};

static void test_errors(void) {
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    hlo_module *module = NULL;
    hlo_error error = {0};
    hlo_status status =
        hlo_parse_stablehlo(errors[i].text, strlen(errors[i].text), &module, &error);
    CHECK_MESSAGE(status == errors[i].status && error.status == status && module == NULL,
                  "case %zu has status %d: %s\n%s", i, status, error.message, errors[i].text);
    CHECK_MESSAGE(error.line == errors[i].line, "case %zu in line %d, not %d: %s\n%s", i,
                  error.line, errors[i].line, error.message, errors[i].text);
    CHECK_MESSAGE(errors[i].column == 0 ? error.column > 0 : error.column == errors[i].column,
                  "case %zu in column %d, not %d: %s\n%s", i, error.column, errors[i].column,
                  error.message, errors[i].text);
    CHECK_MESSAGE(strstr(error.message, errors[i].message) != NULL &&
                      strchr(error.message, '^') != NULL,
                  "case %zu says: %s\nnot: %s", i, error.message, errors[i].message);
    hlo_module_destroy(module);
  }
}

// --- texts that may be anything ---

// Reads the text, which may or may not be a program; an error must have its place.
static bool read_any(const char *text, size_t length) {
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_status status = hlo_parse_stablehlo(text, length, &module, &error);
  if (status != HLO_OK)
    CHECK_MESSAGE(status == error.status && module == NULL && error.line > 0 && error.column > 0,
                  "status %d at %d:%d: %s", status, error.line, error.column, error.message);
  hlo_module_destroy(module);
  return status == HLO_OK;
}

// The bytes behind the end must not matter: a copy ends where the memory does.
static void cut_everywhere(const char *text) {
  size_t length = strlen(text);
  CHECK(read_any(text, length));
  for (size_t i = 0; i < length; i++) {
    char *copy = malloc(i + 1);
    memcpy(copy, text, i);
    char *exact = malloc(i == 0 ? 1 : i);
    memcpy(exact, copy, i);
    read_any(exact, i);
    free(exact);
    free(copy);
  }
  CHECK(hlo_memory_in_use() == 0);
}

static void cut_file(const char *path) {
  size_t length;
  char *text = read_file(path, &length);
  if (length < 3000) cut_everywhere(text);
  free(text);
}

static void change_everywhere(const char *text) {
  static const char bytes[] = "\"(){}[]<>#%@!^:=,-0x9\n \xff";
  size_t length = strlen(text);
  char *copy = malloc(length + 1);
  unsigned random = 1;
  for (size_t i = 0; i < length; i++) {
    memcpy(copy, text, length + 1);
    random = random * 1103515245 + 12345;
    copy[i] = bytes[random / 65536 % (sizeof bytes - 1)];
    read_any(copy, length);
    memmove(copy + i, copy + i + 1, length - i); // one byte less
    read_any(copy, length - 1);
  }
  free(copy);
  CHECK(hlo_memory_in_use() == 0);
}

// --- nesting ---

// before, `open` n times, middle, `close` n times, after.
static char *nest(const char *before, const char *open, const char *middle, const char *close,
                  const char *after, int n) {
  size_t size = strlen(before) + strlen(middle) + strlen(after) +
                (strlen(open) + strlen(close)) * (size_t)n + 1;
  char *text = malloc(size), *at = text;
  at += sprintf(at, "%s", before);
  for (int i = 0; i < n; i++) at += sprintf(at, "%s", open);
  at += sprintf(at, "%s", middle);
  for (int i = 0; i < n; i++) at += sprintf(at, "%s", close);
  sprintf(at, "%s", after);
  return text;
}

static void test_nesting(void) {
  static const struct {
    const char *before, *open, *middle, *close, *after;
    bool reads_some; // 20 levels are fine
  } cases[] = {
      {"module attributes {a.b = ", "[", "1", "]", "} {}", false},
      {"module attributes {a.b = ", "{a = ", "1", "}", "} {}", false},
      {"module attributes {a.b = #x.y<", "(", "1", ")", ">} {}", false},
      {"module attributes {a.b = ", "(", "i32", ") -> ()", "} {}", false},
      {"func.func @f() { return } loc", "(", "1", ")", "", true},
      {"func.func @f(%x: ", "tuple<", "tensor<f32>", ">", ") { return }", true},
      {"func.func @f(%x: tensor<i1>) {\n", "\"stablehlo.if\"(%x) ({\n", "",
       " stablehlo.return\n}, {\n stablehlo.return\n}) : (tensor<i1>) -> ()\n", " return\n}", true},
      {"func.func @f() {\n %c = stablehlo.constant dense<", "[", "1", "]",
       "> : tensor<i32>\n return\n}", false},
      {"module {", "module {", "", "}", "}", false},
      {"", "(", "", "", "", false},
      {"", "<{[", "", "", "", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static const int depths[] = {20, 255, 256, 257, 1000, 200000};
    for (size_t k = 0; k < sizeof depths / sizeof *depths; k++) {
      char *text = nest(cases[i].before, cases[i].open, cases[i].middle, cases[i].close,
                        cases[i].after, depths[k]);
      bool reads = read_any(text, strlen(text));
      if (k == 0 && cases[i].reads_some) CHECK_MESSAGE(reads, "case %zu", i);
      if (depths[k] > 256) CHECK_MESSAGE(!reads, "case %zu reads %d levels", i, depths[k]);
      free(text);
    }
  }
  CHECK(hlo_memory_in_use() == 0);
}

// Reductions in reducers, each with names of its own.
static bool read_nested_reductions(int depth) {
  char *text = malloc(600 * (size_t)depth + 200), *at = text;
  at += sprintf(at, "func.func @f(%%s: tensor<f32>) {\n");
  for (int i = 0; i < depth; i++)
    at += sprintf(at,
                  "%%x%d = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
                  "%%z%d = stablehlo.constant dense<1.0> : tensor<f32>\n"
                  "\"stablehlo.reduce\"(%%x%d, %%z%d) ({\n^bb0(%%a%d: tensor<f32>, %%b%d: "
                  "tensor<f32>):\n",
                  i, i, i, i, i, i);
  for (int i = depth - 1; i >= 0; i--)
    at += sprintf(at,
                  "stablehlo.return %%a%d : tensor<f32>\n}) {dimensions = array<i64: 0>} : "
                  "(tensor<2xf32>, tensor<f32>) -> tensor<f32>\n",
                  i);
  sprintf(at, "return\n}");
  bool reads = read_any(text, strlen(text));
  free(text);
  return reads;
}

// Many operations, many functions, many values: all of it in one pass.
static void test_length(void) {
  enum { LINES = 20000 };
  char *text = malloc(100 * LINES), *at = text;
  at += sprintf(at, "func.func @main(%%x0: tensor<f32>) -> tensor<f32> {\n");
  for (int i = 0; i < LINES; i++)
    at += sprintf(at, "%%x%d = stablehlo.negate %%x%d : tensor<f32>\n", i + 1, i);
  sprintf(at, "return %%x%d : tensor<f32>\n}", LINES);
  CHECK(read_any(text, strlen(text)));
  at = text;
  for (int i = 0; i < LINES; i++)
    at += sprintf(at, "func.func @f%d() {\ncall @f%d() : () -> ()\nreturn }\n", i, i + 1);
  sprintf(at, "func.func @f%d() { return }\n", LINES);
  CHECK(!read_any(text, strlen(text))); // calls nest too deep
  static const int lasts[] = {LINES, LINES / 2, 7};
  for (int k = 0; k < 3; k++) {
    at = text + sprintf(text, "func.func @main() attributes {");
    for (int i = 0; i < LINES; i++) at += sprintf(at, "a%d = %d, ", i, i);
    sprintf(at, "a%d = 1} { return }\n", lasts[k]);
    CHECK(read_any(text, strlen(text)) == (k == 0));
  }
  free(text);
  CHECK(hlo_memory_in_use() == 0);
}

// --- memory ---

static void fail_every_allocation(const char *name, const char *text, size_t length) {
  enum { MOST = 20000 };
  int n = 1;
  for (; n < MOST; n++) {
    hlo_module *module = NULL;
    hlo_error error = {0};
    hlo_memory_fail_after(n);
    hlo_status status = hlo_parse_stablehlo(text, length, &module, &error);
    hlo_memory_fail_after(0);
    hlo_module_destroy(module);
    CHECK_MESSAGE(hlo_memory_in_use() == 0, "%s leaks when allocation %d fails", name, n);
    CHECK_MESSAGE(status == error.status, "%s: status %d, error %d", name, status, error.status);
    if (status == HLO_OK) break;
    CHECK_MESSAGE(status == HLO_OUT_OF_MEMORY, "%s: %s", name, error.message);
  }
  CHECK_MESSAGE(n > 1 && n < MOST, "%s made %d allocations", name, n - 1);
}

static void fail_file(const char *path) {
  size_t length;
  char *text = read_file(path, &length);
  fail_every_allocation(path, text, length);
  free(text);
}

static void test_memory_limit(void) {
  size_t length;
  char *text = read_file("tests/fixtures/stablehlo_text/loops.mlir", &length);
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_memory_set_limit(20000);
  CHECK(hlo_parse_stablehlo(text, length, &module, &error) == HLO_OUT_OF_MEMORY);
  hlo_memory_set_limit(SIZE_MAX);
  CHECK(hlo_memory_in_use() == 0);
  CHECK(read_any(text, length));
  free(text);
}

static void check_unbounded(const char *path) {
  size_t length;
  char *text = read_file(path, &length);
  hlo_module *module = NULL;
  hlo_error error = {0};
  CHECK(hlo_parse_stablehlo(text, length, &module, &error) == HLO_OPEN_PROGRAM);
  CHECK(error.line > 0 && strstr(error.message, "shapes of the arguments must be given") != NULL);
  free(text);
}

int main(void) {
  test_errors();
  CHECK(for_each_file("tests/fixtures/stablehlo_text/unbounded", NULL, ".mlir", check_unbounded) >=
        1);
  cut_everywhere(much_syntax);
  CHECK(for_each_file("tests/fixtures/stablehlo_forms", NULL, "s.mlir", cut_file) >= 10);
  change_everywhere(much_syntax);
  test_nesting();
  CHECK(read_nested_reductions(150));
  CHECK(!read_nested_reductions(240)); // computations that call computations
  CHECK(!read_nested_reductions(5000));
  test_length();
  fail_every_allocation("much syntax", much_syntax, strlen(much_syntax));
  CHECK(for_each_file("tests/fixtures/stablehlo_forms", NULL, "_generic.mlir", fail_file) >= 30);
  test_memory_limit();
  return CHECK_RESULT();
}
