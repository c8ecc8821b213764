// Real threads in the pool: each part of any work runs once, parts that start work carry it out,
// kernels give the bits that one thread gives, messages are heard. Also sound under
// -fsanitize=thread.
#include "kernels/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "kernels/simd/kernels.h"

enum { THREADS = 4, MOST_PARTS = 100 };

static atomic_bool stops;
static atomic_int heard;

static void *other_thread(void *number) {
  int32_t thread = (int32_t)(intptr_t)number;
  while (!atomic_load(&stops)) {
    hlo_pool_work(thread);
    atomic_fetch_add(&heard, 1);
    hlo_pool_message_read(thread);
  }
  return NULL;
}

typedef struct counted_work {
  int32_t runs[MOST_PARTS]; // of each part: no two parts write the same
  bool nested, wrong[MOST_PARTS];
  struct counted_work *inner; // of each part
} counted_work;

static void count_part(void *data, int32_t part, int32_t thread) {
  counted_work *work = data;
  work->runs[part]++;
  work->wrong[part] = thread < 0 || thread >= THREADS;
  if (work->nested) hlo_pool_run(count_part, &work->inner[part], 3);
}

static void test_parts(int32_t parts, bool nested) {
  counted_work work = {.nested = nested};
  if (nested) work.inner = calloc(MOST_PARTS, sizeof *work.inner);
  hlo_pool_run(count_part, &work, parts);
  bool right = true;
  for (int32_t i = 0; i < MOST_PARTS; i++) {
    right = right && work.runs[i] == (i < parts) && !work.wrong[i];
    for (int32_t j = 0; nested && j < 4; j++) {
      right = right && work.inner[i].runs[j] == (i < parts && j < 3);
    }
  }
  CHECK(right);
  free(work.inner);
}

static void fill(float *data, int64_t count, uint32_t seed) {
  for (int64_t i = 0; i < count; i++) {
    seed = seed * 1664525 + 1013904223;
    data[i] = (float)(int32_t)seed / 2147483648.0f;
  }
}

static void dot(const float *a, const float *b, int64_t m, int64_t n, int64_t k, float *c) {
  void *scratch = aligned_alloc(64, ((size_t)hlo_kernel_dot_f32_scratch(n, k) + 127) / 64 * 64);
  hlo_kernel_dot_f32(m, n, k, a, k, b, n, c, n, scratch, NULL);
  free(scratch);
}

// Whether an element is as near to its sum as f32 gets.
static bool is_right(const float *a, const float *b, int64_t n, int64_t k, const float *c,
                     int64_t at) {
  double sum = 0, size = 0;
  for (int64_t l = 0; l < k; l++) {
    double product = (double)a[at / n * k + l] * b[l * n + at % n];
    sum += product;
    size += product < 0 ? -product : product;
  }
  double error = c[at] - sum;
  return (error < 0 ? -error : error) <= size * 1e-6 + 1e-30;
}

static void test_dot(int64_t m, int64_t n, int64_t k) {
  size_t size = (size_t)(m * n) * sizeof(float);
  float *a = malloc((size_t)(m * k) * sizeof *a), *b = malloc((size_t)(k * n) * sizeof *b);
  float *one = malloc(size), *many = malloc(size);
  fill(a, m * k, 1);
  fill(b, k * n, 2);
  hlo_pool_set_threads(1, false);
  CHECK(hlo_pool_parts(100, 1e9) == 1);
  dot(a, b, m, n, k, one);
  bool right = true;
  for (int64_t at = 0; at < m * n; at += m * n < 9999 ? 1 : 37) {
    right = right && is_right(a, b, n, k, one, at);
  }
  CHECK(right);
  hlo_pool_set_threads(THREADS, false);
  CHECK(hlo_pool_parts(100, 1e9) > 1);
  dot(a, b, m, n, k, many);
  CHECK(memcmp(one, many, size) == 0);
  free(a), free(b), free(one), free(many);
}

int main(void) {
  pthread_t threads[THREADS];
  for (intptr_t i = 1; i < THREADS; i++) {
    CHECK(pthread_create(&threads[i], NULL, other_thread, (void *)i) == 0);
  }
  hlo_pool_set_threads(THREADS, false);
  CHECK(hlo_pool_parts(100, 10) == 1); // so little work is not worth it
  CHECK(hlo_pool_knows_all());
  hlo_pool_send_message();
  for (int i = 0; i < 3000; i++) test_parts(i % MOST_PARTS, i % 7 == 0);
  while (!hlo_pool_knows_all()) sched_yield();
  CHECK(atomic_load(&heard) == THREADS - 1);
  hlo_pool_cut_all();
  int64_t sizes[][3] = {{97, 33, 300}, {1, 333, 70}, {5, 1000, 64}, {200, 1, 77},
                        {13, 700, 20}, {7, 9, 513},  {4000, 5, 30}, {250, 300, 600}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    test_dot(sizes[i][0], sizes[i][1], sizes[i][2]);
  }
  atomic_store(&stops, true);
  hlo_pool_send_message();
  for (int i = 1; i < THREADS; i++) pthread_join(threads[i], NULL);
  return CHECK_RESULT();
}
