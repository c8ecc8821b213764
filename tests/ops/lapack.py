"""Cases of the LAPACK custom calls as JAX writes them on the CPU, and of calls of them that must be refused.

The expectations are LAPACK's own through jaxlib, with the signs of its vectors. Compared by magnitude are
complex Schur forms, whose phases come from rounding, and gesvd, which takes other steps than gesdd.
"""
import numpy as np

import element_types as et
from cases import File
from triangular import TOLERANCE, draw, exact, factor, positive, rounded, solve

LETTERS = {'f32': 's', 'f64': 'd', 'c64': 'c', 'c128': 'z'}
TYPES = tuple(LETTERS)
INFO = ((), 's32')


def tensor(t, shape):
    return f'tensor<{"".join(f"{n}x" for n in shape)}{et.MLIR[t]}>'


def layouts(shapes, batch):
    """Column-major matrices behind the batch dimensions, as JAX asks for."""
    def one(shape):
        r = len(shape)
        order = [r - 2, r - 1, *reversed(range(r - 2))] if r - batch == 2 else list(reversed(range(r)))
        return f'dense<{"" if not order else order[0] if r == 1 else order}> : tensor<{r}xindex>'
    return '[' + ', '.join(map(one, shapes)) + ']'


def program(target, operands, results, config, magnitudes=(), batch=0, dropped=()):
    """A call of the target. operands: arrays; results: (shape, type); magnitudes: the results that are given as |x|."""
    inputs = [(a.shape, et.NAMES[a.dtype]) for a in operands]
    kinds = ', '.join(tensor(t, s) for s, t in inputs)
    outs = [tensor(t, s) for s, t in results]
    name = (lambda k: '%r') if len(outs) == 1 else (lambda k: f'%r#{k}')
    lines = [f'    %r{f":{len(outs)}" if len(outs) > 1 else ""} = stablehlo.custom_call @{target}({", ".join(f"%a{k}" for k in range(len(inputs)))}) '
             f'{{backend_config = "", mhlo.backend_config = {{{config}}}, mhlo.frontend_attributes = {{num_batch_dims = "{batch}"}}, '
             f'operand_layouts = {layouts([s for s, _ in inputs], batch)}, result_layouts = {layouts([s for s, _ in results], batch)}}} : '
             f'({kinds}) -> {outs[0] if len(outs) == 1 else "(" + ", ".join(outs) + ")"}']
    given, types = [], []
    for k, (shape, t) in enumerate(results):
        if k in dropped:
            continue
        given.append(name(k))
        types.append(outs[k])
        if k in magnitudes:
            types[-1] = tensor(et.COMPLEX.get(t, t), shape)
            lines.append(f'    %m{k} = stablehlo.abs {name(k)} : ({outs[k]}) -> {types[-1]}')
            given[-1] = f'%m{k}'
    arguments = ', '.join(f'%a{k}: {tensor(t, s)}' for k, (s, t) in enumerate(inputs))
    return (f'func.func @main({arguments}) -> ({", ".join(types)}) {{\n' + '\n'.join(lines)
            + f'\n    return {", ".join(given)} : {", ".join(types)}\n}}')


def code(**letters):
    return ', '.join(f'{key} = {ord(letter)} : ui8' for key, letter in letters.items())


def real(t):
    return et.COMPLEX.get(t, t)


def complex_of(t):
    return {'f32': 'c64', 'f64': 'c128'}.get(t, t)


def call(file, name, routine, operands, results, config='', want=None, trust=False, phases=(), **options):
    t = et.NAMES[operands[0].dtype]
    target = routine if routine.endswith('_ffi') else f'lapack_{LETTERS[t]}{routine}_ffi'
    file.case(name, program(target, operands, results, config, **options), operands, want, TOLERANCE[t], trust=trust or want is None,
              phases=phases)


def square(gen, t, n, *batch):
    """Well-conditioned, and in need of row exchanges."""
    return (draw(gen, t, *batch, n, n) + 2 * np.eye(n)[::-1]).astype(et.DTYPES[t])


# ---- factorisations ----

