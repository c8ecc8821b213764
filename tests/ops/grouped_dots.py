"""Cases of ragged-dot and scaled-dot, and of dots that ask for an algorithm.

XLA's CPU backend runs none of the first two. The references follow jax.lax.ragged_dot_general and jax.lax.scaled_dot, and
JAX's own expansions for the CPU cross-check them.
"""
import itertools
import random

import jax
import numpy as np

import element_types as et
from cases import File, agree
from contractions import small_ints
from errors import entry, line_of, parameters
from indexing import module
from structural import braces

jax.config.update('jax_enable_x64', True)


def numbers(**dimensions):
    return ''.join(f', {name}={braces(d)}' for name, d in dimensions.items() if d)


# ---- ragged-dot ----

def jax_ragged(lhs, rhs, sizes, lc, rc, lb, rb, ragged, group):
    d = jax.lax.RaggedDotDimensionNumbers(((lc, rc), (lb, rb)), [ragged], group)
    return np.asarray(jax.jit(lambda *a: jax.lax.ragged_dot_general(*a, d))(lhs, rhs, sizes))


def ragged_reference(lhs, rhs, sizes, lc, rc, lb, rb, ragged, group):
    """Masks the groups one by one and multiplies: independent of how anything else cuts the operands."""
    def dot(a, b, extra=()):
        letters = iter('abcdefghijklmnop')
        left, right = [next(letters) for _ in range(a.ndim)], [None] * b.ndim
        for i, k in [*zip(lb, rb), *zip(lc, rc)]:
            right[k] = left[i]
        right = [r or next(letters) for r in right]
        out = [left[i] for i in lb] + [c for i, c in enumerate(left) if i not in (*lb, *lc)]
        out += [c for i, c in enumerate(right) if i not in (*rb, *rc, *extra)]
        return np.einsum(f'{"".join(left)},{"".join(right)}->{"".join(out)}', a, b)
    t, lhs, rhs = lhs.dtype, lhs.astype(np.float64), rhs.astype(np.float64)
    if ragged in lb:
        return dot(lhs, rhs).astype(t)
    before = [d for d in lb]
    before += list(itertools.takewhile(lambda d: d != ragged, lc)) if ragged in lc else [
        d for d in range(ragged) if d not in (*lb, *lc)]
    groups = []
    for g in range(sizes.shape[-1]):
        mask = np.zeros(lhs.shape)
        for index in np.ndindex(lhs.shape):
            own = sizes if sizes.ndim == 1 else sizes[tuple(index[d] for d in before)]
            mask[index] = own[:g].sum() <= index[ragged] < own[:g + 1].sum()
        one = np.take(rhs, [g], group[0]) if group else rhs
        groups.append(dot(lhs * mask, one, group))
    return (np.stack(groups) if ragged in lc else sum(groups)).astype(t)


def ragged_case(file, name, lhs, rhs, sizes, lc, rc, lb=(), rb=(), ragged=0, group=(), against_jax=True):
    want = ragged_reference(lhs, rhs, sizes, lc, rc, lb, rb, ragged, group)
    if against_jax:
        got = jax_ragged(lhs, rhs, sizes, lc, rc, lb, rb, ragged, group)
        assert agree(et.NAMES[want.dtype], got, want, None).all(), name
    text = 'ragged-dot($)' + numbers(lhs_batch_dims=lb, rhs_batch_dims=rb, lhs_contracting_dims=lc, rhs_contracting_dims=rc,
                                     lhs_ragged_dims=[ragged], rhs_group_dims=group)
    program = module(name, [lhs, rhs, sizes], None, et.literal_text(et.NAMES[want.dtype], want).split(' ')[0], text)
    file.case(name, program, [lhs, rhs, sizes], [want], trust=False)


