// Arenas over the allocator of memory.h. See arena.h.
#include "base/arena.h"
#include "base/guard.h"
#include "base/machine.h"

#include <stdbool.h>
#include <string.h>

enum {
  FIRST_CAPACITY = 8, // of a list
  ARENA_ALIGNMENT = 16,
};

struct hlo_arena_block {
  hlo_arena_block *previous;
  size_t size; // of the bytes that follow this header
  size_t last; // where the last allocation's guard record stands, in builds that have those
};

static char *block_bytes(hlo_arena_block *block) { return (char *)block + HLO_MEMORY_ALIGNMENT; }

static bool add_block(hlo_arena *arena, size_t size) {
  size_t wanted = arena->block == NULL ? HLO_ARENA_FIRST_BLOCK : arena->block->size * 2;
  if (wanted > HLO_ARENA_LARGEST_BLOCK) wanted = HLO_ARENA_LARGEST_BLOCK;
  if (wanted < size) wanted = size;
  if (wanted > SIZE_MAX - HLO_MEMORY_ALIGNMENT) return false;
  hlo_arena_block *block = hlo_memory_alloc(wanted + HLO_MEMORY_ALIGNMENT);
  if (block == NULL) return false;
  block->previous = arena->block;
  block->size = wanted;
  block->last = 0;
  hlo_guard_reclose(block_bytes(block), wanted);
  arena->block = block;
  arena->used = 0;
  return true;
}

// With checked guards, a record precedes each allocation to find the guards again: the position of
// the record before it, and the requested size.
typedef struct guard_record {
  size_t previous, size;
} guard_record;
enum { RECORD = HLO_GUARDS && !HLO_IS_SANITIZED ? ARENA_ALIGNMENT : 0 };

static void add_record(hlo_arena_block *block, size_t at, size_t size) {
  if (RECORD == 0) return;
  guard_record record = {block->last, size};
  memcpy(block_bytes(block) + at - RECORD, &record, sizeof record);
  block->last = at;
}

// Checks the guards of the block's allocations from `used` on, and removes their records.
static void check_records(hlo_arena_block *block, size_t used) {
  while (RECORD != 0 && block->last > used) {
    guard_record record;
    char *data = block_bytes(block) + block->last;
    memcpy(&record, data - RECORD, sizeof record);
    hlo_guard_check(data + record.size, (0 - record.size) % ARENA_ALIGNMENT + HLO_GUARD_SIZE);
    block->last = record.previous;
  }
}

static void *bump(hlo_arena *arena, size_t size, size_t alignment) {
  if (size > SIZE_MAX / 2) return NULL;
  size_t rounded = (size + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
  if (rounded == 0) rounded = ARENA_ALIGNMENT;
  size_t taken = rounded + HLO_GUARD_SIZE;
  // blocks are aligned to HLO_MEMORY_ALIGNMENT
  size_t skipped = RECORD + (0 - arena->used - RECORD) % alignment;
  if (arena->block == NULL || arena->block->size - arena->used < skipped ||
      arena->block->size - arena->used - skipped < taken) {
    skipped = RECORD + (0 - (size_t)RECORD) % alignment;
    if (!add_block(arena, skipped + taken)) return NULL;
  }
  size_t at = arena->used + skipped;
  char *result = block_bytes(arena->block) + at;
  add_record(arena->block, at, size);
  arena->used = at + taken;
  hlo_guard_close(result + size, taken - size);
  hlo_guard_open(result, size);
  return result;
}

void *hlo_arena_alloc(hlo_arena *arena, size_t size) {
  void *result = bump(arena, size, ARENA_ALIGNMENT);
  if (result != NULL) memset(result, 0, size);
  return result;
}

void *hlo_arena_array_raw(hlo_arena *arena, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  return bump(arena, bytes, HLO_MEMORY_ALIGNMENT);
}

void *hlo_arena_array(hlo_arena *arena, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  return hlo_arena_alloc(arena, bytes);
}

void *hlo_arena_grow_list(hlo_arena *arena, void *list, int32_t count, int32_t *capacity,
                          size_t size) {
  if (count < *capacity) return list;
  if (*capacity > INT32_MAX / 2) return NULL;
  int32_t larger = *capacity == 0 ? FIRST_CAPACITY : *capacity * 2;
  void *copy = hlo_arena_array(arena, (size_t)larger, size);
  if (copy == NULL) return NULL;
  if (count > 0) memcpy(copy, list, (size_t)count * size);
  *capacity = larger;
  return copy;
}

char *hlo_arena_copy_text(hlo_arena *arena, const char *text, size_t length) {
  if (length == SIZE_MAX) return NULL;
  char *copy = hlo_arena_alloc(arena, length + 1);
  if (copy != NULL && length > 0) memcpy(copy, text, length);
  return copy;
}

hlo_arena_mark hlo_arena_get_mark(const hlo_arena *arena) {
  return (hlo_arena_mark){arena->block, arena->used};
}

void hlo_arena_rewind(hlo_arena *arena, hlo_arena_mark mark) {
  while (arena->block != mark.block) {
    hlo_arena_block *previous = arena->block->previous;
    check_records(arena->block, 0);
    hlo_guard_open(block_bytes(arena->block), arena->block->size);
    hlo_memory_release(arena->block);
    arena->block = previous;
  }
  arena->used = mark.used;
  if (arena->block == NULL) return;
  check_records(arena->block, mark.used);
  hlo_guard_reclose(block_bytes(arena->block) + mark.used, arena->block->size - mark.used);
}

void hlo_arena_free(hlo_arena *arena) { hlo_arena_rewind(arena, (hlo_arena_mark){NULL, 0}); }
