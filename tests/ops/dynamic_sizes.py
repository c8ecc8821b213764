"""Cases of dimensions whose size is known only at run time: bounded dimensions, set-dimension-size, dynamic-reshape.

The references are numpy's, on arrays of the sizes of now. XLA's results of dynamic shape cannot be read back, so it
confirms the cases with static results only: those that weigh each element by its position and add all up.
"""
import numpy as np

from cases import File
from element_types import array

ADD = 'add {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT r = f32[] add(x, y)\n}\n\n'
GE = 'ge {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT r = pred[] compare(x, y), direction=GE\n}\n\n'
LT = 'lt {\n  x = f32[] parameter(0)\n  y = f32[] parameter(1)\n  ROOT r = pred[] compare(x, y), direction=LT\n}\n\n'
V = np.arange(1, 11, dtype=np.float32)
M = np.arange(1, 25, dtype=np.float32).reshape(4, 6)
VECTOR = ['a = f32[10] parameter(0)', 'n = s32[] parameter(1)', 'v = f32[<=10] set-dimension-size(a, n), dimensions={0}']
ROWS = ['a = f32[4,6] parameter(0)', 'n = s32[] parameter(1)', 'v = f32[<=4,6] set-dimension-size(a, n), dimensions={0}']
COLUMNS = ['a = f32[4,6] parameter(0)', 'n = s32[] parameter(1)', 'v = f32[4,<=6] set-dimension-size(a, n), dimensions={1}']


def program(name, lines, computations=''):
    return f'HloModule {name}\n\n{computations}ENTRY main {{\n' + ''.join(f'  {line}\n' for line in lines[:-1]) + f'  ROOT {lines[-1]}\n}}'


def weighted(shape):
    """Lines that add up all elements of r, each times 1 + 100 * first index + last index, and the reference of that."""
    rank = shape.count(',') + 1
    static = shape.replace('<=', '')
    return [f'wi = f32[{static}] iota(), iota_dimension={rank - 1}', f'wj = f32[{static}] iota(), iota_dimension=0',
            'wh = f32[] constant(100)', f'wb = f32[{static}] broadcast(wh), dimensions={{}}', f'wk = f32[{static}] multiply(wj, wb)',
            f'wl = f32[{static}] add(wi, wk)', f'wm = f32[{shape}] multiply(r, wl)', 'wz = f32[] constant(0)',
            f'wr = f32[] reduce(wm, wz), dimensions={{{",".join(map(str, range(rank)))}}}, to_apply=add']


def weigh(a):
    first, last = np.indices(a.shape)[0], np.indices(a.shape)[-1]
    return np.float32((a * (last + 100 * first)).sum())


def both(file, name, start, data, n, lines, shape, reference, computations='', known=True):
    """A case with the result as it is, and one with its weighted sum, which XLA confirms (if `known`)."""
    want = np.asarray(reference, np.float32)
    inputs = [data, array('s32', n)]
    made = f'r = f32[{shape}] '
    head = start + lines[:-1] + [made + lines[-1]]
    file.case(f'{name}_{n}', program(name, head, computations), inputs, [want], trust=False)
    if want.ndim:
        file.case(f'{name}_{n}_sum', program(name, head + weighted(shape), computations + ADD * ('add {' not in computations)), inputs,
                  [weigh(want)], trust=known)


