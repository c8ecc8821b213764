"""Cases of dot (plain and general), reduce (single and variadic) and map.

Floats are small integers almost everywhere, so that sums are exact in any order and the expectation is too; the cases
named *_rounding use arbitrary values with a tolerance.
"""
import math
import random

import numpy as np

import element_types as et
from cases import File
from element_types import array, shape_text
from in_order import reduce_in_order


def scalar_computation(name, t, op):
    return (f'{name} {{\n  x = {t}[] parameter(0)\n  y = {t}[] parameter(1)\n  ROOT z = {t}[] {op}(x, y)\n}}\n')


def small_ints(t, shape, rng, low=-4, high=4):
    if t in et.UNSIGNED or t == 'pred':
        low = 0
    if t == 'pred':
        high = 1
    if t in ('s2', 'u2', 's4', 'u4'):
        low, high = max(low, et.int_range(t)[0]), min(high, et.int_range(t)[1])
    count = math.prod(shape)
    if t in et.COMPLEX:
        values = [complex(rng.randint(low, high), rng.randint(low, high)) for _ in range(count)]
    elif et.is_float(t):  # no zeros: whether a sum of negative zeros is -0 depends on how it is started
        values = [rng.choice([v for v in range(low, high + 1) if v]) for _ in range(count)]
    else:
        values = [rng.randint(low, high) for _ in range(count)]
    return array(t, values).reshape(shape)


# ---- dot ----

def dot_reference(a, b, lhs_batch, rhs_batch, lhs_contracting, rhs_contracting, result):
    """dot_general by einsum in float64, complex128 or Python integers."""
    def wide(x):
        t = et.NAMES[x.dtype]
        return x.astype(np.complex128 if t in et.COMPLEX else object if t in et.INTEGERS or t == 'pred' else np.float64)
    letters = iter('abcdefghijklmnopqrstuvwxyz')
    left, right = [None] * a.ndim, [None] * b.ndim
    for i, j in [*zip(lhs_batch, rhs_batch), *zip(lhs_contracting, rhs_contracting)]:
        left[i] = right[j] = next(letters)
    left = [x or next(letters) for x in left]
    right = [x or next(letters) for x in right]
    out = [left[i] for i in lhs_batch] + [x for i, x in enumerate(left) if i not in (*lhs_batch, *lhs_contracting)]
    out += [x for i, x in enumerate(right) if i not in (*rhs_batch, *rhs_contracting)]
    a, b = wide(a), wide(b)
    if a.dtype == object:
        a, b = a.astype(int).astype(object), b.astype(int).astype(object)
    value = np.einsum(f'{"".join(left)},{"".join(right)}->{"".join(out)}', a, b)
    value = np.asarray(value)
    if result == 'pred':
        return value.astype(int) > 0
    if result in et.INTEGERS:
        return array(result, [et.wrap(result, int(v)) for v in value.reshape(-1)]).reshape(value.shape)
    return value.astype(et.DTYPES[result])


def dot_case(file, name, a, b, lhs_contracting, rhs_contracting, lhs_batch=(), rhs_batch=(), result=None, tolerance=None,
             layouts=None, result_layout=None, extra='', classic=False):
    t = et.NAMES[a.dtype]
    result = result or t
    want = dot_reference(a, b, lhs_batch, rhs_batch, lhs_contracting, rhs_contracting, result)

    def braces(dimensions):
        return '{' + ','.join(map(str, dimensions)) + '}'
    attributes = f', lhs_contracting_dims={braces(lhs_contracting)}, rhs_contracting_dims={braces(rhs_contracting)}'
    if lhs_batch:
        attributes = f', lhs_batch_dims={braces(lhs_batch)}, rhs_batch_dims={braces(rhs_batch)}' + attributes
    shapes = [shape_text(et.NAMES[x.dtype], x.shape, layouts[i] if layouts else None) for i, x in enumerate((a, b))]
    out = shape_text(result, want.shape, result_layout)
    if classic:
        call = f'%dot.3 = {out} dot({shapes[0]} %Arg_0.1, {shapes[1]} %Arg_1.2){attributes}{extra}'
        text = (f'HloModule {name}\n\nENTRY %main.4 (Arg_0.1: {shapes[0]}, Arg_1.2: {shapes[1]}) -> {out} {{\n'
                f'  %Arg_0.1 = {shapes[0]} parameter(0)\n  %Arg_1.2 = {shapes[1]} parameter(1)\n  ROOT {call}\n}}')
    else:
        text = (f'HloModule {name}\n\nENTRY main {{\n  a = {shapes[0]} parameter(0)\n  b = {shapes[1]} parameter(1)\n'
                f'  ROOT c = {out} dot(a, b){attributes}{extra}\n}}')
    file.case(name, text, [a, b], [want], tolerance, layouts)


