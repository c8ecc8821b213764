// Checks base/arena.c and base/memory.c: alignment, zeroed memory, marks, the limit, accounting,
// failing allocations.
#include "base/arena.h"

#include "base/checked.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

static bool is_zero(const void *memory, size_t size) {
  for (size_t i = 0; i < size; i++) {
    if (((const char *)memory)[i] != 0) return false;
  }
  return true;
}

static void test_allocation(void) {
  size_t before = hlo_memory_in_use();
  hlo_arena arena = {0};
  char *previous = NULL;
  srand(1);
  for (int i = 0; i < 2000; i++) {
    size_t size = (size_t)(rand() % (i % 100 == 0 ? 3000000 : 300));
    char *memory = hlo_arena_alloc(&arena, size);
    CHECK(memory != NULL && (uintptr_t)memory % 16 == 0 && memory != previous);
    CHECK(is_zero(memory, size));
    memset(memory, 0xff, size); // must not reach into anything: ASan, and zeros of later ones
    previous = memory;
  }
  char *a = hlo_arena_alloc(&arena, 0), *b = hlo_arena_alloc(&arena, 0);
  CHECK(a != NULL && b != NULL && a != b);
  char *text = hlo_arena_copy_text(&arena, "hello", 4);
  CHECK(text != NULL && strcmp(text, "hell") == 0);
  text = hlo_arena_copy_text(&arena, NULL, 0);
  CHECK(text != NULL && text[0] == '\0');
  CHECK(hlo_memory_in_use() > before);
  CHECK(hlo_memory_peak() >= hlo_memory_in_use());
  hlo_arena_free(&arena);
  CHECK(hlo_memory_in_use() == before && arena.block == NULL);
}

static void test_overflow(void) {
  hlo_arena arena = {0};
  CHECK(hlo_arena_alloc(&arena, SIZE_MAX) == NULL);
  CHECK(hlo_arena_alloc(&arena, SIZE_MAX - 7) == NULL);
  CHECK(hlo_arena_alloc(&arena, SIZE_MAX / 2) == NULL);
  CHECK(hlo_arena_array(&arena, SIZE_MAX / 8 + 2, 8) == NULL);
  CHECK(hlo_arena_array(&arena, 3, 8) != NULL);
  CHECK(hlo_arena_copy_text(&arena, "x", SIZE_MAX) == NULL);
  CHECK(hlo_memory_alloc(SIZE_MAX) == NULL && hlo_memory_alloc(SIZE_MAX - 64) == NULL);
  hlo_arena_free(&arena);
  int64_t r;
  CHECK(hlo_checked_add(INT64_MAX, 0, &r) && r == INT64_MAX && !hlo_checked_add(INT64_MAX, 1, &r));
  CHECK(hlo_checked_sub(INT64_MIN, 0, &r) && !hlo_checked_sub(INT64_MIN, 1, &r));
  CHECK(hlo_checked_mul(1LL << 31, 1LL << 31, &r) && r == 1LL << 62);
  CHECK(!hlo_checked_mul(1LL << 32, 1LL << 31, &r) && !hlo_checked_mul(INT64_MIN, -1, &r));
}

static void test_marks(void) {
  size_t before = hlo_memory_in_use();
  hlo_arena arena = {0};
  hlo_arena_mark empty = hlo_arena_get_mark(&arena);
  char *kept = hlo_arena_alloc(&arena, 100);
  memset(kept, 'k', 100);
  hlo_arena_mark mark = hlo_arena_get_mark(&arena);
  size_t in_use = hlo_memory_in_use();
  char *first = hlo_arena_alloc(&arena, 50);
  memset(first, 1, 50);
  for (int i = 0; i < 100; i++) hlo_arena_alloc(&arena, 10000);
  hlo_arena_rewind(&arena, mark);
  CHECK(hlo_memory_in_use() == in_use);
  char *again = hlo_arena_alloc(&arena, 50);
  CHECK(again == first && is_zero(again, 50));
  for (int i = 0; i < 100; i++) CHECK(kept[i] == 'k');
  hlo_arena_rewind(&arena, empty);
  CHECK(hlo_memory_in_use() == before);
}

