// A position in a text. See scan.h.
#include "shape/scan.h"

#include "base/checked.h"

static int32_t column_of(const hlo_scan *scan, const char *at) {
  ptrdiff_t offset = at - scan->start;
  return offset >= INT32_MAX ? INT32_MAX : (int32_t)offset + 1;
}

hlo_status hlo_scan_locate(const hlo_scan *scan, const char *at, hlo_status status) {
  if (status != HLO_OK) hlo_error_locate(scan->error, 1, column_of(scan, at));
  return status;
}

hlo_status hlo_scan_fail(const hlo_scan *scan, const char *at, hlo_status status,
                         const char *format, ...) {
  char message[256];
  va_list args;
  va_start(args, format);
  hlo_format(message, sizeof message, format, args);
  va_end(args);
  return hlo_fail_at(scan->error, status, 1, column_of(scan, at), "%s", message);
}

hlo_status hlo_scan_expected(const hlo_scan *scan, const char *wanted) {
  if (scan->at >= scan->end) {
    return hlo_scan_fail(scan, scan->at, HLO_PARSE_ERROR, "expected %s but the text ends", wanted);
  }
  unsigned char c = (unsigned char)*scan->at;
  if (c < 0x20 || c >= 0x7f) {
    return hlo_scan_fail(scan, scan->at, HLO_PARSE_ERROR, "expected %s but found the byte 0x%x",
                         wanted, (unsigned)c);
  }
  return hlo_scan_fail(scan, scan->at, HLO_PARSE_ERROR, "expected %s but found '%c'", wanted, c);
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void hlo_scan_skip_blanks(hlo_scan *scan) {
  const char *at = scan->at, *end = scan->end;
  for (;;) {
    while (at < end && is_blank(*at)) at++;
    if (end - at < 2 || at[0] != '/') break;
    if (at[1] == '/') {
      while (at < end && *at != '\n') at++;
      continue;
    }
    if (at[1] != '*') break;
    const char *close = at + 2;
    while (end - close >= 2 && !(close[0] == '*' && close[1] == '/')) close++;
    if (end - close < 2) break; // unterminated: not a comment, and '/' is an error for every caller
    at = close + 2;
  }
  scan->at = at;
}

bool hlo_scan_peek(hlo_scan *scan, char c) {
  if (scan->at < scan->end && *scan->at == c) return true;
  hlo_scan_skip_blanks(scan);
  return scan->at < scan->end && *scan->at == c;
}

bool hlo_scan_accept(hlo_scan *scan, char c) {
  if (!hlo_scan_peek(scan, c)) return false;
  scan->at++;
  return true;
}

hlo_status hlo_scan_expect(hlo_scan *scan, char c) {
  if (hlo_scan_accept(scan, c)) return HLO_OK;
  const char wanted[] = {'\'', c, '\'', '\0'};
  return hlo_scan_expected(scan, wanted);
}

hlo_status hlo_scan_size(hlo_scan *scan, int64_t *out) {
  hlo_scan_skip_blanks(scan);
  const char *first = scan->at;
  int64_t value = 0;
  while (scan->at < scan->end && *scan->at >= '0' && *scan->at <= '9') {
    if (!hlo_checked_mul(value, 10, &value) || !hlo_checked_add(value, *scan->at - '0', &value)) {
      return hlo_scan_fail(scan, first, HLO_PARSE_ERROR, "the number does not fit 64 bits");
    }
    scan->at++;
  }
  if (scan->at == first) return hlo_scan_expected(scan, "a number");
  *out = value;
  return HLO_OK;
}

size_t hlo_scan_name_length(const hlo_scan *scan) {
  const char *at = scan->at;
  while (at < scan->end && ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                            (*at >= '0' && *at <= '9') || *at == '_')) {
    at++;
  }
  return (size_t)(at - scan->at);
}

const char *hlo_scan_matching(const hlo_scan *scan) {
  int64_t depth = 0;
  for (const char *at = scan->at; at < scan->end; at++) {
    if (*at == '(') depth++;
    if (*at == ')' && --depth == 0) return at + 1;
  }
  return NULL;
}
