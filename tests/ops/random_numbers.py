"""Cases of rng and rng-get-and-update-state. The references draw from Philox4x32-10 (written here from its paper) as the
engine says it does: as XLA does it for the first random operation of a process.
"""
import math

import mpmath
import numpy as np

import element_types as et
import xla
from cases import File
from element_types import array, float_text, shape_text

MASK = (1 << 32) - 1
KEY = (0xbde0c74f, 0xbaa1723e)
START = 0x7012395


def philox(counter, key):
    """One block of Philox4x32-10: J. K. Salmon et al., SC 2011."""
    x, k = list(counter), list(key)
    for _ in range(10):
        a, b = 0xD2511F53 * x[0], 0xCD9E8D57 * x[2]
        x = [(b >> 32) ^ x[1] ^ k[0], b & MASK, (a >> 32) ^ x[3] ^ k[1], a & MASK]
        k = [(k[0] + 0x9E3779B9) & MASK, (k[1] + 0xBB67AE85) & MASK]
    return x


# Known answers of the algorithm's authors (Random123): all zeros, all ones, digits of pi.
assert philox((0, 0, 0, 0), (0, 0)) == [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]
assert philox((MASK,) * 4, (MASK,) * 2) == [0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd]
assert philox((0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344), (0xa4093822, 0x299f31d0)) == [0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1]


