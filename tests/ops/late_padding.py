"""Cases of dynamic_pad and dynamic_conv whose amounts only the running program knows. The reference pads by the definition."""
import random

import numpy as np

import element_types as et
from cases import File
from element_types import array
from structural import numbered
from windows import Labels, Window, convolution_value

MLIR = {'f32': 'f32', 's32': 'i32', 'f64': 'f64', 'pred': 'i1', 'c64': 'complex<f32>', 's8': 'i8', 'u32': 'ui32'}


def tensor(a, t=None):
    return 'tensor<' + ''.join(f'{n}x' for n in a.shape) + MLIR.get(t or et.NAMES[a.dtype], 'i64' if a.dtype == np.int64 else 'i32') + '>'


def padded(x, value, low, high, interior):
    shape = [lo + hi + n + max(n - 1, 0) * gap for n, lo, hi, gap in zip(x.shape, low, high, interior)]
    result = np.full(shape, value, x.dtype)
    for index in np.ndindex(*x.shape):
        at = tuple(lo + i * (gap + 1) for i, lo, gap in zip(index, low, interior))
        if all(0 <= a < n for a, n in zip(at, shape)):
            result[at] = x[index]
    return result


def pad_case(file, name, x, low, high, interior, value=-1, t='s64', bounds=None, known_interior=False):
    want = padded(x, value, low, high, interior)
    lists = [array(t, np.array(v).reshape(x.ndim)) for v in (low, high, interior)]
    out = tensor(want)
    if bounds:
        sizes = ''.join('?x' for _ in bounds)
        out = f'tensor<{sizes}{MLIR[et.NAMES[x.dtype]]}, #stablehlo.bounds<{", ".join(map(str, bounds))}>>'
    arrays = [x, array(et.NAMES[x.dtype], value), *lists]
    if known_interior:
        arrays = arrays[:4]
    types = [tensor(a) for a in [x, array(et.NAMES[x.dtype], value), *lists]]
    constant = f'  %g = stablehlo.constant dense<{list(map(int, interior))}> : {types[4]}\n' if known_interior else ''
    arguments = ', '.join(f'%{c}: {y}' for c, y in zip('xvlhg', types[:len(arrays)]))
    file.case(name, f'''func.func @main({arguments}) -> {out} {{
{constant}  %0 = stablehlo.dynamic_pad %x, %v, %l, %h, %g : ({', '.join(types)}) -> {out}
  return %0 : {out}
}}''', arrays, [want], trust=False)


def pads():
    file = File('stablehlo_late_pads', 'dynamic_pad by amounts that are data: low, high, interior, negative ones, types, bounded results.')
    matrix, rng = numbered('s32', (3, 4)), random.Random('late pads')
    pad_case(file, 'vector', numbered('f32', (4,)), [2], [3], [0])
    pad_case(file, 'vector_interior', numbered('f32', (4,)), [1], [0], [2])
    pad_case(file, 'vector_cut', numbered('f32', (6,)), [-2], [-1], [0])
    pad_case(file, 'vector_cut_between', numbered('f32', (5,)), [-2], [-3], [2])
    pad_case(file, 'matrix', matrix, [1, 0], [0, 2], [1, 0], t='s32')
    pad_case(file, 'matrix_cut', matrix, [-1, 2], [2, -3], [0, 1])
    pad_case(file, 'known_interior', matrix, [2, -1], [0, 1], [1, 2], known_interior=True)
    pad_case(file, 'empty', numbered('f32', (0, 3)), [2, 0], [1, 1], [0, 0])
    pad_case(file, 'to_nothing', numbered('f32', (3,)), [-2], [-1], [0])
    pad_case(file, 'one', numbered('f32', (1, 1)), [1, 0], [1, 0], [5, 7])
    pad_case(file, 'scalar', array('f32', 7), [], [], [])
    pad_case(file, 'complex', array('c64', [1 + 2j, 3 - 4j]), [1], [1], [1], value=9 - 9j)
    pad_case(file, 'predicates', array('pred', [True, True, False]), [1], [2], [0], value=False)
    pad_case(file, 'bytes', numbered('s8', (2, 2, 2)), [1, 0, -1], [0, 1, 1], [0, 1, 0], t='s32')
    pad_case(file, 'bounded', numbered('f32', (4,)), [2], [1], [0], bounds=[9])
    pad_case(file, 'bounded_matrix', matrix, [1, 0], [0, 2], [1, 1], bounds=[8, 20], t='s32')
    for i in range(8):
        shape = [rng.randint(1, 4) for _ in range(rng.randint(1, 3))]
        gap = [rng.randint(0, 2) for _ in shape]
        full = [n + (n - 1) * g for n, g in zip(shape, gap)]
        low = [rng.randint(-2, 3) for _ in shape]
        high = [rng.randint(max(-2, -lo - n), 3) for lo, n in zip(low, full)]
        pad_case(file, f'random_{i}', numbered('s32', tuple(shape)), low, high, gap)


