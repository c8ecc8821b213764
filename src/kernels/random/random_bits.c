// RngBitGenerator: random bits as a function of the state. Source of semantics: its section of the
// operation semantics; the order of the bits and the new state are those of XLA's CPU backend,
// found by experiment:
//   Threefry   the state is key and counter. Elements of 64 bits take a counter each. Narrower ones
//              take half a result each: the first dimension of even size (else the largest, the
//              first of several, as if it were one longer) is cut into pairs, and the two of a pair
//              share a counter, the low half first. The counters go up in row-major order.
//   Philox     the state is key and 128 bits of counter, of which the key is the upper half when
//   the
//              state has two numbers. 128 bits per counter fill the elements in row-major order, 32
//              bits to each of at most 32 bits.
//   default    Philox.
// Elements narrower than their share of bits take the low ones. The counter advances by the
// counters used.
#include "kernels/structural.h"
#include "math/random/philox.h"
#include "math/random/threefry.h"

#include <string.h>

// --- words: as many as the elements take, in row-major order; of 64 bits the low one first ---

// Dimensions cut at the one whose neighbours share a counter.
typedef struct paired_dimensions {
  int64_t outer, size, inner;
} paired_dimensions;

static paired_dimensions pair_dimensions(const hlo_view *out) {
  int32_t paired = 0;
  for (int32_t d = 0; d < out->rank; d++) {
    if (out->dims[d] % 2 == 0) {
      paired = d;
      break;
    }
    if (out->dims[d] > out->dims[paired]) paired = d;
  }
  paired_dimensions p = {1, out->rank > 0 ? out->dims[paired] : 1, 1};
  for (int32_t d = 0; d < paired; d++) p.outer *= out->dims[d];
  for (int32_t d = paired + 1; d < out->rank; d++) p.inner *= out->dims[d];
  return p;
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

enum { TIMES = 32, PAIRS = TIMES * HLO_THREEFRY_PAIRS }; // calls whose words are placed together

// Words of the counters from `first` on, `count` of them: rows of `inner` counters lie below each
// other, the first words in one row and the second ones in the next, but for the last row of an odd
// number.
static void place_pairs(const paired_dimensions *p, int64_t first, int64_t count,
                        const uint32_t *low, const uint32_t *high, uint32_t *words) {
  int64_t pairs = (p->size + 1) / 2, row = first / p->inner, column = first % p->inner;
  while (count > 0) {
    int64_t length = smaller(p->inner - column, count), above = row % pairs * 2;
    uint32_t *to = words + (row / pairs * p->size + above) * p->inner + column;
    memcpy(to, low, (size_t)length * sizeof *low);
    if (above + 1 < p->size) memcpy(to + p->inner, high, (size_t)length * sizeof *high);
    low += length, high += length, count -= length;
    column = 0, row++;
  }
}

// So many words where first and second ones take turns.
static void place_neighbours(int64_t count, const uint32_t *low, const uint32_t *high,
                             uint32_t *words) {
  for (int64_t i = 0; i < count / 2; i++) words[2 * i] = low[i], words[2 * i + 1] = high[i];
  if (count % 2 == 1) words[count - 1] = low[count / 2];
}

// Returns the number of counters used.
static uint64_t threefry_words(paired_dimensions p, uint64_t key, uint64_t counter,
                               uint32_t *words) {
  uint32_t low[PAIRS], high[PAIRS];
  bool takes_turns = p.inner == 1 && (p.size % 2 == 0 || p.outer == 1);
  int64_t used = p.outer * ((p.size + 1) / 2) * p.inner;
  for (int64_t i = 0; i < used; i += PAIRS) {
    int64_t count = smaller(PAIRS, used - i);
    int64_t times = (count + HLO_THREEFRY_PAIRS - 1) / HLO_THREEFRY_PAIRS;
    hlo_threefry_2x32(counter + (uint64_t)i, key, times, low, high);
    int64_t left = p.outer * p.size - 2 * i;
    if (takes_turns) place_neighbours(smaller(2 * count, left), low, high, words + 2 * i);
    else place_pairs(&p, i, count, low, high, words);
  }
  return (uint64_t)used;
}

// Returns the counter after the last one used.
static hlo_philox_counter philox_words(int64_t count, uint64_t key, hlo_philox_counter counter,
                                       uint32_t *words) {
  enum { BLOCK = HLO_PHILOX_WORDS / HLO_PHILOX_BLOCKS };
  int64_t times = count / HLO_PHILOX_WORDS, done = times * HLO_PHILOX_WORDS;
  uint32_t last[HLO_PHILOX_WORDS];
  hlo_philox_4x32(counter, key, times, words);
  counter = hlo_philox_advance(counter, (uint64_t)(times * HLO_PHILOX_BLOCKS));
  hlo_philox_4x32(counter, key, 1, last);
  memcpy(words + done, last, (size_t)(count - done) * sizeof *words);
  return hlo_philox_advance(counter, (uint64_t)((count - done + BLOCK - 1) / BLOCK));
}

// --- elements ---

// The low bits as an element; types below a byte are extended as elements are.
static void store_bits(hlo_type type, void *element, uint64_t bits) {
  int32_t width = hlo_type_bits(type);
  if (width < 8) {
    uint8_t high = (uint8_t)(bits << (8 - width));
    bool is_signed = hlo_type_get_class(type) == HLO_CLASS_SIGNED;
    bits = is_signed ? (uint8_t)((int8_t)high >> (8 - width)) : (uint64_t)(high >> (8 - width));
  }
  memcpy(element, &bits, (size_t)hlo_type_bytes(type)); // little-endian
}

static int64_t offset_of(const hlo_view *view, const int64_t *index) {
  int64_t offset = 0;
  for (int32_t d = 0; d < view->rank; d++) offset += index[d] * view->strides[d];
  return offset;
}

static void store_words(const hlo_view *out, const uint32_t *words) {
  int64_t index[HLO_MAX_RANK] = {0}, each = hlo_type_bits(out->type) > 32 ? 2 : 1;
  do {
    uint64_t bits = words[0] | (each == 2 ? (uint64_t)words[1] << 32 : 0);
    store_bits(out->type, hlo_view_at(out, offset_of(out, index)), bits);
    words += each;
  } while (hlo_next_index(out->rank, out->dims, index));
}

// Fills `out` and advances the state (key and counter).
static hlo_status fill(const hlo_evaluator *evaluator, const hlo_view *out, bool is_threefry,
                       int64_t state_size, uint64_t state[3], hlo_error *error) {
  int64_t count = hlo_view_elements(out) * (hlo_type_bits(out->type) > 32 ? 2 : 1);
  bool in_place = hlo_type_bits(out->type) >= 32 && hlo_view_is_row_major(out);
  uint32_t *words = out->data;
  if (count == 0) return HLO_OK;
  if (!in_place) HLO_ALLOC(words, evaluator->scratch, count, error);
  if (is_threefry) {
    paired_dimensions all = {1, count, 1};
    if (hlo_type_bits(out->type) <= 32) all = pair_dimensions(out);
    state[1] += threefry_words(all, state[0], state[1], words);
  } else {
    hlo_philox_counter counter = {state[1], state_size == 3 ? state[2] : state[0]};
    counter = philox_words(count, state[0], counter, words);
    state[1] = counter.low;
    state[2] = counter.high;
  }
  if (!in_place) store_words(out, words);
  return HLO_OK;
}

hlo_status hlo_eval_rng_bit_generator(const hlo_evaluator *evaluator,
                                      const hlo_instruction *instruction, const hlo_view *operands,
                                      const hlo_view *results, hlo_error *error) {
  const char *algorithm = hlo_get_text(instruction, HLO_ATTRIBUTE_ALGORITHM);
  bool is_threefry = algorithm != NULL && strcmp(algorithm, "rng_three_fry") == 0;
  const hlo_view *state = &operands[0];
  int64_t size = state->rank == 1 && state->type == HLO_U64 ? state->dims[0] : 0;
  if (size != 2 && (size != 3 || is_threefry)) {
    return hlo_instruction_fail(instruction, HLO_SHAPE_ERROR, error,
                                is_threefry ? "the state must be u64[2]"
                                            : "the state must be u64[2] or u64[3]");
  }
  uint64_t words[3];
  for (int64_t i = 0; i < size; i++)
    memcpy(&words[i], hlo_view_at(state, i * state->strides[0]), sizeof words[i]);
  HLO_TRY(fill(evaluator, &results[1], is_threefry, size, words, error));
  for (int64_t i = 0; i < size; i++)
    memcpy(hlo_view_at(&results[0], i * results[0].strides[0]), &words[i], sizeof words[i]);
  return HLO_OK;
}