class Stream:
    def __init__(self, state=START):
        self.state = state

    def words(self, count):
        """So many words; the state moves on by one for each."""
        blocks = [philox([(self.state + i) >> s & MASK for s in (0, 32, 64, 96)], KEY) for i in range(-(-count // 4))]
        self.state += count
        return [w for block in blocks for w in block][:count]

    def bits(self, t, count):
        if et.DTYPES[t].itemsize < 8:
            return self.words(count)
        words = self.words(2 * count)
        return [low | high << 32 for low, high in zip(words[::2], words[1::2])]


def unit(t, bits):
    wide = t == 'f64'
    return [np.float64((b >> 12) * 2.0 ** -52) if wide else np.float32((b >> 9) * 2.0 ** -23) for b in bits]


def uniform(stream, t, a, b, count):
    bits = stream.bits(t, count)
    if t in et.INTEGERS:
        span = (int(b) - int(a)) % (1 << et.INTEGERS[t])
        return array(t, [et.wrap(t, int(a) + v % span) for v in bits])
    work = np.float64 if t == 'f64' else np.float32
    a, b = work(a), work(b)
    return np.array([u * (b - a) + a for u in unit(t, bits)], dtype=work).astype(et.DTYPES[t])


def normal(stream, t, mean, deviation, count):
    bits = stream.bits(t, count)
    if count % 2:
        bits += spare(stream, t, count)
    u = unit(t, bits)
    values = []
    for first, second in zip(u[::2], u[1::2]):
        radius = mpmath.sqrt(-2 * mpmath.log(max(mpmath.mpf(float(first)), mpmath.mpf(float(np.float32(1e-7))))))
        angle = 2 * mpmath.pi * mpmath.mpf(float(second))
        values += [mean + deviation * f(angle) * radius for f in (mpmath.sin, mpmath.cos)]
    return array(t, [et.round_to(t, v) for v in values[:count]])


def spare(stream, t, count):
    """The bits behind the last of an odd number: of the same blocks, though the state does not count them."""
    again = Stream(stream.state - count * (2 if t == 'f64' else 1))
    return again.bits(t, count + 1)[-1:]


def program(name, t, shape, a, b, distribution):
    text = {True: lambda v: str(v), False: lambda v: float_text(t, array(t, v)[()])}[t in et.INTEGERS]
    result = shape_text(t, shape)
    return (f'HloModule {name}\n\nENTRY main {{\n  a = {t}[] constant({text(a)})\n  b = {t}[] constant({text(b)})\n'
            f'  ROOT r = {result} rng(a, b), distribution={distribution}\n}}')


def fresh_xla():
    """XLA numbers the random operations of a process, so each program asks the first one of a new process."""
    if xla._worker is not None:
        xla._worker.terminate()
        xla._worker.wait()
        xla._worker = None


def rng():
    file = File('rng', 'rng: uniform and normal numbers as of the engine\'s first state; XLA draws the same in a new process.')
    for t, shape, a, b in (('f32', (10,), 0, 1), ('f32', (3, 5), -2.5, 4), ('f64', (7,), 0, 1), ('f64', (2, 3), 10, 12), ('bf16', (9,), 0, 1), ('f16', (9,), -1, 1),
                           ('s32', (10,), 0, 100), ('s32', (6,), -2147483648, 2147483647), ('u32', (9,), 5, 7), ('s64', (5,), -10, 1 << 40), ('u64', (6,), 0, (1 << 64) - 1),
                           ('s8', (9,), -128, 127), ('u8', (9,), 3, 200), ('s16', (4,), -5, 5), ('u4', (9,), 0, 15), ('f8e4m3fn', (9,), 0, 8)):
        count = math.prod(shape)
        want = uniform(Stream(), t, a, b, count).reshape(shape)
        name = f'uniform_{t}_{count}'
        known = t in ('f32', 'f64', 'bf16', 'f16', 's32', 'u32', 's64', 'u64')
        if known:
            fresh_xla()
        file.case(name, program(name, t, shape, a, b, 'rng_uniform'), [], [want], trust=known)
    for t, shape, mean, deviation in (('f32', (10,), 0, 1), ('f32', (3, 4), 5, 0.25), ('f64', (8,), 0, 1), ('f64', (5,), -1, 3), ('bf16', (8,), 0, 1), ('f16', (7,), 1, 2)):
        count = math.prod(shape)
        want = normal(Stream(), t, mean, deviation, count).reshape(shape)
        name = f'normal_{t}_{count}'
        fresh_xla()
        # The angle is rounded before its sine is taken.
        tolerance = {'f32': {'abs': 3e-6}, 'f64': {'abs': 3e-15}, 'bf16': {'ulp': 1}, 'f16': {'ulp': 1}}[t]
        file.case(name, program(name, t, shape, mean, deviation, 'rng_normal'), [], [want], tolerance)
    stream = Stream()
    parts = [uniform(stream, 'f32', 0, 1, 5), uniform(stream, 'u64', 0, 1000, 3), uniform(stream, 's32', 0, 9, 2)]
    text = """HloModule one_after_the_other

ENTRY main {
  zero = f32[] constant(0)
  one = f32[] constant(1)
  a = f32[5] rng(zero, one), distribution=rng_uniform
  low = u64[] constant(0)
  high = u64[] constant(1000)
  b = u64[3] rng(low, high), distribution=rng_uniform
  from = s32[] constant(0)
  to = s32[] constant(9)
  c = s32[2] rng(from, to), distribution=rng_uniform
  ROOT r = (f32[5], u64[3], s32[2]) tuple(a, b, c)
}"""
    file.case('one_after_the_other', text, [], parts, trust=False)
    text = 'HloModule empty\n\nENTRY main {\n  a = f32[] constant(0)\n  b = f32[] constant(1)\n  ROOT r = f32[0,3] rng(a, b), distribution=rng_uniform\n}'
    file.case('empty', text, [], [np.zeros((0, 3), np.float32)])
    text = program('layout', 'f32', (2, 3), 0, 1, 'rng_uniform').replace('f32[2,3]', 'f32[2,3]{0,1}')
    file.case('layout', text, [], [uniform(Stream(), 'f32', 0, 1, 6).reshape(2, 3)], trust=False)
    text = program('empty_range', 's32', (3,), 4, 4, 'rng_uniform')
    file.case('empty_range', text, [], [array('s32', [4, 4, 4])], trust=False)


def state():
    file = File('rng_get_and_update_state', 'rng-get-and-update-state: the state, then the state moved on.')
    text = 'HloModule first\n\nENTRY main {\n  ROOT r = u64[2] rng-get-and-update-state(), delta=3\n}'
    file.case('first', text, [], [array('u64', [START, 0])])
    text = ('HloModule twice\n\nENTRY main {\n  a = u64[2] rng-get-and-update-state(), delta=7\n  b = u64[2] rng-get-and-update-state(), delta=1\n'
            '  ROOT r = (u64[2], u64[2]) tuple(a, b)\n}')
    file.case('twice', text, [], [array('u64', [START, 0]), array('u64', [START + 7, 0])], trust=False)  # XLA keeps a state for each


def make():
    rng()
    state()
