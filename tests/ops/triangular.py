"""Cases of cholesky and triangular-solve. The references are substitution and the Cholesky recursion in 240 bits, rounded
once; the triangle that is not read holds numbers that would spoil the result.

Of the result of cholesky the other triangle is zero, and a matrix that is not positive definite gives NaN throughout, as
on XLA's CPU.
"""
import itertools

import mpmath
import numpy as np

import element_types as et
from cases import File
from element_types import array, shape_text
from indexing import module

TYPES = ('f32', 'f64', 'c64', 'c128', 'f16', 'bf16')
TOLERANCE = {'f32': {'abs': 2e-5, 'rel': 2e-5}, 'f64': {'abs': 4e-14, 'rel': 4e-14}, 'bf16': {'abs': 2e-3, 'rel': 1e-2}, 'f16': {'abs': 2e-4, 'rel': 2e-3}}
TOLERANCE |= {'c64': TOLERANCE['f32'], 'c128': TOLERANCE['f64']}
SPOIL = 77


def exact(a):
    """Rows of exact numbers."""
    wide = a.astype(np.complex128)
    return [[mpmath.mpc(complex(v)) for v in row] for row in wide.reshape(a.shape)]


def rounded(t, rows, shape):
    if t in et.COMPLEX:
        part = et.COMPLEX[t]
        flat = [v for row in rows for v in row]
        re, im = (array(part, [et.round_to(part, f(v)) for v in flat]) for f in (mpmath.re, mpmath.im))
        return (re + 1j * im).astype(et.DTYPES[t]).reshape(shape)
    return array(t, [et.round_to(t, mpmath.re(v)) for row in rows for v in row]).reshape(shape)


def draw(gen, t, *shape):
    values = gen.normal(0, 1, shape)
    if t in et.COMPLEX:
        values = values + 1j * gen.normal(0, 1, shape)
    return values.astype(et.DTYPES[t])


def coarse(a):
    """The same matrix with numbers that are short to write."""
    return (np.round(a.astype(np.complex128) * 16) / 16).astype(a.dtype) if a.dtype.kind == 'c' else (np.round(a.astype(float) * 16) / 16).astype(a.dtype)


def batches(a):
    return list(np.ndindex(a.shape[:-2]))


# ---- cholesky ----

def positive(gen, t, n, *batch):
    """Hermitian, well-conditioned, with elements that the type holds."""
    a = draw(gen, 'c128' if t in et.COMPLEX else 'f64', *batch, n, n)
    return (a @ a.conj().swapaxes(-1, -2) / max(n, 1) + 1.5 * np.eye(n)).astype(et.DTYPES[t])


def factor(rows, lower):
    """The Cholesky recursion on one triangle alone; None where the matrix is not positive definite."""
    n = len(rows)
    read = (lambda i, j: rows[i][j]) if lower else (lambda i, j: mpmath.conj(rows[j][i]))
    low = [[mpmath.mpc(0)] * n for _ in range(n)]
    for j in range(n):
        pivot = mpmath.re(read(j, j)) - mpmath.fsum(abs(low[j][k]) ** 2 for k in range(j))
        if not pivot > 0:
            return None
        low[j][j] = mpmath.mpc(mpmath.sqrt(pivot))
        for i in range(j + 1, n):
            low[i][j] = (read(i, j) - mpmath.fsum(low[i][k] * mpmath.conj(low[j][k]) for k in range(j))) / low[j][j]
    return low if lower else [[mpmath.conj(low[j][i]) for j in range(n)] for i in range(n)]


def cholesky_case(file, name, a, lower=True, layouts=None, result_layout=None, classic=False, spoil=True):
    t, n = et.NAMES[a.dtype], a.shape[-1]
    if spoil:
        other = np.triu(np.ones((n, n)), 1) if lower else np.tril(np.ones((n, n)), -1)
        a = np.where(other != 0, np.asarray(SPOIL, a.dtype), a)
    want = np.zeros(a.shape, a.dtype)
    for b in batches(a):
        rows = factor(exact(a[b]), lower)
        want[b] = np.nan if rows is None else rounded(t, rows, (n, n))
    text = module(name, [a], layouts, shape_text(t, a.shape, result_layout), f'cholesky($), lower={str(lower).lower()}', classic=classic)
    file.case(name, text, [a], [want], TOLERANCE[t], layouts)