def dot():
    file = File('dot', 'dot: vector and matrix forms, dot_general forms (batch, several contracting dimensions), types.')
    rng = random.Random('dot')
    f = 'f32'

    def v(*shape, t=f):
        return small_ints(t, shape, rng)
    dot_case(file, 'vector_vector', v(5), v(5), [0], [0])
    dot_case(file, 'matrix_vector', v(3, 4), v(4), [1], [0])
    dot_case(file, 'vector_matrix', v(4), v(4, 3), [0], [0])
    dot_case(file, 'matrix_matrix', v(3, 4), v(4, 5), [1], [0], classic=True)
    dot_case(file, 'matrix_matrix_1x1', v(1, 1), v(1, 1), [1], [0])
    dot_case(file, 'transposed_lhs', v(4, 3), v(4, 5), [0], [0])
    dot_case(file, 'transposed_rhs', v(3, 4), v(5, 4), [1], [1])
    dot_case(file, 'both_transposed', v(4, 3), v(5, 4), [0], [1])
    dot_case(file, 'odd_sizes', v(7, 13), v(13, 9), [1], [0])
    dot_case(file, 'wide_k', v(3, 130), v(130, 5), [1], [0])
    dot_case(file, 'outer_product', v(3), v(4), [], [])
    dot_case(file, 'scalars', v(), v(), [], [])
    dot_case(file, 'scalar_matrix', v(), v(2, 3), [], [])
    dot_case(file, 'batch', v(2, 3, 4), v(2, 4, 5), [2], [1], [0], [0])
    dot_case(file, 'two_batch_dimensions', v(2, 3, 2, 4), v(2, 3, 4, 2), [3], [2], [0, 1], [0, 1], classic=True)
    dot_case(file, 'batch_not_first', v(3, 2, 4), v(4, 5, 2), [2], [0], [1], [2])
    dot_case(file, 'batch_dimensions_crossed', v(2, 3, 4), v(3, 4, 2), [2], [1], [0, 1], [2, 0])
    dot_case(file, 'batch_without_contraction', v(3, 2), v(3, 4), [], [], [0], [0])
    dot_case(file, 'batch_of_vectors', v(3, 4), v(3, 4), [1], [1], [0], [0])
    dot_case(file, 'two_contracting_dimensions', v(2, 3, 4), v(3, 4, 5), [1, 2], [0, 1])
    dot_case(file, 'contracting_dimensions_crossed', v(2, 3, 4), v(4, 5, 3), [1, 2], [2, 0])
    dot_case(file, 'everything_contracted', v(2, 3), v(2, 3), [0, 1], [0, 1])
    dot_case(file, 'several_free_dimensions', v(2, 3, 4), v(4, 2, 3), [2], [0])
    dot_case(file, 'rank_5', v(2, 1, 3, 2, 2), v(2, 2, 3, 2, 1), [4, 2], [1, 2], [0], [0])
    dot_case(file, 'empty_k', v(2, 0), v(0, 3), [1], [0])
    dot_case(file, 'empty_m', v(0, 4), v(4, 3), [1], [0])
    dot_case(file, 'empty_batch', v(0, 2, 3), v(0, 3, 2), [2], [1], [0], [0])
    dot_case(file, 'column_major_operands', v(3, 4), v(4, 5), [1], [0], layouts=[(0, 1), (0, 1)])
    dot_case(file, 'column_major_result', v(3, 4), v(4, 5), [1], [0], layouts=[(1, 0), (0, 1)], result_layout=(0, 1))
    dot_case(file, 'batch_layouts', v(2, 3, 4), v(2, 4, 5), [2], [1], [0], [0], layouts=[(0, 1, 2), (1, 0, 2)],
             result_layout=(0, 2, 1))
    dot_case(file, 'operand_precision', v(3, 4), v(4, 5), [1], [0], extra=', operand_precision={highest,highest}')
    for t in ('f64', 'bf16', 'f16', 's8', 's16', 's32', 's64', 'u8', 'u16', 'u32', 'u64', 's4', 'u4', 'pred', 'c64', 'c128'):
        dot_case(file, f'matrix_matrix_{t}', v(3, 4, t=t), v(4, 2, t=t), [1], [0])
        if t not in ('s4', 'u4', 'pred'):
            dot_case(file, f'batch_{t}', v(2, 2, 3, t=t), v(2, 3, 2, t=t), [2], [1], [0], [0])
    for t in et.SMALL_FLOATS:
        dot_case(file, f'widening_{t}_to_f32', small_ints(t, (3, 4), rng, -2, 2), small_ints(t, (4, 2), rng, -2, 2),
                 [1], [0], result='f32')
    for t, result in (('s8', 's32'), ('u8', 's32'), ('u8', 'u32'), ('s4', 's32'), ('s16', 's32'), ('bf16', 'f32'), ('f16', 'f32'),
                      ('f32', 'f64')):
        high = 127 if t == 's8' else 255 if t == 'u8' else 7 if t == 's4' else 300 if t == 's16' else 100
        a = small_ints(t, (2, 9), rng, -high, high)
        dot_case(file, f'widening_{t}_to_{result}', a, small_ints(t, (9, 3), rng, -high, high), [1], [0], result=result)
    low, high = et.int_range('s32')
    dot_case(file, 's32_wraps', array('s32', [[low, high, 3]]), array('s32', [[high], [high], [high]]), [1], [0])
    dot_case(file, 'u8_wraps', array('u8', [[200, 100, 3]]), array('u8', [[200], [100], [7]]), [1], [0])
    # Accumulated in f32: in bf16 the sum would stop growing at 256.
    file.case('bf16_accumulates_in_f32', '''HloModule bf16_accumulates_in_f32

ENTRY main {
  one = bf16[] parameter(0)
  a = bf16[2,600] broadcast(one), dimensions={}
  b = bf16[600,1] broadcast(one), dimensions={}
  ROOT c = bf16[2,1] dot(a, b), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}''', [array('bf16', 1)], [array('bf16', [[600], [600]])])
    gen = np.random.default_rng(7)
    for t, tolerance in (('f32', {'abs': 1e-5}), ('f64', {'abs': 1e-14}), ('bf16', {'abs': 1e-2, 'ulp': 1}), ('f16', {'abs': 1e-3, 'ulp': 1})):
        a, b = (gen.normal(0, 1, s).astype(et.DTYPES[t]) for s in ((5, 17), (17, 6)))
        dot_case(file, f'{t}_rounding', a, b, [1], [0], tolerance=tolerance)
    a, b = (gen.normal(0, 1, s).astype(np.complex64) + 1j * gen.normal(0, 1, s).astype(np.float32) for s in ((3, 8), (8, 3)))
    dot_case(file, 'c64_rounding', a.astype(np.complex64), b.astype(np.complex64), [1], [0], tolerance={'abs': 2e-5})
    nan, inf = math.nan, math.inf
    dot_case(file, 'f32_special_values', array(f, [[nan, 1, 2], [inf, 1, 0], [0, 1, 1]]), array(f, [[1, 0], [2, -inf], [3, 1]]), [1], [0])
    # Examples of the operation semantics.
    dot_case(file, 'seed_dot_general_contracting', array(f, [[1, 2, 3], [4, 5, 6]]), array(f, [[1, 1, 1], [2, 2, 2]]), [1], [1])
    dot_case(file, 'seed_dot_general_batch', array(f, [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]),
             array(f, [[[1, 0], [0, 1]], [[1, 0], [0, 1]]]), [2], [1], [0], [0])
    dot_case(file, 'seed_dot_b0_b1_m_k', v(2, 2, 3, 4), v(2, 2, 4, 3), [3], [2], [0, 1], [0, 1])
    return file


