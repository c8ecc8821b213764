// Checks shape/literal.c, literal_text.c, element.c and element_text.c. How XLA itself reads and
// prints constants is in tests/c/data/xla_text.txt. Run from the top of the repository.
#include "shape/literal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory_check.h"

static hlo_arena arena;
static hlo_error error;

static const hlo_shape *parse_shape(const char *text) {
  const hlo_shape *shape = NULL;
  const char *cursor = text;
  hlo_status status = hlo_shape_parse(&arena, &cursor, text + strlen(text), &shape, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s: %s", text, error.message);
  return shape;
}

// False, with `error` set, for a text that is no literal of the shape; else the whole text was one.
static bool parse(const char *shape, const char *text, hlo_literal *literal) {
  const char *cursor = text;
  hlo_error_clear(&error);
  const hlo_shape *s = parse_shape(shape);
  hlo_status status = hlo_literal_parse(&arena, s, &cursor, text + strlen(text), literal, &error);
  CHECK(status == error.status);
  if (status != HLO_OK) return false;
  CHECK_MESSAGE(*cursor == '\0', "%s: stopped at %s", text, cursor);
  CHECK(literal->shape == s);
  return true;
}

static void check_print(const hlo_literal *literal, const char *expected) {
  hlo_string out = {0};
  hlo_literal_print(&out, literal);
  CHECK_MESSAGE(strcmp(out.text, expected) == 0, "expected %s, printed %s", expected, out.text);
  hlo_string_free(&out);
}

static void check_text(const char *shape, const char *text, const char *expected) {
  hlo_literal literal;
  CHECK_MESSAGE(parse(shape, text, &literal), "%s %s: %s", shape, text, error.message);
  if (error.status == HLO_OK) check_print(&literal, expected);
}

static void test_text(void) {
  check_text("f32[2]", "{1,2}", "{1, 2}");
  check_text("f32[2,2]", "{{1,2},{3,4}}", "{ { 1, 2 }, { 3, 4 } }");
  check_text("f32[]", " /* one */ 1", "1");
  check_text("f32[2]", "{ /*i0=0*/ 1 , /**/ 2 /* x */ }", "{1, 2}");
  check_text("pred[3]", "{true,0,1}", "{1, 0, 1}");
  check_text("pred[]", "1", "true");
  check_text("c64[2]", "{(1,2),(-nan,inf)}", "{(1, 2), (-nan, inf)}");
  check_text("c128[]", "( 1 , nan(0x1) )", "(1, nan(0x1))");
  check_text("c64[]", "-3", "(-3, 0)");
  check_text("f32[3]", "{0x1.8p3, -0x10, -0}", "{12, -16, -0}");
  check_text("(f32[],s32[2],())", "(1,{2,3},())", "( 1, {2, 3}, (  ) )");
  check_text("(f32[], token[], opaque[])", "(1,token[], opaque [ ] )", "( 1, token[], opaque[] )");
  check_text("()", "()", "(  )");
  // No elements: with the braces of the outer dimensions or without.
  check_text("f32[0]", "{}", "{}");
  check_text("f32[2,0]", "{{},{}}", "{ {}, {} }");
  check_text("f32[2,0]", "{}", "{ {}, {} }");
  check_text("f32[0,2]", "{}", "{  }");
  check_text("f32[1000000000000,0]", "{}", "{}");
  char text[2 * HLO_MAX_RANK + 2] = "", shape[3 * HLO_MAX_RANK + 5] = "s8[1";
  for (int i = 0; i < HLO_MAX_RANK; i++) strcat(text, "{");
  strcat(text, "7");
  for (int i = 0; i < HLO_MAX_RANK; i++) strcat(text, "}");
  for (int i = 1; i < HLO_MAX_RANK; i++) strcat(shape, ",1");
  strcat(shape, "]");
  hlo_literal literal;
  CHECK(parse(shape, text, &literal) && *(int8_t *)literal.data == 7);
}

static void test_layouts(void) {
  hlo_literal literal;
  CHECK(parse("u8[2,3]{0,1}", "{{97,98,99},{100,101,102}}", &literal));
  CHECK(memcmp(literal.data, "adbecf", 6) == 0);
  check_print(&literal, "{ { 97, 98, 99 }, { 100, 101, 102 } }");
  CHECK(parse("u8[2,3]{0,1:P(3,5;48)}", "{{97,98,99},{100,101,102}}", &literal));
  CHECK(memcmp(literal.data, "ad0be0cf0000000", 15) == 0);
  check_print(&literal, "{ { 97, 98, 99 }, { 100, 101, 102 } }");
  CHECK(parse("s4[3]{0:E(4)}", "{-8,7,0}", &literal)); // packing is for relayout
  CHECK(memcmp(literal.data, "\xf8\x07\x00", 3) == 0);
  CHECK(hlo_literal_make(&arena, parse_shape("u8[2]{0:P(4;1)}"), &literal, &error) == HLO_OK);
  CHECK(memcmp(literal.data, "\0\0\1\1", 4) == 0);
  CHECK(hlo_literal_make(&arena, parse_shape("u8[0]{0:P(2;9)}"), &literal, &error) == HLO_OK);
  CHECK(memcmp(literal.data, "\x09\x09", 2) == 0);
  CHECK(hlo_literal_make(&arena, parse_shape("(u8[3], (), token[])"), &literal, &error) == HLO_OK);
  CHECK(literal.data == NULL && memcmp(literal.elements[0].data, "\0\0\0", 3) == 0);
  CHECK(literal.elements[1].shape->type == HLO_TUPLE && literal.elements[2].data == NULL);
}

static void test_too_large(void) {
  hlo_literal literal;
  hlo_error_clear(&error);
  CHECK(hlo_literal_make(&arena, parse_shape("u8[9223372036854775807]"), &literal, &error) ==
        HLO_OUT_OF_MEMORY);
  // A text that cannot hold the values is found out before their memory is asked for.
  size_t peak = hlo_memory_peak();
  CHECK(!parse("f32[1000000,1000000]", "{{1,2},{3,4}}", &literal));
  CHECK(error.status == HLO_PARSE_ERROR && hlo_memory_peak() - peak < 1 << 20);
}

static void test_errors(void) {
  const struct {
    const char *shape, *text;
    int32_t column;
    const char *part;
  } errors[] = {
      {"f32[2]", "{1}", 3, "fewer"},
      {"f32[2]", "{}", 2, "fewer"},
      {"f32[2]", " { } ", 4, "fewer"},
      {"f32[2]", "{1,2,3}", 5, "more"},
      {"f32[2]", "{1,2", 5, "'}'"},
      {"f32[2]", "{1 2}", 4, "','"},
      {"f32[2]", "{1,,2}", 4, "number"},
      {"f32[2]", "{1,}  ", 4, "number"},
      {"f32[2]", "{{1,2}}", 2, "number"},
      {"f32[2]", "1, 2", 1, "'{'"},
      {"f32[]", "{1}", 1, "number"},
      {"f32[]", "", 1, "short"},
      {"f32[]", " ", 2, "text ends"},
      {"f32[2,2]", "{{1,2},{3}}", 10, "dimension 1"},
      {"f32[2,2]", "{{1,2}  }", 9, "dimension 0"},
      {"f32[2,2]", "{{1,2},{3,4},{5,6}}", 13, "dimension 0"},
      {"f32[2,2]", "{{1,2},3}", 8, "'{'"},
      {"f32[0]", "{1}", 2, "more"},
      {"f32[2]", "{...}", 2, "elided"},
      {"f32[2000]", "{...}", 2, "elided"},
      {"f32[2000,2]", "{ {1, ...", 1, "short"},
      {"f32[3]", "{1,...}", 4, "elided"},
      {"f32[2,2]", "{{...},{1,2}}", 3, "elided"},
      {"f32[]", "...", 1, "elided"},
      {"f32[]", "abc", 1, "abc"},
      {"f32[2]", "{1, 1e}", 5, "1e"},
      {"f32[2]", "{1, 3.5e38}", 5, "range"},
      {"f32[2]", "{1, -1e999}", 5, "range"},
      {"f64[]", "1e309", 1, "range"},
      {"f16[]", "65520", 1, "range"},
      {"f8e4m3fn[]", "1000", 1, "range"},
      {"f8e8m0fnu[]", "0", 1, "range"},
      {"f8e8m0fnu[]", "-1", 1, "range"},
      {"f32[]", "nan(0x0)", 1, "NaN"},
      {"f32[]", "nan(0x800000)", 1, "NaN"},
      {"f32[]", "nan(0x7f800000)", 1, "NaN"},
      {"f32[]", "nan(1)", 1, "nan(1)"},
      {"f32[]", "nan(0x)", 1, "nan(0x)"},
      {"f32[]", "nan(0x1", 1, "nan(0x1"},
      {"f32[]", "nan(0x11111111111111111)", 1, "nan"},
      {"f8e4m3fn[]", "nan(0x1)", 1, "nan(0x1)"},
      {"f32[]", "nano", 1, "nano"},
      {"f32[]", "infinity", 1, "infinity"},
      {"f32[]", "true", 1, "true"},
      {"s32[]", "1.0", 1, "1.0"},
      {"s32[]", "-", 1, "'-'"},
      {"s32[]", "2147483648", 1, "range"},
      {"s4[3]", "{-8,7,8}", 7, "range"},
      {"s2[]", "-3", 1, "range"},
      {"u32[]", "-1", 1, "range"},
      {"u64[]", "18446744073709551616", 1, "range"},
      {"s64[]", "9223372036854775808", 1, "range"},
      {"s64[]", "-9223372036854775809", 1, "range"},
      {"pred[]", "2", 1, "pred"},
      {"pred[]", "True", 1, "True"},
      {"c64[]", "(1,2", 1, "(1,2"},
      {"c64[]", "(1)", 1, "(1)"},
      {"c64[]", "(1,2,3)", 1, "2,3"},
      {"c64[]", "(1,)", 1, "''"},
      {"c64[2]", "{(1,2),(3,x)}", 8, "'x'"},
      {"(f32[], s32[])", "(1)", 3, "','"},
      {"(f32[], s32[])", "(1,2,3)", 5, "')'"},
      {"(f32[], s32[])", "(1,2.5)", 4, "2.5"},
      {"()", "(1)", 2, "')'"},
      {"()", "", 1, "'('"},
      {"token[]", "1", 1, "token[]"},
      {"token[]", "token", 6, "'['"},
  };
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    hlo_literal literal;
    CHECK_MESSAGE(!parse(errors[i].shape, errors[i].text, &literal), "%s %s was accepted",
                  errors[i].shape, errors[i].text);
    CHECK_MESSAGE(error.status == HLO_PARSE_ERROR && error.line == 1 &&
                      error.column == errors[i].column &&
                      strstr(error.message, errors[i].part) != NULL,
                  "%s %s: at %d:%d: %s", errors[i].shape, errors[i].text, error.line, error.column,
                  error.message);
  }
}

