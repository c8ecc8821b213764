"""Cases of gather and scatter. The references go through the definitions index by index; the examples of the operation
semantics are named seed_*.
"""
import itertools
import math
import random

import numpy as np

import element_types as et
from cases import File
from contractions import small_ints
from element_types import array, shape_text
from structural import MOVED_TYPES, braces, numbered


def shapes_of(arrays, layouts):
    return [shape_text(et.NAMES[a.dtype], a.shape, layouts[i] if layouts else None) for i, a in enumerate(arrays)]


def module(name, operands, layouts, result, instruction, before='', classic=False):
    """A program whose root is `result instruction(parameters), …`; `instruction` holds $ where the operands go."""
    shapes = shapes_of(operands, layouts)
    if classic:
        names = [f'%Arg_{i}.{i + 1}' for i in range(len(shapes))]
        signature = ', '.join(f'{n[1:]}: {s}' for n, s in zip(names, shapes))
        head = f'ENTRY %main.{len(shapes) + 2} ({signature}) -> {result} {{\n'
        lines = ''.join(f'  {n} = {s} parameter({i})\n' for i, (n, s) in enumerate(zip(names, shapes)))
        call = instruction.replace('$', ', '.join(f'{s} {n}' for n, s in zip(names, shapes)))
        return f'HloModule {name}\n\n{before}{head}{lines}  ROOT %r.{len(shapes) + 1} = {result} {call}\n}}'
    lines = ''.join(f'  p{i} = {s} parameter({i})\n' for i, s in enumerate(shapes))
    call = instruction.replace('$', ', '.join(f'p{i}' for i in range(len(shapes))))
    return f'HloModule {name}\n\n{before}ENTRY main {{\n{lines}  ROOT r = {result} {call}\n}}'


def index_vectors(indices, vector_dim, index_map, operand_rank, operand_batching, indices_batching):
    """(position in the walk, start in the operand) of every index vector."""
    whole = indices[..., None] if vector_dim == indices.ndim else np.moveaxis(indices, vector_dim, -1)
    walk_dims = [d for d in range(indices.ndim) if d != vector_dim]
    for position in itertools.product(*(range(n) for n in whole.shape[:-1])):
        start = [0] * operand_rank
        for k, d in enumerate(index_map):
            start[d] = int(whole[position + (k,)])
        for d, e in zip(operand_batching, indices_batching):
            start[d] = position[walk_dims.index(e)]
        yield position, start


# ---- gather ----

def gather_value(operand, indices, offset_dims, collapsed, index_map, vector_dim, sizes, operand_batching=(), indices_batching=()):
    batch = list(indices.shape[:vector_dim]) + list(indices.shape[vector_dim + 1:])
    window = [n for d, n in enumerate(sizes) if d not in (*collapsed, *operand_batching)]
    rank = len(batch) + len(window)
    batch_dims = [d for d in range(rank) if d not in offset_dims]
    shape = [0] * rank
    for d, n in (*zip(batch_dims, batch), *zip(offset_dims, window)):
        shape[d] = n
    result = np.zeros(shape, operand.dtype)
    if result.size == 0 or 0 in sizes:
        return result
    for position, start in index_vectors(indices, vector_dim, index_map, operand.ndim, operand_batching, indices_batching):
        start = [min(max(s, 0), n - size) for s, n, size in zip(start, operand.shape, sizes)]
        part = operand[tuple(slice(s, s + size) for s, size in zip(start, sizes))].reshape(window)
        where = [slice(None)] * rank
        for d, i in zip(batch_dims, position):
            where[d] = i
        result[tuple(where)] = part
    return result


