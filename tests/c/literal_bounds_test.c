// Values that are not as many as their types say, or not nested alike: random lists, too long, too
// short, ragged, too deep and too shallow, of every element type, in both texts. Each is refused
// with its place, or has all its values; the address sanitizer and the guards between allocations
// (base/guard.h) watch that none is written outside of its array.
#include "base/arena.h"
#include "base/guard.h"
#include "parse_text.h"

enum { CASES = 6000, MOST_TEXT = 1 << 16 };

static uint32_t state;
static int32_t below(int32_t n) {
  state = state * 1664525u + 1013904223u;
  return (int32_t)((state >> 8) % (uint32_t)n);
}

// A list under construction: its braces, what its elements are, and where it differs from its
// shape.
typedef struct list_text {
  char text[MOST_TEXT];
  size_t length;
  int32_t rank;
  int64_t dims[4];
  bool is_mlir;
  const char *element;
  int32_t mistakes; // how many are still to be made
  bool is_wrong;
} list_text;

static void add(list_text *t, const char *text) {
  size_t length = strlen(text);
  if (t->length + length >= MOST_TEXT) return;
  memcpy(t->text + t->length, text, length + 1);
  t->length += length;
}

static void add_list(list_text *t, int32_t level, int32_t depth) {
  if (level == depth) {
    add(t, t->element);
    return;
  }
  int64_t size = level < t->rank ? t->dims[level] : 1;
  if (t->mistakes > 0 && below(3) == 0) {
    const int32_t wrong[] = {0, (int32_t)size + 1, 2 * (int32_t)size + 3, (int32_t)size - 1, 300};
    int32_t other = wrong[below(5)];
    t->is_wrong |= other >= 0 && other != size;
    if (other >= 0) size = other;
    t->mistakes--;
  }
  add(t, t->is_mlir ? "[" : "{");
  for (int64_t i = 0; i < size; i++) {
    if (i > 0) add(t, ", ");
    add_list(t, level + 1, depth);
  }
  add(t, t->is_mlir ? "]" : "}");
}

static const char *element_of(hlo_type type, bool is_mlir) {
  switch (hlo_type_get_class(type)) {
  case HLO_CLASS_PRED:
    return "true";
  case HLO_CLASS_COMPLEX:
    return is_mlir ? "(1.0, 2.0)" : "(1, 2)";
  case HLO_CLASS_FLOAT:
    return is_mlir ? "1.0" : "1";
  default:
    return "1";
  }
}

static void make_case(list_text *t, hlo_type type, bool is_mlir, char *shape, size_t room) {
  *t = (list_text){.is_mlir = is_mlir, .rank = below(4), .element = element_of(type, is_mlir)};
  size_t used = (size_t)snprintf(shape, room, is_mlir ? "tensor<" : "%s[", hlo_type_name(type));
  for (int32_t d = 0; d < t->rank; d++) {
    t->dims[d] = below(12) == 0 ? 0 : 1 + below(d == t->rank - 1 ? 70 : 4);
    used += (size_t)snprintf(shape + used, room - used,
                             is_mlir ? "%lldx"
                             : d > 0 ? ",%lld"
                                     : "%lld",
                             (long long)t->dims[d]);
  }
  snprintf(shape + used, room - used, is_mlir ? "%s>" : "]", hlo_type_mlir_name(type));
  t->mistakes = below(3);
  int32_t depth = t->rank;
  if (below(6) == 0) depth += below(2) == 0 ? 1 : -1;
  if (depth < 0) depth = 1;
  t->is_wrong = depth != t->rank && !(is_mlir && depth == 0); // one value for all elements
  add_list(t, 0, depth);
  // in place of a list: data in hexadecimal, of any length
  if (is_mlir && below(4) == 0) {
    t->length = 0;
    add(t, "\"0x");
    for (int32_t i = 2 * below(300) + (below(8) == 0); i > 0; i--) add(t, "0");
    add(t, "\"");
    t->is_wrong = false; // may be right
  }
}

