// A short name for a program: equal for equal texts, and for others not, whoever wrote them.
#ifndef HLO_TEXT_DIGEST_H
#define HLO_TEXT_DIGEST_H

#include <stddef.h>
#include <stdint.h>

// SipHash-2-4 with 128 bits of result (J.-P. Aumasson, D. J. Bernstein: "SipHash: a fast
// short-input PRF", 2012), of which texts with the same digest cannot be constructed without the
// key.
typedef struct hlo_digest {
  uint64_t words[2];
} hlo_digest;

hlo_digest hlo_digest_of(const char *text, size_t length, const uint64_t key[2]);

#endif