def triangular_routines(gen):
    file = File('lapack_triangular', 'Custom calls of potrf, trsm: forms, types, batches, matrices that have no factor.')
    for t in TYPES:
        for uplo in 'LU':
            a = positive(gen, t, 4)
            want = rounded(t, factor(exact(a), uplo == 'L'), a.shape)
            want = [want + (np.triu(a, 1) if uplo == 'L' else np.tril(a, -1)), np.int32(0)]  # the other triangle stays
            call(file, f'potrf_{t}_{uplo}', 'potrf', [a], [(a.shape, t), INFO], code(uplo=uplo), want)
    # What LAPACK leaves of a matrix without a factor nobody uses: here it is NaN, as is what JAX makes of it.
    a = np.array([[[4, 2, 0], [2, 1, 0], [0, 0, 1]], [[4, 0, 0], [0, 1, 0], [0, 0, 1]]], np.float32)
    nan = np.full((3, 3), np.nan)
    call(file, 'potrf_batch_info', 'potrf', [a], [(a.shape, 'f32'), ((2,), 's32')], code(uplo='L'),
         [np.stack([nan, np.diag([2., 1, 1])]).astype(np.float32), np.array([2, 0], np.int32)], batch=1)
    call(file, 'potrf_empty', 'potrf', [a[:0]], [((0, 3, 3), 'f32'), ((0,), 's32')], code(uplo='L'), [a[:0], np.zeros(0, np.int32)], batch=1)
    for i, (t, side, uplo, trans_x, diag) in enumerate([('f32', 'L', 'L', 'N', 'N'), ('f64', 'R', 'L', 'T', 'U'), ('c64', 'L', 'U', 'C', 'N'), ('c128', 'R', 'U', 'N', 'N')]):
        a, b = positive(gen, t, 3), draw(gen, t, *((3, 2) if side == 'L' else (2, 3)))
        transpose = {'N': 'NO_TRANSPOSE', 'T': 'TRANSPOSE', 'C': 'ADJOINT'}[trans_x]
        x = solve(exact(a), exact(b), side == 'L', uplo == 'L', transpose, diag == 'U')
        call(file, f'trsm_{t}_{side}{uplo}{trans_x}{diag}', 'trsm', [a, b], [(b.shape, t)], code(diag=diag, side=side, trans_x=trans_x, uplo=uplo),
             [rounded(t, x, b.shape)])


