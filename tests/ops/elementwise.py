"""Cases of the elementwise ops: all applicable element types with their special values, shapes and layouts.

One file per op. Expectations come from reference.py; XLA is asked too and differences are reported.
"""
import math
import random

import numpy as np

import element_types as et
import reference
from cases import File

WIDE = ['f32', 'f64', 'bf16', 'f16']
FLOAT_BINARY = ['add', 'subtract', 'multiply', 'divide', 'remainder', 'maximum', 'minimum', 'power', 'atan2']
INTEGER_BINARY = ['add', 'subtract', 'multiply', 'divide', 'remainder', 'maximum', 'minimum', 'power', 'and', 'or', 'xor',
                  'shift-left', 'shift-right-logical', 'shift-right-arithmetic']
PRED_BINARY = ['and', 'or', 'xor', 'add', 'multiply', 'maximum', 'minimum']
FLOAT_UNARY = [*reference.EXACT_UNARY, *reference.ROUNDED_UNARY]
INTEGER_UNARY = ['abs', 'negate', 'sign', 'not', 'popcnt', 'count-leading-zeros']
BINARY = list(dict.fromkeys(FLOAT_BINARY + INTEGER_BINARY))
UNARY = list(dict.fromkeys(FLOAT_UNARY + INTEGER_UNARY))


# ---- values ----

def float_specials(t):
    f = et.FLOATS[t]
    values = [0.0, 1.0, -1.0, f.largest, -f.largest, f.smallest, -f.smallest, f.smallest_normal]
    if f.negative_zero:
        values.insert(1, -0.0)
    if f.nan:
        values.insert(0, math.nan)
    if f.infinity:
        values[1:1] = [math.inf, -math.inf]
    return values


def float_values(t, rng, count, low=-6, high=6):
    """Values of both signs, spread evenly over the exponents low..high that the type has."""
    f = et.FLOATS[t]
    low, high = max(low, f.emin), min(high, f.emax)
    return [et.round_to(t, rng.choice((-1, 1)) * 2.0 ** rng.uniform(low, high)) for _ in range(count)]


