"""Cases of the ops with a window: reduce-window, convolution; select_and_scatter.py has its own. The references go through the
definitions position by position; floats are small integers almost everywhere, so that sums are exact in any order.
"""
import itertools
import math
import random

import numpy as np

import element_types as et
from cases import File
from contractions import small_ints
from element_types import array, shape_text
from in_order import cumulate_in_order, fold, reduce_in_order
from indexing import combiner, module, python_values, shapes_of, typed
from structural import numbered


class Window:
    """One dimension of a window; the names are those of HLO text."""

    def __init__(self, size, stride=1, pad=(0, 0), lhs_dilate=1, rhs_dilate=1, reversal=0):
        self.size, self.stride, self.pad, self.lhs_dilate, self.rhs_dilate, self.reversal = size, stride, pad, lhs_dilate, rhs_dilate, reversal

    def positions(self, n):
        padded = sum(self.pad) + ((n - 1) * self.lhs_dilate + 1 if n else 0)
        window = (self.size - 1) * self.rhs_dilate + 1
        return (padded - window) // self.stride + 1 if padded >= window else 0

    def element(self, position, tap, n):
        """The element of the base under a tap, or None for padding and holes."""
        place = position * self.stride + tap * self.rhs_dilate - self.pad[0]
        if place % self.lhs_dilate or not 0 <= place // self.lhs_dilate < n:
            return None
        return place // self.lhs_dilate


def window_text(windows):
    if not windows:
        return ''
    def joined(values):
        return 'x'.join(map(str, values))
    text = f'size={joined(w.size for w in windows)}'
    for key, values, default in (('stride', [w.stride for w in windows], 1), ('pad', [f'{w.pad[0]}_{w.pad[1]}' for w in windows], '0_0'),
                                 ('lhs_dilate', [w.lhs_dilate for w in windows], 1), ('rhs_dilate', [w.rhs_dilate for w in windows], 1),
                                 ('rhs_reversal', [w.reversal for w in windows], 0)):
        if any(v != default for v in values):
            text += f' {key}={joined(values)}'
    return f'window={{{text}}}, '


def meetings(windows, position, shape):
    """(tap, element of the base) for each tap of a window at that position that is over an element, in row-major order."""
    for tap in itertools.product(*(range(w.size) for w in windows)):
        at = tuple(w.element(p, k, n) for w, p, k, n in zip(windows, position, tap, shape))
        if None not in at:
            yield tap, at


# ---- reduce-window ----

FUNCTIONS = {'add': lambda x, y: x + y, 'multiply': lambda x, y: x * y, 'maximum': max, 'minimum': min, 'subtract': lambda x, y: x - y,
             'or': lambda x, y: x | y, 'and': lambda x, y: x & y, 'twice_plus': lambda x, y: 2 * x + y}


def reduce_window_value(operands, initial, windows, function):
    shape = operands[0].shape
    out = [w.positions(n) for w, n in zip(windows, shape)]
    values = [python_values(a) for a in operands]
    results = [np.empty(out, dtype=object) for _ in operands]
    for position in itertools.product(*(range(n) for n in out)):
        state = tuple(initial)
        for _, at in meetings(windows, position, shape):
            state = function(*state, *(v[at] for v in values))
        for result, value in zip(results, state):
            result[position] = value
    return [typed(et.NAMES[a.dtype], r) for a, r in zip(operands, results)]


def reduce_window_case(file, name, a, initial, windows, kind='add', layout=None, result_layout=None, classic=False):
    t = et.NAMES[a.dtype]
    function = FUNCTIONS[kind]
    want, = reduce_window_value([a], [initial], windows, lambda x, y: (function(x, y),))
    call = f'reduce-window($), {window_text(windows)}to_apply=combine'
    text = module(name, [a, array(t, initial)], [layout, None], shape_text(t, want.shape, result_layout), call, combiner(kind, t), classic)
    file.case(name, text, [a, array(t, initial)], [want], None, [layout, None] if layout else None)


ARG_MAX = '''HloModule {name}

arg_max {{
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
  indices = {labels} parameter(1)
  start = {t}[] parameter(2)
  none = s32[] constant(-1)
  ROOT r = ({result}, {result_labels}) reduce-window(values, indices, start, none), {window}to_apply=arg_max
}}'''