# ---- reduce ----

def reduce_text(name, t, shape, op, dimensions, layout=None, result_layout=None, classic=False):
    out = [n for i, n in enumerate(shape) if i not in dimensions]
    source, result = shape_text(t, shape, layout), shape_text(t, out, result_layout)
    dims = '{' + ','.join(map(str, dimensions)) + '}'
    combine = scalar_computation(f'combine_{op}', t, op)
    if classic:
        return (f'HloModule {name}\n\n%region_0.3 (Arg_0.4: {t}[], Arg_1.5: {t}[]) -> {t}[] {{\n  %Arg_0.4 = {t}[] parameter(0)\n'
                f'  %Arg_1.5 = {t}[] parameter(1)\n  ROOT %r.6 = {t}[] {op}({t}[] %Arg_0.4, {t}[] %Arg_1.5)\n}}\n\n'
                f'ENTRY %main.9 (Arg_0.1: {source}, Arg_1.2: {t}[]) -> {result} {{\n  %Arg_0.1 = {source} parameter(0)\n'
                f'  %Arg_1.2 = {t}[] parameter(1)\n'
                f'  ROOT %reduce.7 = {result} reduce({source} %Arg_0.1, {t}[] %Arg_1.2), dimensions={dims}, to_apply=%region_0.3\n}}')
    return (f'HloModule {name}\n\n{combine}\nENTRY main {{\n  a = {source} parameter(0)\n  init = {t}[] parameter(1)\n'
            f'  ROOT r = {result} reduce(a, init), dimensions={dims}, to_apply=combine_{op}\n}}')