def reshapes(file):
    for n in (0, 3, 4):
        both(file, 'reshape_rows', ROWS, M, n, ['reshape(v)'], '<=24', M[:n].reshape(-1))
        both(file, 'reshape_apart', ROWS, M, n, ['reshape(v)'], '<=4,2,3', M[:n].reshape(n, 2, 3))
    for n in (0, 2, 6):
        both(file, 'reshape_columns', COLUMNS, M, n, ['reshape(v)'], '<=24', M[:, :n].reshape(-1))
        # XLA loses the size here: it takes the whole bound.
        both(file, 'reshape_split_major', VECTOR, V, n, ['reshape(v)'], '<=5,2', V[:n].reshape(-1, 2), known=False)
        both(file, 'reshape_split_minor', VECTOR, V, n, ['reshape(v)'], '2,<=5', V[:n].reshape(2, -1), known=False)
    both(file, 'reshape_ones', VECTOR, V, 7, ['reshape(v)'], '1,<=10,1', V[:7].reshape(1, 7, 1))
    # XLA's compiler crashes over dynamic-reshape.
    sizes = ['k = s32[] constant(2)', 'l = s32[] constant(9)']
    both(file, 'dynamic_reshape', ROWS, M, 3, sizes + ['dynamic-reshape(v, k, l)'], '<=4,<=9', M[:3].reshape(2, 9), known=False)
    sizes = ['k = s32[] constant(6)', 'l = s64[] constant(4)']
    both(file, 'dynamic_reshape_static_dimension', ROWS, M, 4, sizes + ['l2 = s32[] convert(l)', 'dynamic-reshape(v, k, l2)'], '<=8,4',
         M.reshape(6, 4), known=False)


def movement(file):
    for n in (0, 5, 10):
        both(file, 'set', VECTOR, V, n, ['copy(v)'], '<=10', V[:n])
        both(file, 'reverse', VECTOR, V, n, ['reverse(v), dimensions={0}'], '<=10', V[:n][::-1])
        both(file, 'concatenate', VECTOR, V, n, ['concatenate(v, a, v), dimensions={0}'], '<=30', np.concatenate([V[:n], V, V[:n]]))
        both(file, 'pad', VECTOR, V, n, ['f = f32[] constant(7)', 'pad(v, f), padding=3_2_1'], '<=24',
             np.concatenate([[7, 7, 7], np.stack([V[:n], np.full(n, 7)], 1).reshape(-1)[:max(2 * n - 1, 0)], [7, 7]]))
        both(file, 'broadcast', VECTOR, V, n, ['broadcast(v), dimensions={1}'], '3,<=10', np.broadcast_to(V[:n], (3, n)))
        both(file, 'slice_beyond', VECTOR, V, n, ['slice(v), slice={[1:8]}'], '<=7', V[:n][1:8])
    both(file, 'slice_within', VECTOR, V, 5, ['slice(v), slice={[1:5:2]}'], '2', V[1:5:2])
    both(file, 'transpose', ROWS, M, 3, ['transpose(v), dimensions={1,0}'], '6,<=4', M[:3].T)
    both(file, 'concatenate_other', COLUMNS, M, 4, ['concatenate(v, a), dimensions={0}'], '8,<=6', np.concatenate([M, M])[:, :4])
    zero = ['o = s32[] constant(0)', 'k = s32[] constant(3)']
    both(file, 'dynamic_slice', ROWS, M, 3, zero + ['dynamic-slice(v, o, k), dynamic_slice_sizes={4,2}'], '<=4,2', M[:3, 3:5])
    both(file, 'dynamic_slice_of_bound', VECTOR, V, 5, zero + ['dynamic-slice(v, k), dynamic_slice_sizes={4}'], '4', V[3:7])
    update = ['u = f32[1] constant({77})', 'w = f32[<=10] dynamic-update-slice(v, u, n)', 'one = s32[] constant(1)', 'n1 = s32[] add(n, one)']
    both(file, 'append', VECTOR, V, 5, update + ['set-dimension-size(w, n1), dimensions={0}'], '<=10', np.append(V[:5], 77))
    both(file, 'grow', VECTOR, V, 5, ['w = f32[<=10] negate(v)', 'e = s32[] constant(8)', 'set-dimension-size(w, e), dimensions={0}'], '<=10', -V[:8])


