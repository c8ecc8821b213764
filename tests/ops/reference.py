"""Exact scalar semantics of the elementwise ops, one function per op and kind of type.

Floats: every operation is computed to 240 bits (mpmath) and rounded once to the result type; results for NaN, infinities
and zeros follow IEEE 754 and C99's annex F, except where DESIGN.md's Numerics say more (min/max). Integers are computed
in Python integers and wrapped.
"""
import math

import mpmath
import numpy as np

import element_types as et

mp = mpmath.mp

# ---- floats: op -> (function over float64 for the special values, function over mpf for everything else) ----


def _sign(x):
    return x if math.isnan(x) or x == 0 else math.copysign(1.0, x)


def _round_afz(x):
    return math.copysign(math.floor(abs(x) + 0.5) if abs(x) < 2.0 ** 52 else abs(x), x) if math.isfinite(x) else x


def _round_even(x):
    return float(np.rint(x))


def _logistic64(x):
    return x if math.isnan(x) else (1.0 if x == math.inf else 0.0 if x == -math.inf else 0.5 if x == 0 else None)


def _erf64(x):
    return x if math.isnan(x) or x == 0 else math.erf(x) if math.isinf(x) else None


def _cbrt(x):
    return mpmath.cbrt(x) if x >= 0 else -mpmath.cbrt(-x)


EXACT_UNARY = {  # exact in every format: the float64 function's value is a value of the operand's type
    'abs': abs, 'negate': lambda x: -x, 'sign': _sign,
    'ceil': lambda x: float(np.ceil(x)), 'floor': lambda x: float(np.floor(x)),
    'round-nearest-afz': _round_afz, 'round-nearest-even': _round_even}
ROUNDED_UNARY = {
    'sqrt': (np.sqrt, mpmath.sqrt), 'rsqrt': (lambda x: 1 / np.sqrt(x), lambda x: 1 / mpmath.sqrt(x)),
    'cbrt': (np.cbrt, _cbrt),
    'exponential': (np.exp, mpmath.exp), 'exponential-minus-one': (np.expm1, mpmath.expm1),
    'log': (np.log, mpmath.log), 'log-plus-one': (np.log1p, lambda x: mpmath.log1p(x)),
    'logistic': (_logistic64, lambda x: 1 / (1 + mpmath.exp(-x))),
    'cosine': (np.cos, mpmath.cos), 'sine': (np.sin, mpmath.sin), 'tan': (np.tan, mpmath.tan),
    'tanh': (np.tanh, mpmath.tanh), 'erf': (_erf64, mpmath.erf)}


def _max(x, y):
    if math.isnan(x) or math.isnan(y):
        return math.nan
    if x == y == 0:
        return x if math.copysign(1, x) > 0 else y
    return max(x, y)


def _min(x, y):
    return -_max(-x, -y)


EXACT_BINARY = {'maximum': _max, 'minimum': _min, 'remainder': lambda x, y: float(np.fmod(x, y))}
ROUNDED_BINARY = {
    'add': (np.add, lambda x, y: x + y), 'subtract': (np.subtract, lambda x, y: x - y),
    'multiply': (np.multiply, lambda x, y: x * y), 'divide': (np.divide, lambda x, y: x / y),
    'power': (np.power, lambda x, y: mpmath.power(x, y)), 'atan2': (np.arctan2, mpmath.atan2)}
CORRECTLY_ROUNDED = {'add', 'subtract', 'multiply', 'divide', 'sqrt'}


def _rounded(t, pair, arguments):
    special, exact = pair
    with np.errstate(all='ignore'):
        value = special(*(np.float64(a) for a in arguments))
    finite = all(math.isfinite(a) for a in arguments)
    if value is not None:
        value = float(value)
        # A special result from finite arguments may only mean that float64 over- or underflowed: then compute exactly.
        if math.isnan(value) or not finite:
            return et.round_to(t, value)
        if value == 0 or math.isinf(value):
            if any(a == 0 for a in arguments):
                return et.round_to(t, value)
            wide = exact(*(mpmath.mpf(a) for a in arguments))
            rounded = et.round_to(t, wide)
            return et.special(t, math.copysign(0.0, value)) if rounded == 0 else rounded
        if any(a == 0 for a in arguments):  # mpf has no -0; float64 knows which side of zero it is
            return et.round_to(t, value)
    return et.round_to(t, exact(*(mpmath.mpf(a) for a in arguments)))


def float_op(t, op, *arguments):
    """One element. `arguments` are Python floats that are values of `t`."""
    table = {**EXACT_UNARY, **EXACT_BINARY}
    if op in table:
        with np.errstate(all='ignore'):
            return et.round_to(t, table[op](*arguments))
    return _rounded(t, (ROUNDED_UNARY | ROUNDED_BINARY)[op], arguments)


