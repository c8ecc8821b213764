"""Element-wise functions and conversions by type, and random numbers."""
import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

from .family import COMPLEX, DTYPES, FLOATS, INTEGERS, NUMBERS, data, family

ANY = 'add subtract multiply divide negate abs square sign equal select compare_select mul_add'.split()
REAL = 'maximum minimum clip remainder'.split()
FLOAT = '''exp log log1p expm1 sin cos tan tanh sinh cosh asin acos atan asinh acosh atanh sqrt rsqrt cbrt floor round is_finite atan2
power half_power cube_power logistic erf erfc erf_inv lgamma digamma nextafter relu gelu silu softplus hypot logaddexp'''.split()
BITS = 'and or xor not shift_left shift_right clz population_count divide_by_7 remainder_of_10 integer_power'.split()
COMPLEX_TOO = 'exp log sin cos tan tanh atan sqrt rsqrt power log1p expm1'.split()


def apply(function, x, y, z):
    """The function of up to three arrays of one type."""
    constant = lambda value: np.array(value, x.dtype)  # noqa: E731
    own = {
        'square': lambda: x * x, 'equal': lambda: x == y, 'select': lambda: jnp.where(z == x, x, y),
        'mul_add': lambda: x * y + z,
        'compare_select': lambda: jnp.where(x != constant(0), x, y), 'clip': lambda: jnp.clip(x, constant(1), constant(3)),
        'remainder': lambda: lax.rem(x, y), 'divide': lambda: lax.div(x, y), 'power': lambda: lax.pow(x, y),
        'abs': lambda: lax.abs(x),
        'half_power': lambda: x ** constant(0.5), 'cube_power': lambda: x ** 3, 'integer_power': lambda: x ** 5,
        'maximum': lambda: lax.max(x, y), 'minimum': lambda: lax.min(x, y), 'atan2': lambda: lax.atan2(x, y),
        'subtract': lambda: x - y,
        'nextafter': lambda: lax.nextafter(x, y), 'negate': lambda: -x, 'add': lambda: x + y, 'multiply': lambda: x * y,
        'relu': lambda: jax.nn.relu(x), 'gelu': lambda: jax.nn.gelu(x), 'silu': lambda: jax.nn.silu(x),
        'softplus': lambda: jax.nn.softplus(x),
        'hypot': lambda: jnp.hypot(x, y), 'logaddexp': lambda: jnp.logaddexp(x, y), 'and': lambda: x & y, 'or': lambda: x | y,
        'xor': lambda: x ^ y, 'not': lambda: ~x, 'shift_left': lambda: lax.shift_left(x, y),
        'divide_by_7': lambda: lax.div(x, constant(7)),
        'shift_right': lambda: lax.shift_right_arithmetic(x, y), 'remainder_of_10': lambda: lax.rem(x, constant(10)),
    }
    return own[function]() if function in own else getattr(lax, function)(x)


def bounds_of(function, dtype):
    if dtype in INTEGERS:
        return {'low': 1, 'high': 6 if function == 'integer_power' else 7}
    return {'low': 1.1, 'high': 3} if function == 'acosh' else {'low': 0.1, 'high': 0.9}


def is_function_of(function, dtype):
    if function in ANY:
        return not (dtype in COMPLEX and function == 'sign' or dtype[0] == 'u' and function == 'abs')
    if dtype in COMPLEX:
        return function in COMPLEX_TOO
    return function in REAL or function in (FLOAT if dtype in FLOATS else BITS)


@family(
    steps={'function': ['add'], 'size': [1, 7, 100, 1000, 10000, 100000, 1 << 17, 1 << 20], 'dtype': NUMBERS},
    bases=[{'function': f, 'size': 1 << 17} for f in ANY + REAL + FLOAT + BITS]
    + [{'function': f, 'size': 1 << 17, 'dtype': 's32'} for f in BITS],
)
def elementwise(function, size, dtype):
    if not is_function_of(function, dtype):
        return None
    x = data(dtype, size, **bounds_of(function, dtype))
    return lambda x, y, z: apply(function, x, y, z), x, x, x


EVERY = [*DTYPES]


@family(
    steps={'to': EVERY, 'dtype': EVERY, 'size': [100, 10000, 1 << 17, 1 << 20]},
    bases=[{'to': to, 'dtype': 'f32', 'size': 1 << 17} for to in EVERY] + [{'to': to, 'dtype': 's64',
        'size': 1 << 17} for to in EVERY]
    + [{'to': to, 'dtype': 'u8', 'size': 1 << 17} for to in EVERY],
)
def conversion(to, dtype, size):
    if to == dtype or (dtype in COMPLEX and to not in COMPLEX):
        return None
    bounds = {'low': 0, 'high': 100} if to[0] in 'us' else {}
    return lambda x: lax.convert_element_type(x, DTYPES[to]), data(dtype, size, **bounds)


RANDOM = ['uniform', 'normal', 'bits', 'randint', 'bernoulli', 'gumbel', 'exponential', 'permutation', 'categorical',
    'truncated_normal',
          'gamma', 'laplace', 'rademacher', 'dropout']


def draw(function, key, size, dtype):
    r, t = jax.random, DTYPES[dtype]
    own = {
        'bits': lambda: r.bits(key, (size,), 'uint32'), 'randint': lambda: r.randint(key, (size,), 0, 100, np.int32),
        'bernoulli': lambda: r.bernoulli(key, 0.3, (size,)), 'permutation': lambda: r.permutation(key, size),
        'categorical': lambda: r.categorical(key, np.zeros((size // 10 + 1, 10), t)),
        'gamma': lambda: r.gamma(key, 2.5, (size,), t),
        'truncated_normal': lambda: r.truncated_normal(key, -2, 2, (size,), t),
        'rademacher': lambda: r.rademacher(key, (size,), t),
        'dropout': lambda: jnp.where(r.bernoulli(key, 0.9, (size,)), r.uniform(key, (size,), t), 0),
    }
    return own[function]() if function in own else getattr(r, function)(key, (size,), t)


@family(
    steps={'function': RANDOM, 'size': [1, 2, 3, 10, 100, 1000, 1001, 10000, 65536, 100000], 'dtype': FLOATS},
    bases=[{'function': f, 'size': 65536 if f not in ('gamma', 'permutation') else 1000} for f in RANDOM],
)
def random(function, size, dtype):
    return lambda key: draw(function, key, size, dtype), data('u32', 2, high=1 << 30)
