"""Cases of small dots and convolutions and of complex products, which have the bits of XLA's CPU backend (src/kernels/product/dot_kernel.c): every
expectation is XLA's and without tolerance."""
import numpy as np

import element_types as et
from cases import File
from element_types import shape_text


def numbers(gen, t, *shape):
    values = gen.normal(0, 1, shape)
    if t in et.COMPLEX:
        values = values + 1j * gen.normal(0, 1, shape)
    return values.astype(et.DTYPES[t])


def with_zeros(gen, t, *shape):
    if t in et.COMPLEX:
        return numbers(gen, t, *shape)
    values = gen.integers(-3 if t in et.FLOATS else 0, 4, shape)
    return (values * gen.choice([-1.0, 1.0], shape) if t in et.FLOATS else values).astype(et.DTYPES[t])


def result_of(operation, t, shape, operands, attributes):
    parameters = ''.join(f'  p{i} = {shape_text(t, a.shape)} parameter({i})\n' for i, a in enumerate(operands))
    return f'HloModule m\nENTRY e {{\n{parameters}  ROOT r = {shape_text(t, shape)} {operation}(p0, p1), {attributes}\n}}'


def dots():
    file = File('small_dots', 'Dots of few products: the bits of XLA.', order=True)
    for i, (t, m, k, n) in enumerate([('f32', 3, 4, 2), ('f32', 4, 3, 6), ('f32', 1, 5, 3), ('f64', 3, 4, 2), ('f64', 4, 3, 6), ('c64', 3, 4, 2),
                                      ('c64', 1, 4, 8), ('c128', 4, 3, 5), ('c128', 1, 3, 4)]):
        gen = np.random.default_rng(100 + i)
        a, b = numbers(gen, t, m, k), numbers(gen, t, k, n)
        file.case(f'dot_{t}_{m}x{k}x{n}', result_of('dot', t, (m, n), (a, b), 'lhs_contracting_dims={1}, rhs_contracting_dims={0}'), [a, b])
    gen = np.random.default_rng(120)
    a, b = numbers(gen, 'f32', 3, 3, 4), numbers(gen, 'f32', 3, 4, 2)
    dimensions = 'lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}'
    file.case('dot_f32_batches', result_of('dot', 'f32', (3, 3, 2), (a, b), dimensions), [a, b])
    one_product_each(file)


def dense_batches():
    file = File('dense_batches', 'Dots of batches of small matrices that lie in memory row by row; numbers whose sums are exact.')
    for i, (t, b, m, k, n) in enumerate([('f32', 3, 2, 5, 9), ('f32', 9, 4, 4, 4), ('f64', 3, 2, 5, 9), ('f64', 5, 3, 3, 6)]):
        gen = np.random.default_rng(140 + i)
        x, y = (gen.integers(-4, 5, shape).astype(et.DTYPES[t]) for shape in ((b, m, k), (b, k, n)))
        dimensions = 'lhs_batch_dims={0}, rhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_contracting_dims={1}'
        file.case(f'dense_{t}_{b}x{m}x{k}x{n}', result_of('dot', t, (b, m, n), (x, y), dimensions), [x, y])


def one_product_each(file):
    """No sum that starts with +0: products may be -0."""
    for i, t in enumerate(('f32', 'f64', 'bf16', 'f16', 'f8e4m3fn', 'c64', 's8', 'u32')):
        gen = np.random.default_rng(130 + i)
        for name, left, right, shape, dimensions in (
                ('outer', (3,), (4,), (3, 4), 'lhs_contracting_dims={}, rhs_contracting_dims={}'),
                ('batches', (3, 5), (5, 3), (5, 3), 'lhs_batch_dims={1,0}, rhs_batch_dims={0,1}'),
                ('batches_outer', (2, 3, 1), (1, 4, 3), (3, 2, 4), 'lhs_batch_dims={1}, rhs_batch_dims={2}, lhs_contracting_dims={2}, rhs_contracting_dims={0}'),
                ('scalars', (), (2, 2), (2, 2), 'lhs_contracting_dims={}, rhs_contracting_dims={}')):
            a, b = (with_zeros(gen, t, *shape) for shape in (left, right))
            file.case(f'one_product_{t}_{name}', result_of('dot', t, shape, (a, b), dimensions), [a, b], order=t in et.COMPLEX)


def convolutions():
    file = File('small_convolutions', 'Convolutions of few products: the bits of XLA.', order=True)
    for i, (name, t, image, window, result, attributes) in enumerate([
            ('f32', 'f32', (1, 6, 5, 3), (3, 2, 3, 4), (1, 4, 4, 4), 'window={size=3x2}'),
            ('f32_padded', 'f32', (2, 4, 4, 2), (3, 3, 2, 3), (2, 2, 2, 3), 'window={size=3x3 stride=2x2 pad=1_1x1_1}'),
            ('f64', 'f64', (1, 5, 5, 2), (3, 2, 2, 3), (1, 3, 4, 3), 'window={size=3x2}'),
            ('f32_holes_in_image', 'f32', (1, 4, 4, 3), (2, 3, 3, 2), (1, 8, 7, 2), 'window={size=2x3 pad=1_1x1_1 lhs_dilate=2x2}'),
            ('f32_holes_in_window', 'f32', (1, 6, 6, 2), (2, 2, 2, 3), (1, 4, 4, 3), 'window={size=2x2 rhs_dilate=2x2}'),
            ('f32_groups', 'f32', (1, 4, 4, 4), (2, 2, 2, 4), (1, 3, 3, 4), 'window={size=2x2}, feature_group_count=2')]):
        gen = np.random.default_rng(200 + i)
        a, b = numbers(gen, t, *image), numbers(gen, t, *window)
        file.case(f'convolution_{name}', result_of('convolution', t, result, (a, b), attributes + ', dim_labels=b01f_01io->b01f'), [a, b])


