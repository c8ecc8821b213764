"""Linear algebra, Fourier transforms, and loops."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .family import COMPLEX, FLOATS, data, family

ORDERS = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 100, 128, 200]


def definite(a):
    return a @ a.mT.conj() + a.shape[-1] * jnp.eye(a.shape[-1], dtype=a.dtype)


def well(a):
    """A matrix that is well conditioned."""
    return a + a.shape[-1] * jnp.eye(a.shape[-1], dtype=a.dtype)


# Vectors are unique up to their sign or phase: magnitudes are compared.
SQUARE = {
    'cholesky': lambda a: jnp.linalg.cholesky(definite(a)), 'solve': lambda a: jnp.linalg.solve(well(a), a),
    'inv': lambda a: jnp.linalg.inv(well(a)),
    'det': lambda a: jnp.linalg.det(well(a) / a.shape[-1]), 'lu': lambda a: lax.linalg.lu(well(a))[0],
    'eigvalsh': lambda a: jnp.linalg.eigvalsh(definite(a)),
    'eigh': lambda a: abs(jnp.linalg.eigh(definite(a) + jnp.diag(jnp.arange(a.shape[-1], dtype=a.dtype)))[1]),
    'triangular': lambda a: lax.linalg.triangular_solve(jnp.tril(well(a)), a, left_side=True, lower=True),
    'triangular_right': lambda a: lax.linalg.triangular_solve(jnp.tril(well(a)), a, left_side=False, lower=True),
    'triangular_vector': lambda a: lax.linalg.triangular_solve(jnp.tril(well(a)), a[..., :1], left_side=True, lower=True),
    'matrix_power': lambda a: jnp.linalg.matrix_power(a / a.shape[-1], 5),
}


@family(steps={'function': list(SQUARE), 'batch': [1, 2, 10, 100, 1000, 10000], 'size': ORDERS,
    'dtype': ['f32', 'f64', *COMPLEX]},
        bases=[{'function': f, 'batch': b, 'size': n} for f in SQUARE for b, n in [(1, 100), (1000, 4)]])
def square(function, batch, size, dtype):
    if batch * size ** 3 > 3e7:
        return None
    return SQUARE[function], data(dtype, batch, size, size)


TALL = {
    'svdvals': lambda a: jnp.linalg.svd(a, compute_uv=False),
    'svd': lambda a: jnp.abs(jnp.linalg.svd(a, full_matrices=False)[1]),
    'norm2': lambda a: jnp.linalg.norm(a, 2, axis=(-2, -1)), 'qr': lambda a: jnp.abs(jnp.linalg.qr(a)[1]),
    'qr_full': lambda a: jnp.abs(jnp.linalg.qr(a, 'complete')[1]), 'pinv': jnp.linalg.pinv,
    'lstsq': lambda a: jnp.linalg.lstsq(a[0], a[0, :, :1])[0],
}


@family(steps={'function': list(TALL), 'batch': [1, 10, 100, 1000], 'rows': [*ORDERS, 1000, 4000], 'columns': ORDERS,
    'dtype': ['f32', 'f64', *COMPLEX]},
        bases=[{'function': f, 'batch': 1, 'rows': m, 'columns': n} for f in TALL for m, n in [(1000, 4), (64, 64)]]
        + [{'function': f, 'batch': 1000, 'rows': 4, 'columns': 4} for f in ('svdvals', 'qr')])
def tall(function, batch, rows, columns, dtype):
    if batch * rows * columns * min(rows, columns) > 4e6 or (function == 'qr_full' and rows > 200):
        return None
    return TALL[function], data(dtype, batch, rows, columns)


TRANSFORMS = {'fft': jnp.fft.fft, 'ifft': jnp.fft.ifft, 'rfft': lambda x: jnp.fft.rfft(x.real),
    'irfft': lambda x: jnp.fft.irfft(x),
              'fft2': jnp.fft.fft2, 'columns': lambda x: jnp.fft.fft(x, axis=0)}


@family(steps={'function': list(TRANSFORMS), 'batch': [1, 2, 3, 10, 64, 100, 1000],
               'length': [2, 3, 4, 5, 7, 8, 11, 13, 16, 17, 31, 37, 64, 100, 127, 128, 200, 243, 256, 257, 360, 509, 512, 1000,
                   1024, 1031, 4096, 10000, 65536],
               'dtype': COMPLEX},
        bases=[{'function': f, 'batch': 64, 'length': n} for f in TRANSFORMS for n in (256, 360)]
        + [{'batch': 1, 'length': 65536}, {'batch': 1000, 'length': 16}, {'batch': 64, 'length': 127, 'dtype': 'c128'}])
def fft(function, batch, length, dtype):
    if batch * length > 1 << 19 or (function == 'irfft' and length < 3):
        return None
    return TRANSFORMS[function], data(dtype, batch, length)


def running(body):
    """A loop with a carried array, a step for each row."""
    return lambda x, w: lax.scan(lambda state, row: body(state, row, w), jnp.zeros_like(x[0]), x)


LOOPS = {
    'affine': running(lambda s, x, w: (s * x + x, s)), 'rnn': running(lambda s, x, w: (jnp.tanh(w @ s / len(s) + x), s)),
    'argmax': running(lambda s, x, w: (s + x, lax.argmax(s, 0, np.int32))),
    'sort': running(lambda s, x, w: (jnp.sort(s + x), s[0])),
    'cumsum': running(lambda s, x, w: (jnp.cumsum(s * x), s[0])),
    'viterbi': running(lambda s, x, w: (jnp.max(w + s[:, None], axis=0) + x, s[0])),
    'set_row': lambda x, w: lax.fori_loop(0, len(x), lambda i, s: s.at[i].set(x[i] * 2), jnp.zeros_like(x)),
    'add_row': lambda x, w: lax.fori_loop(0, len(x), lambda i, s: s.at[i // 2].add(x[i]), jnp.zeros_like(x)),
    'power': lambda x, w: lax.fori_loop(0, len(x), lambda i, s: w @ s / w.shape[0], x[0]),
    'while': lambda x, w: lax.while_loop(lambda c: c[0] < len(x), lambda c: (c[0] + 1, c[1] * x[c[0]] + 1), (0, x[0])),
    'cond': running(lambda s, x, w: (lax.cond(x[0] > 0, lambda: s + x, lambda: s - x), s[0])),
}


@family(steps={'function': list(LOOPS), 'times': [1, 10, 100, 1000, 10000],
    'width': [1, 2, 3, 4, 7, 8, 16, 31, 32, 64, 65, 100, 128, 257, 500],
               'dtype': FLOATS},
        bases=[{'function': f, 'times': 1000, 'width': n} for f in LOOPS for n in (8, 64)])
def loop(function, times, width, dtype):
    if times * width > 1 << 20 or (function in ('rnn', 'viterbi', 'power') and times * width ** 2 > 2e7):
        return None
    return LOOPS[function], data(dtype, times, width), data(dtype, width, width)
