"""What a family of programs is: a function of parameters, the steps that each parameter takes, and realistic bases. Its programs are
the bases, and what one gets by moving one parameter of a base along its steps.
"""
import dataclasses
import functools
import zlib

import jax
import ml_dtypes
import numpy as np

DTYPES = {
    'pred': np.bool_, 's8': np.int8, 's16': np.int16, 's32': np.int32, 's64': np.int64, 'u8': np.uint8, 'u16': np.uint16,
    'u32': np.uint32, 'u64': np.uint64, 'f8e4m3fn': ml_dtypes.float8_e4m3fn, 'f8e5m2': ml_dtypes.float8_e5m2,
    'bf16': ml_dtypes.bfloat16, 'f16': np.float16, 'f32': np.float32, 'f64': np.float64, 'c64': np.complex64,
    'c128': np.complex128,
}
FLOATS = ['f32', 'f64', 'bf16', 'f16']
COMPLEX = ['c64', 'c128']
INTEGERS = ['s32', 's8', 's16', 's64', 'u8', 'u16', 'u32', 'u64']
NUMBERS = FLOATS + INTEGERS + COMPLEX
WIDE = {'f64', 's64', 'u64', 'c128'}  # jax makes 32-bit types of them unless told
SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 500, 512, 1000, 1024]
CHOICES = {'function', 'formula', 'way', 'over', 'to'}  # parameters whose values are different work
UNORDERED = {'dtype', 'layout', 'left', 'right', 'order', 'axes', 'along', 'reverse'}
MOST_ELEMENTS = 1 << 23  # of an argument


@dataclasses.dataclass(frozen=True)
class Data:
    """An argument: uniform numbers from low to high, the same each time."""
    dtype: str
    shape: tuple
    low: float = -1
    high: float = 1

    @property
    def spec(self):
        return jax.ShapeDtypeStruct(self.shape, DTYPES[self.dtype])

    def make(self, seed):
        rng = np.random.default_rng(seed)
        if self.dtype == 'pred':
            return rng.integers(0, 2, self.shape).astype(bool)
        if self.dtype[0] in 'su':
            low = 0 if self.dtype[0] == 'u' else self.low
            return rng.integers(low, self.high, self.shape, endpoint=True).astype(DTYPES[self.dtype])
        made = rng.uniform(self.low, self.high, self.shape)
        if self.dtype[0] == 'c':
            made = made + 1j * rng.uniform(self.low, self.high, self.shape)
        return made.astype(DTYPES[self.dtype])


def data(dtype, *shape, low=None, high=None):
    """Small integers, numbers from -1 to 1, or what the bounds say."""
    most = 9 if dtype[0] in 'su' else 1
    return Data(dtype, shape, -most if low is None else low, most if high is None else high)


@dataclasses.dataclass(frozen=True)
class Program:
    family: str
    name: str
    function: object
    arguments: tuple
    wide: bool

    def seeds(self):
        """Such as stay when programs are added."""
        return range(zlib.crc32(self.name.encode()), 1 << 40)


FAMILIES = {}


def family(steps, bases):
    """Registers a function of one value for each parameter that returns a function and its arguments, or None where there is no
    such program. A base names values; the first step is the default. A base's numbers are steps as well.
    """
    def register(make):
        name = make.__name__.rstrip('_')
        FAMILIES[name] = functools.partial(programs_of, name, make, steps, bases)
        return make
    return register


def programs_of(family_name, make, steps, bases):
    """All programs, those nearest to bases first, and the pairs of names of neighbours."""
    found, pairs = {}, set()
    for base in bases:
        at = {key: base.get(key, values[0]) for key, values in steps.items()}
        assert not base.keys() - steps.keys(), (family_name, base)
        for key, values in steps.items():
            if at[key] not in values:
                values = sorted([*values, at[key]])
            place = values.index(at[key])
            line = [(abs(i - place), program_at(family_name, make, {**at, key: value})) for i, value in enumerate(values)]
            for distance, program in line:
                if program and (program.name not in found or found[program.name][0] > distance):
                    found[program.name] = (distance, program)
            pairs |= neighbours_of(key, [program.name if program else None for _, program in line], place)
    order = sorted(found.values(), key=lambda f: (f[0], zlib.crc32(f[1].name.encode())))
    return [program for _, program in order], sorted(pairs)


def neighbours_of(key, names, place):
    """Pairs on a line of names: sizes next to each other, types and layouts beside the base's; other work is no neighbour."""
    if key in CHOICES:
        return set()
    if key in UNORDERED:
        return {tuple(sorted((names[place], name))) for i, name in enumerate(names) if i != place and name and names[place]}
    present = [name for name in names if name]
    return {tuple(sorted(pair)) for pair in zip(present, present[1:])}


def program_at(family_name, make, at):
    made = make(**at)
    if made is None:
        return None
    function, *arguments = made
    if any(np.prod(a.shape, dtype=np.int64) > MOST_ELEMENTS for a in arguments):
        return None
    words = [str(value) if isinstance(value, str) else f'{key}={value}' for key, value in at.items()]
    return Program(family_name, ' '.join([family_name, *words]), function, tuple(arguments), bool(WIDE & set(at.values())))
