"""The element types of XLA: their numpy dtypes, formats, and how their values are written in literals.

Also the one correct rounding (to nearest, ties to even) of an exact value to any of the floating-point formats, on which
the references are built.
"""
import math

import ml_dtypes
import mpmath
import numpy as np

mpmath.mp.prec = 240


class Float:
    """precision = bits of significand with the hidden one; emin/emax = exponents of least and greatest normal number."""

    def __init__(self, dtype, precision, emin, emax, largest, infinity=True, nan=True, negative_zero=True):
        self.dtype, self.precision, self.emin, self.emax = np.dtype(dtype), precision, emin, emax
        self.largest, self.infinity, self.nan, self.negative_zero = largest, infinity, nan, negative_zero
        self.smallest = math.ldexp(1.0, emin - precision + 1)
        self.smallest_normal = math.ldexp(1.0, emin)


FLOATS = {
    'f4e2m1fn': Float(ml_dtypes.float4_e2m1fn, 2, 0, 2, 6.0, infinity=False, nan=False),
    'f6e2m3fn': Float(ml_dtypes.float6_e2m3fn, 4, 0, 2, 7.5, infinity=False, nan=False),
    'f6e3m2fn': Float(ml_dtypes.float6_e3m2fn, 3, -2, 4, 28.0, infinity=False, nan=False),
    'f8e3m4': Float(ml_dtypes.float8_e3m4, 5, -2, 3, 15.5),
    'f8e4m3': Float(ml_dtypes.float8_e4m3, 4, -6, 7, 240.0),
    'f8e4m3fn': Float(ml_dtypes.float8_e4m3fn, 4, -6, 8, 448.0, infinity=False),
    'f8e4m3b11fnuz': Float(ml_dtypes.float8_e4m3b11fnuz, 4, -10, 4, 30.0, infinity=False, negative_zero=False),
    'f8e4m3fnuz': Float(ml_dtypes.float8_e4m3fnuz, 4, -7, 7, 240.0, infinity=False, negative_zero=False),
    'f8e5m2': Float(ml_dtypes.float8_e5m2, 3, -14, 15, 57344.0),
    'f8e5m2fnuz': Float(ml_dtypes.float8_e5m2fnuz, 3, -15, 15, 57344.0, infinity=False, negative_zero=False),
    'bf16': Float(ml_dtypes.bfloat16, 8, -126, 127, float.fromhex('0x1.fep127')),
    'f16': Float(np.float16, 11, -14, 15, 65504.0),
    'f32': Float(np.float32, 24, -126, 127, float.fromhex('0x1.fffffep127')),
    'f64': Float(np.float64, 53, -1022, 1023, float.fromhex('0x1.fffffffffffffp1023')),
}
SCALE = 'f8e8m0fnu'  # powers of two only, no sign, no zero: kept apart, arithmetic on it is not defined
SMALL_FLOATS = [t for t in FLOATS if t.startswith('f8') or t.startswith('f4')]
SIGNED = {'s2': 2, 's4': 4, 's8': 8, 's16': 16, 's32': 32, 's64': 64}
UNSIGNED = {'u2': 2, 'u4': 4, 'u8': 8, 'u16': 16, 'u32': 32, 'u64': 64}
INTEGERS = {**SIGNED, **UNSIGNED}
COMPLEX = {'c64': 'f32', 'c128': 'f64'}
DTYPES = {
    'pred': np.dtype(bool), 's2': np.dtype(ml_dtypes.int2), 'u2': np.dtype(ml_dtypes.uint2),
    's4': np.dtype(ml_dtypes.int4), 'u4': np.dtype(ml_dtypes.uint4),
    **{f'{s}{w}': np.dtype(f'{k}{w}') for s, k in (('s', 'int'), ('u', 'uint')) for w in (8, 16, 32, 64)},
    **{name: f.dtype for name, f in FLOATS.items()},
    SCALE: np.dtype(ml_dtypes.float8_e8m0fnu), 'c64': np.dtype(np.complex64), 'c128': np.dtype(np.complex128)}
SIX_BITS = [t for t in FLOATS if t.startswith('f6e')]  # which XLA's CPU backend has not
XLA_FLOATS = [t for t in FLOATS if t not in SIX_BITS]
ALL = [t for t in DTYPES if t not in SIX_BITS]
NAMES = {dtype: name for name, dtype in DTYPES.items()}
MLIR = {'pred': 'i1', **{f's{w}': f'i{w}' for w in (2, 4, 8, 16, 32, 64)}, **{f'u{w}': f'ui{w}' for w in (2, 4, 8, 16, 32, 64)},
        **{t: t for t in (*FLOATS, SCALE)}, 'c64': 'complex<f32>', 'c128': 'complex<f64>'}
