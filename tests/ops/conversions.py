"""Cases of compare, convert, bitcast-convert, reduce-precision and the ops that change the element type elementwise.

convert: all pairs of types. Float to integer truncates and saturates, NaN becomes 0; to a float type rounds once to
nearest even; to pred tests for non-zero; complex to real takes the real part.
"""
import math
import random

import numpy as np

import element_types as et
from cases import File
from element_types import array, shape_text
from elementwise import float_specials, float_values, int_values, pairs, program

DIRECTIONS = ['EQ', 'NE', 'LT', 'LE', 'GT', 'GE']


# ---- compare ----

def relation(direction, a, b):
    return {'EQ': a == b, 'NE': a != b, 'LT': a < b, 'LE': a <= b, 'GT': a > b, 'GE': a >= b}[direction]


def total_key(t, value):
    """The order -NaN < -inf < ... < -0 < +0 < ... < inf < NaN as an integer."""
    dtype = et.DTYPES[t]
    bits = int(np.asarray(value, dtype=dtype).view(f'u{dtype.itemsize}'))
    sign = 1 << (8 * dtype.itemsize - 1)
    return ~bits & (2 * sign - 1) if bits & sign else bits | sign


def compare_case(file, name, direction, t, a, b, want, kind=''):
    shape = shape_text(t, a.shape)
    text = program(name, 'compare', shape, 2, shape_text('pred', a.shape), attributes=f', direction={direction}{kind}')
    file.case(name, text, [a, b], [np.array(want, dtype=bool).reshape(a.shape)])


