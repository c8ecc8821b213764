// Checks shape/view/index.c, layout.c and relayout.c: the examples of "Shapes and Layout",
// multi-index to linear index and back against counting through memory, copies between any two
// layouts.
#include "shape/literal.h"
#include "shape/padding.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static hlo_arena arena;
static hlo_error error;

static const hlo_shape *parse(const char *text) {
  const hlo_shape *shape = NULL;
  const char *cursor = text;
  hlo_error_clear(&error);
  hlo_status status = hlo_shape_parse(&arena, &cursor, text + strlen(text), &shape, &error);
  CHECK_MESSAGE(status == HLO_OK, "%s: %s", text, error.message);
  return shape;
}

// --- the documentation's own examples: u8 elements are the letters that it shows ---

static void check_memory(const char *to_text, const char *expected) {
  const hlo_shape *to = parse(to_text), *from = parse("u8[2,3]{1,0}");
  char memory[100] = {0};
  CHECK(hlo_shape_bytes(to) == (int64_t)strlen(expected));
  CHECK(hlo_relayout(to, memory, from, "abcdef", &error) == HLO_OK);
  CHECK_MESSAGE(strcmp(memory, expected) == 0, "%s holds %s", to_text, memory);
  char back[7] = {0};
  CHECK(hlo_relayout(from, back, to, memory, &error) == HLO_OK && strcmp(back, "abcdef") == 0);
}

static void test_documented_examples(void) {
  check_memory("u8[2,3]{0,1}", "adbecf");
  check_memory("u8[2,3]{1,0}", "abcdef");
  check_memory("u8[2,3]", "abcdef"); // "dim 0 is major" is the default
  check_memory("u8[2,3]{0,1:P(3,5;48)}", "ad0be0cf0000000");
  check_memory("u8[2,3]{1,0:P(3,5;48)}", "abc00def0000000");

  // "This is equivalent to the layout of the following array with the same order."
  const hlo_shape *padded = parse("u8[2,3]{0,1:P(3,5;48)}"), *plain = parse("u8[3,5]{0,1}");
  char a[16] = {0}, b[16] = {0};
  CHECK(hlo_relayout(padded, a, parse("u8[2,3]"), "abcdef", &error) == HLO_OK);
  CHECK(hlo_relayout(plain, b, parse("u8[3,5]"), "abc00def0000000", &error) == HLO_OK);
  CHECK(strcmp(a, b) == 0);
  for (int64_t y = 0; y < 2; y++) {
    for (int64_t x = 0; x < 3; x++) {
      const int64_t index[] = {y, x};
      CHECK(hlo_linear_index(padded, index) == hlo_linear_index(plain, index));
    }
  }
}

static void test_true_rank(void) {
  CHECK(hlo_shape_true_rank(parse("f32[]")) == 0);
  CHECK(hlo_shape_true_rank(parse("f32[1,1,1]")) == 0);
  CHECK(hlo_shape_true_rank(parse("f32[1,3,1,2]{0,2,1,3}")) == 2);
  CHECK(hlo_shape_true_rank(parse("f32[0,5]")) == 1);
}

// --- random layouts ---

static int pick(int count) { return rand() % count; }

// A layout of random order, padded with probability 1/2. Arrays live as long as the arena.
static hlo_layout random_layout(const hlo_shape *shape) {
  int64_t *order = hlo_arena_array(&arena, (size_t)shape->rank, sizeof *order);
  int64_t *padded = hlo_arena_array(&arena, (size_t)shape->rank, sizeof *padded);
  bool is_padded = pick(2) == 0;
  for (int i = 0; i < shape->rank; i++) {
    int j = pick(i + 1);
    order[i] = order[j];
    order[j] = i;
    padded[i] = shape->dims[i] + (pick(2) == 0 ? pick(4) : 0);
  }
  return (hlo_layout){
      .rank = shape->rank, .minor_to_major = order, .padded_dims = is_padded ? padded : NULL};
}