def factorisations(gen):
    file = File('lapack_factorisations', 'Custom calls of getrf, geqrf, geqp3, orgqr, ormqr, gehrd, sytrd, gtsv: types, shapes, batches, singular matrices.')
    for t in TYPES:
        a = square(gen, t, 4)
        call(file, f'getrf_{t}', 'getrf', [a], [(a.shape, t), ((4,), 's32'), INFO])
        a = draw(gen, t, 4, 3)
        call(file, f'geqrf_{t}', 'geqrf', [a], [(a.shape, t), ((3,), t)])
        reflectors, taus = draw(gen, t, 4, 3) / 3, draw(gen, real(t), 3) / 3 + 1
        taus, c = taus.astype(a.dtype), draw(gen, t, 4, 2)
        q = 'orgqr' if t in ('f32', 'f64') else 'ungqr'
        call(file, f'{q}_{t}', q, [reflectors, taus], [(a.shape, t)])
        q = q.replace('gqr', 'mqr')
        for left in (True, False):
            for transpose in (True, False):
                b = c if left else np.ascontiguousarray(c.T)
                name = f'{q}_{t}_{"left" if left else "right"}{"_transpose" if transpose else ""}'
                call(file, name, q, [reflectors, taus, b], [(b.shape, t)], f'left = {str(left).lower()}, transpose = {str(transpose).lower()}')
        a = draw(gen, t, 4, 4)
        call(file, f'gehrd_{t}', 'gehrd', [a], [(a.shape, t), ((3,), t), INFO], 'high = 4 : i32, low = 1 : i32')
        a = positive(gen, t, 4)
        for uplo in 'LU':
            tridiagonal(file, f'sytrd_{t}_{uplo}', a, uplo)
        d, l, u = (draw(gen, t, 4) for _ in range(3))
        l[0] = u[3] = 0
        call(file, f'gtsv_{t}', 'gtsv', [l, d, u, c], [((4,), t)] * 3 + [(c.shape, t), INFO], want=gtsv_value(l, d, u, c), trust=True)
    for name, shape in (('wide', (3, 5)), ('tall', (5, 3)), ('row', (1, 3)), ('column', (3, 1)), ('batch', (2, 3, 3)), ('batches', (2, 1, 2, 3))):
        a = draw(gen, 'f32', *shape)
        k, batch = min(shape[-2:]), shape[:-2]
        call(file, f'getrf_{name}', 'getrf', [a], [(shape, 'f32'), ((*batch, k), 's32'), (batch, 's32')], batch=len(batch))
        call(file, f'geqrf_{name}', 'geqrf', [a], [(shape, 'f32'), ((*batch, k), 'f32')], batch=len(batch))
        pivots = np.zeros((*batch, shape[-1]), np.int32)
        call(file, f'geqp3_{name}', 'geqp3', [a, pivots], [(shape, 'f32'), (pivots.shape, 's32'), ((*batch, k), 'f32')], batch=len(batch))
    a = np.array([[1, 2, 3], [2, 4, 6], [1, 0, 1]], np.float32)
    call(file, 'getrf_singular', 'getrf', [a], [(a.shape, 'f32'), ((3,), 's32'), INFO])
    call(file, 'getrf_zero', 'getrf', [0 * a], [(a.shape, 'f32'), ((3,), 's32'), INFO])
    call(file, 'geqrf_zero_column', 'geqrf', [np.array([[0, 2], [0, 3], [0, 1]], np.float32)], [((3, 2), 'f32'), ((2,), 'f32')])
    a, chosen = draw(gen, 'c64', 3, 4), np.array([0, 0, 1, 0], np.int32)
    call(file, 'geqp3_chosen_c64', 'geqp3', [a, chosen], [(a.shape, 'c64'), ((4,), 's32'), ((3,), 'c64')])
    a = draw(gen, 'f64', 5, 4)
    call(file, 'orgqr_more_columns', 'orgqr', [a / 3, np.array([1.2, 0.7])], [(a.shape, 'f64')])
    a = np.triu(draw(gen, 'f64', 5, 5), -1)
    a[1:4, 1:4] += draw(gen, 'f64', 3, 3)
    call(file, 'gehrd_part', 'gehrd', [a], [(a.shape, 'f64'), ((4,), 'f64'), INFO], 'high = 4 : i32, low = 2 : i32')
    tridiagonal(file, 'sytrd_one', positive(gen, 'f32', 1), 'L')
    tridiagonal(file, 'sytrd_two_c64', positive(gen, 'c64', 2), 'U')
    l, d, u, b = (np.array(v, np.float32) for v in ([0, 1, 2], [0, 0, 1], [1, 0, 0], [[1], [2], [3]]))
    call(file, 'gtsv_exchanges', 'gtsv', [l, d, u, b], [((3,), 'f32')] * 3 + [(b.shape, 'f32'), INFO], want=gtsv_value(l, d, u, b), trust=True)
    perturbed(file)
    usual = (np.random.default_rng(2).integers(-99, 100, (4, 3)) / 32).astype(np.float32)
    for name, factor in (('huge', 2.**100), ('tiny', 2.**-100)):  # f32 near the ends of its range
        a = usual * np.float32(factor)
        call(file, f'getrf_{name}', 'getrf', [a], [(a.shape, 'f32'), ((3,), 's32'), INFO])
        call(file, f'geqrf_{name}', 'geqrf', [a], [(a.shape, 'f32'), ((3,), 'f32')])


def tridiagonal(file, name, a, uplo):
    t, n = et.NAMES[a.dtype], a.shape[0]
    routine = 'sytrd' if t in ('f32', 'f64') else 'hetrd'
    call(file, name, routine, [a], [(a.shape, t), ((n,), real(t)), ((n - 1,), real(t)), ((n - 1,), t), INFO], code(uplo=uplo))


