#!/usr/bin/env python3
"""Writes coefficients.h: every polynomial and constant of math/elementary. Needs mpmath.

A polynomial is the interpolant at Chebyshev nodes (near the best one: T. J. Rivlin, "The Chebyshev Polynomials", 1974) of
the lowest degree whose greatest |error · weight| over the interval is below 2^-bits; then its coefficients are rounded to
double, and the comment states the error of what remains. Usage: coefficients.py >coefficients.h
"""
import struct
from mpmath import mp, mpf

mp.prec = 400


def as_double(x):
    return mpf(float(mpf(x)))  # mpmath rounds to nearest even


def hexadecimal(x):
    if x == 0:
        return '0x0p+0'
    return float(x).hex().replace('.0000000000000p', 'p')


def chebyshev_fit(g, a, b, degree):
    """Monomial coefficients of the interpolant of g at the degree + 1 Chebyshev nodes of [a, b]."""
    n = degree + 1
    nodes = [(a + b) / 2 + (b - a) / 2 * mp.cos(mp.pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    nodes = [x if abs(x) > (b - a) / 2**40 else (b - a) / 2**40 for x in nodes]  # where quotients cancel completely
    table = [g(x) for x in nodes]  # Newton's divided differences
    for j in range(1, n):
        for i in range(n - 1, j - 1, -1):
            table[i] = (table[i] - table[i - 1]) / (nodes[i] - nodes[i - j])
    result = [table[-1]]
    for i in range(n - 2, -1, -1):  # result = result · (x - nodes[i]) + table[i]
        shifted = [mpf(0)] + result
        for j, c in enumerate(result):
            shifted[j] -= nodes[i] * c
        shifted[0] += table[i]
        result = shifted
    return result


def horner(coefficients, x):
    y = mpf(0)
    for c in reversed(coefficients):
        y = y * x + c
    return y


def greatest_error(coefficients, g, a, b, weight):
    points = [a + (b - a) * (i + mpf(1) / 3) / 301 for i in range(301)] + [a + (b - a) / 10**6, b - (b - a) / 10**6]
    return max(abs((horner(coefficients, x) - g(x)) * weight(x)) for x in points)


def polynomial(name, comment, g, a, b, bits, weight=lambda x: 1, head=()):
    """head: leading coefficients given exactly (as doubles), which the fit keeps."""
    a, b = mpf(a), mpf(b)
    h = g
    if head:
        h = lambda x: (g(x) - horner(list(head), x)) / x**len(head)
    for degree in range(1, 60):
        coefficients = list(head) + chebyshev_fit(h, a, b, degree)
        if greatest_error(coefficients, g, a, b, weight) < mpf(2)**-bits:
            break
    else:
        raise ValueError(name)
    coefficients = [as_double(c) for c in coefficients]
    error = greatest_error(coefficients, g, a, b, weight)
    print(f'\n// {comment}. Degree {len(coefficients) - 1} on [{float(a):.6g}, {float(b):.6g}], error below 2^{float(mp.log(error, 2)):.1f}.')
    print(f'static const double {name}[] = {{{", ".join(hexadecimal(c) for c in coefficients)}}};')


def split(value, bits_of_parts):
    """value as an unevaluated sum of parts with the given numbers of bits, the last one 53."""
    parts, rest = [], mpf(value)
    for bits in bits_of_parts:
        exponent = mp.frexp(rest)[1]
        unit = mpf(2)**(exponent - bits)
        part = mp.floor(rest / unit) * unit if bits != 53 else as_double(rest)
        parts.append(part)
        rest -= part
    return parts


def constant(name, comment, value, bits_of_parts=(53, 53)):
    print(f'\n// {comment}.')
    for i, part in enumerate(split(value, bits_of_parts)):
        suffix = '' if len(bits_of_parts) == 1 else f'_{i + 1}'
        print(f'static const double {name}{suffix} = {hexadecimal(part)};')


def stable(function):
    """Evaluates with many more bits, for quotients that cancel near 0."""
    def wrapped(x):
        with mp.workprec(1200):
            return function(mpf(x))
    return wrapped


def main():
    print('// Polynomials and constants of math/elementary. Written by coefficients.py, which says how; do not')
    print('// edit. Coefficients are in ascending order.')
    print('#ifndef HLO_MATH_ELEMENTARY_COEFFICIENTS_H\n#define HLO_MATH_ELEMENTARY_COEFFICIENTS_H\n\n#include <stdint.h>\n')
    print('// clang-format off')
    constants()
    exponentials()
    logarithms()
    trigonometric()
    inverse_trigonometric()
    others()
    gamma()
    erf_inverse()
    bessel()
    print('\n// clang-format on\n#endif')


def constants():
    constant('LOG2_E', '1 / log 2', 1 / mp.log(2), (53,))
    constant('LN2', 'log 2; 11-bit multiples of the first part are exact', mp.log(2), (42, 53))
    constant('LN2_DD', 'log 2', mp.log(2))
    constant('TWO_OVER_PI', '2 / π', 2 / mp.pi, (53,))
    constant('HALF_PI', 'π / 2; 20-bit multiples of the first three parts are exact', mp.pi / 2, (33, 33, 33, 53))
    constant('HALF_PI_DD', 'π / 2', mp.pi / 2)
    constant('SIXTH', '1 / 6', mpf(1) / 6)
    constant('THIRD', '1 / 3', mpf(1) / 3)
    constant('FIFTH', '1 / 5', mpf(1) / 5)
    with mp.workprec(1400):
        bits = mp.floor(mpf(2)**1280 * 2 / mp.pi)
    words = [int(bits) >> (32 * i) & 0xffffffff for i in range(39, -1, -1)]
    print('\n// The first 1280 bits of 2 / π after the point, the highest first.')
    print('static const uint32_t TWO_OVER_PI_BITS[] = {' + ', '.join(f'0x{w:08x}' for w in words) + '};')


def exponentials():
    r = mpf('0.3467')
    polynomial('EXP', '(e^r - 1 - r - r²/2) / r³; the error counts in e^r', stable(lambda x: (mp.exp(x) - 1 - x - x * x / 2) / x**3),
               -r, r, 63, lambda x: x**3)
    polynomial('EXP_DD', '(e^r - 1 - r - r²/2 - r³/6) / r⁴; the error counts in e^r',
               stable(lambda x: (mp.exp(x) - 1 - x - x * x / 2 - x**3 / 6) / x**4), -r, r, 69, lambda x: x**4)
    polynomial('EXPM1_F32', '(e^r - 1) / r', stable(lambda x: (mp.exp(x) - 1) / x), -r, r, 36, head=(mpf(1),))


def logarithms():
    # log((1 + s) / (1 - s)) = 2 atanh s; |s| ≤ (√2 - 1) / (√2 + 1) = 0.17157…
    z_max = mpf('0.1717')**2
    atanh_ratio = lambda z: mp.atanh(mp.sqrt(z)) / mp.sqrt(z)
    polynomial('LOG', '2 (atanh s / s - 1) / s² in s²; the error counts in atanh s / s', stable(lambda z: 2 * (atanh_ratio(z) - 1) / z),
               0, z_max, 64, lambda z: z / 2)
    polynomial('LOG_DD', '(atanh s / s - 1 - s²/3 - s⁴/5) / s⁶ in s²; the error counts in atanh s / s',
               stable(lambda z: (atanh_ratio(z) - 1 - z / 3 - z * z / 5) / z**3), 0, z_max, 76, lambda z: z**3)
    polynomial('LOG_F32', '2 atanh s / s in s²', stable(lambda z: 2 * atanh_ratio(z)), 0, z_max, 42, lambda z: mpf(1) / 2,
               head=(mpf(2),))


def trigonometric():
    z_max = mpf('0.78540')**2 + mpf('0.00001')
    polynomial('SIN', '(sin r / r - 1) / r² in r²; the error counts in sin r / r',
               stable(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z), 0, z_max, 60, lambda z: z)
    polynomial('COS', '(cos r - 1 + r²/2) / r⁴ in r²; the error counts in cos r',
               stable(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2), 0, z_max, 60, lambda z: z**2)
    polynomial('SIN_F32', 'sin r / r in r²', stable(lambda z: mp.sin(mp.sqrt(z)) / mp.sqrt(z)), 0, z_max, 34,
               lambda z: 1, head=(mpf(1),))
    polynomial('COS_F32', 'cos r in r²', stable(lambda z: mp.cos(mp.sqrt(z))), 0, z_max, 34, lambda z: 1, head=(mpf(1),))


def inverse_trigonometric():
    z_max = mpf('0.41422')**2
    polynomial('ATAN', '(atan t / t - 1) / t² in t²; the error counts in atan t / t',
               stable(lambda z: (mp.atan(mp.sqrt(z)) / mp.sqrt(z) - 1) / z), 0, z_max, 61, lambda z: z)
    polynomial('ASIN', '(asin x / x - 1) / x² in x², |x| ≤ 1/2; the error counts in asin x / x',
               stable(lambda z: (mp.asin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z), 0, mpf('0.25'), 61, lambda z: z)
    polynomial('ATAN_F32', 'atan t / t in t², |t| ≤ 1', stable(lambda z: mp.atan(mp.sqrt(z)) / mp.sqrt(z)), 0, 1, 33,
               lambda z: 1, head=(mpf(1),))
    polynomial('ASIN_F32', 'asin x / x in x², |x| ≤ 1/2', stable(lambda z: mp.asin(mp.sqrt(z)) / mp.sqrt(z)), 0, mpf('0.25'), 33,
               lambda z: 1, head=(mpf(1),))


def others():
    polynomial('CBRT', 'cube root on [1, 8] to start from, relative', lambda x: mp.cbrt(x), 1, 8, 9, lambda x: mp.cbrt(x)**-1)
    print('\n// A third of the upper 32 bits of x plus this is the upper half of a double near the cube root of x.')
    print(f'static const uint64_t CBRT_F32_BITS = 0x{cube_root_bits():08x};')
    # Everything about erf: erf x = x (2/√π + x² P(x²)) near 0, further out erfc x = e^(-x²) erfcx x.
    constant('TWO_OVER_ROOT_PI', '2 / √π', 2 / mp.sqrt(mp.pi))
    slope = 2 / mp.sqrt(mp.pi)
    polynomial('ERF', '(erf x / x - 2/√π) / x² in x², |x| < 1/2; the error counts in erf x / x',
               stable(lambda z: (mp.erf(mp.sqrt(z)) / mp.sqrt(z) - slope) / z), 0, mpf('0.2501'), 62, lambda z: z)
    # (x + 1/2) erfcx x is between 0.57 and 0.64 for all x from 1/2 on, and smooth in t = (x - 4) / (x + 4) (after M. M. Shepherd,
    # J. G. Laframboise, "Chebyshev approximation of (1 + 2x) exp(x²) erfc x in 0 ≤ x < ∞", 1981).
    ratio = stable(lambda x: (x + mpf(1) / 2) * mp.exp(x * x) * mp.erfc(x))
    constant('ERFCX_AT_4', '(x + 1/2) e^(x²) erfc x for x = 4', ratio(mpf(4)))
    polynomial('ERFCX', 'the same for x ≥ 1/2, less that, over t, in t = (x - 4) / (x + 4)',
               stable(lambda t: (ratio(4 * (1 + t) / (1 - t)) - ratio(mpf(4))) / t), mpf(-7) / 9, mpf(3) / 4, 58, lambda t: t / mpf('0.57'))


def series(name, comment, values):
    print(f'\n// {comment}.')
    print(f'static const double {name}[] = {{{", ".join(hexadecimal(as_double(v)) for v in values)}}};')


def gamma():
    constant('LOG_ROOT_TWO_PI', 'log √(2π)', mp.log(2 * mp.pi) / 2)
    constant('LOG_PI', 'log π', mp.log(mp.pi))
    constant('PI_DD', 'π', mp.pi)
    constant('TWELFTH', '1 / 12', mpf(1) / 12)
    constant('EULER', "Euler's constant γ", mp.euler)
    constant('ONE_MINUS_EULER', '1 - γ', 1 - mp.euler)
    b = lambda k: mp.bernoulli(2 * k)
    series('STIRLING', "Stirling's series of log Γ after 1/(12x): B(2k) / (2k (2k - 1)) of 1/x^(2k - 1), k = 2…12",
           [b(k) / (2 * k * (2 * k - 1)) for k in range(2, 13)])
    series('DIGAMMA', 'of the asymptotic series of digamma after 1/(12x²): B(2k) / (2k) of 1/x^(2k), k = 2…12',
           [b(k) / (2 * k) for k in range(2, 13)])
    series('EULER_MACLAURIN', 'of the Euler–Maclaurin formula: B(2j) / (2j)!, j = 1…13', [b(j) / mp.factorial(2 * j) for j in range(1, 14)])
    y = mpf(1) / 16
    polynomial('LGAMMA_1', '(lgamma(1 + y) / y + γ) / y; the error counts in lgamma(1 + y) / y',
               stable(lambda t: (mp.loggamma(1 + t) / t + mp.euler) / t), -y, y, 60, lambda t: t)
    polynomial('LGAMMA_2', '(lgamma(2 + y) / y - (1 - γ)) / y; the error counts in lgamma(2 + y) / y',
               stable(lambda t: (mp.loggamma(2 + t) / t - 1 + mp.euler) / t), -y, y, 60, lambda t: t)
    polynomial('LGAMMA_F32', 'lgamma(2 + y) / y, relative', stable(lambda t: mp.loggamma(2 + t) / t), -0.5, 0.5, 37,
               stable(lambda t: t / mp.loggamma(2 + t)))
    with mp.workprec(1200):
        zero = mp.findroot(mp.digamma, mpf('1.4616321449683623'))
        slope = mp.psi(1, zero)
    constant('DIGAMMA_ZERO', 'where digamma is 0', zero)
    constant('DIGAMMA_SLOPE', 'its derivative there', slope)
    polynomial('DIGAMMA_NEAR_ZERO', '(digamma(zero + y) / y - slope) / y; the error counts in digamma / y',
               stable(lambda t: (mp.digamma(zero + t) / t - slope) / t), -y, y, 60, lambda t: t)
    polynomial('DIGAMMA_F32', 'digamma(y + 3/2) / (y + 3/2 - zero), relative',
               stable(lambda t: mp.digamma(t + 1.5) / (t + 1.5 - zero)), -0.5, 0.5, 37,
               stable(lambda t: (t + 1.5 - zero) / mp.digamma(t + 1.5)))


def erf_inverse_ratio(w):
    """y / x for erf y = x with x = √(1 - e^-w)."""
    with mp.workprec(600):
        if w == 0:
            return mp.sqrt(mp.pi) / 2
        x = mp.sqrt(-mp.expm1(-w))
        rest = mp.exp(-w) / (1 + x)  # 1 - x without cancellation
        y = mp.erfinv(x) if w < 20 else mp.sqrt(w) - mpf(1) / 2
        for _ in range(9):
            y += (mp.erfc(y) - rest) * mp.exp(y * y) * mp.sqrt(mp.pi) / 2
        return y / x


def erf_inverse():
    constant('HALF_ROOT_PI', '√π / 2', mp.sqrt(mp.pi) / 2)
    relative = lambda w: 1 / erf_inverse_ratio(w)
    polynomial('ERF_INV_NEAR', 'y / x for erf y = x in w - 5/2, w = -log(1 - x²) ≤ 5, relative',
               lambda t: erf_inverse_ratio(t + mpf(5) / 2), mpf('-2.5'), mpf('2.5001'), 34, lambda t: relative(t + mpf(5) / 2))
    polynomial('ERF_INV_FAR', 'the same in √w - 4.2, 5 ≤ w ≤ 38, relative', lambda t: erf_inverse_ratio((t + mpf('4.2'))**2),
               mpf('-1.97'), mpf('1.97'), 34, lambda t: relative((t + mpf('4.2'))**2))


def bessel():
    i1e = lambda x: mp.besseli(1, x) * mp.exp(-x)
    polynomial('BESSEL_I1E_NEAR', '(e^-x I₁(x) / x - 1/2) / x, the error counts in e^-x I₁(x) / x',
               stable(lambda x: (i1e(x) / x - mpf(1) / 2) / x), 0, mpf('0.2501'), 60, lambda x: x / mpf('0.35'))
    pieces('BESSEL_I1E', 'e^-x I₁(x) / x', lambda x: i1e(x) / x, -2, 7, degree=14)
    constant('ONE_OVER_ROOT_TWO_PI', '1 / √(2π)', 1 / mp.sqrt(2 * mp.pi))
    polynomial('BESSEL_I1E_TAIL', '(√(2πx) e^-x I₁(x) - 1) x in 1/x, x ≥ 32; the error counts in e^-x I₁(x)',
               stable(lambda z: (mp.sqrt(2 * mp.pi / z) * i1e(1 / z) - 1) / z), mpf('0.0001'), mpf(1) / 32, 62, lambda z: z)
    polynomial('BESSEL_I1E_F32', 'e^-x I₁(x) / x, x ≤ 8, relative', lambda x: i1e(x) / x, 0, 8, 35, lambda x: x / i1e(x),
               head=(mpf(1) / 2,))
    polynomial('BESSEL_I1E_F32_TAIL', '√x e^-x I₁(x) in 1/x, x ≥ 8, relative', lambda z: i1e(1 / z) / mp.sqrt(z), mpf(2)**-60, mpf(1) / 8, 35,
               lambda z: 5 / mpf(2))


def cube_root_bits():
    """Balances the greatest error to both sides; as functions of log2 x both roots are piecewise simple."""
    def extremes(bits):
        errors = []
        for i in range(3 * 64):
            x = mpf(2)**(mpf(i) / 64)
            upper = struct.unpack('<Q', struct.pack('<d', float(x)))[0] >> 32
            root = struct.unpack('<d', struct.pack('<Q', (upper // 3 + bits) << 32))[0]
            errors.append(root / mp.cbrt(x) - 1)
        return max(errors) + min(errors)
    low, high = 600 << 20, 700 << 20
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if extremes(middle) < 0 else (low, middle)
    return low


def pieces(name, comment, f, first_octave, octaves, degree=12, per_octave=4):
    """f on [2^first_octave, 2^(first_octave + octaves)) in pieces that an exponent and the upper bits of the mantissa select."""
    rows, worst = [], 0
    for piece in range(per_octave * octaves):
        octave, part = divmod(piece, per_octave)
        width = mpf(2)**(octave + first_octave) / per_octave
        low = mpf(2)**(octave + first_octave) + part * width
        centre = low + width / 2
        with mp.workprec(1200):
            value = f(centre)
            slope = lambda d: (f(centre + d) - value) / d
            fitted = [as_double(c) for c in chebyshev_fit(slope, -width / 2, width / 2, degree)]
            error = greatest_error(fitted, slope, -width / 2, width / 2, lambda d: d / value)
        worst = max(worst, error)
        rows.append(split(value, (53, 53)) + fitted)
    print(f'\n// {comment} on [{interval_end(first_octave)}, {interval_end(first_octave + octaves)}): a row per quarter of an octave;'
          f' with d = x - its centre it is r[0] + r[1] + d (r[2] + r[3] d + …). Error of d (…) below 2^{float(mp.log(worst, 2)):.1f}.')
    print(f'static const double {name}[{len(rows)}][{len(rows[0])}] = {{')
    for row in rows:
        print('  {' + ', '.join(hexadecimal(c) for c in row) + '},')
    print('};')


def interval_end(octave):
    return f'{2**octave}' if octave >= 0 else f'1/{2**-octave}'


main()