def gather_case(file, name, operand, indices, offset_dims, collapsed, index_map, vector_dim, sizes, batching=((), ()), layouts=None,
                result_layout=None, classic=False, sorted_=False):
    indices = np.asarray(indices)
    if indices.dtype in (np.int64, np.float64) and not name.endswith('s64'):
        indices = indices.astype(np.int32)
    want = gather_value(operand, indices, offset_dims, collapsed, index_map, vector_dim, sizes, *batching)
    attributes = f'offset_dims={braces(offset_dims)}, collapsed_slice_dims={braces(collapsed)}, start_index_map={braces(index_map)}'
    if batching[0]:
        attributes += f', operand_batching_dims={braces(batching[0])}, start_indices_batching_dims={braces(batching[1])}'
    attributes += f', index_vector_dim={vector_dim}, slice_sizes={braces(sizes)}' + (', indices_are_sorted=true' if sorted_ else '')
    text = module(name, [operand, indices], layouts, shape_text(et.NAMES[operand.dtype], want.shape, result_layout), f'gather($), {attributes}',
                  classic=classic)
    file.case(name, text, [operand, indices], [want], None, layouts)


def gather():
    file = File('gather', 'gather: any dimension numbers, clamped starts, batching dimensions, index and element types.')
    rng = random.Random('gather')

    def case(*arguments, **options):
        gather_case(file, *arguments, **options)

    def draw(shape, limits):
        """Index vectors along the last dimension, a few of them outside."""
        return np.array([rng.randint(-1, limits[i % len(limits)]) for i in range(math.prod(shape))]).reshape(shape)
    vector, matrix, cube = numbered('f32', (7,)), numbered('f32', (4, 5)), numbered('s32', (3, 4, 5))
    case('elements_of_a_vector', vector, [[3], [0], [6], [3]], [], [0], [0], 1, [1], classic=True)
    case('rows', matrix, [[2], [0], [3]], [1], [0], [0], 1, [1, 5], classic=True)
    case('columns', matrix, [[2], [0], [4]], [0], [1], [1], 1, [4, 1])
    case('columns_last', matrix, [[2], [0], [4]], [1], [1], [1], 1, [4, 1])
    case('parts_of_rows', matrix, [[2, 3], [0, 1]], [1], [0], [0, 1], 1, [1, 2])
    case('blocks', matrix, [[2, 3], [0, 1], [1, 0]], [1, 2], [], [0, 1], 1, [2, 2])
    case('blocks_around', matrix, [[2, 3], [0, 1], [1, 0]], [0, 2], [], [0, 1], 1, [2, 3])
    case('index_map_crossed', matrix, [[3, 2], [1, 0]], [1, 2], [], [1, 0], 1, [2, 2])
    case('part_of_the_map', cube, [[2, 3], [4, 0]], [1], [0, 2], [2, 0], 1, [1, 4, 1])
    case('no_batch', matrix, [1, 2], [0, 1], [], [0, 1], 0, [2, 2])
    case('no_batch_scalar', matrix, [1, 2], [], [0, 1], [0, 1], 0, [1, 1])
    case('whole_operand', matrix, np.zeros((2, 0)), [1, 2], [], [], 1, [4, 5])
    case('index_vector_first', matrix, [[2, 0, 3], [3, 1, 2]], [1], [0], [0, 1], 0, [1, 2])
    case('index_vector_middle', cube, draw((2, 3, 2), (3, 4, 2)), [0, 3], [2], [1, 2, 0], 1, [2, 2, 1])
    case('index_vector_implicit', vector, [3, 0, 6, 3], [], [0], [0], 1, [1])
    case('index_vector_implicit_scalar', vector, 5, [], [0], [0], 0, [1])
    case('index_vector_implicit_matrix', matrix, [[3, 0], [1, 2]], [1], [0], [0], 2, [1, 5])
    case('clamped', matrix, [[-3, 9], [9, -3], [3, 4], [2, 2], [-2147483648, 2147483647]], [1, 2], [], [0, 1], 1, [3, 2])
    case('batch_of_batches', cube, draw((2, 2, 3, 2), (3, 5)), [1, 4], [0], [1, 2], 3, [1, 2, 3])
    case('rank_5', numbered('s32', (2, 3, 2, 2, 3)), draw((3, 2), (3, 2)), [0, 1, 3], [1, 4], [1, 4], 1, [2, 1, 1, 2, 1])
    case('sorted', matrix, [[0], [1], [1], [3]], [1], [0], [0], 1, [1, 5], sorted_=True)
    # Batching dimensions: operand and indices advance together along them.
    case('batching', cube, draw((3, 2, 1), (4,)), [2], [1], [1], 2, [1, 1, 5], batching=([0], [0]))
    case('batching_not_first', cube, draw((2, 4, 2), (2, 4)), [], [0, 2], [0, 2], 2, [1, 1, 1], batching=([1], [1]))
    case('batching_index_vector_first', cube, draw((1, 3, 2), (4,)), [1], [1], [1], 0, [1, 1, 3], batching=([0], [1]))
    case('two_batching_dimensions', cube, draw((5, 3), (3,)), [], [1], [1], 2, [1, 1, 1], batching=([0, 2], [1, 0]))
    case('batching_and_window', numbered('s32', (2, 3, 4)), draw((2, 2, 2), (2, 3)), [2, 3], [], [1, 2], 2, [1, 2, 3], batching=([0], [0]))
    case('only_batching', matrix, np.zeros((5, 4, 0)), [], [], [], 2, [1, 1], batching=([0, 1], [1, 0]))
    # Layouts.
    case('column_major_operand', matrix, [[2], [0], [3]], [1], [0], [0], 1, [1, 5], layouts=[(0, 1), (0, 1)])
    case('column_major_result', matrix, [[2, 1], [0, 3], [3, 0]], [1, 2], [], [0, 1], 1, [2, 2], layouts=[(0, 1), (1, 0)], result_layout=(0, 2, 1))
    case('all_layouts', cube, draw((2, 3, 2), (3, 4)), [0, 2], [1], [1, 2], 2, [2, 1, 3], layouts=[(1, 2, 0), (0, 2, 1)], result_layout=(2, 0, 3, 1))
    # Nothing to gather, or nothing to gather from.
    case('no_indices', matrix, np.zeros((0, 1)), [1], [0], [0], 1, [1, 5])
    case('empty_slices', matrix, [[1], [2]], [1], [0], [0], 1, [1, 0])
    case('empty_operand', np.zeros((0, 3), np.int32), [[0], [1]], [1], [0], [0], 1, [0, 3])
    case('empty_collapsed_slice', matrix, [[1], [9]], [1], [0], [0], 1, [0, 5])
    case('scalar_operand', array('f32', 3), np.zeros((3, 0)), [], [], [], 1, [])
    for t in MOVED_TYPES + ['s2', 'u4', 'f4e2m1fn', 'f8e8m0fnu', 'f16', 'u64']:
        case(f'rows_{t}', numbered(t, (4, 3)) if t != 'f8e8m0fnu' else array(t, [2.0 ** i for i in range(12)]).reshape(4, 3), [[2], [0], [3]], [1], [0], [0], 1,
             [1, 3])
    for t in et.INTEGERS:
        low, high = et.int_range(t)
        case(f'indices_{t}', numbered('s32', (9, 2)), array(t, [[v] for v in (1, low, high, min(high, 7))]), [1], [0], [0], 1, [1, 2])
    # Examples of the operation semantics.
    operand = numbered('s32', (16, 11))
    case('seed_slices_of_16x11', operand, [[0, 0], [8, 5], [3, 2], [1, 5], [7, 0]], [1, 2], [], [0, 1], 1, [8, 6])
    case('seed_slices_of_16x11_s64', operand, np.array([[0, 0], [8, 5], [3, 2], [1, 5], [7, 0]], np.int64), [1, 2], [], [0, 1], 1, [8, 6])
    case('seed_indices_4x5x2', operand, draw((4, 5, 2), (15, 10)), [2, 3], [], [0, 1], 2, [8, 6])
    case('seed_gather_nd', operand, draw((4, 5, 1), (15,)), [2], [0], [0], 2, [1, 11])
    case('seed_remapped_offset_dims', numbered('s32', (1, 2, 1, 3, 2, 2)), [[0, 0], [0, 0]], [1, 2, 3, 4], [0, 2], [0, 2], 1, [1, 2, 1, 3, 1, 2])