def gtsv_value(l, d, u, b):
    """Elimination with exchanges of neighbouring rows, in double precision: what LAPACK documents the results to be.

    (jaxlib's kernel leaves the first element of the lower diagonal aside; so do we.)
    """
    wide = np.complex128 if b.dtype.kind == 'c' else np.float64
    n = len(d)
    m = (np.diag(d) + np.diag(l[1:], -1) + np.diag(u[:-1], 1)).astype(wide)
    x = np.linalg.solve(m, b.astype(wide))
    lower = l.astype(wide).copy()
    for i in range(n - 1):
        size = [abs(v.real) + abs(v.imag) for v in (m[i, i], m[i + 1, i])]
        if size[1] > size[0]:
            m[[i, i + 1]] = m[[i + 1, i]]
        m[i + 1] -= m[i + 1, i] / m[i, i] * m[i]
        if i < n - 2:
            lower[i + 1] = m[i, i + 2]
    upper = u.astype(wide).copy()
    upper[:-1] = np.diag(m, 1)
    return [v.astype(b.dtype) for v in (lower, np.diag(m), upper, x)] + [np.int32(0)]


def perturbed(file):
    """A singular system: the zero pivot counts as eps times the largest number of the matrix."""
    l, d, u, b = (np.array(v, np.float64) for v in ([0, 1, 0], [1, 1, 2], [1, 0, 0], [[1], [2], [4]]))
    least = 2.0 ** -52 * 2
    call(file, 'tridiagonal_solve_perturbed', 'tridiagonal_solve_perturbed_ffi', [l, d, u, b], [(b.shape, 'f64')],
         want=[np.array([[1 - 1 / least], [1 / least], [2]])], trust=True)
    l, d, u, b = (np.array(v, np.float32) for v in ([0, 1, 2], [4, 5, 6], [1, 1, 0], [[6], [14], [22]]))
    call(file, 'tridiagonal_solve_regular', 'tridiagonal_solve_perturbed_ffi', [l, d, u, b], [(b.shape, 'f32')],
         want=[np.linalg.solve((np.diag(d) + np.diag(l[1:], -1) + np.diag(u[:-1], 1)).astype(float), b).astype(np.float32)], trust=True)


# ---- eigenvalues and singular values ----

