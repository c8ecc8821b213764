"""Cases of fft. The reference is the definition's sum in 240 bits, axis by axis, rounded once."""
import mpmath
import numpy as np

import element_types as et
from cases import File
from element_types import shape_text
from indexing import module

TOLERANCE = {'c64': {'abs': 1e-5, 'rel': 1e-6}, 'c128': {'abs': 4e-14, 'rel': 2e-15}}


def dft(row, sign):
    n = len(row)
    roots = [mpmath.expjpi(mpmath.mpf(sign * 2 * k) / n) for k in range(n)]
    return [mpmath.fsum(row[m] * roots[k * m % n] for m in range(n)) for k in range(n)]


def along(a, axis, function):
    """function, from rows to rows, over all rows of an array of numbers along an axis."""
    moved = np.moveaxis(a, axis, -1)
    rows = [function(list(moved[at])) for at in np.ndindex(moved.shape[:-1])]
    length = len(rows[0])
    out = np.empty((len(rows), length), dtype=object)
    for i, row in enumerate(rows):
        for k, value in enumerate(row):
            out[i, k] = value
    return np.moveaxis(out.reshape(moved.shape[:-1] + (length,)), -1, axis)


def whole_spectrum(half, n):
    """The samples' spectrum from the part that is kept; numbers that must be real count by their real parts."""
    real = [mpmath.mpc(mpmath.re(z)) if k == 0 or 2 * k == n else z for k, z in enumerate(half)]
    return real + [mpmath.conj(real[n - k]) for k in range(len(half), n)]


def value(x, kind, lengths):
    a = np.empty(x.shape, dtype=object)
    for at in np.ndindex(x.shape):
        a[at] = mpmath.mpc(complex(x[at]))
    axes = range(x.ndim - len(lengths), x.ndim)
    inverse = kind in ('IFFT', 'IRFFT')
    for axis, n in zip(axes, lengths) if inverse else reversed(list(zip(axes, lengths))):
        last = axis == x.ndim - 1
        if inverse:
            a = along(a, axis, lambda row: [z / n for z in dft(whole_spectrum(row, n) if kind == 'IRFFT' and last else row, 1)])
        else:
            a = along(a, axis, lambda row: dft(row, -1)[:n // 2 + 1 if kind == 'RFFT' and last else n])
    return a


def rounded(a, t):
    part = et.COMPLEX.get(t, t)
    convert = {'f32': np.float32, 'f64': np.float64}[part]
    out = np.zeros(a.shape, et.DTYPES[t])
    for at in np.ndindex(a.shape):
        z = a[at]
        re, im = convert(et.round_to(part, mpmath.re(z))), convert(et.round_to(part, mpmath.im(z)))
        out[at] = complex(re, im) if t in et.COMPLEX else re
    return out


def draw(gen, t, shape):
    values = gen.integers(-32, 33, shape) / 16
    if t in et.COMPLEX:
        values = values + 1j * gen.integers(-32, 33, shape) / 16
    return values.astype(et.DTYPES[t])


def case(file, name, kind, wide, batch, lengths, layout=None, result_layout=None, classic=False):
    """A transform of `lengths` after the dimensions `batch`; wide: 64 bits per part."""
    gen = np.random.default_rng(sum(map(ord, name)))
    number, real = ('c128', 'f64') if wide else ('c64', 'f32')
    half = tuple(lengths[:-1]) + (lengths[-1] // 2 + 1 if lengths[-1] else 0,)
    from_type, to_type = real if kind == 'RFFT' else number, real if kind == 'IRFFT' else number
    x = draw(gen, from_type, tuple(batch) + (half if kind == 'IRFFT' else tuple(lengths)))
    to_shape = tuple(batch) + (half if kind == 'RFFT' else tuple(lengths))
    want = rounded(value(x, kind, lengths), to_type) if 0 not in to_shape else np.zeros(to_shape, et.DTYPES[to_type])
    text = module(name, [x], [layout] if layout else None, shape_text(to_type, to_shape, result_layout),
                  f'fft($), fft_type={kind}, fft_length={{{",".join(map(str, lengths))}}}', classic=classic)
    file.case(name, text, [x], [want], TOLERANCE[number], [layout] if layout else None)


KINDS = ('FFT', 'IFFT', 'RFFT', 'IRFFT')


def lengths():
    file = File('fft', 'fft: the four kinds over one axis of lengths with all sorts of factors.')
    for kind in KINDS:
        for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 16):
            case(file, f'{kind.lower()}_{n}', kind, False, (), (n,), classic=n == 6)
        for n in (10, 11, 15, 32, 37):
            case(file, f'{kind.lower()}_{n}_f64', kind, True, (), (n,))
    for n in (20, 31, 41, 49, 64, 74):
        case(file, f'fft_{n}', 'FFT', False, (), (n,))
    case(file, 'fft_100_f64', 'FFT', True, (), (100,))
    case(file, 'irfft_41', 'IRFFT', False, (), (41,))


def axes():
    file = File('fft_axes', 'fft: one to three axes, batches, layouts, arrays without elements.')
    for kind in KINDS:
        lower = kind.lower()
        case(file, f'{lower}_batched', kind, False, (3,), (8,))
        case(file, f'{lower}_batched_twice', kind, False, (2, 3), (5,))
        case(file, f'{lower}_2d', kind, False, (), (4, 6))
        case(file, f'{lower}_2d_odd', kind, True, (), (5, 3))
        case(file, f'{lower}_2d_batched', kind, False, (2,), (3, 4))
        case(file, f'{lower}_3d', kind, False, (), (2, 3, 4))
        case(file, f'{lower}_3d_batched', kind, True, (2,), (3, 2, 5))
        case(file, f'{lower}_column', kind, False, (), (6, 1))
        case(file, f'{lower}_layouts', kind, False, (3,), (4, 5), (0, 1, 2), (1, 0, 2))
        case(file, f'{lower}_column_major', kind, True, (5,), (8,), (0, 1))
        case(file, f'{lower}_no_batch', kind, False, (0,), (4,))
        case(file, f'{lower}_no_length', kind, False, (2,), (0,))
        case(file, f'{lower}_no_outer_length', kind, True, (), (0, 3))


def make():
    lengths()
    axes()
