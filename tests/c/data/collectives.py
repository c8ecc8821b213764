# Writes collectives.txt: what XLA's CPU backend gives for collectives on four devices.
#   python collectives.py > collectives.txt      (JAX 0.10; the tests do not need it)
# A block starts with "== name replicas partitions"; the program follows up to a line "--", then one
# line for each process in turn: its inputs, "|", its results, as literals with ";" between them.
import os

os.environ['XLA_FLAGS'] = '--xla_force_host_platform_device_count=4'
import jax
import ml_dtypes
import numpy as np
from jax._src import xla_bridge
from jax._src.interpreters import mlir
from jax._src.lib import xla_client as xc

jax.config.update('jax_enable_x64', True)
TYPES = {'f32': np.float32, 'f16': np.float16, 'bf16': ml_dtypes.bfloat16, 's32': np.int32,
         'u32': np.uint32, 'pred': np.bool_, 'c64': np.complex64, 'f64': np.float64, 's8': np.int8}
NAMES = {np.dtype(t): n for n, t in TYPES.items()}
MLIR = {'s32': 'i32', 'u32': 'ui32', 'pred': 'i1', 'c64': 'complex<f32>', 's8': 'i8'}
MANUAL = 'mhlo.sharding = "{manual}"'


def tensor(array):
    return 'tensor<' + ''.join(f'{d}x' for d in array.shape) + element(array) + '>'


def element(array):
    name = NAMES[array.dtype]
    return MLIR.get(name, name)


def number(value):
    if isinstance(value, (complex, np.complexfloating)):
        return f'({value.real:g}, {value.imag:g})'
    return str(int(value)) if isinstance(value, (bool, np.bool_, np.integer)) else f'{float(value):.9g}'


def literal(array):
    def values(a):
        if a.ndim == 0:
            return number(a.item())
        return '{' + ', '.join(values(x) for x in a) + '}'

    dims = ','.join(str(d) for d in array.shape)
    return f'{NAMES[array.dtype]}[{dims}] {values(array)}'


def run(text, inputs, replicas, partitions):
    options = xc.CompileOptions()
    build = options.executable_build_options
    assignment = xc.DeviceAssignment.create(np.arange(replicas * partitions).reshape(replicas, partitions))
    for o in (options, build):
        o.num_replicas, o.num_partitions = replicas, partitions
        o.device_assignment = assignment
    build.use_spmd_partitioning = partitions > 1
    devices = jax.devices()
    with mlir.make_ir_context():
        module = mlir.ir.Module.parse(text)
        executable = xla_bridge.get_backend('cpu').compile_and_load(module, xc.DeviceList(tuple(devices)), options)
    sharding = jax.sharding.NamedSharding(jax.sharding.Mesh(np.array(devices), 'd'), jax.sharding.PartitionSpec('d'))
    arguments = []
    for i in range(len(inputs[0])):
        parts = [jax.device_put(values[i], device) for values, device in zip(inputs, devices)]
        shape = (len(parts) * parts[0].shape[0],) + parts[0].shape[1:]
        arguments.append(jax.make_array_from_single_device_arrays(shape, sharding, parts))
    results = executable.execute_sharded(arguments).disassemble_into_single_device_arrays()
    return [[np.asarray(result[p]) for result in results] for p in range(len(devices))]


def case(name, grid, inputs, results, body):
    """body: operations on %x0, %x1, … that end by defining %y0, %y1, …; {sharding} is what they carry."""
    replicas, partitions = grid
    sharding = f', {MANUAL}' if partitions > 1 else ''
    place = f' {{{MANUAL}}}' if partitions > 1 else ''
    parameters = ', '.join(f'%x{i}: {tensor(x)}{place}' for i, x in enumerate(inputs[0]))
    types = ', '.join(f'{t}{place}' for t in results)
    values = ', '.join(f'%y{i}' for i in range(len(results)))
    text = f'''module @{name} attributes {{mhlo.num_replicas = {replicas} : i32, mhlo.num_partitions = {partitions} : i32}} {{
  func.func @main({parameters}) -> ({types}) {{
    {body.replace('{sharding}', sharding)}
    return {values} : {', '.join(results)}
  }}
}}'''
    outputs = run(text, inputs, replicas, partitions)
    print(f'== {name} {replicas} {partitions}\n{text}\n--')
    for values, result in zip(inputs, outputs):
        print('; '.join(map(literal, values)), '|', '; '.join(map(literal, result)))


