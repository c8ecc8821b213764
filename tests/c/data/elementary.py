#!/usr/bin/env python3
"""Writes elementary/FUNCTION.txt, the oracle of elementary_test.c, by mpmath with 300 bits.

A block of a file is a line
    TYPE COUNT SEED RANGE [RANGE]        arguments by rule, or
    TYPE COUNT points                    arguments written out,
then COUNT lines "RESULT OFFSET" or "ARGUMENT [ARGUMENT] RESULT OFFSET": the bits of the nearest f64 (f32) in hexadecimal,
and how far beyond it the exact result lies, in thousandths of its unit in the last place.

A RANGE is lin:A:B (uniform) or log:A:B (uniform in the bits of the double, so about uniform in the logarithm). Both use
u = the upper 53 bits of xorshift64 (G. Marsaglia, 2003), advanced before each argument, as a fraction: A + (B - A) · u, or
the double whose bits are those of |A| + int((bits of |B| - bits of |A|) · u), with the sign of A. f32 rounds the result.
int:A:B is the integer below A + (B - A) · u.

Usage: elementary.py [FUNCTION...]
"""
import os
import struct
import sys
import mpmath
import numpy as np
from mpmath import mp, mpf

mp.prec = 300
np.seterr(over='ignore')
DIRECTORY = __file__.replace('.py', '')
COUNT = {'f64': 110, 'f32': 70}


def bits_of(x):
    return struct.unpack('<Q', struct.pack('<d', x))[0]


def double_of(bits):
    return struct.unpack('<d', struct.pack('<Q', bits))[0]


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

    def argument(self, kind, a, b):
        u = self.fraction()
        if kind == 'lin':
            return a + (b - a) * u
        if kind == 'int':
            return float(int(a + (b - a) * u))
        low, high = bits_of(abs(a)), bits_of(abs(b))
        magnitude = double_of(low + int(float(high - low) * u))
        return -magnitude if a < 0 else magnitude


LIMITS = {'f64': (53, -1022, mpf(2)**1024), 'f32': (24, -126, mpf(2)**128)}


def result_line(kind, exact):
    precision, least, limit = LIMITS[kind]
    magnitude = abs(exact)
    exponent = max(mp.frexp(magnitude)[1] - 1, least) if magnitude else least
    unit = mpf(2)**(exponent - precision + 1)
    nearest = mp.nint(exact / unit) * unit
    if abs(nearest) >= limit:
        return f'{code(kind, float("inf") if exact > 0 else float("-inf"))} 0'
    value = float(nearest)
    _, e = mp.frexp(nearest)
    own_unit = mpf(2)**(max(e - 1, least) - precision + 1) if nearest else unit
    return f'{code(kind, value)} {int(mp.nint((exact - nearest) / own_unit * 1000))}'


def code(kind, x):
    return f'{bits_of(x):x}' if kind == 'f64' else f'{int(np.float32(x).view(np.uint32)):x}'


def real(x):
    if isinstance(x, mpmath.mpc):
        if x.imag != 0:
            raise ValueError
        return x.real
    return x


def write(name, reference, ranges, points):
    if sys.argv[1:] and name not in sys.argv[1:]:
        return
    with open(os.path.join(DIRECTORY, name + '.txt'), 'w') as out:
        for kind in ('f64', 'f32'):
            narrow = (lambda x: x) if kind == 'f64' else (lambda x: float(np.float32(x)))
            seed = 1
            for entry in ranges:
                only, entry = (entry[0], entry[1:]) if isinstance(entry[0], str) and entry[0] in LIMITS else (kind, entry)
                if only != kind:
                    continue
                axes = entry if isinstance(entry[0], tuple) else (entry,)
                seed += 1
                start = seed * 0x9E3779B97F4A7C15 & 0xffffffffffffffff
                random = Random(start)
                print(kind, COUNT[kind], f'{start:x}', *(f'{k}:{float(a).hex()}:{float(b).hex()}' for k, a, b in axes), file=out)
                for _ in range(COUNT[kind]):
                    arguments = [narrow(random.argument(k, float(a), float(b))) for k, a, b in axes]
                    print(result_line(kind, real(reference(*map(mpf, arguments)))), file=out)
            chosen = []
            for p in points:
                arguments = [narrow(x) for x in (p if isinstance(p, tuple) else (p,))]
                if not all(np.isfinite(arguments)):
                    continue
                try:
                    exact = real(reference(*map(mpf, arguments)))
                except (ValueError, ZeroDivisionError):
                    continue
                if mp.isfinite(exact):  # special values are the test's own
                    chosen.append((arguments, exact))
            print(kind, len(chosen), 'points', file=out)
            for arguments, exact in chosen:
                print(*(code(kind, x) for x in arguments), result_line(kind, exact), file=out)