// Every beginning of a good text is an error.
static void test_cut_texts(void) {
  const char text[] = "({{-1.5e3, nan(0x1)}, {inf, /*i*/ 0x1p-3}}, {(1, 2)}, (), token[], true)";
  const hlo_shape *shape = parse_shape("(f32[2,2]{0,1:P(3,3;1)}, c64[1], (), token[], pred[])");
  for (size_t length = 0; length < sizeof text - 1; length++) {
    char *cut = malloc(length + 1); // exactly so long, for the sanitizer
    memcpy(cut, text, length);
    const char *cursor = cut;
    hlo_literal literal;
    hlo_error_clear(&error);
    CHECK(hlo_literal_parse(&arena, shape, &cursor, cut + length, &literal, &error) ==
          HLO_PARSE_ERROR);
    CHECK(cursor == cut && error.column >= 1 && error.column <= (int32_t)length + 1);
    free(cut);
  }
}

static void test_deep_tuples(void) {
  enum { DEPTH = HLO_MAX_TUPLE_DEPTH };
  char shape[2 * DEPTH + 6], text[2 * DEPTH + 2];
  memset(shape, '(', DEPTH);
  memcpy(shape + DEPTH, "f32[]", 5);
  memset(shape + DEPTH + 5, ')', DEPTH);
  shape[2 * DEPTH + 5] = '\0';
  memset(text, '(', DEPTH);
  text[DEPTH] = '5';
  memset(text + DEPTH + 1, ')', DEPTH);
  text[2 * DEPTH + 1] = '\0';
  hlo_literal literal;
  CHECK(parse(shape, text, &literal));
  const hlo_literal *inner = &literal;
  while (inner->elements != NULL) inner = &inner->elements[0];
  CHECK(*(float *)inner->data == 5);
}

