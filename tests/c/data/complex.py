#!/usr/bin/env python3
"""Writes complex.txt, the oracle of complex_test.c, by mpmath with 800 bits (tiny arguments cancel much).

A block is a line
    FUNCTION TYPE COUNT SEED RULE
and COUNT lines "RE IM", the bits of the exact result's parts as f64, or "-" where a part leaves the type's range. RULE
says how arguments are made of u1, u2, …, fractions by xorshift64 as in elementary.py; four per argument, f32 rounded:
    box:A       (A (2 u1 - 1), A (2 u2 - 1))
    log:A       (s1 · 2^(int(A (2 u1 - 1))) · (1 + u3), the same with u2, u4), where s is the sign of 2 u - 1 for u3, u4 > 1/2
    near:A:B    (A, B) + 2^-int(40 u1) · (2 u3 - 1, 2 u4 - 1)
"""
import struct
import mpmath
import numpy as np
from mpmath import mp, mpf, mpc

mp.prec = 800


class Random:
    def __init__(self, seed):
        self.state = seed

    def fraction(self):
        s = self.state
        s ^= s << 13 & 0xffffffffffffffff
        s ^= s >> 7
        s ^= s << 17 & 0xffffffffffffffff
        self.state = s
        return (s >> 11) * 2.0**-53

    def argument(self, rule):
        u = [self.fraction() for _ in range(4)]
        kind, *numbers = rule.split(':')
        a = [float(n) for n in numbers]
        if kind == 'box':
            return a[0] * (2 * u[0] - 1), a[0] * (2 * u[1] - 1)
        if kind == 'log':
            return tuple((1 if u[i + 2] > 0.5 else -1) * 2.0**int(a[0] * (2 * u[i] - 1)) * (1 + u[i + 2]) for i in (0, 1))
        scale = 2.0**-int(40 * u[0])
        return a[0] + scale * (2 * u[2] - 1), a[1] + scale * (2 * u[3] - 1)


def bits(x):
    return f'{struct.unpack("<Q", struct.pack("<d", float(x)))[0]:x}'


def atan2(y, x):
    return mpc(0, -1) * mp.log((x + mpc(0, 1) * y) / mp.sqrt(x * x + y * y))


UNARY = {
    'exp': mp.exp, 'expm1': lambda z: mp.exp(z) - 1, 'log': mp.log, 'log1p': lambda z: mp.log(1 + z), 'sqrt': mp.sqrt,
    'rsqrt': lambda z: 1 / mp.sqrt(z), 'cbrt': lambda z: mp.exp(mp.log(z) / 3), 'sin': mp.sin, 'cos': mp.cos, 'tan': mp.tan,
    'asin': mp.asin, 'acos': mp.acos, 'sinh': mp.sinh, 'cosh': mp.cosh, 'tanh': mp.tanh, 'asinh': mp.asinh,
    'acosh': mp.acosh, 'atanh': mp.atanh, 'logistic': lambda z: 1 / (1 + mp.exp(-z)), 'sign': lambda z: z / abs(z),
}
BINARY = {'mul': lambda a, b: a * b, 'div': lambda a, b: a / b, 'pow': lambda a, b: mp.exp(b * mp.log(a)), 'atan2': atan2}
RULES = {'c128': ['box:2', 'box:20', 'log:20', 'log:500', 'near:1:0', 'near:-1:0', 'near:0:1'], 'c64': ['box:2', 'box:20', 'log:60', 'near:1:0']}
COUNT = {'c128': 10, 'c64': 10}
LIMIT = {'c128': mpf(2)**1023, 'c64': mpf(2)**127}

with open(__file__.replace('.py', '.txt'), 'w') as out:
    seed = 7
    for name, function in {**UNARY, **BINARY}.items():
        for kind in RULES:
            for rule in RULES[kind]:
                seed += 1
                start = seed * 0x9E3779B97F4A7C15 & 0xffffffffffffffff
                random = Random(start)
                print(name, kind, COUNT[kind], f'{start:x}', rule, file=out)
                for _ in range(COUNT[kind]):
                    arguments = [random.argument(rule) for _ in range(2 if name in BINARY else 1)]
                    if kind == 'c64':
                        arguments = [tuple(float(np.float32(x)) for x in a) for a in arguments]
                    with mp.workprec(4000 if '500' in rule else 800):
                        try:
                            exact = mpc(function(*(mpc(*a) for a in arguments)))
                        except (OverflowError, ZeroDivisionError, ValueError):
                            exact = mpc(mp.inf)
                    in_range = mp.isfinite(exact) and abs(exact) < LIMIT[kind]
                    print(f'{bits(exact.real)} {bits(exact.imag)}' if in_range else '-', file=out)
