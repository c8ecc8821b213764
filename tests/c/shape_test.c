// Checks shape/shape.c, shape_query.c, shape_text.c, layout_text.c and shape_print.c. What XLA
// itself reads and prints is in tests/c/data/xla_text.txt. Run from the top of the repository.
#include "shape/shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "memory_check.h"

static hlo_arena arena;
static hlo_error error;

// NULL, with `error` set, for a text that is no shape; the whole text must be one.
static const hlo_shape *parse_length(const char *text, size_t length) {
  const hlo_shape *shape = NULL;
  const char *cursor = text;
  hlo_error_clear(&error);
  hlo_status status = hlo_shape_parse(&arena, &cursor, text + length, &shape, &error);
  CHECK_MESSAGE(status == error.status, "%s: status %d", text, status);
  if (status != HLO_OK) return NULL;
  CHECK_MESSAGE(cursor == text + length, "%s: stopped at %s", text, cursor);
  return shape;
}

static const hlo_shape *parse(const char *text) { return parse_length(text, strlen(text)); }

static const hlo_shape *make(hlo_type type, int32_t rank, const int64_t *dims) {
  const hlo_shape *shape = NULL;
  hlo_error_clear(&error);
  return hlo_shape_make(&arena, type, rank, dims, &shape, &error) == HLO_OK ? shape : NULL;
}

static void check_print(const hlo_shape *shape, bool with_layout, const char *expected) {
  hlo_string out = {0};
  if (shape != NULL) hlo_shape_print(&out, shape, with_layout);
  CHECK_MESSAGE(shape != NULL && strcmp(out.text, expected) == 0, "expected %s, printed %s",
                expected, out.text == NULL ? error.message : out.text);
  hlo_string_free(&out);
}

static void check_error(const char *text, hlo_status status, int32_t column, const char *part) {
  CHECK_MESSAGE(parse(text) == NULL, "%s was accepted", text);
  CHECK_MESSAGE(error.status == status && error.line == 1 && error.column == column &&
                    strstr(error.message, part) != NULL,
                "%s: %s at %d:%d: %s", text, hlo_status_name(error.status), error.line,
                error.column, error.message);
}

static void test_make(void) {
  const hlo_shape *shape = make(HLO_F32, 3, (int64_t[]){2, 1, 3});
  CHECK(shape->type == HLO_F32 && shape->rank == 3 && shape->layout == NULL);
  CHECK(hlo_shape_is_array(shape) && !hlo_shape_is_scalar(shape) && !hlo_shape_is_tuple(shape));
  CHECK(hlo_shape_true_rank(shape) == 2);
  CHECK(hlo_shape_elements(shape) == 6 && hlo_shape_bytes(shape) == 24);
  CHECK(hlo_shape_validate(shape, &error) == HLO_OK);
  check_print(shape, false, "f32[2,1,3]");
  check_print(shape, true, "f32[2,1,3]{2,1,0}");
  check_print(make(HLO_PRED, 0, NULL), true, "pred[]");
  CHECK(hlo_shape_true_rank(make(HLO_C128, 0, NULL)) == 0);
  CHECK(hlo_shape_bytes(make(HLO_C128, 0, NULL)) == 16);
  CHECK(hlo_shape_bytes(make(HLO_S4, 1, (int64_t[]){5})) == 5);
  CHECK(hlo_shape_elements(make(HLO_U8, 2, (int64_t[]){0, 5})) == 0);

  CHECK(make(HLO_F32, 1, (int64_t[]){-1}) == NULL && error.status == HLO_SHAPE_ERROR);
  CHECK(make(HLO_F32, -1, NULL) == NULL && make(HLO_TYPE_INVALID, 0, NULL) == NULL);
  CHECK(make(HLO_TUPLE, 0, NULL) == NULL && make(HLO_TOKEN, 1, (int64_t[]){1}) == NULL);
  CHECK(make((hlo_type)1000, 0, NULL) == NULL && make((hlo_type)-1, 0, NULL) == NULL);
  int64_t ones[HLO_MAX_RANK + 1];
  for (int i = 0; i <= HLO_MAX_RANK; i++) ones[i] = 1;
  CHECK(make(HLO_F32, HLO_MAX_RANK, ones) != NULL && make(HLO_F32, HLO_MAX_RANK + 1, ones) == NULL);
}