// --- what XLA says ---

static void test_xla(const char *path) {
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  if (file == NULL) return;
  static char line[100000];
  int count = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *values = strchr(line, '|');
    char *expected = values == NULL ? NULL : strchr(values + 1, '|');
    if (expected == NULL) continue; // a shape only
    *values++ = *expected++ = '\0';
    check_text(line, values, expected);
    check_text(line, expected, expected);
    hlo_arena_free(&arena);
    count++;
  }
  fclose(file);
  CHECK(count > 300);
}

// --- elements ---

// Whatever the bits are, they come back from their text (the default NaN for types with only one).
static void check_element(hlo_type type, uint64_t bits) {
  size_t size = (size_t)hlo_type_bytes(type);
  char element[16] = {0}, again[16] = {0}, original[16] = {0};
  memcpy(element, &bits, 8);
  if (size == 16) memcpy(element + 8, &bits, 8);
  memcpy(original, element, 16);
  hlo_string out = {0};
  hlo_element_print(&out, type, element);
  hlo_status status = hlo_element_parse(type, out.text, out.length, again, &error);
  CHECK_MESSAGE(status == HLO_OK && memcmp(element, again, size) == 0, "%s %s (%llx)",
                hlo_type_name(type), out.text, (unsigned long long)bits);
  CHECK(memcmp(element, original, 16) == 0);
  hlo_string_free(&out);
}

