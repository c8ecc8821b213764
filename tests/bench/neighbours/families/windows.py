"""Windows and their gradients, cumulative functions, reductions and batch norms."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .family import COMPLEX, FLOATS, INTEGERS, NUMBERS, data, family

COMBINE = {'max': (lax.max, -np.inf), 'min': (lax.min, np.inf), 'sum': (lax.add, 0)}
STEPS = {
    'function': ['max', 'sum', 'min'], 'image': [8, 14, 15, 28, 32, 33, 56, 64],
    'channels': [1, 2, 3, 4, 8, 15, 16, 17, 32, 64],
    'window': [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 32, 64], 'stride': [1, 2, 3, 4, 8, 16, 64], 'batch': [1, 2, 8],
    'layout': ['NHWC', 'NCHW'],
    'dtype': FLOATS + ['s32', 's8'],
}
BASES = [
    {'image': 56, 'channels': 32, 'window': 3, 'stride': 2},
    {'image': 56, 'channels': 32, 'window': 2, 'stride': 2, 'function': 'sum'},
    {'image': 16, 'channels': 64, 'window': 16, 'stride': 16, 'function': 'sum', 'layout': 'NCHW'},
    {'image': 64, 'channels': 8, 'window': 7, 'stride': 1},
    {'image': 64, 'channels': 16, 'window': 3, 'stride': 1, 'layout': 'NCHW'},
    {'image': 256, 'channels': 1, 'window': 9, 'stride': 1, 'function': 'sum'},
]


def windowed(function, image, channels, window, stride, batch, layout, dtype):
    combine, start = COMBINE[function]
    if window > image or (dtype[0] == 's' and function == 'min'):
        return None
    shape = (batch, image, image, channels) if layout == 'NHWC' else (batch, channels, image, image)
    sizes = (1, window, window, 1) if layout == 'NHWC' else (1, 1, window, window)
    strides = tuple(stride if size > 1 else 1 for size in sizes)

    def reduce(x):
        first = start if x.dtype.kind != 'i' or not start else np.iinfo(x.dtype).min
        return lax.reduce_window(x, np.array(first, x.dtype), combine, sizes, strides, 'SAME' if stride < window else 'VALID')
    return reduce, data(dtype, *shape)


@family(steps=STEPS, bases=BASES)
def window(**at):
    return windowed(**at)


@family(steps=STEPS, bases=BASES)
def window_gradient(**at):
    made = None if at['dtype'][0] == 's' else windowed(**at)
    if made is None:
        return None
    reduce, x = made
    y = jax.eval_shape(reduce, x.spec)
    return lambda x, g: jax.vjp(reduce, x)[1](g)[0], x, data(at['dtype'], *y.shape)


LENGTHS = [1, 2, 3, 7, 8, 9, 31, 32, 33, 64, 100, 257, 1000, 1024, 4096]


@family(
    steps={
        'function': ['cumsum', 'cumprod', 'cummax', 'cummin', 'cumlogsumexp'], 'before': LENGTHS, 'length': LENGTHS,
        'after': LENGTHS,
        'reverse': ['forward', 'backward'], 'dtype': FLOATS + ['s32', 's8', 's64', 'c64'],
    },
    bases=[
        {'before': 1, 'length': 1 << 18, 'after': 1}, {'before': 100, 'length': 1000, 'after': 1},
        {'before': 1, 'length': 1000, 'after': 100},
        {'before': 64, 'length': 64, 'after': 64}, {'before': 1, 'length': 100000, 'after': 3, 'function': 'cummax'},
    ],
)
def scan(function, before, length, after, reverse, dtype):
    if before * length * after > 1 << 22 or (function == 'cumlogsumexp' and dtype not in FLOATS) or \
            (function in ('cummax', 'cummin') and dtype[0] == 'c'):
        return None
    return lambda x: getattr(lax, function)(x, axis=1, reverse=reverse == 'backward'), data(dtype, before, length, after)


REDUCTIONS = {
    'sum': jnp.sum, 'max': jnp.max, 'prod': jnp.prod, 'mean': jnp.mean, 'any': lambda x, axis: jnp.any(x > 0, axis=axis),
    'argmax': lambda x, axis: lax.argmax(x, axis[0], np.int32), 'norm': lambda x, axis: jnp.sqrt(jnp.sum(x * x, axis=axis)),
    'var': jnp.var, 'logsumexp': jax.nn.logsumexp, 'softmax': jax.nn.softmax,
}


@family(
    steps={'function': list(REDUCTIONS), 'a': LENGTHS, 'b': LENGTHS, 'c': LENGTHS,
        'axes': ['2', '1', '0', '01', '12', '02', '012'],
           'dtype': NUMBERS},
    bases=[
        {'a': 1, 'b': 1000, 'c': 1000}, {'a': 1, 'b': 1000, 'c': 1000, 'axes': '1'}, {'a': 64, 'b': 64, 'c': 64, 'axes': '02'},
        {'a': 8, 'b': 3136, 'c': 32, 'axes': '01'}, {'a': 100000, 'b': 3, 'c': 3, 'axes': '2'}, {'a': 1, 'b': 1, 'c': 1 << 20},
        {'a': 1, 'b': 100000, 'c': 10, 'function': 'argmax'}, {'a': 1, 'b': 10000, 'c': 10, 'function': 'softmax'},
        {'a': 8, 'b': 1089, 'c': 8, 'axes': '01', 'dtype': 'bf16'},
    ],
)
def reduction(function, a, b, c, axes, dtype):
    if a * b * c > 1 << 22 or (function == 'argmax' and (len(axes) > 1 or dtype in COMPLEX)) or \
            (dtype not in FLOATS and function in ('mean', 'var', 'logsumexp', 'softmax', 'norm')) or \
            (dtype in COMPLEX and function in ('max', 'any')):
        return None
    bounds = {'low': 0.9, 'high': 1.1} if function == 'prod' and dtype not in INTEGERS else {}
    return lambda x: REDUCTIONS[function](x, axis=tuple(map(int, axes))), data(dtype, a, b, c, **bounds)


def normalized(x, scale, offset, axes):
    mean, variance = jnp.mean(x, axes, keepdims=True), jnp.var(x, axes, keepdims=True)
    return (x - mean) * lax.rsqrt(variance + np.array(1e-3, x.dtype)) * scale + offset


@family(
    steps={
        'batch': [1, 2, 3, 8, 16], 'image': [1, 4, 7, 14, 28, 33, 56], 'channels': [1, 2, 3, 4, 8, 16, 17, 32, 64, 100, 256],
        'over': ['batch', 'layer'], 'way': ['forward', 'gradient'], 'dtype': FLOATS,
    },
    bases=[
        {'batch': 8, 'image': 28, 'channels': 32}, {'batch': 8, 'image': 28, 'channels': 32, 'way': 'gradient'},
        {'batch': 8, 'image': 28, 'channels': 32, 'way': 'gradient', 'dtype': 'bf16'},
        {'batch': 8, 'image': 8, 'channels': 256, 'over': 'layer'},
        {'batch': 8, 'image': 8, 'channels': 256, 'over': 'layer', 'way': 'gradient'},
    ],
)
def norm(batch, image, channels, over, way, dtype):
    axes = (0, 1, 2) if over == 'batch' else (3,)
    x, scale = data(dtype, batch, image, image, channels), data(dtype, channels)

    def forward(x, scale, offset):
        return normalized(x, scale, offset, axes)
    if way == 'forward':
        return forward, x, scale, scale
    return lambda x, s, o, g: jax.vjp(forward, x, s, o)[1](g), x, scale, scale, x