def arg_max_case(file, name, t, shape, windows, rng, layouts=(None, None), result_layouts=(None, None)):
    values, labels = small_ints(t, shape, rng, -9, 9), numbered('s32', shape)
    start = -100 if t[0] != 'u' else 0
    want = reduce_window_value([values, labels], [start, -1], windows, lambda v, i, w, j: (v, i) if v >= w else (w, j))
    text = ARG_MAX.format(name=name, t=t, source=shape_text(t, shape, layouts[0]), labels=shape_text('s32', shape, layouts[1]), window=window_text(windows),
                          result=shape_text(t, want[0].shape, result_layouts[0]), result_labels=shape_text('s32', want[0].shape, result_layouts[1]))
    file.case(name, text, [values, labels, array(t, start)], want, None, [*layouts, None])


CUMULATIVE = '''HloModule {name}

combine {{
  x = s32[] parameter(0)
  y = s32[] parameter(1)
{body}
}}

ENTRY main {{
  factor = s32[] parameter(0)
  factors = s32[{shape}] broadcast(factor), dimensions={{}}
  i = s32[{shape}] iota(), iota_dimension={dim}
  o = s32[{shape}] iota(), iota_dimension=0
  io = s32[{shape}] add(i, o)
  products = s32[{shape}] multiply(io, factors)
  size = s32[] constant(11)
  sizes = s32[{shape}] broadcast(size), dimensions={{}}
  a = s32[{shape}] remainder(products, sizes)
  start = s32[] constant({start})
  c = s32[{shape}] reduce-window(a, start), {window}to_apply=combine
  ROOT part = s32[{count}] slice(c), slice={{{slice}}}
}}'''


def cumulative(file):
    """Windows over everything before or after, as JAX writes cumsum and its kin. `last` is associative, but does not commute."""
    bodies = {'add': ('  ROOT z = s32[] add(x, y)', lambda x, y: x + y, 0), 'maximum': ('  ROOT z = s32[] maximum(x, y)', max, -1),
              'last': ('  zero = s32[] constant(0)\n  none = pred[] compare(y, zero), direction=EQ\n  ROOT z = s32[] select(none, x, y)',
                       lambda x, y: x if y == 0 else y, 0)}
    for shape, dim, step in (((700,), 0, 9), ((3, 150), 1, 7), ((40, 40), 0, 3), ((65,), 0, 1), ((2, 90, 2), 1, 5), ((1030,), 0, 13)):
        for kind, backwards in (('add', False), ('last', False), ('last', True), ('maximum', True)):
            body, function, start = bodies[kind]
            n = shape[dim]
            windows = [Window(n, pad=(0, n - 1) if backwards else (n - 1, 0)) if d == dim else Window(1) for d in range(len(shape))]
            i, o = np.indices(shape)[dim], np.indices(shape)[0]
            a = np.moveaxis((i + o) * 7919 % 11, dim, -1).astype(np.int32)
            want = np.empty_like(a)
            for at in itertools.product(*(range(m) for m in a.shape[:-1])):
                row = a[at].tolist()
                if backwards:
                    state = row[-1]
                    states = [state]
                    for x in row[-2::-1]:
                        state = function(x, state)
                        states.append(state)
                    row = [function(start, s) for s in reversed(states)]
                else:
                    row = [s for s in itertools.accumulate([start, *row], function)][1:]
                want[at] = row
            want = np.moveaxis(want, -1, dim)
            steps = [step if d == dim else 1 for d in range(len(shape))]
            part = want[tuple(slice(0, m, s) for m, s in zip(shape, steps))]
            name = f'cumulative_{kind}_{"x".join(map(str, shape))}_{"backwards" if backwards else "forwards"}'
            text = CUMULATIVE.format(name=name, body=body, shape=','.join(map(str, shape)), dim=dim, start=start, window=window_text(windows),
                                     count=','.join(map(str, part.shape)), slice=', '.join(f'[0:{m}:{s}]' for m, s in zip(shape, steps)))
            file.case(name, text, [array('s32', 7919)], [part])