// Byte sizes up to 2^63 - 1 are fine, beyond they are not; a size of 0 hides nothing.
static void test_sizes(void) {
  CHECK(hlo_shape_bytes(make(HLO_U8, 1, (int64_t[]){INT64_MAX})) == INT64_MAX);
  CHECK(make(HLO_U8, 2, (int64_t[]){1LL << 32, 1LL << 31}) == NULL);
  CHECK(make(HLO_F32, 1, (int64_t[]){1LL << 60}) != NULL);
  CHECK(make(HLO_F32, 1, (int64_t[]){1LL << 61}) == NULL && error.status == HLO_SHAPE_ERROR);
  CHECK(make(HLO_F32, 3, (int64_t[]){0, 1LL << 40, 1LL << 40}) == NULL);
  CHECK(hlo_shape_elements(make(HLO_F32, 2, (int64_t[]){1LL << 60, 0})) == 0);
}

static void test_scalars(void) {
  for (int t = 1; t < HLO_TYPE_COUNT; t++) {
    const hlo_shape *shape = hlo_shape_scalar((hlo_type)t);
    CHECK(shape->type == (hlo_type)t && shape->rank == 0 && shape->layout == NULL);
    CHECK(hlo_shape_is_scalar(shape) == hlo_type_is_array((hlo_type)t));
    CHECK(hlo_shape_is_tuple(shape) == (t == HLO_TUPLE));
    CHECK(hlo_shape_validate(shape, &error) == HLO_OK);
  }
  CHECK(hlo_shape_scalar((hlo_type)-1)->type == HLO_TYPE_INVALID);
  CHECK(hlo_shape_bytes(hlo_shape_scalar(HLO_TOKEN)) == 0);
}

static void test_tuples(void) {
  const hlo_shape *tuple = parse("(f32[2]{0}, (s32[], token[], ()), pred[<=4])");
  CHECK(tuple->element_count == 3 && hlo_shape_is_tuple(tuple) && !hlo_shape_is_array(tuple));
  CHECK(hlo_shape_leaf_count(tuple) == 4 && hlo_shape_leaf(tuple, 0)->type == HLO_F32);
  CHECK(hlo_shape_leaf(tuple, 1)->type == HLO_S32 && hlo_shape_leaf(tuple, 2)->type == HLO_TOKEN);
  CHECK(hlo_shape_leaf(tuple, 3)->type == HLO_PRED && hlo_shape_leaf(tuple, 4) == NULL);
  CHECK(hlo_shape_leaf(tuple, -1) == NULL && hlo_shape_leaf(tuple->elements[0], 0) != NULL);
  CHECK(hlo_shape_is_dynamic(tuple) && !hlo_shape_is_dynamic(tuple->elements[1]));
  CHECK(hlo_shape_bytes(tuple) == 8 + 4 + 4);
  CHECK(hlo_shape_bytes(parse("(u8[9223372036854775807], u8[9223372036854775807])")) == INT64_MAX);
  const hlo_shape *copy = NULL;
  CHECK(hlo_shape_make_tuple(&arena, 3, tuple->elements, &copy, &error) == HLO_OK);
  CHECK(copy != tuple && copy->elements[0] != tuple->elements[0] && hlo_shape_equal(copy, tuple));
  CHECK(hlo_shape_make_tuple(&arena, -1, NULL, &copy, &error) == HLO_SHAPE_ERROR);
  hlo_error_clear(&error);
  CHECK(hlo_shape_make_tuple(&arena, 0, NULL, &copy, &error) == HLO_OK);
  check_print(copy, true, "()");
}