def ragged():
    file = File('ragged_dot', 'ragged-dot: ragged rows, ragged contracting dimension, ragged batch dimension.')
    rng = random.Random('ragged')

    def v(*shape, t='f32'):
        return small_ints(t, shape, rng)

    def sizes(*rows, t='int64'):
        return np.array(rows, dtype=t)
    for t in ('f32', 'f64', 'bf16', 'f16', 's32'):
        ragged_case(file, f'rows_{t}', v(7, 3, t=t), v(3, 3, 4, t=t), sizes(2, 4, 1), [1], [1], group=[0])
    ragged_case(file, 'rows_too_few', v(7, 3), v(3, 3, 4), sizes(2, 0, 3, t='int32'), [1], [1], group=[0])
    ragged_case(file, 'rows_too_many', v(4, 3), v(3, 3, 4), sizes(3, 5, 9), [1], [1], group=[0])
    ragged_case(file, 'rows_group_in_the_middle', v(6, 3), v(3, 2, 5), sizes(1, 5), [1], [0], group=[1])
    ragged_case(file, 'rows_batched', v(2, 6, 3), v(2, 4, 3, 5), sizes(1, 2, 0, 3), [2], [2], [0], [0], 1, [1])
    ragged_case(file, 'rows_sizes_by_batch', v(2, 6, 3), v(2, 3, 3, 5), sizes([1, 2, 3], [4, 0, 2]), [2], [2], [0], [0], 1, [1])
    ragged_case(file, 'rows_sizes_by_row', v(2, 5, 3), v(3, 3, 4), sizes([1, 2, 2], [4, 0, 1]), [2], [1], (), (), 1, [0])
    ragged_case(file, 'rows_unsigned_sizes', v(5, 3), v(2, 3, 4), sizes(2, 3, t='uint8'), [1], [1], group=[0])
    ragged_case(file, 'rows_none', v(0, 3), v(2, 3, 4), sizes(0, 0), [1], [1], group=[0])
    for t in ('f32', 'f64', 's64'):
        ragged_case(file, f'contracting_{t}', v(7, 3, t=t), v(7, 4, t=t), sizes(2, 4, 1), [0], [0])
    ragged_case(file, 'contracting_too_few', v(7, 3), v(7, 4), sizes(2, 0, 3), [0], [0])
    ragged_case(file, 'contracting_batched', v(2, 6, 3), v(2, 6, 4), sizes([1, 2, 3], [4, 0, 2]), [1], [1], [0], [0], 1)
    ragged_case(file, 'contracting_two', v(6, 2, 3), v(6, 2, 4), sizes(1, 5), [0, 1], [0, 1])
    ragged_case(file, 'contracting_sizes_by_other', v(2, 6, 3), v(2, 6, 4), sizes([1, 2, 3], [4, 0, 2]), [0, 1], [0, 1], ragged=1)
    ragged_case(file, 'batch_f32', v(5, 2, 3), v(5, 3, 4), sizes(2, 2, 1), [2], [1], [0], [0], 0)


# ---- scaled-dot ----