def spectra(gen):
    file = File('lapack_spectra', 'Custom calls of syevd, gesdd, gesvd, geev, gees: types, shapes, batches, modes, repeated and scaled values, NaN.')

    def symmetric(name, a, mode='V', uplo='L', want=None):
        t, n, batch = et.NAMES[a.dtype], a.shape[-1], a.shape[:-2]
        routine = 'syevd' if t in ('f32', 'f64') else 'heevd'
        call(file, name, routine, [a], [(a.shape, t), ((*batch, n), real(t)), (batch, 's32')], code(mode=mode, uplo=uplo), want, batch=len(batch),
             phases=(0,))

    def singular(name, a, mode='S', routine='gesdd', want=None):
        t, (m, n), batch = et.NAMES[a.dtype], a.shape[-2:], a.shape[:-2]
        u, v = (min(m, n),) * 2 if mode == 'S' else (m, n)
        call(file, name, routine, [a], [(a.shape, t), ((*batch, min(m, n)), real(t)), ((*batch, m, u), t), ((*batch, v, n), t), (batch, 's32')], code(mode=mode), want,
             magnitudes=(2, 3) if routine == 'gesvd' else (), batch=len(batch), dropped=(0,), phases=(1, 2))  # LAPACK uses the matrix up

    def general(name, a, left='N', right='V', want=None):
        t, n = et.NAMES[a.dtype], a.shape[-1]
        values = [((n,), t)] * (1 if t in et.COMPLEX else 2)
        vectors = [((n, n), complex_of(t))] * 2
        call(file, name, 'geev', [a], [*values, *vectors, INFO], code(compute_left=left, compute_right=right), want,
             dropped=(len(values),) if left == 'N' else (), phases=range(len(values), len(values) + 1 + (left == 'V')))

    def schur(name, a, mode='V', want=None, dropped=()):
        t, n = et.NAMES[a.dtype], a.shape[-1]
        values = [((n,), t)] * (1 if t in et.COMPLEX else 2)
        call(file, name, 'gees', [a], [((n, n), t), ((n, n), t), *values, INFO, INFO], code(mode=mode, sort='N'), want, magnitudes=(0, 1) if t in et.COMPLEX else (), dropped=dropped,
             phases=range(2 - len(dropped)))

    for t in TYPES:
        symmetric(f'syevd_{t}', positive(gen, t, 4))
        symmetric(f'syevd_upper_{t}', positive(gen, t, 3), uplo='U')
        general(f'geev_{t}', square(gen, t, 4), 'V', 'V')
        schur(f'gees_{t}', square(gen, t, 4))
    # So many rows are divided.
    many = (np.random.default_rng(1).integers(-99, 100, (27, 27)) / 32).astype(np.float32)
    symmetric('syevd_divided', (many + many.T) / 2)
    singular('gesdd_divided', many)
    symmetric('syevd_batch', positive(gen, 'f32', 3, 2))
    symmetric('syevd_one', np.array([[-3]], np.float32))
    symmetric('syevd_diagonal', np.diag([3, -1, 2]).astype(np.float32))
    symmetric('syevd_tiny_numbers', positive(gen, 'f64', 3) * 1e-200)
    symmetric('syevd_huge_numbers', positive(gen, 'f64', 3) * 1e200)
    repeated = np.array([[2, 0, 0], [0, 2, 0], [0, 0, 2]], np.float32)
    symmetric('syevd_repeated', repeated, want=[np.eye(3, dtype=np.float32), np.full(3, 2, np.float32), np.int32(0)])
    for name, shape, mode in (('tall', (4, 3), 'S'), ('wide', (3, 4), 'S'), ('full_tall', (3, 2), 'A'), ('full_wide', (2, 3), 'A'), ('square', (3, 3), 'S'),
                              ('row', (1, 3), 'S'), ('batch', (2, 3, 2), 'S')):
        for t in TYPES if name in ('tall', 'wide') else ('f32',):
            a = draw(gen, t, *shape)
            singular(f'gesdd_{name}_{t}', a, mode)
    a = draw(gen, 'f64', 4, 3)
    singular('gesvd_f64', a, routine='gesvd')
    singular('gesdd_huge_numbers', a * 1e200)
    singular('gesdd_zero', np.zeros((3, 2), np.float32), want=[np.zeros(2, np.float32), np.eye(3, 2, dtype=np.float32), np.eye(2, dtype=np.float32), np.int32(0)])
    singular('gesdd_rank_one', np.array([[3, 4], [6, 8]], np.float32))
    general('geev_rotation', np.array([[0, -1], [1, 0]], np.float32))
    general('geev_triangular', np.array([[1, 2, 3], [0, 4, 5], [0, 0, 6]], np.float64), 'V', 'V')
    general('geev_one', np.array([[5]], np.float32))
    schur('gees_pairs', np.array([[0, 1, 0, 0], [-1, 0, 0, 1], [0, 0, 0, 2], [0, 0, -2, 0]], np.float64))
    schur('gees_cycle', np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], np.float64), dropped=(1,))  # a normal matrix: the pair's vectors may turn
    none, nothing, zero = np.zeros((0, 0), np.float32), np.zeros(0, np.float32), np.int32(0)
    symmetric('syevd_empty', none, want=[none, nothing, zero])
    general('geev_empty', none, want=[nothing, nothing, none.astype(np.complex64), zero])
    schur('gees_empty', none, want=[none, none, nothing, nothing, zero, zero])
    singular('gesdd_empty', np.zeros((2, 0), np.float32), 'A', want=[nothing, np.eye(2, dtype=np.float32), none, zero])
    call(file, 'gehrd_empty', 'gehrd', [none], [((0, 0), 'f32'), ((0,), 'f32'), INFO], 'high = 5 : i32, low = 1 : i32', [none, nothing, zero])
    call(file, 'sytrd_empty', 'sytrd', [none], [((0, 0), 'f32'), ((0,), 'f32'), ((0,), 'f32'), ((0,), 'f32'), INFO], code(uplo='U'), [none, nothing, nothing, nothing, zero])
    spoilt = np.array([[1, 2], [2, np.nan]], np.float32)
    nan, two = np.full((2, 2), np.nan, np.float32), np.full(2, np.nan, np.float32)
    bad = np.int32(1)
    symmetric('syevd_not_a_number', spoilt, want=[nan, two, bad])
    singular('gesdd_not_a_number', spoilt, want=[two, nan, nan, bad])
    general('geev_not_a_number', spoilt, want=[two, two, np.full((2, 2), complex(np.nan, np.nan), np.complex64), bad])
    schur('gees_infinite', np.array([[1, 2], [np.inf, 3]], np.float32), want=[nan, nan, two, two, np.int32(0), bad])
    # f32 near the ends of its range, and a triangle that nobody reads
    usual = (np.random.default_rng(2).integers(-99, 100, (4, 3)) / 32).astype(np.float32)
    for name, factor in (('huge', 2.**100), ('tiny', 2.**-100)):
        symmetric(f'syevd_{name}_f32', (usual.T @ usual) * np.float32(factor))
        singular(f'gesdd_{name}_f32', usual * np.float32(factor))
    symmetric('syevd_half_spoilt', np.array([[2, np.nan], [1, 3]], np.float32))


