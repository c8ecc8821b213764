"""Cases of dynamic-slice and dynamic-update-slice. The reference clamps the start as the operation semantics say; the
examples of that page are named seed_*.
"""
import random

import numpy as np

import element_types as et
from cases import File
from element_types import array, shape_text
from indexing import module
from structural import MOVED_TYPES, braces, numbered

INDEX_TYPES = ['s8', 'u8', 's16', 'u16', 's32', 'u32', 's64', 'u64']
SEED_MATRIX = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9, 10, 11]]


def region(shape, starts, sizes):
    """The slice of `sizes` that begins at the starts, moved back so that it fits."""
    return tuple(slice(s, s + n) for s, n in ((max(0, min(int(s), d - n)), n) for s, d, n in zip(starts, shape, sizes)))


def scalars(starts, index_type):
    return [array(index_type, s) for s in starts]


def slice_case(file, name, operand, starts, sizes, index_type='s32', layouts=None, result_layout=None):
    want = operand[region(operand.shape, starts, sizes)]
    text = module(name, [operand, *scalars(starts, index_type)], layouts, shape_text(et.NAMES[operand.dtype], sizes, result_layout),
                  f'dynamic-slice($), dynamic_slice_sizes={braces(sizes)}')
    file.case(name, text, [operand, *scalars(starts, index_type)], [want], None, layouts)


def update_case(file, name, operand, update, starts, index_type='s32', layouts=None, result_layout=None):
    want = operand.copy()
    want[region(operand.shape, starts, update.shape)] = update
    arrays = [operand, update, *scalars(starts, index_type)]
    text = module(name, arrays, layouts, shape_text(et.NAMES[operand.dtype], operand.shape, result_layout), 'dynamic-update-slice($)')
    file.case(name, text, arrays, [want], None, layouts)


def slices():
    file = File('dynamic_slice', 'dynamic-slice: starts inside and outside, index types, layouts, element types.')
    rng = random.Random('dynamic-slice')

    def case(*arguments, **options):
        slice_case(file, *arguments, **options)
    case('seed_vector', array('f32', [0, 1, 2, 3, 4]), [2], [2])
    case('seed_matrix', array('f32', SEED_MATRIX), [2, 1], [2, 2])
    vector, matrix, cube = numbered('f32', (7,)), numbered('s32', (4, 5)), numbered('f32', (3, 4, 5))
    case('scalar', array('f32', 5), [], [])
    for name, start in (('first', 0), ('last', 4), ('past_the_end', 5), ('far', 2147483647), ('negative', -1), ('most_negative', -2147483648)):
        case(f'start_{name}', vector, [start], [3])
    case('whole', matrix, [3, -3], [4, 5])
    case('no_rows', matrix, [2, 1], [0, 3])
    case('of_nothing', numbered('f32', (0, 3)), [0, 1], [0, 2])
    case('one_element', matrix, [2, 3], [1, 1])
    case('each_start_for_itself', cube, [9, -9, 1], [2, 2, 2])
    case('column_major', matrix, [1, 2], [2, 3], layouts=[(0, 1), None, None], result_layout=(0, 1))
    case('layouts_differ', cube, [1, 0, 3], [2, 3, 2], layouts=[(1, 0, 2), None, None, None], result_layout=(0, 2, 1))
    for t in INDEX_TYPES:
        low, high = et.int_range(t)
        case(f'index_{t}', vector, [3], [2], index_type=t)
        case(f'index_{t}_largest', vector, [high], [2], index_type=t)
        case(f'index_{t}_smallest', vector, [low], [2], index_type=t)
    for t in MOVED_TYPES:
        case(f'type_{t}', numbered(t, (3, 4)), [1, 1], [2, 2])
    for i in range(8):
        shape = [rng.randint(1, 6) for _ in range(1 + i % 4)]
        case(f'random_{i}', numbered('s32', shape), [rng.randint(-3, 8) for _ in shape], [rng.randint(0, n) for n in shape])


def updates():
    file = File('dynamic_update_slice', 'dynamic-update-slice: starts inside and outside, index types, layouts, element types.')
    rng = random.Random('dynamic-update-slice')

    def case(*arguments, **options):
        update_case(file, *arguments, **options)
    case('seed_vector', array('f32', [0, 1, 2, 3, 4]), array('f32', [5, 6]), [2])
    case('seed_matrix', array('f32', SEED_MATRIX), array('f32', [[12, 13], [14, 15], [16, 17]]), [1, 1])
    vector, matrix = numbered('f32', (7,)), numbered('s32', (4, 5))
    case('scalar', array('f32', 5), array('f32', -1), [])
    for name, start in (('first', 0), ('last', 4), ('past_the_end', 5), ('far', 2147483647), ('negative', -1), ('most_negative', -2147483648)):
        case(f'start_{name}', vector, array('f32', [-1, -2, -3]), [start])
    case('whole', matrix, -matrix, [3, -3])
    case('no_rows', matrix, numbered('s32', (0, 3)), [2, 1])
    case('column_major', matrix, -numbered('s32', (2, 3)), [1, 2], layouts=[(0, 1), None, None, None], result_layout=(0, 1))
    case('layouts_differ', matrix, -numbered('s32', (2, 3)), [9, -9], layouts=[(0, 1), (1, 0), None, None], result_layout=(1, 0))
    for t in INDEX_TYPES:
        low, high = et.int_range(t)
        case(f'index_{t}', vector, array('f32', [-1, -2]), [3], index_type=t)
        case(f'index_{t}_largest', vector, array('f32', [-1, -2]), [high], index_type=t)
        case(f'index_{t}_smallest', vector, array('f32', [-1, -2]), [low], index_type=t)
    for t in MOVED_TYPES:
        case(f'type_{t}', numbered(t, (3, 4)), numbered(t, (2, 2)), [1, 1])
    for i in range(8):
        shape = [rng.randint(1, 6) for _ in range(1 + i % 4)]
        case(f'random_{i}', numbered('s32', shape), -numbered('s32', [rng.randint(0, n) for n in shape]), [rng.randint(-3, 8) for _ in shape])


def make():
    slices()
    updates()