def reduce_window():
    file = File('reduce_window', 'reduce-window: windows of all kinds, computations, several arrays, types, layouts, cumulative windows.')
    rng = random.Random('reduce_window')
    W = Window

    def case(*arguments, **options):
        reduce_window_case(file, *arguments, **options)

    def v(*shape, t='f32'):
        return small_ints(t, shape, rng, -9, 9)
    case('vector', v(7), 0, [W(3)], classic=True)
    case('vector_stride', v(8), 0, [W(3, 2)])
    case('vector_same_padding', v(7), 0, [W(3, pad=(1, 1))])
    case('vector_window_1', v(7), 0, [W(1)])
    case('vector_window_1_stride', v(7), 0, [W(1, 3)])
    case('vector_whole', v(7), 0, [W(7)])
    case('window_does_not_fit', v(3), 0, [W(4)])
    case('window_larger_than_base', v(3), 0, [W(9, pad=(5, 4))])
    case('window_dilation', v(9), 0, [W(3, rhs_dilate=2)])
    case('base_dilation', v(4), 0, [W(3, lhs_dilate=2)])
    case('base_dilation_stride', v(5), 0, [W(2, 3, (2, 3), lhs_dilate=4)])
    case('base_dilation_stride_common', v(5), 0, [W(3, 4, (1, 3), lhs_dilate=6)])
    case('both_dilations', v(5), 0, [W(3, 2, (1, 2), 3, 2)])
    case('negative_padding', v(9), 0, [W(3, pad=(-2, -1))])
    case('negative_padding_dilated', v(6), 0, [W(2, 1, (-3, 2), 2, 3)])
    case('negative_padding_cuts_all', v(3), 0, [W(2, pad=(-5, 7))])
    case('initial_value_once', v(5), 100, [W(3, pad=(1, 1))])
    case('initial_value_in_holes', v(3), 100, [W(2, pad=(1, 2), lhs_dilate=3)])
    case('in_order', v(6, t='s32'), 1, [W(3, pad=(2, 1))], kind='twice_plus')
    case('in_order_matrix', v(4, 5, t='s32'), 1, [W(2), W(3, 2, (1, 0))], kind='twice_plus')
    case('not_commutative', v(6, t='s32'), 10, [W(2, pad=(1, 0))], kind='subtract')
    case('matrix', v(5, 6), 0, [W(2), W(3)], classic=True)
    case('matrix_strides', v(6, 7), 0, [W(2, 2), W(3, 3)], kind='maximum')
    case('matrix_all_kinds', v(5, 6), 0, [W(2, 2, (1, 2), 2, 1), W(3, 1, (-1, 2), 1, 2)])
    case('pooling_nhwc', v(2, 5, 6, 3), -100, [W(1), W(3, 2, (1, 1)), W(3, 2, (1, 0)), W(1)], kind='maximum')
    case('pooling_nchw', v(2, 3, 5, 6), 0, [W(1), W(1), W(2, 2), W(2, 2)])
    case('rank_5', v(2, 3, 2, 3, 2), 0, [W(2), W(2, pad=(0, 1)), W(1), W(3, 1, (1, 1)), W(2, 1, (1, 0))])
    case('reversal_changes_nothing', v(5, t='s32'), 1, [W(3, pad=(1, 1), reversal=1)], kind='maximum')
    case('scalar', v(), 3, [])
    case('empty_base', v(0, 3), 0, [W(1), W(2)])
    case('empty_base_padded', v(0), 5, [W(2, pad=(2, 1))])
    case('column_major', v(5, 6), 0, [W(2), W(3)], layout=(0, 1), result_layout=(0, 1))
    case('layouts_differ', v(3, 5, 6), 0, [W(2), W(1, 2), W(3)], layout=(1, 2, 0), result_layout=(0, 2, 1))
    special = array('f32', [1, math.nan, 2, math.inf, -math.inf, 3, -0.0, 0.0])
    for kind, initial in (('maximum', -math.inf), ('minimum', math.inf)):
        function = np.max if kind == 'maximum' else np.min
        windows = np.lib.stride_tricks.sliding_window_view(special, 2)
        text = module(f'{kind}_special', [special, array('f32', initial)], None, 'f32[7]', 'reduce-window($), window={size=2}, to_apply=combine',
                      combiner(kind, 'f32'))
        want = function(windows, axis=1)
        want[6] = 0.0 if kind == 'maximum' else -0.0
        file.case(f'{kind}_special', text, [special, array('f32', initial)], [want])
    for t in ('f32', 's32', 'u8', 'f64', 'bf16'):
        arg_max_case(file, f'arg_max_{t}', t, (9,), [W(3, 2, (1, 1))], rng)
    arg_max_case(file, 'arg_max_pooling', 'f32', (2, 6, 5, 2), [W(1), W(2, 2), W(3, 2, (1, 1)), W(1)], rng)
    arg_max_case(file, 'arg_max_large', 'f32', (40, 33), [W(2), W(2)], rng)
    arg_max_case(file, 'arg_max_layouts', 'f32', (4, 5, 3), [W(2), W(2), W(1)], rng, layouts=((0, 1, 2), (1, 0, 2)), result_layouts=((2, 0, 1), (0, 2, 1)))
    arg_max_case(file, 'arg_max_cumulative', 'f32', (3, 70), [W(1), W(70, pad=(69, 0))], rng)
    # Examples of the operation semantics.
    case('seed_max_of_4x6', v(4, 6), -math.inf, [W(2, 2), W(3, 3)], kind='maximum')
    numbers = array('f32', [10000, 1000, 100, 10, 1])
    largest = et.FLOATS['f32'].largest
    case('seed_minimum_valid', numbers, largest, [W(3, 2)], kind='minimum')
    case('seed_minimum_same', numbers, largest, [W(3, 2, (1, 1))], kind='minimum')
    case('seed_all_parameters', array('s32', [[1, 2], [3, 4], [5, 6]]), 0, [W(2, 4, (2, 1), 2, 3), W(1)])


