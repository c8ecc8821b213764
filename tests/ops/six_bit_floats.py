"""Operations on floats of six bits, which XLA's CPU backend has not: exact results, rounded once.

The types are finite: arguments whose result is NaN have no case, as with f4e2m1fn.
"""
import math

import numpy as np

import element_types as et
import reference
from cases import File
from elementwise import FLOAT_UNARY, identifier, program, tolerance_of
from reference import float_op


def values(t):
    return np.arange(64, dtype=np.uint8).view(et.DTYPES[t]).astype(np.float64).tolist()


def elementwise(file, op, t, rows):
    """A case of the rows whose result is a number."""
    rows = [row for row in rows if not math.isnan(float_op('f32', op, *row))]
    columns = [et.array(t, column) for column in zip(*rows)]
    want = reference.apply(t, op, columns)
    shape = et.shape_text(t, want.shape)
    text = program(f'{identifier(op)}_{t}', op, shape, len(columns), et.shape_text(et.NAMES[want.dtype], want.shape))
    file.case(f'{identifier(op)}_{t}', text, columns, [want], tolerance_of(t, op), trust=False)


def next_after(file, t):
    order = sorted(set(values(t)))
    rows = [(a, b) for a in values(t)[::3] for b in values(t)[::5]]

    def neighbour(a, b):
        if a == b:
            return b
        return order[order.index(a) + (1 if a < b else -1)] or math.copysign(0.0, a)
    columns = [et.array(t, column) for column in zip(*rows)]
    text = program(f'next_after_{t}', 'next-after', et.shape_text(t, columns[0].shape), 2)
    file.case(f'next_after_{t}', text, columns, [et.array(t, [neighbour(a, b) for a, b in rows])], trust=False)


def structural(file, t):
    x, y = et.array(t, [0.5, -1.5, 2.0, -0.0]), et.array(t, [0.5, 1.5, -2.0, 0.0])
    which = np.array([True, False, False, True])
    wide = x.astype(np.float64)

    def case(op, arrays, want, attributes=''):
        name = f'{identifier(op)}_{t}'
        shapes = [et.shape_text(et.NAMES[a.dtype], a.shape) for a in arrays]
        text = program(name, op, shapes, len(arrays), et.shape_text(et.NAMES[want.dtype], want.shape), attributes=attributes)
        file.case(name, text, arrays, [want], trust=False)
    case('compare', [x, y], wide < y.astype(np.float64), ', direction=LT')
    case('select', [which, x, y], np.where(which, x, y))
    case('clamp', [et.array(t, -1.0), x, et.array(t, 1.0)], et.array(t, np.clip(wide, -1, 1)))
    case('is-finite', [x], np.ones(4, bool))
    case('reduce-precision', [x], et.array(t, [0.5, -1.5, 2.0, -0.0]), ', exponent_bits=5, mantissa_bits=1')
    case('broadcast', [x], np.stack([x, x]), ', dimensions={1}')
    case('iota', [], et.array(t, [0, 1, 2, 3]), ', iota_dimension=0')
    case('dot', [x, et.array(t, [1.0, 0.5, 1.0, 2.0])], et.array(t, 1.75), ', lhs_contracting_dims={0}, rhs_contracting_dims={0}')


def make():
    file = File('six_bit_floats', 'Operations on f6e2m3fn and f6e3m2fn, which are finite.')
    for t in et.SIX_BITS:
        for op in FLOAT_UNARY:
            elementwise(file, op, t, [(v,) for v in values(t)])
        few = values(t)[::3]
        elementwise(file, 'power', t, [(a, b) for a in few for b in few][::3])
        next_after(file, t)
        structural(file, t)