def lin(a, b):
    return ('lin', a, b)


def log(a, b):
    return ('log', a, b)


def integers(a, b):
    return ('int', a, b)


def f64(*entry):
    return ('f64',) + entry


def f32(*entry):
    return ('f32',) + entry


TINY = [5e-324, 1e-310, 2.0**-1022, 1e-300, 2.0**-149, 1e-40, 2.0**-126, 1e-30, 1e-17, 1e-9, 1e-8]
TINY += [-x for x in TINY]
AROUND_ONE = [1 + s * 2.0**-k for s in (1, -1) for k in (1, 2, 5, 10, 20, 23, 24, 30, 52, 53)]
INTEGERS = [float(k) for k in range(1, 12)] + [float(10**k) for k in range(2, 23)] + [2.0**k for k in range(-30, 31, 3)]
HUGE = [1e10, 1e22, 1e30, 3e38, 1e100, 1e200, 1.7976931348623157e308]
# The double nearest to a multiple of π/2, and others that cancel much (found by the continued fractions of π).
ANGLES = [6381956970095103.0 * 2.0**797, 5.0e15, 355.0, 710.0, 103993.0, 245850922.0, 411557987.0, 6.5e8, 1e22, 1.0e300]
ANGLES += [float(mp.pi / 4 * k) for k in (1, 2, 3, 4, 5, 6, 7, 8, 100, 1000, 10**6, 10**9)] + [1048575.9, 1048576.0, 1048577.0, 1e15]
WIDE = [f64(log(1e-308, 1e308)), f32(log(1e-37, 1e37))]
BOTH = lambda a, b: [lin(-b, b), log(a, b), log(-a, -b)]
LARGE_ANGLES = [lin(-10, 10), lin(-1e6, 1e6), log(1e-9, 1), f64(log(1e6, 1e308)), f32(log(1e6, 3e38))]


def log_gamma(x):
    if x <= 0 and x == mp.floor(x):
        raise ValueError
    return mp.loggamma(x) if x > 0 else mp.log(abs(mp.gamma(x)))


def cube_root(x):
    return mp.cbrt(x) if x >= 0 else -mp.cbrt(-x)


def power(x, y):
    return mp.power(x, y)


def not_zero(f):
    def wrapped(*x):
        if 0 in x:
            raise ValueError
        return f(*x)
    return wrapped


EXP = [lin(-1, 1), f64(lin(-708, 709)), f64(lin(-745, -708)), f32(lin(-87, 88)), f32(lin(-104, -87)), log(1e-9, 1)]
EXP_POINTS = TINY + [709.782712893384, 709.7827128933841, 88.72283, 88.722839, -103.97, -745.13, -745.14, -708.4] + INTEGERS[:12]
LOG = [lin(0.5, 2), lin(0.9, 1.1)] + WIDE
LOG_POINTS = [abs(x) for x in TINY] + AROUND_ONE + INTEGERS + HUGE


