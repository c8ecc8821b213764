"""What programs are called with, and the list that they join."""

import numpy as np

rng = np.random.default_rng(0)
PROGRAMS = {}


def normal(*shape):
    return rng.standard_normal(shape).astype(np.float32)


def uniform(*shape):
    return rng.uniform(0, 1, shape).astype(np.float32)


def below(n, *shape):
    return rng.integers(0, n, shape).astype(np.int32)


def image(*shape):
    return below(256, *shape).astype(np.uint8)


KEY = np.array([1, 2], np.uint32)


def program(*arguments):
    def add(function):
        PROGRAMS[function.__name__] = (function, arguments)
        return function

    return add
