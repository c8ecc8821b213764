// Tests digests of programs by the vectors that SipHash's authors give: the key 00, 01, …, 0f, and
// texts 00, 01, … of growing length.
#include "check.h"

#include "text/digest.h"

#include <string.h>

int main(void) {
  // Of 0, 1, 7, 8, 15 and 63 bytes; words as they lie in memory, least byte first.
  static const struct {
    size_t length;
    uint64_t words[2];
  } wanted[] = {
      {0, {UINT64_C(0xe6a825ba047f81a3), UINT64_C(0x930255c71472f66d)}},
      {1, {UINT64_C(0x44af996bd8c187da), UINT64_C(0x45fc229b11597634)}},
      {7, {UINT64_C(0x53c1dbd8beebf1a1), UINT64_C(0x3982f01fa64ab8c0)}},
      {8, {UINT64_C(0x61f55862baa9623b), UINT64_C(0xb49714f364e2830f)}},
      {15, {UINT64_C(0x11a8b03399e99354), UINT64_C(0xd9c3cf970fec087e)}},
      {63, {UINT64_C(0x4a83502f77d15051), UINT64_C(0x7cbd3f979a063e50)}},
  };
  char text[64];
  uint64_t key[2];
  for (int i = 0; i < 64; i++) text[i] = (char)i;
  memcpy(key, text, sizeof key);
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    hlo_digest digest = hlo_digest_of(text, wanted[i].length, key);
    CHECK(digest.words[0] == wanted[i].words[0]);
    CHECK(digest.words[1] == wanted[i].words[1]);
  }
  return CHECK_RESULT();
}