def reduce_window_types():
    file = File('reduce_window_types', 'reduce-window: element types, and the order of sums.')
    rng = random.Random('reduce_window_types')
    W = Window

    def case(*arguments, **options):
        reduce_window_case(file, *arguments, **options)

    def v(*shape, t='f32'):
        return small_ints(t, shape, rng, -9, 9)
    for t in ('pred', 's2', 's4', 's8', 's16', 's32', 's64', 'u2', 'u4', 'u8', 'u16', 'u32', 'u64', 'bf16', 'f16', 'f64', 'c64', 'c128', 'f8e4m3fn', 'f8e5m2'):
        kind, initial = ('or', 0) if t == 'pred' else ('add', 0)
        case(f'sum_{t}', small_ints(t, (9,), rng, -3, 3), initial, [W(3, 2, (1, 1))], kind=kind)
        if t not in et.COMPLEX and t not in ('pred', 's2', 'u2'):
            case(f'maximum_{t}', small_ints(t, (3, 4), rng, -5, 5), 0 if t[0] == 'u' else -6, [W(2, pad=(1, 0)), W(2)], kind='maximum')
            case(f'minimum_{t}', small_ints(t, (3, 4), rng, -5, 5), 6, [W(2, pad=(1, 0)), W(2)], kind='minimum')
    case('product_f64', v(8, t='f64'), 1, [W(3)], kind='multiply')
    case('product_bf16', small_ints('bf16', (8,), rng, -3, 3), 1, [W(3)], kind='multiply')
    case('bf16_whole', np.ones((600,), et.DTYPES['bf16']), 0, [W(600)])  # one window is a reduction
    # Every step rounds, in the order of the window; cumulative windows go in blocks.
    gen = np.random.default_rng(4)

    def in_order(name, t, shape, windows, want):
        a = gen.normal(0, 1, shape).astype(et.DTYPES[t])
        text = module(name, [a, array(t, 0)], [None, None], shape_text(t, want(a).shape), f'reduce-window($), {window_text(windows)}to_apply=combine',
                      combiner('add', t))
        file.case(name, text, [a, array(t, 0)], [want(a)], order=True)
    for t in ('bf16', 'f16', 'f8e4m3fn', 'f32'):
        in_order(f'{t}_3x3_in_order', t, (6, 7), [W(3), W(3)],
                 lambda a: fold(np.stack([a[i:i + 4, j:j + 5] for i in range(3) for j in range(3)])))
        for n, lanes in ((9, 2), (300 if t == 'f16' else 40, 1)):
            for backwards, pad in ((False, (n - 1, 0)), (True, (0, n - 1))):
                in_order(f'{t}_{n}_cumulative_{"backwards" if backwards else "forwards"}_in_order', t, (n, lanes), [W(n, pad=pad), W(1)],
                         lambda a, backwards=backwards: cumulate_in_order(a, backwards))
    for way, pad in (('forwards', (16, 0)), ('backwards', (0, 16))):  # many rows of adjacent elements
        in_order(f'f32_rows_cumulative_{way}_in_order', 'f32', (33, 17), [W(1), W(17, pad=pad)], lambda a, way=way: cumulate_in_order(a.T, way == 'backwards').T)
    in_order('bf16_whole_in_order', 'bf16', (100, 2), [W(100), W(1)], lambda a: reduce_in_order(a, [0])[None])


