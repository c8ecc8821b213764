"""Element types of StableHLO that XLA has not: floats of six bits, and quantized numbers.

Expectations: ml_dtypes for the former, the specification's formulas in numpy for the latter.
"""
import ml_dtypes
import numpy as np

from cases import File
from element_types import array

SIX = {'f6E2M3FN': ml_dtypes.float6_e2m3fn, 'f6E3M2FN': ml_dtypes.float6_e3m2fn}
X = np.float32([1, 2.26, -300, 0.25, 0.75, -0.25, 1000, -0.0])
Y = np.float32([-1, 0.5, 12, 3.25, -7.75, 0.125, 4, 60])


class Quantized:
    """Of an MLIR type and its parameters, as arrays that broadcast."""

    def __init__(self, text, scale, zero=0, low=-128, high=127):
        self.text, self.scale, self.zero, self.low, self.high = text, np.float32(scale), np.int64(zero), low, high

    def store(self, x):
        return np.rint(np.clip(np.float32(x) / self.scale + np.float32(self.zero), self.low, self.high)).astype(np.int32)

    def real(self, stored):
        return (np.int64(stored) - self.zero).astype(np.float32) * self.scale

    def near(self, x):
        return self.real(self.store(x))

    def constant(self, name, stored):
        shape, bits = np.shape(stored), self.text.split('<')[1].split(':')[0].lstrip('ui')
        return f'  %{name} = stablehlo.constant() <{{value = dense<{np.array(stored).tolist()}> : tensor<{"".join(f"{n}x" for n in shape)}i{bits}>}}> : () -> {self.tensor(*shape)}\n'

    def tensor(self, *shape):
        return f'tensor<{"".join(f"{n}x" for n in shape)}{self.text}>'


HALVES = Quantized('!quant.uniform<i8:f32, 0.5:3>', 0.5, 3)
EIGHTHS = Quantized('!quant.uniform<u8<1:200>:f32, 1.25e-1:100>', 0.125, 100, 1, 200)
NIBBLE = Quantized('!quant.uniform<i4:f32, 2.0>', 2, 0, -8, 7)
SYMMETRIC = Quantized('!quant.uniform<i8:f32, 2.5e-1>', 0.25)
BYTES = Quantized('!quant.uniform<u8:f32, 0.5:128>', 0.5, 128, 0, 255)
WIDE = Quantized('!quant.uniform<i32:f32, 0.001:16777217>', 0.001, 16777217, -2**31, 2**31 - 1)
SUM = Quantized('!quant.uniform<i32:f32, 0.125:7>', 0.125, 7, -2**31, 2**31 - 1)
COLUMNS = Quantized('!quant.uniform<i8:f32:1, {0.5:3, 0.25, 2.0:-1, 1.0}>', [0.5, 0.25, 2, 1], [3, 0, -1, 0])


def function(body, arguments, results):
    given = ', '.join(f'%{name}: {t}' for name, t in arguments)
    return f'func.func @main({given}) -> {results} {{\n{body}\n}}'


