"""Cases of batch-norm-training, batch-norm-inference and batch-norm-grad. The references are the formulas of the operation
semantics in 240 bits, rounded once.
"""
import math

import mpmath
import numpy as np

import element_types as et
from cases import File
from element_types import array, shape_text
from indexing import module

TOLERANCE = {'f32': {'ulp': 4, 'abs': 2e-6}, 'f64': {'ulp': 4, 'abs': 1e-14}, 'bf16': {'ulp': 1, 'abs': 1e-2}, 'f16': {'ulp': 1, 'abs': 2e-3}}


def rows(a, feature):
    """For each feature its elements as exact numbers."""
    return [[mpmath.mpf(float(v)) for v in np.moveaxis(a, feature, 0)[f].reshape(-1)] for f in range(a.shape[feature])]


def numbers(a):
    return [mpmath.mpf(float(v)) for v in a]


def rounded(t, values, shape, feature=None):
    """Rows of each feature, or a number for each, as an array of type `t`."""
    if feature is None:
        return array(t, [et.round_to(t, v) for v in values]).reshape(len(values))
    moved = [shape[feature]] + [n for d, n in enumerate(shape) if d != feature]
    flat = [et.round_to(t, v) for row in values for v in row]
    return np.moveaxis(array(t, flat).reshape(moved), 0, feature).copy()


def normalized(xs, mean, variance, scale, offset, epsilon):
    return [[s * (x - m) / mpmath.sqrt(v + epsilon) + o for x in row] for row, m, v, s, o in zip(xs, mean, variance, scale, offset)]


def training_value(x, scale, offset, epsilon, feature):
    t = et.NAMES[x.dtype]
    xs = rows(x, feature)
    if not x.size:
        return [x, np.full(x.shape[feature], math.nan).astype(x.dtype), np.full(x.shape[feature], math.nan).astype(x.dtype)]
    mean = [mpmath.fsum(row) / len(row) for row in xs]
    variance = [mpmath.fsum((v - m) ** 2 for v in row) / len(row) for row, m in zip(xs, mean)]
    y = normalized(xs, mean, variance, numbers(scale), numbers(offset), epsilon)
    return [rounded(t, y, x.shape, feature), rounded(t, mean, x.shape), rounded(t, variance, x.shape)]


def inference_value(x, scale, offset, mean, variance, epsilon, feature):
    y = normalized(rows(x, feature), numbers(mean), numbers(variance), numbers(scale), numbers(offset), epsilon)
    return [rounded(et.NAMES[x.dtype], y, x.shape, feature)]


def grad_value(x, scale, mean, variance, gradient, epsilon, feature):
    t = et.NAMES[x.dtype]
    dx, dscale, doffset = [], [], []
    for xs, g, s, m, v in zip(rows(x, feature), rows(gradient, feature), numbers(scale), numbers(mean), numbers(variance)):
        root = mpmath.sqrt(v + epsilon)
        n = len(xs)
        c = mpmath.fsum(a * (b - m) / (v + epsilon) for a, b in zip(g, xs)) / n if n else 0
        d = mpmath.fsum(g) / n if n else 0
        dx.append([s / root * (a - d - c * (b - m)) for a, b in zip(g, xs)])
        dscale.append(mpmath.fsum(a * (b - m) / root for a, b in zip(g, xs)))
        doffset.append(mpmath.fsum(g))
    return [rounded(t, dx, x.shape, feature), rounded(t, dscale, x.shape), rounded(t, doffset, x.shape)]


def case(file, name, op, arrays, value, epsilon, feature, layouts=None, result_layout=None, classic=False):
    t = et.NAMES[arrays[0].dtype]
    want = value(*arrays, mpmath.mpf(float(np.float32(epsilon))), feature)
    parts = [shape_text(t, w.shape, result_layout if w.ndim > 1 else None) for w in want]
    result = parts[0] if len(parts) == 1 else f'({", ".join(parts)})'
    text = module(name, arrays, layouts, result, f'{op}($), epsilon={epsilon}, feature_index={feature}', classic=classic)
    file.case(name, text, arrays, want, TOLERANCE[t], layouts)


FORMS = [  # name, shape, feature_index, epsilon
    ('matrix', (4, 3), 1, 0.001), ('matrix_rows', (3, 4), 0, 0.001), ('image', (2, 3, 4, 3), 3, 1e-05), ('image_nchw', (2, 3, 4, 2), 1, 0.1),
    ('vector', (5,), 0, 0.5), ('one_element', (1, 1), 1, 0.001), ('no_epsilon', (4, 3), 1, 0), ('rank_5', (2, 1, 3, 2, 2), 2, 0.001),
    ('empty_batch', (0, 3), 1, 0.001), ('no_features', (3, 0), 1, 0.001)]


def operands(gen, t, shape, feature, kind):
    dtype = et.DTYPES[t]
    x = gen.normal(0.5, 2, shape).astype(dtype)
    n = shape[feature]
    scale, offset, mean = (gen.normal(0, 1, n).astype(dtype) for _ in range(3))
    variance = gen.uniform(0.1, 3, n).astype(dtype)
    gradient = gen.normal(0, 1, shape).astype(dtype)
    return {'training': [x, scale, offset], 'inference': [x, scale, offset, mean, variance], 'grad': [x, scale, mean, variance, gradient]}[kind]


def make():
    for kind, value in (('training', training_value), ('inference', inference_value), ('grad', grad_value)):
        gen = np.random.default_rng(len(kind))
        op = f'batch-norm-{kind}'
        file = File(f'batch_norm_{kind}', f'{op}: feature dimensions, epsilon, types, layouts.')
        for name, shape, feature, epsilon in FORMS:
            if kind == 'training' and name in ('vector', 'one_element', 'no_epsilon') and epsilon == 0:
                continue
            case(file, name, op, operands(gen, 'f32', shape, feature, kind), value, epsilon, feature, classic=name == 'matrix')
        for t in ('f64', 'bf16', 'f16'):
            case(file, f'matrix_{t}', op, operands(gen, t, (6, 3), 1, kind), value, 0.001, 1)
            case(file, f'image_{t}', op, operands(gen, t, (2, 2, 3, 2), 1, kind), value, 0.001, 1)
        arrays = operands(gen, 'f32', (2, 3, 4), 1, kind)
        layouts = [(0, 1, 2) if a.ndim == 3 else None for a in arrays]
        case(file, 'layouts', op, arrays, value, 0.001, 1, layouts, (1, 2, 0))
        # The formulas of the operation semantics, with m batches of w x h.
        case(file, 'seed_mwh', op, operands(gen, 'f32', (3, 2, 2, 4), 3, kind), value, 0.001, 3)