// Tuples of tuples of ... end in an error, not in a stack overflow or in all of the memory.
static void test_tuple_limits(void) {
  const hlo_shape *shape = hlo_shape_scalar(HLO_F32);
  int depth = 0;
  for (; depth < 1000; depth++) {
    if (hlo_shape_make_tuple(&arena, 1, &shape, &shape, &error) != HLO_OK) break;
  }
  CHECK(depth == HLO_MAX_TUPLE_DEPTH && error.status == HLO_SHAPE_ERROR);
  hlo_error_clear(&error);
  shape = hlo_shape_scalar(HLO_TUPLE);
  for (depth = 0; depth < 1000; depth++) {
    const hlo_shape *twice[2] = {shape, shape};
    if (hlo_shape_make_tuple(&arena, 2, twice, &shape, &error) != HLO_OK) break;
  }
  CHECK(depth == 19 && error.status == HLO_SHAPE_ERROR);

  enum { DEEP = 1000000 };
  char *text = malloc(2 * DEEP + 6);
  memset(text, '(', DEEP);
  memcpy(text + DEEP, "f32[]", 5);
  memset(text + DEEP + 5, ')', DEEP);
  CHECK(parse_length(text, 2 * DEEP + 5) == NULL && error.status == HLO_PARSE_ERROR);
  CHECK(strstr(error.message, "deep") != NULL);
  CHECK(parse_length(text + DEEP - 256, 256 + 5 + 256) != NULL);
  CHECK(parse_length(text + DEEP - 257, 257 + 5 + 257) != NULL);
  CHECK(parse_length(text + DEEP - 258, 258 + 5 + 258) == NULL);
  for (int i = 0; i < DEEP; i++) text[i] = i % 2 == 0 ? '(' : ',';
  CHECK(parse_length(text, DEEP) == NULL);
  free(text);
}

static void test_equality(void) {
  const hlo_shape *a = parse("f32[2,3]"), *b = parse("f32[2,3]{1,0}"), *c = parse("f32[2,3]{0,1}");
  CHECK(hlo_shape_equal(a, b) && !hlo_shape_equal(a, c) && hlo_shape_compatible(a, c));
  CHECK(b->layout == NULL); // the default is not spelt out
  const hlo_shape *d = parse("f32[<=2,3]"), *e = parse("s32[2,3]"), *f = parse("f32[3,2]");
  CHECK(!hlo_shape_equal(a, d) && hlo_shape_compatible(a, d));
  CHECK(!hlo_shape_compatible(a, e) && hlo_shape_same_dimensions(a, e));
  CHECK(!hlo_shape_compatible(a, f) && !hlo_shape_same_dimensions(a, f));
  CHECK(!hlo_shape_same_dimensions(parse("token[]"), parse("token[]")));
  CHECK(hlo_shape_equal(parse("(f32[2]{0}, s32[])"), parse("(f32[2], s32[])")));
  CHECK(!hlo_shape_equal(parse("(f32[2], s32[])"), parse("(f32[2], u32[])")));
  CHECK(!hlo_shape_compatible(parse("(f32[2], s32[])"), parse("(f32[2])")));
  const char *const layouts[] = {"{0}",      "{0:T(8)}",    "{0:T(8)(2)}", "{0:T(4)}", "{0:T(8,1)}",
                                 "{0:S(1)}", "{0:E(32)}",   "{0:P(3)}",    "{0:P(4)}", "{0:P(4;1)}",
                                 "{0:L(2)}", "{0:P(4;2)}",  "{0:T(*)}",    "{0:L(4)}", "{0:M(8)}",
                                 "{0:T()}",  "{0:D(D)T(8)}"};
  enum { COUNT = sizeof layouts / sizeof *layouts };
  for (int i = 0; i < COUNT; i++) {
    for (int j = 0; j < COUNT; j++) {
      char first[64], second[64];
      snprintf(first, sizeof first, "f32[3]%s", layouts[i]);
      snprintf(second, sizeof second, "f32[3]%s", layouts[j]);
      CHECK_MESSAGE(hlo_shape_equal(parse(first), parse(second)) == (i == j), "%s %s", first,
                    second);
    }
  }
}

