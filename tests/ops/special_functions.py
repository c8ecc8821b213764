"""Cases of the functions that only CHLO has: the error functions, gamma and its kin, Bessel, next_after, mulhi.

Expectations are mpmath's, rounded once; where no number is, XLA's values, written out here. XLA is asked too. Its own forms
are less accurate, most of all in f64, so that many lines of differences.txt come from here.
"""
import math
import random

import mpmath
import numpy as np

import element_types as et
from cases import File
from elementwise import WIDE, float_specials, float_values, int_values, pairs

mp = mpmath.mp
inf, nan = math.inf, math.nan
MLIR = et.MLIR


def is_pole(x):
    return x <= 0 and (math.isinf(x) or x == math.floor(x))


def erf_inv(x):
    if abs(x) >= 1:
        return math.copysign(inf, x) if abs(x) == 1 else nan
    if abs(x) < 0.9:
        return mp.erfinv(mp.mpf(x)) if x else x
    y, rest = mp.sqrt(-mp.log(1 - mp.mpf(abs(x)))) - 0.25, 1 - mp.mpf(abs(x))
    for _ in range(12):
        y += (mp.log(mp.erfc(y)) - mp.log(rest)) * mp.erfc(y) * mp.sqrt(mp.pi) / 2 * mp.exp(y * y)
    return mp.sign(x) * y


def lgamma(x):
    if math.isinf(x) or is_pole(x):
        return inf
    return mp.loggamma(mp.mpf(x)) if x > 0 else mp.log(abs(mp.gamma(mp.mpf(x))))


def digamma(x):
    return nan if is_pole(x) else x if math.isinf(x) else mp.digamma(mp.mpf(x))


def erfc(x):
    return (0.0 if x > 0 else 2.0) if abs(x) > 1000 else mp.erfc(mp.mpf(x))


def bessel_i1e(x):
    if x == 0 or math.isinf(x):
        return math.copysign(0.0, x)
    if abs(x) > 1e6:
        z = 1 / mp.mpf(abs(x))  # three terms leave less than 2^-50
        return mp.sign(x) * mp.sqrt(z / (2 * mp.pi)) * (1 - 3 * z / 8 - 15 * z**2 / 128 - 105 * z**3 / 1024)
    return mp.exp(-abs(mp.mpf(x))) * mp.besseli(1, mp.mpf(x))


def zeta(s, q):
    even = math.isfinite(s) and s % 2 == 0
    if s == 1:
        return inf
    if is_pole(q):
        return inf if even else nan
    if not s > 1 or math.isinf(s) or math.isinf(q) or (q < 0 and s != math.floor(s)):
        return nan
    return mp.zeta(mp.mpf(s), mp.mpf(q))


def polygamma(n, x):
    if n == 0:
        return digamma(x)
    if n < 0 or math.isinf(n) or n != math.floor(n):
        return nan
    z = zeta(n + 1, x)
    sign = 1 if n % 2 else -1
    return sign * z if isinstance(z, float) else sign * mp.factorial(n) * z


UNARY = {'erfc': erfc, 'erf_inv': erf_inv, 'lgamma': lgamma, 'digamma': digamma, 'bessel_i1e': bessel_i1e}
POINTS = {'erfc': [-6, -3, -0.5, 0.25, 0.5, 2, 4, 7, 9, 13, 26, 27.5],
          'erf_inv': [-0.999, -0.75, -0.5, -0.1, 0.01, 0.3, 0.5, 0.52, 0.55, 0.9, 0.99, 0.9932, 0.9999, 0.9999999],
          'lgamma': [0.5, 0.99, 1.01, 1.9, 2.1, 3, 4.25, 10, 33.3, 170, 1e6, -0.5, -1.5, -2.75, -10.25],
          'digamma': [0.5, 0.99, 1.4616, 1.5, 2, 4.25, 10, 33.3, 1e6, -0.5, -1.5, -2.75, -10.25],
          'bessel_i1e': [-40, -3, -0.3, 0.1, 0.2499, 0.25, 0.5, 1, 2.5, 8, 31.9, 32, 100, 12345]}