def complex_products():
    file = File('complex_products', 'Products of complex numbers, one of the two products of each part exact: the bits of XLA.')
    gen = np.random.default_rng(300)
    a, b = numbers(gen, 'c64', 24), numbers(gen, 'c64', 24)
    file.case('multiply_c64', 'HloModule m\nENTRY e {\n  x = c64[24] parameter(0)\n  y = c64[24] parameter(1)\n  ROOT r = c64[24] multiply(x, y)\n}', [a, b])

    a, b = numbers(gen, 'c128', 24), numbers(gen, 'c128', 24)
    file.case('multiply_c128', 'HloModule m\nENTRY e {\n  x = c128[24] parameter(0)\n  y = c128[24] parameter(1)\n  ROOT r = c128[24] multiply(x, y)\n}', [a, b])
    inf = float('inf')
    for t, kind, g in (('c64', np.complex64, 1e30), ('c128', np.complex128, 1e300)):
        h = g ** 0.5 * (1.8e4 if t == 'c64' else 1.3e4)
        a = np.array([complex(*z) for z in ((g, 1), (g, g), (g, -g), (inf, 1), (inf, inf), (inf, 0), (g, 0), (h, h), (h, 0.9 * h), (-g, g), (2, 3))], dtype=kind)
        b = np.array([complex(*z) for z in ((g, 1), (g, g), (g, g), (2, 3), (1, 1), (0, 1), (0, g), (1.5 * h, 1.5 * h), (1.5 * h, h), (g, g), (g, inf))], dtype=kind)
        file.case(f'multiply_overflow_{t}', f'HloModule m\nENTRY e {{\n  x = {t}[11] parameter(0)\n  y = {t}[11] parameter(1)\n  ROOT r = {t}[11] multiply(x, y)\n}}', [a, b])
    for t in ('c64', 'c128'):
        for n in (8, 20):
            product = f'p {{\n  x = {t}[] parameter(0)\n  y = {t}[] parameter(1)\n  ROOT r = {t}[] multiply(x, y)\n}}'
            window = f'window={{size={n}x1 pad={n - 1}_0x0_0}}, to_apply=p'
            lines = f'x = {t}[{n},3] parameter(0)\n  one = {t}[] constant((1, 0))\n  ROOT r = {t}[{n},3] reduce-window(x, one), {window}'
            file.case(f'cumulative_product_{t}_{n}', f'HloModule m\n{product}\nENTRY e {{\n  {lines}\n}}', [numbers(gen, t, n, 3)], order=True)


def short_transforms():
    file = File('short_transforms', 'Fourier transforms of few numbers: the bits of XLA.', order=True)
    for i, (kind, shape, lengths) in enumerate([('FFT', (3, 8), (8,)), ('FFT', (2, 17), (17,)), ('IFFT', (24,), (24,)), ('FFT', (16, 15), (16, 15)),
                                                ('IFFT', (3, 5, 7), (3, 5, 7)), ('RFFT', (2, 13), (13,)), ('RFFT', (3, 4, 17), (3, 4, 17)),
                                                ('IRFFT', (2, 8), (14,)), ('IRFFT', (3, 17), (32,)), ('IRFFT', (3, 4, 9), (3, 4, 16))]):
        gen = np.random.default_rng(400 + i)
        source, target = ('f32' if kind == 'RFFT' else 'c64'), ('f32' if kind == 'IRFFT' else 'c64')
        last = lengths[-1] // 2 + 1 if kind == 'RFFT' else lengths[-1]
        result = shape_text(target, (*shape[:-1], last))
        lines = f'x = {shape_text(source, shape)} parameter(0)\n  ROOT r = {result} fft(x), fft_type={kind}, fft_length={{{",".join(map(str, lengths))}}}'
        name = f'{kind.lower()}_{"x".join(map(str, lengths))}'
        file.case(name, f'HloModule m\nENTRY e {{\n  {lines}\n}}', [numbers(gen, source, *shape)])
    gen = np.random.default_rng(420)
    file.case('fft_7_c128', 'HloModule m\nENTRY e {\n  x = c128[2,7] parameter(0)\n  ROOT r = c128[2,7] fft(x), fft_type=FFT, fft_length={7}\n}', [numbers(gen, 'c128', 2, 7)])


def make():
    dots()
    dense_batches()
    convolutions()
    complex_products()
    short_transforms()
