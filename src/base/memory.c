// The counting allocator. See memory.h.
#include "base/memory.h"
#include "base/guard.h"
#include "base/machine.h"
#include "base/small_blocks.h"

#include <stdbool.h>
#include <stdlib.h>

static size_t in_use, peak, limit = SIZE_MAX;
static int64_t fail_after;
static uint64_t refused; // bytes of the last request, of interest if it failed

// In front of every block.
typedef struct memory_header memory_header;
struct memory_header {
  void *base; // what the allocator below gave
  size_t size;
  memory_header *previous, *next; // in the list of an attempt; to itself: in none
};

static memory_header *header_of(void *pointer) { return (memory_header *)pointer - 1; }

// --- kept blocks ---

// A free list of the smallest blocks: loops of scalar steps allocate and release one after the
// other. (The engine allocates on one thread only.) Disabled under sanitizers, which would miss
// uses after free.
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

// --- the allocators below ---

// Readable padding after a block of that size.
static size_t room_behind(size_t size) {
  return (size <= HLO_MEMORY_SMALL_BLOCK ? HLO_MEMORY_SMALL_BLOCK - size : 0) + HLO_MEMORY_SLACK;
}

enum { IN_FRONT = sizeof(memory_header) + HLO_MEMORY_ALIGNMENT };

static bool is_small(size_t size) {
  return !HLO_IS_SANITIZED && size <= HLO_SMALL_BLOCKS_LARGEST - IN_FRONT - HLO_MEMORY_SLACK;
}

static void *allocate_base(size_t size) {
  size_t bytes = IN_FRONT + size + room_behind(size);
  return is_small(size) ? hlo_small_blocks_alloc(bytes) : malloc(bytes);
}

static void release_base(const memory_header *header) {
  if (is_small(header->size)) hlo_small_blocks_release(header->base);
  else free(header->base);
}

static void *allocate_or_trim(size_t size) {
  void *base = allocate_base(size);
  if (base != NULL || free_blocks == NULL) return base;
  for (void *block; (block = pop_free_block()) != NULL;) release_base(header_of(block));
  return allocate_base(size);
}

// --- attempts ---

static bool is_attempted;
static memory_header attempt = {.previous = &attempt, .next = &attempt}; // the ends of its list

static void add_to_attempt(memory_header *header) {
  *header = (memory_header){header->base, header->size, header, header};
  if (!is_attempted) return;
  header->next = attempt.next;
  header->previous = &attempt;
  header->next->previous = header;
  attempt.next = header;
}

static void remove_from_attempt(memory_header *header) {
  header->previous->next = header->next;
  header->next->previous = header->previous;
  header->previous = header->next = header;
}

void hlo_memory_begin_attempt(void) { is_attempted = true; }

void hlo_memory_end_attempt(void) {
  is_attempted = false;
  while (attempt.next != &attempt) remove_from_attempt(attempt.next);
}

void hlo_memory_abandon_attempt(void) {
  is_attempted = false;
  while (attempt.next != &attempt) hlo_memory_release(attempt.next + 1);
}

// --- blocks ---

void *hlo_memory_alloc(size_t size) {
  refused = size;
  if (fail_after > 0 && --fail_after == 0) return NULL;
  if (size > SIZE_MAX / 2 || size + IN_FRONT > limit || in_use > limit - size - IN_FRONT)
    return NULL;
  char *data = size <= HLO_MEMORY_SMALL_BLOCK ? pop_free_block() : NULL;
  if (data == NULL) {
    char *base = allocate_or_trim(size);
    if (base == NULL) return NULL;
    size_t past = ((uintptr_t)base + IN_FRONT) % HLO_MEMORY_ALIGNMENT;
    data = base + IN_FRONT - past;
    header_of(data)->base = base;
  }
  header_of(data)->size = size;
  add_to_attempt(header_of(data));
  in_use += size;
  if (in_use > peak) peak = in_use;
  hlo_guard_close(data + size, room_behind(size));
  return data;
}

void hlo_memory_release(void *pointer) {
  if (pointer == NULL) return;
  memory_header *header = header_of(pointer);
  char *end = (char *)pointer + header->size;
  remove_from_attempt(header);
  in_use -= header->size;
  hlo_guard_check(end, room_behind(header->size));
  hlo_guard_open(end, room_behind(header->size));
  if (!push_free_block(pointer, header->size)) release_base(header);
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
