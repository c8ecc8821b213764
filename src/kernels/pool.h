// The thread pool of the kernels. Threads share the engine's memory; thread 0 is the engine's own
// and the only one that starts work.
#ifndef HLO_KERNELS_POOL_H
#define HLO_KERNELS_POOL_H

#include "kernels/backend.h"

enum { HLO_POOL_THREADS = 16 }; // at most

// For thread 0: parallel, parts, threads and threads_know_functions of hlo_backend.
void hlo_pool_run(hlo_part *part, void *work, int32_t parts);
int32_t hlo_pool_parts(int64_t count, double nanoseconds);
int32_t hlo_pool_threads(void);
bool hlo_pool_knows_all(void);
// From now on threads 1 … count - 1 take parts; they may still be on their way to hlo_pool_work.
// 1: none do any more. They may be ended then, unless work is under way. may_sleep: this thread may
// wait in the way that a page's main thread may not.
void hlo_pool_set_threads(int32_t count, bool may_sleep);
// Splits all work, however small: for tests.
void hlo_pool_cut_all(void);
// Makes every thread return from hlo_pool_work to read a message from its host. hlo_pool_knows_all
// is false until all threads have called hlo_pool_message_read.
void hlo_pool_send_message(void);

// For the other threads: waits for work and runs its parts, until there is a message to read.
void hlo_pool_work(int32_t thread);
void hlo_pool_message_read(int32_t thread);
// For a thread whose part cannot be finished: ends thread 0's wait for it, by a trap there.
void hlo_pool_fail(void);

#endif