def scaled_case(file, name, lhs, rhs, lhs_scale, rhs_scale, lc, rc, lb=(), rb=(), result='f32', in_jax=True):
    def spread(x, scale):
        wide = scale.astype(np.float64)
        for d in range(x.ndim):
            wide = np.repeat(wide, x.shape[d] // scale.shape[d], d)
        return x.astype(np.float64) * wide
    operands = [lhs, rhs, lhs_scale, rhs_scale]
    whole = np.asarray(jax.lax.dot_general(spread(lhs, lhs_scale), spread(rhs, rhs_scale), ((lc, rc), (lb, rb))))
    want = whole.astype(et.DTYPES[result])
    d = ((tuple(lc), tuple(rc)), (tuple(lb), tuple(rb)))
    if in_jax:  # which wants blocks of two elements at least
        got = np.asarray(jax.jit(lambda a, b, s, t: jax.lax.scaled_dot(a, b, lhs_scale=s, rhs_scale=t, dimension_numbers=d,
                                                                       preferred_element_type=want.dtype))(*operands))
        assert agree(result, got, want, None).all(), (name, got, want)
    text = 'scaled-dot($)' + numbers(lhs_batch_dims=lb, rhs_batch_dims=rb, lhs_contracting_dims=lc, rhs_contracting_dims=rc)
    program = module(name, operands, None, et.literal_text(result, want).split(' ')[0], text)
    file.case(name, program, operands, [want], trust=False)


def scaled():
    file = File('scaled_dot', 'scaled-dot: operands of 4 and 8 bits with a power of two for each block.')
    rng = random.Random('scaled')

    def scales(*shape):
        return np.array([2.0 ** rng.randrange(-2, 3) for _ in range(int(np.prod(shape)))]).reshape(shape).astype(et.DTYPES[et.SCALE])

    def v(*shape, t):
        return small_ints(t, shape, rng)
    for t in ('f8e4m3fn', 'f8e5m2', 'f4e2m1fn', 'bf16'):
        scaled_case(file, f'rows_{t}', v(3, 8, t=t), v(2, 8, t=t), scales(3, 2), scales(2, 2), [1], [1])
    scaled_case(file, 'matrix', v(3, 8, t='f8e4m3fn'), v(8, 2, t='f8e4m3fn'), scales(3, 2), scales(2, 2), [1], [0])
    scaled_case(file, 'batched_to_bf16', v(2, 3, 8, t='f8e4m3fn'), v(2, 4, 8, t='f8e5m2'), scales(2, 3, 4), scales(2, 4, 2), [2],
                [2], [0], [0], 'bf16')
    # Where all four have the same shape, only their order tells them apart.
    three, four = (np.array(x, np.float32) for x in ([[1, 2], [3, 4]], [[5, 6], [7, 8]]))
    scaled_case(file, 'order_of_operands', three, four, np.array([[2, 3], [4, 5]], np.float32), np.array([[1, 0], [0, 2]], np.float32), [1], [1],
                in_jax=False)
    scaled_case(file, 'one_scale_per_row', three, four, np.array([[2], [4]], np.float32), np.array([[1], [0.5]], np.float32), [1], [1])


# ---- algorithms ----

def algorithms():
    file = File('dot_algorithm', 'dot: algorithms, which only allow less accuracy.')
    rng = np.random.RandomState(7)
    a, b = (rng.standard_normal((3, 16)).astype(np.float32) for _ in range(2))
    exact = (a.astype(np.float64) @ b.astype(np.float64).T).astype(np.float32)
    for name in ('dot_f64_f64_f64', 'dot_f32_f32_f32', 'dot_bf16_bf16_f32', 'dot_bf16_bf16_f32_x3', 'dot_bf16_bf16_f32_x6',
                 'dot_bf16_bf16_f32_x9', 'dot_tf32_tf32_f32', 'dot_tf32_tf32_f32_x3', 'dot_f16_f16_f16', 'dot_f16_f16_f32'):
        text = f'dot($), lhs_contracting_dims={{1}}, rhs_contracting_dims={{1}}, algorithm={name}'
        file.case(name, module(name, [a, b], None, 'f32[3,3]', text), [a, b], [exact], {'rel': 1e-5, 'abs': 1e-6})


# ---- programs that are refused ----

def errors():
    file = File('error_grouped_dots', 'ragged-dot, scaled-dot and dot algorithms that must be refused.')

    def one(name, shapes, bad, substring):
        program = entry(*parameters(*shapes), 'bad = ' + bad)
        file.cases.append((name, f'//! case {name}\n//! error "{substring}" at {line_of(program, "bad = ")}\n{program}\n'))
    rows = ('f32[7,3]', 'f32[2,3,4]', 's64[2]')
    contracted = 'lhs_contracting_dims={1}, rhs_contracting_dims={1}'
    one('ragged_no_group', rows, f'f32[7,4] ragged-dot(a, b, c), {contracted}, lhs_ragged_dims={{0}}', 'must have one group dimension')
    one('ragged_two', rows, f'f32[7,4] ragged-dot(a, b, c), {contracted}, lhs_ragged_dims={{0,1}}, rhs_group_dims={{0}}',
        'lhs_ragged_dims')
    one('ragged_outside', rows, f'f32[7,4] ragged-dot(a, b, c), {contracted}, lhs_ragged_dims={{2}}, rhs_group_dims={{0}}',
        'lhs_ragged_dims')
    one('ragged_group_contracts', rows, f'f32[7,4] ragged-dot(a, b, c), {contracted}, lhs_ragged_dims={{0}}, rhs_group_dims={{1}}',
        'rhs_group_dims')
    one('ragged_counts_differ', ('f32[7,3]', 'f32[2,3,4]', 's64[3]'),
        f'f32[7,4] ragged-dot(a, b, c), {contracted}, lhs_ragged_dims={{0}}, rhs_group_dims={{0}}', 'as many group sizes')
    one('ragged_sizes_are_floats', ('f32[7,3]', 'f32[2,3,4]', 'f32[2]'),
        f'f32[7,4] ragged-dot(a, b, c), {contracted}, lhs_ragged_dims={{0}}, rhs_group_dims={{0}}', 'bad')
    one('ragged_sizes_rank', ('f32[7,3]', 'f32[2,3,4]', 's64[7,2]'),
        f'f32[7,4] ragged-dot(a, b, c), {contracted}, lhs_ragged_dims={{0}}, rhs_group_dims={{0}}', 'group sizes must be')
    one('ragged_sizes_scalar', ('f32[7,3]', 'f32[2,3,4]', 's64[]'),
        f'f32[7,4] ragged-dot(a, b, c), {contracted}, lhs_ragged_dims={{0}}, rhs_group_dims={{0}}', 'group sizes must be')
    one('ragged_contracting_with_group', ('f32[7,3]', 'f32[7,4]', 's64[2]'),
        'f32[2,3,4] ragged-dot(a, b, c), lhs_contracting_dims={0}, rhs_contracting_dims={0}, lhs_ragged_dims={0}, rhs_group_dims={1}',
        'must have no group dimension')
    one('ragged_result', ('f32[7,3]', 'f32[7,4]', 's64[2]'),
        'f32[3,4] ragged-dot(a, b, c), lhs_contracting_dims={0}, rhs_contracting_dims={0}, lhs_ragged_dims={0}', 'bad')
    scaled_rows = ('f8e4m3fn[3,8]', 'f8e4m3fn[2,8]', 'f8e8m0fnu[3,2]', 'f8e8m0fnu[2,3]')
    one('scale_does_not_divide', scaled_rows, f'f32[3,2] scaled-dot(a, b, c, d), {contracted}', 'scale must divide')
    one('scale_rank', (*scaled_rows[:3], 'f8e8m0fnu[2]'), f'f32[3,2] scaled-dot(a, b, c, d), {contracted}', 'scale must divide')
    one('scale_of_integers', (*scaled_rows[:3], 's8[2,2]'), f'f32[3,2] scaled-dot(a, b, c, d), {contracted}', 'bad')
    one('scaled_integers', ('s8[3,8]', *scaled_rows[1:3], 'f8e8m0fnu[2,2]'), f'f32[3,2] scaled-dot(a, b, c, d), {contracted}', 'bad')
    one('scaled_three_operands', scaled_rows[:3], f'f32[3,2] scaled-dot(a, b, c), {contracted}', 'bad')
    one('unknown_algorithm', ('f32[3,4]', 'f32[4,3]'),
        'f32[3,3] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}, algorithm=dot_f32_f32_f16', 'no dot algorithm')


def make():
    ragged()
    scaled()
    algorithms()
    errors()
