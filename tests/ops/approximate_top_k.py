"""Cases of the custom call ApproxTopK as JAX writes it, whose exact answer is sorting."""
import numpy as np

import element_types as et
from cases import File
from element_types import array
from lapack import tensor


def program(operands, results, dimension, k, direction='GT', types=None, condition=''):
    kinds = [(et.NAMES[a.dtype], a.shape) for a in operands]
    types = types or [t for t, _ in kinds]
    scalars = [tensor(t, ()) for t in types]
    parameters = ', '.join(f'%l{i}: {s}, %r{i}: {s}' for i, s in enumerate(scalars))
    body = (f'    %0 = stablehlo.compare {direction}, %l0, %r0 : ({scalars[0]}, {scalars[0]}) -> tensor<i1>\n{condition}'
            f'    return %{1 if condition else 0} : tensor<i1>')
    starts = [f'    %s{i} = stablehlo.constant dense<{"0.0" if et.is_float(t) else 0}> : {tensor(t, ())}' for i, (t, _) in enumerate(kinds)]
    names = ', '.join([f'%a{i}' for i in range(len(kinds))] + [f'%s{i}' for i in range(len(kinds))])
    inputs = ', '.join([tensor(t, s) for t, s in kinds] + [tensor(t, ()) for t, _ in kinds])
    outs = ', '.join(tensor(t, s) for t, s in results)
    return (f'func.func private @order({parameters}) -> tensor<i1> {{\n{body}\n}}\n'
            f'func.func @main({", ".join(f"%a{i}: {tensor(t, s)}" for i, (t, s) in enumerate(kinds))}) -> ({outs}) {{\n' + '\n'.join(starts)
            + f'\n    %r:{len(results)} = stablehlo.custom_call @ApproxTopK({names}) {{called_computations = [@order], mhlo.backend_config = '
            f'{{aggregate_to_topk = true, is_fallback = true, recall_target = 0.95 : f32, reduction_dim = {dimension} : i64, '
            f'reduction_input_size_override = -1 : i64, top_k = {k} : i64}}}} : ({inputs}) -> ({outs})\n'
            f'    return {", ".join(f"%r#{i}" for i in range(len(results)))} : {outs}\n}}')


def case(file, name, keys, k, dimension, direction='GT', **options):
    t, shape = et.NAMES[keys.dtype], list(keys.shape)
    shape[dimension] = k
    positions = np.ascontiguousarray(np.broadcast_to(np.arange(keys.shape[dimension], dtype=np.int32).reshape([-1 if d == dimension else 1 for d in range(keys.ndim)]), keys.shape))
    file.case(name, program([keys, positions], [(t, tuple(shape)), ('s32', tuple(shape))], dimension, k, direction, **options), [keys, positions])


def make():
    file = File('approximate_top_k', 'The custom call ApproxTopK: types, dimensions, directions.')
    gen = np.random.default_rng(4)
    for t in ('f32', 'bf16', 'f64'):
        case(file, t, array(t, gen.permutation(12) - 4), 3, 0)
    case(file, 'least', array('f32', gen.permutation(20)), 4, 0, 'LT')
    case(file, 'rows', array('f32', gen.permutation(24) - 4).reshape(3, 8), 2, 1)
    case(file, 'columns', array('f32', gen.permutation(24) - 4).reshape(8, 3), 2, 0)
    case(file, 'all', array('f32', gen.permutation(6)), 6, 0)
