"""Cases of sort and topk. The references are Python's stable sort under the comparator written once more in Python."""
import functools
import itertools
import math
import random
import struct

import numpy as np

import element_types as et
from cases import File
from contractions import small_ints
from element_types import array, shape_text
from elementwise import float_specials, float_values
from indexing import shapes_of
from structural import numbered


def order_key(t, value):
    """Total order of a type's values: -NaN, -inf, ..., -0, +0, ..., inf, NaN."""
    if not et.is_float(t):
        return int(value)
    wide = float(value)
    negative = math.copysign(1.0, wide) < 0 if not math.isnan(wide) else bool(np.signbit(np.asarray(value).astype(np.float64)))
    bits = struct.unpack('<q', struct.pack('<d', abs(wide) if not math.isnan(wide) else math.inf))[0] + (1 if math.isnan(wide) else 0)
    return -bits - 1 if negative else bits


# A comparator: HLO text over p0, p1, ... and its Python twin over the elements of two rows.
def simple(direction, t, type_=''):
    less = {'LT': lambda a, b: a[0] < b[0], 'GT': lambda a, b: a[0] > b[0]}[direction]
    if 'TOTALORDER' in type_:
        less = {'LT': lambda a, b: order_key(t, a[0]) < order_key(t, b[0]), 'GT': lambda a, b: order_key(t, a[0]) > order_key(t, b[0])}[direction]
    return f'  ROOT r = pred[] compare(p0, p1), direction={direction}{type_}', less


def jax_float(t):
    """What JAX's sort asks: zeros are equal, NaN are equal and last."""
    body = f'''  zero = {t}[] constant(0)
  last = {t}[] constant(nan)
  z0 = pred[] compare(p0, zero), direction=EQ
  a0 = {t}[] select(z0, zero, p0)
  n0 = pred[] compare(p0, p0), direction=NE
  b0 = {t}[] select(n0, last, a0)
  z1 = pred[] compare(p1, zero), direction=EQ
  a1 = {t}[] select(z1, zero, p1)
  n1 = pred[] compare(p1, p1), direction=NE
  b1 = {t}[] select(n1, last, a1)
  ROOT r = pred[] compare(b0, b1), direction=LT, type=TOTALORDER'''

    def less(a, b):
        x, y = float(a[0]), float(b[0])
        return not math.isnan(x) and (math.isnan(y) or x < y)
    return body, less


LEXICOGRAPHIC = '''  lt0 = pred[] compare(p0, p1), direction=LT
  eq0 = pred[] compare(p0, p1), direction=EQ
  lt1 = pred[] compare(p2, p3), direction=GT
  tie = pred[] and(eq0, lt1)
  ROOT r = pred[] or(lt0, tie)''', lambda a, b: a[0] < b[0] or (a[0] == b[0] and a[1] > b[1])


def sorted_rows(arrays, dim, less):
    compare = functools.cmp_to_key(lambda a, b: -1 if less(a, b) else 1 if less(b, a) else 0)
    results = [a.copy() for a in arrays]
    others = [range(n) if d != dim else [slice(None)] for d, n in enumerate(arrays[0].shape)]
    for at in itertools.product(*others):
        rows = sorted(zip(*(a[at] for a in arrays)), key=compare)
        for result, column in zip(results, zip(*rows)):
            result[at] = np.array(column, dtype=result.dtype)
    return results