def indexing(file):
    rows = 'gather(v, i), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,6}'
    both(file, 'gather_windows', COLUMNS, M, 4, ['i = s32[3] constant({0, 2, 1})', rows], '3,<=6', M[[0, 2, 1], :4])
    indices = ['b = s32[4] constant({0, 2, 1, 3})', 'i = s32[<=4] set-dimension-size(b, n), dimensions={0}', rows.replace('(v,', '(a,')]
    both(file, 'gather_indices', ROWS, M, 3, indices, '<=4,6', M[[0, 2, 1]])
    scatter = 'update_window_dims={}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add'
    want = V[:5].copy()
    want[[0, 2]] += [10, 20]
    both(file, 'scatter', VECTOR, V, 5, ['i = s32[3] constant({0, 2, 7})', 'u = f32[3] constant({10, 20, 30})', f'scatter(v, i, u), {scatter}'],
         '<=10', want, ADD)
    want = V.copy()
    want[[9, 8, 7]] += V[:3]
    updates = ['b = s32[10] constant({9, 8, 7, 6, 5, 4, 3, 2, 1, 0})', 'i = s32[<=10] set-dimension-size(b, n), dimensions={0}',
               f'scatter(a, i, v), {scatter}']
    both(file, 'scatter_updates', VECTOR, V, 3, updates, '10', want, ADD)
    updates[-1] = updates[-1].replace('(a, i, v)', '(a, b, v)')  # static indices are cut to the updates
    both(file, 'scatter_cut_indices', VECTOR, V, 3, updates, '10', want, ADD)


def reductions(file):
    zero = ['z = f32[] constant(0)']
    for n in (0, 5, 10):
        for op, start, want in (('add', '0', V[:n].sum()), ('multiply', '1', V[:n].prod()), ('maximum', '-inf', V[:n].max(initial=-np.inf)),
                                ('minimum', 'inf', V[:n].min(initial=np.inf))):
            body = ADD.replace('add(x', op + '(x')
            file.case(f'reduce_{op}_{n}', program(op, VECTOR + [f'z = f32[] constant({start})', 'r = f32[] reduce(v, z), dimensions={0}, to_apply=add'], body),
                      [V, array('s32', n)], [np.float32(want)])
        both(file, 'dot', VECTOR, V, n, ['dot(v, a), lhs_contracting_dims={0}, rhs_contracting_dims={0}'], '', (V[:n] ** 2).sum())
    both(file, 'reduce_rows', ROWS, M, 3, zero + ['reduce(v, z), dimensions={1}, to_apply=add'], '<=4', M[:3].sum(1), ADD)
    both(file, 'reduce_columns', ROWS, M, 3, zero + ['reduce(v, z), dimensions={0}, to_apply=add'], '6', M[:3].sum(0), ADD)
    both(file, 'matrix_product', ROWS, M, 3, ['dot(v, a), lhs_contracting_dims={1}, rhs_contracting_dims={1}'], '<=4,4', M[:3] @ M.T)
    both(file, 'matrix_product_inner', ROWS, M, 3, ['dot(a, v), lhs_contracting_dims={0}, rhs_contracting_dims={0}'], '6,6', M[:3].T @ M[:3])
    both(file, 'sort_up', VECTOR, V, 4, ['w = f32[<=10] negate(v)', 'sort(w), dimensions={0}, to_apply=lt'], '<=10', -V[:4][::-1], LT)
    both(file, 'sort_down', VECTOR, V, 4, ['sort(v), dimensions={0}, to_apply=ge'], '<=10', V[:4][::-1], GE)
    both(file, 'sort_rows', COLUMNS, M, 4, ['sort(v), dimensions={1}, to_apply=ge'], '4,<=6', M[:, :4][:, ::-1], GE)