def int_values(t):
    low, high = et.int_range(t)
    wanted = [0, 1, 2, 3, 7, 10, 100, -1, -2, -3, -7, -100, high, high - 1, low, low + 1, high // 3]
    return list(dict.fromkeys(v for v in wanted if low <= v <= high))


def complex_values(rng, count):
    grid = [complex(a, b) for a in (0.5, -1.25, 3) for b in (0.75, -2, 0.125)]
    return grid + [complex(rng.uniform(-3, 3), rng.uniform(-3, 3)) for _ in range(count)]


def pairs(values, count, rng):
    """All pairs, or `count` of them drawn at random where there are more."""
    every = [(a, b) for a in values for b in values]
    return every if len(every) <= count else rng.sample(every, count)


# ---- tolerances ----

def tolerance_of(t, op):
    if t in et.COMPLEX:
        if op in ('add', 'subtract', 'negate'):
            return None
        return {'abs': 2e-6, 'rel': 4e-6} if t == 'c64' else {'abs': 4e-15, 'rel': 8e-15}
    if op in reference.CORRECTLY_ROUNDED or op in reference.EXACT_UNARY or op in reference.EXACT_BINARY:
        return None
    return {'ulp': 2} if t == 'f32' else {'ulp': 1}


# ---- programs ----

def program(name, op, shape, operands, result=None, classic=False, attributes=''):
    """A module of one op over its parameters; `classic` writes `%` and operand shapes as older dumps do."""
    lines = [f'HloModule {name}', '']
    parameters = [f'p{i}' for i in range(operands)]
    shapes = shape if isinstance(shape, list) else [shape] * operands
    result = result or shapes[0]
    if classic:
        lines.append(f'ENTRY %main ({", ".join(f"{p}: {s}" for p, s in zip(parameters, shapes))}) -> {result} {{')
        lines += [f'  %{p} = {s} parameter({i})' for i, (p, s) in enumerate(zip(parameters, shapes))]
        called = ', '.join(f'{s} %{p}' for p, s in zip(parameters, shapes))
        lines.append(f'  ROOT %r = {result} {op}({called}){attributes}')
    else:
        lines.append('ENTRY main {')
        lines += [f'  {p} = {s} parameter({i})' for i, (p, s) in enumerate(zip(parameters, shapes))]
        lines.append(f'  ROOT r = {result} {op}({", ".join(parameters)}){attributes}')
    return '\n'.join(lines + ['}'])


def add_case(file, name, op, t, arrays, classic=False, layouts=None, result_layout=None):
    want = reference.apply(t, op, arrays)
    shapes = [et.shape_text(t, a.shape, layouts[i] if layouts else None) for i, a in enumerate(arrays)]
    result = et.shape_text(et.NAMES[want.dtype], want.shape, result_layout)
    file.case(name, program(name.replace('.', '_'), op, shapes, len(arrays), result, classic), arrays, [want],
              tolerance_of(t, op), layouts)


def identifier(op):
    return op.replace('-', '_')


def shape_cases(file, op, arity, t, rng):
    """Ranks 0 to 6, zero-sized dimensions and layouts."""
    def fill(shape):
        count = math.prod(shape)
        values = [rng.randint(1, 9) for _ in range(count)] if t in et.INTEGERS else [rng.randint(1, 64) / 8 for _ in range(count)]
        return et.array(t, values).reshape(shape)
    name = identifier(op)
    for shape in ((), (1,), (7,), (2, 3), (3, 1, 2), (2, 2, 1, 3), (1, 2, 2, 2, 1), (2, 1, 2, 1, 2, 2)):
        add_case(file, f'{name}_{t}_rank{len(shape)}_{math.prod(shape)}', op, t, [fill(shape) for _ in range(arity)])
    for shape in ((0,), (2, 0), (0, 3), (2, 0, 3)):
        add_case(file, f'{name}_{t}_empty_{"x".join(map(str, shape))}', op, t, [fill(shape) for _ in range(arity)])
    arrays = [fill((2, 3)) for _ in range(arity)]
    add_case(file, f'{name}_{t}_column_major', op, t, arrays, layouts=[(0, 1)] * arity, result_layout=(0, 1))
    add_case(file, f'{name}_{t}_mixed_layouts', op, t, arrays, layouts=([(0, 1), (1, 0)] * 2)[:arity], result_layout=(1, 0))
    arrays = [fill((2, 3, 4)) for _ in range(arity)]
    add_case(file, f'{name}_{t}_layout_102', op, t, arrays, classic=True, layouts=([(1, 0, 2), (2, 0, 1)] * 2)[:arity],
             result_layout=(0, 2, 1))


def binary(op):
    file = File(identifier(op), f'{op}: elementwise binary.')
    name, rng = identifier(op), random.Random(op)
    if op in FLOAT_BINARY:
        for t in (*WIDE, *et.SMALL_FLOATS):
            special = pairs(float_specials(t), 160 if t in ('f32', 'f64') else 60 if t in WIDE else 30, rng)
            ordinary = pairs(float_values(t, rng, 12), 40 if t in WIDE else 16, rng)
            if op == 'power':
                special += [(2.0, 3.0), (-2.0, 3.0), (-2.0, 0.5), (-8.0, 1 / 3), (0.5, -1.0), (4.0, 0.5), (0.0, -1.0)]
            chosen = [(et.round_to(t, a), et.round_to(t, b)) for a, b in special + ordinary]
            if not et.FLOATS[t].nan:  # NaN has no value in f4e2m1fn: keep to pairs whose result is a number
                chosen = [p for p in chosen if not math.isnan(reference.float_op('f32', op, *p))]
            add_case(file, f'{name}_{t}', op, t, [et.array(t, column) for column in zip(*chosen)], classic=t == 'f64')
    if op in INTEGER_BINARY:
        for t in et.INTEGERS:
            if op.startswith('shift'):
                width = et.INTEGERS[t]
                counts = [c for c in (0, 1, 2, width - 1, width, width + 1, -1, 127) if et.int_range(t)[0] <= c <= et.int_range(t)[1]]
                chosen = [(v, c) for v in int_values(t) for c in counts][:90]
            else:
                chosen = pairs(int_values(t), 100, rng)
            add_case(file, f'{name}_{t}', op, t, [et.array(t, column) for column in zip(*chosen)], classic=t == 'u8')
    if op in PRED_BINARY:
        add_case(file, f'{name}_pred', op, 'pred', [np.array([False, False, True, True]), np.array([False, True, False, True])])
    if op in reference.COMPLEX_BINARY:
        for t in et.COMPLEX:
            x = complex_values(rng, 6)
            y = rng.sample(x, len(x))
            add_case(file, f'{name}_{t}', op, t, [et.array(t, x), et.array(t, y)])
    if op in ('add', 'maximum', 'power', 'atan2'):
        shape_cases(file, op, 2, 'f32', rng)
    if op in ('multiply', 'and', 'shift-left'):
        shape_cases(file, op, 2, 's32', rng)
    return file


def unary(op):
    file = File(identifier(op), f'{op}: elementwise unary.')
    name, rng = identifier(op), random.Random(op)
    if op in FLOAT_UNARY:
        for t in (*WIDE, *et.SMALL_FLOATS):
            n = 70 if t in ('f32', 'f64') else 40 if t in WIDE else 16
            values = float_specials(t) + float_values(t, rng, n // 2) + float_values(t, rng, n // 2, -30, 30)
            values += [et.round_to(t, v) for v in (0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999997, 3.5, 1e-3, -1e-3, 88.5, -104.0)]
            if t in ('f32', 'f64'):
                values += float_values(t, rng, 16, *((-126, 127) if t == 'f32' else (-1000, 1000)))
            if not et.FLOATS[t].nan:
                values = [v for v in values if not math.isnan(reference.float_op('f32', op, v))]
            add_case(file, f'{name}_{t}', op, t, [et.array(t, values)], classic=t == 'f64')
    if op in INTEGER_UNARY:
        for t in et.SIGNED if op in ('abs', 'sign') else et.INTEGERS:
            add_case(file, f'{name}_{t}', op, t, [et.array(t, int_values(t))], classic=t == 's8')
    if op == 'not':
        add_case(file, 'not_pred', op, 'pred', [np.array([False, True])])
    if op in reference.COMPLEX_UNARY:
        for t in et.COMPLEX:
            add_case(file, f'{name}_{t}', op, t, [et.array(t, complex_values(rng, 8))])
    if op in ('negate', 'tanh'):
        shape_cases(file, op, 1, 'f32', rng)
    if op in ('popcnt',):
        shape_cases(file, op, 1, 's32', rng)
    return file


def result_accuracy():
    """The optional attribute of the unary ops with several implementations; it never makes a result worse."""
    file = File('result_accuracy', 'result_accuracy: modes and tolerances of the unary functions.')
    rng = random.Random('result_accuracy')
    for op, t, accuracy in (('exponential', 'f32', '{mode=highest}'), ('log', 'f32', '{mode=default}'), ('tanh', 'f64', '{mode=highest}'),
                            ('sine', 'f32', '{tolerance={atol=0.001, rtol=0.001, ulps=4}}'), ('rsqrt', 'f64', '{tolerance={atol=0, rtol=0, ulps=8}}'),
                            ('logistic', 'bf16', '{mode=highest}')):
        x = et.array(t, [abs(v) for v in float_values(t, rng, 12)])
        name = f'{identifier(op)}_{t}'
        text = program(name, op, et.shape_text(t, x.shape), 1, attributes=f', result_accuracy={accuracy}')
        file.case(name, text, [x], [reference.apply(t, op, [x])], tolerance_of(t, op))
    # Where the program asks for one unit in the last place, f32's functions are those of f64, rounded.
    for op in ('exponential', 'log', 'tanh', 'sine', 'logistic', 'rsqrt', 'log-plus-one'):
        for asked, accuracy in (('highest', '{mode=highest}'), ('one_ulp', '{tolerance={atol=0, rtol=0, ulps=1}}'),
                                ('rtol', '{tolerance={atol=0, rtol=1.2e-7, ulps=0}}')):
            x = et.array('f32', [abs(v) for v in float_values('f32', rng, 40)])
            text = program(asked, op, et.shape_text('f32', x.shape), 1, attributes=f', result_accuracy={accuracy}')
            file.case(f'{identifier(op)}_{asked}', text, [x], [reference.apply('f32', op, [x])])


def complex_edges():
    """Where parts cancel, overflow or nearly vanish; what the specification's formulas make of NaN."""
    file = File('complex_edges', 'Complex functions where parts cancel, overflow or nearly vanish.')
    inf, nan = math.inf, math.nan

    def case(name, op, t, operands, want, ulp=2):
        arrays = [et.array(t, column) for column in zip(*operands)]
        want = reference.apply(t, op, arrays) if want is None else et.array(t, want)
        shape = et.shape_text(t, arrays[0].shape)
        file.case(f'{name}_{t}', program(f'{name}_{t}', op, shape, len(arrays)), arrays, [want], {'ulp': ulp} if ulp else None)

    least = 5e-324
    case('exponential_subnormal', 'exponential', 'c128', [(3 + least * 1j,), (complex(3, -least),), (complex(1.5, 3e-323),), (complex(-1, 2.2250738585072014e-308),)], None, 0)
    case('log_plus_one_near_circle', 'log-plus-one', 'c128', [(0.001 + 0.5931840179946497j,), (-0.3 + 0.7j,), (-0.123 - 0.48j,), (1e-9 - 0.6j,), (-1 + 1e-17j,), (1e5 - 3j,)], None)
    case('cbrt_small_angle', 'cbrt', 'c128', [(complex(2.0 ** 1020, 1),), (complex(8, -3e-320),)],
         [complex(2.0 ** 340, 2.0 ** -680 / 3), complex(2, -2.5e-321)])
    case('divide_cancelling', 'divide', 'c128', [
        (-0.35750447625072107 - 0.4195031040284757j, 0.5019061475410557 + 0.5388878826660289j),
        (0.6123627636495189 - 1.9690808150917747j, 0.9582759035581175 - 2.8314219958990683j),
        (-1.444372141392679 - 4.161442263407919j, 1.3318667618626745 + 4.819647507689616j),
        (-1.858409749079477 - 2.9257195018090694j, -4.319861553689248 + 3.253235295643578j)], None)
    for t, big in (('c64', et.FLOATS['f32'].largest), ('c128', et.FLOATS['f64'].largest)):
        # z / |z|, where |z| may be infinite
        case('sign_overflow', 'sign', t, [(complex(big, big),), (complex(-big, big),), (complex(big, 0),), (complex(big / 2, -big / 2),), (complex(inf, 1),), (complex(1, -inf),)],
             [0, complex(-0.0, 0), 1, complex(0.5 ** 0.5, -0.5 ** 0.5), complex(nan, 0), complex(0, nan)], 2)
        tiny = et.FLOATS[et.COMPLEX[t]].smallest  # whose modulus is rounded to the same number
        case('sign_subnormal', 'sign', t, [(complex(tiny, -tiny),), (complex(-tiny, 0),)], [1 - 1j, -1])
        case('sine_infinite', 'sine', t, [(complex(inf, -inf),), (complex(-inf, inf),), (complex(nan, -inf),)], [complex(nan, inf)] * 3)
        case('logistic_nan', 'logistic', t, [(complex(nan, 0),), (complex(nan, -0.0),), (complex(0, nan),)], [complex(nan, nan)] * 3)
        case('power_overflow', 'power', t, [(-919 + 2.5j, 280 - 0.0625j), (-1.5 + 0.125j, 3600), (-1.5 + 0.125j, -3600)],
             [complex(inf, -inf), complex(-inf, inf), complex(0, 0)])


def make():
    complex_edges()
    result_accuracy()
    for op in BINARY:
        binary(op)
    for op in UNARY:
        unary(op)