def rounded(t, value):
    return et.round_to(t, value)


def reference(t, function, columns):
    rows = [tuple(float(v) for v in row) for row in zip(*columns)]
    return et.array(t, [nan if any(map(math.isnan, row)) and not (function is zeta and row[0] == 1) else rounded(t, function(*row)) for row in rows])


def chlo(op, t, shape, count, pretty=True):
    tensor = 'tensor<' + ''.join(f'{n}x' for n in shape) + MLIR[t] + '>'
    names = ['%a', '%b'][:count]
    arguments = ', '.join(f'{n}: {tensor}' for n in names)
    if pretty:
        types = ', '.join([tensor] * count)
        body = f'  %0 = chlo.{op} {", ".join(names)} : {types} -> {tensor}'
    else:
        body = f'  %0 = "chlo.{op}"({", ".join(names)}) : ({", ".join([tensor] * count)}) -> {tensor}'
    return f'func.func @main({arguments}) -> {tensor} {{\n{body}\n  return %0 : {tensor}\n}}'


def hlo(op, t, shape, count):
    text = et.shape_text(t, shape)
    lines = [f'  p{i} = {text} parameter({i})' for i in range(count)]
    name = op.replace('_', '-')
    lines.append(f'  ROOT r = {text} {name}({", ".join(f"p{i}" for i in range(count))})')
    return '\n'.join([f'HloModule {op}', '', 'ENTRY main {', *lines, '}'])


def unary(file, op, function):
    rng = random.Random(op)
    for t in WIDE:
        values = float_specials(t) + POINTS[op] + float_values(t, rng, 12, -6, 0 if op == 'erf_inv' else 4)
        if op in ('lgamma', 'digamma'):  # near their zeros left of 0 only the absolute error is small
            values = [v for v in values if not (v < 0 and not is_pole(v) and abs(float(function(v))) < 0.2)]
        values = [et.round_to(t, float(v)) for v in values if t != 'f16' or abs(v) < 6e4 or math.isinf(v)]
        column = et.array(t, values)
        want = reference(t, function, [column.astype(np.float64)])
        file.case(f'{op}_{t}', chlo(op, t, column.shape, 1, t != 'f64'), [column], [want], {'ulp': 1})
    file.case(f'{op}_hlo', hlo(op, 'f32', (2, 2), 1), [et.array('f32', [[0.25, 0.5], [0.75, 0.0625]])],
              [reference('f32', function, [[0.25, 0.5, 0.75, 0.0625]]).reshape(2, 2)], {'ulp': 1}, trust=False)


def binary(file, op, function, columns, special):
    for t in ('f32', 'f64', 'bf16'):
        rows = [tuple(et.round_to(t, float(v)) for v in row) for row in columns + special]
        first, second = (et.array(t, column) for column in zip(*rows))
        want = reference(t, function, [first.astype(np.float64), second.astype(np.float64)])
        file.case(f'{op}_{t}', chlo(op, t, first.shape, 2, t != 'f64'), [first, second], [want], {'ulp': 1})
    a, b = et.array('f32', [2, 3]), et.array('f32', [[1, 2], [3, 0.5]])
    text = (f'func.func @main(%a: tensor<2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {{\n'
            f'  %0 = chlo.broadcast_{op} %a, %b : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>\n  return %0 : tensor<2x2xf32>\n}}')
    want = reference('f32', function, [[2, 3, 2, 3], [1, 2, 3, 0.5]]).reshape(2, 2)
    file.case(f'{op}_broadcast', text, [a, b], [want], {'ulp': 1})
    file.case(f'{op}_hlo', hlo(op, 'f32', (2, 2), 2), [np.broadcast_to(a, (2, 2)), b], [want], {'ulp': 1}, trust=False)