# ---- the same under the names of XLA's own client library, which TensorFlow and PyTorch write ----

def client_library(gen):
    file = File('lapack_client_library', "Custom calls of XLA's client library: Qr, ProductOfElementaryHouseholderReflectors, Eigh.")

    def hlo(t, shape):
        return f'{t}[{",".join(map(str, shape))}]'

    for t in TYPES:
        for rows, columns, batch in ((4, 3, ()), (3, 3, (2,)), (3, 5, ())):
            if batch and t != 'f32':
                continue
            few = min(rows, columns)
            a = draw(gen, t, *batch, rows, columns)
            whole, taus, orthogonal = hlo(t, (*batch, rows, columns)), hlo(t, (*batch, few)), hlo(t, (*batch, rows, few))
            cut = ', '.join(f'[0:{n}]' for n in (*batch, rows, few))
            file.case(f'qr_{t}_{rows}x{columns}', f'''HloModule qr
ENTRY main {{
  a = {whole} parameter(0)
  p = ({whole}, {taus}) custom-call(a), custom_call_target="Qr"
  r = {whole} get-tuple-element(p), index=0
  t = {taus} get-tuple-element(p), index=1
  s = {orthogonal} slice(r), slice={{{cut}}}
  q = {orthogonal} custom-call(s, t), custom_call_target="ProductOfElementaryHouseholderReflectors"
  ROOT x = ({whole}, {taus}, {orthogonal}) tuple(r, t, q)
}}''', [a], tolerance=TOLERANCE[t])
        for lower in (1, 0):
            a = positive(gen, t, 4)
            spoilt = a + (np.triu if lower else np.tril)(np.ones_like(a), 1 if lower else -1)  # the other triangle is not read
            square, values, real_square = hlo(t, (4, 4)), hlo(real(t), (4,)), hlo(real(t), (4, 4))
            file.case(f'eigh_{t}_{"lower" if lower else "upper"}', f'''HloModule eigh
ENTRY main {{
  a = {square} parameter(0)
  p = ({square}, {values}) custom-call(a), custom_call_target="Eigh", backend_config="{lower},1,100,0.00000000000001"
  v = {square} get-tuple-element(p), index=0
  m = {real_square} abs(v)
  w = {values} get-tuple-element(p), index=1
  ROOT x = ({real_square}, {values}) tuple(m, w)
}}''', [spoilt], [np.abs(np.linalg.eigh(a)[1]), np.linalg.eigh(a)[0]], TOLERANCE[t])


# ---- a sparse matrix times a dense one, which JAX leaves to a routine of its own ----

def sparse_products(gen):
    file = File('sparse_product', "JAX's custom call for a sparse matrix, compressed by rows, times a dense one.")
    first, columns = np.array([0, 2, 2, 5, 7], np.int32), np.array([0, 2, 1, 3, 4, 0, 4, 5, 9], np.int32)  # the last two are padding
    for t in (*TYPES, 's32', 's64'):
        values = gen.integers(-9, 9, 9).astype(et.DTYPES[t])
        for shape in ((5, 3), (5,)):
            dense = gen.integers(-9, 9, shape).astype(et.DTYPES[t])
            whole = np.zeros((4, 5), et.DTYPES[t])
            for row in range(4):
                whole[row, columns[first[row]:first[row + 1]]] = values[first[row]:first[row + 1]]
            operands, result = [values, first, columns, dense], whole @ dense
            # No XLA here: its target is only known once jax.experimental.sparse is loaded; the corpus of front ends has its values.
            file.case(f'{t}_{len(shape)}', program('cpu_csr_sparse_dense_ffi', operands, [(result.shape, t)], ''), operands, [result], trust=False)
    outside = [np.array([1, 2], np.float32), np.array([-4, 1, 99], np.int32), np.array([-1, 1], np.int32), np.array([[3], [4]], np.float32)]
    file.case('numbers_outside', program('cpu_csr_sparse_dense_ffi', outside, [((2, 1), 'f32')], ''), outside, [np.array([[0], [8]], np.float32)], trust=False)


