#!/usr/bin/env python3
"""Writes vector_coefficients.h: the f32 polynomials of vector_math_template.h. Needs mpmath and numpy.

Each is the polynomial of least greatest |error · weight| (by least squares reweighted with the errors: C. L. Lawson, 1961)
of the stated degree, coefficients rounded to f32 one after the other from the lowest, the others fitted anew each time. The comment states the error of what remains. Usage: vector_coefficients.py >vector_coefficients.h
"""
import struct

import numpy as np
from mpmath import mp, mpf

mp.prec = 200


def as_float(x):
    return mpf(struct.unpack('f', struct.pack('f', float(x)))[0])


def text(x):
    mantissa, exponent = float(x).hex().split('p')
    return mantissa.rstrip('0').rstrip('.') + 'p' + exponent + 'f'


def minimax(values, grid, weights, head, free):
    """The coefficients after head, `free` of them, of the best polynomial for the values."""
    scale = np.abs(grid).max()
    columns = np.array([(grid / scale)**(len(head) + j) for j in range(free)]).T * weights[:, None]
    right = (values - np.polynomial.polynomial.polyval(grid, head or [0])) * weights
    measure = np.ones(len(grid)) / len(grid)
    best, best_error = None, np.inf
    for _ in range(600):
        root = np.sqrt(measure)
        solution = np.linalg.lstsq(columns * root[:, None], right * root, rcond=None)[0]
        errors = np.abs(columns @ solution - right)
        if errors.max() < best_error:
            best, best_error = solution, errors.max()
        measure *= errors / errors.max() + 1e-3
        measure /= measure.sum()
    return [float(c) / scale**(len(head) + j) for j, c in enumerate(best)]


def fitted(g, a, b, degree, weight, head, steps, centre=0, less=()):
    """The coefficients, in x - centre, and the error."""
    a, b = mpf(a), mpf(b)
    points = [(a + b) / 2 - (b - a) / 2 * mp.cos(mp.pi * i / 600) for i in range(601)]
    values = np.array([float(g(x) - sum(f * (x - centre)**i for i, f in enumerate(less))) for x in points])
    weights = np.array([float(weight(x)) for x in points])
    grid = np.array([float(x - centre) for x in points])
    coefficients = [float(c) for c in head]
    while len(coefficients) <= degree:
        tail = minimax(values, grid, weights, coefficients, degree + 1 - len(coefficients))
        coefficients.append(float(np.float32(tail[0])))
    for i, count in steps.items():
        coefficients[i] = float((np.float32(coefficients[i]).view(np.int32) + np.int32(count)).view(np.float32))
    error = np.abs((np.polynomial.polynomial.polyval(grid, coefficients) - values) * weights).max()
    return coefficients, float(np.log2(error))


def polynomial(name, comment, g, a, b, degree, weight=lambda x: mpf(1), head=(), steps={}):
    """steps: by how many units in the last place coefficients are then made larger in magnitude."""
    coefficients, error = fitted(g, a, b, degree, weight, head, steps)
    print(f'\n// {comment}. On [{float(a):.4g}, {float(b):.4g}], error below 2^{error:.1f}.')
    print(f'static const float {name}[] = {{{", ".join(text(c) for c in coefficients)}}};')


def pieces(name, comment, g, ends, centres, degree, weight, heads, less):
    """Four polynomials, each in the distance from its centre, side by side; ends: of their intervals. `less`: what is taken
    from their first coefficients, to be added by other means."""
    fits = [fitted(g, a, b, degree, weight, head, {}, c, l) for a, b, c, head, l in zip(ends, ends[1:], centres, heads, less)]
    print(f'\n// {comment}. Between {", ".join(f"{float(e):.4g}" for e in ends)}, error below 2^{max(e for _, e in fits):.1f}.')
    rows = [[text(coefficients[i]) for coefficients, _ in fits] for i in range(degree + 1)]
    print(f'static const float {name}_CENTRES[4] = {{{", ".join(text(c) for c in centres)}}};')
    print(f'static const float {name}[][4] = {{{", ".join("{" + ", ".join(row) + "}" for row in rows)}}};')


def stable(function):
    """Evaluates with many more bits, for quotients that cancel near 0."""
    def wrapped(x):
        with mp.workprec(800):
            return function(mpf(x) if x != 0 else mpf(2)**-90)
    return wrapped


def erf_inverse_ratio(w):
    """y / x where erf y = x and w = -log(1 - x²)."""
    if w < mpf(2)**-60:
        return mp.sqrt(mp.pi) / 2
    x = mp.sqrt(-mp.expm1(-w))
    return mp.erfinv(x) / x


