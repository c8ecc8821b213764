// Scanning the text forms of this folder: a position in a text, blanks and comments, integers, and
// errors that carry the position.
#ifndef HLO_SHAPE_SCAN_H
#define HLO_SHAPE_SCAN_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct hlo_scan {
  const char *start; // error columns count from here
  const char *at;
  const char *end;
  hlo_error *error;
} hlo_scan;

// Fails with the position of `at`.
hlo_status hlo_scan_fail(const hlo_scan *scan, const char *at, hlo_status status,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));
// HLO_PARSE_ERROR at the current position: "expected WANTED but found ...".
hlo_status hlo_scan_expected(const hlo_scan *scan, const char *wanted);
// Adds this position to the error of a call that knew none.
hlo_status hlo_scan_locate(const hlo_scan *scan, const char *at, hlo_status status);

void hlo_scan_skip_blanks(hlo_scan *scan); // and /*comments*/, // to the end of the line
// After blanks: whether c is next; accept consumes it.
bool hlo_scan_peek(hlo_scan *scan, char c);
bool hlo_scan_accept(hlo_scan *scan, char c);
hlo_status hlo_scan_expect(hlo_scan *scan, char c);
// After blanks: decimal digits. A value beyond 63 bits is an error.
hlo_status hlo_scan_size(hlo_scan *scan, int64_t *out);
// The position, as often as needed: name characters [A-Za-z0-9_] from `at` on.
size_t hlo_scan_name_length(const hlo_scan *scan);
// After an opening bracket at scan->at: the position after the matching one, or NULL.
const char *hlo_scan_matching(const hlo_scan *scan);

#endif
