// Implements bignum.h. 32-bit limbs, because 64-bit products are all that wasm multiplies.
#include "base/decimal/bignum.h"

#include <string.h>

static void trim(hlo_bignum *number) {
  while (number->count > 0 && number->limbs[number->count - 1] == 0) number->count--;
}

static void push(hlo_bignum *number, uint32_t limb) {
  if (limb != 0) number->limbs[number->count++] = limb;
}

void hlo_bignum_set(hlo_bignum *number, uint64_t value) {
  number->count = 0;
  number->limbs[0] = (uint32_t)value;
  number->limbs[1] = (uint32_t)(value >> 32);
  number->count = 2;
  trim(number);
}

void hlo_bignum_multiply_add(hlo_bignum *number, uint32_t factor, uint32_t addend) {
  uint64_t carry = addend;
  for (int i = 0; i < number->count; i++) {
    carry += (uint64_t)number->limbs[i] * factor;
    number->limbs[i] = (uint32_t)carry;
    carry >>= 32;
  }
  push(number, (uint32_t)carry);
}

void hlo_bignum_multiply_power_of_five(hlo_bignum *number, unsigned exponent) {
  for (; exponent >= 13; exponent -= 13) hlo_bignum_multiply_add(number, 1220703125, 0); // 5^13
  uint32_t rest = 1;
  for (; exponent > 0; exponent--) rest *= 5;
  if (rest > 1) hlo_bignum_multiply_add(number, rest, 0);
}

void hlo_bignum_shift_left(hlo_bignum *number, unsigned bits) {
  if (number->count == 0) return;
  unsigned whole = bits / 32, part = bits % 32;
  memmove(number->limbs + whole, number->limbs, (size_t)number->count * sizeof number->limbs[0]);
  memset(number->limbs, 0, whole * sizeof number->limbs[0]);
  number->count += (int)whole;
  if (part != 0) hlo_bignum_multiply_add(number, (uint32_t)1 << part, 0);
}

int hlo_bignum_bit_length(const hlo_bignum *number) {
  if (number->count == 0) return 0;
  return 32 * number->count - __builtin_clz(number->limbs[number->count - 1]);
}

static uint32_t limb_at(const hlo_bignum *number, unsigned index) {
  return index < (unsigned)number->count ? number->limbs[index] : 0;
}

uint64_t hlo_bignum_shift_right(const hlo_bignum *number, unsigned bits, bool *lost) {
  unsigned whole = bits / 32, part = bits % 32;
  uint64_t low = limb_at(number, whole) | (uint64_t)limb_at(number, whole + 1) << 32;
  uint64_t high = limb_at(number, whole + 2);
  *lost = (low & (((uint64_t)1 << part) - 1)) != 0;
  for (unsigned i = 0; i < whole && i < (unsigned)number->count; i++)
    *lost |= number->limbs[i] != 0;
  return part == 0 ? low : low >> part | high << (64 - part);
}

// One limb of the quotient: number -= digit · divisor · 2^(32 offset), where both are normalised so
// that the divisor's highest bit is set.
static uint32_t divide_step(hlo_bignum *number, const hlo_bignum *divisor, unsigned offset) {
  unsigned n = (unsigned)divisor->count;
  uint32_t *top = number->limbs + offset;
  uint64_t leading = (uint64_t)top[n] << 32 | top[n - 1], v1 = divisor->limbs[n - 1];
  uint64_t estimate = leading / v1, rest = leading % v1;
  uint64_t v2 = n > 1 ? divisor->limbs[n - 2] : 0, next = n > 1 ? top[n - 2] : 0;
  while (estimate >> 32 != 0 || estimate * v2 > (rest << 32 | next)) {
    estimate--, rest += v1;
    if (rest >> 32 != 0) break;
  }
  uint64_t borrow = 0;
  for (unsigned i = 0; i < n; i++) {
    uint64_t product = estimate * divisor->limbs[i] + borrow;
    borrow = (product >> 32) + (top[i] < (uint32_t)product);
    top[i] -= (uint32_t)product;
  }
  bool too_large = top[n] < borrow;
  top[n] -= (uint32_t)borrow;
  if (too_large) { // happens for about 2 in 2^32 random inputs: add one divisor back
    uint64_t carry = 0;
    for (unsigned i = 0; i < n; i++) {
      carry += (uint64_t)top[i] + divisor->limbs[i];
      top[i] = (uint32_t)carry;
      carry >>= 32;
    }
    top[n] += (uint32_t)carry;
    estimate--;
  }
  return (uint32_t)estimate;
}

uint64_t hlo_bignum_divide(hlo_bignum *number, const hlo_bignum *divisor) {
  if (number->count < divisor->count) return 0;
  hlo_bignum scaled = *divisor;
  unsigned shift = (unsigned)__builtin_clz(divisor->limbs[divisor->count - 1]);
  hlo_bignum_shift_left(&scaled, shift);
  hlo_bignum_shift_left(number, shift);
  number->limbs[number->count] = 0; // a leading zero for the first step
  uint64_t quotient = 0;
  for (int offset = number->count - divisor->count; offset >= 0; offset--)
    quotient = quotient << 32 | divide_step(number, &scaled, (unsigned)offset);
  trim(number);
  // Undo the scaling of the remainder; its low bits are zero.
  if (shift != 0) {
    for (int i = 0; i < number->count; i++)
      number->limbs[i] = number->limbs[i] >> shift |
                         (i + 1 < number->count ? number->limbs[i + 1] << (32 - shift) : 0);
    trim(number);
  }
  return quotient;
}

int hlo_bignum_compare_double(const hlo_bignum *a, const hlo_bignum *b) {
  hlo_bignum twice = *a;
  hlo_bignum_shift_left(&twice, 1);
  if (twice.count != b->count) return twice.count - b->count;
  for (int i = b->count - 1; i >= 0; i--)
    if (twice.limbs[i] != b->limbs[i]) return twice.limbs[i] < b->limbs[i] ? -1 : 1;
  return 0;
}
