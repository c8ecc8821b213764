// What the builds export beside include/hlo.h: threads that the engine's host starts, each with an
// instance of the same module on the same memory, and a stack of its own in it. See kernels/pool.h.
#ifndef HLO_WASM_THREADS_H
#define HLO_WASM_THREADS_H

#include "hlo.h"

// The top of a stack for another thread, NULL without memory. It stays until the engine ends, since
// a thread that is being ended may still use it.
HLO_API void *hlo_api_thread_stack(void);

typedef enum hlo_api_thread_count {
  HLO_API_THREAD_COUNT_MOST = 16, // the engine's own is one of them
} hlo_api_thread_count;

// What the engine's own thread calls.
HLO_API void hlo_api_threads_set(int32_t count, int32_t may_sleep);
HLO_API int32_t hlo_api_threads_know_all(void);
HLO_API void hlo_api_threads_cut_all(void);
HLO_API void hlo_api_threads_message(void);

// What another thread's instance calls, its first call being this one.
HLO_API void hlo_api_thread_begin(void *stack);
HLO_API void hlo_api_thread_work(int32_t thread);
HLO_API void hlo_api_thread_message_read(int32_t thread);
HLO_API void hlo_api_thread_fail(void);

#endif
