"""Writes tests/ops/lapack_older_calls.hlo: programs of jax.numpy.linalg and the like as JAX 0.4.30 wrote them, before it called
LAPACK by typed FFI. Run by itself, since it needs that version: pip install jax==0.4.30 jaxlib==0.4.30 'numpy<2.1'

The expectations are LAPACK's own through jaxlib. Programs give what does not depend on signs and phases of vectors.
"""
import os

import jax
import jax.numpy as jnp
import numpy as np
from jax.lax import linalg as lax_linalg
from jax.scipy import linalg as scipy_linalg

import element_types as et

assert jax.__version__ == '0.4.30', jax.__version__
jax.config.update('jax_enable_x64', True)
generator = np.random.RandomState(0)
T, AS = lambda a: jnp.swapaxes(a, -1, -2), 'abs=1e-05 rel=2e-05'


def draw(t, *shape):
    x = generator.randn(*shape)
    return (x + 1j * generator.randn(*shape) if t in et.COMPLEX else x).astype(et.DTYPES[t])


def diagonal(t, n):
    return (4 * np.eye(n)).astype(et.DTYPES[t])


def whole(u, s, v):
    return u[..., :, :s.shape[-1]] * s[..., None, :] @ v[..., :s.shape[-1], :]


def residual(w, v, a):
    return jnp.abs(a @ v - v * w)


def cases():
    for t in ('f32', 'f64', 'c64', 'c128'):
        a, b = draw(t, 4, 4), draw(t, 2, 4, 3)
        yield f'potrf_{t}', lambda a: jnp.linalg.cholesky(a @ jnp.conj(a.T) + 4 * jnp.eye(4, dtype=a.dtype)), a
        yield f'getrf_{t}', lambda a, b: jnp.linalg.solve(a, b), draw(t, 2, 4, 4) + diagonal(t, 4), b
        yield f'geqrf_{t}', lambda a: (lambda q, r: (q @ r, jnp.abs(r)))(*jnp.linalg.qr(a)), draw(t, 5, 3)
        yield f'trsm_{t}', lambda a, b: lax_linalg.triangular_solve(
            a, b, left_side=True, lower=True, transpose_a=True, conjugate_a=True), a + diagonal(t, 4), b[0]
        yield f'gesdd_values_{t}', lambda a: jnp.linalg.svd(a, compute_uv=False), b
        yield f'gesdd_some_{t}', lambda a: whole(*jnp.linalg.svd(a, full_matrices=False)), b[0]
        yield f'gesdd_all_{t}', lambda a: whole(*jnp.linalg.svd(a)), b[0]
        yield f'syevd_{t}', lambda a: (lambda w, v: (w, residual(w, v, a + jnp.conj(T(a)))))(*jnp.linalg.eigh(a + jnp.conj(T(a)))), a
        yield f'syevd_upper_{t}', lambda a: jnp.linalg.eigh(a, UPLO='U', symmetrize_input=False)[0], draw(t, 2, 3, 3)
        yield f'geev_{t}', lambda a: residual(*jnp.linalg.eig(a), a), a
        yield f'geev_values_{t}', lambda a: jnp.sort(jnp.abs(jnp.linalg.eigvals(a))), a
        yield f'gees_{t}', lambda a: (lambda s, z: z @ s @ jnp.conj(z.T))(*scipy_linalg.schur(a)), a
        yield f'gehrd_{t}', lambda a: jnp.abs(lax_linalg.hessenberg(a)[0]), draw(t, 2, 4, 4)
        for lower in (False, True):
            yield (f'sytrd_{"lower" if lower else "upper"}_{t}',
                   lambda a: lax_linalg.tridiagonal(a + jnp.conj(T(a)), lower=lower)[1:3], draw(t, 2, 4, 4))
    for side in (False, True):
        for lower in (False, True):
            for transposed in (False, True):
                for unit in (False, True):
                    yield (f'trsm_{side:d}{lower:d}{transposed:d}{unit:d}', lambda a, b: lax_linalg.triangular_solve(
                        a, b, left_side=side, lower=lower, transpose_a=transposed, unit_diagonal=unit),
                           draw('f32', 2, 3, 3) + diagonal('f32', 3), draw('f32', 2, 3, 2) if side else draw('f32', 2, 2, 3))
    yield 'failed', lambda a: (jnp.linalg.cholesky(a), jnp.linalg.det(a)), np.zeros((2, 3, 3), np.float32)
    yield 'strsm_in_expm', lambda a: scipy_linalg.expm(a), draw('f32', 3, 3)


