// Taps of windows against the definition, position by position, and at the ends of 64 bits.
#include "check.h"
#include "kernels/window/window_taps.h"

#include <string.h>

static uint64_t random_state = 12345;

static int64_t draw(int64_t low, int64_t high) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return low + (int64_t)((random_state >> 33) % (uint64_t)(high - low + 1));
}

static void set_field(int64_t *field, int64_t size, int64_t stride, int64_t low, int64_t high,
                      int64_t base_dilation, int64_t window_dilation) {
  field[HLO_WINDOW_SIZE] = size;
  field[HLO_WINDOW_STRIDE] = stride;
  field[HLO_WINDOW_PAD_LOW] = low;
  field[HLO_WINDOW_PAD_HIGH] = high;
  field[HLO_WINDOW_LHS_DILATION] = base_dilation;
  field[HLO_WINDOW_RHS_DILATION] = window_dilation;
  field[HLO_WINDOW_REVERSAL] = 0;
}

// The element of the base under a tap, or -1 over padding and holes.
static int64_t element_under(const int64_t *field, int64_t position, int64_t tap, int64_t size) {
  int64_t place = position * field[HLO_WINDOW_STRIDE] + tap * field[HLO_WINDOW_RHS_DILATION] -
                  field[HLO_WINDOW_PAD_LOW];
  if (place < 0 || place % field[HLO_WINDOW_LHS_DILATION] != 0) return -1;
  int64_t element = place / field[HLO_WINDOW_LHS_DILATION];
  return element < size ? element : -1;
}

static void check_tap(const int64_t *field, int64_t tap, int64_t size, int64_t positions) {
  hlo_tap got = hlo_tap_of(field, tap, size, positions);
  int64_t seen = 0;
  for (int64_t o = 0; o < positions; o++) {
    int64_t wanted = element_under(field, o, tap, size);
    if (wanted < 0) continue;
    CHECK(seen < got.count);
    CHECK(got.position + seen * got.position_step == o);
    CHECK(got.base + seen * got.base_step == wanted);
    seen++;
  }
  CHECK(got.count == seen);
}

static void test_one_dimension(void) {
  for (int i = 0; i < 3000; i++) {
    int64_t field[HLO_WINDOW_FIELDS], positions, size = draw(0, 7);
    set_field(field, draw(1, 5), draw(1, 6), draw(-6, 9), draw(-6, 9), draw(1, 6), draw(1, 4));
    CHECK(hlo_window_positions(field, size, &positions));
    for (int64_t tap = 0; tap < field[HLO_WINDOW_SIZE]; tap++) {
      check_tap(field, tap, size, positions);
    }
  }
}

// The walk meets exactly what each position's window covers, in row-major order of the taps.
static void test_walk(void) {
  for (int i = 0; i < 300; i++) {
    int64_t fields[2 * HLO_WINDOW_FIELDS], sizes[2], positions[2], last[2] = {-1, -1};
    int64_t met = 0, wanted = 0;
    hlo_taps taps;
    for (int d = 0; d < 2; d++) {
      int64_t *field = fields + d * HLO_WINDOW_FIELDS;
      sizes[d] = draw(0, 4);
      set_field(field, draw(1, 4), draw(1, 3), draw(-2, 5), draw(-2, 5), draw(1, 3), draw(1, 3));
      CHECK(hlo_window_positions(field, sizes[d], &positions[d]));
    }
    bool more = hlo_taps_start(&taps, 2, fields, sizes, positions);
    for (; more; more = hlo_taps_next(&taps)) {
      const int64_t *number = taps.numbers;
      CHECK(number[0] > last[0] || (number[0] == last[0] && number[1] > last[1]));
      CHECK(taps.taps[0].count > 0 && taps.taps[1].count > 0);
      met += taps.taps[0].count * taps.taps[1].count;
      memcpy(last, number, sizeof last);
    }
    for (int64_t a = 0; a < fields[HLO_WINDOW_SIZE]; a++) {
      for (int64_t b = 0; b < fields[HLO_WINDOW_FIELDS + HLO_WINDOW_SIZE]; b++) {
        for (int64_t p = 0; p < positions[0]; p++) {
          for (int64_t q = 0; q < positions[1]; q++) {
            wanted += element_under(fields, p, a, sizes[0]) >= 0 &&
                      element_under(fields + HLO_WINDOW_FIELDS, q, b, sizes[1]) >= 0;
          }
        }
      }
    }
    CHECK(met == wanted);
  }
}

// Windows far larger than their base: only the taps near it are visited.
static void test_huge_window(void) {
  int64_t field[HLO_WINDOW_FIELDS], size = 3, positions, far = (int64_t)1 << 60;
  hlo_taps taps;
  set_field(field, far, 1, far - 1, 0, 1, 1);
  CHECK(hlo_window_positions(field, size, &positions));
  CHECK(positions == 3);
  CHECK(hlo_taps_start(&taps, 1, field, &size, &positions));
  int64_t visited = 1;
  for (; hlo_taps_next(&taps); visited++) {
  }
  CHECK(visited == 3); // positions 0, 1, 2 see one, two, three elements
  CHECK(taps.numbers[0] == far - 3);
}

// Numbers near the ends of 64 bits must neither overflow nor loop.
static void test_extremes(void) {
  const int64_t numbers[] = {
      INT64_MIN,     INT64_MIN + 1, -1 - INT64_MAX / 2, -5,       -1, 0, 1, 7,
      INT64_MAX / 2, INT64_MAX - 7, INT64_MAX - 1,      INT64_MAX};
  enum { COUNT = sizeof numbers / sizeof *numbers };
  for (int i = 0; i < 40000; i++) {
    int64_t field[HLO_WINDOW_FIELDS], positions, size = draw(0, 5);
    int64_t values[6];
    for (int k = 0; k < 6; k++) {
      values[k] = draw(0, 2) == 0 ? numbers[draw(0, COUNT - 1)] : draw(-3, 6);
      bool positive = k != 2 && k != 3;
      if (positive && values[k] < 1) values[k] = 1;
    }
    set_field(field, values[0], values[1], values[2], values[3], values[4], values[5]);
    if (!hlo_window_positions(field, size, &positions) || positions > 1000) continue;
    hlo_taps taps;
    int64_t visited = 0;
    bool more = hlo_taps_start(&taps, 1, field, &size, &positions);
    for (; more && visited < 50; visited++, more = hlo_taps_next(&taps)) {
      const hlo_tap *tap = &taps.taps[0];
      CHECK(tap->position >= 0 && tap->base >= 0 && tap->count > 0);
      CHECK(tap->position + (tap->count - 1) * tap->position_step < positions);
      CHECK(tap->base + (tap->count - 1) * tap->base_step < size);
    }
  }
}

int main(void) {
  test_one_dimension();
  test_walk();
  test_huge_window();
  test_extremes();
  return CHECK_RESULT();
}
