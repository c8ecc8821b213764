// Places of what is true. See true_places.h.
#include "kernels/indexed/true_places.h"

#include <string.h>

enum { WORD = 8, LANES = 16, MOST = 255 }; // as many as a byte can count
typedef uint8_t byte_vector __attribute__((vector_size(LANES)));

int64_t hlo_count_true(int64_t size, const uint8_t *marks) {
  int64_t count = 0, i = 0;
  while (i + LANES <= size) {
    byte_vector counts = {0}, some;
    int64_t end = i + MOST * LANES;
    for (; i + LANES <= size && i < end; i += LANES) {
      memcpy(&some, marks + i, sizeof some);
      counts -= (byte_vector)(some != 0); // -1 where true
    }
    for (int lane = 0; lane < LANES; lane++) count += counts[lane];
  }
  for (; i < size; i++) count += marks[i] != 0;
  return count;
}

// Places are written whatever the mark is, and stay if it is true: branches that nothing predicts
// would cost more.
void hlo_true_places(const uint8_t *marks, int64_t count, int32_t *places) {
  int64_t found = 0;
  int32_t place = 0;
  // Eight at a time while all of them, if true, have room.
  for (; found + WORD <= count; place += WORD) {
    uint64_t word;
    memcpy(&word, marks + place, sizeof word);
    if (word == 0) continue;
    for (int i = 0; i < WORD; i++) {
      places[found] = place + i;
      found += marks[place + i] != 0;
    }
  }
  for (; found < count; place++) {
    places[found] = place;
    found += marks[place] != 0;
  }
}