def reduce_case(file, name, a, init, op, dimensions, want=None, tolerance=None, layout=None, result_layout=None, classic=False):
    t = et.NAMES[a.dtype]
    if want is None:
        want = reduce_reference(t, a, init, op, dimensions)
    layouts = [layout, None] if layout else None
    file.case(name, reduce_text(name, t, a.shape, op, dimensions, layout, result_layout, classic), [a, array(t, init)], [want],
              tolerance, layouts, order=name.endswith('_in_order'))


def reduce_reference(t, a, init, op, dimensions):
    if t in et.INTEGERS:
        wide = a.astype(object)
        wide = np.vectorize(int, otypes=[object])(a) if a.size else wide
        function = {'add': sum, 'multiply': math.prod, 'maximum': max, 'minimum': min,
                    'and': lambda v: _fold(v, lambda x, y: x & y), 'or': lambda v: _fold(v, lambda x, y: x | y),
                    'xor': lambda v: _fold(v, lambda x, y: x ^ y)}[op]
        zero = int(init)
    elif t == 'pred':
        wide, zero = a.astype(int).astype(object), int(init)
        function = {'and': min, 'or': max, 'xor': lambda v: sum(v) % 2, 'add': max, 'multiply': min}[op]
    else:
        wide = a.astype(np.complex128 if t in et.COMPLEX else np.float64)
        function = {'add': sum, 'multiply': math.prod, 'maximum': lambda v: _nan_or(v, max), 'minimum': lambda v: _nan_or(v, min)}[op]
        zero = init
    kept = [i for i in range(a.ndim) if i not in dimensions]
    moved = np.transpose(wide, kept + list(dimensions)).reshape([a.shape[i] for i in kept] + [-1] if a.size else [a.shape[i] for i in kept] + [0])
    flat = moved.reshape(-1, moved.shape[-1]) if moved.size else np.empty((math.prod(moved.shape[:-1]), 0))
    values = [function([zero, *row]) for row in flat]
    if t in et.INTEGERS:
        values = [et.wrap(t, v) for v in values]
    return array(t, values).reshape(moved.shape[:-1])