static void test_text(const char *text, bool is_mlir, bool is_wrong) {
  size_t before = hlo_memory_in_use();
  hlo_module *module = NULL;
  hlo_error error = {0};
  hlo_text_format format = is_mlir ? HLO_FORMAT_STABLEHLO : HLO_FORMAT_HLO;
  hlo_status status = hlo_parse(text, strlen(text), format, &module, &error);
  CHECK_MESSAGE(status != HLO_OK || !is_wrong, "accepted: %.300s", text);
  CHECK_MESSAGE(status == HLO_OK || (error.line > 0 && error.column > 0), "no place: %s",
                error.message);
  hlo_module_destroy(module);
  CHECK(hlo_memory_in_use() == before);
}

static void test_random(void) {
  static list_text t;
  static char program[MOST_TEXT + 512];
  int32_t right = 0;
  for (int32_t i = 0; i < CASES; i++) {
    state = (uint32_t)i * 7919u + 1u;
    hlo_type type = (hlo_type)below(HLO_TYPE_COUNT);
    char shape[128];
    bool is_mlir = below(2) == 0;
    if (hlo_type_get_class(type) == HLO_CLASS_OTHER) continue;
    make_case(&t, type, is_mlir, shape, sizeof shape);
    if (is_mlir)
      snprintf(
          program, sizeof program,
          "func.func @main() -> %s {\n%%0 = stablehlo.constant dense<%s> : %s\nreturn %%0 : %s\n}",
          shape, t.text, shape, shape);
    else snprintf(program, sizeof program, "ENTRY e {\nROOT r = %s constant(%s)\n}", shape, t.text);
    // Lists of nothing are alike where an outer dimension is 0; so only arrays with elements are
    // judged.
    bool has_elements = true;
    for (int32_t d = 0; d < t.rank; d++) has_elements = has_elements && t.dims[d] > 0;
    test_text(program, is_mlir, t.is_wrong && has_elements);
    right += !t.is_wrong;
  }
  CHECK(right > CASES / 10 && right < CASES * 9 / 10);
}

// One row more than the type has, each longer than what lies behind the array.
static void test_long_rows(void) {
  enum { ELEMENTS = 200000 };
  char *text = malloc(3 * (size_t)ELEMENTS * 2 + 1000);
  for (int32_t rows = 2; rows <= 3; rows++) {
    char *at = text + sprintf(text,
                              "func.func @main() -> tensor<1x%dxi64> {\n%%0 = stablehlo."
                              "constant dense<[",
                              (int)ELEMENTS);
    for (int32_t row = 0; row < rows; row++) {
      at += sprintf(at, row > 0 ? ",[" : "[");
      for (int32_t i = 0; i < ELEMENTS; i++) at += sprintf(at, i > 0 ? ",1" : "1");
      at += sprintf(at, "]");
    }
    sprintf(at, "]> : tensor<1x%dxi64>\nreturn %%0 : tensor<1x%dxi64>\n}", (int)ELEMENTS,
            (int)ELEMENTS);
    test_text(text, true, true);
  }
  free(text);
}

// Behind every allocation stands a guard, if this build has any.
static void test_guards(void) {
#if HLO_IS_SANITIZED
  hlo_arena arena = {0};
  for (int32_t size = 1; size < 200; size++) {
    char *a = hlo_arena_alloc(&arena, (size_t)size);
    char *b = hlo_arena_array_raw(&arena, (size_t)size, 1);
    char *c = hlo_memory_alloc((size_t)size);
    CHECK(__asan_region_is_poisoned(a, (size_t)size) == NULL);
    CHECK(__asan_address_is_poisoned(a + size) && __asan_address_is_poisoned(a + size + 15));
    CHECK(__asan_address_is_poisoned(b + size) && __asan_address_is_poisoned(b + size + 15));
    CHECK(__asan_address_is_poisoned(c + size) && __asan_address_is_poisoned(c + size + 47));
    hlo_memory_release(c);
  }
  hlo_arena_mark mark = hlo_arena_get_mark(&arena);
  char *after = hlo_arena_alloc(&arena, 8);
  hlo_arena_rewind(&arena, mark);
  CHECK(arena.block == mark.block && __asan_address_is_poisoned(after));
  hlo_arena_free(&arena);
#else
  CHECK(HLO_GUARD_SIZE == 0);
#endif
}

int main(void) {
  test_guards();
  test_long_rows();
  test_random();
  return CHECK_RESULT();
}
