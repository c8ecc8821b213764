"""Cases of StableHLO's dynamic operations whose amounts only the running program knows, to types that state bounds, and of arrays that
are dynamic themselves. The references are numpy's on arrays of the sizes of now; what lies beyond them in the arguments are other numbers.
"""
import numpy as np

from cases import File
from element_types import array
from late_padding import padded, tensor
from structural import numbered
from windows import Labels, Window, convolution_value


def bounded(shape, bounds, t='i32'):
    """The type of an array of that shape whose dimensions with a bound are dynamic."""
    dims = ''.join(f'{"?" if b is not None else n}x' for n, b in zip(shape, bounds))
    if all(b is None for b in bounds):
        return f'tensor<{dims}{t}>'
    return f'tensor<{dims}{t}, #stablehlo.bounds<{", ".join("?" if b is None else str(b) for b in bounds)}>>'


def case(file, name, x, sizes, others, body, out, want, t='i32', error=None):
    """sizes: of each dimension of x now; None: a static one. body: lines over %d, which is x at these sizes, and the others."""
    arguments, lines, inputs, kind = [('x', tensor(x))], [], [x], tensor(x)
    value = 'x'
    for d, n in enumerate(sizes):
        if n is None:
            continue
        arguments.append((f'n{d}', 'tensor<i32>'))
        inputs.append(array('s32', n))
        to = bounded(x.shape, [b if m is not None and e <= d else None for e, (m, b) in enumerate(zip(sizes, x.shape))], t)
        lines.append(f'%d{d} = stablehlo.set_dimension_size %{value}, %n{d}, dim = {d} : ({kind}, tensor<i32>) -> {to}')
        kind, value = to, f'd{d}'
    for key, a in others.items():
        arguments.append((key, tensor(a)))
        inputs.append(a)
    lines += [line.replace('%d,', f'%{value},').replace('KIND', kind) for line in body]
    text = (f'func.func @main({", ".join(f"%{k}: {v}" for k, v in arguments)}) -> {out} {{\n' + ''.join(f'  {line}\n' for line in lines)
            + f'  return %r : {out}\n}}')
    if error:
        file.error(name, text, error, len(lines) + 1, inputs=inputs)
    else:
        file.case(name, text, inputs, [want], trust=False)


def now(x, sizes):
    return x[tuple(slice(n) for n in sizes)]


def pads():
    file = File('stablehlo_late_pads_of_dynamic', 'dynamic_pad by amounts that are data, of arrays of dynamic sizes.')
    x, value = numbered('s32', (4, 5)), array('s32', -1)

    def one(name, sizes, low, high, interior, bounds, t='s64'):
        want = padded(now(x, sizes), -1, low, high, interior)
        out = bounded(want.shape, bounds)
        others = {'v': value, 'l': array(t, low), 'h': array(t, high), 'g': array(t, interior)}
        kind = tensor(others['l'])
        body = [f'%r = stablehlo.dynamic_pad %d, %v, %l, %h, %g : (KIND, tensor<i32>, {kind}, {kind}, {kind}) -> {out}']
        case(file, name, x, sizes, others, body, out, want)
    one('rows', (3, None), [1, 0], [0, 2], [0, 0], [6, 8])
    one('columns', (None, 2), [1, 0], [0, 2], [0, 1], [None, 9])
    one('both', (2, 3), [0, 2], [1, -1], [2, 1], [9, 12], t='s32')
    one('all', (4, 5), [1, 1], [1, 1], [0, 1], [6, 11])
    one('none', (0, 5), [2, 0], [1, 0], [3, 0], [5, 5])
    one('cut', (3, 4), [-1, -2], [0, -1], [0, 0], [4, 5])
    one('one_row', (1, 5), [1, 0], [1, 0], [7, 0], [4, 5])
    one('to_static', (2, 3), [1, 1], [1, 0], [0, 1], [None, None])
    one('to_static_rows', (2, None), [1, 1], [1, 0], [1, 0], [None, 7])