static const hlo_shape *random_shape(hlo_type type, int32_t rank, bool zeros) {
  int64_t dims[HLO_MAX_RANK];
  for (int i = 0; i < rank; i++) {
    dims[i] = rank > 8 ? 1 + (pick(12) == 0) : pick(zeros ? 5 : 4) + (zeros ? 0 : 1);
  }
  const hlo_shape *shape = NULL;
  CHECK(hlo_shape_make(&arena, type, rank, dims, &shape, &error) == HLO_OK);
  return shape;
}

static const hlo_shape *with_layout(const hlo_shape *shape, hlo_layout layout) {
  const hlo_shape *result = NULL;
  hlo_error_clear(&error);
  CHECK_MESSAGE(hlo_shape_with_layout(&arena, shape, &layout, &result, &error) == HLO_OK, "%s",
                error.message);
  return result;
}

// Walks through memory as the documentation describes it: the most minor dimension fastest, each up
// to its padded width. Knows no strides.
static void check_indices(const hlo_shape *shape, hlo_layout layout) {
  int64_t index[HLO_MAX_RANK] = {0}, strides[HLO_MAX_RANK], found[HLO_MAX_RANK];
  int64_t memory_elements = hlo_shape_memory_elements(shape), inside_count = 0;
  hlo_shape_strides(shape, strides);
  for (int64_t linear = 0; linear < memory_elements; linear++) {
    bool inside = true;
    int64_t by_strides = 0;
    for (int i = 0; i < shape->rank; i++) {
      inside = inside && index[i] < shape->dims[i];
      by_strides += index[i] * strides[i];
    }
    inside_count += inside;
    CHECK(hlo_linear_index(shape, index) == linear && by_strides == linear);
    CHECK(hlo_multi_index(shape, linear, found) == inside);
    CHECK(memcmp(found, index, (size_t)shape->rank * sizeof *index) == 0);
    for (int i = 0; i < shape->rank; i++) {
      int d = (int)layout.minor_to_major[i];
      int64_t width = layout.padded_dims != NULL ? layout.padded_dims[d] : shape->dims[d];
      if (++index[d] < width) break;
      index[d] = 0;
    }
  }
  CHECK(inside_count == hlo_shape_elements(shape));
  CHECK(!hlo_multi_index(shape, memory_elements, found) && !hlo_multi_index(shape, -1, found));
  CHECK(!hlo_multi_index(shape, INT64_MAX, found) && !hlo_multi_index(shape, INT64_MIN, found));
}

static void test_indices(void) {
  srand(3);
  for (int i = 0; i < 400; i++) {
    const hlo_shape *plain = random_shape(HLO_U8, i % 10 == 9 ? HLO_MAX_RANK : pick(6), i % 4 == 0);
    hlo_layout layout = random_layout(plain);
    if (plain->rank == HLO_MAX_RANK) layout.padded_dims = NULL;
    const hlo_shape *shape = with_layout(plain, layout);
    CHECK(hlo_shape_validate(shape, &error) == HLO_OK);
    check_indices(shape, layout);
    hlo_arena_free(&arena);
  }
}

static void test_next_index(void) {
  int64_t index[3] = {0};
  const int64_t dims[3] = {2, 1, 3};
  for (int i = 0; i < 6; i++) {
    CHECK(index[0] == i / 3 && index[1] == 0 && index[2] == i % 3);
    CHECK(hlo_next_index(3, dims, index) == (i < 5));
  }
  CHECK(index[0] == 0 && index[1] == 0 && index[2] == 0);
  CHECK(!hlo_next_index(0, NULL, NULL));
  CHECK(!hlo_next_index(2, (int64_t[]){0, 1}, index) && index[0] == 0 && index[1] == 0);
}

// --- relayout against element by element through the indices ---

