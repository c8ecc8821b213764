"""Cases of rng-bit-generator: XLA's bits and states."""
import numpy as np

import element_types as et
from cases import File

MASK = 2**64 - 1
ALGORITHMS = {'rng_three_fry': 'THREE_FRY', 'rng_philox': 'PHILOX', 'rng_default': 'DEFAULT'}
# XLA's result for floats has unsigned elements of the same width, with the same bits.
BITS = {'f16': 'u16', 'bf16': 'u16', 'f32': 'u32', 'f64': 'u64', 'f8e5m2': 'u8', 'f8e4m3fn': 'u8'}


def state(*words):
    return np.array(words, np.uint64)


def program(name, algorithm, t, shape, size, layout=None, classic=False):
    result = f'(u64[{size}], {et.shape_text(t, shape, layout)})'
    if classic:
        result = f'(u64[{size}]{{0}}, {et.shape_text(t, shape, layout or tuple(reversed(range(len(shape)))))})'
        return (f'HloModule {name}\n\nENTRY %main (s: u64[{size}]) -> {result} {{\n  %s = u64[{size}]{{0}} parameter(0)\n'
                f'  ROOT %rng.1 = {result} rng-bit-generator(u64[{size}]{{0}} %s), algorithm={algorithm}\n}}')
    return (f'HloModule {name}\n\nENTRY main {{\n  s = u64[{size}] parameter(0)\n'
            f'  ROOT r = {result} rng-bit-generator(s), algorithm={algorithm}\n}}')


def mlir(algorithm, t, shape, size, generic=False):
    out = 'tensor<' + ''.join(f'{n}x' for n in shape) + et.MLIR[t] + '>'
    types = f'(tensor<{size}xui64>) -> (tensor<{size}xui64>, {out})'
    if generic:
        body = (f'  %0:2 = "stablehlo.rng_bit_generator"(%s) <{{rng_algorithm = #stablehlo<rng_algorithm {ALGORITHMS[algorithm]}>}}> : {types}\n'
                f'  return %0#0, %0#1 : tensor<{size}xui64>, {out}')
    else:
        body = (f'  %state, %bits = stablehlo.rng_bit_generator %s, algorithm =  {ALGORITHMS[algorithm]} : {types}\n'
                f'  return %state, %bits : tensor<{size}xui64>, {out}')
    return f'func.func @main(%s: tensor<{size}xui64>) -> (tensor<{size}xui64>, {out}) {{\n{body}\n}}'


class Asked(File):
    """Replaces the element type that XLA gives for floats by the one that the program states."""

    def bits_case(self, name, algorithm, t, shape, words, form='hlo', layout=None):
        import xla
        size = len(words)
        got = xla.run_stablehlo(mlir(algorithm, t, shape, size), [state(*words)])
        want = [got[0], np.asarray(got[1]).reshape(shape)]
        if t in BITS:
            assert want[1].dtype == et.DTYPES[BITS[t]]
            want[1] = want[1].view(et.DTYPES[t])
            if np.isnan(want[1].astype(np.float64)).any():
                return  # the bits of a NaN cannot be compared
        elif t in et.SIGNED:
            want[1] = want[1].astype(np.int8).astype(et.DTYPES[t]) if et.SIGNED[t] < 8 else want[1].view(et.DTYPES[t])
        text = {'hlo': lambda: program(name, algorithm, t, shape, size, layout), 'classic': lambda: program(name, algorithm, t, shape, size, layout, True),
                'mlir': lambda: mlir(algorithm, t, shape, size), 'generic': lambda: mlir(algorithm, t, shape, size, True)}[form]()
        self.case(name, text, [state(*words)], want, trust=False)  # asked above


