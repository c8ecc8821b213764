// The loop of c64 multiplication, and the function for one number, against the definition: all
// kinds of bits, all remainders of lengths, and results that overwrite an operand.
#include "check.h"

#include "base/complex.h"
#include "eval/eval.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Bits of all kinds: random patterns (most of them far apart), small integers, and numbers that
// specials, subnormals and ties are made of.
static float random_part(uint64_t *state) {
  static const float chosen[] = {0,        -0.0f,      INFINITY,      -INFINITY,    NAN,
                                 1,        -1,         0x1p-149f,     -0x1p-149f,   0x1p-126f,
                                 0x1p-75f, 0x1p-74f,   0x1p127f,      FLT_MAX,      -FLT_MAX,
                                 0x1p64f,  0x1p-24f,   0x1p-23f,      0x1p24f,      -0x1p-24f,
                                 0x1.8p0f, 0x1.8p-24f, 0x1.fffffep0f, 0x1.000002p0f};
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  uint32_t kind = (uint32_t)(*state >> 61), random = (uint32_t)(*state >> 24);
  if (kind == 0) return chosen[random % (sizeof chosen / sizeof *chosen)];
  if (kind == 1) return (float)(int32_t)(random % 8191) - 4095;
  if (kind < 4) random = (random & 0x807fffff) | 0x3f800000;  // of one size: sums cancel and tie
  if (kind == 4) random = (random & 0x80ffffff) | 0x1f000000; // products are subnormal
  float x;
  memcpy(&x, &random, sizeof x);
  return x;
}

static void check_part(float got, float wanted, const float *a, const float *b) {
  CHECK_MESSAGE((isnan(got) && isnan(wanted)) || memcmp(&got, &wanted, sizeof got) == 0,
                "(%a, %a) (%a, %a): %a, not %a", a[0], a[1], b[0], b[1], got, wanted);
}

// A double holds the exact product of two floats; the other product is rounded, then their sum, and
// that once more.
static void test_products_of_c64(void) {
  enum { N = 1023 };
  static float a[N][2], b[N][2], r[N][2];
  uint64_t state = 1;
  for (int round = 0; round < 300; round++) {
    int64_t n = round < 16 ? round : N - round % 4;
    for (int i = 0; i < N; i++) {
      for (int k = 0; k < 2; k++) a[i][k] = random_part(&state), b[i][k] = random_part(&state);
    }
    memset(r, 0x55, sizeof r);
    uint32_t after, kept = 0x55555555;
    bool in_place = round % 3 == 0;
    if (in_place) memcpy(r, a, sizeof r);
    float wanted[N][2];
    for (int64_t i = 0; i < n; i++) {
      volatile float bd = a[i][1] * b[i][1], ad = a[i][0] * b[i][1];
      volatile double ac = (double)a[i][0] * b[i][0], bc = (double)a[i][1] * b[i][0];
      wanted[i][0] = (float)(ac - bd), wanted[i][1] = (float)(bc + ad);
    }
    hlo_pointwise_get(HLO_OP_MULTIPLY, HLO_C64)(r, (const void *const[]){in_place ? r : a, b}, n);
    for (int64_t i = 0; i < n; i++) {
      hlo_c64 one = hlo_mul_c64((hlo_c64){a[i][0], a[i][1]}, (hlo_c64){b[i][0], b[i][1]});
      check_part(r[i][0], wanted[i][0], a[i], b[i]), check_part(r[i][1], wanted[i][1], a[i], b[i]);
      check_part(one.re, wanted[i][0], a[i], b[i]), check_part(one.im, wanted[i][1], a[i], b[i]);
    }
    if (in_place || n == N) continue;
    memcpy(&after, r[n], sizeof after);
    CHECK(after == kept);
  }
}

int main(void) {
  test_products_of_c64();
  return CHECK_RESULT();
}
