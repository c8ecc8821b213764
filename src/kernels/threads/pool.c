// A thread pool: workers claim parts by decrementing a shared counter of those left. A page's main
// thread may not block, so thread 0 spins. See pool.h.
#include "kernels/pool.h"
#include "kernels/machine.h"

#if !defined(__wasm__)
#include <sched.h>
#endif
#include <stdalign.h>
#include <stdatomic.h>

// Fields written at different times are on separate cache lines, to avoid false sharing.
typedef struct pool {
  int32_t threads;
  bool cuts_all, may_sleep;
  // The current work: written by thread 0 while `left` is 0, read by threads that have decremented
  // it.
  alignas(HLO_LINE_BYTES) hlo_part *part;
  void *work;
  int32_t parts;
  _Atomic int32_t left; // parts that nobody has taken
  _Atomic int32_t done;
  atomic_bool busy, naps, failed;
  alignas(HLO_LINE_BYTES) _Atomic uint32_t changes; // of what threads look at
  _Atomic int32_t sleepers;
  alignas(HLO_LINE_BYTES) _Atomic uint32_t sent, read[HLO_POOL_THREADS]; // messages
  // In nanoseconds: little work that was done alone while all slept, and all that was cut since
  // they were woken because of that; it takes so many times what is worth it.
  alignas(HLO_LINE_BYTES) double alone, cut;
  int32_t patience;
} pool;

static pool the_pool = {.threads = 1, .patience = 1};

// Sleeps until `changes` differs from `seen`; spurious wake-ups are possible.
static void sleep_until_change(uint32_t seen) {
#if defined(__wasm__)
  __builtin_wasm_memory_atomic_wait32((int32_t *)(void *)&the_pool.changes, (int32_t)seen, -1);
#else
  (void)seen; // natively only tests have threads
  sched_yield();
#endif
}

// Yields: on an oversubscribed machine another thread may need this processor.
static void nap(int32_t done) {
#if defined(__wasm__)
  atomic_store(&the_pool.naps, true);
  __builtin_wasm_memory_atomic_wait32((int32_t *)(void *)&the_pool.done, done, HLO_POOL_NAP_NS);
  atomic_store(&the_pool.naps, false);
#else
  (void)done;
  sched_yield();
#endif
}

// Counts finished parts; the last one wakes thread 0.
static void count_done(int32_t parts) {
  int32_t before = atomic_fetch_add(&the_pool.done, 1);
#if defined(__wasm__)
  if (before + 1 == parts && atomic_load(&the_pool.naps)) {
    __builtin_wasm_memory_atomic_notify((int32_t *)(void *)&the_pool.done, 1);
  }
#else
  (void)before, (void)parts;
#endif
}

static void notify_sleepers(void) {
  atomic_fetch_add(&the_pool.changes, 1);
#if defined(__wasm__)
  // A thread registers in `sleepers` before its last check of `changes`, so no wake-up is lost.
  if (atomic_load(&the_pool.sleepers) != 0) {
    __builtin_wasm_memory_atomic_notify((int32_t *)(void *)&the_pool.changes, HLO_POOL_THREADS);
  }
#endif
}

static void wait_for_change(uint32_t seen) {
  for (int i = 0; i < HLO_POOL_LOOKS; i++) {
    if (atomic_load_explicit(&the_pool.changes, memory_order_relaxed) != seen) return;
  }
  atomic_fetch_add(&the_pool.sleepers, 1);
  sleep_until_change(seen);
  atomic_fetch_sub(&the_pool.sleepers, 1);
}

// Claims a part and runs it. False if none is left.
static bool run_next_part(int32_t thread) {
  int32_t left = atomic_load_explicit(&the_pool.left, memory_order_acquire);
  while (left > 0) {
    if (atomic_compare_exchange_weak_explicit(&the_pool.left, &left, left - 1, memory_order_acq_rel,
                                              memory_order_acquire)) {
      int32_t parts = the_pool.parts; // which is the next work's as soon as this part is counted
      the_pool.part(the_pool.work, parts - left, thread);
      count_done(parts);
      return true;
    }
  }
  return false;
}