def next_after(file):
    for t in (*WIDE, *et.SMALL_FLOATS):
        f = et.FLOATS[t]
        values = [v for v in float_specials(t) + [et.round_to(t, v) for v in (2.0, 1.5, -0.75)]]
        rows = [(a, b) for a in values for b in values]
        first, second = (et.array(t, column) for column in zip(*rows))
        order = sorted({float(v) for v in np.arange(1 << (4 if t == 'f4e2m1fn' else 8 * f.dtype.itemsize), dtype=np.uint64).astype(
            f'u{f.dtype.itemsize}').view(f.dtype).astype(np.float64) if not math.isnan(v)}) if f.dtype.itemsize < 4 else None

        def neighbour(a, b):
            if math.isnan(a) or math.isnan(b):
                return nan
            if a == b:
                return b
            if order is None:
                return float(np.nextafter(f.dtype.type(a), f.dtype.type(b)))
            step = order[order.index(a) + (1 if a < b else -1)]
            return step if step else math.copysign(0.0, a) if f.negative_zero else 0.0
        want = et.array(t, [neighbour(float(a), float(b)) for a, b in zip(first.astype(np.float64), second.astype(np.float64))])
        # XLA takes subnormal numbers for zeros; of the 8-bit types and f4e2m1fn its form is wrong at the ends.
        file.case(f'next_after_{t}', chlo('next_after', t, first.shape, 2, t != 'f64'), [first, second], [want],
                  trust=t in WIDE)


def mulhi():
    file = File('mulhi', 'mulhi: the upper half of the product of integers.')
    rng = random.Random('mulhi')
    for t in et.INTEGERS:
        rows = pairs(int_values(t), 80, rng)
        first, second = (et.array(t, column) for column in zip(*rows))
        want = et.array(t, [et.wrap(t, int(a) * int(b) >> et.INTEGERS[t]) for a, b in rows])
        file.case(f'mulhi_{t}', hlo('mulhi', t, first.shape, 2), [first, second], [want], trust=et.INTEGERS[t] >= 8)
        file.case(f'mulhi_{t}_chlo', chlo('mulhi', t, first.shape, 2, t != 'u32'), [first, second], [want], trust=et.INTEGERS[t] >= 8)


def make():
    file = File('special_functions', 'CHLO functions of one and two values: erfc, erf_inv, lgamma, digamma, bessel_i1e, polygamma, zeta.')
    for op, function in UNARY.items():
        unary(file, op, function)
    # HLO's own; CHLO's become exponentials, as XLA makes them (stablehlo_chlo.hlo).
    for op, function in (('cosh', mp.cosh), ('sinh', mp.sinh)):
        for t in ('f32', 'f64', 'f16', 'bf16'):
            points = [v for v in (0.0, 1e-3, 0.25, 0.75, 1.5, 4.25, 9.5, 11.5, 80.25, inf)]
            x = et.array(t, points + [-v for v in points] + [nan])
            want = reference(t, lambda v: v if op == 'sinh' and v == 0 else function(mp.mpf(v)), [x.astype(np.float64)])
            file.case(f'{op}_{t}', hlo(op, t, x.shape, 1), [x], [want], {'ulp': 1})
    positive = [(s, q) for s in (1.25, 2, 3, 4.5, 8, 20) for q in (0.03125, 0.5, 1, 2.75, 15, 17, 1000)]
    negative = [(s, q) for s in (2, 3, 6) for q in (-0.5, -1.25, -3.75)]
    poles = [(s, q) for s in (-1, 0, 0.5, 1, 2, 3, 2.5, inf, nan) for q in (-inf, -2, -0.5, 0, 1, inf, nan)]
    binary(file, 'zeta', zeta, positive + negative, poles)
    binary(file, 'polygamma', polygamma, [(n, x) for n in (0, 1, 2, 3, 5, 12) for x in (0.125, 0.5, 1, 2.75, 15, 100, -0.5, -1.25)],
           [(n, x) for n in (-1, 0, 0.5, 1, 2, inf, nan) for x in (-inf, -1, 0, 1.5, inf, nan)])
    next_after(File('next_after', 'next_after: the neighbour of a value on the side of another, of every type of floats.'))
    mulhi()