def six_bits():
    file = File('stablehlo_f6', 'f6E2M3FN and f6E3M2FN, which are finite: rounding, arithmetic, constants.')
    for name, dtype in SIX.items():
        t, f = f'tensor<8x{name}>', 'tensor<8xf32>'

        def narrow(x):
            return np.asarray(x, np.float32).astype(dtype).astype(np.float32)

        inputs, a, b = [array('f32', X), array('f32', Y)], narrow(X), narrow(Y)
        file.case(f'convert_{name}', function(
            f'  %a = stablehlo.convert %x : ({f}) -> {t}\n  %out = stablehlo.convert %a : ({t}) -> {f}\n  return %out : {f}', [('x', f)], f),
            inputs[:1], [a], trust=False)
        # Every pointwise operation, on numbers where it is defined; results are rounded once.
        c = np.abs(b) + np.float32(0.5)
        results = {f'{op} %a, %b : {t}': f32 for op, f32 in (
            ('add', a + b), ('subtract', a - b), ('multiply', a * b), ('maximum', np.maximum(a, b)), ('minimum', np.minimum(a, b)),
            ('atan2', np.arctan2(a, b)))}
        results |= {f'{op} %a, %c : {t}': f32 for op, f32 in (
            ('divide', a / narrow(c)), ('remainder', np.fmod(a, narrow(c))))}
        results |= {f'{op} %a : {t}': f32 for op, f32 in (
            ('abs', abs(a)), ('negate', -a), ('sign', np.where(a == 0, a, np.sign(a))), ('ceil', np.ceil(a)), ('floor', np.floor(a)),
            ('round_nearest_afz', np.copysign(np.floor(abs(a) + np.float32(0.5)), a)), ('round_nearest_even', np.rint(a)), ('exponential', np.exp(a)),
            ('exponential_minus_one', np.expm1(a)), ('logistic', 1 / (1 + np.exp(-a))), ('cbrt', np.cbrt(a)), ('cosine', np.cos(a)),
            ('sine', np.sin(a)), ('tan', np.tan(a)), ('tanh', np.tanh(a)))}
        results |= {f'{op} %c : {t}': f32 for op, f32 in (
            ('log', np.log(narrow(c))), ('log_plus_one', np.log1p(narrow(c))), ('sqrt', np.sqrt(narrow(c))), ('rsqrt', 1 / np.sqrt(narrow(c))))}
        lines = [f'  %h = stablehlo.constant dense<0.5> : {t}', f'  %n = stablehlo.abs %b : {t}', f'  %c = stablehlo.add %n, %h : {t}']
        for k, operation in enumerate(results):
            lines += [f'  %r{k} = stablehlo.{operation}', f'  %o{k} = stablehlo.convert %r{k} : ({t}) -> {f}']
        count, k = len(results), ', '.join
        types = k([f] * count)
        file.case(f'pointwise_{name}', function(
            f'  %a = stablehlo.convert %x : ({f}) -> {t}\n  %b = stablehlo.convert %y : ({f}) -> {t}\n' + '\n'.join(lines)
            + f'\n  return {k(f"%o{i}" for i in range(count))} : {types}', [('x', f), ('y', f)], f'({types})'),
            inputs, [narrow(v) for v in results.values()], trust=False)
        file.case(f'sum_{name}', function(
            f'  %a = stablehlo.convert %x : ({f}) -> {t}\n  %z = stablehlo.constant dense<0.0> : tensor<{name}>\n'
            f'  %r = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [0] : ({t}, tensor<{name}>) -> tensor<{name}>\n'
            f'  %out = stablehlo.convert %r : (tensor<{name}>) -> tensor<f32>\n  return %out : tensor<f32>', [('x', f)], 'tensor<f32>'),
            inputs[:1], [np.float32(a.max())], trust=False)
        codes = np.arange(64, dtype=np.uint8)
        file.case(f'constant_{name}', function(
            f'  %c = stablehlo.constant dense<"0x{codes.tobytes().hex()}"> : tensor<64x{name}>\n'
            f'  %out = stablehlo.convert %c : (tensor<64x{name}>) -> tensor<64xf32>\n  return %out : tensor<64xf32>', [], 'tensor<64xf32>'),
            [], [codes.view(dtype).astype(np.float32)], trust=False)