static uint64_t random_bits(void) {
  uint64_t bits = 0;
  for (int i = 0; i < 5; i++) bits = bits << 15 ^ (uint64_t)rand();
  return bits;
}

static void test_round_trips(void) {
  hlo_error_clear(&error);
  for (uint64_t bits = 0; bits < 65536; bits++) {
    check_element(HLO_F16, bits);
    check_element(HLO_BF16, bits);
    if (bits < 256) {
      for (int t = 1; t < HLO_TYPE_COUNT; t++) {
        hlo_type type = (hlo_type)t;
        if (hlo_type_bytes(type) != 1 || bits >> hlo_type_bits(type) != 0) continue;
        uint64_t limit = (uint64_t)1 << hlo_type_bits(type);
        bool is_signed = hlo_type_get_class(type) == HLO_CLASS_SIGNED;
        check_element(type, is_signed && bits >= limit / 2 ? (bits | (0xff & ~(limit - 1))) : bits);
      }
    }
  }
  srand(8);
  for (int i = 0; i < 20000; i++) {
    static const hlo_type types[] = {HLO_F32, HLO_F64, HLO_S16, HLO_S32, HLO_S64,
                                     HLO_U16, HLO_U32, HLO_U64, HLO_C64, HLO_C128};
    uint64_t bits = random_bits();
    if (i % 3 == 0) bits |= 0x7ff00000ff800000; // NaNs
    if (i % 3 == 1) bits &= 0x800fffff807fffff; // subnormal
    check_element(types[i % 10], bits);
  }
}

static void test_nan_bits(void) {
  uint32_t f32;
  uint64_t f64;
  const struct {
    const char *text;
    uint32_t bits;
  } cases[] = {
      {"nan", 0x7fc00000},
      {"-nan", 0xffc00000},
      {"+nan", 0x7fc00000},
      {"nan(0x1)", 0x7f800001},
      {"-nan(0x7fffff)", 0xffffffff},
      {"nan(0x7fc00001)", 0x7fc00001},
      {"nan(0xFFC00001)", 0xffc00001},
      {"-nan(0x7fc00001)", 0xffc00001},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *text = cases[i].text;
    CHECK(hlo_element_parse(HLO_F32, text, strlen(text), &f32, NULL) == HLO_OK);
    CHECK_MESSAGE(f32 == cases[i].bits, "%s gives %x", text, f32);
  }
  CHECK(hlo_element_parse(HLO_F64, "nan(0x7ff0000000000001)", 23, &f64, NULL) == HLO_OK);
  CHECK(f64 == 0x7ff0000000000001);
  CHECK(hlo_element_parse(HLO_TOKEN, "1", 1, &f64, NULL) == HLO_PARSE_ERROR);
}

// --- conversion ---

static hlo_number from_double(double value) {
  return (hlo_number){.type_class = HLO_CLASS_FLOAT, .re = value};
}
static hlo_number from_signed(int64_t value) {
  return (hlo_number){.type_class = HLO_CLASS_SIGNED, .i = value};
}
static hlo_number from_unsigned(uint64_t value) {
  return (hlo_number){.type_class = HLO_CLASS_UNSIGNED, .u = value};
}