def compare():
    integers = File('compare_integers', 'compare of pred and the integer types.')
    rng = random.Random('compare')
    for t in ('pred', *et.INTEGERS):
        values = [0, 1] if t == 'pred' else int_values(t)
        chosen = pairs(values, 36, rng)
        a, b = (array(t, column) for column in zip(*chosen))
        for direction in DIRECTIONS if t in ('pred', 's8', 's32', 'u32', 's64', 'u64') else ('NE', 'LT'):
            compare_case(integers, f'{direction}_{t}', direction, t, a, b, [relation(direction, int(x), int(y)) for x, y in chosen])
    floats = File('compare_floats', 'compare of the float types: NaN is unordered, the zeros are equal.')
    for t in et.XLA_FLOATS:
        chosen = pairs(float_specials(t) + float_values(t, rng, 2), 40 if t in ('f32', 'f64') else 25, rng)
        a, b = (array(t, column) for column in zip(*chosen))
        for direction in DIRECTIONS if t in ('f32', 'f64', 'bf16', 'f16') else ('EQ', 'GE'):
            compare_case(floats, f'{direction}_{t}', direction, t, a, b, [relation(direction, float(x), float(y)) for x, y in zip(a, b)])
    total = File('compare_total_order', 'compare with type=TOTALORDER: -NaN < -inf < ... < -0 < +0 < ... < inf < NaN.')
    for t in ('f32', 'f64', 'bf16', 'f16'):
        dtype = et.DTYPES[t]
        nan = np.array(math.nan, dtype)
        values = [np.negative(nan), dtype.type(-math.inf), dtype.type(-1), dtype.type(-0.0), dtype.type(0), dtype.type(1), dtype.type(math.inf), nan]
        a = np.array([x for x in values for _ in values], dtype)
        b = np.array([y for _ in values for y in values], dtype)
        for direction in DIRECTIONS:
            want = [relation(direction, total_key(t, x), total_key(t, y)) for x, y in zip(a, b)]
            compare_case(total, f'{direction}_{t}', direction, t, a, b, want, ', type=TOTALORDER')
    for t in ('f8e3m4', 'f8e4m3', 'f8e5m2'):  # NaNs too are in the order of their bits
        codes = np.arange(256, dtype=np.uint8)
        codes = codes[np.isnan(codes.view(et.DTYPES[t]).astype(np.float64))][::2]
        codes = np.concatenate([codes, np.uint8([0, 0x80])])
        a, b = np.repeat(codes, len(codes)), np.tile(codes, len(codes))
        n = a.size
        for direction in ('LT', 'EQ', 'GE'):
            text = (f'HloModule nans\n\nENTRY main {{\n  p0 = u8[{n}] parameter(0)\n  p1 = u8[{n}] parameter(1)\n'
                    f'  a = {t}[{n}] bitcast-convert(p0)\n  b = {t}[{n}] bitcast-convert(p1)\n'
                    f'  ROOT r = pred[{n}] compare(a, b), direction={direction}, type=TOTALORDER\n}}')
            want = [relation(direction, total_key('u8', x), total_key('u8', y)) for x, y in zip(a, b)]
            total.case(f'{direction}_{t}_nans', text, [a, b], [np.array(want)])
    file = File('compare', 'compare: complex types, the type attribute, ranks.')
    for t in et.COMPLEX:
        values = [1 + 2j, 1 - 2j, 0j, complex(math.nan, 0), complex(0, math.inf), complex(-0.0, 0.0)]
        chosen = pairs(values, 36, rng)
        a, b = (array(t, column) for column in zip(*chosen))
        for direction in ('EQ', 'NE'):
            compare_case(file, f'{direction}_{t}', direction, t, a, b, [relation(direction, x, y) for x, y in zip(a, b)])
    # `type=` written out, as older dumps do.
    a, b = array('f32', [1, math.nan, -0.0]), array('f32', [1, math.nan, 0.0])
    compare_case(file, 'type_float', 'EQ', 'f32', a, b, [True, False, True], ', type=FLOAT')
    compare_case(file, 'type_signed', 'LT', 's32', array('s32', [-1, 1]), array('s32', [1, -1]), [True, False], ', type=SIGNED')
    compare_case(file, 'type_unsigned', 'LT', 'u32', array('u32', [2 ** 32 - 1, 1]), array('u32', [1, 2 ** 32 - 1]), [False, True], ', type=UNSIGNED')
    for shape in ((), (0,), (2, 0, 3), (2, 1, 3), (1, 2, 1, 2, 1, 2)):
        n = math.prod(shape)
        a, b = (array('s32', [rng.randint(0, 2) for _ in range(n)]).reshape(shape) for _ in range(2))
        compare_case(file, f'GE_rank{len(shape)}_{n}', 'GE', 's32', a, b, (a >= b).reshape(-1))
    return file


# ---- convert ----

def convert_value(source, target, value):
    """One element; `value` is a Python bool, int, float or complex."""
    if isinstance(value, complex) and target not in et.COMPLEX:
        value = value.real
    if target == 'pred':
        return value != 0
    if target in et.INTEGERS:
        low, high = et.int_range(target)
        if isinstance(value, float):
            if math.isnan(value):
                return 0
            return low if value <= low else high if value >= high else math.trunc(value)
        return et.wrap(target, int(value))
    if target in et.COMPLEX:
        part = et.COMPLEX[target]
        value = complex(value) if not isinstance(value, int) else complex(et.round_to(part, value), 0)
        return complex(et.round_to(part, value.real), et.round_to(part, value.imag))
    return et.round_to(target, value)


def python_values(t, a):
    kind = bool if t == 'pred' else int if t in et.INTEGERS else complex if t in et.COMPLEX else float
    return [kind(v) for v in a]