# ---- scatter ----

COMPUTATIONS = {  # name: (HLO text, Python function of old value and update)
    'assign': ('ROOT z = {t}[] copy(y)', lambda x, y: y), 'last': ('ROOT y2 = {t}[] parameter(1)', lambda x, y: y),
    'first': ('ROOT x2 = {t}[] copy(x)', lambda x, y: x),
    'add': ('ROOT z = {t}[] add(x, y)', lambda x, y: x + y), 'multiply': ('ROOT z = {t}[] multiply(x, y)', lambda x, y: x * y),
    'subtract': ('ROOT z = {t}[] subtract(x, y)', lambda x, y: x - y), 'maximum': ('ROOT z = {t}[] maximum(x, y)', max),
    'minimum': ('ROOT z = {t}[] minimum(x, y)', min), 'or': ('ROOT z = {t}[] or(x, y)', lambda x, y: x | y),
    'twice_plus': ('two = {t}[] constant(2)\n  xx = {t}[] multiply(x, two)\n  ROOT z = {t}[] add(xx, y)', lambda x, y: 2 * x + y),
}


def combiner(kind, t):
    body = COMPUTATIONS[kind][0].format(t=t)
    second = '' if 'parameter(1)' in body else f'  y = {t}[] parameter(1)\n'
    return f'combine {{\n  x = {t}[] parameter(0)\n{second}  {body}\n}}\n\n'


