// See digest.h.
#include "text/digest.h"

#include <string.h>

static uint64_t rotate(uint64_t x, int count) { return x << count | x >> (64 - count); }

static void mix(uint64_t v[4], int rounds) {
  for (int i = 0; i < rounds; i++) {
    v[0] += v[1];
    v[2] += v[3];
    v[1] = rotate(v[1], 13) ^ v[0];
    v[3] = rotate(v[3], 16) ^ v[2];
    v[0] = rotate(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = rotate(v[1], 17) ^ v[2];
    v[3] = rotate(v[3], 21) ^ v[0];
    v[2] = rotate(v[2], 32);
  }
}

static void add_word(uint64_t v[4], uint64_t word) {
  v[3] ^= word;
  mix(v, 2);
  v[0] ^= word;
}

hlo_digest hlo_digest_of(const char *text, size_t length, const uint64_t key[2]) {
  uint64_t v[] = {key[0] ^ UINT64_C(0x736f6d6570736575),
                  key[1] ^ UINT64_C(0x646f72616e646f6d) ^ 0xee,
                  key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
  uint64_t word;
  size_t at = 0;
  for (; length - at >= sizeof word; at += sizeof word) {
    memcpy(&word, text + at, sizeof word);
    add_word(v, word);
  }
  word = 0;
  if (at < length) memcpy(&word, text + at, length - at);
  add_word(v, word | (uint64_t)length << 56);
  hlo_digest digest;
  v[2] ^= 0xee;
  mix(v, 4);
  digest.words[0] = v[0] ^ v[1] ^ v[2] ^ v[3];
  v[1] ^= 0xdd;
  mix(v, 4);
  digest.words[1] = v[0] ^ v[1] ^ v[2] ^ v[3];
  return digest;
}