def sources(t, rng):
    if t == 'pred':
        return [False, True]
    if t in et.INTEGERS:
        low, high = et.int_range(t)
        # around the ends of narrower types, and ties of the narrower floats
        edges = [127, 128, 129, 255, 256, 257, 2049, 2051, 32767, 32768, 65535, 65536, 16777217, 16777219, 2 ** 31 - 1, 2 ** 31, 2 ** 32,
                 2 ** 53 + 1, 2 ** 63 - 1]
        edges = [e for v in edges for e in (v, -v) if low <= e <= high]
        values = int_values(t) + edges
        return list(dict.fromkeys(values))
    if t in et.COMPLEX:
        return [1 + 2j, -2.75 + 0j, 0j, 300.5 - 1j, 1e10 + 1e-3j, complex(0, 3)]
    values = float_specials(t) + [v for x in (0.5, 1.5, 2.5, 0.99, 7.5, 3.7, 100.25, 126.5, 127.4, 127.5, 128, 200, 255.4, 255.6, 256, 3e4, 65520,
                                              1e6, 2147483520, 2147483648, 4294967040, 4294967296, 9.2e18, 9.3e18, 1.9e19, 1e30,
                                              1.0009765625 + 2 ** -11, 1.00390625, 1.01171875, 3e-8, 5e-5, 6e-41)
                                  for v in (et.round_to(t, x), et.round_to(t, -x))]
    kept = {}
    for v in values:
        kept.setdefault((math.copysign(1, v), v if v == v else 'nan'), v)
    return list(kept.values())


def convert():
    rng = random.Random('convert')
    for source in et.ALL:
        if source == et.SCALE:
            continue
        file = File(f'convert_from_{source}', f'convert: from {source} to every element type.')
        a = array(source, sources(source, rng))
        few = a if len(a) <= 24 else a[np.sort(np.array(rng.sample(range(len(a)), 24)))]
        if source in et.SMALL_FLOATS:  # every value there is, once
            codes = np.arange(16 if source == 'f4e2m1fn' else 256, dtype=np.uint8)
            every = codes.view(et.DTYPES[source])
        for target in et.ALL:
            if target in (et.SCALE, source) or (source in et.COMPLEX and target == 'pred'):
                continue
            x = a if target in ('f32', 'f64', 'bf16', 'f16', 's8', 'u8', 's32', 'u32', 's64', 'u64') and source not in et.SMALL_FLOATS else few
            if source in et.SMALL_FLOATS and target == 'f32':
                x = every
            if target == 'f4e2m1fn':
                x = x[np.array([math.isfinite(abs(v)) for v in python_values(source, x)])]
            want = array(target, [convert_value(source, target, v) for v in python_values(source, x)])
            case = f'{source}_to_{target}'
            file.case(case, program(case, 'convert', shape_text(source, x.shape), 1, shape_text(target, x.shape)), [x], [want])
    file = File('convert', 'convert: shapes, layouts, the scale type, examples.')
    scale = array(et.SCALE, [2.0 ** -127, 0.25, 1, 2, 2.0 ** 127, math.nan])
    for target in ('f32', 'f64', 'bf16'):
        file.case(f'f8e8m0fnu_to_{target}', program(f'scale_to_{target}', 'convert', 'f8e8m0fnu[6]', 1, f'{target}[6]'), [scale],
                  [scale.astype(np.float64).astype(et.DTYPES[target])])
    file.case('f32_to_f8e8m0fnu', program('to_scale', 'convert', 'f32[5]', 1, 'f8e8m0fnu[5]'), [array('f32', [0.25, 1, 2, 1024, math.nan])],
              [array(et.SCALE, [0.25, 1, 2, 1024, math.nan])])
    file.case('seed_convert', program('seed_convert', 'convert', 's32[3]', 1, 'f32[3]'), [array('s32', [0, 1, 2])], [array('f32', [0, 1, 2])])
    for shape in ((), (0,), (0, 3), (2, 3, 2), (1, 2, 1, 2, 1, 2)):
        a = array('f32', [rng.randint(-9, 9) + 0.5 for _ in range(math.prod(shape))]).reshape(shape)
        name = f'f32_to_s32_rank{len(shape)}_{a.size}'
        file.case(name, program(name, 'convert', shape_text('f32', shape), 1, shape_text('s32', shape)), [a], [np.trunc(a).astype(np.int32)])
    a = np.arange(6, dtype=np.float32).reshape(2, 3)
    file.case('layouts', program('layouts', 'convert', 'f32[2,3]{0,1}', 1, 'f64[2,3]{1,0}'), [a], [a.astype(np.float64)], layouts=[(0, 1)])
    file.case('same_type', program('same_type', 'convert', 'f32[2,3]', 1, 'f32[2,3]'), [a], [a])


