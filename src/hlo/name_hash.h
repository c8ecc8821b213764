// Keyed hash for tables of names from untrusted text. Colliding names can be constructed for any
// known function, so each table has a secret key, the address of its memory; after
// HLO_NAME_MOST_PROBES probes for one name it moves and rehashes. Names that collide under several
// keys in a row cannot be constructed.
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