def split(name, comment, value, bits):
    """value as a sum of floats with the given numbers of bits; 24 are all that are left."""
    print(f'\n// {comment}.')
    rest = mpf(value)
    for i, count in enumerate(bits):
        unit = mpf(2)**(mp.frexp(rest)[1] - count)
        part = as_float(rest) if count == 24 else mp.nint(rest / unit) * unit
        rest -= part
        print(f'static const float {name}_{i + 1} = {text(part)};')


def main():
    print('// Polynomials and constants of vector_math_template.h. Written by vector_coefficients.py, which')
    print('// says how; do not edit. Coefficients are in ascending order.')
    print('#ifndef HLO_MATH_VECTOR_VECTOR_COEFFICIENTS_H\n#define HLO_MATH_VECTOR_VECTOR_COEFFICIENTS_H\n\n// clang-format off')
    split('V_LN2', 'log 2; 9-bit multiples of both parts are exact', mp.log(2), (15, 15))
    split('V_HALF_PI', 'π / 2; 13-bit multiples of all but the last part are exact', mp.pi / 2, (11, 11, 11, 11, 24))
    r = mpf('0.3467')
    polynomial('V_EXP', '(e^r - 1 - r) / r²; the error counts in e^r', stable(lambda x: (mp.exp(x) - 1 - x) / x**2), -r, r, 4,
               lambda x: x * x)
    limit = (mpf(756) / 1024 * mp.log(2) / 2)**2
    polynomial('V_TANH', '(x / tanh x - 1) / x² in x²; the error counts in tanh x',
               stable(lambda z: (mp.sqrt(z) / mp.tanh(mp.sqrt(z)) - 1) / z), 0, limit, 1, lambda z: z)
    polynomial('V_LOGISTIC', '13/16 (x / tanh(x / 2) - 2) / x² in x²; the error counts in e^x',
               stable(lambda z: (mp.sqrt(z) / mp.tanh(mp.sqrt(z) / 2) - 2) / z * 13 / 16), 0, r**2, 1, lambda z: z)
    s = mpf('0.17158')
    polynomial('V_LOG', '(2 atanh s - 2 s) / s³ in s²; the error counts in atanh s', stable(lambda z: 2 * (mp.atanh(mp.sqrt(z)) / mp.sqrt(z) - 1) / z),
               0, s**2, 2, lambda z: z / 2)
    z_max = mpf('0.7855')**2
    polynomial('V_SIN', '(sin r / r - 1) / r² in r²; the error counts in sin r / r',
               stable(lambda z: (mp.sin(mp.sqrt(z)) / mp.sqrt(z) - 1) / z), 0, z_max, 2, lambda z: z)
    polynomial('V_COS', '(cos r - 1 + r²/2) / r⁴ in r²; the error counts in cos r',
               stable(lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2), 0, z_max, 2, lambda z: z * z)
    # Centres where erf is nearly a float; but for the first interval, whose value there is x itself, which is what is least.
    centres = [mpf(0)]
    for near in ('1.0845', '2.1875', '3.25'):
        tried = [as_float(near) + i * mpf(2)**-23 for i in range(-400, 400)]
        centres.append(min((c for c in tried if as_float(c) == c), key=lambda c: abs(mp.erf(c) - as_float(mp.erf(c)))))
    heads = [[8]] + [[as_float(mp.erf(c))] for c in centres[1:]]
    pieces('V_ERF', 'erf x - x between the first two, then erf x; the error counts in erf x', mp.erf, [0, 0.875, 1.625, 2.625, mpf('3.94')],
           centres, 8, lambda x: 1 / mp.erf(x) if x > 0 else mpf(0), heads, [(-8, 1), (), (), ()])
    ends = [mpf(e) for e in (0, 3, 5, 9, 16)]
    pieces('V_ERF_INV', 'y / x for erf y = x in w = -log(1 - x²), less 1, 2, 2, 4; relative', erf_inverse_ratio, ends,
           [mpf(c) for c in (1, 4, 7, 12)], 7, lambda w: 1 / erf_inverse_ratio(w), [[]] * 4, [(n,) for n in (1, 2, 2, 4)])
    shift, centre = mpf(17) / 16, mpf(27) / 64
    scaled = lambda x: 2 * mp.exp(x * x) * mp.erfc(x) * (x + shift)
    at = lambda v: 1 / (v + centre) - shift
    polynomial('V_ERFC', '2 e^(x²) erfc x (x + 17/16) - 11/8 in 1 / (x + 17/16) - 27/64, 0 ≤ x ≤ 10.06; the error counts in erfc, relative',
               lambda v: scaled(at(v)) - mpf(11) / 8,
               1 / (mpf('10.06') + shift) - centre, 1 / shift - centre, 11, lambda v: 1 / scaled(at(v)),
               # Of neighbours that were tried, those that leave the smallest error of the function.
               [float.fromhex('0x1.40a0ep-2')], {2: 1, 3: -2, 6: -5})
    print('\n// clang-format on\n#endif')


main()