# ---- bitcast-convert ----

def bitcast():
    file = File('bitcast_convert', 'bitcast-convert: same width, to narrower (new last dimension), to wider (last dimension goes).')
    gen = np.random.default_rng(11)

    def case(source, target, a):
        width = et.DTYPES[target].itemsize
        if a.dtype.itemsize == width:
            want = a.view(et.DTYPES[target])
        elif a.dtype.itemsize > width:
            want = np.ascontiguousarray(a).reshape(*a.shape, 1).view(et.DTYPES[target])
        else:
            want = np.ascontiguousarray(a).view(et.DTYPES[target])[..., 0]
        name = f'{source}_{"x".join(map(str, a.shape))}_to_{target}'
        file.case(name, program(name, 'bitcast-convert', shape_text(source, a.shape), 1, shape_text(target, want.shape)), [a], [want])
    eight = ['s8', 'u8', 'f8e4m3fn', 'f8e5m2', 'f8e4m3', 'f8e4m3b11fnuz', 'f8e4m3fnuz', 'f8e5m2fnuz', 'f8e3m4']
    sixteen, thirty_two, sixty_four = ['s16', 'u16', 'bf16', 'f16'], ['s32', 'u32', 'f32'], ['s64', 'u64', 'f64']
    for group in (eight, sixteen, thirty_two, sixty_four):
        unsigned = et.DTYPES[group[1]]
        codes = gen.integers(0, 1 << (8 * unsigned.itemsize - 1), 12, dtype=np.uint64).astype(unsigned)
        codes[0], codes[1] = 0, 1 << (8 * unsigned.itemsize - 1)
        for other in group:
            if other != group[1]:
                case(group[1], other, codes)
                back = codes.view(et.DTYPES[other])
                back = back[~np.isnan(back.astype(np.float64))]
                case(other, group[1], back)
    numbers = array('f32', [1, -2.5, 3.75, 0.1])
    case('f32', 's32', numbers)
    case('f32', 'f16', array('f32', [1.5, 100]))
    for wide, narrow in (('s32', 's8'), ('u32', 'u16'), ('f64', 'u8'), ('u64', 'u32'), ('f64', 's32'), ('f32', 'bf16'), ('u16', 'u8')):
        dtype = et.DTYPES[wide]
        a = gen.integers(0, 100, (2, 3)).astype(np.float64) + 0.5 if wide[0] == 'f' else gen.integers(0, 60000, (2, 3))
        a = a.astype(dtype)
        case(wide, narrow, a)
        case(wide, narrow, a[0, 0].reshape(()))
        case(wide, narrow, np.zeros((0, 2), dtype))
        narrowed = np.ascontiguousarray(a).reshape(2, 3, 1).view(et.DTYPES[narrow])
        case(narrow, wide, narrowed)
        case(narrow, wide, narrowed[0, 0])
    # The shapes of the operation semantics.
    a = array('f32', [1, 2, 0.5, -4, 8, 16, 0.25, 100, 3, 0])
    pair = np.ascontiguousarray(a).reshape(10, 1).view(np.float16)
    for name, source, target, x, want in (('seed_bitcast_f32_10_to_f16_10x2', 'f32[10]{0}', 'f16[10,2]{1,0}', a, pair),
                                          ('seed_bitcast_f32_to_f16_2', 'f32[]', 'f16[2]{0}', a[1], pair[1]),
                                          ('seed_bitcast_f16_10x2_to_f32_10', 'f16[10,2]{1,0}', 'f32[10]{0}', pair, a)):
        file.case(name, program(name, 'bitcast-convert', source, 1, target, classic=True), [x], [want])
    low_high = array('u8', [[0x21, 0x43], [0x65, 0x87]])
    file.case('u8_to_u4_low_bits_first', program('u8_to_u4', 'bitcast-convert', 'u8[2,2]', 1, 'u4[2,2,2]'), [low_high],
              [array('u4', [[[1, 2], [3, 4]], [[5, 6], [7, 8]]])])
    file.case('u4_to_u8_low_bits_first', program('u4_to_u8', 'bitcast-convert', 'u4[2,2]', 1, 'u8[2]'), [array('u4', [[1, 2], [15, 8]])],
              [array('u8', [0x21, 0x8f])])
    file.case('s32_layouts', program('s32_layouts', 'bitcast-convert', 's32[2,3]{0,1}', 1, 'f32[2,3]{1,0}'),
              [array('f32', [[1, 2, 3], [4, 5, 6]]).view(np.int32)], [array('f32', [[1, 2, 3], [4, 5, 6]])], layouts=[(0, 1)])
    return file


