// The hash of tables of names that a text may choose. Names can be found whose hashes are equal
// under any function that is known: so tables hash with a key of their own, the address of their
// memory, and when one has looked at HLO_NAME_MOST_PROBES entries for one name it moves, and hashes
// anew. Names that collide under several keys in a row are out of reach.
#ifndef HLO_HLO_NAME_HASH_H
#define HLO_HLO_NAME_HASH_H

#include <stddef.h>
#include <stdint.h>

// Half full, with names that were not chosen for it, a table of 10^6 entries has no run of more
// than some 70 (D. E. Knuth, TAOCP 3, 6.4).
enum { HLO_NAME_MOST_PROBES = 256 };

// Multiplicative, eight bits at a time (D. E. Knuth, TAOCP 3, 6.4).
static inline uint32_t hlo_name_hash_at(const void *key, const char *text, size_t length) {
  uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0xd1342543de82ef95) + length;
  for (size_t i = 0; i < length; i++) {
    hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return (uint32_t)(hash >> 32);
}

#endif