static void test_with_type(void) {
  const hlo_shape *from = parse("s4[<=2,3]{0,1:E(4)S(2)P(4,5;-7)}"), *to = NULL;
  CHECK(hlo_shape_with_type(&arena, from, HLO_S8, true, &to, &error) == HLO_OK);
  check_print(to, false, "s8[<=2,3]{0,1:S(2)P(4,5;-7)}");
  CHECK(hlo_shape_with_type(&arena, from, HLO_U4, true, &to, &error) == HLO_OK);
  check_print(to, false, "u4[<=2,3]{0,1:E(4)S(2)P(4,5)}");
  CHECK(hlo_shape_with_type(&arena, from, HLO_F64, false, &to, &error) == HLO_OK);
  check_print(to, false, "f64[<=2,3]");
  CHECK(hlo_shape_with_type(&arena, from, HLO_TOKEN, false, &to, &error) == HLO_SHAPE_ERROR);
  hlo_error_clear(&error);
  CHECK(hlo_shape_with_type(&arena, parse("u8[1,9223372036854775807]"), HLO_U16, false, &to,
                            &error) == HLO_SHAPE_ERROR);
  hlo_error_clear(&error);
  CHECK(hlo_shape_with_type(&arena, parse("u8[1]{0:P(9223372036854775807)}"), HLO_U16, true, &to,
                            &error) == HLO_SHAPE_ERROR);
  hlo_error_clear(&error);
  CHECK(hlo_shape_with_type(&arena, parse("()"), HLO_U16, true, &to, &error) == HLO_SHAPE_ERROR);
  hlo_error_clear(&error);
}

// print(parse(text)) is what is expected, and is parsed to an equal shape.
static void check_text(const char *text, bool with_layout, const char *expected) {
  const hlo_shape *shape = parse(text);
  check_print(shape, with_layout, expected);
  if (shape == NULL) return;
  CHECK(hlo_shape_validate(shape, &error) == HLO_OK);
  const hlo_shape *again = parse(expected);
  CHECK_MESSAGE(again != NULL && hlo_shape_equal(shape, again), "%s is not %s", text, expected);
}

static void test_text(void) {
  check_text("f32[2,3]{1,0}", true, "f32[2,3]{1,0}");
  check_text(" /* a */ f32 [ 2 , 3 ]", true, "f32[2,3]{1,0}");
  check_text("f32[2,3]{ 0 , 1 }", false, "f32[2,3]{0,1}");
  check_text("f32[]{}", true, "f32[]");
  check_text("f32[]{:T(256)}", false, "f32[]{:T(256)}");
  check_text("pred[<=4,2]", false, "pred[<=4,2]");
  check_text("u2[0]", true, "u2[0]{0}");
  check_text("(f32[],f32[],f32[],f32[],f32[],f32[1])", true,
             "(f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[1]{0})");
  check_text("opaque[]", true, "opaque[]");
  check_text("f32[8,9]{1,0:P(8,9)}", true, "f32[8,9]{1,0:P(8,9)}");
  check_text("f32[2,3]{0,1: P( 3 , 5 ; -inf )}", true, "f32[2,3]{0,1:P(3,5;-inf)}");
  check_text("c64[1]{0:P(2;(1, -2))}", true, "c64[1]{0:P(2;(1, -2))}");
  check_text("f32[]{:P()}", true, "f32[]{:P()}");
  check_text("f32[4,4]{1,0:T(2)SC(0:1,2)(1:3)M(64)}", true,
             "f32[4,4]{1,0:T(2)SC(0:1,2)(1:3)M(64)}");
  check_text("f32[8]{0:M(64)P((s32[8]))SC(0:4)S(1)E(32)*(u64)#(u32)L(128)T(8)D(D)}", true,
             "f32[8]{0:D(D)T(8)L(128)#(u32)*(u64)E(32)S(1)SC(0:4)P((s32[8]))M(64)}");
  check_text("f32[8]{0:P(f32[2]{0})P(9;-inf)}", true, "f32[8]{0:P(9;-inf)P(f32[2]{0})}");
  check_text("f32[8,2]{1,0:D(D,C+~)}", true, "f32[8,2]{1,0:D(D,C+~)}");

  // Where the text goes on: values, the body of a computation, a next argument.
  const struct {
    const char *text, *rest;
  } rests[] = {
      {"f32[2] {1, 2}", " {1, 2}"},    {"f32[]{\n  ROOT", "{\n  ROOT"},
      {"s32[2]{0}, s32[]", ", s32[]"}, {"(f32[]) tuple", " tuple"},
      {"f32[2]{0} x", " x"},           {"f32[]", ""},
  };
  for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
    const char *cursor = rests[i].text;
    const hlo_shape *shape;
    CHECK(hlo_shape_parse(&arena, &cursor, cursor + strlen(cursor), &shape, &error) == HLO_OK);
    CHECK_MESSAGE(strcmp(cursor, rests[i].rest) == 0, "%s: rest %s", rests[i].text, cursor);
  }
}