# ---- refusals ----

def refusals():
    file = File('error_lapack', 'LAPACK custom calls that must be refused.')
    f = np.zeros((3, 3), np.float32)

    def one(name, routine, operands, results, config, substring):
        file.error(name, program(f'lapack_{routine}_ffi', operands, results, config), substring, 2, operands)
    lower = code(uplo='L')
    one('potrf_not_square', 'spotrf', [f[:2]], [((2, 3), 'f32'), INFO], lower, 'operand 0 is f32[2,3]')
    one('potrf_type', 'dpotrf', [f], [((3, 3), 'f32'), INFO], lower, 'operand 0 is f32[3,3]')
    one('potrf_results', 'spotrf', [f], [((3, 3), 'f32')], lower, 'takes 1 operands and has 2 results')
    one('potrf_attribute', 'spotrf', [f], [((3, 3), 'f32'), INFO], code(uplo='X'), 'the attribute uplo must be')
    one('potrf_no_attribute', 'spotrf', [f], [((3, 3), 'f32'), INFO], '', 'the attribute uplo must be')
    one('potrf_vector', 'spotrf', [f[0]], [((3,), 'f32'), INFO], lower, 'operand 0 is f32[3]')
    one('getrf_pivots', 'sgetrf', [f[:2]], [((2, 3), 'f32'), ((3,), 's32'), INFO], '', 'result 1 is s32[3]')
    one('getrf_batch', 'sgetrf', [np.zeros((2, 3, 3), np.float32)], [((2, 3, 3), 'f32'), ((3, 3), 's32'), ((2,), 's32')], '', 'result 1 is s32[3,3]')
    one('trsm_sizes', 'strsm', [f, f[:2]], [((2, 3), 'f32')], code(diag='N', side='L', trans_x='N', uplo='L'), 'differ in size')
    one('orgqr_columns', 'sorgqr', [f[:2], f[0, :2]], [((2, 3), 'f32')], '', 'no more columns than rows')
    one('ormqr_sizes', 'sormqr', [f, f[0], f[:2]], [((2, 3), 'f32')], 'left = true, transpose = false', 'do not fit')
    one('gesdd_mode', 'sgesdd', [f[:, :2]], [((3, 2), 'f32'), ((2,), 'f32'), ((3, 2), 'f32'), ((2, 2), 'f32'), INFO], code(mode='A'), 'not those of the mode')
    one('gees_sorted', 'sgees', [f], [((3, 3), 'f32')] * 2 + [((3,), 'f32')] * 2 + [INFO] * 2, code(mode='V', sort='S'), 'the attribute sort must be')
    one('gehrd_range', 'sgehrd', [f], [((3, 3), 'f32'), ((2,), 'f32'), INFO], 'high = 4 : i32, low = 1 : i32', '1 <= low <= high <= n')
    one('orgqr_complex', 'corgqr', [f.astype(np.complex64), f[0].astype(np.complex64)], [((3, 3), 'c64')], '', 'no custom call target')
    file.error('sparse_rows', program('cpu_csr_sparse_dense_ffi', [f[0], np.zeros(3, np.int32), np.zeros(3, np.int32), f], [((3, 3), 'f32')], ''), 'beginnings of rows', 2,
               [f[0], np.zeros(3, np.int32), np.zeros(3, np.int32), f])
    file.error('client_qr', program('Qr', [f], [((3, 3), 'f32')], ''), 'takes 1 operands and has 2 results', 2, [f])
    file.error('client_eigh', program('Eigh', [f], [((3, 3), 'f32'), ((2,), 'f32')], ''), 'result 1 is f32[2]', 2, [f])
    one('unknown_routine', 'sfrobnicate', [f], [((3, 3), 'f32')], '', 'no custom call target')


def make():
    gen = np.random.default_rng(3)
    triangular_routines(gen)
    factorisations(gen)
    spectra(gen)
    refusals()
    client_library(gen)
    sparse_products(gen)
