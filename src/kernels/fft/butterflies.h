// The passes of Stockham's transform (W. T. Cochran et al., "What is the fast Fourier transform?",
// 1967) for one component type: a template, included once per type with REAL, WIDTH and PASS
// defined. Complex numbers are stored in split form (separate planes). No include guard.
//
// A pass takes number q + s (p + m k), k < radix, m = length / radix, to q + s (radix p + j): its
// transform over k, number j, times exp(-2πi p j / length). q < s = stride · lanes, p < m. Vectors
// run along q, and where s is small along p in passes of radix 4, else they hold one number.
#include "kernels/fft/fft.h"
#include "kernels/machine.h"

#include <string.h>

#define UNROLLED _Pragma("clang loop unroll(full)")

typedef REAL vector __attribute__((vector_size(WIDTH * sizeof(REAL))));

typedef struct numbers {
  vector re, im;
} numbers;

// Where the operands and results of butterflies are. single: one at a time.
typedef struct place {
  const REAL *re, *im;
  REAL *to_re, *to_im;
  int64_t step, to_step;
} place;

static inline vector all(REAL x) { return (vector){0} + x; }

static inline vector load_vector(const REAL *from) {
  vector out;
  memcpy(&out, from, sizeof out);
  return out;
}

static inline numbers load(const place *at, int64_t q, int64_t k, bool single) {
  int64_t i = q + k * at->step;
  if (single) return (numbers){all(at->re[i]), all(at->im[i])};
  return (numbers){load_vector(at->re + i), load_vector(at->im + i)};
}

static inline void store(const place *at, int64_t q, int64_t j, bool single, numbers z) {
  int64_t i = q + j * at->to_step;
  if (single) {
    at->to_re[i] = z.re[0];
    at->to_im[i] = z.im[0];
  } else {
    memcpy(at->to_re + i, &z.re, sizeof z.re);
    memcpy(at->to_im + i, &z.im, sizeof z.im);
  }
}