def windows(file):
    zero = ['z = f32[] constant(0)']
    for n in (0, 2, 5):
        both(file, 'window', VECTOR, V, n, zero + ['reduce-window(v, z), window={size=3}, to_apply=add'], '<=8',
             np.convolve(V[:n], np.ones(3), 'valid') if n >= 3 else [], ADD)
        # XLA computes the number of windows as if there was no padding.
        both(file, 'window_padded', VECTOR, V, n, zero + ['reduce-window(v, z), window={size=3 pad=1_1}, to_apply=add'], '<=10',
             np.convolve(V[:n], np.ones(3), 'full')[1:-1] if n else [], ADD, known=False)
    both(file, 'window_stride', VECTOR, V, 5, zero + ['reduce-window(v, z), window={size=2 stride=2}, to_apply=add'], '<=5', [3, 7], ADD)
    kernel = ['k = f32[2,1,1] constant({ { {1} }, { {2} } })', 'w = f32[<=4,6,1] reshape(v)',
              'convolution(w, k), window={size=2}, dim_labels=b0f_0io->b0f']
    both(file, 'convolution_batch', ROWS, M, 3, kernel, '<=4,5,1', (M[:3, :-1] + 2 * M[:3, 1:])[..., None])
    kernel[1:] = ['w = f32[4,<=6,1] reshape(v)', kernel[2]]
    both(file, 'convolution_spatial', COLUMNS, M, 4, kernel, '4,<=5,1', (M[:, :3] + 2 * M[:, 1:4])[..., None])
    # The kernel's features are cut to the input's.
    kernel = ['k = f32[1,6,2] constant({ { {1,2}, {3,4}, {5,6}, {7,8}, {9,10}, {11,12} } })', 'w = f32[4,1,<=6] reshape(v)',
              'convolution(w, k), window={size=1}, dim_labels=b0f_0io->b0f']
    both(file, 'convolution_features', COLUMNS, M, 2, kernel, '4,1,2', (M[:, :2] @ np.array([[1, 2], [3, 4]]))[:, None])
    source = ['u = f32[5] constant({1, 2, 3, 4, 5})', 'z = f32[] constant(0)',
              'select-and-scatter(v, u, z), window={size=2 stride=2}, select=ge, scatter=add']
    both(file, 'select_and_scatter', VECTOR, V, 6, source, '<=10', [0, 1, 0, 2, 0, 3], ADD + GE)


def elementwise(file):
    both(file, 'add_static', VECTOR, V, 5, ['add(v, a)'], '<=10', 2 * V[:5])
    both(file, 'add_own_size', VECTOR, V, 5, ['w = f32[<=10] set-dimension-size(a, n), dimensions={0}', 'multiply(v, w)'], '<=10', V[:5] ** 2)
    both(file, 'select', VECTOR, V, 5, ['k = pred[10] constant({1,0,1,0,1,0,1,0,1,0})', 'w = f32[10] negate(a)', 'select(k, v, w)'], '<=10',
         V[:5] * [1, -1, 1, -1, 1])
    both(file, 'clamp', VECTOR, V, 5, ['l = f32[] constant(2)', 'h = f32[] constant(4)', 'clamp(l, v, h)'], '<=10', V[:5].clip(2, 4))
    both(file, 'map', VECTOR, V, 5, ['map(v, a), dimensions={0}, to_apply=add'], '<=10', 2 * V[:5], ADD)
    want = array('s32', [[4, 3]])[0]
    lines = COLUMNS + ['w = f32[<=4,<=6] set-dimension-size(v, n), dimensions={0}', 'e = s32[] constant(4)',
                       'x = f32[<=4,<=6] set-dimension-size(w, e), dimensions={0}', 'p = s32[] get-dimension-size(x), dimensions={0}',
                       'q = s32[] get-dimension-size(x), dimensions={1}', 'p1 = s32[1] reshape(p)', 'q1 = s32[1] reshape(q)',
                       'r = s32[2] concatenate(p1, q1), dimensions={0}']
    file.case('two_dimensions', program('two', lines), [M, array('s32', 3)], [want])
    # The sizes stay with a value whose stated shape does not mark them: the example of the operation semantics.
    lines = [VECTOR[0], VECTOR[1], 'v = f32[10] set-dimension-size(a, n), dimensions={0}', 'w = f32[10] add(v, v)', 'z = f32[] constant(0)',
             'r = f32[] reduce(w, z), dimensions={0}, to_apply=add']
    file.case('seed_set_dimension_size', program('seed', lines, ADD), [V, array('s32', 5)], [np.float32(30)], trust=False)