static void test_errors(void) {
  const struct {
    const char *text;
    hlo_status status;
    int32_t column;
    const char *part;
  } errors[] = {
      {"", HLO_PARSE_ERROR, 1, "text ends"},
      {"   ", HLO_PARSE_ERROR, 4, "text ends"},
      {"/* open", HLO_PARSE_ERROR, 1, "'/'"},
      {"f32", HLO_PARSE_ERROR, 4, "'['"},
      {"f33[2]", HLO_PARSE_ERROR, 1, "f33"},
      {"tuple[]", HLO_PARSE_ERROR, 1, "tuple"},
      {"invalid[]", HLO_PARSE_ERROR, 1, "invalid"},
      {"f32[2", HLO_PARSE_ERROR, 6, "']'"},
      {"f32[2,", HLO_PARSE_ERROR, 7, "number"},
      {"f32[2,]", HLO_PARSE_ERROR, 7, "number"},
      {"f32[,2]", HLO_PARSE_ERROR, 5, "number"},
      {"f32[2 3]", HLO_PARSE_ERROR, 7, "']'"},
      {"f32[-1]", HLO_PARSE_ERROR, 5, "negative"},
      {"f32[<4]", HLO_PARSE_ERROR, 6, "="},
      {"f32[2,?]", HLO_UNSUPPORTED, 7, "bound"},
      {"f32[9223372036854775808]", HLO_PARSE_ERROR, 5, "64 bits"},
      {" f32[9223372036854775807]", HLO_SHAPE_ERROR, 2, "64 bits"},
      {"f32[65536,65536,65536,65536]", HLO_SHAPE_ERROR, 1, "64 bits"},
      {"token[1]", HLO_SHAPE_ERROR, 1, "token"},
      {"(f32[]", HLO_PARSE_ERROR, 7, "')'"},
      {"(f32[],)", HLO_PARSE_ERROR, 8, "shape"},
      {"(f32[] f32[])", HLO_PARSE_ERROR, 8, "')'"},
      {"((f32[])", HLO_PARSE_ERROR, 9, "')'"},
      {"f32[2,3]{1,1}", HLO_SHAPE_ERROR, 9, "permutation"},
      {"f32[2,3]{0,2}", HLO_SHAPE_ERROR, 9, "permutation"},
      {"f32[2,3]{1}", HLO_SHAPE_ERROR, 9, "rank 2"},
      {"f32[2,3]{}", HLO_SHAPE_ERROR, 9, "rank 2"},
      {"f32[2,3]{1,0", HLO_PARSE_ERROR, 13, "'}'"},
      {"f32[2,3]{1,0:", HLO_PARSE_ERROR, 14, "'}'"},
      {"f32[2,3]{1,0:T}", HLO_PARSE_ERROR, 15, "'('"},
      {"f32[2,3]{1,0:T(a)}", HLO_PARSE_ERROR, 16, "number"},
      {"f32[2,3]{1,0:T(8)T(8)}", HLO_PARSE_ERROR, 18, "twice"},
      {"f32[2,3]{1,0:S(1)S(1)}", HLO_PARSE_ERROR, 18, "twice"},
      {"f32[2,3]{1,0:L(1)L(1)}", HLO_PARSE_ERROR, 18, "twice"},
      {"f32[2,3]{1,0:E(8)E(8)}", HLO_PARSE_ERROR, 18, "twice"},
      {"f32[2]{0:P(3)P(3)}", HLO_PARSE_ERROR, 14, "twice"},
      {"f32[2,3]{1,0:Q(8)}", HLO_PARSE_ERROR, 14, "property"},
      {"f32[4]{0:D(1)(2)}", HLO_PARSE_ERROR, 14, "property"},
      {"f32[4]{0:SC(1)(2}", HLO_PARSE_ERROR, 12, "brackets"},
      {"f32[2,3]{1,0:L(8}", HLO_PARSE_ERROR, 15, "brackets"},
      {"f32[2,3]{1,0:E(4)}", HLO_SHAPE_ERROR, 9, "E(4)"},
      {"s4[2]{0:E(2)}", HLO_SHAPE_ERROR, 6, "E(2)"},
      {"s2[2]{0:E(3)}", HLO_SHAPE_ERROR, 6, "E(3)"},
      {"s2[2]{0:E(4294967296)}", HLO_PARSE_ERROR, 21, "large"},
      {"f32[2,3]{1,0:P(2,2)}", HLO_SHAPE_ERROR, 9, "width 2"},
      {"f32[2,3]{1,0:P(2)}", HLO_PARSE_ERROR, 17, "rank 2"},
      {"f32[2,3]{1,0:P(2,3;)}", HLO_PARSE_ERROR, 20, "value"},
      {"f32[2,3]{1,0:P(2,3;x)}", HLO_SHAPE_ERROR, 9, "'x'"},
      {"s8[2,3]{1,0:P(2,3;1.5)}", HLO_SHAPE_ERROR, 8, "1.5"},
      {"f32[2]{0:P(9223372036854775807)}", HLO_SHAPE_ERROR, 7, "64 bits"},
      {"f32[2\xff]", HLO_PARSE_ERROR, 6, "0xff"},
  };
  for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
    check_error(errors[i].text, errors[i].status, errors[i].column, errors[i].part);
  }
  char text[1000] = "f32[1";
  for (int i = 1; i < HLO_MAX_RANK; i++) strcat(text, ",1");
  char longer[1000];
  snprintf(longer, sizeof longer, "%s,1]", text);
  strcat(text, "]");
  CHECK(parse(text) != NULL);
  check_error(longer, HLO_PARSE_ERROR, (int32_t)strlen(longer) - 1, "64 dimensions");
  snprintf(longer, sizeof longer, "%s{1,0}", text);
  check_error(longer, HLO_SHAPE_ERROR, (int32_t)strlen(text) + 1, "rank 64");
}

