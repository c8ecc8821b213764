"""Cases of gather and scatter. The references go through the definitions index by index; the examples of the operation
semantics are named seed_*.
"""
import itertools
import math
import random

import numpy as np

import element_types as et
from cases import File
from contractions import scalar_computation, small_ints
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


def make():
    gather()