def literal(a):
    a = np.asarray(a)
    return et.literal_text(et.NAMES[a.dtype], a, None)


def text_of(name, function, *inputs):
    lowered = jax.jit(function).lower(*inputs)
    wanted = jax.tree_util.tree_leaves(lowered.compile()(*inputs))
    head = [f'//! case {name}', *(f'//! input {literal(a)}' for a in inputs), *(f'//! expect {literal(a)}' for a in wanted),
            f'//! tolerance {AS}']
    return '\n'.join([*head, lowered.as_text()])


def refused(name, error, target, operands, results):
    """A call of a routine with operands given as (type, constant or None for a parameter)."""
    lines = [f'%{k} = stablehlo.constant dense<{value}> : tensor<{t}>' for k, (t, value) in enumerate(operands) if value is not None]
    given = [(k, t) for k, (t, value) in enumerate(operands) if value is None]
    inputs = [f'//! input {literal(np.ones([int(n) for n in t.split("x")[:-1]], np.float32))}' for _, t in given]
    types = ', '.join(f'tensor<{t}>' for t, _ in operands)
    outs = ', '.join(f'tensor<{t}>' for t in results)
    names = [f'%r#{k}' for k in range(len(results))] if len(results) > 1 else ['%r']
    call = (f'%r{f":{len(results)}" if len(results) > 1 else ""} = stablehlo.custom_call @{target}('
            f'{", ".join(f"%{k}" for k in range(len(operands)))}) {{api_version = 2 : i32}} : ({types}) -> ({outs})')
    body = ''.join(f'  {line}\n' for line in [*lines, call, f'return {", ".join(names)} : {outs}'])
    head = ''.join(f'{line}\n' for line in [f'//! case {name}', *inputs, f'//! error "{error}"'])
    return f'{head}func.func @main({", ".join(f"%{k}: tensor<{t}>" for k, t in given)}) -> ({outs}) {{\n{body}}}\n'


def refusals():
    number, a, b = ('i32', 1), ('3x3xf32', None), ('3x2xf32', None)
    solve = [number] * 4 + [('i32', 3), ('i32', 2), number, ('f32', '1.0'), a, b]
    yield refused('no_number', 'operand 1 is not a number', 'lapack_spotrf', [number, ('1xi32', 1), number, a], ['3x3xf32', 'i32'])
    yield refused('too_many', 'takes 4 operands and has 2 results, not 5 and 2', 'lapack_spotrf', [number] * 3 + [a, a], ['3x3xf32', 'i32'])
    yield refused('no_report', 'takes 4 operands and has 2 results, not 4 and 1', 'lapack_spotrf', [number] * 3 + [a], ['3x3xf32'])
    yield refused('no_matrix', 'takes 4 operands and has 2 results, not 3 and 2', 'lapack_spotrf', [number] * 3, ['2x3x3xf32', '2xi32'])
    yield refused('no_work', 'takes 5 operands and has 8 results, not 5 and 5', 'lapack_sgeev', [number] * 2 + [('ui8', 86)] * 2 + [a],
                  ['3xf32', '3xf32', '3x3xcomplex<f32>', '3x3xcomplex<f32>', 'i32'])
    yield refused('another_shape', 'operand 0 is f32[3,2]', 'lapack_spotrf', [number] * 3 + [b], ['3x2xf32', 'i32'])
    yield refused('no_transpose', 'the attribute trans_x must be', 'blas_strsm', [*solve[:2], ('i32', 3), *solve[3:]], ['3x2xf32'])
    yield refused('factor', 'a factor other than 1', 'blas_strsm', [*solve[:7], ('f32', '2.0'), a, b], ['3x2xf32'])
    yield refused('typed_factor', 'a factor other than 1', 'lapack_strsm_ffi', [a, b, ('f32', '2.0')], ['3x2xf32']).replace(
        'api_version = 2 : i32', 'mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}')


with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), 'lapack_older_calls.hlo'), 'w') as file:
    file.write("// LAPACK's routines as JAX up to 0.4.30 called them: numbers are operands, memory to work in is results.\n"
               '// Generated by older_jax.py; see README.md.\n\n' + '\n'.join([*(text_of(*case) for case in cases()), *refusals()]))
