// How the memory grows. Emscripten's allocator asks the host for the pages that it needs at the
// moment, and announces it here; our loader keeps no views of the memory across calls, so nobody
// else has to listen, and the module needs no import of Emscripten's.
#include <stddef.h>

enum { MOST_PAGES = 1024 }; // of 64 KB

// To grow takes V8 some tenths of a millisecond, however little it is by: with an eighth more, if
// the host gives it, the next times need not ask.
void emscripten_notify_memory_growth(size_t memory_index); // which has no header

void emscripten_notify_memory_growth(size_t memory_index) {
  size_t pages = __builtin_wasm_memory_size(0) / 8;
  (void)memory_index;
  (void)__builtin_wasm_memory_grow(0, pages < MOST_PAGES ? pages : MOST_PAGES);
}
