"""Cases of get-dimension-size and set-dimension-size on arrays that fill their bounds, and of stochastic-convert."""
import math
import random

import numpy as np

import element_types as et
from cases import File
from element_types import array, shape_text
from elementwise import float_specials, float_values
from structural import numbered


def sizes():
    file = File('get_dimension_size', 'get-dimension-size: types, dimensions, layouts.')
    for name, t, shape, dim, layout in (('vector', 'f32', (5,), 0, None), ('rows', 's8', (3, 4), 0, None), ('columns', 'c64', (3, 4), 1, (0, 1)),
                                        ('empty', 'f32', (0, 4), 0, None), ('empty_other', 'pred', (0, 4), 1, None), ('rank_4', 'bf16', (2, 3, 1, 2), 1, None)):
        a = numbered(t, shape)
        text = (f'HloModule {name}\n\nENTRY main {{\n  a = {shape_text(t, shape, layout)} parameter(0)\n'
                f'  ROOT n = s32[] get-dimension-size(a), dimensions={{{dim}}}\n}}')
        file.case(name, text, [a], [array('s32', shape[dim])], None, [layout] if layout else None)
    file = File('set_dimension_size', 'set-dimension-size to the whole bound: the operand as it is.')
    for name, t, shape, dim in (('vector', 'f32', (10,), 0), ('rows', 's32', (3, 4), 0), ('columns', 'u8', (3, 4), 1)):
        a = numbered(t, shape)
        bounded = f'{t}[{",".join(("<=" if d == dim else "") + str(n) for d, n in enumerate(shape))}]'
        text = (f'HloModule {name}\n\nENTRY main {{\n  a = {shape_text(t, shape)} parameter(0)\n  n = s32[] parameter(1)\n'
                f'  ROOT r = {bounded} set-dimension-size(a, n), dimensions={{{dim}}}\n}}')
        file.case(name, text, [a, array('s32', shape[dim])], [a], trust=False)


def stochastic(t, result, x, random_bits):
    """Rounded away from zero when the random fraction is less than the value's own; then saturated."""
    if math.isnan(x):
        return 0
    low, high = et.int_range(result)
    if math.isinf(x):
        return high if x > 0 else low
    bits = 8 * et.DTYPES[t].itemsize
    whole = math.floor(abs(x))
    fraction = int((abs(x) - whole) * 2 ** bits) if abs(x) < 2 ** 53 else 0
    rounded = whole + (random_bits < fraction)
    return min(max(-rounded if x < 0 else rounded, low), high)


def stochastic_convert():
    file = File('stochastic_convert', 'stochastic-convert: floats to integers, rounded by given random bits.')
    rng = random.Random('stochastic_convert')
    for t, u in (('f32', 'u32'), ('f16', 'u16'), ('bf16', 'u16'), ('f64', 'u64')):
        width = et.INTEGERS[u]
        for result in ('s8', 's16', 's32', 's64', 'u8', 'u32'):
            values = float_specials(t) + [0.5, -0.5, 1.25, 1.25, -1.25, -1.75, 126.5, 127.5, 127.5, -128.5, 3.0, -2.0] + float_values(t, rng, 12)
            quarter = 1 << (width - 2)
            bits = [rng.choice((0, 1, quarter - 1, quarter, 2 * quarter, 3 * quarter, (1 << width) - 1, rng.randrange(1 << width))) for _ in values]
            x = array(t, values)
            want = array(result, [stochastic(t, result, float(v), b) for v, b in zip(x, bits)])
            n = len(values)
            text = (f'HloModule {t}_to_{result}\n\nENTRY main {{\n  x = {t}[{n}] parameter(0)\n  bits = {u}[{n}] parameter(1)\n'
                    f'  ROOT r = {result}[{n}] stochastic-convert(x, bits)\n}}')
            # XLA takes signed results of the operand's width or less, and crashes over others.
            known = result in et.SIGNED and et.INTEGERS[result] <= width
            file.case(f'{t}_to_{result}', text, [x, array(u, bits)], [want], trust=known)
    x, bits = array('f32', [[1.5, -1.5], [2.25, 7]]), array('u32', [[0, 1 << 31], [1 << 29, 5]])
    text = ('HloModule layouts\n\nENTRY main {\n  x = f32[2,2]{0,1} parameter(0)\n  bits = u32[2,2] parameter(1)\n'
            '  ROOT r = s8[2,2]{0,1} stochastic-convert(x, bits)\n}')
    file.case('layouts', text, [x, bits], [array('s8', [[2, -1], [3, 7]])], layouts=[(0, 1), None])


def make():
    sizes()
    stochastic_convert()
