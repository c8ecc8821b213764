"""Dots, batched and not, and einsums."""
import jax
import jax.numpy as jnp

from .family import NUMBERS, SIZES, data, family

TYPES = NUMBERS + ['f8e4m3fn', 'f8e5m2']


def result_of(dtype):
    """Sums of small types are made in larger ones."""
    return {'s8': 'int32', 'u8': 'int32', 's16': 'int32', 'f8e4m3fn': 'float32', 'f8e5m2': 'float32'}.get(dtype)


@family(
    steps={'m': SIZES, 'n': SIZES, 'k': SIZES, 'dtype': TYPES, 'left': ['mk', 'km'], 'right': ['kn', 'nk']},
    bases=[
        {'m': 256, 'n': 256, 'k': 256}, {'m': 1, 'n': 1000, 'k': 1000}, {'m': 1000, 'n': 1, 'k': 1000},
        {'m': 1000, 'n': 3, 'k': 64},
        {'m': 64, 'n': 64, 'k': 4096}, {'m': 4, 'n': 512, 'k': 512}, {'m': 1, 'n': 1, 'k': 1 << 20},
        {'m': 512, 'n': 512, 'k': 1},
        {'m': 100000, 'n': 3, 'k': 3}, {'m': 256, 'n': 256, 'k': 64, 'dtype': 'bf16'},
        {'m': 128, 'n': 128, 'k': 128, 'dtype': 's8'},
    ],
)
def dot(m, n, k, dtype, left, right):
    def multiply(a, b):
        numbers = (((left.index('k'),), (right.index('k'),)), ((), ()))
        return jax.lax.dot_general(a, b, numbers, preferred_element_type=result_of(dtype))
    return multiply, data(dtype, *((m, k) if left == 'mk' else (k, m))), data(dtype, *((k, n) if right == 'kn' else (n, k)))


@family(
    steps={
        'batch': [1, 2, 3, 8, 64, 100, 1000, 20000, 50000], 'm': SIZES[:20], 'n': SIZES[:20], 'k': SIZES[:20], 'dtype': TYPES,
        'right': ['kn', 'nk'],
    },
    bases=[
        {'batch': 50000, 'm': 2, 'n': 2, 'k': 2}, {'batch': 20000, 'm': 3, 'n': 3, 'k': 3},
        {'batch': 30000, 'm': 3, 'n': 1, 'k': 3},
        {'batch': 20000, 'm': 1, 'n': 1, 'k': 3}, {'batch': 1000, 'm': 8, 'n': 8, 'k': 8},
        {'batch': 12, 'm': 128, 'n': 128, 'k': 64},
        {'batch': 12, 'm': 1, 'n': 128, 'k': 64, 'right': 'nk'}, {'batch': 64, 'm': 32, 'n': 32, 'k': 32},
        {'batch': 20000, 'm': 4, 'n': 4, 'k': 4, 'dtype': 'f64'}, {'batch': 20000, 'm': 3, 'n': 3, 'k': 3, 'dtype': 'bf16'},
    ],
)
def batched(batch, m, n, k, dtype, right):
    def multiply(a, b):
        numbers = (((2,), (1 + right.index('k'),)), ((0,), (0,)))
        return jax.lax.dot_general(a, b, numbers, preferred_element_type=result_of(dtype))
    return multiply, data(dtype, batch, m, k), data(dtype, batch, *((k, n) if right == 'kn' else (n, k)))


@family(
    steps={
        'formula': [
            'bqhd,bkhd->bhqk', 'bhqk,bkhd->bqhd', 'abc,cd->abd', 'abc,abc->ab', 'abc,abc->c', 'abc,ac->b', 'ab,ac->bc',
            'ab,bc->ca',
            'abc,dbc->ad', 'abcd,cd->ab', 'abcd,ab->cd', 'a,b->ab', 'aab,b->a', 'abc,bad->cd', 'ab,ab->a', 'abc,cba->b',
        ],
        'size': [2, 3, 4, 7, 8, 15, 16, 17, 24, 31, 32, 33], 'dtype': ['f32', 'f64', 'bf16', 'f16', 's32', 'c64'],
    },
    bases=[{'size': 16}, {'size': 16, 'formula': 'abc,cd->abd'}, {'size': 32, 'formula': 'bhqk,bkhd->bqhd'},
           {'size': 32, 'formula': 'abcd,cd->ab'}, {'size': 32, 'formula': 'abc,dbc->ad'},
           {'size': 32, 'formula': 'abc,ac->b'}],
)
def einsum(formula, size, dtype):
    left, right = formula.split('->')[0].split(',')
    return lambda a, b: jnp.einsum(formula, a, b), data(dtype, *[size] * len(left)), data(dtype, *[size] * len(right))
