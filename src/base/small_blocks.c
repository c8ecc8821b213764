// Small blocks in regions of their own. See small_blocks.h.
#include "base/small_blocks.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum {
  ALIGNMENT = 16,
  FIRST_REGION = 1 << 18, // bytes; the regions grow up to
  LARGEST_REGION = 1 << 25,
  STEP_BITS = 3, // lists for each power of two: 1 << STEP_BITS
  STEPS = 1 << STEP_BITS,
  LEVELS = 26, // powers of two up to the largest region
};

// A piece of a region, free or taken. What follows the header is the block; in a free piece, its
// neighbours in the list of pieces of about its size.
typedef struct piece {
  struct piece *before; // the piece in front of it in the region, NULL: it is the first
  size_t size;          // bytes with the header, a multiple of ALIGNMENT; the lowest bit: free
#if UINTPTR_MAX == UINT32_MAX
  uint32_t unused[2];
#endif
} piece;
_Static_assert(sizeof(piece) == ALIGNMENT, "blocks are aligned");

typedef struct free_links {
  piece *next, *previous;
} free_links;

enum { SMALLEST = sizeof(piece) + ALIGNMENT };
_Static_assert(sizeof(free_links) <= ALIGNMENT, "a free piece has room for its links");

static uint32_t used_levels;             // bit i: level i has a list that is not empty
static uint32_t used_steps[LEVELS];      // likewise of the lists of a level
static piece *free_lists[LEVELS][STEPS]; // of pieces of at least the list's size
static piece *first_region;              // which is kept
static size_t total_size;

size_t hlo_small_blocks_size(void) { return total_size; }

static bool is_free(const piece *p) { return (p->size & 1) != 0; }
static size_t size_of(const piece *p) { return p->size & ~(size_t)1; }
static piece *piece_behind(const piece *p) { return (piece *)((char *)p + size_of(p)); }
static free_links *links_of(piece *p) { return (free_links *)(p + 1); }

typedef struct list_place {
  int32_t level, step;
} list_place;

// The list with the largest size that is at most `size`.
static list_place place_of(size_t size) {
  int32_t level = 31 - __builtin_clz((uint32_t)size);
  return (list_place){level, (int32_t)(size >> (level - STEP_BITS)) & (STEPS - 1)};
}

static void add_free(piece *p) {
  list_place at = place_of(size_of(p));
  piece *next = free_lists[at.level][at.step];
  *links_of(p) = (free_links){next, NULL};
  if (next != NULL) links_of(next)->previous = p;
  free_lists[at.level][at.step] = p;
  used_steps[at.level] |= 1u << at.step;
  used_levels |= 1u << at.level;
  p->size |= 1;
}

static void remove_free(piece *p) {
  list_place at = place_of(size_of(p));
  free_links links = *links_of(p);
  p->size = size_of(p);
  if (links.next != NULL) links_of(links.next)->previous = links.previous;
  if (links.previous != NULL) {
    links_of(links.previous)->next = links.next;
    return;
  }
  free_lists[at.level][at.step] = links.next;
  if (links.next != NULL) return;
  used_steps[at.level] &= ~(1u << at.step);
  if (used_steps[at.level] == 0) used_levels &= ~(1u << at.level);
}

// A free piece of at least that size, from the first list all of whose pieces are; NULL: none.
static piece *find_free(size_t size) {
  uint32_t top = 31 - (uint32_t)__builtin_clz((uint32_t)size);
  list_place at = place_of(size + ((size_t)1 << (top - STEP_BITS)) - 1);
  uint32_t steps = used_steps[at.level] & (~0u << at.step);
  if (steps == 0) {
    uint32_t levels = used_levels & (~1u << at.level);
    if (levels == 0) return NULL;
    at.level = __builtin_ctz(levels);
    steps = used_steps[at.level];
  }
  return free_lists[at.level][__builtin_ctz(steps)];
}

// One free piece, and a taken one without a block at the end, whose neighbour after nobody asks
// for.
static bool add_region(size_t needed) {
  size_t size = total_size < FIRST_REGION ? FIRST_REGION : total_size;
  if (size > LARGEST_REGION) size = LARGEST_REGION;
  if (size < 2 * needed) size = 2 * needed;
  piece *first = malloc(size + sizeof(piece));
  if (first == NULL) first = malloc((size = needed) + sizeof(piece));
  if (first == NULL) return false;
  *first = (piece){.size = size};
  *piece_behind(first) = (piece){.before = first, .size = 0};
  if (first_region == NULL) first_region = first;
  total_size += size;
  add_free(first);
  return true;
}

void *hlo_small_blocks_alloc(size_t size) {
  if (size > HLO_SMALL_BLOCKS_LARGEST) return NULL;
  size = (size + sizeof(piece) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (size < SMALLEST) size = SMALLEST;
  piece *p = find_free(size);
  // What is found is larger by up to a step than what is looked for.
  if (p == NULL && add_region(size + size / STEPS / ALIGNMENT * ALIGNMENT + ALIGNMENT))
    p = find_free(size);
  if (p == NULL) return NULL;
  remove_free(p);
  size_t rest = p->size - size;
  if (rest >= SMALLEST) {
    piece *behind = piece_behind(p);
    p->size = size;
    piece *left = piece_behind(p);
    *left = (piece){.before = p, .size = rest};
    behind->before = left;
    add_free(left);
  }
  return p + 1;
}

void hlo_small_blocks_release(void *pointer) {
  piece *p = (piece *)pointer - 1, *behind = piece_behind(p);
  if (is_free(behind)) {
    remove_free(behind);
    p->size += behind->size;
  }
  if (p->before != NULL && is_free(p->before)) {
    piece *before = p->before;
    remove_free(before);
    before->size += p->size;
    p = before;
  }
  behind = piece_behind(p);
  behind->before = p;
  if (p->before == NULL && behind->size == 0 && p != first_region) {
    total_size -= p->size;
    free(p);
  } else {
    add_free(p);
  }
}