def sort_case(file, name, arrays, dim, comparator, stable=True, layouts=None, result_layouts=None, classic=False):
    body, less = comparator
    want = sorted_rows(arrays, dim, less)
    types = [et.NAMES[a.dtype] for a in arrays]
    shapes = shapes_of(arrays, layouts)
    parts = [shape_text(t, a.shape, result_layouts[i] if result_layouts else None) for i, (t, a) in enumerate(zip(types, arrays))]
    result = parts[0] if len(parts) == 1 else f'({", ".join(parts)})'
    parameters = ''.join(f'  p{i} = {types[i // 2]}[] parameter({i})\n' for i in range(2 * len(arrays)))
    attributes = f'dimensions={{{dim}}}' + (', is_stable=true' if stable else '') + ', to_apply=order'
    lines = ''.join(f'  a{i} = {s} parameter({i})\n' for i, s in enumerate(shapes))
    operands = ', '.join(f'{s} a{i}' if classic else f'a{i}' for i, s in enumerate(shapes))
    text = f'HloModule {name}\n\norder {{\n{parameters}{body}\n}}\n\nENTRY main {{\n{lines}  ROOT sorted = {result} sort({operands}), {attributes}\n}}'
    file.case(name, text, arrays, want, None, layouts)


COMPUTED = '''HloModule {name}

order {{
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  ROOT r = pred[] compare(a, b), direction={direction}
}}

sum {{
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  ROOT z = s32[] add(x, y)
}}

ENTRY main {{
  factor = s32[] parameter(0)
  factors = s32[{shape}] broadcast(factor), dimensions={{}}
  i = s32[{shape}] iota(), iota_dimension={dim}
  o = s32[{shape}] iota(), iota_dimension=0
  io = s32[{shape}] add(i, o)
  products = s32[{shape}] multiply(io, factors)
  size = s32[] constant({modulus})
  sizes = s32[{shape}] broadcast(size), dimensions={{}}
  keys = s32[{shape}] remainder(products, sizes)
  sorted = (s32[{shape}], s32[{shape}]) sort(keys, i), dimensions={{{dim}}}, is_stable=true, to_apply=order
  k = s32[{shape}] get-tuple-element(sorted), index=0
  p = s32[{shape}] get-tuple-element(sorted), index=1
  pi = s32[{shape}] multiply(p, io)
  zero = s32[] constant(0)
  hash = s32[] reduce(pi, zero), dimensions={{{all}}}, to_apply=sum
  k_part = s32[{count}] slice(k), slice={{{slice}}}
  p_part = s32[{count}] slice(p), slice={{{slice}}}
  ROOT r = (s32[{count}], s32[{count}], s32[]) tuple(k_part, p_part, hash)
}}'''


def computed(file):
    """Rows longer than the lanes that are compared at a time: every so many elements, and a sum over positions of all."""
    for shape, dim, modulus, step, direction in (((1500,), 0, 97, 31, 'LT'), ((5000,), 0, 100003, 97, 'GT'), ((3, 2100), 1, 50, 60, 'LT'),
                                                 ((1300, 2), 0, 1000, 40, 'LT'), ((40, 33), 0, 7, 3, 'LT'), ((4097,), 0, 2, 100, 'LT')):
        i, o = np.indices(shape)[dim].astype(np.int32), np.indices(shape)[0].astype(np.int32)
        keys = (i + o) * np.int32(7919) % np.int32(modulus)
        less = (lambda a, b: a[0] < b[0]) if direction == 'LT' else (lambda a, b: a[0] > b[0])
        k, p = sorted_rows([keys, i], dim, less)
        digest = (p.astype(np.int64) * (i + o).astype(np.int64)).sum()
        steps = [step if d == dim else 1 for d in range(len(shape))]
        where = tuple(slice(0, n, s) for n, s in zip(shape, steps))
        name = f'long_rows_{"x".join(map(str, shape))}'
        text = COMPUTED.format(name=name, shape=','.join(map(str, shape)), dim=dim, modulus=modulus, direction=direction, all=','.join(map(str, range(len(shape)))),
                               count=','.join(map(str, k[where].shape)), slice=', '.join(f'[0:{n}:{s}]' for n, s in zip(shape, steps)))
        file.case(name, text, [array('s32', 7919)], [k[where], p[where], array('s32', et.wrap('s32', int(digest)))])


