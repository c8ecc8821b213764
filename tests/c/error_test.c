// Checks base/error.c and base/string.c: formats, the first error wins, messages that are cut,
// growing strings and their end of memory.
#include "base/error.h"

#include "base/arena.h"
#include "base/string.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static void test_formats(void) {
  hlo_error error = {0};
  CHECK(hlo_fail(&error, HLO_SHAPE_ERROR, "%s %.*s|%c|%d|%u|%zu|%lld|%llu|%x|%llx|%%", "abc", 2,
                 "defg", 'h', -7, 4000000000U, (size_t)5, LLONG_MIN, ULLONG_MAX, 0xbeefU,
                 0x123456789abcdefULL) == HLO_SHAPE_ERROR);
  CHECK(strcmp(error.message, "abc de|h|-7|4000000000|5|-9223372036854775808|18446744073709551615|"
                              "beef|123456789abcdef|%") == 0);
  CHECK(error.line == 0 && error.column == 0);
  hlo_error_clear(&error);
  hlo_fail(&error, HLO_SHAPE_ERROR, "%d %d %ld %s", INT_MIN, 0, -5L, (const char *)NULL);
  CHECK(strcmp(error.message, "-2147483648 0 -5 (null)") == 0);
}

static void test_first_error_wins(void) {
  hlo_error error = {0};
  CHECK(hlo_fail_at(&error, HLO_PARSE_ERROR, 3, 14, "first") == HLO_PARSE_ERROR);
  CHECK(hlo_fail(&error, HLO_RUNTIME_ERROR, "second") == HLO_PARSE_ERROR);
  hlo_error_locate(&error, 8, 9);
  CHECK(error.line == 3 && error.column == 14 && strcmp(error.message, "first") == 0);
  hlo_error_clear(&error);
  CHECK(error.status == HLO_OK && error.line == 0 && error.message[0] == '\0');
  hlo_error_locate(&error, 8, 9); // no error to locate
  CHECK(error.line == 0);
  hlo_fail(&error, HLO_RUNTIME_ERROR, "third");
  hlo_error_locate(&error, 8, 9);
  CHECK(error.status == HLO_RUNTIME_ERROR && error.line == 8 && error.column == 9);
  CHECK(hlo_fail(NULL, HLO_UNSUPPORTED, "nobody listens") == HLO_UNSUPPORTED);
  hlo_error_locate(NULL, 1, 1);
}

static void test_long_messages(void) {
  enum { LONG = 5000 };
  char *text = malloc(LONG + 1);
  memset(text, 'x', LONG);
  for (int length = HLO_ERROR_MESSAGE_SIZE - 2; length <= HLO_ERROR_MESSAGE_SIZE + 1; length++) {
    hlo_error error = {0};
    hlo_fail(&error, HLO_SHAPE_ERROR, "%.*s", length, text);
    bool fits = length < HLO_ERROR_MESSAGE_SIZE;
    size_t wanted = fits ? (size_t)length : (size_t)HLO_ERROR_MESSAGE_SIZE - 1;
    CHECK(strlen(error.message) == wanted);
    CHECK((strcmp(error.message + wanted - 3, "...") == 0) == !fits);
  }
  text[LONG] = '\0';
  hlo_error error = {0};
  hlo_fail(&error, HLO_SHAPE_ERROR, "%s", text);
  CHECK(strlen(error.message) == HLO_ERROR_MESSAGE_SIZE - 1);
  free(text);
}

static void test_names(void) {
  CHECK(strcmp(hlo_status_name(HLO_OK), "ok") == 0);
  CHECK(strcmp(hlo_status_name(HLO_PARSE_ERROR), "parse error") == 0);
  CHECK(strcmp(hlo_status_name(HLO_CANCELLED), "cancelled") == 0);
  for (int status = -1; status <= HLO_OPEN_PROGRAM + 1; status++) {
    CHECK(hlo_status_name((hlo_status)status)[0] != '\0');
  }
}

static void test_string(void) {
  size_t before = hlo_memory_in_use();
  hlo_string s = {0};
  CHECK(hlo_string_status(&s, NULL) == HLO_OK);
  for (int i = 0; i < 1000; i++) {
    hlo_string_add(&s, "ab");
    hlo_string_add_char(&s, 'c');
    hlo_string_add_int(&s, -12);
    hlo_string_add_unsigned(&s, UINT64_MAX);
    hlo_string_add_format(&s, "<%d %s>", 5, "x");
    hlo_string_add_bytes(&s, "yz...", 2);
  }
  const char expected[] = "abc-1218446744073709551615<5 x>yz";
  CHECK(s.length == 1000 * strlen(expected) && strlen(s.text) == s.length);
  for (int i = 0; i < 1000; i++) {
    CHECK(memcmp(s.text + (size_t)i * strlen(expected), expected, strlen(expected)) == 0);
  }
  hlo_string_clear(&s);
  CHECK(s.length == 0 && s.text[0] == '\0');
  char text[1001];
  memset(text, 'q', 1000);
  text[1000] = '\0';
  hlo_string_add_format(&s, "<%s>", text); // longer than what formatting has room for at once
  CHECK(s.length == 1002 && s.text[0] == '<' && s.text[1001] == '>' && s.text[1000] == 'q');
  hlo_string_free(&s);
  CHECK(s.text == NULL && hlo_memory_in_use() == before);
}

static void test_string_out_of_memory(void) {
  size_t before = hlo_memory_in_use();
  hlo_string s = {0};
  hlo_string_add(&s, "kept");
  hlo_memory_fail_after(1);
  for (int i = 0; i < 1000; i++) hlo_string_add(&s, "0123456789");
  hlo_memory_fail_after(0);
  CHECK(s.failed && memcmp(s.text, "kept0123", 8) == 0);
  size_t length = s.length;
  hlo_string_add(&s, "more");
  hlo_string_add_format(&s, "%d", 1);
  CHECK(s.length == length && strlen(s.text) == length);
  hlo_error error = {0};
  CHECK(hlo_string_status(&s, &error) == HLO_OUT_OF_MEMORY);
  hlo_string_free(&s);
  CHECK(hlo_memory_in_use() == before);
}

int main(void) {
  test_formats();
  test_first_error_wins();
  test_long_messages();
  test_names();
  test_string();
  test_string_out_of_memory();
  return CHECK_RESULT();
}
