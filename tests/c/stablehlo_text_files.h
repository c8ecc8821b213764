// For the tests of StableHLO text: files, and a module that holds much syntax in little text.
#ifndef HLO_TESTS_C_STABLEHLO_TEXT_FILES_H
#define HLO_TESTS_C_STABLEHLO_TEXT_FILES_H

#include "check.h"
#include "files.h"
#include "text/text.h"

#include <stdlib.h>
#include <string.h>

// NULL, and a failed check that says the name, when the text does not parse.
static inline hlo_module *parse_program(const char *text, size_t length, const char *name) {
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_status status = hlo_parse(text, length, HLO_FORMAT_DETECT, &module, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s:%d:%d: %s", name, error.line, error.column, error.message);
  return module;
}

static inline bool equal_texts(const hlo_string *a, const hlo_string *b) {
  return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

// The same for a file.
static inline hlo_module *parse_file(const char *path) {
  size_t length;
  char *text = read_file(path, &length);
  hlo_module *module = parse_program(text, length, path);
  free(text);
  return module;
}

static const char much_syntax[] =
    "// A comment { ( \"\n"
    "#loc1 = loc(\"f.py\":3:14)\n"
    "#dims = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>\n"
    "!t = tensor<2x2xf32>\n"
    "module @\"m x\" attributes {a.b = 1 : i32, c.d = [\"s\\22\", {e = -2.5}, unit, @f], g.h} {\n"
    "  sdy.mesh @mesh = <[\"x\"=2]>\n"
    "  func.func public @main(%arg0: !t {x.y = true} loc(#loc1), %i: tensor<i32>) -> "
    "(tensor<2x2xf32>"
    " {r.s = \"t\"}, tensor<i32>) {\n"
    "    %0 = \"stablehlo.dot_general\"(%arg0, %arg0) <{dot_dimension_numbers = #dims}> : (!t, !t) "
    "-> "
    "!t\n"
    "    %cst, %c = call @g(%0) : (tensor<2x2xf32>) -> (tensor<f32>, tensor<1xi8>)\n"
    "    %1 = stablehlo.broadcast_in_dim %cst, dims = [] {z = array<i64: 1, 2>} : (tensor<f32>) -> "
    "tensor<2x2xf32> loc(callsite(\"a\" at #loc2))\n"
    "    %2:2 = stablehlo.while(%it = %i, %x = %1) : tensor<i32>, tensor<2x2xf32> attributes {q}\n"
    "    cond {\n"
    "      %n = stablehlo.constant dense<7> : tensor<i32>\n"
    "      %3 = stablehlo.compare LT, %it, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
    "      stablehlo.return %3 : tensor<i1>\n"
    "    } do {\n"
    "      %3 = stablehlo.add %x, %0 : tensor<2x2xf32>\n"
    "      %4 = stablehlo.slice %3 [0:2, 1:2:1] : (tensor<2x2xf32>) -> tensor<2x1xf32>\n"
    "      %5 = stablehlo.reduce(%4 init: %cst) applies stablehlo.add across dimensions = [1] : "
    "(tensor<2x1xf32>, tensor<f32>) -> tensor<2xf32>\n"
    "      %6 = stablehlo.reduce(%5 init: %cst) across dimensions = [0] : (tensor<2xf32>, "
    "tensor<f32>) -> tensor<f32>\n"
    "       reducer(%p: tensor<f32>, %q: tensor<f32>) {\n"
    "        %7 = stablehlo.maximum %p, %q : tensor<f32>\n"
    "        stablehlo.return %7 : tensor<f32>\n"
    "      }\n"
    "      %8 = chlo.broadcast_multiply %3, %6 : (tensor<2x2xf32>, tensor<f32>) -> "
    "tensor<2x2xf32>\n"
    "      %one = \"stablehlo.constant\"() <{value = dense<\"0x01000000\"> : tensor<i32>}> : () -> "
    "tensor<i32>\n"
    "      %9 = stablehlo.add %it, %one : tensor<i32>\n"
    "      \"stablehlo.return\"(%9, %8) : (tensor<i32>, tensor<2x2xf32>) -> ()\n"
    "    }\n"
    "    %3 = \"stablehlo.case\"(%2#0) ({\n"
    "      stablehlo.return %2#1 : tensor<2x2xf32>\n"
    "    }, {\n"
    "      %4 = stablehlo.pad %0, %cst, low = [0, 0], high = [-1, 1], interior = [0, 0] : "
    "(tensor<2x2xf32>, tensor<f32>) -> tensor<1x3xf32>\n"
    "      %5 = stablehlo.custom_call @f(%4) {backend_config = \"b\", api_version = 1 : i32} : "
    "(tensor<1x3xf32>) -> tensor<2x2xf32>\n"
    "      stablehlo.return %5 : tensor<2x2xf32>\n"
    "    }) : (tensor<i32>) -> tensor<2x2xf32>\n"
    "    check.expect_almost_eq_const %3, dense<[[1.0, 0x7FC00000], [-2.5e3, 0.0]]>, tolerance = "
    "0.1 "
    ": tensor<2x2xf32>\n"
    "    return %3, %2#0 : tensor<2x2xf32>, tensor<i32>\n"
    "  } loc(#loc)\n"
    "  func.func private @g(%a: tensor<2x2xf32>) -> (tensor<f32>, tensor<1xi8>) {\n"
    "    %0 = stablehlo.constant dense<(1.0, -2.0)> : tensor<complex<f32>>\n"
    "    %1 = stablehlo.real %0 : (tensor<complex<f32>>) -> tensor<f32>\n"
    "    %t = stablehlo.tuple %1, %a : tuple<tensor<f32>, tensor<2x2xf32>>\n"
    "    %2 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<f32>, tensor<2x2xf32>>) -> "
    "tensor<f32>\n"
    "    %3 = stablehlo.constant dense_resource<blob> : tensor<1xi8>\n"
    "    return %2, %3 : tensor<f32>, tensor<1xi8>\n"
    "  }\n"
    "}\n"
    "#loc = loc(unknown)\n"
    "#loc2 = loc(fused[#loc])\n"
    "{-#\n  dialect_resources: {\n    builtin: {\n      blob: \"0x0100000007\"\n    }\n  }\n#-}\n";

#endif
