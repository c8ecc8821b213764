// Indexing maps as texts and values: what the parser accepts and refuses, evaluation, composition,
// comparison, and running out of memory.
#include "check.h"
#include "indexing/indexing.h"
#include "memory_check.h"
#include "text/text.h"

#include <string.h>

static hlo_error error;
static hlo_arena arena;
static hlo_affine_context *context;

static const hlo_map *parse(const char *text) {
  const hlo_map *map = NULL;
  error = (hlo_error){0};
  hlo_status status = hlo_map_parse(context, text, strlen(text), &map, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s: %s", text, error.message);
  return map;
}

static void check_text(const hlo_map *map, const char *want) {
  hlo_string text = {0};
  if (map == NULL) return; // told already
  hlo_map_print(&text, map);
  CHECK_MESSAGE(strcmp(text.text, want) == 0, "want:\n%s\ngot:\n%s", want, text.text);
  hlo_string_free(&text);
}

static void check_parse(const char *text, const char *want) { check_text(parse(text), want); }

// Notation as XLA, its documentation and MLIR write it.
static void check_notation(void) {
  check_parse("(d0, d1)[s0]{rt0} -> (d0 + rt0, s0),\ndomain:\nd0 in [0, 3],\nd1 in [0, 2],\n"
              "s0 in [0, 1],\nrt0 in [0, 5],\nd0 + d1 in [0, 4]",
              "(d0, d1)[s0]{rt0} -> (d0 + rt0, s0),\ndomain:\nd0 in [0, 3],\nd1 in [0, 2],\n"
              "s0 in [0, 1],\nrt0 in [0, 5],\nd0 + d1 in [0, 4]");
  check_parse("(d0,d1)[s0]{rt0}->(d0+rt0,s0),domain:d0 in[0,3] d1 in [0,2]\ts0 in [0,1]\n\nrt0 in "
              "[ 0 , 5 ]",
              "(d0, d1)[s0]{rt0} -> (d0 + rt0, s0),\ndomain:\nd0 in [0, 3],\nd1 in [0, 2],\n"
              "s0 in [0, 1],\nrt0 in [0, 5]");
  check_parse("(d0) -> (d0 / 8, d0 % 8, 3d0, d0 floorDiv 2, d0 ceildiv 4)",
              "(d0) -> (d0 floordiv 8, d0 mod 8, d0 * 3, d0 floordiv 2, -((-d0) floordiv 4))");
  check_parse("(th_x, bl)[unroll] -> (bl * 4 + th_x, unroll), domain: th_x in [0, 3], bl in [0, 7]",
              "(th_x, bl)[unroll] -> (th_x + bl * 4, unroll),\ndomain:\nth_x in [0, 3],\n"
              "bl in [0, 7]");
  check_parse("(d0)[s0, s1] -> (s0 + 5, d0 * 2, s1 * 3 + 50)",
              "(d0)[s0, s1] -> (s0 + 5, d0 * 2, s1 * 3 + 50)");
  check_parse("(i, j, k) -> (j),\ndomain:\ni in [0, 10], j in [0, 20], k in [0, 30]",
              "(i, j, k) -> (j),\ndomain:\ni in [0, 10],\nj in [0, 20],\nk in [0, 30]");
  check_parse("() -> ()", "() -> ()");
  check_parse("(d0) -> (),\ndomain:\nd0 in [0, 9],\n", "(d0) -> (),\ndomain:\nd0 in [0, 9]");
  check_parse("(d0) -> (d0), domain: d0 in [0, 9], is_simplified: true",
              "(d0) -> (d0),\ndomain:\nd0 in [0, 9]");
  check_parse("(d0){rt0} -> (d0 + rt0),\ndomain:\nd0 in [0, 9],\nrt0 in [0, 3],\n"
              "  hlo: %of1 = s32[] parameter(1),\n  (d0) -> (),\nd0 mod 2 in [0, 0]",
              "(d0){rt0} -> (d0 + rt0),\ndomain:\nd0 in [0, 9],\nrt0 in [0, 3],\n"
              "d0 mod 2 in [0, 0]");
  check_parse(
      "(d0){rt0} -> (d0 + rt0),\ndomain:\nd0 in [0, 9],\nrt0 in [0, 3]\nruntime variables:\n"
      "rt0: of1 = s32[4] add(a, (b)), (d0) -> ((d0 + 1) mod 4)\n",
      "(d0){rt0} -> (d0 + rt0),\ndomain:\nd0 in [0, 9],\nrt0 in [0, 3]");
  check_parse("KNOWN EMPTY", "KNOWN EMPTY");
  check_parse("(d0) -> (d0), domain: d0 in [3, 2]", "KNOWN EMPTY");
  check_parse("(d0) -> (9223372036854775807, -9223372036854775808, -9223372036854775808 + d0)",
              "(d0) -> (9223372036854775807, -9223372036854775808, d0 + -9223372036854775808)");
}

static void check_bad(const char *text, int32_t line, int32_t column, const char *message) {
  const hlo_map *map;
  error = (hlo_error){0};
  hlo_status status = hlo_map_parse(context, text, strlen(text), &map, &error);
  bool is_right = status != HLO_OK && status == error.status && error.line == line &&
                  error.column == column && strstr(error.message, message) != NULL;
  CHECK_MESSAGE(is_right, "%s\n%d:%d: %s", text, error.line, error.column, error.message);
}

static void check_bad_texts(void) {
  check_bad("", 1, 1, "expected '('");
  check_bad("(d0", 1, 4, "expected ')'");
  check_bad("(d0) (d0)", 1, 6, "expected '-'");
  check_bad("(d0) -> d0", 1, 9, "expected '('");
  check_bad("(d0) -> (d1)", 1, 10, "unknown variable d1");
  check_bad("(d0, d0) -> (d0)", 1, 6, "declared twice");
  check_bad("(d0)[d0] -> (d0)", 1, 6, "declared twice");
  check_bad("(d0) -> (d0 +)", 1, 14, "expected an expression");
  check_bad("(d0) -> (d0),\nrange:", 2, 1, "expected 'domain:'");
  check_bad("(d0) -> (d0),\ndomain:\nd0 im [0, 1]", 3, 4, "expected 'in'");
  check_bad("(d0) -> (d0),\ndomain:\nd0 in [0, 1)", 3, 12, "expected ']'");
  check_bad("(d0) -> (d0),\ndomain:\nd0 in [0]", 3, 9, "expected ','");
  check_bad("(d0) -> (d0 * 9223372036854775808)", 1, 15, "64 bits");
  check_bad("(d0) -> (d0 floordiv 0)", 1, 21, "divides by 0");
  check_bad("(d0) -> (9223372036854775807 + 1)", 1, 31, "overflows");
  check_bad("(d0) -> (d0), domain: is_simplified: maybe", 1, 38, "true or false");
  check_bad("(d0){rt0} -> (rt0), domain: rt0 in [0, 1], hlo: x = s32[] parameter(0)", 1, 71,
            "'->'");
  check_bad("(d0){rt0} -> (rt0), domain: runtime variables: x: y", 1, 48, "a runtime variable");
  check_bad("(d0) -> (d\xc3\xa9)", 1, 10, "unknown variable d");
  char deep[400] = "(d0) -> (";
  memset(deep + 9, '(', 300);
  strcpy(deep + 309, "d0)");
  check_bad(deep, 1, 75, "too many nested parentheses");
}

static void check_values(void) {
  const hlo_map *map =
      parse("(d0)[s0]{rt0} -> (d0 floordiv 3 - s0, (d0 * rt0) mod 5),\n"
            "domain: d0 in [-4, 9], s0 in [0, 2], rt0 in [0, 7], d0 + s0 in [0, 8]");
  int64_t d = -1, s = 2, rt = 6, results[2];
  const hlo_affine_values values = {{&d, &s, &rt}};
  bool holds;
  CHECK(hlo_map_holds(map, &values, &holds, &error) == HLO_OK && holds);
  CHECK(hlo_map_evaluate(map, &values, results, &error) == HLO_OK);
  CHECK(results[0] == -3 && results[1] == 4); // floor(-1/3) - 2, -6 mod 5
  s = 0;
  CHECK(hlo_map_holds(map, &values, &holds, &error) == HLO_OK && !holds);
  rt = 8;
  d = 3;
  CHECK(hlo_map_holds(map, &values, &holds, &error) == HLO_OK && !holds);
  const hlo_map *product = parse("(d0, d1) -> (d0 * d1, 1 mod d1)");
  int64_t pair[2] = {INT64_MAX, 2};
  const hlo_affine_values large = {{pair, NULL, NULL}};
  CHECK(hlo_map_evaluate(product, &large, results, &error) == HLO_RUNTIME_ERROR);
  CHECK(strstr(error.message, "overflows") != NULL);
  hlo_error_clear(&error);
  pair[0] = 1;
  pair[1] = 0;
  CHECK(hlo_map_evaluate(product, &large, results, &error) == HLO_RUNTIME_ERROR);
  CHECK(strstr(error.message, "divides by 0") != NULL);
  hlo_error_clear(&error);
}

static void check_composition(void) {
  const hlo_map *first = parse("(d0)[s0]{rt0} -> (d0 + rt0, s0 * 2), domain: d0 in [0, 9], "
                               "s0 in [0, 4], rt0 in [0, 3]");
  const hlo_map *second =
      parse("(d0, d1)[s0] -> (d1 + s0, d0), domain: d0 in [2, 8], d1 in [0, 6], "
            "s0 in [0, 1], d0 mod 2 in [0, 0]");
  const hlo_map *both;
  CHECK(hlo_map_compose(context, first, second, &both, &error) == HLO_OK);
  check_text(both, "(d0)[s0, s1]{rt0} -> (s0 + s1 * 2, d0 + rt0),\ndomain:\nd0 in [0, 9],\n"
                   "s0 in [0, 1],\ns1 in [0, 4],\nrt0 in [0, 3],\n(d0 + rt0) mod 2 in [0, 0],\n"
                   "d0 + rt0 in [2, 8],\ns1 * 2 in [0, 6]");
  CHECK(hlo_map_compose(context, first, first, &both, &error) == HLO_INVALID_ARGUMENT);
  CHECK(strstr(error.message, "2 results of the first, 1 dimensions of the second") != NULL);
  hlo_error_clear(&error);
  CHECK(hlo_map_compose(context, parse("(d0) -> (d0), domain: d0 in [1, 0]"), parse("(d0) -> (d0)"),
                        &both, &error) == HLO_OK);
  CHECK(both->known_empty);
}

static void check_comparison(void) {
  const hlo_map *a = parse("(d0, d1) -> (d0 + d1 * 2), domain: d0 in [0, 3], d0 mod 2 in [0, 0], "
                           "d1 mod 3 in [1, 1]");
  const hlo_map *b = parse("(d0, d1) -> (d1 * 2 + d0), domain: d1 mod 3 in [1, 1], d0 in [0, 3], "
                           "d0 mod 2 in [0, 0]");
  const hlo_map *c = parse("(d0, d1) -> (d1 * 2 + d0), domain: d0 in [0, 3], d0 mod 2 in [0, 0]");
  const hlo_map *empty = parse("KNOWN EMPTY"), *also = parse("(d0) -> (d0), domain: d0 in [1, 0]");
  CHECK(hlo_map_equal(a, b) && hlo_map_equal(a, a));
  CHECK(!hlo_map_equal(a, c) && !hlo_map_equal(a, empty) && hlo_map_equal(empty, also));
  CHECK(hlo_map_compare(a, a) == 0 && hlo_map_compare(a, empty) < 0);
  CHECK((hlo_map_compare(a, c) < 0) == (hlo_map_compare(c, a) > 0) && hlo_map_compare(a, c) != 0);
}

// --- memory ---

static hlo_status simplify_map(hlo_arena *unused, hlo_error *result) {
  (void)unused;
  hlo_string out = {0};
  const char *text =
      "(d0, d1)[s0] -> ((d0 * 8 + d1) floordiv 4, (d0 * 8 + d1) mod 4 + s0), domain: "
      "d0 in [0, 9], d1 in [0, 7], s0 in [0, 9], s0 mod 3 in [0, 0], d0 + d1 in [0, 5]";
  hlo_status status = hlo_map_simplify_text(&out, text, strlen(text), result);
  hlo_string_free(&out);
  return status;
}

static hlo_module *module;

static hlo_status index_module(hlo_arena *unused, hlo_error *result) {
  (void)unused;
  hlo_string out = {0};
  const hlo_indexing_options options = {.output = -1, .to_parameters = true, .physical = true};
  hlo_status status = hlo_indexing_print_module(&out, module, &options, result);
  hlo_string_free(&out);
  return status;
}

static void check_memory(void) {
  const char *text = "ENTRY e { p = f32[6,4]{0,1} parameter(0) i = s32[] parameter(1)\n"
                     "  s = f32[2,4] dynamic-slice(p, i, i), dynamic_slice_sizes={2,4}\n"
                     "  r = f32[8] reshape(s) ROOT a = f32[8] add(r, r) }";
  error = (hlo_error){0};
  CHECK(hlo_parse_hlo(text, strlen(text), &module, &error) == HLO_OK);
  check_out_of_memory("hlo_map_simplify_text", simplify_map);
  check_out_of_memory("hlo_indexing_print_module", index_module);
  hlo_module_destroy(module);
}

int main(void) {
  CHECK(hlo_affine_context_create(&arena, &context, &error) == HLO_OK);
  check_notation();
  check_bad_texts();
  check_values();
  check_composition();
  check_comparison();
  hlo_arena_free(&arena);
  check_memory();
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
