#!/usr/bin/env python3
"""Writes shortest_decimals.txt, for decimal_test.c: the shortest decimal of many f64 and f32 values. Needs numpy.

Oracles: Python's repr for f64, numpy's dragon4 with unique=True for f32; both give the shortest digits that read back and
of those the nearest. Lines: f64|f32 BITS TEXT, in JavaScript's notation.
"""
import random
import struct
import numpy as np

random.seed(2)


def notation(digits, exponent):
    """ECMA-262, Number::toString: digits d1…dk, value 0.d1…dk · 10^n."""
    k, n = len(digits), exponent + 1
    if k <= n <= 21:
        return digits + '0' * (n - k)
    if 0 < n <= 21:
        return digits[:n] + '.' + digits[n:]
    if -6 < n <= 0:
        return '0.' + '0' * -n + digits
    return digits[0] + ('.' + digits[1:] if k > 1 else '') + 'e' + ('+' if n > 0 else '-') + str(abs(n - 1))


def shortest(scientific):
    mantissa, exponent = scientific.split('e')
    digits = mantissa.replace('.', '').rstrip('0') or '0'
    return notation(digits, int(exponent))


def f64(bits):
    value = struct.unpack('<d', struct.pack('<Q', bits))[0]
    # repr is not always scientific; 17 digits at most, so that formatting its digits again is exact.
    digits = len(repr(value).split('e')[0].replace('.', '').replace('-', '').strip('0')) or 1
    text = f'{value:.{digits - 1}e}'
    if float(text) != value:  # shortest is not the nearest of its length: take repr's digits themselves
        text = np.format_float_scientific(value, unique=True)
    assert float(text) == value
    return shortest(text)


def f32(bits):
    return shortest(np.format_float_scientific(np.uint32(bits).view(np.float32), unique=True))


wide = [1, 2, 3, 0xfffffffffffff, 0x10000000000000, 0x7fefffffffffffff]
wide += [(e << 52) + d for e in range(1, 2047, 41) for d in (-1, 0, 1)]
wide += [struct.unpack('<Q', struct.pack('<d', x))[0]
         for x in (1e21, 1e20, 123456789012345680000.0, 1e-6, 1e-7, 1.5e-7, 5e-324, 9007199254740993.0, 0.1, 0.3, 100.0)]
wide += [random.getrandbits(63) % 0x7ff0000000000000 for _ in range(900)]
wide += [struct.unpack('<Q', struct.pack('<d', random.randint(1, 10**random.randint(1, 17)) / 10**random.randint(0, 22)))[0]
         for _ in range(300)]
narrow = [1, 2, 3, 7, 0x7fffff, 0x800000, 0x7f7fffff]
narrow += [(e << 23) + d for e in range(1, 255) for d in (-1, 0, 1)]
narrow += [random.getrandbits(31) % 0x7f800000 for _ in range(900)]

with open(__file__.replace('.py', '.txt'), 'w') as out:
    for bits in wide:
        print('f64', f'{bits:x}', f64(bits), file=out)
    for bits in narrow:
        print('f32', f'{bits:x}', f32(bits), file=out)