def _fold(values, function):
    result = values[0]
    for v in values[1:]:
        result = function(result, v)
    return result


def _nan_or(values, function):
    return math.nan if any(v != v for v in values) else function(values)


VARIADIC = '''HloModule {name}

arg_max {{
  value = {t}[] parameter(0)
  index = s32[] parameter(1)
  other_value = {t}[] parameter(2)
  other_index = s32[] parameter(3)
  take = pred[] compare(value, other_value), direction={direction}
  v = {t}[] select(take, value, other_value)
  same = pred[] compare(value, other_value), direction=EQ
  first = s32[] minimum(index, other_index)
  i0 = s32[] select(take, index, other_index)
  i = s32[] select(same, first, i0)
  ROOT pair = ({t}[], s32[]) tuple(v, i)
}}

ENTRY main {{
  values = {source} parameter(0)
  start = {t}[] constant({start})
  indices = {index_source} iota(), iota_dimension={dim}
  zero = s32[] constant(2147483647)
  ROOT r = ({out}, {index_out}) reduce(values, indices, start, zero), dimensions={{{dim}}}, to_apply=arg_max
}}'''


def variadic():
    file = File('reduce_variadic', 'reduce of several arrays at once: argmax, argmin, different types.')
    rng = random.Random('variadic')
    for t in ('f32', 's32', 'f64', 'u8'):
        for direction, start in (('GT', '-inf' if t[0] == 'f' else str(et.int_range(t)[0])), ('LT', 'inf' if t[0] == 'f' else str(et.int_range(t)[1]))):
            for shape, dim in (((7,), 0), ((3, 5), 1), ((3, 5), 0), ((2, 3, 4), 1)):
                a = small_ints(t, shape, rng, 0 if t[0] == 'u' else -9, 9)
                out = [n for i, n in enumerate(shape) if i != dim]
                arg = (np.argmax if direction == 'GT' else np.argmin)(a.astype(np.float64), axis=dim)
                best = (np.max if direction == 'GT' else np.min)(a, axis=dim)
                name = f'variadic_{"argmax" if direction == "GT" else "argmin"}_{t}_{"x".join(map(str, shape))}_{dim}'
                text = VARIADIC.format(name=name, t=t, direction=direction, start=start, dim=dim, source=shape_text(t, shape),
                                       index_source=shape_text('s32', shape), out=shape_text(t, out), index_out=shape_text('s32', out))
                file.case(name, text, [a], [np.asarray(best, dtype=a.dtype), np.asarray(arg).astype(np.int32)])
    # The recurrence of the operation semantics: the later one of equal values wins, applied from left to right.
    text = '''HloModule seed_reduce_variadic

f {
  max = f32[] parameter(0)
  argmax = s32[] parameter(1)
  value = f32[] parameter(2)
  index = s32[] parameter(3)
  ge = pred[] compare(value, max), direction=GE
  m = f32[] select(ge, value, max)
  i = s32[] select(ge, index, argmax)
  ROOT r = (f32[], s32[]) tuple(m, i)
}

ENTRY main {
  v = f32[6] parameter(0)
  k = s32[6] iota(), iota_dimension=0
  iv = f32[] constant(-inf)
  ik = s32[] constant(-1)
  ROOT r = (f32[], s32[]) reduce(v, k, iv, ik), dimensions={0}, to_apply=f
}'''
    file.case('seed_reduce_variadic', text, [array('f32', [3, 9, -2, 7.5, 1, 8])], [array('f32', 9), array('s32', 1)])
    text = '''HloModule variadic_three_types

sums {
  a = f32[] parameter(0)
  b = s32[] parameter(1)
  c = pred[] parameter(2)
  x = f32[] parameter(3)
  y = s32[] parameter(4)
  z = pred[] parameter(5)
  p = f32[] add(a, x)
  q = s32[] maximum(b, y)
  r = pred[] or(c, z)
  ROOT t = (f32[], s32[], pred[]) tuple(p, q, r)
}

ENTRY main {
  x = f32[2,3] parameter(0)
  y = s32[2,3] parameter(1)
  z = pred[2,3] parameter(2)
  p = f32[] constant(0)
  q = s32[] constant(-100)
  r = pred[] constant(false)
  ROOT t = (f32[2], s32[2], pred[2]) reduce(x, y, z, p, q, r), dimensions={1}, to_apply=sums
}'''
    file.case('variadic_three_types', text, [array('f32', [[1, 2, 3], [4, 5, 6]]), array('s32', [[1, -5, 0], [7, 2, 9]]),
                                             array('pred', [[False, False, False], [False, True, False]])],
              [array('f32', [6, 15]), array('s32', [1, 9]), array('pred', [False, True])])
    return file