def control(file):
    """Sizes that change from step to step, and that differ between branches."""
    state = '(s32[], f32[<=10])'
    loop = (f'condition {{\n  t = {state} parameter(0)\n  i = s32[] get-tuple-element(t), index=0\n  e = s32[] constant(3)\n'
            '  ROOT r = pred[] compare(i, e), direction=LT\n}\n\n'
            f'body {{\n  t = {state} parameter(0)\n  i = s32[] get-tuple-element(t), index=0\n  v = f32[<=10] get-tuple-element(t), index=1\n'
            '  one = s32[] constant(1)\n  i1 = s32[] add(i, one)\n  w = f32[<=10] add(v, v)\n  m = s32[] get-dimension-size(w), dimensions={0}\n'
            f'  m1 = s32[] subtract(m, one)\n  x = f32[<=10] set-dimension-size(w, m1), dimensions={{0}}\n  ROOT r = {state} tuple(i1, x)\n}}\n\n')
    lines = ['o = s32[] constant(0)', f't = {state} tuple(o, v)', f'w = {state} while(t), condition=condition, body=body',
             'get-tuple-element(w), index=1']
    both(file, 'while', VECTOR, V, 8, lines, '<=10', 8 * V[:5], loop)
    branches = ('half {\n  x = f32[<=10] parameter(0)\n  k = s32[] constant(2)\n  ROOT r = f32[<=10] set-dimension-size(x, k), dimensions={0}\n}\n\n'
                'twice {\n  x = f32[<=10] parameter(0)\n  ROOT r = f32[<=10] add(x, x)\n}\n\n')
    for n, want in ((4, V[:2]), (5, 2 * V[:5])):
        lines = ['four = s32[] constant(4)', 'p = pred[] compare(n, four), direction=EQ',
                 'conditional(p, v, v), true_computation=half, false_computation=twice']
        both(file, 'conditional', VECTOR, V, n, lines, '<=10', want, branches)
    both(file, 'call', VECTOR, V, 5, ['call(v), to_apply=twice'], '<=10', 2 * V[:5], branches)
    both(file, 'permute', VECTOR, V, 5, ['collective-permute(v), source_target_pairs={{0,0}}'], '<=10', V[:5])


def parameters(file):
    """Arrays smaller than the bound as arguments, in other layouts too."""
    double = program('double', ['a = f32[<=5] parameter(0)', 'r = f32[<=5] add(a, a)'])
    for n in (0, 3, 5):
        file.case(f'parameter_{n}', double, [V[:n]], [2 * V[:n]], trust=False)
    columns = program('columns', ['a = f32[<=4,6]{0,1} parameter(0)', 'b = f32[4,<=6] parameter(1)', 'c = f32[<=4,<=6] multiply(a, b)',
                                  'r = f32[<=6,<=4] transpose(c), dimensions={1,0}'])
    file.case('parameter_layouts', columns, [M[:3], M[:, :2]], [(M[:3, :2] ** 2).T], layouts=[(0, 1), None], trust=False)
    file.case('parameter_types', program('types', ['a = s4[<=5] parameter(0)', 'p = pred[<=5] parameter(1)', 'z = s4[] constant(7)',
                                                   'b = s4[5] broadcast(z), dimensions={}', 'r = s4[<=5] select(p, a, b)']),
              [array('s4', [1, -2, 3]), array('pred', [True, False, True])], [array('s4', [1, 7, 3])], trust=False)


