// Random numbers. Source of semantics: "RngUniform", "RngNormal" and "RngBitGenerator" of the
// operation semantics, which leave open how numbers are drawn: they are drawn as XLA's CPU backend
// draws them for the first random operation of a process. Word w is a function of the state and w
// alone, so each element says for itself which words it takes.
#include "math/elementary.h"
#include "math/random/threefry.h"
#include "reference/operation.h"

// Word w of the stream of Philox blocks of four words that begins at the counter.
static uint32_t philox_word(hlo_philox_counter counter, uint64_t key, int64_t w) {
  uint32_t words[HLO_PHILOX_WORDS];
  hlo_philox_4x32(hlo_philox_advance(counter, (uint64_t)w / 4), key, 1, words);
  return words[w % 4];
}

// --- Rng ---

typedef struct distribution {
  hlo_philox_counter counter;
  hlo_type type;   // in which numbers are drawn: f32, f64 or u64
  hlo_type of;     // the result's
  hlo_number a, b; // limits, or mean and deviation
} distribution;

static uint32_t word(const distribution *d, int64_t w) {
  return philox_word(d->counter, UINT64_C(0xbaa1723ebde0c74f), w);
}

static uint64_t two_words(const distribution *d, int64_t w) {
  return word(d, 2 * w) | (uint64_t)word(d, 2 * w + 1) << 32;
}

// As arithmetic in the type rounds: twice rounded is once rounded, 53 >= 2 · 24 + 2.
static double rounded(const distribution *d, double x) {
  return d->type == HLO_F32 ? (double)(float)x : x;
}

// Number i of the stream, from 0 to 1 and without 1, in the steps of the mantissa.
static double unit(const distribution *d, int64_t i) {
  return d->type == HLO_F32 ? (word(d, i) >> 9) * 0x1p-23
                            : (double)(two_words(d, i) >> 12) * 0x1p-52;
}

// start + x · factor
static hlo_number placed(const distribution *d, double x, double factor, double start) {
  double distance = rounded(d, x * factor);
  return (hlo_number){.type_class = HLO_CLASS_FLOAT, .re = rounded(d, distance + start)};
}

// a + u (b - a); of integers a + bits mod (b - a), and a where that range is empty.
static hlo_number uniform(const distribution *d, int64_t i) {
  if (d->type != HLO_U64) return placed(d, unit(d, i), rounded(d, d->b.re - d->a.re), d->a.re);
  int32_t bits = hlo_type_bits(d->of);
  uint64_t range = (d->b.u - d->a.u) << (64 - bits) >> (64 - bits);
  uint64_t drawn = bits == 64 ? two_words(d, i) : word(d, i), rest = range == 0 ? 0 : drawn % range;
  return (hlo_number){.type_class = HLO_CLASS_UNSIGNED, .u = d->a.u + rest};
}

// Two numbers of the unit interval give two normal ones (G. E. P. Box, M. E. Muller, 1958).
static hlo_number normal(const distribution *d, int64_t i) {
  const double least = (double)1e-7f; // what logarithms are taken of at least
  double u = unit(d, i - i % 2), full_turn = rounded(d, 6.283185307179586);
  double angle = rounded(d, full_turn * unit(d, i - i % 2 + 1)), x = u > least ? u : least, wave;
  double logarithm = d->type == HLO_F32 ? (double)hlo_log_f32((float)x) : hlo_log_f64(x);
  if (d->type == HLO_F32)
    wave = i % 2 == 0 ? (double)hlo_sin_f32((float)angle) : (double)hlo_cos_f32((float)angle);
  else wave = i % 2 == 0 ? hlo_sin_f64(angle) : hlo_cos_f64(angle);
  double radius = rounded(d, __builtin_sqrt(-2 * logarithm));
  return placed(d, rounded(d, wave * radius), d->b.re, d->a.re);
}

static hlo_status require_state(const hlo_operation *x, hlo_error *error) {
  if (x->reference->random != NULL) return HLO_OK;
  return hlo_instruction_fail(x->instruction, HLO_UNSUPPORTED, error,
                              "no random state is kept here");
}

// RngUniform and RngNormal: independent numbers of a distribution. The state moves on by one for
// each word that such elements take.
hlo_status hlo_reference_rng(const hlo_operation *x, hlo_error *error) {
  HLO_TRY(require_state(x, error));
  const char *name = hlo_get_text(x->instruction, HLO_ATTRIBUTE_DISTRIBUTION);
  bool is_normal = name != NULL && strcmp(name, "rng_normal") == 0;
  hlo_type type = x->results->type;
  distribution d = {.counter = *x->reference->random, .of = type};
  d.type = !hlo_type_is_float(type) ? HLO_U64 : type == HLO_F64 ? HLO_F64 : HLO_F32;
  d.a = hlo_number_of(hlo_scalar_of(d.type, hlo_number_at(&x->operands[0], NULL)));
  d.b = hlo_number_of(hlo_scalar_of(d.type, hlo_number_at(&x->operands[1], NULL)));
  int64_t n = 0;
  for (hlo_index i = hlo_index_over(x->results); hlo_index_next(&i); n++)
    hlo_store_number(x->results, i.at, is_normal ? normal(&d, n) : uniform(&d, n));
  uint64_t words = (uint64_t)n * (hlo_type_bits(type) == 64 ? 2 : 1);
  *x->reference->random = hlo_philox_advance(d.counter, words);
  return HLO_OK;
}