def erf_inverse(x):
    """By Newton's method on log erfc, since mpmath's own stops short of the bits near 1."""
    if abs(x) >= 1:
        raise ValueError
    if abs(x) < 0.9:
        return mp.erfinv(x)
    y = mp.sqrt(-mp.log(1 - abs(x))) - mpf(1) / 4
    for _ in range(12):
        y += (mp.log(mp.erfc(y)) - mp.log(1 - abs(x))) * mp.erfc(y) * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
    return mp.sign(x) * y


def hurwitz(s, q):
    """The definition: a sum up to 40 and beyond |s|, then the Euler–Maclaurin formula."""
    if s <= 1 or (q <= 0 and q == mp.floor(q)) or (q < 0 and s != mp.floor(s)):
        raise ValueError
    total, k, least = mpf(0), 0, max(40, 3 * s)
    while q + k < least:
        term = (q + k)**-s if q + k > 0 else (-1)**int(s) * abs(q + k)**-s
        total += term
        k += 1
        if q + k > 1 and abs(term) < abs(total) * mpf(2)**-200:
            return total
    a = q + k
    total += a**(1 - s) / (s - 1) + a**-s / 2
    factor = s * a**(-s - 1)
    for j in range(1, 40):
        total += mp.bernoulli(2 * j) / mp.factorial(2 * j) * factor
        factor *= (s + 2 * j - 1) * (s + 2 * j) / a**2
    return total


def polygamma(n, x):
    if n < 0 or n != mp.floor(n):
        raise ValueError
    if n == 0:
        return mp.digamma(x)
    return (-1)**(int(n) + 1) * mp.factorial(n) * hurwitz(n + 1, x)


def zero_between(f, a, b):
    a, b = mpf(a), mpf(b)
    rises = f(b) > f(a)
    for _ in range(mp.prec):
        middle = (a + b) / 2
        a, b = (a, middle) if (f(middle) > 0) == rises else (middle, b)
    return a


def around(zero):
    """The doubles next to it, and some farther away."""
    x = float(zero)
    return [x, float(np.nextafter(x, -np.inf)), float(np.nextafter(x, np.inf)), x * (1 + 2.0**-40), x * (1 - 2.0**-30), x + 2.0**-20, x - 2.0**-10]


def digamma_zeros(intervals):
    edge = mpf(2)**-60
    return [zero_between(mp.digamma, -k - 1 + edge, -k - edge) for k in intervals]


def lgamma_zeros(intervals):
    edge = mpf(2)**-150
    for k, least in zip(intervals, digamma_zeros(intervals)):
        yield zero_between(log_gamma, -k - 1 + edge, least)
        yield zero_between(log_gamma, least, -k - edge)


def zeta_zeros(s, intervals):
    edge = mpf(2)**-10
    return [zero_between(lambda q: hurwitz(s, q), -k - 1 + edge, -k - edge) for k in intervals]


ZETA_ZEROS = [(s, x) for s in (3, 5, 7, 11, 39) for zero in zeta_zeros(s, (0, 1, 2, 7, 30)) for x in around(zero)]