static void test_limit(void) {
  size_t before = hlo_memory_in_use();
  hlo_memory_set_limit(before + 100000);
  CHECK(hlo_memory_alloc(200000) == NULL);
  void *a = hlo_memory_alloc(60000);
  CHECK(a != NULL && (uintptr_t)a % 64 == 0);
  CHECK(hlo_memory_in_use() == before + 60000);
  CHECK(hlo_memory_alloc(60000) == NULL);
  hlo_memory_release(a);
  a = hlo_memory_alloc(60000);
  CHECK(a != NULL);
  hlo_memory_release(a);
  hlo_memory_release(NULL);
  hlo_arena arena = {0};
  CHECK(hlo_arena_alloc(&arena, 200000) == NULL);
  CHECK(hlo_arena_alloc(&arena, 20000) != NULL);
  hlo_arena_free(&arena);
  hlo_memory_set_limit(SIZE_MAX);
  CHECK(hlo_memory_in_use() == before);
}

static hlo_status allocate_with_macro(hlo_arena *arena, size_t count, int64_t **out,
                                      hlo_error *error) {
  HLO_ALLOC(*out, arena, count, error);
  return HLO_OK;
}

static void test_failing(void) {
  hlo_memory_fail_after(2);
  void *a = hlo_memory_alloc(1), *b = hlo_memory_alloc(1), *c = hlo_memory_alloc(1);
  CHECK(a != NULL && b == NULL && c != NULL); // only that one fails
  hlo_memory_release(a);
  hlo_memory_release(c);
  hlo_arena arena = {0};
  hlo_error error = {0};
  int64_t *numbers = NULL;
  hlo_memory_fail_after(1);
  CHECK(allocate_with_macro(&arena, 5, &numbers, &error) == HLO_OUT_OF_MEMORY);
  CHECK(error.status == HLO_OUT_OF_MEMORY && error.message[0] != '\0');
  hlo_error_clear(&error);
  CHECK(allocate_with_macro(&arena, 5, &numbers, &error) == HLO_OK && is_zero(numbers, 40));
  CHECK(allocate_with_macro(&arena, SIZE_MAX / 4, &numbers, &error) == HLO_OUT_OF_MEMORY);
  hlo_arena_free(&arena);
}

static void test_attempts(void) {
  hlo_arena before = {0}, cut_off = {0}, kept = {0};
  for (int32_t i = 0; i < 50; i++) hlo_arena_alloc(&before, 100);
  void *released = hlo_memory_alloc(10);
  size_t in_use = hlo_memory_in_use();
  for (int32_t round = 0; round < 3; round++) {
    hlo_memory_begin_attempt();
    for (int32_t i = 0; i < 3000; i++) hlo_arena_alloc(&cut_off, (size_t)i);
    for (int32_t i = 0; i < 500; i++) {
      void *block = hlo_memory_alloc((size_t)i * 40);
      CHECK(block != NULL);
      if (i % 3 != 0) hlo_memory_release(block);
    }
    CHECK(hlo_memory_in_use() > in_use + 3000000);
    hlo_memory_abandon_attempt();
    CHECK(hlo_memory_in_use() == in_use);
    cut_off = (hlo_arena){0};
  }
  hlo_memory_begin_attempt();
  char *text = hlo_arena_copy_text(&kept, "kept", 4);
  hlo_memory_release(released); // which was there before
  hlo_memory_end_attempt();
  hlo_memory_begin_attempt();
  hlo_memory_abandon_attempt();
  CHECK(text != NULL && strcmp(text, "kept") == 0);
  hlo_arena_free(&kept);
  hlo_arena_free(&before);
}

int main(void) {
  test_allocation();
  test_overflow();
  test_marks();
  test_limit();
  test_failing();
  test_attempts();
  CHECK(hlo_memory_in_use() == 0);
  return CHECK_RESULT();
}