# ---- reduce-precision ----

def reduced(t, value, exponent_bits, mantissa_bits):
    """Rounds to a format with the given bits; subnormals of the small format are flushed to zero."""
    if math.isnan(value) or math.isinf(value) or value == 0:
        return value
    f = et.FLOATS[t]
    emax = min((1 << (exponent_bits - 1)) - 1, f.emax) if exponent_bits > 1 else 0
    emin = max(1 - emax, f.emin) if exponent_bits > 1 else 1
    precision = min(mantissa_bits + 1, f.precision)
    exponent = math.frexp(value)[1] - 1
    quantum = 2.0 ** (max(exponent, f.emin) - precision + 1)
    rounded = float(np.rint(value / quantum)) * quantum
    if abs(rounded) >= 2.0 ** (emax + 1) if emax < 1023 else math.isinf(rounded):
        return math.copysign(math.inf, value)
    if abs(rounded) < 2.0 ** emin and (1 << (exponent_bits - 1)) - 1 < f.emax:
        return math.copysign(0.0, value)
    return rounded


def reduce_precision():
    file = File('reduce_precision', 'reduce-precision: rounding of the mantissa, overflow to infinity, small numbers to zero.')
    rng = random.Random('reduce_precision')
    for t, formats in (('f32', ((5, 10), (8, 7), (4, 3), (5, 2), (8, 23), (11, 52), (8, 0), (2, 5), (6, 16))),
                       ('f64', ((8, 23), (5, 10), (11, 52), (11, 20))), ('bf16', ((5, 10), (4, 3), (8, 4))), ('f16', ((5, 2), (4, 3), (8, 7)))):
        values = [v for v in float_specials(t) if not 0 < abs(v) < et.FLOATS[t].smallest_normal] + float_values(t, rng, 20) + float_values(t, rng, 20, -30, 30)
        values += [et.round_to(t, v) for v in (1.0009765625 + 2 ** -11, 1 + 2 ** -11, 1.00390625, 1.01171875, 65504, 65519, 65520, 3.9e-5, 448, 464, 1.0625, 1.1875)]
        for e, m in formats:
            a = array(t, values)
            want = array(t, [reduced(t, float(v), e, m) for v in a])
            name = f'{t}_e{e}m{m}'
            file.case(name, program(name, 'reduce-precision', shape_text(t, a.shape), 1, attributes=f', exponent_bits={e}, mantissa_bits={m}'), [a], [want])
    for t in ('f8e3m4', 'f8e4m3', 'f8e4m3fn', 'f8e4m3b11fnuz', 'f8e4m3fnuz', 'f8e5m2', 'f8e5m2fnuz', 'f4e2m1fn'):  # as f16, XLA's way
        codes = [*range(16)] if t == 'f4e2m1fn' else [*range(16), *range(18, 112, 6), *range(112, 144), *range(250, 256)]
        a = np.array(codes, np.uint8).view(et.DTYPES[t])
        for e, m in ((5, 10), (4, 3), (3, 4), (5, 2)):
            want = array(t, [et.round_to(t, reduced('f16', float(v), e, m)) for v in a])
            name = f'{t}_e{e}m{m}'
            file.case(name, program(name, 'reduce-precision', shape_text(t, a.shape), 1, attributes=f', exponent_bits={e}, mantissa_bits={m}'), [a], [want])
    return file