def python_values(a):
    """An object array of Python numbers, in which nothing overflows."""
    t = et.NAMES[a.dtype]
    kind = complex if t in et.COMPLEX else int if t in et.INTEGERS or t == 'pred' else float
    return np.array([kind(v) for v in a.reshape(-1)] + [None], dtype=object)[:-1].reshape(a.shape)


def typed(t, values):
    flat = [et.wrap(t, v) if t in et.INTEGERS else bool(v) if t == 'pred' else v for v in values.reshape(-1)]
    return array(t, flat).reshape(values.shape)


def scatter_value(operands, indices, updates, function, window_dims, inserted, index_map, vector_dim, operand_batching=(), indices_batching=()):
    """`function` takes all old values, then all updates, and gives all new values. A window that sticks out is dropped."""
    results = [python_values(a) for a in operands]
    updates = [python_values(a) for a in updates]
    rank, dropped = operands[0].ndim, (*inserted, *operand_batching)
    kept = [d for d in range(rank) if d not in dropped]
    walk_dims = [d for d in range(updates[0].ndim) if d not in window_dims]
    sizes = [1] * rank
    for d, w in zip(kept, window_dims):
        sizes[d] = updates[0].shape[w]
    if updates[0].size == 0:
        return [typed(et.NAMES[a.dtype], r) for a, r in zip(operands, results)]
    for position, start in index_vectors(indices, vector_dim, index_map, rank, operand_batching, indices_batching):
        if any(s < 0 or s + size > n for s, size, n in zip(start, sizes, operands[0].shape)):
            continue
        for offset in itertools.product(*(range(updates[0].shape[w]) for w in window_dims)):
            at, source = list(start), [0] * updates[0].ndim
            for d, w, i in zip(kept, window_dims, offset):
                at[d] += i
                source[w] = i
            for d, i in zip(walk_dims, position):
                source[d] = i
            new = function(*(r[tuple(at)] for r in results), *(u[tuple(source)] for u in updates))
            for r, value in zip(results, new):
                r[tuple(at)] = value
    return [typed(et.NAMES[a.dtype], r) for a, r in zip(operands, results)]


def scatter_attributes(window_dims, inserted, index_map, vector_dim, batching=((), ()), flags=''):
    text = f'update_window_dims={braces(window_dims)}, inserted_window_dims={braces(inserted)}, scatter_dims_to_operand_dims={braces(index_map)}'
    if batching[0]:
        text += f', input_batching_dims={braces(batching[0])}, scatter_indices_batching_dims={braces(batching[1])}'
    return text + f', index_vector_dim={vector_dim}{flags}, to_apply=combine'