// RngGetAndUpdateState: the 128 bits of the state, which then moves on by delta.
hlo_status hlo_reference_rng_get_and_update_state(const hlo_operation *x, hlo_error *error) {
  HLO_TRY(require_state(x, error));
  const hlo_view *result = x->results;
  if (result->type != HLO_U64 || result->rank != 1 || result->dims[0] != 2)
    return hlo_instruction_fail(x->instruction, HLO_SHAPE_ERROR, error,
                                "the result must be u64[2]");
  hlo_philox_counter *state = x->reference->random;
  int64_t delta = hlo_get_int(x->instruction, HLO_ATTRIBUTE_DELTA, 0);
  *(uint64_t *)hlo_element_at(result, &(int64_t){0}) = state->low;
  *(uint64_t *)hlo_element_at(result, &(int64_t){1}) = state->high;
  *state = hlo_philox_advance(*state, (uint64_t)delta);
  if (delta < 0) state->high--;
  return HLO_OK;
}

// --- RngBitGenerator ---

// Threefry gives two words for each counter. Elements of 64 bits take both. Narrower ones take one:
// the first dimension of even size (else the largest, as if it were one longer) is cut into pairs,
// of which the first element takes the first word; counters go up in row-major order.
typedef struct pairing {
  int32_t dimension; // -1: elements take both words
  int64_t counters;
} pairing;

static pairing pair_elements(const hlo_view *out) {
  pairing p = {.dimension = -1, .counters = hlo_view_elements(out)};
  if (hlo_type_bits(out->type) > 32) return p;
  for (int32_t d = 0; d < out->rank; d++) {
    bool is_larger = p.dimension < 0 || out->dims[d] > out->dims[p.dimension];
    if (out->dims[d] % 2 == 0 || is_larger) p.dimension = d;
    if (out->dims[d] % 2 == 0) break;
  }
  int64_t size = p.dimension < 0 ? 1 : out->dims[p.dimension];
  if (size > 0) p.counters = p.counters / size * ((size + 1) / 2);
  return p;
}

static uint64_t threefry_bits(const hlo_view *out, pairing p, const int64_t *at, uint64_t key,
                              uint64_t counter) {
  uint32_t first[HLO_THREEFRY_PAIRS], second[HLO_THREEFRY_PAIRS];
  uint64_t n = 0;
  for (int32_t d = 0; d < out->rank; d++) {
    bool is_paired = d == p.dimension;
    int64_t size = is_paired ? (out->dims[d] + 1) / 2 : out->dims[d];
    n = n * (uint64_t)size + (uint64_t)(is_paired ? at[d] / 2 : at[d]);
  }
  hlo_threefry_2x32(counter + n, key, 1, first, second);
  if (hlo_type_bits(out->type) > 32) return first[0] | (uint64_t)second[0] << 32;
  return p.dimension >= 0 && at[p.dimension] % 2 == 1 ? second[0] : first[0];
}

// Elements take the low bits of their words.
static void store_bits(const hlo_view *out, const int64_t *at, uint64_t bits) {
  hlo_scalar scalar = {.type = out->type};
  memcpy(scalar.bytes, &bits, (size_t)hlo_type_bytes(out->type));
  if (hlo_type_bits(out->type) < 8 && hlo_type_is_integer(out->type)) // newly extended
    hlo_store_number(out, at, hlo_number_of(scalar));
  else hlo_store_scalar(out, at, scalar);
}

// RngBitGenerator: bits, and the state after those used. The state is a key and a counter: of
// Threefry 64 bits; of Philox 128 bits, of which the upper half is the key where the state has two
// numbers. Philox gives elements of up to 32 bits a word each, others two, in row-major order.
hlo_status hlo_reference_rng_bit_generator(const hlo_operation *x, hlo_error *error) {
  const hlo_view *given = x->operands, *out = &x->results[1];
  const char *algorithm = hlo_get_text(x->instruction, HLO_ATTRIBUTE_ALGORITHM);
  bool is_threefry = algorithm != NULL && strcmp(algorithm, "rng_three_fry") == 0;
  int64_t size = given->rank == 1 && given->type == HLO_U64 ? given->dims[0] : 0, n = 0;
  if (size != 2 && (size != 3 || is_threefry))
    return hlo_instruction_fail(x->instruction, HLO_SHAPE_ERROR, error,
                                "the state must be u64[2]%s", is_threefry ? "" : " or u64[3]");
  uint64_t state[3];
  for (int64_t i = 0; i < size; i++) state[i] = hlo_number_at(given, &i).u;
  pairing p = pair_elements(out);
  int64_t each = hlo_type_bits(out->type) > 32 ? 2 : 1;
  hlo_philox_counter counter = {state[1], size == 3 ? state[2] : state[0]};
  for (hlo_index i = hlo_index_over(out); hlo_index_next(&i); n += each) {
    uint64_t bits = is_threefry ? threefry_bits(out, p, i.at, state[0], state[1])
                                : philox_word(counter, state[0], n);
    if (!is_threefry && each == 2) bits |= (uint64_t)philox_word(counter, state[0], n + 1) << 32;
    store_bits(out, i.at, bits);
  }
  counter = hlo_philox_advance(counter, (uint64_t)(n + 3) / 4);
  state[1] = is_threefry ? state[1] + (uint64_t)(n == 0 ? 0 : p.counters) : counter.low;
  state[2] = counter.high;
  for (int64_t i = 0; i < size; i++)
    hlo_store_number(&x->results[0], &i,
                     (hlo_number){.type_class = HLO_CLASS_UNSIGNED, .u = state[i]});
  return HLO_OK;
}
