// Rng (uniform and normal), and its state. Source of semantics: "RngUniform" and
// "RngNormal" of the operation semantics, which leave open how numbers are drawn. They are drawn as
// XLA's CPU backend draws them for the first random operation of a process: blocks of
// Philox4x32-10 whose counters start at the state, which then moves on by one for each word; floats
// from the upper bits of a word, integers by remainder, normal numbers in pairs (G. E. P. Box,
// M. E. Muller, 1958).
#include "kernels/elementwise/lanes.h"
#include "kernels/structural.h"
#include "math/elementary.h"
#include "math/random/philox.h"

#include <string.h>

// A stream of words from a state on.
typedef struct word_stream {
  hlo_philox_counter counter;
  uint32_t words[HLO_PHILOX_WORDS];
  int32_t used;
} word_stream;

static void advance(hlo_random_state *state, uint64_t steps) {
  hlo_philox_counter next =
      hlo_philox_advance((hlo_philox_counter){state->low, state->high}, steps);
  *state = (hlo_random_state){next.low, next.high};
}

static uint32_t next_word(word_stream *stream) {
  const uint64_t key = 0xbaa1723ebde0c74f;
  if (stream->used == HLO_PHILOX_WORDS) {
    hlo_philox_4x32(stream->counter, key, 1, stream->words);
    stream->counter = hlo_philox_advance(stream->counter, HLO_PHILOX_BLOCKS);
    stream->used = 0;
  }
  return stream->words[stream->used++];
}

static uint64_t next_bits(word_stream *stream, bool wide) {
  uint64_t low = next_word(stream);
  return wide ? low | (uint64_t)next_word(stream) << 32 : low;
}

// 0 … 1, without 1, in steps of 2^-23.
static float next_f32(word_stream *stream) { return (float)(next_word(stream) >> 9) * 0x1p-23f; }
static double next_f64(word_stream *stream) {
  return (double)(next_bits(stream, true) >> 12) * 0x1p-52;
}

// --- dense arrays of n elements; a and b are the operands in the same type ---

static void uniform_f32(word_stream *stream, float a, float b, float *out, int64_t n) {
  for (int64_t i = 0; i < n; i++) out[i] = next_f32(stream) * (b - a) + a;
}

static void uniform_f64(word_stream *stream, double a, double b, double *out, int64_t n) {
  for (int64_t i = 0; i < n; i++) out[i] = next_f64(stream) * (b - a) + a;
}

static const float least = 1e-7f; // lower bound of the logarithms' arguments

static void normal_f32(word_stream *stream, float mean, float deviation, float *out, int64_t n) {
  for (int64_t i = 0; i < n; i += 2) {
    float u = next_f32(stream), angle = 6.28318548f * next_f32(stream);
    float radius = __builtin_sqrtf(-2 * hlo_log_f32(u > least ? u : least));
    out[i] = hlo_sin_f32(angle) * radius * deviation + mean;
    if (i + 1 < n) out[i + 1] = hlo_cos_f32(angle) * radius * deviation + mean;
  }
}

static void normal_f64(word_stream *stream, double mean, double deviation, double *out, int64_t n) {
  for (int64_t i = 0; i < n; i += 2) {
    double u = next_f64(stream), angle = 6.283185307179586 * next_f64(stream), sine, cosine;
    double radius = __builtin_sqrt(-2 * hlo_log_f64(u > (double)least ? u : (double)least));
    hlo_sincos_f64(angle, &sine, &cosine);
    out[i] = sine * radius * deviation + mean;
    if (i + 1 < n) out[i + 1] = cosine * radius * deviation + mean;
  }
}

// a + bits modulo (b - a), all modulo 2^64; a alone where the range is empty.
static void uniform_u64(word_stream *stream, uint64_t a, uint64_t range, bool wide, uint64_t *out,
                        int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    uint64_t bits = next_bits(stream, wide);
    out[i] = range == 0 ? a : a + bits % range;
  }
}

// --- any type ---

// Types are drawn in a type with as many values: floats below 32 bits as f32, integers as u64.
static hlo_type drawn_type_of(hlo_type type) {
  if (hlo_type_is_float(type)) return type == HLO_F64 ? HLO_F64 : HLO_F32;
  return HLO_U64;
}