def main():
    os.makedirs(DIRECTORY, exist_ok=True)
    write('exp', mp.exp, EXP, EXP_POINTS)
    write('expm1', mp.expm1, [lin(-1, 1), lin(0.3, 0.5), f64(lin(-40, 709)), f32(lin(-20, 88)), log(1e-20, 1), log(-1e-20, -1)],
          EXP_POINTS)
    write('log', mp.log, LOG, LOG_POINTS)
    write('log1p', mp.log1p, [lin(-0.999, 3), log(1e-20, 1), log(-1e-20, -0.99)] + WIDE,
          TINY + [x - 1 for x in AROUND_ONE] + INTEGERS + HUGE)
    for name in ('sin', 'cos', 'tan'):
        write(name, getattr(mp, name), LARGE_ANGLES, TINY + ANGLES + [-x for x in ANGLES])
    write('asin', mp.asin, [lin(-1, 1), log(1e-9, 1), lin(0.9999, 1)], TINY + [1.0, -1.0, 0.5, -0.5, 1 - 2.0**-53, 1 - 2.0**-24])
    write('acos', mp.acos, [lin(-1, 1), log(1e-9, 1), lin(0.9999, 1)], TINY + [1.0, -1.0, 0.5, -0.5, 1 - 2.0**-53, 1 - 2.0**-24])
    write('sinh', mp.sinh, BOTH(1e-9, 1) + [lin(-40, 40), f64(lin(40, 710.4)), f32(lin(40, 89.4))],
          TINY + [710.4758600739439, 89.41598, 0.35, 0.3499999])
    write('cosh', mp.cosh, BOTH(1e-9, 1) + [lin(-40, 40), f64(lin(40, 710.4)), f32(lin(40, 89.4))],
          TINY + [710.4758600739439, 89.41598, 0.35, 0.3499999])
    write('tanh', mp.tanh, BOTH(1e-9, 1) + [lin(-20, 20)], TINY + [19.06, 19.07, 8.66, 9.01, 9.02, 0.35, 0.3499999] + HUGE)
    write('asinh', mp.asinh, BOTH(1e-9, 1) + WIDE, TINY + INTEGERS + HUGE)
    write('acosh', mp.acosh, [lin(1, 2), lin(1, 1.001)] + [f64(log(1, 1e308)), f32(log(1, 1e37))],
          [x for x in AROUND_ONE + INTEGERS + HUGE if x >= 1])
    write('atanh', mp.atanh, BOTH(1e-9, 0.999), TINY + [s * (1 - 2.0**-k) for s in (1, -1) for k in (1, 2, 5, 10, 24, 53)])
    write('cbrt', cube_root, BOTH(1e-9, 8) + WIDE, TINY + INTEGERS + HUGE + [27.0, 64.0, -27.0])
    write('rsqrt', not_zero(lambda x: 1 / mp.sqrt(x)), [lin(0.1, 4)] + WIDE, [abs(x) for x in TINY] + INTEGERS + HUGE)
    write('logistic', lambda x: 1 / (1 + mp.exp(-x)), [lin(-1, 1), lin(-40, 40), f64(lin(-745, -1)), f32(lin(-103, -1))],
          TINY + EXP_POINTS + [-x for x in EXP_POINTS])
    write('erf', mp.erf, BOTH(1e-9, 1) + [lin(-6, 6)], TINY + [0.5, 0.49999, 3.9, 3.92, 4.0, 5.9, 5.92, 6.0, 6.1] + HUGE)
    write('erfc', mp.erfc, BOTH(1e-9, 1) + [lin(-6, 6), f64(lin(6, 27)), f32(lin(4, 10.1))],
          TINY + [0.5, 0.49999, 8.0, 7.99999, 26.5, 26.54, 27.2, 9.2, 10.05])
    write('lgamma', log_gamma, [lin(0.1, 4), lin(4, 100), lin(0.93, 1.07), lin(1.93, 2.07), lin(-30, -20), log(1e-20, 1)] +
          [f64(log(100, 1e305)), f32(log(100, 1e36))], TINY + AROUND_ONE + INTEGERS + [1 + x for x in AROUND_ONE] + [-0.5, -1.5, -10.5] +
          [x for zero in lgamma_zeros(range(2, 20)) for x in around(zero)])
    write('digamma', mp.digamma, [lin(0.1, 4), lin(4, 100), lin(1.4, 1.52), log(1e-20, 1)] +
          [f64(log(100, 1e305)), f32(log(100, 1e36))], TINY + AROUND_ONE + INTEGERS + [1.4616321449683622, 1.4616321449683625, -0.5, -1.5] +
          [x for zero in digamma_zeros([*range(30), 45, 60, 99, 150, 1000, 10**6]) for x in around(zero)])
    write('erf_inv', erf_inverse, BOTH(1e-9, 0.999) + [lin(-0.999999, 0.999999), lin(0.49, 0.56), f64(lin(0.99999999999, 1)), f32(lin(0.9999, 1))],
          TINY + [s * (1 - 2.0**-k) for s in (1, -1) for k in range(1, 54)] + [0.9932620530009145, 0.9932620530009146])
    write('bessel_i1e', lambda x: mp.exp(-abs(x)) * mp.besseli(1, x), BOTH(1e-9, 3) + [lin(0.2, 0.3), lin(3, 33)] +
          [f64(log(33, 1e308)), f32(log(33, 1e37))], TINY + AROUND_ONE + HUGE + INTEGERS + [31.999999, 0.2499999999])
    write('zeta', hurwitz, [(lin(1, 10), lin(0.01, 10)), (log(1.0001, 300), log(1e-3, 1e4)), (lin(1.001, 1.1), log(1e-8, 1e8)),
                            f64(lin(2, 5), log(1e-100, 1e100)), (integers(2, 12), lin(-8, 0)), (integers(2, 40), lin(-1, 0))],
          [(float(s), q) for s in (1.5, 2, 3, 7.25, 20, 100) for q in (1e-300, 1e-30, 0.5, 1.0, 16.0, 1e8, 1e30, 1e300)] +
          [(s, q) for s in (2.0, 3.0, 8.0) for q in (-0.5, -1e-20, -1 + 2.0**-20, -7.25, -100.5)] + [(1 + 2.0**-52, 1.0), (1 + 2.0**-23, 3.0)] +
          [(float(s), x) for s, x in ZETA_ZEROS])
    write('polygamma', polygamma, [(integers(1, 4), lin(0.01, 10)), (integers(1, 30), log(0.1, 1e4)), f64(integers(1, 300), log(10, 1e3)),
                                   (integers(1, 10), lin(-6, 0))],
          [(float(n), x) for n in (1, 2, 5, 40, 170, 171, 500) for x in (0.25, 1.0, 3.5, 100.0, 1e5, 1e10, -0.5, -2.75)] +
          [(float(s - 1), x) for s, x in ZETA_ZEROS])
    write('pow', power, [(lin(0, 3), lin(-30, 30)), f64(log(1e-300, 1e300), lin(-1, 1)), f32(log(1e-37, 1e37), lin(-1, 1)),
                         (lin(0.9, 1.1), log(1, 1000)), f64(lin(0.999999, 1.000001), lin(-1e8, 1e8))],
          [(float(x), float(y)) for x in (-3, -2, -0.5, 0.1, 2, 3, 10) for y in (-5, -3, -2, -1, 1, 2, 3, 5, 20)] +
          [(1 + 2.0**-52, 3e18), (1 - 2.0**-53, 6e18), (1 + 2.0**-23, 7e8), (1e-320, 0.5), (5e-324, 1.0), (2.0, -1074.0), (2.0, -149.0),
           (10.0, 308.25), (0.5, 0.5), (4.0, 0.5), (1e-40, 0.5)])
    write('atan2', not_zero(mp.atan2), [(lin(-1, 1), lin(-1, 1)), (log(1e-3, 1e3), log(1e-3, 1e3)), f64(log(1e-308, 1e308), log(-1e-308, -1e308)),
                                        f32(log(1e-37, 1e37), log(-1e-37, -1e37))],
          [(y, x) for y in (5e-324, -1e-310, 1e-40, 1.0, -3.0, 1e300, 1e38) for x in (5e-324, -1e-310, 2.0, -2.0, 1e-38, 1e300, -1e300)])
    write('hypot', mp.hypot, [(lin(-1, 1), lin(-1, 1)), (log(1e-3, 1e3), log(1e-3, 1e3)), f64(log(1e-320, 1e-300), log(1e-320, 1e-300)),
                              f64(log(1e300, 1.2e308), log(1e300, 1.2e308)), f32(log(1e-44, 1e-37), log(1e-44, 1e-37))],
          [(3.0, 4.0), (5e-324, 5e-324), (1e308, 1.0), (1e-310, 1e-310), (1e200, 1e180), (1e38, 2e38), (0.0, 5.0)])


main()