def cumulative_starts(file):
    """Few elements. What is beside the array does not count: XLA adds the number up once for some of it."""
    rng = random.Random('cumulative_starts')
    W = Window
    for t, shape in (('f32', (5,)), ('f32', (40,)), ('f64', (37, 2)), ('bf16', (20,))):
        for way in ('forwards', 'backwards'):
            n, a, start = shape[0], small_ints(t, shape, rng, -5, 5), array(t, 3)
            pad = (n - 1, 0) if way == 'forwards' else (0, n - 1)
            windows = [W(n, pad=pad)] + [W(1)] * (len(shape) - 1)
            sums = np.cumsum(a if way == 'forwards' else a[::-1], 0, np.float64) + 3
            want = (sums if way == 'forwards' else sums[::-1]).astype(et.DTYPES[t])
            name = f'cumulative_{t}_{"x".join(map(str, shape))}_{way}_starts'
            text = module(name, [a, start], [None, None], shape_text(t, shape), f'reduce-window($), {window_text(windows)}to_apply=combine',
                          combiner('add', t))
            file.case(name, text, [a, start], [want])


# ---- convolution ----

class Labels:
    """dim_labels: which dimension of input, kernel and output plays which part."""

    def __init__(self, text):
        self.text = text
        left, output = text.split('->')
        source, kernel = left.split('_')
        self.rank = len(source) - 2
        self.source, self.kernel, self.output = source, kernel, output

    @staticmethod
    def arrange(a, part, order):
        """The array with its dimensions in the order of `order`."""
        return a.transpose([part.index(c) for c in order])


def convolution_value(source, kernel, windows, labels, feature_groups=1, batch_groups=1, result=None):
    spatial = ''.join(map(str, range(labels.rank)))
    t = et.NAMES[source.dtype]
    result = result or t
    x = python_values(labels.arrange(source, labels.source, 'bf' + spatial))
    w = python_values(labels.arrange(kernel, labels.kernel, 'oi' + spatial))
    outputs, inputs = w.shape[:2]
    groups = max(feature_groups, batch_groups)
    batch = x.shape[0] // batch_groups
    places = [v.positions(n) for v, n in zip(windows, x.shape[2:])]
    value = np.zeros((batch, outputs, *places), dtype=object)
    for b, o, *position in np.ndindex(value.shape):
        group = o // (outputs // groups) if outputs else 0
        total = 0
        for tap, at in meetings(windows, position, x.shape[2:]):
            tap = tuple(v.size - 1 - k if v.reversal else k for v, k in zip(windows, tap))
            for i in range(inputs):
                f = i + (group * inputs if feature_groups > 1 else 0)
                total += x[(b + (group * batch if batch_groups > 1 else 0), f, *at)] * w[(o, i, *tap)]
        value[(b, o, *position)] = total
    value = value.transpose([('bf' + spatial).index(c) for c in labels.output])
    if result == 'pred':
        return np.vectorize(lambda v: v > 0, otypes=[bool])(value)
    return typed(result, value)


def convolution_case(file, name, source, kernel, windows, labels='bf01_oi01->bf01', feature_groups=1, batch_groups=1, result=None, layouts=None,
                     result_layout=None, classic=False, tolerance=None, extra=''):
    labels = Labels(labels)
    result = result or et.NAMES[source.dtype]
    windows = [w if isinstance(w, Window) else Window(w) for w in windows]
    want = convolution_value(source, kernel, windows, labels, feature_groups, batch_groups, result)
    attributes = f'{window_text(windows)}dim_labels={labels.text}'
    if feature_groups > 1:
        attributes += f', feature_group_count={feature_groups}'
    if batch_groups > 1:
        attributes += f', batch_group_count={batch_groups}'
    text = module(name, [source, kernel], layouts, shape_text(result, want.shape, result_layout), f'convolution($), {attributes}{extra}', classic=classic)
    file.case(name, text, [source, kernel], [want], tolerance, layouts)