def stablehlo():
    """Bounds as StableHLO writes them; dynamic operations whose sizes come from arguments."""
    file = File('stablehlo_dynamic_sizes', 'StableHLO with bounded sizes.')
    bounded = 'tensor<?xf32, #stablehlo.bounds<10>>'

    def function(arguments, result, lines, value='%r'):
        return f'func.func @main({arguments}) -> {result} {{\n' + ''.join(f'  {line}\n' for line in lines) + f'  return {value} : {result}\n}}'
    set_size = f'%v = stablehlo.set_dimension_size %a, %n, dim = 0 : (tensor<10xf32>, tensor<i32>) -> {bounded}'
    start = '%a: tensor<10xf32>, %n: tensor<i32>'
    for n in (0, 4, 10):
        inputs = [V, array('s32', n)]
        file.case(f'set_{n}', function(start, bounded, [set_size, f'%r = stablehlo.add %v, %v : {bounded}']), inputs, [2 * V[:n]], trust=False)
        total = [set_size, '%z = stablehlo.constant dense<0.0> : tensor<f32>',
                 f'%r = stablehlo.reduce(%v init: %z) applies stablehlo.add across dimensions = [0] : ({bounded}, tensor<f32>) -> tensor<f32>']
        file.case(f'sum_{n}', function(start, 'tensor<f32>', total), inputs, [V[:n].sum()])
        mixed = [set_size, f'%r = stablehlo.multiply %v, %a : ({bounded}, tensor<10xf32>) -> {bounded}']
        file.case(f'mixed_types_{n}', function(start, bounded, mixed), inputs, [V[:n] ** 2], trust=False)
    generic = [set_size.replace('%v = stablehlo.set_dimension_size %a, %n, dim = 0', '%v = "stablehlo.set_dimension_size"(%a, %n) <{dimension = 0 : i64}>'),
               f'%r = "stablehlo.get_dimension_size"(%v) <{{dimension = 0 : i64}}> : ({bounded}) -> tensor<i32>']
    file.case('generic', function(start, 'tensor<i32>', generic), [V, array('s32', 7)], [array('s32', 7)])
    # XLA and StableHLO's own refinement want constant sizes in these.
    table = 'tensor<?x2xi64, #stablehlo.type_extensions<bounds = [7, ?]>>'
    sizes = '%s: tensor<2xi32>'
    iota = [f'%r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<2xi32>) -> {table}']
    file.case('iota', function(sizes, table, iota), [array('s32', [4, 2])], [np.indices((4, 2))[0].astype(np.int64)], trust=False)
    row = '%a: tensor<2xi64>, %s: tensor<2xi64>'
    broadcast = [f'%r = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1] : (tensor<2xi64>, tensor<2xi64>) -> {table}']
    file.case('broadcast', function(row, table, broadcast), [array('s64', [5, 6]), array('s64', [3, 2])], [array('s64', [[5, 6]] * 3)], trust=False)
    both_open = 'tensor<?x?xf32, #stablehlo.bounds<5, 10>>'
    reshape = [f'%r = stablehlo.dynamic_reshape %a, %s : (tensor<10xf32>, tensor<2xi32>) -> {both_open}']
    file.case('reshape', function('%a: tensor<10xf32>, %s: tensor<2xi32>', both_open, reshape), [V, array('s32', [2, 5])], [V.reshape(2, 5)], trust=False)
    argument = 'tensor<?x3xf32, #stablehlo.bounds<4, ?>>'
    dot = [f'%r = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : ({argument}, {argument}) -> tensor<3x3xf32>']
    rows = np.arange(6, dtype=np.float32).reshape(2, 3)
    file.case('argument', function(f'%a: {argument}', 'tensor<3x3xf32>', dot), [rows], [rows.T @ rows], trust=False)