def scatter_case(file, name, operand, indices, updates, window_dims, inserted, index_map, vector_dim, kind='add', batching=((), ()), layouts=None,
                 result_layout=None, classic=False, flags=''):
    indices = np.asarray(indices)
    if indices.dtype in (np.int64, np.float64) and not name.endswith('s64'):
        indices = indices.astype(np.int32)
    t = et.NAMES[operand.dtype]
    function = COMPUTATIONS[kind][1]
    want = scatter_value([operand], indices, [updates], lambda x, y: [function(x, y)], window_dims, inserted, index_map, vector_dim, *batching)
    call = f'scatter($), {scatter_attributes(window_dims, inserted, index_map, vector_dim, batching, flags)}'
    arrays = [operand, indices, updates]
    text = module(name, arrays, layouts, shape_text(t, operand.shape, result_layout), call, combiner(kind, t), classic)
    file.case(name, text, arrays, want, None, layouts)


PAIRS = '''HloModule {name}

keep_larger {{
  value = {t}[] parameter(0)
  index = s32[] parameter(1)
  other_value = {t}[] parameter(2)
  other_index = s32[] parameter(3)
  keep = pred[] compare(value, other_value), direction=GE
  v = {t}[] select(keep, value, other_value)
  i = s32[] select(keep, index, other_index)
  ROOT pair = ({t}[], s32[]) tuple(v, i)
}}

ENTRY main {{
  values = {source} parameter(0)
  labels = {labels} parameter(1)
  indices = {indices} parameter(2)
  new_values = {updates} parameter(3)
  new_labels = {new_labels} parameter(4)
  ROOT r = ({result}, {result_labels}) scatter(values, labels, indices, new_values, new_labels), {attributes}
}}'''


def scatter_pairs(file, name, t, shape, indices, update_shape, window_dims, inserted, index_map, rng, layouts=None, result_layouts=(None, None)):
    values, new = small_ints(t, shape, rng, -9, 9), small_ints(t, update_shape, rng, -9, 9)
    labels, new_labels = numbered('s32', shape), numbered('s32', update_shape) + np.int32(100)
    indices = np.asarray(indices, np.int32)
    want = scatter_value([values, labels], indices, [new, new_labels], lambda v, i, w, j: (v, i) if v >= w else (w, j), window_dims, inserted,
                         index_map, 1)
    arrays = [values, labels, indices, new, new_labels]
    texts = shapes_of(arrays, layouts)
    attributes = scatter_attributes(window_dims, inserted, index_map, 1).replace('combine', 'keep_larger')
    text = PAIRS.format(name=name, t=t, source=texts[0], labels=texts[1], indices=texts[2], updates=texts[3], new_labels=texts[4], attributes=attributes,
                        result=shape_text(t, shape, result_layouts[0]), result_labels=shape_text('s32', shape, result_layouts[1]))
    file.case(name, text, arrays, want, None, layouts)


COMPUTED = '''HloModule {name}

combine {{
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  seven = s32[] constant(7)
  xx = s32[] multiply(x, seven)
  ROOT z = s32[] add(xx, y)
}}

ENTRY main {{
  factor = s32[] parameter(0)
  i = s32[1500] iota(), iota_dimension=0
  factors = s32[1500] broadcast(factor), dimensions={{}}
  products = s32[1500] multiply(i, {other})
  size = s32[] constant({size})
  sizes = s32[1500] broadcast(size), dimensions={{}}
  indices = s32[1500] remainder(products, sizes)
  operand = s32[{size}] iota(), iota_dimension=0
  s = s32[{size}] scatter(operand, indices, i), update_window_dims={{}}, inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=combine
  ROOT part = s32[{count}] slice(s), slice={{[0:{size}:{step}]}}
}}'''


