// What wasm builds have in place of parts of the C library, under other names, beside this
// machine's library: words and texts of few letters, which often nearly match.
#include "eval_fixture.h"

#include <string.h>

char *tested_strstr(const char *text, const char *word);
char *tested_strchr(const char *text, int character);
size_t tested_strspn(const char *text, const char *characters);
size_t tested_strcspn(const char *text, const char *characters);
#define strstr  tested_strstr
#define strchr  tested_strchr
#define strspn  tested_strspn
#define strcspn tested_strcspn
#include "../../wasm/text_functions.c"
#undef strstr
#undef strchr
#undef strspn
#undef strcspn

enum { LONGEST_TEXT = 12, LONGEST_WORD = 5, ROUNDS = 20000 };

static void random_letters(char *out, int64_t longest, int64_t letters) {
  int64_t length = random_below(longest + 1);
  for (int64_t i = 0; i < length; i++) out[i] = (char)('a' + random_below(letters));
  out[length] = '\0';
}

int main(void) {
  int64_t found = 0;
  for (int round = 0; round < ROUNDS; round++) {
    char text[LONGEST_TEXT + 1], word[LONGEST_WORD + 1];
    int64_t letters = 1 + random_below(6);
    random_letters(text, LONGEST_TEXT, letters);
    random_letters(word, LONGEST_WORD, letters);
    const char *want = strstr(text, word);
    found += want != NULL;
    CHECK_MESSAGE(tested_strstr(text, word) == want, "\"%s\" in \"%s\"", word, text);
    CHECK_MESSAGE(tested_strchr(text, word[0]) == strchr(text, word[0]), "\"%c\" in \"%s\"",
                  word[0], text);
    CHECK_MESSAGE(tested_strspn(text, word) == strspn(text, word) &&
                      tested_strcspn(text, word) == strcspn(text, word),
                  "characters of \"%s\" at the start of \"%s\"", word, text);
  }
  CHECK(found > ROUNDS / 4 && found < ROUNDS);
  return CHECK_RESULT();
}