def senseless(file):
    """Comparators that order nothing: the result must still have each element once. XLA may do anything here."""
    for name, direction in (('always_true', 'EQ'), ('not_strict', 'LE'), ('unequal', 'NE')):
        first = 'p0' if name == 'always_true' else 'p1'
        text = f'''HloModule senseless_{name}

order {{
  p0 = s32[] parameter(0)
  p1 = s32[] parameter(1)
  ROOT r = pred[] compare(p0, {first}), direction={direction}
}}

ascending {{
  p0 = s32[] parameter(0)
  p1 = s32[] parameter(1)
  ROOT r = pred[] compare(p0, p1), direction=LT
}}

ENTRY main {{
  factor = s32[] parameter(0)
  factors = s32[3000] broadcast(factor), dimensions={{}}
  i = s32[3000] iota(), iota_dimension=0
  products = s32[3000] multiply(i, factors)
  size = s32[] constant(3000)
  sizes = s32[3000] broadcast(size), dimensions={{}}
  keys = s32[3000] remainder(products, sizes)
  first = s32[3000] sort(keys), dimensions={{0}}, to_apply=order
  second = s32[3000] sort(first), dimensions={{0}}, to_apply=ascending
  ROOT r = s32[60] slice(second), slice={{[0:3000:50]}}
}}'''
        file.case(f'senseless_{name}', text, [array('s32', 7919)], [np.arange(0, 3000, 50, dtype=np.int32)], trust=False)


BRANCHING = '''HloModule comparator_with_a_branch

by_value {
  pair = (s32[], s32[]) parameter(0)
  a = s32[] get-tuple-element(pair), index=0
  b = s32[] get-tuple-element(pair), index=1
  ROOT r = pred[] compare(a, b), direction=LT
}

by_size {
  pair = (s32[], s32[]) parameter(0)
  a = s32[] get-tuple-element(pair), index=0
  b = s32[] get-tuple-element(pair), index=1
  x = s32[] abs(a)
  y = s32[] abs(b)
  ROOT r = pred[] compare(x, y), direction=LT
}

order {
  p0 = s32[] parameter(0)
  p1 = s32[] parameter(1)
  zero = s32[] constant(0)
  n0 = pred[] compare(p0, zero), direction=LT
  n1 = pred[] compare(p1, zero), direction=LT
  mixed = pred[] compare(n0, n1), direction=NE
  pair = (s32[], s32[]) tuple(p0, p1)
  ROOT r = pred[] conditional(mixed, pair, pair), true_computation=by_value, false_computation=by_size
}

ENTRY main {
  a = s32[3,5] parameter(0)
  ROOT r = s32[3,5] sort(a), dimensions={1}, is_stable=true, to_apply=order
}'''