def reduce():
    file = File('reduce', 'reduce: computations, dimensions, types; variadic reduce.')
    rng = random.Random('reduce')
    f = 'f32'
    inf = math.inf
    for shape, sets in (((6,), ([0], [])), ((3, 4), ([0], [1], [0, 1], [1, 0], [])), ((2, 3, 4), ([0], [1], [2], [0, 2], [1, 2], [0, 1, 2])),
                        ((2, 1, 3, 2), ([1], [0, 3], [1, 2])), ((2, 2, 1, 2, 2), ([4, 0],)), ((1, 2, 2, 1, 3, 2), ([1, 2, 4],))):
        for i, dims in enumerate(sets):
            reduce_case(file, f'add_{"x".join(map(str, shape))}_over_{"_".join(map(str, dims)) or "none"}', small_ints(f, shape, rng), 0,
                        'add', dims, classic=i == 1)
    for shape, dims in (((0,), [0]), ((0, 3), [0]), ((0, 3), [1]), ((2, 0, 3), [1]), ((2, 0, 3), [0, 1, 2])):
        reduce_case(file, f'add_empty_{"x".join(map(str, shape))}_over_{"_".join(map(str, dims))}', small_ints(f, shape, rng), 5, 'add', dims)
    reduce_case(file, 'add_init_not_zero', small_ints(f, (4,), rng), 100, 'add', [0])
    reduce_case(file, 'add_long', small_ints(f, (3, 131), rng), 0, 'add', [1])
    reduce_case(file, 'add_long_column', small_ints('s32', (131, 3), rng), 0, 'add', [0])
    reduce_case(file, 'add_column_major', small_ints(f, (3, 4), rng), 0, 'add', [1], layout=(0, 1))
    reduce_case(file, 'add_layouts', small_ints(f, (2, 3, 4), rng), 0, 'add', [0], layout=(1, 0, 2), result_layout=(0, 1))
    for t in ('f32', 'f64', 'bf16', 'f16'):
        for op, init in (('add', 0), ('multiply', 1), ('maximum', -inf), ('minimum', inf)):
            reduce_case(file, f'{op}_{t}', small_ints(t, (3, 4), rng, -3, 3), init, op, [1])
    for t in et.INTEGERS:
        low, high = et.int_range(t)
        for op, init in (('add', 0), ('multiply', 1), ('maximum', low), ('minimum', high), ('and', et.wrap(t, -1)), ('or', 0), ('xor', 0)):
            if t in ('s32', 's8', 'u32') or op in ('add', 'maximum'):
                reduce_case(file, f'{op}_{t}', small_ints(t, (3, 4), rng, max(low, -100), min(high, 100)), init, op, [1])
    for op, init in (('and', 1), ('or', 0), ('xor', 0)):
        reduce_case(file, f'{op}_pred', small_ints('pred', (4, 3), rng), init, op, [1])
    for t in et.COMPLEX:
        reduce_case(file, f'add_{t}', small_ints(t, (3, 4), rng), 0, 'add', [1])
        reduce_case(file, f'multiply_{t}', small_ints(t, (3, 3), rng, -2, 2), 1, 'multiply', [0])
    for t in et.SMALL_FLOATS:
        if t != 'f4e2m1fn':
            reduce_case(file, f'maximum_{t}', small_ints(t, (3, 4), rng, -3, 3), -et.FLOATS[t].largest, 'maximum', [1])
    # Every step rounds, in XLA's order; the running sum of ones would stop growing at 256 in bf16, at 2048 in f16.
    for t, n in (('bf16', 600), ('f16', 3000), ('f32', 100000)):
        text = (f'HloModule add_broadcast_{t}\n\n{scalar_computation("combine", t, "add")}\nENTRY main {{\n  one = {t}[] parameter(0)\n'
                f'  a = {t}[{n},2] broadcast(one), dimensions={{}}\n  zero = {t}[] constant(0)\n'
                f'  ROOT r = {t}[2] reduce(a, zero), dimensions={{0}}, to_apply=combine\n}}')
        file.case(f'add_{t}_of_many_ones', text, [array(t, 1)], [array(t, [n, n])])
    gen = np.random.default_rng(9)
    for t, shape, dims in (('bf16', (2, 32), [1]), ('bf16', (100, 2), [0]), ('bf16', (3, 40, 1), [0, 1]), ('f16', (2, 33), [1]),
                           ('f8e5m2', (3, 9), [1]), ('f8e4m3fn', (50, 1), [0]), ('f32', (1, 32), [1]), ('f64', (2, 5, 3), [0, 1])):
        for op in ('add', 'multiply') if shape == (2, 32) else ('add',):
            a = gen.normal(0, 1, shape).astype(et.DTYPES[t])
            reduce_case(file, f'{op}_{t}_{"x".join(map(str, shape))}_in_order', a, int(op == 'multiply'), op, dims,
                        want=reduce_in_order(a, dims, op == 'multiply'), tolerance={'ulp': 16} if t == 'f32' else None)  # fused f32 goes by lanes
    reduce_case(file, 'maximum_nan', array(f, [[1, math.nan, 3], [4, 5, -inf], [-inf, -inf, -inf]]), -inf, 'maximum', [1])
    reduce_case(file, 'minimum_nan', array(f, [[1, math.nan, 3], [4, 5, inf], [inf, inf, inf]]), inf, 'minimum', [1])
    reduce_case(file, 'add_inf', array(f, [[1, inf, 3], [inf, -inf, 1], [-inf, 0, 1]]), 0, 'add', [1],
                want=array(f, [inf, math.nan, -inf]))
    reduce_case(file, 'add_s8_wraps', array('s8', [[100, 100, 100]]), 0, 'add', [1])
    gen = np.random.default_rng(3)
    reduce_case(file, 'add_f32_rounding', gen.normal(0, 1, (4, 65)).astype(np.float32), 0, 'add', [1], tolerance={'abs': 5e-5})
    reduce_case(file, 'add_f64_rounding', gen.normal(0, 1, (65, 4)), 0, 'add', [0], tolerance={'abs': 1e-13})
    # Examples of the operation semantics.
    cube = array(f, [[[1, 2, 3], [4, 5, 6]]] * 4)
    reduce_case(file, 'seed_reduce_1d', array(f, [10, 11, 12, 13]), 0, 'add', [0])
    reduce_case(file, 'seed_reduce_2d_dim0', array(f, [[1, 2, 3], [4, 5, 6]]), 0, 'add', [0])
    reduce_case(file, 'seed_reduce_2d_dim1', array(f, [[1, 2, 3], [4, 5, 6]]), 0, 'add', [1])
    reduce_case(file, 'seed_reduce_3d_dim0', cube, 0, 'add', [0], want=array(f, [[4, 8, 12], [16, 20, 24]]))
    reduce_case(file, 'seed_reduce_3d_dim2', cube, 0, 'add', [2], want=array(f, [[6, 15]] * 4))
    reduce_case(file, 'seed_reduce_3d_dim01', cube, 0, 'add', [0, 1], want=array(f, [20, 28, 36]))
    reduce_case(file, 'seed_reduce_3d_all', cube, 0, 'add', [0, 1, 2], want=array(f, 84))
    text = '''HloModule computation_of_several_ops

sum_of_squares {
  acc = f32[] parameter(0)
  x = f32[] parameter(1)
  xx = f32[] multiply(x, x)
  ROOT s = f32[] add(acc, xx)
}

ENTRY main {
  a = f32[2,3] parameter(0)
  zero = f32[] constant(0)
  ROOT r = f32[2] reduce(a, zero), dimensions={1}, to_apply=sum_of_squares
}'''
    file.case('computation_of_several_ops', text, [array(f, [[1, 2, 3], [4, 5, 6]])], [array(f, [14, 77])])
    return file


