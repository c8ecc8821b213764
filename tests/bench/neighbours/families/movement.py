"""Transposes, broadcasts, reshaping movement, gathers, scatters and sorts."""
import itertools

import jax.numpy as jnp
import numpy as np
from jax import lax

from .family import FLOATS, NUMBERS, data, family

LENGTHS = [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 32, 33, 64, 65, 100, 128, 257, 1000]
ORDERS = [''.join(order) for order in itertools.permutations('012')]
TYPES = ['f32', 'f64', 'bf16', 's8', 's32', 's64', 'c64', 'c128', 'pred']
SHAPES = [{'a': 64, 'b': 64, 'c': 64}, {'a': 1000, 'b': 1000, 'c': 1}, {'a': 20000, 'b': 3, 'c': 8},
    {'a': 8, 'b': 1000, 'c': 32},
          {'a': 100000, 'b': 3, 'c': 1}, {'a': 3, 'b': 256, 'c': 256}]


@family(steps={'order': ORDERS[1:], 'a': LENGTHS, 'b': LENGTHS, 'c': LENGTHS, 'dtype': TYPES}, bases=SHAPES + [
    {'order': '102', 'a': 64, 'b': 64, 'c': 64}, {'order': '210', 'a': 64, 'b': 64, 'c': 64},
    {'order': '102', 'a': 20000, 'b': 4, 'c': 4}])
def transpose(order, a, b, c, dtype):
    return lambda x: jnp.transpose(x, tuple(map(int, order))), data(dtype, a, b, c)


@family(steps={'along': ['0', '1', '2', '01', '12', '02'], 'a': LENGTHS, 'b': LENGTHS, 'c': LENGTHS, 'dtype': TYPES},
    bases=SHAPES)
def broadcast(along, a, b, c, dtype):
    shape = (a, b, c)
    if a * b * c > 1 << 22:
        return None
    return (lambda x: lax.broadcast_in_dim(x, shape, tuple(map(int, along)))), data(dtype, *[shape[int(i)] for i in along])


MOVES = {
    'roll': lambda x: jnp.roll(x, 1, axis=1), 'reverse': lambda x: x[:, ::-1], 'repeat': lambda x: jnp.repeat(x, 2, axis=1),
    'column': lambda x: x[:, 1:2], 'every_other': lambda x: x[:, ::2], 'pad': lambda x: jnp.pad(x, ((1, 1), (1, 1))),
    'tile': lambda x: jnp.tile(x, (1, 2)), 'concatenate': lambda x: jnp.concatenate([x, x], axis=1),
    'swap': lambda x: x[:, [1, 0]],
    'stack': lambda x: jnp.stack([x, x], axis=-1), 'tril': jnp.tril, 'slice': lambda x: x[1:, 1:],
}


@family(steps={'function': list(MOVES), 'rows': LENGTHS + [10000], 'columns': LENGTHS, 'dtype': TYPES}, bases=[
    {'rows': 100000, 'columns': 3}, {'rows': 1000, 'columns': 1000}, {'rows': 100000, 'columns': 8, 'function': 'reverse'},
    {'rows': 100000, 'columns': 4, 'function': 'repeat'}, {'rows': 100000, 'columns': 5, 'function': 'column'},
    {'rows': 1000, 'columns': 256, 'function': 'pad'}])
def move(function, rows, columns, dtype):
    if columns == 1 and function in ('column', 'swap') or (dtype == 'pred' and function == 'tril'):
        return None
    return MOVES[function], data(dtype, rows, columns)