def slices():
    file = File('stablehlo_late_slices_of_dynamic', 'real_dynamic_slice with strides, and of arrays of dynamic sizes, to types with bounds.')
    x = numbered('s32', (6, 7))

    def one(name, sizes, start, limit, stride, bounds, t='s64', known=False):
        want = now(x, sizes)[tuple(slice(*f) for f in zip(start, limit, stride))]
        out = bounded(want.shape, bounds)
        others = {'s': array(t, start), 'l': array(t, limit), 'g': array(t, stride)}
        kind, body = tensor(others['s']), []
        if known:
            del others['g']
            body = [f'%g = stablehlo.constant dense<{stride}> : {kind}']
        body.append(f'%r = stablehlo.real_dynamic_slice %d, %s, %l, %g : (KIND, {kind}, {kind}, {kind}) -> {out}')
        case(file, name, x, sizes, others, body, out, want)
    static, both = (None, None), (4, 5)
    one('strides', static, [1, 0], [6, 6], [2, 3], [3, 4])
    one('strides_known', static, [1, 0], [6, 6], [2, 3], [3, 4], known=True)
    one('strides_unsigned', static, [1, 0], [6, 6], [2, 3], [3, 4], t='u32')
    one('strides_past_the_end', static, [5, 2], [6, 7], [4, 9], [2, 2], t='s32')
    one('strides_nothing', static, [3, 2], [3, 7], [2, 2], [2, 3])
    one('strides_one_dimension', static, [1, 1], [5, 6], [2, 2], [None, 5])
    one('strides_to_static', static, [1, 1], [5, 6], [2, 2], [None, None])
    one('rows', (4, None), [1, 2], [4, 5], [1, 1], [5, 3])
    one('both', both, [1, 1], [4, 5], [1, 1], [6, 6], known=True)
    one('both_strides', both, [0, 1], [4, 5], [3, 2], [6, 6])
    one('to_static', both, [1, 2], [3, 5], [1, 1], [None, None])
    one('whole', both, [0, 0], [4, 5], [1, 1], [6, 7])


GATHER = '#stablehlo.gather<{0}index_vector_dim = {1}>'


def gathers(bad):
    file = File('stablehlo_late_gathers', 'dynamic_gather of slices whose sizes are data, to types with bounds, and of arrays of dynamic sizes.')
    x = numbered('s32', (5, 7))

    def rows(a, indices, size, columns, first=0, axes=(0, 1)):
        """Slices of `size` by `columns` at the starts, kept within the array."""
        slices = []
        for start in indices.reshape(-1, indices.shape[-1]):
            at = [0, 0]
            for axis, i in zip(axes, start):
                at[axis] = int(np.clip(int(i), 0, a.shape[axis] - (size, columns)[axis]))
            slices.append(a[at[0]:at[0] + size, at[1]:at[1] + columns])
        return np.array(slices).reshape(indices.shape[:-1] + (size, columns))

    def one(name, sizes, indices, size, bounds, want=None, numbers='offset_dims = [1, 2], start_index_map = [0, 1], ', vector=1, t='s64', error=None, data=x, axes=(0, 1)):
        if want is None and not error:
            want = rows(now(data, sizes), indices, *size, axes=axes)
        out = bounded(want.shape if want is not None else (len(indices), *size), bounds)
        others = {'i': indices, 's': array(t, size)}
        body = [f'%r = "stablehlo.dynamic_gather"(%d, %i, %s) <{{dimension_numbers = {GATHER.format(numbers, vector)}}}> : '
                f'(KIND, {tensor(indices)}, {tensor(others["s"])}) -> {out}']
        case(bad if error else file, name, data, sizes, others, body, out, want, error=error)
    static = (None, None)
    starts = array('s32', [[1, 2], [4, 0], [-3, 6]])
    one('windows', static, starts, [2, 3], [None, 4, 5])
    one('windows_beyond', static, starts, [2, 3], [None, 9, 9], t='s32')
    one('whole', static, starts, [5, 7], [None, 5, 7])
    one('nothing', static, starts, [0, 3], [None, 2, 5])
    one('one_bound', static, starts, [2, 3], [None, None, 5])
    one('to_static', static, starts, [2, 3], [None, None, None])
    one('rows', static, array('s64', [[3], [9]]), [2, 7], [None, 4, 7], numbers='offset_dims = [1, 2], start_index_map = [0], ', axes=(0,))
    one('columns', static, array('s64', [[3], [9]]), [5, 2], [None, 5, 3], numbers='offset_dims = [1, 2], start_index_map = [1], ', axes=(1,))
    one('offsets_first', static, starts, [2, 3], [4, 5, None], rows(x, starts, 2, 3).transpose(1, 2, 0), numbers='offset_dims = [0, 1], start_index_map = [0, 1], ')
    one('vector_first', static, starts.T.copy(), [2, 3], [None, 4, 5], rows(x, starts, 2, 3), vector=0)
    one('swapped_map', static, starts[:, ::-1].copy(), [2, 3], [None, 4, 5], rows(x, starts, 2, 3), numbers='offset_dims = [1, 2], start_index_map = [1, 0], ')
    one('collapsed', static, array('s32', [2, 0, 8]), [1, 3], [None, 5], x[[2, 0, 4], :3], vector=1,
        numbers='offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], ')
    batch = array('s64', [[1], [6], [3], [0], [2]])
    one('batching', static, batch, [1, 3], [None, 4], np.array([x[b, min(int(i[0]), 4):][:3] for b, i in enumerate(batch)]), vector=1,
        numbers='offset_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], ')
    one('bytes', static, array('s8', [[1, 2], [4, -1]]), [2, 3], [None, 4, 5])
    one('scalar_index', static, array('s32', [3, 1]), [2, 3], [4, 5], x[3:5, 1:4], vector=0, numbers='offset_dims = [0, 1], start_index_map = [0, 1], ')
    for n, m in ((3, 5), (5, 7), (2, 3)):
        one(f'of_dynamic_{n}', (n, m), starts, [2, 3], [None, 4, 5])
    one('of_dynamic_rows', (3, None), starts, [3, 2], [None, 5, 2])
    one('of_dynamic_to_static', (3, 4), starts, [2, 3], [None, None, None])
    one('too_large', (3, None), starts, [4, 2], [None, 5, 2], error='has 3 elements now')
    one('larger_than_bound', static, starts, [2, 6], [None, 5, 5], error='is not between 0 and its bound')
    one('too_large_static', static, starts, [2, 8], [None, 5, 9], error='has 7 elements now')