for _t in (*SMALL_FLOATS, *SIX_BITS, SCALE):
    MLIR[_t] = 'f' + _t[1:].replace('e', 'E', 1).replace('m', 'M').replace('fnuz', 'FNUZ').replace('fnu', 'FNU').replace(
        'fn', 'FN').replace('b11', 'B11')


def is_float(t):
    return t in FLOATS


def int_range(t):
    if t in SIGNED:
        return -(1 << (SIGNED[t] - 1)), (1 << (SIGNED[t] - 1)) - 1
    return 0, (1 << UNSIGNED[t]) - 1


def wrap(t, value):
    """The two's complement value of `value` modulo the type's width."""
    width = INTEGERS[t]
    value &= (1 << width) - 1
    return value - (1 << width) if t in SIGNED and value >> (width - 1) else value


def round_to(t, value):
    """Rounds an exact value (mpf, int or float) once to the float type `t`; returns a Python float."""
    f = FLOATS[t]
    if isinstance(value, float) and (math.isnan(value) or math.isinf(value) or value == 0):
        return overflow(t, value) if math.isinf(value) else special(t, value)
    value = mpmath.mpf(value)
    if value == 0:
        return 0.0
    if mpmath.isinf(value):
        return overflow(t, float(value))
    negative = value < 0
    magnitude = abs(value)
    exponent = max(mpmath.frexp(magnitude)[1] - 1, f.emin)
    quantum = mpmath.ldexp(1, exponent - f.precision + 1)
    rounded = mpmath.nint(magnitude / quantum) * quantum  # nint rounds ties to even
    if rounded > f.largest:
        return overflow(t, -math.inf if negative else math.inf)
    result = float(rounded)
    return special(t, -0.0 if negative else 0.0) if result == 0 else (-result if negative else result)


def overflow(t, infinity):
    f = FLOATS[t]
    if f.infinity:
        return infinity
    return math.nan if f.nan else math.copysign(f.largest, infinity)


def special(t, value):
    """NaN and zeros as the type has them: the fnuz kinds know no negative zero."""
    return 0.0 if value == 0 and not FLOATS[t].negative_zero else value


def array(t, values):
    """A numpy array of element type `t` from nested Python values."""
    dtype = DTYPES[t]
    if t in INTEGERS:
        return np.array(values, dtype=np.int64 if t in SIGNED else np.uint64).astype(dtype)
    if is_float(t) or t == SCALE:
        return np.array(values, dtype=np.float64).astype(dtype)
    return np.array(values, dtype=dtype)


# ---- literals ----

def float_text(t, value):
    """The shortest decimal that reads back as `value` in type `t`."""
    wide = float(value)
    if math.isnan(wide):
        return '-nan' if t != SCALE and np.signbit(np.asarray(value).astype(DTYPES[t])) and FLOATS[t].infinity else 'nan'
    if math.isinf(wide):
        return '-inf' if wide < 0 else 'inf'
    if wide == int(wide) and abs(wide) < 1e7:
        return '-0' if wide == 0 and math.copysign(1, wide) < 0 else str(int(wide))
    for digits in range(1, 18):
        text = f'{wide:.{digits}g}'
        with np.errstate(over='ignore'):
            if float(np.float64(text).astype(DTYPES[t])) == wide:
                return text
    raise AssertionError(wide)


def scalar_text(t, value):
    if t == 'pred':
        return 'true' if value else 'false'
    if t in INTEGERS:
        return str(int(value))
    if t in COMPLEX:
        part = COMPLEX[t]
        return f'({float_text(part, value.real)}, {float_text(part, value.imag)})'
    return float_text(t, value)


def nested_text(t, a, opening='{', closing='}'):
    if a.ndim == 0:
        return scalar_text(t, a[()])
    if a.ndim == 1:
        inner = ', '.join(scalar_text(t, v) for v in a)
    else:
        inner = ', '.join(nested_text(t, row, opening, closing) for row in a)
    return f'{opening} {inner} {closing}' if inner and opening == '{' else f'{opening}{inner}{closing}'


def shape_text(t, dimensions, layout=None):
    text = f'{t}[{",".join(map(str, dimensions))}]'
    return text if layout is None else text + '{' + ','.join(map(str, layout)) + '}'


def literal_text(t, a, layout=None):
    """XLA's literal: shape, then the values with a brace per dimension; `{}` for every array without elements."""
    if a.size == 0:
        return shape_text(t, a.shape, layout) + ' {}'
    return f'{shape_text(t, a.shape, layout)} {nested_text(t, np.asarray(a))}'