def cholesky():
    file = File('cholesky', 'cholesky: both triangles, types, sizes around the blocks, batches, layouts, matrices that have none.')
    gen = np.random.default_rng(1)
    for t in TYPES:
        for lower in (True, False):
            cholesky_case(file, f'{t}_{"lower" if lower else "upper"}', positive(gen, t, 4), lower, classic=t == 'f32')
    for n in (1, 2, 3, 5, 8):
        cholesky_case(file, f'size_{n}', positive(gen, 'f32', n), n % 2 == 0)
    for n, t in ((24, 'f32'), (25, 'f32'), (49, 'f32'), (26, 'f64'), (27, 'c64'), (25, 'bf16')):
        a = coarse(positive(gen, t, n))
        cholesky_case(file, f'size_{n}_{t}', np.tril(a) if n % 2 else np.triu(a), n % 2 == 1, spoil=False)
    cholesky_case(file, 'batch', positive(gen, 'f32', 3, 2, 2))
    cholesky_case(file, 'batch_upper_c64', positive(gen, 'c64', 2, 3), False)
    cholesky_case(file, 'batch_f16', positive(gen, 'f16', 2, 3))
    cholesky_case(file, 'empty', positive(gen, 'f32', 0))
    cholesky_case(file, 'empty_batch', positive(gen, 'f32', 3, 0))
    cholesky_case(file, 'column_major', positive(gen, 'f32', 4), layouts=[(0, 1)], result_layout=(0, 1))
    cholesky_case(file, 'mixed_layouts', positive(gen, 'f64', 3, 2), False, layouts=[(1, 0, 2)], result_layout=(0, 2, 1))
    bad = [('indefinite', [[1, 2], [2, 1]]), ('zero', [[4, 0, 0], [0, 0, 0], [0, 0, 1]]), ('last_minor', [[1, 0, 0], [0, 1, 0], [3, 2, 2]]),
           ('negative', [[-1, 0], [0, 1]]), ('not_a_number', [[1, 0], [np.nan, 1]])]
    for name, rows in bad:
        cholesky_case(file, f'not_positive_{name}', np.array(rows, np.float32), spoil=False)
    cholesky_case(file, 'not_positive_c64', np.array([[1, 0], [2 + 1j, 1]], np.complex64), spoil=False)
    cholesky_case(file, 'not_positive_upper_f64', np.array([[1, 2], [0, 1.]]), False, spoil=False)
    many = positive(gen, 'f32', 3, 3)
    many[1] = -many[1]
    cholesky_case(file, 'not_positive_in_a_batch', many, spoil=False)
    late = coarse(np.tril(positive(gen, 'f32', 26)))
    late[25, 25] = 0.01
    cholesky_case(file, 'not_positive_late', late, spoil=False)


# ---- triangular-solve ----

def solve(a, b, left, lower, transpose, unit):
    """x of op(a) x = b or x op(a) = b, in exact numbers."""
    n = len(a)
    m = [[a[i][j] if (j < i if lower else j > i) else (mpmath.mpc(1) if unit else a[i][i]) if i == j else mpmath.mpc(0) for j in range(n)]
         for i in range(n)]
    if transpose != 'NO_TRANSPOSE':
        m = [[mpmath.conj(m[j][i]) if transpose == 'ADJOINT' else m[j][i] for j in range(n)] for i in range(n)]
    if not left:
        m, b = [list(column) for column in zip(*m)], [list(column) for column in zip(*b)]
    forward = (transpose == 'NO_TRANSPOSE') == (lower == left)
    x = [None] * n
    for i in range(n) if forward else reversed(range(n)):
        known = [j for j in range(n) if x[j] is not None]
        x[i] = [(b[i][c] - mpmath.fsum(m[i][j] * x[j][c] for j in known)) / m[i][i] for c in range(len(b[i]))]
    return x if left else [list(column) for column in zip(*x)]


def solve_case(file, name, a, b, left=True, lower=True, transpose='NO_TRANSPOSE', unit=False, layouts=None, result_layout=None,
               classic=False, spoil=True, want=None, trust=True):
    t, n = et.NAMES[a.dtype], a.shape[-1]
    if spoil:
        other = np.triu(np.ones((n, n)), 1) if lower else np.tril(np.ones((n, n)), -1)
        if unit:
            other = other + np.eye(n)
        a = np.where(other != 0, np.asarray(SPOIL, a.dtype), a)
    if want is None:
        want = np.zeros(b.shape, b.dtype)
        for i in batches(a) if b.size else []:
            want[i] = rounded(t, solve(exact(a[i]), exact(b[i]), left, lower, transpose, unit), b.shape[-2:])
    flags = ''.join(f', {key}=true' for key, on in (('left_side', left), ('lower', lower), ('unit_diagonal', unit)) if on)
    text = module(name, [a, b], layouts, shape_text(t, b.shape, result_layout), f'triangular-solve($){flags}, transpose_a={transpose}',
                  classic=classic)
    file.case(name, text, [a, b], [want], TOLERANCE[t], layouts, trust)