def scatter_computed(file):
    """More elements than are combined at a time, some of them the same, in the order in which they come."""
    for name, size, step, other in (('many_elements', 97, 2, 'factors'), ('many_elements_rarely_the_same', 2999, 30, 'i')):
        i = np.arange(1500, dtype=np.int32)
        indices = i * (17 if other == 'factors' else i) % size
        want, = scatter_value([np.arange(size, dtype=np.int32)], indices, [i], lambda x, y: [7 * x + y], [], [0], [0], 1)
        text = COMPUTED.format(name=name, size=size, step=step, other=other, count=-(-size // step))
        file.case(name, text, [array('s32', 17)], [want[::step]])


def scatter():
    file = File('scatter', 'scatter: any dimension numbers, computations, several arrays, batching dimensions, windows that stick out.')
    rng = random.Random('scatter')

    def case(name, operand, indices, updates, *arguments, **options):
        scatter_case(file, name, operand, np.asarray(indices), updates, *arguments, **options)

    def v(*shape, t='f32'):
        return small_ints(t, shape, rng, -9, 9)
    case('elements_of_a_vector', v(7), [[3], [0], [6]], v(3), [], [0], [0], 1, classic=True)
    case('same_element_again', v(5), [[3], [0], [3], [3], [0]], v(5), [], [0], [0], 1)
    case('same_element_in_order', v(5), [[3], [0], [3], [3], [0]], v(5), [], [0], [0], 1, kind='twice_plus')
    case('rows', v(4, 5), [[2], [0], [2]], v(3, 5), [1], [0], [0], 1, classic=True)
    case('rows_in_order', v(4, 20), [[2], [0], [2]], v(3, 20), [1], [0], [0], 1, kind='twice_plus')
    case('columns', v(4, 5), [[2], [0], [4]], v(4, 3), [0], [1], [1], 1)
    case('columns_last', v(4, 5), [[2], [0], [4]], v(3, 4), [1], [1], [1], 1)
    case('parts_of_rows', v(4, 5), [[2, 3], [0, 1], [3, 3]], v(3, 2), [1], [0], [0, 1], 1)
    case('blocks', v(4, 5), [[2, 3], [0, 1], [1, 0]], v(3, 2, 2), [1, 2], [], [0, 1], 1)
    case('blocks_overlap_in_order', v(4, 5), [[2, 1], [1, 1], [1, 0], [1, 0]], v(4, 2, 3), [1, 2], [], [0, 1], 1, kind='twice_plus')
    case('large_blocks_overlap_in_order', v(8, 9), [[2, 1], [1, 1], [1, 0], [1, 0]], v(4, 5, 6), [1, 2], [], [0, 1], 1, kind='twice_plus')
    case('blocks_around', v(4, 5), [[2, 2], [0, 1], [1, 0]], v(2, 3, 3), [0, 2], [], [0, 1], 1)
    case('index_map_crossed', v(4, 5), [[3, 2], [1, 0]], v(2, 2, 2), [1, 2], [], [1, 0], 1)
    case('part_of_the_map', v(3, 4, 5), [[2, 2], [4, 0]], v(2, 4), [1], [0, 2], [2, 0], 1)
    case('no_batch', v(4, 5), [1, 2], v(2, 2), [0, 1], [], [0, 1], 0)
    case('no_batch_scalar', v(4, 5), [1, 2], v(), [], [0, 1], [0, 1], 0)
    case('whole_operand', v(4, 5), np.zeros((2, 0)), v(2, 4, 5), [1, 2], [], [], 1)
    case('index_vector_first', v(4, 5), [[2, 0, 3], [3, 1, 2]], v(3, 2), [1], [0], [0, 1], 0)
    case('index_vector_implicit', v(7), [3, 0, 6, 3], v(4), [], [0], [0], 1)
    case('index_vector_implicit_scalar', v(7), 5, v(), [], [0], [0], 0)
    case('sticks_out', v(4, 5), [[-1, 0], [3, 4], [2, 3], [0, 5], [-2147483648, 2147483647], [2, 2]], v(6, 2, 2), [1, 2], [], [0, 1], 1, kind='assign')
    case('sticks_out_elements', v(4), [[-1], [4], [3], [-2147483648], [2147483647], [0]], v(6), [], [0], [0], 1)
    case('batch_of_batches', v(3, 4, 5), [[[[0, 0], [1, 2]], [[3, 4], [2, 2]]]], v(1, 2, 2, 1), [3], [1, 2], [1, 2], 3)
    case('flags', v(4, 5), [[0], [2], [3]], v(3, 5), [1], [0], [0], 1, flags=', indices_are_sorted=true, unique_indices=true')
    case('batching', v(3, 4, 5), [[[3], [0]], [[1], [1]], [[4], [2]]], v(3, 2, 5), [2], [1], [1], 2, batching=([0], [0]))
    case('batching_not_first', v(3, 4, 5), np.array([[[rng.randint(0, 2), rng.randint(0, 4)] for _ in range(4)] for _ in range(2)]), v(2, 4), [], [0, 2],
         [0, 2], 2, batching=([1], [1]))
    case('two_batching_dimensions', v(3, 4, 5), np.array([[[rng.randint(0, 3)] for _ in range(3)] for _ in range(5)]), v(5, 3), [], [1], [1], 2,
         batching=([0, 2], [1, 0]))
    case('only_batching', v(4, 5), np.zeros((5, 4, 0)), v(5, 4), [], [], [], 2, batching=([0, 1], [1, 0]))
    for kind in COMPUTATIONS:
        t = 's32'
        case(f'computation_{kind}', v(6, t=t), [[3], [0], [3], [5], [6]], v(5, t=t), [], [0], [0], 1, kind=kind)
        case(f'computation_{kind}_rows', v(4, 18, t=t), [[3], [0], [3], [4]], v(4, 18, t=t), [1], [0], [0], 1, kind=kind)
    case('column_major_operand', v(4, 5), [[2], [0], [2]], v(3, 5), [1], [0], [0], 1, layouts=[(0, 1), (0, 1), (0, 1)])
    case('column_major_result', v(4, 5), [[2, 1], [0, 3], [2, 0]], v(3, 2, 2), [1, 2], [], [0, 1], 1, layouts=[(1, 0), None, (0, 2, 1)], result_layout=(0, 1))
    case('layouts_of_rank_3', v(3, 6, 5), [[1], [0], [1]], v(3, 6, 5), [1, 2], [0], [0], 1, kind='twice_plus', layouts=[(1, 2, 0), None, (1, 0, 2)],
         result_layout=(0, 2, 1))
    case('no_indices', v(4, 5), np.zeros((0, 1)), v(0, 5), [1], [0], [0], 1)
    case('empty_windows', v(4, 5), [[1], [2]], v(2, 0), [1], [0], [0], 1)
    case('empty_operand', v(0, 3), [[0], [1]], v(2, 3), [1], [0], [0], 1)
    case('scalar_operand', v(), np.zeros((3, 0)), v(3), [], [], [], 1)
    scatter_computed(file)
    scatter_pairs(file, 'pairs', 'f32', (6,), [[3], [0], [3], [5], [9]], (5,), [], [0], [0], rng)
    scatter_pairs(file, 'pairs_u8', 'u8', (6,), [[3], [0], [3], [5], [9]], (5,), [], [0], [0], rng)
    scatter_pairs(file, 'pairs_rows', 's64', (4, 5), [[3], [0], [3], [4]], (4, 5), [1], [0], [0], rng)
    scatter_pairs(file, 'pairs_large_windows', 'f64', (3, 5, 6), [[1], [0], [1]], (3, 5, 6), [1, 2], [0], [0], rng)
    scatter_pairs(file, 'pairs_layouts', 'f32', (3, 5, 6), [[1], [0], [1]], (3, 5, 6), [1, 2], [0], [0], rng,
                  layouts=[(0, 1, 2), (2, 0, 1), (0, 1), (1, 2, 0), (0, 2, 1)], result_layouts=((1, 0, 2), (0, 1, 2)))
    loop = '''HloModule computation_with_a_branch

halve { a = s32[] parameter(0)
  two = s32[] constant(2)
  ROOT r = s32[] divide(a, two) }

same { ROOT a = s32[] parameter(0) }

combine {
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  ten = s32[] constant(10)
  sum = s32[] add(x, y)
  large = pred[] compare(sum, ten), direction=GT
  ROOT z = s32[] conditional(large, sum, sum), true_computation=halve, false_computation=same
}

ENTRY main {
  p0 = s32[5] parameter(0)
  p1 = s32[6,1] parameter(1)
  p2 = s32[6] parameter(2)
  ROOT r = s32[5] scatter(p0, p1, p2), update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=combine
}'''
    file.case('computation_with_a_branch', loop, [array('s32', [1, 2, 3, 4, 5]), array('s32', [[0], [1], [0], [4], [4], [7]]), array('s32', [20, 1, 9, 2, 7, 1])],
              [array('s32', [9, 3, 3, 4, 7])])
    for name, operand, index, update in (('operand_is_update', 'p0', 'p1', 'p0'), ('operand_is_index', 'p1', 'p1', 'p2')):
        text = f'''HloModule {name}

combine {{
  x = s32[] parameter(0)
  y = s32[] parameter(1)
  ROOT z = s32[] add(x, y)
}}

ENTRY main {{
  p0 = s32[4] parameter(0)
  p1 = s32[4] parameter(1)
  p2 = s32[4] parameter(2)
  a0 = s32[4] negate(p0)
  a1 = s32[4] add(p1, p1)
  a2 = s32[4] negate(p2)
  ROOT r = s32[4] scatter(a{operand[1]}, a{index[1]}, a{update[1]}), update_window_dims={{}}, inserted_window_dims={{0}}, scatter_dims_to_operand_dims={{0}}, index_vector_dim=1, to_apply=combine
}}'''
        arrays = [array('s32', [1, 2, 3, 4]), array('s32', [1, 0, 1, 0]), array('s32', [5, 6, 7, 8])]
        moved = [-arrays[0], 2 * arrays[1], -arrays[2]]
        want = scatter_value([moved[int(operand[1])]], moved[int(index[1])], [moved[int(update[1])]], lambda x, y: [x + y], [], [0], [0], 1)
        file.case(name, text, arrays, want)
    # The example of the operation semantics, in StableHLO's numbers: the last update falls outside.
    operand = numbered('s32', (2, 3, 4, 2)) + np.int32(1)
    indices = np.array([[[[0, 0], [1, 0], [2, 1]], [[0, 1], [1, 1], [0, 9]]], [[[0, 0], [2, 1], [2, 2]], [[1, 2], [0, 1], [1, 0]]]])
    case('seed_scatter_batching_s64', operand, indices.astype(np.int64), np.ones((2, 2, 3, 2, 2), np.int32), [3, 4], [1], [2, 1], 3, batching=([0], [0]))
    case('seed_scatter_1_s64', operand, indices.astype(np.int64), np.ones((2, 2, 3, 1, 2), np.int32), [3, 4], [1], [2, 1], 3, batching=([0], [0]))


def scatter_types():
    file = File('scatter_types', 'scatter: element types and index types.')
    rng = random.Random('scatter_types')

    def case(name, *arguments, **options):
        scatter_case(file, name, *arguments, **options)
    for t in ('pred', 's2', 's4', 's8', 's16', 's64', 'u2', 'u4', 'u8', 'u16', 'u32', 'u64', 'bf16', 'f16', 'f64', 'c64', 'c128', 'f8e4m3fn', 'f8e5m2'):
        kind = 'or' if t == 'pred' else 'add'
        case(f'{kind}_{t}', small_ints(t, (4, 3), rng, -3, 3), [[2], [0], [2]], small_ints(t, (3, 3), rng, -3, 3), [1], [0], [0], 1, kind=kind)
        case(f'assign_{t}', small_ints(t, (4, 3), rng, -3, 3), [[2], [0], [1]], small_ints(t, (3, 3), rng, -3, 3), [1], [0], [0], 1, kind='assign')
    for t in et.INTEGERS:
        low, high = et.int_range(t)
        case(f'indices_{t}', numbered('s32', (9,)), array(t, [[v_] for v_ in (1, low, high, min(high, 7))]), array('s32', [100, 200, 300, 400]), [], [0], [0], 1)


def make():
    gather()
    scatter()
    scatter_types()
