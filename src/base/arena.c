// Arenas over a counting allocator. See arena.h.
#include "base/arena.h"
#include "base/guard.h"
#include "base/machine.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
  FIRST_CAPACITY = 8, // of a list
  ARENA_ALIGNMENT = 16,
  MEMORY_ALIGNMENT = 64,
};

struct hlo_arena_block {
  hlo_arena_block *previous;
  size_t size; // of the bytes that follow this header
  size_t last; // where the last allocation's guard record stands, in builds that have those
};

static size_t in_use, peak, limit = SIZE_MAX;
static int64_t fail_after;
static uint64_t refused; // bytes of the last request, of interest if it failed

// Before every allocation stands its size and the address that malloc gave.
typedef struct memory_header {
  void *base;
  size_t size;
} memory_header;

// A free list of small blocks: loops of scalar steps allocate and release one after the other. (The
// engine allocates on one thread only.) Disabled under sanitizers, which would miss uses after
// free.
enum { KEPT_BLOCKS = HLO_IS_SANITIZED ? 0 : 256 };
typedef struct free_block {
  struct free_block *next;
} free_block;
static free_block *free_blocks;
static int32_t free_block_count;

static void *pop_free_block(void) {
  free_block *block = free_blocks;
  if (block == NULL) return NULL;
  free_blocks = block->next;
  free_block_count--;
  return block;
}

static bool push_free_block(void *pointer, size_t size) {
  if (size > HLO_MEMORY_SMALL_BLOCK || free_block_count >= KEPT_BLOCKS) return false;
  free_block *block = pointer;
  block->next = free_blocks;
  free_blocks = block;
  free_block_count++;
  return true;
}

// malloc; on failure releases the free list, which may fragment the heap, and tries again.
static void *allocate_or_trim(size_t size) {
  void *memory = malloc(size);
  if (memory != NULL || free_blocks == NULL) return memory;
  for (char *block; (block = pop_free_block()) != NULL;) {
    memory_header header;
    memcpy(&header, block - sizeof header, sizeof header);
    free(header.base);
  }
  return malloc(size);
}

// Readable padding after a block of that size.
static size_t room_behind(size_t size) {
  return (size <= HLO_MEMORY_SMALL_BLOCK ? HLO_MEMORY_SMALL_BLOCK - size : 0) + HLO_MEMORY_SLACK;
}

void *hlo_memory_alloc(size_t size) {
  refused = size;
  if (fail_after > 0 && --fail_after == 0) return NULL;
  const size_t extra = sizeof(memory_header) + MEMORY_ALIGNMENT;
  if (size > SIZE_MAX / 2 || size + extra > limit || in_use > limit - size - extra) return NULL;
  char *data = size <= HLO_MEMORY_SMALL_BLOCK ? pop_free_block() : NULL;
  memory_header header;
  if (data != NULL) {
    memcpy(&header, data - sizeof header, sizeof header);
  } else {
    size_t room = size <= HLO_MEMORY_SMALL_BLOCK ? HLO_MEMORY_SMALL_BLOCK : size;
    header.base = allocate_or_trim(room + extra + HLO_MEMORY_SLACK);
    if (header.base == NULL) return NULL;
    uintptr_t start = (uintptr_t)header.base + extra;
    data = (char *)header.base + ((start & ~(uintptr_t)(MEMORY_ALIGNMENT - 1)) - (start - extra));
  }
  header.size = size;
  memcpy(data - sizeof header, &header, sizeof header);
  in_use += size;
  if (in_use > peak) peak = in_use;
  hlo_guard_close(data + size, room_behind(size));
  return data;
}

void hlo_memory_release(void *pointer) {
  if (pointer == NULL) return;
  memory_header header;
  memcpy(&header, (char *)pointer - sizeof header, sizeof header);
  in_use -= header.size;
  hlo_guard_check((char *)pointer + header.size, room_behind(header.size));
  hlo_guard_open((char *)pointer + header.size, room_behind(header.size));
  if (!push_free_block(pointer, header.size)) free(header.base);
}

size_t hlo_memory_in_use(void) { return in_use; }
size_t hlo_memory_peak(void) { return peak; }
void hlo_memory_set_limit(size_t bytes) { limit = bytes; }
void hlo_memory_fail_after(int64_t n) { fail_after = n; }

hlo_status hlo_fail_out_of_memory(hlo_error *error) {
  if (refused > SIZE_MAX / 2)
    return hlo_fail(error, HLO_OUT_OF_MEMORY,
                    "out of memory: %llu bytes were asked for, and one block has at most %zu",
                    (unsigned long long)refused, (size_t)SIZE_MAX / 2);
  bool is_room = refused <= limit && in_use <= limit - (size_t)refused;
  return hlo_fail(error, HLO_OUT_OF_MEMORY,
                  "out of memory: %llu bytes were asked for, %zu are in use, the limit is %zu%s",
                  (unsigned long long)refused, in_use, limit,
                  is_room ? ", and no free piece is so large" : "");
}

static char *block_bytes(hlo_arena_block *block) { return (char *)block + MEMORY_ALIGNMENT; }

static bool add_block(hlo_arena *arena, size_t size) {
  size_t wanted = arena->block == NULL ? HLO_ARENA_FIRST_BLOCK : arena->block->size * 2;
  if (wanted > HLO_ARENA_LARGEST_BLOCK) wanted = HLO_ARENA_LARGEST_BLOCK;
  if (wanted < size) wanted = size;
  if (wanted > SIZE_MAX - MEMORY_ALIGNMENT) return false;
  hlo_arena_block *block = hlo_memory_alloc(wanted + MEMORY_ALIGNMENT);
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
  // blocks are aligned to MEMORY_ALIGNMENT
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
  return bump(arena, bytes, MEMORY_ALIGNMENT);
}

void *hlo_arena_array(hlo_arena *arena, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
  return hlo_arena_alloc(arena, bytes);
}

void *hlo_arena_make_room(hlo_arena *arena, void *list, int32_t count, int32_t *capacity,
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