CONVOLUTION = '''func.func @main(%x: {x}, %k: {k}, %p: {p}) -> {out} {{
  %0 = "stablehlo.dynamic_conv"(%x, %k, %p) <{{{attributes}, dimension_numbers = #stablehlo.conv<{labels}>, feature_group_count = {groups} : i64, batch_group_count = 1 : i64}}> : ({x}, {k}, {p}) -> {out}
  return %0 : {out}
}}'''


def convolution_case(file, name, x, kernel, windows, labels, mlir_labels, groups=1, t='s64'):
    want = convolution_value(x, kernel, windows, Labels(labels), groups)
    padding = array(t, np.array([w.pad for w in windows]).reshape(len(windows), 2))
    lists = ', '.join(f'{key} = array<i64: {", ".join(str(getattr(w, field)) for w in windows)}>'
                      for key, field in (('window_strides', 'stride'), ('lhs_dilation', 'lhs_dilate'), ('rhs_dilation', 'rhs_dilate')))
    lists += f', window_reversal = array<i1: {", ".join("true" if w.reversal else "false" for w in windows)}>'
    file.case(name, CONVOLUTION.format(x=tensor(x), k=tensor(kernel), p=tensor(padding), out=tensor(want), attributes=lists, labels=mlir_labels, groups=groups),
              [x, kernel, padding], [want], trust=False)


def convolutions():
    file = File('stablehlo_late_convolutions', 'dynamic_conv by padding that is data: strides, dilations, reversal, groups, dimension numbers.')
    W = Window
    nchw, nhwc = ('bf01_oi01->bf01', '[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]'), ('b01f_01io->b01f', '[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]')
    image, kernel = numbered('f32', (1, 2, 4, 5)), numbered('f32', (3, 2, 2, 3))
    convolution_case(file, 'plain', image, kernel, [W(2, pad=(1, 0)), W(3, pad=(0, 2))], *nchw)
    convolution_case(file, 'strides', image, kernel, [W(2, 2, (1, 1)), W(3, 3, (2, 2))], *nchw)
    convolution_case(file, 'cut', image, kernel, [W(2, pad=(-1, 0)), W(3, pad=(-1, -1))], *nchw)
    convolution_case(file, 'holes', image, kernel, [W(2, 1, (1, 2), 2, 2), W(3, 2, (0, 1), 1, 2)], *nchw, t='s32')
    convolution_case(file, 'reversed', image, kernel, [W(2, pad=(1, 1), reversal=1), W(3, 1, (0, 0), 3)], *nchw)
    convolution_case(file, 'channels_last', numbered('f32', (2, 4, 3, 4)), numbered('f32', (2, 2, 2, 6)), [W(2, 1, (0, 1)), W(2, 2, (3, 1))], *nhwc, groups=2)
    convolution_case(file, 'no_room', image, kernel, [W(2, 1, (-2, -1)), W(3)], *nchw)
    convolution_case(file, 'line', numbered('s32', (1, 7, 1)), numbered('s32', (3, 1, 2)), [W(3, 2, (2, 1))], 'b0f_0io->b0f', '[b, 0, f]x[0, i, o]->[b, 0, f]')


SLICE = '''func.func @main(%x: {x}, %s: tensor<2xi64>, %l: tensor<2xi64>) -> {out} {{
  %one = stablehlo.constant dense<1> : tensor<2xi64>
  %0 = stablehlo.real_dynamic_slice %x, %s, %l, %one : ({x}, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> {out}
  return %0 : {out}
}}'''


def slices():
    file = File('stablehlo_late_slices', 'real_dynamic_slice by starts and limits that are data, to types with bounds.')
    x = numbered('s32', (4, 5))
    for name, start, limit, bounds in (('inside', [1, 2], [3, 4], [3, 3]), ('to_the_end', [2, 0], [4, 5], [4, 9]), ('nothing', [1, 3], [1, 5], [2, 2]), ('whole', [0, 0], [4, 5], [4, 5])):
        out = f'tensor<?x?xi32, #stablehlo.bounds<{bounds[0]}, {bounds[1]}>>'
        file.case(name, SLICE.format(x=tensor(x), out=out), [x, array('s64', start), array('s64', limit)],
                  [x[start[0]:limit[0], start[1]:limit[1]]], trust=False)
    out = 'tensor<?x?xi32, #stablehlo.bounds<3, 3>>'
    file.case('unsigned', SLICE.format(x=tensor(x), out=out).replace('i64', 'ui32'), [x, array('u32', [1, 2]), array('u32', [3, 4])], [x[1:3, 2:4]], trust=False)
    out = 'tensor<2x?xi32, #stablehlo.bounds<?, 4>>'
    file.case('one_dimension', SLICE.format(x=tensor(x), out=out), [x, array('s64', [1, 1]), array('s64', [3, 4])], [x[1:3, 1:4]], trust=False)


def make():
    slices()
    pads()
    convolutions()
