"""Cases of select-and-scatter. The reference goes through the definition position by position."""
import itertools
import math
import random

import numpy as np

import element_types as et
from cases import File
from contractions import small_ints
from element_types import array, shape_text
from indexing import combiner, module, python_values, typed
from windows import FUNCTIONS, Window, meetings, window_text

SELECTS = {'GE': lambda a, b: a >= b, 'GT': lambda a, b: a > b, 'LE': lambda a, b: a <= b, 'LT': lambda a, b: a < b}


def select_and_scatter_value(operand, source, initial, windows, select, scatter):
    x, values = python_values(operand), python_values(source)
    result = np.empty(operand.shape, dtype=object)
    result[...] = initial
    for position in itertools.product(*(range(n) for n in source.shape)):
        chosen = None
        for _, at in meetings(windows, position, operand.shape):
            if chosen is None or not select(x[chosen], x[at]):
                chosen = at
        if chosen is not None:
            result[chosen] = scatter(result[chosen], values[position])
    return typed(et.NAMES[operand.dtype], result)


def select_and_scatter_case(file, name, operand, windows, rng, select='GE', kind='add', initial=0, source=None, layouts=None, result_layout=None, classic=False):
    t = et.NAMES[operand.dtype]
    if source is None:
        source = small_ints(t, tuple(w.positions(n) for w, n in zip(windows, operand.shape)), rng, -9, 9)
    want = select_and_scatter_value(operand, source, initial, windows, SELECTS[select], FUNCTIONS[kind])
    before = (f'choose {{\n  x = {t}[] parameter(0)\n  y = {t}[] parameter(1)\n  ROOT z = pred[] compare(x, y), direction={select}\n}}\n\n' + combiner(kind, t))
    arrays = [operand, source, array(t, initial)]
    text = module(name, arrays, layouts, shape_text(t, operand.shape, result_layout),
                  f'select-and-scatter($), {window_text(windows)}select=choose, scatter=combine', before, classic)
    file.case(name, text, arrays, [want], None, layouts)


def make():
    file = File('select_and_scatter', 'select-and-scatter: windows, ties, padding, selections and combinations, types, layouts.')
    rng = random.Random('select_and_scatter')
    W = Window

    def case(name, operand, windows, **options):
        select_and_scatter_case(file, name, operand, windows, rng, **options)

    def v(*shape, t='f32'):
        return small_ints(t, shape, rng, -9, 9)
    case('vector', v(8), [W(2, 2)], classic=True)
    case('vector_overlapping', v(8), [W(3)])
    case('vector_padding', v(6), [W(3, 2, (1, 1))])
    case('positions_over_padding_alone', v(4), [W(2, pad=(3, 2))], initial=100)
    case('negative_padding', v(8), [W(2, 2, (-1, -2))])
    case('ties_first', np.zeros(6, np.float32), [W(3)], select='GE')
    case('ties_last', np.zeros(6, np.float32), [W(3)], select='GT')
    case('least', v(8), [W(3, 2)], select='LE')
    case('least_last', v(3, 5), [W(2), W(2)], select='LT')
    case('initial', v(6), [W(2, 2)], initial=50)
    case('scatter_in_order', v(9, t='s32'), [W(4)], kind='twice_plus', initial=1)
    case('scatter_subtract', v(5, 6, t='s32'), [W(3), W(2)], kind='subtract')
    case('scatter_maximum', v(5, 6), [W(3), W(2)], kind='maximum', initial=-100)
    case('matrix', v(4, 6), [W(2, 2), W(3, 3)], classic=True)
    case('matrix_uneven', v(5, 7), [W(2, 2, (0, 1)), W(3, 2, (1, 2))])
    case('pooling_nhwc', v(2, 5, 6, 3), [W(1), W(3, 2, (1, 1)), W(2, 2), W(1)])
    case('pooling_nchw', v(2, 3, 4, 4), [W(1), W(1), W(2, 2), W(2, 2)])
    case('window_of_one', v(3, 4), [W(1), W(1)])
    case('whole', v(3, 4), [W(3), W(4)])
    case('does_not_fit', v(3), [W(4)], initial=7)
    case('scalar', v(), [])
    case('empty', v(0, 3), [W(1), W(2)])
    case('empty_padded', v(0), [W(2, pad=(2, 1))])
    case('many_positions', v(60, 40, t='s8'), [W(2), W(2)])
    case('column_major', v(4, 6), [W(2, 2), W(3, 3)], layouts=[(0, 1), (0, 1), None], result_layout=(0, 1))
    case('layouts_differ', v(3, 4, 6), [W(2), W(1), W(3, 2, (1, 0))], layouts=[(1, 2, 0), (2, 0, 1), None], result_layout=(0, 2, 1))
    for t in ('s8', 's16', 's32', 's64', 'u8', 'u16', 'u32', 'u64', 'bf16', 'f16', 'f64'):
        case(f'vector_{t}', v(9, t=t), [W(3, 2)])
    x = array('f32', [1, math.nan, 2, math.inf, -0.0, 0.0])
    text = module('special_values', [x, array('f32', [1, 2, 4, 8, 16]), array('f32', 0)], None, 'f32[6]',
                  'select-and-scatter($), window={size=2}, select=choose, scatter=combine',
                  'choose {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT z = pred[] compare(x, y), direction=GE\n}\n\n' + combiner('add', 'f32'))
    file.case('special_values', text, [x, array('f32', [1, 2, 4, 8, 16]), array('f32', 0)], [array('f32', [0, 1, 2, 12, 16, 0])])
    file.case('select_with_a_branch', BRANCHING, [array('s32', [3, -5, 4, 1, -9, 2]), array('s32', [10, 20, 30])], [array('s32', [0, 10, 20, 0, 30, 0])])
    # The figures of the operation semantics: maximum, addition; disjoint and overlapping windows.
    numbers = array('s32', [[7, 2, 5, 3, 10, 2], [3, 8, 9, 3, 4, 2], [1, 5, 7, 5, 6, 1], [0, 6, 2, 7, 2, 8]])
    case('seed_disjoint', numbers, [W(2, 2), W(3, 3)], source=array('s32', [[2, 6], [3, 1]]))
    case('seed_overlapping', array('s32', [[7, 2, 5, 3, 8], [3, 8, 9, 3, 4], [1, 5, 7, 5, 6], [0, 6, 2, 10, 2]]), [W(2, 2), W(3, 2)],
         source=array('s32', [[2, 6], [3, 1]]))


BRANCHING = '''HloModule select_with_a_branch

keep { ROOT a = s32[] parameter(0) }

opposite {
  a = s32[] parameter(0)
  ROOT n = s32[] negate(a)
}

size {
  a = s32[] parameter(0)
  zero = s32[] constant(0)
  negative = pred[] compare(a, zero), direction=LT
  ROOT s = s32[] conditional(negative, a, a), true_computation=opposite, false_computation=keep
}

larger {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  x = s32[] call(a), to_apply=size
  y = s32[] call(b), to_apply=size
  ROOT r = pred[] compare(x, y), direction=GE
}

combine {
  a = s32[] parameter(0)
  b = s32[] parameter(1)
  zero = s32[] constant(0)
  unset = pred[] compare(a, zero), direction=EQ
  sum = s32[] add(a, b)
  ROOT r = s32[] conditional(unset, b, sum), true_computation=keep, false_computation=keep
}

ENTRY main {
  a = s32[6] parameter(0)
  s = s32[3] parameter(1)
  zero = s32[] constant(0)
  ROOT r = s32[6] select-and-scatter(a, s, zero), window={size=2 stride=2}, select=larger, scatter=combine
}'''
