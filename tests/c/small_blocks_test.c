// Checks base/small_blocks.c: blocks do not overlap, neighbours that are free are joined, and
// regions are few and given back. (Under sanitizers the engine itself does not use it.)
#include "base/small_blocks.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { BLOCKS = 1500, ROUNDS = 60000 };

typedef struct block {
  unsigned char *data;
  size_t size;
  unsigned char mark;
} block;

static size_t random_size(void) {
  int32_t bits = rand() % 21;
  size_t size = (size_t)rand() % ((size_t)1 << bits);
  return rand() % 50 == 0 ? HLO_SMALL_BLOCKS_LARGEST - size / 2 : size;
}

static bool holds(const block *b) {
  for (size_t i = 0; i < b->size; i += b->size / 16 + 1)
    if (b->data[i] != b->mark) return false;
  return b->size == 0 || b->data[b->size - 1] == b->mark;
}

static void test_random(void) {
  static block blocks[BLOCKS];
  srand(7);
  for (int32_t round = 0; round < ROUNDS; round++) {
    block *b = &blocks[rand() % BLOCKS];
    if (b->data != NULL) {
      CHECK_MESSAGE(holds(b), "round %d: a block of %d bytes was overwritten", round, (int)b->size);
      hlo_small_blocks_release(b->data);
      b->data = NULL;
    }
    if (rand() % 3 == 0) continue;
    *b = (block){.size = random_size(), .mark = (unsigned char)rand()};
    b->data = hlo_small_blocks_alloc(b->size);
    CHECK(b->data != NULL && (uintptr_t)b->data % 8 == 0);
    memset(b->data, b->mark, b->size);
  }
  size_t most = hlo_small_blocks_size();
  for (int32_t i = 0; i < BLOCKS; i++) {
    if (blocks[i].data == NULL) continue;
    CHECK(holds(&blocks[i]));
    hlo_small_blocks_release(blocks[i].data);
  }
  CHECK(hlo_small_blocks_size() < most && hlo_small_blocks_size() <= 1 << 18);
}

// All that was released is one piece again: it takes blocks that fill a region, in any order.
static void test_joining(void) {
  static void *blocks[BLOCKS];
  size_t size = hlo_small_blocks_size();
  for (int32_t order = 0; order < 3; order++) {
    for (int32_t i = 0; i < BLOCKS; i++) CHECK((blocks[i] = hlo_small_blocks_alloc(100)) != NULL);
    CHECK(hlo_small_blocks_size() == size); // 1500 of 128 bytes
    for (int32_t i = 0; i < BLOCKS; i++) {
      int32_t at = order == 0 ? i : order == 1 ? BLOCKS - 1 - i : (i * 7) % BLOCKS;
      hlo_small_blocks_release(blocks[at]);
    }
  }
  void *one = hlo_small_blocks_alloc(220000);
  CHECK(one != NULL && hlo_small_blocks_size() == size);
  hlo_small_blocks_release(one);
}

static void test_few_regions(void) {
  enum { MANY = 200000 };
  void **blocks = malloc(MANY * sizeof *blocks);
  size_t last = 0;
  int32_t regions = 0;
  for (int32_t i = 0; i < MANY; i++) {
    CHECK((blocks[i] = hlo_small_blocks_alloc(200)) != NULL);
    regions += hlo_small_blocks_size() != last;
    last = hlo_small_blocks_size();
  }
  CHECK_MESSAGE(regions < 12, "%d regions", regions);
  for (int32_t i = 0; i < MANY; i++) hlo_small_blocks_release(blocks[i]);
  free(blocks);
  CHECK(hlo_small_blocks_alloc(HLO_SMALL_BLOCKS_LARGEST + 1) == NULL);
  CHECK(hlo_small_blocks_size() <= 1 << 18);
}

int main(void) {
  test_random();
  test_joining();
  test_few_regions();
  return CHECK_RESULT();
}
