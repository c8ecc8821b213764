#!/usr/bin/env python3
"""Writes float_formats.txt, the oracle of float_formats_test.c. Needs numpy and ml_dtypes.

Decoding and float -> narrow come from ml_dtypes (f16: numpy). double -> narrow cannot: ml_dtypes goes through float and
rounds twice. There the nearest value is searched among all values of the format, ties to the even code.

Inputs are described by rule, results by a hash, so that the test repeats both: for a target with m mantissa bits, one
line per exponent field of the source; its inputs are all combinations of the sign, the upper m + 2 mantissa bits and a
tail of 0, 1 or all ones. Lines:
    decode FORMAT BITS...        float bits of every code (8-bit formats and f4e2m1fn)
    decode_hash FORMAT HASH      of the float bits of all 2^16 codes, NaN made quiet and its payload zero
    encode SOURCE FORMAT FIELD HASH
"""
import warnings
import ml_dtypes
import numpy as np

warnings.simplefilter('ignore')
FORMATS = {  # name: (dtype, mantissa bits, width)
    'f16': (np.float16, 10, 16), 'bf16': (ml_dtypes.bfloat16, 7, 16),
    'f8e5m2': (ml_dtypes.float8_e5m2, 2, 8), 'f8e4m3': (ml_dtypes.float8_e4m3, 3, 8),
    'f8e4m3fn': (ml_dtypes.float8_e4m3fn, 3, 8), 'f8e4m3b11fnuz': (ml_dtypes.float8_e4m3b11fnuz, 3, 8),
    'f8e5m2fnuz': (ml_dtypes.float8_e5m2fnuz, 2, 8), 'f8e4m3fnuz': (ml_dtypes.float8_e4m3fnuz, 3, 8),
    'f8e3m4': (ml_dtypes.float8_e3m4, 4, 8), 'f8e8m0fnu': (ml_dtypes.float8_e8m0fnu, 0, 8),
    'f4e2m1fn': (ml_dtypes.float4_e2m1fn, 1, 4), 'f6e2m3fn': (ml_dtypes.float6_e2m3fn, 3, 6),
    'f6e3m2fn': (ml_dtypes.float6_e3m2fn, 2, 6),
}
SOURCES = {'f32': (np.float32, np.uint32, 8, 23), 'f64': (np.float64, np.uint64, 11, 52)}


def codes(name):
    dtype, _, width = FORMATS[name]
    return np.arange(1 << width).astype(np.uint16 if width == 16 else np.uint8).view(dtype)


def code_of(values):
    return values.view(np.uint16 if values.dtype.itemsize == 2 else np.uint8).astype(np.uint64)


def hash_of(numbers):
    weights = (np.arange(len(numbers), dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)) | np.uint64(1)
    return int((numbers.astype(np.uint64) * weights).sum(dtype=np.uint64))


def canonical_nan(name, code):
    """f16 alone keeps NaN payloads in numpy; they are nobody's promise."""
    if name == 'f16':
        code = np.where((code & 0x7fff) > 0x7c00, (code & 0x8000) | 0x7e00, code)
    return code


def encode_by_search(name, x):
    """Nearest value of the format to each double, from the list of all its values."""
    if name == 'f8e8m0fnu':
        values = codes(name).astype(np.float64)[:255]
        halves = (values[1:] + values[:-1]) / 2
        code = np.searchsorted(halves, x, side='right')  # halfway goes up
        code = np.where((x > values[0]) & (code == 0), 1, code)  # as ml_dtypes does
        code = np.where(x >= 1.5 * values[-1], 255, code)
        return np.where((x > 0) & np.isfinite(x), code, 255).astype(np.uint64)
    width = FORMATS[name][2]
    positive = codes(name)[: 1 << (width - 1)].astype(np.float64)
    values = positive[np.isfinite(positive)]
    halves = (values[1:] + values[:-1]) / 2
    magnitude = np.abs(x)
    low = np.searchsorted(halves, magnitude, side='left')
    high = np.searchsorted(halves, magnitude, side='right')
    code = np.where(low % 2 == 0, low, high).astype(np.uint64)
    limit = values[-1] + (values[-1] - values[-2]) / 2
    specials = code_of(np.array([np.inf, -np.inf, np.nan, -np.nan], np.float32).astype(FORMATS[name][0]))
    negative = np.signbit(x)
    # At the limit itself the even code wins: the largest finite one if that is even.
    over = magnitude > limit if len(values) % 2 == 1 else magnitude >= limit
    result = code | (negative.astype(np.uint64) << np.uint64(width - 1))
    if 'fnuz' in name:
        result = np.where(code == 0, np.uint64(0), result)
    result = np.where(over, np.where(negative, specials[1], specials[0]), result)
    return np.where(np.isnan(x), np.where(negative, specials[3], specials[2]), result)


def inputs(source, mantissa_bits, field):
    dtype, integer, exponent_bits, source_mantissa = SOURCES[source]
    rest = source_mantissa - mantissa_bits - 2
    sign, top, tail = np.meshgrid(np.arange(2), np.arange(1 << (mantissa_bits + 2)), [0, 1, (1 << rest) - 1],
                                  indexing='ij')
    bits = (sign << (exponent_bits + source_mantissa)) | (field << source_mantissa) | (top << rest) | tail
    return bits.ravel().astype(np.int64).view(np.uint64).astype(integer).view(dtype)


def fields(source, name):
    exponent_bits = SOURCES[source][2]
    bias, last = (1 << (exponent_bits - 1)) - 1, (1 << exponent_bits) - 1
    values = codes(name).astype(np.float64)
    values = values[np.isfinite(values) & (values > 0)]
    low, high = np.log2(values.min()) - 3 + bias, np.floor(np.log2(values.max())) + 2 + bias
    return sorted({0, last} | set(range(max(0, int(low)), min(last, int(high) + 1))))


with open(__file__.replace('.py', '.txt'), 'w') as out:
    for name, (dtype, mantissa_bits, width) in FORMATS.items():
        decoded = codes(name).astype(np.float32).view(np.uint32)
        decoded = np.where((decoded & 0x7fffffff) > 0x7f800000, (decoded & 0x80000000) | 0x7fc00000, decoded)
        if width == 16:
            print('decode_hash', name, f'{hash_of(decoded):x}', file=out)
        else:
            print('decode', name, *(f'{x:x}' for x in decoded), file=out)
        for source in SOURCES:
            for field in fields(source, name):
                x = inputs(source, mantissa_bits, field)
                by_search = encode_by_search(name, x.astype(np.float64))
                if source == 'f32':
                    code = canonical_nan(name, code_of(x.astype(dtype)))
                    assert (code == by_search).all(), (name, field)
                print('encode', source, name, field, f'{hash_of(by_search):x}', file=out)
