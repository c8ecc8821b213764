// Natural numbers of a fixed maximum size, on the stack: the minimum for exact decimal
// conversion. Callers stay below the limit by bounding their input; see HLO_BIGNUM_LIMBS.
#ifndef HLO_BASE_DECIMAL_BIGNUM_H
#define HLO_BASE_DECIMAL_BIGNUM_H

#include <stdbool.h>
#include <stdint.h>

// 3072 bits. The largest number is a dividend of 2763 bits, and division takes a limb more; see
// decimal_parse.c.
#define HLO_BIGNUM_LIMBS 96

// Little-endian limbs; the highest is nonzero, zero has none.
typedef struct hlo_bignum {
  int count;
  uint32_t limbs[HLO_BIGNUM_LIMBS];
} hlo_bignum;

void hlo_bignum_set(hlo_bignum *number, uint64_t value);

// number = number · factor + addend.
void hlo_bignum_multiply_add(hlo_bignum *number, uint32_t factor, uint32_t addend);

// number = number · 5^exponent.
void hlo_bignum_multiply_power_of_five(hlo_bignum *number, unsigned exponent);

void hlo_bignum_shift_left(hlo_bignum *number, unsigned bits);

// The number of bits, 0 for zero.
int hlo_bignum_bit_length(const hlo_bignum *number);

// floor(number / 2^bits) modulo 2^64. *lost becomes whether a bit that fell off below was set.
uint64_t hlo_bignum_shift_right(const hlo_bignum *number, unsigned bits, bool *lost);

// Divides in place: number becomes the remainder; returns the quotient, which must be below 2^64
// (the caller bounds it by bit lengths). D. E. Knuth, The Art of Computer Programming, vol.
// 2, 4.3.1, algorithm D.
uint64_t hlo_bignum_divide(hlo_bignum *number, const hlo_bignum *divisor);

// Negative, zero or positive as 2·a is less than, equal to or greater than b.
int hlo_bignum_compare_double(const hlo_bignum *a, const hlo_bignum *b);

#endif