static void check_relayout(const hlo_shape *to, const hlo_shape *from) {
  size_t size = (size_t)hlo_type_bytes(to->type);
  size_t to_bytes = (size_t)hlo_shape_bytes(to), from_bytes = (size_t)hlo_shape_bytes(from);
  unsigned char *source = malloc(from_bytes + 1), *target = malloc(to_bytes + 1);
  for (size_t i = 0; i < from_bytes; i++) source[i] = (unsigned char)pick(256);
  memset(target, 0xee, to_bytes + 1);
  CHECK(hlo_relayout(to, target, from, source, &error) == HLO_OK);
  CHECK(target[to_bytes] == 0xee);
  unsigned char padding[16] = {0};
  if (to->layout != NULL && to->layout->padding_value != NULL) {
    CHECK(hlo_element_parse(to->type, to->layout->padding_value, strlen(to->layout->padding_value),
                            padding, &error) == HLO_OK);
  }
  for (int64_t linear = 0; linear < hlo_shape_memory_elements(to); linear++) {
    int64_t index[HLO_MAX_RANK];
    bool inside = hlo_multi_index(to, linear, index);
    const unsigned char *expected =
        inside ? source + (size_t)hlo_linear_index(from, index) * size : padding;
    CHECK(memcmp(target + (size_t)linear * size, expected, size) == 0);
  }
  free(source);
  free(target);
}

static void test_relayout(void) {
  static const hlo_type types[] = {HLO_U8, HLO_BF16, HLO_F32, HLO_S64, HLO_C128, HLO_PRED, HLO_C64};
  static const char *const values[] = {NULL, "1", "0", NULL};
  srand(4);
  for (int i = 0; i < 500; i++) {
    hlo_type type = types[pick(7)];
    const hlo_shape *plain = random_shape(type, i % 50 == 49 ? HLO_MAX_RANK : pick(7), i % 6 == 0);
    hlo_layout to_layout = random_layout(plain), from_layout = random_layout(plain);
    if (plain->rank == HLO_MAX_RANK) to_layout.padded_dims = from_layout.padded_dims = NULL;
    to_layout.padding_value = values[pick(4)];
    if (type == HLO_F32 && pick(2) == 0) to_layout.padding_value = "-inf";
    check_relayout(with_layout(plain, to_layout), with_layout(plain, from_layout));
    check_relayout(plain, with_layout(plain, from_layout));
    check_relayout(with_layout(plain, to_layout), plain);
    hlo_arena_free(&arena);
  }
}

static void test_relayout_errors(void) {
  char a[64], b[64] = {0};
  CHECK(hlo_relayout(parse("f32[2]"), a, parse("f32[3]"), b, &error) == HLO_SHAPE_ERROR);
  CHECK(strstr(error.message, "f32[2]") != NULL && strstr(error.message, "f32[3]") != NULL);
  CHECK(hlo_relayout(parse("f32[2]"), a, parse("s32[2]"), b, &error) == HLO_SHAPE_ERROR);
  CHECK(hlo_relayout(parse("f32[2]"), a, parse("f32[2,1]"), b, &error) == HLO_SHAPE_ERROR);
  CHECK(hlo_relayout(parse("(f32[2])"), a, parse("(f32[2])"), b, &error) == HLO_SHAPE_ERROR);
  CHECK(hlo_relayout(parse("token[]"), a, parse("token[]"), b, &error) == HLO_SHAPE_ERROR);
  CHECK(hlo_relayout(parse("f32[<=2]"), a, parse("f32[2]"), b, &error) == HLO_OK);
  hlo_error_clear(&error);
}

// --- packing: an array's bits are its elements' one after the other, low bits first ---

static void check_packed(const char *to_text, const char *from_text, const char *from,
                         size_t from_size, const char *expected, size_t expected_size) {
  const hlo_shape *to = parse(to_text), *source = parse(from_text);
  char memory[64];
  memset(memory, 0x55, sizeof memory);
  CHECK(hlo_shape_bytes(source) == (int64_t)from_size);
  CHECK_MESSAGE(hlo_shape_bytes(to) == (int64_t)expected_size, "%s has %lld bytes", to_text,
                (long long)hlo_shape_bytes(to));
  CHECK(hlo_relayout(to, memory, source, from, &error) == HLO_OK);
  CHECK_MESSAGE(memcmp(memory, expected, expected_size) == 0, "%s from %s", to_text, from_text);
  CHECK(memory[expected_size] == 0x55);
}