GATHERS = {
    'rows': lambda x, i: jnp.take(x, i, axis=0, mode='clip'), 'columns': lambda x,
    i: jnp.take(x, i % x.shape[1], axis=1, mode='clip'),
    'elements': lambda x, i: x.reshape(-1)[i], 'along_rows': lambda x,
    i: jnp.take_along_axis(x, i[: x.shape[0], None] % x.shape[1], axis=1),
    'slices': lambda x, i: lax.dynamic_slice(x, (i[0], i[1]), (x.shape[0] // 2 + 1, x.shape[1] // 2 + 1)), 'filled': lambda x,
    i: x.at[i].get(mode='fill', fill_value=0),
}
INDICES = [2, 3, 10, 100, 1000, 10000, 50000]


@family(steps={'function': list(GATHERS), 'rows': LENGTHS, 'columns': LENGTHS, 'indices': INDICES, 'dtype': TYPES}, bases=[
    {'rows': 1000, 'columns': 64, 'indices': 1000}, {'rows': 10000, 'columns': 1, 'indices': 50000},
    {'rows': 10000, 'columns': 3, 'indices': 10000},
    {'rows': 1000, 'columns': 64, 'indices': 100, 'function': 'columns'},
    {'rows': 1000, 'columns': 10, 'indices': 1000, 'function': 'along_rows'}])
def gather(function, rows, columns, indices, dtype):
    if function == 'along_rows' and indices < rows or indices * columns > 1 << 22 or (function == 'columns' and indices * rows > 1 << 22):
        return None
    return GATHERS[function], data(dtype, rows, columns), data('s32', indices, low=0, high=rows - 1)


SCATTERS = ['add', 'set', 'multiply', 'max', 'min', 'segment_sum']


@family(steps={'function': SCATTERS, 'rows': LENGTHS, 'columns': LENGTHS, 'indices': INDICES, 'dtype': NUMBERS}, bases=[
    *[{'rows': 1000, 'columns': 64, 'indices': 1000, 'function': f} for f in SCATTERS],
    *[{'rows': 10000, 'columns': 1, 'indices': 50000, 'function': f} for f in SCATTERS[:4]],
    {'rows': 1000, 'columns': 3, 'indices': 10000}])
def scatter(function, rows, columns, indices, dtype):
    if dtype[0] == 'c' and function in ('max', 'min') or indices * columns > 1 << 22:
        return None
    if function == 'set':  # of two updates of one place either may win: each place has one
        if indices > rows:
            return None
        places = np.random.default_rng(1).permutation(rows)[:indices].astype(np.int32)
        return (lambda x, u: x.at[places].set(u)), data(dtype, rows, columns), data(dtype, indices, columns)
    if function == 'segment_sum':
        return (lambda x, u, i: jnp.zeros_like(x).at[jnp.sort(i)].add(u, indices_are_sorted=True)), data(dtype, rows,
            columns), \
            data(dtype, indices, columns), data('s32', indices, low=0, high=rows - 1)
    bounds = {'low': 0.9, 'high': 1.1} if dtype[0] in 'fbc' else {}
    return lambda x, u, i: getattr(x.at[i], function)(u), data(dtype, rows, columns, **bounds), data(dtype, indices, columns,
        **bounds), \
        data('s32', indices, low=0, high=rows - 1)


SORTS = {
    'sort': jnp.sort, 'descending': lambda x: -jnp.sort(-x), 'argsort': jnp.argsort,
    'top_8': lambda x: lax.top_k(x, min(8, x.shape[-1])), 'median': lambda x: jnp.median(x, axis=-1),
    'pairs': lambda x: lax.sort((x, lax.broadcasted_iota(np.int32, x.shape, 1)), num_keys=1),
    'columns': lambda x: jnp.sort(x, axis=0),
    'two_keys': lambda x: lax.sort((jnp.round(x), x), num_keys=2),
}


@family(steps={'function': list(SORTS), 'rows': LENGTHS, 'length': LENGTHS + [10000],
    'dtype': FLOATS + ['s32', 's8', 's64', 'u8', 'u32']}, bases=[
    {'rows': 1, 'length': 65536}, {'rows': 100, 'length': 1000}, {'rows': 10000, 'length': 4},
    {'rows': 1000, 'length': 100, 'function': 'top_8'},
    {'rows': 1000, 'length': 10, 'function': 'argsort'}, {'rows': 1000, 'length': 33, 'function': 'pairs'}])
def sort(function, rows, length, dtype):
    if rows * length > 1 << 20 or (dtype not in FLOATS and function in ('median',
        'two_keys')) or (dtype[0] == 'u' and function == 'descending'):
        return None
    bounds = {'low': -100, 'high': 100}
    return SORTS[function], data(dtype, rows, length, **bounds)