# ---- integers ----

def _trunc_div(x, y):
    return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)


def _power(t, x, y):
    if y >= 0:
        return pow(x, y, 1 << et.INTEGERS[t])
    return {1: 1, -1: -1 if y % 2 else 1}.get(x, 0)


def _as_signed(x, width):
    return x - (1 << width) if x >> (width - 1) == 1 else x


def integer_op(t, op, *arguments):
    width = et.INTEGERS[t]
    mask = (1 << width) - 1
    x = arguments[0]
    y = arguments[1] if len(arguments) > 1 else None
    results = {
        'abs': lambda: abs(x), 'negate': lambda: -x, 'sign': lambda: (x > 0) - (x < 0), 'not': lambda: ~x,
        'popcnt': lambda: bin(x & mask).count('1'), 'count-leading-zeros': lambda: width - (x & mask).bit_length(),
        'add': lambda: x + y, 'subtract': lambda: x - y, 'multiply': lambda: x * y,
        'divide': lambda: -1 if y == 0 else _trunc_div(x, y),
        'remainder': lambda: x if y == 0 else x - y * _trunc_div(x, y),
        'maximum': lambda: max(x, y), 'minimum': lambda: min(x, y), 'power': lambda: _power(t, x, y),
        'and': lambda: x & y, 'or': lambda: x | y, 'xor': lambda: x ^ y,
        # A negative shift count is a large unsigned one.
        'shift-left': lambda: x << y if 0 <= y < width else 0,
        'shift-right-logical': lambda: (x & mask) >> y if 0 <= y < width else 0,
        # The top bit is the sign, in unsigned types too.
        'shift-right-arithmetic': lambda: _as_signed(x, width) >> (y if 0 <= y < width else width)}
    return et.wrap(t, results[op]())


def pred_op(op, *arguments):
    x = bool(arguments[0])
    y = bool(arguments[1]) if len(arguments) > 1 else None
    return {'not': lambda: not x, 'and': lambda: x and y, 'or': lambda: x or y, 'xor': lambda: x != y,
            'add': lambda: x or y, 'multiply': lambda: x and y, 'maximum': lambda: x or y,
            'minimum': lambda: x and y}[op]()


# ---- complex: finite arguments only, by parts, compared with a tolerance ----

def _complex_sign(z):
    return z / abs(z) if z != 0 else z


COMPLEX_UNARY = {
    'abs': abs, 'negate': lambda z: -z, 'sign': _complex_sign, 'sqrt': mpmath.sqrt, 'rsqrt': lambda z: 1 / mpmath.sqrt(z),
    'exponential': mpmath.exp,
    'exponential-minus-one': lambda z: mpmath.exp(z) - 1, 'log': mpmath.log, 'log-plus-one': lambda z: mpmath.log(1 + z),
    'logistic': lambda z: 1 / (1 + mpmath.exp(-z)), 'cosine': mpmath.cos, 'sine': mpmath.sin, 'tan': mpmath.tan,
    'tanh': mpmath.tanh}
COMPLEX_BINARY = {
    'add': lambda x, y: x + y, 'subtract': lambda x, y: x - y, 'multiply': lambda x, y: x * y,
    'divide': lambda x, y: x / y, 'power': lambda x, y: mpmath.power(x, y)}


def complex_op(t, op, *arguments):
    value = (COMPLEX_UNARY if len(arguments) == 1 else COMPLEX_BINARY)[op](*(mpmath.mpc(a) for a in arguments))
    part = et.COMPLEX[t]
    if op == 'abs':
        return et.round_to(part, mpmath.re(value))
    return complex(et.round_to(part, mpmath.re(value)), et.round_to(part, mpmath.im(value)))


def apply(t, op, arrays):
    """The op over numpy arrays of element type `t`, elementwise; returns an array of the result's type."""
    if t == 'pred':
        function, result = (lambda *a: pred_op(op, *a)), t
    elif t in et.INTEGERS:
        function, result = (lambda *a: integer_op(t, op, *(int(v) for v in a))), t
    elif t in et.COMPLEX:
        function, result = (lambda *a: complex_op(t, op, *(complex(v) for v in a))), et.COMPLEX[t] if op == 'abs' else t
    else:
        function, result = (lambda *a: float_op(t, op, *(float(v) for v in a))), t
    flat = [function(*values) for values in zip(*(a.reshape(-1) for a in arrays), strict=True)]
    return et.array(result, flat).reshape(arrays[0].shape)