// Storing `number` as that type gives the element that `text` says.
static void check_convert(hlo_type type, hlo_number number, const char *text) {
  char element[16];
  memset(element, 0xaa, sizeof element);
  hlo_element_set(type, element, number);
  hlo_string out = {0};
  hlo_element_print(&out, type, element);
  CHECK_MESSAGE(strcmp(out.text, text) == 0, "%s: expected %s, got %s", hlo_type_name(type), text,
                out.text);
  hlo_string_free(&out);
  for (int i = hlo_type_bytes(type); i < 16; i++) CHECK((unsigned char)element[i] == 0xaa);
}

static void test_to_integers(void) {
  check_convert(HLO_S32, from_double(-1.9), "-1");
  check_convert(HLO_S32, from_double(1e10), "2147483647");
  check_convert(HLO_S32, from_double(-INFINITY), "-2147483648");
  check_convert(HLO_S32, from_double(NAN), "0");
  check_convert(HLO_S64, from_double(9223372036854775808.0), "9223372036854775807");
  check_convert(HLO_S64, from_double(9223372036854774784.0), "9223372036854774784");
  check_convert(HLO_S64, from_double(-9223372036854775808.0), "-9223372036854775808");
  check_convert(HLO_U64, from_double(18446744073709549568.0), "18446744073709549568");
  check_convert(HLO_U64, from_double(18446744073709551616.0), "18446744073709551615");
  check_convert(HLO_U8, from_double(-0.9), "0");
  check_convert(HLO_U8, from_double(-5), "0");
  check_convert(HLO_U8, from_double(255.9), "255");
  check_convert(HLO_U8, from_double(256), "255");
  check_convert(HLO_S4, from_double(9), "7");
  check_convert(HLO_S2, from_double(-9), "-2");
  check_convert(HLO_U4, from_double(99), "15");
  check_convert(HLO_S8, from_signed(200), "-56");
  check_convert(HLO_S4, from_signed(8), "-8");
  check_convert(HLO_S4, from_signed(-9), "7");
  check_convert(HLO_U2, from_signed(-1), "3");
  check_convert(HLO_U64, from_signed(-1), "18446744073709551615");
  check_convert(HLO_S64, from_unsigned(UINT64_MAX), "-1");
  check_convert(HLO_S16, from_unsigned(40000), "-25536");
  check_convert(HLO_PRED, from_double(NAN), "true");
  check_convert(HLO_PRED, from_double(-0.0), "false");
  check_convert(HLO_PRED, from_signed(-4294967296), "true");
  check_convert(HLO_PRED, from_unsigned(0), "false");
  hlo_number complex = {.type_class = HLO_CLASS_COMPLEX, .re = 0, .im = 2};
  check_convert(HLO_PRED, complex, "false"); // the real part decides
  complex.re = 2;
  check_convert(HLO_PRED, complex, "true");
  complex.re = -7.5;
  check_convert(HLO_S32, complex, "-7");
  check_convert(HLO_F32, complex, "-7.5");
  check_convert(HLO_C128, complex, "(-7.5, 2)");
  check_convert(HLO_C64, from_signed(-3), "(-3, 0)");
  check_convert(HLO_S32, (hlo_number){.type_class = HLO_CLASS_PRED, .u = 1}, "1");
  check_convert(HLO_F16, (hlo_number){.type_class = HLO_CLASS_PRED, .u = 1}, "1");
}

// Large integers to narrow floats: rounded once. A step over double or float, which makes the
// first of these a tie, would give 1.153e+18.
static void test_to_floats(void) {
  check_convert(HLO_BF16, from_signed((1LL << 60) + (1LL << 52) + 1), "1.162e+18");
  check_convert(HLO_BF16, from_signed((1LL << 60) + (1LL << 52)), "1.153e+18");
  check_convert(HLO_BF16, from_signed(-(1LL << 60) - (1LL << 52) - 1), "-1.162e+18");
  check_convert(HLO_BF16, from_unsigned((1ULL << 63) + (1ULL << 55) + 1), "9.295e+18");
  check_convert(HLO_BF16, from_signed(INT64_MIN), "-9.223e+18");
  check_convert(HLO_F32, from_signed((1LL << 60) + (1LL << 36) + 1), "1.15292164e+18");
  check_convert(HLO_F32, from_unsigned(UINT64_MAX), "1.84467441e+19");
  check_convert(HLO_F64, from_unsigned(UINT64_MAX), "1.8446744073709552e+19");
  check_convert(HLO_F16, from_signed(65519), "65504");
  check_convert(HLO_F16, from_signed(65520), "inf");
  check_convert(HLO_F16, from_double(0x1.002001p0), "1.001"); // not a tie: rounded from double
  check_convert(HLO_F8E4M3FN, from_double(INFINITY), "nan");
  check_convert(HLO_F4E2M1FN, from_double(100), "6");
  check_convert(HLO_F32, from_double(1e39), "inf");
  check_convert(HLO_F32, from_double(-0.0), "-0");
}