def convolution():
    file = File('convolution', 'convolution: dimension numbers, strides, padding, dilations, reversal, groups, layouts.')
    rng = random.Random('convolution')
    W = Window

    def case(*arguments, **options):
        convolution_case(file, *arguments, **options)

    def v(*shape, t='f32'):
        return small_ints(t, shape, rng)
    case('plain', v(1, 2, 5, 6), v(3, 2, 3, 2), [3, 2], classic=True)
    case('same_padding', v(2, 2, 4, 5), v(3, 2, 3, 3), [W(3, pad=(1, 1)), W(3, pad=(1, 1))])
    case('strides', v(1, 2, 7, 8), v(3, 2, 3, 2), [W(3, 2), W(2, 3)])
    case('padding_uneven', v(1, 2, 4, 4), v(2, 2, 3, 3), [W(3, pad=(2, 0)), W(3, 2, (1, 3))])
    case('padding_negative', v(1, 2, 7, 6), v(2, 2, 2, 3), [W(2, pad=(-2, -1)), W(3, 1, (-1, 2))])
    case('padding_negative_cuts_all', v(1, 1, 3, 3), v(1, 1, 2, 2), [W(2, pad=(-5, 7)), W(2)])
    case('lhs_dilation', v(1, 2, 3, 4), v(2, 2, 3, 3), [W(3, pad=(2, 2), lhs_dilate=2), W(3, pad=(1, 1), lhs_dilate=3)])
    case('lhs_dilation_stride', v(1, 2, 4, 4), v(2, 2, 3, 3), [W(3, 3, (2, 2), lhs_dilate=2), W(3, 2, (1, 1), lhs_dilate=4)])
    case('rhs_dilation', v(1, 2, 7, 7), v(2, 2, 3, 2), [W(3, rhs_dilate=2), W(2, rhs_dilate=3)])
    case('all_dilations', v(1, 2, 5, 6), v(2, 2, 3, 2), [W(3, 2, (3, 2), 2, 2), W(2, 1, (-1, 4), 3, 2)])
    case('reversal', v(1, 2, 5, 5), v(2, 2, 3, 2), [W(3, reversal=1), W(2, reversal=1)])
    case('reversal_of_one', v(1, 2, 5, 5), v(2, 2, 3, 2), [W(3, 2, (1, 1), reversal=1), W(2, 1, (0, 1), 2)])
    case('one_by_one', v(2, 3, 4, 4), v(5, 3, 1, 1), [1, 1])
    case('one_by_one_stride', v(2, 3, 5, 4), v(5, 3, 1, 1), [W(1, 2), W(1, 3)])
    case('one_by_one_nhwc', v(2, 4, 4, 3), v(1, 1, 3, 5), [1, 1], 'b01f_01io->b01f')
    case('nhwc_hwio', v(2, 5, 4, 3), v(3, 2, 3, 4), [W(3, pad=(1, 1)), 2], 'b01f_01io->b01f', classic=True)
    case('mixed_labels', v(3, 5, 2, 4), v(2, 3, 4, 3), [W(3, pad=(1, 0)), 2], 'f0b1_1io0->1b0f')
    case('spatial_dimensions_crossed', v(1, 2, 5, 6), v(3, 2, 2, 3), [3, 2], 'bf01_oi10->bf10')
    case('no_spatial_dimensions', v(3, 4), v(5, 4), [], 'bf_oi->bf')
    case('no_spatial_dimensions_transposed', v(4, 3), v(4, 5), [], 'fb_io->fb')
    case('one_dimension', v(2, 3, 8), v(4, 3, 3), [W(3, 2, (1, 2))], 'bf0_oi0->bf0')
    case('one_dimension_wide', v(1, 1, 100), v(1, 1, 7), [W(7, pad=(3, 3))], 'bf0_oi0->bf0')
    case('three_dimensions', v(1, 2, 3, 4, 3), v(2, 2, 2, 2, 2), [2, W(2, 2), W(2, pad=(1, 0))], 'bf012_oi012->bf012')
    case('four_dimensions', v(1, 1, 2, 3, 2, 3), v(2, 1, 2, 2, 1, 2), [2, 2, 1, W(2, pad=(0, 1))], 'bf0123_oi0123->bf0123')
    case('feature_groups', v(2, 6, 4, 4), v(4, 3, 2, 2), [2, 2], feature_groups=2)
    case('depthwise', v(2, 4, 5, 3), v(3, 3, 1, 3), [W(3, pad=(1, 1)), 3], 'b01f_01io->b01f', feature_groups=3)
    case('depthwise_multiplier', v(1, 4, 4, 3), v(2, 2, 1, 6), [2, W(2, 2)], 'b01f_01io->b01f', feature_groups=3)
    case('feature_groups_dilated', v(1, 4, 5, 5), v(6, 2, 2, 2), [W(2, 2, (1, 1), 2), W(2, rhs_dilate=2)], feature_groups=2)
    case('batch_groups', v(4, 3, 4, 4), v(6, 3, 2, 2), [2, 2], batch_groups=2)
    case('batch_groups_of_one', v(3, 2, 4, 4), v(6, 2, 2, 2), [W(2, pad=(1, 0)), 2], batch_groups=3)
    case('batch_groups_nhwc', v(6, 4, 3, 2), v(2, 2, 2, 3), [2, W(2, rhs_dilate=2)], 'b01f_01io->b01f', batch_groups=3)
    case('kernel_larger_than_input', v(1, 1, 3, 3), v(1, 1, 4, 2), [4, 2])
    case('one_output', v(1, 3, 4, 4), v(1, 3, 4, 4), [4, 4])
    case('no_batch', v(0, 2, 4, 4), v(3, 2, 2, 2), [2, 2])
    case('no_input_features', v(2, 0, 4, 4), v(3, 0, 2, 2), [2, 2])
    case('no_output_features', v(2, 2, 4, 4), v(0, 2, 2, 2), [2, 2])
    case('empty_input_padded', v(1, 2, 0, 4), v(3, 2, 2, 2), [W(2, pad=(1, 2)), 2])
    case('column_major', v(1, 2, 5, 6), v(3, 2, 3, 2), [3, 2], layouts=[(0, 1, 2, 3), (0, 1, 2, 3)], result_layout=(0, 1, 2, 3))
    case('layouts_differ', v(2, 2, 5, 4), v(3, 2, 3, 2), [W(3, pad=(1, 1)), W(2, 2)], layouts=[(1, 3, 2, 0), (2, 0, 3, 1)], result_layout=(1, 2, 3, 0))
    case('groups_layouts', v(2, 4, 4, 3), v(4, 2, 2, 2), [2, 2], feature_groups=2, layouts=[(1, 0, 3, 2), (0, 1, 3, 2)], result_layout=(3, 1, 0, 2))
    case('operand_precision', v(1, 2, 4, 4), v(3, 2, 2, 2), [2, 2], extra=', operand_precision={highest,highest}')
    large_convolutions(file)
    # The pseudo-code of the operation semantics, and lhs_dilation as transposed convolution.
    case('seed_2d_padding_and_stride', v(1, 2, 6, 5), v(2, 2, 3, 3), [W(3, 2, (1, 1)), W(3, 2, (2, 3))])
    case('seed_padding_2_3', v(1, 1, 3, 3), v(1, 1, 2, 2), [2, W(2, pad=(2, 3))])
    case('seed_stride_3', v(1, 1, 7, 4), v(1, 1, 1, 2), [W(1, 3), 2])
    case('seed_transposed', v(1, 1, 3, 3), v(1, 1, 3, 3), [W(3, 1, (2, 2), 2, reversal=1), W(3, 1, (2, 2), 2, reversal=1)])
    case('seed_atrous', v(1, 1, 7, 7), v(1, 1, 3, 3), [W(3, rhs_dilate=2), W(3, rhs_dilate=3)])