static inline numbers add(numbers a, numbers b) { return (numbers){a.re + b.re, a.im + b.im}; }
static inline numbers subtract(numbers a, numbers b) { return (numbers){a.re - b.re, a.im - b.im}; }
static inline numbers times_i(numbers a) { return (numbers){-a.im, a.re}; }
static inline numbers multiply(numbers a, numbers b) {
  return (numbers){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// One twiddle factor broadcast to the vector, or one per lane.
static inline numbers factor_at(const hlo_fft_pass *pass, int64_t i) {
  return (numbers){all(((const REAL *)pass->cosines)[i]), all(((const REAL *)pass->sines)[i])};
}
static inline numbers factors_at(const hlo_fft_pass *pass, int64_t i) {
  return (numbers){load_vector((const REAL *)pass->cosines + i),
                   load_vector((const REAL *)pass->sines + i)};
}

static inline place place_of(const hlo_fft_pass *pass, const hlo_fft_planes *planes, int64_t p) {
  int64_t s = pass->stride * planes->lanes;
  return (place){(const REAL *)planes->re + p * s,
                 (const REAL *)planes->im + p * s,
                 (REAL *)planes->next_re + pass->radix * p * s,
                 (REAL *)planes->next_im + pass->radix * p * s,
                 pass->length / pass->radix * s,
                 s};
}

// Which butterflies of a pass. single: one at a time, else q goes over WIDTH numbers at least.
typedef struct extent {
  int64_t p, p_end, q, q_end;
  bool single;
} extent;

// Walks over q; the last vector overlaps the one before it.
static inline int64_t next_q(int64_t q, const extent *e) {
  if (e->single) return q + 1;
  q += WIDTH;
  return q <= e->q_end - WIDTH || q >= e->q_end ? q : e->q_end - WIDTH;
}

// z: numbers 0 … 3, which become their transform.
static inline void butterfly_4(numbers *z) {
  numbers even = add(z[0], z[2]), odd = add(z[1], z[3]);
  numbers even_difference = subtract(z[0], z[2]);
  numbers odd_difference = times_i(subtract(z[1], z[3]));
  z[0] = add(even, odd);
  z[1] = subtract(even_difference, odd_difference);
  z[2] = subtract(even, odd);
  z[3] = add(even_difference, odd_difference);
}

// Not inlined: V8 tiers up a function when it is called again, not within a call. In the last pass
// all twiddle factors are 1.
#define DEFINE_RADIX(name, radix)                                                                  \
  static __attribute__((noinline)) void name(const hlo_fft_pass *pass,                             \
                                             const hlo_fft_planes *planes, extent e) {             \
    if (pass->length == (radix)) name##_butterflies(pass, planes, e, true);                        \
    else name##_butterflies(pass, planes, e, false);                                               \
  }

static inline __attribute__((always_inline)) void
radix_4_butterflies(const hlo_fft_pass *pass, const hlo_fft_planes *planes, extent e, bool last) {
  bool single = e.single;
  int64_t m = pass->length / 4;
  for (int64_t p = e.p; p < e.p_end; p++) {
    place at = place_of(pass, planes, p);
    numbers f1 = factor_at(pass, p), f2 = factor_at(pass, m + p), f3 = factor_at(pass, 2 * m + p);
    for (int64_t q = e.q; q < e.q_end; q = next_q(q, &e)) {
      numbers z[4];
      for (int k = 0; k < 4; k++) z[k] = load(&at, q, k, single);
      butterfly_4(z);
      store(&at, q, 0, single, z[0]);
      store(&at, q, 1, single, last ? z[1] : multiply(z[1], f1));
      store(&at, q, 2, single, last ? z[2] : multiply(z[2], f2));
      store(&at, q, 3, single, last ? z[3] : multiply(z[3], f3));
    }
  }
}
DEFINE_RADIX(radix_4, 4)

// Element i of all, then element i + 1.
static inline void store_turned(REAL *to, vector a, vector b, vector c, vector d) {
#if WIDTH == 4
  vector low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
         high = __builtin_shufflevector(a, b, 2, 6, 3, 7),
         next_low = __builtin_shufflevector(c, d, 0, 4, 1, 5),
         next_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
  const vector out[4] = {__builtin_shufflevector(low, next_low, 0, 1, 4, 5),
                         __builtin_shufflevector(low, next_low, 2, 3, 6, 7),
                         __builtin_shufflevector(high, next_high, 0, 1, 4, 5),
                         __builtin_shufflevector(high, next_high, 2, 3, 6, 7)};
#else
  const vector out[4] = {__builtin_shufflevector(a, b, 0, 2), __builtin_shufflevector(c, d, 0, 2),
                         __builtin_shufflevector(a, b, 1, 3), __builtin_shufflevector(c, d, 1, 3)};
#endif
  memcpy(to, out, sizeof out);
}

// One lane and stride 1: a vector of neighbouring p.
static __attribute__((noinline)) void first_radix_4(const hlo_fft_pass *pass,
                                                    const hlo_fft_planes *planes, extent e) {
  int64_t m = pass->length / 4;
  place at = place_of(pass, planes, 0);
  for (int64_t p = e.p; p < e.p_end; p += WIDTH) {
    if (p > e.p_end - WIDTH) p = e.p_end - WIDTH;
    numbers z[4];
    for (int k = 0; k < 4; k++) z[k] = load(&at, p, k, false);
    butterfly_4(z);
    for (int j = 1; j < 4; j++) z[j] = multiply(z[j], factors_at(pass, (j - 1) * m + p));
    store_turned(at.to_re + 4 * p, z[0].re, z[1].re, z[2].re, z[3].re);
    store_turned(at.to_im + 4 * p, z[0].im, z[1].im, z[2].im, z[3].im);
  }
}

// (1 - i) / √2 and its product with -i times z.
static inline numbers rotate_eighth(numbers z) {
  vector half_root = all((REAL)0x1.6a09e667f3bcdp-1);
  return (numbers){half_root * (z.re + z.im), half_root * (z.im - z.re)};
}
static inline numbers rotate_three_eighths(numbers z) {
  vector half_root = all((REAL)0x1.6a09e667f3bcdp-1);
  return (numbers){half_root * (z.im - z.re), half_root * (-z.re - z.im)};
}

// Even and odd numbers apart, as XLA does.
static inline __attribute__((always_inline)) void
radix_8_butterflies(const hlo_fft_pass *pass, const hlo_fft_planes *planes, extent e, bool last) {
  bool single = e.single;
  int64_t m = pass->length / 8;
  for (int64_t p = e.p; p < e.p_end; p++) {
    place at = place_of(pass, planes, p);
    for (int64_t q = e.q; q < e.q_end; q = next_q(q, &e)) {
      numbers even[4], odd[4];
      for (int k = 0; k < 4; k++) {
        even[k] = load(&at, q, 2 * k, single);
        odd[k] = load(&at, q, 2 * k + 1, single);
      }
      butterfly_4(even);
      butterfly_4(odd);
      odd[1] = rotate_eighth(odd[1]);
      odd[2] = (numbers){odd[2].im, -odd[2].re};
      odd[3] = rotate_three_eighths(odd[3]);
      for (int k = 0; k < 4; k++) {
        numbers low = add(even[k], odd[k]), high = subtract(even[k], odd[k]);
        if (!last && k > 0) low = multiply(low, factor_at(pass, (k - 1) * m + p));
        if (!last) high = multiply(high, factor_at(pass, (k + 3) * m + p));
        store(&at, q, k, single, low);
        store(&at, q, k + 4, single, high);
      }
    }
  }
}
DEFINE_RADIX(radix_8, 8)

static __attribute__((noinline)) void radix_2(const hlo_fft_pass *pass,
                                              const hlo_fft_planes *planes, extent e) {
  bool single = e.single;
  for (int64_t p = e.p; p < e.p_end; p++) {
    place at = place_of(pass, planes, p);
    numbers f = factor_at(pass, p);
    for (int64_t q = e.q; q < e.q_end; q = next_q(q, &e)) {
      numbers a = load(&at, q, 0, single), b = load(&at, q, 1, single);
      store(&at, q, 0, single, add(a, b));
      store(&at, q, 1, single, multiply(subtract(a, b), f));
    }
  }
}

// Of a small odd radix, a constant, whose products join sums one by one: sums of numbers k and
// radix - k go with cosines, their differences with i times sines.
static inline __attribute__((always_inline)) void radix_few(const hlo_fft_pass *pass,
                                                            const hlo_fft_planes *planes, extent e,
                                                            const int radix, bool last) {
  enum { MOST = 7 };
  bool single = e.single;
  const int half = radix / 2;
  int64_t m = pass->length / radix;
  vector cosines[MOST / 2 + 1], sines[MOST / 2 + 1];
  UNROLLED for (int k = 1; k <= half; k++) {
    cosines[k] = all(((const REAL *)pass->radix_cosines)[k]);
    sines[k] = all(((const REAL *)pass->radix_sines)[k]);
  }
  for (int64_t p = e.p; p < e.p_end; p++) {
    place at = place_of(pass, planes, p);
    for (int64_t q = e.q; q < e.q_end; q = next_q(q, &e)) {
      numbers first = load(&at, q, 0, single), sum = first, sums[MOST / 2 + 1],
              differences[MOST / 2 + 1];
      UNROLLED for (int k = 1; k <= half; k++) {
        numbers a = load(&at, q, k, single), b = load(&at, q, radix - k, single);
        sums[k] = add(a, b);
        differences[k] = subtract(a, b);
        sum = add(sum, sums[k]);
      }
      store(&at, q, 0, single, sum);
      UNROLLED for (int j = 1; j <= half; j++) {
        numbers even = first, odd = {differences[1].re * sines[j], differences[1].im * sines[j]};
        UNROLLED for (int k = 1; k <= half; k++) {
          int turn = j * k % radix, near = turn <= half ? turn : radix - turn;
          even = add(even, (numbers){sums[k].re * cosines[near], sums[k].im * cosines[near]});
          if (k == 1) continue;
          numbers y = {differences[k].re * sines[near], differences[k].im * sines[near]};
          odd = turn <= half ? add(odd, y) : subtract(odd, y);
        }
        numbers low = add(even, times_i(odd)), high = subtract(even, times_i(odd));
        if (!last) {
          low = multiply(low, factor_at(pass, (j - 1) * m + p));
          high = multiply(high, factor_at(pass, (radix - j - 1) * m + p));
        }
        store(&at, q, j, single, low);
        store(&at, q, radix - j, single, high);
      }
    }
  }
}
#define DEFINE_FEW(radix)                                                                          \
  static inline __attribute__((always_inline)) void radix_##radix##_butterflies(                   \
      const hlo_fft_pass *pass, const hlo_fft_planes *planes, extent e, bool last) {               \
    radix_few(pass, planes, e, radix, last);                                                       \
  }                                                                                                \
  DEFINE_RADIX(radix_##radix, radix)
DEFINE_FEW(3)
DEFINE_FEW(5)
DEFINE_FEW(7)

// Numbers j and radix - j of a butterfly of odd radix in the making.
typedef struct odd_sums {
  numbers even, odd;
  int32_t k, turn; // the next number, and j k modulo the radix
} odd_sums;

// Adds `count` products at once. z: number 0, then sums and differences of numbers k and radix - k
// in turn; sums go with cosines, differences with i times sines.
static inline __attribute__((always_inline)) void
add_products(const hlo_fft_pass *pass, const numbers *z, int32_t j, int32_t count, odd_sums *to) {
  numbers e = {all(0), all(0)}, o = e;
  for (int32_t i = 0; i < count; i++) {
    vector cosine = all(((const REAL *)pass->radix_cosines)[to->turn]);
    vector sine = all(((const REAL *)pass->radix_sines)[to->turn]);
    const numbers *sum = &z[2 * to->k - 1], *difference = sum + 1;
    numbers x = {sum->re * cosine, sum->im * cosine};
    numbers y = {difference->re * sine, difference->im * sine};
    e = i == 0 ? x : add(e, x);
    o = i == 0 ? y : add(o, y);
    to->k++;
    to->turn += j;
    if (to->turn >= pass->radix) to->turn -= pass->radix;
  }
  to->even = add(to->even, e);
  to->odd = add(to->odd, o);
}

// The first two products join one by one, then as many together as the pass says and there are.
static inline void odd_pair(const hlo_fft_pass *pass, const numbers *z, int32_t j, numbers *low,
                            numbers *high) {
  odd_sums sums = {z[0], {all(0), all(0)}, 1, j};
  int32_t half = pass->radix / 2;
  if (pass->together > 1) {
    add_products(pass, z, j, 1, &sums);
    add_products(pass, z, j, 1, &sums);
    while (pass->together > 2 && sums.k + 3 <= half) add_products(pass, z, j, 4, &sums);
    while (sums.k + 1 <= half) add_products(pass, z, j, 2, &sums);
  }
  while (sums.k <= half) add_products(pass, z, j, 1, &sums);
  *low = add(sums.even, times_i(sums.odd));
  *high = subtract(sums.even, times_i(sums.odd));
}

static __attribute__((noinline)) void radix_odd(const hlo_fft_pass *pass,
                                                const hlo_fft_planes *planes, extent e) {
  bool single = e.single;
  int32_t radix = pass->radix, half = radix / 2;
  int64_t m = pass->length / radix;
  numbers z[HLO_FFT_LARGEST_RADIX], low, high;
  for (int64_t p = e.p; p < e.p_end; p++) {
    place at = place_of(pass, planes, p);
    for (int64_t q = e.q; q < e.q_end; q = next_q(q, &e)) {
      numbers sum = z[0] = load(&at, q, 0, single);
      for (int32_t k = 1; k <= half; k++) {
        numbers a = load(&at, q, k, single), b = load(&at, q, radix - k, single);
        z[2 * k - 1] = add(a, b);
        z[2 * k] = subtract(a, b);
        sum = add(sum, z[2 * k - 1]);
      }
      store(&at, q, 0, single, sum);
      for (int32_t j = 1; j <= half; j++) {
        odd_pair(pass, z, j, &low, &high);
        low = multiply(low, factor_at(pass, (j - 1) * m + p));
        high = multiply(high, factor_at(pass, (radix - j - 1) * m + p));
        store(&at, q, j, single, low);
        store(&at, q, radix - j, single, high);
      }
    }
  }
}

typedef struct pass_work {
  const hlo_fft_pass *pass;
  const hlo_fft_planes *planes;
  bool along_q; // or along p: what the parts are of
  int32_t parts;
} pass_work;

static void run_part(void *data, int32_t part, int32_t thread) {
  const pass_work *work = data;
  const hlo_fft_pass *pass = work->pass;
  const hlo_fft_planes *planes = work->planes;
  int64_t m = pass->length / pass->radix, s = pass->stride * planes->lanes;
  int64_t share = (work->along_q ? s : m) / work->parts / WIDTH * WIDTH, first = part * share;
  bool last = part + 1 == work->parts;
  extent e = {0, m, 0, s, s < WIDTH};
  (void)thread;
  if (work->along_q) e.q = first, e.q_end = last ? s : first + share;
  else e.p = first, e.p_end = last ? m : first + share;
  int64_t step = HLO_CALL_ELEMENTS / (pass->radix * (e.q_end - e.q)) + 1, end = e.p_end;
  for (; e.p < end; e.p += step) {
    e.p_end = e.p + step < end ? e.p + step : end;
    if (pass->radix == 4 && s == 1 && m >= WIDTH) first_radix_4(pass, planes, e);
    else if (pass->radix == 4) radix_4(pass, planes, e);
    else if (pass->radix == 8) radix_8(pass, planes, e);
    else if (pass->radix == 2) radix_2(pass, planes, e);
    else if (pass->radix == 3) radix_3(pass, planes, e);
    else if (pass->radix == 5) radix_5(pass, planes, e);
    else if (pass->radix == 7 && pass->together == 1) radix_7(pass, planes, e);
    else radix_odd(pass, planes, e);
  }
}

void PASS(const hlo_fft_pass *pass, const hlo_fft_planes *planes) {
  int64_t m = pass->length / pass->radix, s = pass->stride * planes->lanes;
  pass_work work = {.pass = pass, .planes = planes, .along_q = s > m};
  int64_t count = pass->length * s, most = (s > m ? s : m) / WIDTH;
  double time = (double)count * HLO_FFT_PASS_NS;
  work.parts = count < HLO_FFT_MANY ? 1 : hlo_backend_parts(planes->backend, most, time);
  hlo_backend_parallel(planes->backend, run_part, &work, work.parts);
}