def sort():
    file = File('sort', 'sort: one array and several, comparators, stability, dimensions, layouts, long rows.')
    rng = random.Random('sort')

    def case(*arguments, **options):
        sort_case(file, *arguments, **options)

    def v(*shape, t='f32'):
        return small_ints(t, shape, rng, -9, 9)
    for n in (0, 1, 2, 3, 4, 5, 8, 13, 33):
        case(f'vector_{n}', [v(n)], 0, simple('LT', 'f32'), stable=n % 2 == 0, classic=n == 5)
    case('descending', [v(17)], 0, simple('GT', 'f32'))
    case('rows', [v(3, 7)], 1, simple('LT', 'f32'), classic=True)
    case('columns', [v(7, 3)], 0, simple('LT', 'f32'))
    case('middle', [v(2, 7, 3)], 1, simple('GT', 'f32'))
    case('empty_rows', [v(3, 0)], 1, simple('LT', 'f32'))
    case('no_rows', [v(0, 3)], 1, simple('LT', 'f32'))
    case('layouts', [v(3, 7)], 1, simple('LT', 'f32'), layouts=[(0, 1)], result_layouts=[(0, 1)])
    case('layouts_of_rank_3', [v(2, 7, 3), v(2, 7, 3, t='s8')], 1, simple('LT', 'f32'), layouts=[(1, 0, 2), (0, 2, 1)], result_layouts=[(1, 2, 0), (0, 1, 2)])
    case('key_and_value', [v(19), numbered('s32', (19,))], 0, simple('LT', 'f32'), classic=True)
    case('key_and_value_rows', [v(4, 9), numbered('s64', (4, 9))], 1, simple('GT', 'f32'))
    case('key_and_value_columns', [v(9, 4), numbered('u8', (9, 4))], 0, simple('GT', 'f32'))
    case('lexicographic', [v(21, t='s32') // 3, v(21, t='s32')], 0, LEXICOGRAPHIC)
    case('lexicographic_three', [v(2, 11, t='s8') // 3, v(2, 11, t='u16'), numbered('c64', (2, 11))], 1, LEXICOGRAPHIC)
    computed(file)
    senseless(file)
    x = array('s32', [[3, -1, 0, -7, 7], [5, -5, 4, -4, 0], [1, 2, 3, 4, 5]])
    less = lambda a, b: a[0] < b[0] if (a[0] < 0) != (b[0] < 0) else abs(a[0]) < abs(b[0])
    file.case('comparator_with_a_branch', BRANCHING, [x], sorted_rows([x], 1, less))
    case('seed_three_operands', [array('s32', [3, 1]), array('s32', [42, 50]), array('f32', [-3, 1.1])], 0, simple('LT', 's32'))
    matrix = array('s32', [[3, 1, 2], [9, 7, 8], [4, 6, 5]])
    case('seed_each_column', [matrix], 0, simple('LT', 's32'))
    case('seed_each_row', [matrix], 1, simple('LT', 's32'))


def sort_types():
    file = File('sort_types', 'sort: element types; NaN, infinities and zeros under several comparators.')
    rng = random.Random('sort_types')

    def case(*arguments, **options):
        sort_case(file, *arguments, **options)
    for t in ('s2', 's4', 's8', 's16', 's32', 's64', 'u2', 'u4', 'u8', 'u16', 'u32', 'u64', 'bf16', 'f16', 'f32', 'f64', 'f8e4m3fn', 'f8e5m2'):
        x = array(t, [rng.randint(*et.int_range(t)) for _ in range(15)]) if t in et.INTEGERS else array(t, float_values(t, rng, 15))
        case(f'ascending_{t}', [x], 0, simple('LT', t))
        case(f'descending_{t}', [x, numbered('s32', (15,))], 0, simple('GT', t))
    case('ascending_pred', [array('pred', [1, 0, 1, 1, 0]), numbered('s32', (5,))], 0, simple('LT', 'pred'))
    for t in ('f32', 'f64', 'bf16', 'f16'):
        values = [v_ for v_ in float_specials(t) * 2 if not math.isnan(v_)] + [math.nan, math.nan, 3.0]
        rng.shuffle(values)
        x = array(t, values)
        case(f'total_order_{t}', [x, numbered('s32', x.shape)], 0, simple('LT', t, ', type=TOTALORDER'))
        case(f'total_order_descending_{t}', [x, numbered('s32', x.shape)], 0, simple('GT', t, ', type=TOTALORDER'))
        case(f'jax_{t}', [x, numbered('s32', x.shape)], 0, jax_float(t))


# ---- topk ----

def topk_case(file, name, a, k, largest=True, layout=None, result_layouts=(None, None), form='', classic=False):
    t = et.NAMES[a.dtype]
    shape = (*a.shape[:-1], k)
    values, indices = np.zeros(shape, a.dtype), np.zeros(shape, np.int32)
    for at in np.ndindex(a.shape[:-1]):
        keys = [order_key(t, v) for v in a[at]]
        best = sorted(range(len(keys)), key=lambda i: (-keys[i] if largest else keys[i], i))[:k]
        values[at], indices[at] = a[at][best], best
    flag = {True: ', largest=true', False: ', largest=false'}[largest] if form != 'default' else ''
    source = shape_text(t, a.shape, layout)
    result = f'({shape_text(t, shape, result_layouts[0])}, {shape_text("s32", shape, result_layouts[1])})'
    operand = f'{source} a' if classic else 'a'
    text = f'HloModule {name}\n\nENTRY main {{\n  a = {source} parameter(0)\n  ROOT r = {result} topk({operand}), k={k}{flag}\n}}'
    mlir = None
    if form == 'stablehlo':
        source, parts = f'tensor<{"x".join(map(str, a.shape))}x{et.MLIR[t]}>', [f'tensor<{"x".join(map(str, shape))}x{e}>' for e in (et.MLIR[t], 'i32')]
        text = (f'func.func @main(%a: {source}) -> ({", ".join(parts)}) {{\n  %0:2 = chlo.top_k(%a, k = {k}) : {source} -> ({", ".join(parts)})\n'
                f'  return %0#0, %0#1 : {", ".join(parts)}\n}}')
    file.case(name, text, [a], [values, indices], None, [layout] if layout else None, mlir=mlir)


def topk():
    file = File('topk', 'topk: largest and smallest, ties, total order, types, layouts.')
    rng = random.Random('topk')

    def case(*arguments, **options):
        topk_case(file, *arguments, **options)

    def v(*shape, t='f32'):
        return small_ints(t, shape, rng, -9, 9)
    case('vector', v(9), 3, classic=True)
    case('vector_smallest', v(9), 3, largest=False)
    case('default_is_largest', v(9), 4, form='default')
    case('all', v(9), 9)
    case('all_smallest', v(10), 10, largest=False)
    case('one', v(9), 1)
    case('none', v(9), 0)
    case('of_one', v(1), 1)
    case('empty_row', v(0), 0)
    case('empty_rows', v(2, 0), 0)
    case('no_rows', v(0, 3), 2)
    case('ties', np.zeros(7, np.float32), 4)
    case('ties_smallest', np.zeros(7, np.float32), 4, largest=False)
    case('rows', v(4, 11), 5)
    case('rank_3', v(2, 3, 6), 2, largest=False)
    case('layouts', v(3, 4, 6), 2, layout=(0, 1, 2), result_layouts=((1, 2, 0), (0, 2, 1)))
    case('long_row', array('s32', [rng.randint(-500, 500) for _ in range(700)]), 40)
    case('stablehlo', v(2, 9), 3, form='stablehlo')
    case('stablehlo_bf16', v(2, 9, t='bf16'), 9, form='stablehlo')
    for t in ('s8', 's16', 's32', 's64', 'u8', 'u16', 'u32', 'u64'):
        case(f'largest_{t}', array(t, [rng.randint(*et.int_range(t)) for _ in range(10)] + list(et.int_range(t))), 5)
        case(f'smallest_{t}', array(t, [rng.randint(*et.int_range(t)) for _ in range(10)] + list(et.int_range(t))), 5, largest=False)
    case('largest_pred', array('pred', [0, 1, 1, 0, 1]), 4)
    for t in ('f32', 'f64', 'bf16', 'f16', 'f8e4m3fn', 'f8e5m2'):
        values = float_specials(t) + [math.nan] * 2 + float_values(t, rng, 6)
        rng.shuffle(values)
        x = array(t, values)
        x[-1] = -x[-1] if math.isnan(float(x[-1])) else x[-1]
        case(f'special_{t}', x, len(values))
        case(f'special_smallest_{t}', x, 7, largest=False)
    nans = np.array([1, np.nan, -np.nan, 2, -np.inf, np.inf], np.float32)
    nans[2] = np.copysign(np.float32(np.nan), np.float32(-1))
    case('signed_nan', nans, 6)
    case('signed_nan_smallest', nans, 6, largest=False)
    # The semantics' own words: the j-th largest entry and its index; equal elements by index.
    case('seed_vector', array('f32', [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]), 4)
    case('seed_smallest', array('f32', [3, 1, 4, 1, 5, 9, 2, 6, 5, 3]), 4, largest=False)
    case('seed_rows', array('s32', [[[3, 1, 4], [1, 5, 9]], [[2, 6, 5], [3, 5, 8]]]), 2)


def make():
    topk()
    sort()
    sort_types()