# ---- map ----

def map_():
    file = File('map', 'map: a scalar computation over arrays.')
    text = '''HloModule {name}

f {{
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  two = f32[] constant(2)
  xx = f32[] multiply(x, two)
  ROOT z = f32[] {op}(xx, y)
}}

ENTRY main {{
  a = {shape} parameter(0)
  b = {shape} parameter(1)
  ROOT r = {shape} map(a, b), dimensions={{{dims}}}, to_apply=f
}}'''
    gen = np.random.default_rng(1)
    for shape in ((), (4,), (2, 3), (2, 0), (2, 2, 2)):
        for op, function in (('subtract', np.subtract), ('maximum', np.maximum)):
            a, b = (gen.integers(-5, 6, shape).astype(np.float32) for _ in range(2))
            name = f'{op}_rank{len(shape)}_{a.size}'
            file.case(name, text.format(name=name, op=op, shape=shape_text('f32', shape), dims=','.join(map(str, range(len(shape))))),
                      [a, b], [np.asarray(function(2 * a, b), dtype=np.float32)])
    file.case('changes_type', '''HloModule changes_type

is_small {
  x = s32[] parameter(0)
  ten = s32[] constant(10)
  ROOT z = pred[] compare(x, ten), direction=LT
}

ENTRY main {
  a = s32[3,2]{0,1} parameter(0)
  ROOT r = pred[3,2] map(a), dimensions={0,1}, to_apply=is_small
}''', [array('s32', [[1, 10], [11, -3], [9, 100]])], [array('pred', [[True, False], [False, True], [True, False]])], layouts=[(0, 1)])
    file.case('seed_map_three_operands', '''HloModule seed_map_three_operands

computation {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  c = f32[] parameter(2)
  ab = f32[] multiply(a, b)
  ROOT r = f32[] add(ab, c)
}

ENTRY main {
  op1 = f32[2,2] parameter(0)
  op2 = f32[2,2] parameter(1)
  op3 = f32[2,2] parameter(2)
  ROOT elem_out = f32[2,2] map(op1, op2, op3), dimensions={0,1}, to_apply=computation
}''', [array('f32', [[1, 2], [3, 4]]), array('f32', [[10, 20], [30, 40]]), array('f32', [[0.5, 0.25], [-1, 0]])],
        [array('f32', [[10.5, 40.25], [89, 160]])])
    return file


def make():
    dot()
    reduce()
    variadic()
    map_()