// Waits until the parts claimed by other threads are done.
static void await_parts(void) {
  for (int looks = 0;; looks++) {
    int32_t done = atomic_load_explicit(&the_pool.done, memory_order_acquire);
    if (done == the_pool.parts) return;
    if (atomic_load_explicit(&the_pool.failed, memory_order_relaxed)) __builtin_trap();
    if (looks >= HLO_POOL_LOOKS && the_pool.may_sleep) nap(done);
  }
}

// Occasional small work, among much that is not parallel, should let the others sleep; frequent
// small work should wake them.
static bool is_worth_waking(double nanoseconds) {
  if (nanoseconds >= HLO_POOL_WORTH_WAKING_NS) return true;
  the_pool.alone += nanoseconds;
  if (the_pool.alone < (double)the_pool.patience * HLO_POOL_WORTH_WAKING_NS) return false;
  bool in_vain = the_pool.cut < HLO_POOL_WORTH_WAKING_NS;
  if (!in_vain) the_pool.patience = 1;
  else if (the_pool.patience < HLO_POOL_MOST_PATIENCE) the_pool.patience *= 2;
  the_pool.alone = the_pool.cut = 0;
  return true;
}

int32_t hlo_pool_threads(void) { return the_pool.threads; }

int32_t hlo_pool_parts(int64_t count, double nanoseconds) {
  // Nested work runs on the calling thread.
  if (the_pool.threads < 2 || atomic_load_explicit(&the_pool.busy, memory_order_relaxed)) return 1;
  int64_t parts = (int64_t)the_pool.threads * HLO_POOL_PARTS_PER_THREAD;
  if (count < parts) parts = count;
  if (nanoseconds / HLO_POOL_PART_NS < (double)parts && !the_pool.cuts_all) {
    parts = (int64_t)(nanoseconds / HLO_POOL_PART_NS);
  }
  if (parts < 2) return 1;
  int32_t asleep = atomic_load_explicit(&the_pool.sleepers, memory_order_relaxed);
  bool all_sleep = asleep == the_pool.threads - 1 && !the_pool.cuts_all;
  if (all_sleep && !is_worth_waking(nanoseconds)) return 1;
  the_pool.cut += nanoseconds;
  return (int32_t)parts;
}

void hlo_pool_cut_all(void) { the_pool.cuts_all = true; }

void hlo_pool_run(hlo_part *part, void *work, int32_t parts) {
  // Nested work runs on the calling thread.
  bool alone = the_pool.threads < 2 || parts < 2 ||
               atomic_load_explicit(&the_pool.busy, memory_order_relaxed);
  for (int32_t i = 0; alone && i < parts; i++) part(work, i, 0);
  if (alone) return;
  atomic_store_explicit(&the_pool.busy, true, memory_order_relaxed);
  the_pool.part = part;
  the_pool.work = work;
  the_pool.parts = parts;
  atomic_store_explicit(&the_pool.done, 0, memory_order_relaxed);
  atomic_store_explicit(&the_pool.left, parts, memory_order_release);
  notify_sleepers();
  while (run_next_part(0)) continue;
  await_parts();
  atomic_store_explicit(&the_pool.busy, false, memory_order_relaxed);
}

void hlo_pool_set_threads(int32_t count, bool may_sleep) {
  the_pool.may_sleep = may_sleep;
  the_pool.threads = count < HLO_POOL_THREADS ? count : HLO_POOL_THREADS;
  // Threads terminated in their sleep have not left `sleepers`.
  if (count < 2) atomic_store(&the_pool.sleepers, 0);
}

void hlo_pool_send_message(void) {
  atomic_fetch_add(&the_pool.sent, 1);
  notify_sleepers();
}

bool hlo_pool_knows_all(void) {
  uint32_t sent = atomic_load_explicit(&the_pool.sent, memory_order_relaxed);
  bool all = true;
  for (int32_t i = 1; i < the_pool.threads; i++) {
    all = all && atomic_load_explicit(&the_pool.read[i], memory_order_acquire) == sent;
  }
  return all;
}

void hlo_pool_work(int32_t thread) {
  for (;;) {
    uint32_t seen = atomic_load(&the_pool.changes);
    while (run_next_part(thread)) continue;
    if (atomic_load(&the_pool.sent) != atomic_load(&the_pool.read[thread])) return;
    wait_for_change(seen);
  }
}

void hlo_pool_message_read(int32_t thread) { atomic_fetch_add(&the_pool.read[thread], 1); }

void hlo_pool_fail(void) { atomic_store(&the_pool.failed, true); }