def groups(rows):
    return f'dense<{rows}> : tensor<{len(rows)}x{len(rows[0])}xi64>'


def channel(number):
    return f'channel_handle = #stablehlo.channel_handle<handle = {number}, type = 1>'


def reducer(op, e):
    return (f'({{ ^bb0(%a: tensor<{e}>, %b: tensor<{e}>): %s = stablehlo.{op} %a, %b : tensor<{e}> '
            f'"stablehlo.return"(%s) : (tensor<{e}>) -> () }})')


def numbered(shape, dtype=np.float32):
    """A different array for each process."""
    size = int(np.prod(shape))
    return [[(np.arange(size) + 100 * p).astype(dtype).reshape(shape)] for p in range(4)]


def gather(name, grid, rows, dim, factor, extra):
    x = numbered((2, 3))
    shape = [2, 3]
    shape[dim] *= factor
    to = f'tensor<{shape[0]}x{shape[1]}xf32>'
    case(name, grid, x, [to],
         f'%y0 = "stablehlo.all_gather"(%x0) {{all_gather_dim = {dim} : i64, replica_groups = {groups(rows)}{extra}{{sharding}}}} : (tensor<2x3xf32>) -> {to}')


def reduce(name, grid, x, op, rows, extra=''):
    t, e = tensor(x[0][0]), element(x[0][0])
    case(name, grid, x, [t],
         f'%y0 = "stablehlo.all_reduce"(%x0) {reducer(op, e)} {{replica_groups = {groups(rows)}{extra}{{sharding}}}} : ({t}) -> {t}')


def scatter(name, grid, shape, dim, parts, rows, extra=''):
    to = list(shape)
    to[dim] //= parts
    to = 'tensor<' + ''.join(f'{d}x' for d in to) + 'f32>'
    x = numbered(shape)
    case(name, grid, x, [to],
         f'%y0 = "stablehlo.reduce_scatter"(%x0) {reducer("add", "f32")} {{scatter_dimension = {dim} : i64, replica_groups = {groups(rows)}{extra}{{sharding}}}} : ({tensor(x[0][0])}) -> {to}')


def exchange(name, grid, shape, split, concat, parts, rows, extra=''):
    to = list(shape)
    to[split] //= parts
    to[concat] *= parts
    to = 'tensor<' + ''.join(f'{d}x' for d in to) + 'f32>'
    x = numbered(shape)
    case(name, grid, x, [to],
         f'%y0 = "stablehlo.all_to_all"(%x0) {{split_dimension = {split} : i64, concat_dimension = {concat} : i64, split_count = {parts} : i64, replica_groups = {groups(rows)}{extra}{{sharding}}}} : ({tensor(x[0][0])}) -> {to}')


def permute(name, grid, pairs, extra=''):
    x = numbered((3,))
    case(name, grid, x, ['tensor<3xf32>'],
         f'%y0 = "stablehlo.collective_permute"(%x0) {{source_target_pairs = {groups(pairs)}{extra}{{sharding}}}} : (tensor<3xf32>) -> tensor<3xf32>')


GLOBAL = f', {channel(1)}, use_global_device_ids'
ACROSS = f', {channel(1)}'

gather('gather_all', (4, 1), [[0, 1, 2, 3]], 0, 4, '')
gather('gather_in_pairs', (4, 1), [[0, 2], [3, 1]], 1, 2, '')
gather('gather_of_partitions_by_replica', (2, 2), [[1, 0]], 0, 4, ACROSS)
gather('gather_each_replica', (2, 2), [[0], [1]], 0, 2, ACROSS)
gather('gather_by_global_number', (2, 2), [[2, 0], [1, 3]], 0, 2, GLOBAL)
gather('gather_without_channel', (2, 2), [[1, 0]], 1, 2, '')