def make():
    file = Asked('rng_bit_generator', 'rng-bit-generator: XLA\'s bits for every algorithm, type and shape.')
    shapes = [(), (1,), (2,), (3,), (7,), (8,), (2, 3), (3, 2), (3, 3), (3, 5), (5, 3), (4, 6), (1, 3), (3, 1), (2, 2, 2), (3, 2, 4), (1, 3, 5), (3, 5, 1),
              (3, 3, 3), (1, 1, 5), (0,), (3, 0), (0, 3)]
    states = {'rng_three_fry': [(1, 2), (0x0123456789abcdef, 0xfedcba9876543210), (5, MASK)],
              'rng_philox': [(1, 2, 3), (0x0123456789abcdef, MASK - 1, MASK), (7, MASK - 2, 5), (5, MASK), (0xfedcba9876543210, 3)],
              'rng_default': [(1, 2), (3, MASK, 4)]}
    for algorithm, choices in states.items():
        short = algorithm[4:]
        for i, shape in enumerate(shapes if algorithm != 'rng_default' else shapes[4:8]):
            for t in (('u32',), ('u32', 'u64'), ('u32', 'u8', 'u16'))[i % 3]:
                size = 'x'.join(map(str, shape)) or 'scalar'
                file.bits_case(f'{short}_{t}_{size}', algorithm, t, shape, choices[i % len(choices)], ('hlo', 'classic', 'mlir', 'generic')[i % 4])
        for i, t in enumerate(('s8', 's16', 's32', 's64', 's4', 'u4', 's2', 'u2', 'f32', 'f64', 'bf16', 'f16', 'f8e5m2', 'f8e4m3fn')):
            if algorithm != 'rng_default':
                file.bits_case(f'{short}_{t}', algorithm, t, (3, 2), choices[0], ('hlo', 'mlir')[i % 2])
        for i, words in enumerate(choices):
            file.bits_case(f'{short}_state_{i}', algorithm, 'u32', (9,), words)
            file.bits_case(f'{short}_state_{i}_u64', algorithm, 'u64', (9,), words)
        file.bits_case(f'{short}_column_major', algorithm, 'u32', (3, 4), choices[0], layout=(0, 1))
        file.bits_case(f'{short}_layout_102', algorithm, 'u64', (3, 2, 2), choices[0], 'classic', layout=(1, 0, 2))
    # Several counters at a time, some of which carry into the next words or begin again at 0.
    near = 2**32 - 3
    for algorithm, t, shape, words in (
            ('rng_three_fry', 'u32', (40,), (5, near)), ('rng_three_fry', 'u64', (37,), (near, MASK - 5)), ('rng_three_fry', 'u32', (7, 11), (9, 7 << 32 | near)),
            ('rng_three_fry', 'u32', (5, 8, 3), (1, 2)), ('rng_three_fry', 'u16', (5, 19), (3, 1)), ('rng_three_fry', 'u32', (65,), (2, 3)),
            ('rng_philox', 'u32', (70,), (5, near, 6)), ('rng_philox', 'u64', (37,), (5, MASK - 1, MASK)), ('rng_philox', 'u32', (9, 13), (8, MASK - 6, near)),
            ('rng_philox', 'u32', (64,), (5, MASK - 2, 2**32 - 1)), ('rng_philox', 'u8', (50,), (near, 6, 7))):
        file.bits_case(f'{algorithm[4:]}_{t}_{"x".join(map(str, shape))}_many', algorithm, t, shape, words)
    bad = File('error_random', 'Programs of random bits that must be refused.')
    text = 'HloModule {name}\n\nENTRY main {{\n  s = {state} parameter(0)\n  ROOT r = ({state}, {result}) rng-bit-generator(s), algorithm={algorithm}\n}}'
    for name, given, result, algorithm, message in (
            ('threefry_state_of_three', 'u64[3]', 'u32[4]', 'rng_three_fry', 'the state must be u64[2]'),
            ('threefry_state_u32', 'u32[4]', 'u32[4]', 'rng_three_fry', 'the state must be u64[2]'),
            ('philox_state_of_four', 'u64[4]', 'u32[4]', 'rng_philox', 'the state must be u64[3]'),
            ('unknown_algorithm', 'u64[2]', 'u32[4]', 'rng_mersenne', 'algorithm'),
            ('bits_pred', 'u64[2]', 'pred[4]', 'rng_three_fry', 'random bits must be'),
            ('bits_complex', 'u64[2]', 'c64[4]', 'rng_three_fry', 'random bits must be')):
        bad.error(name, text.format(name=name, state=given, result=result, algorithm=algorithm), message, 5)