static void test_packing(void) {
  check_packed("u4[5]{0:E(4)}", "u4[5]", "\1\2\3\4\5", 5, "\x21\x43\x05", 3);
  check_packed("u4[5]", "u4[5]{0:E(4)}", "\x21\x43\xf5", 3, "\1\2\3\4\5", 5);
  check_packed("s4[4]", "s4[4]{0:E(4)}", "\xf8\x07", 2, "\xf8\xff\x07\x00", 4);
  check_packed("s4[4]{0:E(4)}", "s4[4]", "\xf8\xff\x07\x00", 4, "\xf8\x07", 2);
  check_packed("u2[5]{0:E(2)}", "u2[5]", "\0\1\2\3\2", 5, "\xe4\x02", 2);
  check_packed("s2[5]", "s2[5]{0:E(2)}", "\xe4\x02", 2, "\0\1\xfe\xff\xfe", 5);
  check_packed("s2[3]{0:E(4)}", "s2[3]{0:E(2)}", "\x0d", 1, "\xf1\x00", 2);
  check_packed("pred[9]{0:E(1)}", "pred[9]", "\1\0\1\0\0\0\0\1\1", 9, "\x85\x01", 2);
  check_packed("pred[9]", "pred[9]{0:E(1)}", "\x85\xff", 2, "\1\0\1\0\0\0\0\1\1", 9);
  check_packed("f4e2m1fn[3]{0:E(4)}", "f4e2m1fn[3]", "\x0f\x02\x09", 3, "\x2f\x09", 2);
  check_packed("u4[2,3]{0,1:E(4)}", "u4[2,3]", "\1\2\3\4\5\6", 6, "\x41\x52\x63", 3);
  check_packed("u4[2,3]{0,1:E(4)P(3,4;7)}", "u4[2,3]{1,0:E(4)}", "\x21\x43\x65", 3,
               "\x41\x27\x75\x63\x77\x77", 6);
  check_packed("u4[0]{0:E(4)P(3;9)}", "u4[0]", "", 0, "\x99\x09", 2);
  check_packed("u4[]{:E(4)}", "u4[]", "\x0b", 1, "\x0b", 1);
  check_packed("u8[2]{0:E(8)}", "u8[2]", "ab", 2, "ab", 2); // eight bits pack nothing
}

// --- what a layout may be ---

static void test_default(void) {
  CHECK(hlo_layout_is_default(NULL));
  hlo_layout layout = {.rank = 2, .minor_to_major = (int64_t[]){1, 0}};
  CHECK(hlo_layout_is_default(&layout) && hlo_layout_equal(&layout, NULL));
  layout.memory_space = 1;
  CHECK(hlo_layout_is_default(&layout) && !hlo_layout_equal(NULL, &layout));
  layout.element_bits = 4;
  CHECK(!hlo_layout_is_default(&layout));
  layout.element_bits = 0;
  layout.padded_dims = (int64_t[]){4, 4};
  CHECK(!hlo_layout_is_default(&layout));
  hlo_layout columns = {.rank = 2, .minor_to_major = (int64_t[]){0, 1}};
  CHECK(!hlo_layout_is_default(&columns) && hlo_layout_equal(&columns, &columns));
}

static bool accepts(const char *shape, hlo_layout layout) {
  const hlo_shape *result = NULL;
  hlo_error_clear(&error);
  hlo_status status = hlo_shape_with_layout(&arena, parse(shape), &layout, &result, &error);
  CHECK(status == error.status && (status == HLO_OK || status == HLO_SHAPE_ERROR));
  if (status == HLO_OK) CHECK(hlo_shape_validate(result, &error) == HLO_OK);
  return status == HLO_OK;
}