def convolutions(bad):
    file = File('stablehlo_late_convolutions_bounded', 'dynamic_conv by padding that is data, to types with bounds and of images of dynamic sizes.')
    W = Window

    def one(name, image, sizes, kernel, windows, bounds, numbers, t='s64'):
        labels, text = numbers
        want = convolution_value(np.ascontiguousarray(now(image, sizes)), kernel, windows, Labels(labels), 1)
        out = bounded(want.shape, bounds, 'f32')
        others = {'k': kernel, 'p': array(t, np.array([w.pad for w in windows]).reshape(len(windows), 2))}
        lists = ', '.join(f'{key} = array<i64: {", ".join(str(getattr(w, field)) for w in windows)}>'
                          for key, field in (('window_strides', 'stride'), ('lhs_dilation', 'lhs_dilate'), ('rhs_dilation', 'rhs_dilate')))
        body = [f'%r = "stablehlo.dynamic_conv"(%d, %k, %p) <{{{lists}, dimension_numbers = #stablehlo.conv<{text}>, feature_group_count = 1 : i64, '
                f'batch_group_count = 1 : i64}}> : (KIND, {tensor(kernel)}, {tensor(others["p"])}) -> {out}']
        case(file, name, image, sizes, others, body, out, want, t='f32')
    nchw = ('bf01_oi01->bf01', '[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]')
    nhwc = ('b01f_01io->b01f', '[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]')
    image, kernel, static = numbered('f32', (2, 2, 4, 5)), numbered('f32', (3, 2, 2, 3)), (None,) * 4
    one('plain', image, static, kernel, [W(2, pad=(1, 0)), W(3, pad=(0, 2))], [None, None, 6, 7], nchw)
    one('exactly', image, static, kernel, [W(2, pad=(1, 0)), W(3, pad=(0, 2))], [None, None, 4, 5], nchw)
    one('one_dimension', image, static, kernel, [W(2, pad=(1, 0)), W(3, pad=(0, 2))], [None, None, None, 7], nchw)
    one('strides', image, static, kernel, [W(2, 2, (1, 1)), W(3, 3, (2, 2))], [None, None, 5, 4], nchw, t='s32')
    one('holes', image, static, kernel, [W(2, 1, (1, 2), 2, 2), W(3, 2, (0, 1), 1, 2)], [None, None, 20, 5], nchw)
    one('cut', image, static, kernel, [W(2, pad=(-1, 0)), W(3, pad=(-1, -1))], [None, None, 3, 3], nchw)
    one('no_room', image, static, kernel, [W(2, 1, (-2, -1)), W(3)], [None, None, 2, 3], nchw)
    last, window = numbered('f32', (3, 5, 4, 2)), numbered('f32', (2, 3, 2, 2))
    for n in (0, 1, 3, 5):
        one(f'of_dynamic_{n}', last, (None, n, 3, None), window, [W(2, pad=(1, 1)), W(3, pad=(0, 2))], [None, 7, 6, None], nhwc)
    out = 'tensor<1x?x1xf32, #stablehlo.bounds<?, 7, ?>>'
    kind = 'tensor<?x1x1xf32, #stablehlo.bounds<3, ?, ?>>'
    bad.error('late_padding_of_a_dynamic_window', f'''func.func @main(%x: tensor<1x4x1xf32>, %k: {kind}, %p: tensor<1x2xi64>) -> {out} {{
  %r = "stablehlo.dynamic_conv"(%x, %k, %p) <{{dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}}> : (tensor<1x4x1xf32>, {kind}, tensor<1x2xi64>) -> {out}
  return %r : {out}
}}''', 'a window of dynamic size', 2)
    one('of_dynamic_strides', last, (None, 4, 3, None), window, [W(2, 2, (0, 1), 2, 2), W(3, 1, (1, 1))], [None, 9, 6, None], nhwc)
    one('of_dynamic_batch', last, (2, None, None, None), window, [W(2, pad=(1, 1)), W(3, pad=(0, 2))], [3, 7, 6, None], nhwc)
    one('of_dynamic_batch_to_static_image', last, (2, 3, None, None), window, [W(2, pad=(1, 1)), W(3, pad=(0, 2))], [3, None, None, None], nhwc)


def make():
    pads()
    slices()
    bad = File('error_late_sizes', 'Sizes known when the program runs that do not fit.')
    gathers(bad)
    convolutions(bad)