// Every beginning of a good text is an error or another good text, never worse.
static void test_cut_texts(void) {
  const char text[] =
      "(f32[<=2,3]{0,1:D(D,C)T(8,128)(2,1)L(2)E(32)S(1)P(3,5;-inf)M(4)}, /*index=1*/(), "
      "(token[], c64[12]))";
  for (size_t length = 0; length < sizeof text - 1; length++) {
    char *cut = malloc(length + 1); // exactly so long, for the sanitizer
    memcpy(cut, text, length);
    const char *cursor = cut;
    const hlo_shape *shape;
    hlo_error_clear(&error);
    CHECK(hlo_shape_parse(&arena, &cursor, cut + length, &shape, &error) == HLO_PARSE_ERROR);
    CHECK(cursor == cut && error.column >= 1 && error.column <= (int32_t)length + 1);
    free(cut);
  }
  CHECK(parse(text) != NULL);
}

static void test_xla(const char *path) {
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  if (file == NULL) return;
  static char line[100000];
  int count = 0;
  while (fgets(line, sizeof line, file) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    char *expected = strchr(line, '|');
    if (expected == NULL || strchr(expected + 1, '|') != NULL) continue; // one with values
    *expected++ = '\0';
    check_text(line, true, expected);
    count++;
  }
  fclose(file);
  CHECK(count > 300);
}