static void test_validation(void) {
  int64_t rows[] = {1, 0}, twice[] = {1, 1}, outside[] = {2, 0}, negative[] = {-1, 0};
  int64_t wide[] = {3, 5}, narrow[] = {2, 2}, huge[] = {1LL << 40, 1LL << 30};
  CHECK(accepts("f32[2,3]", (hlo_layout){.rank = 2, .minor_to_major = rows}));
  CHECK(!accepts("f32[2,3]", (hlo_layout){.rank = 1, .minor_to_major = rows}));
  CHECK(!accepts("f32[2,3]", (hlo_layout){.rank = 2, .minor_to_major = twice}));
  CHECK(!accepts("f32[2,3]", (hlo_layout){.rank = 2, .minor_to_major = outside}));
  CHECK(!accepts("f32[2,3]", (hlo_layout){.rank = 2, .minor_to_major = negative}));
  CHECK(!accepts("(f32[2,3])", (hlo_layout){.rank = 0}));
  CHECK(!accepts("token[]", (hlo_layout){.rank = 0}));
  hlo_layout padded = {.rank = 2, .minor_to_major = rows, .padded_dims = wide};
  CHECK(accepts("f32[2,3]", padded));
  padded.padding_value = "nan";
  CHECK(accepts("f32[2,3]", padded) && !accepts("s32[2,3]", padded));
  padded.padding_value = "";
  CHECK(!accepts("f32[2,3]", padded));
  padded.padding_value = "LOWEST_PAD";
  CHECK(accepts("f32[2,3]", padded) && accepts("s4[2,3]", padded) && !accepts("c64[2,3]", padded));
  padded.padding_value = "INVALID_PAD";
  CHECK(!accepts("f32[2,3]", padded));
  padded.padding_value = NULL;
  padded.padded_dims = narrow;
  CHECK(!accepts("f32[2,3]", padded));
  padded.padded_dims = huge;
  CHECK(!accepts("f32[2,3]", padded));
  // A padding value of nothing is dropped.
  const hlo_shape *result = NULL;
  hlo_layout unpadded = {.rank = 2, .minor_to_major = rows, .padding_value = "0"};
  CHECK(hlo_shape_with_layout(&arena, parse("f32[2,3]"), &unpadded, &result, &error) == HLO_OK);
  CHECK(result->layout == NULL);
  hlo_tile tile = {1, negative};
  CHECK(!accepts("f32[2,3]",
                 (hlo_layout){.rank = 2, .minor_to_major = rows, .tile_count = 1, .tiles = &tile}));
  CHECK(!accepts("f32[2,3]", (hlo_layout){.rank = 2, .minor_to_major = rows, .memory_space = -1}));
  CHECK(!accepts("f32[2,3]", (hlo_layout){.rank = 2, .minor_to_major = rows, .element_bits = -4}));
}

static void test_named_padding(void) {
  static const struct {
    hlo_type type;
    const char *name, *value;
  } cases[] = {{HLO_F32, "ZERO_PAD", "0"},        {HLO_F32, "ONE_PAD", "1"},
               {HLO_F32, "LOWEST_PAD", "-inf"},   {HLO_F64, "HIGHEST_PAD", "inf"},
               {HLO_S8, "LOWEST_PAD", "-128"},    {HLO_U16, "HIGHEST_PAD", "65535"},
               {HLO_U16, "LOWEST_PAD", "0"},      {HLO_S64, "HIGHEST_PAD", "9223372036854775807"},
               {HLO_PRED, "LOWEST_PAD", "false"}, {HLO_PRED, "HIGHEST_PAD", "true"},
               {HLO_PRED, "ONE_PAD", "true"},     {HLO_F8E4M3FN, "HIGHEST_PAD", "448"},
               {HLO_F4E2M1FN, "LOWEST_PAD", "-6"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    unsigned char got[16] = {0}, want[16] = {0};
    CHECK(hlo_padding_parse(cases[i].type, cases[i].name, got, &error) == HLO_OK);
    CHECK(hlo_element_parse(cases[i].type, cases[i].value, strlen(cases[i].value), want, &error) ==
          HLO_OK);
    CHECK(memcmp(got, want, 16) == 0);
  }
}

int main(void) {
  test_documented_examples();
  test_true_rank();
  test_next_index();
  test_indices();
  test_relayout();
  test_relayout_errors();
  test_packing();
  test_default();
  test_validation();
  test_named_padding();
  hlo_arena_free(&arena);
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