LARGE = '''HloModule {name}

ENTRY main {{
  factor = s32[] parameter(0)
  i = s32[{size}] iota(), iota_dimension=0
  j = s32[{kernel_size}] iota(), iota_dimension=0
  f = s32[{size}] broadcast(factor), dimensions={{}}
  g = s32[{kernel_size}] broadcast(factor), dimensions={{}}
  fi = s32[{size}] multiply(i, f)
  gj = s32[{kernel_size}] multiply(j, g)
  eleven = s32[] constant(11)
  elevens = s32[{size}] broadcast(eleven), dimensions={{}}
  five = s32[] constant(5)
  fives = s32[{kernel_size}] broadcast(five), dimensions={{}}
  x = s32[{size}] remainder(fi, elevens)
  k = s32[{kernel_size}] remainder(gj, fives)
  xf = f32[{size}] convert(x)
  kf = f32[{kernel_size}] convert(k)
  input = f32[{shape}] reshape(xf)
  kernel = f32[{kernel_shape}] reshape(kf)
  c = f32[{out}] convolution(input, kernel), {attributes}
  ROOT r = f32[{count}] slice(c), slice={{{slice}}}
}}'''


def large_convolutions(file):
    """More rows than are made at a time, so that parts begin inside of spatial dimensions; expectations are XLA's alone."""
    W = Window
    for name, shape, kernel, windows, labels, steps in (
            ('rows_in_parts', (2, 1, 220, 210), (3, 1, 5, 5), [W(5, pad=(2, 3)), W(5, pad=(1, 2))], 'bf01_oi01->bf01', (1, 1, 37, 29)),
            ('rows_in_parts_dilated', (1, 110, 130, 4), (3, 3, 4, 2), [W(3, 1, (2, 2), 2, 2), W(3, 1, (-1, 3), 2, reversal=1)], 'b01f_01io->b01f', (1, 13, 31, 1)),
            ('rows_in_parts_of_a_line', (1, 30000, 1), (40, 1, 2), [W(40, 1, (7, 5))], 'b0f_0io->b0f', (1, 997, 1))):
        parts = Labels(labels)
        places = {str(d): w.positions(shape[parts.source.index(str(d))]) for d, w in enumerate(windows)}
        places['b'], places['f'] = shape[parts.source.index('b')], kernel[parts.kernel.index('o')]
        out = [places[c] for c in parts.output]
        text = LARGE.format(name=name, size=math.prod(shape), kernel_size=math.prod(kernel), shape=','.join(map(str, shape)), kernel_shape=','.join(map(str, kernel)),
                            out=','.join(map(str, out)), attributes=f'{window_text(windows)}dim_labels={labels}',
                            count=','.join(str(-(-n // s)) for n, s in zip(out, steps)), slice=', '.join(f'[0:{n}:{s}]' for n, s in zip(out, steps)))
        file.case(name, text, [array('s32', 7919)])


def convolution_types():
    file = File('convolution_types', 'convolution: element types, preferred element types, rounding.')
    rng = random.Random('convolution_types')
    W = Window

    def case(*arguments, **options):
        convolution_case(file, *arguments, **options)
    for t in ('f64', 'bf16', 'f16', 's8', 's16', 's32', 's64', 'u8', 'u16', 'u32', 'u64', 's4', 'u4', 's2', 'u2', 'pred', 'c64', 'c128'):
        case(f'plain_{t}', small_ints(t, (1, 2, 4, 3), rng), small_ints(t, (2, 2, 2, 2), rng), [W(2, pad=(1, 0)), W(2, 2)])
        if t not in ('pred', 's2', 'u2', 's4', 'u4'):
            case(f'groups_{t}', small_ints(t, (1, 4, 3, 3), rng), small_ints(t, (2, 2, 2, 2), rng), [2, W(2, 1, (0, 1), 2)], feature_groups=2)
    for t, result in (('s8', 's32'), ('u8', 's32'), ('u8', 'u32'), ('s4', 's32'), ('s16', 's64'), ('bf16', 'f32'), ('f16', 'f32'), ('f32', 'f64'),
                      ('f8e4m3fn', 'f32'), ('f8e5m2', 'f32'), ('f8e4m3fn', 'bf16')):
        high = {'s8': 127, 'u8': 255, 's4': 7, 's16': 300, 'f8e4m3fn': 4, 'f8e5m2': 4}.get(t, 60)
        case(f'widening_{t}_to_{result}', small_ints(t, (1, 3, 4, 4), rng, -high, high), small_ints(t, (2, 3, 3, 3), rng, -high, high), [3, 3], result=result)
    low, high = et.int_range('s32')
    case('s32_wraps', array('s32', [[[low, high, 3, high]]]), array('s32', [[[high, high, 5]]]), [3], 'bf0_oi0->bf0')
    case('bf16_accumulates_in_f32', np.ones((1, 1, 600), et.DTYPES['bf16']), np.ones((1, 1, 600), et.DTYPES['bf16']), [600], 'bf0_oi0->bf0')
    gen = np.random.default_rng(11)
    for t, tolerance in (('f32', {'abs': 2e-5}), ('f64', {'abs': 1e-13}), ('bf16', {'abs': 3e-2, 'ulp': 1}), ('f16', {'abs': 3e-3, 'ulp': 1})):
        x, w = (gen.normal(0, 1, shape).astype(et.DTYPES[t]) for shape in ((1, 5, 6, 7), (3, 5, 3, 3)))
        case(f'{t}_rounding', x, w, [W(3, pad=(1, 1)), W(3, 2, (1, 1))], tolerance=tolerance)
    x, w = ((gen.normal(0, 1, shape) + 1j * gen.normal(0, 1, shape)).astype(np.complex64) for shape in ((1, 3, 4, 5), (2, 3, 2, 2)))
    case('c64_rounding', x, w, [2, 2], tolerance={'abs': 2e-5})


def make():
    reduce_window()
    reduce_window_types()
    convolution()
    convolution_types()
    cumulative(File('reduce_window_cumulative', 'reduce-window over everything before or after each element.'))
    cumulative_starts(File('reduce_window_cumulative_starts', 'Cumulative sums of few elements that start with another number than 0.'))