def errors():
    file = File('error_dynamic_sizes', 'Sizes that do not fit, known only when the program runs.')
    start = ['a = f32[10] constant({1,2,3,4,5,6,7,8,9,10})', 'n = s32[] constant(5)', 'v = f32[<=10] set-dimension-size(a, n), dimensions={0}']

    def refuse(name, lines, substring):
        text = program(name, start + lines)
        line = next(i + 1 for i, row in enumerate(text.split('\n')) if 'bad = ' in row)
        file.error(name, text, substring, line)
    refuse('size_beyond_bound', ['k = s32[] constant(11)', 'bad = f32[<=10] set-dimension-size(a, k), dimensions={0}'], 'is not between 0 and its bound')
    refuse('size_negative', ['k = s32[] constant(-1)', 'bad = f32[<=10] set-dimension-size(a, k), dimensions={0}'], 'is not between 0 and its bound')
    refuse('sizes_differ', ['k = s32[] constant(4)', 'w = f32[<=10] set-dimension-size(a, k), dimensions={0}', 'bad = f32[<=10] add(v, w)'],
           'dimension 0 of operand 0 has 5 elements now')
    refuse('dot_sizes_differ', ['k = s32[] constant(4)', 'w = f32[<=10] set-dimension-size(a, k), dimensions={0}',
                                'bad = f32[] dot(v, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}'], 'has 5 elements now')
    refuse('reshape_uneven', ['bad = f32[<=5,2] reshape(v)'], 'cannot make')
    refuse('dynamic_reshape_elements', ['k = s32[] constant(4)', 'bad = f32[<=10] dynamic-reshape(v, k)'], 'has 5 elements now')
    refuse('dynamic_reshape_bound', ['k = s32[] constant(4)', 'bad = f32[<=3] dynamic-reshape(v, k)'], 'is not between 0 and its bound')
    refuse('dynamic_reshape_static', ['k = s32[] constant(5)', 'bad = f32[6] dynamic-reshape(v, k)'], 'static dimension')
    call = lambda operands, target: f'custom-call({operands}), custom_call_target="{target}"'
    refuse('slice_to_dynamic_bound', ['k = s32[] constant(11)', f'bad = f32[<=10] {call("a, k", "SliceToDynamic")}'], 'is not between 0 and its bound')
    refuse('slice_to_dynamic_count', [f'bad = f32[<=10] {call("a", "SliceToDynamic")}'], 's32 scalar per dimension')
    refuse('slice_to_dynamic_scalars', [f'bad = f32[<=10] {call("a, a", "SliceToDynamic")}'], 's32 scalar per dimension')
    refuse('pad_to_static_count', [f'bad = (f32[10], s32[], s32[]) {call("v", "PadToStatic")}'], 's32 scalar per dimension')
    refuse('top_k_of_fewer', [f'bad = (f32[6], s32[6]) {call("v", "TopK")}'], 'takes one array')
    refuse('dynamic_reshape_count', ['bad = f32[<=10] dynamic-reshape(v)'], 'takes a size for each')


def custom_calls(file):
    """The targets by which XLA's optimised programs go between bounds with sizes and dynamic dimensions."""
    scalars = ['k = s32[] constant(2)', 'c = s32[] constant(6)']
    call = lambda operands, target: f'custom-call({operands}), custom_call_target="{target}"'
    for n in (0, 3, 4):
        both(file, 'slice_to_dynamic', ROWS, M, n, [scalars[1], call('a, n, c', 'SliceToDynamic')], '<=4,6', M[:n], known=False)
        both(file, 'pad_to_static', ROWS, M, n, [f'p = (f32[4,6], s32[], s32[]) {call("v", "PadToStatic")}', 's = s32[] get-tuple-element(p), index=1',
                                                 'f = f32[] convert(s)', 'b = f32[4,6] broadcast(f), dimensions={}',
                                                 'x = f32[4,6] get-tuple-element(p), index=0', 'add(x, b)'], '4,6',
             np.concatenate([M[:n], np.zeros((4 - n, 6), np.float32)]) + n, known=False)
    # A sort of which only the first elements are wanted, at the size of now.
    both(file, 'top_k', VECTOR, V, 3, [f't = (f32[2], s32[2]) {call("v", "TopK")}', 'get-tuple-element(t), index=0'], '2', V[2:0:-1], known=False)


def make():
    file = File('dynamic_sizes', 'Dimensions whose sizes are known only at run time: bounds, set-dimension-size, dynamic-reshape.')
    for part in (elementwise, movement, control, parameters):
        part(file)
    file = File('dynamic_sizes_combined', 'Sizes known only at run time where elements are combined or regrouped.')
    for part in (reshapes, indexing, reductions, windows):
        part(file)
    file = File('dynamic_sizes_custom_calls', 'Sizes known only at run time, in and out of custom calls.')
    custom_calls(file)
    stablehlo()
    errors()
