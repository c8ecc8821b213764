// Copies numbers of an array to planes (split form) and back. The loop depends on what is
// contiguous in memory: the lanes, or the numbers of a lane. f32 is copied by vectors, with 4 x 4
// transposes in registers. See fft.h.
#include "kernels/fft/fft.h"
#include "kernels/machine.h"

#include <string.h>

typedef float vector __attribute__((vector_size(4 * sizeof(float))));

static inline vector load(const float *from) {
  vector out;
  memcpy(&out, from, sizeof out);
  return out;
}
static inline void store(float *to, vector x) { memcpy(to, &x, sizeof x); }

// Rows of a square become its columns.
static inline void transpose_square(vector x[4]) {
  vector a = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5);
  vector b = __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7);
  vector c = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5);
  vector d = __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  x[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// --- any strides ---

// Numbers of real samples have no imaginary part.
#define DEFINE_ANY(suffix, part)                                                                   \
  static void load_##suffix(const hlo_fft_block *block, ptrdiff_t row, part *re, part *im) {       \
    const part *from = block->data;                                                                \
    for (ptrdiff_t first = 0; first < block->lanes; first += HLO_FFT_STREAMS) {                    \
      ptrdiff_t left = block->lanes - first,                                                       \
                end = first + (left < HLO_FFT_STREAMS ? left : HLO_FFT_STREAMS);                   \
      for (ptrdiff_t k = 0; k < block->count; k++) {                                               \
        _Pragma("clang loop vectorize(disable) unroll(disable)") /* is as fast */                  \
            for (ptrdiff_t l = first; l < end; l++) {                                              \
          const part *at = from + k * block->along + l * block->across;                            \
          re[k * row + l] = at[0];                                                                 \
          im[k * row + l] = block->other != 0 ? at[block->other] : 0;                              \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
  }                                                                                                \
  static void store_##suffix(const hlo_fft_block *block, ptrdiff_t row, const part *re,            \
                             const part *im, part scale) {                                         \
    part *to = block->data;                                                                        \
    for (ptrdiff_t first = 0; first < block->lanes; first += HLO_FFT_STREAMS) {                    \
      ptrdiff_t left = block->lanes - first,                                                       \
                end = first + (left < HLO_FFT_STREAMS ? left : HLO_FFT_STREAMS);                   \
      for (ptrdiff_t k = 0; k < block->count; k++) {                                               \
        _Pragma("clang loop vectorize(disable) unroll(disable)") /* is as fast */                  \
            for (ptrdiff_t l = first; l < end; l++) {                                              \
          part *at = to + k * block->along + l * block->across;                                    \
          at[0] = re[k * row + l] * scale;                                                         \
          if (block->other != 0) at[block->other] = im[k * row + l] * scale;                       \
        }                                                                                          \
      }                                                                                            \
    }                                                                                              \
  }
DEFINE_ANY(f32, float)
DEFINE_ANY(f64, double)

// --- rows of f32 ---

static void deinterleave(const float *from, ptrdiff_t n, float *re, float *im) {
  ptrdiff_t i = 0;
  for (; i <= n - 4; i += 4) {
    vector a = load(from + 2 * i), b = load(from + 2 * i + 4);
    store(re + i, __builtin_shufflevector(a, b, 0, 2, 4, 6));
    store(im + i, __builtin_shufflevector(a, b, 1, 3, 5, 7));
  }
  for (; i < n; i++) re[i] = from[2 * i], im[i] = from[2 * i + 1];
}
static void interleave(const float *re, const float *im, ptrdiff_t n, float scale, float *to) {
  ptrdiff_t i = 0;
  for (; i <= n - 4; i += 4) {
    vector a = load(re + i) * scale, b = load(im + i) * scale;
    store(to + 2 * i, __builtin_shufflevector(a, b, 0, 4, 1, 5));
    store(to + 2 * i + 4, __builtin_shufflevector(a, b, 2, 6, 3, 7));
  }
  for (; i < n; i++) to[2 * i] = re[i] * scale, to[2 * i + 1] = im[i] * scale;
}
static void scale_row(const float *restrict from, ptrdiff_t n, float scale, float *restrict to) {
  for (ptrdiff_t i = 0; i < n; i++) to[i] = from[i] * scale;
}

// Real and imaginary parts are interleaved, or the lanes of one component are contiguous.
static void load_rows(const hlo_fft_block *block, ptrdiff_t row, float *re, float *im) {
  const float *from = block->data;
  for (ptrdiff_t k = 0; k < block->count; k++, from += block->along, re += row, im += row) {
    if (block->across == 2) {
      deinterleave(from, block->lanes, re, im);
      continue;
    }
    size_t size = (size_t)block->lanes * sizeof *re;
    memcpy(re, from, size);
    if (block->other != 0) memcpy(im, from + block->other, size);
    else memset(im, 0, size);
  }
}

static void store_rows(const hlo_fft_block *block, ptrdiff_t row, const float *re, const float *im,
                       float scale) {
  float *to = block->data;
  for (ptrdiff_t k = 0; k < block->count; k++, to += block->along, re += row, im += row) {
    if (block->across == 2) {
      interleave(re, im, block->lanes, scale, to);
      continue;
    }
    scale_row(re, block->lanes, scale, to);
    if (block->other != 0) scale_row(im, block->lanes, scale, to + block->other);
  }
}

// --- columns of f32: the numbers of a lane are contiguous ---

// Walks over four lanes and two numbers at a time; the last ones overlap those before them.
#define EACH_SQUARE                                                                                \
  for (ptrdiff_t start = 0; start < block->count; start += HLO_FFT_STREAM_NUMBERS)                 \
    for (ptrdiff_t lane = 0; lane < block->lanes; lane += 4)                                       \
      for (ptrdiff_t number = start;                                                               \
           number < start + HLO_FFT_STREAM_NUMBERS && number < block->count; number += 2)

#define PLACE_OF_SQUARE                                                                            \
  ptrdiff_t l = lane < block->lanes - 4 ? lane : block->lanes - 4;                                 \
  ptrdiff_t k = number < block->count - 2 ? number : block->count - 2, at = k * row + l;

static void load_columns(const hlo_fft_block *block, ptrdiff_t row, float *re, float *im) {
  EACH_SQUARE {
    PLACE_OF_SQUARE
    const float *from = (const float *)block->data + 2 * k + l * block->across;
    vector x[4];
    for (int i = 0; i < 4; i++) x[i] = load(from + i * block->across);
    transpose_square(x);
    store(re + at, x[0]);
    store(im + at, x[1]);
    store(re + at + row, x[2]);
    store(im + at + row, x[3]);
  }
}

static void store_columns(const hlo_fft_block *block, ptrdiff_t row, const float *re,
                          const float *im, float scale) {
  EACH_SQUARE {
    PLACE_OF_SQUARE
    float *to = (float *)block->data + 2 * k + l * block->across;
    vector x[4] = {load(re + at), load(im + at), load(re + at + row), load(im + at + row)};
    for (int i = 0; i < 4; i++) x[i] *= scale;
    transpose_square(x);
    for (int i = 0; i < 4; i++) store(to + i * block->across, x[i]);
  }
}

// --- dispatch ---

static bool are_rows(const hlo_fft_block *block) {
  return block->other == 1 ? block->across == 2 : block->across == 1;
}

static bool are_columns(const hlo_fft_block *block) {
  return block->other == 1 && block->along == 2 && block->lanes >= 4 && block->count >= 2;
}

// One lane is a row of its numbers.
static hlo_fft_block as_one_row(const hlo_fft_block *block, ptrdiff_t *row) {
  hlo_fft_block out = *block;
  if (block->lanes != 1 || *row != 1) return out;
  out.lanes = block->count, out.across = block->along;
  out.count = 1, out.along = block->across;
  *row = out.lanes;
  return out;
}

void hlo_fft_load_planes(const hlo_fft_block *from, int64_t lanes, void *re, void *im) {
  ptrdiff_t row = (ptrdiff_t)lanes;
  hlo_fft_block block = as_one_row(from, &row);
  if (from->type == HLO_F64) load_f64(&block, row, re, im);
  else if (are_rows(&block)) load_rows(&block, row, re, im);
  else if (are_columns(&block)) load_columns(&block, row, re, im);
  else load_f32(&block, row, re, im);
}

void hlo_fft_store_planes(const hlo_fft_block *to, int64_t lanes, const void *re, const void *im,
                          double scale) {
  ptrdiff_t row = (ptrdiff_t)lanes;
  hlo_fft_block block = as_one_row(to, &row);
  if (to->type == HLO_F64) store_f64(&block, row, re, im, scale);
  else if (are_rows(&block)) store_rows(&block, row, re, im, (float)scale);
  else if (are_columns(&block)) store_columns(&block, row, re, im, (float)scale);
  else store_f32(&block, row, re, im, (float)scale);
}
