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
// Elements take the low bits of what is left to them. The counter goes up by the counters used.
#include "base/philox.h"
#include "base/threefry.h"
#include "eval/structural.h"

#include <string.h>

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

// The dimension whose neighbours share a counter; rank 0 has none.
static int32_t paired_dimension(const hlo_view *out) {
  int32_t largest = 0;
  for (int32_t d = 0; d < out->rank; d++) {
    if (out->dims[d] % 2 == 0) return d;
    if (out->dims[d] > out->dims[largest]) largest = d;
  }
  return largest;
}

// Fills `out` and returns the number of counters used.
static uint64_t fill_threefry(const hlo_view *out, uint64_t key, uint64_t counter) {
  int64_t index[HLO_MAX_RANK] = {0}, sizes[HLO_MAX_RANK], used = 1;
  bool halves = hlo_type_bits(out->type) <= 32;
  int32_t paired = paired_dimension(out);
  for (int32_t d = 0; d < out->rank; d++) {
    sizes[d] = halves && d == paired ? (out->dims[d] + 1) / 2 : out->dims[d];
    used *= sizes[d];
  }
  if (hlo_view_elements(out) == 0) return (uint64_t)used;
  do {
    int64_t position = 0;
    for (int32_t d = 0; d < out->rank; d++)
      position = position * sizes[d] + (halves && d == paired ? index[d] / 2 : index[d]);
    uint64_t bits = hlo_threefry_2x32(counter + (uint64_t)position, key);
    if (halves && out->rank > 0 && index[paired] % 2 == 1) bits >>= 32;
    store_bits(out->type, hlo_view_at(out, offset_of(out, index)), bits);
  } while (hlo_next_index(out->rank, out->dims, index));
  return (uint64_t)used;
}

typedef struct wide_counter {
  uint64_t low, high;
} wide_counter;

static wide_counter advance(wide_counter counter, uint64_t steps) {
  counter.low += steps;
  if (counter.low < steps) counter.high++;
  return counter;
}

static void make_block(wide_counter counter, uint64_t key, uint32_t block[4]) {
  const uint32_t words[4] = {(uint32_t)counter.low, (uint32_t)(counter.low >> 32),
                             (uint32_t)counter.high, (uint32_t)(counter.high >> 32)};
  const uint32_t key_words[2] = {(uint32_t)key, (uint32_t)(key >> 32)};
  hlo_philox_4x32(words, key_words, block);
}

// Fills `out` and returns the counter behind the last one used.
static wide_counter fill_philox(const hlo_view *out, uint64_t key, wide_counter counter) {
  int64_t index[HLO_MAX_RANK] = {0};
  int32_t words = hlo_type_bits(out->type) <= 32 ? 1 : 2, used = 4;
  uint32_t block[4];
  if (hlo_view_elements(out) == 0) return counter;
  do {
    if (used == 4) {
      make_block(counter, key, block);
      counter = advance(counter, 1);
      used = 0;
    }
    uint64_t bits = block[used] | (words == 2 ? (uint64_t)block[used + 1] << 32 : 0);
    store_bits(out->type, hlo_view_at(out, offset_of(out, index)), bits);
    used += words;
  } while (hlo_next_index(out->rank, out->dims, index));
  return counter;
}

hlo_status hlo_eval_rng_bit_generator(const hlo_evaluator *evaluator,
                                      const hlo_instruction *instruction, const hlo_view *operands,
                                      const hlo_view *results, hlo_error *error) {
  (void)evaluator;
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
  if (is_threefry) {
    words[1] += fill_threefry(&results[1], words[0], words[1]);
  } else {
    wide_counter counter = {words[1], size == 3 ? words[2] : words[0]};
    counter = fill_philox(&results[1], words[0], counter);
    words[1] = counter.low;
    words[2] = counter.high;
  }
  for (int64_t i = 0; i < size; i++)
    memcpy(hlo_view_at(&results[0], i * results[0].strides[0]), &words[i], sizeof words[i]);
  return HLO_OK;
}
