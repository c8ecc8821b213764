// Status codes and the located error that every fallible function of the engine reports.
#ifndef HLO_BASE_ERROR_H
#define HLO_BASE_ERROR_H

#include <stdarg.h>
#include <stdint.h>

typedef enum hlo_status {
  HLO_OK = 0,
  HLO_PARSE_ERROR,      // text or bytes that are not a program; carries line and column
  HLO_SHAPE_ERROR,      // a documented constraint on shapes, types or attributes does not hold
  HLO_UNSUPPORTED,      // well-formed, but this engine cannot run it
  HLO_INVALID_ARGUMENT, // a caller's mistake: wrong number of inputs, bad handle, bad index
  HLO_OUT_OF_MEMORY,    // the allocator, or the limit set for it, said no
  HLO_RUNTIME_ERROR,    // found while running: deadlock, failed check
  HLO_CANCELLED,        // the host asked the run to stop
  HLO_OPEN_PROGRAM,     // sizes depend on arguments that the parser was told too little about
} hlo_status;

enum { HLO_ERROR_MESSAGE_SIZE = 2048 };

// Zero-initialise before use. The first error wins: later calls of hlo_fail leave it as it is.
// line and column are 1-based positions in the program text, 0 when there is none.
typedef struct hlo_error {
  hlo_status status;
  int32_t line;
  int32_t column;
  char message[HLO_ERROR_MESSAGE_SIZE];
} hlo_error;

// Records an error and returns its status (the first recorded one's if there was one already).
// Formats: %s %.*s %c %d %u %zu %lld %llu %x %%. A message that does not fit is cut, ending in
// "...".
hlo_status hlo_fail(hlo_error *error, hlo_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The same with a position in the program text.
hlo_status hlo_fail_at(hlo_error *error, hlo_status status, int32_t line, int32_t column,
                       const char *format, ...) __attribute__((format(printf, 5, 6)));

// Adds a position to an error that has none yet.
void hlo_error_locate(hlo_error *error, int32_t line, int32_t column);

// Makes the error usable again.
void hlo_error_clear(hlo_error *error);

// The status's name for people and for JavaScript's error classes: "parse error", "shape error",
// ...
const char *hlo_status_name(hlo_status status);

// Writes at most size bytes including the final zero; returns the length it would have had.
int32_t hlo_format(char *out, int32_t size, const char *format, va_list arguments);

#define HLO_TRY(call)                                                                              \
  do {                                                                                             \
    hlo_status hlo_try_status = (call);                                                            \
    if (hlo_try_status != HLO_OK) return hlo_try_status;                                           \
  } while (0)

#endif
