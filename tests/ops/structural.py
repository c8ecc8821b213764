"""Cases of the ops that move elements: broadcast, reshape, transpose, slice, concatenate, pad, reverse; and of iota,
constant, select and clamp. The references are numpy's; the examples of the operation semantics are named seed_*.
"""
import itertools
import math
import random

import numpy as np

import element_types as et
from cases import File
from contractions import small_ints
from element_types import array, nested_text, shape_text
from elementwise import program

MOVED_TYPES = ['pred', 's4', 'u8', 's16', 's64', 'f8e4m3fn', 'bf16', 'f64', 'c64', 'c128']


def braces(values):
    return '{' + ','.join(map(str, values)) + '}'


def numbered(t, shape):
    """0, 1, 2, ... in row-major order, wrapped into the type's values."""
    count = math.prod(shape)
    if t == 'pred':
        values = [bool(i * 7 // 3 % 2) for i in range(count)]
    elif t in et.INTEGERS:
        low, high = et.int_range(t)
        values = [low + i % (high - low + 1) if t in ('s4', 'u4', 's2', 'u2') else i for i in range(count)]
    else:
        values = [i % 16 for i in range(count)] if t in et.SMALL_FLOATS else range(count)
        values = [complex(v, -v) for v in values] if t in et.COMPLEX else list(values)
    return array(t, values).reshape(shape)


def move_case(file, name, op, operands, want, attributes, layouts=None, result_layout=None, classic=False):
    want = np.asarray(want)
    shapes = [shape_text(et.NAMES[a.dtype], a.shape, layouts[i] if layouts else None) for i, a in enumerate(operands)]
    result = shape_text(et.NAMES[want.dtype], want.shape, result_layout)
    file.case(name, program(name.replace('.', '_'), op, shapes, len(operands), result, classic, attributes), operands, [want], None, layouts)


# ---- broadcast ----

def broadcast_value(a, shape, dimensions):
    expanded = a.transpose(np.argsort(dimensions)) if a.ndim else a
    full = [1] * len(shape)
    for d in dimensions:
        full[d] = shape[d]
    return np.broadcast_to(expanded.reshape(full), shape).copy()


def broadcast():
    file = File('broadcast', 'broadcast (Broadcast and BroadcastInDim), and the binary examples of the broadcasting page.')

    def case(name, a, shape, dimensions, layouts=None, result_layout=None, classic=False):
        move_case(file, name, 'broadcast', [a], broadcast_value(a, shape, dimensions), f', dimensions={braces(dimensions)}', layouts, result_layout, classic)
    f = 'f32'
    case('scalar_to_vector', array(f, 7), (4,), [])
    case('scalar_to_scalar', array(f, 7), (), [])
    case('scalar_to_rank_6', array('s32', -3), (1, 2, 1, 2, 1, 2), [])
    case('vector_to_rows', numbered(f, (3,)), (2, 3), [1], classic=True)
    case('vector_to_columns', numbered(f, (2,)), (2, 3), [0])
    case('matrix_front', numbered(f, (2, 3)), (4, 2, 3), [1, 2])
    case('matrix_back', numbered(f, (2, 3)), (2, 3, 2), [0, 1])
    case('matrix_around', numbered(f, (2, 3)), (2, 4, 3), [0, 2])
    case('same_shape', numbered(f, (2, 3)), (2, 3), [0, 1])
    case('to_empty', numbered(f, (3,)), (0, 3), [1])
    case('empty_operand', numbered(f, (0,)), (2, 0), [1])
    case('five_dimensions', numbered(f, (2, 3)), (2, 1, 2, 3, 2), [2, 3])
    case('column_major_result', numbered(f, (3,)), (2, 3), [1], result_layout=(0, 1))
    case('column_major_operand', numbered(f, (2, 3)), (2, 3, 2), [0, 1], layouts=[(0, 1)])
    case('size_one_kept', numbered(f, (1, 3)), (1, 2, 3), [0, 2])
    for t in MOVED_TYPES:
        case(f'vector_{t}', numbered(t, (3,)), (2, 3), [1])
    case('seed_broadcast_scalar_2x3', array(f, 2), (2, 3), [])

    def binary(name, left, left_shape, left_dims, right, right_shape, right_dims, out, want, extra=''):
        """A broadcasting addition in explicit form: each operand is broadcast into the result's shape."""
        text = (f'HloModule {name}\n\nENTRY main {{\n  a = {left} parameter(0)\n  b = {right} parameter(1)\n{extra}'
                f'  x = {out} broadcast({left_shape}), dimensions={braces(left_dims)}\n'
                f'  y = {out} broadcast({right_shape}), dimensions={braces(right_dims)}\n  ROOT r = {out} add(x, y)\n}}')
        return text, want
    matrix, vector = array(f, [[1, 2, 3], [4, 5, 6]]), array(f, [7, 8, 9])
    text, want = binary('seed_matrix_plus_vector', 'f32[2,3]', 'a', [0, 1], 'f32[3]', 'b', [1], 'f32[2,3]', array(f, [[8, 10, 12], [11, 13, 15]]))
    file.case('seed_matrix_plus_vector', text, [matrix, vector], [want])
    text, want = binary('seed_matrix_plus_scalar', 'f32[2,3]', 'a', [0, 1], 'f32[]', 'b', [], 'f32[2,3]', array(f, [[8, 9, 10], [11, 12, 13]]))
    file.case('seed_matrix_plus_scalar', text, [matrix, array(f, 7)], [want])
    case('seed_vector_dim1', vector, (3, 3), [1])
    case('seed_vector_dim0', vector, (3, 3), [0])
    cube, face = numbered(f, (2, 3, 4)), numbered(f, (3, 4))
    text, want = binary('seed_cuboid_plus_matrix', 'f32[2,3,4]', 'a', [0, 1, 2], 'f32[3,4]', 'b', [1, 2], 'f32[2,3,4]', cube + face)
    file.case('seed_cuboid_plus_matrix', text, [cube, face], [want])
    for d, t in enumerate((2, 3, 4, 5)):
        case(f'seed_vector_to_mxnxpxq_dim{d}', numbered(f, (t,)), (2, 3, 4, 5), [d])
    for dims in ((2, 3), (1, 2), (0, 3)):
        case(f'seed_matrix_to_mxnxpxq_dims{dims[0]}{dims[1]}', numbered('s8', tuple((2, 3, 4, 5)[d] for d in dims)), (2, 3, 4, 5), list(dims))
    for name, left, right, out in (('2x1_2x3', (2, 1), (2, 3), (2, 3)), ('1x2x5_7x2x5', (1, 2, 5), (7, 2, 5), (7, 2, 5)),
                                   ('7x2x5_7x1x5', (7, 2, 5), (7, 1, 5), (7, 2, 5)), ('2x1_1x3_outer', (2, 1), (1, 3), (2, 3))):
        # Size-1 dimensions: dropped by a reshape, then broadcast.
        a, b = numbered('s32', left), numbered('s32', right)
        lines, names = '', []
        for label, shape in (('a', left), ('b', right)):
            kept = [i for i, n in enumerate(shape) if n == out[i]]
            squeezed = [shape[i] for i in kept]
            if len(kept) < len(shape):
                lines += f'  {label}1 = {shape_text("s32", squeezed)} reshape({label})\n'
                names.append((label + '1', kept))
            else:
                names.append((label, kept))
        text, _ = binary(f'seed_degenerate_{name}', shape_text('s32', left), names[0][0], names[0][1], shape_text('s32', right), names[1][0],
                         names[1][1], shape_text('s32', out), None, lines)
        file.case(f'seed_degenerate_{name}', text, [a, b], [a + b])
    text = ('HloModule seed_composition\n\nENTRY main {\n  v = f32[4] parameter(0)\n  m = f32[1,2] parameter(1)\n'
            '  wide = f32[4,2] broadcast(v), dimensions={0}\n  row = f32[2] reshape(m)\n  rows = f32[4,2] broadcast(row), dimensions={1}\n'
            '  ROOT r = f32[4,2] add(wide, rows)\n}')
    file.case('seed_composition', text, [array(f, [1, 2, 3, 4]), array(f, [[5, 6]])], [array(f, [[6, 7], [7, 8], [8, 9], [9, 10]])])
    m, c = numbered('s32', (1, 2)), numbered('s32', (4, 3, 1))
    text = ('HloModule seed_composition_4x3x2\n\nENTRY main {\n  m = s32[1,2] parameter(0)\n  c = s32[4,3,1] parameter(1)\n'
            '  row = s32[2] reshape(m)\n  x = s32[4,3,2] broadcast(row), dimensions={2}\n  flat = s32[4,3] reshape(c)\n'
            '  y = s32[4,3,2] broadcast(flat), dimensions={0,1}\n  ROOT r = s32[4,3,2] add(x, y)\n}')
    file.case('seed_composition_4x3x2', text, [m, c], [m[None] + c])


# ---- reshape, transpose, reverse ----

SEED_V = [[[10, 11, 12], [15, 16, 17]], [[20, 21, 22], [25, 26, 27]], [[30, 31, 32], [35, 36, 37]], [[40, 41, 42], [45, 46, 47]]]


def reshape():
    file = File('reshape', 'reshape (and Collapse, which is a reshape).')

    def case(name, a, shape, layouts=None, result_layout=None, classic=False):
        move_case(file, name, 'reshape', [a], a.reshape(shape), '', layouts, result_layout, classic)
    for source, target in itertools.chain([((24,), (2, 3, 4)), ((2, 3, 4), (24,)), ((2, 3, 4), (4, 6)), ((4, 6), (3, 8)), ((2, 3), (3, 2)),
                                           ((6,), (1, 6, 1)), ((1, 6, 1), (6,)), ((2, 12), (2, 2, 2, 3)), ((2, 1, 2, 1, 2, 1), (8,)),
                                           ((0, 3), (3, 0)), ((0,), (2, 0, 5)), ((2, 3, 4), (2, 3, 4))]):
        name = f'shape_{"x".join(map(str, source))}_to_{"x".join(map(str, target))}'
        case(name, numbered('f32', source), target, classic=len(source) == 2)
    case('layout_0_1_to_1_0', numbered('f32', (2, 3)), (3, 2), layouts=[(0, 1)], result_layout=(1, 0))
    case('layout_1_0_to_0_1', numbered('f32', (4, 6)), (3, 8), layouts=[(1, 0)], result_layout=(0, 1))
    case('layout_rank_3', numbered('s32', (2, 3, 4)), (4, 6), layouts=[(0, 2, 1)], result_layout=(0, 1))
    for t in MOVED_TYPES:
        case(f'type_{t}', numbered(t, (2, 3)), (3, 2))
    v = array('f32', SEED_V)
    case('seed_reshape_24', v, (24,))
    case('seed_reshape_8x3', v, (8, 3))
    case('seed_reshape_to_scalar', array('f32', [[5]]), ())
    case('seed_reshape_from_scalar', array('f32', 5), (1, 1))
    case('seed_collapse_012', v, (24,))
    case('seed_collapse_01', v, (8, 3))
    case('seed_collapse_12', v, (4, 6))


def transpose():
    file = File('transpose', 'transpose: all permutations of three dimensions, layouts, types.')

    def case(name, a, permutation, layouts=None, result_layout=None, classic=False):
        move_case(file, name, 'transpose', [a], np.ascontiguousarray(a.transpose(permutation)).reshape([a.shape[p] for p in permutation]),
                  f', dimensions={braces(permutation)}', layouts, result_layout, classic)
    for p in itertools.permutations(range(3)):
        case(f'rank3_{"".join(map(str, p))}', numbered('f32', (2, 3, 4)), list(p), classic=p[0] == 2)
    case('rank0', array('f32', 1), [])
    case('rank1', numbered('f32', (3,)), [0])
    case('rank2', numbered('f32', (3, 5)), [1, 0])
    case('rank2_large', numbered('f32', (17, 9)), [1, 0])
    case('rank4', numbered('s32', (2, 3, 2, 2)), [3, 1, 0, 2])
    case('rank5', numbered('s32', (2, 1, 3, 2, 2)), [4, 3, 0, 2, 1])
    case('rank6', numbered('s32', (1, 2, 1, 3, 2, 1)), [5, 3, 1, 4, 2, 0])
    case('empty', numbered('f32', (0, 3, 2)), [2, 0, 1])
    case('only_a_layout_change', numbered('f32', (2, 3)), [1, 0], layouts=[(1, 0)], result_layout=(0, 1))
    case('column_major_operand', numbered('f32', (2, 3)), [1, 0], layouts=[(0, 1)])
    case('layouts_rank_3', numbered('f32', (2, 3, 4)), [1, 2, 0], layouts=[(0, 2, 1)], result_layout=(1, 0, 2))
    for t in MOVED_TYPES:
        case(f'type_{t}', numbered(t, (2, 3)), [1, 0])


def reverse():
    file = File('reverse', 'reverse (Rev): sets of dimensions, layouts, types.')

    def case(name, a, dimensions, layouts=None, result_layout=None, classic=False):
        move_case(file, name, 'reverse', [a], np.flip(a, dimensions).copy(), f', dimensions={braces(dimensions)}', layouts, result_layout, classic)
    case('vector', numbered('f32', (5,)), [0])
    case('rows', numbered('f32', (3, 4)), [0])
    case('columns', numbered('f32', (3, 4)), [1], classic=True)
    case('both', numbered('f32', (3, 4)), [0, 1])
    case('none', numbered('f32', (3, 4)), [])
    case('order_does_not_matter', numbered('s32', (2, 3, 2)), [2, 0])
    case('rank4', numbered('s32', (2, 2, 3, 2)), [1, 3])
    case('size_one', numbered('f32', (1, 3)), [0])
    case('empty', numbered('f32', (0, 3)), [0, 1])
    case('scalar', array('f32', 3), [])
    case('layouts', numbered('f32', (2, 3)), [1], layouts=[(0, 1)], result_layout=(1, 0))
    for t in MOVED_TYPES:
        case(f'type_{t}', numbered(t, (3, 2)), [0])


# ---- slice, concatenate, pad ----

def slice_():
    file = File('slice', 'slice: starts, limits, strides.')

    def case(name, a, bounds, layouts=None, result_layout=None, classic=False):
        index = tuple(slice(*b) for b in bounds)
        text = '{' + ', '.join('[' + ':'.join(map(str, b)) + ']' for b in bounds) + '}'
        move_case(file, name, 'slice', [a], a[index], f', slice={text}', layouts, result_layout, classic)
    f = 'f32'
    case('vector', numbered(f, (6,)), [(1, 4)])
    case('whole', numbered(f, (6,)), [(0, 6)])
    case('nothing', numbered(f, (6,)), [(3, 3)])
    case('nothing_at_the_end', numbered(f, (6,)), [(6, 6)])
    case('stride_2', numbered(f, (7,)), [(0, 7, 2)], classic=True)
    case('stride_3', numbered(f, (7,)), [(1, 7, 3)])
    case('stride_exact', numbered(f, (6,)), [(0, 6, 3)])
    case('stride_larger_than_extent', numbered(f, (6,)), [(2, 5, 100)])
    case('stride_1_written', numbered(f, (6,)), [(2, 5, 1)])
    case('matrix', numbered(f, (4, 5)), [(1, 3), (2, 5)])
    case('matrix_strides', numbered(f, (5, 6)), [(0, 5, 2), (1, 6, 3)])
    case('rank3', numbered('s32', (3, 4, 5)), [(1, 2), (0, 4, 3), (2, 5, 2)])
    case('rank6', numbered('s32', (2, 1, 2, 2, 1, 2)), [(1, 2), (0, 1), (0, 2), (0, 2, 2), (0, 1), (1, 2)])
    case('scalar', array(f, 2), [])
    case('of_empty', numbered(f, (0, 3)), [(0, 0), (1, 2)])
    case('layouts', numbered(f, (4, 5)), [(1, 4, 2), (0, 3)], layouts=[(0, 1)], result_layout=(1, 0))
    case('column_major_both', numbered(f, (4, 5)), [(1, 4), (1, 5, 2)], layouts=[(0, 1)], result_layout=(0, 1))
    for t in MOVED_TYPES:
        case(f'type_{t}', numbered(t, (5,)), [(1, 5, 2)])
    case('seed_slice_1d', array(f, [0, 1, 2, 3, 4]), [(2, 4)])
    case('seed_slice_2d', numbered(f, (4, 3)), [(2, 4), (1, 3)])


def concatenate():
    file = File('concatenate', 'concatenate: one to five operands, every dimension, empty operands.')

    def case(name, operands, dimension, layouts=None, result_layout=None, classic=False):
        move_case(file, name, 'concatenate', operands, np.concatenate(operands, dimension), f', dimensions={{{dimension}}}', layouts, result_layout, classic)
    f = 'f32'

    def v(*shape, t=f):
        return numbered(t, shape)
    case('vectors', [v(2), v(3)], 0)
    case('one_operand', [v(2, 3)], 1)
    case('five_operands', [v(1), v(2), v(1), v(3), v(2)], 0, classic=True)
    case('rows', [v(2, 3), v(1, 3)], 0)
    case('columns', [v(2, 3), v(2, 1), v(2, 2)], 1)
    case('rank3_dim0', [v(1, 2, 3), v(2, 2, 3)], 0)
    case('rank3_dim1', [v(2, 1, 3), v(2, 2, 3)], 1)
    case('rank3_dim2', [v(2, 2, 1), v(2, 2, 3)], 2)
    case('empty_operand', [v(0, 3), v(2, 3), v(0, 3)], 0)
    case('all_empty', [v(0, 3), v(0, 3)], 0)
    case('empty_other_dimension', [v(0, 3), v(0, 2)], 1)
    same = v(3)
    text = 'HloModule same_operand_twice\n\nENTRY main {\n  a = f32[3] parameter(0)\n  ROOT r = f32[6] concatenate(a, a), dimensions={0}\n}'
    file.case('same_operand_twice', text, [same], [np.concatenate([same, same])])
    case('layouts', [v(2, 3), v(2, 2)], 1, layouts=[(0, 1), (1, 0)], result_layout=(0, 1))
    case('layouts_rank_3', [v(2, 3, 2), v(2, 1, 2)], 1, layouts=[(0, 1, 2), (1, 2, 0)], result_layout=(2, 0, 1))
    for t in MOVED_TYPES:
        case(f'type_{t}', [v(2, 2, t=t), v(1, 2, t=t)], 0)
    case('seed_concat_1d', [array(f, [2, 3]), array(f, [4, 5]), array(f, [6, 7])], 0)
    case('seed_concat_2d', [array(f, [[1, 2], [3, 4], [5, 6]]), array(f, [[7, 8]])], 0)


def padded(a, value, config):
    result = a
    for d, (low, high, interior) in enumerate(config):
        n = result.shape[d]
        moved = np.moveaxis(result, d, 0)
        inner = max(n + (n - 1) * interior, 0) if n else 0
        spread = np.full((inner, *moved.shape[1:]), value, dtype=a.dtype)
        if n:
            spread[::interior + 1] = moved
        before = np.full((max(low, 0), *moved.shape[1:]), value, dtype=a.dtype)
        after = np.full((max(high, 0), *moved.shape[1:]), value, dtype=a.dtype)
        whole = np.concatenate([before, spread, after])
        start, stop = max(-low, 0), len(whole) - max(-high, 0)
        result = np.moveaxis(whole[start:max(stop, start)], 0, d)
    return np.ascontiguousarray(result)


def pad():
    file = File('pad', 'pad: edge, negative and interior padding.')

    def case(name, a, value, config, layouts=None, result_layout=None, classic=False):
        text = 'x'.join('_'.join(map(str, c if len(c) == 3 and (c[2] or classic) else c[:2])) for c in config)
        t = et.NAMES[a.dtype]
        if a.ndim == 0:
            raise AssertionError('written by hand')
        move_case(file, name, 'pad', [a, array(t, value)], padded(a, array(t, value)[()], config).reshape(
            [max(0, n) for n in (a.shape[i] + c[0] + c[1] + max(a.shape[i] - 1, 0) * c[2] for i, c in enumerate(config))]), f', padding={text}',
            [*layouts, None] if layouts else None, result_layout, classic)
    f = 'f32'
    case('vector', numbered(f, (3,)), 9, [(1, 2, 0)])
    case('nothing', numbered(f, (3,)), 9, [(0, 0, 0)])
    case('interior', numbered(f, (3,)), 9, [(0, 0, 2)])
    case('interior_of_one', numbered(f, (1,)), 9, [(0, 0, 5)])
    case('interior_and_edges', numbered(f, (3,)), 9, [(2, 1, 1)], classic=True)
    case('negative_low', numbered(f, (4,)), 9, [(-1, 0, 0)])
    case('negative_high', numbered(f, (4,)), 9, [(0, -2, 0)])
    case('negative_both', numbered(f, (4,)), 9, [(-1, -1, 0)])
    case('negative_to_nothing', numbered(f, (4,)), 9, [(-2, -2, 0)])
    case('negative_and_positive', numbered(f, (4,)), 9, [(-1, 3, 0)])
    case('negative_into_interior', numbered(f, (3,)), 9, [(-1, -2, 2)])
    case('negative_removes_interior_first_element', numbered(f, (3,)), 9, [(-1, 0, 1)])
    case('negative_low_beyond_data', numbered(f, (3,)), 9, [(-3, 5, 0)])
    case('matrix', numbered(f, (2, 3)), -1, [(1, 0, 0), (0, 2, 0)])
    case('matrix_all_kinds', numbered(f, (2, 3)), -1, [(1, -1, 1), (-1, 2, 2)], classic=True)
    case('rank3', numbered('s32', (2, 1, 3)), 7, [(0, 1, 0), (1, 1, 0), (-1, 0, 1)])
    case('empty_operand', numbered(f, (0, 2)), 5, [(1, 1, 0), (0, 1, 0)])
    case('empty_operand_interior', numbered(f, (0,)), 5, [(2, 1, 3)])
    case('layouts', numbered(f, (2, 3)), 0, [(1, 1, 1), (0, 1, 0)], layouts=[(0, 1)], result_layout=(1, 0))
    case('with_nan', numbered(f, (2,)), math.nan, [(1, 1, 0)])
    for t in MOVED_TYPES:
        case(f'type_{t}', numbered(t, (2,)), 1, [(1, 0, 1)])


# ---- iota, constant ----

def iota():
    file = File('iota', 'iota: every element type, every dimension.')

    def case(name, t, shape, dimension, layout=None):
        index = np.arange(shape[dimension]).reshape([-1 if i == dimension else 1 for i in range(len(shape))])
        full = np.broadcast_to(index, shape)
        if t in et.INTEGERS:
            want = array(t, [et.wrap(t, int(v)) for v in full.reshape(-1)]).reshape(shape)
        elif t in et.COMPLEX:
            want = full.astype(et.DTYPES[t])
        else:
            want = array(t, [et.round_to(t, int(v)) for v in full.reshape(-1)]).reshape(shape)
        text = f'HloModule {name}\n\nENTRY main {{\n  ROOT r = {shape_text(t, shape, layout)} iota(), iota_dimension={dimension}\n}}'
        file.case(name, text, [], [want])
    for t in (*et.INTEGERS, *et.FLOATS, *et.COMPLEX):
        n = {'s2': 2, 'u2': 4, 's4': 8, 'f4e2m1fn': 4}.get(t, 11)
        case(f'type_{t}', t, (n,), 0)
    case('wraps_u8', 'u8', (260,), 0)
    case('rounds_bf16', 'bf16', (300,), 0)
    case('rounds_f8e5m2', 'f8e5m2', (20,), 0)
    case('rank3_dim0', 'f32', (3, 2, 2), 0)
    case('rank3_dim1', 'f32', (2, 3, 2), 1)
    case('rank3_dim2', 'f32', (2, 2, 3), 2)
    case('rank6', 's32', (1, 2, 1, 3, 2, 1), 3)
    case('empty', 'f32', (2, 0), 1)
    case('empty_other_dimension', 'f32', (0, 3), 1)
    case('column_major', 's32', (2, 3), 1, (0, 1))
    case('seed_iota_dim0', 's32', (4, 8), 0)
    case('seed_iota_dim1', 's32', (4, 8), 1)


def constant():
    file = File('constant', 'constant: nested literals of every type, special values, layouts.')

    def case(name, t, a, layout=None, text=None):
        a = array(t, a) if not isinstance(a, np.ndarray) else a
        body = text or (nested_text(t, a).replace('{ ', '{').replace(' }', '}') if a.size or a.ndim == 0 else '{}')
        file.case(name, f'HloModule {name}\n\nENTRY main {{\n  ROOT r = {shape_text(t, a.shape, layout)} constant({body})\n}}', [], [a])
    inf, nan = math.inf, math.nan
    case('scalar_f32', 'f32', 2.5)
    case('scalar_pred', 'pred', True)
    case('scalar_s32', 's32', -7)
    case('scalar_c64', 'c64', 1 - 2j)
    for t in ('pred', *et.INTEGERS):
        low, high = (0, 1) if t == 'pred' else et.int_range(t)
        case(f'extremes_{t}', t, [[low, high], [high, low]])
    for t in et.XLA_FLOATS:
        f = et.FLOATS[t]
        values = [0, 1, -1, f.largest, -f.largest, f.smallest, f.smallest_normal, 0.5, 1.5]
        values += ([-0.0] if f.negative_zero else []) + ([nan] if f.nan else []) + ([inf, -inf] if f.infinity else [])
        case(f'special_{t}', t, values)
    case('scale_f8e8m0fnu', et.SCALE, [1, 2, 0.5, 2.0 ** -127, 2.0 ** 127])
    for t in et.COMPLEX:
        case(f'special_{t}', t, [1 + 2j, complex(-0.0, 0.5), complex(inf, -inf), complex(2, 1e-3)])
    case('rank_3', 's32', numbered('s32', (2, 3, 2)))
    case('rank_6', 's32', numbered('s32', (1, 2, 1, 2, 2, 1)))
    case('column_major', 'f32', [[1, 2, 3], [4, 5, 6]], (0, 1))
    case('layout_rank_3', 'f32', numbered('f32', (2, 2, 3)), (1, 2, 0))
    case('empty', 'f32', np.zeros((0,), np.float32))
    case('empty_inside', 'f32', np.zeros((2, 0), np.float32), text='{{}, {}}')
    case('empty_outside', 'f32', np.zeros((0, 2), np.float32))
    case('spaces_and_newlines', 'f32', [[1, 2], [3, 4]], text='{ { 1, 2 },\n    { 3, 4 } }')
    case('index_comments', 'f32', [1, 2, 3, 4, 5, 6], text='{1, 2, 3, 4, 5, /*index=5*/6}')
    case('pred_numbers', 'pred', [True, False, True], text='{1, 0, true}')
    case('number_forms', 'f32', [1, 0.5, 1000, 1e-5, -2.5], text='{1.0, 5e-1, 1e3, 1E-5, -2.50}')
    case('integers_for_floats', 'f64', [1, -3, 1e15], text='{1, -3, 1000000000000000}')
    case('rounds_to_even', 'f32', [1.0, 1 + 2 ** -22, 16777216, 0.1], text='{1.000000059604644775390625, 1.000000178813934326171875, 16777217, 0.1}')
    case('decimal_subnormals', 'f32', [2 ** -149, 0, 2 ** -149, 1.1754942106924411e-38], text='{1.4e-45, 7e-46, 7.1e-46, 1.1754942e-38}')
    case('nan_forms', 'f32', [nan, nan, inf, -inf], text='{nan, -nan, inf, -inf}')


# ---- select, clamp ----

def select():
    file = File('select', 'select: by element and by a scalar predicate.')
    p = array('pred', [True, False, False, True])

    def case(name, p, x, y, layouts=None, result_layout=None, classic=False):
        move_case(file, name, 'select', [p, x, y], np.where(p, x.astype(x.dtype), y).astype(x.dtype) if x.size else x, '', layouts, result_layout, classic)
    for t in (*et.DTYPES,):
        x = array(t, [1, 0, 1, 1]) if t in ('pred', 's2', 'u2') else array(t, [1, 2, 4, 1])
        y = array(t, [0, 1, 0, 0]) if t in ('pred', 's2', 'u2') else array(t, [2, 1, 1, 4])
        want = x.copy()
        want[~p] = y[~p]
        move_case(file, f'type_{t}', 'select', [p, x, y], want, '')
    m, n = numbered('f32', (2, 3)), -numbered('f32', (2, 3)) - 1
    for value in (True, False):
        move_case(file, f'scalar_predicate_{str(value).lower()}', 'select', [array('pred', value), m, n], m if value else n, '', classic=value)
        move_case(file, f'all_scalars_{str(value).lower()}', 'select', [array('pred', value), array('f32', 1), array('f32', 2)],
                  array('f32', 1 if value else 2), '')
    q = array('pred', [[1, 0, 1], [0, 0, 1]])
    case('matrix', q, m, n, classic=True)
    case('layouts', q, m, n, layouts=[(0, 1), (1, 0), (0, 1)], result_layout=(1, 0))
    case('rank4', array('pred', [[[[1, 0]]], [[[0, 1]]]]), numbered('s32', (2, 1, 1, 2)), -numbered('s32', (2, 1, 1, 2)))
    case('empty', np.zeros((0, 2), bool), np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32))
    case('nan_not_chosen', array('pred', [True, False]), array('f32', [1, math.nan]), array('f32', [math.nan, -0.0]))
    move_case(file, 'seed_select', 'select', [array('pred', [1, 0, 0, 1]), array('s32', [1, 2, 3, 4]), array('s32', [100, 200, 300, 400])],
              array('s32', [1, 200, 300, 4]), '')
    move_case(file, 'seed_select_scalar', 'select', [array('pred', 1), array('s32', [1, 2, 3, 4]), array('s32', [100, 200, 300, 400])],
              array('s32', [1, 2, 3, 4]), '')


def clamp_value(low, x, high):
    if any(v != v for v in (low, x, high)):
        return math.nan
    return min(max(x, low), high)


def clamp():
    file = File('clamp', 'clamp: array and scalar bounds; NaN anywhere gives NaN; the upper bound wins.')
    for t in (*et.INTEGERS, *et.FLOATS):
        low, high = et.int_range(t) if t in et.INTEGERS else (-et.FLOATS[t].largest, et.FLOATS[t].largest)
        xs = [v for v in (-7, -2, -1, 0, 1, 2, 3, 6, 100) if low <= v <= high]
        lo, hi = (max(low, -1), min(high, 2))
        x = array(t, xs)
        exact = [float(v) for v in x]
        want = array(t, [min(max(v, lo), hi) for v in exact])
        if t not in et.FLOATS or et.FLOATS[t].nan:
            move_case(file, f'array_bounds_{t}', 'clamp', [array(t, [lo] * len(xs)), x, array(t, [hi] * len(xs))], want, '')
        move_case(file, f'scalar_bounds_{t}', 'clamp', [array(t, lo), x, array(t, hi)], want, '', classic=t == 's32')
    values = [math.nan, -math.inf, -1.0, 0.5, 3.0, math.inf]
    triples = list(itertools.product(values, repeat=3))[::3]
    for t in ('f32', 'f64', 'bf16', 'f16'):
        a = [array(t, column) for column in zip(*triples)]
        move_case(file, f'special_{t}', 'clamp', a, array(t, [clamp_value(*v) for v in triples]), '')
    move_case(file, 'bounds_crossed', 'clamp', [array('s32', 5), array('s32', [1, 4, 9]), array('s32', 2)], array('s32', [2, 2, 2]), '')
    move_case(file, 'all_scalars', 'clamp', [array('f32', 0), array('f32', 5), array('f32', 1)], array('f32', 1), '')
    move_case(file, 'matrix', 'clamp', [array('f32', 1), numbered('f32', (2, 3)), array('f32', 4)], np.clip(numbered('f32', (2, 3)), 1, 4), '',
              layouts=[None, (0, 1), None], result_layout=(1, 0))
    move_case(file, 'empty', 'clamp', [array('f32', 1), np.zeros((0, 2), np.float32), array('f32', 4)], np.zeros((0, 2), np.float32), '')
    move_case(file, 'seed_clamp', 'clamp', [array('s32', 0), array('s32', [-1, 5, 9]), array('s32', 6)], array('s32', [0, 5, 6]), '')


def make():
    broadcast()
    reshape()
    transpose()
    reverse()
    slice_()
    concatenate()
    pad()
    iota()
    constant()
    select()
    clamp()