reduce('sum', (4, 1), numbered((2, 3)), 'add', [[0, 1, 2, 3]])
reduce('sum_in_pairs', (4, 1), numbered((2, 3)), 'add', [[0, 2], [1, 3]])
reduce('sum_over_partitions', (2, 2), numbered((4,)), 'add', [[0], [1]], ACROSS)
reduce('product_by_global_number', (2, 2), numbered((4,)), 'multiply', [[0, 3], [1, 2]], GLOBAL)
reduce('largest_s32', (4, 1), numbered((5,), np.int32), 'maximum', [[0, 3], [1, 2]])
reduce('smallest_f64', (4, 1), numbered((5,), np.float64), 'minimum', [[0, 1, 2, 3]])
reduce('or', (4, 1), [[np.array([p == 1, p < 2, False])] for p in range(4)], 'or', [[0, 1], [2, 3]])
reduce('and', (4, 1), [[np.array([p == 1, p < 2, True])] for p in range(4)], 'and', [[0, 1], [2, 3]])
reduce('sum_c64', (4, 1), [[np.array([p + 2j, 1j * p], np.complex64)] for p in range(4)], 'add', [[0, 1, 2, 3]])
# bf16 sums are carried in f32, f16 sums are rounded at every step.
reduce('sum_bf16', (4, 1), [[np.array(v, ml_dtypes.bfloat16)] for v in
                            ([1, 256, 3], [2**-8, 1, 4], [2**-8, 1, 5], [2**-8, 1, 6.5])], 'add', [[0, 1, 2, 3]])
reduce('sum_f16', (4, 1), [[np.array(v, np.float16)] for v in
                           ([1, 2048, 3], [2**-11, 1, 4], [2**-11, 1, 5], [2**-11, 1, 6.5])], 'add', [[0, 1, 2, 3]])
reduce('product_bf16', (4, 1), [[np.array(v, ml_dtypes.bfloat16)] for v in
                                ([1.0078125, 3], [1.0078125, 1.015625], [1.0078125, 5], [1.0078125, 7])], 'multiply', [[0, 1, 2, 3]])

scatter('reduce_scatter', (4, 1), (2, 8), 1, 4, [[0, 1, 2, 3]])
scatter('reduce_scatter_in_pairs', (4, 1), (4, 2), 0, 2, [[0, 2], [3, 1]])
scatter('reduce_scatter_by_global_number', (2, 2), (4,), 0, 2, [[3, 0], [1, 2]], GLOBAL)
scatter('reduce_scatter_partitions', (2, 2), (4,), 0, 4, [[0, 1]], ACROSS)

exchange('exchange', (4, 1), (4, 2), 0, 0, 4, [[0, 1, 2, 3]])
exchange('exchange_across', (4, 1), (2, 4), 1, 0, 4, [[2, 0, 1, 3]])
exchange('exchange_back', (4, 1), (4, 3), 0, 1, 2, [[0, 2], [3, 1]])
exchange('exchange_partitions', (2, 2), (1, 2), 1, 0, 2, [[0, 1]], ACROSS)
exchange('exchange_middle', (4, 1), (2, 4, 3), 1, 2, 2, [[0, 1], [2, 3]])

permute('shift', (4, 1), [[0, 1], [1, 2], [2, 3]])
permute('rotate', (4, 1), [[0, 1], [1, 2], [2, 3], [3, 0]])
permute('swap_partitions', (2, 2), [[0, 1], [1, 0]], ACROSS)
permute('one_partition', (2, 2), [[0, 1]], ACROSS)

case('numbers', (2, 2), numbered((1,)), ['tensor<ui32>', 'tensor<ui32>'],
     '%y0 = stablehlo.replica_id : tensor<ui32>\n    %y1 = stablehlo.partition_id : tensor<ui32>')
pair = [[x[0], y[0]] for x, y in zip(numbered((2,)), numbered((1, 3)))]
case('sum_of_two', (4, 1), pair, ['tensor<2xf32>', 'tensor<1x3xf32>'],
     f'%y0, %y1 = "stablehlo.all_reduce"(%x0, %x1) {reducer("add", "f32")} {{replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}} : (tensor<2xf32>, tensor<1x3xf32>) -> (tensor<2xf32>, tensor<1x3xf32>)')
case('gather_of_two', (4, 1), pair, ['tensor<4xf32>', 'tensor<2x3xf32>'],
     '%y0, %y1 = "stablehlo.all_gather"(%x0, %x1) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1], [3, 2]]> : tensor<2x2xi64>} : (tensor<2xf32>, tensor<1x3xf32>) -> (tensor<4xf32>, tensor<2x3xf32>)')
case('sum_of_uneven_groups', (4, 1), numbered((2,)), ['tensor<2xf32>'],
     f'%y0 = "stablehlo.all_reduce"(%x0) {reducer("add", "f32")} {{replica_groups = dense<[[0, 1, 3], [2, -1, -1]]> : tensor<2x3xi64>}} : (tensor<2xf32>) -> tensor<2xf32>')
