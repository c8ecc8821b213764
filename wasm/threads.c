// The exported API of threads: those that the engine's host starts, each with an instance of the
// same module on the same memory, and a stack of its own in it.
#include "threads.h"

#include "base/arena.h"
#include "kernels/pool.h"

enum { STACK = 1 << 17 }; // kernels go neither deep nor wide
_Static_assert((int)HLO_API_THREAD_COUNT_MOST == (int)HLO_POOL_THREADS, "the host knows how many");

void *hlo_api_thread_stack(void) {
  char *memory = hlo_memory_alloc(STACK);
  return memory == NULL ? NULL : memory + STACK;
}

void hlo_api_threads_set(int32_t count, int32_t may_sleep) {
  hlo_pool_set_threads(count, may_sleep != 0);
}
int32_t hlo_api_threads_know_all(void) { return hlo_pool_knows_all(); }
void hlo_api_threads_cut_all(void) { hlo_pool_cut_all(); }
void hlo_api_threads_message(void) { hlo_pool_send_message(); }

void hlo_api_thread_begin(void *stack) {
  __asm__ volatile(".globaltype __stack_pointer, i32\n"
                   "local.get %0\n"
                   "global.set __stack_pointer\n"
                   :
                   : "r"(stack));
}
void hlo_api_thread_work(int32_t thread) { hlo_pool_work(thread); }
void hlo_api_thread_message_read(int32_t thread) { hlo_pool_message_read(thread); }
void hlo_api_thread_fail(void) { hlo_pool_fail(); }