# ---- complex, real, imag, is-finite ----

def parts():
    file = File('complex_parts', 'complex, real, imag (also of real operands), is-finite, complex abs.')
    inf, nan = math.inf, math.nan
    for real, whole in (('f32', 'c64'), ('f64', 'c128')):
        re, im = array(real, [1, -0.0, inf, nan, 0, 3]), array(real, [2, 0.0, nan, -inf, -0.0, -4])
        z = np.empty(6, et.DTYPES[whole])
        z.real, z.imag = re, im
        file.case(f'complex_{whole}', program(f'complex_{whole}', 'complex', shape_text(real, (6,)), 2, shape_text(whole, (6,))), [re, im], [z])
        file.case(f'real_{whole}', program(f'real_{whole}', 'real', shape_text(whole, (6,)), 1, shape_text(real, (6,))), [z], [re])
        file.case(f'imag_{whole}', program(f'imag_{whole}', 'imag', shape_text(whole, (6,)), 1, shape_text(real, (6,))), [z], [im])
        file.case(f'abs_{whole}_special', program(f'abs_{whole}', 'abs', shape_text(whole, (4,)), 1, shape_text(real, (4,))),
                  [array(whole, [3 + 4j, complex(inf, 1), complex(1, -inf), 0j])], [array(real, [5, inf, inf, 0])])
        big = et.FLOATS[real].largest / 2
        file.case(f'abs_{whole}_does_not_overflow', program(f'abs_{whole}_big', 'abs', shape_text(whole, (2,)), 1, shape_text(real, (2,))),
                  [array(whole, [complex(big, 0), complex(big * 0.75, big)])], [array(real, [big, big * 1.25])], {'ulp': 2})
        file.case(f'rank_3_{whole}', program(f'rank_3_{whole}', 'complex', shape_text(real, (1, 2, 2)), 2, shape_text(whole, (1, 2, 2)), classic=True),
                  [array(real, [[[1, 2], [3, 4]]]), array(real, [[[5, 6], [7, 8]]])], [array(whole, [[[1 + 5j, 2 + 6j], [3 + 7j, 4 + 8j]]])])
        file.case(f'empty_{whole}', program(f'empty_{whole}', 'real', f'{whole}[0,2]', 1, f'{real}[0,2]'), [np.zeros((0, 2), et.DTYPES[whole])],
                  [np.zeros((0, 2), et.DTYPES[real])])
    for t in ('f32', 'f64', 'bf16', 'f16'):
        x = array(t, [1, -2.5, inf, -0.0])
        file.case(f'real_{t}', program(f'real_{t}', 'real', shape_text(t, (4,)), 1), [x], [x])
        file.case(f'imag_{t}', program(f'imag_{t}', 'imag', shape_text(t, (4,)), 1), [x], [array(t, [0, 0, 0, 0])])
    for t in et.XLA_FLOATS:
        x = array(t, float_specials(t))
        file.case(f'is_finite_{t}', program(f'is_finite_{t}', 'is-finite', shape_text(t, x.shape), 1, shape_text('pred', x.shape)), [x],
                  [np.isfinite(x.astype(np.float64))])
    return file


def make():
    compare()
    convert()
    bitcast()
    reduce_precision()
    parts()