static void test_get(void) {
  hlo_number n = hlo_element_get(HLO_S4, &(uint8_t){0x78}); // only the low bits count
  CHECK(n.type_class == HLO_CLASS_SIGNED && n.i == -8);
  n = hlo_element_get(HLO_U2, &(uint8_t){0xfe});
  CHECK(n.type_class == HLO_CLASS_UNSIGNED && n.u == 2);
  n = hlo_element_get(HLO_PRED, &(uint8_t){0x80});
  CHECK(n.type_class == HLO_CLASS_PRED && n.u == 1);
  n = hlo_element_get(HLO_S64, &(int64_t){INT64_MIN});
  CHECK(n.i == INT64_MIN);
  n = hlo_element_get(HLO_C64, (float[]){1.5f, -2});
  CHECK(n.type_class == HLO_CLASS_COMPLEX && n.re == 1.5 && n.im == -2);
  n = hlo_element_get(HLO_BF16, &(uint16_t){0xc000});
  CHECK(n.type_class == HLO_CLASS_FLOAT && n.re == -2);
  CHECK(hlo_element_get(HLO_TOKEN, NULL).type_class == HLO_CLASS_OTHER);
  for (int t = 1; t < HLO_TYPE_COUNT; t++) {
    bool narrow = hlo_type_is_float((hlo_type)t) && hlo_type_bits((hlo_type)t) <= 16;
    CHECK((hlo_type_float_format((hlo_type)t) != NULL) == narrow);
  }
}

// Some megabytes of text, there and back.
static void test_large(void) {
  const int64_t dims[] = {500, 2000};
  const hlo_shape *shape = NULL;
  hlo_literal literal, again;
  CHECK(hlo_shape_make(&arena, HLO_F32, 2, dims, &shape, &error) == HLO_OK);
  CHECK(hlo_literal_make(&arena, shape, &literal, &error) == HLO_OK);
  float *values = literal.data;
  for (int i = 0; i < 1000000; i++) values[i] = (float)rand() / (float)(1 + rand() % 100000);
  hlo_string out = {0};
  hlo_literal_print(&out, &literal);
  const char *cursor = out.text;
  CHECK(out.length > 9000000);
  CHECK(hlo_literal_parse(&arena, shape, &cursor, out.text + out.length, &again, &error) == HLO_OK);
  CHECK(memcmp(literal.data, again.data, 4000000) == 0);
  hlo_string_free(&out);
}

static hlo_status make_everything(hlo_arena *a, hlo_error *e) {
  const char shape_text[] = "(f32[2,2]{0,1:P(3,3;1)}, (c64[1], pred[2000]), token[])";
  const char *cursor = shape_text;
  const hlo_shape *shape;
  HLO_TRY(hlo_shape_parse(a, &cursor, shape_text + sizeof shape_text - 1, &shape, e));
  hlo_literal literal, again;
  HLO_TRY(hlo_literal_make(a, shape, &literal, e));
  hlo_string out = {0};
  hlo_literal_print(&out, &literal);
  hlo_status status = hlo_string_status(&out, e);
  if (status == HLO_OK) {
    cursor = out.text;
    status = hlo_literal_parse(a, shape, &cursor, out.text + out.length, &again, e);
  }
  for (int i = 0; i < 20 && status == HLO_OK; i++) status = hlo_literal_make(a, shape, &again, e);
  hlo_string_free(&out);
  return status;
}

int main(void) {
  test_text();
  test_layouts();
  test_too_large();
  test_errors();
  test_cut_texts();
  test_deep_tuples();
  test_xla("tests/c/data/xla_text.txt");
  test_round_trips();
  test_nan_bits();
  test_to_integers();
  test_to_floats();
  test_get();
  test_large();
  hlo_arena_free(&arena);
  check_out_of_memory("literals", make_everything);
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