// b - a as the element type counts it.
static uint64_t range_of(hlo_type type, uint64_t a, uint64_t b) {
  int32_t bits = hlo_type_bits(type);
  return bits == 64 ? b - a : (b - a) & (((uint64_t)1 << bits) - 1);
}

static void draw(word_stream *stream, hlo_type type, bool normal, const void *a, const void *b,
                 void *out, int64_t n) {
  float f[2];
  double d[2];
  uint64_t u[2];
  switch (drawn_type_of(type)) {
  case HLO_F32:
    memcpy(&f[0], a, sizeof f[0]);
    memcpy(&f[1], b, sizeof f[1]);
    if (normal) normal_f32(stream, f[0], f[1], out, n);
    else uniform_f32(stream, f[0], f[1], out, n);
    break;
  case HLO_F64:
    memcpy(&d[0], a, sizeof d[0]);
    memcpy(&d[1], b, sizeof d[1]);
    if (normal) normal_f64(stream, d[0], d[1], out, n);
    else uniform_f64(stream, d[0], d[1], out, n);
    break;
  default:
    memcpy(&u[0], a, sizeof u[0]);
    memcpy(&u[1], b, sizeof u[1]);
    uniform_u64(stream, u[0], range_of(type, u[0], u[1]), hlo_type_bits(type) == 64, out, n);
    break;
  }
}

static hlo_status fail_without_state(const hlo_instruction *instruction, hlo_error *error) {
  return hlo_instruction_fail(instruction, HLO_UNSUPPORTED, error, "no random state is kept here");
}

hlo_status hlo_eval_rng(const hlo_evaluator *evaluator, const hlo_instruction *instruction,
                        const hlo_view *operands, const hlo_view *results, hlo_error *error) {
  if (evaluator->random == NULL) return fail_without_state(instruction, error);
  const char *distribution = hlo_get_text(instruction, HLO_ATTRIBUTE_DISTRIBUTION);
  bool normal = distribution != NULL && strcmp(distribution, "rng_normal") == 0;
  const hlo_view *result = &results[0];
  hlo_type drawn = drawn_type_of(result->type);
  int64_t n = hlo_view_elements(result);
  hlo_view numbers;
  uint64_t limits[2];
  for (int32_t i = 0; i < 2; i++) {
    hlo_convert_lanes(drawn, &limits[i], operands[i].type, operands[i].data, 1);
  }
  word_stream stream = {.counter = {evaluator->random->low, evaluator->random->high},
                        .used = HLO_PHILOX_WORDS};
  HLO_TRY(hlo_scratch_view(evaluator, drawn, result->rank, result->dims, &numbers, error));
  draw(&stream, result->type, normal, &limits[0], &limits[1], numbers.data, n);
  advance(evaluator->random, (uint64_t)n * (hlo_type_bits(result->type) == 64 ? 2 : 1));
  return hlo_convert_view(evaluator, result, &numbers, error);
}

// The state, which then moves on.
hlo_status hlo_eval_rng_get_and_update_state(const hlo_evaluator *evaluator,
                                             const hlo_instruction *instruction,
                                             const hlo_view *operands, const hlo_view *results,
                                             hlo_error *error) {
  (void)operands;
  const hlo_view *result = &results[0];
  if (evaluator->random == NULL) return fail_without_state(instruction, error);
  if (result->type != HLO_U64 || result->rank != 1 || result->dims[0] != 2) {
    return hlo_instruction_fail(instruction, HLO_SHAPE_ERROR, error, "the result must be u64[2]");
  }
  hlo_random_state *state = evaluator->random;
  memcpy(hlo_view_at(result, 0), &state->low, sizeof state->low);
  memcpy(hlo_view_at(result, result->strides[0]), &state->high, sizeof state->high);
  int64_t delta = hlo_get_int(instruction, HLO_ATTRIBUTE_DELTA, 0);
  advance(state, (uint64_t)delta);
  if (delta < 0) state->high--; // a negative delta counts down in 128 bits
  return HLO_OK;
}