def triangular(gen, t, n, *batch, lower=None):
    """Well-conditioned; with `lower`, short to write."""
    a = (draw(gen, t, *batch, n, n) / max(n, 1) ** 0.5 + 2 * np.eye(n)).astype(et.DTYPES[t])
    return a if lower is None else coarse(np.tril(a) if lower else np.triu(a))


def triangular_solve():
    file = File('triangular_solve', 'triangular-solve: all forms, types, sizes around the blocks, batches, layouts.')
    gen = np.random.default_rng(2)
    forms = list(itertools.product((True, False), (True, False), ('NO_TRANSPOSE', 'TRANSPOSE', 'ADJOINT'), (False, True)))
    for t in ('f32', 'c64'):
        for left, lower, transpose, unit in forms:
            if t == 'c64' and unit and transpose == 'TRANSPOSE':
                continue
            name = f'{t}_{"left" if left else "right"}_{"lower" if lower else "upper"}_{transpose.lower()}{"_unit" if unit else ""}'
            solve_case(file, name, triangular(gen, t, 3), draw(gen, t, *((3, 2) if left else (2, 3))), left, lower, transpose, unit)
    for i, t in enumerate(TYPES):
        left, lower, transpose, unit = forms[i * 7 % len(forms)]
        solve_case(file, f'types_{t}', triangular(gen, t, 4), draw(gen, t, *((4, 3) if left else (3, 4))), left, lower, transpose, unit, classic=True)
    for i, (n, m) in enumerate([(1, 1), (1, 4), (2, 5), (8, 1), (24, 1), (25, 3), (49, 1), (5, 33)]):
        left, lower, transpose, unit = forms[i * 5 % len(forms)]
        shape = (n, m) if left else (m, n)
        solve_case(file, f'size_{n}_{m}', triangular(gen, 'f32', n, lower=None if n < 20 else lower), coarse(draw(gen, 'f32', *shape)), left, lower, transpose, unit, spoil=n < 20)
    solve_case(file, 'size_27_c128', triangular(gen, 'c128', 27, lower=False), draw(gen, 'c128', 27, 1), True, False, 'ADJOINT', spoil=False)
    solve_case(file, 'size_30_f64', triangular(gen, 'f64', 30, lower=True), draw(gen, 'f64', 1, 30), False, True, 'TRANSPOSE', spoil=False)
    solve_case(file, 'size_25_f16', triangular(gen, 'f16', 25, lower=True), draw(gen, 'f16', 25, 1), spoil=False)
    solve_case(file, 'batch', triangular(gen, 'f32', 3, 2, 2), draw(gen, 'f32', 2, 2, 3, 2), True, False)
    solve_case(file, 'batch_right_c64', triangular(gen, 'c64', 2, 3), draw(gen, 'c64', 3, 2, 2), False, True, 'ADJOINT')
    solve_case(file, 'batch_bf16', triangular(gen, 'bf16', 3, 2), draw(gen, 'bf16', 2, 3, 1))
    solve_case(file, 'no_columns', triangular(gen, 'f32', 3), draw(gen, 'f32', 3, 0))
    solve_case(file, 'empty', triangular(gen, 'f32', 0), draw(gen, 'f32', 0, 2))
    solve_case(file, 'empty_batch', triangular(gen, 'f32', 2, 0), draw(gen, 'f32', 0, 2, 2))
    solve_case(file, 'layouts', triangular(gen, 'f32', 3), draw(gen, 'f32', 3, 2), True, False, 'TRANSPOSE', layouts=[(0, 1), (0, 1)], result_layout=(0, 1))
    solve_case(file, 'mixed_layouts', triangular(gen, 'f64', 3, 2), draw(gen, 'f64', 2, 2, 3), False, layouts=[(1, 0, 2), (0, 2, 1)], result_layout=(0, 1, 2))
    # A zero on the diagonal divides, as the formula has it; XLA gives NaN where the quotient is infinite.
    singular = np.array([[2, 0, 0], [4, 0, 0], [1, 1, 1]], np.float32)
    solve_case(file, 'singular', singular, np.array([[2, 2], [3, 4], [1, 1]], np.float32), spoil=False, trust=False,
               want=np.array([[1, 1], [-np.inf, np.nan], [np.inf, np.nan]], np.float32))
    solve_case(file, 'singular_unit', singular, np.array([[2, 2], [3, 4], [1, 1]], np.float32), unit=True, spoil=False)


def make():
    cholesky()
    triangular_solve()