def quantized():
    file = File('stablehlo_quantized', 'Quantized types: conversions, arithmetic, movement, regions, dots, per axis.')
    inputs = [array('f32', X), array('f32', Y)]
    f = 'tensor<8xf32>'

    def case(name, body, q, want, given=inputs, t=f):
        arguments = list(zip('xy', [t] * len(given)))
        shape = [int(n) for n in t[7:].split('x')[:-1]]
        text = ''.join(f'  %{n}q = stablehlo.uniform_quantize %{n} : ({t}) -> {q.tensor(*shape)}\n' for n, _ in arguments)
        result = f'tensor<{"".join(f"{n}x" for n in want.shape)}f32>'
        file.case(name, function(text + body.replace('RESULT', result), arguments, result), given, [array('f32', want)], trust=False)

    def back(q, *shape):
        return f'  %out = stablehlo.uniform_dequantize %r : ({q.tensor(*shape)}) -> RESULT\n  return %out : RESULT'

    for name, q in (('halves', HALVES), ('eighths', EIGHTHS), ('nibble', NIBBLE)):
        t = q.tensor(8)
        a, b = q.near(X), q.near(Y)
        case(f'quantize_{name}', f'  %r = stablehlo.reshape %xq : ({t}) -> {t}\n' + back(q, 8), q, a)
        case(f'add_{name}', f'  %r = stablehlo.add %xq, %yq : {t}\n' + back(q, 8), q, q.near(a + b))
        case(f'multiply_{name}', f'  %r = "stablehlo.multiply"(%xq, %yq) : ({t}, {t}) -> {t}\n' + back(q, 8), q, q.near(a * b))
        case(f'requantize_{name}', f'  %r = stablehlo.uniform_quantize %xq : ({t}) -> {HALVES.tensor(8)}\n' + back(HALVES, 8), q, HALVES.near(a))
        case(f'reverse_{name}', f'  %r = stablehlo.reverse %xq, dims = [0] : {t}\n' + back(q, 8), q, a[::-1])
        case(f'clamp_{name}', f'  %r = stablehlo.clamp %yq, %xq, %yq : {t}\n' + back(q, 8), q, b)
    case('compare_quantized', f'  %p = stablehlo.compare LT, %xq, %yq : ({HALVES.tensor(8)}, {HALVES.tensor(8)}) -> tensor<8xi1>\n'
         '  %out = stablehlo.convert %p : (tensor<8xi1>) -> RESULT\n  return %out : RESULT', HALVES, np.float32(HALVES.near(X) < HALVES.near(Y)))
    case('stored', f'  %s = stablehlo.bitcast_convert %xq : ({HALVES.tensor(8)}) -> tensor<8xi8>\n'
         '  %out = stablehlo.convert %s : (tensor<8xi8>) -> RESULT\n  return %out : RESULT', HALVES, np.float32(HALVES.store(X)))
    case('region', f'  %z = stablehlo.constant() <{{value = dense<3> : tensor<i8>}}> : () -> {HALVES.tensor()}\n'
         f'  %r = stablehlo.reduce(%xq init: %z) applies stablehlo.add across dimensions = [0] : ({HALVES.tensor(8)}, {HALVES.tensor()}) -> {HALVES.tensor()}\n'
         + back(HALVES), HALVES, np.float32(3.5), [array('f32', [1, 2.5, -1, 0.75, 0, 0, 0.25, 0])])

    m = np.float32([[1, 2, -3, 4], [0.5, -1, 8, 100], [1.75, -300, 0, 1]])
    t = 'tensor<3x4xf32>'
    q = COLUMNS
    case('per_axis', f'  %r = stablehlo.negate %xq : {q.tensor(3, 4)}\n' + back(q, 3, 4), q, q.near(-q.near(m)), [m], t)
    case('per_axis_moved', f'  %r = stablehlo.slice %xq [1:3, 0:4] : ({q.tensor(3, 4)}) -> {q.tensor(2, 4)}\n' + back(q, 2, 4), q, q.near(m)[1:], [m], t)
    h = HALVES
    z = SYMMETRIC
    case('dot', f'  %y0 = stablehlo.uniform_quantize %yq : ({h.tensor(3, 4)}) -> {z.tensor(3, 4)}\n'
         f'  %r = stablehlo.dot_general %xq, %y0, contracting_dims = [1] x [1] : ({h.tensor(3, 4)}, {z.tensor(3, 4)}) -> {h.tensor(3, 3)}\n'
         + back(h, 3, 3), h, h.near(h.near(m) @ z.near(h.near(m)).T), [m, m], t)
    case('hybrid_dot', f'  %out = stablehlo.dot_general %x, %yq, contracting_dims = [1] x [1] : (tensor<3x4xf32>, {z.tensor(3, 4)}) -> RESULT\n  return %out : RESULT',
         z, m @ z.near(m).T, [m, m], t)

    # Constants, also of more bits than the floats that they stand for have, and of what MLIR writes as signed.
    def stored(name, q, numbers):
        file.case(name, function(q.constant('r', numbers) + back(q, len(numbers)).replace('RESULT', f'tensor<{len(numbers)}xf32>'), [], f'tensor<{len(numbers)}xf32>'),
                  [], [array('f32', q.real(numbers))], trust=False)

    stored('constant_wide', WIDE, [2**31 - 1, -2**31, 16777219, 16777217, 16777218, 0])
    stored('constant_unsigned', EIGHTHS, [1, 100, 200, 128])
    file.case('constant_signless', function('  %r = stablehlo.constant() <{value = dense<[-1, -128, 127]> : tensor<3xi8>}> : () -> '
                                            + BYTES.tensor(3) + '\n' + back(BYTES, 3).replace('RESULT', 'tensor<3xf32>'), [], 'tensor<3xf32>'),
              [], [BYTES.real([255, 128, 127])], trust=False)
    w = WIDE
    case('requantize_wide', f'  %r = stablehlo.uniform_quantize %xq : ({h.tensor(8)}) -> {w.tensor(8)}\n' + back(w, 8), h, w.near(h.near(X)), inputs[:1])
    case('select_different', f'  %p = stablehlo.compare LT, %xq, %yq : ({h.tensor(8)}, {h.tensor(8)}) -> tensor<8xi1>\n'
         f'  %n = stablehlo.uniform_quantize %yq : ({h.tensor(8)}) -> {z.tensor(8)}\n'
         f'  %r = stablehlo.select %p, %xq, %n : (tensor<8xi1>, {h.tensor(8)}, {z.tensor(8)}) -> {h.tensor(8)}\n' + back(h, 8), h,
         np.where(h.near(X) < h.near(Y), h.near(X), h.near(z.near(h.near(Y)))))
    case('add_different', f'  %n = stablehlo.uniform_quantize %yq : ({h.tensor(8)}) -> {z.tensor(8)}\n'
         f'  %r = stablehlo.add %xq, %n : ({h.tensor(8)}, {z.tensor(8)}) -> {w.tensor(8)}\n' + back(w, 8), h, w.near(h.near(X) + z.near(h.near(Y))))
    # A sum of s8 in s32: the operands take the type of the region's arguments.
    case('region_wide', f'  %z = stablehlo.constant() <{{value = dense<3> : tensor<i8>}}> : () -> {h.tensor()}\n'
         f'  %r = stablehlo.reduce(%xq init: %z) across dimensions = [0] : ({h.tensor(8)}, {h.tensor()}) -> {SUM.tensor()}\n'
         f'    reducer(%a: {SUM.tensor()}, %b: {SUM.tensor()}) {{\n    %s = stablehlo.add %a, %b : {SUM.tensor()}\n    stablehlo.return %s : {SUM.tensor()}\n  }}\n'
         + back(SUM), h, np.float32(h.near(X).sum()), inputs[:1])
    file.case('alias', '!q = ' + h.text + '\n' + function(
        '  %r = stablehlo.uniform_dequantize %x : (tensor<2x!q>) -> tensor<2xf32>\n  return %r : tensor<2xf32>', [('x', 'tensor<2x!q>')], 'tensor<2xf32>'),
        [array('s8', [3, -128])], [h.real([3, -128])], trust=False)

    def error(name, text, message):
        file.error(name, function(f'  %r = stablehlo.add %x, %x : tensor<2x{text}>\n  return %r : tensor<2x{text}>', [('x', f'tensor<2x{text}>')], f'tensor<2x{text}>'),
                   message, 1)

    error('blocks', '!quant.uniform<i8:f32:{0:1}, {0.5, 0.25}>', 'quantization by blocks is not supported')
    error('no_scale', '!quant.uniform<i8:f32, -0.5>', 'a scale is a positive number')
    error('zero_point', '!quant.uniform<i8<-10:10>:f32, 0.5:11>', 'the zero point is beyond the limits')
    error('limits', '!quant.uniform<i4<-10:10>:f32, 0.5>', 'these are no limits of s4')
    error('scales', '!quant.uniform<i8:f32:0, {0.5}>', '1 scales along dimension 0 do not fit the array')
    error('dimension', '!quant.uniform<i8:f32:1, {0.5}>', 'do not fit the array')
    error('expressed', '!quant.uniform<i8:i32, 0.5>', 'expected a float type')
    error('other', '!quant.any<i8:f32>', "arrays of '!quant.any' are not supported")
    file.error('dequantized', function(f'  %r = stablehlo.uniform_dequantize %x : ({h.tensor(2)}) -> {h.tensor(2)}\n  return %r : {h.tensor(2)}',
                                       [('x', h.tensor(2))], h.tensor(2)), 'the result should not be quantized', 2)

    def broken(name, line, result, message, *arguments):
        file.error('error_' + name, function(f'  %r = stablehlo.{line}\n  return %r : {result}', list(zip('xyz', arguments)), result), message, 2)

    f2, h2, z2 = 'tensor<2x2xf32>', h.tensor(2, 2), z.tensor(2, 2)
    rows, columns = (f'tensor<2x2x!quant.uniform<i8:f32:{d}, {{0.5, 0.25}}>>' for d in (0, 1))
    nibbles = NIBBLE.tensor(2, 2)
    for name, line, result, message, *arguments in (
            ('moved', f'transpose %x, dims = [1, 0] : ({h2}) -> {z2}', z2, 'operand 0 and the result are quantized differently', h2),
            ('joined', f'concatenate %x, %y, dim = 0 : ({h2}, {z2}) -> {h.tensor(4, 2)}', h.tensor(4, 2), 'operand 1 and the result are quantized differently', h2, z2),
            ('broadcast', f'broadcast_in_dim %x, dims = [0, 1] : ({rows}) -> {h2}', h2, 'operand 0 and the result are quantized differently', rows),
            ('reversed', f'reverse %x, dims = [0] : (tensor<2x2xi8>) -> {h2}', h2, 'operand 0 and the result are quantized differently', 'tensor<2x2xi8>'),
            ('convert', f'convert %x : ({h2}) -> {f2}', f2, 'takes no quantized numbers', h2),
            ('operand', f'add %x, %y : ({h2}, {f2}) -> {h2}', h2, 'operand 1 should be quantized', h2, f2),
            ('result', f'add %x, %y : ({h2}, {h2}) -> {f2}', f2, 'the result should be quantized', h2, h2),
            ('left', f'dot_general %x, %y, contracting_dims = [1] x [0] : ({h2}, {f2}) -> {h2}', h2, 'the right-hand side should be quantized', h2, f2),
            ('float_product', f'dot_general %x, %y, contracting_dims = [1] x [0] : ({h2}, {z2}) -> {f2}', f2, 'the right-hand side should be quantized, and the result', h2, z2),
            ('zero', f'dot_general %x, %y, contracting_dims = [1] x [0] : ({h2}, {h2}) -> {h2}', h2, 'a zero point of the right-hand side should be 0', h2, h2),
            ('storage', f'dot_general %x, %y, contracting_dims = [1] x [0] : ({h2}, {nibbles}) -> {h2}', h2, 'stored are s8 and s4, not the same type', h2, nibbles),
            ('columns', f'dot_general %x, %y, contracting_dims = [1] x [0] : ({z2}, {z2}) -> {columns}', columns, 'the result has scales per dimension, the right-hand side has not', z2, z2),
            ('contracted', f'dot_general %x, %y, contracting_dims = [1] x [0] : ({f2}, {rows}) -> {f2}', f2, 'dimension 0 of the right-hand side has scales and is contracted', f2, rows),
            ('type', f'negate %x : {z2}', z2, 'has the type', h2)):
        broken(name, line, result, message, *arguments)
    image, places = h.tensor(1, 4, 2), h.tensor(1, 3, 2)
    kernels, results = ([f'tensor<{dims}x!quant.uniform<i8:f32:{d}, {{0.5, 0.25}}>>' for d in (1, 2)] for dims in ('2x2x2', '1x2x2'))
    for name, kernel, result, message in (('kernel_axis', kernels[0], places, 'dimension 1 of the right-hand side has scales and is not the output features'),
                                          ('result_axis', kernels[1], results[0], 'dimension 1 of the result has scales and is not the features')):
        broken(name, f'convolution(%x, %y) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {{}} {{batch_group_count = 1 : i64, '
               f'feature_group_count = 1 : i64}} : ({image}, {kernel}) -> {result}', result, message, image, kernel)


def make():
    six_bits()
    quantized()