static void test_to_text(void) {
  char text[HLO_SHAPE_TEXT_SIZE];
  CHECK(strcmp(hlo_shape_to_text(text, parse("f32[2,3]{0,1}")), "f32[2,3]{0,1}") == 0);
  const hlo_shape *many[100];
  for (int i = 0; i < 100; i++) many[i] = hlo_shape_scalar(HLO_F32);
  const hlo_shape *tuple;
  CHECK(hlo_shape_make_tuple(&arena, 100, many, &tuple, &error) == HLO_OK);
  CHECK(strlen(hlo_shape_to_text(text, tuple)) == HLO_SHAPE_TEXT_SIZE - 1);
  CHECK(strncmp(text, "(f32[], f32[]", 13) == 0 && strcmp(text + 252, "...") == 0);
  hlo_memory_fail_after(1); // messages are made of nothing but what is there
  CHECK(strcmp(hlo_shape_to_text(text, tuple), "...") == 0);
  hlo_memory_fail_after(2);
  CHECK(strncmp(hlo_shape_to_text(text, tuple), "(f32[]", 6) == 0);
  CHECK(strcmp(text + strlen(text) - 3, "...") == 0);
  hlo_memory_fail_after(0);
}

static hlo_status make_everything(hlo_arena *a, hlo_error *e) {
  const hlo_shape *shape, *copy;
  const bool dynamic[2] = {true, false};
  HLO_TRY(hlo_shape_make_dynamic(a, HLO_F32, 2, (int64_t[]){2, 3}, dynamic, &shape, e));
  const hlo_tile tile = {1, (int64_t[]){8}};
  hlo_layout layout = {.rank = 2,
                       .minor_to_major = (int64_t[]){0, 1},
                       .padded_dims = (int64_t[]){3, 5},
                       .padding_value = "-inf",
                       .tile_count = 1,
                       .tiles = &tile,
                       .other_text = "L(2)"};
  HLO_TRY(hlo_shape_with_layout(a, shape, &layout, &shape, e));
  HLO_TRY(hlo_shape_with_type(a, shape, HLO_F64, true, &shape, e));
  const hlo_shape *elements[2] = {shape, shape};
  HLO_TRY(hlo_shape_make_tuple(a, 2, elements, &shape, e));
  HLO_TRY(hlo_shape_copy(a, shape, &copy, e));
  // Fill the block so that the next allocations need new ones.
  for (int i = 0; i < 8; i++) {
    int64_t *much;
    HLO_ALLOC(much, a, 400, e);
    HLO_TRY(hlo_shape_copy(a, shape, &copy, e));
  }
  hlo_string out = {0};
  hlo_shape_print(&out, copy, true);
  hlo_status status = hlo_string_status(&out, e);
  if (status == HLO_OK) {
    CHECK(strstr(out.text, "P(3,5;-inf)") != NULL);
    const char *cursor = out.text;
    for (int i = 0; i < 20 && status == HLO_OK; i++) {
      cursor = out.text;
      status = hlo_shape_parse(a, &cursor, out.text + out.length, &copy, e);
    }
  }
  hlo_string_free(&out);
  return status;
}

int main(void) {
  test_make();
  test_sizes();
  test_scalars();
  test_tuples();
  test_tuple_limits();
  test_equality();
  test_with_type();
  test_text();
  test_errors();
  test_cut_texts();
  test_xla("tests/c/data/xla_text.txt");
  test_to_text();
  hlo_arena_free(&arena);
  check_out_of_memory("shapes", make_everything);
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
